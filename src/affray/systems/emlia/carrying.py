"""What an activation leaves behind, as keys of the sheets for the next one."""

from __future__ import annotations

from affray.core.step import cites
from affray.systems.emlia.body import Stand, weakens_by_points
from affray.systems.emlia.engagement import formation_of, is_here
from affray.systems.emlia.sheet import Troop
from affray.systems.emlia.state import Exchange

__all__ = ["next_sheets", "sheet_keys"]

AS_THEY_ARE = ("members", "lost", "marked", "damage", "wear", "markers", "bonus", "next_bonus",
               "weaker", "exposed", "pinned", "charged", "aligned", "unaware",
               "double_paced")  # fmt: skip
"""Keys of a sheet that a stand has under the same name."""


@cites("EM-36", "EM-41", "EM-43", "EM-44", "EM-45")
def sheet_keys(x: Exchange, place: int) -> dict[str, object]:
    """Keys of a troop's sheet that are different now, with their values.

    A sheet with them is the troop as it is now; nothing else of the activation lasts.
    """
    troop, stand = x.terms.troops[place].troop, x.stands[place]
    now: dict[str, object] = {key: getattr(stand, key) for key in AS_THEY_ARE}
    now["came_up"] = stand.rolled
    now["unfelt"] = stand.fresh
    now["suffered"] = _suffered(x, troop, stand)
    now["morale"] = None if troop.morale is None else troop.morale + stand.morale
    now["formation"] = formation_of(x.terms, x.plan, place)
    before = {key: getattr(troop, key) for key in now}
    before["came_up"] = tuple(sorted(troop.came_up))
    return {key: value for key, value in now.items() if value != before[key]}


def _suffered(x: Exchange, troop: Troop, stand: Stand) -> int | None:
    """All points of a single character without a limit, where its wear doesn't say them."""
    points = stand.points + stand.fresh
    other_tracks = troop.damage_limit is not None or troop.threshold is None
    if other_tracks or not weakens_by_points(troop, x.rulings):
        return troop.suffered
    said = stand.wear if troop.suffered is None else troop.suffered
    return troop.suffered if points == said else points


def next_sheets(x: Exchange) -> str:
    """What changes on the sheet of everybody, as it is written there; "none" if nothing does."""
    told = []
    for place, party in enumerate(x.terms.troops):
        if not is_here(x.stands[place]):
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
