"""What is done in a turn of a fight, and what is told of a fighter's condition."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Literal, cast

from affray.core.lazy import NamedTuple

__all__ = ["ATTACK", "Deed", "Gauge", "Threshold", "Told", "gauged"]


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


class Threshold(NamedTuple):
    """A number at which something happens, and what: 35, "out of action"."""

    at: int
    what: str


class Gauge(NamedTuple):
    """The numbers of a line, so that a bar can be drawn of them.

    Attributes:
        now: how much there is.
        most: how much there can be, or ought to be at most; None: nobody says.
        thresholds: where something happens, and what, in order.
        unit: of the number, in the plural ("meters"); "": it is a plain number.
        rises: whether it rises from 0 as things get worse, such as damage.
    """

    now: int
    most: int | None = None
    thresholds: tuple[Threshold, ...] = ()
    unit: str = ""
    rises: bool = False

    @property
    def left(self) -> tuple[int, int]:
        """How much is left, and the most of it: the bar of `Told`."""
        most = self.most or 0
        return (max(0, most - self.now) if self.rises else min(self.now, most)), most

    @property
    def happens(self) -> str:
        """What happens where, in words.

        >>> Gauge(0, 35, (Threshold(35, "out of action"), Threshold(52, "dead"))).happens
        'out of action at 35, dead at 52'
        """
        return ", ".join(f"{threshold.what} at {threshold.at}" for threshold in self.thresholds)

    def __str__(self) -> str:
        return str(self.now) if self.most is None else f"{self.now} of {self.most}"


class Told(NamedTuple):
    """One line of a fighter's condition, in the game's own terms, for those at the table.

    Attributes:
        label: what it is ("damage", "Vitality", "Resolve").
        value: how it stands now: a number, words ("12 of 30"), a tuple of words, or True for what
            holds or doesn't. Words with numbers in them are made from the `gauge`.
        does: what it does to the numbers, for those who ask ("-20 on all tests (EP-70)"); "":
            nothing.
        key: the name under which a game master sets it (see `Fight.mended`); "": it can't be set.
        news: which changes logs tell: every one; "ends": only that it begins and ends, of what is
            counted down; "none": none, of what every turn uses up and gives back. The table has it.
        bar: points left and the most there can be, where the line is what a bar is drawn of.
        short: what a table says of it in a word or two ("2 wounds", "prone"); "": it is left to
            those who ask.
        is_place: whether it tells where a fighter is, which whoever moves tells anyway.
        gauge: the numbers; None: there are none besides a `value` that is a number.
    """

    label: str
    value: object
    does: str = ""
    key: str = ""
    news: Literal["all", "ends", "none"] = "all"
    bar: tuple[int, int] | None = None
    short: str = ""
    is_place: bool = False
    gauge: Gauge | None = None

    @property
    def numbers(self) -> Gauge | None:
        """The numbers of the line; None: it has none."""
        is_number = isinstance(self.value, int) and not isinstance(self.value, bool)
        return Gauge(cast("int", self.value)) if self.gauge is None and is_number else self.gauge

    @property
    def kind(self) -> Literal["bar", "count", "flag", "text"]:
        """What it is: a number with a limit or without one, something that holds, or words."""
        numbers = self.numbers
        if numbers is not None:
            return "count" if numbers.most is None else "bar"
        return "flag" if isinstance(self.value, bool) else "text"


def gauged(label: str, gauge: Gauge, does: str = "", key: str = "") -> Told:
    """A line that is told as its numbers are: "17 of 35"."""
    return Told(label, str(gauge), does, key, gauge=gauge)
