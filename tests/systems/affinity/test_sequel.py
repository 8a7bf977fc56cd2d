"""The setup after an action: Hit Dice, layers, Resolve, exertion, allies, distance."""

from __future__ import annotations

from typing import Any

import pytest

from affray.app.inputs.setups import load
from affray.app.next_setup import next_setup, next_sheet
from affray.core.errors import SetupError
from affray.core.ruling import Rulings
from affray.systems.affinity.numbers import condition_of
from affray.systems.affinity.sequel import after
from affray.systems.affinity.sheet import Setup
from affray.systems.affinity.state import Exchange
from affray.testing.material import ended

SWORD = {"name": "sword", "weapon": "light", "type": "slashing"}
LAYERS = [
    {"kind": "magical", "die": 10, "dice": 2, "temp_hd": 9}, {"kind": "shield", "dice": 1,
     "temp_hd": 4}, {"kind": "armor", "dice": 3, "temp_hd": 11},
]  # fmt: skip
PAIR: dict[str, Any] = {
    "attacker": {"name": "A", "level": 6, "actions": [SWORD]},
    "defender": {"name": "D", "level": 6, "hd": 6, "hd_max": 9, "layers": LAYERS},
    "distance_yd": 1,
}
READINGS = [
    {}, {"overwhelm": "per_die"}, {"temp_hd": "absorb"}, {"shield": "armor"},
    {"shield": "armor", "overwhelm": "per_die"}, {"shield": "armor", "temp_hd": "absorb"},
    {"magical_order": "oldest"},
]  # fmt: skip


@pytest.mark.parametrize("rulings", READINGS, ids=str)
@pytest.mark.parametrize("strong", [False, True])
def test_af27_layers_that_gave_way_are_gone_from_the_sheet(
    rulings: dict[str, str], strong: bool
) -> None:
    """Whatever is left of the layers stands on the sheet, under each reading."""
    blow = {**SWORD, "base": 12} if strong else SWORD
    raw = {**PAIR, "attacker": {**PAIR["attacker"], "actions": [blow]}}
    loaded = load("affinity", raw, rulings=rulings)
    stripped = 0
    for seed in range(25):
        session = ended(loaded.game, seed)
        found = next_sheet(loaded, session)
        outcome = session.outcome
        assert isinstance(found, Setup)
        assert isinstance(outcome, Exchange)
        there = condition_of(found.defender, loaded.readings).layers
        assert there == outcome.covers
        stripped += there != outcome.terms.struck.layers
        assert len(found.defender.layers) == len(LAYERS)
    assert stripped or not strong


def test_af28_lost_hit_dice_last_and_the_track_stays() -> None:
    bare = {**PAIR["defender"], "layers": []}
    loaded = load("affinity", {**PAIR, "defender": bare})
    for seed in range(10):
        session = ended(loaded.game, seed)
        found = next_sheet(loaded, session)
        assert isinstance(found, Setup)
        assert found.defender.hd == session.result["hd"]
        assert found.defender.hd_max == 9
        assert (found.attacker.hd or 0) == (session.result["own_hd"] if found.attacker.hd else 0)


def test_af62_the_turn_goes_on_with_the_action_that_is_left() -> None:
    """Two actions in a turn: the second one is played, a third is refused."""
    loaded = load("affinity", PAIR)
    once = next_setup(loaded, ended(loaded.game, 3))
    assert not once.refused
    again = load("affinity", once.table)
    assert isinstance(again.setup, Setup)
    assert again.setup.attacker.actions_left == 1
    twice = next_setup(again, ended(again.game, 3))
    assert "action" in twice.refused


def test_af39_a_repair_makes_armor_whole_and_is_over() -> None:
    broken = [{**layer, "intact": False} for layer in LAYERS]
    raw = {**PAIR, "act": "repair", "defender": {**PAIR["defender"], "layers": broken}}
    loaded = load("affinity", raw)
    found = next_sheet(loaded, ended(loaded.game, 1))
    assert isinstance(found, Setup)
    assert [layer.intact for layer in found.defender.layers] == [False, True, True]
    assert found.act == "turn"


def test_af80_a_repair_in_a_fight_lasts() -> None:
    loaded = load("affinity", "repair-where-allowed")
    plays = [ended(loaded.game, seed) for seed in range(60)]
    for play in plays:
        found = next_sheet(loaded, play)
        assert isinstance(found, Setup)
        assert [layer.intact for layer in found.attacker.layers] == [play.result["mended"]]
    assert any(play.result["mended"] for play in plays)


def test_af41_allies_who_intervened_have_paid_for_it() -> None:
    friend = {"name": "F", "level": 6, "hd": 6, "hd_max": 9}
    loaded = load("affinity", {**PAIR, "allies": [{"combatant": friend}]})
    paid = 0
    for seed in range(40):
        session = ended(loaded.game, seed)
        found = next_sheet(loaded, session)
        assert isinstance(found, Setup)
        left = found.allies[0].combatant
        assert 6 - (left.hd or 0) == session.result["ally_burn"]
        if session.result["helped"]:
            paid += 1
            assert left.actions_left == 1
    assert paid


@pytest.mark.parametrize(("yards", "act"), [(6, "close"), (5, "turn")])
def test_af78_one_who_has_come_within_five_yards_no_longer_closes_in(yards: int, act: str) -> None:
    start = load("affinity", {**PAIR, "act": "close", "distance_yd": 30}).game.start.facts
    assert isinstance(start, Exchange)
    setup = start.terms.setup
    end = Exchange(start.terms, way=1, moved=setup.distance_yd - yards)
    following = after(setup, [end], Rulings())
    assert (following.act, following.distance_yd) == (act, yards)


def test_af72_a_hazard_has_come_and_its_push_lasts() -> None:
    raw = {**PAIR, "hazard": {"damage": 2, "name": "gust", "moves_yd": 4}}
    loaded = load("affinity", raw)
    found = next_sheet(loaded, ended(loaded.game, 1))
    assert isinstance(found, Setup)
    assert (found.hazard, found.distance_yd) == (None, 5)


def test_nothing_follows_before_the_end() -> None:
    from affray.engine.exchange.session import Session

    loaded = load("affinity", PAIR)
    with pytest.raises(SetupError, match="the exchange is not over"):
        next_setup(loaded, Session(loaded.game))
