"""Two sides of a fight on one map, or at one distance: whether what they say fits together."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.step import cites
from affray.systems.empty_earth.map.zones import Map
from affray.systems.empty_earth.sheet import Fighter, Setup
from affray.systems.empty_earth.standing import called

__all__ = ["clash"]

SAME = {"distance_zones": 0, "distance_through_openings": None, "line_of_sight": "clear"}
"""Keys that say the same from either side, with what they mean where they are left out."""


@cites("EE-10", "EE-11", "EE-13", "EE-14")
def clash(
    situations: tuple[Setup, Setup], sheets: tuple[Sequence[Fighter], Sequence[Fighter]]
) -> str | None:
    """Why two sides can't stand as they say, or None: there is one map, and one distance."""
    one, other = situations
    if one.map != other.map:
        return "they fight on different maps; give one map, as `situation.map` of the fight (EE-11)"
    if one.map is not None:
        return _off_the_map(one.map, (*sheets[0], *sheets[1]))
    for sheet in (*sheets[0], *sheets[1]):
        if sheet.zone:
            return f"{called(sheet, 'fighter')}: zone {sheet.zone!r} without a map"
    for key in SAME:
        mine, theirs = getattr(one, key), getattr(other, key)
        if _meant(key, mine) != _meant(key, theirs):
            return (
                f"{key} is {_given(mine)} for one and {_given(theirs)} for the other, and it is "
                "the same from both ends; give the same, or a map with the zones of all (EE-11)"
            )
    for mine, theirs in ((one, other), (other, one)):
        own, near = mine.hostile_in_own_zone, theirs.hostile_near_defender
        if (own or 0) != (near or 0):
            return (
                f"hostile_in_own_zone is {_given(own)} where they attack, and "
                f"hostile_near_defender {_given(near)} where they are attacked; these are the "
                "same figures: give both the same, or a map with the zones of all (EE-14)"
            )
    return None


def _meant(key: str, value: object) -> object:
    return SAME[key] if value is None else value


def _given(value: object) -> str:
    return "left out" if value is None else repr(value)


def _off_the_map(chart: Map, sheets: Sequence[Fighter]) -> str | None:
    for sheet in sheets:
        if sheet.zone not in chart.names:
            given = f"zone {sheet.zone!r}" if sheet.zone else "no zone"
            return (
                f"{called(sheet, 'fighter')}: {given}; Zones of the map: {', '.join(chart.names)}"
            )
    return None
