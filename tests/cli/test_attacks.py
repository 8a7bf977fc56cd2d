"""Input of every wrong kind gets one message that fits on a screen, and the right status.

0 fine, 1 a rule refused it, 2 usage or an unknown name, 3 input that can't be read or doesn't fit.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from affray.core.telling import MOST_COLUMNS, MOST_LINES
from tests.cli import running


class Told(NamedTuple):
    """What a command left: its status, and what it printed."""

    status: int
    out: str
    err: str


Run = Callable[..., Told]


@pytest.fixture
def affray(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs the command in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def told(*words: str, stdin: bytes = b"") -> Told:
        done = running.affray(*words, stdin=stdin)
        return Told(done.returncode, done.stdout, done.stderr)

    return told


def _one_message(told: Told, status: int, part: str) -> None:
    assert told.status == status, told.err
    assert told.out == ""
    assert "Traceback" not in told.err
    assert part in told.err, told.err
    lines = told.err.rstrip("\n").split("\n")
    assert sum(line.startswith(("affray: ", "Error: ")) for line in lines) == 1
    assert sum(max(1, -(-len(line) // MOST_COLUMNS)) for line in lines) <= MOST_LINES
    assert all(line.isprintable() for line in lines)


EP = ["odds", "eclipse-phase"]
JINX = [*EP, "jinx-shoots"]
GOOD = 'attacker = "jinx"\ndefender = "jinx"\nweapon = "medium_pistol"\n'

FILES: dict[str, tuple[bytes, str]] = {
    "JSON of 5000 digits": (b'{"distance_m": ' + b"9" * 5000 + b"}", "a number of 5,000 digits"),
    "TOML of 5000 digits": (b"distance_m = " + b"9" * 5000, "a number of too many digits"),
    "5000 hex digits": (b"distance_m = 0x" + b"f" * 5000, "distance_m: a number of about 6,021"),
    "a deep key": (b"a." * 600 + b"b = 1", "line 1: a key of too many parts"),
    "a roster name with a NUL": (b'{"attacker": "a\\u0000b"}', "attacker: 'a\\x00b' holds a NUL"),
    "a roster name with half a character": (
        b'{"attacker": "a\\ud800"}', "attacker: 'a\\ud800' holds half of a character"),
    "a long roster name": (GOOD.replace("jinx", "x" * 19_000).encode(), "(19,000 characters)"),
    "a long text": (b"title = '" + b"x" * 100_000 + b"'", "title: a text of 100,000 characters"),
    "control characters": (b'{"attacker": "\\u001b[2J\\u0007"}', "'\\x1b[2J\\x07'"),
    "a key twice": (b'{"distance_m": 1, "distance_m": 2}', "'distance_m' stands twice"),
    "2 ** 63": (f"{GOOD}distance_m = {2**63}".encode(), "distance_m: 9223372036854775808; whole"),
    "inf": (f"{GOOD}distance_m = inf".encode(), "distance_m: inf; allowed: finite numbers"),
    "a date": (f"{GOOD}distance_m = 2020-01-01".encode(), "distance_m: 2020-01-01 is a date"),
    "a truth value": (f"{GOOD}attacker_wounds = true".encode(), "attacker_wounds: "),
    "a fraction": (b"[attacker]\nlike = 'jinx'\nguns = 60.5\n", "attacker.guns: 60.5; "),
    "a truth value for a number": (
        b"[attacker]\nlike = 'jinx'\nguns = true\n", "attacker.guns: True; allowed: a"),
    "a number for a name": (b"[attacker]\nlike = 3\n", "attacker.like: 3; allowed: a name"),
    "many faults": (
        GOOD.encode() + b"".join(b"x%d = 1\n" % n for n in range(5000)), "more faults"),
    "many unknown keys": (b"x" * 150 + b" = 1", "unknown key"),
    "another title": (f"{GOOD}title = 3".encode(), "title: 3; allowed: a text"),
    "a script of fractions": (f"{GOOD}[play]\ndice = [1.5]".encode(), "play.dice.0: 1.5; allowed"),
    "a script of numbers": (f"{GOOD}[play]\nchoose = [1]".encode(), "play.choose.0: 1; allowed"),
    "a ruling of numbers": (f"{GOOD}[rulings]\nties = 1".encode(), "rulings.ties: 1; allowed"),
    "another system": (f"{GOOD}system = '{'y' * 9000}'".encode(), "(9,000 characters), not 'ec"),
    "UTF-16": (GOOD.encode("utf-16"), "it is UTF-16; save it as UTF-8"),
    "Latin-1": (b"title = 'Z\xfcrich'", "line 1: it is not UTF-8 text"),
    "a roster file that lies elsewhere": (b"roster = '/etc/passwd'", "'/etc/passwd': "),
    "a roster of many files": (b"roster = [" + b"'a'," * 500 + b"]", "allowed: 20 files"),
    "a roster file of a long name": (f"roster = '{'z' * 5000}'".encode(), "zzzz"),
    "empty": (b"", "missing"),
    "zeros": (b"\0" * 1000, "line 1: it holds a NUL"),
    "random bytes": (bytes(range(128, 256)) * 50, "it is not UTF-8 text"),
    "too large": (b"# \n" * 400_000, "too large; allowed: 1,000,000 bytes"),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("way", ["file", "stdin"])
def test_a_wrong_file(affray: Run, tmp_path: Path, name: str, way: str) -> None:
    data, part = FILES[name]
    if way == "stdin":
        _one_message(affray(*EP, "-", stdin=data), 3, part)
        return
    (tmp_path / "my.toml").write_bytes(data)
    told = affray(*EP, "my.toml")
    _one_message(told, 3, part)
    assert "my.toml: " in told.err or name == "a roster file of a long name"


FIGHTS: dict[str, tuple[str, str]] = {
    "a number of 5000 digits": ("number = 0x" + "f" * 5000, "number: a number of about 6,021"),
    "a large number": ("number = 10000", "one.fighters.0.number: 10000; allowed: 1 to 1000"),
    "a truth value": ("number = true", "one.fighters.0.number: True; allowed: 1 to 1000"),
    "an unknown key": ("gunz = 3", "one.fighters.0.gunz: unknown key. Did you mean 'guns'?"),
}


@pytest.mark.parametrize("name", FIGHTS)
def test_a_wrong_fight(affray: Run, name: str) -> None:
    line, part = FIGHTS[name]
    text = f"[[one.fighters]]\nlike = 'jinx'\n{line}\n[[other.fighters]]\nlike = 'jinx'\n"
    _one_message(affray("duel", "eclipse-phase", "-", stdin=text.encode()), 3, part)


LONG = "9" * 5000
SURROGATE = os.fsdecode(b"\xff\xfe")

WORDS: dict[str, tuple[list[str], int, str]] = {
    "a long system": (["odds", "x" * 9000, "y"], 2, "(9,000 characters)"),
    "a system that is no text": (["odds", SURROGATE, "y"], 2, "'\\udcff\\udcfe'"),
    "a system like a path": (["odds", "../../etc/passwd", "y"], 2, "no system is called"),
    "a folder": ([*EP, "."], 3, "can't be read: it is a folder"),
    "a missing file": ([*EP, "none.toml"], 3, "none.toml: can't be read: No such file"),
    "a name of 300": ([*EP, "x" * 300], 2, "no example of eclipse-phase is called"),
    "a file name of 300": ([*EP, "x" * 300 + ".toml"], 3, "can't be read: File name too long"),
    "a file name that is no text": ([*EP, SURROGATE + ".toml"], 3, "\\udcff\\udcfe.toml: can't be"),
    "an endless device": ([*EP, "/dev/zero"], 3, "can't be read: it is no regular file"),
    "an endless roster": ([*JINX, "--roster", "/dev/zero"], 3, "it is no regular file"),
    "a folder as roster": ([*JINX, "--roster", "."], 3, "it is a folder"),
    "another script's digit": ([*JINX, "--dice", "²"], 1, "'²' is no face of die 1 (d100)"),
    "an Arabic digit": ([*JINX, "--dice", "٣"], 1, "'٣' is no face"),
    "two signs": ([*JINX, "--dice=--5"], 1, "'--5' is no face"),
    "a face of 5000 digits": ([*JINX, "--dice", LONG], 1, "(5,000 characters) is no face"),
    "a hundred for 00": ([*JINX, "--dice", "100"], 1, "allowed: 0 to 99, where 00 is 0"),
    "a long field": ([*JINX, "--of", "x" * 9000], 2, "(9,000 characters)"),
    "a field that is no text": ([*JINX, "--of", SURROGATE], 2, "\\udcff"),
    "a condition of 5000 digits": ([*JINX, "--given", f"net>={LONG}"], 1, "18 digits"),
    "a condition of many blanks": (
        [*JINX, "--given", "net" + " " * 50_000 + "x"], 1, "write it like hit=true"),
    "a condition of another script": ([*JINX, "--given", "net>=²"], 1, "'²' is not a number"),
    "no condition": ([*JINX, "--given", "x" * 9000], 1, "(9,000 characters); write it like"),
    "a long ruling": ([*JINX, "--ruling", "x" * 9000 + "=a"], 2, "no ruling is called"),
    "a long reading": ([*JINX, "--ruling", "ties=" + "x" * 9000], 1, "is no reading"),
    "a ruling without a reading": ([*JINX, "--ruling", "x" * 9000], 2, "write it as name=value"),
    "a ruling twice": ([*JINX, "--ruling", "ties=a", "--ruling", "ties=b"], 2, "is given twice"),
    "a long step": ([*JINX, "--settle", "x" * 9000 + "=a"], 1, "no step"),
    "a long option": ([*JINX, "--settle", "choose_x=" + "x" * 9000], 1, "no step"),
    "a long objective": (["best", *JINX[1:], "--objective", "x" * 9000], 2, "no objective"),
    "a threshold of NaN": (["best", *JINX[1:], "--threshold", "nan"], 2, "at least 0"),
    "an endless threshold": (["best", *JINX[1:], "--threshold", "1e999"], 2, "at least 0"),
    "a seed of 5000 digits": (["play", *JINX[1:], "--seed", LONG], 2, "seed"),
    "a negative seed": (["play", *JINX[1:], "--seed", "-5"], 2, "--seed"),
    "a seed beyond the range": (
        ["battle", "empty-earth", "bo", "husk", "--seed", str(2**63)], 2, "--seed"),
    "rounds of 5000 digits": (["duel", "empty-earth", "bo", "husk", "--rounds", LONG], 2, "rounds"),
    "rounds beyond the range": (
        ["duel", "empty-earth", "bo", "husk", "--rounds", str(2**70)], 3, "rounds: 118059162"),
    "many fighters": (["battle", "empty-earth", f"{LONG}xbo", "husk"], 2, "no fighter"),
    "very many fighters": (["battle", "empty-earth", "99999xbo", "husk"], 3, "allowed: 1 to 1000"),
    "a long fighter": (["duel", "empty-earth", "x" * 9000, "husk"], 2, "no fighter"),
    "a situation of NaN": (
        ["duel", "eclipse-phase", "w6", "--set", "distance_m=NaN"], 3, "distance_m': NaN; allowed"),
    "a situation of 5000 digits": (
        ["duel", "eclipse-phase", "w6", "--set", f"distance_m={LONG}"], 3, "5,000 digits"),
    "a deep situation": (
        ["duel", "eclipse-phase", "w6", "--set", "distance_m=" + "[" * 5000], 3, "too deeply"),
    "a situation that is unknown": (
        ["duel", "eclipse-phase", "w6", "--set", "x" * 9000 + "=1"], 2, "no key in the situation"),
    "a situation twice": (
        ["duel", "eclipse-phase", "w6", "--set", "a=1", "--set", "a=2"], 2, "is given twice"),
    "a long policy": (["duel", "empty-earth", "bo", "husk", "--policy", "x" * 90], 2, "no policy"),
    "an unknown option": ([*JINX, "--" + "x" * 9000], 2, "No such option"),
    "many arguments": ([*JINX, *["x" * 90] * 300], 2, "unexpected extra arg"),
    "a long roster entry": (["roster", "emlia", "x" * 9000], 2, "no roster section or entry"),
    "a long clause": (["rules", "emlia", "x" * 9000], 2, "no clause"),
}  # fmt: skip


@pytest.mark.parametrize("name", WORDS)
def test_wrong_words(affray: Run, name: str) -> None:
    words, status, part = WORDS[name]
    _one_message(affray(*words), status, part)


def test_what_the_rules_refuse_names_the_file(affray: Run, tmp_path: Path) -> None:
    text = 'attacker = "house_guard"\ndefender = "trolls"\nweapon = "halberd"\n'
    (tmp_path / "my.toml").write_text(text)
    _one_message(affray("odds", "emlia", "my.toml"), 2, "affray: my.toml: no weapon of 'House G")


def test_a_pipe_given_as_a_file_does_not_wait(affray: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    _one_message(affray(*EP, "pipe"), 3, "can't be read: it is no regular file")


@pytest.mark.parametrize("ending", ["\r\n", "\n"])
def test_a_file_with_a_byte_order_mark_is_read(affray: Run, ending: str, tmp_path: Path) -> None:
    text = f"{GOOD}distance_m = 10\n".replace("\n", ending)
    (tmp_path / "my.toml").write_bytes(b"\xef\xbb\xbf" + text.encode())
    told = affray("play", "eclipse-phase", "my.toml", "--dice", "", "--json")
    assert told.status == 0, told.err


def test_what_is_beside_the_point_is_told_and_work_goes_on(affray: Run, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("[weapons.never]\ndice = '1D6'\ndamage = 1\n")
    told = affray("play", "empty-earth", "o5p", "--roster", "own.toml", "--json")
    assert told.status == 0
    assert told.err == (
        "affray: note: roster entries that nothing here names: own.toml: weapons.never\n"
    )
    assert json.loads(told.out)["system"] == "empty-earth"


def test_what_is_typed_wrong_is_asked_again(affray: Run) -> None:
    typed = f"²\n٣\n--5\n{LONG}\n100\n96\n²\n1\n00\nq\n"
    told = affray("play", *JINX[1:], "--own-dice", stdin=typed.encode())
    assert told.status == 0, told.err
    for wrong in ("'²'", "'٣'", "'--5'", "(5,000 characters)", "'100'"):
        assert f"{wrong} is no face; allowed: 0 to 99, where 00 is 0" in told.err
    assert "'²' is not on offer. Allowed: none" in told.err


def test_a_line_without_end_is_cut(affray: Run) -> None:
    told = affray("play", *JINX[1:], "--own-dice", stdin=b"9" * 25_000)
    assert told.status == 0
    assert told.err.count("(10,000 characters) is no face") == 2


def test_a_ten_sided_die_shows_its_ten_as_0(affray: Run) -> None:
    """Damage of Eclipse Phase is rolled with d10s: 0 and 10 are the same face."""
    words = ["play", "eclipse-phase", "jinx-shoots", "--choose", "flip", "--json", "--dice"]
    zero = affray(*words, "96,7,0,5,5,1,3,9")
    ten = affray(*words, "96,07,10,5,5,1,3,9")
    assert zero.status == 0, zero.err
    assert zero.out == ten.out
