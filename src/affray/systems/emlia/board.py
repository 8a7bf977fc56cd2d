"""A fight on a table: units that move, charge, leave, and fight where they stand.

Each activation is the one that `declaration` declares: from sheets with everything that lasts, and
from the table as it is. So whatever holds in an activation holds in a fight: who touches whom, one
boundary for a skirmish, Free Strikes, ground. Between activations a unit is its statuses.
Casualties are marked and leave at the end of a round; the morale that a round costs follows from
where units stand then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Literal

from affray.core.board import Attempt, Board, Figure, Muster
from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Deed, Told
from affray.core.lazy import NamedTuple
from affray.core.node import At
from affray.core.sheet import replace
from affray.core.step import cites
from affray.core.telling import shown
from affray.systems.emlia.aftermath import resolved
from affray.systems.emlia.declaration import declare as declare_activation
from affray.systems.emlia.engagement import morale_lost
from affray.systems.emlia.melee import Melees, melees_of
from affray.systems.emlia.sheet import MOST, Contact, Other, OwnAction, Setup, Troop, Unit
from affray.systems.emlia.standing import Condition, Force, stands, troops_of
from affray.systems.emlia.state import Exchange, Status, weakens_by_points
from affray.systems.emlia.strength import is_here
from affray.systems.emlia.table import contact
from affray.systems.emlia.table.figures import gap_between
from affray.systems.emlia.table.letters import drawn
from affray.systems.emlia.table.placing import Placement, Table, spot_told

__all__ = ["BOARD", "Standing", "standing_of"]

Ours = Muster[Unit, Condition, Table]
AS_NEAR = 1.25
"""An enemy counts as near as the nearest up to so many times its distance."""
MOVE, DISENGAGE = Deed("move", "self"), Deed("disengage", "self")
Side = Literal["attacker", "defender"]
MINE: Side = "attacker"
THEIRS: Side = "defender"


class Standing(NamedTuple):
    """A unit as it is now.

    Attributes:
        unit: its sheet, with everything that lasts; the first who is left leads.
        rows: which of its troops are there: places in its statuses.
    """

    unit: Unit
    rows: tuple[int, ...]


# -- who is there --------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
@cites("EM-36", "EM-41", "EM-43", "EM-44", "EM-45")
def standing_of(figure: Figure[Unit, Condition]) -> Standing | None:
    """A unit as it is now; None: nobody of it is left, or somebody has taken it out."""
    statuses = stands(figure.sheet, figure.condition)
    rows = [row for row, status in enumerate(statuses) if is_here(status)]
    if not (figure.is_here and rows) or statuses[0].broken:
        return None
    troops = [_now(figure, row) for row in rows]
    sheet = {field.name: getattr(troops[0], field.name) for field in fields(Troop)}
    formation = figure.sheet.formation
    if isinstance(figure.condition, Force) and figure.condition.formation:
        formation = figure.condition.formation
    sheet |= {"name": figure.name, "formation": formation}
    joined = tuple([_plain(troop) for troop in troops[1:]])
    return Standing(Unit(**sheet, joined=joined), tuple(rows))


def _plain(troop: Troop) -> Troop:
    return Troop(**{field.name: getattr(troop, field.name) for field in fields(Troop)})


def _now(figure: Figure[Unit, Condition], row: int) -> Troop:
    """The sheet of a troop as it is now."""
    troop = troops_of(figure.sheet)[row]
    status = stands(figure.sheet, figure.condition)[row]
    now = replace(
        troop,
        members=status.members, lost=status.lost, marked=status.marked, damage=status.damage,
        wear=status.wear, markers=status.markers, bonus=status.bonus,
        next_bonus=status.next_bonus, weaker=status.weaker, came_up=status.rolled,
        exposed=status.exposed, pinned=status.pinned, charged=status.charged,
        aligned=status.aligned, unaware=status.unaware, double_paced=status.double_paced,
        morale=None if troop.morale is None else troop.morale + status.morale,
    )  # fmt: skip
    if not weakens_by_points(troop, figure.condition.rulings):
        return now
    points = status.points + status.fresh
    counts = troop.damage_limit is None and troop.threshold is not None
    return replace(now, unfelt=status.fresh, suffered=points if counts else None)


@lru_cache(maxsize=64)
def _there(muster: Ours) -> Mapping[int, Standing]:
    """Everybody who is left and stands on the table, by number."""
    found = {}
    for number, figure in enumerate(muster.figures):
        if figure.name in muster.board.units:
            standing = standing_of(figure)
            if standing is not None:
                found[number] = standing
    return found


def _side(muster: Ours, number: int) -> int:
    return muster.figures[number].side


# -- the table -----------------------------------------------------------------------------------


@lru_cache(maxsize=64)
@cites("EM-21", "EM-22")
def _table(muster: Ours, side: int = 0) -> Table:
    """The table with those who are there, as strong as they are, as a side's own attack sees it."""
    places = []
    for number, (unit, _) in _there(muster).items():
        place = muster.board.of(unit.name)
        around = place.around[: max(0, unit.members - 1)]
        own = _side(muster, number) == side
        places.append(replace(
            place, side=MINE if own else THEIRS, members=unit.members, around=around
        ))  # fmt: skip
    return replace(muster.board, placements=tuple(places), path=())


def _kept(table: Table, side: int) -> Table:
    """A table, seen by a side, as the fight keeps it."""
    places = []
    for place in table.placements:
        own: Side = MINE if (place.side == MINE) == (side == 0) else THEIRS
        members = place.members if place.around else 1
        places.append(replace(place, side=own, members=members))
    return replace(table, placements=tuple(places), path=())


def _melees(muster: Ours) -> Melees:
    there = _there(muster).values()
    formations = tuple([(unit.name, unit.formation) for unit, _ in there])
    return melees_of(_table(muster), formations, muster.rulings)


@cites("EM-10")
def laid(muster: Ours, situations: tuple[Setup, Setup]) -> Table:
    """The table as the fight begins.

    Raises:
        SetupError: somebody has no place, or a place has nobody; units that overlap; what the
            table shows or the fight decides is said in a situation as well.
    """
    table, names = muster.board, [figure.name for figure in muster.figures]
    most = MOST["others"] + 2
    if len(names) > most:
        raise SetupError(f"{len(names)} units on a table; allowed: at most {most}")
    for what, some, among in (
        ("stands on the table, but does not fight", table.units, names),
        ("has no place on the table", names, table.units),
    ):
        stray = [name for name in some if name not in among]
        if stray:
            raise SetupError(f"unit {stray[0]!r} {what}; fighters: {', '.join(names)}")
    if table.path:
        raise SetupError("a table of a fight with a path; allowed: leave it out (EM-35)")
    blank = Setup(attacker=Unit(), defender=Unit())
    for setup in situations:
        for key in ("distance", "contact", "move"):
            if getattr(setup, key) != getattr(blank, key):
                raise SetupError(
                    f"{key} in the situation of a fight on a table, which shows it; allowed: "
                    "leave it out (EM-10)"
                )
    for figure in muster.figures:
        said = table.of(figure.name).members
        if said not in {1, figure.sheet.members}:
            raise SetupError(
                f"unit {figure.name!r} stands on the table with {said} members, and its sheet has "
                f"{figure.sheet.members}; allowed: leave it out on the table (EM-22)"
            )
    found = _table(muster)
    contact.checked(found)
    return _kept(found, 0)


# -- an activation -------------------------------------------------------------------------------


def deeds(unit: Unit, condition: Condition) -> tuple[Deed, ...]:
    """A unit that can attack does; every unit may move, and leave an engagement."""
    arms = any(troop.skills or troop.weapons for troop in troops_of(unit))
    return (*([ATTACK] if arms else []), MOVE, DISENGAGE)


@cites("EM-10", "EM-63")
def near(muster: Ours, actor: int, targets: tuple[int, ...]) -> tuple[int, ...]:
    """The enemies that a unit touches, or whose skirmish it is in; else those nearest to it."""
    there = _there(muster)
    if actor not in there:
        return ()
    table, melees = _table(muster), _melees(muster)
    name = there[actor].unit.name
    touched = {*contact.engaged(table, name), *(melees.boundary(name) - {name})}
    found = tuple([n for n in targets if n in there and there[n].unit.name in touched])
    return found or tuple([n for n in _near_ones(muster, actor) if n in targets])


def _near_ones(muster: Ours, actor: int) -> tuple[int, ...]:
    """The enemies for whom a unit need not go much farther than for any other, nearest first."""
    gaps = _gaps(muster, _there(muster), actor)
    return tuple(
        [n for n in sorted(gaps, key=gaps.__getitem__) if gaps[n] <= AS_NEAR * min(gaps.values())]
    )


class _Cast(NamedTuple):
    """The setup of an activation, and the numbers of all in it, in the order of the setup."""

    setup: Setup
    numbers: tuple[int, ...]


def _cast(muster: Ours, attempt: Attempt[Setup]) -> _Cast:
    """Cast everybody for an activation.

    Raises:
        SetupError: the actor or its target is not on the table.
    """
    there, actor = _there(muster), attempt.actor
    for number in (actor, attempt.target):
        if number not in there:
            raise SetupError(
                f"{muster.figures[number].name} does not stand on the table; a game master can "
                "set its place (at = x, y, facing)"
            )
    target = attempt.target
    if target == actor:
        target = _nearest(muster, there, actor)
    rest = [number for number in there if number not in {actor, target}]
    side, given = _side(muster, actor), attempt.situation
    others = tuple([
        Other(who=there[number].unit, side="friend" if _side(muster, number) == side else "enemy")
        for number in rest
    ])  # fmt: skip
    action = given.action if attempt.deed == ATTACK else OwnAction(attempt.deed.name)
    setup = replace(
        given, attacker=there[actor].unit, defender=there[target].unit, others=others,
        action=action, move="open", table=_table(muster, side), path=(), distance=0.0,
        engaged=False, contact=Contact(), leaves=False, resolution=False,
    )  # fmt: skip
    return _Cast(setup, (actor, target, *rest))


def _nearest(muster: Ours, there: Mapping[int, Standing], actor: int) -> int:
    """The enemy that is nearest to a unit."""
    gaps = _gaps(muster, there, actor)
    if not gaps:
        raise SetupError("no enemy stands on the table")
    return min(gaps, key=gaps.__getitem__)


def _gaps(muster: Ours, there: Mapping[int, Standing], actor: int) -> dict[int, float]:
    """How far each enemy is from a unit."""
    table, side = _table(muster), _side(muster, actor)
    own = table.of(there[actor].unit.name)
    foes = [number for number in there if _side(muster, number) != side]
    return {number: gap_between(own, table.of(there[number].unit.name)) for number in foes}


@cites("EM-60", "EM-61")
def declare(muster: Ours, attempt: Attempt[Setup]) -> At[Exchange]:
    """The activation of a unit, which may move where its owner chooses.

    Raises:
        SetupError: as for `declaration.declare`; somebody is not on the table.
    """
    return declare_activation(_cast(muster, attempt).setup, muster.rulings)


@cites("EM-12", "EM-34", "EM-36", "EM-44")
def after(
    muster: Ours, attempt: Attempt[Setup], outcome: Exchange
) -> tuple[Table, tuple[Condition, ...]]:
    """The table and all units after an activation, friends and bystanders included."""
    there, conditions = _there(muster), [figure.condition for figure in muster.figures]
    first = 0
    for number in _cast(muster, attempt).numbers:
        rows = there[number].rows
        found = outcome.statuses[first : first + len(rows)]
        conditions[number] = _merged(muster.figures[number], rows, found)
        first += len(rows)
    if outcome.decided.closed:
        own = conditions[attempt.actor]
        assert isinstance(own, Force)  # it has just been made
        conditions[attempt.actor] = own._replace(formation="close")
    return seen(muster, attempt, outcome), tuple(conditions)


def _merged(
    figure: Figure[Unit, Condition], rows: tuple[int, ...], found: tuple[Status, ...]
) -> Force:
    """A unit's condition with the statuses of those of it who took part."""
    statuses = list(stands(figure.sheet, figure.condition))
    for row, status in zip(rows, found, strict=True):
        # The sheet of the activation had the morale of today, so this one counts from there.
        statuses[row] = status._replace(morale=statuses[row].morale + status.morale)
    formation = figure.condition.formation if isinstance(figure.condition, Force) else None
    return Force(tuple(statuses), figure.condition.rulings, formation=formation)


def seen(muster: Ours, attempt: Attempt[Setup], facts: Exchange) -> Table:
    """The table as an activation has it so far."""
    table = facts.terms.setup.table
    assert table is not None  # it was declared on one
    return _kept(table, _side(muster, attempt.actor))


# -- the end of a round --------------------------------------------------------------------------


@cites("EM-24", "EM-44", "EM-45", "EM-61", "EM-62")
def closed(muster: Ours) -> tuple[Table, tuple[Condition, ...]]:
    """The Resolution Phase: casualties leave, and ranks lose morale by where they are fought."""
    conditions = tuple([_resolved(muster, number) for number in range(len(muster.figures))])
    figures = zip(muster.figures, conditions, strict=True)
    rested = muster._replace(figures=tuple([f._replace(condition=c) for f, c in figures]))
    return _kept(_table(rested), 0), conditions


def _resolved(muster: Ours, number: int) -> Condition:
    figure, standing = muster.figures[number], _there(muster).get(number)
    statuses = []
    loss = 0 if standing is None else _morale_of(muster, standing.unit)
    rows = zip(troops_of(figure.sheet), stands(figure.sheet, figure.condition), strict=True)
    for row, (troop, status) in enumerate(rows):
        leads = standing is not None and row == standing.rows[0]
        now = resolved(troop, status, muster.rulings, loss if leads else 0)
        # Every troop that can act has seen the enemy by now.
        statuses.append(now._replace(unaware=now.unaware and not troop.skills))
    formation = figure.condition.formation if isinstance(figure.condition, Force) else None
    return Force(tuple(statuses), figure.condition.rulings, formation=formation)


@cites("EM-24")
def _morale_of(muster: Ours, unit: Unit) -> int:
    """The morale that the round costs a unit in ranks."""
    if unit.formation != "ranked":
        return 0
    table = _table(muster)
    sides = [touched.edge_of_one for touched in contact.hostile(table, unit.name)]
    return morale_lost(sides, max(1, len(contact.fronts(table, unit.name))), muster.rulings)


# -- for people ----------------------------------------------------------------------------------


def told(muster: Ours, number: int) -> tuple[Told, ...]:
    """Where a unit stands, and whom it touches."""
    standing = _there(muster).get(number)
    if standing is None:
        return (
            (Told("stands", "nowhere", "", "at", is_place=True),)
            if _is_left(muster, number)
            else ()
        )
    name, table = standing.unit.name, _table(muster)
    place = table.of(name)
    facing = "" if place.shape == "ring" else f", facing {place.facing:.0f}"
    lines = [Told("stands", f"({spot_told(place.x, place.y)}){facing}", "", "at", is_place=True)]
    met = [f"{seen.other} ({seen.side_of_one})" for seen in contact.hostile(table, name)]
    if met:
        does = "it strikes freely where one of them moves, and they where it does (EM-12)"
        lines.append(Told("in contact", tuple(met), does))
    return tuple(lines)


def _is_left(muster: Ours, number: int) -> bool:
    return standing_of(muster.figures[number]) is not None


_AT = re.compile(r"\s*\(?\s*([^,()]+),([^,()]+?)\)?\s*(?:,\s*(?:facing\s+)?([^,()]+))?\s*")


@cites("EM-10")
def placed(muster: Ours, number: int, value: object) -> Table:
    """The table with a unit where a game master puts it: "x, y" or "x, y, facing".

    Raises:
        SetupError: no such place, or units that overlap then; says what is allowed.
    """
    figure, numbers = muster.figures[number], list(_numbers(value))
    if len(numbers) not in {2, 3}:
        raise SetupError(
            f"at = {shown(value)}; allowed: x, y and facing, such as 3, -2, 90; or x and y"
        )
    old = next((place for place in muster.board.placements if place.unit == figure.name), None)
    if old is None:
        files = max(1, min(10, figure.sheet.members))
        is_open = figure.sheet.formation == "open"
        old = Placement(
            unit=figure.name, shape="ring" if is_open else "block", files=files,
            side=THEIRS if figure.side else MINE,
        )  # fmt: skip
    facing = numbers[2] if len(numbers) > 2 else old.facing
    new = replace(old, x=numbers[0], y=numbers[1], facing=facing % 360, around=())
    rest = [place for place in muster.board.placements if place.unit != figure.name]
    table = replace(muster.board, placements=(*rest, new))
    contact.checked(_table(muster._replace(board=table)))
    return table


def _numbers(value: object) -> Iterator[float]:
    """The numbers of a place as it was typed; none where it is no place."""
    match = _AT.fullmatch(value) if isinstance(value, str) else None
    parts = match.groups() if match else value if isinstance(value, list | tuple) else ()
    for part in parts:
        if part is not None:
            try:
                yield float(part)
            except (TypeError, ValueError):
                yield from (0.0,) * 9  # no place has so many


def picture(muster: Ours, width: int) -> str:
    """The table in letters."""
    table = _table(muster)
    return drawn(table, width, _melees(muster).skirmishes) if table.placements else ""


def drawing(muster: Ours) -> str:
    """The table as an SVG document."""
    from affray.systems.emlia.table.picture import drawing as as_svg  # only where somebody looks

    table = _table(muster)
    return as_svg(table, _melees(muster).skirmishes) if table.placements else ""


BOARD: Board[Exchange, Setup, Unit, Condition, Table] = Board(
    key="table", sheet=Table, laid=laid, deeds=deeds, near=near, declare=declare, after=after,
    closed=closed, seen=seen, told=told, placed=placed, picture=picture,
    drawing=drawing,
)  # fmt: skip
