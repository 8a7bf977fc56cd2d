"""Rulings: where a book is silent or contradicts itself, every reading is a switch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from threading import Lock
from typing import Generic, Literal, TypeVar, cast
from weakref import WeakValueDictionary

from affray.core.errors import Fault, RulesError, SetupError
from affray.core.lazy import NamedTuple
from affray.core.names import nearest_name, unknown
from affray.core.telling import shortened, shown

__all__ = ["Erratum", "Profile", "Ruling", "Rulings"]

O_co = TypeVar("O_co", bound=str, covariant=True)


class Ruling(Generic[O_co]):
    """One question that the text leaves open, with its readings.

    Attributes:
        id: the number of the question ("A-1").
        name: what users type ("ties").
        clauses: the clauses it touches.
        question: the question, one sentence.
        options: each reading by name, with what it means.
        default: the reading that holds unless somebody says otherwise.

    Raises:
        RulesError: fewer than two readings, or a default that is none of them.
    """

    __slots__ = ("clauses", "default", "id", "name", "options", "question")

    def __init__(
        self,
        number: str,
        name: str,
        clauses: str,
        question: str,
        options: Mapping[str, str],
        *,
        default: O_co,
    ) -> None:
        self.id = number
        self.name = name
        self.clauses = tuple(clauses.split())
        self.question = question
        self.options: dict[O_co, str] = {cast("O_co", key): says for key, says in options.items()}
        self.default = default
        if len(self.options) < 2 or default not in self.options:
            raise RulesError(
                f"ruling {number} ({name}): readings {list(options)}, default {default!r}; needed "
                "are at least two readings and a default among them"
            )

    def __repr__(self) -> str:
        return f"Ruling({self.id!r}, {self.name!r})"


class Profile(NamedTuple):
    """Rulings that belong together under one name: an edition, a table's habit.

    Attributes:
        name: what users type ("E4").
        title: what it is, in one sentence.
        picks: the readings it sets, by name of the ruling; all others stay at their defaults.
    """

    name: str
    title: str
    picks: Mapping[str, str]


class Erratum(NamedTuple):
    """A figure of the text that is wrong.

    Attributes:
        clause: where it stands.
        what: what it is a figure of.
        printed, true: what the text says, and what it comes to.
        unit: whether that is a chance or a count.
    """

    clause: str
    what: str
    printed: Fraction
    true: Fraction
    unit: Literal["chance", "count"] = "chance"


class Rulings:
    """The reading of each open question: the defaults, and choices that differ from them.

    `rulings[TIES]` is the reading in force. Two sets of rulings that differ from the defaults in
    the same way are the same object: facts hold one, and are compared and hashed all the time.
    """

    __slots__ = ("__weakref__", "_picks")

    _picks: Mapping[Ruling[str], str]

    def __new__(cls, picks: Mapping[Ruling[str], str] | None = None) -> Rulings:
        """The rulings with these choices.

        Raises:
            SetupError: a choice that is no reading; lists what is allowed.
        """
        chosen = {
            ruling: option for ruling, option in (picks or {}).items() if option != ruling.default
        }
        for ruling, option in chosen.items():
            if option not in ruling.options:
                told = f"ruling {ruling.id} ({ruling.name}): {shown(option)} is no reading"
                allowed, near = ", ".join(ruling.options), nearest_name(option, ruling.options)
                fault = Fault("", told, shortened(option), allowed, "unknown-name", near)
                raise SetupError(f"{told}; allowed: {allowed}", faults=[fault])
        key = frozenset(chosen.items())
        with _LOCK:
            known = _MADE.get(key)
            if known is None:
                known = _MADE[key] = object.__new__(cls)
                known._picks = chosen
        return known

    def __getitem__(self, ruling: Ruling[O_co]) -> O_co:
        return self._picks.get(ruling, ruling.default)  # type: ignore[return-value]  # of its kind

    def __iter__(self) -> Iterator[tuple[Ruling[str], str]]:
        """The rulings that differ from the default."""
        return iter(self._picks.items())

    def __reduce__(self) -> tuple[type[Rulings], tuple[Mapping[Ruling[str], str]]]:
        return Rulings, (self._picks,)

    def __deepcopy__(self, memo: object) -> Rulings:
        return self  # it never changes

    def __repr__(self) -> str:
        return f"Rulings({self.named()})"

    def named(self) -> dict[str, str]:
        """The readings that differ from the defaults, by name."""
        return {ruling.name: option for ruling, option in self._picks.items()}

    @classmethod
    def pick(cls, known: tuple[Ruling[str], ...], picks: Mapping[str, str]) -> Rulings:
        """Rulings from names, as users give them; a ruling's number works as well.

        Raises:
            UnknownNameError: an unknown ruling; the message lists the known ones.
            SetupError: an unknown reading; the message lists what is allowed.
        """
        by_name = {ruling.name: ruling for ruling in known} | {r.id: r for r in known}
        chosen: dict[Ruling[str], str] = {}
        for name, option in picks.items():
            if name not in by_name:
                raise unknown("ruling", name, [ruling.name for ruling in known])
            chosen[by_name[name]] = option
        return cls(chosen)


_MADE: WeakValueDictionary[frozenset[tuple[Ruling[str], str]], Rulings] = WeakValueDictionary()
_LOCK = Lock()
