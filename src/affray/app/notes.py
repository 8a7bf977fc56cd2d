"""Notes of use cases: what is assumed or makes no difference, in the view as well as a warning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import ParamSpec, TypeVar

from affray.app.views.envelope import View
from affray.core.telling import heard

__all__ = ["with_notes"]

P = ParamSpec("P")
V = TypeVar("V", bound=View)


def with_notes(ask: Callable[P, V]) -> Callable[P, V]:
    """A use case whose view has the notes that came up meanwhile."""

    @wraps(ask)
    def asked(*args: P.args, **named: P.kwargs) -> V:
        with heard() as notes:
            view = ask(*args, **named)
        return replace(view, notes=tuple(dict.fromkeys((*view.notes, *notes)))) if notes else view

    return asked
