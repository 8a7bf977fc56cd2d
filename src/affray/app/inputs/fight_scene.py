"""The situation of a fight: what its file says of each side, what is asked, what is assumed."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, cast

from affray.app.inputs.checking import Gathered, fault_at
from affray.app.inputs.fight_sheets import SIDES, SideSheet, situation_keys
from affray.app.inputs.intake import InputError, Raw, Written
from affray.core.errors import SetupError
from affray.core.node import Facts
from affray.core.sheet import replace
from affray.core.system import System
from affray.engine.fight.contest import Side
from affray.engine.fight.matchup import fight_of

__all__ = [
    "assumptions",
    "keys_asked",
    "keys_known",
    "situation_of",
    "turned_for_both",
    "unsaid_of",
]


def turned_for_both(system: System[Facts], whole: Raw) -> Raw:
    """The table where both sides say which role has something, if one of them did."""
    turned = dict(system.fight.turned) if system.fight else {}
    sides = [dict(side) for side in map(whole.get, SIDES) if isinstance(side, dict)]
    said = [side.get("situation", {}) for side in sides]
    if not turned or len(said) < 2 or not all(isinstance(one, dict) for one in said):
        return whole
    for key, values in turned.items():
        for own, theirs, side in ((said[0], said[1], sides[1]), (said[1], said[0], sides[0])):
            if key not in theirs and own.get(key) in dict(values):
                side["situation"] = {**theirs, key: dict(values)[own[key]]}
    return {**whole, **dict(zip(SIDES, sides, strict=True))}


def keys_asked(system: System[Facts], said: Sequence[str], at: Written) -> tuple[str, ...]:
    """The keys of the situation that a fight wants to be asked when people play it.

    Args:
        system: whose fight it is.
        said: the keys.
        at: where they stand.

    Raises:
        InputError: a key that the system doesn't ask for.
    """
    known, wrong = keys_known(system), Gathered()
    for number, key in enumerate(said):
        with wrong.kept():
            if key not in known:
                allowed = ", ".join(known) or f"none, {system.id} asks nothing"
                raise fault_at(at.below(number), key, allowed, code="unknown-name")
    wrong.tell()
    return tuple(said)


def keys_known(system: System[Facts]) -> tuple[str, ...]:
    """All keys of the situation that a system asks for."""
    return tuple(matter.key for matter in fight_of(system).matters)


def unsaid_of(
    system: System[Facts], table: Raw, asks: tuple[str, ...]
) -> frozenset[tuple[int, str]]:
    """What is asked of these keys: what the situations of the sides leave open.

    What holds between two, or for the whole fight, is said when one side says it.
    """
    said = []
    for key in SIDES:
        side = table.get(key)
        situation = side.get("situation", {}) if isinstance(side, dict) else {}
        said.append(set(situation) if isinstance(situation, dict) else set())
    found = set()
    for matter in fight_of(system).matters:
        for side in (0, 1):
            both = matter.for_all or matter.holds == "pair"
            told = said[0] | said[1] if both else said[side]
            if matter.key in asks and not told & {matter.key, matter.mirror}:
                found.add((side, matter.key))
    return frozenset(found)


def situation_of(
    system: System[Facts], side: SideSheet, foes: Side, where: str
) -> tuple[Hashable, dict[str, object]]:
    """A setup of the system with this side's situation, made with any fighter that can act.

    What a fighter needs and nobody gave is what the system assumes in fights; it comes back too.
    """
    values = {key: getattr(side.situation, key) for key in situation_keys(system)}
    refused: SetupError | None = None
    found: Hashable = None
    assumed: dict[str, object] = {}
    for fighter in dict.fromkeys(side.fighters):
        try:
            made = system.setup(attacker=fighter, defender=foes.fighters[0], **values)
        except SetupError as error:
            refused = refused or error
        else:
            found = cast("Hashable", made) if found is None else found
            assumed.update(fight_of(system).assumes(made))
    if found is None:
        assert refused is not None  # a side has a fighter, so one of them was
        raise InputError(f"{where}: {refused}", faults=refused.faults)
    if assumed:
        found = replace(cast("Any", found), **assumed)
    return found, assumed


def assumptions(assumed: Mapping[str, object]) -> str:
    """Values that are assumed, for people."""
    return ", ".join(f"{key} = {value}" for key, value in assumed.items())
