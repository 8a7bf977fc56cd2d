"""A duel within a budget: worked out where that is reached, else bounds and a sample of battles."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, get_args

from affray.app.battle import MOST_ROUNDS, N_BATTLES, battles_told
from affray.app.duel import check_alone, duel_view, head_of
from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN, FightChanges, in_duels
from affray.app.inputs.fight_setups import LoadedFight, opened, read_fight, with_policies
from affray.app.notes import with_notes
from affray.app.registry import system_named
from affray.app.sources import EasyFight
from affray.app.views.estimated_duels import CertainChances, EstimatedDuelView, Within
from affray.app.views.fights import DuelView, Estimate
from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.core.meter import metered
from affray.engine.budget import Budget, Clock, spending
from affray.engine.fight.course import Verdict
from affray.engine.fight.sampled.estimate import mean_of, share_of

if TYPE_CHECKING:
    from affray.engine.fight.duels.bounded import BestBounds
    from affray.engine.fight.duels.certain import CertainDuel
    from affray.engine.fight.played.record import PlayedBattle

__all__ = ["duel_within"]

SHARE = 0.5
"""The share of the seconds left that working out may take, and bounds of best play."""
MOST = 0.9
"""The share that it may take if all is found out, and solving it will be done with that."""
BOUNDING = 0.1
"""The share of the seconds left after battles that may go into bounds of what policies come to."""
FIGHTING = 0.8
"""The share of the seconds left that battles may take all together, before they go one by one."""
PLAYED_S = 5.0
"""Seconds for battles one after the other where the budget has no limit of time."""
GRACE_S = 2.0
"""Seconds that the first battle may take at least, whatever is left: one is better than none."""


class _Sample(NamedTuple):
    """Battles that were fought: their shares, and what ended them."""

    won: tuple[Estimate, Estimate]
    drawn: Estimate
    ended: Estimate
    stalled: Estimate
    rounds: Estimate
    n: int
    stopped_by: str


class _Sure(NamedTuple):
    """What is certain: by fixed policies, or of best play."""

    certain: CertainDuel | None
    best: BestBounds | None


UNSURE = _Sure(None, None)
"""Nothing is certain."""


@with_notes
def duel_within(
    system_name: str,
    source: EasyFight,
    *,
    changes: FightChanges = FIGHT_AS_WRITTEN,
    exact: bool = False,
    seed: int = 0,
    budget: Budget | None = None,
) -> DuelView | EstimatedDuelView:
    """A duel, worked out to the end, or where that is out of reach, bounded and fought many times.

    Bounds are certain: they hold what had ended when their share of the time was over, or, where
    both sides decide optimally, what best play can still come to. Battles are decided by the same
    policies. Only "optimal", which is known where a duel is solved and nowhere
    else, is replaced by the best of "greedy", "opening" and "first" for which there is time, and so
    is a policy that can't be found out in time; the view says so.

    Args:
        system_name: id of a system.
        source: the name of a shipped fight, a table, or the roster names of both sides.
        changes: what holds instead of what the fight says.
        exact: work it out in whole fractions as well; small duels only.
        seed: of the battles.
        budget: how much it may take; half of the seconds may go into working it out, or nine
            tenths where that is known to be enough. Where not one battle is over within them, the
            first may take as long again, or two seconds.

    Raises:
        SetupError: more than one fighter on a side; what the rules refuse.
        LimitError: somebody asked to stop, or not one battle was over even then.
        UnknownNameError, InputError: as for `fight_setups.load_fight`.
    """
    with spending(budget) as clock:
        read = read_fight(system_name, source, in_duels(system_named(system_name), changes))
        check_alone(read)
        try:
            loaded = opened(read)
        except LimitError as limit:
            if limit.limit == "interrupted":
                raise
            return _by_first(read, seed, clock, str(limit))
        try:
            return _within(loaded, seed, clock, exact=exact)
        finally:
            loaded.contest.forget()  # else it lies in memory until Python looks for circles


def _within(
    loaded: LoadedFight, seed: int, clock: Clock, *, exact: bool
) -> DuelView | EstimatedDuelView:
    """The same for a fight that is known."""
    try:
        with spending(clock.part(SHARE, MOST)):
            return duel_view(loaded, exact=exact)
    except LimitError as limit:
        if limit.limit == "interrupted":
            raise
        why = str(limit)
    if "optimal" not in loaded.policies:
        sample = _fought(loaded, seed, clock)
        return _view(loaded, sample, seed, ("", why), _Sure(_certain(loaded, clock), None))
    sure = _Sure(None, _best(loaded, clock))
    for policy in ("greedy", "opening"):
        try:
            with spending(clock.part(SHARE)) as part:
                fought = _instead(loaded, "optimal", policy)
                sample = _fought(fought, seed, part)
        except LimitError as limit:
            if limit.limit == "interrupted":
                raise
            continue
        fought.contest.forget()
        return _view(fought, sample, seed, ("optimal", why), sure)
    return _by_first(loaded, seed, clock, why, sure)


def _certain(loaded: LoadedFight, clock: Clock) -> CertainDuel:
    """What is certain by the policies of the fight."""
    from affray.engine.fight.duels.certain import certain_of  # numpy

    with spending(clock.part(BOUNDING)):
        return certain_of(loaded.contest, rounds=loaded.rounds)


def _best(loaded: LoadedFight, clock: Clock) -> BestBounds | None:
    """Bounds of best play; None where it is called off, which best play knows nothing of."""
    from affray.engine.fight.duels.bounded import best_within  # numpy

    if loaded.rounds is not None:
        return None
    with spending(clock.part(SHARE)):
        return best_within(loaded.contest)


def _by_first(
    loaded: LoadedFight, seed: int, clock: Clock, why: str, sure: _Sure = UNSURE
) -> EstimatedDuelView:
    """Battles by the first option, where nobody knows in time what the fight's policies do."""
    known = next(name for name in ("optimal", "greedy", "opening") if name in loaded.policies)
    fought = loaded
    for policy in {*loaded.policies} - {"first"}:
        fought = _instead(fought, policy, "first")
    sample = _fought(fought, seed, clock)
    fought.contest.forget()
    return _view(fought, sample, seed, (known, why), sure)


def _instead(loaded: LoadedFight, policy: str, other_policy: str) -> LoadedFight:
    """The fight with another policy instead of one."""
    one, other = (other_policy if name == policy else name for name in loaded.policies)
    return with_policies(loaded, (one, other))


def _fought(loaded: LoadedFight, seed: int, clock: Clock) -> _Sample:
    """Battles all together if the first of them are soon over, else one after the other."""
    from affray.engine.fight.duels.walked import walked  # numpy

    try:
        with spending(clock.part(FIGHTING)):
            found = walked(
                loaded.contest, N_BATTLES, seed=seed, rounds=loaded.rounds or MOST_ROUNDS
            )
    except LimitError as limit:
        if limit.limit == "interrupted":
            raise
        return _played(loaded, seed, clock)
    return _sample(found.verdicts, found.rounds, found.stopped_by)


def _played(loaded: LoadedFight, seed: int, clock: Clock) -> _Sample:
    """Battles played one after the other, as many as there is time for.

    Raises:
        LimitError: there was no time for one, not even beyond the budget.
    """
    from affray.engine.fight.played.play import play_battle

    def battle_of_seed(seed: int) -> PlayedBattle:
        return play_battle(
            loaded.contest, seed=seed, targeting=loaded.targets,
            rounds=loaded.rounds or MOST_ROUNDS,
        )  # fmt: skip

    verdicts: Counter[Verdict] = Counter()
    rounds: Counter[int] = Counter()
    n, stopped = 0, ""
    with spending(Budget(seconds=PLAYED_S if clock.seconds is None else None)) as counted:
        while n < N_BATTLES and not stopped:
            try:
                if n:
                    battle = battle_of_seed(seed + n)
                else:
                    with metered(_beyond(clock)):
                        battle = battle_of_seed(seed)
            except LimitError as limit:
                if limit.limit == "interrupted" or not n:
                    raise
                stopped = limit.limit
                break
            verdicts[battle.verdict] += 1
            rounds[battle.rounds] += 1
            n += 1
            counted.tell("battles", n, N_BATTLES)
            stopped = counted.over()
    return _sample(verdicts, rounds, stopped)


def _sample(verdicts: Counter[Verdict], rounds: Counter[int], stopped_by: str) -> _Sample:
    """Shares of battles, from how often each verdict came up, and in how many rounds."""
    n = verdicts.total()
    one, other, drawn, ended, stalled = (share_of(verdicts[name], n) for name in get_args(Verdict))
    total = sum(number * times for number, times in rounds.items())
    squares = sum(number * number * times for number, times in rounds.items())
    mean = mean_of(total, squares, n)
    return _Sample((one, other), drawn, ended, stalled, mean, n, stopped_by)


def _beyond(clock: Clock) -> Clock:
    """A clock for the first battle: what is left, and as long again as was given."""
    if clock.seconds is None:
        return Clock(Budget(), clock)
    left = max(0.0, clock.left) + max(GRACE_S, clock.seconds)
    return Clock(Budget(seconds=left, stop=lambda: clock.over() == "interrupted"))


def _view(
    loaded: LoadedFight,
    found: _Sample,
    seed: int,
    reasons: tuple[str, str],
    sure: _Sure,
) -> EstimatedDuelView:
    (instead, why), (certain, best) = reasons, sure
    return EstimatedDuelView(
        **head_of(loaded),
        limit=loaded.rounds or MOST_ROUNDS,
        known="estimate",
        won=found.won,
        drawn=found.drawn,
        ended=found.ended,
        stalled=found.stalled,
        rounds=found.rounds,
        certain=None if certain is None or certain.open == 1 else _chances(certain),
        best=None if best is None or best.open == 1 else Within(best.least, best.most),
        n=found.n,
        seed=seed,
        stopped_by=found.stopped_by,
        instead=instead,
        why=why,
        how=f"estimate: {battles_told(found.n)} with seed {seed}; intervals hold 95 times in 100",
    )


def _chances(certain: CertainDuel) -> CertainChances:
    one, other, drawn, ended, stalled = (
        Within(*certain.between[verdict]) for verdict in get_args(Verdict)
    )
    return CertainChances((one, other), drawn, ended, stalled, certain.open, certain.states)
