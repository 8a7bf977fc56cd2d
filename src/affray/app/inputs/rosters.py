"""Rosters: ready fighters, weapons and so on, a user's own on top, and their names filled in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from affray.app.inputs.checking import Gathered, fault_at
from affray.app.inputs.intake import (
    MOST_TOLD,
    InputError,
    Place,
    Raw,
    Written,
    pointer,
    table_checked,
)
from affray.app.inputs.tables import roster
from affray.app.sources import Beside, Table
from affray.core.errors import Fault
from affray.core.names import listed, nearest, nearest_name
from affray.core.node import Facts
from affray.core.system import System
from affray.core.telling import note, shortened, shown

__all__ = ["ROSTER_SCHEMA", "Filling", "Roster", "resolved", "roster_for"]

MOST_FILES = 20
"""Roster files of one setup."""
MOST_FILLED = 100_000
"""Values that roster names may come to in one setup."""


Name = tuple[str, str]
"""Section and name of a roster entry."""
Refused = list[tuple[Place, InputError]]


class Roster:
    """Ready fighters, weapons and so on: those of a system, with a user's own on top.

    Attributes:
        sections: entries by section and name.
        keys: which keys of a setup name an entry, and of which section.
        own: a user's own entries alone.
        places: where each of them is written, by section and name.
    """

    def __init__(
        self,
        system: System[Facts],
        own: Mapping[str, Mapping[str, Raw]] | None = None,
        places: Mapping[Name, Written] | None = None,
    ) -> None:
        self.system = system
        self.keys = system.roster_keys
        self.own = dict(own or {})
        self.places = dict(places or {})
        self.sections: Mapping[str, Mapping[str, Raw]] = {
            name: {**entries, **self.own[name]} if name in self.own else entries
            for name, entries in roster(system).items()
        }

    def name_of(self, section: str, name: str, where: Written) -> str:
        """The name under which an entry stands; hyphens may stand for underscores.

        Raises:
            InputError: there is none of this name.
        """
        entries = self.sections.get(section, {})
        for known in (name, name.replace("-", "_")):
            if known in entries:
                return known
        what = f"the roster of {self.system.id} has no {shown(name)} among its {section}"
        near = nearest(name, entries)
        raise InputError(
            f"{where}: {what}.{near}",
            advice="list-roster",
            faults=[
                Fault(
                    pointer(where.place), what, shortened(name), listed(entries),
                    "unknown-name", nearest_name(name, entries), where.origin,
                )
            ],
        )  # fmt: skip


def roster_for(
    system: System[Facts],
    raw: Raw,
    origin: str,
    *,
    beside: Beside | None = None,
    own: Sequence[Table] = (),
) -> Roster:
    """The roster for a table: with the entries that stand under `roster`, or in files named there.

    Args:
        system: whose roster it is.
        raw: the table.
        origin: where it came from, for messages.
        beside: reads the files that it names; None: it may name none.
        own: entries that count instead.

    Raises:
        InputError: a file that can't be read or may not be named, or a section that the system
            doesn't know.
    """
    found: dict[str, dict[str, Raw]] = {}
    places: dict[Name, Written] = {}
    for table, where in _own_tables(raw.get("roster", []), origin, beside, own):
        for section, entries in _sections(system, table, where).items():
            has_name = any("name" in entry for entry in roster(system)[section].values())
            for name, entry in entries.items():
                named = has_name and "like" not in entry
                found.setdefault(section, {})[name] = {"name": name, **entry} if named else entry
                places[section, name] = where.below(section, name)
    return Roster(system, found, places)


def _own_tables(
    given: object, origin: str, beside: Beside | None, own: Sequence[Table]
) -> Iterator[tuple[Raw, Written]]:
    """Tables of own entries: those given apart, else those that a setup holds or names."""
    for table in own:
        yield table_checked(table.raw, table.origin), Written(table.origin)
    if own:
        return
    sources = given if isinstance(given, list) else [given]
    key = Written(origin, ("roster",))
    if len(sources) > MOST_FILES:
        raise fault_at(key, sources, f"{MOST_FILES} files", what=f"a list of {len(sources):,}")
    for number, source in enumerate(sources):
        where = key.below(number) if isinstance(given, list) else key
        if isinstance(source, dict):
            yield source, where
        elif isinstance(source, str):
            if beside is None:
                what = (
                    f"{shown(source)}: only a setup in a file can name files; put the entries "
                    "here, or give them apart"
                )
                error = fault_at(where, source, what=what, code="no-files")
                error.advice = "own-roster"
                raise error
            table = beside(source, str(where))
            yield table_checked(table.raw, table.origin), Written(table.origin)
        else:
            raise fault_at(where, source, "a file, or entries")


ROSTER_SCHEMA: Raw = {
    "title": "Roster",
    "group": "File",
    "description": "a file with entries of one's own, the entries themselves, or several of these",
    "anyOf": [
        {"type": ["string", "object"]},
        {"type": "array", "items": {"type": ["string", "object"]}},
    ],
}
"""The JSON Schema of the key `roster`, in setups and in fights."""


def _sections(system: System[Facts], table: Raw, where: Written) -> Mapping[str, Mapping[str, Raw]]:
    """Roster entries by section and name, checked as far as their shape goes."""
    known = roster(system)
    found: dict[str, Mapping[str, Raw]] = {}
    wrong = Gathered()
    for section, entries in table.items():
        place = where.below(section)
        with wrong.kept():
            if section not in known:
                what = f"no section of the roster of {system.id}"
                raise InputError(
                    f"{place}: {what}.{nearest(section, known)} Known: {', '.join(known)}",
                    faults=[
                        Fault(
                            pointer(place.place), what, section, ", ".join(known), "unknown-key",
                            nearest_name(section, known), place.origin,
                        )
                    ],
                )  # fmt: skip
            if not isinstance(entries, dict):
                raise fault_at(place, entries, "a table for each entry, by its name")
            for name, entry in entries.items():
                if not isinstance(entry, dict):
                    raise fault_at(place.below(name), entry, "a table")
            found[section] = entries
    wrong.tell()
    return found


class Filling:
    """Fills roster names of one setup in, and remembers where everything was written.

    Args:
        roster: where the entries are.
        origin: where the setup came from, for messages.
        refused: takes each name that can't be filled in: its place and the error; None: the
            first one is raised.
        elsewhere: where values were written that don't come from their place in the setup.
    """

    def __init__(
        self, roster: Roster, origin: str = "", *, refused: Refused | None = None,
        elsewhere: Mapping[Place, Written] | None = None,
    ) -> None:  # fmt: skip
        self.roster = roster
        self.origin = origin
        self._refused = refused
        self._written: dict[Place, Written] = {(): Written(origin), **(elsewhere or {})}
        self._used: set[Name] = set()
        self._values = 0

    @property
    def refused(self) -> Sequence[tuple[Place, InputError]]:
        """Names that could not be filled in, as far as they were not raised."""
        return self._refused or ()

    def refuse(self, place: Place, error: InputError) -> None:
        """Keep an error; raise it where the first one is to be raised."""
        if self._refused is None:
            raise error
        self._refused.append((place, error))

    def table(self, table: Raw, place: Place = ()) -> Raw:
        """A table with roster names filled in.

        Raises:
            InputError: a name that the roster doesn't have, or entries that name each other.
        """
        return self._table(table, place, self.where(place), ())

    def entry(self, key: str, value: object, place: Place) -> object:
        """A value that stands under a key of a setup, with roster names filled in."""
        return self._entry(key, value, place, self.where(place), ())

    def defaults(self, given: Raw, place: Place = (), keys: Iterable[str] | None = None) -> Raw:
        """Entries that a setup has where it says nothing, as far as they are a user's own.

        Args:
            given: what it says.
            place: where it stands.
            keys: only these keys; None: all.
        """
        roster = self.roster
        return {
            key: self.entry(key, name, (*place, key))
            for key, name in roster.system.roster_defaults.items()
            if key not in given and roster.keys[key] in roster.own and (keys is None or key in keys)
        }

    def where(self, place: Place) -> Written:
        """The origin of the value at a place of the setup: there, or in a roster file."""
        for length in range(len(place), -1, -1):
            written = self._written.get(place[:length])
            if written is not None:
                return written.below(*place[length:])
        return Written(self.origin, place)

    def tell_unused(self) -> None:
        """Warn of own entries that nothing names: most often a name is misspelled."""
        unused = [
            str(place) for name, place in self.roster.places.items() if name not in self._used
        ]
        if unused:
            more = f" and {len(unused) - MOST_TOLD} more" if len(unused) > MOST_TOLD else ""
            text = f"roster entries that nothing here names: {', '.join(unused[:MOST_TOLD])}{more}"
            note(text)

    def _table(self, table: Raw, place: Place, at: Written, within: tuple[Name, ...]) -> Raw:
        self._count(len(table), at)
        return {
            key: self._entry(
                key, value, (*place, key), self._written.get((*place, key), at.below(key)), within
            )
            for key, value in table.items()
        }

    def _entry(
        self, key: str, value: object, place: Place, at: Written, within: tuple[Name, ...]
    ) -> object:
        section = self.roster.keys.get(key)
        if isinstance(value, list):
            self._count(len(value), at)
            return [
                self._entry(key, item, (*place, n), at.below(n), within)
                for n, item in enumerate(value)
            ]
        named = at.below("like")
        if section is not None and isinstance(value, str):
            value, named = {"like": value}, at
        if isinstance(value, dict):
            if section is None or "like" not in value:
                return self._table(value, place, at, within)
            try:
                merged, entry, within = self._merged(section, value, at, within, named)
            except InputError as error:
                self.refuse(place, error)
                return value
            # With keys replaced the whole is what the table makes of the entry.
            at = at if len(value) > 1 else entry
            self._count(len(merged), at)
            self._written[place] = at
            for inner, (_, written) in merged.items():
                if written != at.below(inner):
                    self._written[*place, inner] = written
            return {
                inner: self._entry(inner, held, (*place, inner), written, within)
                for inner, (held, written) in merged.items()
            }
        return value

    def _merged(
        self, section: str, value: Raw, at: Written, within: tuple[Name, ...], named: Written
    ) -> tuple[dict[str, tuple[object, Written]], Written, tuple[Name, ...]]:
        """An entry with some keys replaced: each value and where it was written; the entry's place.

        Entries that are like others are followed to the last one; `named` is where the name stands.
        """
        own = {key: (held, at.below(key)) for key, held in value.items() if key != "like"}
        if "like" not in value:
            return own, at, within
        like = value["like"]
        if not isinstance(like, str):
            raise fault_at(named, like, "a name")
        name = section, self.roster.name_of(section, like, named)
        entry = self.roster.sections[section][name[1]]
        place = self.roster.places.get(name)
        if name in within:
            # An own entry may be like the shipped one whose place it takes.
            shipped_one = roster(self.roster.system).get(section, {}).get(name[1])
            if shipped_one is None or within[-1] != name:
                what = f"{section}.{name[1]} is made of itself"
                raise fault_at(at, like, what=what, code="circle")
            entry, place, name = shipped_one, None, (section, "")
        self._used.add(name)
        above = place or at
        base, where, chain = self._merged(
            section, entry, above, (*within, name), above.below("like")
        )
        return {**base, **self._most(base, own), **own}, where, chain

    def _most(
        self, base: Mapping[str, tuple[object, Written]], own: Mapping[str, tuple[object, Written]]
    ) -> dict[str, tuple[object, Written]]:
        """The most there can be of what an entry has less of than the one that it is like."""
        found = {}
        for key in self.roster.system.tracks:
            if key in own and key in base and f"{key}_max" not in base:
                before, at = base[key]
                most = _most_of(own[key][0], before)
                if most is not None:
                    found[f"{key}_max"] = most, at
        return found

    def _count(self, more: int, at: Written) -> None:
        self._values += more
        if self._values > MOST_FILLED:
            raise InputError(
                f"{at}: roster names come to too much; allowed: {MOST_FILLED:,} values"
            )


def _most_of(now: object, before: object) -> object:
    """The most there can be, where there is less now than before; None: there isn't.

    Where several are counted in a table, such as cubes by color, each is looked at.
    """
    if isinstance(now, int) and isinstance(before, int):
        return before if now < before else None
    if not (isinstance(now, Mapping) and isinstance(before, Mapping)):
        return None
    keys = dict.fromkeys((*before, *now))
    pairs = {key: (now.get(key, 0), before.get(key, 0)) for key in keys}
    if not all(isinstance(n, int) for pair in pairs.values() for n in pair):
        return None
    fewer = any(left < had for left, had in pairs.values())
    return {key: max(pair) for key, pair in pairs.items()} if fewer else None


def resolved(roster: Roster, table: Raw, origin: str = "") -> Raw:
    """A table with roster names filled in.

    Raises:
        InputError: a name that the roster doesn't have.
    """
    return Filling(roster, origin).table(table)
