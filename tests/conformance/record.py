"""Look for plays that show that keys and readings matter, and note them for the laws on that.

`python -m tests.conformance.record` keeps what still holds and searches for the rest; give systems
to look at these alone. The laws search themselves where nothing is noted, or it holds no longer:
then they take longer.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from affray.testing.keys.laws import witnesses
from affray.testing.readings import reading_witnesses
from tests.conformance.holding import WITNESSES, material
from tests.scenarios import SYSTEMS

__all__ = ["main"]

HEAD = (
    "# Plays that show that keys and readings matter: trial, play, what is changed, and to what.\n"
    "# Written by `python -m tests.conformance.record`.\n"
)


def main(systems: Sequence[str]) -> None:
    """Write the witnesses of some systems, or of all."""
    WITNESSES.mkdir(exist_ok=True)
    for system in systems or SYSTEMS:
        known = material(system)
        found = {**witnesses(known), **reading_witnesses(known)}
        rows = [f"{json.dumps(key)} = {json.dumps(list(row))}\n" for key, row in found.items()]
        (WITNESSES / f"{system}.toml").write_text(HEAD + "".join(rows), "utf-8")
        kept = sum(known.witnesses.get(key) == row for key, row in found.items())
        print(f"{system}: {len(found)} witnesses, {len(found) - kept} of them new")


if __name__ == "__main__":
    main(sys.argv[1:])
