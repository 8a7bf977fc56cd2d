"""Golden playthroughs: every observable at every step. `python -m tests.golden.record` rewrites.

A change in these files is a change in what players see: look at the difference before you keep
it. `tests.golden.playthrough` describes the format.
"""

from __future__ import annotations

from pathlib import Path

from tests.golden import fights
from tests.golden.playthrough import FAMILIES, file_of, written

FOLDER = Path(__file__).parent / "playthroughs"


def main() -> None:
    """Write every playthrough anew; remove files of families that are no more."""
    files = {FOLDER / file_of(*row): row for row in FAMILIES}
    for stale in set(FOLDER.rglob("*.*")) - set(files):
        stale.unlink()
    for path, row in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written(*row), encoding="utf-8")
    write_fights()


def write_fights() -> None:
    """Write every fight that has a script anew, and remove files of others."""
    fights.FOLDER.mkdir(exist_ok=True)
    wanted = {fights.file_of(*row): row for row in fights.FIGHTS}
    for stale in set(fights.FOLDER.iterdir()) - set(wanted):
        stale.unlink()
    for path, row in wanted.items():
        path.write_text(fights.shown(*row), encoding="utf-8")


if __name__ == "__main__":
    main()
