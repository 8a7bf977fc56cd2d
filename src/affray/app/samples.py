"""Sample battles as logs: every face and every choice of a few battles, to be replayed.

Battles by the million keep no faces. So samples are played for themselves, exchange by exchange,
with the same fight and seeds that count up from the one that was given.
"""

from __future__ import annotations

from collections.abc import Iterator

from affray.app.battle import MOST_ROUNDS
from affray.app.files.rules_digest import heading
from affray.app.files.saved import by_other_rules
from affray.app.files.seal import SEAL, is_broken, notes_of, sealed
from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN, FightChanges
from affray.app.inputs.fight_setups import LoadedFight, load_fight, load_raw_fight
from affray.app.inputs.intake import InputError, Raw
from affray.app.registry import system_named
from affray.app.sources import FightSource
from affray.core.errors import StoreError
from affray.core.telling import shown
from affray.engine.budget import Budget, spending
from affray.engine.exchange.answers import keys_at
from affray.engine.fight.played.play import (
    PlayedBattle,
    Record,
    from_saved,
    play_battle,
    replay,
    to_saved,
)

__all__ = ["SCHEMA", "VERSION", "play_samples", "replay_samples", "sample_of"]

SCHEMA = "affray/saved-battles"
VERSION = 3
"""Version 1 did not say by which program and which rules, version 2 had no seal."""
NEEDED = frozenset({"schema", "version", "system", "system_version", "fight", "battles"})
OTHERS = frozenset({"affray", "rules", SEAL})


def play_samples(
    system_name: str,
    source: FightSource,
    *,
    changes: FightChanges = FIGHT_AS_WRITTEN,
    seed: int,
    samples: int,
    budget: Budget | None = None,
) -> Raw:
    """Sample battles as a table that can be kept, and replayed.

    Args:
        system_name: id of a system.
        source: a fight, or the roster names of both sides.
        changes: what holds instead of what the fight says.
        seed: of the first battle; each next one has the next seed.
        samples: how many.
        budget: how much it may take.

    Raises:
        LimitError: the budget is spent.
        UnknownNameError, InputError, SetupError: as for `fight_setups.load_fight`.
    """
    with spending(budget):
        loaded = load_fight(system_name, source, changes)
        battles = [_played(loaded, seed + number) for number in range(samples)]
    return sealed({
        **heading(SCHEMA, VERSION, loaded.contest.system),
        "fight": loaded.raw,
        "battles": battles,
    })  # fmt: skip


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
    for entry in battle.exchanges:
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
    for side, fates in zip(names, battle.fates, strict=True):
        for name, fate in zip(side, fates, strict=True):
            if fate:
                yield f"{name}: {fate}"


def replay_samples(raw: Raw, origin: str) -> tuple[PlayedBattle, ...]:
    """Battles that were saved, from their answers.

    Raises:
        InputError: no saved battles, newer than this program, or not whole; or a battle that
            ended otherwise than it says.
        AnswerError: an answer that the rules of today don't allow; says which.
    """
    loaded, battles = _read(raw, origin)
    return tuple(
        _replayed(loaded, battle, f"{origin}: battle {number}")
        for number, battle in enumerate(battles, start=1)
    )


def sample_of(raw: Raw, origin: str, number: int) -> tuple[LoadedFight, Record, tuple[str, ...]]:
    """One of several saved battles: the fight, what was kept of it, and what is to be said of it.

    Raises:
        InputError: no saved battles, newer than this program, not whole, or not so many.
    """
    loaded, battles = _read(raw, origin)
    if not 1 <= number <= len(battles):
        raise InputError(f"{origin}: battle {shown(number)}; allowed: 1 to {len(battles)}")
    try:
        other = by_other_rules(loaded.contest.system, raw)
    except StoreError as error:
        raise InputError(f"{origin}: {error}") from None
    notes = notes_of(other, (), has_log=False, has_seal=SEAL in raw, is_changed=is_broken(raw))
    return loaded, _record(battles[number - 1], f"{origin}: battle {number}"), notes


def _read(raw: Raw, origin: str) -> tuple[LoadedFight, list[object]]:
    """The fight of saved battles, and the battles."""
    if raw.get("schema") != SCHEMA:
        raise InputError(f"{origin}: no saved battles; schema {shown(raw.get('schema'))}")
    version = raw.get("version")
    if type(version) is not int or not 1 <= version <= VERSION:
        raise InputError(
            f"{origin}: saved battles of version {shown(version)}; allowed: 1 to {VERSION}"
        )
    try:
        keys_at(raw, "saved battles", NEEDED, OTHERS)
    except StoreError as error:
        raise InputError(f"{origin}: {error}") from None
    fight, battles, name = raw["fight"], raw["battles"], raw["system"]
    if not (isinstance(fight, dict) and isinstance(battles, list) and isinstance(name, str)):
        raise InputError(
            f"{origin}: not whole; 'fight' is a table, 'battles' a list, 'system' a name"
        )
    return load_raw_fight(system_named(name), fight, origin), battles


def _record(battle: object, where: str) -> Record:
    if not isinstance(battle, dict):
        raise InputError(f"{where}: must be a table")
    try:
        return from_saved(battle)
    except StoreError as error:
        raise InputError(f"{where}: {error}") from None


def _replayed(loaded: LoadedFight, battle: object, where: str) -> PlayedBattle:
    record = _record(battle, where)
    if not isinstance(battle, dict):
        raise InputError(f"{where}: must be a table")
    found = replay(loaded.contest, record)
    now = {"verdict": found.verdict, "rounds": found.rounds}
    for key, value in now.items():
        if key in battle and battle[key] != value:
            raise InputError(
                f"{where}: {key} was {shown(battle[key])} when it was saved; replayed by the rules "
                f"of today it is {value!r}"
            )
    return found
