"""The server as a client sees it: a fight to its end, prices, wrong input, long work cancelled."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from threading import Thread

import pytest

from affray.mcp.server import N_LONG
from tests.cli.running import ENV, asked
from tests.mcp.clients import Connection, connected, text_of

FIGHT: dict[str, object] = {"kind": "fight", "system": "empty-earth", "setup": ["bo", "husk"]}


@pytest.fixture(scope="module")
def server() -> Iterator[Connection]:
    with connected() as connection:
        yield connection


# -- playing ---------------------------------------------------------------------------------------


def test_a_fight_of_two_is_played_to_its_end(server: Connection) -> None:
    view = server.done("begin_game", **FIGHT)
    game, told = view["game"], list[str]()
    for _ in range(200):
        question = view["fight"]["question"]
        if question is None:
            break
        option = question["usual"] or (question["options"] or [{"name": ""}])[0]["name"]
        change = {"do": "answer", "option": option} if option else {"do": "roll"}
        before = view["revision"]
        result = server.ask("change_game", game=game, change={**change, "at": before})
        assert not result.is_error, text_of(result)
        view = result.structured_content
        assert view["revision"] > before
        told += [text for event in view["fight"]["events"] for text in event["said"]]
    assert view["fight"]["verdict"] == "one"  # a Husk does 1 damage; Bo's armor stops 2
    assert told[0].startswith("Round 1: ")
    assert told[-1] == view["fight"]["ending"]
    assert "Bo won" in told[-1]
    log = server.done("export_game", game=game)["text"].splitlines()
    assert [re.sub(r"^\d+\. ", "", line) for line in log if line] == [line for line in told if line]
    saved = server.done("save_game", game=game)
    again = server.done(
        "begin_game", kind=saved["kind"], system=saved["system"], setup=saved["saved"]
    )
    assert again["game"] != game
    assert again["fight"]["verdict"] == "one"
    assert again["fight"]["events"] == server.done("look_at_game", game=game)["fight"]["events"]


def test_computers_play_a_fight_without_a_question(server: Connection) -> None:
    seats = {"one": "computer:first", "other": "computer:first"}
    view = server.done("begin_game", **FIGHT, seats=seats)
    if view["fight"]["question"] is not None:  # a coin belongs to nobody
        view = server.done("change_game", game=view["game"], change={"do": "roll"})
    assert view["fight"]["verdict"] == "one"


def test_an_exchange_is_answered_with_faces_and_a_line(server: Connection) -> None:
    view = server.done("begin_game", kind="exchange", system="eclipse-phase", setup="jinx-shoots")
    game = view["game"]
    view = server.done("change_game", game=game, change={"do": "answer", "faces": [96]})
    names = [option["name"] for option in view["exchange"]["question"]["options"]]
    assert names == ["none", "flip"]
    view = server.done("change_game", game=game, change={"do": "line", "text": "flip"})
    assert view["exchange"]["question"]["ask"] == "defense roll"
    view = server.done("change_game", game=game, change={"do": "undo"})
    assert [option["name"] for option in view["exchange"]["question"]["options"]] == names


def test_only_what_happened_since_a_revision_is_told(server: Connection) -> None:
    game = server.done("begin_game", **FIGHT)["game"]
    begun = server.done("change_game", game=game, change={"do": "answer", "faces": ["Bo"]})
    passed = server.done("change_game", game=game, change={"do": "line", "text": "pass"})
    everything = server.done("look_at_game", game=game)["fight"]["events"]
    since = server.done("look_at_game", game=game, since=begun["revision"])["fight"]["events"]
    assert 0 < len(since) < len(everything)
    assert since == everything[-len(since) :] == passed["fight"]["events"]


def test_advice_and_chances_are_given_in_a_fight(server: Connection) -> None:
    game = server.done("begin_game", **FIGHT)["game"]
    server.done("change_game", game=game, change={"do": "answer", "faces": ["Bo"]})
    advice = server.done("advise_game", game=game)
    assert advice["best"] == "attack: Husk"
    assert {row["name"] for row in advice["options"]} == {"attack: Husk", "pass"}
    chances = server.done("ask_chances", game=game)
    assert chances["sides"] == ["Bo", "Husk"]
    assert chances["one"]["value"] > 0.9 > 0.1 > chances["other"]["value"]


# -- the same as the command line ------------------------------------------------------------------


def test_odds_are_those_of_the_command_line(server: Connection) -> None:
    line = asked("odds", "eclipse-phase", "jinx-shoots", "--of", "net")
    given = {"system": "eclipse-phase", "setup": "jinx-shoots", "of": ["net"], "seconds": 30}
    assert server.done("ask_odds", **given) == line


def test_battles_are_those_of_the_command_line(server: Connection) -> None:
    line = asked("battle", "empty-earth", "bo-husk", "-n", "50", "--seed", "3")
    given = {"system": "empty-earth", "fight": "bo-husk", "n": 50, "seed": 3, "seconds": 60}
    assert server.done("ask_battle", **given) == line


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("list_systems", {"system": "emlia"}, ("systems", "emlia")),
        ("look_up", {"system": "emlia", "what": "roster"}, ("roster", "emlia")),
        ("look_up", {"system": "emlia", "what": "setup-schema"}, ("schema", "emlia")),
        ("ask_best", {"system": "eclipse-phase", "setup": "jinx-decides", "objective": "hit",
                      "seconds": 30},
         ("best", "eclipse-phase", "jinx-decides", "--objective", "hit")),
        ("ask_duel", {"system": "empty-earth", "fight": ["bo", "husk"], "seconds": 60},
         ("duel", "empty-earth", "bo", "husk")),
    ],
)  # fmt: skip
def test_views_are_those_of_the_command_line(
    server: Connection, tool: str, arguments: dict[str, object], words: tuple[str, ...]
) -> None:
    assert server.done(tool, **arguments) == asked(*words)


# -- what is wrong ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "faults"),
    [
        ("ask_ods", {}, "unknown-name", [("", "unknown-name")]),
        ("ask_odds", {"system": "emlio", "setup": "x"}, "unknown-name", [("", "unknown-name")]),
        ("ask_odds", {"setup": 7, "off": []}, "input",
         [("/off", "unknown-key"), ("/setup", "wrong-kind"), ("/system", "missing")]),
        ("ask_odds", {"system": "emlia", "setup": {"attacker": {"hits": "many"}}}, "input", None),
        ("ask_odds", {"system": "emlia", "setup": "x", "seconds": 1000}, "input",
         [("/seconds", "out-of-range")]),
        ("look_up", {"system": "emlia", "what": "example"}, "input", [("/name", "wrong-value")]),
        ("look_up", {"system": "emlia", "what": "clause", "name": "XX-1"}, "unknown-name", None),
        ("begin_game", {**FIGHT, "setup": ["bo", "huskk"]}, "unknown-name", None),
        ("begin_game", {**FIGHT, "seats": {"one": "asleep"}}, "unknown-name", None),
        ("change_game", {"game": "game-999"}, "unknown-name", None),
        ("export_game", {"game": "game-999", "number": 1}, "input", [("/number", "wrong-value")]),
        ("ask_duel", {"system": "empty-earth", "fight": "brockton"}, "rules-refuse", None),
    ],
)  # fmt: skip
def test_wrong_input_is_refused_with_all_its_faults(
    server: Connection, tool: str, arguments: dict[str, object], code: str,
    faults: list[tuple[str, str]] | None,
) -> None:  # fmt: skip
    found = server.refused(tool, **arguments)
    assert found["code"] == code
    if faults is not None:
        assert sorted((row["where"], row["code"]) for row in found["faults"]) == faults


def test_changes_that_do_not_fit_change_nothing(server: Connection) -> None:
    before = server.done("begin_game", **FIGHT)
    wrong = [
        ({"do": "answer", "faces": ["Ada"]}, "answer"),
        ({"do": "answer", "option": "pass"}, "answer"),
        ({"do": "answer"}, "input"),
        ({"do": "jump"}, "unknown-name"),
        ({"do": "undo", "n": 3}, "answer"),
        ({}, "input"),
    ]
    for change, code in wrong:
        assert server.refused("change_game", game=before["game"], change=change)["code"] == code
    assert server.done("look_at_game", game=before["game"]) == before


def test_a_change_for_an_older_revision_says_what_is_asked_now(server: Connection) -> None:
    begun = server.done("begin_game", **FIGHT)
    change = {"do": "answer", "faces": ["Bo"], "at": begun["revision"]}
    now = server.done("change_game", game=begun["game"], change=change)
    found = server.refused("change_game", game=begun["game"], change=change)
    assert (found["code"], found["revision"]) == ("moved-on", now["revision"])
    assert found["question"] == now["fight"]["question"]


def test_faults_of_a_table_are_a_result_and_no_error(server: Connection) -> None:
    table = {"one": {"fighters": ["boo"]}, "twoo": 3}
    found = server.done("check_table", system="empty-earth", table=table, kind="fight")
    assert not found["ok"]
    assert {row["where"] for row in found["faults"]} == {"/one/fighters/0", "/other", "/twoo"}


# -- long work -------------------------------------------------------------------------------------


def test_cancelled_work_ends_and_others_are_answered_meanwhile(server: Connection) -> None:
    """Only so many long calls go on at once: the last one would wait for a minute otherwise."""
    long = {"system": "empty-earth", "fight": "brockton", "n": 1_000_000, "seconds": 60}
    threads = [
        Thread(target=server.cancelled, args=("ask_battle",), kwargs={**long, "after_reports": 6})
        for _ in range(N_LONG)
    ]
    for thread in threads:
        thread.start()
    meanwhile = server.done("list_systems")
    for thread in threads:
        thread.join(50)
        assert not thread.is_alive()
    assert meanwhile["systems"]
    assert len(server.progress) >= 6 * N_LONG
    assert all(done > 0 and most == 60 and words for done, most, words in server.progress)
    short = {"system": "empty-earth", "fight": "bo-husk", "n": 10, "seed": 1, "seconds": 10}
    assert server.done("ask_battle", **short)["n"] == 10


def test_a_game_whose_computers_are_slow_goes_on_in_the_next_call(server: Connection) -> None:
    seats = {"one": "computer:search", "other": "computer:search"}
    view = server.done("begin_game", **FIGHT, seats=seats, seconds=0.1)
    game = view["game"]
    if view["fight"]["question"]["dice"]:
        view = server.done("change_game", game=game, change={"do": "roll"}, seconds=0.1)
    assert any("time was over" in text for text in view["told"])
    after = server.done("change_game", game=game, seconds=20)
    assert after["revision"] > view["revision"]


# -- the protocol ----------------------------------------------------------------------------------

PRINTS = """
from affray.app import lookups
listed = lookups.list_systems
def list_systems(wanted=""):
    print("a stray line")
    return listed(wanted)
lookups.list_systems = list_systems
import sys
sys.argv = ["affray", "mcp"]
from affray.cli.main import run
run()
"""


def test_standard_output_belongs_to_the_protocol() -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {},
             "clientInfo": {"name": "test", "version": "1"}}  # fmt: skip
    lines: list[dict[str, object]] = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "list_systems", "arguments": {}}},
        {"id": 3, "method": "ping"},
    ]
    texts = [json.dumps({"jsonrpc": "2.0", **line}) for line in lines]
    with subprocess.Popen(
        [sys.executable, "-c", PRINTS], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env=ENV,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("no JSON at all\n" + '{"a":' * 10_000 + "\n" + "\n".join(texts) + "\n")
        process.stdin.flush()
        answers = dict[object, dict[str, object]]()
        while not {1, 2, 3} <= answers.keys():
            answer = json.loads(process.stdout.readline())
            answers[answer.get("id")] = answer
        rest, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert rest == ""
    assert "a stray line" in errors
    assert all("result" in answers[number] for number in (1, 2, 3))


MISSING = """
import sys
sys.modules["mcp"] = None
sys.argv = ["affray", "mcp"]
from affray.cli.main import run
run()
"""


def test_a_missing_package_is_one_message() -> None:
    done = subprocess.run(
        [sys.executable, "-c", MISSING], stdin=subprocess.DEVNULL, capture_output=True, text=True,
        check=False, env=ENV, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (
        "affray: this needs a package that isn't installed, mcp; "
        "install it: pip install 'affray[mcp]'\n"
    )
