"""The outcome of an exchange, by the names of its fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from affray.core.errors import AnswerError, UnknownNameError
from affray.core.node import Facts
from affray.core.showing import html_table
from affray.core.system import System
from affray.core.telling import shown
from affray.engine.exchange.odds import fields_named

__all__ = ["Result"]


class Result(Mapping[str, object]):
    """The outcome fields of an exchange by name; other names of a field will do as well.

    Args:
        system: whose fields they are.
        outcome: the final facts; None while the exchange goes on: there are no fields yet.
    """

    __slots__ = ("_outcome", "_system")

    def __init__(self, system: System[Facts], outcome: Facts | None) -> None:
        self._system = system
        self._outcome = outcome

    def __getitem__(self, name: str) -> object:
        (field,) = fields_named(self._system, (name,))
        if self._outcome is None:
            raise AnswerError(f"no {shown(name)} yet: the exchange is not over")
        return field.of(self._outcome)

    def __contains__(self, name: object) -> bool:
        try:
            return (
                isinstance(name, str) and bool(self) and bool(fields_named(self._system, (name,)))
            )
        except UnknownNameError:
            return False

    def __iter__(self) -> Iterator[str]:
        return iter([field.name for field in self._system.fields] if self else [])

    def __len__(self) -> int:
        return len(self._system.fields) if self else 0

    def __bool__(self) -> bool:
        return self._outcome is not None

    def __repr__(self) -> str:
        told = ", ".join(f"{name} {value}" for name, value in self.items() if value)
        return f"<result in {self._system.id}: {told or 'nothing'}>" if self else "<no result yet>"

    def _repr_html_(self) -> str:
        """The fields as a table, for notebooks."""
        return html_table("Result", ("field", "value"), self.items())
