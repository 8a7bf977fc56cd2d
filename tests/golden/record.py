"""Golden playthroughs: every observable at every step. `python -m tests.golden.record` rewrites.

A change in these files is a change in what players see: look at the difference before you keep
it.
"""

from __future__ import annotations

import json
from pathlib import Path

from affray.app.use_cases import play_view
from affray.app.views import to_json
from affray.core.errors import AnswerError, SetupError
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Script, drive
from tests.scenarios import EXAMPLES, SHIPPED, ended, example

FOLDER = Path(__file__).parent / "playthroughs"
RECORDED = [row for row in EXAMPLES if row[0] in SHIPPED]


def playthrough(system: str, name: str) -> str:
    """The played example as text: its script if it has one, a seeded game otherwise."""
    try:
        loaded = example(system, name)
        if loaded.dice or loaded.options:
            session = drive(Session(loaded.game), Script(loaded.dice, loaded.options))
        else:
            session = ended(loaded.game, 0)
    except (AnswerError, SetupError) as refused:
        return json.dumps({"refused": str(refused)}, indent=1) + "\n"
    data = to_json(play_view(loaded, session))
    for volatile in ("affray", "saved"):
        del data[volatile]
    return json.dumps(data, indent=1) + "\n"


def path_of(system: str, name: str) -> Path:
    """Where a playthrough is kept."""
    return FOLDER / system / f"{name}.json"


def main() -> None:
    """Write every playthrough anew."""
    for system, name in RECORDED:
        path = path_of(system, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(playthrough(system, name), encoding="utf-8")


if __name__ == "__main__":
    main()
