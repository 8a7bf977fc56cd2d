"""What a fight asks of the situation at the table: how far, behind what, in which light.

A file of a fight may say all of that. What it leaves open is asked when it first matters for a
deed, once; the answer is kept until somebody changes it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, Literal, TypeVar

from affray.core.errors import SetupError
from affray.core.lazy import NamedTuple
from affray.core.node import Facts
from affray.core.scene import Scene
from affray.core.telling import shown

__all__ = ["Matter", "Offer", "length_typed", "number_typed"]

F = TypeVar("F", bound=Facts)


class Offer(NamedTuple):
    """One way in which something of the situation may be.

    Attributes:
        value: of the setup's key.
        name: what people choose it by ("moderate", "8").
        words: the modifiers that it makes; "": none.
    """

    value: Hashable
    name: str
    words: str = ""


def _never(outcome: F) -> bool:
    return False


class Matter(NamedTuple, Generic[F]):
    """One thing of the situation that is asked at the table when it first matters.

    Attributes:
        key: of the setup.
        ask: the question; `{actor}` and `{target}` stand for their names.
        holds: for whom the answer is kept: for the whole fight, between the two, for the target
            whoever acts upon it, for the actor whomever it acts upon, or for the whole fight with
            a value that names a role: then it is turned where the other side acts (see
            `Fight.turned`).
        offers: the values that there are where this deed is about to be done; (): it doesn't
            matter here. The one that stands in the setup is assumed unless somebody says
            otherwise; where it is not among them, the first.
        reads: what somebody means who types something else; `SetupError` says what is allowed.
            None: there is nothing else.
        takes: what may be typed, in words ("meters from 0 up").
        told: the answer as a line of the log, with `{actor}`, `{target}` and `{value}`; "": the
            key and the value.
        mirror: the key that the same answer has where the two have each other's roles, such as
            the terrain on which the target stands, once it acts itself; "": none. Between two it
            is the key itself, unless this says otherwise.
        lapses: whether an exchange with this outcome ends what was said of its actor, such as the
            cover of one who has moved.
    """

    key: str
    ask: str
    holds: Literal["fight", "pair", "target", "actor", "sides"]
    offers: Callable[[Scene[Any, Any]], tuple[Offer, ...]]
    reads: Callable[[Scene[Any, Any], str], Offer] | None = None
    takes: str = ""
    told: str = ""
    mirror: str = ""
    lapses: Callable[[F], bool] = _never

    @property
    def for_all(self) -> bool:
        """Whether one answer holds for everybody in the fight."""
        return self.holds in {"fight", "sides"}


def number_typed(text: str, unit: str, most: int, *, least: int = 0) -> int:
    """The whole number that somebody typed.

    Raises:
        SetupError: it is none, or out of bounds.
    """
    short = text.isascii() and text.isdecimal() and len(text) < 10
    if not (short and least <= int(text) <= most):
        raise SetupError(f"{shown(text)}; allowed: {unit}, {least} to {most:,}")
    return int(text)


def length_typed(text: str, unit: str, most: int) -> float:
    """The length that somebody typed, such as 7.5.

    Raises:
        SetupError: it is none, or out of bounds.
    """
    try:
        length = float(text)
    except ValueError:
        length = -1.0
    if not 0 <= length <= most:
        raise SetupError(f"{shown(text)}; allowed: {unit}, 0 to {most:,}")
    return length
