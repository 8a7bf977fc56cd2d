"""What befalls fighters between turns, at counts of initiative, followed through every engine."""

from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from random import Random

import pytest

from affray.engine.fight.course import Befallen, Course, FighterId, Moment, Phase, Report, Standing
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import solve_exactly
from affray.engine.fight.played.chances import exact_chances, sampled_chances
from affray.engine.fight.played.play import play_battle, replay
from affray.engine.fight.played.session import FightSession
from affray.engine.fight.sampled.battle import Battle
from tests import fight_systems as games
from tests.fight_systems import Fighter

F = Fraction
ONE, OTHER = FighterId(0, 0), FighterId(1, 0)

Hp = tuple[int, int]


Ends = tuple[Fraction, Fraction, Fraction]
"""How likely side one wins, the other one, and nobody."""


def ends_by_hand(one: Fighter, other: Fighter) -> Ends:
    """How it ends, by plain arithmetic: every roll, every order, every blow."""
    both = one, other
    total = [F(0)] * 3
    sums = [[max(faces) for faces in product((1, 2, 3), repeat=who.quickness)] for who in both]
    ways = len(sums[0]) * len(sums[1])
    for mine, theirs in product(*sums):
        rolled = mine, theirs
        storms = sorted(
            ((who.speed, side) for side, who in enumerate(both) if who.bleeds), reverse=True
        )
        firsts = (0, 1) if mine == theirs else (int(theirs > mine),)
        for first in firsts:
            events: list[tuple[str, tuple[int, ...]]] = []
            left = list(storms)
            for side in (first, 1 - first):
                while left and left[0][0] > rolled[side]:
                    events.append(fallen(both, left.pop(0)[1]))
                events.append(("turn", (side,)))
            events += [fallen(both, by) for _, by in left]
            for place, chance in enumerate(value(both, tuple(events))):
                total[place] += chance / ways / len(firsts)
    return total[0], total[1], total[2]


def fallen(both: tuple[Fighter, Fighter], by: int) -> tuple[str, tuple[int, ...]]:
    """A storm, and whom it befalls: all of them before anybody has won."""
    return f"storm {by}", (0, 1) if both[by].yields else (1 - by,)


def value(both: tuple[Fighter, Fighter], order: tuple[tuple[str, tuple[int, ...]], ...]) -> Ends:
    """How it ends where each round has this order.

    Points only fall, unless nobody loses any: then the round comes again.
    """

    @cache
    def from_round(hp: Hp) -> Ends:
        if not hp[0] or not hp[1]:
            return F(hp[0] > hp[1]), F(hp[1] > hp[0]), F(hp[0] == hp[1])
        found, again = [F(0)] * 3, F(0)
        for after, chance in round_of(hp).items():
            if after == hp:
                again += chance
            else:
                found = [x + chance * y for x, y in zip(found, from_round(after), strict=True)]
        one, other, nobody = (x / (1 - again) for x in found)
        return one, other, nobody

    def round_of(hp: Hp) -> dict[Hp, F]:
        now = {hp: F(1)}
        for what, sides in order:
            then: dict[Hp, F] = {}
            for points, chance in now.items():
                if not points[0] or not points[1]:
                    then[points] = then.get(points, F(0)) + chance
                    continue
                if what == "turn":
                    (side,) = sides
                    harms = [(1 - side, both[side].sides, both[1 - side].armor)]
                else:
                    harms = [(side, both[int(what[-1])].bleeds, 0) for side in sides]
                for faces in product(*(range(1, sides + 1) for _, sides, _ in harms)):
                    lost = list(points)
                    for (struck, _, armor), face in zip(harms, faces, strict=True):
                        lost[struck] = max(0, lost[struck] - max(0, face - armor))
                    key = lost[0], lost[1]
                    ways = prod(sides for _, sides, _ in harms)
                    then[key] = then.get(key, F(0)) + chance / ways
            now = then
        return now

    return from_round((both[0].hp, both[1].hp))


CASES = [
    (Fighter("a", 5, sides=3, quickness=1),
     Fighter("b", 4, sides=2, quickness=1, bleeds=2, speed=2)),
    (Fighter("a", 5, sides=3, quickness=1, bleeds=1, speed=3),
     Fighter("b", 5, sides=3, quickness=2, bleeds=2, speed=2)),
    (Fighter("a", 4, sides=2, quickness=2, bleeds=2, speed=2, yields=1),
     Fighter("b", 4, sides=3, quickness=1, armor=1)),
    (Fighter("a", 4, sides=2, quickness=1, bleeds=3, speed=9),
     Fighter("b", 6, sides=3, quickness=1, bleeds=2, speed=-9)),
    (Fighter("a", 3, sides=1, quickness=1, bleeds=2, speed=4, yields=1),
     Fighter("b", 3, sides=1, quickness=1, bleeds=2, speed=0, yields=1)),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), CASES)
def test_engines_agree_on_interludes(one: Fighter, other: Fighter) -> None:
    contest = games.contest(games.stormy, one, other, "initiative")
    ends = ends_by_hand(one, other)
    exact = solve_exactly(contest)
    assert (*exact.won, exact.drawn) == ends
    expected = tuple(map(float, ends))
    duel = Duel(contest)
    last = duel.by_round(50)[-1]
    for found in (duel.solve(), last):
        assert (*found.won, found.drawn) == pytest.approx(expected, abs=1e-12)
    battles = Battle(contest).run(20_000, seed=7)
    for sampled, chance in zip((*battles.won, battles.drawn), expected, strict=True):
        assert abs(sampled.value - chance) <= 5 * (chance * (1 - chance) / 20_000) ** 0.5


@pytest.mark.parametrize("seed", range(8))
def test_a_storm_on_everybody_is_fair_to_equals(seed: int) -> None:
    rng = Random(seed)
    same = Fighter(
        "a", rng.randint(1, 4), sides=rng.randint(1, 3), quickness=1, bleeds=rng.randint(1, 3),
        speed=rng.choice((-9, 2, 9)), yields=1,
    )  # fmt: skip
    contest = games.contest(games.stormy, same, same, "initiative")
    exact = solve_exactly(contest)
    assert exact.won[0] == exact.won[1]
    assert (*exact.won, exact.drawn) == ends_by_hand(same, same)
    solved = Duel(contest).solve()
    assert (*solved.won, solved.drawn) == pytest.approx((*exact.won, exact.drawn), abs=1e-12)


def test_everybody_falls_in_a_storm_that_nobody_stands() -> None:
    """Three against two; played and sampled."""
    sides = [Fighter("a", 1, bleeds=1, speed=9, quickness=1, yields=1)] * 3
    contest = games.contest(games.stormy, tuple(sides), tuple(sides[:2]), "initiative")
    assert play_battle(contest, seed=1, rounds=5).verdict == "drawn"
    assert Battle(contest).run(100, seed=1).drawn.value == 1


def test_chances_of_a_fight_in_play_know_of_interludes() -> None:
    contest = games.contest(games.stormy, *CASES[1], "initiative")
    expected = float(ends_by_hand(*CASES[1])[0])
    here = FightSession(contest).position
    exact = exact_chances(here)
    assert exact is not None
    assert exact.won[0].value == pytest.approx(expected, abs=1e-9)
    drawn = sampled_chances(here, most=1000)
    assert abs(drawn.won[0].value - expected) < 5 * 0.5 / 1000**0.5


@pytest.mark.parametrize(
    ("rolls", "round_one"),
    [
        ((3, 1), ["attack 0", "storm 0", "attack 1"]),
        ((1, 3), ["attack 1", "storm 0", "attack 0"]),
        ((2, 3), ["attack 1", "attack 0", "storm 0"]),
        ((1, 1), ["storm 0", "attack 0", "attack 1"]),
    ],
)
def test_it_comes_between_turns_at_its_count(rolls: tuple[int, int], round_one: list[str]) -> None:
    """A storm at 2 comes after whoever rolled 2 or more."""
    one = Fighter("a", 60, sides=2, quickness=1)
    other = Fighter("b", 60, sides=2, quickness=1, bleeds=2, speed=2)
    session = FightSession(games.contest(games.stormy, one, other, "initiative"))
    session = session.answer([rolls[0]]).answer([rolls[1]])
    if rolls[0] == rolls[1]:
        session = session.answer(["a"])
    while session.moment.round == 1:
        question = session.question
        assert question is not None
        attacks = [o.name for o in question.options if o.name.startswith("attack")]
        session = session.answer(attacks[0] if attacks else [1])
    done = [
        f"{event.deed} {event.fighter.side}"
        for event in session.log
        if event.kind == "exchange" and event.fighter is not None and event.round == 1
    ]
    assert done == round_one


def test_battles_are_replayed_with_their_interludes() -> None:
    storm = Fighter("s", 9, sides=2, quickness=1, bleeds=2, speed=2, yields=1)
    weak = Fighter("w", 6, sides=2, quickness=2)
    contest = games.contest(games.stormy, (weak, weak), (storm, weak), "initiative")
    for seed in range(5):
        played = play_battle(contest, seed=seed)
        again = replay(contest, played.record)
        assert (again.conditions, again.verdict) == (played.conditions, played.verdict)
        storms = [entry for entry in played.exchanges if entry.deed == "storm"]
        assert {entry.target for entry in storms} == {entry.actor for entry in storms}
        assert len({entry.actor for entry in storms if entry.round == 1}) == 4


def test_sampled_battles_agree_with_played_ones() -> None:
    storm = Fighter("s", 6, sides=2, quickness=1, bleeds=2, speed=2)
    weak = Fighter("w", 6, sides=2, quickness=2)
    contest = games.contest(games.stormy, (weak, weak), (storm, storm), "initiative")
    won = [play_battle(contest, seed=seed).verdict == "one" for seed in range(300)]
    share = Battle(contest).run(20_000, seed=1).won[0].value
    assert abs(sum(won) / 300 - share) < 5 * 0.5 / 300**0.5


def test_without_initiative_they_come_first_in_a_round() -> None:
    one, other = CASES[0]
    contest = games.contest(games.stormy, one, other, "other")
    slots = contest.course.of_two().slots((OTHER, ONE))
    assert [(slot.actor, slot.interlude) for slot in slots] == [(ONE, 0), (OTHER, -1), (ONE, -1)]
    played = play_battle(contest, seed=1, rounds=1)
    assert next(entry.deed for entry in played.exchanges) == "storm"


def test_whoever_is_out_is_spared() -> None:
    contest = games.contest(games.stormy, (CASES[0][0],) * 2, (CASES[0][1],), "one")
    course = contest.course
    standing = Standing(((True, False), (False,)), ((None, None), (None,)))
    moment = course.following(Moment(Phase.ROUND, 1), Report(standing, course.everybody))
    assert moment.waiting == (*course.everybody,)
    assert (moment.actor, moment.interlude) == (FighterId(0, 1), 0)


def test_only_those_who_take_part_in_a_duel_bring_any() -> None:
    contest = games.contest(games.stormy, (CASES[0][0],), (CASES[0][0], CASES[0][1]), "one")
    assert len(contest.course.interludes) == 1
    assert contest.course.of_two().interludes == ()


def test_one_who_waits_may_act_before_it() -> None:
    course = Course("one", (1, 1), (1, 1))
    held = Moment(Phase.TURN, 1, actor=OTHER, waiting=(Befallen(ONE, 0),), held=(ONE,))
    standing = Standing(((False,), (False,)), ((None,), (None,)))
    report = Report(standing, course.everybody)
    after = course.following(held._replace(phase=Phase.ACTION), report)
    assert (after.actor, after.interlude) == (ONE, 0)
    assert course.callable(held, report, after) == (ONE, ONE)
