"""Keys that mean the same in every system's setups: what they may hold, read and checked."""

from __future__ import annotations

from collections.abc import Mapping

from affray.app.inputs.checking import Gathered, fault_at
from affray.app.inputs.intake import Raw, Written, pointer
from affray.app.inputs.rosters import ROSTER_SCHEMA
from affray.app.inputs.tables import list_at, settled_at, table_at, text_at, texts_at
from affray.app.inputs.written_schema import OPTIONS
from affray.core.dice import Face
from affray.core.lazy import NamedTuple
from affray.core.node import Facts
from affray.core.ruling import Rulings
from affray.core.system import System
from affray.engine.exchange.game import check_settled

__all__ = [
    "CHANGES",
    "COMMON",
    "CommonKeys",
    "common_keys",
    "common_schema",
    "readings_of",
    "steps_checked",
]

COMMON: Mapping[str, str] = {
    "system": "which system it is for; a check only",
    "title": "what it is called; for people",
    "purpose": "what a shipped example is good for, in one sentence for people",
    "vectors": "test vectors that it stands for; for people",
    "notes": "for people",
    "source": "where it comes from; for people",
    "choose": "choices settled beforehand: step = option, or a list, most wanted first",
    "rulings": "readings of open questions: name = reading; profile names several at once",
    "roster": str(ROSTER_SCHEMA["description"]),
    "play": "a script, played on request: dice and choices in order",
    "expect": "outcome fields, and what they must come to when the script is played",
    "odds": "exact odds of shipped examples; tests read them, commands don't",
    "shows": "rulings of which a shipped example is a good case: name = outcome field",
}
"""What the keys mean that all systems share."""


def common_schema(system: System[Facts]) -> dict[str, Raw]:
    """The JSON Schema of each key that all systems share."""
    text: Raw = {"type": "string"}
    texts: Raw = {"type": "array", "items": text}
    names: Raw = {"type": "object", "additionalProperties": text}
    faces: Raw = {"type": "array", "items": {"type": ["integer", "string"]}}
    play: Raw = {
        "type": "object",
        "properties": {
            "dice": {**faces, **_explained("dice", "faces in the order of the rolls")},
            "choose": {**texts, **_explained("choose", "options in the order of the choices")},
        },
        "additionalProperties": False,
    }
    found: dict[str, Raw] = {
        "system": {"const": system.id},
        "title": text,
        "purpose": text,
        "vectors": {"anyOf": [text, texts]},
        "notes": text,
        "source": text,
        "choose": {"type": "object", "additionalProperties": OPTIONS},
        "rulings": names,
        "roster": ROSTER_SCHEMA,
        "play": play,
        "expect": {"type": "object"},
        "odds": {"type": "object"},
        "shows": names,
    }
    return {key: {**found[key], **_explained(key, words)} for key, words in COMMON.items()}


def _explained(key: str, words: str) -> Raw:
    return {"title": key.capitalize(), "description": words, "group": "File"}


CHANGES = "changes"
"""The origin of faults in changes, which are no part of the table."""


class CommonKeys(NamedTuple):
    """The values of keys that all systems share.

    Attributes:
        settled: choices settled beforehand. picks: readings. dice, options: the script.
        expect: outcome fields and what they must come to.
    """

    title: str
    settled: Mapping[str, tuple[str, ...]]
    picks: Mapping[str, str]
    dice: tuple[Face, ...]
    options: tuple[str, ...]
    expect: Mapping[str, object]


def common_keys(raw: Raw, at: Written, wrong: Gathered) -> CommonKeys:
    """Read the keys that all systems share; what doesn't fit is kept, and read as if left out."""
    _for_people(raw, at, wrong)
    dice, options = wrong.attempt(lambda: _script(raw, at), NO_SCRIPT)
    return CommonKeys(
        wrong.attempt(lambda: text_at(raw, "title", at), ""),
        wrong.attempt(lambda: settled_at(raw, at, wrong), {}),
        wrong.attempt(lambda: texts_at(raw, "rulings", at, wrong), {}),
        dice,
        options,
        wrong.attempt(lambda: table_at(raw, "expect", at), {}),
    )


Script = tuple[tuple[Face, ...], tuple[str, ...]]
"""Faces and options."""
NO_SCRIPT: Script = ((), ())


def _script(raw: Raw, at: Written) -> Script:
    """Faces and options under the key `play`."""
    play, wrong = table_at(raw, "play", at), Gathered()
    at = at.below("play")
    known = ("dice", "choose")
    for key in play:
        with wrong.kept():
            if key not in known:
                said, allowed = "unknown key", ", ".join(known)
                raise fault_at(at.below(key), play[key], allowed, what=said, code="unknown-key")
    faces: list[Face] = []
    options: list[str] = []
    with wrong.kept():
        for number, face in enumerate(list_at(play, "dice", at)):
            if isinstance(face, bool) or not isinstance(face, (int, str)):
                place = at.below("dice", number)
                raise fault_at(place, face, "whole numbers and texts")
            faces.append(face)
    with wrong.kept():
        for number, option in enumerate(list_at(play, "choose", at)):
            if not isinstance(option, str):
                raise fault_at(at.below("choose", number), option, "a text")
            options.append(option)
    wrong.tell()
    return tuple(faces), tuple(options)


def _for_people(raw: Raw, at: Written, wrong: Gathered) -> None:
    """Check the keys that nothing is done with here."""
    for key, read in (
        ("purpose", text_at),
        ("notes", text_at),
        ("source", text_at),
        ("odds", table_at),
    ):
        with wrong.kept():
            read(raw, key, at)
    with wrong.kept():
        texts_at(raw, "shows", at, wrong)
    with wrong.kept():
        vectors = raw.get("vectors", [])
        names = vectors if isinstance(vectors, list) else [vectors]
        if not all(isinstance(name, str) for name in names):
            raise fault_at(at.below("vectors"), vectors, "a name, or a list of names")


def readings_of(
    system: System[Facts], said: Mapping[str, str], more: Mapping[str, str], at: Written
) -> Rulings:
    """The readings that a table and changes name.

    Args:
        system: whose readings they are.
        said: those of the table.
        more: those of the changes, which win.
        at: where the table stands.

    Raises:
        UnknownNameError, SetupError: an unknown ruling or reading.
        InputError: several of them.
    """
    wrong = Gathered()
    for name, reading in {**said, **more}.items():
        origin = CHANGES if name in more else at.origin
        with wrong.kept(pointer((*at.place, "rulings", name)), origin):
            system.readings({name: reading})
    wrong.tell()
    return system.readings({**said, **more})


def steps_checked(
    system: System[Facts],
    said: Mapping[str, tuple[str, ...]],
    more: Mapping[str, tuple[str, ...]],
    at: Written,
) -> dict[str, tuple[str, ...]]:
    """Choices that a table and changes settle beforehand, each of a step that there is.

    Args:
        system: whose steps they are.
        said: those of the table.
        more: those of the changes, which win.
        at: where the table stands.

    Raises:
        AnswerError: an unknown step, or no option for one.
        InputError: several of them.
    """
    wrong = Gathered()
    for name, options in {**said, **more}.items():
        place = ("settle", name) if name in more else (*at.place, "choose", name)
        origin = CHANGES if name in more else at.origin
        with wrong.kept(pointer(place), origin):
            check_settled(system, name, options)
    wrong.tell()
    return {**said, **more}
