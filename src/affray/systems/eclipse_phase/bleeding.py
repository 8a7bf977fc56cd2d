"""Checks that somebody makes without being attacked: against bleeding, and to break free."""

from __future__ import annotations

from affray.core.node import Go, Node
from affray.core.step import step
from affray.core.telling import counted
from affray.systems.eclipse_phase import aftermath
from affray.systems.eclipse_phase.economy import end_turn
from affray.systems.eclipse_phase.numbers import bleeding_target, spared
from affray.systems.eclipse_phase.state import Check, Exchange, Struck
from affray.systems.eclipse_phase.tables import BLEEDING_TREATED, ENTANGLED, LASTING

__all__ = ["STEPS", "bleed_to_death", "break_free", "check_bleeding"]


@step("EP-113")
def check_bleeding(x: Exchange) -> Node[Exchange]:
    """A wounded body at durability checks against bleeding to death."""
    setup = x.declared
    target = bleeding_target(setup, x.rulings)
    struck = Struck(
        total=target.damage, all_wounds=target.wounds, incapacitated=True, revivable=False,
        pools=target.pools,
    )  # fmt: skip
    check = Check("stop_bleeding", "som", BLEEDING_TREATED if setup.treated else 0)
    return Go(
        aftermath.call_for_check,
        Exchange(x.rulings, targets=(target,), struck=(struck,), checks=(check,),
                 pools=target.pools, bleeding=x.bleeding),
    )  # fmt: skip


@check_bleeding.briefly
@check_bleeding.says
def _(before: Exchange, after: Exchange) -> str:
    who, target = before.declared.defender, after.targets[0]
    return f"{who.name} lies bleeding, with {counted(target.wounds, 'wound')}."


@step("EP-113")
def bleed_to_death(x: Exchange) -> Node[Exchange]:
    """The fight is over, and nobody stops the bleeding."""
    setup = x.declared
    done = spared(setup.defender)._replace(bleeding=max(1, setup.defender.wounds), dead=True)
    return Go(end_turn, Exchange(x.rulings, done=(done,), pools=done.pools, bleeding="ends"))


@bleed_to_death.briefly
@bleed_to_death.says
def _(before: Exchange, after: Exchange) -> str:
    return f"Nobody stops the bleeding: {before.declared.defender.name} dies."


@step("EP-61", "EP-93")
def break_free(x: Exchange) -> Node[Exchange]:
    """Somebody entangled takes a complex action to break free with a SOM check."""
    setup = x.declared
    target = bleeding_target(setup, x.rulings)
    struck = Struck(
        total=target.damage, all_wounds=target.wounds, pools=target.pools,
        conditions=(("grappled", LASTING),),
    )  # fmt: skip
    check = Check("break_free", "som", ENTANGLED * x.snare)
    return Go(
        aftermath.call_for_check,
        Exchange(x.rulings, targets=(target,), struck=(struck,), checks=(check,),
                 pools=target.pools),
    )  # fmt: skip


@break_free.briefly
@break_free.says
def _(before: Exchange, after: Exchange) -> str:
    return f"{before.declared.attacker.name} tries to break free."


STEPS = (check_bleeding, bleed_to_death, break_free)
"""The steps of this chapter in the order of the book."""
