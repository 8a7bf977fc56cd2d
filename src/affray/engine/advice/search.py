"""Look-ahead: sampled play from a place to the end, again and again, ever closer to good play.

A backward induction (`affray.engine.exchange.best`) visits every place of an exchange. Where there
are too many, this search visits those that matter, as often as there is time.

**One look.** It begins at the place in question and walks down a tree of the places met before. At
a choice it takes the option that promises most to the one who decides; dice are thrown. At the
first place that the tree doesn't know, a new leaf is put there, and from the leaf the exchange is
played out to its end by habits. The worth of that end is then noted at every place on the way.

**Which option.** By UCB, the rule behind UCT (Kocsis and Szepesvari 2006): an option's mean so far,
plus an allowance that is large for options seldom tried and shrinks as they are tried: the square
root of log(looks at the choice) / (looks at the option). So each option is tried for ever, but bad
ones ever less often, and the mean of a place approaches its value under best play of both sides.
Means are those of the place an option leads to, however it was reached: places are data, so two
ways to one place share what was learned there.

**Who decides.** The objective is one number. Its actor wants it large, everybody else small; each
side is looked at in the same way.

**Habits.** What an option was worth on the whole, wherever that question was asked, is kept by its
name ("to the question 'which attack comes next?' the answer 'end'"). Beyond the tree most decisions
go by that (move-average sampling, Finnsson and Bjornsson 2008), the others by lot; in the tree it
ranks options nobody has tried. So a look that lasts a whole game learns something for every
question in it. Other ways to play out are by lot alone, or by the first option.

**Rules of thumb.** Where the system has one (`Fight.rule_of_thumb`), looks beyond the tree go by it
instead of by habits, and a choice of the tree opens its options one after the other as it likes
them (progressive unpruning, Chaslot and others 2008). The option that it likes best is also taken
where looks don't tell another one clearly better, and `Advice.by` says so.

**Guides.** Where most games end the same whatever is done in one turn, the objective tells options
apart only after very many looks. So what else the side may want ("health left" beside "the game
won") guides which option is tried: most looks are then broken off after a few turns and ask those
objectives of the facts there, as if it were over; they cost less and are less at the mercy of dice.
The weight of the guides falls as looks to the end come in, and only those make the value and its
interval.

**Dice of many faces.** A roll is always thrown afresh with its own chances, so means are means of
independent throws. How many of its results become places of the tree grows with the square root of
the throws (progressive widening); others are played out at once, and leave only what they came to.

**Small rests are solved.** Before a leaf is played out it is solved exactly if that takes few
places; steps that turned out to be large are tried ever more rarely. A choice all of whose options
are solved is solved. A small exchange is therefore solved at the first look, and what is said of it
is exact; anything else is an estimate and says so.

**Intervals.** The interval around an option's mean is that of a mean of its looks (95 in 100, after
Agresti and Coull: as if a few further looks had ended half at the worst and half at the best that
was seen, 0 and 1 included, so that a few equal looks claim little). It tells how far the luck of
the dice may have moved that mean. How far the play in those looks is from best play it can't tell;
that shrinks with the number of looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf, sqrt
from random import Random
from typing import Literal

from affray.core.errors import LimitError
from affray.core.meter import metered
from affray.core.node import At, Chance, Choice, End, Facts, Option, Step
from affray.core.system import Objective
from affray.engine.advice.choosing import ground_at, neglected, promising, taken_at
from affray.engine.advice.judging import Judge
from affray.engine.advice.records import Advice, Ground, Look, Place
from affray.engine.advice.rests import SMALL, Rests
from affray.engine.advice.telling import Asked, advice_at
from affray.engine.advice.walking import MOST_STEPS, Walk
from affray.engine.budget import Budget, Clock, clock_in_force, spending
from affray.engine.exchange.best import Solution, exact_worth
from affray.engine.exchange.faults import unhashable_at
from affray.engine.exchange.game import Game, considered, liked, settled_option

__all__ = ["Playout", "Search", "guides_for"]

Playout = Literal["habits", "lot", "first"]
"""How a look goes on beyond the tree: by habits learned so far, by lot, or by first options."""

HORIZON = (10, 40)
"""After how many decisions of a look the guides are asked: at least, and below."""
FAR = 0.15
"""The share of looks that are played to the end where there are guides."""
FEWEST_FAR = 3
"""Looks by an option in question that are played to the end before others are broken off."""
BY_LOT = 0.25
"""The share of decisions beyond the tree that are left to the lot."""
UNBOUNDED = 10**15
"""As good as no limit on places."""
USUAL_LOOKS = 2_000
"""Looks where neither seconds nor places are given."""
GRANTED = 1_000
"""Places for which a decision that no look has met allows to solve a rest, on the mean."""
MOST_KEPT = 300_000
"""Places of the tree, beyond which it is begun anew."""
PATIENCE = 2_000
"""Decisions of one look after which all are left to the lot."""


class Search:
    """Look-ahead from places of one exchange; what was learned is kept from one to the next.

    Args:
        game: the exchange; choices that are settled beforehand stay settled.
        objective: what its actor wants large and everybody else small.
        seed: the same seed, asked the same within the same places, gives the same advice.
        guides: what to go by besides where the objective hardly tells options apart.
        threshold: a point of a limited resource is spent only where it gains more than this.
        playout: how a look goes on beyond the tree.
        small: places within which a rest is solved exactly; 0: nothing is.
        solves: whether a share of the time may go into solving the place in question, however
            large it is; where somebody has tried already it is better left.
    """

    def __init__(
        self,
        game: Game,
        objective: Objective[Facts],
        *,
        seed: int = 0,
        guides: Sequence[Objective[Facts]] = (),
        threshold: Fraction | int = 0,
        playout: Playout = "habits",
        small: int = SMALL,
        solves: bool = True,
    ) -> None:
        self.game = game
        self.objective = objective
        self.seed = seed
        self.looks = 0
        self._random = Random(seed)
        self._playout = playout
        self._solution = Solution(
            game, {objective.actor: objective}, threshold=Fraction(threshold), shared=False
        )
        self._walk = Walk(game, self._solution.stops, self._random)
        self._known: dict[tuple[Step[Facts], Facts], Place] = {}
        self._rests = Rests(self._solution, self._walk, small, solves=solves)
        self._judge = Judge(game.system, objective, guides, float(threshold))
        self._most_places = inf
        self._clock: Clock

    def __repr__(self) -> str:
        return f"<search in {self.game.system.id} for {self.objective.name}: {self.looks} looks>"

    @property
    def places(self) -> int:
        """How many rules were applied so far, or looks taken where all is known."""
        return self._walk.places

    # -- asking ------------------------------------------------------------------------------

    def advise(
        self,
        at: At[Facts] | None = None,
        *,
        budget: Budget | None = None,
        looking_s: float | None = None,
    ) -> Advice:
        """The advice at a place, within a budget; by default at the start.

        Args:
            at: the place.
            budget: seconds and places for this question; by default what the running one has
                left, and if that has no limit, a usual number of looks.
            looking_s: the seconds that looks may take of it; None: all that are left.

        Raises:
            LimitError: somebody asked to stop before the first look ended.
        """
        root, asked, over = self._searched(at, budget, looking_s)
        if over and not root.is_known:
            self._glance(root)
            asked = asked._replace(looks=1)
        if not root.is_known:
            raise LimitError(
                f"{self.game.system.id}: {over or asked.stopped_by} before the first look-ahead "
                "had ended",
                limit=asked.stopped_by,
                states=asked.places,
            )
        return advice_at(root, self._judge, asked)

    def taken(
        self,
        at: At[Facts],
        *,
        budget: Budget | None = None,
        looking_s: float | None = None,
    ) -> tuple[str, Ground]:
        """The option to take at a choice, and what it goes by; always one.

        Args:
            at: the place.
            budget: as for `advise`.
            looking_s: as for `advise`.

        Raises:
            LimitError: somebody asked to stop, or no memory is left.
        """
        place, _, _ = self._searched(at, budget, looking_s)
        if not place.is_known:
            if place.liked:
                return place.options[place.liked[0]].name, "rule of thumb"
            self._glance(place)
        return place.options[taken_at(place, self._judge)].name, ground_at(place, self._judge)

    def decide(self, at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        """The option that is advised at a choice, within the budget in force; a policy."""
        settled = settled_option(self.game, at, choice)
        if settled is not None:
            return settled
        found = choice.named(self.taken(at)[0])
        assert found is not None  # advice names an option of this choice
        return found

    def known_best(self, at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        """The option that looks so far speak for, without further ones; a quick policy.

        Where no look has been, what is left is solved if that takes few places; else habits
        decide, and where there are none the lot.
        """
        settled = settled_option(self.game, at, choice)
        if settled is not None:
            return settled
        place = self._entered(at)
        if not place.is_known:
            self._walk.places += GRANTED
            try:
                self._try_solving(place)
            except LimitError as limit:
                if limit.limit not in {"seconds", "bytes"}:
                    raise
        if place.options and place.is_known:
            return place.options[taken_at(place, self._judge)]
        return self._by_habit(considered(self.game, at, choice), choice)

    def met(self, most: int = 12) -> tuple[Advice, ...]:
        """The choices that the looks so far met most often, each with its advice."""
        found = [place for place in dict.fromkeys(self._known.values()) if place.options]
        found.sort(key=lambda place: -place.looks)
        return tuple(
            advice_at(place, self._judge, Asked("", place.looks, 0, self.seed))
            for place in found[:most]
            if place.is_known
        )

    # -- one look ----------------------------------------------------------------------------

    def _searched(
        self, at: At[Facts] | None, budget: Budget | None, looking_s: float | None
    ) -> tuple[Place, Asked, str]:
        """The place in question after the looks of a budget, what was spent, why it ended."""
        if len(self._known) > MOST_KEPT:
            self._known.clear()
        with spending(budget) as clock:
            self._clock = clock
            looks, places = self.looks, self.places
            most = clock.places(UNBOUNDED)
            self._most_places = places + most
            bounded = looking_s is not None or clock.deadline < inf or most < UNBOUNDED
            root = self._entered(at or self.game.start)
            try:
                self._solve_root(root, most)
                with spending(Budget(seconds=looking_s)) as self._clock:
                    stopped = self._looked(root, looks, inf if bounded else USUAL_LOOKS)
            except LimitError as limit:
                is_kept = limit.limit == "interrupted" and root.is_known
                if not is_kept and limit.limit not in {"seconds", "places", "bytes"}:
                    raise
                stopped = limit.limit
                root = self._entered(at or self.game.start)
            over = ""
            if stopped == "places":
                over = f"over {clock.places():,} places"
            elif stopped in {"seconds", "bytes"}:
                over = self._clock.why(stopped)
        return root, Asked(stopped, self.looks - looks, self.places - places, self.seed), over

    def _looked(self, root: Place, before: int, most: float) -> str:
        """Take looks from a place until it is solved or a limit is reached; returns that limit."""
        while root.exact is None:
            stopped = self._over(self.looks - before)
            if stopped:
                return stopped
            if self.looks - before >= most:
                return "looks"
            self._look(root)
        return ""

    def _glance(self, root: Place) -> None:
        """Take one look, whatever the time: an answer of one look is better than none."""
        with metered(Clock(Budget())), self._rests.left_alone():
            self._clock = clock_in_force()
            self._look(root)

    def _over(self, looks: int) -> str:
        """The limit that is reached, or ""."""
        self._clock.tell("looks", looks)
        return "places" if self.places > self._most_places else self._clock.over()

    def _look(self, root: Place) -> None:
        """One look from a place to an end, noted at every place on the way."""
        look = Look(far=not self._judge.asks_midway or self._random.random() < FAR)
        on_the_way: set[Place] = set()
        place = root
        while True:
            node = place.node
            look.way.append(place)
            on_the_way.add(place)
            if isinstance(node, End):
                look.worth, look.guided = (
                    self._judge.worth(node.outcome),
                    self._judge.hint(node.outcome),
                )
                break
            if place.exact is not None:
                look.worth = float(place.exact)
                look.guided = place.guided / place.looks if place.looks else self._judge.hints.mean
                break
            if isinstance(node, Choice):
                number = neglected(place) if place is root else -1
                if number < 0:
                    number = promising(place, self._judge)
                option = place.options[number]
                look.edges.append((place, number))
                look.taken.append((node.actor, node.ask, option.name))
                below = place.places[number]
                if below is None:
                    below = place.places[number] = self._entered(option.at)
                if place is root and below.n < FEWEST_FAR:
                    look.far = True
            else:
                after = self._walk.thrown(node)
                seen = place.kept.get(after.facts)
                if seen is None and len(place.kept) > sqrt(place.looks):
                    self._play_out(*after, look)
                    break
                below = seen
                if below is None:
                    below = place.kept[after.facts] = self._entered(after)
            place = below
            if place in on_the_way:  # round in a circle: go on beyond the tree
                self._play_out(*place.at, look)
                break
            if not place.looks and place.exact is None and not isinstance(place.node, End):
                self._try_solving(place)
                if place.exact is None:
                    look.way.append(place)
                    self._play_out(*place.at, look)
                    break
        self._note(look)

    def _note(self, look: Look) -> None:
        """Note what a look came to, at every place and habit on its way."""
        worth, guided = look.worth, look.guided
        self.looks += 1
        self._walk.places += 1  # where all is known no rule is applied, and a budget shall end
        self._judge.note(look)
        for place in look.way:
            place.note(worth, guided)
        for place, number in look.edges:
            place.edges[number] += 1
        for place, _ in reversed(look.edges):
            if any(below is None or below.exact is None for below in place.places):
                break
            taken = place.places[taken_at(place, self._judge)]
            place.exact = None if taken is None else taken.exact

    def _entered(self, at: At[Facts]) -> Place:
        """The place of the tree where the way goes from here: a roll, a choice or an end."""
        try:
            place = self._known.get((at.step, at.facts))
            if place is not None:
                return place
            there, node = self._walk.resting(*at)
            key = (there.step, there.facts)
            place = self._known.get(key)
        except TypeError:
            unhashable_at(self.game.system, *at)
            raise
        if place is None:
            place = self._known[key] = Place(there, node)
            if isinstance(node, Choice):
                place.options = considered(self.game, there, node)
                place.sign = self._sign(node.actor)
                place.places = [None] * len(place.options)
                place.edges = [0] * len(place.options)
                found = liked(self.game, there, node)
                place.liked = tuple(place.options.index(option) for option in found)
            elif isinstance(node, End):
                place.exact = exact_worth(self.game.system, self.objective, node.outcome)
        self._known[at.step, at.facts] = place
        return place

    def _play_out(self, step: Step[Facts], facts: Facts, look: Look) -> None:
        """Play a look on beyond the tree, to the end or to where the guides are asked."""
        horizon = int(HORIZON[0] + self._random.random() * (HORIZON[1] - HORIZON[0]))
        for number in range(MOST_STEPS):
            self._clock.poll()
            (step, facts), node = self._walk.resting(step, facts)
            if isinstance(node, End):
                look.worth = self._judge.worth(node.outcome)
                if look.guided is None:
                    look.guided = self._judge.hint(node.outcome)
                return
            if isinstance(node, Chance):
                step, facts = self._walk.thrown(node)
                continue
            if self._judge.asks_midway and look.guided is None and len(look.taken) >= horizon:
                look.guided = self._judge.hint_midway(facts)
                if not look.far and look.guided is not None:
                    return
            options = considered(self.game, At(step, facts), node)
            playout = self._playout if number < PATIENCE else "lot"
            if playout == "first":
                option = options[0]
            elif playout == "lot" or self._random.random() < BY_LOT:
                option = options[int(self._random.random() * len(options))]
            else:
                option = (*liked(self.game, At(step, facts), node), None)[0] or self._by_habit(
                    options, node
                )
            taken = look.taken if look.guided is None else look.later
            taken.append((node.actor, node.ask, option.name))
            step, facts = option.at
        raise LimitError(
            f"{self.game.system.id}: no end after {MOST_STEPS:,} rolls and decisions of a "
            f"look-ahead, at {step.title!r}",
            limit="steps", states=self.places,
        )  # fmt: skip

    # -- deciding ----------------------------------------------------------------------------

    def _sign(self, actor: str) -> int:
        """Whether an actor wants the objective large (1) or small (-1)."""
        return self._solution.wish_of(actor)[1]

    def _by_habit(self, options: Sequence[Option[Facts]], choice: Choice[Facts]) -> Option[Facts]:
        """The option that habits speak for."""
        sign = self._sign(choice.actor)
        return self._judge.by_habit(options, choice, sign, self._random)

    # -- what can be solved ------------------------------------------------------------------

    def _try_solving(self, place: Place) -> None:
        """Solve a new leaf exactly, if that takes few places."""
        place.exact = self._rests.small(place.at)
        if place.exact is not None:
            self._weigh_exactly(place)

    def _solve_root(self, root: Place, most: int) -> None:
        """Solve the place in question, if a share of the budget is enough for that."""
        if root.exact is not None or isinstance(root.node, End):
            return
        root.exact = self._rests.whole(root.at, most, self._clock)
        if root.exact is not None:
            self._weigh_exactly(root)

    def _weigh_exactly(self, place: Place) -> None:
        """Note what every option of a solved choice is worth."""
        node = place.node
        if not isinstance(node, Choice):
            return
        for number, option in enumerate(place.options):
            below = place.places[number] = self._entered(option.at)
            if below.exact is None:
                below.exact = self._solution.value_at(option.at)


def guides_for(game: Game, objective: Objective[Facts]) -> tuple[Objective[Facts], ...]:
    """Everything else that a side may want where a game starts; it guides the looks."""
    start = game.start.facts
    return tuple(
        wish
        for wish in game.system.objectives
        if wish is not objective and (wish.fits is None or wish.fits(start))
    )
