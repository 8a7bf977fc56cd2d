"""The command that fights battles: numbers, output, Ctrl-C, comparisons, all pairs."""

from __future__ import annotations

import json
import math
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from affray.app.inputs.fight_fighters import fighters_of
from affray.app.inputs.setups import InputError
from affray.app.registry import system_named
from affray.app.samples import replay_samples
from affray.app.views.csv_tables import COLUMNS
from affray.app.views.fights import CellRow, Estimate, MatrixView
from affray.app.views.round_bins import most_rounds
from affray.cli import arguments
from affray.cli.fights import _sampling
from affray.cli.main import app
from affray.cli.show_battles import show_matrix
from affray.cli.stopping import Watch, watching
from affray.engine.budget import Progress
from affray.engine.fight.sampled import battle
from tests.cli.running import affray, asked, busy_s, rows_of, started, waited

FEW = ["-n", "20", "--seed", "4", "--policy", "first"]
PAIRS = ["battle", "empty-earth", "--all-pairs", *FEW]


class Pairs(NamedTuple):
    """Everybody of a roster against everybody: the JSON, and the files beside it."""

    data: dict[str, Any]
    svg: Path
    csv: Path


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Pairs:
    svg, table = (tmp_path_factory.mktemp("pairs") / name for name in ("pairs.svg", "pairs.csv"))
    data = asked(*PAIRS, "--workers", "1", "--svg", str(svg), "--csv", str(table))
    return Pairs(data, svg, table)


# -- battles ---------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_battle_with_any_workers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(battle, "CHUNK", 1_000)  # two chunks: work for two
    words = ["battle", "eclipse-phase", "w8", "-n", "2000", "--seed", "5"]
    one, two = asked(*words, "--workers", "1"), asked(*words, "--workers", "2")
    # How much was kept in tables hangs on who came first; what was fought does not.
    one.pop("tables"), two.pop("tables")
    assert one == two
    assert one["won"] != asked(*words[:-1], "6")["won"]


def test_a_seed_of_its_own_is_printed_and_brings_the_battle_back() -> None:
    first = affray("battle", "empty-earth", "brockton", "-n", "200")
    found = re.search(r"200 battles with seed (\d+)", first.stdout)
    assert found is not None
    again = affray("battle", "empty-earth", "brockton", "-n", "200", "--seed", found[1])
    assert again.stdout == first.stdout


def test_battle_tells_intervals_survivors_and_every_fighter() -> None:
    done = affray("battle", "eclipse-phase", "w8", "-n", "2000", "--seed", "1")
    assert re.search(r"^Blades +\d\.\d\d % +\d\.\d\d to \d\.\d\d %", done.stdout, re.MULTILINE)
    assert re.search(r"^Mauls +3 +[\d,]+ +\d+\.\d\d %", done.stdout, re.MULTILINE)
    assert re.search(r"^  Duellist A 3 +\d\.\d\d % ±\d\.\d\d", done.stdout, re.MULTILINE)
    assert "sampled: 2,000 battles with seed 1; intervals hold 95 times in 100" in done.stdout
    assert "\x1b[" not in done.stdout + done.stderr
    assert not done.stderr


def test_no_sample_says_never_or_always() -> None:
    done = affray("battle", "empty-earth", "bo", "husk", "-n", "500", "--seed", "1")
    assert re.search(r"^Bo +>99.40 % +99.40 to 100.00 %", done.stdout, re.MULTILINE)
    assert re.search(r"^Husk +<0.60 % +0.00 to 0.60 %", done.stdout, re.MULTILINE)
    assert not re.search(r"^(Bo|Husk) +(100|0) %", done.stdout, re.MULTILINE)


def test_a_wanted_error_is_reached() -> None:
    data = asked("battle", "empty-earth", "husk", "husk", "--target-error", "0.6", "--seed", "1")
    assert data["error"] <= 0.6
    assert data["wanted"] is None
    assert data["n"] > 20_000


def test_targets_of_the_sides_may_differ() -> None:
    words = ["battle", "eclipse-phase", "w8", "-n", "2000", "--seed", "1", "--targets", "spread"]
    data = asked(*words, "--targets-one", "in_order")
    assert [side["targets"] for side in data["sides"]] == ["in_order", "spread"]
    assert data["won"] != asked(*words)["won"]


def test_a_battle_is_called_off_after_the_last_round() -> None:
    data = asked("battle", "eclipse-phase", "w8", "-n", "500", "--seed", "1", "--rounds", "3")
    assert data["limit"] == 3
    assert data["stalled"]["value"] > 0.5
    assert max(rounds for rounds, _ in data["histogram"]) <= 3


def test_battles_are_shared_among_all_cores_unless_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arguments, "cores", lambda: 3)
    assert [_sampling(9, None, 1, given).workers for given in (0, 1, 2)] == [3, 1, 2]


def test_comparing_uses_the_same_luck() -> None:
    words = ["battle", "eclipse-phase", "w8", "--versus", "w8", "-n", "300", "--seed", "1"]
    data = asked(*words)
    assert (data["schema"], data["version"]) == ("affray/battle-comparison", 1)
    unseen = 1 - 0.05 ** (1 / 300)  # no pair of battles came out differently
    assert data["won"] == pytest.approx({"value": 0, "low": -unseen, "high": unseen})
    other = asked("battle", "empty-earth", "brockton", "--versus", "ada-bulwark", "-n", "300",
                  "--seed", "1")  # fmt: skip
    apart = [battle["won"][0]["value"] for battle in other["battles"]]
    assert other["won"]["value"] == pytest.approx(apart[0] - apart[1])
    done = affray("battle", "empty-earth", "brockton", "--versus", "ada-bulwark", "-n", "300")
    assert "the first side wins: more in A; rounds: less in A" in done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ["brockton"],
        ["brockton", "--versus", "bo-husk"],
    ],
    ids=["battle", "comparison"],
)
def test_csv_of_battles_is_a_table(words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "numbers.csv"
    data = asked("battle", "empty-earth", *words, "-n", "50", "--seed", "2", "--csv", str(path))
    assert data["seed"] == 2
    assert_is_a_table(path)


def test_csv_of_all_pairs_is_a_table(pairs: Pairs) -> None:
    assert_is_a_table(pairs.csv)


def assert_is_a_table(path: Path) -> None:
    rows = rows_of(path.read_text())
    assert tuple(rows[0]) == COLUMNS
    wins = [row for row in rows if row["measure"] == "wins"]
    assert wins
    for row in wins:
        assert 0 <= float(row["low"]) <= float(row["value"]) <= float(row["high"]) <= 1


def test_samples_are_logs_that_replay(tmp_path: Path) -> None:
    path = tmp_path / "battles.json"
    done = affray("battle", "empty-earth", "brockton", "-n", "50", "--seed", "3",
                  "--save", str(path), "--samples", "2")  # fmt: skip
    assert done.returncode == 0, done.stderr
    raw = json.loads(path.read_text())
    assert [battle["seed"] for battle in raw["battles"]] == [3, 4]
    again = replay_samples(raw, "here")
    told = [(battle["verdict"], battle["rounds"]) for battle in raw["battles"]]
    assert [(battle.verdict, battle.rounds) for battle in again] == told
    assert raw["battles"][0]["log"][0] == "Round 1"
    for change, message in (
        ({"version": 9}, "version 9; allowed: 1 to 3"),
        ({"version": True}, "version True; allowed"),
        ({"more": 1}, "here: saved battles: unknown key 'more'"),
        ({"battles": [3]}, "here: battle 1: must be a table"),
        ({"battles": [{**raw["battles"][0], "rounds": 99}]}, "battle 1: rounds was 99"),
        ({"battles": [{**raw["battles"][0], "orders": 1}]}, "battle 1: orders: 1; must be"),
    ):
        with pytest.raises(InputError, match=message):
            replay_samples({**raw, **change}, "here")
    first = {key: value for key, value in raw.items() if key not in {"affray", "rules"}}
    assert replay_samples({**first, "version": 1}, "here") == again


# -- Ctrl-C ----------------------------------------------------------------------------------


ENDLESS = ["battle", "grid-battles", "siege", "-n", "90000000", "--seed", "1"]
"""The first of them are over a tenth of a second after it began; all of them take minutes."""


def _interrupted(after_s: float) -> tuple[int, str, str]:
    with started(*ENDLESS, "--json", "--workers", "2") as running:
        waited(lambda: busy_s(running.pid) > after_s)
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=60)
    return running.returncode, out, err


def test_the_first_interrupt_gives_the_result_so_far() -> None:
    """As a terminal sends it: to all of its processes; later where no battle was over yet."""
    for after_s in (0.9, 2, 4, 8):
        status, out, err = _interrupted(after_s)
        if not status:
            break
        assert "before any of the battles" in err
    assert status == 0, err
    data = json.loads(out)
    assert data["partial"] is True
    assert 0 < data["n"] < data["wanted"] == 90_000_000
    shares = [*data["won"], data["drawn"], data["ended"], data["stalled"]]
    assert math.fsum(share["value"] for share in shares) == pytest.approx(1)


def test_an_interrupted_battle_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def once(self: Watch, progress: Progress) -> None:
        self.stopped = progress.work == "battles" and progress.done > 0

    monkeypatch.setattr(Watch, "tell", once)
    words = ["battle", "eclipse-phase", "w8", "-n", "200000", "--seed", "1", "--workers", "1"]
    shown = CliRunner().invoke(app, words, env={"COLUMNS": "140"})
    assert shown.exit_code == 0, shown.output
    assert re.search(r"interrupted after [\d,]+ of 200,000 battles; this is the result so far",
                     shown.output)  # fmt: skip


@pytest.fixture
def heard() -> Iterator[None]:
    """SIGINT as programs that somebody started find it, even where the tests ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
def test_the_second_interrupt_ends_it() -> None:
    watch = Watch(None)
    watch.interrupt(signal.SIGINT, None)
    assert watch.stop()
    with pytest.raises(KeyboardInterrupt):
        watch.interrupt(signal.SIGINT, None)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL  # a third one ends the process
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with pytest.raises(KeyboardInterrupt), watching() as shown:
        shown.stopped = shown.ended = True
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("heard")
def test_where_interrupts_are_ignored_they_stay_so() -> None:
    """As shells start what runs in the background."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with watching() as watch:
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        os.kill(os.getpid(), signal.SIGINT)
        assert not watch.stop()


# -- everybody against everybody -------------------------------------------------------------


@pytest.mark.slow
def test_all_pairs_of_a_roster(pairs: Pairs) -> None:
    data = pairs.data
    assert (data["schema"], data["version"]) == ("affray/battle-matrix", 1)
    assert data == asked(*PAIRS, "--workers", "2")
    names = data["names"]
    cells = {(cell["row"], cell["column"]): cell for cell in data["cells"]}
    assert len(cells) == len(names) ** 2
    for (row, column), cell in cells.items():
        assert cell["wins"] == cells[column, row]["loses"] or row == column
    # Any cell comes again by itself; some that luck decides show that it is the same luck.
    (row, column), *_ = open_ = [
        key for key, cell in cells.items() if 0 < cell["wins"]["value"] < 1
    ]
    assert len(open_) > 5
    single = asked("battle", "empty-earth", row, column, *FEW)
    assert cells[row, column]["wins"] == single["won"][0]
    assert cells[row, column]["loses"] == single["won"][1]


def test_svg_of_all_pairs_can_be_read_by_everybody(pairs: Pairs) -> None:
    space = "{http://www.w3.org/2000/svg}"
    root = ElementTree.fromstring(pairs.svg.read_text())
    assert root.tag == f"{space}svg"
    assert root.get("role") == "img"
    title = root.find(f"{space}title")
    assert title is not None
    assert str(title.get("id")) in str(root.get("aria-labelledby"))
    groups = root.findall(f"{space}g")
    assert len(groups) == 9 * 9  # fighters of the roster
    for group in groups:
        told, box, number = group
        share = r"([\d.]+ % \([\d.]+ to [\d.]+\)|[<>][\d.]+ %)"
        assert re.fullmatch(rf"\w+ beats \w+ in {share}", told.text or "")
        assert re.fullmatch(r"[<>]?\d{1,2}(\.\d)?", number.text or "")
        assert _contrast(str(box.get("fill")), str(number.get("fill"))) >= 4.5


def _contrast(one: str, other: str) -> float:
    """Contrast by WCAG."""
    lights = []
    for colour in (one, other):
        parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        lights.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(lights) + 0.05) / (min(lights) + 0.05)


def test_who_can_not_attack_is_left_out() -> None:
    armed, unarmed = fighters_of(system_named("eclipse-phase"))
    assert unarmed == ("crate",)
    assert "jinx" in armed


def test_colours_of_the_matrix_come_with_numbers_and_go_with_no_color(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cell = CellRow("a", "a", Estimate(0.5, 0.4, 0.6), Estimate(0.5, 0.4, 0.6), "")
    refused = CellRow("b", "a", None, None, "they don't meet")
    view = MatrixView(
        "toy", 1, 10, ("plain", "plain"), ("a", "b"), ("crate",), (cell, refused),
        mirrored=True, partial=True, stopped_by="interrupted", how="sampled",
    )  # fmt: skip
    for name, value in (("FORCE_COLOR", "1"), ("COLORTERM", "truecolor"), ("COLUMNS", "140")):
        monkeypatch.setenv(name, value)
    for colour in (True, False):
        monkeypatch.setenv("NO_COLOR", "" if colour else "1")
        show_matrix(view)
        text = capsys.readouterr().out
        assert ("48;2;" in text) is colour
        assert "left out, as they can't attack: crate" in text
        assert "b against a: they don't meet" in text
        assert "interrupted; pairs that were not fought are left blank" in text
        assert re.search(r"1 +a.* 50", text)


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ([], 2, "missing; name a fight"),
        (["w8", "-n", "0"], 2, "-n"),
        (["w8", "--target-error", "0"], 2, "allowed: more than 0"),
        (["w8", "--target-error", "nan"], 2, "allowed: more than 0"),
        (["w8", "--seed", "-1"], 2, "--seed"),
        (["w8", "--workers", "-1"], 2, "--workers"),
        (["w8", "--targets", "bravest"], 2, "no targeting is called 'bravest'"),
        (["w8", "--versus", "w88"], 2, "Did you mean 'w8'?"),
        (["w8", "--svg", "x.svg"], 2, "the matrix of --all-pairs"),
        (["w8", "--all-pairs"], 2, "name no fight beside it"),
        (["--all-pairs", "--target-error", "1"], 2, "give -n instead"),
        (["--all-pairs", "--policy", "best"], 2, "no policy is called 'best'"),
        (["--all-pairs", "--set", "distanse_m=3"], 2, "Did you mean 'distance_m'?"),
        (["w8", "--versus", "w8", "--save", "x"], 2, "a single battle"),
        (["w8", "-n", "10", "--save", "no/where.json"], 3, "can't be written"),
        (["w8", "-n", "10", "--csv", "no/where.csv"], 3, "can't be written"),
        (["3xjinx", "2xjynx"], 2, "Did you mean 'jinx'?"),
        (["0xjinx", "jinx"], 3, "number: 0; allowed: 1 to 1000"),
    ],
)
def test_bad_battles_get_one_clear_message(words: list[str], status: int, message: str) -> None:
    done = affray("battle", "eclipse-phase", *words)
    assert message in done.stderr, done.stderr
    assert done.returncode == status
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("counts", "last"),
    [
        ({1: 50, 2: 49, 3: 1}, 3),  # the last one lasts but little longer
        ({4: 60, 5: 40}, 5),
        ({4: 1999, 1000: 1}, 4),  # one in two thousand never ends
        ({4: 90, 9: 8, 1000: 2}, 1000),  # two in a hundred are more than may be left out
        ({7: 3}, 7),
    ],
)
def test_a_histogram_goes_as_far_as_nearly_all_battles_do(
    counts: dict[int, int], last: int
) -> None:
    assert most_rounds(counts) == last


def test_nobody_puts_out_anybody_where_all_fall_when_the_round_is_over() -> None:
    words = ("-n", "20", "--seed", "1")
    assert "puts out" not in affray("battle", "emlia", "skirmish", *words).stdout
    assert "puts out" in affray("battle", "empty-earth", "brockton", *words).stdout
