"""From one exchange to the next: two actions a turn, what lasts, who is out, who steps in.

Exchanges are followed here by a walker of its own, dice by dice; the engines are held against it.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import Any, cast

import pytest

from affray.app.inputs.fight_fighters import fighters_of
from affray.app.inputs.fight_setups import fight_examples, load_fight
from affray.core import fight as fights
from affray.core.errors import SetupError
from affray.core.fight import ATTACK, UNKNOWN, Scene
from affray.core.node import At
from affray.core.reading import roll_of
from affray.core.unknown import Parts, filled
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import solve_exactly
from affray.engine.fight.duels.optimal import BestDuel
from affray.engine.fight.matchup import Encounter
from affray.engine.fight.plans import Plan
from affray.engine.fight.sampled.battle import Battle
from affray.systems.affinity.changes import Effect
from affray.systems.affinity.fight import FIGHT, HEAL, STABILIZE, initiative_roll
from affray.systems.affinity.hints import HINTS
from affray.systems.affinity.numbers import capacity_of
from affray.systems.affinity.sheet import Action, Boost, Combatant, Layer, Setup
from affray.systems.affinity.state import Condition, Cover, Deed, Exchange
from tests.systems.walking import FIRST, Pick, Walk, settled, walked

from .factory import (
    BLADE,
    MAUL,
    MEDIUM,
    MEND,
    ORC,
    STRIKER,
    SYSTEM,
    TARGET,
    held_to,
    striker,
    target,
)

F = Fraction
BARE = replace(STRIKER, universal=("defend",))
FOE = replace(STRIKER, name="foe", body="balanced", universal=("defend",))
GUARD = Combatant(name="guard", level=3, hd=5, hd_max=5, actions=(BLADE,), universal=("intervene",))


def walk(start: At[Exchange], pick: Pick = FIRST, held: int | None = None) -> Walk:
    """Follow every branch; where somebody looks at what is hidden, put in `held` and go on.

    Nobody has lost any, or checked Resolve.
    """

    def revealed(at: At[Exchange]) -> At[Exchange]:
        assert held is not None
        names = "hd", "lost", "checked", "stabilized"
        return At(at.step, filled(at.facts, Parts(names, (held, 0, False, False))))

    return walked(FIGHT, start, pick, None if held is None else revealed)


def enter(sheet: Combatant, rulings: Mapping[str, str] | None = None, **changes: Any) -> Condition:
    """A combatant as they enter, but for these changes of the condition."""
    condition = FIGHT.enter(sheet, held_to(rulings or {}))
    return condition._replace(now=condition.now._replace(**changes))


def declared(
    one: tuple[Combatant, Condition],
    other: tuple[Combatant, Condition],
    deed: str = "attack",
    *,
    known: bool = False,
    context: Any = (),
    **situation: Any,
) -> At[Exchange]:
    setup = Setup(attacker=one[0], defender=other[0], **situation)
    hidden = HINTS.hidden
    held: object = hidden.part(other[1]) if known else UNKNOWN
    return FIGHT.declare(Scene(
        setup, fights.Deed(deed), hidden.visible(one[1]), hidden.veiled(other[1], held), context,
        one[1].rulings,
    ))  # fmt: skip


def turn_of(sheet: Combatant, condition: Condition, *deeds: Deed) -> Condition:
    """A condition after a turn in which these deeds were done."""
    now = FIGHT.begin_turn(sheet, condition)
    for deed in deeds:
        now = FIGHT.apply(sheet, now, Effect(deed=deed))
    return now


# -- an exchange in a fight ------------------------------------------------------------------


def test_af28_the_hit_dice_of_the_target_are_never_looked_at() -> None:
    found = walk(declared((BARE, enter(BARE)), (FOE, enter(FOE))))
    assert not found.looked
    assert sum(found.effects.values()) == 1


def test_af52_they_are_where_resolve_is_checked() -> None:
    rulings = {"resolve": "core"}
    at = declared((BARE, enter(BARE, rulings)), (FOE, enter(FOE, rulings)))
    found = walk(at, held=3)
    assert found.looked == {"lose_hd"}


def test_af28_an_unknown_target_is_harmed_like_a_known_one() -> None:
    one, other = (BARE, enter(BARE)), (FOE, enter(FOE))
    assert walk(declared(one, other)).effects == walk(declared(one, other, known=True)).effects


def test_af62_a_fight_offers_no_moves() -> None:
    mover = replace(BARE, universal=("defend", "dash", "march", "disengage"))
    found = walk(declared((mover, enter(mover)), (FOE, enter(FOE))))
    assert found.offered["choose_action"] == ("blade", "defend")


def test_af7_burning_costs_hit_dice_between_exchanges() -> None:
    after = FIGHT.apply(BARE, enter(BARE), Effect(deed="attack", burned=2))
    assert after.now.hd == 1
    gone = FIGHT.apply(BARE, after, Effect(deed="attack", burned=4))
    assert FIGHT.is_out(BARE, gone)


def test_af27_layers_that_are_gone_stay_gone() -> None:
    worn = replace(FOE, layers=(MEDIUM,))
    stripped = FIGHT.apply(worn, enter(worn), Effect(lost=1, layers=()))
    assert stripped.now.layers == ()
    assert stripped.now.hd == 2
    untouched = FIGHT.apply(worn, enter(worn), Effect())
    assert untouched.now.layers == (Cover("armor", 8),)


def test_af73_a_raider_rages_as_soon_as_it_is_below_half() -> None:
    calm = FIGHT.apply(ORC, enter(ORC), Effect(lost=3))
    assert not calm.now.raging
    raging = FIGHT.apply(ORC, calm, Effect(lost=1))
    assert raging.now.raging
    assert HINTS.hidden.visible(raging) != HINTS.hidden.visible(calm)
    found = walk(declared((ORC, raging), (FOE, enter(FOE))))
    best = max(out.successes for out in found.outcomes)
    assert best == 10  # five dice


def test_af42_rush_in_a_fight_restores_and_costs_resolve() -> None:
    hurt = replace(BARE, universal=("rush",), hd=1, hd_max=3)
    found = walk(declared((hurt, enter(hurt)), (FOE, enter(FOE))),
                 settled(choose_action="rush"))  # fmt: skip
    after = {FIGHT.apply(hurt, enter(hurt), mine).now[:4] for mine, _ in found.effects}
    assert {(hd, resolve) for hd, _, _, resolve in after} == {(1, 4), (2, 4), (3, 4)}


def test_af39_rush_never_exceeds_the_most() -> None:
    whole = replace(BARE, hd=3, hd_max=3)
    after = FIGHT.apply(whole, enter(whole), Effect(deed="rush", back=2, burned=1))
    assert after.now.hd == 2  # held at three, then one burns


# -- turns -----------------------------------------------------------------------------------


def test_af62_a_turn_has_two_actions() -> None:
    now = FIGHT.begin_turn(BARE, enter(BARE))
    assert FIGHT.deeds(BARE, now) == (ATTACK,)
    now = FIGHT.apply(BARE, now, Effect(deed="attack"))
    assert FIGHT.deeds(BARE, now) == (ATTACK,)
    now = FIGHT.apply(BARE, now, Effect(deed="attack"))
    assert FIGHT.deeds(BARE, now) == ()
    assert FIGHT.actions == 2
    assert FIGHT.deeds(BARE, FIGHT.begin_turn(BARE, now)) == (ATTACK,)


def test_af40_after_defend_there_is_no_attack() -> None:
    assert FIGHT.deeds(BARE, turn_of(BARE, enter(BARE), "defend")) == ()
    rusher = replace(BARE, universal=("defend", "rush"), hd=2)
    second = turn_of(rusher, enter(rusher), "defend")
    found = walk(declared((rusher, second), (FOE, enter(FOE))))
    assert found.offered["choose_action"] == ("rush",)
    whole = enter(rusher, {"defend_cost": "turn"})
    assert FIGHT.deeds(rusher, turn_of(rusher, whole, "defend")) == ()
    action = enter(BARE, {"defend_cost": "action"})
    assert FIGHT.deeds(BARE, turn_of(BARE, action, "defend")) == (ATTACK,)


def test_af40_defend_is_closed_after_an_attack() -> None:
    second = turn_of(BARE, enter(BARE), "attack")
    found = walk(declared((BARE, second), (FOE, enter(FOE))))
    assert found.offered["choose_action"] == ("blade",)


def test_af30_afv29_defend_lasts_until_the_next_own_turn() -> None:
    now = turn_of(BARE, enter(BARE), "defend")
    for _ in range(2):  # attacked twice before the next turn
        assert now.now.defending
        now = FIGHT.apply(BARE, now, Effect(lost=1))
    now = FIGHT.end_round(BARE, now)
    assert now.now.defending
    assert not FIGHT.begin_turn(BARE, now).now.defending


def test_af30_afv29_its_dice_come_in_those_exchanges() -> None:
    braced = turn_of(FOE, enter(FOE), "defend")
    plain = walk(declared((BARE, enter(BARE)), (FOE, enter(FOE)))).effects
    harder = walk(declared((BARE, enter(BARE)), (FOE, braced))).effects
    mean = [sum(p * theirs.lost for (_, theirs), p in row.items()) for row in (plain, harder)]
    assert mean[0] > mean[1]
    over = FIGHT.begin_turn(FOE, FIGHT.end_round(FOE, braced))
    assert walk(declared((BARE, enter(BARE)), (FOE, over))).effects == plain


@pytest.mark.parametrize(("reading", "lasts"), [("next_turn", True), ("round", False)])
def test_a8b_defend_lasts_af30_to_the_next_turn_or_the_end_of_the_round(
    reading: str, lasts: bool
) -> None:
    now = turn_of(BARE, enter(BARE, {"defend_lasts": reading}), "defend")
    assert now.now.defending
    assert FIGHT.end_round(BARE, now).now.defending == lasts


def test_af63_one_expert_action_in_a_turn_where_the_reading_says_so() -> None:
    rulings = {"expert_limit": "one"}
    feat = replace(BARE, level=5, hd=11, actions=(Action(name="feat", tier="expert"), BLADE))
    opening = walk(declared((feat, enter(feat, rulings)), (FOE, enter(FOE, rulings))),
                   settled(choose_action="feat"))  # fmt: skip
    assert all(mine.expert for mine, _ in opening.effects)
    second = FIGHT.apply(feat, enter(feat, rulings), Effect(deed="attack", expert=True))
    found = walk(declared((feat, second), (FOE, enter(FOE, rulings))))
    assert "feat" not in found.offered["choose_action"]
    assert not FIGHT.begin_turn(feat, second).now.expert


def test_af1_a_budget_for_the_turn_runs_down_and_comes_back() -> None:
    rulings = {"exertion_budget": "turn"}
    veteran = replace(BARE, level=5, hd=11)
    at = declared((veteran, enter(veteran, rulings)), (FOE, enter(FOE, rulings)))
    found = walk(at, settled(choose_exertion="3"))
    assert all(mine.exerted == 3 for mine, _ in found.effects)
    spent = FIGHT.apply(veteran, enter(veteran, rulings), Effect(deed="attack", exerted=3))
    second = walk(declared((veteran, spent), (FOE, enter(FOE, rulings))))
    assert second.offered["choose_exertion"] == ("0", "1", "2")
    assert FIGHT.begin_turn(veteran, FIGHT.end_round(veteran, spent)).now.exerted == 0


def test_af41_an_intervene_draws_on_the_exertion_of_the_coming_turn() -> None:
    rulings = {"exertion_budget": "turn"}
    fresh = enter(GUARD, rulings)
    helped = FIGHT.apply(GUARD, fresh, Effect(deed="intervene", exerted=2))
    turn = FIGHT.begin_turn(GUARD, helped)
    found = walk(declared((GUARD, turn), (FOE, enter(FOE, rulings))))
    assert found.offered["choose_exertion"] == ("0", "1")  # one is left of level 3
    done = FIGHT.apply(GUARD, turn, Effect(deed="attack", exerted=1))
    (again,) = cast("Any", FIGHT.context([(GUARD, FIGHT.end_round(GUARD, done))])).guards
    assert again.cap == 2  # the next round has a budget of its own


def test_af1_without_a_budget_nothing_is_kept() -> None:
    found = walk(declared((BARE, enter(BARE)), (FOE, enter(FOE))), settled(choose_exertion="1"))
    assert all(mine.exerted == 0 for mine, _ in found.effects)


def test_af12_affinity_dice_are_spent_for_good() -> None:
    rich = replace(BARE, level=5, hd=11, affinity=2)
    found = walk(declared((rich, enter(rich)), (FOE, enter(FOE))), settled(choose_affinity="2"))
    (mine, _), *_ = found.effects
    left = FIGHT.apply(rich, enter(rich), mine)
    assert FIGHT.resources(rich, left) == {"Affinity dice": 0}
    assert HINTS.frugal(rich, enter(rich)).now.affinity == 0


# -- who is out ------------------------------------------------------------------------------


def test_af50_who_is_down_is_out() -> None:
    down = FIGHT.apply(FOE, enter(FOE), Effect(lost=7))
    assert FIGHT.is_out(FOE, down)
    assert FIGHT.vitals(FOE, down) == 0
    assert FIGHT.deeds(FOE, down) == ()
    assert FIGHT.harm(Effect(lost=7)) == 7


def test_af53_who_has_no_resolve_collapses_where_it_is_checked() -> None:
    rulings = {"resolve": "core"}
    weary = enter(FOE, rulings, resolve=1)
    assert not FIGHT.is_out(FOE, weary)
    assert FIGHT.is_out(FOE, FIGHT.apply(FOE, weary, Effect(resolve=-1, checked=True)))


@pytest.mark.parametrize(
    ("reading", "resolve", "dice"),
    [("core", 3, 3), ("core", 2, 2), ("core", 1, 2), ("later", 4, 3), ("later", 3, 2),
     ("later", 1, 1), ("off", 1, 3)],
)  # fmt: skip
def test_af32_low_resolve_takes_defense_dice_in_a_fight_too(
    reading: str, resolve: int, dice: int
) -> None:
    steady = replace(FOE, proficiency=6, resolve=9, resolve_max=9)  # capacity 3
    weary = enter(steady, {"resolve": reading}, resolve=resolve)
    at = declared((BARE, enter(BARE, {"resolve": reading})), (steady, weary))
    assert capacity_of(at.facts.terms) == dice


def test_af52_one_check_a_round_and_what_was_lost_in_it() -> None:
    rulings = {"resolve": "core"}
    hurt = FIGHT.apply(BARE, enter(BARE, rulings), Effect(lost=1))
    assert (hurt.now.checked, hurt.now.lost) == (False, 1)
    now = FIGHT.apply(BARE, hurt, Effect(lost=1, checked=True))
    assert (now.now.checked, now.now.lost) == (True, 0)
    fresh = FIGHT.end_round(BARE, now)
    assert (fresh.now.checked, fresh.now.lost) == (False, 0)


def test_af51_healing_brings_the_fallen_back() -> None:
    healer = replace(BARE, actions=(BLADE, MEND))
    assert FIGHT.deeds(healer, enter(healer)) == (HEAL, ATTACK)
    down = FIGHT.apply(FOE, enter(FOE), Effect(lost=3))
    found = walk(declared((healer, enter(healer)), (FOE, down), "heal"))
    assert {mine.deed for mine, _ in found.effects} == {"heal"}
    back = {FIGHT.apply(FOE, down, theirs).now.hd for _, theirs in found.effects}
    assert back == {0, 2, 3}  # two dice, held at three
    up = FIGHT.apply(FOE, down, Effect(back=2))
    assert not FIGHT.is_out(FOE, up)
    assert FIGHT.deeds(FOE, FIGHT.begin_turn(FOE, up)) == (ATTACK,)


def test_af45_stabilizing_is_a_deed_where_resolve_is_checked() -> None:
    carer = replace(BARE, universal=("stabilize",))
    assert FIGHT.deeds(carer, enter(carer)) == (ATTACK,)
    assert FIGHT.deeds(carer, enter(carer, {"resolve": "core"})) == (STABILIZE, ATTACK)


def test_af54_on_the_scene_at_nothing_hits_cost_resolve() -> None:
    rulings = {"resolve": "core", "at_zero": "on_scene"}
    low = FIGHT.apply(FOE, enter(FOE, rulings), Effect(lost=9, resolve=-1, checked=True))
    assert not FIGHT.is_out(FOE, low)
    next_round = FIGHT.end_round(FOE, low)
    found = walk(declared((BARE, enter(BARE, rulings)), (FOE, next_round)), held=0)
    changes = {(theirs.lost, theirs.resolve) for _, theirs in found.effects}
    assert changes == {(0, 0), (0, -1), (0, 1)}


# -- mates who step in -----------------------------------------------------------------------


def test_af41_a_mate_who_has_not_acted_is_known_to_the_exchange() -> None:
    fresh = enter(GUARD)
    found: Any = FIGHT.context([(FOE, enter(FOE)), (GUARD, fresh)])
    (guard,) = found.guards
    assert (guard.place, guard.safe, guard.cap) == (1, 2, 2)
    acted = FIGHT.begin_turn(GUARD, fresh)
    assert FIGHT.context([(GUARD, acted)]) == FIGHT.context(())
    assert FIGHT.context([(GUARD, FIGHT.end_round(GUARD, acted))]) != FIGHT.context(())


def test_af41_stepping_in_costs_the_mate_an_action_and_what_burns() -> None:
    context = FIGHT.context([(FOE, enter(FOE)), (GUARD, enter(GUARD))])
    at = declared((BARE, enter(BARE)), (FOE, enter(FOE)), context=context)
    found = walk(at, settled(ask_ally="intervene-1"))
    costs = {cost for out in found.outcomes for cost in FIGHT.helped(out)}
    assert costs == {(1, Effect(deed="intervene")), (1, Effect(deed="intervene", burned=1))}
    after = FIGHT.apply(GUARD, enter(GUARD), Effect(deed="intervene", burned=1))
    assert (after.now.hd, after.now.actions) == (4, 1)
    turn = FIGHT.begin_turn(GUARD, after)
    once = FIGHT.apply(GUARD, turn, Effect(deed="attack"))
    assert FIGHT.deeds(GUARD, turn) == (ATTACK,)
    assert FIGHT.deeds(GUARD, once) == ()


def test_af63_two_reactions_leave_no_turn() -> None:
    now = enter(GUARD)
    for _ in range(2):
        now = FIGHT.apply(GUARD, now, Effect(deed="intervene"))
    assert FIGHT.context([(GUARD, now)]) == FIGHT.context(())
    assert FIGHT.deeds(GUARD, FIGHT.begin_turn(GUARD, now)) == ()
    assert FIGHT.deeds(GUARD, FIGHT.end_round(GUARD, now)) == (ATTACK,)


def test_af41_a_mate_in_a_battle_saves_hit_dice() -> None:
    """Two guards of each other, against one striker who goes first."""

    def lost(universal: Any) -> float:
        guard: Any = replace(GUARD, universal=universal, actions=(replace(BLADE, base=1),))
        sides = (
            side("one", striker(MAUL, level=5, hd=11, hd_max=11, universal=("defend",))),
            side("other", guard, replace(guard, name="other guard"), plan=Plan("any")),
        )
        result = Battle(contest(*sides, first="one"), rounds=1).run(4_000, seed=11, workers=1)
        return result.fighters[0].dealt.value

    assert lost(("intervene",)) < lost(("defend",)) - 0.5


# -- whole fights ----------------------------------------------------------------------------


def side(name: str, *fighters: Combatant, plan: Plan | None = None) -> Side:
    made = Setup(attacker=fighters[0], defender=fighters[0], moves=False)
    return Side(name, fighters, made, plan or Plan("first"))


def contest(one: Side, other: Side, *, first: Any = "one", **rulings: str) -> Contest:
    return Contest(SYSTEM, (one, other), held_to(rulings), first=first)


@pytest.mark.parametrize("profile", ["E0", "E1", "E2", "E3", "E4", "E5"])
def test_af62_a_duel_by_hand_in_every_printing(profile: str) -> None:
    """One Hit Die each, no defense to speak of: whoever hits first wins.

    Two attacks a turn. A die of 2 or more hits for at least one; the defense of d6 cancels one
    point with 1/3; a 6 does two. By hand: a hit takes with 2/3 * 2/3 + 1/6 = 11/18; a turn
    with 1 - (7/18)^2 = 275/324; who goes first wins with (275/324) / (1 - (49/324)^2).
    """
    frail = replace(BARE, body="fragile", hd=1, hd_max=1, universal=())
    sides = side("one", frail), side("other", replace(frail, name="other"))
    fight = Contest(SYSTEM, sides, SYSTEM.readings({"profile": profile}), first="one")
    turn = 1 - F(7, 18) ** 2
    won = turn / (1 - (1 - turn) ** 2)
    assert solve_exactly(fight).won == (won, 1 - won)
    assert abs(Duel(fight).solve().won[0] - float(won)) < 1e-12


def test_af28_a_duel_agrees_with_battles() -> None:
    one, other = side("one", BARE), side("other", replace(FOE, layers=(MEDIUM,)))
    fight = contest(one, other, first="initiative")
    p = Duel(fight).solve().won[0]
    found = Battle(fight).run(20_000, seed=3, workers=1).won[0]
    assert abs(found.value - p) < 5 * sqrt(p * (1 - p) / 20_000)


def test_af40_a_small_duel_is_solved_for_both_sides() -> None:
    free = Plan("any")
    brave, foe = replace(BARE, hd=2, hd_max=2), replace(FOE, hd=2, hd_max=2)
    fight = contest(side("one", brave, plan=free), side("other", foe, plan=free))
    best = BestDuel(fight)
    won = best.solve().won
    assert 0.5 < won[0] < 1
    asked = {opening.step for opening in best.opening()}
    assert asked == {"choose_action", "choose_exertion"}
    plain = Duel(contest(side("one", brave), side("other", foe))).solve().won
    assert won != plain


@pytest.mark.parametrize(
    "rulings",
    [
        {},
        {"resolve": "core"},
        {"resolve": "later", "at_zero": "on_scene"},
        {"burn_timing": "immediate"},
        {"overwhelm": "per_die", "exertion_budget": "turn"},
    ],
    ids=str,
)
def test_af9_a_row_of_an_engine_is_what_every_branch_comes_to(rulings: dict[str, str]) -> None:
    """Every branch followed here against what engines make of the same exchange."""
    worn = replace(FOE, layers=(MEDIUM,), hd=2, hd_max=2)
    veteran = replace(BARE, level=3, hd=2, hd_max=9)
    plan = Plan("first", (("choose_exertion", ("2",)),))
    fight = contest(side("one", veteran, plan=plan), side("other", worn), **rulings)
    one, other = enter(veteran, rulings), enter(worn, rulings)
    row = fight.matchup(0, veteran, worn).odds(Encounter(ATTACK, one, other, ()))
    assert row is not None
    found: dict[object, Fraction] = {}
    for pair, weight in zip(row.effects, row.weights, strict=True):
        found[pair] = found.get(pair, F(0)) + F(weight, row.total)
    at = declared((veteran, one), (worn, other), known=True, moves=False)
    assert found == walk(at, settled(choose_exertion="2")).effects


def _ties(reading: str, **sheet: Any) -> Fraction:
    """How likely two alike are equal in initiative, so that it is rolled off."""
    pool, read = initiative_roll(replace(BARE, **sheet), SYSTEM.readings({"initiative": reading}))
    roll = roll_of(pool, read)
    return F(sum(ways * ways for _, ways in roll.rows), roll.total**2)


def _successes(faces: tuple[int, ...]) -> tuple[int, int]:
    return sum(2 if face == 6 else face >= 2 for face in faces), max(faces)


def test_af60_afo14_initiative_is_three_dice_and_the_higher_one_breaks_ties() -> None:
    assert _ties("sum") == F(79, 1944)


def test_af61_other_readings_of_initiative_reach_a_fight() -> None:
    assert BARE.prof == 1
    assert _ties("proficiency") == F(1, 6)
    every = Counter(map(_successes, product(range(1, 7), repeat=3)))
    assert _ties("successes") == F(sum(n * n for n in every.values()), 6**6)


def test_af61_who_is_surprised_rolls_fewer_dice() -> None:
    """A single die against another one is a tie in 1 of 6."""
    assert _ties("sum", surprised=1) == F(1, 6)


def test_af50_an_action_towards_the_dead_is_refused() -> None:
    dead = enter(FOE, hd=0, down=True, resolve=-5)
    with pytest.raises(SetupError, match="foe is dead"):
        declared((BARE, enter(BARE)), (FOE, dead), "heal")


# -- what is shipped -------------------------------------------------------------------------


def test_every_fighter_of_the_roster_can_fight() -> None:
    armed, unarmed = fighters_of(SYSTEM)
    assert not unarmed
    assert {"fighter", "orc_raider", "shield_sergeant", "grave_lord"} <= set(armed)


@pytest.mark.parametrize("name", ["raid", "novices", "marsh"])
def test_shipped_fights_load(name: str) -> None:
    assert name in fight_examples(SYSTEM)
    loaded = load_fight("affinity", name)
    assert loaded.title


def test_af74_an_ally_close_to_the_target_is_part_of_the_situation() -> None:
    hound = Combatant(
        name="hound", hd=4, hd_max=4, universal=(), actions=(Action(name="jaws", pool=2, base=2),),
        boosts=(Boost(when="ally_near", amount=1),),
    )  # fmt: skip
    start = (hound, enter(hound)), (TARGET, enter(TARGET))
    alone, together = walk(declared(*start)), walk(declared(*start, ally_near=True))
    assert max(out.successes for out in alone.outcomes) == 4
    assert max(out.successes for out in together.outcomes) == 6


@pytest.mark.parametrize(
    ("rulings", "suffered", "hd", "down"),
    [
        ({}, Effect(lost=2), 0, True),
        ({}, Effect(lost=1), 1, False),
        ({"resolve": "core"}, Effect(lost=1, resolve=-5), 1, False),  # collapsed, not down
        ({"resolve": "core"}, Effect(lost=2, resolve=-1), 0, True),
    ],
)
def test_af50_down_is_who_has_no_hit_dice_left(
    rulings: dict[str, str], suffered: Effect, hd: int, down: bool
) -> None:
    two = replace(BARE, hd=2, hd_max=2)
    now = FIGHT.apply(two, enter(two, rulings), suffered).now
    assert (now.hd, now.down) == (hd, down)


def test_af22_layers_of_a_target_that_is_down_are_still_there() -> None:
    worn = target(MEDIUM, Layer(kind="magical", die=12), universal=("defend",))
    out = FIGHT.apply(worn, enter(worn), Effect(lost=9, layers=(Cover("armor", 8),)))
    assert out.now.layers == (Cover("armor", 8),)
