"""The targets that a deed may have in a position, and how a targeting rule looks at them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from affray.core.lazy import NamedTuple
from affray.engine.fight.course import FighterId
from affray.engine.fight.played.position import Position
from affray.engine.fight.targeting import Foe, Sighted, View

__all__ = ["Found", "found_for", "starts_of"]


class Found(NamedTuple):
    """The targets that a deed may have: the fighters, and how a targeting rule looks at foes."""

    places: tuple[FighterId, ...]
    sighted: Sighted


def starts_of(here: Position, fighters: Iterable[FighterId]) -> dict[FighterId, int]:
    """The points with which these fighters come into the fight."""
    contest = here.contest
    return {
        who: contest.fight.vitals(sheet, contest.enter(who.side, sheet))
        for who in fighters
        for sheet in (here.sheet(who),)
    }


def found_for(
    here: Position,
    actor: FighterId,
    targets: tuple[FighterId, ...],
    starts: Mapping[FighterId, int],
) -> Found:
    """The targets of a deed, as a targeting rule sees them."""
    vitals = here.contest.fight.vitals
    foes = tuple(
        Foe(who.place, here.name(who), *here.both(who), vitals(*here.both(who))) for who in targets
    )
    sighted = Sighted(
        View(actor.place, foes), tuple(starts[who] for who in targets),
        tuple(here.attacked.get(who, 0) for who in targets),
    )  # fmt: skip
    return Found(targets, sighted)
