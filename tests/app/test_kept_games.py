"""Games in a store: replayed as they were, whoever wrote them, and told where they can't be."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from affray.app.inputs.intake import Raw
from affray.app.kept_games import KeptGames
from affray.core.errors import AnswerError, MovedOnError
from affray.store.games import NewEntry
from affray.store.opening import Store, open_store

BO = ("bo", "2xhusk")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path) as made:
        yield made


def played(games: KeptGames) -> str:
    """The id of a fight in which something has happened and was taken back."""
    kept = games.begin("fight", "empty-earth", BO)
    for change in (
        {"do": "answer", "faces": ["Bo"]},
        {"do": "line", "text": "attack husk 1"},
        {"do": "roll"},
        {"do": "undo"},
        {"do": "roll"},
        {"do": "hand", "what": "leave", "fighter": "Husk 2"},
    ):
        games.change(kept.id, change, who="Ann")
    return kept.id


def test_a_game_is_restored_as_it_stood(store: Store) -> None:
    games = KeptGames(store)
    before = games.kept(played(games))
    again = KeptGames(store).kept(before.id)
    assert again.game == before.game
    assert again.game.revision == before.game.revision
    assert again.game.view() == before.game.view()
    assert (again.stuck, again.apart) == ("", 0)


def test_games_that_are_not_used_are_forgotten_and_come_back(store: Store) -> None:
    games = KeptGames(store, most=1)
    first, second = played(games), played(games)
    assert games.n_loaded == 1
    assert games.kept(first).game.revision == games.kept(second).game.revision


def test_what_another_server_writes_is_followed(store: Store) -> None:
    here, elsewhere = KeptGames(store), KeptGames(store)
    game = played(here)
    seen = elsewhere.kept(game)
    kept, _ = here.change(game, {"do": "undo"})
    assert elsewhere.kept(game) is seen
    assert seen.game == kept.game


def test_of_two_changes_at_one_revision_one_wins(store: Store) -> None:
    here, elsewhere = KeptGames(store), KeptGames(store)
    kept = here.begin("fight", "empty-earth", BO)
    elsewhere.kept(kept.id)
    change = {"do": "answer", "faces": ["Bo"], "at": kept.game.revision}
    here.change(kept.id, change)
    with pytest.raises(MovedOnError):
        elsewhere.change(kept.id, change)
    assert len(store.games.entries(kept.id)) == 1


def test_a_change_that_is_refused_leaves_nothing_in_the_store(store: Store) -> None:
    games = KeptGames(store)
    kept = games.begin("fight", "empty-earth", BO)
    with pytest.raises(AnswerError):
        games.change(kept.id, {"do": "answer", "faces": ["nobody"]})
    assert store.games.entries(kept.id) == ()


def test_who_did_what_by_what_is_kept(store: Store) -> None:
    game = played(KeptGames(store))
    entries = store.games.entries(game)
    assert {entry.who for entry in entries} <= {"Ann", ""}
    assert [entry.by["kind"] for entry in entries if entry.what["do"] == "undo"] == ["hand"]
    rolls = [entry for entry in entries if entry.by["kind"] == "dice"]
    assert [len(entry.what["faces"]) for entry in rolls] == [2, 2]  # type: ignore[arg-type]  # a list


def test_a_game_that_todays_rules_refuse_can_be_read_and_forked(store: Store) -> None:
    game = played(KeptGames(store))
    at = store.games.row(game).revision
    wrong = NewEntry({"do": "answer", "option": "an option of older rules", "by": ["hand"]})
    store.games.append(game, at, [wrong], rules="older")
    games = KeptGames(store)
    kept = games.kept(game)
    assert f"change {at + 1}" in kept.stuck
    with pytest.raises(AnswerError, match="can be read"):
        games.change(game, {"do": "undo"})
    assert games.fork(game, 1).stuck == ""


def test_a_game_that_goes_another_way_today_says_from_where(store: Store) -> None:
    games = KeptGames(store)
    kept = games.begin("fight", "empty-earth", BO)
    told: Raw = {"do": "answer", "faces": ["Bo"], "by": ["hand"], "log": "otherwise"}
    store.games.append(kept.id, 0, [NewEntry(told)], rules="older")
    again = KeptGames(store).kept(kept.id)
    assert again.apart == 1
    assert again.game.question is not None
    games.change(kept.id, {"do": "undo"})
