"""Laws of `affray.testing` as cases of pytest: each law in each system, long ones in parts."""

from __future__ import annotations

import os
import tomllib
from functools import cache
from pathlib import Path

import pytest

from affray.app.registry import system_named
from affray.testing import Law, Material, hold, laws
from affray.testing.material import Witness
from tests.conformance.cover import cover_of
from tests.scenarios import SYSTEMS

PARTS = {
    "agreement/play-odds-and-best-agree": 4,
    "agreement/every-objective-is-worth-what-it-is-priced-at": 2,
    "agreement/joint-odds-have-the-marginals": 3,
    "agreement/best-is-at-least-every-other-policy": 2,
    "examples/examples-have-the-odds-that-were-counted": 2,
    "sessions/a-saved-game-goes-on-where-it-stood": 2,
    "fights/duels-are-won-as-often-as-played": 2,
}
"""Into how many cases a law is split that takes long."""
RARE_FIGHTS = tomllib.loads((Path(__file__).parent / "rare_fights.toml").read_text("utf-8"))
SMALL = tomllib.loads((Path(__file__).parent / "small_examples.toml").read_text("utf-8"))
"""Examples that reach with few places what shipped ones reach with many."""

WHOLE = os.environ.get("AFFRAY_WHOLE", "") not in {"", "0"}
"""Whether long laws look at everything, or at a cover (see `tests.conformance.cover`)."""
WITNESSES = Path(__file__).parent / "witnesses"
"""For each system the plays that show that its keys matter; see `tests.conformance.record`."""


def witnesses_of(system: str) -> dict[str, Witness]:
    """The plays that were found to show that keys of a system matter."""
    path = WITNESSES / f"{system}.toml"
    rows = tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
    return {key: Witness(*row) for key, row in rows.items()}


@cache
def material(system: str, *, whole: bool = WHOLE) -> Material:
    """What laws look at in a system: also small examples, and fights in which rare keys matter.

    Args:
        system: its id.
        whole: whether long laws look at every example and every fight, not at a cover of them.
    """
    return Material(
        system_named(system), examples=SMALL.get(system), fights=RARE_FIGHTS.get(system),
        witnesses=witnesses_of(system), cover={} if whole else cover_of(system),
    )  # fmt: skip


def over(*suites: str) -> pytest.MarkDecorator:
    """One case for each law of some suites in each system."""
    rows = [
        (system, law, (number, PARTS.get(str(law), 1)))
        for law in laws(suites)
        for system in SYSTEMS
        for number in range(PARTS.get(str(law), 1))
    ]
    names = [f"{system}:{law.name}" + (f"-{part[0]}" if part[1] > 1 else "")
             for system, law, part in rows]  # fmt: skip
    return pytest.mark.parametrize(("system", "law", "part"), rows, ids=names)


def keeps(system: str, law: Law, part: tuple[int, int]) -> None:
    """A system keeps a law."""
    held = hold(law, material(system), part=part)
    assert not held.faults, "\n".join(map(str, held.faults))
    assert not held.cut, held.cut
