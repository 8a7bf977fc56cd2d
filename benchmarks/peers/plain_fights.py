"""Plain Python, written by hand for exactly two fights; no library, no numpy.

W6 is the Eclipse Phase duel of A and B to the end, W8 is battles of three A against three B. Only
wounds change a fighter's target numbers, so that everything an attack can do stands in one kernel
per pair of wound levels: the distribution of the damage left after armor. Nothing is kept between
calls.
"""

from bisect import bisect
from itertools import accumulate
from operator import itemgetter, mul
from random import Random
from typing import NamedTuple

Kernels = list[list[list[float]]]
"""Net damage distributions, by wounds of the attacker, then of the defender."""

Arrivals = tuple[list[int], list[float]]
"""The places before a hit that leads to a place, and the chances of these hits."""


class Fighter(NamedTuple):
    """What the sheet says."""

    skill: int
    fray: int
    n_d10: int
    armor: int
    wound_threshold: int
    durability: int

    @property
    def levels(self) -> int:
        """How many wound levels, 0 included, a fighter can have who is not out."""
        return (self.durability - 1) // self.wound_threshold + 1


A = Fighter(skill=60, fray=40, n_d10=2, armor=5, wound_threshold=7, durability=35)
B = Fighter(skill=50, fray=30, n_d10=3, armor=8, wound_threshold=8, durability=40)


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
    size = max(factor * (len(ways) - 1) for ways, factor in kinds) - defender.armor + 1
    for ways, factor in kinds:
        net, all_ways = [0.0] * size, sum(ways)
        for total, n in enumerate(ways):
            net[max(0, total * factor - defender.armor)] += n / all_ways
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
            first, second, third = (hits[bound] / 10_000 for bound in bands)
            one, two = second - first, third - second
            critical = _critical_hits(skill, fray) / 10_000
            net = [first * p + one * q + two * r + critical * s for p, q, r, s in damage]
            net[0] += 1 - third - critical
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


def _arrivals(fighter: Fighter, by_other: Kernels) -> list[list[Arrivals]]:
    """By wounds of the other and condition: from which places one hit leads there, how likely.

    Places are numbered from 1 in the order of the conditions; 0 is before the fight.
    """
    conditions, threshold = _conditions(fighter), fighter.wound_threshold
    place = {condition: i for i, condition in enumerate(conditions, start=1)}
    sources = [
        [
            (place[before], before[0], net)
            for net in range(1, min(damage + 1, len(by_other[0][0])))
            if (before := (wounds - net // threshold, damage - net)) in place
        ]
        for wounds, damage in conditions
    ]
    return [
        [
            (
                [before for before, earlier, net in hits if kernel[earlier][net]],
                [chance for _, earlier, net in hits if (chance := kernel[earlier][net])],
            )
            for hits in sources
        ]
        for kernel in by_other
    ]


def w6(a: Fighter = A, b: Fighter = B) -> tuple[float, float]:
    """Sweep once forwards over expected visits; returns P(A wins) and the mean of rounds."""
    by_a, by_b = kernels(a, b), kernels(b, a)
    conditions_b, levels_b = _conditions(b), range(b.levels)
    sizes = [b.durability - b.wound_threshold * wounds for wounds in levels_b]
    starts = [0, *accumulate(sizes)]
    into_a = _arrivals(a, by_b)
    for wounds in levels_b:
        into_a[wounds][0] = [0], [1.0]
    # two places at least are read, so that a tuple comes; there are no chances for those too many
    into_b = [
        [
            [(itemgetter(*places, 0, 0), chances) for places, chances in arrivals[start:][:size]]
            for start, size in zip(starts, sizes, strict=False)
        ]
        for arrivals in _arrivals(b, by_a)
    ]
    kills = [
        [0.0, *(sum(kernel[wounds][b.durability - damage :]) for wounds, damage in conditions_b)]
        for kernel in by_a
    ]
    # expected answers of B: by condition of A, by wounds of B, then by condition of B
    answers = [[[0.0] * size for size in sizes]]
    answers[0][0][0] = 1.0
    p_win = rounds = 0.0
    for i, (wounds_a, _) in enumerate(_conditions(a)):
        attacks = [0.0]  # expected attacks of A by condition of B
        blocks = []
        for wounds_b, arrivals in enumerate(into_b[wounds_a]):
            p_still, q_still = by_a[wounds_a][wounds_b][0], by_b[wounds_b][wounds_a][0]
            often = 1 / (1 - p_still * q_still)
            places, ps = into_a[wounds_b][i]
            block = []
            before = [answers[place][wounds_b] for place in places]
            rows = zip(*before, strict=True) if before else [()] * len(arrivals)
            for row, (attacks_before, qs) in zip(rows, arrivals, strict=True):
                from_a = sum(map(mul, qs, attacks_before(attacks)))
                mine = (sum(map(mul, ps, row)) + q_still * from_a) * often
                attacks.append(mine)
                block.append(from_a + p_still * mine)
            blocks.append(block)
        answers.append(blocks)
        rounds += sum(attacks)
        p_win += sum(map(mul, attacks, kills[wounds_a]))
    return p_win, rounds


def w6_by_state(a: Fighter = A, b: Fighter = B) -> tuple[float, float]:
    """State by state, nearest to the end first: what one writes down without a second thought."""
    by_a, by_b = kernels(a, b), kernels(b, a)
    values: dict[tuple[int, int, int, int], tuple[float, float, float, float]] = {}
    for wounds_a, damage_a in sorted(_conditions(a), key=itemgetter(1), reverse=True):
        for wounds_b, damage_b in sorted(_conditions(b), key=itemgetter(1), reverse=True):
            win = rounds = lose_win = lose_rounds = 0.0
            kernel = by_a[wounds_a][wounds_b]
            for net, chance in enumerate(kernel):
                if net and chance:
                    damage = damage_b + net
                    if damage >= b.durability:
                        win += chance
                        continue
                    after = (wounds_a, damage_a, wounds_b + net // b.wound_threshold, damage)
                    _, _, p, mean = values[after]
                    win += chance * p
                    rounds += chance * mean
            back = by_b[wounds_b][wounds_a]
            for net, chance in enumerate(back):
                if net and chance and damage_a + net < a.durability:
                    damage = damage_a + net
                    after = (wounds_a + net // a.wound_threshold, damage, wounds_b, damage_b)
                    p, mean, _, _ = values[after]
                    lose_win += chance * p
                    lose_rounds += chance * mean
            # a misses, then b misses, and all is as before: A's turn x, B's turn y
            miss, miss_back = kernel[0], back[0]
            once = 1 - miss * miss_back
            p = (win + miss * lose_win) / once
            mean = (1 + rounds + miss * lose_rounds) / once
            here = (wounds_a, damage_a, wounds_b, damage_b)
            values[here] = (p, mean, lose_win + miss_back * p, lose_rounds + miss_back * mean)
    return values[0, 0, 0, 0][:2]


# W8: battles of three against three
#
# All three of a side are alike, and whoever has been hit has the least durability left until out:
# the target is always the first of those who stand, and nobody else has been hit.


def _thresholds(attacker: Fighter, defender: Fighter) -> Kernels:
    """Kernels as running sums, without the last, which is 1: what `bisect` reads damage from."""
    return [[[*accumulate(net)][:-1] for net in row] for row in kernels(attacker, defender)]


def w8(n: int, seed: int, a: Fighter = A, b: Fighter = B) -> tuple[int, int, float]:
    """Play with one random number for each attack; returns wins of both sides, mean rounds."""
    by_a, by_b = _thresholds(a, b), _thresholds(b, a)
    durability_a, threshold_a = a.durability, a.wound_threshold
    durability_b, threshold_b = b.durability, b.wound_threshold
    random = Random(seed).random
    wins_a = rounds = 0
    for _ in range(n):
        # the first who stands on each side: who, damage and wounds
        first_a = damage_a = wounds_a = first_b = damage_b = wounds_b = 0
        while first_a < 3 and first_b < 3:
            rounds += 1
            for turn in (0, 1, 2):
                if turn >= first_a:
                    sums = by_a[wounds_a if turn == first_a else 0][wounds_b]
                    chance = random()
                    if chance >= sums[0]:
                        net = bisect(sums, chance)
                        damage_b += net
                        if damage_b < durability_b:
                            wounds_b += net // threshold_b
                        else:
                            first_b += 1
                            damage_b = wounds_b = 0
                            if first_b == 3:
                                wins_a += 1
                                break
                if turn >= first_b:
                    sums = by_b[wounds_b if turn == first_b else 0][wounds_a]
                    chance = random()
                    if chance >= sums[0]:
                        net = bisect(sums, chance)
                        damage_a += net
                        if damage_a < durability_a:
                            wounds_a += net // threshold_a
                        else:
                            first_a += 1
                            damage_a = wounds_a = 0
                            if first_a == 3:
                                break
    return wins_a, n - wins_a, rounds / n


def _rolled(target: int, random: Random) -> tuple[bool, bool, int]:
    """Roll d100 against a target number: success, critical, roll."""
    roll = random.randrange(100)
    return roll == 0 or (roll <= target and roll != 99), roll % 11 == 0, roll


def _is_hit(attack: int, fray: int, mine: tuple[bool, bool, int], random: Random) -> bool:
    """Whether an attack roll beats the defence, which is rolled."""
    succeeds, critical, roll = mine
    defends, critical_defence, defence_roll = _rolled(fray, random)
    if not succeeds or not defends:
        return succeeds
    if critical != critical_defence:
        return critical
    return roll > defence_roll or (critical and roll == defence_roll and attack > fray)


class _Standing:
    """A fighter in a battle."""

    def __init__(self, sheet: Fighter) -> None:
        self.sheet = sheet
        self.left = sheet.durability
        self.wounds = 0

    def attack(self, other: "_Standing", random: Random) -> None:
        """Roll an attack, the defence, and damage if it hits."""
        skill = self.sheet.skill - _penalty(self.wounds)
        fray = other.sheet.fray - _penalty(other.wounds)
        mine = _rolled(skill, random)
        if not _is_hit(skill, fray, mine, random):
            return
        _, critical, roll = mine
        damage = sum(random.randint(1, 10) for _ in range(self.sheet.n_d10))
        if critical:
            damage *= 2
        else:
            damage += sum(random.randint(1, 6) for bound in (33, 66) if roll >= bound)
        net = max(0, damage - other.sheet.armor)
        other.left -= net
        other.wounds += net // other.sheet.wound_threshold


def w8_dice(n: int, seed: int, a: Fighter = A, b: Fighter = B) -> tuple[int, int, float]:
    """Play with every die rolled, and targets looked for; returns the same as `w8`."""
    random = Random(seed)
    wins, rounds = [0, 0], 0
    for _ in range(n):
        sides = [[_Standing(a) for _ in range(3)], [_Standing(b) for _ in range(3)]]
        order = [(side, sides[side][place]) for place in range(3) for side in (0, 1)]
        fighting = True
        while fighting:
            rounds += 1
            for side, fighter in order:
                if fighter.left <= 0:
                    continue
                enemies = [enemy for enemy in sides[1 - side] if enemy.left > 0]
                fighter.attack(min(enemies, key=lambda enemy: enemy.left), random)
                if all(enemy.left <= 0 for enemy in enemies):
                    wins[side] += 1
                    fighting = False
                    break
    return wins[0], wins[1], rounds / n
