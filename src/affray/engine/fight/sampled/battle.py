"""Teams to the end, by the million: who wins, how long it takes, who carries the fight.

Battles are fought side by side in chunks, each of a size that its number alone decides, and with a
stream of dice of its own; results are added up in the order of the chunks. So the same seed gives
the same result for any number of workers, and a run that was stopped gives what a run of as many
battles gives. The rules are never written a second time: see `tables`.

Where tables grow too large, or an exchange has too many outcomes for one, battles are played one by
one instead (`one_by_one`): slower, but nothing is too large for that.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial as partial_of
from math import isclose

from affray.core.errors import LimitError, SetupError
from affray.core.lazy import NamedTuple
from affray.engine.budget import Budget, Clock, Progress, spending
from affray.engine.fight.contest import Contest
from affray.engine.fight.sampled.arrays import Floats, keep_freed_memory
from affray.engine.fight.sampled.chunk import fight_chunk
from affray.engine.fight.sampled.draws import Shared, Stream
from affray.engine.fight.sampled.estimate import Estimate, mean_of, share_of
from affray.engine.fight.sampled.one_by_one import Played, paired
from affray.engine.fight.sampled.results import BattleResult, Difference, FighterStats
from affray.engine.fight.sampled.sums import PairedSums, Sums, won_by_one
from affray.engine.fight.sampled.tables import BattleTables
from affray.engine.fight.sampled.workers import added_up
from affray.engine.fight.targeting import Targeting, checked

__all__ = ["Battle", "BattleResult", "Difference", "Estimate", "FighterStats", "compare"]

MOST_BATTLES = 100_000_000
CHUNK = 50_000
FEWEST = 1_000
"""Battles in an early chunk: fewer, the more fighters there are."""
CHUNK_FIGHTERS = 500_000
TABLES_SHARE = 0.7
"""The share of the seconds left that battles by tables may take until the first of them is over."""
TABLES_BYTES = 700_000_000
"""Memory that tables may take."""
EARLY = 2
"""So many chunks are early: something is known soon. Later ones are twice as large, and quicker."""


_Pair = tuple[Sums, Sums, PairedSums]


class _Chunks(NamedTuple):
    """How `most` battles are divided into chunks, the early ones of `size`."""

    most: int
    size: int

    def before(self, chunk: int) -> int:
        """The number of battles in all chunks before one."""
        return min(self.most, self.size * (chunk + max(0, chunk - EARLY)))

    def battles(self, chunk: int) -> int:
        """The number of battles in a chunk."""
        return self.before(chunk + 1) - self.before(chunk)

    @property
    def n_chunks(self) -> int:
        """The number of chunks."""
        full = -(-self.most // self.size)
        return full if full <= EARLY else EARLY + -(-(full - EARLY) // 2)


class Battle:
    """A battle of two teams, ready to be fought many times.

    Args:
        contest: the teams and what they fight by.
        targeting: how each side chooses targets: a name from `TARGETINGS` or a function.
        rounds: after so many a battle is broken off.
        budget: how much setting up, and each run without a budget of its own, may take; by
            default what the running one has left.

    Raises:
        SetupError: fewer than one round.
        UnknownNameError: no targeting has this name.
        LimitError: the budget was spent.
    """

    def __init__(
        self,
        contest: Contest,
        *,
        targeting: tuple[Targeting, Targeting] = ("weakest", "weakest"),
        rounds: int = 1000,
        budget: Budget | None = None,
    ) -> None:
        if rounds < 1:
            raise SetupError(f"a battle of {rounds} rounds; must be at least 1")
        contest.check_no_board("a battle")
        self.contest = contest
        self.rounds = rounds
        self.targeting = (checked(targeting[0]), checked(targeting[1]))
        self.budget = budget
        self._tables: BattleTables | None = None
        with spending(budget) as clock:
            try:
                with spending(_for_tables(clock)):
                    self._tables = BattleTables(contest, self.targeting)
            except LimitError as error:
                self._go_one_by_one(error)

    @property
    def tables(self) -> BattleTables:
        """What battles are fought by.

        Raises:
            LimitError: they are too large; battles are played one by one.
        """
        if self._tables is None:
            raise LimitError(f"{self.contest.system.id}: too large for tables", limit="bytes")
        return self._tables

    @property
    def chunk_size(self) -> int:
        """The number of battles in an early chunk."""
        return max(FEWEST, min(CHUNK, CHUNK_FIGHTERS // len(self.contest.sheets)))

    def _go_one_by_one(self, error: LimitError) -> None:
        """Do without tables from now on; unless somebody asked to stop."""
        if error.limit == "interrupted":
            raise self._none_over(error, "interrupted") from error
        self._tables = None

    def _none_over(self, error: LimitError, why: str) -> LimitError:
        """That not even one battle came to its end."""
        told = f"{why} before the first battle of {len(self.contest.sheets)} fighters was over"
        return LimitError(
            f"{self.contest.system.id}: {told}", limit=error.limit, done={"battles": 0}
        )

    def run(
        self,
        n: int | None = 10_000,
        *,
        seed: int,
        target_error: float | None = None,
        workers: int = 1,
        budget: Budget | None = None,
        played_s: float | None = None,
    ) -> BattleResult:
        """Fight battles.

        Args:
            n: how many; with `target_error` at most so many, None: as many as it takes, up to a
                hundred million.
            seed: the same seed and `n` give the same result.
            target_error: go on until `BattleResult.error` is no more than this.
            workers: processes, or threads where these can't be forked off.
            budget: how much it may take; `progress` is told after each chunk. When it is spent,
                the result so far comes back as partial.
            played_s: seconds for battles that have to be played one by one; None: as many as
                the budget allows.

        Raises:
            SetupError: neither `n` nor `target_error`, or numbers that make no sense.
            LimitError: the budget was spent before the first battle was over.
            AnswerError: a targeting rule names nobody who stands.
        """
        _check_wanted(n, target_error, seed, workers)
        with spending(budget or self.budget) as clock:
            return self._run(n, seed, target_error, (workers, clock, played_s))

    def _run(
        self,
        n: int | None,
        seed: int,
        target_error: float | None,
        how: tuple[int, Clock, float | None],
    ) -> BattleResult:
        workers, clock, played_s = how
        most = _most(n, clock)

        def told(sums: Sums) -> bool:
            error = _error(sums)
            _tell(clock, Progress("battles", sums.n, n, error))
            return target_error is not None and error <= target_error

        found = self._by_tables(most, seed, (told, workers, clock))
        if found is None:
            played = Played(self.contest, self.targeting, (self.rounds, seed, clock))
            with spending(Budget(seconds=played_s)) as counted:
                try:
                    found = added_up(played.sums, told, Sums.plus, (most, workers, counted))
                except LimitError as error:
                    raise self._none_over(error, str(error)) from error
        sums, limit = found
        unsure = n is None and target_error is not None and _error(sums) > target_error
        if not limit and sums.n == most and (most < (n or 0) or unsure):
            limit = "battles"
        return self._result(sums, (n, limit, seed))

    def _by_tables(
        self, most: int, seed: int, how: tuple[Callable[[Sums], bool], int, Clock]
    ) -> tuple[Sums, str] | None:
        """So many battles by tables, and the limit that broke them off; None: too large."""
        tables, (told, workers, clock) = self._tables, how
        if tables is None:
            return None
        chunks = _Chunks(most, self.chunk_size)
        keep_freed_memory()

        def work(chunk: int) -> Sums:
            here = chunks.battles(chunk)
            with spending(_for_tables(clock, first=not chunk)):
                ended = fight_chunk(tables, here, self.rounds, lambda: Stream(seed, chunk))
                return Sums.of(tables, ended)

        try:
            return added_up(work, told, Sums.plus, (chunks.n_chunks, workers, clock))
        except LimitError as error:
            self._go_one_by_one(error)
            return None

    def _result(self, sums: Sums, asked: tuple[int | None, str, int]) -> BattleResult:
        n, names = sums.n, self.contest.fight.fates
        wanted, limit, seed = asked
        rounds = sum(number * count for number, count in sums.histogram.items())
        squares = sum(number * number * count for number, count in sums.histogram.items())
        return BattleResult(
            n=n,
            wanted=wanted,
            partial=bool(limit),
            stopped_by=limit,
            seed=seed,
            won=(share_of(sums.won[0], n), share_of(sums.won[1], n)),
            drawn=share_of(sums.drawn, n),
            ended=share_of(sums.ended, n),
            stalled=share_of(sums.stalled, n),
            rounds=mean_of(rounds, squares, n),
            histogram=dict(sorted(sums.histogram.items())),
            survivors=(
                dict(sorted(sums.survivors[0].items())), dict(sorted(sums.survivors[1].items()))
            ),
            by_fate=tuple(
                {name: _likely(row) for name, row in zip(names[1:], rows, strict=True)}
                for rows in sums.by_fate
            ),
            fighters=tuple(self._stats(sums, number) for number in range(len(sums.stands))),
            error=_error(sums),
            tables=self._tables.size() if self._tables else {},
            by_thumb=sums.by_thumb,
        )  # fmt: skip

    def _stats(self, sums: Sums, number: int) -> FighterStats:
        side, place = divmod(number, self.contest.course.sizes[0])
        if side:
            side, place = 1, number - self.contest.course.sizes[0]
        n = sums.n
        dealt, taken, outs = (
            mean_of(float(part.total[number]), float(part.squares[number]), n)
            for part in (sums.dealt, sums.taken, sums.outs)
        )
        fates = {
            name: _mean_share(float(row.total[number]), float(row.squares[number]), n)
            for name, row in zip(self.contest.fight.fates, sums.fates, strict=True)
        }
        return FighterStats(
            side, place, self.contest.names[side][place], share_of(int(sums.stands[number]), n),
            dealt, taken, _share(sums, number), outs, fates,
        )  # fmt: skip


def _mean_share(total: float, squares: float, n: int) -> Estimate:
    """The mean of chances: neither it nor its interval leave 0 to 1."""
    one = mean_of(total, squares, n)
    if isclose(total, 0, abs_tol=1e-9 * n) or isclose(total, n, rel_tol=1e-9):
        return share_of(round(total), n)
    return Estimate(one.value, max(0.0, one.low), min(1.0, one.high))


def _apart(total: float, squares: float, n: int) -> Estimate:
    """How far apart two chances are, from differences of 0 or 1 either way."""
    if squares:
        return mean_of(total, squares, n)
    unseen = share_of(0, n).high
    return Estimate(0.0, -unseen, unseen)


def _likely(row: Floats) -> dict[int, float]:
    """Battles to be expected, by number of fighters."""
    return {number: float(row[number]) for number in row.nonzero()[0].tolist()}


def compare(
    one: Battle,
    other: Battle,
    n: int,
    *,
    seed: int,
    workers: int = 1,
    budget: Budget | None = None,
) -> tuple[BattleResult, BattleResult, Difference]:
    """Fight two battles with the same luck, to see by how much they differ.

    Dice are drawn for every battle, round and fighter apart, and the higher a draw the more harm
    it does; so both setups meet like luck, and the difference is much surer than that of two
    runs. `progress` is told the error of the difference of wins.

    Args:
        one: the first setup.
        other: the second.
        n: battles of each.
        seed: as for `Battle.run`; so are the others.
        workers: processes or threads.
        budget: as for `Battle.run`.

    Raises:
        SetupError, LimitError, AnswerError: as for `Battle.run`.
    """
    _check_wanted(n, None, seed, workers)
    with spending(budget) as clock:
        return _compared((one, other), n, seed, (workers, clock))


def _compared(
    both_battles: tuple[Battle, Battle], n: int, seed: int, how: tuple[int, Clock]
) -> tuple[BattleResult, BattleResult, Difference]:
    (one, other), (workers, clock) = both_battles, how
    most = _most(n, clock)

    def plus(first: _Pair, second: _Pair) -> _Pair:
        return first[0].plus(second[0]), first[1].plus(second[1]), first[2].plus(second[2])

    def told(sums: _Pair) -> bool:
        won = mean_of(*sums[2].won, sums[0].n)
        _tell(clock, Progress("battles", sums[0].n, n, 50 * (won.high - won.low)))
        return False

    found = _compared_by_tables(both_battles, (most, seed), (told, plus, workers, clock))
    if found is None:
        one._tables = other._tables = None
        mine, theirs = (
            Played(battle.contest, battle.targeting, (battle.rounds, seed, clock))
            for battle in both_battles
        )

        def pair(number: int) -> _Pair:
            return paired(mine.sums(number), theirs.sums(number))

        found = added_up(pair, told, plus, (most, workers, clock))
    whole, limit = found
    done = whole[0].n
    asked = (n, limit or ("battles" if done < n else ""), seed)
    return (
        one._result(whole[0], asked),
        other._result(whole[1], asked),
        Difference(_apart(*whole[2].won, done), mean_of(*whole[2].rounds, done), done),
    )


_Ways = tuple[Callable[[_Pair], bool], Callable[[_Pair, _Pair], _Pair], int, Clock]


def _compared_by_tables(
    both_battles: tuple[Battle, Battle], asked: tuple[int, int], how: _Ways
) -> tuple[_Pair, str] | None:
    """Pairs of battles by tables, and the limit that broke them off; None: too large."""
    (one, other), (most, seed), (told, plus, workers, clock) = both_battles, asked, how
    if one._tables is None or other._tables is None:
        return None
    chunks = _Chunks(most, min(one.chunk_size, other.chunk_size))
    each = one._tables, other._tables

    def work(chunk: int) -> _Pair:
        here = chunks.battles(chunk)
        both = []
        with spending(_for_tables(clock, first=not chunk)):
            for battle, x in zip(both_battles, each, strict=True):
                draws = partial_of(
                    Shared, seed, chunk, size=here, sides=(len(x.sides[0]), len(x.sides[1])),
                    actions=x.contest.course.exchanges,
                )  # fmt: skip
                ended = fight_chunk(x, here, battle.rounds, draws)
                both.append((Sums.of(x, ended), won_by_one(x, ended), ended.rounds))
        (mine, wins, rounds), (theirs, their_wins, their_rounds) = both
        return mine, theirs, PairedSums.of((wins, their_wins), (rounds, their_rounds))

    try:
        return added_up(work, told, plus, (chunks.n_chunks, workers, clock))
    except LimitError as error:
        one._go_one_by_one(error)
        return None


def _for_tables(clock: Clock, *, first: bool = True) -> Budget:
    """What tables may take; of time until the first battles by them are over."""
    part = clock.part(TABLES_SHARE) if first else Budget()
    return part._replace(bytes=min(TABLES_BYTES, clock.bytes))


def _tell(clock: Clock, progress: Progress) -> None:
    """Tell how far battles are, at once."""
    here: Clock | None = clock
    while here is not None:
        if here.budget.progress is not None:
            here.budget.progress(progress)
        here = here.outer


def _most(n: int | None, clock: Clock) -> int:
    """The largest number of battles to fight."""
    return min(MOST_BATTLES if n is None else n, clock.battles(MOST_BATTLES))


def _check_wanted(n: int | None, target_error: float | None, seed: int, workers: int) -> None:
    """Refuse numbers that make no sense."""
    if n is None and target_error is None:
        raise SetupError("how many battles, or up to which error? Neither was given")
    if n is not None and not 1 <= n <= MOST_BATTLES:
        raise SetupError(f"{n} battles; allowed: 1 to {MOST_BATTLES}")
    if target_error is not None and target_error <= 0:
        raise SetupError(f"an error of {target_error} percentage points; must be more than 0")
    if workers < 1:
        raise SetupError(f"{workers} workers; must be at least 1")
    if seed < 0:
        raise SetupError(f"the seed {seed}; must be at least 0")


def _error(sums: Sums) -> float:
    won = share_of(sums.won[0], sums.n)
    return 50 * (won.high - won.low)


def _share(sums: Sums, number: int) -> Estimate:
    """A fighter's part of its side's damage: a ratio of means."""
    whole = float(sums.by_side.total[number])
    if not whole:
        return Estimate(0.0, 0.0, 0.0)
    share = float(sums.dealt.total[number]) / whole
    squares = (
        float(sums.dealt.squares[number])
        - 2 * share * float(sums.together[number])
        + share * share * float(sums.by_side.squares[number])
    )
    # The mean of damage less the share of the side's damage is 0 by definition.
    off = mean_of(0.0, squares, sums.n).high * sums.n / whole
    return Estimate(share, max(0.0, share - off), min(1.0, share + off))
