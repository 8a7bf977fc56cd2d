"""Duels decided optimally: against games solved by hand, fixed plans, and plain looking ahead."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable
from dataclasses import asdict, replace
from functools import cache
from math import gcd
from random import Random
from typing import Any

import numpy as np
import pytest

from affray.app.inputs.checking import validated
from affray.app.inputs.rosters import Roster, resolved
from affray.app.registry import system_named
from affray.core.errors import LimitError, SetupError
from affray.core.fight import ATTACK, UNKNOWN, Scene
from affray.core.node import At, Chance, Choice, End, Facts, Go, fill
from affray.core.reading import roll_of
from affray.core.ruling import Rulings
from affray.engine.budget import Budget
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.course import First
from affray.engine.fight.duels import strategy as strategies
from affray.engine.fight.duels import trees
from affray.engine.fight.duels.answers import DuelResult
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.optimal import BestDuel, Opening
from affray.engine.fight.plans import DECIDE_ALL, Plan
from affray.systems import eclipse_phase
from affray.systems.eclipse_phase import sheet as ep
from affray.systems.eclipse_phase.gear import Weapon
from tests import fight_systems as games
from tests.engine.skirmish import Fencer, skirmish, skirmish_of
from tests.oracles import skirmish as by_hand
from tests.oracles.skirmish import Chosen, Rolled, Skirmish, Skirmisher

CLOSE = 1e-9
GUARDS = ("light", "hard", "guard")
FIRST, FREE = Plan("first"), Plan("free")


def worth(result: DuelResult) -> float:
    """What the first side wants."""
    return result.won[0] + (result.drawn + result.ended + result.endless) / 2


def best(contest: Contest) -> float:
    result = BestDuel(contest).solve()
    assert result.residual < 1e-12
    assert sum(result.won) + result.drawn + result.ended + result.endless == pytest.approx(1)
    return worth(result)


def told_again(one: Fencer, other: Fencer, first: int | None, actions: int = 1) -> Skirmish:
    """The same game for those who solve it by hand."""
    sheets = []
    for fencer in (one, other):
        values = {name: value for name, value in asdict(fencer).items() if name != "name"}
        sheets.append(Skirmisher(**values))
    return Skirmish(sheets[0], sheets[1], first, actions)


# -- games solved by hand --------------------------------------------------------------------------

PLAIN = Fencer("Plain", 3)
ENDING = {
    "strikes alone": (PLAIN, Fencer("Other", 4)),
    "luck when striking": (Fencer("Lucky", 3, 2), Fencer("Other", 3)),
    "luck on both sides": (Fencer("Lucky", 2, 1), Fencer("Other", 3, 2)),
    "finishing what is held back": (Fencer("Lucky", 2, 1, finishes=2), Fencer("Other", 3, 1)),
    "executing what is held back": (Fencer("Axe", 3, executes=2), Fencer("Other", 4, 1)),
    "healing": (Fencer("Healer", 3, 1, heals=1), Fencer("Other", 4)),
    "bleeding": (Fencer("Frail", 3, 1, bleeds=1), Fencer("Other", 3, 1, bleeds=1)),
    "giving up": (Fencer("Coward", 4, 1, yields=1), Fencer("Other", 4, 1, yields=2)),
}
LASTING = {
    "resting": (Fencer("Tired", 3, 1, ("rest", "light", "hard")), Fencer("Other", 3)),
    "resting on both sides": (Fencer("Tired", 3, 1, ("light", "hard", "rest")),
                              Fencer("Other", 4, 0, ("rest", "light"), heals=1)),
    "waiting comes first": (Fencer("Lazy", 3, 1, ("wait", "light", "hard")),
                            Fencer("Other", 3, 0, ("wait", "hard", "light"))),
    "guarding": (Fencer("Shield", 2, 0, GUARDS), Fencer("Other", 4)),
    "guarding on both sides": (Fencer("Shield", 3, 1, GUARDS), Fencer("Other", 3, 1, GUARDS)),
    "a guard that does not always help": (Fencer("Shield", 2, 1, GUARDS),
                                          Fencer("Other", 4, 0, GUARDS, pierces=True)),
    "guarding until it pays to strike": (Fencer("Shield", 1, 1, ("hard", "light", "guard"), True),
                                         Fencer("Other", 1, 2, executes=1)),
}  # fmt: skip


def swapped(both: tuple[Fencer, Fencer]) -> tuple[Fencer, Fencer]:
    return both[1], both[0]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("actions", [1, 2])
@pytest.mark.parametrize("both", ENDING.values(), ids=ENDING)
def test_a_duel_is_worth_what_it_is_by_looking_ahead(
    both: tuple[Fencer, Fencer], actions: int, first: int
) -> None:
    system = skirmish(actions=actions)
    rules = told_again(*both, first, actions)
    value = by_hand.by_value_iteration(rules, rules.begin(), 1e-12)[rules.begin()]
    order: tuple[First, First] = ("one", "other")
    assert best(skirmish_of(*both, order[first], system=system)) == pytest.approx(value, abs=CLOSE)
    other_way = best(skirmish_of(*swapped(both), order[1 - first], system=system))
    assert other_way == pytest.approx(1 - value, abs=CLOSE)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("both", LASTING.values(), ids=LASTING)
def test_a_duel_that_may_be_endless_is_worth_what_it_is_with_a_discount(
    both: tuple[Fencer, Fencer], first: int
) -> None:
    rules = told_again(*both, first)
    value = by_hand.by_discount(rules, rules.begin())
    order: tuple[First, First] = ("one", "other")
    assert best(skirmish_of(*both, order[first])) == pytest.approx(value, abs=2e-6)
    other_way = best(skirmish_of(*swapped(both), order[1 - first]))
    assert other_way == pytest.approx(1 - value, abs=2e-6)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Fencer("A", 2), Fencer("B", 2)),
        (Fencer("A", 1, 1), Fencer("B", 1)),
        (Fencer("A", 1), Fencer("B", 1, 1, ("light",))),
        (Fencer("A", 1, 0, GUARDS), Fencer("B", 2, 0, ("light", "hard"))),
        (Fencer("A", 1, 0, GUARDS), Fencer("B", 1, 0, ("guard", "light"))),
        (Fencer("A", 1, 0, ("wait", "light")), Fencer("B", 2, 0, ("wait", "hard"))),
        (Fencer("A", 1, 0, ("guard", "light")), Fencer("B", 2, 0, ("hard",), pierces=True)),
        (Fencer("A", 2, 0, ("rest", "light")), Fencer("B", 1, 0, ("rest", "light"))),
    ],
    ids=str,
)
def test_no_plan_against_every_plan_does_better(one: Fencer, other: Fencer, first: int) -> None:
    rules = told_again(one, other, first)
    sure, at_most = by_hand.by_enumeration(rules, rules.begin())
    assert sure == at_most
    order: tuple[First, First] = ("one", "other")
    assert best(skirmish_of(one, other, order[first])) == pytest.approx(float(sure), abs=1e-12)


def test_a_coin_makes_the_mean_of_both_orders() -> None:
    both = ENDING["luck on both sides"]
    mean = sum(best(skirmish_of(*both, first)) for first in ("one", "other")) / 2
    assert best(skirmish_of(*both, "coin")) == pytest.approx(mean, abs=1e-12)


@pytest.mark.parametrize("die", [1, 2])
@pytest.mark.parametrize("actions", [1, 2])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Fencer("Quick", 3, 1, speed=1), Fencer("Slow", 3)),
        (Fencer("A", 2, 1), Fencer("B", 3, 1, ("rest", "light", "hard"))),
    ],
    ids=str,
)
def test_initiative_that_changes_with_points_lost(
    one: Fencer, other: Fencer, actions: int, die: int
) -> None:
    rules = told_again(one, other, None, actions)
    value = 0.0
    leads = Counter(
        mine - theirs + tie for mine in range(die) for theirs in range(die) for tie in (0.5, -0.5)
    )
    for lead, ways in leads.items():
        value += by_hand.by_discount(rules, rules.begin(lead)) * ways / (2 * die**2)
    contest = skirmish_of(one, other, None, system=skirmish(actions=actions, die=die))
    assert best(contest) == pytest.approx(value, abs=2e-6)


def chance_fencer(name: str, rng: Random) -> Fencer:
    more = [move for move in ("rest", "guard", "wait") if rng.random() < 0.35]
    moves = ["light", "hard", *more]
    rng.shuffle(moves)
    return Fencer(
        name, rng.randint(1, 3), rng.choice((0, 1, 1, 2)), tuple(moves),
        pierces=rng.random() < 0.3, finishes=rng.choice((0, 0, 2)), executes=rng.choice((0, 0, 1)),
        heals=rng.choice((0, 0, 1)), bleeds=rng.choice((0, 0, 1)), yields=rng.choice((0, 0, 0, 1)),
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_chance_fencers(seed: int) -> None:
    rng = Random(seed)
    one, other = chance_fencer("One", rng), chance_fencer("Other", rng)
    rules = told_again(one, other, 0)
    value = by_hand.by_discount(rules, rules.begin())
    assert best(skirmish_of(one, other)) == pytest.approx(value, abs=1e-5)


def test_open_spiel_finds_the_same() -> None:
    """OpenSpiel (with cvxpy, which its value iteration imports) is no dependency of the tests."""
    module = "open_spiel.python.algorithms.value_iteration"
    iteration = pytest.importorskip(module, exc_type=ImportError)
    from tests.oracles.spiel import spiel_game

    for one, other in (ENDING["strikes alone"], (Fencer("A", 2, 1), Fencer("B", 3, 1, heals=1))):
        rules = told_again(one, other, 0)
        values = iteration.value_iteration(
            spiel_game(rules, rules.begin()), -1, 1e-13, cyclic_game=True
        )
        # Worth is from -1 to 1 there; what is before the first roll has no value of its own.
        expected = by_hand.by_value_iteration(rules, rules.begin())
        told = {str(state): value for state, value in expected.items()}
        seen = {name: value for name, value in values.items() if name in told}
        assert len(seen) > 20
        for name, value in seen.items():
            assert (1 + value) / 2 == pytest.approx(told[name], abs=CLOSE)
        assert best(skirmish_of(one, other)) == pytest.approx(expected[rules.begin()], abs=CLOSE)


# -- against plans that are settled ----------------------------------------------------------------


def chance_habits(rng: Random) -> Plan:
    """The same decision wherever a question comes up, by chance."""
    options = {
        "choose_move": list(GUARDS), "aim": ["none", "aim"], "push": ["none", "push"],
        "finish": ["none", "finish"], "dodge": ["none", "dodge"],
    }  # fmt: skip
    for names in options.values():
        rng.shuffle(names)
    return Plan("first", tuple((step, tuple(names)) for step, names in options.items()))


FIXED = [FIRST, Plan("first", (("choose_move", ("hard",)),))]
FIXED += [chance_habits(Random(seed)) for seed in range(6)]
RICH = Fencer("One", 4, 2, finishes=2), Fencer("Other", 4, 1, executes=1)


@cache
def best_of_rich(mine: Plan, theirs: Plan) -> float:
    """What is asked again and again, worked out once."""
    return best(skirmish_of(*RICH, plans=(mine, theirs)))


@pytest.mark.parametrize("mine", FIXED, ids=range(len(FIXED)))
def test_against_a_settled_plan_no_settled_one_does_better(mine: Plan) -> None:
    for theirs in (FIRST, FIXED[-1]):
        plain = worth(Duel(skirmish_of(*RICH, plans=(mine, theirs))).solve())
        assert best_of_rich(mine, theirs) == pytest.approx(plain, abs=1e-12)
        assert best_of_rich(DECIDE_ALL, theirs) >= plain - 1e-12
        assert best_of_rich(mine, DECIDE_ALL) <= plain + 1e-12


@pytest.mark.parametrize("plan", [FREE, DECIDE_ALL], ids=["free", "any"])
def test_deciding_exchange_by_exchange_is_no_better(plan: Plan) -> None:
    """`Duel` decides what is open for the damage of the exchange alone."""
    both = Fencer("One", 4, 2), Fencer("Other", 4, 1)
    for plans, sign in (((plan, FIRST), 1), ((FIRST, plan), -1)):
        contest = skirmish_of(*both, plans=plans)
        greedy = worth(Duel(contest).solve())
        assert sign * best(contest) >= sign * greedy - 1e-12


@pytest.mark.parametrize("settled", FIXED, ids=range(len(FIXED)))
def test_no_settled_plan_does_better_against_the_best_one(settled: Plan) -> None:
    value = best_of_rich(DECIDE_ALL, DECIDE_ALL)
    assert best_of_rich(settled, DECIDE_ALL) <= value + 1e-12
    assert best_of_rich(DECIDE_ALL, settled) >= value - 1e-12


@pytest.mark.parametrize("first", ["one", "coin", None])
def test_without_choices_it_is_a_duel_like_any_other(first: First | None) -> None:
    system = skirmish(actions=2, die=0 if first else 2)
    contest = skirmish_of(*RICH, first, (FIRST, FIRST), system)
    best_duel, duel = BestDuel(contest), Duel(contest)
    mine, plain = best_duel.solve(), duel.solve()
    for name, value in vars(plain).items():
        if isinstance(value, float) and name != "residual":
            assert getattr(mine, name) == pytest.approx(value, abs=1e-12)
    assert (*mine.won, *mine.left) == pytest.approx((*plain.won, *plain.left), abs=1e-12)
    assert mine.resources[0] == pytest.approx(plain.resources[0])
    assert mine.resources[1] == pytest.approx(plain.resources[1])
    for ours, theirs in zip(best_duel.by_round(5), duel.by_round(5), strict=True):
        assert ours.going_on == pytest.approx(theirs.going_on, abs=1e-12)


# -- Empty Earth -----------------------------------------------------------------------------------


def empty_earth(one: str, other: str, plans: tuple[Plan, Plan]) -> Contest:
    system = system_named("empty-earth")
    setups: list[Any] = []
    for mine, foe in ((one, other), (other, one)):
        both: dict[str, object] = {"attacker": {"like": mine}, "defender": {"like": foe}}
        setups.append(validated(system.setup, resolved(Roster(system), both), "a test"))
    sides = [
        Side(name, (setup.attacker,), setup, plan)
        for name, setup, plan in zip((one, other), setups, plans, strict=True)
    ]
    return Contest(system, (sides[0], sides[1]), Rulings(), first="one")


@pytest.mark.parametrize(
    "foe", ["husk", pytest.param("bo", marks=pytest.mark.slow)]
)  # fmt: skip
def test_empty_earth_deciding_is_no_worse_than_not_deciding(foe: str) -> None:
    settled = empty_earth("ada", foe, (FIRST, FIRST))
    plain = worth(Duel(settled).solve())
    assert best(settled) == pytest.approx(plain, abs=1e-12)
    half = empty_earth("ada", foe, (DECIDE_ALL, FIRST))
    value = best(half)
    assert value >= worth(Duel(half).solve()) - 1e-12
    assert value >= plain - 1e-12
    assert best(empty_earth("ada", foe, (DECIDE_ALL, DECIDE_ALL))) <= value + 1e-12


# -- Eclipse Phase, by plain value iteration -------------------------------------------------------

EP: Any = eclipse_phase.SYSTEM
MODIFIERS = Rulings.pick(EP.rulings, {"wound_effects": "modifiers", "turns": "attacks"})
MELEE = Plan("any", (
    ("choose_defence", ("fray",)), ("choose_style", ("plain",)), ("choose_called_shot", ("none",)),
))  # fmt: skip


def combatant(skill: int, fray: int, d10: int, **more: Any) -> ep.Combatant:
    weapon = Weapon(name="Weapon", form="melee", skill="melee", d10=d10)
    return ep.Combatant(name="", melee=skill, fray=fray, weapons=(weapon,), **more)


W6 = (
    combatant(60, 40, 2, kinetic=5, wound_threshold=7, durability=35),
    combatant(50, 30, 3, kinetic=8, wound_threshold=8, durability=40),
)
"""The fighters of workload W6."""
COUNTED = {(20, 22): 0.3794519297436288, (35, 40): 0.257783626697718}
"""What the duel is worth to the first, who has a point of flex, by `PlainTurns`.

By how much both can lose: about half of what W6 says, and all of it.
"""
WHOLE = bool(os.environ.get("AFFRAY_WHOLE"))


def melee(one: ep.Combatant, other: ep.Combatant) -> Contest:
    sides = (
        Side("A", (one,), ep.Setup(attacker=one, defender=other), MELEE),
        Side("B", (other,), ep.Setup(attacker=other, defender=one), MELEE),
    )
    return Contest(EP, sides, MODIFIERS, first="one")


class PlainTurns:
    """Two fighters in turn, looked ahead further and further, from the rule text alone.

    Exchanges are followed here, without kernels, trees or sweeps; places with equal odds are kept
    once, and states that share an exchange are worked out side by side.
    """

    def __init__(self, contest: Contest) -> None:
        self.contest, self.fight = contest, contest.fight
        self.hidden = contest.system.hints.hidden
        self.sheets = [side.fighters[0] for side in contest.sides]
        self.nodes: list[tuple[Any, ...]] = []
        self.numbers: dict[tuple[Any, ...], int] = {}
        self.seen: dict[tuple[int, At[Facts]], int] = {}
        self.known: list[dict[Hashable, int]] = [{}, {}]
        self.conditions: list[list[Any]] = [[], []]
        self.changed: dict[tuple[int, int, int], list[int]] = {}
        self.is_out = cache(self.fight.is_out)
        self.root, self.ends_of = cache(self._root), cache(self._ends_of)

    def _root(self, side: int, actor: Hashable, target: Hashable) -> int:
        setup = self.contest.sides[side].situation
        setup = replace(setup, attacker=self.sheets[side], defender=self.sheets[1 - side])
        struck = self.hidden.veiled(target, UNKNOWN)
        scene = Scene(setup, ATTACK, actor, struck, None, self.contest.rulings)
        return self.follow(side, self.fight.declare(scene))

    def follow(self, side: int, at: At[Facts]) -> int:
        """The number of the node for a place, where `side` acts."""
        if (side, at) not in self.seen:
            node = self.node_of(side, at)
            self.seen[side, at] = number = self.numbers.setdefault(node, len(self.nodes))
            if number == len(self.nodes):
                self.nodes.append(node)
        return self.seen[side, at]

    def node_of(self, side: int, at: At[Facts]) -> tuple[Any, ...]:
        said = at.step.rule(at.facts)
        if isinstance(said, Go):
            return self.nodes[self.follow(side, said.at)]
        if isinstance(said, End):
            effects = [self.fight.effect(said.outcome, role) for role in ("actor", "target")]
            return ("end", side, *effects)
        if isinstance(said, Choice):
            options = self.contest.sides[0].plan(at, said)
            ways = {self.follow(side, option.at) for option in options}
            whose = side if said.actor == "attacker" else 1 - side
            return ("pick", whose, *sorted(ways)) if len(ways) > 1 else self.nodes[ways.pop()]
        assert isinstance(said, Chance)
        roll = roll_of(said.dice, said.read)
        weights: dict[int, int] = {}
        for reading, weight in roll.rows:
            way = self.follow(side, fill(said.then, said.into, reading))
            weights[way] = weights.get(way, 0) + weight
        if len(weights) == 1:
            return self.nodes[min(weights)]
        common = gcd(*weights.values())
        rows = sorted((way, weight // common) for way, weight in weights.items())
        return ("roll", roll.total // common, *rows)

    def after(self, who: int, condition: int, root: int) -> list[int]:
        """The numbers of the conditions that the ends of an exchange leave a fighter in."""
        key = (who, condition, root)
        if key not in self.changed:
            now, sheet = self.conditions[who][condition], self.sheets[who]
            self.changed[key] = [
                self.number_of(who, self.fight.apply(sheet, now, self.nodes[end][2 + role]))
                for end in self.ends_of(root)
                for role in [int(self.nodes[end][1] != who)]
            ]
        return self.changed[key]

    def number_of(self, who: int, condition: Hashable) -> int:
        """Conditions are numbered, as states of numbers are soon looked up."""
        found = self.known[who].setdefault(condition, len(self.known[who]))
        if found == len(self.conditions[who]):
            self.conditions[who].append(condition)
        return found

    def worth(self, close: float) -> float:
        """What the first side can expect; a state is who acts, and the conditions of both."""
        entered = [self.fight.enter(sheet, self.contest.rulings) for sheet in self.sheets]
        start = (0, *(self.number_of(who, one) for who, one in enumerate(entered)))
        number: dict[tuple[int, ...], int] = {start: 0}
        values: list[float] = []
        groups: dict[int, tuple[list[int], dict[int, list[int]]]] = {}
        waiting: list[tuple[int, ...]] = [start]
        for state in waiting:
            side, other = state[0], 1 - state[0]
            both = [self.conditions[who][state[1 + who]] for who in (0, 1)]
            out = [self.is_out(s, c) for s, c in zip(self.sheets, both, strict=True)]
            values.append(0.5 + (out[1] - out[0]) / 2)
            if any(out):
                continue
            both[side] = self.fight.begin_turn(self.sheets[side], both[side])
            shown = map(self.hidden.visible, (both[side], both[other]))
            root = self.root(side, *shown)
            ends = self.ends_of(root)
            here, ways = groups.setdefault(root, ([], {end: [] for end in ends}))
            here.append(number[state])
            mine = self.after(side, self.number_of(side, both[side]), root)
            theirs = self.after(other, state[1 + other], root)
            for end, i, j in zip(ends, mine, theirs, strict=True):
                then = (other, i, j) if side == 0 else (other, j, i)
                to = number.get(then)
                if to is None:
                    to = number[then] = len(waiting)
                    waiting.append(then)
                ways[end].append(to)
        return self.ahead(np.array(values), groups, close)

    def below(self, root: int) -> list[int]:
        """All nodes of an exchange, ends first."""
        found, waiting = {root}, [root]
        while waiting:
            kind, *more = self.nodes[waiting.pop()]
            ways = (
                more[1:]
                if kind == "pick"
                else [way for way, _ in more[1:]]
                if kind == "roll"
                else []
            )
            waiting += set(ways) - found
            found.update(ways)
        return sorted(found)

    def _ends_of(self, root: int) -> list[int]:
        return [number for number in self.below(root) if self.nodes[number][0] == "end"]

    def ahead(
        self, values: Any, groups: dict[int, tuple[list[int], dict[int, list[int]]]], close: float
    ) -> float:
        order = {root: self.below(root) for root in groups}
        shares = {
            place: [(way, weight / self.nodes[place][1]) for way, weight in self.nodes[place][2:]]
            for place in {place for places in order.values() for place in places}
            if self.nodes[place][0] == "roll"
        }
        spots = {
            root: (np.array(here), {end: np.array(to) for end, to in ends.items()})
            for root, (here, ends) in groups.items()
        }
        change = 1.0
        while change > close:
            change = 0.0
            for root, (here, ends) in spots.items():
                found: dict[int, Any] = {}
                for place in order[root]:
                    kind, *more = self.nodes[place]
                    if kind == "end":
                        found[place] = values[ends[place]]
                    elif kind == "roll":
                        found[place] = sum(share * found[way] for way, share in shares[place])
                    else:
                        better = np.minimum if more[0] else np.maximum
                        found[place] = better.reduce([found[way] for way in more[1:]])
                change = max(change, float(np.abs(found[root] - values[here]).max()))
                values[here] = found[root]
        return float(values[0])


@pytest.mark.parametrize(("flex", "other_flex"), [(1, 0), (0, 1)])
def test_short_eclipse_phase_duels_with_a_point_by_looking_ahead(
    flex: int, other_flex: int
) -> None:
    one = replace(W6[0], durability=9, wound_threshold=99, flex=flex)
    other = replace(W6[1], durability=12, wound_threshold=99, flex=other_flex)
    contest = melee(one, other)
    assert best(contest) == pytest.approx(PlainTurns(contest).worth(1e-12), abs=CLOSE)


def test_a_duel_of_the_fighters_of_w6_with_a_point_by_looking_ahead() -> None:
    """With wounds that count: their armor and weapons, but less to lose."""
    one = replace(W6[0], durability=12, flex=1)
    contest = melee(one, replace(W6[1], durability=14))
    assert best(contest) == pytest.approx(PlainTurns(contest).worth(1e-12), abs=CLOSE)


@pytest.mark.parametrize("durabilities", COUNTED if WHOLE else [(20, 22)], ids=str)
def test_the_duel_of_w6_with_a_point_by_looking_ahead(durabilities: tuple[int, int]) -> None:
    """AFFRAY_WHOLE=1 solves all of it, and counts both anew: should the rules have changed."""
    one, other = (replace(row, durability=n) for row, n in zip(W6, durabilities, strict=True))
    contest = melee(replace(one, flex=1), other)
    if WHOLE:
        assert PlainTurns(contest).worth(1e-11) == pytest.approx(COUNTED[durabilities], abs=CLOSE)
    assert best(contest) == pytest.approx(COUNTED[durabilities], abs=1e-12)


# -- what is asked besides -------------------------------------------------------------------------


def test_called_off_after_some_rounds_both_decide_as_ever() -> None:
    duel = BestDuel(skirmish_of(*RICH))
    whole, short = duel.solve(), duel.solve(rounds=3)
    third = duel.by_round()[2]
    assert short.won == pytest.approx(third.won)
    assert short.stalled == pytest.approx(third.going_on)
    assert sum(short.won) + short.drawn + short.ended + short.stalled == pytest.approx(1)
    assert short.won[0] < whole.won[0]


def test_over_before_it_begins() -> None:
    duel = BestDuel(skirmish_of(Fencer("A", 1, yields=1), PLAIN))
    assert duel.solve().ended == 1
    assert duel.opening() == ()


@pytest.mark.parametrize("number", [0, 1])
def test_one_who_only_stands_there_does_nothing(number: int) -> None:
    """Neither a strike nor anything else: the turn passes."""
    both = (Fencer("A", 2), Fencer("B", 2, moves=("wait",)))
    order: tuple[Fencer, Fencer] = both if number == 0 else swapped(both)
    assert best(skirmish_of(*order)) == pytest.approx(1 - number, abs=1e-12)


def opening(contest: Contest) -> tuple[Opening, ...]:
    duel = BestDuel(contest)
    value, found = worth(duel.solve()), duel.opening()
    if contest.first in {"one", "other"}:
        for one in found:
            if one.step == "choose_move":
                assert dict(one.values)[one.best] == pytest.approx(value, abs=1e-12)
                assert (max, min)[one.side](dict(one.values).values()) == pytest.approx(value)
    return found


def test_the_opening_tells_what_every_move_is_worth() -> None:
    move, luck = opening(skirmish_of(*RICH, "other"))
    assert (move.side, move.step, move.ask) == (1, "choose_move", "what?")
    assert (luck.side, luck.step, luck.best) == (1, "aim", "none")
    rules = told_again(*RICH, 1)
    expected = by_hand.by_value_iteration(rules, rules.begin())
    first_turn = rules(rules.begin())
    assert isinstance(first_turn, Rolled)
    choice = rules(first_turn.branches[0][1])
    assert isinstance(choice, Chosen)
    by_name = {name: expected[to] for name, to in choice.options}
    assert dict(move.values) == pytest.approx(by_name, abs=CLOSE)


def test_the_opening_with_a_coin_is_told_for_both_orders() -> None:
    one_first, other_first = (opening(skirmish_of(*RICH, first)) for first in ("one", "other"))
    both = opening(skirmish_of(*RICH, "coin"))
    assert [o.case for o in both] == ["One goes first"] * 2 + ["Other goes first"] * 2
    for told, alone in zip(both, one_first + other_first, strict=True):
        assert (told.side, told.step, told.best) == (alone.side, alone.step, alone.best)
        assert dict(told.values) == pytest.approx(dict(alone.values), abs=1e-12)


def test_the_opening_of_a_tie_is_told_for_both_sides() -> None:
    system = skirmish(die=1)
    found = opening(skirmish_of(Fencer("A", 2), Fencer("B", 2), None, system=system))
    assert [(one.side, one.case) for one in found] == [(0, "A goes first"), (1, "B goes first")]
    assert dict(found[0].values)[found[0].best] > 0.5 > dict(found[1].values)[found[1].best]


def test_the_opening_may_look_at_what_is_held_back() -> None:
    (move,) = opening(skirmish_of(Fencer("A", 3, executes=3), Fencer("B", 3)))
    assert move.best == "execute"
    assert [name for name, _ in move.values] == ["light", "hard", "execute"]


def test_the_opening_names_what_is_picked_among_options_of_equal_worth() -> None:
    """Waiting is worth as much as the strike after it, but who always waits never wins."""
    lazy = Fencer("A", 1, moves=("wait", "light"))
    found = opening(skirmish_of(lazy, Fencer("B", 1, moves=("wait",))))
    assert dict(found[0].values) == pytest.approx({"wait": 1, "light": 1})
    assert found[0].best == "light"


def test_where_nothing_is_open_there_is_no_opening() -> None:
    assert opening(skirmish_of(*RICH, plans=(FIRST, FIRST))) == ()


# -- limits ----------------------------------------------------------------------------------------


def test_too_many_places_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "MOST_PLACES", 50)
    with pytest.raises(LimitError, match="attacks of 'One' have over 50 places, 0 different"):
        BestDuel(skirmish_of(*RICH))


def test_places_of_all_exchanges_count_together(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = Fencer("One", 2, 2), Fencer("Other", 2, 2)
    BestDuel(skirmish_of(replace(one, luck=0), replace(other, luck=0)))
    monkeypatch.setattr(trees, "MOST_PLACES", 300)
    with pytest.raises(LimitError, match="different attacks being done and more to come") as limit:
        BestDuel(skirmish_of(one, other))
    assert limit.value.states == 300


def test_too_many_pairs_are_told() -> None:
    with pytest.raises(LimitError, match="pairs of conditions; allowed: 10"):
        BestDuel(skirmish_of(*RICH), budget=Budget(pairs=10))


def test_no_end_of_improving_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategies, "MOST_TURNS", 1)
    with pytest.raises(LimitError, match="picks still improve after 1 turns; settle more choices"):
        BestDuel(skirmish_of(*RICH)).solve()


def test_a_deed_to_oneself_is_refused_where_both_sides_decide() -> None:
    fighter = games.Fighter("A", 2, sides=2)
    contest = games.contest(games.resting, fighter, fighter, "one")
    with pytest.raises(SetupError, match="'rest' is done to oneself; a duel that both sides"):
        BestDuel(contest)
