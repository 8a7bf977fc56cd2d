"""Cases of laws, and exceptions of a system's code as sentences."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

import affray
from affray.core.errors import AffrayError
from affray.core.lazy import NamedTuple
from affray.core.telling import fitted

__all__ = ["Case", "told"]

_OWN = Path(affray.__file__).parent
_SYSTEMS = _OWN / "systems"


class Case(NamedTuple):
    """Something that a law looks at, and how a fault names it."""

    where: str
    thing: Any


def told(error: BaseException) -> str:
    """An exception in a sentence: what it says, and where in the system it was raised."""
    text = str(error) if isinstance(error, AffrayError) else f"{type(error).__name__}: {error}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if _is_of_a_system(Path(frame.filename))]  # fmt: skip
    if frames and not isinstance(error, AffrayError):
        last = frames[-1]
        text += f" ({Path(last.filename).name}, line {last.lineno}, in {last.name})"
    return fitted(" ".join(text.split()))


def _is_of_a_system(path: Path) -> bool:
    return _SYSTEMS in path.parents or _OWN not in path.parents
