"""The commands that fight to the end: numbers, output, bad input, exit status."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from affray.app.duel import ask_duel
from affray.app.sources import Shipped
from affray.app.views.csv_tables import COLUMNS
from affray.cli.show_fights import show_duel
from affray.engine.fight.duels import exact
from tests.cli.running import affray, asked, rows_of
from tests.scenarios import FIGHTING, SHIPPED

W6 = ["duel", "eclipse-phase", "w6"]


@cache
def duel_of_w6() -> dict[str, Any]:
    """What several tests compare with: worked out once."""
    return asked(*W6)


def shares_of(data: dict[str, Any]) -> list[float]:
    """Everything that a fight can come to."""
    return [*data["won"], data["drawn"], data["ended"], data["endless"], data["stalled"]]


def percents(text: str) -> list[float]:
    """Percentages that stand at the start of lines of the verdict."""
    return [float(found) for found in re.findall(r"^.*? {2,}>?<?([\d.]+) %", text, re.MULTILINE)]


# -- duels -----------------------------------------------------------------------------------


def test_duel_tells_who_wins_when_and_how_it_was_got() -> None:
    done = affray("duel", "eclipse-phase", "w6")
    assert done.returncode == 0
    assert re.search(r"Duellist A +18.34 %", done.stdout)
    assert re.search(r"Duellist B +81.66 %", done.stdout)
    assert "mean 7.2812 rounds; a quarter over by round 4, half over by round 7" in done.stdout
    assert "if Duellist A wins, 23.0563 of 35 points are left" in done.stdout
    assert re.search(r"float64, largest residual 1e-1\d; [\d,]+ states", done.stdout)
    assert "\x1b[" not in done.stdout


def test_duel_says_what_was_spent_and_each_way_to_begin() -> None:
    done = affray("duel", "empty-earth", "ada-bulwark")
    assert re.search(r"Ada: black cubes +3 +3 +0", done.stdout)
    assert re.search(r"Bulwark goes first +50.00 %", done.stdout)
    assert "the Stage ends (EE-52)" in done.stdout


def test_duel_between_roster_names_is_the_shipped_one() -> None:
    named, shipped = (
        asked("duel", "empty-earth", "bo", "husk"),
        asked("duel", "empty-earth", "bo-husk"),
    )
    assert named["won"] == shipped["won"]
    assert named["setup"] == "bo against husk"


def test_first_changes_who_begins() -> None:
    one = asked("duel", "eclipse-phase", "w6", "--first", "one")
    other = asked("duel", "eclipse-phase", "w6", "--first", "other")
    coin = asked("duel", "eclipse-phase", "w6", "--first", "coin")
    assert other["won"][0] < one["won"][0]
    assert coin["won"][0] == pytest.approx((one["won"][0] + other["won"][0]) / 2, abs=1e-12)
    assert [case["name"] for case in coin["cases"]] == [
        "Duellist A goes first", "Duellist B goes first",
    ]  # fmt: skip


def test_a_limit_of_rounds_leaves_some_undecided() -> None:
    data = asked("duel", "eclipse-phase", "w6", "--rounds", "3")
    whole = duel_of_w6()
    assert data["stalled"] == pytest.approx(whole["by_round"][2]["going_on"], abs=1e-12)
    assert data["won"] == pytest.approx(whole["by_round"][2]["won"], abs=1e-12)
    assert len(data["by_round"]) == 3
    assert math.fsum(shares_of(data)) == pytest.approx(1, abs=1e-12)
    done = affray("duel", "eclipse-phase", "w6", "--rounds", "3")
    assert "nobody: called off after round 3  84.98 %" in done.stdout


def test_an_endless_duel_says_so(tmp_path: Path) -> None:
    wall = 'fighters = [{ like = "husk", phys_def = 100 }]\n'
    path = _file(tmp_path, f"[one]\n{wall}\n[other]\n{wall}")
    done = affray("duel", "empty-earth", path)
    assert re.search(r"nobody: it never ends +100 %", done.stdout)
    assert "it can go on forever" in done.stdout
    data = asked("duel", "empty-earth", path)
    assert (data["endless"], data["rounds"], data["left"]) == (1, None, [None, None])


def test_shares_on_the_terminal_add_up_to_a_hundred() -> None:
    done = affray("duel", "empty-earth", "ada-bulwark", "--rounds", "20")
    verdict = done.stdout.split("\n\n")[1]
    assert sum(percents(verdict)) == pytest.approx(100, abs=1e-9)
    assert len(percents(verdict)) == 4


def test_what_is_too_large_for_fractions_is_told_beside_the_floats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exact, "MOST_STATES", 200)
    done = affray(*W6, "--exact")
    assert done.returncode == 0
    assert "18.34 %" in done.stdout
    assert "not in whole fractions" in done.stdout
    assert asked(*W6, "--exact")["exact"] is None


def test_exact_fractions_agree_with_the_floats() -> None:
    data = asked("duel", "empty-earth", "ada-bulwark", "--exact")
    found = data["exact"]
    total = 0.0
    for side in (0, 1):
        assert found["won"][side]["float"] == pytest.approx(data["won"][side], abs=1e-12)
    total = sum(x["float"] for x in (*found["won"], found["drawn"], found["ended"]))
    assert total == pytest.approx(1, abs=1e-15)
    assert found["rounds"]["float"] == pytest.approx(data["rounds"], abs=1e-9)
    done = affray("duel", "empty-earth", "bo-husk", "--exact")
    assert "mean rounds: 20/9" in done.stdout


def test_set_and_settle_reach_both_sides() -> None:
    plain = duel_of_w6()
    open_ = asked("duel", "eclipse-phase", "w6", "--settle", "choose_defence=none")
    assert open_["rounds"] < plain["rounds"]
    for side in open_["sides"]:
        assert side["habits"]["choose_defence"] == ["none"]
    hard = asked("duel", "eclipse-phase", "w6", "--set", "attacker_modifier=-60")
    assert hard["rounds"] > plain["rounds"]


def test_rulings_reach_the_fight() -> None:
    plain = asked("duel", "eclipse-phase", "w6", "--rounds", "2")
    other = asked(
        "duel", "eclipse-phase", "w6", "--rounds", "2", "--ruling", "critical_doubles=dice"
    )
    assert plain["won"] != other["won"]
    assert other["rulings"] == {
        "wound_effects": "modifiers", "turns": "attacks", "critical_doubles": "dice",
        "ammunition": "plenty",
    }  # fmt: skip


def test_policies_of_the_sides_may_differ() -> None:
    data = asked(
        "duel", "empty-earth", "ada-bulwark", "--policy", "first", "--policy-one", "greedy"
    )
    assert [side["policy"] for side in data["sides"]] == ["greedy", "first"]


def test_duel_from_standard_input() -> None:
    sides = {"one": {"fighters": ["bo"]}, "other": {"fighters": ["husk"]}}
    done = affray("duel", "empty-earth", "-", "--json", stdin=json.dumps(sides))
    assert json.loads(done.stdout)["rounds"] == pytest.approx(20 / 9)


def test_csv_of_a_duel_holds_the_numbers_of_its_json(tmp_path: Path) -> None:
    data = asked("duel", "empty-earth", "bo-husk")
    done = affray("duel", "empty-earth", "bo-husk", "--csv", "-")
    rows = rows_of(done.stdout)
    assert tuple(rows[0]) == COLUMNS
    ends = [float(r["value"]) for r in rows if (r["table"], r["measure"]) == ("rounds", "ends")]
    assert ends == [row["ends"] for row in data["by_round"]]
    path = tmp_path / "duel.csv"
    shown = affray("duel", "empty-earth", "bo-husk", "--csv", str(path))
    assert path.read_text() == done.stdout
    assert "mean 2.2222 rounds" in shown.stdout


# -- the schema ------------------------------------------------------------------------------


@pytest.mark.parametrize("system", FIGHTING)
def test_schema_of_fights_names_every_key(system: str) -> None:
    data = asked("schema", system, "--fight")
    made = data["setup"]
    assert {"one", "other", "first", "rounds", "rulings"} <= set(made["properties"])
    assert made["additionalProperties"] is False
    side = made["$defs"]["Side"]["properties"]
    assert {"name", "fighters", "policy", "choose", "targets", "situation"} <= set(side)
    assert "number" in made["$defs"]["Entry"]["properties"]
    assert "attacker" not in made["$defs"]["Situation"]["properties"]


@pytest.mark.parametrize("system", SHIPPED)
def test_systems_lists_fights(system: str) -> None:
    rows = {row["id"]: row for row in asked("systems")["systems"]}
    assert len(rows[system]["fights"]) >= 3


# -- bad input -------------------------------------------------------------------------------


def _file(folder: Path, text: str) -> str:
    path = folder / "fight.toml"
    path.write_text(text)
    return str(path)


ONE = '[one]\nfighters = ["jinx"]\n'
OTHER = '[other]\nfighters = ["duellist_b"]\n'

BAD = {
    "no other side": (ONE, 3, "other: missing; it is required"),
    "unknown key": ("speed = 3\n" + ONE + OTHER, 3, "speed: unknown key."),
    "key of a side": (ONE + 'polcy = "first"\n' + OTHER, 3,
                      "one.polcy: unknown key. Did you mean 'policy'?"),
    "unknown policy": (ONE + 'policy = "best"\n' + OTHER, 3,
                       "one.policy: 'best'; allowed: 'first', 'opening', 'greedy' or 'optimal'"),
    "unknown name": (ONE + '[other]\nfighters = ["jinx", "jynx"]\n', 3,
                     "other.fighters.1: the roster of eclipse-phase has no 'jynx' among its "
                     "fighters. Did you mean 'jinx'?"),
    "wrong number in a sheet": (
        '[one]\nfighters = ["jinx", { like = "corp_guard", damage = -5 }]\n' + OTHER, 3,
        "one.fighters.1.damage: -5; allowed: 0 or more"),
    "unknown key of a sheet": (
        '[one]\nfighters = [{ like = "jinx", gunz = 5 }]\n' + OTHER, 3,
        "one.fighters.0.gunz: unknown key. Did you mean 'guns'?"),
    "wrong count": ('[one]\nfighters = [{ like = "jinx", number = 0 }]\n' + OTHER, 3,
                    "one.fighters.0.number: 0; allowed: 1 to 1000"),
    "nobody": ("[one]\nfighters = []\n" + OTHER, 3, "nobody; at least one must fight"),
    "no list": ('[one]\nfighters = "jinx"\n' + OTHER, 3, "one.fighters: 'jinx'"),
    "situation": (ONE + "situation = { distanse_m = 3 }\n" + OTHER, 3,
                  "one.situation.distanse_m: unknown key. Did you mean 'distance_m'?"),
    "value of a situation": (ONE + 'situation = { distance_m = "far" }\n' + OTHER, 3,
                             "situation.distance_m: 'far'"),
    "fighters in a situation": (ONE + 'situation = { attacker = "jinx" }\n' + OTHER, 3,
                                "one.situation.attacker: unknown key"),
    "unarmed": ('[one]\nfighters = ["crate"]\n' + OTHER, 3, "one: Setup: no weapon is given"),
    "unknown step": (ONE + 'choose = { mode = "semi" }\n' + OTHER, 1,
                     "one.choose: eclipse-phase has no step 'mode' to settle"),
    "no option": (ONE + "choose = { choose_mode = [] }\n" + OTHER, 3,
                  "one.choose.choose_mode: no option"),
    "option that is no text": (ONE + "choose = { choose_mode = 3 }\n" + OTHER, 3,
                               "one.choose.choose_mode: 3"),
    "wrong first": ('first = "me"\n' + ONE + OTHER, 3, "first: 'me'; allowed: 'initiative', 'one'"),
    "rounds": ("rounds = 0\n" + ONE + OTHER, 3, "rounds: 0; allowed: 1 or more"),
    "ruling": (ONE + OTHER + '[rulings]\ntyes = "miss"\n', 2, "Did you mean 'ties'?"),
    "objective": ('objective = "glory"\n' + ONE + OTHER, 2, "no objective"),
    "another system": ('system = "chess"\n' + ONE + OTHER, 3, "this file is for 'chess'"),
    "no toml": ("[one\n", 3, "neither TOML nor JSON"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_bad_fight_gets_one_clear_message(kind: str, tmp_path: Path) -> None:
    text, status, message = BAD[kind]
    done = affray("duel", "eclipse-phase", _file(tmp_path, text), "--policy-other", "first")
    assert message in done.stderr, done.stderr
    assert done.returncode == status
    assert done.stderr.startswith("affray: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["duel", "eclipse-phase", "w66"], 2, "Did you mean 'w6'?"),
        (["duel", "eclipse-phase", "jynx", "jinx"], 2, "Did you mean 'jinx'?"),
        (["duel", "eclipse-phase", "jinx"], 1, "name the other side as well"),
        (["duel", "eclipse-phase", "w8"], 1, "(`affray battle eclipse-phase w8`)"),
        (["duel", "empty-earth", "ada,bo", "husk"], 1, "`affray battle empty-earth ada,bo husk`"),
        (["duel", "eclipse-fase", "w6"], 2, "Did you mean 'eclipse-phase'?"),
        (["duel", "eclipse-phase", "nowhere/fight.toml"], 3, "No such file"),
        ([*W6, "--first", "me"], 2, "no way to go first is called 'me'"),
        ([*W6, "--policy", "best"], 2, "no policy is called 'best'"),
        ([*W6, "--set", "distanse_m=3"], 2, "Did you mean 'distance_m'?"),
        ([*W6, "--set", "distance_m=far"], 3, "situation.distance_m: 'far'"),
        ([*W6, "--set", "distance_m"], 2, "write it as name=value"),
        ([*W6, "--rounds", "0"], 2, "--rounds"),
        ([*W6, "--threshold", "-1"], 2, "--threshold"),
        ([*W6, "--settle", "mode=semi"], 1, "no step 'mode' to settle"),
        ([*W6, "--csv", "-", "--json"], 2, "both print on stdout"),
        ([*W6, "--csv", "no/where.csv"], 3, "can't be written"),
        (["duel", "empty-earth", "bo-husk", "--first", "initiative"], 1, "knows no initiative"),
        (["duel"], 2, "SYSTEM"),
    ],
)  # fmt: skip
def test_bad_words_get_one_clear_message(words: list[str], status: int, message: str) -> None:
    done = affray(*words)
    assert message in done.stderr, done.stderr
    assert done.returncode == status
    assert "Traceback" not in done.stderr


def test_fights_import_nothing_heavy_before_they_are_asked_for() -> None:
    done = affray("duel", "--help")
    assert done.returncode == 0
    assert "Example: affray duel" in done.stdout


# -- decided optimally ---------------------------------------------------------------------------


def test_optimal_sides_are_worth_more_than_kept_habits_and_tell_their_openings() -> None:
    kept = asked("duel", "empty-earth", "ada", "bulwark")
    best = asked("duel", "empty-earth", "ada", "bulwark", "--policy", "optimal")

    def worth(view: Any) -> float:
        return float(view["won"][0] + (view["drawn"] + view["ended"]) / 2)

    assert worth(best) > worth(kept) + 0.01
    assert not kept["openings"]
    for row in best["openings"]:
        values = dict(row["values"])
        extreme = max if row["side"] == "Ada" else min
        assert values[row["best"]] == pytest.approx(extreme(values.values()), abs=1e-9)


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("duel", "--policy-one", "optimal"), 1, "'optimal' can only face 'optimal' or 'first'"),
        (("duel", "--policy", "optimal", "--exact"), 1, "not for 'optimal'"),
        (("battle", "--policy", "optimal"), 1, "policy optimal is for duels"),
        (("duel", "--set", "act=revive"), 2, "no key in the situation of empty-earth is called"),
    ],
)
def test_what_can_not_be_together_is_refused(
    words: tuple[str, ...], status: int, message: str
) -> None:
    command, *options = words
    done = affray(command, "empty-earth", "ada", "bulwark", *options)
    assert done.returncode == status
    assert message in done.stderr
    assert not done.stdout


def test_ep74_a_fight_between_names_says_which_distance_it_assumes() -> None:
    words = ["battle", "eclipse-phase", "jinx", "corp_guard", "-n", "20", "--seed", "1",
             "--policy", "first"]  # fmt: skip
    plain, told = affray(*words, "--json"), affray(*words, "--json", "--set", "distance_m=10")
    assert "distance_m = 10 is assumed" in plain.stderr
    assert "assumed" not in told.stderr
    assert json.loads(plain.stdout)["won"] == json.loads(told.stdout)["won"]
    assert "assumed" not in affray(*words, "-n", "1", "--set", "distance_m=3").stderr


def test_a_duel_stopped_before_its_first_round_still_tells_who_wins(
    capsys: pytest.CaptureFixture[str],
) -> None:
    view = ask_duel("empty-earth", Shipped("bo-husk"))
    show_duel(replace(view, by_round=(), partial=True, stopped_by="seconds"))
    assert "who wins is known" in " ".join(capsys.readouterr().out.split())
