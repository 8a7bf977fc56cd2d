"""The next setup: sheets with everything that lasts, units where they stand on the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from affray.core.errors import SetupError
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.emlia.actions import attack_of
from affray.systems.emlia.aftermath import sheet_keys
from affray.systems.emlia.sheet import Contact, OwnAction, Setup, Troop, Unit
from affray.systems.emlia.state import Exchange
from affray.systems.emlia.strength import is_here
from affray.systems.emlia.table.placing import Placement, Table

__all__ = ["BEYOND", "RESETS", "after", "remaining"]

RESETS = {
    "sides": "the Resolution Phase of its round has taken what they cost",
    "fronts": "the Resolution Phase of its round has taken what they cost",
    "hits": "it is what the others see before the round is over",
    "points": "a fight keeps no more of it than weakens",
    "fresh": "a fight keeps no more of it than weakens",
    "rolled": "a fight keeps those rows alone whose effects last",
    "aligned": "nobody aligns in a fight",
    "formation": "off a table nobody changes it in a fight",
}
"""Fields of a fight's condition that the next setup does not carry, each with the reason."""
BEYOND = {
    **dict.fromkeys(
        ("charged", "double_paced", "aligned", "exposed", "pinned", "morale", "formation"),
        "nobody moves in a fight",
    ),
    **dict.fromkeys(
        ("members", "lost", "marked", "damage", "wear", "markers", "unfelt", "suffered", "joined"),
        "nobody strikes freely at a unit that moves",
    ),
}
"""Keys of a sheet that change, and of which fights know nothing, each with the reason."""


@cites("EM-44", "EM-60")
def after(setup: Setup, trail: Sequence[Exchange], rulings: Rulings) -> Setup:
    """The setup after an activation: the same unit faces the same target.

    Casualties that are marked stay on the sheets until a Resolution Phase. The move and an action
    other than an attack are over.

    Raises:
        SetupError: nobody of the unit or of its target is left.
    """
    x, place = trail[-1], 0
    units: list[Unit | None] = []
    for unit in (setup.attacker, setup.defender, *[other.who for other in setup.others]):
        units.append(_unit_after(x, unit, place))
        place += 1 + len(unit.joined)
    attacker, defender, *others = units
    if attacker is None or defender is None:
        gone = x.terms.troops[0 if attacker is None else x.terms.target].name
        raise SetupError(f"nobody of {gone!r} is left; nothing follows this activation (EM-44)")
    before = (setup.attacker, setup.defender, *[other.who for other in setup.others])
    pairs = zip(before, units, strict=True)
    called = {old.name: new.name for old, new in pairs if new is not None and old.name}
    stands = zip(x.terms.troops, x.statuses, strict=True)
    there = {party.name for party, status in stands if is_here(status)}
    action = OwnAction(setup.action)
    attacks = attack_of(setup.attacker, action) is not None and setup.action != "charge"
    return _situated(x, replace(
        setup,
        attacker=attacker,
        defender=defender,
        others=tuple(
            replace(other, who=who)
            for other, who in zip(setup.others, others, strict=True)
            if who is not None
        ),
        action=setup.action if attacks else "open",
        focus=setup.focus if setup.focus in {"open", "none", *there} else "open",
        move="open" if setup.move == "open" else "none",
        leaves=False,
        path=(),
    ), called)  # fmt: skip


def _unit_after(x: Exchange, unit: Unit, first: int) -> Unit | None:
    """A unit and those who joined it; None: nobody is left."""
    troops = [_troop_after(x, troop, first + n) for n, troop in enumerate((unit, *unit.joined))]
    if troops[0] is None and x.statuses[first].broken:
        return None
    return remaining(unit, troops)


def remaining(unit: Unit, troops: Sequence[Troop | None]) -> Unit | None:
    """A unit of which these troops are left; None: nobody is. The first who is left leads.

    Args:
        unit: the unit as it was.
        troops: it and those who joined it as they are now; None: gone.
    """
    leader, *joined = troops
    left = tuple(troop for troop in joined if troop is not None)
    if isinstance(leader, Unit):
        return replace(leader, joined=left) if left != unit.joined else leader
    if not left:
        return None
    sheet: dict[str, Any] = {field.name: getattr(left[0], field.name) for field in fields(Troop)}
    return Unit(**sheet, joined=left[1:])


def _troop_after(x: Exchange, troop: Troop, place: int) -> Troop | None:
    """A troop as it is now; None: it is gone. One that its table has destroyed says so itself."""
    status = x.statuses[place]
    if not status.members or status.broken:
        return None
    keys: dict[str, Any] = sheet_keys(x, place)
    return replace(troop, **keys) if keys else troop


@cites("EM-10", "EM-35")
def _situated(x: Exchange, setup: Setup, called: Mapping[str, str]) -> Setup:
    """The setup with units where they have come to, in contact or apart.

    Args:
        x: the end of the activation.
        setup: the next one, but for that.
        called: new names of units by old ones; another one leads where the first has fallen.
    """
    now = x.terms.setup
    if setup.table is not None and now.table is not None:
        said = {place.unit: place.members for place in setup.table.placements}
        places = [
            (replace(place, unit=called.get(place.unit, place.unit)), said[place.unit])
            for place in now.table.placements
        ]
        return replace(setup, table=_table_after(setup, now.table, places))
    if x.reached:
        return replace(setup, engaged=True, distance=0, contact=now.contact)
    if x.left and (now.leaves or x.decided.action == "disengage"):
        others = tuple([replace(o, engages=False, contact=Contact()) for o in setup.others])
        return replace(setup, engaged=False, distance=x.moved, contact=Contact(), others=others)
    if x.decided.action == "charge":
        return replace(setup, distance=setup.distance - x.moved)
    return setup


@cites("EM-21", "EM-22")
def _table_after(setup: Setup, now: Table, places: Sequence[tuple[Placement, int]]) -> Table:
    """The table with the units that are left, as strong as their sheets say.

    Args:
        setup: the next one.
        now: the table at the end.
        places: the units on it by their names of today, with the members that were said.
    """
    sheets = [("attacker", setup.attacker), ("defender", setup.defender)]
    sheets += [(f"other-{n}", other.who) for n, other in enumerate(setup.others, start=1)]
    members = {unit.name or part: unit.members for part, unit in sheets}
    placements = [
        _standing(place, members[place.unit], said)
        for place, said in places
        if place.unit in members
    ]
    return replace(now, placements=tuple(placements), path=())


def _standing(place: Placement, members: int, said: int) -> Placement:
    """A unit with so many members left; those farthest round an enemy close up first."""
    around = place.around[: max(0, members - place.front)]
    return replace(place, around=around, members=members if said > 1 else 1)
