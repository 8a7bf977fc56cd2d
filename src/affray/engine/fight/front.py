"""What an exchange of two fighters comes to: the odds of its effects, and what it waits for."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol

from affray.core.errors import AffrayError
from affray.core.lazy import NamedTuple
from affray.core.node import At, Choice, Facts, Option
from affray.core.unknown import Looked, is_veiled
from affray.engine.exchange.flow import Decide
from affray.engine.exchange.game import Game, settled_option
from affray.engine.fight.blending import EffectOdds, Ends, Fanned, Look

__all__ = [
    "REFUSED", "SHOWN", "Chooses", "EffectOdds", "Front", "Open", "Refused", "Several", "Target",
    "Waits", "closed", "waiting",
]  # fmt: skip


class Refused:
    """Stands in the place of odds where the rules refuse the exchange."""


REFUSED = Refused()


class Target:
    """A target of which a place says nothing; it stands for itself.

    Args:
        known: what places are filled with that it stands opposite to.
    """

    __slots__ = ("known",)

    def __init__(self, known: Hashable) -> None:
        self.known = known


SHOWN = Target(None)
"""Stands for a target of which a place says all there is."""


class Open(AffrayError):  # noqa: N818  # no error: asks for a solver
    """A choice is open: nobody's plan decides it."""


class Waits(NamedTuple):
    """A choice that an exchange waits at, the same whatever the target is, and the target."""

    at: At[Facts]
    choice: Choice[Facts]
    target: Target


class Several:
    """Hidden parts that are asked for together, over and over; they stand for themselves.

    Args:
        parts: each once.
    """

    __slots__ = ("parts",)

    def __init__(self, parts: Sequence[Hashable]) -> None:
        self.parts = tuple(parts)


class Front(NamedTuple):
    """An exchange as far as it goes without the hidden part.

    Attributes:
        by_part: odds by the hidden part, as matchups know them.
        by_several: the same for hidden parts that were asked for together.
        by_ends: the same by what lies beyond the looks.
        waits: the choice that is to be made, before anything of the target is looked at.
        fanned: ends and looks, of a roll each of whose readings leads to one thing.
        owns: where what befalls whoever acts is settled apart for some looks: for each a number of
            that and of its chance.
    """

    odds: EffectOdds | None
    ends: Ends
    looks: list[Look]
    by_part: dict[Hashable, EffectOdds | Refused]
    by_several: dict[Several, list[EffectOdds]]
    by_ends: dict[int, EffectOdds]
    waits: Waits | None = None
    fanned: Fanned | None = None
    owns: Sequence[int] = ()


class Chooses(Protocol):
    """Takes an option at a choice that comes before all dice."""

    def picks(self, waits: Waits, several: Several) -> list[Option[Facts] | None]:
        """The options that are taken with these hidden parts; None if only a solution can tell."""


def closed(game: Game) -> Decide:
    """The decisions that both plans make; it raises `Open` at a choice that they leave open."""

    def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        option = settled_option(game, at, choice)
        if option is None:
            raise Open
        return option

    return decide


def waiting(game: Game, decide: Decide) -> Decide:
    """The decisions that both plans make, and others at choices that are left open.

    A choice that comes up before the hidden part is known waits for it.
    """

    def decided(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        option = settled_option(game, at, choice)
        if option is not None:
            return option
        if is_veiled(at.facts):
            raise Looked
        return decide(at, choice)

    return decided
