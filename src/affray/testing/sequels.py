"""Laws of the next setup: what lasts stands in it, nothing else changes, and it can be read."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from dataclasses import fields, is_dataclass
from itertools import combinations
from operator import attrgetter
from typing import Any

from affray.app.inputs.checking import validated
from affray.app.inputs.setups import Loaded
from affray.app.next_setup import next_sheet
from affray.core.errors import SetupError
from affray.core.fight import Fight, Role
from affray.core.lazy import NamedTuple
from affray.core.sheet import as_table, replace
from affray.core.telling import shown
from affray.engine.exchange.session import Session
from affray.testing.cases import Case, told
from affray.testing.law import Law, Skip, law
from affray.testing.material import Material

__all__ = ["LAWS"]

SIDES: tuple[tuple[str, Role], ...] = (("attacker", "actor"), ("defender", "target"))
_AFTER = "See `System.after`, in one function of the room."


class _Followed(NamedTuple):
    """The outcome of an exchange that was played, and the sheet of the setup after it."""

    loaded: Loaded
    outcome: Any
    sheet: Any


def _followed(material: Material) -> Iterator[Case]:
    if material.system.after is None:
        return
    for name, session in material.sessions():
        yield Case(f"example {name}", (name, session))


def _next(material: Material, played: tuple[str, Session]) -> _Followed:
    """The next setup, made once for all laws."""
    name, session = played
    loaded = material.loaded(name)
    made: dict[int, _Followed | str] = material.kept.setdefault("next setups", {})
    if id(session) not in made:  # sessions are kept by the material
        try:
            made[id(session)] = _Followed(loaded, session.outcome, next_sheet(loaded, session))
        except SetupError as refused:
            made[id(session)] = str(refused)
    found = made[id(session)]
    if isinstance(found, str):
        raise Skip(found)
    return found


@law("next", f"{_AFTER} Sheets refuse values out of range; keep within them.", over=_followed)
def the_next_setup_can_be_read(material: Material, played: tuple[str, Session]) -> Iterator[str]:
    """The setup after an exchange can be written as a table, and the table makes it again."""
    try:
        made = _next(material, played)
    except Skip:
        raise
    except Exception as error:  # somebody else's code
        yield told(error)
        return
    known: dict[Any, Any] = material.kept.setdefault("setups read again", {})
    if made.sheet not in known:
        table = as_table(made.sheet)
        known[made.sheet] = validated(material.system.setup, table, "the next setup")
    again = known[made.sheet]
    if again != made.sheet:
        yield f"its table makes another setup: {_apart(made.sheet, again)}"


@law("next", f"{_AFTER} `System.lasts` says where the value of a field stands.", over=_followed)
def what_lasts_stands_in_the_next_setup(
    material: Material, played: tuple[str, Session]
) -> Iterator[str]:
    """The value of an outcome field that lasts stands in the next setup."""
    made = _next(material, played)
    for name, where in material.system.lasts.items():
        field = material.system.field_named(name)
        assert field is not None  # the system has checked it
        if field.fits is not None and not field.fits(made.outcome):
            continue
        value = field.of(made.outcome)
        found = (
            attrgetter(where)(made.sheet)
            if isinstance(where, str)
            else where(made.loaded.setup, made.sheet)
        )
        if found != value:
            yield f"{name} is {shown(value)}, and the next setup says {shown(found)}"


@law("next", f"{_AFTER} Give its sheet a key; or name it in `System.resets`, with the reason.",
     over=_followed)  # fmt: skip
def the_next_setup_knows_what_a_fight_knows(
    material: Material, played: tuple[str, Session]
) -> Iterator[str]:
    """Whoever goes on from the next setup stands as after the same exchange of a fight."""
    fight = material.system.fight
    if fight is None:
        raise Skip("the system knows no fights")
    made = _next(material, played)
    if not _as_in_fights(fight, made.loaded.setup):
        raise Skip("fights set some of its keys themselves")
    for side, role in SIDES:
        yield from _stands(material, fight, made, (side, role))


def _stands(
    material: Material,
    fight: Fight[Any, Any, Any, Any, Any],
    made: _Followed,
    who: tuple[str, Role],
) -> Iterator[str]:
    side, role = who
    sheet, after = getattr(made.loaded.setup, side, None), getattr(made.sheet, side, None)
    if sheet is None or after is None:
        return
    held = made.loaded.readings
    try:
        before, found = fight.enter(sheet, held), fight.enter(after, held)
        wanted = fight.apply(sheet, before, fight.effect(made.outcome, role))
    except Exception as error:  # an exchange that no fight knows
        raise Skip(str(error)) from None
    if fight.is_out(sheet, wanted):
        if not fight.is_out(after, found):
            yield f"the {side} is out in a fight, and goes on from the next setup"
        return
    beyond = any(getattr(sheet, key) != getattr(after, key) for key in material.system.beyond)
    if type(wanted) is not type(found) and beyond:
        return  # something happened that no fight knows
    for apart in _apart_in(wanted, found, material.system.resets):
        yield f"the {side} has {apart} from the next setup"


def _parts(condition: object) -> list[tuple[str, object]]:
    names: tuple[str, ...] = getattr(condition, "_fields", ())
    if is_dataclass(condition):
        names = tuple(field.name for field in fields(condition))
    return [(name, getattr(condition, name)) for name in names]


def _apart_in(
    wanted: object, found: object, resets: Collection[str], name: str = ""
) -> Iterator[str]:
    """The parts in which two conditions differ, inside records and rows of them.

    Of a row that is shorter afterwards some are gone; the others must be as they were.
    """
    if wanted == found:
        return
    if type(wanted) is type(found) and _parts(wanted):
        for inner, here in _parts(wanted):
            if inner not in resets:
                path = f"{name}.{inner}" if name else inner
                yield from _apart_in(here, getattr(found, inner), resets, path)
    elif isinstance(wanted, tuple) and isinstance(found, tuple) and any(map(_parts, wanted)):
        kept = list(combinations(wanted, min(len(found), len(wanted))))
        if not any(_alike(row, found, resets) for row in kept):
            for number, (here, there) in enumerate(zip(kept[-1], found, strict=False)):
                yield from _apart_in(here, there, resets, f"{name}.{number}")
    else:
        yield f"{name} = {shown(wanted)} after this exchange in a fight, and {shown(found)}"


def _alike(wanted: tuple[object, ...], found: tuple[object, ...], resets: Collection[str]) -> bool:
    pairs = zip(wanted, found, strict=False)
    return all(not any(_apart_in(here, there, resets)) for here, there in pairs)


def _as_in_fights(fight: Fight[Any, Any, Any, Any, Any], setup: Any) -> bool:
    """True for a setup without the keys that fights set themselves."""
    usual = {field.name: field.default for field in fields(setup)}
    return all(getattr(setup, key) == usual[key] for key in fight.sets)


@law("next", f"{_AFTER} It must leave alone what the exchange did not change; `System.beyond` "
     "names keys that fights know nothing of.", over=_followed)  # fmt: skip
def what_changes_nothing_leaves_the_setup(
    material: Material, played: tuple[str, Session]
) -> Iterator[str]:
    """Whoever comes out of an exchange as they went in has the same sheet in the next setup."""
    fight = material.system.fight
    if fight is None:
        raise Skip("the system knows no fights")
    made = _next(material, played)
    if not _as_in_fights(fight, made.loaded.setup):
        raise Skip("fights set some of its keys themselves")
    held = made.loaded.readings
    for side, role in SIDES:
        sheet, after = getattr(made.loaded.setup, side, None), getattr(made.sheet, side, None)
        if sheet is None or after is None:
            continue
        try:
            before, then = fight.enter(sheet, held), fight.enter(after, held)
            same = fight.apply(sheet, before, fight.effect(made.outcome, role)) == before
        except Exception as error:  # an exchange that no fight knows
            raise Skip(str(error)) from None
        beyond = {key: getattr(sheet, key) for key in material.system.beyond}
        if same and replace(after, **beyond) != sheet and not _reset(material, before, then):
            yield f"nothing happened to the {side}, and it changes: {_apart(sheet, after)}"


def _reset(material: Material, before: Hashable, after: Hashable) -> bool:
    """True where only the fields differ that the next setup resets."""
    apart = {name for name, value in _parts(before) if getattr(after, name) != value}
    return bool(apart) and apart <= set(material.system.resets)


def _apart(one: object, other: object) -> str:
    for field in fields(one):  # type: ignore[arg-type]  # a sheet
        here, there = getattr(one, field.name), getattr(other, field.name, None)
        if here != there:
            if is_dataclass(here) and is_dataclass(there):
                return f"{field.name}: {_apart(here, there)}"
            return f"{field.name} = {shown(here)} and {shown(there)}"
    return "nothing"


LAWS: tuple[Law, ...] = (
    the_next_setup_can_be_read,
    what_lasts_stands_in_the_next_setup,
    the_next_setup_knows_what_a_fight_knows,
    what_changes_nothing_leaves_the_setup,
)
