"""What lasts after a fight, and what rests bring back before the next one."""

from __future__ import annotations

from typing import cast

from affray.core.errors import SetupError
from affray.core.fight import Rest
from affray.core.names import unknown
from affray.core.sheet import replace
from affray.core.step import cites
from affray.core.telling import counted
from affray.systems.eclipse_phase.condition import POOLS, Condition, fate, weapons_left
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.harm import is_full
from affray.systems.eclipse_phase.sheet import Combatant, Lasting, Setup
from affray.systems.eclipse_phase.sheet import Condition as SheetCondition
from affray.systems.eclipse_phase.tables import FIRST_AID, LASTING, RECHARGE

__all__ = ["RESTS", "leaves"]

RESTS = (
    Rest("treat", "first aid for 10 minutes and 10 for each wound: a wound and the damage that was "
         'rolled for are healed: "treat 7"'),
    Rest("recharge", 'ten minutes: the points that were rolled for come back: "recharge 4", or '
         '"recharge vigor 3 flex 1"'),
    Rest("recover", "hours: all points come back, and what natural healing or repairs have brought "
         'by then: damage, and wounds when no damage is left: "recover", "recover 12", '
         '"recover 20 1"'),
    Rest("counsel", 'psychosurgery by the hour: stress, and traumas: "counsel 4", "counsel 6 1"'),
)  # fmt: skip
NAMES = tuple(rest.name for rest in RESTS)


@cites("EP-23", "EP-65", "EP-79", "EP-112", "EP-113", "EP-123", "EP-125", "EP-147", "EP-148",
       "EP-149")  # fmt: skip
def leaves(situation: Setup, sheet: Combatant, condition: Condition, rest: str) -> Combatant:
    """The combatant who comes into the next fight: harm, points, rounds, conditions that stay.

    Places, stances, ambushes and what lasts for turns are over. Rests may follow one another, as
    in "treat 7; recharge 4"; with any of them weapons are loaded, and the unconscious wake up.

    Raises:
        SetupError: the combatant is dead, or insane for good; a rest that can't be.
    """
    match fate(sheet, condition):
        case "dead":
            raise SetupError(f"{sheet.name} is dead (EP-65)")
        case "insane":
            raise SetupError(f"{sheet.name} is insane for good (EP-125)")
    rests = [part.strip() for part in rest.split(";") if part.strip()]
    left = _left(sheet, condition, rests=bool(rests))
    for one in rests:
        left = _rested(left, one)
    if rests and not is_full(left.damage, left.durability):
        awake = (one for one in left.conditions if one != "unconscious")
        left = replace(left, conditions=tuple(awake), stabilized=False)
    return left


def _left(sheet: Combatant, condition: Condition, *, rests: bool) -> Combatant:
    """The combatant as the fight is over."""
    full = is_full(condition.damage, sheet.durability)
    bleeds = sheet.is_biological and "medichines" not in sheet.qualities
    conditions, lasting = _conditions(sheet, condition)
    return replace(
        _with_points(sheet, dict(zip(POOLS, condition.pools, strict=True))),
        damage=condition.damage,
        wounds=condition.wounds,
        stress=condition.stress,
        traumas=condition.traumas,
        stabilized=full and bleeds,
        conditions=conditions,
        lasting=lasting,
        weapons=tuple(
            _weapon(one, condition, loads=rests) for one in weapons_left(sheet, condition)
        ),
        full_defense=False,
        was_aggressive=False,
        moved_full=False,
        alerted=False,
        lurks=False,
        takes_lead=False,
    )


@cites("EP-112", "EP-115", "EP-123")
def _conditions(
    sheet: Combatant, condition: Condition
) -> tuple[tuple[SheetCondition, ...], tuple[Lasting, ...]]:
    """Conditions that no turns end; everybody gets up, lets go and comes back."""
    over = {"prone", "surprised", "grappled", "incapacitated", "unconscious"}
    over |= {one.condition for one in sheet.lasting} | set(condition.rare.lifted)
    kept = [one for one in sheet.conditions if one not in over]
    if condition.knocked_out:
        kept.append("unconscious")
    gone = [name for name, turns in condition.states if turns >= LASTING and name == "detached"]
    kept += [cast("SheetCondition", name) for name in gone]
    lasting = tuple(Lasting(condition=cast("SheetCondition", name), turns=LASTING) for name in gone)
    return tuple(dict.fromkeys(kept)), lasting


@cites("EP-23")
def _with_points(sheet: Combatant, points: dict[str, int]) -> Combatant:
    """The points in every pool; a sheet says what a pool holds where it isn't full."""
    changes: dict[str, int] = {}
    for pool, number in points.items():
        most = sheet.rested(pool)
        if number != getattr(sheet, pool):
            changes |= {pool: number, f"{pool}_max": max(most, number)}
    return replace(sheet, **changes) if changes else sheet  # type: ignore[arg-type]


@cites("EP-79")
def _weapon(weapon: Weapon, condition: Condition, *, loads: bool) -> Weapon:
    """A weapon with the rounds that are left in it, or loaded again."""
    rounds = weapon.magazine if loads else weapon.rounds
    if not condition.rare.plenty and not loads:
        rounds = dict(condition.rounds).get(weapon.name, weapon.magazine)
    if rounds == weapon.rounds:
        return weapon
    return replace(weapon, rounds=rounds, rounds_max=weapon.magazine)


# -- rests -----------------------------------------------------------------------------------


def _rested(sheet: Combatant, rest: str) -> Combatant:
    """The combatant after one rest.

    Raises:
        SetupError: there is no such rest, or it can't be taken.
    """
    name, *words = rest.split()
    match name:
        case "treat":
            return _treated(sheet, rest, _numbers(rest, words, least=1, most=1))
        case "recharge":
            return _recharged(sheet, rest, words)
        case "recover":
            return _recovered(sheet, rest, _numbers(rest, words, least=0, most=2))
        case "counsel":
            return _counseled(sheet, _numbers(rest, words, least=1, most=2))
        case _:
            raise unknown("rest", name, NAMES)


def _numbers(rest: str, given: list[str], *, least: int, most: int) -> list[int]:
    """The numbers after the name of a rest.

    Raises:
        SetupError: they are none, too few or too many.
    """
    digits = all(word.isascii() and word.isdigit() and len(word) < 6 for word in given)
    if not digits or not least <= len(given) <= most:
        (told,) = [f"{name}: {words}" for name, words in RESTS if rest.startswith(name)]
        raise SetupError(f"rest {rest!r}; {told}")
    return [int(word) for word in given]


@cites("EP-147")
def _treated(sheet: Combatant, rest: str, numbers: list[int]) -> Combatant:
    """First aid heals a wound, and damage: a d10, and a d6 for each superior success."""
    (healed,) = numbers
    if not sheet.is_biological:
        raise SetupError(f"rest {rest!r}: {sheet.name} is repaired, with 'recover' (EP-149)")
    if not FIRST_AID["least"] <= healed <= FIRST_AID["most"]:
        allowed = f"{FIRST_AID['least']} to {FIRST_AID['most']}"
        raise SetupError(f"rest {rest!r}; allowed: {allowed}, as rolled (EP-147)")
    return replace(
        sheet, damage=max(0, sheet.damage - healed), wounds=max(0, sheet.wounds - 1),
        stabilized=sheet.stabilized and sheet.damage - healed >= sheet.durability,
    )  # fmt: skip


@cites("EP-23")
def _recharged(sheet: Combatant, rest: str, words: list[str]) -> Combatant:
    """A short recharge brings a d6 of points back, for the player to distribute."""
    missing = {pool: sheet.rested(pool) - getattr(sheet, pool) for pool in POOLS}
    missing = {pool: points for pool, points in missing.items() if points}
    most = RECHARGE
    if len(words) == 1:
        (points,) = _numbers(rest, words, least=1, most=1)
        named = {pool: min(points, gone) for pool, gone in missing.items()}
        if len(missing) > 1 and points < sum(missing.values()):
            told = ", ".join(f"{gone} {pool}" for pool, gone in missing.items())
            raise SetupError(
                f"rest {rest!r}: {sheet.name} lacks {told}; say which come back, as in "
                f'"recharge {next(iter(missing))} {points}" (EP-23)'
            )
    else:
        names, numbers = words[::2], _numbers(rest, words[1::2], least=1, most=len(POOLS))
        wrong = [name for name in names if name not in POOLS]
        if wrong or len(names) != len(numbers):
            raise SetupError(f"rest {rest!r}; allowed: each of {', '.join(POOLS)} with a number")
        named = dict(zip(names, numbers, strict=True))
        for pool, points in named.items():
            if points > missing.get(pool, 0):
                lack = counted(missing.get(pool, 0), "point")
                raise SetupError(f"rest {rest!r}: {sheet.name} lacks {lack} of {pool} (EP-23)")
        points = sum(named.values())
    if not 1 <= points <= most:
        raise SetupError(f"rest {rest!r}; allowed: 1 to {most} points in all (EP-23)")
    return _with_points(sheet, {pool: getattr(sheet, pool) + more for pool, more in named.items()})


@cites("EP-23", "EP-148", "EP-149")
def _recovered(sheet: Combatant, rest: str, numbers: list[int]) -> Combatant:
    """A long recharge brings all points back; bodies heal, damage before wounds."""
    healed, wounds = (*numbers, 0, 0)[:2]
    damage = max(0, sheet.damage - healed)
    if wounds and damage:
        raise SetupError(
            f"rest {rest!r}: {damage} damage of {sheet.name} would be left, and wounds heal after "
            "all damage (EP-148)"
        )
    calm = [one for one in sheet.conditions if one != "detached"]
    full = _with_points(sheet, {pool: sheet.rested(pool) for pool in POOLS})
    return replace(
        full, damage=damage, wounds=max(0, sheet.wounds - wounds), conditions=tuple(calm),
        lasting=(), stabilized=sheet.stabilized and damage >= sheet.durability,
    )  # fmt: skip


@cites("EP-149")
def _counseled(sheet: Combatant, numbers: list[int]) -> Combatant:
    """Psychosurgery takes stress away, and traumas."""
    stress, traumas = (*numbers, 0)[:2]
    return replace(
        sheet, stress=max(0, sheet.stress - stress), traumas=max(0, sheet.traumas - traumas)
    )
