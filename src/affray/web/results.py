"""What came of a study, as blocks that a template draws one below the other.

A block is a chart or a small table. All that is said is said here; the template adds nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from affray.app.inputs.fight_sheets import FIRST
from affray.app.views.fight_words import interval
from affray.app.views.fights import Estimate, SideRow
from affray.app.views.ways import Way
from affray.core.showing import number
from affray.core.telling import plain_key
from affray.engine.fight.targeting import TARGETINGS
from affray.web.charts.bars import Bar, Bars, bars
from affray.web.charts.curves import Curve, Line, curve, number_axis
from affray.web.charts.heat_maps import Heat

__all__ = [
    "Block", "Grid", "Result", "kept", "mean_told", "partly", "sides_told", "survival", "verdict",
    "within",
]  # fmt: skip


class Grid(NamedTuple):
    """A small table: its title, names of its columns, and its rows."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


class Block(NamedTuple):
    """One part of a result; `kind` is the macro that draws it."""

    kind: Literal["bars", "curve", "heat", "grid"]
    chart: Bars | Curve | Heat | Grid


class Result(NamedTuple):
    """A result.

    Attributes:
        title: what it is the result of.
        known: "exact" or "estimate".
        lead: what matters most, in sentences.
        partial: why it is only a part, and of what; "" where it is all.
        blocks: charts and tables.
        about: who fights how, in sentences.
        how: how it was got. assumed: what it rests on that the book leaves out.
    """

    title: str
    known: Literal["exact", "estimate"]
    lead: tuple[str, ...]
    partial: str
    blocks: tuple[Block, ...]
    about: tuple[str, ...]
    how: str
    assumed: tuple[str, ...]


LIMITS = {
    "interrupted": "It was stopped", "going on": "So far", "seconds": "The time was over",
    "places": "It reached the limit of states", "bytes": "It reached the limit of memory",
    "pairs": "It reached the limit of states", "battles": "It reached the limit of battles",
}  # fmt: skip


def partly(limit: str, so_far: str) -> str:
    """Why a result is only a part, and how far it came."""
    return f"{LIMITS.get(limit, 'It reached a limit')}: {so_far}."


def within(one: Estimate) -> str:
    """A number, and half the width of its interval."""
    return f"{one.value:.2f} ± {(one.high - one.low) / 2:.2f}" if one.value else "none"


def verdict(name: str, title: str, ways: Iterable[Way], *, exact: bool = False) -> Block:
    """Who wins, as bars.

    Args:
        name: an id that no other chart of the page has.
        title: what it shows.
        ways: all in which the fight may end.
        exact: whether they have no intervals.
    """
    rows = []
    for way in ways:
        if way.is_shown:
            share, role = way.share, way.side or "nobody"
            rows.append(
                Bar((way.label, way.told), share.value, role=role) if exact
                else Bar((way.label, way.told, interval(share)), *share, role)
            )  # fmt: skip
    head = ("won by", "chance", *(() if exact else ("95 % interval",)))
    return Block("bars", bars(name, title, head, rows))


def survival(lines: Sequence[Line]) -> Block:
    """A curve over the rounds of a fight, with the line of 50 %."""
    last = max(line.points[-1].x for line in lines)
    about = "; ".join(
        f"after round {line.points[-1].x:g} {line.name}: {line.points[-1].told}" for line in lines
    )
    across = number_axis("after round", 0, last)
    chart = curve(
        "survival", "How it goes, round by round", lines, across=across, half=True, about=about
    )
    return Block("curve", chart)


# -- who fights how ----------------------------------------------------------------------------


def goes_first(sides: Sequence[SideRow], first: str) -> str:
    """Who goes first, in words."""
    if first in {"one", "other"}:
        return f"{sides[first == 'other'].name} goes first"
    return f"Who goes first: {FIRST[first]}"


def sides_told(sides: Sequence[SideRow], first: str, *, targets: bool = False) -> tuple[str, ...]:
    """Who fights, how each side decides, and what its fighters always do."""
    lines = [f"{goes_first(sides, first)}."]
    for side in sides:
        kinds = ", ".join(
            kind.name if kind.number == 1 else f"{kind.number} × {kind.name}"
            for kind in side.fighters
        )
        told = side.meaning.replace("; duels only", "")
        who = side.name if kinds == side.name else f"{side.name} ({kinds})"
        aims = TARGETINGS[side.targets].rstrip(".").lower() if side.targets in TARGETINGS else ""
        lines.append(f"{who} {told}{f'; goes for {aims}' if targets and aims else ''}.")
        for name, habits in [(side.name, side.habits)] + [
            (kind.name, kind.habits) for kind in side.fighters
        ]:
            if habits:
                lines.append(f"{name} always keeps to {kept(habits)}.")
    return tuple(lines)


def kept(habits: Mapping[str, Sequence[str]]) -> str:
    """What is settled beforehand, in words.

    >>> kept({"choose_move": ("stay",), "choose_action": ("aim", "attack")})
    'move: stay; action: aim, else attack'
    """
    return "; ".join(
        f"{plain_key(step).removeprefix('choose ')}: {', else '.join(names)}"
        for step, names in habits.items()
    )


def mean_told(rounds: float | None, quartiles: Sequence[int | None]) -> str:
    """How long a duel takes."""
    first = (
        "It can go on forever" if rounds is None else f"It takes {number(rounds)} rounds on average"
    )
    parts = [
        f"{share} are over by round {by}"
        for share, by in zip(("a quarter", "half", "three quarters"), quartiles, strict=True)
        if by is not None
    ]
    return f"{'; '.join([first, ', '.join(parts)]) if parts else first}."
