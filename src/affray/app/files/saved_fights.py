"""Saved fights: the fight as it was written and every move; all else is recomputed by replay.

A saved fight is JSON with a schema name and a version, read as strictly as a saved game.

| key | meaning |
|---|---|
| `affray`, `system`, `system_version` | by which program and which system it was played |
| `rules` | a digest of that system's rule text and data |
| `fight` | the fight as it was written, with own roster entries |
| `moves` | answers, each with where it came from, and a game master's hands |
| `undone` | moves that were taken back and can be done again, the next first |
| `taken_back` | rolls that were taken back once they had been seen |
| `revision` | how many changes there were; it never grows less |
| `seats` | who answers for a side or a fighter |
| `lying` | faces of the roll that is asked for, if some of its dice lie already |
| `log` | a digest of what was told before the first move and after each |
| `verdict` | how it ended, if it is over |
| `seal` | a digest of all this; see `affray.app.files.seal` |

`log` and `verdict` are never believed: they say whether the fight, replayed today, still goes as it
went when it was saved.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from weakref import WeakKeyDictionary

from affray.app.files.rules_digest import heading
from affray.app.files.saved import by_other_rules, revision_in
from affray.app.files.seal import SEAL, is_broken, notes_of, sealed
from affray.app.inputs import fight_hands
from affray.app.inputs.fight_hands import HandMove
from affray.app.inputs.fight_setups import LoadedFight
from affray.app.inputs.intake import InputError, Raw
from affray.app.taken_back import TakenBack
from affray.app.taken_back import from_plain as back_from_plain
from affray.app.taken_back import to_plain as back_to_plain
from affray.core.errors import StoreError
from affray.core.lazy import NamedTuple
from affray.core.node import Facts
from affray.core.system import System
from affray.core.telling import shown
from affray.engine.exchange.answers import from_plain, keys_at, to_plain
from affray.engine.exchange.session import Answer
from affray.engine.fight.played.position import Event
from affray.engine.fight.played.session import FightSession
from affray.engine.fight.played.telling import changes

__all__ = [
    "SCHEMA", "VERSION", "FightMove", "SavedFight", "digest_of", "notes", "read", "to_saved",
]  # fmt: skip

SCHEMA = "affray/saved-fight"
VERSION = 4
"""Version 1 asked nothing of the situation, version 2 had no seal, version 3 counted no changes;
nothing else has changed."""
NEEDED = frozenset({"schema", "version", "system", "system_version", "fight", "moves"})
OTHERS = frozenset(
    {"affray", "rules", "log", "verdict", "seats", "lying", "undone", "taken_back", "revision"}
) | {SEAL}
DIGEST = 8

FightMove = Answer | HandMove
"""A move of a fight as data."""


class SavedFight(NamedTuple):
    """What stands in a saved fight.

    Attributes:
        fight: the fight as it was written.
        moves, undone: as in the file.
        seats: who answers, by side and by fighter.
        lying: faces of the roll that is asked for.
        other: that it was played by other rules than today's; "": it wasn't.
        log: the digests; () where it has none.
        verdict: how it had ended; "": it went on.
        taken_back: rolls that were taken back once they had been seen.
        revision: how many changes there were.
        has_seal: whether it has one. is_changed: and was changed since it was given.
    """

    fight: Raw
    moves: tuple[FightMove, ...]
    undone: tuple[FightMove, ...]
    seats: Mapping[str, str]
    lying: Answer
    other: str
    log: tuple[str, ...]
    verdict: str
    taken_back: tuple[TakenBack, ...]
    revision: int
    has_seal: bool
    is_changed: bool


# -- writing -------------------------------------------------------------------------------------


def to_saved(
    loaded: LoadedFight,
    session: FightSession,
    moves: Sequence[FightMove],
    *,
    undone: Sequence[FightMove] = (),
    seats: Mapping[str, str] | None = None,
    lying: Answer | None = None,
    taken_back: Sequence[TakenBack] = (),
    revision: int = 0,
) -> Raw:
    """A fight as a table.

    Args:
        loaded: the fight as it was written.
        session: where it stands.
        moves: how it came there, as data.
        undone: moves that can be done again, the next first.
        seats: who answers, by side and by fighter.
        lying: faces of the open roll that are there already.
        taken_back: rolls that were taken back once they had been seen.
        revision: how many changes there were.
    """
    return sealed({
        **heading(SCHEMA, VERSION, loaded.contest.system),
        "fight": loaded.raw,
        "moves": [_move_to_plain(move) for move in moves],
        "log": digests(session),
        **({"undone": [_move_to_plain(move) for move in undone]} if undone else {}),
        **({"seats": dict(seats)} if seats else {}),
        **({"lying": to_plain(lying)} if lying and lying.faces else {}),
        **({"verdict": session.verdict} if session.verdict else {}),
        **({"taken_back": back_to_plain(taken_back)} if taken_back else {}),
        "revision": max(revision, len(moves)),
    })  # fmt: skip


def _move_to_plain(move: FightMove) -> dict[str, object]:
    return to_plain(move) if isinstance(move, Answer) else fight_hands.to_plain(move)


def digests(session: FightSession) -> list[str]:
    """Digests of the log: of what was told before the first move, and after each."""
    return [digest_of(one) for one in session.line]


_DIGESTS: WeakKeyDictionary[FightSession, str] = WeakKeyDictionary()
"""A fight is stored after every answer, and of all its sessions but one the digest is known."""


def digest_of(session: FightSession) -> str:
    """A digest of what was told after the last move."""
    if session not in _DIGESTS:
        told = repr([_told(session, event) for event in session.events]).encode()
        _DIGESTS[session] = hashlib.sha256(told).hexdigest()[:DIGEST]
    return _DIGESTS[session]


def _told(session: FightSession, event: Event) -> tuple[object, ...]:
    lines = event.session.log if event.session is not None else ()
    told = [(line.step, line.actor, line.dice, line.option, line.says) for line in lines]
    changed = [tuple(change) for change in changes(session.position, event)]
    return event.kind, event.round, event.fighter, event.deed, event.target, told, changed


# -- reading -------------------------------------------------------------------------------------


def read(system: System[Facts], raw: Raw, origin: str) -> SavedFight:
    """What stands in a saved fight, checked as far as that goes without playing it.

    Raises:
        InputError: it is for another system, newer than this program, or not whole.
    """
    version = raw.get("version")
    if type(version) is not int or not 1 <= version <= VERSION:
        raise InputError(
            f"{origin}: saved fight of version {shown(version)}; allowed: 1 to {VERSION}"
        )
    if raw.get("system") != system.id:
        raise InputError(f"{origin}: it is for {shown(raw.get('system'))}, not for {system.id!r}")
    try:
        keys_at(raw, "saved fight", NEEDED, OTHERS)
        return _read(system, raw)
    except StoreError as error:
        raise InputError(f"{origin}: {error}") from None


def _read(system: System[Facts], raw: Raw) -> SavedFight:
    fight, seats, verdict = raw["fight"], raw.get("seats", {}), raw.get("verdict", "")
    if not isinstance(fight, dict):
        raise StoreError(f"fight: {shown(fight)}; must be a table")
    if not isinstance(seats, dict) or not all(isinstance(one, str) for one in seats.values()):
        raise StoreError("seats: must be a table of names")
    if not isinstance(verdict, str):
        raise StoreError(f"verdict: {shown(verdict)}; must be a text")
    moves, log = _moves(raw["moves"], "move"), raw.get("log", [])
    if not isinstance(log, list) or not all(isinstance(part, str) for part in log):
        raise StoreError("log: must be a list of texts")
    if log and len(log) != len(moves) + 1:
        needed = len(moves) + 1
        raise StoreError(f"log: {len(log)} entries for {len(moves)} moves; needed: {needed}")
    return SavedFight(
        fight, moves, _moves(raw.get("undone", []), "undone move"), seats,
        from_plain(raw["lying"], "lying") if "lying" in raw else Answer(),
        by_other_rules(system, raw), tuple(log), verdict,
        back_from_plain(raw.get("taken_back", []), len(moves)), revision_in(raw, len(moves)),
        SEAL in raw, is_broken(raw),
    )  # fmt: skip


def _moves(rows: object, what: str) -> tuple[FightMove, ...]:
    if not isinstance(rows, list):
        raise StoreError(f"{what}s: {shown(rows)}; must be a list")
    return tuple(_move(row, f"{what} {number}") for number, row in enumerate(rows, start=1))


def _move(row: object, where: str) -> FightMove:
    if isinstance(row, dict) and "hand" in row:
        return fight_hands.from_plain(row, where)
    return from_plain(row, where)


def notes(saved: SavedFight, session: FightSession) -> tuple[str, ...]:
    """The differences between a replay and the day when the fight was saved, in sentences."""
    pairs = zip(saved.log, digests(session), strict=False)
    apart = [number for number, (then, now) in enumerate(pairs) if then != now]
    found = []
    if apart:
        place = f"move {apart[0]} on" if apart[0] else "the start"
        found.append(f"replayed today it goes another way from {place}")
    verdict = session.verdict or ""
    if saved.verdict != verdict:
        ended = [f"ended {one!r}" if one else "went on" for one in (saved.verdict, verdict)]
        found.append(f"it {ended[0]} then and {ended[1].replace('went', 'goes')} now")
    return notes_of(
        saved.other, found, has_log=bool(saved.log), has_seal=saved.has_seal,
        is_changed=saved.is_changed,
    )  # fmt: skip
