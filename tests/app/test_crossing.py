"""Games cross to another process as JSON: at any moment the same game arrives."""

from __future__ import annotations

import json
from random import Random
from typing import cast

import pytest

from affray.app.ahead import Ahead, Order
from affray.app.crossing import arrived, crossing
from affray.app.fight import Fight
from affray.app.play import PlayedGame
from affray.app.sources import Shipped
from affray.core.errors import StoreError
from affray.engine.exchange.session import Answer
from affray.engine.exchange.sources import Seeded

FIGHTS = {
    "affinity": "raid", "eclipse-phase": "checkpoint", "emlia": "irregulars",
    "empty-earth": "brockton", "grid-battles": "healing",
}  # fmt: skip
GAMES = {
    "affinity": "exertion", "eclipse-phase": "jinx-decides", "emlia": "table-charge",
    "empty-earth": "sweep-of-two", "grid-battles": "ford",
}  # fmt: skip
STEPS = 60


def changed(game: Fight | PlayedGame, chance: Random) -> Fight | PlayedGame:
    """The game after something that a table does: mostly an answer."""
    what, question = chance.random(), game.question
    if what < 0.12 or question is None:
        return game.undo(min(chance.randint(1, 3), moves_of(game)))
    if what < 0.2:
        return game.redo(chance.randint(1, 2))
    if what < 0.26:
        names = ("one", "other") if isinstance(game, Fight) else game.loaded.game.system.actors
        return game.seated({chance.choice(list(names)): "computer"})
    rolling = game.rolling
    if rolling is not None and what < 0.4:
        faces = rolling.thrown(Seeded(chance.randrange(1000))).faces
        n = chance.randrange(len(faces))
        return game.laid(Answer(faces=faces[:n], by=("hand",) * n))
    if rolling is not None:
        return game.answer(rolling.thrown(Seeded(chance.randrange(1000))).answer)
    return game.answer(chance.choice(question.options).name)


def moves_of(game: Fight | PlayedGame) -> int:
    return len(game.moves if isinstance(game, Fight) else game.answers)


def crossed(game: Fight | PlayedGame) -> Fight | PlayedGame:
    return arrived(json.loads(json.dumps(crossing(game))))


def all_of(game: Fight | PlayedGame) -> dict[str, object]:
    """Everything that a game is: how it came here, what it keeps, and how it looks."""
    kept = {
        "saved": game.saved, "undone": game.undone, "lying": game.lying, "seats": dict(game.seats),
        "taken back": game.taken_back, "revision": game.revision, "placed": game.placed,
    }  # fmt: skip
    if isinstance(game, Fight):
        seen = [game.view(role, since=-1) for role in ("all", "one", "other")]
        return {**kept, "ahead": game.ahead, "log": [view.events for view in seen],
                "questions": [view.question for view in seen], "at": seen[0].fighters}  # fmt: skip
    return {**kept, "log": game.log, "question": game.question, "picture": game.picture}


@pytest.mark.parametrize("system", sorted(FIGHTS))
@pytest.mark.parametrize("kind", ["fight", "exchange"])
def test_a_game_arrives_as_it_was_at_random_moments(kind: str, system: str) -> None:
    chance = Random(f"{kind} {system}")
    game: Fight | PlayedGame = (
        Fight.begin(system, FIGHTS[system]) if kind == "fight"
        else PlayedGame.begin(system, Shipped(GAMES[system]))
    )  # fmt: skip
    met = set()
    for _ in range(STEPS):
        game = changed(game, chance)
        met |= {name for name in ("undone", "lying", "seats", "taken_back") if getattr(game, name)}
        if chance.random() < 0.25:
            assert all_of(crossed(game)) == all_of(game)
    assert game.revision > moves_of(game)
    assert {"undone", "seats"} <= met
    again, seed = crossed(game), chance.randrange(1000)
    one, other = changed(game, Random(seed)), changed(again, Random(seed))
    assert all_of(one) == all_of(other)


def test_what_people_said_for_later_crosses_too() -> None:
    fight = Fight.begin("empty-earth", "bo-husk")
    said = fight.promised(Ahead(orders=(Order("Bo", 1, "attack husk"),)))
    assert cast("Fight", crossed(said)).ahead == said.ahead != fight.ahead


def test_anything_else_is_refused() -> None:
    whole = crossing(Fight.begin("empty-earth", "bo-husk"))
    for key in whole:
        with pytest.raises(StoreError, match=f"not whole: '{key}'"):
            arrived({name: value for name, value in whole.items() if name != key})
