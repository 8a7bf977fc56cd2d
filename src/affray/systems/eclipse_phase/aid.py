"""Helping the fallen in a fight: treating those who bleed, waking those who are unconscious."""

from __future__ import annotations

from affray.core.dice import D100, Pool
from affray.core.modifier import Modifier, Total
from affray.core.node import At, Chance, Go, Node
from affray.core.step import cites, step
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.economy import end_turn
from affray.systems.eclipse_phase.modifiers import harm_modifiers, specialized
from affray.systems.eclipse_phase.numbers import base_skill, pools_of, spared
from affray.systems.eclipse_phase.reading import LOST, TestRead
from affray.systems.eclipse_phase.state import Aided, Exchange
from affray.systems.eclipse_phase.tables import BLEEDING_TREATED, MODIFIER_LIMIT, ROUSED

__all__ = ["STEPS", "rouse", "treat"]

PERCENT = Pool((D100, 1))


@cites("EP-50", "EP-113")
def _treating_total(x: Exchange) -> Total:
    """The target number of a Medicine test on somebody who bleeds, itemised (A-66)."""
    setup = x.declared
    value, defaulted = base_skill(setup.attacker, "medicine")
    terms = list(specialized(setup.attacker, "medicine", trained=not defaulted))
    terms += [term._replace(label=f"patient: {term.label}")
              for term in harm_modifiers(setup.defender)]  # fmt: skip
    if x.rulings[rule.TREATING] == "both":
        terms += harm_modifiers(setup.attacker)
    if setup.treated:
        terms.append(Modifier("healing spray or meds", BLEEDING_TREATED, "EP-113"))
    base = Modifier("Cog (no medicine)" if defaulted else "Medicine", value, "EP-113")
    kept = tuple(term for term in terms if term.value)
    return Total(base, kept, -MODIFIER_LIMIT, MODIFIER_LIMIT, (), "EP-8")


@step("EP-113")
def treat(x: Exchange) -> Node[Exchange]:
    """Somebody tries to stop the bleeding of a friend, with a Medicine: Paramedic test."""
    read = TestRead(_treating_total(x).value, detail="pass")
    return Chance("attacker", "Medicine test", PERCENT, read, "check", At(finish_treating, x))


@treat.briefly
@treat.says
def _(before: Exchange, after: Exchange) -> tuple[Total | str, ...]:
    told = f"{before.declared.attacker.name} treats {before.declared.defender.name}."
    return told, _treating_total(before)


@step("EP-113")
def finish_treating(x: Exchange) -> Node[Exchange]:
    """With a success the bleeding stops."""
    return _aided(x, "treated" if x.check.success else "")


@finish_treating.briefly
@finish_treating.says
def _(before: Exchange, after: Exchange) -> str:
    return "The bleeding stops." if after.aided else "It goes on bleeding."


@cites("EP-50", "EP-154")
def _rousing_total(x: Exchange) -> Total:
    """The target number of the INT check of somebody who is shaken awake, itemised."""
    who = x.declared.defender
    base = Modifier("INT check", who.intuition * 3, "EP-154")
    terms = (
        Modifier("offline" if who.crashes else "unconscious", ROUSED, "EP-154"),
        *harm_modifiers(who),
    )
    return Total(base, terms, -MODIFIER_LIMIT, MODIFIER_LIMIT, (), "EP-8")


@step("EP-154")
def rouse(x: Exchange) -> Node[Exchange]:
    """Somebody shakes an unconscious friend, who makes an INT check."""
    read = TestRead(_rousing_total(x).value, detail="pass")
    return Chance("defender", "INT check", PERCENT, read, "check", At(finish_rousing, x))


@rouse.briefly
@rouse.says
def _(before: Exchange, after: Exchange) -> tuple[Total | str, ...]:
    told = f"{before.declared.attacker.name} shakes {before.declared.defender.name}."
    return told, _rousing_total(before)


@step("EP-154")
def finish_rousing(x: Exchange) -> Node[Exchange]:
    """With a success the friend wakes, lying on the ground."""
    return _aided(x, "woken" if x.check.success else "")


@finish_rousing.briefly
@finish_rousing.says
def _(before: Exchange, after: Exchange) -> str:
    if before.declared.defender.crashes:
        return "Online again." if after.aided else "Still offline."
    return "Awake again." if after.aided else "Still unconscious."


def _aided(x: Exchange, aided: Aided) -> Node[Exchange]:
    setup = x.declared
    return Go(
        end_turn,
        Exchange(x.rulings, done=(spared(setup.defender),), pools=pools_of(setup.attacker),
                 aided=aided, check=LOST),
    )  # fmt: skip


STEPS = (treat, finish_treating, rouse, finish_rousing)
"""The steps of this chapter in the order of the book."""
