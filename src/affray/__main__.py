"""The `affray` command, also as `python -m affray`."""

from __future__ import annotations

import gc
import sys

__all__ = ["run"]

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
    finally:
        gc.freeze()  # else Python searches all of it for garbage before it ends


if __name__ == "__main__":
    run()
