"""What adapters for Eclipse Phase share: numbers in texts, skills, damage, things left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from affray.core.adapter import Brought, Carried
from affray.systems.eclipse_phase.tables import round_half_up

__all__ = [
    "APTITUDES", "BEHIND", "IDLE_WARE", "PLAIN", "Figure", "at", "brought", "called", "dice_in",
    "in_words", "initiative_of", "items_of", "list_at", "listed_by_kind", "number_in",
    "qualities_among", "quality_called", "skill_total", "specialized_told", "text_at",
]  # fmt: skip

Figure = Mapping[str, object]
"""A table of the file."""

APTITUDES = {"cog": "cog", "int": "intuition", "ref": "ref", "som": "som", "wil": "wil"}
"""Our fields by the short names that both systems use; nothing here reads SAV."""
DOUBLED = frozenset({"fray", "perceive"})
"""Skills that begin at twice their aptitude."""
BEHIND = {
    "athletics": "som", "demolitions": "cog", "exotic": "som", "fray": "ref", "guns": "ref",
    "infiltrate": "ref", "interface": "cog", "medicine": "cog", "melee": "som",
    "perceive": "int", "psi": "wil",
}  # fmt: skip
"""Skills that fights read, with their aptitudes."""
FIELDED = frozenset({"demolitions", "exotic", "medicine"})
"""Those of them that stand among skills with a field."""
PLAIN = tuple(skill for skill in BEHIND if skill not in FIELDED)
CAP = 100
QUALITIES = (
    "bad_luck", "cyberbrain", "danger_sense", "low_pain_tolerance", "medichines",
    "pain_tolerance", "immune_to_pain",
)  # fmt: skip


def at(table: object, *keys: str) -> object:
    """The value at a place of a table; None if there is none."""
    for key in keys:
        table = table.get(key) if isinstance(table, Mapping) else None
    return table


def text_at(table: object, *keys: str) -> str:
    """The text at a place of a table; "" if there is none."""
    found = at(table, *keys)
    return found if isinstance(found, str) else ""


def list_at(table: object, *keys: str) -> list[object]:
    """The list at a place of a table; an empty one if there is none."""
    found = at(table, *keys)
    return found if isinstance(found, list) else []


def items_of(*holders: object) -> list[Figure]:
    """The items of an actor and of what it wears; those that both have, once."""
    found: dict[tuple[str, str], Figure] = {}
    for holder in holders:
        for item in list_at(holder, "items"):
            if isinstance(item, Mapping):
                found.setdefault((text_at(item, "type"), text_at(item, "name")), item)
    return list(found.values())


def number_in(value: object) -> int | None:
    """The first whole number in a value: 50 of "50m", 3 of "+3"; None if there is none."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return int(value)
    found = re.search(r"-?[0-9]{1,6}", str(value))
    return int(found[0]) if found else None


_DICE = re.compile(r"([+-]?)([0-9]{0,3})(d10|d6|)")


def dice_in(formula: object) -> dict[str, object] | None:
    """Our dice of a formula such as "2d10 + 6"; None if it has anything else in it.

    >>> dice_in("2d10 + 1d6 - 1"), dice_in("special")
    ({'d10': 2, 'd6': 1, 'flat': -1}, None)
    """
    text = str(formula or "").casefold().replace(" ", "")
    found = {"d10": 0, "d6": 0, "flat": 0}
    place = 0
    while place < len(text):
        term = _DICE.match(text, place)
        if term is None or not (term[2] or term[3]):
            return None
        number = int(term[2] or 1) * (-1 if term[1] == "-" else 1)
        found[term[3] or "flat"] += number
        place = term.end()
    return {key: number for key, number in found.items() if number} if text else None


def skill_total(skill: str, points: object, aptitudes: Mapping[str, int]) -> int | None:
    """A skill as the book counts it; None for one that is not trained and defaults."""
    base, bought = aptitudes.get(BEHIND[skill], 0), number_in(points) or 0
    if skill in DOUBLED:
        return min(CAP, 2 * base + bought)
    return min(CAP, base + bought) if bought else None


def initiative_of(aptitudes: Mapping[str, int]) -> int:
    """Initiative: a fifth of REF and INT together."""
    return round_half_up(aptitudes.get("ref", 0) + aptitudes.get("int", 0), 5)


def quality_called(name: str) -> str | None:
    """The trait or ware of ours that is called so, with a level or without."""
    plain = re.sub(r"[^a-z]+", "_", name.casefold()).strip("_")
    for quality in QUALITIES:
        if plain == quality or plain.removesuffix("_level") == quality:
            return quality
    return None


IDLE_WARE = frozenset({
    "access jacks", "biomods", "cortical stack", "mesh inserts", "mnemonics", "puppet sock",
})  # fmt: skip
"""Ware that changes nothing in a fight."""


def called(name: str) -> tuple[str, ...]:
    """Names under which the roster may have a thing: as it stands, and without additions.

    >>> called("Shock Glove (Synth)"), called("Light Frame Armor")
    (('Shock Glove (Synth)', 'Shock Glove'), ('Light Frame Armor', 'Light Frame'))
    """
    short = re.sub(r" *\([^)]*\)$| armor$", "", name, flags=re.IGNORECASE)
    return (name, short) if short and short != name else (name,)


def qualities_among(names: Iterable[str]) -> list[str]:
    """The traits and ware of ours among some names, each once."""
    return list(dict.fromkeys(filter(None, map(quality_called, names))))


def listed_by_kind(things: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Things that no rule here reads, a line for each kind."""
    found: dict[str, list[str]] = {}
    for kind, name in things:
        found.setdefault(kind, []).append(name)
    for kind, names in found.items():
        yield f"{kind}: {', '.join(names)}; no rule here reads it"


def in_words(kind: str) -> str:
    """A kind of item in words: "physical tech" of physicalTech."""
    return "".join(f" {sign.lower()}" if sign.isupper() else sign for sign in kind)


def specialized_told(skill: str, special: object) -> str:
    """A specialization, which counts only where it applies."""
    return f"{skill}: specialized in {special}; name it in `specialized` where it applies"


def brought(values: Figure, carried: Iterable[Carried], left_out: Iterable[str]) -> Brought:
    """A fighter without values that the file doesn't give."""
    known = {key: value for key, value in values.items() if value not in (None, [], "")}
    return Brought(known, tuple(carried), tuple(left_out))
