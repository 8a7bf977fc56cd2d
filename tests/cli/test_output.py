"""Where output goes: narrow, closed, full and abandoned; characters that must not get there."""

from __future__ import annotations

import codecs
import io
import json
import os
import re
from functools import cache
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from rich.console import Console
from rich.text import Text

from affray.app.views.exchanges import OddsRow
from affray.app.views.fights import MatrixView
from affray.app.views.heat_map import to_svg
from affray.cli import streams
from affray.cli.screen import Column, Screen, open_screen
from affray.cli.streams import REPLACED, OutputError, ReaderGoneError
from affray.cli.terminal import new_table, print_table
from affray.cli.texts import plain, plainly
from tests.cli.running import CLOSED, FULL, GONE, affray, affray_alone, affray_on

ODDS = ["odds", "empty-earth", "o4p", "--of", "hits"]
FIGHT = ["battle", "empty-earth", "bo-husk", "-n", "9"]
PLAY = ["play", "eclipse-phase", "jinx-shoots", "--dice", "96,7,7,5,5,1,3,9", "--choose", "flip"]


# -- streams -----------------------------------------------------------------------------------

NO_SPACE = "can't be written: No space left on device"


@pytest.mark.parametrize(
    ("words", "streams", "expected", "message"),
    [
        (["roster", "eclipse-phase"], {"stdout": GONE}, 0, ""),
        (["roster", "eclipse-phase", "--json"], {"stdout": GONE}, 0, ""),
        (["schema", "eclipse-phase"], {"stdout": GONE}, 0, ""),
        (["--help"], {"stdout": GONE}, 0, ""),
        (PLAY, {"stdout": GONE}, 0, ""),
        (["roster", "eclipse-phase"], {"stdout": FULL}, 3, NO_SPACE),
        (["roster", "eclipse-phase", "--json"], {"stdout": FULL}, 3, NO_SPACE),
        (["--help"], {"stdout": FULL}, 3, NO_SPACE),
        ([*FIGHT, "--csv", "-"], {"stdout": FULL}, 3, NO_SPACE),
        (ODDS, {"stdout": CLOSED}, 3, "standard output is closed"),
        (ODDS, {"stderr": CLOSED}, 0, ""),
        (ODDS, {"stderr": FULL}, 0, ""),
        (["odds", "empty-earth", "nobody"], {"stderr": CLOSED}, 2, ""),
        (["odds", "empty-earth", "nobody"], {"stderr": FULL}, 2, ""),
        (PLAY, {"stdin": CLOSED}, 0, ""),
        (["play", "empty-earth", "o4p", "--own-dice"], {"stdin": CLOSED}, 0, "stopped here"),
        (ODDS, dict.fromkeys(("stdin", "stdout", "stderr"), CLOSED), 3, ""),
    ],
)
def test_streams_that_end_or_refuse(
    words: list[str], streams: dict[str, str], expected: int, message: str
) -> None:
    done = affray_on(*words, **streams)
    assert done.returncode == expected, done.stderr
    assert message in done.stderr
    if expected == 3:
        assert done.stderr.count("\n") == (1 if message else 0)


@pytest.mark.parametrize(
    ("words", "rest", "expected", "message"),
    [
        (["roster", "eclipse-phase"], "| head -1", 0, ""),
        (["--help"], "> /dev/full", 3, NO_SPACE),
        (ODDS, "<&- >&- 2>&-", 3, ""),
    ],
)
def test_python_itself_has_nothing_to_add_at_its_end(
    words: list[str], rest: str, expected: int, message: str
) -> None:
    """Neither a traceback nor an exception that was ignored."""
    done = affray_alone(*words, rest=rest)
    assert (done.returncode, message in done.stderr) == (expected, True)
    assert done.stderr.count("\n") == (1 if message else 0), done.stderr


def test_a_closed_stream_is_not_taken_by_a_saved_game(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    done = affray_on(*PLAY, "--save", str(path), stdin=CLOSED, stderr=CLOSED)
    assert done.returncode == 0
    assert len(json.loads(path.read_text())["answers"]) == 5


@pytest.mark.parametrize("words", [ODDS, PLAY, ["duel", "empty-earth", "bo-husk"]])
def test_what_can_not_be_encoded_is_replaced(words: list[str]) -> None:
    done = affray(*words, encoding="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()


def test_characters_are_replaced_in_the_plainest_locale() -> None:
    done = affray_alone(*ODDS, env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": ""})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()
    assert "69.44 %  ########################" in done.stdout


def test_what_stands_for_characters_is_as_wide_as_they_are() -> None:
    codecs.register_error(REPLACED, streams._replaced)
    assert "█▎ ±2 … é \ud800".encode("ascii", REPLACED) == b"#| ~2 ~ ? ?"
    assert "é \ud800".encode("utf-8", REPLACED) == "é ?".encode()
    assert all(len(other) == 1 for other in streams.CLOSEST.values())


def test_an_error_that_nobody_heard_is_said_again() -> None:
    with Path("/dev/full").open("w") as full:
        guarded = streams._Output(full)
        with pytest.raises(OutputError):
            guarded.write("x" * 100_000)
        with pytest.raises(OutputError):
            guarded.flush()
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as gone, pytest.raises(ReaderGoneError):
        streams._Output(gone).write("x" * 100_000)


# -- texts of users ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ada", "Ada"),
        ("Zoë 💥 漢字", "Zoë 💥 漢字"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("a\nb\rc\td\x00", "a\\nb\\rc\\td\\x00"),
        ("\u202eevil\u2066", "\\u202eevil\\u2066"),
        ("\u2028", "\\u2028"),
        ("\ud800", "\\ud800"),
        ("\x7f", "\\x7f"),
        ("x" * 1000, "x" * 1000),
        ("x" * 100_000, "x" * 1000 + "… (99,000 more characters)"),
    ],
)
def test_plain_texts(text: str, shown: str) -> None:
    assert plain(text) == shown
    row = OddsRow((text, [text], {text: 1}), 1, None, None)  # type: ignore[arg-type]  # a number
    assert plainly(row).value == (shown, [shown], {shown: 1})


NAMED = """
title = "\\u001b[2J%s"
attacker = { like = "bo", name = "\\u001b[31mBo\\u0007" }
defender = { like = "husk", name = "H\\u009bm" }
"""


@pytest.mark.parametrize(
    "words",
    [
        ["odds"], ["play", "--own-dice"], ["best"],
        ["play", "--dice", "6,6", "--explain", "damage"],
    ],
)  # fmt: skip
def test_no_control_character_of_a_user_reaches_the_terminal(
    tmp_path: Path, words: list[str]
) -> None:
    path = tmp_path / "setup.toml"
    path.write_text(NAMED % ("t" * 100_000))
    done = affray(words[0], "empty-earth", str(path), *words[1:])
    assert done.returncode in {0, 1, 3}, done.stderr
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", done.stdout + done.stderr)
    assert len(done.stdout + done.stderr) < 50_000
    if words[0] == "odds" and done.returncode == 0:
        assert "\\x1b[2J" in done.stdout


def test_no_control_character_of_an_argument_reaches_the_terminal() -> None:
    for words in (
        ["odds", "\x1b[31m", "x"],
        ["\x1b[31mfly"],
        ["odds", *JINX, "--of", "\x1b[31m"],
        ["odds", *JINX, "--\x1b[31m"],
        ["play", *JINX, "--save", "no/\x1b[31m/x"],
    ):
        done = affray(*words)
        assert done.returncode in {1, 2, 3}
        assert "\x1b" not in done.stdout + done.stderr
        assert "x1b[31m" in done.stderr


JINX = ["eclipse-phase", "jinx-shoots"]


# -- widths ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "width"),
    [("0", 100), ("", 100), ("wide", 100), ("²", 100), ("-3", 100), ("40", 40), ("9" * 30, 100),
     ("5000", 1000)],
)  # fmt: skip
def test_the_width_is_what_columns_says_if_it_makes_sense(
    monkeypatch: pytest.MonkeyPatch, columns: str, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert open_screen().width == width


def test_sizes_that_are_none_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress bars and help compute with them too."""
    for told, kept in (("80", "80"), ("0", None), ("²", None), ("x", None), ("9" * 9, None)):
        monkeypatch.setenv("COLUMNS", told)
        monkeypatch.setenv("LINES", told)
        streams._believe_sizes()
        assert (os.environ.get("COLUMNS"), os.environ.get("LINES")) == (kept, kept)


def printed(width: int) -> list[str]:
    """A table of every kind of column."""
    table = new_table(">hits", ">exactly", "", "what it means", "?>1 in N")
    table.add_row("0", "69.44 %", "█" * 24, "nothing hits at all, not even once", "1 in 1.4")
    table.add_row("10", "3.47 %", "█▎", "two", "1 in 29")
    file = io.StringIO()
    print_table(Screen(width, file), table)
    return file.getvalue().splitlines()


def test_a_table_keeps_what_there_is_room_for() -> None:
    assert printed(90)[1].split("  ")[-1] == "1 in 1.4"
    assert any("█" in line for line in printed(90))
    sixty = printed(60)
    assert sixty[0].split() == ["hits", "exactly", "what", "it", "means", "1", "in", "N"]
    assert not any("█" in line for line in sixty)
    forty = printed(40)
    assert forty[0].split() == ["hits", "exactly", "what", "it", "means"]
    assert forty[-1] == "(no room for: 1 in N)"
    for lines, width in ((printed(90), 90), (sixty, 60), (forty, 40)):
        assert all(len(line) <= width for line in lines)
        assert not any("…" in line for line in lines)


def test_a_list_stands_in_for_a_table_that_is_too_wide() -> None:
    assert [line.rstrip() for line in printed(34)] == [
        "hits 0",
        "  exactly: 69.44 %",
        "  what it means: nothing hits at",
        "  all, not even once",
        "  1 in N: 1 in 1.4",
        "hits 10",
        "  exactly: 3.47 %",
        "  what it means: two",
        "  1 in N: 1 in 29",
        "",
    ]


WIDTHS = (10, 40, 60, 80, 120)
EVERY = [
    ODDS, PLAY, ["best", *JINX, "--objective", "hit"], ["duel", "empty-earth", "bo-husk"],
    ["battle", "empty-earth", "brockton", "-n", "20", "--seed", "1"],
    ["rules", "empty-earth"], ["roster", "empty-earth"],
]  # fmt: skip


@cache
def at_width(words: tuple[str, ...], width: int) -> CompletedProcess[str]:
    """What a command shows without styles in so many columns."""
    return affray(*words, env={"COLUMNS": str(width)})


@pytest.mark.parametrize("words", EVERY, ids=lambda words: words[0])
def test_nothing_is_cut_or_broken_into_letters(words: list[str]) -> None:
    for width in WIDTHS:
        done = at_width(tuple(words), width)
        assert done.returncode == 0, done.stderr
        lines = [line.rstrip() for line in done.stdout.splitlines()]
        assert done.stdout.strip()
        if width >= 40:
            assert all(len(line) <= width for line in lines), max(lines, key=len)
            # a column of one or two letters, line after line, is a strip
            strips = sum(bool(re.fullmatch(r"\s*\S{1,2}", line)) for line in lines)
            assert strips <= len(lines) / 10


STYLES = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize("words", EVERY, ids=lambda words: words[0])
def test_lines_are_the_same_with_rich_and_without(words: list[str]) -> None:
    for width in (10, 40, 80):
        plain = at_width(tuple(words), width).stdout
        styled = affray(*words, env={"COLUMNS": str(width), "FORCE_COLOR": "1"}).stdout
        assert "\x1b[1m" in styled
        assert "\x1b" not in plain
        assert STYLES.sub("", styled) == plain


@pytest.mark.parametrize(
    "text",
    ["one two three four", "one  two   three ", "  indented words here", "a\n\nb c d e f g",
     "ends with blanks      ", "exactly ten", "x" * 30, "a " + "b" * 30, "", "tab\there", " " * 30,
     "漢字 漢字 漢字"],
)  # fmt: skip
def test_texts_are_broken_as_rich_breaks_them(text: str) -> None:
    for width in (5, 9, 10, 11, 20):
        mine, theirs = io.StringIO(), io.StringIO()
        Screen(width, mine).print(text)
        Console(file=theirs, width=width, highlight=False).print(Text(text))
        assert mine.getvalue() == theirs.getvalue(), width


@pytest.mark.parametrize("empty", [0, 1, 2])
def test_columns_with_nothing_in_them_are_as_wide_as_with_rich(empty: int) -> None:
    texts = [("name", ("a", "bcd")), ("worth", ("1", "22")), ("told", ("x y", ""))]
    texts[empty] = ("", ("", ""))
    columns = [Column(head, "left", False, list(cells)) for head, cells in texts]
    mine, theirs = io.StringIO(), io.StringIO()
    Screen(60, mine).print_columns(columns, [0, 0, 0])
    Screen(60, theirs)._print_by_rich(columns, [0, 0, 0])
    assert mine.getvalue() == theirs.getvalue()


def test_wide_signs_are_measured_as_they_are_shown() -> None:
    file = io.StringIO()
    table = new_table("name", ">hits")
    table.add_row("漢字", "1")
    table.add_row("💥", "22")
    print_table(Screen(60, file), table)
    assert file.getvalue() == "name  hits\n漢字     1\n💥      22\n"


# -- what is told ------------------------------------------------------------------------------


def test_a_miss_tells_what_it_was_about_and_why_it_came_to_nothing() -> None:
    done = affray("play", *JINX, "--dice", "96", "--choose", "none", "--explain", "hit")
    assert (done.returncode, done.stderr) == (0, "")
    out = done.stdout
    assert "Outcome\n  net 0, hit no, " in out
    tree = out[out.index("hit = False") :].splitlines()
    assert tree[1].startswith("  The attack hits if it succeeds")
    assert any("1d100: 96: Against 70: failure." in line for line in tree)


def test_a_game_that_is_over_says_so_when_it_is_priced_or_solved(tmp_path: Path) -> None:
    path = str(tmp_path / "game.json")
    assert affray(*PLAY, "--save", path).returncode == 0
    for words in (["odds", "eclipse-phase", path], ["best", "eclipse-phase", path]):
        done = affray(*words)
        assert done.returncode == 0
        assert "The exchange is over: this is what it came to." in done.stdout


def test_a_game_of_other_rules_is_reported_wherever_it_is_used(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    assert affray(*PLAY, "--save", str(path)).returncode == 0
    table = json.loads(path.read_text())
    path.write_text(json.dumps({**table, "rules": "of old"}))
    for command in ("play", "odds", "best"):
        done = affray(command, "eclipse-phase", str(path))
        assert done.returncode == 0
        assert "under other rules of eclipse-phase than today's; replayed" in done.stdout


def test_what_was_said_with_the_last_question_is_not_said_again() -> None:
    """Grid Battles lists each side's units; once one is activated, that side alone is new."""
    done = affray("play", "grid-battles", "ford", "--own-dice", stdin="light-cav\nq\n")
    questions = [line for line in done.stderr.splitlines() if line.startswith("one: ")]
    assert len(questions) == 2
    assert "Pikeman 0100 (4/4)" in questions[0]
    assert "Pikeman 0100 (4/4)" not in questions[1]


def test_bytes_that_are_no_text_are_refused_as_faces() -> None:
    done = affray("play", *JINX, "--own-dice", stdin=b"\xff\nq\n")
    assert (done.returncode, "'\\udcff' is no face; allowed" in done.stderr) == (0, True)


def test_tables_and_drawings_carry_no_control_character(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        '[fighters."\\u001bx"]\nname = "\\u001b[31mAda & <b>\\u0007"\nside = "pc"\n'
        'vitality = 5\nphys_def = 3\nattacks = ["pipe_wrench"]\n'
    )
    words = ["duel", "empty-earth", "\x1bx", "husk", "--roster", str(own), "--csv", "-"]
    done = affray(*words)
    assert (done.returncode, "\\x1b[31mAda & <b>\\x07" in done.stdout) == (0, True)
    assert "\x1b" not in done.stdout
    matrix = MatrixView("\x1b", 1, 1, ("", ""), ("\x1bx",), (), (), mirrored=False, partial=False,
                        stopped_by="", how="\x00")  # fmt: skip
    assert to_svg(matrix).replace("\n", "").isprintable()
