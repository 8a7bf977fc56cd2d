"""Every ruling: each reading is carried out, and where the readings part is shown."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.app.inputs.setups import examples
from affray.app.rulings import show_rulings
from affray.core.errors import AnswerError
from affray.engine.exchange.session import Session
from affray.systems.affinity.rulings import RULINGS
from affray.systems.affinity.sheet import Action, Layer, Setup

from .factory import (
    BLADE,
    MAUL,
    MEDIUM,
    MEND,
    ORC,
    SLING,
    SYSTEM,
    ally,
    asked,
    attack,
    chance,
    dice,
    game,
    harmed,
    joint,
    mean,
    odds,
    offered,
    play,
    question,
    setup,
    striker,
    target,
    value,
)

F = Fraction
FAR = target(hd=9)
COMBATANT = target(MEDIUM, level=5)


def test_every_question_of_the_list_has_a_ruling() -> None:
    numbers = {ruling.id.rstrip("bcd") for ruling in RULINGS if ruling.id.startswith("A")}
    assert numbers == {f"A-{number}" for number in range(1, 28) if number != 23}  # the sheet


def test_every_ruling_is_shown_by_an_example() -> None:
    """By the field that it names, under a reading that the example doesn't settle itself."""
    for row in show_rulings("affinity").rulings:
        assert any(reading.distance for reading in row.readings), row.name
    for name, table in examples(SYSTEM).items():
        shown, settled = table.get("shows", {}), table.get("rulings", {})
        assert not set(shown) & set(settled), name  # type: ignore[call-overload]  # two tables


# -- defense ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reading", "wanted"),
    [
        ("roll", F(89, 100)),
        ("strict", F(3)),
        ("absorb_one", F(1, 4) * F(3 * 16 + 2 * 48 + 36, 100)),
        ("per_die", F(1, 4)),
    ],
)
def test_a1_overwhelm_af23_hit_dice_lost(reading: str, wanted: Fraction) -> None:
    """By hand for `absorb_one`: both armor dice fail, then 3 damage against two d10."""
    assert mean(game(harmed(3, COMBATANT), {"overwhelm": reading}), "hd_lost") == wanted


def test_a1_overwhelm_af23_absorb_one_takes_the_layer_along() -> None:
    made = game(harmed(3, COMBATANT), {"overwhelm": "absorb_one"})
    end = play(made, 5, 1)
    assert (end["layers"], end["hd_lost"]) == ("none", 0)
    within = game(harmed(2, COMBATANT), {"overwhelm": "absorb_one"})
    assert play(within, 5, 1, 1, 1)["hd_lost"] == 1  # damage within the capacity: as ever


@pytest.mark.parametrize(("reading", "left"), [("survives", "armor"), ("depletes", "none")])
def test_a1b_outrolled_af27_bonus_dice_against_too_much(reading: str, left: str) -> None:
    braced = target(MEDIUM, defending=True)
    end = play(game(harmed(3, braced), {"outrolled": reading}), 5, 5, 5)
    assert (end["layers"], end["hd_lost"]) == (left, 0)


def test_a2_temp_hd_af27_totals_absorb() -> None:
    made = game(harmed(3, COMBATANT), {"temp_hd": "absorb"})
    end = play(made, 7, 4)
    assert (end["layers"], end["hd"]) == ("armor:10", 11)
    assert chance(game(harmed(3, COMBATANT)), "hd_lost", 0) == 1 - F(61, 100)


def test_a2_temp_hd_af27_a_total_used_up_is_gone() -> None:
    thin = target(Layer(die=8, temp_hd=2))
    absorbing = {"temp_hd": "absorb"}
    exact = play(game(harmed(2, thin), absorbing), 1)
    assert (exact["layers"], exact["hd_lost"]) == ("none", 0)
    assert play(game(harmed(3, thin), absorbing), 1, 1)["hd_lost"] == 1


@pytest.mark.parametrize(("reading", "safe"), [("half", F(1, 4)), ("full", F(11, 16))])
def test_a3_capacity_af21_two_damage_against_proficiency_4(reading: str, safe: Fraction) -> None:
    scholar = target(level=7, body="balanced")
    assert chance(game(harmed(2, scholar), {"capacity": reading}), "hd_lost", 0) == safe


@pytest.mark.parametrize(
    ("reading", "lost", "armor"),
    [
        ("every_roll", F(8, 27), F(1, 3)),
        ("after_body", F(5, 9), F(0)),
        ("once_per_attack", F(5, 9), F(1, 3)),
    ],
)
def test_a8_defend_bonus_af30_which_rolls_it_comes_with(
    reading: str, lost: Fraction, armor: Fraction
) -> None:
    braced = target(MEDIUM, body="balanced", defending=True)
    made = game(harmed(2, braced), {"defend_bonus": reading})
    assert mean(made, "hd_lost") == lost
    assert chance(made, "armor", 1) == armor
    if reading != "every_roll":
        assert odds(made, "hd_lost") == {0: F(5, 9), 1: F(1, 3), 2: F(1, 9)}


@pytest.mark.parametrize(("reading", "lost"), [("no", F(3)), ("yes", F(88, 75))])
def test_a9_bonus_counts_to_capacity_af23_strictly(reading: str, lost: Fraction) -> None:
    sturdy = target(level=5, resist=("fire",))
    rulings = {"overwhelm": "strict", "bonus_counts_to_capacity": reading}
    assert mean(game(harmed(3, sturdy, kind="fire"), rulings), "hd_lost") == lost


@pytest.mark.parametrize(("reading", "lost"), [("floor_zero", F(2)), ("floor_one", F(3, 2))])
def test_a10_vulnerability_af31_how_many_dice_are_left(reading: str, lost: Fraction) -> None:
    touchy = target(body="balanced", vulnerable=("cold",))
    made = game(harmed(2, touchy, kind="cold"), {"vulnerability": reading})
    assert mean(made, "hd_lost") == lost


def test_a21_magical_order_af22_newest_or_oldest_outermost() -> None:
    spells = (Layer(kind="magical", die=12), Layer(kind="magical", die=8))
    for reading, pool in (("newest", "1d12"), ("oldest", "1d8")):
        assert dice(asked(game(harmed(1, target(*spells)), {"magical_order": reading}))) == pool


def test_a21b_shield_af22_a_layer_of_its_own_or_part_of_the_armor() -> None:
    shield = Layer(kind="shield", die=12, dice=1, temp_hd=7)
    worn = harmed(9, target(shield, MEDIUM, hd=9))
    assert dice(asked(game(worn))) == "1d12"
    merged = asked(game(worn, {"shield": "armor"}))
    assert dice(merged) == "1d8"
    assert dice(merged.answer((1,))) == "1d10"
    summed = play(game(worn, {"shield": "armor", "temp_hd": "absorb"}), 1)
    assert summed["layers"] == "armor:10"  # 12 and 7 together, less 9
    alone = game(harmed(1, target(shield)), {"shield": "armor"})
    assert dice(asked(alone)) == "1d12"


@pytest.mark.parametrize(("reading", "pool"), [("yes", "1d10+4d6"), ("no", "1d10+2d6")])
def test_a24b_stacking_af31_defend_and_resistance(reading: str, pool: str) -> None:
    both = target(defending=True, resist=("fire",))
    assert dice(asked(game(harmed(1, both, kind="fire"), {"stacking": reading}))) == pool


def test_b1_layers_af22_one_roll_of_body_dice() -> None:
    made = game(harmed(2, target(MEDIUM)), {"layers": "single"})
    end = play(made, 5)
    assert (end["layers"], end["hd_lost"]) == ("none", 1)
    absorbing = game(harmed(2, target(MEDIUM)), {"layers": "single", "temp_hd": "absorb"})
    assert play(absorbing, 5)["layers"] == "armor:11"
    assert play(made, 5)["hd"] == 2


# -- attack ----------------------------------------------------------------------------------


def test_a4_exertion_budget_af1_per_action_or_for_the_turn() -> None:
    second = striker(level=5, exerted=3, attacked=True, actions_left=1)
    for reading, most in (("action", "3"), ("turn", "2")):
        session = asked(game(setup(second), {"exertion_budget": reading}), "blade")
        assert offered(session)[-1] == most
    even = striker(level=6, exerted=3)
    assert offered(asked(game(setup(even), {"exertion_budget": "turn"}), "blade"))[-1] == "3"


def test_a4_exertion_budget_af41_holds_for_whoever_intervenes() -> None:
    worn_out = ally(level=5, exerted=4)
    session = asked(game(harmed(3, allies=(worn_out,)), {"exertion_budget": "turn"}))
    assert offered(session) == ["no", "intervene", "intervene-1"]


@pytest.mark.parametrize(("reading", "hits"), [("tier", F(215, 216)), ("five", F(19, 27))])
def test_a5_success_face_af2_the_raider_hits(reading: str, hits: Fraction) -> None:
    made = attack(setup(ORC, FAR), None, {"success_face": reading})
    assert 1 - chance(made, "damage", 0) == hits


def test_a5_success_face_af41_holds_for_every_roll() -> None:
    made = game(harmed(1, allies=(ally(),)), {"success_face": "five"})
    assert play(made, 4, 1, options=("intervene",))["hd_lost"] == 1
    assert play(made, 5, options=("intervene",))["hd_lost"] == 0


@pytest.mark.parametrize(
    ("reading", "printed", "miss"),
    [
        ("sheet", 0, F(1, 4)),
        ("sheet", 1, F(1, 36)),
        ("weapon", 1, F(1, 4)),
        ("one", 0, F(1, 36)),
    ],
)
def test_a6_heavy_required_af2_stat_block_or_weapon(
    reading: str, printed: int, miss: Fraction
) -> None:
    maul = replace(MAUL, required=printed)
    made = attack(setup(maul, FAR), 1, {"heavy_required": reading})
    assert chance(made, "damage", 0) == miss
    assert mean(made, "damage") == (F(97, 36) if miss == F(1, 36) else F(7, 4))


@pytest.mark.parametrize(("reading", "drops"), [("early", F(583, 1080)), ("later", F(0))])
def test_a7_hd_table_af28_the_raider_drops_a_beginner(reading: str, drops: Fraction) -> None:
    made = attack(setup(ORC, target(MEDIUM)), None, {"hd_table": reading})
    assert chance(made, "down") == drops


@pytest.mark.parametrize(
    ("reading", "yards", "pool"),
    [
        ("joined", 7, "2d6"),
        ("printed", 7, ""),
        ("joined", 30, "2d6"),
        ("printed", 30, "1d6"),
        ("weapon", 20, "2d6"),
        ("weapon", 26, "1d6"),
    ],
)
def test_a13_range_gaps_af70_where_bands_end(reading: str, yards: int, pool: str) -> None:
    bow = replace(SLING, short_yd=25, max_yd=60)
    made = setup(striker(bow, BLADE, level=3), distance_yd=yards)
    rulings = {"range_gaps": reading}
    if pool:
        assert dice(asked(game(made, rulings), "sling", "0")) == pool
    else:
        with pytest.raises(AnswerError, match="no band has 7 yards"):
            Session(game(made, rulings, choose_action="sling"))


@pytest.mark.parametrize(
    ("reading", "burn", "pool"),
    [("proficiency", F(1, 3), "1d6+2d6"), ("exertion", F(1, 6), "2d6+1d6")],
)
def test_a14_range_penalty_dice_af70_which_go_first(
    reading: str, burn: Fraction, pool: str
) -> None:
    made = attack(
        setup(striker(SLING, level=3), distance_yd=60), 2, {"range_penalty_dice": reading}
    )
    assert dice(asked(made)) == pool
    assert mean(made, "burn") == burn


@pytest.mark.parametrize(("reading", "hits"), [("floor_two", F(3, 4)), ("literal", F(1))])
def test_a15_precise_af2_on_a_basic_attack(reading: str, hits: Fraction) -> None:
    needle = Action(name="needle", weapon="precise", required=2, base=2)
    made = attack(setup(needle, FAR), 1, {"precise": reading})
    assert 1 - chance(made, "damage", 0) == hits


@pytest.mark.parametrize(
    ("reading", "damage"),
    [("dice", F(30895, 7776)), ("each_die", F(4)), ("successes", F(863, 216))],
)
def test_a16_blood_rage_af73_what_two_more_is(reading: str, damage: Fraction) -> None:
    made = attack(setup(replace(ORC, hd=3), FAR), None, {"blood_rage": reading})
    assert mean(made, "damage") == damage


def test_a16_blood_rage_af73_successes_come_with_dice_only() -> None:
    far = replace(ORC, hd=3, actions=(replace(SLING, pool=2),))
    made = attack(setup(far, FAR, distance_yd=120), None, {"blood_rage": "successes"})
    assert play(made)["successes"] == 0


def test_a17_npc_burn_af74_what_of_a_printed_pool_burns() -> None:
    assert chance(attack(setup(ORC, FAR), None), "burn", 0) == 1
    remainder = attack(setup(ORC, FAR), None, {"npc_burn": "remainder"})
    assert dice(asked(remainder)) == "2d6+1d6"
    assert chance(remainder, "burn", 1) == F(1, 6)
    reckless = asked(game(setup(ORC, FAR), {"npc_burn": "reckless"}), "axe")
    assert offered(reckless) == ["0", "1", "2"]
    assert dice(reckless.answer("2")) == "2d6+3d6"  # beyond the cap of two


@pytest.mark.parametrize(("reading", "damage"), [("listed", 1), ("immediate", 0)])
def test_a18_burn_timing_af7_the_blow_of_whoever_drops(reading: str, damage: int) -> None:
    made = attack(setup(striker(hd=1, hd_max=3)), 1, {"burn_timing": reading})
    end = play(made, 5, 1, *((1,) if damage else ()))
    assert (end["damage"], end["own_hd"]) == (damage, 0)


def test_a18_burn_timing_af7_who_stays_up_strikes() -> None:
    made = attack(setup(striker(hd=2, hd_max=3)), 1, {"burn_timing": "immediate"})
    assert play(made, 5, 1, 1)["damage"] == 1


def test_b2_affinity_dice_af12_within_the_cap_or_safe() -> None:
    rich = setup(striker(level=5, affinity=2))
    tight = game(rich, choose_action="blade", choose_exertion="3")
    assert dice(asked(tight)) == "3d6+3d6"  # no room: nobody is asked
    safe = asked(game(rich, {"affinity_dice": "safe"}, choose_action="blade"), "3")
    assert offered(safe) == ["0", "1", "2"]
    assert dice(safe.answer("2")) == "5d6+3d6"


# -- what else is done -----------------------------------------------------------------------


@pytest.mark.parametrize(("reading", "gone"), [("before", F(1, 9)), ("after", F(2, 3))])
def test_a12_intervene_timing_af41_saves_the_armor_or_not(reading: str, gone: Fraction) -> None:
    thin = target(Layer(die=6))
    made = game(
        harmed(1, thin, allies=(ally(),)), {"intervene_timing": reading}, ask_ally="intervene"
    )
    assert chance(made, "armor", 0) == gone


def test_a12_intervene_timing_af41_late_help_saves_hit_dice() -> None:
    made = game(harmed(2, allies=(ally(),)), {"intervene_timing": "after"})
    session = asked(made, 1)
    assert question(session).actor == "ally"
    assert play(made, 1, 6, options=("intervene",))["hd_lost"] == 0
    assert play(made, 1, options=("no",))["hd_lost"] == 2


RUSHING: Any = {"choose_action": "rush", "choose_exertion": "3"}


def test_a19_rush_af42_rolled_or_a_trade() -> None:
    hurt = setup(striker(level=5, hd=10, hd_max=40))
    assert mean(game(hurt, **RUSHING), "own_hd") == 10 + F(11, 2)
    assert play(game(hurt, {"rush": "fixed"}, choose_action="rush"))["own_hd"] == 13


@pytest.mark.parametrize(("reading", "hd"), [("hd_max", 12), ("none", 16), ("proficiency", 12)])
def test_a19b_rush_cap_af39_what_limits_it(reading: str, hd: int) -> None:
    hurt = setup(striker(level=5, hd=10, hd_max=12))
    way: Any = {"choose_action": "rush", "choose_exertion": "0"}
    assert play(game(hurt, {"rush_cap": reading}, **way), 6, 6, 6)["own_hd"] == hd
    low = setup(striker(level=5, hd=1, hd_max=12))
    most = 4 if reading == "proficiency" else 7
    assert play(game(low, {"rush_cap": reading}, **way), 6, 6, 6)["own_hd"] == most


@pytest.mark.parametrize(("reading", "hd"), [("restore_first", 10), ("burn_first", 11)])
def test_a19c_rush_order_af42_restore_or_burn_first(reading: str, hd: int) -> None:
    made = setup(striker(level=5, hd=10, hd_max=11))
    way: Any = {"choose_action": "rush", "choose_exertion": "2"}
    assert play(game(made, {"rush_order": reading}, **way), 6, 3, 1, 1, 5)["own_hd"] == hd


def test_a19d_rush_floor_af42_resolve_it_asks_for() -> None:
    low = setup(striker(hd=1, hd_max=3, resolve=0))
    assert "rush" in offered(asked(game(low)))
    with pytest.raises(AnswerError, match="'rush': it costs 1 Resolve; there is 0"):
        Session(game(low, {"rush_floor": "one"}, choose_action="rush"))


@pytest.mark.parametrize(
    ("reading", "pool", "tie"),
    [
        ("sum", "3d6", F(79, 1944)),
        ("proficiency", "1d6", F(1, 6)),
        ("successes", "3d6", None),
    ],
)
def test_a20_initiative_af61_what_is_rolled(reading: str, pool: str, tie: Fraction | None) -> None:
    made = Setup(attacker=striker(), defender=target(), act="initiative")
    rolled = game(made, {"initiative": reading}, exert_for_speed="0")
    assert dice(asked(rolled)) == pool
    if tie is not None:
        assert chance(rolled, "tie") == tie
    else:
        assert play(rolled, 6, 1, 1, 2, 2, 1)["first"] == "attacker"  # two each, higher die
        assert play(rolled, 6, 1, 1, 2, 2, 2)["first"] == "defender"


@pytest.mark.parametrize(("reading", "healed"), [("sum", 9), ("dice", 2)])
def test_a22_healing_af51_sum_or_number_of_dice(reading: str, healed: int) -> None:
    made = attack(
        setup(striker(MEND), target(hd=1, hd_max=20), towards="friend"), 0, {"healing": reading}
    )
    faces = (2, 4, 5) if reading == "sum" else (2,)
    assert play(made, *faces)["healed"] == healed


def test_a24_interveners_af41_all_or_one() -> None:
    two = harmed(9, allies=(ally(), ally()))
    assert play(game(two), 2, 2, 1, options=("intervene", "intervene"))["helped"] == 2
    one = game(two, {"interveners": "one"})
    assert play(one, 2, 1, options=("intervene",))["helped"] == 1
    with pytest.raises(AnswerError, match="another ally did already"):
        asked(game(two, {"interveners": "one"}, ask_ally="intervene"), 2)


def test_b3_defend_cost_af40_the_turn_or_an_action() -> None:
    after = setup(striker(attacked=True, actions_left=1))
    assert "defend" not in offered(asked(game(after)))
    assert "defend" in offered(asked(game(after, {"defend_cost": "action"})))
    braced = setup(striker(defending=True, actions_left=1))
    assert "blade" in offered(asked(game(braced, {"defend_cost": "action"})))


def test_b4_expert_limit_af63_any_number_or_one() -> None:
    feat = striker(Action(name="feat", tier="expert"), BLADE, level=5, expert_used=True)
    assert "feat" in offered(asked(game(setup(feat))))
    assert "feat" not in offered(asked(game(setup(feat), {"expert_limit": "one"})))


def test_b5_steady_af44_is_there_or_not() -> None:
    assert "steady" not in offered(asked(game(setup())))
    assert "steady" in offered(asked(game(setup(), {"steady": "yes"})))


@pytest.mark.parametrize(("reading", "chances"), [("two", F(1, 6)), ("one", F(5, 6))])
def test_b6_stabilize_af45_successes_needed(reading: str, chances: Fraction) -> None:
    made = setup(striker(), target(hd=0, hd_max=3), towards="friend")
    way: Any = {"choose_action": "stabilize", "choose_exertion": "0"}
    assert chance(game(made, {"stabilize": reading}, **way), "stabilized") == chances


def test_b7_help_af45_is_there_or_not() -> None:
    made = setup(striker(), target(hd=0, hd_max=3), towards="friend")
    assert "help" not in offered(asked(game(made)))
    assert "help" in offered(asked(game(made, {"help": "yes"})))


@pytest.mark.parametrize(
    ("reading", "damage", "pool"), [("off", 1, "3d10"), ("core", 0, "2d10"), ("later", 1, "2d10")]
)
def test_b8_resolve_af53_stages(reading: str, damage: int, pool: str) -> None:
    made = attack(setup(striker(resolve=2)), 0, {"resolve": reading})
    assert play(made, 4, *((1,) if damage else ()))["damage"] == damage
    struck = target(level=9, resolve=2)
    assert dice(asked(game(harmed(1, struck), {"resolve": reading}))) == pool


@pytest.mark.parametrize(
    ("reading", "dead"), [("minus_five", F(0)), ("failed_check", F(0)), ("both_zero", F(2, 3))]
)
def test_a11_death_af50_with_the_last_resolve(reading: str, dead: Fraction) -> None:
    made = game(harmed(1, target(hd=0, hd_max=3, resolve=1)), {"resolve": "core", "death": reading})
    assert chance(made, "dead") == dead


@pytest.mark.parametrize(("reading", "dead"), [("minus_five", F(0)), ("failed_check", F(2, 3))])
def test_a11_death_af50_without_resolve(reading: str, dead: Fraction) -> None:
    made = game(harmed(1, target(hd=0, hd_max=3, resolve=0)), {"resolve": "core", "death": reading})
    assert chance(made, "dead") == dead


@pytest.mark.parametrize(("reading", "down"), [("unconscious", True), ("on_scene", False)])
def test_a11b_at_zero_af50_out_or_on_the_scene(reading: str, down: bool) -> None:
    made = game(harmed(9), {"resolve": "core", "at_zero": reading})
    assert play(made, 1, 5)["down"] == down
    alone = game(harmed(9), {"at_zero": reading})
    assert play(alone, 1)["down"]  # without checks of Resolve nobody holds on


# -- solving ---------------------------------------------------------------------------------


def test_af1_exertion_pays_in_hit_dice_taken() -> None:
    """More dice never do less damage; net of burning a third one may not pay."""
    fighter = setup(striker(MAUL, level=5), target(MEDIUM, hd=20))
    values = [value(attack(fighter, n)) for n in range(4)]
    assert values == sorted(values)
    net = [value(attack(fighter, n), "net") for n in range(4)]
    assert net == [gain - F(n, 6) for n, gain in enumerate(values)]
    best = game(fighter, choose_action="maul")
    assert value(best, "net") == max(net)
    assert joint(best, "burn")[(0,)] < 1
