"""The text's printings: each a bundle of readings."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from affray.core.ruling import Profile, Rulings
from affray.systems.affinity.rulings import PROFILES

from .factory import (
    MEDIUM,
    SYSTEM,
    asked,
    dice,
    game,
    harmed,
    joint,
    mean,
    offered,
    play,
    setup,
    striker,
    target,
)

F = Fraction
NAMED = {profile.name: profile for profile in PROFILES}


def picks(name: str) -> Mapping[str, str]:
    return NAMED[name].picks


def test_there_are_six_printings_and_the_text_itself_is_the_default() -> None:
    assert list(NAMED) == ["E0", "E1", "E2", "E3", "E4", "E5"]
    assert dict(picks("E1")) == {}
    assert Rulings.pick(SYSTEM.rulings, picks("E1")) == Rulings()


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_every_printing_differs_from_the_defaults_in_what_it_picks(profile: Profile) -> None:
    assert Rulings.pick(SYSTEM.rulings, profile.picks).named() == dict(profile.picks)
    assert profile.title


def test_af22_e0_rolls_once() -> None:
    session = asked(game(harmed(3, target(MEDIUM, level=5)), picks("E0")))
    assert dice(session) == "2d10"
    end = play(game(harmed(3, target(MEDIUM, level=5)), picks("E0")), 5, 1)
    assert (end["layers"], end["hd_lost"]) == ("armor:10", 0)


def test_af12_e0_affinity_dice_are_safe() -> None:
    rich = setup(striker(level=5, affinity=3))
    session = asked(game(rich, picks("E0"), choose_action="blade"), "3", "3")
    assert dice(session) == "6d6+3d6"


def test_af44_e2_has_steady_and_a_fixed_rush() -> None:
    assert "steady" not in offered(asked(game(setup())))
    session = asked(game(setup(striker(hd=3, attacked=True, actions_left=1)), picks("E2")))
    assert {"steady", "rush", "defend"} <= set(offered(session))
    assert (
        play(game(setup(striker(hd=1, hd_max=3)), picks("E2"), choose_action="rush"))["own_hd"] == 2
    )


@pytest.mark.parametrize(("name", "pool"), [("E1", "1d8+2d6"), ("E2", "1d8+2d6"), ("E3", "1d8")])
def test_af30_e3_rolls_the_dice_of_defend_after_the_body(name: str, pool: str) -> None:
    braced = target(MEDIUM, defending=True)
    assert dice(asked(game(harmed(2, braced), picks(name)))) == pool


def test_af24_e4_defends_die_by_die_with_full_proficiency() -> None:
    made = game(harmed(3, target(MEDIUM, level=5)), picks("E4"))
    assert joint(made, "layers", "hd") == {
        ("none", 10): F(1, 10),
        ("none", 11): F(2, 5),
        ("armor:1", 11): F(3, 8),
        ("armor:2", 11): F(1, 8),
    }


def test_af53_e5_has_more_hit_dice_and_stages_of_resolve() -> None:
    assert play(game(harmed(0), picks("E5")))["hd"] == 5
    assert play(game(harmed(0), picks("E4")))["hd"] == 3
    shaken = target(level=9, resolve=1)
    assert dice(asked(game(harmed(3, shaken), picks("E5")))) == "3d10"  # five less two
    assert play(game(harmed(1, target(hd=0, hd_max=5, resolve=1)), picks("E5")), 1)["dead"]


def test_af45_e5_helps_and_stabilizes_with_one_success() -> None:
    made = setup(striker(), target(hd=0, hd_max=5), towards="friend")
    assert offered(asked(game(made, picks("E5")))) == ["stabilize", "help"]
    way: Any = {"choose_action": "stabilize", "choose_exertion": "0"}
    assert play(game(made, picks("E5"), **way), 2)["stabilized"]


def test_af27_the_printings_of_one_example_side_by_side() -> None:
    """3 damage against medium armor and a tough body of level 5 with 11 Hit Dice."""
    hurt = target(MEDIUM, level=5, hd=11, hd_max=13)
    lost = {name: mean(game(harmed(3, hurt), picks(name)), "hd_lost") for name in NAMED}
    assert lost == {
        "E0": F(0),
        "E1": F(89, 100),
        "E2": F(89, 100),
        "E3": F(89, 100),
        "E4": F(1, 10),
        "E5": F(1, 10),
    }
