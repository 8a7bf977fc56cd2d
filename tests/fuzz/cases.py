"""The fuzzers: each makes one case from a seed, runs it, and says what became of it.

A fuzzer returns a word for the statistics; whatever it raises is a finding.
"""

from __future__ import annotations

import contextlib
import copy
import io
import json
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from unittest import mock

from affray.app.battle import Sampling, ask_battle
from affray.app.duel import ask_duel
from affray.app.fight import Fight
from affray.app.files import saved
from affray.app.inputs.fight_changes import FightChanges
from affray.app.inputs.fight_hands import HANDS
from affray.app.inputs.fight_setups import fight_examples, load_raw_fight
from affray.app.inputs.setups import examples, load, load_raw
from affray.app.registry import system_named
from affray.app.sources import Names, Table
from affray.cli.sources import table_from_file
from affray.core.dice import Pool, parse_dice
from affray.core.errors import AffrayError, LimitError
from affray.engine.budget import Budget, spending
from affray.engine.exchange.session import Answer
from affray.testing.material import random_session
from affray.testing.played import random_fight
from tests.fuzz.laws import hold_for_exchange, hold_for_game, refused
from tests.fuzz.tables import WILD, Maker

__all__ = ["FUZZERS"]

SYSTEMS = ("affinity", "eclipse-phase", "emlia", "empty-earth", "grid-battles")
SMALL = Budget(places=4_000, seconds=2)
N_BATTLES = 400
STATUSES = {0, 1, 2, 3, 4, 130}


def _system(seed: int) -> str:
    return SYSTEMS[seed % len(SYSTEMS)]


# -- setups ----------------------------------------------------------------------------------


def exchanges(seed: int) -> str:
    """A setup that the schema allows: odds, values, a game, a saved game."""
    maker = Maker(_system(seed), seed)
    try:
        loaded = load_raw(maker.system, maker.setup(), "fuzzed")
        hold_for_game(loaded, seed)
        return hold_for_exchange(loaded, seed, SMALL)
    except AffrayError as error:
        return refused(error)


def tables(seed: int) -> str:
    """A setup with something wild in it: accepted or refused with one message."""
    maker = Maker(_system(seed), seed)
    try:
        loaded = load_raw(maker.system, maker.spoiled(), "fuzzed")
        return hold_for_game(loaded, seed)
    except AffrayError as error:
        return refused(error)


# -- files -----------------------------------------------------------------------------------


def files(seed: int) -> str:
    """A file with bytes changed, dropped or doubled."""
    dice = random.Random(seed)
    system = system_named(_system(seed))
    text = json.dumps(Maker(system.id, seed).example(), default=str).encode()
    ending = ".json"
    if dice.random() < 0.5:
        whole = (system.folder / "examples.toml").read_bytes()
        start = dice.randrange(len(whole))
        text, ending = whole[start : start + dice.choice((50, 500, 5_000))], ".toml"
    for _ in range(dice.choice((1, 2, 5, 30))):
        text = _bitten(text, dice)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"fuzzed{ending}"
        file.write_bytes(text)
        try:
            load(system.id, table_from_file(file))
        except AffrayError as error:
            return refused(error)
    return "accepted"


def _bitten(text: bytes, dice: random.Random) -> bytes:
    """One change in a text."""
    place = dice.randrange(len(text) + 1)
    size = dice.choice((1, 1, 2, 10))
    new = dice.choice((
        b"", bytes([dice.randrange(256)]), b"\0", b'"', b"[", b"]", b"{", b"}", b"=", b"\n", b"9",
        b"-", b"\xef\xbb\xbf", b"\\ud800", b"nan", b"1e999", b"9" * 400, text[place : place + 40],
    ))  # fmt: skip
    return text[:place] + new + text[place + size * (dice.random() < 0.7) :]


def games(seed: int) -> str:
    """A saved game with something changed in it."""
    dice = random.Random(seed)
    system = system_named(_system(seed))
    names = sorted(examples(system))
    try:
        loaded = load_raw(system, examples(system)[dice.choice(names)], "fuzzed")
        *_, session = random_session(loaded.game, seed)
    except (AffrayError, AssertionError):
        return "no game"
    kept = json.loads(json.dumps(saved.to_saved(loaded, session)))
    maker = Maker(system.id, seed)
    for _ in range(dice.choice((0, 1, 1, 2))):
        maker.spoil(kept)
    try:
        found = saved.restore(system, kept, "fuzzed")
    except AffrayError as error:
        return refused(error)
    answers = [answer.option or list(answer.faces) for answer in found.session.answers]
    assert answers == [row.get("option") or row["faces"] for row in kept["answers"]]
    return "reported" if found.notes else "accepted"


def played(seed: int) -> str:
    """A fight that people play, stored and changed, and wild hands of a game master."""
    dice = random.Random(seed)
    system = system_named(_system(seed))
    fight = Fight.begin(system.id, dice.choice(sorted(fight_examples(system))))
    asked = fight.session.position.unsaid
    moves = dice.randrange(30)
    scene = fight.loaded.scene
    fights = random_fight(fight.session.contest, seed, unsaid=asked, scene=scene)
    *_, session = islice(fights, moves + 1)
    for move in session.moves:
        assert isinstance(move, Answer)
        fight = fight.answer(move)
    for _ in range(4):
        what = dice.choice((*HANDS, "smite"))
        given = {key: dice.choice((*WILD, "one", *NAMES)) for key in HANDS.get(what, ("side",))}
        with contextlib.suppress(AffrayError):
            fight = fight.hand(what, **given)
    kept = json.loads(json.dumps(fight.saved, default=str))
    maker = Maker(system.id, seed)
    for _ in range(dice.choice((0, 1, 1, 2))):
        maker.spoil(kept)
    try:
        found = Fight.begin(system.id, Table(kept, "fuzzed"))
    except AffrayError as error:
        return refused(error)
    assert len(found.moves) == len(kept["moves"])
    assert found.undo(99_999).redo(99_999).session.conditions == found.session.conditions
    return "reported" if found.remarks else "accepted"


NAMES = ("other", "Husk 1", "husk", "damage", "health", "drawn", "alternate")
"""Words that some hand may mean."""


# -- words -----------------------------------------------------------------------------------

PARTS = ("d", "D", "1", "2", "6", "10", "100", "%", "+", "-", "k", "h", "l", "x", "²", " ", "0",
         "99999", "F", "!", "*", "(", ")", "-5", "\0")  # fmt: skip


def dice_words(seed: int) -> str:
    """A word that might be dice."""
    dice = random.Random(seed)
    word = "".join(dice.choices(PARTS, k=dice.choice((1, 2, 3, 4, 6, 12, 400))))
    try:
        pool, flat = parse_dice(word)
    except AffrayError as error:
        return refused(error)
    assert isinstance(pool, Pool)
    assert isinstance(flat, int)
    return "accepted"


# -- fights ----------------------------------------------------------------------------------


def duels(seed: int) -> str:
    """Two of a roster: chances add up, and sides that change places change their chances."""
    dice = random.Random(seed)
    system = system_named(_system(seed))
    pair = Maker(system.id, seed).pair()
    one, other = str(pair["attacker"]), str(pair["defender"])
    first = dice.choice(("one", "other", "coin"))
    back = {"one": "other", "other": "one", "coin": "coin"}[first]
    policy = (dice.choice(("first", "opening")),) * 2
    changes = FightChanges(first=first, policies=policy, rounds=dice.choice((None, 3, 20)))
    try:
        with spending(SMALL):
            there = ask_duel(system.id, Names(one, other), changes=changes)
            again = ask_duel(system.id, Names(other, one), changes=changes._replace(first=back))
    except LimitError:
        return "too large"
    except AffrayError as error:
        return refused(error)
    parts = (*there.won, there.drawn, there.ended, there.endless, there.stalled)
    assert abs(sum(parts) - 1) < 1e-9, f"chances add up to {sum(parts)}"
    assert all(-1e-12 <= part <= 1 + 1e-12 for part in parts), parts
    near = max(abs(there.won[0] - again.won[1]), abs(there.won[1] - again.won[0]))
    assert near < 1e-9, f"the mirrored duel differs by {near}"
    return "solved"


def battles(seed: int) -> str:
    """The same duel fought many times: shares within five standard errors of its chances."""
    system = system_named(_system(seed))
    pair = Maker(system.id, seed).pair()
    one, other = str(pair["attacker"]), str(pair["defender"])
    changes = FightChanges(first="coin", policies=("first", "first"), rounds=30)
    try:
        with spending(SMALL):
            duel = ask_duel(system.id, Names(one, other), changes=changes)
            sampling = Sampling(n=N_BATTLES, seed=seed)
            found = ask_battle(system.id, Names(one, other), changes=changes, sampling=sampling)
    except LimitError:
        return "too large"
    except AffrayError as error:
        return refused(error)
    if found.partial:
        return "too large"
    for chance, share in zip(duel.won, found.won, strict=True):
        margin = 5 * (chance * (1 - chance) / N_BATTLES) ** 0.5 + 1e-9
        assert abs(chance - share.value) <= margin, f"duel {duel.won}, battles {found.won}"
    return "agree"


def fights(seed: int) -> str:
    """A table of a whole fight with something changed in it."""
    dice = random.Random(seed)
    maker = Maker(_system(seed), seed)
    known = fight_examples(maker.system)
    table = copy.deepcopy(known[dice.choice(sorted(known))])
    for _ in range(dice.choice((0, 1, 1, 2))):
        maker.spoil(table)
    try:
        load_raw_fight(maker.system, table, "fuzzed")
    except AffrayError as error:
        return refused(error)
    return "accepted"


# -- commands --------------------------------------------------------------------------------

COMMANDS = ("systems", "roster", "rules", "rulings", "schema", "sheet", "play", "picture",
            "odds", "best", "duel", "battle")  # fmt: skip
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "--json": (),
    "--exact": (),
    "--script": (),
    "--auto": (),
    "--help": (),
    "--of": ("hit", "damage", "net", "hits", "wounds", "casualties"),
    "--given": ("hit=true", "net>=7", "hits=1"),
    "--objective": ("hit", "kill", "damage", "survive", "destroy"),
    "--settle": ("choose_fire=damage", "choose_defence=fray", "choose_reaction=dodge|none"),
    "--ruling": ("profile=E4", "ties=hit", "dodge=all"),
    "--roster": ("mine.toml",),
    "--dice": ("96,7,7", "0,0", "6", "1,2,3,4,5,6"),
    "--choose": ("flip", "none", "dodge"),
    "--threshold": ("0", "0.5"),
    "--seed": ("1",),
    "--explain": ("hit", "damage"),
    "-n": ("20",),
    "--rounds": ("3", "0"),
    "--first": ("one", "coin", "initiative"),
    "--policy": ("first", "opening", "greedy", "optimal"),
    "--set": ("distance_m=10",),
    "--target-error": ("20",),
    "--seconds": ("1",),
    "--places": ("500",),
}
"""Options with values that fit somewhere."""
WORDS = (
    "hit", "hit=true", "net>=7", "=", "a=b", "96,7,7", "²", "--5", "1", "0", "-1", "nan", "1e999",
    "nobody", "vitality", "first", "optimal", "one", "coin", "distance_m=10", "profile=E4",
    "9" * 5_000, "../..", "/dev/null", "", "\udc80", "\x1b[31m",
)  # fmt: skip


def commands(seed: int) -> str:
    """A command line: one of the statuses, never a traceback."""
    dice = random.Random(seed)
    system = dice.choice((*SYSTEMS, *SYSTEMS, "nothing", "\x1b"))
    words = [dice.choice(COMMANDS)]
    if words[0] != "systems":
        words.append(system)
    if system in SYSTEMS and dice.random() < 0.8:
        found = system_named(system)
        known = fight_examples(found) if words[0] in {"duel", "battle"} else examples(found)
        words.append(dice.choice(sorted(known)))
    for _ in range(dice.choice((0, 1, 1, 1, 2))):
        fitting = _options(words[0]) if dice.random() < 0.9 else sorted(OPTIONS)
        option = dice.choice(fitting)
        words.append(option)
        if dice.random() < 0.1:
            words.append(dice.choice((*WORDS, *(str(value)[:50] for value in WILD))))
        elif OPTIONS[option]:
            words.append(dice.choice(OPTIONS[option]))
    if words[0] in {"odds", "best", "rulings", "play", "duel", "battle"}:
        words += ["--seconds", "2"]
    words = [word.replace("\0", "") for word in words]
    status, out, err = _run(words)
    assert status in STATUSES, f"status {status} of {words}"
    assert "Traceback" not in err, f"a traceback from {words}:\n{err[-800:]}"
    if status:
        assert err.strip(), f"no message from {words}"
        assert len(err) < 6_000, f"{len(err)} characters of message from {words}"
    assert "\x1b" not in out, f"control codes from {words}"
    return f"status {status}"


@cache
def _options(command: str) -> list[str]:
    """The options of a command for which there are values."""
    import click

    from affray.cli.main import app

    found = app.get_command(click.Context(app), command)
    assert found is not None
    params = found.params
    return sorted({option for param in params for option in param.opts} & set(OPTIONS) | {"--help"})


def _run(words: list[str]) -> tuple[int, str, str]:
    """The program run in this process, with nothing to read."""
    from affray.cli.main import run

    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with _elsewhere(), mock.patch.object(sys, "argv", ["affray", *words]):
        with mock.patch.object(sys, "stdin", io.StringIO("")), contextlib.redirect_stdout(out), \
                contextlib.redirect_stderr(err):  # fmt: skip
            try:
                run()
                status = 0
            except SystemExit as ended:
                status = ended.code if isinstance(ended.code, int) else 1
        out.flush()
        err.flush()
    texts = [str(stream.buffer.getvalue(), "utf-8", "replace") for stream in (out, err)]
    return status, texts[0], texts[1]


@contextlib.contextmanager
def _elsewhere() -> Iterator[None]:
    """In an empty folder, so that nothing lies about by the names that are tried."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


FUZZERS: Mapping[str, Callable[[int], str]] = {
    "exchanges": exchanges,
    "tables": tables,
    "files": files,
    "games": games,
    "dice": dice_words,
    "duels": duels,
    "battles": battles,
    "fights": fights,
    "played": played,
    "commands": commands,
}
