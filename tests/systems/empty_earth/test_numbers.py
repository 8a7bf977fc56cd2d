"""Every number of an attack before its roll, added up by hand."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

import pytest

from affray.core.fight import ATTACK, Deed, Scene
from affray.core.modifier import Modifier
from affray.core.node import Choice
from affray.core.ruling import Rulings
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Script, drive
from affray.systems.empty_earth.fight import FIGHT, REVIVE, Around, Effect
from affray.systems.empty_earth.gear import Active, Armor, DiceLine
from affray.systems.empty_earth.hints import HINTS
from affray.systems.empty_earth.numbers import (
    band_of,
    defense_total,
    die_total,
    parry_band,
    purse,
    reaction_dice,
    settle,
    uses_of,
)
from affray.systems.empty_earth.reading import Band
from affray.systems.empty_earth.rulings import DODGE_DICE, FOCUS_COST, RESET, STAGE
from affray.systems.empty_earth.sheet import Affliction, Cubes, Fighter, Injured, Setup
from affray.systems.empty_earth.standing import (
    condition_of,
    counts_as_injured,
    injury_of,
    refreshed,
    swapped,
)
from affray.systems.empty_earth.state import (
    AttackDice,
    Condition,
    DodgeDice,
    Exchange,
    FighterState,
    Hit,
    Plan,
    PostRoll,
    Target,
    Terms,
)

from .factory import SYSTEM, feature, game, play, setup, striker, target, weapon

BARB = feature("Barb", each_die=1, damage=1, piercing=2, focus=(2,), rerolls=1, condition="Bled")
LATE = feature("Late", timing="post_roll", each_die=2, focus=(1, 3))
TRIP = feature("Trip", timing="on_hit", damage=1)
QUICK = feature("Quick", timing="immediate", each_die=1, sweeps=1)
WARD = feature(
    "Ward", timing="immediate", defence=2, dr=1, each_die=1, focus=(1,), rerolls=2, sweeps=1
)
WISE = feature("Wise", timing="immediate", defence=5, dr=7, each_die=3, rerolls=1, sweeps=1)

BOW = weapon(
    "2D6+1", 2, piercing=1, reach="ranged", range_zones=1, aim=2,
    features=(BARB, LATE, TRIP, QUICK), unmodified=6, unmodified_must_hit=True,
)  # fmt: skip
ARCHER = striker(BOW, rerolls=3, sweeps=1, focus=(1,), cubes=Cubes(red=4, blue=3, black=2))
CARD = Armor(
    phys_def=5, ess_def=1, per_tactics=1, per_intuition=3, dr=2, dodge="2D4+1", center="1D6",
    active=Active(reactions=2, dr=3),
)  # fmt: skip
WORN = Fighter(
    name="Ada", side="pc", armor=CARD, tactics=2, intuition=1, vitality=8, vitality_max=12,
    reduction=4, retaliation=2, abilities=(WARD, WISE), rerolls=1, sweeps=2, focus=(2,),
    cubes=Cubes(red=1, blue=1), armor_active=True,
)  # fmt: skip
MADE = setup(
    ARCHER, WORN, distance_zones=1, hostile_in_own_zone=2, other_pcs=("carried", "taken")
)  # fmt: skip
PLAN = Plan(reaction="dodge", abilities=("Ward",), bought=("Quick", "Barb"), aims=1)


def settled(made: Setup = MADE, plan: Plan = PLAN, picks: dict[str, str] | None = None) -> Terms:
    rulings = Rulings.pick(SYSTEM.rulings, picks or {})
    by = condition_of(made.attacker)
    return settle(Terms(rulings=rulings, setup=made, striker=by), condition_of(made.defender), plan)


def test_ee30_every_number_of_an_attack_is_added_up() -> None:
    """2D6+1, Aim 2, Barb and Quick 1 each, -1 for the crowd: +4; the defense is 5 + 2 + 2 = 9.

    Post-roll effects can still raise a die by 1 + 2 (Focus) and 2 + 1 + 3 (Late); Dodge dice of
    2D4+2 with Focus 2 and 1 come to 2 x 6 + 3 at most.
    """
    found = settled()
    assert found == Terms(
        rulings=found.rulings,
        setup=MADE,  # who retaliates is still asked for their sheet
        left=0,
        striker=condition_of(ARCHER)._replace(cubes=Cubes(red=2, blue=2, black=2)),
        struck=condition_of(WORN),
        attack=AttackDice(
            n=2, sides=6, printed=1, aim=2, extra=2, crowd=-1, shift=4 - 9,
            low=9 - 4 - 9,  # the best that effects do is 9
            high=9 - 4 + 15 + 1, unmodified=6, unmodified_to=6, must_hit=True,
        ),
        dodge=DodgeDice(n=2, sides=4, each=2, cap=2 * (6 + 4 + 9 - 9)),
        hit=Hit(damage=3, piercing=3, conditions=(Affliction(name="Bled"),)),
        target=Target(
            defense=9, dr=2 + 3 + 1, reduction=0, retaliation=2, most=12, is_pc=True, last=True
        ),
        post_roll=(
            PostRoll("attacker", on_attack=True, rerolls=4, sweeps=2, focus=(1, 2), uses=2,
                     buys=True),
            PostRoll("defender", on_attack=False, rerolls=3, sweeps=3, focus=(1, 2), uses=2),
        ),
        later=(LATE, TRIP),
    )  # fmt: skip
    assert band_of(found.attack) == Band(-4, 21, 6, 6)
    assert parry_band(found.dodge) == Band(3, 20)
    total = die_total(found.attack)
    assert total.base == Modifier("printed on the attack", 1, "EE-37")
    assert [(row.label, row.value) for row in total.terms] == [
        ("Aim", 2), ("features", 2), ("hostile in own Zone", -1),
    ]  # fmt: skip
    assert total.value == 4


@pytest.mark.parametrize(
    ("picks", "wanted"),
    [
        ({"crowd": "one_die"}, {
            "attack.crowd": -1, "attack.shift": -4, "attack.picks_crowded": True,
            "attack.low": -5, "attack.high": 9 - 5 + 15 + 2, "hit.crowded": False,
            "dodge.cap": 2 * (6 + 5 + 9 - 9),
        }),
        ({"crowd": "damage"}, {
            "attack.crowd": 0, "attack.shift": -4, "attack.picks_crowded": False,
            "attack.low": -5, "attack.high": 9 - 5 + 15 + 1, "hit.crowded": True,
        }),
        ({"reduction": "apart"}, {"target.reduction": 4, "target.dr": 6}),
        ({"dodge": "per_die"}, {"dodge.spread": "per_die", "dodge.cap": 10}),
        ({"dodge": "all"}, {"dodge.spread": "all", "dodge.cap": 10}),
        ({"counter": "attack"}, {"setup": MADE}),
        ({"dodge_dice": "attribute"}, {"dodge.n": 2, "dodge.sides": 4, "dodge.each": 2}),
        ({"dodge_focus": "attack_only"}, {"attack.high": 9 - 4 + 12 + 1}),
        ({"stage": "taken"}, {"target.last": False}),
    ],
)  # fmt: skip
def test_ee30_a_reading_changes_its_own_numbers(
    picks: dict[str, str], wanted: dict[str, Any]
) -> None:
    found = settled(picks=picks)
    assert {name: attrgetter(name)(found) for name in wanted} == wanted
    plain = settled()
    for name in (
        "hit.damage", "hit.piercing", "target.defense", "attack.n", "later", "target.most",
        "target.is_pc", "attack.aim",
    ):  # fmt: skip
        assert attrgetter(name)(found) == attrgetter(name)(plain), name


def test_ee34_the_defender_may_come_first_and_pays_for_focus() -> None:
    first = settled(picks={"post_roll": "defender"}).post_roll
    assert [post_roll.actor for post_roll in first] == ["defender", "attacker"]
    mine, yours = settled(picks={"focus_cost": "blue"}).post_roll
    assert (mine.focus, mine.uses) == ((1, 2), 2)  # two blue cubes are left after the Aim
    assert (yours.focus, yours.uses) == ((1, 2), 1)
    _, bare = settled(picks={"dodge_focus": "attack_only"}).post_roll
    assert (bare.focus, bare.uses, bare.rerolls) == ((), 0, 3)


def test_ee39_a_dodge_below_zero_keeps_dice_that_miss() -> None:
    """1D4-3 and 2D4-3: a die may be worth -2, or two of them -4."""
    clumsy = replace(WORN, armor=replace(CARD, dodge="2D4-3"), abilities=())
    plan = PLAN._replace(abilities=())
    zero, adds = (
        settled(setup_of(clumsy), plan).attack,
        settled(setup_of(clumsy), plan, ADDS).attack,
    )
    assert (zero.keeps_misses, zero.low) == (False, 7 - 4 - 9)
    assert (adds.keeps_misses, adds.low) == (True, 7 - 4 - 9 - 4)
    assert zero.high == 7 - 4 + 2 * 1 + 2 + 1  # and Focus 2
    edge = replace(clumsy, armor=replace(CARD, dodge="2D4-1"))
    assert settled(setup_of(edge), plan, ADDS).attack.keeps_misses is False
    worse = replace(clumsy, armor=replace(CARD, dodge="2D4-9"), focus=())
    assert settled(setup_of(worse), plan).attack.high == 7 - 4 + 0 + 1


ADDS = {"negative": "adds"}


def setup_of(defender: Fighter) -> Setup:
    return replace(MADE, defender=defender)


def test_ee33_the_wrong_reaction_and_none_at_all_roll_no_dice() -> None:
    for reaction in ("center", "none"):
        found = settled(plan=PLAN._replace(reaction=reaction))
        assert (found.dodge.n, found.dodge.sides, found.dodge.each) == (0, 0, 0)
        assert [post_roll.on_attack for post_roll in found.post_roll] == [True]
        assert found.attack.high == 9 - 4 + 0 + 1


def test_ee34_a_side_without_effects_has_no_turn() -> None:
    plain = replace(MADE, attacker=striker(weapon()), distance_zones=0)
    assert settled(plain, Plan()).post_roll == ()
    found = settled(plain, Plan())
    dice = found.attack
    assert (dice.crowd, dice.shift, dice.low, dice.high) == (0, -7, 7, 8)
    assert found.target.dr == 5
    assert found.dodge.cap == 0  # 6 is below 7: no die can land


def test_ee6_the_defence_is_itemised() -> None:
    physical = defense_total(MADE, PLAN, condition_of(WORN))
    assert (physical.base.label, physical.base.value) == ("Physical Defense", 5)
    assert [(row.label, row.value) for row in physical.terms] == [("Tactics", 2), ("Ward", 2)]
    mind = replace(MADE, attacker=striker(replace(BOW, kind="essential")))
    essential = defense_total(mind, PLAN._replace(abilities=("Ward", "Wise")), condition_of(WORN))
    assert (essential.base.label, essential.base.value) == ("Essential Defense", 1)
    assert [(row.label, row.value) for row in essential.terms] == [
        ("Intuition", 3), ("Ward", 2), ("Wise", 5),
    ]  # fmt: skip


def test_ee33_dice_of_a_reaction_by_the_card_or_by_the_attribute() -> None:
    printed, attribute = Rulings(), Rulings({DODGE_DICE: "attribute"})
    assert reaction_dice(WORN, "dodge", printed) == DiceLine(2, 4, 1)
    assert reaction_dice(WORN, "center", printed) == DiceLine(1, 6, 0)
    quick = replace(WORN, tactics=3, intuition=2)
    assert reaction_dice(quick, "dodge", attribute) == DiceLine(3, 4, 1)
    assert reaction_dice(quick, "center", attribute) == DiceLine(2, 6, 0)
    bare = Fighter(tactics=3, intuition=2)
    assert reaction_dice(bare, "dodge", attribute) == DiceLine(0, 0, 0)  # no dice, no Dodge


def test_ee30_what_was_bought_is_off_the_purse() -> None:
    terms = Terms(rulings=Rulings(), setup=MADE, striker=condition_of(ARCHER))
    assert purse(terms, Plan()) == ARCHER.cubes
    assert purse(terms, PLAN._replace(aims=3)) == Cubes(red=2, blue=0, black=2)


def test_ee36_focus_is_used_as_often_as_blue_cubes_pay() -> None:
    paid = Rulings({FOCUS_COST: "blue"})
    cubes = Cubes(red=5, blue=1, black=5)
    assert [uses_of((1,) * n, cubes, paid) for n in range(3)] == [0, 1, 1]
    assert [uses_of((1,) * n, cubes, Rulings()) for n in range(3)] == [0, 1, 2]


def test_ee26_ee60_ee61_a_turn_begins_anew() -> None:
    worn = FighterState(5, 3, 1, True, "", 0, True, Cubes(red=1))
    fresh = worn._replace(shields=0, reactions=1, active=False)
    never = Rulings({RESET: "never"})
    assert refreshed(WORN, worn, Rulings()) == fresh
    assert refreshed(WORN, worn, never) == fresh  # a player character's go all the same
    for side in ("enemy", "ally"):
        other = Fighter(side=side)
        assert refreshed(other, worn, never) == fresh._replace(shields=3)
        assert refreshed(other, worn, Rulings()) == fresh


def test_ee44_a_counter_is_the_same_situation_the_other_way_round() -> None:
    made = replace(
        MADE, attacks=3, turn_between=True, new_turn="defender", hostile_near_defender=1,
        distance_through_openings=2, line_of_sight="touches",
    )  # fmt: skip
    back = swapped(made)
    assert back == replace(
        made, attacker=WORN, defender=ARCHER, attacks=1, turn_between=False, new_turn="none",
        hostile_in_own_zone=1, hostile_near_defender=2,
    )  # fmt: skip


def test_ee52_an_injury_counts_as_the_reading_says() -> None:
    hold, taken = Rulings(), Rulings({STAGE: "taken"})
    for injuries, drawn, held_as, taken_as in (
        (0, False, "none", "none"),
        (1, False, "carried", "carried"),
        (2, True, "taken", "taken"),
        (0, True, "none", "taken"),  # discarded again
    ):
        now = FighterState(5, injuries=injuries, taken=drawn)
        assert (injury_of(now, hold), injury_of(now, taken)) == (held_as, taken_as)
    states: Sequence[Any] = ("none", "carried", "taken")
    assert [counts_as_injured(state, hold) for state in states] == [False, True, True]
    assert [counts_as_injured(state, taken) for state in states] == [False, False, True]


def test_ee52_the_stage_hangs_on_every_other_player() -> None:
    rows: Sequence[tuple[tuple[Injured, ...], bool]] = (
        ((), True),
        (("taken",), True),
        (("carried", "none"), False),
        (("none",), False),
    )
    for others, last in rows:
        assert settled(replace(MADE, other_pcs=others)).target.last is last


def test_ee1_a_sheet_comes_to_the_condition_that_it_tells() -> None:
    full = replace(WORN, vitality=7, shields=3, injuries=2, injured_this_stage=True, reactions=0)
    assert condition_of(full) == FighterState(
        7, 3, 2, True, "", 0, True, Cubes(red=1, blue=1)
    )  # fmt: skip
    assert condition_of(replace(full, vitality=0)).fallen == "incapacitated"
    assert condition_of(target()) == FighterState(10, reactions=1)


# -- what everything costs -------------------------------------------------------------------


def spent(session: Session) -> dict[str, dict[str, int]]:
    """Of every choice of a session: what each option costs, by step."""
    found = {}
    for entry in session.steps_taken:
        node = entry.at.step.rule(entry.at.facts)
        if isinstance(node, Choice):
            found[entry.at.step.name] = {option.name: option.spends for option in node.options}
    return found


def test_ee30_every_option_tells_what_it_costs() -> None:
    rich = striker(
        weapon("1D6", aim=1, features=(
            feature("Quick", timing="immediate", red=2, each_die=1),
            feature("Barb", red=1, blue=1, damage=1),
            feature("Late", timing="post_roll", red=1, each_die=1),
            feature("Trip", timing="on_hit", red=1, condition="Prone"),
            feature("Maim", timing="on_damage", red=1, blue=1, condition="Bled"),
        )),
        focus=(1, 1), cubes=Cubes(red=9, blue=9),
    )  # fmt: skip
    able = target(
        dodge="1D2", abilities=(feature("Ward", timing="immediate", red=1, blue=2, dr=1),),
        cubes=Cubes(red=3, blue=5), rerolls=1, focus=(1,),
    )  # fmt: skip
    made = setup(rich, able, new_turn="attacker")
    start = game(made, {"dodge_dice": "cube", "focus_cost": "blue", "aim": "each_cube"})
    answers = (
        "none", "dodge", "Ward", "Barb", "aim-2", "Late", "pass", "pass", "Trip", "none",
    )  # fmt: skip
    session = drive(Session(start), Script((5, 1), answers))
    costs = spent(session)
    assert costs["buy_immediate"] == {"none": 0, "Quick": 2}
    assert costs["choose_reaction"] == {"none": 0, "dodge": 1}
    assert costs["use_abilities"] == {"none": 0, "Ward": 3}
    assert costs["buy_features"] == {"none": 0, "Barb": 2}
    assert costs["take_aim"] == {"no": 0, "aim": 1} | {f"aim-{n}": n for n in range(2, 9)}
    assert costs["buy_after_roll"] == {"none": 0, "Late": 1}
    assert {name: n for name, n in costs["adjust_attack"].items() if n} == {"focus-1-on-5": 1}
    assert costs["adjust_attack"]["pass"] == 0
    assert costs["adjust_dodge"] == {"pass": 0, "reroll-1": 0, "focus-1-on-1": 1}
    assert costs["buy_on_hit"] == {"none": 0, "Trip": 1}
    assert costs["buy_on_damage"] == {"none": 0, "Maim": 2}
    assert session.outcome is not None


def test_ee5_ee44_ee60_lines_cost_nothing_and_counters_and_armor_a_cube() -> None:
    two = striker(weapon("1D6"), weapon("1D4", name="dirk"), cubes=Cubes(blue=1),
                  armor=Armor(active=Active(dr=1)))  # fmt: skip
    able = target(attacks=(weapon("1D6"),), cubes=Cubes(red=1))
    made = setup(two, able, new_turn="attacker")
    session = drive(
        Session(game(made, {"counter": "paid"})), Script((1, 1), ("activate", "dirk", "counter"))
    )
    costs = spent(session)
    assert costs["activate_armor"] == {"no": 0, "activate": 1}
    assert costs["declare_attack"] == {"club": 0, "dirk": 0}
    assert costs["offer_counter"] == {"no": 0, "counter": 1}
    free = drive(
        Session(game(made, {"counter": "attack"})), Script((1, 1), ("no", "club", "counter"))
    )
    assert spent(free)["offer_counter"] == {"no": 0, "counter": 0}


# -- fights ----------------------------------------------------------------------------------

ADA = Fighter(
    name="Ada", side="pc", attacks=(weapon(),), vitality=7, vitality_max=12, shields=2,
    cubes=Cubes(red=1, black=3), reactions=1,
)  # fmt: skip


def standing(sheet: Fighter, picks: dict[str, str] | None = None, **changes: Any) -> Condition:
    found = FIGHT.enter(sheet, Rulings.pick(SYSTEM.rulings, picks or {}))
    return found._replace(now=found.now._replace(**changes))


def test_ee46_every_part_of_what_was_suffered_stands() -> None:
    before = standing(ADA)
    spent = Cubes(blue=1)
    after = FIGHT.apply(ADA, before, Effect(
        damage=3, injuries=2, taken=True, ended=True, shields=1, fallen="incapacitated",
        reactions=4, active=True, cubes=spent,
    ))  # fmt: skip
    assert after == before._replace(
        now=FighterState(4, 1, 2, True, "incapacitated", 4, True, spent), ended=True
    )
    back = FIGHT.apply(ADA, before, Effect(damage=9, vitality=5)).now
    assert (back.vitality, back.injuries, back.taken) == (5, 0, False)
    low = FIGHT.apply(ADA, standing(ADA, injuries=1, taken=True), Effect(damage=9)).now
    assert (low.vitality, low.injuries, low.taken) == (0, 1, True)
    gone = FIGHT.apply(ADA, before, Effect(damage=9, fallen="defeated", cubes=spent, shields=3))
    assert gone == Condition(FighterState(fallen="defeated", cubes=spent), rulings=before.rulings)
    stays = FIGHT.apply(ADA, before._replace(ended=True), Effect())
    assert stays.ended


def test_ee46_an_exchange_shows_what_it_can_look_at() -> None:
    hidden = HINTS.hidden.visible(standing(ADA, injuries=1, taken=True)._replace(ended=True))
    assert hidden == standing(ADA, vitality=0, injuries=1, taken=False)
    seen = HINTS.hidden.visible(standing(ADA, {"counter": "attack"}, taken=True))
    assert seen == standing(ADA, {"counter": "attack"}, taken=False)
    assert HINTS.hidden.part(standing(ADA)) == 7


def in_turn(picks: dict[str, str], deed: str = "attack", side: Any = "pc") -> Exchange:
    bo = replace(ADA, name="Bo", side=side, injuries=int(deed == "revive"))
    mine = standing(ADA, picks)
    down: dict[str, Any] = {"vitality": 0, "fallen": "incapacitated"}
    theirs = standing(bo, picks, **(down if deed == "revive" else {"vitality": 5}))
    made = Setup(attacker=ADA, defender=bo, attacks=3, turn_between=True, new_turn="defender")
    scene = Scene(made, Deed(deed), mine, theirs, Around(("none",)), mine.rulings)
    return FIGHT.declare(scene).facts


def test_ee2_a_turn_of_a_fight_is_one_deed_of_the_attacker() -> None:
    x = in_turn({})
    found = x.terms.declared
    assert (found.act, found.attacks, found.new_turn, found.turn_between, found.other_pcs) == (
        "attack", 1, "attacker", False, ("none",),
    )  # fmt: skip
    assert (x.terms.left, x.terms.striker.vitality, x.terms.striker.injuries) == (0, 0, 0)
    assert x.defending.vitality == 5
    answered = in_turn({"counter": "paid"})
    assert answered.terms.striker.vitality == 7
    assert in_turn({}, side="enemy").terms.declared.other_pcs == ()
    revival = in_turn({}, "revive").terms.declared
    assert (revival.act, revival.other_pcs) == ("revive", ())


def test_ee51_what_one_can_do_in_a_turn() -> None:
    poor = replace(ADA, cubes=Cubes(black=2, red=9))
    for sheet, changes, deeds in (
        (ADA, {}, (REVIVE, ATTACK)),
        (poor, {}, (ATTACK,)),
        (replace(ADA, attacks=()), {}, (REVIVE,)),
        (replace(poor, attacks=()), {}, ()),
        (replace(ADA, side="ally"), {}, (ATTACK,)),
        (ADA, {"fallen": "incapacitated"}, ()),
    ):
        kept: dict[str, Any] = {**changes}
        one = standing(sheet, **kept)
        assert FIGHT.deeds(sheet, one) == deeds
        assert FIGHT.is_out(sheet, one) is bool(changes)


def test_ee52_who_ends_the_stage() -> None:
    foe = replace(ADA, side="enemy")
    assert FIGHT.ends is not None
    assert FIGHT.ends(foe, standing(foe)) is None
    for picks, changes, ends in (
        ({}, {}, False),
        ({}, {"injuries": 1}, None),
        ({"stage": "taken"}, {"injuries": 1}, False),
        ({"stage": "taken"}, {"injuries": 1, "taken": True}, None),
    ):
        one = standing(ADA, picks, **changes)
        assert FIGHT.ends(ADA, one) is ends
        assert FIGHT.ends(ADA, one._replace(ended=True)) is True


def test_ee52_the_context_is_what_the_other_players_carry() -> None:
    foe = replace(ADA, side="enemy")
    assert FIGHT.context is not None
    rows = [(ADA, standing(ADA, injuries=1, taken=True)), (foe, standing(foe)),
            (ADA, standing(ADA)), (ADA, standing(ADA, injuries=1))]  # fmt: skip
    assert FIGHT.context(rows) == Around(("carried", "none", "taken"))


def test_ee61_a_turn_changes_nothing_where_there_is_nothing_to_change() -> None:
    fresh = standing(ADA, shields=0)
    assert FIGHT.begin_turn is not None
    assert FIGHT.begin_turn(ADA, fresh) is fresh
    assert FIGHT.begin_turn(ADA, standing(ADA, reactions=0, active=True)) == fresh


# -- Injuries and revivals -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reading", "injuries", "taken"), [("unchanged", 2, False), ("add", 3, True),
                                       ("remove", 1, False)],
)  # fmt: skip
def test_ee51_a_revival_takes_three_black_cubes(reading: str, injuries: int, taken: bool) -> None:
    down = replace(ADA, name="Bo", vitality=0, injuries=2, cubes=Cubes())
    rich = replace(ADA, cubes=Cubes(red=1, blue=1, black=4))
    done = play(game(setup(rich, down, act="revive"), {"revival": reading}), 4)
    assert (done["vitality"], done["injuries"], done["injured_this_stage"]) == (4, injuries, taken)
    assert (done["attacker_black_cubes"], done["cubes"]) == (1, 3)
    assert (done["incapacitated"], done["stage_ended"], done["downed"]) == (False, False, False)
    short = replace(down, vitality_max=3)
    assert play(game(setup(rich, short, act="revive")), 6)["vitality"] == 3


def test_ee43_a_row_adds_up_everything_that_was_done() -> None:
    sharp = weapon("1D6", 2, piercing=1, unmodified=6)
    made = setup(sharp, target(vitality_max=50, retaliation=3, dr=1), attacks=3)
    done = play(game(made), 6, 1, 5)
    assert {name: done[name] for name in (
        "hits", "regular", "piercing", "damage", "unmodified", "retaliation", "on_hit",
        "attacker_vitality", "on_damage", "counter", "vitality", "downed",
    )} == {
        "hits": 2, "regular": 4, "piercing": 2, "damage": 4, "unmodified": 1, "retaliation": 6,
        "attacker_vitality": 4,
        "on_hit": True, "on_damage": True, "counter": True, "vitality": 46, "downed": False,
    }  # fmt: skip
    last = play(game(made), 1, 1, 1)
    assert (last["on_hit"], last["on_damage"], last["counter"], last["hits"]) == (
        False, False, True, 0,
    )  # fmt: skip
    sure = play(game(made), 5, 5, 5)
    assert (sure["counter"], sure["on_hit"], sure["hits"]) == (False, True, 3)
    stopped = play(game(setup(sharp, target(vitality=3), attacks=3)), 5)
    assert (stopped["downed"], stopped["defeated"], stopped["hits"]) == (True, True, 1)
