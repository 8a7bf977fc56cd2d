"""Every number of a sheet has a greatest value, at which odds and advice are still quick."""

from __future__ import annotations

import copy
import dataclasses
import resource
import tomllib
import typing
from collections.abc import Iterator
from contextlib import suppress
from time import process_time

import pytest

from affray.app.best import ask_best
from affray.app.duel import ask_duel
from affray.app.odds import ask_odds
from affray.app.registry import system_ids, system_named
from affray.app.sources import Table
from affray.core.errors import AffrayError
from affray.engine.budget import Budget

SECONDS, BYTES = 10, 500_000_000
"""What a command may take that says nothing."""
ON_TABLES = {"around", "corners", "outline", "path", "place_m", "points", "stands_m"}
"""Places on a table or a map; their checks bound them."""
IN_WORDS = {"base", "depth", "diminish", "dots", "elevation", "facing", "radius", "x", "y"}
"""Numbers that may also be words or fractions, or lie between bounds that are checked."""
Path = tuple[str | int, ...]


def numbers_of(
    kind: type, path: Path = (), inside: tuple[type, ...] = ()
) -> Iterator[tuple[Path, float | None]]:
    """Every number of a sheet: where it is, and the greatest that it may be."""
    for name, hint in typing.get_type_hints(kind, include_extras=True).items():
        yield from _numbers(hint, (*path, name), (*inside, kind), None)


def _numbers(
    hint: object, path: Path, inside: tuple[type, ...], most: float | None
) -> Iterator[tuple[Path, float | None]]:
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        most = next((note.le for note in parts[1:] if hasattr(note, "le")), most)
        yield from _numbers(parts[0], path, inside, most)
    elif hint is int:
        yield path, most
    elif origin is None and isinstance(hint, type) and dataclasses.is_dataclass(hint):
        if hint not in inside:
            yield from numbers_of(hint, path, inside)
    else:
        for part in parts:
            yield from _numbers(part, (*path, 0) if origin is tuple else path, inside, most)


def put(setup: object, path: Path, number: int) -> bool:
    """Put a number into a setup, if what holds it is written there."""
    *before, last = path
    for key in before:
        if isinstance(key, int):
            if not isinstance(setup, list) or not setup:
                return False
            setup = setup[0]
        elif isinstance(setup, dict) and key in setup:
            setup = setup[key]
        else:
            return False
    if not isinstance(setup, dict) or isinstance(last, int):
        return False
    setup[last] = number
    return True


def greatest(name: str) -> Iterator[tuple[Path, dict[str, object]]]:
    """Each number of a system's sheets at its greatest, in the first example that has it."""
    system = system_named(name)
    examples = tomllib.loads((system.folder / "examples.toml").read_text(encoding="utf-8"))
    known = set()
    for path, most in numbers_of(system.setup):
        if most is None or path[-2:] in known:
            continue
        for example in examples.values():
            setup = {key: copy.deepcopy(part) for key, part in example.items() if key not in SCRIPT}
            if put(setup, path, int(most)):
                known.add(path[-2:])
                yield path, setup
                break


SCRIPT = {"expect", "odds", "play", "refused", "shows", "vectors", "only"}


@pytest.mark.parametrize("name", system_ids())
def test_every_number_has_a_greatest_value(name: str) -> None:
    free = {str(path[-1]) for path, most in numbers_of(system_named(name).setup) if most is None}
    assert free - {"0"} <= ON_TABLES | IN_WORDS


@pytest.mark.slow
@pytest.mark.parametrize("name", system_ids())
def test_commands_are_quick_at_the_greatest_numbers(name: str) -> None:
    before, tried, slow = _most_bytes(), 0, []
    for path, setup in greatest(name):
        for ask in (ask_odds, ask_best):
            start = process_time()
            with suppress(AffrayError):  # it says what is wrong
                ask(name, Table(setup, "greatest"), budget=Budget(seconds=60))
            tried += 1
            if process_time() - start > SECONDS:
                slow.append((path, ask.__name__))
    assert not slow
    assert tried > 20
    assert _most_bytes() - before < BYTES


@pytest.mark.slow
def test_a_duel_is_quick_at_the_greatest_level_of_a_skill() -> None:
    system = system_named("emlia")
    fights = tomllib.loads((system.folder / "fights.toml").read_text(encoding="utf-8"))
    fight = copy.deepcopy(fights["manned-tower"])
    (level,) = {
        most for path, most in numbers_of(system.setup) if path[-3:] == ("skills", 0, "level")
    }
    assert level is not None
    fight["other"]["fighters"][0]["skills"][0]["level"] = int(level)
    before, start = _most_bytes(), process_time()
    assert ask_duel("emlia", fight).won[1] > 0.5
    assert process_time() - start < SECONDS
    assert _most_bytes() - before < BYTES


def _most_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
