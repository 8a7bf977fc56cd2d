"""The command run in this process, or where that matters in one of its own."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryDirectory
from typing import Any, TextIO
from unittest import mock

from affray.cli import arguments
from affray.cli.main import run

PLAIN = {"NO_COLOR": "1", "COLUMNS": "140", "PYTHONIOENCODING": "utf-8"}
ENV = {**os.environ, **PLAIN}
HEARS = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); "
    "signal.signal(signal.SIGHUP, signal.SIG_DFL); "
    "os.execv(sys.argv[1], sys.argv[1:])"
)
"""Starts a program as a person does, even where the tests ignore signals."""


def affray(
    *words: str, stdin: str | bytes = "", env: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
) -> CompletedProcess[str]:  # fmt: skip
    """Run the command in this process: its status, and what it printed.

    Args:
        words: what stands behind `affray`.
        stdin: what is typed.
        env: variables of the environment that differ.
        encoding: of standard output and standard error.
    """
    typed = stdin.encode() if isinstance(stdin, str) else stdin
    given = io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8")
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding) for _ in range(2))
    status = _status(words, (given, out, err), env or {})
    texts = []
    for stream in (out, err):
        stream.flush()
        raw = stream.buffer
        assert isinstance(raw, io.BytesIO)
        texts.append(raw.getvalue().decode(encoding))
    return CompletedProcess(["affray", *words], status, *texts)


def _status(
    words: tuple[str, ...], streams: tuple[TextIO | None, ...], env: Mapping[str, str]
) -> int:
    """Run it on one core: tests stand beside each other, and processes price all anew."""
    with ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        stack.enter_context(mock.patch.object(arguments, "cores", return_value=1))
        stack.enter_context(mock.patch.dict(os.environ, {**PLAIN, **env}))
        stack.enter_context(mock.patch.object(sys, "argv", ["affray", *words]))
        for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
            stack.enter_context(mock.patch.object(sys, name, stream))
        try:
            run()
        except SystemExit as ended:
            return int(ended.code or 0)
        finally:
            for late in (sys.stdout, sys.stderr):
                late.flush()  # as Python does at its end
    return 0


CLOSED, GONE, FULL = "closed", "gone", "/dev/full"
"""A stream that is closed, one that nobody reads any more, one that takes nothing."""


def affray_on(*words: str, **streams: str) -> CompletedProcess[str]:
    """Run the command in this process, on descriptors 0, 1 and 2 as a shell would set them.

    Args:
        words: what stands behind `affray`.
        streams: for `stdin`, `stdout` and `stderr` `CLOSED`, `GONE`, or a path. What is not
            given is empty, or kept and returned.
    """
    with TemporaryDirectory() as folder, ExitStack() as stack:
        kept = [Path(folder) / name for name in ("stdout", "stderr")]
        usual = {"stdin": os.devnull, "stdout": str(kept[0]), "stderr": str(kept[1])}
        files = (streams.get(name, file) for name, file in usual.items())
        opened = [stack.enter_context(_descriptor(n, file)) for n, file in enumerate(files)]
        status = _status(words, tuple(opened), {})
        stack.close()
        texts = [path.read_text("utf-8") if path.exists() else "" for path in kept]
    return CompletedProcess(["affray", *words], status, *texts)


@contextmanager
def _descriptor(number: int, file: str) -> Iterator[TextIO | None]:
    """A standard stream as Python finds it when it starts; afterwards all is as it was."""
    before = os.dup(number)
    try:
        if file == CLOSED:
            os.close(number)
            yield None
            return
        if file == GONE:
            reading, writing = os.pipe()
            os.close(reading)
        else:
            how = os.O_WRONLY | (0 if Path(file).exists() else os.O_CREAT)
            writing = os.open(file, how if number else os.O_RDONLY)
        os.dup2(writing, number)
        os.close(writing)
        # closing it flushes it, as Python does at its end; nothing may be left that fails then
        with open(number, "w" if number else "r", encoding="utf-8", closefd=False) as stream:
            yield stream
    finally:
        os.dup2(before, number)
        os.close(before)


def affray_alone(
    *words: str, stdin: str = "", env: Mapping[str, str] | None = None, rest: str = ""
) -> CompletedProcess[str]:
    """Run the command in a process of its own.

    Args:
        words: what stands behind `affray`.
        stdin: what is typed.
        env: variables of the environment that differ.
        rest: what follows it on the line of a shell.
    """
    line = f'"$@" {rest}\nexit ${{PIPESTATUS[0]}}'
    return subprocess.run(
        ["bash", "-c", line, "bash", sys.executable, "-m", "affray", *words],
        input=stdin, capture_output=True, text=True, check=False, timeout=120,
        env={**ENV, **(env or {})},
    )  # fmt: skip


def started(*words: str, code: Sequence[str] = (), **more: Any) -> subprocess.Popen[str]:
    """A command that goes on by itself, in a session of its own.

    Args:
        words: what stands behind `affray`.
        code: Python that runs it in another way.
        more: as for `Popen`.
    """
    how = ["-c", *code] if code else ["-m", "affray"]
    asks = [sys.executable, "-c", HEARS, sys.executable, *how, *words]
    return subprocess.Popen(
        asks, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=ENV, start_new_session=True, **more,
    )  # fmt: skip


def busy_s(pid: int) -> float:
    """Seconds of processor time that a process has taken: it is under way, however slowly."""
    words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def waited(true: Callable[[], bool], most_s: float = 60) -> None:
    """Wait until something is true."""
    until = time.monotonic() + most_s
    while not true():
        assert time.monotonic() < until, "it never came true"
        time.sleep(0.05)


def asked(*words: str) -> dict[str, Any]:
    """The JSON that a command prints."""
    done = affray(*words, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def rows_of(text: str) -> list[dict[str, str]]:
    """CSV as records."""
    return list(csv.DictReader(io.StringIO(text)))
