"""A quick look whether affray works with this Python: `python -m tests.smoke` (`make versions`)."""

import platform
import sys
from typing import Annotated

from affray.app.inputs.setups import examples
from affray.app.odds import ask_odds
from affray.app.registry import system_ids, system_named
from affray.app.sources import Shipped
from affray.core.errors import SetupError
from affray.core.sheet import Ge, as_table, sheet


# Annotations are lazy from Python 3.14 on, and those of a base class are found in their own way.
@sheet
class Weapon:
    """A weapon."""

    name: str = "a weapon"
    damage: Annotated[int, Ge(0)] = 1


@sheet
class Gun(Weapon):
    """A weapon with a magazine."""

    rounds: Annotated[int, Ge(1)] = 6


def main() -> int:
    """Look at inherited fields of a sheet, and at the odds of an example of each system."""
    written = as_table(Gun(name="gun", damage=2, rounds=3))
    assert written == {"name": "gun", "damage": 2, "rounds": 3}, written
    for wrong in ({"damage": -1}, {"rounds": 0}):
        try:
            Gun(**wrong)  # type: ignore[arg-type]  # refused when it runs
        except SetupError:
            continue
        raise AssertionError(f"{wrong} is taken")
    for name in system_ids():
        found = ask_odds(name, Shipped(next(iter(examples(system_named(name))))))
        assert found.rows
    print(f"Python {platform.python_version()}: fine")
    return 0


if __name__ == "__main__":
    sys.exit(main())
