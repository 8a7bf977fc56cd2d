"""A roll on its way onto the table: faces typed or rolled die by die, corrected, then taken.

>>> from affray.core.dice import Pool, d
>>> roll = Roll(Pool((d(10), 2), (d(6), 1), labels=(("damage", 2), ("superior", 1))))
>>> roll = roll.typed("0").typed("7")
>>> roll.faces, roll.next.name, roll.next.label
((10, 7), 'd6', 'superior')
>>> roll.corrected(2, "8").faces
(10, 8)
"""

from __future__ import annotations

from itertools import groupby

from affray.core.dice import Die, Face, Pool, spoken
from affray.core.errors import AnswerError
from affray.core.lazy import NamedTuple
from affray.core.telling import shown
from affray.engine.exchange.session import Answer
from affray.engine.exchange.sources import Entropy

__all__ = ["DieRow", "Roll"]


class DieRow(NamedTuple):
    """A die that is to be rolled: its name, in words which faces it has, and what it is for."""

    name: str
    faces: str
    label: str = ""

    @property
    def told(self) -> str:
        """The die in a word or two: `d6`, `d6 superior`."""
        return f"{self.name} {self.label}".rstrip()


class Roll(NamedTuple):
    """A roll under way.

    Attributes:
        pool: the dice that are asked for.
        faces: those that lie already, in the order of the dice.
        by: where each of them came from.
    """

    pool: Pool
    faces: tuple[Face, ...] = ()
    by: tuple[str, ...] = ()

    @property
    def rows(self) -> tuple[DieRow, ...]:
        """Every die of the pool."""
        pairs = zip(self.pool.dice, self.pool.labels, strict=True)
        return tuple(DieRow(die.name, spoken(die), label) for die, label in pairs)

    @property
    def is_whole(self) -> bool:
        """Whether every die lies."""
        return len(self.faces) == self.pool.size

    @property
    def next(self) -> DieRow:
        """The die that comes next."""
        return self.rows[len(self.faces)]

    @property
    def told(self) -> str:
        """The dice with what they are for: `2d10 damage, 1d6 superior`."""
        runs = [(row.told, len(list(same))) for row, same in groupby(self.rows)]
        return ", ".join(f"{number}{told}" for told, number in runs)

    def takes(self, text: str) -> bool:
        """Whether this is a face of the next die."""
        return not self.is_whole and self.pool.dice[len(self.faces)].meant(text) is not None

    @property
    def answer(self) -> Answer:
        """The faces that lie, as an answer."""
        return Answer(faces=self.faces, by=self.by)

    def typed(self, text: str) -> Roll:
        """The roll with the face of the next die.

        Raises:
            AnswerError: it is none of its faces, or every die lies already.
        """
        if self.is_whole:
            raise AnswerError(f"{shown(text)} is one face too many; it is not used")
        return self._with(_meant(self.pool.dice[len(self.faces)], text), "hand")

    def faces_in(self, text: str) -> list[str]:
        """The faces that a line names: `6 4`, `6,4`, or `64` where all dice left have one digit.

        >>> from affray.core.dice import Pool, d
        >>> roll = Roll(Pool((d(10), 3)))
        >>> roll.faces_in("6, 4"), roll.faces_in("640"), roll.faces_in("10")
        (['6', '4'], ['6', '4', '0'], ['10'])
        >>> roll.faces_in("64"), roll.faces_in("6407")
        (['6', '4'], ['6407'])
        """
        parts = text.replace(",", " ").split()
        left = self.pool.dice[len(self.faces) :]
        run = "".join(parts)
        is_run = len(parts) == 1 < len(run) <= len(left) and not self.takes(run)
        if is_run and None not in map(Die.meant, left, run):
            return list(run)
        return [text] if text and self.takes(text) else parts

    def rolled(self, dice: Entropy) -> Roll:
        """The roll with the next die rolled by the computer."""
        return self._with(dice.face(self.pool.dice[len(self.faces)]), dice.label)

    def thrown(self, dice: Entropy) -> Roll:
        """The roll with all dice that are left rolled by the computer."""
        roll = self
        while not roll.is_whole:
            roll = roll.rolled(dice)
        return roll

    def corrected(self, die: int, text: str) -> Roll:
        """The roll with another face on one of the dice that lie.

        Args:
            die: its number, from 1.
            text: what was written.

        Raises:
            AnswerError: no such die lies, or it has no such face.
        """
        if not 1 <= die <= len(self.faces):
            many = len(self.faces)
            lie = f"dice 1 to {many} lie" if many > 1 else "only die 1 lies"
            lie = lie if many else "no die lies yet"
            raise AnswerError(f"die {die} can't be corrected; {lie}")
        place = die - 1
        face = _meant(self.pool.dice[place], text)
        return self._replace(
            faces=(*self.faces[:place], face, *self.faces[die:]),
            by=(*self.by[:place], "hand", *self.by[die:]),
        )

    @property
    def shorter(self) -> Roll:
        """The roll without the last face that lies."""
        return self._replace(faces=self.faces[:-1], by=self.by[:-1])

    def _with(self, face: Face, by: str) -> Roll:
        return self._replace(faces=(*self.faces, face), by=(*self.by, by))


def _meant(die: Die, text: str) -> Face:
    found = die.meant(text)
    if found is None:
        raise AnswerError(f"{shown(text)} is no face; allowed: {spoken(die)}")
    return found
