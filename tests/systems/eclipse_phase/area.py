"""Small makers for attacks on an area: a grenade that is thrown, and those it may catch.

The thrower of the other makers has Athletics 70; at 10 m nothing modifies the throw. Targets take
no wounds, so that everything ends with the damage.
"""

from dataclasses import replace
from typing import Any

from affray.systems.eclipse_phase.blast import Blast
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.sheet import Combatant, Setup

from .factory import SHOOTER, target

FRAG = Weapon(
    name="frag", form="thrown", skill="athletics", d10=3, flat=6, blast=Blast(shape="centered")
)
CLOUD = replace(FRAG, name="cloud", blast=Blast(shape="uniform", radius_m=5))
TORCH = Weapon(
    name="torch", form="spray", skill="guns", d10=3, armor="energy", modes=("single",), rounds=9,
    range_m=15, traits=("cone",),
)  # fmt: skip
CHARGE = Weapon(
    name="charge", form="charge", skill="demolitions", d10=3, flat=6,
    blast=Blast(shape="centered"),
)  # fmt: skip


def caught(name: str = "caught", **changes: Any) -> Combatant:
    """A target with Fray 50 (25 against blasts) and kinetic armor 6."""
    return target(name=name, **{"fray": 50, "kinetic": 6, **changes})


def bomb(weapon: Weapon = FRAG, **changes: Any) -> Weapon:
    """A weapon with another blast: keys of the blast."""
    assert weapon.blast is not None
    return replace(weapon, blast=replace(weapon.blast, **changes))


def throw(*targets: Combatant, weapon: Weapon = FRAG, **changes: Any) -> Setup:
    """Something thrown 10 m far at the first target, or in that direction."""
    first, *others = targets or (caught(),)
    thrower = replace(SHOOTER, demolitions=70)
    return Setup(**{
        "attacker": thrower, "defender": first, "others": tuple(others), "weapon": weapon,
        "distance_m": 10, **changes,
    })  # fmt: skip
