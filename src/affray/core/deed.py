"""What is done in a turn of a fight, and what is told of a fighter's condition."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Literal

from affray.core.lazy import NamedTuple

__all__ = ["ATTACK", "Deed", "Told"]


class Deed(NamedTuple):
    """Something that a fighter can do in a turn.

    Attributes:
        name: "attack", "revive", ...
        on: whom it is done to: a foe who is not out, a friend who is out, a friend (one who is
            out; if nobody is, one in need), or oneself. The friend most in need comes first, see
            `Fight.needs`. People may choose another friend who fits.
        forced: whether it befalls the fighter, so that nobody can pass it over.
        of: what befalls the fighter, where the name doesn't say enough: a record of the system.
        words: what the option says beside the name, where that doesn't say enough.
    """

    name: str
    on: Literal["foe", "fallen friend", "friend", "self"] = "foe"
    forced: bool = False
    of: Hashable = None
    words: str = ""


ATTACK = Deed("attack")


class Told(NamedTuple):
    """One line of a fighter's condition, in the game's own terms, for those at the table.

    Attributes:
        label: what it is ("damage", "Vitality", "Resolve").
        value: how it stands now: a number, words ("12 of 30"), or a tuple of words.
        does: what it does to the numbers, for those who ask ("-20 on all tests (EP-70)"); "":
            nothing.
        key: the name under which a game master sets it (see `Fight.mended`); "": it can't be set.
        news: which changes logs tell: every one; "ends": only that it begins and ends, of what is
            counted down; "none": none, of what every turn uses up and gives back. The table has it.
        bar: points left and the most there can be, where the line is what a bar is drawn of.
        short: what a table says of it in a word or two ("2 wounds", "prone"); "": it is left to
            those who ask.
        is_place: whether it tells where a fighter is, which whoever moves tells anyway.
    """

    label: str
    value: object
    does: str = ""
    key: str = ""
    news: Literal["all", "ends", "none"] = "all"
    bar: tuple[int, int] | None = None
    short: str = ""
    is_place: bool = False
