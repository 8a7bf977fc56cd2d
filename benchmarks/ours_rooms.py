"""The exchanges of Affinity and Grid Battles, answered by affray from their rule texts."""

from __future__ import annotations

from affray.app.registry import system_named
from affray.core.distribution import Distribution
from affray.core.reading import forget_distributions
from affray.engine.game import Game
from affray.engine.kernel import forget_kernels
from affray.engine.odds import outcomes
from affray.systems.affinity import sheet as af
from affray.systems.grid_battles import sheet as gb

AF, GB = system_named("affinity"), system_named("grid-battles")


def clear() -> None:
    """Forget every distribution and table; sheets and faces of dice stay read."""
    forget_distributions()
    forget_kernels()


def _w4() -> Game:
    blow = af.Action(name="blow", tier="basic", required=2, base=2)
    setup = af.Setup(
        attacker=af.Combatant(name="A", level=7, hd=13, actions=(blow,)),
        defender=af.Combatant(
            name="B", level=7, hd_die=10, hd=11,
            layers=(af.Layer(kind="magical", die=12), af.Layer(kind="armor", die=8)),
        ),
    )  # fmt: skip
    settled = {"choose_action": ("blow",), "choose_exertion": ("3",)}
    return Game(AF, AF.declared(setup), settled)


def _w5() -> Game:
    setup = gb.Setup(
        attacker=gb.Unit(
            name="A", attack=("red", "yellow"), defence=("black", "brown"), health=4
        ),
        defender=gb.Unit(name="B", attack=("blue",), defence=("grey", "brown"), health=4),
        attacker_advantage="granted",
        defender_advantage="denied",
    )  # fmt: skip
    return Game(GB, GB.declared(setup), {})


W4, W5 = _w4(), _w5()


def w4() -> Distribution[tuple[object, ...]]:
    """Burn, both layers, and Hit Dice lost, jointly."""
    return outcomes(W4, ("burn", "magical", "armor", "hd_lost"))


def w5() -> Distribution[tuple[object, ...]]:
    """Health of both after the combat, jointly."""
    return outcomes(W5, ("attacker_health", "health"))
