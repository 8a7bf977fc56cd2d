"""Sample battles as logs: every face and every choice of a few battles, to be replayed.

Battles by the million keep no faces. So samples are played for themselves, exchange by exchange,
with the same fight and seeds that count up from the one that was given.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from affray.app.battles import MOST_ROUNDS
from affray.app.fight_setups import AS_WRITTEN, FightWanted, LoadedFight, load_fight, load_raw_fight
from affray.app.registry import system_named
from affray.app.tables import InputError, Raw
from affray.core.errors import StoreError
from affray.engine.battles.played import PlayedBattle, from_saved, play_battle, replay, to_saved

__all__ = ["SCHEMA", "VERSION", "replay_samples", "save_samples"]

SCHEMA = "affray/saved-battles"
VERSION = 1


def save_samples(
    path: Path,
    system_name: str,
    source: str,
    foes: str = "",
    *,
    wanted: FightWanted = AS_WRITTEN,
    seed: int,
    samples: int,
) -> None:
    """Play sample battles and write them; an existing file is replaced when all is played.

    Args:
        path: where to.
        system_name: id of a system.
        source: a fight, or the roster names of the first side; see `fight_setups.load_fight`.
        foes: then the roster names of the other side.
        wanted: what holds instead of the file's.
        seed: of the first battle; each next one has the next seed.
        samples: how many.

    Raises:
        StoreError: the file can't be written.
        UnknownNameError, InputError, SetupError: as for `fight_setups.load_fight`.
    """
    loaded = load_fight(system_name, source, foes, wanted)
    table = {
        "schema": SCHEMA,
        "version": VERSION,
        "system": loaded.contest.system.id,
        "system_version": loaded.contest.system.version,
        "fight": loaded.raw,
        "battles": [_played(loaded, seed + number) for number in range(samples)],
    }
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(json.dumps(table, indent=1, default=str) + "\n", encoding="utf-8")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise StoreError(f"{path}: can't be written: {error.strerror}") from None


def _played(loaded: LoadedFight, seed: int) -> Raw:
    battle = play_battle(
        loaded.contest, seed=seed, targeting=loaded.targets, rounds=loaded.rounds or MOST_ROUNDS
    )
    kept = {key: value for key, value in to_saved(battle).items() if key != "fight"}
    return {
        "seed": seed, "verdict": battle.verdict, "rounds": battle.rounds,
        "log": list(_told(battle)), **kept,
    }  # fmt: skip


def _told(battle: PlayedBattle) -> Iterator[str]:
    """A battle in sentences."""
    names, round_ = battle.names, 0
    for entry in battle.entries:
        if entry.round != round_:
            round_ = entry.round
            yield f"Round {round_}"
        actor = names[entry.actor.side][entry.actor.place]
        target = names[entry.target.side][entry.target.place]
        yield f"{actor}: {entry.deed}, {target}"
        for line in entry.lines:
            faces = f"[{', '.join(map(str, line.faces))}] " if line.faces else ""
            says = line.says or line.words or line.option
            if faces or says:
                yield f"  {faces}{says}".rstrip()
    yield f"Over after round {battle.rounds}: {battle.verdict}"


def replay_samples(raw: Raw, origin: str) -> tuple[PlayedBattle, ...]:
    """Battles that were saved, from their answers.

    Raises:
        InputError: no saved battles, newer than this program, or not whole.
        StoreError: a battle in it is not whole.
        AnswerError: an answer that the rules of today don't allow; says which.
    """
    if raw.get("schema") != SCHEMA:
        raise InputError(f"{origin}: no saved battles; schema {raw.get('schema')!r}")
    if raw.get("version") != VERSION:
        raise InputError(f"{origin}: saved battles of version {raw.get('version')!r}; allowed: 1")
    fight, battles = raw.get("fight"), raw.get("battles")
    if not isinstance(fight, dict) or not isinstance(battles, list):
        raise InputError(f"{origin}: not whole; needed are 'fight' and 'battles'")
    loaded = load_raw_fight(system_named(str(raw.get("system"))), fight, origin)
    return tuple(replay(loaded.contest, from_saved(battle)) for battle in battles)
