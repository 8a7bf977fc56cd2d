"""The odds of an exchange in shares: in each, what befalls the actor and the others is independent.

From a seam on the two may be independent of each other (`Hints.splits`). Then their chances are
only multiplied where somebody asks for pairs of effects.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from affray.core.errors import RulesError
from affray.engine.fight.blending import Ends, Share, Tail, mixed
from affray.engine.fight.front import Front

__all__ = ["adds_up", "check_whole", "shares_of"]


def adds_up(tail: Tail) -> bool:
    """Whether ends and looks are everything that may happen, none of their weights missing."""
    shares = [Fraction(sum(tail.ends.weights.values()), tail.ends.total)]
    for _, weight, total, own in tail.looks:
        told = (1, 1) if own is None else (sum(own.weights.values()), own.total)
        shares.append(Fraction(weight * told[0], total * told[1]))
    return sum(shares) == 1


def check_whole(system: str, adds_up: bool) -> None:  # noqa: FBT001
    """Check that outcomes of an exchange of a system add up to one.

    Raises:
        RulesError: they don't.
    """
    if not adds_up:
        raise RulesError(f"{system}: the outcomes of an exchange don't add up to one")


def shares_of(front: Front, beyond: Sequence[Ends]) -> list[Share]:
    """The odds of an exchange with looks of which some are settled apart.

    Looks that lead to the same ends are put together.
    """
    shares = [Share(front.ends, None, 1, 1)] if front.ends.weights else []
    looks = [
        Share(ends, own, weight, total)
        for (_, weight, total, own), ends in zip(front.looks, beyond, strict=True)
    ]
    by_ends: dict[tuple[int, bool], list[Share]] = {}
    for share in looks:
        by_ends.setdefault((id(share.ends), share.own is None), []).append(share)
    if len(by_ends) == len(looks):
        return shares + looks
    for same in by_ends.values():
        owns = [(own, weight, total) for _, own, weight, total in same if own is not None]
        if len(same) == 1 or not owns:
            shares += same
        else:
            shares.append(Share(same[0].ends, mixed(owns), 1, 1))
    return shares
