"""The facts on the table during one activation.

What is settled before anything is decided lies in `Terms`, which keeps its hash; what is decided,
how the troops are and what dice show lies beside it in `Exchange`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Literal

from affray.core.lazy import NamedTuple
from affray.core.ruling import Rulings
from affray.core.sheet import sheet
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.reading import Outcome
from affray.systems.emlia.sheet import UNDECIDED, Action, Contact, Setup, Troop

if TYPE_CHECKING:
    from affray.core.node import Step

__all__ = [
    "Check",
    "Decisions",
    "Exchange",
    "Held",
    "Party",
    "Pile",
    "Status",
    "Target",
    "Terms",
    "Why",
    "status_of",
    "weakens_by_points",
]


Why = Literal["strike", "attack", "fumble", "fall"]
"""The source of hits: Free Strikes at a mover, the attack itself, its fumble at friends, or a
threshold table that endangers those who stand on its unit."""


class Status(NamedTuple):
    """The current state of a troop.

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
    """A troop that never had two members grows weaker with every point of damage (B23)."""
    return troop.members + troop.lost == 1 and rulings[rule.WEAKENS] == "points"


def status_of(troop: Troop, rulings: Rulings) -> Status:
    """A troop as its sheet has it; damage has been felt, but for what the sheet says is not."""
    points = fresh = 0
    if weakens_by_points(troop, rulings):
        points, fresh = troop.points, troop.unfelt
    return Status(
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


Held = int | tuple[Status, ...]
"""The part of the target that a fight holds back until hits are allocated: the statuses of the unit
and of those who joined it, or just its markers if hits depend on nothing else."""


class Target(NamedTuple):
    """A troop as hits find it.

    Attributes:
        place: which of the statuses it is.
        hits: its Hits value, by which it is grouped (EM-53).
        needed: hits for a point of damage (EM-40); 0: every hit takes a member (B11).
        limit, threshold: as on the sheet.
    """

    place: int
    hits: int
    needed: int
    limit: int | None
    threshold: int | None


class Pile(NamedTuple):
    """Hits that are being allocated.

    Attributes:
        hits: that are left. why: of whose attack they come. then: the step after all of them.
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
    then: Step[Exchange]
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


class Party(NamedTuple):
    """The part that one troop plays in an activation.

    Attributes:
        troop: its sheet. name: what it is called; no two are called alike.
        side: friend or enemy of the acting unit, which is a friend itself.
        unit: the place of the unit that it belongs to; of a unit its own place.
        fights: it is in the close combat. body: it is attacked together with the target.
        engages: it makes Free Strikes when the attacker moves.
        contact: how its unit and the attacker touch, seen from that unit; for the attacker itself
            how it touches the target.
    """

    troop: Troop
    name: str
    side: Literal["friend", "enemy"]
    unit: int
    fights: bool = True
    body: bool = False
    engages: bool = False
    contact: Contact = Contact()


@sheet
class Terms:
    """Everything that is settled before the first decision.

    Attributes:
        rulings: the readings in force.
        setup: the sheets and the situation, with what the table shows.
        given: the same as it was given.
        troops: everybody in it, in a fixed order: the attacker and who joined it, the target and
            who joined it, then the others in the order of the setup, each with who joined it.
        target: the place of the target.
    """

    rulings: Rulings
    setup: Setup
    given: Setup
    troops: tuple[Party, ...]
    target: int

    @cached_property
    def enemies(self) -> tuple[int, ...]:
        """Places of the enemies of the acting unit."""
        return tuple([place for place, one in enumerate(self.troops) if one.side == "enemy"])


class Decisions(NamedTuple):
    """The decisions so far.

    Attributes:
        action: what the unit does.
        charged: the attack follows a charge that reached its target.
        closed: the unit has taken close formation, to envelop or to break ranks.
        focus: the place of the troop in focus.
        stays: the unit gave up to move rather than face Free Strikes.
    """

    action: Action = UNDECIDED
    charged: bool = False
    closed: bool = False
    focus: int | None = None
    stays: bool = False


class Check(NamedTuple):
    """The numbers of one troop's check.

    Attributes:
        by: the place of the troop that rolls.
        dice: how many. sides: of each.
        difficulty: the least face that is a success.
        automatic: nothing is rolled; every die is a success (or one is: B19).
        base: base damage. each: hits for every success.
        body: places of the troops that are attacked. bare: without armor.
        friends: places of the friends that a fumble hits; empty: a fumble does nothing.
        focus: the place of the troop in focus.
    """

    by: int
    dice: int
    sides: int
    difficulty: int
    automatic: bool
    base: int
    each: int
    body: tuple[int, ...]
    bare: bool
    friends: tuple[int, ...]
    focus: int | None


class Exchange(NamedTuple):
    """One activation, from the choice of action to what came of it.

    Attributes:
        terms: what is settled before.
        statuses: how every troop is, in the order of `terms.troops`.
        decided: what was decided.
        held: what a fight keeps back of the target (see `body.Held`); None: nothing.
        turn: how many of those who strike, or who attack, have had their turn.
        checks: the checks of this attack, worked out before the first of them is rolled.
        rolled: what the check that was rolled last came to, until it is counted: successes and
            ones, or its outcome.
        successes, ones: of all checks, before anything is cancelled.
        net, excess: successes and ones that are left, each of its own check.
        hits, friendly: hits on enemies and on friends so far.
        waiting: of each check that was rolled: hits, and ones in excess.
        falls: places of troops on a unit whose table endangers them, with hits that wait for them.
        pile: hits that are being allocated. row: the row that a roll on a table came to.
        dealt: points of damage by place; empty: none. lost: hits that hurt nobody.
        rolls: rolls on threshold tables.
        pins: successes of a Disengage that still have to pin somebody.
        moved: length of the movement. reached: a charge, or a move to attack, got there.
        spare: movement that is left after it.
        left: the attacker has moved, out of the engagement if it was in one.
        way: the name of the way on which it goes (see `ways`); empty: none yet.
        pressed: members more in contact since the Resolution Phase.
    """

    terms: Terms
    statuses: tuple[Status, ...]
    decided: Decisions = Decisions()
    held: object = None
    turn: int = 0
    checks: tuple[Check, ...] = ()
    rolled: Outcome | tuple[int, int] | None = None
    successes: int = 0
    ones: int = 0
    net: int = 0
    excess: int = 0
    hits: int = 0
    friendly: int = 0
    waiting: tuple[tuple[int, int], ...] = ()
    falls: tuple[tuple[int, int], ...] = ()
    pile: Pile | None = None
    row: int | None = None
    dealt: tuple[int, ...] = ()
    lost: int = 0
    rolls: int = 0
    pins: int = 0
    moved: float = 0
    reached: bool = False
    spare: float = 0
    left: bool = False
    way: str = ""
    pressed: int = 0

    @property
    def rulings(self) -> Rulings:
        """The readings in force."""
        return self.terms.rulings

    @property
    def setup(self) -> Setup:
        """The sheets and the situation."""
        return self.terms.setup
