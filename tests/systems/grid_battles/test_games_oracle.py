"""Whole games of the room against brute force: random small maps, both sides at their best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple, cast

import pytest

from affray.core.node import Facts
from affray.core.ruling import Rulings
from affray.core.system import System
from affray.engine.exchange.best import objective_named, solve
from affray.engine.exchange.game import Game
from affray.systems.grid_battles import SYSTEM as ROOM
from affray.systems.grid_battles.map.hexes import LAYOUTS
from affray.systems.grid_battles.sheet import (
    Bonus,
    Goal,
    Ground,
    Placed,
    Scenario,
    Setup,
    Terrain,
    Unit,
)
from tests.oracles import grid_battles as combats
from tests.oracles import grid_games as oracle

SYSTEM = cast("System[Facts]", ROOM)

WOODS = Terrain(
    name="woods", blocks=True, move_cost=2, hampers=True,
    bonuses=(Bonus(kind="defence_die", colour="brown"),),
)  # fmt: skip
HILL = Terrain(name="hill", blocks=True, bonuses=(Bonus(kind="shield"),))
MUD = Terrain(name="mud", move_cost=2, hampers=True)

COMBAT: dict[str, dict[str, tuple[str, Any]]] = {
    "battle_back": {"able": ("battle_back", "able")},
    "advantage": {"support": ("advantage", "support")},
    "close_shots": {"shoots": ("close_shots", "shoots"), "never": ("close_shots", "never")},
    "fatigue": {"fresh": ("fatigue", "fresh")},
    "removal": {"below": ("removal", "below")},
}
WAR: dict[str, dict[str, tuple[str, Any]]] = {
    "edges": {"place": ("edge_by_edge", True)},
    "in_the_way": {"enemies": ("in_the_way", "enemies"), "crossed": ("in_the_way", "crossed")},
    "no_fresh": {"ends": ("no_fresh", "ends")},
    "next_round": {"alternates": ("next_round", "alternates"), "same": ("next_round", "same")},
    "activations": {"up_to": ("up_to", True)},
    "both_win": {"starts": ("both_win", "starts")},
    "move_cost": {"one": ("terrain_costs", False)},
    "control": {"stops": ("control", True)},
    "hampered": {"waits": ("hampered_wait", True)},
    "conditions": {"all": ("all_conditions", True)},
    "holding": {"turn": ("holding", "turn"), "at_once": ("holding", "at_once")},
    "leaving": {"reach": ("exit_cost", 0)},
}
"""What a reading is called in the room and in the oracles."""

ONE_BY_ONE = [(name, pick) for name, picks in (COMBAT | WAR).items() for pick in picks]
SKIPPED = {
    ("battle_back", "able"): 20, ("close_shots", "shoots"): 10, ("edges", "place"): 61,
    ("next_round", "alternates"): 9, ("next_round", "same"): 20, ("activations", "up_to"): 19,
    ("both_win", "starts"): 130, ("move_cost", "one"): 39, ("control", "stops"): 38,
    ("hampered", "waits"): 20, ("holding", "turn"): 17, ("holding", "at_once"): 22,
}  # fmt: skip
"""How many of the games that are drawn are not looked at, as the reading makes no difference."""


class Case(NamedTuple):
    """The same game for both, and the readings of each."""

    scenario: Scenario
    picks: Mapping[str, str]

    def value(self) -> object:
        start = SYSTEM.declared(
            Setup(scenario=self.scenario), Rulings.pick(SYSTEM.rulings, self.picks)
        )
        return solve(Game(SYSTEM, start), objective_named(SYSTEM, "win")).value

    def wanted(self) -> object:
        return oracle.best_value(game_of(self.scenario, readings(self.picks)))


def readings(picks: Mapping[str, str]) -> oracle.GameRulings:
    fights = dict(COMBAT[name][pick] for name, pick in picks.items() if name in COMBAT)
    others = dict(WAR[name][pick] for name, pick in picks.items() if name in WAR)
    return oracle.GameRulings(combat=combats.Rulings(**fights), **others)


def hex_of(label: str, layout: str = "rows-right") -> oracle.Hex:
    """Walk from hex 0000: along its line, then from line to line, one step each.

    From an even line the next one lies half a hex on, or half a hex back; then it is the other way.
    """
    along, lines = int(label[:2]), int(label[2:])
    if layout.startswith("columns"):
        along, lines = lines, along
    on, back = (0, 1), (-1, 1)
    steps = [on, back] if layout in {"rows-right", "columns-down"} else [back, on]
    q, r = along, 0
    for line in range(lines):
        q, r = q + steps[line % 2][0], r + 1
    return q, r


def land_of(terrain: Terrain) -> oracle.Land:
    bonuses = tuple(
        combats.Bonus(
            bonus.kind, "round_defender", bonus.whose_hex, bonus.count,
            combats.DICE[bonus.colour] if bonus.colour else (),
        )
        for bonus in terrain.bonuses
    )  # fmt: skip
    ground = combats.Ground(bonuses, terrain.advantage)
    return oracle.Land(ground, terrain.blocks, terrain.move_cost, terrain.hampers)


def game_of(scenario: Scenario, rulings: oracle.GameRulings) -> oracle.Game:
    def place(label: str) -> oracle.Hex:
        return hex_of(label, scenario.layout)

    land = {
        place(label): oracle.FIELD
        for label in labels_of(scenario.columns, scenario.rows)
        if label not in scenario.missing
    }
    land |= {place(ground.hex): land_of(ground.terrain) for ground in scenario.hexes}
    armies = [
        oracle.Army(side, unit_of(placed.unit), placed.unit.move, place(placed.hex))
        for side, army in enumerate((scenario.one, scenario.other))
        for placed in army
    ]
    return oracle.Game(
        land,
        tuple(armies),
        (scenario.activations, scenario.other_activations or scenario.activations),
        (wish_of(scenario, scenario.one_wins), wish_of(scenario, scenario.other_wins)),
        scenario.rounds,
        ("one", "other").index(scenario.starts),
        {"one": Fraction(1), "other": Fraction(0), "draw": Fraction(1, 2)}[scenario.at_the_end],
        rulings,
    )


def wish_of(scenario: Scenario, goal: Goal | None) -> oracle.Wish:
    if goal is None:
        return oracle.Wish(destroy=scenario.destroy or 1)

    def places(labels: tuple[str, ...]) -> frozenset[oracle.Hex]:
        return frozenset(hex_of(label, scenario.layout) for label in labels)

    return oracle.Wish(goal.destroy, places(goal.hold), goal.escape, places(goal.exits))


def unit_of(sheet: Unit) -> combats.Unit:
    return combats.Unit(
        health=sheet.health,
        attack=tuple(combats.DICE[colour] for colour in sheet.attack),
        defence=tuple(combats.DICE[colour] for colour in sheet.defence),
        type=sheet.name,
        advantage_over=frozenset(sheet.advantage_over),
        reach=sheet.range_hexes,
    )


def random_unit(random: Random) -> Unit:
    return Unit(
        name=random.choice(["Knight", "Archer"]),
        attack=cast("Any", (random.choice(["yellow", "blue", "red"]),)),
        defence=cast("Any", (random.choice(["brown", "grey"]),)),
        health=random.choice([1, 1, 2]),
        move=random.choice([0, 1, 1, 2]),
        range_hexes=random.choice([1, 1, 2, 3]),
        advantage_over=random.choice([(), ("Knight",)]),
    )


def random_picks(random: Random) -> dict[str, str]:
    """One or two readings besides the defaults, or none."""
    names = random.sample(list(COMBAT | WAR), k=random.choice([0, 0, 1, 2]))
    return {name: random.choice(list((COMBAT | WAR)[name])) for name in names}


def random_goal(random: Random, labels: list[str], n_own: int) -> Goal:
    """Conditions of every kind, one or two of them."""
    kinds = random.sample(["destroy", "hold", "escape"], k=random.choice([1, 1, 2]))
    return Goal(
        destroy=int("destroy" in kinds),
        hold=tuple(random.sample(labels, k=min(n_own, random.choice([1, 1, 2]))))
        if "hold" in kinds
        else (),
        escape=random.randint(1, n_own) if "escape" in kinds else 0,
        exits=tuple(random.sample(labels, k=random.choice([1, 2]))) if "escape" in kinds else (),
    )


def random_game(random: Random, picks: Mapping[str, str] = {}) -> Case:
    """A small map on which units move."""
    columns, rows = random.choice([(2, 2), (3, 1), (3, 2), (2, 3), (4, 1)])
    labels = labels_of(columns, rows)
    missing = random.sample(labels, k=int(len(labels) == 6 and random.random() < 0.4))
    labels = [label for label in labels if label not in missing]
    n_one, n_other = random.choice([(1, 1), (2, 1), (1, 2)])
    places = random.sample(labels, k=n_one + n_other)
    units = [Placed(unit=random_unit(random), hex=label) for label in places]
    ground = [
        Ground(hex=label, terrain=random.choice([WOODS, HILL, MUD]))
        for label in labels
        if random.random() < 0.3
    ]
    goals = [
        random_goal(random, labels, n_own) if random.random() < 0.5 else None
        for n_own in (n_one, n_other)
    ]
    scenario = Scenario(
        columns=columns,
        rows=rows,
        missing=tuple(missing),
        layout=random.choice(LAYOUTS),
        hexes=tuple(ground),
        one=tuple(units[:n_one]),
        other=tuple(units[n_one:]),
        one_wins=goals[0],
        other_wins=goals[1],
        at_the_end=random.choice(["draw", "draw", "one", "other"]),
        activations=random.choice([1, 2]),
        other_activations=random.choice([0, 0, 1, 2]),
        starts=random.choice(["one", "other"]),
        rounds=random.choice([1, 2]) if columns * rows < 6 else 1,
    )
    return Case(scenario, random_picks(random) | dict(picks))


def random_shooting(random: Random, picks: Mapping[str, str] = {}, n_ground: int = 10) -> Case:
    """A larger map on which nobody moves, and much is in the way.

    Two foes stand so that the line between them runs along two edges.
    """
    columns, rows, foes = 5, 4, ["0100", "0402"]
    others = [label for label in labels_of(columns, rows) if label not in foes]
    labels = [foes[0], foes[1], *random.sample(others, k=2 + n_ground)]
    units = [
        Placed(unit=replace(random_unit(random), move=0, range_hexes=6), hex=label)
        for label in labels[:4]
    ]
    scenario = Scenario(
        columns=columns,
        rows=rows,
        hexes=tuple(
            Ground(hex=label, terrain=random.choice([WOODS, HILL])) for label in labels[4:]
        ),
        one=tuple(units[:1] + units[2:3]),
        other=tuple(units[1:2] + units[3:4]),
        rounds=1,
    )
    return Case(scenario, random_picks(random) | dict(picks))


def labels_of(columns: int, rows: int) -> list[str]:
    return [f"{column:02}{row:02}" for column in range(columns) for row in range(rows)]


@pytest.mark.parametrize("seed", range(8))
def test_gb43_random_games_are_worth_what_brute_force_says(seed: int) -> None:
    random = Random(seed)
    for _ in range(3):
        case = random_game(random)
        assert case.value() == case.wanted(), case


@pytest.mark.parametrize("seed", range(8))
def test_gb67_random_shootings_are_worth_what_brute_force_says(seed: int) -> None:
    random = Random(100 + seed)
    for _ in range(3):
        case = random_shooting(random)
        assert case.value() == case.wanted(), case


def test_gb6_gb62_a_shot_back_has_its_own_line_of_sight() -> None:
    """Where only enemies are in the way, one may see the other and not be seen."""
    random, picks = Random(11), {"battle_back": "able", "in_the_way": "enemies"}
    for _ in range(8):
        case = random_shooting(random, picks, n_ground=2)
        assert case.value() == case.wanted(), case


@pytest.mark.parametrize(("ruling", "reading"), ONE_BY_ONE)
def test_every_reading_is_that_of_brute_force_and_makes_a_difference(
    ruling: str, reading: str
) -> None:
    made = random_shooting if ruling in {"edges", "in_the_way"} else random_game
    random = Random(f"{ruling} {reading} is felt")
    for n in range(200):
        case = made(random, {ruling: reading})
        if n < SKIPPED.get((ruling, reading), 0):
            continue
        default = {name: pick for name, pick in case.picks.items() if name != ruling}
        if case.wanted() != case._replace(picks=default).wanted():
            assert case.value() == case.wanted(), case
            return
    pytest.fail(f"{ruling}={reading} never mattered")
