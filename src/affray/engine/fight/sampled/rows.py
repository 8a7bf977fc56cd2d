"""The exchanges of a battle as rows to draw from: by the view of the actor and of the target.

A row is drawn from by a table of `alias`; an outcome is an effect on the target, one on the actor,
and what befalls mates of the target.
"""

from __future__ import annotations

from collections.abc import Hashable

from affray.core.errors import LimitError
from affray.core.fight import Deed
from affray.core.meter import metered
from affray.engine.budget import Budget, Clock, clock_in_force
from affray.engine.fight.course import first_deed
from affray.engine.fight.matchup import EffectOdds, Encounter, Helped
from affray.engine.fight.sampled.arrays import Ints, Spread
from affray.engine.fight.sampled.numbering import NOTHING, Numbering, TargetView
from affray.engine.fight.sampled.outcomes import FOE, FRIEND, SELF, Outcomes

__all__ = ["Rows"]

MOST_WORK = 30_000
"""Work for the row of one exchange, as meters count it: a second or two."""


class OneExchange(Clock):
    """Lets the row of one exchange take only so much work."""

    def __init__(self, outer: Clock, system: str) -> None:
        super().__init__(Budget(bytes=outer.bytes), outer)
        self._work, self._system = MOST_WORK, system

    def tick(self, work: int = 1) -> None:
        """So much was done; raises `LimitError` if it may not go on."""
        self._work -= work
        if self._work < 0:
            raise LimitError(
                f"{self._system}: one exchange has too many outcomes for a table", limit="work"
            )
        super().tick(work)


class Rows:
    """All exchanges that battles have met.

    Attributes:
        outcomes: what the rows hold, column by column.
        table: the first slice of each row, by view of the actor and of the target.
        passed: the row of a turn in which nothing can be done.
        helpings: what befalls mates of a target, by number: their place among the others and
            the effect.
    """

    def __init__(self, numbering: Numbering) -> None:
        self.numbering = numbering
        self.contest = numbering.contest
        self.outcomes = Outcomes()
        self.table = Spread()
        numbering.actors_axis.rows.append(self.table)
        numbering.targets_axis.columns.append(self.table)
        self.helpings: list[tuple[tuple[int, int], ...]] = [()]
        self._helping_of: dict[tuple[tuple[int, int], ...], int] = {(): 0}
        self._row_of: dict[tuple[int, int], int] = {}
        self._row_like: dict[tuple[object, ...], int] = {}
        self._own: dict[int, set[int]] = {}
        # Targets that differ in nothing but what is hidden have a number in common.
        self._shown: dict[Hashable, int] = {}
        self._shown_as: dict[int, int] = {}
        self._alike: dict[tuple[int, int], int] = {}
        self._urgent: dict[int, int] = {}
        self._odds: list[EffectOdds] = []  # kept, since they are known by identity
        self.passed = self._entered(EffectOdds(((NOTHING, NOTHING),), (1,), 1), FOE)

    def __len__(self) -> int:
        return self.outcomes.n_rows - 1

    def of(self, actors: Ints, targets: Ints) -> Ints:
        """The rows of exchanges between views."""
        (rows,) = self.table.look_up(actors, targets, self.between)
        return rows

    def between(self, actor: int, target: int) -> int:
        """The row of one exchange."""
        with self.numbering.lock:
            known = self.table[actor, target]
            if not known:
                with metered(OneExchange(clock_in_force(), self.contest.system.id)):
                    known = self._found(actor, target)
                self.table.put(actor, target, known)
            return known

    def _found(self, actor: int, target: int) -> int:
        """The row of the first deed that can be done."""
        numbering = self.numbering
        one, other = numbering.actors[actor], numbering.targets[target]
        if one is None or other is None:
            return self.passed
        kind, condition = numbering.conditions[one.here]
        shown = actor, self._as_shown(target, other)
        alike = self._alike.get(shown)
        if alike is not None:
            return alike
        side, sheet, _ = numbering.roster.kinds[kind]
        friend = one.friend_here
        fallen = friend if friend and numbering.is_out(friend) else 0
        targets = {
            "foe": (FOE, other.here, other.context),
            "friend": (FRIEND, one.friend_here, one.about_friend),
            "fallen friend": (FRIEND, fallen, one.about_friend),
            "self": (SELF, one.here, one.about_self),
        }

        minds = self.contest.fight.minds_mates(sheet, condition)
        looks = False

        def attempt(deed: Deed, target: tuple[int, int, Hashable]) -> int | None:
            nonlocal looks
            aim, here, context = target
            struck_sheet, struck = numbering.sheet_and(here)
            matchup = self.contest.matchup(side, sheet, struck_sheet, friend=aim != FOE)
            company = one.about_self if aim == FOE and minds else None
            odds, same = matchup.shared_odds(
                Encounter(deed, condition, struck, context, company)
            )  # fmt: skip
            looks |= aim == FOE and not same
            return None if odds is None else self._entered(odds, aim)

        there = ((deed, targets[deed.on]) for deed in one.deeds if targets[deed.on][1])
        row = first_deed(there, attempt)
        if row is None:
            row = self.passed
        else:
            numbering.note_own(one.base, self._own[row])
        if not looks:
            self._alike[shown] = row
        return row

    def _as_shown(self, target: int, view: TargetView) -> int:
        """The number of all targets that differ from one in nothing but what is hidden."""
        known = self._shown_as.get(target)
        if known is None:
            numbering = self.numbering
            kind, condition = numbering.conditions[view.here]
            key = kind, numbering.hidden.visible(condition), view.context
            known = self._shown.setdefault(key, len(self._shown))
            self._shown_as[target] = known
        return known

    def urgent(self, here: int) -> int:
        """The row of what is settled at once for a condition."""
        with self.numbering.lock:
            known = self._urgent.get(here)
            if known is None:
                known = self._urgent[here] = self._settling(here)
            return known

    def _settling(self, here: int) -> int:
        kind, condition = self.numbering.conditions[here]
        side, sheet, _ = self.numbering.roster.kinds[kind]
        fight = self.contest.fight
        deed = fight.urgent(sheet, condition)
        assert deed is not None  # `Numbering.urgent` says so
        matchup = self.contest.matchup(side, sheet, sheet, friend=True)
        odds = matchup.odds(Encounter(deed, condition, condition, fight.context(())))
        return self.passed if odds is None else self._entered(odds, SELF)

    def _entered(self, odds: EffectOdds, aim: int) -> int:
        known = self._row_of.get((id(odds), aim))
        if known is None:
            numbering = self.numbering
            effects = [
                (numbering.effect(mine), numbering.effect(theirs)) for mine, theirs in odds.effects
            ]
            mates = [self._helping(helped) for helped in odds.helped] or [0] * len(effects)
            came = list(zip(effects, mates, strict=True))
            key = (*came, *odds.weights, aim)
            known = self._row_like.get(key)
            if known is None:
                harms = [
                    (numbering.harm(theirs), -numbering.harm(mine)) for mine, theirs in effects
                ]
                known = self._row_like[key] = self.outcomes.add(odds.weights, came, harms, aim)
                self._own[known] = {mine for mine, _ in effects}
            self._odds.append(odds)
            self._row_of[id(odds), aim] = known
        return known

    def _helping(self, helped: Helped) -> int:
        """The number of what befalls mates of a target."""
        key = tuple((place, self.numbering.effect(effect)) for place, effect in helped)
        known = self._helping_of.get(key)
        if known is None:
            known = self._helping_of[key] = len(self.helpings)
            self.helpings.append(key)
            self.numbering.noticed.mates_help = True
        return known
