"""The numbers that a battle keeps of a fighter: a word and a tally, 63 bits each.

The word, the lowest of a side being the next target:

    out | attacks this round | rank for the other side | fighter | damage taken | condition

The tally is added to:

    damage taken, as far as it is no longer in the word | foes put out | damage dealt

And the key by which fighters act in a round, the lowest first:

    initiative, less is better | tie breaker | roll-off | fighter
"""

from __future__ import annotations

from affray.core.errors import LimitError

__all__ = ["INITIATIVE_AT", "MOST_INITIATIVE", "MOST_TIE", "TIE_AT", "Layout", "Tally"]

MOST_INITIATIVE = 1 << 13
MOST_TIE = 1 << 9
INITIATIVE_AT = 47
TIE_AT = 37


class Layout:
    """The positions of the parts of a word.

    Args:
        n_fighters: on both sides. most_points: that one of them has. attacks: on one in a round.

    Attributes:
        condition, taken, fighter, rank: masks of the lowest bits, as long as the part is.
        taken_at, fighter_at, rank_at, count_at, out_at: by how much it is shifted.
        out: the bit itself.
        kept: mask of what a change of condition doesn't touch; uncounted: of all but the attacks.

    Raises:
        LimitError: it doesn't fit.
    """

    def __init__(self, n_fighters: int, most_points: int, attacks: int) -> None:
        self.taken_at = 20
        self.out_at = 62
        rank_bits = max(12, (2 * most_points + 1).bit_length())
        count_bits = attacks.bit_length()
        fighter_bits = n_fighters.bit_length()
        self.count_at = self.out_at - count_bits
        self.rank_at = self.count_at - rank_bits
        self.fighter_at = self.rank_at - fighter_bits
        taken_bits = self.fighter_at - self.taken_at
        if taken_bits < 8:
            raise LimitError(
                f"{n_fighters} fighters with up to {most_points} points are too many for a battle; "
                "allowed: some hundreds of fighters with some thousands of points"
            )
        self.condition, self.taken = (1 << self.taken_at) - 1, (1 << taken_bits) - 1
        self.fighter, self.rank = (1 << fighter_bits) - 1, (1 << rank_bits) - 1
        self.out = 1 << self.out_at
        self.kept = ~(self.out | self.rank << self.rank_at | self.condition)
        self.uncounted = ~(((1 << count_bits) - 1) << self.count_at)


class Tally:
    """The positions in a fighter's tally: damage dealt, foes put out, damage taken."""

    outs_at = 24
    taken_at = 39
    dealt = (1 << outs_at) - 1
    outs = (1 << (taken_at - outs_at)) - 1
