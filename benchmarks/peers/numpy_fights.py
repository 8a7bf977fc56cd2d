"""The two fights of `plain_fights`, written for numpy, and independently of it.

W6 is linear algebra on the expected visits of places, W8 rolls all dice of all battles as arrays.
Nothing is kept between calls.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Bytes = NDArray[np.int8]
Truths = NDArray[np.bool_]

ROLLS = np.arange(100)
DOUBLES = ROLLS % 11 == 0
MISSED = -1


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


# One attack


def _ranks(targets: Places) -> Places:
    """What every roll is worth against each target number: critical successes are 100 more."""
    succeeds = (targets[:, None] >= ROLLS) & (ROLLS != 99) | (ROLLS == 0)
    return np.where(succeeds, ROLLS + 100 * DOUBLES, MISSED)


def _wounded(value: int, levels: int) -> Places:
    return value - 10 * np.minimum(np.arange(levels), 6)


def _kinds(attacker: Fighter, defender: Fighter) -> Floats:
    """Chances by both wound levels: plain hits with 0, 1, 2 superior successes, critical hits."""
    attacks = _wounded(attacker.skill, attacker.levels)
    frays = _wounded(defender.fray, defender.levels)
    mine, theirs = _ranks(attacks), _ranks(frays)
    counts = np.zeros((len(frays), 201))
    np.add.at(counts, (np.arange(len(frays))[:, None], theirs + 1), 1)
    below = counts.cumsum(axis=1)  # at rank r: how many defence rolls have less than r
    won = below[:, mine] * (mine != MISSED)  # defence level, attack level, roll
    ties = counts[:, mine + 1] * (mine >= 100)
    won += ties * (attacks > frays[:, None])[:, :, None]
    bounds = [ROLLS < 33, (ROLLS >= 33) & (ROLLS < 66), ROLLS >= 66]
    kinds = np.array([*(bound & ~DOUBLES for bound in bounds), DOUBLES])
    chances: Floats = (won @ kinds.T).swapaxes(0, 1) / 10_000
    return chances


def _damage(attacker: Fighter, defender: Fighter) -> Floats:
    """Net damage for each kind of hit."""
    d10, d6 = np.r_[0, np.full(10, 0.1)], np.r_[0, np.full(6, 1 / 6)]
    dice = np.ones(1)
    for _ in range(attacker.n_d10):
        dice = np.convolve(dice, d10)
    one = np.convolve(dice, d6)
    twice = np.zeros(2 * len(dice) - 1)
    twice[::2] = dice
    kinds = (dice, one, np.convolve(one, d6), twice)
    table = np.zeros((4, max(map(len, kinds)) - defender.armor))
    for row, kind in zip(table, kinds, strict=True):
        net = kind[defender.armor :]
        row[: len(net)] = net
        row[0] += kind[: defender.armor].sum()
    return table


def kernels(attacker: Fighter, defender: Fighter) -> Floats:
    """Net damage of one attack by wounds of attacker and defender; a miss is 0."""
    kinds = _kinds(attacker, defender)
    net = kinds @ _damage(attacker, defender)
    net[:, :, 0] += 1 - kinds.sum(axis=2)
    return net


# W6: the duel to the end
#
# Rows x of expected visits, one number for each condition of B, go through the conditions of A in
# order of damage. There A and B attack in turns: with K for A's attacks and q for the chances that
# an answer does nothing, A attacks x (1 + Kq + KqKq + ...) = x / (1 - Kq) times, and B as often
# times K. Only A's wounds matter to that, so that five matrices are inverted.


def _turns(unchanged: Floats, bounds: Places) -> Floats:
    """1 + m + mm + ... for matrices m of attacks that are answered without effect.

    Wounds of B, who has them between the bounds, never heal: the matrices are triangular in blocks
    by wounds. Small blocks also keep numpy from starting threads, which cost more than they give.
    """
    turns = np.zeros_like(unchanged)
    for low, high in pairwise(bounds):
        same = np.linalg.inv(np.eye(high - low) - unchanged[:, low:high, low:high])
        turns[:, low:high, low:high] = same
        turns[:, :low, low:high] = turns[:, :low, :low] @ unchanged[:, :low, low:high] @ same
    return turns


def w6(a: Fighter = A, b: Fighter = B) -> tuple[float, float]:
    """Invert once for each wound level of A, then go through A's damage."""
    by_a, by_b = kernels(a, b), kernels(b, a)
    wounds, damage = np.nonzero(
        np.arange(b.durability) >= b.wound_threshold * np.arange(b.levels)[:, None]
    )
    size = len(wounds)
    place = np.zeros((b.levels, b.durability), dtype=int)
    place[wounds, damage] = np.arange(size)
    start, net = np.nonzero(damage[:, None] + np.arange(by_a.shape[2]) < b.durability)
    end = place[wounds[start] + net // b.wound_threshold, damage[start] + net]
    attack = np.zeros((a.levels, size, size))
    attack[:, start, end] = by_a[:, wounds[start], net]
    answer = np.ascontiguousarray(by_b[wounds].transpose(1, 2, 0))  # A's wounds, net, B
    still = answer[:, 0]
    turns = _turns(attack * still[:, None, :], np.searchsorted(wounds, range(b.levels + 1)))
    answers = (turns - np.eye(size)) / still[:, None, :]
    arrivals = np.zeros((a.levels, a.durability, size))
    arrivals[0, 0, 0] = 1
    for before in range(a.durability):
        now = before // a.wound_threshold + 1
        visits = np.einsum("wi,wij->wj", arrivals[:now, before], answers[:now])
        net = np.arange(1, a.durability - before)
        after = np.arange(now)[:, None] + net // a.wound_threshold
        arrivals[after, before + net] += visits[:, None] * answer[:now, net]
    attacks = np.einsum("wi,wij->wj", arrivals.sum(axis=1), turns)
    kills = 1 - attack.sum(axis=2)
    return float((attacks * kills).sum()), float(attacks.sum())


# W8: battles of three against three
#
# All three of a side are alike, and whoever has been hit has the least durability left until out:
# the target is always the first of those who stand, and nobody else has been hit.


class Side(NamedTuple):
    """Three fighters in every battle: who is the first to stand, his durability left and wounds."""

    sheet: Fighter
    first: Bytes
    left: Bytes
    wounds: Bytes

    def only(self, battles: Places) -> "Side":
        """The same in some of the battles."""
        return Side(self.sheet, self.first[battles], self.left[battles], self.wounds[battles])


def _fresh(sheet: Fighter, n: int) -> Side:
    nothing = np.zeros(n, dtype=np.int8)
    return Side(sheet, nothing, np.full(n, sheet.durability, dtype=np.int8), nothing.copy())


def _d100(targets: Bytes, rng: np.random.Generator) -> tuple[Truths, Truths, Bytes]:
    """Roll against target numbers: successes, doubles, rolls."""
    rolls = rng.integers(0, 100, len(targets), dtype=np.int8)
    return (rolls <= targets) & (rolls != 99) | (rolls == 0), DOUBLES[rolls], rolls


def _attack(side: Side, turn: int, other: Side, rng: np.random.Generator) -> None:
    """One fighter's attack in all battles where he stands and somebody stands against him."""
    battles = np.flatnonzero((side.first <= turn) & (other.first < 3))
    wounds = np.where(side.first[battles] == turn, side.wounds[battles], 0)
    attacks = side.sheet.skill - 10 * np.minimum(wounds, 6)
    frays = other.sheet.fray - 10 * np.minimum(other.wounds[battles], 6)
    succeeds, critical, roll = _d100(attacks, rng)
    defends, critical_defence, defence = _d100(frays, rng)
    higher = (roll > defence) | (critical & (roll == defence) & (attacks > frays))
    better = np.where(critical == critical_defence, higher, critical)
    hits = np.flatnonzero(succeeds & (better | ~defends))
    battles, critical, roll = battles[hits], critical[hits], roll[hits]
    dice = rng.integers(1, 11, (side.sheet.n_d10, len(hits)), dtype=np.int8)
    damage = dice.sum(axis=0, dtype=np.int8)
    damage[critical] *= 2
    for bound in (33, 66):
        superior = np.flatnonzero(~critical & (roll >= bound))
        damage[superior] += rng.integers(1, 7, len(superior), dtype=np.int8)
    net = np.maximum(damage - other.sheet.armor, 0)
    left = other.left[battles] - net
    out = left <= 0
    other.first[battles] += out
    other.left[battles] = np.where(out, other.sheet.durability, left)
    more = net // other.sheet.wound_threshold
    other.wounds[battles] = np.where(out, 0, other.wounds[battles] + more)


def w8(n: int, seed: int, a: Fighter = A, b: Fighter = B) -> tuple[int, int, float]:
    """Play all battles at once, die by die; returns wins of both sides, mean rounds."""
    rng = np.random.Generator(np.random.SFC64(seed))
    one, two = _fresh(a, n), _fresh(b, n)
    wins_one = wins_two = rounds = 0
    while len(one.first):
        rounds += len(one.first)
        for turn in range(3):
            _attack(one, turn, two, rng)
            _attack(two, turn, one, rng)
        won, lost = two.first == 3, one.first == 3
        wins_one += int(np.count_nonzero(won))
        wins_two += int(np.count_nonzero(lost))
        going_on = np.flatnonzero(~(won | lost))
        one, two = one.only(going_on), two.only(going_on)
    return wins_one, wins_two, rounds / n
