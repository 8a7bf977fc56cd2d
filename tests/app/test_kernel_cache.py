"""Exchanges kept on disk: the same rows again, never somebody else's, and nothing that runs."""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from affray import _version
from affray.app import kernel_cache
from affray.app.fight_setups import FightWanted, load_raw_fight
from affray.app.kernel_cache import folder, remembered
from affray.app.registry import system_named
from affray.core.dice import Die, Pool
from affray.core.fight import ATTACK
from affray.core.ruling import Rulings
from affray.engine import matchup as matchups
from affray.engine.contest import Contest
from affray.engine.duels.duel import Duel
from affray.engine.policy import Plan
from tests import fight_systems as games

ROOT = Path(__file__).resolve().parents[2]
EP, EE = "eclipse-phase", "empty-earth"
HABITS = {"choose_style": "plain", "choose_called_shot": "none", "choose_defence": "fray"}
FIGHTS: dict[str, dict[str, Any]] = {
    # Nothing is open: rows are the same whatever damage there was.
    EP: {
        "one": {"fighters": [{"like": "ripper", "durability": 14}], "choose": HABITS},
        "other": {"fighters": [{"like": "duellist_b", "durability": 12}], "choose": HABITS},
        "rulings": {"wound_effects": "modifiers", "wound_cap": "outside"},
        "first": "one",
    },
    # Choices are open, rows differ with Vitality; cubes and rulings are in the conditions.
    EE: {
        "one": {"fighters": ["ada"]},
        "other": {"fighters": ["husk"]},
        "rulings": {"stage": "taken", "last_regain": "no"},
        "first": "one",
    },
}
for _fight, _policy in ((FIGHTS[EP], "first"), (FIGHTS[EE], "greedy")):
    for _side in ("one", "other"):
        _fight[_side]["policy"] = _policy
MARK = ("kept", 0, 0, 0)
"""A row that no fight has; it makes an entry worth keeping."""


def contest(name: str = EP, **wanted: Any) -> Contest:
    """A small duel of this system, with a user's own wishes."""
    return load_raw_fight(system_named(name), FIGHTS[name], "", FightWanted(**wanted)).contest


def won(whole: Contest) -> tuple[float, float]:
    return Duel(whole).solve().won


def fought(whole: Contest, *, use: bool = True) -> tuple[float, float]:
    """A duel worked out with what is remembered."""
    with remembered(whole, use=use):
        return won(whole)


def touched(whole: Contest) -> tuple[matchups.Matchup, ...]:
    """Both matchups of a duel, without working anything out."""
    one, other = (side.fighters[0] for side in whole.sides)
    return whole.matchup(0, one, other), whole.matchup(1, other, one)


def rows(whole: Contest) -> list[str]:
    """Everything that is known of the exchanges of a fight, in one order."""
    told = []
    for number, one in enumerate(whole.matchups()):
        for key, entry in one.table.items():
            by_held = entry if isinstance(entry, dict) else {"": entry}
            told += [f"{number} {key} {held}: {row!r}" for held, row in by_held.items()]
    return sorted(told)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own, not there yet."""
    place = tmp_path / "deep" / "cache"
    monkeypatch.setenv("AFFRAY_CACHE", str(place))
    return place


def entries(place: Path) -> list[str]:
    return sorted(path.name for path in place.iterdir()) if place.is_dir() else []


def counted(calls: list[object]) -> Callable[..., Any]:
    """What follows an exchange through the rules, telling how often."""
    real: Callable[..., Any] = vars(matchups)["flow"]

    def flow(*args: Any, **more: Any) -> Any:
        calls.append(args[0])
        return real(*args, **more)

    return flow


@pytest.fixture
def followed(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Grows with every exchange that is followed through the rules."""
    calls: list[object] = []
    monkeypatch.setattr(matchups, "flow", counted(calls))
    return calls


# -- there and back --------------------------------------------------------------------------


@pytest.mark.parametrize("name", [EP, EE])
def test_what_was_kept_is_put_back(name: str, cache: Path, followed: list[object]) -> None:
    first, again = contest(name), contest(name)
    result = fought(first)
    assert len(entries(cache)) == 2
    assert followed
    followed.clear()
    assert fought(again) == result == won(first)
    assert followed == []
    assert rows(again) == rows(first)
    assert len(rows(again)) > 5
    assert all(name.endswith(".exchanges") for name in entries(cache))


TELLS = "import sys; from tests.app.test_kernel_cache import tell; tell(sys.argv[1])"


def tell(name: str) -> None:
    """What a process by itself makes of a fight: how much it followed, and all that it knows."""
    calls: list[object] = []
    vars(matchups)["flow"] = counted(calls)
    whole = contest(name)
    result = fought(whole)
    known = hashlib.sha256("\n".join(rows(whole)).encode()).hexdigest()
    print(len(calls), known, result)


@pytest.mark.parametrize("name", [EP, EE])
def test_another_process_finds_it(name: str, cache: Path) -> None:
    told = []
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", TELLS, name], capture_output=True, text=True, check=False,
            cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        told.append(done.stdout.split(maxsplit=1))
    (first, known), (second, same) = told
    assert (int(first) > 0, int(second)) == (True, 0)
    assert known == same
    assert len(entries(cache)) == 2


def test_conditions_with_cubes_and_rulings_come_back(cache: Path) -> None:
    whole, again = contest(EE), contest(EE)
    fought(whole)
    fought(again)
    key = next(iter(again.matchups()[0].table))
    standing = cast("Any", key[1])
    assert standing.now.cubes == cast("Any", whole.sides[0].fighters[0]).cubes
    assert standing.rulings == whole.rulings != Rulings()


def test_what_is_kept_grows(cache: Path, followed: list[object]) -> None:
    short = contest(EE)
    with remembered(short):
        pass
    assert entries(cache) == []
    one, other = (side.fighters[0] for side in short.sides)
    start, theirs = (short.fight.enter(who, short.rulings) for who in (one, other))
    with remembered(short):
        first = short.matchup(0, one, other).row(ATTACK, start, theirs, ())
    assert first is not None
    assert len(entries(cache)) == 1
    whole, alone = contest(EE), contest(EE)
    fought(whole)
    assert len(entries(cache)) == 2
    won(alone)
    assert rows(whole) == rows(alone)
    assert whole.matchup(0, one, other).row(ATTACK, start, theirs, ()) == first
    followed.clear()
    fought(contest(EE))
    assert followed == []


def test_what_a_fight_knows_already_stays(cache: Path) -> None:
    """Engines hold on to the rows they have seen."""
    fought(contest())
    whole = contest()
    won(whole)
    seen = [dict(one.table) for one in whole.matchups()]
    fought(whole)
    for one, before in zip(whole.matchups(), seen, strict=True):
        assert all(one.table[key] is entry for key, entry in before.items())


def test_a_fight_that_was_worked_out_before_is_kept(cache: Path, followed: list[object]) -> None:
    whole = contest()
    won(whole)
    with remembered(whole):
        pass
    assert len(entries(cache)) == 2
    followed.clear()
    fought(contest())
    assert followed == []


def test_a_fight_that_is_broken_off_keeps_what_it_has(cache: Path) -> None:
    whole = contest()

    def break_off() -> None:
        with remembered(whole):
            won(whole)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        break_off()
    assert len(entries(cache)) == 2
    assert whole.on_matchup is None


def test_nothing_new_is_nothing_to_write(cache: Path) -> None:
    whole = contest()
    fought(whole)
    written = {path: path.stat().st_ino for path in cache.iterdir()}
    fought(contest())
    fought(whole)
    assert {path: path.stat().st_ino for path in cache.iterdir()} == written


def test_two_who_are_alike_share_an_entry(cache: Path, followed: list[object]) -> None:
    """Ada against Ada: what each side came to know is kept, whichever wrote last."""

    def mirror() -> Contest:
        ada = contest(EE).sides[0]
        sheet = ada.fighters[0]
        side = ada._replace(situation=replace(ada.situation, defender=sheet))
        sides = (side, side._replace(name="other"))
        return Contest(contest(EE).system, sides, contest(EE).rulings, first="one")

    def look(whole: Contest, places: tuple[int, int]) -> None:
        sheet = whole.sides[0].fighters[0]
        start = cast("Any", whole.fight.enter(sheet, whole.rulings))
        with remembered(whole):
            for side, left in enumerate(places):
                hurt = start._replace(now=start.now._replace(vitality=left))
                row = whole.matchup(side, sheet, sheet).row(ATTACK, start, hurt, ())
                assert row is not None

    look(mirror(), (3, 5))
    assert len(entries(cache)) == 1
    followed.clear()
    look(mirror(), (5, 3))
    assert followed == []


def test_what_the_rules_refuse_is_remembered_as_refused(cache: Path) -> None:
    bound = {"like": "ripper", "durability": 14, "conditions": ["immobilized"]}
    raw = {**FIGHTS[EP], "one": {**FIGHTS[EP]["one"], "fighters": [bound]}}
    first, again = (load_raw_fight(system_named(EP), raw, "").contest for _ in range(2))
    assert fought(first) == fought(again)
    assert rows(first) == rows(again)
    for whole in (first, again):
        assert matchups.REFUSED in whole.matchups()[0].table.values()


def toys() -> Contest:
    one, other = games.Fighter("one", 6, dice=2), games.Fighter("other", 5)
    return games.contest(games.slugging, one, other, "one", Plan("first"))


def test_a_system_from_outside_is_kept_as_well(cache: Path, followed: list[object]) -> None:
    first, again = toys(), toys()
    result = fought(first)
    assert followed
    followed.clear()
    assert fought(again) == result
    assert followed == []
    assert rows(again) == rows(first)


# -- nothing is kept -------------------------------------------------------------------------


def test_off_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, followed: list[object]
) -> None:
    monkeypatch.setenv("AFFRAY_CACHE", "off")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    assert folder() is None
    for _ in range(2):
        followed.clear()
        fought(contest())
        assert followed
    assert list(tmp_path.rglob("*")) == []


def test_a_fight_may_do_without(cache: Path, followed: list[object]) -> None:
    fought(contest(), use=False)
    assert entries(cache) == []
    fought(contest())
    written = {path: path.stat().st_ino for path in cache.iterdir()}
    followed.clear()
    fought(contest(), use=False)
    assert followed
    assert {path: path.stat().st_ino for path in cache.iterdir()} == written


def test_left_to_itself_the_folder_is_the_users_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    for unset in ("", None):
        if unset is None:
            monkeypatch.delenv("AFFRAY_CACHE")
        else:
            monkeypatch.setenv("AFFRAY_CACHE", unset)
        place = folder()
        assert place is not None
        assert place.name == "exchanges"
        assert "affray" in place.parts
        assert not place.exists()


# -- whatever changes, another entry is looked for -------------------------------------------


def with_sheet(side: int, **changes: Any) -> Contest:
    whole = contest()
    sides = list(whole.sides)
    fighter = replace(cast("Any", sides[side].fighters[0]), **changes)
    sides[side] = sides[side]._replace(fighters=(fighter,))
    return Contest(whole.system, (sides[0], sides[1]), whole.rulings, first="one")


def with_weapon(**changes: Any) -> Contest:
    weapon = cast("Any", contest().sides[0].fighters[0]).weapons[0]
    return with_sheet(0, weapons=(replace(weapon, **changes),))


def with_plan(plan: Plan) -> Contest:
    whole = contest()
    sides = (whole.sides[0]._replace(plan=plan), whole.sides[1])
    return Contest(whole.system, sides, whole.rulings, first="one")


def with_situation(**changes: Any) -> Contest:
    whole = contest()
    sides = [side._replace(situation=replace(side.situation, **changes)) for side in whole.sides]
    return Contest(whole.system, (sides[0], sides[1]), whole.rulings, first="one")


CHANGES: dict[str, Callable[[], Contest]] = {
    "sheet": lambda: with_sheet(0, melee=61),
    "opponent": lambda: with_sheet(1, fray=31),
    "damage on the sheet": lambda: with_sheet(0, damage=1),
    "name": lambda: with_sheet(0, name="R."),
    "weapon": lambda: with_weapon(flat=4),
    "one ruling fewer": lambda: contest(rulings={"wound_cap": "inside"}),
    "another reading": lambda: contest(rulings={"ties": "higher_skill"}),
    "habit": lambda: contest(settle={"choose_style": ("hit",)}),
    "plan": lambda: with_plan(Plan("free")),
    "objective": lambda: contest(objective="kill"),
    "threshold": lambda: contest(threshold=1),
    "situation": lambda: with_situation(distance_m=2),
    "another system": lambda: contest(EE),
}


def kept(whole: Contest, cache: Path) -> set[str]:
    """The names of the entries of a fight."""
    for path in cache.glob("*"):
        path.unlink()
    with remembered(whole):
        for one in touched(whole):
            one.table[MARK] = matchups.REFUSED
    return set(entries(cache))


@pytest.mark.parametrize("what", CHANGES)
def test_whatever_changes_another_entry_is_looked_for(what: str, cache: Path) -> None:
    before = kept(contest(), cache)
    assert kept(contest(), cache) == before
    assert len(before) == 2
    assert not before & kept(CHANGES[what](), cache)


@pytest.mark.parametrize(
    ("of", "name", "value"),
    [
        (kernel_cache, "_source", lambda places: "another rule"),
        (kernel_cache, "LAYOUT", -1),
        (_version, "VERSION", "another version"),
        (sys, "version_info", (2, 7, 18)),
    ],
)
def test_other_rules_look_for_other_entries(
    of: Any, name: str, value: object, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = kept(contest(), cache)
    monkeypatch.setattr(of, name, value)
    assert not before & kept(contest(), cache)


def test_the_order_in_which_rulings_are_given_does_not_matter(cache: Path) -> None:
    rulings = {"ties": "higher_skill", "reveal": "both"}
    turned = dict(reversed(rulings.items()))
    assert kept(contest(rulings=rulings), cache) == kept(contest(rulings=turned), cache)


def test_every_file_of_the_rules_counts(tmp_path: Path) -> None:
    rules = tmp_path / "rules"
    (rules / "deep").mkdir(parents=True)
    seen = set()

    def look() -> None:
        kernel_cache._source.cache_clear()
        source = kernel_cache._source((rules,))
        assert source not in seen
        seen.add(source)

    look()
    (rules / "one.py").write_text("A = 1\n")
    look()
    (rules / "one.py").write_text("A = 2\n")
    look()
    (rules / "one.py").rename(rules / "two.py")
    look()
    (rules / "two.py").rename(rules / "deep" / "two.py")
    look()
    (rules / "deep" / "two.py").write_text("A = 2\n#")
    look()
    (rules / "notes.txt").write_text("no source")
    kernel_cache._source.cache_clear()
    assert kernel_cache._source((rules,)) in seen
    kernel_cache._source.cache_clear()


@pytest.mark.parametrize("name", [EP, EE])
def test_rules_language_and_engine_are_source(name: str) -> None:
    house = ROOT / "src" / "affray"
    places = [path.resolve() for path in kernel_cache._places(system_named(name))]
    room = house / "systems" / name.replace("-", "_")
    assert places == [house / "core", house / "engine", room]


def test_rules_outside_their_folder_are_source_as_well() -> None:
    assert ROOT / "tests" in kernel_cache._places(toys().system)


def test_dice_of_one_name_are_told_apart() -> None:
    """A die on a sheet is spelled with its faces, not by its name."""
    spelled = {
        kernel_cache._spelled(thing)
        for faces in ((1, 2), (1, 3), ("1", "2"))
        for weights in ((1, 1), (1, 2))
        for die in [Die("coin", faces, weights)]
        for thing in (die, Pool((die, 1)), Pool((die, 2)), (die, die), frozenset({die}), {1: die})
    }
    assert len(spelled) == 36


# -- entries that can't be trusted -----------------------------------------------------------


def sealed(payload: bytes) -> bytes:
    """An entry with the right mark, whatever is in it."""
    return hashlib.sha256(payload).digest() + payload


class Calls:
    """A pickle of this calls something when it is read."""

    def __init__(self, function: Any, *args: object) -> None:
        self.call = function, args

    def __reduce__(self) -> Any:
        return self.call


def named(module: str, name: str, *args: object) -> bytes:
    """A pickle that calls what a module has under a name."""
    inside = pickle.dumps(args, protocol=2)[2:-1]
    return b"\x80\x02c" + f"{module}\n{name}\n".encode() + inside + b"R."


def spoiled(data: bytes) -> dict[str, bytes]:
    """Ways in which a file can be spoiled."""
    flipped = bytearray(data)
    flipped[len(data) // 2] ^= 1
    last = bytearray(data)
    last[-10] ^= 64
    return {
        "nothing left": b"",
        "shorter than its mark": data[:20],
        "only the mark": data[:32],
        "cut": data[: len(data) // 2],
        "a byte short": data[:-1],
        "longer": data + b"more",
        "a flipped bit": bytes(flipped),
        "a flipped bit near the end": bytes(last),
        "no mark": data[32:],
        "no pickle": sealed(b"some text"),
        "no table": sealed(pickle.dumps([1, 2, 3])),
        "a ruling that nobody knows": sealed(b"\x80\x02X\x03\x00\x00\x00A-0Q."),
    }


@pytest.mark.parametrize("how", spoiled(bytes(100)))
def test_an_entry_that_is_spoiled_is_worked_out_anew(
    how: str, cache: Path, followed: list[object]
) -> None:
    first, again = contest(), contest()
    result = fought(first)
    whole = {path: path.read_bytes() for path in cache.iterdir()}
    for path, data in whole.items():
        path.write_bytes(spoiled(data)[how])
    n_followed = len(followed)
    followed.clear()
    assert fought(again) == result
    assert len(followed) == n_followed
    assert rows(again) == rows(first)
    followed.clear()
    fought(contest())
    assert followed == []  # mended


def evil(marker: Path) -> dict[str, bytes]:
    """Entries that would run something, all with the right mark."""
    touch = f"touch {marker}"
    make = f"open({str(marker)!r}, 'w')"
    return {
        "a shell": pickle.dumps(Calls(os.system, touch)),
        "a shell, old protocol": pickle.dumps(Calls(os.system, touch), protocol=0),
        "in a row": pickle.dumps({MARK: Calls(os.system, touch)}),
        "as a key": pickle.dumps({Calls(os.system, touch): 1}),
        "exec": pickle.dumps(Calls(exec, make)),
        "eval": pickle.dumps(Calls(eval, make)),
        "a process": pickle.dumps(Calls(subprocess.run, ["touch", str(marker)])),
        "open": pickle.dumps(Calls(open, str(marker), "w")),
        "a module of ours that has os": named("affray.app.kernel_cache", "os.system", touch),
        "what the engine imports": named("affray.engine.battles.record", "Mapping", touch),
        "a way round a dot": named("affray.systems.eclipse_phase.fight", "Condition._make", ()),
        "what a room imports": named("affray.systems.eclipse_phase.fight", "lru_cache", 1),
        "a record that a room imports": named("affray.systems.eclipse_phase.fight", "At", 1, 2),
        "a function of the rules": named("affray.systems.eclipse_phase.tables", "round_half_up", 1),
        "all that Python has": named("affray.systems.eclipse_phase.fight", "__builtins__", 1),
        "another system's records": named("affray.systems.empty_earth.sheet", "Cubes"),
        "an engine's class": named("affray.engine.play", "Entropy"),
        "a package that begins alike": named("affray.systems.eclipse_phase_evil", "run", 1),
    }


@pytest.mark.parametrize("how", evil(Path("x")))
def test_an_entry_that_would_run_something_is_not_read(
    how: str, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = tmp_path / "was_here"
    first, again = contest(), contest()
    result = fought(first)
    kept = list(cache.iterdir())
    for path in kept:
        path.write_bytes(sealed(evil(marker)[how]))
    refused: list[str] = []
    real = kernel_cache._Reader.find_class

    def watched(self: Any, module: str, name: str) -> object:
        try:
            return real(self, module, name)
        except pickle.UnpicklingError as error:
            refused.append(str(error))
            raise

    monkeypatch.setattr(kernel_cache._Reader, "find_class", watched)
    assert fought(again) == result
    assert not marker.exists()
    assert len(refused) == len(kept)
    assert all("is no record of eclipse-phase" in why for why in refused)
    assert rows(again) == rows(first)


def test_only_records_are_found() -> None:
    """Everything that a reader may find is a class of records, or a row."""
    reader = kernel_cache._Reader(io.BytesIO(), contest().system)
    room = "affray.systems.eclipse_phase"
    found = []
    for module in ("fight", "state", "sheet", "reading", "injury", "attack", "numbers"):
        __import__(f"{room}.{module}")
        for name in vars(sys.modules[f"{room}.{module}"]):
            try:
                found.append(reader.find_class(f"{room}.{module}", name))
            except pickle.UnpicklingError:
                continue
    assert {cast("type", one).__name__ for one in found} >= {"Condition", "Suffered", "Combatant"}
    for one in found:
        assert isinstance(one, type)
        assert issubclass(one, tuple) or hasattr(one, "__dataclass_fields__")
        assert one.__module__.startswith(room)


def test_a_class_that_is_no_record_is_not_found() -> None:
    """Even where the system has a package to itself; the toys' is that of all tests."""
    reader = kernel_cache._Reader(io.BytesIO(), toys().system)
    assert reader.find_class(games.__name__, "Body") is games.Body
    for name in ("Calls", "touched", "ROOT"):
        with pytest.raises(pickle.UnpicklingError, match="is no record of toy"):
            reader.find_class(__name__, name)


# -- folders that can't be used --------------------------------------------------------------


def refuse(*_: object, **__: object) -> Any:
    raise PermissionError("not allowed")


def test_a_file_in_place_of_the_folder_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("mine")
    for place in ("file", "file/below"):
        monkeypatch.setenv("AFFRAY_CACHE", str(tmp_path / place))
        assert fought(contest()) == won(contest())
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize(
    ("of", "name"), [(Path, "mkdir"), (tempfile, "mkstemp"), (Path, "replace"), (os, "fdopen")]
)
def test_a_folder_that_can_not_be_written_is_no_error(
    of: Any, name: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(of, name, refuse)
        result = fought(contest())
    assert result == won(contest())
    assert entries(cache) == []


def test_a_folder_that_can_not_be_read_is_no_error(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fought(contest())
    with monkeypatch.context() as patch:
        patch.setattr(kernel_cache, "_source", lambda places: "rules")
        patch.setattr(Path, "read_bytes", refuse)
        result = fought(contest())
    assert result == won(contest())


def test_a_folder_that_can_only_be_read_is_read(
    cache: Path, monkeypatch: pytest.MonkeyPatch, followed: list[object]
) -> None:
    fought(contest())
    followed.clear()
    monkeypatch.setattr(os, "utime", refuse)
    fought(contest())
    assert followed == []


def test_what_can_not_be_pickled_is_no_error(cache: Path) -> None:
    whole = contest()
    with remembered(whole):
        for one in touched(whole):
            one.table[MARK] = cast("Any", lambda: None)
    assert entries(cache) == []


def test_an_interrupted_write_leaves_nothing_half_done(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = contest()
    kept(whole, cache)
    before = {path: path.read_bytes() for path in cache.iterdir()}

    def break_off(*_: object) -> Any:
        raise KeyboardInterrupt

    for of, name in ((Path, "replace"), (os, "fdopen")):
        with monkeypatch.context() as patch:
            patch.setattr(of, name, break_off)
            with pytest.raises(KeyboardInterrupt):
                fought(contest())
        assert {path: path.read_bytes() for path in cache.iterdir()} == before


def test_a_full_disk_leaves_nothing_half_done(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fdopen

    def fdopen(*args: Any) -> Any:
        file = real(*args)
        write = file.write
        monkeypatch.setattr(kernel_cache, "MARK", 32)

        class Full:
            def __enter__(self) -> Full:
                return self

            def __exit__(self, *_: object) -> None:
                file.close()

            def write(self, data: bytes) -> int:
                if len(data) > 32:
                    write(bytes(data)[:10])
                    raise OSError(28, "No space left on device")
                return int(write(data))

        return Full()

    monkeypatch.setattr(os, "fdopen", fdopen)
    assert fought(contest()) == won(contest())
    assert entries(cache) == []


# -- room ------------------------------------------------------------------------------------


def entry_of(melee: int, cache: Path) -> set[str]:
    """The names of what is kept of a fight of its own."""
    before = set(entries(cache))
    whole = with_sheet(0, melee=melee)
    with remembered(whole):
        for one in touched(whole):
            one.table[MARK] = matchups.Row(((None, bytes(1000)),), (1,), 1)
    return set(entries(cache)) - before


def aged(cache: Path, names: set[str], seconds: int) -> None:
    for name in names:
        then = time.time() - seconds
        os.utime(cache / name, (then, then))


def test_the_oldest_go_when_there_is_no_room(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [entry_of(melee, cache) for melee in (51, 52, 53)]
    for age, names in zip((100, 300, 200), made, strict=True):
        aged(cache, names, age)
    size = sum(path.stat().st_size for path in cache.iterdir()) // 3
    monkeypatch.setattr(kernel_cache, "LARGEST", 3 * size + size // 4)
    newest = entry_of(54, cache)
    assert set(entries(cache)) == made[0] | made[2] | newest
    monkeypatch.setattr(kernel_cache, "LARGEST", 2 * size + size // 4)
    last = entry_of(55, cache)
    assert set(entries(cache)) == newest | last


def test_what_is_used_is_not_old(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [entry_of(melee, cache) for melee in (51, 52)]
    for names in made:
        aged(cache, names, 500)
    aged(cache, made[0], 900)
    entry_of(51, cache)  # read once more
    size = sum(path.stat().st_size for path in cache.iterdir()) // 2
    monkeypatch.setattr(kernel_cache, "LARGEST", 2 * size + size // 4)
    newest = entry_of(53, cache)
    assert set(entries(cache)) == made[0] | newest


def test_an_entry_that_is_too_large_is_not_kept(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = entry_of(51, cache)
    size = max(path.stat().st_size for path in cache.iterdir())
    monkeypatch.setattr(kernel_cache, "LARGEST", 4 * (size - 33))
    assert entry_of(52, cache) == set()
    assert set(entries(cache)) == small


def test_what_a_killed_process_left_goes_in_time(cache: Path) -> None:
    cache.mkdir(parents=True)
    for name in ("old.part", "new.part", "notes.txt"):
        (cache / name).write_text("half")
    aged(cache, {"old.part", "notes.txt"}, 7200)
    made = entry_of(51, cache)
    assert set(entries(cache)) == {"new.part", "notes.txt"} | made
