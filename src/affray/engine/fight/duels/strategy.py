"""Picks of both sides for a whole duel, improved until nobody gains.

For fixed picks a duel is a chain that one sweep solves; then both sides pick better, exchange by
exchange, with what follows worth what the sweep found. That is strategy iteration. At the end
nobody can gain more than the residual by other picks in any one exchange, wherever the duel stands.

Worth is counted from a stalemate: 1/2 for a win of the first side, -1/2 for one of the second,
nothing for a draw, for an end by rule and for a fight that never ends. A pick stays unless another
one gains, and at first it is the option that is listed first: so ties are broken.

A fight that may be endless needs more care. Two options may be worth the same, though one puts off
the end for ever and the other leads to it. The side that is behind should take the first, and no
exchange by itself shows a gain. So such fights are first improved as if each exchange might be the
last, with a chance that gets smaller: then delay is worth something to the side that is behind.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from affray.core.errors import LimitError, SetupError
from affray.core.fight import Deed
from affray.core.meter import meter_in_force
from affray.core.node import At, Facts
from affray.core.unknown import Looked
from affray.engine.budget import Clock, clock_in_force
from affray.engine.exchange.game import Game
from affray.engine.exchange.kernel import Kernel
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import ORDINARY, first_deed
from affray.engine.fight.duels.closure import closed
from affray.engine.fight.duels.duel import AnyClosure, Duel
from affray.engine.fight.duels.duelists import PASS, Attacks, Duelist
from affray.engine.fight.duels.grove import Grove
from affray.engine.fight.duels.sweep import AttackArrays, Sweep
from affray.engine.fight.duels.tree import Signs, Tree
from affray.engine.fight.matchup import EffectOdds, Encounter

__all__ = ["AttackTrees", "States", "Strategy", "TreeDuel"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

GAIN = 1e-11
"""The least gain for which a pick is changed."""
CERTAIN = 1e-9
"""A probability is called one if it is no further from it."""
CALLED_OFF = (1e-2, 1e-4, 1e-6)
"""Chances that an exchange is the last, one after the other, while endless fights are improved."""
MOST_PLACES = 5_000_000
"""Places that the exchanges of one fighter may have, all of them together."""
MOST_TURNS = 200
"""Rounds of improvement after which the solver gives up."""
TOGETHER = 50
"""Rounds in which both sides improve at once; after them they take turns."""
AT_ONCE = 4_000_000
"""Numbers that one tree holds at once."""


class AttackTrees(Attacks):
    """A direction whose exchanges are trees; the effects of a row are all that may come of one.

    Attributes:
        game: the rules, and what both sides take into consideration.
        trees: the tree of each attack.
        roots: where each of them starts, and the hidden part of the target; None for a turn
            without a deed.
    """

    def __init__(
        self,
        contest: Contest,
        side: int,
        duelists: tuple[Duelist, Duelist],
        *,
        kind: int = ORDINARY,
    ) -> None:
        super().__init__(contest, side, duelists, kind=kind)
        self.name = contest.sides[side].name
        self.game = Game(contest.system, _NOWHERE, {}, self.matchup.plans)
        self.trees = [Tree(((PASS, PASS),), ())]
        self.roots: list[tuple[At[Facts], Hashable] | None] = [None]
        hints = self.matchup.hints

        def kernel() -> Kernel:
            return Kernel(self.game, lifts=False, needed=hints.needed, seams=hints.seams)

        self.grove = Grove(kernel, self.fight.effect, self.matchup.pared)
        self._alike: dict[At[Facts], int] = {}
        self._by_part: dict[tuple[At[Facts], Hashable], int] = {}
        self._by_root: dict[int, int] = {}

    def place(self, at: At[Facts], part: Hashable) -> tuple[int, bool]:
        """As `Grove.place`.

        Raises:
            LimitError: too many places.
        """
        places = clock_in_force().places(MOST_PLACES)
        try:
            return self.grove.place(at, part, places)
        except LimitError as error:
            if error.limit != "places" or self.grove.n_followed <= places:
                raise  # too deep, or too long
            raise LimitError(
                f"{self.game.system.id}: with every choice open the attacks of {self.name!r} "
                f"have over {places:,} places, {len(self.trees) - 1} different attacks being "
                "done and more to come. Settle more choices in the plans of both sides, leave "
                "fewer points to spend, or solve each exchange by itself",
                limit="places",
                states=places,
                done={"places": places, "exchanges": len(self.trees) - 1},
            ) from None

    def _found(self, one: Hashable, other: Hashable) -> tuple[int, bool]:
        roots, alike = self._roots(one, other)

        def attempt(_: Deed, at: At[Facts]) -> int | None:
            with suppress(SetupError):  # the rules refuse it at a later step
                return self._number_of(at, self.matchup.hints.hidden.part(other))
            return None

        number = first_deed(roots, attempt)
        alike = alike and all(at in self._alike for _, at in roots)
        return self.passed if number is None else number, alike

    def _roots(self, one: Hashable, other: Hashable) -> tuple[list[tuple[Deed, At[Facts]]], bool]:
        """The places where exchanges between two conditions start, with the hidden unknown.

        And whether these starts are the same whatever the target hides.
        """
        hidden, roots, alike = self.matchup.hints.hidden, [], True
        for deed, targets in self._attempts(one):
            if targets == (self.who,):
                raise SetupError(
                    f"{self.game.system.id}: {deed.name!r} is done to oneself; a duel that both "
                    "sides decide optimally knows deeds to the other fighter only. Solve each "
                    "exchange by itself"
                )
            visible = self.matchup.visible(Encounter(deed, one, other, self.alone))
            try:
                at = self.matchup.veiled_start(visible)
            except Looked:  # the declaration does: then there is nothing to share
                at = self.matchup.veiled_start(visible, hidden.part(other))
                alike = False
            if at is not None:
                roots.append((deed, at))
        return roots, alike

    def _number_of(self, at: At[Facts], part: Hashable) -> int:
        known = self._alike.get(at, self._by_part.get((at, part)))
        if known is not None:
            return known
        root, looks = self.place(at, part)
        self.matchup.note(self.grove.kernel.offered)
        number = self._by_root.get(root)
        if number is None:
            number = self._by_root[root] = len(self.odds)
            tree, _ = self.grove.tree(root)
            self.odds.append(EffectOdds(tree.pairs, (0,) * len(tree.pairs), 1))
            self.trees.append(tree)
            self.roots.append((at, part))
        if looks:
            self._by_part[at, part] = number
        else:
            self._alike[at] = number
        return number


_NOWHERE: At[Facts] = At.__new__(At, None, ())  # type: ignore[arg-type]  # kernels start nowhere


class TreeDuel(Duel):
    """A duel whose attacks keep all their choices.

    Attributes:
        trees: the attacks of either side.
    """

    trees: tuple[AttackTrees, ...]
    in_classes = False

    def _worked_out(self, clock: Clock) -> tuple[AnyClosure, None]:
        closure = closed(self.contest, (Duelist, AttackTrees), clock)
        self.trees = closure.attacks
        return closure, None


class States:
    """States of one slot that share an exchange, a column each.

    Attributes:
        slot: the number of the slot. attack: its number. tree: the same with all its choices.
        one, other: the conditions of both sides. rows: where these states stand in the slot.
        picks: what is picked: choice by column.
    """

    __slots__ = ("attack", "one", "other", "picks", "rows", "slot", "tree")

    def __init__(
        self, slot: int, attack: tuple[int, Tree], pairs: tuple[Ints, Ints], at: int
    ) -> None:
        self.slot, (self.attack, self.tree) = slot, attack
        self.one, self.other = pairs
        self.rows = slice(at, at + len(self.one))
        self.picks = np.zeros((self.tree.n_picks, len(self.one)), np.int64)


class Strategy:
    """Picks of both sides at every state, improved until nobody gains.

    Attributes:
        sweep: the duel under what is picked.
        values: what each pair of conditions is worth at each place in a round.
        states: for each slot all states, by exchange.
        residual: the most that a side could gain by other picks in one exchange.
    """

    def __init__(self, duel: TreeDuel, leads: Floats | float) -> None:
        self.duel = duel
        self.attacks = duel.trees
        self.sweep = Sweep(duel.duelists, duel.attacks, leads, [])
        self.residual = 0.0
        questions = duel.questions
        worth: Floats = (questions[..., 0] - questions[..., 1]) / 2
        self.columns = np.stack([worth, np.zeros_like(worth)], -1)
        self.values: Floats = np.zeros((self.sweep.n_places, self.sweep.n_pairs))
        numbers = range(len(self.sweep.slots))
        self.states = [self._shared(number) for number in numbers]
        self.arrays = [self._arrays(number) for number in numbers]
        self.sweep.arrays = self.arrays

    def _shared(self, number: int) -> list[States]:
        slot = self.sweep.slots[number]
        attacks = self.attacks[slot.attacks]
        one, other = np.nonzero(self.sweep.going_on())
        acting = (one, other) if slot.actor.side == 0 else (other, one)
        row = attacks.numbers(slot.number)[acting]
        order = np.argsort(row, kind="stable")
        names, sizes = np.unique(row, return_counts=True)
        stops = np.cumsum(sizes)
        found: list[States] = []
        meter = meter_in_force()
        for name, start, stop in zip(names, stops - sizes, stops, strict=True):
            meter.tick()
            tree = attacks.trees[name]
            width = max(1, AT_ONCE // tree.n_places)
            for at in range(start, stop, width):
                part = order[at : min(at + width, stop)]
                found.append(States(number, (int(name), tree), (one[part], other[part]), at))
        return found

    def _arrays(self, number: int) -> AttackArrays:
        """The exchanges of a slot as arrays: a row for each state; still without chances."""
        slot, states = self.sweep.slots[number], self.states[number]
        acts, attacks = slot.actor.side, self.attacks[slot.attacks]
        shape = (
            states[-1].rows.stop if states else 1,
            max(len(row.effects) for row in attacks.odds),
        )
        meter = meter_in_force()
        meter.claim(8 * 3 * shape[0] * shape[1], f"{shape[0]:,} states with {shape[1]:,} outcomes")
        mine, theirs = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        rows = np.zeros(self.sweep.n, np.int64)
        for some in states:
            meter.tick(8)
            n, pairs = len(some.tree.pairs), some.tree.pairs
            mine[some.rows, :n] = [attacks.actor.effects[effect] for effect, _ in pairs]
            theirs[some.rows, :n] = [attacks.target.effects[effect] for _, effect in pairs]
            rows[some.one, some.other] = np.arange(some.rows.start, some.rows.stop)
        own, foe = self.sweep.maps[acts], self.sweep.maps[1 - acts]
        rows = rows if acts == 0 else rows.T
        return AttackArrays(rows, mine, theirs, np.zeros(shape), own, foe, actor_stays=False)

    def begin_like(self, known: Strategy) -> None:
        """Take over what another strategy of the same duel picks, slot by slot."""
        theirs = {
            (slot.actor, slot.number, slot.extra): states
            for slot, states in zip(known.sweep.slots, known.states, strict=True)
        }
        for slot, states in zip(self.sweep.slots, self.states, strict=True):
            for mine, other in zip(
                states, theirs[slot.actor, slot.number, slot.extra], strict=True
            ):
                mine.picks = other.picks

    # -- improving -------------------------------------------------------------------------------

    def solve(self) -> None:
        """Improve until nobody gains.

        Raises:
            LimitError: it does not end.
        """
        for states in self._all():
            self.note(states, states.picks, np.ones(len(states.one), np.bool_))
        for chance in CALLED_OFF if self.may_be_endless() else ():
            self._improve(1 - chance)
        self._improve(1.0)
        self.residual = self.gains()

    def _all(self) -> Iterator[States]:
        meter = meter_in_force()
        for states in self.states:
            for some in states:
                meter.tick(8)
                yield some

    def _improve(self, goes_on: float) -> None:
        """Improve until nobody gains, where each exchange is followed by more with a chance."""
        clock = clock_in_force()
        for turn in range(MOST_TURNS):
            clock.tell("turns of improving", turn)
            self.evaluate(goes_on)
            if turn < TOGETHER:
                better = self._pick_better((1, -1), goes_on)
            else:
                # The first side improves only when the second one has nothing left to improve:
                # that comes to an end for certain.
                better = self._pick_better((0, -1), goes_on) or self._pick_better((1, 0), goes_on)
            if not better:
                return
        raise LimitError(
            f"{self.duel.contest.system.id}: picks still improve after {MOST_TURNS} turns; settle "
            "more choices in the plans of both sides",
            limit="turns",
            states=self.sweep.n_places * self.sweep.n_pairs,
        )

    def evaluate(self, goes_on: float) -> None:
        """The worth of every state under the current picks."""
        sweep = self.sweep
        if goes_on < 1:
            sweep.arrays = [one._replace(chance=one.chance * goes_on) for one in self.arrays]
        sweep.residual = 0.0
        self.values = sweep.run(self.columns, 1)[..., 0]
        sweep.arrays = self.arrays

    def _pick_better(self, wishes: Signs, goes_on: float) -> bool:
        """Better picks wherever there are any; whether there were.

        Args:
            wishes: what the first and the second side make of values: 1 large, -1 small; 0 if
                they keep what is picked.
            goes_on: how likely it is that more follows after an exchange.
        """
        changed = False
        for states in self._all():
            if states.tree.n_picks:
                picks, ends = states.picks, self.ends_of(states, self.values) * goes_on
                _, fresh = states.tree.backward(ends, picks, self._signs(states, wishes), GAIN)
                if fresh is not picks:
                    changed = True
                    self.note(states, fresh, (fresh != picks).any(0))
        return changed

    def note(self, states: States, picks: Ints, changed: Bools) -> None:
        """Pick otherwise in some columns."""
        states.picks = picks
        chances = self.arrays[states.slot].chance[states.rows, : len(states.tree.pairs)]
        chances[changed] = states.tree.forward(picks[:, changed]).T

    def _signs(self, states: States, wishes: Signs) -> Signs:
        actor = self.sweep.slots[states.slot].actor.side
        return wishes[actor], wishes[1 - actor]

    def _there(self, states: States) -> Ints:
        """The pair of conditions after each pair of effects: a row for each state."""
        n = len(states.tree.pairs)
        there = np.empty((len(states.one), n), np.int64)
        moves = self.sweep.nexts(states.one, states.other, states.slot)
        for part, first, second, _ in moves:
            there[part] = (first * self.sweep.n[1] + second)[:, :n]
        return there

    def pairs_of(self, states: States) -> Ints:
        """The pair of conditions of each state."""
        pairs: Ints = states.one * self.sweep.n[1] + states.other
        return pairs

    def ends_of(self, states: States, values: Floats) -> Floats:
        """The worth of each pair of effects: pair by state."""
        ends: Floats = values[self.sweep.then[states.slot]].take(self._there(states)).T
        return ends

    def gains(self) -> float:
        """The most that a side gains by other picks in one exchange, all else staying as it is."""
        most = self.sweep.residual
        for states in self._all():
            now = self.values[self.sweep.offset + states.slot].take(self.pairs_of(states))
            ends = self.ends_of(states, self.values)
            for wishes in ((1, 0), (0, -1)):
                signs = self._signs(states, wishes)
                values, _ = states.tree.backward(ends, states.picks, signs, 0.0)
                most = max(most, float(np.abs(values[-1] - now).max(initial=0.0)))
        return most

    # -- fights without end ----------------------------------------------------------------------

    def may_be_endless(self) -> bool:
        """Whether the fight could go on for ever if both sides wanted it.

        An endless fight must return to some pair of conditions again and again. So it stays in one
        block: pairs that can come back to each other. This finds the largest set of states that
        both sides together can keep in their block for ever:

            all states that go on  -->  drop those whose every pick may leave the block or
            the set  -->  again, until nothing is dropped  -->  endless if any are left
        """
        sweep, leads = self.sweep, np.asarray(self.sweep.leads).ravel()
        one, other = (
            duelist.components(table)[0]
            for duelist, table in zip(self.duel.duelists, sweep.maps, strict=True)
        )
        block = (one[:, None] * (1 + other.max()) + other[None, :]).ravel()
        on = sweep.going_on().ravel()
        lasts = np.tile(on, (sweep.n_places, 1))
        while lasts.any():
            before = lasts.copy()
            for states in self._all():
                here, there = self.pairs_of(states), self._there(states)
                then = before[sweep.then[states.slot]].take(there)
                stays = then & (block.take(there) == block.take(here)[:, None])
                values, _ = states.tree.backward(stays.T.astype(float), states.picks, (1, 1), 0.0)
                lasts[sweep.offset + states.slot, here] &= values[-1] > 1 - CERTAIN
            if sweep.offset:
                behind = lasts[1 + len(sweep.slots) // 2]
                lasts[0] &= (lasts[1] | (leads == 0)) & (behind | (leads == 1))
            if (lasts == before).all():
                return True
        return False
