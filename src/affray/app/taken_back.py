"""Rolls that people took back once they had seen them; a game and a fight tell of them.

>>> rows = with_dropped((), 2, [Answer(faces=(62,), by=("seed",)), Answer(option="pass")])
>>> [row.told for row in rows], with_dropped(rows, 3, [Answer(option="pass")]) == rows
(['Taken back after the roll was seen: 62'], True)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from affray.core.dice import Face
from affray.core.errors import StoreError
from affray.core.lazy import NamedTuple
from affray.core.telling import shown
from affray.engine.exchange.answers import from_plain as answer_from
from affray.engine.exchange.answers import keys_at
from affray.engine.exchange.session import Answer

__all__ = ["TakenBack", "from_plain", "no_later", "to_plain", "with_dropped"]


class TakenBack(NamedTuple):
    """Rolls that were seen, and then something else was done than what led to them.

    Attributes:
        after: how many answers or moves were left.
        rolls: the faces of each.
    """

    after: int
    rolls: tuple[tuple[Face, ...], ...]

    @property
    def told(self) -> str:
        """That it was, in words."""
        rolls = "; ".join(", ".join(map(str, faces)) for faces in self.rolls)
        return f"Taken back after the roll was seen: {rolls}"


def with_dropped(
    rows: tuple[TakenBack, ...], after: int, undone: Iterable[object]
) -> tuple[TakenBack, ...]:
    """The rows, and one for the rolls among moves that were undone and are now given up."""
    rolls = tuple(one.faces for one in undone if isinstance(one, Answer) and one.faces)
    return (*rows, TakenBack(after, rolls)) if rolls else rows


def no_later(rows: Iterable[TakenBack], after: int) -> tuple[TakenBack, ...]:
    """The rows of a game that has gone back to so many answers or moves."""
    return tuple(row._replace(after=min(row.after, after)) for row in rows)


def to_plain(rows: Sequence[TakenBack]) -> list[dict[str, object]]:
    """The rows as plain data."""
    return [{"after": row.after, "rolls": [list(faces) for faces in row.rolls]} for row in rows]


def from_plain(raw: object, most: int) -> tuple[TakenBack, ...]:
    """The rows of a saved file.

    Args:
        raw: what was read.
        most: how many answers or moves there are.

    Raises:
        StoreError: they are not whole.
    """
    if not isinstance(raw, list):
        raise StoreError(f"taken_back: {shown(raw)}; must be a list")
    return tuple(_row(row, f"taken_back {number}", most) for number, row in enumerate(raw, 1))


def _row(raw: object, where: str, most: int) -> TakenBack:
    row = keys_at(raw, where, frozenset({"after", "rolls"}))
    after, rolls = row["after"], row["rolls"]
    if type(after) is not int or not 0 <= after <= most:
        raise StoreError(f"{where}: after {shown(after)}; allowed: 0 to {most}")
    if not isinstance(rolls, list) or not rolls:
        raise StoreError(f"{where}: rolls: {shown(rolls)}; must be a list of them")
    whole = ({"faces": faces, "by": ["other"] * len(faces)} if isinstance(faces, list) else faces
             for faces in rolls)  # fmt: skip
    return TakenBack(after, tuple(answer_from(one, where).faces for one in whole))
