"""From sheets and circumstances to the numbers that the rest of an attack works with."""

from __future__ import annotations

from affray.core.modifier import Modifier, Total
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.core.unknown import remembers
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.area_numbers import area_of
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.modifiers import (
    attack_modifiers,
    beyond_range,
    defense_modifiers,
    harm_modifiers,
    load_modifiers,
    search_modifiers,
    specialized,
    traits_of,
)
from affray.systems.eclipse_phase.sheet import Combatant, Setup
from affray.systems.eclipse_phase.state import (
    MISSED,
    Attack,
    Exchange,
    Pools,
    Struck,
    Target,
    TraitTest,
)
from affray.systems.eclipse_phase.tables import (
    AGGRESSIVE,
    APTITUDE_OF,
    CHARGE,
    CLOSE_M,
    CONE,
    CONFUSED,
    DANGER_SENSE,
    DISTRACTED,
    DOUBLE_BASE,
    EXTRA_MELEE_WEAPON,
    INSANITY,
    LOW_PAIN_CHECK,
    MELEE_SIZE,
    MODES,
    MODIFIER_LIMIT,
    PAIN,
    POOL_BONUS,
    SHOCK_SIZE,
    SPECIALIZATION,
    STUN_SIZE,
    WOUND_STEP,
    round_half_up,
)

__all__ = [
    "attack_numbers", "attack_total", "base_skill", "bleeding_target", "can_bleed",
    "composure_total",
    "death_rating", "defense_total", "hiding_total", "noticing_total", "pools_of", "rush_total",
    "search_total", "spared", "target_numbers", "with_points",
]  # fmt: skip

BODILY = frozenset({"pain", "shock"})
POOLS = ("vigor", "insight", "moxie", "threat", "flex")


# -- target numbers --------------------------------------------------------------------------


@cites("EP-6", "EP-13", "EP-43")
def base_skill(who: Combatant, skill: str) -> tuple[int, bool]:
    """A skill's value with its specialization, and whether the test defaults to an aptitude."""
    if skill in {"som", "ref", "wil"}:
        printed: int | None = getattr(who, f"{skill}_check")
        return (getattr(who, skill) * 3 if printed is None else printed), False
    value: int | None = getattr(who, skill)
    if value is None:
        aptitude: int = getattr(who, APTITUDE_OF[skill])
        return aptitude * (2 if skill in DOUBLE_BASE else 1), True
    return value, False


def _trimmed(terms: list[Modifier]) -> tuple[Modifier, ...]:
    return tuple(term for term in terms if term.value)


def _total(
    x: Exchange, base: Modifier, terms: list[Modifier], who: Combatant, *, attacks: bool = False
) -> Total:
    """A base with its modifiers, held to the limit; wounds inside it or on top (A-24)."""
    harm = list(harm_modifiers(who, attacks=attacks))
    inside = x.rulings[rule.WOUND_CAP] == "inside"
    return Total(
        base,
        _trimmed([*terms, *harm] if inside else terms),
        -MODIFIER_LIMIT,
        MODIFIER_LIMIT,
        () if inside else _trimmed(harm),
        "EP-8",
    )


@cites("EP-8", "EP-49", "EP-52")
def attack_total(x: Exchange, target: Combatant) -> Total:
    """The attacker's target number against one target, itemised."""
    who, weapon = x.declared.attacker, x.weapon_used
    value, defaulted = base_skill(who, weapon.skill)
    skill = f"{weapon.skill}: {weapon.field}" if weapon.field else weapon.skill
    label = f"{APTITUDE_OF[weapon.skill]} (no {skill})" if defaulted else skill
    base = Modifier(label.capitalize(), value, "EP-6" if defaulted else "EP-43")
    terms = attack_modifiers(x, target, trained=not defaulted)
    return _total(x, base, terms, who, attacks=True)


@cites("EP-50", "EP-115")
def composure_total(x: Exchange) -> Total:
    """The target number of a confused attacker's COG check, itemised."""
    who = x.declared.attacker
    terms = [Modifier("confused", CONFUSED["check"], "EP-115")]
    return _total(x, Modifier("COG check", who.cog * 3, "EP-115"), terms, who)


@cites("EP-13", "EP-50", "EP-101")
def search_total(x: Exchange) -> Total:
    """The target number of a Perceive test before a blind attack, itemised."""
    who = x.declared.attacker
    value, defaulted = base_skill(who, "perceive")
    terms = search_modifiers(who, trained=not defaulted)
    return _total(x, Modifier("Perceive", value, "EP-101"), terms, who)


@cites("EP-13", "EP-32", "EP-50")
def rush_total(x: Exchange) -> Total:
    """The target number of the Athletics test of a rush, itemised."""
    who = x.declared.attacker
    value, defaulted = base_skill(who, "athletics")
    label = "Som (no athletics)" if defaulted else "Athletics"
    terms = [*specialized(who, "athletics", trained=not defaulted), *load_modifiers(who)]
    return _total(x, Modifier(label, value, "EP-32"), terms, who)


@cites("EP-13", "EP-34", "EP-50")
def hiding_total(x: Exchange) -> Total:
    """The attacker's target number to stay hidden in ambush, itemised."""
    who = x.declared.attacker
    value, defaulted = base_skill(who, "infiltrate")
    terms = [*specialized(who, "infiltrate", trained=not defaulted), *load_modifiers(who)]
    return _total(x, Modifier("Infiltrate", value, "EP-34"), terms, who)


@cites("EP-13", "EP-34", "EP-50")
def noticing_total(x: Exchange, who: Combatant) -> Total:
    """A target's number to notice an ambush, itemised."""
    value, defaulted = base_skill(who, "perceive")
    terms = search_modifiers(who, trained=not defaulted)
    if not x.declared.alert:
        terms.append(Modifier("distracted", DISTRACTED, "EP-34"))
    if "danger_sense" in who.qualities:
        terms.append(Modifier("danger sense", DANGER_SENSE, "EP-34"))
    return _total(x, Modifier("Perceive", value, "EP-34"), terms, who)


@cites("EP-45", "EP-46", "EP-47", "EP-48", "EP-89")
def defense_total(x: Exchange, who: Combatant, skill: str) -> Total:
    """A defender's target number with the chosen skill, itemised.

    Against anything but melee and psi the skill counts half.
    """
    return _defense_total(_met(x), who, skill)


def _met(x: Exchange) -> Exchange:
    """An attack as those meet it whom it is aimed at: by a weapon, under some circumstances.

    How it is aimed, and how badly hurt whoever makes it is, makes no difference to what they
    defend with.
    """
    return Exchange(x.rulings, _by_whom(x.declared), x.weapon)


@remembers(1024)
def _by_whom(setup: Setup) -> Setup:
    """An attack as its target sees it."""
    who = _sound(setup.attacker)
    return setup if who is setup.attacker else replace(setup, attacker=who)


@remembers(1024)
def _at_whom(setup: Setup) -> Setup:
    """An attack as whoever makes it sees it."""
    who = _sound(setup.defender)
    return setup if who is setup.defender else replace(setup, defender=who)


@remembers(1024)
def _sound(who: Combatant) -> Combatant:
    """Somebody without wounds and traumas, and without a point to spend of their own."""
    if not (who.wounds or who.traumas or who.vigor or who.insight or who.moxie or who.flex):
        return who
    return replace(who, wounds=0, traumas=0, vigor=0, insight=0, moxie=0, flex=0)


@remembers(1024)
def _defense_total(x: Exchange, who: Combatant, skill: str) -> Total:
    weapon = x.weapon_used
    value, defaulted = base_skill(who, skill)
    halved = not weapon.is_melee and weapon.form != "psi"
    if skill == "athletics" and x.rulings[rule.ATHLETICS] == "full":
        halved = False
    terms = list(defense_modifiers(x, who, skill))
    special = specialized(who, skill, trained=not defaulted)
    if halved and special and x.rulings[rule.SPECIALTY] == "before":
        value, special = value + SPECIALIZATION, []
    if halved and x.rulings[rule.HALVED_MODIFIERS] == "before":
        own = [*harm_modifiers(who), *load_modifiers(who)]
        value = round_half_up(value + sum(term.value for term in own), 2)
        base = Modifier(f"{skill} with wounds and layers / 2".capitalize(), value, "EP-46")
        kept = _trimmed([term for term in (*terms, *special) if term not in own])
        return Total(base, kept, -MODIFIER_LIMIT, MODIFIER_LIMIT, (), "EP-8")
    shown = f"{skill} / 2" if halved else "WIL check" if skill == "wil" else skill
    clause = "EP-46" if halved else "EP-47" if skill == "wil" else "EP-45"
    value = round_half_up(value, 2) if halved else value
    return _total(x, Modifier(shown[0].upper() + shown[1:], value, clause), terms + special, who)


# -- everything that the roll needs ----------------------------------------------------------


def pools_of(who: Combatant) -> Pools:
    """The pool points that somebody has left."""
    return tuple((pool, getattr(who, pool)) for pool in POOLS if getattr(who, pool))


def spared(who: Combatant) -> Struck:
    """The record of somebody to whom nothing was done."""
    return MISSED._replace(total=who.damage, all_wounds=who.wounds, pools=pools_of(who))


@cites("EP-19")
def with_points(x: Exchange, total: Total) -> tuple[int, int]:
    """A target number with a pool point's bonus, and one without modifiers (A-6, A-21)."""
    if x.rulings[rule.POOL_CAP] == "inside":
        held = max(-MODIFIER_LIMIT, min(MODIFIER_LIMIT, total.uncapped + POOL_BONUS))
        plus = total.value - total.capped + held
    else:
        plus = total.value + POOL_BONUS
    if x.rulings[rule.IGNORE_ALL] == "all":
        return plus, total.base.value
    kept = sum(max(0, term.value) for term in (*total.terms, *total.beyond))
    return plus, total.base.value + min(MODIFIER_LIMIT, kept)


def _bare(x: Exchange, target: Combatant) -> int:
    """The attacker's target number against one target when all modifiers are ignored."""
    return with_points(x, attack_total(x, target))[1]


@cites("EP-60", "EP-69", "EP-70", "EP-75", "EP-82", "EP-83", "EP-84", "EP-85", "EP-89", "EP-94",
       "EP-95")  # fmt: skip
def attack_numbers(x: Exchange) -> Attack:
    """The attacker's target number, dice and everything else that the roll will need.

    How badly hurt the defender is, and what they defend with, makes no difference to it.
    """
    return _attack_numbers(x._replace(setup=_at_whom(x.declared), defenses=()))


@remembers(1024)
def _attack_numbers(x: Exchange) -> Attack:
    setup, weapon = x.declared, x.weapon_used
    who, ammo = setup.attacker, setup.ammo
    total = attack_total(x, setup.defender)
    plus, bare = with_points(x, total)
    _, defaulted = base_skill(who, weapon.skill)
    traits = traits_of(setup, weapon)
    works = setup.defender.is_biological or not ammo.biomorphs_only
    d10 = max(0, ammo.d10) if works else 0
    lost = max(0, -ammo.d10) if works else 0
    d6 = ammo.d6 if works else 0
    own = (weapon.d10, weapon.d6, weapon.flat)
    if weapon.unarmed:
        own = (who.unarmed_d10, who.unarmed_d6, who.unarmed_flat + weapon.flat)
    if weapon.is_melee:
        d10 += MELEE_SIZE[who.size] + who.melee_d10 + AGGRESSIVE["d10"] * (x.style == "damage")
        d6 += who.melee_d6 + CHARGE["d6"] * (setup.movement == "charge")
        d6 += min(setup.extra_weapons, EXTRA_MELEE_WEAPON["d6_most"])
    if x.option == "damage":
        d10 += MODES[x.mode]["d10"]
    if "cone" in traits and setup.meters <= CLOSE_M:
        d10 += CONE["d10"]
    lost += _loses_die(x)
    weapon_d10, d10, minus = _without(x, own[0], d10, lost)
    return Attack(
        tn=total.value,
        plus=plus,
        bare=bare,
        zero=x.rulings[rule.DEFAULT_ZERO] if defaulted else "",
        skill=weapon.skill,
        pools=pools_of(who),
        flips="bad_luck" not in who.qualities,
        weapon_d10=weapon_d10,
        weapon_d6=own[1],
        weapon_flat=own[2],
        d10=d10,
        d6=d6,
        minus=minus,
        half_ammo=ammo.half,
        half_small=weapon.is_melee and who.size == "small",
        tiny=weapon.is_melee and who.size == "very_small",
        no_damage=x.touch or ammo.no_damage or _does_nothing(weapon, own),
        called=x.called,
        is_melee=weapon.is_melee,
        wide=x.wide,
        knocks="knockdown" in traits,
        fragile="fragile" in traits,
        unhelped=total.value,
        area=area_of(x),
        grapple="" if setup.grapple == "none" else setup.grapple,
    )


def _does_nothing(weapon: Weapon, own: tuple[int, int, int]) -> bool:
    """Whether a weapon has no DV at all and only its traits act."""
    return not any(own) and (weapon.is_fired or weapon.blast is not None)


def _loses_die(x: Exchange) -> bool:
    """Distance costs the attack a d10 (EP-75; steady: A-15)."""
    setup, weapon = x.declared, x.weapon_used
    traits = traits_of(setup, weapon)
    weakens = weapon.form in {"kinetic", "railgun"} or "cone" in traits
    if not weakens or setup.vacuum or not beyond_range(x):
        return False
    return "steady" not in traits or x.rulings[rule.STEADY] == "to_hit"


def _without(x: Exchange, own: int, extra: int, lost: int) -> tuple[int, int, int]:
    """The weapon's d10, extra d10, and d10 to subtract, once some are lost (A-10)."""
    if x.rulings[rule.MINUS_DIE] == "subtract":
        return own, extra, lost
    if extra >= lost:
        return own, extra - lost, 0
    taken = min(own, lost - extra)
    return own - taken, 0, lost - extra - taken


@cites("EP-36", "EP-46", "EP-63", "EP-109", "EP-112", "EP-116", "EP-124")
def target_numbers(x: Exchange) -> tuple[Target, ...]:
    """The numbers of every target, in order."""
    setup, weapon = x.declared, x.weapon_used
    met = _met(x)
    # Everybody in an area meets the one roll against the point aimed at.
    alike = weapon.blast or "cone" in traits_of(setup, weapon)
    targets = []
    for number, (who, skill) in enumerate(zip(setup.targets, x.defenses, strict=True), start=1):
        target = _target(met, who, skill, number)
        if number > 1 and not alike:
            bare = _bare(x, who) - _bare(x, setup.defender)
            target = target._replace(shift=_shift(x, who), bare_shift=bare)
        targets.append(target)
    return tuple(targets)


@remembers(1024)
def _target(x: Exchange, who: Combatant, skill: str, number: int) -> Target:
    """The numbers of one target, whose size makes no difference to the attack roll."""
    setup, weapon = x.declared, x.weapon_used
    av, bypassed = _armor(x, who)
    stress = weapon.harm == "stress"
    formula = x.rulings[rule.PRINTED] == "formula"
    wt = round_half_up(who.durability, 5) if formula and who.threshold else who.threshold
    dr = death_rating(who, x.rulings)
    falls = _falls(x, who) and not stress
    tests = _tests(x, who)
    target = Target(
        tn=None,
        av=av,
        av_bypassed=bypassed,
        wt=round_half_up(who.lucid, 5) if stress else wt,
        dur=who.lucid if stress else who.durability,
        dr=INSANITY * who.lucid if stress else dr,
        damage=who.stress if stress else who.damage,
        wounds=who.traumas if stress else who.wounds,
        ignored=who.ignored_traumas if stress else who.ignored_wounds,
        step=WOUND_STEP["low_pain_tolerance" in who.qualities and not stress],
        others=_other_harm(who, stress=stress),
        som=base_skill(who, "som")[0],
        ref=base_skill(who, "ref")[0],
        wil=base_skill(who, "wil")[0]
        if stress or any(test.aptitude == "wil" for test in tests)
        else 0,
        pain=_pain(x.rulings, who),
        tests=tests,
        tolerance="pain_tolerance" in who.qualities,
        falls=falls,
        bleeds=can_bleed(who, x.rulings) and not stress and setup.bleeding == "now",
        stabilized=who.stabilized,
        treated=setup.treated,
        stress=stress,
        pools=pools_of(who),
        flips="bad_luck" not in who.qualities,
        number=number,
        mates=_mates(setup.targets, number),
        name=_told_apart(setup, number) if setup.others or x.weapon_used.blast else "",
        crashes=who.crashes,
        skill=skill,
        shift=0,
        bare_shift=0,
    )
    if skill in {"unable", "none"}:
        return target
    total = _defense_total(x, who, skill)
    plus, bare = with_points(x, total)
    defaulted = base_skill(who, skill)[1]
    return target._replace(
        tn=total.value,
        plus=plus,
        bare=bare,
        zero=x.rulings[rule.DEFAULT_ZERO] if defaulted else "",
        edge=_edge(x, who, skill, total),
    )


def _told_apart(setup: Setup, number: int) -> str:
    """The name of a target, with its number where another one has the same."""
    names = [who.name for who in setup.targets]
    name = names[number - 1]
    return f"{name} ({number})" if names.count(name) > 1 else name


@cites("EP-114")
def death_rating(who: Combatant, rulings: Rulings) -> int:
    """The Death Rating that counts: as printed, or by the formula (A-44)."""
    if rulings[rule.PRINTED] == "formula" and who.body != "object":
        return replace(who, death_rating=None).death
    return who.death


@cites("EP-113")
def can_bleed(who: Combatant, rulings: Rulings) -> bool:
    """A body bleeds if it lives and no medichines staunch it; without checks (H-1) none does."""
    if not who.is_biological or "medichines" in who.qualities:
        return False
    return rulings[rule.WOUND_EFFECTS] == "checks"


@cites("EP-113")
def bleeding_target(setup: Setup, rulings: Rulings) -> Target:
    """The numbers of somebody who checks against bleeding."""
    who = setup.defender
    som = base_skill(who, "som")[0]
    return Target(
        tn=None, skill="unable", shift=0, av=0, av_bypassed=0, wt=0, dur=who.durability,
        dr=death_rating(who, rulings), damage=who.damage, wounds=who.wounds,
        ignored=who.ignored_wounds, step=WOUND_STEP["low_pain_tolerance" in who.qualities],
        others=_other_harm(who, stress=False), som=som, ref=0, wil=0, pain=_pain(rulings, who),
        tests=(), tolerance=0, falls=False, bleeds=True, treated=setup.treated, stress=False,
        pools=pools_of(who), flips="bad_luck" not in who.qualities, bare_shift=0, number=1,
        mates=(),
    )  # fmt: skip


def _shift(x: Exchange, who: Combatant) -> int:
    """What the attacker's target number differs by against one of several targets."""
    return attack_total(x, who).value - attack_total(x, x.declared.defender).value


@cites("EP-24")
def _mates(targets: tuple[Combatant, ...], number: int) -> tuple[int, ...]:
    """Numbers of the other targets that draw on the same Threat pool."""
    group = targets[number - 1].threat_group
    if not group:
        return ()
    return tuple(
        place
        for place, who in enumerate(targets, start=1)
        if who.threat_group == group and place != number
    )


def _pain(rulings: Rulings, who: Combatant) -> int:
    """Low pain tolerance costs this on SOM checks (A-50)."""
    counts = rulings[rule.LOW_PAIN] == "checks" and "low_pain_tolerance" in who.qualities
    return LOW_PAIN_CHECK if counts else 0


@cites("EP-61", "EP-107")
def _tests(x: Exchange, who: Combatant) -> tuple[TraitTest, ...]:
    """The attack's traits call for these tests if it hits this target, wounds not yet counted.

    Pain and shock need a living body; an object is tested for nothing.
    """
    if who.body == "object":
        return ()
    traits = traits_of(x.declared, x.weapon_used)
    energy, kinetic = who.worn
    tests = (
        TraitTest("blinding", "ref"),
        TraitTest("entangling", "ref"),
        TraitTest(
            "pain",
            "wil",
            _pain(x.rulings, who) + PAIN["check"] * ("pain_tolerance" in who.qualities),
        ),
        TraitTest("shock", "som", energy + SHOCK_SIZE[who.size]),
        TraitTest("stun", "som", kinetic + STUN_SIZE[who.size]),
    )
    return tuple(
        test
        for test in tests
        if test.kind in traits
        and (who.is_biological or test.kind not in BODILY)
        and not (test.kind == "pain" and "immune_to_pain" in who.qualities)
    )


def _other_harm(who: Combatant, *, stress: bool) -> int:
    if stress:
        return WOUND_STEP["low_pain_tolerance" in who.qualities] * max(
            0, who.wounds - who.ignored_wounds
        )
    return WOUND_STEP[False] * max(0, who.traumas - who.ignored_traumas)


def _falls(x: Exchange, who: Combatant) -> bool:
    if who.body in {"object", "infomorph"} or x.rulings[rule.WOUND_EFFECTS] == "modifiers":
        return False
    return who.body not in {"bot", "vehicle"} or x.rulings[rule.SHELL_KNOCKDOWN] == "same"


def _armor(x: Exchange, who: Combatant) -> tuple[int, int]:
    """Armor that counts, and what is left of it when a called shot bypasses it (A-8)."""
    setup, weapon = x.declared, x.weapon_used
    if weapon.armor == "none":
        return 0, 0
    rating: int = getattr(who, weapon.armor)
    if weapon.armor != "mental":
        rating += sum(getattr(piece, weapon.armor) for piece in who.pieces)
    half = round_half_up(rating, 2)
    if "armor_piercing" not in traits_of(setup, weapon):
        return rating, half
    quarter = x.rulings[rule.PIERCING_TWICE] == "quarter"
    return half, round_half_up(rating, 4) if quarter else half


def _edge(x: Exchange, who: Combatant, skill: str, defense: Total) -> int | None:
    """By how much the attacker's skill is higher (A-3); None: target numbers decide."""
    reading = x.rulings[rule.EQUAL_CRITICALS]
    if reading == "final":
        return None
    ours = base_skill(x.declared.attacker, x.weapon_used.skill)[0]
    return ours - (defense.base.value if reading == "base" else base_skill(who, skill)[0])
