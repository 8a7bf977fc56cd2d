"""Who is there: the links whose pages are open, by table; and what the master is asked for."""

from __future__ import annotations

from collections import Counter, defaultdict

from affray.app.views.service import AskRow

__all__ = ["Asked", "Present"]


class Present:
    """How many pages of each link are open at each table of this server."""

    def __init__(self) -> None:
        self._open: dict[str, Counter[str]] = defaultdict(Counter)

    def enter(self, table: str, link: str) -> bool:
        """One more page is open; whether it is the first of this link."""
        self._open[table][link] += 1
        return self._open[table][link] == 1

    def leave(self, table: str, link: str) -> bool:
        """A page was closed; whether it was the last of this link."""
        pages = self._open[table]
        pages[link] -= 1
        is_last = pages[link] <= 0
        if is_last:
            del pages[link]
        if not pages:
            del self._open[table]
        return is_last

    def at(self, table: str) -> frozenset[str]:
        """The links of all who are there."""
        return frozenset(self._open.get(table, ()))


class Asked:
    """What players ask a game master to take back or give again, until the game goes on."""

    def __init__(self) -> None:
        self._rows: dict[str, dict[tuple[str, str], AskRow]] = defaultdict(dict)

    def note(self, table: str, name: str, what: str) -> None:
        """Somebody asks for something."""
        self._rows[table][name, what] = AskRow(name, what)

    def forget(self, table: str) -> None:
        """The game has gone on."""
        self._rows.pop(table, None)

    def at(self, table: str) -> tuple[AskRow, ...]:
        """What is asked for at a table."""
        return tuple(self._rows.get(table, {}).values())
