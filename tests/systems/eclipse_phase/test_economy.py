"""Whole turns (H-4): quick actions, split moves, and what pools buy when everybody has acted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

import pytest

from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Deed, Scene
from affray.core.node import At, Choice, Facts
from affray.core.ruling import Rulings
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Session
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.course import FighterId
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import solve_exactly
from affray.engine.fight.plans import Plan
from affray.engine.fight.played.play import play_battle
from affray.engine.fight.played.session import FightSession
from affray.engine.fight.sampled.battle import Battle
from affray.systems.eclipse_phase.condition import Condition
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.scenes import (
    AGAIN,
    RELOAD,
)
from affray.systems.eclipse_phase.sheet import Combatant, Setup
from affray.systems.eclipse_phase.state import Exchange

from .factory import (
    BLADE,
    BY_ATTACKS,
    QUIET,
    SYSTEM,
    blade,
    blow,
    pistol,
    play,
    shooter,
    shot,
    victim,
)

F = Fraction
RULED = {"turns": "actions"}
WHOLE = Rulings.pick(SYSTEM.rulings, RULED)
GUNNER = shooter(weapons=(pistol(),), vigor=2)
PREY = victim()


def enter(sheet: Combatant, **changes: Any) -> Condition:
    return FIGHT.enter(sheet, WHOLE)._replace(**changes)


def begun(
    sheet: Combatant,
    now: Condition | None = None,
    deed: Deed = ATTACK,
    rulings: Rulings = WHOLE,
    **situation: Any,
) -> At[Exchange]:
    """A turn as engines declare it, against a victim."""
    setup = replace(shot(attacker=sheet, defender=PREY), weapon=None, **situation)
    here = enter(sheet) if now is None else now
    return FIGHT.declare(Scene(setup, deed, here, enter(PREY), None, rulings))


PLAIN = {
    **QUIET, "choose_quick": ("none",), "choose_move": ("stay",),
    "choose_action": ("attack", "full defense"),
    "declare_attack": ("pistol", "blade", "rifle", "stab"),
}  # fmt: skip


def turn(at: At[Exchange], done: Mapping[str, str]) -> Game:
    """A turn with every choice settled."""
    chosen = {**PLAIN, **{step: (name,) for step, name in done.items()}}
    return Game(SYSTEM, cast("At[Facts]", at)).settle(chosen)


def after(
    at: At[Exchange], sheet: Combatant, now: Condition, *faces: int, **done: str
) -> Condition:
    outcome = play(turn(at, done), *faces)
    return FIGHT.apply(sheet, now, FIGHT.effect(outcome, "actor"))


def place_of(at: At[Exchange], step: str, done: Mapping[str, str]) -> At[Any]:
    session = Session(turn(at, done))
    return next(entry.at for entry in session.steps_taken if entry.at.step.name == step)


def choice_at(at: At[Exchange], step: str, done: Mapping[str, str]) -> Choice[Any]:
    met = place_of(at, step, done)
    choice = met.step(met.facts)
    assert isinstance(choice, Choice)
    return choice


def options(at: At[Exchange], step: str, **done: str) -> Mapping[str, str]:
    """Options of a step that is met, and those that are closed, with the reason."""
    choice = choice_at(at, step, done)
    return {option.name: "" for option in choice.options} | dict(choice.closed)


def attack_tn(at: At[Exchange], **done: str) -> int:
    for entry in Session(turn(at, done)).steps_taken:
        facts = entry.after.facts
        if isinstance(facts, Exchange) and facts.attack is not None:
            return facts.attack.tn
    raise AssertionError("no attack")


# -- quick actions -----------------------------------------------------------------------------


def test_ep73_a_quick_aim_gives_10_to_single_shots() -> None:
    assert attack_tn(begun(GUNNER)) == 70
    assert attack_tn(begun(GUNNER), choose_quick="aim") == 80
    closed = options(begun(GUNNER), "choose_mode", choose_quick="aim")
    assert {name for name, why in closed.items() if why} == {"burst", "auto"}


def test_ep73_a_full_aim_leaves_no_quick_one() -> None:
    aimed = enter(GUNNER, aim=True)
    assert begun(GUNNER, aimed).facts.declared.aim == "complex"
    assert attack_tn(begun(GUNNER, aimed)) == 100


def test_ep28_those_with_blades_have_no_quick_action_to_choose() -> None:
    fencer = shooter(weapons=(BLADE,))
    steps = [
        entry.at.step.name for entry in Session(turn(begun(fencer, distance_m=1), {})).steps_taken
    ]
    asked = Session(turn(begun(fencer, distance_m=1), {})).steps_taken
    first = next(entry for entry in asked if entry.at.step.name == "choose_quick")
    assert first.answer is None
    assert "choose_move" in steps


def test_ep33_standing_up_takes_a_quick_action_and_half_the_move() -> None:
    fencer = shooter(weapons=(BLADE,), move_base=5)
    lies = enter(fencer, prone=True)
    assert FIGHT.begin_turn(fencer, lies).prone  # nobody stands up unasked
    at = begun(fencer, lies, distance_m=5)
    up = after(at, fencer, lies, 99, choose_quick="stand", choose_move="step")
    assert (up.prone, up.advance) == (False, 3)
    far = begun(fencer, lies, distance_m=6)  # 2.5 m round to 3, and 4 are needed
    assert "step" not in options(far, "choose_move", choose_quick="stand")
    assert "run" in options(begun(fencer, lies, distance_m=40), "choose_move")


def test_ep33_those_who_stay_down_stay_where_they_are() -> None:
    lies = enter(GUNNER, prone=True)
    moves = options(begun(GUNNER, lies), "choose_move", choose_quick="none")
    assert [name for name, why in moves.items() if not why] == ["stay"]
    assert "prone" in moves["back"]
    down = after(begun(GUNNER, lies), GUNNER, lies, 99, choose_quick="none", choose_move="stay")
    assert down.prone


def test_ep28_dropping_prone_is_automatic() -> None:
    now = enter(GUNNER)
    down = after(begun(GUNNER), GUNNER, now, 99, choose_move="drop", choose_quick="aim")
    assert down.prone


def test_ep73_ep93_somebody_held_cannot_stand_up() -> None:
    psi = shooter(psi=60, weapons=(pistol(), replace(BLADE, name="stab", form="psi", skill="psi",
                                                     armor="mental")))  # fmt: skip
    held = enter(psi, prone=True, states=(("grappled", 1000),))
    at = begun(psi, held)
    assert "stand" not in options(at, "choose_quick")
    moves = options(at, "choose_move", choose_quick="none")
    assert [name for name, why in moves.items() if not why] == ["stay"]


# -- split moves -------------------------------------------------------------------------------


def test_ep32_a_move_is_split_around_the_action() -> None:
    fencer = shooter(weapons=(BLADE,))
    now = enter(fencer)
    at = begun(fencer, distance_m=5)
    for rest, advance in (("stay", 3), ("away", 2)):  # 3 of 4 m closer, and 1 m is left
        done = after(at, fencer, now, 99, choose_move="step", choose_rest=rest)
        assert done.advance == advance


@pytest.mark.parametrize(
    ("move", "tn", "rest", "advance"),
    [
        ("later", 70, "away", -4),
        ("later", 70, "closer", 4),
        ("run later", 50, "away", -20),
        ("run later", 50, "closer", 10),
        ("stay", 70, "stay", 0),
    ],
)
def test_ep32_a_move_after_the_action_counts_for_it(
    move: str, tn: int, rest: str, advance: int
) -> None:
    at, now = begun(GUNNER), enter(GUNNER)
    assert attack_tn(at, choose_move=move) == tn
    done = after(at, GUNNER, now, 99, choose_move=move, choose_rest=rest)
    assert done.advance == advance


def test_ep32_a_move_follows_a_hit_too_and_other_actions() -> None:
    at, now = begun(GUNNER), enter(GUNNER)
    assert after(at, GUNNER, now, 20, 98, 1, 1, choose_move="later",
                 choose_rest="away").advance == -4  # fmt: skip
    ducked = after(at, GUNNER, now, choose_move="later", choose_rest="away",
                   choose_action="full defense")  # fmt: skip
    assert (ducked.advance, ducked.guard) == (-4, True)


def test_ep85_a_charge_leaves_the_rest_of_the_full_move() -> None:
    fencer = shooter(weapons=(BLADE,))
    now = enter(fencer)
    at = begun(fencer, distance_m=14)
    done = after(at, fencer, now, 99, choose_move="charge", choose_rest="away")
    assert done.advance == 12 - 8


# -- extra actions -----------------------------------------------------------------------------


def test_ep22_points_buy_one_more_action() -> None:
    now = enter(GUNNER)
    at = begun(GUNNER, now, AGAIN)
    offered = choice_at(at, "choose_extra", {}).options
    assert {one.name: one.spends for one in offered} == {"none": 0, "vigor": 1, "first-vigor": 1}
    rests = after(at, GUNNER, now)
    assert rests == now._replace(rare=now.rare._replace(rested=True))
    assert FIGHT.extra_deeds(GUNNER, now) == (AGAIN,)
    assert FIGHT.extra_deeds(GUNNER, rests) == ()  # nobody is asked twice
    assert FIGHT.begin_turn(GUNNER, rests) == now
    shot_again = after(at, GUNNER, now, 99, choose_extra="vigor")
    assert shot_again.pools == (1, 0, 0, 0, 0)
    ducked = after(at, GUNNER, now, choose_extra="vigor", choose_action="full defense")
    assert (ducked.pools[0], ducked.guard) == (1, True)


def test_ep22_vigor_buys_physical_and_insight_mental_actions() -> None:
    stab = replace(BLADE, name="stab", form="psi", skill="psi", armor="mental")
    both = shooter(vigor=1, insight=1, weapons=(pistol(), stab))
    at = begun(both, enter(both), AGAIN)
    by_vigor = options(at, "declare_attack", choose_extra="vigor")
    assert "Vigor buys a physical one" in by_vigor["stab"]
    by_insight = options(at, "declare_attack", choose_extra="insight")
    assert "Insight buys a mental one" in by_insight["pistol"]
    bookish = shooter(insight=2, weapons=(pistol(),))
    closed = options(begun(bookish, enter(bookish), AGAIN), "choose_extra")
    assert "there is none to take" in closed["insight"]
    boss = shooter(threat=1, weapons=(pistol(), stab))
    assert not any(
        options(begun(boss, enter(boss), AGAIN), "declare_attack", choose_extra="threat").values()
    )


def test_ep27_without_whole_turns_there_is_the_attack_alone() -> None:
    assert FIGHT.deeds(GUNNER, FIGHT.enter(GUNNER, BY_ATTACKS)) == (ATTACK,)


def test_ep30_two_at_most_and_only_for_those_who_can_act() -> None:
    assert FIGHT.extras(GUNNER, enter(GUNNER), WHOLE) == 2
    assert FIGHT.extras(GUNNER, enter(GUNNER, pools=(9, 0, 0, 0, 0)), WHOLE) == 2
    assert FIGHT.extras(GUNNER, enter(GUNNER, pools=(0, 0, 0, 0, 3)), WHOLE) == 0
    assert FIGHT.extras(GUNNER, enter(GUNNER, pools=(0, 0, 1, 0, 0)), WHOLE) == 1  # see EP-22
    assert FIGHT.extras(GUNNER, FIGHT.enter(GUNNER, BY_ATTACKS), BY_ATTACKS) == 0
    assert FIGHT.extra_deeds(GUNNER, enter(GUNNER)) == (AGAIN,)
    assert FIGHT.extra_deeds(GUNNER, enter(GUNNER, pools=(0, 0, 1, 0, 3))) == ()
    assert FIGHT.extra_deeds(GUNNER, enter(GUNNER, surprised=True)) == ()
    assert FIGHT.extra_deeds(GUNNER, enter(GUNNER, states=(("dazed", 2),))) == ()


def test_ep22_nobody_is_asked_for_an_action_that_no_point_buys() -> None:
    """Insight buys a mental action, and a pistol knows none; against a trauma Moxie helps."""
    bookish = shooter(insight=2, moxie=1, weapons=(pistol(),))
    assert FIGHT.extra_deeds(bookish, enter(bookish)) == ()
    assert FIGHT.extra_deeds(bookish, enter(bookish, traumas=1)) == (AGAIN,)
    stab = replace(BLADE, name="stab", form="psi", skill="psi", armor="mental")
    adept = shooter(insight=2, weapons=(pistol(), stab))
    assert FIGHT.extra_deeds(adept, enter(adept)) == (AGAIN,)


def test_ep30_an_extra_action_brings_no_move() -> None:
    steps = Session(turn(begun(GUNNER, deed=AGAIN), {"choose_extra": "vigor"})).steps_taken
    assert not {"choose_move", "choose_quick"}.intersection(one.at.step.name for one in steps)
    ran = after(begun(GUNNER), GUNNER, enter(GUNNER), 99, choose_move="withdraw")
    assert attack_tn(begun(GUNNER, ran, AGAIN, distance_m=30), choose_extra="vigor") == 40
    rested = FIGHT.begin_turn(GUNNER, ran)
    assert attack_tn(begun(GUNNER, rested, AGAIN, distance_m=30), choose_extra="vigor") == 60


def test_ep68_single_shots_are_fired_once_a_turn() -> None:
    rifle = pistol(name="rifle", modes=("single",))
    one = shooter(vigor=1, weapons=(rifle, pistol()))
    done = {"declare_attack": "rifle", "choose_extra": "vigor"}
    fired = after(begun(one), one, enter(one), 99, **done)
    closed = options(begun(one, fired, AGAIN), "declare_attack", choose_extra="vigor")
    assert "fires one shot a turn" in closed["rifle"]
    assert not closed["pistol"]
    again = FIGHT.begin_turn(one, fired)
    assert not options(begun(one, again), "declare_attack")["rifle"]


# -- the first place ---------------------------------------------------------------------------


def test_ep29_a_point_buys_the_first_place_in_the_coming_turn() -> None:
    now = enter(GUNNER)
    bought = after(begun(GUNNER, now, AGAIN), GUNNER, now, choose_extra="first-vigor")
    assert bought.pools == (1, 0, 0, 0, 0)
    assert list(options(begun(GUNNER, bought, AGAIN), "choose_extra")) == ["none", "vigor"]
    quickest = FIGHT.initiative
    assert quickest is not None
    assert quickest(GUNNER, FIGHT.end_round(GUNNER, bought), WHOLE)[0] > 900
    assert quickest(GUNNER, FIGHT.begin_turn(GUNNER, bought), WHOLE) == quickest(GUNNER, now, WHOLE)


def fight(
    one: Combatant, other: Combatant, first: Any = "one", extra: tuple[str, ...] = ("vigor",)
) -> Contest:
    """Two who shoot and never defend; points go into extra actions as they can."""
    habits = {**PLAIN, "choose_defence": ("none",), "choose_extra": (*extra, "none")}
    plan = Plan("first", tuple(habits.items()))
    setup = replace(shot(attacker=one, defender=other), weapon=None)
    simple = {"critical_doubles": "dice", "ammunition": "plenty"}
    rulings = Rulings.pick(SYSTEM.rulings, {**RULED, **simple})
    sides = (Side("one", (one,), setup, plan), Side("other", (other,), setup, plan))
    return Contest(SYSTEM, sides, rulings, first=first)


def deadly(guns: int, **changes: Any) -> Combatant:
    """Every hit kills."""
    return shooter(guns=guns, weapons=(pistol(d10=0, flat=99, modes=("semi",)),), **changes)


def won_by_one(chances: tuple[F, F], points: tuple[int, int]) -> F:
    """By hand: a round is a shot of each, then two more passes for those who have points left."""
    if points == (0, 0):
        return chances[0] / (1 - (1 - chances[0]) * (1 - chances[1]))
    shots, left = [0, 1], list(points)
    for side in (0, 1, 0, 1):
        if left[side]:
            left[side] -= 1
            shots.append(side)
    won, going = F(0), F(1)
    for side in shots:
        won += going * chances[side] * (side == 0)
        going *= 1 - chances[side]
    return won + going * won_by_one(chances, (left[0], left[1]))


@pytest.mark.parametrize("points", [(0, 0), (1, 0), (0, 2), (3, 1), (5, 4)])
def test_ep30_extra_actions_in_duels_and_battles(points: tuple[int, int]) -> None:
    one, other = deadly(22, vigor=points[0]), deadly(40, vigor=points[1])
    contest = fight(one, other)
    expected = won_by_one((F(23, 100), F(41, 100)), points)
    assert solve_exactly(contest).won[0] == expected
    assert Duel(contest).solve().won[0] == pytest.approx(float(expected), abs=1e-12)
    found = Battle(contest).run(4_000, seed=3).won[0]
    assert abs(found.value - float(expected)) < 5 * 0.5 / 4_000**0.5


def test_ep29_the_first_place_in_a_fight() -> None:
    """The slower one pays each turn: from the second round on they shoot first."""
    one = deadly(0, vigor=2, initiative=0)
    other = deadly(0, initiative=20)
    contest = fight(one, other, "initiative", ("first-vigor",))
    played = play_battle(contest, seed=5, rounds=4)
    order: dict[int, int] = {}
    for entry in played.exchanges:
        if entry.deed == "attack":
            order.setdefault(entry.round, entry.actor.side)
    assert order == {1: 1, 2: 0, 3: 0, 4: 1}


def test_ep29_duels_and_battles_agree_on_the_first_place() -> None:
    one, other = deadly(22, vigor=1, initiative=0), deadly(40, initiative=20)
    contest = fight(one, other, "initiative", ("first-vigor",))
    p, q = F(23, 100), F(41, 100)
    later = (1 - q) * p / (1 - (1 - p) * (1 - q))  # the other shoots first
    mine = p + (1 - p) * (1 - q) * later  # one shoots first, once
    expected = (1 - q) * p + (1 - q) * (1 - p) * mine
    assert solve_exactly(contest).won[0] == expected
    assert Duel(contest).solve().won[0] == pytest.approx(float(expected), abs=1e-12)
    found = Battle(contest).run(4_000, seed=3).won[0]
    assert abs(found.value - float(expected)) < 5 * 0.5 / 4_000**0.5


def test_ep29_the_first_turn_is_led_by_those_whose_sheet_says_so() -> None:
    leader = deadly(0, vigor=2, initiative=0, takes_lead=True)
    entered = FIGHT.enter(leader, BY_ATTACKS)
    assert entered.pools[0] == 1
    contest = fight(leader, deadly(0, initiative=20), "initiative", ("none",))
    played = play_battle(contest, seed=5, rounds=2)
    assert [entry.actor.side for entry in played.exchanges] == [0, 1, 1, 0]
    boss = deadly(0, threat=1, takes_lead=True)
    assert FIGHT.enter(boss, BY_ATTACKS).pools[3] == 0
    with pytest.raises(SetupError, match="costs a point of Vigor or Threat, and has none"):
        FIGHT.enter(deadly(0, takes_lead=True), BY_ATTACKS)


# -- ignoring harm -----------------------------------------------------------------------------


def test_ep22_points_buy_off_wounds_and_traumas() -> None:
    quickness = FIGHT.initiative
    assert quickness is not None
    steady = shooter(weapons=(pistol(),), vigor=2, moxie=1)
    hurt = enter(steady, wounds=2, traumas=1)
    at = begun(steady, hurt, AGAIN)
    assert set(options(at, "choose_extra")) == {
        "none", "vigor", "first-vigor", "wound-vigor", "trauma-moxie",
    }  # fmt: skip
    for name, pools in (("wound-vigor", (1, 0, 1, 0, 0)), ("trauma-moxie", (2, 0, 0, 0, 0))):
        eased = after(at, steady, hurt, choose_extra=name)
        assert eased.pools == pools
        assert attack_tn(begun(steady, hurt)) == 40
        assert attack_tn(begun(steady, eased)) == 50
        assert quickness(steady, eased, WHOLE)[0] == quickness(steady, hurt, WHOLE)[0] + 1


def test_ep109_three_at_most_are_ignored() -> None:
    tough = shooter(weapons=(pistol(),), vigor=2, ignore_wounds=3)
    at = begun(tough, enter(tough, wounds=5), AGAIN)
    assert "wound-vigor" not in options(at, "choose_extra")
    whole = begun(GUNNER, enter(GUNNER), AGAIN)
    assert "wound-vigor" not in options(whole, "choose_extra")


# -- waiting -----------------------------------------------------------------------------------


def test_ep31_a_turn_can_be_held_back() -> None:
    session = FightSession(fight(deadly(0), deadly(0)))
    question = session.question
    assert question is not None
    assert "wait" in [option.name for option in question.options]
    waiting = session.answer("wait").question
    assert waiting is not None
    assert waiting.side == 1
    passed = session.answer("wait").answer("pass")
    assert passed.question is not None
    assert passed.question.side == 0  # called, before the round is over
    assert passed.moment.round == 1


def test_ep31_the_new_place_lasts() -> None:
    """Quick, middle and slow have 9, 6 and 3: quick waits until middle has acted."""
    quick, middle, slow = (
        replace(shooter(name=name, weapons=(pistol(d10=0),)), initiative=number)
        for name, number in (("quick", 9), ("middle", 6), ("slow", 3))
    )
    setup: Setup = replace(shot(attacker=quick, defender=slow), weapon=None)
    sides = (Side("one", (quick, middle), setup), Side("other", (slow,), setup))
    session = FightSession(Contest(SYSTEM, sides, BY_ATTACKS, first="initiative"))
    while session.question is not None and session.question.kind == "initiative":
        session = session.answer((1,))

    def order(session: FightSession) -> list[str]:
        return [session.position.name(who) for who in session.position.order]

    assert order(session) == ["quick", "middle", "slow"]
    prompt = session.answer("pass").answer("pass").answer("pass")
    assert order(prompt) == ["quick", "middle", "slow"]
    late = session.answer("wait").answer("pass").answer("wait").answer("pass").answer("act")
    late = late.answer("pass")  # after slow: the same count, and more or less luck each round
    assert late.moment.round == 2
    assert late.position.rolls[FighterId(0, 0)] == 1 - 6
    after = session.answer("wait").answer("pass").answer("act").answer("pass").answer("pass")
    assert after.position.rolls[FighterId(0, 0)] == 1 - 3
    assert after.undo().undo().undo().position.rolls[FighterId(0, 0)] == 1


def test_ep31_a_declared_attack_is_interrupted() -> None:
    """Two with one shot each: who waits shoots first, and the other one never does."""
    sure = {"guns": 99, "fray": 0, "weapons": (pistol(d10=0, flat=90),), "initiative": 9}
    quick, slow = shooter(name="quick", **sure), shooter(name="slow", **{**sure, "initiative": 3})
    setup: Setup = replace(shot(attacker=quick, defender=slow), weapon=None)
    plan = Plan("first", tuple(QUIET.items()))
    sides = Side("one", (quick,), setup, plan), Side("other", (slow,), setup, plan)
    begun = FightSession(Contest(SYSTEM, sides, BY_ATTACKS, first="initiative"))
    about = begun.answer((1,)).answer((1,)).answer("wait").answer("attack: quick")
    question = about.question
    assert question is not None
    assert question.ask == "quick waits, and slow is about to attack quick: act before that?"
    acting = about.answer("act")
    assert acting.position.rolls[FighterId(0, 0)] == 1 - 6  # as quick as slow from now on
    shoots = acting.answer("attack: slow")
    while shoots.question is not None and shoots.question.kind == "exchange":
        asked = shoots.question
        shoots = shoots.answer((20,) if asked.dice is not None else asked.options[0].name)
    assert (shoots.verdict, [event.kind for event in shoots.log].count("exchange")) == ("one", 1)


# -- what cannot be chosen ---------------------------------------------------------------------


def test_ep123_the_enraged_attack() -> None:
    angry = enter(GUNNER, states=(("enraged", 1000),))
    at = begun(GUNNER, angry)
    moves = options(at, "choose_move")
    assert {name for name, why in moves.items() if "enraged" in why} == {
        "back", "withdraw", "later", "run later",
    }  # fmt: skip
    actions = options(at, "choose_action")
    assert {name for name, why in actions.items() if "enraged" in why} == {"full defense", "aim"}


def test_ep79_reloading_is_one_of_the_actions() -> None:
    counted = Rulings.pick(SYSTEM.rulings, {**RULED, "ammunition": "counted"})
    now = FIGHT.enter(GUNNER, counted)._replace(rounds=(("pistol", 0),))
    at = begun(GUNNER, now, rulings=counted)
    actions = options(at, "choose_action")
    assert "needs 1 round" in actions["attack"]
    assert not actions["reload"]
    full = after(at, GUNNER, now, choose_action="reload", reload="pistol")
    assert full.rounds == ()
    assert RELOAD in FIGHT.deeds(GUNNER, now)


def test_ep86_out_of_reach_there_is_no_attack() -> None:
    fencer = shooter(weapons=(blade(),))
    setup: Setup = replace(blow(attacker=fencer, defender=PREY), weapon=None, distance_m=9)
    at = FIGHT.declare(Scene(setup, ATTACK, enter(fencer), enter(PREY), None, WHOLE))
    assert options(at, "choose_action", choose_move="stay")["attack"] == "out of reach"
