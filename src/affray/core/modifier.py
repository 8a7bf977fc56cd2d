"""Labelled modifiers: a number that can tell where it came from."""

from __future__ import annotations

from affray.core.lazy import NamedTuple

__all__ = ["Modifier", "Total"]


class Modifier(NamedTuple):
    """One line of a sum: what it is, how much, under which clause."""

    label: str
    value: int
    clause: str

    def __str__(self) -> str:
        return f"{self.value:+d} {self.label} ({self.clause})"


class Total(NamedTuple):
    """A base value with modifiers; their sum is held between `low` and `high`.

    Attributes:
        base: what is modified (a skill, a defence).
        terms: the modifiers that are summed and then held in range.
        low, high: the least and the most that the summed modifiers may be; None for no limit.
        beyond: modifiers outside that limit.
        cap: the clause that sets the limit.

    >>> sight = Total(Modifier("Guns", 70, "EP-43"), (Modifier("dark", -20, "EP-49"),))
    >>> sight.value
    50
    >>> Total(Modifier("Guns", 40, "EP-43"), (Modifier("all", 90, "EP-49"),), -60, 60).value
    100
    """

    base: Modifier
    terms: tuple[Modifier, ...] = ()
    low: int | None = None
    high: int | None = None
    beyond: tuple[Modifier, ...] = ()
    cap: str = ""

    @property
    def uncapped(self) -> int:
        """The plain sum of the terms."""
        return sum(term.value for term in self.terms)

    @property
    def capped(self) -> int:
        """The sum of the terms, held in range."""
        summed = self.uncapped
        if self.low is not None and summed < self.low:
            return self.low
        if self.high is not None and summed > self.high:
            return self.high
        return summed

    @property
    def value(self) -> int:
        """The sum of the base and all modifiers."""
        return self.base.value + self.capped + sum(term.value for term in self.beyond)

    def lines(self) -> tuple[str, ...]:
        """One line for each part, in order, and one where a limit bites."""
        lines = [f"{self.base.value} {self.base.label} ({self.base.clause})"]
        lines += [str(term) for term in self.terms]
        if self.capped != self.uncapped:
            lines.append(f"modifiers of {self.uncapped:+d} count as {self.capped:+d} ({self.cap})")
        lines += [str(term) for term in self.beyond]
        return tuple(lines)

    def __str__(self) -> str:
        parts = [f"{self.base.label}: {self.base.value}"]
        parts += [f"{term.value:+d} {term.label}" for term in self.terms]
        if self.capped != self.uncapped:
            parts.append(f"held to {self.capped:+d}")
        parts += [f"{term.value:+d} {term.label}" for term in self.beyond]
        return f"{', '.join(parts)} = {self.value}" if len(parts) > 1 else parts[0]
