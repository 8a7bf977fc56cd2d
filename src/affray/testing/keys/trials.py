"""Setups and fights that are played once as they are, and again with one value changed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from affray.app.inputs.checking import validated
from affray.app.inputs.common_keys import COMMON
from affray.app.inputs.fight_changes import FightChanges, in_duels
from affray.app.inputs.fight_setups import fight_examples, load_raw_fight
from affray.app.inputs.intake import InputError, Written
from affray.app.inputs.rosters import Filling, roster_for
from affray.app.inputs.setups import examples
from affray.app.inputs.tables import list_at, settled_at, table_at, texts_at
from affray.core.errors import AffrayError, AnswerError, LimitError, MissingError, SetupError
from affray.core.lazy import NamedTuple
from affray.core.node import Chance, Choice, Facts
from affray.core.ruling import Rulings
from affray.core.system import System
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Answer, Question, Session, StepTaken, log_line
from affray.engine.exchange.sources import Script, drive
from affray.engine.fight.contest import Contest
from affray.engine.fight.plans import DECIDE_ALL
from affray.engine.fight.played.play import play_battle
from affray.testing.material import BARE

__all__ = ["FightTrial", "Sides", "Told", "Trial", "fight_trials_of", "trials_of"]

MOST_ANSWERS = 60
"""Whole games go on for long; their beginning will do."""


class Told(NamedTuple):
    """The result of a play: `hard` without texts for people, `soft` with them."""

    hard: tuple[object, ...]
    soft: tuple[object, ...]
    refused: str = ""


@dataclass(frozen=True, eq=False)
class Trial:
    """A setup with readings and choices that are settled.

    Attributes:
        tree: the sheets.
        dice, options: a script; answers that it leaves open are random.
    """

    system: System[Facts]
    name: str
    tree: Any
    rulings: Rulings
    settled: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dice: tuple[object, ...] = ()
    options: tuple[str, ...] = ()
    cost: ClassVar[int] = 1

    def under(self, rulings: Rulings) -> Trial:
        """The same with other readings."""
        return replace(self, rulings=rulings)

    def _game(self, tree: Any, number: int) -> Game:
        start = self.system.declared(tree, self.rulings)
        return Game(self.system, start).settle(self.settled if number == 0 else {})

    def played(self, number: int) -> tuple[Told, tuple[Answer, ...] | None]:
        """A play, the first as scripted, others at random; what it was, and its answers."""
        try:
            session = Session(self._game(self.tree, number))
            if number == 0:
                script = Script(self.dice, self.options)  # type: ignore[arg-type]  # dice refuse
                with suppress(AnswerError):
                    session = drive(session, script)
            session = _ended(session, random.Random(number))
        except (SetupError, AnswerError, MissingError) as error:
            return Told((), (), str(error)), None
        return _told(session), session.answers

    def again(self, tree: Any, number: int, answers: tuple[Answer, ...] | None) -> Told:
        """The same play of a changed setup."""
        try:
            session = Session(self._game(tree, number))
            for given in answers or ():
                session = session.answer(given)
            if answers is None:
                session = _ended(session, random.Random(number))
        except (SetupError, AnswerError, MissingError) as error:
            return Told((), (), str(error))
        return _told(session)


def _ended(session: Session, chooser: random.Random) -> Session:
    for _ in range(MOST_ANSWERS):
        question = session.question
        if question is None:
            break
        session = session.answer(random_answer(chooser, question))
    return session


def random_answer(chooser: random.Random, question: Question) -> Answer:
    if question.dice is None:
        return Answer(option=chooser.choice(question.options).name, by=("seed",))
    faces = tuple(chooser.choices(die.faces, die.weights)[0] for die in question.dice.dice)
    return Answer(faces=faces, by=("seed",) * len(faces))


def _told(session: Session) -> Told:
    system = session.game.system
    hard: list[object] = []
    soft: list[object] = []
    for entry in session.steps_taken:
        bare, told = _entry_told(entry)
        hard.append(bare)
        soft.append(told)
    question = session.question
    if question is not None:
        hard.append((question.step, str(question.dice), [o.name for o in question.options]))
        soft.append((question.ask, question.about, question.closed))
    outcome, start = session.outcome, session.game.start.facts
    if outcome is not None:
        asked = [one for one in system.fields if one.fits is None or one.fits(start)]
        wanted = [one for one in system.objectives if one.fits is None or one.fits(start)]
        hard += [one.of(outcome) for one in asked]
        hard += [one.utility(outcome) for one in wanted]
    return Told(tuple(hard), tuple(soft))


def _entry_told(entry: StepTaken) -> tuple[object, object]:
    node, line = entry.node, log_line(entry)
    hard: tuple[object, ...] = (entry.at.step.name, entry.answer)
    soft: tuple[object, ...] = (line,)
    if isinstance(node, Chance):
        hard += (node.actor, str(node.dice))
        soft += (node.ask,)
    elif isinstance(node, Choice):
        hard += (node.actor, [option.name for option in node.options])
        soft += (node.ask, node.about, node.closed, [option.words for option in node.options])
    values = tuple(term.value for total in line.totals for term in (total.base, *total.terms))
    return (*hard, values), soft


def trials_of(system: System[Facts]) -> Iterator[Trial]:
    """The shipped examples; where there are none, the setup without any key."""
    for name, raw in (examples(system) or {BARE: {}}).items():
        own, at = {key: value for key, value in raw.items() if key not in COMMON}, Written(name)
        filling = Filling(roster_for(system, raw, name), name)
        filled = {**filling.defaults(own), **filling.table(own)}
        try:
            tree = validated(system.setup, filled, name)
        except (InputError, SetupError):
            continue  # the sheet itself refuses it
        play = table_at(raw, "play", at)
        yield Trial(
            system, name, tree, system.readings(texts_at(raw, "rulings", at)),
            settled_at(raw, at), tuple(list_at(play, "dice", at)),
            tuple(map(str, list_at(play, "choose", at))),
        )  # fmt: skip


@dataclass(frozen=True)
class Sides:
    """The sheets of a fight: fighters of both sides, and what holds when a side acts."""

    one: tuple[Any, ...]
    other: tuple[Any, ...]
    one_situation: Any
    other_situation: Any


FIGHTERS_OF_A_SIDE = 2
ROUNDS = 6


@dataclass(frozen=True, eq=False)
class FightTrial(Trial):
    """A fight of few, played for some rounds."""

    contest: Contest = None  # type: ignore[assignment]  # always given
    cost: ClassVar[int] = 10

    def under(self, rulings: Rulings) -> FightTrial:
        """The same with other readings."""
        return replace(self, rulings=rulings, contest=self.contest.changed(rulings=rulings))

    def played(self, number: int) -> tuple[Told, tuple[Answer, ...] | None]:
        """A battle with a seed of its own."""
        return self.again(self.tree, number, None), None

    def again(self, tree: Any, number: int, answers: tuple[Answer, ...] | None) -> Told:  # noqa: ARG002  # seeds answer
        """The battle with the same seeds."""
        contest = self.contest
        sides = tuple(
            side._replace(
                fighters=own, situation=situation, plan=DECIDE_ALL, plans={}, yields_at=0
            )
            for side, own, situation in zip(
                contest.sides, (tree.one, tree.other),
                (tree.one_situation, tree.other_situation), strict=True,
            )
        )  # fmt: skip
        chooser = random.Random(number)
        offered: list[object] = []

        def choices(session: Session, question: Question) -> Answer | None:
            offered.append((question.step, [option.name for option in question.options]))
            return random_answer(chooser, question) if question.dice is None else None

        try:
            changed = contest.changed(sides=sides)
            battle = play_battle(changed, seed=number, rounds=ROUNDS, source=choices)
        except AffrayError as error:
            if isinstance(error, LimitError) and error.limit in {"seconds", "interrupted"}:
                raise
            return Told((), (), str(error))
        hard: list[object] = [
            offered,
            battle.rounds,
            battle.verdict,
            battle.orders,
            battle.initiative,
        ]
        soft: list[object] = []
        for entry in battle.exchanges:
            hard.append((entry.actor, entry.target, entry.deed, entry.answers))
            for line in entry.lines:
                values = [t.value for total in line.totals for t in (total.base, *total.terms)]
                hard.append((line.step, line.dice, line.option, values))
            soft.append(entry.lines)
            for own, row in zip((tree.one, tree.other), entry.conditions, strict=True):
                for sheet, condition in zip(own, row, strict=True):
                    hard.append(contest.fight.vitals(sheet, condition))
                    hard.append(dict(contest.fight.resources(sheet, condition)))
        return Told(tuple(hard), tuple(soft))


def fight_trials_of(
    system: System[Facts], more: Mapping[str, Mapping[str, object]] | None = None
) -> Iterator[FightTrial]:
    """The shipped fights, and more of them, with few fighters of each side."""
    if system.fight is None:
        return
    wanted = in_duels(system, FightChanges(policies=("first", "first")))
    for name, raw in {**fight_examples(system), **(more or {})}.items():
        contest = load_raw_fight(system, raw, name, wanted).contest
        one, other = contest.sides
        most = FIGHTERS_OF_A_SIDE if contest.board is None else None  # all have places there
        few = [tuple(dict.fromkeys(side.fighters))[:most] for side in (one, other)]
        tree = Sides(few[0], few[1], one.situation, other.situation)
        yield FightTrial(system, f"fight {name}", tree, contest.rulings, contest=contest)
