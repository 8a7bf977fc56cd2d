"""A policy said in words that a person can use at the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from affray.engine.exchange.decisions import Decision, Situation

__all__ = ["in_words"]

MOST_LINES = 24


def in_words(decision: Decision) -> tuple[str, ...]:
    """When to take which option of a decision, one line each.

    What is the same in all situations is left out; numbers that follow each other among the
    situations become a range. The option that is best most often comes last, as "otherwise".
    """
    situations = decision.situations
    labels = _varying(situations)
    names = _by_weight(situations)
    if len(names) == 1 or not labels:
        return (f"always {names[-1]}",) if len(names) == 1 else tuple(names)
    lines = []
    order = sorted({dict(s.about).get(labels[-1]) for s in situations}, key=_sortable)
    for name in names[:-1]:
        chosen = [s for s in situations if s.best == name]
        lines += [f"{name} {_offer(chosen)}{spot}" for spot in _spots(chosen, order, labels)]
    if len(lines) > MOST_LINES:
        left = len(lines) - MOST_LINES
        lines = [*lines[:MOST_LINES], f"... and {left} more lines"]
    return (*lines, f"otherwise {names[-1]}")


def _offer(chosen: Sequence[Situation]) -> str:
    """The option in words, where there is a single situation to take it."""
    if len(chosen) > 1:
        return ""
    words = next(option.words for option in chosen[0].options if option.name == chosen[0].best)
    return f"({words}) " if words else ""


def _by_weight(situations: Sequence[Situation]) -> list[str]:
    weights: dict[str, list[int]] = {}
    for situation in situations:
        weights.setdefault(situation.best, []).append(1)
    return sorted(weights, key=lambda name: len(weights[name]))


def _varying(situations: Sequence[Situation]) -> list[str]:
    seen: dict[str, set[object]] = {}
    for situation in situations:
        for label, value in situation.about:
            seen.setdefault(label, set()).add(value)
    return [label for label, values in seen.items() if len(values) > 1]


def _spots(
    chosen: Sequence[Situation], order: Sequence[object], labels: Sequence[str]
) -> list[str]:
    """The situations of an option: ranges of the last label, for each value of the others.

    `order` holds all values of the last label, sorted.
    """
    *outer, inner = labels
    groups: dict[tuple[object, ...], list[object]] = {}
    for situation in chosen:
        about = dict(situation.about)
        key = tuple(about.get(label) for label in outer)
        groups.setdefault(key, []).append(about.get(inner))
    # Groups with the same ranges are said together.
    alike: dict[str, list[tuple[object, ...]]] = {}
    for key, values in groups.items():
        alike.setdefault(_ranges(values, order), []).append(key)
    spots = []
    for ranges, keys in alike.items():
        where = f"when {inner} is {ranges}"
        if outer:
            where += " and " + _outer(outer, keys)
        spots.append(where)
    return spots


def _outer(labels: Sequence[str], keys: Sequence[tuple[object, ...]]) -> str:
    if len(labels) == 1:
        values = sorted((key[0] for key in keys), key=_sortable)
        return f"{labels[0]} is {_ranges(values, values)}"
    return " or ".join(
        ", ".join(f"{label} is {_shown(value)}" for label, value in zip(labels, key, strict=True))
        for key in keys
    )


def _ranges(values: Sequence[object], order: Sequence[object]) -> str:
    """Values as ranges of neighbours in `order`."""
    places = sorted({order.index(value) for value in values})
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    parts = []
    for run in runs:
        first, last = _shown(order[run[0]]), _shown(order[run[-1]])
        numeric = isinstance(order[run[0]], int) and len(run) > 2
        if numeric:
            parts.append(f"{first} to {last}")
        else:
            parts += [_shown(order[place]) for place in run]
    return ", ".join(parts)


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "nothing"
    return str(value)


def _sortable(value: object) -> tuple[int, float, str]:
    if isinstance(value, (int, float)):
        return (0, value, "")
    return (1, 0, str(value))
