"""Opposed tests by hand: the book's sentences about two d100s, one after the other."""

from itertools import product


def succeeds(face: int, tn: int) -> bool:
    """00 always succeeds, 99 never does."""
    return face == 0 or (face <= tn and face != 99)


def wins(one: int, one_tn: int, other: int, other_tn: int) -> bool:
    """Whether the first of two tests wins; where the book leaves it open, it doesn't.

    A lone success wins; of two successes a lone critical (a double), then the higher roll; of two
    equal criticals the higher skill (EP-14 to EP-16).
    """
    if not (succeeds(one, one_tn) and succeeds(other, other_tn)):
        return succeeds(one, one_tn)
    critical, opposed = one % 11 == 0, other % 11 == 0
    if critical != opposed:
        return critical
    if one != other:
        return one > other
    return critical and one_tn > other_tn


def ways(one_tn: int, other_tn: int) -> int:
    """The pairs of d100s, of 10,000, with which the first test wins."""
    return sum(wins(a, one_tn, d, other_tn) for a, d in product(range(100), repeat=2))
