"""A unit's condition for the people at the table, and what a game master may set."""

from __future__ import annotations

from collections.abc import Callable

from affray.core.fight import Gauge, Threshold, Told, gauged
from affray.core.mending import Mend, mending
from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.core.telling import counted
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.sheet import Troop, Unit
from affray.systems.emlia.standing import Condition, Ranks, stands, troops_of
from affray.systems.emlia.state import Status
from affray.systems.emlia.strength import is_here

__all__ = ["mended", "told"]

GONE = (Threshold(0, "nobody is left"),)
MOST = 10_000
"""Points, hits or members of a kind that a game master sets at most."""


@cites("EM-41", "EM-42", "EM-43", "EM-44", "EM-62")
def told(unit: Unit, condition: Condition) -> tuple[Told, ...]:
    """Members and casualties of the unit and of those who joined it, and what each carries."""
    lines: list[Told] = []
    statuses = stands(unit, condition)
    for place, (troop, status) in enumerate(zip(troops_of(unit), statuses, strict=True)):
        found = _of(troop, status, condition.rulings)
        if not place:
            lines += found
        else:  # a game master sets what is the unit's own
            name = troop.name or f"character {place}"
            lines += [line._replace(label=f"{name}: {line.label}", key="") for line in found]
    return tuple(lines)


def _of(troop: Troop, status: Status, rulings: Rulings) -> list[Told]:
    if not is_here(status):
        why = "broken (EM-62)" if status.broken else "nobody is left (EM-44)"
        none = Gauge(0, troop.members, GONE)
        return [gauged("members", none, why, "members")._replace(bar=none.left)]
    members = Gauge(status.members, troop.members, GONE)
    lines = [gauged("members", members, "", "members")._replace(bar=members.left)]
    marked = "they count until the Resolution Phase, and then leave (EM-44)"
    limit = f"at {troop.damage_limit} a member falls (EM-42)"
    wear = f"at {troop.threshold} a roll on its table (EM-43)"
    points = {
        "marked": ("casualties", status.marked, marked),
        "markers": ("markers", status.markers, "hits left over, for the next point (EM-41)"),
        "damage": ("damage", status.damage, limit),
        "wear": ("wear", status.wear, wear),
    }
    singles = {"casualties": "casualty", "markers": "marker"}
    short = {label: f"{label} {value}" for label, value, _ in points.values()} | {
        label: counted(value, singles[label], label)
        for label, value, _ in points.values() if label in singles
    }  # fmt: skip
    limits = {
        "damage": _limited(status.damage, troop.damage_limit, "a member falls"),
        "wear": _limited(status.wear, troop.threshold, "a roll on its table"),
    }
    lines += [
        Told(label, value, does, key, short=short[label], gauge=limits.get(key))
        for key, (label, value, does) in points.items() if value
    ]  # fmt: skip
    if troop.morale is not None and rulings[rule.MORALE] == "on":
        morale = Gauge(troop.morale + status.morale, troop.morale, (Threshold(0, "it breaks"),))
        short_morale = f"morale {morale.now}/{morale.most}"
        line = gauged("morale", morale, "at 0 it breaks (EM-62)", "morale")
        lines.append(line._replace(short=short_morale))
    if status.weaker:
        lines.append(Told("skills", f"{status.weaker} levels lower", "by its table (EM-43)",
                          short=f"skills -{status.weaker}"))  # fmt: skip
    lines += [Told("table", row, "its effect lasts (EM-43)", short=row) for row in status.rolled]
    if status.exposed:
        lines.append(
            Told("exposed", f"+{status.exposed}", "to hit it in close combat, after a fumble",
                 short=f"exposed +{status.exposed}")
        )  # fmt: skip
    if status.unaware:
        lines.append(Told("unaware", True, "of the enemy, until it acts", short="unaware"))
    return lines


def _limited(number: int, limit: int | None, what: str) -> Gauge:
    """Points that rise until something happens, and then are taken off."""
    found = () if limit is None else (Threshold(limit, what),)
    return Gauge(number, limit, found, rises=True)


# -- the game master's hand ------------------------------------------------------------------------


def _put(
    change: Callable[[Unit, Status, int], Status],
) -> Callable[[Unit, Condition, int | str], Condition]:
    """Set a number of the unit's own; those who joined it stay as they are."""

    def put(unit: Unit, condition: Condition, value: int | str) -> Condition:
        first, *joined = stands(unit, condition)
        after = change(unit, first, int(value))
        if isinstance(condition, Ranks):
            return condition._replace(
                members=after.members, marked=after.marked, markers=after.markers
            )
        return condition._replace(statuses=(after, *joined))

    return put


def _members(unit: Unit, status: Status, value: int) -> Status:
    lost = unit.members + unit.lost - value
    marked = min(status.marked, value)
    broken = status.broken and not value
    return status._replace(members=value, lost=lost, marked=marked, broken=broken)


def _marked(unit: Unit, status: Status, value: int) -> Status:
    return status._replace(marked=value)


def _markers(unit: Unit, status: Status, value: int) -> Status:
    return status._replace(markers=value)


def _damage(unit: Unit, status: Status, value: int) -> Status:
    return status._replace(damage=value)


def _wear(unit: Unit, status: Status, value: int) -> Status:
    return status._replace(wear=value)


def _morale(unit: Unit, status: Status, value: int) -> Status:
    return status._replace(morale=value - (unit.morale or 0))


def _below(limit: int | None, condition: Condition) -> range:
    """Points below a limit; none where there is no limit or nothing but numbers is kept."""
    return range(0 if isinstance(condition, Ranks) else limit or 0)


def _of_morale(unit: Unit, condition: Condition) -> range:
    kept = unit.morale is not None and condition.rulings[rule.MORALE] == "on"
    return range(1, max(1, unit.morale or 0) + 1) if kept else range(0)


mended = mending(
    Mend[Unit, Condition]("members", lambda unit, _: range(unit.members + 1), _put(_members)),
    Mend[Unit, Condition](
        "marked", lambda unit, now: range(stands(unit, now)[0].members + 1), _put(_marked)
    ),
    Mend[Unit, Condition]("markers", lambda unit, _: range(unit.hits + unit.armor), _put(_markers)),
    Mend[Unit, Condition](
        "damage", lambda unit, now: _below(unit.damage_limit, now), _put(_damage)
    ),
    Mend[Unit, Condition]("wear", lambda unit, now: _below(unit.threshold, now), _put(_wear)),
    Mend[Unit, Condition]("morale", _of_morale, _put(_morale)),
)
