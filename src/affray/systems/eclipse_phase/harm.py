"""Steps 6 to 8: damage, armor, and what gets through, for one target after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal

from affray.core.dice import Pool, d
from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance, Go, Node, Option, choose
from affray.core.ruling import Rulings
from affray.core.step import cites, step
from affray.systems.eclipse_phase import aftermath
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.blast import Reach
from affray.systems.eclipse_phase.reading import DamageRead
from affray.systems.eclipse_phase.state import (
    Attack,
    Called,
    CalledEffect,
    Exchange,
    Second,
    Struck,
    Target,
    outcome,
)
from affray.systems.eclipse_phase.tables import (
    CRITICAL_FACTOR,
    LASTING,
    MOST_DV_VERY_SMALL,
    round_half_up,
)

__all__ = ["STEPS", "Blow", "Factors", "added_up", "damage_dice", "is_full"]


def _hurt(x: Exchange, struck: Struck) -> tuple[Struck, ...]:
    return (struck, *x.struck[1:])


class Track(NamedTuple):
    """Damage in all, and what it means: out of it, dead."""

    total: int
    is_full: bool
    is_dead: bool


@cites("EP-65", "EP-124")
def is_full(total: int, most: int) -> bool:
    """Damage reaches durability, or stress lucidity."""
    return total >= most


@cites("EP-64", "EP-65", "EP-124")
def added_up(before: int, net: int, dur: int, dr: int) -> Track:
    """Earlier damage and what gets through add up, against durability and Death Rating.

    Without durability (no mind, nothing that stress could fill) neither is ever reached.
    """
    total = before + net
    return Track(total, dur > 0 and is_full(total, dur), dr > 0 and total >= dr)


def _untouched(target: Target, struck: Struck) -> Struck:
    kept = struck._replace(
        all_wounds=target.wounds, stress=target.stress, pools=target.pools
    )  # fmt: skip
    total, over, dead = added_up(target.damage, 0, target.dur, target.dr)
    return kept._replace(
        total=total, incapacitated=over, unconscious=over and not target.stress,
        dead=dead and not target.stress, insane=dead and target.stress, revivable=not over,
    )  # fmt: skip


@step("EP-71")
def next_target(x: Exchange) -> Node[Exchange]:
    """Damage is worked out for each target that was hit, one at a time."""
    done, struck, targets = x.done, x.struck, x.targets
    while struck and not struck[0].hit:
        done = (*done, _untouched(targets[0], struck[0]))
        struck, targets = struck[1:], targets[1:]
    if struck:
        after = x._replace(done=done, struck=struck, targets=targets)
        return Go(choose_effect if x.numbers.called != "none" else roll_damage, after)
    left = x.pools if x.attack is None else x.attack.pools
    return aftermath.over(outcome(x)._replace(done=done, pools=left))


# -- step 6: damage --------------------------------------------------------------------------


@step("EP-99", "EP-100")
def choose_effect(x: Exchange) -> Node[Exchange]:
    """A called shot takes effect with a superior success; a second one may add to it."""
    struck, attack = x.struck[0], x.numbers
    critical = struck.critical and x.rulings[rule.CALLED_CRITICAL] != "doubles"
    if not (struck.superior or critical):
        last = len(x.struck) == 1
        return Go(roll_damage, x._replace(attack=attack._replace(called="none")) if last else x)
    doubles = struck.critical and x.rulings[rule.CALLED_CRITICAL] != "effect"
    second = struck.superior == 2
    struck = struck._replace(doubled=doubles)
    names = SECONDS[attack.called]
    if not second or (len(names) == 1 and x.rulings[rule.CALLED_SECOND] == "lost"):
        names = ("none",)
    options = []
    for name in names:
        extra = name == "damage" and attack.called in {"bypass", "specific"}
        effect = CalledEffect(attack.called, name if second else None)
        marked = struck._replace(effect=effect, extra=int(extra))
        after = x._replace(struck=_hurt(x, marked))
        options.append(Option(name, At(roll_damage, after), 0, SECOND_WORDS[name]))
    return choose("attacker", "what does the second superior success add?", options)


SECONDS: Mapping[Called, tuple[Second, ...]] = {
    "bypass": ("damage",),
    "specific": ("damage",),
    "disarm": ("harder", "damage", "keep"),
    "knockdown": ("none", "damage"),
    "redirect": ("harder", "damage"),
}
"""A second superior success can add these to each called shot."""

SECOND_WORDS: Mapping[Second, str] = {
    "none": "nothing more",
    "harder": "the check is at -60",
    "damage": "damage as well",
    "keep": "you hold the weapon",
}


class Blow(NamedTuple):
    """The hit itself changes the damage dice.

    Attributes:
        superior: superior successes that add a d6 each.
        critical: whether the hit doubles. halved: whether a disarm halves the DV.
    """

    superior: int = 0
    critical: bool = False
    halved: bool = False


class Factors(NamedTuple):
    """The readings on what doubles and halves damage: A-7, A-11, A-18 and A-35."""

    critical: Literal["total", "dice", "weapon"]
    ammo: Literal["total", "weapon"]
    small: Literal["total", "dice"]
    rounding: Literal["once", "each"]

    @classmethod
    def of(cls, rulings: Rulings) -> Factors:
        """Those in force."""
        return cls(
            rulings[rule.CRITICAL_DOUBLES], rulings[rule.HALF_AMMO], rulings[rule.SMALL_HALF],
            rulings[rule.FACTORS],
        )  # fmt: skip


Factor = tuple[int, int]
"""A number that multiplies damage: numerator and denominator."""
WHOLE: Factor = (1, 1)
HALF: Factor = (1, 2)
DOUBLE: Factor = (CRITICAL_FACTOR, 1)


@lru_cache(maxsize=4096)
@cites("EP-57", "EP-58", "EP-60", "EP-94", "EP-153")
def damage_dice(attack: Attack, blow: Blow, readings: Factors) -> tuple[Pool, DamageRead]:
    """The dice of a hit and how they are read."""
    own, extra = _dice_of(attack, blow, readings)
    own_factor, factors = _factors(attack, blow, readings)
    split = own_factor != WHOLE
    at_once = readings.rounding == "once" or len(factors) + split < 2
    if split:
        groups = [(d(10), own.d10), (d(6), own.d6), (d(10), extra.d10), (d(6), extra.d6)]
    else:
        groups = [(d(10), own.d10 + extra.d10), (d(6), own.d6 + extra.d6)]
    read = DamageRead(
        flat=own.flat,
        minus=extra.minus,
        factor=_product(factors) if at_once else WHOLE,
        weapon=own.d10 + own.d6 if split else 0,
        weapon_flat=own.flat if split else 0,
        weapon_factor=own_factor,
        steps=() if at_once else factors,
        most=MOST_DV_VERY_SMALL if attack.tiny else None,
    )
    doubled = blow.critical and readings.critical == "dice"
    superior = blow.superior * (CRITICAL_FACTOR if doubled else 1)
    labels = _labels(own, extra, superior, split=split)
    return Pool(*groups, (d(10), extra.minus), labels=labels), read


class _Dice(NamedTuple):
    """Numbers of dice of a kind, with d10 that are subtracted and a number that is added."""

    d10: int
    d6: int
    minus: int = 0
    flat: int = 0


def _dice_of(attack: Attack, blow: Blow, readings: Factors) -> tuple[_Dice, _Dice]:
    """The weapon's own dice and the extra ones, where dice are doubled or halved themselves."""
    own = _Dice(attack.weapon_d10, attack.weapon_d6, flat=attack.weapon_flat)
    extra = _Dice(attack.d10, attack.d6 + blow.superior, attack.minus)
    if blow.critical and readings.critical == "dice":
        own = own._replace(d10=own.d10 * CRITICAL_FACTOR, d6=own.d6 * CRITICAL_FACTOR)
        extra = _Dice(
            extra.d10 * CRITICAL_FACTOR, extra.d6 * CRITICAL_FACTOR, extra.minus * CRITICAL_FACTOR
        )
    if attack.half_small and readings.small == "dice":
        own = _Dice(
            round_half_up(own.d10, 2), round_half_up(own.d6, 2), flat=round_half_up(own.flat, 2)
        )
    return own, extra


def _labels(own: _Dice, extra: _Dice, superior: int, *, split: bool) -> tuple[tuple[str, int], ...]:
    """What each die is for; superior successes are the last of the d6 that add."""
    sixes = (("extra", extra.d6 - superior), ("superior", superior))
    if split:
        return (("damage", own.d10 + own.d6), ("extra", extra.d10), *sixes,
                ("subtracted", extra.minus))  # fmt: skip
    return (("damage", own.d10), ("extra", extra.d10), ("damage", own.d6), *sixes,
            ("subtracted", extra.minus))  # fmt: skip


def _factors(attack: Attack, blow: Blow, readings: Factors) -> tuple[Factor, tuple[Factor, ...]]:
    """Factors multiply the weapon's own part alone, or the whole."""
    own, factors = WHOLE, []
    if blow.critical and readings.critical == "weapon":
        own = DOUBLE
    elif blow.critical and readings.critical == "total":
        factors.append(DOUBLE)
    if attack.half_small and readings.small == "total":
        factors.append(HALF)
    if attack.half_ammo and readings.ammo == "weapon":
        own = WHOLE if own == DOUBLE else HALF
    elif attack.half_ammo:
        factors.append(HALF)
    if blow.halved:
        factors.append(HALF)
    if attack.times > 1:
        factors.append((attack.times, 1))
    return own, tuple(factors)


def _product(factors: Iterable[Factor]) -> Factor:
    top = bottom = 1
    for up, down in factors:
        top, bottom = top * up, bottom * down
    return top, bottom


@step("EP-57", "EP-58", "EP-60", "EP-61", "EP-99")
def roll_damage(x: Exchange) -> Node[Exchange]:
    """The damage dice are rolled; superior successes add dice, a critical doubles."""
    struck, attack = x.struck[0], x.numbers
    if attack.area is None:
        rolled, then = _rolled(x), apply_armor
    elif x.targets[0].reach is None:
        # The blast has rolled its damage already.
        return Go(apply_armor, _last(x)._replace(dv=struck.dv))
    else:
        rolled, then = x, weaken_blast
    if attack.grapple:
        rolled = _seized(x, rolled)
    holds = attack.grapple == "hold" or (attack.grapple and not struck.critical)
    if attack.no_damage or holds or struck.effect.is_harmless:
        return Go(then, rolled._replace(dv=0))
    rulings = x.rulings
    halved = struck.effect.halves_damage and rulings[rule.DISARM_HALF] == "dv"
    blow = Blow(struck.extra, struck.doubled, halved)
    pool, read = damage_dice(attack, blow, Factors.of(rulings))
    if rulings[rule.STATIC] == "average":
        return Go(then, rolled._replace(dv=_average(pool, read)))
    return Chance("attacker", "damage", pool, read, "dv", At(then, rolled))


@cites("EP-91")
def _seized(x: Exchange, rolled: Exchange) -> Exchange:
    """A grapple that succeeds superiorly subdues the target; so does a critical one (A-67)."""
    struck = x.struck[0]
    subdues = struck.critical and x.rulings[rule.GRAPPLE_CRITICAL] == "subdues"
    if not (struck.superior or subdues):
        return rolled
    seized = rolled.struck[0]._replace(conditions=(("grappled", LASTING),))
    return rolled._replace(struck=_hurt(rolled, seized), hold="seized")


@cites("EP-60")
def _average(pool: Pool, read: DamageRead) -> int:
    """The DV of average dice: the mean of their sum, halves up; split parts each by themselves."""
    doubled = [len(die.faces) + 1 for die in pool.dice]  # twice the mean of each die
    kept = len(doubled) - read.minus
    extra = sum(doubled[read.weapon : kept]) - sum(doubled[kept:])
    if read.weapon_factor == (1, 1):
        return read.of(round_half_up(extra, 2))
    own = round_half_up(sum(doubled[: read.weapon]), 2)
    return read.split(own, round_half_up(extra, 2))


def _rolled(x: Exchange) -> Exchange:
    """Facts without the attacker's numbers, when no other target needs them."""
    struck = x.struck[0]._replace(knocks=x.numbers.knocks, extra=0, doubled=False)
    return _last(x._replace(struck=_hurt(x, struck)))


def _last(x: Exchange) -> Exchange:
    """Facts without the attack, if this is the last target."""
    return x if len(x.struck) > 1 else x._replace(attack=None, pools=x.numbers.pools)


@roll_damage.says
def _(before: Exchange, after: Exchange) -> str:
    struck, area = before.struck[0], before.numbers.area
    if area and before.targets[0].reach is None:
        return ""  # it was rolled for somebody else
    if before.numbers.grapple and not after.dv:
        held = bool(after.struck[0].conditions)
        return "Subdued." if held else "No hold without a superior success."
    parts = []
    if struck.extra:
        parts.append(f"+{struck.extra}d6 for superior success")
    if struck.doubled:
        parts.append("doubled by the critical")
    return f"DV {after.dv}{' (' + ', '.join(parts) + ')' if parts else ''}."


@roll_damage.briefly
def _(before: Exchange, after: Exchange) -> str:
    if before.numbers.grapple and not after.dv:
        return "subdued" if after.struck[0].conditions else "no hold without a superior success"
    doubled = ["doubled"] if before.struck[0].doubled else []
    if before.numbers.area and before.targets[0].reach is not None:
        return ", ".join([f"DV {after.dv}", *doubled])
    return "".join(doubled)


@step("EP-102", "EP-103", "EP-153")
def weaken_blast(x: Exchange) -> Node[Exchange]:
    """Distance takes DV off an explosion, and Fray that succeeded halves what is left."""
    attack, first = x.numbers, x.struck[0]
    together = attack.area is not None and attack.area.one_roll
    struck, targets = list(x.struck), list(x.targets)
    for place, (one, target) in enumerate(zip(x.struck, x.targets, strict=True)):
        alike = (one.extra, one.doubled) == (first.extra, first.doubled)
        if target.reach is None or (place and not (together and one.hit and alike)):
            continue
        dv, acts = _left(one, target.reach, x.dv)
        struck[place] = one._replace(dv=dv, knocks=attack.knocks and acts, extra=0, doubled=False)
        targets[place] = target._replace(reach=None, tests=target.tests if acts else ())
    after = x._replace(struck=tuple(struck), targets=tuple(targets), dv=struck[0].dv)
    return Go(apply_armor, _last(after))


@cites("EP-102", "EP-103")
def _left(struck: Struck, reach: Reach, rolled: int) -> tuple[int, bool]:
    """What is left of the rolled DV for one target, and whether traits act there."""
    left = max(0, rolled - reach.lost)
    if struck.dodged:
        at_edge = reach.farther is not None and rolled <= reach.farther
        left = 0 if at_edge else round_half_up(left, 2)
    return left, reach.effects == "always" or (reach.effects == "with_damage" and left > 0)


@weaken_blast.says
def _(before: Exchange, after: Exchange) -> tuple[str, ...]:
    told: list[str] = []
    for old, new, struck in zip(before.targets, after.targets, after.struck, strict=True):
        if old.reach is None or new.reach is not None:
            continue
        parts = [f"{old.called[:1].upper()}{old.called[1:]}: DV {before.dv}"]
        if old.reach.lost:
            parts.append(f"-{old.reach.lost} by distance")
        if struck.dodged:
            parts.append("halved by Fray" if struck.dv else "nothing is left at the edge")
        told.append(f"{', '.join(parts)}: {struck.dv}.")
    return tuple(told)


@weaken_blast.briefly
def _(before: Exchange, after: Exchange) -> str:
    told: list[str] = []
    for old, new, struck in zip(before.targets, after.targets, after.struck, strict=True):
        if old.reach is None or new.reach is not None:
            continue
        parts = [f"-{old.reach.lost} by distance"] if old.reach.lost else []
        parts += ["halved by Fray"] if struck.dodged else []
        told += [f"{old.called} {before.dv} {', '.join(parts)}"] if parts else []
    return "; ".join(told)


# -- step 7: armor ---------------------------------------------------------------------------


@step("EP-62", "EP-63", "EP-116")
def apply_armor(x: Exchange) -> Node[Exchange]:
    """Armor is subtracted from the DV; if nothing is left, the target is unhurt."""
    struck, target = x.struck[0], x.targets[0]
    av = target.av_bypassed if struck.effect.bypasses_armor else target.av
    net = x.dv - av if x.dv > av else 0
    if struck.effect.halves_damage and x.rulings[rule.DISARM_HALF] == "net":
        net = round_half_up(net, 2)
    hurt = struck._replace(dv=x.dv, net=net)
    return Go(apply_damage, x._replace(struck=_hurt(x, hurt), dv=0))


@apply_armor.says
def _(before: Exchange, after: Exchange) -> str:
    struck, target = after.struck[0], before.targets[0]
    av = target.av_bypassed if struck.effect.bypasses_armor else target.av
    whose = f"{target.name}: " if target.name else ""
    return f"{whose}DV {struck.dv} against armor {av}: {struck.net} gets through."


@apply_armor.briefly
def _(before: Exchange, after: Exchange) -> str:
    struck, target = after.struck[0], before.targets[0]
    if not struck.dv:
        return ""
    av = target.av_bypassed if struck.effect.bypasses_armor else target.av
    whose = f"{target.name}: " if target.name else ""
    kind = "stress" if target.stress else "damage"
    return f"{whose}{struck.dv} - {av} armor = {struck.net} {kind}"


# -- step 8: damage --------------------------------------------------------------------------


@step("EP-64", "EP-65", "EP-112", "EP-124")
def apply_damage(x: Exchange) -> Node[Exchange]:
    """Damage adds up: at durability the target is out, at the Death Rating dead."""
    struck, target = x.struck[0], x.targets[0]
    total, over, dead = added_up(target.damage, struck.net, target.dur, target.dr)
    wakes = not over or (x.rulings[rule.WAKING] == "up_to" and total == target.dur)
    hurt = struck._replace(
        total=total, stress=target.stress, incapacitated=over, dead=dead and not target.stress,
        insane=dead and target.stress, revivable=wakes and not dead,
    )  # fmt: skip
    return Go(aftermath.count_wounds, x._replace(struck=_hurt(x, hurt)))


@apply_damage.says
def _(before: Exchange, after: Exchange) -> str:
    struck, target = after.struck[0], before.targets[0]
    kind, limit = ("stress", "lucidity") if target.stress else ("damage", "durability")
    end = f"{limit} {target.dur}"
    if struck.dead:
        dead = "destroyed" if target.crashes else "dead"
        end = f"death rating {target.dr} reached: {dead}"
    elif struck.insane:
        end = f"insanity rating {target.dr} reached: the mind is lost for good"
    elif struck.incapacitated and target.stress:
        end = f"{limit} {target.dur} reached: a breakdown"
    elif struck.incapacitated:
        out = "it crashes" if target.crashes else "incapacitated"
        end = f"{limit} {target.dur} reached: {out}"
    return f"{kind.capitalize()} {target.damage} + {struck.net} = {struck.total}; {end}."


@apply_damage.briefly
def _(before: Exchange, after: Exchange) -> str:
    struck, target = after.struck[0], before.targets[0]
    if struck.dead:
        return "destroyed" if target.crashes else "dead"
    if struck.insane:
        return "the mind is lost for good"
    if not struck.incapacitated:
        return ""
    if target.stress:
        return "a breakdown"
    return "it crashes" if target.crashes else "incapacitated"


STEPS = (next_target, choose_effect, roll_damage, weaken_blast, apply_armor, apply_damage)
"""The steps of this chapter in the order of the book."""
