"""Effects that don't look at a number that is hidden in the conditions they befall.

Such an effect makes the same of all conditions that differ in that number only. So it is applied
to them once, with `UNKNOWN` in place of the number. Looks are noticed, and nobody has to promise
anything.

    lost in this round        0    1    2    3
    loses 1, and checks    ------- the same -------     once checked, it no longer counts
    loses 1                   1    2    3    4          looks
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from affray.core.hints import Hidden
from affray.core.unknown import UNKNOWN, Looked, Parts, holds_unknown, is_look

__all__ = ["Line", "Overlooked"]

TRIED = 64
"""Effects that are tried with each hidden number until one of them doesn't look at it."""


class Line:
    """Conditions that differ in one hidden number only.

    Attributes:
        veiled: each of them with that number unknown.
        becomes: the condition that they become by each effect that doesn't look, both by number.
    """

    __slots__ = ("becomes", "veiled")

    def __init__(self, veiled: Hashable) -> None:
        self.veiled = veiled
        self.becomes: dict[int, int] = {}


class Overlooked:
    """The first hidden number of a fighter at which some effect doesn't look.

    Args:
        hidden: what is hidden of conditions.
        apply: what becomes of a condition by an effect.
        known: the conditions, with their numbers.
        where: what applies effects, for messages.
    """

    def __init__(
        self,
        hidden: Hidden[Hashable],
        apply: Callable[[Hashable, Hashable], Hashable],
        known: dict[Hashable, int],
        where: str,
    ) -> None:
        self._hidden, self._apply, self._known, self._where = hidden, apply, known, where
        self._at: int | None = None  # its place among the hidden numbers
        self._left = TRIED
        self._line_of: dict[int, Line] = {}
        self._lines: dict[Hashable, Line] = {}
        self._looks: set[int] = set()

    def line(self, here: int, condition: Hashable, part: Hashable) -> Line | None:
        """The line of a condition, from its number and its hidden part.

        None: no effect is known that doesn't look at some number.
        """
        if self._at is None or type(part) is not Parts:
            return None
        line = self._line_of.get(here)
        if line is None:
            veiled = self._veiled(condition, part, self._at)
            line = self._lines.get(veiled)
            if line is None:
                line = self._lines[veiled] = Line(veiled)
            self._line_of[here] = line
        return line

    def seek(self, condition: Hashable, part: Hashable, effect: Hashable) -> None:
        """Look whether there is a number at which an effect doesn't look."""
        if not self._left or self._at is not None or type(part) is not Parts:
            return
        self._left -= 1
        for at in range(len(part.values)):
            after = self._after(self._veiled(condition, part, at), effect)
            if after is not None and not holds_unknown(after):
                self._at = at
                return

    def after(self, line: Line, effect: Hashable, number: int) -> Hashable | None:
        """What all in a line become by an effect, given with its number; None: it looks."""
        if number in self._looks:
            return None
        after = self._after(line.veiled, effect)
        # In conditions that have a number nothing is unknown.
        if after is None or (after not in self._known and holds_unknown(after)):
            self._looks.add(number)
            return None
        return after

    def _veiled(self, condition: Hashable, part: Parts, at: int) -> Hashable:
        values = *part.values[:at], UNKNOWN, *part.values[at + 1 :]
        hidden = self._hidden
        return hidden.veiled(hidden.visible(condition), Parts(part.names, values))

    def _after(self, veiled: Hashable, effect: Hashable) -> Hashable | None:
        try:
            return self._apply(veiled, effect)
        except (Looked, Exception) as error:
            if not is_look(error, veiled, self._where):
                raise
        return None
