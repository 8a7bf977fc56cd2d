"""The book's numbers, each with its clause. Nothing else in this room holds one."""

from __future__ import annotations

from affray.core.dice import Pool, d
from affray.core.step import cites
from affray.core.table import Table


@cites("EP-7")
def round_half_up(numerator: int, denominator: int) -> int:
    """Divide and round to nearest, halves up.

    >>> round_half_up(35, 2), round_half_up(37, 5), round_half_up(-1, 2)
    (18, 7, 0)
    """
    return (2 * numerator + denominator) // (2 * denominator)


INITIATIVE = Pool((d(6), 1))
"""Rolled once and added to initiative (EP-25)."""
FIRST_PLACE = 1000
"""Added for those who have bought the first place: they go before everybody else (EP-29)."""
MOST_EXTRA = 2
"""Extra actions of one combatant in a turn, at most (EP-30)."""
STANDING_UP = Table({"halves": 2}, "EP-33")
"""What the Movement Rate is divided by in a turn in which somebody stands up."""
ACTION_POOLS = ("vigor", "insight", "threat")
"""Pools that buy an extra action, or the first place (EP-22, EP-24)."""

# -- dice and target numbers -----------------------------------------------------------------

SUPERIOR = Table({1: 33, 2: 66}, "EP-4")
"""Faces from which a success counts one or two superior successes."""

MODIFIER_LIMIT = 60
"""The sum of all modifiers is held between minus and plus this (EP-8)."""

RETRY = -10
"""For each failed attempt before this one, where that is counted (EP-11)."""

SPECIALIZATION = 10
"""A specialization that applies (EP-13)."""

POOL_BONUS = 20
"""A pool point adds this before the roll (EP-19)."""

POOLS_FOR = Table(
    {
        "melee": ("vigor", "threat", "flex"),
        "guns": ("vigor", "threat", "flex"),
        "athletics": ("vigor", "threat", "flex"),
        "demolitions": ("insight", "threat", "flex"),
        "interface": ("insight", "threat", "flex"),
        "exotic": ("vigor", "threat", "flex"),
        "psi": ("moxie", "threat", "flex"),
        "fray": ("vigor", "threat", "flex"),
        "perceive": ("insight", "threat", "flex"),
        "infiltrate": ("vigor", "threat", "flex"),
        "som": ("vigor", "threat", "flex"),
        "ref": ("vigor", "threat", "flex"),
        "wil": ("moxie", "threat", "flex"),
    },
    "EP-18",
    "EP-24",
)
"""Which pools serve a test, the most special first."""

APTITUDE_OF = Table(
    {
        "melee": "som", "guns": "ref", "athletics": "som", "demolitions": "cog",
        "interface": "cog", "exotic": "som", "psi": "wil", "fray": "ref",
        "perceive": "intuition", "infiltrate": "ref", "medicine": "cog",
    },
    "EP-6",
)  # fmt: skip
"""The aptitude a test falls back to without the skill."""

DOUBLE_BASE = frozenset({"fray", "perceive"})
"""Skills whose base is twice the aptitude."""

# -- modifiers for every attack --------------------------------------------------------------

FULL_MOVE = -20
SUPERIOR_POSITION = 20
WOUND_STEP = Table({False: -10, True: -20}, "EP-50", "EP-109")
"""For each wound or trauma that is not ignored; the second with low pain tolerance."""
IGNORED_AT_MOST = 3
CALLED_SHOT = -10
TWO_HANDED_IN_ONE = -20
FIXED_CARRIED = -20
SIZE_HIT = Table(
    {"very_small": -30, "small": -10, "medium": 0, "large": 10, "very_large": 30}, "EP-141"
)
"""On the attacker, by the target's size."""
VISIBILITY = Table({"clear": 0, "minor": -10, "major": -20}, "EP-49", "EP-98")
BLIND = -30
BLIND_MISS_BELOW = 50
"""A blind shot goes wide when a d100 shows less than this (EP-101)."""
WRONG_SIZE = -20
LAYER = -20
"""For each layer of armor beyond the first, and again if layers outweigh SOM (EP-117)."""

DISTRACTED = -20
"""On Perceive against an ambush, for targets that are not alert (EP-34)."""
DANGER_SENSE = 10
ALERTED = -3
"""On initiative, for somebody who noticed an ambush just in time (EP-37)."""

# -- ranged ----------------------------------------------------------------------------------

MODES = Table(
    {
        "single": {"rounds": 1, "hit": 0, "d10": 0, "targets": 1},
        "semi": {"rounds": 1, "hit": 0, "d10": 0, "targets": 1},
        "burst": {"rounds": 3, "hit": 10, "d10": 1, "targets": 2},
        "auto": {"rounds": 10, "hit": 30, "d10": 2, "targets": 3},
    },
    "EP-68",
    "EP-69",
    "EP-70",
)
"""Rounds fired; bonus to hit or extra d10 on one target; how many targets may share it."""
SUPPRESS_ROUNDS = 20
AIM = Table({"none": 0, "quick": 10, "complex": 30}, "EP-73")
AMMO_HOMING = 10
POINT_BLANK_M, CLOSE_M = 2, 10
RANGE = Table({"point_blank": 10, "close": 0, "range": -10, "step": -10}, "EP-74")
CONE = Table({"d10": 1}, "EP-102")
"""d10 that a cone adds at point-blank and close range."""
CONE_TARGETS = Table({"close": 1, "range": 2, "beyond": 3}, "EP-102")
"""How many targets a cone strikes, by range band."""
PSI_RANGE = Table({"near_m": 2, "near": 10, "clear_m": 10, "step_m": 2, "step": -10}, "EP-137")
"""+10 to 2 m, nothing to 10 m, then -10 for each 2 m begun."""
CYBERBRAIN = -30
COVER = Table({"none": 0, "minor": -10, "moderate": -20, "major": -30}, "EP-77")
HIDDEN = -30
PRONE_FAR, PRONE_FAR_M = -10, 10
ATTACKER_COVER = -10
IN_MELEE = Table({False: -10, True: -30}, "EP-77")
"""Shooting while engaged; the second with a long weapon."""
NO_SMARTLINK = -10
MULTI_WEAPON = -20
INDIRECT = -20

# -- blasts ----------------------------------------------------------------------------------

FALLOFF, MOST_FALLOFF, VACUUM_FALLOFF = 2, 20, 10
"""DV that a blast loses for each meter: as a rule, dialed down at most, in vacuum."""
NEAR_EDGE_M = 1
"""Within so many meters of the edge or of cover, Fray avoids an area attack whole (EP-103)."""
SCATTER_M = d(10)
"""How many meters a missed explosive goes astray (EP-104)."""
SCATTER_GROWTH = Table({"doubled": (2, 4), "added": (2, 3)}, "EP-104")
"""What one and two superior failures multiply the scatter by."""
BEARINGS = Table({"clock": 12, "compass": 8}, "EP-104")
"""Directions of scatter."""
SHAPED = Table({"none": 1, "half": 2, "quarter": 3}, "EP-108")
"""What shaping a charge to one side multiplies its DV by."""

# -- melee -----------------------------------------------------------------------------------

AGGRESSIVE = Table({"hit": 10, "d10": 1, "fray": -10}, "EP-84")
CHARGE = Table({"hit": -10, "d6": 1}, "EP-85")
MELEE_M = Table({"point_blank": 2, "weapon": 1, "bonus": 10}, "EP-86")
"""Meters that a melee weapon reaches, as ruled; by weapon one more for each so much bonus."""
REACH_LIMIT = 30
SIZE_STEP = Table({"very_small": 1, "small": 2, "medium": 3, "large": 4, "very_large": 5}, "EP-86")
REACH_PER_STEP = 10
TOUCH = 20
THROWN_DOWN = -30
"""On the test of somebody held against being thrown down (EP-92)."""
GRAPPLE = Table({"size": 20, "limbs": 20, "more_limbs": 2, "too_large": 2}, "EP-91")
"""For each size that a foe is smaller, or larger; for so many limbs more, or less; nobody grapples
a foe so many sizes larger."""
MULTI_TARGET = -20
EXTRA_MELEE_WEAPON = Table({"d6_most": 3, "defense": 10, "defense_most": 30}, "EP-89")
MELEE_SIZE = Table({"very_small": 0, "small": 0, "medium": 0, "large": 1, "very_large": 2}, "EP-94")
"""d10 that size adds to melee damage; the small are halved or held to 1 instead."""
MOST_DV_VERY_SMALL = 1
CRITICAL_FACTOR = 2
"""A critical hit multiplies the damage by this (EP-58)."""

# -- defense ---------------------------------------------------------------------------------

FULL_DEFENSE = 30
STUNNED = Table({"physical": -30, "mental": -10}, "EP-115")
HAMPERED = Table({"blinded": -30, "grappled": -30}, "EP-115")
"""On physical defenses."""
STUCK = frozenset({"dazed", "disoriented", "fleeing"})
"""Conditions in which somebody defends, and begins nothing of their own."""
IMPAIRED = Table({"impaired_10": -10, "impaired_20": -20, "impaired_30": -30}, "EP-115")
DEAFENED = Table({"initiative": -3, "perceive": -30}, "EP-26", "EP-115")
CONFUSED = Table({"check": -30, "attacks_from": 75}, "EP-115")
"""The modifier of the COG check, and the d100 from which the confused attack anybody near."""
INSANITY = 2
"""The insanity rating in lucidities (EP-125)."""
LASTING = 1000
"""Turns of a condition that doesn't end by itself."""
SHOCKED = Table({"resisted": 3, "out": 1, "superior": 2, "stunned": 60}, "EP-107")
"""Turns stunned after a success; turns out of action, more for each superior failure, and then
three minutes stunned after a failure."""
STUN_TURNS = Table({"failed": 1, "superior": 1, "critical_out": 1, "critical": 20}, "EP-61")
BLIND_TURNS = Table({"failed": 1, "superior": 1}, "EP-61")
PAIN = Table({"turns": 1, "check": 30}, "EP-61")
"""Turns in pain; what pain tolerance adds to the check."""
STRESS_RESPONSE = Table({1: "enraged", 3: "fleeing", 5: "detached"}, "EP-123")
"""Acute stress, by the lowest face of a d6."""
HELPLESS = frozenset({"surprised", "incapacitated", "unconscious", "detached"})
"""Conditions in which nobody attacks or defends at all."""
MENTAL = frozenset({"psi", "interface", "wil", "perceive"})
"""Skills and checks that need no body: those bound or stunned may use them."""

# -- injury ----------------------------------------------------------------------------------

DEATH_RATING = Table({"biological": 3, "synthetic": 4}, "EP-114")
"""Death Rating in halves of durability."""
BLEEDING_TREATED = 30
ROUSED = -30
"""On the INT check of an unconscious combatant whom somebody shakes (EP-154)."""
FIRST_AID = Table({"least": 1, "most": 22}, "EP-147")
"""Damage that first aid heals: a d10, and a d6 for each of two superior successes."""
RECHARGE = 6
"""Points that a short recharge brings at most, on a d6 (EP-23)."""
ENTANGLED = -10
"""On the check against entangling, for each superior success of the attack (EP-61)."""
SHOCK_SIZE = Table(
    {"very_small": -30, "small": -10, "medium": 0, "large": 10, "very_large": 30}, "EP-107"
)
STUN_SIZE = Table(
    {"very_small": -30, "small": -30, "medium": 0, "large": 30, "very_large": 30}, "EP-61"
)
"""The text knows small and large; what is smaller or larger still counts like them."""
SCATTER = Pool((d(10), 1))
"""A lost weapon lands this many meters away (EP-100)."""
LOW_PAIN_CHECK = -30
"""On SOM checks, with low pain tolerance (A-50)."""
CALLED_CHECK = Table({"first": -30, "second": -60}, "EP-100")
"""Modifier of the check against a disarm or a redirect; the second with a second superior."""
