"""Playing, pricing, solving: one function each. They print nothing and return views."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from affray.app.files import saved
from affray.app.inputs.setups import Loaded, load_raw, read_source
from affray.app.registry import system_named
from affray.app.views.exchanges import (
    BestView,
    Cost,
    DecisionRow,
    FieldStats,
    OddsRow,
    OddsView,
    OptionRow,
    PictureView,
    PlayView,
    QuestionRow,
    SituationRow,
)
from affray.app.views.policy_words import in_words
from affray.core.dice import Face
from affray.core.distribution import Distribution
from affray.core.errors import AnswerError, SetupError
from affray.core.meter import in_portions
from affray.core.node import Choice, Facts
from affray.core.system import System
from affray.core.telling import escaped, shown
from affray.engine.budget import Budget, spending
from affray.engine.exchange.best import Solution, Valued, objective_named, solve
from affray.engine.exchange.explain import explain, told_fields
from affray.engine.exchange.game import Game
from affray.engine.exchange.odds import fields_named, outcomes
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Policy, Script, drive

__all__ = [
    "NOTHING", "Wanted", "ask_best", "ask_odds", "conditions", "game_from_here",
    "objective_policy", "open_game", "picture_view", "play_script", "play_view",
]  # fmt: skip


class Wanted(NamedTuple):
    """What a user gave besides the setup.

    Attributes:
        settle: choices settled beforehand, by step.
        rulings: readings, by name.
        dice, options: a script to play before anything else.
        roster: files with own roster entries, instead of those that the setup names.
        scripted: whether the script in the file itself is played first.
    """

    settle: Mapping[str, tuple[str, ...]] = {}
    rulings: Mapping[str, str] = {}
    dice: tuple[Face, ...] = ()
    options: tuple[str, ...] = ()
    roster: tuple[str, ...] = ()
    scripted: bool = False


NOTHING = Wanted()


# -- playing ---------------------------------------------------------------------------------


def open_game(system_name: str, source: str, wanted: Wanted = NOTHING) -> tuple[Loaded, Session]:
    """A setup or a saved game, ready to go on; a script in `wanted` is played.

    A saved game keeps the rulings and the settled choices it was begun with.

    Raises:
        UnknownNameError, InputError, SetupError: as for `affray.app.inputs.setups.load`.
        AnswerError: a scripted answer that doesn't fit, or one that was not needed.
    """
    system = system_named(system_name)
    raw, origin, folder = read_source(system, source)
    if saved.is_saved(raw):
        if wanted.rulings or wanted.settle or wanted.roster:
            given = ", ".join((*wanted.rulings, *wanted.settle, *wanted.roster))
            raise SetupError(
                f"{origin}: a saved game keeps its rulings, settled choices and roster entries; "
                f"given: {given}. "
                "Begin a new game from a setup to change them"
            )
        found = saved.restore(system, raw, origin)
        loaded, session = found.loaded._replace(remarks=found.notes), found.session
    else:
        loaded = load_raw(
            system, raw, origin, choose=wanted.settle, rulings=wanted.rulings, folder=folder,
            roster_files=wanted.roster,
        )  # fmt: skip
        session = Session(loaded.game)
    if wanted.scripted:
        if not (loaded.dice or loaded.options):
            raise SetupError(f"{origin}: no script in it; one stands under `play`: dice and choose")
        session = play_script(session, loaded.dice, loaded.options)
    return loaded, play_script(session, wanted.dice, wanted.options)


def play_script(session: Session, dice: Sequence[Face], options: Sequence[str]) -> Session:
    """Play scripted answers.

    Raises:
        AnswerError: an answer that doesn't fit, or faces or options left over.
    """
    script = Script(dice, options)
    session = drive(session, script)
    if script.faces or script.choices:
        question = session.question
        left = ", ".join(map(str, (*script.faces, *script.choices)))
        state = f"waits for {_awaited(session)}" if question else "is over"
        raise AnswerError(f"answers left over: {left}; the exchange {state}")
    return session


def _awaited(session: Session) -> str:
    question = session.question
    if question is None:
        return "nothing"
    if question.dice is not None:
        return f"{question.ask} ({question.dice})"
    return f"{question.ask} ({', '.join(option.name for option in question.options)})"


def objective_policy(loaded: Loaded, objective: str = "", budget: Budget | None = None) -> Policy:
    """Somebody who decides for an objective; the system's first by default.

    Args:
        loaded: what is played.
        objective: what they want.
        budget: how much each decision may take; over it, the policy raises `LimitError`.
    """
    goal = objective_named(loaded.game.system, objective, loaded.game.start)
    return Policy(solve(loaded.game, goal, budget=budget).decide)


def check_expected(loaded: Loaded, session: Session) -> None:
    """Hold what came of an exchange against the key `expect` of its file.

    Raises:
        AnswerError: a field came to something else, or the exchange is not over.
        UnknownNameError: a field that there is not.
    """
    if not loaded.expect:
        return
    if session.outcome is None:
        raise AnswerError(f"{loaded.origin}: expect: the exchange is not over; play it to the end")
    wrong = []
    asked = fields_named(loaded.game.system, tuple(loaded.expect))
    for field, (name, wanted) in zip(asked, loaded.expect.items(), strict=True):
        came = field.of(session.outcome)
        came = list(came) if isinstance(came, tuple) else came
        if came != wanted:
            wrong.append(f"{name}: {shown(came)}, not {shown(wanted)}")
    if wrong:
        raise AnswerError(f"{loaded.origin}: expect: {'; '.join(wrong)}")


def play_view(
    loaded: Loaded, session: Session, *, seed: int | None = None, why: Sequence[str] = ()
) -> PlayView:
    """A game as far as it was played.

    Args:
        loaded: what it was played from.
        session: where it stands.
        seed: the seed of its dice, if there was one.
        why: outcome fields to be explained.

    Raises:
        UnknownNameError: a field in `why` that there is not.
    """
    system = loaded.game.system
    question = session.question
    lines: list[str] = []
    for name in why:
        (field,) = fields_named(system, (name,))
        if session.outcome is None:
            raise SetupError(f"--explain {name}: the exchange is not over; play it to the end")
        lines += explain(session, field.name).lines()
    return PlayView(
        system=system.id,
        setup=loaded.origin,
        title=loaded.title,
        seed=seed,
        log=session.log,
        question=question
        and QuestionRow(
            question.actor,
            question.ask,
            question.step,
            question.clauses,
            str(question.dice or ""),
            tuple(OptionRow(o.name, o.words, o.spends) for o in question.options),
            question.about,
            question.closed,
        ),
        outcome=saved.outcome_of(session),
        told=told_fields(session),
        picture=escaped(session.picture),
        explanation=tuple(lines),
        saved=saved.to_saved(loaded, session),
        remarks=loaded.remarks,
    )


def picture_view(loaded: Loaded, session: Session) -> PictureView:
    """How the table looks where a game stands.

    Raises:
        SetupError: the system draws nothing, or nothing of this setup.
    """
    system = loaded.game.system
    picture, drawing = session.picture, session.drawing
    if not (picture or drawing):
        draws = system.picture is not None or system.drawing is not None
        raise SetupError(
            f"{loaded.origin}: nothing to look at; "
            + ("nobody has a place on a table in it" if draws else f"{system.id} draws no table")
        )
    return PictureView(
        system.id, loaded.origin, loaded.title, escaped(picture), escaped(drawing), loaded.remarks
    )


# -- pricing ---------------------------------------------------------------------------------


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
                f"condition {shown(text)}: {shown(match[3])} is no number to compare with; "
                "allowed: whole numbers of up to 18 digits"
            )
        found.setdefault(name, []).append(_holds(_TESTS[match[2]], value))
    return {name: _all(tests) for name, tests in found.items()}


def _holds(test: Callable[[object, object], bool], value: object) -> Callable[[object], bool]:
    return lambda seen: test(seen, value)


def _all(tests: Sequence[Callable[[object], bool]]) -> Callable[[object], bool]:
    return lambda seen: all(test(seen) for test in tests)


def game_from_here(loaded: Loaded, session: Session) -> Game:
    """The game that is left from where a session stands."""
    return loaded.game._replace(start=session.here)


def _opened(system_name: str, source: str, wanted: Wanted) -> tuple[Loaded, Session, Game]:
    loaded, session = open_game(system_name, source, wanted)
    return loaded, session, game_from_here(loaded, session)


def ask_odds(
    system_name: str,
    source: str,
    names: Sequence[str] = (),
    *,
    given: Sequence[str] = (),
    objective: str = "",
    wanted: Wanted = NOTHING,
    budget: Budget | None = None,
) -> OddsView:
    """The exact distribution of outcome fields.

    Args:
        system_name: id of a system.
        source: a setup, as for `affray.app.inputs.setups.load`, or a saved game.
        names: outcome fields; the first that fits if there are none.
        given: conditions known to hold, such as `hit=true`.
        objective: what open choices are decided for; the first that fits by default.
        wanted: settled choices, rulings, and a script: odds are then those from where it ends.
        budget: how much it may take.

    Raises:
        LimitError: the budget is spent; carries the probability that was settled by then.
        UnknownNameError, InputError, SetupError: as for `affray.app.inputs.setups.load`.
    """
    with spending(budget):
        loaded, session, game = _opened(system_name, source, wanted)
        return _odds(loaded, session, game, (names, given, objective))


def _odds(
    loaded: Loaded,
    session: Session,
    game: Game,
    asked_for: tuple[Sequence[str], Sequence[str], str],
) -> OddsView:
    names, given, objective = asked_for
    system = game.system
    asked = fields_named(system, names, game.start)
    goal = objective_named(system, objective, game.start)
    solution = solve(game, goal)
    met: set[str] = set()

    def decide(at, choice):  # type: ignore[no-untyped-def]  # notes what was decided for whom
        met.add(at.step.name)
        return solution.decide(at, choice)

    joint = outcomes(
        game, [field.name for field in asked], decide=decide, given=conditions(system, given)
    )
    policy = "nothing was left to decide"
    if met:
        policy = f"{', '.join(sorted(met))}: decided for the best {goal.name} ({goal.title})"
    single = joint.map(lambda values: values[0]) if len(asked) == 1 else None
    return OddsView(
        system=system.id,
        setup=loaded.origin,
        title=loaded.title,
        fields=tuple(field.name for field in asked),
        meaning=tuple(field.title for field in asked),
        unit=asked[0].unit if len(asked) == 1 else "",
        given=tuple(given),
        policy=policy,
        how="exact: integer weights over one denominator, every path counted",
        rows=_odds_rows(single if single is not None else joint),
        stats=_stats(single),
        remarks=_remarks(loaded, session),
    )


def _remarks(loaded: Loaded, session: Session) -> tuple[str, ...]:
    """What a user should know of what is asked here."""
    if session.outcome is None:
        return loaded.remarks
    return (*loaded.remarks, "The exchange is over: this is what it came to.")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, Fraction)) and not isinstance(value, bool)


def _odds_rows(
    odds: Distribution[object] | Distribution[tuple[object, ...]],
) -> tuple[OddsRow, ...]:
    chances = odds.fractions()
    if not all(_is_number(value) for value in chances):
        return tuple(OddsRow(value, chance, None, None) for value, chance in chances.items())
    rows, below = [], Fraction(0)
    for part in in_portions(list(chances.items())):
        for value, chance in part:
            rows.append(OddsRow(value, chance, 1 - below, below + chance))
            below += chance
    return tuple(rows)


def _stats(odds: Distribution[object] | None) -> FieldStats | None:
    if odds is None or not all(_is_number(value) for value in odds):
        return None
    quarter = Fraction(1, 4)
    return FieldStats(
        odds.mean(), odds.variance(), odds.sd(), odds.median(),
        (odds.quantile(quarter), odds.quantile(1 - quarter)),
    )  # fmt: skip


# -- solving ---------------------------------------------------------------------------------


def ask_best(
    system_name: str,
    source: str,
    *,
    objective: str = "",
    threshold: Fraction | int = 0,
    wanted: Wanted = NOTHING,
    budget: Budget | None = None,
) -> BestView:
    """The best option at every choice that is met from here on.

    Args:
        system_name: id of a system.
        source: a setup, as for `affray.app.inputs.setups.load`, or a saved game.
        objective: what is wanted; the system's first by default.
        threshold: a point of a limited resource is spent only where it gains more than this.
        wanted: settled choices, rulings, and a script to play first; its choices are judged.
        budget: how much it may take.

    Raises:
        LimitError: the budget is spent.
        UnknownNameError, InputError, SetupError: as for `affray.app.inputs.setups.load`.
    """
    with spending(budget):
        loaded, session, game = _opened(system_name, source, wanted)
        return _best(loaded, session, game, (objective, Fraction(threshold)))


def _best(loaded: Loaded, session: Session, game: Game, wish: tuple[str, Fraction]) -> BestView:
    objective, threshold = wish
    goal = objective_named(game.system, objective, game.start)
    solution = solve(game, goal, threshold=threshold)
    decisions = tuple(
        DecisionRow(
            decision.step,
            decision.actor,
            decision.ask,
            decision.clauses,
            in_words(decision),
            tuple(Cost(*option) for option in decision.always),
            tuple(
                SituationRow(s.about, s.best, s.chance, tuple(Cost(*o) for o in s.options))
                for s in decision.situations
            ),
        )
        for decision in solution.decisions()
    )
    return BestView(
        system=game.system.id,
        setup=loaded.origin,
        title=loaded.title,
        objective=goal.name,
        meaning=goal.title,
        threshold=threshold,
        value=solution.value,
        decisions=decisions,
        remarks=_remarks(loaded, session),
        regrets=_regrets(session, solve(loaded.game, goal, threshold=threshold)),
    )


def _regrets(session: Session, solution: Solution) -> tuple[tuple[str, Cost], ...]:
    """What each choice that was made cost against the best one."""
    rows = []
    for entry in session.entries:
        if entry.asked and isinstance(entry.node, Choice) and entry.answer is not None:
            valued: tuple[Valued, ...] = solution.values(entry.at)
            taken = next(v for v in valued if v.name == entry.answer.option)
            rows.append((entry.at.step.name, Cost(*taken)))
    return tuple(rows)
