"""The `affray` command, also as `python -m affray`."""

from __future__ import annotations

import sys

__all__ = ["run"]


def run() -> None:
    """Run the command; Ctrl-C while it is still being loaded ends it with one line."""
    try:
        from affray.cli.main import run as run_command

        run_command()
    except KeyboardInterrupt:
        sys.stderr.write("affray: interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    run()
