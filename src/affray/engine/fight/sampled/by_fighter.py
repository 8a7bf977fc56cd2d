"""Battles side by side with a word for every fighter: any targeting, any deeds.

`layout` says what a word is. `tables` works out what no battle has met before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from affray.engine.fight.course import SAYS_END
from affray.engine.fight.sampled.arrays import Bools, Ints, Memo, Words, each_once
from affray.engine.fight.sampled.draws import What
from affray.engine.fight.sampled.ended import Ended
from affray.engine.fight.sampled.lanes import Lanes
from affray.engine.fight.sampled.layout import Layout, Tally
from affray.engine.fight.sampled.outcomes import FOE, FRIEND, SELF, SLICED
from affray.engine.fight.sampled.turns import Actor, Turn
from affray.engine.fight.targeting import View

__all__ = ["FighterLanes"]

ENDS = np.array(SAYS_END)


class FighterLanes(Lanes):
    """Battles of which every fighter is known by a word.

    Attributes:
        strain: how many times words may have taken damage since it was moved to the tallies.
    """

    strain = 0

    def _start(self) -> list[int]:
        fragment, at = self.x.numbering.fragment.now, self.layout.fighter_at
        return [
            int(fragment[fighter.start]) | number << at
            for number, fighter in enumerate(self.x.fighters)
        ]

    def _words(self, states: Ints) -> Ints:
        return states

    def _told(self, states: Ints) -> tuple[tuple[Ints, Ints], None]:
        start = self.x.sides[1].start
        return (states[:start], states[start:]), None

    def _tallies(self, rows: Ints) -> Ints:
        return rows

    def next_from(self, side: int, places: Ints) -> Ints:
        """In every battle, the first place from one on whose fighter stands."""
        found = np.full(self.n, len(self.x.sides[side]))
        for place, fighter in reversed(list(enumerate(self.x.sides[side]))):
            found[(self.rows[fighter] < self.layout.out) & (places <= place)] = place
        return found

    def order_of(self, fighter: int) -> Ints:
        """The part of a fighter's key that `Numbering.order` holds."""
        return self.x.numbering.order.now.take(self._row(fighter, None) & self.layout.condition)

    def _round(self) -> None:
        super()._round()
        if "spread" in self.x.targeting:
            self.rows[: self.f] &= self.layout.uncounted

    def fight(self) -> Ended:
        """All rounds of all battles; first what is urgent for those who come into them."""
        self._settle_for_all()
        return super().fight()

    def _end_round(self) -> None:
        """Every fighter changes as the rules say, out or not."""
        for fighter in range(self.f):
            word = self.rows[fighter]
            after = self.x.numbering.turned_of(self.x.numbering.ended, word & self.layout.condition)
            after += word & self.layout.kept
            self.rows[fighter] = after
        self._settle_for_all()

    def _settle_for_all(self) -> None:
        """Settle what is urgent for everybody."""
        if self.x.numbering.tends:
            for fighter in range(self.f):
                self._settle_urgent(fighter, None, "close")

    def _settle_urgent(self, fighter: Actor, lanes: Ints | None, what: What) -> None:
        """Settle what is urgent for some fighters: one in each battle."""
        x, layout = self.x, self.layout
        word = self._row(fighter, lanes)
        some = np.flatnonzero(x.numbering.urgent.now.take(word & layout.condition))
        if not len(some):
            return
        self.meter.tick(16)
        where = some if lanes is None else lanes.take(some)
        who = np.full(len(some), fighter) if isinstance(fighter, int) else fighter.take(some)
        is_second = who >= x.sides[1].start
        for side in (0, 1):
            mine = is_second == bool(side)
            if mine.any():
                self._settle_for(side, who[mine], where[mine], what)

    def _settle_for(self, side: int, fighter: Ints, lanes: Ints, what: What) -> None:
        x, layout = self.x, self.layout
        word = self._row(fighter, lanes)
        here = word & layout.condition
        met, places = np.unique(here, return_inverse=True)
        row = np.array([x.rows.urgent(one) for one in met.tolist()])[places]
        drawn = self.cast(what, side, fighter - x.sides[side].start, lanes, 0)
        outcome = self._outcomes(row, drawn)
        outcomes = x.rows.outcomes
        for effects in (outcomes.on_actor, outcomes.on_target):
            change, _ = x.numbering.changes_of(effects.now.take(outcome), word & layout.condition)
            word &= layout.kept
            word += change
        self._write(fighter, lanes, word)
        if x.contest.shares:
            self._share(fighter, lanes, (here, word & layout.condition))

    def _share(self, fighter: Actor, lanes: Ints | None, turned: tuple[Ints, Ints]) -> None:
        """Let mates have what somebody has left of something that they have in common.

        Args:
            fighter: whose condition has changed.
            lanes: in which battles; None: in all.
            turned: that condition before and after.
        """
        x, layout = self.x, self.layout
        before, commons = (x.numbering.common.now.take(here) for here in turned)
        some = np.flatnonzero((commons != before) & (commons > 0))
        if not len(some):
            return
        where = some if lanes is None else lanes.take(some)
        who = np.full(len(some), fighter) if isinstance(fighter, int) else fighter.take(some)
        commons, is_second = commons.take(some), who >= x.sides[1].start
        for mate in range(self.f):
            own = np.flatnonzero((is_second == (mate >= x.sides[1].start)) & (who != mate))
            if len(own):
                word = self._row(mate, where.take(own))
                after = x.numbering.with_common_of(commons.take(own), word & layout.condition)
                after += word & layout.kept
                self._write(mate, where.take(own), after)

    def _lowest(self, side: int) -> Ints:
        """The lowest word of a side; it is out if all are."""
        return _least([self.rows[fighter] for fighter in self.x.sides[side]])

    def _over(self) -> Bools:
        """Battles that are over."""
        lowest = np.maximum(self._lowest(0), self._lowest(1))
        over: Bools = lowest >= self.layout.out
        return over | self._is_ended() if self.noticed.can_end else over

    def _is_ended(self) -> Bools:
        """Battles that a rule has ended, or that a side has given up."""
        ended = np.zeros(self.n, np.bool_)
        says = self.x.numbering.says.now
        for number, side in enumerate(self.x.sides):
            if self.course.gives_up[number]:
                out = self.rows[side.start : side.stop] >= self.layout.out
                ended |= np.count_nonzero(out, axis=0) >= self.course.lost_at[number]
            said = np.zeros(self.n, np.int64)
            for fighter in side:
                said |= says.take(self.rows[fighter] & self.layout.condition)
            ended |= ENDS.take(said)
        return ended

    def _foes(self, side: int, lanes: Ints | None) -> list[Ints]:
        """Words of the foes of a side."""
        return [self._row(foe, lanes) for foe in self.x.sides[1 - side]]

    def _begin(self, side: int, actor: Actor, lanes: Ints | None) -> None:
        """The start of a turn, in battles that still go on."""
        layout = self.layout
        word = self._row(actor, lanes)
        goes_on = (_least(self._foes(side, lanes)) < layout.out) & (word < layout.out)
        if self.going is not None:
            goes_on &= (self.going if lanes is None else self.going.take(lanes)) > 0
        after = self.x.numbering.turned_of(self.x.numbering.begun, word & layout.condition)
        after += word & layout.kept
        after -= word
        after *= goes_on
        after += word
        self._write(actor, lanes, after)

    def _actor_views(self, turn: Turn, action: int) -> Ints:
        _, actor, lanes, _ = turn
        return self.x.numbering.actors_at[action].now.take(
            self._row(actor, lanes) & self.layout.condition
        )

    def _exchange(
        self, side: int, actor: Actor, lanes: Ints | None, deed: tuple[Ints, int]
    ) -> None:
        x, layout, noticed = self.x, self.layout, self.noticed
        outcomes, changes_of = x.rows.outcomes, x.numbering.changes_of
        view, action = deed
        target = self._target(side, actor, lanes, action)
        drawn = self.cast("exchange", side, actor - x.sides[side].start, lanes, action)
        met_now = target
        if action - self.course.actions - self.course.extras in self.on_all:
            # Whoever is befallen is, whether or not a foe stands.
            foes = x.sides[1 - side]
            met_now = np.full(len(target), min(self._start()[foes.start : foes.stop]))
        target_view = self._target_view(side, lanes, met_now)
        if noticed.helps:
            view = self._among_friends(side, actor, lanes, deed)
        row = x.rows.of(view, target_view)
        outcome = self._outcomes(row, drawn)
        word = aim = own = None
        if noticed.helps or noticed.acts_back:
            word = self._row(actor, lanes)
        if word is not None and noticed.helps:
            aim = outcomes.aims.now.take(row >> SLICED)
            target = self._aimed(lanes, view, aim, (target, word))
        if word is not None and noticed.acts_back:
            back, returned = changes_of(
                outcomes.on_actor.now.take(outcome), word & layout.condition
            )
            own = word & layout.condition, back & layout.condition
            word = word & layout.kept
            word += back
            self._write(actor, lanes, word)
            if aim is not None:
                target[aim == SELF] = word[aim == SELF]
                returned *= aim == FOE
            struck = target >> layout.fighter_at & layout.fighter
            self._count(struck, lanes, returned)
        met = target & layout.condition
        change, tally = changes_of(outcomes.on_target.now.take(outcome), met)
        if aim is not None:
            tally *= aim == FOE
        self._count(actor, lanes, tally)
        struck = target >> layout.fighter_at
        struck &= layout.fighter
        target &= layout.kept
        target += change
        if x.targeting[side] == "spread":
            attacked = row != x.rows.passed
            if aim is not None:
                attacked &= aim == FOE
            target += attacked.astype(np.int64) << layout.count_at
        self._write(struck, lanes, target)
        if noticed.mates_help:
            by = None if aim is None else aim == FOE
            self._help((actor, struck), lanes, outcomes.on_mates.now.take(outcome), by)
        if x.contest.shares:
            if own is not None:
                self._share(actor, lanes, own)
            self._share(struck, lanes, (met, change & layout.condition))
        if x.numbering.tends:
            self._settle_urgent(struck, lanes, "urgent")
            if noticed.acts_back:
                self._settle_urgent(actor, lanes, "urgent")
        self.strain += 2 + noticed.mates_help
        if 2 * self.strain * noticed.max_harm > layout.taken:
            self._unburden()

    def _help(
        self, both: tuple[Actor, Ints], lanes: Ints | None, helping: Ints, on_foe: Bools | None
    ) -> None:
        """Apply the effects on mates of the targets who took part; harm is the actor's doing.

        Args:
            both: who acts, and the targets.
            lanes: in which battles; None: in all.
            helping: the numbers of what befalls mates.
            on_foe: whether the targets are foes; None: all of them.
        """
        actor, struck = both
        x, layout = self.x, self.layout
        for number in each_once(helping[helping > 0]).tolist():
            self.meter.tick(16)
            some = np.flatnonzero(helping == number)
            target = struck[some]
            first = np.where(target < x.sides[1].start, 0, x.sides[1].start)
            where = some if lanes is None else lanes.take(some)
            for place, effect in x.rows.helpings[number]:
                mate = first + place
                mate += mate >= target
                word = self._row(mate, where)
                after, tally = x.numbering.changes_of(
                    np.full(len(some), effect), word & layout.condition
                )
                word &= layout.kept
                word += after
                self._write(mate, where, word)
                by = actor if isinstance(actor, int) else actor.take(some)
                self._count(by, where, tally if on_foe is None else tally * on_foe.take(some))

    # -- targets and views ----------------------------------------------------------------------

    def _target(self, side: int, actor: Actor, lanes: Ints | None, action: int) -> Ints:
        """The word of the foe that a fighter goes for; one who is out if nobody stands."""
        x = self.x
        targeting = x.targeting[side]
        foes = self._foes(side, lanes)
        if callable(targeting):
            return self._chosen(targeting, side, actor, lanes)
        if targeting == "random":
            place = actor - x.sides[side].start
            return _any_of(foes, self.draw("choice", side, place, lanes, action), self.layout)
        return _least(foes)

    def _key(self, side: int, lanes: Ints | None) -> tuple[Ints, list[Ints]]:
        """One number for the conditions of a whole side, and the conditions."""
        conditions = [
            self._row(fighter, lanes) & self.layout.condition for fighter in self.x.sides[side]
        ]
        salts = self.x.roster.salts[self.x.sides[side].start : self.x.sides[side].stop]
        key = conditions[0] * salts[0]
        for salt, here in zip(salts[1:], conditions[1:], strict=True):
            key += here * salt
        return key, conditions

    def _remembered(self, memo: Memo, keys: Ints, work_out: Callable[[int], int]) -> Ints:
        """Look keys up, and have worked out what is new."""
        values, known = memo.look_up(keys)
        if known.all():
            return values
        with self.x.lock:
            memo.learn(keys, work_out)
            return memo.look_up(keys)[0]

    def _chosen(
        self, rule: Callable[[View], int], side: int, actor: Actor, lanes: Ints | None
    ) -> Ints:
        """The words of the foes that a rule written in Python names."""
        x = self.x
        key, conditions = self._key(1 - side, lanes)
        key += x.roster.salts[self.f + actor]

        def work_out(lane: int) -> int:
            who = actor if isinstance(actor, int) else int(actor[lane])
            return x.choice_of(rule, who, 1 - side, [int(here[lane]) for here in conditions])

        chosen = self._remembered(x.mates.choices, key, work_out)
        return self._row(chosen, self._all(lanes))

    def _target_view(self, side: int, lanes: Ints | None, target: Ints) -> Ints:
        """The views of targets, with what matters about their mates."""
        x, layout = self.x, self.layout
        here = target & layout.condition
        plain = x.numbering.target.now.take(here)
        if not x.mates.matter:
            return plain
        key, conditions = self._key(1 - side, lanes)
        who = target >> layout.fighter_at
        who &= layout.fighter
        key -= here * x.roster.salts.take(who)
        first = x.sides[1 - side].start

        def work_out(lane: int) -> int:
            return x.mates.context_of(
                int(who[lane]) - first, [int(one[lane]) for one in conditions]
            )

        context = self._remembered(x.mates.contexts, key, work_out)
        return x.mates.targets_of(plain, context)

    def _among_friends(
        self, side: int, actor: Actor, lanes: Ints | None, deed: tuple[Ints, int]
    ) -> Ints:
        """Views of actors, where friends matter or the own side's context."""
        x, (view, action) = self.x, deed
        action = action if action >= self.course.actions else 0
        some = np.flatnonzero(x.numbering.is_helper.now.take(view))
        if not len(some):
            return view
        places = some if lanes is None else lanes.take(some)
        who = actor if isinstance(actor, int) else actor.take(some)
        key, conditions = self._key(side, places)
        key += x.roster.salts[self.f + who]
        key ^= action  # views of extra turns are others
        first = x.sides[side].start

        def work_out(lane: int) -> int:
            place = (who if isinstance(who, int) else int(who[lane])) - first
            numbers = [int(here[lane]) for here in conditions]
            return x.mates.actor_among((side, place), numbers, action)

        view = view.copy()
        view[some] = self._remembered(x.mates.actors, key, work_out)
        return view

    def _aimed(self, lanes: Ints | None, view: Ints, aim: Ints, words: tuple[Ints, Ints]) -> Ints:
        """The words of targets: foes as they are, or a friend, or who acts."""
        target, itself = words[0].copy(), words[1]
        own = aim == SELF
        target[own] = itself[own]
        friends = np.flatnonzero(aim == FRIEND)
        if len(friends):
            who = self.x.numbering.friend.now.take(view[friends])
            places = friends if lanes is None else lanes.take(friends)
            target[friends] = self._row(who, places)
        return target

    def _unburden(self) -> None:
        """Move the damage taken from words to tallies."""
        layout = self.layout
        for fighter in range(self.f):
            word = self.rows[fighter]
            taken = word >> layout.taken_at
            taken &= layout.taken
            taken <<= Tally.taken_at
            self.rows[self.f + fighter] += taken
            word &= ~(layout.taken << layout.taken_at)
        self.strain = 0


def _least(words: Sequence[Ints]) -> Ints:
    """The lowest of several words, battle by battle."""
    if len(words) == 1:
        return words[0].copy()
    least = np.minimum(words[0], words[1])
    for word in words[2:]:
        np.minimum(least, word, out=least)
    return least


def _any_of(words: Sequence[Ints], drawn: Words, layout: Layout) -> Ints:
    """One of those that aren't out, all with the same chance."""
    stands = [word >> layout.out_at ^ 1 for word in words]
    place = (drawn >> np.uint64(32)).view(np.int64)
    place *= np.sum(stands, axis=0)
    place >>= 32
    found = words[0].copy()
    for word, standing in zip(words, stands, strict=True):
        change = word - found
        change *= (place == 0) & (standing > 0)
        found += change
        place -= standing
    return found
