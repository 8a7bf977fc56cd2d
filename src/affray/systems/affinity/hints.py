"""Engines may know this of the rules to be quick; see `affray.core.hints`."""

from __future__ import annotations

from affray.core.hints import Hints, hides
from affray.core.node import At, Chance
from affray.core.ruling import Rulings
from affray.systems.affinity import aftermath, declaration, harm
from affray.systems.affinity import rulings as rule
from affray.systems.affinity.sheet import Combatant
from affray.systems.affinity.state import Condition, Exchange

__all__ = ["HINTS"]

DEALT = ("successes", "damage", "burn", "own_hd", "spread", "targets")
"""Outcome fields that no defense changes."""

STRUCK = (
    "hd_lost", "damage", "successes", "burn", "hd", "own_hd", "layers", "magical", "shield",
    "armor", "temporary", "helped", "ally_burn", "healed", "defending", "stabilized", "moved",
    "conditions", "granted", "given", "spread", "targets",
)  # fmt: skip
"""Outcome fields that no check of Resolve changes."""


def forget(roll: Chance[Exchange], needed: frozenset[str]) -> Chance[Exchange]:
    """A place without what only fields that nobody needs look at."""
    at = roll.then
    x = at.facts
    if x.plan is not None:
        return roll
    successes = x.successes if "successes" in needed else 0
    dealt = x.dealt if "damage" in needed else 0
    if (successes, dealt) == (x.successes, x.dealt):
        return roll
    return roll._replace(then=At(at.step, x._replace(successes=successes, dealt=dealt)))


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
    needed=frozenset({"hd_lost", "resolve", "own_resolve"}),
    hidden=hides("now.hd", visible),
    frugal=frugal,
    spends_at={declaration.choose_affinity: ()},
)
