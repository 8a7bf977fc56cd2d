"""A game master's hand as data: what it changes, by names, to be stored and given over a network.

| hand | keys | what it does |
|---|---|---|
| `set` | `fighter`, `key`, `value` | sets one thing in a fighter's condition |
| `situation` | `side`, `key`, `value` | changes the situation of a side, or of `both` |
| `between` | `fighter`, `target`, `key`, `value` | changes it where one acts on another; `all` |
| `ask` | `key` | has something of the situation asked again; `all`: everything |
| `habit` | `who`, `step`, `option` | has a fighter or side always take an option; "": no more |
| | `against` | may be left out: only against those whose name begins so |
| `order` | `order` | names those who still have a turn in this round, in order |
| `first` | `first` | says how turns begin from the next round on |
| `enter` | `side`, `fighter` | brings in a fighter: a roster name or a sheet |
| `leave` | `fighter` | takes a fighter out |
| `end` | `verdict` | ends the fight |

A side is `one` or `other`; a fighter is called by name, the verdict is that of `VERDICTS`.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import cast

from affray.app.inputs.checking import validated
from affray.app.inputs.fight_setups import LoadedFight, read_raw_fight
from affray.app.inputs.fight_sheets import FIRST, SIDES, situation_keys
from affray.app.inputs.intake import InputError, Raw, pointer
from affray.app.inputs.rosters import Filling, roster_for
from affray.core.errors import Fault, SetupError, StoreError
from affray.core.lazy import NamedTuple
from affray.core.names import unknown
from affray.core.telling import plain_key, shortened, shown, unheard
from affray.engine.exchange.answers import keys_at
from affray.engine.fight.course import FighterId, First, Verdict
from affray.engine.fight.played import hands
from affray.engine.fight.played.position import Ground, Position

__all__ = [
    "HANDS", "VERDICTS", "Habit", "HandMove", "from_plain", "habits_of", "hand_of", "situations_of",
    "to_plain",
]  # fmt: skip

HANDS: Mapping[str, tuple[str, ...]] = {
    "set": ("fighter", "key", "value"),
    "situation": ("side", "key", "value"),
    "between": ("fighter", "target", "key", "value"),
    "ask": ("key",),
    "habit": ("who", "step", "option"),
    "order": ("order",),
    "first": ("first",),
    "enter": ("side", "fighter"),
    "leave": ("fighter",),
    "end": ("verdict",),
}
"""The hands, each with its keys."""
MORE: Mapping[str, frozenset[str]] = {"habit": frozenset({"against"})}
"""Keys that a hand may have besides."""
ALL = "all"
"""Stands for anybody where a situation between two is set."""
BOTH = "both"
"""Stands for both sides where a situation is set."""
HAND = "hand"
"""The origin of faults in hands; their places are the keys above."""
VERDICTS = ("one", "other", "drawn", "ended")


class HandMove(NamedTuple):
    """A game master's hand: its name in `HANDS`, and the value of each of its keys."""

    what: str
    values: Mapping[str, object]


def situations_of(
    loaded: LoadedFight, moves: Iterable[HandMove], here: Position
) -> Iterator[tuple[str, str, str, str, object]]:
    """What holds in a fight apart from defaults: side, fighter, target, key and value.

    A row is of a side or of two; "" stands for anybody. The last row for a key counts.

    Args:
        loaded: the fight as it was written.
        moves: the hands that were played in it.
        here: where it stands, with what was said of the situation.
    """
    found: dict[tuple[str, str, str, str], object] = {}
    for side in SIDES:
        table = loaded.raw.get(side)
        given = table.get("situation", {}) if isinstance(table, dict) else {}
        for key, value in {**loaded.assumed, **given}.items():
            found[side, "", "", str(key)] = value
    for move in moves:
        values = move.values
        if move.what == "situation":
            for side, value in _by_side(loaded, move):
                found[side, "", "", str(values["key"])] = value
        elif move.what == "between":
            two = [str(values[role]) for role in ("fighter", "target")]
            one, other = ("" if name == ALL else name for name in two)
            key, value = str(values["key"]), values["value"]
            if (turned := _turned(loaded, key, value)) is not None:
                found["", other, one, key] = turned
            found["", one, other, key] = value
    for ground in here.grounds:
        if ground.said:
            one, other = ("" if who is None else here.name(who) for who in ground[:2])
            found.pop(("", one, other, ground.key), None)
            found["", one, other, ground.key] = _plain(ground)
    return ((*place, value) for place, value in found.items())


def _plain(ground: Ground) -> object:
    """The value of something that was said; things by the name that was said."""
    value = ground.value
    return value if value is None or isinstance(value, bool | int | float) else ground.said


def to_plain(move: HandMove) -> dict[str, object]:
    """A hand as plain data."""
    return {"hand": move.what, **move.values}


def from_plain(row: Mapping[str, object], where: str) -> HandMove:
    """A hand from plain data.

    Raises:
        StoreError: it is not whole.
    """
    what = row.get("hand")
    if not isinstance(what, str) or what not in HANDS:
        raise StoreError(f"{where}: hand: {shown(what)}; allowed: {', '.join(HANDS)}")
    table = keys_at(row, where, frozenset({"hand", *HANDS[what]}), MORE.get(what, frozenset()))
    return HandMove(what, {key: value for key, value in table.items() if key != "hand"})


def hand_of(
    loaded: LoadedFight, here: Position, move: HandMove, before: Iterable[HandMove] = ()
) -> hands.Hand:
    """A hand, ready to be played.

    Args:
        loaded: the fight as it was written.
        here: the position in which it is played.
        move: the hand.
        before: the hands that were played before it.

    Raises:
        UnknownNameError: nobody is called so; no such hand, key or verdict.
        InputError: a value that doesn't fit.
    """
    if move.what not in HANDS:
        raise unknown("hand", move.what, HANDS).at("/what", HAND)
    values = move.values
    known = (*HANDS[move.what], *MORE.get(move.what, ()))
    for key in values:
        if key not in known:
            raise unknown(f"key of the hand {move.what}", key, known).at(pointer((key,)), HAND)
    for key in HANDS[move.what]:
        if key not in values:
            what = f"{key} is missing"
            fault = Fault(pointer((key,)), what, code="missing", origin=HAND)
            raise InputError(f"hand {move.what}: {what}", faults=[fault])
    if move.what == "set":
        return hands.SetCondition(
            _fighter(here, values["fighter"], "/fighter"), str(values["key"]), values["value"]
        )
    if move.what == "situation":
        return _situation(loaded, move, before)
    if move.what == "between":
        return _between(loaded, here, move)
    if move.what == "ask":
        return hands.AskAgain("" if values["key"] == ALL else str(values["key"]))
    if move.what == "habit":
        return _habit(here, values)
    if move.what == "order":
        order = values["order"]
        if not isinstance(order, list | tuple):
            fault = Fault("/order", "no list", shortened(order), "a list of names", "wrong-kind",
                          origin=HAND)  # fmt: skip
            raise InputError(f"hand order: {shown(order)}; must be a list of names", faults=[fault])
        return hands.SetOrder(
            tuple(_fighter(here, name, f"/order/{n}") for n, name in enumerate(order))
        )
    if move.what == "first":
        if values["first"] not in list(FIRST):
            named = str(values["first"])
            raise unknown("way to go first", named, FIRST).at("/first", HAND)
        return hands.SetFirst(cast("First", values["first"]))
    if move.what == "enter":
        return hands.Enter(_side(values["side"]), _sheet(loaded, values["fighter"]))
    if move.what == "leave":
        return hands.Leave(_fighter(here, values["fighter"], "/fighter"))
    if values["verdict"] not in VERDICTS:
        raise unknown("verdict", str(values["verdict"]), VERDICTS).at("/verdict", HAND)
    return hands.End(cast("Verdict", values["verdict"]))


def _fighter(here: Position, name: object, where: str) -> FighterId:
    """The fighter with this name; `where` is the place of the name in the hand."""
    every = {
        name: FighterId(side, place)
        for side, names in enumerate(here.names)
        for place, name in enumerate(names)
    }
    if not isinstance(name, str) or name not in every:
        raise unknown("fighter", str(name), every).at(where, HAND)
    return every[name]


def _side(name: object) -> int:
    if name not in SIDES:
        raise unknown("side", str(name), SIDES).at("/side", HAND)
    return SIDES.index(name)


def _situation(
    loaded: LoadedFight, move: HandMove, before: Iterable[HandMove]
) -> hands.SetSituation:
    """The situations of both sides with everything that was changed in them so far."""
    system, key = loaded.contest.system, str(move.values["key"])
    if key not in situation_keys(system):
        known = situation_keys(system)
        raise unknown(f"key in the situation of {system.id}", key, known).at("/key", HAND)
    changed = [one for one in before if one.what == "situation"]
    raw = dict(loaded.raw)
    for one in (*changed, move):
        for side, value in _by_side(loaded, one):
            table = cast("Raw", raw[side])
            situation = cast("Raw", table.get("situation", {}))
            more = {str(one.values["key"]): value}
            raw[side] = {**table, "situation": {**situation, **more}}
    with unheard():  # what is assumed was told at the beginning
        try:
            found = read_raw_fight(system, raw, "situation").contest
        except (StoreError, SetupError) as error:
            value = [
                fault._replace(where=f"/value{''.join(parts[:1])}", origin=HAND)
                for fault in error.faults
                for parts in [re.findall(rf"^/\w+/situation/{re.escape(key)}(/.*)", fault.where)]
            ]
            raise type(error)(str(error), advice=error.advice, faults=value) from None
    meant = [side for side, _ in _by_side(loaded, move)]
    made = [
        side.situation if name in meant else None
        for name, side in zip(SIDES, found.sides, strict=True)
    ]
    values = dict(_by_side(loaded, move))
    label, told = plain_key(key), {side: hands.typed(value) for side, value in values.items()}
    names = dict(zip(SIDES, (side.name for side in found.sides), strict=True))
    whose = "both sides" if meant[1:] else names[meant[0]]
    why = f"sets {label} to {told[meant[0]]} for {whose}"
    if len(set(told.values())) > 1:
        whose = " and ".join(f"to {value} for {names[side]}" for side, value in told.items())
        why = f"sets {label} {whose}"
    return hands.SetSituation((made[0], made[1]), why, key)


def _turned(loaded: LoadedFight, key: str, value: object) -> str | None:
    """What a value that names a role is where the two have each other's roles; None: it doesn't."""
    fight = loaded.contest.system.fight
    turned = dict(dict(fight.turned).get(key, ())) if fight else {}
    return turned.get(value) if isinstance(value, str) else None


def _by_side(loaded: LoadedFight, move: HandMove) -> Iterator[tuple[str, object]]:
    """The sides whose situation a hand changes, each with the value there.

    A value that names a role, set for one side, holds where the other side acts as well.
    """
    key, value = str(move.values["key"]), move.values["value"]
    sides = _sides(move.values["side"])
    yield from ((side, value) for side in sides)
    turned = _turned(loaded, key, value)
    if turned is not None and len(sides) == 1:
        yield from ((side, turned) for side in SIDES if side not in sides)


def _between(loaded: LoadedFight, here: Position, move: HandMove) -> hands.SetBetween:
    """One thing in the situation between two, checked as the system's own."""
    key, values = str(move.values["key"]), move.values
    actor, target = (
        None if values[role] == ALL else _fighter(here, values[role], f"/{role}")
        for role in ("fighter", "target")
    )
    side = SIDES[0 if actor is None else actor.side]
    meant = HandMove("situation", {"side": side, "key": key, "value": values["value"]})
    made = _situation(loaded, meant, ()).situations[SIDES.index(side)]
    ground = Ground(actor, target, key, getattr(made, key))
    turned = _turned(loaded, key, ground.value)
    back = None if turned is None else Ground(target, actor, key, turned)
    why = f"sets {plain_key(key)} to {hands.typed(values['value'])}"
    return hands.SetBetween(ground, why, back)


def _habit(here: Position, values: Mapping[str, object]) -> hands.Accustom:
    """A habit of a fighter or a side, told in words."""
    who, step, option = (str(values[key]) for key in HANDS["habit"])
    everybody = (*SIDES, *(name for names in here.names for name in names))
    if who not in everybody:
        raise unknown("side or fighter", who, everybody).at("/who", HAND)
    steps = [one.name for one in here.contest.system.steps]
    if step not in steps:
        raise unknown(f"step of {here.contest.system.id}", step, steps).at("/step", HAND)
    called = here.contest.sides[SIDES.index(who)].name if who in SIDES else who
    does = f'always takes "{option}"' if option else "decides anew"
    against = f" against {values['against']}" if values.get("against") else ""
    return hands.Accustom(f"{called} {does}{against} ({plain_key(step)})")


class Habit(NamedTuple):
    """The place of a habit: a fighter's name, "one" or "other"; the step; against whom.

    `against` is how the name of the other one in the exchange begins; "": anybody.
    """

    who: str
    step: str
    against: str = ""


def habits_of(moves: Iterable[HandMove]) -> dict[Habit, str]:
    """The habits that hold after these moves: the option that is always taken."""
    found: dict[Habit, str] = {}
    for move in moves:
        if move.what == "habit":
            values = move.values
            against = str(values.get("against", ""))
            key = Habit(str(values["who"]), str(values["step"]), against)
            found.pop(key, None)
            if move.values["option"]:
                found[key] = str(move.values["option"])
    return found


def _sides(name: object) -> tuple[str, ...]:
    """The sides that a situation is set for."""
    if name == BOTH:
        return SIDES
    if not isinstance(name, str) or name not in SIDES:
        raise unknown("side", str(name), (*SIDES, BOTH)).at("/side", HAND)
    return (name,)


def _sheet(loaded: LoadedFight, entry: object) -> Hashable:
    """A fighter's sheet, from a roster name or a table."""
    system = loaded.contest.system
    filling = Filling(roster_for(system, loaded.raw, loaded.origin), "fighter who comes in")
    try:
        table = filling.entry("attacker", entry, ())
    except InputError as error:
        raise _in_fighter(error, filling) from None
    if not isinstance(table, dict):
        fault = Fault("/fighter", "no fighter", shortened(entry), "a name or a table",
                      "wrong-kind", origin=HAND)  # fmt: skip
        told = f"fighter who comes in: {shown(entry)}; must be a name or a table"
        raise InputError(told, faults=[fault])
    sheet = typing.get_type_hints(system.setup)["attacker"]
    try:
        return validated(sheet, table, filling.origin, filling=filling)
    except InputError as error:
        raise _in_fighter(error, filling) from None


def _in_fighter(error: InputError, filling: Filling) -> InputError:
    """The same error with its places within the hand."""
    faults = [
        fault._replace(where=f"/fighter{fault.where}", origin=HAND)
        if fault.origin == filling.origin else fault
        for fault in error.faults
    ]  # fmt: skip
    return InputError(str(error), advice=error.advice, faults=faults)
