"""`affray serve` brings the page along."""

import subprocess
import sys
from pathlib import Path

from tests.api.servers import PATIENCE_S


def test_a_trial_sees_the_page_and_ends(tmp_path: Path) -> None:
    words = ["serve", "--once", "--port", "0", "--data", str(tmp_path)]
    ended = subprocess.run(
        [sys.executable, "-m", "affray", *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.endswith("The page answers (200).\n")
