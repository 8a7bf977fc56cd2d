"""Numbers that nobody looks at yet, put off while an exchange is solved.

The dice that a hit will do stand in the facts before the attack is rolled, and nothing looks at
them until it has hit. So the roll is followed once with `UNKNOWN` in place of such numbers
(`Hints.defers`), and only what it is worth is worked out for each of them. Nobody promises
anything: looks are noticed, and from there on the numbers are filled in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from affray.core.node import At, Facts, Step
from affray.core.unknown import UNKNOWN, Parts, is_veiled
from affray.engine.exchange.entries import HiddenEntry
from affray.engine.exchange.kernel import Kernel
from affray.engine.exchange.values import Values

__all__ = ["Deferring"]


class Deferring:
    """Places of a kernel that are followed with some numbers put off.

    Args:
        kernel: where they are followed.
        where: as `Hints.defers`.

    Attributes:
        rows: what entries are worth, for each of the things that were put off.
    """

    def __init__(self, kernel: Kernel, where: Mapping[Step[Facts], tuple[str, Sequence[str]]]):
        self._kernel, self._where = kernel, where
        self._found: dict[At[Facts], tuple[int, Parts] | None] = {}
        self._bare: dict[tuple[object, Sequence[str]], tuple[object, Parts]] = {}
        self.rows: dict[Parts, dict[int, Values]] = {}

    def found(self, at: At[Facts]) -> tuple[int, Parts] | None:
        """The entry that stands for a place, and what is put off in it; None where nothing is.

        Raises:
            LimitError: as `Kernel.number`.
        """
        where = self._where.get(at.step)
        if where is None:
            return None
        if at not in self._found:
            self._found[at] = self._followed(at, *where)
        return self._found[at]

    def _followed(
        self, at: At[Facts], field: str, names: Sequence[str]
    ) -> tuple[int, Parts] | None:
        kernel = self._kernel
        if kernel.found(at) is not None:
            return None  # it was followed with all numbers already
        facts: Any = kernel.plain(at).facts
        record = getattr(facts, field)
        if record is None or is_veiled(facts):
            return None
        bare, parts = self._without(record, names)
        number = kernel.number(At(at.step, facts._replace(**{field: bare})))
        if isinstance(kernel.entries[number], HiddenEntry):
            return None  # somebody looks at once
        self.rows.setdefault(parts, {})
        return number, parts

    def _without(self, record: Any, names: Sequence[str]) -> tuple[object, Parts]:
        """A record with something unknown in these fields, the same one for equal records."""
        known = self._bare.get((record, names))
        if known is None:
            parts = Parts(tuple(names), tuple([getattr(record, name) for name in names]))
            known = record._replace(**dict.fromkeys(names, UNKNOWN)), parts
            self._bare[record, names] = known
        return known
