"""Mixed bodies: difficulty, focus, whole attacks against brute force."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from tests.oracles import emlia as oracle

from .factories import (
    Weapon,
    asked,
    at,
    body,
    game,
    joint,
    line,
    mean,
    odds,
    offered,
    unit,
    value,
)

F = Fraction
TEXT = (
    unit("B", 10, to_hit=-1), unit("C", 1, to_hit=-3), unit("D", 5), unit("E", 3),
)  # fmt: skip


def test_em51_ems1_the_example_of_the_text_is_minus_one() -> None:
    assert at(body(*TEXT)) == 7


@pytest.mark.parametrize(
    ("groups", "number"),
    [
        ([(4, 0), (4, -2)], 7),  # exactly one full group
        ([(8, 0), (10, -1), (1, -3)], 7),  # EMS-1 with D and E as one unit
        ([(3, 0), (3, -1), (3, -2), (3, -3)], 9),  # 9 higher, three groups, at most 9
    ],
)
def test_em51_full_groups_of_the_harder_to_hit(groups: list[tuple[int, int]], number: int) -> None:
    units = [unit(f"U{n}", members, to_hit=shift) for n, (members, shift) in enumerate(groups)]
    assert at(body(*units)) == number


@pytest.mark.parametrize(
    ("focus", "number", "alone", "inside"),
    # C: 9 and 1 more, within the cap 9; D: 6 + 1 + 1, alone 6 + 2 + 1, within the cap 9 both
    [("B", 8, 8, 8), ("C", 10, 10, 9), ("D", 8, 9, 8), ("E", 8, 10, 8)],
)
def test_em52_focusing_starts_from_that_number(
    focus: str, number: int, alone: int, inside: int
) -> None:
    made = body(*TEXT, focus=focus)
    assert at(made) == number
    assert at(made, {"focus_merge": "no"}) == alone
    assert at(made, {"focus_cap": "inside"}) == inside


def test_em52_both_penalties_under_the_other_reading() -> None:
    assert at(body(*TEXT, focus="B"), {"focus_penalty": "both"}) == 9


def test_em52_one_unit_alone_is_no_choice() -> None:
    assert at(body(unit("B"), focus="B")) == 6
    assert asked(game(body(unit("B"), focus="open"))).question is not None
    assert not offered(asked(game(body(unit("B"), focus="open"))))


def test_em52_focus_is_offered_with_nobody_first() -> None:
    assert offered(asked(game(body(*TEXT, focus="open")))) == ["none", "B", "C", "D", "E"]


def test_em52_unknown_focus_is_refused() -> None:
    with pytest.raises(Exception, match="focus on"):
        game(body(*TEXT, focus="Z"))


def test_em51_the_log_tells_group_steps_and_cap() -> None:
    session = asked(game(body(*TEXT)))
    row = line(session.answer((7, 7, 2, 2)), "roll_check")
    told = " ".join([row.says, *map(str, row.totals)])
    for words in ("8 strong", "11 members", "at most 9", "to hit D and E", "Difficulty 7"):
        assert words in told


def test_em52_focus_is_chosen_where_it_pays() -> None:
    """Eight dice: giants whom four hits hurt before men whom one kills (the example `focus`)."""
    made = game(body(unit("giants", 10, hits=4), unit("men", 6), level=8, focus="open"))
    settled = {
        name: value(game(body(unit("giants", 10, hits=4), unit("men", 6), level=8, focus=name)))
        for name in ("none", "men", "giants")
    }
    assert settled["men"] > settled["none"]
    assert value(made) == max(settled.values())


def test_em53_emo10_joint_damage() -> None:
    made = game(body(unit("A", 4), unit("B", 2, hits=2)))
    assert joint(made, "damage_1", "damage_2") == {
        (0, 0): F(399, 2000), (1, 0): F(31, 125), (2, 0): F(29, 100), (3, 0): F(1, 5),
        (2, 1): F(1, 16),
    }  # fmt: skip


def test_em51_emo11_the_body_of_the_text() -> None:
    units = [unit(u.name, u.members, hits=2, to_hit=u.to_hit) for u in TEXT]
    assert mean(game(body(*units, level=8)), "damage") == F(315779, 312500)


@pytest.mark.parametrize("seed", range(40))
def test_em53_attacks_have_the_odds_of_brute_force(seed: int) -> None:
    """A check of up to nine dice at up to four groups, focus or none, readings drawn."""
    rng = Random(seed)
    picks: dict[str, Any] = {
        "h_floor": rng.choice(("one", "outright")),
        "group_size": rng.choice(("start", "live")),
        "k_scope": rng.choice(("every", "first")),
        "group_by": rng.choice(("hits", "unit")),
        "check": rng.choice(("d10_6_cancel", "d6_4", "botch", "half", "none")),
    }
    drawn: list[dict[str, Any]] = [
        {"members": rng.randint(1, 6), "hits": needed,
         "damage_limit": rng.choice((None, None, 2)), "markers": rng.choice((0, 0, 1))}
        for needed in rng.sample(range(1, 6), rng.randint(1, 4))
    ]  # fmt: skip
    base, n_dice = rng.randint(0, 2), rng.randint(1, 9)
    focus = f"U{rng.randrange(len(drawn))}" if len(drawn) > 1 and rng.random() < 0.5 else "none"
    units = [unit(f"U{n}", **row) for n, row in enumerate(drawn)]
    many = sum(row["members"] for row in drawn)
    attacker = unit("X", many, cc=n_dice, weapons=(Weapon(damage=base),))
    made = body(*units, attacker=attacker, focus=focus)
    theirs = [
        oracle.Unit(
            name=f"U{n}", members=row["members"], hits=row["hits"], base=base,
            limit=row["damage_limit"], markers=row["markers"],
        )
        for n, row in enumerate(drawn)
    ]  # fmt: skip
    want = oracle.attack_odds(
        n_dice, at(made, picks), theirs, None if focus == "none" else focus,
        rule=picks["check"], h_floor=picks["h_floor"], group_size=picks["group_size"],
        k_scope=picks["k_scope"], group_by=picks["group_by"],
    )  # fmt: skip
    names = [f"damage_{n}" for n in range(1, len(drawn) + 1)]
    if len(drawn) == 1:
        assert odds(game(made, picks), "damage") == {k[0]: p for k, p in want.items()}
    else:
        assert joint(game(made, picks), *names) == want
