"""The command run in this process, or where that matters in one of its own."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Mapping
from contextlib import ExitStack
from subprocess import CompletedProcess
from typing import Any
from unittest import mock

from affray.cli.main import run

PLAIN = {"NO_COLOR": "1", "COLUMNS": "140", "PYTHONIOENCODING": "utf-8"}
ENV = {**os.environ, **PLAIN}


def affray(
    *words: str, stdin: str | bytes = "", env: Mapping[str, str] | None = None
) -> CompletedProcess[str]:
    """Run the command in this process: its status, and what it printed."""
    typed = stdin.encode() if isinstance(stdin, str) else stdin
    given, out, err = (
        io.TextIOWrapper(io.BytesIO(data), encoding="utf-8") for data in (typed, b"", b"")
    )
    with ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        stack.enter_context(mock.patch.dict(os.environ, {**PLAIN, **(env or {})}))
        stack.enter_context(mock.patch.object(sys, "argv", ["affray", *words]))
        for name, stream in (("stdin", given), ("stdout", out), ("stderr", err)):
            stack.enter_context(mock.patch.object(sys, name, stream))
        try:
            run()
            status = 0
        except SystemExit as ended:
            status = int(ended.code or 0)
    texts = []
    for stream in (out, err):
        stream.flush()
        raw = stream.buffer
        assert isinstance(raw, io.BytesIO)
        texts.append(raw.getvalue().decode())
    return CompletedProcess(["affray", *words], status, *texts)


def affray_alone(*words: str, stdin: str = "") -> CompletedProcess[str]:
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
