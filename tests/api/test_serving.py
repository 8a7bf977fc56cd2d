"""The server as its command runs it: in the main thread, where rules are watched elsewhere."""

import subprocess
import sys
from pathlib import Path

BUSY = """
import os, signal, sys, time
from pathlib import Path
from affray.api.serving import serve
from affray.api.settings import Settings
from affray.engine.watchdog import a_rule_may_take, rules_come_back

def busy(address):
    end = time.process_time() + 2.5
    while time.process_time() < end:
        pass
    print("still there", flush=True)
    os.kill(os.getpid(), signal.SIGTERM)

with rules_come_back():
    a_rule_may_take(1)
    serve(Settings(data=Path(sys.argv[1]), port=0, workers=2), busy)
"""


def test_seconds_of_work_in_the_loop_of_a_server_are_no_rule_that_spins(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BUSY, tmp_path],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.stdout, done.returncode) == ("still there\n", 0), done.stderr
