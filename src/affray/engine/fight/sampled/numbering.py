"""Conditions and effects of a battle by number, and what the rule text makes of them.

A condition is numbered together with whose it is: the side and the sheet. It has two views: one
as its fighter acts, one as somebody acts upon it. Fighters with the same views fight the same
exchanges. An effect changes a condition into another one. Every table starts empty: 0 stands for
what no battle has met yet; the first that meets it has it worked out, under a lock.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from threading import RLock

from affray.core.errors import LimitError
from affray.core.fight import Deed
from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import SAYS, SAYS_END
from affray.engine.fight.sampled.arrays import Grid, Ints, Vector, each_once
from affray.engine.fight.sampled.layout import (
    INITIATIVE_AT,
    MOST_INITIATIVE,
    MOST_TIE,
    TIE_AT,
    Tally,
)
from affray.engine.fight.sampled.roster import Roster

__all__ = ["NOTHING", "ActorView", "Axis", "Noticed", "Numbering", "TargetView"]

NOTHING: Hashable = object()
"""The effect of a turn in which nothing can be done."""


class ActorView(NamedTuple):
    """A fighter who acts, as far as exchanges differ with it.

    Attributes:
        here: a condition with this view. base: the view without regard to friends.
        friend, friend_here: the friend who may be helped, and its condition.
        about_friend, about_self: what `Fight.context` says about mates of either.
        deeds: what can be done, the most urgent first.
    """

    here: int
    base: int
    friend: int = -1
    friend_here: int = 0
    about_friend: Hashable = None
    about_self: Hashable = None
    deeds: tuple[Deed, ...] = ()


class TargetView(NamedTuple):
    """A fighter who is acted upon: a condition with this view, and what is said of its mates."""

    here: int
    context: Hashable


@dataclass
class Noticed:
    """Things that a battle has met so far; each becomes true when it is first met.

    Attributes:
        turns_matter, rounds_matter: a turn's start, a round's end changes somebody.
        acts_back: an exchange changes the one who acts. helps: somebody acts on friends or on
            itself. mates_help: an exchange changes mates of the target.
        can_end: the fight may end with fighters of both sides standing.
        max_harm: the most damage at once.
    """

    turns_matter: bool = False
    rounds_matter: bool = False
    acts_back: bool = False
    helps: bool = False
    mates_help: bool = False
    can_end: bool = False
    max_harm: int = 0


class Axis:
    """Things that are numbered, and the grids with a row or a column for each of them."""

    def __init__(self) -> None:
        self.rows: list[Grid] = []
        self.columns: list[Grid] = []

    def fit(self, number: int) -> None:
        """Make room for one of these things."""
        for grid in self.rows:
            grid.fit(number, 0)
        for grid in self.columns:
            grid.fit(0, number)


class Numbering:
    """Conditions, views and effects by number.

    Attributes:
        fragment, begun, ended, says, order: by condition: its part of a word, what it becomes at
            the start of a turn and at the end of a round, what it says about the end, its part of
            the key that orders turns. urgent: whether something is settled for it at
            once. common: the number of what it has in common with mates.
        actors_at, target: by condition its views: as an actor, for each exchange of a turn, then
            for each extra turn and each interlude (0: it has no such exchange), and as a target.
        is_helper, friend: by view of an actor: whether it may act on friends or itself; the
            number of the friend.
        changes: by effect and condition: the condition after it with the damage, and a tally.
        conditions_axis, effects_axis, actors_axis, targets_axis: what has to have room for each.
        tends: whether something may be urgent, because somebody may help.
        lock: is held while something new is worked out.
    """

    def __init__(self, contest: Contest, roster: Roster) -> None:
        self.contest, self.roster = contest, roster
        self.fight = contest.fight
        self.hidden = contest.system.hints.hidden
        self.layout = roster.layout
        self.lock = RLock()
        self.no_context = self.fight.context(())
        self.tends = contest.tends
        self.noticed = Noticed(
            can_end=any(contest.course.gives_up), rounds_matter=self.tends, helps=self.tends
        )
        self.conditions: list[tuple[int, Hashable]] = [(-1, None)]
        self._number_of: dict[tuple[int, Hashable], int] = {}
        self.effects: list[Hashable] = [NOTHING]
        self._effect_of: dict[Hashable, int] = {NOTHING: 0}
        self.actors: list[ActorView | None] = [None]
        self.actor_of: dict[Hashable, int] = {}
        self.targets: list[TargetView | None] = [None]
        self._target_of: dict[Hashable, int] = {}
        # By view of an actor: conditions that have it, effects that acting may have on them.
        self._alike: dict[int, list[int]] = {}
        self._own: dict[int, set[int]] = {}
        self.fragment, self.target, self.urgent, self.common = (Vector() for _ in range(4))
        self.commons: list[Hashable] = [None]
        self._common_of: dict[Hashable, int] = {None: 0}
        self._with_common = Grid()
        self.actors_at = [Vector() for _ in range(contest.course.exchanges)]
        self.begun, self.ended, self.says = Vector(), Vector(), Vector()
        self.order = Vector()
        self.points: list[int] = [0]
        self.is_helper, self.friend = Vector(), Vector()
        self.changes = Grid(2)
        self.conditions_axis, self.effects_axis = Axis(), Axis()
        self.actors_axis, self.targets_axis = Axis(), Axis()
        self.effects_axis.rows.append(self.changes)
        self.conditions_axis.columns += self.by_condition

    # -- conditions ------------------------------------------------------------------------------

    def number(self, kind: int, condition: Hashable) -> int:
        """The number of a condition; a new one gets its place in every table."""
        known = self._number_of.get((kind, condition))
        if known is not None:
            return known
        meter_in_force().tick(4)
        layout, fight, owner = self.layout, self.fight, self.roster.kinds[kind]
        sheet = owner.sheet
        here = len(self.conditions)
        if here > layout.condition:
            raise LimitError(
                f"{self.contest.system.id}: over {here - 1} conditions; a battle knows no more. "
                "Settle more choices, or leave out resources that don't matter",
                states=here,
            )
        out, points = fight.is_out(sheet, condition), fight.vitals(sheet, condition)
        rank = self.roster.rankings[owner.side](points, owner.points)
        if not 0 <= rank <= layout.rank:
            raise LimitError(
                f"{self.contest.system.id}: a fighter with {points} points, who began with "
                f"{owner.points}; a battle ranks up to {layout.rank}"
            )
        begun = condition if out else fight.begin_turn(sheet, condition)
        ended = fight.end_round(sheet, condition)
        says = SAYS[fight.ends(sheet, condition)]
        order = self._order(sheet, condition)
        # Room first: whatever is refused is refused before anything is entered.
        self.conditions_axis.fit(here)
        self.actors_axis.fit(len(self.actors))
        self.targets_axis.fit(len(self.targets))
        course = self.contest.course
        turns = dict.fromkeys(course.kinds, 0)
        if not out:
            turns = {turn: self._actor(kind, condition, here, turn) for turn in turns}
        target = 0 if out else self._target(kind, condition, here)
        fragment = here | rank << layout.rank_at | (layout.out if out else 0)
        self.fragment.append(fragment)
        allowed = self.contest.allowed(sheet, condition)
        for action, views in enumerate(self.actors_at):
            passes = allowed <= action < course.actions
            views.append(0 if passes else turns[course.kind_of(action)])
        self.target.append(target)
        self.begun.append(fragment if begun == condition else 0)
        self.ended.append(fragment if ended == condition else 0)
        self.says.append(says)
        self.urgent.append(int(self.tends and fight.urgent(sheet, condition) is not None))
        self.order.append(order)
        self.common.append(self._known_common(sheet, condition))
        self.points.append(points)
        self._number_of[kind, condition] = here
        self.conditions.append((kind, condition))
        self.noticed.turns_matter |= begun != condition
        self.noticed.rounds_matter |= ended != condition
        self.noticed.can_end |= SAYS_END[says]
        for view in filter(None, turns.values()):
            self._alike.setdefault(view, []).append(here)
            self._check_back([here], self._own.get(view, set()))
        return here

    def _order(self, sheet: Hashable, condition: Hashable) -> int:
        """The part of the key that orders turns, the lowest first."""
        if self.contest.first != "initiative":
            return 0
        assert self.fight.initiative is not None  # Contest saw to it
        number, tie = self.fight.initiative(sheet, condition, self.contest.rulings)
        if not (abs(number) < MOST_INITIATIVE and abs(tie) < MOST_TIE):
            raise LimitError(
                f"{self.contest.system.id}: initiative {number} with {tie} for ties; a battle "
                f"orders numbers below {MOST_INITIATIVE} and ties below {MOST_TIE}"
            )
        return (2 * MOST_INITIATIVE - number) << INITIATIVE_AT | (MOST_TIE - tie) << TIE_AT

    @property
    def by_condition(self) -> tuple[Grid, ...]:
        """The grids that have a column for each condition."""
        return self.changes, self._with_common

    def _known_common(self, sheet: Hashable, condition: Hashable) -> int:
        """The number of what a fighter has in common with mates."""
        common = self.fight.common(sheet, condition) if self.contest.shares else None
        known = self._common_of.get(common)
        if known is None:
            known = self._common_of[common] = len(self.commons)
            self._with_common.fit(known, 0)
            self.commons.append(common)
        return known

    def with_common_of(self, commons: Ints, conditions: Ints) -> Ints:
        """Conditions of mates once so much is left in common, as fragments of words."""
        (after,) = self._with_common.look_up(commons, conditions, self._give_on)
        return after

    def _give_on(self, common: int, here: int) -> None:
        with self.lock:
            kind, condition = self.conditions[here]
            sheet = self.roster.kinds[kind].sheet
            after = self.number(
                kind, self.fight.with_common(sheet, condition, self.commons[common])
            )
            self._with_common.put(common, here, int(self.fragment.now[after]))

    def sheet_and(self, here: int) -> tuple[Hashable, Hashable]:
        """The sheet and the condition that have a number."""
        kind, condition = self.conditions[here]
        return self.roster.kinds[kind].sheet, condition

    def is_out(self, here: int) -> bool:
        """Whether a fighter in this condition is out."""
        return bool(int(self.fragment.now[here]) & self.layout.out)

    def turned_of(self, table: Vector, conditions: Ints) -> Ints:
        """Conditions after the start of a turn (`begun`) or the end of a round (`ended`)."""
        while True:
            after = table.now.take(conditions)
            if after.min(initial=1):
                return after
            for here in each_once(conditions[after == 0]).tolist():
                self.turned(table, here)

    def turned(self, table: Vector, here: int) -> int:
        """One condition after it."""
        with self.lock:
            if not table.now[here]:
                fight = self.fight
                becomes = fight.begin_turn if table is self.begun else fight.end_round
                kind, condition = self.conditions[here]
                after = self.number(kind, becomes(self.roster.kinds[kind].sheet, condition))
                table.put(here, int(self.fragment.now[after]))
            return int(table.now[here])

    # -- views -----------------------------------------------------------------------------------

    def _actor(self, kind: int, condition: Hashable, here: int, turn: int) -> int:
        """The view of an actor in a kind of turn."""
        side, sheet, _ = self.roster.kinds[kind]
        deeds = self.contest.deeds(side, sheet, condition, kind=turn)
        if not deeds:
            return 0
        helps = any(deed.on != "foe" for deed in deeds) or self.fight.minds_mates(sheet, condition)
        on_self = any(deed.on == "self" for deed in deeds)
        hidden = self.hidden.part(condition) if on_self else None
        key = (kind, deeds, self.hidden.visible(condition), hidden)
        known = self.actor_of.get(key)
        if known is None:
            known = len(self.actors)
            self.add_actor(key, ActorView(here, known, deeds=deeds), helps=helps)
            self.noticed.helps |= helps
        return known

    def add_actor(self, key: Hashable, view: ActorView, *, helps: bool) -> int:
        """Number a view of an actor."""
        here = self.actor_of[key] = len(self.actors)
        self.actors_axis.fit(here)
        self.actors.append(view)
        self.is_helper.append(int(helps))
        self.friend.append(view.friend)
        return here

    def _target(self, kind: int, condition: Hashable, here: int) -> int:
        key = (kind, self.hidden.visible(condition), self.hidden.part(condition))
        known = self._target_of.get(key)
        if known is None:
            view = TargetView(here, self.no_context)
            known = self._target_of[key] = self.add_target(view)
        return known

    def add_target(self, view: TargetView) -> int:
        """Number a view of a target."""
        here = len(self.targets)
        self.targets_axis.fit(here)
        self.targets.append(view)
        return here

    # -- effects ---------------------------------------------------------------------------------

    def effect(self, effect: Hashable) -> int:
        """The number of an effect."""
        known = self._effect_of.get(effect)
        if known is None:
            known = self._effect_of[effect] = len(self.effects)
            self.effects_axis.fit(known)
            self.effects.append(effect)
        return known

    def harm(self, effect: int) -> int:
        """The points of damage in an effect."""
        return self.fight.harm(self.effects[effect]) if effect else 0

    def note_own(self, actor: int, effects: set[int]) -> None:
        """Note effects that acting may have on those who act with a view."""
        known = self._own.setdefault(actor, set())
        if not effects <= known:
            self._check_back(self._alike[actor], effects - known)
            known |= effects

    def _check_back(self, here: Sequence[int], effects: set[int]) -> None:
        """Notice an effect on an actor that changes anything."""
        if self.noticed.acts_back:
            return
        for number in here:
            sheet, condition = self.sheet_and(number)
            for effect in effects:
                if effect == 0:
                    continue
                after = self.fight.apply(sheet, condition, self.effects[effect])
                if after != condition or self.harm(effect):
                    self.noticed.acts_back = True
                    return

    def changes_of(self, effects: Ints, conditions: Ints) -> tuple[Ints, Ints]:
        """Conditions after effects: a fragment of a word with the damage, and a tally."""
        changes, tallies = self.changes.look_up(effects, conditions, self._change)
        return changes, tallies

    def _change(self, effect: int, here: int) -> None:
        """Find out what an effect makes of a condition, unless another worker has by now."""
        with self.lock:
            if self.changes[effect, here]:
                return
            meter_in_force().tick(2)
            kind, condition = self.conditions[here]
            layout = self.layout
            after, harm = here, 0
            if effect:
                sheet = self.roster.kinds[kind].sheet
                after = self.number(kind, self.fight.apply(sheet, condition, self.effects[effect]))
                harm = max(0, min(self.harm(effect), self.points[here]))
            if 4 * harm > layout.taken:
                raise LimitError(
                    f"{self.contest.system.id}: {harm} points of damage at once; with so many "
                    f"fighters a battle counts up to {layout.taken // 4}"
                )
            self.noticed.max_harm = max(self.noticed.max_harm, harm)
            falls = self.is_out(after) and not self.is_out(here)
            tally = harm | (1 << Tally.outs_at if falls else 0)
            fragment = int(self.fragment.now[after])
            self.changes.put(effect, here, fragment + (harm << layout.taken_at), tally)
