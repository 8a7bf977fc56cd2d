"""Everything affray raises on purpose.

    AffrayError
    ├── RulesError     a system is wrong: the bug is in rule text, not in what a user gave
    │   └── StuckError     a rule does not come back
    ├── SetupError     a sheet, file or declaration is wrong        (also a ValueError)
    │   └── UnknownNameError   a name of a system, clause, field, ... that nobody knows
    ├── MissingError   the rules come to need a value that nobody gave (also a ValueError)
    ├── AnswerError    not a face of these dice, not an option here (also a ValueError)
    ├── LimitError     too large, too long or stopped; carries what was done so far
    └── StoreError     something kept could not be read or written

A message says what was given, where, what is allowed, and where it helps what to do. It fits on a
screen, and nothing in it steers a terminal. Nothing changes when one of these is raised.
"""

from collections import abc

from affray.core.telling import fitted

__all__ = [
    "AffrayError", "AnswerError", "LimitError", "MissingError", "RulesError", "SetupError",
    "StoreError", "StuckError", "UnknownNameError",
]  # fmt: skip


class AffrayError(Exception):
    """The root of the tree. Messages are cut to a screen, control characters escaped.

    Attributes:
        advice: a key for what helps, such as "roster"; whoever shows the message knows how that
            is done there (an option, a button); "" if nothing more can be said.
    """

    def __init__(self, message: str = "", *, advice: str = "") -> None:
        super().__init__(fitted(message))
        self.advice = advice


class RulesError(AffrayError):
    """A system's rule text is wrong: a missing clause, a step that leads nowhere."""


class StuckError(RulesError):
    """A rule does not come back: it spins, or waits for something."""


class SetupError(AffrayError, ValueError):
    """A sheet, a setup file or the declaration of an attack is wrong or against the rules."""


class UnknownNameError(SetupError):
    """A name of a system, clause, field, objective, ruling or example that nobody knows."""


class MissingError(AffrayError, ValueError):
    """The rules come to need a value that nobody gave.

    No refusal: a fight takes a `SetupError` for something that a fighter can't do, and goes on
    with what is left; this one ends it.
    """


class AnswerError(AffrayError, ValueError):
    """An answer that the question does not allow; the session is unchanged."""


class LimitError(AffrayError):
    """A limit was reached: of size, time or memory, or somebody asked to stop.

    Attributes:
        limit: which one: "places", "pairs", "seconds", "bytes", "dice", ...; "interrupted" if
            somebody asked to stop.
        states: how many states were expanded before stopping.
        p_ended: the probability (0 to 1) of all outcomes that were reached by then.
        done: what was done by then, by name: conditions, exchanges, rounds, battles, ...
    """

    def __init__(
        self,
        message: str,
        *,
        limit: str = "",
        states: int = 0,
        p_ended: float = 0.0,
        done: abc.Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(message)
        self.limit = limit
        self.states = states
        self.p_ended = p_ended
        self.done = dict(done or {})


class StoreError(AffrayError):
    """Something kept, such as a saved game, could not be read, written or understood."""
