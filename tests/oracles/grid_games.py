"""Whole games of Grid Battles by brute force: every turn, move and attack, both at their best.

Only for games on a few hexes with a few units and a last round. Combats are those of
`grid_battles`. Sight is decided by walking along two lines, shifted a little to either side, and
asking at every stretch which centre is nearest. Clause ids stand in docstrings.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Literal, NamedTuple

from .grid_battles import (
    BOOK,
    PLAIN,
    Combat,
    Dist,
    Ground,
    Rulings,
    Unit,
    combat_odds,
    is_gone,
    may_attack,
    tally,
)

Hex = tuple[int, int]
Point = tuple[int, int]
PARTS = 10_000
AROUND = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


# ------------------------------------------------------------------ readings and sheets


@dataclass(frozen=True)
class GameRulings:
    """One field per ambiguity; the comment gives its number, the first reading is the default."""

    combat: Rulings = BOOK
    edge_by_edge: bool = False
    in_the_way: Literal["all", "enemies", "crossed"] = "all"
    no_fresh: Literal["passes", "ends"] = "passes"
    next_round: Literal["continues", "alternates", "same"] = "continues"
    up_to: bool = False
    both_win: Literal["draw", "starts"] = "draw"
    terrain_costs: bool = True
    control: bool = False
    hampered_wait: bool = False
    all_conditions: bool = False
    holding: Literal["round", "turn", "at_once"] = "round"
    exit_cost: Literal[1, 0] = 1


class Land(NamedTuple):
    """The feature that fills a hex (GB-65)."""

    ground: Ground = PLAIN
    blocks: bool = False
    cost: int = 1
    hampers: bool = False


FIELD = Land()


class Army(NamedTuple):
    """A unit of a side, how far it moves, where it starts."""

    side: int
    unit: Unit
    move: int
    hex: Hex


class Wish(NamedTuple):
    """The victory conditions of a side; nothing in a place is no condition (GB-47a to GB-47c)."""

    destroy: int = 0
    hold: frozenset[Hex] = frozenset()
    escape: int = 0
    exits: frozenset[Hex] = frozenset()


@dataclass(frozen=True)
class Game:
    """A scenario (GB-48): `land` names the hexes of the map, plain ones too.

    `activations` and `wishes` are those of both sides; `end` is the value of a game whose rounds
    are over.
    """

    land: Mapping[Hex, Land]
    armies: tuple[Army, ...]
    activations: tuple[int, int]
    wishes: tuple[Wish, Wish]
    last_round: int
    starts: int = 0
    end: Fraction = Fraction(1, 2)
    rulings: GameRulings = field(default_factory=GameRulings)


class Counter(NamedTuple):
    """A unit on the board; None in its place once it is removed."""

    hex: Hex
    health: int
    fresh: bool = True


OFF: Hex = (999, 999)
"""Where a unit stands that has left the map: it has no turns any more, and nobody reaches it."""
Counters = tuple[Counter | None, ...]


# ------------------------------------------------------------------ hexes and sight


def beside(one: Hex, other: Hex) -> bool:
    """Decide whether two hexes are adjacent."""
    return (other[0] - one[0], other[1] - one[1]) in AROUND


def steps_apart(one: Hex, other: Hex) -> int:
    """Count the steps from hex to hex, walked out ring by ring (GB-60)."""
    ring, n = {one}, 0
    while other not in ring:
        ring = ring | {(q + x, r + y) for q, r in ring for x, y in AROUND}
        n += 1
    return n


def centre(hex_: Hex) -> Point:
    """Place a center, in parts of half widths and half sides."""
    return (2 * hex_[0] + hex_[1]) * PARTS, 3 * hex_[1] * PARTS


def far(one: Point, other: Point) -> int:
    """Measure a distance, squared; half a width is the square root of three half sides."""
    return 3 * (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def runs_through(start: Point, end: Point, hex_: Hex) -> bool:
    """Decide whether part of a segment is nearer to this center than to all centers around."""
    first, last = Fraction(0), Fraction(1)
    here = centre(hex_)
    for x, y in AROUND:
        there = centre((hex_[0] + x, hex_[1] + y))
        # Along the segment the difference of the two distances grows evenly.
        nearer = far(start, here) - far(start, there)
        change = far(end, here) - far(end, there) - nearer
        if change == 0:
            if nearer >= 0:
                return False
        elif change > 0:
            last = min(last, Fraction(-nearer, change))
        else:
            first = max(first, Fraction(-nearer, change))
    return first < last


@cache
def met_from_origin(to: Hex, shift: int) -> frozenset[Hex]:
    """The hexes that a line from (0, 0) meets, ends left out.

    It is the line between the centres (0), or a line a little to one side of it (1, -1).
    """
    x, y = centre(to)
    by_x, by_y = -y // PARTS * shift, x // PARTS * shift
    qs = range(min(0, to[0]) - 1, max(0, to[0]) + 2)
    rs = range(min(0, to[1]) - 1, max(0, to[1]) + 2)
    around = {(q, r) for q in qs for r in rs} - {(0, 0), to}
    start, end = (by_x, by_y), (x + by_x, y + by_y)
    return frozenset(hex_ for hex_ in around if runs_through(start, end, hex_))


@cache
def met(one: Hex, other: Hex, shift: int) -> frozenset[Hex]:
    """The hexes that a line between two hexes meets, shifted to a side or not."""
    q, r = one
    found = met_from_origin((other[0] - q, other[1] - r), shift)
    return frozenset((q + x, r + y) for x, y in found)


def sees(game: Game, counters: Counters, shooter: int, target: int) -> bool:
    """Line of Sight from unit to unit (GB-61 to GB-66, A-7): one of two shifted lines is free.

    Edge by edge (A-6) no two blocked hexes may lie on both sides of an edge on the line.
    """
    from_, to = at(counters, shooter).hex, at(counters, target).hex
    way = game.rulings.in_the_way
    blocked = {hex_ for hex_, land in game.land.items() if land.blocks}
    for place, counter in enumerate(counters):
        if counter is None or place in (shooter, target):
            continue
        if way == "enemies" and game.armies[place].side == game.armies[shooter].side:
            continue
        if way != "crossed" or counter.hex in met(from_, to, 0):
            blocked.add(counter.hex)
    if not game.rulings.edge_by_edge:
        return any(not met(from_, to, shift) & blocked for shift in (1, -1))
    crossed = met(from_, to, 0)
    left, right = ((met(from_, to, shift) - crossed) & blocked for shift in (1, -1))
    return not crossed & blocked and not any(beside(x, y) for x in left for y in right)


# ------------------------------------------------------------------ what may be done


def at(counters: Counters, place: int) -> Counter:
    """The unit at a place of the list, which is there."""
    counter = counters[place]
    if counter is None:
        raise LookupError(place)
    return counter


def with_counter(counters: Counters, place: int, counter: Counter | None) -> Counters:
    """The board with another unit at a place."""
    return (*counters[:place], counter, *counters[place + 1 :])


def fresh(game: Game, counters: Counters, side: int) -> tuple[int, ...]:
    """A side's fresh units."""
    return tuple(
        place
        for place, counter in enumerate(counters)
        if counter is not None
        and counter.fresh
        and counter.hex != OFF
        and game.armies[place].side == side
    )


def activations(game: Game, counters: Counters, side: int) -> Iterator[tuple[int, ...]]:
    """Every set of units that may be activated (GB-44, A-16)."""
    units = fresh(game, counters, side)
    most = min(game.activations[side], len(units))
    for n in range(1 if game.rulings.up_to else most, most + 1):
        yield from combinations(units, n)


def moves(game: Game, counters: Counters, place: int) -> set[Hex]:
    """Every hex that a unit may go to or stay on: all paths walked (GB-50 to GB-55, A-19)."""
    side = game.armies[place].side
    taken = {x.hex for n, x in enumerate(counters) if x is not None and n != place}
    foes = {x.hex for n, x in enumerate(counters) if x is not None and game.armies[n].side != side}
    start = at(counters, place).hex
    reached = {start}

    def walk(here: Hex, points: int) -> None:
        reached.add(here)
        held = game.rulings.control and any(beside(here, foe) for foe in foes)
        if held and here != start:
            if here in game.wishes[side].exits and not game.rulings.exit_cost:
                reached.add(OFF)
            return
        for x, y in AROUND:
            near = here[0] + x, here[1] + y
            if near in game.land and near not in taken:
                cost = game.land[near].cost if game.rulings.terrain_costs else 1
                if cost <= points:
                    walk(near, points - cost)

        exits = game.wishes[side].exits
        if here in exits and points >= game.rulings.exit_cost:
            reached.add(OFF)

    walk(start, game.armies[place].move)
    return reached


def combat_of(game: Game, counters: Counters, attacker: int, target: int) -> Combat:
    """The combat between two units as they stand."""

    def unit(place: int) -> Unit:
        counter, sheet = at(counters, place), game.armies[place].unit
        most = max(sheet.most, sheet.health)
        return sheet._replace(health=counter.health, most=most, tired=not counter.fresh)

    hexes = at(counters, attacker).hex, at(counters, target).hex

    def helped(place: int, foe: Hex) -> bool:
        return any(
            counter is not None
            and other != place
            and game.armies[other].side == game.armies[place].side
            and beside(counter.hex, foe)
            for other, counter in enumerate(counters)
        )

    return Combat(
        unit(attacker),
        unit(target),
        game.land[hexes[0]].ground,
        game.land[hexes[1]].ground,
        distance=steps_apart(*hexes),
        sees=sees(game, counters, attacker, target),
        supported=(helped(attacker, hexes[1]), helped(target, hexes[0])),
    )


@cache
def left_odds(combat: Combat, rulings: Rulings) -> Dist[tuple[int, int]]:
    """The healths that a combat leaves both, by however many hits."""
    odds = combat_odds(combat, rulings=rulings)
    return tally(((end.attacker, end.defender), p) for end, p in odds.items())


# ------------------------------------------------------------------ both sides at their best


def best_value(game: Game) -> Fraction:
    """Value a game for side 0 when both play their best (GB-40 to GB-49)."""
    return Table(game).turn(
        tuple(Counter(army.hex, army.unit.health) for army in game.armies), game.starts, 1
    )


class Table:
    """A game being played out; equal places are valued once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[tuple[object, ...], Fraction] = {}

    def turn(self, counters: Counters, side: int, round_: int) -> Fraction:
        """A player's turn, or a pass, or a new round (GB-41, GB-42, A-14, A-15)."""
        game, rulings = self.game, self.game.rulings
        key = ("turn", counters, side, round_)
        if key in self.known:
            return self.known[key]
        if not fresh(game, counters, side):
            if fresh(game, counters, 1 - side) and rulings.no_fresh == "passes":
                return self.turn(counters, 1 - side, round_)
            if rulings.holding == "round":
                found = self.won(counters, (True, True))
                if found is not None:
                    return found
            if round_ >= game.last_round:
                return game.end
            ready = tuple(x and x._replace(fresh=True) for x in counters)
            if rulings.next_round == "same":
                side = game.starts
            elif rulings.next_round == "alternates":
                side = (game.starts + round_) % 2
            return self.turn(ready, side, round_ + 1)
        values = []
        for units in activations(game, counters, side):
            active = counters
            for place in units:  # in any order
                active = with_counter(active, place, at(active, place)._replace(fresh=False))
            values.append(self.move(active, frozenset(units), frozenset(units), side, round_))
        self.known[key] = self.best(side, values)
        return self.known[key]

    def best(self, side: int, values: list[Fraction]) -> Fraction:
        """The best for whoever decides."""
        return max(values) if side == 0 else min(values)

    def move(
        self,
        counters: Counters,
        waiting: frozenset[int],
        able: frozenset[int],
        side: int,
        round_: int,
    ) -> Fraction:
        """The units of a turn move one at a time, in any order (GB-45, GB-50).

        `waiting` have not moved yet, `able` may still attack afterwards.
        """
        if not waiting:
            return self.attack(counters, able, side, round_)
        key = ("move", counters, waiting, able, side, round_)
        if key not in self.known:
            values = []
            for place in waiting:
                counter = at(counters, place)
                for hex_ in moves(self.game, counters, place):
                    if hex_ == OFF:
                        gone = with_counter(counters, place, counter._replace(hex=OFF))
                        values.append(self.moved(gone, waiting, able - {place}, place, round_))
                        continue
                    came = hex_ != counter.hex and self.game.land[hex_].hampers
                    held = came and self.game.rulings.hampered_wait
                    after = with_counter(counters, place, counter._replace(hex=hex_))
                    fit = able - {place} if held else able
                    values.append(self.moved(after, waiting, fit, place, round_))
            self.known[key] = self.best(side, values)
        return self.known[key]

    def moved(
        self,
        counters: Counters,
        waiting: frozenset[int],
        able: frozenset[int],
        place: int,
        round_: int,
    ) -> Fraction:
        """A unit has moved; that may be all that its side needed."""
        found = self.won(counters)
        if found is not None:
            return found
        side = self.game.armies[place].side
        return self.move(counters, waiting - {place}, able, side, round_)

    def won(self, counters: Counters, now: tuple[bool, bool] = (False, False)) -> Fraction | None:
        """The value of a game that is won, or None; `now`: whether hexes count as held."""
        game, rulings = self.game, self.game.rulings
        standing: tuple[list[Hex | None], list[Hex | None]] = ([], [])
        for army, counter in zip(game.armies, counters, strict=True):
            standing[army.side].append(counter.hex if counter else None)
        both = []
        for side, wish in enumerate(game.wishes):
            met = []
            if wish.destroy:
                met.append(standing[1 - side].count(None) >= wish.destroy)
            if wish.escape:
                met.append(standing[side].count(OFF) >= wish.escape)
            if wish.hold:
                due = now[side] or rulings.holding == "at_once"
                met.append(due and wish.hold.issubset(standing[side]))
            both.append(all(met) if rulings.all_conditions else any(met))
        if all(both):
            first = Fraction(1 - game.starts)
            return first if rulings.both_win == "starts" else Fraction(1, 2)
        return Fraction(both.index(True) == 0) if any(both) else None

    def attack(self, counters: Counters, able: frozenset[int], side: int, round_: int) -> Fraction:
        """The units of a turn attack, each one enemy at most, in any order (GB-46, GB-49)."""
        key = ("attack", counters, able, side, round_)
        if key in self.known:
            return self.known[key]
        values = [self.ends(counters, side, round_)]
        for place in able:
            if counters[place] is None:
                continue
            for target, foe in enumerate(counters):
                if foe is None or foe.hex == OFF or self.game.armies[target].side == side:
                    continue
                combat = combat_of(self.game, counters, place, target)
                if may_attack(combat, rulings=self.game.rulings.combat):
                    left = able - {place}
                    values.append(self.fight(counters, combat, (place, target), left, round_))
        self.known[key] = self.best(side, values)
        return self.known[key]

    def ends(self, counters: Counters, side: int, round_: int) -> Fraction:
        """A turn ends; hexes that it leaves held may win (A-23)."""
        if self.game.rulings.holding == "turn":
            found = self.won(counters, (side == 0, side == 1))
            if found is not None:
                return found
        return self.turn(counters, 1 - side, round_)

    def fight(
        self,
        counters: Counters,
        combat: Combat,
        pair: tuple[int, int],
        able: frozenset[int],
        round_: int,
    ) -> Fraction:
        """One combat; the game ends with the unit that fulfils the goal (GB-47)."""
        game, rulings = self.game, self.game.rulings.combat
        # Sight back is from the target to the attacker, where units of one side are in the way.
        combat = replace(combat, sees=sees(game, counters, pair[1], pair[0]))
        total = Fraction(0)
        for healths, p in left_odds(combat, rulings).items():
            after = counters
            for place, health in zip(pair, healths, strict=True):
                gone = is_gone(health, rulings=rulings)
                counter = None if gone else at(after, place)._replace(health=health)
                after = with_counter(after, place, counter)
            total += p * self._go_on(after, able, game.armies[pair[0]].side, round_)
        return total

    def _go_on(self, counters: Counters, able: frozenset[int], side: int, round_: int) -> Fraction:
        found = self.won(counters)
        if found is not None:
            return found
        return self.attack(counters, able, side, round_)
