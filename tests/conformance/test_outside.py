"""The suites hold for a system that another package brings, and with one installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SUITES = [
    "tests/conformance/test_every_system.py", "tests/agree", "tests/app/inputs/test_habits.py",
    "tests/cli/test_fights.py", "tests/app/test_battle.py", "tests/golden",
    "tests/test_generated.py",
]  # fmt: skip


@pytest.mark.slow
def test_the_suites_hold_for_a_system_of_another_package(tmp_path: Path) -> None:
    folder = tmp_path / "brawl-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: brawl\nVersion: 1\n")
    (folder / "entry_points.txt").write_text("[affray.systems]\nbrawl = brawl:SYSTEM\n")
    paths = [os.environ.get("PYTHONPATH", ""), str(ROOT / "tests" / "outside"), str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "brawl", *SUITES],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    passed = int(done.stdout.rpartition(" passed")[0].split()[-1])
    assert passed >= 30, done.stdout
    assert "golden" not in done.stdout
