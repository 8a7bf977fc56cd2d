"""The exact odds of an exchange, from its start or from where answers lead."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from affray.app.notes import with_notes
from affray.app.play import PlayedGame, play_script
from affray.app.sources import AS_WRITTEN, NO_ANSWERS, Answers, Changes, Source
from affray.app.views.exchanges import FieldStats, OddsRow, OddsView
from affray.app.views.rounding import at_most
from affray.core.distribution import Distribution
from affray.core.errors import LimitError, SetupError
from affray.core.meter import in_portions
from affray.core.node import At, Choice, Facts, Option
from affray.core.system import System
from affray.core.telling import shown
from affray.engine.advice.reach import solve_within_reach
from affray.engine.budget import Budget, clock_in_force, spending
from affray.engine.exchange.best import objective_named, solve
from affray.engine.exchange.keeping import forget_kernels
from affray.engine.exchange.odds import fields_named, outcomes

__all__ = ["ask_odds", "conditions", "is_number", "odds_view", "remarks_on", "told_limit"]

_CONDITION = re.compile(r"([A-Za-z_0-9]+)\s*(>=|<=|!=|=|>|<)\s*(\S.*)", re.DOTALL)
_WHOLE = re.compile(r"-?[0-9]{1,18}")
_TESTS: Mapping[str, Callable[[object, object], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">=": lambda a, b: a >= b,  # type: ignore[operator]  # numbers; others are refused below
    "<=": lambda a, b: a <= b,  # type: ignore[operator]  # numbers; others are refused below
    ">": lambda a, b: a > b,  # type: ignore[operator]  # numbers; others are refused below
    "<": lambda a, b: a < b,  # type: ignore[operator]  # numbers; others are refused below
}


def conditions(system: System[Facts], texts: Sequence[str]) -> dict[str, Callable[[object], bool]]:
    """Conditions on outcome fields from texts such as `hit=true`, `net>=7`.

    Raises:
        SetupError: not of that form.
        UnknownNameError: an unknown field.
    """
    found: dict[str, list[Callable[[object], bool]]] = {}
    for text in texts:
        match = _CONDITION.fullmatch(text.strip())
        if match is None:
            raise SetupError(
                f"condition {shown(text)}; write it like hit=true, net>=7 or superior=2"
            )
        name = fields_named(system, (match[1],))[0].name
        value: object = match[3]
        if match[3].lower() in {"true", "yes", "false", "no"}:
            value = match[3].lower() in {"true", "yes"}
        elif _WHOLE.fullmatch(match[3]):
            value = int(match[3])
        elif match[2] not in {"=", "!="}:
            raise SetupError(
                f"condition {shown(text)}: {shown(match[3])} is not a number to compare with; "
                "allowed: whole numbers of up to 18 digits"
            )
        found.setdefault(name, []).append(_holds(_TESTS[match[2]], value))
    return {name: _all(tests) for name, tests in found.items()}


def _holds(test: Callable[[object, object], bool], value: object) -> Callable[[object], bool]:
    return lambda seen: test(seen, value)


def _all(tests: Sequence[Callable[[object], bool]]) -> Callable[[object], bool]:
    return lambda seen: all(test(seen) for test in tests)


@with_notes
def ask_odds(
    system_name: str,
    source: Source,
    names: Sequence[str] = (),
    *,
    given: Sequence[str] = (),
    objective: str = "",
    changes: Changes = AS_WRITTEN,
    answers: Answers = NO_ANSWERS,
    budget: Budget | None = None,
) -> OddsView:
    """The exact distribution of outcome fields.

    Args:
        system_name: id of a system.
        source: a setup or a saved game.
        names: outcome fields; the first that fits if there are none.
        given: conditions known to hold, such as `hit=true`.
        objective: what open choices are decided for; the first that fits by default.
        changes: what holds instead of what the setup says.
        answers: given first; the odds are then those from where they lead.
        budget: how much it may take.

    Raises:
        LimitError: the budget is spent, or foreseen not to suffice; carries the probability that
            was settled by then.
        UnknownNameError, InputError, SetupError, AnswerError: as for `PlayedGame.begin`.
    """
    with spending(budget):
        game = play_script(PlayedGame.begin(system_name, source, changes), answers)
        return odds_view(game, names, given, objective)


def odds_view(
    game: PlayedGame,
    names: Sequence[str],
    given: Sequence[str],
    objective: str,
    share: float = 1.0,
) -> OddsView:
    """The exact odds of a game from where it stands; `share` of the seconds may go into solving.

    Raises:
        LimitError: the budget in force is spent, or foreseen not to suffice.
    """
    left, system = game.here, game.loaded.game.system
    asked = fields_named(system, names, left.start)
    goal = objective_named(system, objective, left.start)
    solution = solve(left, goal)
    met: set[str] = set()

    def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        if not met:
            # Solved from there on, decisions are looked up.
            solve_within_reach(solution, left.start, share)
        met.add(at.step.name)
        return solution.decide(at, choice)

    joint = outcomes(
        left, [field.name for field in asked], decide=decide, given=conditions(system, given),
        minding=solution.minds,
    )  # fmt: skip
    policy = "nothing was left to decide"
    if met:
        policy = f"choices left open are taken for the highest {goal.title}"
    single = joint.map(lambda values: values[0]) if len(asked) == 1 else None
    return OddsView(
        system=system.id,
        setup=game.loaded.origin,
        title=game.loaded.title,
        fields=tuple(field.name for field in asked),
        meaning=tuple(field.title for field in asked),
        unit=asked[0].unit if len(asked) == 1 else "",
        given=tuple(given),
        policy=policy,
        how=_how(joint.residual),
        residual=joint.residual,
        rows=_odds_rows(single if single is not None else joint),
        stats=_stats(single),
        remarks=remarks_on(game),
        assumed=game.loaded.assumed,
    )


def _how(residual: Fraction) -> str:
    if not residual:
        return "exact: integer weights over one denominator, every path counted"
    return (
        f"exact but for a residual of at most {at_most(residual)}: this can go on for ever, "
        "and each chance may be larger by so much; the statistics are those of what has ended"
    )


def remarks_on(game: PlayedGame) -> tuple[str, ...]:
    """Notes for the user of a game that is priced or solved."""
    if game.session.outcome is None:
        return game.loaded.remarks
    return (*game.loaded.remarks, "The exchange is over: this is what it came to.")


def is_number(value: object) -> bool:
    """Whether a value counts as a number; yes and no don't."""
    return isinstance(value, (int, Fraction)) and not isinstance(value, bool)


def _odds_rows(
    odds: Distribution[object] | Distribution[tuple[object, ...]],
) -> tuple[OddsRow, ...]:
    chances = odds.fractions()
    if not all(is_number(value) for value in chances):
        return tuple(OddsRow(value, chance, None, None) for value, chance in chances.items())
    rows, below, ended = [], Fraction(0), 1 - odds.residual
    for part in in_portions(list(chances.items())):
        for value, chance in part:
            rows.append(OddsRow(value, chance, ended - below, below + chance))
            below += chance
    return tuple(rows)


def _stats(odds: Distribution[object] | None) -> FieldStats | None:
    if odds is None or not all(is_number(value) for value in odds):
        return None
    quarter = Fraction(1, 4)
    return FieldStats(
        odds.mean(), odds.variance(), odds.sd(), odds.median(),
        (odds.quantile(quarter), odds.quantile(1 - quarter)),
    )  # fmt: skip


def told_limit(limit: LimitError) -> str:
    """Why there is no exact answer, where an estimate helps.

    What exchanges have left behind is given back where that was too much.

    Raises:
        LimitError: the same, where it doesn't: somebody asked to stop.
    """
    if limit.limit not in {"growth", "seconds", "places", "bytes"}:
        raise limit
    if limit.limit == "bytes":
        forget_kernels()
        clock_in_force().count_memory_from_now()
    return str(limit).partition(". Settle")[0]
