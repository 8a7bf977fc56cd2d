"""The two fighters of a duel: the conditions that come up, and their attacks on each other.

Conditions and attacks call for each other: an attack brings effects, effects make conditions, and
conditions that look different call for other attacks. Transitions are never written down one by
one: an attack is a short list of effects with their odds, shared by all pairs of conditions that
look alike, and an effect is a map from condition to condition.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import product
from math import gcd
from typing import TYPE_CHECKING, NamedTuple

from affray.core.fight import Deed
from affray.core.meter import meter_in_force
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import EXTRA, ORDINARY, FighterId, first_deed, says_end
from affray.engine.fight.matchup import EffectOdds, Encounter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["PASS", "Attacks", "Duelist", "InTurn"]

_Befallen = tuple["Looks", int, Hashable]
"""Conditions of a look that something may befall: looks of whoever acts or of whoever is struck,
which of them, and the hidden part of those that are struck; None: whatever it is."""

PASS = "pass"
"""The effect of a turn in which nothing can be done."""


class InTurn(NamedTuple):
    """Two effects of an exchange on a fighter who acted on itself."""

    first: Hashable
    second: Hashable


class Looks:
    """Conditions that look alike, by number.

    Attributes:
        of: which look a condition has; -1 for one that is out.
        members: the conditions of each look.
    """

    def __init__(self) -> None:
        self.of: list[int] = []
        self.members: list[list[int]] = []
        self._numbers: dict[Hashable, int] = {}

    def put(self, here: int, key: Hashable) -> None:
        """Sort a condition in."""
        look = self.of[here] = self._numbers.setdefault(key, len(self.members))
        if look == len(self.members):
            self.members.append([])
        self.members[look].append(here)


class Duelist:
    """One fighter of a duel: the conditions that come up, by number, and how they change.

    Attributes:
        conditions: every condition; `number` finds the number of one.
        acting, struck: conditions that exchanges can't tell apart in whoever acts, and in whoever
            they are done to.
        alone: conditions that can't be told apart in whoever is befallen by an interlude.
        allowed: how many exchanges it has in a turn. parts: the hidden part of each condition.
        begun, ended: what a condition becomes at the start of a turn, at the end of a round.
        spare: what can be spent, by name, as far as a side that never does left it out.
        own: numbers of the effects that come of acting.
    """

    def __init__(self, contest: Contest, side: int) -> None:
        self.contest, self.side = contest, side
        self.fight = contest.fight
        self.hints = contest.system.hints
        self.hidden = self.hints.hidden
        self.sheet = contest.sides[side].fighters[0]
        self.is_sparing = contest.sides[side].plan_of(self.sheet).is_sparing(self.hints.strains_at)
        self.conditions: list[Hashable] = []
        self.number: dict[Hashable, int] = {}
        self.acting, self.struck, self.alone = Looks(), Looks(), Looks()
        self.allowed: list[int] = []
        self.parts: list[Hashable] = []
        self.is_out: list[bool] = []
        self.is_over: list[bool] = []
        self.begun: list[int] = []
        self.ended: list[int] = []
        self.effects: dict[Hashable, int] = {PASS: 0}
        self.changes: dict[tuple[int, int], int] = {}
        self.own: set[int] = set()
        self._wanted: dict[_Befallen, dict[Hashable, int]] = {}
        self._grown: dict[_Befallen, tuple[int, int]] = {}
        begins = contest.enter(side, self.sheet)
        self.start = self.add(begins)
        owned = self.fight.resources(self.sheet, self.fight.enter(self.sheet, contest.rulings))
        brought = self.fight.resources(self.sheet, begins)
        self.spare = {name: number - brought[name] for name, number in owned.items()}

    def add(self, condition: Hashable) -> int:
        """The number of a condition; a new one is put in with its turn's start and round's end."""
        known = self.number.get(condition)
        if known is not None:
            return known
        fight, sheet, meter = self.fight, self.sheet, meter_in_force()
        first = self._entered(condition)
        waiting = [(first, True)]
        while waiting:
            here, begins = waiting.pop()
            if self.struck.of[here] < 0:
                continue
            meter.tick()
            if begins:
                waiting.append((here, False))
            becomes, into = (
                (fight.begin_turn, self.begun) if begins else (fight.end_round, self.ended)
            )
            after = becomes(sheet, self.conditions[here])
            number = self.number.get(after)
            if number is None:
                number = self._entered(after)
                waiting.append((number, True))
            into[here] = number
            if begins:
                self._check_begun(here, number)
        return first

    def _entered(self, condition: Hashable) -> int:
        """The number of a new condition."""
        fight, sheet = self.fight, self.sheet
        here = self.number[condition] = len(self.conditions)
        out, over = fight.is_out(sheet, condition), says_end([fight.ends(sheet, condition)])
        self.conditions.append(condition)
        self.is_out.append(out)
        self.is_over.append(over)
        self.parts.append(self.hidden.part(condition))
        self.begun.append(here)
        self.ended.append(here)
        self.acting.of.append(-1)
        self.struck.of.append(-1)
        self.alone.of.append(-1)
        self.allowed.append(self.contest.allowed(sheet, condition))
        if not (out or over):
            shown = self.hidden.visible(condition)
            acting = self.hints.acting(sheet, shown, self.is_sparing)
            struck = self.hints.struck(sheet, shown)
            deeds = self.contest.deeds(self.side, sheet, condition)
            more: tuple[Deed, ...] = ()
            if self.contest.course.extras:
                more = self.contest.deeds(self.side, sheet, condition, kind=EXTRA)
            whole = None
            if any(deed.on == "self" for deed in (*deeds, *more)):
                whole = struck, self.parts[-1]
            self.acting.put(here, (acting, deeds, more, whole))
            self.struck.put(here, struck)
            if self.contest.course.interludes:
                self.alone.put(here, (acting, struck, self.parts[-1]))
        return here

    def _check_begun(self, here: int, begun: int) -> None:
        """Notice what a condition becomes at the start of a turn; anything will do here."""

    def want(self, look: int, part: Hashable, effects: Iterable[Hashable]) -> None:
        """Effects that may befall conditions that look like this to whoever acts on them.

        `part` narrows them down, if not None.
        """
        self._want((self.struck, look, part), effects)

    def want_own(self, looks: Looks, look: int, effects: Iterable[Hashable]) -> None:
        """Effects that acting may have on conditions that look like this in whoever acts.

        `looks` are those of turns, or those of interludes.
        """
        kinds = dict.fromkeys(effects)
        self._want((looks, look, None), kinds)
        self.own.update(self.effects[effect] for effect in kinds)

    def _want(self, whom: _Befallen, effects: Iterable[Hashable]) -> None:
        wanted = self._wanted.setdefault(whom, {})
        for effect in effects:
            if effect not in wanted:
                wanted[effect] = self.effects.setdefault(effect, len(self.effects))

    def grow(self, most: int) -> bool:
        """Apply every wanted effect to every condition it may befall; whether any was new.

        It is left off where there are more than `most` conditions.
        """
        before = len(self.changes)
        meter = meter_in_force()
        for whom, wanted in self._wanted.items():
            looks, look, part = whom
            n_members, n_effects = self._grown.get(whom, (0, 0))
            members = looks.members[look]
            effects = list(wanted.items())
            n_now = len(members)
            for place in range(n_now):
                if part is not None and self.parts[members[place]] != part:
                    continue
                new = effects[n_effects:] if place < n_members else effects
                if new:
                    meter.tick(len(new))
                    self._change(members[place], new)
                    if len(self.conditions) > most:
                        return True
            self._grown[whom] = n_now, len(effects)
        return len(self.changes) > before

    def _change(self, here: int, effects: Iterable[tuple[Hashable, int]]) -> None:
        apply, sheet, condition = self.fight.apply, self.sheet, self.conditions[here]
        number, changes = self.number, self.changes
        for effect, its_number in effects:
            if (its_number, here) not in changes:
                if effect is PASS or type(effect) is InTurn:
                    after = self.after(condition, effect)
                else:  # by far the most
                    after = apply(sheet, condition, effect)
                known = number.get(after)
                changes[its_number, here] = self.add(after) if known is None else known

    def after(self, condition: Hashable, effect: Hashable) -> Hashable:
        """A condition after an effect."""
        if effect is PASS:
            return condition
        if isinstance(effect, InTurn):
            return self.after(self.after(condition, effect.first), effect.second)
        return self.fight.apply(self.sheet, condition, effect)

    # -- as arrays, once nothing new comes up ----------------------------------------------------

    def left(self) -> dict[str, Ints]:
        """Resources left, by name and condition."""
        import numpy as np  # heavy; only where fights are worked out

        rows = [self.fight.resources(self.sheet, condition) for condition in self.conditions]
        return {
            name: np.array([row[name] for row in rows]) + spare
            for name, spare in self.spare.items()
        }

    def map_of_effects(self) -> Ints:
        """Effect by condition: the condition after it."""
        import numpy as np  # heavy; only where fights are worked out

        size = len(self.conditions) * len(self.effects)
        # Here and in `components`, and in the sweeps that look conditions up.
        meter_in_force().claim(8 * 6 * size, f"{size:,} changes of conditions")
        table = np.tile(np.arange(len(self.conditions)), (len(self.effects), 1))
        keys = np.array(list(self.changes), dtype=np.int64).reshape(-1, 2)
        table[keys[:, 0], keys[:, 1]] = np.fromiter(self.changes.values(), np.int64, len(keys))
        return table

    def components(self, table: Ints) -> tuple[Ints, Ints]:
        """The component of each condition, and how far each component is from the end at most."""
        import numpy as np  # heavy; only where fights are worked out
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        n = len(self.conditions)
        here = np.tile(np.arange(n), len(table) + 2)
        there = np.concatenate([table.ravel(), np.array(self.begun), np.array(self.ended)])
        graph = csr_array((np.ones(len(here), np.int8), (here, there)), shape=(n, n))
        count, component = connected_components(graph, connection="strong")
        edges = np.unique(component[here] * count + component[there])
        one, other = np.divmod(edges, count)
        one, other = one[one != other], other[one != other]
        depth = np.zeros(count, np.int64)
        meter = meter_in_force()
        while True:
            meter.poll()
            further = depth.copy()
            np.maximum.at(further, one, depth[other] + 1)
            if (further == depth).all():
                return component.astype(np.int64), depth
            depth = further


Attempt = tuple[Deed, tuple[FighterId, ...]]
NOBODY_OUT = (False,), (False,)


class Attacks:
    """All exchanges in which one duelist acts, as conditions call for them.

    Attributes:
        kind: the kind of turn in which they are done, as in `Moment.kind`.
        odds: what the different attacks do; the first is a turn in which nothing can be done.
        number_of: the number of the attack for the looks of both and the hidden part of the
            target's condition; None: the same for all.
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
        self._same: dict[frozenset[object], int] = {}
        self._others: list[EffectOdds] = []
        self.number_of: dict[tuple[int, int, Hashable], int] = {}
        self.alone = self.fight.context(())
        self._reached: dict[tuple[int, int], int] = {}
        self._acted: set[tuple[int, int]] = set()
        self._struck: set[tuple[int, int, Hashable]] = set()
        self._different: dict[int, tuple[Iterable[Hashable], Iterable[Hashable]]] = {}
        self._attempts_of: dict[Hashable, tuple[Attempt, ...]] = {}
        self.passed = self._keep(EffectOdds(((PASS, PASS),), (1,), 1))

    def __len__(self) -> int:
        return len(self.odds) - 1

    def _keep(self, odds: EffectOdds, *, on_self: bool = False) -> int:
        known = self._number.get((id(odds), on_self))
        if known is None:
            if on_self:
                effects = tuple((InTurn(*both), PASS) for both in odds.effects)
                odds = odds._replace(effects=effects)
            common = gcd(odds.total, *odds.weights)
            weights = (weight // common for weight in odds.weights)
            content = frozenset(zip(odds.effects, weights, strict=True))
            known = self._number[id(odds), on_self] = self._same.setdefault(content, len(self.odds))
            if known == len(self.odds):
                self.odds.append(odds)
            else:
                self._others.append(odds)  # as long as it lives, nothing else has its id
        return known

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
        looks = sorted({look for look in acting if look >= 0})
        for mine, theirs in product(looks, range(len(target.struck.members))):
            meter.tick()
            members = target.struck.members[theirs]
            known = self._reached.get((mine, theirs), 0)
            if known == len(members) or (mine, theirs, None) in self.number_of:
                continue
            self._reached[mine, theirs] = len(members)
            one = actor.conditions[actor.acting.members[mine][0]]
            for here in members[known:]:
                meter.tick()
                number, alike = self._found(one, target.conditions[here])
                part = None if alike else target.parts[here]
                self.number_of[mine, theirs, part] = number
                own, others = self.effects_of(number)
                if (number, mine) not in self._acted:
                    self._acted.add((number, mine))
                    actor.want_own(actor.acting, mine, own)
                if (number, theirs, part) not in self._struck:
                    self._struck.add((number, theirs, part))
                    target.want(theirs, part, others)
                if alike:
                    break

    def _extend_interlude(self) -> None:
        """Work out what an interlude does to every condition known by now."""
        actor = self.actor
        for look in range(len(actor.alone.members)):
            if (look, 0, None) not in self.number_of:
                own, _ = self.effects_of(self.interlude(look))
                actor.want_own(actor.alone, look, own)

    def interlude(self, look: int) -> int:
        """The number of what an interlude does to conditions that look like this."""
        number = self.number_of.get((look, 0, None))
        if number is None:
            meter_in_force().tick()
            actor, target = self.actor, self.target
            one, other = actor.alone.members[look][0], target.start
            number, _ = self._found(actor.conditions[one], target.conditions[other])
            self.number_of[look, 0, None] = number
        return number

    def between(self, mine: int, here: int) -> tuple[int, bool]:
        """The number of the attack by conditions that look like this on one of the target's.

        And whether it is the same whatever is hidden.
        """
        theirs, part = self.target.struck.of[here], self.target.parts[here]
        for known, alike in ((None, True), (part, False)):
            number = self.number_of.get((mine, theirs, known))
            if number is not None:
                return number, alike
        one = self.actor.conditions[self.actor.acting.members[mine][0]]
        number, alike = self._found(one, self.target.conditions[here])
        self.number_of[mine, theirs, None if alike else part] = number
        return number, alike

    def effects_of(self, number: int) -> tuple[Iterable[Hashable], Iterable[Hashable]]:
        """The different effects of an attack on the actor, and on the target."""
        known = self._different.get(number)
        if known is None:
            own, others = zip(*self.odds[number].effects, strict=True)
            known = self._different[number] = dict.fromkeys(own), dict.fromkeys(others)
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

    def numbers(self, action: int = 0) -> Ints:
        """The number of the attack by the actor's condition and the target's.

        Args:
            action: which exchange of the turn it is; the turn begins with the first, 0.
        """
        import numpy as np  # heavy; only where fights are worked out

        actor, target = self.actor, self.target
        if self.kind > EXTRA:
            known = [self.number_of.get((look, 0, None), self.passed) for look in actor.alone.of]
            return np.repeat(np.array(known)[:, None], len(target.conditions), 1)
        parts: dict[Hashable, int] = {}
        kinds: dict[tuple[int, int], int] = {}
        kind = []
        for here, look in enumerate(target.struck.of):
            part = parts.setdefault(target.parts[here], len(parts))
            kind.append(kinds.setdefault((look, part), len(kinds)))
        names = list(parts)
        n_looks = len(actor.acting.members)
        size = (n_looks + 1) * len(kinds)
        pairs = len(actor.conditions) * len(target.conditions)
        meter = meter_in_force()
        meter.claim(8 * (size + 3 * pairs), f"{pairs:,} pairs of conditions")
        table = np.full((n_looks + 1, len(kinds)), -1)
        for (look, part), column in kinds.items():
            meter.tick(n_looks >> 3)
            for mine in range(n_looks):
                shared = self.number_of.get((mine, look, None), -1)
                table[mine, column] = self.number_of.get((mine, look, names[part]), shared)
        acts = np.arange(len(actor.conditions))
        if action == 0 and self.kind == ORDINARY:
            acts = np.array(actor.begun)
        rows = table[np.array(actor.acting.of)[acts][:, None], np.array(kind)[None, :]]
        if self.kind == ORDINARY:
            rows[np.array(actor.allowed)[acts] <= action] = self.passed
        return np.where(rows < 0, self.passed, rows)

    def padded(self) -> tuple[Ints, Ints, Floats]:
        """Effects on the actor, on the target, and probabilities, attack by attack."""
        import numpy as np  # heavy; only where fights are worked out

        long = max(len(odds.weights) for odds in self.odds)
        meter = meter_in_force()
        meter.claim(8 * 5 * long * len(self.odds), f"{len(self.odds):,} exchanges")
        mine = np.zeros((len(self.odds), long), np.int64)
        theirs = np.zeros_like(mine)
        chance = np.zeros(mine.shape)
        for number, odds in enumerate(self.odds):
            size = len(odds.weights)
            meter.tick(size >> 2)
            mine[number, :size] = [self.actor.effects[effect] for effect, _ in odds.effects]
            theirs[number, :size] = [self.target.effects[effect] for _, effect in odds.effects]
            chance[number, :size] = [weight / odds.total for weight in odds.weights]
        return mine, theirs, chance
