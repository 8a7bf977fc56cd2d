"""A fight looked back at: what happened, who carried it, luck, decisions, the chances along it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic
from typing import TYPE_CHECKING

from affray.app.fight_outlook import Outlook
from affray.app.inputs.fight_sheets import SIDES
from affray.app.notes import with_notes
from affray.app.views.fight_reports import (
    CarriedRow,
    ChanceRow,
    CostlyRow,
    CurvePoint,
    ExchangeRow,
    FightReportView,
    LuckRow,
    OptionWorth,
    SideLuckRow,
)
from affray.core.actor import role_of
from affray.core.errors import LimitError
from affray.core.fight import WIN
from affray.core.lazy import NamedTuple
from affray.core.node import At, Choice, Facts, Option
from affray.core.system import Objective
from affray.core.telling import value_told
from affray.engine.budget import Budget, spending
from affray.engine.exchange.best import objective_named, solve
from affray.engine.exchange.game import Narrow
from affray.engine.exchange.hindsight import (
    Hindsight,
    JudgedChoice,
    JudgedRoll,
    hindsight,
    luck,
)
from affray.engine.exchange.session import Session
from affray.engine.fight.course import FighterId
from affray.engine.fight.played.computers import plans_of
from affray.engine.fight.played.deeds import called_in
from affray.engine.fight.played.foresight import UnforeseenError, foresight_of
from affray.engine.fight.played.position import Event, Exchange, Position
from affray.engine.fight.played.session import FightSession
from affray.engine.fight.played.telling import changes

if TYPE_CHECKING:
    from affray.app.fight import Fight

__all__ = ["SECONDS", "ask_report"]

SECONDS = 20.0
"""The seconds that a report takes at most, unless it is told otherwise."""
ON_JUDGING = 0.5
"""The share of them for luck and decisions; the rest is for the chances along the fight."""
TOO_LARGE = "they were too large"
UNFORESEEN = "what they did to the chance to win is not known exactly"
"""Why exchanges are not judged."""
MOST_POINTS = 24
"""Points of the curve at most; of a longer fight it leaves some out."""


class _Exchange(NamedTuple):
    """One exchange of the fight, and where the fight stood at its last question and after it."""

    number: int
    event: Event
    session: Session
    before: Position
    after: Position


@with_notes
def ask_report(
    fight: Fight, objective: str = "", budget: Budget | None = None, *, seed: int = 1
) -> FightReportView:
    """Look back at a fight, as far as it was played.

    Args:
        fight: the fight.
        objective: in what luck and decisions are told, or `win`: in the chance to win the fight;
            that of the fight by default.
        budget: how much it may take; exchanges that don't fit are not judged.
        seed: of the fights that are played out for the chances.

    Raises:
        UnknownNameError: an unknown objective.
    """
    with spending(budget):
        return _report(fight, objective, budget, seed)


def _report(fight: Fight, objective: str, budget: Budget | None, seed: int) -> FightReportView:
    contest = fight.session.contest
    wanted = objective or fight.loaded.wanted
    wins = wanted == WIN and fight.loaded.whole is None
    goal = None if wins else objective_named(contest.system, wanted)
    seconds = SECONDS if budget is None or budget.seconds is None else budget.seconds
    exchanges = tuple(_exchanges(fight.session))
    judge = _in_fight(fight) if goal is None else _in_exchange(goal)
    judged, unjudged = _judged(exchanges, judge, seconds * ON_JUDGING)
    here = fight.session.position
    one, other = (side.name for side in here.contest.sides)
    luck = tuple(_luck_rows(exchanges, judged))
    decisions = sorted(_costly_rows(exchanges, judged), key=lambda row: -row.cost)
    return FightReportView(
        system=fight.system,
        setup=fight.loaded.origin,
        title=fight.loaded.title,
        sides=(one, other),
        verdict=fight.verdict,
        rounds=here.moment.round,
        objective=wanted,
        meaning="chance to win the fight" if goal is None else goal.title,
        exchanges=tuple(map(_exchange_row, exchanges)),
        carried=_carried(fight, exchanges),
        luck=luck,
        of_sides=tuple(
            _of_side(luck, side, (one, other)[n])
            for n, side in enumerate(SIDES)
            if judged or not exchanges
        ),
        decisions=tuple(decisions),
        unjudged=unjudged,
        why_unjudged=UNFORESEEN if wins else TOO_LARGE,
        curve=_curve(fight, exchanges, seconds * (1 - ON_JUDGING), seed),
    )


def _exchanges(session: FightSession) -> Iterator[_Exchange]:
    """The exchanges of a fight, in order."""
    number, before = 0, session.line[0].position
    for here in session.line:
        for event in here.events:
            if event.kind == "exchange" and event.session is not None:
                number += 1
                yield _Exchange(number, event, event.session, before, here.position)
        before = here.position


# -- what happened ---------------------------------------------------------------------------------


def _exchange_row(exchange: _Exchange) -> ExchangeRow:
    event, here = exchange.event, exchange.after
    rolls = (
        f"{line.dice}: {', '.join(map(str, line.faces))}"
        for line in exchange.session.log
        if line.faces
    )
    told = [
        f"{here.name(change.fighter)}: {change.label} {value_told(change.before)} → "
        f"{value_told(change.after)}"
        for change in changes(here, event)
    ]
    said = [line.says for line in exchange.session.log if line.says]
    deed, target = called_in(here, event)
    return ExchangeRow(
        exchange.number,
        event.round,
        _name(here, event.fighter),
        deed,
        _name(here, target) if target != event.fighter else "",
        "; ".join(rolls),
        "; ".join(told) or (said[-1] if said else "nothing came of it"),
    )


def _name(here: Position, who: FighterId | None) -> str:
    return "" if who is None else here.name(who)


def _carried(fight: Fight, exchanges: tuple[_Exchange, ...]) -> tuple[CarriedRow, ...]:
    """What every fighter did and took, who did most harm first."""
    here = fight.session.position
    rules = here.contest.fight
    everybody = here.course.everybody
    harm, suffered, felled = (dict.fromkeys(everybody, 0) for _ in range(3))
    for _, event, session, _, after in exchanges:
        outcome = session.outcome
        actor, target = event.fighter, event.target
        if outcome is None or actor is None or target is None:
            continue
        mates = after.mates(target)
        effects = (
            (actor, target, rules.effect(outcome, "target")),
            (target, actor, rules.effect(outcome, "actor")),
            *((actor, mates[place], effect) for place, effect in rules.helped(outcome)),
        )
        for by, on, effect in effects:
            points = rules.harm(effect)
            if points and by != on:
                harm[by] += points
            suffered[on] += points
            if by.side != on.side and _fell(after, event, on):
                felled[by] += 1
    fates = {row.name: row.state for row in fight.view().fighters}
    rows = [
        CarriedRow(
            here.name(who), SIDES[who.side], harm[who], suffered[who], felled[who],
            fates[here.name(who)],
        )
        for who in everybody
    ]  # fmt: skip
    return tuple(sorted(rows, key=lambda row: (-row.harm, -row.felled)))


def _fell(after: Position, event: Event, who: FighterId) -> bool:
    """Whether somebody was put out by an exchange."""
    is_out, sheet = after.contest.fight.is_out, after.sheet(who)
    then = event.before[who.side][who.place]
    return not is_out(sheet, then) and is_out(sheet, event.after[who.side][who.place])


# -- luck and decisions ----------------------------------------------------------------------------


_Judge = Callable[[_Exchange], Hindsight]
"""Looks back at an exchange; raises `UnforeseenError` where its worth is not known."""


def _in_exchange(goal: Objective[Facts]) -> _Judge:
    """Judges exchanges by an objective of their own."""
    return lambda exchange: hindsight(exchange.session, solve(exchange.session.game, goal))


def _in_fight(fight: Fight) -> _Judge:
    """Judges exchanges by the chance to win the fight, where two fight.

    Where some option leads to what the computer's plans never come to, rolls alone are judged, with
    those options onwards that were taken or that plans leave.
    """
    outlook = fight.computers.outlook

    def judged(exchange: _Exchange) -> Hindsight:
        here, session = outlook.ready(exchange.before), exchange.session
        foresight = foresight_of(here)
        if foresight is None or not isinstance(here.need, Exchange):
            raise UnforeseenError
        wish = foresight.wish(here, here.need)
        try:
            return hindsight(session, solve(session.game, wish))
        except UnforeseenError:
            game = session.game._replace(narrow=_by_plans(here, here.need, session))
            return Hindsight(luck(session, solve(game, wish)), ())

    return judged


def _by_plans(here: Position, exchange: Exchange, session: Session) -> Narrow:
    """The options of an exchange that plans leave, and those that were taken."""
    plans = plans_of(here, exchange, here.contest)
    taken = {row.at: row.answer.option for row in session.steps_taken if row.answer is not None}

    def narrow(at: At[Facts], choice: Choice[Facts]) -> tuple[Option[Facts], ...]:
        found, was = plans(at, choice), choice.named(taken.get(at, ""))
        return found if was is None or was in found else (*found, was)

    return narrow


def _judged(
    exchanges: tuple[_Exchange, ...], judge: _Judge, seconds: float
) -> tuple[dict[int, Hindsight], tuple[int, ...]]:
    """Every exchange looked back at, and the numbers of those that could not be judged in time."""
    found, unjudged = {}, []
    deadline = monotonic() + seconds
    for exchange in exchanges:
        try:
            with spending(Budget(seconds=max(0.0, deadline - monotonic()))) as clock:
                clock.poll()
                found[exchange.number] = judge(exchange)
        except (LimitError, UnforeseenError):
            unjudged.append(exchange.number)
    return found, tuple(unjudged)


def _who(exchange: _Exchange, actor: str) -> tuple[str, str]:
    """The name and the side of whoever has a role in an exchange."""
    event, here = exchange.event, exchange.after
    roles = exchange.session.game.system.actors
    assert event.fighter is not None  # somebody acts,
    assert event.target is not None  # and somebody is acted upon
    caught = here.caught(event.target, exchange.session)
    who = event.fighter if role_of(actor) == roles[0] else caught.get(actor, event.target)
    return here.name(who), SIDES[who.side]


def _luck_rows(exchanges: tuple[_Exchange, ...], judged: dict[int, Hindsight]) -> Iterator[LuckRow]:
    for exchange in exchanges:
        rolls: tuple[JudgedRoll, ...] = ()
        if exchange.number in judged:
            rolls = judged[exchange.number].rolls
        for roll in rolls:
            if roll.open:
                yield LuckRow(
                    exchange.number, *_who(exchange, roll.actor), roll.ask, roll.dice,
                    roll.faces, float(roll.percentile), float(roll.gain),
                )  # fmt: skip


def _of_side(luck: tuple[LuckRow, ...], side: str, name: str) -> SideLuckRow:
    rows = [row for row in luck if row.side == side]
    mean = sum(row.percentile for row in rows) / len(rows) if rows else 0.5
    return SideLuckRow(side, name, len(rows), mean, sum(row.gain for row in rows))


def _costly_rows(
    exchanges: tuple[_Exchange, ...], judged: dict[int, Hindsight]
) -> Iterator[CostlyRow]:
    for exchange in exchanges:
        choices: tuple[JudgedChoice, ...] = ()
        if exchange.number in judged:
            choices = judged[exchange.number].choices
        for choice in choices:
            if len(choice.options) > 1:
                yield CostlyRow(
                    exchange.number, *_who(exchange, choice.actor), choice.ask,
                    choice.taken.name, choice.best.name, float(choice.taken.cost),
                    tuple(
                        OptionWorth(one.name, float(one.value), float(one.cost))
                        for one in choice.options
                    ),
                )  # fmt: skip


# -- the chances along the fight -------------------------------------------------------------------


def _curve(
    fight: Fight, exchanges: tuple[_Exchange, ...], seconds: float, seed: int
) -> tuple[CurvePoint, ...]:
    """The chances before the first exchange and after each; as many as there is time for."""
    if fight.loaded.whole is not None:
        return ()
    try:
        outlook = Outlook(fight.loaded)
    except LimitError:  # the openings of both sides take all the time
        return ()
    places = [(0, fight.session.line[0].position)]
    places += [(exchange.number, exchange.after) for exchange in exchanges]
    step = -(-len(places) // MOST_POINTS)
    places = [place for n, place in enumerate(places) if n % step == 0 or n == len(places) - 1]
    # What the first point works out may serve all others, so half of the time is for it.
    each = seconds / 2 / max(1, len(places) - 1)
    found: list[CurvePoint] = []
    for number, here in places:
        try:
            spent = Budget(seconds=each if found else seconds / 2)
            chances = outlook.chances(here, spent, seed)
        except LimitError as error:
            if error.limit == "interrupted":
                break
            continue
        known = "exact" if chances.is_exact else "estimate"
        one, other = (ChanceRow(*side) for side in chances.won)
        neither = ChanceRow(*chances.neither)
        found.append(CurvePoint(number, here.moment.round, one, other, neither, known))
    return tuple(found)
