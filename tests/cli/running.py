"""The command in a process of its own."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from typing import Any

ENV = {**os.environ, "NO_COLOR": "1", "COLUMNS": "140", "PYTHONIOENCODING": "utf-8"}


def affray(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "affray", *words],
        input=stdin, capture_output=True, text=True, check=False, env=ENV, timeout=120,
    )  # fmt: skip


def asked(*words: str) -> dict[str, Any]:
    """The JSON that a command prints."""
    done = affray(*words, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def rows_of(text: str) -> list[dict[str, str]]:
    """CSV as records."""
    return list(csv.DictReader(io.StringIO(text)))
