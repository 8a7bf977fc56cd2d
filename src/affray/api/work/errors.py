"""Errors between processes: as data where they are raised, and raised again where they arrive."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable, Mapping

from affray.app.inputs.intake import InputError
from affray.app.registry import blame
from affray.core import errors
from affray.core.errors import AffrayError, Fault
from affray.core.telling import shown

__all__ = [
    "OutdatedError", "QueueFullError", "WorkFailedError", "WorkerLostError", "again", "as_data",
]  # fmt: skip


class WorkerLostError(AffrayError):
    """The worker that was at it ended before it was done; another one takes its place."""

    code = "worker-lost"


class WorkFailedError(AffrayError):
    """A fault in the program or in a system: it was raised where nobody expects it."""

    code = "internal"


class OutdatedError(AffrayError):
    """The same page asked something newer, so nobody waits for this any more."""

    code = "outdated"


class QueueFullError(AffrayError):
    """Too many questions wait already.

    Attributes:
        retry_after: seconds after which it is worth another try.
    """

    code = "queue-full"

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


CARRIED = ("advice", "code", "faults", "limit", "states", "p_ended", "done")
"""What errors carry besides their message, as far as they do."""


def as_data(error: BaseException) -> dict[str, object]:
    """An error as a table.

    What no code of ours raises on purpose is a fault: its trace goes to the log of the server, and
    only its kind and message to whoever asked.
    """
    if isinstance(error, MemoryError):
        error = WorkerLostError("there was no memory left for it; the worker is replaced")
    elif not isinstance(error, AffrayError):
        traceback.print_exception(error, file=sys.stderr)
        told = blame(error) or f"{type(error).__name__}: {error}"
        error = WorkFailedError(f"this failed, which is a fault of the program: {told}")
    kinds = [kind.__name__ for kind in type(error).__mro__]
    carried = {name: _plain(getattr(error, name)) for name in CARRIED if hasattr(error, name)}
    return {"kinds": kinds, "message": str(error), **carried}


def _plain(value: object) -> object:
    """As JSON says it: tuples as lists, named ones as tables."""
    names: Iterable[str] | None = getattr(value, "_fields", None)
    if names is not None:
        return {name: _plain(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(key): _plain(held) for key, held in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(held) for held in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else shown(value)


KNOWN: Mapping[str, type[AffrayError]] = {
    **{name: getattr(errors, name) for name in errors.__all__ if name.endswith("Error")},
    **{kind.__name__: kind for kind in (InputError, WorkFailedError, WorkerLostError)},
}
"""The errors that arrive as what they were; others as the first of these that they are."""


def again(data: Mapping[str, object]) -> AffrayError:
    """The error that a table tells of."""
    kinds = data["kinds"]
    assert isinstance(kinds, list)  # `as_data` wrote it
    kind = next(KNOWN[name] for name in kinds if name in KNOWN)
    error = kind.__new__(kind)
    faults = data["faults"]
    assert isinstance(faults, list)  # the same
    AffrayError.__init__(error, str(data["message"]), faults=[Fault(**row) for row in faults])
    vars(error).update({name: data[name] for name in CARRIED if name in data and name != "faults"})
    return error
