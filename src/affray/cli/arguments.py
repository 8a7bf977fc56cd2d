"""From what stands on the command line to what use cases take."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

import typer

from affray.app.use_cases import Wanted
from affray.core.dice import Face

__all__ = ["faces", "names", "pairs", "refuse", "wanted", "working"]


INTERRUPTED = 130


def refuse(option: str, why: str) -> NoReturn:
    """Refuse an option: exit status 2."""
    raise typer.BadParameter(why, param_hint=option)


def names(texts: Sequence[str]) -> tuple[str, ...]:
    """Names from options that may repeat and hold several, separated by commas."""
    return tuple(part.strip() for text in texts for part in text.split(",") if part.strip())


def faces(text: str) -> tuple[Face, ...]:
    """Faces from `96,7,7`: numbers where they are numbers, symbols otherwise."""
    parts = names((text,))
    return tuple(int(part) if part.lstrip("-").isdigit() else part for part in parts)


def pairs(option: str, texts: Sequence[str]) -> dict[str, str]:
    """Pairs from `name=value` options that may repeat and hold several."""
    found = {}
    for part in names(texts):
        name, equals, value = part.partition("=")
        if not (name.strip() and equals and value.strip()):
            refuse(option, f"{part!r}; write it as name=value")
        found[name.strip()] = value.strip()
    return found


@contextmanager
def working(on: str) -> Iterator[None]:
    """Long work: shown on stderr where somebody looks; an interrupt ends it with one message."""
    try:
        with _shown(on):
            yield
    except KeyboardInterrupt:
        typer.echo(f"affray: interrupted while {on}; nothing was changed", err=True)
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def _shown(on: str) -> Iterator[None]:
    """What is done, and for how long; nothing where nobody looks."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        progress.add_task(on)
        yield


def wanted(
    settle: Sequence[str], ruling: Sequence[str], dice: str = "", choose: Sequence[str] = ()
) -> Wanted:
    """Everything a user gave besides the setup."""
    settled = {step: tuple(value.split("|")) for step, value in pairs("--settle", settle).items()}
    return Wanted(settled, pairs("--ruling", ruling), faces(dice), names(choose))
