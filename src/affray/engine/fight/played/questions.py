"""The questions of a fight: what is asked in each position, of whom, and what answers it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import Literal, TypeAlias, cast

from affray.core.actor import role_of
from affray.core.dice import Face, Lot, Pool
from affray.core.errors import RulesError, SetupError
from affray.core.fight import Deed
from affray.core.lazy import NamedTuple
from affray.core.node import NOWHERE, Pointer
from affray.core.refused import faces_refused, option_refused
from affray.core.telling import shown
from affray.engine.exchange.session import Answer, Question
from affray.engine.fight.course import Block, FighterId, Phase
from affray.engine.fight.played.deeds import (
    begun_exchange,
    found_apart,
    game_of,
    taken_apart,
    targets,
)
from affray.engine.fight.played.matters import ALL, NO_MORE, Chosen, Unsaid, unsaid_told
from affray.engine.fight.played.position import (
    Act,
    Call,
    Exchange,
    Interrupt,
    Order,
    Picks,
    Position,
)

__all__ = [
    "ACT", "PASS", "WAIT", "Deeds", "FightOption", "FightQuestion", "Kind", "answers_for",
    "asked_to_act", "asked_to_interrupt", "block_names", "call_question", "checked_answer",
    "deed_named", "deed_question", "deeds_of", "equals", "exchange_question", "interrupt_question",
    "named_deeds", "order_question", "situation_question", "whole_order", "why_no_wait",
]  # fmt: skip

Kind: TypeAlias = Literal["initiative", "order", "actor", "deed", "situation", "exchange"]
WAIT, PASS, ACT = "wait", "pass", "act"


class FightOption(NamedTuple):
    """One way to decide.

    Attributes:
        name: of it. words: what it means.
        spends: how many points of a limited resource it uses up.
        also: other names that mean the same.
        points: what it points at on the table.
    """

    name: str
    words: str = ""
    spends: int = 0
    also: tuple[str, ...] = ()
    points: Pointer = NOWHERE


class FightQuestion(NamedTuple):
    """A roll or a decision that a fight waits for.

    Attributes:
        kind: what is asked.
        fighter: who has to answer; None: nobody in particular.
        side: the number of the side that has to; None: neither, such as a coin.
        ask: the question in the table's words.
        dice: the dice to be rolled; None for a decision.
        options: those of a decision, or () for a roll.
        about: what the one who decides looks at.
        closed: options that are not on offer, each with the reason.
        step, clauses: of an exchange: the step that asks, and what it carries out.
        actor: of an exchange: the role in it of the one who answers.
        key: of the situation: what is asked, a key of the setup.
        takes: what else may be typed than the options, in words; "": nothing.
        other: of the situation: the fighter for whom somebody may answer as well.
    """

    kind: Kind
    fighter: FighterId | None
    side: int | None
    ask: str
    dice: Pool | None = None
    options: tuple[FightOption, ...] = ()
    about: tuple[tuple[str, object], ...] = ()
    closed: tuple[tuple[str, str], ...] = ()
    step: str = ""
    clauses: tuple[str, ...] = ()
    actor: str = ""
    key: str = ""
    takes: str = ""
    other: FighterId | None = None


# -- deeds ---------------------------------------------------------------------------------------


def deed_named(here: Position, deed: Deed, target: FighterId) -> str:
    """The name of the option to do a deed to somebody: "attack: Husk 2", or "reload"."""
    return deed.name if deed.on == "self" else f"{deed.name}: {here.name(target)}"


class Offered(NamedTuple):
    """A deed on offer.

    Attributes:
        deed, target: what is done to whom.
        words: what the option says beside its name.
        picks: the step of an early choice, and the option that is taken there; (): it is asked.
        shown: whether people are told of it; where all that it comes to stands apart, they
            aren't, and it can still be answered.
        apart: whether it stands apart from an exchange (see `Fight.apart`). Then no target is
            meant, and nobody is asked for the situation.
    """

    deed: Deed
    target: FighterId
    words: str = ""
    picks: Picks = ()
    shown: bool = True
    apart: bool = False
    at: Pointer = NOWHERE


class Deeds(NamedTuple):
    """The deeds of a turn: those on offer by the option's name, and those refused."""

    offered: dict[str, Offered]
    closed: tuple[tuple[str, str], ...]


def deeds_of(here: Position, act: Act) -> Deeds:
    """The deeds of a turn, each tried as far as it goes without an answer.

    Options that stand apart from an exchange come after all of them, once.
    """
    named_apart = here.contest.fight.apart
    offered: dict[str, Offered] = {}
    apart: dict[str, Offered] = {}
    meant: dict[str, dict[str, list[str]]] = {}
    closed: dict[str, str] = {}
    for name, deed, target in named_deeds(here, act):
        try:
            game = game_of(here, act.actor, deed, target, plain=True)
            begun = begun_exchange(here.contest, game)
        except SetupError as error:
            closed[name] = str(error)
            continue
        alone = taken_apart(here.contest.fight, begun)
        found = found_apart(here.contest.fight, begun)
        asked = found.question
        called = {one: named_apart(asked.step, one.name) for one in asked.options} if asked else {}
        # On the way there something else may be chosen, such as a move, that leaves more.
        leads = found is not begun and "" not in called.values()
        is_own = alone is None and (not called or None in called.values() or leads)
        offered[name] = Offered(deed, target, deed.words, shown=is_own)
        if alone is not None and alone.name:
            apart.setdefault(alone.name, Offered(deed, target, alone.words, apart=True))
        for option, told in called.items():
            if told and asked:
                picks, words = (asked.step, option.name), option.words.removeprefix(f"{told}: ")
                apart.setdefault(told, Offered(
                    deed, target, words, picks, apart=True, at=option.points,
                ))  # fmt: skip
                meant.setdefault(told, {}).setdefault(words, []).append(here.name(target))
        for refused, why in asked.closed if asked else ():
            told = named_apart(asked.step, refused) if asked else None
            if told:
                closed.setdefault(told, why)
    for told, by_words in meant.items():
        if len(by_words) > 1:  # it means something else for another target
            each = [f"{', '.join(names)}: {one}" for one, names in by_words.items()]
            apart[told] = apart[told]._replace(words="; ".join(each))
    left = tuple((name, why) for name, why in closed.items() if name not in apart)
    return Deeds({**offered, **apart}, left)


def deed_question(here: Position, act: Act, deeds: Deeds) -> FightQuestion:
    """The question what a fighter does now."""
    options = [
        FightOption(name, one.words, points=_pointer(here, name, one))
        for name, one in deeds.offered.items() if one.shown
    ]  # fmt: skip
    closed = list(deeds.closed)
    if here.contest.fight.waits and not act.settles:
        why = why_no_wait(here)
        if why:
            closed.append((WAIT, why))
        else:
            words = "the turn comes later in the round, when called"
            options.append(FightOption(WAIT, words, points=Pointer(deed=WAIT)))
    options.append(FightOption(PASS, "nothing more in this turn", points=Pointer(deed=PASS)))
    return FightQuestion(
        "deed", act.actor, act.actor.side, f"{here.name(act.actor)}: what now?",
        options=tuple(options), closed=tuple(closed),
    )  # fmt: skip


def _pointer(here: Position, name: str, offered: Offered) -> Pointer:
    """What a deed on offer points at; one that stands apart is called like its option."""
    if offered.apart:
        return offered.at._replace(deed=name)
    target = "" if offered.deed.on == "self" else here.name(offered.target)
    return Pointer(target=target, deed=offered.deed.name)


def why_no_wait(here: Position) -> str:
    """Why the one who acts can't wait; "" if it can."""
    if here.moment.done:
        return "the turn has begun already"
    if here.moment.broken is not None:
        return "somebody else's turn is interrupted for this one"
    if not here.moment.is_ordinary:
        return "an extra turn can't be held back"
    return "" if here.moment.waiting else "nobody else has a turn in this round"


def named_deeds(here: Position, act: Act) -> Iterator[tuple[str, Deed, FighterId]]:
    """Every deed with everybody it may be done to, and the option's name for both."""
    met: set[str] = {WAIT, PASS}
    for deed in act.deeds:
        for target in targets(here, act, deed):
            name = deed_named(here, deed, target)
            if name in met:
                raise RulesError(
                    f"{here.contest.system.id}: the deed {shown(name)} is offered twice, or called "
                    "like passing or waiting; deeds must have different names"
                )
            met.add(name)
            yield name, deed, target


def equals(here: Position, order: Order, partly: tuple[Block, ...]) -> tuple[Block, ...]:
    """Those among whom the next place in the order is open; () if none is.

    Nobody is asked about those who are out: they come last of their equals.
    """
    for blocks in order.ties:
        left = [block for block in blocks if block not in partly]
        standing = tuple(block for block in left if not all(map(here.is_out, block)))
        if len(standing) > 1:
            return standing
    return ()


def whole_order(here: Position, order: Order, partly: tuple[Block, ...]) -> tuple[FighterId, ...]:
    """The whole order, once there is nothing open in it."""
    found: list[FighterId] = []
    for blocks in order.ties:
        known = [block for block in partly if block in blocks]
        left = [block for block in blocks if block not in partly]
        left.sort(key=lambda block: all(map(here.is_out, block)))
        found += chain.from_iterable((*known, *left))
    return tuple(found)


def block_names(here: Position, blocks: Sequence[Block]) -> list[str]:
    """The names of those who are equal: sides for a coin, else fighters."""
    if here.course.first == "coin":
        return [here.contest.sides[block[0].side].name for block in blocks]
    return [here.name(block[0]) for block in blocks]


def order_question(here: Position, blocks: Sequence[Block]) -> FightQuestion:
    """The question who of those who are equal comes next: a die, so that it may be rolled."""
    names = block_names(here, blocks)
    sides = here.course.first == "coin"
    who = "Who begins?" if sides else "Who goes first? The same initiative:"
    how = "flip a coin" if len(names) == 2 else "draw lots"
    if sides:
        how = how.capitalize()
    between = "; " if any("," in name for name in names) else ", "
    ask = f"{who} {how} and say {between.join(names[:-1])} or {names[-1]}"
    return FightQuestion(
        "order", None, None, ask, Pool((Lot("coin" if sides else "lot", names), 1))
    )


def asked_to_act(here: Position, call: Call, partly: tuple[Block, ...]) -> FighterId | None:
    """The first of those who hold back a turn who has not said yet whether to act now."""
    waiting = (who for who in call.default.held if who in call.among and (who,) not in partly)
    return next(waiting, None)


def call_question(here: Position, call: Call, partly: tuple[Block, ...]) -> FightQuestion | None:
    """The question who has the next turn; None: nobody has a choice."""
    asked = asked_to_act(here, call, partly)
    if asked is not None:
        last = call.default.phase is Phase.CLOSE
        wait = "the turn is lost: the round ends" if last else "not yet"
        options = (FightOption(WAIT, wait), FightOption(ACT, "the turn that was held back"))
        ask = f"{here.name(asked)} waits: act now?"
        return FightQuestion("actor", asked, asked.side, ask, options=options)
    free = [who for who in call.among if who not in call.default.held]
    if len(free) < 2 or here.contest.sides[free[0].side].idle:
        return None
    side = free[0].side
    names = [here.name(who) for who in free]
    named = tuple(FightOption(name, points=Pointer(unit=name)) for name in names)
    ask = f"{here.contest.sides[side].name}: who has the turn?"
    return FightQuestion("actor", None, side, ask, options=named)


def asked_to_interrupt(need: Interrupt, partly: tuple[Block, ...]) -> FighterId | None:
    """The first of those who may interrupt an exchange who has not said yet whether to."""
    return next((who for who in need.among if (who,) not in partly), None)


def interrupt_question(
    here: Position, need: Interrupt, partly: tuple[Block, ...]
) -> FightQuestion | None:
    """The question who acts before an exchange begins; None: nobody does."""
    asked = asked_to_interrupt(need, partly)
    if asked is None:
        return None
    exchange = need.exchange
    does = f"{here.name(exchange.actor)} is about to {exchange.deed.name.replace('_', ' ')}"
    if exchange.deed.on != "self":
        does = f"{does} {here.name(exchange.target)}"
    options = (FightOption(WAIT, "not yet"), FightOption(ACT, "the turn that was held back"))
    ask = f"{here.name(asked)} waits, and {does}: act before that?"
    return FightQuestion("actor", asked, asked.side, ask, options=options)


def situation_question(here: Position, chosen: Chosen, unsaid: Unsaid) -> FightQuestion:
    """The question how something of the situation is; the first option is assumed."""
    actor, deed, target, is_scene = chosen
    options = [FightOption(offer.name, offer.words) for offer in unsaid.offers]
    options.append(FightOption(NO_MORE, "usual values for everything from here on"))
    matter = unsaid.matter
    takes = [matter.takes] if matter.takes else []
    if not matter.for_all and not is_scene:
        takes.append(f"{ALL!r} after it: for everybody")
    return FightQuestion(
        "situation", actor, actor.side, unsaid_told(here, chosen, unsaid), options=tuple(options),
        about=() if is_scene else (("for", deed_named(here, deed, target)),),
        key=matter.key, takes="; ".join(takes), other=target,
    )  # fmt: skip


def exchange_question(here: Position, exchange: Exchange, asked: Question) -> FightQuestion:
    """The question that an exchange asks, with those in the fight who have to answer."""
    fighter, side = answers_for(here, exchange, asked.actor)
    apart, own = here.contest.fight.apart, asked.options
    if own:
        own = tuple(o for o in own if apart(asked.step, o.name) is None) or own
    return FightQuestion(
        "exchange", fighter, side, asked.ask, asked.dice,
        tuple(FightOption(o.name, o.words, o.spends, o.also, o.points) for o in own), asked.about,
        asked.closed, asked.step, asked.clauses, asked.actor,
    )  # fmt: skip


def answers_for(
    here: Position, exchange: Exchange, actor: str
) -> tuple[FighterId | None, int | None]:
    """Who answers for a role of an exchange: the first acts, the second is acted upon.

    Mates of the one who is acted upon may share its role. Others step in for it; which of them it
    is, the exchange tells.
    """
    roles = exchange.session.game.system.actors
    role = role_of(actor)
    if here.whole is not None:
        sides = here.whole.roles
        return None, sides.index(role) if role in sides else None
    if role == roles[0]:
        return exchange.actor, exchange.actor.side
    if role == roles[1]:
        if here.board is not None and exchange.target == exchange.actor:
            return None, 1 - exchange.actor.side  # on a board, a deed on oneself concerns the foes
        who = here.caught(exchange.target, exchange.session).get(actor, exchange.target)
        return who, who.side
    return None, exchange.target.side


def checked_answer(question: FightQuestion, answer: Answer, also: Collection[str] = ()) -> Answer:
    """An answer to a question of the fight's own, as it is kept.

    Args:
        question: the question.
        answer: the answer.
        also: options that are not shown.

    Raises:
        AnswerError: it doesn't answer the question.
    """
    if question.dice is not None:
        faces = question.dice.meant(answer.faces or ((answer.option,) if answer.option else ()))
        wrong = faces_refused(question.dice, faces, question.ask)
        if wrong is not None:
            raise wrong
        by = answer.by if len(answer.by) == len(faces) else answer.by[:1] * len(faces)
        return Answer(faces=cast("tuple[Face, ...]", faces), by=by)
    names = [option.name for option in question.options]
    if answer.option in names or answer.option in also or (question.key and answer.option):
        return answer
    why = dict(question.closed).get(answer.option, "")
    reason = f": {why}" if why else " is not on offer"
    given = answer.option or " ".join(map(str, answer.faces))
    raise option_refused(f"{question.ask} {shown(given)}{reason}", given, names, why)
