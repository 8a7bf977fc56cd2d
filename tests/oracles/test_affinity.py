"""The oracle of Affinity against the worked examples (s..., v...) and exact odds (o...).

Every expected number was counted outside of this program; names carry clause, vector or question.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from . import affinity as af
from .affinity import BOOK, Ally, Attack, Dist, Hit, Layer, Rulings, T, Target, shown

F = Fraction

LIGHT = Attack(1)
HEAVY = Attack(1, 1, required=2, base=2)
ORC = Attack(2, fixed=3, base=2)
STRICT = Rulings(overwhelm="strict")
PER_DIE = Rulings(overwhelm="per_die")


def odds(text: str) -> dict[int, Fraction]:
    """'0:1/6 1:2/3' as a distribution."""
    return {int(n): F(p) for n, p in (word.split(":") for word in text.split())}


def damage(hit: Hit) -> int:
    return hit.damage


def burn(hit: Hit) -> int:
    return hit.burn


def damages(attack: Attack, rulings: Rulings = BOOK) -> Mapping[Any, Fraction]:
    return af.marginal(af.hits(attack, rulings=rulings), damage)


def lost(n: int, target: Target, rulings: Rulings = BOOK) -> dict[int, Fraction]:
    """HD lost to an attack of so much damage."""
    dist = af.defences(af.suffered(n, target, rulings), target, rulings=rulings)
    return af.tally((min(target.hd, end.through), p) for end, p in dist.items())


def only(dist: Dist[T]) -> T:
    """The single outcome of a scripted roll."""
    ((end, p),) = dist.items()
    assert p == 1
    return end


def hit(attack: Attack, faces: tuple[int, ...], rulings: Rulings = BOOK) -> Hit:
    return only(af.hits(attack, shown(faces), rulings))


def state(
    n: int, target: Target, *rolls: tuple[int, ...], rulings: Rulings = BOOK
) -> tuple[int, int]:
    """HD and number of layers left after so much damage and these faces."""
    end = only(af.defences(n, target, shown(*rolls), rulings))
    return max(0, target.hd - end.through), len(end.layers)


MEDIUM = Layer("armor", 8, 2, 12)
S1 = Target(3, 11, 10, (MEDIUM,))
S2 = Target(1, 5, 6, (Layer("magical", 12, 2, 9), Layer("armor", 6, 2, 7)))
S3 = Target(4, 13, 8)


# ------------------------------------------------------------------ examples of the text


def test_s1_armor_goes_and_one_hit_die() -> None:
    assert state(3, S1, (7, 4), (6, 3)) == (10, 0)
    assert state(3, S1, rulings=STRICT) == (8, 0)


def test_s2_both_layers_go_and_two_hit_dice() -> None:
    assert state(4, S2, (9,), (2,), (5,)) == (3, 0)
    assert state(4, S2, rulings=STRICT) == (1, 0)


def test_s3_nothing_is_lost() -> None:
    assert state(2, S3, (6, 7)) == (13, 0)


def test_s4_the_orc_deals_four() -> None:
    assert hit(ORC, (5, 4, 2)) == Hit(3, 4, 0)


def test_s5_bonus_damage_is_capped() -> None:
    assert hit(Attack(3, 3, required=2, base=2), (6, 6, 5, 4, 3, 1)) == Hit(7, 5, 1)
    assert hit(Attack(3, 3, required=2, base=2), (6, 6, 5, 4, 3, 2)) == Hit(8, 5, 0)


# ------------------------------------------------------------------ constructed examples


@pytest.mark.parametrize(
    ("attack", "faces", "expected"),
    [
        pytest.param(replace(LIGHT, exertion=1), (4, 1), (1, 1, 1), id="v1"),
        pytest.param(replace(LIGHT, exertion=1), (1, 6), (2, 2, 0), id="v2"),
        pytest.param(HEAVY, (1, 1), (0, 0, 1), id="v4"),
        pytest.param(HEAVY, (3, 2), (2, 2, 0), id="v5"),
        pytest.param(Attack(3, 3, "Expert", 3, 3), (4, 3, 6, 1, 1, 5), (4, 4, 2), id="v7"),
        pytest.param(replace(LIGHT, exertion=1, hd=1), (5, 1), (1, 1, 1), id="v28"),
        pytest.param(replace(LIGHT, resolve=3), (4,), (1, 0, 0), id="v32"),
    ],
)
def test_af4_attack_rolls_read(
    attack: Attack, faces: tuple[int, ...], expected: tuple[int, int, int]
) -> None:
    assert hit(attack, faces) == expected


def test_af10_v8_legendary_is_above_the_cap() -> None:
    assert not af.is_legal(Attack(1, 1, "Legendary"), level=1)
    assert not af.is_legal(Attack(3, 0, "Expert"), level=5)
    assert af.is_legal(Attack(3, 1, "Expert"), level=5)
    assert not af.is_legal(Attack(3, 4), level=5)


def test_af70_v10_range_takes_a_proficiency_die() -> None:
    far = Attack(2, 1, penalty=1)
    assert af.pools(far) == (1, 1)
    assert af.pools(far, Rulings(penalty_takes="exertion")) == (2, 0)
    assert [af.range_penalty(yards) for yards in (4, 7, 30, 31, 60, 100, 101)] == [
        0, 0, 0, 1, 1, 1, None,
    ]  # fmt: skip
    assert af.range_penalty(120, extreme_to=150) == 2
    assert af.range_penalty(160, extreme_to=150) is None


def test_af70_v11_no_dice_miss() -> None:
    assert af.pools(Attack(1, penalty=2)) == (0, 0)
    assert af.hits(Attack(1, penalty=2)) == {Hit(0, 0, 0): F(1)}


def test_af25_v13_the_top_face_cancels_one() -> None:
    assert state(2, Target(1, 3, 10, (MEDIUM,)), (4,), (10,)) == (2, 0)


def test_af28_v14_surplus_is_discarded() -> None:
    assert state(5, Target(1, 2), (3,)) == (0, 0)


def test_af31_v16_vulnerable_rolls_nothing() -> None:
    assert state(1, replace(S1, vulnerable=True)) == (10, 0)


def test_af30_v17_defending_makes_up_for_vulnerability() -> None:
    both = Target(3, 9, 10, (MEDIUM,), defending=True, vulnerable=True)
    assert state(2, both, (6, 2), (9, 1)) == (9, 0)


def test_af41_v19_v20_ally_steps_in() -> None:
    ally = Ally(1, 1)
    assert only(af.helps(3, [ally], shown((6, 1)))) == (1, (1,))
    assert only(af.helps(3, [ally], shown((1, 1)))) == (3, (1,))
    assert af.may_intervene(acted=False, distance=4)
    assert not af.may_intervene(acted=True, distance=4)
    assert not af.may_intervene(acted=False, distance=6)
    assert not af.may_intervene(acted=False, distance=4, actions_left=0)


def test_af42_v22_v23_rushes() -> None:
    actor = af.Rusher(3, 10, 11, 4, 2)
    faces = (6, 3, 1, 1, 5)
    assert only(af.rushes(actor, shown(faces))) == (10, 3)
    assert only(af.rushes(actor, shown(faces), Rulings(rush_order="burn_first"))) == (11, 3)
    assert only(af.rushes(af.Rusher(1, 1, 3, 0, 1), shown((1, 1)))) == (0, -1)
    with pytest.raises(ValueError, match="Resolve"):
        af.rushes(af.Rusher(1, 1, 3, 0, 1), rulings=Rulings(rush_floor="needs_one"))


def test_af21_v25_capacity_is_fresh() -> None:
    assert state(1, Target(3, 10), (2, 9)) == (10, 0)


def test_af23_v31_damage_up_to_the_capacity_is_rolled_in_both_readings() -> None:
    for rulings in (BOOK, STRICT):
        assert state(2, S1, (1, 1), (1, 1), rulings=rulings) == (9, 0)


# ------------------------------------------------------------------ exact odds: attacks


@pytest.mark.parametrize(
    ("attack", "expected", "average"),
    [
        pytest.param(LIGHT, "0:1/6 1:2/3 2:1/6", "1", id="o1"),
        pytest.param(HEAVY, "0:1/4 2:1/2 3:1/4", "7/4", id="o2"),
        pytest.param(
            replace(ORC, raging=True),
            "0:1/7776 2:5/1944 3:55/2592 4:1265/1296",
            "30895/7776",
            id="o4",
        ),
        pytest.param(
            Attack(3, 3, required=2, base=2),
            "0:25/46656 2:41/7776 3:175/5832 4:535/5184 5:6695/7776",
            "4163/864",
            id="o5",
        ),
    ],
)
def test_af6_damage_of_attacks(attack: Attack, expected: str, average: str) -> None:
    assert damages(attack) == odds(expected)
    assert af.mean(af.hits(attack), damage) == F(average)


def test_o2_joint_with_burn() -> None:
    dist = af.marginal(af.hits(HEAVY), lambda h: (h.damage, h.burn))
    assert dist == {
        (0, 0): F(1, 9), (0, 1): F(5, 36), (2, 0): F(17, 36), (2, 1): F(1, 36), (3, 0): F(1, 4),
    }  # fmt: skip


def test_o5_burn() -> None:
    dist = af.marginal(af.hits(Attack(3, 3, required=2, base=2)), burn)
    assert dist == odds("0:125/216 1:25/72 2:5/72 3:1/216")


# ------------------------------------------------------------------ exact odds: defence


def test_o7_armor_always_goes_and_the_body_loses_little() -> None:
    assert lost(3, S1) == odds("0:39/100 1:37/100 2:1/5 3:1/25")
    assert all(end.layers == () for end in af.defences(3, S1))
    assert af.mean(af.defences(3, S1), lambda end: end.through) == F(89, 100)
    assert lost(3, S1, STRICT) == {3: F(1)}


def dice_left(n: int, target: Target, rulings: Rulings) -> Mapping[Any, Fraction]:
    """Dice of each layer, outermost first, then the body's."""
    kinds = [layer.kind for layer in target.layers]

    def left(end: af.Defended) -> tuple[int, ...]:
        dice = {layer.kind: layer.dice for layer in end.layers}
        return (*(dice.get(kind, 0) for kind in kinds), target.hd - end.through)

    return af.marginal(af.defences(n, target, rulings=rulings), left)


def test_o7_die_by_die() -> None:
    assert dice_left(3, S1, PER_DIE) == {(0, 11): F(1, 2), (0, 10): F(1, 4), (1, 11): F(1, 4)}
    assert dice_left(3, S1, replace(PER_DIE, capacity="full")) == {
        (0, 10): F(1, 10), (0, 11): F(2, 5), (1, 11): F(3, 8), (2, 11): F(1, 8),
    }  # fmt: skip


def test_o8_both_layers_go() -> None:
    assert lost(4, S2) == odds("1:2/27 2:1/3 3:4/9 4:4/27")
    assert all(end.layers == () for end in af.defences(4, S2))
    assert af.mean(af.defences(4, S2), lambda end: end.through) == F(8, 3)
    assert lost(4, S2, STRICT) == {4: F(1)}
    assert dice_left(4, S2, PER_DIE) == {(0, 0, 5): F(1, 3), (0, 1, 5): F(2, 3)}


def test_o10_defending_and_vulnerable() -> None:
    plain = Target(1, 9, 8)
    assert lost(2, plain) == odds("1:1/2 2:1/2")
    assert lost(2, replace(plain, defending=True)) == odds("0:1/3 1:4/9 2:2/9")
    assert lost(2, replace(plain, vulnerable=True)) == {2: F(1)}


def test_o13_resistant_and_vulnerable() -> None:
    plain = Target(3, 11)
    assert lost(3, plain) == odds("1:9/25 2:12/25 3:4/25")
    assert lost(3, replace(plain, resists=True)) == odds("0:19/75 1:88/225 2:64/225 3:16/225")
    assert lost(3, replace(plain, vulnerable=True)) == {3: F(1)}
    assert lost(3, replace(plain, immune=True)) == {0: F(1)}


@pytest.mark.parametrize(
    ("die", "p"), [(4, "0"), (6, "1/3"), (8, "1/2"), (10, "3/5"), (12, "2/3"), (20, "4/5")]
)
def test_af24_chance_of_a_die_to_sustain(die: int, p: str) -> None:
    assert lost(1, Target(1, 5, die)).get(0, 0) == F(p)


@pytest.mark.parametrize(("level", "dice"), [(1, 1), (3, 1), (5, 2), (7, 2), (9, 3)])
def test_af21_capacity_by_level(level: int, dice: int) -> None:
    assert af.capacity((level + 1) // 2) == dice
    assert af.capacity((level + 1) // 2, Rulings(capacity="full")) == (level + 1) // 2


# ------------------------------------------------------------------ exact odds: the rest


def net(rusher: af.Rusher, rulings: Rulings) -> dict[int, Fraction]:
    dist = af.rushes(rusher, rulings=rulings)
    return af.tally((end.hd - rusher.hd, p) for end, p in dist.items())


def test_o11_rush() -> None:
    free = Rulings(rush_cap="none")
    small = net(af.Rusher(1, 9, 9, exertion=1), free)
    assert small == odds("-1:1/36 0:1/9 1:5/36 2:17/36 3:2/9 4:1/36")
    assert af.mean(small, int) == F(11, 6)
    assert af.mean(net(af.Rusher(3, 9, 9, exertion=3), free), int) == F(11, 2)


def test_o14_initiative_ties() -> None:
    assert af.tie_chance(3) == F(361, 3888)
    assert af.tie_chance(3, "sum_then_top") == F(79, 1944)
    assert af.tie_chance(1) == F(1, 6)


def test_o16_dying_by_resolve_checks() -> None:
    assert af.dead_by(10) == F(1024, 59049)
    assert af.dead_by(12) == F(52480, 531441)
    zero = Rulings(death="zero")
    assert af.dead_by(5, rulings=zero) == F(32, 243)
    assert af.dead_by(10, rulings=zero) == F(13900, 19683)


def test_a7_an_orc_drops_a_fresh_fighter_of_three() -> None:
    """Without armor: 4 damage (152/216) always, 3 damage (51/216) where the body's d10 fails."""

    def dropped(hd: int, *layers: Layer) -> Fraction:
        dist = af.resolve(ORC, Target(1, hd, 10, layers))
        return af.chance(dist, lambda end: end.hd_lost == hd)

    assert dropped(3, MEDIUM) == F(583, 1080)
    assert dropped(3) == F(152, 216) + F(51, 216) * F(2, 5) == F(431, 540)
    assert dropped(5) == dropped(5, MEDIUM) == 0


# ------------------------------------------------------------------ readings


def test_a1_absorb_one_lets_one_success_hold_everything() -> None:
    """Armor is lost in any case; one of two d8 is enough, else two d10 against all three."""
    one = Rulings(overwhelm="absorb_one")
    assert lost(3, S1, one) == odds("0:3/4 1:9/100 2:3/25 3:1/25")
    assert all(end.layers == () for end in af.defences(3, S1, rulings=one))


def test_a1_more_cancelled_than_capacity() -> None:
    """Resistant, capacity 1, 2 damage: 1/2 * (1 - 4/9) + 1/2 * 1/9 to cancel both at the armor."""
    target = Target(1, 9, 10, (MEDIUM,), resists=True)
    kept = af.chance(af.defences(2, target), lambda end: bool(end.layers))
    assert kept == F(1, 3)
    goes = Rulings(outrolled="depletes")
    assert all(end.layers == () for end in af.defences(2, target, rulings=goes))
    assert lost(2, target, goes) == lost(2, target)


def test_a2_totals_that_absorb() -> None:
    absorb = Rulings(temp_hd="absorb")
    end = only(af.defences(3, S1, shown((7, 4)), absorb))
    assert (end.through, end.layers[0].temp_hd) == (0, 10)
    assert lost(3, S1, absorb) == {0: F(1)}
    assert 1 - lost(3, S1)[0] == F(61, 100)


def test_a3_full_capacity() -> None:
    target = Target(4, 9, 8)
    assert lost(2, target)[0] == F(1, 4)
    assert lost(2, target, Rulings(capacity="full"))[0] == F(11, 16)


def test_a4_two_actions_at_level_five() -> None:
    turn = Rulings(budget="turn")
    for rulings, most, burned in ((BOOK, 6, "1"), (turn, 5, "5/6")):
        spent, mean_burn = 0, F(0)
        for _ in range(2):
            dice = af.most_exertion(3, level=5, spent=spent, rulings=rulings)
            mean_burn += af.mean(af.hits(Attack(3, dice)), burn)
            spent += dice
        assert (spent, mean_burn) == (most, F(burned))


def test_a5_always_five() -> None:
    five = Rulings(success_face="five")
    assert 1 - damages(ORC)[0] == F(215, 216)
    assert 1 - damages(ORC, five)[0] == F(19, 27)


def test_a6_heavy_weapons_that_need_one_success() -> None:
    """Required 1 instead of 2: only two ones miss."""
    easy = replace(HEAVY, required=1)
    assert (damages(HEAVY)[0], damages(easy)[0]) == (F(1, 4), F(1, 36))
    assert af.mean(af.hits(easy), damage) == F(97, 36)


def test_a8_when_the_defend_dice_are_rolled() -> None:
    target = Target(1, 9, 8, (Layer("armor", 8),), defending=True)
    means, kept = [], []
    for when in ("every_roll", "after_body", "once_per_attack"):
        rulings = Rulings(defend_bonus=when)
        dist = af.defences(2, target, rulings=rulings)
        means.append(af.mean(dist, lambda end: end.through))
        kept.append(af.chance(dist, lambda end: bool(end.layers)))
        if when != "every_roll":
            assert lost(2, target, rulings) == odds("0:5/9 1:1/3 2:1/9")
    assert means == [F(8, 27), F(5, 9), F(5, 9)]
    assert kept == [F(1, 3), F(0), F(1, 3)]
    assert af.mean(lost(2, replace(target, defending=False)), int) == 1


def test_a9_bonus_dice_that_raise_the_number_compared() -> None:
    target = Target(3, 11, resists=True)
    assert lost(3, target, STRICT) == {3: F(1)}
    assert af.mean(lost(3, target, replace(STRICT, bonus_counts=True)), int) == F(88, 75)


def test_a10_least_dice_of_the_vulnerable() -> None:
    target = Target(1, 9, 8, vulnerable=True)
    assert lost(2, target) == {2: F(1)}
    assert af.mean(lost(2, target, Rulings(vulnerability="floor_1")), int) == F(3, 2)
    assert lost(2, target, Rulings(vulnerability="double")) == odds("3:1/2 4:1/2")
    assert af.suffered(2, replace(target, immune=True)) == 0


def test_a12_intervening_before_or_after_the_defence() -> None:
    """One sure HD of damage on armor d6: the ally's die fails 1/6, the armor's 2/3."""
    blow = Attack(0, bonus=1, penalty=0)
    target = Target(1, 9, 10, (Layer("armor", 6),))
    for rulings, p in ((BOOK, "1/9"), (Rulings(intervene="after"), "2/3")):
        dist = af.resolve(blow, target, [Ally(1)], rulings=rulings)
        struck = af.chance(dist, lambda end: end.damage == 1)
        gone = af.chance(dist, lambda end: end.damage == 1 and not end.layers)
        assert gone / struck == F(p)


def test_a24_several_allies_one_after_another() -> None:
    dist = af.helps(2, [Ally(1), Ally(1)])
    by_hand: dict[tuple[int, tuple[int | None, ...]], Fraction] = {}
    for a, b in product(range(1, 7), repeat=2):
        worth = {1: 0, 6: 2}
        left = 2 - worth.get(a, 1)
        burns: tuple[int | None, ...] = (0, None) if left == 0 else (0, 0)
        left = max(0, left - worth.get(b, 1)) if left else 0
        key = (left, burns)
        by_hand[key] = by_hand.get(key, F(0)) + F(1, 36)
    assert {tuple(end): p for end, p in dist.items()} == by_hand
    assert lost(1, Target(1, 9, 8, defending=True, resists=True))[1] == F(1, 2) * F(2, 3) ** 4


def test_a24_greater_of_defend_and_resistance() -> None:
    both = Target(1, 9, 8, defending=True, resists=True)
    assert lost(1, both, Rulings(stacking=False))[1] == F(1, 2) * F(2, 3) ** 2


def test_e0_one_roll_of_the_body_and_layers_give_way() -> None:
    """Capacity 2 on d10: 4/25, 12/25, 9/25 for 0, 1, 2; totals of 2 and 1 take what is left."""
    single = Rulings(layers="single", temp_hd="absorb")
    target = Target(3, 9, 10, (Layer("magical", 12, 2, 2), Layer("armor", 8, 2, 1)))
    dist = af.marginal(
        af.defences(4, target, rulings=single),
        lambda end: (end.through, tuple(layer.temp_hd for layer in end.layers)),
    )
    assert dist == {(1, ()): F(4, 25), (0, ()): F(12, 25), (0, (1,)): F(9, 25)}
    whole = af.defences(4, target, rulings=Rulings(layers="single"))
    assert {end.through: p for end, p in whole.items()} == odds("4:4/25 3:12/25 2:9/25")


def test_a14_which_dice_the_range_takes() -> None:
    far = Attack(2, 2, penalty=1)
    other = Rulings(penalty_takes="exertion")
    assert af.mean(af.hits(far), burn) == F(1, 3)
    assert af.mean(af.hits(far, rulings=other), burn) == F(1, 6)
    assert damages(far) == damages(far, other)


def test_a15_precise_weapons() -> None:
    spear = Attack(1, 1, required=2, precise=True)
    assert 1 - damages(spear)[0] == F(3, 4)
    assert damages(spear, Rulings(precise="literal")).get(0, 0) == 0
    assert af.threshold("Advanced", precise=True) == 2


def test_a16_rage() -> None:
    rage = replace(ORC, raging=True)
    for rulings, average in (
        (BOOK, "30895/7776"),
        (Rulings(rage="per_die"), "4"),
        (Rulings(rage="successes"), "863/216"),
    ):
        assert af.mean(af.hits(rage, rulings=rulings), damage) == F(average)


def test_af73_v26_rage_below_half() -> None:
    assert [af.is_below_half(hd, 7) for hd in (4, 3)] == [False, True]
    assert af.pools(ORC) == (2, 1)
    assert af.pools(replace(ORC, raging=True)) == (4, 1)


def test_a17_printed_pools_that_burn() -> None:
    safe = Rulings(npc_burn="none")
    assert af.chance(af.hits(ORC, rulings=safe), lambda h: h.burn > 0) == 0
    burning = Rulings(npc_burn="remainder")
    assert af.chance(af.hits(ORC, rulings=burning), lambda h: h.burn > 0) == F(1, 6)
    assert damages(ORC) == damages(ORC, burning)


def test_a17_the_reckless_exert_beyond_what_is_printed() -> None:
    reckless = Rulings(npc_burn="reckless")
    assert af.pools(replace(ORC, exertion=2), reckless) == (2, 3)
    assert af.pools(replace(ORC, exertion=2), Rulings(npc_burn="none")) == (3, 0)


def test_a21_temporary_hit_dice_lie_outermost_or_innermost() -> None:
    worn = [af.Layer(kind, 8) for kind in ("armor", "temporary", "shield", "magical")]
    kinds = [layer.kind for layer in af.outermost_first(worn)]
    assert kinds == ["temporary", "magical", "shield", "armor"]
    inner = af.outermost_first(worn, Rulings(temporary="inner"))
    assert [layer.kind for layer in inner] == ["magical", "shield", "armor", "temporary"]


def test_af6_af75_an_area_adds_damage_or_spreads() -> None:
    blast = Attack(2, base=4, area=True)
    assert hit(blast, (6, 6)).damage == 6
    assert hit(blast, (6, 6), Rulings(area="spread")).damage == 4


def test_af70_extreme_range_begins_beyond_the_weapons_long_range() -> None:
    found = [af.range_penalty(yards, extreme_to=60, long_to=40) for yards in (30, 40, 41, 61)]
    assert found == [0, 1, 2, None]


def test_af12_affinity_dice_burn_or_not() -> None:
    lent = replace(LIGHT, affinity=1)
    assert af.pools(lent) == (1, 1)
    assert af.pools(lent, Rulings(affinity="safe")) == (2, 0)


def test_a18_burn_at_once_stops_the_blow() -> None:
    now = Rulings(burn_timing="immediately")
    last = replace(LIGHT, exertion=1, hd=1)
    assert hit(last, (5, 1), now) == (1, 0, 1)
    assert hit(replace(last, hd=2), (5, 1), now) == (1, 1, 1)


def test_a19_rush_readings() -> None:
    big = af.Rusher(3, 5, 6, exertion=3)
    faces = (6, 6, 1, 1, 2, 3)
    for rulings, hd in (
        (Rulings(), 6 - 1),
        (Rulings(rush_cap="none"), 5 + 6 - 1),
        (Rulings(rush_cap="proficiency"), 6 - 1),
        (Rulings(rush_order="burn_first"), 6),
        (Rulings(rush_order="burn_first", rush_cap="none"), 5 - 1 + 6),
    ):
        assert only(af.rushes(big, shown(faces), rulings)) == (hd, 4)
    roomy = replace(big, hd_max=99)
    assert only(af.rushes(roomy, shown(faces), Rulings(rush_cap="proficiency"))) == (7, 4)
    assert net(roomy, Rulings(rush="fixed")) == {3: F(1)}


def test_a22_healing_dice() -> None:
    assert af.mean(af.healed(2), int) == 7
    assert af.healed(2, by_sum=False) == {2: F(1)}


# ------------------------------------------------------------------ Resolve


@pytest.mark.parametrize(
    ("proficiency", "resolve", "core", "late"),
    [(5, 3, 3, 2), (5, 2, 2, 2), (5, 1, 2, 1), (3, 2, 1, 1), (1, 0, 1, 1), (3, 4, 2, 2)],
)
def test_af32_low_resolve_costs_dice(proficiency: int, resolve: int, core: int, late: int) -> None:
    target = Target(proficiency, 9, resolve=resolve)
    assert af.layer_capacity(target) == core
    assert af.layer_capacity(target, Rulings(resolve_stages="late")) == late


@pytest.mark.parametrize(
    ("tier", "resolve", "core", "late"),
    [
        ("Basic", 4, 0, 0), ("Basic", 3, 1, 0), ("Basic", 1, 1, 0), ("Advanced", 3, 1, 0),
        ("Advanced", 2, 1, 1),
    ],
)  # fmt: skip
def test_af53_low_resolve_asks_for_more(tier: str, resolve: int, core: int, late: int) -> None:
    attack = Attack(2, tier=tier, resolve=resolve)
    assert af.is_harder(attack) == core
    assert af.is_harder(attack, Rulings(resolve_stages="late")) == late
    assert not af.is_harder(Attack(2, tier=tier))


def test_af52_what_strains_the_attacker() -> None:
    def strained(hit: Hit, attack: Attack, rulings: Rulings = BOOK) -> bool:
        return af.is_strained(attack, hit, level=5, rulings=rulings)

    plain = Attack(3, 1, hd=9, resolve=5)
    assert not strained(Hit(3, 3, 0), plain)
    assert not strained(Hit(0, 0, 1), plain)
    assert strained(Hit(0, 0, 1), replace(plain, tier="Expert", required=3))
    assert strained(Hit(3, 3, 1), replace(plain, hd=1))
    assert not strained(Hit(3, 3, 0), replace(plain, exertion=3))
    assert strained(Hit(3, 3, 0), replace(plain, exertion=3), Rulings(resolve_stages="late"))
    assert not strained(Hit(0, 0, 1), replace(plain, hd=1, resolve=None))


def test_af54_hits_at_no_hd_shake() -> None:
    """Nothing is left to roll with; a check instead of a loss, and death at -5."""
    dying = Target(2, 0, 10, resolve=-4)
    dist = af.resolve(Attack(1, bonus=2, required=1), dying)
    struck = af.chance(dist, lambda end: end.damage > 0)
    assert struck == 1 - F(1, 6) ** 3
    assert {end.hd_lost for end in dist} == {0}
    died = af.chance(dist, lambda end: af.state(0, end.resolve) == "dead")
    assert died == struck * F(2, 3)
    safe = af.resolve(Attack(1, bonus=2), replace(dying, checked=True))
    assert {end.resolve for end in safe} == {-4}


def test_af52_when_resolve_is_checked() -> None:
    target = Target(2, 4)
    assert [af.needs_check(target, n) for n in (0, 2, 3, 4)] == [False, False, True, True]
    assert af.needs_check(Target(2, 2), 2)
    assert af.needs_check(Target(2, 9, lost=2), 1)
    assert not af.needs_check(Target(2, 9, lost=2, checked=True), 5)
    assert af.checks(5) == odds("4:2/3 5:1/3")
    assert af.checks(-1) == odds("-2:2/3 -1:1/6 0:1/6")


# ------------------------------------------------------------------ whole attacks


def test_af9_whole_attack_adds_up_by_hand() -> None:
    """A sure heavy blow against one layer: what the attack deals is what the layers meet."""
    attack = Attack(2, 1, required=1, base=1)
    target = Target(1, 2, 10, (Layer("magical", 12), Layer("armor", 8)))
    by_hand: dict[tuple[int, int, int], Fraction] = {}
    for p1, p2, x, barrier, armor, body in product(
        range(1, 7), range(1, 7), range(1, 7), range(1, 13), range(1, 9), range(1, 11)
    ):
        n = sum((face > 1) + (face == 6) for face in (p1, p2, x))
        left = 1 + min(n - 1, 2) if n else 0
        kept, lost_hd = 2, 0
        for face in (barrier, armor):
            if left:
                left = max(0, left - (face > 4))
                kept -= left > 0
        if left:
            lost_hd = min(2, max(0, left - (body > 4)))
        key = (lost_hd, int(x == 1), kept)
        by_hand[key] = by_hand.get(key, F(0)) + F(1, 216 * 960)
    dist = af.resolve(attack, target)
    assert af.marginal(dist, lambda end: (end.hd_lost, end.burn, len(end.layers))) == by_hand
