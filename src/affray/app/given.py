"""A table that somebody gave, read key by key: every value is checked, and none is left over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from affray.app.inputs.intake import InputError, Raw
from affray.core.dice import Face
from affray.core.errors import Fault
from affray.core.telling import shown

__all__ = ["Given"]

MOST = 1_000_000
MOST_FACES = 1000


class Given:
    """A table, and which of its keys have been read.

    Args:
        raw: the table; its values are plain data.
        where: what it is, for messages.
        read: keys that have been read already.
        place: a JSON pointer to it in all that was given.
    """

    def __init__(
        self, raw: Raw, where: str, read: frozenset[str] = frozenset(), place: str = ""
    ) -> None:
        self.where = where
        self._raw = raw
        self._read = set(read)
        self._place = place

    def __repr__(self) -> str:
        return f"Given({self._raw!r})"

    def called(self, name: str) -> Given:
        """The same table under a name that says more."""
        return Given(self._raw, f"{self.where} {name}", frozenset(self._read), self._place)

    def below(self, key: str) -> Given:
        """A table in it; an empty one if it is not there."""
        return Given(self.table(key), f"{self.where}: {key}", place=f"{self._place}/{key}")

    def has(self, key: str) -> bool:
        """Whether it has a key."""
        return key in self._raw

    def refuse(self, key: str, why: str) -> NoReturn:
        """Refuse a value, or the whole table.

        Raises:
            InputError: in any case.
        """
        found = self._raw.get(key)
        given = found if isinstance(found, str | int | float | bool) else None
        place = f"{self._place}/{key}" if key else self._place
        message = ": ".join(filter(None, (self.where, key, why)))
        raise InputError(message, faults=(Fault(place, why, given, code=InputError.code),))

    def text(self, key: str, usual: str | None = None) -> str:
        """A text; without a usual one it has to be there."""
        found = self._value(key, usual)
        if not isinstance(found, str):
            self.refuse(key, f"{shown(found)}; must be a text")
        return found

    def truth(self, key: str, *, usual: bool) -> bool:
        """True or false."""
        found = self._value(key, usual)
        if not isinstance(found, bool):
            self.refuse(key, f"{shown(found)}; must be true or false")
        return found

    def number(
        self, key: str, usual: int | None = None, *, least: int = 0, most: int = MOST
    ) -> int:
        """A whole number; without a usual one it has to be there."""
        found = self._value(key, usual)
        if type(found) is not int or not least <= found <= most:
            self.refuse(key, f"{shown(found)}; must be a whole number from {least} to {most}")
        return found

    def amount(self, key: str) -> float | None:
        """A number above zero, whole or decimal; None: it is not there."""
        if not self.has(key):
            return None
        found = self._value(key, None)
        if isinstance(found, bool) or not isinstance(found, int | float) or not 0 < found <= MOST:
            self.refuse(key, f"{shown(found)}; must be a number above 0, {MOST} at most")
        return float(found)

    def face(self, key: str) -> Face:
        """A face of a die: a number or a name."""
        return self._face(key, self._value(key, None))

    def faces(self, key: str) -> tuple[Face, ...]:
        """Faces of dice."""
        found = self._value(key, None)
        if not isinstance(found, list) or len(found) > MOST_FACES:
            self.refuse(key, f"{shown(found)}; must be a list of faces, {MOST_FACES} at most")
        return tuple(self._face(key, face) for face in found)

    def texts(self, key: str) -> Mapping[str, str]:
        """A table of texts."""
        found = self._value(key, None)
        if not isinstance(found, dict) or not all(isinstance(one, str) for one in found.values()):
            self.refuse(key, f"{shown(found)}; must be a table of texts")
        return found

    def table(self, key: str) -> Raw:
        """A table; an empty one if it is not there."""
        found = self._value(key, {})
        if not isinstance(found, dict):
            self.refuse(key, f"{shown(found)}; must be a table")
        return found

    def names(self, key: str) -> list[str]:
        """A list of texts, all different; an empty one if it is not there."""
        found = self._value(key, [])
        if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
            self.refuse(key, f"{shown(found)}; must be a list of names")
        if len(set(found)) < len(found):
            self.refuse(key, f"{shown(found)}; a name stands twice")
        return found

    def others(self) -> Raw:
        """All keys that have not been read."""
        found = {key: value for key, value in self._raw.items() if key not in self._read}
        self._read |= set(found)
        return found

    def check_all_read(self) -> None:
        """Refuse a key that nobody has read.

        Raises:
            InputError: there is one.
        """
        left = sorted(set(self._raw) - self._read)
        if left:
            known = ", ".join(sorted(self._read))
            self.refuse("", f"unknown key {shown(left[0])}; known: {known}")

    def _face(self, key: str, face: object) -> Face:
        if isinstance(face, bool) or not isinstance(face, int | str):
            self.refuse(key, f"{shown(face)}; a face is a number or a name")
        return face

    def _value(self, key: str, usual: object) -> object:
        self._read.add(key)
        if key not in self._raw and usual is None:
            self.refuse("", f"{key} is missing")
        return self._raw.get(key, usual)
