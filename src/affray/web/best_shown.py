"""The best options at each decision as a page shows them, from the JSON of a view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from affray.core.lazy import NamedTuple
from affray.core.telling import plain_key
from affray.web.odds_rows import told_number
from affray.web.setup_form import step_told
from affray.web.setups import Setup

__all__ = ["Best", "DecisionShown", "OptionShown", "best_shown"]


class OptionShown(NamedTuple):
    """An option: what it is worth, what it costs to take it, the address with it taken."""

    name: str
    words: str
    value: str
    cost: str
    best: bool
    take: str


class DecisionShown(NamedTuple):
    """A decision: its policy in words, every option, and those that are closed."""

    id: str
    title: str
    ask: str
    who: str
    clauses: tuple[str, ...]
    words: tuple[str, ...]
    options: tuple[OptionShown, ...]
    every_time: bool
    closed: tuple[tuple[str, str], ...]


class Best(NamedTuple):
    """What best play comes to, and its decisions."""

    meaning: str
    value: str
    known: str
    how: str
    decisions: tuple[DecisionShown, ...]


def best_shown(view: Mapping[str, Any], setup: Setup) -> Best:
    """A view of the best options for the page; exact or estimated."""
    if view["schema"] == "affray/best":
        rows = [_solved(row, setup) for row in view["decisions"]]
        value = told_number(view["value"])
        return Best(view["meaning"], value, "exact", "", tuple(rows))
    value = f"{view['value']:,.4g} ({view['low']:,.4g} to {view['high']:,.4g})"
    rows = [_looked(row, setup) for row in view.get("decisions", ())]
    return Best(
        view["meaning"],
        value,
        "estimate",
        f"{view['how'][:1].upper()}{view['how'][1:]}",
        tuple(rows),
    )


def _solved(row: Mapping[str, Any], setup: Setup) -> DecisionShown:
    situations = row["situations"]
    is_one = len(situations) == 1
    options = situations[0]["options"] if is_one else row["always"]
    least = min((one["cost"]["float"] for one in options), default=0.0)
    best = situations[0]["best"] if is_one else ""
    shown = tuple(
        OptionShown(
            plain_key(one["name"]), one["words"], told_number(one["value"]),
            told_number(one["cost"]) if one["cost"]["float"] else "",
            one["name"] == best if is_one else one["cost"]["float"] == least,
            _take(setup, row["step"], one["name"]),
        )
        for one in options
    )  # fmt: skip
    words = () if is_one else tuple(row["words"])
    return _decision(row, setup, shown, words, every_time=not is_one)


def _looked(row: Mapping[str, Any], setup: Setup) -> DecisionShown:
    shown = tuple(
        OptionShown(
            plain_key(one["name"]), one["words"],
            "not looked at" if one["value"] is None else _within(one),
            "" if one["cost"] in (None, 0) or one["name"] == row["best"]
            else told_number(one["cost"]).replace("-", "−"),
            one["name"] == row["best"], _take(setup, row["step"], one["name"]),
        )
        for one in row["options"]
    )  # fmt: skip
    return _decision(row, setup, shown, (), every_time=False)


def _within(one: Mapping[str, Any]) -> str:
    if one["low"] is None or one["low"] == one["high"]:
        return f"{one['value']:,.4g}"
    return f"{one['value']:,.4g} ({one['low']:,.4g} to {one['high']:,.4g})"


def _decision(
    row: Mapping[str, Any],
    setup: Setup,
    options: tuple[OptionShown, ...],
    words: tuple[str, ...],
    *,
    every_time: bool,
) -> DecisionShown:
    closed = tuple((plain_key(name), why) for name, why in row.get("closed", ()))
    return DecisionShown(
        f"d-{row['step']}-{row['actor']}", step_told(row["step"]), row["ask"],
        setup.name_of(row["actor"]), tuple(row["clauses"]), words, options, every_time, closed,
    )  # fmt: skip


def _take(setup: Setup, step: str, option: str) -> str:
    return setup.wanted.changed(f"choose.{step}", option).address
