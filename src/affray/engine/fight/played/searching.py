"""Computers that look further than the exchange: one searches, one plays optimally.

**The search.** At the fight's own choices (who has the turn, which deed, to whom) it compares the
chances to win from each option on (`weighing`); who passed the turn before acts now. Inside an
exchange an end is worth the chance to win the fight from there, where that is known exactly; else
what the contest's objective says, and a bounded look-ahead advises (`affray.engine.advice`), unless
only winning counts: then fights are played out from each option as everywhere else. A game
that is one exchange is searched as a whole, and what was learned is kept from decision to decision.

**Optimal play** is known for fights of two that can be worked out as a duel in which both sides
decide for the whole fight; the first deed that the rules allow is done, as in duels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from affray.core.errors import AnswerError, LimitError, SetupError
from affray.core.node import At, Choice, Facts
from affray.engine.advice.records import Ground
from affray.engine.advice.search import Search, guides_for
from affray.engine.budget import Budget, spending
from affray.engine.exchange.game import Game, settled_option
from affray.engine.exchange.session import Answer
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import FighterId
from affray.engine.fight.played.boards import near
from affray.engine.fight.played.computers import Computer, narrowed
from affray.engine.fight.played.deeds import targets
from affray.engine.fight.played.foresight import UnforeseenError, foresight_of
from affray.engine.fight.played.playouts import Players
from affray.engine.fight.played.position import Act, Exchange, Position
from affray.engine.fight.played.questions import PASS, FightQuestion, deed_named
from affray.engine.fight.played.session import FightSession
from affray.engine.fight.played.weighing import Tried, is_clear, weigh

__all__ = ["Optimal", "Searcher", "options_of"]

FORESEEN = 0.5
"""The share of the time that foreseeing the fight may take at a choice of an exchange."""


class Searcher:
    """Decides whatever somebody may decide in a fight by looking ahead; rolls nothing.

    Args:
        ready: the position as it is played out: with the plans of both sides.
        players: how fights are played out.
        seed: of everything that is drawn. Asked the same within the same places and battles, and
            no seconds, it decides the same.
        wins: whether only the chance to win the fight counts, in exchanges too.
    """

    def __init__(
        self,
        ready: Callable[[Position], Position],
        players: Players,
        seed: int = 0,
        *,
        wins: bool = False,
    ) -> None:
        self._ready = ready
        self._players = players
        self._seed = seed
        self._wins = wins
        self._search: tuple[At[Facts], Search] | None = None

    def __call__(self, session: FightSession, budget: Budget | None = None) -> Answer | None:
        """The decision at a fight's question; None if dice are asked for, or nothing is.

        Args:
            session: the fight.
            budget: seconds of this decision; of exchanges `places`, of fights played out `battles`.

        Returns:
            The option. It says in `by` what it goes by: what was solved, looks ahead, or where
            they don't tell options apart in time, a rule of thumb.

        Raises:
            LimitError: somebody asked to stop, or no memory is left.
        """
        question, here = session.question, session.position
        if question is None or question.dice is not None:
            return None
        if isinstance(here.need, Exchange):
            return _answer(*self._in_exchange(session, question, here.need, budget))
        return _answer(*self._of_the_fight(session, question, budget))

    def _of_the_fight(
        self, session: FightSession, question: FightQuestion, budget: Budget | None
    ) -> tuple[str, Ground]:
        """The option with the best chance to win the fight, and what it goes by.

        Where fights that are played out don't tell it from what a computer without look-ahead
        does, that is done: the deed that comes first, to the one whom the side's targeting names.
        """
        assert question.side is not None  # a decision is somebody's
        options = _sensible(session.position, options_of(session, self._ready))
        if len(options) > 1 and _passed_before(session, question.fighter):
            options = {name: there for name, there in options.items() if name != PASS}
        if len(options) == 1:
            return next(iter(options)), "solved"
        # Places bound what is searched in an exchange; here whole fights are counted.
        limits = budget and budget._replace(places=None)
        with spending(limits) as clock:
            usual = self._usual(
                session, clock.part(FORESEEN)._replace(places=budget and budget.places)
            )
            if usual not in options:
                usual = next(iter(options))
            try:
                found = weigh(options, question.side, self._players, seed=self._seed + 1)
            except LimitError as limit:
                if limit.limit == "interrupted":
                    raise
                return usual, "rule of thumb"
        taken = _taken(found)
        by_thumb = next(one for one in found if one.name == usual)
        if taken is not by_thumb and not is_clear(taken, by_thumb):
            return usual, "rule of thumb"
        is_exact = taken.chances is not None and taken.chances.is_exact
        return taken.name, "solved" if is_exact else "look-ahead"

    def _usual(self, session: FightSession, budget: Budget) -> str:
        """What a computer does that doesn't look ahead; "" where it knows nothing."""
        contest = self._ready(session.position).contest
        with spending(budget):
            given = Computer(contest, self._players.targeting, self._seed)(session)
        return "" if given is None else given.option

    def _in_exchange(
        self,
        fight: FightSession,
        question: FightQuestion,
        exchange: Exchange,
        budget: Budget | None,
    ) -> tuple[str, Ground]:
        """The option that is best at a choice of an exchange, and what it goes by."""
        here, session = fight.position, exchange.session
        seconds = None if budget is None else budget.seconds
        if here.whole is None:
            share = None if seconds is None else seconds * FORESEEN
            found = self._foreseen(here, exchange, share)
            if found:
                return found, "solved"
            if self._wins:
                rest = budget and budget._replace(seconds=seconds and seconds * (1 - FORESEEN))
                return self._of_the_fight(fight, question, rest)
        return self._search_in(here, session.game).taken(session.here, budget=budget)

    def _foreseen(self, here: Position, exchange: Exchange, seconds: float | None) -> str:
        """The option with the best chance to win the fight; "" where that is not known."""
        ready = self._ready(here)
        foresight = foresight_of(ready)
        if foresight is None:
            return ""
        try:
            with spending(Budget(seconds=seconds)):
                return foresight.decide(ready, exchange, exchange.session.game).name
        except UnforeseenError:
            return ""
        except LimitError as limit:
            if limit.limit == "interrupted":
                raise
            foresight.duels.too_large = True
            return ""

    def _search_in(self, here: Position, game: Game) -> Search:
        """The look-ahead in an exchange, kept as long as that goes on."""
        if self._search is None or self._search[0] != game.start:
            wish, threshold = here.contest.objective, here.contest.threshold
            guides = () if here.whole is None else guides_for(game, wish)
            search = Search(game, wish, seed=self._seed, guides=guides, threshold=threshold)
            self._search = game.start, search
        return self._search[1]


class Optimal:
    """Decides a fight of two as well as it can be decided, against somebody who does the same.

    Args:
        contest: the fight, with plans that leave every option open.
        ready: the position with those plans.
    """

    def __init__(self, contest: Contest, ready: Callable[[Position], Position]) -> None:
        self._ready = ready
        self._deeds = Computer(contest)

    def __call__(self, session: FightSession) -> Answer | None:
        """The decision at a fight's question; None if dice are asked for, or nothing is.

        Raises:
            SetupError: optimal play is not known here.
            LimitError: the budget in force is spent.
        """
        question, here = session.question, session.position
        if question is None or question.dice is not None:
            return None
        if not isinstance(here.need, Exchange):
            return self._deeds(session)
        ready, exchange = self._ready(here), here.need
        game = narrowed(ready, exchange)
        at = exchange.session.here
        choice = at.step.rule(at.facts)
        assert isinstance(choice, Choice)  # the question has no dice
        settled = settled_option(game, at, choice)
        if settled is not None:
            return _answer(settled.name)
        foresight = foresight_of(ready, best=True)
        try:
            if foresight is not None:
                return _answer(foresight.decide(ready, exchange, game).name)
        except UnforeseenError:
            pass
        raise SetupError(
            f"{here.contest.system.id}: optimal play is known only where a fight of two can be "
            "worked out as a duel; computer:search looks ahead in any fight"
        )


def options_of(
    session: FightSession, ready: Callable[[Position], Position]
) -> Mapping[str, Position]:
    """Where each option of the open question leads; those that the rules refuse later are out."""
    question = session.question
    assert question is not None  # something is to be decided
    found = {}
    for option in question.options:
        try:
            found[option.name] = ready(session.answer(option.name).position)
        except (AnswerError, SetupError):
            continue
    return found


def _sensible(here: Position, options: Mapping[str, Position]) -> Mapping[str, Position]:
    """The options without deeds to foes on a board whom nobody goes for who is left to choose."""
    act = here.need
    if here.board is None or not isinstance(act, Act):
        return options
    far = {
        deed_named(here, deed, who)
        for deed in act.deeds
        for found in (targets(here, act, deed),)
        for who in set(found) - set(near(here, act, deed, found))
    }
    return {name: there for name, there in options.items() if name not in far} or options


def _passed_before(session: FightSession, fighter: FighterId | None) -> bool:
    """Whether the one who acts passed the turn before: two who wait for each other never end."""
    for event in reversed(session.log):
        if event.fighter == fighter and event.kind in {"pass", "exchange"}:
            return event.kind == "pass" and event.round < session.moment.round
    return False


def _taken(found: tuple[Tried, ...]) -> Tried:
    """The option to take: exactly the best, else the one that the search kept coming back to."""
    if all(one.chances is not None and one.chances.is_exact for one in found):
        return max(found, key=lambda one: one.score)
    known = [one for one in found if one.chances is not None]
    return max(known, key=lambda one: (one.chances.n if one.chances else 0, one.score))


def _answer(option: str, by: str = "solved") -> Answer:
    return Answer(option=option, by=(by,))
