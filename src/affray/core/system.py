"""A game's combat rules, whole: all its parts in one record, checked when it is loaded."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from dataclasses import field
from functools import cached_property
from pathlib import Path
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from affray.core.asking import (
    Field,
    Objective,
    Reach,
    a_chance,
    first_fitting,
    none_or_more,
)
from affray.core.carriers import carried_by, modules_of
from affray.core.clauses import Clause, Gap, check_clauses, check_prefix, listed_clauses
from affray.core.errors import RulesError
from affray.core.hints import Hints
from affray.core.lazy import dataclass
from affray.core.names import unknown
from affray.core.node import At, Facts, Step
from affray.core.ruling import Erratum, Profile, Ruling, Rulings
from affray.core.step import fields_of, leads_to
from affray.core.telling import shown

if TYPE_CHECKING:
    from affray.core.fight import Fight

__all__ = [
    "Clause", "Field", "Gap", "Objective", "Reach", "System", "a_chance",
    "first_fitting", "none_or_more",
]  # fmt: skip

F = TypeVar("F", bound=Facts)


@dataclass(frozen=True, eq=False, kw_only=True)
class System(Generic[F]):
    """A game's combat rules, whole: steps in the book's order and everything they need.

    Attributes:
        id: name in files and commands ("eclipse-phase").
        title, edition, credit: the game, the printing, and who owns it (one sentence).
        prefix: what its clause ids start with ("EP").
        steps: every step, in the book's order; `start` is the first.
        setup: the sheet that describes everything before the first step.
        declare: from that sheet and the rulings to the first place.
        fields, objectives: what can be asked and wanted; the first of each that fits is the
            default.
        rulings: the open questions. profiles: readings that belong together, such as editions.
        errata: figures of the text that are wrong.
        folder: where clauses.toml, examples.toml and roster/ lie; the package that lies there is
            searched for functions, classes and tables that carry clauses.
        roster_keys: which setup keys name a roster entry, and of which section.
        roster_defaults: the entry that a setup has under such a key if it says nothing.
        tracks: keys for what is left, such as "flex", where "flex_max" is the most there can be
            and, left out, as much: an entry that is like another one with more has its most.
        fight: how exchanges make a fight, if the system says so.
        picture: how the table looks, as lines of text: a map, ranks; "" where there is nothing
            to look at. drawing: the same as an SVG document.
        hints: what engines may know to be quick.
        gaps: what the book leaves out and is assumed here.
        after: the next setup: from the setup, the facts that its exchange went through, the
            outcome last, and the rulings. Roles stay; what does not last is reset.
        lasts: outcome fields whose value stands in the next setup: its key there, as
            "defender.health", or a function of the setup before and the next one.
        resets: fields of a fight's condition, or of records in it, that the next setup does not
            carry as they are, each with the reason; all others must stand in it.
        beyond: keys of a fighter's sheet that change from setup to setup, and that no condition of
            a fight knows, each with the reason.

    Raises:
        RulesError: anything that can be seen to be wrong before a die is rolled; the message
            names the step, ruling or field. Clauses are compared with the code later, when they
            are first looked at.
    """

    id: str
    title: str
    edition: str
    credit: str
    prefix: str
    actors: tuple[str, ...]
    steps: tuple[Step[F], ...]
    start: Step[F]
    setup: type
    declare: Callable[..., At[F]]
    fields: tuple[Field[F], ...]
    objectives: tuple[Objective[F], ...]
    folder: Path
    rulings: tuple[Ruling[str], ...] = ()
    roster_keys: Mapping[str, str] = field(default_factory=dict)
    roster_defaults: Mapping[str, str] = field(default_factory=dict)
    tracks: tuple[str, ...] = ()
    picture: Callable[[F], str] | None = None
    drawing: Callable[[F], str] | None = None
    hints: Hints[F, Any, Any] = field(default_factory=Hints)
    fight: Fight[F, Any, Any, Any, Any] | None = None
    profiles: tuple[Profile, ...] = ()
    errata: tuple[Erratum, ...] = ()
    gaps: tuple[Gap, ...] = ()
    after: Callable[[Any, Sequence[F], Rulings], Any] | None = None
    lasts: Mapping[str, str | Callable[[Any, Any], object]] = field(default_factory=dict)
    resets: Mapping[str, str] = field(default_factory=dict)
    beyond: Mapping[str, str] = field(default_factory=dict)
    version: int = 1

    def __repr__(self) -> str:
        return f"<system {self.id}: {self.title}, {len(self.steps)} steps>"

    def __post_init__(self) -> None:
        self._check_steps()
        self._check_names()
        self._check_lasting()
        self._check_hints()
        self._check_fighters()
        check_prefix(self.id, self.prefix)

    # -- what is where -------------------------------------------------------------------

    @cached_property
    def clauses(self) -> dict[str, Clause]:
        """Every clause of the book by id, from clauses.toml.

        Raises:
            RulesError: the file can't be read, or it and the code don't agree: they are compared
                when somebody first looks at clauses, for all modules of a system are loaded then.
        """
        listed = listed_clauses(self.id, self.folder)
        check_clauses(self.id, self.prefix, listed, carriers=self.carriers, gaps=self.gaps)
        return listed

    @cached_property
    def asked(self) -> set[object]:
        """Actors and fields of rolls that were checked in play so far and are right."""
        return set()

    @cached_property
    def places(self) -> dict[Step[F], int]:
        """The position of each step in the book's order."""
        return {step: place for place, step in enumerate(self.steps)}

    @cached_property
    def aside(self) -> dict[Step[F], frozenset[str]]:
        """For every step the fields of the facts that hints say it leaves aside."""
        return {step: frozenset(self.hints.aside.get(step, ())) for step in self.steps}

    @cached_property
    def fixes(self) -> dict[Step[F], frozenset[str]]:
        """For every step the outcome fields that hints say don't change from it on."""
        return {step: frozenset(self.hints.fixes.get(step, ())) for step in self.steps}

    def over(self, needed: frozenset[str]) -> frozenset[Step[F]]:
        """The steps from which on, hints say, none of these outcome fields changes."""
        known = self._over.get(needed)
        if known is None:
            steps = [step for step, fixed in self.fixes.items() if needed <= fixed]
            known = self._over[needed] = frozenset(steps)
        return known

    @cached_property
    def _over(self) -> dict[frozenset[str], frozenset[Step[F]]]:
        return {}

    def fixed(self, step: Step[F], facts: F) -> frozenset[str]:
        """The outcome fields that hints say don't change from a place on."""
        where = self.hints.fixes_where.get(step)
        known = self.fixes.get(step, frozenset())
        return known if where is None else known.union(where(facts))

    def decided_by(self, objective: Objective[F]) -> frozenset[str] | None:
        """The outcome fields on which an objective depends alone; None: nobody says."""
        if objective.about:
            return frozenset((objective.about,))
        named = self.hints.decides.get(objective.name)
        return None if named is None else frozenset(named)

    @cached_property
    def _after(self) -> dict[Step[F], set[Step[F]]]:
        """For each step those that it refers to."""
        return {step: leads_to(step) for step in self.steps}

    @cached_property
    def reach(self) -> dict[Step[F], frozenset[Step[F]]]:
        """For each step all steps that can come after it, itself only in a loop."""
        after, reach = self._after, {}
        for step in self.steps:
            found: set[Step[F]] = set()
            new = [step]
            while new:
                new += [target for target in after[new.pop()] if target not in found]
                found.update(new)
            reach[step] = frozenset(found)
        return reach

    @cached_property
    def modules(self) -> tuple[ModuleType, ...]:
        """The modules of its package; those of its steps where no package lies in its folder."""
        return modules_of(self.folder, (step.rule.__module__ for step in self.steps))

    @cached_property
    def carriers(self) -> dict[str, list[str]]:
        """For each clause the code that carries it out: 'steps.roll_attack', ..."""
        where: dict[str, list[str]] = {}
        for step in self.steps:
            module = step.rule.__module__.rpartition(".")[2]
            for clause in step.clauses:
                where.setdefault(clause, []).append(f"{module}.{step.name}")
        for place, clauses in carried_by(self.modules):
            for clause in clauses:
                where.setdefault(clause, []).append(place)
        for ruling in self.rulings:
            for clause in ruling.clauses:
                where.setdefault(clause, []).append(f"rulings.{ruling.name}")
        return {clause: list(dict.fromkeys(spots)) for clause, spots in where.items()}

    def with_hints(self, hints: Hints[F, Any, Any]) -> System[F]:
        """The same rules with other hints.

        Raises:
            RulesError: a hint about a step or field that doesn't exist.
        """
        other = copy(self)
        object.__setattr__(other, "hints", hints)
        for known in ("aside", "fixes", "_over"):
            vars(other).pop(known, None)
        other._check_hints()
        return other

    def step_named(self, name: str) -> Step[F]:
        """The step with this name.

        Raises:
            RulesError: there is none.
        """
        for step in self.steps:
            if step.name == name:
                return step
        raise RulesError(f"{self.id} has no step {name!r}")

    def field_named(self, name: str) -> Field[F] | None:
        """The outcome field with this name or other name, or None; words may stand apart."""
        named = self._fields_by_name
        return named.get(name) or named.get("_".join(name.replace("-", " ").split()))

    @cached_property
    def _fields_by_name(self) -> dict[str, Field[F]]:
        """The outcome fields by their names and other names; the first of a name counts."""
        named: dict[str, Field[F]] = {}
        for field_ in self.fields:
            for name in (field_.name, *field_.also):
                named.setdefault(name, field_)
        return named

    def declared(self, setup: object, rulings: Rulings | None = None) -> At[F]:
        """The first place of the procedure for a setup.

        Raises:
            SetupError: the declaration is against the rules.
            RulesError: the facts hold something that can't be hashed.
        """
        place = self.declare(setup, rulings or Rulings())
        try:
            hash(place)
        except TypeError as error:
            raise RulesError(
                f"{self.id}: the facts of the declaration can't be hashed: {error}; must be "
                "tuples and frozen records"
            ) from None
        return place

    def assumed(self, setup: object, rulings: Rulings) -> tuple[str, ...]:
        """What an exchange from a setup rests on that the book leaves out, in sentences."""
        return tuple([gap.told for gap in self.gaps if gap.met(setup, rulings)])

    def readings(self, picks: Mapping[str, str]) -> Rulings:
        """Rulings from names, as users give them; `profile` names several at once.

        What is picked besides a profile wins over it.

        Raises:
            UnknownNameError: an unknown ruling or profile.
            SetupError: an unknown reading.
        """
        named = dict(picks)
        wanted = named.pop("profile", None)
        if wanted is None:
            return Rulings.pick(self.rulings, named)
        found = {profile.name: profile for profile in self.profiles}.get(wanted)
        if found is None:
            known = [profile.name for profile in self.profiles]
            raise unknown(f"profile of {self.id}", wanted, known)
        return Rulings.pick(self.rulings, {**found.picks, **self._by_name(named)})

    def unnamed(self, picks: Mapping[str, str], said: Collection[str]) -> dict[str, str]:
        """Those picks, by name, of whose rulings nothing has been said, by name or number."""
        known = self._by_name(dict.fromkeys(said, ""))
        return {name: option for name, option in picks.items() if name not in known}

    def _by_name(self, picks: Mapping[str, str]) -> dict[str, str]:
        """Picks with numbers of rulings replaced by their names."""
        names = {ruling.id: ruling.name for ruling in self.rulings}
        return {names.get(name, name): option for name, option in picks.items()}

    # -- load-time validation ------------------------------------------------------------

    def _check_steps(self) -> None:
        listed = set(self.steps)
        names: set[str] = set()
        for step in self.steps:
            if not step.title:
                raise RulesError(f"{self.id}: step {step.name} has no docstring; say what it does")
            if not step.clauses:
                raise RulesError(f"{self.id}: step {step.name} carries out no clause; cite one")
            if _n_parameters(step.rule) != 1:
                raise RulesError(f"{self.id}: step {step.name} must take the facts, nothing else")
            if step.name in names:
                raise RulesError(f"{self.id}: two steps are called {step.name}")
            names.add(step.name)
            for target in self._after[step]:
                if target not in listed:
                    raise RulesError(
                        f"{self.id}: step {step.name} leads to {target.name}, which is not listed"
                    )
        self._check_reached(listed)

    def _check_reached(self, listed: set[Step[F]]) -> None:
        if self.start not in listed:
            raise RulesError(f"{self.id}: the start, {self.start.name}, is not a listed step")
        starts = (self.start, *(self.fight.starts if self.fight else ()))
        for start in starts:
            if start not in listed:
                raise RulesError(f"{self.id}: fights start at {start.name}, no listed step")
        reached = {step for start in starts for step in (start, *self.reach[start])}
        for step in self.steps:
            if step not in reached:
                raise RulesError(f"{self.id}: no step leads to {step.name}")

    def _check_names(self) -> None:
        for kind, names in (
            ("fields", [name for f in self.fields for name in (f.name, *f.also)]),
            ("objectives", [objective.name for objective in self.objectives]),
            ("rulings", [r.name for r in self.rulings] + [r.id for r in self.rulings]),
            ("profiles", [profile.name for profile in self.profiles]),
        ):
            if len(set(names)) != len(names):
                raise RulesError(f"{self.id}: {kind} {names}; each may be named once")
            if not names and kind in {"fields", "objectives"}:
                raise RulesError(f"{self.id}: no {kind}; there must be at least one")
        for profile in self.profiles:
            Rulings.pick(self.rulings, profile.picks)
        for objective in self.objectives:
            if objective.actor not in self.actors:
                raise RulesError(
                    f"{self.id}: objective {objective.name} belongs to {objective.actor!r}; "
                    f"actors: {', '.join(self.actors)}"
                )
            if objective.about and objective.about not in self._field_names:
                raise RulesError(
                    f"{self.id}: objective {objective.name} is about {objective.about!r}, which "
                    f"is no outcome field; known: {', '.join(sorted(self._field_names))}"
                )

    def _check_fighters(self) -> None:
        if self.fight is not None and dataclasses.is_dataclass(self.setup):
            keys = [one.name for one in dataclasses.fields(self.setup)]
            if not {"attacker", "defender"}.issubset(keys):
                raise RulesError(
                    f"{self.id}: a system with fights needs the keys attacker and defender in its "
                    f"setup; {self.setup.__name__} has {', '.join(keys) or 'no keys'}"
                )

    def _check_lasting(self) -> None:
        for name in self.lasts:
            if name not in self._field_names:
                raise RulesError(
                    f"{self.id}: lasts names {name!r}, which is no outcome field; "
                    f"known: {', '.join(sorted(self._field_names))}"
                )

    def _check_hints(self) -> None:
        hints = self.hints
        for kind, steps in (
            ("aside", hints.aside), ("fixes", hints.fixes), ("alike", hints.alike),
            ("seams", hints.seams), ("spends_at", hints.spends_at), ("plain", hints.plain),
            ("fixes_where", hints.fixes_where), ("rejoins", hints.rejoins),
            ("several", hints.several), ("defers", hints.defers),
            *(("outdone", steps) for steps in hints.outdone.values()),
        ):  # fmt: skip
            for step in steps:
                if step not in self.places:
                    raise RulesError(
                        f"{self.id}: hints: {kind} names {shown(step)}, which is no step of the "
                        "system; name the step itself"
                    )
        for step, fields in hints.fixes.items():
            self._check_hinted(f"fixes of {step.name}", fields, self._field_names, "outcome field")
        wishes = frozenset(objective.name for objective in self.objectives)
        self._check_hinted("decides", hints.decides, wishes, "objective")
        self._check_hinted("outdone", hints.outdone, wishes, "objective")
        self._check_hinted("columns", hints.columns, self._field_names, "outcome field")
        for step in {**hints.aside, **hints.alike, **hints.defers}:
            known = frozenset(fields_of(step))
            if known:
                aside = hints.aside.get(step, ())
                self._check_hinted(f"aside of {step.name}", aside, known, "field of the facts")
                if step in hints.alike:
                    field = (hints.alike[step].field,)
                    self._check_hinted(f"alike of {step.name}", field, known, "field of the facts")
                if step in hints.defers:
                    field = (hints.defers[step][0],)
                    self._check_hinted(f"defers of {step.name}", field, known, "field of the facts")

    def _check_hinted(
        self, where: str, names: Collection[str], known: frozenset[str], kind: str
    ) -> None:
        if isinstance(names, str):
            raise RulesError(f"{self.id}: hints: {where}: {names!r}; must be a tuple of names")
        for name in names:
            if name not in known:
                raise RulesError(
                    f"{self.id}: hints: {where}: {name!r} is no {kind}; "
                    f"known: {', '.join(sorted(known))}"
                )

    @property
    def _field_names(self) -> frozenset[str]:
        return frozenset(field_.name for field_ in self.fields)


def _n_parameters(rule: Callable[..., object]) -> int:
    """As `inspect.signature` counts them, and quicker for a plain function."""
    code: CodeType | None = getattr(rule, "__code__", None)
    if code is None or hasattr(rule, "__wrapped__"):
        return len(inspect.signature(rule).parameters)
    n_listed = code.co_argcount + code.co_kwonlyargcount
    return (
        n_listed
        + (code.co_flags & inspect.CO_VARARGS > 0)
        + (code.co_flags & inspect.CO_VARKEYWORDS > 0)
    )
