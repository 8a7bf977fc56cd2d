"""The outcome fields that can be asked for, and the objectives of each side."""

from fractions import Fraction

import pytest

from affray.core.system import Objective
from affray.engine.exchange import best
from affray.engine.exchange import odds as exact
from affray.engine.exchange.game import Game
from affray.systems.eclipse_phase.questions import FIELDS, OBJECTIVES
from affray.systems.eclipse_phase.state import Exchange

from .factory import (
    chance,
    game,
    mean,
    objective,
    pistol,
    play,
    shooter,
    shot,
    target,
    victim,
)

SOFT = victim(name="soft", durability=12, wound_threshold=4, death_rating=17, som=15)
ONE = game(shot(defender=SOFT))
TWO = game(shot(defender=SOFT, weapon=pistol(d10=1), others=(victim(name="second", kinetic=3),)),
           choose_mode="burst", choose_fire="spread")  # fmt: skip


def worth(played: Game, name: str) -> Fraction:
    """What a game without open choices is worth."""
    wished: Objective[tuple[object, ...]] = objective(name)
    return best.solve(played, wished).value


def test_ep65_the_wishes_about_life_and_death() -> None:
    out = exact.outcomes(ONE, ("unconscious", "dead"))
    p_out = out.where(lambda row: bool(row[0] or row[1]))
    assert 0 < chance(ONE, "dead") < p_out < 1
    assert worth(ONE, "kill") == chance(ONE, "dead")
    assert worth(ONE, "disable") == p_out
    assert worth(ONE, "survive") == 1 - p_out


def test_ep62_the_wishes_about_damage() -> None:
    assert worth(ONE, "damage") == mean(ONE)
    assert worth(ONE, "hit") == chance(ONE, "hit")
    assert worth(ONE, "unhurt") == chance(ONE, "net", 0)
    assert worth(ONE, "wound") == 1 - chance(ONE, "wounds", 0)
    assert worth(ONE, "wounds") == mean(ONE, "wounds")


def test_ep71_the_wishes_count_every_target() -> None:
    assert worth(TWO, "damage") == mean(TWO, "net_all") == mean(TWO, "net") + mean(TWO, "net_2")
    assert worth(TWO, "wounds") == mean(TWO, "wounds") + mean(TWO, "wounds_2")
    assert mean(TWO, "hits") == chance(TWO, "hit") + chance(TWO, "hit_2")
    assert worth(TWO, "hit") == chance(TWO, "hit")


@pytest.mark.parametrize("wish", [wish.name for wish in OBJECTIVES])
def test_ep65_a_wish_that_one_field_decides_is_settled_by_it(wish: str) -> None:
    sure = game(shot(defender=target(kinetic=100)))
    expected = {"hit": chance(sure, "hit"), "survive": 1, "unhurt": 1}.get(wish, 0)
    assert worth(sure, wish) == expected


def test_ep62_every_field_can_be_asked_alone_and_by_its_other_names() -> None:
    ended = play(ONE, 20, 98, 2, 2, 0)
    for field in FIELDS:
        for name in (field.name, *field.also):
            assert sum(exact.odds(ONE, name).fractions().values()) == 1
        field.of(ended)
    assert exact.odds(ONE, "damage") == exact.odds(ONE, "net")


def test_ep71_fields_of_targets_that_are_not_there_are_none() -> None:
    ended = play(ONE, 99)
    assert isinstance(ended, Exchange)
    seen = {field.name: field.of(ended) for field in FIELDS}
    assert [seen[f"{name}_{n}"] for n in (2, 3) for name in ("hit", "net", "wounds")] == [None] * 6
    assert (seen["hits"], seen["net_all"], seen["spent"], seen["suppresses"]) == (0, 0, 0, "")


def test_ep64_fields_of_one_outcome() -> None:
    """8 points on 2: two wounds of threshold 4, a check failed, durability 12 not reached."""
    who = victim(durability=12, wound_threshold=4, death_rating=17, damage=2, wounds=1, kinetic=1)
    ended = play(game(shot(defender=who)), 20, 98, 4, 5, 99)
    seen = {field.name: field.of(ended) for field in FIELDS}
    assert {name: seen[name] for name in ("dv", "net", "total", "wounds", "all_wounds")} == {
        "dv": 9, "net": 8, "total": 10, "wounds": 2, "all_wounds": 3,
    }  # fmt: skip
    assert [seen[name] for name in ("prone", "knocked_out", "unconscious", "revivable")] == [
        True, True, True, True,
    ]  # fmt: skip
    assert [seen[name] for name in ("incapacitated", "dead", "deadlock", "broken", "fumble")] == [
        False
    ] * 5
    assert (seen["rounds"], seen["hits"], seen["hit"]) == (29, 1, True)


# -- by hand ---------------------------------------------------------------------------------

F = Fraction


def sure(death_rating: int) -> Game:
    """31 of 100 hit, three of them critically: 6 or 12 points against armor 3.

    3 points get through and make 11 of durability 12; or 9, two wounds of threshold 4, make 17.
    """
    who = victim(
        durability=12, wound_threshold=4, death_rating=death_rating, damage=8, kinetic=3,
        conditions=("incapacitated",),
    )  # fmt: skip
    gun = pistol(d10=0, flat=6)
    return game(shot(attacker=shooter(guns=30), defender=who, weapon=gun))


BY_HAND = {
    "damage": (F(28 * 3 + 3 * 9, 100), F(28 * 3 + 3 * 9, 100)),
    "hit": (F(31, 100), F(31, 100)),
    "wound": (F(3, 100), F(3, 100)),
    "wounds": (F(6, 100), F(6, 100)),
    "disable": (F(3, 100), F(3, 100)),
    "kill": (F(3, 100), F(0)),
    "survive": (F(97, 100), F(97, 100)),
    "unhurt": (F(69, 100), F(69, 100)),
}


@pytest.mark.parametrize("wish", [wish.name for wish in OBJECTIVES])
def test_ep65_each_wish_is_worth_what_was_counted_by_hand(wish: str) -> None:
    """With death rating 17 and with 18."""
    assert (worth(sure(17), wish), worth(sure(18), wish)) == BY_HAND[wish]


def test_ep71_wishes_about_two_targets_by_hand() -> None:
    """The second one wears no armor: 6 points or 12, one wound or three of threshold 4."""
    first, second = (
        victim(name=name, wound_threshold=4, durability=1000, kinetic=armor, body="infomorph",
               conditions=("incapacitated",))
        for name, armor in (("first", 3), ("second", 0))
    )  # fmt: skip
    gun = pistol(d10=0, flat=6)
    both = game(shot(attacker=shooter(guns=30), defender=first, weapon=gun, others=(second,)),
                choose_mode="burst", choose_fire="spread")  # fmt: skip
    assert worth(both, "damage") == F(28 * (3 + 6) + 3 * (9 + 12), 100)
    assert worth(both, "wounds") == F(28 * (0 + 1) + 3 * (2 + 3), 100)
    assert worth(both, "wound") == F(3, 100)
    assert worth(both, "unhurt") == F(69, 100)


def test_ep65_whose_wish_it_is() -> None:
    sides = {wish.name: wish.actor for wish in OBJECTIVES}
    assert {name for name, actor in sides.items() if actor == "defender"} == {"survive", "unhurt"}
    assert set(sides.values()) == {"attacker", "defender"}
