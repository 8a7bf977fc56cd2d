"""A game master's hand on a condition: what can be set, to what, and how.

A room lists its mends; `mending` makes the `Fight.mended` of them. Values come as they were typed,
so they are checked here, once for all rooms.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

from affray.core.errors import SetupError
from affray.core.lazy import NamedTuple
from affray.core.names import unknown
from affray.core.telling import shown

__all__ = ["Mend", "mending", "whole_number"]

S = TypeVar("S", bound=Hashable)
C = TypeVar("C", bound=Hashable)

YES_OR_NO = {"yes": 1, "no": 0, "true": 1, "false": 0}
MOST_NAMED = 12


class Mend(NamedTuple, Generic[S, C]):
    """One thing about a fighter's condition that a game master can set.

    Attributes:
        key: its name, the `key` of a line of `Fight.told`.
        allowed: for a sheet and a condition: whole numbers as a range (0 to 1: yes or no), or the
            words of which one is meant.
        put: the condition with a value that is allowed.
    """

    key: str
    allowed: Callable[[S, C], range | Sequence[str]]
    put: Callable[[S, C, int | str], C]


def mending(*mends: Mend[S, C]) -> Callable[[S, C, str, object], C]:
    """Make a `Fight.mended` that sets each of these, and refuses everything else.

    >>> class Hurt(NamedTuple):
    ...     damage: int = 0
    >>> def put(sheet: str, now: Hurt, value: int | str) -> Hurt:
    ...     return now._replace(damage=int(value))
    >>> mended = mending(Mend("damage", lambda sheet, now: range(0, 31), put))
    >>> mended("ada", Hurt(), "damage", "7")
    Hurt(damage=7)
    """
    known = {mend.key: mend for mend in mends}

    def mended(sheet: S, condition: C, key: str, value: object) -> C:
        if key not in known:
            raise unknown("thing to set", key, known)
        mend = known[key]
        return mend.put(sheet, condition, _meant(key, value, mend.allowed(sheet, condition)))

    return mended


def _meant(key: str, value: object, allowed: range | Sequence[str]) -> int | str:
    """The value that is meant by what was typed.

    Raises:
        SetupError: it is not allowed; says what is.
    """
    if not isinstance(allowed, range):
        if isinstance(value, str) and value in allowed:
            return value
        raise SetupError(f"{key}: {shown(value)}; allowed: {_words(allowed)}")
    number = whole_number(value, is_flag=allowed == range(2))
    if number is None or number not in allowed:
        raise SetupError(f"{key}: {shown(value)}; allowed: {_numbers(allowed)}")
    return number


def whole_number(value: object, *, is_flag: bool = False) -> int | None:
    """The whole number that is meant by what was typed; None: it is none.

    Args:
        value: a number or a text.
        is_flag: whether yes and no stand for 1 and 0.
    """
    if isinstance(value, bool):
        return int(value) if is_flag else None
    if isinstance(value, int):
        return value
    if not isinstance(value, str):
        return None
    text = value.strip()
    if is_flag and text in YES_OR_NO:
        return YES_OR_NO[text]
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 10 else None


def _words(allowed: Sequence[str]) -> str:
    more = f" and {len(allowed) - MOST_NAMED} more" if len(allowed) > MOST_NAMED else ""
    return (", ".join(allowed[:MOST_NAMED]) + more) or "nothing now"


def _numbers(allowed: range) -> str:
    if allowed == range(2):
        return "0 or 1 (no or yes)"
    if not allowed:
        return "nothing now"
    return f"{allowed[0]} to {allowed[-1]}" if len(allowed) > 1 else str(allowed[0])
