"""The `affray` command, also as `python -m affray`."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import suppress

__all__ = ["main", "run"]

ALLOCATED = 500_000
"""New objects between two searches for circles of garbage: what a command loads has none."""


def run() -> None:
    """Run the command; Ctrl-C while it is still being loaded ends it with one line."""
    gc.set_threshold(ALLOCATED)
    try:
        from affray.cli.main import run as run_command

        run_command()
    except KeyboardInterrupt:
        sys.stderr.write("affray: interrupted\n")
        sys.exit(130)


def main() -> None:
    """Run the command, and end at once: Python would give back its memory object by object."""
    try:
        run()
    except SystemExit as ended:
        if not isinstance(ended.code, int):
            raise
        atexit._run_exitfuncs()
        for stream in filter(None, (sys.stdout, sys.stderr)):
            with suppress(Exception):  # nobody is left to be told
                stream.flush()
        os._exit(ended.code)


if __name__ == "__main__":
    main()
