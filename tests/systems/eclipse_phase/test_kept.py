"""What people keep of somebody who is out, where engines need no more than the fate."""

import random
from typing import Any

import pytest

from affray.app.fight import Fight as PlayedFight
from affray.core.fight import Kept
from affray.core.ruling import Rulings
from affray.systems.eclipse_phase.condition import Besides, Condition, Effect
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.sheet import Combatant
from affray.systems.eclipse_phase.tables import LASTING

from .factory import SYSTEM, victim

VICTIM = victim()
READINGS: tuple[dict[str, str], ...] = (
    {}, {"bleeding": "each"}, {"bleeds_unwounded": "yes"}, {"turns": "actions"},
    {"wound_effects": "modifiers"}, {"condition_turns": "rounds"},
)  # fmt: skip


def kept() -> Kept[Combatant, Condition, Effect]:
    assert FIGHT.kept is not None
    return FIGHT.kept


def hit(net: int, wounds: int = 0) -> Effect:
    return Effect(net=net, wounds=wounds)


def after(*effects: Effect, sheet: Combatant = VICTIM) -> tuple[Condition, Condition]:
    """The condition that engines have, and the one that people keep."""
    lean = full = FIGHT.enter(sheet, Rulings())
    for effect in effects:
        lean = FIGHT.apply(sheet, lean, effect)
        full = kept().apply(sheet, full, effect)
    return lean, full


def test_ep65_damage_beyond_durability_is_kept_to_the_last_point() -> None:
    """Durability 35, Death Rating 53: 20 and 21 come to 41, three wounds in all."""
    lean, full = after(hit(20, 2), hit(21, 1))
    assert (full.damage, full.wounds, full.prone) == (41, 3, True)
    assert FIGHT.fate(VICTIM, full) == FIGHT.fate(VICTIM, lean) == "out"
    told = {line.label: line.value for line in FIGHT.told(VICTIM, full)}
    assert (told["damage"], told["wounds"]) == ("41 of 35", 3)


@pytest.mark.parametrize(
    ("last", "damage", "fate"), [(34, 52, "out"), (35, 53, "dead"), (90, 53, "dead")]
)
def test_ep65_up_to_the_death_rating(last: int, damage: int, fate: str) -> None:
    _, full = after(hit(18), hit(last))
    assert (full.damage, FIGHT.fate(VICTIM, full)) == (damage, fate)


def test_ep113_each_round_of_bleeding_counts() -> None:
    _, full = after(hit(36, 2), Effect(besides=Besides(bled="begun")))
    for lost in (38, 40, 42):
        full = kept().end_round(VICTIM, full)
        assert full.damage == lost


def random_effect(chance: random.Random) -> Effect:
    mental = chance.random() < 0.2
    states = (("stunned", 3),), (("fleeing", LASTING),), (("grappled", LASTING), ("entangled", 2))
    return Effect(
        net=chance.choice((0, 4, 9, 17, 40)), wounds=chance.randrange(3), stress=mental,
        prone=chance.random() < 0.3, knocked_out=chance.random() < 0.2,
        exposed=chance.random() < 0.2, states=chance.choice(((), (), *states)),
        pools=(("moxie", chance.randrange(2)),),
        besides=Besides(
            moved=chance.choice((0, 0, 4)), action=chance.choice(("", "aim", "full_defense")),
        ),
    )  # fmt: skip


def random_help(chance: random.Random, full: Condition) -> Effect:
    """Something that befalls somebody who is out: a check against bleeding, or a friend."""
    able: list[dict[str, Any]] = [{}]
    if FIGHT.urgent(VICTIM, full) is not None:
        able = [{"bled": "begun"}, {"bled": "stopped"}]
    elif FIGHT.needs(VICTIM, full):
        able = [{"aided": "treated"} if FIGHT.needs(VICTIM, full) == 2 else {"aided": "woken"}, {}]
    return Effect(pools=(("moxie", 1),), besides=Besides(**chance.choice(able)))


@pytest.mark.parametrize("readings", READINGS, ids=lambda held: "/".join(held) or "as they are")
def test_ep65_cut_to_their_fate_they_are_what_engines_have(readings: dict[str, str]) -> None:
    """Whatever befalls somebody, round after round, standing or not."""
    chance = random.Random(5)
    rulings = Rulings.pick(SYSTEM.rulings, readings)
    fallen = 0
    for _ in range(300):
        sheet = victim(moxie=1)
        lean = full = FIGHT.enter(sheet, rulings)
        for _ in range(8):
            out = FIGHT.is_out(sheet, lean)
            fallen += out
            effect = random_help(chance, lean) if out else random_effect(chance)
            lean, full = FIGHT.apply(sheet, lean, effect), kept().apply(sheet, full, effect)
            assert kept().settled(sheet, full) == lean
            if not FIGHT.is_out(sheet, lean):
                lean, full = FIGHT.begin_turn(sheet, lean), FIGHT.begin_turn(sheet, full)
            lean, full = FIGHT.end_round(sheet, lean), kept().end_round(sheet, full)
            assert kept().settled(sheet, full) == lean
    assert fallen > 300


@pytest.mark.parametrize(("net", "left"), [(0, True), (35, True), (53, False)])
def test_ep29_friends_find_somebody_who_is_out_as_they_are(net: int, left: bool) -> None:
    """Where turns are whole: in a grip and stunned until death, at 53 of 35."""
    states = (("grappled", LASTING), ("stunned", 3))
    lean = FIGHT.enter(VICTIM, Rulings.pick(SYSTEM.rulings, {"turns": "actions"}))
    lean = FIGHT.apply(VICTIM, lean, Effect(net=net, knocked_out=True, states=states))
    assert FIGHT.is_out(VICTIM, lean)
    assert lean.states == (states if left else ())


def test_ep65_a_game_master_sees_and_sets_what_is_kept() -> None:
    """The dog is brought down by hand, past durability; the next point is told, too."""
    fight = PlayedFight.begin("eclipse-phase", "ripper-dog")
    name = fight.view().fighters[1].name
    for damage in (33, 34):
        fight = fight.hand("set", fighter=name, key="damage", value=damage)
        row = fight.view().fighters[1]
        told = {line.label: str(line.value) for line in row.told}
        assert (row.state, told["damage"].split(" of ")[0]) == ("out", str(damage))
    awake = fight.hand("set", fighter=name, key="damage", value=10).view().fighters[1]
    assert awake.state == "standing"
