"""The book's numbers, each with its clause. Nothing else in this room holds one."""

from __future__ import annotations

from typing import Literal

from affray.core.dice import Pool, d
from affray.core.lazy import NamedTuple
from affray.core.table import Table

__all__ = [
    "BANDS", "BONUS", "CLASSES", "COLLAPSE", "DEATH", "DIE", "ECONOMY", "EXTREME", "FACES",
    "HD_BY_LEVEL", "HD_DICE", "INITIATIVE", "KINDS", "LEAST", "MENDED", "MOVES", "NEEDS", "PRINTED",
    "PRINTED_HD", "PRINTED_IN_EXAMPLE", "RANKS", "REACH", "RESOLVE", "RUSH", "SPREAD",
    "STABILIZED", "STAGES", "STEADY", "TIERS", "TYPES", "Family", "Tier",
]  # fmt: skip

DIE = d(6)
"""Everything but a layer rolls this."""


Tier = Literal["basic", "advanced", "expert", "legendary", "ultimate", "mythical"]
"""Tiers of action, from the easiest on."""


class Grade(NamedTuple):
    """One tier of action.

    Attributes:
        threshold: the least face that is a success.
        minimum: the fewest exertion dice.
        required, base: successes and damage where neither sheet nor weapon says anything.
        rank: 0 for the simplest.
    """

    threshold: int
    minimum: int
    required: int
    base: int
    rank: int


TIERS = Table(
    {
        "basic": Grade(2, 0, 1, 1, 0),
        "advanced": Grade(3, 0, 2, 2, 1),
        "expert": Grade(4, 1, 3, 3, 2),
        "legendary": Grade(5, 2, 3, 4, 3),
        "ultimate": Grade(6, 3, 4, 5, 4),
        "mythical": Grade(6, 3, 4, 5, 5),
    },
    "AF-2",
    "AF-10",
)
"""Action tiers; from `expert` on the rules for big actions hold."""


class Weight(NamedTuple):
    """A class of weapon: damage, successes that are needed, and what comes off the threshold."""

    base: int
    required: int
    easier: int = 0


CLASSES = Table(
    {
        "light": Weight(1, 1),
        "heavy": Weight(2, 2),
        "precise": Weight(1, 1, 1),
        "ranged_light": Weight(1, 1),
        "ranged_heavy": Weight(2, 2),
    },
    "AF-2",
)
"""Classes of weapon. Heavy weapons of some stat blocks need one success only (A-6)."""

FACES = Table({"double": 6, "burn": 1, "sustain": 5, "any": 5, "floor": 2, "held": 5, "rally": 6},
              "AF-4", "AF-7", "AF-24", "AF-52")  # fmt: skip
"""Faces: that count twice, that burn, that cancel in defense; always needed (A-5); the least
threshold (A-15); from which a Resolve check holds, and from which it gains."""

LEAST = Table({"capacity": 1, "share": 2, "extra": 1}, "AF-6", "AF-21")
"""Least capacity; capacity is Proficiency divided by this; damage of an extra success."""

BONUS = Table({"defend": 2, "resist": 2, "vulnerable": 2, "double": 2}, "AF-30", "AF-31")
"""Defence dice that Defend and resistance add and vulnerability takes; doubled damage."""

RANKS: Table[Literal["magical", "shield", "armor", "temporary"], int] = Table(
    {"magical": 0, "shield": 1, "armor": 2, "temporary": 3}, "AF-22"
)
"""Layers from the outside in; the body comes last."""

REACH = Table({"melee": 5, "intervene": 5, "gift": 30}, "AF-70", "AF-41", "AF-12")
"""Yards: of a blow, to whom one can help, to whom Affinity dice can be given."""

BANDS = Table({"near": 10, "short": 30, "long": 100}, "AF-70")
"""Yards: where short range begins as printed, and up to where short and long range go."""

EXTREME = Table({"short": 0, "long": 1, "extreme": 2}, "AF-70")
"""Dice that each band costs."""

Family = Literal["physical", "elemental", "mystical"]
"""Families of damage types."""

TYPES: Table[str, Family] = Table(
    {
        "slashing": "physical", "piercing": "physical", "bludgeoning": "physical",
        "fire": "elemental", "cold": "elemental", "lightning": "elemental",
        "thunder": "elemental", "acid": "elemental",
        "radiant": "mystical", "necrotic": "mystical", "force": "mystical",
        "psychic": "mystical",
    },
    "AF-71",
)  # fmt: skip
"""Types of damage and their family."""

HD_BY_LEVEL = Table(
    {
        ("early", 10): (3, 5, 7, 9, 11, 13, 15, 17, 19, 21),
        ("early", 8): (3, 5, 6, 8, 10, 11, 13, 15, 16, 18),
        ("early", 6): (3, 4, 5, 7, 8, 10, 11, 13, 14, 16),
        ("later", 10): (5, 7, 9, 11, 13, 15, 17, 19, 21, 23),
        ("later", 8): (5, 7, 8, 10, 12, 13, 15, 17, 18, 20),
        ("later", 6): (4, 5, 6, 8, 9, 11, 12, 14, 15, 17),
    },
    "AF-28",
)
"""Hit Dice of the levels 1 to 10, by ruling and body die."""

HD_DICE = Table({"tough": 10, "balanced": 8, "fragile": 6}, "AF-22")
"""Body dice of the classes."""

NEEDS = Table({"intervene": 1, "rush": 0, "dash": 1, "march": 2, "disengage": 2, "help": 0,
               "repair": 1},
              "AF-41", "AF-45")  # fmt: skip
"""Successes that universal actions need."""

STABILIZED = Table({"two": 2, "one": 1}, "AF-45")
"""Successes that stabilizing needs, by the ruling on it."""

MOVES = Table({"free": 10, "dash": 10, "march": 20, "disengage": 10, "slow": 2},
              "AF-45", "AF-62")  # fmt: skip
"""Yards, the free move of a turn first; difficult ground and slowness each divide them."""

KINDS: Table[str, Tier] = Table({"dash": "basic", "march": "advanced", "disengage": "advanced",
               "stabilize": "basic", "rush": "basic", "help": "basic", "intervene": "basic",
               "repair": "basic"},
              "AF-41", "AF-42", "AF-45")  # fmt: skip
"""Tiers of universal actions."""

ECONOMY = Table({"actions": 2, "each": 1}, "AF-41", "AF-62", "AF-63")
"""Actions in a turn; how many of them anything takes, an Intervene as well."""

RUSH = Table({"resolve": 1, "least": 1}, "AF-42", "AF-44")
"""A Rush costs this much Resolve; one reading asks for that much before it (A-19d)."""

STEADY = Table({"hd": 3, "resolve": 1}, "AF-44")
"""Steady costs Hit Dice and brings Resolve."""

RESOLVE = Table({"most": 5, "least": -5, "check": 1, "unsurprised": 1, "over": 1},
                "AF-50", "AF-52", "AF-55")  # fmt: skip
"""Bounds of Resolve; what a check takes or brings; what rolling initiative unsurprised brings;
losing this many Hit Dice more than Proficiency calls for a check."""

STAGES = Table(
    {
        ("core", "no expert"): 4, ("core", "harder"): 3, ("core", "dice"): (2,),
        ("later", "no expert"): 4, ("later", "harder"): 2, ("later", "dice"): (3, 1),
    },
    "AF-53",
    "AF-32",
)  # fmt: skip
"""Resolve at which big actions close, actions need one success more, and each defense die goes."""

COLLAPSE = Table({"resolve": 0}, "AF-53")
"""Resolve at which one collapses."""

DEATH = Table({"minus_five": -5, "failed_check": -1, "both_zero": 0}, "AF-50")
"""Resolve at which a combatant with 0 HD dies, by ruling."""

INITIATIVE = Table({"dice": Pool((DIE, 3))}, "AF-61")
"""Each combatant rolls these dice for initiative."""

SPREAD = Table({"every": 2, "yards": 5, "most": 5, "stronger": 1}, "AF-75")
"""Area: this many extra successes for so many yards, at most this times Proficiency; how much
stronger one target may be hit."""

PRINTED = Table({6: (1, 3), 8: (3, 8), 10: (2, 5), 12: (1, 2)}, "AF-24")
"""The text's own chances that a die of so many sides sustains its layer, as printed."""

PRINTED_IN_EXAMPLE = Table({8: (5, 8)}, "AF-24")
"""The same where an example repeats it."""

PRINTED_HD = 5
"""Hit Dice of the Weaver of level 1 in example 2 (AF-28)."""

MENDED = Table(
    {"repair": frozenset({"armor", "shield"}),
     "recover": frozenset({"magical", "shield", "armor", "temporary"})},
    "AF-39", "AF-51",
)  # fmt: skip
"""Repair and rest make these layers whole again."""
