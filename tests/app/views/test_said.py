"""What happened in a fight, in sentences that people read without knowing the program."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from affray.app.exchange_computers import computer_rolls
from affray.app.fight import Fight
from affray.app.play import PlayedGame
from affray.app.rolling import Roll
from affray.app.sources import Shipped

FIGHTS = {
    "eclipse-phase": "ripper-dog",
    "empty-earth": "brockton",
    "affinity": "lair",
    "emlia": "ford-meadow",
    "grid-battles": "siege",
}
INTERNAL = re.compile(r"_|\(\)|\bTrue\b|\bFalse\b|\bNone\b|FighterId|\b(?:EP|EE|AF|EM|GB)-\d")
SENTENCE = re.compile(r"[^a-z\s].*[.!]")


def gone_on(fight: Fight, moves: int) -> Fight:
    """The fight after so many more moves, or at its end: usual options, dice of a seed."""
    dice = computer_rolls(7)
    for _ in range(moves):
        question, asked = fight.question, fight.asked
        if question is None or asked is None:
            break
        if asked.dice is None:
            fight = fight.answer(question.usual)
        else:
            fight = fight.answer(Roll(asked.dice).thrown(dice).answer)
    return fight


@cache
def played(system: str) -> Fight:
    fight = gone_on(Fight.begin(system, FIGHTS[system]), 60)
    return fight if fight.verdict else fight.hand("end", verdict="drawn")


@pytest.mark.parametrize("system", FIGHTS)
def test_every_event_is_a_sentence_without_a_word_of_the_program(system: str) -> None:
    events = played(system).view(since=-1).events
    told = [(event.kind, text) for event in events for text in event.said]
    assert {"round", "exchange"} <= {kind for kind, _ in told}
    assert not [text for _, text in told if INTERNAL.search(text) or not SENTENCE.fullmatch(text)]
    silent = {event.kind for event in events if not event.said}
    assert silent <= {"turn", "close"}, "a turn or a round may end without anything to tell"


def test_the_order_of_turns_is_said_when_it_is_new() -> None:
    rounds = [event for event in played("affinity").view(since=-1).events if event.kind == "round"]
    assert len(rounds) > 1
    assert rounds[0].said == (f"Round 1: {', '.join(rounds[0].order)}.",)
    for last, this in pairwise(rounds):
        order = "" if this.order == last.order else f": {', '.join(this.order)}"
        assert this.said == (f"Round {this.round}{order}.",)


def test_the_order_of_turns_stays_unsaid_when_only_later_moves_are_asked_for() -> None:
    fight = played("affinity")
    whole = fight.view(since=-1).events
    for since in range(1, len(fight.moves)):  # as many changes as moves
        later = tuple(event for event in whole if event.move > since)
        assert fight.view(since=since).events == later


def said_by(what: str, **values: object) -> str:
    """What a hand is told as, in a fight of two against seven."""
    fight = Fight.begin("empty-earth", "brockton")
    event = fight.hand(what, **values).view().events[0]
    assert event.kind in {"habit", "hand"}
    (told,) = event.said
    return told


@pytest.mark.parametrize(
    ("what", "values", "told"),
    [
        ("set", {"fighter": "Husk 2", "key": "vitality", "value": 1},
         "The game master sets Husk 2's Vitality to 1. Husk 2 1/3."),
        ("leave", {"fighter": "Husk 2"}, "The game master takes Husk 2 out of the fight."),
        ("enter", {"side": "other", "fighter": "husk"}, "The game master brings in Husk 7."),
        ("order", {"order": ["Husk 1", "Ada"]},
         "The game master still lets act in this round: Husk 1, then Ada."),
        ("first", {"first": "other"},
         "The game master says how turns begin from the next round on: The Empty goes first."),
        ("end", {"verdict": "one"}, "The game master ends the fight: Ada and Bo won."),
        ("habit", {"who": "Ada", "step": "take_aim", "option": "aim", "against": "husk"},
         'From now on Ada always takes "aim" against husk (take aim).'),
    ],
)  # fmt: skip
def test_a_game_masters_hand_is_a_sentence(what: str, values: dict[str, Any], told: str) -> None:
    assert said_by(what, **values) == told


def test_the_end_of_a_fight_is_said_as_the_view_tells_it() -> None:
    view = Fight.begin("empty-earth", "brockton").hand("end", verdict="drawn").view()
    assert view.events[-1].kind == "over"
    assert view.events[-1].said == (view.ending,)


def test_who_is_out_is_named_so_where_nothing_else_changed() -> None:
    """0 Vitality: out."""
    fight = Fight.begin("empty-earth", "brockton")
    (event,) = fight.hand("set", fighter="Husk 2", key="vitality", value=0).view().events
    assert event.said[0].endswith("Husk 2 0/3: DEFEATED.")


def test_an_exchange_is_told_by_names_and_its_outcome_in_words() -> None:
    """81 of 80 fails."""
    game = PlayedGame.begin("eclipse-phase", Shipped("jinx-shoots"))
    while (asked := game.session.question) is not None:
        faces = (81,) * asked.dice.size if asked.dice is not None else ()
        game = game.answer(faces or asked.options[0].name)
    view = game.view()
    assert view.said == tuple(account.text for account in view.short)
    assert view.said
    assert not any(INTERNAL.search(text) for text in (*view.said, view.ending))
    assert view.ending.startswith("Outcome: ")
