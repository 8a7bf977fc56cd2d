"""The numbers of each question; what stands as default is the question that has its name.

Peers and affray are asked the same, first with the default numbers, then with others. These are
taken on both sides of the default, so that on the whole they are as much work.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Colour = Literal["yellow", "blue", "red"]


class Attack(NamedTuple):
    """W1: an attack with 3d10 damage."""

    attack: int = 70
    defence: int = 30
    armor: int = 10


class Pools(NamedTuple):
    """W2: three attack dice with so many sides, dodge dice (number, sides)."""

    sides: int = 8
    dodges: tuple[int, int] = (2, 6)
    defence: int = 5


class Check(NamedTuple):
    """W3: so many d10, of which those that show the target or more are counted, and ones."""

    dice: int = 30
    target: int = 7


class Blow(NamedTuple):
    """W4: successes needed, damage, exertion dice, and Hit Dice of the target."""

    required: int = 2
    base: int = 2
    exertion: int = 3
    hd: int = 11


class Combat(NamedTuple):
    """W5: dice of the attack with Advantage and of its answer, and the health of both."""

    attack: tuple[Colour, Colour] = ("red", "yellow")
    back: Colour = "blue"
    health: int = 4
    attacker_health: int = 4


class Sheet(NamedTuple):
    """What is on the sheet of a fighter of W6 and W8."""

    skill: int
    fray: int
    n_d10: int
    armor: int
    wound_threshold: int
    durability: int


class Fighters(NamedTuple):
    """W6 and W8: the sheets of both sides."""

    a: Sheet = Sheet(60, 40, 2, 5, 7, 35)
    b: Sheet = Sheet(50, 30, 3, 8, 8, 40)


class Lines(NamedTuple):
    """W7: members of both units, and what is added to the dice of each."""

    members: int = 30
    height_a: int = 1
    height_b: int = -1


class Mixed(NamedTuple):
    """W9: dice, difficulty, and the body: members and Hits of each unit, of all other Hits."""

    dice: int = 60
    target: int = 6
    body: tuple[tuple[int, int], ...] = ((40, 2), (30, 3), (20, 4), (10, 5), (6, 6), (2, 8))


Numbers = Attack | Pools | Check | Blow | Combat | Fighters | Lines | Mixed

W1, W2, W2L, W3, W4, W5 = Attack(), Pools(), Pools(12, (3, 10), 5), Check(), Blow(), Combat()
W6, W7, W9 = Fighters(), Lines(), Mixed()
