"""Opposed tests: one side prevails when attack and defense have been rolled."""

from __future__ import annotations

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

__all__ = ["attack_rolled", "prevails", "target_rolled", "tie_goes_to"]


def _edge(x: Exchange, target: Target) -> int:
    if target.edge is not None:
        return target.edge
    return x.numbers.tn + target.shift - (target.tn or 0)


@cites("EP-16", "EP-17", "EP-56")
def tie_goes_to(x: Exchange, target: Target, roll: Result) -> Winner:
    """One side prevails when both show the same."""
    higher: Winner = "attack" if _edge(x, target) > 0 else "defense"
    if roll.critical:
        return higher
    match x.rulings[rule.TIES]:
        case "miss":
            return "defense"
        case "deadlock":
            return "nobody"
        case "higher_skill":
            return higher


def prevails(x: Exchange, target: Target, roll: Result) -> Winner:
    """One side prevails, or nobody does."""
    if not roll.success:
        return "defense"
    if x.defense in {HELD, HELD_CRITICALLY}:
        return "defense"
    if x.defense == TIED:
        return "nobody"
    ours, theirs = strength(roll), strength(x.defense)
    if ours == theirs:
        return tie_goes_to(x, target, roll)
    return "attack" if ours > theirs else "defense"


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
