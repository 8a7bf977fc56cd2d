"""Each circumstance adds to a target number or takes from it, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, inf

from affray.core.modifier import Modifier
from affray.core.step import cites
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.blast import distance_to
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.sheet import Combatant, Setup
from affray.systems.eclipse_phase.state import Exchange
from affray.systems.eclipse_phase.tables import (
    AGGRESSIVE,
    AIM,
    AMMO_HOMING,
    ATTACKER_COVER,
    BLIND,
    CALLED_SHOT,
    CHARGE,
    CLOSE_M,
    CONE_TARGETS,
    COVER,
    CYBERBRAIN,
    DEAFENED,
    EXTRA_MELEE_WEAPON,
    FIXED_CARRIED,
    FULL_DEFENSE,
    FULL_MOVE,
    GRAPPLE,
    HAMPERED,
    HIDDEN,
    IMPAIRED,
    IN_MELEE,
    INDIRECT,
    LAYER,
    MENTAL,
    MODES,
    MULTI_TARGET,
    MULTI_WEAPON,
    NO_SMARTLINK,
    POINT_BLANK_M,
    PRONE_FAR,
    PRONE_FAR_M,
    PSI_RANGE,
    RANGE,
    REACH_LIMIT,
    REACH_PER_STEP,
    RETRY,
    SIZE_HIT,
    SIZE_STEP,
    SPECIALIZATION,
    STUNNED,
    SUPERIOR_POSITION,
    TOUCH,
    TWO_HANDED_IN_ONE,
    VISIBILITY,
    WOUND_STEP,
    WRONG_SIZE,
)

__all__ = [
    "aims_at_spot", "attack_modifiers", "attacks_blind", "beyond_range", "cone_targets",
    "defense_modifiers", "harm_modifiers", "load_modifiers", "range_m", "search_modifiers",
    "specialized", "traits_of",
]  # fmt: skip


def traits_of(setup: Setup, weapon: Weapon) -> frozenset[str]:
    """Every trait in force: the weapon's, and its ammunition's where it works on the target."""
    loaded = setup.ammo.traits
    if setup.ammo.biomorphs_only and not setup.defender.is_biological:
        loaded = ()
    return frozenset((*weapon.traits, *loaded))


@cites("EP-50", "EP-109")
def harm_modifiers(who: Combatant, *, attacks: bool = False) -> Iterator[Modifier]:
    """For wounds and traumas that are not ignored; the enraged attack in spite of traumas."""
    step = WOUND_STEP["low_pain_tolerance" in who.qualities]
    wounds = max(0, who.wounds - who.ignored_wounds)
    if wounds:
        yield Modifier(f"{wounds} wound{'s' * (wounds > 1)}", step * wounds, "EP-50")
    traumas = max(0, who.traumas - who.ignored_traumas)
    if traumas and not (attacks and "enraged" in who.conditions):
        label = f"{traumas} trauma{'s' * (traumas > 1)}"
        yield Modifier(label, WOUND_STEP[False] * traumas, "EP-50")


@cites("EP-115")
def _impaired(who: Combatant) -> Iterator[Modifier]:
    """The impaired are worse at everything; the worst impairment counts."""
    worst = max((name for name in who.conditions if name in IMPAIRED), default="")
    if worst:
        yield Modifier("impaired", IMPAIRED[worst], "EP-115")


@cites("EP-115")
def _stunned(who: Combatant, skill: str) -> Iterator[Modifier]:
    """A stun costs little where only the mind is at work."""
    if "stunned" in who.conditions:
        kind = "mental" if skill in MENTAL else "physical"
        yield Modifier("stunned", STUNNED[kind], "EP-115")
    yield from _impaired(who)


@cites("EP-101", "EP-115")
def attacks_blind(x: Exchange) -> bool:
    """The attacker can't see: the setup says so, or the condition as ruled (A-51)."""
    setup = x.declared
    blinded = "blinded" in setup.attacker.conditions and x.rulings[rule.BLINDED] == "blind"
    return blinded or setup.vision == "blind"


@cites("EP-117")
def load_modifiers(who: Combatant) -> Iterator[Modifier]:
    """For layers of armor and for armor that is too heavy."""
    layers = who.layers
    if layers < 2:
        return
    yield Modifier(f"{layers} layers of armor", LAYER * (layers - 1), "EP-117")
    if max(who.worn) > who.som:
        yield Modifier("armor heavier than SOM", LAYER, "EP-117")


def _exact(number: float) -> Fraction:
    """A number as it is written, so that borders of range bands are met exactly."""
    return Fraction(str(number))


@cites("EP-76", "EP-83")
def range_m(setup: Setup, weapon: Weapon) -> Fraction | float:
    """The range rating in meters here; infinite where only sight limits it."""
    if weapon.form == "beam":
        return inf if setup.vacuum else weapon.range_m
    rating = setup.attacker.som if weapon.form == "thrown" else weapon.range_m
    return inf if setup.gravity == 0 else rating / _exact(setup.gravity)


def beyond_range(x: Exchange) -> bool:
    """The target is beyond the range rating."""
    setup, weapon = x.declared, x.weapon_used
    near = CLOSE_M if x.rulings[rule.SHORT_RATING] == "close" else POINT_BLANK_M
    return _exact(setup.meters) > max(near, range_m(setup, weapon))


@cites("EP-102")
def cone_targets(x: Exchange) -> int:
    """How many targets a cone strikes at this distance."""
    if beyond_range(x):
        return CONE_TARGETS["beyond"]
    return CONE_TARGETS["close" if x.declared.meters <= CLOSE_M else "range"]


@cites("EP-102")
def aims_at_spot(x: Exchange) -> bool:
    """Whether a blast is aimed at a spot on which the defender doesn't stand.

    What makes the defender hard to hit, such as size and cover, doesn't matter then.
    """
    spot = x.declared.defender.spot
    return x.weapon_used.blast is not None and spot is not None and distance_to(spot) > 0


@cites("EP-74")
def _range(x: Exchange) -> Modifier:
    setup, weapon = x.declared, x.weapon_used
    traits = traits_of(setup, weapon)
    distance, rating = _exact(setup.meters), range_m(setup, weapon)
    if distance <= POINT_BLANK_M:
        value = 0 if "long" in traits else RANGE["point_blank"]
        band = Modifier("point-blank", value, "EP-74")
    elif beyond_range(x):
        band = Modifier("beyond range", RANGE["step"] * ceil(distance / rating), "EP-74")
    elif distance <= CLOSE_M:
        band = Modifier("close range", RANGE["close"], "EP-74")
    else:
        band = Modifier("range", RANGE["range"], "EP-74")
    steady = "steady" in traits
    if steady and (band.value < 0 or x.rulings[rule.STEADY] == "all"):
        return band._replace(label=f"{band.label}, steady", value=0)
    return band


@cites("EP-77", "EP-73", "EP-78", "EP-90")
def _ranged(x: Exchange, target: Combatant) -> Iterator[Modifier]:
    setup, weapon = x.declared, x.weapon_used
    traits = traits_of(setup, weapon)
    yield Modifier(f"{setup.aim} aim", AIM[setup.aim], "EP-73")
    if setup.homing and setup.ammo.homing:
        yield Modifier("homing ammunition", AMMO_HOMING, "EP-83")
    if x.option == "hit":
        yield Modifier(f"{x.mode} for accuracy", MODES[x.mode]["hit"], "EP-69")
    if setup.attacker_cover:
        yield Modifier("fired from cover", ATTACKER_COVER, "EP-77")
    if setup.in_melee:
        yield Modifier("shooting in melee", IN_MELEE["long" in traits], "EP-77")
    if weapon.is_fired and (not setup.smartlink or "lacks_smartlink" in traits):
        yield Modifier("no smartlink or laser sight", NO_SMARTLINK, "EP-77")
    if setup.earlier_attacks:
        yield Modifier("several weapons", MULTI_WEAPON * setup.earlier_attacks, "EP-90")
    if setup.indirect and not (setup.painted and weapon.form == "seeker"):
        yield Modifier("indirect fire", INDIRECT, "EP-78")
    if aims_at_spot(x):
        return
    if not _bursts_over_cover(x):
        yield Modifier(f"{setup.cover} cover", COVER[setup.cover], "EP-77")
    if setup.hidden:
        yield Modifier("hidden target", HIDDEN, "EP-77")
    if "prone" in target.conditions and setup.meters >= PRONE_FAR_M:
        yield Modifier("prone target", PRONE_FAR, "EP-97")


@cites("EP-105")
def _bursts_over_cover(x: Exchange) -> bool:
    """Whether the attack bursts in the air and cover doesn't help (A-63)."""
    blast = x.weapon_used.blast
    bursts = blast is not None and blast.trigger == "airburst"
    return bursts and x.rulings[rule.AIRBURST_COVER] == "ignored"


@cites("EP-86")
def reach(one: Combatant, other: Combatant, bonus: int) -> int:
    """The reach bonus of one side: its weapon's, and for each step of size, 30 at most."""
    steps = max(0, SIZE_STEP[one.size] - SIZE_STEP[other.size])
    return min(REACH_LIMIT, bonus + REACH_PER_STEP * steps)


@cites("EP-84", "EP-85", "EP-87", "EP-88", "EP-97")
def _melee(x: Exchange, target: Combatant) -> Iterator[Modifier]:
    setup, weapon = x.declared, x.weapon_used
    if x.style == "hit":
        yield Modifier("aggressive", AGGRESSIVE["hit"], "EP-84")
    if setup.grapple != "none":
        yield from _grappling(setup.attacker, target)
    else:
        ours = reach(setup.attacker, target, weapon.reach)
        if ours > reach(target, setup.attacker, _own_reach(target)):
            yield Modifier("reach", ours, "EP-86")
    if x.touch:
        yield Modifier("touch only", TOUCH, "EP-87")
    if setup.others:
        value = MULTI_TARGET * len(setup.others)
        yield Modifier(f"{len(setup.targets)} opponents at once", value, "EP-88")
    if _over_prone(x, target):
        yield Modifier("prone opponent", SUPERIOR_POSITION, "EP-97")


@cites("EP-91")
def _grappling(who: Combatant, target: Combatant) -> Iterator[Modifier]:
    """Size and limbs count in a grapple; reach doesn't."""
    steps = SIZE_STEP[who.size] - SIZE_STEP[target.size]
    yield Modifier(f"{'smaller' if steps > 0 else 'larger'} foe", GRAPPLE["size"] * steps, "EP-91")
    more = who.limbs - target.limbs
    if abs(more) >= GRAPPLE["more_limbs"]:
        words = "more limbs" if more > 0 else "fewer limbs"
        yield Modifier(words, GRAPPLE["limbs"] if more > 0 else -GRAPPLE["limbs"], "EP-91")


def _own_reach(who: Combatant) -> int:
    return max((w.reach for w in who.weapons if w.is_melee), default=0)


def _over_prone(x: Exchange, target: Combatant) -> bool:
    setup = x.declared
    over = "prone" in target.conditions and "prone" not in setup.attacker.conditions
    granted = setup.superior in {"attacker", "both"}
    return over and not (granted and x.rulings[rule.PRONE_SUPERIOR] == "once")


@cites("EP-137")
def _psi(x: Exchange, target: Combatant) -> Iterator[Modifier]:
    setup = x.declared
    if setup.meters <= PSI_RANGE["near_m"]:
        yield Modifier("near", PSI_RANGE["near"], "EP-137")
    elif setup.meters > PSI_RANGE["clear_m"]:
        steps = ceil((setup.meters - PSI_RANGE["clear_m"]) / PSI_RANGE["step_m"])
        yield Modifier("distance", PSI_RANGE["step"] * steps, "EP-137")
    yield Modifier(f"{setup.cover} cover", COVER[setup.cover], "EP-137")
    if setup.hidden:
        yield Modifier("hidden target", HIDDEN, "EP-137")
    if "cyberbrain" in target.qualities:
        yield Modifier("cyberbrain", CYBERBRAIN, "EP-137")


@cites("EP-49", "EP-51", "EP-96", "EP-98", "EP-99", "EP-141", "EP-142")
def _any_attack(x: Exchange, target: Combatant) -> Iterator[Modifier]:
    setup, weapon = x.declared, x.weapon_used
    traits = traits_of(setup, weapon)
    if setup.movement == "charge":
        yield Modifier("charge", CHARGE["hit"], "EP-85")
    elif setup.movement in {"full", "rush"}:
        yield Modifier(f"{setup.movement} move", FULL_MOVE, "EP-98")
    if setup.superior in {"attacker", "both"}:
        yield Modifier("superior position", SUPERIOR_POSITION, "EP-98")
    if not aims_at_spot(x):
        size = target.size.replace("_", " ")
        yield Modifier(f"{size} target", SIZE_HIT[target.size], "EP-141")
    if attacks_blind(x):
        yield Modifier("blind attack", BLIND, "EP-101")
    else:
        yield Modifier(f"{setup.vision} visibility", VISIBILITY[setup.vision], "EP-98")
    if x.called != "none":
        yield Modifier("called shot", CALLED_SHOT, "EP-99")
    large = setup.attacker.size in {"large", "very_large"}
    fixed = "fixed" in traits and setup.carried
    two_handed = "two_handed" in traits or fixed
    if two_handed and setup.one_handed and not large:
        yield Modifier("two-handed weapon in one hand", TWO_HANDED_IN_ONE, "EP-96")
    if fixed:
        yield Modifier("fixed weapon carried", FIXED_CARRIED, "EP-96")
    if setup.wrong_size:
        yield Modifier("gear of the wrong size", WRONG_SIZE, "EP-142")


@cites("EP-13")
def specialized(who: Combatant, skill: str, *, trained: bool) -> list[Modifier]:
    """The bonus of a specialization; a test that defaults to an aptitude has none."""
    if trained and skill in who.specialized:
        return [Modifier("specialization", SPECIALIZATION, "EP-13")]
    return []


@cites("EP-11", "EP-72", "EP-137")
def attack_modifiers(x: Exchange, target: Combatant, *, trained: bool) -> list[Modifier]:
    """These change an attack on one target, wounds apart; on suppressive fire only range does."""
    setup, weapon = x.declared, x.weapon_used
    if x.option == "suppress":
        return [_range(x)]
    terms = specialized(setup.attacker, weapon.skill, trained=trained)
    if weapon.is_melee:
        terms += _melee(x, target)
    elif weapon.form == "psi":
        terms += _psi(x, target)
    else:
        terms += [] if weapon.form == "charge" else [_range(x)]
        terms += _ranged(x, target)
    terms += _any_attack(x, target)
    terms += _stunned(setup.attacker, weapon.skill)
    if weapon.form != "psi":
        terms += load_modifiers(setup.attacker)
    if x.rulings[rule.RETRIES] == "yes" and setup.failed_before:
        terms.append(Modifier("earlier attempts", RETRY * setup.failed_before, "EP-11"))
    return [*terms, Modifier("GM", setup.attacker_modifier, "EP-8")]


def search_modifiers(who: Combatant, *, trained: bool) -> list[Modifier]:
    """These change a Perceive test before a blind attack, wounds apart."""
    terms = [*specialized(who, "perceive", trained=trained), *_stunned(who, "perceive")]
    if "deafened" in who.conditions:
        terms.append(Modifier("deafened", DEAFENED["perceive"], "EP-115"))
    return terms


@cites("EP-48", "EP-84", "EP-89")
def defense_modifiers(x: Exchange, who: Combatant, skill: str) -> Iterator[Modifier]:
    """These change a defense with a skill, wounds and a specialization apart."""
    setup, weapon = x.declared, x.weapon_used
    if who.full_defense:
        yield Modifier("full defense", FULL_DEFENSE, "EP-48")
    if setup.superior in {"defender", "both"}:
        yield Modifier("superior position", SUPERIOR_POSITION, "EP-51")
    if skill != "wil":
        value = VISIBILITY[setup.defender_vision]
        yield Modifier(f"{setup.defender_vision} visibility", value, "EP-98")
    if who.moved_full and skill != "wil" and x.rulings[rule.MOVE_FRAY] == "both":
        yield Modifier("full move", FULL_MOVE, "EP-98")
    if who.was_aggressive and (skill == "fray" or x.rulings[rule.AGGRESSIVE_PARRY] == "all"):
        yield Modifier("was aggressive", AGGRESSIVE["fray"], "EP-84")
    yield from _stunned(who, skill)
    for condition in who.conditions:
        if condition in HAMPERED and skill != "wil":
            yield Modifier(condition, HAMPERED[condition], "EP-115")
    if weapon.is_melee:
        foe = reach(setup.attacker, who, weapon.reach)
        ours = reach(who, setup.attacker, _own_reach(who))
        if ours > foe:
            yield Modifier("reach", ours, "EP-86")
        if who.extra_weapons:
            value = EXTRA_MELEE_WEAPON["defense"] * who.extra_weapons
            most = EXTRA_MELEE_WEAPON["defense_most"]
            yield Modifier("extra weapons", min(most, value), "EP-89")
    if skill != "wil":
        yield from load_modifiers(who)
    yield Modifier("GM", setup.defender_modifier, "EP-8")
