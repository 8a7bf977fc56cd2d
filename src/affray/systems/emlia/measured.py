"""Read the situation off a table: distances, contacts, charges."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from affray.core.errors import SetupError
from affray.core.step import cites
from affray.systems.emlia.sheet import Contact, Other, Setup, Unit
from affray.systems.emlia.state import Terms
from affray.systems.emlia.table import contact, manoeuvres
from affray.systems.emlia.table.placing import Placement, Table
from affray.systems.emlia.tables import MOVES

__all__ = ["Course", "course_of", "grounded", "wraps_of"]


class Course(NamedTuple):
    """The course of a charge.

    Attributes:
        moved: how far. reaches: whether it gets to the target.
        met: who stops it before; empty: nobody.
        contact: how the two touch then; None: as the setup says.
        table: the table afterwards; None: there is none.
    """

    moved: float
    reaches: bool
    met: str = ""
    contact: Contact | None = None
    table: Table | None = None


@lru_cache(maxsize=512)
@cites("EM-10", "EM-13", "EM-22", "EM-30")
def grounded(setup: Setup) -> Setup:
    """A setup with what its table shows: distance, contacts, who engages whom.

    Raises:
        SetupError: a unit that has no place, or a place of the other side; units that overlap.
    """
    if setup.table is None:
        return setup
    table = _manned(setup, setup.table)
    contact.checked(table)
    names = _names(setup)
    mine, theirs = names[0], names[1]
    touching = theirs in contact.engaged(table, mine)
    if touching:
        table = _lined_up(table, setup, mine, theirs)
    others = tuple(
        _placed(setup, other, name, table)
        for other, name in zip(setup.others, names[2:], strict=True)
    )
    return replace(
        setup,
        attacker=_raised(setup.attacker, table.of(mine)),
        defender=_raised(setup.defender, table.of(theirs)),
        others=others,
        table=table,
        distance=contact.distance(table, mine, theirs),
        engaged=touching,
        contact=contact_on(setup, table, mine, theirs) if touching else Contact(),
    )


def _units(setup: Setup) -> list[Unit]:
    """Attacker, defender, and the others."""
    return [setup.attacker, setup.defender, *[other.who for other in setup.others]]


def _names(setup: Setup) -> list[str]:
    """Names of the units as their places on the table call them."""
    parts = ["attacker", "defender", *[f"other-{n}" for n in range(1, len(setup.others) + 1)]]
    return [unit.name or part for unit, part in zip(_units(setup), parts, strict=True)]


def _manned(setup: Setup, table: Table) -> Table:
    """The table with each unit as strong as its sheet says; every unit must have a place."""
    sides = ["attacker", "defender"]
    sides += ["attacker" if other.side == "friend" else "defender" for other in setup.others]
    units = _units(setup)
    path = setup.path or table.path
    placements = {placement.unit: placement for placement in table.placements}
    for name, side, unit in zip(_names(setup), sides, units, strict=True):
        place = table.of(name)
        if place.side != side:
            raise SetupError(
                f"unit {name!r} stands on the table as one of the {place.side}; the setup has it "
                f"with the {side}"
            )
        if place.members not in {1, unit.members}:
            raise SetupError(
                f"unit {name!r} stands on the table with {place.members} members, and its sheet "
                f"has {unit.members}; allowed: leave it out on the table (EM-22)"
            )
        placements[name] = replace(place, members=unit.members)
    stray = [name for name in placements if name not in _names(setup)]
    if stray:
        raise SetupError(
            f"unit {stray[0]!r} stands on the table, but is nobody of the setup; known: "
            f"{', '.join(_names(setup))}"
        )
    return Table(placements=tuple(placements.values()), length=table.length, path=path)


def _raised(unit: Unit, place: Placement) -> Unit:
    """A unit on the ground where it stands."""
    return replace(unit, elevation=round(place.elevation)) if place.elevation else unit


@cites("EM-22", "EM-23")
def contact_on(setup: Setup, table: Table, one: str, other: str) -> Contact:
    """The contact of two units on a table, seen from the one."""
    found = next(seen for seen in contact.hostile(table, one) if seen.other == other)
    reach = {name: unit.reach for name, unit in zip(_names(setup), _units(setup), strict=True)}
    mine, theirs = (contact.fighting(table.of(name), found, reach[name]) for name in (one, other))
    return Contact(
        side=found.side_of_other, own_side=found.side_of_one,
        members=found.members_of_one, theirs=found.members_of_other,
        fighting=mine, theirs_fighting=theirs,
        fronts=max(1, len(contact.fronts(table, other))),
        own_fronts=max(1, len(contact.fronts(table, one))),
    )  # fmt: skip


def _placed(setup: Setup, other: Other, name: str, table: Table) -> Other:
    """One more unit, with what the table shows of it."""
    mine, theirs, *_ = _names(setup)
    touched = contact.engaged(table, name)
    whom = theirs if other.side == "friend" else mine
    touch = Contact()
    if touched:
        touch = contact_on(setup, table, name, whom if whom in touched else touched[0])
    return replace(
        other,
        who=_raised(other.who, table.of(name)),
        fights=bool(touched),
        engages=mine in touched,  # enemies of a friend are never the attacker
        contact=touch,
    )


@lru_cache(maxsize=512)
@cites("EM-35")
def course_of(terms: Terms, speed: float) -> Course:
    """The course of a charge at the target: straight, at most twice the speed.

    Raises:
        SetupError: a path that bends, or leads past the target.
    """
    setup, reach = terms.setup, MOVES["charge"] * speed
    if setup.table is None:
        return Course(min(setup.distance, reach), setup.distance <= reach)
    mine, theirs = terms.troops[0].name, terms.troops[terms.target].name
    found = manoeuvres.charge(setup.table, mine, theirs, reach)
    after = setup.table.moved(found.end)
    if found.arrives:
        after = _lined_up(after, setup, mine, theirs)
    contact = contact_on(setup, after, mine, theirs) if found.arrives else None
    return Course(found.moved, found.arrives, found.met, contact, after)


@cites("EM-20")
def _lined_up(table: Table, setup: Setup, mine: str, theirs: str) -> Table:
    """The table with skirmishers aligned to the ranked unit that they touch, if there is room."""
    sides = ((mine, setup.defender.formation, theirs), (theirs, setup.attacker.formation, mine))
    for unit, formation, to in sides:
        if table.of(unit).shape == "ring" and formation == "ranked":
            try:
                return table.moved(manoeuvres.align(table, unit, to))
            except SetupError:  # no room beside others: they fight as they came
                return table
    return table


@lru_cache(maxsize=512)
@cites("EM-21")
def wraps_of(terms: Terms, speed: float) -> tuple[int, int]:
    """The gain of enveloping: members more in contact, and fronts that they open."""
    setup = terms.setup
    if setup.table is None:
        wraps = [members for members in setup.wrap if members]
        return sum(wraps), len(wraps)
    course = course_of(terms, speed)
    assert course.table is not None
    assert course.contact is not None  # only who has arrived may envelop
    mine, theirs = terms.troops[0].name, terms.troops[terms.target].name
    left = MOVES["charge"] * speed - course.moved
    around = manoeuvres.envelop(course.table, mine, theirs, left)
    more = around.members - (course.contact.members or 0)
    return (more, len(around.edges) - 1) if more > 0 else (0, 0)
