"""Disengage and Distract: enemies are kept from striking, and the unit leaves or stays."""

from __future__ import annotations

from affray.core.modifier import Total
from affray.core.node import At, Chance, Go, Node, Option, Pointer, choose
from affray.core.step import cites, step
from affray.core.telling import counted
from affray.systems.emlia import aftermath, movement
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.engagement import strikers
from affray.systems.emlia.movement import blows_of
from affray.systems.emlia.numbers import clamped, core_check, disengagement, least_face
from affray.systems.emlia.reading import Outcome, counted_of, pool_of, tally_of
from affray.systems.emlia.state import Check, Exchange, Status, Terms
from affray.systems.emlia.strength import dice_of, is_here

__all__ = [
    "STEPS",
    "choose_leaving",
    "count_disengage",
    "disengage_check",
    "pin_enemies",
    "roll_disengage",
]


@cites("EM-3", "EM-6", "EM-36")
def disengage_check(x: Exchange) -> Check:
    """The numbers of the check."""
    terms, rulings = x.terms, x.rulings
    profile = core_check(terms)
    total = disengagement(terms, x.statuses, x.decided)
    crew = dice_of(terms.troops[0].troop, x.statuses[0], "close_combat", rulings)
    there = [place for place in strikers(terms) if is_here(x.statuses[place])]
    return Check(
        by=0, dice=crew.dice, sides=profile.sides,
        difficulty=clamped(profile.base - total.value, profile, rulings),
        automatic=all(x.statuses[place].unaware for place in there),
        base=0, each=1, body=tuple(there), bare=False, friends=(), focus=None,
    )  # fmt: skip


@step("EM-3", "EM-4", "EM-6", "EM-36")
def roll_disengage(x: Exchange) -> Node[Exchange]:
    """The check against all enemies in melee range; enemies who are unaware need none."""
    check = disengage_check(x)
    after = x._replace(checks=(check,))
    if check.automatic or not check.dice:
        few = x.rulings[rule.AUTO] == "one"
        net = min(1, check.dice) if few else check.dice
        return Go(count_disengage, after._replace(rolled=Outcome(net)))
    face = least_face(check.difficulty, x.rulings)
    pool, name = pool_of(check.sides, check.dice), x.decided.action
    read = tally_of(face, check.sides)
    return Chance("attacker", name, pool, read, "rolled", At(count_disengage, after))


@roll_disengage.says
def _(before: Exchange, after: Exchange) -> list[str | Total]:
    check = disengage_check(before)
    if check.automatic:
        return ["All enemies are unaware: it succeeds (EM-36)."]
    total = disengagement(before.terms, before.statuses, before.decided)
    return [total, f"Difficulty {check.difficulty}; {check.dice}d{check.sides} (EM-3)."]


@step("EM-4", "EM-36")
def count_disengage(x: Exchange) -> Node[Exchange]:
    """Successes pin enemies; a fumble makes the unit easier to hit."""
    check, rolled, tally = x.checks[0], x.rolled, (0, 0)
    if not isinstance(rolled, Outcome):
        assert rolled is not None  # the tally of the dice
        tally = rolled
        rolled = counted_of(core_check(x.terms).ones, tally, check.dice)
    elif check.automatic:
        tally = (rolled.net, 0)
    successes, ones = tally
    own = x.statuses[0]
    if rolled.excess:
        own = own._replace(exposed=own.exposed + rolled.excess)
    return Go(pin_enemies, x._replace(
        rolled=None, successes=successes, ones=ones, net=rolled.net, excess=rolled.excess,
        pins=rolled.net, statuses=(own, *x.statuses[1:]),
    ))  # fmt: skip


@count_disengage.briefly
@count_disengage.says
def _(before: Exchange, after: Exchange) -> str:
    if after.excess:
        return f"A fumble: enemies attack it at +{after.excess} (EM-36)."
    return (
        f"{counted(after.net, 'success', 'successes')} to pin enemies with."
        if after.net
        else "A failure."
    )


@cites("EM-36")
def _pinned(status: Status, members: int) -> Status:
    """A troop of which so many members more may not strike."""
    return status._replace(pinned=min(status.members, status.pinned + members))


def _own_members(terms: Terms, statuses: tuple[Status, ...]) -> int:
    """Members of the unit that disengages, those who joined it included."""
    return sum(
        s.members for s, party in zip(statuses, terms.troops, strict=True) if party.unit == 0
    )


@step("EM-36")
def pin_enemies(x: Exchange) -> Node[Exchange]:
    """Each success keeps as many members of an enemy unit from striking as the source has."""
    then = choose_leaving if x.decided.action == "disengage" else aftermath.end_activation
    many = _own_members(x.terms, x.statuses)
    options = []
    for place in x.checks[0].body if x.pins else ():
        status = x.statuses[place]
        if status.pinned < status.members:
            statuses = (*x.statuses[:place], _pinned(status, many), *x.statuses[place + 1 :])
            after = x._replace(statuses=statuses, pins=x.pins - 1)
            more = min(many, status.members - status.pinned)
            name = x.terms.troops[place].name
            words, points = f"{more} more pinned", Pointer(target=name)
            options.append(Option(name, At(pin_enemies, after), 0, words, points=points))
    if not options:
        return Go(then, x._replace(pins=0))
    return choose("attacker", "Which enemy does this success pin?", options, (("left", x.pins),))


@step("EM-11", "EM-36", "EM-60")
def choose_leaving(x: Exchange) -> Node[Exchange]:
    """The unit leaves now, past those who can still strike, or stays and has distracted them."""
    hits = sum(blows_of(x.terms, x.statuses, place)[0] for place in strikers(x.terms))
    stays = x._replace(decided=x.decided._replace(stays=True))
    stay = Option("stay", At(aftermath.end_activation, stays), 0, "Distract")
    move, why = x.terms.setup.move, ""
    if move == "forfeit":
        why = "it forfeits its move action (EM-60)"
    elif move not in {"none", "open"} and x.rulings[rule.LEAVING] == "needed":
        why = "its move action is spent (EM-60)"
    if why:
        return choose(
            "attacker", "Does the unit leave the engagement?", [stay], closed=(("leave", why),)
        )
    leave = Option("leave", At(movement.strike_freely, x), 0, f"{counted(hits, 'hit')} first")
    return choose("attacker", "Does the unit leave the engagement?", [leave, stay])


STEPS = (roll_disengage, count_disengage, pin_enemies, choose_leaving)
"""The steps of this chapter in the order of the book."""
