"""Exact odds: the distribution of anything that can be asked of an outcome."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import lcm

from affray.core.distribution import Distribution
from affray.core.errors import SetupError
from affray.core.names import unknown
from affray.core.node import At, Choice, Facts, Option
from affray.core.step import Field, System, first_fitting
from affray.engine.flow import MOST_STATES, Decide, flow
from affray.engine.game import Game, settled_option
from affray.engine.kernel import Ended, keep_ends, recall_ends

__all__ = ["fields_named", "odds", "outcomes"]


def fields_named(
    system: System[Facts], names: Sequence[str], start: At[Facts] | None = None
) -> tuple[Field[Facts], ...]:
    """The outcome fields with these names; without names the first that fits the start.

    Raises:
        UnknownNameError: a name that is no field; lists the fields.
    """
    fields = []
    default = first_fitting(system.fields, start and start.facts)
    for name in names or (default.name,):
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
    most_states: int = MOST_STATES,
) -> Distribution[tuple[object, ...]]:
    """The exact joint distribution of outcome fields.

    Args:
        game: the exchange; its settled choices are taken as settled.
        names: the fields; without any, the system's first.
        decide: who decides the other choices.
        given: conditions that are known to hold, by field.
        most_states: how many places may be expanded.

    Returns:
        A distribution over tuples, one value for each field.

    Raises:
        SetupError: an unknown field, an open choice without a policy, a condition that never
            holds.
        LimitError: more places than allowed.
    """
    asked = fields_named(game.system, names, game.start)
    conditions = [
        (fields_named(game.system, (name,))[0], test) for name, test in (given or {}).items()
    ]
    looked_at = (*asked, *(field for field, _ in conditions))
    needed = frozenset(field.name for field in looked_at)

    ended = recall_ends(game, needed)
    if ended is None:
        ended = _ends(game, needed, decide, most_states)
    common = lcm(*ended)
    reads = [field.of for field in asked]
    weights: dict[tuple[object, ...], int] = {}
    for total, ends in ended.items():
        finals = _those(ends, conditions) if conditions else ends
        values = list(zip(*[map(read, finals) for read in reads], strict=True))
        scale = common // total
        scaled = finals.values() if scale == 1 else [way * scale for way in finals.values()]
        _add(weights, values, scaled)
    if not weights:
        raise SetupError(f"the condition on {', '.join(given or {})} never holds here")
    return Distribution(weights)


def _those(
    finals: dict[Facts, int], conditions: list[tuple[Field[Facts], Callable[[object], bool]]]
) -> dict[Facts, int]:
    """Final facts for which all conditions hold."""
    return {
        facts: weight
        for facts, weight in finals.items()
        if all(test(field.of(facts)) for field, test in conditions)
    }


def _add(
    weights: dict[tuple[object, ...], int],
    values: list[tuple[object, ...]],
    more: Collection[int],
) -> None:
    """Add weights of values; quick where all of them are different."""
    if not weights:
        weights.update(zip(values, more, strict=True))
        if len(weights) == len(values):
            return
        weights.clear()
    for value, weight in zip(values, more, strict=True):
        weights[value] = weights.get(value, 0) + weight


def _ends(game: Game, needed: frozenset[str], decide: Decide, most_states: int) -> Ended:
    open_choices = 0

    def take(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        nonlocal open_choices
        settled = settled_option(game, at, choice)
        if settled is None:
            open_choices += 1
        return settled or decide(at, choice)

    ended = flow(game, take, needed=needed, most_states=most_states)
    if not open_choices:
        keep_ends(game, needed, ended)
    return ended


def odds(
    game: Game,
    name: str = "",
    *,
    decide: Decide = open_choice,
    given: Mapping[str, Callable[[object], bool]] | None = None,
    most_states: int = MOST_STATES,
) -> Distribution[object]:
    """The exact distribution of one outcome field; arguments as for `outcomes`."""
    joint = outcomes(
        game, (name,) if name else (), decide=decide, given=given, most_states=most_states
    )
    return joint.map(lambda values: values[0])
