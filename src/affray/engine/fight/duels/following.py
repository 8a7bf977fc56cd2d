"""A duel followed round after round from its start, all ways to begin side by side.

A fight that looks short is followed in whole rounds, any other only as long as it goes on
(`going`). Once little is left and it dies away evenly, all further rounds are counted at once. If
it takes very long, pairs that never end (`endless`) are looked for and left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from affray.engine.fight.course import DECIDED
from affray.engine.fight.duels.endless import endless
from affray.engine.fight.duels.going import KEPT, Fading, Going
from affray.engine.fight.duels.sending import WON
from affray.engine.fight.duels.whole_round import WholeRound

if TYPE_CHECKING:
    from affray.engine.fight.duels.ahead import AnyLeads
    from affray.engine.fight.duels.stand_ins import Both
    from affray.engine.fight.duels.sweep import Sweep

__all__ = ["Followed", "followed"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEFT = 1e-16
"""Probability of a fight still going on with which it is taken to be over."""
LOST = 1e-13
"""Probability that no rounding loses: by so much a round and what has ended may miss one."""
LITTLE = 1e-7
"""Probability of a fight still going on with which all further rounds may be counted at once."""
OFTEN = 8
"""After so many rounds it is asked what is still likely."""
NEARLY = 4
"""So many rounds before the end it no longer pays to ask."""
SHORT = 20
"""A fight that is over in so many rounds is followed in whole ones."""
MANY = 500_000
"""Pairs, counted for each way to begin, of which no whole rounds are followed: a few of them take
as long as it takes to make ready what only follows what goes on."""
SLOW, PATIENCE = 16, 256
"""After so many rounds it is asked whether the fight is over in so many more."""


def followed(
    sweep: Sweep,
    start: int,
    leads: Sequence[AnyLeads],
    onto: Sequence[Both] | None = None,
) -> Iterator[tuple[Floats, Floats]]:
    """Round after round.

    Args:
        sweep: the duel.
        start: the pair of conditions in which it begins.
        leads: for each way to begin the probability that side one goes first in a round, by pair
            of conditions.
        onto: as for `WholeRound`.

    Yields:
        How likely each pair of conditions is to be fighting on after the round, and to be that in
        which the fight ended in the round; a row for each way to begin.
    """
    round_ = WholeRound(sweep, leads, onto)
    here = round_.begun(start)
    if here is None:  # over before it begins
        over = np.zeros((round_.n_ways, sweep.n_pairs))
        over[:, start] = 1
        yield np.zeros_like(over), over
        return
    while True:
        here, ended = round_.after(here)
        yield round_.on_by_number(here), round_.over_by_number(ended)


class Followed:
    """The rounds of a duel from its start, as far as anybody has asked for them.

    Args:
        sweep, start, leads, onto: as for `followed`.

    Attributes:
        begins: whether it isn't over before it begins.
        on: how likely the fight goes on after each round, by way to begin.
        may_end: how much of that is still followed: all but what was found never to end.
        ended: what is decided by then: a row for each way to begin, verdicts as in `DECIDED`.
    """

    def __init__(
        self,
        sweep: Sweep,
        start: int,
        leads: Sequence[AnyLeads],
        onto: Sequence[Both] | None = None,
    ) -> None:
        self._whole = WholeRound(sweep, leads, onto)
        self._start, self._begin = start, self._whole.begun(start)
        self.begins = self._begin is not None
        self.on: list[Floats] = []
        self.may_end: list[float] = []
        self._fading: tuple[int, Fading] | None = None
        self.ended: list[Floats] = []
        self._decided: list[Floats] = []
        self._endless: NDArray[np.bool_] | None = None
        self._is_settled = self._comes_again = False
        self._short: _Short | None = None
        self._here: list[Floats] = []
        if self._begin is not None and self._begin.size < MANY:
            self._short = _Short(self._whole, self._begin)
        elif self._begin is not None:
            self._go_at_length(0)

    def over(self, shares: Floats | None = None) -> tuple[Floats, float, tuple[Ints, Ints]]:
        """How likely each pair of conditions is the last so far.

        After that no further round is followed.

        Args:
            shares: the share of each way to begin, a row for each mixture of them that is asked
                for; None: each way by itself.

        Returns:
            A row for each mixture, with a column for each pair; by how much the equations are
            missed at most (what begins a round is the start, or what goes on after a round); and
            the conditions of either side that make up the pairs. What never ends counts in neither.
        """
        whole = self._whole
        mixed = np.eye(whole.n_ways) if shares is None else shares
        if self._begin is None:
            one, other = (np.array([here]) for here in divmod(self._start, whole.sweep.n[1]))
            return mixed.sum(1, keepdims=True), 0.0, (one, other)
        self._is_settled = True
        if self._short is not None:
            ends, self._short = self._short.ends(mixed), None
            return ends
        # Where it is not the same in all of them what never ends, they can't be mixed yet.
        apart = mixed if self._endless is None else np.eye(whole.n_ways)
        differs, corners = whole.ends(self._begun(), apart)
        differs[np.nonzero(self._begin[:, :, 0])] += apart.sum(1)
        if self._endless is not None:
            differs[self._endless] = 0
        whole.settle()
        over, among = whole.last(corners)
        return over if apart is mixed else mixed @ over, float(np.abs(differs).max()), among

    def _begun(self) -> Iterator[Floats]:
        """How often each pair has begun a round, for one way to begin after the other.

        Rounds are dropped once that is told, and nothing is followed any more.
        """
        going = self._going
        del self._going, self._here
        for way in range(self._whole.n_ways):
            begun = going.begun_in(way)
            if self._endless is not None:
                begun[self._endless[:, :, way]] = 0
            yield begun

    @property
    def rounds(self) -> Floats:
        """The mean number of rounds so far, by way to begin; of all, once it was followed."""
        n, later = len(self.on), np.zeros(self._whole.n_ways)
        if self._fading is not None:
            n, (_, later) = self._fading
        found: Floats = self.begins + np.sum(self.on[:n], 0) + later
        return found

    def go_on(self) -> None:
        """Follow one more round."""
        whole = self._whole
        if self._begin is None:
            self.on.append(np.zeros(whole.n_ways))
            self.may_end.append(0.0)
            self.ended.append(whole.decided(self._start))
            return
        ended = self.ended[-1] if self.ended else np.zeros((whole.n_ways, len(DECIDED)))
        if self._fading is not None:
            self._follow_from_those_before(self._fading[1].shares)
            return
        if self._is_settled or (self._endless is not None and self.may_end[-1] <= LEFT):
            self.on.append(self.on[-1])
            self.may_end.append(self.may_end[-1])
            self.ended.append(ended)
            return
        if self._short is not None:
            on, decided = self._short.after()
            self.on.append(on)
            self.may_end.append(float(on.max()))
            self.ended.append(ended + decided)
            self._decided.append(decided)
            self._stay_short(len(self.on))
            return
        self._here, decided = self._going.after(self._here)
        self.ended.append(ended + decided)
        self._decided.append(decided)
        on = self._going.on(self._here)
        self.may_end.append(float(on.max()))
        self.on.append(on if self._endless is None else 1 - self.ended[-1].sum(1))
        if self._comes_again:
            return
        if float(np.abs(1 - on - self.ended[-1].sum(1)).max()) > LOST:
            self._follow_all_again(n=len(self.on))
        elif len(self.on) % OFTEN == 0 and not self._is_over_within(NEARLY, OFTEN // 2):
            self._here = self._going.likely(self._here)

    def _follow_all_again(self, n: int) -> None:
        """Something that was left out as next to impossible has come again: leave nothing out.

        Magazines do that: they are empty after some rounds, and full again later.
        """
        self._comes_again = True
        del self.on[-1], self.may_end[-1], self.ended[-1], self._decided[-1]
        self._go_at_length(n - 1)
        self.go_on()

    def _follow_from_those_before(self, shares: Floats) -> None:
        """Add a round that is the sum of shares of the rounds before it, the last one first."""
        n = len(shares)
        on = np.maximum(0, shares @ np.array(self.on[: -n - 1 : -1]))
        decided = np.maximum(0, np.tensordot(shares, self._decided[: -n - 1 : -1], 1))
        self._decided.append(decided)
        self.on.append(on)
        self.may_end.append(float(on.max()))
        self.ended.append(self.ended[-1] + decided)

    def _stay_short(self, rounds: int) -> None:
        """Follow whole rounds only while the fight looks short after so many of them.

        Else only what goes on is followed, which is quicker, but takes long to make ready.
        """
        if rounds == 1 or self.may_end[-1] <= LEFT:
            return
        if not self._is_over_within(max(1, SHORT - rounds), 1):
            self._go_at_length(rounds)

    def _go_at_length(self, rounds: int) -> None:
        """Follow only what goes on; the first rounds are followed once more."""
        assert self._begin is not None  # else no round is followed
        self._short = None
        self._going = Going(self._whole, self._begin)
        self._here = self._going.start()
        for _ in range(rounds):
            self._here, _ = self._going.after(self._here)

    def _is_over_within(self, rounds: int, since: int) -> bool:
        """Whether the fight is over in so many rounds, at the rate of the last ones."""
        now, before = self.may_end[-1], self.may_end[-1 - since]
        return not now or now * (now / before) ** (rounds / since) <= LEFT

    def to_the_end(self) -> bool:
        """Follow until next to nothing goes on but what never ends; False if that takes long."""
        while not self.on or (self.may_end[-1] > LEFT and not self._is_settled):
            n = len(self.on)
            if n >= SLOW and n % SLOW == 0 and not self._is_over_within(PATIENCE, SLOW // 2):
                if self._endless is not None or not self._leave_endless():
                    return False
                continue
            self.go_on()
            if self._dies_away():
                break
        return True

    def _dies_away(self) -> bool:
        """Whether little is left, and all further rounds are counted at once."""
        if (
            self._short is not None
            or self._endless is not None
            or not 0 < self.may_end[-1] <= LITTLE
            or len(self.on) < KEPT  # the start is no round
        ):
            return False
        fading = self._going.fading(self._here)
        if fading is None:
            return False
        self._fading = len(self.on), fading
        self._is_settled = True
        return True

    def _leave_endless(self) -> bool:
        """No longer follow what never ends; whether there is anything of it."""
        found = endless(self._whole)
        if not found.any():
            return False
        assert self._short is None  # a fight that looks short can't look slow
        self._endless, self._comes_again = found, True
        here = self._going.leave(self._here, found)
        if here is None:
            before = self._going.begun()
            left = np.where(found, 0, self._going.pairs(self._here))
            self._going = Going(self._whole, left, found, before)
            here = self._going.start()
        self._here = here
        self.may_end[-1] = float(self._going.on(self._here).max())
        return True


class _Short:
    """Whole rounds of a fight, with all pairs of conditions in which it ends.

    Args:
        whole: the rounds.
        begin: what begins the first one.
    """

    def __init__(self, whole: WholeRound, begin: Floats) -> None:
        self._whole, self._here = whole, begin
        self._over: list[Floats] = []
        # The verdicts in each corner, each with the pairs that have it.
        self._verdicts = [
            [(WON[code], (codes == code).ravel()) for code in np.unique(codes).tolist()]
            for codes in whole.codes()
        ]

    def after(self) -> tuple[Floats, Floats]:
        """How likely the fight goes on after one more round, and what that decides.

        A row for each way to begin.
        """
        self._here, over = self._whole.after(self._here)
        decided = np.zeros((self._whole.n_ways, len(DECIDED)))
        for verdicts, values in zip(self._verdicts, over, strict=True):
            by_pair = values.reshape(-1, values.shape[2])
            for verdict, pairs in verdicts:
                decided[:, verdict] += pairs @ by_pair
        if self._over:
            for known, values in zip(self._over, over, strict=True):
                np.add(known, values, out=known)
        else:
            self._over = [values.copy() for values in over]  # they are corners of larger arrays
        on: Floats = self._here.sum((0, 1))
        return on, decided

    def ends(self, mixed: Floats) -> tuple[Floats, float, tuple[Ints, Ints]]:
        """As `Followed.over`; what still goes on counts as missed."""
        self._whole.settle()
        ended = self._over
        if not np.array_equal(mixed, np.eye(self._whole.n_ways)):  # mostly there is nothing to mix
            ended = [values @ mixed.T for values in ended]
        over, among = self._whole.last(ended)
        return over, float(self._here.max(initial=0.0)), among
