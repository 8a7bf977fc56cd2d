"""Keys of sheets, and trees of sheets with another value somewhere."""

from __future__ import annotations

import typing
from collections.abc import Collection, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Literal

from affray.app.inputs.fight_sheets import situation_keys
from affray.core.lazy import NamedTuple
from affray.core.node import Facts
from affray.core.sheet import replace
from affray.core.system import System

__all__ = [
    "IN_FIGHTS", "ROLES", "Key", "Path", "all_changed", "at_path", "changed", "fight_keys_of",
    "hints_of", "is_of", "keys_of", "least", "parts_of", "role_keys_of", "sheets_in", "sheets_of",
    "words_of",
]  # fmt: skip


class Key(NamedTuple):
    """A field of a sheet.

    Attributes:
        word: the word among its values that is meant; "" for the field itself.
        role: who has it: a key of the setup, such as "attacker"; "" for anybody.
    """

    sheet: type
    name: str
    word: object = ""
    role: str = ""

    def __str__(self) -> str:
        where = self.role or self.sheet.__name__
        return f"{where}.{self.name}" + (f"={self.word}" if self.word != "" else "")


def hints_of(sheet: type) -> Mapping[str, object]:
    """The annotations of a sheet."""
    if sheet not in _HINTS:
        _HINTS[sheet] = typing.get_type_hints(sheet, include_extras=True)
    return _HINTS[sheet]


_HINTS: dict[type, Mapping[str, object]] = {}


def parts_of(hint: object) -> Iterator[object]:
    """An annotation and everything inside it."""
    yield hint
    if typing.get_origin(hint) is Annotated:
        yield from parts_of(typing.get_args(hint)[0])
    elif typing.get_origin(hint) is not Literal:
        for part in typing.get_args(hint):
            yield from parts_of(part)


@cache
def words_of(hint: object) -> tuple[object, ...]:
    """The words that an annotation allows."""
    found = [part for part in parts_of(hint) if typing.get_origin(part) is Literal]
    return tuple(word for part in found for word in typing.get_args(part))


@cache
def sheets_of(setup: type) -> tuple[type, ...]:
    """A sheet and all sheets in it, however deep."""
    found: list[type] = []
    waiting = [setup]
    while waiting:
        sheet = waiting.pop(0)
        if sheet not in found:
            found.append(sheet)
            for hint in hints_of(sheet).values():
                waiting += [p for p in parts_of(hint) if isinstance(p, type) and is_dataclass(p)]
    return tuple(found)


def keys_of(setup: type) -> tuple[Key, ...]:
    """Every key of a setup: each field of each sheet, or the words that one may have."""
    return tuple(
        Key(sheet, name, word)
        for sheet in sheets_of(setup)
        for name, hint in hints_of(sheet).items()
        for word in words_of(hint) or ("",)
    )


ROLES = ("attacker", "defender")
IN_FIGHTS: Mapping[str, tuple[str, ...]] = {
    "situation": ("one_situation", "other_situation"),
    "fighter": ("one", "other"),
}
"""The position of a role of `fight_keys_of` in the `Sides` of a fight."""


def role_keys_of(setup: type) -> tuple[Key, ...]:
    """Words of those fields of a fighter that list some, such as conditions, for both roles."""
    sheet = hints_of(setup).get("attacker")
    if not isinstance(sheet, type):
        return ()
    return tuple(
        Key(sheet, name, word, role)
        for role in ROLES
        for name, hint in hints_of(sheet).items()
        if typing.get_origin(hint) is tuple
        for word in words_of(hint)
    )


def fight_keys_of(system: System[Facts]) -> tuple[Key, ...]:
    """Keys that a fight reads: those of a situation, and those of a fighter."""
    if system.fight is None:
        return ()
    sheet = hints_of(system.setup)["attacker"]
    assert isinstance(sheet, type)
    return (
        *(Key(system.setup, name, "", "situation") for name in situation_keys(system)),
        *(Key(sheet, name, "", "fighter") for name in hints_of(sheet)),
    )


Path = tuple[str | int, ...]


def is_of(key: Key, path: Path) -> bool:
    """Whether a sheet at a path is one of those whose field is meant."""
    if key.role in ROLES:
        return path == (key.role,)
    if key.role in IN_FIGHTS:
        return path[0] in IN_FIGHTS[key.role] and len(path) <= 2 and path[-1] not in ROLES
    return True


def at_path(tree: Any, path: Path) -> Any:
    """The value at a path of a tree."""
    for part in path:
        tree = tree[part] if isinstance(part, int) else getattr(tree, part)
    return tree


def changed(tree: Any, path: Path, value: object) -> Any:
    """A tree of sheets with another value at a path.

    Raises:
        SetupError: a sheet refuses it.
    """
    if not path:
        return value
    first, rest = path[0], path[1:]
    if isinstance(first, int):
        new = changed(tree[first], rest, value)
        return (*tree[:first], new, *tree[first + 1 :])
    return replace(tree, **{first: changed(getattr(tree, first), rest, value)})


def all_changed(tree: Any, changes: Mapping[Path, Mapping[str, object]]) -> Any:
    """A tree of sheets with other values at many places; each sheet on the way is made once.

    Args:
        tree: the sheets.
        changes: for the path of a sheet its new values; none inside a value that is new itself.

    Raises:
        SetupError: a sheet refuses it.
    """
    return _all_changed(tree, (), changes, {path[:n] for path in changes for n in range(len(path))})


def _all_changed(
    tree: Any, path: Path, changes: Mapping[Path, Mapping[str, object]], above: Collection[Path]
) -> Any:
    """As `all_changed`, from a path on; `above`: paths of whatever holds changed sheets."""
    if isinstance(tree, tuple):
        inside = ((*path, place) for place in range(len(tree)))
        return tuple(
            _all_changed(part, at, changes, above) if at in above or at in changes else part
            for at, part in zip(inside, tree, strict=True)
        )
    new = dict(changes.get(path, {}))
    if path in above:
        kind: Any = type(tree)
        for name in _names_of(kind):
            at = (*path, name)
            if at in above or at in changes:
                new[name] = _all_changed(getattr(tree, name), at, changes, above)
    return replace(tree, **new)


def sheets_in(tree: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every sheet of a tree and the path to it."""
    if isinstance(tree, tuple):
        for place, part in enumerate(tree):
            if type(part) not in _PLAIN:
                yield from sheets_in(part, (*path, place))
    elif is_dataclass(tree):
        yield path, tree
        kind: Any = type(tree)
        for name in _names_of(kind):
            part = getattr(tree, name)
            if type(part) not in _PLAIN:
                yield from sheets_in(part, (*path, name))


_PLAIN = frozenset({bool, float, int, str, type(None)})


@cache
def _names_of(kind: Any) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind))


def least(kind: type) -> Any:
    """A sheet with the least that it needs.

    Raises:
        SetupError: it needs more.
    """
    needed: dict[str, object] = {}
    for one in fields(kind):
        if one.default is MISSING and one.default_factory is MISSING:
            hint = hints_of(kind)[one.name]
            parts = list(parts_of(hint))
            words = words_of(hint)
            sheets = [part for part in parts if isinstance(part, type) and is_dataclass(part)]
            if tuple in map(typing.get_origin, parts):
                needed[one.name] = ()
            elif sheets:
                needed[one.name] = least(sheets[0])
            else:
                needed[one.name] = words[0] if words else "x" if str in parts else 1
    return kind(**needed)
