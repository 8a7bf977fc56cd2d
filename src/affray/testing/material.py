"""Material for laws: a system's examples, random playthroughs, and the places met there."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import groupby
from typing import Any

from affray.app.inputs.fight_changes import FightChanges, in_duels
from affray.app.inputs.fight_setups import LoadedFight, fight_examples, load_raw_fight
from affray.app.inputs.intake import InputError, table_of
from affray.app.inputs.setups import Loaded, examples, load_raw
from affray.core.dice import Pool
from affray.core.errors import LimitError, RulesError, SetupError
from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance, Choice, End, Facts, Node, Step
from affray.core.system import System
from affray.core.telling import shown
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Answer, Question, Session
from affray.testing.cases import Case, told

__all__ = [
    "BARE",
    "Material",
    "Met",
    "Witness",
    "apart",
    "ended",
    "random_answer",
    "random_session",
]

SEEDS = 6
MOST_ANSWERS = 400
BARE = "no keys at all"
"""The example of a system that ships none, if its setup has a default for every key."""


class Witness(NamedTuple):
    """A play that a key or a reading changes: of what, which one, and what is changed there."""

    trial: str
    play: int
    path: str
    value: str


class Met(NamedTuple):
    """A place that was met in play: what its step said, how it all ended, and in which example."""

    at: At[Facts]
    node: Node[Facts]
    outcome: Facts
    example: str


class Material:
    """Material for laws in one system; each part is made when a law first needs it.

    Args:
        system: whose laws are checked.
        examples: more examples than it ships, by name, as they stand in `examples.toml`.
        fights: more fights to look at than it ships, by name, as they stand in `fights.toml`.
        idle: keys that may change nothing, each with the reason, beside those of `idle_keys.toml`.
        witnesses: for keys and readings, by name, plays that were found to show that they matter.
            They are tried first; for others plays are searched, which takes longer.
        cover: for suites, or single laws ("fights/..."), the cases that they look at, as faults
            name them; those that are not named look at all. Meant for cases that reach together
            what all of them reach.
    """

    def __init__(
        self,
        system: System[Any],
        *,
        examples: Mapping[str, Mapping[str, object]] | None = None,
        fights: Mapping[str, Mapping[str, object]] | None = None,
        idle: Mapping[str, str] | None = None,
        witnesses: Mapping[str, Witness] | None = None,
        cover: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        self.system: System[Facts] = system
        self.more_examples = dict(examples or {})
        self.more_fights = dict(fights or {})
        self.more_idle = dict(idle or {})
        self.witnesses = dict(witnesses or {})
        self.cover = dict(cover or {})
        self.kept: dict[object, Any] = {}

    def covering(self, law: str, cases: Iterable[Case]) -> Iterator[Case]:
        """Those of the cases of a law, as "suite/name", that it is to look at."""
        wanted = self.cover.get(law, self.cover.get(law.partition("/")[0]))
        yield from (case for case in cases if wanted is None or case.where in wanted)

    # -- examples ----------------------------------------------------------------------------

    @cached_property
    def examples(self) -> Mapping[str, Mapping[str, object]]:
        """The shipped examples and more; where there are none, a setup without keys if it fits."""
        found = {**examples(self.system), **self.more_examples}
        return found or ({} if self.why_not_bare else {BARE: {}})

    @cached_property
    def why_not_bare(self) -> str:
        """Why a setup without any key is refused; "" if it isn't."""
        try:
            load_raw(self.system, {}, BARE)
        except (InputError, SetupError) as error:
            told = str(error).removeprefix(f"{BARE}: ")
            return "; ".join(line.strip() for line in told.splitlines())
        return ""

    def part(self, name: str, key: str) -> Mapping[str, Any]:
        """The `expect`, `odds` or `shows` of an example; {} if it has none."""
        value = self.examples[name].get(key, {})
        return value if isinstance(value, dict) else {}

    def loaded(self, name: str) -> Loaded:
        """An example, loaded."""
        key = ("loaded", name)
        if key not in self.kept:
            self.kept[key] = load_raw(self.system, self.examples[name], name)
        found: Loaded = self.kept[key]
        return found

    def refused(self) -> Iterator[Case]:
        """Examples that the rules are to refuse."""
        yield from (Case(f"example {name}", name) for name in self.examples
                    if "refused" in self.part(name, "expect"))  # fmt: skip

    def accepted(self) -> Iterator[Case]:
        """Examples that are to be played."""
        yield from (Case(f"example {name}", name) for name in self.examples
                    if "refused" not in self.part(name, "expect"))  # fmt: skip

    def played(self) -> Iterator[Case]:
        """Examples that can be played."""
        yield from (Case(f"example {name}", name) for name, found in self.playthroughs.items()
                    if not isinstance(found, str))  # fmt: skip

    def starts(self, name: str) -> tuple[Game, ...]:
        """An example as it is; where it settles choices, also with every choice open."""
        game = self.loaded(name).game
        return (game, game._replace(settled={})) if game.settled else (game,)

    @cached_property
    def playthroughs(self) -> Mapping[str, tuple[Session, ...] | str]:
        """Random playthroughs of each example to their ends; or why there are none."""
        found: dict[str, tuple[Session, ...] | str] = {}
        for _, name in self.accepted():
            try:
                begun = [Session(game) for game in self.starts(name)]
                found[name] = tuple(
                    _ended(session, seed) for session in begun for seed in range(SEEDS)
                )
            except (LimitError, KeyboardInterrupt):
                raise
            except BaseException as error:  # somebody else's code
                found[name] = told(error)
        return found

    def sessions(self) -> Iterator[tuple[str, Session]]:
        """Every random playthrough, with its example."""
        for name, found in self.playthroughs.items():
            if not isinstance(found, str):
                yield from ((name, session) for session in found)

    @cached_property
    def idle(self) -> Mapping[str, str]:
        """Keys that may change nothing, each with the reason."""
        path = self.system.folder / "idle_keys.toml"
        table = table_of(path.read_bytes(), str(path)) if path.exists() else {}
        return {**{key: str(reason) for key, reason in table.items()}, **self.more_idle}

    # -- places ------------------------------------------------------------------------------

    @cached_property
    def met(self) -> tuple[Met, ...]:
        """Every place that was met, once for each end."""
        found: dict[tuple[At[Facts], Facts], Met] = {}
        for name, last in self.sessions():
            outcome = last.outcome
            assert outcome is not None
            for entry in last.steps_taken:
                found.setdefault((entry.at, outcome), Met(entry.at, entry.node, outcome, name))
            end = Met(last.here, End(outcome), outcome, name)
            found.setdefault((last.here, outcome), end)
        return tuple(found.values())

    @cached_property
    def by_step(self) -> Mapping[Step[Facts], tuple[Met, ...]]:
        """Places that were met, each once, by step."""
        places = {met.at: met for met in self.met}
        order = self.system.places
        rows = sorted(places.values(), key=lambda met: order[met.at.step])
        return {step: tuple(row) for step, row in groupby(rows, key=lambda met: met.at.step)}

    def places(self) -> Iterator[Case]:
        """Places that were met, each once."""
        for step, row in self.by_step.items():
            yield from (Case(f"step {step.name} (example {met.example})", met) for met in row)

    def rolls(self) -> Iterator[Case]:
        """Rolls that were met, each pool with each read once."""
        met = {(case.thing.node.dice, case.thing.node.read): case
               for case in self.places() if isinstance(case.thing.node, Chance)}  # fmt: skip
        yield from met.values()

    def rolls_by_step(self) -> Iterator[Case]:
        """Rolls that were met, each pool with each read once for every step and field it fills."""
        met = {(case.thing.at.step, case.thing.node[2:5]): case
               for case in self.places() if isinstance(case.thing.node, Chance)}  # fmt: skip
        yield from met.values()

    def questions(self) -> Iterator[Case]:
        """Places that were met at which dice or a decision are asked for."""
        yield from (case for case in self.places() if isinstance(case.thing.node, Chance | Choice))

    def choices(self) -> Iterator[Case]:
        """Choices that were met."""
        yield from (case for case in self.places() if isinstance(case.thing.node, Choice))

    # -- fights ------------------------------------------------------------------------------

    def fight(self, name: str, rulings: Mapping[str, str] | None = None) -> LoadedFight:
        """A shipped fight, in which both sides take the first option."""
        raw = {**fight_examples(self.system), **self.more_fights}[name]
        wanted = in_duels(
            self.system, FightChanges(policies=("first", "first"), rulings=rulings or {})
        )
        return load_raw_fight(self.system, raw, f"fight {name}", wanted)

    def fights(self) -> Iterator[Case]:
        """The shipped fights."""
        if self.system.fight is not None:
            yield from (Case(f"fight {name}", name) for name in fight_examples(self.system))


def apart(one: At[Facts], other: At[Facts]) -> str:
    """Tell in a few words what differs between two places."""
    if one.step is not other.step:
        return f"at step {one.step.name} instead of {other.step.name}"
    return f"at step {one.step.name} {_fields_apart(one.facts, other.facts)}"


def _fields_apart(one: Facts, other: Facts) -> str:
    names = getattr(other, "_fields", range(len(other)))
    for name, here, there in zip(names, one, other, strict=False):
        if here != there:
            return f"with {name} = {shown(here)} instead of {shown(there)}"
    return "with the same facts"


# -- playing at random ---------------------------------------------------------------------------


def random_session(game: Game, seed: int, *, most: int = MOST_ANSWERS) -> Iterator[Session]:
    """A random playthrough, place by place.

    Raises:
        RulesError: it has no end.
    """
    yield from _at_random(Session(game), seed, most)


def _at_random(session: Session, seed: int, most: int = MOST_ANSWERS) -> Iterator[Session]:
    """A game that has begun, played on at random, place by place."""
    chooser = random.Random(seed)
    yield session
    for _ in range(most):
        question = session.question
        if question is None:
            return
        session = session.answer(random_answer(chooser, question))
        yield session
    raise RulesError(
        f"after {most} random answers (seed {seed}) it still goes on, at step "
        f"{session.here.step.name}"
    )


def random_answer(chooser: random.Random, question: Question) -> Answer:
    """A roll of the dice that are asked for, or one of the options."""
    if question.dice is None:
        return Answer(option=chooser.choice(question.options).name, by=("hand",))
    return random_faces(question.dice, chooser)


def random_faces(pool: Pool, chooser: random.Random) -> Answer:
    """A roll of these dice."""
    faces = tuple(chooser.choices(die.faces, die.weights)[0] for die in pool.dice)
    return Answer(faces=faces, by=("seed",) * len(faces))


def ended(game: Game, seed: int) -> Session:
    """The end of a random playthrough."""
    return _ended(Session(game), seed)


def _ended(session: Session, seed: int) -> Session:
    *_, last = _at_random(session, seed)
    return last
