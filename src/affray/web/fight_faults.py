"""What is wrong with a fight, in words and beside the fields of its form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from affray.app.inputs.intake import Raw
from affray.core.errors import Fault

__all__ = ["has_field", "keys_of", "said_of", "told_at"]


def said_of(fault: Fault) -> str:
    """A fault in words, beside its field."""
    what = fault.what[:1].upper() + fault.what[1:]
    near = f" Did you mean {fault.nearest}?" if fault.nearest else ""
    allowed = f" Allowed: {fault.allowed}." if fault.allowed and not near else ""
    return f"{what.removesuffix('.')}.{near or allowed}"


def keys_of(fault: Fault) -> list[str]:
    """The keys on the way to what is wrong."""
    return fault.where.split("/")[1:]


def told_at(faults: Sequence[Fault], place: tuple[str, ...]) -> tuple[str, ...]:
    """What is wrong at a place and below it, in words."""
    return tuple(said_of(one) for one in faults if tuple(keys_of(one)[: len(place)]) == place)


def has_field(fault: Fault, fields: Mapping[str, Raw]) -> bool:
    """Whether a fault stands beside a field of the form."""
    match keys_of(fault):
        case [("one" | "other")] | [("one" | "other"), "fighters", *_] | ["first"] | ["rounds"]:
            return True
        case [*_, "situation", key]:
            return key in fields
        case _:
            return False
