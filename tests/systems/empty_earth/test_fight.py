"""From one exchange to the next: what a turn brings back, what stays spent, who is out.

Exchanges are followed here by a walker of its own, dice by dice, so that nothing of the engine is
needed. A die against defense 0 always hits: most of these fights need no luck.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from pydantic import TypeAdapter

from affray.core.errors import SetupError
from affray.core.fight import ATTACK, UNKNOWN, Deed, Scene
from affray.core.node import At
from affray.core.ruling import Rulings
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Script, drive
from affray.systems.empty_earth import SYSTEM
from affray.systems.empty_earth.fight import FIGHT, REVIVE, Around, Effect
from affray.systems.empty_earth.gear import Active, Armor
from affray.systems.empty_earth.hints import HINTS
from affray.systems.empty_earth.sheet import Cubes, Fighter, Injured, Setup
from affray.systems.empty_earth.standing import injury_of
from affray.systems.empty_earth.state import Condition, Exchange, FighterState
from tests.systems.walking import Pick, Walk, every, last, settled, walked

from .factory import ADA, BO, bow, feature, game, setup, striker, target, weapon

SURE = weapon("1D6", 2)
HUMAN = Fighter(name="human", side="pc", attacks=(SURE,), vitality=10, vitality_max=12)
FOE = Fighter(name="foe", attacks=(SURE,), vitality=10)
HELPER = replace(HUMAN, name="Cy", cubes=Cubes(black=3))


# -- following exchanges ---------------------------------------------------------------------


def walk(start: At[Exchange], pick: Pick, held: int | None = None) -> Walk:
    """Follow every branch; where somebody looks at what is hidden, put in `held` and go on."""

    def revealed(at: At[Exchange]) -> At[Exchange]:
        assert held is not None
        seen = at.facts.defending._replace(vitality=held)
        return At(at.step, at.facts._replace(struck=seen))

    return walked(FIGHT, start, pick, None if held is None else revealed)


def held_to(picks: Mapping[str, str]) -> Rulings:
    return Rulings.pick(SYSTEM.rulings, picks)


def enter(sheet: Fighter, rulings: Mapping[str, str] | None = None, **changes: Any) -> Condition:
    """A fighter as they enter, but for these changes of the condition."""
    standing = FIGHT.enter(sheet, held_to(rulings or {}))
    return standing._replace(now=standing.now._replace(**changes))


def declared(
    one: tuple[Fighter, Condition],
    other: tuple[Fighter, Condition],
    *,
    held: object = None,
    deed: str = "attack",
    context: Around | tuple[Injured, ...] | None = None,
) -> At[Exchange]:
    """An exchange as engines declare it; the situation is that of an exchange by itself."""
    (actor, mine), (opponent, theirs) = one, other
    setup = Setup(attacker=actor, defender=opponent, attacks=3, turn_between=True)
    hidden = HINTS.hidden
    struck = hidden.veiled(hidden.visible(theirs), hidden.part(theirs) if held is None else held)
    mates = context if isinstance(context, Around) else Around(context or ())
    return FIGHT.declare(
        Scene(setup, Deed(deed), hidden.visible(mine), struck, mates, mine.rulings)
    )


def outcomes(
    one: tuple[Fighter, Condition], other: tuple[Fighter, Condition], **changes: Any
) -> dict[tuple[Condition, Condition], Fraction]:
    """The conditions of both after a turn, with their chances; options by step under `pick`."""
    pick = settled(changes.pop("pick", {}))
    begun = FIGHT.begin_turn(*one)
    found: dict[tuple[Condition, Condition], Fraction] = {}
    for (mine, theirs), chance in walk(
        declared((one[0], begun), other, **changes), pick
    ).effects.items():
        pair = FIGHT.apply(one[0], begun, mine), FIGHT.apply(*other, theirs)
        found[pair] = found.get(pair, Fraction(0)) + chance
    assert sum(found.values()) == 1
    return found


def turn(
    one: tuple[Fighter, Condition], other: tuple[Fighter, Condition], **changes: Any
) -> tuple[Condition, Condition]:
    """The conditions of both after a turn that leaves nothing to luck."""
    found = outcomes(one, other, **changes)
    assert len(found) == 1, found
    return next(iter(found))


def struck_by(damage: int, sheet: Fighter, standing: Condition, **changes: Any) -> Condition:
    """The condition after a sure hit for this damage."""
    foe = striker(weapon("1D6", damage))
    return turn((foe, enter(foe)), (sheet, standing), **changes)[1]


# -- damage ----------------------------------------------------------------------------------


def test_ee46_damage_comes_off_once() -> None:  # O1
    one, other = striker(), target()
    found = outcomes((one, enter(one)), (other, enter(other)))
    by_vitality = {theirs.now.vitality: chance for (_, theirs), chance in found.items()}
    assert by_vitality == {10: Fraction(4, 9), 8: Fraction(4, 9), 6: Fraction(1, 9)}


def test_ee46_damage_adds_up_over_a_fight() -> None:
    hurt = struck_by(2, FOE, struck_by(3, FOE, enter(FOE)))
    assert (FIGHT.vitals(FOE, hurt), FIGHT.is_out(FOE, hurt)) == (5, False)


def test_ee46_harm_is_the_final_damage() -> None:
    shielded = enter(FOE, shields=1)
    strong = striker(weapon("1D6", 4))
    effects = walk(declared((strong, enter(strong)), (FOE, shielded)), settled({})).effects
    assert [FIGHT.harm(theirs) for _, theirs in effects] == [3]
    assert [FIGHT.harm(mine) for mine, _ in effects] == [0]


@pytest.mark.parametrize("one", [FOE, replace(FOE, side="ally")], ids=["enemy", "ally"])
def test_ee53_enemies_and_allies_at_zero_are_out(one: Fighter) -> None:
    gone = struck_by(11, one, enter(one))
    assert (FIGHT.vitals(one, gone), FIGHT.is_out(one, gone), FIGHT.deeds(one, gone)) == (
        0, True, (),
    )  # fmt: skip


def test_ee53_the_ways_to_be_defeated_meet() -> None:
    gone = struck_by(15, FOE, enter(FOE))
    assert struck_by(10, FOE, enter(FOE, reactions=0, shields=0)) == gone
    assert struck_by(2, FOE, enter(FOE, vitality=1)) == gone


# -- shields, reactions, the Armor's effect --------------------------------------------------


def test_ee25_shields_that_absorbed_are_gone() -> None:  # V40
    first = struck_by(2, FOE, enter(FOE, shields=3))
    assert (first.now.vitality, first.now.shields) == (10, 1)
    second = struck_by(2, FOE, first)
    assert (second.now.vitality, second.now.shields) == (9, 0)


def test_ee26_shields_go_at_the_start_of_the_own_turn() -> None:
    shielded = enter(HUMAN, shields=3)
    assert struck_by(0, HUMAN, shielded).now.shields == 3  # somebody else's turn
    after, _ = turn((HUMAN, shielded), (FOE, enter(FOE)))
    assert after.now.shields == 0
    assert FIGHT.begin_turn(HUMAN, shielded).now.shields == 0


def test_ee26_an_exchange_of_a_fight_follows_when_the_turn_has_begun() -> None:
    one = enter(HUMAN, shields=3, reactions=0, active=False)
    start = declared((HUMAN, one), (FOE, enter(FOE)))
    assert start.step.name == "activate_armor"
    effects = walk(start, settled({})).effects
    assert [(mine.shields, mine.reactions) for mine, _ in effects] == [(3, 0)]


def test_a12_reset_ee26_enemies_may_keep_their_shields() -> None:
    never = {"reset": "never"}
    for sheet, left in ((FOE, 3), (HUMAN, 0)):
        shielded = enter(sheet, never, shields=3)
        assert FIGHT.begin_turn(sheet, shielded).now.shields == left
        after, _ = turn((sheet, shielded), (FOE, enter(FOE, never)))
        assert after.now.shields == left


NIMBLE = replace(FOE, dodge="1D4", phys_def=5)


def test_ee61_one_dodge_between_turns() -> None:
    foe = striker(weapon("1D6", 1))
    start = enter(NIMBLE)
    found = outcomes((foe, enter(foe)), (NIMBLE, start), pick={"choose_reaction": "dodge"})
    assert {theirs.now.reactions for _, theirs in found} == {0}
    tired = enter(NIMBLE, reactions=0)
    begun = declared((foe, enter(foe)), (NIMBLE, tired))
    assert walk(begun, every, 10).offered["choose_reaction"] == ("none",)


def test_ee61_reactions_come_back_with_the_own_turn() -> None:
    tired = enter(NIMBLE, reactions=0)
    assert FIGHT.begin_turn(NIMBLE, tired).now.reactions == 1
    after, _ = turn((NIMBLE, tired), (FOE, enter(FOE)))
    assert after.now.reactions == 1


def test_ee61_reactions_come_back_to_whoever_can_do_nothing() -> None:
    idle = replace(NIMBLE, attacks=())
    assert FIGHT.deeds(idle, enter(idle)) == ()
    assert FIGHT.begin_turn(idle, enter(idle, reactions=0, shields=2)) == enter(idle)


PLATE = Armor(dr=2, dodge="1D4", active=Active(reactions=3, dr=2))
KNIGHT = replace(HUMAN, armor=PLATE, cubes=Cubes(blue=1))
ON = {"activate_armor": "activate"}


def test_ee60_the_armor_effect_lasts_until_the_next_turn() -> None:
    bought, _ = turn((KNIGHT, enter(KNIGHT)), (FOE, enter(FOE)), pick=ON)
    assert (bought.now.active, bought.now.reactions, bought.now.cubes) == (True, 3, Cubes())
    assert struck_by(5, KNIGHT, bought).now.vitality == 9  # 5 less 2 and 2
    assert struck_by(5, KNIGHT, struck_by(5, KNIGHT, bought)).now.vitality == 8
    fresh = FIGHT.begin_turn(KNIGHT, bought)
    assert (fresh.now.active, fresh.now.reactions) == (False, 1)
    assert struck_by(5, KNIGHT, fresh).now.vitality == 7  # 5 less 2


def test_ee60_the_armor_effect_is_bought_anew_each_turn() -> None:
    rich = replace(KNIGHT, cubes=Cubes(blue=2))
    first, _ = turn((rich, enter(rich)), (FOE, enter(FOE)), pick=ON)
    second, _ = turn((rich, first), (FOE, enter(FOE)))
    assert (second.now.active, second.now.cubes) == (False, Cubes(blue=1))
    third, _ = turn((rich, second), (FOE, enter(FOE)), pick=ON)
    assert (third.now.active, third.now.cubes) == (True, Cubes())
    begun = declared((rich, third), (FOE, enter(FOE)))
    assert walk(begun, every, 10).offered["activate_armor"] == ("no",)


# -- cubes -----------------------------------------------------------------------------------


def test_ee30_cubes_that_were_spent_stay_spent() -> None:
    barbed = bow(aim=1, features=(feature("Barbed", piercing=1),))
    archer = replace(HUMAN, attacks=(barbed,), cubes=Cubes(red=1, blue=1))
    spends = {"buy_features": "Barbed", "take_aim": "aim"}
    found = outcomes((archer, enter(archer)), (FOE, enter(FOE)), pick=spends)
    assert {mine.now.cubes for mine, _ in found} == {Cubes()}
    poor = next(iter(found))[0]
    offered = walk(declared((archer, poor), (FOE, enter(FOE))), every, 10).offered
    assert (offered["buy_features"], offered["take_aim"]) == (("none",), ("no",))
    thrifty = outcomes((archer, enter(archer)), (FOE, enter(FOE)))
    assert {mine.now.cubes for mine, _ in thrifty} == {Cubes(red=1, blue=1)}


def test_ee30_cubes_that_are_left_are_resources_by_colour() -> None:
    sheet = replace(HUMAN, cubes=Cubes(red=2, black=3))
    assert FIGHT.resources(sheet, enter(sheet)) == {"red cubes": 2, "black cubes": 3}
    left = enter(sheet, cubes=Cubes(red=1))
    assert FIGHT.resources(sheet, left) == {"red cubes": 1, "black cubes": 0}
    assert FIGHT.resources(FOE, enter(FOE)) == {}


def test_ee29_the_defender_pays_for_abilities() -> None:
    shield = feature("Shield", timing="immediate", shields=3)
    warded = replace(FOE, abilities=(shield,), cubes=Cubes(red=1))
    after = struck_by(2, warded, enter(warded), pick={"use_abilities": "Shield"})
    assert (after.now.vitality, after.now.shields, after.now.cubes) == (10, 1, Cubes())


# -- Vitality 0 ------------------------------------------------------------------------------


def at_zero(standing: Condition, damage: int = 9, **changes: Any) -> dict[Condition, Fraction]:
    foe = striker(weapon("1D6", damage))
    found = outcomes((foe, enter(foe, dict(standing.rulings.named()))), (HUMAN, standing),
                     **changes)  # fmt: skip
    return {theirs: chance for (_, theirs), chance in found.items()}


def test_ee47_an_injury_then_vitality() -> None:  # V31
    found = at_zero(enter(HUMAN, vitality=1), context=("none",))
    assert {one.now.vitality: chance for one, chance in found.items()} == {
        face: Fraction(1, 6) for face in range(1, 7)
    }
    for one in found:
        assert (one.now.injuries, one.now.taken, one.ended) == (1, True, False)
        assert not FIGHT.is_out(HUMAN, one)
        assert FIGHT.deeds(HUMAN, one) == (ATTACK,)


def test_ee49_regained_vitality_is_held_to_the_track() -> None:
    short = replace(HUMAN, vitality=4, vitality_max=4)
    foe = striker(weapon("1D6", 9))
    found = outcomes((foe, enter(foe)), (short, enter(short)))
    by_vitality = {theirs.now.vitality: chance for (_, theirs), chance in found.items()}
    assert by_vitality == {1: Fraction(1, 6), 2: Fraction(1, 6), 3: Fraction(1, 6),
                           4: Fraction(1, 2)}  # fmt: skip


def test_ee50_the_second_zero_puts_a_pc_out() -> None:  # V32, after V31
    risen = next(one for one in at_zero(enter(HUMAN), 10) if one.now.vitality == 2)
    down = struck_by(2, HUMAN, risen, context=("none",))
    assert (down.now.vitality, down.now.injuries) == (0, 1)
    assert FIGHT.is_out(HUMAN, down)
    assert FIGHT.deeds(HUMAN, down) == ()
    with pytest.raises(SetupError, match="can't act until revived"):
        declared((HUMAN, down), (FOE, enter(FOE)))


# -- revival ---------------------------------------------------------------------------------

DOWN = enter(HUMAN, vitality=0, injuries=1, fallen="incapacitated", taken=True)


def test_ee51_another_player_revives_first_then_attacks() -> None:
    start = enter(HELPER, shields=2)
    assert FIGHT.deeds(HELPER, start) == (REVIVE, ATTACK)
    found = outcomes((HELPER, start), (HUMAN, DOWN), deed="revive")
    assert {theirs.now.vitality: chance for (_, theirs), chance in found.items()} == {
        face: Fraction(1, 6) for face in range(1, 7)
    }
    for mine, theirs in found:
        assert (mine.now.cubes, mine.now.shields, mine.now.vitality) == (Cubes(), 0, 10)
        assert (theirs.now.injuries, theirs.now.fallen, theirs.ended) == (1, "", False)
        assert not FIGHT.is_out(HUMAN, theirs)
        assert FIGHT.deeds(HELPER, mine) == (ATTACK,)


def test_ee51_who_is_revived_attacks_and_falls_again() -> None:
    risen = next(two for _, two in outcomes((HELPER, enter(HELPER)), (HUMAN, DOWN), deed="revive"))
    _, hurt = turn((HUMAN, risen), (FOE, enter(FOE)))
    assert hurt.now.vitality == 8
    again = struck_by(6, HUMAN, risen)
    assert (again.now.fallen, again.now.injuries) == ("incapacitated", 1)


@pytest.mark.parametrize(
    ("rescuer", "changes"),
    [
        (replace(HELPER, cubes=Cubes(black=2, red=5)), {}),  # V34
        (replace(HELPER, cubes=Cubes(red=9, blue=9)), {}),
        (replace(HELPER, side="ally"), {}),
        (HELPER, {"cubes": Cubes(black=2)}),
    ],
)
def test_ee51_a_revival_against_the_rules_is_no_deed(
    rescuer: Fighter, changes: dict[str, Any]
) -> None:
    standing = enter(rescuer, **changes)
    assert FIGHT.deeds(rescuer, standing) == (ATTACK,)
    with pytest.raises(SetupError, match=r"black cubes|only another player"):
        declared((rescuer, standing), (HUMAN, DOWN), deed="revive")


def test_ee51_nobody_who_is_down_revives() -> None:  # V35
    own = enter(HELPER, vitality=0, injuries=1, fallen="incapacitated")
    assert FIGHT.deeds(HELPER, own) == ()
    with pytest.raises(SetupError, match="Cy is down and can't act"):
        declared((HELPER, own), (HUMAN, DOWN), deed="revive")


def test_ee51_only_a_fallen_player_character_is_revived() -> None:
    dog = replace(FOE, name="dog", side="ally")
    gone = struck_by(10, dog, enter(dog))
    for sheet, standing in ((dog, gone), (HUMAN, enter(HUMAN))):
        with pytest.raises(SetupError, match="needs no revival"):
            declared((HELPER, enter(HELPER)), (sheet, standing), deed="revive")


def test_ee51_friends_with_the_same_sheet_revive_each_other() -> None:
    fallen = enter(HELPER, vitality=0, injuries=1, fallen="incapacitated")
    found = outcomes((HELPER, enter(HELPER)), (HELPER, fallen), deed="revive")
    assert {theirs.now.fallen for _, theirs in found} == {""}


@pytest.mark.parametrize(
    ("reading", "injuries", "taken"),
    [("unchanged", 1, False), ("add", 2, True), ("remove", 0, False)],
)
def test_a16_revival_ee51_injuries_after_a_revival(
    reading: str, injuries: int, taken: bool
) -> None:
    picked = {"revival": reading}
    carried = enter(HUMAN, picked, vitality=0, injuries=1, fallen="incapacitated")
    found = outcomes((HELPER, enter(HELPER, picked)), (HUMAN, carried), deed="revive")
    assert {(two.now.injuries, two.now.taken) for _, two in found} == {(injuries, taken)}


# -- the end of the Stage --------------------------------------------------------------------


def mates(*standings: Condition) -> Around:
    found = FIGHT.context([(HUMAN, one) for one in standings])
    assert isinstance(found, Around)
    return found


CARRIED = enter(HUMAN, injuries=1)
TAKEN = enter(HUMAN, injuries=1, taken=True)


def test_ee52_the_context_is_the_injuries_of_the_other_players() -> None:
    others = [(HUMAN, TAKEN), (FOE, enter(FOE)), (HUMAN, enter(HUMAN)), (HUMAN, CARRIED)]
    assert FIGHT.context(others) == Around(("carried", "none", "taken"))
    assert FIGHT.context([]) == FIGHT.context([(FOE, enter(FOE))]) == Around()


def test_ee52_the_last_injury_ends_the_fight() -> None:  # V37
    for others in ((CARRIED,), (TAKEN,), (TAKEN, DOWN)):
        found = at_zero(enter(HUMAN), 10, context=mates(*others))
        assert {one.now.vitality for one in found} == {1, 2, 3, 4, 5, 6}
        for one in found:
            assert (one.now.injuries, one.ended, FIGHT.ends(HUMAN, one)) == (1, True, True)
        assert {FIGHT.ends(HUMAN, one) for one in others} == {None}
    assert FIGHT.over == "the Stage ends (EE-52)"


def test_ee52_alone_the_first_zero_ends_the_fight() -> None:  # V38
    assert {FIGHT.ends(HUMAN, one) for one in at_zero(enter(HUMAN), 10)} == {True}


def test_ee52_somebody_without_an_injury_keeps_the_fight_going() -> None:
    unhurt = enter(HUMAN)
    for one in at_zero(unhurt, 10, context=mates(TAKEN, unhurt)):
        assert (one.ended, FIGHT.ends(HUMAN, one)) == (False, None)
    assert FIGHT.ends(HUMAN, unhurt) is False


def test_ee52_the_end_of_the_stage_stays() -> None:
    over = next(iter(at_zero(enter(HUMAN), 10)))
    assert FIGHT.ends(HUMAN, struck_by(1, HUMAN, over)) is True
    assert FIGHT.ends(HUMAN, turn((HUMAN, over), (FOE, enter(FOE)))[0]) is True


def test_ee52_an_injury_of_this_stage_stays_one() -> None:
    assert struck_by(1, HUMAN, TAKEN).now.taken
    assert turn((HUMAN, TAKEN), (FOE, enter(FOE)))[0].now.taken
    assert mates(struck_by(1, HUMAN, TAKEN), struck_by(1, HUMAN, CARRIED)) == Around(
        ("carried", "taken")
    )


def test_ee52_others_have_no_say() -> None:
    for one in (FOE, replace(FOE, side="ally")):
        assert FIGHT.ends(one, enter(one)) is None
        assert FIGHT.ends(one, struck_by(10, one, enter(one))) is None


def test_a14_stage_ee52_who_falls_where_all_hold_an_injury_ends_the_stage() -> None:
    for others, ends in (((), True), ((CARRIED,), True), ((TAKEN, enter(HUMAN)), False)):
        down = struck_by(10, HUMAN, CARRIED, context=mates(*others))
        assert (down.now.fallen, down.ended) == ("incapacitated", ends)
        assert FIGHT.ends(HUMAN, down) is (True if ends else None)
    strict = enter(HUMAN, {"stage": "taken"}, injuries=1)
    (down,) = at_zero(strict, 10)
    assert (down.now.fallen, down.ended, FIGHT.ends(HUMAN, down)) == (
        "incapacitated", False, False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("picked", "others", "ends"),
    [
        ({"revival": "add", "stage": "taken"}, (TAKEN, TAKEN), True),
        ({"revival": "add", "stage": "taken"}, (TAKEN, CARRIED), False),
        ({"revival": "add"}, (CARRIED,), True),
        ({"revival": "add"}, (), True),
        ({"stage": "taken"}, (TAKEN,), False),
    ],
)
def test_ee51_ee52_an_injury_from_a_revival_can_be_the_last(
    picked: dict[str, str], others: tuple[Condition, ...], ends: bool
) -> None:
    down = enter(HUMAN, picked, vitality=0, injuries=1, fallen="incapacitated")
    states = tuple(
        sorted(injury_of(one.now, down.rulings) for one in others)
    )  # the mates include the one who revives
    found = outcomes((HELPER, enter(HELPER, picked)), (HUMAN, down), deed="revive", context=states)
    assert {theirs.ended for _, theirs in found} == {ends}


def test_a14_stage_ee52_only_what_was_taken_in_this_stage() -> None:
    picked = {"stage": "taken"}
    carried, taken = enter(HUMAN, picked, injuries=1), enter(HUMAN, picked, injuries=1, taken=True)
    assert {one.ended for one in at_zero(enter(HUMAN, picked), 10, context=mates(carried))} == {
        False
    }
    assert {one.ended for one in at_zero(enter(HUMAN, picked), 10, context=mates(taken))} == {True}
    assert FIGHT.ends(HUMAN, carried) is False
    assert FIGHT.ends(HUMAN, taken) is None


def test_a14_stage_ee52_an_injury_that_was_discarded_was_taken_and_is_not_held() -> None:
    for reading, state, says in (("hold", "none", False), ("taken", "taken", None)):
        healed = enter(HUMAN, {"stage": reading}, injuries=0, taken=True)
        assert mates(healed).injuries == (state,)
        assert FIGHT.ends(HUMAN, healed) is says


def test_a15_last_regain_ee47_the_stage_ends_with_the_card() -> None:
    picked = {"last_regain": "no"}
    for others, vitality in (((), {0}), ((enter(HUMAN, picked),), set(range(1, 7)))):
        found = at_zero(enter(HUMAN, picked), 10, context=mates(*others))
        assert {one.now.vitality for one in found} == vitality
        assert {one.ended for one in found} == {not others}


# -- Counters --------------------------------------------------------------------------------

COUNTERED = {"counter": "attack"}
WALL = replace(FOE, phys_def=6, attacks=(weapon("1D6", 3),))
BACK = {"offer_counter": "counter"}


def test_a18_counter_ee44_harms_whoever_attacks() -> None:
    one, other = enter(FOE, COUNTERED, vitality=8), enter(WALL, COUNTERED)
    mine, theirs = turn((FOE, one), (WALL, other), pick=BACK)
    assert (mine.now.vitality, theirs.now.vitality) == (5, 10)
    gone, _ = turn((FOE, enter(FOE, COUNTERED, vitality=3)), (WALL, other), pick=BACK)
    assert FIGHT.is_out(FOE, gone)
    pair = next(iter(walk(declared((FOE, one), (WALL, other)), settled(BACK)).effects))
    assert (FIGHT.harm(pair[0]), FIGHT.harm(pair[1])) == (3, 0)


def test_a18_counter_ee47_brings_an_injury_and_the_mates_are_asked() -> None:
    one, other = enter(HUMAN, COUNTERED, vitality=3), enter(WALL, COUNTERED)
    found = outcomes((HUMAN, one), (WALL, other), pick=BACK)
    assert {mine.now.vitality for mine, _ in found} == {1, 2, 3, 4, 5, 6}
    for mine, theirs in found:
        assert (mine.now.injuries, mine.now.taken, mine.now.fallen) == (1, True, "")
        assert FIGHT.ends(HUMAN, mine) is True
        assert not theirs.ended
    assert FIGHT.ends(HUMAN, enter(HUMAN, COUNTERED)) is False


def test_a18_counter_ee44_makes_the_attackers_vitality_matter() -> None:
    for picked, different in (({}, 1), (COUNTERED, 2)):
        starts = {
            declared((FOE, enter(FOE, picked, vitality=left)), (WALL, enter(WALL, picked)))
            for left in (3, 8)
        }
        assert len(starts) == different


# -- what exchanges look at ------------------------------------------------------------------


def test_what_makes_no_difference_is_not_in_the_facts() -> None:
    one, other = enter(HUMAN), enter(BO)
    plain = declared((HUMAN, one), (BO, other), held=UNKNOWN)
    for mine, theirs in (
        (enter(HUMAN, vitality=3), other),
        (enter(HUMAN, injuries=1, taken=True), other),
        (one, enter(BO, vitality=3)),
        (one, enter(BO, taken=True)),
        (one._replace(ended=True), other._replace(ended=True)),
    ):
        assert declared((HUMAN, mine), (BO, theirs), held=UNKNOWN) == plain
    for theirs in (enter(BO, injuries=1), enter(BO, shields=1), enter(BO, reactions=0)):
        assert declared((HUMAN, one), (BO, theirs), held=UNKNOWN) != plain


def test_the_context_matters_to_player_characters_only() -> None:
    one, other = enter(FOE), enter(HUMAN)
    starts = [
        [declared((FOE, one), two, held=UNKNOWN, context=mates) for mates in ((), ("none",))]
        for two in ((FOE, one), (HUMAN, other))
    ]
    assert starts[0][0] == starts[0][1]
    assert starts[1][0] != starts[1][1]
    cy = HELPER, enter(HELPER)
    revivals = [
        declared(cy, (HUMAN, DOWN), deed="revive", context=state) for state in ((), ("none",))
    ]
    assert revivals[0] == revivals[1]
    adds = {"revival": "add"}
    cy, down = (HELPER, enter(HELPER, adds)), (HUMAN, DOWN._replace(rulings=held_to(adds)))
    revivals = [declared(cy, down, deed="revive", context=state) for state in ((), ("none",))]
    assert revivals[0] != revivals[1]


def test_the_condition_counts_and_not_the_sheet() -> None:
    sheet = replace(HUMAN, vitality=1, shields=5, reactions=0, dodge="1D4", cubes=Cubes(black=3))
    now = enter(sheet, vitality=10, shields=0, reactions=1, cubes=Cubes())
    assert struck_by(4, sheet, now).now.vitality == 6
    begun = declared((FOE, enter(FOE)), (sheet, now))
    assert walk(begun, every, 10).offered["choose_reaction"] == ("none", "dodge")
    with pytest.raises(SetupError, match="has 0 black cubes"):
        declared((sheet, now), (HUMAN, DOWN), deed="revive")
    lying = replace(HUMAN, vitality=0, injuries=1)
    risen = enter(lying, {"fallen": "no"}, vitality=4, fallen="")
    turn((lying, risen), (FOE, enter(FOE, {"fallen": "no"})))
    assert struck_by(1, lying, risen).now.vitality == 3
    shut = enter(FOE, {"fallen": "no"})
    turn((FOE, shut), (lying, risen))
    with pytest.raises(SetupError, match="doesn't allow attacks"):
        declared((FOE, shut), (HUMAN, DOWN))


def test_a22_final_ee46_capped_damage_looks_at_vitality_where_it_is_reduced() -> None:
    picked = {"final": "capped"}
    one, other = enter(FOE, picked), enter(FOE, picked, vitality=1)
    found = walk(declared((FOE, one), (FOE, other), held=UNKNOWN), every, 1)
    assert found.looked == {"reduce_damage"}
    assert [theirs.damage for _, theirs in found.effects] == [1]
    assert walk(declared((WALL, one), (WALL, other), held=UNKNOWN), every).looked == set()


RAW = {
    section: tomllib.loads((SYSTEM.folder / "roster" / f"{section}.toml").read_text("utf-8"))
    for section in ("fighters", "weapons", "armor", "conditions")
}


def _weapon(name: str) -> dict[str, Any]:
    row = dict(RAW["weapons"][name])
    row["features"] = [
        {**one, "condition": RAW["conditions"].get(one.get("condition"))}
        for one in row.get("features", ())
    ]
    return row


def fighter(name: str) -> Fighter:
    row = dict(RAW["fighters"][name])
    row["attacks"] = [_weapon(name) for name in row.get("attacks", ())]
    if "armor" in row:
        row["armor"] = RAW["armor"][row["armor"]]
    return TypeAdapter(Fighter).validate_python(row)


ROSTER = {name: fighter(name) for name in RAW["fighters"]}
PAIRS = list(product(ROSTER, ROSTER))


def is_harmless(one: Fighter, other: Fighter) -> bool:
    """Damage Resistance takes everything, even if all dice hit."""
    return all(
        line.line.n * line.damage <= other.worn.dr and not line.piercing for line in one.attacks
    )


@pytest.mark.parametrize(("name", "opponent"), PAIRS, ids=map("-".join, PAIRS))
@pytest.mark.parametrize(
    ("rulings", "picks"),
    [({}, (settled({}), every, last)), (COUNTERED, (settled(BACK),))],
    ids=["", "countered"],
)
def test_ee46_vitality_is_looked_at_only_where_it_is_lost(
    name: str, opponent: str, rulings: dict[str, str], picks: tuple[Pick, ...]
) -> None:
    one, other = ROSTER[name], ROSTER[opponent]
    mine = enter(one, rulings)
    for left, injuries in product((1, other.left), {0, int(other.side == "pc")}):
        theirs = enter(other, rulings, vitality=left, injuries=injuries)
        known = declared((one, mine), (other, theirs))
        unknown = declared((one, mine), (other, theirs), held=UNKNOWN)
        for pick in picks:
            veiled, open_ = walk(unknown, pick, left), walk(known, pick)
            pricked = one.retaliation > 0 and rulings == COUNTERED  # who counters is hurt
            looks = pricked or not is_harmless(one, other)
            assert veiled.looked == ({"lose_vitality"} if looks else set())
            assert open_.looked == set()
            assert veiled.effects == open_.effects
            assert veiled.offered == open_.offered
            assert sum(veiled.effects.values()) == 1


def test_equal_outcomes_for_a_side_are_equal_effects() -> None:
    """Claws against claws: three ways to hit, nothing else differs, and nothing for the actor."""
    husk = ROSTER["husk"]
    found = walk(declared((husk, enter(husk)), (husk, enter(husk))), settled({})).effects
    actor = Effect(reactions=1)
    hurt = Effect(injuries=0, reactions=1)
    assert found == {
        (actor, hurt): Fraction(1, 4),
        (actor, hurt._replace(damage=1)): Fraction(1, 2),
        (actor, hurt._replace(damage=2)): Fraction(1, 4),
    }


def test_an_attacker_who_spends_nothing_suffers_the_same_whatever_the_dice() -> None:
    peaceful = [one for one in ROSTER.values() if not one.retaliation]
    for one, other in product(ROSTER.values(), peaceful):
        for left in (1, other.vitality):
            start = declared((one, enter(one)), (other, enter(other, vitality=left)))
            assert len({mine for mine, _ in walk(start, settled({})).effects}) == 1


@pytest.mark.parametrize("name", ROSTER)
def test_a_mirror_shows_the_same(name: str) -> None:
    """Two with one sheet: each turn of one is as good as that of the other, by any name."""
    one = ROSTER[name]
    other = replace(one, name="mirror")
    first = walk(declared((one, enter(one)), (other, enter(other))), every).effects
    assert walk(declared((other, enter(other)), (one, enter(one))), every).effects == first


def test_a_fight_enters_as_the_sheets_say() -> None:
    hurt = replace(ADA, vitality=4, injuries=1, injured_this_stage=True, shields=2, reactions=0)
    assert FIGHT.enter(hurt, Rulings()) == Condition(
        FighterState(vitality=4, shields=2, injuries=1, taken=True, reactions=0)
    )
    down = replace(ADA, vitality=0, injuries=1)
    assert FIGHT.is_out(down, FIGHT.enter(down, Rulings()))
    assert HINTS.hidden.part(enter(ADA)) == 10
    assert SYSTEM.fight is FIGHT


def test_whoever_has_no_attack_does_nothing() -> None:
    idle = replace(FOE, attacks=())
    assert FIGHT.deeds(idle, enter(idle)) == ()
    assert FIGHT.deeds(FOE, enter(FOE)) == (ATTACK,)


# -- retaliation -----------------------------------------------------------------------------

THORN = target(name="Thorn", retaliation=3)


def facing(sheet: Fighter, foe: Fighter, **changes: Any) -> Condition:
    return FIGHT.meets(sheet, enter(sheet, **changes), [foe])


def test_ee55_in_fights_hits_on_a_fighter_who_retaliates_hurt_the_attacker() -> None:
    one, other = striker(vitality=5), THORN
    found = outcomes((one, facing(one, other)), (other, enter(other)))
    seen = {
        (mine.now.vitality, FIGHT.is_out(one, mine), theirs.now.vitality): chance
        for (mine, theirs), chance in found.items()
    }
    assert seen == {
        (5, False, 10): Fraction(4, 9), (2, False, 8): Fraction(4, 9),
        (0, True, 6): Fraction(1, 9),
    }  # fmt: skip


def test_ee55_retaliation_brings_an_injury_and_the_mates_are_asked() -> None:
    sure = replace(HUMAN, attacks=(weapon("1D6", 1),))
    thorn = replace(THORN, phys_def=0)
    begun = facing(sure, thorn, vitality=3)
    found = outcomes((sure, begun), (thorn, enter(thorn)))
    assert {mine.now.vitality for mine, _ in found} == {1, 2, 3, 4, 5, 6}
    assert {(mine.now.injuries, FIGHT.ends(HUMAN, mine)) for mine, _ in found} == {(1, True)}
    assert FIGHT.ends(HUMAN, enter(HUMAN)) is False


def test_ee55_the_own_vitality_shows_only_to_who_may_be_hurt_by_attacking() -> None:
    plain, exposed = enter(FOE, vitality=4), facing(FOE, THORN, vitality=4)
    assert FIGHT.meets(FOE, plain, [FOE]) == plain
    visible = HINTS.hidden.visible
    assert (visible(plain).now.vitality, visible(exposed).now.vitality) == (0, 4)
    starts = {
        declared((FOE, facing(FOE, THORN, vitality=left)), (other, enter(other)))
        for left in (3, 8)
        for other in (FOE, THORN)
    }
    assert len(starts) == 3  # one against the foe who does not retaliate


def test_ee55_retaliation_against_a_counter_is_harm_to_who_countered() -> None:
    """The attack misses, the Counter hits, and the attacker retaliates: 3 damage to the target."""
    made = setup(striker(weapon("1D6", 1), retaliation=3), target(attacks=(weapon("1D6", 1),)))
    faces = Script((1, 6), ("counter",))
    session = drive(Session(game(made, {"counter": "attack"}, choose_reaction="none")), faces)
    outcome: Any = session.outcome
    assert (outcome.final, outcome.countered, outcome.returned) == (0, 1, 3)
    assert FIGHT.harm(FIGHT.effect(outcome, "target")) == 3
    assert FIGHT.harm(FIGHT.effect(outcome, "actor")) == 1
