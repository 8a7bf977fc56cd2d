"""Plain Python, written by hand for exactly two fights; no library, no numpy.

W6 is the Eclipse Phase duel of A and B to the end, W8 is battles of three A against three B. Only
wounds change a fighter's target numbers, so that everything an attack can do stands in one kernel
per pair of wound levels: the distribution of the damage left after armour. Nothing is kept between
calls.
"""

from bisect import bisect
from collections.abc import Callable
from itertools import accumulate
from operator import itemgetter, mul
from random import Random
from typing import NamedTuple

Kernels = list[list[list[float]]]
"""Net damage distributions, by wounds of the attacker, then of the defender."""


class Fighter(NamedTuple):
    """What the sheet says."""

    skill: int
    fray: int
    n_d10: int
    armour: int
    wound_threshold: int
    durability: int

    @property
    def levels(self) -> int:
        """How many wound levels, 0 included, a fighter can have who is not out."""
        return (self.durability - 1) // self.wound_threshold + 1


A = Fighter(skill=60, fray=40, n_d10=2, armour=5, wound_threshold=7, durability=35)
B = Fighter(skill=50, fray=30, n_d10=3, armour=8, wound_threshold=8, durability=40)


def clear() -> None:
    """Nothing to drop: every call starts from nothing."""


def _penalty(wounds: int) -> int:
    return 10 * min(wounds, 6)


# One attack


def _plain_hits_below(fray: int) -> list[int]:
    """For every roll, pairs of a lower plain attack roll and a defence roll that loses to it.

    A plain attack success beats failures and lower plain successes.
    """
    doubles = max(fray, 0) // 11 + 1
    failures = 100 - max(fray + 1, 1)
    plains = 100 - failures - doubles
    wins = [0] * 100
    below = 0
    for roll in range(1, 99):
        if roll % 11:
            wins[roll] = failures + below
            below += below < plains
    return [0, *accumulate(wins)]


def _critical_hits(attack: int, fray: int) -> int:
    """Pairs of a critical attack success and a defence roll that loses to it.

    It beats all but higher criticals, and equal ones if its target number is higher.
    """
    mine, theirs = max(attack, 0) // 11 + 1, max(fray, 0) // 11 + 1
    lower = sum(min(place, theirs) for place in range(mine))
    equal = min(mine, theirs) if attack > fray else 0
    return mine * (100 - theirs) + lower + equal


def _with_die(ways: list[int], sides: int) -> list[int]:
    """Ways to every sum once one more die is added."""
    more = [0] * (len(ways) + sides)
    for total, n in enumerate(ways):
        for face in range(1, sides + 1):
            more[total + face] += n
    return more


def _damage(attacker: Fighter, defender: Fighter) -> list[list[float]]:
    """Net damage of a plain hit with 0, 1, 2 superior successes, and of a critical hit."""
    dice = [1]
    for _ in range(attacker.n_d10):
        dice = _with_die(dice, 10)
    one = _with_die(dice, 6)
    kinds = ((dice, 1), (one, 1), (_with_die(one, 6), 1), (dice, 2))
    table = []
    size = max(factor * len(ways) for ways, factor in kinds) - defender.armour
    for ways, factor in kinds:
        net, all_ways = [0.0] * size, sum(ways)
        for total, n in enumerate(ways):
            net[max(0, total * factor - defender.armour)] += n / all_ways
        table.append(net)
    return table


def kernels(attacker: Fighter, defender: Fighter) -> Kernels:
    """Net damage of one attack, a miss being 0, for every pair of wound levels."""
    damage = list(zip(*_damage(attacker, defender), strict=True))
    frays = [defender.fray - _penalty(wounds) for wounds in range(defender.levels)]
    below = [_plain_hits_below(fray) for fray in frays]
    table = []
    for wounds in range(attacker.levels):
        skill = attacker.skill - _penalty(wounds)
        bands = [min(bound, max(skill, 0) + 1) for bound in (33, 66, 99)]
        row = []
        for fray, hits in zip(frays, below, strict=True):
            none, one, two = (hits[bound] for bound in bands)
            critical = _critical_hits(skill, fray)
            one, two = (one - none) / 10_000, (two - one) / 10_000
            miss = (10_000 - critical - hits[bands[2]]) / 10_000
            none, critical = none / 10_000, critical / 10_000
            net = [none * p + one * q + two * r + critical * s for p, q, r, s in damage]
            net[0] += miss
            row.append(net)
        table.append(row)
    return table


# W6: the duel to the end
#
# One number for each place of the fight is enough, if the sweep goes forwards: how often A is
# expected to attack there. The sum of them is the number of rounds; weighted by the chance to put B
# out they are A's chance to win. A place is left for good with the first damage, so that each is
# solved in closed form from places with less damage.


def _conditions(fighter: Fighter) -> list[tuple[int, int]]:
    """Every (wounds, damage) of a fighter who is not out, each after all that lead to it."""
    threshold = fighter.wound_threshold
    return [
        (wounds, damage)
        for wounds in range(fighter.levels)
        for damage in range(wounds * threshold, fighter.durability)
    ]


def _arrivals(fighter: Fighter, kernel: list[list[float]]) -> list[tuple[list[int], list[float]]]:
    """For every condition, from which others one hit leads to it, and how likely.

    `kernel` holds net damage by wounds of the fighter who is hit.
    """
    conditions, threshold = _conditions(fighter), fighter.wound_threshold
    place = {condition: i for i, condition in enumerate(conditions)}
    table = []
    for wounds, damage in conditions:
        places, chances = [], []
        for net in range(1, min(damage + 1, len(kernel[0]))):
            earlier = wounds - net // threshold
            before = place.get((earlier, damage - net))
            if before is not None and kernel[earlier][net]:
                places.append(before)
                chances.append(kernel[earlier][net])
        table.append((places, chances))
    return table


def w6() -> tuple[float, float]:
    """Sweep once forwards over expected visits; returns P(A wins) and the mean of rounds."""
    by_a, by_b = kernels(A, B), kernels(B, A)
    at_b, at_a = _conditions(B), _conditions(A)
    n_b = len(at_b)
    blocks: list[list[list[float]]] = []  # expected attacks of B by condition of A, wounds of B
    to_a = [_arrivals(A, row) for row in by_b]
    steps = []  # how B's condition is reached, by wounds of A and of B
    kills = []  # the chance to put B out, by wounds of A
    for row in by_a:
        reached = [
            (itemgetter(*places, n_b, n_b), chances) for places, chances in _arrivals(B, row)
        ]
        steps.append(
            [[r for r, (w, _) in zip(reached, at_b, strict=True) if w == k] for k in range(B.levels)]
        )
        tails = [[*accumulate(reversed(net))][::-1] for net in row]
        kills.append([tails[wounds][B.durability - damage] if B.durability - damage < len(tails[wounds]) else 0.0 for wounds, damage in at_b])
    p_win = rounds = 0.0
    for i, (wounds_a, _) in enumerate(at_a):
        attacks = [0.0] * (n_b + 1)  # expected attacks of A by condition of B
        answers = []
        place = 0
        for wounds_b, reached in enumerate(steps[wounds_a]):
            p_still, q_still = by_a[wounds_a][wounds_b][0], by_b[wounds_b][wounds_a][0]
            often = 1 / (1 - p_still * q_still)
            places, chances = to_a[wounds_b][i]
            from_b = zip(*[blocks[p][wounds_b] for p in places]) if i else [(1.0,)]+[(0.,)]*999
            if not i: chances = [1.] if wounds_b==0 else []
            block = []
            for (seen, ps), qs in zip(reached, from_b, strict=False):
                from_a = sum(map(mul, ps, seen(attacks)))
                mine = often * (sum(map(mul, chances, qs)) + q_still * from_a)
                attacks[place] = mine
                block.append(from_a + p_still * mine)
                place += 1
            answers.append(block)
        blocks.append(answers)
        rounds += sum(attacks)
        p_win += sum(map(mul, attacks, kills[wounds_a]))
    return p_win, rounds
