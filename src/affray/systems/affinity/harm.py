"""Step 8: allies Intervene, and the target defends layer by layer from the outermost inward."""

from __future__ import annotations

from typing import Literal

from affray.core.modifier import Total
from affray.core.node import At, Chance, Go, Node, Offer, Option, Pointer, Step
from affray.core.step import step
from affray.systems.affinity import aftermath
from affray.systems.affinity import rulings as rule
from affray.systems.affinity.attempts import threshold_of, tracks_exertion
from affray.systems.affinity.numbers import (
    Braced,
    body_die,
    braced,
    capacity_of,
    defend_dice,
    is_among,
    matters,
    modes_of,
    spoken,
)
from affray.systems.affinity.reading import ACTION_DICE, Cancels, Rolled, Successes, pool_of
from affray.systems.affinity.sheet import Combatant, DamageType
from affray.systems.affinity.state import Cover, Exchange, Guard, Helped
from affray.systems.affinity.tables import BONUS, DIE, ECONOMY, KINDS

__all__ = ["STEPS", "lose_hd", "meet_damage", "meet_hazard", "suffered", "type_kept"]


SIDES = len(DIE.faces)
"""Sides of the dice that are not those of a layer."""


def suffered(sheet: Combatant, damage_type: DamageType, damage: int) -> int:
    """Damage of a type before any defense: none to the immune, twice as much where doubled."""
    if is_among(damage_type, sheet.immune):
        return 0
    return damage * BONUS["double"] if is_among(damage_type, sheet.doubled) else damage


def type_kept(sheet: Combatant, damage_type: DamageType) -> DamageType | Literal[""]:
    """The type of damage where the defender's dice depend on it, else nothing."""
    return damage_type if matters(sheet, damage_type) else ""


# -- damage comes ----------------------------------------------------------------------------


@step("AF-20", "AF-31", "AF-72")
def meet_hazard(x: Exchange) -> Node[Exchange]:
    """A hazard damages the defender, moves them, or imposes conditions."""
    hazard, sheet = x.terms.setup.hazard, x.terms.setup.defender
    assert hazard is not None  # only then does the turn come here
    dealt = suffered(sheet, hazard.type, hazard.damage)
    after = x._replace(
        dealt=dealt,
        damage=dealt,
        type=type_kept(sheet, hazard.type),
        moved=hazard.moves_yd,
        conditions=hazard.conditions,
        daunts=hazard.daunts and aftermath.may_check(x),
    )
    return Go(meet_damage, after)


@meet_hazard.briefly
@meet_hazard.says
def _(before: Exchange, after: Exchange) -> str:
    hazard = before.terms.setup.hazard
    assert hazard is not None
    name = hazard.name or "a harmful effect"
    when = f" at count {hazard.count}" if hazard.count else ""
    told = [f"{after.dealt} HD of {hazard.type} damage"] if hazard.damage else []
    told += [f"the defender is moved {after.moved} yards"] if after.moved else []
    told += [f"the defender is {condition.name}" for condition in after.conditions]
    told += ["the defender checks Resolve"] if after.daunts else []
    return f"{name.capitalize()}{when}: {', '.join(told) or 'nothing happens'}."


@step("AF-8", "AF-20", "AF-29", "AF-30")
def meet_damage(x: Exchange) -> Node[Exchange]:
    """Step 8: the target defends if there is damage to defend against."""
    x = x._replace(plan=None)
    if not x.damage:
        return Go(aftermath.look_at_attacker, x._replace(type=""))
    modes = modes_of(x.terms.rulings)
    x = x._replace(defends=x.terms.struck.defending and not modes.every)
    if modes.by_points:
        dice = braced(x.terms, x.type, defends=True)
        x = x._replace(left=dice.capacity, bonus=dice.bonus, defends=False, type="")
    if x.terms.guards and not modes.after:
        return Go(ask_ally, x)
    return Go(_first_roll(x), x)


def _first_roll(x: Exchange) -> Step[Exchange]:
    """The step with which the defense proper begins."""
    return roll_body if modes_of(x.terms.rulings).single else _next_layer(x)


def _next_layer(x: Exchange) -> Step[Exchange]:
    if modes_of(x.terms.rulings).by_points:
        return roll_points
    return roll_layer if x.covers else roll_body


# -- allies ----------------------------------------------------------------------------------


@step("AF-12", "AF-41")
def ask_ally(x: Exchange) -> Node[Exchange]:
    """An ally who has not acted yet may spend an action to cancel damage."""
    guard = x.terms.guards[x.asked]
    over = _all_asked(x._replace(asked=x.asked + 1))
    offer = Offer(Option("no", over, 0, "stay out of it"))
    if guard.why:
        offer.close("intervene", guard.why)
    elif x.helped and x.rulings[rule.INTERVENERS] == "one":
        offer.close("intervene", "another ally did already (A-24)")
    else:
        for exertion in range(guard.cap + 1):
            name = f"intervene-{exertion}" if exertion else "intervene"
            mine = Helped(guard.place, 0, exertion)
            after = x._replace(helped=(*x.helped, mine))
            words = f"an action and {spoken(exertion, 'exertion')}" if exertion else "an action"
            points = Pointer(unit=guard.name)
            offer.add(name, At(roll_ally, after), ECONOMY["each"], words, points=points)
        offer.close(f"intervene-{guard.cap + 1}", f"the cap is {guard.cap} (AF-1)")
    about = (("ally", guard.name), ("damage", x.damage))
    return offer.choose("ally", "Intervene?", about)


def _all_asked(x: Exchange) -> At[Exchange]:
    """After an ally the next one is asked while there is damage, else the defense follows."""
    if x.damage and x.asked < len(x.terms.guards):
        return At(ask_ally, x)
    if not x.damage:
        return At(aftermath.look_at_attacker, _forget(x))
    if modes_of(x.terms.rulings).after:
        return At(lose_hd, x)
    return At(_first_roll(x), x)


def _guard(x: Exchange) -> Guard:
    return x.terms.guards[x.asked]


@step("AF-3", "AF-41")
def roll_ally(x: Exchange) -> Node[Exchange]:
    """The ally rolls Proficiency and exertion dice, a basic action."""
    guard, mine = _guard(x), x.helped[-1]
    threshold = threshold_of(None, KINDS["intervene"], x.rulings)
    pool = pool_of((SIDES, guard.safe), (SIDES, mine.exerted), ACTION_DICE)
    read = Successes(threshold, guard.safe, most=max(x.damage, guard.needs))
    return Chance("ally", "Intervene roll", pool, read, "rolled", At(cancel_for_ally, x))


@step("AF-7", "AF-41")
def cancel_for_ally(x: Exchange) -> Node[Exchange]:
    """Each success of the ally cancels a point; ones on exertion dice burn as usual."""
    guard, mine, rolled = _guard(x), x.helped[-1], x.rolled or Rolled()
    cancels = rolled.successes if rolled.successes >= guard.needs else 0
    tracked = mine.exerted if tracks_exertion(x.rulings) else 0
    paid = Helped(mine.place, rolled.ones, tracked)
    after = x._replace(
        rolled=None,
        damage=max(0, x.damage - cancels),
        helped=(*x.helped[:-1], paid),
        asked=x.asked + 1,
    )
    return Go(*_all_asked(after))


@cancel_for_ally.briefly
@cancel_for_ally.says
def _(before: Exchange, after: Exchange) -> str:
    burned = after.helped[-1].burned
    cost = f" and burns {burned} HD" if burned else ""
    return f"{_guard(before).name} cancels {before.damage - after.damage}{cost}."


# -- layers ----------------------------------------------------------------------------------


def _dice(x: Exchange) -> Braced:
    """The dice of the roll that comes now, those of Defend with it where they belong."""
    modes = modes_of(x.terms.rulings)
    return braced(x.terms, x.type, defends=modes.every or (modes.once and x.defends))


def _rolled_against(x: Exchange, die: int, then: Step[Exchange]) -> Node[Exchange]:
    """A roll of so many dice of a kind and bonus dice; none where nothing can be canceled."""
    dice = _dice(x)
    modes = modes_of(x.terms.rulings)
    strict = modes.strict and x.damage > dice.limit
    if strict or not dice.capacity + dice.bonus:
        return Go(then, x)
    if modes.once and x.defends:
        x = x._replace(defends=False)
    labels = ("capacity", "bonus") if dice.bonus else ("", "")
    pool = pool_of((die, dice.capacity), (SIDES, dice.bonus), labels)
    return Chance(x.defender, f"defend against {x.damage} damage", pool, Cancels(x.damage),
                  "cancels", At(then, x))  # fmt: skip


def _says_dice(before: Exchange, after: Exchange) -> list[str | Total]:
    dice = _dice(before)
    if modes_of(before.rulings).strict and before.damage > dice.limit:
        return [f"{before.damage} damage exceeds capacity {dice.limit}: no roll."]
    if before.damage > dice.limit and before.rulings[rule.OVERWHELM] == "roll":
        beyond = f"{before.damage} damage exceeds capacity {dice.limit}"
        return [dice.total, f"{beyond}; rolled anyway (reading A-1)."]
    return [dice.total]


@step("AF-21", "AF-22", "AF-23", "AF-24", "AF-25", "AF-26", "AF-30", "AF-31")
def roll_layer(x: Exchange) -> Node[Exchange]:
    """The outermost layer's dice are rolled for the defense; each 5 or more cancels a point."""
    if x.bare:
        return Go(settle_layer, x)
    return _rolled_against(x, x.covers[0].die, settle_layer)


roll_layer.says(_says_dice)


@step("AF-23", "AF-27")
def settle_layer(x: Exchange) -> Node[Exchange]:
    """A layer holds if all damage is canceled; else it is gone and the rest passes inward."""
    cover, *inner = x.covers
    damage, modes = x.damage - x.cancels, modes_of(x.terms.rulings)
    beyond = x.damage > capacity_of(x.terms)
    holds = not damage and not (beyond and modes.depletes)
    if x.cancels and beyond and modes.absorb_one:
        damage = 0
    elif modes.absorb and damage:
        holds = damage < cover.temp_hd
        cover = cover._replace(temp_hd=max(0, cover.temp_hd - damage))
        damage = max(0, damage - x.covers[0].temp_hd)
    if holds:
        kept = (cover, *inner)
        after = x._replace(cancels=0, damage=damage)
        if kept != x.covers:
            after = after._replace(layers=kept)
        return Go(_pierced(after), _stopped(after))
    after = x._replace(cancels=0, damage=damage, layers=tuple(inner))
    if not damage or (after.bare and not inner):
        return Go(_pierced(after), _stopped(after))
    return Go(_next_layer(after), after)


@settle_layer.says
def _(before: Exchange, after: Exchange) -> str:
    kind = before.covers[0].kind
    fate = "is gone" if len(after.covers) < len(before.covers) else "holds"
    passed = f"; {after.damage} pass inward" if after.damage else ""
    return f"{before.cancels} canceled: the {kind} layer {fate}{passed}."


@settle_layer.briefly
def _(before: Exchange, after: Exchange) -> str:
    gone = " and is gone" if len(after.covers) < len(before.covers) else ""
    return f"{before.covers[0].kind} cancels {before.cancels}{gone}"


def _forget(x: Exchange) -> Exchange:
    """The facts without what only a defense needs."""
    return x._replace(type="", defends=False, left=0, bonus=0, bare=False, asked=0)


def _stopped(x: Exchange) -> Exchange:
    return x if x.damage else _forget(x)


def _pierced(x: Exchange) -> Step[Exchange]:
    """The step after the whole defense: allies who come late, or the loss."""
    if not x.damage:
        return aftermath.look_at_attacker
    if x.terms.guards and not x.asked and modes_of(x.terms.rulings).after:
        return ask_ally
    return lose_hd


@step("AF-22", "AF-24", "AF-25", "AF-26", "AF-28", "AF-30", "AF-31")
def roll_body(x: Exchange) -> Node[Exchange]:
    """The body's own dice are rolled for the defense."""
    if x.terms.struck.down:
        return Go(settle_body, x)
    return _rolled_against(x, body_die(x.terms.setup.defender), settle_body)


roll_body.says(_says_dice)


@step("AF-22", "AF-28")
def settle_body(x: Exchange) -> Node[Exchange]:
    """Damage that the body's roll doesn't cancel is lost."""
    after = x._replace(cancels=0, damage=x.damage - x.cancels)
    if after.damage and after.defends and modes_of(x.terms.rulings).late:
        return Go(roll_defend, after)
    return _past_the_body(after)


@settle_body.says
def _(before: Exchange, after: Exchange) -> str:
    return f"{before.cancels} canceled at the body."


@settle_body.briefly
def _(before: Exchange, after: Exchange) -> str:
    return f"body cancels {before.cancels}" if before.cancels else ""


def _past_the_body(x: Exchange) -> Go[Exchange]:
    if x.damage and x.covers:  # one roll stood for the body and for all of them
        return Go(roll_layer, x._replace(bare=True))
    return Go(_pierced(x), _stopped(x))


@step("AF-30")
def roll_defend(x: Exchange) -> Node[Exchange]:
    """The dice of Defend are rolled once, after the body's roll."""
    pool = pool_of((SIDES, defend_dice(x.terms.setup.defender)), (SIDES, 0))
    after = x._replace(defends=False)
    return Chance(x.defender, "Defend roll", pool, Cancels(x.damage), "cancels",
                  At(settle_defend, after))  # fmt: skip


@step("AF-30")
def settle_defend(x: Exchange) -> Node[Exchange]:
    """Each 5 or more of the Defend roll cancels a point."""
    return _past_the_body(x._replace(cancels=0, damage=x.damage - x.cancels))


# -- die by die ------------------------------------------------------------------------------


def _facing(x: Exchange) -> tuple[int, int]:
    """Under the reading die by die: how many points face a die now, and of how many sides."""
    most = min(x.damage, x.covers[0].dice) if x.covers else x.damage
    if x.terms.struck.down and not x.covers:
        return 0, 0
    if x.left:
        sides = x.covers[0].die if x.covers else body_die(x.terms.setup.defender)
        return min(most, x.left), sides
    return min(most, x.bonus), SIDES


@step("AF-21", "AF-23", "AF-24", "AF-25", "AF-26", "AF-30")
def roll_points(x: Exchange) -> Node[Exchange]:
    """Each point of damage faces a die of the outermost layer, as long as capacity lasts."""
    number, sides = _facing(x)
    if not number:
        return Go(settle_points, x)
    return Chance(x.defender, f"defend against {x.damage} damage",
                  pool_of((sides, number), (SIDES, 0)), Cancels(number), "cancels",
                  At(settle_points, x))  # fmt: skip


@step("AF-27", "AF-28")
def settle_points(x: Exchange) -> Node[Exchange]:
    """Points that were not canceled destroy one die each."""
    number = _facing(x)[0]
    destroyed, faced = number - x.cancels, number
    if not number:
        faced = destroyed = min(x.damage, x.covers[0].dice) if x.covers else x.damage
    spent_left = min(number, x.left)
    after = x._replace(
        cancels=0,
        damage=x.damage - faced,
        left=x.left - spent_left,
        bonus=x.bonus - (number - spent_left),
    )
    if x.covers:
        after = after._replace(layers=_thinner(x.covers, destroyed))
    else:
        after = after._replace(lost=x.lost + destroyed)
    if after.damage:
        return Go(roll_points, after)
    after = after._replace(damage=after.lost, lost=0)
    return Go(_pierced(after), _stopped(after))


def _thinner(covers: tuple[Cover, ...], destroyed: int) -> tuple[Cover, ...]:
    left = covers[0].dice - destroyed
    return (covers[0]._replace(dice=left), *covers[1:]) if left else covers[1:]


@settle_points.briefly
@settle_points.says
def _(before: Exchange, after: Exchange) -> str:
    where = before.covers[0].kind if before.covers else "body"
    return f"{before.cancels} canceled at the {where}; {after.damage} damage left."


# -- step 9 ----------------------------------------------------------------------------------


@step("AF-9", "AF-28", "AF-29", "AF-54")
def lose_hd(x: Exchange) -> Node[Exchange]:
    """Step 9: the damage that is left comes off the permanent Hit Dice, but not below 0."""
    after = _forget(x)._replace(damage=0, lost=x.damage)
    if x.terms.struck.down:
        after = after._replace(lost=0)
    if aftermath.is_shaken(x):
        return Go(aftermath.check_resolve, after)
    return Go(aftermath.look_at_attacker, after)


@lose_hd.says
def _(before: Exchange, after: Exchange) -> str:
    hd = before.terms.struck.hd
    return f"HD {hd} -> {max(0, hd - after.lost)}."


@lose_hd.briefly
def _(before: Exchange, after: Exchange) -> str:
    return f"{after.lost} HD lost" if after.lost else "no HD lost"


STEPS = (
    meet_hazard, meet_damage, ask_ally, roll_ally, cancel_for_ally, roll_layer, settle_layer,
    roll_body, settle_body, roll_defend, settle_defend, roll_points, settle_points, lose_hd,
)  # fmt: skip
"""The steps of this chapter in the order of the book."""
