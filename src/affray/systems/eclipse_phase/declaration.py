"""Steps 1 to 3: the attack and the defense are declared, and the target numbers settled."""

from __future__ import annotations

from collections.abc import Mapping

from affray.core.actor import Actor
from affray.core.dice import D100, Pool
from affray.core.errors import SetupError
from affray.core.modifier import Total
from affray.core.node import At, Chance, Choice, End, Go, Node, Offer, Option, choose
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites, step
from affray.core.telling import counted
from affray.systems.eclipse_phase import ambush, roll
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.area_numbers import reaches_back
from affray.systems.eclipse_phase.gear import BREAKABLE
from affray.systems.eclipse_phase.legality import (
    affordable,
    held_up,
    mode_closed,
    out_of_action,
    sweeps,
    too_few,
    weapon_closed,
)
from affray.systems.eclipse_phase.modifiers import attacks_blind, traits_of
from affray.systems.eclipse_phase.numbers import (
    attack_numbers,
    attack_total,
    base_skill,
    composure_total,
    defense_total,
    pools_of,
    search_total,
    spared,
    target_numbers,
)
from affray.systems.eclipse_phase.reading import LOST, ConfusionRead, TestRead
from affray.systems.eclipse_phase.sheet import Combatant, Setup
from affray.systems.eclipse_phase.state import (
    Called,
    Defense,
    Exchange,
    Fire,
    Style,
    Turned,
)
from affray.systems.eclipse_phase.tables import MODES, SUPPRESS_ROUNDS

__all__ = ["STEPS", "declare"]

PERCENT = Pool((D100, 1))


@cites("EP-24")
def declare(setup: Setup, rulings: Rulings) -> At[Exchange]:
    """The first place of an attack.

    Raises:
        SetupError: the attacker and a target share a Threat pool.
    """
    group = setup.attacker.threat_group
    if group and any(who.threat_group == group for who in setup.targets):
        raise SetupError(
            f"attacker and target share the Threat pool {group!r}; leave one of the two out of it"
        )
    return At(declare_attack, Exchange(rulings, setup))


@step("EP-41", "EP-42", "EP-43")
def declare_attack(x: Exchange) -> Node[Exchange]:
    """The attacker declares a target and a weapon."""
    setup = x.declared
    if "confused" in setup.attacker.conditions and not x.composed:
        total = composure_total(x)
        read = TestRead(total.value, detail="pass")
        return Chance("attacker", "COG check", PERCENT, read, "check", At(compose_oneself, x))
    if why := out_of_action(setup.attacker) or held_up(setup.attacker):
        raise SetupError(f"attacker: {setup.attacker.name!r} {why} and can't attack")
    weapons = (setup.weapon,) if setup.weapon else setup.attacker.weapons
    offer: Offer[Exchange] = Offer()
    for weapon in {weapon.name: weapon for weapon in weapons}.values():
        loaded = weapon.carrying(setup.ammo)
        if why := weapon_closed(x, loaded):
            offer.close(weapon.name, why)
        else:
            after = At(choose_mode, _skilled(_crowded(x._replace(weapon=loaded))))
            offer.add(weapon.name, after, 0, f"attack with {weapon.name}")
    if not offer.options:
        closed = "; ".join(f"{name} {why}" for name, why in offer.closed)
        raise SetupError(closed or setup.unarmed)
    return offer.choose("attacker", "which weapon?")


@cites("EP-102")
def _crowded(x: Exchange) -> Exchange:
    """The attack with everybody near its target as targets, if its weapon explodes."""
    setup = x.declared
    if not x.crowd:
        return x
    if not x.weapon_used.blast:
        return x._replace(crowd=())
    aimed_at = replace(setup.defender, place_m=(0.0, 0.0))
    others = tuple(who for _, who in x.crowd)
    caught = tuple(place for place, _ in x.crowd)
    blast = replace(setup, defender=aimed_at, others=others)
    return x._replace(setup=blast, crowd=(), caught=caught)


@cites("EP-43")
def _skilled(x: Exchange) -> Exchange:
    """The attacker with the Exotic skill that the weapon takes, of several."""
    setup, weapon = x.declared, x.weapon_used
    who = setup.attacker
    if weapon.skill != "exotic" or not who.exotics:
        return x
    for skill in who.exotics:
        if skill.field.casefold() == weapon.field.casefold():
            marked = ("exotic",) if skill.specialized else ()
            specialized = (*who.specialized, *marked)
            knows = replace(who, exotics=(), exotic=skill.value, specialized=specialized)
            return x._replace(setup=replace(setup, attacker=knows, weapon=weapon))
    return x


@declare_attack.says
def _(before: Exchange, after: Exchange) -> tuple[Total | str, ...]:
    setup, weapon = before.declared, after.weapon
    if weapon is None:
        return composure_total(before), "Composed." if after.check.success else "Confused."
    whom = ", ".join(target.name for target in setup.targets)
    far = "" if setup.distance_m is None else f" at {setup.distance_m:g} m"
    return (f"{setup.attacker.name} attacks {whom} with {weapon.name}{far}.",)


@declare_attack.opens
def _(before: Exchange, after: Exchange) -> str:
    setup, weapon = before.declared, after.weapon
    whom = ", ".join(target.name for target in setup.targets)
    return "" if weapon is None else f"{setup.attacker.name} attacks {whom} with {weapon.name}"


@declare_attack.briefly
def _(before: Exchange, after: Exchange) -> str:
    if after.weapon is not None:
        return ""
    return (
        f"{before.declared.attacker.name} is {'composed' if after.check.success else 'confused'}."
    )


@step("EP-115")
def compose_oneself(x: Exchange) -> Node[Exchange]:
    """A confused attacker who keeps their wits acts as usual; dice say what others do."""
    if x.check.success:
        return Go(declare_attack, x._replace(composed=True, check=LOST))
    return Chance(
        "attacker", "confusion", PERCENT, ConfusionRead(), "composed", At(act_confused, x)
    )


@step("EP-115")
def act_confused(x: Exchange) -> Node[Exchange]:
    """The confused attack whoever is near, or do something else."""
    if x.composed:
        return Go(declare_attack, x._replace(check=LOST))
    setup = x.declared
    unharmed = tuple([spared(who) for who in setup.targets])
    return End(Exchange(x.rulings, astray=True, done=unharmed, pools=pools_of(setup.attacker)))


@act_confused.briefly
@act_confused.says
def _(before: Exchange, after: Exchange) -> str:
    return "Lashes out." if before.composed else "Too confused to attack."


@step("EP-68", "EP-73", "EP-79")
def choose_mode(x: Exchange) -> Node[Exchange]:
    """The attacker picks a firing mode for which enough rounds are loaded."""
    weapon = x.weapon_used
    if not weapon.is_fired:
        return Go(choose_style, x)
    offer: Offer[Exchange] = Offer()
    for mode in weapon.modes:
        fired = affordable(x, weapon, mode)
        if why := mode_closed(x, weapon, fired):
            offer.close(mode, why)
        else:
            words = counted(MODES[mode]["rounds"], "round")
            offer.add(mode, At(choose_fire, x._replace(mode=fired)), 0, words)
    options = tuple(offer.options)
    if len({option.at for option in options}) < len(options):
        # a mode that is fired as another one can be named all the same.
        return Choice("attacker", "which firing mode?", options, (), tuple(offer.closed))
    return offer.choose("attacker", "which firing mode?")


@choose_mode.says
def _(before: Exchange, after: Exchange) -> str:
    return f"Firing mode: {after.mode}." if before.weapon_used.is_fired else ""


@choose_mode.briefly
def _(before: Exchange, after: Exchange) -> str:
    return {"burst": "a burst", "auto": "full automatic"}.get(after.mode, "")


@step("EP-69", "EP-70", "EP-71", "EP-72")
def choose_fire(x: Exchange) -> Node[Exchange]:
    """A burst or automatic fire goes for accuracy, for damage, or over several targets."""
    setup, weapon = x.declared, x.weapon_used
    row = MODES[x.mode]
    if row["targets"] == 1:
        return Go(choose_called_shot, x)
    ways: list[tuple[Fire, str]] = []
    if not setup.others:
        ways = [("hit", f"+{row['hit']} to hit"), ("damage", f"+{row['d10']}d10 DV")]
    elif len(setup.targets) <= row["targets"] or weapon.blast or "cone" in traits_of(setup, weapon):
        ways = [("spread", "one attack roll against each target, plain DV")]
    if x.mode == "auto" and sweeps(weapon):
        words = "suppressive fire over everybody in the cone, damage as a single shot"
        ways.append(("suppress", words))
    offer: Offer[Exchange] = Offer()
    for fire, words in ways:
        offer.add(fire, At(choose_called_shot, x._replace(option=fire)), 0, words)
    if x.mode == "auto" and not sweeps(weapon):
        offer.close("suppress", too_few(weapon, SUPPRESS_ROUNDS))
    return offer.choose("attacker", "what is the fire for?")


@choose_fire.says
def _(before: Exchange, after: Exchange) -> str:
    if not after.option:
        return ""
    does = {
        "hit": "fires for accuracy",
        "damage": "fires for damage",
        "spread": "fires over all targets",
        "suppress": "lays down suppressive fire",
    }[after.option]
    return f"{before.declared.attacker.name} {does}."


@step("EP-84", "EP-85", "EP-87", "EP-91")
def choose_style(x: Exchange) -> Node[Exchange]:
    """A melee attack may be aggressive: for accuracy or for damage, at the cost of Fray."""
    setup, weapon = x.declared, x.weapon_used
    if not weapon.is_melee:
        return Go(choose_called_shot, x)
    if setup.grapple != "none":
        return Go(search_target, x._replace(style="plain"))
    refused = setup.movement == "charge" and x.rulings[rule.AGGRESSIVE_CHARGE] == "refused"
    offer: Offer[Exchange] = Offer()
    for style, words in STYLES.items():
        if refused and style != "plain":
            offer.close(style, "not in a charge (A-28)")
        else:
            offer.add(style, At(choose_touch, x._replace(style=style)), 0, words)
    return offer.choose("attacker", "how aggressive?")


@choose_style.briefly
def _(before: Exchange, after: Exchange) -> str:
    return {"hit": "aggressive to hit", "damage": "aggressive for damage"}.get(after.style, "")


STYLES: Mapping[Style, str] = {
    "plain": "an ordinary attack",
    "hit": "aggressive: +10 to hit, -10 Fray until your next action",
    "damage": "aggressive: +1d10 DV, -10 Fray until your next action",
}
"""A melee attack can be as aggressive as this."""


@step("EP-87")
def choose_touch(x: Exchange) -> Node[Exchange]:
    """A touch-only weapon needs only a touch; the attacker may strike instead, to do damage."""
    setup, weapon = x.declared, x.weapon_used
    if "touch_only" not in traits_of(setup, weapon):
        return Go(choose_called_shot, x)
    return choose(
        "attacker",
        "touch or strike?",
        [
            Option("touch", At(choose_called_shot, x._replace(touch=True)), 0, "+20, no DV"),
            Option("strike", At(choose_called_shot, x._replace(touch=False)), 0, "do DV as well"),
        ],
    )


@step("EP-99", "EP-100")
def choose_called_shot(x: Exchange) -> Node[Exchange]:
    """The attacker may announce a called shot; its effect needs a superior success."""
    setup, weapon = x.declared, x.weapon_used
    why = ""
    several = x.rulings[rule.CALLED_SEVERAL]
    if weapon.form == "psi" and x.rulings[rule.CALLED_PSI] == "refused":
        why = "psi can't be called (A-54)"
    elif x.option == "suppress":
        why = "suppressive fire can't be called"
    elif weapon.blast or "cone" in traits_of(setup, weapon):
        why = "an area attack can't be called"
    elif setup.others and several != "all" and not (weapon.is_melee and several == "melee"):
        why = "an attack on several targets can't be called (A-53)"
    offer: Offer[Exchange] = Offer()
    for called, words in CALLED_SHOTS.items():
        if why and called != "none":
            offer.close(called, why)
        else:
            offer.add(called, At(search_target, x._replace(called=called)), 0, words)
    return offer.choose("attacker", "a called shot?")


CALLED_SHOTS: Mapping[Called, str] = {
    "none": "no called shot",
    "bypass": "-10; with a superior success armor counts half",
    "disarm": "-10; with a superior success half DV, and the weapon may be lost",
    "knockdown": "-10; with a superior success prone instead of damage",
    "redirect": "-10; with a superior success moved 2 m instead of damage",
    "specific": "-10; with a superior success an effect that the GM names",
}
"""Every called shot, and what it costs and does."""


@choose_called_shot.says
def _(before: Exchange, after: Exchange) -> str:
    return "" if after.called == "none" else f"Called shot: {after.called}."


@choose_called_shot.briefly
def _(before: Exchange, after: Exchange) -> str:
    return "" if after.called == "none" else f"called shot: {after.called}"


def _searched(x: Exchange) -> Go[Exchange]:
    """The attack is declared: an ambush is sprung, or the targets choose their defense."""
    return Go(ambush.spend_before_hiding if x.declared.springs else choose_defence, x)


@step("EP-101", "EP-115")
def search_target(x: Exchange) -> Node[Exchange]:
    """A blind attacker may first search for the target with another sense."""
    if not attacks_blind(x):
        return _searched(x._replace(wide="blinded" in x.declared.attacker.conditions))
    value = search_total(x).value
    return choose(
        "attacker",
        "search with another sense first?",
        [
            Option("perceive", At(perceive, x), 0, f"Perceive test against {value}"),
            Option("shoot", _searched(x._replace(wide=True)).at, 0, "attack at once"),
        ],
    )


@step("EP-101")
def perceive(x: Exchange) -> Node[Exchange]:
    """A Perceive test with another sense decides whether the target is found."""
    _, defaulted = base_skill(x.declared.attacker, "perceive")
    zero = x.rulings[rule.DEFAULT_ZERO] if defaulted else ""
    read = TestRead(search_total(x).value, zero, "pass")
    return Chance("attacker", "Perceive test", Pool((D100, 1)), read, "check", At(sense, x))


@step("EP-101")
def sense(x: Exchange) -> Node[Exchange]:
    """If the target was not found, the shot may go wide."""
    return _searched(x._replace(wide=not x.check.success, check=LOST))


@sense.briefly
@sense.says
def _(before: Exchange, after: Exchange) -> str:
    return "Not found: the shot may go wide." if after.wide else "The target is found."


@cites("EP-36", "EP-45", "EP-46", "EP-47", "EP-48", "EP-115")
def _defenses(x: Exchange, who: Combatant) -> list[Defense]:
    """The skills that this defender can use; none if they can't defend at all."""
    weapon = x.weapon_used
    if out_of_action(who) or who.body == "object":
        return []
    if weapon.form == "psi":
        return ["wil"]
    if "immobilized" in who.conditions:
        return []
    skills: list[Defense] = ["fray"]
    if "grappled" in who.conditions or "confused" in who.conditions:
        return skills
    exotic = weapon.skill == "exotic" and x.rulings[rule.PARRY_EXOTIC] == "no"
    if weapon.is_melee and not exotic:
        skills.append("melee")
    if who.full_defense:
        skills.append("athletics")
    return skills


@step("EP-36", "EP-44", "EP-45", "EP-46", "EP-47", "EP-48")
def choose_defence(x: Exchange) -> Node[Exchange]:
    """Each able defender picks a skill to defend with, or declines."""
    setup = x.declared
    number = len(x.defenses)
    if number == len(setup.targets):
        return Go(settle_numbers, x)
    who = setup.targets[number]
    skills = _defenses(x, who)
    if not skills:
        return Go(choose_defence, x._replace(defenses=(*x.defenses, "unable")))
    numbers = {skill: defense_total(x, who, skill).value for skill in skills}
    options = [
        Option(
            skill,
            At(choose_defence, x._replace(defenses=(*x.defenses, skill))),
            0,
            f"defend with {skill}: {tn}",
        )
        for skill, tn in sorted(numbers.items(), key=lambda row: -row[1])
    ]
    if x.rulings[rule.DECLINE] == "allowed":
        declined = At(choose_defence, x._replace(defenses=(*x.defenses, "none")))
        options.append(Option("none", declined, 0, "don't defend"))
    return choose(Actor("defender", number + 1), "defend with what?", options)


@choose_defence.says
def _(before: Exchange, after: Exchange) -> str:
    if len(after.defenses) == len(before.defenses):
        return ""
    who, skill = before.declared.targets[len(before.defenses)], after.defenses[-1]
    if skill in {"unable", "none"}:
        return f"{who.name} {'cannot' if skill == 'unable' else 'does not'} defend."
    return f"{who.name} defends with {skill}."


@step("EP-8", "EP-49", "EP-50", "EP-51", "EP-52", "EP-61", "EP-79")
def settle_numbers(x: Exchange) -> Node[Exchange]:
    """The modifiers give the target numbers; the rounds are fired."""
    weapon = x.weapon_used
    fired = SUPPRESS_ROUNDS if x.option == "suppress" else MODES[x.mode]["rounds"] if x.mode else 0
    traits = traits_of(x.declared, weapon)
    until = x.rulings[rule.SUPPRESSION_ENDS] if x.option == "suppress" else ""
    return Go(
        roll.spend_before_attack,
        Exchange(
            x.rulings,
            attack=attack_numbers(x),
            targets=target_numbers(x),
            rounds=max(0, weapon.rounds - fired) if weapon.is_fired else 0,
            suppresses=until,
            exposed=x.style in {"hit", "damage"},
            ambush=x.ambush,
            moved=x.moved,
            fired=weapon.name if weapon.is_fired else "",
            breaks="" if BREAKABLE.isdisjoint(traits) else weapon.name,
            aimed=x.aimed,
            turned=_turned(x),
            rest=x.rest,
            broken="single_use" in traits,
            spent=x.spent,
            caught=x.caught,
        ),
    )


@cites("EP-68")
def _turned(x: Exchange) -> Turned:
    """What the turn leaves behind: a weapon that fires single shots has fired for this turn."""
    if x.mode != "single" or x.rulings[rule.TURNS] != "actions":
        return x.turned
    return x.turned._replace(single=x.weapon_used.name)


@settle_numbers.says
def _(before: Exchange, after: Exchange) -> tuple[Total | str, ...]:
    setup = before.declared
    parts: list[Total | str] = [attack_total(before, setup.defender)]
    for who, skill in zip(setup.targets, before.defenses, strict=True):
        if skill not in {"unable", "none"}:
            parts.append(defense_total(before, who, skill))
    weapon = before.weapon_used
    if before.rulings[rule.AMMUNITION] == "counted":
        if after.broken:
            parts.append(f"The {weapon.name} is used up.")
        elif weapon.is_fired:
            left = f"{after.rounds} round{'s' * (after.rounds != 1)}"
            parts.append(f"{weapon.name}: {left} left.")
    if reaches_back(before, after.numbers):
        name = setup.attacker.name
        parts.append(f"At this distance the blast may reach {name}; the GM settles that.")
    return tuple(parts)


STEPS = (
    declare_attack, compose_oneself, act_confused, choose_mode, choose_fire, choose_style,
    choose_touch, choose_called_shot, search_target, perceive, sense,
    choose_defence, settle_numbers,
)  # fmt: skip
