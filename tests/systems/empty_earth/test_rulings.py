"""Every ruling: each reading is carried out, and where the readings part is shown."""

from dataclasses import replace
from fractions import Fraction

import pytest

from affray.core.errors import AnswerError, SetupError
from affray.engine.exchange.session import Session
from affray.systems.empty_earth.cards import Unmodified
from affray.systems.empty_earth.rulings import RULINGS
from affray.systems.empty_earth.sheet import Cubes, Fighter, Setup

from .factory import (
    BO,
    asked,
    bow,
    chance,
    facts_of,
    feature,
    game,
    offered,
    play,
    question,
    setup,
    striker,
    target,
    value,
    weapon,
)

O4 = setup(striker(weapon("2D6", 1, aim=1), cubes=Cubes(blue=1)), target(dodge="1D4"))
O8 = setup(striker(weapon("3D6", 1), focus=(3,)))


def test_every_question_of_the_list_has_a_ruling() -> None:
    numbers = {ruling.id.rstrip("bcd") for ruling in RULINGS}
    assert numbers == {f"A-{number}" for number in range(1, 31)}


@pytest.mark.parametrize(
    ("reading", "none"),
    [("pool", Fraction(25, 36)), ("per_die", Fraction(5, 8)), ("all", Fraction(113, 144))],
)
def test_a1_dodge_ee41_(reading: str, none: Fraction) -> None:  # O4p, O4d, O4a
    made = game(O4, {"dodge": reading}, take_aim="aim", choose_reaction="dodge")
    assert chance(made, "hits", 0) == none


def test_a2_dodge_dice_ee29_printed_by_attribute_or_for_a_cube() -> None:
    nimble = target(dodge="2D4", tactics=3)
    for reading, dice in (("printed", "2d4"), ("attribute", "3d4")):
        made = game(setup(defender=nimble), {"dodge_dice": reading}, choose_reaction="dodge")
        assert str(question(asked(made, (5, 6))).dice) == dice
    with pytest.raises(AnswerError, match="no blue cube"):
        Session(game(setup(defender=nimble), {"dodge_dice": "cube"}, choose_reaction="dodge"))
    rich = replace(nimble, cubes=Cubes(blue=1))
    paid = game(setup(defender=rich), {"dodge_dice": "cube"}, choose_reaction="dodge")
    assert facts_of(asked(paid)).defending.cubes.blue == 0


@pytest.mark.parametrize(("reading", "first"), [("first", "defender"), ("last", "attacker")])
def test_a3_reaction_ee29_before_or_after_the_attackers_cubes(reading: str, first: str) -> None:
    session = Session(game(O4, {"reaction": reading}))
    assert question(session).actor == first
    later = session.answer(offered(session)[1])
    assert question(later).actor != first


def test_a3_reaction_ee29_whoever_decides_last_has_the_edge() -> None:
    """One red cube each. Heavy does 4 with 1/3, Sure does 2 with 2/3, against a defense of 4.

    Guard makes the defense 6: 0 against Heavy, 2 with 1/3 against Sure. Pad takes 2: 2 with 1/3
    against Heavy, 0 against Sure. Whoever has to decide first meets the better answer.
    """
    heavy, sure = feature("Heavy", damage=2), feature("Sure", each_die=2)
    guard = feature("Guard", timing="immediate", defence=2)
    pad = feature("Pad", timing="immediate", dr=2)
    one = Cubes(red=1)
    made = setup(
        striker(weapon("1D6", features=(heavy, sure)), cubes=one),
        target(abilities=(guard, pad), cubes=one),
    )
    assert value(game(made)) == Fraction(2, 3)
    assert value(game(made, {"reaction": "last"})) == 0


@pytest.mark.parametrize(
    ("reading", "order"),
    [
        ("attacker", ["attacker", "attacker", "defender", "defender"]),
        ("defender", ["defender", "defender", "attacker", "attacker"]),
        ("alternate", ["attacker", "defender", "attacker", "defender"]),
    ],
)
def test_a4_post_roll_ee34_who_goes_first(reading: str, order: list[str]) -> None:
    made = setup(striker(rerolls=2), target(dodge="2D4", rerolls=2))
    session = asked(game(made, {"post_roll": reading}, choose_reaction="dodge"), (1, 6), (1, 1))
    met = []
    while (asks := session.question) is not None and "effect" in asks.ask:
        met.append(asks.actor)
        session = session.answer(offered(session)[1]).answer((1,))
    assert met == order


def test_a4_post_roll_ee34_what_is_bought_after_the_roll_waits_for_the_defender() -> None:
    """1D6 for 1 against 3, a Dodge of 1D4 with a Reroll, a red cube for 2 more on the die.

    Whoever acts first doesn't know what the other will do: the defender on 4 against 3 keeps a
    Dodge of 1, which stops the die, and then meets the +2.
    """
    up = feature("Up", timing="post_roll", each_die=2)
    made = setup(
        striker(weapon("1D6", 1, features=(up,)), cubes=Cubes(red=1)),
        target(phys_def=3, dodge="1D4", rerolls=1),
    )
    for reading, order in (
        ("attacker", ["buy_after_roll", "adjust_dodge"]),
        ("defender", ["adjust_dodge", "buy_after_roll"]),
        ("alternate", ["buy_after_roll", "adjust_dodge"]),
    ):
        session = asked(game(made, {"post_roll": reading}, choose_reaction="dodge"), 4, 1)
        met = []
        while (asks := session.question) is not None:
            met.append(asks.step)
            session = session.answer(offered(session)[0])
        assert met[:2] == order
    start = game(made, {"post_roll": "defender"}, choose_reaction="dodge")
    assert play(start, 4, 1, options=("pass", "Up"))["hits"] == 1  # 3 too many for a 1
    assert play(start, 4, 1, 4, options=("reroll-1", "Up", "stop-1"))["hits"] == 0


def test_a4_post_roll_ee34_alternating_ends_when_both_pass_in_a_row() -> None:
    made = setup(striker(rerolls=2), target(dodge="1D4", rerolls=2))
    start = game(made, {"post_roll": "alternate"}, choose_reaction="dodge")
    session = asked(start, (1, 6), 1, "pass", "pass")
    assert session.question is None or "effect" not in session.question.ask
    session = asked(start, (1, 6), 1, "pass", "reroll-1", 2)
    assert question(session).actor == "attacker"  # passing once was not for good


@pytest.mark.parametrize(
    ("reading", "all_hit"), [("one", Fraction(11, 54)), ("split", Fraction(7, 24))]
)
def test_a5_focus_ee36_one_die_or_split(reading: str, all_hit: Fraction) -> None:  # O8s, O8x
    assert chance(game(O8, {"focus": reading}), "hits", 3) == all_hit


def test_a5b_focus_amount_ee36_exact_or_up_to() -> None:
    made = setup(striker(weapon("1D6"), focus=(2,)), target(dodge="1D6"))
    for reading, options in (
        ("exact", ["pass", "focus-2-on-4"]),
        ("up_to", ["pass", "focus-2-on-4", "focus-2-only-1-on-4"]),
    ):
        session = asked(game(made, {"focus_amount": reading}, choose_reaction="dodge"), 4, 1)
        assert offered(session) == options


def test_a5c_focus_limit_ee36_above_the_die_or_not() -> None:
    made = setup(striker(weapon("1D6"), focus=(3,)), target(phys_def=6))
    assert value(game(made, {"focus_limit": "none"})) > 0
    assert value(game(made, {"focus_limit": "die"})) == 0


def test_a5d_focus_cost_ee36_free_or_a_blue_cube() -> None:
    poor = setup(striker(weapon("1D6"), focus=(3,)))
    assert offered(asked(game(poor), 4)) == ["pass", "focus-3-on-4"]
    assert asked(game(poor, {"focus_cost": "blue"}), 4).outcome is not None
    rich = setup(striker(weapon("1D6"), focus=(3,), cubes=Cubes(blue=1)))
    done = play(game(rich, {"focus_cost": "blue"}), 4, options=("focus-3-on-4",))
    assert (done["hits"], done["cubes"]) == (1, 0)
    wary = setup(weapon("1D6"), target(dodge="1D4", focus=(1,), cubes=Cubes(blue=1)))
    made = game(wary, {"focus_cost": "blue"}, choose_reaction="dodge")
    session = asked(made, 6, 1, "focus-1-on-1")
    assert facts_of(session).defending.cubes.blue == 0


@pytest.mark.parametrize(
    ("reading", "hits", "damage"), [("each_die", 0, 0), ("one_die", 1, 2), ("damage", 2, 3)]
)
def test_a6_crowd_ee14_each_die_one_die_or_damage(reading: str, hits: int, damage: int) -> None:
    made = setup(bow(), distance_zones=1, hostile_in_own_zone=1)
    done = play(game(made, {"crowd": reading}), 5, 5)
    assert (done["hits"], done["damage"]) == (hits, damage)


def test_a6_crowd_ee14_the_attacker_picks_the_one_die() -> None:
    made = setup(bow(), distance_zones=1, hostile_in_own_zone=1)
    session = asked(game(made, {"crowd": "one_die"}), (5, 6))
    assert (question(session).actor, offered(session)) == ("attacker", ["5", "6"])
    assert play(game(made, {"crowd": "one_die"}), 5, 6, options=("6",))["hits"] == 2
    assert offered(asked(game(made, {"crowd": "one_die"}), (1, 5))) == ["miss", "5"]


def test_a6_crowd_ee34_the_defender_is_done_with_the_dodge_dice_before() -> None:
    made = setup(bow(), target(dodge="1D4", rerolls=1), distance_zones=1, hostile_in_own_zone=1)
    made_game = game(made, {"crowd": "one_die"}, choose_reaction="dodge")
    session = asked(made_game, (5, 6), (1,))
    assert (question(session).actor, offered(session)) == ("defender", ["pass", "reroll-1"])
    session = session.answer("reroll-1").answer((3,))
    assert (question(session).actor, offered(session)) == ("attacker", ["5", "6"])
    assert question(session.answer("6")).actor == "defender"  # who applies the 3


@pytest.mark.parametrize(("reading", "options"), [("once", 2), ("each_cube", 4)])
def test_a7_aim_ee38_once_or_cube_by_cube(reading: str, options: int) -> None:
    made = setup(striker(weapon(aim=1), cubes=Cubes(blue=3)))
    session = Session(game(made, {"aim": reading}))
    assert len(offered(session)) == options
    if reading == "each_cube":
        done = play(game(made, {"aim": reading}), 2, 1, options=("aim-3",))
        assert (done["hits"], done["cubes"]) == (1, 0)


@pytest.mark.parametrize(("reading", "hits"), [("lost", 0), ("kept", 1)])
def test_a8_refocus_ee35_a_focused_die_is_rerolled(reading: str, hits: int) -> None:
    made = setup(striker(weapon("1D6"), focus=(2,), rerolls=1), target(dodge="1D4"))
    start = game(made, {"refocus": reading}, choose_reaction="dodge")
    session = asked(start, 4, 4, "focus-2-on-4")
    reroll = next(name for name in offered(session) if name.startswith("reroll"))
    session = session.answer(reroll).answer((3,))
    if hits:
        assert offered(session) == ["none", "stop-1"]
    else:
        assert session.outcome is not None


@pytest.mark.parametrize(("reading", "hits"), [("lost", 0), ("kept", 1)])
def test_a8_refocus_ee35_a_focused_die_is_swept_up(reading: str, hits: int) -> None:
    """4 and 2 of Focus, swept up; the new 3 has them still, or not: against a defense of 4."""
    made = setup(striker(weapon("1D6"), focus=(2,), sweeps=1))
    sweep = "sweep-sure-with-2-focus" if hits else "sweep-sure"
    done = play(game(made, {"refocus": reading}), 4, 3, options=("focus-2-on-4", sweep))
    assert done["hits"] == hits


def test_a8_refocus_ee35_dice_of_the_same_value_are_told_apart_by_their_focus() -> None:
    """4 and 3, one point of Focus on the 3; and the same for Dodge dice of 2 and 1."""
    made = setup(
        striker(weapon("2D6"), focus=(1, 1), rerolls=1),
        target(dodge="2D4", focus=(1, 1), rerolls=1),
    )
    start = game(made, {"refocus": "kept"}, choose_reaction="dodge")
    session = asked(start, (4, 3), (1, 2), "focus-1-on-3")
    assert offered(session) == [
        "pass", "focus-1-on-4", "focus-1-on-4-with-1-focus", "reroll-4", "reroll-4-with-1-focus",
    ]  # fmt: skip
    session = session.answer("pass").answer("focus-1-on-1")
    assert offered(session) == [
        "pass", "focus-1-on-2", "focus-1-on-2-with-1-focus", "reroll-2", "reroll-2-with-1-focus",
    ]  # fmt: skip


def test_a8_refocus_ee35_forbidden() -> None:
    made = setup(striker(weapon("2D6"), focus=(2,), rerolls=1))
    session = asked(game(made, {"refocus": "forbidden"}), (3, 4), "focus-2-on-4")
    assert offered(session) == ["pass", "reroll-3"]
    assert offered(asked(game(made), (3, 4), "focus-2-on-4")) == [
        "pass", "reroll-3", "reroll-sure",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("reading", "line", "seen"),
    [
        ("crossing", "touches", True), ("crossing", "runs_along", False),
        ("strict", "touches", False), ("strict", "runs_along", False),
        ("lenient", "touches", True), ("lenient", "runs_along", True),
        ("lenient", "blocked", False), ("strict", "clear", True),
    ],
)  # fmt: skip
def test_a9_sight_ee13_touching_and_running_along(reading: str, line: str, seen: bool) -> None:
    made = setup(bow(), distance_zones=1, line_of_sight=line)  # L5 is "touches"
    if seen:
        assert Session(game(made, {"sight": reading})).question
        return
    with pytest.raises(SetupError, match=line.replace("_", " ")):
        game(made, {"sight": reading})


def test_a10_zones_ee11_over_borders_or_through_openings() -> None:
    made = setup(bow(), distance_zones=2, distance_through_openings=4)
    assert Session(game(made)).question
    with pytest.raises(SetupError, match="the target is 4 away"):
        game(made, {"zones": "openings"})
    assert Session(game(setup(bow(), distance_zones=2), {"zones": "openings"})).question


@pytest.mark.parametrize(("reading", "left", "damage"), [("spent", 0, 1), ("stay", 3, 0)])
def test_a11_shields_ee25_spent_or_not(reading: str, left: int, damage: int) -> None:
    made = setup(weapon("1D6"), target(shields=3), attacks=2)
    done = play(game(made, {"shields": reading}), 5, 5)
    assert (done["shields"], done["damage"]) == (left, damage)


@pytest.mark.parametrize(("reading", "left"), [("activation", 0), ("never", 3)])
def test_a12_reset_ee26_shields_of_enemies(reading: str, left: int) -> None:
    made = setup(defender=target(shields=3), new_turn="defender")
    assert play(game(made, {"reset": reading}), 1, 1)["shields"] == left
    hero = setup(defender=replace(BO, shields=3), new_turn="defender")
    assert play(game(hero, {"reset": reading}), 1, 1)["shields"] == 0


@pytest.mark.parametrize(("reading", "damage"), [("same", 3), ("apart", 1)])
def test_a13_reduction_ee43_one_number_or_two(reading: str, damage: int) -> None:
    made = setup(defender=target(dr=1, reduction=2))
    assert play(game(made, {"reduction": reading}), 5, 6)["damage"] == damage
    assert play(game(setup(), {"reduction": reading}), 5, 6)["damage"] == 4  # none is printed


@pytest.mark.parametrize(
    ("reading", "others", "ends"),
    [
        ("hold", ("carried", "taken"), True), ("hold", ("none",), False),
        ("taken", ("carried", "taken"), False), ("taken", ("taken",), True),
    ],
)  # fmt: skip
def test_a14_stage_ee52_held_or_taken_now(
    reading: str, others: tuple[str, ...], ends: bool
) -> None:
    made = setup(weapon("1D6", 20), BO, other_pcs=others)
    assert play(game(made, {"stage": reading}), 5, 4)["stage_ended"] is ends


def test_a15_last_regain_ee52_before_the_stage_ends_or_not_at_all() -> None:
    made = setup(weapon("1D6", 20), BO)
    assert play(game(made, {"last_regain": "yes"}), 5, 4)["vitality"] == 4
    done = play(game(made, {"last_regain": "no"}), 5)
    assert (done["vitality"], done["stage_ended"], done["injuries"]) == (0, True, 1)


@pytest.mark.parametrize(("reading", "injuries"), [("unchanged", 1), ("add", 2), ("remove", 0)])
def test_a16_revival_ee51_and_injuries(reading: str, injuries: int) -> None:
    rescuer = Fighter(name="Cy", side="pc", cubes=Cubes(black=3))
    made = Setup(attacker=rescuer, defender=replace(BO, vitality=0, injuries=1), act="revive")
    assert play(game(made, {"revival": reading}), 4)["injuries"] == injuries


def test_a17_fallen_ee54_may_be_attacked_or_not() -> None:
    made = setup(defender=replace(BO, vitality=0, injuries=1))
    assert play(game(made), 5, 6)["downed"] is False
    with pytest.raises(SetupError, match="'fallen'"):
        game(made, {"fallen": "no"})


@pytest.mark.parametrize(("reading", "counter"), [("yes", False), ("no", True)])
def test_a19_counter_able_ee50_needs_to_act(reading: str, counter: bool) -> None:
    down = setup(defender=replace(BO, vitality=0, injuries=1))
    assert play(game(down, {"counter_able": reading}), 1, 1)["counter"] is counter


@pytest.mark.parametrize(("reading", "both"), [("yes", True), ("no", False)])
def test_a20_both_ee29_a_reaction_and_an_ability(reading: str, both: bool) -> None:
    brace = feature("Brace", red=0, timing="immediate", dr=1)
    made = setup(defender=target(dodge="1D4", abilities=(brace,)))
    session = asked(game(made, {"both": reading}), "dodge")
    assert ("Brace" in [o.name for o in question(session).options]) is both
    assert offered(asked(game(made, {"both": reading}), "none")) == ["Brace", "none"]


@pytest.mark.parametrize(("reading", "fires"), [("counts", True), ("regular", False)])
def test_a21_on_damage_ee24_by_piercing_alone(reading: str, fires: bool) -> None:
    made = setup(weapon("1D6", 1, piercing=1), target(dr=5))
    assert play(game(made, {"on_damage": reading}), 5)["on_damage"] is fires


@pytest.mark.parametrize(("reading", "damage"), [("raw", 9), ("capped", 3)])
def test_a22_final_ee43_beyond_what_is_left(reading: str, damage: int) -> None:
    made = setup(weapon("1D6", 9), target(vitality=3))
    done = play(game(made, {"final": reading}), 5)
    assert (done["damage"], done["vitality"]) == (damage, 0)


@pytest.mark.parametrize(("reading", "asks"), [("allowed", True), ("attack_only", False)])
def test_a23_dodge_focus_ee34_on_dodge_dice(reading: str, asks: bool) -> None:
    made = setup(weapon("1D6"), target(dodge="1D4", focus=(1,)))
    session = asked(game(made, {"dodge_focus": reading}, choose_reaction="dodge"), 6, 1)
    assert (session.question is not None and "effect" in session.question.ask) is asks


def test_a24_icons_ee5_four_or_two() -> None:
    made = setup(weapon(kind="essential"), distance_zones=3)
    with pytest.raises(SetupError, match="same Zone"):
        game(made)
    assert Session(game(made, {"icons": "two"})).question
    crowded = setup(bow(kind="essential"), distance_zones=0)
    assert play(game(crowded), 5, 5)["hits"] == 0
    assert play(game(crowded, {"icons": "two"}), 5, 5)["hits"] == 2


@pytest.mark.parametrize(("reading", "hits"), [("zero", 0), ("adds", 1)])
@pytest.mark.parametrize("spread", ["pool", "all"])
def test_a25_negative_ee39_a_dodge_below_zero(reading: str, hits: int, spread: str) -> None:
    made = setup(weapon("1D6"), target(dodge="1D4-3"))
    start = game(made, {"negative": reading, "dodge": spread}, choose_reaction="dodge")
    assert play(start, 3, 1)["hits"] == hits  # 3 against 4; the Dodge is worth -2


def test_a25_negative_ee39_a_die_below_zero_may_stay_unused() -> None:
    made = setup(weapon("1D6"), target(dodge="1D4-3"))
    start = game(made, {"negative": "adds", "dodge": "per_die"}, choose_reaction="dodge")
    assert play(start, 3, 1)["hits"] == 0


def test_a25_negative_ee39_the_dodge_may_raise_a_die_with_an_effect_instead() -> None:
    """Against 4 neither 3 nor 4 hits; the Dodge is worth -2 and lifts one of them over it."""
    made = setup(weapon("2D6", unmodified=4, unmodified_must_hit=True), target(dodge="1D4-3"))
    start = game(made, {"negative": "adds"}, choose_reaction="dodge")
    assert offered(asked(start, (3, 4), 1)) == ["raise", "raise-special"]
    plain = play(start, 3, 4, 1, options=("raise",))
    assert (plain["hits"], plain["unmodified"]) == (1, 0)
    special = play(start, 3, 4, 1, options=("raise-special",))
    assert (special["hits"], special["unmodified"]) == (1, 1)


@pytest.mark.parametrize(("reading", "counter"), [("counter", True), ("none", False)])
def test_a26_harmless_ee44_attacks(reading: str, counter: bool) -> None:
    made = setup(weapon("2D6", 0))
    assert play(game(made, {"harmless": reading}), 5, 6)["counter"] is counter
    special = Unmodified(damage=1)
    for able in (  # those missed, but could
        weapon("2D6", 1), weapon("2D6", 0, piercing=1),
        weapon("2D6", 0, unmodified=6, unmodified_effect=special),
    ):  # fmt: skip
        assert play(game(setup(able), {"harmless": reading}), 4, 4)["counter"] is True


def test_a27_reroll_ee35_one_all_or_the_better() -> None:
    made = setup(striker(weapon("2D6"), rerolls=1))
    assert offered(asked(game(made), (1, 5))) == ["pass", "reroll-miss", "reroll-sure"]
    session = asked(game(made, {"reroll": "all"}), (1, 5))
    assert offered(session) == ["pass", "reroll-miss-sure"]
    assert str(question(session.answer("reroll-miss-sure")).dice) == "2d6"
    kept = play(game(made, {"reroll": "better"}), 1, 5, 2, options=("reroll-sure",))
    assert kept["hits"] == 1
    lost = play(game(made), 1, 5, 2, options=("reroll-sure",))
    assert lost["hits"] == 0
    assert value(game(made, {"reroll": "better"})) >= value(game(made))
