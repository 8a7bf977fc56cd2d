"""Results of tools in a few lines, for those who read rather than count."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import singledispatch
from itertools import islice

from affray.app.views.advice import AdviceView, AdvisedRow, EstimatedBestView
from affray.app.views.books import (
    ExampleView,
    RosterView,
    RulesView,
    SchemaView,
    SystemRow,
    SystemsView,
)
from affray.app.views.checked import CheckedView
from affray.app.views.envelope import View
from affray.app.views.estimated_duels import EstimatedDuelView
from affray.app.views.estimates import Between, EstimatedOddsView
from affray.app.views.exchanges import BestView, NextRow, OddsView, PlayView, QuestionRow
from affray.app.views.exports import ExportView
from affray.app.views.fight_reports import ChancesView
from affray.app.views.fights import BattleView, DuelView, SideRow
from affray.app.views.played_fights import FighterRow, FightQuestionRow, FightView
from affray.core.errors import AffrayError, Fault
from affray.core.showing import percent, share_told
from affray.core.telling import counted, value_told
from affray.mcp.views import HeldGameView, SavedGameView

__all__ = ["question_told", "refusal_told", "told"]

MOST = 30
"""Rows of a list; how many are left out is told."""


@singledispatch
def told(view: View) -> str:
    """A view in a few lines."""
    raise NotImplementedError(f"no words for {type(view).__name__}")


def _lines(view: View, lines: Iterable[str]) -> str:
    """Lines, with the notes of their view at the end."""
    return "\n".join([*filter(None, lines), *(f"Note: {note}" for note in view.notes)])


def _json(table: Mapping[str, object]) -> str:
    """A table as it can be given back."""
    return json.dumps(table, ensure_ascii=False)


def _few(rows: Sequence[str]) -> Iterator[str]:
    yield from islice(rows, MOST)
    if len(rows) > MOST:
        yield f"... and {len(rows) - MOST:,} more"


# -- looking things up -----------------------------------------------------------------------------


@told.register
def _systems(view: SystemsView) -> str:
    is_one = len(view.systems) == 1
    rows = [line for row in view.systems for line in _system(row, is_one=is_one)]
    return _lines(view, [*rows, *(f"{row.name}: can't be used: {row.why}" for row in view.broken)])


def _system(row: SystemRow, *, is_one: bool) -> Iterator[str]:
    yield (
        f"{row.id}: {row.title}, {row.edition}; {counted(len(row.examples), 'example')}, "
        f"{counted(len(row.fights), 'fight')}"
    )
    if is_one:
        for kind, examples in (("example", row.examples), ("fight", row.fights)):
            cases = [one for one in examples if one.kind == "case"] or examples
            yield from _few([f"{kind} {one.name}: {one.title}" for one in cases])
        yield f"outcome fields: {', '.join(row.fields)}"
        yield f"objectives: {', '.join(row.objectives)}"


@told.register
def _roster(view: RosterView) -> str:
    if len(view.entries) == 1:
        (row,) = view.entries
        return _lines(view, [f"{row.section} {row.name}", _json(row.values)])
    return _lines(view, _few([f"{row.section}: {row.name}" for row in view.entries]))


@told.register
def _rules(view: RulesView) -> str:
    is_one = len(view.clauses) == 1
    rows = []
    for row in view.clauses:
        why = f"; {row.reason}" if is_one and row.reason else ""
        code = f"; code: {', '.join(row.code)}" if is_one and row.code else ""
        rows.append(f"{row.id}: {row.title} ({row.source}): {row.status}{why}{code}")
    return _lines(view, _few(rows))


@told.register
def _schema(view: SchemaView) -> str:
    keys = view.setup.get("properties")
    names = ", ".join(keys) if isinstance(keys, dict) else ""
    return _lines(view, [f"JSON Schema of what people write for {view.system}: {names}"])


@told.register
def _example(view: ExampleView) -> str:
    return _lines(view, [f"{view.example.name}: {view.example.title}", _json(view.table)])


@told.register
def _checked(view: CheckedView) -> str:
    head = f"{view.setup}: {'nothing is wrong' if view.ok else counted(len(view.faults), 'fault')}"
    return _lines(view, [head, *map(fault_told, view.faults), *view.remarks])


# -- what something is worth -----------------------------------------------------------------------


@told.register
def _odds(view: OddsView) -> str:
    rows = [f"  {value_told(row.value)}: {percent(row.exactly)}" for row in view.rows]
    mean = "" if view.stats is None else f"mean {float(view.stats.mean):.4g}"
    return _lines(view, [_head(view), mean, *_few(rows), f"{view.how}; {view.policy}"])


@told.register
def _estimated_odds(view: EstimatedOddsView) -> str:
    rows = [f"  {value_told(row.value)}: {_between(row.exactly)}" for row in view.rows]
    return _lines(view, [_head(view), *_few(rows), f"{view.how}; {view.policy}", view.why])


def _head(view: OddsView | EstimatedOddsView) -> str:
    given = f", given {', '.join(view.given)}" if view.given else ""
    return f"{view.title or view.setup}: {', '.join(view.fields)}{given}"


def _between(chance: Between) -> str:
    if chance.value is None:
        return f"{percent(chance.low)} to {percent(chance.high)}"
    return share_told(chance.value, chance.low, chance.high)


@told.register
def _best(view: BestView) -> str:
    rows = [f"{row.actor}, {row.ask}: {'; '.join(row.words)}" for row in view.decisions]
    worth = f"{view.meaning}: {float(view.value):.4g} with the best decisions"
    return _lines(view, [view.title or view.setup, worth, *_few(rows)])


@told.register
def _estimated_best(view: EstimatedBestView) -> str:
    rows = [f"{row.actor}, {row.ask}: {row.best}" for row in view.decisions]
    worth = f"{view.meaning}: about {view.value:.4g}"
    return _lines(view, [view.title or view.setup, worth, *_few(rows), view.how])


@told.register
def _advice(view: AdviceView) -> str:
    head = f"{view.actor}: {view.ask}: best {view.best} ({view.meaning} {view.value:.4g})"
    rows = [_advised(row) for row in view.options if row.value is not None]
    inside = [] if view.in_fight is None else [told(view.in_fight)]
    return _lines(view, [head, *_few(rows), view.how, *inside])


def _advised(row: AdvisedRow) -> str:
    return f"  {row.name}: {row.value:.4g}"


@told.register
def _chances(view: ChancesView) -> str:
    one, other = view.sides
    ways = ((one, view.one), (other, view.other), ("neither", view.neither))
    rows = (f"{name} {share_told(*chance)}" for name, chance in ways)
    how = "exact" if view.known == "exact" else f"estimate: {view.played:,} fights played out"
    return _lines(view, [f"Chance to win: {', '.join(rows)} ({how})"])


@told.register
def _duel(view: DuelView) -> str:
    ways = (*zip(_names(view.sides), view.won, strict=True), ("neither", 1 - sum(view.won)))
    rows = (f"{name} {percent(max(0.0, chance))}" for name, chance in ways)
    rounds = "" if view.rounds is None else f"{view.rounds:.4g} rounds on average"
    return _lines(view, [f"Wins: {', '.join(rows)}", rounds, view.how])


@told.register
def _estimated_duel(view: EstimatedDuelView) -> str:
    return _lines(view, [_won(view), view.how, view.why])


@told.register
def _battle(view: BattleView) -> str:
    stopped = f"stopped early: {view.stopped_by}" if view.partial else ""
    return _lines(view, [_won(view), view.how, stopped])


def _won(view: BattleView | EstimatedDuelView) -> str:
    ways = zip(_names(view.sides), view.won, strict=True)
    rows = (f"{name} {share_told(share.value, share.low, share.high)}" for name, share in ways)
    return f"Wins: {', '.join(rows)}; {view.rounds.value:.4g} rounds on average"


def _names(sides: tuple[SideRow, SideRow]) -> tuple[str, str]:
    one, other = sides
    return one.name, other.name


# -- games -----------------------------------------------------------------------------------------


@told.register
def _game(view: HeldGameView) -> str:
    inside = view.fight or view.exchange
    assert inside is not None  # one of them is there
    head = f"{view.game}, revision {view.revision}"
    return _lines(view, [head, told(inside), *view.told])


@told.register
def _fight(view: FightView) -> str:
    happened = [text for event in view.events for text in event.said]
    so_far = [account.text for account in view.short]
    if view.question is None:
        asked = [] if view.ending in happened else [view.ending]
    else:
        asked = [question_told(view.question, view.next, "")]
    stands = f"How they stand: {'; '.join(map(_stands, view.fighters))}."
    return _lines(view, [*happened, *so_far, stands, *asked])


def _stands(row: FighterRow) -> str:
    bar = f"{row.bar[0]}/{row.bar[1]}" if row.bar else ""
    state = row.state if row.is_out else ""
    return " ".join([row.name, ", ".join(filter(None, (bar, *row.short, state)))]).strip()


@told.register
def _exchange(view: PlayView) -> str:
    names = dict(view.names)
    who = "" if view.question is None else names.get(view.question.actor, view.question.actor)
    asked = "" if view.question is None else question_told(view.question, view.next, who)
    return _lines(view, [*view.said, view.ending, asked])


def question_told(
    question: QuestionRow | FightQuestionRow, asked: NextRow | None, who: str
) -> str:  # fmt: skip
    """An open question in one line: who is asked, what, and what may be answered.

    Args:
        question: the question.
        asked: who answers it; None: nobody has said.
        who: the name of the one who answers, where `asked` has none.
    """
    who = (asked.fighter if asked else "") or who
    for_master = " (for you as game master)" if asked is not None and asked.master else ""
    name = "" if not who or question.ask.startswith(who) else f"{who}: "
    if question.dice:
        return f"{name}{question.ask}{for_master}: roll {question.dice}, or say the faces."
    options = "; ".join(
        f"{one.name} ({one.words})" if one.words else one.name for one in question.options
    )
    return f"{name}{question.ask.rstrip('?')}?{for_master} Options: {options}."


@told.register
def _saved(view: SavedGameView) -> str:
    head = f"To go on with {view.game}: begin_game with kind {view.kind}, system {view.system}, and"
    return _lines(view, [f"{head} this as setup:", _json(view.saved)])


@told.register
def _export(view: ExportView) -> str:
    return view.text


# -- refusals --------------------------------------------------------------------------------------


def refusal_told(error: AffrayError) -> str:
    """An error in words: its message names everything that is wrong."""
    return f"{error.code}: {error}"


def fault_told(fault: Fault) -> str:
    """One fault: where, what, and what is allowed."""
    near = f"; did you mean {fault.nearest}?" if fault.nearest else ""
    allowed = f"; allowed: {fault.allowed}" if fault.allowed else ""
    return f"- {fault.where or 'all of it'}: {fault.what}{allowed}{near}"
