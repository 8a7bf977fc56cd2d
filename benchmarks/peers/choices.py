"""The choices of W2 and W2L that no dice library knows, shared by the libraries' solutions.

An attack die *needs* the amount by which it beats the defence (0 if it misses anyway), and a dodge
die that is more than the greatest need is as good as that need. The solvers take what a library
can give - faces, rolls and the ways they fall - as ascending tuples with integer weights.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product

DEFENCE = 5

Roll = tuple[int, ...]
Weighted = Iterable[tuple[Roll, int]]


def need(face: int, defence: int = DEFENCE) -> int:
    """Dodge that it takes to stop an attack die."""
    return face - defence if face > defence else 0


def hits_by_trying(attack: Roll, dodges: Roll, defence: int = DEFENCE) -> int:
    """Hits left after the best of all assignments of dodge dice to attack dice, each tried."""
    fewest = len(attack)
    for targets in product(range(len(attack)), repeat=len(dodges)):
        left = list(attack)
        for target, dodge in zip(targets, dodges, strict=True):
            left[target] -= dodge
        fewest = min(fewest, sum(value > defence for value in left))
    return fewest


def heaps(dodges: Roll) -> list[Roll]:
    """Every way to heap two or three ascending dodge dice, as ascending sums, most heaps first."""
    if len(dodges) == 2:
        low, high = dodges
        return [dodges, (low + high,)]
    low, mid, high = dodges
    pairs = ((low, mid + high), (mid, low + high), (high, low + mid))
    return [dodges, *((a, b) if a <= b else (b, a) for a, b in pairs), (low + mid + high,)]


def hits_left(needs: Roll, heapings: list[Roll]) -> int:
    """Hits left when each heap may stop one die: if n dice can be stopped, the n cheapest can."""
    hits = [n for n in needs if n]
    for heaping in heapings:
        if len(heaping) <= len(hits) and all(map(int.__ge__, heaping, hits)):
            return len(hits) - len(heaping)
    return len(hits)


def _after_one(hits: Mapping[Roll, int], faces: Mapping[int, int]) -> dict[tuple[int, int], int]:
    """For two kept dice: hits summed over every face of the third."""
    sums: dict[tuple[int, int], int] = defaultdict(int)
    for (a, b, c), n in hits.items():
        if n:
            sums[a, b] += faces[c] * n
            if b != c:
                sums[a, c] += faces[b] * n
            if a != b:
                sums[b, c] += faces[a] * n
    return sums


def reroll_one(faces: Mapping[int, int], rolls: Weighted, dodge_rolls: Weighted) -> Fraction:
    """Expected hits when the attacker may reroll one of three dice, seeing the dodge dice."""
    faces, attacks = dict(faces), list(rolls)
    sides = sum(faces.values())
    total = ways = 0
    for dodges, dodge_ways in dodge_rolls:
        heapings = heaps(dodges)
        hits = {needs: hits_left(needs, heapings) for needs, _ in attacks}
        one = _after_one(hits, faces)
        value = 0
        for needs, count in attacks:
            a, b, c = needs
            value += count * max(sides * hits[needs], one[b, c], one[a, c], one[a, b])
        total += dodge_ways * value
        ways += dodge_ways
    return Fraction(total, ways * sides**4)


def reroll_any(faces: Mapping[int, int], rolls: Weighted, dodge_rolls: Weighted) -> Fraction:
    """Expected hits when the attacker may reroll any of three dice, seeing the dodge dice.

    The best over all sets of kept dice is built upwards: nothing kept, one die, two, three.
    """
    faces, attacks = dict(faces), list(rolls)
    sides = sum(faces.values())
    square, cube = sides**2, sides**3
    total = ways = 0
    for dodges, dodge_ways in dodge_rolls:
        heapings = heaps(dodges)
        hits = {needs: hits_left(needs, heapings) for needs, _ in attacks}
        one = _after_one(hits, faces)
        two = {
            a: sum(count * one[(a, b) if a <= b else (b, a)] for b, count in faces.items())
            for a in faces
        }
        three = sum(count * two[a] for a, count in faces.items())
        single = {a: max(three, sides * value) for a, value in two.items()}
        pair = {
            (a, b): max(single[a], single[b], square * one[a, b])
            for a in faces
            for b in faces
            if a <= b
        }
        value = 0
        for needs, count in attacks:
            a, b, c = needs
            value += count * max(cube * hits[needs], pair[b, c], pair[a, c], pair[a, b])
        total += dodge_ways * value
        ways += dodge_ways
    return Fraction(total, ways * sides**6)
