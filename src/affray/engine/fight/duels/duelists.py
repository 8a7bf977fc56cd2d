"""The two fighters of a duel: the conditions that come up, and how effects change them.

Conditions and attacks call for each other: an attack brings effects, effects make conditions, and
conditions that look different call for other attacks. An effect is a map from condition to
condition.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import partial
from itertools import chain
from operator import add
from typing import TYPE_CHECKING
from weakref import ReferenceType, ref

from affray.core.errors import RulesError, SetupError
from affray.core.fight import Deed
from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import EXTRA, says_end
from affray.engine.fight.duels.overlooked import Line, Overlooked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["LANDS", "PASS", "Duelist", "Falling", "InTurn", "Late", "different"]

_Befallen = tuple["Looks", int, Hashable]
"""Conditions of a look that something may befall: looks of whoever acts or of whoever is struck,
which of them, and the hidden part of those that are struck; None: whatever it is."""

MOST_ADDING = 256
"""Lists of effects that are told apart by what they add, and kept."""

PASS = "pass"
"""The effect of a turn in which nothing can be done."""


LANDS = "lands"
"""The effect by which an interlude that befalls everybody shows on the one it befell first."""


class InTurn(NamedTuple):
    """Two effects of an exchange on a fighter who acted on itself."""

    first: Hashable
    second: Hashable


class Late(NamedTuple):
    """The same of an interlude that befalls the other fighter, too: nobody is out before that."""

    first: Hashable
    second: Hashable


class Falling(NamedTuple):
    """A condition that is out, or ends the fight, once an interlude has befallen everybody."""

    condition: Hashable


def _is_ours(effect: Hashable) -> bool:
    """Whether an effect is one of those here, and none of the rules."""
    return effect is PASS or effect is LANDS or isinstance(effect, InTurn | Late)


class _Split(NamedTuple):
    """An effect as what it adds to the hidden part of a condition, and the rest of it.

    With numbers: of what it adds, and of the rest.
    """

    more: tuple[int, ...]
    effect: Hashable
    number: int
    rest: int


class _Adding(NamedTuple):
    """Effects of which some only add to what is hidden.

    Attributes:
        numbers, splits: of those that do. mores: numbers of what they add.
        rests: the different rests of them, by number. which: the place of each one's rest there.
        widths: how many numbers they add to.
        others: the other effects, with their numbers.
    """

    numbers: list[int]
    splits: list[_Split]
    mores: list[int]
    rests: list[int]
    which: list[int]
    others: list[tuple[Hashable, int]]
    widths: frozenset[int]


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
        conditions: every condition; `number` finds the number of one. shown: each as exchanges
            know it.
        acting, struck: conditions that exchanges can't tell apart in whoever acts, and in whoever
            they are done to.
        alone: conditions that can't be told apart in whoever is befallen by an interlude.
        doing, kinds: as `acting` and `struck`, with all that exchanges don't know of.
        allowed: how many exchanges it has in a turn. parts: the hidden part of each condition;
            part_of: its number; each_part: the different ones, by number.
        changes: for each condition what it becomes, by the number of an effect.
        begun, ended: what a condition becomes at the start of a turn, at the end of a round.
        spare: what can be spent, by name, as far as a side that never does left it out.
        own: numbers of the effects that come of acting.
    """

    _twin: ReferenceType[Duelist] | None = None

    def __init__(self, contest: Contest, side: int) -> None:
        self.contest, self.side = contest, side
        self.fight = contest.fight
        self.hints = contest.system.hints
        self.hidden = self.hints.hidden
        # Equal ones are compared more quickly as one object.
        self.sheet = contest.sides[0 if contest.is_mirrored else side].fighters[0]
        self.conditions: list[Hashable] = []
        self.shown: list[Hashable] = []
        self.number: dict[Hashable, int] = {}
        self.acting, self.struck, self.alone = Looks(), Looks(), Looks()
        self.doing, self.kinds = Looks(), Looks()
        self.allowed: list[int] = []
        self.parts: list[Hashable] = []
        self.part_of: list[int] = []
        self.each_part: list[Hashable] = []
        self._part_numbers: dict[Hashable, int] = {}
        self.is_out: list[bool] = []
        self.is_over: list[bool] = []
        self.begun: list[int] = []
        self.ended: list[int] = []
        self.effects: dict[Hashable, int] = {PASS: 0}
        self.changes: list[dict[int, int]] = []
        self.own: set[int] = set()
        self._split: dict[int, _Split | None] = {}
        self._known_adding: dict[tuple[int, ...], _Adding] = {}
        self._rest: dict[Hashable, int] = {}
        self._more: dict[Hashable, int] = {}
        self._seen: dict[Hashable, tuple[int, int]] = {}
        self._seen_numbers: dict[Hashable, int] = {}
        self._visible: dict[int, Hashable] = {}
        self._sums: dict[Hashable, dict[int, Hashable]] = {}
        self._added: dict[Hashable, dict[int, dict[Hashable, int]]] = {}
        self._overlooked = Overlooked(
            self.hidden, partial(self.fight.apply, self.sheet), self.number,
            f"{contest.system.id}: an effect",
        )  # fmt: skip
        self._of_twin: dict[int, int] = {}
        self._effect_of_twin: dict[int, int] = {}
        self._wanted: dict[_Befallen, dict[Hashable, int]] = {}
        self._grown: dict[_Befallen, tuple[int, int]] = {}
        begins = contest.enter(side, self.sheet)
        self.start = self.add(begins)
        owned = self.fight.resources(self.sheet, self.fight.enter(self.sheet, contest.rulings))
        brought = self.fight.resources(self.sheet, begins)
        self.spare = {name: number - brought[name] for name, number in owned.items()}

    @property
    def twin(self) -> Duelist | None:
        """The other fighter, if effects make the same of both; what is known of it is used."""
        return None if self._twin is None else self._twin()

    @twin.setter
    def twin(self, other: Duelist) -> None:
        self._twin = ref(other)  # whoever made both keeps both

    def add(self, condition: Hashable) -> int:
        """The number of a condition; a new one is put in with its turn's start and round's end."""
        known = self.number.get(condition)
        if known is not None:
            return known
        fight, sheet, meter = self.fight, self.sheet, meter_in_force()
        first = self._entered(condition)
        if isinstance(condition, Falling):
            return first
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
        here = self.number[condition] = len(self.conditions)
        falls = isinstance(condition, Falling)
        if isinstance(condition, Falling):
            condition = condition.condition
        sheet = self.sheet
        out, over = (False, False) if falls else self._ends(condition)
        known = condition if falls or out or over else self.known_as(condition)
        self.conditions.append(condition)
        self.shown.append(known)
        self.changes.append({})
        self.is_out.append(out)
        self.is_over.append(over)
        part = self.hidden.part(condition)
        self.parts.append(part)
        number = self._part_numbers.setdefault(part, len(self.each_part))
        if number == len(self.each_part):
            self.each_part.append(part)
        self.part_of.append(number)
        self.begun.append(here)
        self.ended.append(here)
        self.acting.of.append(-1)
        self.struck.of.append(-1)
        self.alone.of.append(-1)
        self.doing.of.append(-1)
        self.kinds.of.append(-1)
        self.allowed.append(self.contest.allowed(sheet, condition))
        if falls:
            self.struck.put(here, Falling)
            self.kinds.put(here, Falling)
        elif not (out or over):
            self._check_nothing_urgent(condition)
            acting, struck = self._seen_as(known)
            deeds = self.contest.deeds(self.side, sheet, known)
            more: tuple[Deed, ...] = ()
            if self.contest.course.extras:
                more = self.contest.deeds(self.side, sheet, known, kind=EXTRA)
            whole = None
            if any(deed.on == "self" for deed in (*deeds, *more)):
                whole = struck, part
            self.acting.put(here, (acting, deeds, more, whole))
            self.struck.put(here, struck)
            if self.contest.course.interludes:
                self.alone.put(here, (acting, struck, part))
            if known is not condition:
                acting, struck = self._seen_as(condition)
            self.doing.put(here, (acting, deeds, more, whole))
            self.kinds.put(here, struck)
        return here

    def _ends(self, condition: Hashable) -> tuple[bool, bool]:
        """Whether a fighter is out in a condition, and whether it ends the fight by rule."""
        says = self.fight.ends(self.sheet, condition)
        return self.fight.is_out(self.sheet, condition), says_end([says])

    def _seen_as(self, condition: Hashable) -> tuple[int, int]:
        """How exchanges see a condition in whoever acts, and in whoever is struck, by numbers."""
        shown = self.hidden.visible(condition)
        known = self._seen.get(shown)
        if known is None:
            numbers = self._seen_numbers
            acting = self.hints.acting(self.sheet, shown)
            struck = self.hints.struck(self.sheet, shown)
            known = self._seen[shown] = (
                numbers.setdefault(acting, len(numbers)),
                numbers.setdefault(struck, len(numbers)),
            )
        return known

    def known_as(self, condition: Hashable) -> Hashable:
        """A condition as exchanges know it; the same object where that is all of it."""
        return condition

    def _restored(self, after: Hashable, known: Hashable, whole: Hashable) -> Hashable:  # noqa: ARG002  # see `ReservingDuelist`
        """What becomes of a condition, from what becomes of it as exchanges know it."""
        return after

    def _check_nothing_urgent(self, condition: Hashable) -> None:
        """Check that nothing is settled at once for somebody who fights on.

        Raises:
            SetupError: it is, and `Fight.tends` doesn't say that nobody minds.
        """
        urgent = self.fight.urgent(self.sheet, condition) if self.contest.tends else None
        if urgent is not None:
            raise SetupError(
                f"{self.contest.system.id}: {urgent.name!r} is settled at once, while the fight "
                "goes on; a duel knows nothing that is urgent before it is over. Fight battles "
                "instead"
            )

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
        if isinstance(effects, dict) and effects.keys() <= wanted.keys():
            return  # by far the most
        for effect in effects:
            if effect not in wanted:
                wanted[effect] = self.effects.setdefault(effect, len(self.effects))

    def grow(self, most: int) -> bool:
        """Apply every wanted effect to every condition it may befall; whether any was new.

        It is left off where there are more than `most` conditions.
        """
        before = self._n_changes()
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
        return self._n_changes() > before

    def _n_changes(self) -> int:
        return sum(map(len, self.changes))

    def _change(self, here: int, effects: Sequence[tuple[Hashable, int]]) -> list[int]:
        """What a condition becomes by each of these effects, given with their numbers."""
        condition, changes, twin = self.conditions[here], self.changes[here], self.twin
        line = None
        if self.shown[here] is condition:
            line = self._overlooked.line(here, condition, self.parts[here])
        alike = {} if line is None else line.becomes
        there = None if twin is None else twin.number.get(condition)
        if twin is not None and there is not None:
            self._learn(here, effects, twin, there)
        others = effects if self.hints.adds is None else self._add_up(here, effects)
        for effect, its_number in others:
            if its_number in changes:
                continue
            become = alike.get(its_number)
            if become is None:
                become = self._become(here, line, effect, its_number)
            changes[its_number] = become
        return [changes[its_number] for _, its_number in effects]

    def _become(self, here: int, line: Line | None, effect: Hashable, number: int) -> int:
        """What a condition becomes by one effect, given with its number; the line is its own."""
        condition, known = self.conditions[here], self.shown[here]
        if _is_ours(effect):
            after = self.after(known, effect)
        else:
            for_all = None if line is None else self._overlooked.after(line, effect, number)
            if line is not None and for_all is not None:
                found = line.becomes[number] = self.add(for_all)
                return found
            after = self.fight.apply(self.sheet, known, effect)
            if line is None and known is condition:
                self._overlooked.seek(condition, self.parts[here], effect)
        if known is not condition:
            after = self._restored(after, known, condition)
        if isinstance(effect, Late) and any(self._ends(after)):
            after = Falling(after)
        return self.add(after)

    def _add_up(
        self, here: int, effects: Sequence[tuple[Hashable, int]]
    ) -> list[tuple[Hashable, int]]:
        """Find out what effects make of a condition that only add to what is hidden of it.

        Returns:
            The other effects.
        """
        changes, part = self.changes[here], self.parts[here]
        if changes:
            effects = [one for one in effects if one[1] not in changes]
        adding = self._adding(effects)
        if not adding.numbers:
            return adding.others
        shown = self._visible.get(here)
        if shown is None:
            shown = self._visible[here] = self.hidden.visible(self.conditions[here])
        sums, of_shown = self._sums.setdefault(part, {}), self._added.setdefault(shown, {})
        totals = list(map(sums.get, adding.mores))
        if None in totals:
            assert isinstance(part, tuple)  # as `Hints.adds` says
            if adding.widths != {len(part)}:
                raise RulesError(
                    f"{self.contest.system.id}: {len(part)} numbers are hidden, {part!r}; by the "
                    f"hint `adds` effects add to {sorted(adding.widths)} of them"
                )
            totals = [
                tuple(map(add, part, split.more)) if total is None else total
                for total, split in zip(totals, adding.splits, strict=True)
            ]
            sums.update(zip(adding.mores, totals, strict=True))
        tables = [of_shown.setdefault(rest, {}) for rest in adding.rests]
        after = [
            tables[which].get(total, -1) for which, total in zip(adding.which, totals, strict=True)
        ]
        if -1 in after:
            veiled = self.hidden.veiled
            known: Hashable = shown
            if self.shown[here] is not self.conditions[here]:
                known = self.hidden.visible(self.shown[here])
            for at in [at for at, become in enumerate(after) if become < 0]:
                table, total = tables[adding.which[at]], totals[at]
                become = table.get(total)  # two effects may add up to the same
                if become is None:
                    before = veiled(known, total)
                    made = self.fight.apply(self.sheet, before, adding.splits[at].effect)
                    if self.shown[here] is not self.conditions[here]:
                        made = self._restored(made, before, veiled(shown, total))
                    become = table[total] = self.add(made)
                after[at] = become
        changes.update(zip(adding.numbers, after, strict=True))
        return adding.others

    def _adding(self, effects: Sequence[tuple[Hashable, int]]) -> _Adding:
        """Tell effects that only add to what is hidden from others; it is kept."""
        numbers = tuple([number for _, number in effects])
        known = self._known_adding.get(numbers)
        if known is None:
            splits, others, adding = [], [], []
            for effect, number in effects:
                if number not in self._split:
                    self._split[number] = self._split_up(effect)
                split = self._split[number]
                if split is None:
                    others.append((effect, number))
                else:
                    splits.append(split)
                    adding.append(number)
            rests = list(dict.fromkeys([split.rest for split in splits]))
            place = {rest: at for at, rest in enumerate(rests)}
            if len(self._known_adding) >= MOST_ADDING:
                self._known_adding.clear()
            known = self._known_adding[numbers] = _Adding(
                adding, splits, [split.number for split in splits],
                rests, [place[split.rest] for split in splits], others,
                frozenset([len(split.more) for split in splits]),
            )  # fmt: skip
        return known

    def _split_up(self, effect: Hashable) -> _Split | None:
        """What an effect adds to the hidden part, and the rest of it; None: it doesn't just add."""
        if _is_ours(effect) or self.hints.adds is None:
            return None
        found = self.hints.adds(effect)
        if found is None:
            return None
        more, rest = found
        numbers = (
            self._more.setdefault(more, len(self._more)),
            self._rest.setdefault(rest, len(self._rest)),
        )
        return _Split(more, rest, *numbers)

    def _learn(
        self, here: int, effects: Sequence[tuple[Hashable, int]], twin: Duelist, there: int
    ) -> None:
        """Take over what effects make of a condition that the twin has, as far as it knows."""
        changes, known, number_of = self.changes[here], twin.changes[there], self._of_twin
        for effect, its_number in effects:
            if its_number in changes or isinstance(effect, Late):
                continue
            same = self._effect_of_twin.get(its_number)
            if same is None:
                if effect not in twin.effects:
                    continue
                same = self._effect_of_twin[its_number] = twin.effects[effect]
            become = known.get(same)
            if become is not None:
                if become not in number_of:
                    number_of[become] = self.add(twin.conditions[become])
                changes[its_number] = number_of[become]

    def after(self, condition: Hashable, effect: Hashable) -> Hashable:
        """A condition after an effect."""
        if effect is PASS or effect is LANDS:
            return condition
        if isinstance(effect, InTurn | Late):
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
        here = np.repeat(np.arange(len(self.conditions)), list(map(len, self.changes)))
        effects = np.fromiter(chain.from_iterable(self.changes), np.int64, len(here))
        after = chain.from_iterable(one.values() for one in self.changes)
        table[effects, here] = np.fromiter(after, np.int64, len(here))
        return table

    def components(self, table: Ints) -> tuple[Ints, Ints]:
        """The component of each condition, and how far each component is from the end at most."""
        import numpy as np  # heavy; only where fights are worked out
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        n = len(self.conditions)
        here = np.tile(np.arange(n), len(table) + 2)
        there = np.concatenate([table.ravel(), np.array(self.begun), np.array(self.ended)])
        one, other = np.divmod(different(here * n + there, n * n), n)
        starts = np.searchsorted(one, np.arange(n + 1))
        graph = csr_array((np.ones(len(one), np.int8), other, starts), shape=(n, n))
        count, component = connected_components(graph, connection="strong")
        edges = np.unique(component[one].astype(np.int64) * count + component[other])
        one, other = np.divmod(edges, count)
        one, other = one[one != other], other[one != other]
        meter_in_force().tick(len(one) >> 4)
        depth = [0] * count
        leads = list(zip(one.tolist(), other.tolist(), strict=True))
        # scipy numbers components from the end on, so that once through them is enough.
        in_order, growing = bool((other < one).all()), True
        while growing:
            growing = False
            for further, nearer in leads:
                if depth[further] <= depth[nearer]:
                    depth[further] = depth[nearer] + 1
                    growing = not in_order
        return component.astype(np.int64), np.array(depth, np.int64)


MOST_MARKED = 1_000_000
"""Numbers up to which they are marked in a table, and not sorted."""


def different(numbers: Ints, most: int) -> Ints:
    """Each of these numbers once, the least first; all are less than `most`."""
    import numpy as np  # heavy; only where fights are worked out

    if most > MOST_MARKED:
        return np.unique(numbers)
    marked = np.zeros(most, np.bool_)
    marked[numbers] = True
    return np.flatnonzero(marked)
