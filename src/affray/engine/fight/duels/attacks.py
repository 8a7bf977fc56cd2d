"""The attacks of the two fighters of a duel on each other, as their conditions call for them.

Transitions are never written down one by one: an attack is a short list of effects with their odds,
shared by all pairs of conditions that look alike.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from math import gcd
from operator import itemgetter
from typing import TYPE_CHECKING

from affray.core.fight import Deed
from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import EXTRA, ORDINARY, FighterId, first_deed
from affray.engine.fight.duels.apart import Apart, Cells
from affray.engine.fight.duels.duelists import LANDS, PASS, Duelist, InTurn, Late
from affray.engine.fight.front import Several
from affray.engine.fight.matchup import EffectOdds, Encounter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from affray.engine.fight.duels.halves import Halves

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    _Padded = tuple[Ints, Ints, Floats]

__all__ = ["Attacks", "Numbered"]

_Pair = tuple[Hashable, Hashable]
Attempt = tuple[Deed, tuple[FighterId, ...]]
LARGEST = 2**63 - 1
"""The largest number that an array holds."""
EXACT = 2**53
"""Whole numbers up to this one are floats as well."""
FEWEST_AS_ARRAYS = 64
"""Effects of an attack below which arrays take longer to compare."""
NOBODY_OUT = (False,), (False,)
ANY = -1
"""The number of the hidden part, whatever it is."""


class Numbered(NamedTuple):
    """The numbers of attacks, as conditions call for them.

    Attributes:
        acting: the row of each condition of whoever acts; -1, the last one, if it can't.
        struck: the column of each condition of the target.
        table: the number of the attack by row and column.
    """

    acting: Ints
    struck: Ints
    table: Ints

    def between(self, acting: Ints, struck: Ints) -> Ints:
        """The number of the attack for conditions of both."""
        found: Ints = self.table[self.acting[acting], self.struck[struck]]
        return found


class _Pairs(NamedTuple):
    """What attacks with the same effects share.

    Attributes:
        effects: on actor and target; as long as they are kept, nothing else has their id.
        numbers: of each pair of effects. adds_up: whether a pair stands there twice.
        number: of all attacks with these pairs. ordered: weights in the order of the numbers.
        own, others: the different effects on the actor, and on the target.
    """

    effects: tuple[_Pair, ...]
    numbers: list[int]
    adds_up: bool
    number: int
    ordered: Callable[[tuple[int, ...]], tuple[int, ...]]
    own: dict[Hashable, None]
    others: dict[Hashable, None]


class Attacks:
    """All exchanges in which one duelist acts, as conditions call for them.

    Attributes:
        kind: the kind of turn in which they are done, as in `Moment.kind`.
        odds: what the different attacks do; the first is a turn in which nothing can be done.
        number_of: the number of the attack for the looks of both, by the number of the hidden part
            of the target's condition; `ANY`: the same for all.
        alone: the context of a target without mates.
    """

    def __init__(
        self,
        contest: Contest,
        side: int,
        duelists: tuple[Duelist, Duelist],
        *,
        kind: int = ORDINARY,
    ) -> None:
        self.contest, self.kind = contest, kind
        self.course = contest.course.of_two()
        self.who = FighterId(side, 0)
        self.actor, self.target = duelists[side], duelists[1 - side]
        self.fight = contest.fight
        self.matchup = contest.matchup(side, self.actor.sheet, self.target.sheet)
        self.with_itself = contest.matchup(side, self.actor.sheet, self.actor.sheet, friend=True)
        self.odds: list[EffectOdds] = []
        self._number: dict[tuple[int, bool], int] = {}
        self._same: dict[Hashable, int] = {}
        self._both: list[_Pair] = []
        self._number_of_both: dict[_Pair, int] = {}
        self._known_both: dict[int, int] = {}
        self._pairs_of: dict[int, _Pairs] = {}
        self._same_pairs: dict[tuple[int, ...], int] = {}
        self._others: list[EffectOdds] = []
        self.number_of: dict[tuple[int, int], dict[int, int]] = {}
        self._several: dict[tuple[int, ...], Several] = {}
        self.alone = self.fight.context(())
        self._reached: dict[int, list[int]] = {}
        self._acted: set[tuple[int, int]] = set()
        self._struck: dict[tuple[int, int], set[int]] = {}
        self._on_target: dict[int, frozenset[int]] = {}
        self._on_targets: dict[int, frozenset[int]] = {}
        self._number_on_target: dict[Hashable, int] = {}
        self._padded: _Padded | None = None
        self._halves: Halves | None = None
        self._tabled: tuple[tuple[int, int, int], Ints, Ints] | None = None
        self._different: dict[int, tuple[Iterable[Hashable], Iterable[Hashable]]] = {}
        self._attempts_of: dict[Hashable, tuple[Attempt, ...]] = {}
        self._heres: dict[int, tuple[int, dict[int, int]]] = {}
        self._struck_as: list[Hashable] = []
        self._first: dict[int, tuple[list[int], dict[Hashable, int]]] = {}
        self._apart = Apart(self.actor, self.target)
        # Of what befalls everybody, the first one's end shows when the second one has had it.
        self.on_all = kind > EXTRA and contest.interludes[kind - EXTRA - 1][0].on_all
        self.lands = LANDS if self.on_all and side else PASS
        self.target.effects.setdefault(self.lands, len(self.target.effects))
        self.passed = self._keep(EffectOdds(((PASS, self.lands),), (1,), 1))

    def __len__(self) -> int:
        return len(self.odds) - 1

    def _keep(self, odds: EffectOdds, *, on_self: bool = False) -> int:
        known = self._number.get((id(odds), on_self))
        if known is None:
            if on_self:
                own = Late if self.on_all and not self.who.side else InTurn
                effects = tuple((own(*both), self.lands) for both in odds.effects)
                odds = EffectOdds(effects, odds.weights, odds.total, odds.helped)
            content = self._content(odds)
            known = self._number[id(odds), on_self] = self._same.setdefault(content, len(self.odds))
            if known == len(self.odds):
                self.odds.append(odds)
            else:
                self._others.append(odds)  # as long as it lives, nothing else has its id
        return known

    def _content(self, odds: EffectOdds) -> Hashable:
        """What is the same of attacks that come to the same."""
        if odds.shares:
            return id(odds.wholes), odds.content  # attacks are kept, and so are these
        import numpy as np  # heavy; only where fights are worked out

        effects, weights, total, _ = odds.told
        common = gcd(total, *weights)
        if common > 1:
            weights, total = tuple([weight // common for weight in weights]), total // common
        if len(weights) < FEWEST_AS_ARRAYS:
            pairs = self._pairs(effects)
            if not pairs.adds_up:
                return pairs.number, pairs.ordered(weights)
        both = self._numbers_of_both(effects)
        if total > LARGEST or len(both) < FEWEST_AS_ARRAYS:
            return tuple(sorted(zip(both, weights, strict=True)))
        numbers = np.array(both, np.int64)
        order = np.argsort(numbers, kind="stable")
        return numbers[order].tobytes(), np.array(weights, np.int64)[order].tobytes()

    def _pairs(self, effects: tuple[_Pair, ...]) -> _Pairs:
        """What attacks with these few effects share."""
        known = self._pairs_of.get(id(effects))
        if known is None:
            numbers = self._numbers_of_both(effects)
            order = sorted(range(len(numbers)), key=numbers.__getitem__)
            same = tuple([numbers[at] for at in order])
            own, others = zip(*effects, strict=True)
            known = self._pairs_of[id(effects)] = _Pairs(
                effects, numbers, len(set(numbers)) < len(numbers),
                self._same_pairs.setdefault(same, len(self._same_pairs)),
                itemgetter(*order) if len(order) > 1 else tuple,
                _each_once(own), _each_once(others),
            )  # fmt: skip
        return known

    def _numbers_of_both(self, effects: tuple[_Pair, ...]) -> list[int]:
        """The numbers of effects on actor and target, both together."""
        known = self._known_both
        try:
            return [known[id(both)] for both in effects]  # attacks are kept, and so are these
        except KeyError:
            for both in effects:
                if id(both) not in known:
                    number = self._number_of_both.setdefault(both, len(self._both))
                    if number == len(self._both):
                        self._both.append(both)
                    known[id(both)] = number
        return [known[id(both)] for both in effects]

    def extend(self) -> None:
        """Work out every attack that the conditions known by now call for."""
        if self.kind > EXTRA:
            self._extend_interlude()
            return
        actor, target = self.actor, self.target
        # A turn's first exchange is by somebody who has begun it, further ones by anybody.
        acting = actor.acting.of
        if self.fight.actions == 1 and self.kind == ORDINARY:
            acting = [acting[here] for here in actor.begun]
        meter = meter_in_force()
        sizes = [len(members) for members in target.struck.members]
        for mine in sorted({look for look in acting if look >= 0}):
            meter.tick(1 + len(sizes) // 16)
            reached = self._reached.setdefault(mine, [])
            if reached == sizes:
                continue
            reached += [0] * (len(sizes) - len(reached))
            fresh = [look for look, size in enumerate(sizes) if reached[look] != size]
            firsts = self._firsts_alike(mine)
            alike: dict[int, list[int]] = {}
            for look in fresh:
                alike.setdefault(look if firsts is None else firsts[look], []).append(look)
            for first, some in alike.items():
                meter.tick(len(some))
                self._met(mine, first, {look: self._by_parts(look, reached[look]) for look in some})
            reached[:] = sizes

    def _met(self, mine: int, first: int, looks: dict[int, dict[int, int]]) -> None:
        """Work out attacks on conditions with which they come to the same, by those with a look.

        Args:
            mine: the look of those who act.
            first: the first look of such conditions.
            looks: some of their looks, each with a condition for each hidden part.
        """
        target, number_of = self.target, self.number_of
        known = number_of.get((mine, first), {})
        whole = known.get(ANY)
        by_part: dict[int, int] = {}
        if whole is None:
            here_of: dict[int, int] = {}
            for conditions in looks.values():
                here_of = conditions | here_of
            by_part = {part: known[part] for part in here_of if part in known}
            fresh = [here for part, here in here_of.items() if part not in by_part]
            if fresh:
                one = self.actor.shown[self.actor.acting.members[mine][0]]
                numbers, is_whole = self._all_found(one, fresh)
                if is_whole:
                    whole = numbers[0]
                else:
                    by_part.update(
                        zip([target.part_of[here] for here in fresh], numbers, strict=True)
                    )
        for number in by_part.values() if whole is None else (whole,):
            self._acts(mine, number)
        if whole is not None:
            by_part = {ANY: whole}
        for look, conditions in looks.items():
            self._befalls(mine, look, by_part, conditions if whole is None else by_part)

    def _by_parts(self, look: int, known: int) -> dict[int, int]:
        """For each hidden part of those with a look the first of them, but for those known."""
        members, parts = self.target.struck.members[look], self.target.part_of
        if known:
            return {parts[here]: here for here in reversed(members[known:])}
        size, here_of = self._heres.get(look, (0, {}))
        if size != len(members):
            here_of = {parts[here]: here for here in reversed(members)}
            self._heres[look] = len(members), here_of
        return here_of

    def _acts(self, mine: int, number: int) -> None:
        """Note that those with a look make an attack."""
        if (number, mine) not in self._acted:
            self._acted.add((number, mine))
            self.actor.want_own(self.actor.acting, mine, self.effects_of(number)[0])

    def _befalls(
        self, mine: int, theirs: int, numbers: Mapping[int, int], parts: Iterable[int]
    ) -> None:
        """Note the attacks by those with one look on those with the other, for hidden parts."""
        struck, on_target = self._struck, self._on_target
        number_of = self.number_of.setdefault((mine, theirs), {})
        for part in parts:
            number = number_of[part] = numbers[part]
            wanted = struck.get((theirs, part))
            if wanted is None:
                wanted = struck[theirs, part] = set()
            effects = on_target.get(number) or self._effects_on_target(number)
            if not effects <= wanted:
                wanted |= effects
                whose = None if part == ANY else self.target.each_part[part]
                self.target.want(theirs, whose, self.effects_of(number)[1])

    def _effects_on_target(self, number: int) -> frozenset[int]:
        """The different effects of an attack on the target, by numbers: they compare quickly."""
        known = self._on_target.get(number)
        if known is None:
            others, numbers = self.effects_of(number)[1], self._number_on_target
            known = self._on_targets.get(id(others))  # they are kept
            if known is None:
                known = frozenset([numbers.setdefault(one, len(numbers)) for one in others])
                self._on_targets[id(others)] = known
            self._on_target[number] = known
        return known

    def _firsts_alike(self, mine: int) -> list[int] | None:
        """For each look of the target the first one with which attacks came to the same.

        None: each is the first of its kind.
        """
        if self.alone is not None or not self.matchup.takes_for_others:
            return None
        matchup, actor, target = self.matchup, self.actor, self.target
        looks, seen = target.struck.members, self._struck_as
        for members in looks[len(seen) :]:
            seen.append(matchup.as_target(target.shown[members[0]]))
        firsts, numbers = self._first.setdefault(mine, ([], {}))
        one = actor.shown[actor.acting.members[mine][0]]
        for met in matchup.each_met(one, seen[len(firsts) :]):
            firsts.append(numbers.setdefault(met, len(firsts)))
        return firsts

    def _extend_interlude(self) -> None:
        """Work out what an interlude does to every condition known by now."""
        actor = self.actor
        for look in range(len(actor.alone.members)):
            if (look, 0) not in self.number_of:
                own, others = self.effects_of(self.interlude(look))
                actor.want_own(actor.alone, look, own)
                for theirs in range(len(self.target.struck.members)):
                    self.target.want(theirs, None, others)

    def interlude(self, look: int) -> int:
        """The number of what an interlude does to conditions that look like this."""
        known = self.number_of.get((look, 0))
        if known is None:
            meter_in_force().tick()
            actor, target = self.actor, self.target
            one, other = actor.alone.members[look][0], target.start
            number, _ = self._found(actor.shown[one], target.shown[other])
            known = self.number_of[look, 0] = {ANY: number}
        return known[ANY]

    def between(self, mine: int, targets: Sequence[int]) -> tuple[list[int], bool]:
        """The numbers of attacks by conditions that look like this on some of the target's.

        Those look alike. And whether it is the same number whatever is hidden.
        """
        target = self.target
        known = self.number_of.setdefault((mine, target.struck.of[targets[0]]), {})
        if ANY in known:
            return [known[ANY]], True
        parts = list(map(target.part_of.__getitem__, targets))
        if not known.keys() >= set(parts):
            fresh = [here for here, part in zip(targets, parts, strict=True) if part not in known]
            one = self.actor.shown[self.actor.acting.members[mine][0]]
            numbers, alike = self._all_found(one, fresh)
            if alike:
                known[ANY] = numbers[0]
                return numbers[:1], True
            known.update(zip(map(target.part_of.__getitem__, fresh), numbers, strict=True))
        return list(map(known.__getitem__, parts)), False

    def effects_of(self, number: int) -> tuple[Iterable[Hashable], Iterable[Hashable]]:
        """The different effects of an attack on the actor, and on the target."""
        known = self._different.get(number)
        if known is None:
            odds = self.odds[number]
            if odds.shares:
                known = self._different[number] = self._apart.effects(odds)
                return known
            effects = odds.effects
            if len(effects) < FEWEST_AS_ARRAYS:
                pairs = self._pairs(effects)
                known = pairs.own, pairs.others
            else:
                own, others = zip(*effects, strict=True)
                known = _each_once(own), _each_once(others)
            self._different[number] = known
        return known

    def _attempts(self, one: Hashable) -> tuple[Attempt, ...]:
        """The deeds of a fighter in this condition, each with its target."""
        known = self._attempts_of.get(one)
        if known is None:
            deeds = self.contest.deeds(self.who.side, self.actor.sheet, one, kind=self.kind)
            attempts = self.course.attempts(self.who, deeds, NOBODY_OUT)
            known = self._attempts_of[one] = tuple(attempts)
        return known

    def _found(self, one: Hashable, other: Hashable) -> tuple[int, bool]:
        """The attack between two conditions, and whether it is the same whatever is hidden."""
        alike = True

        def attempt(deed: Deed, targets: tuple[FighterId, ...]) -> int | None:
            nonlocal alike
            on_self = targets == (self.who,)
            if on_self:
                odds, _ = self.with_itself.shared_odds(Encounter(deed, one, one, self.alone))
            else:
                odds, shared = self.matchup.shared_odds(Encounter(deed, one, other, self.alone))
                alike = alike and shared
            return None if odds is None else self._keep(odds, on_self=on_self)

        number = first_deed(self._attempts(one), attempt)
        return self.passed if number is None else number, alike

    def _all_found(self, one: Hashable, targets: Sequence[int]) -> tuple[list[int], bool]:
        """The attacks on conditions that look alike, and whether they are the same for all."""
        target, attempts = self.target, self._attempts(one)
        if attempts and attempts[0][1] != (self.who,):
            encounter = Encounter(attempts[0][0], one, target.shown[targets[0]], self.alone)
            every, alike = self.matchup.odds_for(encounter, self._parts_of(targets))
            different = {id(odds): odds for odds in every if odds is not None}
            kept = {key: self._keep(odds) for key, odds in different.items()}
            numbers = [kept[id(odds)] for odds in every if odds is not None]
            if len(numbers) == len(targets):  # nobody has to try another deed
                return numbers, alike
        return self._each_found(one, targets)

    def _parts_of(self, targets: Sequence[int]) -> Several:
        """The hidden parts of some conditions; the same ones are one."""
        target = self.target
        key = tuple([target.part_of[here] for here in targets])
        known = self._several.get(key)
        if known is None:
            known = self._several[key] = Several([target.parts[here] for here in targets])
        return known

    def _each_found(self, one: Hashable, targets: Sequence[int]) -> tuple[list[int], bool]:
        """The same, each by itself until one is the same for all."""
        numbers = []
        for here in targets:
            number, alike = self._found(one, self.target.shown[here])
            if alike:
                return [number], True
            numbers.append(number)
        return numbers, False

    def numbers(self, action: int = 0) -> Ints:
        """The number of the attack by the actor's condition and the target's; see `numbered`."""
        import numpy as np  # heavy; only where fights are worked out

        n_acting, n_struck = len(self.actor.conditions), len(self.target.conditions)
        pairs = n_acting * n_struck
        meter_in_force().claim(8 * 2 * pairs, f"{pairs:,} pairs of conditions")
        numbered = self.numbered(action)
        return numbered.between(np.arange(n_acting)[:, None], np.arange(n_struck)[None, :])

    def numbered(self, action: int = 0) -> Numbered:
        """The number of the attack by the looks of both conditions.

        Args:
            action: which exchange of the turn it is; the turn begins with the first, 0.
        """
        import numpy as np  # heavy; only where fights are worked out

        actor, target = self.actor, self.target
        if self.kind > EXTRA:
            looks = range(len(actor.alone.members))
            known = [self.number_of.get((look, 0), {}).get(ANY, self.passed) for look in looks]
            table = np.array([*known, self.passed])[:, None]
            return Numbered(np.array(actor.alone.of), np.zeros(len(target.conditions), int), table)
        n_known = sum(map(len, self.number_of.values()))
        size = n_known, len(actor.acting.members), len(target.conditions)
        if self._tabled is None or self._tabled[0] != size:
            self._tabled = size, *self._in_table()
        _, struck, table = self._tabled
        acts = np.arange(len(actor.conditions))
        if action == 0 and self.kind == ORDINARY:
            acts = np.array(actor.begun)
        acting = np.array(actor.acting.of)[acts]
        if self.kind == ORDINARY:
            acting[np.array(actor.allowed)[acts] <= action] = -1
        return Numbered(acting, struck, table)

    def _in_table(self) -> tuple[Ints, Ints]:
        """The column of each condition of the target, and the table, as in `Numbered`."""
        import numpy as np  # heavy; only where fights are worked out

        actor, target = self.actor, self.target
        columns: dict[tuple[int, int], int] = {}
        struck = [
            columns.setdefault(key, len(columns))
            for key in zip(target.struck.of, target.part_of, strict=True)
        ]
        n_looks = len(actor.acting.members)
        meter = meter_in_force()
        meter.claim(8 * 2 * (n_looks + 1) * len(columns), f"{n_looks:,} looks of attackers")
        # The last row: nobody can act; the last column: nobody is struck.
        n_struck = len(target.struck.members) + 1
        by_look = np.full((n_looks + 1, n_struck), self.passed)
        column_of = np.full((n_struck, len(target.each_part)), -1)
        column_of[tuple(np.array(list(columns)).T)] = np.arange(len(columns))
        apart: list[tuple[int, int, dict[int, int]]] = []
        meter.tick(sum(map(len, self.number_of.values())))
        for (mine, look), known in self.number_of.items():
            if ANY in known:
                by_look[mine, look] = known[ANY]
            else:
                apart.append((mine, look, known))
        table = by_look[:, [look for look, _ in columns]]
        sizes = [len(known) for _, _, known in apart]
        rows = np.repeat(np.array([mine for mine, _, _ in apart], np.int64), sizes)
        looks = np.repeat(np.array([look for _, look, _ in apart], np.int64), sizes)
        every = [known for _, _, known in apart]
        parts = np.fromiter(chain.from_iterable(every), np.int64, len(rows))
        numbers = chain.from_iterable(map(dict.values, every))
        places = column_of[looks, parts]
        there = places >= 0
        table[rows[there], places[there]] = np.fromiter(numbers, np.int64, len(rows))[there]
        return np.array(struck), table

    def padded(self) -> _Padded:
        """Effects on the actor, on the target, and probabilities, attack by attack."""
        if self._padded is None or len(self._padded[0]) < len(self.odds):
            shares = self._in_shares
            self._padded = self._as_arrays(self._apart.arrays(shares) if shares else None)
        return self._padded

    def halves(self) -> Halves:
        """The same, with all that may befall the actor in a share left together."""
        from affray.engine.fight.duels.halves import Halves, own_of  # numpy

        if self._halves is None or len(self._halves.own) < len(self.odds):
            n_effects, shares = len(self.actor.effects), self._in_shares
            if not shares:
                self._halves = Halves(*self.padded(), own_of(n_effects, None))
                return self._halves
            cells, sides = self._apart.halves(shares)
            cells = cells._replace(mine=cells.mine + n_effects)
            self._halves = Halves(*self._as_arrays(cells), own_of(n_effects, sides))
        return self._halves

    @property
    def _in_shares(self) -> list[EffectOdds]:
        """The attacks whose odds are kept in shares."""
        return [odds for odds in self.odds if odds.shares]

    def _as_arrays(self, cells: Cells | None) -> _Padded:
        """All attacks as arrays; those in shares are given."""
        import numpy as np  # heavy; only where fights are worked out

        told = [number for number, odds in enumerate(self.odds) if not odds.shares]
        long = max(len(self.odds[number].weights) for number in told)  # one: nothing can be done
        long = long if cells is None else max(long, cells.longest)
        meter = meter_in_force()
        meter.claim(8 * 5 * long * len(self.odds), f"{len(self.odds):,} exchanges")
        mine = np.zeros((len(self.odds), long), np.int64)
        theirs = np.zeros_like(mine)
        chance = np.zeros(mine.shape)
        if cells is not None:
            apart = np.array([number for number, odds in enumerate(self.odds) if odds.shares])
            where = apart[cells.attack], cells.place
            mine[where], theirs[where], chance[where] = cells.mine, cells.theirs, cells.chance
        # Those that attacks share are looked up once.
        every = {id(odds.effects): odds.effects for odds in map(self.odds.__getitem__, told)}
        numbers = {key: self._numbers_of_both(effects) for key, effects in every.items()}
        own = np.array([self.actor.effects[effect] for effect, _ in self._both])
        others = np.array([self.target.effects[effect] for _, effect in self._both])
        both = {key: np.array(found, np.int64) for key, found in numbers.items()}
        for number in told:
            effects, weights, total, _ = self.odds[number].told
            size, pairs = len(weights), both[id(effects)]
            meter.tick(size >> 2)
            mine[number, :size], theirs[number, :size] = own[pairs], others[pairs]
            if total <= EXACT:
                chance[number, :size] = np.array(weights) / total
            else:
                chance[number, :size] = [weight / total for weight in weights]
        return mine, theirs, chance


def _each_once(effects: Iterable[Hashable]) -> dict[Hashable, None]:
    """Different effects; by far the most are the same objects."""
    return dict.fromkeys({id(effect): effect for effect in effects}.values())
