"""From sheets to numbers: what may be declared, and what stands when the dice are picked up."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from affray.core.modifier import Modifier, Total
from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.core.unknown import remembers
from affray.systems.empty_earth import rulings as rule
from affray.systems.empty_earth.cubes import costs
from affray.systems.empty_earth.reading import Band
from affray.systems.empty_earth.sheet import (
    Cubes,
    DiceLine,
    Feature,
    Fighter,
    Injured,
    Setup,
    Weapon,
    dice_line,
)
from affray.systems.empty_earth.state import Condition, Plan, Terms, Tricks
from affray.systems.empty_earth.tables import (
    COST,
    CROWDED,
    DEFENCE_FOR,
    MELEE_ZONES,
    REACTION_FOR,
    REACTIONS,
    SEEN,
    Reaction,
)

__all__ = [
    "band_of",
    "called",
    "condition_of",
    "counts_as_injured",
    "defence_total",
    "die_total",
    "injury_of",
    "parry_band",
    "purse",
    "reaction_dice",
    "refreshed",
    "settle",
    "swapped",
    "uses_of",
    "why_not",
]  # fmt: skip


def called(fighter: Fighter, actor: str) -> str:
    """The fighter's name, or the part played."""
    return fighter.name or f"the {actor}"


def condition_of(fighter: Fighter) -> Condition:
    """The condition that a sheet describes."""
    return Condition(
        vitality=fighter.vitality,
        shields=fighter.shields,
        injuries=fighter.injuries,
        taken=fighter.injured_this_stage,
        fallen="incapacitated" if fighter.is_down else "",
        reactions=fighter.reactions,
        active=fighter.armor_active,
        cubes=fighter.cubes,
    )


@cites("EE-26", "EE-60", "EE-61")
def refreshed(fighter: Fighter, condition: Condition, rulings: Rulings) -> Condition:
    """A condition at the start of the own turn: no Shields, no Armor effect, new reactions."""
    keeps = fighter.side != "pc" and rulings[rule.RESET] == "never"
    return condition._replace(
        shields=condition.shields if keeps else 0,
        active=False,
        reactions=REACTIONS["between turns"],
    )


@lru_cache(maxsize=256)
def swapped(setup: Setup) -> Setup:
    """The same situation with the parts exchanged, for a Counter."""
    return replace(
        setup,
        attacker=setup.defender,
        defender=setup.attacker,
        attacks=1,
        hostile_in_own_zone=setup.hostile_near_defender,
        hostile_near_defender=setup.hostile_in_own_zone,
        new_turn="none",
        turn_between=False,
    )


# -- what may be declared --------------------------------------------------------------------


def _is_bound(weapon: Weapon, rulings: Rulings) -> bool:
    """Whether range, sight and the crowd concern this attack at all."""
    return rulings[rule.ICONS] == "four" or weapon.kind == "physical"


@cites("EE-9", "EE-10", "EE-11", "EE-12", "EE-13", "EE-16")
def why_not(setup: Setup, weapon: Weapon, rulings: Rulings) -> str | None:
    """Why this attack can't be declared from where the attacker stands, or None if it can."""
    if not _is_bound(weapon, rulings):
        return None
    zones = setup.distance_zones
    if weapon.reach == "melee":
        if zones > MELEE_ZONES["adjacent"]:
            return f"melee reaches figures in the same Zone; this one is {zones} away (EE-9)"
        return None
    if rulings[rule.ZONES] == "openings" and setup.distance_through_openings is not None:
        zones = setup.distance_through_openings
    if zones > weapon.range_zones:
        return f"its range is {weapon.range_zones} Zones; the target is {zones} away (EE-11)"
    if setup.distance_zones and not SEEN[rulings[rule.SIGHT], setup.line_of_sight]:
        return f"no Line of Sight: the line between the Zones is {setup.line_of_sight!r} (EE-12)"
    return None


def _weapon(setup: Setup, plan: Plan) -> Weapon:
    return setup.attacker.attacks[plan.line]


def _bought(setup: Setup, plan: Plan) -> tuple[Feature, ...]:
    return tuple(f for f in _weapon(setup, plan).features if f.name in plan.bought)


def _used(setup: Setup, plan: Plan) -> tuple[Feature, ...]:
    return tuple(a for a in setup.defender.abilities if a.name in plan.abilities)


@remembers(4096)
def purse(terms: Terms, plan: Plan) -> Cubes:
    """The attacker's cubes that are left after what was bought so far."""
    spent = costs(_bought(terms.declared, plan)) + Cubes(blue=plan.aims * COST["aim"])
    return terms.striker.cubes - spent


@cites("EE-33")
def reaction_dice(fighter: Fighter, reaction: Reaction, rulings: Rulings) -> DiceLine:
    """The dice that a fighter has for a Dodge or a Center."""
    line = dice_line(fighter.worn.dodge if reaction == "dodge" else fighter.worn.center)
    if rulings[rule.DODGE_DICE] == "attribute" and line.n:
        n = fighter.tactics if reaction == "dodge" else fighter.intuition
        return line._replace(n=n)
    return line


# -- what stands when the dice are picked up -------------------------------------------------


@cites("EE-6", "EE-8")
def defence_total(setup: Setup, plan: Plan) -> Total:
    """The static defence that the attack is tested against, itemised."""
    fighter = setup.defender
    worn = fighter.worn
    name = DEFENCE_FOR[_weapon(setup, plan).kind]
    if name == "phys_def":
        printed, attribute, label = worn.phys_def, worn.per_tactics * fighter.tactics, "Tactics"
    else:
        printed, attribute, label = (
            worn.ess_def, worn.per_intuition * fighter.intuition, "Intuition",
        )  # fmt: skip
    what = "Physical Defense" if name == "phys_def" else "Essential Defense"
    terms = [Modifier(label, attribute, "EE-3")] if attribute else []
    terms += [Modifier(a.name, a.defence, "EE-29") for a in _used(setup, plan) if a.defence]
    return Total(Modifier(what, printed, "EE-6"), tuple(terms))


def _resistance(setup: Setup, plan: Plan, struck: Condition) -> int:
    worn = setup.defender.worn
    active = worn.active.dr if worn.active and struck.active else 0
    return worn.dr + active + sum(a.dr for a in _used(setup, plan))


def _crowd(setup: Setup, weapon: Weapon, rulings: Rulings) -> int:
    hostile = setup.hostile_in_own_zone > 0 or setup.distance_zones == 0
    return CROWDED[weapon.reach] if hostile and _is_bound(weapon, rulings) else 0


def uses_of(focus: tuple[int, ...], cubes: Cubes, rulings: Rulings) -> int:
    """How many of these Focus effects may be used: all, or as many as blue cubes pay for."""
    return min(len(focus), cubes.blue) if rulings[rule.FOCUS_COST] == "blue" else len(focus)


def _attackers(terms: Terms, plan: Plan) -> Tricks:
    fighter, bought = terms.declared.attacker, _bought(terms.declared, plan)
    focus = tuple(sorted(fighter.focus + sum((f.focus for f in bought), ())))
    return Tricks(
        "attacker" if terms.answered is None else "defender",
        on_attack=True,
        rerolls=fighter.rerolls + sum(f.rerolls for f in bought),
        sweeps=fighter.sweeps + sum(f.sweeps for f in bought),
        focus=focus,
        uses=uses_of(focus, purse(terms, plan), terms.rulings),
    )


def _defenders(terms: Terms, plan: Plan, struck: Condition) -> Tricks:
    fighter, used = terms.declared.defender, _used(terms.declared, plan)
    focus = tuple(sorted(fighter.focus + sum((a.focus for a in used), ())))
    if terms.rulings[rule.DODGE_FOCUS] == "attack_only":
        focus = ()
    return Tricks(
        "defender" if terms.answered is None else "attacker",
        on_attack=False,
        rerolls=fighter.rerolls + sum(a.rerolls for a in used),
        sweeps=fighter.sweeps + sum(a.sweeps for a in used),
        focus=focus,
        uses=uses_of(focus, struck.cubes, terms.rulings),
    )


def injury_of(condition: Condition, rulings: Rulings) -> Injured:
    """The Injury of a player character as the end of the Stage asks for it."""
    # One that was discarded again is held no more, but it was taken.
    if condition.taken and (condition.injuries or rulings[rule.STAGE] == "taken"):
        return "taken"
    return "carried" if condition.injuries else "none"


@cites("EE-52")
def counts_as_injured(state: Injured, rulings: Rulings) -> bool:
    """Whether this Injury brings the end of the Stage nearer (A-14)."""
    return state != "none" if rulings[rule.STAGE] == "hold" else state == "taken"


def _is_last(setup: Setup, rulings: Rulings) -> bool:
    """Whether every other player character has taken an Injury already."""
    return all(counts_as_injured(state, rulings) for state in setup.other_pcs)


@cites("EE-5", "EE-6", "EE-14", "EE-15", "EE-30", "EE-33")
@remembers(4096)
def settle(terms: Terms, struck: Condition, plan: Plan) -> Terms:
    """The numbers of an attack once everything is declared; sheets no longer needed are gone.

    Args:
        terms: with the sheets and the attacker's condition.
        struck: the condition of the one who is attacked.
        plan: what both sides decided.
    """
    setup, rulings = terms.declared, terms.rulings
    weapon, bought = _weapon(setup, plan), _bought(setup, plan)
    later = tuple(f for f in weapon.features if f.timing in {"post_roll", "on_hit", "on_damage"})
    line = weapon.line
    crowd, counts_as = _crowd(setup, weapon, rulings), rulings[rule.CROWD]
    extra = sum(f.each_die for f in bought)
    aim = plan.aims * weapon.aim
    base = line.each + aim + extra + (crowd if counts_as == "each_die" else 0)
    defence = defence_total(setup, plan).value
    dodge = DiceLine()
    fitting = REACTION_FOR[weapon.kind]
    if plan.reaction == fitting:
        dodge = reaction_dice(setup.defender, fitting, rulings)
        dodge = dodge._replace(each=dodge.each + sum(a.each_die for a in _used(setup, plan)))
    attackers = _attackers(terms, plan)
    defenders = _defenders(terms, plan, struck) if dodge.n else Tricks("defender", on_attack=False)
    at_most = [f for f in later if f.timing == "post_roll"]
    lift = sum(attackers.focus) + sum(f.each_die + sum(f.focus) for f in at_most)
    raised = max(0, -dodge.n * (1 + dodge.each)) if rulings[rule.NEGATIVE] == "adds" else 0
    most_dodged = max(0, dodge.n * (dodge.sides + dodge.each) + sum(defenders.focus))
    picks_crowded = crowd != 0 and counts_as == "one_die"
    top = max(0, line.sides + base + lift - defence)
    spread = rulings[rule.DODGE]
    keeps = terms.left > 0 or rulings[rule.COUNTER] != "off"
    queue = [tricks for tricks in (attackers, defenders) if not tricks.is_empty]
    if rulings[rule.POST_ROLL] == "defender":
        queue.reverse()
    return Terms(
        rulings=rulings,
        setup=setup if keeps else None,
        left=terms.left,
        striker=terms.striker._replace(cubes=purse(terms, plan)),
        struck=struck,
        answered=terms.answered,
        n_dice=line.n,
        sides=line.sides,
        printed=line.each,
        aim=aim,
        extra=extra,
        crowd=0 if counts_as == "damage" else crowd,
        shift=base - defence,
        picks_crowded=picks_crowded,
        crowded_damage=crowd != 0 and counts_as == "damage",
        low=defence - base - lift - raised,
        high=defence - base + most_dodged + 1 + (1 if picks_crowded else 0),
        keeps_misses=raised > 0,
        damage=weapon.damage + sum(f.damage for f in bought),
        piercing=weapon.piercing + sum(f.piercing for f in bought),
        conditions=tuple(sorted({f.condition for f in bought if f.condition})),
        unmodified=weapon.unmodified,
        must_hit=weapon.unmodified_must_hit,
        defence=defence,
        dr=_resistance(setup, plan, struck),
        reduction=setup.defender.reduction if rulings[rule.REDUCTION] == "apart" else 0,
        retaliation=setup.defender.retaliation,
        dodge_dice=dodge.n,
        dodge_sides=dodge.sides,
        dodge_each=dodge.each,
        dodge_cap=line.n * top if spread == "pool" else top,
        spread=spread,
        tricks=tuple(queue),
        later=later,
        most=setup.defender.most,
        is_pc=setup.defender.side == "pc",
        last=_is_last(setup, rulings),
    )


def band_of(terms: Terms) -> Band:
    """What of an attack die can still matter."""
    return Band(terms.low, terms.high, terms.unmodified)


def parry_band(terms: Terms) -> Band:
    """What of a Dodge or Center die can still matter, the number added to it included."""
    low = 1 + terms.dodge_each
    return Band(low, max(low, terms.dodge_cap))


def die_total(terms: Terms) -> Total:
    """What step 5 adds to each attack die, itemised."""
    rows = [
        Modifier("Aim", terms.aim, "EE-38"),
        Modifier("features", terms.extra, "EE-31"),
        Modifier("hostile in own Zone", 0 if terms.picks_crowded else terms.crowd, "EE-14"),
    ]
    base = Modifier("printed on the attack", terms.printed, "EE-37")
    return Total(base, tuple(row for row in rows if row.value))
