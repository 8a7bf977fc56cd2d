"""Attack and defense thrown at once, for hints.

Nothing here is a rule: where only the winner matters, two rolls that are compared are one roll.
"""

from __future__ import annotations

from functools import lru_cache

from affray.core.dice import Face, Pool
from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance
from affray.core.reading import Counts
from affray.systems.eclipse_phase import roll
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.opposed import target_rolled, tie_goes_to
from affray.systems.eclipse_phase.reading import (
    LOST,
    DefenseRead,
    Result,
    TestRead,
    Winner,
    Zero,
    strength,
)
from affray.systems.eclipse_phase.roll import PERCENT
from affray.systems.eclipse_phase.state import Exchange

__all__ = ["OpposedRead", "at_once"]

BOTH = Pool((PERCENT.dice[0], 2))


class OpposedRead(NamedTuple):
    """The d100 of an attack and that of its target: the result of an attack that nothing stops.

    Attributes:
        attack: how the first die is read.
        tn, zero: of the defense.
        ties: who prevails on equal strength; on that of two critical successes.
    """

    attack: TestRead
    tn: int
    zero: Zero
    ties: tuple[Winner, Winner]

    def __call__(self, faces: tuple[Face, ...]) -> Result:
        """The attack, or `LOST` where the defense stops it."""
        result = self.attack(faces[:1])
        if not result.success:
            return result
        if self._defense(result)(faces[1:]) != LOST:
            return LOST
        return _through(result.critical, result.superior)

    def _defense(self, result: Result) -> DefenseRead:
        """The defense against one result of the attack."""
        return DefenseRead(self.tn, self.zero, strength(result), self.ties[result.critical])

    def counted(self, pool: Pool) -> Counts[Result]:
        """By results of the attack."""
        counts: Counts[Result] = {}
        stopped = 0
        for result, ways in self.attack.counted(pool).items():
            if not result.success:
                counts[result] = counts.get(result, 0) + 100 * ways
                continue
            lost = _lost(self.tn, self.zero, strength(result), self.ties[result.critical])
            stopped += (100 - lost) * ways
            if lost:
                kept = _through(result.critical, result.superior)
                counts[kept] = counts.get(kept, 0) + lost * ways
        if stopped:
            counts[LOST] = counts.get(LOST, 0) + stopped
        return counts


@lru_cache(maxsize=4096)
def _lost(tn: int, zero: Zero, against: int, tie: Winner) -> int:
    """The faces of a defense that don't stop an attack; they are the same for many attacks."""
    return DefenseRead(tn, zero, against, tie).lost


@lru_cache(maxsize=64)
def _through(critical: bool, superior: int) -> Result:  # noqa: FBT001  # as `Result` has it
    """An attack that is not stopped: what it showed is compared with nothing any more."""
    return Result(True, critical, superior, 0)


def at_once(node: Chance[Exchange]) -> Chance[Exchange]:
    """An attack roll on one target together with the defense, where no points come between.

    An attack that is stopped is a failed one.
    """
    read, x = node.read, node.then.facts
    target = x.targets[0]
    if (
        len(x.targets) > 1
        or x.struck
        or target.tn is None
        or target.shift
        or target.skill == "unable"
        or target.pools
        or x.rulings[rule.REVEAL] == "both"
        or not isinstance(read, TestRead)
    ):
        return node
    plain, critical = (Result(True, is_critical, 0, 0) for is_critical in (False, True))
    ties = tie_goes_to(x, target, plain), tie_goes_to(x, target, critical)
    rest = x._replace(targets=(target_rolled(target),), defense=LOST)
    return node._replace(
        dice=BOTH,
        read=OpposedRead(read, target.tn, target.zero, ties),
        then=At(roll.compare_rolls, rest),
    )
