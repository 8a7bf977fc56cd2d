"""Units that can do nothing but attack from where they stand, for hints. Nothing here is a rule."""

from __future__ import annotations

from functools import lru_cache

from affray.systems.emlia.actions import attack_of
from affray.systems.emlia.declaration import action_named, offered
from affray.systems.emlia.movement import moves
from affray.systems.emlia.state import Decisions, Terms

__all__ = ["only_attacks"]


@lru_cache(maxsize=512)
def only_attacks(terms: Terms) -> tuple[Decisions, ...]:
    """The attacks that the acting unit may make in a fight; () if it may do anything else.

    Only units on a table may choose to move, and no hint is asked about these.
    """
    named = action_named(terms)
    names = offered(terms) if named is None else (named,)
    troop = terms.troops[0].troop
    for name in names:
        if name == "charge" or moves(terms, name) or attack_of(troop, name) is None:
            return ()
    return tuple([Decisions(action=name) for name in names])
