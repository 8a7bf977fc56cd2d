"""Texts of the command line taken apart: names, pairs, faces."""

from __future__ import annotations

import os
from collections.abc import Sequence

from affray.app.inputs.intake import faces_of
from affray.cli.command import refuse
from affray.core.dice import Face
from affray.core.telling import shown

__all__ = ["cores", "faces", "names", "pairs", "settled"]


def names(texts: Sequence[str]) -> tuple[str, ...]:
    """Names from options that may repeat and hold several, separated by commas."""
    return tuple(part.strip() for text in texts for part in text.split(",") if part.strip())


def cores() -> int:
    """The number of cores that this process may use."""
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


def settled(settle: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Choices decided beforehand, from `step=option|fallback`."""
    return {step: tuple(value.split("|")) for step, value in pairs("--settle", settle).items()}
