"""What can be asked of an outcome, and what a side can want; all values are counted by hand.

A die at difficulty 6 is a success in five faces of ten, a fumble in one. Two dice come to one
success with 40 in 100, to two with 25 (EMO-2); three dice at 8 to 1, 2, 3 hits on the enemy with
351, 162, 27 in 1,000 and on friends with 117, 18, 1 (EMO-8).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.core.node import Choice
from affray.engine.exchange.best import solve
from affray.engine.exchange.session import Session
from affray.systems.emlia.questions import FIELDS, OBJECTIVES

from .factories import (
    Contact,
    Row,
    Setup,
    Weapon,
    asked,
    body,
    ends,
    friend,
    game,
    hits,
    joint,
    objective,
    odds,
    other,
    play,
    setup,
    skill,
    unit,
    value,
)

F = Fraction
PICKED = {"attacker": {"who_takes": "attacker"}, "defender": {"who_takes": "defender"}}


def chosen(made: Setup, wish: str, *answers: Any, rulings: Mapping[str, str] | None = None) -> str:
    """What the best policy does at the first choice after these answers."""
    played = game(made, rulings)
    here = asked(played, *answers).here
    node = here.step.rule(here.facts)
    assert isinstance(node, Choice)
    return solve(played, objective(wish)).decide(here, node).name


# -- what the attacker wants -----------------------------------------------------------------


def test_em41_damage_takes_the_attack_with_more_dice() -> None:
    """Two dice of close combat make 2/5 + 2 x 1/4 points, one of aimed fire a half."""
    made = setup(unit("A", cc=2, aim=1), action="open")
    assert value(game(made), "damage") == F(9, 10)
    assert chosen(made, "damage") == "close combat"
    assert value(game(setup(unit("A", cc=2, aim=1), action="aimed_fire")), "damage") == F(1, 2)


def test_em42_casualties_go_where_one_point_takes_somebody() -> None:
    """A die against a man and a troll of two points; whoever picks says who takes the point."""
    made = body(unit("troll", 1, damage_limit=2), unit("man", 1), level=1)
    assert value(game(made, PICKED["attacker"]), "casualties") == F(1, 2)
    assert value(game(made, PICKED["defender"]), "casualties") == 0
    assert chosen(made, "casualties", (6,), rulings=PICKED["attacker"]) == "man"
    assert value(game(made, PICKED["attacker"]), "damage") == F(1, 2)


def test_em42_destroy_takes_the_target_before_its_mate() -> None:
    """Two dice against one man and one beside him: any success is enough if it falls on him."""
    made = body(unit("B", 1), unit("C", 1), level=2)
    assert value(game(made, PICKED["attacker"]), "destroy") == F(2, 5) + F(1, 4)
    assert value(game(made, PICKED["defender"]), "destroy") == F(1, 4)
    assert chosen(made, "destroy", (6, 2), rulings=PICKED["attacker"]) == "B"
    assert chosen(made, "destroy", (6, 2), rulings=PICKED["defender"]) == "C"


def test_em33_spare_counts_damage_of_friends_against_that_of_enemies() -> None:
    """EMO-8: 351 + 2 x 162 + 3 x 27 points of enemies, 117 + 2 x 18 + 3 of friends, in 1,000."""
    archers = unit("A", aim=3, weapons=(Weapon(skill="aimed_fire", short=9, medium=9, longest=9),))
    made = setup(archers, unit("E", 10, formation="ranked"), friend(unit("F", 10)),
                 action="supporting_fire", distance=9)  # fmt: skip
    assert value(game(made), "damage") == F(756, 1000)
    assert value(game(made), "spare") == F(756 - 156, 1000)


def test_em34_spare_shoots_with_care_where_a_plain_shot_hits_the_friend() -> None:
    """Into a skirmish: a plain hit falls on the larger friend; the careful one is at 10 or worse.

    A ten is a point of the enemy, a one a point of the friend: 1/10 - 1/10 against -1/2.
    """
    made = setup(unit("A", aim=1, speed=0), unit("E", 3, formation="open"),
                 friend(unit("F", 4, formation="open")), action="open", distance=5)  # fmt: skip
    assert value(game(made), "spare") == 0
    assert chosen(made, "spare") == "supporting fire"
    plain = game(made, None, choose_action="aimed fire")
    assert value(plain, "spare") == -F(1, 2)
    assert value(plain, "damage") == 0
    assert value(game(made), "damage") == F(1, 10)


def test_em36_pin_chooses_the_unit_with_more_to_pin() -> None:
    """Two against six, three to one: a ten pins two of Y, or the only one of Z."""
    by, y, z = unit("X", 2, cc=1), unit("Y", 5, cc=5), unit("Z", 1, cc=1)
    made = setup(by, y, other(z, engages=True), action="distract", engaged=True)
    assert value(game(made), "pin") == F(1, 10) * 2
    assert chosen(made, "pin", (10,)) == "Y"
    assert value(game(made, None, pin_enemies="Z"), "pin") == F(1, 10)


def test_em11_escape_goes_through_free_strikes_if_somebody_is_left() -> None:
    """EMV-20: 8 of 20 fall to Y and Z; who stays does not get away."""
    y = unit("Y", 8, cc=8, weapons=(Weapon(damage=1),))
    z = unit("Z", 4, cc=4, weapons=(Weapon(damage=2),))
    made = setup(unit("X", 20, hits=3), y, other(z, engages=True),
                 action="move", engaged=True, leaves=True)  # fmt: skip
    assert value(game(made), "escape") == 12
    assert chosen(made, "escape") == "go"
    assert value(game(made, None, face_strikes="stay"), "escape") == 0


def test_em36_escape_counts_those_who_get_away_after_the_check() -> None:
    """Five against three: difficulty 5, six faces in ten pin all; else three of the five fall."""
    made = setup(unit("X", 5, cc=1), unit("Y", 3, skills=(skill("cc", 3, 1),)),
                 action="disengage", engaged=True, leaves=True)  # fmt: skip
    assert value(game(made), "escape") == F(6, 10) * 5 + F(4, 10) * 2
    assert chosen(made, "escape", (2,)) == "leave"


# -- what the defender wants -----------------------------------------------------------------


def test_em44_members_of_the_target_are_kept_by_giving_others() -> None:
    """A die against three and three beside them: half a member fewer, unless the others pay."""
    made = body(unit("B", 3), unit("C", 3), level=1)
    assert value(game(made, PICKED["attacker"]), "members") == F(5, 2)
    assert value(game(made, PICKED["defender"]), "members") == 3
    assert chosen(made, "members", (6,), rulings=PICKED["defender"]) == "C"


def test_em42_survive_gives_the_mate_of_the_last_one() -> None:
    """A die against one man and one beside him; alone he lives through half of the rolls."""
    made = body(unit("B", 1), unit("C", 1), level=1)
    assert value(game(made, PICKED["attacker"]), "survive") == F(1, 2)
    assert value(game(made, PICKED["defender"]), "survive") == 1
    assert chosen(made, "survive", (6,), rulings=PICKED["defender"]) == "C"
    alone = setup(unit("A", 1, cc=1), unit("B", 1))
    assert value(game(alone), "survive") == F(1, 2)


def test_em62_members_and_survive_of_a_unit_that_a_table_destroys() -> None:
    """Three faces of ten destroy a unit of eight; nobody of it is left then."""
    rows = (Row(low=1, high=7), Row(low=8, name="ruin", destroyed=True))
    made = hits(1, unit("tower", 8, threshold=1, table=rows))
    assert value(game(made), "survive") == F(7, 10)
    assert value(game(made), "destroy") == F(3, 10)
    assert value(game(made), "members") == F(7, 10) * 8
    assert odds(game(made), "casualties") == {0: F(7, 10), 8: F(3, 10)}


@pytest.mark.parametrize("wish", [wish.name for wish in OBJECTIVES])
def test_em41_every_wish_where_nothing_happens(wish: str) -> None:
    """Nothing is done: all of the target are left and survive, of all else there is nothing."""
    made = setup(action="pass")
    assert value(game(made), wish) == {"members": 10, "survive": 1}.get(wish, 0)


# -- fields ----------------------------------------------------------------------------------


def test_em53_fields_of_an_attack_on_a_mixed_body() -> None:
    """6, 7, 8, 9, 10 less a 1 are four hits; A is twice as many as B: two points for all four."""
    made = body(unit("A", 6, hits=2), unit("B", 3), level=6)
    end = play(game(made), 6, 7, 8, 9, 10, 1)
    ends(end, successes=5, ones=1, net=4, fumble=0, hits=4, dice=6, difficulty=6, focus="none",
         damage=2, damage_by="A 2", damage_1=2, damage_2=0, casualties=2, casualties_by="A 2",
         markers=0, markers_by="none", lost=0, rolls=0, table="none", destroyed=False, dead=False,
         members_left=4, level_left=0, friend_hits=0, friend_casualties=0, friend_dies=False,
         own_left=9, in_contact=9, moved=0, reached=False, left=False, exposed=0,
         formation="close", morale=0, own_morale=0)  # fmt: skip


def test_em54_fields_of_hits_left_over() -> None:
    """Five hits on 4 of Hits 2 and 2 of Hits 3: A twice for 4, the fifth lies at A."""
    end = play(game(hits(5, unit("A", 4, hits=2), unit("B", 2, hits=3))))
    ends(end, damage_by="A 2", markers=1, markers_by="A 1", successes=5, ones=0, net=5)


def test_em33_fields_of_friends_who_are_hit() -> None:
    """Three ones of four dice, no success: three hits on friends, each a point and a casualty."""
    made = setup(unit("A", aim=4), unit("E", 10, formation="ranked"), friend(unit("F", 10)),
                 action="supporting_fire", distance=5)  # fmt: skip
    end = play(game(made), 1, 1, 1, 2)
    ends(end, fumble=3, friend_hits=3, friend_casualties=3, friend_dies=True, damage=0, hits=0,
         casualties=0, own_casualties=0)  # fmt: skip


@pytest.mark.parametrize(
    ("check", "hurt"),
    [
        ("half", {1: F(36, 10_000), 2: F(1, 10_000)}),
        ("botch", {1: 4 * F(1, 10) * F(6, 10) ** 3, 2: 6 * F(1, 100) * F(36, 100),
                   3: 4 * F(1, 1000) * F(6, 10), 4: F(1, 10_000)}),
        ("none", {}),
    ],
)  # fmt: skip
def test_em33_b1_friends_hurt_by_other_fumbles(check: str, hurt: dict[object, Fraction]) -> None:
    """Four dice at 8. Half: the ones above two. Botch: all ones, where no die is a success."""
    made = setup(unit("A", aim=4), unit("E", 10, formation="ranked"),
                 friend(unit("F", 10)), action="supporting_fire", distance=5)  # fmt: skip
    found = odds(game(made, {"check": check}), "friend_casualties")
    assert {n: part for n, part in found.items() if n} == hurt


def test_em43_fields_of_tables() -> None:
    """Two points at threshold 1 are two rolls: a crack that takes a member, then nothing."""
    rows = (Row(low=1, high=5, name="crack", casualties=1, weaker=2), Row(low=6, name="nothing"))
    tower = unit("tower", 3, cc=5, threshold=1, table=rows)
    end = play(game(hits(2, tower)), 3, 9)
    ends(end, rolls=2, table="crack, nothing", casualties=1, damage=2, members_left=2,
         destroyed=False, level_left=3)  # fmt: skip


def test_em43_a_unit_that_its_table_destroys_loses_all_members() -> None:
    rows = (Row(low=1, name="ruin", destroyed=True),)
    end = play(game(hits(1, unit("tower", 7, threshold=1, table=rows))), 3)
    ends(end, casualties=7, casualties_by="tower 7", destroyed=True, dead=True, members_left=0)


def test_em45_the_level_that_is_left_is_that_of_close_combat_or_the_first_skill() -> None:
    shooters = unit("B", 10, skills=(skill("aim", 8, 1), skill("vol", 6, 1)))
    assert play(game(hits(2, shooters, resolution=True)))["level_left"] == 6
    both = unit("B", 10, skills=(skill("aim", 8, 1), skill("cc", 5, 1)))
    assert play(game(hits(2, both, resolution=True)))["level_left"] == 3
    assert play(game(hits(2, unit("B"))))["level_left"] == 0


def test_em26_members_in_contact_are_those_of_whoever_acts() -> None:
    ranks = unit("A", 10, cc=1, formation="ranked")
    made = setup(ranks, unit("B", formation="ranked"), engaged=True,
                 contact=Contact(members=4, theirs=7))  # fmt: skip
    assert play(game(made), 6)["in_contact"] == 4
    away = setup(unit("A", aim=1), unit("B"), action="aimed_fire", distance=5)
    assert play(game(away), 6)["in_contact"] == 0


def test_em36_fields_of_a_distract() -> None:
    made = setup(unit("X", 2, cc=2), unit("Y", 2, cc=2), action="distract", engaged=True)
    ends(play(game(made), 6, 2), pinned=2, net=1, exposed=0, left=False, successes=1, ones=0)
    ends(play(game(made), 1, 1), pinned=0, net=0, exposed=2, fumble=2, successes=0, ones=2)


def test_em53_only_bodies_of_several_have_fields_by_troop() -> None:
    fits = {field.name: field.fits for field in FIELDS}
    one, two = game(setup()).start.facts, game(body(unit("A", 1), unit("B", 1))).start.facts
    assert isinstance(two, tuple)
    for name, alone, both in (
        ("damage_1", False, True),
        ("damage_2", False, True),
        ("damage_3", False, False),
        ("damage", True, True),
        ("pinned", False, False),
        ("own_casualties", False, False),
    ):
        fit = fits[name]
        assert fit is not None
        assert (fit(one), fit(two)) == (alone, both)  # type: ignore[arg-type]  # facts of this room


@pytest.mark.parametrize(
    ("action", "wished"),
    [
        ("close_combat", {"damage"}),
        ("disengage", {"escape", "pin"}),
        ("distract", {"pin"}),
        ("move", {"escape"}),
        ("pass", set()),
        ("break_ranks", set()),
    ],
)
def test_em60_wishes_fit_the_action(action: str, wished: set[str]) -> None:
    ranks = unit("A", cc=1, formation="ranked")
    made = setup(ranks, unit("B", cc=1), action=action, engaged=True, contact=Contact(own_fronts=2))
    start: Any = Session(game(made)).here.facts
    asked_for = {"damage", "escape", "pin"}
    fitting = {wish.name for wish in OBJECTIVES if wish.fits is None or wish.fits(start)}
    assert fitting & asked_for == wished


def test_em53_eight_enemies_have_fields_of_their_own() -> None:
    """Nine units of one each, a hit for each: the ninth is in the sum alone."""
    units = [unit(f"U{n}", 1) for n in range(1, 10)]
    made = game(hits(9, *units))
    names = {field.name for field in FIELDS}
    assert {f"damage_{n}" for n in range(1, 9)} <= names
    assert not {"damage_0", "damage_9"} & names
    end = play(made)
    assert [end[f"damage_{n}"] for n in range(1, 9)] == [1] * 8
    assert end["damage"] == 9


def test_em4_em50_successes_and_ones_are_those_of_all_checks() -> None:
    """Three checks of a die each at difficulty 6: a coin each, and a 1 in ten."""
    joined = (unit("H", 1, cc=1), unit("J", 1, cc=1))
    made = setup(unit("A", 10, cc=1, joined=joined), unit("B", 12))
    coin, tenth = Fraction(1, 2), Fraction(1, 10)
    ways = {0: 1, 1: 3, 2: 3, 3: 1}
    assert odds(game(made), "successes") == {n: ways[n] * coin**3 for n in ways}
    assert odds(game(made), "ones") == {
        n: ways[n] * tenth**n * (1 - tenth) ** (3 - n) for n in ways
    }
    both = joint(game(made), "successes", "ones")
    assert both[2, 1] == 3 * coin**2 * tenth
    assert both[0, 3] == tenth**3
    sure = replace(made, defender=replace(made.defender, unaware=True))
    assert joint(game(sure), "successes", "ones") == {(3, 0): 1}
