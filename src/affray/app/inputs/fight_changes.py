"""Changes of a fight: what holds instead of what its table says, put into the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from affray.app.inputs.checking import Gathered
from affray.app.inputs.common_keys import CHANGES
from affray.app.inputs.fight_scene import turned_for_both
from affray.app.inputs.fight_sheets import FIRST, POLICIES, SIDES, situation_keys
from affray.app.inputs.intake import Place, Raw, Written, pointer
from affray.app.inputs.tables import table_at
from affray.app.sources import Table
from affray.core.lazy import NamedTuple
from affray.core.names import unknown
from affray.core.node import Facts
from affray.core.system import System
from affray.engine.fight.targeting import TARGETINGS

__all__ = [
    "FIGHT_AS_WRITTEN", "FightChanges", "changed", "check_changes", "in_battles", "in_duels",
    "written_elsewhere",
]  # fmt: skip


class FightChanges(NamedTuple):
    """Changes that take the place of what a fight says; empty: as it is written.

    Attributes:
        first, rounds, objective, threshold: instead of the fight's.
        policies, targets: of the first side and of the other one.
        settle: more habits, of both sides. rulings: more readings; unsaid: those that hold where
            nobody names one.
        situation: more keys of the situation, of both sides.
        roster: own roster entries, instead of those that the fight names.
    """

    first: str = ""
    rounds: int | None = None
    policies: tuple[str, str] = ("", "")
    targets: tuple[str, str] = ("", "")
    settle: Mapping[str, tuple[str, ...]] = {}
    rulings: Mapping[str, str] = {}
    unsaid: Mapping[str, str] = {}
    situation: Mapping[str, object] = {}
    objective: str = ""
    threshold: int | None = None
    roster: tuple[Table, ...] = ()


FIGHT_AS_WRITTEN = FightChanges()


def in_duels(system: System[Facts], changes: FightChanges) -> FightChanges:
    """The same changes, with the readings that duels take where nobody names one."""
    return changes if system.fight is None else changes._replace(unsaid=dict(system.fight.in_duels))


def in_battles(system: System[Facts], changes: FightChanges) -> FightChanges:
    """The same changes, with the readings that battles take where nobody names one."""
    if system.fight is None:
        return changes
    return changes._replace(unsaid=dict(system.fight.in_battles))


def changed(system: System[Facts], raw: Raw, changes: FightChanges) -> Raw:
    """The table with what holds instead put in; what doesn't fit is left as it is.

    Names that `check_changes` refuses are left out.
    """
    changes = _known(system, changes)
    whole = {key: value for key, value in raw.items() if key != "situation"}
    common = raw.get("situation")
    for number, key in enumerate(SIDES):
        given = raw.get(key)
        if not isinstance(given, dict):
            continue
        side = dict(given)
        policy, targets = changes.policies[number], changes.targets[number]
        side |= {"policy": policy} if policy else {}
        side |= {"targets": targets} if targets else {}
        for name, less, more in (
            ("choose", {}, changes.settle),
            ("situation", common if isinstance(common, dict) else {}, changes.situation),
        ):
            own = side.get(name, {})
            if (less or more) and isinstance(own, dict):
                side[name] = {**less, **own, **more}
        whole[key] = side
    said = raw.get("rulings", {})
    if (changes.rulings or changes.unsaid) and isinstance(said, dict):
        said = {**said, **changes.rulings}
        whole["rulings"] = {**system.unnamed(changes.unsaid, said), **said}
    single = {
        "first": changes.first or None, "rounds": changes.rounds, "threshold": changes.threshold,
        "objective": changes.objective or None,
    }  # fmt: skip
    more = {key: value for key, value in single.items() if value is not None}
    return turned_for_both(system, {**whole, **more})


def _known(system: System[Facts], changes: FightChanges) -> FightChanges:
    """The changes without the names that nobody knows."""
    keys = situation_keys(system)
    one, other = (name if name in POLICIES else "" for name in changes.policies)
    mine, theirs = (name if name in TARGETINGS else "" for name in changes.targets)
    return changes._replace(
        first=changes.first if changes.first in FIRST else "",
        policies=(one, other),
        targets=(mine, theirs),
        situation={key: value for key, value in changes.situation.items() if key in keys},
    )


def check_changes(system: System[Facts], raw: Raw, changes: FightChanges, at: Written) -> None:
    """Check what no sheet does: names in the changes, and the situation of both sides.

    Raises:
        UnknownNameError: a name that nobody knows.
        InputError: the situation is no table; several things are wrong.
    """
    keys, wrong = situation_keys(system), Gathered()
    named = [
        *((("situation", key), f"key in the situation of {system.id}", key, keys)
          for key in changes.situation),
        (("first",), "way to go first", changes.first, tuple(FIRST)),
        *((("policies", n), "policy", name, tuple(POLICIES))
          for n, name in enumerate(changes.policies)),
        *((("targets", n), "targeting", name, tuple(TARGETINGS))
          for n, name in enumerate(changes.targets)),
    ]  # fmt: skip
    for place, what, name, known in named:
        with wrong.kept(pointer(place), CHANGES):
            if name and name not in known:
                raise unknown(what, name, known)
    with wrong.kept():
        table_at(raw, "situation", at)
    wrong.tell()


def written_elsewhere(
    raw: Raw, changes: FightChanges, origin: str
) -> Iterator[tuple[Place, Written]]:
    """Places of the changed table whose values were written elsewhere, and where.

    Args:
        raw: the table before the changes.
        changes: what holds instead.
        origin: where the table came from.
    """
    common = raw.get("situation")
    for number, key in enumerate(SIDES):
        side = raw.get(key)
        own = side.get("situation") if isinstance(side, dict) else None
        for name in common if isinstance(common, dict) else ():
            if not (isinstance(own, dict) and name in own):
                yield (key, "situation", name), Written(origin, ("situation", name))
        for name in changes.situation:
            yield (key, "situation", name), Written(CHANGES, ("situation", name))
        for name in changes.settle:
            yield (key, "choose", name), Written(CHANGES, ("settle", name))
        if changes.policies[number]:
            yield (key, "policy"), Written(CHANGES, ("policies", number))
        if changes.targets[number]:
            yield (key, "targets"), Written(CHANGES, ("targets", number))
    for name in changes.rulings:
        yield ("rulings", name), Written(CHANGES, ("rulings", name))
    for name in ("first", "rounds", "threshold", "objective"):
        if getattr(changes, name) not in {"", None}:
            yield (name,), Written(CHANGES, (name,))
