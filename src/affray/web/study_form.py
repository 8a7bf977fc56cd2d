"""The form of a study: what may be chosen, and the question that a filled-in form asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from affray.app import lookups
from affray.app.inputs.fight_fighters import fighters_of
from affray.app.inputs.fight_sheets import FIRST, POLICIES
from affray.app.inputs.intake import InputError, table_of
from affray.app.inputs.setups import examples
from affray.app.inputs.tables import fight_examples
from affray.app.registry import system_named
from affray.app.sweep import MOST_CELLS
from affray.core.errors import Fault
from affray.core.telling import plain_key
from affray.engine.fight.targeting import TARGETINGS
from affray.web.forms import Said
from affray.web.number_fields import MOST_POINTS, Exchange, values_between
from affray.web.varied import readings_at

__all__ = [
    "KINDS",
    "Choice",
    "asked_title",
    "choices",
    "defaults",
    "names_of",
    "number_and_name",
    "question_in",
]

KINDS: Mapping[str, str] = {
    "duel": "A duel, worked out exactly",
    "battle": "A battle, fought many times",
    "matrix": "Everybody against everybody",
    "sweep": "What if a number or a ruling were another?",
}
"""What can be studied, in words."""
SECONDS: Mapping[str, str] = {
    "": "as usual",
    "60": "a minute",
    "300": "five minutes",
    "1800": "half an hour",
}
PASTED = "what you pasted"
MOST_BATTLES = 10_000_000


class Choice(NamedTuple):
    """An option of a field to choose from: its value, and how it is told."""

    value: str
    told: str


def choices(system: str) -> dict[str, tuple[Choice, ...]]:
    """What the fields of a study of this system may be."""
    found = system_named(system)
    row = lookups.list_systems(system).systems[0]
    names = names_of(system)
    armed = fighters_of(found)[0] if found.fight is not None else ()
    return {
        "fights": tuple(
            Choice(one.name, one.title or plain_key(one.name))
            for one in sorted(row.fights, key=lambda one: one.kind != "case")
        ),
        "fighters": tuple(Choice(name, names.get(name, name)) for name in armed),
        "cases": tuple(
            Choice(one.name, one.title or plain_key(one.name))
            for one in row.examples if one.kind == "case"
        ),
        "first": (Choice("", "as the fight says"), *(Choice(*one) for one in FIRST.items())),
        "policies": (
            Choice("", "as the fight says"),
            *(Choice(name, told) for name, told in POLICIES.items()),
        ),
        "targets": (
            Choice("", "as the fight says"),
            *(Choice(name, told.rstrip(".")) for name, told in TARGETINGS.items()),
        ),
        "objectives": (
            Choice("", "the usual"),
            *(Choice(one.name, f"{one.actor}: {one.title}") for one in found.objectives),
        ),
        "fields": tuple(
            Choice(one.name, f"{plain_key(one.name)}: {one.title}") for one in found.fields
        ),
        "seconds": tuple(Choice(*one) for one in SECONDS.items()),
    }  # fmt: skip


def names_of(system: str) -> dict[str, str]:
    """What the entries of a roster are called."""
    return {
        row.name: str(row.values.get("name", plain_key(row.name)))
        for row in lookups.show_roster(system).entries
    }


def defaults(of: str, said: Said) -> dict[str, str]:
    """What a form says at first, or what was typed."""
    usual = {
        "case": "", "one": "", "other": "", "n_one": "1", "n_other": "1", "case2": "", "one2": "",
        "other2": "", "n_one2": "1", "n_other2": "1", "first": "", "policy_one": "",
        "policy_other": "", "targets_one": "", "targets_other": "", "rounds": "", "objective": "",
        "n": "1000" if of == "matrix" else "10000", "error": "", "seed": "", "seconds": "",
        "find": "", "path": "", "from": "", "to": "", "points": "21", "field": "", "packed": "",
        "text": "", "text2": "", "across": "", "from2": "", "to2": "", "points2": "9",
    }  # fmt: skip
    return {key: said.text(key, value) for key, value in usual.items()}


# -- from a form to a question -----------------------------------------------------------------


def question_in(system: str, of: str, said: Said) -> tuple[str, dict[str, object]]:
    """The question that a form asks, and its arguments.

    Raises:
        InputError: something is missing, or no number.
    """
    if of == "sweep":
        return "sweep", _sweep(system, said)
    made: dict[str, object] = {"system": system, **_common(said)}
    if of == "matrix":
        return "matrix", made | _sample(said)
    fight = _fight(said, "")
    if of == "duel":
        return "duel", made | {"fight": fight} | _whole(said, "seed", least=0)
    made["targets"] = [said.text("targets_one"), said.text("targets_other")]
    if any(said.text(key) for key in ("case2", "one2", "other2", "text2")):
        return "compare", made | {"fights": [fight, _fight(said, "2")]} | _sample(said)
    sample = _sample(said)
    error = _number(said, "error")
    if error is not None:
        sample = {"target_error": error} | {k: v for k, v in sample.items() if k == "seed"}
    return "battle", made | {"fight": fight} | sample


def _common(said: Said) -> dict[str, object]:
    return {
        "first": said.text("first"),
        "policies": [said.text("policy_one"), said.text("policy_other")],
        "objective": said.text("objective"),
        **_whole(said, "rounds"),
    }


def _fight(said: Said, which: str) -> object:
    """A fight that was pasted, one by its name, or two sides of roster entries."""
    text = said.text(f"text{which}")
    if text:
        try:
            return table_of(text, PASTED)
        except InputError as error:
            raise _fault(f"text{which}", str(error)) from None
    if said.text(f"case{which}"):
        return said.text(f"case{which}")
    sides = []
    for side in ("one", "other"):
        name = said.text(f"{side}{which}")
        if not name:
            raise _fault(f"{side}{which}", "Choose a fight, or a fighter for either side.")
        number = _whole(said, f"n_{side}{which}").get(f"n_{side}{which}", 1)
        sides.append(name if number == 1 else f"{number}x{name}")
    return sides


def _sample(said: Said) -> dict[str, object]:
    return _whole(said, "n", most=MOST_BATTLES) | _whole(said, "seed", least=0)


def _sweep(system: str, said: Said) -> dict[str, object]:
    path = said.text("path")
    if not path:
        raise _fault("path", "Choose the number or ruling that shall be another.")
    asked = Exchange(said.text("case"), said.text("packed"))
    values, across = _values(system, asked, path, said, ""), said.text("across")
    found: dict[str, object] = {"path": path, "values": values}
    if across == path:
        raise _fault("across", "This is varied already; choose another one, or nothing.")
    if across:
        beside = _values(system, asked, across, said, "2")
        n, n_beside = len(values), len(beside)
        if n * n_beside > MOST_CELLS:
            told = f"{n} × {n_beside} values are {n * n_beside}"
            raise _fault("points2", f"{told}; at most {MOST_CELLS} in all. Take fewer of either.")
        found |= {"across": across, "across_values": beside}
    field, objective = said.text("field"), said.text("objective")
    return {
        "system": system, "setup": asked.source(system), **found,
        **({"of": field} if field else {}), **({"objective": objective} if objective else {}),
    }  # fmt: skip


def _values(system: str, asked: Exchange, path: str, said: Said, which: str) -> list[object]:
    """The values of one axis: of a number those between two ends, of a ruling all readings."""
    readings = readings_at(system, path)
    if readings:
        return list(readings)
    key = f"points{which}"
    points = int(str(_whole(said, key, least=2, most=MOST_POINTS).get(key, 9 if which else 21)))
    low, high = _number(said, f"from{which}"), _number(said, f"to{which}")
    return list(values_between(system, asked, path, low, high, points, which=which))


def _whole(said: Said, key: str, least: int = 1, most: int = 2**63 - 1) -> dict[str, object]:
    """A whole number of a form; nothing where it says nothing."""
    text = said.text(key).replace(",", "").replace(" ", "")
    if not text:
        return {}
    if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
        allowed = f"{least} to {most:,}" if most < 2**63 - 1 else f"from {least}"
        raise _fault(key, f"A whole number, {allowed}; given: {text[:20]}.")
    return {key: int(text)}


def _number(said: Said, key: str) -> float | None:
    text = said.text(key)
    if not text:
        return None
    try:
        found = float(text)
    except ValueError:
        raise _fault(key, f"A number; given: {text[:20]}.") from None
    if not abs(found) < 1e9:
        raise _fault(key, "A number below a thousand million.")
    return found


def _fault(key: str, what: str) -> InputError:
    return InputError(what, faults=[Fault(f"/{key}", what)])


# -- a question in words -----------------------------------------------------------------------


def asked_title(kind: str, asked: Mapping[str, object]) -> str:
    """A question in words, before there is an answer."""
    system = system_named(str(asked.get("system", "")))
    names = names_of(system.id)
    if kind not in {*KINDS, "compare"}:
        return f"{kind.capitalize()}: {system.title}"
    if kind == "matrix":
        return f"Everybody against everybody: {system.title}"
    if kind == "sweep":
        setup = asked.get("setup")
        table = setup if isinstance(setup, dict) else examples(system).get(str(setup), {})
        told = str(table.get("title") or "an exchange")
        return f"What if: {told}"
    fights = asked.get("fights") or [asked.get("fight")]
    titles = fight_examples(system)
    assert isinstance(fights, list)
    told_fights = [
        str(titles.get(fight, {}).get("title") or plain_key(fight)) if isinstance(fight, str)
        else " against ".join(_side_told(str(side), names) for side in fight)
        if isinstance(fight, list)
        else str(fight.get("title") or "a fight that was pasted")
        for fight in fights
    ]  # fmt: skip
    return " or ".join(told_fights)


def _side_told(text: str, names: Mapping[str, str]) -> str:
    number, name = number_and_name(text)
    return names.get(name, name) if number == 1 else f"{number} × {names.get(name, name)}"


def number_and_name(text: str) -> tuple[int, str]:
    """How many of which roster entry a side has.

    >>> number_and_name("3xhusk"), number_and_name("ada")
    ((3, 'husk'), (1, 'ada'))
    """
    number, _, name = text.partition("x")
    return (int(number), name) if number.isdecimal() and len(number) < 10 and name else (1, text)
