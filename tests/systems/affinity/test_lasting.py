"""What lasts after a fight, and what a rest brings back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from affray.core.errors import SetupError, UnknownNameError
from affray.systems.affinity.changes import Effect
from affray.systems.affinity.fight import FIGHT
from affray.systems.affinity.sheet import Affliction, Combatant, Layer
from affray.systems.affinity.state import Condition, Cover

from .factory import STRIKER, held_to, setup

BARRIER = Layer(kind="magical", die=12)
SHIELD = Layer(kind="shield", die=12, dice=1)
ARMOR = Layer(kind="armor", die=8)
HERO = replace(
    STRIKER, name="Ann", level=5, hd=9, hd_max=11, layers=(BARRIER, SHIELD, ARMOR), resolve=4
)


def stands(sheet: Combatant = HERO, **changes: Any) -> Condition:
    condition = FIGHT.enter(sheet, held_to({}))
    return condition._replace(now=condition.now._replace(**changes))


def after(condition: Condition, rest: str = "", sheet: Combatant = HERO) -> Combatant:
    assert FIGHT.leaves is not None
    found = FIGHT.leaves(setup(sheet), sheet, condition, rest)
    assert isinstance(found, Combatant)
    return found


def there(sheet: Combatant) -> list[str]:
    return [layer.kind for layer in sheet.layers if layer.intact]


def test_af51_nothing_changes_where_nothing_happened() -> None:
    assert after(stands()) == HERO


def test_af51_hit_dice_resolve_and_affinity_dice_stay_as_they_are() -> None:
    rich = replace(HERO, affinity=3)
    left = after(stands(rich, hd=2, resolve=-1, affinity=1), sheet=rich)
    assert (left.hd, left.hd_max, left.resolve, left.affinity) == (2, 11, -1, 1)
    assert FIGHT.enter(left, held_to({})).now.hd == 2


def test_af62_turns_defend_and_checks_are_over() -> None:
    busy = stands(
        actions=0, exerted=3, expert=True, attacked=True, defending=True, checked=True, lost=2,
        stabilized=True,
    )  # fmt: skip
    assert after(busy) == HERO


def test_af72_conditions_that_last_for_rounds_are_over() -> None:
    slow, cursed = Affliction(name="slow", move="half", rounds=2), Affliction(name="curse", dice=1)
    assert after(stands(conditions=(slow, cursed))).conditions == (cursed,)


def test_af27_layers_that_gave_way_lie_in_pieces() -> None:
    covers = stands().now.layers
    for lost, left in ((1, ["shield", "armor"]), (2, ["armor"]), (3, [])):
        assert there(after(stands(layers=covers[lost:]))) == left


def test_af27_a_layer_that_lost_one_of_its_dice_has_the_other_in_the_next_fight() -> None:
    begun = FIGHT.enter(HERO, held_to({"overwhelm": "per_die"}))
    outermost, *others = begun.now.layers
    covers = (outermost._replace(dice=1), *others)
    assert (outermost.dice, BARRIER.dice) == (2, 2)
    left = after(begun._replace(now=begun.now._replace(layers=covers)))
    assert left == replace(HERO, layers=(replace(BARRIER, dice=1), SHIELD, ARMOR))


@pytest.mark.parametrize(
    ("rest", "left"),
    [("", []), ("repair", ["shield", "armor"]), ("recover", ["magical", "shield", "armor"])],
)
def test_af51_af80_a_rest_makes_layers_whole(rest: str, left: list[str]) -> None:
    assert there(after(stands(layers=()), rest)) == left


def test_af76_a_ward_that_was_granted_stays_outside() -> None:
    ward = Cover("magical", 10)
    covers = stands().now.layers
    warded = after(stands(layers=(ward, *covers[1:])))
    assert [(layer.kind, layer.die) for layer in warded.layers if layer.intact] == [
        ("magical", 10), ("shield", 12), ("armor", 8),
    ]  # fmt: skip


def test_af51_hit_dice_come_back_with_a_rest_as_the_table_says() -> None:
    hurt = stands(hd=2)
    assert [after(hurt, rest).hd for rest in ("", "repair", "recover", "recover 5")] == [2, 2, 2, 7]
    assert after(hurt, "recover 20").hd == 11
    assert after(stands(hd=0, down=True), "recover 1").hd == 1


def test_af44_rush_and_steady_are_there_again_after_a_rest() -> None:
    spent = stands(rushed=True, steadied=True)
    assert (after(spent).rushed, after(spent).steadied) == (True, True)
    assert (after(spent, "recover").rushed, after(spent, "recover").steadied) == (False, False)


def test_af50_nobody_comes_back_from_the_dead() -> None:
    dead = stands(hd=0, down=True, resolve=-5)
    with pytest.raises(SetupError, match="Ann is dead"):
        after(dead)


def test_af51_other_rests_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="nap"):
        after(stands(), "nap")
    for rest in ("repair 3", "recover much"):
        with pytest.raises(SetupError, match="allowed: recover with a number"):
            after(stands(), rest)


def test_af51_what_a_fight_left_is_entered_again() -> None:
    """A blow through armor and a Rush, then the next fight begins where this one ended."""
    begun = FIGHT.enter(HERO, held_to({}))
    struck = FIGHT.apply(HERO, begun, Effect(lost=3, layers=begun.now.layers[2:]))
    again = FIGHT.enter(after(struck), held_to({})).now
    assert (again.hd, again.layers, again.resolve) == (6, struck.now.layers, 4)
