"""One exchange of a fight, about to be declared."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

from affray.core.deed import Deed
from affray.core.lazy import NamedTuple
from affray.core.ruling import Rulings

__all__ = ["Scene"]

P = TypeVar("P", bound=Hashable)
C = TypeVar("C", bound=Hashable)


class Scene(NamedTuple, Generic[P, C]):
    """One exchange of a fight, about to be declared.

    Attributes:
        setup: the system's own setup: the sheets of both, and the situation.
        deed: what is done.
        actor, target: their conditions. What the room hides (`Hints.hidden`) is missing in that
            of the actor, and may be `UNKNOWN` in that of the target: pass it on, don't ask for it.
        context: what `Fight.context` says of the target's side.
        rulings: the readings in force.
        company: what `Fight.context` says of the actor's own mates, if `Fight.minds_mates` asks
            for it and there are any; else None.
    """

    setup: P
    deed: Deed
    actor: C
    target: C
    context: Hashable
    rulings: Rulings
    company: Hashable = None
