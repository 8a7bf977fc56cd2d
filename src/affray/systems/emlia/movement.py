"""Free Strikes at a unit that moves while engaged; movement, charges, and contact."""

from __future__ import annotations

from collections.abc import Callable

from affray.core.errors import SetupError
from affray.core.loop import Loop
from affray.core.node import At, Go, Node, Option, Pointer, choose
from affray.core.sheet import replace
from affray.core.step import cites, step
from affray.core.telling import counted
from affray.systems.emlia import aftermath, harm, roll
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.actions import attack_of, base_of, weapon_for
from affray.systems.emlia.engagement import SIDES, strikers, touched
from affray.systems.emlia.harm import targets_of
from affray.systems.emlia.measured import (
    Course,
    Wrap,
    aligned_ring,
    aligned_table,
    course_of,
    wrap_of,
)
from affray.systems.emlia.parties import in_contact_by, on_table, terms_of
from affray.systems.emlia.sheet import Action
from affray.systems.emlia.state import Decisions, Exchange, Pile, Status, Terms
from affray.systems.emlia.strength import dice_of, fighting, is_here, speed_of
from affray.systems.emlia.table.placing import spot_told
from affray.systems.emlia.table.terrain import slows_at
from affray.systems.emlia.tables import MORALE, MOVES
from affray.systems.emlia.ways import Way, ways_of

__all__ = [
    "NEXT_ACTION", "STEPS", "align_skirmishers", "blows_of", "break_ranks", "choose_way",
    "face_strikes", "forfeited", "moves", "stand_fast", "strike_freely",
]  # fmt: skip


NEXT_ACTION: Loop[Exchange] = Loop("the next action")
"""A unit that has moved where its owner chose may still take its primary action."""


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
    attack = attack_of(x.terms.troops[0].troop, x.decided.action)
    attacks = attack is not None and x.decided.action != "charge" and not _meets(x)
    then = go_on if attacks else stand_fast
    return choose("attacker", "Does the unit move and take Free Strikes?", [
        Option("go", At(strike_freely, x), 0, f"{counted(blows, 'hit')} first"),
        Option("stay", At(then, stays), 0, "no movement"),
    ])  # fmt: skip


def forfeited(x: Exchange) -> Exchange:
    """The exchange once the unit has given its move action up."""
    given = replace(x.terms.given, move="forfeit")
    return x._replace(terms=terms_of(given, x.rulings), decided=Decisions())


def _pointer(way: Way, unit: str) -> Pointer:
    """Where a way leads, and who is met there."""
    end = way.table.of(unit)
    return Pointer(way.met, unit, spot_told(end.x, end.y))


@step("EM-11", "EM-60", "EM-66")
def choose_way(x: Exchange) -> Node[Exchange]:
    """A unit on a table goes where its owner chooses; enemies that it leaves strike first."""
    leaving = x.decided.action == "disengage"
    speed = speed_of(x.terms.troops[0].troop, x.statuses[0])
    blows = 0
    if not leaving and any(is_here(x.statuses[place]) for place in strikers(x.terms)):
        blows = sum(blows_of(x.terms, x.statuses, place)[0] for place in strikers(x.terms))
    options = []
    for way in ways_of(x.terms, speed):
        strikes = blows and (way.leaves or x.rulings[rule.STRIKES] == "any_move")
        then = strike_freely if strikes else go_on
        words = f"{way.words}; {counted(blows, 'hit')} first" if strikes else way.words
        after, points = x._replace(way=way.name), _pointer(way, x.terms.troops[0].name)
        options.append(Option(way.name, At(then, after), 0, words, points=points))
    if leaving:
        options.sort(key=lambda option: option.name != "away")
        if not options:
            return Go(aftermath.end_activation, x)
        return choose("attacker", "Where does the unit go?", options)
    # Who can't get nearer to the target rather stays than goes elsewhere.
    nearer = options and options[0].name == f"towards {x.terms.troops[x.terms.target].name}"
    stay = Option("stay", At(NEXT_ACTION.step, forfeited(x)), 0, "it forfeits its move")
    options.insert(len(options) if nearer else 0, stay)
    return choose("attacker", "Where does the unit go?", options)


@step("EM-6", "EM-11", "EM-12", "EM-52", "EM-63")
def strike_freely(x: Exchange) -> Node[Exchange]:
    """Every unit that engages the mover strikes with all successes, and may focus on a troop."""
    among = strikers(x.terms)
    for turn in range(x.turn, len(among)):
        hits, base = blows_of(x.terms, x.statuses, among[turn])
        body = tuple(place for place, party in enumerate(x.terms.troops) if party.unit == 0)
        targets = targets_of(x.terms, x.statuses, body, base)
        if not (hits and targets):
            continue
        after = x._replace(turn=turn + 1, pile=Pile(hits, "strike", strike_freely, targets))
        if len(targets) == 1:
            return Go(harm.allocate_hits, after)
        options = [Option("none", At(harm.allocate_hits, after), 0, "the whole body")]
        for target in targets:
            name = x.terms.troops[target.place].name
            pile = Pile(hits, "strike", strike_freely, targets, focus=target.place)
            focused = At(harm.allocate_hits, after._replace(pile=pile))
            words, points = f"extra hits for {name}", Pointer(target=name)
            options.append(Option(name, focused, 0, words, points=points))
        return choose("defender", "Focus the Free Strikes on which troop?", options)
    after = x._replace(turn=0)
    return Go(go_on if _stands(x) else stand_fast, after)


def _stands(x: Exchange) -> bool:
    """The moving unit still has members after the strikes."""
    own = x.statuses[0]
    return is_here(own) and own.members > own.marked


@strike_freely.briefly
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


def _meets(x: Exchange) -> bool:
    """The unit moves into contact for an attack in close combat."""
    attack = attack_of(x.terms.troops[0].troop, x.decided.action)
    melee = attack is not None and attack.like == "close_combat"
    return melee and not x.terms.setup.engaged


@step("EM-60")
def stand_fast(x: Exchange) -> Node[Exchange]:
    """The unit stays, or does nothing; no dice are rolled."""
    return Go(aftermath.end_activation, x)


@stand_fast.briefly
@stand_fast.says
def _(before: Exchange, after: Exchange) -> str:
    return "" if before.moved else "It stays where it is."


@step("EM-25", "EM-60")
def break_ranks(x: Exchange) -> Node[Exchange]:
    """An enveloped unit takes close formation: its whole activation, or its move action (B34)."""
    closed = x.decided._replace(closed=True)
    near = x.terms.setup.engaged or not x.terms.setup.distance
    if x.rulings[rule.BREAKING] == "activation" or not near:
        return Go(aftermath.end_activation, x._replace(decided=closed))
    return Go(roll.choose_focus, x._replace(decided=closed._replace(action="close_combat")))


@break_ranks.briefly
@break_ranks.says
def _(before: Exchange, after: Exchange) -> str:
    return "It takes close formation (EM-25)."


def _own(x: Exchange, mark: Callable[[Status], Status]) -> tuple[Status, ...]:
    """Every status, marked for the acting unit and those who joined it."""
    rows = zip(x.statuses, x.terms.troops, strict=True)
    return tuple([mark(status) if party.unit == 0 else status for status, party in rows])


@step("EM-11", "EM-35", "EM-60")
def go_on(x: Exchange) -> Node[Exchange]:
    """The unit moves, charges, or turns to its attack; to attack in close combat it moves there."""
    if x.decided.action == "charge":
        return Go(charge_home, x)
    if x.way:
        return _gone(x)
    has_table = x.terms.setup.table is not None
    if has_table and x.terms.setup.move in {"open", "spent"} and x.decided.action == "disengage":
        return Go(choose_way, x)
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
    if paces and _meets(x):
        course = course_of(x.terms, paces * speed)
        if x.terms.setup.distance:
            after = after._replace(moved=course.moved)
        return Go(align_skirmishers, _arrived(after, course))
    if attacks:
        return Go(roll.choose_focus, after)
    return Go(aftermath.end_activation, _left(after))


def _way(x: Exchange) -> Way:
    """The way that the unit's owner has chosen."""
    speed = speed_of(x.terms.troops[0].troop, x.statuses[0])
    return next(way for way in ways_of(x.terms, speed) if way.name == x.way)


def _gone(x: Exchange) -> Node[Exchange]:
    """The unit has gone its way; if it has not acted yet, it still may."""
    way = _way(x)
    given = replace(x.terms.given, table=way.table, path=(), move="spent")
    after = x._replace(
        terms=terms_of(given, x.rulings), moved=way.moved, reached=way.arrives, spare=way.left,
        way="",
    )  # fmt: skip
    if way.pace == "double":
        after = after._replace(statuses=_own(after, lambda s: s._replace(double_paced=True)))
    if way.leaves:
        after = _out_of_it(x, after._replace(left=True))
    if x.decided.action == "disengage":
        return Go(aftermath.end_activation, after)
    return Go(NEXT_ACTION.step, after._replace(decided=Decisions()))


@go_on.briefly
@go_on.says
def _(before: Exchange, after: Exchange) -> str:
    if before.way:
        way = _way(before)
        met = f", into {way.met}" if way.met else ""
        return f"It goes {way.moved:.4g} {way.name.removeprefix('run ')}{met}."
    if before.terms.setup.move in {"open", "spent"}:
        return ""
    if after.reached:
        return f"It moves into contact, {round(after.moved, 1):g} at most."
    return f"It moves, {round(after.moved, 1):g} at most." if after.moved else ""


@cites("EM-10", "EM-35")
def _arrived(x: Exchange, course: Course) -> Exchange:
    """The exchange after the unit has come into contact with its target."""
    if course.table is None:
        terms = in_contact_by(x.terms, x.terms.setup.contact)
    else:
        terms = on_table(x.terms, course.table)
    return x._replace(terms=terms, reached=True, spare=course.left)


@cites("EM-36")
def _left(x: Exchange) -> Exchange:
    """The exchange after the unit has moved; if it leaves the engagement, so do pins (B35)."""
    after = x._replace(left=x.moved > 0)
    leaves = x.terms.setup.leaves or x.decided.action == "disengage"
    return _out_of_it(x, after) if after.left and leaves else after


@cites("EM-36")
def _out_of_it(x: Exchange, after: Exchange) -> Exchange:
    """The exchange after the unit has left the engagement in which it was; so have pins (B35)."""
    stay = any(
        party.side == "friend" and party.unit and party.fights and is_here(status)
        for party, status in zip(x.terms.troops, x.statuses, strict=True)
    )
    if stay and x.rulings[rule.PINS] == "enemy":
        return after
    statuses = [
        status._replace(pinned=0) if party.side == "enemy" else status
        for party, status in zip(x.terms.troops, after.statuses, strict=True)
    ]
    return after._replace(statuses=tuple(statuses))


@step("EM-35")
def charge_home(x: Exchange) -> Node[Exchange]:
    """A charge goes straight at its target, at double speed; if it fails, morale falls."""
    speed = speed_of(x.terms.troops[0].troop, x.statuses[0])
    course = course_of(x.terms, MOVES["charge"] * speed)
    after = x._replace(moved=course.moved)
    if not course.reaches:
        own = x.statuses[0]
        fallen = own._replace(morale=own.morale + MORALE["charge"])
        after = after._replace(statuses=(fallen, *x.statuses[1:]))
        if course.table is not None:
            after = after._replace(terms=on_table(x.terms, course.table))
        return Go(aftermath.end_activation, after)
    charged = _own(x, lambda status: status._replace(charged=True))
    after = after._replace(decided=x.decided._replace(charged=True), statuses=charged)
    return Go(align_skirmishers, _arrived(after, course))


@charge_home.briefly
@charge_home.says
def _(before: Exchange, after: Exchange) -> str:
    if after.reached:
        return f"It reaches its target after {round(after.moved, 1):g} (EM-35)."
    speed = speed_of(before.terms.troops[0].troop, before.statuses[0])
    met = course_of(before.terms, MOVES["charge"] * speed).met
    if met:
        return f"It runs into {met} after {round(after.moved, 1):g}: morale -1, no attack (EM-35)."
    return f"It falls short after {round(after.moved, 1):g}: morale -1, no attack (EM-35)."


def _marked(x: Exchange, unit: int, *, joined: bool) -> tuple[Status, ...]:
    """Statuses after a unit has aligned: it is worse at hitting until its next activation ends."""
    return tuple(
        status._replace(aligned=True)
        if place == unit or (joined and party.unit == unit)
        else status
        for place, (party, status) in enumerate(zip(x.terms.troops, x.statuses, strict=True))
    )


@step("EM-20")
def align_skirmishers(x: Exchange) -> Node[Exchange]:
    """Skirmishers on a table in contact with ranks may align to them, and fight side by side."""
    then = align if x.reached else roll.choose_focus
    found = aligned_ring(x.terms)
    if found is None:
        return Go(then, x)
    name, table = found
    unit = next(place for place, party in enumerate(x.terms.troops) if party.name == name)
    lined = x._replace(terms=on_table(x.terms, table))
    if x.rulings[rule.LINING_UP] == "penalty":
        joined = x.rulings[rule.ALIGNING] == "joined"
        lined = lined._replace(statuses=_marked(x, unit, joined=joined))
    files = table.of(name).front
    actor = "attacker" if x.terms.troops[unit].side == "friend" else "defender"
    return choose(actor, f"Does {name} align to the ranked unit?", [
        Option("align", At(then, lined), 0, f"{files} side by side along its edge"),
        Option("stay", At(then, x), 0, "as it came"),
    ])  # fmt: skip


@step("EM-20", "EM-66")
def align(x: Exchange) -> Node[Exchange]:
    """A ranked unit that is contacted may align, and turns its front to the enemy."""
    setup, target = x.terms.setup, x.terms.troops[x.terms.target]
    contact = touched(x.terms, 0)
    if target.troop.formation != "ranked" or not setup.may_align:
        return Go(envelop, x)
    table, why = None, ""
    if setup.table is not None:
        try:
            table = aligned_table(x.terms, target.name, x.terms.troops[0].name)
        except SetupError:
            why = "another unit leaves no room (EM-20)"
        if table is None and not why:
            return Go(envelop, x)
    elif contact.side == "front" and not wrap_of(x.terms, x.spare).members:
        return Go(envelop, x)  # its front is to the enemy already
    speed = speed_of(target.troop, x.statuses[x.terms.target])
    cost = setup.align_cost[PLACES[contact.side]]
    if setup.table is not None:
        cost *= slows_at(setup.table, setup.table.of(target.name))
    if cost > speed:
        why = f"it costs {cost:g} of its movement; its speed is {speed:g} (EM-20)"
    options = [Option("stay", At(envelop, x), 0, f"contacted on the {contact.side}")]
    closed: tuple[tuple[str, str], ...] = (("align", why),) if why else ()
    if not why:
        if table is None:
            terms = in_contact_by(x.terms, replace(contact, side="front"))
        else:
            terms = on_table(x.terms, table)
        joined = x.rulings[rule.ALIGNING] == "joined"
        aligned = x._replace(terms=terms, statuses=_marked(x, x.terms.target, joined=joined))
        words = f"front to the enemy for {cost:g} of its movement, -1 to hit"
        options.append(Option("align", At(roll.choose_focus, aligned), 1, words))
    return choose("defender", "Does the ranked unit align to the enemy?", options, closed=closed)


@step("EM-21")
def envelop(x: Exchange) -> Node[Exchange]:
    """A unit that contacts a ranked unit may take close formation and wrap round it."""
    target = x.terms.troops[x.terms.target]
    if target.troop.formation != "ranked":
        return Go(roll.choose_focus, x)
    wrap = wrap_of(x.terms, x.spare)
    if not wrap.members:
        return Go(roll.choose_focus, x)
    after = x._replace(terms=_wrapped(x, wrap), decided=x.decided._replace(closed=True))
    fronts = counted(len(wrap.sides), "more front", "more fronts")
    return choose("attacker", "Does the unit envelop the enemy?", [
        Option("no", At(roll.choose_focus, x), 0, "keep the formation"),
        Option("envelop", At(roll.choose_focus, after), 0,
               f"close formation, {wrap.members} more in contact, {fronts}"),
    ])  # fmt: skip


@cites("EM-21")
def _wrapped(x: Exchange, wrap: Wrap) -> Terms:
    """Everybody after the acting unit has enveloped its target."""
    if wrap.table is not None:
        return on_table(x.terms, wrap.table)
    contact, more = x.terms.setup.contact, wrap.members
    fronts = min(SIDES, contact.fronts + len(wrap.sides))
    return in_contact_by(x.terms, replace(
        contact, fronts=fronts, further=(contact.further + wrap.sides)[: fronts - 1],
        members=None if contact.members is None else contact.members + more,
        fighting=None if contact.fighting is None else contact.fighting + more,
    ))  # fmt: skip


STEPS = (
    face_strikes, choose_way, strike_freely, stand_fast, break_ranks, go_on,
    charge_home, align_skirmishers, align, envelop,
)  # fmt: skip
"""The steps of this chapter in the order of the book."""
