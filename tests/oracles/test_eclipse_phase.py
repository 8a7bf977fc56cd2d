"""The oracles against the worked examples (v...) and exact odds (o...) of the rules.

Test names: `test_ep_` Eclipse Phase, `test_ee_` Empty Earth, then the id of the vector.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from . import eclipse_phase as ep

F = Fraction


def fractions(text: str) -> list[Fraction]:
    """'1/2 3' as fractions."""
    return [F(word) for word in text.split()]


# ================================================================== Eclipse Phase, examples

EXHUMAN = ep.Target(armor=10, wt=8, dur=40, dr=60, som_check=75)
PLAIN = ep.Target(armor=10, wt=7, dur=35, dr=53, som_check=45)


def test_ep_v1_outcome_in_joint_distribution() -> None:
    attack = ep.Attack(ep.DV(2), ep.Hurt(extra=ep.DV(d10=1)))
    dist = ep.struck(ep.Strike(True, False, 2), attack, EXHUMAN)
    stands = ep.Outcome(True, False, 2, 21, 11, 1, prone=False, unconscious=False, dead=False)
    falls = stands._replace(prone=True)
    p_21 = ep.dice_total(ep.DV(3, 2))[21]
    assert (dist[stands], dist[falls]) == (p_21 * F(66, 100), p_21 * F(34, 100))


def test_ep_v2_small_jinx() -> None:
    situation: ep.Situation = {"kind": "melee", "charge": True, "wounds_a": 1, "size_d": "small"}
    small = dict(ep.attacker_modifiers(situation))
    assert small["target_size"] == -10
    # T-SIZE gives the larger side reach as well; the published note (TN 50) leaves it out.
    assert small.pop("reach") == 10
    assert ep.target_number(80, list(small.items())) == 50
    assert ep.classify(7, 50).success


@pytest.mark.parametrize("reading", ["base", "final"])
def test_ep_v5_same_under_base_skill(reading: str) -> None:
    rulings = ep.Rulings(equal_criticals="base" if reading == "base" else "final")
    skills = ep.Skills(base_a=60, base_d=40, raw_a=60, raw_d=80)
    assert ep.hit(22, 60, 22, 40, skills=skills, rulings=rulings)


def test_ep_v5_raw_skill_turns_it_round() -> None:
    skills = ep.Skills(base_a=60, base_d=40, raw_a=60, raw_d=80)
    rulings = ep.Rulings(equal_criticals="raw")
    assert not ep.hit(22, 60, 22, 40, skills=skills, rulings=rulings)


def test_ep_readings_of_equal_criticals_reach_every_oracle() -> None:
    """Raw Fray 80 against Guns 60: the equal criticals 00, 11, 22, 33 now go to the defender."""
    skills = ep.Skills(base_a=60, base_d=40, raw_a=60, raw_d=80)
    raw = ep.Rulings(equal_criticals="raw")
    p = ep.p_hit(60, 40, skills=skills, rulings=raw)
    assert ep.p_hit(60, 40) - p == F(4, 10_000)
    assert ep.pool_play(60, 40, skills=skills, rulings=raw).value == p
    dist = ep.resolve(60, 40, ep.Attack(ep.DV(2)), PLAIN, skills=skills, rulings=raw)
    assert ep.chance(dist, lambda o: o.hit) == p


def test_ep_v8_readings_of_a_tie() -> None:
    a, d = ep.classify(24, 60), ep.classify(24, 30)
    assert ep.opposed(a, d) == "miss"
    assert ep.opposed(a, d, rulings=ep.Rulings(ties="deadlock")) == "deadlock"
    assert ep.opposed(a, d, rulings=ep.Rulings(ties="higher_skill")) == "hit"
    assert ep.opposed(d, a, rulings=ep.Rulings(ties="higher_skill")) == "miss"
    assert ep.opposed(d, a, rulings=ep.Rulings(ties="hit")) == "hit"


@pytest.mark.parametrize(
    ("tn", "roll", "success", "critical", "sup", "sup_fail"),
    [
        pytest.param(tn, roll, *want, id=f"v10-tn{tn}-roll{roll:02}")
        for tn, roll, *want in (
            (70, 32, True, False, 0, 0),
            (70, 33, True, True, 0, 0),
            (70, 34, True, False, 1, 0),
            (70, 65, True, False, 1, 0),
            (70, 66, True, True, 0, 0),
            (70, 67, True, False, 2, 0),
            (70, 70, True, False, 2, 0),
            (70, 71, False, False, 0, 0),
            (70, 77, False, True, 0, 0),
            (70, 98, False, False, 0, 0),
            (70, 99, False, True, 0, 0),
            (20, 20, True, False, 0, 0),
            (20, 21, False, False, 0, 2),
            (20, 22, False, True, 0, 0),
            (20, 32, False, False, 0, 2),
            (20, 33, False, True, 0, 0),
            (20, 34, False, False, 0, 1),
            (20, 65, False, False, 0, 1),
            (20, 66, False, True, 0, 0),
            (20, 67, False, False, 0, 0),
            (5, 5, True, False, 0, 0),
            (5, 6, False, False, 0, 2),
        )
    ],
)
def test_ep_v10_classes(
    tn: int, roll: int, success: bool, critical: bool, sup: int, sup_fail: int
) -> None:
    assert ep.classify(roll, tn) == ep.Result(roll, tn, success, critical, sup, sup_fail)


def test_ep_v10_tn_0() -> None:
    assert [roll for roll in ep.ROLLS if ep.classify(roll, 0).success] == [0]


@pytest.mark.parametrize(
    ("roll", "success", "critical", "sup"),
    [
        pytest.param(33, True, False, 1, id="v11-33"),
        pytest.param(66, True, False, 2, id="v11-66"),
        pytest.param(11, True, False, 0, id="v11-11"),
        pytest.param(0, True, False, 0, id="v11-00"),
        pytest.param(77, False, True, 0, id="v11-77"),
    ],
)
def test_ep_v11_defaulting(roll: int, success: bool, critical: bool, sup: int) -> None:
    result = ep.classify(roll, 70, defaulting=True)
    assert (result.success, result.critical, result.superior) == (success, critical, sup)


def test_ep_v11_readings_of_00() -> None:
    critical = ep.Rulings(default_zero="critical")
    assert ep.classify(0, 70, defaulting=True, rulings=critical).critical
    may_fail = ep.Rulings(default_zero="may_fail")
    assert not ep.classify(0, -10, defaulting=True, rulings=may_fail).success
    assert ep.classify(0, 0, defaulting=True, rulings=may_fail).success


def test_ep_v13_one_short_of_dead() -> None:
    body = ep.Target(armor=6, wt=6, dur=30, dr=45, som_check=45)
    assert ep.falls(body, 44) == {(False, True, False): 1}
    assert ep.falls(body, 45) == {(False, True, True): 1}


def test_ep_v16_positive_cap() -> None:
    situation: ep.Situation = {
        "kind": "ranged",
        "mode": "FA",
        "option": "to_hit",
        "size_d": "very_large",
        "distance": 2,
        "rating": 50,
        "superior_position": "attacker",
    }
    modifiers = ep.attacker_modifiers(situation)
    assert sum(mod for _, mod in modifiers) == 90
    assert ep.target_number(40, modifiers) == 100
    assert ep.classify(98, 100).superior == 2
    assert ep.classify(99, 100) == ep.Result(99, 100, False, True, 0, 0)
    assert ep.ROUNDS["FA"] == 10


def test_ep_v17_negative_cap_and_pool() -> None:
    situation: ep.Situation = {
        "kind": "ranged",
        "cover": "major",
        "sight_a": "major",
        "move": "full",
        "wounds_a": 1,
        "distance": 30,
        "rating": 50,
    }
    modifiers = ep.attacker_modifiers(situation)
    assert sum(mod for _, mod in modifiers) == -90
    assert ep.target_number(60, modifiers) == 0
    assert ep.target_number(60, modifiers, pool="ignore") == 60
    assert ep.target_number(60, modifiers, pool="plus20") == 20
    assert (
        ep.target_number(60, modifiers, pool="plus20", rulings=ep.Rulings(pool_cap="inside")) == 0
    )
    assert ep.target_number(60, modifiers, rulings=ep.Rulings(wound_cap="outside")) == -10


def test_ep_v23_readings_of_halving() -> None:
    nine = ep.DV(flat=4 + 5)
    each = ep.Rulings(factors="each", small_half="total")
    assert ep.damage(nine, ep.Hurt(small=True, half_ammo=True)) == {2: 1}
    assert ep.damage(nine, ep.Hurt(small=True, half_ammo=True), rulings=each) == {3: 1}
    halved_dice = ep.Rulings(small_half="dice")
    assert ep.damage(ep.DV(d6=2), ep.Hurt(small=True), rulings=halved_dice) == ep.dice_total(
        ep.DV(d6=1)
    )


def test_ep_v25_shock() -> None:
    assert ep.net_damage(3, 4) == 0
    assert ep.shock_tn(60, 4) == 64
    assert ep.shock_turns(64, 64) == 0
    assert ep.classify(65, 64).superior_failures == 1
    assert ep.shock_turns(65, 64) == 3
    assert ep.classify(66, 64).critical
    assert ep.shock_turns(66, 64) == 1
    assert ep.shock_tn(60, 4, "very_small") == 34


def test_ep_v26_ignored_wounds() -> None:
    synth = ep.Target(armor=10, wt=11, dur=55, dr=110, som_check=60, ignore_wounds=2)
    assert ep.wounds(33, 11) == 3
    assert ep.wound_modifier(3, 2) == -10
    assert ep.som_tn(synth, 3) == 50
    assert ep.classify(50, 50).success
    assert ep.falls(synth, 33) == {
        (True, False, False): F(51, 100),
        (True, True, False): F(49, 100),
    }
    assert ep.wound_modifier(5, 5) == -20


def test_ep_v28_full_defence_against_psi() -> None:
    guarded: ep.Situation = {"kind": "psi", "distance": 5, "defence": "wil", "full_defence": True}
    assert ep.target_number(60, ep.defender_modifiers(guarded)) == 90


def test_ep_v29_initiative() -> None:
    assert ep.initiative(4, 8, ambushed=True) == ep.initiative(3, 6) == 9
    assert ep.initiative(4, 8, n_wounds=5, ignored=5) == 10


@pytest.mark.parametrize(
    ("roll", "flipped"),
    [
        pytest.param(a, b, id=f"v31-{a:02}")
        for a, b in ((7, 70), (70, 7), (40, 4), (96, 69), (11, 11), (0, 0), (99, 99))
    ],
)
def test_ep_v31_flip(roll: int, flipped: int) -> None:
    assert ep.flip(roll) == flipped


def test_ep_v31_99_can_only_be_downgraded() -> None:
    uses = ep.pool_uses(ep.classify(99, 70))
    assert [use for use, _ in uses] == ["keep", "downgrade"]
    assert ep.downgrade(ep.classify(99, 70)) == ep.Result(99, 70, False, False, 0, 0)
    banded = ep.Rulings(downgraded="banded")
    assert ep.downgrade(ep.classify(33, 20), rulings=banded).superior_failures == 2
    below = ep.Rulings(downgraded="banded", failure_bands="exclusive")
    assert ep.downgrade(ep.classify(33, 20), rulings=below).superior_failures == 1


def test_ep_v32_upgrade() -> None:
    rolled = ep.classify(31, 70)
    assert (rolled.success, rolled.superior) == (True, 0)
    better = ep.upgrade(rolled)
    assert (better.roll, better.superior) == (31, 1)
    assert ep.opposed(better, ep.classify(30, 30)) == "hit"
    assert ep.opposed(better, ep.classify(32, 50)) == "miss"
    for refused in (33, 67, 71):
        with pytest.raises(ValueError, match="upgrade"):
            ep.upgrade(ep.classify(refused, 70))


def test_ep_v34_helpless() -> None:
    sniper = ep.DV(3, 0, 10)
    assert ep.maximum(sniper) == 40
    assert ep.helpless(20, 70, sniper, 10) is None
    assert ep.helpless(80, 70, sniper, 10) == 30
    assert ep.helpless(80, 70, sniper, 10, rulings=ep.Rulings(coup_armor="none")) == 40


def test_ep_v35_layers() -> None:
    worn = [(8, 14, True), (4, 10, True), (2, 2, False)]
    assert ep.layers(worn, som=20, dur=35) == ep.Layers(14, 26, -40, True, True)
    assert ep.layers([(12, 16, True)], som=10, dur=35) == ep.Layers(12, 16, 0, False, True)


def test_ep_v37_grapple() -> None:
    """The escape's 55 is a critical success; the published example calls it superior."""
    assert ep.grappled(40, 80, 70, 60)
    assert not ep.grappled(20, 80, 70, 60)
    assert ep.classify(55, 60).critical
    assert ep.hit(55, 60, 30, 80)


def test_ep_v40_minimum_damage() -> None:
    cap = ep.minimum_damage_cap(ep.DV(2, 0, 3))
    assert cap == 5
    assert ep.net_damage(9 + 8 + 3, 12) == 8
    assert ep.net_damage(20, 12, cap=cap) == 5
    assert ep.net_damage(20, 18, cap=cap) == 2


def test_ep_v41_derived_numbers() -> None:
    assert [ep.derived_dr(dur) for dur in (25, 35, 45)] == [38, 53, 68]
    assert (ep.derived_wt(33), ep.derived_wt(32)) == (7, 6)
    assert ep.derived_initiative(15, 22) == 7


# ================================================================== Eclipse Phase, exact odds


def test_ep_o1_classes_of_70() -> None:
    split = ep.split_of_test(70)
    names = ("fail0", "critfail", "sup0", "sup1", "sup2", "crit")
    assert [split[name] * 100 for name in names] == [26, 3, 30, 30, 4, 7]


def test_ep_o1b_classes_of_60() -> None:
    split = ep.split_of_test(60)
    assert [split[name] * 100 for name in ("fail1", "fail0", "critfail")] == [5, 30, 4]
    assert [split.get(name, F(0)) * 100 for name in ("sup0", "sup1", "sup2", "crit")] == [
        30,
        25,
        0,
        6,
    ]


def test_ep_o1c_o1d_extreme_target_numbers() -> None:
    assert [ep.p_success(tn) for tn in (-10, 0)] == [F(1, 100)] * 2
    assert ep.split_of_test(-10)["crit"] == F(1, 100)
    assert [1 - ep.p_success(tn) for tn in (98, 120)] == [F(1, 100)] * 2


@pytest.mark.parametrize(
    ("tn_a", "tn_d", "per_10000"),
    [
        pytest.param(70, 30, 8595, id="o4"),
        pytest.param(40, 30, 5703, id="o4b-40-30"),
        pytest.param(60, 60, 6141, id="o4b-60-60"),
    ],
)
def test_ep_o4_attacker_flips(tn_a: int, tn_d: int, per_10000: int) -> None:
    own = ep.pool_play(tn_a, tn_d, attacker=("flip",))
    both = ep.pool_play(tn_a, tn_d, attacker=("flip",), reveal="both")
    assert own.value == both.value == F(per_10000, 10_000)


@pytest.mark.parametrize(
    ("tn", "base", "flip", "plus20"),
    [
        pytest.param(20, 21, 36, 41, id="o7-20"),
        pytest.param(40, 41, 64, 61, id="o7-40"),
        pytest.param(60, 61, 84, 81, id="o7-60"),
        pytest.param(80, 81, 96, 99, id="o7-80"),
    ],
)
def test_ep_o7_unopposed(tn: int, base: int, flip: int, plus20: int) -> None:
    chances = (ep.p_success(tn), ep.p_success_with_flip(tn), ep.p_success(tn + 20))
    assert [p * 100 for p in chances] == [base, flip, plus20]
    assert ep.pool_play(tn, None, attacker=("flip",)).value == F(flip, 100)


def test_ep_o11_with_durability_40() -> None:
    """The same attack when reaching Durability knocks out too: not among the published odds."""
    attack = ep.Attack(ep.DV(2), ep.Hurt(extra=ep.DV(d10=1)))
    dist = ep.resolve(70, 30, attack, EXHUMAN)
    assert ep.chance(dist, lambda o: o.prone) == F(10_674_247, 50_000_000)
    assert ep.chance(dist, lambda o: o.unconscious) == F(54_376_567, 900_000_000)


@pytest.mark.parametrize(
    ("dv", "average"),
    [
        pytest.param(ep.DV(2, 0, 2), F(13), id="o14-2d10+2"),
        pytest.param(ep.DV(3), F(33, 2), id="o14-3d10"),
        pytest.param(ep.DV(3, 2), F(47, 2), id="o14-3d10+2d6"),
        pytest.param(ep.DV(1, 1), F(9), id="o14-1d10+1d6"),
        pytest.param(ep.DV(3, 0, 10), F(53, 2), id="o14-3d10+10"),
        pytest.param(ep.DV(0, 2), F(7), id="o14-2d6"),
    ],
)
def test_ep_o14_means(dv: ep.DV, average: Fraction) -> None:
    assert ep.mean(ep.dice_total(dv)) == average
    assert ep.printed_average(dv) == ep.round_half_up(average)


@pytest.mark.parametrize(
    ("perceive", "p"),
    [
        pytest.param(True, F(179, 500), id="o17-perceived"),
        pytest.param(False, F(179, 1000), id="o17-not-perceived"),
        pytest.param(50, F(27_029, 100_000), id="o17-tn50"),
    ],
)
def test_ep_o17_blind(perceive: bool | int, p: Fraction) -> None:
    assert ep.p_hit_blind(40, 30, perceive=perceive) == p


def test_ep_o17_miss_chance_in_joint_distribution() -> None:
    dist = ep.resolve(40, 30, ep.Attack(ep.DV(2), miss_chance=ep.blind_miss_chance(False)), PLAIN)
    assert ep.chance(dist, lambda o: o.hit) == F(179, 1000)


def test_ep_o19_shock() -> None:
    split = ep.split_of_test(49)
    assert ep.p_success(49) == F(1, 2)
    assert split["fail0"] + split["critfail"] == F(35, 100)
    assert split["fail1"] == F(15, 100)
    turns = [ep.mean(ep.shock_distribution(tn)) for tn in (49, 45, 72)]
    assert turns == fractions("4/5 23/25 27/100")


def test_ep_o20_initiative() -> None:
    assert list(ep.initiative_order(8, 6)) == fractions("13/18 1/9 1/6")
    assert ep.initiative_order(8, 8)[1] == F(1, 6)


def test_ep_o22_burst_at_two() -> None:
    joint = ep.joint_hits(60, (30, 30))
    assert joint[True, True] == F(10_117, 20_000)
    assert 1 - joint[False, False] == F(11_987, 20_000)
    assert joint[True, True] + joint[True, False] == F(5526, 10_000)
    attack = ep.Attack(ep.DV(2))
    several = ep.resolve_several(60, [(30, attack, PLAIN)] * 2, lambda o: o.hit)
    assert several == joint


def test_ep_o23_called_shot() -> None:
    assert ep.p_called_effect(60, 30) == F(1511, 5000)
    assert ep.p_called_effect(60, 30, criticals_count=False) == F(97, 400)


def test_ep_o26_fragmentation() -> None:
    frag = ep.DV(3, 0, 6)
    full = ep.blast(frag, distance=2, av=6)
    half = ep.blast(frag, distance=2, av=6, defence="half")
    overall = ep.blast_against_fray(frag, 25, distance=2, av=6)
    assert [ep.mean(x) for x in (full, half, overall)] == fractions(
        "12501/1000 179/50 509077/50000"
    )


def test_ep_o29_equal_successes() -> None:
    assert ep.p_equal_successes(70, 30) == F(31, 10_000)
    ties_hit = ep.p_hit(70, 30, rulings=ep.Rulings(ties="hit"))
    assert ties_hit - ep.p_hit(70, 30) == F(28, 10_000)


# ================================================================== Eclipse Phase, the oracle


def test_ep_dice_total_is_the_product_of_all_faces() -> None:
    counted = ep.tally(
        (sum(faces) - lost + 3, F(1, 10 * 10 * 6 * 10))
        for *faces, lost in product(range(1, 11), range(1, 11), range(1, 7), range(1, 11))
    )
    assert counted == ep.dice_total(ep.DV(2, 1, 3), minus_d10=1)


def test_ep_resolve_is_the_plain_nesting_of_all_rolls() -> None:
    """Rolls, dice and the check written out once more, in whole numbers."""
    tn_a, tn_d, av, wt, dur, check = 70, 30, 2, 4, 12, 45
    n_prone = n_unconscious = n_net = 0
    weight = 6 * 6 * 6 * 100  # damage die, two superior dice, check
    for roll_a, roll_d in product(range(100), range(100)):
        if not ep.hit(roll_a, tn_a, roll_d, tn_d):
            continue
        a = ep.classify(roll_a, tn_a)
        for first, second, third in product(range(1, 7), repeat=3):
            dv = first + (second if a.superior > 0 else 0) + (third if a.superior > 1 else 0)
            net = max(0, (2 * dv if a.critical else dv) - av)
            n_net += net * 100
            passing = check - 10 * (net // wt) + 1
            if net >= dur:
                n_unconscious += 100
            elif net // wt == 1:
                n_prone += 100 - passing
            elif net // wt >= 2:
                n_prone += 100
                n_unconscious += 100 - passing
    target = ep.Target(armor=av, wt=wt, dur=dur, dr=18, som_check=check)
    dist = ep.resolve(tn_a, tn_d, ep.Attack(ep.DV(d6=1)), target)
    total = 10_000 * weight
    assert sum(dist.values()) == 1
    assert ep.chance(dist, lambda o: o.prone) == F(n_prone, total)
    assert ep.chance(dist, lambda o: o.unconscious) == F(n_unconscious, total)
    assert ep.mean(ep.marginal(dist, lambda o: o.net)) == F(n_net, total)


def test_ep_resolve_several_agrees_with_single_targets() -> None:
    attack = ep.Attack(ep.DV(d6=2))
    weak = replace(PLAIN, armor=4, wt=3)
    pair = ep.resolve_several(60, [(30, attack, PLAIN), (40, attack, weak)], lambda o: o.wounds)
    for i, (tn_d, target) in enumerate([(30, PLAIN), (40, weak)]):
        alone = ep.marginal(ep.resolve(60, tn_d, attack, target), lambda o: o.wounds)
        assert ep.tally((row[i], p) for row, p in pair.items()) == alone


def test_ep_pool_play_without_points_is_the_plain_attack() -> None:
    play = ep.pool_play(60, 40)
    assert play.value == ep.p_hit(60, 40)
    assert play.spent_a == play.spent_d == 0
    assert play.strikes == ep.strikes(60, 40)


def test_ep_pool_play_for_damage_upgrades() -> None:
    attack = ep.Attack(ep.DV(2))

    def net(s: ep.Strike) -> Fraction:
        return ep.mean(ep.marginal(ep.struck(s, attack, PLAIN), lambda o: o.net))

    flips = ep.pool_play(70, 30, attacker=("flip",), utility=net).value
    every = ep.pool_play(70, 30, attacker=ep.ALL_USES, utility=net).value
    seeing = ep.pool_play(70, 30, attacker=ep.ALL_USES, reveal="both", utility=net).value
    plain = ep.mean(ep.marginal(ep.resolve(70, 30, attack, PLAIN), lambda o: o.net))
    assert plain < flips < every <= seeing


@pytest.mark.parametrize(
    ("distance", "facts", "want"),
    [
        pytest.param(2, {}, ("point_blank", 10, 0), id="point-blank"),
        pytest.param(2, {"long": True}, ("point_blank", 0, 0), id="long"),
        pytest.param(10, {}, ("close", 0, 0), id="close"),
        pytest.param(11, {}, ("range", -10, 0), id="range"),
        pytest.param(50, {}, ("range", -10, 0), id="at-rating"),
        pytest.param(51, {}, ("beyond", -20, -1), id="beyond"),
        pytest.param(200, {}, ("beyond", -40, -1), id="four-times"),
        pytest.param(200, {"vacuum": True}, ("beyond", -40, 0), id="vacuum"),
        pytest.param(200, {"steady": True}, ("beyond", 0, 0), id="steady"),
        pytest.param(100, {"gravity": F(1, 2)}, ("range", -10, 0), id="half-gravity"),
        pytest.param(100, {"gravity": 2}, ("beyond", -40, -1), id="double-gravity"),
        pytest.param(9000, {"gravity": 0}, ("range", -10, 0), id="weightless"),
        pytest.param(
            200, {"weapon_class": "beam", "gravity": 2}, ("beyond", -40, 0), id="beam-in-air"
        ),
        pytest.param(
            9000, {"weapon_class": "beam", "vacuum": True}, ("range", -10, 0), id="beam-in-vacuum"
        ),
        pytest.param(5, {"weapon_class": "spray", "cone": True}, ("close", 0, 1), id="cone-close"),
        pytest.param(
            60, {"weapon_class": "spray", "cone": True}, ("beyond", -20, -1), id="cone-beyond"
        ),
        pytest.param(60, {"weapon_class": "seeker"}, ("beyond", -20, 0), id="seeker-beyond"),
    ],
)
def test_ep_range_bands(distance: int, facts: ep.Situation, want: tuple[str, int, int]) -> None:
    situation: ep.Situation = {"distance": distance, "rating": 50, **facts}
    assert tuple(ep.range_band(situation)) == want


def test_ep_range_readings() -> None:
    short: ep.Situation = {"distance": 8, "rating": 5}
    assert ep.range_band(short).name == "close"
    assert ep.range_band(short, rulings=ep.Rulings(short_rating="beyond")).modifier == -20
    steady: ep.Situation = {"distance": 1, "rating": 50, "steady": True}
    assert ep.range_band(steady).modifier == 10
    assert ep.range_band(steady, rulings=ep.Rulings(steady="all")).modifier == 0
    steady["distance"] = 60
    assert ep.range_band(steady, rulings=ep.Rulings(steady="to_hit")) == ("beyond", 0, -1)


@pytest.mark.parametrize(
    ("situation", "want"),
    [
        pytest.param({"aim": "quick"}, {"aim": 10}, id="quick-aim"),
        pytest.param({"aim": "complex"}, {"aim": 30}, id="complex-aim"),
        pytest.param({"in_melee": True}, {"in_melee": -10}, id="in-melee"),
        pytest.param({"in_melee": True, "long": True}, {"in_melee": -30}, id="long-in-melee"),
        pytest.param({"nth_weapon": 2}, {"multi_weapon": -40}, id="third-weapon"),
        pytest.param({"hidden": True}, {"hidden": -30}, id="hidden"),
        pytest.param({"prone_d": True, "distance": 10}, {"prone_at_range": -10}, id="prone-at-10"),
        pytest.param({"prone_d": True, "distance": 9}, {}, id="prone-at-9"),
        pytest.param({"indirect": True}, {"indirect": -20}, id="indirect"),
        pytest.param({"indirect": True, "painted_seeker": True}, {}, id="painted"),
        pytest.param({"move": "full"}, {"full_move": -20}, id="full-move"),
        pytest.param({"move": "full", "gyromount": True}, {}, id="gyromount"),
        pytest.param({"mode": "BF", "option": "to_hit"}, {"mode": 10}, id="burst"),
        pytest.param({"mode": "BF", "option": "multi_target"}, {}, id="burst-two"),
        pytest.param({"wounds_a": 4, "ignore_wounds_a": 5}, {"wounds": -10}, id="ignores-3"),
        pytest.param({"two_handed_in_one": True}, {"two_handed_in_one": -20}, id="one-handed"),
        pytest.param({"two_handed_in_one": True, "size_a": "large"}, {}, id="one-handed-large"),
        pytest.param({"kind": "melee", "prone_d": True}, {"vs_prone": 20}, id="melee-on-prone"),
        pytest.param(
            {"kind": "melee", "prone_d": True, "superior_position": "attacker"},
            {"superior_position": 20},
            id="prone-and-position",
        ),
        pytest.param({"kind": "melee", "reach_a": 10}, {"reach": 10}, id="reach"),
        pytest.param({"kind": "melee", "reach_a": 10, "reach_d": 10}, {}, id="same-reach"),
        pytest.param(
            {"kind": "melee", "size_a": "very_large", "size_d": "small", "reach_a": 20},
            {"target_size": -10, "reach": 30},
            id="reach-cap",
        ),
        pytest.param(
            {"kind": "melee", "grapple": True, "size_a": "large", "limbs_a": 6, "reach_a": 10},
            {"grapple_size": 20, "grapple_limbs": 20},
            id="grapple",
        ),
        pytest.param({"kind": "melee", "extra_targets": 2}, {"multi_target": -40}, id="sweep"),
        pytest.param({"kind": "melee", "touch_only": True}, {"touch_only": 20}, id="touch"),
        pytest.param({"kind": "melee", "aggressive": "hit"}, {"aggressive": 10}, id="aggressive"),
        pytest.param({"kind": "psi", "distance": 13}, {"range": -20}, id="psi-13-m"),
        pytest.param(
            {"kind": "psi", "touching": True, "cyberbrain_d": True},
            {"range": 20, "cyberbrain": -30},
            id="psi-touch",
        ),
    ],
)
def test_ep_attacker_modifiers(situation: ep.Situation, want: dict[str, int]) -> None:
    near: ep.Situation = {"distance": 5, "rating": 50, **situation}
    assert {k: v for k, v in ep.attacker_modifiers(near) if (k, v) != ("range", 0)} == want


def test_ep_refused_declarations() -> None:
    with pytest.raises(ValueError, match="quick aim"):
        ep.attacker_modifiers({"mode": "BF", "aim": "quick"})
    with pytest.raises(ValueError, match="A-14"):
        ep.attacker_modifiers({"mode": "FA", "aim": "complex"})
    allowed = ep.Rulings(aimed_burst="yes")
    aimed = ep.attacker_modifiers({"mode": "FA", "aim": "complex"}, rulings=allowed)
    assert ("aim", 30) in aimed
    with pytest.raises(ValueError, match="two sizes"):
        ep.attacker_modifiers({"kind": "melee", "grapple": True, "size_d": "very_large"})


@pytest.mark.parametrize(
    ("situation", "want"),
    [
        pytest.param({"full_defence": True}, {"full_defence": 30}, id="full-defence"),
        pytest.param({"was_aggressive": True}, {"aggressive": -10}, id="aggressive-fray"),
        pytest.param({"kind": "melee", "was_aggressive": True, "defence": "melee"}, {}, id="parry"),
        pytest.param(
            {"kind": "melee", "extra_weapons_d": 5}, {"extra_weapons": 30}, id="extra-weapons"
        ),
        pytest.param({"kind": "melee", "reach_d": 20}, {"reach": 20}, id="spear"),
        pytest.param({"sight_d": "blind"}, {"visibility": -30}, id="blinded"),
        pytest.param({"moved_full_d": True}, {}, id="moved"),
        pytest.param({"wounds_d": 2, "traumas_d": 1}, {"wounds": -20, "traumas": -10}, id="hurt"),
    ],
)
def test_ep_defender_modifiers(situation: ep.Situation, want: dict[str, int]) -> None:
    assert dict(ep.defender_modifiers(situation)) == want


def test_ep_halvings() -> None:
    assert ep.ranged_fray(65) == 33
    assert ep.ranged_fray(60, 10) == 40
    assert ep.ranged_fray(60, 10, rulings=ep.Rulings(specialty="before")) == 35
    assert ep.ranged_athletics(80) == 40
    assert ep.ranged_athletics(80, rulings=ep.Rulings(athletics="full")) == 80
    quarter = ep.Rulings(piercing_twice="quarter")
    assert ep.armor(10, piercing=True, bypass=True) == 5
    assert ep.armor(10, piercing=True, bypass=True, rulings=quarter) == 3


@pytest.mark.parametrize(
    ("rulings", "mean"),
    [
        pytest.param(ep.BOOK, F(2 * 13 + 7), id="total"),
        pytest.param(ep.Rulings(critical_doubles="dice"), F(2 * 11 + 2 + 7), id="dice"),
        pytest.param(ep.Rulings(critical_doubles="weapon"), F(2 * 13 + F(7, 2)), id="base"),
    ],
)
def test_ep_readings_of_doubling(rulings: ep.Rulings, mean: Fraction) -> None:
    hurt = ep.Hurt(extra=ep.DV(d6=1), critical=True)
    assert ep.mean(ep.damage(ep.DV(2, 0, 2), hurt, rulings=rulings)) == mean


def test_ep_readings_of_a_critical_called_shot() -> None:
    attack = ep.Attack(ep.DV(flat=12), called="bypass")
    critical = ep.Strike(True, True, 0)
    nets = {}
    for reading in ("both", "doubles", "effect"):
        rulings = ep.Rulings(called_critical=reading)
        ((outcome, *_),) = ([*ep.struck(critical, attack, PLAIN, rulings=rulings)],)
        nets[reading] = outcome.net
    assert nets == {"both": 24 - 5, "doubles": 24 - 10, "effect": 12 - 5}


def test_ep_second_superior_of_a_called_shot() -> None:
    attack = ep.Attack(ep.DV(flat=12), called="bypass")
    twice = ep.Strike(True, False, 2)
    assert {o.dv for o in ep.struck(twice, attack, PLAIN)} == set(range(13, 19))
    lost = ep.Rulings(called_second="lost")
    assert {o.dv for o in ep.struck(twice, attack, PLAIN, rulings=lost)} == {12}


def test_ep_half_ammunition_readings() -> None:
    hurt = ep.Hurt(extra=ep.DV(flat=5), half_ammo=True)
    assert ep.damage(ep.DV(flat=6), hurt) == {6: 1}
    base_only = ep.Rulings(half_ammo="weapon")
    assert ep.damage(ep.DV(flat=6), hurt, rulings=base_only) == {8: 1}


def test_ep_prior_damage_and_wounds_count() -> None:
    target = replace(PLAIN, damage=20, wounds=1, ignore_wounds=1)
    assert ep.som_tn(target, 1) == 35
    assert ep.falls(target, 14) == {
        (True, False, False): F(26, 100),
        (True, True, False): F(74, 100),
    }
    assert ep.falls(target, 15) == {(False, True, False): 1}
    assert ep.falls(target, 33) == {(False, True, True): 1}
    assert ep.falls(replace(target, wt=None), 14) == {(False, False, False): 1}


def test_ep_minimum_damage_in_joint_distribution() -> None:
    target = replace(PLAIN, armor=0, minimum_damage=True)
    dist = ep.struck(ep.Strike(True, False, 1), ep.Attack(ep.DV(2, 0, 3)), target)
    assert ep.marginal(dist, lambda o: o.net) == {6: 1}
