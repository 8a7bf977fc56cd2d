"""The oracle of whole games of Grid Battles: against the worked examples and counts by hand."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from tests.vectors import Vector, roster_of, vectors_of, written_out

from .grid_battles import DICE, Die, Rulings, Unit
from .grid_games import (
    FIELD,
    Army,
    Counter,
    Game,
    GameRulings,
    Hex,
    Land,
    Wish,
    activations,
    best_value,
    fresh,
    met,
    moves,
    sees,
    steps_apart,
)

F = Fraction
SURE: Die = ("d",) * 6
COIN: Die = ("d", "d", "d", "-", "-", "-")
WOODS = Land(blocks=True, cost=2, hampers=True)


BATTLE = Wish(destroy=1), Wish(destroy=1)


def row(n: int) -> dict[Hex, Land]:
    """Hexes in a row."""
    return {(q, 0): FIELD for q in range(n)}


def fighter(die: Die = COIN, health: int = 1, reach: int = 1) -> Unit:
    return Unit(health, (die,), (), reach=reach)


def game(*armies: Army, n: int = 4, activations: int = 1, last_round: int = 1) -> Game:
    return Game(row(n), armies, (activations, activations), BATTLE, last_round=last_round)


def counters(made: Game) -> tuple[Counter | None, ...]:
    return tuple(Counter(army.hex, army.unit.health) for army in made.armies)


# ------------------------------------------------------------------ sight


def hexes(text: str) -> set[Hex]:
    found = set()
    for pair in text.split():
        q, r = pair.split(",")
        found.add((int(q), int(r)))
    return found


@pytest.mark.parametrize(
    ("target", "crossed", "left", "right"),
    [
        ((1, 0), "", "", ""),
        ((3, 0), "1,0 2,0", "", ""),
        ((2, 1), "1,0 1,1", "", ""),
        ((3, 1), "1,0 1,1 2,0 2,1", "", ""),
        ((1, 1), "", "0,1", "1,0"),
        ((2, 2), "1,1", "0,1 1,2", "1,0 2,1"),
        ((2, -1), "", "1,0", "1,-1"),
        ((4, -2), "2,-1", "1,0 3,-1", "1,-1 3,-2"),
        ((4, 1), "1,0 2,0 2,1 3,1", "1,1", "3,0"),
    ],
)
def test_gb_lines_of_the_vectors(target: Hex, crossed: str, left: str, right: str) -> None:
    assert met((0, 0), target, 0) == hexes(crossed)
    assert met((0, 0), target, 1) == hexes(crossed) | hexes(left)
    assert met((0, 0), target, -1) == hexes(crossed) | hexes(right)


@pytest.mark.parametrize(
    ("target", "woods", "units", "line", "edges"),
    [
        ((3, 0), "1,0", "", False, False),
        ((3, 0), "", "2,0", False, False),
        ((3, 0), "3,0", "", True, True),
        ((3, 0), "0,0", "", True, True),
        ((1, 1), "1,0", "", True, True),
        ((1, 1), "1,0", "0,1", False, False),
        ((2, 2), "1,1", "", False, False),
        ((2, 2), "0,1 2,1", "", False, True),
        ((4, 1), "1,1", "", True, True),
        ((4, 1), "1,1 3,0", "", False, True),
    ],
)
def test_gb_sight_of_the_vectors(
    target: Hex, woods: str, units: str, line: bool, edges: bool
) -> None:
    bow = fighter(reach=9)
    land = {(q, r): FIELD for q in range(6) for r in range(4)}
    land |= dict.fromkeys(hexes(woods), WOODS)
    others = [Army(0, bow, 0, hex_) for hex_ in hexes(units)]
    armies = (Army(0, bow, 0, (0, 0)), Army(1, bow, 0, target), *others)
    made = Game(land, armies, (1, 1), BATTLE, 1)
    by_edges = replace(made, rulings=GameRulings(edge_by_edge=True))
    for pair in ((0, 1), (1, 0)):
        assert sees(made, counters(made), *pair) is line
        assert sees(by_edges, counters(made), *pair) is edges


# ------------------------------------------------------------------ vectors

VECTORS = vectors_of("grid-battles")
IN_SIGHT = {"sight-open", "sight-onto-hill", "sight-along-an-edge"}
OUT_OF_SIGHT = {"sight-woods", "sight-whole-hexes"}
DECIDED = {"held-hex", "both-hold", "one-condition-or-all", "last-step"}
KNOWN = {
    "columns", "rows", "rounds", "hexes", "one", "other", "one_wins", "other_wins", "at_the_end",
}  # fmt: skip


def hex_of(label: str) -> Hex:
    """Every other row lies half a hex to the right."""
    along, line = int(label[:2]), int(label[2:])
    return along - line // 2, line


def army_of(side: int, placed: Mapping[str, Any]) -> Army:
    sheet = written_out(placed["unit"], roster_of("grid-battles", "units"))
    unit = Unit(
        sheet["health"], tuple(DICE[one] for one in sheet["attack"]),
        tuple(DICE[one] for one in sheet["defence"]), sheet["name"], tuple(sheet["kinds"]),
        frozenset(sheet.get("advantage_over", ())), sheet.get("range_hexes", 1),
    )  # fmt: skip
    return Army(side, unit, sheet["move"], hex_of(placed["hex"]))


def wish_of(wins: Mapping[str, Any]) -> Wish:
    def places(labels: Iterable[str]) -> frozenset[Hex]:
        return frozenset(map(hex_of, labels))

    assert wins.keys() <= {"destroy", "hold", "escape", "exits"}
    return Wish(
        wins.get("destroy", 0), places(wins.get("hold", ())), wins.get("escape", 0),
        places(wins.get("exits", ())),
    )  # fmt: skip


def game_of(vector: Vector) -> Game:
    """The game of a vector; what grows on a hex may be in the way, and gives nothing here."""
    made = vector.setup["scenario"]
    assert made.keys() <= KNOWN
    assert not vector.rulings
    land = {
        hex_of(f"{along:02}{line:02}"): FIELD
        for along in range(made["columns"])
        for line in range(made["rows"])
    }
    for one in made.get("hexes", ()):
        terrain = roster_of("grid-battles", "terrain")[one["terrain"]]
        land[hex_of(one["hex"])] = Land(blocks=terrain["blocks"])
    armies = [army_of(i, one) for i, side in enumerate(("one", "other")) for one in made[side]]
    wishes = [wish_of(made.get(f"{side}_wins", {"destroy": 1})) for side in ("one", "other")]
    end = {"one": F(1), "other": F(0), "draw": F(1, 2)}[made.get("at_the_end", "draw")]
    return Game(land, tuple(armies), (1, 1), (wishes[0], wishes[1]), made["rounds"], end=end)


def test_gb_all_sights_of_the_book_are_told() -> None:
    told = {id_ for name in IN_SIGHT | OUT_OF_SIGHT for id_ in VECTORS[name].ids}
    assert told == {"S-5", "S-6", "S-7", "S-8", "S-9"}


@pytest.mark.parametrize("name", sorted(IN_SIGHT | OUT_OF_SIGHT))
def test_gb_sight_of_the_examples(name: str) -> None:
    made = game_of(VECTORS[name])
    assert sees(made, counters(made), 0, 1) is (name in IN_SIGHT)
    refused = VECTORS[name].expect.get("refused")
    assert refused == (None if name in IN_SIGHT else "no Line of Sight")


@pytest.mark.parametrize("name", sorted(DECIDED))
def test_gb_ends_of_the_examples(name: str) -> None:
    """A draw counts half."""
    winner = VECTORS[name].odds["winner"]
    wanted = F(winner.get("one", 0)) + F(winner.get("draw", 0)) / 2
    made = game_of(VECTORS[name])
    assert best_value(made) == wanted


# ------------------------------------------------------------------ turns and moves


def test_gb_v40_as_many_as_there_are() -> None:
    made = game(Army(0, fighter(), 0, (0, 0)), Army(0, fighter(), 0, (1, 0)), activations=3)
    assert list(activations(made, counters(made), 0)) == [(0, 1)]
    some = replace(made, rulings=GameRulings(up_to=True))
    assert list(activations(some, counters(made), 0)) == [(0,), (1,), (0, 1)]


def test_gb_v44_nobody_passes_through_a_unit() -> None:
    made = game(Army(0, fighter(), 3, (0, 0)), Army(0, fighter(), 0, (1, 0)))
    assert moves(made, counters(made), 0) == {(0, 0)}
    wide = replace(made, land={**row(4), (0, 1): FIELD, (1, 1): FIELD})
    assert moves(wide, counters(made), 0) == {(0, 0), (0, 1), (1, 1), (2, 0)}


def test_gb_v46_movement_points() -> None:
    made = game(Army(0, fighter(), 4, (0, 0)), n=9)
    assert moves(made, counters(made), 0) == {(q, 0) for q in range(5)}
    slow = replace(made, land={**made.land, (2, 0): WOODS})
    assert moves(slow, counters(made), 0) == {(q, 0) for q in range(4)}
    even = replace(slow, rulings=GameRulings(terrain_costs=False))
    assert moves(even, counters(made), 0) == {(q, 0) for q in range(5)}


def test_gb_a19_control_ends_a_move() -> None:
    made = game(Army(0, fighter(), 4, (0, 0)), Army(1, fighter(), 0, (2, 1)), n=5)
    held = replace(made, rulings=GameRulings(control=True))
    assert moves(made, counters(made), 0) == {(q, 0) for q in range(5)}
    # (2, 0) and (3, 0) lie next to the enemy.
    assert moves(held, counters(made), 0) == {(0, 0), (1, 0), (2, 0)}


def test_gb_steps_apart() -> None:
    assert [steps_apart((0, 0), to) for to in ((0, 0), (1, -1), (2, 1), (-3, 1))] == [0, 1, 3, 3]


# ------------------------------------------------------------------ values by hand


def test_gb_a_coin_and_its_answer() -> None:
    """1/2 at once; 1/4 lost in Battle Back; 1/4 that the other's turn decides the same way."""
    made = game(Army(0, fighter(), 0, (0, 0)), Army(1, fighter(), 0, (1, 0)))
    assert fresh(made, counters(made), 1) == (1,)
    # The other gains by attacking: 1/2 against 1/4. The rest is a draw.
    assert best_value(made) == F(1, 2) + F(1, 4) * (F(1, 4) * 1 + F(1, 4) * F(1, 2))


def test_gb_who_would_lose_does_not_attack() -> None:
    """The enemy never misses; who cannot hurt it does well to step out of its reach."""
    blank: Die = ("-",) * 6
    made = game(Army(0, fighter(blank), 0, (0, 0)), Army(1, fighter(blank), 0, (1, 0)))
    assert best_value(made) == F(1, 2)
    killer = game(Army(0, fighter(blank), 1, (1, 0)), Army(1, fighter(SURE), 0, (2, 0)))
    assert best_value(killer) == F(1, 2)  # it steps out of reach
    assert best_value(replace(killer, land={(1, 0): FIELD, (2, 0): FIELD})) == 0


def test_gb_v43_v29_one_attack_each_and_the_game_ends_with_the_goal() -> None:
    """Two enemies, one to be destroyed: one coin; theirs don't reach, so the rest is a draw."""
    bow = fighter(reach=3)
    made = game(
        Army(0, bow, 0, (0, 0)),
        Army(1, fighter(), 0, (2, 0)),
        Army(1, fighter(), 0, (3, 0)),
    )
    assert best_value(made) == F(1, 2) + F(1, 2) * F(1, 2)


def test_gb_v41_a_player_without_fresh_units_passes() -> None:
    """One bow against two: theirs shoot in turn, after the first has had its only shot."""
    bow = fighter(reach=9)
    made = game(Army(0, bow, 0, (0, 0)), Army(1, bow, 0, (3, 0)), Army(1, bow, 0, (2, 1)), n=4)
    made = replace(made, land={**made.land, (2, 1): FIELD})
    assert best_value(made) == F(1, 2) + F(1, 2) * (F(1, 4) * F(1, 2))
    ends = replace(made, rulings=GameRulings(no_fresh="ends"))
    # After their first shot nobody passes: the round ends, and with it the game.
    assert best_value(ends) == F(1, 2) + F(1, 2) * (F(1, 2) * F(1, 2))


def test_gb_a15_who_starts_the_next_round() -> None:
    """A coin each turn, in the order 0 1 0 1 or 0 1 1 0; then it is a draw."""
    bow = fighter(reach=3)
    made = game(Army(0, bow, 0, (0, 0)), Army(1, bow, 0, (3, 0)), last_round=2)
    turns = replace(made, rulings=GameRulings(next_round="alternates"))
    same = replace(turns, starts=1, rulings=GameRulings(next_round="same"))
    assert best_value(made) == F(1, 2) + F(1, 8) + F(1, 16) * F(1, 2)
    assert best_value(turns) == F(1, 2) + F(1, 16) + F(1, 16) * F(1, 2)
    assert best_value(same) == 1 - best_value(made)


def test_gb_a19_hampered_units_wait() -> None:
    made = game(Army(0, fighter(SURE), 2, (0, 0)), Army(1, fighter(SURE), 0, (2, 0)))
    made = replace(made, land={**made.land, (1, 0): WOODS})
    assert best_value(made) == 1
    waits = replace(made, rulings=GameRulings(hampered_wait=True))
    assert best_value(waits) == F(1, 2)  # it stays away


def test_gb_escape_takes_a_point_more_or_not() -> None:
    """Three steps to the exit, and one to leave the map; the other one can't come near."""
    flees = Wish(escape=1, exits=frozenset({(3, 0)}))
    for points, cost, value in ((4, 1, F(1)), (3, 1, F(1, 2)), (3, 0, F(1))):
        runner = Army(0, fighter(), points, (0, 0))
        made = Game(
            {**row(4), (9, 0): FIELD}, (runner, Army(1, fighter(), 0, (9, 0))), (1, 1),
            (flees, Wish(destroy=1)), 1, rulings=GameRulings(exit_cost=cost),  # type: ignore[arg-type]  # 1 or 0
        )  # fmt: skip
        assert best_value(made) == value


def test_gb_a23_a_held_hex_counts_when_the_ruling_says() -> None:
    """A bow that never misses shoots whoever stands there, before the round ends."""
    holds = Wish(hold=frozenset({(1, 0)}))
    armies = Army(0, fighter(), 1, (0, 0)), Army(1, fighter(SURE, reach=3), 0, (3, 0))
    made = Game(row(4), armies, (1, 1), (holds, Wish(destroy=1)), 1)
    assert best_value(made) == 0
    for holding in ("turn", "at_once"):
        assert best_value(replace(made, rulings=GameRulings(holding=holding))) == 1
    unarmed = replace(made, armies=(armies[0], Army(1, fighter(), 0, (3, 0))))
    assert best_value(unarmed) == 1


def test_gb_a18_both_hold_theirs() -> None:
    holds = [Wish(hold=frozenset({hex_})) for hex_ in ((0, 0), (3, 0))]
    armies = Army(0, fighter(), 0, (0, 0)), Army(1, fighter(), 0, (3, 0))
    made = Game(row(4), armies, (1, 1), (holds[0], holds[1]), 1)
    assert best_value(made) == F(1, 2)
    assert best_value(replace(made, rulings=GameRulings(both_win="starts"))) == 1
    second = replace(made, starts=1, rulings=GameRulings(both_win="starts"))
    assert best_value(second) == 0


def test_gb_a22_all_conditions_or_any() -> None:
    """One coin for the enemy, while the own unit stands where it must."""
    both = Wish(destroy=1, hold=frozenset({(0, 0)}))
    bow = fighter(reach=3)
    armies = Army(0, bow, 0, (0, 0)), Army(1, fighter(), 0, (3, 0))
    made = Game(row(4), armies, (1, 1), (both, Wish(destroy=1)), 1)
    assert best_value(made) == 1
    assert best_value(replace(made, rulings=GameRulings(all_conditions=True))) == F(3, 4)


def test_gb_when_rounds_are_over_a_side_may_have_won() -> None:
    made = game(Army(0, fighter(), 0, (0, 0)), Army(1, fighter(), 0, (3, 0)))
    assert best_value(replace(made, end=F(1))) == 1


def test_gb_a2_shots_are_answered_where_ruled_so() -> None:
    """As with the coin and its answer above, or a coin for each."""
    bow = fighter(reach=3)
    made = game(Army(0, bow, 0, (0, 0)), Army(1, bow, 0, (3, 0)))
    able = replace(made, rulings=GameRulings(combat=Rulings(battle_back="able")))
    assert best_value(made) == F(1, 2) + F(1, 4) * F(1, 2)
    assert best_value(able) == F(1, 2) + F(1, 4) * F(3, 8)
