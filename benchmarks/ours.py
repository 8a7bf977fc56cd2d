"""The workloads, answered by affray from its rule texts."""

from __future__ import annotations

from fractions import Fraction

from affray.app.registry import system_named
from affray.core.distribution import Distribution
from affray.core.reading import forget_distributions
from affray.engine.best import objective_named, solve
from affray.engine.game import Game
from affray.engine.kernel import forget_kernels
from affray.engine.odds import outcomes
from affray.systems.eclipse_phase import sheet as ep
from affray.systems.eclipse_phase.injury import damage_dice
from affray.systems.eclipse_phase.reading import face_results
from affray.systems.empty_earth import sheet as ee

EP, EE = system_named("eclipse-phase"), system_named("empty-earth")


def clear() -> None:
    """Forget every distribution and table."""
    forget_distributions()
    forget_kernels()
    face_results.cache_clear()
    damage_dice.cache_clear()


def _w1() -> Game:
    setup = ep.Setup(
        attacker=ep.Combatant(name="A", melee=70),
        defender=ep.Combatant(name="B", fray=30, kinetic=10, wound_threshold=0, durability=1000),
        weapon=ep.Weapon(name="W", form="melee", skill="melee", d10=3),
    )
    settled = {
        "choose_style": ("plain",),
        "choose_called_shot": ("none",),
        "choose_defence": ("fray",),
    }
    return Game(EP, EP.declared(setup), settled)


def _w2(attack: str, dodge: str, *, rerolls: int, sweeps: int) -> Game:
    from affray.core.ruling import Rulings

    setup = ee.Setup(
        attacker=ee.Fighter(
            name="A", attacks=(ee.Weapon(name="W", dice=attack),), rerolls=rerolls, sweeps=sweeps
        ),
        defender=ee.Fighter(name="B", phys_def=5, dodge=dodge, vitality=10),
    )
    rulings = Rulings.pick(EE.rulings, {"dodge": "per_die"})
    settled = {"choose_reaction": ("dodge",)}
    return Game(EE, EE.declared(setup, rulings), settled)


W1 = _w1()
W2 = _w2("3D8", "2D6", rerolls=1, sweeps=0)
W2L = _w2("3D12", "3D10", rerolls=0, sweeps=1)
DAMAGE = objective_named(EE, "damage")  # one point a hit: the expected number of hits


def w1() -> Distribution[tuple[object, ...]]:
    """Exact damage of the attack, from its declaration."""
    return outcomes(W1, ("net",))


def w2() -> Fraction:
    """Expected hits, both sides optimal, from the declaration."""
    return solve(W2, DAMAGE).value


def w2l() -> Fraction:
    """Expected hits, both sides optimal, from the declaration."""
    return solve(W2L, DAMAGE).value
