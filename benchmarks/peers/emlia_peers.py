"""W7 and W9, a fight of two Emlia units and an attack on a mixed body, as experts would write them.

The check is a pool of d10: a die of the difficulty D or more is a success, each 1 cancels one, and
what is left above 0 are hits. D is 6 less the sum of modifiers, from 2 to 10.

W7: two units of n members fight in close combat to the end, with as many dice as members, and
every second hit on a unit kills a member; an odd hit stays as a marker. A has +1, B -1; whoever
outnumbers the other has +1, from 2:1 another +1, from 3:1 another +2. Both attack in every round,
and casualties leave at its end. `w7_plain`, `w7_tuned` and `w7_numpy` give the same floats to 12
digits; `w7_exact` gives Fractions, and is slow.

W9: 60 dice at D 6 against a body of six units without limits or thresholds. The answer is the joint
distribution of points of damage. `*_raw()` stops at the library's own type; `w9_plain()`,
`w9_tuned()`, `w9_icepool()` and `w9_dyce()` give plain dicts of Fractions and must agree exactly.

Libraries are imported when they are asked for. Nothing is kept between calls, except by icepool.
"""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any, NamedTuple

from .numbers import W9, Mixed

MEMBERS = 30
HITS_PER_MEMBER = 2
HEIGHT_A, HEIGHT_B = 1, -1


class Fight(NamedTuple):
    """Chances of the ends, the mean of rounds, and mean members left of each winner."""

    p_a: float
    p_b: float
    p_draw: float
    rounds: float
    left_a: float
    left_b: float


def difficulty(members: int, subjects: int, height: int) -> int:
    """What a die must show in an attack of so many members on so many subjects."""
    bonus = height
    if members > subjects:
        bonus += 1
    if members >= 2 * subjects:
        bonus += 1
    if members >= 3 * subjects:
        bonus += 2
    return min(10, max(2, 6 - bonus))


# -- W7: plain Python ------------------------------------------------------------------------


def _hits(dice: int, target: int) -> list[float]:
    """Chances of 0, 1, 2, ... hits with so many dice."""
    success, cancel = (11 - target) / 10, 1 / 10
    neither = 1 - success - cancel
    chances = [0.0] * (dice + 1)
    for successes in range(dice + 1):
        for ones in range(dice - successes + 1):
            others = dice - successes - ones
            ways = comb(dice, successes) * comb(dice - successes, ones)
            chance = ways * success**successes * cancel**ones * neither**others
            chances[max(0, successes - ones)] += chance
    return chances


def _after(members: int, marker: int, hits: list[float]) -> list[tuple[int, int, float]]:
    """Members and marker at the end of a round, with their chances."""
    after = []
    gone = 0.0
    for n, chance in enumerate(hits):
        lost, rest = divmod(marker + n, HITS_PER_MEMBER)
        if lost < members:
            after.append((members - lost, rest, chance))
        else:
            gone += chance
    if gone:
        after.append((0, 0, gone))
    return after


def w7_plain(n: int = MEMBERS, height_a: int = HEIGHT_A, height_b: int = HEIGHT_B) -> Fight:
    """Go forwards over the expected visits of states, those with most members first."""
    tables: dict[tuple[int, int], list[float]] = {}

    def hits(dice: int, target: int) -> list[float]:
        if (dice, target) not in tables:
            tables[dice, target] = _hits(dice, target)
        return tables[dice, target]

    strengths = [(members, marker) for members in range(n, 0, -1) for marker in (0, 1)]
    visits: dict[tuple[int, int, int, int], float] = defaultdict(float)
    visits[n, 0, n, 0] = 1.0
    rounds = 0.0
    for a, marker_a in strengths:
        for b, marker_b in strengths:
            by_a = hits(a, difficulty(a, b, height_a))
            by_b = hits(b, difficulty(b, a, height_b))
            # rounds without a hit lead back here: a geometric series
            here = visits[a, marker_a, b, marker_b] / (1 - by_a[0] * by_b[0])
            rounds += here
            after_b = _after(b, marker_b, by_a)
            for next_a, next_marker_a, p in _after(a, marker_a, by_b):
                p_here = here * p
                for next_b, next_marker_b, q in after_b:
                    visits[next_a, next_marker_a, next_b, next_marker_b] += p_here * q
    p_a = p_b = left_a = left_b = 0.0
    for (a, _, b, _), chance in visits.items():
        if a and not b:
            p_a += chance
            left_a += a * chance
        elif b and not a:
            p_b += chance
            left_b += b * chance
    return Fight(p_a, p_b, visits[0, 0, 0, 0], rounds, left_a / p_a, left_b / p_b)


# -- W7: plain Python, tuned -----------------------------------------------------------------
#
# Members and marker are one number, the hits a unit has taken of the 2n that it can take. The four
# states of two strengths roll the same dice: they are solved together, first merged over the
# markers of B, then spread over what A takes, so that the inner loop runs once for all four.


def _tables(n: int, target: int) -> list[list[float]]:
    """Chances of hits with 0 to n dice, one die added at a time."""
    success, cancel = (11 - target) / 10, 1 / 10
    neither = 1 - success - cancel
    net = [1.0]
    tables = [net]
    for dice in range(1, n + 1):
        shifts = zip([*net, 0.0, 0.0], [0.0, *net, 0.0], [0.0, 0.0, *net], strict=True)
        net = [cancel * less + neither * same + success * more for less, same, more in shifts]
        tables.append([sum(net[: dice + 1]), *net[dice + 1 :]])
    return tables


def _cut(chances: list[float], most: int) -> list[float]:
    """Nobody takes more than so many hits."""
    if len(chances) <= most + 1:
        return chances
    return [*chances[:most], sum(chances[most:])]


def w7_tuned(n: int = MEMBERS, height_a: int = HEIGHT_A, height_b: int = HEIGHT_B) -> Fight:
    """Four states at a time on flat lists; rows are hits taken by A, places hits taken by B."""
    targets = {
        (members, subjects, height): difficulty(members, subjects, height)
        for members in range(1, n + 1)
        for subjects in range(1, n + 1)
        for height in (height_a, height_b)
    }
    tables = {target: _tables(n, target) for target in set(targets.values())}
    most = HITS_PER_MEMBER * n
    arrivals = [[0.0] * (most + 1) for _ in range(most + 1)]
    arrivals[0][0] = 1.0
    rounds = 0.0
    for a in range(n, 0, -1):
        taken_a = HITS_PER_MEMBER * (n - a)
        row, row_marked = arrivals[taken_a], arrivals[taken_a + 1]
        for b in range(n, 0, -1):
            taken_b = HITS_PER_MEMBER * (n - b)
            by_a = tables[targets[a, b, height_a]][a]
            by_b = tables[targets[b, a, height_b]][b]
            (a_0, a_1), (b_0, b_1) = by_a[:2], by_b[:2]
            often = 1 / (1 - a_0 * b_0)
            none = row[taken_b] * often
            on_b = (row[taken_b + 1] + none * b_0 * a_1) * often
            on_a = (row_marked[taken_b] + none * b_1 * a_0) * often
            both = none * b_1 * a_1 + on_b * b_1 * a_0 + on_a * b_0 * a_1
            both = (row_marked[taken_b + 1] + both) * often
            rounds += none + on_b + on_a + both
            shifts = list(zip([*by_a, 0.0], [0.0, *by_a], strict=True))
            unmarked = _cut([none * p + on_b * q for p, q in shifts], 2 * b)
            marked = _cut([on_a * p + both * q for p, q in shifts], 2 * b)
            end = taken_b + len(marked)
            ps, qs = _cut([*by_b, 0.0], 2 * a), _cut([0.0, *by_b], 2 * a)
            # what these four states add to themselves is read by nobody
            for after, p, q in zip(arrivals[taken_a:], ps, qs, strict=False):
                after[taken_b:end] = [
                    old + p * x + q * y
                    for old, x, y in zip(after[taken_b:end], unmarked, marked, strict=True)
                ]
    by_hits_left = [(hits_left + 1) // HITS_PER_MEMBER for hits_left in range(most, 0, -1)]
    wins_a, wins_b = [row[most] for row in arrivals[:most]], arrivals[most][:most]
    p_a, p_b = sum(wins_a), sum(wins_b)
    left_a = sum(p * left for p, left in zip(wins_a, by_hits_left, strict=True)) / p_a
    left_b = sum(p * left for p, left in zip(wins_b, by_hits_left, strict=True)) / p_b
    return Fight(p_a, p_b, arrivals[most][most], rounds, left_a, left_b)


# -- W7: numpy -------------------------------------------------------------------------------
#
# x and y are the hits that A and B can still take; rows of states share x. What B loses in a row
# is a triangular matrix; as both rows of a strength of A roll the same dice, two triangular systems
# and one product of matrices carry a strength to all later rows. Dice are added up as powers of
# their Fourier transforms.


def w7_numpy(n: int = MEMBERS, height_a: int = HEIGHT_A, height_b: int = HEIGHT_B) -> Fight:
    """Sweep over the strengths of A, all states of B at once."""
    import numpy as np
    from scipy.linalg.blas import dtrsv

    most = HITS_PER_MEMBER * n
    sizes = np.arange(1, n + 1)
    over = sizes[:, None] - np.arange(1, 4)[:, None, None] * sizes  # 1:1, 2:1, 3:1
    bonus = 2 * (over[2] >= 0) + (over[1] >= 0) + (over[0] > 0)  # numbers first: no `or` of truths
    target_a = np.clip(6 - height_a - bonus, 2, 10)  # by strength of A, then of B
    target_b = np.clip(6 - height_b - bonus.T, 2, 10)

    success = np.arange(9, 0, -1)[:, None] / 10
    turn = np.exp(-2j * np.pi / (most + 2) * np.arange(n + 2))
    die = success * turn + (0.9 - success) + 0.1 / turn
    pools = np.multiply.accumulate(np.broadcast_to(die, (n, *die.shape)))
    net = np.fft.irfft(pools, most + 2)  # dice - 1, target - 2, net successes modulo 2n + 2
    hits = np.zeros((n, 9, most + 2))  # from n + 1 hits on 0
    hits[:, :, 1 : n + 1] = net[:, :, 1 : n + 1]
    hits[:, :, 0] = 1 - hits.sum(axis=2)
    at_least = hits[:, :, ::-1].cumsum(axis=2)[:, :, ::-1]

    y = np.arange(1, most + 1)
    b_of_y = (y - 1) // HITS_PER_MEMBER
    pool_of_dice = 9 * np.arange(n)
    starts_a = (pool_of_dice[:, None] + target_a - 2)[:, b_of_y] * (most + 2)
    starts_b = (pool_of_dice + target_b - 2)[:, b_of_y] * (most + 2)
    lost_b = np.maximum(y[:, None] - np.arange(most + 1), -1) % (most + 2)  # from y to y'
    lost_a = np.arange(n + 1, -2, -1)[:, None] % (most + 2)  # from most to none, and a 0
    gone_b = at_least.take(starts_a + y)

    arrivals = np.zeros((most + 1, most + 1))
    arrivals[most, most] = 1
    system = np.empty((most, most))
    rounds = 0.0
    for a in range(n, 0, -1):
        x = HITS_PER_MEMBER * a
        by_a = hits.take(starts_a[a - 1][:, None] + lost_b)
        by_a[:, 0] = gone_b[a - 1]
        by_b = hits.take(starts_b[a - 1] + lost_a)
        np.multiply(by_a[:, 1:], -by_b[n + 1][:, None], out=system)
        system.ravel()[:: most + 1] += 1
        unmarked = dtrsv(system.T, arrivals[x, 1:])
        onwards = (unmarked * by_b[n]) @ by_a
        marked = dtrsv(system.T, arrivals[x - 1, 1:] + onwards[1:])
        rounds += unmarked.sum() + marked.sum()
        low = max(0, x - n - 1)
        by_b = by_b[n + 1 - x + low :]
        spread = by_b[:-1] * unmarked
        spread += by_b[1:] * marked
        if low == 0:
            start = starts_b[a - 1] + x
            spread[0] = at_least.take(start) * unmarked + at_least.take(start - 1) * marked
        # what both rows add to themselves is read by nobody
        arrivals[low : x + 1] += spread @ by_a
    wins_a, wins_b = arrivals[1:, 0], arrivals[0, 1:]
    p_a, p_b, left = wins_a.sum(), wins_b.sum(), b_of_y + 1
    means = p_a, p_b, arrivals[0, 0], rounds, wins_a @ left / p_a, wins_b @ left / p_b
    return Fight(*map(float, means))


# -- W7: slow and certain --------------------------------------------------------------------


def _exact_hits(dice: int, target: int) -> dict[int, Fraction]:
    """Add dice one by one in whole ways, and cut below 0 at the end."""
    ways = {0: 1}
    for _ in range(dice):
        more: dict[int, int] = defaultdict(int)
        for net, n in ways.items():
            for face in range(1, 11):
                more[net + (face >= target) - (face == 1)] += n
        ways = more
    hits: dict[int, Fraction] = defaultdict(Fraction)
    for net, n in ways.items():
        hits[max(0, net)] += Fraction(n, 10**dice)
    return hits


class ExactFight(NamedTuple):
    """The facts of `Fight` without rounding."""

    p_a: Fraction
    p_b: Fraction
    p_draw: Fraction
    rounds: Fraction
    left_a: Fraction
    left_b: Fraction


def w7_exact(n: int = 3) -> ExactFight:
    """Look ahead from each state, in Fractions; for a few members only."""
    hits = cache(_exact_hits)

    def struck(members: int, marker: int, n_hits: int) -> tuple[int, int]:
        while n_hits and members:
            n_hits -= 1
            marker += 1
            if marker == HITS_PER_MEMBER:
                members, marker = members - 1, 0
        return members, marker

    @cache
    def ahead(a: int, marker_a: int, b: int, marker_b: int) -> tuple[Fraction, ...]:
        """Chances of the ends, mean rounds, members left of A and B."""
        if not a or not b:
            ends = bool(a), bool(b), not a and not b, 0, a, b
            return tuple(Fraction(end) for end in ends)
        sums = [Fraction(0)] * 6
        still = Fraction(0)
        for on_b, p in hits(a, difficulty(a, b, HEIGHT_A)).items():
            for on_a, q in hits(b, difficulty(b, a, HEIGHT_B)).items():
                if on_a == on_b == 0:
                    still = p * q
                    continue
                after = *struck(a, marker_a, on_a), *struck(b, marker_b, on_b)
                sums = [old + p * q * new for old, new in zip(sums, ahead(*after), strict=True)]
        sums[3] += 1
        return tuple(value / (1 - still) for value in sums)

    p_a, p_b, p_draw, rounds, left_a, left_b = ahead(n, 0, n, 0)
    return ExactFight(p_a, p_b, p_draw, rounds, left_a / p_a, left_b / p_b)


# -- W9: the body ----------------------------------------------------------------------------

DICE, _, BODY = W9
BASE_DAMAGE = 1

Groups = tuple[tuple[int, int], ...]
Damage = tuple[int, ...]


def allocate(hits: int, groups: Groups, base_damage: int = BASE_DAMAGE) -> tuple[Damage, int]:
    """Points of damage by group, for groups (members, Hits), and the hits that hurt nobody.

    From the largest group to the smallest and again, each takes a point, or k points if it is k
    times as large as the next.
    """
    order = sorted(range(len(groups)), key=lambda place: -groups[place][0])
    sizes = [groups[place][0] for place in order]
    shares = [size // after for size, after in zip(sizes, [*sizes[1:], sizes[-1]], strict=True)]
    left = [members for members, _ in groups]
    costs = [max(1, hits_value - base_damage) for _, hits_value in groups]
    hurt = True
    while hurt:
        hurt = False
        for place, share in zip(order, shares, strict=True):
            points = min(share, left[place], hits // costs[place])
            if points:
                hits -= points * costs[place]
                left[place] -= points
                hurt = True
    return tuple(members - rest for (members, _), rest in zip(groups, left, strict=True)), hits


def damage_of(net: int, body: Groups = BODY) -> Damage:
    """Damage of so many net successes to the body."""
    return allocate(max(0, net), body)[0]


# -- W9: plain Python ------------------------------------------------------------------------


def w9_plain_raw(given: Mixed = W9) -> tuple[dict[Damage, int], int]:
    """Count dice with each number of successes and of ones, then allocate each number of hits."""
    dice, target, body = given
    n_success = 11 - target
    n_other = 9 - n_success
    by_net = [0] * (dice + 1)
    for successes in range(dice + 1):
        ways = comb(dice, successes) * n_success**successes
        for ones in range(dice - successes + 1):
            others = dice - successes - ones
            more = ways * comb(dice - successes, ones) * n_other**others
            by_net[max(0, successes - ones)] += more
    weights: dict[Damage, int] = defaultdict(int)
    for net, ways in enumerate(by_net):
        weights[damage_of(net, body)] += ways
    return weights, 10**dice


def _fractions(weights: dict[Damage, int], denominator: int) -> dict[Damage, Fraction]:
    return {damage: Fraction(ways, denominator) for damage, ways in weights.items()}


def w9_plain(given: Mixed = W9) -> dict[Damage, Fraction]:
    """Count in integers, then divide."""
    return _fractions(*w9_plain_raw(given))


def _coefficients(packed: int, width: int, n: int) -> Iterator[int]:
    mask = (1 << width) - 1
    return (packed >> width * place & mask for place in range(n))


def w9_tuned_raw(given: Mixed = W9) -> tuple[dict[Damage, int], int]:
    """All dice are one power of a polynomial, kept in one integer."""
    dice, target, body = given
    n_success = 11 - target
    width = (10**dice).bit_length()
    die = 1 | (9 - n_success) << width | n_success << 2 * width
    ways = list(_coefficients(die**dice, width, 2 * dice + 1))
    weights: dict[Damage, int] = defaultdict(int)
    weights[damage_of(0, body)] = sum(ways[:dice])
    for net, n in enumerate(ways[dice:]):
        weights[damage_of(net, body)] += n
    return weights, 10**dice


def w9_tuned(given: Mixed = W9) -> dict[Damage, Fraction]:
    """Raise a polynomial to a power, then divide."""
    return _fractions(*w9_tuned_raw(given))


# -- W9: icepool and dyce --------------------------------------------------------------------


def _cut_die(target: int) -> dict[int, int]:
    """A die as net successes, and its faces."""
    return {-1: 1, 0: target - 2, 1: 11 - target}


def w9_icepool_raw(given: Mixed = W9) -> Any:
    """Add up dice cut down to net successes; one operator allocates."""
    from icepool import Die

    return (given.dice @ Die(_cut_die(given.target))).unary_operator(
        lambda net: damage_of(net, given.body)
    )


def w9_icepool(given: Mixed = W9) -> dict[Damage, Fraction]:
    """Add up, allocate, then divide."""
    raw = w9_icepool_raw(given)
    denominator = raw.denominator()
    return {tuple(end): Fraction(ways, denominator) for end, ways in raw.items()}


def clear_icepool() -> None:
    """Drop what icepool keeps between calls."""
    from .icepool_tuned import clear

    clear()


def w9_dyce_raw(given: Mixed = W9) -> Any:
    """Add up histograms cut down to net successes, then allocate."""
    from dyce import H

    return (given.dice @ H(_cut_die(given.target))).apply(lambda net: damage_of(net, given.body))


def w9_dyce(given: Mixed = W9) -> dict[Damage, Fraction]:
    """Add up, allocate, then divide."""
    return dict(w9_dyce_raw(given).probability_items())
