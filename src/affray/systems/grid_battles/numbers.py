"""From sheets to numbers: pools, bonuses, Advantage, who may attack and who may Battle Back."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from itertools import groupby

from affray.core.dice import Pool
from affray.core.lazy import NamedTuple
from affray.core.modifier import Modifier, Total
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.grid_battles import rulings as rule
from affray.systems.grid_battles.reading import Rolled
from affray.systems.grid_battles.sheet import (
    BLANK,
    Bonus,
    BonusKind,
    DiceSet,
    Setup,
    Unit,
    die_of,
)
from affray.systems.grid_battles.state import Added, Clash, Player, Terms
from affray.systems.grid_battles.tables import (
    BONUSES,
    COLOURS,
    KILLED_AT,
    MELEE,
    SIDES,
    SYMBOLS,
    Part,
)

__all__ = [
    "clash_of", "combat_told", "counter_told", "dice_told", "has_advantage", "health_of",
    "hits_of", "hits_total", "points_of", "pool_total", "reduced", "swapped", "terms_of",
    "why_no_battle_back", "why_not", "wrong_dice",
]  # fmt: skip


# -- health ----------------------------------------------------------------------------------


@cites("GB-16")
def points_of(health: int, rulings: Rulings) -> int:
    """The points that a unit with this health has left until it is removed."""
    return max(0, health - KILLED_AT[rulings[rule.REMOVAL]])


@cites("GB-16")
def health_of(points: int, rulings: Rulings) -> int:
    """The health that a unit with these points has."""
    return max(0, points + KILLED_AT[rulings[rule.REMOVAL]])


@cites("GB-15", "GB-16")
def reduced(points: int, hits: int, most: int) -> int:
    """Points after so many scored hits: one each, excess lost; fewer than none give some back."""
    return max(0, points - hits) if hits >= 0 else min(max(points, most), points - hits)


# -- dice ------------------------------------------------------------------------------------


@cites("GB-17")
def wrong_dice(dice: DiceSet, rulings: Rulings) -> str | None:
    """Give the reason why the rulings refuse these dice, or None if they don't."""
    for colour in COLOURS["attack"]:
        for face in getattr(dice, colour):
            if face == BLANK and rulings[rule.BLANK_ATTACK] == "never":
                return (
                    f"dice: the {colour} die has a blank side, and the ruling 'blank_attack' (A-9) "
                    "allows none on attack dice; give other dice"
                )
            if len(set(face)) > 1 and rulings[rule.MIXED] == "never":
                return (
                    f"dice: the {colour} die has the face {face!r}, and the ruling 'mixed' (A-8) "
                    "allows one kind of symbol on a face; give other dice"
                )
    return None


def _pool(colours: Iterable[str], dice: DiceSet) -> Pool:
    return Pool(*((die_of(dice, colour), len(list(row))) for colour, row in groupby(colours)))


# -- may this unit attack? -------------------------------------------------------------------


@lru_cache(maxsize=4096)
def swapped(setup: Setup) -> Setup:
    """The same situation with the parts exchanged, for a Battle Back."""
    sight = setup.line_of_sight if setup.return_sight == "same" else setup.return_sight
    return replace(
        setup,
        attacker=setup.defender,
        defender=setup.attacker,
        followers=(),
        attacker_terrain=setup.defender_terrain,
        defender_terrain=setup.attacker_terrain,
        attacker_advantage=setup.defender_advantage,
        defender_advantage=setup.attacker_advantage,
        attacker_supported=setup.defender_supported,
        defender_supported=setup.attacker_supported,
        defender_status="fresh",
        line_of_sight=sight,
        return_sight=setup.line_of_sight,
    )


@cites("GB-46", "GB-60", "GB-67")
def why_not(setup: Setup, rulings: Rulings) -> str | None:
    """Give the reason why the attacker can't attack from its hex, or None if it can."""
    unit, away = setup.attacker, setup.distance_hexes
    if not unit.shoots:
        if away > MELEE["range"]:
            return f"melee reaches adjacent hexes; this one is {away} away (GB-46)"
        return None
    if away > unit.range_hexes:
        return f"its range is {unit.range_hexes}; the target is {away} away (GB-60)"
    if away == MELEE["range"] and rulings[rule.CLOSE_SHOTS] == "never":
        return "it shoots, and the ruling 'close_shots' (A-17) allows no adjacent target (GB-46)"
    if away > MELEE["range"] and setup.line_of_sight == "blocked":
        return "no Line of Sight (GB-67)"
    return None


@cites("GB-6", "GB-7")
def why_no_battle_back(setup: Setup, rulings: Rulings) -> str:
    """Give the reason why a surviving defender can't Battle Back; empty if it can."""
    if rulings[rule.FATIGUE] == "fresh" and setup.defender_status != "fresh":
        return "not fresh"
    possible = rulings[rule.BATTLE_BACK]
    if possible == "ability":
        return "" if "battle_back" in setup.defender.abilities else "no such ability"
    if possible == "able":
        return "out of reach" if why_not(swapped(setup), rulings) else ""
    if setup.distance_hexes > MELEE["range"]:
        return "not adjacent"
    shot = setup.attacker.shoots and rulings[rule.CLOSE_SHOTS] == "shoots"
    return "shot at" if shot else ""


# -- Advantage -------------------------------------------------------------------------------


class Advantage(NamedTuple):
    """A verdict on Advantage, with its source in a few words."""

    given: bool
    why: str = ""


@cites("GB-12")
def has_advantage(setup: Setup, rulings: Rulings) -> Advantage:
    """Decide whether the attacker has Advantage over the defender."""
    if setup.attacker_advantage != "rules":
        return Advantage(setup.attacker_advantage == "granted", setup.attacker_advantage)
    if setup.defender_terrain.advantage == "denies":
        return Advantage(False, f"denied by {setup.defender_terrain.name}")
    if setup.attacker_terrain.advantage == "grants":
        return Advantage(True, f"from {setup.attacker_terrain.name}")
    gives = rulings[rule.ADVANTAGE]
    if gives == "support":
        return Advantage(setup.attacker_supported, "with support")
    known = {setup.defender.name, *setup.defender.kinds} & set(setup.attacker.advantage_over)
    return Advantage(gives == "units" and bool(known), f"over {', '.join(sorted(known))}")


# -- bonuses ---------------------------------------------------------------------------------


@cites("GB-21", "GB-29")
def _gathered(setup: Setup, rulings: Rulings) -> list[tuple[Bonus, str]]:
    """Every bonus that counts in a round, with the name of its terrain."""
    whose = rulings[rule.WHOSE_HEX]
    hexes = {"attack": setup.attacker_terrain, "defense": setup.defender_terrain}
    found = []
    for part, own in hexes.items():
        enemy = hexes["defense" if part == "attack" else "attack"]
        for place, terrain in (("own", own), ("enemy", enemy)):
            for bonus in terrain.bonuses:
                wanted = bonus.whose_hex if whose == "declared" else whose
                if BONUSES[bonus.kind].to == part and wanted in {place, "both"}:
                    found.append((bonus, terrain.name))
    return found


def _worth(bonus: Bonus, dice: DiceSet, *, advantage: bool) -> Fraction:
    """Average the symbols that a bonus brings, as far as they count."""
    if not bonus.colour:
        return Fraction(bonus.count)
    letters = SYMBOLS[BONUSES[bonus.kind].to]
    counting = letters if advantage else letters.replace("b", "")
    faces = "".join(getattr(dice, bonus.colour))
    return Fraction(bonus.count * sum(map(faces.count, counting)), SIDES["die"])


def _best_of_each(
    found: list[tuple[Bonus, str]], dice: DiceSet, *, advantage: bool
) -> list[tuple[Bonus, str]]:
    best: dict[BonusKind, tuple[Bonus, str]] = {}
    for row in found:
        kept = best.get(row[0].kind)
        worth = _worth(row[0], dice, advantage=advantage)
        if kept is None or worth > _worth(kept[0], dice, advantage=advantage):
            best[row[0].kind] = row
    return list(best.values())


# -- one round -------------------------------------------------------------------------------


def _names(setup: Setup, players: tuple[Player, Player]) -> tuple[str, str]:
    """Name the two units; their players tell namesakes apart."""
    names = setup.attacker.name or "the unit", setup.defender.name or "the unit"
    if names[0] != names[1]:
        return names
    return f"{names[0]} ({players[0]})", f"{names[1]} ({players[1]})"


@cites("GB-8", "GB-18", "GB-19", "GB-22", "GB-24", "GB-25", "GB-29")
def clash_of(setup: Setup, rulings: Rulings, players: tuple[Player, Player]) -> Clash:
    """A round of dice in which this setup's attacker is the Round Attacker."""
    dice = setup.dice
    advantage, why = has_advantage(setup, rulings)
    found = _gathered(setup, rulings)
    if rulings[rule.STACKING] == "best":
        found = _best_of_each(found, dice, advantage=advantage)
    pools: dict[Part, list[str]] = {
        "attack": list(setup.attacker.attack),
        "defense": list(setup.defender.defence),
    }
    symbols = {"damage": 0, "bonus_damage": 0, "shield": 0}
    added = []
    for bonus, source in found:
        gift = BONUSES[bonus.kind]
        into = gift.to
        if gift.before:
            into = "attack" if rulings[rule.BONUS_DICE] == "attack" else into
            pools[into] += [bonus.colour] * bonus.count
        else:
            symbols[bonus.kind] += bonus.count
        added.append(Added(bonus.kind, bonus.count, bonus.colour, source, into))
    return Clash(
        striker=players[0],
        target=players[1],
        names=_names(setup, players),
        own=(len(setup.attacker.attack), len(setup.defender.defence)),
        attack=_pool(pools["attack"], dice),
        defense=_pool(pools["defense"], dice),
        advantage=advantage,
        why=why,
        damage=symbols["damage"],
        bonus=symbols["bonus_damage"],
        shields=symbols["shield"],
        added=tuple(added),
    )


@cites("GB-2", "GB-6", "GB-7", "GB-8")
@lru_cache(maxsize=16384)
def terms_of(
    setup: Setup, rulings: Rulings, players: tuple[Player, Player] = ("attacker", "defender")
) -> Terms:
    """Settle the terms of a declared attack, and of the attacks that follow it.

    Args:
        setup: the two units and how they stand.
        rulings: the readings in force.
        players: who plays the attacker, and who the defender.
    """
    reason = why_no_battle_back(setup, rulings)
    second = None if reason else clash_of(swapped(setup), rulings, (players[1], players[0]))
    following = None
    if setup.followers:
        first, *rest = setup.followers
        after = replace(setup, attacker=first, followers=tuple(rest))
        following = terms_of(after, rulings, players)
    return Terms(
        first=clash_of(setup, rulings, players),
        second=second,
        why_not=reason,
        asks=rulings[rule.STRIKES_BACK] == "chosen",
        most=(points_of(setup.attacker.most, rulings), points_of(setup.defender.most, rulings)),
        points=points_of(setup.attacker.health, rulings),
        following=following,
        rulings=rulings,
    )


def hits_of(clash: Clash, rolled: Rolled, shields: int) -> int:
    """Hits of a round: Damage, plus Bonus Damage with Advantage, less Shields; perhaps below 0."""
    hits = rolled.damage + clash.damage - shields - clash.shields
    return hits + rolled.bonus + clash.bonus if clash.advantage else hits


# -- for people ------------------------------------------------------------------------------


def dice_told(colours: Iterable[str]) -> str:
    """Name the dice of a pool: "yellow", "2 red + blue", "none"."""
    found: dict[str, int] = {}
    for colour in colours:
        found[colour] = found.get(colour, 0) + 1
    rows = [f"{many} {colour}" if many > 1 else colour for colour, many in found.items()]
    return " + ".join(rows) or "none"


@cites("GB-18", "GB-19", "GB-53", "GB-60")
def counter_told(unit: Unit) -> str:
    """Read a counter aloud: its dice, its movement points, its range if it shoots."""
    parts = [
        f"attack {dice_told(unit.attack)}", f"defense {dice_told(unit.defence)}",
        f"move {unit.move}",
    ]  # fmt: skip
    return ", ".join([*parts, f"range {unit.range_hexes}"] if unit.shoots else parts)


@lru_cache(maxsize=16384)
def combat_told(terms: Terms) -> str:
    """Tell what an attack comes to before a die is rolled: pools, Advantage, Battle Back."""
    told = _clash_told(terms.first)
    if terms.second is None:
        return f"{told}; no Battle Back: {terms.why_not}"
    may = " if the defender wants it" if terms.asks else ""
    return f"{told}; Battle Back{may}: {_clash_told(terms.second)}"


def _clash_told(clash: Clash) -> str:
    attack = [str(clash.attack)]
    attack += [f"{clash.damage} Damage"] if clash.damage else []
    if clash.advantage and clash.bonus:
        attack.append(f"{clash.bonus} Bonus Damage")
    shields = "Shield" if clash.shields == 1 else "Shields"
    defense = [str(clash.defense)] if clash.defense.size else []
    defense += [f"{clash.shields} {shields}"] if clash.shields else []
    advantage = f"with Advantage ({clash.why})" if clash.advantage else "no Advantage"
    return f"{' + '.join(attack)} against {' + '.join(defense) or 'nothing'}, {advantage}"


def _rows(clash: Clash, part: Part, *, before: bool) -> list[Modifier]:
    rows = []
    for bonus in clash.added:
        gift = BONUSES[bonus.kind]
        if (bonus.into, gift.before) == (part, before):
            what = f"{bonus.colour} die" if before else bonus.kind.replace("_", " ").title()
            rows.append(Modifier(f"{what} of {bonus.source}", bonus.number, gift.clause))
    return rows


def pool_total(clash: Clash, part: Part) -> Total:
    """Itemize the dice of a pool."""
    place, clause = (0, "GB-18") if part == "attack" else (1, "GB-19")
    base = Modifier(f"{part} dice of {clash.names[place]}", clash.own[place], clause)
    return Total(base, tuple(_rows(clash, part, before=True)))


def hits_total(clash: Clash, damage: int, bonus: int, shields: int, *, floor: bool) -> Total:
    """Scored hits, itemised.

    Args:
        clash: the round.
        damage: Damage rolled.
        bonus: Bonus Damage rolled, where it counts.
        shields: Shields rolled.
        floor: whether fewer hits than none count as none.
    """
    rows = [Modifier("Bonus Damage rolled, with Advantage", bonus, "GB-12")]
    idle = "" if clash.advantage else BONUSES["bonus_damage"].clause
    rows += [row for row in _rows(clash, "attack", before=False) if row.clause != idle]
    rows.append(Modifier("Shields rolled", -shields, "GB-13"))
    rows += [row._replace(value=-row.value) for row in _rows(clash, "defense", before=False)]
    return Total(
        Modifier("Damage rolled", damage, "GB-11"),
        tuple(row for row in rows if row.value),
        low=-damage if floor else None,
        cap="GB-15",
    )
