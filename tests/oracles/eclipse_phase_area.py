"""Attacks on an area in Eclipse Phase 2e by brute force, from the text alone.

Every face of the attack roll, of the direction and distance of scatter, of each Fray roll and of
every damage die is gone through. Wounds and what follows are left out: what gets through armor is
where an area attack differs from any other. Clause ids stand in docstrings.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import cos, floor, pi, prod, sin, sqrt
from typing import Literal, NamedTuple

Net = tuple[int, ...]
"""What gets through the armor of each target, then how far the blast scattered."""
Through = tuple[tuple[bool, int, int], ...]
"""What gets through to one target: by whether the Fray roll succeeds, and the sum of the dice."""
TINY = 1e-7


@dataclass(frozen=True)
class Explosive:
    """Dice, and how they spread: from the center, evenly within a radius, or as a cone."""

    d10: int
    flat: int = 0
    spread: Literal["center", "radius", "cone"] = "center"
    radius: float = 0
    per_meter: int = 2
    comes_to_rest: bool = False
    placed: bool = False
    shape: Literal["round", "half", "quarter"] = "round"


@dataclass(frozen=True)
class Person:
    """Somebody who may be caught: meters to the right of the point aimed at and beyond it.

    `off` stands for both where only the distance is known. A `fray` of None can't dodge.
    """

    fray: int | None
    armor: int
    right: float = 0
    beyond: float = 0
    off: float | None = None
    near_cover: bool = False
    is_object: bool = False


@dataclass(frozen=True)
class Readings:
    """The open questions; what stands first is taken where nothing is said."""

    fray: Literal["plain", "opposed"] = "plain"
    meters: Literal["down", "nearest"] = "down"
    twice: Literal[4, 3] = 4
    damage: Literal["once", "each"] = "once"
    edge: Literal["radius", "damage"] = "radius"
    bearings: Literal[12, 8] = 12


class Attack(NamedTuple):
    """One face of the attack roll, as far as it matters."""

    succeeds: bool
    critical: bool
    superior: int
    failures: int


def attack_of(face: int, tn: int) -> Attack:
    """Success, doubles, and the bands of 33 and 66 (EP-1 to EP-5)."""
    succeeds = face == 0 or (face <= tn and face != 99)
    double = face // 10 == face % 10
    if succeeds:
        return Attack(True, double, 0 if double else (face >= 33) + (face >= 66), 0)
    return Attack(False, double, 0, 0 if double else (face <= 66) + (face <= 33))


def half_up(number: int) -> int:
    """Half, halves rounded up (EP-7)."""
    return (number + 1) // 2


def taken_off(weapon: Explosive, meters: float, readings: Readings) -> int:
    """What distance takes off the damage (EP-102)."""
    if weapon.spread == "cone":
        return 0
    out = meters if weapon.spread == "center" else max(0.0, meters - weapon.radius)
    whole = floor(out + TINY) if readings.meters == "down" else floor(out + 0.5 + TINY)
    return weapon.per_meter * whole


def gets_away(
    weapon: Explosive, who: Person, meters: float, rolled: int, readings: Readings
) -> bool:
    """Whether a Fray roll that succeeds avoids it all: near cover or the edge (EP-103)."""
    if who.near_cover:
        return True
    if weapon.spread == "cone":
        return False
    if weapon.spread == "radius" and readings.edge == "radius":
        return abs(meters - weapon.radius) <= 1 + TINY
    return rolled <= taken_off(weapon, meters + 1, readings)


def through(
    weapon: Explosive, who: Person, meters: float | None, rolled: int, *, dodged: bool,
    readings: Readings, halves_armor: bool = False,
) -> int:  # fmt: skip
    """Falloff, then half for Fray, then armor (EP-102, EP-103, EP-153)."""
    if meters is None:
        return 0
    left = max(0, rolled - taken_off(weapon, meters, readings))
    if dodged:
        left = 0 if gets_away(weapon, who, meters, rolled, readings) else half_up(left)
    armor = half_up(who.armor) if halves_armor else who.armor
    return max(0, left - armor)


def throws(d10: int, d6: int) -> Iterator[int]:
    """The sum of every throw of these dice."""
    for faces in product(*[range(1, 11)] * d10, *[range(1, 7)] * d6):
        yield sum(faces)


@cache
def tallied(d10: int, d6: int) -> dict[int, int]:
    """How many throws of these dice come to each sum."""
    ways: dict[int, int] = {}
    for total in throws(d10, d6):
        ways[total] = ways.get(total, 0) + 1
    return ways


def landings(
    weapon: Explosive, people: list[Person], attack: Attack, readings: Readings
) -> Iterator[tuple[int, list[list[float]]]]:
    """How far it scatters, and how far that may be from each; all equally likely (EP-104)."""
    plain = [sqrt(w.right**2 + w.beyond**2) if w.off is None else w.off for w in people]
    stays = weapon.spread == "cone" or weapon.placed
    if stays or (attack.succeeds and not weapon.comes_to_rest):
        yield 0, [[meters] for meters in plain]
        return
    times = (1, 2, readings.twice)[attack.failures]
    angles = [2 * pi * hour / readings.bearings for hour in range(1, readings.bearings + 1)]
    around = [(sin(angle), cos(angle)) for angle in angles]
    for (to_right, ahead), face in product(around, range(1, 11)):
        meters = face * times
        x, y = meters * to_right, meters * ahead
        far = []
        for who in people:
            stands = [(who.right, who.beyond)]
            if who.off is not None:  # in any direction
                stands = [(who.off * right, who.off * beyond) for right, beyond in around]
            far.append([sqrt((right - x) ** 2 + (beyond - y) ** 2) for right, beyond in stands])
        yield meters, far


@cache
def dodges(skill: int, attack: Attack, roll: int, opposed: bool, tn: int) -> int:
    """How many faces of a Fray roll succeed; as ruled it has to beat the attack's (A-16)."""
    return sum(_dodge(face, skill, attack, roll, opposed, tn) for face in range(100))


def _dodge(face: int, skill: int, attack: Attack, roll: int, opposed: bool, tn: int) -> bool:
    fray = attack_of(face, skill)
    if not opposed or not attack.succeeds:
        return fray.succeeds
    if not fray.succeeds:
        return False
    if fray.critical != attack.critical:
        return fray.critical
    if fray.critical and face == roll:
        return tn <= skill
    return face >= roll


def in_the_way(weapon: Explosive, who: Person, *, shaped: bool) -> bool:
    """Whether a charge that is shaped points at somebody (EP-108)."""
    if not shaped or weapon.shape == "round" or who.off is not None:
        return True
    if weapon.shape == "half":
        return who.beyond >= 0
    return who.beyond >= abs(who.right)


def area_attack(
    weapon: Explosive, tn: int, people: list[Person], readings: Readings | None = None
) -> dict[Net, Fraction]:
    """Every outcome of an attack on an area with its chance."""
    readings = readings or Readings()
    found: dict[Net, Fraction] = {}
    faces: dict[tuple[Attack, int], int] = {}
    for face in range(100):
        # The number itself matters only where Fray is compared with it.
        kind = attack_of(face, tn), face if readings.fray == "opposed" else 0
        faces[kind] = faces.get(kind, 0) + 1
    ends: dict[Attack, list[tuple[int, list[float], int]]] = {}
    for (attack, face), ways in faces.items():
        share = Fraction(ways, 100)
        if weapon.spread == "cone" and not attack.succeeds:
            _add(found, (0,) * (len(people) + 1), share)
            continue
        if attack not in ends:
            ends[attack] = _landed(weapon, people, attack, readings)
        counts: Counter[Net] = Counter()
        suffer = _Suffered(weapon, tn, people, (face, attack), readings)
        for scatter, far, many in ends[attack]:
            for net, n in suffer.counted(far).items():
                counts[*net, scatter] += many * n
        every = counts.total()
        for net, n in counts.items():
            _add(found, net, share * Fraction(n, every))
    return found


def _add(found: dict[Net, Fraction], net: Net, chance: Fraction) -> None:
    found[net] = found.get(net, Fraction(0)) + chance


def _landed(
    weapon: Explosive, people: list[Person], attack: Attack, readings: Readings
) -> list[tuple[int, list[float], int]]:
    """The landings and in how many ways each comes about, those that come to the same together."""
    alike: Counter[tuple[int, tuple[float, ...]]] = Counter()
    seen: dict[object, float] = {}
    for scatter, far in landings(weapon, people, attack, readings):
        # Of distances that come to the same the first that was seen stands for all.
        spots = [
            Counter(seen.setdefault(_zone(weapon, meters, readings), meters) for meters in those)
            for those in far
        ]
        for which in product(*[spot.items() for spot in spots]):
            alike[scatter, tuple([meters for meters, _ in which])] += prod([n for _, n in which])
    return [(scatter, list(far), ways) for (scatter, far), ways in alike.items()]


def _zone(weapon: Explosive, meters: float, readings: Readings) -> tuple[object, ...]:
    """All that matters of a distance; from there on one is as good as another."""
    near = abs(meters - weapon.radius) <= 1 + TINY
    return taken_off(weapon, meters, readings), taken_off(weapon, meters + 1, readings), near


class _Suffered:
    """What gets through to each, and of how many faces of all Fray rolls and damage dice."""

    def __init__(
        self, weapon: Explosive, tn: int, people: list[Person], rolled: tuple[int, Attack],
        readings: Readings,
    ) -> None:  # fmt: skip
        roll, attack = rolled
        self.weapon, self.people, self.readings = weapon, people, readings
        self.shaped = weapon.placed and attack.succeeds
        extra = attack.superior if attack.succeeds else 0
        self.times = 2 if attack.succeeds and attack.critical else 1
        if weapon.placed:
            shapes = {"round": 1, "half": 2, "quarter": 3}
            self.times = shapes[weapon.shape] if self.shaped else 1
        opposed = readings.fray == "opposed"
        # A charge's superior successes count against objects only (EP-108).
        self.dice = [extra if not weapon.placed or who.is_object else 0 for who in people]
        self.piercing = weapon.placed and attack.succeeds and attack.critical
        self.rolls = {more: tallied(weapon.d10, more) for more in set(self.dice)}
        hits = [
            0 if who.fray is None else dodges(who.fray, attack, roll, opposed, tn) for who in people
        ]
        self.chances = [
            [(way, ways) for way, ways in ((True, n), (False, 100 - n)) if ways] for n in hits
        ]
        self.tables: dict[tuple[int, float], Through] = {}
        self.joined: dict[tuple[Through, ...], dict[Net, int]] = {}

    def counted(self, far: list[float]) -> dict[Net, int]:
        """With everybody so far from where it went off; tables that are equal are joined once."""
        tables = tuple([self._table(place, meters) for place, meters in enumerate(far)])
        if tables not in self.joined:
            self.joined[tables] = self._join(tables)
        return self.joined[tables]

    def _table(self, place: int, far: float) -> Through:
        """What gets through to one of them, by whether the Fray roll succeeds and by the dice."""
        if (place, far) not in self.tables:
            who, weapon = self.people[place], self.weapon
            meters = far if in_the_way(weapon, who, shaped=self.shaped) else None
            self.tables[place, far] = tuple([
                (way, rolled, through(
                    weapon, who, meters, (rolled + weapon.flat) * self.times, dodged=way,
                    readings=self.readings, halves_armor=self.piercing and who.is_object,
                ))
                for way, _ in self.chances[place] for rolled in self.rolls[self.dice[place]]
            ])  # fmt: skip
        return self.tables[place, far]

    def _join(self, tables: tuple[Through, ...]) -> dict[Net, int]:
        gets = [{(way, rolled): net for way, rolled, net in table} for table in tables]
        together = self.readings.damage == "once"
        kinds = sorted(set(self.dice)) if together else range(len(self.people))
        sums = [self.rolls[kind] if together else self.rolls[self.dice[kind]] for kind in kinds]
        thrown = [kinds.index(more) if together else n for n, more in enumerate(self.dice)]
        found: dict[Net, int] = {}
        for dice in product(*[table.items() for table in sums]):
            rolled = [dice[place][0] for place in thrown]
            for which in product(*self.chances):
                ways = prod([many for _, many in (*dice, *which)])
                net = tuple([
                    got[way, total]
                    for got, (way, _), total in zip(gets, which, rolled, strict=True)
                ])  # fmt: skip
                found[net] = found.get(net, 0) + ways
        return found
