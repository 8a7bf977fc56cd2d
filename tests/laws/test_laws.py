"""Laws that hold whatever the numbers: sums, monotony, optimality."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from affray.app.registry import system_named
from affray.core.ruling import Rulings
from affray.engine.exchange.best import objective_named, solve
from affray.engine.exchange.game import Game
from affray.engine.exchange.odds import outcomes
from affray.systems.eclipse_phase import sheet as ep
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.empty_earth import gear as ee_gear
from affray.systems.empty_earth import sheet as ee

EP, EE = system_named("eclipse-phase"), system_named("empty-earth")
few = settings(max_examples=25, deadline=None)
skills = st.integers(0, 120)


def shot(
    guns: int = 60, fray: int = 40, kinetic: int = 6, d10: int = 2, pools: int = 0, flex: int = 0
) -> Game:
    """A single shot with everything but pool points settled."""
    setup = ep.Setup(
        attacker=ep.Combatant(name="A", guns=guns, vigor=pools),
        defender=ep.Combatant(name="B", fray=fray, kinetic=kinetic, flex=flex, durability=30),
        weapon=Weapon(
            name="pistol", form="kinetic", skill="guns", d10=d10, modes=("semi",), rounds=5,
            range_m=30,
        ),
        distance_m=10,
    )  # fmt: skip
    settled = {"choose_called_shot": ("none",), "choose_defence": ("fray",)}
    return Game(EP, EP.declared(setup), settled)


def strike(dice: str, defence: int, dodge: str, ruling: str, rerolls: int = 0) -> Game:
    """An attack of Empty Earth against a Dodge."""
    setup = ee.Setup(
        attacker=ee.Fighter(
            name="A", attacks=(ee_gear.Weapon(name="W", dice=dice),), rerolls=rerolls
        ),
        defender=ee.Fighter(name="B", phys_def=defence, dodge=dodge, vitality_max=20),
    )
    rulings = Rulings.pick(EE.rulings, {"dodge": ruling})
    settled = {"choose_reaction": ("dodge", "none")}
    return Game(EE, EE.declared(setup, rulings), settled if dodge else {})


def mean(game: Game, field: str) -> Fraction:
    solution = solve(game, game.system.objectives[0])
    return outcomes(game, (field,), decide=solution.decide).map(lambda v: v[0]).mean()


@few
@given(skills, skills, st.integers(0, 30), st.integers(1, 4))
def test_odds_sum_to_exactly_one(guns: int, fray: int, kinetic: int, d10: int) -> None:
    game = shot(guns, fray, kinetic, d10)
    joint = outcomes(game, ("hit", "dv", "net", "wounds", "prone", "knocked_out"))
    assert sum(joint.fractions().values()) == 1


@few
@given(skills, skills, st.integers(0, 29), st.integers(1, 4))
def test_more_armor_never_helps_the_attacker(guns: int, fray: int, av: int, d10: int) -> None:
    assert mean(shot(guns, fray, av + 1, d10), "net") <= mean(shot(guns, fray, av, d10), "net")


@few
@given(st.integers(0, 97), skills)
def test_more_skill_never_lowers_the_chance_to_hit(guns: int, fray: int) -> None:
    assert outcomes(shot(guns + 1, fray), ("hit",)).where(lambda v: v[0] is True) >= outcomes(
        shot(guns, fray), ("hit",)
    ).where(lambda v: v[0] is True)


@few
@given(skills, skills, st.sampled_from(["none", "plus20", "ignore"]),
       st.sampled_from(["none", "flip", "upgrade", "downgrade"]))  # fmt: skip
def test_best_is_at_least_every_fixed_policy(guns: int, fray: int, before: str, after: str) -> None:
    game = shot(guns, fray, pools=1)
    for name in ("hit", "damage", "disable"):
        wish = objective_named(EP, name)
        optimum = solve(game, wish).value
        fixed = game.settle(
            {"spend_before_attack": (before, "none"), "spend_after_attack": (after, "none")}
        )
        assert solve(fixed, wish).value <= optimum


@few
@given(skills, skills)
def test_a_defender_with_a_point_is_never_hit_more_often(guns: int, fray: int) -> None:
    hit = objective_named(EP, "hit")
    assert solve(shot(guns, fray, flex=1), hit).value <= solve(shot(guns, fray), hit).value


@few
@given(skills, skills)
def test_a_threshold_spends_only_for_its_gain(guns: int, fray: int) -> None:
    hit = objective_named(EP, "hit")
    game = shot(guns, fray, pools=1)
    free, dear = solve(game, hit), solve(game, hit, threshold=2)
    assert dear.value <= free.value
    spent = outcomes(game, ("spent",), decide=dear.decide)
    assert spent.chance((0,)) == 1


@few
@given(st.integers(1, 3), st.sampled_from([4, 6, 8]), st.integers(1, 6),
       st.sampled_from(["", "1D4", "2D4", "1D6"]),
       st.sampled_from(["pool", "per_die", "all"]))  # fmt: skip
def test_more_defence_and_more_dodge_never_help_the_attacker(
    n: int, sides: int, defence: int, dodge: str, ruling: str
) -> None:
    base = mean(strike(f"{n}D{sides}", defence, dodge, ruling), "hits")
    assert mean(strike(f"{n}D{sides}", defence + 1, dodge, ruling), "hits") <= base
    if dodge:
        assert base <= mean(strike(f"{n}D{sides}", defence, "", ruling), "hits")
    assert mean(strike(f"{n}D{sides}", defence, dodge, ruling, rerolls=1), "hits") >= base


@few
@given(st.integers(1, 3), st.sampled_from([4, 6]), st.integers(1, 5))
def test_readings_of_the_dodge_are_ordered(n: int, sides: int, defence: int) -> None:
    """Off every die is worst for the attacker; a pool and die by die lie between that and none."""
    every, pool, die = (
        mean(strike(f"{n}D{sides}", defence, "2D4", reading), "hits")
        for reading in ("all", "pool", "per_die")
    )
    assert every <= pool <= die
