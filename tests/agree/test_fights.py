"""Fights played with real dice, worked out exactly, and priced exchange by exchange: one answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any

import pytest

from affray.app.inputs.fight_setups import fighters_of
from affray.app.inputs.rosters import Roster, resolved
from affray.app.inputs.tables import validated
from affray.app.registry import system_named
from affray.core.node import At, Facts
from affray.core.ruling import Rulings
from affray.engine.exchange.best import solve
from affray.engine.exchange.flow import Decide, flow
from affray.engine.exchange.game import Game
from affray.engine.exchange.odds import outcomes
from affray.engine.exchange.session import Session
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.course import FighterId, First
from affray.engine.fight.duels.duel import Duel, DuelResult
from affray.engine.fight.matchup import Encounter, Matchup
from affray.engine.fight.plans import DECIDE_ALL, Plan
from affray.engine.fight.played.play import PlayedBattle, PlayedExchange, play_battle, replay
from tests import fight_systems as games
from tests.fight_systems import Fighter
from tests.scenarios import FIGHTING

GAMES, FEW = 200, 10
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

PICKED = [
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
    Bout(AF, ("squire",), ("novice",), DECIDE_ALL, "initiative"),
    Bout(AF, ("fighter",), ("orc_raider",), FIRST, "one"),
    Bout(EM, ("trolls",), ("house_guard",), FIRST, "coin"),
    Bout(EM, ("ghurn_irregulars",), ("knights",), FIRST, "one"),
    Bout(EM, ("line_spears",), ("house_guard",), FIRST, "coin", rulings=(("morale", "on"),)),
]  # fmt: skip


def others() -> list[Bout]:
    """A duel of each fighting system for which none is picked: its first fighter and its last."""
    picked = {bout.system for bout in PICKED}
    bouts = []
    for system in FIGHTING:
        if system not in picked:
            able, _ = fighters_of(system_named(system))
            bouts.append(Bout(system, able[:1], able[-1:], FIRST, "coin"))
    return bouts


DUELS = [*PICKED, *others()]
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
    return tuple(play_battle(contest_of(bout), seed=seed) for seed in range(number))


def near(duel: DuelResult, battles: tuple[PlayedBattle, ...]) -> None:
    """What was played is what was worked out, within five standard errors."""
    exactly = {"one": duel.won[0], "other": duel.won[1], "drawn": duel.drawn, "ended": duel.ended}
    n = len(battles)
    for verdict, chance in exactly.items():
        share = sum(battle.verdict == verdict for battle in battles) / n
        spread = sqrt(max(0.0, chance * (1 - chance)) / n)
        assert abs(share - chance) <= 5 * spread + 1e-9, verdict
    rounds = [battle.rounds for battle in battles]
    mean = sum(rounds) / n
    spread = sqrt(sum((number - mean) ** 2 for number in rounds) / n / n)
    assert abs(mean - duel.rounds) <= 5 * spread + 1e-9


@pytest.mark.parametrize("bout", DUELS, ids=str)
def test_a_duel_is_won_as_often_as_played(bout: Bout) -> None:
    duel = Duel(contest_of(bout)).solve()
    assert duel.endless == 0 or bout not in PICKED
    near(duel, played(bout))


TOYS = [
    games.slugging, games.simultaneous, games.healing, games.yielding, games.healing_and_yielding,
    games.twice, games.winding_up, games.hurrying, games.steady_order, games.finishing,
    games.choosing, games.bleeding,
]  # fmt: skip


@pytest.mark.parametrize("game", TOYS)
def test_a_toy_duel_is_won_as_often_as_played(game: Any) -> None:
    one = Fighter("A", 6, sides=4, heals=1, bleeds=1, yields=1, speed=4)
    other = Fighter("B", 5, sides=5, armour=1, heals=1, bleeds=1, yields=2, speed=4)
    contest = games.contest(game, one, other)
    battles = tuple(play_battle(contest, seed=seed) for seed in range(400))
    near(Duel(contest).solve(), battles)


# -- exchange by exchange ------------------------------------------------------------------------


@dataclass(frozen=True)
class Priced:
    """An exchange of a battle with the place where it began."""

    entry: PlayedExchange
    matchup: Matchup
    at: At[Facts]
    before: tuple[Any, Any, Any]


def priced(contest: Contest, battle: PlayedBattle) -> Iterator[Priced]:
    """Every exchange, declared from conditions that are followed on the way."""
    fight = contest.fight
    sheets = [side.fighters for side in contest.sides]
    now = [[contest.enter(n, sheet) for sheet in row] for n, row in enumerate(sheets)]
    number = 1
    acting: dict[tuple[int, FighterId], None] = {}
    for entry in battle.entries:
        while number < entry.round:
            now = [
                [fight.end_round(*one) for one in zip(row, conditions, strict=True)]
                for row, conditions in zip(sheets, now, strict=True)
            ]
            number += 1
        (side, place), (foes, foe) = entry.actor, entry.target
        if (entry.round, entry.actor) not in acting:
            now[side][place] = fight.begin_turn(sheets[side][place], now[side][place])
            acting[entry.round, entry.actor] = None
        actor, target = now[side][place], now[foes][foe]
        mates = [one for n, one in enumerate(zip(sheets[foes], now[foes], strict=True)) if n != foe]
        matchup = contest.matchup(side, sheets[side][place], sheets[foes][foe])
        context = fight.context(mates)
        deeds = fight.deeds(sheets[side][place], actor)
        deed = next(known for known in deeds if known.name == entry.deed)
        at = matchup.start(Encounter(deed, actor, target, context))
        assert at is not None
        yield Priced(entry, matchup, at, (actor, target, context))
        now = [list(conditions) for conditions in entry.conditions]


@pytest.mark.parametrize("bout", [*DUELS, *BATTLES], ids=str)
def test_every_battle_replays_identically(bout: Bout) -> None:
    for battle in played(bout)[:30]:
        assert replay(contest_of(bout), battle.record) == battle


@pytest.mark.parametrize("bout", [*DUELS, *BATTLES], ids=str)
def test_everything_that_was_played_has_a_price(bout: Bout) -> None:
    """What came of an exchange stands in its row, with some weight; so it does for the odds."""
    contest = contest_of(bout)
    fight, system = contest.fight, contest.system
    fields = [field.name for field in system.fields[:3]]
    for battle in played(bout)[: FEW // 2]:
        for one in priced(contest, battle):
            matchup, entry = one.matchup, one.entry
            actor, target, context = one.before
            game = Game(system, one.at, {}, matchup.plans)
            outcome = Session.replay(game, entry.answers).outcome
            assert outcome is not None
            sheet = contest.sides[entry.actor.side].fighters[entry.actor.place]
            deed = next(known for known in fight.deeds(sheet, actor) if known.name == entry.deed)
            row = matchup.odds(Encounter(deed, actor, target, context))
            assert row is not None
            assert sum(row.weights) == row.total
            foe = contest.sides[entry.target.side].fighters[entry.target.place]
            leads_to = {
                (fight.apply(sheet, actor, mine), fight.apply(foe, target, theirs))
                for mine, theirs in row.effects
            }
            assert all(weight > 0 for weight in row.weights)
            came = tuple(
                entry.conditions[who.side][who.place] for who in (entry.actor, entry.target)
            )
            assert came in leads_to
            if entry.round == 1:
                odds = outcomes(game, fields, decide=best(contest, game)).fractions()
                seen = tuple(system.field_named(name).of(outcome) for name in fields)  # type: ignore[union-attr]  # its own fields
                assert odds[seen] > 0


def best(contest: Contest, game: Game) -> Decide:
    """The policy of a fight: what plans leave open is decided for the objective."""
    return solve(game, contest.objective, threshold=contest.threshold).decide


@pytest.mark.parametrize("bout", DUELS, ids=str)
def test_the_first_row_of_a_duel_is_the_odds(bout: Bout) -> None:
    contest = contest_of(bout)
    fight, sheets = contest.fight, [side.fighters[0] for side in contest.sides]
    for side in (0, 1):
        actor, target = (contest.enter(n, sheets[n]) for n in (side, 1 - side))
        actor = fight.begin_turn(sheets[side], actor)
        matchup = contest.matchup(side, sheets[side], sheets[1 - side])
        deed = next(deed for deed in fight.deeds(sheets[side], actor) if deed.on == "foe")
        context = fight.context(())
        row = matchup.odds(Encounter(deed, actor, target, context))
        assert row is not None
        harm: dict[tuple[object, ...], int] = {}
        for (_, suffered), weight in zip(row.effects, row.weights, strict=True):
            key = (fight.harm(suffered),)
            harm[key] = harm.get(key, 0) + weight
        at = matchup.start(Encounter(deed, actor, target, context))
        assert at is not None
        game = Game(contest.system, at, {}, matchup.plans)
        priced = {key: Fraction(weight, row.total) for key, weight in harm.items()}
        assert priced == _harm(contest, game)
        if bout.system in HARM:
            decide = best(contest, game)
            assert priced == outcomes(game, (HARM[bout.system],), decide=decide).fractions()


def _harm(contest: Contest, game: Game) -> dict[tuple[object, ...], Fraction]:
    """What `Fight.harm` counts, from the outcomes of an exchange that the odds come to."""
    harm: dict[tuple[object, ...], Fraction] = {}
    for total, rows in flow(game, best(contest, game)).items():
        for outcome, weight in rows.items():
            key = (contest.fight.harm(contest.fight.effect(outcome, "target")),)
            harm[key] = harm.get(key, Fraction(0)) + Fraction(weight, total)
    return harm


def test_every_system_with_fights_has_a_duel() -> None:
    assert {bout.system for bout in DUELS} == set(FIGHTING)
