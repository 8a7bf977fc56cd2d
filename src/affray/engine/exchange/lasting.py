"""Best play in a procedure that may go on for ever, where backward induction has no end.

The places that can be reached are found level by level. Where they repeat, they are a finite
Markov game with one objective; each strongly connected component is solved after those that it
leads to, by strategy iteration (Hoffman and Karp 1966): one side's strategy is kept while the
other's is improved to the best answer (policy iteration, Howard 1960), then the first is improved
in turn. Options change only for one that is better, so that play which ends under the first
strategies ends under all later ones. Play without an end is worth nothing to anybody, and no
strategy takes it.

Where new places come up without end, places that hardly anything leads to are cut off. `residual`
is the greatest chance to get there, whatever anybody decides; what they are worth is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from affray.core.errors import LimitError, RulesError
from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance, Choice, Facts, Go, Option, Step, fill_each
from affray.core.reading import roll_of
from affray.engine.budget import clock_in_force
from affray.engine.exchange.faults import check_asked
from affray.engine.exchange.game import Game, considered, options_left
from affray.engine.exchange.returning import EndlessError, components, visits

__all__ = ["Lasting"]

MOST_PLACES, MOST_TOGETHER = 20_000, 300
"""Places that are looked at in all; those that lead to one another."""
CUT = 1e-9
"""So little may lead to places that are cut off, as it is seen on the way to them."""
GRACE = 500
"""With so little left, so many places more are looked at, and as many as before: it may yet end."""
MOST_STRAIGHT = 1_000
"""Steps in a row without dice or decision."""

_NOTHING, _ALL = Fraction(0), Fraction(1)


class _Place(NamedTuple):
    """A place at which dice are rolled, somebody decides, or all has ended.

    Attributes:
        to: where it leads. chances: of each of these; none: somebody decides.
        sign: whether that one wants much (1) or little (-1). worth: of an end.
    """

    to: tuple[At[Facts], ...]
    chances: tuple[Fraction, ...] = ()
    sign: int = 0
    worth: Fraction = _NOTHING


class Lasting:
    """Values under best play; grows as places are asked for.

    Args:
        game: the exchange.
        worth: what an end is worth.
        sign: whether an actor wants much (1) or little (-1).
        plain: a place without what isn't needed.
        is_over: whether nothing that is wanted changes any more from a place on.

    Attributes:
        residual: the greatest chance of coming to what was cut off.
    """

    def __init__(
        self,
        game: Game,
        worth: Callable[[Facts], Fraction],
        sign: Callable[[str], int],
        plain: Callable[[At[Facts]], At[Facts]],
        is_over: Callable[[At[Facts]], bool],
    ) -> None:
        self._game = game
        self._worth = worth
        self._sign = sign
        self._plain = plain
        self._is_over = is_over
        self._places: dict[At[Facts], _Place] = {}
        self._rests: dict[At[Facts], At[Facts]] = {}
        self._values: dict[At[Facts], Fraction] = {}
        self._taken: dict[At[Facts], int] = {}
        self._open: dict[At[Facts], Fraction] = {}
        self.residual = _NOTHING

    def value(self, at: At[Facts]) -> Fraction:
        """The value of a place under best play.

        Raises:
            LimitError: there are too many places.
            EndlessError: some places have no way to an end.
        """
        start = self._rest(at)
        if start not in self._values:
            self._solve(start)
        return self._values[start]

    def taken(self, at: At[Facts]) -> int:
        """The number of the option that is taken at a choice."""
        self.value(at)
        return self._taken[self._rest(at)]

    def with_habit(self, step: Step[Facts], actor: str, name: str) -> Lasting:
        """The same where an actor takes an option wherever a step offers it.

        All else is decided as it is here, without knowing of the habit.
        """

        def narrow(at: At[Facts], choice: Choice[Facts]) -> tuple[Option[Facts], ...]:
            options = considered(self._game, at, choice)
            if at.step is step and choice.actor == actor:
                those = tuple(option for option in options if option.name == name)
                if those:
                    return those
            if len(options) == 1:
                return options
            return (options[self.taken(at)],)

        game = self._game._replace(narrow=narrow)
        return Lasting(game, self._worth, self._sign, self._plain, self._is_over)

    # -- finding places ----------------------------------------------------------------------

    def _rest(self, at: At[Facts]) -> At[Facts]:
        """The next place at which dice are rolled, somebody decides, or all has ended."""
        known = self._rests.get(at)
        if known is not None:
            return known
        here = at
        for _ in range(MOST_STRAIGHT):
            here = self._plain(here)
            if here in self._places:
                break
            if self._is_over(here):
                self._places[here] = _Place((), worth=self._worth(here.facts))
                break
            node = here.step.rule(here.facts)
            if isinstance(node, Go):
                here = node.at
                continue
            if isinstance(node, Choice):
                check_asked(self._game.system, here.step, node)
                options = options_left(self._game, here, node)
                if len(options) == 1:
                    here = options[0].at
                    continue
                to = tuple(option.at for option in options)
                self._places[here] = _Place(to, sign=self._sign(node.actor))
            elif isinstance(node, Chance):
                check_asked(self._game.system, here.step, node)
                roll = roll_of(node.dice, node.read)
                readings = [reading for reading, _ in roll.rows]
                then = node.then.step
                self._places[here] = _Place(
                    tuple(At(then, x) for x in fill_each(node.then, node.into, readings)),
                    tuple(Fraction(ways, roll.total) for _, ways in roll.rows),
                )
            else:
                self._places[here] = _Place((), worth=self._worth(node.outcome))
            break
        else:
            raise RulesError(
                f"{self._game.system.id}: step {at.step.name} leads on for over {MOST_STRAIGHT:,} "
                "steps without a roll or a decision"
            )
        self._rests[at] = here
        return here

    def _solve(self, start: At[Facts]) -> None:
        """Find what can be reached from a place, and solve it."""
        found: dict[At[Facts], _Place] = {}
        level, enough, clock = {start: 1.0}, 0, clock_in_force()
        most = min(MOST_PLACES, clock.places())
        while level:
            if sum(level.values()) > CUT:
                enough = 0
            elif not enough:
                enough = 2 * len(found) + GRACE
            elif len(found) > enough:
                break
            below: dict[At[Facts], float] = {}
            for at, weight in level.items():
                clock.tick()
                place = self._places[at]
                found[at] = place = place._replace(to=tuple(map(self._rest, place.to)))
                for number, to in enumerate(place.to):
                    if to not in found and to not in level and to not in self._values:
                        share = float(place.chances[number]) if place.chances else 1.0
                        below[to] = below.get(to, 0.0) + weight * share
            if len(found) + len(below) > most:
                raise LimitError(
                    f"{self._game.system.id}: the exchange can go on for ever, and over "
                    f"{most:,} places are too many to solve. Settle more choices beforehand",
                    limit="places",
                    states=len(found),
                )
            level = below
        order = _in_order(found)
        values = dict(self._values)
        values.update(dict.fromkeys(level, _NOTHING))
        self._taken.update(_solved(found, order, values))
        self._values.update({at: values[at] for at in found})
        # How likely they are at most: everybody wants to get there, which is worth one.
        reach = {
            at: place._replace(sign=abs(place.sign), worth=_NOTHING) for at, place in found.items()
        }
        reached = {**self._open, **dict.fromkeys(level, _ALL)}
        if any(reached.values()):
            _solved(reach, order, reached)
            self.residual = max(self.residual, reached[start])
        self._open.update({at: reached.get(at, _NOTHING) for at in found})


def _in_order(found: Mapping[At[Facts], _Place]) -> list[list[At[Facts]]]:
    """Components of the places, each after those that it leads to."""
    inside = {at: [to for to in place.to if to in found] for at, place in found.items()}
    order = components(inside)[::-1]
    largest = max(map(len, order))
    if largest > MOST_TOGETHER:
        raise LimitError(
            f"over {MOST_TOGETHER} places that lead to one another are too many to solve: "
            f"{largest:,}",
            limit="places",
            states=len(found),
        )
    return order


def _solved(
    found: Mapping[At[Facts], _Place],
    order: Sequence[Sequence[At[Facts]]],
    values: dict[At[Facts], Fraction],
) -> dict[At[Facts], int]:
    """Add the values of components, each after those that it leads to; returns what is taken."""
    taken: dict[At[Facts], int] = {}
    for component in order:
        at = component[0]
        if len(component) == 1 and at not in found[at].to:
            place = found[at]
            if not place.to:
                values[at] = place.worth
            elif place.chances:
                values[at] = _mean(place, values)
            else:
                taken[at] = _best(place, values, place.sign)
                values[at] = values[place.to[taken[at]]]
        else:
            taken.update(_iterated({at: found[at] for at in component}, values))
    return taken


def _mean(place: _Place, values: Mapping[At[Facts], Fraction]) -> Fraction:
    each = zip(place.to, place.chances, strict=True)
    return sum((values[to] * chance for to, chance in each), start=_NOTHING)


def _best(place: _Place, values: Mapping[At[Facts], Fraction], sign: int) -> int:
    """The option that is worth most to the one who decides, the first of several."""
    worths = [sign * values[to] for to in place.to]
    return worths.index(max(worths))


def _iterated(
    those: Mapping[At[Facts], _Place],
    values: dict[At[Facts], Fraction],
) -> dict[At[Facts], int]:
    """Strategy iteration in one component; its values are added."""
    taken = _leaving(those)
    choices = [at for at, place in those.items() if not place.chances]
    _evaluate(those, taken, values)
    while True:
        mine = [at for at in choices if those[at].sign > 0]
        while _improve(mine, those, taken, values, 1):
            _evaluate(those, taken, values)
        others = [at for at in choices if those[at].sign < 0]
        if not _improve(others, those, taken, values, -1):
            return taken
        _evaluate(those, taken, values)


def _improve(
    choices: Sequence[At[Facts]],
    those: Mapping[At[Facts], _Place],
    taken: dict[At[Facts], int],
    values: Mapping[At[Facts], Fraction],
    sign: int,
) -> bool:
    """Take better options where there are any; whether there were."""
    changed = False
    for at in choices:
        place = those[at]
        best = _best(place, values, sign)
        if sign * values[place.to[best]] > sign * values[at]:
            taken[at], changed = best, True
    return changed


def _leaving(those: Mapping[At[Facts], _Place]) -> dict[At[Facts], int]:
    """Options that lead out of a component the shortest way, so that play ends.

    Raises:
        EndlessError: there is no way out.
    """
    taken: dict[At[Facts], int] = {}
    out: set[At[Facts]] = set()
    while len(out) < len(those):
        near = {
            at: number
            for at, place in those.items()
            if at not in out
            for number, to in list(enumerate(place.to))[::-1]
            if to in out or to not in those
        }
        if not near:
            raise EndlessError(tuple(those))
        out.update(near)
        taken.update({at: number for at, number in near.items() if not those[at].chances})
    return taken


def _evaluate(
    those: Mapping[At[Facts], _Place],
    taken: Mapping[At[Facts], int],
    values: dict[At[Facts], Fraction],
) -> None:
    """The values of a component if these options are taken, by where play leaves it."""
    leads: dict[At[Facts], dict[At[Facts], Fraction]] = {}
    for at, place in those.items():
        row = leads[at] = {}
        options = [(taken[at], _ALL)] if at in taken else list(enumerate(place.chances))
        for number, chance in options:
            to = place.to[number]
            row[to] = row.get(to, _NOTHING) + chance
    leaves = {at: sum((p * values[to] for to, p in row.items() if to not in those), start=_NOTHING)
              for at, row in leads.items()}  # fmt: skip
    # v = leaves + P v is the same system as that of visits, with the ways turned around.
    back: dict[At[Facts], dict[At[Facts], Fraction]] = {at: {} for at in those}
    for at, row in leads.items():
        for to, chance in row.items():
            if to in those:
                back[to][at] = chance
    values.update(visits(leaves, back))
