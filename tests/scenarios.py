"""Every example of every system, for the suites that run over all of them.

Systems of other packages that are installed count too; `SHIPPED` are those of this one.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import affray.systems
from affray.app.inputs.setups import Loaded, examples, load_raw
from affray.app.inputs.tables import fight_examples
from affray.app.registry import system_ids, system_named
from affray.core.node import Facts
from affray.core.system import System
from affray.engine.exchange.game import Game
from affray.engine.fight.matchup import fight_of
from affray.testing.material import ended

__all__ = [
    "EXAMPLES", "FIGHTING", "OFF_BOARDS", "PLAYED", "REFUSED", "SHIPPED", "SYSTEMS", "ended",
    "example", "of", "told", "unsettled",
]  # fmt: skip

SYSTEMS = system_ids()
EXAMPLES = [(name, example) for name in SYSTEMS for example in examples(system_named(name))]


def told(system: str, name: str, key: str) -> Mapping[str, Any]:
    """What an example tells under `expect` or `odds`; {} if nothing."""
    value = examples(system_named(system))[name].get(key, {})
    assert isinstance(value, dict)
    return value


REFUSED = [row for row in EXAMPLES if "refused" in told(*row, "expect")]
PLAYED = [row for row in EXAMPLES if row not in REFUSED]
FIGHTING = [name for name in SYSTEMS if system_named(name).fight is not None]
OFF_BOARDS = [
    (name, fight)
    for name in FIGHTING
    for fight, raw in fight_examples(system_named(name)).items()
    if not ((board := fight_of(system_named(name)).board) and board.key in raw)
]
"""Fights that duels and battles can be worked out of: those on no board."""
_OWN = Path(affray.systems.__path__[0])
SHIPPED = [name for name in SYSTEMS if _OWN in system_named(name).folder.parents]


def example(system: str, name: str) -> Loaded:
    """A shipped example, loaded."""
    found = system_named(system)
    return load_raw(found, examples(found)[name], name)


def unsettled(game: Game) -> Game:
    """The same game with every choice open."""
    return game._replace(settled={})


def of(name: str) -> System[Facts]:
    """A system by id."""
    return system_named(name)
