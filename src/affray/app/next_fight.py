"""The next fight: its table, with everybody as the fight before has left them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from affray.app.inputs.fight_fighters import side_of_names
from affray.app.inputs.fight_setups import read_raw_fight
from affray.app.inputs.fight_sheets import SIDES
from affray.app.inputs.intake import InputError, Raw
from affray.app.inputs.rosters import roster_for
from affray.core.errors import SetupError
from affray.core.lazy import NamedTuple
from affray.core.names import unknown
from affray.core.sheet import as_table
from affray.engine.fight.course import FighterId
from affray.engine.fight.played.position import Position

if TYPE_CHECKING:
    from affray.app.fight import Fight

__all__ = ["NextFight", "next_fight"]

DROPPED = ("play", "title", "purpose", "notes")
"""Keys of a fight that are about that fight alone, beside that of its board."""
EVERYBODY = ""
"""The name under which `rests` has what everybody does."""


class NextFight(NamedTuple):
    """The fight that follows another one.

    Attributes:
        table: a fight of the same system, with its rulings and situations.
        absent: those who don't come into it, each with the reason.
        refused: why it can't be fought as it stands: nobody is left of a side, most often; "" if
            it can.
    """

    table: Raw
    absent: tuple[tuple[str, str], ...]
    refused: str


def next_fight(
    fight: Fight, rests: Mapping[str, str] | None = None, against: str = ""
) -> NextFight:
    """The table of the next fight.

    Args:
        fight: a fight that is over.
        rests: what is done before it, by side, by fighter or under "" for everybody; the nearest
            counts.
        against: roster names of the other side in the next fight; "": those who are left of it.

    >>> from affray.app.fight import Fight
    >>> fight = Fight.begin("affinity", "novices").hand("end", verdict="one")
    >>> next_fight(fight, {"": "recover 2"}).table["one"]["fighters"][0]["name"]
    'Squire'

    Raises:
        UnknownNameError: no such rest, side, fighter or roster name.
        SetupError: the fight is not over, or is one exchange; the system doesn't say what lasts;
            somebody can't rest like that.
    """
    loaded, session = fight.loaded, fight.session
    here, system = session.position, session.contest.system
    if loaded.whole is not None:
        raise SetupError(f"{loaded.origin}: this game is one exchange; no fight follows it")
    if session.contest.fight.leaves is None:
        raise SetupError(f"{system.id} does not say what lasts after a fight")
    if not fight.verdict:
        raise SetupError(f"{loaded.origin}: the fight is not over; play it to the end")
    rests = _checked(fight, rests or {})
    made: Raw = {"system": system.id}
    board = session.contest.fight.board
    dropped = {*DROPPED, *SIDES, "" if board is None else board.key}
    made |= {key: value for key, value in loaded.raw.items() if key not in dropped}
    if made.get("asks") == [matter.key for matter in session.contest.fight.matters]:
        del made["asks"]  # as where nobody says what is asked
        made.pop("scene", None)
    absent: list[tuple[str, str]] = []
    for number, key in enumerate(SIDES):
        before = cast("Raw", loaded.raw.get(key, {}))
        if against and number:
            own = roster_for(system, loaded.raw, loaded.origin)
            kept = {"situation": before["situation"]} if "situation" in before else {}
            made[key] = {**kept, "fighters": side_of_names(own, against)}
            continue
        fighters: list[Raw] = []
        for place in range(len(session.contest.sides[number].fighters)):
            who = FighterId(number, place)
            name = here.name(who)
            rest = rests.get(name, rests.get(key, rests.get(EVERYBODY, "")))
            try:
                fighters.append({**_left(here, who, ""), "name": name})
            except SetupError as error:
                absent.append((name, str(error)))
                continue
            if rest:
                fighters[-1] = {**_left(here, who, rest), "name": name}
        made[key] = {**before, "fighters": fighters}
        if len(fighters) < cast("int", before.get("yields_at", 0)):
            made[key] = {**before, "fighters": fighters, "yields_at": 0}
    try:
        read_raw_fight(system, made, "the next fight")
    except (InputError, SetupError) as error:
        return NextFight(made, tuple(absent), str(error))
    return NextFight(made, tuple(absent), "")


def _left(here: Position, who: FighterId, rest: str) -> Raw:
    """A fighter as the fight and a rest after it leave them.

    Raises:
        SetupError: they don't come into the next fight.
    """
    leaves = here.contest.fight.leaves
    assert leaves is not None  # the system says what lasts
    situation = here.contest.sides[who.side].situation
    condition = here.in_full[who.side][who.place]
    return as_table(leaves(situation, here.sheet(who), condition, rest))


def _checked(fight: Fight, rests: Mapping[str, str]) -> dict[str, str]:
    """The rests, if the system knows them and everybody who is named is there."""
    here, known = fight.session.position, fight.session.contest.fight.rests
    names = [rest.name for rest in known]
    everybody = (EVERYBODY, *SIDES, *(name for side in here.names for name in side))
    for who, rest in rests.items():
        if who not in everybody:
            raise unknown("side or fighter", who, everybody[1:])
        if not names:
            raise SetupError(f"{fight.system} knows no rest between fights; given: {rest!r}")
        if rest.partition(" ")[0] not in names:
            raise unknown("rest", rest, names)
    return dict(rests)
