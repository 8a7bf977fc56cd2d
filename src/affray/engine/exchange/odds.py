"""Exact odds: the distribution of anything that can be asked of an outcome."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import repeat
from math import lcm
from operator import add, mul

from affray.core.distribution import Distribution
from affray.core.errors import SetupError
from affray.core.meter import in_portions
from affray.core.names import unknown
from affray.core.node import At, Choice, Facts, Option
from affray.core.system import Field, System, first_fitting
from affray.engine.budget import Budget, spending
from affray.engine.exchange.finals import Ends, LastRoll, values_of
from affray.engine.exchange.flow import Decide, Flow
from affray.engine.exchange.game import Game, settled_option
from affray.engine.exchange.keeping import KeptEnds, keep_ends, recall_ends, tails_of

__all__ = ["fields_named", "odds", "outcomes"]

_Conditions = Sequence[tuple[Field[Facts], Callable[[object], bool]]]
"""Fields with what is known to hold of them."""


def fields_named(
    system: System[Facts], names: Sequence[str], start: At[Facts] | None = None
) -> tuple[Field[Facts], ...]:
    """The outcome fields with these names; without names the first that fits the start.

    Raises:
        UnknownNameError: a name that is no field; lists the fields.
    """
    if not names:
        return (first_fitting(system.fields, start and start.facts),)
    fields = []
    for name in names:
        field = system.field_named(name)
        if field is None:
            known = [known for field in system.fields for known in (field.name, *field.also)]
            raise unknown(f"outcome field of {system.id}", name, known)
        fields.append(field)
    return tuple(fields)


def open_choice(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
    """The policy of somebody who decides nothing: refuse to go on.

    Raises:
        SetupError: always; names the choice that is open.
    """
    options = ", ".join(option.name for option in choice.options)
    raise SetupError(
        f"{at.step.name} ({choice.ask}) is open; settle it to one of {options}, or give a policy"
    )


def outcomes(
    game: Game,
    names: Sequence[str] = (),
    *,
    decide: Decide = open_choice,
    given: Mapping[str, Callable[[object], bool]] | None = None,
    minding: frozenset[str] | None = None,
    budget: Budget | None = None,
) -> Distribution[tuple[object, ...]]:
    """The exact joint distribution of outcome fields.

    Args:
        game: the exchange; settled choices stay settled.
        names: the fields; without any, the system's first.
        decide: who decides the other choices.
        given: conditions that are known to hold, by field.
        minding: outcome fields that `decide` looks at, or is worked out from; what neither these
            nor `names` need is dropped. None: as a solution says whose method `decide` is; of
            anything else it can't be known, and nothing is dropped.
        budget: how much it may take; by default what the running one has left.

    Returns:
        A distribution over tuples, one value for each field. Where a procedure may go on for
        ever, its `residual` says how much probability was left open, less than a millionth.

    Raises:
        SetupError: an unknown field, an open choice without a policy, a condition that never
            holds.
        LimitError: the budget is spent; carries the probability that had ended.
    """
    asked = fields_named(game.system, names, game.start)
    conditions = [
        (fields_named(game.system, (name,))[0], test) for name, test in (given or {}).items()
    ]
    with spending(budget):
        looked_at = (*asked, *(field for field, _ in conditions))
        needed = frozenset(field.name for field in looked_at)
        ended = recall_ends(game, needed)
        if ended is None:
            ended = _ends(game, needed, decide, _minded(decide) if minding is None else minding)
        return _outcomes(game, asked, conditions, ended)


def _minded(decide: Decide) -> frozenset[str] | None:
    """The outcome fields that a policy looks at, if somebody says."""
    if decide is open_choice:
        return frozenset()
    minds = getattr(getattr(decide, "__self__", None), "minds", None)
    return minds if isinstance(minds, frozenset) else None


def _outcomes(
    game: Game, asked: Sequence[Field[Facts]], conditions: _Conditions, ended: KeptEnds
) -> Distribution[tuple[object, ...]]:
    totals = {roll.total for roll in ended.last_rolls} | {one.total for one in ended.shared}
    common = lcm(*ended.finals, *totals)
    weights: dict[tuple[object, ...], int] = {}
    for total, finals in ended.finals.items():
        columns, ways = _valued(finals, finals.values(), asked, conditions)
        _add(weights, list(zip(*columns, strict=True)), ways, common // total)
    parts: list[tuple[LastRoll | Ends, Collection[int], int]] = [
        *((roll, roll.rows.values(), common // roll.total) for roll in ended.last_rolls),
        *((ends, ends.ways, times * (common // total)) for ends, times, total in ended.shared),
    ]
    hints = game.system.hints.columns
    for part, weighed, scale in parts:
        ways = weighed
        if conditions:
            columns, ways = _valued(part.finals(), weighed, asked, conditions)
        elif isinstance(part, Ends):
            _add(weights, part.joint(asked, hints), ways, scale)
            continue
        else:
            columns = [part.column(field, hints.get(field.name)) for field in asked]
        _add(weights, list(zip(*columns, strict=True)), ways, scale)
    if not weights:
        names = ", ".join(field.name for field, _ in conditions)
        raise SetupError(f"the condition on {names} never holds here")
    if not conditions:
        return Distribution(weights, total=common)
    is_open = ended.residual * common  # a whole number: all else counts over that, too
    return Distribution(weights, total=sum(weights.values()) + int(is_open))


def _valued(
    finals: Collection[Facts],
    ways: Collection[int],
    asked: Sequence[Field[Facts]],
    conditions: _Conditions,
) -> tuple[list[Sequence[object]], Collection[int]]:
    """Each field's values for final facts for which all conditions hold, and their weights."""
    if conditions:
        those = [
            (facts, way)
            for part in in_portions(list(zip(finals, ways, strict=True)))
            for facts, way in part
            if all(test(field.of(facts)) for field, test in conditions)
        ]
        finals, ways = [facts for facts, _ in those], [way for _, way in those]
    return [values_of(field, list(finals)) for field in asked], ways


def _add(
    weights: dict[tuple[object, ...], int],
    values: Sequence[tuple[object, ...]],
    ways: Collection[int],
    scale: int,
) -> None:
    """Add weights of values; quick where all of them are different."""
    more = ways if scale == 1 else map(mul, ways, repeat(scale))
    if not weights:
        weights.update(zip(values, more, strict=True))
        if len(weights) == len(ways):
            return
        weights.clear()
        more = map(mul, ways, repeat(scale))
    # One value after the other, so that equal ones add up.
    known = map(weights.get, values, repeat(0))
    weights.update(zip(values, map(add, known, more), strict=True))


def _ends(
    game: Game, needed: frozenset[str], decide: Decide, minding: frozenset[str] | None
) -> KeptEnds:
    open_choices = 0

    def take(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        nonlocal open_choices
        settled = settled_option(game, at, choice)
        if settled is None:
            open_choices += 1
        return settled or decide(at, choice)

    # Without a policy the same choices are settled wherever an exchange comes by.
    tails = tails_of(game, needed, minding) if decide is open_choice else None
    flown = Flow(
        game, take, needed=needed, minding=minding, tails=tails,
        headway=None if tails is None else tails.headway,
    ).run_on()  # fmt: skip
    ended = KeptEnds(flown.finals, tuple(flown.last_rolls), tuple(flown.shared), flown.residual)
    if not open_choices:
        keep_ends(game, needed, ended)
    return ended


def odds(
    game: Game,
    name: str = "",
    *,
    decide: Decide = open_choice,
    given: Mapping[str, Callable[[object], bool]] | None = None,
    minding: frozenset[str] | None = None,
    budget: Budget | None = None,
) -> Distribution[object]:
    """The exact distribution of one outcome field; arguments as for `outcomes`."""
    joint = outcomes(
        game, (name,) if name else (), decide=decide, given=given, minding=minding, budget=budget
    )
    return joint.map(lambda values: values[0])
