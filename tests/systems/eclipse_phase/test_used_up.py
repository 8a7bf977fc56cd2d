"""Weapons that one attack uses up or breaks are gone, in fights and from the next setup (EP-61)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from affray.core.ruling import Rulings
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.plans import Plan
from affray.engine.fight.played.play import play_battle
from affray.engine.fight.sampled.battle import Battle
from affray.systems.eclipse_phase.condition import weapons_left
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.sequel import after
from affray.systems.eclipse_phase.sheet import Combatant
from affray.systems.eclipse_phase.telling import mended

from .area import FRAG, bomb, caught, throw
from .factory import BY_ATTACKS, QUIET, SYSTEM, blade, game, play, shooter

GRENADE = replace(bomb(FRAG), traits=("single_use",))
KNIFE = blade(name="knife", d10=0, flat=1)
COUNTED = BY_ATTACKS


def thrower(n: int, *more: Weapon) -> Combatant:
    return shooter(name="thrower", weapons=(GRENADE,) * n + more, durability=1000)


def attacks(one: Combatant, rulings: dict[str, str]) -> int:
    """How often somebody attacks in six rounds, against one who does nothing."""
    wall = caught(name="wall", durability=10_000, fray=0)
    setup = replace(throw(wall, attacker=one), weapon=None)
    plan = Plan("first", tuple(QUIET.items()))
    sides = Side("one", (one,), setup, plan), Side("other", (wall,), setup, plan, idle=True)
    contest = Contest(SYSTEM, sides, Rulings.pick(SYSTEM.rulings, rulings), first="one")
    fought = play_battle(contest, seed=3, rounds=6)
    return sum(entry.deed == "attack" for entry in fought.exchanges)


@pytest.mark.parametrize("turns", ["attacks", "actions"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_ep61_as_many_throws_as_grenades(n: int, turns: str) -> None:
    assert attacks(thrower(n), {"turns": turns}) == n


def test_ep61_by_the_old_reading_nothing_is_used_up() -> None:
    assert attacks(thrower(1), {"ammunition": "plenty"}) == 6


def test_ep61_the_next_setup_has_one_grenade_less() -> None:
    setup = replace(throw(caught(), attacker=thrower(3, KNIFE)), weapon=None)
    played = game(setup, declare_attack=GRENADE.name)
    ended = play(played, 20, 98, 5, 5, 5)
    left = after(setup, (ended._replace(weapon=GRENADE), ended), COUNTED)
    assert left.attacker.weapons == (GRENADE, GRENADE, KNIFE)


def test_ep61_a_game_master_hands_out_grenades() -> None:
    one = thrower(3)
    now = FIGHT.enter(one, COUNTED)
    fewer = mended(one, now, f"left_{GRENADE.name}", "1")
    assert weapons_left(one, fewer) == (GRENADE,)
    assert mended(one, fewer, f"left_{GRENADE.name}", 3) == now


def test_ep61_with_its_last_weapon_gone_nobody_attacks() -> None:
    one = thrower(1)
    now = FIGHT.enter(one, COUNTED)
    assert FIGHT.deeds(one, now)
    gone = now._replace(rare=now.rare._replace(gone=(GRENADE.name,)))
    assert FIGHT.deeds(one, gone) == ()


def test_ep61_duels_and_battles_agree_on_a_single_throw() -> None:
    """One grenade, one throw: a duel that counts knows that it goes on for ever afterwards."""
    one = thrower(1)
    prey = caught(name="prey", durability=12, fray=0, kinetic=0)
    setup = replace(throw(prey, attacker=one), weapon=None)
    plan = Plan("first", tuple({**QUIET, "declare_attack": (GRENADE.name,)}.items()))
    sides = Side("one", (one,), setup, plan), Side("other", (prey,), setup, plan, idle=True)
    contest = Contest(SYSTEM, sides, COUNTED, first="one")
    solved = Duel(contest).solve()
    assert 0 < solved.won[0] < 1
    assert solved.won[0] + solved.endless == pytest.approx(1)
    found = Battle(contest, rounds=3).run(4_000, seed=5)
    assert found.won[0].low < solved.won[0] < found.won[0].high
