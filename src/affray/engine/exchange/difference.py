"""Which options of a choice make no difference to anything that anybody can see.

Two options are alike if the same outcomes come of them with the same probabilities, whatever is
decided later. That is worked out by going through everything that may follow, so it is known only
where that is little; where it isn't, the options count as different.

What follows from a place is written as a distribution over *ends*: outcomes as they are seen, and
decisions at which the options still lead to different ones. A decision is equal to another one if
the same actor chooses between the same distributions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from affray.core.actor import role_of
from affray.core.lazy import NamedTuple
from affray.core.node import At, Choice, End, Facts, Go, Option, fill
from affray.core.reading import roll_of
from affray.engine.exchange.game import Game, settled_option
from affray.engine.exchange.session import Session

__all__ = ["MOST", "Difference", "difference"]

MOST = 1000
"""Places and readings that are gone through; that takes some 20 milliseconds."""
DEEPEST = 100
"""Places in a row that are gone through."""


class Difference(NamedTuple):
    """What a choice is about.

    Attributes:
        idle: options that use something up and bring nothing, by name.
        is_none: whether all other options come to the same.
    """

    idle: frozenset[str] = frozenset()
    is_none: bool = False


def difference(session: Session, most: int = MOST) -> Difference:
    """What difference the options of the open choice make to the outcome fields of the system.

    Args:
        session: an exchange.
        most: how many places and readings are gone through; beyond, every option counts.
    """
    choice, game = session.node, session.game
    if not isinstance(choice, Choice) or len(choice.options) < 2:
        return Difference()
    free = [option for option in choice.options if option.is_free]
    paid = [option for option in choice.options if not option.is_free]
    idle: frozenset[str] = frozenset()
    if free and paid:
        following = _Following(game, choice.actor, most, has_purse=False)
        idle = frozenset(one.name for one in paid if following.brings_nothing(one, free))
    following = _Following(game, choice.actor, most)
    left = [option for option in choice.options if option.name not in idle]
    ways = {following.known(option.at) for option in left}
    return Difference(idle, len(left) == 1 or (len(ways) == 1 and None not in ways))


class _End(NamedTuple):
    """An outcome as it is seen, and what it is worth to the one who decides, by objective."""

    seen: tuple[object, ...]
    worth: tuple[int | Fraction, ...]


class _Fork(NamedTuple):
    """A decision of somebody between ways that differ."""

    actor: str
    ways: frozenset[tuple[str, Followed]]


Followed: TypeAlias = "frozenset[tuple[_End | _Fork, Fraction]]"
"""What follows: the ends with their probabilities."""


Span: TypeAlias = "tuple[int | Fraction, int | Fraction]"
"""The least and the most that a way comes to by an objective."""


def _spans(way: Followed) -> list[Span]:
    """What a way comes to, by every objective, whatever is decided and rolled later."""
    return [(min(row), max(row)) for row in zip(*(end.worth for end in _ends(way)), strict=True)]


def _ends(way: Followed) -> Iterator[_End]:
    """Every end that a way may come to."""
    for end, _ in way:
        if isinstance(end, _End):
            yield end
        else:
            for _, other in end.ways:
                yield from _ends(other)


class _TooMuchError(Exception):
    """More follows than is gone through."""


class _Following:
    """Works out what follows from places of an exchange.

    Args:
        game: the exchange.
        actor: who decides.
        most: how many places and readings are gone through.
        has_purse: whether what was spent, and what is left to be spent, is seen.
    """

    def __init__(self, game: Game, actor: str, most: int, *, has_purse: bool = True) -> None:
        system, role = game.system, role_of(actor)
        self._game = game
        self._fields = [field for field in system.fields if has_purse or not field.of_purse]
        self._objectives = [one for one in system.objectives if one.actor == role]
        self._left = most
        self._depth = 0
        self._known: dict[At[Facts], Followed] = {}

    def known(self, at: At[Facts]) -> Followed | None:
        """What follows from a place; None: more than is gone through."""
        try:
            return self.after(at)
        except _TooMuchError:
            return None

    def _is_poorer(self, paid: At[Facts], free: At[Facts]) -> bool:
        """Whether a place is like another one, but that less can be spent from now on."""
        purse = self._game.system.hints.purse
        if purse is None:
            return False
        one, other = _resting(paid), _resting(free)
        return one.step == other.step and purse(one.facts) == purse(other.facts)

    def brings_nothing(self, paid: Option[Facts], free: Sequence[Option[Facts]]) -> bool:
        """Whether an option that costs something is like a free one, or worse for sure.

        It is worse if it never comes to more than the free one at its worst, by any objective, and
        may come to less by some.
        """
        if any(self._is_poorer(paid.at, one.at) for one in free):
            return True
        ours = self.known(paid.at)
        if ours is None:
            return False
        if any(self.known(one.at) == ours for one in free):
            return True
        spans = _spans(ours)  # none of somebody without objectives, for whom nothing is worse
        return bool(spans) and any(self._is_better(one, spans) for one in free)

    def _is_better(self, free: Option[Facts], spans: Sequence[Span]) -> bool:
        """Whether a free option is better than one that comes to this, for sure."""
        theirs = self.known(free.at)
        if theirs is None:  # then the bounds count that rules give for objectives
            reach = [one.comes_to and one.comes_to(free.at.facts) for one in self._objectives]
            least = [limits[0] if limits else None for limits in reach]
            return all(
                value is not None and value >= most
                for value, (_, most) in zip(least, spans, strict=True)
            )
        pairs = list(zip(spans, _spans(theirs), strict=True))
        never_worse = all(most <= least for (_, most), (least, _) in pairs)
        return never_worse and any(ours < other for ours, other in pairs)

    def after(self, at: At[Facts]) -> Followed:
        """What follows from a place.

        Raises:
            _TooMuchError: more than is gone through.
        """
        found = self._known.get(at)
        if found is None:
            self._count(1)
            self._depth += 1
            try:
                found = self._known[at] = self._worked_out(at)
            finally:
                self._depth -= 1
        return found

    def _count(self, number: int) -> None:
        self._left -= number
        if self._left < 0 or self._depth > DEEPEST:
            raise _TooMuchError

    def _worked_out(self, at: At[Facts]) -> Followed:
        node = at.step.rule(at.facts)
        if isinstance(node, Go):
            return self.after(node.at)
        if isinstance(node, End):
            return _surely(self._seen(node.outcome))
        if isinstance(node, Choice):
            option = settled_option(self._game, at, node)
            if option is not None:
                return self.after(option.at)
            ways = {one.name: self.after(one.at) for one in node.options}
            if len(set(ways.values())) == 1:
                return self.after(node.options[0].at)
            return _surely(_Fork(node.actor, frozenset(ways.items())))
        roll = roll_of(node.dice, node.read)
        self._count(len(roll.rows))
        found: dict[_End | _Fork, Fraction] = {}
        for reading, n_ways in roll.rows:
            for end, p in self.after(fill(node.then, node.into, reading)):
                found[end] = found.get(end, Fraction(0)) + p * Fraction(n_ways, roll.total)
        return frozenset(found.items())

    def _seen(self, outcome: Facts) -> _End:
        worth = tuple(one.utility(outcome) for one in self._objectives)
        return _End(tuple(field.of(outcome) for field in self._fields), worth)


def _resting(at: At[Facts]) -> At[Facts]:
    """The next place at which something is rolled or decided, or it is over."""
    for _ in range(DEEPEST):
        node = at.step.rule(at.facts)
        if not isinstance(node, Go):
            break
        at = node.at
    return at


def _surely(end: _End | _Fork) -> Followed:
    return frozenset({(end, Fraction(1))})
