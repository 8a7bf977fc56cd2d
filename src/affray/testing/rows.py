"""The hidden makes no difference: exchanges worked out plainly, compared with rows.

Engines work out an exchange once for all conditions that look alike, with `UNKNOWN` in place of
what is hidden, with fields aside and seams. Three looks at it can't be noticed (`is None`,
`type(x)`, `id(x)`), nor can looks at what is hidden of whoever acts. Here the same exchanges are
followed place by place from conditions in which everything is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from affray.core.errors import SetupError
from affray.core.fight import Deed, Scene
from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance, Choice, End, Facts, Option
from affray.core.reading import roll_of
from affray.core.unknown import UNKNOWN, Looked, Parts, holds_unknown, is_look
from affray.engine.exchange.best import solve
from affray.engine.exchange.game import Game, settled_option
from affray.engine.fight.contest import Contest
from affray.engine.fight.front import Several
from affray.engine.fight.matchup import EffectOdds, Encounter, Matchup

__all__ = ["Compared", "compare_rows"]

MOST_PLACES = 4_000

Result = dict[tuple[Any, ...], Fraction]
"""Conditions of the actor, the target and the target's mates after an exchange, with chances."""

Shares = dict[int, int]
"""A chance as a sum of fractions: numerators by denominator. Whole numbers are added sooner."""


class Compared(NamedTuple):
    """The number of exchanges compared, and of those with too many places for that."""

    exchanges: int
    skipped: int


class Exchange(NamedTuple):
    """One exchange of a fight, from conditions in which everything is known.

    Attributes:
        matchup: its rows. deed: what is done. sheets, conditions: of the actor, the target and
            the target's mates, in this order.
    """

    matchup: Matchup
    deed: Deed
    sheets: tuple[Any, ...]
    conditions: tuple[Any, ...]

    @property
    def context(self) -> Any:
        """The target's mates as a declaration knows them."""
        mates = zip(self.sheets[2:], self.conditions[2:], strict=True)
        return self.matchup.fight.context(tuple(mates))

    def row(self) -> EffectOdds | None:
        """As the engine has it."""
        actor, target, *_ = self.conditions
        return self.matchup.odds(Encounter(self.deed, actor, target, self.context))

    def rows(self) -> tuple[EffectOdds | None, ...]:
        """As the engine has it, alone and among targets that differ in what is hidden."""
        actor, target, *_ = self.conditions
        encounter = Encounter(self.deed, actor, target, self.context)
        part = self.matchup.system.hints.hidden.part(target)
        among, _ = self.matchup.odds_for(encounter, Several((part,)))
        alone = self.row()
        return (alone,) if alone is among[0] else (alone, *among)

    def after(self, mine: Any, theirs: Any, helped: Any) -> tuple[Any, ...]:
        """The conditions of everybody after effects."""
        apply = self.matchup.fight.apply
        actor, target, *mates = self.conditions
        for place, effect in helped:
            mates[place] = apply(self.sheets[2 + place], mates[place], effect)
        return apply(self.sheets[0], actor, mine), apply(self.sheets[1], target, theirs), *mates


def compare_rows(contest: Contest, *, seed: int = 1, exchanges: int = 12) -> Compared:
    """Compare exchanges of a fight as it might go with the same ones worked out plainly.

    Args:
        contest: the fight; where plans leave a choice open, it is solved for the objective from
            there on, everything being known.
        seed: how it goes.
        exchanges: how many are compared at most.

    Raises:
        AssertionError: they differ; says for which conditions, and what comes of them.
    """
    done: dict[object, bool] = {}
    went: list[bool] = []
    for exchange in _exchanges(contest, Random(seed), exchanges):
        same = id(exchange.matchup), *exchange[1:]  # matchups are kept by the contest
        if same not in done:
            _compare_reserve(exchange, contest.spends_for)
            done[same] = _compare(exchange)
        went.append(done[same])
    return Compared(sum(went), len(went) - sum(went))


def _compare(exchange: Exchange) -> bool:
    """Compare an exchange with the same one worked out plainly; False: that has too many places.

    Raises:
        AssertionError: they differ.
    """
    rows = exchange.rows()
    for row in rows:
        for effects in () if row is None else row.effects:
            _compare_sums(exchange, effects)
            _compare_unknown(exchange, effects)
    try:
        plain = _plain(exchange)
    except SetupError:
        for row in rows:
            if row is not None:
                raise AssertionError(
                    f"{_told(exchange)}: refused, but there is a row: {row}"
                ) from None
        return True
    if plain is None:
        return False
    for row in rows:
        _compare_row(exchange, row, plain)
    return True


def _compare_row(exchange: Exchange, row: EffectOdds | None, plain: Result) -> None:
    """Compare a row with the same exchange worked out plainly.

    Raises:
        AssertionError: they differ.
    """
    if row is None:
        raise AssertionError(f"{_told(exchange)}: there is no row, but {plain}")
    found = _of_row(exchange, row)
    wrong = {key for key in {**plain, **found} if plain.get(key) != found.get(key)}
    if wrong:
        apart = "\n".join(
            f"  {key}: {plain.get(key, 0)} with everything known, {found.get(key, 0)} in the row"
            for key in sorted(wrong, key=repr)[:5]
        )
        raise AssertionError(f"{_told(exchange)}:\n{apart}")


def _compare_sums(exchange: Exchange, effects: tuple[Any, ...]) -> None:
    """Compare effects with what they come to if all that they add was there before.

    Raises:
        AssertionError: they differ.
    """
    hints, apply = exchange.matchup.system.hints, exchange.matchup.fight.apply
    sides = zip(exchange.sheets[:2], exchange.conditions[:2], effects, strict=True)
    for sheet, condition, effect in sides:
        found = None if hints.adds is None else hints.adds(effect)
        if found is None:
            continue
        more, rest = found
        part: Any = hints.hidden.part(condition)
        total = tuple(map(sum, zip(part, more, strict=True)))
        before = hints.hidden.veiled(hints.hidden.visible(condition), total)
        if apply(sheet, before, rest) != apply(sheet, condition, effect):
            raise AssertionError(
                f"{_told(exchange)}: {effect} makes {apply(sheet, condition, effect)} of "
                f"{condition}, and {rest} makes {apply(sheet, before, rest)} of {before}"
            )


def _compare_unknown(exchange: Exchange, effects: tuple[Any, ...]) -> None:
    """Compare effects with what they come to with one hidden number unknown, if they don't look.

    Raises:
        AssertionError: they differ.
    """
    hidden, apply = exchange.matchup.system.hints.hidden, exchange.matchup.fight.apply
    sides = zip(exchange.sheets[:2], exchange.conditions[:2], effects, strict=True)
    for sheet, condition, effect in sides:
        part: Any = hidden.part(condition)
        for at in range(len(part.values) if type(part) is Parts else 0):
            values = *part.values[:at], UNKNOWN, *part.values[at + 1 :]
            veiled = hidden.veiled(hidden.visible(condition), part._replace(values=values))
            try:
                found = apply(sheet, veiled, effect)
            except (Looked, Exception) as error:
                if not is_look(error, veiled, "an effect"):
                    raise
                continue
            wanted = apply(sheet, condition, effect)
            if not holds_unknown(found) and found != wanted:
                raise AssertionError(
                    f"{_told(exchange)}: {effect} makes {wanted} of {condition}, and {found} with "
                    f"{part.names[at]} unknown"
                )


def _compare_reserve(exchange: Exchange, spends_for: frozenset[str] | None) -> None:
    """Compare an exchange of two with the same one declared without what it can't spend.

    Raises:
        AssertionError: they differ.
    """
    reserve, fight = exchange.matchup.system.hints.reserve, exchange.matchup.fight
    if reserve is None or len(exchange.conditions) > 2:
        return
    both = list(zip(exchange.sheets, exchange.conditions, strict=True))
    known = tuple([reserve.without(*one, spends_for) for one in both])
    if known == exchange.conditions:
        return
    (sheet, whole), less = both[0], exchange._replace(conditions=known)
    if fight.deeds(sheet, known[0]) != fight.deeds(sheet, whole):
        raise AssertionError(f"{_told(exchange)}: without a reserve, {known[0]} has other deeds")
    here = _of_row(exchange, exchange.row())
    there: Result = {}
    for after, chance in _of_row(less, less.row()).items():
        restored = tuple(map(reserve.restored, after, known, exchange.conditions))
        there[restored] = there.get(restored, Fraction(0)) + chance
    if here != there:
        wrong = next(key for key in {**here, **there} if here.get(key) != there.get(key))
        raise AssertionError(
            f"{_told(exchange)}: {wrong} is the end of {here.get(wrong, 0)}, and of "
            f"{there.get(wrong, 0)} if it is declared without a reserve"
        )


def _told(exchange: Exchange) -> str:
    actor, target, *_ = exchange.conditions
    return f"{exchange.matchup.system.id}: {exchange.deed.name} of {actor} on {target}"


def _of_row(exchange: Exchange, row: EffectOdds | None) -> Result:
    found: Result = {}
    if row is None:
        return found
    helped = row.helped or ((),) * len(row.effects)
    for (mine, theirs), mates, weight in zip(row.effects, helped, row.weights, strict=True):
        after = exchange.after(mine, theirs, mates)
        found[after] = found.get(after, Fraction(0)) + Fraction(weight, row.total)
    return found


def _plain(exchange: Exchange) -> Result | None:
    """The exchange followed place by place; None: too many of them.

    Raises:
        SetupError: the rules refuse it.
    """
    matchup = exchange.matchup
    if matchup.setup is None:
        raise SetupError("such two can't meet")
    fight, order = matchup.fight, matchup.system.places
    actor, target, *_ = exchange.conditions
    start = fight.declare(
        Scene(
            matchup.setup, exchange.deed, actor, target,
            exchange.context, matchup.rulings,
        )
    )  # fmt: skip
    waiting: dict[int, dict[At[Facts], Shares]] = {order[start.step]: {start: {1: 1}}}
    found: dict[tuple[Any, ...], Shares] = {}
    n_places = 1
    while waiting:
        for at, shares in waiting.pop(min(waiting)).items():
            node = at.step.rule(at.facts)
            if isinstance(node, End):
                out = node.outcome
                effects = fight.effect(out, "actor"), fight.effect(out, "target")
                after = exchange.after(*effects, fight.helped(out))
                _add(found.setdefault(after, {}), shares, 1, 1)
                continue
            for then, weight, total in _after(matchup, at, node):
                here = waiting.setdefault(order[then.step], {})
                if then not in here:
                    n_places += 1
                    if n_places > MOST_PLACES:
                        return None
                _add(here.setdefault(then, {}), shares, weight, total)
    return {after: sum((Fraction(n, total) for total, n in shares.items()), Fraction(0))
            for after, shares in found.items()}  # fmt: skip


def _add(found: Shares, shares: Shares, weight: int, total: int) -> None:
    """Add what comes of one reading of a roll: `weight` of `total` of some shares."""
    for whole, n in shares.items():
        found[whole * total] = found.get(whole * total, 0) + n * weight


def _after(matchup: Matchup, at: At[Facts], node: Any) -> Iterator[tuple[At[Facts], int, int]]:
    """Where a place leads, with the weight of each of these places, and of all together."""
    if isinstance(node, Chance):
        roll = roll_of(node.dice, node.read)
        for reading, weight in roll.rows:
            facts: Any = node.then.facts
            filled = facts._replace(**{node.into: reading})
            yield At(node.then.step, filled), weight, roll.total
    elif isinstance(node, Choice):
        yield _option(matchup, at, node).at, 1, 1
    else:
        yield node.at, 1, 1


def _option(matchup: Matchup, at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
    """The option of the plans; of several the best one, from this place alone."""
    game = Game(matchup.system, at, {}, matchup.plans)
    option = settled_option(game, at, choice)
    if option is not None:
        return option
    return solve(game, matchup.objective, threshold=matchup.threshold).decide(at, choice)


# -- how a fight might go ------------------------------------------------------------------------


def _exchanges(contest: Contest, chance: Random, most: int) -> Iterator[Exchange]:
    fight, left = contest.fight, most
    for _ in range(most):
        conditions = [
            [contest.enter(n, sheet) for sheet in side.fighters]
            for n, side in enumerate(contest.sides)
        ]
        for turn in range(2 * most):
            if not left:
                return
            exchange = _exchange(contest, conditions, turn % 2, chance)
            if exchange is None:
                continue
            left -= 1
            yield exchange
            if turn % 2:
                for n, side in enumerate(contest.sides):
                    conditions[n][:] = map(fight.end_round, side.fighters, conditions[n])


def _exchange(
    contest: Contest, conditions: list[list[Any]], side: int, chance: Random
) -> Exchange | None:
    """Somebody of a side acts, and it comes to pass; None: nobody can."""
    fight, sides = contest.fight, contest.sides
    place = chance.randrange(len(conditions[side]))
    sheet = sides[side].fighters[place]
    if fight.is_out(sheet, conditions[side][place]):
        return None
    conditions[side][place] = mine = fight.begin_turn(sheet, conditions[side][place])
    deeds = [deed for deed in contest.deeds(side, sheet, mine) if deed.on != "self"]
    chance.shuffle(deeds)
    for deed in deeds:
        other = 1 - side if deed.on == "foe" else side
        is_out = list(map(fight.is_out, sides[other].fighters, conditions[other]))
        on = [n for n, out in enumerate(is_out) if out == (deed.on != "foe")]
        if not on:
            continue
        struck = chance.choice(on)
        mates = [n for n in range(len(conditions[other])) if n != struck]
        exchange = Exchange(
            contest.matchup(side, sheet, sides[other].fighters[struck], friend=other == side),
            deed,
            (sheet, *(sides[other].fighters[n] for n in (struck, *mates))),
            (mine, *(conditions[other][n] for n in (struck, *mates))),
        )
        row = exchange.row()
        if row is not None:
            drawn = chance.choices(range(len(row.effects)), list(map(float, row.weights)))[0]
            helped = row.helped[drawn] if row.helped else ()
            after = exchange.after(*row.effects[drawn], helped)
            conditions[side][place] = after[0]
            for n, condition in zip((struck, *mates), after[1:], strict=True):
                if (other, n) != (side, place):
                    conditions[other][n] = condition
        return exchange
    return None
