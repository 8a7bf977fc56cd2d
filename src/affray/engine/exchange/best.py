"""The best option at every choice, by backward induction, exactly.

The rule text is followed once, into a kernel; here its table is walked from the leaves up. A
value is a row of integers over one denominator: one number for each objective, and for each value
of a field that is left aside.

Ties go to the option that is listed first; rule texts list first what costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from fractions import Fraction
from math import lcm
from weakref import proxy

from affray.core.actor import role_of
from affray.core.errors import LimitError, RulesError, UnknownNameError
from affray.core.fight import WIN
from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.core.names import unknown
from affray.core.node import At, Choice, Facts, Option, Step
from affray.core.showing import html_table
from affray.core.system import Objective, System, first_fitting
from affray.core.unknown import Parts, filled
from affray.core.weakly import weakly
from affray.engine.budget import Budget, Clock, spending
from affray.engine.exchange.deferring import Deferring
from affray.engine.exchange.ends import ends_from
from affray.engine.exchange.entries import ChoiceEntry, Entry, HiddenEntry, Leaf
from affray.engine.exchange.finals import Finals
from affray.engine.exchange.foremost import Foremost
from affray.engine.exchange.game import Game, Offered, considered, settled_option
from affray.engine.exchange.keeping import kernel_of, new_kernel
from affray.engine.exchange.kernel import TooLongError
from affray.engine.exchange.lasting import Lasting
from affray.engine.exchange.returning import EndlessError, circle
from affray.engine.exchange.values import Habits, Values, common, mixed

__all__ = ["Solution", "Valued", "exact_worth", "objective_named", "solve"]

_RUNNING: AbstractContextManager[object] = nullcontext()


class Valued(NamedTuple):
    """An option with what it is worth to the one who decides, and what it costs to take it.

    `value` is the decider's objective if the option is taken and everything after it is
    decided optimally; `cost` is how much worse that is than the best option (zero or more).
    """

    name: str
    words: str
    value: Fraction
    cost: Fraction


def objective_named(
    system: System[Facts], name: str = "", start: At[Facts] | None = None
) -> Objective[Facts]:
    """The objective with this name, or the first that fits the start.

    Raises:
        UnknownNameError: there is none with that name; lists the objectives. Or it is to win, and
            the exchange is no whole game.
    """
    if not name:
        return first_fitting(system.objectives, start and start.facts)
    found = next((wish for wish in system.objectives if name == wish.name), None)
    can_win = start is None or found is None or found.fits is None or found.fits(start.facts)
    if found is not None and (name != WIN or can_win):
        return found
    if name == WIN:
        raise UnknownNameError(
            "'win' is the chance to win a whole fight; this is one exchange", advice="win"
        )
    raise unknown(f"objective of {system.id}", name, [wish.name for wish in system.objectives])


class Solution:
    """An exchange solved: its value, the best option anywhere, and the policy as a table.

    Made by `solve`. `decide` is a policy for `affray.engine.exchange.odds` and for playing.

    Args:
        game, objectives, threshold, budget: as for `solve`.
        shared: whether what is followed is kept for others who ask about the same exchange.

    Attributes:
        minds: outcome fields on which the objectives depend alone; None: nobody says.
    """

    def __init__(
        self,
        game: Game,
        objectives: Mapping[str, Objective[Facts]],
        *,
        threshold: Fraction = Fraction(0),
        budget: Budget | None = None,
        shared: bool = True,
    ) -> None:
        self.game = game
        self.threshold = threshold
        self.budget = budget
        self._wishes = tuple(dict.fromkeys(objectives.values()))
        self._wish_of = {actor: self._wishes.index(wish) for actor, wish in objectives.items()}
        about = [game.system.decided_by(wish) for wish in self._wishes]
        self.minds = None if None in about else frozenset().union(*filter(None, about))
        self._kernel = (kernel_of if shared else new_kernel)(game, self.minds)
        self._rows: dict[int, Values] = {}
        self._habits = Habits(self._kernel, self._rows, weakly(self._taken))
        self._foremost = Foremost(proxy(self))
        # An option that nobody looks at could offer what a habit waits for.
        watched: frozenset[str] = getattr(game.narrow, "watched", frozenset())
        self._finds_foremost = len(self._wishes) == 1 and not (self.threshold or watched)
        defers = game.system.hints.defers if self._finds_foremost else {}
        self._deferring = Deferring(self._kernel, defers)
        self._lasting: Lasting | None = None

    def __repr__(self) -> str:
        wishes = ", ".join(wish.name for wish in self._wishes)
        start = self.game.start.step.name
        return f"<solution of {self.game.system.id} from {start}, for the best {wishes}>"

    def _repr_html_(self) -> str:
        """Show the value of the exchange in each objective in a notebook."""
        rows = (
            (actor, wish.name, float(self.value_at(self.game.start, actor)), wish.title)
            for actor, wish in ((actor, self._wishes[n]) for actor, n in self._wish_of.items())
        )
        head = ("who", "objective", "value with best play", "meaning")
        return html_table(f"Solution of {self.game.system.title}", head, rows)

    @property
    def objective(self) -> Objective[Facts]:
        """The first objective; in a zero-sum exchange the only one."""
        return self._wishes[0]

    @property
    def offered(self) -> Offered:
        """Options that were met, at steps for which there is a habit."""
        return self._kernel.offered

    @property
    def stops(self) -> frozenset[Step[Facts]]:
        """Steps at which nothing that is wanted changes any more."""
        return self._kernel.stops

    @property
    def followed(self) -> int:
        """The places that were followed so far."""
        return len(self._kernel)

    # -- values --------------------------------------------------------------------------

    @property
    def value(self) -> Fraction:
        """The value of the exchange under optimal play, in the first objective."""
        return self.value_at(self.game.start)

    def value_at(self, at: At[Facts], actor: str | None = None) -> Fraction:
        """The value of a place, in the objective of `actor` (default: the first objective).

        In a zero-sum exchange there is one objective; the side that wants the opposite reads
        it with the same sign.
        """
        with self._within():
            row = self._at(at)
        return Fraction(row.numbers[self._side(actor)[0]], row.total)

    def value_within(self, at: At[Facts], places: int) -> Fraction | None:
        """The value of a place; None where more than so many places are still to be followed.

        Raises:
            LimitError: the budget is spent otherwise.
        """
        with self._within():
            try:
                self._kernel.number(at, len(self._kernel) + places)
            except TooLongError as too_long:
                self._turn_to_lasting(too_long)
            except LimitError as limit:
                if limit.limit != "places":
                    raise
                return None
        return self.value_at(at)

    def value_known(self, at: At[Facts]) -> Fraction | None:
        """The value of a place that was followed to its ends already, else None."""
        return None if self._kernel.found(at) is None else self.value_at(at)

    @property
    def residual(self) -> Fraction:
        """The greatest chance of what was left out, where an exchange may go on for ever.

        Values are those of all else.
        """
        return Fraction(0) if self._lasting is None else self._lasting.residual

    def values(self, at: At[Facts]) -> tuple[Valued, ...]:
        """Every option at a choice with its value and its cost, in the order of the book.

        Raises:
            RulesError: there is no choice at this place.
        """
        node = at.step.rule(at.facts)
        if not isinstance(node, Choice):
            raise RulesError(f"step {at.step.name} leaves nothing to decide here")
        return self.valued(node)

    def valued(self, node: Choice[Facts]) -> tuple[Valued, ...]:
        """Every option of a choice with its value and its cost, in the order of the book."""
        wish, sign = self._side(node.actor)
        with self._within():
            rows = [self._at(option.at) for option in node.options]
        worths = [Fraction(row.numbers[wish], row.total) for row in rows]
        best = max(sign * worth for worth in worths)
        return tuple(
            Valued(option.name, option.words, worth, best - sign * worth)
            for option, worth in zip(node.options, worths, strict=True)
        )

    def decide(self, at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        """The option that is taken at a choice: settled beforehand, or the best one."""
        settled = settled_option(self.game, at, choice)
        if settled is not None:
            return settled
        options = considered(self.game, at, choice)
        if self._lasting is not None:
            return options[self._lasting.taken(at)]
        entries = self._kernel.entries
        with self._within():
            deferred = self._deferring.found(at)
            if deferred is not None:
                entry = entries[deferred[0]]
                if isinstance(entry, ChoiceEntry) and len(entry.to) == len(options):
                    self._solved(*deferred)
                    return options[self._taken(entry, self._deferring.rows[deferred[1]])[0]]
        number, place = self._kernel.found(at) or (-1, 0)
        if number in self._rows:
            entry = entries[number]
            if isinstance(entry, ChoiceEntry) and len(entry.to) == len(options):
                return options[self._habits.picks(number, entry)[place]]
        foregone = self.foregone(at, choice)
        if foregone is not None:
            return foregone
        with self._within():
            if self._finds_foremost:
                return self._foremost.pick(at, choice)
            rows = common([self._at(option.at) for option in options])
        spends = [option.spends for option in options]
        return options[self._picks(choice.actor, spends, rows, 1)[0]]

    def foregone(self, at: At[Facts], choice: Choice[Facts]) -> Option[Facts] | None:
        """The option at an open choice where nothing that is wanted changes any more.

        All options are worth the same; None where they may not be.
        """
        if self._finds_foremost and self._kernel.is_over(*at):
            return considered(self.game, at, choice)[0]
        return None

    def plain(self, at: At[Facts]) -> At[Facts]:
        """A place without what the objectives don't need; places with the same one are alike."""
        return self._kernel.plain(at)

    def number(self, at: At[Facts]) -> int:
        """A number for a place; places with the same one come to the same."""
        with self._within():
            return self._kernel.number(at)

    def ends(self, at: At[Facts]) -> Finals:
        """The ends to which the solution leads, with integer weights for each of their totals.

        Their facts hold what `minds` needs; an end is where none of that changes any more.
        """
        with self._within():
            start = self._kernel.number(at)
            self._solved(start)
            return ends_from(self._kernel.entries, start, self._habits.picks)

    # -- backward induction --------------------------------------------------------------

    def wish_of(self, actor: str) -> tuple[Objective[Facts], int]:
        """An actor's objective, and whether the actor wants it large (1) or small (-1)."""
        wish, sign = self._side(actor)
        return self._wishes[wish], sign

    def _within(self) -> AbstractContextManager[object]:
        """The budget of this solution, unless one is being spent already."""
        return _RUNNING if isinstance(meter_in_force(), Clock) else spending(self.budget)

    def _side(self, actor: str | None) -> tuple[int, int]:
        """The objective of an actor, and whether to make it large (1) or small (-1)."""
        if actor is None:
            return 0, 1
        wish = self._wish_of.get(actor)
        if wish is not None:
            return wish, 1
        wish = self._wish_of.get(role_of(actor))
        return (wish, 1) if wish is not None else (0, -1)

    def worth_of_habit(self, step: Step[Facts], actor: str, name: str) -> Fraction:
        """The worth if an actor takes one option wherever a step offers it, to that actor.

        All else is decided as in the solution, which doesn't know of the habit.

        Raises:
            EndlessError: an exchange with this habit never ends.
        """
        with self._within():
            if self._lasting is not None:
                return self._lasting.with_habit(step, actor, name).value(self.game.start)
            start = self._kernel.number(self.game.start)
            self._solved(start)
            row = self._habits.worth(start, (step, actor, name))
        return Fraction(row.numbers[self._side(actor)[0]], row.total)

    def _taken(self, place: ChoiceEntry, rows: Mapping[int, Values] | None = None) -> Sequence[int]:
        """The option that is taken at an entry, for each value left aside."""
        rows = self._rows if rows is None else rows
        below = common([rows[number] for number in place.to])
        return self._picks(place.actor, place.spends, below, place.size)

    def _at(self, at: At[Facts]) -> Values:
        """The values of one place: its own, or its column in a row of places."""
        if self._lasting is None:
            try:
                deferred = self._deferring.found(at)
                return self._as_it_is(at) if deferred is None else self._solved(*deferred)
            except TooLongError as too_long:
                self._turn_to_lasting(too_long)
        assert self._lasting is not None  # it was just turned to
        try:
            value = self._lasting.value(at)
        except EndlessError as error:
            raise circle(self.game.system, error) from None
        return Values(value.denominator, [value.numerator])

    def _turn_to_lasting(self, too_long: TooLongError) -> None:
        """Go on as in an exchange that may have no end, if this can be one.

        Raises:
            LimitError: each side has its own objective, or it takes all that is known.
        """
        if not self._finds_foremost:
            raise too_long
        wish, kernel = self._wishes[0], self._kernel
        self._lasting = Lasting(
            self.game,
            lambda facts: exact_worth(self.game.system, wish, facts),
            weakly(self._sign),
            kernel.plain,
            lambda at: kernel.is_over(*at),
        )

    def _sign(self, actor: str) -> int:
        return self._side(actor)[1]

    def _as_it_is(self, at: At[Facts]) -> Values:
        """The same for a place in which nothing is put off."""
        number, place = self._kernel.found(at) or (self._kernel.number(at), 0)
        row = self._solved(number)
        size = len(row.numbers) // len(self._wishes)
        return row if size == 1 else Values(row.total, row.numbers[place::size])

    def _solved(self, number: int, known: Parts | None = None) -> Values:
        """The row of an entry: what it leads to is worth what it is worth, from the leaves up.

        Args:
            number: the entry.
            known: what was put off on the way to it.
        """
        rows, places = self._rows, self._kernel.entries
        if known is not None:
            rows = self._deferring.rows[known]
        if number not in rows:
            missing: set[int] = set()
            waiting = [number]
            while waiting:
                here = waiting.pop()
                if here not in missing and here not in rows:
                    missing.add(here)
                    waiting += places[here].to
            meter = meter_in_force()
            for here in sorted(missing):  # a place comes after all that it leads to
                rows[here] = self._worth(places[here], rows, known)
                meter.tick()
        return rows[number]

    def _worth(self, place: Entry, rows: Mapping[int, Values], known: Parts | None) -> Values:
        if isinstance(place, ChoiceEntry):
            return self._picked(place, rows)
        if isinstance(place, Leaf):
            return self._utility(place.facts)
        if isinstance(place, HiddenEntry):
            if known is None:
                raise RulesError(f"step {place.at.step.name} looks at what is unknown; fill it in")
            return self._as_it_is(filled(place.at, known))
        return mixed(place, [rows[number] for number in place.to])

    def _utility(self, facts: Facts) -> Values:
        worths = [wish.utility(facts) for wish in self._wishes]
        if all(type(worth) is int for worth in worths):
            return Values(1, worths)  # type: ignore[arg-type]  # just seen to be integers
        exact = [exact_worth(self.game.system, wish, facts) for wish in self._wishes]
        total = lcm(*(worth.denominator for worth in exact))
        return Values(total, [worth.numerator * (total // worth.denominator) for worth in exact])

    def _picked(self, place: ChoiceEntry, rows: Mapping[int, Values]) -> Values:
        below = common([rows[number] for number in place.to])
        total = below[0].total
        if len(self._wishes) == 1 and not self.threshold:
            columns = zip(*[row.numbers for row in below], strict=True)
            better = max if self._side(place.actor)[1] > 0 else min
            return Values(total, list(map(better, columns)))
        size = place.size
        picks = self._picks(place.actor, place.spends, below, size)
        return Values(
            total,
            [below[picks[at % size]].numbers[at] for at in range(size * len(self._wishes))],
        )

    def _picks(
        self, actor: str, spends: Sequence[int], rows: Sequence[Values], size: int
    ) -> list[int]:
        """The option that is taken, for each value left aside; rows have one denominator."""
        wish, sign = self._side(actor)
        places = range(wish * size, (wish + 1) * size)
        if not self.threshold:
            best = max if sign > 0 else min
            columns = ([row.numbers[place] for row in rows] for place in places)
            return [column.index(best(column)) for column in columns]
        price = self.threshold * rows[0].total
        picks = []
        for place in places:
            worths = [
                sign * row.numbers[place] - price * spent
                for row, spent in zip(rows, spends, strict=True)
            ]
            picks.append(worths.index(max(worths)))
        return picks


def exact_worth(system: System[Facts], wish: Objective[Facts], facts: Facts) -> Fraction:
    """The worth of an end. A float would be close, and nobody would know how close.

    Raises:
        RulesError: it is neither an int nor a Fraction.
    """
    worth: object = wish.utility(facts)
    if isinstance(worth, (int, Fraction)):
        return Fraction(worth)
    raise RulesError(
        f"{system.id}: objective {wish.name} is worth {worth!r} ({type(worth).__name__}) at an end "
        "of the exchange; must be an int or a Fraction, so that values are exact"
    )


def solve(
    game: Game,
    objective: Objective[Facts] | Mapping[str, Objective[Facts]],
    *,
    threshold: Fraction | int = 0,
    budget: Budget | None = None,
) -> Solution:
    """Solve an exchange.

    Args:
        game: the exchange; choices that are settled beforehand stay settled.
        objective: one objective (zero-sum: its actor wants it large, everybody else small), or
            one for each actor, each making its own as large as it can.
        threshold: a point of a limited resource is spent only where it gains more than this.
        budget: how much each question may take; by default what the running one has left.

    Raises:
        LimitError: the budget is spent, when a value is asked for.
    """
    wishes = {objective.actor: objective} if isinstance(objective, Objective) else objective
    return Solution(game, wishes, threshold=Fraction(threshold), budget=budget)
