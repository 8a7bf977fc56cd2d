"""The hidden: `UNKNOWN` stands for it in facts, and any look at it is noticed.

Engines declare an exchange with `UNKNOWN` in place of what rooms hide of the target's condition. A
step that looks at it raises `Looked`; from there the exchange is followed for each value. A look
that went unnoticed would be a wrong number without a word, so everything that can be done with
`UNKNOWN` raises, hashing and comparing included. Only those who merge equal places may hash and
compare it (`merges_places`): engines, `choose`, and functions that remember (`remembers`).

Where what befalls whoever acts is split off (`Hints.splits`), what is hidden of them is put off
likewise: `OWN_UNKNOWN` stands for it.

Three looks can't be noticed: `x is None`, `type(x)` and `id(x)`. Rules must not ask them of what
may be hidden; conformance compares with exchanges in which nothing is unknown.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache, wraps
from threading import local
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from affray.core.errors import AffrayError, RulesError
from affray.core.lazy import NamedTuple

if TYPE_CHECKING:
    from types import FrameType

__all__ = [
    "OWN_UNKNOWN", "UNKNOWN", "Looked", "Made", "Parts", "Unknown", "filled", "hash_kept",
    "holds_own_unknown", "holds_unknown", "is_look", "is_unknown", "is_veiled", "merges_places",
    "remembers",
]  # fmt: skip

T = TypeVar("T")
P = ParamSpec("P")


class Looked(BaseException):  # no error, and no `except Exception` may swallow it
    """A step looks at what is hidden."""


# -- who may hash and compare --------------------------------------------------------------------

_MODULES: set[str] = set()
_packages: tuple[str, ...] = ()


def merges_places(name: str) -> None:
    """Allow a module to hash and compare facts that hold `UNKNOWN`, or a package ("engine.").

    For code that puts equal places together. It is wrong for modules in which rules stand.
    """
    global _packages  # noqa: PLW0603  # a tuple is what `startswith` takes
    if name.endswith("."):
        _packages = (*_packages, name)
    else:
        _MODULES.add(name)


merges_places("affray.core.node")  # `choose` offers options that lead to the same place once
merges_places("affray.core.unknown")

_THROUGH = frozenset(
    {
        "__hash__",
        "__eq__",
        "__ne__",
        "__repr__",
        "__str__",
        "hash_kept",
        "kept_hash",
        "_hashes_unknown",
    }
)
"""Functions that are part of hashing, comparing and showing what something stands in."""


def _merges(frame: FrameType | None) -> bool:
    """Whether it is one who merges places that hashes or compares."""
    while frame is not None and frame.f_code.co_name in _THROUGH:
        frame = frame.f_back
    if frame is None:
        return False
    return frame.f_globals.get("__name__") in _MODULES or _is_of_one(frame)


def _is_of_one(frame: FrameType) -> bool:
    name: str = frame.f_globals.get("__name__", "")
    if name in _MODULES:
        return True
    if name.startswith(_packages):
        _MODULES.add(name)  # found at once the next time
        return True
    return False


def _is_outside(frame: FrameType | None) -> bool:
    """Whether an engine or a test asks, and no rule that an engine follows."""
    between = False
    while frame is not None:
        if _is_of_one(frame):
            return not between
        between = between or frame.f_code.co_name not in _THROUGH
        frame = frame.f_back
    return True


class Unknown:
    """Stands in facts for what is hidden; looking at it in any way raises `Looked`."""

    __slots__ = ()

    def _look(self, *_: object) -> Any:
        raise Looked

    __add__ = __radd__ = __iadd__ = __sub__ = __rsub__ = __isub__ = _look
    __mul__ = __rmul__ = __imul__ = __matmul__ = __rmatmul__ = __imatmul__ = _look
    __truediv__ = __rtruediv__ = __itruediv__ = _look
    __floordiv__ = __rfloordiv__ = __ifloordiv__ = __mod__ = __rmod__ = __imod__ = _look
    __divmod__ = __rdivmod__ = __pow__ = __rpow__ = __ipow__ = _look
    __lshift__ = __rlshift__ = __ilshift__ = __rshift__ = __rrshift__ = __irshift__ = _look
    __and__ = __rand__ = __iand__ = __or__ = __ror__ = __ior__ = _look
    __xor__ = __rxor__ = __ixor__ = __neg__ = __pos__ = __abs__ = __invert__ = _look
    __lt__ = __le__ = __gt__ = __ge__ = __bool__ = _look
    __int__ = __float__ = __complex__ = __index__ = _look
    __round__ = __trunc__ = __floor__ = __ceil__ = _look
    __len__ = __length_hint__ = __getitem__ = __setitem__ = __delitem__ = _look
    __iter__ = __next__ = __reversed__ = __contains__ = __call__ = _look
    __bytes__ = __fspath__ = __enter__ = __exit__ = __await__ = __aiter__ = __anext__ = _look
    __instancecheck__ = __subclasscheck__ = _look
    __setattr__ = __delattr__ = _look
    __dir__ = __sizeof__ = __format__ = _look

    def __getattribute__(self, name: str) -> object:
        # `isinstance` and `match` ask for `__class__`; those who copy ask for these.
        copies = name in {"__reduce_ex__", "__deepcopy__", "__module__"}
        if copies or _is_outside(sys._getframe(1)):
            return object.__getattribute__(self, name)
        raise Looked

    def __reduce_ex__(self, protocol: object) -> str:
        return "OWN_UNKNOWN" if self is OWN_UNKNOWN else "UNKNOWN"

    def __deepcopy__(self, memo: object) -> Unknown:
        return self

    def __hash__(self) -> int:
        if _merges(sys._getframe(1)):  # who hashes is all that matters
            _met.hashed = True
            return _HASH
        raise Looked

    def __eq__(self, other: object) -> bool:
        if _merges(sys._getframe(1)):  # who compares is all that matters
            return other is self
        raise Looked

    def __repr__(self) -> str:
        if _is_outside(sys._getframe(1)):  # who shows it is all that matters
            return "<unknown>"
        raise Looked


_HASH = 0x5EC4E7


class _Met(local):
    """Whether something unknown was hashed, for whoever wants to know; each thread has its own."""

    hashed = False


_met = _Met()
Sequence.register(Unknown)  # so that `case (one, other)` asks for its length

UNKNOWN = Unknown()

OWN_UNKNOWN = Unknown()
"""Stands for what is hidden of whoever acts, where engines put it off as well."""


def is_unknown(value: object) -> bool:
    """Whether something unknown stands here; the one thing that rules may ask of it."""
    return value is UNKNOWN or value is OWN_UNKNOWN


# -- what it stands in ---------------------------------------------------------------------------

_PLAIN: frozenset[type] = frozenset({int, bool, str, float, type(None)})


class Parts(NamedTuple):
    """What stands in place of several unknown fields.

    Attributes:
        names: of the fields. values: of each.
    """

    names: tuple[str, ...]
    values: tuple[object, ...]

    def of(self, name: str) -> object:
        """The value of a field.

        Raises:
            RulesError: a field of another name holds something unknown.
        """
        if name not in self.names:
            raise RulesError(
                f"{name} holds what a fight holds back as {' and '.join(self.names)}; keep it "
                "under its own name"
            )
        return self.values[self.names.index(name)]


Made = dict[tuple[int, object], tuple[object, object]]
"""Sheets by identity and with a value: each sheet, and what it is with the value filled in."""


def filled(facts: T, value: object, made: Made | None = None, unknown: Unknown = UNKNOWN) -> T:
    """The same facts with what is unknown filled in, however deep it lies.

    Args:
        facts: a tuple, a sheet, anything in them.
        value: what stands in place of the unknown; hashable. `Parts` stand by names of fields.
        made: sheets that have been filled in before; those that are met are added.
        unknown: what the value takes the place of.
    """
    if facts is unknown:
        return value  # type: ignore[return-value]  # what stood there was as unknown to mypy
    several = type(value) is Parts
    if isinstance(facts, tuple):
        changed: list[object] | None = None
        for place, part in enumerate(facts):
            if type(part) in _PLAIN:
                continue
            if several and part is unknown:
                new = value.of(facts._fields[place])  # type: ignore[attr-defined]
            else:
                new = filled(part, value, made, unknown)
            if new is not part:
                changed = changed or list(facts)
                changed[place] = new
        return facts if changed is None else tuple.__new__(type(facts), changed)
    if type(facts) is Unknown or not is_dataclass(facts) or isinstance(facts, type):
        return facts
    if "_hash" in getattr(facts, "__dict__", ()):  # nothing unknown was hashed for it
        return facts
    key = id(facts), value
    if made is not None and key in made:
        return made[key][1]  # type: ignore[return-value]  # it is of the same kind
    parts = {field.name: getattr(facts, field.name) for field in fields(facts)}
    renewed = {
        name: value.of(name)  # type: ignore[attr-defined]
        if several and part is unknown else filled(part, value, made, unknown)
        for name, part in parts.items()
    }  # fmt: skip
    different = {name: part for name, part in renewed.items() if part is not parts[name]}
    new = replace(facts, **different) if different else facts
    if made is not None:
        made[key] = facts, new  # as long as it lies there, nothing else has its identity
    return new


def _hashes_unknown(hash_of: Callable[[], int]) -> tuple[int, bool]:
    """A hash, and whether something unknown was hashed for it."""
    before, _met.hashed = _met.hashed, False
    try:
        return hash_of(), _met.hashed
    finally:
        _met.hashed = before or _met.hashed


def is_veiled(facts: object) -> bool:
    """As `holds_unknown`, and quicker for facts that keep their hashes; they are hashable."""
    return _hashes_unknown(lambda: hash(facts))[1] or holds_unknown(facts)


def holds_unknown(facts: object) -> bool:
    """Whether something is unknown in facts, however deep it lies."""
    return _holds(facts, is_unknown)


def holds_own_unknown(facts: object) -> bool:
    """Whether something that is hidden of whoever acts is unknown in facts."""
    return _holds(facts, lambda value: value is OWN_UNKNOWN)


def _holds(facts: object, is_it: Callable[[object], bool]) -> bool:
    if type(facts) in _PLAIN:
        return False
    if is_unknown(facts):
        return is_it(facts)
    if isinstance(facts, tuple):
        if getattr(facts, "_hash", None) is not None:  # nothing unknown was hashed for it
            return False
        for one in facts:  # noqa: SIM110  # quicker
            if type(one) not in _PLAIN and _holds(one, is_it):
                return True
        return False
    if is_dataclass(facts) and not isinstance(facts, type):
        if "_hash" in getattr(facts, "__dict__", ()):  # nothing unknown was hashed for it
            return False
        return any(_holds(getattr(facts, field.name), is_it) for field in fields(facts))
    return False


def is_look(error: BaseException, facts: object, where: str) -> bool:
    """Whether a rule that raised this with these facts looked at what is unknown in them.

    Some built-in functions refuse what is unknown by themselves (`"".join`, `pow` with three
    numbers). So an error with something unknown about counts as a look: followed for each value,
    the rule does what it would have done.

    Args:
        error: what was raised.
        facts: what the rule was called with.
        where: what raised it, for the message.

    Raises:
        RulesError: what was looked at lies where engines can't fill it in.
    """
    if isinstance(error, Looked):
        # Hashing tells it quickly; something that keeps a hash of its own has to be looked into.
        if is_veiled(facts):
            return True
        raise RulesError(
            f"{where} looks at what a fight holds back, in a place where it can't be filled in; "
            "keep it in fields of facts, tuples and frozen dataclasses"
        ) from None
    own = isinstance(error, (AffrayError, RecursionError, MemoryError))
    return isinstance(error, Exception) and not own and holds_unknown(facts)


# -- remembering ---------------------------------------------------------------------------------


def hash_kept(thing: object, hash_of: Callable[[], int]) -> int:
    """The hash of something big, worked out once and kept; hashing the unknown stays a look.

    Args:
        thing: what is hashed; takes the attributes `_hash` and `_veiled`.
        hash_of: works the hash out.
    """
    kept: int | None = getattr(thing, "_veiled", None)
    if kept is not None:
        if not _merges(sys._getframe(1)):  # as hashing all of it would ask
            raise Looked
        _met.hashed = True
        return kept
    kept, veiled = _hashes_unknown(hash_of)
    object.__setattr__(thing, "_veiled" if veiled else "_hash", kept)
    return kept


def remembers(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a function that rules call remember what it returned, as `functools.lru_cache` does.

    For functions that are called with what may be hidden. What they return is remembered for
    `UNKNOWN` only if they did not look at it; with `lru_cache` the call itself would be a look,
    and the exchange would be followed for each value from there: right, but slow.

    Args:
        most: how many calls are remembered.
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        known = lru_cache(maxsize=most)(function)

        @wraps(function)
        def recall(*args: P.args, **named: P.kwargs) -> T:
            return known(*args, **named)  # type: ignore[arg-type]  # hashable, as lru_cache asks

        return recall

    return decorate
