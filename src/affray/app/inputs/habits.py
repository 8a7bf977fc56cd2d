"""Habits of fights that nothing ever offered: refused, or told in a warning."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import CodeType, FunctionType

from affray.app.inputs.fight_setups import LoadedFight
from affray.app.inputs.fight_sheets import SIDES
from affray.core.errors import SetupError
from affray.core.names import nearest
from affray.core.node import Facts, Step
from affray.core.system import System
from affray.core.telling import fitted, note, shown

__all__ = ["check_habits"]

MOST_WORDS = 4
"""A text of more words is a sentence and names no option."""
DEPTH = 6
"""The depth to which words are looked for in tables and sheets."""


def check_habits(loaded: LoadedFight, *, all_known: bool = True) -> None:
    """Refuse or tell habits of which no exchange took any notice, once all is worked out.

    A habit of which no option was ever on offer is told in a warning, if the rules know them; so
    is a choice that never came up. An option is known that was closed, or whose words stand in the
    rules or on the sheets.

    Args:
        loaded: the fight, once it is over.
        all_known: whether everything that came up is known; else only errors are told.

    Raises:
        SetupError: an option that nobody ever offers where the choice comes up.
    """
    contest = loaded.contest
    offered = [contest.offered(side) for side in range(len(contest.sides))]
    habits: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for number, side in enumerate(contest.sides):
        for habit in side.plan.habits:
            habits.setdefault(habit, []).append(number)
    for (step, names), sides in habits.items():
        met: dict[str, bool] = {}
        for number in sides:
            for option, is_open in offered[number].get(step, {}).items():
                met[option] = is_open or met.get(option, False)
        where = " and ".join(f"{SIDES[number]}.choose" for number in sides)
        _refuse_unknown(loaded, f"{loaded.origin}: {where}: {step}", names, met)
        if all_known:
            _tell_unused(f"{loaded.origin}: {where}: {step}", names, met)


def _refuse_unknown(
    loaded: LoadedFight, where: str, names: tuple[str, ...], met: Mapping[str, bool]
) -> None:
    open_ = [option for option, is_open in met.items() if is_open]
    listed = _listed(open_)
    for name in names:
        if met and name not in met and not _is_known(loaded, name):
            raise SetupError(
                fitted(
                    f"{where}: no option is called {shown(name)}.{nearest(name, open_)} "
                    f"O{listed[1:]}"
                )
            )


def _listed(names: Sequence[str]) -> str:
    return f"on offer in this fight: {', '.join(names) or 'nothing'}"


def _tell_unused(where: str, names: tuple[str, ...], met: Mapping[str, bool]) -> None:
    wanted = " and ".join(map(shown, names))
    if not met:
        text = f"{where}: this choice never came up, so {wanted} was never taken"
    elif any(map(met.get, names)):
        return
    else:
        open_ = [option for option, is_open in met.items() if is_open]
        text = f"{where}: {wanted} was never on offer, so it was never taken; {_listed(open_)}"
    note(text)


# -- words that an option may be named by --------------------------------------------------------


def _is_known(loaded: LoadedFight, name: str) -> bool:
    """Whether every word of a name stands in the rules or on a sheet of this fight."""
    wanted = {word for word in _words(name) if not word.isdigit()}
    contest = loaded.contest
    for side in contest.sides:
        for text in _texts((side.fighters, side.situation), DEPTH):
            wanted.difference_update(_words(text))
    if wanted:
        for text in _of_rules(contest.system):
            wanted.difference_update(_words(text))
    return not wanted


def _words(text: str) -> list[str]:
    found = re.findall(r"\w+", text)
    return found if len(found) <= MOST_WORDS else []


def _of_rules(system: System[Facts]) -> Iterator[str]:
    """Texts in the code and the tables of the package in which the steps stand."""
    own = {step.rule.__module__ for step in system.steps}
    packages = tuple(f"{name.rpartition('.')[0]}." for name in own if "." in name)
    for name, module in list(sys.modules.items()):
        if name in own or name.startswith(packages):
            for thing in list(vars(module).values()):
                yield from _texts(thing, DEPTH)


def _texts(thing: object, depth: int) -> Iterator[str]:
    """All texts in something."""
    if isinstance(thing, str):
        yield thing
    elif not depth:
        return
    elif isinstance(thing, Step):
        yield from _texts(thing.rule, depth)
    elif isinstance(thing, FunctionType):
        yield from _texts(getattr(thing, "__wrapped__", thing.__code__), depth - 1)
    elif isinstance(thing, CodeType):
        yield from _texts(thing.co_consts, depth - 1)
    elif isinstance(thing, Mapping):
        yield from _texts((tuple(thing), tuple(thing.values())), depth - 1)
    elif isinstance(thing, (tuple, list, set, frozenset)):
        for part in thing:
            yield from _texts(part, depth - 1)
    elif is_dataclass(thing) and not isinstance(thing, type):
        for field in fields(thing):
            yield from _texts(getattr(thing, field.name), depth - 1)
    elif callable(wrapped := getattr(thing, "__wrapped__", None)):
        yield from _texts(wrapped, depth - 1)
