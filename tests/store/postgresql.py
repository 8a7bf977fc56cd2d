"""A real PostgreSQL for tests: Debian's package, one server for each process of the tests."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

USER = "affray"
QUICKLY = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=60")
PATIENCE_S = 60


def programs() -> Path | None:
    """The folder of PostgreSQL's programs, the newest; None where it isn't installed."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    if not found and (other := shutil.which("initdb")):
        found = [Path(other).resolve().parent]
    return max(found, key=lambda path: path.parent.name.zfill(4), default=None)


@contextmanager
def server() -> Iterator[str]:
    """A server that lives as long as this block: the URL of its databases, without a name.

    It refuses to run as root, so it runs as another user then. It listens on a socket in its own
    folder, and ends with this process even if that is killed.
    """
    bin_folder = programs()
    assert bin_folder is not None
    folder = Path(tempfile.mkdtemp(prefix="affray-pg-", dir="/tmp"))
    as_other: list[str] = []
    if os.geteuid() == 0:
        names = {one.pw_name for one in pwd.getpwall()}
        other = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
        os.chown(folder, other.pw_uid, other.pw_gid)
        as_other = [
            "setpriv", f"--reuid={other.pw_uid}", f"--regid={other.pw_gid}", "--clear-groups",
        ]  # fmt: skip
    dies_with_us = ["setpriv", "--pdeathsig=QUIT"] if shutil.which("setpriv") else []
    files = folder / "data"
    made = subprocess.run(
        [*as_other, bin_folder / "initdb", "--no-sync", "--auth=trust", "--encoding=UTF8",
         "--locale=C", f"--username={USER}", files],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    options = [word for one in QUICKLY for word in ("-c", one)]
    with (folder / "log").open("w") as log:
        running = subprocess.Popen(
            [*as_other, *dies_with_us, bin_folder / "postgres", "-D", files, "-k", folder,
             "-h", "", *options],
            cwd=folder, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        url = f"postgresql://{USER}@/NAME?host={folder}"
        _await(url, running, folder / "log")
        yield url
    finally:
        with suppress(ProcessLookupError):
            running.send_signal(signal.SIGQUIT)
        running.wait(PATIENCE_S)
        shutil.rmtree(folder, ignore_errors=True)


def _await(url: str, running: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a server takes connections."""
    import psycopg

    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            psycopg.connect(url.replace("NAME", "postgres")).close()
        except psycopg.OperationalError:
            assert running.poll() is None, log.read_text()
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.05)
        else:
            return


def run(url: str, statement: str) -> None:
    """Let a server run a statement outside of a transaction."""
    import psycopg

    with psycopg.connect(url.replace("NAME", "postgres"), autocommit=True) as connection:
        connection.execute(statement.encode())
