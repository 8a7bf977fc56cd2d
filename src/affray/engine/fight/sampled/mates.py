"""Fighters of a battle among their mates: what is said of them, who has fallen, who is chosen.

Whatever depends on a whole side is looked up by a key made of all its conditions.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import fields

from affray.core.fight import Fight
from affray.core.meter import meter_in_force
from affray.engine.fight.course import friend_of
from affray.engine.fight.sampled.arrays import Grid, Ints, Memo, each_once
from affray.engine.fight.sampled.numbering import ActorView, Axis, Numbering

__all__ = ["Mates"]


class Mates:
    """Facts that depend on several fighters of a side.

    Attributes:
        matter: whether exchanges depend on the target's mates.
        needed: whether friends who stand may need help.
        contexts, actors, choices: by key of a side: what is said about a fighter's mates, the
            view of an actor among friends, the fighter that a targeting rule names.
    """

    def __init__(self, numbering: Numbering) -> None:
        self.numbering = numbering
        self.fight = numbering.fight
        self.sides = numbering.roster.sides
        defaults = {field.name: field.default for field in fields(Fight)}
        told_of = any(self.fight.in_context(sheet) for _, sheet, _ in numbering.roster.kinds)
        self.matter = told_of and self.fight.context is not defaults["context"]
        self._around = numbering.contest.system.hints.around
        self.needed = self.fight.needs is not defaults["needs"]
        self.contexts, self.actors, self.choices = Memo(), Memo(), Memo()
        self._context_of: list[Hashable] = [None]
        self._context_numbers: dict[Hashable, int] = {}
        self.views = Grid()
        self._contexts_axis = Axis()
        numbering.targets_axis.rows.append(self.views)
        self._contexts_axis.columns.append(self.views)

    # -- targets ---------------------------------------------------------------------------------

    def targets_of(self, views: Ints, contexts: Ints) -> Ints:
        """The views of targets, each with what is said about its mates."""
        while True:
            width, (known,) = self.views.now
            keys = views * width
            keys += contexts
            found = known.take(keys)
            missing = (found == 0) & (views > 0)
            if not missing.any():
                return found
            for key in each_once(keys[missing]).tolist():
                self._target_with(*divmod(key, width))

    def target_among(self, place: int, numbers: Sequence[int]) -> int:
        """The view of a target among its mates."""
        view = int(self.numbering.target.now[numbers[place]])
        if not self.matter:
            return view
        with self.numbering.lock:
            return self._target_with(view, self.context_of(place, numbers))

    def _target_with(self, view: int, context: int) -> int:
        with self.numbering.lock:
            known = self.views[view, context]
            target = self.numbering.targets[view]
            if known or target is None:
                return known
            target = target._replace(context=self._context_of[context])
            known = self.numbering.add_target(target)
            self.views.put(view, context, known)
            return known

    def context_of(self, place: int, numbers: Sequence[int]) -> int:
        """The number of what is said about the mates of one fighter of a side."""
        meter_in_force().tick(1 + len(numbers) // 8)
        whole = [self.numbering.sheet_and(number) for number in numbers]
        context = self._around(self.fight.context(whole[:place] + whole[place + 1 :]))
        with self.numbering.lock:
            known = self._context_numbers.get(context)
            if known is None:
                known = len(self._context_of)
                self._contexts_axis.fit(known)
                self._context_numbers[context] = known
                self._context_of.append(context)
            return known

    # -- actors ----------------------------------------------------------------------------------

    def actor_among(self, who: tuple[int, int], numbers: Sequence[int], action: int) -> int:
        """The view of an actor among its mates, one of whom may have fallen or be in need.

        Args:
            who: the side and the place of the actor.
            numbers: the conditions of the whole side.
            action: which exchange of the turn it is, as in `Numbering.actors_at`.
        """
        numbering, (side, place) = self.numbering, who
        with numbering.lock:
            base = int(numbering.actors_at[action].now[numbers[place]])
            view = numbering.actors[base]
            if view is None:
                return 0
            out = [numbering.is_out(here) for here in numbers]
            found = friend_of(out, self._needs(numbers), place)
            about_friend = about_self = numbering.no_context
            if self.matter:
                about_self = self._context_of[self.context_of(place, numbers)]
            friend, here, look = -1, 0, None
            if found is not None:
                friend, here = self.sides[side][found], numbers[found]
                if self.matter:
                    about_friend = self._context_of[self.context_of(found, numbers)]
                kind, condition = numbering.conditions[here]
                hidden = numbering.hidden
                look = (kind, hidden.visible(condition), hidden.part(condition))
            key = (base, friend, look, about_friend, about_self)
            known = numbering.actor_of.get(key)
            if known is None:
                view = ActorView(
                    view.here, base, friend, here, about_friend, about_self, view.deeds
                )
                known = numbering.add_actor(key, view, helps=True)
            return known

    def _needs(self, numbers: Sequence[int]) -> tuple[int, ...]:
        """How much each fighter of a side needs help; () where rules know no such thing."""
        if not self.needed:
            return ()
        return tuple(self.fight.needs(*self.numbering.sheet_and(here)) for here in numbers)
