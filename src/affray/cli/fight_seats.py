"""The seats of a fight: who answers for each side, and for fighters who were taken over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from affray.app.fight_computers import AT_SEATS
from affray.app.inputs.fight_sheets import SIDES
from affray.cli.arguments import pairs
from affray.cli.seats import COMPUTER, KINDS, Seat
from affray.core.names import unknown

if TYPE_CHECKING:
    from affray.app.fight import Fight
    from affray.engine.fight.played.position import Position

__all__ = ["Called", "seat_named", "seated", "seats_from", "who_is"]


def seat_named(text: str) -> Seat:
    """The seat that `typed`, `rolled` or `computer:first` means.

    Raises:
        UnknownNameError: no such seat, or no such policy.
    """
    kind, colon, policy = text.partition(":")
    if kind not in KINDS or (colon and KINDS[kind] is not COMPUTER):
        raise unknown("way to answer", text, (*KINDS, "computer:POLICY"))
    if colon and policy not in AT_SEATS:
        raise unknown("policy for a computer in a fight", policy, AT_SEATS)
    return KINDS[kind]._replace(policy=policy)


Called = tuple[str, str]
"""A side or a fighter as a fight calls it ("one", "Husk 2"), and what stands behind the name."""


def who_is(here: Position, text: str, *, sides: bool = True, fighters: bool = True) -> Called:
    """The side or fighter with whose name a text begins; capitals make no difference.

    Args:
        here: where the fight stands.
        text: what was typed.
        sides: whether a side may be meant: one, other, or its name.
        fighters: whether a fighter may be meant.

    Raises:
        UnknownNameError: the text begins with nobody's name.
    """
    known = {}
    if sides:
        known.update({side.name: key for key, side in zip(SIDES, here.contest.sides, strict=True)})
        known.update({key: key for key in SIDES})
    if fighters:
        known.update({name: name for names in here.names for name in names})
    for name in sorted(known, key=len, reverse=True):
        begins = text[: len(name)].casefold() == name.casefold()
        if begins and text[len(name) : len(name) + 1] in {"", " ", ","}:
            return known[name], text[len(name) :].strip(" ,")
    what = " or ".join(("side",) * sides + ("fighter",) * fighters)
    raise unknown(what, text, known)


def seated(fight: Fight, name: str, seat: Seat) -> Fight:
    """The fight with somebody else at the seat of a side or a fighter.

    A side comes with all its fighters, those who had a seat of their own included.
    """
    seats = dict(fight.seats)
    if name in SIDES:
        mine = fight.session.position.names[SIDES.index(name)]
        seats = {other: one for other, one in seats.items() if other not in mine}
    return fight.seated({**seats, name: seat.told})


def seats_from(fight: Fight, texts: Sequence[str]) -> Fight:
    """The fight with seats from `--by one=typed`.

    Raises:
        UnknownNameError: nobody is called so; no such seat.
    """
    given = pairs("--by", texts)
    for name in sorted(given, key=lambda name: name not in SIDES):  # sides take their fighters
        called, rest = who_is(fight.session.position, name)
        if rest:
            raise unknown("side or fighter", name, fight.view().sides)
        fight = seated(fight, called, seat_named(given[name]))
    return fight
