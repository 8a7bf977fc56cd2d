"""A report on a solved exchange: the choices that best play meets, what options are worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from affray.core.dice import Pool
from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.core.meter import in_portions
from affray.core.node import At, Choice, Facts, Step, fill
from affray.core.reading import Read, roll_of
from affray.engine.budget import clock_in_force, spending
from affray.engine.exchange.best import Solution, Valued
from affray.engine.exchange.flow import Decided, Flow
from affray.engine.exchange.returning import EndlessError

__all__ = ["MOST_SITUATIONS", "Decision", "Report", "Situation", "decisions", "report"]

MOST_PLACES = 3_000
"""Places of best play that are followed whole, if nothing else is said."""
MOST_SITUATIONS = 1_000
"""Situations of one choice that are listed: the most likely ones."""


class Situation(NamedTuple):
    """One place where a choice is met under optimal play.

    `about` is what the decider sees, `chance` how likely the place is to be met. Where a step
    tells several places in the same words, facts that differ among them stand beside those.
    """

    about: tuple[tuple[str, object], ...]
    options: tuple[Valued, ...]
    best: str
    chance: Fraction


class Decision(NamedTuple):
    """All situations of one choice, and what each option is worth when taken every time.

    `always` values each option as a fixed habit: taken at every situation that offers it, all
    else decided as in optimal play; a habit with which the exchange never ends is left out. `more`
    is how many situations are met besides those listed, which are the most likely ones. `closed`
    are the options that no situation offers, each with the reason.
    """

    step: str
    actor: str
    ask: str
    clauses: tuple[str, ...]
    situations: tuple[Situation, ...]
    always: tuple[Valued, ...]
    more: int = 0
    closed: tuple[tuple[str, str], ...] = ()


class Report(NamedTuple):
    """The decisions of a solved exchange, in the book's order.

    `is_whole` tells whether all choices that are met are listed. Else there were too many places,
    and choices on which no objective depends any more are left out.
    """

    decisions: tuple[Decision, ...]
    is_whole: bool


def decisions(solution: Solution) -> tuple[Decision, ...]:
    """The decisions of `report`.

    Raises:
        LimitError: the budget of the solution is spent.
    """
    return report(solution).decisions


def report(solution: Solution, most: int = MOST_PLACES) -> Report:
    """Every open choice that optimal play meets, with its most likely situations.

    Args:
        solution: the solution.
        most: up to how many places of best play are followed with everything that can be told of
            them; where there are more, what no objective depends on is forgotten.

    Raises:
        LimitError: the budget of the solution is spent.
    """
    game, minds = solution.game, solution.minds
    with spending(solution.budget):
        solution.value_at(game.start)  # solved from there on, decisions are looked up
        met = _met(solution, None, None if minds is None else most)
        is_whole = met is not None
        if met is None:
            met = _met(solution, minds, None)
        assert met is not None  # only a limit of its own stops it
        places = game.system.places
        rows = sorted(met.found.items(), key=lambda row: places[row[0][0]])
        listed = []
        for (step, actor), found in rows:
            likely, more = _likely(found, met.origins)
            listed.append(
                Decision(
                    step.name, actor, found[0].choice.ask, step.clauses,
                    _situations(solution, likely), _always(solution, step, actor, found), more,
                    _closed(found),
                )
            )  # fmt: skip
        return Report(tuple(listed), is_whole)


def _closed(found: Sequence[Decided]) -> tuple[tuple[str, str], ...]:
    """The options that no situation offers, each with the reason that was met first."""
    offered = {option.name for decided in found for option in decided.choice.options}
    reasons: dict[str, str] = {}
    for decided in found:
        for name, why in decided.choice.closed:
            if name not in offered:
                reasons.setdefault(name, why)
    return tuple(reasons.items())


class _Origin(NamedTuple):
    """Readings of a roll that are taken for one: where they lead, how likely they are."""

    then: At[Facts]
    into: str
    readings: tuple[tuple[object, int], ...]
    weight: int
    total: int


class _Met(NamedTuple):
    """The choices that optimal play meets, and what places stand for that several rolls lead to."""

    found: dict[tuple[Step[Facts], str], list[Decided]]
    origins: dict[At[Facts], list[_Origin]]


def _met(solution: Solution, needed: frozenset[str] | None, most: int | None) -> _Met | None:
    """Follow optimal play.

    Args:
        solution: the solution.
        needed: outcome fields; what only others need is dropped. None: nothing is.
        most: the most places to follow.

    Returns:
        What is met; None: there are more places than that.
    """
    game = solution.game
    met = _Met({}, {})

    def note(decided: Decided) -> None:
        if decided.at.step.name not in game.settled and len(decided.choice.options) > 1:
            met.found.setdefault((decided.at.step, decided.choice.actor), []).append(decided)

    shown = game.system.hints.shown
    flow = Flow(game, solution.decide, needed=needed, minding=shown, watch=note, most=most)
    try:
        flow.run_on()
    except LimitError as error:
        if most is None or error.limit != "places" or clock_in_force().places() <= most:
            raise
        return None
    known: dict[object, dict[object, tuple[tuple[object, int], ...]]] = {}
    for whole, read_as, weight, total in flow.read_as:
        over = total * roll_of(whole.dice, whole.read).total
        key = (whole.dice, whole.read, type(read_as.read), read_as.read)
        if key not in known:
            alone = whole.dice == read_as.dice
            known[key] = _taken_for_one(whole.dice, whole.read, read_as.read) if alone else {}
        for reading, those in known[key].items():
            place = fill(read_as.then, read_as.into, reading)
            origin = _Origin(whole.then, whole.into, those, weight, over)
            met.origins.setdefault(place, []).append(origin)
    return met


def _taken_for_one(
    dice: Pool, read: Read[object], read_as: Read[object]
) -> dict[object, tuple[tuple[object, int], ...]]:
    """For each reading the readings that it stands for, with their weights; one die only."""
    if dice.size != 1:
        return {}
    found: dict[object, dict[object, int]] = {}
    for face, weight in dice.groups[0][0].weighted:
        among = found.setdefault(read_as((face,)), {})
        reading = read((face,))
        among[reading] = among.get(reading, 0) + weight
    return {reading: tuple(among.items()) for reading, among in found.items()}


def _likely(
    found: Sequence[Decided], origins: Mapping[At[Facts], Sequence[_Origin]]
) -> tuple[Sequence[Decided], int]:
    """The most likely situations, and how many there are besides.

    A place that stands for several rolls is told apart into those.
    """
    known = [origins.get(decided.at, ()) for decided in found]
    n_met = sum(sum(len(one.readings) for one in among) or 1 for among in known)
    if n_met == len(found) <= MOST_SITUATIONS:
        return found, 0
    order = sorted(range(len(found)), key=lambda n: -found[n].weight / found[n].total)
    likely: list[Decided] = []
    for number in order:
        if len(likely) >= MOST_SITUATIONS:
            break
        likely += _told_apart(found[number], known[number])
    del likely[MOST_SITUATIONS:]
    return likely, n_met - len(likely)


def _told_apart(decided: Decided, origins: Sequence[_Origin]) -> Iterator[Decided]:
    """The situations that a place stands for, each with the choice as it is met there."""
    if not origins:
        yield decided
    for then, into, readings, weight, total in origins:
        for reading, ways in readings:
            at = fill(then, into, reading)
            choice = at.step.rule(at.facts)
            assert isinstance(choice, Choice)
            taken = choice.named(decided.taken.name)
            assert taken is not None
            yield Decided(at, choice, taken, weight * ways, total)


def _situations(solution: Solution, found: Sequence[Decided]) -> tuple[Situation, ...]:
    fields = _untold(found)
    situations = [
        Situation(
            (*decided.choice.about, *_told(decided.at.facts, fields)),
            solution.valued(decided.choice),
            decided.taken.name,
            Fraction(decided.weight, decided.total),
        )
        for part in in_portions(found)
        for decided in part
    ]
    return tuple(sorted(situations, key=lambda one: [_sortable(value) for _, value in one.about]))


def _untold(found: Sequence[Decided]) -> tuple[str, ...]:
    """Name the fields of the facts that differ where a step tells places in the same words.

    Only fields that can be said in a few words count: numbers, words, and rows of them.
    """
    alike: dict[object, Facts] = {}
    names: dict[str, None] = {}
    for part in in_portions(found):
        for decided in part:
            facts = decided.at.facts
            first = alike.setdefault(repr(decided.choice.about), facts)
            if first is not facts:
                names.update(dict.fromkeys(_differing(first, facts)))
    return tuple(names)


def _differing(one: Facts, other: Facts) -> tuple[str, ...]:
    fields: tuple[str, ...] = getattr(one, "_fields", ())
    return tuple(
        name
        for name in fields
        if (mine := getattr(one, name)) != (theirs := getattr(other, name, None))
        and _said(mine) is not None
        and _said(theirs) is not None
    )


def _told(facts: Facts, fields: Sequence[str]) -> tuple[tuple[str, object], ...]:
    return tuple((name.replace("_", " "), _said(getattr(facts, name))) for name in fields)


def _said(value: object) -> object:
    """A value in a few words, or None where it takes many."""
    if isinstance(value, (bool, int, str)):
        return value
    if not isinstance(value, tuple):
        return None
    if hasattr(value, "_fields"):
        first, *others = value or (None,)
        return None if any(others) else _said(first)
    parts = [_said(part) for part in value]
    if any(part is None for part in parts):
        return None
    return parts[0] if len(parts) == 1 else " ".join(map(str, parts)) or "nothing"


def _always(
    solution: Solution, step: Step[Facts], actor: str, found: Sequence[Decided]
) -> tuple[Valued, ...]:
    _, sign = solution.wish_of(actor)
    names: dict[str, str] = {}
    for decided in found:
        for option in decided.choice.options:
            names.setdefault(option.name, option.words if len(found) == 1 else "")
    best = solution.value_at(solution.game.start, actor)
    valued = []
    for name, words in names.items():
        try:
            worth = solution.worth_of_habit(step, actor, name)
        except EndlessError:
            continue  # it would never end, and is worth nothing that can be compared
        valued.append(Valued(name, words, worth, sign * (best - worth)))
    return tuple(valued)


def _sortable(value: object) -> tuple[int, float, str]:
    if isinstance(value, (int, float)):
        return (0, value, "")
    return (1, 0, str(value))
