"""A duel in which both sides decide optimally, with the whole fight in view.

Every exchange is followed into a table with all its choices. Picks are improved in turn: for
fixed picks the duel is a chain that one sweep solves; then whoever may gain picks better, with
what follows worth what the sweep found. First the second side until it finds nothing better,
then the first side once, and so on: strategy iteration. At the end nobody can gain more than
the residual by any other pick at any state.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from affray.core.errors import LimitError, SetupError
from affray.core.fight import UNKNOWN
from affray.core.node import At, Choice, Facts, Go
from affray.engine.contest import Contest
from affray.engine.duel import MOST_PAIRS, Direction, Duel, DuelResult, Party
from affray.engine.game import Game, considered
from affray.engine.kernel import Kernel, Leaf, Look, Pick, Roll
from affray.engine.matchup import Row, filled
from affray.engine.sweep import Phase, Sweep, Way

__all__ = ["BestDuel", "Opening"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

GAIN = 1e-11
"""What another pick has to gain at least before it is taken."""
MOST_PLACES = 2_000_000
MOST_TURNS = 200


class Opening(NamedTuple):
    """A choice before the first roll of the duel, and what each option is worth.

    `values` are probabilities that the first side wins, draws counting one half.
    """

    side: int
    step: str
    ask: str
    values: tuple[tuple[str, float], ...]
    best: str


class Tree:
    """One exchange with its choices: places, those that they lead to before them.

    Attributes:
        leaves: the place and the number of the pair of effects of each end.
        pairs: pairs of effects.
        inner: rolls with probabilities, and picks (no probabilities) with who picks.
    """

    def __init__(self, kernel: Kernel, root: At[Facts], held: Hashable, contest: Contest) -> None:
        self.kernel, self.root_at, self.held = kernel, root, held
        self.effect = contest.fight.effect
        self.acting = contest.system.actors[0]
        self.place: dict[int, int] = {}
        self.leaves: list[tuple[int, int]] = []
        self.inner: list[tuple[int, Ints, Floats | None, bool]] = []
        numbers: dict[tuple[Hashable, Hashable], int] = {}
        self.root = self._visit(kernel.number(root, MOST_PLACES), numbers)
        self.pairs = tuple(numbers)
        self.n_places = len(self.leaves) + len(self.inner)
        self.n_picks = sum(chances is None for _, _, chances, _ in self.inner)

    def _visit(self, root: int, numbers: dict[tuple[Hashable, Hashable], int]) -> int:
        """Put in a place and all that it leads to; without recursion, since rows get long."""
        stack = [(root, False)]
        while stack:
            number, ready = stack.pop()
            if number in self.place:
                continue
            place = self.kernel.places[number]
            below = self._below(number)
            if not ready and below:
                stack.append((number, True))
                stack += [(child, False) for child in below if child not in self.place]
                continue
            self._put(number, place, below, numbers)
        return self.place[root]

    def _below(self, number: int) -> Sequence[int]:
        place = self.kernel.places[number]
        if isinstance(place, Look):
            at = At(place.at.step, filled(place.at.facts, self.held))
            return (self.kernel.number(at, MOST_PLACES),)
        return place.to

    def _put(
        self,
        number: int,
        place: object,
        below: Sequence[int],
        numbers: dict[tuple[Hashable, Hashable], int],
    ) -> None:
        if isinstance(place, Look):
            self.place[number] = self.place[below[0]]
            return
        here = self.place[number] = len(self.leaves) + len(self.inner)
        if isinstance(place, Leaf):
            pair = self.effect(place.facts, "actor"), self.effect(place.facts, "target")
            self.leaves.append((here, numbers.setdefault(pair, len(numbers))))
        elif isinstance(place, Roll):
            weights: dict[int, int] = {}
            for child, weight in zip(below, place.weights, strict=True):
                weights[self.place[child]] = weights.get(self.place[child], 0) + weight
            chances = np.array(list(weights.values())) / place.total
            self.inner.append((here, np.array(list(weights)), chances, False))
        elif isinstance(place, Pick):
            children = np.array([self.place[child] for child in below])
            self.inner.append((here, children, None, place.actor == self.acting))

    # -- many columns at once --------------------------------------------------------------------

    def backward(
        self, ends: Floats, picks: Ints, sides: tuple[bool, bool], signs: tuple[float, float]
    ) -> tuple[Floats, Ints]:
        """Values of all places, and better picks where somebody may choose anew.

        Args:
            ends: value of each pair of effects, a column for each state.
            picks: what is picked now: pick by state.
            sides: whether the actor, whether the target, picks anew.
            signs: 1 where the actor, the target wants large values, -1 for small ones.
        """
        values = np.empty((self.n_places, ends.shape[1]))
        for place, pair in self.leaves:
            values[place] = ends[pair]
        fresh, number = picks.copy(), 0
        columns = np.arange(ends.shape[1])
        for place, children, chances, actors in self.inner:
            if chances is not None:
                values[place] = chances @ values[children]
                continue
            below = values[children]
            now = below[picks[number], columns]
            mine = 0 if actors else 1
            if sides[mine]:
                signed = below * signs[mine]
                best = signed.argmax(0)
                better = signed[best, columns] > now * signs[mine] + GAIN
                fresh[number] = np.where(better, best, picks[number])
                values[place] = below[fresh[number], columns]
            else:
                values[place] = now
            number += 1
        return values, fresh

    def forward(self, picks: Ints) -> Floats:
        """Probability of each pair of effects, for each state a row."""
        n = picks.shape[1]
        chance = np.zeros((self.n_places, n))
        chance[self.root] = 1
        number = self.n_picks
        for place, children, chances, _ in reversed(self.inner):
            if chances is not None:
                chance[children] += chances[:, None] * chance[place]
                continue
            number -= 1
            for option, child in enumerate(children):
                taken = picks[number] == option
                if taken.any():
                    chance[child] += np.where(taken, chance[place], 0.0)
        ends = np.zeros((len(self.pairs), n))
        for place, pair in self.leaves:
            ends[pair] += chance[place]
        return ends.T


class Trees(Direction):
    """A direction whose rows are trees: all that may come out of an exchange."""

    def __init__(self, contest: Contest, side: int, parties: tuple[Party, Party]) -> None:
        super().__init__(contest, side, parties)
        self.contest = contest
        game = Game(contest.system, _NOWHERE, {}, self.matchup.plans)
        self.kernel = Kernel(game, frozenset(), lifts=False, needed=self.fight.needed)
        self.trees: dict[int, Tree] = {}
        self._known: dict[tuple[At[Facts], Hashable], int] = {}

    def _row(self, one: Hashable, other: Hashable) -> int:
        fight = self.fight
        for deed in fight.deeds(self.actor.sheet, one):
            if deed.on != "foe":
                continue
            mine, theirs = fight.shown(one), fight.shown(other)
            at = self.matchup.start(deed.name, mine, theirs, UNKNOWN, fight.context(()))
            if at is None:
                continue
            try:
                return self._tree(at, fight.held(other))
            except SetupError:
                continue
        return self.passed

    def _tree(self, at: At[Facts], held: Hashable) -> int:
        known = self._known.get((at, None))
        if known is None:
            known = self._known.get((at, held))
        if known is None:
            tree = Tree(self.kernel, at, held, self.contest)
            number = len(self.rows)
            self.rows.append(Row(tree.pairs, (0,) * len(tree.pairs), 1))
            self.trees[number] = tree
            looks = any(isinstance(self.kernel.places[place], Look) for place in tree.place)
            known = self._known[at, held if looks else None] = number
        return known


_NOWHERE: At[Facts] = At.__new__(At, None, ())  # type: ignore[arg-type]  # kernels start nowhere


class BestDuel(Duel):
    """A duel in which both sides decide for the whole fight; made like `Duel`.

    The first side wants to win, a draw or an end by rule counting one half; the second side wants
    the opposite.
    """

    direction = Trees

    def __init__(self, contest: Contest, *, most_pairs: int = MOST_PAIRS) -> None:
        self._solved: dict[object, _Strategy] = {}
        super().__init__(contest, most_pairs=most_pairs)

    def _sweep(self, leads: Floats | float) -> Sweep:
        key = leads if isinstance(leads, float) else leads.tobytes()
        known = self._solved.get(key)
        if known is None:
            known = self._solved[key] = _Strategy(self, leads).solve()
            self.residual = max(self.residual, known.gain)
        return known.sweep

    def solve(self, rounds: int | None = None) -> DuelResult:
        """As `Duel.solve`; a limit of rounds is not known to those who decide.

        Raises:
            LimitError: exchanges with too many places, or no end of improving.
        """
        return super().solve(rounds)

    def opening(self) -> tuple[Opening, ...]:
        """The choices before the first roll, in the first way to begin."""
        start = next(iter(self._starts()))
        self._sweep(start.leads)
        key = start.leads if isinstance(start.leads, float) else start.leads.tobytes()
        return self._solved[key].opening()


class _Strategy:
    """Picks of both sides at every state, improved until nobody gains."""

    def __init__(self, duel: BestDuel, leads: Floats | float) -> None:
        self.duel = duel
        self.directions = [one for one in duel.directions if isinstance(one, Trees)]
        self.sweep = Sweep(duel, leads, [])
        self.gain = 0.0
        self.columns = self._utility()
        self.values: Floats = np.zeros((0,))
        on = self.sweep.going_on()
        self.groups: list[dict[int, tuple[Ints, Ints]]] = []
        self.picks: list[dict[int, Ints]] = []
        for phase in self.sweep.phases:
            direction = self.directions[phase.actor]
            rows = direction.numbers()
            standing = on if phase.actor == 0 else on.T
            groups: dict[int, tuple[Ints, Ints]] = {}
            for number in np.unique(rows[standing]):
                one, other = np.nonzero((rows == number) & standing)
                groups[int(number)] = one, other
            self.groups.append(groups)
            self.picks.append({
                number: np.zeros((direction.trees[number].n_picks, len(actor)), np.int64)
                for number, (actor, _) in groups.items()
                if number in direction.trees
            })  # fmt: skip

    def _utility(self) -> Floats:
        columns = self.duel.questions()
        utility: Floats = columns[..., 0] + (columns[..., 2] + columns[..., 3]) / 2
        return np.stack([utility, np.zeros_like(utility)], -1)

    def solve(self) -> _Strategy:
        """Improve until nobody gains."""
        for _ in range(MOST_TURNS):
            for _ in range(MOST_TURNS):
                self._evaluate()
                if not self._improve(1):
                    break
            if not self._improve(0):
                break
        else:
            raise LimitError(
                f"{self.duel.contest.system.id}: no end of improving after {MOST_TURNS} turns; "
                "settle more choices",
                states=self.sweep.n_pairs,
            )
        return self

    def _evaluate(self) -> None:
        self.sweep.ways = [self._way(number) for number in range(len(self.sweep.phases))]
        self.values = self.sweep.run(self.columns, 1)[..., 0]

    def _way(self, number: int) -> Way:
        phase = self.sweep.phases[number]
        direction = self.directions[phase.actor]
        actor, target = direction.actor, direction.target
        rows = np.full((len(actor.conditions), len(target.conditions)), 0)
        size = 1 + sum(len(mine) for mine, _ in self.groups[number].values())
        long = max([1, *(len(tree.pairs) for tree in direction.trees.values())])
        mine = np.zeros((size, long), np.int64)
        theirs, chance = np.zeros_like(mine), np.zeros((size, long))
        chance[0, 0] = 1  # the turn in which nothing can be done
        at = 1
        for row, (one, other) in self.groups[number].items():
            tree = direction.trees.get(row)
            if tree is None:
                continue
            part = slice(at, at + len(one))
            rows[one, other] = np.arange(part.start, part.stop)
            n = len(tree.pairs)
            mine[part, :n] = [actor.effects[effect] for effect, _ in tree.pairs]
            theirs[part, :n] = [target.effects[effect] for _, effect in tree.pairs]
            chance[part, :n] = tree.forward(self.picks[number][row])
            at = part.stop
        maps = self.sweep.maps
        return Way(rows, mine, theirs, chance, maps[phase.actor], maps[1 - phase.actor], False)

    def _ends(self, number: int, phase: Phase, row: int) -> Floats:
        """What each pair of effects of a tree is worth, for each of its states."""
        sweep, direction = self.sweep, self.directions[phase.actor]
        one, other = self.groups[number][row]
        pairs = direction.trees[row].pairs
        mine = np.array([direction.actor.effects[effect] for effect, _ in pairs])
        theirs = np.array([direction.target.effects[effect] for _, effect in pairs])
        begun = sweep.begun[phase.actor][one]
        after = sweep.maps[phase.actor][mine[:, None], begun[None, :]]
        struck = sweep.maps[1 - phase.actor][theirs[:, None], other[None, :]]
        if phase.ends_round:
            after = sweep.ended[phase.actor][after]
            struck = sweep.ended[1 - phase.actor][struck]
        if phase.actor == 1:
            after, struck = struck, after
        ends: Floats = self.values[phase.then][after * sweep.n[1] + struck]
        return ends

    def _improve(self, side: int) -> bool:
        """Better picks of one side; whether there were any."""
        changed, self.gain = False, 0.0 if side == 0 else self.gain
        for number, phase in enumerate(self.sweep.phases):
            trees = self.directions[phase.actor].trees
            acts = phase.actor == side
            sign = 1.0 if phase.actor == 0 else -1.0
            for row, picks in self.picks[number].items():
                if not len(picks):
                    continue
                ends = self._ends(number, phase, row)
                values, fresh = trees[row].backward(ends, picks, (acts, not acts), (sign, -sign))
                if (fresh != picks).any():
                    changed = True
                    self.picks[number][row] = fresh
                else:
                    self._note(number, phase, row, values[trees[row].root])
        return changed

    def _note(self, number: int, phase: Phase, row: int, values: Floats) -> None:
        """By how much a value is missed."""
        one, other = self.groups[number][row]
        first, second = (one, other) if phase.actor == 0 else (other, one)
        here = self.values[number + self.sweep.offset][first * self.sweep.n[1] + second]
        self.gain = max(self.gain, float(np.abs(values - here).max(initial=0.0)))

    def opening(self) -> tuple[Opening, ...]:
        """Choices before the first roll, along what is picked."""
        duel, sweep = self.duel, self.sweep
        leads = np.asarray(sweep.leads).ravel()
        ahead = float(leads[duel.start_pair if len(leads) > 1 else 0])
        number = 0 if len(sweep.phases) == 2 * duel.contest.fight.actions or ahead >= 0.5 else (
            len(sweep.phases) // 2
        )  # fmt: skip
        phase = sweep.phases[number]
        direction = self.directions[phase.actor]
        start = (direction.actor.start, direction.target.start)
        row = int(direction.numbers()[start])
        if row not in direction.trees:
            return ()
        tree = direction.trees[row]
        one, other = self.groups[number][row]
        column = int(np.nonzero((one == start[0]) & (other == start[1]))[0][0])
        ends = self._ends(number, phase, row)
        sign = 1.0 if phase.actor == 0 else -1.0
        values, _ = tree.backward(ends, self.picks[number][row], (False, False), (sign, -sign))
        found, at = [], tree.root_at
        while True:
            node = at.step.rule(at.facts)
            if isinstance(node, Choice):
                options = considered(direction.kernel.game, at, node)
                acts = node.actor == tree.acting
                side = phase.actor if acts else 1 - phase.actor
                worth = [
                    float(values[tree.place[direction.kernel.number(o.at, MOST_PLACES)], column])
                    for o in options
                ]
                best = int(np.argmax(np.array(worth) * (1 if side == 0 else -1)))
                if len(options) > 1:
                    rows = tuple((o.name, w) for o, w in zip(options, worth, strict=True))
                    found.append(Opening(side, at.step.name, node.ask, rows, options[best].name))
                at = options[best].at
            elif isinstance(node, Go):
                at = At(node.step, node.facts)
            else:
                return tuple(found)
