"""Answers refused: the error, with the fault as data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from affray.core.dice import Pool, spoken
from affray.core.errors import AnswerError, Fault
from affray.core.telling import shortened, shown

__all__ = ["faces_refused", "option_refused"]

ANSWER = "answer"
"""The origin of faults in answers; their places are `/faces/0`, `/option`, ..."""


def faces_refused(pool: Pool, faces: Sequence[object], where: str) -> AnswerError | None:
    """The error for faces that can't be a roll of these dice; None: they can.

    Args:
        pool: the dice.
        faces: one for each die.
        where: what is rolled, for the message.
    """
    told = pool.refuse(faces)
    if told is None:
        return None
    what, _, allowed = told.partition("; allowed: ")
    place, given, code = "/faces", shortened(list(faces)), "number-of-faces"
    if len(faces) == pool.size:
        wrong = next(n for n, die in enumerate(pool.dice) if Pool((die, 1)).refuse([faces[n]]))
        place, given, code = f"/faces/{wrong}", shortened(faces[wrong]), "no-face"
        allowed = spoken(pool.dice[wrong])
    fault = Fault(place, what, given, allowed or f"{pool.size} faces", code, origin=ANSWER)
    return AnswerError(f"{where}: {told}", faults=[fault])


def option_refused(told: str, given: str, names: Iterable[str], why: str = "") -> AnswerError:
    """The error for an option that can't be taken.

    Args:
        told: the message without the options on offer.
        given: what was wanted.
        names: the options on offer.
        why: the reason why it is closed; "": it is none here.
    """
    allowed = ", ".join(names)
    what = why or f"{shown(given)} is not on offer"
    code = "closed-option" if why else "unknown-option"
    fault = Fault("/option", what, shortened(given), allowed, code, origin=ANSWER)
    return AnswerError(f"{told}; allowed: {allowed}", faults=[fault])
