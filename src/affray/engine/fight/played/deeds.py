"""What somebody can do in a position, to whom, and the exchange that it makes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import cast

from affray.core.errors import SetupError
from affray.core.fight import Deed, as_they_are, called, nothing_apart
from affray.core.node import Choice, Facts, Option
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Session
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import FighterId
from affray.engine.fight.matchup import AnyFight, Encounter, Matchup
from affray.engine.fight.played.boards import game_on, near
from affray.engine.fight.played.position import Act, Event, Exchange, Position

__all__ = [
    "attempts", "begun_exchange", "called_in", "done_to", "encounter", "found_apart", "game_of",
    "taken_apart", "targets",
]  # fmt: skip

BEGUN = "begun exchanges"
MOST_BEGUN = 256
"""Beginnings of exchanges that a fight keeps; few have more that come again soon."""


def attempts(here: Position, act: Act) -> Iterator[tuple[Deed, tuple[FighterId, ...]]]:
    """The deeds of one who acts, each with those it is done to where nobody chooses a friend."""
    if act.settles:
        yield from ((deed, (act.actor,)) for deed in act.deeds)
        return
    side, needs = act.actor.side, []
    if any(deed.on in {"friend", "fallen friend"} for deed in act.deeds):
        whole = zip(here.contest.sides[side].fighters, here.conditions[side], strict=True)
        needs = [here.contest.fight.needs(*one) for one in whole]
    out = here.standing().out
    for who in here.gone:  # nobody helps those who aren't there
        if who.side == side:
            cast("list[bool]", out[side])[who.place] = False
            needs[who.place : who.place + 1] = [0] if needs else []
    for deed, found in here.course.attempts(act.actor, act.deeds, out, needs):
        yield deed, near(here, act, deed, found)


def targets(here: Position, act: Act, deed: Deed) -> tuple[FighterId, ...]:
    """Everybody whom somebody may choose for a deed."""
    actor = act.actor
    if deed.on == "self":
        return (actor,)
    if deed.on == "foe":
        foes = (FighterId(1 - actor.side, n) for n in range(here.course.sizes[1 - actor.side]))
        return tuple(who for who in foes if not here.is_out(who))
    fallen_only = deed.on == "fallen friend"
    return tuple(who for who in here.mates(actor) if not fallen_only or here.is_out(who))


def encounter(
    here: Position, actor: FighterId, deed: Deed, target: FighterId
) -> tuple[Matchup, Encounter]:
    """What a deed of one fighter to another is, for those who price it."""
    fight = here.contest.fight
    matchup = here.contest.matchup(
        actor.side, here.sheet(actor), here.sheet(target), friend=deed.on != "foe",
        situation=here.situation(actor, target),
    )  # fmt: skip
    minds = deed.on == "foe" and fight.minds_mates(*here.both(actor))
    return matchup, Encounter(
        deed, here.condition(actor), here.condition(target), _about_mates(here, target),
        _about_mates(here, actor) if minds else None,
    )  # fmt: skip


def game_of(
    here: Position, actor: FighterId, deed: Deed, target: FighterId, *, plain: bool = False
) -> Game:
    """The exchange in which a deed is done.

    Args:
        here: where the fight stands.
        actor: who does it.
        deed: what is done.
        target: to whom.
        plain: whether nothing is hidden: people read what the steps say; engines follow an
            exchange once for all that look alike.

    Raises:
        SetupError: the rules refuse it; says why.
    """
    if here.board is not None:
        return game_on(here, actor, deed, target)
    matchup, met = encounter(here, actor, deed, target)
    names = (here.name(actor), here.name(target))
    if plain:
        met = met._replace(context=_about_mates(here, target, named=True))
    at = matchup.plain_start(met, names) if plain else matchup.start(met)
    if at is None:
        raise SetupError(matchup.refusal(met))
    return Game(here.contest.system, at, {}, matchup.plans)


def begun_exchange(contest: Contest, game: Game) -> Session:
    """An exchange up to its first question; those of a fight that begin alike are begun once.

    Raises:
        SetupError: the rules refuse it; says why.
    """
    known = contest.worked_out.get(BEGUN)
    if not isinstance(known, dict) or len(known) >= MOST_BEGUN:
        known = contest.worked_out[BEGUN] = {}
    key = game.start, game.narrow
    session: Session | None = known.get(key)
    if session is None:
        assert not game.settled  # in fights, plans decide
        session = known[key] = Session(game)
    return session


FOLLOWED = 3
"""Choices up to the one whose options stand apart: what armor does and how to move come before."""


def found_apart(fight: AnyFight, begun: Session) -> Session:
    """An exchange at the choice whose options stand apart, by first options; where there is one.

    Args:
        fight: the fight's rules.
        begun: the exchange at its first question.
    """
    session = begun
    for _ in range(FOLLOWED):
        asked = session.question
        if fight.apart is nothing_apart or asked is None or not asked.options:
            return begun
        if any(fight.apart(asked.step, option.name) is not None for option in asked.options):
            return session
        session = session.answer(asked.options[0].name)
    return begun


def taken_apart(fight: AnyFight, session: Session) -> Option[Facts] | None:
    """The option that was taken in an exchange and stands apart from it; None: none was.

    Its name is what people call it.

    Args:
        fight: the fight's rules.
        session: the exchange, as far as it has gone.
    """
    for entry in () if fight.apart is nothing_apart else session.steps_taken:
        if isinstance(entry.node, Choice) and entry.answer is not None:
            option = entry.node.named(entry.answer.option)
            told = None if option is None else fight.apart(entry.at.step.name, option.name)
            if option is not None and told is not None:
                return option._replace(name=told)
    return None


def done_to(fight: AnyFight, exchange: Exchange) -> tuple[str, FighterId]:
    """What people call that which is done in an exchange, and to whom; what stands apart, oneself.

    Args:
        fight: the fight's rules.
        exchange: the exchange, as far as it has gone.
    """
    apart = taken_apart(fight, exchange.session)
    told = apart.name if apart else fight.apart(*exchange.picks) if exchange.picks else ""
    return (told, exchange.actor) if told else (exchange.deed.name, exchange.target)


def called_in(here: Position, event: Event) -> tuple[str, FighterId | None]:
    """How people call the deed of an event, and its target: oneself where it stands apart."""
    apart = event.session and taken_apart(here.contest.fight, event.session)
    return (apart.name, event.fighter) if apart else (event.deed, event.target)


def _about_mates(here: Position, who: FighterId, *, named: bool = False) -> Hashable:
    """What a declaration knows of a fighter's mates; named: by the names they have in the fight."""
    fight = here.contest.fight
    mates = [(mate, *here.both(mate)) for mate in here.mates(who)]
    if named and fight.named is not as_they_are:
        mates = [(mate, called(sheet, here.name(mate)), now) for mate, sheet, now in mates]
    return fight.context([(sheet, now) for _, sheet, now in mates])
