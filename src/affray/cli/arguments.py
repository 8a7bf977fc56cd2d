"""From what stands on the command line to what use cases take."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from affray.app.inputs.intake import faces_of, value_of
from affray.app.use_cases import Wanted
from affray.core.dice import Face
from affray.core.telling import shown

if TYPE_CHECKING:
    from affray.app.inputs.fight_setups import FightWanted
    from affray.app.views.exchanges import View

__all__ = [
    "cores", "faces", "fight_wanted", "names", "pairs", "refuse", "wanted", "write_csv",
    "write_text",
]  # fmt: skip


def refuse(option: str, why: str) -> NoReturn:
    """Refuse an option: exit status 2."""
    raise typer.BadParameter(why, param_hint=option)


def names(texts: Sequence[str]) -> tuple[str, ...]:
    """Names from options that may repeat and hold several, separated by commas."""
    return tuple(part.strip() for text in texts for part in text.split(",") if part.strip())


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def faces(text: str) -> tuple[Face, ...]:
    """Faces from `96,7,7`: numbers where they are numbers, symbols otherwise."""
    return faces_of(names((text,)))


def pairs(option: str, texts: Sequence[str]) -> dict[str, str]:
    """Pairs from `name=value` options that may repeat and hold several."""
    found = {}
    for part in names(texts):
        name, equals, value = part.partition("=")
        if not (name.strip() and equals and value.strip()):
            refuse(option, f"{shown(part)}; write it as name=value")
        if name.strip() in found:
            refuse(option, f"{shown(name.strip())} is given twice; give it once")
        found[name.strip()] = value.strip()
    return found


def wanted(
    settle: Sequence[str],
    ruling: Sequence[str],
    dice: str = "",
    choose: Sequence[str] = (),
    roster: Sequence[str] = (),
) -> Wanted:
    """Everything a user gave besides the setup."""
    readings = pairs("--ruling", ruling)
    return Wanted(_settled(settle), readings, faces(dice), names(choose), tuple(roster))


def _settled(settle: Sequence[str]) -> dict[str, tuple[str, ...]]:
    return {step: tuple(value.split("|")) for step, value in pairs("--settle", settle).items()}


def fight_wanted(
    *,
    first: str = "",
    rounds: int | None = None,
    policies: tuple[str, str] = ("", ""),
    targets: tuple[str, str] = ("", ""),
    objective: str = "",
    threshold: int | None = None,
    settle: Sequence[str] = (),
    ruling: Sequence[str] = (),
    situation: Sequence[str] = (),
    roster: Sequence[str] = (),
) -> FightWanted:
    """Everything a user gave besides the fight."""
    from affray.app.inputs.fight_setups import FightWanted

    return FightWanted(
        first=first, rounds=rounds, policies=policies, targets=targets,
        settle=_settled(settle), rulings=pairs("--ruling", ruling),
        situation={
            key: value_of(text, f"--set {shown(key)}")
            for key, text in pairs("--set", situation).items()
        },
        objective=objective, threshold=threshold, roster=tuple(roster),
    )  # fmt: skip


def write_csv(view: View, path: Path | None, *, as_json: bool) -> bool:
    """Write a view as CSV where one is wanted; whether it went to stdout.

    Raises:
        StoreError: the file can't be written.
    """
    if path is None:
        return False
    from affray.app.views.csv_tables import to_csv

    to_stdout = str(path) == "-"
    if to_stdout and as_json:
        refuse("--csv", "- and --json both print on stdout; give --csv a file")
    text = to_csv(view)
    if to_stdout:
        typer.echo(text, nl=False)
    else:
        write_text(path, text)
    return to_stdout


def write_text(path: Path, text: str) -> None:
    """Write a file.

    Raises:
        StoreError: it can't be written.
    """
    from affray.app.files.writing import write_whole

    write_whole(path, text)
