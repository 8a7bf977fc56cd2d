"""The actor of a roll or a choice: a role of the system, numbered where several share it."""

from __future__ import annotations

__all__ = ["Actor", "role_of"]


class Actor(str):
    """One of several who have the same role, such as the second of three defenders.

    It is the text that logs show, and equal to it. A rule text in which a role has one actor only
    names the role.

    >>> second = Actor("defender", 2)
    >>> second, second.role, second.number
    ('defender 2', 'defender', 2)
    >>> Actor("defender") == "defender"
    True

    Attributes:
        role: one of `System.actors`. number: which of those who have it, from 1.
    """

    __slots__ = ("number", "role")

    role: str
    number: int

    def __new__(cls, role: str, number: int = 1) -> Actor:
        """The first of a role is called by the role alone, others with their number."""
        made = super().__new__(cls, role if number == 1 else f"{role} {number}")
        made.role = role
        made.number = number
        return made

    def __getnewargs__(self) -> tuple[str, int]:  # type: ignore[override]  # not only a text
        return self.role, self.number


def role_of(actor: str) -> str:
    """The role of somebody who rolls or decides; a plain name is one."""
    return actor.role if isinstance(actor, Actor) else actor
