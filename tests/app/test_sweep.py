"""Sweeps: the odds while one or two numbers or rulings are varied."""

from __future__ import annotations

import csv
import io
import json

import pytest
from jsonschema import Draft202012Validator

from affray.app.inputs.intake import InputError
from affray.app.odds import ask_odds
from affray.app.play import PlayedGame
from affray.app.sources import Changes, Shipped, Table
from affray.app.sweep import MOST_CELLS, ask_sweep
from affray.app.views.csv_tables import to_csv
from affray.app.views.envelope import to_json
from affray.app.views.schemas import schema_of
from affray.app.views.sweeps import SweepView, SweptAxis
from affray.core.errors import LimitError, SetupError, UnknownNameError
from affray.engine.budget import Budget, Progress

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


FRAY = SweptAxis("defender.fray", (30, 60))
TIES = SweptAxis("rulings.ties", ("miss", "higher_skill"))


def changed_by_hand(guns: int, fray: int) -> Table:
    """The shipped setup with two other numbers."""
    shipped = PlayedGame.begin("eclipse-phase", JINX).loaded.raw
    attacker, defender = shipped["attacker"], shipped["defender"]
    assert isinstance(attacker, dict)
    assert isinstance(defender, dict)
    return Table(
        {**shipped, "attacker": {**attacker, "guns": guns}, "defender": {**defender, "fray": fray}}
    )


def test_each_pair_of_numbers_is_priced_as_by_itself() -> None:
    view = ask_sweep("eclipse-phase", JINX, "attacker.guns", (10, 40), across=FRAY, field="hit")
    pairs = [(10, 30), (10, 60), (40, 30), (40, 60)]
    assert [(row.at, row.across) for row in view.values] == pairs
    for row, pair in zip(view.values, pairs, strict=True):
        assert row.rows == ask_odds("eclipse-phase", changed_by_hand(*pair), ["hit"]).rows
    assert [axis.path for axis in view.axes] == ["attacker.guns", "defender.fray"]


def test_a_number_and_a_ruling_are_priced_as_by_themselves() -> None:
    view = ask_sweep("eclipse-phase", JINX, "defender.fray", (60,), across=TIES, field="net")
    changed = changed_by_hand(70, 60)
    for row in view.values:
        rulings = Changes(rulings={"ties": str(row.across)})
        expected = ask_odds("eclipse-phase", changed, ["net"], changes=rulings)
        assert row.rows == expected.rows
    assert view.values[0].rows != view.values[1].rows


def test_a_ruling_alone_takes_all_its_readings() -> None:
    view = ask_sweep("eclipse-phase", JINX, "rulings.critical_doubles", field="net")
    assert [row.at for row in view.values] == ["total", "dice", "weapon"]
    for row in view.values:
        rulings = Changes(rulings={"critical_doubles": str(row.at)})
        assert row.rows == ask_odds("eclipse-phase", JINX, ["net"], changes=rulings).rows
    assert len({row.rows for row in view.values}) == 3


def test_a_varied_ruling_beats_what_else_is_said_of_it() -> None:
    said = Changes(rulings={"critical_doubles": "weapon"})
    varied = "rulings.critical_doubles"
    view = ask_sweep("eclipse-phase", JINX, varied, ("total",), field="net", changes=said)
    assert view.values[0].rows == ask_odds("eclipse-phase", JINX, ["net"]).rows


def test_a_ruling_or_a_reading_that_nobody_knows_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="'tie'"):
        ask_sweep("eclipse-phase", JINX, "rulings.tie")
    with pytest.raises(ValueError, match="'hits'"):
        ask_sweep("eclipse-phase", JINX, "rulings.ties", ("hits",))


def test_too_many_pairs_are_refused_in_one_message() -> None:
    across = SweptAxis("defender.fray", tuple(range(15)))
    with pytest.raises(SetupError, match=rf"14 x 15 values; allowed: 1 to {MOST_CELLS} in all"):
        ask_sweep("eclipse-phase", JINX, "attacker.guns", range(14), across=across)


def test_one_number_is_not_varied_twice() -> None:
    with pytest.raises(SetupError, match=r"defender\.fray is varied twice"):
        ask_sweep("eclipse-phase", JINX, "defender.fray", (1, 2), across=FRAY)


def test_pairs_are_rows_of_the_table() -> None:
    view = ask_sweep("eclipse-phase", JINX, "attacker.guns", (10, 40), across=FRAY, field="hit")
    rows = list(csv.DictReader(io.StringIO(to_csv(view))))
    odds = ask_odds("eclipse-phase", changed_by_hand(40, 60), ["hit"])
    (chance,) = (float(one.exactly) for one in odds.rows if one.value is True)
    found = [row for row in rows if (row["table"], row["item"], row["side"]) == (
        "odds at defender.fray=60", "40", "yes")]  # fmt: skip
    assert [float(row["value"]) for row in found] == [chance]


def test_what_is_priced_can_be_seen_before_the_rest() -> None:
    """Whoever looks after a value sees this one, marked as a part."""
    parts: list[SweepView] = []

    def seen(progress: Progress) -> None:
        if progress.found is not None:
            view = progress.found()
            assert isinstance(view, SweepView)
            parts.append(view)

    whole = ask_sweep(
        "eclipse-phase", JINX, "attacker.guns", tuple(range(10, 90)), across=FRAY, field="hit",
        budget=Budget(progress=seen),
    )  # fmt: skip
    assert parts
    for part in parts:
        assert part.partial
        assert part.values == whole.values[: len(part.values)]
        assert 0 < len(part.values) < len(whole.values)
    assert not whole.partial


def test_a_sweep_of_two_fits_its_schema() -> None:
    view = ask_sweep("eclipse-phase", JINX, "attacker.guns", (10, 20), across=TIES, field="hit")
    Draft202012Validator(schema_of(SweepView)).validate(json.loads(json.dumps(to_json(view))))
