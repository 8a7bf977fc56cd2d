"""The subject of a use case, as data: a shipped name or a table, never a path.

Whoever has files reads them first (`affray.cli.sources` does for the command line) and passes
tables on. A table may name files with roster entries; only a reader that comes with the table
(`Table.beside`) can open them, so over a network nothing is ever read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from affray.app.inputs.intake import Raw
from affray.core.lazy import NamedTuple
from affray.core.names import unknown
from affray.core.node import Facts
from affray.core.system import System

__all__ = [
    "AS_WRITTEN", "NO_ANSWERS", "Answers", "Beside", "Changes", "EasyFight", "FightSource",
    "Names", "Shipped", "Source", "Table", "fight_source_of", "source_of", "table_behind",
]  # fmt: skip


class Shipped(NamedTuple):
    """An example or a fight that ships with its system."""

    name: str


class Table(NamedTuple):
    """A setup, a fight, a saved game or roster entries.

    Attributes:
        raw: the table itself.
        origin: where it came from, for messages.
        beside: reads the files that it names; None: it may name none.
    """

    raw: Mapping[str, object]
    origin: str = "table"
    beside: Beside | None = None


Beside = Callable[[str, str], Table]
"""Reads a file that a table names: takes its name, and where that name stands, for messages."""


class Names(NamedTuple):
    """The fighters of both sides by their roster names, as `ada,bo` and `3xhusk,shrieker`."""

    one: str
    other: str


Source = Shipped | Table
FightSource = Shipped | Table | Names


class Changes(NamedTuple):
    """Changes that take the place of what a setup says.

    Attributes:
        settle: choices decided beforehand, by step: options, most wanted first.
        rulings: readings, by name.
        roster: own roster entries, instead of those that the setup names.
    """

    settle: Mapping[str, tuple[str, ...]] = {}
    rulings: Mapping[str, str] = {}
    roster: tuple[Table, ...] = ()


AS_WRITTEN = Changes()


class Answers(NamedTuple):
    """Answers to give before anything else.

    Attributes:
        dice: faces, as many as each roll takes. options: for each choice the next one.
        own: whether the script that stands in the setup (key `play`) goes first.
    """

    dice: tuple[int | str, ...] = ()
    options: tuple[str, ...] = ()
    own: bool = False


NO_ANSWERS = Answers()


def source_of(given: str | Mapping[str, object] | Shipped | Table) -> Source:
    """A source from what is easy to write: the name of a shipped example, or a table."""
    if isinstance(given, (Shipped, Table)):
        return given
    return Shipped(given) if isinstance(given, str) else Table(given)


EasyFight = FightSource | str | Mapping[str, object] | tuple[str, str]
"""A fight as it is easy to write: a shipped name, a table, or the names of both sides."""


def fight_source_of(given: EasyFight) -> FightSource:
    """A fight from what is easy to write: a shipped name, a table, or the names of both sides."""
    if isinstance(given, (Shipped, Table, Names)):
        return given
    return Names(*given) if isinstance(given, tuple) else source_of(given)


def table_behind(
    system: System[Facts], source: Source, known: Mapping[str, Raw], what: str
) -> Table:
    """The table behind a source.

    Args:
        system: whose tables are meant.
        source: a shipped name, or a table.
        known: the shipped tables, by name.
        what: what such a table is called, for messages.

    Raises:
        UnknownNameError: no table of this name ships.
    """
    if isinstance(source, Table):
        return source
    if source.name not in known:
        raise unknown(f"{what} of {system.id}", source.name, known)
    return Table(known[source.name], f"{what} {source.name}")
