"""Step 1: what is done, and with how many dice; or initiative, or something harmful."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from affray.core.errors import SetupError
from affray.core.modifier import Total
from affray.core.node import At, Go, Node, Offer, Option, Step, choose
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites, step
from affray.systems.affinity import harm, initiative, other_actions, roll
from affray.systems.affinity import rulings as rule
from affray.systems.affinity.attempts import (
    UNARMED,
    action_named,
    affinity_limit,
    cap_of,
    guard_of,
    pool_total,
    rush_cost,
    strikes_several,
    why_no_exertion,
    why_not,
)
from affray.systems.affinity.numbers import called, condition_of, spoken, state_of
from affray.systems.affinity.positions import Footing, at_distance, closing
from affray.systems.affinity.sheet import Setup, Universal
from affray.systems.affinity.state import CombatantState, Deed, Exchange, Guard, Other, Plan, Terms
from affray.systems.affinity.tables import ECONOMY, KINDS, REACH, RESOLVE, RUSH, STEADY, TIERS

__all__ = ["STEPS", "declare", "declared"]

UNIVERSAL: tuple[Universal, ...] = (
    "defend", "rush", "steady", "repair", "dash", "march", "disengage",
)  # fmt: skip
"""Actions that need no line on the sheet, in the order in which they are offered."""

STILL = UNIVERSAL[:4]
"""Those for which nobody has to move."""

CLOSING: tuple[Universal, ...] = ("dash", "march", "defend", "repair")
"""Actions of somebody who has nobody in reach, in the order in which they are offered."""

WORDS: Mapping[Universal | Literal["pass"], str] = {
    "pass": "do nothing",
    "defend": "2d6 more in defense until your next turn",
    "rush": "HD for Resolve",
    "steady": "Resolve for HD",
    "dash": "move further",
    "march": "move much further",
    "disengage": "withdraw with care",
    "stabilize": "keep a dying friend",
    "help": "give the roll to a friend",
    "repair": "armor and shield whole again",
}


def declare(setup: Setup, rulings: Rulings) -> At[Exchange]:
    """The start, between combatants as their sheets have them.

    Raises:
        SetupError: the attacker can't act, or the defender can't be acted on.
    """
    striker = condition_of(setup.attacker, rulings)
    struck = condition_of(setup.defender, rulings)
    guards = tuple(guard_of(place, ally, rulings) for place, ally in enumerate(setup.allies))
    where = None
    if setup.act == "close":
        where = closing(setup, striker)
        if where.yards <= REACH["melee"]:
            raise SetupError(
                f"act 'close' at {setup.distance_yd} yards; the free move is enough, allowed: "
                "'turn' (AF-78)"
            )
        setup = at_distance(setup, where.yards)
    others = _others(setup, rulings) if setup.act == "turn" and setup.hazard is None else ()
    return declared(setup, (striker, struck), guards, rulings, where=where, others=others)


@cites("AF-41", "AF-75")
def _others(setup: Setup, rulings: Rulings) -> tuple[Other, ...]:
    """The defender's allies who stand, as far as an attack may reach them; each is beyond him."""
    if not strikes_several(setup.attacker):
        return ()
    found = []
    for place, ally in enumerate(setup.allies):
        sheet, yards = ally.combatant, ally.distance_yd
        now = condition_of(sheet, rulings)
        if _is_out(now, rulings):
            continue
        apart = (
            guard_of(n, replace(one, distance_yd=abs(one.distance_yd - yards)), rulings)
            for n, one in enumerate(setup.allies)
            if n != place
        )
        guards = tuple(guard for guard in apart if not guard.why)
        found.append(Other(place, sheet, now, yards, setup.distance_yd + yards, guards))
    return tuple(found)


def declared(
    setup: Setup,
    both: tuple[CombatantState, CombatantState],
    guards: tuple[Guard, ...],
    rulings: Rulings,
    *,
    where: Footing | None = None,
    deed: Deed = "",
    others: tuple[Other, ...] = (),
) -> At[Exchange]:
    """The start, between two as they are now; what changes in a fight is not on their sheets.

    Args:
        setup: the sheets and the situation.
        both: the conditions of the attacker and the defender.
        guards: who may Intervene.
        rulings: the readings in force.
        where: how the attacker comes to the distance of the setup; None: nobody moves.
        deed: the one deed that is offered; "": whatever the sheet has.
        others: of the target's side, whom an area may reach.

    Raises:
        SetupError: as for `declare`.
    """
    refused = _refused(setup, both, rulings)
    if refused:
        raise SetupError(refused)
    where = where or Footing(setup.distance_yd)
    terms = Terms(
        rulings=rulings, setup=setup, striker=both[0], struck=both[1], guards=guards, others=others
    )  # fmt: skip
    return At(take_turn, Exchange(
        terms, plan=Plan(deed=deed), stepped=where.stepped, way=where.way,
    ))  # fmt: skip


def _is_out(now: CombatantState, rulings: Rulings) -> bool:
    """The combatant can't act; `hd` may be hidden, so the flag `down` decides."""
    return state_of(0 if now.down else 1, now.resolve, rulings) != "up"


def _refused(
    setup: Setup, both: tuple[CombatantState, CombatantState], rulings: Rulings
) -> str | None:
    striker, struck = both
    who, whom = called(setup.attacker, "attacker"), called(setup.defender, "defender")
    if struck.down and state_of(0, struck.resolve, rulings) == "dead":
        return f"defender: {whom} is dead (AF-50); choose a living target"
    if setup.hazard is not None or setup.act not in {"turn", "close"}:
        return None
    if _is_out(striker, rulings):
        return f"attacker: {who} is out of action and can't act until restored (AF-50)"
    if not striker.actions:
        return (
            f"attacker: {who} has no action left; a turn has {ECONOMY['actions']} (AF-62), give "
            "actions_left = 1 or 2"
        )
    return None


# -- what happens ----------------------------------------------------------------------------


@step("AF-20", "AF-60", "AF-62")
def take_turn(x: Exchange) -> Node[Exchange]:
    """A combatant's turn comes in the order of initiative, or something else happens."""
    setup = x.terms.setup
    if setup.act == "initiative":
        return Go(initiative.exert_for_speed, x)
    if setup.act == "close":
        return Go(close_in, x)
    if setup.act != "turn":
        return Go(other_actions.mend, x)
    if setup.hazard is not None:
        return Go(harm.meet_hazard, x._replace(plan=None))
    return Go(choose_action, x)


@step("AF-1", "AF-40", "AF-43", "AF-45", "AF-62", "AF-63", "AF-70", "AF-76", "AF-77")
def choose_action(x: Exchange) -> Node[Exchange]:
    """Step 1: the attacker declares an action and its target."""
    terms, setup = x.terms, x.terms.setup
    wanted, only = "attack" if setup.towards == "foe" else "heal", x.planned.deed
    offer: Offer[Exchange] = Offer()
    for place, action in enumerate(setup.attacker.actions, start=1):
        if (action.kind == "attack") != (wanted == "attack") or only not in {"", action.kind}:
            continue
        name = action.name or f"action-{place}"
        if why := why_not(terms, action):
            offer.close(name, why)
            continue
        after = x._replace(plan=Plan(name, action.kind))
        offer.add(name, At(choose_exertion, after), 0, f"{action.tier} {action.kind}")
    if wanted == "attack" and not offer.options and _strikes(terms):
        strike = x._replace(plan=Plan(UNARMED.name, "attack"))
        offer.add(UNARMED.name, At(choose_exertion, strike), 0, "basic attack")
    universal = UNIVERSAL if setup.moves else STILL
    if terms.rulings[rule.MENDING] == "action" and not setup.moves:
        universal = (*STILL, "disengage")
    if setup.towards == "friend":
        universal = ("stabilize", "help")
    for deed in universal:
        if deed not in setup.attacker.universal or _is_unknown(deed, terms.rulings):
            continue
        if only not in {"", deed}:
            continue
        if why := _why_not_universal(terms, deed):
            offer.close(deed, why)
            continue
        after = x._replace(plan=Plan(deed, deed))
        offer.add(deed, At(_after_choice(x, deed), after), 0, WORDS[deed])
    if not offer.options:
        idle = x._replace(plan=Plan("pass", "pass"))
        offer.add("pass", At(other_actions.do_nothing, idle), 0, WORDS["pass"])
    return offer.choose("attacker", "which action?")


@cites("AF-70", "AF-77")
def _strikes(terms: Terms) -> bool:
    """The attacker has bare hands for it, and is close enough."""
    allowed = terms.rulings[rule.UNARMED] == "basic" and "unarmed" in terms.setup.attacker.universal
    return allowed and why_not(terms, UNARMED) is None


def _is_unknown(name: Universal, rulings: Rulings) -> bool:
    """The readings in force know no such action."""
    if name == "steady":
        return rulings[rule.STEADYING] == "no"
    if name == "repair":
        return rulings[rule.MENDING] == "no"
    return name == "help" and rulings[rule.HELPING] == "no"


def _after_choice(x: Exchange, name: Universal) -> Step[Exchange]:
    if name == "defend":
        return other_actions.defend
    if name == "steady":
        return other_actions.steady
    if name == "rush" and x.rulings[rule.RUSH] == "fixed":
        return other_actions.regain_hd
    return choose_exertion


def _why_not_universal(terms: Terms, name: Universal) -> str | None:
    """Give the reason against a universal action, or None if it can be taken."""
    now, rulings, struck = terms.striker, terms.rulings, terms.struck
    takes = rulings[rule.DEFEND_COST]
    if now.defending and takes == "turn":
        return "Defend was taken instead of anything else (AF-40)"
    if name == "defend":
        if takes == "turn" and (now.attacked or now.actions < ECONOMY["actions"]):
            return "something else was done in this turn already (AF-40)"
        if takes == "attack" and now.attacked:
            return "an attack was made in this turn already (AF-40)"
        return "it lasts already (AF-30)" if now.defending else None
    if name == "rush":
        cost = rush_cost(terms.setup.attacker)
        floor = RUSH["least"] if rulings[rule.RUSH_FLOOR] == "one" else RESOLVE["least"] + cost
        if now.resolve < floor:
            return f"it costs {cost} Resolve; there is {now.resolve} (AF-42)"
        if rulings[rule.RUSH] == "fixed" and now.rushed:
            return "it was used since the last rest (AF-44)"
    if name == "steady":
        if now.steadied:
            return "it was used since the last rest (AF-44)"
        if now.hd < STEADY["hd"]:
            return f"it costs {STEADY['hd']} HD; there are {now.hd} (AF-44)"
    if name == "repair":
        if terms.setup.distance_yd <= REACH["melee"]:
            return f"it takes more than {REACH['melee']} yards to the next foe (AF-80)"
        if not now.torn:
            return "nothing that is worn is gone (AF-80)"
    if name == "stabilize" and not struck.down:
        return "only a dying friend can be stabilized (AF-45)"
    if name == "march" and terms.setup.held == "zero":
        return "held to count zero, only basic actions are left (AF-63)"
    if name == "disengage" and terms.setup.held == "zero":
        return "held to count zero, only basic actions are left (AF-63)"
    return None


@choose_action.says
def _(before: Exchange, after: Exchange) -> str:
    who = called(before.terms.setup.attacker, "attacker")
    first = f"moves {before.stepped} yards and " if before.stepped else ""
    return f"{who} {first}takes the action {after.planned.name!r}."


@choose_action.opens
def _(before: Exchange, after: Exchange) -> str:
    setup, plan = before.terms.setup, after.planned
    who, whom = called(setup.attacker, "attacker"), called(setup.defender, "defender")
    first = f" moves {before.stepped} yards and" if before.stepped else ""
    if plan.deed == "attack":
        return f"{who}{first} attacks {whom} with {plan.name}"
    helped = f" for {whom}" if plan.deed in {"heal", "ward", "stabilize"} else ""
    return f"{who}{first} takes the action {plan.name}{helped}"


@step("AF-45", "AF-62", "AF-70", "AF-78")
def close_in(x: Exchange) -> Node[Exchange]:
    """No attack reaches the target, so the attacker closes in, or braces."""
    terms = x.terms
    offer: Offer[Exchange] = Offer()
    for deed in CLOSING:
        if deed not in terms.setup.attacker.universal or _is_unknown(deed, terms.rulings):
            continue
        if why := _why_not_universal(terms, deed):
            offer.close(deed, why)
            continue
        after = x._replace(plan=Plan(deed, deed))
        offer.add(deed, At(_after_choice(x, deed), after), 0, WORDS[deed])
    if not offer.options:
        return Go(other_actions.do_nothing, x._replace(plan=Plan("pass", "pass")))
    return offer.choose("attacker", "how to close in?", (("yards", terms.setup.distance_yd),))


@close_in.briefly
@close_in.says
def _(before: Exchange, after: Exchange) -> str:
    who = called(before.terms.setup.attacker, "attacker")
    return f"{who} moves {before.stepped} yards; the target is out of reach."


# -- dice ------------------------------------------------------------------------------------


@step("AF-1", "AF-10", "AF-74")
def choose_exertion(x: Exchange) -> Node[Exchange]:
    """Step 1: the attacker puts in exertion dice, up to Proficiency for an action."""
    terms, plan = x.terms, x.planned
    sheet = terms.setup.attacker
    action = action_named(sheet, plan.name)
    tier = action.tier if action else KINDS[plan.deed]
    pool = action.pool if action else 0
    cap = cap_of(sheet, terms.striker, terms.rulings, pool)
    least = 0 if pool else min(cap, TIERS[tier].minimum)
    then = roll.roll_action
    if terms.striker.affinity:
        then = choose_affinity
    if pool and not cap:
        return Go(then, x)
    options = [
        # Nothing is used up: the next action has its own dice, and all that they risk is a 1.
        Option(str(n), At(then, x._replace(plan=plan._replace(exertion=n))), 0,
               spoken(n, "exertion"))
        for n in range(least, cap + 1)
    ]  # fmt: skip
    refused = (*range(least), *range(cap + 1, max(cap, sheet.prof) + 2))
    closed = tuple((str(n), why_no_exertion(terms, plan, n)) for n in refused)
    return choose("attacker", "how many exertion dice?", options, closed=closed)


@step("AF-12")
def choose_affinity(x: Exchange) -> Node[Exchange]:
    """Step 1: the attacker puts in Affinity dice."""
    terms, plan = x.terms, x.planned
    most = affinity_limit(terms.setup.attacker, terms.striker, plan.exertion, terms.rulings)
    options = [
        Option(str(n), At(roll.roll_action, x._replace(plan=plan._replace(affinity=n))), n,
               spoken(n, "Affinity"))
        for n in range(most + 1)
    ]  # fmt: skip
    return choose("attacker", "how many Affinity dice?", options,
                  (("in store", terms.striker.affinity),))  # fmt: skip


@choose_affinity.says
def _(before: Exchange, after: Exchange) -> list[str | Total]:
    return [pool_total(after.terms, after.planned)]


STEPS = (take_turn, choose_action, close_in, choose_exertion, choose_affinity)
"""The steps of this chapter in the order of the book."""
