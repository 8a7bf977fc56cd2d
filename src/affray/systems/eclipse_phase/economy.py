"""A whole turn (H-4): quick actions, what is left of a move, and what pools buy at its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from affray.core.node import At, End, Go, Node, Offer
from affray.core.sheet import replace
from affray.core.step import cites, step
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.sheet import Combatant, Setup
from affray.systems.eclipse_phase.state import NOT_TURNED, Bought, Exchange
from affray.systems.eclipse_phase.tables import (
    ACTION_POOLS,
    AIM,
    ATTACKER_COVER,
    COVER,
    IGNORED_AT_MOST,
    MENTAL,
)
from affray.systems.eclipse_phase.turns import choose_action, choose_move, do_action, weapons_of

__all__ = ["STEPS", "choose_extra", "choose_quick", "choose_rest", "end_turn"]


@step("EP-27", "EP-28", "EP-33", "EP-73")
def choose_quick(x: Exchange) -> Node[Exchange]:
    """A quick action, before everything else in the turn: to stand up, to duck, or to aim."""
    setup = x.declared
    who = setup.attacker
    offer: Offer[Exchange] = Offer()
    if "prone" in who.conditions and "grappled" not in who.conditions:
        up = x._replace(
            setup=replace(setup, attacker=_upright(who)), turned=x.turned._replace(stood=True)
        )
        offer.add("stand", At(choose_move, up), 0, "stand up; moves are halved")
    offer.add("none", At(choose_move, x), 0, "no quick action")
    if who.cover_near != "none":
        _offer_cover(x, offer)
    if setup.aim == "none" and any(map(_takes_quick_aim, weapons_of(x))):
        aimed = x._replace(setup=replace(setup, aim="quick"))
        words = f"aim: +{AIM['quick']}, with single shots only"
        offer.add("aim", At(choose_move, aimed), 0, words)
    if len(offer.options) == 1:
        return Go(choose_move, x)
    return offer.choose("attacker", "a quick action?")


@cites("EP-28", "EP-77")
def _offer_cover(x: Exchange, offer: Offer[Exchange]) -> None:
    """Ducking behind the cover that there is, or coming out of it."""
    setup, cover = x.declared, x.declared.attacker.cover_near
    if x.covered:
        out = replace(setup, attacker_cover=x.covered == "anyway")
        facts = x._replace(setup=out, turned=x.turned._replace(ducked="out"))
        offer.add("rise", At(choose_move, facts), 0, "come out of cover")
        return
    behind = replace(setup, attacker_cover=True)
    facts = x._replace(setup=behind, turned=x.turned._replace(ducked="behind"))
    words = f"duck behind {cover} cover: {COVER[cover]} on shots at it, {ATTACKER_COVER} on its own"
    offer.add("duck", At(choose_move, facts), 0, words)


def _upright(who: Combatant) -> Combatant:
    return replace(who, conditions=tuple(one for one in who.conditions if one != "prone"))


def _takes_quick_aim(weapon: Weapon) -> bool:
    return bool({"single", "semi"}.intersection(weapon.modes))


@choose_quick.briefly
@choose_quick.says
def _(before: Exchange, after: Exchange) -> str:
    name = before.declared.attacker.name
    if after.turned.stood:
        return f"{name} stands up."
    if after.turned.ducked:
        return f"{name} {'ducks' if after.turned.ducked == 'behind' else 'comes out of cover'}."
    return f"{name} takes a quick aim." if before.setup != after.setup else ""


@step("EP-32")
def choose_rest(x: Exchange) -> Node[Exchange]:
    """What is left of a move may be used after the action."""
    left, gap = x.rest
    done = x._replace(rest=(0, 0))
    offer: Offer[Exchange] = Offer()
    offer.add("stay", At(end_turn, done), 0, "stay")
    if gap > 0:
        meters = min(left, gap)
        nearer = done._replace(moved=x.moved + meters)
        offer.add("closer", At(end_turn, nearer), 0, f"{meters} m closer")
    away = done._replace(moved=x.moved - left)
    offer.add("away", At(end_turn, away), 0, f"{left} m away")
    return offer.choose("attacker", "the rest of the move?")


@choose_rest.briefly
@choose_rest.says
def _(before: Exchange, after: Exchange) -> str:
    meters = after.moved - before.moved
    if not meters:
        return ""
    return f"Then {abs(meters)} m {'closer' if meters > 0 else 'away'}."


@step("EP-32")
def end_turn(x: Exchange) -> Node[Exchange]:
    """The turn is over."""
    return End(x)


BUYS: Mapping[str, Bought] = {"vigor": "physical", "insight": "mental", "threat": "any"}
"""The kind of action that a point of a pool buys."""


@step("EP-22", "EP-24", "EP-29", "EP-30")
def choose_extra(x: Exchange) -> Node[Exchange]:
    """When everybody has acted, a pool point buys one more action, or the next first place."""
    setup = x.declared
    who = setup.attacker
    idle = x._replace(turned=NOT_TURNED, action="none")
    offer: Offer[Exchange] = Offer()
    rests = idle._replace(turned=NOT_TURNED._replace(rested=True))
    offer.add("none", At(do_action, rests), 0, "nothing more")
    for pool in ACTION_POOLS:
        points = getattr(who, pool)
        if not points:
            continue
        paid = replace(setup, attacker=replace(who, **{pool: points - 1}))
        kind = BUYS[pool]
        one_more = f"one more {'' if kind == 'any' else f'{kind} '}action"
        if kind == "mental" and not any(one.skill in MENTAL for one in weapons_of(x)):
            offer.close(pool, "buys a mental action (EP-22), and there is none to take")
        else:
            acts = At(choose_action, x._replace(setup=paid, bought=kind))
            offer.add(pool, acts, 1, f"1 {pool}: {one_more}")
        if kind != "mental" and not x.turned.first:
            leads = idle._replace(setup=paid, turned=NOT_TURNED._replace(first=True))
            words = f"1 {pool}: go first in the coming turn"
            offer.add(f"first-{pool}", At(do_action, leads), 1, words)
    for name, paid, ignores, words in _relief(x):
        eased = idle._replace(setup=paid, turned=NOT_TURNED._replace(ignores=ignores))
        offer.add(name, At(do_action, eased), 1, words)
    return offer.choose("attacker", "one more action?")


@cites("EP-22", "EP-109")
def _relief(x: Exchange) -> Iterator[tuple[str, Setup, tuple[int, int], str]]:
    """Points that buy off the modifiers of a wound or a trauma, where they count."""
    setup = x.declared
    who = setup.attacker
    hurts = {
        "wound": (who.wounds, who.ignored_wounds, "vigor", (1, 0)),
        "trauma": (who.traumas, who.ignored_traumas, "moxie", (0, 1)),
    }
    for harm, (number, ignored, own, ignores) in hurts.items():
        if number <= ignored or ignored >= IGNORED_AT_MOST:
            continue
        for pool in (own, "threat"):
            points = getattr(who, pool)
            if points:
                paid = replace(setup, attacker=replace(who, **{pool: points - 1}))
                words = f"1 {pool}: ignore a {harm} for the rest of the fight"
                yield f"{harm}-{pool}", paid, ignores, words


@choose_extra.briefly
@choose_extra.says
def _(before: Exchange, after: Exchange) -> str:
    name = before.declared.attacker.name
    if any(after.turned.ignores):
        harm = "wound" if after.turned.ignores[0] else "trauma"
        return f"{name} ignores a {harm} from now on."
    if after.turned.first and not before.turned.first:
        return f"{name} will go first in the coming turn."
    return f"{name} takes an extra action." if after.bought else ""


STEPS = (choose_quick, choose_rest, end_turn, choose_extra)
"""The steps of this chapter in the order of the book."""
