"""What units bring along: the check they roll, skills, weapons, rows of tables, own actions."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

from affray.core.sheet import INFORMS, Ge, Le, sheet
from affray.core.step import cites

__all__ = [
    "CHECKS",
    "CoreCheck",
    "Count",
    "Few",
    "ForPeople",
    "Length",
    "Modified",
    "Own",
    "Row",
    "Shift",
    "Skill",
    "Weapon",
]

LONGEST = 10_000
Length = Annotated[float, Ge(0), Le(LONGEST)]
Count = Annotated[int, Ge(0), Le(10_000)]
Few = Annotated[int, Ge(0), Le(100)]
Shift = Annotated[int, Ge(-20), Le(20)]
ForPeople = Annotated[str, INFORMS]


@sheet
@cites("EM-3", "EM-4")
class CoreCheck:
    """The way to roll a check; the text leaves it out.

    Attributes:
        Core check (EM-3):
            name: what the way to roll is called.
            sides: sides of the dice.
            base (Base difficulty): the difficulty without modifiers.
            ones: what ones do: cancel successes; or make a fumble if they outnumber the successes,
                if there is no success (botch), or if they are over half of the dice (half); or
                nothing (EM-4).
            source: where these numbers come from.
    """

    name: ForPeople = ""
    sides: Annotated[int, Ge(2), Le(1_000)] = 10
    base: Annotated[int, Ge(2), Le(1_000)] = 6
    ones: Literal["cancel", "outnumber", "botch", "half", "nothing"] = "cancel"
    source: ForPeople = ""

    def check(self) -> str | None:
        """Some face is a success."""
        if self.base > self.sides:
            return f"base {self.base}; allowed: at most its sides, {self.sides} (EM-3)"
        return None


def _checks() -> Mapping[str, CoreCheck]:
    with (Path(__file__).parent / "roster" / "checks.toml").open("rb") as file:
        entries = tomllib.load(file)
    return {name: CoreCheck(name=name, **entry) for name, entry in entries.items()}


CHECKS = _checks()
"""The checks that readings of B1 name."""


@sheet
@cites("EM-1", "EM-5", "EM-45")
class Skill:
    """A skill of a unit, and its level.

    Attributes:
        Skill (EM-1):
            skill: close combat, aimed fire, volley fire, or one of the unit's own.
            level: dice that are rolled, with all members there.
            diminish: levels that each lost member costs: a whole number or a fraction ("1/2")
                (EM-45).
    """

    skill: str
    level: Annotated[int, Ge(0), Le(200)]
    diminish: int | str = 0

    def check(self) -> str | None:
        """A diminish value is a number of at least 0."""
        try:
            value = Fraction(self.diminish)
        except (ValueError, ZeroDivisionError):
            return f"diminish is {self.diminish!r}; allowed: a number or a fraction like 1/2"
        return None if value >= 0 else f"diminish is {self.diminish!r}; allowed: 0 or more"


@sheet
@cites("EM-31", "EM-40")
class Weapon:
    """A weapon: the attack it serves, its range bands, its base damage.

    Attributes:
        Weapon:
            name: what the weapon is called.
            skill (Serves): the attack that it serves (EM-1).
            also (Serves also): another attack that it serves (EM-1).
        Range (EM-31):
            short (Short range): where short range ends, in units of length; 0: melee.
            medium (Medium range): where medium range ends, in units of length; 0: melee.
            longest (Long range): how far it reaches, in units of length; 0: melee.
        Base damage (EM-40):
            damage: base damage within short range, or in melee.
            damage_medium (Damage at medium range): base damage beyond short range; left out: the
                same.
            damage_long (Damage at long range): base damage beyond medium range; left out: the same.
            damage_charging (Damage of a charge): base damage of a charge; left out: the same
                (EM-35).
            volley_full (Full damage in a volley): whether Volley Fire has the base damage of the
                range, not the least one (EM-31).
        Origin:
            source: where these numbers come from.
    """

    name: str = ""
    skill: str = "close_combat"
    also: str = ""
    short: Length = 0
    medium: Length = 0
    longest: Length = 0
    damage: Few = 0
    damage_medium: Few | None = None
    damage_long: Few | None = None
    damage_charging: Few | None = None
    volley_full: bool = False
    source: ForPeople = ""

    def check(self) -> str | None:
        """Bands of range grow."""
        if not self.short <= self.medium <= self.longest:
            return (f"ranges {self.short}, {self.medium}, {self.longest}; allowed: each at least "
                    "as far as the one before")  # fmt: skip
        return None


@sheet
@cites("EM-43")
class Row:
    """One row of a threshold table.

    Attributes:
        Row of the table (EM-43):
            low (Lowest roll): the lowest roll it stands for.
            high (Highest roll): the highest roll it stands for; left out: the lowest and all above.
            name: what the row is called.
            bonus: added to all later rolls on the table.
            next_bonus: added to the next roll alone.
            destroyed: the unit is destroyed.
            casualties: members that are marked (EM-44).
            weaker (Levels lost): levels that all skills lose.
            speed: the speed from now on, in units of length; left out: as before.
            uncovers: troops on it or behind it lose their cover (EM-65).
            endangers: hits on each troop that stands on it, without base damage (EM-65).
    """

    low: Annotated[int, Ge(1), Le(1_000)]
    high: Annotated[int, Ge(1), Le(1_000)] | None = None
    name: str = "nothing"
    bonus: Shift = 0
    next_bonus: Shift = 0
    destroyed: bool = False
    casualties: Count = 0
    weaker: Few = 0
    speed: Length | None = None
    uncovers: bool = False
    endangers: Count = 0


@sheet
class Modified:
    """A row of modifiers of an attack action of one's own: a label and a number.

    Attributes:
        Modifier (EM-1):
            label: what the modifier is for.
            amount: how much it changes the chance to hit.
    """

    label: str
    amount: Shift


@sheet
@cites("EM-1")
class Own:
    """An attack action that a unit brings along.

    Attributes:
        Own attack action (EM-1b):
            name: what the action is called.
            skill: the skill rolled; empty: the one with its own name.
            like: the attack whose table of modifiers and whose conditions hold for it.
            default: whether a unit without the skill may try it (EM-5).
            modifiers: rows of modifiers that come on top.
            hits: hits for every success.
    """

    name: str
    skill: str = ""
    like: Literal["aimed_fire", "volley_fire", "close_combat"] = "close_combat"
    default: bool = False
    modifiers: tuple[Modified, ...] = ()
    hits: Annotated[int, Ge(1), Le(20)] = 1
