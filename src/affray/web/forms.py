"""What a form or an address says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated
from urllib.parse import parse_qsl

from fastapi import Depends, Request

from affray.app.inputs.intake import InputError
from affray.core.telling import shown

__all__ = ["Form", "Said", "fields_of"]

MOST_FIELDS = 2_000


class Said:
    """The fields of a form, in order; a field may come several times.

    >>> said = Said((("with", "jinx"), ("set", "a=1"), ("set", "b=2")))
    >>> said.text("with"), said.texts("set"), said.text("far", "10")
    ('jinx', ('a=1', 'b=2'), '10')
    """

    def __init__(self, pairs: tuple[tuple[str, str], ...]) -> None:
        self.pairs = pairs

    def text(self, name: str, otherwise: str = "") -> str:
        """The last value of a field, stripped."""
        found = [value.strip() for key, value in self.pairs if key == name]
        return found[-1] if found else otherwise

    def number(self, name: str, otherwise: int = 0) -> int:
        """The last value of a field as a whole number.

        Raises:
            InputError: it is none.
        """
        text = self.text(name, str(otherwise))
        if not (text.isascii() and text.isdecimal() and len(text) < 10):
            raise InputError(f"{name}: {shown(text)}; must be a whole number")
        return int(text)

    def texts(self, name: str) -> tuple[str, ...]:
        """All values of a field that are not empty."""
        return tuple(value.strip() for key, value in self.pairs if key == name and value.strip())

    def below(self, prefix: str) -> Mapping[str, str]:
        """The fields whose names begin so, by the rest of their names."""
        return {
            key.removeprefix(prefix): value for key, value in self.pairs if key.startswith(prefix)
        }

    def __contains__(self, name: str) -> bool:
        return any(key == name for key, _value in self.pairs)


def fields_of(text: str) -> Said:
    """The fields of a query, or of a form's body; browsers end lines with CR LF, we with LF.

    Raises:
        InputError: too many of them.
    """
    try:
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise InputError(f"a form has at most {MOST_FIELDS} fields") from None
    return Said(tuple((name, value.replace("\r\n", "\n")) for name, value in pairs))


async def read_form(request: Request) -> Said:
    """What a form says: in its body, or, if it asks only, in its address."""
    if request.method == "GET":
        return fields_of(request.url.query)
    return fields_of((await request.body()).decode("utf-8", "replace"))


Form = Annotated[Said, Depends(read_form)]
"""What a form says."""
