"""The file of a fight: its keys, words and ranges, made for each system's sheets.

`affray schema SYSTEM --fight` prints it. The docstrings of `FightSheet`, `SideSheet` and
`PlaySheet` say what the keys mean.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Literal, Protocol, cast

from affray.app.inputs.checking import adapter
from affray.app.inputs.described import described
from affray.app.inputs.intake import Raw
from affray.app.inputs.rosters import ROSTER_SCHEMA
from affray.app.inputs.written_schema import OPTIONS, as_written, ref_to, with_like
from affray.core.lazy import NamedTuple
from affray.core.node import Facts
from affray.core.sheet import Ge, Le
from affray.core.system import System
from affray.engine.fight.matchup import fight_of
from affray.engine.fight.targeting import TARGETINGS

if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "FIRST", "MOST_ALIKE", "POLICIES", "SIDES", "TARGETS", "FightSheet", "PlaySheet", "SideSheet",
    "fight_schema", "section_of_fighters", "sheet_of", "situation_keys",
]  # fmt: skip

SIDES = ("one", "other")

FIRST: Mapping[str, str] = {
    "initiative": "by initiative, as the rules have it",
    "one": "the first side goes first",
    "other": "the second side goes first",
    "coin": "a coin decides which side goes first",
    "alternate": "sides take turns within a round, the first side begins; the fallen are skipped",
    "alternate_other": "sides take turns within a round, the second side begins",
    "seats": "seat by seat, the first side begins; the fallen leave a gap",
}

POLICIES: Mapping[str, str] = {
    "first": "takes the first option on offer",
    "opening": "always makes the attack that is best in round 1; spends no points",
    "greedy": "takes the best option in each exchange, one exchange at a time",
    "optimal": "takes the best option with the whole fight in view; duels only",
}
"""The policy of a side where no habit decides."""

TARGETS = "weakest"
"""Whom a side goes for, unless it says so."""

MOST_ALIKE = 1000
MOST_ROUNDS = 100_000


class SideSheet(Protocol):
    """One side of a fight.

    Attributes:
        Who:
            name: what the side is called.
            fighters: roster names or sheets; a number says how many there are of one kind.
        Decisions:
            policy: who decides what no habit does.
            choose (Habits): step = option, or a list, most wanted first; taken wherever offered.
            targets: whom the side goes for in a battle.
        Situation:
            situation: keys of the system's setup that hold whenever this side acts.
            idle: it takes no turns of its own, and only answers what is done to it.
            yields_at: how many of its fighters are out when it has lost; 0: all of them.
    """

    fighters: tuple[Hashable, ...]
    name: str
    policy: str
    choose: dict[str, tuple[str, ...]]
    targets: str
    situation: object
    idle: bool
    yields_at: int


class PlaySheet(Protocol):
    """A script of a fight.

    Attributes:
        Script:
            by (Answers): who answers for a side or a fighter (typed, rolled, computer:POLICY).
            seed: the computer rolls with it.
            lines: what people type, line by line: answers and commands.
    """

    by: dict[str, str]
    seed: int | None
    lines: tuple[str, ...]


class FightSheet(Protocol):
    """A fight.

    Attributes:
        Sides:
            one (First side): the first side.
            other (Other side): the other side.
            table: what all fighters stand on.
        Course:
            first (Goes first): who goes first; left out: as the rules have it.
            at_a_time: how many of a side act before the other side does, where sides alternate.
            rounds: after how many rounds the fight is called off; left out: never.
        Decisions:
            rulings: readings of open questions: name = reading; profile names several at once.
            objective: what open choices are decided for.
            threshold: a point of a limited resource is spent only where it gains more than this.
            asks (Asked): keys of the situation that people are asked for; left out: all that no
                side says.
            scene: whether that is asked before round 1, when people play the fight; else when it
                first matters. Left out: yes, unless the file has `asks`.
            play: a script: how the fight is played.
        File:
            system: which system it is for; a check only.
            title: what the fight is called; for people.
            purpose: what a shipped fight is good for, in one sentence for people.
            notes: for people.
    """

    one: SideSheet
    other: SideSheet
    first: str | None
    at_a_time: int
    rounds: int | None
    rulings: dict[str, str]
    objective: str
    threshold: int
    title: str
    asks: tuple[str, ...] | None
    scene: bool | None
    play: PlaySheet


def section_of_fighters(system: System[Facts]) -> str:
    """The section of the roster in which those stand who can fight."""
    return system.roster_keys.get("attacker", "")


def situation_keys(system: System[Facts]) -> tuple[str, ...]:
    """Keys of a system's setup that a side's situation may have: all but the fighters."""
    section = section_of_fighters(system)
    return tuple(
        field.name
        for field in dataclasses.fields(cast("Any", system.setup))
        if field.name not in {"attacker", "defender", *fight_of(system).sets}
        and (not section or system.roster_keys.get(field.name) != section)
    )


class _New(NamedTuple):
    """A default that is made anew each time."""

    kind: type


Rows = Sequence[tuple[str, object, object]]


def _made(name: str, rows: Rows, said: type) -> type:
    """A dataclass that refuses unknown keys.

    Args:
        name: of the class.
        rows: field, type and default of each; `...`: no default.
        said: the class whose docstring says what the fields mean.
    """
    made: list[object] = []
    for key, kind, default in rows:
        if default is ...:
            made.append((key, kind))
        elif isinstance(default, _New):
            made.append((key, kind, dataclasses.field(default_factory=default.kind)))
        else:
            made.append((key, kind, default))
    return dataclasses.make_dataclass(
        name, cast("Any", made), frozen=True, kw_only=True,
        namespace={"__pydantic_config__": {"extra": "forbid"}, "__doc__": said.__doc__},
    )  # fmt: skip


@cache
def sheet_of(system: System[Facts]) -> type[FightSheet]:
    """The model of a fight of this system, once roster names and numbers are resolved."""
    hints = typing.get_type_hints(system.setup, include_extras=True)
    defaults = {
        field.name: ... if field.default is dataclasses.MISSING else field.default
        for field in dataclasses.fields(cast("Any", system.setup))
    }
    keys = situation_keys(system)
    situation = _made("Situation", [(key, hints[key], defaults[key]) for key in keys], system.setup)
    fighters = tuple.__class_getitem__((hints["attacker"], ...))
    side = _made("Side", [
        ("fighters", fighters, ...),
        ("name", str, ""),
        ("policy", Literal[tuple(POLICIES)], "opening"),
        ("choose", dict[str, tuple[str, ...]], _New(dict)),
        ("targets", Literal[tuple(TARGETINGS)], TARGETS),
        ("situation", situation, _New(situation)),
        ("idle", bool, False),
        ("yields_at", Annotated[int, Ge(0)], 0),
    ], SideSheet)  # fmt: skip
    script = _made("Play", [
        ("by", dict[str, str], _New(dict)),
        ("seed", Annotated[int, Ge(0)] | None, None),
        ("lines", tuple[str, ...], ()),
    ], PlaySheet)  # fmt: skip
    board = fight_of(system).board
    made = _made("Fight", [
        *([] if board is None else [(board.key, board.sheet | None, None)]),
        ("one", side, ...),
        ("other", side, ...),
        ("first", Literal[tuple(FIRST)] | None, None),
        ("at_a_time", Annotated[int, Ge(1)], 1),
        ("rounds", Annotated[int, Ge(1), Le(MOST_ROUNDS)] | None, None),
        ("rulings", dict[str, str], _New(dict)),
        ("objective", str, ""),
        ("threshold", Annotated[int, Ge(0)], 0),
        ("title", str, ""),
        ("purpose", str, ""),
        ("notes", str, ""),
        ("system", str, ""),
        ("asks", tuple[str, ...] | None, None),
        ("scene", bool | None, None),
        ("play", script, _New(script)),
    ], FightSheet)  # fmt: skip
    return cast("type[FightSheet]", made)


def fight_schema(system: System[Facts]) -> Raw:
    """The JSON Schema of a system's fights.

    Raises:
        SetupError: the system knows no fights.
    """
    fight_of(system)
    kind = sheet_of(system)
    made = as_written(described(adapter(kind).json_schema(), kind), system.roster_keys)
    parts: dict[str, Any] = dict(cast("Raw", made["$defs"]))
    side = {**parts["Side"], "properties": {**parts["Side"]["properties"]}}
    keys = side["properties"]
    name = keys["fighters"]["items"]["$ref"].rsplit("/", 1)[1]
    sheet = parts[name]
    entry = {
        **sheet, "properties": {**sheet["properties"], "number": NUMBER}, "title": "Entry",
    }  # fmt: skip
    entries = [{"type": "string"}, ref_to("Entry"), ref_to("EntryLike")]
    keys["fighters"] = {**keys["fighters"], "items": {"anyOf": entries}, "minItems": 1}
    keys["choose"] = {**keys["choose"], "additionalProperties": OPTIONS}
    both = {
        **keys["situation"], "group": "Sides",
        "description": "what holds for both sides, unless one says otherwise",
    }  # fmt: skip
    properties: Raw = {
        **cast("Raw", made["properties"]), "situation": both, "roster": ROSTER_SCHEMA,
    }  # fmt: skip
    more = {"Side": side, "Entry": entry, "EntryLike": with_like(entry)}
    return {
        **made, "properties": properties, "$defs": {**parts, **more},
        "title": f"{system.title} fight",
    }  # fmt: skip


NUMBER: Raw = {
    "type": "integer",
    "minimum": 1,
    "maximum": MOST_ALIKE,
    "default": 1,
    "title": "Number",
    "group": "Roster",
    "description": f"how many there are of this kind; 1 to {MOST_ALIKE:,}",
}
"""The JSON Schema of the number of fighters of a kind."""
