"""Forget everything that affray keeps, as if the process had just begun and imported it.

Functions that remember are found wherever they lie, in a class or in another function, so that
none is left out when rules learn to remember something new.
"""

from __future__ import annotations

import functools
import gc
import sys

from affray.core import node
from affray.core.reading import forget_distributions
from affray.engine.exchange.keeping import forget_kernels

_Remembering = functools._lru_cache_wrapper
PACKAGE = "affray"

_known: list[_Remembering[object]] = []
_looked_at = 0


def remembering() -> list[_Remembering[object]]:
    """Every function of the package that remembers, as far as its modules are imported."""
    global _known, _looked_at  # noqa: PLW0603  # looking takes long; only when there is more to see
    if _looked_at != len(sys.modules):
        _looked_at = len(sys.modules)
        set_aside = gc.get_freeze_count()
        gc.unfreeze()  # whoever set objects aside: those are found as well
        _known = [
            thing
            for thing in gc.get_objects()
            if type(thing) is _Remembering and _is_ours(getattr(thing, "__module__", ""))
        ]
        if set_aside:
            gc.freeze()
    return _known


def _is_ours(module: object) -> bool:
    return isinstance(module, str) and (module + ".").startswith(PACKAGE + ".")


def forget() -> None:
    """Drop every kept exchange, distribution and remembered call; modules stay imported."""
    for function in remembering():
        function.cache_clear()
    forget_distributions()
    forget_kernels()
    node._PLACES.clear()
