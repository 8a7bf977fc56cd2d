"""Tables at which people sit: made, joined by links, with a game on them.

A link gives a role: the master's, that of a player of some fighters or a side, or a spectator's.
Whoever joins types a name once and gets a key of their own, which goes on working until the link
is revoked. Nobody has an account.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Literal

from affray.app.changes import Means
from affray.app.inputs.checking import validated
from affray.app.inputs.intake import InputError, Raw
from affray.app.rights import Back
from affray.app.roles import MASTER, Role, role_from, role_to_plain
from affray.app.views.service import (
    AskRow,
    GameRow,
    LinkRow,
    MemberRow,
    RoleRow,
    TableSettingsRow,
    TableView,
)
from affray.core.errors import UnknownNameError
from affray.core.lazy import NamedTuple
from affray.core.sheet import sheet
from affray.core.telling import escaped

if TYPE_CHECKING:
    from affray.store import games
    from affray.store.opening import Store
    from affray.store.tabletops import Link, Tabletop

__all__ = ["KeptTables", "Member", "NewLink", "TableSettings", "game_row", "when"]

MOST_NAME = 60
MOST_DAYS = 366
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@sheet
class TableSettings:
    """What the master decides for a table.

    Attributes:
        rolls: who rolls where no seat says otherwise: "players" by hand, or the "server".
        undo: who takes back: "own" the own last answer, "ask" asks the master, "anybody".
    """

    rolls: Literal["players", "server"] = "players"
    undo: Back = "own"

    @property
    def means(self) -> Means:
        """The same for changes of a game."""
        return Means(unsaid="rolled" if self.rolls == "server" else "typed")

    @property
    def plain(self) -> Raw:
        """The same as a table."""
        return {"rolls": self.rolls, "undo": self.undo}


@sheet
class NewLink:
    """A link to be made.

    Attributes:
        role: what it gives: a table with kind, sides and fighters.
        name: what the master calls it.
        days: after so many days it ends; 0: never.
    """

    role: dict[str, object]
    name: str = ""
    days: int = 30

    def check(self) -> str | None:
        """What is wrong with it."""
        return None if 0 <= self.days <= MOST_DAYS else f"days: {self.days}; 0 to {MOST_DAYS}"


class Member(NamedTuple):
    """Somebody at a table.

    Attributes:
        link: id of the own link. name: as it was typed. role: at this table.
    """

    link: str
    name: str
    role: Role


class KeptTables:
    """The tables of a store.

    Args:
        store: where they are kept.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def make(self, title: str, settings: Raw, name: str = "") -> tuple[str, str]:
        """Make a table: its id, and the key of its master.

        Raises:
            InputError: settings that there are not, a title or name that is too long.
            StoreError: it can't be kept.
        """
        told = validated(TableSettings, settings, "settings")
        assert isinstance(told, TableSettings)  # the sheet
        made = self._store.tabletops.make(_named("title", title), told.plain)
        _link, key = self._store.tabletops.link(
            role_to_plain(MASTER), tabletop=made.id, name=_named("name", name)
        )
        return made.id, key

    def change(
        self, table: str, *, title: str | None, settings: Raw | None, game: str | None
    ) -> None:
        """Change what the master decides; what is None stays.

        Raises:
            InputError: as for `make`.
            NotKeptError: there is no such table or game.
            RevisionError: somebody else has just changed it.
            StoreError: it can't be kept.
        """
        here = self._store.tabletops.tabletop(table)
        new = None
        if settings is not None:
            told = validated(TableSettings, {**here.settings, **settings}, "settings")
            assert isinstance(told, TableSettings)  # the sheet
            new = told.plain
        if title is not None:
            title = _named("title", title)
        self._store.tabletops.change(
            table, here.revision, title=title, settings=new, game=game
        )  # fmt: skip

    def settings(self, table: str | None) -> TableSettings:
        """What holds at a table; without a table the usual."""
        if table is None:
            return TableSettings(undo="anybody")
        return _settings(self._store.tabletops.tabletop(table))

    def link(self, table: str, new: NewLink) -> LinkRow:
        """Make a link, with its key, which nobody keeps.

        Raises:
            InputError: no such role.
            StoreError: it can't be kept.
        """
        role = role_from(new.role)
        expires = None
        if new.days:
            ends = datetime.now(UTC) + timedelta(days=new.days)
            expires = (ends - EPOCH) // timedelta(microseconds=1)
        made, key = self._store.tabletops.link(
            role_to_plain(role), tabletop=table, name=_named("name", new.name), expires=expires
        )
        return _row(made)._replace(key=key)

    def revoke(self, table: str, link: str) -> None:
        """Revoke a link of a table; all who joined by it are out.

        Raises:
            NotKeptError: the table has no such link.
            StoreError: it can't be kept.
        """
        if link not in {one.id for one in self._store.tabletops.links(tabletop=table)}:
            raise UnknownNameError("this table has no such link")
        self._store.tabletops.revoke_link(link)

    def join(self, key: str, name: str) -> tuple[str, str]:
        """Join a table by a link: its id, and a key of one's own.

        Raises:
            NotKeptError: the link is not valid, or no longer.
            InputError: the name is empty or too long.
            StoreError: it can't be kept.
        """
        name = _named("name", name)
        if not name:
            raise InputError("name: empty; type the name that the others see")
        link = self._store.tabletops.link_of(key)
        if link.tabletop is None:
            raise InputError("key: it is of a game, not of a table")
        _made, own = self._store.tabletops.link(
            link.role, tabletop=link.tabletop, name=name, expires=link.expires, parent=link.id
        )
        return link.tabletop, own

    def view(
        self,
        table: str,
        member: Member,
        there: Collection[str] = (),
        *,
        asks: Sequence[AskRow] = (),
        key: str = "",
    ) -> TableView:
        """A table as somebody at it sees it.

        Args:
            table: its id.
            member: who looks.
            there: the links of everybody whose page is open.
            asks: what players ask the master for.
            key: of the one who has just made it or joined.
        """
        here = self._store.tabletops.tabletop(table)
        links = [_row(link) for link in self._store.tabletops.links(tabletop=table)]
        maker = links[0].id if links else ""
        is_master = member.role.kind == "master"
        game = None if here.game is None else game_row(self._store.games.row(here.game))
        settings = _settings(here)
        return TableView(
            id=table,
            title=here.title,
            settings=TableSettingsRow(settings.rolls, settings.undo),
            game=game,
            role=_role(member.role),
            name=member.name,
            key=key,
            members=tuple(
                MemberRow(link.name, link.role, link.id in there)
                for link in links
                if link.name and not link.revoked and (link.joined or link.id == maker)
            ),
            links=tuple(link for link in links if not link.joined) if is_master else (),
            asks=tuple(asks) if is_master else (),
        )


def _settings(table: Tabletop) -> TableSettings:
    found = validated(TableSettings, dict(table.settings), "settings")
    assert isinstance(found, TableSettings)  # the sheet
    return found


def _named(what: str, text: str) -> str:
    """A title or a name as the others see it."""
    if len(text) > MOST_NAME:
        raise InputError(f"{what}: {len(text):,} characters; allowed: {MOST_NAME}")
    return escaped(text.strip().replace("\n", " "))


def _row(link: Link) -> LinkRow:
    return LinkRow(
        link.id, _role(role_from(link.role)), link.name, "", when(link.expires),
        link.revoked is not None, link.parent or "",
    )  # fmt: skip


def _role(role: Role) -> RoleRow:
    return RoleRow(role.kind, role.sides, role.fighters)


def game_row(row: games.GameRow) -> GameRow:
    """A game of the store as a row of views."""
    return GameRow(
        row.id, row.kind, row.system, row.title, row.revision, when(row.begun), when(row.touched),
        row.state == "over",
    )  # fmt: skip


def when(us: int | None) -> str:
    """A time of the store as people and programs write it; empty: never.

    >>> when(0), when(None)
    ('1970-01-01T00:00:00Z', '')
    """
    if us is None:
        return ""
    return (EPOCH + timedelta(microseconds=us)).strftime("%Y-%m-%dT%H:%M:%SZ")
