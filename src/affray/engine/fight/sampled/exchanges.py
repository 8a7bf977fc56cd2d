"""All exchanges of a battle as arrays, worked out from the rule text as battles call for them.

Conditions, effects and rows are numbered. A condition knows how it looks when it acts (its doer)
and when it is acted upon (its seen); a doer and a seen name a row; a row is drawn from by a table
of `alias`; an outcome is an effect on the target and one on the actor; an effect changes a
condition into another one. Every table starts empty: 0 stands for what nobody has met yet, and
whoever meets it has it worked out, under a lock.

A condition is numbered together with whose it is: the side and the sheet.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import fields
from threading import RLock
from typing import NamedTuple, Protocol

import numpy as np

from affray.core.errors import LimitError
from affray.core.fight import Deed, Fight
from affray.core.meter import meter_in_force
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import SAYS, SAYS_END, first_deed, first_fallen
from affray.engine.fight.matchup import EffectOdds, Encounter, Helped
from affray.engine.fight.sampled.arrays import Grid, Ints, Memo, Vector
from affray.engine.fight.sampled.layout import (
    INITIATIVE_AT,
    MOST_INITIATIVE,
    MOST_TIE,
    TIE_AT,
    Layout,
    Tally,
)
from affray.engine.fight.sampled.outcomes import FOE, FRIEND, SELF, Outcomes
from affray.engine.fight.targeting import Foe, Targeting, View, asked, ranking

__all__ = ["Exchanges", "Fighter"]

NOTHING: Hashable = object()
"""The effect of a turn in which nothing can be done."""


class Sized(Protocol):
    """Tables that somebody keeps here, and how large they are."""

    @property
    def n_states(self) -> int:
        """How many states they know."""
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


class _Kind(NamedTuple):
    side: int
    sheet: Hashable
    points: int


class _Doer(NamedTuple):
    """Who acts, as rows see it.

    Attributes:
        here: a condition that looks so. base: the doer without regard to friends.
        friend, fallen: the first friend who is out, and its condition.
        about_friend, about_self: what `Fight.context` says about mates of either.
    """

    here: int
    base: int
    friend: int = -1
    fallen: int = 0
    about_friend: Hashable = None
    about_self: Hashable = None


class _Seen(NamedTuple):
    """Who is acted upon: a condition that looks so, and what is said about the mates."""

    here: int
    context: Hashable


class Exchanges:
    """Everything that can happen in a battle, in numbers.

    Attributes:
        fighters: all who take part, the first side first; `sides`: where each side is in it.
        turns_matter, rounds_matter: whether a turn's start or a round's end changes anybody.
        acts_back: whether an exchange changes who acts. helps: whether somebody acts on friends
            or on oneself. looks_at_mates: whether rows depend on the target's mates;
            mates_help: whether an exchange changes them.
        can_end: whether the fight may end with fighters of both sides standing.
        All of them become true when that is first met.
        helpings: what befalls mates of a target, by number: their place among the others and
            the effect.
    """

    def __init__(self, contest: Contest, targeting: tuple[Targeting, Targeting]) -> None:
        self.contest = contest
        self.fight = contest.fight
        self.hidden = contest.system.hints.hidden
        self.targeting = targeting
        self.lock = RLock()
        defaults = {field.name: field.default for field in fields(Fight)}
        self.looks_at_mates = self.fight.context is not defaults["context"]
        self.no_context = self.fight.context(())
        self.turns_matter = self.rounds_matter = False
        self.acts_back = self.helps = self.mates_help = False
        self.can_end = any(contest.course.gives_up)
        self.max_harm = 0
        self.by_sides = True
        self._enter()
        # Odd numbers by which the conditions of several fighters are made one key.
        n_salts = 2 * self.sides[1].stop
        self.salts: Ints = np.random.SFC64(n_salts).random_raw(n_salts).view(np.int64) | 1
        self._tables()
        self._start()

    def _enter(self) -> None:
        """Kinds of fighters, and how points are ranked."""
        fight = self.fight
        self.kinds: list[_Kind] = []
        self._kind_of: dict[tuple[int, Hashable], int] = {}
        meter = meter_in_force()
        for side, sheet in self.contest.sheets:
            meter.tick()
            if (side, sheet) not in self._kind_of:
                self._kind_of[side, sheet] = len(self.kinds)
                points = fight.vitals(sheet, self.contest.enter(side, sheet))
                self.kinds.append(_Kind(side, sheet, points))
        sizes = [len(side.fighters) for side in self.contest.sides]
        self.sides = (range(sizes[0]), range(sizes[0], sum(sizes)))
        counted = "spread" in self.targeting
        most = max(kind.points for kind in self.kinds)
        if "nearest_out" in self.targeting:
            most = max(most, sum(kind.points + 1 for kind in self.kinds))
        attacks = max(sizes) * fight.actions if counted else 0
        self.layout = Layout(sum(sizes), most, attacks)
        self.rankings = tuple(
            ranking(
                self.targeting[1 - side],
                [kind.points for kind in self.kinds if kind.side == side],
                self.layout.rank,
            )
            for side in (0, 1)
        )

    def _tables(self) -> None:
        self.conditions: list[tuple[int, Hashable]] = [(-1, None)]
        self._numbers: dict[tuple[int, Hashable], int] = {}
        self.effects: dict[Hashable, int] = {NOTHING: 0}
        self._effects: list[Hashable] = [NOTHING]
        self.doers: list[_Doer | None] = [None]
        self._doer_of: dict[Hashable, int] = {}
        self._alike: dict[int, list[int]] = {}
        self._backs: dict[int, set[int]] = {}
        self.seens: list[_Seen | None] = [None]
        self._seen_of: dict[Hashable, int] = {}
        self.contexts: dict[Hashable, int] = {}
        self._context_of: list[Hashable] = [None]
        # By condition.
        self.fragment, self.doer, self.seen = Vector(), Vector(), Vector()
        self.begun, self.ended, self.says = Vector(), Vector(), Vector()
        self.order = Vector()
        self.points: list[int] = [0]
        # By doer: whether it may act on friends or on itself; the friend's number.
        self.is_helper, self.friend = Vector(), Vector()
        self.outcomes = Outcomes()
        self.rows = Grid()
        self.changes = Grid(2)
        self.seen_with = Grid()
        # Whatever has a row for each doer or effect, or a column for each condition.
        self.by_doer, self.by_effect, self.by_condition = self._grids()
        self.mates, self.own, self.chosen = Memo(), Memo(), Memo()
        self.side_tables: Sized | None = None
        self._kept: dict[tuple[int, int], int] = {}
        self._back_of: dict[int, set[int]] = {}
        self._row_refs: list[EffectOdds] = []
        self.helpings: list[tuple[tuple[int, int], ...]] = [()]
        self._helping_of: dict[tuple[tuple[int, int], ...], int] = {(): 0}
        self.passed = self._keep(EffectOdds(((NOTHING, NOTHING),), (1,), 1), FOE)

    def _grids(self) -> tuple[list[Grid], list[Grid], list[Grid]]:
        return [self.rows], [self.changes], [self.changes]

    def forget_sides(self) -> None:
        """Sides are too various to be numbered: drop what is known of them."""
        with self.lock:
            self.by_sides, self.side_tables = False, None
            self.by_doer, self.by_effect, self.by_condition = self._grids()

    def _start(self) -> None:
        found = []
        meter = meter_in_force()
        names = self.contest.names
        for side, places in enumerate(self.sides):
            for place, sheet in enumerate(self.contest.sides[side].fighters):
                meter.tick()
                kind = self._kind_of[side, sheet]
                start = self.number(kind, self.contest.enter(side, sheet))
                points = self.kinds[kind].points
                found.append(Fighter(side, place, names[side][place], kind, points, start))
            assert len(found) == places.stop
        self.fighters = tuple(found)

    # -- conditions and effects ------------------------------------------------------------------

    def number(self, kind: int, condition: Hashable) -> int:
        """The number of a condition; a new one gets its place in every table."""
        known = self._numbers.get((kind, condition))
        if known is not None:
            return known
        meter_in_force().tick(4)
        layout, fight, sheet = self.layout, self.fight, self.kinds[kind].sheet
        here = len(self.conditions)
        if here > layout.condition:
            raise LimitError(
                f"{self.contest.system.id}: over {here - 1} conditions; a battle knows no more. "
                "Settle more choices, or leave out resources that don't matter",
                states=here,
            )
        out, points = fight.is_out(sheet, condition), fight.vitals(sheet, condition)
        rank = self.rankings[self.kinds[kind].side](points, self.kinds[kind].points)
        if not 0 <= rank <= layout.rank:
            raise LimitError(
                f"{self.contest.system.id}: a fighter with {points} points, who began with "
                f"{self.kinds[kind].points}; a battle ranks up to {layout.rank}"
            )
        begun = condition if out else fight.begin_turn(sheet, condition)
        ended = fight.end_round(sheet, condition)
        says = SAYS[fight.ends(sheet, condition)]
        order = self._order(sheet, condition)
        # Room first: whatever is refused is refused before anything is entered.
        self._make_room(here)
        doer = 0 if out else self._doer(kind, condition, here)
        seen = 0 if out else self._seen(kind, condition, here)
        fragment = here | rank << layout.rank_at | (layout.out if out else 0)
        self.fragment.append(fragment)
        self.doer.append(doer)
        self.seen.append(seen)
        self.begun.append(fragment if begun == condition else 0)
        self.ended.append(fragment if ended == condition else 0)
        self.says.append(says)
        self.order.append(order)
        self.points.append(points)
        self._numbers[kind, condition] = here
        self.conditions.append((kind, condition))
        self.turns_matter |= begun != condition
        self.rounds_matter |= ended != condition
        self.can_end |= SAYS_END[says]
        if doer:
            self._alike.setdefault(doer, []).append(here)
            self._check_back([here], self._backs.get(doer, set()))
        return here

    def _make_room(self, here: int) -> None:
        """Room in every grid for a condition, and for the doer and the seen that it may be."""
        for grid in self.by_condition:
            grid.fit(0, here)
        for grid in self.by_doer:
            grid.fit(len(self.doers), 0)
        self.rows.fit(0, len(self.seens))
        self.seen_with.fit(len(self.seens), 0)

    def _doer(self, kind: int, condition: Hashable, here: int) -> int:
        side, sheet, _ = self.kinds[kind]
        deeds = self.contest.deeds(side, sheet, condition)
        if not deeds:
            return 0
        helps = any(deed.on != "foe" for deed in deeds)
        on_self = any(deed.on == "self" for deed in deeds)
        held = self.hidden.part(condition) if on_self else None
        key = (kind, deeds, self.hidden.visible(condition), held)
        known = self._doer_of.get(key)
        if known is None:
            known = len(self.doers)
            self._add_doer(_Doer(here, known), helps=helps)
            self._doer_of[key] = known
            self.helps |= helps
        return known

    def _add_doer(self, doer: _Doer, *, helps: bool) -> None:
        for grid in self.by_doer:
            grid.fit(len(self.doers), 0)
        self.doers.append(doer)
        self.is_helper.append(int(helps))
        self.friend.append(doer.friend)

    def _seen(self, kind: int, condition: Hashable, here: int) -> int:
        key = (kind, self.hidden.visible(condition), self.hidden.part(condition))
        known = self._seen_of.get(key)
        if known is None:
            known = self._seen_of[key] = self._add_seen(_Seen(here, self.no_context))
        return known

    def _add_seen(self, seen: _Seen) -> int:
        here = len(self.seens)
        self.rows.fit(0, here)
        self.seen_with.fit(here, 0)
        self.seens.append(seen)
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

    def _effect(self, effect: Hashable) -> int:
        known = self.effects.get(effect)
        if known is None:
            known = len(self._effects)
            for grid in self.by_effect:
                grid.fit(known, 0)
            self.effects[effect] = known
            self._effects.append(effect)
        return known

    def _check_back(self, here: Sequence[int], effects: set[int]) -> None:
        """Notice an effect on an actor that changes anything."""
        if self.acts_back:
            return
        for number in here:
            kind, condition = self.conditions[number]
            for effect in effects:
                if effect == 0:
                    continue
                what = self._effects[effect]
                after = self.fight.apply(self.kinds[kind].sheet, condition, what)
                if after != condition or self._harm(effect):
                    self.acts_back = True
                    return

    # -- what is met for the first time ----------------------------------------------------------

    def rows_of(self, doers: Ints, seens: Ints) -> Ints:
        """The rows of exchanges, each as its first column."""
        while True:
            width, (table,) = self.rows.now
            keys = doers * width
            keys += seens
            rows = table.take(keys)
            if rows.min(initial=1):
                return rows
            for key in np.unique(keys[rows == 0]).tolist():
                self.row_of(*divmod(key, width))

    def row_of(self, doer: int, seen: int) -> int:
        """The row of one exchange."""
        with self.lock:
            known = self.rows[doer, seen]
            if not known:
                meter_in_force().tick(4)
                known = self._row(doer, seen)
                self.rows.put(doer, seen, known)
            return known

    def changes_of(self, effects: Ints, conditions: Ints) -> tuple[Ints, Ints]:
        """What effects make of conditions: a fragment of a word with the damage, and a tally."""
        while True:
            width, (table, tallies) = self.changes.now
            keys = effects * width
            keys += conditions
            changes = table.take(keys)
            if changes.min(initial=1):
                return changes, tallies.take(keys)
            for key in np.unique(keys[changes == 0]).tolist():
                self.change_of(*divmod(key, width))

    def change_of(self, effect: int, here: int) -> tuple[int, int]:
        """What one effect makes of one condition."""
        with self.lock:
            if not self.changes[effect, here]:
                self._change(effect, here)
            width, layers = self.changes.now
            change, tally = (int(layer[effect * width + here]) for layer in layers)
            return change, tally

    def turned_of(self, table: Vector, conditions: Ints) -> Ints:
        """What conditions become at the start of a turn (`begun`) or the end of a round."""
        while True:
            after = table.now.take(conditions)
            if after.min(initial=1):
                return after
            for here in np.unique(conditions[after == 0]).tolist():
                self.turned(table, here)

    def turned(self, table: Vector, here: int) -> int:
        """What one condition becomes."""
        with self.lock:
            if not table.now[here]:
                fight = self.fight
                becomes = fight.begin_turn if table is self.begun else fight.end_round
                kind, condition = self.conditions[here]
                after = self.number(kind, becomes(self.kinds[kind].sheet, condition))
                table.put(here, int(self.fragment.now[after]))
            return int(table.now[here])

    def seens_of(self, looks: Ints, contexts: Ints) -> Ints:
        """How those are seen who look so, with what is said about their mates."""
        while True:
            width, (known,) = self.seen_with.now
            keys = looks * width
            keys += contexts
            seens = known.take(keys)
            missing = (seens == 0) & (looks > 0)
            if not missing.any():
                return seens
            for key in np.unique(keys[missing]).tolist():
                self._seen_with(*divmod(key, width))

    def seen_among(self, place: int, numbers: Sequence[int]) -> int:
        """How a fighter is seen among its mates."""
        look = int(self.seen.now[numbers[place]])
        if not self.looks_at_mates:
            return look
        with self.lock:
            return self._seen_with(look, self.context_of(place, numbers))

    def _seen_with(self, look: int, context: int) -> int:
        with self.lock:
            known = self.seen_with[look, context]
            seen = self.seens[look]
            if known or seen is None:
                return known
            known = self._add_seen(seen._replace(context=self._context_of[context]))
            self.seen_with.put(look, context, known)
            return known

    def _change(self, effect: int, here: int) -> None:
        meter_in_force().tick(2)
        kind, condition = self.conditions[here]
        fight, sheet, layout = self.fight, self.kinds[kind].sheet, self.layout
        after, harm = here, 0
        if effect:
            what = self._effects[effect]
            after = self.number(kind, fight.apply(sheet, condition, what))
            harm = max(0, min(self._harm(effect), self.points[here]))
        if 4 * harm > layout.taken:
            raise LimitError(
                f"{self.contest.system.id}: {harm} points of damage at once; with so many "
                f"fighters a battle counts up to {layout.taken // 4}"
            )
        self.max_harm = max(self.max_harm, harm)
        fragment = int(self.fragment.now[after])
        falls = fragment & layout.out and not int(self.fragment.now[here]) & layout.out
        tally = harm | (1 << Tally.outs_at if falls else 0)
        self.changes.put(effect, here, fragment + (harm << layout.taken_at), tally)

    # -- rows ------------------------------------------------------------------------------------

    def _row(self, doer: int, seen: int) -> int:
        """A row as its first column: the first deed that can be done."""
        who, whom = self.doers[doer], self.seens[seen]
        if who is None or whom is None:
            return self.passed
        kind, condition = self.conditions[who.here]
        side, sheet, _ = self.kinds[kind]
        targets = {
            "foe": (FOE, whom.here, whom.context),
            "fallen friend": (FRIEND, who.fallen, who.about_friend),
            "self": (SELF, who.here, who.about_self),
        }

        def attempt(deed: Deed, target: tuple[int, int, Hashable]) -> int | None:
            aim, here, context = target
            other, foe = self.conditions[here]
            matchup = self.contest.matchup(side, sheet, self.kinds[other].sheet, friend=aim != FOE)
            odds = matchup.odds(Encounter(deed, condition, foe, context))
            return None if odds is None else self._keep(odds, aim)

        deeds = self.contest.deeds(side, sheet, condition)
        there = ((deed, targets[deed.on]) for deed in deeds if targets[deed.on][1])
        number = first_deed(there, attempt)
        if number is None:
            return self.passed
        known = self._backs.setdefault(who.base, set())
        self._check_back(self._alike[who.base], self._back_of[number] - known)
        known |= self._back_of[number]
        return number

    def _keep(self, row: EffectOdds, aim: int) -> int:
        known = self._kept.get((id(row), aim))
        if known is None:
            effects = [(self._effect(mine), self._effect(theirs)) for mine, theirs in row.effects]
            harms = [(self._harm(theirs), -self._harm(mine)) for mine, theirs in effects]
            mates = [self._helping(helped) for helped in row.helped] or [0] * len(effects)
            known = self.outcomes.add(
                row.weights, list(zip(effects, mates, strict=True)), harms, aim
            )
            self._row_refs.append(row)
            self._back_of[known] = {mine for mine, _ in effects}
            self._kept[id(row), aim] = known
        return known

    def _helping(self, helped: Helped) -> int:
        """The number of what befalls mates of a target."""
        key = tuple((place, self._effect(effect)) for place, effect in helped)
        known = self._helping_of.get(key)
        if known is None:
            known = self._helping_of[key] = len(self.helpings)
            self.helpings.append(key)
            self.mates_help = True
        return known

    def _harm(self, effect: int) -> int:
        return self.fight.harm(self._effects[effect]) if effect else 0

    # -- who is looked at together ---------------------------------------------------------------

    def _those(self, numbers: Sequence[int]) -> list[tuple[Hashable, Hashable]]:
        found = []
        for number in numbers:
            kind, condition = self.conditions[number]
            found.append((self.kinds[kind].sheet, condition))
        return found

    def context_of(self, place: int, numbers: Sequence[int]) -> int:
        """The number of what is said about the mates of one fighter of a side."""
        meter_in_force().tick(1 + len(numbers) // 8)
        whole = self._those(numbers)
        context = self.fight.context(whole[:place] + whole[place + 1 :])
        with self.lock:
            known = self.contexts.get(context)
            if known is None:
                known = len(self._context_of)
                self.seen_with.fit(0, known)
                self.contexts[context] = known
                self._context_of.append(context)
            return known

    def doer_among(self, place: int, side: int, numbers: Sequence[int]) -> int:
        """The doer that a fighter is among its mates, the first of whom may have fallen."""
        with self.lock:
            base = int(self.doer.now[numbers[place]])
            doer = self.doers[base]
            if doer is None:
                return 0
            out = [bool(self.fragment.now[here] & self.layout.out) for here in numbers]
            fallen = first_fallen(out, place)
            about_friend = about_self = self.no_context
            if self.looks_at_mates:
                about_self = self._context_of[self.context_of(place, numbers)]
            friend, here, look = -1, 0, None
            if fallen is not None:
                friend, here = self.sides[side][fallen], numbers[fallen]
                if self.looks_at_mates:
                    about_friend = self._context_of[self.context_of(fallen, numbers)]
                kind, condition = self.conditions[here]
                look = (kind, self.hidden.visible(condition), self.hidden.part(condition))
            key = (base, friend, look, about_friend, about_self)
            known = self._doer_of.get(key)
            if known is None:
                known = len(self.doers)
                new = _Doer(doer.here, base, friend, here, about_friend, about_self)
                self._add_doer(new, helps=True)
                self._doer_of[key] = known
            return known

    def choice_of(self, rule: object, actor: int, side: int, numbers: Sequence[int]) -> int:
        """The fighter that a rule written in Python names among those of a side."""
        assert callable(rule)
        foes = []
        for fighter, number in zip(self.sides[side], numbers, strict=True):
            if int(self.fragment.now[number]) & self.layout.out:
                continue
            kind, condition = self.conditions[number]
            who = self.fighters[fighter]
            foes.append(
                Foe(who.place, who.name, self.kinds[kind].sheet, condition, self.points[number])
            )
        if not foes:
            return self.sides[side].start
        place = asked(rule, View(self.fighters[actor].place, tuple(foes)))
        return self.sides[side][place]

    # -- how much there is -----------------------------------------------------------------------

    def size(self) -> Mapping[str, int]:
        """How many conditions, effects, rows and bytes the tables hold."""
        parts = [*vars(self).values(), *vars(self.outcomes).values()]
        tables = [part for part in parts if isinstance(part, (Grid, Memo, Vector))]
        sides = self.side_tables if self.by_sides else None
        return {
            "conditions": len(self.conditions) - 1,
            "states": sides.n_states if sides else 0,
            "effects": len(self._effects) - 1,
            "rows": len(self._row_refs) - 1,
            "bytes": sum(part.nbytes for part in tables) + (sides.nbytes if sides else 0),
        }
