"""Every reading of a ruling matters: it changes the odds of an example, or how a fight goes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import chain
from typing import Any

from affray.core.errors import AffrayError, LimitError
from affray.core.lazy import NamedTuple
from affray.core.node import At, Choice, Facts, Option
from affray.core.ruling import Ruling, Rulings
from affray.engine.budget import Budget, spending
from affray.engine.exchange.flow import Decide, flow
from affray.engine.exchange.game import Game, settled_option
from affray.testing.cases import Case
from affray.testing.keys.trials import Trial, fight_trials_of, trials_of
from affray.testing.keys.watch import caches_of, package_of
from affray.testing.law import Law, law
from affray.testing.material import Material, Witness

__all__ = ["LAWS", "reading_witnesses"]

MOST_PLACES = 3_000
"""Places of an exchange that is followed; of larger ones, what was met by then counts."""
POLICIES = 2
PLAYS = 2
FIGHTS_OF_EACH = 2


class _Reading(NamedTuple):
    """A reading of a ruling that is not the default."""

    ruling: str
    name: str

    def __str__(self) -> str:
        return f"ruling {self.ruling} = {self.name}"


class _Run(NamedTuple):
    """A trial under one way to decide: which rulings were asked for, and what it came to."""

    trial: Trial
    policy: int
    asked: frozenset[str]
    came: object


# -- what is asked for ---------------------------------------------------------------------------


@contextmanager
def _asked() -> Iterator[set[str]]:
    """The names of the rulings that are asked for in a while."""
    found: set[str] = set()
    plain = Rulings.__getitem__

    def noted(self: Rulings, ruling: Ruling[Any]) -> Any:
        found.add(ruling.name)
        return plain(self, ruling)

    Rulings.__getitem__ = noted  # type: ignore[method-assign]  # for a while
    try:
        yield found
    finally:
        Rulings.__getitem__ = plain  # type: ignore[method-assign]  # as it was


def _runs(material: Material, ruling: str) -> Iterator[tuple[str, _Run]]:
    """Plays of examples, odds of examples, and fights: those first that are to show the ruling."""
    for kind in EXAMPLES:
        for trial, policy in _trials(material, kind):
            if ruling in material.part(trial.name, "shows"):
                yield kind, _run(material, kind, trial, policy)
    for kind in KINDS:
        for trial, policy in _trials(material, kind):
            yield kind, _run(material, kind, trial, policy)


def _run(material: Material, kind: str, trial: Trial, policy: int) -> _Run:
    key = ("run", kind, trial, policy)
    if key not in material.kept:
        for cache in caches_of(package_of(material.system)):
            cache.cache_clear()
        with _asked() as asked:
            came = KINDS[kind](trial, policy)
        material.kept[key] = _Run(trial, policy, frozenset(asked), came)
    found: _Run = material.kept[key]
    return found


def _trials(material: Material, kind: str) -> Sequence[tuple[Trial, int]]:
    """Trials of a kind, each under some ways to decide."""
    key = "trials of fights" if kind == "fights" else "trials of examples"
    if key not in material.kept:
        fights = kind == "fights"
        trials = (
            fight_trials_of(material.system, material.more_fights)
            if fights
            else trials_of(material.system)
        )
        policies = range(FIGHTS_OF_EACH if fights else POLICIES)
        material.kept[key] = [(trial, policy) for trial in trials for policy in policies]
    found: Sequence[tuple[Trial, int]] = material.kept[key]
    return found


def _plays(trial: Trial, policy: int) -> object:
    """A few plays by chance."""
    return tuple(trial.again(trial.tree, policy + n, None) for n in range(PLAYS))


def _odds(trial: Trial, policy: int) -> object:
    """The odds of the outcome fields of an example; None where it is too large."""
    system = trial.system
    try:
        start = system.declared(trial.tree, trial.rulings)
        settled = trial.settled if policy == 0 else {}
        game = Game(system, start).settle(settled)
        with spending(Budget(places=MOST_PLACES)):
            finals = flow(game, _policy(game, policy))
    except LimitError as error:
        if error.limit != "places":
            raise
        return None
    except AffrayError as error:
        return str(error)
    odds: dict[object, Fraction] = {}
    for total, rows in finals.items():
        for facts, weight in rows.items():
            told = tuple(field.of(facts) for field in system.fields)
            odds[told] = odds.get(told, Fraction(0)) + Fraction(weight, total)
    return odds


KINDS: Mapping[str, Callable[[Trial, int], object]] = {
    "plays": _plays, "odds": _odds, "fights": _plays
}  # fmt: skip
"""What is looked at, the quickest first: most readings show in a few plays."""
EXAMPLES = ("plays", "odds")
"""Kinds that look at examples."""


def _policy(game: Game, number: int) -> Decide:
    """The first option wherever nothing is settled; or any, always the same in equal words."""

    def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        settled = settled_option(game, at, choice)
        if settled is not None:
            return settled
        if number == 0:
            return choice.options[0]
        names = ",".join(option.name for option in choice.options)
        return random.Random(f"{number} {at.step.name} {names}").choice(choice.options)

    return decide


# -- the law -------------------------------------------------------------------------------------


def _readings(material: Material) -> Iterator[Case]:
    if not any(_trials(material, kind) for kind in KINDS):
        return
    for ruling in material.system.rulings:
        for option in ruling.options:
            if option != ruling.default:
                reading = _Reading(ruling.name, option)
                yield Case(str(reading), reading)


@law("rulings", "Let a step ask for the ruling and do what the reading says; or add an example in "
     "which it counts, and name the ruling there under `shows`.", over=_readings)  # fmt: skip
def every_reading_matters(material: Material, reading: _Reading) -> Iterator[str]:
    """Every reading of a ruling changes the odds of some example, or how some fight goes."""
    witness, asked = _shown(material, reading)
    if witness is not None:
        return
    if asked:
        yield "steps ask for it, but in every example and fight all is as by the default"
    else:
        yield "no example and no fight asks for the ruling"


def _shown(material: Material, reading: _Reading) -> tuple[Witness | None, bool]:
    """What shows that a reading matters, and whether any step asks for its ruling."""
    asked, default = False, _default(material, reading.ruling)
    for kind, run in chain(_noted(material, reading), _runs(material, reading.ruling)):
        if reading.ruling in run.asked:
            asked = True
            if _under(kind, reading, run) != _under(kind, reading._replace(name=default), run):
                return Witness(run.trial.name, run.policy, kind, reading.name), True
    return None, asked


def _noted(material: Material, reading: _Reading) -> Iterator[tuple[str, _Run]]:
    """The run that was found to show a reading, if one is known and still there."""
    witness = material.witnesses.get(str(reading))
    if witness is not None and witness.path in KINDS:
        for trial, policy in _trials(material, witness.path):
            if (trial.name, policy) == (witness.trial, witness.play):
                yield witness.path, _run(material, witness.path, trial, policy)


def reading_witnesses(material: Material) -> Mapping[str, Witness]:
    """For each reading what shows that it matters: what is known, else what is found."""
    found = {}
    for case in _readings(material):
        witness, _ = _shown(material, case.thing)
        if witness is not None:
            found[str(case.thing)] = witness
    return found


def _default(material: Material, name: str) -> str:
    return next(ruling.default for ruling in material.system.rulings if ruling.name == name)


def _under(kind: str, reading: _Reading, run: _Run) -> object:
    """The result of a trial under a reading."""
    trial = run.trial
    picks: Mapping[str, str] = trial.rulings.named()
    rulings = trial.system.readings({**picks, reading.ruling: reading.name})
    if rulings == trial.rulings:
        return run.came
    return KINDS[kind](trial.under(rulings), run.policy)


LAWS: tuple[Law, ...] = (every_reading_matters,)
