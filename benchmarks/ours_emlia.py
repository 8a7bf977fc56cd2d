"""Checks, mixed bodies and the fight of Emlia, answered by affray from its rule text."""

from __future__ import annotations

from affray.app.fight_setups import load_fight
from affray.app.registry import system_named
from affray.core.distribution import Distribution
from affray.engine.contest import Contest
from affray.engine.duels.duel import Duel, DuelResult
from affray.engine.game import Game
from affray.engine.odds import outcomes
from affray.systems.emlia import sheet as em
from benchmarks import ours

EM = system_named("emlia")
BODY = ((40, 2), (30, 3), (20, 4), (10, 5), (6, 6), (2, 8))
"""Members and Hits of the six units of W9."""


def clear() -> None:
    """Forget every distribution, table and exchange; the sheets stay read."""
    ours.clear()
    for known in _KNOWN.values():
        known.forget()


def _attack(dice: int, defender: em.Unit, base: int = 0) -> Game:
    skill = em.Skill(skill="close_combat", level=dice)
    sword = em.Weapon(name="sword", damage=base)
    attacker = em.Unit(name="A", members=200, skills=(skill,), weapons=(sword,))
    setup = em.Setup(attacker=attacker, defender=defender, action="close_combat", focus="none")
    return Game(EM, EM.declared(setup), {})


def _check(dice: int) -> Game:
    """An attack at difficulty 7: a target as many, hard to hit."""
    return _attack(dice, em.Unit(name="B", members=200, hits=3, to_hit=-1))


def _body() -> Game:
    """An attack at difficulty 6: what outnumbering the body gives is taken away again."""
    (members, hits), *rest = BODY
    joined = tuple(
        em.Troop(name=f"B{n}", members=size, hits=value, to_hit=-1)
        for n, (size, value) in enumerate(rest, start=2)
    )
    body = em.Unit(name="B1", members=members, hits=hits, joined=joined, to_hit=-1)
    return _attack(60, body, base=1)


W3 = {dice: _check(dice) for dice in (30, 100)}
W9 = _body()
_KNOWN: dict[str, Contest] = {}


def w3(dice: int) -> Distribution[tuple[object, ...]]:
    """Successes and ones of a check at difficulty 7, from the declaration of the attack."""
    return outcomes(W3[dice], ("successes", "ones"))


def w7() -> DuelResult:
    """Thirty against thirty to the end."""
    if "w7" not in _KNOWN:
        _KNOWN["w7"] = load_fight("emlia", "thirties").contest
    return Duel(_KNOWN["w7"]).solve()


def w9() -> Distribution[tuple[object, ...]]:
    """Points of damage of each of six units, jointly, by 60 dice."""
    return outcomes(W9, tuple(f"damage_{n}" for n in range(1, len(BODY) + 1)))
