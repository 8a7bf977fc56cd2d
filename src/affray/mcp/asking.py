"""Tools that need no game: systems, their books, checks, odds, the best options, duels, battles."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, ClassVar, Literal

from affray.app.sources import Answers, Changes, source_of
from affray.app.views.advice import AdviceView, EstimatedBestView
from affray.app.views.books import ExampleView, RosterView, RulesView, SchemaView, SystemsView
from affray.app.views.checked import CheckedView
from affray.app.views.envelope import View
from affray.app.views.estimated_duels import EstimatedDuelView
from affray.app.views.estimates import EstimatedOddsView
from affray.app.views.exchanges import BestView, OddsView
from affray.app.views.fights import BattleView, DuelView
from affray.core.sheet import Ge, Le, sheet
from affray.mcp.calls import Fought, Seconds, Work, unfit

__all__ = [
    "AskBattle", "AskBest", "AskDuel", "AskOdds", "CheckTable", "ListSystems", "LookUp",
]  # fmt: skip

Seed = Annotated[int, Ge(0), Le(2**53 - 1)]


# -- looking things up -----------------------------------------------------------------------------


@sheet
class ListSystems:
    """List the game systems, or what one of them has: examples, fights, fields, objectives.

    Begin here: the ids and names are what the other tools take.

    Attributes:
        system: id of the only system to list; all of them if it is left out.
    """

    views: ClassVar[tuple[type[View], ...]] = (SystemsView,)

    system: str = ""

    def view(self, _: Work, /) -> View:
        """As `affray systems`."""
        from affray.app.lookups import list_systems

        return list_systems(self.system)


@sheet
class LookUp:
    """Look up a shipped example, a fight, roster entries, a clause of the rules, or a schema.

    The log of a game cites clauses, such as EP-56: look them up to see which rule was applied. An
    example or a fight comes as the table that somebody wrote; change it and use it as a setup.

    Attributes:
        system: id of a system.
        what: "example", "fight", "roster", "clause", "setup-schema" or "fight-schema".
        name: the name of the example or fight; the id of a clause, or nothing for all of them; a
            section or an entry of the roster, or nothing for all of it; of a schema nothing.
    """

    views: ClassVar[tuple[type[View], ...]] = (ExampleView, RosterView, RulesView, SchemaView)

    system: str
    what: Literal["example", "fight", "roster", "clause", "setup-schema", "fight-schema"]
    name: str = ""

    def view(self, _: Work, /) -> View:
        """As `affray roster`, `rules` and `schema`."""
        from affray.app import lookups

        if self.name and self.what.endswith("schema"):
            raise unfit("look_up", "name", self.name, "a schema has no name")
        if self.what == "roster":
            return lookups.show_roster(self.system, self.name)
        if self.what == "clause":
            return lookups.show_rules(self.system, self.name)
        if self.what in {"example", "fight"}:
            if not self.name:
                raise unfit("look_up", "name", "", "list_systems lists examples and fights")
            return lookups.show_example(self.system, self.name, fight=self.what == "fight")
        return lookups.show_schema(self.system, fight=self.what == "fight-schema")


@sheet
class CheckTable:
    """Check a setup of an exchange, or a fight: everything that is wrong with it, at once.

    Attributes:
        system: id of a system.
        table: the setup or the fight, as a table; see the schemas in look_up.
        kind: how it will be used: "setup" of one exchange, or "fight".
    """

    views: ClassVar[tuple[type[View], ...]] = (CheckedView,)

    system: str
    table: dict[str, object]
    kind: Literal["setup", "fight"] = "setup"

    def view(self, _: Work, /) -> View:
        """As `affray check SYSTEM SETUP`."""
        from affray.app.check import check_table

        return check_table(self.system, self.table, self.kind)


# -- one exchange ----------------------------------------------------------------------------------


@sheet
class _OfExchange:
    system: str
    setup: str | dict[str, object]
    objective: str = ""
    settle: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rulings: dict[str, str] = field(default_factory=dict)
    dice: tuple[int | str, ...] = ()
    choose: tuple[str, ...] = ()
    seconds: Seconds = 5.0

    @property
    def changes(self) -> Changes:
        """What holds instead of what the setup says."""
        return Changes(self.settle, self.rulings)

    @property
    def answers(self) -> Answers:
        """The answers given first."""
        return Answers(self.dice, self.choose)


@sheet
class AskOdds(_OfExchange):
    """Price an exchange: the exact chance of each outcome, or bounds or an estimate in time.

    Attributes:
        system: id of a system.
        setup: the name of a shipped example, a table, or a saved exchange.
        of: outcome fields, such as net or hit; the first that fits by default.
        given: conditions known to hold, such as hit=true.
        objective: what open choices are decided for; the first that fits by default.
        settle: choices decided beforehand, by step: options, most wanted first.
        rulings: readings of what the book leaves open, by name.
        dice: faces that have been rolled already, in order.
        choose: options that have been taken already, in order.
        seconds: how long it may take.
    """

    views: ClassVar[tuple[type[View], ...]] = (OddsView, EstimatedOddsView)

    of: tuple[str, ...] = ()
    given: tuple[str, ...] = ()

    def view(self, work: Work, /) -> View:
        """As `affray odds`."""
        from affray.app.odds_within import odds_within

        return odds_within(
            self.system, source_of(self.setup), self.of, given=self.given,
            objective=self.objective, changes=self.changes, answers=self.answers,
            budget=work.budget,
        )  # fmt: skip


@sheet
class AskBest(_OfExchange):
    """Say which option is best at every choice of an exchange, and what it is then worth.

    Attributes:
        system: id of a system.
        setup: the name of a shipped example, a table, or a saved exchange.
        objective: what is wanted; list_systems lists the objectives.
        settle: choices decided beforehand, by step: options, most wanted first.
        rulings: readings of what the book leaves open, by name.
        dice: faces that have been rolled already, in order.
        choose: options that have been taken already, in order.
        seconds: how long it may take.
    """

    views: ClassVar[tuple[type[View], ...]] = (BestView, EstimatedBestView, AdviceView)

    def view(self, work: Work, /) -> View:
        """As `affray best`."""
        from affray.app.best import best_within

        return best_within(
            self.system, source_of(self.setup), objective=self.objective, changes=self.changes,
            answers=self.answers, budget=work.budget,
        )  # fmt: skip


# -- fights to the end -----------------------------------------------------------------------------


@sheet
class AskDuel:
    """Work out a fight of one against one, to its end: who wins how often, in how many rounds.

    Exact where that is reached in time, else bounds and a sample of battles.

    Attributes:
        system: id of a system.
        fight: the name of a shipped fight, a table, or the roster names of both sides.
        rulings: readings of what the book leaves open, by name.
        seconds: how long it may take.
    """

    views: ClassVar[tuple[type[View], ...]] = (DuelView, EstimatedDuelView)
    is_long: ClassVar[bool] = True

    system: str
    fight: Fought
    rulings: dict[str, str] = field(default_factory=dict)
    seconds: Seconds = 15.0

    def view(self, work: Work, /) -> View:
        """As `affray duel`."""
        from affray.app.duel_within import duel_within
        from affray.app.inputs.fight_changes import FightChanges

        changes = FightChanges(rulings=self.rulings)
        return duel_within(self.system, self.fight, changes=changes, budget=work.budget)


@sheet
class AskBattle:
    """Fight a battle of any size many times: who wins how often, who survives.

    Attributes:
        system: id of a system.
        fight: the name of a shipped fight, a table, or the roster names of both sides, such as
            ["ada,bo", "3xhusk"].
        n: how many battles; as many as usual if it is left out. It may stop early.
        seed: the same seed repeats the same battles; one is drawn if it is left out.
        rulings: readings of what the book leaves open, by name.
        seconds: how long it may take.
    """

    views: ClassVar[tuple[type[View], ...]] = (BattleView,)
    is_long: ClassVar[bool] = True

    system: str
    fight: Fought
    n: Annotated[int, Ge(1), Le(1_000_000)] | None = None
    seed: Seed | None = None
    rulings: dict[str, str] = field(default_factory=dict)
    seconds: Seconds = 15.0

    def view(self, work: Work, /) -> View:
        """As `affray battle`."""
        from affray.app.battle import Sampling, ask_battle
        from affray.app.inputs.fight_changes import FightChanges

        return ask_battle(
            self.system, self.fight, changes=FightChanges(rulings=self.rulings),
            sampling=Sampling(self.n, None, self.seed), budget=work.budget,
        )  # fmt: skip
