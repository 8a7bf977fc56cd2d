"""Movement: a plain move, a charge, and what happens on contact."""

from __future__ import annotations

from collections.abc import Callable

from affray.core.node import At, Go, Node, Option, choose
from affray.core.step import cites, step
from affray.systems.emlia import attack, ending
from affray.systems.emlia.body import Stand
from affray.systems.emlia.engagement import attack_of, touched
from affray.systems.emlia.ground import course_of, wraps_of
from affray.systems.emlia.resolution import speed_of
from affray.systems.emlia.state import Exchange, Plan, Terms
from affray.systems.emlia.tables import MORALE, MOVES

__all__ = ["STEPS", "go_on", "moves", "stand_fast"]

PLACES = {"front": 0, "flank": 1, "rear": 2}
"""Which of the costs of aligning belongs to which side."""


@cites("EM-11", "EM-60")
def moves(terms: Terms, plan: Plan) -> bool:
    """Whether the unit moves before an attack; a move or a charge is an action by itself."""
    attacks = attack_of(terms.troops[0].troop, plan.action) is not None
    return attacks and terms.setup.move in {"normal", "double"}


@step("EM-25", "EM-60")
def stand_fast(x: Exchange) -> Node[Exchange]:
    """Nothing is done that needs dice: a unit breaks ranks, stays, or does nothing."""
    return Go(ending.end_activation, x)


@stand_fast.says
def _(before: Exchange, after: Exchange) -> str:
    if before.plan.action == "break_ranks":
        return "It takes close formation (EM-25)."
    return "It stays where it is."


def _own(x: Exchange, mark: Callable[[Stand], Stand]) -> tuple[Stand, ...]:
    """All stands, those of the unit that acts and of who joined it marked."""
    rows = zip(x.stands, x.terms.troops, strict=True)
    return tuple([mark(stand) if party.unit == 0 else stand for stand, party in rows])


@step("EM-11", "EM-35", "EM-60")
def go_on(x: Exchange) -> Node[Exchange]:
    """The unit moves, charges, or turns to its attack."""
    if x.plan.action == "charge":
        return Go(charge_home, x)
    speed = speed_of(x.terms.troops[0].troop, x.stands[0])
    attacks = attack_of(x.terms.troops[0].troop, x.plan.action) is not None
    move = x.terms.setup.move
    if not attacks and move == "none":
        move = "normal"  # to move is the action
    paces = 0 if x.plan.stays else MOVES[move]
    after = x._replace(moved=paces * speed)
    if paces and move == "double":
        stands = _own(x, lambda stand: stand._replace(double_paced=True))
        after = after._replace(stands=stands)
    if attacks:
        return Go(attack.choose_focus, after)
    return Go(ending.end_activation, after._replace(left=after.moved > 0))


@go_on.says
def _(before: Exchange, after: Exchange) -> str:
    return f"It moves, {after.moved:g} at most." if after.moved else ""


@step("EM-35")
def charge_home(x: Exchange) -> Node[Exchange]:
    """A charge goes straight at its target, at double speed; short of it, morale falls."""
    speed = speed_of(x.terms.troops[0].troop, x.stands[0])
    course = course_of(x.terms, speed)
    after = x._replace(moved=course.moved, reached=course.reaches)
    if not course.reaches:
        own = x.stands[0]
        fallen = own._replace(morale=own.morale + MORALE["charge"])
        return Go(ending.end_activation, after._replace(stands=(fallen, *x.stands[1:])))
    plan = x.plan._replace(charged=True, contact=course.contact)
    return Go(
        align, after._replace(plan=plan, stands=_own(x, lambda stand: stand._replace(charged=True)))
    )


@charge_home.says
def _(before: Exchange, after: Exchange) -> str:
    if after.reached:
        return f"It reaches its target after {after.moved:g} (EM-35)."
    return f"It falls short after {after.moved:g}: morale -1, no attack (EM-35)."


@step("EM-20")
def align(x: Exchange) -> Node[Exchange]:
    """A ranked unit that is contacted may align; contact by skirmishers never forces it to."""
    setup, target = x.terms.setup, x.terms.troops[x.terms.target]
    ranked = target.troop.formation == "ranked"
    side = touched(x.terms, x.plan, 0).side
    if not (ranked and setup.may_align):
        return Go(envelop, x)
    speed = speed_of(target.troop, x.stands[x.terms.target])
    cost = setup.align_cost[PLACES[side]]
    closed: tuple[tuple[str, str], ...] = ()
    stand = x.stands[x.terms.target]
    turned = (*x.stands[: x.terms.target], stand._replace(aligned=True),
              *x.stands[x.terms.target + 1 :])  # fmt: skip
    aligned = x._replace(plan=x.plan._replace(aligned=True), stands=turned)
    options = [Option("stay", At(envelop, x), 0, f"contacted on the {side}")]
    if cost > speed:
        closed = (("align", f"it costs {cost:g} of its movement; its speed is {speed:g} (EM-20)"),)
    else:
        words = f"front to the enemy for {cost:g} of its movement, -1 to hit"
        options.append(Option("align", At(attack.choose_focus, aligned), 1, words))
    return choose("defender", "align to the enemy?", options, closed=closed)


@step("EM-21")
def envelop(x: Exchange) -> Node[Exchange]:
    """Whoever contacts a ranked unit that does not align may take close formation and wrap."""
    target = x.terms.troops[x.terms.target]
    more, fronts = wraps_of(x.terms, speed_of(x.terms.troops[0].troop, x.stands[0]))
    if target.troop.formation != "ranked" or not more:
        return Go(attack.choose_focus, x)
    plan = x.plan._replace(wrapped=more, wraps=fronts)
    return choose("attacker", "envelop it?", [
        Option("no", At(attack.choose_focus, x), 0, "keep the formation"),
        Option("envelop", At(attack.choose_focus, x._replace(plan=plan)), 0,
               f"close formation, {more} more in contact, {fronts} more fronts"),
    ])  # fmt: skip


STEPS = (stand_fast, go_on, charge_home, align, envelop)
"""The steps of this chapter in the order of the book."""
