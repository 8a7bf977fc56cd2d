"""Battles followed branch by branch, one condition after the other, by the letter of `Fight`.

The rows of exchanges are affray's; order of turns, targets, deeds, the end, and what is counted
are told here again, in the plainest way there is. Nothing is drawn: all branches are followed,
with their probabilities.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any, NamedTuple, cast

from affray.core.reading import enumerated
from affray.engine.fight.contest import Contest
from affray.engine.fight.matchup import Encounter
from affray.engine.fight.targeting import Foe, Targeting, View

Conditions = tuple[Hashable, ...]
Times = tuple[int, ...]
Spread = dict[tuple[Conditions, Times], float]
GONE = 1e-9
"""Less than that still going on is called stalled: samples are surer of nothing."""


class Branch(NamedTuple):
    """One way in which an exchange may end.

    Attributes:
        state: conditions, and how often each was aimed at. chance: of this way.
        tally: which sums grow, for whom, and by how much.
    """

    state: tuple[Conditions, Times]
    chance: float
    tally: tuple[tuple[list[float], int, int], ...]


@dataclass
class Counted:
    """Probabilities of the ends, rounds by probability, and means by fighter."""

    n_fighters: int
    won: list[float] = field(default_factory=lambda: [0.0, 0.0])
    drawn: float = 0.0
    ended: float = 0.0
    stalled: float = 0.0
    histogram: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    survivors: list[dict[int, float]] = field(
        default_factory=lambda: [defaultdict(float), defaultdict(float)]
    )

    def __post_init__(self) -> None:
        self.survives, self.dealt, self.taken, self.outs = (
            [0.0] * self.n_fighters for _ in range(4)
        )

    @property
    def rounds(self) -> float:
        return sum(number * p for number, p in self.histogram.items())


class Counting:
    """One battle to be counted."""

    def __init__(
        self, contest: Contest, targeting: tuple[Targeting, Targeting], rounds: int
    ) -> None:
        self.contest, self.fight, self.targeting = contest, contest.fight, targeting
        self.most_rounds = rounds
        self.sides = [side for side, _ in contest.sheets]
        self.sheets: list[Any] = [sheet for _, sheet in contest.sheets]
        self.everybody = range(len(self.sheets))
        self.of = [[who for who in self.everybody if self.sides[who] == side] for side in (0, 1)]
        self.nobody_yet = (0,) * len(self.sheets)
        self.verdict, self.branches = cache(self._verdict), cache(self._branches)
        self.start = tuple(self.fight.enter(sheet, contest.rulings) for sheet in self.sheets)
        self.points = [self.vitals(self.start, who) for who in self.everybody]
        self.found = Counted(len(self.sheets))

    # -- looking ---------------------------------------------------------------------------------

    def is_out(self, conditions: Conditions, who: int) -> bool:
        return self.fight.is_out(self.sheets[who], conditions[who])

    def vitals(self, conditions: Conditions, who: int) -> int:
        return self.fight.vitals(self.sheets[who], conditions[who])

    def _verdict(self, conditions: Conditions) -> str:
        out = []
        for side in (0, 1):
            fallen = [who for who in self.of[side] if self.is_out(conditions, who)]
            enough = self.contest.sides[side].yields_at or len(self.of[side])
            out.append(len(fallen) >= enough)
        if out[0] or out[1]:
            return "drawn" if all(out) else ("other" if out[0] else "one")
        for side in (0, 1):
            says = [self.fight.ends(self.sheets[who], conditions[who]) for who in self.of[side]]
            if True in says and False not in says:
                return "ended"
        return ""

    # -- the course ------------------------------------------------------------------------------

    def count(self) -> Counted:
        for rolls, chance in self.rolls():
            for first, share in (("one", 0.5), ("other", 0.5)):
                if self.contest.first == "coin":
                    self.follow(rolls, first, chance * share)
                elif first == "one":
                    self.follow(rolls, self.contest.first, chance)
        return self.found

    def rolls(self) -> Iterator[tuple[tuple[int, ...], float]]:
        roll = self.fight.initiative_roll
        if self.contest.first != "initiative" or roll is None:
            yield (0,) * len(self.sheets), 1.0
            return
        every = []
        for sheet in self.sheets:
            counts = enumerated(*roll(sheet, self.contest.rulings))
            total = sum(counts.values())
            every.append([(number, weight / total) for number, weight in counts.items()])
        for each in product(*every):
            chance = 1.0
            for _, share in each:
                chance *= share
            yield tuple(rolled for rolled, _ in each), chance

    def follow(self, rolls: tuple[int, ...], first: str, chance: float) -> None:
        on = self.settled({(self.start, self.nobody_yet): chance}, 0)
        number = 0
        while on and number < self.most_rounds and sum(on.values()) > GONE * chance:
            number += 1
            fresh: dict[tuple[int, ...], Spread] = defaultdict(lambda: defaultdict(float))
            for (conditions, _), p in on.items():
                for order, share in self.orders(conditions, rolls, first):
                    fresh[tuple(order)][conditions, self.nobody_yet] += p * share
            after: Spread = defaultdict(float)
            for who_acts, begun in fresh.items():
                for state, q in self.round(begun, who_acts, number).items():
                    after[state] += q
            ended: Spread = defaultdict(float)
            for (conditions, times), p in after.items():
                late = tuple(
                    self.fight.end_round(sheet, one)
                    for sheet, one in zip(self.sheets, conditions, strict=True)
                )
                ended[late, times] += p
            on = self.settled(ended, number)
        for (conditions, _), p in on.items():
            self.over("stalled", conditions, p, number)

    def round(self, on: Spread, order: Sequence[int], number: int) -> Spread:
        if self.contest.first.startswith("alternate"):
            return self.alternately(on, number)
        for who in order:
            on = self.turn(on, who, number)
        return on

    def alternately(self, on: Spread, number: int) -> Spread:
        """Sides take turns of so many fighters; next is the first to come who stands."""
        leads = int(self.contest.first == "alternate_other")
        size = max(len(self.of[0]), len(self.of[1]))
        going = {(*state, (-1, -1)): p for state, p in on.items()}
        for _ in range(0, size, self.contest.at_a_time):
            for side in [leads] * self.contest.at_a_time + [1 - leads] * self.contest.at_a_time:
                after: dict[Any, float] = defaultdict(float)
                for (conditions, times, last), p in going.items():
                    standing = [
                        who for who in self.of[side]
                        if who > last[side] and not self.is_out(conditions, who)
                    ]  # fmt: skip
                    who = standing[0] if standing else len(self.sheets)
                    spread: Spread = {(conditions, times): p}
                    if standing:
                        spread = self.turn(spread, who, number)
                    for state, q in spread.items():
                        after[(*state, put(last, side, who))] += q
                going = after
        found: Spread = defaultdict(float)
        for (conditions, times, _), p in going.items():
            found[conditions, times] += p
        return found

    def turn(self, on: Spread, who: int, number: int) -> Spread:
        begun: Spread = defaultdict(float)
        for (conditions, times), p in on.items():
            one = conditions[who]
            if not self.is_out(conditions, who):
                one = self.fight.begin_turn(self.sheets[who], one)
            begun[put(conditions, who, one), times] += p
        on = self.settled(begun, number)
        for action in range(self.fight.actions):
            after: Spread = defaultdict(float)
            for (conditions, times), p in on.items():
                own = self.fight.actions_of
                if own is not None and own(self.sheets[who], conditions[who]) <= action:
                    after[conditions, times] += p
                    continue
                for state, q in self.exchange(conditions, times, who, p):
                    after[state] += q
            on = self.settled(after, number)
        return on

    def settled(self, on: Spread, number: int) -> Spread:
        """Those that go on."""
        going: Spread = {}
        for (conditions, times), p in on.items():
            verdict = self.verdict(conditions)
            if verdict:
                self.over(verdict, conditions, p, number)
            else:
                going[conditions, times] = p
        return going

    def over(self, verdict: str, conditions: Conditions, p: float, number: int) -> None:
        found = self.found
        if verdict in {"one", "other"}:
            found.won[verdict == "other"] += p
        else:
            setattr(found, verdict, getattr(found, verdict) + p)
        found.histogram[number] += p
        for side in (0, 1):
            standing = [who for who in self.of[side] if not self.is_out(conditions, who)]
            found.survivors[side][len(standing)] += p
            for who in standing:
                found.survives[who] += p

    def orders(
        self, conditions: Conditions, rolls: tuple[int, ...], first: str
    ) -> list[tuple[list[int], float]]:
        one, other = self.of[0], self.of[1]
        if first == "one":
            return [(one + other, 1.0)]
        if first == "other":
            return [(other + one, 1.0)]
        if first.startswith("alternate") or first == "seats":
            pairs = (other, one) if first == "alternate_other" else (one, other)
            longest = max(len(one), len(other))
            return [([s[n] for n in range(longest) for s in pairs if n < len(s)], 1.0)]
        assert self.fight.initiative is not None
        keys = []
        for who in self.everybody:
            value, tie = self.fight.initiative(
                self.sheets[who], conditions[who], self.contest.rulings
            )
            keys.append((value + rolls[who], tie))
        groups = [
            [who for who in self.everybody if keys[who] == key]
            for key in sorted(set(keys), reverse=True)
        ]
        every = [
            [who for group in groups_ for who in group]
            for groups_ in product(*[list(permutations(group)) for group in groups])
        ]
        return [(order, 1 / len(every)) for order in every]

    # -- one exchange ----------------------------------------------------------------------------

    def exchange(
        self, conditions: Conditions, times: Times, who: int, p: float
    ) -> Iterator[tuple[tuple[Conditions, Times], float]]:
        for state, chance, tally in self.branches(conditions, times, who):
            for sums, whom, amount in tally:
                sums[whom] += p * chance * amount
            yield state, p * chance

    def _branches(self, conditions: Conditions, times: Times, who: int) -> list[Branch]:
        return list(self.followed(conditions, times, who))

    def followed(self, conditions: Conditions, times: Times, who: int) -> Iterator[Branch]:
        fight, side = self.fight, self.sides[who]
        if self.is_out(conditions, who):
            yield Branch((conditions, times), 1.0, ())
            return
        idle = self.contest.sides[side].idle
        deeds = () if idle else fight.deeds(self.sheets[who], conditions[who])
        for targets, share in self.aims(conditions, times, who):
            for deed in deeds:
                whom = targets[deed.on]
                if whom is None:
                    continue
                mates = [
                    (self.sheets[n], conditions[n]) for n in self.of[self.sides[whom]] if n != whom
                ]
                friend = deed.on != "foe"
                matchup = self.contest.matchup(
                    side, self.sheets[who], self.sheets[whom], friend=friend
                )
                row = matchup.odds(
                    Encounter(deed, conditions[who], conditions[whom], fight.context(mates))
                )
                if row is None:
                    continue
                helped = row.helped or ((),) * len(row.effects)
                every = zip(row.effects, helped, row.weights, strict=True)
                others = [n for n in self.of[self.sides[whom]] if n != whom]
                for (mine, theirs), mates_suffer, weight in every:
                    tally: list[tuple[list[float], int, int]] = []
                    after = self.hit(conditions, (who, mine), whom, tally)
                    after = self.hit(after, (whom, theirs), who, tally)
                    for place, effect in mates_suffer:
                        after = self.hit(after, (others[place], effect), who, tally)
                    more = times
                    if deed.on == "foe" and "spread" in self.targeting:
                        more = cast("Times", put(times, whom, times[whom] + 1))
                    yield Branch((after, more), share * weight / row.total, tuple(tally))
                break
            else:
                yield Branch((conditions, times), share, ())

    def hit(
        self,
        conditions: Conditions,
        suffers: tuple[int, Hashable],
        by: int,
        tally: list[tuple[list[float], int, int]],
    ) -> Conditions:
        """What becomes of one; damage counts as far as there were points, between foes."""
        whom, effect = suffers
        harm = max(0, min(self.fight.harm(effect), self.vitals(conditions, whom)))
        after = put(conditions, whom, self.fight.apply(self.sheets[whom], conditions[whom], effect))
        tally.append((self.found.taken, whom, harm))
        if self.sides[by] != self.sides[whom]:
            tally.append((self.found.dealt, by, harm))
            if self.is_out(after, whom) and not self.is_out(conditions, whom):
                tally.append((self.found.outs, by, 1))
        return after

    def aims(
        self, conditions: Conditions, times: Times, who: int
    ) -> Iterator[tuple[dict[str, int | None], float]]:
        side = self.sides[who]
        fallen = [n for n in self.of[side] if n != who and self.is_out(conditions, n)]
        foes = [n for n in self.of[1 - side] if not self.is_out(conditions, n)]
        others: dict[str, int | None] = {
            "self": who, "fallen friend": fallen[0] if fallen else None
        }  # fmt: skip
        rule = self.targeting[side]
        if rule == "random":
            for foe in foes:
                yield {**others, "foe": foe}, 1 / len(foes)
            return
        yield {**others, "foe": self.chosen(rule, conditions, times, (who, foes))}, 1.0

    def chosen(
        self, rule: Targeting, conditions: Conditions, times: Times, which: tuple[int, list[int]]
    ) -> int:
        who, foes = which
        first = self.of[1 - self.sides[who]][0]
        if callable(rule):
            view = View(
                who - self.of[self.sides[who]][0],
                tuple(
                    Foe(n - first, self.sheets[n].name, self.sheets[n], conditions[n],
                        self.vitals(conditions, n))
                    for n in foes
                ),
            )  # fmt: skip
            return first + rule(view)
        keys: dict[str, Callable[[int], Any]] = {
            "weakest": lambda n: self.vitals(conditions, n),
            "strongest": lambda n: -self.vitals(conditions, n),
            "nearest_out": lambda n: Fraction(self.vitals(conditions, n), self.points[n]),
            "spread": lambda n: (times[n], self.vitals(conditions, n)),
            "in_order": lambda n: 0,
        }
        return min(foes, key=keys[rule])


def put(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


def counted(
    contest: Contest,
    targeting: tuple[Targeting, Targeting] = ("weakest", "weakest"),
    rounds: int = 1000,
) -> Counted:
    """Everything about a battle that can be counted."""
    return Counting(contest, targeting, rounds).count()
