"""From sheets to numbers: what may be declared, and what stands when the dice are picked up."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.modifier import Modifier, Total
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.core.unknown import remembers
from affray.systems.empty_earth import rulings as rule
from affray.systems.empty_earth.cards import DICE, Affliction, Timing, serves
from affray.systems.empty_earth.conditions import forbidding, grown, shift
from affray.systems.empty_earth.cubes import costs
from affray.systems.empty_earth.gear import DiceLine, Weapon, dice_line
from affray.systems.empty_earth.map.placed import LIES, stance_of
from affray.systems.empty_earth.reading import Band
from affray.systems.empty_earth.sheet import Cubes, Feature, Fighter, Setup
from affray.systems.empty_earth.standing import is_last, strikes_back
from affray.systems.empty_earth.state import (
    NO_PLAN,
    Actor,
    AttackDice,
    DodgeDice,
    FighterState,
    Hit,
    Plan,
    PostRoll,
    Target,
    Terms,
)
from affray.systems.empty_earth.tables import (
    COST,
    CROWDED,
    DEFENSE_FOR,
    REACTION_FOR,
    SEEN,
    Reaction,
)

__all__ = [
    "band_of",
    "cursed",
    "defense_total",
    "die_total",
    "for_attack",
    "for_defense",
    "parry_band",
    "purse",
    "reaction_dice",
    "settle",
    "suffering",
    "uses_of",
    "why_not",
]  # fmt: skip


# -- what may be declared --------------------------------------------------------------------


def _is_bound(weapon: Weapon, rulings: Rulings) -> bool:
    """Say if range, sight and the crowd concern this attack at all."""
    return rulings[rule.ICONS] == "four" or weapon.kind == "physical"


@cites("EE-9", "EE-10", "EE-11", "EE-12", "EE-13", "EE-16")
def why_not(setup: Setup, weapon: Weapon, rulings: Rulings) -> str | None:
    """Why this attack can't be declared from where the attacker stands, or None if it can."""
    if not _is_bound(weapon, rulings):
        return None
    stance = stance_of(setup, rulings)
    zones = stance.zones
    away = "is where no way leads" if zones is None else f"is {zones} away"
    if weapon.reach == "melee":
        if not stance.adjacent:
            return f"melee reaches figures in the same Zone; this one {away} (EE-9)"
        return None
    if zones is None or zones > weapon.range_zones:
        return f"its range is {weapon.range_zones} Zones; the target {away} (EE-11)"
    if not stance.adjacent and not SEEN[rulings[rule.SIGHT], stance.line]:
        return f"no Line of Sight: {LIES[stance.line]} (EE-12)"
    return None


def _weapon(setup: Setup, plan: Plan) -> Weapon:
    return setup.attacker.attacks[plan.line]


@cites("EE-30", "EE-57")
def for_attack(setup: Setup, plan: Plan, *timings: Timing) -> tuple[Feature, ...]:
    """List what the attacker can buy at these timings: Weapon Features, then own Abilities."""
    own = [a for a in setup.attacker.abilities if serves(a, "attacker")]
    return tuple(f for f in (*_weapon(setup, plan).features, *own) if f.timing in timings)


@cites("EE-29", "EE-34", "EE-57")
def for_defense(setup: Setup, timing: Timing) -> tuple[Feature, ...]:
    """List the Abilities that the defender can use at this timing."""
    return tuple(
        a for a in setup.defender.abilities if a.timing == timing and serves(a, "defender")
    )


def _bought(setup: Setup, plan: Plan) -> tuple[Feature, ...]:
    features = (*_weapon(setup, plan).features, *setup.attacker.abilities)
    return tuple(f for f in features if f.name in plan.bought)


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
def defense_total(setup: Setup, plan: Plan, struck: FighterState) -> Total:
    """The static defense that the attack is tested against, itemised."""
    fighter = setup.defender
    worn = fighter.worn
    name = DEFENSE_FOR[_weapon(setup, plan).kind]
    if name == "phys_def":
        printed, attribute, label = worn.phys_def, worn.per_tactics * fighter.tactics, "Tactics"
    else:
        printed, attribute, label = (
            worn.ess_def, worn.per_intuition * fighter.intuition, "Intuition",
        )  # fmt: skip
    what = "Physical Defense" if name == "phys_def" else "Essential Defense"
    terms = [Modifier(label, attribute, "EE-3")] if attribute else []
    terms += [Modifier(a.name, a.defence, "EE-29") for a in _used(setup, plan) if a.defence]
    terms += [
        Modifier(one.card.name, getattr(one.card, name), "EE-56")
        for one in struck.conditions
        if getattr(one.card, name)
    ]
    return Total(Modifier(what, printed, "EE-6"), tuple(terms))


def _resistance(setup: Setup, plan: Plan, struck: FighterState) -> int:
    worn = setup.defender.worn
    active = worn.active.dr if worn.active and struck.active else 0
    used = sum(a.dr for a in _used(setup, plan))
    return worn.dr + active + used + shift(struck.conditions, "dr")


def _crowd(setup: Setup, weapon: Weapon, rulings: Rulings) -> int:
    hostiles = stance_of(setup, rulings).hostiles
    return CROWDED[weapon.reach] if hostiles and _is_bound(weapon, rulings) else 0


def uses_of(focus: tuple[int, ...], cubes: Cubes, rulings: Rulings) -> int:
    """Count the Focus effects that may be used: all, or as many as blue cubes pay for."""
    return min(len(focus), cubes.blue) if rulings[rule.FOCUS_COST] == "blue" else len(focus)


def _attackers(terms: Terms, plan: Plan) -> PostRoll:
    fighter, bought = terms.declared.attacker, _bought(terms.declared, plan)
    focus = tuple(sorted(fighter.focus + sum((f.focus for f in bought), ())))
    return PostRoll(
        "attacker" if terms.answered is None else "defender",
        on_attack=True,
        rerolls=fighter.rerolls + sum(f.rerolls for f in bought),
        sweeps=fighter.sweeps + sum(f.sweeps for f in bought),
        focus=focus,
        uses=uses_of(focus, purse(terms, plan), terms.rulings),
    )


def _defending(terms: Terms) -> Actor:
    return "defender" if terms.answered is None else "attacker"


def _defenders(terms: Terms, plan: Plan, struck: FighterState) -> PostRoll:
    fighter, used = terms.declared.defender, _used(terms.declared, plan)
    focus = tuple(sorted(fighter.focus + sum((a.focus for a in used), ())))
    if terms.rulings[rule.DODGE_FOCUS] == "attack_only":
        focus = ()
    return PostRoll(
        _defending(terms),
        on_attack=False,
        rerolls=fighter.rerolls + sum(a.rerolls for a in used),
        sweeps=fighter.sweeps + sum(a.sweeps for a in used),
        focus=focus,
        uses=uses_of(focus, struck.cubes, terms.rulings),
    )


@cites("EE-5", "EE-6", "EE-14", "EE-15", "EE-30", "EE-33")
@remembers(4096)
def settle(terms: Terms, struck: FighterState, plan: Plan) -> Terms:
    """The numbers of an attack once everything is declared; sheets no longer needed are gone.

    Args:
        terms: with the sheets and the attacker's condition.
        struck: the condition of the one who is attacked.
        plan: what both sides decided.
    """
    setup, rulings = terms.declared, terms.rulings
    later = for_attack(setup, plan, "post_roll", "on_hit", "on_damage")
    answer = _answer(setup, plan, struck, rulings)
    ready = _ready(setup, struck, answer)
    attackers = _attackers(terms, plan)._replace(buys=any(f.timing == "post_roll" for f in later))
    defenders = PostRoll(_defending(terms), on_attack=False)
    if answer.n:
        defenders = _defenders(terms, plan, struck)
    if ready:
        defenders = defenders._replace(buys=True)
    target = _target(setup, plan, struck, rulings)
    attack = _attack_dice(terms, plan, target.defense)
    lift = sum(attackers.focus)
    lift += sum(f.each_die + sum(f.focus) for f in later if f.timing == "post_roll")
    parried = sum(defenders.focus)
    parried += sum(a.defence + answer.n * a.each_die + sum(a.focus) for a in ready)
    queue = [side for side in (attackers, defenders) if not side.is_empty]
    if rulings[rule.POST_ROLL] == "defender":
        queue.reverse()
    keeps = terms.left > 0 or strikes_back(rulings) or setup.defender.retaliation or setup.stage_end
    return Terms(
        rulings=rulings,
        setup=setup if keeps else None,
        left=terms.left,
        striker=terms.striker._replace(
            cubes=purse(terms, plan),
            shields=terms.striker.shields + sum(f.shields for f in _bought(setup, plan)),
        ),
        struck=struck,
        answered=terms.answered,
        attack=_banded(attack, answer, lift, parried, rulings),
        dodge=_dodge_dice(attack, answer, lift, rulings)._replace(
            name=REACTION_FOR[_weapon(setup, plan).kind].capitalize()
        ),
        hit=_hit(setup, plan, rulings),
        target=target,
        post_roll=tuple(queue),
        later=later,
        ready=ready,
        ground=terms.ground,
    )


def _ready(setup: Setup, struck: FighterState, answer: DiceLine) -> tuple[Feature, ...]:
    """List the defender's Abilities after the roll; without own dice only those that need none."""
    if struck.fallen or forbidding(struck.conditions, "no_actions"):
        return ()
    found = for_defense(setup, "post_roll")
    return found if answer.n else tuple(a for a in found if not a.effects <= DICE)


def _answer(setup: Setup, plan: Plan, struck: FighterState, rulings: Rulings) -> DiceLine:
    """The dice of the reaction that fits the attack; none for another or none."""
    fitting = REACTION_FOR[_weapon(setup, plan).kind]
    if plan.reaction != fitting:
        return DiceLine()
    line = reaction_dice(setup.defender, fitting, rulings)
    used = sum(a.each_die for a in _used(setup, plan))
    return line._replace(each=line.each + used + shift(struck.conditions, "each_die"))


def _target(setup: Setup, plan: Plan, struck: FighterState, rulings: Rulings) -> Target:
    defender = setup.defender
    return Target(
        defense=defense_total(setup, plan, struck).value,
        dr=_resistance(setup, plan, struck),
        reduction=defender.reduction if rulings[rule.REDUCTION] == "apart" else 0,
        retaliation=defender.retaliation,
        most=defender.vitality_max,
        is_pc=defender.side == "pc",
        last=is_last(setup, rulings),
        deck=setup.injury_deck if defender.side == "pc" else (),
    )


@cites("EE-55")
@remembers(1024)
def suffering(setup: Setup, struck: FighterState, rulings: Rulings) -> Target:
    """The numbers of a setup's defender for damage that comes without a roll."""
    defender = setup.defender
    return Target(
        dr=_resistance(setup, NO_PLAN, struck),
        reduction=defender.reduction if rulings[rule.REDUCTION] == "apart" else 0,
        most=defender.vitality_max,
        is_pc=defender.side == "pc",
        last=is_last(setup, rulings),
        deck=setup.injury_deck if defender.side == "pc" else (),
    )


def _attack_dice(terms: Terms, plan: Plan, defense: int) -> AttackDice:
    """The attack dice with what is added to each, without what can still change them."""
    setup, rulings = terms.declared, terms.rulings
    weapon, line = _weapon(setup, plan), _weapon(setup, plan).line
    crowd, counts_as = _crowd(setup, weapon, rulings), rulings[rule.CROWD]
    extra = sum(f.each_die for f in _bought(setup, plan))
    aim = plan.aims * weapon.aim
    suffered = shift(terms.striker.conditions, "each_die")
    added = line.each + aim + extra + suffered
    return AttackDice(
        n=line.n,
        sides=line.sides,
        printed=line.each,
        aim=aim,
        extra=extra,
        suffered=suffered,
        crowd=0 if counts_as == "damage" else crowd,
        shift=added + (crowd if counts_as == "each_die" else 0) - defense,
        picks_crowded=crowd != 0 and counts_as == "one_die",
        unmodified=weapon.fires[0],
        unmodified_to=weapon.fires[1],
        must_hit=weapon.unmodified_must_hit,
    )


def _banded(
    attack: AttackDice, answer: DiceLine, lift: int, parried: int, rulings: Rulings
) -> AttackDice:
    """The attack dice with the range of values that can still matter.

    Args:
        attack: the dice.
        answer: the dice of the reaction.
        lift: the most that effects after the roll add to a die.
        parried: the most that they add to the reaction.
        rulings: what a negative Dodge does.
    """
    raised = max(0, -answer.n * (1 + answer.each)) if rulings[rule.NEGATIVE] == "adds" else 0
    most_dodged = max(0, answer.n * (answer.sides + answer.each) + parried)
    return attack._replace(
        low=-attack.shift - lift - raised,
        high=-attack.shift + most_dodged + 1 + (1 if attack.picks_crowded else 0),
        keeps_misses=raised > 0,
    )


def _dodge_dice(attack: AttackDice, answer: DiceLine, lift: int, rulings: Rulings) -> DodgeDice:
    """The dice of the reaction; what is beyond the highest attack dice stops no more."""
    top = max(0, attack.sides + attack.shift + lift)
    spread = rulings[rule.DODGE]
    cap = attack.n * top if spread == "pool" else top
    return DodgeDice(answer.n, answer.sides, answer.each, cap, spread)


def _hit(setup: Setup, plan: Plan, rulings: Rulings) -> Hit:
    weapon, bought = _weapon(setup, plan), _bought(setup, plan)
    crowded = rulings[rule.CROWD] == "damage" and _crowd(setup, weapon, rulings) != 0
    return Hit(
        damage=weapon.damage + sum(f.damage for f in bought),
        piercing=weapon.piercing + sum(f.piercing for f in bought),
        crowded=crowded,
        conditions=tuple(f.condition for f in bought if f.condition),
        special=weapon.unmodified_effect,
    )


def band_of(attack: AttackDice) -> Band:
    """Give the values of an attack die that can still matter."""
    return Band(attack.low, attack.high, attack.unmodified, attack.unmodified_to)


def parry_band(dodge: DodgeDice) -> Band:
    """Give the values of a Dodge or Center die that can still matter, its +X included."""
    low = 1 + dodge.each
    return Band(low, max(low, dodge.cap))


def die_total(attack: AttackDice) -> Total:
    """Itemize the modifiers that step 5 adds to each attack die."""
    rows = [
        Modifier("Aim", attack.aim, "EE-38"),
        Modifier("features", attack.extra, "EE-31"),
        Modifier("Conditions", attack.suffered, "EE-56"),
        Modifier("hostile in own Zone", 0 if attack.picks_crowded else attack.crowd, "EE-14"),
    ]
    base = Modifier("printed on the attack", attack.printed, "EE-37")
    return Total(base, tuple(row for row in rows if row.value))


@cites("EE-57")
def cursed(terms: Terms, curses: Sequence[Affliction]) -> Terms:
    """Terms with Conditions that an Ability brings upon the attacker."""
    if not curses:
        return terms
    striker = terms.striker
    return replace(terms, striker=striker._replace(conditions=grown(striker.conditions, curses)))
