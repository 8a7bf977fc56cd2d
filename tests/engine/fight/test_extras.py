"""Extra turns at the end of a round, followed through every engine."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from affray.core.fight import ATTACK
from affray.engine.fight.course import Course, FighterId, Phase, Report, Standing
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import solve_exactly
from affray.engine.fight.duels.optimal import BestDuel
from affray.engine.fight.played.play import play_battle
from affray.engine.fight.played.session import FightSession
from affray.engine.fight.sampled.battle import Battle
from tests import fight_systems as games
from tests.fight_systems import SPURT, Fighter

F = Fraction
ONE, OTHER = FighterId(0, 0), FighterId(1, 0)


def won_by_one(one: Fighter, other: Fighter) -> Fraction:
    """The chance that side one wins if it goes first, worked out blow by blow.

    A round has six blows: two in turn, and twice two more for those who have strength left.
    """

    @cache
    def value(at: int, hp: tuple[int, int], left: tuple[int, int]) -> Fraction:
        if not hp[0] or not hp[1]:
            return F(hp[0] > 0)
        side, after = at % 2, (at + 1) % 6
        who, total = (one, other)[side], F(0)
        points, strength = list(hp), list(left)
        if at < 2:
            points[side] = min(who.hp, points[side] + who.heals)
        elif not left[side]:
            return value(after, hp, left)
        else:
            strength[side] -= 1
        for face in range(1, who.sides + 1):
            struck = points.copy()
            struck[1 - side] = max(0, struck[1 - side] - face)
            total += value(after, (struck[0], struck[1]), (strength[0], strength[1]))
        return total / who.sides

    return value(0, (one.hp, other.hp), (one.quickness, other.quickness))


CASES = [
    (Fighter("a", 6, sides=2, quickness=2), Fighter("b", 6, sides=2)),
    (Fighter("a", 6, sides=2), Fighter("b", 6, sides=2, quickness=3)),
    (Fighter("a", 9, sides=3, quickness=1), Fighter("b", 8, sides=2, quickness=5)),
    (Fighter("a", 5, sides=3), Fighter("b", 5, sides=3)),
]


@pytest.mark.parametrize(("one", "other"), CASES)
def test_engines_agree_on_extra_turns(one: Fighter, other: Fighter) -> None:
    contest = games.contest(games.spurting, one, other, "one")
    expected = won_by_one(one, other)
    assert solve_exactly(contest).won[0] == expected
    duel = Duel(contest)
    assert duel.solve().won[0] == pytest.approx(float(expected), abs=1e-12)
    assert duel.by_round(50)[-1].won[0] == pytest.approx(float(expected), abs=1e-12)
    assert BestDuel(contest).solve().won[0] == pytest.approx(float(expected), abs=1e-12)
    result = Battle(contest).run(20_000, seed=7)
    error = (float(expected) * (1 - float(expected)) / 20_000) ** 0.5
    assert abs(result.won[0].value - float(expected)) < 5 * error


def test_they_come_when_everybody_has_had_a_turn() -> None:
    strong, weak = Fighter("a", 60, sides=2, quickness=2), Fighter("b", 60, sides=2, quickness=1)
    contest = games.contest(games.spurting, strong, weak, "one")
    played = play_battle(contest, seed=3, rounds=2)
    done = [(entry.round, entry.actor.side, entry.deed) for entry in played.exchanges]
    assert done == [
        (1, 0, "attack"), (1, 1, "attack"), (1, 0, "spurt"), (1, 1, "spurt"), (1, 0, "spurt"),
        (2, 0, "attack"), (2, 1, "attack"),
    ]  # fmt: skip


def test_nobody_has_any_where_nobody_asks() -> None:
    assert games.contest(games.spurting, *CASES[3]).course.extras == 0
    assert games.contest(games.spurting, *CASES[2]).course.extras == 2
    idle = games.contest(games.spurting, CASES[3][0], CASES[2][1], idle=True)
    assert idle.course.extras == 0


def test_an_extra_turn_of_somebody_who_is_out_is_lost() -> None:
    course = Course("one", (2, 1), (2, 1), extras=1)
    standing = Standing(((False, True), (False,)), ((None, None), (None,)))
    report = Report(standing, course.everybody)
    found = [course.begin()]
    while found[-1].phase is not Phase.CLOSE:
        found.append(course.following(found[-1], report))
    turns = [(m.actor, m.extra) for m in found if m.phase is Phase.ACTION]
    assert turns == [(ONE, 0), (OTHER, 0), (ONE, 1), (OTHER, 1)]


def test_what_can_be_done_in_an_extra_turn_is_told_apart_from_a_turn() -> None:
    """Extra turns are for fallen friends only, and nobody falls: it takes as long as without."""
    game = games.reviving()
    assert game.fight is not None
    fight = replace(game.fight, harm=lambda done: done[1] if done[0] == "hurt" else 0)
    plain = replace(game, fight=fight)
    fight = replace(
        fight,
        extras=lambda sheet, body, rulings: 1,
        extra_deeds=lambda sheet, body: (games.SECOND_WIND,),
    )
    sides = (Fighter("a", 60, sides=3),) * 2, Fighter("b", 20, sides=2)
    with_extras, without = (
        Battle(games.contest(game, *sides, "one")).run(500, seed=2)
        for game in (replace(plain, fight=fight), plain)
    )
    error = (without.rounds.high - without.rounds.low) / 2
    assert with_extras.rounds.value == pytest.approx(without.rounds.value, abs=4 * error)
    assert with_extras.won[0].value == without.won[0].value == 1


def test_sides_that_alternate_do_so_again() -> None:
    course = Course("alternate", (2, 1), (2, 1), extras=1)
    slots = [(slot.actor, slot.extra) for slot in course.slots(course.order())]
    order = list(course.order())
    assert slots == [(who, 0) for who in order] + [(who, 1) for who in order]


def test_battles_of_several_keep_the_order_of_the_round() -> None:
    runner = Fighter("r", 30, sides=2, quickness=1)
    contest = games.contest(games.spurting, (runner, runner), (runner,), "one")
    played = play_battle(contest, seed=1, rounds=1)
    kinds = [(entry.actor, entry.deed) for entry in played.exchanges]
    order = [FighterId(0, 0), FighterId(0, 1), FighterId(1, 0)]
    assert kinds == [(who, ATTACK.name) for who in order] + [(who, SPURT.name) for who in order]


def test_people_are_asked_again_when_everybody_has_had_a_turn() -> None:
    tough = Fighter("a", 60, sides=2, quickness=1)
    contest = games.contest(games.spurting, tough, Fighter("b", 60, sides=2), "one")
    session = FightSession(contest, rounds=3)
    for given in ("attack: b", [1], "attack: a", [1]):
        session = session.answer(given)
    question = session.question
    assert question is not None
    assert [option.name for option in question.options] == ["spurt: b", "pass"]
    assert session.answer("pass").moment.round == 2
