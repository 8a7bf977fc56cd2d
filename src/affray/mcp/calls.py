"""A call of a tool: its arguments, and what it works with."""

from __future__ import annotations

from typing import Annotated, ClassVar, Protocol

from affray.app.inputs.intake import InputError
from affray.app.views.envelope import View
from affray.core.errors import Fault
from affray.core.lazy import NamedTuple
from affray.core.sheet import Ge, Le
from affray.core.telling import shortened, shown
from affray.engine.budget import Budget
from affray.mcp.games import Games

__all__ = ["MOST_S", "Call", "Fought", "Seconds", "Work", "unfit"]

MOST_S = 60
"""Seconds that a call may take at most."""
Seconds = Annotated[float, Ge(0.1), Le(MOST_S)]
Fought = str | dict[str, object] | tuple[str, str]
"""A fight: the name of a shipped one, a table, or the roster names of both sides."""


class Work(NamedTuple):
    """The games of the server, and how much the call may take."""

    games: Games
    budget: Budget


class Call(Protocol):
    """A call of a tool, with its arguments.

    Attributes:
        views: the views that may come of it.
    """

    views: ClassVar[tuple[type[View], ...]]

    def view(self, work: Work, /) -> View:
        """The result."""
        ...


def unfit(tool: str, key: str, given: object, why: str) -> InputError:
    """The error for an argument that doesn't go with the others."""
    what = f"{key}: {shown(given)}: {why}"
    fault = Fault(f"/{key}", what, shortened(given), code="wrong-value", origin=tool)
    return InputError(f"{tool}: {what}", faults=[fault])
