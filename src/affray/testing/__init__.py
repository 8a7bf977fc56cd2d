"""The laws that affray's own systems keep, for every other system: `faults = check(SYSTEM)`.

A suite is a row of laws; a law holds in every system, whatever its rules say. `check` plays,
prices and solves a system's examples and fights, and tells for each law that is broken where, what
is wrong there, and what to do. `affray check` does the same from the command line.

In a test of your own:

    from affray.testing import check
    from mygame import SYSTEM

    def test_my_game_keeps_the_laws():
        assert not check(SYSTEM)
"""

from affray.testing.cases import Case
from affray.testing.law import Fault, Held, Law, hold, law
from affray.testing.material import Material
from affray.testing.running import SUITES, Report, check, held, laws

__all__ = [
    "SUITES", "Case", "Fault", "Held", "Law", "Material", "Report", "check", "held", "hold", "law",
    "laws",
]  # fmt: skip
