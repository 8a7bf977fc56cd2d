"""Rules of thumb by name: which options of a step look sensible whatever the position is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from affray.core.node import At, Choice

__all__ = ["RuleOfThumb", "preferring"]

RuleOfThumb: TypeAlias = Callable[[At[Any], Choice[Any]], Sequence[float]]
"""How sensible each option of a choice looks, the greater the better; (): nothing to say."""


def preferring(wanted: Mapping[str, Sequence[str]]) -> RuleOfThumb:
    """The rule of thumb that knows options by their names.

    Args:
        wanted: by the name of a step how its options begin, the best first; all others come after
            them. It has nothing to say of other steps.

    >>> from affray.core.node import Option, Step
    >>> at = At(Step(lambda x: x, ()), ())
    >>> at.step.name = "move"
    >>> choice = Choice("one", "where?", (Option("stay", at), Option("towards Husk", at)))
    >>> preferring({"move": ("towards ",)})(at, choice)
    (0.0, 1.0)
    """

    def rule(at: At[Any], choice: Choice[Any]) -> tuple[float, ...]:
        begins = wanted.get(at.step.name)
        if begins is None:
            return ()
        return tuple([_rank(option.name, begins) for option in choice.options])

    return rule


def _rank(name: str, begins: Sequence[str]) -> float:
    for place, begin in enumerate(begins):
        if name.startswith(begin):
            return float(len(begins) - place)
    return 0.0
