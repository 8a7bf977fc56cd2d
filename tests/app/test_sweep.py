"""Sweeps: the odds for each of several values of one number."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from affray.app.inputs.intake import InputError
from affray.app.odds import ask_odds
from affray.app.play import PlayedGame
from affray.app.sources import Shipped, Table
from affray.app.sweep import ask_sweep
from affray.app.views.envelope import to_json
from affray.app.views.schemas import schema_of
from affray.app.views.sweeps import SweepView
from affray.core.errors import LimitError, SetupError, UnknownNameError
from affray.engine.budget import Budget

JINX = Shipped("jinx-shoots")


def test_each_value_is_priced_as_by_itself() -> None:
    view = ask_sweep("eclipse-phase", JINX, "attacker.guns", (10, 20), field="hit")
    assert [row.at for row in view.values] == [10, 20]
    shipped = PlayedGame.begin("eclipse-phase", JINX).loaded.raw
    for row in view.values:
        attacker = shipped["attacker"]
        assert isinstance(attacker, dict)
        table = Table({**shipped, "attacker": {**attacker, "guns": row.at}})
        assert row.rows == ask_odds("eclipse-phase", table, ["hit"]).rows
    assert (view.field, view.partial) == ("hit", False)


def test_a_value_that_is_refused_says_why() -> None:
    view = ask_sweep("eclipse-phase", JINX, "attacker.guns", (-5, 20), field="hit")
    assert [(bool(row.rows), "-5" in row.refused) for row in view.values] == [
        (False, True), (True, False)
    ]  # fmt: skip


def test_where_every_value_is_refused_so_is_the_sweep() -> None:
    with pytest.raises(InputError, match="-5"):
        ask_sweep("eclipse-phase", JINX, "attacker.guns", (-5, -6))


def test_a_path_that_leads_nowhere_is_refused() -> None:
    with pytest.raises(InputError, match=r"nothing is at 'nobody'") as caught:
        ask_sweep("eclipse-phase", JINX, "nobody.guns", (1,))
    assert caught.value.faults[0].where == "/nobody"


def test_a_key_that_nobody_knows_is_refused() -> None:
    with pytest.raises(InputError, match="nonsense"):
        ask_sweep("eclipse-phase", JINX, "attacker.nonsense", (1,))


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="'hat'"):
        ask_sweep("eclipse-phase", JINX, "attacker.guns", (10,), field="hat")


def test_no_values_are_no_sweep() -> None:
    with pytest.raises(SetupError, match="0 values"):
        ask_sweep("eclipse-phase", JINX, "attacker.guns", ())


def test_a_saved_game_is_not_swept() -> None:
    saved = PlayedGame.begin("eclipse-phase", JINX).saved
    with pytest.raises(SetupError, match="saved game"):
        ask_sweep("eclipse-phase", Table(saved), "setup.attacker.guns", (10,))


def test_without_time_there_is_no_sweep() -> None:
    with pytest.raises(LimitError):
        ask_sweep("eclipse-phase", JINX, "attacker.guns", (10,), budget=Budget(stop=lambda: True))


def test_a_sweep_fits_its_schema() -> None:
    view = ask_sweep("eclipse-phase", JINX, "attacker.guns", (-5, 20), field="hit")
    Draft202012Validator(schema_of(SweepView)).validate(json.loads(json.dumps(to_json(view))))
