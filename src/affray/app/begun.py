"""Games to be begun, as data: the table that a page or a program sends."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated

from affray.app.inputs.fight_changes import FightChanges
from affray.app.sources import Changes, EasyFight, Table
from affray.core.sheet import Ge, sheet

__all__ = ["BeginExchange", "BeginFight"]


@sheet
class _Begin:
    """What both kinds of games take.

    Attributes:
        system: id of the system.
        seats: who answers, by side or by name: typed, rolled, computer or computer:POLICY.
        table: id of the table of people at which it is played.
        settle: choices decided beforehand: step, and options, most wanted first.
        rulings: readings by name.
        roster: own roster entries, as tables.
    """

    system: str
    seats: dict[str, str] = field(default_factory=dict)
    table: str = ""
    settle: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rulings: dict[str, str] = field(default_factory=dict)
    roster: tuple[dict[str, object], ...] = ()

    @property
    def rosters(self) -> tuple[Table, ...]:
        """Own roster entries for a use case."""
        return tuple(Table(raw, f"roster {n}") for n, raw in enumerate(self.roster, start=1))


@sheet
class BeginExchange(_Begin):
    """An exchange to be begun.

    Attributes:
        setup: the name of a shipped example, a setup as a table, or a saved exchange.
    """

    setup: str | dict[str, object]

    @property
    def source(self) -> EasyFight:
        """What it begins from."""
        return self.setup

    @property
    def changes(self) -> Changes | None:
        """What holds instead of what the setup says; None: nothing."""
        if not (self.settle or self.rulings or self.roster):
            return None
        return Changes(self.settle, self.rulings, self.rosters)


@sheet
class BeginFight(_Begin):
    """A fight to be begun.

    Attributes:
        fight: the name of a shipped fight, a fight as a table, a saved fight, or the roster names
            of both sides.
        first: the side that begins, as the system calls its ways to find out.
        rounds: the most rounds.
        situation: what holds for everybody, instead of what the fight says.
    """

    fight: str | dict[str, object] | tuple[str, str]
    first: str = ""
    rounds: Annotated[int, Ge(1)] | None = None
    situation: dict[str, object] = field(default_factory=dict)

    @property
    def source(self) -> EasyFight:
        """What it begins from."""
        return self.fight

    @property
    def changes(self) -> FightChanges | None:
        """What holds instead of what the fight says; None: nothing."""
        found = FightChanges(
            first=self.first, rounds=self.rounds, settle=self.settle, rulings=self.rulings,
            situation=self.situation, roster=self.rosters,
        )  # fmt: skip
        return None if found == FightChanges() else found
