"""A report of a fight as Markdown, and in a form short enough for a chat message."""

from __future__ import annotations

from collections.abc import Iterator

from affray.app.views.fight_reports import (
    ChanceRow,
    CostlyRow,
    ExchangeRow,
    FightReportView,
    LuckRow,
    SideLuckRow,
)
from affray.core.fight import WIN
from affray.core.showing import share_told

__all__ = [
    "SHORT", "costliest", "costly_told", "deed_told", "headline", "luck_told", "luckiest",
    "side_luck_told", "to_markdown", "to_short",
]  # fmt: skip

SHORT = 2000
"""Characters of a chat message at most."""
TOLD = 3
"""How many of the costliest decisions and of the luckiest rolls are told."""
MOST_NAMED = 6
"""Fighters that a short report names."""
LUCK = (
    (0.8, "very good"), (0.65, "good"), (0.55, "slightly good"), (0.45, "average"),
    (0.35, "slightly bad"), (0.2, "bad"), (0.0, "very bad"),
)  # fmt: skip
"""Words for the luck of a side, by the least mean percentile of its rolls."""
ENDS = {
    "one": "{one} has won", "other": "{other} has won", "drawn": "a draw",
    "ended": "ended by rule, nobody has won", "stalled": "called off, nobody has won",
    "": "it goes on",
}  # fmt: skip


def headline(view: FightReportView) -> str:
    """How the fight ended, in a sentence."""
    one, other = view.sides
    ends = ENDS[view.verdict].format(one=one, other=other)
    many = "1 exchange" if len(view.exchanges) == 1 else f"{len(view.exchanges)} exchanges"
    return f"{one} against {other}: {ends}, in round {view.rounds} after {many}."


def deed_told(row: ExchangeRow) -> str:
    """Who did what to whom."""
    return f"{row.fighter}: {row.deed}{f', {row.target}' if row.target else ''}"


def costliest(view: FightReportView) -> list[CostlyRow]:
    """The decisions that cost most, if they cost anything."""
    return [row for row in view.decisions if row.cost > 0][:TOLD]


def luckiest(view: FightReportView) -> list[LuckRow]:
    """The rolls that were farthest from what was to be expected, either way."""
    return sorted(view.luck, key=lambda row: -abs(row.gain))[:TOLD]


def luck_told(row: LuckRow, objective: str) -> str:
    """A roll and its luck in words."""
    faces = ", ".join(map(str, row.faces))
    return (
        f"{row.name}, {row.ask} ({row.dice}: {faces}): better than {_of_100(row.percentile)} "
        f"rolls; {_more(row.gain, objective)}"
    )


def side_luck_told(row: SideLuckRow, objective: str) -> str:
    """The luck of a side in words."""
    if not row.rolls:
        return f"{row.name}: no roll of theirs mattered"
    rolls = "1 roll" if row.rolls == 1 else f"{row.rolls} rolls"
    word = next(word for least, word in LUCK if row.percentile >= least)
    return (
        f"{row.name}: luck {word} ({_of_100(row.percentile)}, {rolls}); the dice gave "
        f"{_more(row.gain, objective)}"
    )


def _of_100(percentile: float) -> str:
    """A percentile as a whole number; nobody is better than all or worse than all."""
    return f"{min(99, max(1, round(100 * percentile)))} of 100"


def _more(gain: float, objective: str) -> str:
    """A gain in words."""
    size = abs(gain)
    if objective == WIN:
        if size < 0.0005:
            return "as good a chance to win as on average"
        return f"{_points(size)} {'more' if gain > 0 else 'less'} than average"
    if size < 0.005:
        return f"as much {objective} as on average"
    digits = 1 if size >= 1 else 2
    return f"{size:.{digits}f} {objective} {'more' if gain > 0 else 'less'} than average"


def costly_told(row: CostlyRow, objective: str) -> str:
    """A decision and what it cost in words."""
    cost = _points(row.cost) if objective == WIN else f"{row.cost:.2f} {objective}"
    return f"{row.name}, {row.ask} {row.taken}; {row.best} was better by {cost}"


def _points(chance: float) -> str:
    """A difference between chances to win, in words."""
    return f"{100 * chance:.1f} points of the chance to win"


# -- Markdown --------------------------------------------------------------------------------------


def to_markdown(view: FightReportView) -> str:
    """The whole report as Markdown."""
    return "\n".join(_markdown(view)) + "\n"


def _markdown(view: FightReportView) -> Iterator[str]:
    yield f"# {_safe(view.title or view.setup)}"
    yield ""
    yield _safe(headline(view))
    yield ""
    yield "## What happened"
    yield ""
    for row in view.exchanges:
        rolled = f" ({row.rolled})" if row.rolled else ""
        yield f"{row.number}. Round {row.round}. {_safe(deed_told(row))}{_safe(rolled)}  "
        yield f"   {_safe(row.came)}"
    yield ""
    yield "## Who carried it"
    yield ""
    yield "| fighter | harm done | harm taken | put out | at the end |"
    yield "|---|---:|---:|---:|---|"
    for fighter in view.carried:
        yield (
            f"| {_safe(fighter.name)} | {fighter.harm} | {fighter.suffered} | {fighter.felled} | "
            f"{_safe(fighter.state)} |"
        )
    yield from _markdown_luck(view)
    if view.curve:
        yield ""
        yield "## Chance to win"
        yield ""
        yield f"| after exchange | {_safe(view.sides[0])} | {_safe(view.sides[1])} | |"
        yield "|---:|---:|---:|---|"
        for point in view.curve:
            yield (
                f"| {point.exchange} | {_chance(point.one)} | {_chance(point.other)} | "
                f"{point.known} |"
            )


def _markdown_luck(view: FightReportView) -> Iterator[str]:
    yield ""
    yield f"## Luck and decisions (in {_safe(view.objective)})"
    yield ""
    yield from (f"- {_safe(side_luck_told(row, view.objective))}" for row in view.of_sides)
    yield from (f"- {_safe(luck_told(row, view.objective))}" for row in luckiest(view))
    yield from (f"- {_safe(costly_told(row, view.objective))}" for row in costliest(view))
    if view.unjudged:
        yield f"- not judged, as {view.why_unjudged}: {_numbers(view.unjudged)}"


def _chance(chance: ChanceRow) -> str:
    return _safe(share_told(*chance, digits=0))


def _numbers(numbers: tuple[int, ...]) -> str:
    return f"exchanges {', '.join(map(str, numbers))}"


def _safe(text: str) -> str:
    """A text in which nothing is markup."""
    for mark in "\\`*_[]<>|#":
        text = text.replace(mark, f"\\{mark}")
    return text


# -- short -----------------------------------------------------------------------------------------


def to_short(view: FightReportView) -> str:
    """The report in at most 2,000 characters: the end, who carried it, luck, the costliest."""
    lines = [headline(view)]
    lines += [
        f"{fighter.name}: {fighter.harm} harm, {fighter.felled} put out; {fighter.state}"
        for fighter in view.carried[:MOST_NAMED]
    ]
    lines += [side_luck_told(row, view.objective) for row in view.of_sides]
    lines += [costly_told(row, view.objective) for row in costliest(view)]
    if view.curve:
        first, last = view.curve[0], view.curve[-1]
        lines.append(f"{view.sides[0]} had {share_told(*first.one, digits=0)} at the start, "
                     f"{share_told(*last.one, digits=0)} at the end.")  # fmt: skip
    kept: list[str] = []
    for line in lines:
        cut = line if len(line) <= SHORT // 4 else f"{line[: SHORT // 4 - 1]}…"
        if sum(map(len, kept)) + len(kept) + len(cut) > SHORT:
            break
        kept.append(cut)
    return "\n".join(kept)
