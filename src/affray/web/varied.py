"""What a what-if can vary: numbers of an exchange and rulings of its book, and their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, cast

from affray.app.inputs.setups import load
from affray.app.registry import system_named
from affray.app.sweep import RULING
from affray.app.views.sweeps import SweptAxis, SweptValue
from affray.core.telling import plain_key
from affray.web.number_fields import Exchange, NumberField, called_at, number_fields

__all__ = ["Axis", "RulingField", "axis_told", "readings_at", "varied_fields"]


class RulingField(NamedTuple):
    """An open question of the book, as a thing to vary.

    Attributes:
        path: its address. title: what it is called. told: the question.
        reading: the one that holds in this exchange, in words.
    """

    path: str
    title: str
    told: str
    reading: str

    @property
    def now(self) -> None:
        """It is no number."""

    @property
    def now_told(self) -> str:
        """The reading that holds now, in words."""
        return f"now {self.reading}"


class Axis(NamedTuple):
    """What is varied, in words.

    Attributes:
        what: its name. labels: what each value is called, in order. is_number: or else a ruling.
        about: what each reading says, in sentences.
    """

    what: str
    labels: Mapping[SweptValue, str]
    is_number: bool
    about: tuple[str, ...]


def varied_fields(system: str, asked: Exchange) -> tuple[NumberField | RulingField, ...]:
    """All numbers of an exchange, and all rulings of its book."""
    found = system_named(system)
    raw = load(system, asked.source(system)).raw
    in_force = found.readings(cast("dict[str, str]", raw.get("rulings", {})))
    rulings = tuple(
        RulingField(
            f"{RULING}{one.name}", f"Ruling: {plain_key(one.name)}", one.question,
            plain_key(in_force[one]),
        )
        for one in found.rulings
    )  # fmt: skip
    return (*number_fields(system, asked), *rulings)


def readings_at(system: str, path: str) -> dict[str, str]:
    """The readings of the ruling at a path, with what they mean; none: it is a number's."""
    for one in system_named(system).rulings:
        if path == f"{RULING}{one.name}":
            return dict(one.options)
    return {}


def axis_told(system: str, asked: Exchange, axis: SweptAxis) -> Axis:
    """An axis of a what-if in words."""
    readings = readings_at(system, axis.path)
    if not readings:
        labels: dict[SweptValue, str] = {
            value: f"{value:g}" for value in axis.values if not isinstance(value, str)
        }
        return Axis(called_at(system, asked, axis.path), labels, True, ())
    name = plain_key(axis.path.removeprefix(RULING))
    said = tuple(
        f"{plain_key(str(value)).capitalize()}: {readings[str(value)]}."
        for value in axis.values if str(value) in readings
    )  # fmt: skip
    return Axis(
        f"Ruling: {name}", {value: plain_key(str(value)) for value in axis.values}, False, said
    )
