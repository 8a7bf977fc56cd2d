"""The aftermath: Resolve is checked, a combatant may fall, the action ends."""

from __future__ import annotations

from affray.core.dice import Pool
from affray.core.loop import Loop
from affray.core.node import At, Chance, End, Go, Node
from affray.core.ruling import Rulings
from affray.core.step import cites, step
from affray.systems.affinity import rulings as rule
from affray.systems.affinity.numbers import hd_max_of, resolve_bonus, state_of
from affray.systems.affinity.reading import Check
from affray.systems.affinity.sheet import Combatant
from affray.systems.affinity.state import Exchange
from affray.systems.affinity.tables import DIE, RESOLVE

__all__ = [
    "NEXT_TARGET", "STEPS", "check_resolve", "fall_of", "finish", "is_shaken", "is_strained",
    "look_at_attacker", "may_check", "own_hd", "restored", "struck_hd",
]  # fmt: skip


NEXT_TARGET: Loop[Exchange] = Loop("the next target")
"""Where the next one whom an area reaches defends."""


# -- Hit Dice --------------------------------------------------------------------------------


@cites("AF-7", "AF-39", "AF-42")
def restored(sheet: Combatant, hd: int, change: tuple[int, int], rulings: Rulings) -> int:
    """Hit Dice after some come back and some burn, in the order of the ruling A-19c.

    Args:
        sheet: gives the most there can be.
        hd: before.
        change: what comes back, and what burns.
        rulings: those on Rush (A-19).
    """
    back, burn = change
    if not back:
        return max(0, hd - burn)
    capped = rulings[rule.RUSH_CAP] != "none"
    most = max(hd, hd_max_of(sheet, rulings)) if capped else hd + back
    if rulings[rule.RUSH_ORDER] == "burn_first":
        return min(most, max(0, hd - burn) + back)
    return max(0, min(most, hd + back) - burn)


def own_hd(x: Exchange) -> int:
    """Hit Dice of the attacker afterwards."""
    back = x.healed if x.done.deed == "rush" else 0
    return restored(
        x.terms.setup.attacker, x.terms.striker.hd, (back, x.burn + x.lasting), x.rulings
    )


def struck_hd(x: Exchange) -> int:
    """Hit Dice of the defender afterwards."""
    hd = x.terms.struck.hd
    if x.done.deed == "heal" and x.healed:
        return min(max(hd, hd_max_of(x.terms.setup.defender, x.rulings)), hd + x.healed)
    return max(0, hd - x.lost)


# -- Resolve ---------------------------------------------------------------------------------


@cites("AF-52")
def may_check(x: Exchange) -> bool:
    """Resolve is checked, and the defender has made no check in this round."""
    return x.rulings[rule.RESOLVE] != "off" and not x.terms.struck.checked


@cites("AF-52", "AF-54")
def is_shaken(x: Exchange) -> bool:
    """The damage that is left makes the defender check Resolve."""
    now, sheet = x.terms.struck, x.terms.setup.defender
    if not may_check(x):
        return False
    if now.down:
        return True
    lost = min(x.damage, now.hd)
    return lost == now.hd or now.lost + lost >= sheet.prof + RESOLVE["over"]


@step("AF-45", "AF-52", "AF-54")
def check_resolve(x: Exchange) -> Node[Exchange]:
    """The defender checks Resolve, at most once in a round; a stabilized one holds."""
    after = x._replace(checked=True, daunts=False)
    if x.terms.struck.stabilized:
        return Go(note_resolve, after)
    return Chance(x.defender, "Resolve check", Pool((DIE, 1)), Check(), "resolve",
                  At(note_resolve, after))  # fmt: skip


@step("AF-50", "AF-52")
def note_resolve(x: Exchange) -> Node[Exchange]:
    """Resolve falls, holds or rises, within its bounds."""
    now, sheet = x.terms.struck, x.terms.setup.defender
    change = resolve_bonus(now.resolve, sheet.resolve_max, x.resolve)
    return Go(look_at_attacker, x._replace(resolve=change))


@note_resolve.says
def _(before: Exchange, after: Exchange) -> str:
    return f"Resolve {after.resolve:+d}." if after.resolve else "Resolve holds."


def is_strained(x: Exchange) -> bool:
    """The action itself makes the attacker check Resolve."""
    reading = x.rulings[rule.RESOLVE]
    now, sheet = x.terms.striker, x.terms.setup.attacker
    if reading == "off" or now.checked or not x.done.deed:
        return False
    burned = min(x.burn, now.hd)
    most = sheet.level if reading == "core" else sheet.prof
    exerted = now.exerted + x.done.exerted
    return (
        x.done.failed
        or (x.done.exerted > 0 and exerted >= most)
        or (burned > 0 and burned == now.hd)
        or (burned > 0 and now.lost + burned >= sheet.prof + RESOLVE["over"])
    )


@step("AF-52")
def look_at_attacker(x: Exchange) -> Node[Exchange]:
    """An attacker who burned much, exerted all or failed at something big checks Resolve.

    Before that, a defender who is daunted and has not checked yet does.
    """
    if x.daunts:
        return Go(check_resolve, x)
    if x.area is not None:
        return Go(NEXT_TARGET.step, x)
    if not is_strained(x):
        return Go(finish, x)
    after = x._replace(own_checked=True)
    if x.terms.striker.stabilized:
        return Go(finish, after)
    return Chance("attacker", "Resolve check", Pool((DIE, 1)), Check(), "own_resolve",
                  At(finish, after))  # fmt: skip


@step("AF-9", "AF-50", "AF-52", "AF-53")
def finish(x: Exchange) -> Node[Exchange]:
    """The action is over; without Hit Dice a combatant is down, without Resolve perhaps dead."""
    if not x.own_checked:
        return End(x._replace(plan=None))
    now, sheet = x.terms.striker, x.terms.setup.attacker
    change = resolve_bonus(now.resolve, sheet.resolve_max, x.own_resolve)
    return End(x._replace(plan=None, own_resolve=change))


@finish.says
def _(before: Exchange, after: Exchange) -> str:
    terms, told = before.terms, []
    if terms.setup.hazard is None:
        state = state_of(own_hd(after), terms.striker.resolve + after.own_resolve, after.rulings)
        told = [f"The attacker is {state}."] if state != "up" else []
    return " ".join([*told, *fall_of(after, "the defender")])


def fall_of(x: Exchange, name: str) -> list[str]:
    """A defender who is not up any more, in words."""
    state = state_of(struck_hd(x), x.terms.struck.resolve + x.resolve, x.rulings)
    return [f"{name[:1].upper()}{name[1:]} is {state}."] if state != "up" else []


STEPS = (check_resolve, note_resolve, look_at_attacker, finish)
"""The steps of this chapter in the order of the book."""
