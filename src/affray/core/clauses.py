"""A book's clauses: the list of them, the code that carries each out, and gaps that are assumed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from affray.core.errors import RulesError
from affray.core.lazy import NamedTuple
from affray.core.ruling import Rulings

__all__ = ["Clause", "Gap", "check_clauses", "check_prefix", "listed_clauses"]

_PREFIX = re.compile(r"[A-Z]{2,6}")


class Clause(NamedTuple):
    """One clause of a book: its id, where it stands, what it is about, what became of it.

    Attributes:
        id: such as "EP-56". source: the chapter or page. title: a few words.
        status: `carried out`, `in part`, `not yet`, `unknown in the source` (the text leaves it
            open), or `note` (nothing to compute).
        reason: what is left out, and why; "" where nothing is.
    """

    id: str
    source: str
    title: str
    status: str
    reason: str = ""


class Gap(NamedTuple):
    """Something that a book leaves out and that is assumed here: whoever reads a number is told.

    Attributes:
        clause: the clause that says what is left out.
        says: what is assumed, in one sentence.
        met: whether an exchange from this setup, under these rulings, rests on it.
    """

    clause: str
    says: str
    met: Callable[[Any, Rulings], bool]

    def __repr__(self) -> str:
        return f"<gap {self.clause}: {self.says}>"

    @property
    def told(self) -> str:
        """The sentence, with its clause."""
        return f"{self.says.removesuffix('.')} ({self.clause})."


def listed_clauses(system: str, folder: Path) -> dict[str, Clause]:
    """The clauses of a system by id, from its clauses.toml.

    Raises:
        RulesError: the file can't be read, or a clause isn't described by three or four texts.
    """
    path = folder / "clauses.toml"
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RulesError(
            f"{system}: {path} can't be read: {error.strerror or error}; every system lists "
            "its clauses there"
        ) from None
    except ValueError as error:
        raise RulesError(f"{system}: {path} is no TOML: {error}") from None
    for number, row in rows.items():
        if not (isinstance(row, list) and len(row) in {3, 4} and all(map(_is_text, row))):
            raise RulesError(
                f"{system}: clauses.toml: {number} is {row!r}; must be three texts: where "
                "it stands, what it is about, and its status; and a fourth that says what is "
                "left out, if something is"
            )
    return {number: Clause(number, *row) for number, row in rows.items()}


def check_prefix(system: str, prefix: str) -> None:
    """Refuse a prefix of clause ids that isn't a few capital letters.

    Raises:
        RulesError: it isn't.
    """
    if not _PREFIX.fullmatch(prefix):
        raise RulesError(f"{system}: prefix {prefix!r}; allowed: two to six capital letters")


def check_clauses(
    system: str,
    prefix: str,
    listed: Mapping[str, Clause],
    *,
    carriers: Mapping[str, Sequence[str]],
    gaps: Sequence[Gap],
) -> None:
    """Compare the clauses that a system lists with the code that cites them.

    Args:
        system: its id.
        prefix: what its clause ids start with.
        listed: the clauses in its clauses.toml.
        carriers: for each clause that is cited the code that carries it out.
        gaps: what is assumed.

    Raises:
        RulesError: an id of another form, a clause that is cited and not listed, or one whose
            status doesn't agree with the code.
    """
    shape = re.compile(rf"{prefix}-\d+[a-z]?")
    form = f"clause ids are {prefix}- and a number, such as {prefix}-7 or {prefix}-7a"
    for clause in listed:
        if not shape.fullmatch(clause):
            raise RulesError(f"{system}: clauses.toml lists {clause!r}; {form}")
    for clause, spots in carriers.items():
        if not shape.fullmatch(clause):
            raise RulesError(f"{system}: {spots[0]} cites {clause!r}; {form}")
        if clause not in listed:
            raise RulesError(
                f"{system}: {spots[0]} cites {clause!r}, which clauses.toml doesn't list"
            )
    for gap in gaps:
        if gap.clause not in listed:
            raise RulesError(
                f"{system}: a gap names clause {gap.clause!r}, which clauses.toml doesn't list"
            )
    for known in listed.values():
        if known.status == "unknown in the source":
            continue
        if (known.status in {"carried out", "in part"}) != (known.id in carriers):
            raise RulesError(
                f"{system}: clause {known.id} is said to be {known.status!r}, carried by "
                f"{carriers.get(known.id, 'nothing')}"
            )


def _is_text(value: object) -> bool:
    return isinstance(value, str)
