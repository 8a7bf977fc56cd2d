"""Everything that can happen in a battle, as arrays; worked out as battles call for it.

Conditions and effects have numbers (`numbering`); the view of an actor and that of a target name a
row of outcomes (`rows`); what depends on a whole side stands apart (`mates`). An outcome is drawn,
an effect changes a condition into another one: that is an exchange, and no rule is asked twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.fight.contest import Contest
from affray.engine.fight.fates import Fates
from affray.engine.fight.sampled.arrays import Blocks, Grid, Memo, Vector
from affray.engine.fight.sampled.mates import Mates
from affray.engine.fight.sampled.numbering import Numbering
from affray.engine.fight.sampled.roster import Roster
from affray.engine.fight.sampled.rows import Rows
from affray.engine.fight.targeting import Foe, Targeting, View, asked

__all__ = ["BattleTables", "Fighter"]


class Sized(Protocol):
    """Tables that somebody keeps here, and how large they are."""

    @property
    def n_states(self) -> int:
        """The number of states in the tables."""
        ...

    @property
    def nbytes(self) -> int:
        """Memory reserved."""
        ...


class Fighter(NamedTuple):
    """One who takes part: side, place on it, name, kind, points and condition at the start."""

    side: int
    place: int
    name: str
    kind: int
    points: int
    start: int


class BattleTables:
    """Everything that can happen in a battle, in numbers.

    Attributes:
        fighters: all who take part, the first side first; `sides`: where each side is in it.
        numbering, rows, mates: the parts.
        fates: how a fight leaves its fighters. fate_chances: for each side what is known of that,
            by fate and condition; negative: not yet.
        noticed: what was met so far and makes battles more laborious.
        lock: is held while something new is worked out.
        by_sides: whether battles may be known by the states of whole sides.
        side_tables: what is known of these.
        blocks: memory that chunks of battles use one after the other.
    """

    def __init__(self, contest: Contest, targeting: tuple[Targeting, Targeting]) -> None:
        self.contest = contest
        self.targeting = targeting
        self.roster = Roster(contest, targeting)
        self.sides, self.layout = self.roster.sides, self.roster.layout
        self.numbering = Numbering(contest, self.roster)
        self.rows = Rows(self.numbering)
        self.mates = Mates(self.numbering)
        self.fates = Fates(contest)
        self.blocks = Blocks()
        self.fate_chances = [np.zeros((len(self.fates.names), 0)) for _ in self.sides]
        self.noticed, self.lock = self.numbering.noticed, self.numbering.lock
        self.by_sides = True
        self.side_tables: Sized | None = None
        self.fighters = self._fighters()

    def _fighters(self) -> tuple[Fighter, ...]:
        found = []
        meter = meter_in_force()
        names = self.contest.names
        for side in (0, 1):
            for place, sheet in enumerate(self.contest.sides[side].fighters):
                meter.tick()
                kind = self.roster.kind_of[side, sheet]
                start = self.numbering.number(kind, self.contest.enter(side, sheet))
                points = self.roster.kinds[kind].points
                found.append(Fighter(side, place, names[side][place], kind, points, start))
        return tuple(found)

    def forget_sides(self) -> None:
        """Sides are too various to be numbered: drop what is known of them."""
        with self.lock:
            self.by_sides, self.side_tables = False, None
            numbering = self.numbering
            numbering.actors_axis.rows = [self.rows.table]
            numbering.effects_axis.rows = [numbering.changes]
            numbering.conditions_axis.columns = [*numbering.by_condition]

    def choice_of(
        self, rule: Callable[[View], int], actor: int, side: int, numbers: Sequence[int]
    ) -> int:
        """The fighter that a targeting rule names among those of a side in these conditions."""
        foes = []
        for fighter, here in zip(self.sides[side], numbers, strict=True):
            if not self.numbering.is_out(here):
                who, points = self.fighters[fighter], self.numbering.points[here]
                foes.append(Foe(who.place, who.name, *self.numbering.sheet_and(here), points))
        if not foes:
            return self.sides[side].start
        place = asked(rule, View(self.fighters[actor].place, tuple(foes)))
        return self.sides[side][place]

    def size(self) -> Mapping[str, int]:
        """The numbers of conditions, effects, rows and bytes in the tables."""
        holders = (self.numbering, self.rows, self.rows.outcomes, self.mates)
        parts = [part for holder in holders for part in vars(holder).values()]
        parts += self.numbering.actors_at
        tables = [part for part in parts if isinstance(part, (Grid, Memo, Vector))]
        sides = self.side_tables if self.by_sides else None
        return {
            "conditions": len(self.numbering.conditions) - 1,
            "states": sides.n_states if sides else 0,
            "effects": len(self.numbering.effects) - 1,
            "rows": len(self.rows),
            "bytes": sum(part.nbytes for part in tables) + (sides.nbytes if sides else 0),
        }
