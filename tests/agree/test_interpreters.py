"""Every way to use a rule text gives one answer: played, priced, solved."""

from __future__ import annotations

from affray.testing import Law
from tests.conformance.holding import keeps, over


@over("agreement")
def test_law(system: str, law: Law, part: tuple[int, int]) -> None:
    keeps(system, law, part)
