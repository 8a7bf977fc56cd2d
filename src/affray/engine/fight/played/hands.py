"""A game master's hand: what somebody changes in a fight that no rule brings about.

Every hand is a small frozen record and a move like any answer: it is logged, undone, stored and
replayed like one. Between two exchanges anything may be changed; while one goes on its terms stand
already, so a hand waits until it is over or taken back.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, TypeAlias

from affray.core.errors import AnswerError, SetupError
from affray.core.lazy import NamedTuple
from affray.core.telling import plain_key, shown, value_told
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import FighterId, First, Moment, Phase, Verdict
from affray.engine.fight.played.boards import AT, placed
from affray.engine.fight.played.matters import asked_again, check_grounds, unsaid_before
from affray.engine.fight.played.onward import resumed
from affray.engine.fight.played.position import (
    Conditions,
    Event,
    Exchange,
    Ground,
    Over,
    Position,
    change,
    shared,
)
from affray.engine.fight.played.telling import told_of

__all__ = [
    "Accustom", "AskAgain", "End", "Enter", "Hand", "Leave", "SetBetween", "SetCondition",
    "SetFirst", "SetOrder", "SetSituation", "play_hand",
    "possessive", "typed",
]  # fmt: skip


BEGINS: Mapping[First, str] = {
    "initiative": "by initiative",
    "one": "{one} goes first",
    "other": "{other} goes first",
    "coin": "a coin decides",
    "alternate": "sides take turns, {one} begins",
    "alternate_other": "sides take turns, {other} begins",
    "seats": "seat by seat, {one} begins",
}
"""How turns begin, in words."""


class SetCondition(NamedTuple):
    """Set one thing in a fighter's condition: the key of a `Told` line, and the value as typed."""

    fighter: FighterId
    key: str
    value: object


class SetSituation(NamedTuple):
    """Put one side or both into another situation.

    Attributes:
        situations: for each side a setup of the system, whose two fighters don't count; None: its
            situation stays.
        why: what the game master does, in words.
        key: what has changed, if it is one key; what was said of it between some no longer counts.
    """

    situations: tuple[Hashable | None, Hashable | None]
    why: str = ""
    key: str = ""


class SetBetween(NamedTuple):
    """Set one thing in the situation in which some fighter acts upon another; `why` tells it.

    `back` is the same where they have each other's roles, if it names one of them.
    """

    ground: Ground
    why: str
    back: Ground | None = None


class AskAgain(NamedTuple):
    """Let something of the situation be asked again when it next matters; "": everything."""

    key: str = ""


class Accustom(NamedTuple):
    """Note a habit, which those who answer follow; the fight itself is as before."""

    why: str


class SetOrder(NamedTuple):
    """Let the turns of this round that are still to come go in this order."""

    order: tuple[FighterId, ...]


class SetFirst(NamedTuple):
    """Let turns begin in another way from the next round on."""

    first: First


class Enter(NamedTuple):
    """Bring in a fighter; the first turn comes in the next round."""

    side: int
    sheet: Hashable


class Leave(NamedTuple):
    """Take a fighter out."""

    fighter: FighterId


class End(NamedTuple):
    """End the fight."""

    verdict: Verdict


Hand: TypeAlias = (
    SetCondition
    | SetSituation
    | SetBetween
    | AskAgain
    | Accustom
    | SetOrder
    | SetFirst
    | Enter
    | Leave
    | End
)


def play_hand(here: Position, hand: Hand) -> Position:
    """The position after a game master's hand.

    Raises:
        AnswerError: it can't be done now.
        SetupError: it names nobody, or what the rules refuse.
    """
    if isinstance(here.need, Over):
        raise AnswerError("the fight is over; undo its end to change something before it")
    if isinstance(hand, Accustom):
        return here._replace(events=(Event("habit", here.moment.round, why=hand.why),))
    if isinstance(here.need, Exchange) and not isinstance(hand, End):
        if here.whole is not None:
            raise AnswerError("this fight is one exchange; a hand can only end it")
        raise AnswerError(
            "an exchange goes on, by what held when it began; finish it or undo it (u) before "
            "changing anything, and it counts from the next one on"
        )
    match hand:
        case SetCondition():
            return _set_condition(here, hand)
        case SetSituation():
            return _set_situation(here, hand)
        case SetBetween():
            return _set_between(here, hand)
        case AskAgain():
            return _ask_again(here, hand)
        case SetOrder():
            return _set_order(here, hand)
        case SetFirst():
            return _set_first(here, hand)
        case Enter():
            return _enter(here, hand)
        case Leave():
            return _leave(here, hand)
        case End():
            return _end(here, hand)


def _set_condition(here: Position, hand: SetCondition) -> Position:
    fight = here.contest.fight
    who = _known(here, hand.fighter)
    if hand.key == AT and here.board is not None:
        board = placed(here, who, hand.value)
        why = f"puts {here.name(who)} at {typed(hand.value)}"
        event = _event(here, why, who)._replace(boards=(here.board, board))
        return resumed(here._replace(board=board, events=(event,)))
    sheet, before = here.sheet(who), here.in_full
    own = before[who.side][who.place]
    labels = {told.key: told.label for told in told_of(here, who)}
    label = labels.get(hand.key, plain_key(hand.key))
    why = f"sets {possessive(here.name(who))} {label} to {typed(hand.value)}"
    if hand.key == AT and fight.placed is not None:
        why = f"puts {here.name(who)} at {typed(hand.value)}"
        situation = here.contest.sides[who.side].situation
        condition = fight.placed(situation, sheet, own, hand.value)
    elif fight.mended is None:
        raise SetupError(f"{here.contest.system.id}: nothing of {here.name(who)} can be set")
    else:
        condition = fight.mended(sheet, own, hand.key, hand.value)
    now = shared(here, change(before, who, condition), who)
    event = _event(here, why, who)._replace(after=now)
    if fight.kept is None:
        return resumed(here._replace(conditions=now, events=(event,)))
    settled = fight.kept.settled(sheet, condition)
    changed = shared(here, change(here.conditions, who, settled), who)
    return resumed(here._replace(conditions=changed, kept=now, events=(event,)))


def _set_situation(here: Position, hand: SetSituation) -> Position:
    one, other = (
        side if situation is None else side._replace(situation=situation)
        for side, situation in zip(here.contest.sides, hand.situations, strict=True)
    )
    contest = here.contest.changed(sides=(one, other))  # both at once, for they have to agree
    names = [
        side.name
        for side, situation in zip(contest.sides, hand.situations, strict=True)
        if situation is not None
    ]
    if hand.key:
        sides = tuple(n for n, one in enumerate(hand.situations) if one is not None)
        here = unsaid_before(here, hand.key, sides)
    whose = names[0] if len(names) == 1 else "both sides"
    event = _event(here, hand.why or f"puts {whose} into another situation")
    return resumed(here._replace(contest=contest, events=(event,)))


def _set_between(here: Position, hand: SetBetween) -> Position:
    ground = hand.ground
    told = ["anybody" if who is None else here.name(_known(here, who)) for who in ground[:2]]
    grounds = (ground,) if hand.back is None else (hand.back, ground)
    there = here._replace(grounds=(*here.grounds, *grounds))
    check_grounds(there, grounds)
    event = _event(here, f"{hand.why} where {told[0]} acts upon {told[1]}")
    return resumed(there._replace(events=(event,)))


def _ask_again(here: Position, hand: AskAgain) -> Position:
    there = asked_again(here, hand.key)
    what = plain_key(hand.key) or "everything in the situation"
    event = _event(here, f"has {what} asked again")
    return resumed(there._replace(events=(event,)))


def _set_order(here: Position, hand: SetOrder) -> Position:
    if here.moment.phase in {Phase.START, Phase.ROUND}:
        raise AnswerError("the round has no order yet; answer first what it needs")
    for who in hand.order:
        _known(here, who)
    if len(set(hand.order)) < len(hand.order):
        raise SetupError("the order names a fighter twice; each may have one turn still to come")
    named = ", then ".join(map(here.name, hand.order)) or "nobody"
    event = _event(here, f"still lets act in this round: {named}")
    moment = here.moment._replace(waiting=hand.order)
    return resumed(here._replace(moment=moment, events=(event,)))


def _set_first(here: Position, hand: SetFirst) -> Position:
    here.contest.changed(first=hand.first)  # refused here rather than when the round begins
    one, other = (side.name for side in here.contest.sides)
    begins = BEGINS[hand.first].format(one=one, other=other)
    event = _event(here, f"says how turns begin from the next round on: {begins}")
    return resumed(here._replace(coming=hand.first, events=(event,)))


def _enter(here: Position, hand: Enter) -> Position:
    side = here.contest.sides[_side(hand.side)]
    contest = _with_side(here.contest, hand.side, fighters=(*side.fighters, hand.sheet))
    name = _new_name(here, str(getattr(hand.sheet, "name", "")) or side.name)
    names = list(here.names)
    names[hand.side] = (*names[hand.side], name)
    course = contest.course._replace(first=here.course.first, rounds=here.course.rounds)
    changed = _joined(here.conditions, contest, hand)
    kept = _joined(here.kept, contest, hand) if here.kept else ()
    who = FighterId(hand.side, len(side.fighters))
    event = _event(here, f"brings in {name}", who)._replace(after=kept or changed)
    there = here._replace(
        contest=contest, course=course, names=tuple(names), conditions=changed, kept=kept,
        events=(event,),
    )  # fmt: skip
    return resumed(there)


def _joined(before: Conditions, contest: Contest, hand: Enter) -> Conditions:
    """Everybody's condition once a fighter has come in, who stands already in the contest."""
    conditions, fight = list(before), contest.fight
    entered = contest.enter(hand.side, hand.sheet)
    fighters = contest.sides[hand.side].fighters
    for sheet, condition in zip(fighters, conditions[hand.side], strict=False):
        entered = fight.with_common(hand.sheet, entered, fight.common(sheet, condition))
    conditions[hand.side] = (*conditions[hand.side], entered)
    other = 1 - hand.side
    met = zip(contest.sides[other].fighters, conditions[other], strict=True)
    conditions[other] = tuple(fight.meets(*one, fighters) for one in met)
    one, two = (
        tuple([
            contest.beside(number, sheet, condition)
            for sheet, condition in zip(side.fighters, conditions[number], strict=True)
        ])
        for number, side in enumerate(contest.sides)
    )  # fmt: skip
    return one, two


def _leave(here: Position, hand: Leave) -> Position:
    who = _known(here, hand.fighter)
    if who in here.gone:
        raise SetupError(f"{here.name(who)} has left already")
    event = _event(here, f"takes {here.name(who)} out of the fight", who)
    return resumed(here._replace(gone=here.gone | {who}, events=(event,)))


def _end(here: Position, hand: End) -> Position:
    one, other = (side.name for side in here.contest.sides)
    ends = {"one": f"{one} won", "other": f"{other} won", "drawn": "a draw"}
    event = _event(here, f"ends the fight: {ends.get(hand.verdict, 'by rule, nobody wins')}")
    moment = here.moment
    over = Moment(Phase.OVER, moment.round, leads=moment.leads, verdict=hand.verdict)
    return resumed(here._replace(moment=over, events=(event,)))


def _event(here: Position, why: str, who: FighterId | None = None) -> Event:
    now = here.in_full
    return Event("hand", here.moment.round, who, why=why, before=now, after=now)


def possessive(name: str) -> str:
    """Whose something is.

    >>> possessive("Ada"), possessive("Longbows")
    ("Ada's", "Longbows'")
    """
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def typed(value: object) -> str:
    """A value as somebody typed it, in words.

    >>> typed(True), typed(["prone", "dazed"]), typed("high_ground"), typed(12)
    ('yes', 'prone, dazed', 'high ground', '12')
    """
    return plain_key(value_told(tuple(value) if isinstance(value, list) else value))


def _side(number: int) -> int:
    if number not in (0, 1):
        raise SetupError(f"side {shown(number)}; allowed: 0 and 1")
    return number


def _known(here: Position, who: FighterId) -> FighterId:
    if not 0 <= who.place < len(here.names[_side(who.side)]):
        many = len(here.names[who.side])
        raise SetupError(f"side {who.side} has no fighter {shown(who.place)}; allowed: 0 to {many}")
    return who


def _with_side(contest: Contest, number: int, **changes: Any) -> Contest:
    sides = list(contest.sides)
    sides[number] = sides[number]._replace(**changes)
    return contest.changed(sides=(sides[0], sides[1]))


def _new_name(here: Position, called: str) -> str:
    """A name that nobody has yet: Husk, or Husk 4 after Husk 3."""
    taken = {name for side in here.names for name in side}
    if called not in taken and f"{called} 1" not in taken:
        return called
    number = 2
    while f"{called} {number}" in taken:
        number += 1
    return f"{called} {number}"
