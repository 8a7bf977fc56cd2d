"""Fights played with real dice, worked out exactly, and priced exchange by exchange: one answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from affray.app.inputs.checking import validated
from affray.app.inputs.rosters import Roster, resolved
from affray.app.registry import system_named
from affray.core.ruling import Rulings
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.course import First
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.plans import DECIDE_ALL, Plan
from affray.engine.fight.played.play import PlayedBattle
from affray.testing import Law
from affray.testing.fights import (
    GAMES,
    battles_of,
    replays_apart,
    verdicts_apart,
)  # fmt: skip
from affray.testing.prices import first_row_apart, odds_apart
from tests import fight_systems as games
from tests.conformance.holding import keeps, over
from tests.fight_systems import Fighter
from tests.scenarios import FIGHTING, SHIPPED

FEW = 10
FIRST, FREE = Plan("first"), Plan("free")


@dataclass(frozen=True)
class Bout:
    """Fighters of a roster against each other.

    Attributes:
        but: what differs from the roster, for all of them.
        rulings: readings that differ from the default.
        situation: keys of the setup, for everybody.
    """

    system: str
    one: tuple[str, ...]
    other: tuple[str, ...]
    plan: Plan
    first: First
    but: tuple[tuple[str, int], ...] = ()
    rulings: tuple[tuple[str, str], ...] = ()
    situation: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        return f"{self.system}:{'+'.join(self.one)}-{'+'.join(self.other)}-{self.first}"


HARM = {
    "eclipse-phase": "net", "empty-earth": "damage", "grid-battles": "hits",
    "affinity": "hd_lost", "emlia": "damage",
}  # fmt: skip
"""The outcome field that tells what `Fight.harm` counts, for systems that ship."""
EP, EE, GB, AF, EM = HARM
BRIEF = (("durability", 14), ("flex", 0))

DUELS = [
    Bout(EP, ("duellist_a",), ("duellist_b",), FIRST, "initiative",
         rulings=(("wound_effects", "modifiers"),)),
    Bout(EP, ("ripper",), ("duellist_b",), FIRST, "other", but=BRIEF),
    Bout(EP, ("corp_guard",), ("headhunter",), FIRST, "initiative", but=BRIEF,
         situation=(("distance_m", 1),)),
    Bout(EE, ("ada",), ("husk",), FREE, "coin"),
    Bout(EE, ("bo",), ("bulwark",), FREE, "one"),
    Bout(EE, ("stray_dog",), ("shrieker",), FREE, "coin"),
    Bout(EE, ("ada",), ("shrieker",), DECIDE_ALL, "coin"),
    Bout(GB, ("light_cav",), ("pikeman",), FIRST, "alternate"),
    Bout(GB, ("knight",), ("maceman",), FIRST, "coin"),
    Bout(AF, ("squire",), ("novice",), DECIDE_ALL, "initiative", rulings=(("resolve", "off"),)),
    Bout(AF, ("fighter",), ("orc_raider",), FIRST, "one", rulings=(("resolve", "off"),)),
    Bout(EM, ("trolls",), ("house_guard",), FIRST, "coin"),
    Bout(EM, ("ghurn_irregulars",), ("knights",), FIRST, "one"),
    Bout(EM, ("line_spears",), ("house_guard",), FIRST, "coin", rulings=(("morale", "on"),)),
]  # fmt: skip


BATTLES = [
    Bout(EP, ("duellist_a", "ripper"), ("guard_dog", "duellist_b"), FIRST, "initiative", BRIEF),
    Bout(EE, ("ada", "bo"), ("husk", "husk", "shrieker"), FREE, "coin"),
    Bout(GB, ("light_cav", "pikeman"), ("knight", "axeman"), FIRST, "alternate"),
    Bout(AF, ("squire", "novice"), ("bog_hound", "shield_sergeant"), DECIDE_ALL, "initiative"),
    Bout(EM, ("house_guard", "knights"), ("ghurn_irregulars", "trolls"), FIRST, "alternate"),
]


def setup_of(bout: Bout, one: str, other: str) -> Any:
    system = system_named(bout.system)
    both = ({"like": name, **dict(bout.but)} for name in (one, other))
    table = resolved(Roster(system), dict(zip(("attacker", "defender"), both, strict=True)))
    table |= dict(bout.situation)
    return validated(system.setup, table, "a test")


@cache
def contest_of(bout: Bout) -> Contest:
    system = system_named(bout.system)
    sides = []
    for name, own, foes in (("One", bout.one, bout.other), ("Other", bout.other, bout.one)):
        setups = [setup_of(bout, fighter, foes[0]) for fighter in own]
        fighters = tuple(setup.attacker for setup in setups)
        sides.append(Side(name, fighters, setups[0], bout.plan))
    rulings = Rulings.pick(system.rulings, dict(bout.rulings))
    return Contest(system, (sides[0], sides[1]), rulings, first=bout.first)


@cache
def played(bout: Bout) -> tuple[PlayedBattle, ...]:
    number = GAMES if bout in DUELS else FEW
    return battles_of(contest_of(bout), number)


@over("fights", "played")
def test_law(system: str, law: Law, part: tuple[int, int]) -> None:
    """Every fight and a few duels of each roster; picked ones follow."""
    keeps(system, law, part)


@pytest.mark.parametrize("bout", DUELS, ids=str)
def test_a_duel_is_won_as_often_as_played(bout: Bout) -> None:
    duel = Duel(contest_of(bout)).solve()
    assert duel.endless == 0
    assert not list(verdicts_apart(duel, played(bout)))


TOYS = [
    games.slugging, games.simultaneous, games.healing, games.yielding, games.healing_and_yielding,
    games.twice, games.winding_up, games.hurrying, games.steady_order, games.finishing,
    games.choosing, games.bleeding,
]  # fmt: skip


@pytest.mark.parametrize("game", TOYS)
def test_a_toy_duel_is_won_as_often_as_played(game: Any) -> None:
    one = Fighter("A", 6, sides=4, heals=1, bleeds=1, yields=1, speed=4)
    other = Fighter("B", 5, sides=5, armor=1, heals=1, bleeds=1, yields=2, speed=4)
    contest = games.contest(game, one, other)
    battles = battles_of(contest, 2 * GAMES)
    assert not list(verdicts_apart(Duel(contest).solve(), battles))


@pytest.mark.parametrize("bout", [*DUELS, *BATTLES], ids=str)
def test_every_battle_replays_identically(bout: Bout) -> None:
    assert not list(replays_apart(contest_of(bout), iter(played(bout)[:30])))


@pytest.mark.parametrize("bout", [*DUELS, *BATTLES], ids=str)
def test_everything_that_was_played_has_a_price(bout: Bout) -> None:
    """What came of an exchange stands in its row, with some weight; so it does for the odds."""
    assert not list(odds_apart(contest_of(bout), played(bout)[: FEW // 2]))


@pytest.mark.parametrize("bout", DUELS, ids=str)
def test_the_first_row_of_a_duel_is_the_odds(bout: Bout) -> None:
    assert not list(first_row_apart(contest_of(bout), HARM[bout.system]))


def test_every_system_with_fights_has_a_duel() -> None:
    assert {bout.system for bout in DUELS} == set(FIGHTING) & set(SHIPPED)
