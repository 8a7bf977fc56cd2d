"""A process with a peak of its own: `python -m benchmarks.alone SECONDS FILE COMMAND ...`.

On Linux a process begins with the peak memory of the one that started it. So a small one stands
between the benchmarks, which hold a lot, and what they measure; it writes what was used to a file.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time

PATIENCE = 4
"""Times as long by the clock, on a machine that does other things as well."""
MOST_BYTES = 6 << 30


def main(words: list[str]) -> None:
    """Run a command with limits; write its seconds of the processor, peak in MB and status."""
    limit, path, *command = words
    seconds = int(limit)

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))

    child = subprocess.Popen(command, preexec_fn=limits)  # noqa: PLW1509
    until = time.monotonic() + PATIENCE * seconds
    while True:
        pid, status, use = os.wait4(child.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() > until:
            child.kill()
        time.sleep(0.01)
    child.returncode = os.waitstatus_to_exitcode(status)
    unit = 2**20 if sys.platform == "darwin" else 2**10
    used = use.ru_utime + use.ru_stime, use.ru_maxrss / unit, child.returncode
    with open(path, "w", encoding="utf-8") as report:
        json.dump(used, report)


if __name__ == "__main__":
    main(sys.argv[1:])
