"""The check: what faces come to, and exact odds counted by hand."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from affray.app.inputs.setups import load_raw
from affray.cli.sources import own_rosters
from affray.core.errors import SetupError
from affray.systems.emlia.gear import CHECKS, CoreCheck
from affray.systems.emlia.rulings import CHECK

from .factories import (
    SYSTEM,
    Row,
    asked,
    at,
    dice,
    ends,
    game,
    mean,
    odds,
    other,
    play,
    setup,
    unit,
)

F = Fraction


@pytest.mark.parametrize(
    ("faces", "net", "excess"),
    [
        ((7, 6, 3, 1), 1, 0),  # EMV-1
        ((1, 1, 1, 8), 0, 2),  # EMV-2
        ((2, 3, 4, 5), 0, 0),  # EMV-4
        ((6, 1, 2, 2), 0, 0),  # as many ones as successes: a failure
        ((10, 10, 10, 10), 4, 0),
    ],
)
def test_em4_ones_cancel_successes(faces: tuple[int, ...], net: int, excess: int) -> None:
    ends(play(game(setup(4)), *faces), net=net, fumble=excess, hits=net, damage=net)


@pytest.mark.parametrize(
    ("check", "faces", "net", "excess"),
    [
        ("d10_6_nocancel", (7, 6, 1, 2), 2, 0),
        ("d10_6_nocancel", (7, 1, 1, 2), 0, 1),  # a fumble: no successes
        ("botch", (7, 1, 1, 1), 1, 0),
        ("botch", (2, 1, 1, 1), 0, 3),
        ("half", (7, 1, 1, 2), 1, 0),  # two of four are not more than half
        ("half", (7, 1, 1, 1), 0, 1),
        ("none", (7, 1, 1, 1), 1, 0),
    ],
)
def test_em4_other_readings_of_ones(
    check: str, faces: tuple[int, ...], net: int, excess: int
) -> None:
    ends(play(game(setup(4), {"check": check}), *faces), net=net, fumble=excess)


@pytest.mark.parametrize(
    ("shift", "expected", "fumble"),
    [
        (0, F(839, 500), F(629, 10000)),
        (-1, F(821, 625), F(927, 10000)),
        (1, F(513, 250), F(83, 2000)),
        (-2, F(2403, 2500), F(1333, 10000)),
        (-4, F(151, 500), F(513, 2000)),
    ],
)
def test_em3_emo5_four_dice(shift: int, expected: F, fumble: F) -> None:
    made = game(setup(4, unit("B", to_hit=shift)))
    assert mean(made, "hits") == expected
    assert 1 - odds(made, "fumble")[0] == fumble


@pytest.mark.parametrize(
    ("check", "expected", "fumble"),
    [
        ("d6_4", F(161, 108), F(149, 1296)),
        ("d10_6_cancel", F(839, 500), F(629, 10000)),
        ("d12_7", F(1493, 864), F(1055, 20736)),
        ("d20_11", F(7329, 4000), F(4559, 160000)),
    ],
)
def test_em3_other_dice(check: str, expected: F, fumble: F) -> None:
    made = game(setup(4), {"check": check})
    assert mean(made, "hits") == expected
    assert 1 - odds(made, "fumble")[0] == fumble


@pytest.mark.parametrize(
    ("check", "expected", "fumble"),
    [
        ("d10_6_cancel", F(4133, 2000), F(647, 12500)),
        ("d10_6_nocancel", F(9867, 4000), F(647, 12500)),
        ("botch", F(5, 2), F(2101, 100000)),
        ("half", F(9963, 4000), F(107, 12500)),
        ("none", F(5, 2), F(0)),
    ],
)
def test_em4_five_dice_under_each_rule_for_ones(check: str, expected: F, fumble: F) -> None:
    made = game(setup(5), {"check": check})
    assert mean(made, "hits") == expected
    assert 1 - odds(made, "fumble")[0] == fumble


def test_em3_the_difficulty_is_held_or_goes_as_far_as_it_goes() -> None:
    hard = setup(3, unit("B", cover="total", concealment="total"))
    ends(play(game(hard), 10, 9, 9), difficulty=10, hits=1)  # EMV-5
    ends(play(game(hard, {"clamp": "open"}), 10, 9, 9), difficulty=12, hits=0)
    easy = setup(2, unit("B", to_hit=9))
    ends(play(game(easy), 2, 1), difficulty=2, net=0)
    # from -3 on every face is a success, a 1 too, which cancels itself
    ends(play(game(easy, {"clamp": "open"}), 2, 1), difficulty=-3, successes=2, ones=1, net=1)


def test_em2_more_than_the_difficulty_under_the_other_reading() -> None:
    ends(play(game(setup(2), {"compare": "above"}), 6, 7), successes=1)
    assert mean(game(setup(4), {"compare": "above"}), "hits") == F(821, 625)


def test_em4_what_is_asked_does_not_depend_on_what_else_is_asked() -> None:
    """Successes and ones are read before they are counted; hits after the tally is forgotten."""
    made = game(setup(3, unit("B", hits=2)))
    assert mean(made, "successes") == F(3, 2)
    assert mean(made, "ones") == F(3, 10)
    assert mean(made, "net") == mean(made, "hits")
    assert mean(made, "net") - mean(made, "fumble") == F(3, 2) - F(3, 10)


# -- checks of one's own ---------------------------------------------------------------------


def test_em3_a_check_of_ones_own_is_rolled() -> None:
    """d8 at 5, ones mean nothing: each die a half, so binomials over 16."""
    own = CoreCheck(name="d8", sides=8, base=5, ones="nothing")
    made = setup(4, core_check=own)
    assert dice(asked(game(made))) == "4d8"
    halves = {n: Fraction(comb(4, n), 16) for n in range(5)}
    assert odds(game(made), "hits") == halves


def test_em3_it_wins_over_the_ruling_and_clamps_by_its_own_sides() -> None:
    own = CoreCheck(sides=8, base=5)
    made = setup(4, unit("B", to_hit=-9), core_check=own)
    assert at(made, {"check": "d20_11"}) == 8


def test_em3_the_named_checks_stand_in_a_file_and_are_marked() -> None:
    assert set(CHECKS) == set(CHECK.options)
    assert all("assumption" in check.source for check in CHECKS.values())


def test_em3_a_check_without_successes_is_refused() -> None:
    with pytest.raises(SetupError, match="base 9; allowed: at most its sides, 8"):
        CoreCheck(sides=8, base=9)


def test_em3_an_own_file_brings_a_check(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[checks.ours]\nsides = 8\nbase = 5\nones = "nothing"\n', encoding="utf-8")
    raw: dict[str, object] = {"attacker": "house_guard", "defender": "trolls", "core_check": "ours",
           "action": "close_combat"}  # fmt: skip
    made = load_raw(SYSTEM, raw, "a table", own=own_rosters([str(file)])).game
    assert dice(asked(made)) == "10d8"


@pytest.mark.parametrize(
    ("to_hit", "reading", "difficulty", "hits", "expected"),
    [
        (4, "open", 2, 2, F(8019, 2500)),  # 0.9^4 * 4 + 4 * 0.9^3 * 0.1 * 2
        (5, "open", 1, 3, F(18, 5)),  # each die but a 1 brings one
        (6, "open", 0, 3, F(18, 5)),
        (5, "sides", 2, 2, F(8019, 2500)),
    ],
)
def test_em3_b2_a_1_that_is_enough_counts_before_it_cancels(
    to_hit: int, reading: str, difficulty: int, hits: int, expected: F
) -> None:
    made = game(setup(unit("A", cc=4), unit("B", to_hit=to_hit)), {"clamp": reading})
    ends(play(made, 1, 3, 3, 9), difficulty=difficulty, hits=hits, successes=hits + 1)
    assert mean(made, "hits") == expected


@pytest.mark.parametrize(("end", "difficulty"), [("broke", 4), ("dent", 5)])
def test_em32_em43_whom_the_table_destroyed_is_no_number(end: str, difficulty: int) -> None:
    """Ten outnumber five two to one, +2 to hit; five and one more they only outnumber, +1."""
    table = (Row(low=1, high=5, name="broke", destroyed=True), Row(low=6, high=10, name="dent"))
    z = unit("Z", 1, threshold=9, table=table, came_up=(end,))
    assert at(setup(unit("A", 10, cc=4), unit("B", 5), other(z, engages=True))) == difficulty
