"""Finds for each key of a sheet a value that matters: it changes a question, the log or an outcome.

Setups are played with the same answers before and after one value is changed. A key that no play
of a setup ever reads can't matter there; the classes of sheets are watched to tell.
"""

from __future__ import annotations

import typing
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cached_property
from itertools import zip_longest
from typing import Any
from zlib import crc32

from affray.app.inputs.intake import InputError
from affray.app.inputs.rosters import Filling, Roster
from affray.app.inputs.tables import (
    roster,
    validated,
)
from affray.core.errors import SetupError
from affray.core.lazy import NamedTuple
from affray.core.node import Facts
from affray.core.sheet import informs
from affray.core.system import System
from affray.engine.exchange.session import Answer
from affray.testing.keys.made import made_fights, made_trials
from affray.testing.keys.sheets import (
    IN_FIGHTS,
    ROLES,
    Key,
    Path,
    at_path,
    changed,
    hints_of,
    parts_of,
    sheets_in,
    sheets_of,
)
from affray.testing.keys.trials import FightTrial, Told, Trial
from affray.testing.keys.values import Values
from affray.testing.keys.watch import Watch, caches_of, package_of
from affray.testing.material import Witness

__all__ = ["Matters", "Search"]

PLAYS = 3
"""Plays of an example; of situations that are made from examples, each is played once."""


class Matters(NamedTuple):
    """A proof that a key matters: `how` is "outcome", "log" or "refused"; `where` is a setup."""

    how: str
    where: str
    witness: Witness | None = None


MOST_OF_VALUE = 80


def _named(value: object) -> str:
    """A value in few words: long ones by their checksum."""
    told = repr(value)
    return told if len(told) <= MOST_OF_VALUE else f"#{crc32(told.encode()):08x}"


def _alone_or_listed(value: object) -> tuple[object, ...]:
    listed = value if isinstance(value, tuple) else (value,)
    return tuple(one for one in listed if isinstance(one, str))


class Search:
    """Looks for what each key of a system changes.

    Args:
        system: whose keys.
        trials: what is played.
    """

    def __init__(self, system: System[Facts], trials: Sequence[Trial]) -> None:
        self.system = system
        self.trials = list(trials)
        self.sheets = sheets_of(system.setup)
        self.values = Values([*(case.tree for case in self.trials), *_entries(system)], self.sheets)
        self.plays: dict[tuple[Trial, int], tuple[Told, tuple[Answer, ...] | None]] = {}
        self.n_tries = 0
        self._said: dict[Trial, Counter[object]] = {}

    @cached_property
    def readers(self) -> Mapping[tuple[type, str], list[tuple[Trial, int, Path]]]:
        """Plays of the trials, by the fields that they read."""
        readers: dict[tuple[type, str], list[tuple[Trial, int, Path]]] = defaultdict(list)
        for case in self.trials:
            self._watched(case, readers)
        return readers

    @cached_property
    def made(self) -> Mapping[tuple[type, str], list[tuple[Trial, int, Path]]]:
        """Plays of situations that are made from the examples, by the fields that they read."""
        readers: dict[tuple[type, str], list[tuple[Trial, int, Path]]] = defaultdict(list)
        for number, case in enumerate(self._made):
            self._watched(case, readers, (number % PLAYS,))
        return readers

    @cached_property
    def _made(self) -> Sequence[Trial]:
        """Situations that are made from the examples."""
        fights = [case for case in self.trials if isinstance(case, FightTrial)]
        if len(fights) < len(self.trials):
            return list(made_trials(self.system, self.trials, self.values))
        return list(made_fights(self.system, fights, self.values))

    @cached_property
    def _named_trials(self) -> Mapping[str, Trial]:
        return {case.name: case for case in self.trials}

    @cached_property
    def _named_made(self) -> Mapping[str, Trial]:
        return {case.name: case for case in self._made}

    def shows(self, key: Key, witness: Witness) -> bool:
        """Whether a play still shows that a key matters."""
        case = self._named_trials.get(witness.trial) or self._named_made.get(witness.trial)
        if case is None:
            return False
        *parts, name = witness.path.split(".")
        path = tuple(int(part) if part.isdigit() else part for part in parts)
        try:
            sheet = at_path(case.tree, path)
        except (AttributeError, IndexError, TypeError):
            return False
        if type(sheet) is not key.sheet or name != key.name or not _is_of(key, path):
            return False
        values = (one for one in self.values.others(sheet, key) if _named(one) == witness.value)
        for value in values:
            try:
                tree = changed(case.tree, (*path, key.name), value)
            except (SetupError, TypeError, ValueError):
                continue
            return self._differs(case, witness.play, tree) is not None
        return False

    def _differs(self, case: Trial, number: int, tree: Any) -> str | None:
        """What is otherwise in a play of a changed setup, if anything is."""
        if (case, number) not in self.plays:
            self.plays[case, number] = case.played(number)
        told, answers = self.plays[case, number]
        self.n_tries += 1
        again = case.again(tree, number, answers)
        if bool(again.refused) != bool(told.refused):
            return "refused"
        if again.hard != told.hard:
            return "outcome"
        return "log" if again.soft != told.soft else None

    def _watched(
        self, case: Trial, readers: dict[tuple[type, str], list[tuple[Trial, int, Path]]],
        plays: Sequence[int] = range(PLAYS),
    ) -> None:  # fmt: skip
        for number in plays:
            watch = Watch(self.sheets)
            for kept in caches_of(package_of(self.system)):
                kept.cache_clear()
            with watch.watching():
                self.plays[case, number] = case.played(number)
            paths: dict[Any, list[Path]] = defaultdict(list)
            for path, sheet in sheets_in(case.tree):
                paths[sheet].append(path)
            for key, looked in watch.read.items():
                known = {sheet for sheet in looked.values() if sheet in paths}
                if len(known) < len(set(looked.values())):  # a copy, of any of them
                    known = {sheet for sheet in paths if type(sheet) is key[0]}
                readers[key] += [(case, number, path) for one in known for path in paths[one]]

    def reads(self, key: Key) -> bool:
        """Whether any play reads a field."""
        where = (key.sheet, key.name)
        return bool(self.readers.get(where) or self.made.get(where))

    def matters(self, key: Key, most: int = 150, made: int = 400) -> Matters | None:
        """Find the way in which a key matters, or None if no value changes anything.

        Args:
            key: which.
            most: how many changed plays of examples to try.
            made: how many of situations that are made from them.
        """
        found = self._found(key, self.readers, most)
        if found is None or found.where == "always":
            found = self._found(key, self.made, made) or found
        return found

    def _found(
        self, key: Key, readers: Mapping[tuple[type, str], list[tuple[Trial, int, Path]]], most: int
    ) -> Matters | None:
        informed: Matters | None = None
        accepted = refused = n = 0
        for case, number, path, _, value in self._tries(key, readers):
            if n >= most:
                break
            try:
                tree = changed(case.tree, (*path, key.name), value)
            except (SetupError, TypeError, ValueError):
                refused += 1
                continue
            n += case.cost
            how = self._differs(case, number, tree)
            at = ".".join(map(str, (*path, key.name)))
            accepted += how != "refused"
            if how is None or (how == "log" and informed is not None):
                continue
            matters = Matters(
                how, f"{case.name}: {at} = {value!r}", Witness(case.name, number, at, _named(value))
            )
            if how != "log" or not informs(key.sheet, key.name):
                return matters
            informed = matters
        if informed is None and refused and not accepted:
            return Matters("refused", "always")
        return informed

    def _tries(
        self, key: Key, readers: Mapping[tuple[type, str], list[tuple[Trial, int, Path]]]
    ) -> Iterator[tuple[Trial, int, Path, Any, object]]:
        """Changes to try, from all over; every other one where the key is set on purpose."""
        heaps: list[list[tuple[Trial, int, Path, Any, object]]] = []
        for found in self._where(key, readers):
            heap = [(*one, value) for one in found for value in self.values.others(one[3], key)]
            heap.sort(key=lambda one: crc32(f"{key} {one[0].name} {one[1:3]} {one[4]!r}".encode()))
            heaps.append(heap)
        for pair in zip_longest(*heaps):
            yield from (one for one in pair if one is not None)

    def _says(self, case: Trial, key: Key) -> int:
        """Count how often a setup says the word of a key, alone or in a list."""
        known = self._said.get(case)
        if known is None:
            known = self._said[case] = Counter(
                word
                for _, sheet in sheets_in(case.tree)
                for one in fields(sheet)
                for word in _alone_or_listed(getattr(sheet, one.name))
            )
        return known[key.word]

    def _where(
        self, key: Key, readers: Mapping[tuple[type, str], list[tuple[Trial, int, Path]]]
    ) -> tuple[list[tuple[Trial, int, Path, Any]], list[tuple[Trial, int, Path, Any]]]:
        """Plays that read a field, with each sheet that has it: where it is set, and others."""
        default = next(one for one in fields(key.sheet) if one.name == key.name).default
        good: list[tuple[Trial, int, Path, Any]] = []
        later: list[tuple[Trial, int, Path, Any]] = []
        for case, number, path in readers.get((key.sheet, key.name), ()):
            if not _is_of(key, path):
                continue
            sheet = at_path(case.tree, path)
            value = getattr(sheet, key.name)
            is_set = default is not MISSING and value != default
            if key.word != "":
                is_set = self._says(case, key) > (value == key.word)
            (good if is_set else later).append((case, number, path, sheet))
        return good, later


def _is_of(key: Key, path: Path) -> bool:
    """Whether a sheet at a path is one of those whose field is meant."""
    if key.role in ROLES:
        return path == (key.role,)
    if key.role in IN_FIGHTS:
        return path[0] in IN_FIGHTS[key.role] and len(path) <= 2 and path[-1] not in ROLES
    return True


def _entries(system: System[Facts]) -> Iterator[Any]:
    """Sheets of the roster."""
    hints = {
        name: hint for sheet in sheets_of(system.setup) for name, hint in hints_of(sheet).items()
    }
    for name, section in system.roster_keys.items():
        kinds = (
            [p for p in parts_of(hints[name]) if isinstance(p, type) and is_dataclass(p)]
            if name in hints
            else []
        )
        for entry in roster(system).get(section, {}):
            for kind in kinds:
                table = Filling(Roster(system), entry).table({name: entry})[name]
                try:
                    yield validated(kind, typing.cast("dict[str, object]", table), entry)
                except (InputError, SetupError):
                    continue
