"""The rule of thumb for a turn on the map: positions where everybody knows what is sensible."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from affray.app.play import PlayedGame
from affray.app.sources import Table
from affray.core.node import At, Choice, Facts, Option
from affray.engine.advice.search import Search, guides_for
from affray.engine.budget import Budget
from affray.engine.exchange.best import objective_named
from affray.engine.exchange.game import Game, liked


def game_of(one: Mapping[str, str], other: Mapping[str, str], **more: object) -> Game:
    """A game on a plain map of six by three hexes, a unit a turn, `one` begins."""
    army = {
        side: [{"unit": unit, "hex": hex_} for unit, hex_ in units.items()]
        for side, units in (("one", one), ("other", other))
    }
    scenario = {
        "columns": 6, "rows": 3, "activations": 1, "starts": "one", "destroy": 1, "rounds": 4,
        **army, **more,
    }  # fmt: skip
    return PlayedGame.begin("grid-battles", Table({"scenario": scenario}, "a meeting")).loaded.game


def best(game: Game, *taken: str) -> tuple[str, str]:
    """The step at which somebody decides after these options, and what is liked best there."""
    at, choice = _resting(game.start)
    for name in taken:
        option = choice.named(name)
        assert option is not None
        at, choice = _resting(option.at)
    return at.step.name, liked(game, at, choice)[0].name


def _resting(at: At[Facts]) -> tuple[At[Facts], Choice[Facts]]:
    while True:
        node = at.step.rule(at.facts)
        if isinstance(node, Choice):
            return at, node
        at = node.at  # type: ignore[union-attr]  # no dice are rolled before the first attack


def test_a_shot_that_nobody_answers_is_taken() -> None:
    """An archer two hexes from a knight: no Battle Back, so it costs nothing."""
    game = game_of({"archer": "0001"}, {"knight": "0201"})
    assert best(game, "stay") == ("choose_attack", "archer-on-knight")


def test_a_unit_that_reaches_nobody_closes_in() -> None:
    """A maceman five hexes from an archer, who shoots four: nearer, whatever the way."""
    step, name = best(game_of({"maceman": "0001"}, {"pikeman": "0501"}))
    assert step == "move"
    assert name.startswith("02"), "two hexes of five"


def test_a_wounded_unit_keeps_away_from_one_that_removes_it() -> None:
    """A pikeman with 1 health, five hexes from a knight who moves three: it stays out of reach."""
    weak = {"like": "pikeman", "health": 1}
    scenario = {
        "columns": 6, "rows": 3, "activations": 1, "starts": "one", "destroy": 1, "rounds": 9,
        "one": [{"unit": weak, "hex": "0001"}], "other": [{"unit": "knight", "hex": "0501"}],
    }  # fmt: skip
    game = PlayedGame.begin("grid-battles", Table({"scenario": scenario}, "a meeting")).loaded.game
    step, name = best(game)
    assert (step, name) == ("move", "stay")


def test_a_unit_that_wins_by_leaving_leaves() -> None:
    game = game_of(
        {"knight": "0001"}, {"archer": "0501"}, one_wins={"escape": 1, "exits": ["0001"]},
        other_wins={"destroy": 1}, destroy=0,
    )  # fmt: skip
    assert best(game) == ("move", "leave")


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("places", [1, 200])
def test_the_computer_takes_the_free_shot_however_little_it_looks(places: int, seed: int) -> None:
    """On a map that is too large to be solved; it says when that was the rule of thumb."""
    game = game_of({"archer": "0001", "pikeman": "0000"}, {"knight": "0201", "maceman": "0500"})
    at, choice = _resting(game.start)
    for name in ("archer", "stay"):
        option = choice.named(name)
        assert isinstance(option, Option)
        at, choice = _resting(option.at)
    goal = objective_named(game.system, "win", game.start)
    search = Search(game, goal, seed=seed, guides=guides_for(game, goal), small=0)
    taken, by = search.taken(at, budget=Budget(places=places))
    assert taken == "archer-on-knight"
    assert by in {"look-ahead", "rule of thumb"}
