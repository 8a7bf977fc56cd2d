"""Attack actions: what each takes, its modifiers, what its hits do."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.core.node import Choice
from affray.systems.emlia.gear import Modified

from .factories import (
    Own,
    Row,
    Unit,
    Weapon,
    asked,
    at,
    body,
    chance,
    dice,
    ends,
    friend,
    game,
    hits,
    line,
    mean,
    odds,
    offered,
    other,
    play,
    played,
    setup,
    unit,
)

F = Fraction
BOW = Weapon(name="bow", skill="aimed_fire", also="volley_fire", short=10, medium=20, longest=40,
             damage=3, damage_medium=2, damage_long=1)  # fmt: skip
ARCHERS = unit("A", aim=4, vol=4, weapons=(BOW,))
WALL = unit("W", 1, hits=6, threshold=5, table=(Row(low=1, high=9), Row(low=10, destroyed=True)))


def aimed(**changes: Any) -> Any:
    target = changes.pop("target", unit("B"))
    others = changes.pop("others", ())
    by = changes.pop("by", ARCHERS)
    return setup(by, target, *others, **{"action": "aimed_fire", "distance": 10, **changes})


def refused(made: Any, words: str, **rulings: str) -> None:
    with pytest.raises(SetupError, match=words):
        game(made, rulings)


# -- what is on offer ------------------------------------------------------------------------


def test_em1b_own_actions_are_on_offer_beside_the_basic_ones() -> None:
    fire = Own(name="breath", like="aimed_fire", skill="aimed_fire", hits=2)
    made = setup(replace(ARCHERS, actions=(fire,)), action="open", distance=10)
    assert offered(asked(game(made))) == ["aimed fire", "volley fire", "charge", "breath"]
    ends(play(game(aimed(by=made.attacker, action="breath")), 7, 8, 2, 2), hits=4, net=2)


def test_em1_an_own_action_without_default_takes_the_skill() -> None:
    charm = Own(name="charm", like="close_combat")
    made = setup(unit("A", cc=4, actions=(charm,)), action="charm")
    refused(made, "lacks the skill charm")
    free = replace(charm, default=True)
    assert dice(asked(game(setup(unit("A", cc=4, actions=(free,)), action="charm")))) == "1d10"


def test_em60_actions_out_of_reach_are_closed_with_the_reason() -> None:
    start = game(setup(ARCHERS, unit("B"), action="open", distance=30, move="normal")).start
    node = start.step.rule(start.facts)
    assert isinstance(node, Choice)
    assert [option.name for option in node.options] == ["aimed fire"]
    shut = dict(node.closed)
    assert "out of melee range" in shut["close combat"]
    assert "forfeited" in shut["volley fire"]
    assert "move action" in shut["charge"]


def test_em60_nothing_to_do_is_a_pass() -> None:
    still = unit("A", speed=0)
    ends(play(game(setup(still, unit("B"), action="open", distance=5))), damage=0, moved=0)


@pytest.mark.parametrize(
    ("name", "changes", "words"),
    [
        ("close_combat", {"distance": 3}, "out of melee range"),
        ("aimed_fire", {"distance": 41}, "out of range"),
        ("aimed_fire", {"blind": True}, "nobody sees"),
        ("supporting_fire", {}, "no friend"),
        ("volley_fire", {"move": "normal"}, "forfeited"),
        ("volley_fire", {"move": "double"}, "forfeited"),
        ("volley_fire", {"distance": 41}, "out of range"),
        ("charge", {"engaged": True}, "in melee range already"),
        ("charge", {"distance": 5, "move": "double"}, "takes the move action too"),
        ("disengage", {}, "no enemy engages"),
        ("break_ranks", {}, "not in ranks"),
        ("close_combat", {"weapon": "bow"}, "does not serve"),
        ("dance", {}, "dance"),
    ],
)
def test_em30_an_action_that_the_rules_refuse_is_an_error(
    name: str, changes: dict[str, Any], words: str
) -> None:
    refused(setup(ARCHERS, unit("B"), action=name, **changes), words)


def test_em31_volley_takes_close_formation_and_the_skill() -> None:
    for formation in ("open", "ranked"):
        refused(aimed(by=replace(ARCHERS, formation=formation), action="volley_fire"), "EM-31")
    refused(aimed(by=unit("A", aim=4, weapons=(BOW,)), action="volley_fire"), "no Default")


# -- Aimed Fire ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("distance", "number", "points"),
    # bands end at 10, 20, 40; Hits 4 less base damage 3, 2, 1: three hits make 3, 1, 1 points
    [(0, 6, 3), (10, 6, 3), (10.5, 7, 1), (20, 7, 1), (21, 8, 1), (40, 8, 1)],
)
def test_em30_range_bands_and_base_damage(distance: float, number: int, points: int) -> None:
    made = game(aimed(target=unit("B", hits=4), distance=distance))
    ends(play(made, 8, 9, 10, 2), difficulty=number, hits=3, damage=points)


@pytest.mark.parametrize(
    ("target", "changes", "number"),
    [
        ({}, {}, 6),
        ({"concealment": "partial"}, {}, 7),
        ({"concealment": "total"}, {}, 9),
        ({"cover": "partial"}, {}, 8),
        ({"unaware": True}, {}, 5),
        ({}, {"move": "forfeit"}, 4),
        ({}, {"move": "double"}, 10),
        ({"elevation": -1}, {}, 5),
        ({"elevation": 1}, {}, 6),  # no row for a target above
    ],
)
def test_em30_each_row_of_aimed_fire(
    target: dict[str, Any], changes: dict[str, Any], number: int
) -> None:
    assert at(aimed(target=unit("B", **target), **changes)) == number


def test_em30_nobody_aims_at_total_cover() -> None:
    refused(aimed(target=unit("B", cover="total")), "total cover")


def test_em30_outnumbering_counts_for_supporting_fire_only() -> None:
    assert at(aimed(by=replace(ARCHERS, members=90))) == 6


# -- Volley Fire -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("distance", "changes", "number"),
    [(10, {}, 8), (11, {}, 6), (20, {}, 6), (21, {}, 10), (15, {"in_sight": True}, 4),
     (15, {"blind": True}, 10)],
)  # fmt: skip
def test_em31_each_row_of_volley_fire(
    distance: float, changes: dict[str, Any], number: int
) -> None:
    assert at(aimed(action="volley_fire", distance=distance, **changes)) == number


def test_em31_partial_vertical_cover() -> None:
    assert (
        at(aimed(action="volley_fire", distance=15, target=unit("B", vertical_cover="partial")))
        == 8
    )


def test_em31_base_damage_is_the_least_unless_the_weapon_says_otherwise() -> None:
    made = aimed(action="volley_fire", distance=15, target=unit("B", hits=4))
    ends(play(game(made), 8, 9, 10, 2), damage=1)  # 3 hits, Hits 4 less 1: three for a point
    full = replace(ARCHERS, weapons=(replace(BOW, volley_full=True),))
    ends(play(game(replace(made, attacker=full)), 8, 9, 10, 2), damage=1, markers=1)


def test_em31_a_roof_is_hit_in_place_of_those_below() -> None:
    below = unit("B", vertical_cover="total", covered_by="W")
    made = aimed(action="volley_fire", distance=15, target=below, others=(other(WALL),))
    ends(play(game(made), 8, 9, 10, 7), casualties_by="none", markers=4)


def test_em31_total_vertical_cover_comes_from_somebody() -> None:
    below = unit("B", vertical_cover="total", covered_by="W")
    with pytest.raises(SetupError, match="covers"):
        game(aimed(action="volley_fire", distance=15, target=below))


# -- Close Combat ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "target", "changes", "number"),
    [
        ({}, {}, {}, 6),
        ({}, {"concealment": "partial"}, {}, 7),
        ({}, {"concealment": "total"}, {}, 8),
        ({}, {"cover": "partial"}, {}, 8),
        ({}, {"cover": "total"}, {}, 10),
        ({}, {"rough": True}, {}, 7),
        ({"rough": True}, {}, {}, 7),
        ({"charged": True}, {}, {}, 5),
        ({"double_paced": True}, {}, {}, 8),
        ({}, {}, {"move": "double"}, 8),
        ({}, {"elevation": 1}, {}, 7),
        ({"elevation": 1}, {}, {}, 5),
        ({"aligned": True}, {}, {}, 7),
        ({}, {"exposed": 2}, {}, 4),
    ],
)
def test_em32_each_row_of_close_combat(
    own: dict[str, Any], target: dict[str, Any], changes: dict[str, Any], number: int
) -> None:
    assert at(setup(unit("A", cc=4, **own), unit("B", **target), **changes)) == number


@pytest.mark.parametrize(
    ("own", "theirs", "number"),
    [(10, 10, 6), (11, 10, 5), (19, 10, 5), (20, 10, 4), (29, 10, 4), (30, 10, 2), (10, 30, 6)],
)
def test_em32_the_subject_is_outnumbered_from_two_and_three_to_one_on(
    own: int, theirs: int, number: int
) -> None:
    assert at(setup(unit("A", own, cc=4), unit("B", theirs))) == number


def test_em32_friends_in_the_combat_count_too() -> None:
    made = setup(4, unit("B"), friend(unit("F", 10)), friend(unit("G", 90), fights=False))
    assert at(made) == 4  # 20 against 10


def test_em6_all_unaware_no_roll_and_no_armor() -> None:
    made = hits(6, unit("B", hits=1, armor=5))
    ends(play(game(made)), successes=6, ones=0, hits=6, damage=6)
    assert mean(game(made, {"auto_success": "one"}), "damage") == 1


def test_em32_one_who_is_aware_is_enough_for_a_roll_and_armor() -> None:
    made = body(unit("B", unaware=True), unit("C", armor=1))
    assert dice(asked(game(made))) == "4d10"


def test_em5_without_the_skill_one_die_or_less_of_the_best_level() -> None:
    fists = setup(unit("A", aim=7, weapons=(BOW,)))
    assert dice(asked(game(fists))) == "1d10"
    assert dice(asked(game(fists, {"default_yes": "half"}))) == "3d10"
    penalty = game(fists, {"default_yes": "penalty"})
    assert dice(asked(penalty)) == "7d10"
    assert at(fists, {"default_yes": "penalty"}) == 8


def test_em45_a_level_that_has_shrunk_to_nothing_rolls_nothing() -> None:
    gone = Unit(name="A", members=2, lost=8, skills=(unit("x", cc=4).skills[0],))
    shrunk = replace(gone, skills=(replace(gone.skills[0], diminish=1),))
    ends(play(game(setup(shrunk))), dice=0, hits=0)


def test_em3_members_roll_and_the_level_makes_it_easier() -> None:
    made = setup(unit("A", cc=2), unit("B"))
    session = asked(game(made, {"dice_from": "members"}))
    assert dice(session) == "10d10"
    assert at(made, {"dice_from": "members"}) == 4


# -- hits and damage -------------------------------------------------------------------------


def test_em40_base_damage_is_taken_from_hits_and_armor() -> None:
    axe = unit("A", cc=4, weapons=(Weapon(damage=2),))
    made = game(setup(axe, unit("B", hits=3, armor=1)))
    ends(play(made, 6, 7, 8, 2), hits=3, damage=1, markers=1)  # 3 hits, two for a point


def test_em40_a_charge_has_its_own_base_damage() -> None:
    lance = Weapon(damage=1, damage_charging=3)
    riders = unit("A", cc=4, weapons=(lance,), speed=10)
    made = setup(riders, unit("B", hits=4), action="charge", distance=12)
    ends(play(game(made), 5, 6, 7, 4), difficulty=5, hits=3, damage=3)
    statuses = setup(riders, unit("B", hits=4))
    ends(play(game(statuses), 6, 7, 8, 2), damage=1)


def test_em50_joined_characters_roll_for_themselves_with_their_own_gear() -> None:
    hero = unit("H", 1, cc=2, weapons=(Weapon(damage=3),))
    led = replace(unit("A", cc=2), joined=(hero,))
    made = game(setup(led, unit("B", 11, hits=4)))
    # two hits of the unit lie as markers towards 4; the hero's point takes one hit: 2 + 2 points
    ends(play(made, 6, 7, 8, 9), hits=4, successes=4, damage=4, markers=0)


def test_em50_one_check_after_the_other_in_the_log() -> None:
    led = replace(unit("A", cc=2), joined=(unit("H", 1, cc=1),))
    session = asked(game(setup(led, unit("B"))), (6, 2), (7,))
    assert session.outcome is not None
    rolls = [row for row in session.log if row.step == "roll_check"]
    assert len(rolls) == 2
    assert line(session, "count_last_check").step == "count_last_check"


# -- Supporting Fire, shots into a skirmish --------------------------------------------------


def melee(formation: str = "ranked", friends: int = 10, **changes: Any) -> Any:
    kind: Any = formation
    foe = unit("B", formation=kind)
    by = changes.pop("by", unit("A", aim=4))
    return setup(by, foe, friend(unit("F", friends)), **{"action": "supporting_fire", **changes})


@pytest.mark.parametrize(("friends", "rows"), [(20, -1), (21, -2), (30, -2), (31, -4)])
def test_em33_emv10_enemies_outnumbered(friends: int, rows: int) -> None:
    assert at(melee(friends=friends), {"check": "d20_11"}) == 11 + 2 - rows


@pytest.mark.parametrize(("friends", "rows"), [(5, 1), (4, 2), (3, 4)])
def test_em33_friends_outnumbered(friends: int, rows: int) -> None:
    # 10 against 5 is two to one, 10 against 4 is more, 10 against 3 is more than three to one
    assert at(melee(friends=friends), {"check": "d20_11"}) == 11 + 2 - rows


def test_em14_supporting_fire_into_a_skirmish() -> None:
    assert at(melee("open")) == 10
    assert at(melee("open", friends=11), {"check": "d20_11"}) == 11 + 4 + 1 + 1


def test_em33_a_fumble_hits_friends_and_only_there() -> None:
    made = melee(by=unit("A", aim=5))
    ends(play(game(made), 1, 1, 9, 2, 1), fumble=2, friend_hits=2, hits=0, friend_casualties=2)
    plain = setup(unit("A", aim=5), unit("B"), action="aimed_fire")
    ends(play(game(plain), 1, 1, 9, 2, 1), fumble=2, friend_hits=0)


def test_em33_enemies_in_the_combat_are_one_body() -> None:
    made = setup(unit("A", aim=6), unit("B", formation="ranked"), other(unit("C", 5)),
                 friend(unit("F", 15)), action="supporting_fire")  # fmt: skip
    ends(play(game(made), 10, 10, 10, 2, 2, 2), casualties_by="B 2, C 1")


def test_em34_emo13_a_plain_shot_into_a_skirmish_may_kill_a_friend() -> None:
    bow = Weapon(skill="aimed_fire", short=9, medium=9, longest=9, damage=1)
    made = setup(unit("A", aim=4, weapons=(bow,)), unit("B", 9, formation="open"),
                 friend(unit("F", 3, hits=2, formation="open")), action="aimed_fire")  # fmt: skip
    assert chance(game(made), "friend_dies") == F(1, 16)


def test_em34_a_plain_shot_at_ranks_hits_the_ranks_alone() -> None:
    made = melee(by=unit("A", aim=4), action="aimed_fire")
    ends(play(game(made), 6, 6, 6, 6), casualties=4, friend_casualties=0)


def test_em31_a_volley_on_a_place_hits_all_who_stand_there_or_one() -> None:
    made = aimed(action="volley_fire", distance=15, target=unit("B", 6, hits=2),
                 others=(other(unit("C", 3, hits=3), fights=False),))  # fmt: skip
    assert odds(game(made), "damage_2") == {0: 1}
    # 4 hits at base damage 1: two points for B, twice as large, and two hits for one of C
    ends(play(game(made, {"volley_area": "all"}), 6, 7, 8, 9), damage_by="B 2, C 1")


def test_em1_an_own_action_has_rows_of_its_own() -> None:
    rows = Modified(label="acid", amount=2), Modified(label="wind", amount=-1)
    spit = Own(name="spit", default=True, modifiers=rows)
    made = setup(unit("A", cc=4, actions=(spit,)), action="spit")
    assert at(made) == 5
    session = asked(game(made)).answer((2,))
    assert [str(row) for row in line(session, "roll_check").totals[0].terms] == [
        "+2 acid (EM-1)", "-1 wind (EM-1)",
    ]  # fmt: skip


def test_em32_em33_rows_of_odds_say_whether_just_so_much_is_enough() -> None:
    """Three to one is enough in close combat; shots take one more than that."""
    session = played(game(setup(unit("A", 31, cc=1), unit("B", 10))), 1)
    told = [row.label for row in line(session, "roll_check").totals[0].terms]
    assert told == [f"subject outnumbered{odds}" for odds in ("", " 2:1", " 3:1")]
    shots = setup(
        unit("A", 1, aim=1, weapons=(Weapon(skill="aimed_fire", longest=9),)),
        unit("B", 10),
        friend(unit("F", 31)),
        action="supporting_fire",
        distance=5,
    )
    session = played(game(shots), 1)
    told = [row.label for row in line(session, "roll_check").totals[0].terms]
    more = ("", " more than 2:1", " more than 3:1")
    assert [label for label in told if label.startswith("enemy outnumbered")][:3] == [
        f"enemy outnumbered{odds}" for odds in more
    ]
