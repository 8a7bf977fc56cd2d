"""Initiative as an exchange of its own."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.systems.affinity.sheet import Hazard, Setup

from .factory import asked, chance, dice, game, joint, offered, play, played, striker, target

F = Fraction


def both(rulings: dict[str, str] | None = None, *, one: Any = None, other: Any = None) -> Any:
    made = Setup(attacker=one or striker(), defender=other or target(), act="initiative")
    return game(made, rulings)


def none(rulings: dict[str, str] | None = None, **who: Any) -> Any:
    return both(rulings, **who).settle({"exert_for_speed": ("0",)})


def test_af60_the_higher_sum_acts_first() -> None:
    assert play(none(), 6, 1, 1, 2, 2, 3)["first"] == "attacker"
    assert play(none(), 1, 1, 1, 2, 2, 3)["first"] == "defender"


def test_af61_the_higher_single_die_breaks_ties() -> None:
    assert play(none(), 6, 1, 1, 3, 3, 2)["first"] == "attacker"
    assert play(none(), 6, 1, 1, 1, 6, 1)["first"] == "tie"


def test_af61_chances_of_a_tie() -> None:  # AFO-14
    assert chance(none(), "tie") == F(79, 1944)
    one = {total: p for (total,), p in _sums().items()}
    assert sum(p * p for p in one.values()) == F(361, 3888)


def _sums() -> dict[tuple[int], Fraction]:
    counts: dict[tuple[int], Fraction] = {}
    for a in range(1, 7):
        for b in range(1, 7):
            for c in range(1, 7):
                counts[(a + b + c,)] = counts.get((a + b + c,), F(0)) + F(1, 216)
    return counts


def test_af61_exertion_adds_dice_and_burns() -> None:
    session = asked(both(one=striker(level=5)))
    assert offered(session) == ["0", "1", "2", "3"]
    assert dice(session.answer("2")) == "3d6+2d6"
    made = both(one=striker(level=5)).settle({"exert_for_speed": ("1",)})
    end = play(made, 1, 1, 1, 1, 1, 1, 1, 5)
    assert end["burn"] == 1
    assert end["own_hd"] == 10


@pytest.mark.parametrize(("left", "pool"), [(2, "2d6"), (1, "1d6")])
def test_af61_the_surprised_roll_fewer_dice_and_exert_none(left: int, pool: str) -> None:
    session = asked(both(one=striker(surprised=left)))
    assert dice(session) == pool


def test_af55_rolling_unsurprised_brings_a_point_of_resolve() -> None:
    end = play(none(one=striker(resolve=3), other=target(resolve=5)), 1, 1, 1, 1, 1, 1)
    assert (end["own_resolve"], end["resolve"]) == (4, 5)
    surprised = play(none(one=striker(resolve=3, surprised=2)), 1, 1, 1, 1, 1)
    assert surprised["own_resolve"] == 3


def test_af61_joint_odds_of_both_sides_are_even() -> None:
    found = joint(none(), "first")
    assert found[("attacker",)] == found[("defender",)]


def test_af60_who_has_no_dice_comes_to_nothing() -> None:
    made = none({"initiative": "proficiency"}, one=striker(proficiency=0))
    session = played(made, 2)
    assert "Initiative 0." in [row.says for row in session.log]
    assert play(made, 2)["first"] == "defender"


@pytest.mark.parametrize(
    ("faces", "phase_ties", "order"),
    [
        ((6, 5, 4, 1, 1, 1), "after", "attacker, stones, defender"),
        ((5, 3, 3, 5, 5, 1), "after", "attacker or defender, stones"),
        ((5, 4, 2, 5, 5, 1), "after", "attacker or defender, stones"),
        ((5, 4, 2, 5, 5, 1), "before", "stones, attacker or defender"),
        ((5, 4, 3, 5, 5, 1), "before", "attacker, stones, defender"),
        ((5, 4, 1, 5, 4, 2), "after", "defender, stones, attacker"),
        ((1, 1, 1, 6, 6, 6), "after", "defender, stones, attacker"),
        ((1, 1, 1, 1, 1, 2), "after", "stones, defender, attacker"),
    ],
)
def test_af60_a_phase_stands_in_the_order_at_its_count(
    faces: tuple[int, ...], phase_ties: str, order: str
) -> None:
    """At 11: combatants who rolled 11 or more come before it, or those who rolled 12 or more."""
    lair = replace(target(), lair=(Hazard(name="stones", count=11, damage=1),))
    assert play(none({"phase_ties": phase_ties}, other=lair), *faces)["order"] == order
