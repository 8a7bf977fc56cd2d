"""Roles at a table: a game master, players of a side or of fighters, and spectators.

A game master sees everything. A player sees what the own side has decided under cover, its habits,
and all that lies open; of a player of some fighters that is the side on which they are. A spectator
sees what lies open. Nobody but a game master sees a saved game, a setup or a seed.

>>> Role("player", sides=("one",)).told, role_from({"kind": "spectator"})
('player of the first side', Role(kind='spectator', sides=(), fighters=()))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, cast, get_args

from affray.app.given import Given
from affray.app.inputs.intake import table_checked
from affray.core.lazy import NamedTuple
from affray.core.names import unknown

__all__ = [
    "ALL", "BESIDE", "MASTER", "SPECTATOR", "EasyRole", "Kind", "Role", "as_role", "role_from",
    "role_to_plain", "side_told",
]  # fmt: skip

Kind = Literal["master", "player", "spectator"]
ALL = "all"
"""A short word for the role that sees everything; the name of a side is one for its player."""

BESIDE: Mapping[str, str] = {"attacker": "one", "defender": "other", "ally": "other"}
"""The side of a fight whose player usually plays a role of an exchange, too."""
SIDE_WORDS: Mapping[str, str] = {"one": "the first side", "other": "the second side"}


def side_told(side: str) -> str:
    """A side of a fight, or a role of an exchange, in words."""
    return SIDE_WORDS.get(side, f"the {side}")


class Role(NamedTuple):
    """What somebody is at a table.

    Attributes:
        kind: "master", "player" or "spectator".
        sides: of a player: "one" and "other" in a fight, the roles of an exchange there.
        fighters: of a player: those whom the player answers for, by name.
    """

    kind: Kind
    sides: tuple[str, ...] = ()
    fighters: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """The role in words."""
        sides = (side for side in self.sides if BESIDE.get(side) not in self.sides)
        whose = ", ".join((*map(side_told, sides), *self.fighters))
        if self.kind == "master":
            return "game master"
        return f"{self.kind} of {whose}" if whose else self.kind

    def has(self, side: str, fighters: Iterable[str]) -> bool:
        """Whether somebody is on a side, as a player of it or of one of its fighters."""
        is_there = side in self.sides or not set(fighters).isdisjoint(self.fighters)
        return self.kind == "master" or (self.kind == "player" and is_there)

    def answers_for(self, side: str, fighter: str) -> bool:
        """Whether somebody answers for a fighter; "": for nobody in particular of that side."""
        own = (side and side in self.sides) or (fighter and fighter in self.fighters)
        return self.kind == "master" or (self.kind == "player" and bool(own))


MASTER = Role("master")
SPECTATOR = Role("spectator")
EasyRole = Role | str
"""A role, or a short word for one: "all", or the name of a side."""


def as_role(given: EasyRole, sides: Iterable[str]) -> Role:
    """A role from a short word for it.

    Args:
        given: a role, "all", or a side.
        sides: the sides that there are.

    Raises:
        UnknownNameError: no such side.
    """
    if isinstance(given, Role):
        return given
    known = (ALL, *sides)
    if given not in known:
        raise unknown("role", given, known)
    return MASTER if given == ALL else Role("player", (given,))


def role_from(raw: Mapping[str, object]) -> Role:
    """A role from plain data: `kind`, and of a player `sides`, `fighters` or both.

    Raises:
        InputError: it is not whole. UnknownNameError: there is no such kind.
    """
    given = Given(table_checked(raw, "role"), "role")
    kind = given.text("kind")
    if kind not in get_args(Kind):
        raise unknown("kind of role", kind, get_args(Kind))
    sides, fighters = (tuple(given.names(key)) for key in ("sides", "fighters"))
    given.check_all_read()
    if (kind == "player") != bool(sides or fighters):
        given.refuse("", "a player has sides or fighters, and nobody else has")
    return Role(cast("Kind", kind), sides, fighters)


def role_to_plain(role: Role) -> dict[str, object]:
    """A role as plain data."""
    return {"kind": role.kind, "sides": list(role.sides), "fighters": list(role.fighters)}
