"""Limits of the command line: time, places, memory, Ctrl-C; children end with their parents."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
from click.testing import CliRunner

from affray.cli.main import app
from affray.engine import budget
from affray.engine.exchange.keeping import forget_kernels
from tests.cli.running import affray, busy_s, started, waited

HARD = """
attacker = "jinx"
defender = "exhuman"
weapon = "medium_pistol"
distance_m = 10
"""
"""Points to spend on both sides: solved in a second or two, not in half a second."""
LONG = 'scenario = { like = "ford", rounds = 1 }'
"""One round on a map: solved in some minutes."""


@pytest.fixture
def hard(tmp_path: Path) -> str:
    path = tmp_path / "hard.toml"
    path.write_text(HARD)
    return str(path)


@pytest.fixture
def _clock_of_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundredth of a second passes whenever somebody looks at the clock, on any machine."""
    looks = count()
    monkeypatch.setattr(budget, "monotonic", lambda: next(looks) / 100)


# -- time and places -------------------------------------------------------------------------


@pytest.mark.usefixtures("_clock_of_looks")
def test_odds_are_sampled_where_they_can_not_be_worked_out(hard: str) -> None:
    words = ("odds", "eclipse-phase", hard, "--of", "wounds", "--seconds", "1")
    done = affray(*words, "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert (data["schema"], data["version"]) == ("affray/odds-estimate", 1)
    assert data["known"] == "estimate"
    assert data["n"] > 0
    assert sum(row["exactly"]["value"] for row in data["rows"]) == pytest.approx(1)
    for row in data["rows"]:
        assert row["exactly"]["low"] <= row["exactly"]["value"] <= row["exactly"]["high"]
    text = " ".join(affray(*words).stdout.split())
    assert re.search(r"estimate: [\d,]+ plays with seed 0; intervals hold 95 times in 100", text)
    assert "damage through armor, all targets, by looking ahead, not by a solution" in text
    assert re.search(r"Not exact: .*stopped after [\d.]+ seconds", text)


def test_beyond_the_places_the_best_option_is_estimated(
    hard: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No time passes, so that places end it both times, where they are reached."""
    monkeypatch.setattr(budget, "monotonic", lambda: 0.0)
    forget_kernels()
    done = affray("best", "eclipse-phase", hard, "--places", "3000", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert (data["schema"], data["version"]) == ("affray/best-estimate", 2)
    assert (data["known"], data["stopped_by"]) == ("estimate", "places")
    assert "over 3,000 places" in data["why"]
    assert data["low"] <= data["value"] <= data["high"]
    assert data["certain"]["least"] <= data["low"]
    assert data["decisions"][0]["best"] in {row["name"] for row in data["decisions"][0]["options"]}
    forget_kernels()
    assert data == json.loads(
        affray("best", "eclipse-phase", hard, "--places", "3000", "--json").stdout
    )


def test_a_whole_game_is_estimated_within_its_seconds() -> None:
    """That it is too large is seen by its growth, unless the machine is too busy even for that."""
    done = affray("best", "grid-battles", "ford", "--seconds", "1")
    assert done.returncode == 0, done.stderr
    text = " ".join(done.stdout.split())
    assert "which unit is activated?" in text
    assert re.search(
        r"estimate: [\d,]+ look-aheads? with seed 0, not solved; the 95 % intervals", text
    )
    grows = r"too large to be solved: its choices alone lead to [\d,]+ places .*"
    assert re.search(rf"Not solved: .*({grows}which makes over 1[0,]{{8,}} in all|stopped)", text)


@pytest.mark.usefixtures("_clock_of_looks")
def test_rulings_give_the_prices_so_far(hard: str) -> None:
    done = affray("rulings", "eclipse-phase", hard, "--seconds", "0.2", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert (data["partial"], data["stopped_by"]) == (True, "seconds")
    assert any(not row["field"] for row in data["rulings"])
    text = affray("rulings", "eclipse-phase", hard, "--seconds", "0.2").stdout
    assert "stopped when time was over (--seconds allows more); some rulings are not priced" in text


def test_the_computer_decides_by_estimates_where_it_can_not_solve(
    hard: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.json"
    done = affray("play", "eclipse-phase", hard, "--auto", "--seed", "1", "--seconds", "0.5",
                  "--save", str(path), "--json")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["question"] is None
    assert json.loads(path.read_text())["schema"] == "affray/saved-game"


@pytest.mark.usefixtures("_clock_of_looks")
def test_a_duel_that_takes_too_long_is_fought_many_times() -> None:
    done = affray("duel", "affinity", "fighter", "healer", "--seconds", "1", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert (data["schema"], data["version"]) == ("affray/duel-estimate", 3)
    assert data["known"] == "estimate"
    assert data["n"] > 0
    shares = [*data["won"], data["drawn"], data["ended"], data["stalled"]]
    assert sum(share["value"] for share in shares) == pytest.approx(1)
    assert all(share["low"] <= share["value"] <= share["high"] for share in shares)


@pytest.mark.usefixtures("_clock_of_looks")
def test_a_battle_is_over_when_time_is() -> None:
    words = ("empty-earth", "husk", "husk", "--seed", "1", "--seconds", "0.3", "--workers", "1")
    for more in (("-n", "100000000"), ("--target-error", "0.0001")):
        done = affray("battle", *words, *more, "--json")
        assert done.returncode == 0, done.stderr
        data = json.loads(done.stdout)
        assert (data["partial"], data["stopped_by"]) == (True, "seconds")
        assert data["n"] > 0
    done = affray("battle", *words, "-n", "100000000")
    assert re.search(r"time was over \(--seconds allows more\) after [\d,]+ of 100,000,000 battles",
                     done.stdout)  # fmt: skip


@pytest.mark.parametrize("words", [["--seconds", "0"], ["--places", "0"], ["--seconds", "nan"]])
def test_limits_are_numbers_above_zero(words: list[str]) -> None:
    done = affray("odds", "eclipse-phase", "jinx-shoots", *words)
    assert done.returncode == 2
    assert words[0] in done.stderr


def test_without_options_everything_ends_within_a_minute() -> None:
    from affray.cli.stopping import Watch, usual_budget

    assert usual_budget().seconds == Watch(None).budget().seconds == 45


# -- totals ----------------------------------------------------------------------------------


def test_fighters_of_a_side_are_counted_together(tmp_path: Path) -> None:
    entries = ", ".join('{like = "husk", number = 400}' for _ in range(3))
    path = tmp_path / "many.toml"
    path.write_text(f'[one]\nfighters = [{entries}]\n[other]\nfighters = ["husk"]\n')
    done = affray("battle", "empty-earth", str(path), "-n", "1")
    assert done.returncode == 3
    assert "one.fighters: 1,200 fighters in all; allowed: up to 1,000 on a side" in done.stderr


# -- memory ----------------------------------------------------------------------------------


def test_a_question_stays_within_its_memory(hard: str) -> None:
    """On a machine with little more than it may take: no MemoryError, and an estimate instead."""
    code = (
        "from affray.core import meter\nmeter.MOST_BYTES = 10_000_000\n"
        "from affray.cli import exchanges\nexchanges.LOOKING_S = 0.3\n"
        "from affray.__main__ import run\nrun()"
    )
    # Without --seconds solving has time enough, and looking ahead no more than it needs.
    words = ["best", "eclipse-phase", hard, "--places", "50000000"]
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (250_000_000, 250_000_000)),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    stopped = r"Not solved: (eclipse-phase: )?stopped, having taken 10 MB of memory"
    assert re.search(stopped, done.stdout)
    assert "estimate: " in done.stdout


# -- Ctrl-C ----------------------------------------------------------------------------------


def interrupted(*words: str, after_s: float = 0.8) -> tuple[int, str, str]:
    with started(*words) as running:
        waited(lambda: busy_s(running.pid) > after_s)
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert "Traceback" not in err
    return running.returncode, out, err


def test_the_first_interrupt_tells_what_is_settled(tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    path.write_text(LONG)
    status, out, err = interrupted("best", "grid-battles", str(path), "--seconds", "100")
    assert status == 130
    assert not out
    assert re.search(r"^affray: (grid-battles: )?interrupted", err)


INTERRUPTED_LOOKING = (
    "import os, signal\n"
    "from affray.cli.stopping import Watch\n"
    "def tell(self, progress):\n"
    "    if progress.work == 'looks' and progress.done and not self.stopped:\n"
    "        os.kill(os.getpid(), signal.SIGINT)\n"
    "Watch.tell = tell\n"
    "from affray.__main__ import run\nrun()"
)
"""Somebody presses Ctrl-C as soon as it looks ahead, however long the machine takes until then."""


def test_an_interrupt_ends_an_estimate_with_what_is_known() -> None:
    words = ("best", "grid-battles", "ford", "--seconds", "100", "--json")
    with started(*words, code=(INTERRUPTED_LOOKING,)) as running:
        out, err = running.communicate(timeout=100)
    assert running.returncode == 0, err
    data = json.loads(out)
    assert (data["known"], data["stopped_by"]) == ("estimate", "interrupted")
    assert data["looks"] > 0


def test_an_interrupted_check_says_so_in_its_status() -> None:
    status, out, _ = interrupted("check", "eclipse-phase")
    assert status == 130
    assert out.rstrip().endswith("no fault found; not every case was looked at.")


def test_an_interrupt_while_loading_is_one_line() -> None:
    """Whenever it comes, from the first moment in which the program itself runs."""
    code = (
        "import builtins, os, signal, sys; real = builtins.__import__\n"
        "def load(name, *rest):\n"
        "    if name == 'click': os.kill(os.getpid(), signal.SIGINT)\n"
        "    return real(name, *rest)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "builtins.__import__ = load\n"
        "from affray.__main__ import run\n"
        "run()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "affray: interrupted\n")


def test_interrupts_that_click_takes_have_their_status(monkeypatch: pytest.MonkeyPatch) -> None:
    from affray.app import lookups
    from affray.cli import main

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(lookups, "list_systems", interrupted)
    monkeypatch.setattr(sys, "argv", ["affray", "systems"])
    with pytest.raises(SystemExit) as ended:
        main.run()
    assert ended.value.code == 130
    assert CliRunner().invoke(app, ["systems"]).exit_code != 0


# -- children --------------------------------------------------------------------------------


def children_of(pid: int) -> list[int]:
    """Processes whose parent this is, and theirs."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parts = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(parts[1]) == pid and parts[0] != "Z":
                found += [int(entry.name), *children_of(int(entry.name))]
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


MOST_S = 0.5
"""Processor seconds that a child may take after its parent has ended, on a machine however busy."""
WITHOUT_LINUX = (
    "from affray.engine.fight.sampled import workers\n"
    "workers._killed_with = lambda parent: False\n"
    "from affray.__main__ import run\nrun()"
)


def last_busy_s(pid: int) -> float:
    """The processor seconds that a process had taken when it was last seen."""
    busy = 0.0

    def has_ended() -> bool:
        nonlocal busy
        with suppress(OSError):
            busy = busy_s(pid)
        return not alive(pid)

    waited(has_ended)
    return busy


@pytest.mark.skipif(sys.platform != "linux", reason="children are looked for in /proc")
@pytest.mark.parametrize("way", ["linux", "portable"])
@pytest.mark.parametrize(
    ("words", "how"),
    [
        (["w8", "-n", "90000000"], signal.SIGKILL),
        (["w8", "-n", "90000000"], signal.SIGHUP),
        (["w8", "-n", "90000000"], signal.SIGINT),
        (["--all-pairs", "-n", "100000"], signal.SIGTERM),
    ],
    ids=["battle-kill", "battle-hangup", "battle-interrupt", "matrix-term"],
)
def test_no_child_outlives_its_parent(words: list[str], how: signal.Signals, way: str) -> None:
    words = ["eclipse-phase", *words, "--seconds", "100", "--seed", "1", "--workers", "2"]
    code = () if way == "linux" else (WITHOUT_LINUX,)
    with started("battle", *words, code=code) as running:
        waited(lambda: len(children_of(running.pid)) > (1 if "--all-pairs" in words else 0))
        children = children_of(running.pid)
        waited(lambda: all(busy_s(child) > 0.5 for child in children))  # they are at work
        os.kill(running.pid, how)
        running.communicate(timeout=60)
        before = {child: busy_s(child) for child in children if alive(child)}
        for child, busy in before.items():
            assert last_busy_s(child) - busy < MOST_S


@pytest.mark.parametrize("after_s", [1.0, 2.0])
def test_a_report_heeds_an_interrupt_within_a_second(tmp_path: Path, after_s: float) -> None:
    path = tmp_path / "fight.json"
    both = ("--by", "one=computer", "--by", "other=computer", "--seed", "1")
    played = affray(
        "fight", "eclipse-phase", "grenades-against-a-torch", *both, "--save", str(path)
    )
    assert played.returncode == 0, played.stderr
    with started("report", "eclipse-phase", str(path), "--seconds", "100", "--short") as running:
        waited(lambda: busy_s(running.pid) > after_s)
        before = busy_s(running.pid)
        os.killpg(running.pid, signal.SIGINT)
        after = last_busy_s(running.pid)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 0, err
    assert "Round" in out or "round" in out
    assert after - before < 1
