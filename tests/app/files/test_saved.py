"""Saved games: what is kept, what is refused, what other rules are reported to change."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from affray import _version
from affray.app.exchange_computers import computer_rolls
from affray.app.files import rules_digest as digests
from affray.app.files import saved
from affray.app.files.rules_digest import rules_digest
from affray.app.files.saved import restore, to_saved
from affray.app.files.seal import sealed
from affray.app.inputs.setups import InputError, load
from affray.app.play import PlayedGame, play_script
from affray.app.registry import system_named
from affray.app.sources import Answers, Shipped, Table
from affray.core.errors import AnswerError
from affray.engine.exchange.session import Answer, Session

EP = system_named("eclipse-phase")
OLD = Path(__file__).parent / "saved_games"
FACES = [96, 7, 7, 5, 5, 1, 3, 9]


def game(faces: list[int] | None = None, option: str = "flip") -> PlayedGame:
    """The worked example, played with its faces."""
    script = Answers(tuple(FACES if faces is None else faces), (option,))
    return play_script(PlayedGame.begin("eclipse-phase", Shipped("jinx-shoots")), script)


def kept() -> dict[str, Any]:
    """The same as a table, as it comes from the disk."""
    raw: dict[str, Any] = json.loads(json.dumps(game().saved))
    return raw


# -- what is kept ------------------------------------------------------------------------------


def test_a_saved_game_says_by_which_rules_it_was_played() -> None:
    raw = kept()
    assert (raw["version"], raw["affray"]) == (5, _version.VERSION)
    assert (raw["system"], raw["system_version"]) == ("eclipse-phase", EP.version)
    assert raw["rules"] == rules_digest(EP)
    assert raw["outcome"]["net"] == 11  # O-6 of the worked example
    assert len(raw["log"]) == len(raw["answers"]) + 1 == 6


def test_it_goes_on_where_it_stood() -> None:
    begun = game([96, 7])
    raw = json.loads(json.dumps(begun.saved))
    assert "outcome" not in raw
    again = PlayedGame.begin("eclipse-phase", Table(raw, "game"))
    assert (again.session.steps_taken, again.remarks) == (begun.session.steps_taken, ())
    assert again.answers == begun.answers


@pytest.mark.parametrize("name", ["eclipse-phase", "empty-earth"])
def test_games_of_version_1_open_and_say_so(name: str) -> None:
    raw = json.loads((OLD / f"version-1-{name}.json").read_text())
    found = restore(system_named(name), raw, "old")
    assert len(found.session.answers) == len(raw["answers"])
    assert found.session.question is None
    assert found.notes == (
        "It was saved by an older affray, which did not note by which rules; "
        "it was replayed by today's.",
        "It has no seal, like all older files: a change by hand would not be noticed.",
    )


def test_games_of_version_2_go_on_in_the_middle_of_an_exchange() -> None:
    raw = json.loads((OLD / "version-2-eclipse-phase.json").read_text())
    found = restore(EP, raw, "old")
    assert [answer.faces or answer.option for answer in found.session.answers] == [
        (96,), "flip", (7,),
    ]  # fmt: skip
    assert found.lying == Answer()


def test_faces_of_a_roll_under_way_are_kept() -> None:
    at = game([96, 7])
    roll = at.rolling
    assert roll is not None
    laid = at.laid(roll.typed("7").rolled(computer_rolls(1)).answer)
    raw = json.loads(json.dumps(laid.saved))
    again = PlayedGame.begin("eclipse-phase", Table(raw, "game"))
    assert (again.lying, again.answers) == (laid.lying, at.answers)
    assert again.lying.by == ("hand", "seed")
    assert "lying" not in laid.answer([7, 5, 5, 1, 3]).saved


LYING: list[tuple[list[int], list[int], str]] = [
    ([96, 7], [11], "lying: 11 is no face of die 1"),
    ([96, 7], [1, 1, 1, 7], r"lying: 7 is no face of die 4 \(d6\)"),
    ([96, 7], [1, 1, 1, 1, 1, 1], "lying: 6 faces; allowed: 5 at most"),
    ([96, 7, 7, 5, 5, 1, 3, 9], [1], r"lying: \[1\]; no dice are asked for"),
]


@pytest.mark.parametrize(("faces", "lying", "message"), LYING)
def test_faces_that_can_not_lie_are_refused(
    faces: list[int], lying: list[int], message: str
) -> None:
    raw: dict[str, Any] = json.loads(json.dumps(game(faces).saved))
    raw["lying"] = {"faces": lying, "by": ["hand"] * len(lying)}
    with pytest.raises(AnswerError, match=message):
        restore(EP, raw, "game")


# -- what is refused ---------------------------------------------------------------------------

CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"version": True}, "version True; allowed: 1 to 5"),
    ({"version": 6}, "version 6; allowed: 1 to 5"),
    ({"version": 2.0}, "version 2.0; allowed: 1 to 5"),
    ({"version": "2"}, "version '2'"),
    ({"version": "2" * 100_000}, r"version '2{60}\.\.\.' \(100,000 characters\);"),
    ({"version": None}, "version None"),
    ({"sytem": "x"}, "saved game: unknown key 'sytem'; known: affray, answers, log, lying, "),
    ({"system": "emlia"}, "for 'emlia', not for 'eclipse-phase'"),
    ({"system_version": "1"}, "system_version: '1'; must be a number"),
    ({"system_version": True}, "system_version: True; must be a number"),
    ({"rules": 3}, "affray and rules: must be texts"),
    ({"log": [1]}, "log: must be a list of texts"),
    ({"log": ["x"]}, "log: 1 entries for 5 answers; needed: 6"),
    ({"outcome": []}, "outcome: must be a table"),
    ({"setup": []}, "'setup' is a table"),
    ({"answers": {}}, "'answers' a list"),
    ({"lying": {"faces": [7]}}, "lying: 'by' is missing"),
    ({"lying": {"faces": [], "by": []}}, "lying: faces: .*; must be a list of them"),
]
ANSWERS: list[tuple[Any, str]] = [
    ("96", "answer 1: '96'; must be a table"),
    ({}, "answer 1: 'by' is missing"),
    ({"by": ["hand"]}, "answer 1: 'faces' is missing"),
    ({"faces": [96]}, "answer 1: 'by' is missing"),
    ({"faces": [96], "option": "flip", "by": ["hand"]}, "answer 1: both 'option' and"),
    ({"faces": [96], "by": ["hand"], "old": 1}, "answer 1: unknown key 'old'; known: by, faces"),
    ({"faces": [], "by": []}, r"answer 1: faces: \[\]; must be a list"),
    ({"faces": 96, "by": ["hand"]}, "answer 1: faces: 96; must be a list"),
    ({"faces": [True], "by": ["hand"]}, "answer 1: faces: True; a face is"),
    ({"faces": [9.6], "by": ["hand"]}, "answer 1: faces: 9.6; a face is"),
    ({"faces": [96], "by": "hand"}, "answer 1: by: 'hand'; must be a list"),
    ({"faces": [96], "by": ["god"]}, "by: 'god'; allowed: hand, entropy, seed, script, other"),
    ({"faces": [96], "by": ["policy"]}, "by: 'policy'; allowed: hand, entropy"),
    ({"faces": [96], "by": ["setup"]}, "by: 'setup'; allowed: hand, entropy"),
    ({"faces": [96], "by": []}, "by: 0 names; needed: 1"),
    ({"faces": [96], "by": ["hand", "hand"]}, "by: 2 names; needed: 1"),
    (
        {"option": "flip", "by": ["seed"]},
        "by: 'seed'; allowed: hand, policy, solved, look-ahead, rule of thumb",
    ),
    ({"option": "flip", "by": [["hand"]]}, "must be a list of names"),
    ({"option": "", "by": ["hand"]}, "option: ''; must be the name"),
    ({"option": ["flip"], "by": ["hand"]}, "option: .*; must be the name"),
    (
        {"faces": ["x" * 100_000], "by": ["h" * 100_000]},
        r"by: 'h{60}\.\.\.' \(100,000 characters\); allowed",
    ),
]


@pytest.mark.parametrize(("change", "message"), CHANGES)
def test_what_is_not_whole_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as refused:
        restore(EP, {**kept(), **change}, "game.json")
    assert str(refused.value).startswith("game.json: ")


@pytest.mark.parametrize("key", ["system", "system_version", "setup", "answers"])
def test_what_is_missing_is_refused(key: str) -> None:
    raw = kept()
    del raw[key]
    with pytest.raises(InputError, match=f"{key}' is missing|it is for None"):
        restore(EP, raw, "game.json")


@pytest.mark.parametrize(("answer", "message"), ANSWERS)
def test_forged_answers_are_refused(answer: object, message: str) -> None:
    raw = kept()
    raw["answers"][0] = answer
    with pytest.raises(InputError, match=message):
        restore(EP, raw, "game.json")


def test_a_face_that_no_die_has_is_refused_with_its_place() -> None:
    raw = kept()
    raw["answers"][2]["faces"] = [100]
    with pytest.raises(AnswerError, match=r"game\.json: answer 3: .*100 is no face"):
        restore(EP, raw, "game.json")


def test_a_source_of_ones_own_is_kept_as_another() -> None:
    loaded = load("eclipse-phase", "jinx-shoots")
    session = Session(loaded.game).answer(Answer((96,), by=("my robot",)))
    session = session.answer("flip", by="my robot")
    raw = json.loads(json.dumps(to_saved(loaded, session)))
    assert [row["by"] for row in raw["answers"]] == [["other"], ["other"]]
    assert restore(EP, raw, "game").session.here == session.here


# -- other rules -------------------------------------------------------------------------------


def test_other_rules_that_change_nothing_are_reported() -> None:
    (note,) = restore(EP, sealed({**kept(), "rules": "0" * 16, "affray": "0.1"}), "game").notes
    assert note == (
        "It was played by affray 0.1 under other rules of eclipse-phase than today's; "
        "replayed today it goes the same way."
    )


def test_another_version_of_the_rules_is_reported() -> None:
    (note,) = restore(EP, sealed({**kept(), "system_version": 7}), "game").notes
    assert "under version 7 of the rules of eclipse-phase; these are version 1; replayed" in note


def test_what_goes_another_way_is_reported_with_its_place() -> None:
    raw = {**kept(), "rules": "0" * 16}
    raw["log"] = [*raw["log"][:3], "00000000", *raw["log"][4:]]
    raw["outcome"] = {**raw["outcome"], "net": 9, "no_longer": 1}
    (note,) = restore(EP, sealed(raw), "game").notes
    assert note.endswith("replayed today it goes another way from answer 3 on; "
                         "net was 9 and is 11.")  # fmt: skip


def test_a_game_that_somebody_edited_is_reported() -> None:
    raw = kept()
    raw["answers"][3]["faces"][0] = 8  # a 7 was rolled
    (note,) = restore(EP, raw, "game").notes
    assert note.startswith("It was changed after it was saved; replayed today it goes another way "
                           "from answer 4 on; ")  # fmt: skip
    assert "net was 11 and is 12" in note
    raw["rules"] = "0" * 16
    assert restore(EP, raw, "game").notes[0] == "It was changed after it was saved."
    del raw["seal"]
    told = restore(EP, {**raw, "rules": kept()["rules"]}, "game").notes
    assert told[0].startswith("It was changed after it was saved: the rules are the same; replayed")


FORGED: list[tuple[str, Any]] = [
    ("answers", [{"faces": [97], "by": ["hand"]}]), ("answers", [{"faces": [96], "by": ["seed"]}]),
    ("setup", {"title": "Mine"}), ("affray", "9"), ("lying", {"faces": [8], "by": ["hand"]}),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value"), FORGED)
def test_a_forged_game_is_noticed_whatever_is_told_of_it(key: str, value: Any) -> None:
    """Its log is worked out anew from what was forged, so that it tells nothing."""
    raw = json.loads(json.dumps(game([96]).saved))
    changed = {**raw[key], **value} if isinstance(value, dict) and key in raw else value
    forged = {**raw, key: [*value, *raw[key][1:]] if key == "answers" else changed}
    forged["log"] = PlayedGame.begin("eclipse-phase", Table(forged, "x")).saved["log"]
    (note,) = restore(EP, forged, "game").notes
    assert note == "It was changed after it was saved; replayed today it is told the same way."
    assert not restore(EP, sealed(forged), "game").notes, "the seal alone is what tells it"
    assert not restore(EP, dict(reversed(raw.items())), "game").notes, "keys have no order"


def test_an_answer_that_other_rules_allowed_is_told_with_them() -> None:
    raw = {**kept(), "rules": "0" * 16}
    raw["answers"][1]["option"] = "dodge"
    with pytest.raises(AnswerError, match=r"answer 2: .*'dodge'.*under other rules of eclipse-ph"):
        restore(EP, raw, "game.json")


def test_the_digest_follows_rule_text_and_data_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Toy:
        folder = tmp_path
        steps = modules = ()

    def digest() -> str:
        return rules_digest.__wrapped__(Toy)

    assert digest() == ""
    (tmp_path / "roster").mkdir()
    (tmp_path / "roster" / "checks.toml").write_text("a = 1\n")
    (tmp_path / "steps.py").write_text("x = 1\n")
    first = digest()
    for name, changes in (
        ("examples.toml", False), ("clauses.toml", False), ("notes.txt", False),
        ("steps.py", True), ("roster/checks.toml", True), ("more.py", True),
    ):  # fmt: skip
        before = digest()
        (tmp_path / name).write_text("x = 2\n")
        assert (digest() != before) is changes, name
    (tmp_path / "more.py").unlink()
    (tmp_path / "roster" / "checks.toml").write_text("a = 1\n")
    (tmp_path / "steps.py").write_bytes(b"x = 1\r\n")
    assert digest() == first, "line ends don't matter"
    assert len({digests.rules_digest(system_named(name)) for name in ("emlia", "affinity")}) == 2


def test_a_change_leaves_the_table_alone() -> None:
    raw = kept()
    before = deepcopy(raw)
    restore(EP, raw, "game")
    assert raw == before
    assert saved.is_saved(raw)
