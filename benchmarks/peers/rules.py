"""The rules of W1 that no dice library knows, shared by the libraries' solutions.

A d100 roll is read as a *rank* that orders successes: -1 for a failure, the roll for a plain
success, 100 more for a critical one. The kinds of result of an attack are 0, 1, 2 for a hit with
that many superior successes, 3 for a critical hit and 4 for a miss.
"""

from collections.abc import Iterable

CRITICAL, MISS = 3, 4


def rank(roll: int, target: int) -> int:
    """Rank of a d100 roll against a target: doubles are critical, 00 succeeds, 99 fails."""
    if (roll > target and roll != 0) or roll == 99:
        return -1
    return roll + 100 if roll % 11 == 0 else roll


def hit_kind(attack: int) -> int:
    """Kind of hit that an attacker's rank makes: a critical, or 0 to 2 superior successes."""
    return CRITICAL if attack >= 100 else (attack >= 33) + (attack >= 66)


def kind(attack: int, defence: int) -> int:
    """Kind of result of two ranks; equal criticals hit as the attack is higher."""
    if attack > defence or attack == defence >= 100:
        return hit_kind(attack)
    return MISS


def kinds_by_cumulation(
    attack: Iterable[tuple[int, int]], defence: Iterable[tuple[int, int]]
) -> list[int]:
    """Ways to each kind of result, from both sides' (rank, ways) in ascending order of rank.

    One pass over both sides, counting the defender's ranks that lie below the attacker's.
    """
    ways = [0] * 5
    defences = list(defence)
    below = place = 0
    everything = sum(count for _, count in defences)
    for mine, count in attack:
        while place < len(defences) and (
            defences[place][0] < mine or defences[place][0] == mine >= 100
        ):
            below += defences[place][1]
            place += 1
        ways[hit_kind(mine)] += count * below
        ways[MISS] += count * (everything - below)
    return ways


def net(damage: int, armor: int) -> int:
    """Damage that is left after armor."""
    return damage - armor if damage > armor else 0
