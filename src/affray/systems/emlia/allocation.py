"""Hits are spent: on one troop, or group by group on a mixed body.

A *portion* is what step 2.1 gives a troop at once: a point of damage, or the points that are
missing for a roll on its table.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from affray.core.lazy import NamedTuple
from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.state import Exchange, Pile, Status, Target, Terms, weakens_by_points

if TYPE_CHECKING:
    from affray.systems.emlia.state import Exchange

__all__ = ["Grouping", "Modes", "Spending", "grouped", "modes_of"]


class Modes(NamedTuple):
    """The readings that matter here."""

    by_unit: bool
    live: bool
    first: bool
    largest: bool
    discards: bool
    picks: str
    marked: bool


@lru_cache(maxsize=256)
def modes_of(rulings: Rulings) -> Modes:
    """The readings that matter to an allocation."""
    return Modes(
        by_unit=rulings[rule.GROUPS] == "unit",
        live=rulings[rule.SIZES] == "live",
        first=rulings[rule.RATIO] == "first",
        largest=rulings[rule.OWNER] == "largest",
        discards=rulings[rule.MARKERS] == "discard",
        picks=rulings[rule.CASUALTIES],
        marked=rulings[rule.MARKED] == "all",
    )


class Grouping(NamedTuple):
    """A body in groups, those left out that can't be hurt at the start.

    Attributes:
        groups: numbers of targets, the largest first. of: for each target its group, or -1.
        order: groups, the largest first. times: portions that each takes in a visit.
    """

    groups: tuple[tuple[int, ...], ...]
    of: tuple[int, ...]
    order: tuple[int, ...]
    times: tuple[int, ...]


@lru_cache(maxsize=4096)
@cites("EM-53", "EM-56")
def grouped(targets: tuple[Target, ...], sizes: tuple[int, ...], *, by_unit: bool) -> Grouping:
    """A body in groups, by the members of each target that count at the start."""
    groups: dict[int, list[int]] = {}
    for number, target in enumerate(targets):
        if sizes[number]:
            groups.setdefault(number if by_unit else target.hits, []).append(number)
    lines = tuple(tuple(sorted(line, key=lambda n: -sizes[n])) for line in groups.values())
    of = [-1] * len(targets)
    for group, line in enumerate(lines):
        for number in line:
            of[number] = group
    total = [sum(sizes[number] for number in line) for line in lines]
    order = sorted(range(len(lines)), key=lambda group: -total[group])
    times = [1] * len(lines)
    for group, smaller in pairwise(order):
        times[group] = total[group] // total[smaller]
    return Grouping(lines, tuple(of), tuple(order), tuple(times))


@lru_cache(maxsize=4096)
def _prices(targets: tuple[Target, ...]) -> tuple[int, ...]:
    """Hits that a portion takes of each target; 0 where that changes with its wear."""
    return tuple([
        1 if not target.needed else target.needed if target.threshold is None else 0
        for target in targets
    ])  # fmt: skip


@lru_cache(maxsize=4096)
def _weakening(terms: Terms, targets: tuple[Target, ...]) -> tuple[bool, ...]:
    """For each target whether it grows weaker with every point of damage."""
    troops, rulings = terms.troops, terms.rulings
    return tuple([weakens_by_points(troops[target.place].troop, rulings) for target in targets])


@cites("EM-41", "EM-42", "EM-43", "EM-53", "EM-54", "EM-55", "EM-56")
class Spending:
    """Hits on their way, until they are used up, a table is due or somebody has to choose.

    All lists go by number of target. `left` are members that are not marked; `lying` counts all
    markers.
    """

    def __init__(self, x: Exchange, pile: Pile) -> None:
        self.x, self.pile, self.modes = x, pile, modes_of(x.rulings)
        self.targets = pile.targets
        self.statuses = statuses = [x.statuses[target.place] for target in pile.targets]
        self.left = [
            0 if status.destroyed else status.members - status.marked for status in statuses
        ]
        self.sizes = pile.sizes or self.sizes_now()
        self.damage = [status.damage for status in statuses]
        self.wear = [status.wear for status in statuses]
        self.markers = [status.markers for status in statuses]
        self.lying = sum(self.markers)
        self.points = [0] * len(statuses)
        self.marked = [0] * len(statuses)
        self.hits, self.lost = pile.hits, 0
        self.due: int | None = None
        self.rolls = 0
        self.grouping = grouped(self.targets, self.sizes, by_unit=self.modes.by_unit)
        self.prices = _prices(self.targets)
        self.weakens = _weakening(x.terms, self.targets)
        self.visit, self.given, self.seen = pile.visit, pile.given, pile.seen
        self.spent, self.extra = pile.spent, pile.extra
        self.turns = list(pile.turns or (0,) * len(self.grouping.groups))

    # -- one troop -------------------------------------------------------------------------------

    def room(self, number: int) -> int | None:
        """Points until all members are marked; None: points mark nobody."""
        target = self.targets[number]
        if target.limit is not None:
            return self.left[number] * target.limit - self.damage[number]
        return self.left[number] if target.threshold is None else None

    def portion(self, number: int) -> tuple[int, int]:
        """Points of a portion, and hits that it takes."""
        target = self.targets[number]
        if not target.needed:  # every hit is one (B11)
            if target.limit is not None:
                return target.limit - self.damage[number], 1
            return 1 if target.threshold is None else self.to_roll(number), 1
        if target.threshold is None:
            return 1, target.needed
        room, points = self.room(number), self.to_roll(number)
        points = points if room is None else min(room, points)
        return points, points * target.needed

    def to_roll(self, number: int) -> int:
        """Points until the next roll on the table."""
        return max(1, (self.targets[number].threshold or 1) - self.wear[number])

    def line(self, number: int) -> tuple[int, ...]:
        """The group of a target: hits that lie at one of it count for all."""
        return self.grouping.groups[self.grouping.of[number]]

    def affords(self, number: int) -> bool:
        """A target can be hurt if it has members left and the hits suffice for a portion."""
        return self.left[number] > 0 and self.lacks(number) <= 0

    def lacks(self, number: int) -> int:
        """Hits that a portion takes beyond those that are there; 0 or less: they suffice."""
        price = self.prices[number] or self.portion(number)[1]
        if not self.lying:
            return price - self.hits
        return price - self.hits - sum([self.markers[other] for other in self.line(number)])

    def take(self, number: int) -> None:
        """Hits become a portion of damage; those that lie there go first."""
        points, price = self.portion(number)
        self.pay(number, price)
        self.suffer(number, points)

    def pay(self, number: int, price: int) -> None:
        """Use up hits, markers of the group first."""
        for other in self.line(number) if self.lying else ():
            used = min(price, self.markers[other])
            self.markers[other] -= used
            self.lying -= used
            price -= used
        self.hits -= price

    def suffer(self, number: int, points: int) -> None:
        """Points mark casualties, and make rolls due after that."""
        target = self.targets[number]
        self.points[number] += points
        casualties = 0
        if target.limit is not None:
            casualties, rest = divmod(self.damage[number] + points, target.limit)
            self.damage[number] = rest
        elif target.threshold is None:
            casualties = points
        casualties = min(casualties, self.left[number])
        self.left[number] -= casualties
        self.marked[number] += casualties
        if target.threshold is not None:
            rolls, self.wear[number] = divmod(self.wear[number] + points, target.threshold)
            if rolls:
                self.due, self.rolls = target.place, self.rolls + rolls

    # -- a single target -------------------------------------------------------------------------

    def hurt_one(self) -> None:
        """A target by itself: all points at once, then the rolls that they make due."""
        needed = self.targets[0].needed
        if not needed:
            while self.affords(0):
                self.take(0)
            return
        points, room = (self.hits + self.markers[0]) // needed, self.room(0)
        points = points if room is None else min(points, room)
        if points and self.left[0]:
            self.pay(0, points * needed)
            self.suffer(0, points)

    # -- a mixed body ----------------------------------------------------------------------------

    def size(self, group: int) -> int:
        """Members of a group that count now."""
        return sum(self.size_of(number) for number in self.grouping.groups[group])

    def size_of(self, number: int) -> int:
        """Members of a target that count, of one that can be hurt: those not marked, or all."""
        if self.modes.marked and self.left[number]:
            return self.statuses[number].members
        return self.left[number]

    def sizes_now(self) -> tuple[int, ...]:
        """The same of all targets."""
        if not self.modes.marked:
            return tuple(self.left)
        return tuple([self.size_of(number) for number in range(len(self.left))])

    def ranking(self) -> list[int]:
        """Groups by their sizes now, the largest first."""
        groups = sorted(self.grouping.order)
        return sorted((group for group in groups if self.size(group)), key=lambda g: -self.size(g))

    def here(self) -> int | None:
        """The group whose turn it is; None: the cycle is over."""
        if not self.modes.live:
            order = self.grouping.order
            return order[self.visit] if self.visit < len(order) else None
        if self.given:
            return self.seen[-1]
        return next((group for group in self.ranking() if group not in self.seen), None)

    def times(self, group: int) -> int:
        """Portions that a group takes in one visit."""
        if self.modes.first and self.spent:
            return 1
        if not self.modes.live:
            return self.grouping.times[group]
        order = self.ranking()
        if group not in order or group == order[-1]:
            return 1
        return max(1, self.size(group) // self.size(order[order.index(group) + 1]))

    def hurt(self) -> tuple[int, ...]:
        """Spend hits as far as nobody has to roll or to choose.

        Returns:
            Targets among which somebody has to choose now; () where nobody has.
        """
        if not self.pile.hits and not self.pile.sizes:
            return ()
        if len(self.targets) != 1:
            return self.hurt_body()
        self.hurt_one()
        return ()

    def hurt_body(self) -> tuple[int, ...]:
        """Steps 2.1 to 2.3, as far as they go.

        Returns:
            Targets among which somebody has to choose now; () where nobody has.
        """
        while True:
            if self.visit < 0:
                self.visit, self.seen, self.spent, self.extra = 0, (), 0, False
                if self.in_focus():
                    self.extra = True
                    if self.rolls:
                        return ()
            if not self.hits and not self.lying:
                return ()  # no portion is free
            group = self.here()
            if group is None:
                if not self.spent and not self.extra:
                    return ()
                self.visit = -1
                continue
            while not self.given or self.given < self.times(group):
                among = self.takers(group)
                if len(among) > 1:
                    return among
                if not among:
                    break
                self.serve(among[0])
                if self.rolls:
                    return ()
            self.visit += 1
            self.spent += self.given > 0
            if self.modes.live and not self.given:
                self.seen = (*self.seen, group)
            self.given = 0

    def in_focus(self) -> bool:
        """Step 2.3: a portion for the troop in focus."""
        focus = self.pile.focus
        for number, target in enumerate(() if focus is None else self.targets):
            if target.place == focus and self.affords(number):
                self.take(number)
                return True
        return False

    def takers(self, group: int) -> tuple[int, ...]:
        """Candidates for a group's next portion: the next in turn, or all who can be picked."""
        line, turn = self.grouping.groups[group], self.turns[group]
        if turn:
            line = (*line[turn:], *line[:turn])
        if self.modes.picks != "largest":
            return tuple([number for number in line if self.affords(number)])
        for number in line:
            if self.affords(number):
                return (number,)
        return ()

    def serve(self, number: int) -> None:
        """A portion for one of the group whose turn it is."""
        group = self.grouping.of[number]
        self.take(number)
        if self.modes.live and not self.given:
            self.seen = (*self.seen, group)
        self.given += 1
        if self.modes.picks == "largest":
            line = self.grouping.groups[group]
            self.turns[group] = (line.index(number) + 1) % len(line)

    # -- the end ---------------------------------------------------------------------------------

    def lay_down(self) -> None:
        """Leave hits that hurt nobody as markers, or lose them."""
        if len(self.targets) == 1 and self.modes.discards:
            self.lost += self.hits + self.markers[0]
            self.hits = self.markers[0] = 0
            return
        if self.lying:
            self.inherit()
        if not self.hits:
            return
        heir = self.owner()
        if heir is None:
            self.lost += self.hits
        else:
            self.markers[heir] += self.hits
        self.hits = 0

    def inherit(self) -> None:
        """Markers of those who can't be hurt any more go to their group, or are lost."""
        for number, group in enumerate(self.grouping.of):
            if group < 0 and not self.modes.largest:
                self.lost += self.markers[number]
                self.markers[number] = 0
        for line in self.grouping.groups:
            freed = 0
            for number in line:
                if not self.left[number]:
                    freed += self.markers[number]
                    self.markers[number] = 0
            heir = next((number for number in line if self.left[number]), None)
            if heir is None:
                self.lost += freed
            else:
                self.markers[heir] += freed

    def owner(self) -> int | None:
        """The troop that gets markers: the largest that can be hurt of the largest such group."""
        if not any(self.left):
            return None
        order = self.ranking() if self.modes.live else self.grouping.order
        for group in order:
            line = self.grouping.groups[group]
            for number in line:
                if self.left[number]:
                    return number
            if self.modes.largest:
                return line[0]
        return None

    # -- facts -----------------------------------------------------------------------------------

    def facts(self) -> Exchange:
        """The exchange with what was taken so far, and the pile as it is."""
        pile = self.pile._replace(
            hits=self.hits, sizes=self.sizes, visit=self.visit, seen=self.seen, given=self.given,
            spent=self.spent, extra=self.extra, turns=tuple(self.turns), due=self.due,
            rolls=self.rolls,
        )  # fmt: skip
        return self.with_pile(pile)

    def with_pile(self, pile: Pile | None) -> Exchange:
        """The exchange with what was taken so far, and a pile; None: all hits are dealt with."""
        x, statuses = self.x, list(self.x.statuses)
        dealt = list(x.dealt or (0,) * len(statuses))
        rows = zip(
            self.targets, self.statuses, self.points, self.marked, self.damage, self.wear,
            self.markers, self.weakens, strict=True,
        )  # fmt: skip
        for target, status, points, marked, damage, wear, markers, weakens in rows:
            if points or markers != status.markers:
                place, fresh = target.place, points if weakens else 0
                dealt[place] += points
                statuses[place] = _harmed(status, marked, damage, wear, fresh, markers)
        return x._replace(
            statuses=tuple(statuses), dealt=tuple(dealt), lost=x.lost + self.lost, pile=pile,
        )  # fmt: skip


@lru_cache(maxsize=4096)
def _harmed(
    status: Status, marked: int, damage: int, wear: int, fresh: int, markers: int
) -> Status:  # fmt: skip
    """The status of a troop that takes hits.

    Args:
        status: before.
        marked: members more.
        damage: towards the next casualty now.
        wear: towards the next roll now.
        fresh: points more that are felt later.
        markers: that lie there now.
    """
    return status._replace(
        marked=status.marked + marked, damage=damage, wear=wear, fresh=status.fresh + fresh,
        markers=markers,
    )  # fmt: skip
