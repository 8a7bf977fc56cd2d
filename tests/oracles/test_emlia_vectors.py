"""The oracle of Emlia answers the worked examples: the very data that the rules are held to.

Attacks in close combat on one unit or a mixed body: the check, the Difficulty against several, and
where the hits go. Each vector is told to the oracle from its sheets; what says more than that is
left to the tests of the oracle's other parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from tests.vectors import Vector, roster_of, vectors_of, written_out

from . import emlia as em

F = Fraction
VECTORS = vectors_of("emlia")
KNOWN = {
    "setup": {"attacker", "defender", "others", "action", "focus", "resolution"},
    "attacker": {"name", "members", "skills", "weapons"},
    "foe": {"name", "members", "hits", "to_hit", "unaware", "damage_limit", "damage", "markers",
            "lost", "threshold", "table", "formation", "speed", "source"},
    "readings of difficulty": {"focus_merge", "focus_cap"},
    "readings of hits": {"k_scope", "markers_owner", "group_by"},
    "told": {"difficulty", "successes", "ones", "hits", "fumble", "damage", "damage_by", "markers",
             "markers_by", "casualties_by", "lost", "rolls", "table"},
}  # fmt: skip


class Attack(NamedTuple):
    """A vector as the oracle has it: so many dice, at which number, and who may be hit."""

    n_dice: int
    number: int
    units: tuple[em.Unit, ...]
    focus: str | None
    automatic: bool
    readings: em.Readings


def told(vector: Vector) -> Attack | None:
    """A vector as an attack of the oracle; None where it says more than the oracle knows here."""
    setup, expected = vector.setup, {*vector.expect, *vector.odds, *vector.odds.get("_mean", {})}
    attacker = setup["attacker"]
    foes = [setup.get("defender"), *(row.get("who") for row in setup.get("others", ()))]
    if (
        setup.get("action") != "close_combat" or setup.keys() - KNOWN["setup"] or vector.choose
        or expected - KNOWN["told"] - {"_mean"} or isinstance(attacker, str)
        or attacker.keys() - KNOWN["attacker"] or any(row.keys() != {"who"} for row in
                                                     setup.get("others", ()))
        or vector.rulings.keys() - KNOWN["readings of difficulty"] - KNOWN["readings of hits"]
    ):  # fmt: skip
        return None
    sheets = [written_out(foe, roster_of("emlia", "units")) for foe in foes]
    if any(sheet.keys() - KNOWN["foe"] for sheet in sheets):
        return None
    base = sum(map(_damage, attacker.get("weapons", ())))
    ((_, level),) = [row.values() for row in attacker["skills"]]
    focus = None if setup.get("focus", "none") == "none" else setup["focus"]
    automatic = {sheet.get("unaware", False) for sheet in sheets}
    assert len(automatic) == 1, vector.name
    readings: Any = {
        key: vector.rulings[key] for key in KNOWN["readings of hits"] & vector.rulings.keys()
    }
    units = tuple(_unit(sheet, base) for sheet in sheets)
    return Attack(level, _number(vector, sheets, focus), units, focus, automatic.pop(), readings)


def _damage(weapon: str | Mapping[str, Any]) -> int:
    sheet = written_out(weapon, roster_of("emlia", "weapons"))
    return int(sheet.get("damage", 0))


def _number(vector: Vector, sheets: list[dict[str, Any]], focus: str | None) -> int:
    groups = [(sheet.get("members", 1), sheet.get("to_hit", 0)) for sheet in sheets]
    if len(groups) == 1:
        return em.difficulty(groups[0][1])
    place = None if focus is None else [sheet["name"] for sheet in sheets].index(focus)
    readings: Any = {
        key: vector.rulings[key] for key in KNOWN["readings of difficulty"] & vector.rulings.keys()
    }
    return em.mixed_difficulty(groups, place, **readings)


def _unit(sheet: Mapping[str, Any], base: int) -> em.Unit:
    rows = [
        (row["low"], row.get("high"), _row(row)) for row in sheet.get("table", ())
    ]  # fmt: skip
    return {
        "name": sheet["name"], "members": sheet.get("members", 1), "hits": sheet.get("hits", 1),
        "base": base, "markers": sheet.get("markers", 0), "damage": sheet.get("damage", 0),
        "limit": sheet.get("damage_limit"), "threshold": sheet.get("threshold"), "table": rows,
        "die": 10,
    }  # fmt: skip


def _row(row: Mapping[str, Any]) -> em.Effect:
    effect: em.Effect = {"name": row.get("name", "nothing")}
    if row.get("destroyed"):
        effect["destroyed"] = True
    return effect


def _by(found: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {n}" for name, n in found.items() if n) or "none"


def _spent(end: em.Allocation) -> dict[str, object]:
    """Fields of an outcome, from where the hits went."""
    suffered = end.by.values()
    return {
        "damage": sum(one.points for one in suffered), "damage_by": _by(end.points()),
        "markers": sum(one.markers for one in suffered), "markers_by": _by(end.markers()),
        "casualties_by": _by({name: one.casualties for name, one in end.by.items()}),
        "lost": end.lost, "rolls": sum(one.rolls for one in suffered),
        "table": ", ".join(name for one in suffered for name in one.came_up) or "none",
    }  # fmt: skip


def played(attack: Attack, faces: tuple[int, ...]) -> dict[str, object]:
    """The fields that a vector may tell of one play."""
    checked = () if attack.automatic else faces[: attack.n_dice]
    check = em.Check(attack.n_dice, False, 0) if attack.automatic else em.check(
        checked, attack.number
    )  # fmt: skip
    rolls = list(faces[len(checked) :])
    end = em.allocate(attack.units, check.net, attack.focus, rolls=rolls, **attack.readings)
    assert not rolls, "all dice are rolled"
    return {
        "difficulty": attack.number, "hits": check.net, "fumble": check.excess,
        "successes": sum(face >= attack.number for face in checked), "ones": checked.count(1),
        **_spent(end),
    }  # fmt: skip


def priced(attack: Attack) -> dict[str, dict[object, Fraction]]:
    """The odds of the fields of which a vector may tell them."""
    found: dict[str, dict[object, Fraction]] = {}
    sure = {em.Check(attack.n_dice, False, 0): F(1)}
    checks = sure if attack.automatic else em.check_counted(attack.n_dice, attack.number)
    for check, p in checks.items():
        for end, q in em.outcomes(attack.units, check.net, attack.focus, **attack.readings):
            fields = {"difficulty": attack.number, "hits": check.net, "fumble": check.excess}
            for name, value in {**fields, **_spent(end)}.items():
                row = found.setdefault(name, {})
                row[value] = row.get(value, F(0)) + p * q
    return found


TOLD = {name: attack for name, vector in VECTORS.items() if (attack := told(vector)) is not None}
MUST = {
    "EMS-1", "EMV-1", "EMV-2", "EMV-4", "EMV-31", "EMV-32", "EMV-37", "EMV-40", "EMV-41", "EMV-43",
    "EMV-44", "EMV-45", "EMV-45-inside", "EMV-46", "EMV-47", "EMV-47-alone", "EMV-50", "EMV-52",
    "EMV-53", "EMV-53-first", "EMV-55", "EMV-56", "EMV-56-largest", "EMV-57", "EMV-57-unit",
    "EMV-58", "EMV-59", "EMV-60", "EMV-61", "EMO-1", "EMO-2", "EMO-4", "EMO-5", "EMO-7", "EMO-10",
    "EMO-11",
}  # fmt: skip


def test_vectors_of_the_check_the_body_and_the_hits_are_told_to_the_oracle() -> None:
    known = {vector for name in TOLD for vector in VECTORS[name].ids}
    assert known >= MUST, sorted(MUST - known)


@pytest.mark.parametrize("name", [name for name in TOLD if VECTORS[name].expect])
def test_an_attack_comes_to_what_is_expected(name: str) -> None:
    vector = VECTORS[name]
    found = played(TOLD[name], vector.dice)
    assert {key: found[key] for key in vector.expect} == dict(vector.expect)


@pytest.mark.parametrize("name", [name for name in TOLD if VECTORS[name].odds])
def test_an_attack_has_the_odds_that_were_counted(name: str) -> None:
    found, means = priced(TOLD[name]), dict(VECTORS[name].odds.get("_mean", {}))
    for field, row in VECTORS[name].odds.items():
        if field != "_mean":
            known = {str(value): p for value, p in found[field].items()}
            assert {value: known[value] for value in row} == {
                value: F(p) for value, p in row.items()
            }
    for field, mean in means.items():
        assert sum(int(str(value)) * p for value, p in found[field].items()) == F(mean)
