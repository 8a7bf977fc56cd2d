"""Setups in which many keys are changed at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any
from zlib import crc32

from affray.core.errors import SetupError
from affray.core.sheet import replace
from affray.testing.keys.sheets import Key, Path, all_changed, changed, is_of
from affray.testing.keys.trials import Trial
from affray.testing.keys.values import Values

__all__ = ["Changes"]

_Sheets = Sequence[tuple[Path, Any]]
"""Every sheet of a setup, each with the path to it."""
_Choosing = Callable[[Trial, Any, Collection[Key]], tuple[Mapping[str, object], set[Key]]]
"""Chooses other values for keys of a setup's sheet; with the keys that have one."""


class Changes:
    """Changes many keys of a setup at once.

    Args:
        values: the values to try.
    """

    def __init__(self, values: Values) -> None:
        self._values = values
        self._known: dict[tuple[int, Key], Sequence[object]] = {}

    def all_of(self, case: Trial, sheets: _Sheets, keys: Collection[Key]) -> tuple[Any, set[Key]]:
        """A setup with other values of some keys wherever they are accepted; and of which keys.

        Sheets that are equal stay so: those of one map, of two who are told apart by number.
        """
        for choose in (self._first_values, self._accepted_values):
            changes, meant = self._at_once(case, sheets, keys, choose)
            with suppress(SetupError, TypeError, ValueError):  # some values don't go together
                return all_changed(case.tree, changes), meant
        return self._one_by_one(case, sheets, keys)

    def _at_once(
        self, case: Trial, sheets: _Sheets, keys: Collection[Key], choose: _Choosing
    ) -> tuple[Mapping[Path, Mapping[str, object]], set[Key]]:
        """Other values of keys by the paths of their sheets; and the keys that have one."""
        changes: dict[Path, Mapping[str, object]] = {}
        meant, replaced = set[Key](), set[Path]()
        for path, sheet in sheets:
            if not replaced.isdisjoint(path[:n] for n in range(1, len(path) + 1)):
                continue
            here = [key for key in keys if type(sheet) is key.sheet and is_of(key, path)]
            # Of several words of one field one is taken; which, depends on the setup.
            first = crc32(case.name.encode()) % max(1, len(here))
            new, accepted = choose(case, sheet, (*here[first:], *here[:first]))
            if new:
                changes[path] = new
                meant |= accepted
                replaced.update((*path, name) for name in new)
        return changes, meant

    def _first_values(
        self, case: Trial, sheet: Any, keys: Collection[Key]
    ) -> tuple[Mapping[str, object], set[Key]]:
        """For keys of a sheet the first of their other values; and the keys that have one."""
        new: dict[str, object] = {}
        meant = set[Key]()
        for key in keys:
            values = self._values_beside(case, sheet, key, new)
            if values:
                new[key.name] = values[0]
                meant.add(key)
        return new, meant

    def _accepted_values(
        self, case: Trial, sheet: Any, keys: Collection[Key]
    ) -> tuple[Mapping[str, object], set[Key]]:
        """For keys of a sheet other values that it accepts together; and keys that have one."""
        new: dict[str, object] = {}
        meant, now = set[Key](), sheet
        for key in keys:
            for value in self._values_beside(case, sheet, key, new):
                with suppress(SetupError, TypeError, ValueError):
                    now = replace(now, **{key.name: value})
                    new[key.name] = value
                    meant.add(key)
                    break
        return new, meant

    def _values_beside(
        self, case: Trial, sheet: Any, key: Key, new: Mapping[str, object]
    ) -> Sequence[object]:
        """Other values for a field beside new values of its sheet; none if it has one already."""
        if key.name not in new:
            return self._others(case, sheet, key)
        now = new[key.name]
        if key.word != "" and isinstance(now, tuple):  # another word of a list
            return [*self._values.with_word(now, key)]
        return ()

    def _one_by_one(
        self, case: Trial, sheets: _Sheets, keys: Collection[Key]
    ) -> tuple[Any, set[Key]]:
        """The same, with another value instead of one that a sheet refuses."""
        tree, meant = case.tree, set[Key]()
        for path, sheet in sheets:
            for key in keys:
                if type(sheet) is key.sheet and is_of(key, path):
                    for value in self._others(case, sheet, key):
                        with suppress(SetupError, TypeError, ValueError):
                            tree = changed(tree, (*path, key.name), value)
                            meant.add(key)
                            break
        return tree, meant

    def _others(self, case: Trial, sheet: Any, key: Key) -> Sequence[object]:
        """Other values for a field of a setup's sheet; which is the first depends on the setup."""
        known = self._known.get((id(sheet), key))  # setups are kept, with their sheets
        if known is None:
            known = self._known[id(sheet), key] = list(self._values.others(sheet, key))
        first = crc32(f"{key} {case.name}".encode()) % max(1, len(known))
        return [*known[first:], *known[:first]]
