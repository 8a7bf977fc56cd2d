"""From sheets to numbers: conditions, Resolve, and the dice of a defense."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Literal

from affray.core.errors import SetupError
from affray.core.lazy import NamedTuple
from affray.core.modifier import Modifier, Total
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.core.unknown import remembers
from affray.systems.affinity import rulings as rule
from affray.systems.affinity.sheet import Affliction, Combatant, Layer, LayerKind
from affray.systems.affinity.state import CombatantState, Cover, Terms
from affray.systems.affinity.tables import (
    BONUS,
    COLLAPSE,
    DEATH,
    HD_BY_LEVEL,
    HD_DICE,
    LEAST,
    MOVES,
    RANKS,
    RESOLVE,
    STAGES,
    STEADY,
    TYPES,
)

__all__ = [
    "Braced", "body_die", "braced", "called", "capacity_of", "condition_of",
    "counts_totals", "defend_dice", "fewer_dice",
    "harder", "hd_max_of",
    "is_among", "is_hurt", "is_torn", "matters", "mended", "modes_of", "move_of",
    "put_on", "rages", "repaired", "resolve_bonus", "spoken", "stage",
    "state_of",
]  # fmt: skip


def called(combatant: Combatant, part: str) -> str:
    """The combatant's name, or the part played."""
    return combatant.name or f"the {part}"


# -- what a sheet comes to -------------------------------------------------------------------


def body_die(sheet: Combatant) -> int:
    """Sides of the die of the body."""
    return sheet.hd_die or HD_DICE[sheet.body]


@cites("AF-28")
def hd_max_of(sheet: Combatant, rulings: Rulings) -> int:
    """The most permanent Hit Dice: as written, else as the level says (A-7), if not more are there.

    Raises:
        SetupError: nothing written, and no row for this level and die.
    """
    if sheet.hd_max is not None:
        return sheet.hd_max
    row = HD_BY_LEVEL.get((rulings[rule.HD_TABLE], body_die(sheet)), ())
    if sheet.level <= len(row):
        return max(row[sheet.level - 1], sheet.hd or 0)
    if sheet.hd is not None:
        return sheet.hd
    raise SetupError(
        f"{called(sheet, 'combatant')}: level {sheet.level} with d{body_die(sheet)} has no row of "
        "Hit Dice; give hd"
    )


def rages(sheet: Combatant, hd: int, rulings: Rulings) -> bool:
    """A boost below half of the Hit Dice holds."""
    return any(b.when == "below_half" for b in sheet.boosts) and 2 * hd < hd_max_of(sheet, rulings)


def is_hurt(sheet: Combatant, hd: int, rulings: Rulings) -> bool:
    """Hit Dice are lost, and a boost depends on it."""
    return any(b.when in {"hurt", "unhurt"} for b in sheet.boosts) and hd < hd_max_of(
        sheet, rulings
    )


def _ranks(rulings: Rulings) -> dict[LayerKind, int]:
    ranks = dict(RANKS)
    if rulings[rule.TEMPORARY] == "outermost":
        ranks["temporary"] = ranks["magical"]
    return ranks


@cites("AF-22")
def counts_totals(rulings: Rulings) -> bool:
    """Layers have temporary Hit Dice that damage takes."""
    return rulings[rule.TEMP_HD] == "absorb" and rulings[rule.OVERWHELM] != "per_die"


@cites("AF-22", "AF-27")
@lru_cache(maxsize=4096)
def _covers(layers: tuple[Layer, ...], rulings: Rulings) -> tuple[Cover, ...]:
    """The layers that are there, the outermost first."""
    worn = [layer for layer in layers if layer.intact]
    if rulings[rule.MAGICAL] == "oldest":
        worn.reverse()
    counts = rulings[rule.OVERWHELM] == "per_die"
    totals = counts_totals(rulings)
    shields = [layer for layer in worn if layer.kind == "shield"]
    armor = [layer for layer in worn if layer.kind == "armor"]
    merged = rulings[rule.SHIELD] == "armor" and armor
    found = []
    ranks = _ranks(rulings)
    for layer in sorted(worn, key=lambda layer: ranks[layer.kind]):
        dice, total = layer.dice, layer.temp_hd
        if merged and layer.kind == "shield":
            continue
        if merged and layer is armor[0]:
            dice += sum(shield.dice for shield in shields)
            total += sum(shield.temp_hd for shield in shields)
        if totals and not total:
            raise SetupError(
                f"layer {layer.name or layer.kind}: temp_hd is missing; the ruling 'temp_hd' (A-2) "
                "needs what its dice came to"
            )
        found.append(Cover(layer.kind, layer.die, dice if counts else 0, total if totals else 0))
    return tuple(found)


@cites("AF-39", "AF-51")
def mended(sheet: Combatant, kinds: Collection[str], rulings: Rulings) -> tuple[Cover, ...]:
    """The layers with those of some kinds whole again."""
    layers = tuple(
        replace(layer, intact=True) if layer.kind in kinds else layer for layer in sheet.layers
    )
    return _covers(layers, rulings)


@cites("AF-22", "AF-76")
def put_on(
    covers: tuple[Cover, ...], layer: Layer, total: int, rulings: Rulings
) -> tuple[Cover, ...]:
    """The layers with one more, which was made just now.

    Args:
        covers: those that are there.
        layer: the new one.
        total: what its dice came to.
        rulings: those on the order of layers (A-21) and on totals (A-2).
    """
    counts = rulings[rule.OVERWHELM] == "per_die"
    totals = counts_totals(rulings)
    made = Cover(layer.kind, layer.die, layer.dice if counts else 0, total if totals else 0)
    rank = _ranks(rulings)
    ranks = [rank[cover.kind] for cover in covers]
    newest = rulings[rule.MAGICAL] == "newest"
    place = sum(at < rank[layer.kind] or (at == rank[layer.kind] and not newest) for at in ranks)
    return (*covers[:place], made, *covers[place:])


def move_of(conditions: tuple[Affliction, ...], yards: int, *, difficult: bool) -> int:
    """The yards that somebody with these conditions moves instead of so many."""
    moves = {found.move for found in conditions}
    if "none" in moves:
        return 0
    slower = int(difficult) + ("half" in moves)
    return int(yards // MOVES["slow"] ** slower)


WORN: frozenset[LayerKind] = frozenset({"armor", "shield"})
"""Kinds of layers that are worn, and can be repaired."""


@cites("AF-80")
def repaired(sheet: Combatant, covers: tuple[Cover, ...], rulings: Rulings) -> tuple[Cover, ...]:
    """The layers with everything that is worn whole, and the others as they are."""
    ranks = _ranks(rulings)
    whole = [cover for cover in mended(sheet, WORN, rulings) if cover.kind in WORN]
    others = [cover for cover in covers if cover.kind not in WORN]
    return tuple(sorted((*others, *whole), key=lambda cover: ranks[cover.kind]))


def is_torn(sheet: Combatant, covers: tuple[Cover, ...], rulings: Rulings) -> bool:
    """Something that is worn is gone, and the readings let it be repaired."""
    return rulings[rule.MENDING] == "action" and len(repaired(sheet, covers, rulings)) > len(covers)


def _plenty(sheet: Combatant) -> int:
    """One Hit Die more than all that an action can cost: burned by every die, or given up."""
    dice = sheet.prof + sheet.affinity + max((action.pool for action in sheet.actions), default=0)
    return max(STEADY["hd"], dice + 1)


@cites("AF-30")
def condition_of(sheet: Combatant, rulings: Rulings) -> CombatantState:
    """The condition that a sheet describes."""
    most = hd_max_of(sheet, rulings)
    hd = most if sheet.hd is None else sheet.hd
    lasts = rulings[rule.DEFEND_LASTS] == "next_turn"
    return CombatantState(
        hd=hd,
        down=hd == 0,
        layers=_covers(sheet.layers, rulings),
        resolve=sheet.resolve,
        affinity=sheet.affinity,
        actions=sheet.actions_left,
        attacked=sheet.attacked,
        expert=sheet.expert_used,
        exerted=sheet.exerted,
        defending=sheet.defending and (lasts or not sheet.braced_earlier),
        acted=sheet.acted,
        rushed=sheet.rushed,
        steadied=sheet.steadied,
        checked=sheet.checked,
        stabilized=sheet.stabilized,
        lost=sheet.lost_this_round,
        raging=rages(sheet, hd, rulings),
        plenty=_plenty(sheet),
        conditions=sheet.conditions,
        hurt=is_hurt(sheet, hd, rulings),
        torn=is_torn(sheet, _covers(sheet.layers, rulings), rulings),
    )


@cites("AF-50", "AF-53", "AF-54")
def state_of(hd: int, resolve: int, rulings: Rulings) -> Literal["up", "down", "collapsed", "dead"]:
    """The state of a combatant: up, down and dying, collapsed, or dead.

    Args:
        hd: permanent Hit Dice.
        resolve: as it is now.
        rulings: those on death (A-11), on 0 HD (A-11b) and on Resolve (B-8).
    """
    checks = rulings[rule.RESOLVE] != "off"
    if hd == 0 and resolve <= DEATH[rulings[rule.DEATH]]:
        return "dead"
    if checks and resolve <= COLLAPSE["resolve"]:
        return "collapsed" if hd else "down"
    if hd == 0 and not (checks and rulings[rule.AT_ZERO] == "on_scene"):
        return "down"
    return "up"


# -- Resolve ---------------------------------------------------------------------------------


def stage(rulings: Rulings, what: str) -> int:
    """The Resolve at which a stage begins."""
    found = STAGES[rulings[rule.RESOLVE], what]
    assert isinstance(found, int)  # the other rows are read by `fewer_dice`
    return found


@cites("AF-32")
def fewer_dice(resolve: int, rulings: Rulings) -> int:
    """Defence dice that low Resolve takes."""
    if rulings[rule.RESOLVE] == "off":
        return 0
    steps = STAGES[rulings[rule.RESOLVE], "dice"]
    assert isinstance(steps, tuple)  # one limit for each die
    return sum(resolve <= limit for limit in steps)


@cites("AF-53")
def harder(resolve: int, rank: int, rulings: Rulings) -> int:
    """Further successes that low Resolve costs."""
    reading = rulings[rule.RESOLVE]
    if reading == "off" or (reading == "later" and rank == 0):
        return 0
    return int(resolve <= stage(rulings, "harder"))


def resolve_bonus(resolve: int, most: int, change: int) -> int:
    """A change of Resolve, held to what there can be."""
    return max(RESOLVE["least"], min(most, resolve + change)) - resolve


# -- defense ---------------------------------------------------------------------------------


class Braced(NamedTuple):
    """The dice of a defense.

    Attributes:
        capacity: dice of the layer. bonus: further d6 beside them.
        limit: the damage from which on some rulings don't roll.
        total: how the number of dice comes about.
    """

    capacity: int
    bonus: int
    limit: int
    total: Total


class Modes(NamedTuple):
    """The readings that a defense needs again and again.

    Attributes:
        single: one roll for all layers (B-1). by_points: die by die (A-1).
        strict, absorb_one: other readings of A-1. absorb: totals absorb (A-2).
        depletes: bonus dice save no layer from too much damage (A-1b).
        every, once, late: with which rolls the dice of Defend come (A-8).
        after: allies Intervene after the defense (A-12).
    """

    single: bool
    by_points: bool
    strict: bool
    absorb_one: bool
    absorb: bool
    depletes: bool
    every: bool
    once: bool
    late: bool
    after: bool


@lru_cache(maxsize=256)
def modes_of(rulings: Rulings) -> Modes:
    """The readings that a defense needs."""
    overwhelm, defend = rulings[rule.OVERWHELM], rulings[rule.DEFEND]
    single = rulings[rule.LAYERS] == "single"
    strict = overwhelm == "strict"
    return Modes(
        single=single,
        by_points=overwhelm == "per_die" and not single,
        strict=strict,
        absorb_one=overwhelm == "absorb_one",
        absorb=rulings[rule.TEMP_HD] == "absorb",
        depletes=rulings[rule.OUTROLLED] == "depletes" and not strict,
        every=defend == "every_roll",
        once=defend == "once_per_attack",
        late=defend == "after_body",
        after=rulings[rule.TIMING] == "after",
    )


@cites("AF-71")
def is_among(damage_type: str, named: Collection[str]) -> bool:
    """A type is named, by itself or with its family."""
    return bool(named) and (damage_type in named or TYPES.get(damage_type) in named)


def matters(sheet: Combatant, damage_type: str) -> bool:
    """The defender's dice depend on this type of damage."""
    return is_among(damage_type, sheet.resist) or is_among(damage_type, sheet.vulnerable)


@cites("AF-21")
def _printed_capacity(terms: Terms) -> int:
    share = LEAST["share"] if terms.rulings[rule.CAPACITY] == "half" else 1
    return max(LEAST["capacity"], -(-terms.setup.defender.prof // share))


@cites("AF-21", "AF-32")
@remembers(8192)
def capacity_of(terms: Terms) -> int:
    """The defender's capacity: Proficiency less what low Resolve takes, at least one die."""
    fewer = fewer_dice(terms.struck.resolve, terms.rulings)
    return max(LEAST["capacity"], _printed_capacity(terms) - fewer)


@cites("AF-21", "AF-26", "AF-30", "AF-31", "AF-32")
@remembers(8192)
def braced(terms: Terms, damage_type: str, *, defends: bool) -> Braced:
    """With which dice the defender defends: no exertion, no Affinity dice, no skill.

    Args:
        terms: with the defender's sheet and condition.
        damage_type: what the damage is of.
        defends: whether the dice of Defend come with this roll.
    """
    sheet, now, rulings = terms.setup.defender, terms.struck, terms.rulings
    printed, capacity = _printed_capacity(terms), capacity_of(terms)
    resist = BONUS["resist"] if is_among(damage_type, sheet.resist) else 0
    defend = defend_dice(sheet) if now.defending and defends else 0
    weak = BONUS["vulnerable"] if is_among(damage_type, sheet.vulnerable) else 0
    if rulings[rule.STACKING] == "no" and defend:
        resist = max(0, resist - defend)
    rows = (
        Modifier("Resolve", capacity - printed, "AF-32"),
        Modifier("Defend", defend, "AF-30"),
        Modifier("resistance", resist, "AF-31"),
        Modifier("vulnerability", -weak, "AF-31"),
        *(Modifier(found.name, -found.defense, "AF-72") for found in now.conditions),
    )
    floor = 0 if rulings[rule.VULNERABILITY] == "floor_zero" else 1
    total = Total(
        Modifier("capacity", printed, "AF-21"),
        tuple(row for row in rows if row.value),
        low=floor - printed,
        cap="AF-31",
    )
    dice = total.value
    limit = max(capacity, dice) if rulings[rule.COUNTED] == "yes" else capacity
    return Braced(min(dice, capacity), max(0, dice - capacity), limit, total)


@cites("AF-30", "AF-79")
def defend_dice(sheet: Combatant) -> int:
    """The dice that Defend brings."""
    variant = sheet.variant("defend")
    return BONUS["defend"] + (variant.dice if variant else 0)


def spoken(n: int, kind: str) -> str:
    """So many dice of a kind in words."""
    return f"{n or 'no'} {kind} {'die' if n == 1 else 'dice'}"
