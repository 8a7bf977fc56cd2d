"""A duel, worked out to the end."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise
from math import ceil, isinf, log10
from typing import TYPE_CHECKING, TypedDict

from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN, FightChanges, in_duels
from affray.app.inputs.fight_setups import LoadedFight, check_policies, load_fight
from affray.app.inputs.fight_sheets import POLICIES
from affray.app.inputs.habits import check_habits
from affray.app.notes import with_notes
from affray.app.registry import system_named
from affray.app.sources import EasyFight
from affray.app.views.fights import (
    CaseRow,
    DuelView,
    KindRow,
    LeftRow,
    OpeningRow,
    PointsLeft,
    RoundRow,
    SideRow,
)
from affray.core.errors import LimitError, SetupError
from affray.core.telling import shown
from affray.engine.budget import Budget, spending

if TYPE_CHECKING:
    from affray.engine.fight.contest import Contest, Side
    from affray.engine.fight.duels.answers import Case, DuelResult, Round
    from affray.engine.fight.duels.duel import Duel
    from affray.engine.fight.duels.exact import ExactResult

__all__ = ["FightHead", "ask_duel", "check_alone", "duel_view", "head_of"]

FOLLOWED, MOST_FOLLOWED = 128, 8192
"""Rounds that are followed one by one: at first, and at most."""
SETTLED = 1e-12
"""Probability of going on that is not followed any further."""


class FightHead(TypedDict):
    """What every view of a fight that was worked out or fought many times begins with."""

    system: str
    setup: str
    title: str
    sides: tuple[SideRow, SideRow]
    first: str
    objective: str
    rulings: dict[str, str]
    over: str
    assumed: tuple[str, ...]


def head_of(loaded: LoadedFight) -> FightHead:
    """What a view of this fight begins with."""
    contest = loaded.contest
    return FightHead(
        system=contest.system.id, setup=loaded.origin, title=loaded.title, sides=_side_rows(loaded),
        first=contest.first, objective=loaded.wanted, rulings=contest.rulings.named(),
        over=contest.fight.over, assumed=loaded.gaps,
    )  # fmt: skip


def _side_rows(loaded: LoadedFight) -> tuple[SideRow, SideRow]:
    """Both sides: who fights, and how they decide."""
    one, other = (
        _side_row(side, policy, targets)
        for side, policy, targets in zip(
            loaded.contest.sides, loaded.policies, loaded.targets, strict=True
        )
    )
    return one, other


def _side_row(side: Side, policy: str, targets: str) -> SideRow:
    numbers: dict[Hashable, int] = {}
    for fighter in side.fighters:
        numbers[fighter] = numbers.get(fighter, 0) + 1
    # The first habit of a step is the one that counts.
    habits = {
        fighter: dict(reversed(dict(reversed(side.plan_of(fighter).habits)).items()))
        for fighter in numbers
    }
    shared = {
        step: names
        for step, names in next(iter(habits.values())).items()
        if all(own.get(step) == names for own in habits.values())
    }
    fighters = tuple(
        KindRow(
            str(getattr(fighter, "name", "")), number,
            {step: names for step, names in habits[fighter].items() if step not in shared},
        )
        for fighter, number in numbers.items()
    )  # fmt: skip
    return SideRow(side.name, fighters, policy, POLICIES[policy], shared, targets)


# -- duels -------------------------------------------------------------------------------------


@with_notes
def ask_duel(
    system_name: str,
    source: EasyFight,
    *,
    changes: FightChanges = FIGHT_AS_WRITTEN,
    exact: bool = False,
    budget: Budget | None = None,
) -> DuelView:
    """A duel, worked out to the end.

    Args:
        system_name: id of a system.
        source: the name of a shipped fight, a table, or the roster names of both sides.
        changes: what holds instead of what the fight says.
        exact: work it out in whole fractions as well; small duels only.
        budget: how much it may take.

    >>> import affray
    >>> affray.duel("empty-earth", "bo-husk")
    <duel: Bo wins 100 %, Husk wins 0 %; mean 2.222 rounds>

    Raises:
        SetupError: more than one fighter on a side; what the rules refuse.
        LimitError: the budget was spent before it was known who wins.
        UnknownNameError, InputError: as for `fight_setups.load_fight`.
    """
    with spending(budget):
        loaded = load_fight(system_name, source, in_duels(system_named(system_name), changes))
        check_alone(loaded)
        try:
            return duel_view(loaded, exact=exact)
        finally:
            loaded.contest.forget()  # else it lies in memory until Python looks for circles


def check_alone(loaded: LoadedFight) -> None:
    """Check that one fights against one.

    Raises:
        SetupError: there are more.
    """
    loaded.contest.check_no_board("a duel")
    for side in loaded.contest.sides:
        if len(side.fighters) > 1:
            raise SetupError(
                f"{loaded.origin}: side {shown(side.name)} has {len(side.fighters)} fighters; a "
                "duel is one against one. Fight it as a battle",
                advice="battle",
            )


def duel_view(loaded: LoadedFight, *, exact: bool) -> DuelView:
    """A loaded duel, worked out to the end.

    Raises:
        SetupError: policies that don't go together.
        LimitError: the budget in force was spent before it was known who wins.
    """
    contest, limit = loaded.contest, loaded.rounds
    duel = _duel(loaded, exact=exact)
    check_habits(loaded)
    found = duel.solve(limit)
    rounds, stopped_by = _followed(duel, limit, found.endless)
    states, exchanges = found.states, found.exchanges
    way = f"largest residual {_within(found.residual)}"
    how = (
        f"float64, {way if limit is None else 'round by round'}; {states:,} "
        f"{_plural('state', states)}, {exchanges:,} {_plural('exchange', exchanges)}"
    )
    fraction, told = _exactly(contest, limit) if exact else (None, "")
    how += told
    return DuelView(
        **head_of(loaded),
        limit=limit,
        won=found.won,
        drawn=found.drawn,
        ended=found.ended,
        endless=found.endless,
        stalled=found.stalled,
        rounds=_finite(found.rounds),
        quartiles=(_over_by(rounds, 0.25), _over_by(rounds, 0.5), _over_by(rounds, 0.75)),
        by_round=_round_rows(rounds),
        start=(_vitals(contest, 0), _vitals(contest, 1)),
        left=(
            found.left[0] if found.won[0] else None,
            found.left[1] if found.won[1] else None,
        ),
        points=_points(duel.points(limit), 1 - found.endless),
        fates=duel.fates(limit) if contest.fight.fates else ({}, {}),
        resources=_resources(contest, found),
        cases=tuple(
            CaseRow(
                case.name, case.chance, row.won, row.drawn, row.ended, row.endless, row.stalled,
                _finite(row.rounds),
            )
            for case, row in sorted(found.cases, key=_in_order)
        ),
        exact=fraction,
        openings=_openings(duel, contest),
        states=found.states,
        exchanges=found.exchanges,
        residual=found.residual,
        partial=bool(stopped_by),
        stopped_by=stopped_by,
        how=how,
    )  # fmt: skip


def _duel(loaded: LoadedFight, *, exact: bool) -> Duel:
    """The duel, decided as its policies say."""
    from affray.engine.fight.duels.duel import Duel  # numpy; only where fights are worked out

    check_policies(loaded, loaded.policies)
    if "optimal" not in loaded.policies:
        return Duel(loaded.contest)
    if not set(loaded.policies) <= {"optimal", "first"}:
        raise SetupError(
            f"{loaded.origin}: policies {' and '.join(loaded.policies)}; "
            "'optimal' can only face 'optimal' or 'first'"
        )
    if exact:
        raise SetupError("whole fractions are for fixed policies, not for 'optimal'")
    from affray.engine.fight.duels.optimal import BestDuel

    return BestDuel(loaded.contest)


def _openings(duel: Duel, contest: Contest) -> tuple[OpeningRow, ...]:
    """The values of the choices before the first roll, where both sides were solved."""
    from affray.engine.fight.duels.optimal import BestDuel

    if not isinstance(duel, BestDuel):
        return ()
    return tuple(
        OpeningRow(contest.sides[row.side].name, row.step, row.ask, row.values, row.best)
        for row in duel.opening()
    )


def _followed(duel: Duel, limit: int | None, endless: float) -> tuple[tuple[Round, ...], str]:
    """Round after round until only what never ends goes on; and the limit that was reached."""
    most = FOLLOWED
    rounds: tuple[Round, ...] = ()
    while True:
        try:
            rounds = duel.by_round(min(limit or most, most))
        except LimitError as error:
            return rounds, error.limit
        done = len(rounds) < most or most >= MOST_FOLLOWED or most == limit
        over = [row.number for row in rounds if row.going_on <= endless + SETTLED]
        if over:
            return rounds[: over[0]], ""
        if done:
            return rounds, ""
        most = min(most * 8, MOST_FOLLOWED)


def _within(number: float) -> str:
    """The next power of ten: how much a computer misses by differs from one to the next."""
    return f"1e{ceil(log10(number)):d}" if number else "0"


def _plural(word: str, number: int) -> str:
    return word if number == 1 else f"{word}s"


def _in_order(row: tuple[Case, object]) -> int:
    """The first side's case, then the other one's."""
    first = row[0].goes_first
    return 2 if first is None else first


def _finite(number: float) -> float | None:
    return None if isinf(number) else number


def _exactly(contest: Contest, rounds: int | None) -> tuple[ExactResult | None, str]:
    """The duel in whole fractions, and how; where it is too large, None and why."""
    from affray.engine.fight.duels.exact import solve_exactly  # only where somebody asks for it

    try:
        found = solve_exactly(contest, rounds=rounds)
    except LimitError as limit:
        why = str(limit).partition(". ")[0]
        return None, f"; not in whole fractions ({why})"
    return found, f"; in whole fractions over {found.states:,} states"


def _round_rows(rounds: Sequence[Round]) -> tuple[RoundRow, ...]:
    before = [1.0, *(row.going_on for row in rounds)]
    return tuple(
        RoundRow(row.number, max(0.0, was - now), row.going_on, row.won, row.drawn, row.ended)
        for row, (was, now) in zip(rounds, pairwise(before), strict=True)
    )


def _over_by(rounds: Sequence[Round], share: float) -> int | None:
    return next((row.number for row in rounds if 1 - row.going_on >= share), None)


def _vitals(contest: Contest, side: int) -> int:
    fight, sheet = contest.fight, contest.sides[side].fighters[0]
    return fight.vitals(sheet, contest.enter(side, sheet))


def _points(
    found: tuple[dict[int, float], dict[int, float]], over: float
) -> tuple[PointsLeft, PointsLeft]:
    one, other = (
        PointsLeft(
            sum(points * chance for points, chance in chances.items()) / over if over > 0 else None,
            tuple(sorted(chances.items())),
        )
        for chances in found
    )
    return one, other


def _resources(contest: Contest, found: DuelResult) -> tuple[LeftRow, ...]:
    over = 1 - found.endless
    rows = []
    for number, side in enumerate(contest.sides):
        sheet = side.fighters[0]
        at_start = contest.fight.resources(sheet, contest.fight.enter(sheet, contest.rulings))
        for name, points in at_start.items():
            # What the engine adds up counts nothing where the duel never ends.
            left = found.resources[number].get(name, 0.0)
            rows.append(LeftRow(number, name, points, left / over if over > 0 else None))
    return tuple(rows)
