"""A grapple in a fight of two: keeping the hold, and breaking it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Deed, Scene
from affray.core.node import At
from affray.engine.exchange.session import Session
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import solve_exactly
from affray.engine.fight.plans import Plan
from affray.engine.fight.played.play import play_battle
from affray.engine.fight.sampled.battle import Battle
from affray.systems.eclipse_phase.condition import Condition
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.scenes import BREAK_HOLD, KEEP_HOLD
from affray.systems.eclipse_phase.sheet import Combatant, Setup
from affray.systems.eclipse_phase.state import Exchange

from .by_hand import wins
from .factory import BY_ATTACKS, QUIET, SYSTEM, blade, blow, play, shooter, target
from .fighting import opened
from .test_grapple import subdues

F = Fraction
RULED = BY_ATTACKS
ONE = shooter(
    name="one", melee=50, som=15, fray=40, unarmed_d6=0, unarmed_flat=9, weapons=(blade(),)
)
OTHER = target(name="other", melee=30, som=14, fray=40, weapons=(blade(),))
SITUATION: Setup = blow(grapple="hold", attacker=ONE, defender=OTHER, weapon=None)
FREE = FIGHT.enter(ONE, RULED)
HOLDS = FREE._replace(rare=FREE.rare._replace(holds=True))
HELD = FIGHT.enter(OTHER, RULED)._replace(
    states=(("grappled", 1000),), rare=FREE.rare._replace(held=True)
)


def at(
    deed: Deed, one: tuple[Combatant, Condition], other: tuple[Combatant, Condition]
) -> At[Exchange]:
    setup = replace(SITUATION, attacker=one[0], defender=other[0])
    return FIGHT.declare(Scene(setup, deed, one[1], other[1], None, RULED))


KEEPS = ONE, HOLDS
STRUGGLES = OTHER, HELD


def after(
    place: At[Exchange], *faces: int, options: tuple[str, ...]
) -> tuple[Condition, Condition]:
    """Both conditions after an exchange of the holder with the one held, or the other way round."""
    ended = play(opened(place), *faces, options=options)
    actor, struck = (KEEPS, STRUGGLES) if place.step.name == "choose_upkeep" else (STRUGGLES, KEEPS)
    return (
        FIGHT.apply(*actor, FIGHT.effect(ended, "actor")),
        FIGHT.apply(*struck, FIGHT.effect(ended, "target")),
    )


def test_ep91_a_grapple_in_a_fight_holds_both() -> None:
    begun = at(ATTACK, (ONE, FREE), (OTHER, FIGHT.enter(OTHER, RULED)))
    outcome = play(opened(begun, choose_defence="fray"), 45, 99)
    holder = FIGHT.apply(ONE, FREE, FIGHT.effect(outcome, "actor"))
    held = FIGHT.apply(OTHER, FIGHT.enter(OTHER, RULED), FIGHT.effect(outcome, "target"))
    assert (holder, held) == (HOLDS, HELD)
    assert FIGHT.deeds(ONE, HOLDS)[:2] == (KEEP_HOLD, ATTACK)
    assert FIGHT.deeds(OTHER, HELD) == (BREAK_HOLD,)
    with pytest.raises(SetupError, match="keeps the hold or lets go"):
        at(ATTACK, KEEPS, STRUGGLES)
    with pytest.raises(SetupError, match="'other' is not held"):
        at(KEEP_HOLD, KEEPS, (OTHER, FIGHT.enter(OTHER, RULED)))
    with pytest.raises(SetupError, match="'one' holds nobody"):
        at(BREAK_HOLD, STRUGGLES, (ONE, FREE))


# -- keeping it --------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "out"), [(42, False), (43, True)])
def test_ep92_choked_unconscious_unless_a_som_check_holds(face: int, out: bool) -> None:
    holder, held = after(at(KEEP_HOLD, KEEPS, STRUGGLES), face, options=("choke",))
    assert holder.rare.holds
    assert FIGHT.is_out(OTHER, held) is out  # SOM 14 x 3


def test_ep92_nobody_chokes_a_machine() -> None:
    machine = replace(OTHER, body="synthmorph")
    session = Session(opened(at(KEEP_HOLD, KEEPS, (machine, HELD))))
    question = session.question
    assert question is not None
    assert [option.name for option in question.options] == ["hurt", "throw", "hold", "let_go"]
    assert dict(question.closed)["choke"].startswith("works on living bodies only")


def test_ep92_unarmed_damage_without_a_defense() -> None:
    kinetic = OTHER.worn[1]
    _, held = after(at(KEEP_HOLD, KEEPS, STRUGGLES), options=("hurt",))
    assert held.damage == 9 - kinetic
    assert held.rare.held


@pytest.mark.parametrize(("face", "falls"), [(12, False), (13, True)])
def test_ep92_thrown_down_and_still_held(face: int, falls: bool) -> None:
    # The better of SOM 42 and Melee 30, at -30.
    _, held = after(at(KEEP_HOLD, KEEPS, STRUGGLES), face, options=("throw", "som"))
    assert (held.prone, held.rare.held) == (falls, True)
    lies = HELD._replace(prone=True)
    session = Session(opened(at(KEEP_HOLD, KEEPS, (OTHER, lies))))
    assert session.question is not None
    assert "throw" in dict(session.question.closed)


def test_ep92_letting_go() -> None:
    holder, held = after(at(KEEP_HOLD, KEEPS, STRUGGLES), options=("let_go",))
    assert (holder.rare.holds, held.rare.held, held.states) == (False, False, ())
    holder, held = after(at(KEEP_HOLD, KEEPS, STRUGGLES), options=("hold",))
    assert (holder, held) == (HOLDS, HELD)


# -- breaking it -------------------------------------------------------------------------------


def breaks(roll: int, defense: int, *, tn: int, other: int) -> str:
    """What two d100s of a struggle come to, by the book."""
    if not wins(roll, tn, defense, other):
        return "held"
    return "reversed" if roll >= 33 and roll % 11 else "free"


@pytest.mark.parametrize(
    ("roll", "defense", "told"),
    [(43, 0, "held"), (42, 99, "reversed"), (42, 41, "reversed"), (42, 42, "held"),
     (20, 99, "free"), (22, 40, "free"), (33, 34, "free"), (20, 22, "held"), (0, 99, "free")],
)  # fmt: skip
def test_ep93_the_better_success_wins_and_a_superior_one_reverses(
    roll: int, defense: int, told: str
) -> None:
    assert breaks(roll, defense, tn=42, other=50) == told
    options = ("som", "melee", *(("reverse",) if told == "reversed" else ()))
    faces = (roll, defense) if roll <= 42 else (roll,)
    mine, theirs = after(at(BREAK_HOLD, STRUGGLES, KEEPS), *faces, options=options)
    found = {
        (True, False, True, False): "held", (False, False, False, False): "free",
        (False, True, False, True): "reversed",
    }[mine.rare.held, mine.rare.holds, theirs.rare.holds, theirs.rare.held]  # fmt: skip
    assert found == told
    assert ("grappled" in dict(mine.states)) == (told == "held")
    assert ("grappled" in dict(theirs.states)) == (told == "reversed")


def test_ep93_nobody_opposes_who_is_helpless() -> None:
    stunned = HOLDS._replace(states=(("incapacitated", 2),))
    outcome = play(opened(at(BREAK_HOLD, STRUGGLES, (ONE, stunned))))
    assert outcome.hold == "freed"


def test_ep93_wounds_count_on_both_sides() -> None:
    hurt = HELD._replace(wounds=1), HOLDS._replace(wounds=2)
    place = at(BREAK_HOLD, (OTHER, hurt[0]), (ONE, hurt[1]))
    # 42 less 10 against 50 less 20.
    assert play(opened(place), 33, options=("som", "melee")).hold == ""
    assert play(opened(place), 32, 31, options=("som", "melee")).hold == "freed"
    assert play(opened(place), 29, 30, options=("som", "melee")).hold == ""


# -- whole fights ------------------------------------------------------------------------------


def wrestle(one: Combatant, other: Combatant) -> Contest:
    habits: Mapping[str, Any] = {
        **QUIET, "choose_defence": "fray", "choose_upkeep": "choke", "choose_grip": "som",
        "choose_resistance": "melee", "compare_strength": "reverse",
    }  # fmt: skip
    plan = Plan("first", tuple((step, (option,)) for step, option in habits.items()))
    mine = blow(grapple="hold", attacker=one, defender=other, weapon=None)
    theirs = blow(grapple="hold", attacker=other, defender=one, weapon=None)
    sides = (Side("one", (one,), mine, plan), Side("other", (other,), theirs, plan))
    return Contest(SYSTEM, sides, RULED, first="one")


def won_by_one() -> F:
    """The chance of whoever goes first, worked out from all pairs of d100s."""
    melee, som, fray = (50, 30), (45, 42), 40
    pairs = list(product(range(100), repeat=2))

    def seizes(side: int) -> F:
        hits = (subdues(a, d, tn=melee[side], fray=fray, critical=True) for a, d in pairs)
        return F(sum(hits), 10_000)

    def struggle(side: int, what: str) -> F:
        came = (breaks(a, d, tn=som[side], other=melee[1 - side]) for a, d in pairs)
        return F(sum(one == what for one in came), 10_000)

    def chokes(side: int) -> F:
        failing = 100 - (som[1 - side] + 1)  # 00 to the number, and 99 fails either way
        return F(failing, 100)

    # Unknowns: the chance of side one, by who holds (none, one, other) and whose turn it is.
    states = [(holder, turn) for holder in (None, 0, 1) for turn in (0, 1)]
    rows: dict[tuple[int | None, int], tuple[F, dict[tuple[int | None, int], F]]] = {}
    for holder, turn in states:
        after = 1 - turn
        if holder is None:
            rows[holder, turn] = F(0), {
                (turn, after): seizes(turn), (None, after): 1 - seizes(turn)
            }  # fmt: skip
        elif holder == turn:
            won = chokes(turn)
            rows[holder, turn] = won * (turn == 0), {(holder, after): 1 - won}
        else:
            free, turned = struggle(turn, "free"), struggle(turn, "reversed")
            rows[holder, turn] = F(0), {
                (None, after): free, (turn, after): turned, (holder, after): 1 - free - turned
            }  # fmt: skip
    values = dict.fromkeys(states, 0.0)
    for _ in range(4_000):
        values = {
            state: float(won) + sum(float(p) * values[then] for then, p in row.items())
            for state, (won, row) in rows.items()
        }
    return F(values[None, 0])


def test_ep91_ep92_ep93_a_wrestling_match_in_every_engine() -> None:
    contest, expected = wrestle(ONE, OTHER), float(won_by_one())
    assert float(solve_exactly(contest).won[0]) == pytest.approx(expected, abs=1e-9)
    assert Duel(contest).solve().won[0] == pytest.approx(expected, abs=1e-9)
    result = Battle(contest).run(10_000, seed=2)
    error = (expected * (1 - expected) / 10_000) ** 0.5
    assert abs(result.won[0].value - expected) < 5 * error
    n = 100
    won = sum(play_battle(contest, seed=seed).verdict == "one" for seed in range(n))
    assert abs(won / n - expected) < 5 * (expected * (1 - expected) / n) ** 0.5


def test_ep91_one_against_one() -> None:
    contest = wrestle(ONE, OTHER)
    one, other = contest.sides
    with pytest.raises(SetupError, match="nobody keeps track of who holds whom"):
        contest.changed(sides=(one._replace(fighters=(ONE, ONE)), other))


def test_ep92_a_hold_is_told() -> None:
    told = {line.label: line for line in FIGHT.told(ONE, HOLDS)}
    assert told["grapple"].value == "holds the other"
    assert FIGHT.mended is not None
    freed = FIGHT.mended(OTHER, HELD, "conditions", "none")
    assert (freed.states, freed.rare.held) == ((), False)
