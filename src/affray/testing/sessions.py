"""Sessions: undo, replay, wrong answers, saved games, the log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise

from affray.app.files import saved
from affray.core.errors import AnswerError
from affray.engine.exchange.session import Session
from affray.testing.law import Law, law
from affray.testing.material import Material, apart, random_session

__all__ = ["LAWS"]

MOST_SAVED = 4
"""At about so many places of a playthrough a game is saved and opened again; one is its end."""
_PURE = "A step must say the same to the same facts, and facts must be equal if they are alike."


@law("sessions", "Let the example be played, or say under `expect` that it is refused.",
     over=Material.accepted)  # fmt: skip
def examples_can_be_played(material: Material, name: str) -> Iterator[str]:
    """Every example loads, and comes to an end whatever is rolled and chosen."""
    material.loaded(name)
    found = material.playthroughs[name]
    if isinstance(found, str):
        yield found


@law("sessions", _PURE, over=Material.played)
def undo_inverts_an_answer(material: Material, name: str) -> Iterator[str]:
    """Undo leads back to where the answer was given."""
    for game in material.starts(name):
        sessions = list(random_session(game, 1))
        for before, after in pairwise(sessions):
            undone = after.undo()
            if (undone.here, undone.answers, undone.steps_taken) != (
                before.here, before.answers, before.steps_taken,
            ):  # fmt: skip
                yield f"undoing {_told(after)} at step {before.here.step.name} leads elsewhere"
                return
        if sessions[0].undo() is not sessions[0]:
            yield "there is something to undo before the first answer"


def _told(session: Session) -> str:
    last = session.answers[-1]
    return last.option or " ".join(map(str, last.faces))


@law("sessions", _PURE, over=Material.played)
def the_same_answers_replay_identically(material: Material, name: str) -> Iterator[str]:
    """The same answers lead to the same end by the same way, and the log tells the same."""
    for game in material.starts(name):
        *_, last = random_session(game, 1)
        again = Session.replay(game, last.answers)
        if (again.here, again.steps_taken) != (last.here, last.steps_taken):
            yield f"the same answers end {apart(again.here, last.here)}"
        elif again.log != last.log:
            yield "the same answers give another log"


@law("sessions", "Refuse what is not on offer; `choose` and `Chance` do it.", over=Material.played)
def a_wrong_answer_changes_nothing(material: Material, name: str) -> Iterator[str]:
    """A wrong answer is refused with what is allowed, and changes nothing."""
    for game in material.starts(name):
        for session in random_session(game, 2):
            before = (session.here, session.steps_taken)
            for given, words in _wrong_answers(session):
                try:
                    session.answer(given)
                except AnswerError as refused:
                    if not any(word in str(refused) for word in words):
                        yield f"{given!r} is refused without what is allowed: {refused}"
                else:
                    yield f"at step {session.here.step.name} {given!r} is accepted"
                if (session.here, session.steps_taken) != before:
                    yield f"{given!r} is refused, but changes the session"


def _wrong_answers(
    session: Session,
) -> Iterator[tuple[str | tuple[int, ...], tuple[str, ...]]]:
    question = session.question
    if question is None:
        yield "anything", ("over",)
    elif question.dice is None:
        yield "no such option", ("allowed: ",)
    else:
        yield (10_000,) * question.dice.size, ("needed: ", "allowed: ")
        yield (1,) * (question.dice.size + 1), ("needed: ",)


@law("sessions", "Everything that is saved must come back from JSON as it was: sheets of plain "
     "values, dice with faces that are numbers or texts.", over=Material.played)  # fmt: skip
def a_saved_game_goes_on_where_it_stood(material: Material, name: str) -> Iterator[str]:
    """A game that is saved as JSON and opened again stands where it stood."""
    loaded = material.loaded(name)
    for seed in range(2):
        sessions = list(random_session(loaded.game, seed))
        for session in sessions[:: -1 - len(sessions) // MOST_SAVED]:
            raw = json.loads(json.dumps(saved.to_saved(loaded, session)))
            found = saved.restore(material.system, raw, "the saved game")
            where = f"saved at step {session.here.step.name}"
            if found.notes:
                yield f"{where}, it comes back with a note: {found.notes[0]}"
                return
            if (found.session.here, found.session.steps_taken) != (
                session.here,
                session.steps_taken,
            ):
                yield f"{where}, it goes on {apart(found.session.here, session.here)}"
                return


@law("sessions", "Cite clauses of clauses.toml in @step.", over=Material.played)
def the_log_cites_clauses(material: Material, name: str) -> Iterator[str]:
    """Every line of the log cites clauses that there are."""
    known = set(material.system.clauses)
    found = material.playthroughs[name]
    for last in () if isinstance(found, str) else found[:: 1 + len(found) // 4]:
        for line in last.log:
            if not line.clauses or not set(line.clauses) <= known:
                yield f"step {line.step} cites {', '.join(line.clauses) or 'no clause'}"
                return


LAWS: tuple[Law, ...] = (
    examples_can_be_played,
    undo_inverts_an_answer,
    the_same_answers_replay_identically,
    a_wrong_answer_changes_nothing,
    a_saved_game_goes_on_where_it_stood,
    the_log_cites_clauses,
)
