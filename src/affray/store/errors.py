"""What a store refuses: each a `StoreError` that a caller can tell from the others."""

from __future__ import annotations

from affray.core.errors import Fault, StoreError

__all__ = ["DatabaseError", "NotKeptError", "RevisionError", "UnavailableError"]


class RevisionError(StoreError):
    """Something was to be changed at a revision that is no longer the last one.

    Attributes:
        revision: the revision that it has now.
    """

    code = "moved-on"

    def __init__(self, message: str, revision: int) -> None:
        super().__init__(message)
        self.revision = revision


class NotKeptError(StoreError):
    """The store holds nothing of this id."""

    code = "not-kept"


class DatabaseError(StoreError):
    """The database refuses something.

    Attributes:
        words: what is wrong, in words that name no host, user, file or database; `faults` say no
            more.
    """

    def __init__(self, where: str, words: str, details: str = "") -> None:
        told = f"{where}: {words}" + (f": {details}" if details else "")
        super().__init__(told, faults=[Fault("", words)])
        self.words = words


class UnavailableError(DatabaseError):
    """The database is locked, gone or out of reach: the same request may succeed later."""

    code = "unavailable"
