"""Steps 1 and 2: a turn begins, an attack is declared, answered and modified."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from affray.core.errors import SetupError
from affray.core.modifier import Total
from affray.core.node import At, Go, Node, Offer, Option, Step, choose
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import step
from affray.core.telling import counted
from affray.systems.empty_earth import aftermath, roll
from affray.systems.empty_earth import rulings as rule
from affray.systems.empty_earth.conditions import forbidding
from affray.systems.empty_earth.cubes import bundles, costs, name_of, spoken, too_dear
from affray.systems.empty_earth.map import movement
from affray.systems.empty_earth.map.placed import ground_of, in_words, stance_of
from affray.systems.empty_earth.numbers import (
    cursed,
    defense_total,
    for_attack,
    for_defense,
    purse,
    reaction_dice,
    why_not,
)
from affray.systems.empty_earth.sheet import Cubes, Fighter, Setup
from affray.systems.empty_earth.standing import called, condition_of, injury_of, refreshed
from affray.systems.empty_earth.state import NO_PLAN, Actor, Exchange, FighterState, Terms
from affray.systems.empty_earth.tables import COST, REACTION_FOR

__all__ = ["STEPS", "begun", "declare", "declared"]


def declare(setup: Setup, rulings: Rulings) -> At[Exchange]:
    """The first place of an attack or a revival, if the rules allow it.

    Raises:
        SetupError: no fighter who can act, no attack in range and sight, or a revival that the
            book does not allow; says what, and what is allowed. Nothing is spent.
    """
    if setup.act == "revive" and aftermath.is_same(setup):
        who = called(setup.attacker, "attacker")
        raise SetupError(
            f"attacker: {who} can't revive themselves; it takes another player (EE-51)"
        )
    striker, struck = condition_of(setup.attacker), condition_of(setup.defender)
    if setup.act == "revive":
        # The one who revives is a player character in the Stage as well.
        mates = (*setup.other_pcs, injury_of(striker, rulings))
        setup = replace(setup, other_pcs=mates)
    at = declared(setup, striker, struck, rulings)
    terms = replace(at.facts.terms, ground=ground_of(setup))
    return At(at.step, at.facts._replace(terms=terms))


def declared(
    setup: Setup, striker: FighterState, struck: FighterState, rulings: Rulings
) -> At[Exchange]:
    """The start, between two as they are now; what changes in a fight is not on their sheets.

    Raises:
        SetupError: as for `declare`.
    """
    if setup.act == "revive":
        refused = aftermath.why_not_revive(setup, striker, struck)
    elif setup.act == "move":
        refused = movement.why_not_move(setup, striker, rulings)
    else:
        refused = _refused(setup, striker, struck, rulings)
    if refused:
        raise SetupError(refused)
    ground = ground_of(setup) if setup.act == "move" else None
    terms = Terms(
        rulings=rulings, setup=setup, left=setup.attacks - 1, striker=striker, ground=ground
    )  # fmt: skip
    return At(take_action, Exchange(terms, struck, plan=NO_PLAN))


def begun(
    setup: Setup, striker: FighterState, struck: FighterState, rulings: Rulings
) -> At[Exchange]:
    """The start, where the attacker's turn has begun already.

    Raises:
        SetupError: as for `declare`.
    """
    facts = declared(_without_turn(setup), striker, struck, rulings).facts
    terms = replace(facts.terms, setup=setup)
    return At(activate_armor, facts._replace(terms=terms))


@lru_cache(maxsize=4096)
def _without_turn(setup: Setup) -> Setup:
    """A setup in which no turn comes."""
    return replace(setup, new_turn="none")


def _refused(
    setup: Setup, striker: FighterState, struck: FighterState, rulings: Rulings
) -> str | None:
    attacker = called(setup.attacker, "attacker")
    if striker.fallen:
        return f"attacker: {attacker} has no Vitality left and can't act until revived (EE-50)"
    if ban := forbidding(_acting(setup, striker, rulings).conditions, "no_actions"):
        return f"attacker: {attacker} can't act: {ban} (EE-56)"
    if struck.fallen and rulings[rule.FALLEN] == "no":
        return (
            f"defender: {called(setup.defender, 'defender')} is down, and the ruling 'fallen' "
            "(A-17) doesn't allow attacks on those; choose another defender"
        )
    if not setup.attacker.attacks:
        return f"attacker: {attacker} has no attack; give at least one under 'attacks'"
    steps = movement.footholds(setup, rulings) not in {(), (setup.attacker.zone,)}
    return None if steps else _too_far(setup, rulings)


def _too_far(setup: Setup, rulings: Rulings) -> str | None:
    """Why no attack can be declared from where the attacker stands; None: one can."""
    attacker = called(setup.attacker, "attacker")
    reasons = [
        f"{weapon.name or weapon.pool}: {why}"
        for weapon in setup.attacker.attacks
        if (why := why_not(setup, weapon, rulings))
    ]
    if len(reasons) == len(setup.attacker.attacks):
        return f"attacker: {attacker} can't attack from there. {'; '.join(reasons)}"
    return None


def _acting(setup: Setup, striker: FighterState, rulings: Rulings) -> FighterState:
    """The condition in which the attacker acts, once a turn that comes has begun."""
    begins = setup.new_turn == "attacker"
    return refreshed(setup.attacker, striker, rulings) if begins else striker


# -- before an attack ------------------------------------------------------------------------


@step("EE-1", "EE-2")
def take_action(x: Exchange) -> Node[Exchange]:
    """A fighter takes an action; combat is not a phase of its own."""
    if _whose_turn(x):
        return Go(begin_turn, x)
    return Go(_action(x), x)


def _action(x: Exchange) -> Step[Exchange]:
    act = x.terms.declared.act
    if act == "move":
        return movement.walk
    if act == "revive":
        return aftermath.revive
    setup = x.terms.declared
    stays = movement.footholds(setup, x.rulings) == (setup.attacker.zone,)
    further = x.terms.left < setup.attacks - 1
    return declare_attack if stays or further else movement.approach


def _whose_turn(x: Exchange) -> Actor | None:
    """Name the one whose turn begins before this attack; between two it is the defender's."""
    setup = x.terms.declared
    if x.terms.left < setup.attacks - 1:
        return "defender"
    return None if setup.new_turn == "none" else setup.new_turn


def _person(x: Exchange) -> tuple[Fighter, FighterState]:
    """The fighter whose turn begins, and their condition."""
    setup = x.terms.declared
    if _whose_turn(x) == "attacker":
        return setup.attacker, x.terms.striker
    return setup.defender, x.defending


def _with_condition(x: Exchange, condition: FighterState) -> Exchange:
    if _whose_turn(x) == "attacker":
        return x._replace(terms=replace(x.terms, striker=condition))
    return x._replace(struck=condition)


@step("EE-26", "EE-56", "EE-60", "EE-61", "EE-71")
def begin_turn(x: Exchange) -> Node[Exchange]:
    """A turn begins: Shields, the Armor's effect and some Conditions end, reactions come back."""
    fighter, condition = _person(x)
    return Go(activate_armor, _with_condition(x, refreshed(fighter, condition, x.rulings)))


@begin_turn.says
def _(before: Exchange, after: Exchange) -> str:
    old, new = _person(before)[1], _person(after)[1]
    told = f"{_whose_turn(before)}: Shields {old.shields} -> {new.shields}."
    ended = [name for name in old.named if name not in new.named]
    told += f" {', '.join(ended)} ends." if ended else ""
    gained = new.cubes - old.cubes
    return told + (f" {spoken(gained)} come in." if gained.number else "")


@step("EE-60")
def activate_armor(x: Exchange) -> Node[Exchange]:
    """During their turn a fighter may buy the Armor's active effect for a blue cube."""
    fighter, condition = _person(x)
    price = Cubes(blue=COST["armor"])
    active = fighter.worn.active
    then = _action(x)
    if active is None or condition.fallen or forbidding(condition.conditions, "no_actions"):
        return Go(then, x)
    offer = Offer(Option("no", At(then, x), words="leave the Armor's active effect off"))
    if not active.dr and x.rulings[rule.REACTIONS] == "every_attack":
        offer.close("activate", "it only adds reactions, and they have no limit (A-30)")
    elif condition.cubes.covers(price):
        on = condition._replace(
            active=True,
            reactions=max(condition.reactions, active.reactions),
            cubes=condition.cubes - price,
        )
        found = [f"+{active.dr} DR"] if active.dr else []
        if x.rulings[rule.REACTIONS] != "every_attack":
            found.append(f"{counted(on.reactions, 'reaction')} until your next turn")
        words = f"{counted(price.blue, 'blue cube')}: {', '.join(found)}"
        offer.add("activate", At(then, _with_condition(x, on)), price.number, words)
    else:
        offer.close("activate", "no blue cube is left (EE-60)")
    who = _whose_turn(x) or "defender"
    return offer.choose(who, "a blue cube for the Armor's active effect?")


# -- step 1: declaration and answer ----------------------------------------------------------


def _named(fighter: Fighter, actor: Actor) -> str:
    """The fighter's name, or the part played, at the beginning of a sentence."""
    return fighter.name or f"The {actor}"


def _after(decision: Step[Exchange], rulings: Rulings) -> Step[Exchange]:
    """The step after one of the decisions that come before the roll.

    The defender answers before the attacker modifies the attack, or, under another reading,
    just before the roll.
    """
    answer = (choose_reaction, use_abilities)
    modify = (buy_features, take_aim)
    both = (*modify, *answer) if rulings[rule.REACTION] == "last" else (*answer, *modify)
    order = (buy_immediate, *both, roll.roll_attack)
    return order[order.index(decision) + 1]


@step("EE-5", "EE-16", "EE-28")
def declare_attack(x: Exchange) -> Node[Exchange]:
    """Step 1: the attacker declares an attack line against the defender."""
    setup = x.terms.declared
    offer: Offer[Exchange] = Offer()
    for place, weapon in enumerate(setup.attacker.attacks):
        name = weapon.name or f"line-{place + 1}"
        if why := why_not(setup, weapon, x.rulings):
            offer.close(name, why)
        else:
            after = x._replace(plan=NO_PLAN._replace(line=place))
            offer.add(name, At(buy_immediate, after), 0, weapon.pool)
    return offer.choose(x.striker, "which attack?")


@declare_attack.says
def _(before: Exchange, after: Exchange) -> str:
    setup = before.terms.declared
    weapon = setup.attacker.attacks[after.planned.line]
    attacks = f"{_named(setup.attacker, before.striker)} attacks: {weapon.pool}."
    if setup.map is None:
        return attacks
    stance = in_words(stance_of(setup, before.rulings))
    return f"{attacks} To {called(setup.defender, before.target)}: {stance}."


@declare_attack.opens
def _(before: Exchange, after: Exchange) -> str:
    setup = before.terms.declared
    weapon = setup.attacker.attacks[after.planned.line].name.replace("_", " ")
    who, whom = _named(setup.attacker, before.striker), called(setup.defender, before.target)
    return f"{who} attacks {whom}{f' with {weapon}' if weapon else ''}"


def _buy(
    x: Exchange, timing: Literal["immediate", "pre_roll"], then: Step[Exchange]
) -> Node[Exchange]:
    features = for_attack(x.terms.declared, x.planned, timing)
    if not features:
        return Go(then, x)
    cubes = purse(x.terms, x.planned)
    options = []
    for bundle in bundles(features, cubes):
        names = tuple(f.name for f in bundle)
        plan = x.planned._replace(bought=x.planned.bought + names)
        cost = costs(bundle)
        words = f"for {spoken(cost)}" if bundle else "buy nothing"
        options.append(Option(name_of(bundle), At(then, x._replace(plan=plan)), cost.number, words))
    about = (("cubes", spoken(cubes)),)
    return choose(
        x.striker, "cubes for features of the attack?", options, about, too_dear(features, cubes)
    )


@step("EE-28", "EE-31")
def buy_immediate(x: Exchange) -> Node[Exchange]:
    """Step 1: the attacker buys features and Abilities with an immediate effect."""
    return _buy(x, "immediate", _after(buy_immediate, x.rulings))


@step("EE-29", "EE-33", "EE-61")
def choose_reaction(x: Exchange) -> Node[Exchange]:
    """Step 1: before the roll the defender decides whether to Dodge or to Center."""
    setup, struck = x.terms.declared, x.defending
    priced = x.rulings[rule.DODGE_DICE] == "cube"
    price = Cubes(blue=COST["reaction"] if priced else 0)
    then = _after(choose_reaction, x.rulings)
    offer = Offer(Option("none", At(then, x)))
    for reaction in REACTION_FOR.values():
        line = reaction_dice(setup.defender, reaction, x.rulings)
        limited = x.rulings[rule.REACTIONS] == "between_turns"
        why = _why_no_reaction(struck, line.n, price, limited=limited)
        if why:
            offer.close(reaction, why)
            continue
        after = x._replace(
            plan=x.planned._replace(reaction=reaction),
            struck=struck._replace(
                reactions=struck.reactions - limited, cubes=struck.cubes - price
            ),
        )
        each = f"{line.each:+d}" if line.each else ""
        offer.add(reaction, At(then, after), price.number, f"{line.n}d{line.sides}{each}")
    about = (("against", setup.attacker.attacks[x.planned.line].pool),)
    return offer.choose(x.target, "Dodge or Center?", about)


def _why_no_reaction(
    struck: FighterState, n_dice: int, price: Cubes, *, limited: bool
) -> str | None:
    if struck.fallen:
        return "a fighter who is down can't act (EE-50)"
    if ban := forbidding(struck.conditions, "no_reactions"):
        return f"{ban} forbids it (EE-56)"
    if not n_dice:
        return "there are no dice for it on the stat block or Armor (EE-29)"
    if limited and not struck.reactions:
        return "no reaction is left until the next turn (EE-61)"
    if not struck.cubes.covers(price):
        return "no blue cube is left for it (A-2)"
    return None


@choose_reaction.says
def _(before: Exchange, after: Exchange) -> str:
    words = {"none": "doesn't react", "dodge": "Dodges", "center": "Centers"}
    who = _named(before.terms.declared.defender, before.target)
    return f"{who} {words[after.planned.reaction]}."


@step("EE-29")
def use_abilities(x: Exchange) -> Node[Exchange]:
    """Step 1: before the roll the defender may use immediate Abilities."""
    setup, struck = x.terms.declared, x.defending
    then = _after(use_abilities, x.rulings)
    offered = for_defense(setup, "immediate")
    if struck.fallen or forbidding(struck.conditions, "no_actions"):
        offered = ()
    if x.rulings[rule.BOTH] == "no" and x.planned.reaction != "none":
        offered = ()
    if not offered:
        return Go(then, x)
    options = []
    for bundle in bundles(offered, struck.cubes):
        cost = costs(bundle)
        after = x
        if bundle:
            curses = [a.condition for a in bundle if a.condition]
            after = x._replace(
                terms=cursed(x.terms, curses),
                plan=x.planned._replace(abilities=tuple(a.name for a in bundle)),
                struck=struck._replace(
                    cubes=struck.cubes - cost,
                    shields=struck.shields + sum(a.shields for a in bundle),
                ),
            )
        words = f"for {spoken(cost)}" if bundle else "use nothing"
        options.append(Option(name_of(bundle), At(then, after), cost.number, words))
    return choose(x.target, "immediate Abilities?", options, closed=too_dear(offered, struck.cubes))


# -- step 2: modifiers -----------------------------------------------------------------------


@step("EE-30", "EE-31", "EE-57")
def buy_features(x: Exchange) -> Node[Exchange]:
    """Step 2: the attacker spends cubes on Weapon Features and own Abilities."""
    return _buy(x, "pre_roll", _after(buy_features, x.rulings))


def _bought(before: Exchange, after: Exchange) -> str:
    """What was bought for the attack, by name."""
    return ", ".join(after.planned.bought[len(before.planned.bought) :])


buy_immediate.briefly(_bought)


buy_features.briefly(_bought)


@step("EE-30", "EE-38")
def take_aim(x: Exchange) -> Node[Exchange]:
    """Step 2: the attacker spends blue cubes to Aim."""
    weapon = x.terms.declared.attacker.attacks[x.planned.line]
    then = _after(take_aim, x.rulings)
    cubes = purse(x.terms, x.planned)
    can = cubes.blue // COST["aim"] if weapon.aim else 0
    if x.rulings[rule.AIM] == "once":
        can = min(1, can)
    offer: Offer[Exchange] = Offer()
    for aims in range(can + 1):
        name = "no" if not aims else "aim" if aims == 1 else f"aim-{aims}"
        after = x._replace(plan=x.planned._replace(aims=aims))
        words = f"+{aims * weapon.aim} on every die" if aims else "don't aim"
        offer.add(name, At(then, after), aims * COST["aim"], words)
    if not can:
        why = "the attack has no Aim value" if not weapon.aim else "no blue cube is left"
        offer.close("aim", f"{why} (EE-38)")
    return offer.choose(x.striker, "blue cubes to Aim?")


@take_aim.says
def _(before: Exchange, after: Exchange) -> list[str | Total]:
    return [defense_total(before.terms.declared, after.planned, after.defending)]


@take_aim.briefly
def _(before: Exchange, after: Exchange) -> str:
    return f"{counted(after.planned.aims, 'cube')} to Aim" if after.planned.aims else ""


STEPS = (
    take_action, begin_turn, activate_armor, declare_attack, buy_immediate, choose_reaction,
    use_abilities, buy_features, take_aim,
)  # fmt: skip
"""The steps of this chapter in the order of the book."""
