"""A number that a sweep changes: it can be moved and compared, and what was found out is noted.

It stands in facts as `UNKNOWN` does, but knows its present value. Adding to it and taking from it
is exact for every value; a comparison has its present result, and the values for which the result
is the same are noted; so has a division of a `Stretch`. Everything else that could be done with it
raises `Looked`.
"""

from __future__ import annotations

from math import inf

from affray.core.unknown import Looked, Unknown

__all__ = ["Seen", "Stretch", "Swept"]


class Seen:
    """The values for which everything came out as it did for the present one.

    Attributes:
        now: the present value.
        least, most: of these values. but: values between them for which something differs.
    """

    __slots__ = ("but", "least", "most", "now")

    def __init__(self, now: float) -> None:
        self.now = now
        self.least, self.most = -inf, inf
        self.but: set[float] = set()

    def again(self) -> Seen:
        """A second one, as it is now."""
        other = Seen(self.now)
        other.least, other.most, other.but = self.least, self.most, self.but.copy()
        return other

    def has(self, value: float) -> bool:
        """Whether it comes out the same for a value."""
        return self.least <= value <= self.most and value not in self.but

    def is_below(self, limit: int) -> bool:
        """Whether the number is less than a limit."""
        if self.now < limit:
            self.most = min(self.most, limit - 1)
            return True
        self.least = max(self.least, limit)
        return False

    def is_at(self, value: int) -> bool:
        """Whether the number is this one."""
        if self.now == value:
            self.least = self.most = value
            return True
        self.but.add(value)
        return False

    def quotient(self, plus: int, divisor: int) -> int:  # noqa: ARG002  # a stretch takes them
        """The whole part of the number and `plus`, divided; a look, where many values count.

        Raises:
            Looked: it would hold for few of them.
        """
        raise Looked


class Stretch(Seen):
    """Values of which only those near the present one count: it can be divided, too."""

    __slots__ = ()

    def quotient(self, plus: int, divisor: int) -> int:
        """The whole part of the number and `plus`, divided by something above 0."""
        found = int(self.now + plus) // divisor
        self.least = max(self.least, found * divisor - plus)
        self.most = min(self.most, found * divisor + divisor - 1 - plus)
        return found

    def settle(self) -> None:
        """Let nothing but the present value count."""
        self.least = self.most = self.now


class Swept(Unknown):
    """The number, with something added to it.

    Attributes:
        seen: what was found out, shared by all that come of the number.
        plus: what was added.
    """

    __slots__ = ("plus", "seen")

    seen: Seen
    plus: int

    def __init__(self, seen: Seen, plus: int = 0) -> None:
        object.__setattr__(self, "seen", seen)
        object.__setattr__(self, "plus", plus)

    def __add__(self, other: object) -> Swept:  # type: ignore[override]  # it can be moved
        seen, plus = _parts(self)
        return Swept(seen, plus + _whole(seen, other))

    __radd__ = __add__  # type: ignore[assignment]  # it can be moved

    def __sub__(self, other: object) -> Swept | int:  # type: ignore[override]  # it can be moved
        seen, plus = _parts(self)
        if type(other) is Swept:
            others, less = _parts(other)
            if others is seen:
                return plus - less
        return Swept(seen, plus - _whole(seen, other))

    def __floordiv__(self, other: object) -> int:  # type: ignore[override]  # a stretch can be
        seen, plus = _parts(self)
        divisor = _whole(seen, other)
        if divisor <= 0:
            raise Looked
        return seen.quotient(plus, divisor)

    def __lt__(self, other: object) -> bool:  # type: ignore[override]  # it can be compared
        return _compared(self, other, 0)

    def __ge__(self, other: object) -> bool:  # type: ignore[override]  # it can be compared
        return not _compared(self, other, 0)

    def __le__(self, other: object) -> bool:  # type: ignore[override]  # it can be compared
        return _compared(self, other, 1)

    def __gt__(self, other: object) -> bool:  # type: ignore[override]  # it can be compared
        return not _compared(self, other, 1)

    def __eq__(self, other: object) -> bool:
        seen, plus = _parts(self)
        if type(other) is Swept:
            return _parts(other) == (seen, plus)
        if other is None or type(other) in {str, tuple}:
            return False
        return seen.is_at(_whole(seen, other) - plus)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:  # type: ignore[override]  # it can be compared
        seen, plus = _parts(self)
        return not seen.is_at(_whole(seen, 0) - plus)

    __hash__ = Unknown.__hash__  # only of those who merge places, as anything unknown


def _parts(swept: Swept) -> tuple[Seen, int]:
    of = object.__getattribute__
    return of(swept, "seen"), of(swept, "plus")


def _whole(seen: Seen, other: object) -> int:
    """Another number, if both are whole; everything is exact then.

    Raises:
        Looked: they are not.
    """
    if type(seen.now) is int and type(other) is int:
        return other
    raise Looked


def _compared(swept: Swept, other: object, more: int) -> bool:
    """Whether the number is below another one and `more`."""
    seen, plus = _parts(swept)
    if type(other) is Swept:
        others, less = _parts(other)
        if others is seen:
            return plus < less + more
    return seen.is_below(_whole(seen, other) - plus + more)
