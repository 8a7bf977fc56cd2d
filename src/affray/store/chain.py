"""The hash chain of a game: each entry carries a SHA-256 over itself and the one before.

A row that somebody changes, removes or inserts no longer fits the chain. Somebody who may rewrite
the whole database can compute a new chain: what the chain shows is an accident or a clumsy hand,
not a dishonest owner.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from affray.store.values import as_json

__all__ = ["Beginning", "Link", "first_hash", "first_wrong", "next_hash"]


class Beginning(NamedTuple):
    """How a game began, as its row holds it.

    Attributes:
        game: its id.
        kind: "fight" or "exchange".
        system: id of the system.
        rules: the version of the rules.
        setup: the table it began from, as canonical JSON.
        parent: the game it was forked from.
        parent_revision: the revision at which that was done.
        begun: when, in microseconds.
    """

    game: str
    kind: str
    system: str
    rules: str
    setup: str
    parent: str | None
    parent_revision: int | None
    begun: int


class Link(NamedTuple):
    """An entry as its row holds it.

    Attributes:
        revision: its place in the game, from 1.
        at: when, in microseconds.
        rules: the version of the rules.
        who: the name of who did it.
        by: by what it was decided, as canonical JSON.
        what: what was done, as canonical JSON.
    """

    revision: int
    at: int
    rules: str
    who: str
    by: str
    what: str


def first_hash(beginning: Beginning) -> str:
    """The hash of how a game began, which its first entry follows."""
    game, kind, system, rules, setup, *rest = beginning
    head = as_json([game, kind, system, rules, *rest])
    return sha256(f"[{head},{setup}]".encode()).hexdigest()


def next_hash(before: str, entry: Link) -> str:
    """The hash of an entry that follows one of this hash."""
    head = as_json([before, entry.revision, entry.at, entry.rules, entry.who])
    return sha256(f"[{head},{entry.by},{entry.what}]".encode()).hexdigest()


def first_wrong(before: str, chain: Iterable[tuple[Link, str]]) -> int | None:
    """The revision of the first entry that does not fit its hash or its place; None: all fit.

    Args:
        before: the game's first hash.
        chain: the entries in order, each with the hash that its row holds.
    """
    for place, (entry, kept) in enumerate(chain, 1):
        if entry.revision != place or next_hash(before, entry) != kept:
            return place
        before = kept
    return None
