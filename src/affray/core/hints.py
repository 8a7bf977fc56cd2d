"""Hints: what engines may know of a system's rules so that they are quick; never what is right.

Rules say what the book says; a system without hints gets every answer, only later. A hint is a
promise about the rules, keyed by step or by name, and stands apart from them: in the `hints.py` of
a room, which no rule imports. A wrong one gives wrong numbers without a word, so each kind has a
check in `affray.testing.promises` and `affray.testing.promised_choices`.

| hint | what it promises | what it saves |
|---|---|---|
| `aside` | a step neither reads nor changes these fields | it is followed once for all values |
| `fixes` | these outcome fields never change from this step on | what comes after is not followed |
| `fixes_where` | the same, where it depends on the facts | what comes after is not followed |
| `decides` | an objective depends on these outcome fields alone | it is followed no further |
| `several` | a step says the same of many places at once | what they share is done once |
| `outdone` | an option is never worth more than an earlier one | a decision leaves it |
| `plain` | the fields asked for come out the same with plainer facts | more places are equal |
| `forget` | without this, the fields asked for come out the same | more places are equal |
| `shown` | with these names, `plain` and `forget` keep what deciders are shown | nothing |
| `alike` | a step says the same for values of a field with equal keys | one call for each key |
| `columns` | an outcome field for all readings of a roll | one call for all of them |
| `needed` | effects read only these outcome fields | `forget` forgets more in fights |
| `seams` | exchanges of different conditions are alike from here | it is followed once for all |
| `rejoins` | exchanges with other numbers are often alike from here | it is followed once for all |
| `pares` | without this, what follows from a seam comes out the same | more places are equal |
| `splits` | what befalls whoever acts and what befalls others is independent | apart, it is less |
| `cloaks` | this of the target stands in one place of the facts | it is followed once for all |
| `defers` | nothing: looks at these fields of a record are noticed | it is solved once for all |
| `hidden` | exchanges don't look at this of whoever acts | conditions share exchanges |
| `parted` | hidden parts come to the same where one is looked at | it is filled in once |
| `acting`, `struck` | conditions make no other difference to whoever acts, is struck | the same |
| `against` | a target's condition makes no other difference to this actor | the same |
| `around` | what is said of the target's mates makes no other difference | the same |
| `scenes` | scenes with equal keys come to the same | they are declared and followed once |
| `adds` | an effect does the same as if this had been hidden before | it is applied once a sum |
| `frugal` | only what can be spent is gone | conditions differ in less |
| `spends_at` | it is spent at these steps alone, but for their free options | the same |
| `purse` | facts without what can be spent; more to spend closes no option | useless questions |
| `reserve` | no exchange of two gets so far as to spend this | conditions share exchanges |
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import field
from operator import attrgetter
from typing import Any, Generic, TypeAlias, TypeVar

from affray.core.fight import same
from affray.core.lazy import NamedTuple, dataclass
from affray.core.node import At, Chance, Facts, Node, Step
from affray.core.unknown import Parts

__all__ = ["Adds", "Alike", "Column", "Hidden", "Hints", "Plain", "Reserve", "hides"]

F = TypeVar("F", bound=Facts)
S = TypeVar("S", bound=Hashable)
C = TypeVar("C", bound=Hashable)

Column: TypeAlias = "Callable[[F, str, Sequence[Any]], Sequence[object]]"
"""From facts, the name of the one field in which they differ, and its values to field values."""

Plain: TypeAlias = "Callable[[F, frozenset[str]], F]"
"""From facts and the outcome fields that are asked for to plainer facts."""

Adds: TypeAlias = "Callable[[Any], tuple[tuple[int, ...], Any] | None]"
"""From an effect to what it adds to the hidden part of a condition, and the effect without it."""


Takes: TypeAlias = "Callable[[str, Sequence[str]], str | None]"
"""From the name of a step and the options that it offers to the one that a plan takes; None: it is
open."""

Scenes: TypeAlias = "Callable[[Any, frozenset[str], Takes], Hashable | None]"
"""From a scene, the outcome fields that count and what the actor takes to a key; see `Hints`."""


class Alike(NamedTuple, Generic[F]):
    """Values of a field that a step can't tell apart.

    Attributes:
        field: of the facts.
        keys: from the facts and values of the field to a key for each; where keys are equal, the
            step says the same.
    """

    field: str
    keys: Callable[[F, Sequence[Any]], Sequence[Hashable]]


def _nothing(condition: C) -> Hashable:
    return None


def _everything(condition: C) -> C:
    return condition


def _as_it_is(condition: C, part: object) -> C:
    return condition


def _as_struck(setup: Any, acting: C, struck: C) -> C:
    return struck


def _as_said(context: Hashable) -> Hashable:
    return context


class Hidden(NamedTuple, Generic[C]):
    """The part of a condition that exchanges need not know before they look at it.

    An exchange is declared with the actor's condition as it is visible, and with `UNKNOWN` in
    place of the hidden part of the target's; the first step that looks at it is followed for each
    value, all before it once. So whatever is hidden of a target is safe: looks are noticed. That
    exchanges don't look at it in whoever acts is the promise.

    What is visible of it in whoever acts is put off as well where exchanges are split
    (`Hints.splits`), with `OWN_UNKNOWN` in its place; such looks are noticed, too.

    Attributes:
        part: what is hidden of a condition.
        visible: a condition without it, as exchanges see whoever acts.
        veiled: a visible condition with something in place of the hidden part: something unknown,
            or the part itself.
    """

    part: Callable[[C], Hashable] = _nothing
    visible: Callable[[C], C] = _everything
    veiled: Callable[[C, Any], C] = _as_it_is


_NOTHING_HIDDEN: Hidden[Any] = Hidden()


def hides(
    path: str, visible: Callable[[C], C] | None = None, *, beside: Sequence[str] = ()
) -> Hidden[C]:
    """Hide a field of conditions that are `NamedTuple`s, such as "points" or "now.points".

    Args:
        path: the field; a dot goes into the record that a field holds.
        visible: a condition as exchanges see whoever acts; None: the fields are 0 in it.
        beside: further fields of the same record.
    """
    outer, _, inner = path.rpartition(".")
    names = inner, *beside
    get = attrgetter(*(f"{outer}.{name}" if outer else name for name in names))

    def several(condition: Any) -> Hashable:
        return Parts(names, get(condition))

    def veiled(condition: Any, part: Any) -> Any:
        values = part.values if type(part) is Parts else [part] * len(names)
        fields = dict(zip(names, values, strict=True))
        if not outer:
            return condition._replace(**fields)
        return condition._replace(**{outer: getattr(condition, outer)._replace(**fields)})

    def without(condition: Any) -> Any:
        return veiled(condition, 0)

    return Hidden(several if beside else get, visible or without, veiled)


class Reserve(NamedTuple, Generic[S, C]):
    """The part of a condition that no single exchange of two fighters gets so far as to spend.

    Such exchanges are declared without it, and what they make of a condition gets it back. So
    those who have more to spare share exchanges with those who have less.

    Attributes:
        without: a condition without it, from a sheet, a condition, and the outcome fields for
            which something may be spent (None: for whatever there is). Wherever none of these
            fields can change any more, nothing is spent. It looks at what is visible alone, and
            deeds are the same without it.
        restored: the condition that an exchange leads to, from what it has made of a condition
            without its reserve, that condition, and the whole one.
    """

    without: Callable[[S, C, frozenset[str] | None], C]
    restored: Callable[[C, C, C], C]


@dataclass(frozen=True, eq=False, kw_only=True)
class Hints(Generic[F, S, C]):
    """Promises about a system that make engines fast; by default it promises nothing.

    The types are those of the facts, of a sheet and of a condition (`affray.core.fight`).

    Attributes:
        aside: for a step the fields of the facts that it neither reads nor changes.
        fixes: for a step the outcome fields that no longer change from it on.
        fixes_where: for a step a function from the facts to further such fields.
        decides: for an objective, by its name, the outcome fields on which alone its worth
            depends; where they are fixed, it can be told from the facts there. Besides names of
            fields there may be names that only these hints know.
        several: for a step a maker of rules. Each rule says what the step says, of any number of
            places in any order; what it works out for one it may use for the next.
        outdone: for an objective, by its name, and a step: names of options, each with that of an
            option that is listed before it and is worth at least as much to whoever decides, if
            all that follows is decided optimally, the objective being zero-sum.
        plain: for a step a function from the facts and the fields asked for, as in `decides`, to
            the plainest facts with which these fields come out the same, by the same answers.
            Questions that no longer bear on them may be gone.
        forget: takes from a roll what only outcome fields outside a given set need: from the
            place after it, and from what it reads off the dice. It may throw the dice of the next
            roll along, after its own, if nobody decides anything between the two.
        shown: names that only these hints know; where `plain` and `forget` are asked for them too,
            they keep what is shown to those who decide, even if it comes to the same.
        alike: for a step the values of a field that it can't tell apart.
        columns: the vector form of an outcome field, by its name.
        needed: outcome fields that `Fight.effect` reads, as `forget` knows them; None: all.
        seams: steps at which exchanges of different conditions look alike again; what comes
            after is worked out once.
        rejoins: further steps, at which exchanges of different numbers look alike again.
        pares: takes from a place at a seam what `forget` takes from a roll.
        splits: for a place at a seam two others: what befalls whoever acts comes to the same from
            the first, and independently of it what befalls everybody else from the second, which
            itself is not split; None: it can't be told apart. The second argument says on which
            outcome fields decisions depend; these come out the same from the second place.
        cloaks: a place with `UNKNOWN` for what is known of the target, and what stood there; looks
            are noticed, as with `hidden`. None: nothing is to be gained.
        defers: for a step a field of the facts that holds a record, and fields of that record at
            which nothing looks for a while. Solutions follow such places once with `UNKNOWN` in
            these fields; looks are noticed, as with `hidden`.
        hidden: the part of a condition that exchanges need not know before they look at it.
        parted: a key of a hidden part at a place at a seam at which something looks at it: parts
            with equal keys come to the same as far as these outcome fields go. Such a place was
            pared with the part unknown. None: parts have nothing in common.
        acting: a visible condition as exchanges see it in whoever acts: another one with which
            they come to the same.
        struck: the same in whoever is acted upon; what is hidden is filled in afterwards.
        against: from a setup and the visible conditions of both to the target's as this actor's
            exchanges see it: another one with which they come to the same. It is asked where
            nothing is said of anybody's mates.
        around: what `Fight.context` says of the target's mates, as exchanges see it: something
            else with which they come to the same. People's exchanges are declared without it.
        scenes: a key of an exchange that is about to be declared, everything being known but what
            is hidden of whoever acts: with equal keys the same options lead to the same effects,
            as far as these outcome fields go. The third argument tells the options that the actor
            takes beforehand. None: nothing is said of this one. It is asked where something is
            said of the target's mates.
        adds: from an effect to what it adds to the hidden part, a tuple of numbers, and the effect
            without that: it makes the same of the visible condition with the sum as the effect
            itself makes of a condition. None: it doesn't just add.
        frugal: a condition without what can only be spent, for a side that never does.
        spends_at: the steps at which it would be spent, each with the options that are free.
        purse: the facts without what can be spent, and without the count of what was. Who has more
            to spend can do whatever others can do who have less.
        reserve: what of a condition no exchange of two gets so far as to spend.
    """

    aside: Mapping[Step[F], Collection[str]] = field(default_factory=dict)
    fixes: Mapping[Step[F], Collection[str]] = field(default_factory=dict)
    fixes_where: Mapping[Step[F], Callable[[F], Collection[str]]] = field(default_factory=dict)
    decides: Mapping[str, Collection[str]] = field(default_factory=dict)
    several: Mapping[Step[F], Callable[[], Callable[[F], Node[F]]]] = field(default_factory=dict)
    outdone: Mapping[str, Mapping[Step[F], Mapping[str, str]]] = field(default_factory=dict)
    plain: Mapping[Step[F], Plain[F]] = field(default_factory=dict)
    forget: Callable[[Chance[F], frozenset[str]], Chance[F]] | None = None
    shown: frozenset[str] = frozenset()
    alike: Mapping[Step[F], Alike[F]] = field(default_factory=dict)
    columns: Mapping[str, Column[F]] = field(default_factory=dict)
    needed: frozenset[str] | None = None
    seams: frozenset[Step[F]] = frozenset()
    rejoins: frozenset[Step[F]] = frozenset()
    pares: Callable[[At[F], frozenset[str]], At[F]] | None = None
    splits: Callable[[At[F], frozenset[str]], tuple[At[F], At[F]] | None] | None = None
    cloaks: Callable[[At[F]], tuple[At[F], Hashable] | None] | None = None
    defers: Mapping[Step[F], tuple[str, Sequence[str]]] = field(default_factory=dict)
    hidden: Hidden[C] = _NOTHING_HIDDEN
    parted: Callable[[At[F], Any, frozenset[str]], Hashable] | None = None
    acting: Callable[[S, C], C] = same
    struck: Callable[[S, C], C] = same
    against: Callable[[Any, C, C], C] = _as_struck
    around: Callable[[Hashable], Hashable] = _as_said
    scenes: Scenes | None = None
    adds: Adds | None = None
    frugal: Callable[[S, C], C] = same
    spends_at: Mapping[Step[F], Collection[str]] = field(default_factory=dict)
    purse: Callable[[F], F] | None = None
    reserve: Reserve[S, C] | None = None
