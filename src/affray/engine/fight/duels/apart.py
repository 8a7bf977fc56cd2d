"""Attacks of a duel whose odds stay in shares and are never multiplied out.

A share is a part of an attack in which what befalls the actor doesn't depend on what befalls the
target (`sharing`). An attack is a short row of shares, and the same few shares come back in many
attacks. So each is made into arrays once.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from affray.core.lazy import NamedTuple
from affray.engine.fight.blending import EffectOdds, Ends, Wholes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from affray.engine.fight.duels.duelists import Duelist

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["Apart", "Cells", "Sides"]


class Cells(NamedTuple):
    """Attacks as arrays, with a cell for each pair of effects.

    Attributes:
        attack: of each cell, the number of its attack. place: its number in that attack.
        mine, theirs: numbers of effects on the actor and on the target; of halves `mine` is the
            number of all that may befall the actor. chance: how likely both are.
        longest: the most cells of an attack.
    """

    attack: Ints
    place: Ints
    mine: Ints
    theirs: Ints
    chance: Floats
    longest: int


class Apart:
    """What attacks in shares have in common.

    Args:
        actor, target: the fighters; they number effects.
    """

    def __init__(self, actor: Duelist, target: Duelist) -> None:
        self._duelists = actor, target
        self._kept: dict[int, Ends] = {}  # nothing else has the identity of what lies here
        self._each: dict[tuple[int, int], dict[Hashable, None]] = {}
        self._same: dict[tuple[Hashable, ...], dict[Hashable, None]] = {}
        self._together: dict[tuple[int, ...], dict[Hashable, None]] = {}

    def effects(self, odds: EffectOdds) -> tuple[Iterable[Hashable], Iterable[Hashable]]:
        """The different effects of an attack on the actor, and on the target.

        Where they are equal, they are mostly the same object.
        """
        wholes = odds.wholes
        assert wholes is not None  # it has shares
        own = [share.ends if share.own is None else share.own for share in odds.shares]
        others = [share.ends for share in odds.shares]
        return self._effects(own, wholes, 0), self._effects(others, wholes, 1)

    def _effects(self, every: list[Ends], wholes: Wholes, side: int) -> dict[Hashable, None]:
        """The different effects of some ends on the actor, or on the target."""
        known = [self._effects_of(ends, wholes, side) for ends in every]
        key = tuple(dict.fromkeys(map(id, known)))  # they are kept
        found = self._together.get(key)
        if found is None:
            found = self._together[key] = dict.fromkeys(chain.from_iterable(known))
        return found

    def _effects_of(self, ends: Ends, wholes: Wholes, side: int) -> dict[Hashable, None]:
        key = id(ends), side
        known = self._each.get(key)
        if known is None:
            self._kept[id(ends)] = ends
            found = dict.fromkeys([wholes.wholes[number][side] for number in ends.weights])
            known = self._each[key] = self._same.setdefault(tuple(found), found)
        return known

    def _shares(
        self, attacks: Sequence[EffectOdds]
    ) -> tuple[tuple[Sides, Sides], list[tuple[int, int, int, float]]]:
        """What befalls both in shares, and the shares.

        Each with the number of the attack, the places of both, and how likely it is.
        """
        own, others = Sides(self._duelists[0], 0), Sides(self._duelists[1], 1)
        shares: list[tuple[int, int, int, float]] = []
        together: dict[tuple[int, int], list[tuple[int, int, float]]] = {}
        for number, odds in enumerate(attacks):
            wholes = odds.wholes
            assert wholes is not None  # it has shares
            for ends, apart, weight, total in odds.shares:
                if apart is not None:
                    both = own.place(apart, wholes), others.place(ends, wholes)
                    shares.append((number, *both, weight / total))
                    continue
                key = id(ends), id(wholes)  # they are kept by the attacks
                known = together.get(key)
                if known is None:
                    known = together[key] = list(_by_target(ends, wholes, own, others))
                likely = weight / total
                shares += [(number, mine, theirs, way * likely) for mine, theirs, way in known]
        return (own, others), shares

    def halves(self, attacks: Sequence[EffectOdds]) -> tuple[Cells, Sides]:
        """Some attacks with all that may befall whoever acts together, and what stands there."""
        import numpy as np  # heavy; only where fights are worked out

        from affray.engine.fight.duels.ranges import ranges  # numpy

        (own, others), shares = self._shares(attacks)
        whose, mine, theirs, chance = (np.array(row) for row in zip(*shares, strict=True))
        start, size = others.spans(theirs)
        of = np.repeat(np.arange(len(size)), size)
        struck = ranges(start, size)
        return _cells(
            whose[of], mine[of], np.array(others.numbers)[struck],
            np.array(others.ways)[struck] * chance[of], len(attacks),
        ), own  # fmt: skip

    def arrays(self, attacks: Sequence[EffectOdds]) -> Cells:
        """Some attacks as arrays."""
        import numpy as np  # heavy; only where fights are worked out

        (own, others), shares = self._shares(attacks)
        whose, mine, theirs, chance = (np.array(row) for row in zip(*shares, strict=True))
        (own_start, own_size), (start, size) = own.spans(mine), others.spans(theirs)
        cells = own_size * size
        first = np.cumsum(cells) - cells
        of = np.repeat(np.arange(len(cells)), cells)
        struck, acted = np.divmod(np.arange(len(of)) - first[of], own_size[of])
        struck, acted = start[of] + struck, own_start[of] + acted
        ways = np.array(own.ways)[acted] * np.array(others.ways)[struck] * chance[of]
        return _cells(
            whose[of], np.array(own.numbers)[acted], np.array(others.numbers)[struck], ways,
            len(attacks),
        )  # fmt: skip


def _by_target(
    ends: Ends, wholes: Wholes, own: Sides, others: Sides
) -> Iterator[tuple[int, int, float]]:
    """Ends in which what befalls both isn't independent: a share for each effect on the target.

    Each as the places of both, and how likely it is.
    """
    by_target: dict[Hashable, dict[int, int]] = {}
    for number, weight in ends.weights.items():
        by_target.setdefault(wholes.wholes[number][1], {})[number] = weight
    for weights in by_target.values():
        some = Ends(weights, sum(weights.values()))
        struck = next(iter(weights))
        yield own.put(some, wholes), others.alone(struck, wholes), some.total / ends.total


def _cells(attack: Ints, mine: Ints, theirs: Ints, chance: Floats, n_attacks: int) -> Cells:
    """Cells of attacks, those of each side by side."""
    import numpy as np  # heavy; only where fights are worked out

    begins = np.searchsorted(attack, np.arange(n_attacks))
    place = np.arange(len(attack)) - begins[attack]
    return Cells(attack, place, mine, theirs, chance, int(place.max()) + 1)


class Sides:
    """What befalls one of the two: the effects of ends, row after row.

    Attributes:
        numbers: of effects. ways: their probabilities.
    """

    def __init__(self, duelist: Duelist, side: int) -> None:
        self._effects, self._side = duelist.effects, side
        self.numbers: list[int] = []
        self.ways: list[float] = []
        self._spans: list[tuple[int, int]] = []
        self._known: dict[int, int] = {}
        self._alone: dict[tuple[int, int], int] = {}
        self._same: dict[tuple[tuple[int, ...], tuple[float, ...]], int] = {}

    def place(self, ends: Ends, wholes: Wholes) -> int:
        """The place of ends among all of them; they are kept elsewhere."""
        known = self._known.get(id(ends))
        if known is None:
            known = self._known[id(ends)] = self.put(ends, wholes)
        return known

    def put(self, ends: Ends, wholes: Wholes) -> int:
        """The same for ends that nobody keeps."""
        ways = [weight / ends.total for weight in ends.weights.values()]
        return self._put(list(ends.weights), ways, wholes)

    def alone(self, number: int, wholes: Wholes) -> int:
        """The place of one end that is certain to come."""
        key = id(wholes), number
        known = self._alone.get(key)
        if known is None:
            known = self._alone[key] = self._put([number], [1.0], wholes)
        return known

    def _put(self, told: Sequence[int], ways: Sequence[float], wholes: Wholes) -> int:
        numbers = tuple([self._effects[wholes.wholes[number][self._side]] for number in told])
        content = numbers, tuple(ways)
        known = self._same.get(content)
        if known is None:
            known = self._same[content] = len(self._spans)
            self._spans.append((len(self.numbers), len(numbers)))
            self.numbers += numbers
            self.ways += ways
        return known

    @property
    def sizes(self) -> list[int]:
        """How many effects the row at each place has."""
        return [size for _, size in self._spans]

    def spans(self, places: Ints) -> tuple[Ints, Ints]:
        """Where the rows at some places begin, and how many effects they have."""
        import numpy as np  # heavy; only where fights are worked out

        spans = np.array(self._spans)[places]
        return spans[:, 0], spans[:, 1]
