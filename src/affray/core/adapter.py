"""Files of other programs: what an adapter takes from one, and what it has to leave out.

An adapter lies in the folder `imports` of the system whose sheets it fills, one module each, called
after the program and the format: `imports/foundry_ep2e.py`. It has a constant `ADAPTER`. Nothing
names it: whoever imports asks every adapter of that program whether a file fits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from affray.core.lazy import NamedTuple

__all__ = ["Adapter", "Brought", "Carried"]


class Carried(NamedTuple):
    """Something that a fighter carries: a weapon, a piece of armor.

    Attributes:
        key: the field of the fighter's sheet that holds it, such as "weapons".
        names: what it is called; the first one that the roster has is taken.
        table: its sheet as the file has it, for a roster that has none of these.
    """

    key: str
    names: tuple[str, ...]
    table: Mapping[str, object]


class Brought(NamedTuple):
    """A fighter from a file.

    Attributes:
        values: fields of the sheet.
        carried: weapons, armor and so on, in order.
        left_out: what could not be taken, a line each, with the reason.
    """

    values: Mapping[str, object]
    carried: tuple[Carried, ...] = ()
    left_out: tuple[str, ...] = ()


class Adapter(NamedTuple):
    """Reads the files of one format.

    Attributes:
        title: what the format is called, for people.
        fits: whether a table is of this format.
        read: the fighter in it; asked only if it fits.
    """

    title: str
    fits: Callable[[Mapping[str, object]], bool]
    read: Callable[[Mapping[str, object]], Brought]
