"""The room against brute force: random units, dice, terrain and readings, face by face."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from fractions import Fraction
from random import Random
from typing import Any, Literal, NamedTuple, cast

import pytest

from affray.app.inputs.fight_setups import load_fight
from affray.core.node import Facts
from affray.core.ruling import Rulings
from affray.core.system import System
from affray.engine.exchange.game import Game
from affray.engine.exchange.odds import outcomes
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.duels.exact import solve_exactly
from affray.systems.grid_battles import SYSTEM as ROOM
from affray.systems.grid_battles.sheet import ASSUMED, Bonus, DiceSet, Setup, Terrain, Unit
from tests.oracles import grid_battles as oracle

SYSTEM = cast("System[Facts]", ROOM)
COLOURS = {"attack": ("yellow", "blue", "red"), "defence": ("brown", "grey", "black")}
TYPES = ("Light Cav", "Knight", "Pikeman", "Archer")
KINDS = ("cavalry", "infantry")
SYMBOLS = ("damage", "bonus_damage", "shield")
MOST_FACES = 6**4

RULINGS = {ruling.name: ruling for ruling in SYSTEM.rulings}
READINGS: dict[str, tuple[str, ...]] = {
    field.name: tuple(sorted(RULINGS[field.name].options, key=RULINGS[field.name].default.__ne__))
    for field in fields(oracle.Rulings)
}
"""The rulings of a combat with their readings, the default first; the oracle calls them so too."""

ONE_BY_ONE = [(name, pick) for name, picks in READINGS.items() for pick in picks]
OTHERS = [(name, pick) for name, picks in READINGS.items() for pick in picks[1:]]


class Case(NamedTuple):
    """The same combat for both: our sheets, the oracle's, and the readings of each."""

    setup: Setup
    combats: tuple[oracle.Combat, ...]
    picks: Mapping[str, str]
    rulings: oracle.Rulings

    def game(self) -> Game:
        start = SYSTEM.declared(self.setup, Rulings.pick(SYSTEM.rulings, self.picks))
        option = "hold" if self.combats[0].declines else "strike"
        return Game(SYSTEM, start).settle({"battle_back": (option,)})

    @property
    def n_faces(self) -> int:
        """The longest walk through the faces of a round."""
        rounds = [
            oracle.faced(combat, back=back, rulings=self.rulings)
            for combat in self.combats
            for back in (False, True)
        ]
        n_dice = max(len(stands.attack) + len(stands.defence) for stands in rounds)
        return cast("int", 6**n_dice)


# -- random cases -----------------------------------------------------------------------------


def random_dice(random: Random) -> DiceSet:
    if random.random() < 0.3:
        return ASSUMED
    attack, defence = ("-", "d", "b", "db", "dd", "bb", "ddb"), ("-", "-", "s", "s", "ss")
    faces: dict[str, Any] = {
        colour: tuple(random.choices(attack if part == "attack" else defence, k=6))
        for part, colours in COLOURS.items()
        for colour in colours
    }
    return DiceSet(**faces)


def random_terrain(random: Random) -> Terrain:
    bonuses = []
    for _ in range(random.choice([0, 1, 1, 2, 3])):
        part = random.choice(["attack", "defence"])
        is_die = random.random() < 0.5
        bonuses.append(
            Bonus(
                kind=cast("Any", f"{part}_die" if is_die else random.choice(SYMBOLS)),
                count=1 if is_die else random.choice([1, 1, 2]),
                colour=cast("Any", random.choice(COLOURS[part]) if is_die else ""),
                whose_hex=random.choice(["own", "own", "enemy"]),
            )
        )
    says = random.choice(["none", "none", "none", "grants", "denies"])
    return Terrain(bonuses=tuple(bonuses), advantage=cast("Any", says))


def random_unit(random: Random, *, distance: int, least: int = 1) -> Unit:
    health = random.randint(least, 4)
    return Unit(
        name=random.choice(TYPES),
        kinds=tuple(random.sample(KINDS, k=random.choice([0, 1]))),
        attack=cast("Any", tuple(random.choices(COLOURS["attack"], k=random.choice([1, 1, 2])))),
        defence=cast("Any", tuple(random.choices(COLOURS["defence"], k=random.choice([0, 1, 1])))),
        health=health,
        health_max=max(1, health) + random.choice([0, 0, 2]),
        range_hexes=distance if distance > 1 else random.choice([1, 1, 3]),
        advantage_over=tuple(random.sample((*TYPES, *KINDS), k=random.choice([0, 2, 3]))),
        abilities=random.choice([(), ("battle_back",)]),
    )


def random_picks(random: Random) -> dict[str, str]:
    """Three readings besides the defaults, more or less."""
    names = random.sample(list(READINGS), k=random.choice([0, 2, 3, 4]))
    return {name: random.choice(READINGS[name]) for name in names}


def random_case(random: Random, *, n_followers: int = 0, picks: Mapping[str, str] = {}) -> Case:
    """One combat, and perhaps others that follow it, small enough to be walked through."""
    while True:
        found = _random_case(random, n_followers, random_picks(random) | dict(picks))
        never = found.picks.get("close_shots") == "never" and found.setup.distance_hexes == 1
        units = (found.setup.attacker, *found.setup.followers)
        if found.n_faces <= MOST_FACES and not (never and any(unit.shoots for unit in units)):
            return found


def _random_case(random: Random, n_followers: int, picks: dict[str, str]) -> Case:
    distance = random.choice([1, 1, 1, 2, 3])
    least = 0 if picks.get("removal") == "below" else 1
    # Who answers from afar may have less reach, or another sight.
    defender = random_unit(random, distance=distance, least=least)
    if distance > 1:
        defender = replace(defender, range_hexes=random.choice([1, 2, 3]))
    attackers = [
        random_unit(random, distance=distance, least=least) for _ in range(n_followers + 1)
    ]
    says = random.choices(["rules", "rules", "rules", "granted", "denied"], k=2)
    setup = Setup(
        attacker=attackers[0],
        defender=defender,
        followers=tuple(attackers[1:]),
        attacker_terrain=random_terrain(random),
        defender_terrain=random_terrain(random),
        distance_hexes=distance,
        return_sight=random.choice(["same", "clear", "blocked"]),
        attacker_advantage=cast("Any", says[0]),
        defender_advantage=cast("Any", says[1]),
        attacker_supported=random.random() < 0.4,
        defender_supported=random.random() < 0.4,
        defender_status=random.choice(["fresh", "fresh", "activated", "fatigued"]),
        dice=random_dice(random),
    )
    declines = picks.get("strikes_back") == "chosen" and random.random() < 0.5
    combats = tuple(
        replace(combat_of(setup, attacker), declines=declines) for attacker in attackers
    )
    return Case(setup, combats, picks, readings(picks))


def readings(picks: Mapping[str, str]) -> oracle.Rulings:
    return oracle.Rulings(**cast("Any", picks))


def combat_of(setup: Setup, attacker: Unit) -> oracle.Combat:
    """The same combat on the oracle's sheets."""
    says = {"rules": None, "granted": True, "denied": False}

    def dice(colours: tuple[str, ...]) -> tuple[oracle.Die, ...]:
        return tuple(cast("oracle.Die", getattr(setup.dice, colour)) for colour in colours)

    def unit(sheet: Unit, *, tired: bool = False) -> oracle.Unit:
        return oracle.Unit(
            health=sheet.health,
            attack=dice(sheet.attack),
            defence=dice(sheet.defence),
            type=sheet.name,
            kinds=sheet.kinds,
            advantage_over=frozenset(sheet.advantage_over),
            reach=sheet.range_hexes,
            most=sheet.most,
            can_battle_back=bool(sheet.abilities),
            tired=tired,
        )

    def ground(terrain: Terrain) -> oracle.Ground:
        to: dict[str, oracle.Part] = dict.fromkeys(
            ("attack_die", "damage", "bonus_damage"), "round_attacker"
        )
        bonuses = [
            oracle.Bonus(
                bonus.kind,
                to.get(bonus.kind, "round_defender"),
                bonus.whose_hex,
                bonus.count,
                dice((bonus.colour,))[0] if bonus.colour else (),
            )
            for bonus in terrain.bonuses
        ]
        return oracle.Ground(tuple(bonuses), terrain.advantage)

    return oracle.Combat(
        unit(attacker),
        unit(setup.defender, tired=setup.defender_status != "fresh"),
        ground(setup.attacker_terrain),
        ground(setup.defender_terrain),
        distance=setup.distance_hexes,
        sees=setup.return_sight != "blocked",
        said=(says[setup.attacker_advantage], says[setup.defender_advantage]),
        supported=(setup.attacker_supported, setup.defender_supported),
    )


# -- one combat -------------------------------------------------------------------------------

ASKED = (
    "hits", "back_hits", "battle_back", "damage", "taken", "health", "attacker_health", "removed",
    "attackers_removed",
)  # fmt: skip


def wanted(case: Case) -> dict[tuple[object, ...], Fraction]:
    (combat,), rulings = case.combats, case.rulings

    def asked(end: oracle.Outcome) -> tuple[object, ...]:
        by, against = combat.attacker.health, combat.defender.health
        return (
            end.hits,
            end.hits_back or 0,
            end.hits_back is not None,
            max(0, against - end.defender),
            max(0, by - end.attacker),
            max(0, end.defender),
            max(0, end.attacker),
            oracle.is_gone(end.defender, rulings=rulings),
            int(oracle.is_gone(end.attacker, rulings=rulings)),
        )

    odds = oracle.combat_odds(combat, rulings=rulings)
    return oracle.tally((asked(end), p) for end, p in odds.items())


def agree(case: Case) -> None:
    assert outcomes(case.game(), ASKED).fractions() == wanted(case), case


@pytest.mark.parametrize("seed", range(20))
def test_gb14_random_combats_have_the_odds_of_brute_force(seed: int) -> None:
    random = Random(seed)
    for _ in range(12):
        agree(random_case(random))


@pytest.mark.parametrize(("ruling", "reading"), ONE_BY_ONE)
def test_every_reading_has_the_odds_of_brute_force(ruling: str, reading: str) -> None:
    random = Random(f"{ruling} {reading}")
    for _ in range(6):
        agree(random_case(random, picks={ruling: reading}))


@pytest.mark.parametrize(("ruling", "reading"), OTHERS)
def test_every_reading_but_the_default_makes_a_difference(ruling: str, reading: str) -> None:
    """Else a comparison under it would show nothing."""
    default, random = READINGS[ruling][0], Random(f"{ruling} matters")
    for _ in range(200):
        case = random_case(random, picks={ruling: reading})
        plain = case._replace(rulings=readings({**case.picks, ruling: default}))
        if wanted(case) != wanted(plain):
            return
    pytest.fail(f"{ruling}={reading} never mattered")


# -- several combats --------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_gb46_rows_of_attacks_have_the_odds_of_brute_force(seed: int) -> None:
    random = Random(100 + seed)
    for _ in range(4):
        case = random_case(random, n_followers=random.choice([1, 2]))
        rows = oracle.row_odds(case.combats, rulings=case.rulings)
        wanted_rows = oracle.tally((after(row, case.rulings), p) for row, p in rows.items())
        names = ("health", "removed", "attackers_removed", "hits", "back_hits")
        assert outcomes(case.game(), names).fractions() == wanted_rows, case


def after(row: oracle.Row, rulings: oracle.Rulings) -> tuple[object, ...]:
    gone = [oracle.is_gone(health, rulings=rulings) for health in (row.target, *row.attackers)]
    return max(0, row.target), gone[0], sum(gone[1:]), row.hits, row.hits_back


# -- to the death -----------------------------------------------------------------------------


def contest(case: Case, *, idle: bool) -> Contest:
    setup = case.setup
    turned = replace(
        setup,
        attacker=setup.defender,
        defender=setup.attacker,
        attacker_terrain=setup.defender_terrain,
        defender_terrain=setup.attacker_terrain,
        attacker_advantage=setup.defender_advantage,
        defender_advantage=setup.attacker_advantage,
        attacker_supported=setup.defender_supported,
        defender_supported=setup.attacker_supported,
    )
    sides = (
        Side("one", (setup.attacker,), setup),
        Side("other", (setup.defender,), turned, idle=idle),
    )
    rulings = Rulings.pick(SYSTEM.rulings, case.picks)
    return Contest(SYSTEM, sides, rulings, first="one")


@pytest.mark.parametrize("order", ["same", "turns"])
@pytest.mark.parametrize("seed", range(8))
def test_gb6_fights_to_the_death_are_those_of_brute_force(
    seed: int, order: Literal["same", "turns"]
) -> None:
    random, done = Random(200 + seed), 0
    while done < 3:
        # Whether units tire matters in fights alone: every other one asks.
        case = random_case(random, picks={"fatigue": "fresh"} if seed % 2 else {})
        setup = replace(case.setup, return_sight="same", defender_status="fresh")
        combat = combat_of(setup, setup.attacker)
        there = oracle.may_attack(combat, rulings=case.rulings)
        again = oracle.may_attack(oracle.swapped(combat), rulings=case.rulings)
        if case.combats[0].declines or not there or (order == "turns" and not again):
            continue
        done += 1
        found = solve_exactly(contest(case._replace(setup=setup), idle=order == "same"))
        end = oracle.to_the_death(combat, order=order, rulings=case.rulings)
        assert (*found.won, found.endless) == (end.won, end.lost, end.never), case
        assert found.rounds == end.rounds, case


@pytest.mark.parametrize(
    "name", ["light-cavalry", "hill", "against-cavalry", "healing", "support", "ability"]
)
def test_gb40_shipped_duels_are_won_as_brute_force_says(name: str) -> None:
    """A turn each, the first side first, until one is removed."""
    loaded = load_fight("grid-battles", name)
    contest = loaded.contest.changed(first="one")
    one, other = contest.sides
    made = replace(one.situation, attacker=one.fighters[0], defender=other.fighters[0])
    picks = contest.rulings.named()
    end = oracle.to_the_death(
        combat_of(made, made.attacker), order="turns", rulings=readings(picks)
    )
    found = solve_exactly(contest)
    assert (*found.won, found.endless) == (end.won, end.lost, end.never)
    assert found.rounds == end.rounds
