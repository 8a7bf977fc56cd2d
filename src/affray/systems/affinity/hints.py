"""Engines may know this of the rules to be quick; see `affray.core.hints`."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from affray.core.hints import Hints, hides
from affray.core.node import At, Chance
from affray.core.ruling import Rulings
from affray.core.unknown import remembers
from affray.systems.affinity import aftermath, declaration, harm
from affray.systems.affinity import rulings as rule
from affray.systems.affinity.attempts import attempt_of, is_big
from affray.systems.affinity.glances import as_actor, as_target
from affray.systems.affinity.sheet import Combatant
from affray.systems.affinity.state import CombatantState, Condition, Exchange, Plan, Terms
from affray.systems.affinity.tables import RESOLVE, TIERS

__all__ = ["HINTS"]

DEALT = ("successes", "damage", "burn", "own_hd", "spread", "targets")
"""Outcome fields that no defense changes."""

STRUCK = (
    "hd_lost", "damage", "successes", "burn", "hd", "own_hd", "layers", "magical", "shield",
    "armor", "temporary", "helped", "ally_burn", "healed", "defending", "stabilized", "moved",
    "conditions", "granted", "given", "spread", "targets",
)  # fmt: skip
"""Outcome fields that no check of Resolve changes."""


BARE = frozenset({
    "hd_lost", "damage", "successes", "hd", "layers", "state", "down", "dead", "resolve",
    "own_resolve",
})  # fmt: skip
"""Outcome fields that look at no more of the attacker than Resolve."""


EFFECTS = frozenset({"hd_lost", "resolve", "own_resolve"})
"""The outcome fields of effects in a fight, which hold of Resolve only how it changes."""


def forget(roll: Chance[Exchange], needed: frozenset[str]) -> Chance[Exchange]:
    """A roll without what only fields that nobody needs look at."""
    at = roll.then
    x = at.facts
    if x.plan is None:
        after = pares(at, needed)
        return roll if after is at else roll._replace(then=after)
    if x.plan.deed != "attack" or not needed <= BARE:
        return roll
    terms = _at_roll(x.terms, strains=_may_strain(x.terms, x.plan))
    return roll if terms is x.terms else roll._replace(then=At(at.step, x._replace(terms=terms)))


def pares(at: At[Exchange], needed: frozenset[str]) -> At[Exchange]:
    """A place after the attack's dice were read without what only other fields look at."""
    x = at.facts
    after = x._replace(
        plan=None,
        successes=x.successes if "successes" in needed else 0,
        dealt=x.dealt if "damage" in needed else 0,
    )
    if x.done.deed == "attack" and needed <= BARE:
        strained = aftermath.is_strained(x)
        burn = x.burn if strained else 0
        terms = _after_roll(x.terms, strained=strained, burn=burn, whole=needed != EFFECTS)
        after = after._replace(terms=terms)
    return at if after == x else At(at.step, after)


def _may_strain(terms: Terms, plan: Plan) -> bool:
    """An attack may make the attacker check Resolve."""
    attempt = attempt_of(terms, plan)
    return plan.exertion > 0 or attempt.burning > 0 or is_big(attempt.tier)


@remembers(8192)
def _at_roll(terms: Terms, *, strains: bool) -> Terms:
    """The terms, with as much of the attacker as the roll of an attack, and all after it, need."""
    now = terms.striker
    bare = CombatantState(
        resolve=now.resolve, raging=now.raging, hurt=now.hurt, conditions=now.conditions,
        checked=True,
    )  # fmt: skip
    if strains:
        bare = bare._replace(
            hd=now.hd, exerted=now.exerted, checked=now.checked, stabilized=now.stabilized,
            lost=now.lost,
        )  # fmt: skip
    return terms if bare == now else replace(terms, striker=bare)


@remembers(8192)
def _after_roll(terms: Terms, *, strained: bool, burn: int, whole: bool) -> Terms:
    """The terms, with as much of the attacker as is needed once the dice have been read."""
    now = terms.striker
    bare = CombatantState(checked=True, resolve=now.resolve if whole else 0)
    if strained:  # as if all Hit Dice there are had burned, if that is why
        bare = CombatantState(
            hd=burn, resolve=now.resolve, stabilized=now.stabilized,
            exerted=0 if burn else now.exerted,
        )  # fmt: skip
    return terms if bare == now else replace(terms, striker=bare)


def _looks_at_hd(rulings: Rulings) -> bool:
    """An exchange looks at the actor's Hit Dice under these readings."""
    return (
        rulings[rule.RESOLVE] != "off"
        or rulings[rule.BURN] == "immediate"
        or rulings[rule.STEADYING] == "yes"
    )


def visible(condition: Condition) -> Condition:
    """A condition as exchanges see it; Hit Dice matter only under some readings, and if few."""
    now = condition.now
    hd = min(now.hd, now.plenty) if _looks_at_hd(condition.rulings) else 0
    return condition if hd == now.hd else condition._replace(now=now._replace(hd=hd))


def acting(sheet: Combatant, condition: Condition, sparing: bool) -> Condition:  # noqa: FBT001
    """A combatant who acts: what an action looks at, and where they stand."""
    now, rulings = condition.now, condition.rulings
    seen = as_actor(sheet, now, rulings)._replace(gone=now.gone, walked=now.walked)
    if sparing and rulings[rule.RESOLVE] != "off":
        burns, big = _unasked(sheet, rulings)
        if rulings[rule.STEADYING] != "yes":
            seen = seen._replace(hd=min(seen.hd, burns + 1))
        if seen.lost + burns < sheet.prof + RESOLVE["over"] or not burns:
            seen = seen._replace(lost=0)
        if not burns and not big:
            seen = seen._replace(checked=False, stabilized=False)
    return condition._replace(now=seen)


@lru_cache(maxsize=4096)
def _unasked(sheet: Combatant, rulings: Rulings) -> tuple[int, bool]:
    """The most Hit Dice that an action can burn, and whether one may be too big for its actor.

    As long as nobody puts in more exertion than an action takes at least.
    """
    least = max((TIERS[a.tier].minimum for a in sheet.actions if not a.pool), default=0)
    printed = 0
    if rulings[rule.NPC_BURN] != "none":
        printed = max((max(0, a.pool - sheet.prof) for a in sheet.actions), default=0)
    return least + printed, any(is_big(a.tier) for a in sheet.actions)


def struck(sheet: Combatant, condition: Condition) -> Condition:
    """A combatant who is acted upon, and where they stand."""
    now = condition.now
    seen = as_target(sheet, now, condition.rulings)
    placed = seen._replace(hd=0, gone=now.gone)
    return condition._replace(now=placed)


def frugal(sheet: Combatant, condition: Condition) -> Condition:
    """A combatant whose Affinity dice nobody will spend."""
    return condition._replace(now=condition.now._replace(affinity=0))


HINTS: Hints[Exchange, Combatant, Condition] = Hints(
    fixes={
        harm.meet_damage: DEALT,
        aftermath.check_resolve: STRUCK,
        aftermath.look_at_attacker: STRUCK,
        aftermath.finish: STRUCK,
    },
    forget=forget,
    needed=EFFECTS,
    seams=frozenset({harm.meet_damage, harm.lose_hd}),
    pares=pares,
    hidden=hides("now.hd", visible),
    acting=acting,
    strains_at={declaration.choose_exertion: ("0",), declaration.choose_affinity: ("0",)},
    struck=struck,
    frugal=frugal,
    spends_at={declaration.choose_affinity: ()},
)
