"""What lasts after a fight, and what a rest brings back before the next one."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from affray.core.errors import SetupError
from affray.core.fight import Rest
from affray.core.names import unknown
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.affinity.numbers import condition_of, hd_max_of, state_of
from affray.systems.affinity.sheet import Combatant, Layer, Setup, Sides
from affray.systems.affinity.state import Condition, Cover
from affray.systems.affinity.tables import MENDED, RESOLVE

__all__ = ["RESTS", "leaves", "outermost_of", "whole", "worn_down"]

RESTS = (
    Rest("repair", "armor and shield are whole again"),
    Rest("recover", "a safe rest of hours: all layers are whole again, Rush and Steady can be used "
         "again; \"recover 5\": and 5 Hit Dice come back, as the table says"),
)  # fmt: skip


@cites("AF-39", "AF-50", "AF-51", "AF-80")
def leaves(situation: Setup, sheet: Combatant, condition: Condition, rest: str) -> Combatant:
    """The combatant who comes into the next fight: Hit Dice, Resolve, layers, dice in store.

    Turns, exertion, Defend and what lasts for rounds are over.

    Raises:
        SetupError: the combatant is dead; no rest has this name.
    """
    now, rulings = condition.now, condition.rulings
    if state_of(now.hd, now.resolve, rulings) == "dead":
        raise SetupError(f"{sheet.name or 'the combatant'} is dead; no fight follows (AF-50)")
    name, back = _rest(rest)
    most = hd_max_of(sheet, rulings)
    hd = min(max(now.hd, most), now.hd + back)
    fresh = name == "recover"
    return replace(
        sheet,
        hd=hd,
        hd_max=max(hd, most),
        resolve=max(RESOLVE["least"], now.resolve),
        affinity=now.affinity,
        layers=whole(_left(sheet, now.layers, rulings), MENDED[name] if name else ()),
        rushed=now.rushed and not fresh,
        steadied=now.steadied and not fresh,
        conditions=tuple(one for one in now.conditions if not one.rounds),
        actions_left=Combatant.actions_left,
        attacked=False,
        expert_used=False,
        exerted=0,
        defending=False,
        braced_earlier=False,
        checked=False,
        lost_this_round=0,
        stabilized=False,
        surprised=0,
    )


def _rest(rest: str) -> tuple[str, int]:
    """The name of a rest, and the Hit Dice that come back with it."""
    name, _, number = rest.partition(" ")
    names = [known.name for known in RESTS]
    if name and name not in names:
        raise unknown("rest", name, names)
    if number and (name != "recover" or not number.isdecimal()):
        raise SetupError(f"rest {rest!r}; allowed: recover with a number of Hit Dice (AF-51)")
    return name, int(number or 0)


# -- layers ----------------------------------------------------------------------------------


@cites("AF-22", "AF-27", "AF-76")
def _left(sheet: Combatant, covers: tuple[Cover, ...], rulings: Rulings) -> tuple[Layer, ...]:
    """The layers that are left: what gave way lies in pieces, what was granted comes first."""
    before = condition_of(sheet, rulings).layers
    kinds = [[(cover.kind, cover.die) for cover in some] for some in (before, covers)]
    kept = max(
        n for n in range(min(map(len, kinds)) + 1) if not n or kinds[0][-n:] == kinds[1][-n:]
    )
    layers = sheet.layers
    for _ in range(len(before) - kept):
        there = condition_of(replace(sheet, layers=layers), rulings).layers
        gone = outermost_of(sheet, layers, there, rulings)
        layers = tuple(
            replace(layer, intact=False) if place in gone else layer
            for place, layer in enumerate(layers)
        )
    own = covers[len(covers) - kept :]
    if own and own != condition_of(replace(sheet, layers=layers), rulings).layers:
        layers = worn_down(layers, outermost_of(sheet, layers, own, rulings), own)
    granted = (
        Layer(
            kind=cover.kind,
            die=cast("Sides", cover.die),
            dice=max(1, cover.dice),
            temp_hd=cover.temp_hd,
        )
        for cover in covers[: len(covers) - kept]
    )
    return (*granted, *layers)


def whole(layers: tuple[Layer, ...], kinds: Collection[str]) -> tuple[Layer, ...]:
    """The layers with those of some kinds whole again."""
    return tuple(replace(layer, intact=True) if layer.kind in kinds else layer for layer in layers)


def outermost_of(
    sheet: Combatant, layers: tuple[Layer, ...], there: tuple[Cover, ...], rulings: Rulings
) -> tuple[int, ...]:
    """The places of the layers that together are the outermost one: armor may hold shields."""
    intact = [place for place, layer in enumerate(layers) if layer.intact]
    shields = [place for place in intact if layers[place].kind == "shield"]
    armor = [place for place in intact if layers[place].kind == "armor"]
    together = [(one, *shields) for one in armor if shields]
    for some in [*((place,) for place in intact), *together]:
        without = tuple(
            replace(layer, intact=False) if place in some else layer
            for place, layer in enumerate(layers)
        )
        if condition_of(replace(sheet, layers=without), rulings).layers == there[1:]:
            return some
    return ()


def worn_down(
    layers: tuple[Layer, ...], outermost: tuple[int, ...], left: tuple[Cover, ...]
) -> tuple[Layer, ...]:
    """The layers with the dice, or the Hit Dice, that the outermost one has left."""
    dice, total = left[0].dice, left[0].temp_hd
    found = list(layers)
    for place in outermost:
        layer = layers[place]
        if dice or not left[0].temp_hd:
            kept = min(dice, layer.dice)
            dice -= kept
            found[place] = replace(layer, dice=max(1, kept), intact=kept > 0)
        else:
            kept = min(total, layer.temp_hd)
            total -= kept
            found[place] = replace(layer, temp_hd=kept, intact=kept > 0)
    return tuple(found)
