"""Injury cards and the end of a Stage (EE-52, EE-59): what is written on them is done."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import affray
from affray.core.errors import SetupError
from affray.systems.empty_earth.cards import StageEffect
from affray.systems.empty_earth.conditions import injured
from affray.systems.empty_earth.fight import FIGHT
from affray.systems.empty_earth.sheet import Affliction, Cubes, Fighter, Setup

from .factory import ADA, BO, game, joint, line, play, played, setup, striker, target, weapon
from .test_fight import HELPER, HUMAN, enter, outcomes

ARM = Affliction(name="Arm", each_die=-1)
LEG = Affliction(name="Leg", no_reactions=True, turns=1)
SURE = weapon("1D6", 20)


def struck(other: tuple[Any, ...] = ("none",), **changes: Any) -> Setup:
    """Ada, down with the first hit, among others."""
    ada = replace(ADA, phys_def=0, **changes.pop("ada", {}))
    return setup(SURE, ada, other_pcs=other, **changes)


def test_ee59_each_card_is_as_likely_and_acts_as_a_condition() -> None:
    made = game(struck(injury_deck=(ARM, LEG)))
    assert joint(made, "conditions") == {
        (("Arm",),): Fraction(1, 2), (("Leg",),): Fraction(1, 2),
    }  # fmt: skip
    session = played(made, 3, 1, 5)
    assert line(session, "suffer_injury").says == "The card: Arm."
    names = [entry.at.step.name for entry in session.steps_taken]
    order = ("draw_injury", "suffer_injury", "regain_vitality", "rise")
    assert [name for name in names if name in order] == list(order)


def test_ee59_a_deck_of_one_card_needs_no_draw() -> None:
    done = play(game(struck(injury_deck=(ARM,))), 3, 5)
    assert (done["conditions"], done["vitality"], done["injuries"]) == (("Arm",), 5, 1)


def test_ee59_without_a_deck_a_card_does_nothing_more() -> None:
    assert play(game(struck()), 3, 5)["conditions"] == ()


@pytest.mark.parametrize(("reading", "left"), [("unchanged", ("Arm",)), ("remove", ())])
def test_a16_revival_ee59_a_card_goes_with_its_injury(reading: str, left: tuple[str, ...]) -> None:
    cards = injured((), ARM)
    picked = {"revival": reading}
    down = enter(HUMAN, picked, vitality=0, injuries=1, fallen="incapacitated", conditions=cards)
    found = outcomes((HELPER, enter(HELPER, picked)), (HUMAN, down), deed="revive")
    assert {theirs.now.named for _, theirs in found} == {left}
    kept = enter(HUMAN, conditions=cards)
    assert FIGHT.begin_turn(HUMAN, FIGHT.begin_turn(HUMAN, kept)).now.named == ("Arm",)


def test_a16_revival_ee59_a_revival_may_draw_a_card() -> None:
    cy = replace(ADA, name="Cy", cubes=Cubes(black=3))
    down = replace(BO, vitality=0, injuries=1)
    made = setup(cy, down, act="revive", other_pcs=("none",), injury_deck=(ARM,))
    done = play(game(made, {"revival": "add"}), 4)
    assert (done["injuries"], done["conditions"], done["vitality"]) == (2, ("Arm",), 4)


# -- the end of a Stage ------------------------------------------------------------------------


def ending(*effects: StageEffect, **changes: Any) -> Setup:
    return struck(("taken",), stage_end=effects, **changes)


@pytest.mark.parametrize(
    ("effect", "field", "value"),
    [
        ({"vitality": 4}, "vitality", 7),
        ({"vitality": 40}, "vitality", 12),
        ({"injuries": 1}, "injuries", 0),
        ({"loses": Cubes(red=2)}, "defender_red_cubes", 0),
        ({"gains": Cubes(blue=2)}, "defender_blue_cubes", 2),
        ({"cures": True}, "conditions", ("Leg",)),
        ({"cures": True, "injuries": 1}, "conditions", ()),
        ({"condition": ARM}, "conditions", ("Arm", "Leg", "Old")),
    ],
)
def test_ee59_effects_of_the_end_are_applied(
    effect: dict[str, Any], field: str, value: object
) -> None:
    old = {"conditions": (Affliction(name="Old"),), "cubes": Cubes(red=1)}
    leg = replace(LEG, turns=0)
    made = ending(StageEffect(name="Rest", **effect), ada=old, injury_deck=(leg,))
    done = play(game(made), 3, 3)
    assert (done[field], done["stage_ended"], done["stage_effects"]) == (value, True, ("Rest",))


def test_ee59_they_come_in_order_and_are_told() -> None:
    made = ending(StageEffect(name="Loot", gains=Cubes(red=2)),
                  StageEffect(name="Toll", loses=Cubes(red=1)))  # fmt: skip
    session = played(game(made), 3, 3)
    assert line(session, "enact_stage_end").says == "Loot, Toll."
    assert play(game(made), 3, 3)["defender_red_cubes"] == 1


def test_ee59_nothing_comes_while_the_stage_goes_on() -> None:
    made = struck(("none",), stage_end=(StageEffect(name="Rest", vitality=9),))
    done = play(game(made), 3, 3)
    assert (done["vitality"], done["stage_ended"], done["stage_effects"]) == (3, False, ())


def test_ee59_only_player_characters_are_affected_and_who_is_down_stands_up() -> None:
    rest = StageEffect(name="Rest", vitality=3)
    made = ending(rest, ada={"injuries": 1})
    done = play(game(made), 3)
    assert (done["incapacitated"], done["vitality"], done["attacker_vitality"]) == (False, 3, 10)
    hurt: Fighter = replace(ADA, vitality=1, attacks=(weapon("1D6", 1),))
    thorn = target(phys_def=0, retaliation=9)
    done = play(game(setup(hurt, thorn, stage_end=(rest,))), 6, 2)
    assert (done["attacker_vitality"], done["stage_effects"]) == (5, ("Rest",))


@pytest.mark.parametrize(
    ("key", "value"),
    [("injury_deck", (ARM,)), ("stage_end", (StageEffect(name="Rest", vitality=1),))],
)
def test_ee59_they_need_a_player_character(key: str, value: Any) -> None:
    with pytest.raises(SetupError, match=rf"{key}, but neither .* is a player character"):
        setup(striker(), target(), **{key: value})


def test_ee59_an_effect_of_nothing_is_refused() -> None:
    with pytest.raises(SetupError, match="it does nothing; give vitality"):
        StageEffect(name="Nothing")


def test_ee52_the_stage_is_over_for_who_lost_the_injury_again_at_its_end() -> None:
    session = played(game(ending(StageEffect(name="Rest", injuries=1))), 3, 3)
    outcome: Any = session.outcome
    assert (outcome.stage_ended, outcome.defending.injuries) == (True, 0)
    assert FIGHT.effect(outcome, "target").ended is True
    assert FIGHT.effect(outcome, "actor").ended is False


# -- and for those who took no part in the last attack -----------------------------------------

DREAD = {"name": "Dread", "injuries": 1, "condition": {"name": "Dread", "each_die": -1}}
SURELY = {"attacks": [{"dice": "1D4", "damage": 1}]}
FRAIL = {"name": "Ada", "side": "pc", "vitality": 1, "vitality_max": 6}
HURT = {"side": "pc", "vitality": 5, "vitality_max": 6, "injuries": 1}
BESIDE = [{"name": "Bo", **HURT}, {"name": "Cy", **HURT}]
DOG = {"name": "Dog", "side": "ally", "vitality": 5}
THORN = {"name": "Thorn", "vitality": 9, "retaliation": 1}


def fates(party: list[Any], foe: Any, *, first: bool, as_other: bool) -> dict[str, str]:
    """How everybody is left after one round, by name, where that leaves nothing to luck."""
    one, other = {"fighters": party}, {"fighters": [foe]}
    table = {
        "one": other if as_other else one, "other": one if as_other else other,
        "first": "one" if first != as_other else "other", "rounds": 1,
        "situation": {"stage_end": [DREAD]},
    }  # fmt: skip
    told = affray.battle("empty-earth", table).fighters
    found = {one.name: [name for name, share in one.fates.items() if share.value] for one in told}
    assert all(len(names) == 1 for names in found.values()), found
    return {name: names[0] for name, names in found.items()}


@pytest.mark.parametrize("as_other", [False, True])
@pytest.mark.parametrize("attacks", [False, True], ids=["attacked", "attacks"])
def test_ee59_the_end_reaches_all_player_characters(attacks: bool, as_other: bool) -> None:
    """Ada's Injury is the last one, whether she is struck or her attack is answered."""
    ada, foe = ({**FRAIL, **SURELY}, THORN) if attacks else (FRAIL, {**THORN, **SURELY})
    left = fates([ada, *BESIDE, DOG], foe, first=attacks, as_other=as_other)
    assert left == {
        "Ada": "suffering", "Bo": "suffering", "Cy": "suffering", "Dog": "standing",
        "Thorn": "standing",
    }  # fmt: skip


@pytest.mark.parametrize("as_other", [False, True])
@pytest.mark.parametrize("attacks", [False, True], ids=["attacked", "attacks"])
def test_ee52_a_mate_without_an_injury_keeps_the_stage_going(attacks: bool, as_other: bool) -> None:
    ada, foe = ({**FRAIL, **SURELY}, THORN) if attacks else (FRAIL, {**THORN, **SURELY})
    unhurt = {**BESIDE[1], "injuries": 0}
    left = fates([ada, BESIDE[0], unhurt], foe, first=attacks, as_other=as_other)
    assert left == {"Ada": "injured", "Bo": "injured", "Cy": "standing", "Thorn": "standing"}


def test_ee59_the_end_comes_once_also_for_who_attacks_a_fellow() -> None:
    """The Vitality of an attacker, which the exchange doesn't know, goes up once."""
    rest = StageEffect(name="Rest", vitality=3, injuries=1)
    made = replace(ending(rest), attacker=replace(BO, injuries=1, vitality=5, attacks=(SURE,)))
    outcome: Any = played(game(made), 3, 3).outcome
    sheet, before = made.attacker, enter(made.attacker)
    unknown = before._replace(now=before.now._replace(vitality=5))
    left = FIGHT.apply(sheet, unknown, FIGHT.effect(outcome, "actor"))
    assert (left.now.vitality, left.now.injuries, left.ended) == (8, 0, True)
    assert FIGHT.with_common(sheet, left, FIGHT.common(sheet, left)) == left


def test_ee52_enemies_have_no_stage_in_common() -> None:
    """Also where a fighter joins them."""
    foe = striker()
    assert FIGHT.common(foe, enter(foe)) is None
    for left in (None, (False, ()), (True, (StageEffect(name="Rest", vitality=1),))):
        assert FIGHT.with_common(foe, enter(foe), left) == enter(foe)
