"""A body of troops under attack: what changes of each troop, and hits on their way to it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from affray.core.node import KeepsHash, facts
from affray.core.ruling import Rulings
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.sheet import Troop

__all__ = ["Held", "Pile", "Stand", "Target", "Why", "stand_of", "weakens_by_points"]

Why = Literal["strike", "attack", "fumble"]
"""Of which attack hits come: Free Strikes at a mover, the attack itself, its fumble at friends."""


@facts
class Stand(NamedTuple):
    """How a troop is at the moment.

    Attributes:
        members: alive, those marked included, until the Resolution Phase.
        marked: members marked as casualties.
        damage: points towards the next casualty. wear: towards the next roll on its table.
        fresh: points since the last Resolution Phase, where the troop grows weaker with each
            (EM-45, B23); else 0. points: those before it.
        markers: hits left over.
        bonus: to later rolls on its table. next_bonus: to the next one alone.
        weaker: levels lost to it. rolled: names of the rows that came up, sorted.
        destroyed: by its table.
        lost: members lost since the troop was whole.
        morale: how it changed. broken: it is gone.
        exposed, pinned, charged, aligned, unaware, double_paced: as on the sheet.
    """

    members: int
    marked: int = 0
    damage: int = 0
    wear: int = 0
    fresh: int = 0
    points: int = 0
    markers: int = 0
    bonus: int = 0
    next_bonus: int = 0
    weaker: int = 0
    rolled: tuple[str, ...] = ()
    destroyed: bool = False
    lost: int = 0
    morale: int = 0
    broken: bool = False
    exposed: int = 0
    pinned: int = 0
    charged: bool = False
    aligned: bool = False
    unaware: bool = False
    double_paced: bool = False


def weakens_by_points(troop: Troop, rulings: Rulings) -> bool:
    """Whether a troop grows weaker with every point of damage: one that never had two members."""
    return troop.members + troop.lost == 1 and rulings[rule.WEAKENS] == "points"


def stand_of(troop: Troop, rulings: Rulings) -> Stand:
    """A troop as its sheet has it; damage has been felt, but for what the sheet says is not."""
    points = fresh = 0
    if weakens_by_points(troop, rulings):
        points, fresh = troop.points, troop.unfelt
    return Stand(
        members=troop.members,
        marked=troop.marked,
        damage=troop.damage,
        wear=troop.wear,
        fresh=fresh,
        points=points - fresh,
        markers=troop.markers,
        bonus=troop.bonus,
        next_bonus=troop.next_bonus,
        weaker=troop.weaker,
        rolled=tuple(sorted(troop.came_up)),
        destroyed=any(row.destroyed for row in troop.table if row.name in troop.came_up),
        lost=troop.lost,
        exposed=troop.exposed,
        pinned=troop.pinned,
        charged=troop.charged,
        aligned=troop.aligned,
        unaware=troop.unaware,
        double_paced=troop.double_paced,
    )


Held = int | tuple[Stand, ...]
"""What a fight keeps back of the target until hits are allocated: how the unit and those who joined
it are; or the markers on it, where nothing else of it matters to what hits do."""


class _Target(NamedTuple):
    place: int
    hits: int
    needed: int
    limit: int | None
    threshold: int | None


class Target(KeepsHash, _Target):
    """A troop as hits find it.

    Attributes:
        place: which of the stands it is.
        hits: its Hits value, by which it is grouped (EM-53).
        needed: hits for a point of damage (EM-40); 0: every hit takes a member (B11).
        limit, threshold: as on the sheet.
    """


@facts
class Pile(NamedTuple):
    """Hits that are being allocated.

    Attributes:
        hits: that are left. why: of whose attack they come.
        targets: the body, in the order of the setup. focus: the place of the troop in focus.
        sizes: members of each target at the start, those marked left out; empty: not begun yet.
        visit: how many groups of this cycle are done; -1: the troop in focus comes first.
        seen: groups of this cycle that are done, where sizes change on the way (B13).
        given: steps that the group has taken in this visit.
        spent: groups of this cycle that took hits and are done.
        extra: whether the step for the focus took hits.
        turns: for each group the one of it that comes next.
        due: the place of the troop that rolls on its table now. rolls: how often.
    """

    hits: int
    why: Why
    targets: tuple[Target, ...]
    focus: int | None = None
    sizes: tuple[int, ...] = ()
    visit: int = -1
    seen: tuple[int, ...] = ()
    given: int = 0
    spent: int = 0
    extra: bool = False
    turns: tuple[int, ...] = ()
    due: int | None = None
    rolls: int = 0
