"""Saved games: the setup and the answers; everything else is recomputed by replay.

A saved game is JSON with a schema name and a version. Older versions are migrated when read;
newer ones, unknown keys and answers that are not whole are refused, never guessed at.

| key | meaning |
|---|---|
| `affray`, `system`, `system_version` | by which program and which system it was played |
| `rules` | a digest of that system's rule text and data |
| `setup` | the whole setup, roster names resolved |
| `answers` | faces and options, each with where it came from |
| `lying` | faces of the roll that is asked for, if some of its dice lie already |
| `log` | a digest of what was told before the first answer and after each |
| `taken_back` | rolls that were taken back once they had been seen |
| `revision` | how many changes there were; it never grows less |
| `seats` | who answers for a role |
| `outcome` | outcome fields of a game that is over |
| `seal` | a digest of all this; see `affray.app.files.seal` |

`log` and `outcome` are never believed. They say whether the game, replayed today, still goes as it
went when it was saved; a difference is reported (`Restored.notes`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from affray.app.files.seal import SEAL, is_broken, notes_of, sealed
from affray.app.inputs.setups import InputError, Loaded, Raw, load_raw
from affray.app.taken_back import TakenBack
from affray.app.taken_back import from_plain as back_from_plain
from affray.app.taken_back import to_plain as back_to_plain
from affray.app.views.envelope import plain
from affray.core.errors import AnswerError, StoreError
from affray.core.lazy import NamedTuple
from affray.core.node import Facts
from affray.core.system import System
from affray.core.telling import shown
from affray.engine.exchange.answers import from_plain, keys_at, to_plain
from affray.engine.exchange.session import Answer, Question, Session, log_line

if TYPE_CHECKING:
    from affray.engine.fight.played.questions import FightQuestion

__all__ = [
    "SCHEMA", "VERSION", "Restored", "by_other_rules", "check_lying", "is_saved", "outcome_of",
    "restore", "revision_in", "to_saved",
]  # fmt: skip

SCHEMA = "affray/saved-game"
VERSION = 5
NEEDED = frozenset({"schema", "version", "system", "system_version", "setup", "answers"})
OTHERS = frozenset(
    {"affray", "rules", "log", "outcome", "lying", "taken_back", "revision", "seats", SEAL}
)
DIGEST = 8
NOTHING = Answer()


class Restored(NamedTuple):
    """A saved game, replayed.

    Attributes:
        loaded: what was played.
        session: where it stands.
        lying: faces of the roll that is asked for, as far as they were there.
        notes: what is different today, in sentences.
        taken_back: rolls that were taken back once they had been seen.
        revision: how many changes there were.
        seats: who answers, by role.
    """

    loaded: Loaded
    session: Session
    lying: Answer
    notes: tuple[str, ...]
    taken_back: tuple[TakenBack, ...] = ()
    revision: int = 0
    seats: Mapping[str, str] = {}


def is_saved(raw: Mapping[str, object]) -> bool:
    """Whether a table is a saved game rather than a setup."""
    return raw.get("schema") == SCHEMA


# -- writing -----------------------------------------------------------------------------------


def to_saved(
    loaded: Loaded,
    session: Session,
    lying: Answer = NOTHING,
    *,
    taken_back: tuple[TakenBack, ...] = (),
    revision: int = 0,
    seats: Mapping[str, str] | None = None,
) -> Raw:
    """A saved game as a table.

    Args:
        loaded: what is played.
        session: where it stands.
        lying: the faces of the open roll that are there already.
        taken_back: rolls that were taken back once they had been seen.
        revision: how many changes there were.
        seats: who answers, by role.
    """
    from affray.app.files.rules_digest import heading  # slow to load; only where games are kept

    outcome = outcome_of(session)
    return sealed({
        **heading(SCHEMA, VERSION, loaded.game.system),
        "setup": loaded.raw,
        "answers": [to_plain(answer) for answer in session.answers],
        "log": _told(session),
        **({"outcome": plain(outcome)} if outcome else {}),
        **({"lying": to_plain(lying)} if lying.faces else {}),
        **({"taken_back": back_to_plain(taken_back)} if taken_back else {}),
        **({"seats": dict(seats)} if seats else {}),
        "revision": max(revision, len(session.answers)),
    })  # fmt: skip


def outcome_of(session: Session) -> dict[str, object]:
    """The outcome fields of a session that is over, by name; none before."""
    if session.outcome is None:
        return {}
    return {field.name: field.of(session.outcome) for field in session.game.system.fields}


def _told(session: Session) -> list[str]:
    """Digests of the log: of what was told before the first answer, and after each."""
    import hashlib  # slow to load; only where games are kept

    parts: list[list[object]] = [[]]
    for entry in session.steps_taken:
        if entry.asked:
            parts.append([])
        line = log_line(entry)
        if line.says or line.totals or line.faces or line.option:
            totals = [total.lines() for total in line.totals]
            parts[-1].append((line.step, line.actor, line.dice, line.option, totals, line.says))
    return [hashlib.sha256(repr(part).encode()).hexdigest()[:DIGEST] for part in parts]


# -- reading -----------------------------------------------------------------------------------


def _first_version(raw: Raw) -> Raw:
    """Version 1 told neither its rules nor its log."""
    return {**raw, "version": 2}


def _second_version(raw: Raw) -> Raw:
    """Version 2 kept no roll of which some dice lie."""
    return {**raw, "version": 3}


def _third_version(raw: Raw) -> Raw:
    """Version 3 had no seal."""
    return {**raw, "version": 4}


def _fourth_version(raw: Raw) -> Raw:
    """Version 4 counted no changes, and named nobody who answers."""
    return {**raw, "version": 5}


MIGRATIONS: Mapping[int, Callable[[Raw], Raw]] = {
    1: _first_version, 2: _second_version, 3: _third_version,
    4: _fourth_version,
}  # fmt: skip
"""For each older version the function that makes a saved game one version newer."""


def restore(system: System[Facts], raw: Raw, origin: str) -> Restored:
    """A saved game, replayed to where it stood.

    Raises:
        InputError: it is for another system, newer than this program, or not whole.
        AnswerError: an answer that the rules of today don't allow; says which.
    """
    version = raw.get("version")
    if type(version) is not int or not 1 <= version <= VERSION:
        raise InputError(
            f"{origin}: saved game of version {shown(version)}; allowed: 1 to {VERSION}"
        )
    if raw.get("system") != system.id:
        raise InputError(f"{origin}: it is for {shown(raw.get('system'))}, not for {system.id!r}")
    is_changed = is_broken(raw)
    for old in range(version, VERSION):
        raw = MIGRATIONS[old](raw)
    try:
        keys_at(raw, "saved game", NEEDED, OTHERS)
        setup, rows = raw["setup"], raw["answers"]
        if not isinstance(setup, dict) or not isinstance(rows, list):
            raise StoreError("not a whole saved game; 'setup' is a table and 'answers' a list")
        answers = [from_plain(row, f"answer {n}") for n, row in enumerate(rows, start=1)]
        lying = from_plain(raw["lying"], "lying") if "lying" in raw else NOTHING
        back = back_from_plain(raw.get("taken_back", []), len(answers))
        was = _was(raw, len(answers))
        other = by_other_rules(system, raw)
        revision, seats = revision_in(raw, len(answers)), raw.get("seats", {})
        if not isinstance(seats, dict) or not all(isinstance(one, str) for one in seats.values()):
            raise StoreError("seats: must be a table of names")
    except StoreError as error:
        raise InputError(f"{origin}: {error}") from None
    loaded = load_raw(system, setup, origin)
    try:
        session = Session.replay(loaded.game, answers)
        check_lying(session.question, lying, "lying: ")
    except AnswerError as error:
        raise AnswerError(f"{origin}: {error}{f'. {other}' if other else ''}") from None
    notes = notes_of(
        other, _apart(session, was), has_log=bool(was.log), has_seal=SEAL in raw,
        is_changed=is_changed,
    )  # fmt: skip
    return Restored(loaded, session, lying, notes, back, revision, seats)


def revision_in(raw: Raw, least: int) -> int:
    """The revision that a saved game had; as many as there are moves where it doesn't say.

    Raises:
        StoreError: it is no number, or there were more moves than changes.
    """
    revision = raw.get("revision", least)
    if type(revision) is not int or revision < least:
        raise StoreError(f"revision: {shown(revision)}; must be a number from {least} up")
    return revision


def check_lying(question: Question | FightQuestion | None, lying: Answer, where: str = "") -> None:
    """Refuse faces that can't lie on the table where this is asked.

    Args:
        question: the one that is open.
        lying: the faces.
        where: before what is wrong, such as the key of a saved game under which they stand.

    Raises:
        AnswerError: no dice are asked for, or they have no such faces.
    """
    dice = None if question is None else question.dice
    if lying.option or (lying.faces and dice is None):
        raise AnswerError(f"{where}{lying.option or list(lying.faces)}; no dice are asked for")
    if dice is None:
        return
    if len(lying.faces) > dice.size:
        raise AnswerError(f"{where}{len(lying.faces)} faces; allowed: {dice.size} at most")
    for place, (die, face) in enumerate(zip(dice.dice, lying.faces, strict=False), start=1):
        if face not in die.faces:
            raise AnswerError(f"{where}{shown(face)} is no face of die {place} ({die.name})")


class _Was(NamedTuple):
    """Read off a saved game what was true on the day it was saved."""

    log: tuple[str, ...]
    outcome: Mapping[str, object] | None


def _was(raw: Raw, answers: int) -> _Was:
    log, outcome = raw.get("log", []), raw.get("outcome")
    if not isinstance(log, list) or not all(isinstance(part, str) for part in log):
        raise StoreError("log: must be a list of texts")
    if log and len(log) != answers + 1:
        raise StoreError(f"log: {len(log)} entries for {answers} answers; needed: {answers + 1}")
    if outcome is not None and not isinstance(outcome, dict):
        raise StoreError("outcome: must be a table of outcome fields")
    return _Was(tuple(log), outcome)


def _rules_of(raw: Raw) -> tuple[str, int, str]:
    """By which program, and by which version and digest of the rules, a game was played."""
    affray, number, rules = raw.get("affray", ""), raw["system_version"], raw.get("rules", "")
    if type(number) is not int or number < 1:
        raise StoreError(f"system_version: {shown(number)}; must be a number from 1 up")
    if not isinstance(affray, str) or not isinstance(rules, str):
        raise StoreError("affray and rules: must be texts")
    return affray, number, rules


def by_other_rules(system: System[Facts], raw: Raw) -> str:
    """That a saved game or fight was played by other rules than today's; "" if it wasn't.

    Raises:
        StoreError: it doesn't say so rightly.
    """
    from affray.app.files.rules_digest import rules_digest

    affray, version, rules = _rules_of(raw)
    by = f"affray {affray}" if affray else "an older affray"
    if version != system.version:
        return (
            f"It was played by {by} under version {version} of the rules of "
            f"{system.id}; these are version {system.version}"
        )
    if not rules:
        return f"It was saved by {by}, which did not note by which rules"
    if rules != rules_digest(system):
        return f"It was played by {by} under other rules of {system.id} than today's"
    return ""


def _apart(session: Session, was: _Was) -> list[str]:
    """The differences between a replay and the day when the game was saved."""
    apart = [n for n, (then, now) in enumerate(zip(was.log, _told(session), strict=False))
             if then != now]  # fmt: skip
    found = []
    if apart:
        place = f"answer {apart[0]} on" if apart[0] else "the start"
        found.append(f"replayed today it goes another way from {place}")
    return found + _outcomes_apart(session, was.outcome)


def _outcomes_apart(session: Session, then: Mapping[str, object] | None) -> list[str]:
    now = plain(outcome_of(session))
    if then is None or not isinstance(now, dict):
        return []
    if not now:
        return ["it was over then, and is not now"]
    return [
        f"{name} was {shown(then[name])} and is {shown(value)}"
        for name, value in now.items()
        if name in then and then[name] != value
    ]
