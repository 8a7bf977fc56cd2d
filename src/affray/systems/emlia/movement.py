"""Free Strikes at a unit that moves while engaged; movement, charges, and contact."""

from __future__ import annotations

from collections.abc import Callable

from affray.core.node import At, Go, Node, Option, choose
from affray.core.step import cites, step
from affray.core.telling import counted
from affray.systems.emlia import aftermath, harm, roll
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.actions import attack_of, base_of, weapon_for
from affray.systems.emlia.engagement import strikers, touched
from affray.systems.emlia.harm import targets_of
from affray.systems.emlia.measured import course_of, wraps_of
from affray.systems.emlia.sheet import Action
from affray.systems.emlia.state import Decisions, Exchange, Pile, Status, Terms
from affray.systems.emlia.strength import dice_of, fighting, is_here, speed_of
from affray.systems.emlia.tables import MORALE, MOVES

__all__ = [
    "STEPS", "blows_of", "face_strikes", "moves", "stand_fast", "strike_freely",
]  # fmt: skip


@cites("EM-6", "EM-12", "EM-36")
def blows_of(terms: Terms, statuses: tuple[Status, ...], place: int) -> tuple[int, int]:
    """Hits and base damage of one troop's Free Strikes: its dice, all successes.

    Members who are pinned, or out of contact in ranked combat, don't count; the skill is that of
    a unit without them.
    """
    troop, status = terms.troops[place].troop, statuses[place]
    attack = attack_of(troop, "close_combat")
    assert attack is not None  # everybody has this one
    members = fighting(terms, statuses, Decisions(), place)
    out = status.members - max(0, min(members, status.members - status.pinned))
    dice = dice_of(troop, status, attack.skill, terms.rulings, out).dice
    hits = min(1, dice) if terms.rulings[rule.AUTO] == "one" else dice
    return hits, base_of(weapon_for(troop, attack), attack, 0, charged=False)


def _calls_for_strikes(x: Exchange) -> bool:
    """The movement draws Free Strikes if enemies engage the mover (B20)."""
    if not any(is_here(x.statuses[place]) for place in strikers(x.terms)):
        return False
    if x.rulings[rule.STRIKES] == "any_move":
        return True
    return x.terms.setup.leaves or x.decided.action in {"charge", "disengage"}


@step("EM-11")
def face_strikes(x: Exchange) -> Node[Exchange]:
    """A unit that would move while engaged may stay rather than face Free Strikes."""
    if not _calls_for_strikes(x):
        return Go(go_on, x)
    blows = sum(blows_of(x.terms, x.statuses, place)[0] for place in strikers(x.terms))
    stays = x._replace(decided=x.decided._replace(stays=True))
    attacks = attack_of(x.terms.troops[0].troop, x.decided.action) is not None
    then = go_on if attacks and x.decided.action != "charge" else stand_fast
    return choose("attacker", "Does the unit move and take Free Strikes?", [
        Option("go", At(strike_freely, x), 0, f"{counted(blows, 'hit')} first"),
        Option("stay", At(then, stays), 0, "no movement"),
    ])  # fmt: skip


@step("EM-6", "EM-11", "EM-12")
def strike_freely(x: Exchange) -> Node[Exchange]:
    """Every unit that engages the mover strikes, all dice successful."""
    among = strikers(x.terms)
    for turn in range(x.turn, len(among)):
        hits, base = blows_of(x.terms, x.statuses, among[turn])
        body = tuple(place for place, party in enumerate(x.terms.troops) if party.unit == 0)
        targets = targets_of(x.terms, x.statuses, body, base)
        if hits and targets:
            pile = Pile(hits, "strike", strike_freely, targets)
            return Go(harm.allocate_hits, x._replace(turn=turn + 1, pile=pile))
    after = x._replace(turn=0)
    return Go(go_on if _stands(x) else stand_fast, after)


def _stands(x: Exchange) -> bool:
    """The moving unit still has members after the strikes."""
    own = x.statuses[0]
    return is_here(own) and own.members > own.marked


@strike_freely.says
def _(before: Exchange, after: Exchange) -> str:
    if after.pile is None:
        return ""
    name = before.terms.troops[strikers(before.terms)[after.turn - 1]].name
    return f"{name} strikes: {counted(after.pile.hits, 'hit')} (EM-12)."


PLACES = {"front": 0, "flank": 1, "rear": 2}
"""The position of each side's cost in `align_cost`."""


@cites("EM-11", "EM-60")
def moves(terms: Terms, action: Action) -> bool:
    """The unit moves before its attack; a move or a charge is an action by itself."""
    attacks = attack_of(terms.troops[0].troop, action) is not None
    return attacks and terms.setup.move in {"normal", "double"}


@step("EM-25", "EM-60")
def stand_fast(x: Exchange) -> Node[Exchange]:
    """The unit breaks ranks, stays, or does nothing; no dice are rolled."""
    return Go(aftermath.end_activation, x)


@stand_fast.says
def _(before: Exchange, after: Exchange) -> str:
    if before.decided.action == "break_ranks":
        return "It takes close formation (EM-25)."
    return "It stays where it is."


def _own(x: Exchange, mark: Callable[[Status], Status]) -> tuple[Status, ...]:
    """Every status, marked for the acting unit and those who joined it."""
    rows = zip(x.statuses, x.terms.troops, strict=True)
    return tuple([mark(status) if party.unit == 0 else status for status, party in rows])


@step("EM-11", "EM-35", "EM-60")
def go_on(x: Exchange) -> Node[Exchange]:
    """The unit moves, charges, or turns to its attack."""
    if x.decided.action == "charge":
        return Go(charge_home, x)
    speed = speed_of(x.terms.troops[0].troop, x.statuses[0])
    attacks = attack_of(x.terms.troops[0].troop, x.decided.action) is not None
    move = x.terms.setup.move
    if not attacks and move == "none":
        move = "normal"  # to move is the action
    paces = 0 if x.decided.stays else MOVES[move]
    after = x._replace(moved=paces * speed)
    if paces and move == "double":
        statuses = _own(x, lambda status: status._replace(double_paced=True))
        after = after._replace(statuses=statuses)
    if attacks:
        return Go(roll.choose_focus, after)
    return Go(aftermath.end_activation, after._replace(left=after.moved > 0))


@go_on.says
def _(before: Exchange, after: Exchange) -> str:
    return f"It moves, {after.moved:g} at most." if after.moved else ""


@step("EM-35")
def charge_home(x: Exchange) -> Node[Exchange]:
    """A charge goes straight at its target, at double speed; short of it, morale falls."""
    speed = speed_of(x.terms.troops[0].troop, x.statuses[0])
    course = course_of(x.terms, speed)
    after = x._replace(moved=course.moved, reached=course.reaches)
    if not course.reaches:
        own = x.statuses[0]
        fallen = own._replace(morale=own.morale + MORALE["charge"])
        return Go(aftermath.end_activation, after._replace(statuses=(fallen, *x.statuses[1:])))
    decided = x.decided._replace(charged=True, contact=course.contact)
    return Go(
        align,
        after._replace(
            decided=decided, statuses=_own(x, lambda status: status._replace(charged=True))
        ),
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
    side = touched(x.terms, x.decided, 0).side
    if not (ranked and setup.may_align):
        return Go(envelop, x)
    speed = speed_of(target.troop, x.statuses[x.terms.target])
    cost = setup.align_cost[PLACES[side]]
    closed: tuple[tuple[str, str], ...] = ()
    status = x.statuses[x.terms.target]
    turned = (*x.statuses[: x.terms.target], status._replace(aligned=True),
              *x.statuses[x.terms.target + 1 :])  # fmt: skip
    aligned = x._replace(decided=x.decided._replace(aligned=True), statuses=turned)
    options = [Option("stay", At(envelop, x), 0, f"contacted on the {side}")]
    if cost > speed:
        closed = (("align", f"it costs {cost:g} of its movement; its speed is {speed:g} (EM-20)"),)
    else:
        words = f"front to the enemy for {cost:g} of its movement, -1 to hit"
        options.append(Option("align", At(roll.choose_focus, aligned), 1, words))
    return choose("defender", "Does the ranked unit align to the enemy?", options, closed=closed)


@step("EM-21")
def envelop(x: Exchange) -> Node[Exchange]:
    """A unit that contacts a ranked unit may take close formation and wrap round it."""
    target = x.terms.troops[x.terms.target]
    more, fronts = wraps_of(x.terms, speed_of(x.terms.troops[0].troop, x.statuses[0]))
    if target.troop.formation != "ranked" or not more:
        return Go(roll.choose_focus, x)
    decided = x.decided._replace(wrapped=more, wraps=fronts)
    return choose("attacker", "Does the unit envelop the enemy?", [
        Option("no", At(roll.choose_focus, x), 0, "keep the formation"),
        Option("envelop", At(roll.choose_focus, x._replace(decided=decided)), 0,
               f"close formation, {more} more in contact, {fronts} more fronts"),
    ])  # fmt: skip


STEPS = (
    face_strikes, strike_freely, stand_fast, go_on,
    charge_home, align, envelop,
)  # fmt: skip
"""The steps of this chapter in the order of the book."""
