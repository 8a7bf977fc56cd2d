"""A round of combat: both sides roll their dice."""

from __future__ import annotations

from affray.core.modifier import Total
from affray.core.node import At, Chance, Node
from affray.core.step import step
from affray.systems.grid_battles import harm
from affray.systems.grid_battles.numbers import (
    pool_total,
)
from affray.systems.grid_battles.reading import Shields, Symbols
from affray.systems.grid_battles.state import Exchange

__all__ = ["STEPS", "roll_attack"]


@step("GB-3", "GB-8", "GB-10", "GB-18", "GB-20", "GB-22", "GB-24")
def roll_attack(x: Exchange) -> Node[Exchange]:
    """The Round Attacker rolls attack dice, bonus dice from terrain included."""
    clash = x.clash
    ask = "Battle Back, attack dice" if x.backs else "attack dice"
    read = Symbols(clash.advantage)
    return Chance(clash.striker, ask, clash.attack, read, "rolled", At(roll_defence, x))


@roll_attack.says
def _(before: Exchange, after: Exchange) -> list[str | Total]:
    clash, rolled = before.clash, after.rolled
    told: list[str | Total] = []
    total = pool_total(clash, "attack")
    if total.terms:
        told.append(total)
    if not clash.advantage:
        return [*told, f"{clash.names[0]}: {rolled.damage} Damage."]
    bonus = f"{rolled.damage} Damage, {rolled.bonus} Bonus Damage"
    return [*told, f"{clash.names[0]}, with Advantage ({clash.why}): {bonus}."]


@roll_attack.verdict
def _(before: Exchange, after: Exchange) -> str:
    clash, rolled = before.clash, after.rolled
    if not clash.advantage:
        return f"{rolled.damage} Damage"
    return f"{rolled.damage} Damage and {rolled.bonus} more with Advantage"


@step("GB-4", "GB-8", "GB-19", "GB-20", "GB-22", "GB-25")
def roll_defence(x: Exchange) -> Node[Exchange]:
    """The Round Defender rolls defense dice, bonus dice from terrain included."""
    clash = x.clash
    then = At(harm.count_hits, x)
    ask = "Battle Back, defense dice" if x.backs else "defense dice"
    return Chance(clash.target, ask, clash.defense, Shields(), "shields", then)


@roll_defence.says
def _(before: Exchange, after: Exchange) -> list[str | Total]:
    clash = before.clash
    total = pool_total(clash, "defense")
    shields = "1 Shield" if after.shields == 1 else f"{after.shields} Shields"
    told = f"{clash.names[1]}: {shields}."
    return [total, told] if total.terms else [told]


@roll_defence.verdict
def _(before: Exchange, after: Exchange) -> str:
    return f"{after.shields} Shield{'s' * (after.shields != 1)}"


STEPS = (roll_attack, roll_defence)
"""The steps of this chapter in the order of the book."""
