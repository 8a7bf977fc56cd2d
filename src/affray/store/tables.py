"""The tables of the store, as they are today.

`migrations/` brings every older database to this; a test compares the two. Times are microseconds
since 1970 (UTC). They are for people: a clock may be set back, so every order follows `changed`, a
number that `counter` counts up with each change.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    TypeDecorator,
)

from affray.store.values import as_text

__all__ = [
    "METADATA", "Words", "counter", "documents", "entries", "games", "jobs", "links", "replies",
    "tabletops",
]  # fmt: skip


class Words(TypeDecorator[str]):
    """A text; what no database takes is left out of those that are asked for, too."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """The text as it is sent to the database."""
        return None if value is None else as_text(value)


METADATA = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def _text(name: str, *, empty: bool = False) -> Column[str]:
    """A column for a text; `empty`: it may be missing."""
    return Column(name, Words, nullable=empty)


def _number(name: str, *, empty: bool = False) -> Column[int]:
    """A column for a whole number, such as a time; `empty`: it may be missing."""
    return Column(name, BigInteger, nullable=empty)


def _id() -> Column[str]:
    return Column("id", Words, primary_key=True)


counter = Table(
    "counter",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _number("last"),
    CheckConstraint("id = 1", name="one_row"),
)
"""The number of the last change: one row, locked from here until the change is committed."""

tabletops = Table(
    "tabletops",
    METADATA,
    _id(),
    _text("title"),
    _text("settings"),
    _text("game", empty=True),
    _number("revision"),
    _number("made"),
    _number("touched"),
    _number("changed"),
    Index(None, "changed"),
)
"""Tables at which people sit; `game` is the one that is played there now."""

games = Table(
    "games",
    METADATA,
    _id(),
    _text("kind"),
    _text("system"),
    _text("rules"),
    _text("title"),
    _text("state"),
    _text("setup"),
    Column("tabletop", Words, ForeignKey("tabletops.id", ondelete="SET NULL"), nullable=True),
    _text("parent", empty=True),
    _number("parent_revision", empty=True),
    _number("begun"),
    _number("touched"),
    _number("revision"),
    _text("head"),
    _number("changed"),
    Index(None, "changed"),
    Index(None, "tabletop"),
)
"""Games: how each began, and what lists show. `head` is the hash of the last entry.

`parent` may name a game that has been pruned, so it is no foreign key.
"""

entries = Table(
    "entries",
    METADATA,
    Column("game", Words, ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    _number("revision"),
    _text("what"),
    _text("who"),
    _text("by"),
    _number("at"),
    _text("rules"),
    _text("hash"),
    PrimaryKeyConstraint("game", "revision"),
)
"""What happened in games, one row a revision; rows are added and never changed."""

documents = Table(
    "documents",
    METADATA,
    _id(),
    _text("owner"),
    _text("kind"),
    _text("system"),
    _text("name"),
    _text("content"),
    _number("made"),
    _number("changed"),
    Index(None, "owner", "kind", "changed"),
)
"""Setups, sheets and rosters; the id is a hash of the row, so the same one is kept once."""

links = Table(
    "links",
    METADATA,
    _id(),
    Column("token_hash", Words, nullable=False, unique=True),
    _text("role"),
    _text("name"),
    Column("tabletop", Words, ForeignKey("tabletops.id", ondelete="CASCADE"), nullable=True),
    Column("game", Words, ForeignKey("games.id", ondelete="CASCADE"), nullable=True),
    Column("parent", Words, ForeignKey("links.id", ondelete="CASCADE"), nullable=True),
    _number("made"),
    _number("expires", empty=True),
    _number("revoked", empty=True),
    _number("seen", empty=True),
    CheckConstraint("(tabletop IS NULL) <> (game IS NULL)", name="one_place"),
    Index(None, "tabletop"),
    Index(None, "game"),
    Index(None, "parent"),
)
"""Links that let people to a table or a game; of the token only its hash is kept."""

jobs = Table(
    "jobs",
    METADATA,
    _id(),
    _text("client"),
    _text("kind"),
    _text("question"),
    _text("state"),
    _text("progress"),
    _text("result", empty=True),
    _text("server"),
    _number("made"),
    _number("begun", empty=True),
    _number("ended", empty=True),
    _number("beat"),
    _number("changed"),
    Index(None, "changed"),
    Index(None, "client", "changed"),
    Index(None, "state"),
)
"""Long questions and their results; `beat` is when their server last said that it lives."""

replies = Table(
    "replies",
    METADATA,
    _text("client"),
    _text("key"),
    _text("fingerprint"),
    Column("status", Integer, nullable=True),
    _text("headers"),
    _text("body"),
    _number("expires"),
    PrimaryKeyConstraint("client", "key"),
    Index(None, "expires"),
)
"""First answers to requests that carry a key; without a status the first is still at work."""
