"""The end of an activation, the Resolution Phase, and what is left for the next activation."""

from __future__ import annotations

from affray.core.node import End, Go, Node
from affray.core.ruling import Rulings
from affray.core.step import cites, step
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.engagement import formation_of, morale_of
from affray.systems.emlia.sheet import Troop
from affray.systems.emlia.state import Exchange, Status, weakens_by_points
from affray.systems.emlia.strength import is_here, press_of

__all__ = [
    "AS_THEY_ARE",
    "STEPS",
    "end_activation",
    "morale_left",
    "next_sheets",
    "resolve_turn",
    "resolved",
    "sheet_keys",
    "suffered_by",
]


@step("EM-20", "EM-36", "EM-60")
def end_activation(x: Exchange) -> Node[Exchange]:
    """The activation ends, and with it penalties of aligning or fumbling before it."""
    acting = 1 + len(x.terms.setup.attacker.joined)
    own = zip(x.terms.troops[:acting], x.statuses[:acting], strict=True) if x.statuses else ()
    rested = [_over(party.troop, status, x.rulings) for party, status in own]
    statuses = (*rested, *x.statuses[acting:])
    after = x._replace(statuses=statuses, turn=0, rolled=None, pile=None, row=None)
    if x.terms.setup.resolution:
        return Go(resolve_turn, after)
    return End(after)


def _over(troop: Troop, status: Status, rulings: Rulings) -> Status:
    """A troop after its activation: what holds until then is over."""
    before = troop.exposed if rulings[rule.EXPOSED] == "activation" else 0
    if not status.aligned and not before:
        return status
    return status._replace(aligned=False, exposed=status.exposed - before)


@cites("EM-62")
def morale_left(troop: Troop, status: Status) -> int | None:
    """Morale now; None: the troop has none."""
    return None if troop.morale is None else troop.morale + status.morale


@cites("EM-24", "EM-44", "EM-45", "EM-61", "EM-62")
def resolved(troop: Troop, status: Status, rulings: Rulings, morale: int = 0) -> Status:
    """A troop after the Resolution Phase.

    Casualties leave; points of damage are felt from now on; what held for the turn ends. A troop
    without morale leaves where a ruling says so; `morale` is what its position does to it in this
    round (EM-24).
    """
    members = 0 if status.destroyed else status.members - status.marked
    gone = members <= 0
    after = status._replace(
        members=max(0, members),
        marked=0,
        lost=status.lost + status.members - max(0, members),
        points=status.points + status.fresh,
        fresh=0,
        markers=0 if gone or rulings[rule.MARKERS] == "resolution" else status.markers,
        morale=status.morale + morale,
        exposed=status.exposed if rulings[rule.EXPOSED] == "activation" else 0,
        pinned=0,
        charged=False,
        double_paced=False,
    )
    left = morale_left(troop, after)
    if rulings[rule.MORALE] == "on" and left is not None and left <= 0:
        return after._replace(broken=True)
    return after


@step("EM-24", "EM-26", "EM-44", "EM-45", "EM-61", "EM-62")
def resolve_turn(x: Exchange) -> Node[Exchange]:
    """The Resolution Phase: casualties leave, skills shrink, morale falls, ranks press forward."""
    statuses = tuple(
        resolved(party.troop, status, x.rulings, morale_of(x.terms, x.decided, place))
        for place, (party, status) in enumerate(zip(x.terms.troops, x.statuses, strict=True))
    )
    pressed = press_of(x.terms, statuses, x.decided)
    return End(x._replace(statuses=statuses, pressed=pressed))


@resolve_turn.briefly
@resolve_turn.says
def _(before: Exchange, after: Exchange) -> str:
    told = []
    for party, old, new in zip(before.terms.troops, before.statuses, after.statuses, strict=True):
        if old.members != new.members:
            told.append(f"{party.name}: {old.members} -> {new.members} members.")
        if old.morale != new.morale:
            told.append(f"{party.name}: morale {new.morale - old.morale:+d}.")
        if new.broken and not old.broken:
            told.append(f"{party.name} is broken.")
    if after.pressed:
        told.append(f"{after.pressed} more members press forward into contact (EM-26).")
    return " ".join(told)


AS_THEY_ARE = ("members", "lost", "marked", "damage", "wear", "markers", "bonus", "next_bonus",
               "weaker", "exposed", "pinned", "charged", "aligned", "unaware",
               "double_paced")  # fmt: skip
"""Keys of a sheet that a stand has under the same name."""


@cites("EM-36", "EM-41", "EM-43", "EM-44", "EM-45")
def sheet_keys(x: Exchange, place: int) -> dict[str, object]:
    """Keys of a troop's sheet that are different now, with their values.

    A sheet with them is the troop as it is now; nothing else of the activation lasts.
    """
    troop, status = x.terms.troops[place].troop, x.statuses[place]
    now: dict[str, object] = {key: getattr(status, key) for key in AS_THEY_ARE}
    now["came_up"] = status.rolled
    now["unfelt"] = status.fresh
    now["suffered"] = suffered_by(troop, status, x.rulings)
    now["morale"] = None if troop.morale is None else troop.morale + status.morale
    now["formation"] = formation_of(x.terms, x.decided, place)
    before = {key: getattr(troop, key) for key in now}
    before["came_up"] = tuple(sorted(troop.came_up))
    return {key: value for key, value in now.items() if value != before[key]}


def suffered_by(troop: Troop, status: Status, rulings: Rulings) -> int | None:
    """All points of a single character without a limit, where its wear doesn't say them."""
    points = status.points + status.fresh
    other_tracks = troop.damage_limit is not None or troop.threshold is None
    if other_tracks or not weakens_by_points(troop, rulings):
        return troop.suffered
    said = status.wear if troop.suffered is None else troop.suffered
    return troop.suffered if points == said else points


def next_sheets(x: Exchange) -> str:
    """Write the keys of every sheet that change, as a setup file has them; "none" if none does."""
    told = []
    for place, party in enumerate(x.terms.troops):
        if not is_here(x.statuses[place]):
            told.append(f"{party.name}: gone")
            continue
        keys = sheet_keys(x, place)
        if keys:
            rows = ", ".join(f"{key} = {_written(value)}" for key, value in keys.items())
            told.append(f"{party.name}: {rows}")
    return "; ".join(told) or "none"


def _written(value: object) -> str:
    """A value as a setup file has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(_written, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


STEPS = (end_activation, resolve_turn)
"""The steps of this chapter in the order of the book."""
