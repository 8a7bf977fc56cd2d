"""What happened in a fight, in sentences that need no knowledge of the program to be read.

A terminal prints them, and so may a web page, an export, or a game master that is a program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from affray.app.views.accounts import uncited
from affray.core.telling import plain_key, value_told

if TYPE_CHECKING:
    from affray.app.views.played_fights import EventRow, StandsRow

__all__ = ["ground_told", "outcome_told", "said_of", "stands_told"]

GROUNDS = {
    "solved": "worked out", "look-ahead": "by looking ahead", "rule of thumb": "by rule of thumb",
    "toss-up": "a toss-up", "unasked": "not asked, since nothing depends on it", "habit": "habit",
}  # fmt: skip


def ground_told(by: Sequence[str]) -> str:
    """What a decision went by that nobody typed, in words; "" where there is nothing to say."""
    return GROUNDS.get(by[0], "") if by else ""


def stands_told(rows: Sequence[StandsRow]) -> str:
    """How fighters stand, in a sentence each."""
    return " ".join(f"{_stood(row)}." for row in rows)


def _stood(row: StandsRow) -> str:
    left = f"{row.bar[0]}/{row.bar[1]}" if row.bar else ""
    told = f"{row.name} {', '.join(filter(None, (left, *row.short)))}".rstrip()
    return f"{told}: {row.state.upper()}" if row.is_out else told


def said_of(event: EventRow, ending: str = "", *, cited: bool = False) -> tuple[str, ...]:
    """An event in sentences: one for most; an exchange has as many texts as it has accounts.

    Args:
        event: what happened; of a round that begins, the order is told if there is one.
        ending: how the fight ended, for the event that ends it.
        cited: whether the clauses stay that a reason names.
    """
    who = event.fighter
    match event.kind:
        case "round":
            order = f": {', '.join(event.order)}" if event.order else ""
            return (f"Round {event.round}{order}.",)
        case "initiative":
            return (f"{who} rolls {', '.join(map(str, event.faces))} for initiative.",)
        case "exchange":
            return _exchange(event)
        case "pass":
            return (f"{who} does nothing more in this turn." if not event.why
                    else f"{who}: {event.why}.",)  # fmt: skip
        case "wait":
            return (f"{who} waits.",)
        case "interrupt":
            return (f"{who} acts before {event.target} can {plain_key(event.deed)}.",)
        case "habit":
            return (f"From now on {event.why}.",)
        case "hand":
            told = (f"The game master {event.why}.", stands_told(event.stands))
            return (" ".join(filter(None, told)),)
        case "over":
            return (ending,) if ending else ()
        case "turn" | "close":
            return (stands_told(event.stands),) if event.stands else ()
        case _:  # of the situation, or of dice that were taken back
            why = (event.why if cited else uncited(event.why)).removesuffix(".")
            return (f"{why}.",) if why else ()


def outcome_told(outcome: Mapping[str, object], told: Sequence[str]) -> str:
    """The outcome of an exchange in a sentence; "" where nothing of it is worth telling.

    >>> outcome_told({"hit": True, "hp_lost": 3, "margin": 4}, ["hit", "hp_lost"])
    'Outcome: hit yes, hp lost 3.'
    """
    fields = (f"{plain_key(name)} {value_told(outcome[name])}" for name in told)
    return f"Outcome: {', '.join(fields)}." if told else ""


def _exchange(event: EventRow) -> tuple[str, ...]:
    """The accounts of an exchange; the last one ends with how people stand."""
    texts = [account.text for account in event.short]
    if event.stands:
        stands = stands_told(event.stands)
        texts[-1:] = [f"{texts[-1]} {stands}" if texts else stands]
    return tuple(texts)
