"""Nodes: a step rolls, offers a choice, goes on, or ends. Four records, all of them data.

A *step* looks at the facts on the table and answers with one node:

| node | meaning |
|---|---|
| `Chance` | these dice are rolled; their reading fills one field of the facts |
| `Choice` | one side picks one of finitely many named options |
| `Go` | a clause was applied; here is the next step |
| `End` | the procedure is over; the facts are the outcome |

Every node leads to an `At`: a step and the facts it will see. An `At` can be hashed, compared,
printed and stored. It is a resting place for a player, a merge point for the mathematics and
a place to undo to, all at once.

Facts are a `NamedTuple` of hashable values: small, frozen, quick to copy and to compare.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from affray.core.errors import RulesError
from affray.core.lazy import NamedTuple, quick_replace
from affray.core.telling import shown
from affray.core.unknown import hash_kept

if TYPE_CHECKING:
    from affray.core.dice import Face, Pool
    from affray.core.modifier import Total
    from affray.core.reading import Read

__all__ = [
    "NOWHERE",
    "At",
    "Chance",
    "Choice",
    "End",
    "Facts",
    "Go",
    "Node",
    "Offer",
    "Option",
    "Pointer",
    "Step",
    "choose",
    "facts",
    "fill",
    "fill_each",
    "keeps_hash",
    "option_named",
    "unhashable_field",
]

Facts = tuple[object, ...]
"""The facts that a step sees: a `NamedTuple` of the system."""

F = TypeVar("F", bound=Facts)
T = TypeVar("T")

Told: TypeAlias = "str | Sequence[str | Total]"
"""The account of a step: a sentence, or several parts, itemised totals among them."""


class Step(Generic[F]):
    """One numbered step of a book: a pure function from facts to a node.

    Made by the decorator `step`. Calling it applies the rule.

    Attributes:
        name: the function's name.
        rule: the function itself; engines call it directly.
        clauses: the clauses that it carries out.
        title: first line of the docstring.
        sealed: whether a decision here is kept from others until all sealed ones that follow each
            other are made.
    """

    __slots__ = (
        "_brief", "_opens", "_reads", "_says", "_verdict", "clauses", "name", "rule", "sealed",
        "title",
    )  # fmt: skip

    def __init__(
        self, rule: Callable[[F], Node[F]], clauses: tuple[str, ...], *, sealed: bool = False
    ) -> None:
        self.name = rule.__name__
        self.rule = rule
        self.clauses = clauses
        self.sealed = sealed
        self.title = (inspect.getdoc(rule) or "").partition("\n")[0]
        self._says: Callable[[F, F], Told] | None = None
        self._reads: Callable[[F, tuple[Face, ...]], str] | None = None
        self._brief: Callable[[F, F], Told] | None = None
        self._opens: Callable[[F, F], str] | None = None
        self._verdict: Callable[[F, F], str] | None = None

    def __call__(self, facts: F) -> Node[F]:
        """The node with which this step answers these facts."""
        return self.rule(facts)

    def says(self, words: Callable[[F, F], Told]) -> Callable[[F, F], Told]:
        """Decorate the function that tells what happened, from the facts before and after.

        It is called for logs and explanations only. It returns a sentence, or several parts:
        sentences and itemised totals.
        """
        self._says = words
        return words

    def reads(
        self, words: Callable[[F, tuple[Face, ...]], str]
    ) -> Callable[[F, tuple[Face, ...]], str]:
        """Decorate the function that tells die by die what the faces mean, in their order.

        A reading is often sorted; beside faces it would tell of other dice. It is called like
        `says`, before it, with the facts after the roll.
        """
        self._reads = words
        return words

    def opens(self, words: Callable[[F, F], str]) -> Callable[[F, F], str]:
        """Decorate the function that tells who does what to whom: the start of a short account.

        It is called like `says`. "" opens nothing. A map fight has an account for each of its
        moves and attacks, so each of them opens one.
        """
        self._opens = words
        return words

    def briefly(self, words: Callable[[F, F], Told]) -> Callable[[F, F], Told]:
        """Decorate the function that tells this step's part of a short account.

        It is called like `says`, and may be the same function: what makes a difference at the
        table, in a few words or a sentence, without clauses. A step without it is left out.
        """
        self._brief = words
        return words

    def verdict(self, words: Callable[[F, F], str]) -> Callable[[F, F], str]:
        """Decorate the function that tells what a roll came to ("success"), for short accounts.

        It is called like `says`. The words are the same for all faces that come to the same:
        engines tell the chance of these words beside them.
        """
        self._verdict = words
        return words

    @property
    def is_told_briefly(self) -> bool:
        """Whether it has a part in short accounts."""
        return any((self._opens, self._brief, self._verdict))

    def opening(self, before: F, after: F) -> str:
        """How a short account starts with this step; "" if none does."""
        return self._opens(before, after) if self._opens else ""

    def brief(self, before: F, after: F) -> str:
        """This step's part of a short account; "" if it has none."""
        words = self._brief(before, after) if self._brief else ""
        parts = (words,) if isinstance(words, str) else words
        return " ".join(part for part in parts if isinstance(part, str))

    def judged(self, before: F, after: F) -> str:
        """What a roll came to, in words; "" if this step doesn't say."""
        return self._verdict(before, after) if self._verdict else ""

    def told(self, before: F, after: F, faces: tuple[Face, ...] = ()) -> tuple[str | Total, ...]:
        """The account of this step in words and itemised totals; empty if it has nothing to say."""
        read = (self._reads(after, faces),) if self._reads and faces else ()
        words = self._says(before, after) if self._says else ()
        return (*read, words) if isinstance(words, str) else (*read, *words)

    def __repr__(self) -> str:
        return f"<step {self.name}>"


class At(NamedTuple, Generic[F]):
    """A place in the procedure: the step that comes next and the facts it will see."""

    step: Step[F]
    facts: F

    def __repr__(self) -> str:
        return f"<at {self.step.name}: {_brief(self.facts)}>"


class Go(NamedTuple, Generic[F]):
    """A clause was applied without dice or decision; `step` is next."""

    step: Step[F]
    facts: F

    @property
    def at(self) -> At[F]:
        """The place where the game goes on."""
        return At(self.step, self.facts)

    def __repr__(self) -> str:
        return f"<go to {self.step.name}: {_brief(self.facts)}>"


def facts(cls: type[T]) -> type[T]:
    """Give a `typing.NamedTuple` that is copied often a quicker `_replace`.

    Those of `affray.core.lazy` have it already.
    """
    names: tuple[str, ...] = getattr(cls, "_fields", ())
    cls._replace = quick_replace(cls.__name__, names)  # type: ignore[attr-defined]
    return cls


class Chance(NamedTuple, Generic[F]):
    """Dice are rolled.

    Attributes:
        actor: who rolls: a role of the system, or an `Actor` where several have it.
        ask: what the roll is, in the table's words ("attack roll").
        dice: the pool that is rolled.
        read: turns the faces into the reading that later clauses need.
        into: the field of the facts that the reading fills.
        then: where it goes on, with `into` still unfilled.
    """

    actor: str
    ask: str
    dice: Pool
    read: Read[object]
    into: str
    then: At[F]

    def __repr__(self) -> str:
        return f"<{self.actor} rolls {self.dice}: {self.ask}; then {self.then.step.name}>"


class Pointer(NamedTuple):
    """What an option points at, so that people may pick that on a map or a list of fighters.

    Every name is the one by which people know it: views and pictures have the same.

    Attributes:
        target: a fighter or unit to whom something is done, or who is gone for.
        unit: a fighter or unit of one's own that acts, or is picked to act.
        place: a hex, a Zone, or "x, y" on a table: the place that is gone to.
        deed: what is done in a turn: "attack", "revive".
    """

    target: str = ""
    unit: str = ""
    place: str = ""
    deed: str = ""


NOWHERE = Pointer()
"""Points at nothing that lies on the table."""


class Option(NamedTuple, Generic[F]):
    """One way to decide.

    Attributes:
        name: stable name, used in files and answers ("flip").
        at: where this option leads.
        spends: how many points of a limited resource it uses up.
        words: what it means, for people ("flip 96 to 69").
        also: other names that mean the same here, for answers that were written down before
            ("reroll-1" where every miss is as good as another: "reroll-miss").
        points: what it points at on the table.
    """

    name: str
    at: At[F]
    spends: int = 0
    words: str = ""
    also: tuple[str, ...] = ()
    points: Pointer = NOWHERE

    def __repr__(self) -> str:
        words = f": {self.words}" if self.words else ""
        return f"<option {self.name}{words}; then {self.at.step.name}>"

    @property
    def is_free(self) -> bool:
        """Whether it uses up nothing."""
        return self.spends == 0


class Choice(NamedTuple, Generic[F]):
    """One side decides.

    Attributes:
        actor: who decides: a role of the system, or an `Actor` where several have it.
        ask: the question in the table's words.
        options: those on offer, with different names.
        about: what the one who decides looks at, as (label, value) pairs.
        closed: options the book knows that are not on offer here, each with the reason.
    """

    actor: str
    ask: str
    options: tuple[Option[F], ...]
    about: tuple[tuple[str, object], ...] = ()
    closed: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        names = " | ".join(option.name for option in self.options)
        return f"<{self.actor} chooses: {self.ask}; {names}>"

    def named(self, name: str) -> Option[F] | None:
        """The option with this name or other name; None if there is none."""
        return option_named(self.options, name)


class End(NamedTuple, Generic[F]):
    """It is over; the facts that are left are the outcome."""

    outcome: F

    def __repr__(self) -> str:
        return f"<end: {_brief(self.outcome)}>"


MOST_OF_FACTS = 300
"""Characters of facts that are shown."""


def _brief(facts: object) -> str:
    """Facts, without fields that have their default, cut to a few lines."""
    names: tuple[str, ...] = getattr(facts, "_fields", ())
    defaults: dict[str, object] = getattr(facts, "_field_defaults", {})
    values = {name: getattr(facts, name) for name in names}
    kept = (
        f"{name}={value!r}"
        for name, value in values.items()
        if name not in defaults or value != defaults[name]
    )
    told = f"{type(facts).__name__}({', '.join(kept)})" if names else repr(facts)
    return told if len(told) <= MOST_OF_FACTS else f"{told[:MOST_OF_FACTS]}..."


Node = Chance[F] | Choice[F] | Go[F] | End[F]


def option_named(options: Iterable[Option[F]], name: str) -> Option[F] | None:
    """The option with this name; if no name is equal, the one that has it as another name."""
    other = None
    for option in options:
        if option.name == name:
            return option
        if other is None and name in option.also:
            other = option
    return other


def choose(
    actor: str,
    ask: str,
    options: Iterable[Option[F]],
    about: tuple[tuple[str, object], ...] = (),
    closed: tuple[tuple[str, str], ...] = (),
) -> Choice[F] | Go[F]:
    """Offer options; those that lead to equal facts are offered once, one alone is taken.

    One option beside closed ones stays a `Choice`, so that somebody who settled on a closed
    one learns why it is closed; nobody is asked.

    The order of the options matters: engines break ties in favour of the earlier one, so what
    costs nothing comes first.

    Raises:
        RulesError: no option at all, two options with one name, or facts that can't be hashed.
    """
    among = tuple(options)
    if len(among) == 1 and not closed:
        return Go(*among[0].at)
    kept: dict[At[F], Option[F]] = {}
    for option in among:
        try:
            kept.setdefault(option.at, option)
        except TypeError:
            wrong = unhashable_field(option.at.facts)
            if wrong is None:
                raise
            raise RulesError(
                f"{ask!r}: the option {option.name!r}, to step {option.at.step.name}, fills "
                f"{wrong[0]} with {wrong[1]}"
            ) from None
    offered = tuple(kept.values())
    if len(offered) == 1 and not closed:
        return Go(*offered[0].at)
    if not offered:
        raise RulesError(f"{ask!r} offers no option; must offer at least one")
    names = [option.name for option in offered]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise RulesError(
            f"{ask!r} offers {shown(twice)} for different things; options must have different names"
        )
    return Choice(actor, ask, offered, about, closed)


class Offer(Generic[F]):
    """A choice that is being put together: options in their order, and why others are closed."""

    __slots__ = ("closed", "options")

    def __init__(self, *first: Option[F]) -> None:
        self.options: list[Option[F]] = list(first)
        self.closed: list[tuple[str, str]] = []

    def add(
        self, name: str, at: At[F], spends: int = 0, words: str = "", *, points: Pointer = NOWHERE
    ) -> None:
        """Offer one more option; see `Option`."""
        self.options.append(Option(name, at, spends, words, points=points))

    def close(self, name: str, why: str) -> None:
        """Name an option that the book knows and that is not on offer here, with the reason."""
        self.closed.append((name, why))

    def choose(
        self, actor: str, ask: str, about: tuple[tuple[str, object], ...] = ()
    ) -> Choice[F] | Go[F]:
        """The node: somebody picks one of the options; see the function `choose`."""
        return choose(actor, ask, self.options, about, tuple(self.closed))


def unhashable_field(facts: Facts) -> tuple[str, str] | None:
    """The first field of facts that can't be hashed: its name, and what to say of its value."""
    names: tuple[str, ...] = getattr(facts, "_fields", ())
    for number, value in enumerate(facts):
        try:
            hash(value)
        except TypeError as error:
            return (
                names[number] if names else f"place {number}",
                f"{shown(value)}, which can't be hashed ({error}); must be tuples and frozen "
                "records",
            )
    return None


class KeepsHash:
    """A hash that is worked out once and kept; see `keeps_hash`."""

    _hash: int | None = None

    def __hash__(self) -> int:
        kept = self._hash
        return hash_kept(self, super().__hash__) if kept is None else kept

    def __getstate__(self) -> None:
        """Nothing besides the tuple: hashes differ from process to process."""


def keeps_hash(cls: type[T]) -> type[T]:
    """Let a `NamedTuple` work its hash out once and keep it.

    For the big records inside facts that stay the same while many places are compared.
    """
    parts = {name: getattr(cls, name) for name in ("__doc__", "__module__", "__qualname__")}
    return type(cls.__name__, (KeepsHash, cls), parts)


_PLACES: dict[tuple[type, str], int] = {}


def _place(at: At[F], field: str) -> int:
    """The position of a field in the facts of a place."""
    kind = type(at.facts)
    place = _PLACES.get((kind, field))
    if place is None:
        names: tuple[str, ...] = getattr(kind, "_fields", ())
        if field not in names:
            raise RulesError(
                f"on the way to step {at.step.name}: {kind.__name__} has no field {field!r}"
            )
        place = _PLACES[kind, field] = names.index(field)
    return place


def fill(at: At[F], field: str, reading: object) -> At[F]:
    """The same place with one field of the facts filled.

    Raises:
        RulesError: the facts have no such field.
    """
    facts, place = at.facts, _place(at, field)
    filled = tuple.__new__(type(facts), (*facts[:place], reading, *facts[place + 1 :]))
    return At(at.step, filled)


def fill_each(at: At[F], field: str, readings: Iterable[object]) -> list[F]:
    """The facts of a place with one field filled with each of these.

    Raises:
        RulesError: the facts have no such field.
    """
    facts, place, new = at.facts, _place(at, field), tuple.__new__
    kind, before, after = type(facts), facts[:place], facts[place + 1 :]
    return [new(kind, before + (reading,) + after) for reading in readings]  # noqa: RUF005  # quicker
