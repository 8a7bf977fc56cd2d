"""Everything affray raises on purpose.

    AffrayError
    ├── RulesError     a system is wrong: the bug is in rule text, not in what a user gave
    │   └── StuckError     a rule does not come back
    ├── SetupError     a sheet, file or declaration is wrong        (also a ValueError)
    │   └── UnknownNameError   a name of a system, clause, field, ... that nobody knows
    ├── MissingError   the rules come to need a value that nobody gave (also a ValueError)
    ├── AnswerError    not a face of these dice, not an option here (also a ValueError)
    ├── ForbiddenError what somebody may not do or see who has this role
    ├── MovedOnError   what was given is for a moment that is over
    ├── LimitError     too large, too long or stopped; carries what was done so far
    └── StoreError     something kept could not be read or written

A message says what was given, where, what is allowed, and where it helps what to do. It fits on a
screen, and nothing in it steers a terminal. The same stands as data in `code` and `faults`, for
forms and programs. Nothing changes when one of these is raised.
"""

from collections import abc
from typing import ClassVar, Self

from affray.core.lazy import NamedTuple
from affray.core.telling import escaped, fitted

__all__ = [
    "AffrayError", "AnswerError", "Fault", "ForbiddenError", "LimitError", "MissingError",
    "MovedOnError", "RulesError", "SetupError", "StoreError", "StuckError", "UnknownNameError",
]  # fmt: skip


class Fault(NamedTuple):
    """One thing that is wrong with something that was given.

    Attributes:
        where: a JSON pointer to the value in the table that was given; "": all of it. Of a key
            that is missing, where it should be.
        what: what is wrong, in a sentence.
        given: the value as plain JSON, long ones cut; None: there is none.
        allowed: what may stand there; "": no few words say it.
        code: a short word: "unknown-key", "missing", "out-of-range", ...; else the error's code.
        nearest: the known name that was most likely meant; "": none is near.
        origin: the table that `where` points into: a file, "example ...", "changes", ...; "":
            the fault is in no table.
    """

    where: str
    what: str
    given: object = None
    allowed: str = ""
    code: str = ""
    nearest: str = ""
    origin: str = ""


class AffrayError(Exception):
    """The root of the tree. Messages are cut to a screen, control characters escaped.

    Attributes:
        code: a short word for the kind of error, for programs.
        advice: a key for what helps, such as "roster"; whoever shows the message knows how that
            is done there (an option, a button); "" if nothing more can be said.
    """

    code: ClassVar[str] = "error"

    def __init__(
        self, message: str = "", *, advice: str = "", faults: abc.Iterable[Fault] = ()
    ) -> None:
        super().__init__(fitted(message))
        self.advice = advice
        self._faults = tuple(faults)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Everything that is wrong; at least one fault."""
        if not self._faults:
            return (Fault("", escaped(str(self)), code=self.code),)
        return tuple(one if one.code else one._replace(code=self.code) for one in self._faults)

    def at(self, where: str, origin: str = "") -> Self:
        """The same error, its faults below a place of a table.

        Args:
            where: a JSON pointer.
            origin: the table, for faults that name none.
        """
        self._faults = tuple(
            one if one.origin else one._replace(where=where + one.where, origin=origin)
            for one in self.faults
        )
        return self


class RulesError(AffrayError):
    """A system's rule text is wrong: a missing clause, a step that leads nowhere."""

    code = "system"


class StuckError(RulesError):
    """A rule does not come back: it spins, or waits for something."""

    code = "stuck"


class SetupError(AffrayError, ValueError):
    """A sheet, a setup file or the declaration of an attack is wrong or against the rules."""

    code = "rules-refuse"


class UnknownNameError(SetupError):
    """A name of a system, clause, field, objective, ruling or example that nobody knows."""

    code = "unknown-name"


class MissingError(AffrayError, ValueError):
    """The rules come to need a value that nobody gave.

    No refusal: a fight takes a `SetupError` for something that a fighter can't do, and goes on
    with what is left; this one ends it.
    """

    code = "missing-value"


class AnswerError(AffrayError, ValueError):
    """An answer that the question does not allow; the session is unchanged."""

    code = "answer"


class ForbiddenError(AffrayError):
    """Somebody may not do or see something, whose role it is not.

    Attributes:
        asks: whether a game master may allow it when asked.
    """

    code = "forbidden"

    def __init__(self, message: str, *, asks: bool = False) -> None:
        super().__init__(message)
        self.asks = asks


class MovedOnError(AffrayError):
    """Something was given for a moment of a game that is over: somebody else was quicker.

    Attributes:
        revision: that to which the game has come.
        question: what it asks now; None: nothing, or whoever raises this doesn't know.
    """

    code = "moved-on"

    def __init__(self, message: str, *, revision: int, question: object = None) -> None:
        super().__init__(message)
        self.revision = revision
        self.question = question


class LimitError(AffrayError):
    """A limit was reached: of size, time or memory, or somebody asked to stop.

    Attributes:
        limit: which one: "places", "pairs", "seconds", "bytes", "dice", ...; "interrupted" if
            somebody asked to stop.
        states: how many states were expanded before stopping.
        p_ended: the probability (0 to 1) of all outcomes that were reached by then.
        done: what was done by then, by name: conditions, exchanges, rounds, battles, ...
    """

    code = "limit"

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

    @property
    def settled(self) -> dict[str, object]:
        """What was settled before the limit was reached, as plain JSON."""
        return {
            "limit": self.limit, "states": self.states, "p_ended": float(self.p_ended),
            "done": {name: float(value) for name, value in self.done.items()},
        }  # fmt: skip


class StoreError(AffrayError):
    """Something kept, such as a saved game, could not be read, written or understood."""

    code = "store"
