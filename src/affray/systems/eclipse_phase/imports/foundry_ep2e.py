"""Actors of the Foundry system "ep2e": characters with the sleeve they wear.

Aptitudes are plain numbers, skills hold the points bought, the sleeve lies among the flags, and
weapons have a formula and a list of firing modes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from affray.core.adapter import Adapter, Brought, Carried
from affray.systems.eclipse_phase.imports.figures import (
    APTITUDES,
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
    list_at,
    listed_by_kind,
    number_in,
    qualities_among,
    quality_called,
    skill_total,
    specialized_told,
    text_at,
)

__all__ = ["ADAPTER"]

SLEEVES = ("biological", "synthetic", "infomorph")
FORMS = {
    "firearm": "kinetic", "railgun": "railgun", "beamWeapon": "beam", "sprayWeapon": "spray",
    "seekerWeapon": "seeker", "thrownWeapon": "thrown", "meleeWeapon": "melee",
}  # fmt: skip
MODES = {"semiAuto": "semi", "burstFire": "burst", "fullAuto": "auto", "singleShot": "single"}
SIZES = {"verySmall": "very_small", "veryLarge": "very_large"}
MARKS = {
    "concealable": "concealable", "fixed": "fixed", "fragile": "fragile", "long": "long",
    "noClose": "no_close", "noPointBlank": "no_point_blank", "singleUse": "single_use",
    "touchOnly": "touch_only", "twoHanded": "two_handed",
}  # fmt: skip
POOLS = ("insight", "moxie", "vigor", "flex")


def _fits(actor: Figure) -> bool:
    return isinstance(at(actor, "system", "fieldSkills"), Mapping) and isinstance(
        at(actor, "system", "aptitudes", "cog"), int
    )


def _read(actor: Figure) -> Brought:
    system = at(actor, "system")
    aptitudes = {key: number_in(at(system, "aptitudes", key)) or 0 for key in APTITUDES}
    kind, sleeve = _sleeve_of(actor)
    items = items_of(actor, sleeve)
    left_out = list(_left_out(system, items))
    if not kind:
        left_out.append("no sleeve is worn; body, durability and pools are the usual ones")
    values = {
        "name": text_at(actor, "name"),
        **{field: aptitudes[key] for key, field in APTITUDES.items()},
        **_skills(system, aptitudes),
        **_body(kind, at(sleeve, "system")),
        **_pools(system, at(sleeve, "system", "pools")),
        "initiative": initiative_of(aptitudes),
        "stress": number_in(at(system, "mentalHealth", "damage")) or None,
        "traumas": number_in(at(system, "mentalHealth", "wounds")) or None,
        "qualities": qualities_among(text_at(item, "name") for item in items),
    }
    return brought(values, _carried(kind, sleeve, items), left_out)


def _sleeve_of(actor: Figure) -> tuple[str, object]:
    for kind in SLEEVES:
        sleeve = at(actor, "flags", "ep2e", kind)
        if isinstance(at(sleeve, "system"), Mapping):
            return kind, sleeve
    return "", None


def _skills(system: object, aptitudes: Mapping[str, int]) -> dict[str, object]:
    found: dict[str, object] = {
        skill: skill_total(skill, at(system, "skills", skill, "points"), aptitudes)
        for skill in PLAIN
    }
    exotics = []
    for group, skill, field in _fields(system):
        aptitude = aptitudes.get(text_at(skill, "linkedAptitude"), 0)
        total = min(100, aptitude + (number_in(at(skill, "points")) or 0))
        if group == "exotic":
            exotics.append({"field": field.casefold(), "value": total})
        elif field.casefold() == "paramedic":
            found["medicine"] = total
        elif field.casefold() == "demolitions":
            found["demolitions"] = total
    return {**found, "exotics": exotics}


def _fields(system: object) -> Iterator[tuple[str, object, str]]:
    groups = at(system, "fieldSkills")
    for group, skills in groups.items() if isinstance(groups, Mapping) else ():
        for skill in skills if isinstance(skills, list) else ():
            yield str(group), skill, text_at(skill, "field")


def _body(kind: str, sleeve: object) -> dict[str, object]:
    if not kind:
        return {}
    health = at(sleeve, "meshHealth" if kind == "infomorph" else "physicalHealth")
    rate = next(iter(list_at(sleeve, "movementRates")), None)
    size = text_at(sleeve, "size") or "medium"
    unarmed = dice_in(at(sleeve, "unarmedDV")) or {}
    dice = {f"unarmed_{key}": unarmed.get(key, 0) for key in ("d10", "d6", "flat")}
    return {
        "body": _body_called(kind, sleeve),
        "size": SIZES.get(size, size),
        "durability": number_in(at(health, "baseDurability")),
        "damage": number_in(at(health, "damage")) or None,
        "wounds": number_in(at(health, "wounds")) or None,
        "move_base": number_in(at(rate, "base")),
        "move_full": number_in(at(rate, "full")),
        **(dice if unarmed else {}),
    }


def _body_called(kind: str, sleeve: object) -> str:
    if kind == "synthetic":
        return text_at(sleeve, "shellType") or "synthmorph"
    subtype = text_at(sleeve, "subtype").casefold()
    if kind == "biological":
        return next((body for body in ("uplift", "pod") if body in subtype), "biomorph")
    return kind


def _pools(system: object, pools: object) -> dict[str, object]:
    """Points that are left, and those of somebody rested where some are spent."""
    found: dict[str, object] = {}
    if at(system, "settings", "useThreat"):
        most = {"threat": number_in(at(system, "threat")) or 0}
    else:
        most = {pool: number_in(at(pools, pool)) or 0 for pool in POOLS}
        most["flex"] += number_in(at(system, "flex")) or 0
    for pool, points in most.items():
        spent = number_in(at(system, "spentPools", pool)) or 0
        found[pool] = max(0, points - spent) or None
        found[f"{pool}_max"] = points if spent else None
    return found


def _carried(kind: str, sleeve: object, items: list[Figure]) -> Iterator[Carried]:
    frame = at(sleeve, "system", "inherentArmor")
    if kind == "synthetic" and text_at(frame, "source"):
        yield _armor(text_at(frame, "source"), frame, "frame")
    for item in items:
        system, name = at(item, "system"), text_at(item, "name")
        is_on = at(system, "state", "equipped") is not False
        if text_at(item, "type") == "armor" and is_on:
            rating = at(system, "armorValues")
            yield _armor(name, rating, "bonus" if at(rating, "layerable") else "full")
        elif text_at(item, "type") in FORMS and is_on:
            yield _weapon(name, text_at(item, "type"), system)


def _armor(name: str, rating: object, layer: str) -> Carried:
    numbers = {key: number_in(at(rating, key)) or 0 for key in ("energy", "kinetic")}
    return Carried("pieces", called(name), {"name": name, **numbers, "layer": layer})


def _weapon(name: str, kind: str, system: object) -> Carried:
    form, attack = FORMS[kind], at(system, "primaryAttack")
    exotic = text_at(system, "exoticSkill")
    skill = {"melee": "melee", "thrown": "athletics"}.get(form, "guns")
    modes = [*list_at(attack, "firingModes"), text_at(system, "firingMode")]
    traits = [ours for mark, ours in MARKS.items() if at(system, mark) is True]
    traits += [str(trait) for trait in list_at(attack, "attackTraits")]
    traits += ["armor_piercing"] if at(attack, "armorPiercing") is True else []
    table: dict[str, object] = {
        "name": name,
        "form": "improvised" if at(system, "improvised") is True else form,
        "skill": "exotic" if exotic else skill,
        **({"field": exotic.casefold()} if exotic else {}),
        **(dice_in(at(attack, "damageFormula")) or {}),
        "armor": text_at(attack, "armorUsed") or ("energy" if form == "beam" else "kinetic"),
        "traits": traits,
    }
    if at(system, "augmentUnarmed") is True:
        table["unarmed"] = True
    if form == "melee":
        table["reach"] = number_in(at(system, "reachBonus")) or 0
    elif form != "thrown":
        ammo = at(system, "ammo") or at(system, "battery")
        table["modes"] = [ours for mode, ours in MODES.items() if mode in modes]
        table["range_m"] = number_in(at(system, "range") or at(system, "primaryAmmo", "range")) or 0
        rounds = number_in(at(ammo, "value")) or number_in(at(ammo, "charge"))
        table["rounds"] = rounds or number_in(at(system, "primaryAmmo", "missileCapacity")) or 0
    names = (f"rail {name}", *called(name)) if form == "railgun" else called(name)
    return Carried("weapons", names, table)


def _left_out(system: object, items: list[Figure]) -> Iterator[str]:
    skills = at(system, "skills")
    for skill, held in skills.items() if isinstance(skills, Mapping) else ():
        special = text_at(held, "specialization")
        if special and skill in PLAIN:
            yield specialized_told(skill, special)
    idle = []
    for item in items:
        kind, name = text_at(item, "type"), text_at(item, "name")
        if kind in FORMS or kind == "armor":
            if at(item, "system", "state", "equipped") is False:
                yield f"{name}: not equipped"
        elif kind == "explosive":
            yield f"explosive {name}: give it by roster name"
        elif kind in {"trait", "sleight"} and not quality_called(name):
            yield f"{kind} {name}: not read; set by hand what it changes"
        elif kind == "physicalTech" and at(item, "system", "wareType"):
            if name.casefold() in IDLE_WARE:
                idle.append(("ware", name))
            elif not quality_called(name):
                yield f"ware {name}: not read; set by hand what it changes"
        elif not quality_called(name):
            idle.append((in_words(kind), name))
    yield from listed_by_kind(idle)


ADAPTER = Adapter("Foundry, system ep2e", _fits, _read)
