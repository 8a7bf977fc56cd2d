"""Following an exchange of a fight place by place, so that nothing of the engine is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from affray.core.fight import Fight, Looked
from affray.core.node import At, Chance, Choice, End, Go, Option, fill
from affray.core.reading import roll_of
from affray.core.unknown import merges_places

__all__ = ["FIRST", "Pick", "Walk", "every", "last", "settled", "walked"]

merges_places(__name__)  # `walked` puts equal places together

Pick = Callable[[str, Choice[Any]], Sequence[Option[Any]]]


class Walk(NamedTuple):
    """What came of an exchange: effects on both with chances, outcomes, and where one looked."""

    effects: dict[tuple[Any, Any], Fraction]
    outcomes: list[Any]
    looked: set[str]
    offered: dict[str, tuple[str, ...]]


def settled(options: Mapping[str, str] | None = None, **more: str) -> Pick:
    """Take the option with this name at a step, and the first one at every other."""
    wanted = {**(options or {}), **more}

    def pick(step: str, choice: Choice[Any]) -> Sequence[Option[Any]]:
        name = wanted.get(step, choice.options[0].name)
        found = [option for option in choice.options if option.name == name]
        assert found, (step, [option.name for option in choice.options])
        return found

    return pick


FIRST = settled()


def every(_: str, choice: Choice[Any]) -> Sequence[Option[Any]]:
    """Take all options, with equal chances."""
    return choice.options


def last(_: str, choice: Choice[Any]) -> Sequence[Option[Any]]:
    """Take the last option."""
    return choice.options[-1:]


def walked(
    fight: Fight[Any, Any, Any, Any, Any],
    start: At[Any],
    pick: Pick = FIRST,
    reveal: Callable[[At[Any]], At[Any]] | None = None,
) -> Walk:
    """Follow every branch.

    Args:
        fight: tells effects.
        start: the exchange as it is declared.
        pick: who decides.
        reveal: the place with what is hidden, where somebody looks at it; None: nothing follows.
    """
    done = Walk({}, [], set(), {})
    waiting = {start: Fraction(1)}
    while waiting:  # step by step, so that ways meet
        now, waiting = waiting, {}
        for at, chance in now.items():
            try:
                node = at.step.rule(at.facts)
            except Looked:
                done.looked.add(at.step.name)
                if reveal is not None:
                    known = reveal(at)
                    waiting[known] = waiting.get(known, Fraction(0)) + chance
                continue
            for place, share in _after(at, node, pick, done):
                waiting[place] = waiting.get(place, Fraction(0)) + chance * share
            if isinstance(node, End):
                done.outcomes.append(node.outcome)
                pair = fight.effect(node.outcome, "actor"), fight.effect(node.outcome, "target")
                done.effects[pair] = done.effects.get(pair, Fraction(0)) + chance
    return done


def _after(at: At[Any], node: object, pick: Pick, done: Walk) -> Iterator[tuple[At[Any], Fraction]]:
    if isinstance(node, Choice):
        done.offered[at.step.name] = tuple(option.name for option in node.options)
        picked = pick(at.step.name, node)
        assert picked, (at.step.name, done.offered)
        for option in picked:
            yield option.at, Fraction(1, len(picked))
    elif isinstance(node, Chance):
        roll = roll_of(node.dice, node.read)
        for reading, ways in roll.rows:
            yield fill(node.then, node.into, reading), Fraction(ways, roll.total)
    elif isinstance(node, Go):
        yield node.at, Fraction(1)
