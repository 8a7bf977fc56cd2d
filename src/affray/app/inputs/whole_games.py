"""Setups whose one exchange is a whole fight, such as a game on a map: read to be fought."""

from __future__ import annotations

from collections.abc import Hashable
from typing import cast

from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN, FightChanges
from affray.app.inputs.fight_setups import LoadedFight
from affray.app.inputs.fight_sheets import SIDES
from affray.app.inputs.setups import Loaded, examples, load_table
from affray.app.sources import Changes, FightSource, Shipped, Table
from affray.core.errors import SetupError
from affray.core.node import Facts
from affray.core.system import System
from affray.engine.exchange.best import objective_named
from affray.engine.fight.contest import Contest, Side

__all__ = ["whole_game"]


def whole_game(
    system: System[Facts], source: FightSource, changes: FightChanges = FIGHT_AS_WRITTEN
) -> LoadedFight | None:
    """A setup whose exchange is a whole fight, ready to be played; None: the source is none.

    Of an example and a fight that ship under one name the example is taken, if it is one.

    Raises:
        InputError: a table that doesn't fit.
        SetupError: what the rules refuse; changes that such a setup doesn't know.
    """
    whole = None if system.fight is None else system.fight.whole
    if whole is None:
        return None
    if isinstance(source, Shipped):
        known = examples(system)
        if source.name not in known:
            return None
        table = Table(known[source.name], f"example {source.name}")
    elif isinstance(source, Table) and not any(side in source.raw for side in SIDES):
        table = source
    else:
        return None
    more = Changes(changes.settle, changes.rulings, changes.roster)
    loaded = load_table(system, table, more)
    facts = loaded.game.start.facts
    if not whole.fits(facts):
        return None
    others = changes._replace(
        settle={}, rulings={}, roster=(), policies=("", ""), targets=("", ""), objective=""
    )
    if others != FIGHT_AS_WRITTEN:
        raise SetupError(
            f"{loaded.origin}: it is one exchange from its start to its end; rulings, settled "
            "choices and roster entries can be changed, the course of a fight can't"
        )
    return _as_fight(loaded, whole.fighters(facts), changes)


def _as_fight(
    loaded: Loaded,
    armies: tuple[tuple[Hashable, ...], tuple[Hashable, ...]],
    changes: FightChanges,
) -> LoadedFight:
    one, other = (Side(name, army, loaded.setup) for name, army in zip(SIDES, armies, strict=True))
    system, start = loaded.game.system, loaded.game.start
    wish = objective_named(system, changes.objective, start)
    contest = Contest(system, (one, other), loaded.readings, first="one", objective=wish)
    policies = tuple(policy or "first" for policy in changes.policies)
    targets = tuple(target or "weakest" for target in changes.targets)
    return LoadedFight(
        contest=contest,
        policies=cast("tuple[str, str]", policies),
        targets=cast("tuple[str, str]", targets),
        rounds=None,
        title=loaded.title,
        origin=loaded.origin,
        raw=loaded.raw,
        gaps=loaded.assumed,
        whole=loaded.game,
    )
