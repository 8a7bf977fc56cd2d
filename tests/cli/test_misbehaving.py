"""Systems of other packages that raise, spin or wait: one message, and other work goes on."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from affray.app import registry
from tests.cli import running
from tests.cli.running import affray
from tests.outside import brawl

BRAWL = Path(brawl.__file__)
BEFORE = "    damage = max(0, x.rolled"
COMPUTERS = ("--by", "one=computer", "--by", "other=computer", "--seed", "1")

Bring = Callable[..., str]


@pytest.fixture
def bring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Bring]:
    """Installs a package with the brawl, one step of which does something else first."""
    monkeypatch.syspath_prepend(str(tmp_path))
    paths = [str(tmp_path), str(request.config.rootpath), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))

    def brought(name: str, mischief: str = "", *, first: str = "") -> str:
        text = BRAWL.read_text().replace("Path(__file__).parent", f"Path({str(BRAWL.parent)!r})")
        text = text.replace('id="brawl"', f'id="{name}"')
        assert text.count(BEFORE) == 1
        (tmp_path / f"bad_{name}.py").write_text(
            f"{first}\n{text.replace(BEFORE, f'    {mischief}{chr(10)}{BEFORE}')}"
        )
        folder = tmp_path / f"{name}_package-1.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}-package\nVersion: 1\n"
        )
        (folder / "entry_points.txt").write_text(f"[affray.systems]\n{name} = bad_{name}:SYSTEM\n")
        _forget()
        return name

    yield brought
    _forget()
    for module in [name for name in sys.modules if name.startswith("bad_")]:
        del sys.modules[module]


def _forget() -> None:
    for kept in (registry._outside, registry._loaded, registry.system_named):
        kept.cache_clear()


def affray_alone(*words: str) -> CompletedProcess[str]:
    return running.affray_alone(*words, env={"PYTHONPATH": os.environ["PYTHONPATH"]})


STEPS = (
    ("odds", "plain"), ("best", "plain"), ("play", "plain", "--auto", "--seed", "1"),
    ("duel", "alley"), ("battle", "alley", "-n", "10"), ("fight", "alley", *COMPUTERS),
)  # fmt: skip
RAISES = {
    "key": ("KeyError('trap')", "KeyError: 'trap'"),
    "value": ("ValueError('trap')", "ValueError: trap"),
    "exit": ("SystemExit(3)", "SystemExit: 3"),
    "base": ("BaseException('trap')", "BaseException: trap"),
    "generator": ("GeneratorExit", "GeneratorExit"),
    "input": ("EOFError", "EOFError"),
}


@pytest.mark.parametrize("kind", RAISES)
@pytest.mark.parametrize("words", STEPS, ids=lambda words: words[0])
def test_a_step_that_raises_is_one_message(words: tuple[str, ...], kind: str, bring: Bring) -> None:
    raised, told = RAISES[kind]
    name = bring("raising", f"raise {raised}")
    done = affray(words[0], name, *words[1:])
    assert done.returncode == 1
    message = "system raising of raising-package failed (bad_raising, line "
    (line,) = [row for row in done.stderr.splitlines() if message in row]
    assert line.endswith(f", in strike): {told}")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_step_that_raises_in_some_pairs_leaves_the_others(workers: str, bring: Bring) -> None:
    name = bring("weak", "if x.armor: raise SystemExit('armor')")
    done = affray("battle", name, "--all-pairs", "-n", "10", "--workers", workers, "--json")
    assert done.returncode == 0, done.stderr
    cells = {(row["row"], row["column"]): row for row in json.loads(done.stdout)["cells"]}
    assert cells["thug", "thug"]["refused"] == ""
    assert "weak-package failed" in cells["guard", "guard"]["refused"]


def test_a_worker_that_raises_is_one_message(bring: Bring) -> None:
    name = bring("helped", "raise KeyError('trap')")
    done = affray_alone("battle", name, "alley", "-n", "100000", "--workers", "2")
    assert done.returncode == 1
    assert done.stderr.startswith("affray: system helped of helped-package failed (bad_helped, ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("raised", ["KeyError('trap')", "BaseException('trap')"])
def test_a_step_that_raises_is_a_fault_and_other_laws_are_checked(
    raised: str, bring: Bring
) -> None:
    name = bring("faulty", f"raise {raised}")
    done = affray("check", name, "--propose", "--json")
    assert done.returncode == 1
    data = json.loads(done.stdout)
    assert data["whole"]
    assert any(
        "trap" in fault["what"] and "(bad_faulty.py, line " in fault["what"]
        for fault in data["faults"]
    )
    assert any(row["cases"] and not row["faults"] for row in data["laws"])


@pytest.mark.parametrize(
    "first",
    ["raise BaseException('trap')", "raise SystemExit(3)", "raise GeneratorExit", "1 / 0"],
)
def test_an_entry_point_that_raises_leaves_the_others(first: str, bring: Bring) -> None:
    name = bring("lost", first=first)
    done = affray("systems")
    assert done.returncode == 0, done.stderr
    assert "emlia" in done.stdout
    assert "lost-package" in done.stdout
    for words in (("odds", "plain"), ("play", "plain"), ("battle", "alley"), ("check",)):
        refused = affray(words[0], name, *words[1:])
        assert refused.returncode == 1
        assert "system lost of lost-package can't be used: " in refused.stdout + refused.stderr
        assert "Traceback" not in refused.stderr


# -- rules that do not come back ---------------------------------------------------------------

needs_a_timer = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer")
SPINS = {
    "spins": "while True: pass",
    "catches": "while True:\n        try: sum(range(9))\n        except Exception: pass",
    "waits": "import time; time.sleep(1e6)",
}


@needs_a_timer
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("spins", ("odds", "plain")),
        ("spins", ("best", "plain")),
        ("spins", ("play", "plain", "--auto", "--seed", "1")),
        ("spins", ("battle", "alley", "-n", "1000000", "--workers", "2")),
        ("spins", ("fight", "alley", *COMPUTERS)),
        ("catches", ("odds", "plain")),
        ("waits", ("duel", "alley")),
    ],
    ids=lambda part: part if isinstance(part, str) else part[0],
)
def test_seconds_hold_inside_a_step(kind: str, words: tuple[str, ...], bring: Bring) -> None:
    """Without a watchdog none of these ever ends, and the test gives up after two minutes."""
    name = bring("stuck", SPINS[kind])
    done = affray_alone(words[0], name, *words[1:], "--seconds", "1")
    assert done.returncode == 1
    (line,) = [row for row in done.stderr.splitlines() if row.startswith("affray: ")]
    assert "bad_stuck, line " in line
    assert "in strike: does not come back" in line
    assert "stuck-package" in line or kind == "catches"
    assert "Traceback" not in done.stderr


@needs_a_timer
def test_a_step_that_spins_is_a_fault(bring: Bring) -> None:
    name = bring("stuck", SPINS["spins"])
    law = "examples/examples-come-to-what-they-expect"
    done = affray_alone("check", name, "--suite", law, "--json")
    assert done.returncode == 1
    data = json.loads(done.stdout)
    faults = [fault["what"] for fault in data["faults"]]
    assert any("in strike: does not come back" in what for what in faults)
