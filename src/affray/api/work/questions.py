"""What workers are asked: each question is a table of arguments and the use case that answers it.

A question calls the use case that the command line calls, so its view is the same. Heavy modules
are imported where a question needs them; `warm` imports them beforehand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, ClassVar, Protocol

from affray.app.inputs.checking import validated
from affray.app.inputs.intake import Raw, table_checked
from affray.app.inputs.paths import with_values
from affray.app.inputs.setups import setup_behind
from affray.app.registry import system_named
from affray.app.sources import Answers, Changes, EasyFight, Source, Table, source_of
from affray.core.errors import SetupError
from affray.core.names import unknown
from affray.core.sheet import Ge, Le, sheet
from affray.engine.budget import Budget

if TYPE_CHECKING:
    from affray.app.battle import Sampling
    from affray.app.fight import Fight
    from affray.app.inputs.fight_changes import FightChanges
    from affray.app.play import PlayedGame
    from affray.app.views.envelope import View

__all__ = ["QUESTIONS", "Question", "prepare_to_refuse", "questions_in", "read_question", "warm"]

Seed = Annotated[int, Ge(0), Le(2**63 - 1)]
Count = Annotated[int, Ge(1)]


class Question(Protocol):
    """A question with its arguments.

    Attributes:
        usual_s: the seconds that it may take where nobody says otherwise.
        is_light: whether it is mostly answered at once; then a worker is kept free for it.
        pure: schemas of views that depend on nothing but the arguments and the rules.
    """

    usual_s: ClassVar[float]
    is_light: ClassVar[bool]
    pure: ClassVar[frozenset[str]]

    def view(self, budget: Budget) -> View:
        """The answer."""
        ...

    @property
    def repeats(self) -> bool:
        """Whether the same arguments give the same view, if it is whole and of a pure schema."""
        ...


class _Question:
    usual_s: ClassVar[float] = 20.0
    is_light: ClassVar[bool] = False
    pure: ClassVar[frozenset[str]] = frozenset()

    @property
    def repeats(self) -> bool:
        """Whether the same arguments give the same view."""
        return True


# -- one exchange ----------------------------------------------------------------------------


@sheet
class _OfExchanges(_Question):
    """What all questions about exchanges take.

    Attributes:
        settle, rulings, roster: as on the command line; each roster is a table.
        dice, choose: answers given first.
    """

    system: str
    objective: str = ""
    settle: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rulings: dict[str, str] = field(default_factory=dict)
    roster: tuple[dict[str, object], ...] = ()
    dice: tuple[int | str, ...] = ()
    choose: tuple[str, ...] = ()

    @property
    def changes(self) -> Changes:
        """What holds instead of what the setup says."""
        return Changes(self.settle, self.rulings, _tables(self.roster))

    @property
    def answers(self) -> Answers:
        """The answers given first."""
        return Answers(self.dice, self.choose)


def _tables(roster: tuple[dict[str, object], ...]) -> tuple[Table, ...]:
    return tuple(Table(raw, f"roster {n}") for n, raw in enumerate(roster, start=1))


@sheet
class _OfExchange(_OfExchanges):
    """What all questions about one exchange take.

    Attributes:
        setup: the name of a shipped example, a table, or a saved game.
        set: values of it that are other ones, by paths such as `attacker.weapons.0.damage`.
    """

    usual_s: ClassVar[float] = 5.0
    is_light: ClassVar[bool] = True

    setup: str | dict[str, object]
    set: dict[str, object] = field(default_factory=dict)

    @property
    def source(self) -> Source:
        """The setup."""
        source = source_of(self.setup)
        if not self.set:
            return source
        return with_values(setup_behind(system_named(self.system), source), self.set)


@sheet
class Odds(_OfExchange):
    """The odds of outcome fields."""

    pure: ClassVar[frozenset[str]] = frozenset({"affray/odds"})

    of: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    seed: Seed = 0

    def view(self, budget: Budget) -> View:
        """As `affray odds`."""
        from affray.app.odds_within import odds_within

        return odds_within(
            self.system, self.source, self.of, given=self.given, objective=self.objective,
            changes=self.changes, answers=self.answers, seed=self.seed, budget=budget,
        )  # fmt: skip


@sheet
class Best(_OfExchange):
    """The best option at each choice."""

    pure: ClassVar[frozenset[str]] = frozenset({"affray/best"})

    threshold: Annotated[float, Ge(0)] = 0.0
    seed: Seed = 0

    def view(self, budget: Budget) -> View:
        """As `affray best`."""
        from affray.app.best import best_within

        return best_within(
            self.system, self.source, objective=self.objective,
            threshold=Fraction(str(self.threshold)), changes=self.changes, answers=self.answers,
            seed=self.seed, budget=budget,
        )  # fmt: skip


@sheet
class Rulings(_OfExchanges):
    """The readings of what a book leaves open, priced in a setup or in examples."""

    pure: ClassVar[frozenset[str]] = frozenset({"affray/rulings"})

    setup: str | dict[str, object] | None = None
    of: str = ""

    def view(self, budget: Budget) -> View:
        """As `affray rulings`."""
        from affray.app.rulings import show_rulings

        return show_rulings(
            self.system, None if self.setup is None else source_of(self.setup), field=self.of,
            objective=self.objective, changes=self.changes, answers=self.answers, budget=budget,
        )  # fmt: skip


@sheet
class Sweep(_OfExchange):
    """The odds of an outcome field while one or two numbers or rulings of a setup are varied.

    Attributes:
        path: of a number in the setup, or `rulings.NAME`. values: none: all readings of the ruling.
        across: what is varied beside it, with its values.
    """

    usual_s: ClassVar[float] = 20.0
    is_light: ClassVar[bool] = False
    pure: ClassVar[frozenset[str]] = frozenset({"affray/sweep"})

    path: str
    values: tuple[int | float | str, ...] = ()
    across: str = ""
    across_values: tuple[int | float | str, ...] = ()
    of: str = ""
    given: tuple[str, ...] = ()

    def view(self, budget: Budget) -> View:
        """As `affray.app.sweep.ask_sweep`."""
        from affray.app.sweep import ask_sweep
        from affray.app.views.sweeps import SweptAxis

        if self.across_values and not self.across:
            raise SetupError("across_values: say by across what they are values of")
        across = SweptAxis(self.across, self.across_values) if self.across else None
        return ask_sweep(
            self.system, self.source, self.path, self.values, across=across, field=self.of,
            given=self.given, objective=self.objective, changes=self.changes,
            answers=self.answers, budget=budget,
        )  # fmt: skip


# -- fights to the end -----------------------------------------------------------------------


@sheet
class _OfFights(_Question):
    """What all questions about fights to the end take; lists of two are of the sides."""

    usual_s: ClassVar[float] = 45.0

    system: str
    first: str = ""
    rounds: Count | None = None
    policies: tuple[str, str] = ("", "")
    objective: str = ""
    threshold: Annotated[int, Ge(0)] | None = None
    settle: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rulings: dict[str, str] = field(default_factory=dict)
    situation: dict[str, object] = field(default_factory=dict)
    roster: tuple[dict[str, object], ...] = ()

    @property
    def changes(self) -> FightChanges:
        """What holds instead of what the fight says."""
        from affray.app.inputs.fight_changes import FightChanges

        return FightChanges(
            first=self.first, rounds=self.rounds, policies=self.policies, settle=self.settle,
            rulings=self.rulings, situation=self.situation, objective=self.objective,
            threshold=self.threshold, roster=_tables(self.roster),
        )  # fmt: skip


Fought = str | dict[str, object] | tuple[str, str]
"""A fight: the name of a shipped one, a table, or the roster names of both sides."""


@sheet
class _OfFight(_OfFights):
    """What all questions about one fight take.

    Attributes:
        fight: the name of a shipped one, a table, or the roster names of both sides.
        set: values of it that are other ones, by paths such as `one.fighters.0.dodge`.
    """

    fight: Fought
    set: dict[str, object] = field(default_factory=dict)

    @property
    def source(self) -> EasyFight:
        """The fight."""
        if not self.set:
            return self.fight
        from affray.app.inputs.fight_setups import fight_behind

        table = fight_behind(system_named(self.system), self.fight, self.changes)
        return with_values(table, self.set)


@sheet
class Duel(_OfFight):
    """A fight of one against one, to the end."""

    pure: ClassVar[frozenset[str]] = frozenset({"affray/duel"})

    exact: bool = False
    seed: Seed = 0

    def view(self, budget: Budget) -> View:
        """As `affray duel`."""
        from affray.app.duel_within import duel_within

        return duel_within(
            self.system, self.source, changes=self.changes, exact=self.exact,
            seed=self.seed, budget=budget,
        )  # fmt: skip


@sheet
class _Sampled(_OfFights):
    targets: tuple[str, str] = ("", "")
    n: Count | None = None
    seed: Seed | None = None

    @property
    def changes(self) -> FightChanges:
        """What holds instead of what the fight says."""
        return super().changes._replace(targets=self.targets)

    @property
    def sampling(self) -> Sampling:
        """The size of the sample; one process, as other workers have work of their own."""
        from affray.app.battle import Sampling

        return Sampling(self.n, None, self.seed)

    @property
    def repeats(self) -> bool:
        """Only with a seed and a number of battles."""
        return self.n is not None and self.seed is not None


@sheet
class Battle(_OfFight, _Sampled):
    """A fight of any size, fought many times."""

    pure: ClassVar[frozenset[str]] = frozenset({"affray/battle"})

    target_error: Annotated[float, Ge(0.01), Le(49.0)] | None = None

    def view(self, budget: Budget) -> View:
        """As `affray battle`."""
        from affray.app.battle import ask_battle

        return ask_battle(
            self.system, self.source, changes=self.changes,
            sampling=self.sampling._replace(target_error=self.target_error), budget=budget,
        )  # fmt: skip


@sheet
class Compare(_Sampled):
    """Two fights, fought with the same random numbers."""

    pure: ClassVar[frozenset[str]] = frozenset({"affray/battle-comparison"})

    fights: tuple[Fought, Fought]

    def view(self, budget: Budget) -> View:
        """As `affray battle --versus`."""
        from affray.app.comparison import ask_comparison
        from affray.app.sources import fight_source_of

        one, other = (fight_source_of(fight) for fight in self.fights)
        return ask_comparison(
            self.system, (one, other), changes=self.changes, sampling=self.sampling, budget=budget
        )


@sheet
class Matrix(_Sampled):
    """Every fighter of a roster against every other one."""

    usual_s: ClassVar[float] = 120.0
    pure: ClassVar[frozenset[str]] = frozenset({"affray/battle-matrix"})

    def view(self, budget: Budget) -> View:
        """As `affray battle --all-pairs`."""
        from affray.app.matrix import ask_matrix

        return ask_matrix(self.system, changes=self.changes, sampling=self.sampling, budget=budget)


# -- games that people play ------------------------------------------------------------------


@sheet
class _OfGame(_Question):
    """What all questions about a game take.

    Attributes:
        game: its saved form: of an exchange, or of a fight.
    """

    usual_s: ClassVar[float] = 2.0
    is_light: ClassVar[bool] = True

    game: dict[str, object]
    seed: Seed = 1

    @property
    def restored(self) -> Fight | PlayedGame:
        """The game where it stood."""
        from affray.app.files import saved_fights

        if self.game.get("schema") == saved_fights.SCHEMA:
            return self.fight
        from affray.app.play import PlayedGame

        system = self.game.get("system")
        if not isinstance(system, str):
            raise SetupError("game: no saved game; it names no system")
        return PlayedGame.begin(system, Table(self.game, "game"))

    @property
    def fight(self) -> Fight:
        """The fight where it stood."""
        from affray.app.fight import Fight

        return Fight.restored(self.game, "game")


@sheet
class Advise(_OfGame):
    """What the options of the decision that a game waits for are worth."""

    objective: str = ""
    threshold: Annotated[float, Ge(0)] = 0.0

    def view(self, budget: Budget) -> View:
        """As `?` at a decision."""
        from affray.app.fight import Fight

        game = self.restored
        if isinstance(game, Fight):
            from affray.app.fight_advice import advise_fight

            if self.threshold:
                raise SetupError("threshold: is for one exchange, not for a fight")
            return advise_fight(game, self.objective, budget, seed=self.seed)
        from affray.app.advice import advise

        threshold = Fraction(str(self.threshold))
        return advise(game, self.objective, budget, threshold=threshold, seed=self.seed)


@sheet
class Chances(_OfGame):
    """The chance of both sides to win a fight from where it stands."""

    def view(self, budget: Budget) -> View:
        """As `chances` at the table of a fight."""
        from affray.app.fight_chances import ask_chances

        return ask_chances(self.fight, budget, seed=self.seed)


@sheet
class Hits(_OfGame):
    """The chance to hit, with each option of the turn that a fight waits for.

    Attributes:
        picks: options of the turn by the keys of their decisions; the rest is as usual.
        wins: whether the chance to win the fight is told as well.
    """

    usual_s: ClassVar[float] = 1.0

    picks: dict[str, str] = field(default_factory=dict)
    wins: bool = False

    def view(self, budget: Budget) -> View:
        """As `hits` at the table of a fight."""
        from affray.app.hit_chances import hit_chances

        return hit_chances(self.fight, self.picks, budget, wins=self.wins, seed=self.seed)


@sheet
class Decide(_OfGame):
    """The option that a computer takes; an objective is for exchanges, a policy for fights."""

    objective: str = ""
    policy: str = ""

    def view(self, budget: Budget) -> View:
        """As a computer at a seat."""
        from affray.app.deciding import decision_in_exchange, decision_in_fight
        from affray.app.fight import Fight

        game = self.restored
        if isinstance(game, Fight):
            if self.objective:
                raise SetupError("objective: a fight decides for its own; leave it out")
            return decision_in_fight(game, self.policy, budget, seed=self.seed)
        if self.policy:
            raise SetupError("policy: is for fights; an exchange is decided for an objective")
        return decision_in_exchange(game, self.objective, budget, seed=self.seed)


@sheet
class Report(_OfGame):
    """A fight looked back at."""

    usual_s: ClassVar[float] = 20.0
    is_light: ClassVar[bool] = False

    objective: str = ""

    def view(self, budget: Budget) -> View:
        """As `affray report`."""
        from affray.app.fight_report import ask_report

        return ask_report(self.fight, self.objective, budget, seed=self.seed)


QUESTIONS: Mapping[str, type[Question]] = {
    "odds": Odds,
    "best": Best,
    "rulings": Rulings,
    "sweep": Sweep,
    "compare": Compare,
    "duel": Duel,
    "battle": Battle,
    "matrix": Matrix,
    "advise": Advise,
    "chances": Chances,
    "hits": Hits,
    "decide": Decide,
    "report": Report,
}
"""All questions, by the name that the service calls them."""


def questions_in(place: str) -> Mapping[str, type[Question]]:
    """The questions that stand at `module:NAME`."""
    module, _, name = place.partition(":")
    found: Mapping[str, type[Question]] = getattr(import_module(module), name)
    return found


def read_question(
    name: str, arguments: Mapping[str, object], known: Mapping[str, type[Question]] = QUESTIONS
) -> Question:
    """A question from its name and a table of arguments.

    Raises:
        UnknownNameError: no such question.
        InputError: the arguments don't fit it.
    """
    if name not in known:
        raise unknown("question", name, known)
    table: Raw = table_checked(arguments, name)
    return validated(known[name], table, name)  # type: ignore[return-value]  # of the kind given


LIGHT = (
    "affray.app.odds_within", "affray.app.odds_estimated", "affray.app.best", "affray.app.rulings",
    "affray.app.fight", "affray.app.advice", "affray.app.fight_advice", "affray.app.fight_chances",
    "affray.app.hit_chances",
)  # fmt: skip
HEAVY = (
    "affray.app.duel_within", "affray.app.battle", "affray.app.matrix", "affray.app.comparison",
    "affray.app.fight_report", "affray.engine.fight.sampled.battle", "scipy.sparse.linalg",
)  # fmt: skip
"""Modules that questions come to need; those of long ones bring numpy and scipy."""


def warm(*, light: bool) -> None:
    """Import what questions need, and every system that is installed."""
    from affray.app.registry import system_ids, system_named

    for system in system_ids():
        system_named(system)
    for module in LIGHT if light else (*LIGHT, *HEAVY):
        import_module(module)


def prepare_to_refuse() -> None:
    """Import what says why a setup doesn't fit, which takes as long as all the rest."""
    from affray.app.inputs.checking import adapter
    from affray.app.registry import system_ids, system_named

    for kind in (*QUESTIONS.values(), *(system_named(name).setup for name in system_ids())):
        adapter(kind)
