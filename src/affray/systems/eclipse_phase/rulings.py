"""Where the book is silent or contradicts itself: each reading a switch.

The numbers are those of the list of open questions; questions of later chapters come with them.
"""

from __future__ import annotations

from typing import Literal

from affray.core.ruling import Ruling

TIES: Ruling[Literal["miss", "deadlock", "higher_skill"]] = Ruling(
    "A-1", "ties", "EP-17 EP-56",
    "What happens if both succeed with the same number, neither critically?",
    {"miss": "the attack does not connect",
     "deadlock": "nobody wins; the attack does no harm, and the outcome says deadlock",
     "higher_skill": "the higher target number wins"},
    default="miss",
)  # fmt: skip
REVEAL: Ruling[Literal["own", "both"]] = Ruling(
    "A-2", "reveal", "EP-20", "When does the attacker decide on a pool point after rolling?",
    {"own": "after the attack roll, before the defender rolls",
     "both": "when both rolls are known"},
    default="own",
)  # fmt: skip
EQUAL_CRITICALS: Ruling[Literal["final", "base", "raw"]] = Ruling(
    "A-3", "equal_criticals", "EP-16",
    "Which skill counts as higher when two critical rolls are equal?",
    {"base": "the skill after halving, without modifiers", "final": "the final target number",
     "raw": "the skill before halving"},
    default="final",
)  # fmt: skip
SPECIALTY: Ruling[Literal["after", "before"]] = Ruling(
    "A-4", "specialty", "EP-13 EP-46", "Is a specialization in Fray halved against bullets?",
    {"after": "the +10 comes after halving", "before": "the +10 is halved too"},
    default="after",
)  # fmt: skip
ATHLETICS: Ruling[Literal["halved", "full"]] = Ruling(
    "A-5", "athletics", "EP-48", "Is Athletics on full defense halved against bullets, like Fray?",
    {"halved": "halved", "full": "full value"},
    default="halved",
)  # fmt: skip
POOL_CAP: Ruling[Literal["outside", "inside"]] = Ruling(
    "A-6", "pool_cap", "EP-8 EP-19", "Does the +20 of a pool point count into the limit of 60?",
    {"outside": "no, it is added after the limit", "inside": "yes"},
    default="outside",
)  # fmt: skip
CRITICAL_DOUBLES: Ruling[Literal["total", "dice", "weapon"]] = Ruling(
    "A-7", "critical_doubles", "EP-58", "What does a critical double?",
    {"total": "the whole DV with every extra", "dice": "the number of dice",
     "weapon": "the weapon's own DV only"},
    default="total",
)  # fmt: skip
PIERCING_TWICE: Ruling[Literal["once", "quarter"]] = Ruling(
    "A-8", "piercing_twice", "EP-63 EP-100",
    "How do armor-piercing and a bypassing called shot combine?",
    {"once": "armor is halved once", "quarter": "armor is halved twice"},
    default="once",
)  # fmt: skip
DEFAULT_ZERO: Ruling[Literal["ordinary", "critical", "may_fail"]] = Ruling(
    "A-9", "default_zero", "EP-6", "What is a roll of 00 without the skill?",
    {"ordinary": "an ordinary success", "critical": "still a critical success",
     "may_fail": "fails when the target number is below zero"},
    default="ordinary",
)  # fmt: skip
MINUS_DIE: Ruling[Literal["remove", "subtract"]] = Ruling(
    "A-10", "minus_die", "EP-75 EP-153", "What does -1d10 DV mean?",
    {"remove": "take a d10 out of the pool; with none left roll one and subtract it",
     "subtract": "always roll one and subtract it"},
    default="remove",
)  # fmt: skip
HALF_AMMO: Ruling[Literal["total", "weapon"]] = Ruling(
    "A-11", "half_ammo", "EP-83", "What does half-DV ammunition halve?",
    {"total": "the whole DV", "weapon": "the weapon's own DV; extras count in full"},
    default="total",
)  # fmt: skip
SHARED_SUPERIOR: Ruling[Literal["each", "first"]] = Ruling(
    "A-12", "shared_superior", "EP-71",
    "Which targets take a superior hit when one roll attacks several?",
    {"each": "every target that is hit", "first": "only the first target that is hit"},
    default="each",
)  # fmt: skip
SUPPRESSION_ENDS: Ruling[Literal["next_action", "turn"]] = Ruling(
    "A-13", "suppression_ends", "EP-72", "How long does suppressive fire last?",
    {"next_action": "until the shooter's next action", "turn": "to the end of the turn"},
    default="next_action",
)  # fmt: skip
AIMED_BURST: Ruling[Literal["no", "yes"]] = Ruling(
    "A-14", "aimed_burst", "EP-73", "May burst or automatic fire follow a complex aim?",
    {"no": "not allowed", "yes": "allowed"},
    default="no",
)  # fmt: skip
STEADY: Ruling[Literal["penalties", "all", "to_hit"]] = Ruling(
    "A-15", "steady", "EP-75", "Which range modifiers does a steady weapon ignore?",
    {"all": "all, the point-blank bonus and the lost die too", "penalties": "only what hurts",
     "to_hit": "only penalties to hit; the lost die stays lost"},
    default="penalties",
)  # fmt: skip
DISARM_HALF: Ruling[Literal["dv", "net"]] = Ruling(
    "A-17", "disarm_half", "EP-100", "Does a disarm halve the damage before or after armor?",
    {"dv": "the DV, then armor", "net": "what is left after armor"},
    default="dv",
)  # fmt: skip
SMALL_HALF: Ruling[Literal["total", "dice"]] = Ruling(
    "A-18", "small_half", "EP-94", "What is halved in a small attacker's melee damage?",
    {"total": "the total, once", "dice": "the number of dice (2d6 becomes 1d6)"},
    default="total",
)  # fmt: skip
STOPPED_EFFECTS: Ruling[Literal["hit", "none"]] = Ruling(
    "A-19", "stopped_effects", "EP-61", "Do traits still take effect when armor stops all damage?",
    {"hit": "those that need a hit do, those that need damage don't", "none": "none does"},
    default="hit",
)  # fmt: skip
IGNORE_ALL: Ruling[Literal["all", "negative"]] = Ruling(
    "A-21", "ignore_all", "EP-19",
    "Does a pool point that ignores all modifiers ignore the good ones too?",
    {"all": "all of them", "negative": "only what hurts"},
    default="all",
)  # fmt: skip
UNDEFENDED: Ruling[Literal["test", "automatic"]] = Ruling(
    "A-22", "undefended", "EP-39", "What does an attack on a target that can't defend take?",
    {"test": "a plain success test", "automatic": "it hits"},
    default="test",
)  # fmt: skip
WOUND_CAP: Ruling[Literal["inside", "outside"]] = Ruling(
    "A-24", "wound_cap", "EP-8 EP-50", "Do wound modifiers count into the limit of 60?",
    {"inside": "yes", "outside": "no, they come on top"},
    default="inside",
)  # fmt: skip
PRONE_SUPERIOR: Ruling[Literal["once", "stack"]] = Ruling(
    "A-26", "prone_superior", "EP-97 EP-98", "Superior position over a prone foe: +20 or +40?",
    {"once": "they are the same thing: +20", "stack": "they add up: +40"},
    default="once",
)  # fmt: skip
MOVE_FRAY: Ruling[Literal["attack", "both"]] = Ruling(
    "A-27", "move_fray", "EP-98", "Does a full move also hurt the mover's own Fray?",
    {"attack": "only attacks", "both": "Fray too"},
    default="attack",
)  # fmt: skip
AGGRESSIVE_CHARGE: Ruling[Literal["allowed", "refused"]] = Ruling(
    "A-28", "aggressive_charge", "EP-84 EP-85", "May a charge be an aggressive attack?",
    {"allowed": "both apply", "refused": "one or the other"},
    default="allowed",
)  # fmt: skip
AGGRESSIVE_PARRY: Ruling[Literal["fray", "all"]] = Ruling(
    "A-29", "aggressive_parry", "EP-84",
    "Does the -10 Fray of an aggressive attack count for parries too?",
    {"fray": "only Fray", "all": "every defense"},
    default="fray",
)  # fmt: skip
SUPERIOR_FAILURE: Ruling[Literal["ignored", "told"]] = Ruling(
    "A-31", "superior_failure", "EP-9 EP-59", "What does an attacker's superior failure do?",
    {"ignored": "a miss like any other", "told": "the outcome counts them, for the GM to use"},
    default="ignored",
)  # fmt: skip
CALLED_CRITICAL: Ruling[Literal["both", "doubles", "effect"]] = Ruling(
    "A-32", "called_critical", "EP-99", "What does a critical hit do with a called shot?",
    {"both": "the effect happens and damage doubles", "doubles": "damage doubles, no effect",
     "effect": "the effect happens, no doubling"},
    default="both",
)  # fmt: skip
CALLED_SECOND: Ruling[Literal["damage", "lost"]] = Ruling(
    "A-33", "called_second", "EP-99",
    "What does a second superior success add to a bypassing called shot?",
    {"damage": "+1d6 as usual", "lost": "nothing"},
    default="damage",
)  # fmt: skip
SHORT_RATING: Ruling[Literal["close", "beyond"]] = Ruling(
    "A-34", "short_rating", "EP-74",
    "Which range is within 10 m, but beyond a very short range rating?",
    {"close": "close range", "beyond": "beyond range"},
    default="close",
)  # fmt: skip
FACTORS: Ruling[Literal["once", "each"]] = Ruling(
    "A-35", "factors", "EP-153", "Are several factors on one DV rounded once or each time?",
    {"once": "multiplied exactly, rounded once", "each": "rounded after each"},
    default="once",
)  # fmt: skip
STATIC: Ruling[Literal["roll", "average"]] = Ruling(
    "A-36", "static", "EP-60", "Roll damage, or take its average?",
    {"roll": "roll the dice", "average": "take the average of the dice, rounded"},
    default="roll",
)  # fmt: skip
WAKING: Ruling[Literal["below", "up_to"]] = Ruling(
    "A-37", "waking", "EP-112", "Can a target be woken with damage exactly at durability?",
    {"below": "no, damage must be below durability", "up_to": "yes, it does not exceed it"},
    default="below",
)  # fmt: skip
BLEEDING: Ruling[Literal["once", "each"]] = Ruling(
    "A-38", "bleeding", "EP-113", "Does bleeding out call for one check, or for one each turn?",
    {"once": "one check; if it fails, damage goes on every turn until help comes",
     "each": "a check each turn, until one succeeds"},
    default="once",
)  # fmt: skip
BLEEDS_UNWOUNDED: Ruling[Literal["no", "yes"]] = Ruling(
    "A-39", "bleeds_unwounded", "EP-113",
    "Does a target bleed out that reaches durability without a wound?",
    {"no": "unconscious, no bleeding", "yes": "bleeding out"},
    default="no",
)  # fmt: skip
SHELL_KNOCKDOWN: Ruling[Literal["same", "crash"]] = Ruling(
    "A-40", "shell_knockdown", "EP-110 EP-111", "What do wounds do to bots and vehicles?",
    {"same": "checks as for morphs", "crash": "they never fall over or go offline from wounds"},
    default="same",
)  # fmt: skip
SHORT_MAGAZINE: Ruling[Literal["refuse", "lower"]] = Ruling(
    "A-45", "short_magazine", "EP-79", "What if there are too few rounds for the mode?",
    {"refuse": "the mode can't be used",
     "lower": "the rounds that are left are fired in the next lower mode"},
    default="refuse",
)  # fmt: skip
DECLINE: Ruling[Literal["allowed", "forced"]] = Ruling(
    "A-46", "decline", "EP-44", "May a defender decline to defend?",
    {"allowed": "yes; it counts as a failed defense", "forced": "no, everybody rolls"},
    default="allowed",
)  # fmt: skip
PARRY_EXOTIC: Ruling[Literal["yes", "no"]] = Ruling(
    "A-47", "parry_exotic", "EP-45", "May Melee parry an exotic melee weapon?",
    {"yes": "yes", "no": "no, only Fray"},
    default="yes",
)  # fmt: skip
FAILURE_BANDS: Ruling[Literal["inclusive", "exclusive"]] = Ruling(
    "A-48", "failure_bands", "EP-4 EP-5 EP-20",
    "Superior failures at exactly 33 and 66 (seen only in a downgraded critical failure)?",
    {"inclusive": "66 or less, 33 or less; a downgraded one has none",
     "exclusive": "below 66, below 33; a downgraded one has those of its number"},
    default="inclusive",
)  # fmt: skip
HALVED_MODIFIERS: Ruling[Literal["after", "before"]] = Ruling(
    "A-49", "halved_modifiers", "EP-46",
    "Are the modifiers for wounds and layers halved with Fray against bullets?",
    {"after": "modifiers come after halving", "before": "Fray with its modifiers is halved"},
    default="after",
)  # fmt: skip
PRINTED: Ruling[Literal["printed", "formula"]] = Ruling(
    "A-44", "printed", "EP-7 EP-114",
    "Which thresholds count where the printed ones disagree with the formulas?",
    {"printed": "as printed", "formula": "worked out from durability"},
    default="printed",
)  # fmt: skip
RETRIES: Ruling[Literal["no", "yes"]] = Ruling(
    "A-30", "retries", "EP-11", "Do repeated attacks suffer -10 like other retries?",
    {"no": "no", "yes": "-10 for each earlier failed attack on the same target"},
    default="no",
)  # fmt: skip
LOW_PAIN: Ruling[Literal["checks", "wounds"]] = Ruling(
    "A-50", "low_pain", "EP-109 EP-110", "What does Low Pain Tolerance do?",
    {"checks": "-20 for each wound instead of -10, and -30 on every SOM check",
     "wounds": "-20 for each wound instead of -10, and nothing else"},
    default="checks",
)  # fmt: skip
BLINDED: Ruling[Literal["wide", "blind"]] = Ruling(
    "A-51", "blinded", "EP-101 EP-115", "How does a blinded attacker attack?",
    {"wide": "half of what would hit goes wide, without a modifier",
     "blind": "as in any blind attack: -30, and Perceive decides whether half goes wide"},
    default="wide",
)  # fmt: skip
FRESH_WOUND: Ruling[Literal["counts", "earlier"]] = Ruling(
    "A-52", "fresh_wound", "EP-110 EP-111",
    "Does a wound count in the check that it calls for, against falling and fainting?",
    {"counts": "yes, with all earlier ones",
     "earlier": "no, only earlier ones do, as in the example of the book"},
    default="counts",
)  # fmt: skip
CALLED_SEVERAL: Ruling[Literal["melee", "none", "all"]] = Ruling(
    "A-53", "called_several", "EP-99",
    "Which attacks on several targets may be called shots?",
    {"melee": "those hand to hand, which are an attack on each; one call goes for all",
     "none": "none", "all": "bursts and automatic fire as well"},
    default="melee",
)  # fmt: skip
CALLED_PSI: Ruling[Literal["refused", "allowed"]] = Ruling(
    "A-54", "called_psi", "EP-99", "May psi attacks be called shots?",
    {"refused": "no, there is nothing to aim at", "allowed": "yes, as all types of attacks"},
    default="refused",
)  # fmt: skip
CONDITION_TURNS: Ruling[Literal["own", "rounds"]] = Ruling(
    "A-55", "condition_turns", "EP-107 EP-115",
    "Which turns does a condition of so many turns last in a fight?",
    {"own": "as many own turns of those who have it, until the one after begins",
     "rounds": "as many rounds, the one in which it begins included"},
    default="own",
)  # fmt: skip
AMBUSH_FAILURES: Ruling[Literal["noticed", "higher"]] = Ruling(
    "A-43", "ambush_failures", "EP-34", "Who wins if both tests for an ambush fail?",
    {"noticed": "the ambush is noticed", "higher": "the higher roll"},
    default="noticed",
)  # fmt: skip
TREATING: Ruling[Literal["both", "patient"]] = Ruling(
    "A-66", "treating", "EP-50 EP-113", "Whose wounds hamper the treatment of somebody who bleeds?",
    {"both": "the patient's, as in their own check, and the helper's",
     "patient": "the patient's alone"},
    default="both",
)  # fmt: skip
GRAPPLE_CRITICAL: Ruling[Literal["subdues", "hurts"]] = Ruling(
    "A-67", "grapple_critical", "EP-5 EP-91",
    "Does a critical success subdue somebody, as a superior one does?",
    {"subdues": "yes", "hurts": "no, it only may do damage"},
    default="subdues",
)  # fmt: skip
WOUND_EFFECTS: Ruling[Literal["checks", "modifiers"]] = Ruling(
    "H-1", "wound_effects", "EP-110 EP-111 EP-113",
    "What does a wound do? (The second reading is a house rule.)",
    {"checks": "modifiers, and checks against falling and fainting, as in the book",
     "modifiers": "modifiers only; no checks, nobody falls"},
    default="checks",
)  # fmt: skip
MELEE_REACH: Ruling[Literal["point_blank", "weapon"]] = Ruling(
    "A-56", "melee_reach", "EP-86", "How far does a melee weapon reach?",
    {"point_blank": "2 m, as far as point-blank range",
     "weapon": "1 m, and 1 m more for each 10 of its reach bonus"},
    default="point_blank",
)  # fmt: skip
AMMUNITION: Ruling[Literal["plenty", "counted"]] = Ruling(
    "H-3", "ammunition", "EP-61 EP-79", "Do fights count rounds?",
    {"counted": "yes; an empty weapon takes a complex action to reload, and what is broken or used "
     "up is gone",
     "plenty": "no, every attack finds a full magazine, and nothing is used up"},
    default="counted",
)  # fmt: skip
TURNS: Ruling[Literal["attacks", "actions"]] = Ruling(
    "H-4", "turns", "EP-27 EP-28 EP-32", "What is chosen in a turn of a fight?",
    {"attacks": "an attack; whoever is out of reach first closes in",
     "actions": "a quick action, a move (closer or away), and an attack, full defense, an aim, a "
     "reload or a rush; points buy more actions"},
    default="actions",
)  # fmt: skip
INITIATIVE_TIES: Ruling[Literal["reflexes", "roll_off"]] = Ruling(
    "H-2", "initiative_ties", "EP-25", "Who acts first on equal initiative?",
    {"reflexes": "higher REF; if that is equal too, a roll-off each turn",
     "roll_off": "a roll-off each turn"},
    default="reflexes",
)  # fmt: skip

AREA_FRAY: Ruling[Literal["plain", "opposed"]] = Ruling(
    "A-16", "area_fray", "EP-46 EP-103",
    "What does Fray have to do against an attack on an area?",
    {"plain": "succeed", "opposed": "beat the attack roll, if that succeeded"},
    default="plain",
)  # fmt: skip
BLAST_METERS: Ruling[Literal["down", "nearest"]] = Ruling(
    "A-41", "blast_meters", "EP-102", "How do parts of a meter count from a blast's center?",
    {"down": "whole meters count", "nearest": "distances are rounded to the nearest meter"},
    default="down",
)  # fmt: skip
SCATTER_DOUBLED: Ruling[Literal["doubled", "added"]] = Ruling(
    "A-42", "scatter_doubled", "EP-104", "How far do two superior failures scatter?",
    {"doubled": "doubled for each one: four times as far", "added": "three times as far"},
    default="doubled",
)  # fmt: skip
BLAST_DAMAGE: Ruling[Literal["once", "each"]] = Ruling(
    "A-60", "blast_damage", "EP-60 EP-102", "How is damage rolled for several targets in an area?",
    {"once": "once for the attack; distance, Fray and armor tell the targets apart",
     "each": "for each target"},
    default="once",
)  # fmt: skip
AREA_EDGE: Ruling[Literal["radius", "damage"]] = Ruling(
    "A-61", "area_edge", "EP-103", "Where is the edge of a uniform blast?",
    {"radius": "at its radius", "damage": "where distance has used up its damage"},
    default="radius",
)  # fmt: skip
BEARINGS: Ruling[Literal["clock", "compass"]] = Ruling(
    "A-62", "scatter_bearings", "EP-104",
    "How is the direction of scatter read, in which the die points?",
    {"clock": "by the clock, a d12; twelve is straight on from the thrower",
     "compass": "by the compass, a d8; eight is straight on"},
    default="clock",
)  # fmt: skip
AIRBURST_COVER: Ruling[Literal["ignored", "counts"]] = Ruling(
    "A-63", "airburst_cover", "EP-105", "Does cover hamper an attack that bursts in the air?",
    {"ignored": "no", "counts": "yes"},
    default="ignored",
)  # fmt: skip
VACUUM_BLAST: Ruling[Literal["uniform", "all"]] = Ruling(
    "A-64", "vacuum_blast", "EP-102", "Which blasts lose 10 DV for each meter in vacuum?",
    {"uniform": "uniform ones, outside their radius", "all": "centered ones as well"},
    default="uniform",
)  # fmt: skip
CHARGE_TEST: Ruling[Literal["no", "yes"]] = Ruling(
    "A-65", "charge_test", "EP-43 EP-108", "Does a placed charge need a Demolitions test?",
    {"no": "only to shape it, or to do more to objects",
     "yes": "it is an attack like any other: with a failure nothing goes off"},
    default="no",
)  # fmt: skip

RULINGS = (
    TIES, REVEAL, EQUAL_CRITICALS, SPECIALTY, ATHLETICS, POOL_CAP, CRITICAL_DOUBLES,
    PIERCING_TWICE, DEFAULT_ZERO, MINUS_DIE, HALF_AMMO, SHARED_SUPERIOR, SUPPRESSION_ENDS,
    AIMED_BURST, STEADY, DISARM_HALF, SMALL_HALF, STOPPED_EFFECTS, IGNORE_ALL, UNDEFENDED,
    WOUND_CAP, PRONE_SUPERIOR, MOVE_FRAY, AGGRESSIVE_CHARGE, AGGRESSIVE_PARRY, RETRIES,
    SUPERIOR_FAILURE, CALLED_CRITICAL, CALLED_SECOND, SHORT_RATING, FACTORS, STATIC,
    WAKING, BLEEDING, BLEEDS_UNWOUNDED, SHELL_KNOCKDOWN, PRINTED, SHORT_MAGAZINE, DECLINE,
    PARRY_EXOTIC, FAILURE_BANDS, HALVED_MODIFIERS, LOW_PAIN, BLINDED,
    FRESH_WOUND, CALLED_SEVERAL, CALLED_PSI, AMBUSH_FAILURES, CONDITION_TURNS,
    MELEE_REACH, WOUND_EFFECTS, INITIATIVE_TIES, AMMUNITION, TURNS,
    AREA_FRAY, BLAST_METERS, SCATTER_DOUBLED, BLAST_DAMAGE, AREA_EDGE, BEARINGS, AIRBURST_COVER,
    VACUUM_BLAST, CHARGE_TEST, TREATING,
    GRAPPLE_CRITICAL,
)  # fmt: skip
"""Every open question that touches one attack."""
