"""Weapon and Armor cards, and the dice that stand on them."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

from affray.core.dice import parse_dice
from affray.core.errors import SetupError
from affray.core.lazy import NamedTuple
from affray.core.sheet import INFORMS, Ge, Le, sheet
from affray.core.step import cites
from affray.systems.empty_earth.cards import (
    BY_PART,
    Bonus,
    Count,
    Feature,
    Score,
    Unmodified,
)

__all__ = ["Active", "Armor", "DiceLine", "Points", "Weapon", "dice_line", "twice", "wrong_dice"]

Kind = Literal["physical", "essential"]
Reach = Literal["melee", "ranged"]

Points = Annotated[int, Ge(0), Le(1_000)]


class DiceLine(NamedTuple):
    """Dice as printed: how many, of how many sides, and what is added to each."""

    n: int = 0
    sides: int = 0
    each: int = 0


@cites("EE-4")
@lru_cache(maxsize=1024)
def dice_line(text: str) -> DiceLine:
    """Read "3D4+1": three dice of four sides, each read by itself, each +1; "" is no dice.

    Raises:
        SetupError: not dice, or dice of different sizes.

    >>> dice_line("3D4+1")
    DiceLine(n=3, sides=4, each=1)
    """
    if not text:
        return DiceLine()
    pool, each = parse_dice(text)
    if len(pool.groups) != 1:
        raise SetupError(f"{text!r} is not one line of dice; write dice of one size, like 3D4+1")
    die, n = pool.groups[0]
    return DiceLine(n, len(die.faces), each)


def wrong_dice(text: str) -> str | None:
    """Why a text doesn't tell dice, or None if it does."""
    try:
        dice_line(text)
    except SetupError as error:
        return str(error)
    return None


@sheet
@cites("EE-5", "EE-17", "EE-21")
class Weapon:
    """One attack line, as on a Weapon card or in a stat block.

    Attributes:
        Attack (EE-5):
            name: what the attack line is called.
            pool (Attack) for kind, reach, dice, damage, piercing: the attack line in table
                notation.
            kind: which defense it is tested against (EE-6).
            reach: melee or ranged, the range indicator (EE-9).
            range_zones: how far away the target may be; ranged only (EE-11).
            dice: the attack dice; "3D4+1": three dice of four sides, each +1 every time (EE-4).
            aim: X of "Aim [X]"; 0: the attack can't be aimed (EE-38).
        Damage (EE-21):
            damage: X of "X+Y": regular damage of each hit.
            piercing: Y of "X+Y": piercing damage of each hit (EE-20).
        Effects:
            features (Weapon Features): what cubes can buy for it (EE-30).
            unmodified (Unmodified value): an effect fires for each die with this unmodified value;
                0: none (EE-58).
            unmodified_test: whether the value is to be reached, met exactly, or not exceeded
                (EE-58).
            unmodified_must_hit: the effect fires only for dice that hit (EE-58).
            unmodified_effect: what each of those dice does; left out: they are only counted
                (EE-58).
        Origin:
            source: where these numbers come from.
    """

    name: str = ""
    kind: Kind = "physical"
    reach: Reach = "melee"
    range_zones: Count = 0
    dice: str = "1D6"
    damage: Score = 1
    piercing: Score = 0
    aim: Bonus = 0
    features: tuple[Feature, ...] = ()
    unmodified: Score = 0
    unmodified_test: Literal["at_least", "exactly", "at_most"] = "at_least"
    unmodified_must_hit: bool = False
    unmodified_effect: Unmodified | None = None
    source: Annotated[str, INFORMS] = ""

    @property
    def line(self) -> DiceLine:
        """The dice as numbers."""
        return dice_line(self.dice)

    @property
    def pool(self) -> str:
        """The line in table notation, for people."""
        what = f"{self.damage}+{self.piercing} piercing" if self.piercing else f"{self.damage}"
        return f"{self.kind} {self.reach} {self.dice}, damage {what}"

    def check(self) -> str | None:
        """A ranged attack always has a range, a melee attack none."""
        if wrong := wrong_dice(self.dice):
            return wrong
        if not self.line.n:
            return "dice are missing; write them like 2D6 or 3D4+1"
        if (self.reach == "ranged") != (self.range_zones > 0):
            return (
                f"a {self.reach} attack with range_zones {self.range_zones}; allowed: 1 or more "
                "for a ranged attack, none for melee"
            )
        if wrong := self._wrong_unmodified():
            return wrong
        for feature in self.features:
            idle = sorted(feature.effects - BY_PART["attacker"])
            if idle:
                return (
                    f"feature {feature.name}: {', '.join(idle)} of a Weapon Feature would do "
                    "nothing, it serves the attacker (EE-57); allowed: as an Ability"
                )
            if feature.role != "either":
                return f"feature {feature.name}: role {feature.role!r}; only an Ability has one"
        return twice("features", [feature.name for feature in self.features])

    def _wrong_unmodified(self) -> str | None:
        """An effect on unmodified values has a value that a die can show."""
        if not self.unmodified:
            if self.unmodified_must_hit:
                return "unmodified_must_hit without unmodified; give the value with an effect"
            if self.unmodified_test != "at_least" or self.unmodified_effect:
                return "an effect on unmodified values without unmodified; give the value"
        elif self.unmodified > self.line.sides and self.unmodified_test != "at_most":
            return f"unmodified {self.unmodified}; no die of {self.dice} shows it"
        return None

    @property
    def fires(self) -> tuple[int, int]:
        """Give the least and the greatest unmodified value with an effect; 0 and 0: none."""
        if not self.unmodified:
            return 0, 0
        return {
            "at_least": (self.unmodified, self.line.sides),
            "exactly": (self.unmodified, self.unmodified),
            "at_most": (1, self.unmodified),
        }[self.unmodified_test]


def twice(what: str, names: list[str]) -> str | None:
    """Why these names don't tell things apart, or None if they do."""
    if len(set(names)) != len(names) or len(names) > 6:
        return f"{what} {', '.join(names)}; allowed: at most six, each named once"
    return None


@sheet
@cites("EE-60")
class Active:
    """An Armor's active effect, bought for a blue cube until the start of the next turn.

    Attributes:
        Active effect (EE-60):
            reactions: how many Dodges or Centers it allows in all; 0: as many as before.
            dr (Damage Resistance): added to Damage Resistance.
    """

    reactions: Count = 0
    dr: Bonus = 0


@sheet
@cites("EE-3")
class Armor:
    """An Armor card: where a player character's defensive statistics stand.

    Attributes:
        Armor (EE-3):
            name: what the Armor is called.
            weight: light, medium or heavy.
            phys_def (Physical Defense): printed part of the Physical Defense (EE-6).
            ess_def (Essential Defense): printed part of the Essential Defense (EE-6).
            per_tactics (Physical Defense per Tactics): times the wearer's Tactics, on top of the
                Physical Defense.
            per_intuition (Essential Defense per Intuition): times the wearer's Intuition, on top of
                the Essential Defense.
            dr (Damage Resistance): Damage Resistance, taken off the total (EE-27).
            dodge: Dodge dice, like "1D6" or "1D4+1"; "" for none (EE-33).
            center: Center dice, like "1D6" or "1D4+1"; "" for none (EE-33).
            active (Active effect): what a blue cube buys (EE-60).
            scrap_value: its price.
            source: where these numbers come from.
    """

    name: Annotated[str, INFORMS] = ""
    weight: Annotated[Literal["light", "medium", "heavy"], INFORMS] = "medium"
    phys_def: Score = 0
    ess_def: Score = 0
    per_tactics: Annotated[int, Ge(0), Le(5)] = 0
    per_intuition: Annotated[int, Ge(0), Le(5)] = 0
    dr: Score = 0
    dodge: str = ""
    center: str = ""
    active: Active | None = None
    scrap_value: Annotated[Points, INFORMS] = 0
    source: Annotated[str, INFORMS] = ""

    def check(self) -> str | None:
        """Dice are written as dice."""
        return wrong_dice(self.dodge) or wrong_dice(self.center)
