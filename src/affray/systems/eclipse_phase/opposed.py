"""Opposed tests: one side prevails when attack and defense have been rolled."""

from __future__ import annotations

from affray.core.modifier import Total
from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.core.unknown import remembers
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.reading import (
    HELD,
    HELD_CRITICALLY,
    TIED,
    Result,
    Winner,
    strength,
)
from affray.systems.eclipse_phase.state import Attack, Exchange, Target

__all__ = [
    "attack_rolled", "number_compared", "opposed", "prevails", "target_rolled", "tie_goes_to",
]  # fmt: skip


def _edge(x: Exchange, target: Target) -> int:
    if target.edge is not None:
        return target.edge
    return x.numbers.tn + target.shift - (target.tn or 0)


@cites("EP-14", "EP-15", "EP-16")
def opposed(ours: Result, theirs: Result, edge: int, tie: Winner = "defense") -> Winner:
    """One side of an opposed test prevails, or nobody does.

    Args:
        ours: the test of the side that wants something.
        theirs: the test of the side that opposes it.
        edge: our skill less theirs, which decides between equal critical successes.
        tie: the side that prevails when both show the same and neither is a critical success.
    """
    one, other = strength(ours), strength(theirs)
    if one != other:
        return "attack" if one > other else "defense"
    if ours.success and ours.critical:
        return "attack" if edge > 0 else "defense"
    return tie


@cites("EP-16")
def number_compared(total: Total, needed: int, rulings: Rulings) -> int:
    """The number that counts as the skill in a test that halves nothing (A-3).

    Args:
        total: the target number, itemised.
        needed: the target number in the end, with a point that was spent.
        rulings: as ruled.
    """
    return needed if rulings[rule.EQUAL_CRITICALS] == "final" else total.base.value


@cites("EP-17", "EP-56")
def tie_goes_to(x: Exchange, target: Target, roll: Result) -> Winner:
    """One side of an attack prevails when both show the same."""
    edge = _edge(x, target)
    return opposed(roll, roll, edge, _equal(x, edge))


def _equal(x: Exchange, edge: int) -> Winner:
    """One side prevails on equal successes that aren't critical, as ruled (A-1)."""
    match x.rulings[rule.TIES]:
        case "miss":
            return "defense"
        case "deadlock":
            return "nobody"
        case "higher_skill":
            return "attack" if edge > 0 else "defense"


def prevails(x: Exchange, target: Target, roll: Result) -> Winner:
    """One side of an attack prevails, or nobody does."""
    if not roll.success:
        return "defense"
    if x.defense in {HELD, HELD_CRITICALLY}:
        return "defense"
    if x.defense == TIED:
        return "nobody"
    edge = _edge(x, target)
    return opposed(roll, x.defense, edge, _equal(x, edge))


@remembers(4096)
def attack_rolled(attack: Attack) -> Attack:
    """The attacker's numbers without what only the test needed."""
    return attack._replace(
        tn=0, plus=0, bare=0, unhelped=0, zero="", skill="", flips=True, helped=False
    )


@remembers(4096)
def target_rolled(target: Target) -> Target:
    """A target's numbers without what only the test needed."""
    return target._replace(
        tn=None, plus=0, bare=0, zero="", skill="", edge=None, shift=0, bare_shift=0, helped=False
    )
