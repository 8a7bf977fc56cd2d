"""The tools without a server: their list, the document, schemas, texts, games that are held."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from affray.app.changes import begin_game
from affray.app.goes_on import Game
from affray.app.views.advice import EstimatedBestView
from affray.app.views.envelope import View, to_json
from affray.app.views.estimates import EstimatedOddsView
from affray.core.errors import AffrayError, LimitError, UnknownNameError
from affray.engine.budget import Budget
from affray.mcp import games as held_games
from affray.mcp.calls import MOST_S, Work
from affray.mcp.games import MOST, Games
from affray.mcp.server import tool_list
from affray.mcp.texts import refusal_told, told
from affray.mcp.tools import TOOLS, read_call, seconds_of

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs" / "mcp.md").read_text(encoding="utf-8")
EXCHANGE: dict[str, object] = {
    "kind": "exchange",
    "system": "eclipse-phase",
    "setup": "jinx-shoots",
}


def view_of(games: Games, name: str, /, **arguments: object) -> View:
    """The view that a call gives."""
    call = read_call(name, arguments)
    return call.view(Work(games, Budget(seconds=seconds_of(call))))


def said(games: Games, name: str, arguments: dict[str, object]) -> str:
    """The text that a call gives, or that of its refusal."""
    try:
        return told(view_of(games, name, **arguments))
    except AffrayError as error:
        return refusal_told(error)


def begun() -> Game:
    """A new exchange."""
    return begin_game("exchange", "eclipse-phase", "jinx-shoots")


# -- the list and the document ---------------------------------------------------------------------


def test_the_document_lists_every_tool_with_its_purpose() -> None:
    rows = re.findall(r"(?m)^\| `(\w+)` \| (.*) \|$", DOCUMENT)
    assert rows == [(tool.name, (tool.description or "").split("\n")[0]) for tool in tool_list()]


def test_the_document_states_the_limits() -> None:
    assert f"{MOST_S} at most" in DOCUMENT
    assert f"the {MOST} games used last" in DOCUMENT


def test_the_session_in_the_document_is_real() -> None:
    session = DOCUMENT.partition("```text\n")[2].partition("```")[0]
    games = Games()
    calls = re.findall(r"(?m)^> (\w+) (.*)\n((?:(?!> ).*\n)+)", session)
    assert len(calls) == 6
    for name, arguments, text in calls:
        assert said(games, name, json.loads(arguments)) == text.rstrip("\n")


def test_every_tool_says_what_each_argument_means() -> None:
    for tool in tool_list():
        assert tool.description
        for name, row in tool.input_schema["properties"].items():
            assert row.get("description"), f"{tool.name}: {name}"
            assert "title" not in row


def test_only_tools_for_games_change_something() -> None:
    changing = {
        tool.name
        for tool in tool_list()
        if tool.annotations and not tool.annotations.read_only_hint
    }
    assert changing == {"begin_game", "change_game"}


@pytest.mark.parametrize("name", TOOLS)
def test_schemas_of_tools_are_schemas_of_objects(name: str) -> None:
    (tool,) = (tool for tool in tool_list() if tool.name == name)
    for schema in (tool.input_schema, tool.output_schema):
        assert schema is not None
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("ask_odds", {"system": "emlia", "setup": "x", "seconds": 5, "settle": {"a": ["b"]}}),
        ("begin_game", {"kind": "fight", "system": "emlia", "setup": ["a", "b"]}),
        ("ask_battle", {"system": "emlia", "fight": {"one": {}}, "n": 3, "seed": 2**53 - 1}),
        ("change_game", {"game": "game-1", "change": {"do": "roll"}}),
    ],
)
def test_arguments_that_fit_the_schema_are_read(name: str, arguments: dict[str, object]) -> None:
    (tool,) = (tool for tool in tool_list() if tool.name == name)
    jsonschema.validate(arguments, tool.input_schema)
    assert isinstance(read_call(name, arguments), TOOLS[name])


def test_a_change_is_described_as_the_service_describes_it() -> None:
    (tool,) = (tool for tool in tool_list() if tool.name == "change_game")
    for change in ({"do": "answer", "faces": [6, "Bo"]}, {"do": "undo"}, {"do": "roll", "at": 3}):
        jsonschema.validate({"game": "game-1", "change": change}, tool.input_schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"game": "game-1", "change": {"do": "jump"}}, tool.input_schema)


# -- texts -----------------------------------------------------------------------------------------

CALLS: list[tuple[str, dict[str, object], str]] = [
    ("list_systems", {}, "affinity: Affinity"),
    ("list_systems", {"system": "empty-earth"}, "objectives: "),
    ("look_up", {"system": "eclipse-phase", "what": "clause", "name": "EP-56"}, "EP-56: "),
    ("look_up", {"system": "empty-earth", "what": "clause"}, "more"),
    ("look_up", {"system": "empty-earth", "what": "roster"}, "fighters: husk"),
    ("look_up", {"system": "empty-earth", "what": "roster", "name": "husk"}, '"vitality_max": 3'),
    ("look_up", {"system": "empty-earth", "what": "fight", "name": "bo-husk"}, '"purpose"'),
    ("look_up", {"system": "emlia", "what": "fight-schema"}, "JSON Schema"),
    ("check_table", {"system": "empty-earth", "table": {"one": {}}}, "/defender: "),
    ("ask_odds", {"system": "eclipse-phase", "setup": "jinx-shoots", "of": ["hit"],
                  "seconds": 30}, "yes: 85.10 %"),
    ("ask_best", {"system": "eclipse-phase", "setup": "jinx-decides", "objective": "hit",
                  "seconds": 30}, "best decisions"),
    ("begin_game", EXCHANGE, "Jinx: attack roll: roll 1d100, or say the faces."),
    ("ask_duel", {"system": "empty-earth", "fight": "bo-husk", "seconds": 60}, "Wins: Bo 100 %"),
    ("ask_battle", {"system": "empty-earth", "fight": "bo-husk", "n": 20}, "20 battles"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "words"), CALLS)
def test_results_fit_their_schema_and_are_told(
    name: str, arguments: dict[str, object], words: str
) -> None:
    (tool,) = (tool for tool in tool_list() if tool.name == name)
    view = view_of(Games(), name, **arguments)
    assert tool.output_schema is not None
    jsonschema.Draft202012Validator(tool.output_schema).validate(to_json(view))
    assert words in told(view)


def test_every_view_of_a_tool_has_words() -> None:
    bare = told.dispatch(View)
    for kind in TOOLS.values():
        assert all(told.dispatch(view) is not bare for view in kind.views)


def test_odds_out_of_reach_are_told_with_how_they_are_known() -> None:
    hit = {"system": "eclipse-phase", "setup": "jinx-shoots", "of": ["hit"], "objective": "hit"}
    view = read_call("ask_odds", hit).view(Work(Games(), Budget(places=60, seconds=4)))
    assert isinstance(view, EstimatedOddsView)
    assert f"{view.how}; {view.policy}\n{view.why}" in told(view)


def test_best_options_out_of_reach_are_told_with_how_they_are_known() -> None:
    given = {"system": "eclipse-phase", "setup": "jinx-decides"}
    view = read_call("ask_best", given).view(Work(Games(), Budget(places=20, seconds=4)))
    assert isinstance(view, EstimatedBestView)
    assert view.how in told(view)


# -- games -----------------------------------------------------------------------------------------


def test_the_game_used_least_recently_is_forgotten() -> None:
    games = Games(most=2)
    first, second = (games.hold(begun())[0] for _ in range(2))
    games.look(first)
    view = view_of(games, "begin_game", **EXCHANGE)
    assert f"{second} was forgotten: only 2 games are held." in told(view)
    games.look(first)
    with pytest.raises(UnknownNameError, match="forgotten, as only the 2 games used last are held"):
        games.look(second)


def test_two_calls_do_not_work_on_a_game_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_games, "WAIT_S", 0.01)
    games = Games()
    game, _ = games.hold(begun())
    with games.at_work(game):
        with pytest.raises(LimitError, match="another call is still at work on it"):
            view_of(games, "change_game", game=game, change={"do": "roll"})
        assert told(view_of(games, "look_at_game", game=game))
    assert told(view_of(games, "change_game", game=game, change={"do": "roll"}))


def test_chances_are_of_fights() -> None:
    games = Games()
    game, _ = games.hold(begun())
    assert "ask_odds prices exchanges" in said(games, "ask_chances", {"game": game})
