"""The end of an activation, and the Resolution Phase where it follows."""

from __future__ import annotations

from affray.core.node import End, Go, Node
from affray.core.ruling import Rulings
from affray.core.step import step
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.body import Stand
from affray.systems.emlia.engagement import morale_of, press_of
from affray.systems.emlia.resolution import resolved
from affray.systems.emlia.sheet import Troop
from affray.systems.emlia.state import Exchange

__all__ = ["STEPS", "end_activation"]


@step("EM-20", "EM-36", "EM-60")
def end_activation(x: Exchange) -> Node[Exchange]:
    """The activation is over, and with it what aligning or a fumble cost the unit before."""
    after = x._replace(turn=0, rolled=None, pile=None, row=None)
    if x.stands:
        after = after._replace(stands=tuple([
            _over(party.troop, stand, x.rulings) if party.unit == 0 else stand
            for party, stand in zip(x.terms.troops, x.stands, strict=True)
        ]))  # fmt: skip
    if x.terms.setup.resolution:
        return Go(resolve_turn, after)
    return End(after)


def _over(troop: Troop, stand: Stand, rulings: Rulings) -> Stand:
    """A troop after its activation: what holds until then is over."""
    before = troop.exposed if rulings[rule.EXPOSED] == "activation" else 0
    if not stand.aligned and not before:
        return stand
    return stand._replace(aligned=False, exposed=stand.exposed - before)


@step("EM-24", "EM-26", "EM-44", "EM-45", "EM-61", "EM-62")
def resolve_turn(x: Exchange) -> Node[Exchange]:
    """The Resolution Phase: casualties leave, skills shrink, morale falls, ranks press forward."""
    stands = tuple(
        resolved(party.troop, stand, x.rulings, morale_of(x.terms, x.plan, place))
        for place, (party, stand) in enumerate(zip(x.terms.troops, x.stands, strict=True))
    )
    pressed = press_of(x.terms, stands, x.plan)
    return End(x._replace(stands=stands, pressed=pressed))


@resolve_turn.says
def _(before: Exchange, after: Exchange) -> str:
    told = []
    for party, old, new in zip(before.terms.troops, before.stands, after.stands, strict=True):
        if old.members != new.members:
            told.append(f"{party.name}: {old.members} -> {new.members} members.")
        if old.morale != new.morale:
            told.append(f"{party.name}: morale {new.morale - old.morale:+d}.")
        if new.broken and not old.broken:
            told.append(f"{party.name} is broken.")
    if after.pressed:
        told.append(f"{after.pressed} more members press forward into contact (EM-26).")
    return " ".join(told)


STEPS = (end_activation, resolve_turn)
"""The steps of this chapter in the order of the book."""
