"""Questions to workers: what they answer is what the command line prints."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from affray.api.work.questions import QUESTIONS, read_question
from affray.app.fight import Fight
from affray.app.fight_advice import advise_fight
from affray.app.inputs.intake import InputError, Raw
from affray.app.lookups import show_example
from affray.app.play import PlayedGame
from affray.app.sources import Shipped
from affray.app.views.envelope import to_json
from affray.core.errors import AffrayError, AnswerError, SetupError
from affray.engine.budget import Budget
from tests.api.work.bench import Bench, bench, idle
from tests.cli.running import affray
from tests.scenarios import EXAMPLES, SHIPPED

PART = 16
"""Of so many examples of a system one is asked for here."""
SOME = [row for name in SHIPPED for row in [r for r in EXAMPLES if r[0] == name][::PART]]
FIGHT = {"system": "empty-earth", "fight": ["bo", "husk"], "seed": 3}


@pytest.fixture(scope="module")
def shared() -> Iterator[Bench]:
    with bench() as made:
        made.run(idle(*made.workers.slots))
        yield made


def printed(*words: str) -> object:
    """What the command prints as JSON."""
    done = affray(*words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def asked(shared: Bench, question: str, arguments: dict[str, object], seconds: float) -> object:
    """What a worker answers."""
    budget = Budget(seconds=seconds)
    return shared.run(shared.workers.ask(question, arguments, client="ada", budget=budget))


@pytest.mark.parametrize(("system", "setup"), SOME)
def test_odds_of_examples_are_those_of_the_command_line(
    shared: Bench, system: str, setup: str
) -> None:
    done = affray("odds", system, setup, "--json", "--places", "20000")
    arguments: dict[str, object] = {"system": system, "setup": setup}
    budget = Budget(20_000, seconds=45)
    asking = shared.workers.ask("odds", arguments, client="ada", budget=budget)
    if done.returncode:
        with pytest.raises(AffrayError) as refused:
            shared.run(asking)
        assert str(refused.value) in done.stderr
        return
    view, told = shared.run(asking), json.loads(done.stdout)
    if view["schema"] == "affray/odds":
        assert view == told
    else:  # samples go on as long as there is time
        assert (view["schema"], view["fields"]) == (told["schema"], told["fields"])


@pytest.mark.parametrize(("question", "arguments", "words"), [
    ("best", {"system": "eclipse-phase", "setup": "jinx-decides", "objective": "hit",
              "settle": {"choose_fire": ["damage"]}},
     "best eclipse-phase jinx-decides --objective hit --settle choose_fire=damage"),
    ("odds", {"system": "eclipse-phase", "setup": "jinx-shoots", "of": ["net"],
              "given": ["hit=true"], "dice": [96, 7], "choose": ["flip"]},
     "odds eclipse-phase jinx-shoots --of net --given hit=true --dice 96,7 --choose flip"),
    ("rulings", {"system": "empty-earth", "setup": "o5p", "of": "hits"},
     "rulings empty-earth o5p --of hits"),
    ("duel", FIGHT, "duel empty-earth bo husk --seed 3"),
    ("battle", {**FIGHT, "n": 500, "targets": ["weakest", "random"]},
     "battle empty-earth bo husk --seed 3 -n 500 --targets-one weakest --targets-other random"),
    ("compare", {"system": "empty-earth", "fights": ["brockton", "bo-husk"], "n": 200, "seed": 1},
     "battle empty-earth brockton --versus bo-husk -n 200 --seed 1"),
])  # fmt: skip
def test_a_question_is_answered_as_by_its_command(
    shared: Bench, question: str, arguments: dict[str, object], words: str
) -> None:
    assert asked(shared, question, arguments, 45) == printed(*words.split())


def test_advice_in_a_saved_fight_is_that_of_the_fight(shared: Bench) -> None:
    fight = Fight.begin("empty-earth", ("bo", "husk")).answer(["Bo"])
    view = asked(shared, "advise", {"game": fight.saved, "seed": 5}, 30)
    here = to_json(advise_fight(fight, budget=Budget(seconds=30), seed=5))
    assert isinstance(view, dict)
    told = ("schema", "best", "ask", "known", "value", "objective")
    assert [view[key] for key in told] == [here[key] for key in told]


def test_a_computer_decides_in_a_saved_exchange(shared: Bench) -> None:
    game = PlayedGame.begin("eclipse-phase", Shipped("jinx-shoots")).answer([96])
    view = asked(shared, "decide", {"game": game.saved, "objective": "hit"}, 5)
    assert isinstance(view, dict)
    assert (view["schema"], view["option"]) == ("affray/decision", "flip")


def test_chances_and_a_report_are_of_a_saved_fight(shared: Bench) -> None:
    fight = Fight.begin("empty-earth", ("bo", "husk")).answer(["Bo"])
    chances = asked(shared, "chances", {"game": fight.saved}, 10)
    report = asked(shared, "report", {"game": fight.saved}, 10)
    assert isinstance(chances, dict)
    assert isinstance(report, dict)
    assert (chances["schema"], chances["sides"]) == ("affray/fight-chances", ["Bo", "Husk"])
    assert (report["schema"], report["sides"]) == ("affray/fight-report", ["Bo", "Husk"])


def test_a_sweep_has_the_odds_of_each_value(shared: Bench) -> None:
    arguments: dict[str, object] = {
        "system": "eclipse-phase", "setup": "jinx-shoots", "path": "attacker.guns",
        "values": [10, 20], "of": "hit",
    }  # fmt: skip
    view = asked(shared, "sweep", arguments, 20)
    assert isinstance(view, dict)
    assert [row["at"] for row in view["values"]] == [10, 20]
    assert view["field"] == "hit"


EXCHANGE: dict[str, object] = {"system": "eclipse-phase", "setup": "jinx-shoots"}
JINX: Raw = {"like": "jinx", "size": "medium", "insight": 0, "moxie": 0, "guns": 10}
TOUGH: dict[str, object] = {"like": "husk", "number": 1, "vitality_max": 9}


@pytest.mark.parametrize(("question", "arguments", "values", "same"), [
    ("odds", {**EXCHANGE, "of": ["hit"]}, {"attacker.guns": 10},
     {"setup": {"attacker": JINX}}),
    ("best", {**EXCHANGE, "objective": "hit"}, {"attacker.guns": 10},
     {"setup": {"attacker": JINX}}),
    ("sweep", {**EXCHANGE, "path": "attacker.guns", "values": [10], "of": "hit"},
     {"defender.fray": 1},
     {"setup": {"defender": {"like": "exhuman", "threat": 0, "som_check": 85, "fray": 1}}}),
    ("duel", FIGHT, {"other.fighters.0.vitality_max": 9},
     {"fight": {"one": {"fighters": ["bo"]}, "other": {"fighters": [TOUGH]}}}),
    ("battle", {**FIGHT, "n": 100}, {"other.fighters.0.vitality_max": 9},
     {"fight": {"one": {"fighters": ["bo"]}, "other": {"fighters": [TOUGH]}}}),
])  # fmt: skip
def test_a_value_is_set_as_if_it_had_been_written(
    question: str, arguments: dict[str, object], values: Raw, same: dict[str, Raw]
) -> None:
    """The rest is as in the example, whatever its table says."""
    written = {key: {**_example(arguments, key), **table} for key, table in same.items()}

    def told(given: dict[str, object]) -> Raw:
        view = to_json(read_question(question, given).view(Budget(seconds=30)))
        return {key: view[key] for key in view if key not in {"setup", "title", "seconds"}}

    changed = told({**arguments, "set": values})
    assert changed == told({**arguments, **written})
    assert changed != told(arguments)


def _example(arguments: dict[str, object], key: str) -> Raw:
    if key == "fight":
        return {}
    shown = show_example(str(arguments["system"]), str(arguments["setup"]))
    return dict(shown.table)


def test_a_path_that_leads_nowhere_is_a_fault_of_its_own() -> None:
    for question, arguments, path in (
        ("odds", EXCHANGE, "attacker.arms.gun"), ("duel", FIGHT, "other.fighters.1.dodge"),
    ):  # fmt: skip
        asked_for = read_question(question, {**arguments, "set": {path: 1}})
        with pytest.raises(InputError, match="nothing is at") as refused:
            asked_for.view(Budget(seconds=5))
        assert [fault.where for fault in refused.value.faults] == [f"/set/{path}"]


def test_no_value_of_a_saved_game_is_set() -> None:
    saved = PlayedGame.begin("eclipse-phase", Shipped("jinx-shoots")).saved
    asked_for = read_question("odds", {**EXCHANGE, "setup": saved, "set": {"setup.dv": 1}})
    with pytest.raises(SetupError, match="a saved game keeps its setup"):
        asked_for.view(Budget(seconds=5))


def test_nothing_is_decided_at_a_roll(shared: Bench) -> None:
    game = PlayedGame.begin("eclipse-phase", Shipped("jinx-shoots")).saved
    with pytest.raises(AnswerError, match="nothing is to be decided"):
        asked(shared, "decide", {"game": game}, 5)


@pytest.mark.parametrize(("arguments", "told"), [
    ({"objective": "net"}, "objective"), ({}, "system"),
])  # fmt: skip
def test_a_game_that_is_none_is_refused(arguments: dict[str, object], told: str) -> None:
    fight = Fight.begin("empty-earth", ("bo", "husk")).answer(["Bo"])
    game = fight.saved if arguments else {"schema": "affray/saved-game"}
    question = read_question("decide", {"game": game, **arguments})
    with pytest.raises(SetupError, match=told):
        question.view(Budget(seconds=1))


@pytest.mark.parametrize("name", sorted(QUESTIONS))
def test_arguments_that_nobody_knows_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="nonsense"):
        read_question(name, {"nonsense": 1})
