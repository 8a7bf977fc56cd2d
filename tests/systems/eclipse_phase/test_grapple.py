"""Taking hold of somebody: what counts for it, and when it subdues."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from affray.core.errors import SetupError

from .factory import attack_tn, blade, blow, chance, game, pistol, play, shooter, shot, target

F = Fraction
HOLD = blow(grapple="hold", attacker=shooter(melee=50), defender=target(fray=40))


def subdues(attack: int, defense: int, *, tn: int, fray: int, critical: bool) -> bool:
    """Whether these two d100s end in a grapple, by the book."""

    def double(face: int) -> bool:
        return face % 11 == 0

    def succeeds(face: int, number: int) -> bool:
        return face == 0 or (face <= number and face != 99)

    if not succeeds(attack, tn):
        return False
    if succeeds(defense, fray):
        if double(defense) and not double(attack):
            return False
        if double(attack) and attack == defense:
            return critical and tn > fray  # equal criticals: the higher skill
        if double(attack) == double(defense) and attack <= defense:
            return False
    return critical if double(attack) else attack >= 33


def subdued(*, critical: bool) -> F:
    """The chance that `HOLD` ends in a grapple, roll by roll."""
    rolls = product(range(100), repeat=2)
    return F(sum(subdues(a, d, tn=50, fray=40, critical=critical) for a, d in rolls), 10_000)


@pytest.mark.parametrize("critical", [True, False])
def test_ep91_a67_subdued_by_brute_force(critical: bool) -> None:
    held = {"grapple_critical": "subdues" if critical else "hurts"}
    found = chance(game(HOLD, held), "conditions", ("grappled",))
    assert found == subdued(critical=critical)


@pytest.mark.parametrize(
    ("one", "other", "tn"),
    [
        ({}, {}, 50),
        ({"size": "large"}, {}, 70),
        ({}, {"size": "small"}, 60),  # +20, and -10 for a small target
        ({}, {"size": "large"}, 40),  # -20, and +10 for a large one
        ({"size": "large"}, {"size": "very_small"}, 80),  # +60 less 30
        ({"limbs": 6}, {}, 70),
        ({"limbs": 5}, {}, 50),
        ({}, {"limbs": 8}, 30),
        ({"size": "large", "limbs": 2}, {}, 50),
    ],
)
def test_ep91_size_and_limbs(one: dict[str, Any], other: dict[str, Any], tn: int) -> None:
    setup = replace(
        HOLD,
        attacker=replace(HOLD.attacker, **one),
        defender=replace(HOLD.defender, **other),
    )
    assert attack_tn(setup) == tn


def test_ep91_reach_is_no_help() -> None:
    club = blade(reach=10)
    assert attack_tn(replace(HOLD, grapple="none", weapon=club)) == 60
    assert attack_tn(replace(HOLD, weapon=club)) == 50


def test_ep91_no_harm_but_with_a_critical() -> None:
    for faces, net, held in (((20, 98), 0, ()), ((40, 98), 0, ("grappled",))):
        struck = play(game(HOLD), *faces).final
        assert (struck.hit, struck.net) == (True, net)
        assert tuple(name for name, _ in struck.conditions) == held
    hurting = replace(HOLD, grapple="hurt")
    assert play(game(hurting), 20, 98).final.net == 0
    assert play(game(hurting), 44, 98, 3, 4).final.net == 14  # 2d10, doubled
    assert play(game(HOLD), 44, 98).final.net == 0


def test_ep91_nobody_two_sizes_larger_and_nobody_from_afar() -> None:
    with pytest.raises(SetupError, match="two sizes larger"):
        attack_tn(replace(HOLD, defender=target(size="very_large")))
    attack_tn(replace(HOLD, defender=target(size="large")))
    with pytest.raises(SetupError, match="only an attack hand to hand can"):
        attack_tn(replace(shot(weapon=pistol()), grapple="hold"))
    with pytest.raises(SetupError, match="a grapple is an attack on one target"):
        replace(HOLD, others=(target(),))
