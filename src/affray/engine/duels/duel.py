"""Two fighters to the end, exactly: who wins, in how many rounds, with how much left.

A state of a duel is whose turn it is and the conditions of both. Transitions are never written
down one by one: an exchange is a short row of effects, shared by all pairs of conditions that
look alike, and an effect is a map from condition to condition.

Conditions that can come back to each other form a component. Every exchange stays in the
components of both fighters or brings one of them nearer to the end. So one sweep, nearest to the
end first, settles all states: sums over what is settled already, and a small linear system inside
each pair of components. All questions are answered in the same sweep, as columns.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import isclose
from typing import TYPE_CHECKING, NamedTuple

from affray.core.errors import LimitError
from affray.engine.contest import Contest
from affray.engine.matchup import Row
from affray.engine.turns import leads

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from affray.engine.duels.sweep import Sweep

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["Case", "Duel", "DuelResult", "Party", "Round"]

MOST_PAIRS = 4_000_000
SETTLED = 1e-12
"""Probability of a fight still going on below which it is not followed any further."""
MOST_ROUNDS = 10_000
"""Rounds that are followed one by one at most."""


PASS = "pass"
"""The effect of a turn in which nothing can be done."""


class Party:
    """One fighter of a duel: the conditions that come up, numbered, and how they change.

    Attributes:
        conditions: every condition; `number` finds the number of one.
        members: numbers of conditions that look alike from outside, for each look.
        look: which look a condition has; -1 for one that is out.
        begun, ended: what a condition becomes at the start of a turn, at the end of a round.
        spare: what can be spent, by name, as far as a side that never does left it out.
    """

    def __init__(self, contest: Contest, side: int) -> None:
        self.fight = contest.fight
        self.sheet = contest.sides[side].fighters[0]
        self.conditions: list[Hashable] = []
        self.number: dict[Hashable, int] = {}
        self.members: list[list[int]] = []
        self.look: list[int] = []
        self.held: list[Hashable] = []
        self.is_out: list[bool] = []
        self.is_over: list[bool] = []
        self.begun: list[int] = []
        self.ended: list[int] = []
        self.effects: dict[Hashable, int] = {PASS: 0}
        self.changes: dict[tuple[int, int], int] = {}
        self._looks: dict[Hashable, int] = {}
        self._wanted: dict[tuple[int, Hashable], dict[Hashable, int]] = {}
        self._grown: dict[tuple[int, Hashable], tuple[int, int]] = {}
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
        fight, sheet = self.fight, self.sheet
        here = self.number[condition] = len(self.conditions)
        out, over = fight.is_out(sheet, condition), fight.ends(sheet, condition) is True
        self.conditions.append(condition)
        self.is_out.append(out)
        self.is_over.append(over)
        self.held.append(fight.held(condition))
        self.begun.append(here)
        self.ended.append(here)
        self.look.append(-1)
        if not (out or over):
            look = self._looks.setdefault(fight.shown(condition), len(self.members))
            if look == len(self.members):
                self.members.append([])
            self.members[look].append(here)
            self.look[here] = look
            self.begun[here] = self.add(fight.begin_turn(sheet, condition))
            self.ended[here] = self.add(fight.end_round(sheet, condition))
        return here

    def want(self, look: int, held: Hashable, effects: Iterable[Hashable]) -> None:
        """Effects that may befall conditions of a look; `held` narrows them down, if not None."""
        wanted = self._wanted.setdefault((look, held), {})
        for effect in effects:
            if effect not in wanted:
                wanted[effect] = self.effects.setdefault(effect, len(self.effects))

    def grow(self) -> bool:
        """Apply every wanted effect to every condition it may befall; whether any was new."""
        before = len(self.changes)
        for (look, held), wanted in self._wanted.items():
            n_members, n_effects = self._grown.get((look, held), (0, 0))
            members, effects = self.members[look], list(wanted.items())
            n_now = len(members)
            for place in range(n_now):
                if held is not None and self.held[members[place]] != held:
                    continue
                new = effects[n_effects:] if place < n_members else effects
                if new:
                    self._change(members[place], new)
            self._grown[look, held] = n_now, len(effects)
        return len(self.changes) > before

    def _change(self, here: int, effects: Iterable[tuple[Hashable, int]]) -> None:
        apply, sheet, condition = self.fight.apply, self.sheet, self.conditions[here]
        number, changes = self.number, self.changes
        for effect, its_number in effects:
            if (its_number, here) not in changes:
                after = condition if effect is PASS else apply(sheet, condition, effect)
                known = number.get(after)
                changes[its_number, here] = self.add(after) if known is None else known

    # -- as arrays, once nothing new comes up ----------------------------------------------------

    def left(self) -> dict[str, Ints]:
        """What is left of what can be spent, by name and condition."""
        import numpy as np  # heavy; only where fights are worked out

        rows = [self.fight.resources(self.sheet, condition) for condition in self.conditions]
        return {
            name: np.array([row[name] for row in rows]) + spare
            for name, spare in self.spare.items()
        }

    def map_of_effects(self) -> Ints:
        """Effect by condition: the condition after it."""
        import numpy as np  # heavy; only where fights are worked out

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
        while True:
            further = depth.copy()
            np.maximum.at(further, one, depth[other] + 1)
            if (further == depth).all():
                return component.astype(np.int64), depth
            depth = further


class Direction:
    """All rows of exchanges of one fighter with the other, as conditions call for them.

    Attributes:
        rows: the different rows.
        row_of: the number of the row for two looks and what the target holds back; None: the
            same for all.
    """

    def __init__(self, contest: Contest, side: int, parties: tuple[Party, Party]) -> None:
        self.contest, self.side = contest, side
        self.actor, self.target = parties[side], parties[1 - side]
        self.fight = contest.fight
        self.matchup = contest.matchup(side, self.actor.sheet, self.target.sheet)
        self.rows: list[Row] = []
        self._number: dict[int, int] = {}
        self.row_of: dict[tuple[int, int, Hashable], int] = {}
        self._reached: dict[tuple[int, int], int] = {}
        self.passed = self._keep(Row(((PASS, PASS),), (1,), 1))

    def _keep(self, row: Row) -> int:
        known = self._number.get(id(row))
        if known is None:
            known = self._number[id(row)] = len(self.rows)
            self.rows.append(row)
        return known

    def extend(self) -> None:
        """Work out every row that the conditions known by now call for."""
        actor, target = self.actor, self.target
        # A turn's first exchange is by somebody who has begun it, further ones by anybody.
        acts = actor.begun if self.fight.actions == 1 else range(len(actor.look))
        acting = sorted({actor.look[here] for here in acts if actor.look[here] >= 0})
        for mine, theirs in product(acting, range(len(target.members))):
            members = target.members[theirs]
            known = self._reached.get((mine, theirs), 0)
            if known == len(members) or (mine, theirs, None) in self.row_of:
                continue
            self._reached[mine, theirs] = len(members)
            one = actor.conditions[actor.members[mine][0]]
            for here in members[known:]:
                number = self._row(one, target.conditions[here])
                alike = self._is_alike(one, target.conditions[here])
                held = None if alike else target.held[here]
                self.row_of[mine, theirs, held] = number
                effects = self.rows[number].effects
                actor.want(mine, None, (effect for effect, _ in effects))
                target.want(theirs, held, (effect for _, effect in effects))
                if alike:
                    break

    def _is_alike(self, one: Hashable, other: Hashable) -> bool:
        """Whether the row is the same whatever the target holds back."""
        return all(
            self.matchup.is_shared(deed, one, other, self.fight.context(()))
            for deed in self.contest.deeds(self.side, self.actor.sheet, one)
            if deed.on == "foe"
        )

    def _row(self, one: Hashable, other: Hashable) -> int:
        for deed in self.contest.deeds(self.side, self.actor.sheet, one):
            if deed.on == "foe":
                row = self.matchup.row(deed, one, other, self.fight.context(()))
                if row is not None:
                    return self._keep(row)
        return self.passed

    def numbers(self, *, begins: bool = True) -> Ints:
        """Row by the actor's condition and the target's; -1 where none is.

        Args:
            begins: whether it is the first exchange of a turn, so that the turn begins.
        """
        import numpy as np  # heavy; only where fights are worked out

        actor, target = self.actor, self.target
        helds: dict[Hashable, int] = {}
        kinds: dict[tuple[int, int], int] = {}
        kind = []
        for here, look in enumerate(target.look):
            held = helds.setdefault(target.held[here], len(helds))
            kind.append(kinds.setdefault((look, held), len(kinds)))
        names = list(helds)
        table = np.full((len(actor.members) + 1, len(kinds)), -1)
        for (look, held), column in kinds.items():
            for mine in range(len(actor.members)):
                shared = self.row_of.get((mine, look, None), -1)
                table[mine, column] = self.row_of.get((mine, look, names[held]), shared)
        looks = np.array(actor.look)
        if begins:
            looks = looks[np.array(actor.begun)]
        rows = table[looks[:, None], np.array(kind)[None, :]]
        return np.where(rows < 0, self.passed, rows)

    def padded(self) -> tuple[Ints, Ints, Floats]:
        """Effects on the actor, on the target, and probabilities, row by row."""
        import numpy as np  # heavy; only where fights are worked out

        long = max(len(row.weights) for row in self.rows)
        mine = np.zeros((len(self.rows), long), np.int64)
        theirs = np.zeros_like(mine)
        chance = np.zeros(mine.shape)
        for number, row in enumerate(self.rows):
            size = len(row.weights)
            mine[number, :size] = [self.actor.effects[effect] for effect, _ in row.effects]
            theirs[number, :size] = [self.target.effects[effect] for _, effect in row.effects]
            chance[number, :size] = [weight / row.total for weight in row.weights]
        return mine, theirs, chance


class Case(NamedTuple):
    """One way in which a duel can begin, and how likely it is.

    `goes_first` says who acts first in the first round: a side's number, or None for a tie that
    is rolled off.
    """

    name: str
    chance: Fraction
    goes_first: int | None


class Round(NamedTuple):
    """How things stand after a round: both standing, one side has won, a draw, ended by rule."""

    number: int
    going_on: float
    won: tuple[float, float]
    drawn: float
    ended: float


@dataclass(frozen=True)
class Answers:
    """What comes of a duel.

    Attributes:
        won: probability that each side wins. drawn: that both are out; ended: that a rule ends
            the fight; endless: that it never ends; stalled: that a limit of rounds is reached.
            They add up to one.
        rounds: mean number of rounds; infinite if the fight can be endless.
        left: mean points left of a side if it has won; 0 if it never wins.
        resources: mean of what each side has left of what can be spent, when it is over.
    """

    won: tuple[float, float]
    drawn: float
    ended: float
    endless: float
    stalled: float
    rounds: float
    left: tuple[float, float]
    resources: tuple[dict[str, float], dict[str, float]]


@dataclass(frozen=True)
class DuelResult(Answers):
    """A duel to the end.

    Attributes:
        cases: the answers for each way to begin.
        states: how many states there are; exchanges: how many different exchanges.
        residual: by how much the equations are missed at most.
    """

    cases: tuple[tuple[Case, Answers], ...]
    states: int
    exchanges: int
    residual: float


class _Start(NamedTuple):
    """A case with the probability, for each pair of conditions, that side one goes first."""

    case: Case
    leads: Floats | float


class Duel:
    """A duel worked out: one fighter of each side, to the end.

    Args:
        contest: the fight; only the first fighter of each side takes part.
        most_pairs: how many pairs of conditions there may be.

    Raises:
        LimitError: more pairs of conditions than allowed.
        SetupError: as for `Contest`.
    """

    direction: type[Direction] = Direction

    def __init__(self, contest: Contest, *, most_pairs: int = MOST_PAIRS) -> None:
        self.contest = contest
        self.most_pairs = most_pairs
        self.parties = (Party(contest, 0), Party(contest, 1))
        kind = self.direction
        self.directions = (kind(contest, 0, self.parties), kind(contest, 1, self.parties))
        self.residual = 0.0
        self._close()

    def _close(self) -> None:
        """Conditions and rows call for each other until nothing new comes up."""
        growing = True
        while growing:
            for direction in self.directions:
                direction.extend()
            grown = [party.grow() for party in self.parties]
            growing = any(grown)
            one, other = (len(party.conditions) for party in self.parties)
            if one * other > self.most_pairs:
                raise LimitError(
                    f"{self.contest.system.id}: over {one} x {other} pairs of conditions; allowed "
                    f"are {self.most_pairs}. Settle more choices, or fight a battle instead",
                    states=one * other,
                )

    # -- who goes first ------------------------------------------------------------------------

    def _starts(self) -> Iterator[_Start]:
        """Every way to begin that makes a difference."""
        names = [side.name for side in self.contest.sides]
        by_ahead: dict[int, Fraction] = {}
        for lead in leads(self.contest):
            if lead.side is None:
                by_ahead[lead.ahead] = lead.chance
            else:
                case = Case(f"{names[lead.side]} goes first", lead.chance, lead.side)
                yield _Start(case, 1.0 - lead.side)
        if by_ahead:
            yield from self._initiatives(by_ahead)

    def _initiatives(self, by_ahead: dict[int, Fraction]) -> Iterator[_Start]:
        import numpy as np  # heavy; only where fights are worked out

        fight, rulings = self.contest.fight, self.contest.rulings
        assert fight.initiative is not None  # Contest saw to it
        numbers, ties = [], []
        for party in self.parties:
            rows = [fight.initiative(party.sheet, c, rulings) for c in party.conditions]
            numbers.append(np.array([row[0] for row in rows]))
            ties.append(np.array([row[1] for row in rows]))
        tie = np.sign(ties[0][:, None] - ties[1][None, :])
        found: dict[bytes, tuple[Fraction, Floats]] = {}
        for ahead, chance in by_ahead.items():
            order = np.sign(numbers[0][:, None] - numbers[1][None, :] + ahead)
            first = (np.where(order == 0, tie, order) + 1) / 2
            known = found.setdefault(first.tobytes(), (Fraction(0), first))
            found[first.tobytes()] = (known[0] + chance, known[1])
        names = [side.name for side in self.contest.sides]
        start = self.parties[0].start, self.parties[1].start
        for chance, first in found.values():
            at_start = float(first[start])
            number = None if at_start == 0.5 else 1 - int(at_start)
            name = "a tie, rolled off" if number is None else f"{names[number]} goes first"
            whole = first.min() == first.max() and at_start in {0.0, 1.0}
            yield _Start(Case(name, chance, number), at_start if whole else first)

    # -- the sweep -------------------------------------------------------------------------------

    def solve(self, rounds: int | None = None) -> DuelResult:
        """Work out who wins, from the start, for every way to begin.

        Args:
            rounds: after how many rounds the fight is called off; None: never.
        """
        rows: list[tuple[Case, Answers]] = []
        states = 0
        for start in self._starts():
            sweep = self._sweep(start.leads)
            if rounds is None:
                values = sweep.run(self.questions, ROUNDS)
                row = values[0, self.start_pair]
                self.residual = max(self.residual, sweep.residual)
            else:
                row = self._stepped(sweep, rounds)
            states = max(states, sweep.n_phases * sweep.n_pairs)
            rows.append((start.case, self._answers(row, stalls=rounds is not None)))
        merged: dict[str, list[tuple[Case, Answers]]] = {}
        for case, answers in rows:
            merged.setdefault(case.name, []).append((case, answers))
        cases = tuple(_averaged(group) for group in merged.values())
        whole = _averaged(list(cases))[1]
        exchanges = sum(len(direction.rows) - 1 for direction in self.directions)
        return DuelResult(
            **vars(whole), cases=cases, states=states, exchanges=exchanges, residual=self.residual
        )

    @cached_property
    def questions(self) -> Floats:
        """What each pair of conditions is worth when the fight is over: a column a question."""
        import numpy as np  # heavy; only where fights are worked out

        one, other = self.parties
        out = np.array(one.is_out)[:, None], np.array(other.is_out)[None, :]
        over = np.array(one.is_over)[:, None] | np.array(other.is_over)[None, :]
        won, lost = out[1] & ~out[0], out[0] & ~out[1]
        drawn = out[0] & out[1]
        ended = over & ~out[0] & ~out[1]
        columns = [won, lost, drawn, ended, np.zeros(won.shape)]
        done = won | lost | drawn | ended
        for number, party in enumerate(self.parties):
            vitals = np.array([party.fight.vitals(party.sheet, c) for c in party.conditions])
            columns.append((won, lost)[number] * (vitals[:, None] if number == 0 else vitals))
        columns += [done * left for left in self._left()]
        return np.stack([np.broadcast_to(c, won.shape) for c in columns], -1).astype(float)

    def _left(self) -> list[Ints]:
        """What either side has left of what can be spent, by pair of conditions."""
        one, other = self.parties
        return [
            *(left[:, None] for left in one.left().values()),
            *(left[None, :] for left in other.left().values()),
        ]

    def by_round(self, most_rounds: int | None = None) -> tuple[Round, ...]:
        """How things stand after each round, until next to nothing goes on.

        Args:
            most_rounds: how many rounds at most.
        """
        columns = self.questions.reshape(-1, self.questions.shape[-1])[:, :ROUNDS]
        mixed: list[Floats] = []
        for start in self._starts():
            share, ended = float(start.case.chance), columns[0] * 0
            course: list[Floats] = []
            for on, over in self._sweep(start.leads).rounds(self.start_pair):
                ended = ended + over @ columns
                course.append(share * ended)
                enough = len(course) == (most_rounds or MOST_ROUNDS)
                if enough or on.sum() < SETTLED:
                    break
            while len(mixed) < len(course):
                mixed.append(mixed[-1] if mixed else ended * 0)
            for number in range(len(mixed)):
                mixed[number] = mixed[number] + course[min(number, len(course) - 1)]
        return tuple(
            Round(number, max(0.0, 1 - float(row.sum())), (float(row[0]), float(row[1])),
                  float(row[2]), float(row[3]))
            for number, row in enumerate(mixed, start=1)
        )  # fmt: skip

    def _sweep(self, leads: Floats | float) -> Sweep:
        from affray.engine.duels.sweep import Sweep  # numpy; only where fights are worked out

        return Sweep(self, leads)

    @property
    def start_pair(self) -> int:
        """The pair of conditions in which the duel begins."""
        one, other = self.parties
        return one.start * len(other.conditions) + other.start

    def _stepped(self, sweep: Sweep, most_rounds: int) -> Floats:
        """The answers after so many rounds, column by column."""
        columns = self.questions.reshape(-1, self.questions.shape[-1])
        row: Floats = columns[0] * 0
        going_on = float(sweep.going_on().ravel()[self.start_pair])
        for number, (on, over) in enumerate(sweep.rounds(self.start_pair), start=1):
            row += over @ columns
            row[ROUNDS] += going_on
            going_on = float(on.sum())
            if number == most_rounds or not going_on:
                still = on.reshape(self.questions.shape[:2])
                row[RESOURCES:] += [float((still * left).sum()) for left in self._left()]
                break
        return row

    def _answers(self, row: Floats, *, stalls: bool) -> Answers:
        won, drawn, ended = (float(row[0]), float(row[1])), float(row[2]), float(row[3])
        rest = 1 - won[0] - won[1] - drawn - ended
        rest = 0.0 if isclose(rest, 0, abs_tol=1e-9) else rest
        points = row[ROUNDS + 1 : RESOURCES]
        left = [float(total) / p if p else 0.0 for total, p in zip(points, won, strict=True)]
        numbers = iter(row[RESOURCES:].tolist())
        resources = [dict(zip(party.spare, numbers, strict=False)) for party in self.parties]
        endless, stalled = (0.0, rest) if stalls else (rest, 0.0)
        rounds = float("inf") if endless else float(row[ROUNDS])
        return Answers(
            won, drawn, ended, endless, stalled, rounds, (left[0], left[1]),
            (resources[0], resources[1]),
        )  # fmt: skip


ROUNDS, RESOURCES = 4, 7
"""The column that counts rounds, and the first of those for what is left of what can be spent."""


def _averaged(rows: list[tuple[Case, Answers]]) -> tuple[Case, Answers]:
    """Several ways to begin as one."""
    total = sum((case.chance for case, _ in rows), Fraction(0))
    shares = [float(case.chance / total) for case, _ in rows]

    def mean(numbers: Iterable[float]) -> float:
        return sum(share * number for share, number in zip(shares, numbers, strict=True))

    every = [answers for _, answers in rows]
    won = [mean(answers.won[n] for answers in every) for n in (0, 1)]
    left = [mean(answers.left[n] * answers.won[n] for answers in every) for n in (0, 1)]
    resources = [
        {name: mean(answers.resources[n][name] for answers in every)
         for name in every[0].resources[n]}
        for n in (0, 1)
    ]  # fmt: skip
    whole = Answers(
        won=(won[0], won[1]),
        drawn=mean(answers.drawn for answers in every),
        ended=mean(answers.ended for answers in every),
        endless=mean(answers.endless for answers in every),
        stalled=mean(answers.stalled for answers in every),
        rounds=mean(answers.rounds for answers in every),
        left=(left[0] / (won[0] or 1), left[1] / (won[1] or 1)),
        resources=(resources[0], resources[1]),
    )
    return rows[0][0]._replace(chance=total), whole
