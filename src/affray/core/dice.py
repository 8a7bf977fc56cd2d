"""Dice and pools of dice: faces are numbers or symbols, weights are integers.

What a roll *means* is a reading (`affray.core.reading`); here are only the things on the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from affray.core.errors import SetupError
from affray.core.telling import shown

__all__ = ["D100", "Die", "Face", "Lot", "Pool", "d", "parse_dice"]

Face = int | str

MOST_SIDES = 1_000
MOST_DICE = 10_000
MOST_NOTATION = 200
"""Characters of dice in table notation."""

_PLAIN = re.compile(r"-?[0-9]{1,9}")
_ZERO_IS_LAST = (tuple(range(1, 11)), tuple(range(1, 101)))


class Die:
    """One die: a name and its faces, each with an integer weight (fair dice: one each).

    A face is a number or a symbol. A face that stands on several sides is listed once for
    every side, or carries a weight. Words for faces change nothing: dice with the same faces are
    equal, whatever their faces are said to mean.

    >>> d(6).faces
    (1, 2, 3, 4, 5, 6)
    >>> Die("coin", ("crown", "cross")).name
    'coin'

    Args:
        name: of the die in table notation.
        faces: its faces, in order.
        weights: one for each face; None: one each.
        means: what faces mean in words, such as "2 Damage"; none where numbers speak for
            themselves.

    Raises:
        SetupError: no face, a weight that is no whole number or below one, or not as many
            weights as faces.
    """

    __slots__ = ("_hash", "faces", "means", "name", "weights")

    def __init__(
        self,
        name: str,
        faces: Iterable[Face],
        weights: Iterable[int] | None = None,
        *,
        means: Mapping[Face, str] | None = None,
    ) -> None:
        self.name = name
        self.means: Mapping[Face, str] = means or {}
        self.faces = tuple(faces)
        self.weights = (1,) * len(self.faces) if weights is None else tuple(weights)
        if not self.faces:
            raise SetupError(f"die {name!r} has no face; a die needs at least one")
        whole = all(type(weight) is int and weight > 0 for weight in self.weights)
        if len(self.weights) != len(self.faces) or not whole:
            raise SetupError(
                f"die {name!r}: {len(self.faces)} faces with weights {self.weights}; "
                "allowed: one whole weight of at least 1 for each face"
            )
        self._hash = hash((self.name, self.faces, self.weights))

    @property
    def weighted(self) -> tuple[tuple[Face, int], ...]:
        """Faces with their weights, in the order of the faces."""
        return tuple(zip(self.faces, self.weights, strict=True))

    def meant(self, typed: object) -> Face | None:
        """The face that somebody means who typed this, or None: numbers may come as text.

        An empty face is typed as blank.
        A ten-sided die shows its ten as 0; a die of a hundred its hundred as 00, two zeros.

        >>> d(10).meant("0"), D100.meant("07"), D100.meant("00"), d(100).meant("00"), d(6).meant(0)
        (10, 7, 0, 100, None)
        """
        if isinstance(typed, bool) or not isinstance(typed, (int, str)):
            return None
        if typed in self.faces:
            return typed
        number = int(typed) if isinstance(typed, str) and _PLAIN.fullmatch(typed) else typed
        if typed == "blank" and "" in self.faces:
            return ""
        if number == 0 and self.faces in _ZERO_IS_LAST:
            return self.faces[-1]
        return number if isinstance(number, int) and number in self.faces else None

    @property
    def printed(self) -> tuple[str, ...]:
        """What stands on each face: a ten-sided die has a 0 for its ten, an empty face is blank.

        >>> d(10).printed[-2:], D100.printed[:2], d(100).printed[-2:]
        (('9', '0'), ('00', '01'), ('99', '00'))
        """
        if self.faces in (D100.faces, d(100).faces):
            return tuple(f"{int(face) % 100:02}" for face in self.faces)
        if self.faces == d(10).faces:
            return tuple(str(int(face) % 10) for face in self.faces)
        return tuple(str(face) or "blank" for face in self.faces)

    @property
    def aloud(self) -> tuple[str, ...]:
        """How people read each face aloud: the 0 of a ten-sided die as ten, symbols in words.

        >>> d(10).aloud[-1], d(100).aloud[-1], D100.aloud[:2], d(100).aloud[6]
        ('ten', 'a hundred', ('zero', '1'), '7')
        >>> Die("fate", ("+", ""), means={"+": "plus"}).aloud
        ('plus', 'blank')
        """
        words = dict(self.means)
        if self.faces in _ZERO_IS_LAST:
            words |= {10: "ten", 100: "a hundred"}
        if self.faces == D100.faces:
            words |= {0: "zero"}
        return tuple(words.get(face) or str(face) or "blank" for face in self.faces)

    @property
    def is_numeric(self) -> bool:
        """Whether every face is a number."""
        return all(isinstance(face, int) for face in self.faces)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Die) and (self.name, self.faces, self.weights) == (
            other.name,
            other.faces,
            other.weights,
        )

    def __repr__(self) -> str:
        return f"Die({self.name!r})"


@lru_cache(maxsize=256)
def d(sides: int) -> Die:
    """The fair die with faces 1 to `sides`.

    Raises:
        SetupError: fewer than one or more than 1000 sides.
    """
    if not 1 <= sides <= MOST_SIDES:
        raise SetupError(f"a die with {shown(sides)} sides; allowed: 1 to {MOST_SIDES}")
    return Die(f"d{sides}", range(1, sides + 1))


D100 = Die("d100", range(100))
"""The percentile die of games that read 00 as zero: faces 0 to 99. `d(100)` has 1 to 100."""


class Pool:
    """Dice that are rolled together, like dice side by side, in a fixed order.

    Labels tell whoever rolls what each die is for. They change nothing: pools with the same dice
    are equal, whatever the dice are called.

    >>> pool = Pool((d(10), 3), (d(6), 2), labels=(("damage", 4), ("superior", 1)))
    >>> str(pool), pool.size
    ('3d10+2d6', 5)
    >>> pool.labels
    ('damage', 'damage', 'damage', 'damage', 'superior')
    >>> pool == Pool((d(10), 3), (d(6), 2))
    True

    Args:
        groups: dice of a kind, and how many of them.
        labels: for the dice in their order, runs of a label and a number of dice; what is left
            over has none.

    Raises:
        SetupError: a negative number of dice, or more than 10000 in all.
    """

    __slots__ = ("_hash", "_labels", "groups", "size")

    def __init__(self, *groups: tuple[Die, int], labels: tuple[tuple[str, int], ...] = ()) -> None:
        if any(number < 0 for _, number in groups):
            raise SetupError(f"a pool can't hold a negative number of dice: {groups}")
        self.groups = tuple((die, number) for die, number in groups if number)
        self._labels = labels
        self.size = sum(number for _, number in self.groups)
        if self.size > MOST_DICE:
            raise SetupError(f"a pool of {shown(self.size)} dice; allowed: at most {MOST_DICE}")
        self._hash = hash(self.groups)

    @property
    def dice(self) -> tuple[Die, ...]:
        """Every single die, in the order in which faces are given."""
        return tuple(chain.from_iterable((die,) * number for die, number in self.groups))

    @property
    def labels(self) -> tuple[str, ...]:
        """What each die is for, in the order of `dice`; "" where nothing is said."""
        runs = (*self._labels, ("", self.size))
        return tuple(chain.from_iterable((label,) * number for label, number in runs))[: self.size]

    def meant(self, typed: Sequence[object]) -> tuple[object, ...]:
        """The faces that somebody means who typed these; what means none stays as it is."""
        if len(typed) != self.size:
            return tuple(typed)
        found = (die.meant(face) for die, face in zip(self.dice, typed, strict=True))
        return tuple(
            face if meant is None else meant for face, meant in zip(typed, found, strict=True)
        )

    def refuse(self, faces: Sequence[object]) -> str | None:
        """Why these faces can't be a roll of this pool, or None when they can.

        Args:
            faces: one face for each die, in the order of `dice`.
        """
        if len(faces) != self.size:
            return f"{len(faces)} faces given for {self}; needed: {self.size}"
        for place, (die, face) in enumerate(zip(self.dice, faces, strict=True), start=1):
            known = isinstance(face, (int, str)) and not isinstance(face, bool)
            if not known or face not in die.faces:
                return (
                    f"{shown(face)} is no face of die {place} ({die.name}); allowed: {spoken(die)}"
                )
        return None

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Pool) and self.groups == other.groups)

    def __str__(self) -> str:
        return "+".join(f"{number}{die.name}" for die, number in self.groups) or "no dice"

    def __repr__(self) -> str:
        return f"Pool({self})"


_MANY = re.compile(r"[0-9]+ x ")
_PLACES = {"one": 0, "heads": 0, "two": 1, "other": 1, "tails": 1}


class Lot(Die):
    """A coin or a lot that names somebody; people say it in more than one way.

    Capitals make no difference, the beginning of a name will do, or one name of several, or a
    number; of a coin also heads and tails.

    >>> coin = Lot("coin", ("Ada, Bo", "2 x Husk"))
    >>> [coin.meant(typed) for typed in ("ada", "bo", "husk", "2", "tails", "one", "x")]
    ['Ada, Bo', 'Ada, Bo', '2 x Husk', '2 x Husk', '2 x Husk', 'Ada, Bo', None]
    """

    __slots__ = ()

    def meant(self, typed: object) -> Face | None:
        """The face that somebody means who typed this; None: nobody knows, or it may be two."""
        found = super().meant(typed)
        if found is not None or isinstance(typed, bool) or not isinstance(typed, (int, str)):
            return found
        text = str(typed).strip().casefold()
        if not text:
            return None
        names = [str(face).casefold() for face in self.faces]
        parts = [
            {name, *(_MANY.sub("", part.strip()) for part in name.split(","))} for name in names
        ]
        number = int(text) - 1 if _PLAIN.fullmatch(text) else None
        place = number if number is not None or len(names) > 2 else _PLACES.get(text)
        for fits in (
            [text == name for name in names],
            [text in those for those in parts],
            [at == place for at in range(len(names))],
            [any(part.startswith(text) for part in those) for those in parts],
        ):
            if sum(fits) == 1:
                return self.faces[fits.index(True)]
        return None


def spoken(die: Die) -> str:
    """The faces of a die in words: '1 to 6', or the symbols."""
    faces = die.faces
    if faces == D100.faces:
        return "0 to 99, where 00 is 0"
    if faces == tuple(range(len(faces))) or faces == tuple(range(1, len(faces) + 1)):
        return f"{faces[0]} to {faces[-1]}"
    names = dict.fromkeys(str(face) or "blank" for face in faces)
    return (" or " if any("," in name for name in names) else ", ").join(names)


_TERM = re.compile(
    r"([+-]?)\s*(?:([0-9]{0,9})\s*[dD]\s*([0-9]{1,9}(?![0-9])|%)|([0-9]{1,9}(?![0-9])))"
)


def parse_dice(text: str) -> tuple[Pool, int]:
    """Read table notation: `3d6+2`, `d100`, `d%`, `2d10+1d6-1`; numbers have 9 digits at most.

    A d100 shows 1 to 100. Games that read 00 as zero roll a `D100` instead.

    Returns:
        The pool, with dice of one kind together in the order they come, and the flat number.

    Raises:
        SetupError: anything else, or dice with a minus sign.

    >>> parse_dice("2d10 + d6 - 1")
    (Pool(2d10+1d6), -1)
    """
    at, flat = 0, 0
    groups: dict[Die, int] = {}
    stripped = text.strip()
    while at < len(stripped) <= MOST_NOTATION:
        term = _TERM.match(stripped, at)
        if term is None or (at and not term[1]):
            break
        at = term.end() + len(stripped[term.end() :]) - len(stripped[term.end() :].lstrip())
        if term[4]:
            flat += int(term[1] + term[4])
        elif term[1] == "-":
            break
        else:
            die = d(100 if term[3] == "%" else int(term[3]))
            groups[die] = groups.get(die, 0) + int(term[2] or 1)
    else:
        if 0 < len(stripped) <= MOST_NOTATION:
            return Pool(*groups.items()), flat
    raise SetupError(f"{shown(text)} is not dice; write them like 3d6+2, 2d10+1d6, d100 or d%")
