"""Actors of the Foundry system "eclipsephase": characters, NPCs and threats.

Aptitudes are tables with a value, skills lie in three groups by their pools, the morph is an item
or, in older files, one of six bodies; weapons have dice in numbers or a text, ranges are texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from affray.core.adapter import Adapter, Brought, Carried
from affray.systems.eclipse_phase.imports.figures import (
    APTITUDES,
    BEHIND,
    IDLE_WARE,
    PLAIN,
    Figure,
    at,
    brought,
    called,
    dice_in,
    in_words,
    initiative_of,
    items_of,
    listed_by_kind,
    number_in,
    qualities_among,
    quality_called,
    skill_total,
    specialized_told,
    text_at,
)

__all__ = ["ADAPTER"]

GROUPS = ("skillsVig", "skillsIns", "skillsMox")
BODIES = {"bio": "biomorph", "synth": "synthmorph", "info": "infomorph"}
FORMS = {
    "kinetic": "kinetic", "beam": "beam", "seeker": "seeker", "spray": "spray", "rail": "railgun",
}  # fmt: skip
MODES = {"ss": "single", "sa": "semi", "bf": "burst", "fa": "auto"}
TRAITS = {
    "armorPiercing": "armor_piercing", "concealable": "concealable", "entangling": "entangling",
    "fixed": "fixed", "fragile": "fragile", "knockdown": "knockdown", "long": "long",
    "noClose": "no_close", "noPointBlank": "no_point_blank", "noSmartlink": "lacks_smartlink",
    "pain": "pain", "shock": "shock", "singleUse": "single_use", "steady": "steady",
    "stun": "stun", "touchOnly": "touch_only", "twoHanded": "two_handed",
}  # fmt: skip
FIELDS = {"paramedic": "medicine", "demolitions": "demolitions", "exotic": "exotic"}
"""Skills of ours by a word in the names of special skills."""
POOLS = ("insight", "moxie", "vigor", "flex")
PROSE = frozenset({"ware", "traits", "trait", "flaw", "morphTrait", "morphFlaw", "aspect"})


def _held(thing: object) -> object:
    """What stands in an actor or an item; older files call it data."""
    return at(thing, "system") or at(thing, "data")


def _fits(actor: Figure) -> bool:
    held = _held(actor)
    return isinstance(at(held, "aptitudes", "cog"), Mapping) and isinstance(
        at(held, "skillsVig"), Mapping
    )


def _read(actor: Figure) -> Brought:
    held = _held(actor)
    items = items_of(actor)
    aptitudes = {key: number_in(at(held, "aptitudes", key, "value")) or 0 for key in APTITUDES}
    is_threat = at(actor, "type") == "goon"
    morph = _morph_of(held, items)
    left_out = list(_left_out(held, items))
    if morph is None:
        left_out.append("no morph is worn; body, durability and pools are the usual ones")
    values = {
        "name": text_at(actor, "name"),
        **{field: aptitudes[key] for key, field in APTITUDES.items()},
        **_skills(held, items, aptitudes, printed=is_threat),
        **_body(morph),
        **_pools(held, morph, is_threat=is_threat),
        "initiative": initiative_of(aptitudes),
        **(_harm(held) if "system" in actor else {}),
        "qualities": qualities_among(text_at(item, "name") for item in items),
    }
    return brought(values, _carried(items), left_out)


def _morph_of(held: object, items: list[Figure]) -> object:
    active = at(held, "activeMorph")
    for item in items:
        if text_at(item, "type") == "morph" and (at(item, "_id") == active or not active):
            return _held(item)
    bodies = at(held, "bodies")
    body = at(bodies, str(at(bodies, "activeMorph") or "morph1"))
    return body if number_in(at(body, "dur")) else None


def _skills(
    held: object, items: list[Figure], aptitudes: Mapping[str, int], *, printed: bool
) -> dict[str, object]:
    """Skills; a threat has them as they are, others have points beside the aptitude."""
    found: dict[str, object] = {}
    for group in GROUPS:
        for skill in PLAIN:
            points = at(held, group, skill, "value")
            if isinstance(at(held, group, skill), Mapping):
                plain = number_in(points) or None
                found[skill] = plain if printed else skill_total(skill, points, aptitudes)
    exotics = []
    for item in items:
        if text_at(item, "type") != "specialSkill":
            continue
        own = _held(item)
        told = f"{at(item, 'name')} {at(own, 'specname') or ''}".casefold()
        skill = next((ours for word, ours in FIELDS.items() if word in told), "")
        if not skill:
            continue
        aptitude = str(at(own, "aptitude") or BEHIND[skill])[:3].casefold()  # or "Cognition"
        base = 0 if printed else aptitudes.get(aptitude, 0)
        total = min(100, base + (number_in(at(own, "value")) or 0))
        if skill == "exotic":
            field = re.sub(r"^exotic( skill)?\W*", "", told).strip(" ()") or "exotic"
            exotics.append({"field": field, "value": total})
        else:
            found[skill] = total
    return {**found, "exotics": exotics}


def _body(morph: object) -> dict[str, object]:
    if morph is None:
        return {}
    rates = (at(morph, "movement", "move1"), at(morph, "movement1"))
    rate = next((one for one in rates if number_in(at(one, "base")) is not None), None)
    base, full = at(rate, "base"), at(rate, "full")
    if rate is None and isinstance(at(morph, "movement"), str):
        base, _, full = str(at(morph, "movement")).partition("/")
    return {
        "body": BODIES.get(str(at(morph, "type")), "biomorph"),
        "durability": number_in(at(morph, "dur")) or None,
        "move_base": number_in(base),
        "move_full": number_in(full),
    }


def _pools(held: object, morph: object, *, is_threat: bool) -> dict[str, object]:
    """Points that are left, and those of somebody rested where some are spent."""
    if is_threat:
        most = number_in(at(held, "threatLevel", "total")) or 0
        left = number_in(at(held, "threatLevel", "current"))
        return _pool("threat", most if left is None else left, most)
    found: dict[str, object] = {}
    for pool in POOLS:
        most = number_in(at(morph, pool)) or 0
        most += (number_in(at(held, "ego", "egoFlex")) or 0) if pool == "flex" else 0
        left = number_in(at(held, "pools", pool, "value"))
        found |= _pool(pool, most if left is None else left, most)
    return found


def _pool(pool: str, left: int, most: int) -> dict[str, object]:
    return {pool: left or None, f"{pool}_max": most if most > left else None}


def _harm(held: object) -> dict[str, object]:
    places = {
        "damage": ("health", "physical", "value"), "wounds": ("physical", "wounds"),
        "stress": ("health", "mental", "value"), "traumas": ("mental", "trauma"),
    }  # fmt: skip
    return {key: number_in(at(held, *place)) or None for key, place in places.items()}


def _carried(items: list[Figure]) -> Iterator[Carried]:
    for item in items:
        held, name = _held(item), text_at(item, "name")
        if at(held, "active") is False:
            continue
        if text_at(item, "type") == "armor":
            ratings = {key: number_in(at(held, key)) or 0 for key in ("energy", "kinetic")}
            is_bonus = at(held, "slotType") == "additional" or "+" in str(at(held, "kinetic"))
            layer = "bonus" if is_bonus else "frame" if "frame" in name.casefold() else "full"
            yield Carried("pieces", called(name), {"name": name, **ratings, "layer": layer})
        elif text_at(item, "type") == "rangedWeapon":
            yield _ranged(name, held)
        elif text_at(item, "type") == "ccWeapon":
            yield _melee(name, held)


def _ranged(name: str, held: object) -> Carried:
    mode = at(held, "mode1")
    form = FORMS.get(str(at(held, "ammoType")), "kinetic")
    firing = str(at(mode, "firingMode") or at(held, "firingMode") or "").casefold()
    names = (f"rail {name}", *called(name)) if form == "railgun" else called(name)
    table = {
        "name": name,
        "form": form,
        "skill": "guns",
        **_dice(held),
        "armor": "energy" if form == "beam" else "kinetic",
        "modes": [ours for sign, ours in MODES.items() if sign in firing],
        "range_m": number_in(at(mode, "range") or at(held, "range")) or 0,
        "rounds": number_in(at(held, "ammoMax")) or 0,
        "traits": _traits(held),
    }
    return Carried("weapons", names, table)


def _melee(name: str, held: object) -> Carried:
    reach = number_in(at(held, "mode1", "traits", "reach", "skillMod")) or 0
    has_reach = at(held, "mode1", "traits", "reach", "value") is True
    table = {
        "name": name, "form": "melee", "skill": "melee", **_dice(held), "traits": _traits(held),
        "reach": reach if has_reach else 0,
    }  # fmt: skip
    return Carried("weapons", called(name), table)


def _dice(held: object) -> dict[str, object]:
    """Damage: dice in numbers, else a formula."""
    names = {"d10": "d10", "d6": "d6", "flat": "bonus"}
    numbers = {ours: number_in(at(held, "mode1", key)) for ours, key in names.items()}
    found: dict[str, object] = {ours: number for ours, number in numbers.items() if number}
    return found or dice_in(at(held, "mode1", "dv") or at(held, "dv")) or {}


def _traits(held: object) -> list[str]:
    return [
        ours for key, ours in TRAITS.items()
        if at(held, "mode1", "traits", key, "value") is True
    ]  # fmt: skip


def _left_out(held: object, items: list[Figure]) -> Iterator[str]:
    for group in GROUPS:
        for skill in PLAIN:
            special = at(held, group, skill, "specname")
            if special and at(held, group, skill, "spec") is True:
                yield specialized_told(skill, special)
    idle = []
    for item in items:
        kind, name, own = text_at(item, "type"), text_at(item, "name"), _held(item)
        if kind in {"armor", "rangedWeapon", "ccWeapon"}:
            if at(own, "active") is False:
                yield f"{name}: not at hand"
            elif at(own, "additionalMode") is True:
                yield f"{name}: its second mode; give it as a weapon of its own"
        elif kind == "grenade":
            yield f"grenade {name}: give it by roster name"
        elif quality_called(name) or kind in {"morph", "specialSkill"}:
            continue
        elif kind == "ware" and name.casefold() in IDLE_WARE:
            idle.append((kind, name))
        elif kind in PROSE:
            yield f"{in_words(kind)} {name}: not read; set by hand what it changes"
        else:
            idle.append((in_words(kind), name))
    yield from listed_by_kind(idle)


ADAPTER = Adapter("Foundry, system eclipsephase", _fits, _read)
