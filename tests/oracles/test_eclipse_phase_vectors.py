"""The oracle of Eclipse Phase against the worked examples, as examples and vectors have them."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from tests.vectors import Vector, roster_of, vectors_of, written_out

from . import eclipse_phase as ep

F = Fraction
VECTORS = vectors_of("eclipse-phase")
POOLS = {"insight", "moxie", "vigor", "flex", "threat"}
BODY = {
    "name", "body", "size", "som", "ref", "wil", "intuition", "cog", "som_check", "durability",
    "wound_threshold", "lucidity", "pieces", "energy", "kinetic", "mental", "ignore_wounds",
    "damage", "wounds", "initiative", "weapons", "source", "unarmed_d6", *POOLS,
    "fray", "melee", "guns", "athletics", "psi", "perceive",
}  # fmt: skip
KNOWN: dict[str, set[str]] = {
    "setup": {"attacker", "defender", "others", "weapon", "ammo", "distance_m", "cover", "vision",
              "movement", "superior", "treated", "attacker_modifier", "ambush"},
    "attacker": BODY | {"infiltrate"},
    "defender": BODY | {"conditions", "full_defense", "qualities"},
    "conditions": {"immobilized", "incapacitated"},
    "qualities": {"danger_sense"},
    "weapon": {"name", "form", "skill", "d10", "d6", "flat", "armor", "modes", "rounds",
               "range_m", "reach", "traits", "concealable", "source"},
    "form": {"melee", "kinetic", "railgun", "beam", "psi"},
    "traits": {"long", "fixed", "two_handed", "armor_piercing", "shock"},
    "ammo": {"name", "d10", "d6", "half", "traits", "source"},
    "choices": {"choose_mode", "choose_fire", "choose_style", "choose_called_shot",
                "choose_defence", "search_target", "spend_before_attack", "spend_before_defence",
                "spend_on_check", "call_for_check"},
    "options": {"flip", "upgrade", "downgrade"},
    "fields": {"hit", "critical", "superior", "dv", "net", "wounds", "total", "prone",
               "knocked_out", "unconscious", "incapacitated", "dead", "bleeding", "dies_in",
               "effect", "conditions", "fumble", "deadlock", "spent", "rounds", "hits", "net_all",
               "hit_2", "net_2", "wounds_2", "ambush"},
}  # fmt: skip
"""What the oracle tells: one attack, with all its choices made."""
NOT_TOLD = {"suppresses", "calls", "revivable"}
"""Fields of examples that the oracle has no word for."""
MODES = {"semi": "SA", "burst": "BF", "auto": "FA"}
FIRE = {"hit": "to_hit", "damage": "damage", "suppress": "suppressive"}
UNTRAINED = {"melee": "som", "guns": "ref", "psi": "wil"}


def setup_sheets(vector: Vector) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The sheets of the attacker and of all targets, written out."""
    fighters = roster_of("eclipse-phase", "fighters")
    targets = [vector.setup.get("defender", {}), *vector.setup.get("others", ())]
    by = written_out(vector.setup.get("attacker", {}), fighters)
    return by, [written_out(one, fighters) for one in targets]


def item(vector: Vector, key: str, file: str) -> dict[str, Any]:
    return written_out(vector.setup.get(key, {}), roster_of("eclipse-phase", file))


def is_told(vector: Vector) -> bool:
    """Whether the oracle knows every word of a vector."""
    by, targets = setup_sheets(vector)
    weapon, ammo = item(vector, "weapon", "weapons"), item(vector, "ammo", "ammo")
    unknown = vector.setup.keys() - KNOWN["setup"] | by.keys() - KNOWN["attacker"]
    unknown |= weapon.keys() - KNOWN["weapon"] | ammo.keys() - KNOWN["ammo"]
    unknown |= {*weapon.get("traits", ()), *ammo.get("traits", ())} - KNOWN["traits"]
    unknown |= {weapon.get("form", "none")} - KNOWN["form"]
    for one in targets:
        unknown |= one.keys() - KNOWN["defender"]
        for key in ("conditions", "qualities"):
            unknown |= set(one.get(key, ())) - KNOWN[key]
    unknown |= vector.choose.keys() - KNOWN["choices"] | set(vector.options) - KNOWN["options"]
    unknown |= vector.rulings.keys() - {*vars(ep.BOOK), "reveal"}
    unknown |= vector.expect.keys() - KNOWN["fields"] - NOT_TOLD
    unknown |= {key for key in vector.odds if key[0] != "_"} - KNOWN["fields"]
    unknown |= {"ambush"} if "ambush" in vector.setup and vector.odds else set()
    return not unknown and bool(vector.expect or vector.odds)


class Told(NamedTuple):
    """An attack as the oracle has it."""

    tn_a: int
    tns_d: list[int | None]
    attack: ep.Attack
    targets: list[ep.Target]
    miss: Fraction
    defaulting: bool
    rulings: ep.Rulings
    spent: int


def pieces_of(sheet: Mapping[str, Any]) -> ep.Layers:
    entries = roster_of("eclipse-phase", "armor")
    worn = [written_out(one, entries) for one in sheet.get("pieces", ())]
    rows = [(one["energy"], one["kinetic"], one["layer"] == "full") for one in worn]
    return ep.layers(rows, som=sheet.get("som", 15), dur=sheet.get("durability", 30))


def target_of(sheet: Mapping[str, Any], against: str) -> ep.Target:
    dur, worn = sheet.get("durability", 30), pieces_of(sheet)
    more = {"energy": worn.energy, "kinetic": worn.kinetic, "mental": 0}[against]
    synth = sheet.get("body", "biomorph") in {"synthmorph", "bot"}
    return ep.Target(
        sheet.get(against, 0) + more, sheet.get("wound_threshold", ep.derived_wt(dur)) or None,
        dur, ep.derived_dr(dur, synth=synth), sheet.get("som_check", 3 * sheet.get("som", 15)),
        sheet.get("damage", 0), sheet.get("wounds", 0), sheet.get("ignore_wounds", 0),
    )  # fmt: skip


def situation_of(vector: Vector, against: Mapping[str, Any]) -> ep.Situation:
    by, _ = setup_sheets(vector)
    setup, choose, weapon = vector.setup, vector.choose, item(vector, "weapon", "weapons")
    form, traits = weapon["form"], weapon.get("traits", ())
    mode = choose.get("choose_mode", "semi")
    fire = FIRE.get(choose.get("choose_fire", ""), "single" if mode == "semi" else "multi_target")
    movement = setup.get("movement", "none")
    situation: Any = {
        "kind": form if form in {"melee", "psi"} else "ranged",
        "size_a": by.get("size", "medium"), "size_d": against.get("size", "medium"),
        "wounds_a": by.get("wounds", 0), "wounds_d": against.get("wounds", 0),
        "ignore_wounds_a": by.get("ignore_wounds", 0),
        "ignore_wounds_d": against.get("ignore_wounds", 0),
        "superior_position": setup.get("superior", "none"),
        "sight_a": setup.get("vision", "clear"), "layers_a": pieces_of(by).modifier,
        "layers_d": pieces_of(against).modifier, "gm_a": setup.get("attacker_modifier", 0),
        "move": "full" if movement == "charge" else movement, "charge": movement == "charge",
        "called_shot": choose.get("choose_called_shot", "none") != "none",
        "distance": setup.get("distance_m", 0), "rating": weapon.get("range_m", 0),
        "weapon_class": form, "long": "long" in traits, "mode": MODES[mode], "option": fire,
        "cover": setup.get("cover", "none"), "reach_a": weapon.get("reach", 0),
        "defence": choose.get("choose_defence", "fray"),
        "full_defence": against.get("full_defense", False),
    }  # fmt: skip
    return situation  # type: ignore[no-any-return]


def defence_of(vector: Vector, against: Mapping[str, Any]) -> int | None:
    """The target number of the defence; None where nobody defends."""
    out = against.get("damage", 0) >= against.get("durability", 30)
    if out or against.get("conditions"):
        return None
    situation = situation_of(vector, against)
    fray = against.get("fray", 2 * against.get("ref", 15))
    base = {"melee": fray, "ranged": ep.ranged_fray(fray), "psi": 3 * against.get("wil", 15)}
    return ep.target_number(base[situation["kind"]], ep.defender_modifiers(situation))


def is_surprised(faces: list[int], by: Mapping[str, Any], against: Mapping[str, Any]) -> bool:
    """Infiltrate against Perceive of one who isn't on guard (EP-34)."""
    keen = "danger_sense" in against.get("qualities", ())
    perceive = ep.target_number(against["perceive"], [("busy", -20), ("keen", 10 * keen)])
    return ep.hit(faces.pop(0), by["infiltrate"], faces.pop(0), perceive)


def told_of(vector: Vector) -> Told:
    by, against = setup_sheets(vector)
    weapon, ammo = item(vector, "weapon", "weapons"), item(vector, "ammo", "ammo")
    situation, choose = situation_of(vector, against[0]), vector.choose
    named = {key: one for key, one in vector.rulings.items() if key != "reveal"}
    rulings = replace(ep.BOOK, **named)  # type: ignore[arg-type]  # as the room calls them
    skill = weapon["skill"]
    base = by.get(skill, by.get(UNTRAINED[skill], 15))
    pool = choose.get("spend_before_attack", "none")
    tn_a = ep.target_number(base, ep.attacker_modifiers(situation), pool=pool, rulings=rulings)
    more, lost = (
        ep.ranged_dice(situation)
        if situation["kind"] == "ranged"
        else (ep.melee_dice(situation) if situation["kind"] == "melee" else ep.NOTHING, 0)
    )
    minus = max(0, -ammo.get("d10", 0))
    more = more.plus(ep.DV(d10=max(0, ammo.get("d10", 0)), d6=ammo.get("d6", 0)))
    size = situation["size_a"] if situation["kind"] == "melee" else "medium"
    hurt = ep.Hurt(more, lost + minus, small=size == "small", very_small=size == "very_small",
                   half_ammo=ammo.get("half", False))  # fmt: skip
    miss = F(0)
    if situation["sight_a"] == "blind":
        seen = F(0)
        if choose["search_target"] == "perceive":
            seen = ep.p_success(by["perceive"])
        miss = (1 - seen) * ep.blind_miss_chance(False)
    return Told(
        tn_a, [defence_of(vector, one) for one in against],
        ep.Attack(
            ep.DV(weapon.get("d10", 0), weapon.get("d6", 0), weapon.get("flat", 0)), hurt,
            piercing="armor_piercing" in {*weapon.get("traits", ()), *ammo.get("traits", ())},
            called=choose.get("choose_called_shot", "none"), wounds_only=True,
        ),
        [target_of(one, weapon.get("armor", "kinetic")) for one in against], miss,
        skill not in by, rulings, int(pool != "none"),
    )  # fmt: skip


# ------------------------------------------------------------------ with the dice that are given


def hurt_by(faces: list[int], told: Told, landed: ep.Strike, nth: int) -> dict[str, Any]:
    """What a hit with these dice does to a target, up to the check that it calls for."""
    attack, target, rulings = told.attack, told.targets[nth], told.rulings
    blow = ep.blow(landed, attack.called, rulings)
    whole = attack.weapon.plus(attack.hurt.extra).plus(ep.DV(d6=blow.d6))
    pool, _ = ep.take_d10(whole, attack.hurt.minus_d10)
    dice = [10] * pool.d10 + [6] * pool.d6
    rolled = [faces.pop(0) for _ in dice]
    assert all(1 <= face <= sides for face, sides in zip(rolled, dice, strict=True))
    hurt = replace(attack.hurt, extra=ep.NOTHING, minus_d10=0, critical=blow.doubled)
    ((dv, _),) = ep.damage(ep.DV(flat=sum(rolled) + pool.flat), hurt, rulings=rulings).items()
    av = ep.armor(target.armor, piercing=attack.piercing, bypass=blow.bypass, rulings=rulings)
    net = ep.net_damage(dv, av)
    return {"dv": dv, "net": net, "wounds": ep.wounds(net, target.wt),
            "total": target.damage + net, "effect": "bypass" if blow.bypass else ""}  # fmt: skip


def fate(
    vector: Vector, faces: list[int], target: ep.Target, sheet: Mapping[str, Any],
    done: Mapping[str, Any],
) -> dict[str, Any]:  # fmt: skip
    """What becomes of the one who is hit, with the dice of the check."""
    total, new, synth = done["total"], done["wounds"], sheet.get("body") in {"synthmorph", "bot"}
    told: dict[str, Any] = {
        "prone": total >= target.dur, "knocked_out": False, "unconscious": total >= target.dur,
        "incapacitated": total >= target.dur, "dead": total >= target.dr, "bleeding": 0,
        "dies_in": 0,
    }  # fmt: skip
    n = target.wounds + new
    if target.dur <= total < target.dr and n and not synth:
        tn = ep.bleeding_tn(target, n, meds=vector.setup.get("treated", False))
        if not ep.classify(faces.pop(0), tn).success:
            told |= {"bleeding": n, "dies_in": ep.turns_to_bleed_out(total, n, target.dr)}
    elif total < target.dur and new:
        stands = ep.classify(faces.pop(0), ep.som_tn(target, new)).success
        out = not stands and new > 1
        told |= {"prone": new > 1 or not stands, "knocked_out": out, "unconscious": out}
    if "shock" in item(vector, "weapon", "weapons").get("traits", ()):
        tn = ep.shock_tn(target.som_check, sheet.get("energy", 0), sheet.get("size", "medium"))
        turns = ep.shock_turns(faces.pop(0), tn)
        assert turns
        told |= {
            "prone": True, "conditions": [f"incapacitated {turns}", f"stunned {60 + turns}"]
        }  # fmt: skip
    return told


def played(vector: Vector) -> tuple[dict[str, Any], list[int]]:
    """What the faces of a vector come to, and the faces that are left over."""
    faces, told = list(vector.dice), told_of(vector)
    by, against = setup_sheets(vector)
    found, ambush = not told.miss, ""
    if vector.setup.get("ambush", False):
        surprised = is_surprised(faces, by, against[0])
        ambush = "surprised" if surprised else "alerted"
        told = told._replace(tns_d=[None]) if surprised else told
    if vector.choose.get("search_target") == "perceive":
        found = ep.classify(faces.pop(0), by["perceive"]).success
    a = ep.classify(faces.pop(0), told.tn_a, defaulting=told.defaulting, rulings=told.rulings)
    for option in vector.options:
        a = {str(use): made for use, made in ep.pool_uses(a, rulings=told.rulings)}[option]
    ways = []
    for tn in told.tns_d:
        d = None if tn is None or not a.success else ep.classify(faces.pop(0), tn)
        ways.append((ep.strike(a, d, rulings=told.rulings), ep.opposed(a, d)))
    situation, fields = situation_of(vector, against[0]), []
    for nth, (rolled, _) in enumerate(ways):
        unseen = rolled.hit and not found
        wide = unseen and faces.pop(0) < 100 * ep.blind_miss_chance(False)
        landed = ep.MISS if wide else rolled
        one = {"hit": landed.hit, "critical": landed.critical, "superior": landed.superior,
               "net": 0, "wounds": 0}  # fmt: skip
        if landed.hit:
            one |= hurt_by(faces, told, landed, nth)
            one |= fate(vector, faces, told.targets[nth], against[nth], one)
        fields.append(one)
    every = fields[0] | {
        "fumble": a.critical and not a.success, "deadlock": ways[0][1] == "deadlock",
        "ambush": ambush,
        "spent": told.spent + len(vector.options), "hits": sum(one["hit"] for one in fields),
        "net_all": sum(one["net"] for one in fields),
    }  # fmt: skip
    if situation["kind"] == "ranged":
        how = "suppressive" if situation["option"] == "suppressive" else situation["mode"]
        every["rounds"] = item(vector, "weapon", "weapons")["rounds"] - ep.ROUNDS[how]
    for one in fields[1:]:
        every |= {f"{key}_2": one[key] for key in ("hit", "net", "wounds")}
    return every, faces


# ------------------------------------------------------------------ with all dice

Rows = list[tuple[dict[str, Any], Fraction]]


def spread(vector: Vector) -> Rows:
    """Everything that may come of a vector, with its chance."""
    told = told_of(vector)
    (tn_d, *others), (target, *_) = told.tns_d, told.targets
    by, (against, *_) = setup_sheets(vector)
    if others:
        both = ep.joint_hits(told.tn_a, told.tns_d, rulings=told.rulings)
        return [({"hit": a, "hit_2": b, "hits": a + b}, p) for (a, b), p in both.items()]
    if vector.odds.get("_objective") == "hit":
        play = ep.pool_play(
            told.tn_a, tn_d, attacker=ep.ALL_USES if by.get("flex") else (),
            defender=ep.ALL_USES if against.get("flex") else (), rulings=told.rulings,
            reveal="both" if vector.rulings.get("reveal") == "both" else "own",
        )  # fmt: skip
        assert "_given" not in vector.odds  # how points and hits hang together isn't told
        spent = play.spent_a + play.spent_d
        return [
            ({"hit": s.hit, "critical": s.critical, "spent": n}, p * q)
            for s, p in play.strikes.items()
            for n, q in ((0, 1 - spent), (1, spent))
        ]
    ways: list[tuple[tuple[ep.Strike, bool, bool], Fraction]] = []
    all_d = ep.defences(tn_d, told.rulings)
    for face in ep.ROLLS:
        a = ep.classify(face, told.tn_a, defaulting=told.defaulting, rulings=told.rulings)
        for d in all_d:
            landed = ep.strike(a, d, rulings=told.rulings)
            level = ep.opposed(a, d, rulings=told.rulings) == "deadlock"
            p, fumble = F(1, 100 * len(all_d)), a.critical and not a.success
            if landed.hit and told.miss:
                ways.append(((ep.MISS, fumble, level), p * told.miss))
                p *= 1 - told.miss
            ways.append(((landed, fumble, level), p))
    rows: Rows = []
    for (landed, fumble, level), p in ep.tally(ways).items():
        bypass = landed.hit and ep.blow(landed, told.attack.called, told.rulings).bypass
        for end, q in ep.struck(landed, told.attack, target, rulings=told.rulings).items():
            total = target.damage + end.net
            rows.append((
                {"hit": end.hit, "critical": end.critical, "superior": end.superior, "dv": end.dv,
                 "net": end.net, "wounds": end.wounds, "fumble": fumble, "deadlock": level,
                 "prone": end.prone or (end.hit and total >= target.dur),
                 "knocked_out": end.unconscious and total < target.dr,
                 "incapacitated": total >= target.dur, "dead": total >= target.dr,
                 "effect": "bypass" if bypass else "", "spent": told.spent}, p * q,
            ))  # fmt: skip
    return rows


def chances(rows: Rows, field: str) -> dict[str, Fraction]:
    return ep.tally((str(row[field]).lower(), p) for row, p in rows)


TOLD = [name for name, vector in VECTORS.items() if is_told(vector)]
TOLD_IDS = {
    "V1", "V2", "V4", "V5", "V7", "V8", "V11", "V13", "V14", "V16", "V17", "V19", "V20", "V22",
    "V23", "V25", "V26", "V28", "V29", "V32", "V35", "V38", "V43", "O-1", "O-1d", "O-2", "O-2b",
    "O-4", "O-4b", "O-4c", "O-4d", "O-5", "O-8", "O-10", "O-11", "O-13", "O-14", "O-16", "O-17",
    "O-22", "O-23", "O-25", "O-28", "O-29",
}  # fmt: skip
"""Vectors that the oracle has to tell."""


def test_all_that_can_be_told_is_told() -> None:
    assert {id_ for name in TOLD for id_ in VECTORS[name].ids} >= TOLD_IDS


@pytest.mark.parametrize("name", [name for name in TOLD if VECTORS[name].expect])
def test_worked_examples(name: str) -> None:
    vector = VECTORS[name]
    told, left = played(vector)
    assert not left
    expected = {key: one for key, one in vector.expect.items() if key not in NOT_TOLD}
    assert expected
    assert {key: told[key] for key in expected} == expected


@pytest.mark.parametrize("name", [name for name in TOLD if VECTORS[name].odds])
def test_exact_odds(name: str) -> None:
    odds, rows = VECTORS[name].odds, spread(VECTORS[name])
    given = odds.get("_given", {})
    rows = [(row, p) for row, p in rows if all(row[key] == one for key, one in given.items())]
    whole = sum(p for _, p in rows)
    for field, average in odds.get("_mean", {}).items():
        assert sum(row[field] * p for row, p in rows) / whole == F(average), field
    for field in odds.keys() - {"_given", "_mean", "_objective"}:
        found = chances(rows, field)
        for value, p in odds[field].items():
            assert found.get(value, F(0)) / whole == F(p), (field, value)
