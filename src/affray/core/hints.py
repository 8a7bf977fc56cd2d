"""Hints: what engines may know of a system's rules so that they are quick; never what is right.

Rules say what the book says; a system without hints gets every answer, only later. A hint is a
promise about the rules, keyed by step or by name, and stands apart from them: in the `hints.py` of
a room, which no rule imports. A wrong one gives wrong numbers without a word, so each kind has a
check in `affray.testing.promises`.

| hint | what it promises | what it saves |
|---|---|---|
| `aside` | a step neither reads nor changes these fields | it is followed once for all values |
| `fixes` | these outcome fields never change from this step on | what comes after is not followed |
| `forget` | without this, the fields asked for come out the same | more places are equal |
| `alike` | a step says the same for values of a field with equal keys | one call for each key |
| `columns` | an outcome field for all readings of a roll | one call for all of them |
| `needed` | effects read only these outcome fields | `forget` forgets more in fights |
| `seams` | exchanges of different conditions are alike from here | it is followed once for all |
| `frugal` | only what can be spent is gone | conditions differ in less |
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from affray.core.fight import same
from affray.core.node import At, Facts, Step

__all__ = ["Alike", "Column", "Hints"]

F = TypeVar("F", bound=Facts)
S = TypeVar("S", bound=Hashable)
C = TypeVar("C", bound=Hashable)

Column: TypeAlias = "Callable[[F, str, Sequence[Any]], Sequence[object]]"
"""From facts, the name of the one field in which they differ, and its values to field values."""


class Alike(NamedTuple, Generic[F]):
    """Values of a field that a step can't tell apart.

    Attributes:
        field: of the facts.
        keys: from the facts and values of the field to a key for each; where keys are equal, the
            step says the same.
    """

    field: str
    keys: Callable[[F, Sequence[Any]], Sequence[Hashable]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Hints(Generic[F, S, C]):
    """What engines may know of a system to be quick; nothing is promised by default.

    The types are those of the facts, of a sheet and of a condition (`affray.core.fight`).

    Attributes:
        aside: for a step the fields of the facts that it neither reads nor changes.
        fixes: for a step the outcome fields that no longer change from it on.
        forget: takes from the place after a roll what only outcome fields outside a given set
            need.
        alike: for a step the values of a field that it can't tell apart.
        columns: the vector form of an outcome field, by its name.
        needed: outcome fields that `Fight.effect` reads, as `forget` knows them; None: all.
        seams: steps at which exchanges of different conditions look alike again; what comes
            after is worked out once.
        frugal: a condition without what can only be spent, for a side that never does.
        spends_at: the steps at which it would be spent.
    """

    aside: Mapping[Step[F], Collection[str]] = field(default_factory=dict)
    fixes: Mapping[Step[F], Collection[str]] = field(default_factory=dict)
    forget: Callable[[At[F], frozenset[str]], At[F]] | None = None
    alike: Mapping[Step[F], Alike[F]] = field(default_factory=dict)
    columns: Mapping[str, Column[F]] = field(default_factory=dict)
    needed: frozenset[str] | None = None
    seams: frozenset[Step[F]] = frozenset()
    frugal: Callable[[S, C], C] = same
    spends_at: frozenset[Step[F]] = frozenset()
