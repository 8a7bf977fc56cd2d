"""What lasts after a fight, and what a rest brings back."""

from dataclasses import replace
from typing import Any

import pytest

from affray.app.fight import Fight
from affray.app.next_fight import next_fight
from affray.app.sources import Table
from affray.core.errors import SetupError, UnknownNameError
from affray.core.ruling import Rulings
from affray.systems.eclipse_phase.condition import Condition
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.sheet import Combatant, Lasting
from affray.systems.eclipse_phase.tables import LASTING

from .factory import SYSTEM, fixed, game, pistol, play, shot, victim

HURT = victim(name="Sava", vigor=3, flex=1, moxie=1, moxie_max=2, weapons=(pistol(rounds=12),))
COUNTED = Rulings.pick(SYSTEM.rulings, {"ammunition": "counted"})


def stands(sheet: Combatant = HURT, rulings: Rulings = Rulings(), **changes: Any) -> Condition:  # noqa: B008
    return FIGHT.enter(sheet, rulings)._replace(**changes)


def after(condition: Condition, rest: str = "", sheet: Combatant = HURT) -> Combatant:
    assert FIGHT.leaves is not None
    found = FIGHT.leaves(shot(defender=sheet), sheet, condition, rest)
    assert FIGHT.enter(found, Rulings())  # it fights again
    return found


def test_ep64_nothing_changes_where_nothing_happened() -> None:
    assert after(stands()) == HURT


def test_ep64_ep124_harm_lasts_and_stances_are_over() -> None:
    busy = stands(
        damage=12, wounds=2, stress=4, traumas=1, prone=True, guard=True, aim=True, exposed=True,
        surprised=True, advance=9, states=(("grappled", LASTING), ("stunned", 5)),
    )  # fmt: skip
    assert after(busy) == replace(HURT, damage=12, wounds=2, stress=4, traumas=1)


def test_ep115_conditions_that_no_turns_end_stay() -> None:
    sheet = replace(
        HURT, conditions=("deafened", "blinded"),
        lasting=(Lasting(condition="blinded", turns=3),),
    )  # fmt: skip
    left = after(stands(sheet, knocked_out=True), sheet=sheet)
    assert left.conditions == ("deafened", "unconscious")
    assert FIGHT.is_out(left, FIGHT.enter(left, Rulings()))


def test_ep123_detachment_lasts_until_hours_have_passed() -> None:
    gone = stands(states=(("detached", LASTING),))
    assert FIGHT.is_out(HURT, FIGHT.enter(after(gone), Rulings()))
    assert after(gone, "recharge 2").conditions == ("detached",)
    assert after(gone, "recover").conditions == ()


@pytest.mark.parametrize(("changes", "why"), [
    ({"damage": 53}, r"Sava is dead \(EP-65\)"), ({"stress": 60}, r"insane for good \(EP-125\)"),
])  # fmt: skip
def test_ep65_ep125_who_does_not_come_back(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(SetupError, match=why):
        after(stands(**changes))


def test_ep113_those_whose_bleeding_was_stopped_do_not_bleed_again() -> None:
    lies = after(stands(damage=40, wounds=2, bleeds=""))
    assert lies.stabilized
    again = FIGHT.enter(lies, Rulings())
    assert FIGHT.urgent(lies, again) is None
    assert FIGHT.fate(lies, again) == "out"
    up = after(stands(damage=40, wounds=2, bleeds=""), "treat 7")
    assert (up.damage, up.wounds, up.stabilized) == (33, 1, False)


def test_ep113_a_fresh_wound_bleeds_again() -> None:
    """A shot for 5 beyond armor wounds nobody whose threshold is 7; one for 7 does."""

    def bleeds(flat: int, *, stabilized: bool) -> bool:
        lies = victim(
            kinetic=0, damage=36, wounds=1, stabilized=stabilized, conditions=("unconscious",)
        )
        return play(game(shot(defender=lies, weapon=fixed(flat))), 20).final.dies_in > 0

    assert not bleeds(5, stabilized=True)
    with pytest.raises(AssertionError):  # a check is asked for
        bleeds(5, stabilized=False)
    with pytest.raises(AssertionError):
        bleeds(7, stabilized=True)
    with pytest.raises(SetupError, match="stabilized is for those at durability; damage is 3"):
        victim(damage=3, stabilized=True)


# -- points and rounds ---------------------------------------------------------------------------


def test_ep23_spent_points_stay_spent_and_are_known() -> None:
    left = after(stands(pools=(1, 0, 1, 0, 0)))
    assert (left.vigor, left.vigor_max, left.flex, left.flex_max) == (1, 3, 0, 1)
    assert (left.moxie, left.moxie_max) == (1, 2)


@pytest.mark.parametrize(
    ("rest", "points"),
    [("recharge 4", (3, 2, 1)), ("recharge 6", (3, 2, 1)), ("recharge vigor 1 flex 1", (2, 1, 1)),
     ("recover", (3, 2, 1)), ("treat 3; recharge vigor 2", (3, 1, 0)), ("counsel 1", (1, 1, 0))],
)  # fmt: skip
def test_ep23_a_recharge_brings_points_back(rest: str, points: tuple[int, ...]) -> None:
    """Vigor 1 of 3, moxie 1 of 2, flex 0 of 1."""
    left = after(stands(pools=(1, 0, 1, 0, 0)), rest)
    assert (left.vigor, left.moxie, left.flex) == points


@pytest.mark.parametrize(
    ("rest", "why"),
    [
        ("recharge 3", "lacks 2 vigor, 1 moxie, 1 flex; say which come back"),
        ("recharge 7", "1 to 6 points"), ("recharge vigor 3", "lacks 2 points of vigor"),
        ("recharge threat 1", "lacks 0 points of threat"), ("recharge luck 1", "vigor, insight"),
        ("recharge", "the points that were rolled"), ("treat", "a wound and the damage"),
        ("treat 23", "1 to 22"), ("treat x", "a wound and the damage"),
        ("recover 5 1", "7 damage of Sava would be left"), ("recover 1 2 3", "natural healing"),
    ],
)  # fmt: skip
def test_ep23_ep147_a_rest_that_cannot_be_is_refused(rest: str, why: str) -> None:
    with pytest.raises(SetupError, match=why):
        after(stands(damage=12, pools=(1, 0, 1, 0, 0)), rest)


def test_ep148_no_other_rest_is_known() -> None:
    with pytest.raises(UnknownNameError, match="sleep"):
        after(stands(), "sleep")


def test_ep148_ep149_bodies_and_minds_heal() -> None:
    worn = stands(damage=12, wounds=2, stress=9, traumas=2)
    assert (after(worn, "recover 5").damage, after(worn, "recover 5").wounds) == (7, 2)
    assert (after(worn, "recover 30 1").damage, after(worn, "recover 30 1").wounds) == (0, 1)
    calm = after(worn, "counsel 4 1")
    assert (calm.stress, calm.traumas, calm.damage) == (5, 1, 12)


def test_ep149_synthetic_bodies_are_repaired() -> None:
    bot = replace(HURT, body="bot")
    with pytest.raises(SetupError, match="is repaired, with 'recover'"):
        after(stands(bot, damage=3), "treat 3", bot)
    assert after(stands(bot, damage=3), "recover 3", bot).damage == 0


def test_ep154_with_a_rest_the_unconscious_wake_up() -> None:
    asleep = stands(knocked_out=True, wounds=2)
    assert after(asleep).conditions == ("unconscious",)
    assert after(asleep, "recharge 1").conditions == ()


def test_ep79_rounds_are_spent_and_a_rest_loads() -> None:
    spent = stands(rulings=COUNTED, rounds=(("pistol", 3),))
    name = HURT.weapons[0].name
    spent = spent._replace(rounds=((name, 3),))
    (gun,) = after(spent).weapons
    assert (gun.rounds, gun.rounds_max) == (3, 12)
    again = FIGHT.enter(after(spent), COUNTED)
    assert again.rounds == ((name, 3),)
    assert after(spent, "recharge 1").weapons[0].rounds == 12
    assert after(spent._replace(rounds=())).weapons == HURT.weapons


def test_ep79_reloading_fills_the_magazine() -> None:
    """Three of twelve are loaded; the fight tells it, and reloading brings all twelve."""
    low = replace(HURT, weapons=(replace(pistol(rounds=3), rounds_max=12),))
    begun = stands(low, COUNTED)
    told = {line.key: line.value for line in FIGHT.told(low, begun)}
    key = f"rounds_{low.weapons[0].name.replace(' ', '_')}"
    assert told[key] == "3 of 12"
    full = {line.key: line.value for line in FIGHT.told(low, begun._replace(rounds=()))}
    assert full[key] == "12 of 12"


# -- in an app -----------------------------------------------------------------------------------


def over() -> Fight:
    fight = Fight.begin("eclipse-phase", "medic")
    fight = fight.hand("set", fighter="Comrade", key="bleeding", value="no")
    return fight.hand("end", verdict="one")


def test_ep147_the_next_fight_begins_after_first_aid() -> None:
    """Everybody is treated, and those who can't be are refused by name."""
    fight = over()
    before = {row.name: row.told for row in fight.view().fighters}
    found = next_fight(fight, {"one": "treat 10"})
    assert found.refused == ""
    there = Fight.begin("eclipse-phase", Table(found.table, "next"))
    assert {row.name for row in there.view().fighters} == set(before)
    with pytest.raises(SetupError, match="as rolled"):
        next_fight(fight, {"one": "treat 99"})
