"""The exchanges, answered by affray from its rule texts.

Each function reads and declares an exchange, and gives back what answers it: that is timed.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from affray.app.registry import system_named
from affray.core.distribution import Distribution
from affray.core.ruling import Rulings
from affray.engine.exchange.best import objective_named, solve
from affray.engine.exchange.game import Game
from affray.engine.exchange.odds import outcomes
from affray.systems.affinity import sheet as af
from affray.systems.eclipse_phase import sheet as ep
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.empty_earth import gear as ee_gear
from affray.systems.empty_earth import sheet as ee
from affray.systems.grid_battles import sheet as gb
from benchmarks.peers.numbers import Attack, Blow, Combat, Pools

Joint = Callable[[], Distribution[tuple[object, ...]]]

AF, EE = system_named("affinity"), system_named("empty-earth")
EP, GB = system_named("eclipse-phase"), system_named("grid-battles")
DAMAGE = objective_named(EE, "damage")  # one point a hit: the expected number of hits


def w1(given: Attack) -> Joint:
    """Exact damage of the attack."""
    setup = ep.Setup(
        attacker=ep.Combatant(name="A", melee=given.attack),
        defender=ep.Combatant(
            name="B", fray=given.defence, kinetic=given.armor, wound_threshold=0, durability=1000
        ),
        weapon=Weapon(name="W", form="melee", skill="melee", d10=3),
    )
    settled = {
        "choose_style": ("plain",),
        "choose_called_shot": ("none",),
        "choose_defence": ("fray",),
    }
    return partial(outcomes, Game(EP, EP.declared(setup), settled), ("net",))


def _hits(given: Pools, *, rerolls: int, sweeps: int) -> Callable[[], Fraction]:
    number, sides = given.dodges
    weapon = ee_gear.Weapon(name="W", dice=f"3D{given.sides}")
    setup = ee.Setup(
        attacker=ee.Fighter(name="A", attacks=(weapon,), rerolls=rerolls, sweeps=sweeps),
        defender=ee.Fighter(
            name="B", phys_def=given.defence, dodge=f"{number}D{sides}", vitality=10
        ),
    )
    rulings = Rulings.pick(EE.rulings, {"dodge": "per_die"})
    game = Game(EE, EE.declared(setup, rulings), {"choose_reaction": ("dodge",)})
    return lambda: solve(game, DAMAGE).value


def w2(given: Pools) -> Callable[[], Fraction]:
    """Expected hits, both sides optimal, with one reroll."""
    return _hits(given, rerolls=1, sweeps=0)


def w2l(given: Pools) -> Callable[[], Fraction]:
    """Expected hits, both sides optimal, any dice rerolled."""
    return _hits(given, rerolls=0, sweeps=1)


def w4(given: Blow) -> Joint:
    """Burn, both layers, and Hit Dice lost, jointly."""
    blow = af.Action(name="blow", tier="basic", required=given.required, base=given.base)
    setup = af.Setup(
        attacker=af.Combatant(name="A", level=7, hd=13, actions=(blow,)),
        defender=af.Combatant(
            name="B", level=7, hd_die=10, hd=given.hd,
            layers=(af.Layer(kind="magical", die=12), af.Layer(kind="armor", die=8)),
        ),
    )  # fmt: skip
    settled = {"choose_action": ("blow",), "choose_exertion": (str(given.exertion),)}
    game = Game(AF, AF.declared(setup), settled)
    return partial(outcomes, game, ("burn", "magical", "armor", "hd_lost"))


def w5(given: Combat) -> Joint:
    """Health of both after the combat, jointly."""
    setup = gb.Setup(
        attacker=gb.Unit(
            name="A", attack=given.attack, defence=("black", "brown"),
            health=given.attacker_health,
        ),
        defender=gb.Unit(
            name="B", attack=(given.back,), defence=("grey", "brown"), health=given.health
        ),
        attacker_advantage="granted",
        defender_advantage="denied",
    )  # fmt: skip
    return partial(outcomes, Game(GB, GB.declared(setup), {}), ("attacker_health", "health"))
