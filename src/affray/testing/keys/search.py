"""Finds for each key of a sheet a value that matters: it changes a question, the log or an outcome.

Setups are played with the same answers before and after one value is changed. A key that no play
of a setup ever reads can't matter there; the classes of sheets are watched to tell.
"""

from __future__ import annotations

import typing
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from functools import cached_property
from itertools import zip_longest
from operator import itemgetter
from typing import Any
from zlib import crc32

from affray.app.inputs.checking import validated
from affray.app.inputs.intake import InputError
from affray.app.inputs.rosters import Filling, Roster
from affray.app.inputs.tables import roster
from affray.core.errors import SetupError
from affray.core.lazy import NamedTuple
from affray.core.node import Facts
from affray.core.sheet import informs
from affray.core.system import System
from affray.engine.exchange.session import Answer
from affray.testing.keys.changes import Changes
from affray.testing.keys.made import made_fights, made_trials
from affray.testing.keys.sheets import (
    Key,
    Path,
    at_path,
    changed,
    hints_of,
    is_of,
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
MOST_MADE_FIGHTS = 30
"""Fights made from examples in which many keys are changed at once, about."""


class Matters(NamedTuple):
    """A proof that a key matters: `how` is "outcome", "log" or "refused"; `where` is a setup."""

    how: str
    where: str
    witness: Witness | None = None


MOST_OF_VALUE = 80

_Play = tuple[Trial, int]
_Place = tuple[_Play, Path, Any]
"""A sheet in the setup of a play, with the path to it."""


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
        self._read: dict[_Play, frozenset[tuple[type, str, Path]]] = {}
        self._sheets: dict[Trial, Sequence[tuple[Path, Any]]] = {}
        self._changes_of = Changes(self.values)

    @cached_property
    def _made(self) -> Sequence[Trial]:
        """Situations that are made from the examples."""
        if not self.trials:
            return []
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
        if type(sheet) is not key.sheet or name != key.name or not is_of(key, path):
            return False
        values = (one for one in self.values.others(sheet, key) if _named(one) == witness.value)
        for value in values:
            try:
                tree = changed(case.tree, (*path, key.name), value)
            except (SetupError, TypeError, ValueError):
                continue
            return self._differs(case, witness.play, tree) is not None
        return False

    def unchanging(self, keys: Collection[Key], *, log: bool) -> frozenset[Key]:
        """Those of some keys of which it is plain that they change nothing; for others, look.

        All of them are changed at once, in play after play: if all goes as before, none matters;
        else it is asked which of them did it alone.

        Args:
            keys: which.
            log: whether the log has to stay as it is, too.
        """
        allowed = {None} if log else {None, "log"}
        open_keys, accepted = list(keys), set[Key]()
        for case, number in self._plays_of_each():
            tree, meant = self._all_changed(case, open_keys)
            if not meant:
                continue
            accepted |= meant
            if self._differs(case, number, tree) not in allowed:
                alone = {key for key in meant
                         if self._differs(case, number, self._all_changed(case, [key])[0])
                         not in allowed}  # fmt: skip
                open_keys = [key for key in open_keys if key not in (alone or meant)]
        return frozenset(accepted.intersection(open_keys))

    def _plays_of_each(self) -> Iterator[_Play]:
        """Every play of an example, and one of each situation made from them; of fights fewer."""
        for case in self.trials:
            fights = isinstance(case, FightTrial)
            yield from ((case, number) for number in range(1 if fights else PLAYS))
        fights = isinstance(self._made[0], FightTrial) if self._made else False
        apart = max(1, len(self._made) // MOST_MADE_FIGHTS) if fights else 1
        yield from ((case, n % PLAYS) for n, case in enumerate(self._made) if n % apart == 0)

    def _all_changed(self, case: Trial, keys: Collection[Key]) -> tuple[Any, set[Key]]:
        return self._changes_of.all_of(case, self._sheets_of(case), keys)

    def _sheets_of(self, case: Trial) -> Sequence[tuple[Path, Any]]:
        """Every sheet of a setup and the path to it."""
        known = self._sheets.get(case)
        if known is None:
            known = self._sheets[case] = tuple(sheets_in(case.tree))
        return known

    def refused(self, key: Key) -> bool:
        """Whether every other value of a key is refused, wherever a setup has it."""
        tried = False
        for case in (*self.trials, *self._made):
            for path, sheet in self._sheets_of(case):
                if type(sheet) is not key.sheet or not is_of(key, path):
                    continue
                for value in self.values.others(sheet, key):
                    tried = True
                    with suppress(SetupError, TypeError, ValueError):
                        changed(case.tree, (*path, key.name), value)
                        return False
        return tried

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

    def _reads(self, play: _Play, key: Key, path: Path) -> bool:
        """Whether a play reads a field of the sheet at a path."""
        if play not in self._read:
            self._read[play] = self._watched(*play)
        return (key.sheet, key.name, path) in self._read[play]

    def _watched(self, case: Trial, number: int) -> frozenset[tuple[type, str, Path]]:
        """Play a setup and note which fields of its sheets are read."""
        watch = Watch(self.sheets)
        for kept in caches_of(package_of(self.system)):
            kept.cache_clear()
        with watch.watching():
            self.plays[case, number] = case.played(number)
        paths: dict[Any, list[Path]] = defaultdict(list)
        for path, sheet in self._sheets_of(case):
            paths[sheet].append(path)
        read: set[tuple[type, str, Path]] = set()
        for (kind, name), looked in watch.read.items():
            known = {sheet for sheet in looked.values() if sheet in paths}
            if len(known) < len(set(looked.values())):  # a copy, of any of them
                known = {sheet for sheet in paths if type(sheet) is kind}
            read.update((kind, name, path) for one in known for path in paths[one])
        return frozenset(read)

    def matters(self, key: Key, most: int = 150, made: int = 400) -> Matters | None:
        """Find the way in which a key matters, or None if no value changes anything.

        Args:
            key: which.
            most: how many changed plays of examples to try.
            made: how many of situations that are made from them.
        """
        plays = [(case, number) for case in self.trials for number in range(PLAYS)]
        found = self._found(key, plays, most)
        if found is None or found.where == "always":
            plays = [(case, number % PLAYS) for number, case in enumerate(self._made)]
            found = self._found(key, plays, made) or found
        return found

    def _found(self, key: Key, plays: Sequence[_Play], most: int) -> Matters | None:
        informed: Matters | None = None
        refused: dict[tuple[_Play, Path], None] = {}
        accepted = n = 0
        for play, path, value, tree in self._tries(key, plays):
            if n >= most:
                break
            if tree is None:
                refused[play, path] = None
                continue
            case, number = play
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
        if informed is not None or accepted:
            return informed
        read = any(self._reads(play, key, path) for play, path in refused)
        return Matters("refused", "always") if read else None

    def _tries(
        self, key: Key, plays: Sequence[_Play]
    ) -> Iterator[tuple[_Play, Path, object, Any | None]]:
        """Changes to try, from all over; every other one where the key is set on purpose.

        With each the changed setup; None: a sheet refuses it. A setup that is accepted is left out
        if its play doesn't read the field; to tell, it is watched when its turn comes.
        """
        heaps = [self._changes(key, found) for found in self._where(key, plays)]
        for pair in zip_longest(*heaps):
            yield from (one for one in pair if one is not None)

    def _changes(
        self, key: Key, places: Sequence[_Place]
    ) -> Iterator[tuple[_Play, Path, object, Any | None]]:
        """Changes of a field at some places, well mixed."""
        heap: list[tuple[int, _Place, int, object]] = []
        others: dict[int, list[tuple[object, str]]] = {}
        for place in places:
            (case, number), path, sheet = place
            if id(sheet) not in others:
                found = self.values.others(sheet, key)
                others[id(sheet)] = [(value, repr(value)) for value in found]
            for rank, (value, words) in enumerate(others[id(sheet)]):
                mixed = crc32(f"{key} {case.name} {(number, path)} {words}".encode())
                heap.append((mixed, place, rank, value))
        heap.sort(key=itemgetter(0))
        trees: dict[tuple[Trial, Path, int], Any | None] = {}
        for _, (play, path, _), rank, value in heap:
            change = (play[0], path, rank)
            if change not in trees:
                try:
                    trees[change] = changed(play[0].tree, (*path, key.name), value)
                except (SetupError, TypeError, ValueError):
                    trees[change] = None
            if trees[change] is None or self._reads(play, key, path):
                yield play, path, value, trees[change]

    def _says(self, case: Trial, key: Key) -> int:
        """Count how often a setup says the word of a key, alone or in a list."""
        known = self._said.get(case)
        if known is None:
            known = self._said[case] = Counter(
                word
                for _, sheet in self._sheets_of(case)
                for one in fields(sheet)
                for word in _alone_or_listed(getattr(sheet, one.name))
            )
        return known[key.word]

    def _where(self, key: Key, plays: Sequence[_Play]) -> tuple[list[_Place], list[_Place]]:
        """Sheets in plays that have a field: those in which it is set, and others."""
        default = next(one for one in fields(key.sheet) if one.name == key.name).default
        good: list[_Place] = []
        later: list[_Place] = []
        for play in plays:
            for path, sheet in self._sheets_of(play[0]):
                if type(sheet) is not key.sheet or not is_of(key, path):
                    continue
                value = getattr(sheet, key.name)
                is_set = default is not MISSING and value != default
                if key.word != "":
                    is_set = self._says(play[0], key) > (value == key.word)
                (good if is_set else later).append((play, path, sheet))
        return good, later


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
