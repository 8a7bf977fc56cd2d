"""Effects on unmodified values (EE-45, EE-58): which values, and what they do."""

from fractions import Fraction
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.systems.empty_earth.cards import Unmodified
from affray.systems.empty_earth.gear import Weapon
from affray.systems.empty_earth.sheet import Affliction

from .factory import game, joint, play, setup, striker, target, weapon

LOW = Affliction(name="Low", phys_def=-1)


def marked(value: int, test: Any = "at_least", **changes: Any) -> Weapon:
    return weapon("1D6", unmodified=value, unmodified_test=test, **changes)


@pytest.mark.parametrize(
    ("test", "faces"), [("at_least", {4, 5, 6}), ("exactly", {4}), ("at_most", {1, 2, 3, 4})]
)
def test_ee58_an_effect_on_values_at_least_exactly_or_at_most(test: str, faces: set[int]) -> None:
    made = game(setup(marked(4, test)))
    assert {face for face in range(1, 7) if play(made, face)["unmodified"]} == faces
    assert joint(made, "unmodified")[1,] == Fraction(len(faces), 6)


@pytest.mark.parametrize(
    ("effect", "damage", "shields", "conditions"),
    [
        ({"damage": 3}, 3, 0, ()),
        ({"piercing": 2}, 2, 0, ()),
        ({"shields": 2}, 0, 2, ()),
        ({"condition": LOW}, 0, 0, ("Low",)),
    ],
)
def test_ee58_what_it_does_even_on_a_die_that_misses(
    effect: dict[str, Any], damage: int, shields: int, conditions: tuple[str, ...]
) -> None:
    made = game(setup(marked(1, "exactly", unmodified_effect=Unmodified(**effect))))
    done = play(made, 1)
    assert (done["damage"], done["attacker_shields"], done["conditions"]) == (
        damage, shields, conditions,
    )  # fmt: skip
    assert done["on_hit"] is False
    plain = play(made, 2)
    assert (plain["damage"], plain["attacker_shields"], plain["conditions"]) == (0, 0, ())


def test_ee58_each_die_counts_and_a_hit_may_be_needed() -> None:
    extra = Unmodified(damage=1)
    two = weapon("2D6", 2, unmodified=5, unmodified_effect=extra)
    assert play(game(setup(two)), 5, 6)["regular"] == 2 * 2 + 2
    needs = weapon("2D6", 2, unmodified=3, unmodified_must_hit=True, unmodified_effect=extra)
    assert play(game(setup(needs)), 3, 6)["regular"] == 2 + 1


def test_ee45_a_focus_changes_no_unmodified_value() -> None:
    by = striker(marked(4, "exactly"), focus=(3,))
    assert play(game(setup(by)), 1, options=("focus-3-on-1",))["unmodified"] == 0
    assert play(game(setup(by)), 4, options=("focus-3-on-4!",))["unmodified"] == 1


def test_ee43_its_damage_is_reduced_like_any_other() -> None:
    made = marked(6, unmodified_effect=Unmodified(damage=3, piercing=1))
    done = play(game(setup(made, target(dr=4, shields=1))), 6)
    assert (done["regular"], done["piercing"], done["damage"]) == (5, 1, 1)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"unmodified": 0, "unmodified_test": "exactly"}, "without unmodified; give the value"),
        ({"unmodified": 0, "unmodified_effect": Unmodified(damage=1)}, "without unmodified"),
        ({"unmodified": 7}, "unmodified 7; no die of 1D6 shows it"),
        ({"unmodified": 7, "unmodified_test": "exactly"}, "no die of 1D6 shows it"),
    ],
)
def test_ee58_an_effect_that_never_comes_is_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(SetupError, match=says):
        weapon("1D6", **changes)
    with pytest.raises(SetupError, match="an effect that does nothing"):
        Unmodified()
