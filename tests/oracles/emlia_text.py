"""Mixed targets of Emlia by brute force, straight from the printed steps.

A second oracle. People stand in a line and are counted off; hits are tokens in a pile, moved one by
one to the tray of a group; a full tray makes damage. `apply_hits_by_recursion` does the same work
in another way. Nothing of the library and nothing of the other oracle is used. Numbers such as 2.1
are the step numbers of the section on mixed units.
"""

from collections.abc import Sequence
from typing import NamedTuple, NotRequired, Required, TypedDict

BASE_DIFFICULTY = 6
LOWEST, HIGHEST = 2, 10


# ------------------------------------------------------------------ to hit: steps 1 to 1.3


def difficulty(sub_units: Sequence[tuple[int, int]], focus: int | None = None) -> int:
    """The one difficulty number for a body of sub-units, 2..10 (steps 1.1 to 1.3).

    `sub_units` are pairs of members (at least 1) and modifier to hit; `focus` is the index of the
    sub-unit that the attacker singles out.
    """
    if not sub_units or any(members < 1 for members, _ in sub_units):
        raise ValueError("a body needs sub-units of at least 1 member")
    crowd = [BASE_DIFFICULTY - bonus for members, bonus in sub_units for _ in range(members)]
    top = max(crowd)
    start = min(crowd) if focus is None else BASE_DIFFICULTY - sub_units[focus][1]
    standard = [number for number in crowd if number == start]
    above = [number for number in crowd if number > start]
    reached = start
    while above:  # 1.2.1: lay one of those above beside each one of the standard group
        for _ in standard:
            if not above:
                break
            above.pop()
        else:
            if reached < top:
                reached += 1
    if focus is not None:
        reached += 1  # 1.3: a penalty of 1, after the maximum of 1.2.1
    return min(max(reached, LOWEST), HIGHEST)


# ------------------------------------------------------------------ the table


class Unit(TypedDict, total=False):
    """One unit of the body; all values are whole numbers.

    Without limit and threshold every point marks one member; with a threshold alone the unit never
    runs out of points.
    """

    members: Required[int]  # at least 1, at the start of the attack
    hits: Required[int]  # the Hits attribute, not yet lowered
    base: NotRequired[int]  # base damage against this unit; 0 if absent
    limit: NotRequired[int]  # points that mark one member
    threshold: NotRequired[int]  # points that make one roll
    markers: NotRequired[int]  # hits left by earlier attacks; 0 if absent


class Outcome(NamedTuple):
    """What an attack did; one number per unit, in the order given, but for `lost`."""

    points: tuple[int, ...]
    casualties: tuple[int, ...]
    rolls: tuple[int, ...]
    spent: tuple[int, ...]  # hits, and old markers, that became points
    markers: tuple[int, ...]
    lost: int


class Token(NamedTuple):
    """One hit: where it lay when the attack began, None for the pile of new hits."""

    lay_on: int | None


def price(unit: Unit) -> int:
    """Hits for one point: the attribute less base damage, at least 1."""
    return max(1, unit["hits"] - unit.get("base", 0))


def room(unit: Unit) -> int | None:
    """Points until all members are casualties; None if there is no end."""
    if "limit" in unit:
        return unit["members"] * unit["limit"]
    return None if "threshold" in unit else unit["members"]


def casualties(unit: Unit, points: int) -> int:
    """Members that so many points mark."""
    if "limit" in unit:
        return points // unit["limit"]
    return 0 if "threshold" in unit else points


def rolls(unit: Unit, points: int) -> int:
    """Threshold rolls that so many points make."""
    return points // unit["threshold"] if "threshold" in unit else 0


def check(units: Sequence[Unit], hits: int, focus: int | None) -> None:
    """Raise ValueError for a body, hits or a focus that cannot be."""
    if hits < 0:
        raise ValueError(f"hits are {hits}, must be at least 0")
    if focus is not None and not 0 <= focus < len(units):
        raise ValueError(f"focus is {focus}, must be one of {len(units)} units")
    for unit in units:
        if min(unit["members"], unit.get("limit", 1), unit.get("threshold", 1)) < 1:
            raise ValueError(f"members, limit and threshold must be at least 1: {unit}")
        if unit.get("markers", 0) < 0:
            raise ValueError(f"markers must be at least 0: {unit}")


class Group:
    """Units of one Hits value with their common tray (step 2)."""

    def __init__(self, units: Sequence[Unit], value: int) -> None:
        self.size = 0
        self.line: list[int] = []  # largest first, then as listed
        for index, unit in enumerate(units):
            if unit["hits"] != value:
                continue
            self.size += unit["members"]
            before = [i for i in self.line if units[i]["members"] >= unit["members"]]
            self.line.insert(len(before), index)
        self.tray = [Token(i) for i in self.line for _ in range(units[i].get("markers", 0))]
        self.turn = 0  # place in the line of the unit that is asked first


class Table:
    """The pile, the trays and what has been paid so far."""

    def __init__(self, units: Sequence[Unit], hits: int) -> None:
        self.units = units
        self.pile = [Token(None) for _ in range(hits)]
        self.points = [0 for _ in units]
        self.paid: list[list[Token]] = [[] for _ in units]
        self.groups: list[Group] = []  # largest first, then as listed
        seen: list[int] = []
        for unit in units:
            if unit["hits"] in seen:
                continue
            seen.append(unit["hits"])
            group = Group(units, unit["hits"])
            before = [g for g in self.groups if g.size >= group.size]
            self.groups.insert(len(before), group)

    def can_be_hurt(self, index: int) -> bool:
        """Whether a member is left that is not marked as a casualty."""
        most = room(self.units[index])
        return most is None or self.points[index] < most

    def portion(self, index: int) -> int:
        """Points the unit takes at a time: one roll, the rest if less is left, else one."""
        points = 0
        most = room(self.units[index])
        while points < self.units[index].get("threshold", 1):
            if most is not None and self.points[index] + points == most:
                break
            points += 1
        return points

    def hurt(self, group: Group, index: int) -> bool:
        """Step 2.1 for one unit: fill the tray token by token; take all back if that fails."""
        if not self.can_be_hurt(index):
            return False
        portion = self.portion(index)
        needed = portion * price(self.units[index])
        moved = 0
        while len(group.tray) < needed:
            if not self.pile:
                for _ in range(moved):
                    self.pile.append(group.tray.pop())
                return False
            group.tray.append(self.pile.pop())
            moved += 1
        for _ in range(portion):
            for _ in range(price(self.units[index])):
                self.paid[index].append(group.tray.pop(0))
            self.points[index] += 1
        return True

    def hurt_group(self, group: Group) -> bool:
        """Step 2.1 for a group: the unit whose turn it is, or the next one in line that can pay."""
        for ahead in range(len(group.line)):
            place = (group.turn + ahead) % len(group.line)
            if self.hurt(group, group.line[place]):
                group.turn = (place + 1) % len(group.line)
                return True
        return False

    def times(self, rank: int) -> int:
        """How often the next group can be laid out in this one, 1 for the last (step 2.1.2)."""
        if rank + 1 == len(self.groups):
            return 1
        left, times = self.groups[rank].size, 0
        while left >= self.groups[rank + 1].size:
            left -= self.groups[rank + 1].size
            times += 1
        return times

    def clear(self) -> Outcome:
        """Lay down what is left as markers (end of step 2.2)."""
        markers = [0 for _ in self.units]
        lost = 0
        for group in self.groups:
            alive = [i for i in group.line if self.can_be_hurt(i)]
            if alive:  # new hits go to the first such group, the pile is empty after that
                group.tray += self.pile
                self.pile = []
            for token in group.tray:
                if not alive:
                    lost += 1
                elif token.lay_on in alive:
                    markers[token.lay_on] += 1
                else:
                    markers[alive[0]] += 1
        lost += len(self.pile)
        pairs = list(zip(self.units, self.points, strict=True))
        return Outcome(
            points=tuple(self.points),
            casualties=tuple(casualties(unit, points) for unit, points in pairs),
            rolls=tuple(rolls(unit, points) for unit, points in pairs),
            spent=tuple(len(tokens) for tokens in self.paid),
            markers=tuple(markers),
            lost=lost,
        )


def apply_hits(units: Sequence[Unit], hits: int, focus: int | None = None) -> Outcome:
    """Apply hits to a mixed body, token by token (steps 2 to 2.3).

    `focus` is the index of the unit that the attacker singles out.
    """
    check(units, hits, focus)
    table = Table(units, hits)
    busy = True
    while busy:
        busy = False
        if focus is not None:  # 2.3: before every cycle
            own = next(group for group in table.groups if focus in group.line)
            busy = table.hurt(own, focus)
        for rank, group in enumerate(table.groups):
            for _ in range(table.times(rank)):
                busy = table.hurt_group(group) or busy
    return table.clear()


# ------------------------------------------------------------------ the same by recursion


class Ask(NamedTuple):
    """One wish of a cycle: a point for a group, or for one unit of it if named."""

    rank: int
    named: int | None


class Position(NamedTuple):
    """What is still to be settled; the wishes turn round, a group's last taker goes to its end."""

    pile: int
    asks: tuple[Ask, ...]
    points: tuple[int, ...]
    spent: tuple[int, ...]
    markers: tuple[int, ...]
    queues: tuple[tuple[int, ...], ...]


def apply_hits_by_recursion(units: Sequence[Unit], hits: int, focus: int | None = None) -> Outcome:
    """As `apply_hits`: grant the first wish that can be paid, then settle the rest the same way."""
    check(units, hits, focus)
    sizes: dict[int, int] = {}
    for unit in units:
        sizes[unit["hits"]] = sizes.get(unit["hits"], 0) + unit["members"]
    ranked = sorted(sizes, key=lambda value: -sizes[value])
    lines = tuple(
        tuple(
            sorted(
                (i for i, unit in enumerate(units) if unit["hits"] == value),
                key=lambda i: -units[i]["members"],
            )
        )
        for value in ranked
    )
    wishes = [] if focus is None else [Ask(ranked.index(units[focus]["hits"]), focus)]
    for rank, value in enumerate(ranked):
        is_last = rank + 1 == len(ranked)
        wishes += [Ask(rank, None)] * (1 if is_last else sizes[value] // sizes[ranked[rank + 1]])
    zeros = (0,) * len(units)
    old = tuple(unit.get("markers", 0) for unit in units)

    def grant(position: Position, turn: int, index: int) -> Position | None:
        """The position after this wish is granted to this unit; None if it cannot be."""
        pile, asks, points, spent, markers, queues = position
        unit, rank = units[index], asks[turn].rank
        most = room(unit)
        portion = unit.get("threshold", 1)
        portion = portion if most is None else min(portion, most - points[index])
        due = cost = portion * price(unit)
        left = list(markers)
        for i in lines[rank]:
            used = min(due, left[i])
            left[i] -= used
            due -= used
        if portion == 0 or due > pile:
            return None
        queue = queues[rank]
        if asks[turn].named is None:
            queue = (*(i for i in queue if i != index), index)
        return Position(
            pile - due,
            asks[turn + 1 :] + asks[: turn + 1],
            tuple(n + portion * (i == index) for i, n in enumerate(points)),
            tuple(n + cost * (i == index) for i, n in enumerate(spent)),
            tuple(left),
            (*queues[:rank], queue, *queues[rank + 1 :]),
        )

    def settle(position: Position) -> Outcome:
        for turn, ask in enumerate(position.asks):
            takers = position.queues[ask.rank] if ask.named is None else (ask.named,)
            for index in takers:
                after = grant(position, turn, index)
                if after is not None:
                    return settle(after)
        return rest(position)

    def rest(position: Position) -> Outcome:
        """No wish can be paid: lay down markers."""
        pile, _, points, spent, markers, _ = position
        left, lost = list(markers), 0
        for line in lines:
            dead = [i for i in line if points[i] == room(units[i])]
            heir = next((i for i in line if i not in dead), None)
            freed = sum(left[i] for i in dead)
            for i in dead:
                left[i] = 0
            if heir is None:
                lost += freed
            else:
                left[heir] += freed + pile
                pile = 0
        return Outcome(
            points,
            tuple(casualties(unit, n) for unit, n in zip(units, points, strict=True)),
            tuple(rolls(unit, n) for unit, n in zip(units, points, strict=True)),
            spent,
            tuple(left),
            lost + pile,
        )

    return settle(Position(hits, tuple(wishes), zeros, zeros, old, lines))
