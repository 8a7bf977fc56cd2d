"""A duel whose attacks keep all their choices, each attack a tree."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from affray.core.errors import LimitError, SetupError
from affray.core.fight import Deed
from affray.core.lazy import NamedTuple
from affray.core.node import At, Facts
from affray.core.unknown import OWN_UNKNOWN, Looked, filled, holds_own_unknown
from affray.engine.budget import Clock, clock_in_force
from affray.engine.exchange.game import Game, note_offers
from affray.engine.exchange.kernel import Kernel
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import ORDINARY, first_deed
from affray.engine.fight.duels.attacks import Attacks
from affray.engine.fight.duels.closure import closed, parts_of
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.duelists import PASS, Duelist
from affray.engine.fight.duels.found import AnyClosure
from affray.engine.fight.duels.grove import Grove
from affray.engine.fight.duels.places import PlacedDuelist
from affray.engine.fight.duels.shares import Shares, are_plain
from affray.engine.fight.duels.split import Split
from affray.engine.fight.duels.tree import Tree
from affray.engine.fight.matchup import EffectOdds, Encounter

__all__ = ["AttackTrees", "Begun", "TreeDuel", "begun_of"]

Ints = NDArray[np.int64]

BEGUN = "trees"
"""The name under which a contest keeps them."""
MOST_PLACES = 5_000_000
"""Places that the exchanges of one fighter may have, all of them together."""


class _Start(NamedTuple):
    """Where exchanges start, what is hidden of the target being unknown.

    Attributes:
        own: what is hidden of whoever acts, if that is unknown there as well.
    """

    at: At[Facts]
    own: tuple[Hashable, ...] = ()


class Root(NamedTuple):
    """Where an exchange starts, with the hidden part of the target."""

    start: _Start
    part: Hashable

    def looked(self, at: At[Facts]) -> At[Facts]:
        """A place at which a step looks at something hidden, with that filled in."""
        if self.start.own and holds_own_unknown(at.facts):
            return At(at.step, filled(at.facts, self.start.own[0], unknown=OWN_UNKNOWN))
        return At(at.step, filled(at.facts, self.part))


class AttackTrees(Attacks):
    """A direction whose exchanges are trees; the effects of a row are all that may come of one.

    Attributes:
        game: the rules, and what both sides take into consideration.
        trees: the tree of each attack.
        roots: where each of them starts; None for a turn without a deed.
    """

    def __init__(
        self,
        contest: Contest,
        side: int,
        duelists: tuple[Duelist, Duelist],
        *,
        kind: int = ORDINARY,
    ) -> None:
        super().__init__(contest, side, duelists, kind=kind)
        self.name = contest.sides[side].name
        self.game = game = Game(contest.system, _NOWHERE, {}, self.matchup.plans)
        self.trees = [Tree(((PASS, PASS),), ())]
        self.roots: list[Root | None] = [None]
        hints = self.matchup.hints

        def kernel() -> Kernel:
            return Kernel(game, lifts=False, needed=hints.needed, seams=hints.seams)

        self.grove = Grove(kernel, self.fight.effect, self.matchup.pared, self.matchup.parted)
        self._alike: dict[_Start, int] = {}
        self._by_part: dict[_Start, dict[Hashable, int]] = {}
        self._by_root: dict[int, int] = {}
        self._effects_known: dict[int, tuple[Ints, Ints]] = {}

    def place(self, at: At[Facts], root: Root) -> int:
        """The place that a place of an exchange comes to."""
        return self._places_of(_Start(at, root.start.own), [root.part])[0][0]

    def _places_of(self, start: _Start, parts: Sequence[Hashable]) -> tuple[list[int], bool]:
        """As `Grove.places_of`.

        Raises:
            LimitError: too many places.
        """
        places = clock_in_force().places(MOST_PLACES)
        try:
            return self.grove.places_of(start.at, parts, places, start.own)
        except LimitError as error:
            if error.limit != "places" or self.grove.n_followed <= places:
                raise  # too deep, or too long
            raise LimitError(
                f"{self.game.system.id}: with every choice open the attacks of {self.name!r} "
                f"have over {places:,} places, {len(self.trees) - 1} different attacks being "
                "done and more to come. Settle more choices in the plans of both sides, leave "
                "fewer points to spend, or solve each exchange by itself",
                limit="places",
                states=places,
                done={"places": places, "exchanges": len(self.trees) - 1},
            ) from None

    def effect_numbers(self, number: int) -> tuple[Ints, Ints]:
        """The numbers of the effects of an attack's ends on the one who acts, and on the target."""
        known = self._effects_known.get(number)
        if known is None:
            own, others = zip(*self.trees[number].pairs, strict=True)
            known = self._effects_known[number] = (
                np.array([self.actor.effects[effect] for effect in own]),
                np.array([self.target.effects[effect] for effect in others]),
            )
        return known

    def _found(self, one: Hashable, other: Hashable) -> tuple[int, bool]:
        roots, alike = self._roots(one, other)

        def attempt(_: Deed, start: _Start) -> int | None:
            with suppress(SetupError):  # the rules refuse it at a later step
                return self._numbers_of(start, [self.matchup.hints.hidden.part(other)])[0][0]
            return None

        number = first_deed(roots, attempt)
        alike = alike and all(start in self._alike for _, start in roots)
        return self.passed if number is None else number, alike

    def _all_found(self, one: Hashable, targets: Sequence[int]) -> tuple[list[int], bool]:
        roots, alike = self._roots(one, self.target.shown[targets[0]])
        if alike and roots:
            parts = [self.target.parts[here] for here in targets]
            with suppress(SetupError):  # at a later step, perhaps of one of them
                numbers, looked = self._numbers_of(roots[0][1], parts)
                if looked:
                    return numbers, False
                if all(start in self._alike for _, start in roots):
                    return numbers, True
                return numbers * len(targets), False
        return self._each_found(one, targets)

    def _roots(self, one: Hashable, other: Hashable) -> tuple[list[tuple[Deed, _Start]], bool]:
        """The places where exchanges between two conditions start, with the hidden unknown.

        And whether these starts are the same whatever the target hides.
        """
        hidden, roots, alike = self.matchup.hints.hidden, [], True
        for deed, targets in self._attempts(one):
            if targets == (self.who,):
                raise SetupError(
                    f"{self.game.system.id}: {deed.name!r} is done to oneself; a duel that both "
                    "sides decide optimally knows deeds to the other fighter only. Solve each "
                    "exchange by itself"
                )
            visible = self.matchup.visible(Encounter(deed, one, other, self.alone))
            own: tuple[Hashable, ...] = ()
            try:
                at, own = self._start_for_all(visible)
            except Looked:
                at = self.matchup.veiled_start(visible, hidden.part(other))
                alike = False
            if at is not None:
                roots.append((deed, _Start(at, own)))
        return roots, alike

    def _start_for_all(self, visible: Encounter) -> tuple[At[Facts] | None, tuple[Hashable, ...]]:
        """Where an exchange starts with the hidden unknown, and what is hidden of whoever acts.

        That is unknown, too, unless the declaration looks at it.

        Raises:
            Looked: the declaration looks at what is hidden of the target.
        """
        if self.matchup.hints.splits is not None:
            veiled, part = self.matchup.actor_apart(visible.actor)
            with suppress(Looked):
                return self.matchup.veiled_start(visible._replace(actor=veiled)), (part,)
        return self.matchup.veiled_start(visible), ()

    def _numbers_of(self, start: _Start, parts: Sequence[Hashable]) -> tuple[list[int], bool]:
        """The attacks that start somewhere, one for each hidden part, and whether that matters.

        One number where nothing looks at the part.
        """
        known = self._alike.get(start)
        if known is not None:
            return [known], False
        by_part = self._by_part.get(start, {})
        if not all(part in by_part for part in parts):
            places, looked = self._places_of(start, parts)
            note_offers(self.matchup.offered, self.grove.kernel.offered)
            if not looked:
                self._alike[start] = number = self._number_of(places[0], Root(start, parts[0]))
                return [number], False
            self._by_part[start] = by_part
            for place, part in zip(places, parts, strict=True):
                by_part[part] = self._number_of(place, Root(start, part))
        return [by_part[part] for part in parts], True

    def _number_of(self, place: int, root: Root) -> int:
        """The attack that starts at a place of the grove."""
        number = self._by_root.get(place)
        if number is None:
            number = self._by_root[place] = len(self.odds)
            tree, _ = self.grove.tree(place)
            self.odds.append(EffectOdds(tree.pairs, (0,) * len(tree.pairs), 1))
            self.trees.append(tree)
            self.roots.append(root)
        return number


_NOWHERE: At[Facts] = At.__new__(At, None, ())  # type: ignore[arg-type]  # kernels start nowhere


class TreeDuel(Duel):
    """A duel whose attacks keep all their choices.

    Attributes:
        trees: the attacks of either side.
        splits: their trees in two parts, by attack and by which ends are open.
    """

    trees: tuple[AttackTrees, ...]
    splits: dict[tuple[int, int, bytes], Split]

    @cached_property
    def shares(self) -> tuple[Shares, ...] | None:
        """The attacks of either side, compiled; None: not all choices come before the dice."""
        if not all(are_plain(attacks.trees) for attacks in self.trees):
            return None
        return tuple(Shares(attacks.trees, attacks.effect_numbers) for attacks in self.trees)

    def _worked_out(self, clock: Clock) -> tuple[AnyClosure, None]:
        begun = parts_of(self.contest, (PlacedDuelist, AttackTrees))
        self.contest.worked_out[BEGUN] = Begun(*begun)
        closure = closed(self.contest, (PlacedDuelist, AttackTrees), clock, begun, everywhere=True)
        self.trees, self.splits = closure.attacks, {}
        return closure, None


class Begun(NamedTuple):
    """Both fighters of a duel and their attacks, as far as they were found out."""

    duelists: tuple[PlacedDuelist, PlacedDuelist]
    attacks: tuple[AttackTrees, ...]


def begun_of(contest: Contest) -> Begun:
    """What a duel found out that could not be worked out in time; else nothing yet."""
    known = contest.worked_out.get(BEGUN)
    if isinstance(known, Begun):
        return known
    return Begun(*parts_of(contest, (PlacedDuelist, AttackTrees)))
