"""A combatant's condition for the people at the table, and what a game master may set."""

from __future__ import annotations

from affray.core.fight import Gauge, Threshold, Told, gauged
from affray.core.mending import Mend, mending
from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.systems.affinity import rulings as rule
from affray.systems.affinity.numbers import (
    fewer_dice,
    harder,
    hd_max_of,
    is_hurt,
    rages,
    spoken,
    stage,
    state_of,
)
from affray.systems.affinity.sheet import Affliction, Combatant
from affray.systems.affinity.state import CombatantState, Condition, Cover
from affray.systems.affinity.tables import COLLAPSE, ECONOMY, RESOLVE, STAGES

__all__ = ["mended", "told"]

STATES = {
    "up": "",
    "down": "down and dying, not dead (AF-50)",
    "collapsed": "collapsed: no Resolve is left (AF-53)",
    "dead": "dead (AF-50)",
}


@cites("AF-12", "AF-22", "AF-30", "AF-41", "AF-50", "AF-53", "AF-62", "AF-63", "AF-72")
def told(sheet: Combatant, condition: Condition) -> tuple[Told, ...]:
    """Hit Dice, layers from the outside in, Resolve, dice in store, Defend, conditions, place."""
    now, rulings = condition.now, condition.rulings
    state = STATES[state_of(now.hd, now.resolve, rulings)]
    most = hd_max_of(sheet, rulings)
    dice = Gauge(now.hd, most, (Threshold(0, "down"),))
    lines = [gauged("Hit Dice", dice, state, "hd")._replace(bar=dice.left)]
    lines += [
        Told(
            cover.kind,
            _die(cover),
            "an outer layer stops damage first (AF-22)" if n else "",
            short=f"{cover.kind} {_die(cover)}",
        )
        for n, cover in enumerate(now.layers)
    ]
    if rulings[rule.RESOLVE] != "off":
        resolve = Gauge(now.resolve, sheet.resolve_max, _stages(rulings))
        does, short = _resolve(now.resolve, rulings), f"Resolve {now.resolve}/{sheet.resolve_max}"
        lines.append(gauged("Resolve", resolve, does, "resolve")._replace(short=short))
    if sheet.affinity:
        lines.append(
            Told("Affinity dice", now.affinity, "as exertion, or safe (AF-12)", "affinity")
        )
    if now.exerted:
        used = spoken(now.exerted, "exertion")
        lines.append(Told("exertion used", used, "this turn's (AF-62)", news="none"))
    if now.actions != ECONOMY["actions"]:
        lines.append(Told("actions", now.actions, "left in this round (AF-62)", news="none"))
    flags: dict[str, tuple[bool, str]] = {
        "Defend": (now.defending, "more dice in defense rolls until the next own turn (AF-30)"),
        "rage": (now.raging, "below half of the Hit Dice (AF-73)"),
        "stabilized": (now.stabilized, "the next Resolve check holds (AF-45)"),
    }
    counted = {
        "acted": (now.acted, "can't Intervene any more in this round (AF-41)"),
        "Expert action": (now.expert, "one in a turn (AF-63)"),
    }
    lines += [Told(label, True, does, short=label)
              for label, (holds, does) in flags.items() if holds]  # fmt: skip
    lines += [Told(label, True, does, news="none")
              for label, (holds, does) in counted.items() if holds]  # fmt: skip
    lines += [Told(one.name, _rounds(one), _does(one), news="ends", short=one.name)
              for one in now.conditions]  # fmt: skip
    if now.gone:
        way = "toward the foes" if now.gone > 0 else "away from the foes"
        lines.append(Told("moved", f"{abs(now.gone)} yards {way}", "", "moved", is_place=True))
    return tuple(lines)


def _die(cover: Cover) -> str:
    dice = f"{cover.dice}d{cover.die}" if cover.dice else f"d{cover.die}"
    return f"{dice}, {cover.temp_hd} left" if cover.temp_hd else dice


@cites("AF-32", "AF-53")
def _stages(rulings: Rulings) -> tuple[Threshold, ...]:
    """The Resolve at which something gets harder, the most first."""
    dice = STAGES[rulings[rule.RESOLVE], "dice"]
    assert isinstance(dice, tuple)  # one limit for each die
    found = [Threshold(at, f"{spoken(n, 'defense')} fewer") for n, at in enumerate(dice, start=1)]
    if harder(hard := stage(rulings, "harder"), 0, rulings):
        found.append(Threshold(hard, "an action needs one success more"))
    found.append(Threshold(stage(rulings, "no expert"), "no Expert action"))
    found.append(Threshold(COLLAPSE["resolve"], "collapsed"))
    return tuple(sorted(found, key=lambda one: -one.at))


@cites("AF-32", "AF-53")
def _resolve(resolve: int, rulings: Rulings) -> str:
    parts = []
    if fewer := fewer_dice(resolve, rulings):
        parts.append(f"{spoken(fewer, 'defense')} fewer (AF-32)")
    if harder(resolve, 0, rulings):
        parts.append("an action needs one success more (AF-53)")
    if resolve <= stage(rulings, "no expert"):
        parts.append("no Expert action (AF-53)")
    return "; ".join(parts)


def _rounds(one: Affliction) -> str:
    return f"for {one.rounds} rounds" if one.rounds else "until it is lifted"


@cites("AF-72")
def _does(one: Affliction) -> str:
    parts = [] if one.move == "whole" else [f"movement: {one.move}"]
    parts += [f"{spoken(one.dice, 'action')} fewer"] if one.dice else []
    parts += [f"{spoken(one.defense, 'defense')} fewer"] if one.defense else []
    return f"{', '.join(parts)} (AF-72)"


# -- the game master's hand ------------------------------------------------------------------------


def _settled(sheet: Combatant, condition: Condition, now: CombatantState) -> Condition:
    """A condition after a number was set, with what follows from the number."""
    rulings = condition.rulings
    boosts = bool(sheet.boosts)
    return condition._replace(now=now._replace(
        down=now.hd == 0,
        raging=boosts and rages(sheet, now.hd, rulings),
        hurt=boosts and is_hurt(sheet, now.hd, rulings),
    ))  # fmt: skip


def _hd(sheet: Combatant, condition: Condition, value: int | str) -> Condition:
    return _settled(sheet, condition, condition.now._replace(hd=int(value)))


def _put_resolve(sheet: Combatant, condition: Condition, value: int | str) -> Condition:
    return _settled(sheet, condition, condition.now._replace(resolve=int(value)))


def _affinity(sheet: Combatant, condition: Condition, value: int | str) -> Condition:
    return condition._replace(now=condition.now._replace(affinity=int(value)))


def _moved(sheet: Combatant, condition: Condition, value: int | str) -> Condition:
    return condition._replace(now=condition.now._replace(gone=int(value)))


mended = mending(
    Mend[Combatant, Condition](
        "hd", lambda sheet, condition: range(hd_max_of(sheet, condition.rulings) + 1), _hd
    ),
    Mend[Combatant, Condition](
        "resolve",
        lambda sheet, _: range(RESOLVE["least"], sheet.resolve_max + 1),
        _put_resolve,
    ),
    Mend[Combatant, Condition]("affinity", lambda sheet, _: range(sheet.level + 1), _affinity),
    Mend[Combatant, Condition]("moved", lambda _, __: range(-1000, 1001), _moved),
)
