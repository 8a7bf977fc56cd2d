"""The page of the service is true: its examples run, and print what stands there."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "service.md"
BLOCK = re.compile(r"```(sh|python|text)\n(.*?)```", re.DOTALL)
MARK = "-- end of a block --"
USUAL = "http://127.0.0.1:8080"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that was started as people start it."""
    command = [sys.executable, "-m", "affray", "serve", "--port", "0"]
    folder = str(tmp_path_factory.mktemp("data"))
    with subprocess.Popen(
        [*command, "--data", folder], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found is not None
        yield found[0]
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 0


def printed(kind: str, address: str) -> list[tuple[str, str]]:
    """What the blocks of a kind print, one after the other, each with what stands on the page."""
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8").replace(USUAL, address))
    mine = [
        (text, after[1] if after[0] == "text" else "")
        for (found, text), after in zip(blocks, [*blocks[1:], ("", "")], strict=True)
        if found == kind
    ]
    say = f"\necho '{MARK}'\n" if kind == "sh" else f"\nprint({MARK!r})\n"
    run = ["sh", "-eu"] if kind == "sh" else [sys.executable, "-"]
    done = subprocess.run(
        run, input=say.join([*(text for text, _ in mine), ""]), capture_output=True, text=True,
        timeout=120, check=False, env={**os.environ, "LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    came = done.stdout.split(f"{MARK}\n")[:-1]
    return list(zip(came, (expected for _, expected in mine), strict=True))


@pytest.mark.skipif(
    not (shutil.which("curl") and shutil.which("jq")), reason="curl or jq is not installed"
)
def test_the_examples_by_curl_print_what_stands_there(address: str) -> None:
    for came, expected in printed("sh", address):
        assert came == expected


def test_the_example_in_python_prints_what_stands_there(address: str) -> None:
    for came, expected in printed("python", address):
        assert came == expected
