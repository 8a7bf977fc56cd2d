"""Steps 3 to 7: the dice are rolled and counted, the damage is worked out, Hit Dice burn."""

from __future__ import annotations

from typing import Literal

from affray.core.errors import RulesError
from affray.core.modifier import Modifier, Total
from affray.core.node import At, Chance, Go, Node, Option, Step, choose
from affray.core.step import cites, step
from affray.core.telling import counted
from affray.core.unknown import remembers
from affray.systems.affinity import aftermath, area, harm, other_actions
from affray.systems.affinity import rulings as rule
from affray.systems.affinity.attempts import (
    Attempt,
    action_named,
    attempt_of,
    is_big,
    pool_total,
    tracks_exertion,
)
from affray.systems.affinity.reading import ACTION_DICE, Rolled, Successes, pool_of
from affray.systems.affinity.sheet import Action, DamageType
from affray.systems.affinity.state import Done, Exchange, Plan, Terms
from affray.systems.affinity.tables import DIE, LEAST, SPREAD

__all__ = ["STEPS", "roll_action"]


def _action(x: Exchange) -> Action | None:
    return action_named(x.terms.setup.attacker, x.planned.name)


def _attempt(x: Exchange) -> Attempt:
    return attempt_of(x.terms, x.planned)


# -- the roll --------------------------------------------------------------------------------


@step("AF-2", "AF-3", "AF-11", "AF-70", "AF-74")
def roll_action(x: Exchange) -> Node[Exchange]:
    """Step 3: Proficiency and exertion dice are rolled, the two kept apart."""
    attempt = _attempt(x)
    if not attempt.safe + attempt.burning:
        return Go(count_successes, x._replace(rolled=Rolled()))
    sides = len(DIE.faces)
    pool = pool_of((sides, attempt.safe), (sides, attempt.burning), ACTION_DICE)
    read = Successes(attempt.threshold, attempt.safe, attempt.each)
    return Chance("attacker", f"{x.planned.name} roll", pool, read, "rolled",
                  At(count_successes, x))  # fmt: skip


@roll_action.says
def _(before: Exchange, after: Exchange) -> list[str | Total]:
    attempt = _attempt(before)
    return [
        pool_total(before.terms, before.planned),
        f"Successes from {attempt.threshold} on, a 6 counts twice; {attempt.required} needed.",
    ]


@roll_action.briefly
def _(before: Exchange, after: Exchange) -> str:
    attempt = _attempt(before)
    needed = f", {attempt.required} needed" if attempt.required else ""
    return f"for {counted(_found(before, after), 'success', 'successes')}{needed}"


@roll_action.verdict
def _(before: Exchange, after: Exchange) -> str:
    required = _attempt(before).required
    if not required:
        return ""
    return "enough" if _found(before, after) >= required else "too few"


def _found(before: Exchange, after: Exchange) -> int:
    """Successes on the dice, and those that come without."""
    return (after.rolled or Rolled()).successes + _attempt(before).more


@step("AF-4", "AF-5")
def count_successes(x: Exchange) -> Node[Exchange]:
    """Steps 4 and 5: successes are counted and compared with those that are needed."""
    attempt, rolled = _attempt(x), x.rolled or Rolled()
    successes = rolled.successes + attempt.more
    done = _done(x.terms, x.planned, successes < attempt.required)
    after = x._replace(rolled=None, successes=successes, burn=rolled.ones, done=done)
    if x.rulings[rule.BURN] == "immediate" and after.burn:
        return Go(burn_hd, after)
    return Go(_effect(after), after)


@remembers(8192)
def _done(terms: Terms, plan: Plan, failed: bool) -> Done:  # noqa: FBT001  # one of two outcomes
    """Keep of an action only what later steps look at."""
    big, rulings = is_big(attempt_of(terms, plan).tier), terms.rulings
    watches = rulings[rule.RESOLVE] != "off"
    return Done(
        deed=plan.deed,
        expert=big and (watches or rulings[rule.EXPERTS] == "one"),
        failed=big and watches and failed,
        exerted=plan.exertion if tracks_exertion(rulings) else 0,
        affinity=plan.affinity,
    )


@count_successes.says
def _(before: Exchange, after: Exchange) -> str:
    needed, ones = _attempt(before).required, after.burn
    told = counted(after.successes, "success", "successes")
    if needed:
        told += f", {needed} needed: {'enough' if after.successes >= needed else 'too few'}"
    return told + (f"; ones on exertion dice: {ones}." if ones else ".")


def _effect(x: Exchange) -> Step[Exchange]:
    """The step that carries out what was rolled for."""
    match x.planned.deed:
        case "attack":
            action = _action(x)
            selects = action is not None and action.shape == "select"
            spreads = selects and x.rulings[rule.AREA] == "spread"
            enough = spreads and x.successes >= _attempt(x).required
            return choose_targets if enough else deal_damage
        case "rush":
            return other_actions.regain_hd
        case "heal":
            return other_actions.heal
        case "ward":
            return other_actions.ward
        case "repair":
            return other_actions.repair
        case "dash" | "march" | "disengage":
            return other_actions.move
        case "stabilize":
            return other_actions.stabilize
        case "help":
            return other_actions.help_friend
        case "" | "pass" | "defend" | "steady" | "intervene" | "unarmed" as deed:
            raise RulesError(f"nothing is rolled for {deed!r}")


# -- damage ----------------------------------------------------------------------------------


@step("AF-75")
def choose_targets(x: Exchange) -> Node[Exchange]:
    """Extra successes of a spell that picks its targets make it stronger or reach more of them."""
    attempt = _attempt(x)
    extra = x.successes - attempt.required
    options = [Option("more", At(deal_damage, x._replace(targets=min(extra, attempt.cap))),
                      0, f"{min(extra, attempt.cap)} more targets")]  # fmt: skip
    if extra:
        left = min(extra - SPREAD["stronger"], attempt.cap)
        stronger = x._replace(targets=left, plan=x.planned._replace(stronger=True))
        options.append(Option("stronger", At(deal_damage, stronger), 0,
                              f"1 HD more here, {left} more targets"))  # fmt: skip
    return choose("attacker", "what do extra successes do?", options)


@step("AF-6", "AF-31", "AF-75")
def deal_damage(x: Exchange) -> Node[Exchange]:
    """Step 6: base damage and as many extra successes as Proficiency allows."""
    dealt, kind, spread = _dealt(x.terms, x.planned, x.successes)
    action = _action(x)
    daunts = action is not None and action.daunts and x.successes >= _attempt(x).required
    after = x._replace(dealt=dealt, damage=dealt, type=kind, spread=spread)
    if daunts and aftermath.may_check(x):
        after = after._replace(daunts=True)
    if action is not None:
        after = area.reaching(after, action, _whole(x.terms, x.planned, x.successes))
    burns = after.burn and x.rulings[rule.BURN] == "listed"
    return Go(burn_hd if burns else _struck(after), after)


def _struck(x: Exchange) -> Step[Exchange]:
    """The step with which those who are struck begin to defend."""
    return harm.meet_damage if x.area is None else area.next_target


def _whole(terms: Terms, plan: Plan, successes: int) -> int:
    """Damage to those at whom the attack is not aimed."""
    if successes < attempt_of(terms, plan).required:
        return 0
    return damage_total(terms, plan._replace(stronger=False), successes).value


@cites("AF-6", "AF-31", "AF-75")
@remembers(8192)
def _dealt(terms: Terms, plan: Plan, successes: int) -> tuple[int, DamageType | Literal[""], int]:
    """Damage before the defense, its type where that matters, and by how much an area grew."""
    attempt, action = attempt_of(terms, plan), action_named(terms.setup.attacker, plan.name)
    assert action is not None  # only attacks come here
    spread = 0
    if action.shape in {"area", "zone"} and terms.rulings[rule.AREA] == "spread":
        steps = max(0, successes - attempt.required) // SPREAD["every"]
        spread = min(steps * SPREAD["yards"], SPREAD["most"] * attempt.cap)
    if successes < attempt.required:
        return 0, "", spread
    whole = damage_total(terms, plan, successes).value
    dealt = harm.suffered(terms.setup.defender, action.type, whole)
    return dealt, harm.type_kept(terms.setup.defender, action.type) if dealt else "", spread


def damage_total(terms: Terms, plan: Plan, successes: int) -> Total:
    """The damage of an attack that succeeds, itemised."""
    attempt, action = attempt_of(terms, plan), action_named(terms.setup.attacker, plan.name)
    base = Modifier("base damage", attempt.base, "AF-6")
    spreads = terms.rulings[rule.AREA] == "spread"
    if spreads and action is not None and action.shape in {"area", "zone"}:
        return Total(base)
    if spreads and action is not None and action.shape == "select":
        stronger = Modifier("stronger", SPREAD["stronger"], "AF-75")
        return Total(base, (stronger,) if plan.stronger else ())
    extra = max(0, successes - attempt.required) * LEAST["extra"]
    rows = (Modifier("extra successes", extra, "AF-6"),) if extra else ()
    return Total(base, rows, high=attempt.cap, cap="AF-6")


@deal_damage.says
def _(before: Exchange, after: Exchange) -> list[str | Total]:
    if before.successes < _attempt(before).required:
        return ["The attack fails."]
    total = damage_total(before.terms, before.planned, before.successes)
    told: list[str | Total] = [total]
    if after.dealt != total.value:
        told.append(f"The defender takes {after.dealt} of it (AF-31).")
    return told


@deal_damage.briefly
def _(before: Exchange, after: Exchange) -> str:
    if before.successes < _attempt(before).required:
        return ""
    return f"{after.dealt} damage"


@step("AF-7")
def burn_hd(x: Exchange) -> Node[Exchange]:
    """Step 7: every 1 on an exertion die burns a Hit Die of the attacker; nothing stops that."""
    if x.rulings[rule.BURN] == "listed":
        return Go(_struck(x), x)
    if x.terms.striker.hd > x.burn or x.planned.deed == "rush":
        return Go(_effect(x), x)
    return Go(aftermath.look_at_attacker, x._replace(plan=None))


@burn_hd.says
def _(before: Exchange, after: Exchange) -> str:
    return f"The attacker burns {before.burn} HD."


@burn_hd.briefly
def _(before: Exchange, after: Exchange) -> str:
    return f"burns {before.burn} HD"


STEPS = (roll_action, count_successes, choose_targets, deal_damage, burn_hd)
"""The steps of this chapter in the order of the book."""
