"""Names that users give, looked up; what is not known is refused with what is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from affray.core.errors import Fault, UnknownNameError
from affray.core.telling import shortened, shown

__all__ = ["listed", "nearest", "nearest_name", "unknown"]

MOST_SHOWN = 40
LONGEST = 200
"""Longer names are nobody's misspelling."""


SYNONYMS = (
    (
        "hp", "hit_points", "health_points", "health", "life", "wounds_max", "durability",
        "vitality", "hd", "hit_dice", "hits", "members",
    ),
    ("armor", "armour", "ac", "armor_class", "soak", "kinetic", "phys_def", "layers", "defence"),
    ("defense", "defence", "dodge", "evasion", "parry", "fray", "defending"),
    ("shooting", "firearms", "ranged", "guns"),
    ("fighting", "close_combat", "brawl", "melee"),
    ("agility", "dexterity", "dex", "reflexes", "ref"),
    ("strength", "somatics", "som"),
    ("will", "willpower", "sanity", "lucidity", "resolve", "morale"),
    ("range", "distance", "range_m", "range_zones", "range_hexes", "reach_yd"),
    ("speed", "movement", "move", "moves"),
    ("rank", "level", "hit_die_level", "threat"),
)  # fmt: skip
"""Words of a row mean about the same in different games; in each game most of them are unknown."""


def nearest(given: str, known: Iterable[str]) -> str:
    """A question whether the nearest known name was meant, with a space before; or nothing.

    >>> nearest("dur", ["fray", "durability"]), nearest("hp", ["fray", "durability"])
    (" Did you mean 'durability'?", " Did you mean 'durability'?")
    """
    meant = nearest_name(given, known)
    return f" Did you mean {meant!r}?" if meant else ""


def nearest_name(given: str, known: Iterable[str]) -> str:
    """The known name that was most likely meant; or ""."""
    return _meant(given, list(known)) if len(given) <= LONGEST else ""


def _meant(given: str, known: Sequence[str]) -> str:
    """The known name that a misspelling, a beginning, initials or a synonym stand for; or ""."""
    from difflib import get_close_matches  # only for messages

    word = _plain(given)
    if not word:
        return ""
    plain = {_plain(name): name for name in reversed(known)}
    begun = [name for name in plain if name.startswith(word)] if len(word) > 1 else []
    if begun:
        return plain[min(begun, key=len)]
    close = get_close_matches(word, plain, 1)
    if close:
        return plain[close[0]]
    for synonyms in SYNONYMS:
        if word in synonyms:
            return next((plain[name] for name in synonyms if name in plain), "")
    initials = {"".join(part[:1] for part in name.split("_")): name for name in plain}
    return plain[initials[word]] if len(word) > 1 and word in initials else ""


def _plain(name: str) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def listed(known: Iterable[str]) -> str:
    """Known names in a line, the first of them where there are many."""
    names = list(known)
    more = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
    return ", ".join(names[:MOST_SHOWN]) + more


def unknown(what: str, given: str, known: Iterable[str]) -> UnknownNameError:
    """The error for a name: what was given, the nearest known one, and what is allowed."""
    names = list(known)
    told = f"no {what} is called {shown(given)}"
    if not names:
        told = f"{told}; there is none at all"
        return UnknownNameError(told, faults=[Fault("", told, shortened(given), "none")])
    near, allowed = nearest_name(given, names), listed(names)
    fault = Fault("", told, shortened(given), allowed, nearest=near)
    hint = f" Did you mean {near!r}?" if near else ""
    return UnknownNameError(f"{told}.{hint} Known: {allowed}", faults=[fault])
