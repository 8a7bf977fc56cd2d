"""Who sees what: no secret of one side is anywhere in what others get."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from affray.app.advice import advise
from affray.app.changes import Means, begin_game, changed
from affray.app.exports import export
from affray.app.fight import Fight
from affray.app.fight_advice import advise_fight
from affray.app.fight_report import ask_report
from affray.app.goes_on import Game
from affray.app.inputs.intake import InputError
from affray.app.picture import draw
from affray.app.play import PlayedGame
from affray.app.revisions import EVERYTHING
from affray.app.rights import check_numbers
from affray.app.roles import MASTER, SPECTATOR, Role, as_role, role_from, role_to_plain
from affray.app.views.envelope import to_json
from affray.core.errors import ForbiddenError, MovedOnError, UnknownNameError
from tests.app.conftest import Installed

ANN, BEN = Role("player", fighters=("Ann",)), Role("player", fighters=("Ben",))
SIDES = {
    "fight": (Role("player", ("one",)), Role("player", ("other",))),
    "exchange": (Role("player", ("attacker",)), Role("player", ("defender",))),
}
KINDS = ("fight", "exchange")


@pytest.fixture(autouse=True)
def feint(install: Installed) -> None:
    """A system whose two decisions are made under cover."""
    install("feint", "feint = tests.outside.feint:SYSTEM")


def struck(kind: str, blow: str) -> Game:
    """Ann has struck, and Ben doesn't know where."""
    if kind == "exchange":
        return begin_game("exchange", "feint", "pass").answer(blow)
    fight = begin_game("fight", "feint", "salle").answer("attack: Ben")
    return fight.answer(blow)


def seen(game: Game, role: Role) -> str:
    """Everything that somebody gets of a game, as one text."""
    views = [game.view(role), game.view(role, since=EVERYTHING), game.view(role, since=1)]
    told = [to_json(view) for view in views]
    if isinstance(game, Fight):
        # Its curve is of the time before the exchange, and how exact it is depends on the clock.
        told.append(to_json(replace(ask_report(game), curve=())))
    else:
        told.append(to_json(draw(game, role)))
    with pytest.raises(MovedOnError) as moved:
        changed(game, {"do": "lay", "faces": [], "at": 99}, Means(role=MASTER))
    assert moved.value.revision == game.revision
    exports = [export(views[1], form).text for form in ("text", "markdown", "foundry")]
    return json.dumps([told, exports, repr(game.question_for(role))])


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_decided_under_cover_is_nowhere_until_it_is_shown(kind: str) -> None:
    """Two games that differ in nothing else look the same to all who may not see it."""
    high, low = struck(kind, "high"), struck(kind, "low")
    own, other = SIDES[kind]
    for role in (SPECTATOR, BEN, other):
        assert seen(high, role) == seen(low, role), role.told
    for role in (MASTER, ANN, own):
        assert seen(high, role) != seen(low, role), role.told
        assert "high" in seen(high, role)


@pytest.mark.parametrize("seat", ["one", "Ann"])
def test_a_computer_s_policy_is_told_to_its_own_side_alone(seat: str) -> None:
    """Who knows that it takes the first option knows what it decides under cover."""
    fight = begin_game("fight", "feint", "salle")
    assert isinstance(fight, Fight)
    fight = fight.seated({seat: "computer:first", "other": "typed"})
    own, other = SIDES["fight"]
    for role in (SPECTATOR, BEN, other):
        assert fight.view(role).seats == {seat: "computer", "other": "typed"}
    for role in (MASTER, ANN, own):
        assert fight.view(role).seats == {seat: "computer:first", "other": "typed"}


@pytest.mark.parametrize("kind", KINDS)
def test_once_all_have_decided_everybody_sees_it(kind: str) -> None:
    high, low = struck(kind, "high").answer("low"), struck(kind, "low").answer("low")
    for role in (SPECTATOR, BEN, ANN, MASTER):
        assert "Struck high, guarded low: a hit." in seen(high, role)
        assert "Struck low, guarded low: a parry." in seen(low, role)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_asked_under_cover_is_shown_to_those_who_answer(kind: str) -> None:
    game = struck(kind, "high")
    for role, count in ((BEN, 2), (MASTER, 2), (ANN, 0), (SPECTATOR, 0)):
        question = game.question_for(role)
        assert question is not None
        assert len(question.options) == count, role.told
        assert question.ask == "where do you guard?"


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_are_refused_where_they_would_tell_a_secret(kind: str) -> None:
    game = struck(kind, "high")
    for role in (SPECTATOR, BEN, ANN):
        with pytest.raises(ForbiddenError, match="under cover") as refused:
            check_numbers(game, role)
        assert refused.value.code == "forbidden"
    check_numbers(game, MASTER)
    after = game.answer("low")
    for role in (SPECTATOR, BEN, ANN, MASTER):
        check_numbers(after, role)
    if isinstance(game, PlayedGame):
        assert advise(game, "hit").best == "high", "Ben's guard, if the blow is known"
    else:
        assert advise_fight(game, "hit").best == "high"


def test_a_saved_game_and_a_seed_are_for_the_game_master() -> None:
    game = begin_game("exchange", "eclipse-phase", "jinx-shoots")
    assert isinstance(game, PlayedGame)
    view = game.view(seed=5)
    assert (view.saved, view.seed) == (game.saved, 5)
    for role in (SPECTATOR, Role("player", ("attacker",)), Role("player", fighters=("Jinx",))):
        view = game.view(role, seed=5)
        assert (view.saved, view.seed, view.role) == ({}, None, role)


def test_habits_are_told_to_the_side_that_has_them() -> None:
    fight = begin_game("fight", "feint", "salle")
    assert isinstance(fight, Fight)
    fight = fight.hand("habit", who="Ann", step="choose_blow", option="high")
    for role, count in ((MASTER, 1), (ANN, 1), (SIDES["fight"][0], 1), (BEN, 0), (SPECTATOR, 0)):
        view = fight.view(role)
        assert (len(view.habits), [event.kind for event in view.events]) == (
            count, ["habit"] * count,
        ), role.told  # fmt: skip
        assert ("choose_blow" in json.dumps(to_json(view))) is bool(count)


def test_a_name_that_two_share_is_nobodys_key() -> None:
    """In an exchange of two who are called alike a player has a side."""
    game = begin_game("exchange", "feint", {"attacker": "ann", "defender": "ann"}).answer("high")
    question = game.question_for(ANN)
    assert question is not None
    assert question.options == ()


def test_a_role_is_read_strictly_and_written_back() -> None:
    for role in (MASTER, SPECTATOR, ANN, Role("player", ("one",), ("Ben",))):
        assert role_from(json.loads(json.dumps(role_to_plain(role)))) == role
    for wrong, words in (
        ({}, "kind is missing"),
        ({"kind": "player"}, "a player has sides or fighters"),
        ({"kind": "master", "sides": ["one"]}, "nobody else has"),
        ({"kind": "player", "sides": "one"}, "must be a list of names"),
        ({"kind": "player", "sides": ["one", "one"]}, "a name stands twice"),
        ({"kind": "spectator", "key": 1}, "unknown key 'key'"),
    ):
        with pytest.raises(InputError, match=words):
            role_from(wrong)
    with pytest.raises(UnknownNameError, match="owner"):
        role_from({"kind": "owner"})


def test_short_words_stand_for_roles() -> None:
    assert as_role("all", ("one", "other")) == MASTER
    assert as_role("one", ("one", "other")) == Role("player", ("one",))
    with pytest.raises(UnknownNameError, match="both"):
        as_role("both", ("one", "other"))
