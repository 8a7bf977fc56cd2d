"""The chances from a position on: exact ones against fractions, and fights played out."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

import pytest

from affray.app.inputs.fight_setups import load_fight
from affray.core.errors import LimitError, SetupError
from affray.core.fight import ATTACK, Deed, Scene
from affray.core.node import Facts
from affray.core.system import System
from affray.engine.budget import Budget
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import FighterId, First
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import solve_exactly
from affray.engine.fight.played.chances import (
    Chances,
    chances,
    exact_chances,
    sampled_chances,
)
from affray.engine.fight.played.hands import SetCondition, play_hand
from affray.engine.fight.played.playouts import Players
from affray.engine.fight.played.position import Act, Position
from affray.engine.fight.played.session import FightSession
from affray.engine.fight.played.supply import begin
from affray.engine.fight.sampled.estimate import share_of
from affray.engine.fight.targeting import Targeting
from tests import fight_systems as games
from tests.engine.fight.sampled.counted_battles import counted
from tests.fight_systems import Fighter

ADA, HUSK = Fighter("Ada", 5), Fighter("Husk", 4)


def slugging(one: Fighter = ADA, other: Fighter = HUSK, first: First = "one") -> Contest:
    return games.contest(games.slugging, one, other, first)


def exactly(contest: Contest) -> tuple[float, float]:
    one, other = solve_exactly(contest).won
    return float(one), float(other)


def won(found: Chances | None) -> tuple[float, float]:
    assert found is not None
    assert found.is_exact
    return found.won[0].value, found.won[1].value


@pytest.mark.parametrize("first", ["one", "other", "coin", "initiative"])
def test_at_the_beginning_it_is_what_the_duel_comes_to(first: First) -> None:
    game = games.steady_order if first == "initiative" else games.slugging
    contest = games.contest(game, ADA, HUSK, first)
    assert won(exact_chances(begin(contest))) == pytest.approx(exactly(contest), abs=1e-12)


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_fight_that_is_called_off_is_worth_what_it_comes_to_by_then(rounds: int) -> None:
    """Against the duel of so many rounds; without the limit one of them always wins."""
    contest = games.contest(games.slugging, ADA, HUSK, "one")
    found = chances(begin(contest, rounds), seed=3)
    expected = Duel(contest).solve(rounds)
    assert not found.is_exact
    for estimate, value in zip((*found.won, found.neither), (*expected.won, expected.stalled),
                               strict=True):  # fmt: skip
        spread = sqrt(value * (1 - value) / found.n)
        assert abs(estimate.value - value) <= 5 * spread + 1e-12
    assert found.neither.value > 0


@pytest.mark.parametrize(
    ("system", "name"),
    [
        ("eclipse-phase", "w6"), ("empty-earth", "bo-haunt"),
        ("grid-battles", "light-cavalry"), ("emlia", "thirties"),
    ],
)  # fmt: skip
def test_shipped_duels_begin_with_their_chances(system: str, name: str) -> None:
    contest = load_fight(system, name).contest
    assert won(exact_chances(begin(contest))) == pytest.approx(Duel(contest).solve().won, abs=1e-9)


def test_in_the_middle_of_a_round_it_is_a_fight_that_the_other_begins() -> None:
    """Ada has dealt 3: the husk, with 1 left, acts next; nothing happens between rounds."""
    session = FightSession(slugging()).answer("attack: Husk")
    while session.exchange is not None:
        question = session.question
        assert question is not None
        session = session.answer([3] if question.dice else question.options[0].name)
    assert isinstance(session.position.need, Act)
    left = session.conditions[1][0]
    assert left.hp == 1  # type: ignore[attr-defined]  # a body
    want = exactly(slugging(other=Fighter("Husk", 1), first="other"))
    assert won(exact_chances(session.position)) == pytest.approx(want, abs=1e-12)


def test_within_an_exchange_the_rest_of_it_counts() -> None:
    """Before the die falls the chances are those of the fight; on each face, of what it leaves."""
    contest = slugging()
    session = FightSession(contest).answer("attack: Husk")
    question = session.question
    assert question is not None
    assert question.dice is not None
    assert won(exact_chances(session.position)) == pytest.approx(exactly(contest), abs=1e-12)
    faces = question.dice.dice[0].faces
    after = [won(exact_chances(session.answer([face]).position))[0] for face in faces]
    assert sum(after) / len(faces) == pytest.approx(exactly(contest)[0], abs=1e-12)
    assert len(set(after)) > 1


def test_what_a_game_master_sets_counts_from_then_on() -> None:
    here = play_hand(begin(games.contest(games.mendable, ADA, HUSK, "one")), SetCondition(
        FighterId(0, 0), "hp", 1
    ))  # fmt: skip
    want = exactly(games.contest(games.mendable, Fighter("Ada", 1), HUSK, "one"))
    assert won(exact_chances(here)) == pytest.approx(want, abs=1e-12)


def _near(found: Chances, value: float) -> bool:
    """Within four and a half standard errors."""
    error = sqrt(max(value * (1 - value), 1e-3) / found.n)
    return abs(found.won[0].value - value) < 4.5 * error


@pytest.mark.parametrize("seed", [1, 2])
def test_played_out_it_comes_to_the_exact_chances(seed: int) -> None:
    here = begin(slugging())
    found = sampled_chances(here, seed=seed, most=400)
    assert found.n == 400
    assert not found.is_exact
    assert _near(found, exactly(slugging())[0])
    again = sampled_chances(here, seed=seed, most=400)
    assert again == found


def test_played_out_the_next_deed_is_tried_where_the_rules_refuse_one() -> None:
    plain, spit = games.slugging().fight, Deed("spit")
    assert plain is not None

    def declare(scene: Scene[Any, Any]) -> Any:
        if scene.deed == spit:
            raise SetupError("too dry (TY-9)")
        return plain.declare(scene)

    refusing = games._system(declare=declare, deeds=lambda sheet, body: (spit, ATTACK))
    found, usual = (
        sampled_chances(begin(games.contest(game, ADA, HUSK, "one")), seed=1, most=100)
        for game in (refusing, games.slugging())
    )
    assert found == usual


@pytest.mark.parametrize(
    ("game", "first", "targets"),
    [
        (games.slugging, "alternate", ("weakest", "strongest")),
        (games.steady_order, "initiative", ("spread", "random")),
        (games.twice, "coin", ("random", "weakest")),
    ],
)
def test_played_out_fights_of_many_come_to_what_was_counted(
    game: Callable[[], System[Facts]], first: First, targets: tuple[Targeting, Targeting]
) -> None:
    quick, firm = Fighter("Quick", 3, sides=3, quickness=1), Fighter("Firm", 4, sides=3)
    contest = games.contest(game, (quick, firm), (firm, firm), first)
    found = sampled_chances(begin(contest), Players(targets), most=300)
    exact = counted(contest, targets)
    assert _near(found, exact.won[0])
    assert abs(found.won[1].value - exact.won[1]) < 4.5 * sqrt(0.25 / found.n)


@pytest.mark.parametrize(("system", "name"), [("eclipse-phase", "warehouse")])
def test_a_shipped_fight_is_played_out_as_it_begins(system: str, name: str) -> None:
    loaded = load_fight(system, name)
    found = sampled_chances(begin(loaded.contest), Players(loaded.targets), most=20)
    assert found.n == 20
    assert sum(share.value for share in found.won) <= 1


def _decided(points: int) -> Position:
    contest = games.contest(games.mendable, ADA, HUSK, "one")
    return play_hand(begin(contest), SetCondition(FighterId(1, 0), "hp", points))


def test_a_fight_that_is_over_has_been_won() -> None:
    assert won(exact_chances(_decided(0))) == (1.0, 0.0)
    assert sampled_chances(_decided(0), most=1).won == (share_of(1, 1), share_of(0, 1))


def test_fights_of_more_than_two_are_played_out() -> None:
    contest = games.contest(games.slugging, (ADA, ADA), (HUSK, HUSK), "one")
    assert exact_chances(begin(contest)) is None
    assert chances(begin(contest), budget=Budget(battles=50)).n == 50


def test_a_duel_too_large_is_played_out_and_not_tried_again() -> None:
    here = begin(slugging(Fighter("Ada", 40), Fighter("Husk", 40)))
    assert chances(here, budget=Budget(battles=20, pairs=1)).n == 20
    assert exact_chances(here) is None


def test_without_time_for_a_single_fight_there_is_no_estimate() -> None:
    contest = games.contest(games.slugging, (ADA, ADA), (HUSK, HUSK), "one")
    with pytest.raises(LimitError):
        sampled_chances(begin(contest), budget=Budget(seconds=0.0))
