"""The states of a duel as they are opened: each exchange is followed when somebody asks for it.

A state is a place in a round with the conditions of both fighters. Of a closed state it is only
known that it can come up; an opened one knows the states that its exchange leads to.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from affray.core.lazy import NamedTuple
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import ORDINARY, VERDICT_OF, Lead, Slot
from affray.engine.fight.duels.tree import Tree
from affray.engine.fight.duels.trees import begun_of

__all__ = ["ENDS", "Exchanges", "NewInitiativeError", "Opened", "Opening", "Ranks"]

Ints = NDArray[np.int64]

BITS = 24
"""Of the number of a condition."""
ENDS = 0.5, -0.5, 0.0
"""The worth of the first three states: the first side has won, the second one, or nobody."""
Ranks: TypeAlias = "tuple[dict[tuple[int, int], int], ...]"
"""What initiative is known of the conditions of each side."""


class Opened(NamedTuple):
    """A state whose exchange was followed.

    Attributes:
        tree: its exchange. signs: as for `Tree.backward`.
        ends: the state to which each end leads.
    """

    tree: Tree
    signs: tuple[int, int]
    ends: Ints


class _Effects(NamedTuple):
    """Different effects of an exchange on one fighter, by number; and the one of each end."""

    effects: Sequence[tuple[Hashable, int]]
    which: Ints


class NewInitiativeError(Exception):
    """A condition stands in the order of initiative where none stood before."""


class Exchanges:
    """The exchanges of a duel, followed as somebody asks for them.

    Those that were followed to solve the duel, and in vain, are known.
    """

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.duelists, self.attacks = begun_of(contest)
        self.course = contest.course.of_two()
        both = self.course.everybody
        rounds = self.course.slots(both), self.course.slots(both[::-1])
        self.slots: tuple[Slot, ...] = rounds[0] + rounds[1]
        self.firsts = 0, len(rounds[0])
        self._effects: dict[tuple[int, int], tuple[_Effects, _Effects]] = {}

    def attack(self, slot: Slot, pair: tuple[int, int]) -> int:
        """The number of the attack in a slot."""
        attacks, side = self.attacks[slot.attacks], slot.actor.side
        actor, target = attacks.actor, pair[1 - side]
        here = pair[side]
        look = actor.acting.of[here]
        if look < 0 or (slot.kind == ORDINARY and actor.allowed[here] <= slot.number):
            return attacks.passed
        (number, *_), _ = attacks.between(look, [target])
        return number

    def after(self, slot: Slot, number: int, pair: tuple[int, int]) -> tuple[Ints, Ints]:
        """The conditions of both sides after each end of an attack."""
        side = slot.actor.side
        one, other = (
            np.array(duelist.becomes(here, some.effects))[some.which]
            for duelist, here, some in zip(
                self.duelists, pair, self._effects_of(slot, number)[:: -1 if side else 1],
                strict=True,
            )
        )  # fmt: skip
        return one, other

    def _effects_of(self, slot: Slot, number: int) -> tuple[_Effects, _Effects]:
        """The effects of an attack on the one who acts, and on the target."""
        key = slot.attacks, number
        known = self._effects.get(key)
        if known is None:
            attacks = self.attacks[slot.attacks]
            own, others = zip(*attacks.trees[number].pairs, strict=True)
            known = self._effects[key] = (
                _listed(attacks.actor.effects, own), _listed(attacks.target.effects, others),
            )  # fmt: skip
        return known


def _listed(numbers: dict[Hashable, int], effects: Sequence[Hashable]) -> _Effects:
    different = {effect: place for place, effect in enumerate(dict.fromkeys(effects))}
    numbered = [(effect, numbers.setdefault(effect, len(numbers))) for effect in different]
    return _Effects(numbered, np.array([different[effect] for effect in effects]))


class Opening:
    """States, and those of them that are opened, under what is known of initiative.

    The first three are those in which the fight is over (`ENDS`).

    Args:
        exchanges: all exchanges. ranks: what is known of initiative.

    Attributes:
        opened: by number of the state. deep: how many exchanges came before each state.
        starts: how likely the fight begins in each state.
    """

    def __init__(self, exchanges: Exchanges, ranks: Ranks) -> None:
        self.exchanges, self.ranks = exchanges, ranks
        self.contest = exchanges.contest
        self._numbers: dict[int, int] = {}
        self._keys: list[tuple[int, int, tuple[int, int]]] = [(0, 0, (0, 0))] * len(ENDS)
        self.deep: list[int] = [0] * len(ENDS)
        self.opened: dict[int, Opened] = {}
        self._rank_of: dict[tuple[int, int], tuple[int, int]] = {}
        self._leads: list[list[Lead]] = []
        pair = exchanges.duelists[0].start, exchanges.duelists[1].start
        self.starts: dict[int, float] = {}
        over = self._over(pair)
        if over is not None:
            self.starts[over] = 1.0
            return
        for way, leads in enumerate(self._ways()):
            self._leads.append(leads)
            chance = float(sum(lead.chance for lead in leads))
            start = self._rests(way, 0, self._at_round(way, pair), pair)
            self.starts[start] = self.starts.get(start, 0.0) + chance

    # -- ways to begin ---------------------------------------------------------------------------

    def _ways(self) -> Iterator[list[Lead]]:
        """Ways to begin, those together that let the same side go first whatever happens."""
        one, other = self.exchanges.duelists
        rolls = self.contest.rolled(one.sheet), self.contest.rolled(other.sheet)
        alike: dict[Hashable, list[Lead]] = {}
        for lead in self.exchanges.course.leads(rolls):
            orders = tuple(
                lead.first(mine, theirs) for mine in self.ranks[0] for theirs in self.ranks[1]
            )
            alike.setdefault((lead.side, orders), []).append(lead)
        yield from alike.values()

    def _rank(self, side: int, here: int) -> tuple[int, int]:
        rank = self._rank_of.get((side, here))
        if rank is None:
            duelist, fight = self.exchanges.duelists[side], self.contest.fight
            assert fight.initiative is not None  # Contest saw to it
            condition = duelist.conditions[here]
            rank = fight.initiative(duelist.sheet, condition, self.contest.rulings)
            self._rank_of[side, here] = rank
            if rank not in self.ranks[side]:
                self.ranks[side][rank] = len(self.ranks[side])
                raise NewInitiativeError
        return rank

    def _at_round(self, way: int, pair: tuple[int, int]) -> int:
        """The slot with which a round begins."""
        lead = self._leads[way][0]
        if lead.side is not None:
            return self.exchanges.firsts[lead.side]
        return self.exchanges.firsts[lead.first(self._rank(0, pair[0]), self._rank(1, pair[1]))]

    # -- opening ---------------------------------------------------------------------------------

    def _rests(self, way: int, deep: int, number: int, pair: tuple[int, int]) -> int:
        """The state before the exchange of a slot; a new one is put in."""
        slot = self.exchanges.slots[number]
        if slot.begins:
            side = slot.actor.side
            begun = self.exchanges.duelists[side].begin(pair[side])
            pair = (begun, pair[1]) if side == 0 else (pair[0], begun)
        n_slots = len(self.exchanges.slots)
        key = ((way * n_slots + number << BITS) + pair[0] << BITS) + pair[1]
        state = self._numbers.setdefault(key, len(self._keys))
        if state == len(self._keys):
            self._keys.append((way, number, pair))
            self.deep.append(deep)
        return state

    def open(self, state: int) -> None:
        """Follow the exchange of a state."""
        way, number, pair = self._keys[state]
        deep = self.deep[state] + 1
        slot = self.exchanges.slots[number]
        attack = self.exchanges.attack(slot, pair)
        tree = self.exchanges.attacks[slot.attacks].trees[attack]
        one, other = self.exchanges.after(slot, attack, pair)
        codes, which = np.unique((one << BITS) + other, return_inverse=True)
        then = [
            self._then(way, deep, number, (code >> BITS, code & (1 << BITS) - 1))
            for code in codes.tolist()
        ]
        signs = (-1, 1) if slot.actor.side else (1, -1)
        self.opened[state] = Opened(tree, signs, np.array(then)[which.ravel()])

    def _then(self, way: int, deep: int, number: int, pair: tuple[int, int]) -> int:
        """The state to which an exchange led that left both in these conditions."""
        over = self._over(pair)
        if over is not None:
            return over
        if not self.exchanges.slots[number].ends_round:
            return self._rests(way, deep, number + 1, pair)
        one, other = self.exchanges.duelists
        pair = one.end(pair[0]), other.end(pair[1])
        over = self._over(pair)
        if over is not None:
            return over
        return self._rests(way, deep, self._at_round(way, pair), pair)

    def _over(self, pair: tuple[int, int]) -> int | None:
        """The state that a fight has ended in, if it is over."""
        (one, other), (mine, theirs) = self.exchanges.duelists, pair
        out = one.is_out[mine], other.is_out[theirs]
        code = 4 * out[0] + 2 * out[1] + (one.is_over[mine] or other.is_over[theirs])
        if not code:
            return None
        return {"one": 0, "other": 1}.get(str(VERDICT_OF[code]), 2)
