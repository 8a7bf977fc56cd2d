"""The public library: what it offers, and how its objects look."""

from __future__ import annotations

import pytest

import affray
from affray.core.errors import AnswerError, UnknownNameError
from affray.engine.exchange.result import Result

LOADED = affray.load("eclipse-phase", "jinx-shoots")
SYSTEM = LOADED.game.system
ANSWERS: list[list[int | str] | str] = [[96], "flip", [7], [7, 5, 5, 1, 3], [9]]


def played(answers: int = len(ANSWERS)) -> affray.Session:
    """The worked example, after so many answers."""
    session = affray.Session(LOADED.game)
    for given in ANSWERS[:answers]:
        session = session.answer(given)
    return session


# -- by name -------------------------------------------------------------------------------------


def test_every_public_name_is_there() -> None:
    for name in affray.__all__:
        assert getattr(affray, name) is not None
    assert affray.__dir__() == sorted(set(affray.__all__))


def test_results_stand_under_their_names() -> None:
    """O-6: 21 damage against armor 10."""
    result = played().result
    assert (result["net"], result["damage"], result["hit"]) == (11, 11, True)
    assert dict(result)["dv"] == 21
    assert ("net" in result, "damage" in result, "nett" in result) == (True, True, False)
    with pytest.raises(UnknownNameError, match=r"'nett'\. Did you mean 'net'"):
        result["nett"]


def test_there_is_no_result_before_the_end() -> None:
    result = played(2).result
    assert (len(result), list(result), "net" in result) == (0, [], False)
    with pytest.raises(AnswerError, match="no 'net' yet: the exchange is not over"):
        result["net"]


def test_fights_are_shipped_ones_tables_or_names() -> None:
    names = affray.duel("empty-earth", ("bo", "husk"))
    table = {"one": {"fighters": ["bo"]}, "other": {"fighters": ["husk"]}}
    assert affray.duel("empty-earth", table).won == names.won
    shipped = affray.battle("empty-earth", "bo-husk", sampling=affray.Sampling(n=50, seed=3))
    assert (shipped.n, shipped.seed) == (50, 3)
    first = affray.duel("empty-earth", "bo-husk", changes=affray.FightChanges(first="other"))
    assert first.first == "other"


# -- how they look -------------------------------------------------------------------------------


def objects() -> dict[str, object]:
    session, solution = played(1), affray.solve(LOADED.game, affray.objective_named(SYSTEM, "hit"))
    choice = session.here.step.rule(session.here.facts)
    assert isinstance(choice, affray.Choice)
    chance = played(0).here
    duel = affray.duel("empty-earth", "bo-husk")
    return {
        "die": affray.D100, "pool": affray.parse_dice("3d6"), "loaded": LOADED, "system": SYSTEM,
        "game": LOADED.game, "session": session, "end": played(), "question": session.question,
        "log": session.log[-1], "result": played().result, "no result": session.result,
        "field": SYSTEM.fields[0], "objective": SYSTEM.objectives[0], "step": SYSTEM.steps[0],
        "ruling": SYSTEM.rulings[0], "rulings": SYSTEM.readings({}), "solution": solution,
        "at": session.here, "choice": choice, "option": choice.options[-1],
        "chance": chance.step.rule(chance.facts), "entropy": affray.Entropy(),
        "seeded": affray.Seeded(5), "script": affray.Script([1], ["flip"]),
        "policy": affray.Policy(solution.decide), "for actor": affray.ForActor({"one": print}),
        "odds": affray.odds(LOADED.game, "net", decide=solution.decide),
        "modifier": affray.Modifier("x", 1, "EP-1"), "budget": affray.Budget(), "duel": duel,
        "battle": affray.battle("empty-earth", "bo-husk", sampling=affray.Sampling(n=9, seed=1)),
    }  # fmt: skip


OBJECTS = objects()


@pytest.mark.parametrize("name", OBJECTS)
def test_every_public_object_has_a_readable_repr(name: str) -> None:
    told = repr(OBJECTS[name])
    assert 0 < len(told) <= 400, told
    assert " at 0x" not in told


def test_reprs_say_what_a_person_wants_to_know() -> None:
    assert repr(SYSTEM).startswith("<system eclipse-phase: Eclipse Phase 2e, ")
    assert repr(OBJECTS["option"]) == "<option flip: 1 flex: flip 96 to 69; then roll_defence>"
    assert repr(OBJECTS["chance"]).startswith("<attacker rolls 1d100: attack roll; then ")
    assert repr(OBJECTS["seeded"]) == "Seeded(5)"
    assert repr(OBJECTS["result"]).startswith("<result in eclipse-phase: net 11, ")
    assert repr(OBJECTS["duel"]) == "<duel: Bo wins 100 %, Husk wins 0 %; mean 2.222 rounds>"
    assert "Bo wins >71.68 %, Husk wins <28.32 %" in repr(OBJECTS["battle"])


@pytest.mark.parametrize("name", ["odds", "solution", "duel", "battle", "session", "end", "result"])
def test_what_a_person_looks_at_has_a_small_table(name: str) -> None:
    html = OBJECTS[name]._repr_html_()  # type: ignore[attr-defined]  # that is the test
    assert html.startswith("<table><caption>")
    assert html.count("<tr>") == html.count("</tr>") >= 2
    assert len(html) < 20_000


def test_tables_escape_what_they_show() -> None:
    odds = affray.Distribution({"<script>alert(1)</script>": 1, "\x1b[31m": 1})
    html = odds._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "\x1b" not in html


def test_tables_say_what_they_leave_out() -> None:
    html = affray.Distribution(dict.fromkeys(range(100), 1))._repr_html_()
    assert html.count("<tr>") == 41
    assert "and 60 more rows" in html


def test_a_result_is_a_mapping() -> None:
    assert isinstance(played().result, Result)
    assert len(played().result) == len(SYSTEM.fields)


def test_docstrings_of_public_names_call_them_as_users_do() -> None:
    inside = set(affray._CALLED.values())
    for name in affray.__all__:
        told = getattr(affray, name).__doc__ or ""
        assert not {home for home in inside if f"{home}(" in told}, name
