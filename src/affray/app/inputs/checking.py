"""Tables held against sheets: everything that doesn't fit, at once, and where it was written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Protocol, TypeVar

from affray.app.inputs.building import UnfitError, built
from affray.app.inputs.intake import (
    MOST_FAULTS,
    MOST_TOLD,
    InputError,
    Place,
    Raw,
    Written,
    place_told,
    pointer,
)
from affray.core.errors import AffrayError, AnswerError, Fault, SetupError, StoreError
from affray.core.lazy import NamedTuple
from affray.core.names import nearest, nearest_name
from affray.core.telling import shortened, shown

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError
    from pydantic_core import ErrorDetails

__all__ = [
    "Gathered", "Traced", "adapter", "fault_alone", "fault_at", "other_kind", "placed", "together",
    "validated",
]  # fmt: skip

E = TypeVar("E", bound=AffrayError)
T = TypeVar("T")


# -- several errors as one -----------------------------------------------------------------------


class Gathered:
    """Errors of one table, kept until everything else that can be checked is."""

    def __init__(self) -> None:
        self.errors: list[AffrayError] = []

    @contextmanager
    def kept(self, where: str = "", origin: str = "") -> Iterator[None]:
        """Keep what is refused in here, placed below a JSON pointer of a table, and go on."""
        try:
            yield
        except (SetupError, AnswerError, StoreError) as error:
            self.errors.append(error.at(where, origin) if where or origin else error)

    def attempt(self, make: Callable[[], T], otherwise: T) -> T:
        """What is made; the other value if that is refused, which is kept."""
        with self.kept():
            return make()
        return otherwise

    def tell(self) -> None:
        """Raise what was kept as one error; do nothing if nothing was.

        Raises:
            InputError: several things are wrong, or it is one.
            SetupError, AnswerError, StoreError: the only one.
        """
        if self.errors:
            raise together(self.errors)


@contextmanager
def placed(where: str, origin: str) -> Iterator[None]:
    """Place the faults of what is refused in here below a JSON pointer of a table."""
    try:
        yield
    except AffrayError as error:
        error.at(where, origin)
        raise


def together(errors: Sequence[AffrayError]) -> AffrayError:
    """Several errors as one, of their kind or an `InputError`.

    It has their messages in lines, and all of their faults, each once.
    """
    if len(errors) == 1:
        return errors[0]
    faults: list[Fault] = []
    for fault in (fault for error in errors for fault in error.faults):
        if fault not in faults and len(faults) < MOST_FAULTS:
            faults.append(fault)
    texts = list(dict.fromkeys(str(error) for error in errors))
    more = [f"and {len(texts) - MOST_TOLD:,} more faults"] if len(texts) > MOST_TOLD else []
    told = "\n".join(texts[:MOST_TOLD] + more)
    advices = {error.advice for error in errors}
    advice = advices.pop() if len(advices) == 1 else ""
    kinds = {type(error) for error in errors}
    kind = kinds.pop() if len(kinds) == 1 else InputError
    return kind(told, advice=advice, faults=faults)


def fault_at(
    written: Written, given: object, allowed: str = "", *, what: str = "", code: str = ""
) -> InputError:
    """The error for one value of a table.

    Args:
        written: where it stands.
        given: the value; None: there is none.
        allowed: what may stand there.
        what: what is wrong, in a sentence; "": the value is not what is allowed.
        code: as in `Fault`.
    """
    said = ": ".join(filter(None, (str(written), what or shown(given))))
    told = f"{said}; allowed: {allowed}" if allowed and allowed not in what else said
    fault = Fault(
        pointer(written.place), what or f"{shown(given)} is not allowed here", shortened(given),
        allowed, code or "wrong-kind", origin=written.origin,
    )  # fmt: skip
    return InputError(told, faults=[fault])


def other_kind(kind: type[E], origin: str, what: str, *, advice: str) -> E:
    """The error for a table of another kind, such as a fight in place of one exchange."""
    fault = Fault("", what, code=advice, origin=origin)
    return kind(f"{origin}: {what}", advice=advice, faults=[fault])


# -- sheets --------------------------------------------------------------------------------------


class Traced(Protocol):
    """A table with roster names filled in: where each value was written, and unknown names."""

    @property
    def refused(self) -> Sequence[tuple[Place, InputError]]:
        """Places that could not be filled in, each with the error."""

    def where(self, place: Place) -> Written:
        """The origin of the value at a place of the table."""


class _Untraced(NamedTuple):
    """A table that was written as it is."""

    origin: str
    refused: Sequence[tuple[Place, InputError]]

    def where(self, place: Place) -> Written:
        return Written(self.origin, place)


@cache
def adapter(kind: type) -> TypeAdapter[object]:
    """The validator that checks tables against a sheet."""
    from pydantic import TypeAdapter  # heavy; only where a setup is read

    return TypeAdapter(kind)


def validated(
    kind: type, table: Raw, origin: str, *, filling: Traced | None = None, advice: str = ""
) -> object:
    """A sheet from a table.

    Args:
        kind: the sheet.
        table: with roster names filled in.
        origin: where it came from, for messages.
        filling: says of each place of the table where it was written, and which roster names
            nobody knows; None: all came from `origin`.
        advice: the key of what helps where a key is unknown; see `AffrayError.advice`.

    Raises:
        InputError: it doesn't fit; one message for everything, with paths and what is allowed.
    """
    traced: Traced = filling or _Untraced(origin, ())
    if not traced.refused:
        with suppress(UnfitError):
            return built(kind, table)
    from pydantic import ValidationError  # heavy; only to say what is wrong

    errors: list[AffrayError] = [error for _, error in traced.refused]
    try:
        # Strictly, as JSON: lists may stand for tuples, but "70" is no number.
        made = adapter(kind).validate_json(json.dumps(table), strict=True)
    except ValidationError as error:
        found = _faults(kind, table, error, traced)
        if found:
            is_unknown = any(one.fault.code == "unknown-key" for one in found)
            errors.append(
                InputError(
                    _told(found),
                    advice=advice if is_unknown else "",
                    faults=[one.fault for one in found[:MOST_FAULTS]],
                )
            )
    else:
        if not errors:
            return made
    raise together(errors) from None


def fault_alone(error: Exception, kind: type) -> str:
    """The fault of a sheet, without the place where it stands.

    >>> fault_alone(InputError("x.toml: setup: int 'Bo': low 12; allowed: 1 to 10"), int)
    'low 12; allowed: 1 to 10'
    """
    return re.split(rf"(?:^|: ){kind.__name__}(?: '[^']*')?: ", str(error))[-1].removeprefix(": ")


class _Found(NamedTuple):
    """One thing that doesn't fit.

    Attributes:
        place: where it stands in the filled table. written: where it was written.
        said: it, for a message. keys: the known keys, for a message; "": a key isn't the matter.
    """

    place: Place
    written: Written
    said: str
    keys: str
    fault: Fault


def _told(found: Sequence[_Found]) -> str:
    """One message for everything that doesn't fit: where, what was given, what is allowed."""
    rows = []
    listed: set[Place] = set()  # tables whose keys are told already
    for one in found[:MOST_TOLD]:
        keys = "" if one.place[:-1] in listed and one.keys.startswith(" Known") else one.keys
        if one.keys.startswith(" Known"):
            listed.add(one.place[:-1])
        path = place_told(one.written.place) or ("setup" if one.fault.code == REFUSED else "")
        rows.append((one.written.origin, f"{path}: {one.said}{'.' if keys else ''}{keys}"))
    lines = []
    for origin, group in groupby(rows, lambda row: row[0]):
        lines.append(f"{origin}: " + "\n  ".join(text for _, text in group))
    if len(found) > MOST_TOLD:
        lines.append(f"  and {len(found) - MOST_TOLD:,} more faults")
    return "\n".join(lines)


REFUSED = SetupError.code
"""The code of a fault that no single value has: values that don't go together."""


def _faults(kind: type, table: Raw, error: ValidationError, traced: Traced) -> list[_Found]:
    """Everything that doesn't fit, apart from what stands where a name could not be filled in."""
    unfilled = [place for place, _ in traced.refused]
    groups: dict[tuple[Place, str], list[ErrorDetails]] = {}
    for fault in error.errors(include_url=False):
        place = _place_in(table, fault)
        if not any(place[: len(one)] == one for one in unfilled):
            kinds = "one of" if _alternative(fault) else fault["type"]
            groups.setdefault((place, kinds), []).append(fault)
    return [
        _found(kind, place, traced.where(place), faults) for (place, _), faults in groups.items()
    ]


def _place_in(table: Raw, fault: ErrorDetails) -> Place:
    """The place of a fault; pydantic names alternatives of a union among its keys."""
    here: object = table
    place: list[str | int] = []
    for n, part in enumerate(fault["loc"]):
        if isinstance(here, dict) and part in here:
            here = here[part]
        elif isinstance(here, list) and part in range(len(here)):
            here = here[int(part)]
        elif fault["type"] != "missing" or n + 1 < len(fault["loc"]):
            continue
        place.append(part)
    return tuple(place)


def _alternative(fault: ErrorDetails) -> str:
    """What would be allowed in place of a value that is of a wrong kind or out of range."""
    kind = fault["type"]
    if kind in _LIMITS:
        name, words = _LIMITS[kind]
        return f"{fault.get('ctx', {})[name]}{words}"
    return _KINDS.get(kind, "")


def _found(kind: type, place: Place, written: Written, faults: list[ErrorDetails]) -> _Found:
    """One thing that doesn't fit; several faults are alternatives of which the value is none."""
    first = faults[0]
    given, code = shown(first["input"]), first["type"]
    allowed, near, keys = "", "", ""
    if code in {"unexpected_keyword_argument", "extra_forbidden"}:
        known = _keys_at(kind, place[:-1])
        what = said = "unknown key"
        code, allowed, keys = "unknown-key", ", ".join(sorted(known)), _near(str(place[-1]), known)
        near = "like" if place[-1] in MEANT_LIKE else nearest_name(str(place[-1]), known)
        what = f"unknown key {shown(place[-1])}"
    elif code == "value_error":
        what = said = str(first["ctx"]["error"])
        code = REFUSED
    elif code == "missing":
        what, said = f"{place[-1]} is missing; it is required", "missing; it is required"
        code = "missing"
    elif _alternative(first):
        allowed = _alternatives(faults)
        what, said = f"{given} is not allowed here", f"{given}; allowed: {_cut(allowed)}"
        near = _nearest_word(first["input"], allowed)
        code = _code_of(faults)
    else:
        what = said = f"{given}: {first['msg'][0].lower()}{first['msg'][1:]}"
        code = "wrong-value"
    value = None if code in {"missing", REFUSED} else shortened(first["input"])
    fault = Fault(pointer(written.place), what, value, allowed, code, near, written.origin)
    return _Found(place, written, said, keys, fault)


def _code_of(faults: list[ErrorDetails]) -> str:
    kinds = {fault["type"] for fault in faults}
    if kinds == {"literal_error"}:
        return "unknown-word"
    return "wrong-kind" if kinds & _KINDS.keys() else "out-of-range"


def _alternatives(faults: list[ErrorDetails]) -> str:
    """What is allowed: lists of words as one list."""
    texts = dict.fromkeys(map(_alternative, faults))
    if len(texts) > 1 and all(fault["type"] == "literal_error" for fault in faults):
        words = [word for text in texts for word in _QUOTED.findall(text)]
        return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
    return " or ".join(texts)


def _nearest_word(given: object, allowed: str) -> str:
    words = [word.strip("'") for word in _QUOTED.findall(allowed)]
    return nearest_name(given, words) if isinstance(given, str) else ""


_QUOTED = re.compile(r"'[^']*'")
_LIMITS = {
    "literal_error": ("expected", ""),
    "greater_than_equal": ("ge", " or more"),
    "less_than_equal": ("le", " or less"),
    "greater_than": ("gt", " or less is too little"),
    "less_than": ("lt", " or more is too much"),
}
_KINDS = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "string_type": "a text",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a table",
    "dataclass_type": "a table",
    "none_required": "nothing",
}


def _cut(words: str) -> str:
    """A list of words that may be long."""
    return words if len(words) <= MOST_WORDS else f"{words[:MOST_WORDS]} ..."


MOST_WORDS = 400
MEANT_LIKE = ("from", "base", "extends", "inherits", "template")
"""Keys of other programs for the entry that another one starts from."""


def _near(key: str, keys: list[str]) -> str:
    """The known key that was most likely meant; or all in order, where they fit; or some."""
    if key in MEANT_LIKE:
        return " Did you mean 'like'? It names the roster entry that this one starts from"
    hint = nearest(key, keys)
    if hint:
        return hint
    listed, rest = "", sorted(keys)
    while rest and len(listed) + len(rest[0]) <= MOST_WORDS:
        listed += f", {rest.pop(0)}" if listed else rest.pop(0)
    more = f" and {len(rest)} more" if rest else ""
    return f" Known: {listed}{more}"


def _keys_at(kind: object, path: tuple[int | str, ...]) -> list[str]:
    """The keys of the sheet at a path inside a setup sheet."""
    import typing  # only for messages

    here = kind
    for part in path:
        if isinstance(part, int) or not (isinstance(here, type) and is_dataclass(here)):
            continue
        hint = typing.get_type_hints(here).get(part, here)
        inner = [arg for arg in typing.get_args(hint) if is_dataclass(arg)]
        here = hint if is_dataclass(hint) else inner[0] if inner else here
    return [field.name for field in fields(here)] if is_dataclass(here) else []
