"""Checks, mixed bodies and the fight of Emlia, answered by affray from its rule text.

Each function reads and declares a question, and gives back what answers it: that is timed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from affray.app.inputs.fight_setups import load_raw_fight
from affray.app.registry import system_named
from affray.core.distribution import Distribution
from affray.engine.exchange.game import Game
from affray.engine.exchange.odds import outcomes
from affray.engine.fight.duels.answers import DuelResult
from affray.engine.fight.duels.duel import Duel
from affray.systems.emlia import sheet as em
from affray.systems.emlia.gear import Skill, Weapon
from benchmarks.peers.numbers import Check, Lines, Mixed

Joint = Callable[[], Distribution[tuple[object, ...]]]

EM = system_named("emlia")
LEVEL = 6
"""The difficulty of an attack to which nothing is added."""


def _attack(dice: int, defender: em.Unit, base: int = 0) -> Game:
    skill = Skill(skill="close_combat", level=dice)
    sword = Weapon(name="sword", damage=base)
    attacker = em.Unit(name="A", members=200, skills=(skill,), weapons=(sword,))
    setup = em.Setup(attacker=attacker, defender=defender, action="close_combat", focus="none")
    return Game(EM, EM.declared(setup), {})


def w3(given: Check) -> Joint:
    """Successes and ones of an attack on a target as many, hard or easy to hit."""
    target = em.Unit(name="B", members=200, hits=3, to_hit=LEVEL - given.target)
    return partial(outcomes, _attack(given.dice, target), ("successes", "ones"))


def w9(given: Mixed) -> Joint:
    """Points of damage of each of six units, jointly.

    What outnumbering the body gives is taken away again, at difficulty 6.
    """
    (members, hits), *rest = given.body
    to_hit = LEVEL - given.target - 1
    joined = tuple(
        em.Troop(name=f"B{n}", members=size, hits=value, to_hit=to_hit)
        for n, (size, value) in enumerate(rest, start=2)
    )
    body = em.Unit(name="B1", members=members, hits=hits, joined=joined, to_hit=to_hit)
    names = tuple(f"damage_{n}" for n in range(1, len(given.body) + 1))
    return partial(outcomes, _attack(given.dice, body, base=1), names)


def w7(given: Lines) -> Callable[[], DuelResult]:
    """So many against as many to the end: who is hard to hit takes from the other's dice."""
    skill = {"skill": "close_combat", "level": given.members, "diminish": 1}
    alike = {"members": given.members, "skills": [skill], "elevation": 0}
    one = {"like": "hill_thirty", **alike, "to_hit": given.height_b}
    other = {"like": "vale_thirty", **alike, "to_hit": given.height_a}
    raw = {"one": {"fighters": [one]}, "other": {"fighters": [other]}}
    contest = load_raw_fight(EM, raw, "benchmark").contest
    return lambda: Duel(contest).solve()
