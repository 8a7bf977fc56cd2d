"""affray: tabletop combat, written once: played step by step, priced exactly, solved.

The public library. Names are imported when they are first used, so that `import affray` costs
next to nothing.

>>> import affray
>>> loaded = affray.load("eclipse-phase", "jinx-shoots")
>>> affray.solve(loaded.game, affray.objective_named(loaded.game.system, "hit")).value
Fraction(1719, 2000)

Setups and fights are shipped ones, by name, or tables of one's own.

>>> session = affray.Session(loaded.game)
>>> for answer in ([96], "flip", [7], [7, 5, 5, 1, 3], [9]):
...     session = session.answer(answer)
>>> session.result["net"]
11
>>> affray.battle("empty-earth", ("ada,bo", "3xhusk"), sampling=affray.Sampling(n=100, seed=1)).n
100
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from affray._version import VERSION as __version__  # noqa: N811  # the usual name for users
    from affray.app.battle import Sampling
    from affray.app.battle import ask_battle as battle
    from affray.app.duel import ask_duel as duel
    from affray.app.fight import Fight
    from affray.app.inputs.fight_changes import FightChanges
    from affray.app.inputs.intake import InputError
    from affray.app.inputs.setups import Loaded, load
    from affray.app.next_setup import next_setup
    from affray.app.registry import system_ids, system_named
    from affray.app.views.exchanges import question_json
    from affray.core.dice import D100, Die, Pool, d, parse_dice
    from affray.core.distribution import Distribution
    from affray.core.errors import (
        AffrayError,
        AnswerError,
        LimitError,
        RulesError,
        SetupError,
        StoreError,
    )
    from affray.core.modifier import Modifier, Total
    from affray.core.node import At, Chance, Choice, End, Go, Option, Step, choose
    from affray.core.reading import SumOfDice, Tally, distribution
    from affray.core.ruling import Ruling, Rulings
    from affray.core.step import step
    from affray.core.system import Field, Objective, System
    from affray.core.telling import AffrayWarning
    from affray.engine.budget import Budget, Progress, spending
    from affray.engine.exchange.best import Solution, objective_named, solve
    from affray.engine.exchange.explain import explain
    from affray.engine.exchange.game import Game
    from affray.engine.exchange.odds import odds, outcomes
    from affray.engine.exchange.result import Result
    from affray.engine.exchange.session import Answer, Question, Session
    from affray.engine.exchange.sources import Entropy, ForActor, Policy, Script, Seeded, drive

_HOME = {
    "affray.app.battle": ("Sampling", "battle"),
    "affray.app.duel": ("duel",),
    "affray.app.fight": ("Fight",),
    "affray.app.inputs.fight_changes": ("FightChanges",),
    "affray.app.inputs.intake": ("InputError",),
    "affray.app.registry": ("system_ids", "system_named"),
    "affray.app.inputs.setups": ("Loaded", "load"),
    "affray.app.next_setup": ("next_setup",),
    "affray.app.views.exchanges": ("question_json",),
    "affray.core.dice": ("D100", "Die", "Pool", "d", "parse_dice"),
    "affray.core.distribution": ("Distribution",),
    "affray.core.errors": (
        "AffrayError", "AnswerError", "LimitError", "RulesError", "SetupError", "StoreError",
    ),
    "affray.core.modifier": ("Modifier", "Total"),
    "affray.core.node": ("At", "Chance", "Choice", "End", "Go", "Option", "Step", "choose"),
    "affray.core.reading": ("SumOfDice", "Tally", "distribution"),
    "affray.core.ruling": ("Ruling", "Rulings"),
    "affray.core.step": ("step",),
    "affray.core.system": ("Field", "Objective", "System"),
    "affray.core.telling": ("AffrayWarning",),
    "affray.engine.exchange.best": ("Solution", "objective_named", "solve"),
    "affray.engine.budget": ("Budget", "Progress", "spending"),
    "affray.engine.exchange.explain": ("explain",),
    "affray.engine.exchange.game": ("Game",),
    "affray.engine.exchange.odds": ("odds", "outcomes"),
    "affray.engine.exchange.result": ("Result",),
    "affray.engine.exchange.session": ("Answer", "Question", "Session"),
    "affray.engine.exchange.sources": (
        "Entropy", "ForActor", "Policy", "Script", "Seeded", "drive",
    ),
}  # fmt: skip
_CALLED = {"battle": "ask_battle", "duel": "ask_duel"}
"""The names of some of them where they are at home."""
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "D100",
    "AffrayError",
    "AffrayWarning",
    "Answer",
    "AnswerError",
    "At",
    "Budget",
    "Chance",
    "Choice",
    "Die",
    "Distribution",
    "End",
    "Entropy",
    "Field",
    "Fight",
    "FightChanges",
    "ForActor",
    "Game",
    "Go",
    "InputError",
    "LimitError",
    "Loaded",
    "Modifier",
    "Objective",
    "Option",
    "Policy",
    "Pool",
    "Progress",
    "Question",
    "Result",
    "RulesError",
    "Ruling",
    "Rulings",
    "Sampling",
    "Script",
    "Seeded",
    "Session",
    "SetupError",
    "Solution",
    "Step",
    "StoreError",
    "SumOfDice",
    "System",
    "Tally",
    "Total",
    "__version__",
    "battle",
    "choose",
    "d",
    "distribution",
    "drive",
    "duel",
    "explain",
    "load",
    "next_setup",
    "objective_named",
    "odds",
    "outcomes",
    "parse_dice",
    "question_json",
    "solve",
    "spending",
    "step",
    "system_ids",
    "system_named",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name == "__version__":
        return import_module("affray._version").VERSION
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'affray' has no attribute {name!r}")
    value: object = getattr(import_module(_MODULE_OF[name]), _CALLED.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
