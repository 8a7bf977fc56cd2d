"""Whole situations, drawn with a seed as plain dicts, and the sheets that say the same."""

from __future__ import annotations

from random import Random
from typing import Any

from affray.systems.emlia.gear import Modified, Own, Row, Skill, Weapon
from affray.systems.emlia.rulings import RULINGS
from affray.systems.emlia.sheet import Contact, Other, Setup, Troop, Unit
from tests.oracles.emlia_situation import Raw

__all__ = ["contact", "contact_of", "drawn", "few", "readings", "setup_of", "sheet_of", "unit_of"]

HIDING = ("none", "none", "partial", "total")
SIDES = ("front", "flank", "rear")
LIKES = ("aimed_fire", "volley_fire", "close_combat")


def few(rng: Random, chance: float) -> bool:
    return rng.random() < chance


def _weapons(rng: Random) -> list[Raw]:
    """Some of one skill: the first that serves counts, if none is named."""
    found = []
    for name in rng.sample(("axe", "bow", "pike", "hurled", ""), rng.randint(0, 4)):
        short = rng.choice((0, 5, 10))
        medium = short + rng.choice((0, 5, 10))
        found.append({
            "name": name, "skill": rng.choice(LIKES), "also": rng.choice(("", "", *LIKES)),
            "short": short, "medium": medium, "longest": max(medium, rng.choice((10, 20, 20))),
            "damage": rng.randint(0, 3), "damage_medium": rng.choice((None, 0, 1, 4)),
            "damage_long": rng.choice((None, 0, 2, 5)),
            "damage_charging": rng.choice((None, 0, 1, 6)), "volley_full": few(rng, 0.3),
        })  # fmt: skip
    return found


def _troop(rng: Random, name: str, own: list[Raw]) -> Raw:
    members = rng.choice((1, 1, 2, 4, 5, 8, 10, 20, 21))
    names = [skill for skill in LIKES if few(rng, 0.6)]
    actions = own if few(rng, 0.7) else []
    names += sorted({act["skill"] or act["name"] for act in actions if few(rng, 0.6)} - {*names})
    threshold = rng.choice((None, None, 3))
    limit = rng.choice((None, None, 4))
    table, came_up = [], []
    if threshold:
        table = [
            {"low": 1, "high": 3, "name": "crack", "uncovers": False, "destroyed": False},
            {"low": 4, "high": 6, "name": "breach", "uncovers": True, "destroyed": False},
        ]
        came_up = rng.choice(([], ["crack"], ["breach"]))
    weapons = [
        weapon for weapon in _weapons(rng)
        if {weapon["skill"], weapon["also"]} - {""} <= {*LIKES, *names}
    ]  # fmt: skip
    return {
        "name": name, "members": members, "lost": rng.choice((0, 0, 1, 3)),
        "formation": rng.choice(("open", "close", "ranked")), "weapons": weapons,
        "skills": [
            {"skill": skill, "level": rng.randint(0, 6), "diminish": rng.choice((0, 0, 1, "1/2"))}
            for skill in names
        ],
        "actions": actions, "reach": rng.choice((0, 0, 1, 2)), "cover": rng.choice(HIDING),
        "concealment": rng.choice(HIDING), "vertical_cover": rng.choice(("none", "partial")),
        "covered_by": "", "rough": few(rng, 0.2), "elevation": rng.choice((0, 0, 1, 2)),
        "unaware": few(rng, 0.2), "to_hit": rng.choice((0, 0, -2, 3)), "charged": few(rng, 0.2),
        "double_paced": few(rng, 0.2), "aligned": few(rng, 0.2),
        "exposed": rng.choice((0, 0, 1, 2)), "pinned": rng.choice((0, 0, 1)),
        "threshold": threshold, "weaker": rng.choice((0, 0, 1)), "damage_limit": limit,
        "table": table, "came_up": came_up,
        "wear": rng.randrange(threshold) if threshold else 0, "table_die": 6 if threshold else 10,
        "damage": rng.randrange(limit) if limit else 0,
    }  # fmt: skip


def unit_of(rng: Random, name: str, own: list[Raw], most: int = 2) -> Raw:
    made = _troop(rng, name, own)
    many = rng.choice((0, 0, 1, most))
    made["joined"] = [_troop(rng, f"{name}{n}", own) for n in range(1, many + 1)]
    return made


def contact(rng: Random) -> Raw:
    some = (None, 0, 1, 2, 3, 6)
    fronts, own_fronts = rng.randint(1, 4), rng.randint(1, 4)
    further = [rng.choice(SIDES) for _ in range(rng.randint(0, fronts - 1))]
    own_further = [rng.choice(SIDES) for _ in range(rng.randint(0, own_fronts - 1))]
    return {
        "side": rng.choice(SIDES), "own_side": rng.choice(SIDES), "members": rng.choice(some),
        "theirs": rng.choice(some), "fighting": rng.choice((None, None, 2, 5)),
        "theirs_fighting": rng.choice((None, None, 3, 4)), "fronts": fronts,
        "own_fronts": own_fronts, "further": further, "own_further": own_further,
    }  # fmt: skip


def drawn(rng: Random) -> Raw:
    own: list[Raw] = []
    if few(rng, 0.4):
        own = [{
            "name": "stunt", "skill": rng.choice(("", "tricks")), "like": rng.choice(LIKES),
            "default": few(rng, 0.5), "hits": rng.randint(1, 3),
            "modifiers": [{"label": "easy", "amount": 2}, {"label": "odd", "amount": -1}],
        }]  # fmt: skip
    units = [unit_of(rng, name, own) for name in "ABCD"[: rng.choice((2, 2, 3, 4))]]
    for unit in units[1:]:
        if few(rng, 0.25):
            over = rng.choice([other["name"] for other in units if other is not unit])
            unit |= {"covered_by": over, "vertical_cover": rng.choice(("partial", "total"))}
        if few(rng, 0.25):
            unit["on"] = rng.choice([other["name"] for other in units if other is not unit])
    if own:
        units[0]["actions"] = own
    actions = ["close_combat", "close_combat", "aimed_fire", "volley_fire", "supporting_fire"]
    actions += ["stunt", "stunt"] * bool(own)
    named = sorted({weapon["name"] for weapon in units[0]["weapons"]} - {""})
    engaged = few(rng, 0.4)
    blind, sight = rng.choice(((False, False), (False, True), (True, False)))
    return {
        "attacker": units[0], "defender": units[1], "action": rng.choice(actions),
        "weapon": rng.choice(["", "", *named]), "engaged": engaged,
        "combat": rng.choice(("auto", "auto", "auto", "skirmish", "ranked", "none")),
        "contact": contact(rng), "press": rng.randint(0, 4),
        "distance": 0 if engaged else rng.choice((0, 0, 5, 10, 11, 15, 20)),
        "blind": blind, "in_sight": sight, "move": rng.choice(("none", "forfeit", "double")),
        "others": [
            {"who": unit, "side": side, "body": few(rng, 0.4), "fights": few(rng, 0.7),
             "engages": side == "enemy" and few(rng, 0.5), "contact": contact(rng)}
            for unit in units[2:] for side in (rng.choice(("friend", "enemy")),)
        ],
    }  # fmt: skip


def readings(rng: Random) -> dict[str, Any]:
    return {ruling.name: rng.choice((ruling.default, *ruling.options)) for ruling in RULINGS}


# -- as sheets -----------------------------------------------------------------------------------


def sheet_of(raw: Raw, kind: type[Troop] = Troop) -> Any:
    made = dict(raw)
    for key, sort in (("weapons", Weapon), ("skills", Skill), ("table", Row)):
        made[key] = tuple(sort(**row) for row in raw[key])
    made["actions"] = tuple(
        Own(**{**act, "modifiers": tuple(Modified(**row) for row in act["modifiers"])})
        for act in raw["actions"]
    )
    made["came_up"] = tuple(raw["came_up"])
    if "joined" in raw:
        made["joined"] = tuple(sheet_of(troop) for troop in raw["joined"])
    return kind(**made)


def contact_of(raw: Raw) -> Contact:
    """A contact as the sheet has it."""
    sides = {key: tuple(raw[key]) for key in ("further", "own_further")}
    return Contact(**{**raw, **sides})


def setup_of(raw: Raw, units: tuple[Unit, Unit] | None = None) -> Setup:
    """The setup of a situation, with its own attacker and target or with these two."""
    one, aim = units or (sheet_of(raw["attacker"], Unit), sheet_of(raw["defender"], Unit))
    others = tuple(
        Other(
            **{
                **other,
                "who": sheet_of(other["who"], Unit),
                "contact": contact_of(other["contact"]),
            }
        )
        for other in raw["others"]
    )
    touch = contact_of(raw["contact"])
    return Setup(**{**raw, "attacker": one, "defender": aim, "others": others, "contact": touch})
