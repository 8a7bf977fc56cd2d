"""Helpers for tests of next setups: play from a table, and look at the sheet that follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from affray.app.inputs.setups import Loaded, load
from affray.app.next_setup import next_setup, next_sheet
from affray.core.dice import Face
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Script, drive

__all__ = ["follow", "played", "told_next"]


def played(
    system: str, source: str | Mapping[str, object], *faces: Face, options: tuple[str, ...] = ()
) -> tuple[Loaded, Session]:
    """An exchange played to its end with these answers; the setup's own script without any."""
    loaded = load(system, source)
    script = Script(faces or loaded.dice, options or loaded.options)
    return loaded, drive(Session(loaded.game), script)


def follow(
    system: str, source: str | Mapping[str, object], *faces: Face, options: tuple[str, ...] = ()
) -> tuple[Any, Any]:
    """The sheets of a setup and of the one that follows it."""
    loaded, session = played(system, source, *faces, options=options)
    return loaded.setup, next_sheet(loaded, session)


def told_next(
    system: str, source: str | Mapping[str, object], *faces: Face, options: tuple[str, ...] = ()
) -> dict[str, object]:
    """The next setup as a table."""
    return next_setup(*played(system, source, *faces, options=options)).table
