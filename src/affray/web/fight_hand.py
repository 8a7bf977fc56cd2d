"""A game master's hand, habits and seats: what their panels offer, and what their forms mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from affray.app import lookups
from affray.app.inputs.fight_hands import ALL, BOTH
from affray.app.inputs.fight_scene import keys_known
from affray.app.inputs.fight_sheets import FIRST, SIDES, section_of_fighters
from affray.app.inputs.intake import InputError, Raw, value_of
from affray.app.registry import system_named
from affray.app.rights import may_answer
from affray.app.views.played_fights import FightView
from affray.core.lazy import NamedTuple
from affray.core.telling import plain_key, value_told
from affray.web.fight_setup import SEATS
from affray.web.forms import Said
from affray.web.games import Look
from affray.web.situation_fields import plain_kind, situation_schema

__all__ = [
    "HabitsPart",
    "HandPart",
    "SeatsPart",
    "fight_change",
    "habits_of",
    "hand_of",
    "seats_of",
]

Choices = tuple[tuple[str, str], ...]
VERDICTS: Mapping[str, str] = {"drawn": "a draw", "ended": "it just ends, nobody has won"}
SET = "="
MOST_LISTED = 200
"""Fighters with fields of their own; in larger fights only sides are seated."""


class HandPart(NamedTuple):
    """What a game master can change.

    Attributes:
        is_whole: whether the fight is one exchange, which a hand can only end.
        conditions: what can be set of each fighter, by name. situation: what can be said of it,
            by its title. fighters, anybody, sides, both: whom. asked: what can be asked again.
        order: those who still have a turn in this round. first: ways to go first.
        roster: who can come in. verdicts: ways to end it. holds: what holds now, in words.
    """

    is_whole: bool
    conditions: tuple[tuple[str, Choices], ...]
    situation: tuple[tuple[str, Choices], ...]
    fighters: Choices
    anybody: Choices
    sides: Choices
    both: Choices
    asked: Choices
    order: tuple[str, ...]
    first: Choices
    roster: Choices
    verdicts: Choices
    holds: tuple[str, ...]


class HabitsPart(NamedTuple):
    """Habits: those that hold, and what can be made one at the open question.

    Attributes:
        rows: whose, at what, the option, and the fields that end it.
        step: of the open question; "": nothing can be made a habit. ask: the same in words.
        options: on offer. whose: for whom it can hold.
    """

    rows: tuple[tuple[str, str, str, Mapping[str, str]], ...]
    step: str
    ask: str
    options: Choices
    whose: Choices


class SeatsPart(NamedTuple):
    """Who answers: a name, the field, and the seat; sides first. Whether it can be changed."""

    rows: tuple[tuple[str, str, str], ...]
    ways: Choices
    is_mine: bool


def hand_of(look: Look, view: FightView) -> HandPart | None:
    """What the game master can change; None for everybody else, and where it is over."""
    if look.role.kind != "master" or view.question is None:
        return None
    system = system_named(view.system)
    names = tuple((row.name, row.name) for row in view.fighters)
    sides = tuple(zip(SIDES, view.sides, strict=True))
    conditions = tuple(
        (row.name, tuple((f"{line.key}", f"{line.label} ({line.value})")
                         for line in row.told if line.key))
        for row in view.fighters[:MOST_LISTED]
    )  # fmt: skip
    schema = situation_schema(system)
    roster = lookups.show_roster(system.id, section_of_fighters(system)).entries
    return HandPart(
        look.fight.loaded.whole is not None,
        tuple(row for row in conditions if row[1]),
        tuple((str(one["title"]), tuple(_said_choices(key, one))) for key, one in schema.items()),
        names,
        ((ALL, "anybody"), *names),
        sides,
        ((BOTH, "both sides"), *sides),
        tuple((key, str(schema[key]["title"]) if key in schema else plain_key(key))
              for key in keys_known(system)),
        tuple(row.name for row in view.turns if row.state == "next" and row.side),
        tuple(FIRST.items()),
        tuple((row.name, str(row.values.get("name") or row.name)) for row in roster),
        (*((key, f"{name} has won") for key, name in sides), *VERDICTS.items()),
        tuple(_holds(view, schema)),
    )  # fmt: skip


def _said_choices(key: str, schema: Raw) -> Iterator[tuple[str, str]]:
    """What can be said for a key: its words, or a number that is typed beside it."""
    plain = cast("Raw", plain_kind(schema))
    title = str(schema["title"])
    if plain["type"] == "boolean":
        yield f"{key}{SET}true", f"{title}: yes"
        yield f"{key}{SET}false", f"{title}: no"
    elif "enum" in plain:
        for word in cast("list[object]", plain["enum"]):
            yield f"{key}{SET}{word}", f"{title}: {plain_key(str(word))}"
    else:
        yield key, f"{title}: the number beside this"


def _holds(view: FightView, schema: Mapping[str, Raw]) -> Iterator[str]:
    """What holds of the situation, in words."""
    names = dict(zip(SIDES, view.sides, strict=True))
    for row in view.situations:
        title = str(schema[row.key]["title"]) if row.key in schema else plain_key(row.key)
        value = "set" if isinstance(row.value, dict) else plain_key(value_told(row.value))
        whose = names.get(row.side, "")
        if not row.side:
            whose = f"{row.fighter or 'anybody'} on {row.target or 'anybody'}"
        yield f"{title}: {value} ({whose})"


def habits_of(look: Look, view: FightView) -> HabitsPart:
    """The habits that the one who looks may see, and what can be made one now."""
    called = dict(zip(SIDES, view.sides, strict=True))
    rows = tuple(
        (called.get(row.who, row.who) + (f" against {row.against}" if row.against else ""),
         plain_key(row.step), row.option,
         {"who": row.who, "step": row.step, "against": row.against})
        for row in view.habits
    )  # fmt: skip
    question = view.question
    if question is None or not (question.step and question.options):
        return HabitsPart(rows, "", "", (), ())
    if look.fight.loaded.whole is not None or not may_answer(look.game, look.role):
        return HabitsPart(rows, "", "", (), ())
    whose = [(question.fighter, question.fighter)] if question.fighter else []
    side = question.side
    if side in called and (look.role.kind == "master" or side in look.role.sides):
        whose.append((side, f"everybody of {called[side]}"))
    return HabitsPart(
        rows, question.step, question.ask,
        tuple((one.name, one.name) for one in question.options), tuple(whose),
    )  # fmt: skip


def seats_of(look: Look, view: FightView) -> SeatsPart:
    """Who answers for whom."""
    is_listed = look.fight.loaded.whole is None and len(view.fighters) <= MOST_LISTED
    rows = [(name, f"seat.{key}", view.seats.get(key, ""))
            for key, name in zip(SIDES, view.sides, strict=True)]  # fmt: skip
    if is_listed:
        rows += [(row.name, f"seat.{row.name}", view.seats.get(row.name, ""))
                 for row in view.fighters]  # fmt: skip
    return SeatsPart(tuple(rows), tuple(SEATS.items()), look.role.kind == "master")


# -- what forms mean -----------------------------------------------------------------------------


def fight_change(said: Said, system: str) -> Raw | None:
    """The change that a form of these panels stands for; None: it is another form.

    Raises:
        InputError: a value that can't be read.
    """
    do = said.text("do")
    if do == "seats":
        seats = {name: seat for name, seat in said.below("seat.").items() if seat}
        return {"do": do, "seats": seats}
    if do == "habit":
        keys = ("who", "step", "option", "against")
        return {"do": do, **{key: said.text(key) for key in keys if key in said}}
    return _hand(said, system) if do == "hand" else None


def _hand(said: Said, system: str) -> Raw:
    what = said.text("what")
    hand: Raw = {"do": "hand", "what": what}
    if what == "set":
        fighter, _, key = said.text("condition").rpartition("/")
        return {**hand, "fighter": fighter, "key": key, "value": _value(said.text("value"))}
    if what in {"situation", "between"}:
        key, value = _said_of_situation(said, system)
        whom = ("fighter", "target") if what == "between" else ("side",)
        return {**hand, **{one: said.text(one) for one in whom}, "key": key, "value": value}
    if what == "order":
        ranks = said.below("turn.").items()
        return {**hand, "order": [name for name, rank in sorted(ranks, key=_rank) if rank.strip()]}
    keys = {"ask": ("key",), "first": ("first",), "enter": ("side", "fighter"),
            "leave": ("fighter",), "end": ("verdict",)}.get(what, ())  # fmt: skip
    return {**hand, **{key: said.text(key) for key in keys}}


def _value(text: str) -> object:
    words = [word.strip() for word in text.split(",")]
    return words if len(words) > 1 else value_of(text, "value")


def _said_of_situation(said: Said, system: str) -> tuple[str, object]:
    key, is_set, value = said.text("now").partition(SET)
    schema = situation_schema(system_named(system)).get(key, {})
    plain = plain_kind(schema) or {}
    if not is_set:
        value = said.text("value")
        if not value:
            raise InputError(f"{schema.get('title', key)}: type the number beside it")
        return key, value_of(value, str(schema.get("title", key)))
    return key, value == "true" if plain.get("type") == "boolean" else value


def _rank(row: tuple[str, str]) -> tuple[float, str]:
    name, rank = row
    try:
        return float(rank), name
    except ValueError:
        return float("inf"), name
