"""A grapple after it has begun, in a fight of two: keeping the hold, and breaking it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from affray.core.dice import D100, Pool
from affray.core.modifier import Modifier, Total
from affray.core.node import At, Chance, Go, Node, Offer
from affray.core.step import cites, step
from affray.systems.eclipse_phase import aftermath, harm
from affray.systems.eclipse_phase.economy import end_turn
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.legality import out_of_action
from affray.systems.eclipse_phase.modifiers import harm_modifiers, specialized
from affray.systems.eclipse_phase.numbers import (
    attack_numbers,
    base_skill,
    pools_of,
    spared,
    target_numbers,
)
from affray.systems.eclipse_phase.opposed import (
    attack_rolled,
    number_compared,
    opposed,
    target_rolled,
)
from affray.systems.eclipse_phase.reading import LOST, TestRead
from affray.systems.eclipse_phase.sheet import Combatant
from affray.systems.eclipse_phase.state import Check, Exchange, Grip, Hold, Struck
from affray.systems.eclipse_phase.tables import MODIFIER_LIMIT, THROWN_DOWN

__all__ = ["STEPS", "choose_grip", "choose_upkeep"]

PERCENT = Pool((D100, 1))
UNARMED = Weapon(name="unarmed", form="melee", skill="melee", unarmed=True)


@step("EP-92")
def choose_upkeep(x: Exchange) -> Node[Exchange]:
    """Keeping a hold takes a complex action, and comes with one thing more."""
    who = x.declared.defender
    offer: Offer[Exchange] = Offer()
    if who.is_biological:
        offer.add("choke", At(choke, x), 0, "choke: a SOM check, or unconscious")
    else:
        offer.close("choke", f"works on living bodies only, and {who.name!r} has none")
    offer.add("hurt", At(squeeze, x), 0, "unarmed damage, without a defense")
    if "prone" in who.conditions:
        offer.close("throw", f"would throw {who.name!r} down, who lies on the ground")
    else:
        offer.add("throw", At(resist_throw, x), 0, "throw the other down")
    offer.add("hold", At(end_hold, x), 0, "keep the hold, and no more")
    offer.add("let_go", At(end_hold, x._replace(hold="released")), 0, "let go")
    return offer.choose("attacker", "what to do to somebody held?")


@choose_upkeep.briefly
@choose_upkeep.says
def _(before: Exchange, after: Exchange) -> str:
    one, other = before.declared.attacker.name, before.declared.defender.name
    return f"{one} lets go of {other}." if after.hold else f"{one} keeps hold of {other}."


@step("EP-92")
def choke(x: Exchange) -> Node[Exchange]:
    """Somebody choked checks SOM, or falls unconscious."""
    (target,) = target_numbers(_unarmed(x))
    struck = Struck(total=target.damage, all_wounds=target.wounds)
    return Go(
        aftermath.call_for_check,
        Exchange(x.rulings, targets=(target_rolled(target),), struck=(struck,),
                 checks=(Check("stay_conscious", "som"),), pools=pools_of(x.declared.attacker)),
    )  # fmt: skip


@step("EP-92")
def squeeze(x: Exchange) -> Node[Exchange]:
    """Somebody held takes unarmed damage without a defense."""
    now = _unarmed(x)
    return Go(
        harm.next_target,
        Exchange(x.rulings, attack=attack_rolled(attack_numbers(now)),
                 targets=tuple(map(target_rolled, target_numbers(now))),
                 struck=(Struck(hit=True),)),
    )  # fmt: skip


def _unarmed(x: Exchange) -> Exchange:
    return x._replace(weapon=UNARMED, defenses=("unable",), style="plain")


# -- tests ---------------------------------------------------------------------------------------

GRIPS: dict[Grip, str] = {"melee": "Melee", "som": "SOM check"}


@cites("EP-13", "EP-50", "EP-92", "EP-93")
def _total(who: Combatant, grip: Grip, modifier: int = 0) -> Total:
    """The target number of a test of strength, itemised."""
    value, defaulted = base_skill(who, grip)
    base = Modifier("SOM (no melee)" if defaulted else GRIPS[grip], value, "EP-93")
    terms = (
        *specialized(who, grip, trained=not defaulted),
        Modifier("thrown down", modifier, "EP-92"),
        *harm_modifiers(who),
    )
    kept = tuple(term for term in terms if term.value)
    return Total(base, kept, -MODIFIER_LIMIT, MODIFIER_LIMIT, (), "EP-8")


Role = Literal["attacker", "defender"]


def _offer(
    x: Exchange, role: Role, modifier: int, then: Callable[[Grip], At[Exchange]]
) -> Node[Exchange]:
    """Melee or a SOM check, as one likes; the better first."""
    who = x.declared.attacker if role == "attacker" else x.declared.defender
    numbers = {grip: _total(who, grip, modifier).value for grip in GRIPS}
    offer: Offer[Exchange] = Offer()
    for grip in sorted(GRIPS, key=lambda one: -numbers[one]):
        offer.add(grip, then(grip), 0, f"{GRIPS[grip]} against {numbers[grip]}")
    return offer.choose(role, "which test?")


@step("EP-92")
def resist_throw(x: Exchange) -> Node[Exchange]:
    """Somebody about to be thrown down resists with Melee or a SOM check."""

    def then(grip: Grip) -> At[Exchange]:
        return At(roll_throw, x._replace(resists=grip))

    return _offer(x, "defender", THROWN_DOWN, then)


@step("EP-92")
def roll_throw(x: Exchange) -> Node[Exchange]:
    """The test against being thrown down."""
    total = _total(x.declared.defender, _known(x.resists), THROWN_DOWN)
    read = TestRead(total.value, detail="pass")
    return Chance("defender", "throw resisted", PERCENT, read, "check", At(finish_throw, x))


@roll_throw.says
def _(before: Exchange, after: Exchange) -> tuple[Total]:
    return (_total(before.declared.defender, _known(before.resists), THROWN_DOWN),)


@step("EP-92")
def finish_throw(x: Exchange) -> Node[Exchange]:
    """With a failure the other lies on the ground, and is still held."""
    thrown = spared(x.declared.defender)._replace(prone=not x.check.success)
    return Go(end_turn, _ended(x)._replace(done=(thrown,)))


@finish_throw.briefly
@finish_throw.says
def _(before: Exchange, after: Exchange) -> str:
    return "Thrown down." if after.final.prone else "Still standing."


@step("EP-93")
def choose_grip(x: Exchange) -> Node[Exchange]:
    """Somebody held tries to break free, with Melee or a SOM check."""
    if out_of_action(x.declared.defender):
        return Go(end_hold, x._replace(hold="freed"))

    def then(grip: Grip) -> At[Exchange]:
        return At(choose_resistance, x._replace(grip=grip))

    return _offer(x, "attacker", 0, then)


@step("EP-93")
def choose_resistance(x: Exchange) -> Node[Exchange]:
    """The one who holds opposes it, with Melee or a SOM check."""

    def then(grip: Grip) -> At[Exchange]:
        return At(roll_grip, x._replace(resists=grip))

    return _offer(x, "defender", 0, then)


@step("EP-1", "EP-93")
def roll_grip(x: Exchange) -> Node[Exchange]:
    """The test of the one who is held."""
    total = _total(x.declared.attacker, _known(x.grip))
    return Chance(
        "attacker", "to break free", PERCENT, TestRead(total.value), "roll",
        At(roll_resistance, x),
    )  # fmt: skip


@roll_grip.says
def _(before: Exchange, after: Exchange) -> tuple[Total]:
    return (_total(before.declared.attacker, _known(before.grip)),)


@step("EP-1", "EP-93")
def roll_resistance(x: Exchange) -> Node[Exchange]:
    """The test of the one who holds; nobody opposes a failure."""
    if not x.roll.success:
        return Go(end_hold, x)
    total = _total(x.declared.defender, _known(x.resists))
    return Chance(
        "defender", "to keep hold", PERCENT, TestRead(total.value), "defense",
        At(compare_strength, x),
    )  # fmt: skip


@roll_resistance.says
def _(before: Exchange, after: Exchange) -> tuple[Total, ...]:
    if not before.roll.success:
        return ()
    return (_total(before.declared.defender, _known(before.resists)),)


@step("EP-14", "EP-15", "EP-16", "EP-93")
def compare_strength(x: Exchange) -> Node[Exchange]:
    """The better success wins; a superior one may turn the tables."""
    setup = x.declared
    ours, theirs = (
        number_compared(total, total.value, x.rulings)
        for total in (
            _total(setup.attacker, _known(x.grip)), _total(setup.defender, _known(x.resists)),
        )
    )  # fmt: skip
    if opposed(x.roll, x.defense, ours - theirs) != "attack":
        return Go(end_hold, x)
    freed = x._replace(hold="freed")
    if not x.roll.superior:
        return Go(end_hold, freed)
    offer: Offer[Exchange] = Offer()
    offer.add("reverse", At(end_hold, x._replace(hold="reversed")), 0, "take hold of the other")
    offer.add("free", At(end_hold, freed), 0, "only break free")
    return offer.choose("attacker", "free, or more?")


@step("EP-92", "EP-93")
def end_hold(x: Exchange) -> Node[Exchange]:
    """Who holds whom now."""
    return Go(end_turn, _ended(x))


@end_hold.briefly
@end_hold.says
def _(before: Exchange, after: Exchange) -> str:
    one, other = before.declared.attacker.name, before.declared.defender.name
    told: dict[Hold, str] = {
        "freed": f"{one} breaks free.",
        "reversed": f"{one} breaks free, and holds {other} now.",
    }
    if before.grip and not before.hold:
        return f"{other} still holds {one}."
    return told.get(before.hold, "")


def _ended(x: Exchange) -> Exchange:
    setup = x.declared
    return Exchange(
        x.rulings, done=(spared(setup.defender),), pools=pools_of(setup.attacker), hold=x.hold,
        check=LOST,
    )  # fmt: skip


def _known(grip: Grip | Literal[""]) -> Grip:
    assert grip  # it is chosen before anything is rolled
    return grip


STEPS = (
    choose_upkeep, choke, squeeze, resist_throw, roll_throw, finish_throw, choose_grip,
    choose_resistance, roll_grip, roll_resistance, compare_strength, end_hold,
)  # fmt: skip
"""The steps of this chapter in the order of the book."""
