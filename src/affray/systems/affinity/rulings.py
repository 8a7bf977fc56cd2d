"""The text is silent in places or contradicts itself: each reading is a switch.

The numbers are those of the list of open questions; a letter marks a further part of one. Numbers
with B ask what printings of the text answer differently. Two questions are answered by the sheet:
a type for which damage is doubled (`Combatant.doubled`, part of A-10), and one type for each attack
(`Action.type`, A-23).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from affray.core.ruling import Erratum, Profile, Ruling
from affray.systems.affinity.tables import (
    FACES,
    HD_BY_LEVEL,
    HD_DICE,
    PRINTED,
    PRINTED_HD,
    PRINTED_IN_EXAMPLE,
)

OVERWHELM: Ruling[Literal["roll", "strict", "absorb_one", "per_die"]] = Ruling(
    "A-1", "overwhelm", "AF-23 AF-24", "What happens if the damage is greater than the capacity?",
    {"roll": "the defense is rolled all the same",
     "strict": "no dice are rolled and the layer goes",
     "absorb_one": "one success is enough: the layer goes, and nothing passes inward",
     "per_die": "each point faces one die of the outermost layer and destroys it where it fails"},
    default="roll",
)  # fmt: skip
OUTROLLED: Ruling[Literal["survives", "depletes"]] = Ruling(
    "A-1b", "outrolled", "AF-23 AF-27",
    "Can bonus dice save a layer from damage greater than the capacity?",
    {"survives": "yes, if everything is canceled",
     "depletes": "no, the layer goes; what was canceled doesn't pass"},
    default="survives",
)  # fmt: skip
TEMP_HD: Ruling[Literal["ablate_all", "absorb"]] = Ruling(
    "A-2", "temp_hd", "AF-27", "What does the rolled total of a layer do?",
    {"ablate_all": "nothing: a layer is lost whole and absorbs nothing",
     "absorb": "the damage that is left comes off it first"},
    default="ablate_all",
)  # fmt: skip
CAPACITY: Ruling[Literal["half", "full"]] = Ruling(
    "A-3", "capacity", "AF-21", "How many dice does a defense roll?",
    {"half": "half the Proficiency, rounded up", "full": "the whole Proficiency"},
    default="half",
)  # fmt: skip
BUDGET: Ruling[Literal["action", "turn"]] = Ruling(
    "A-4", "exertion_budget", "AF-1",
    "What limits exertion besides the Proficiency limit of an action?",
    {"action": "nothing", "turn": "the level, for all actions of a turn together"},
    default="action",
)  # fmt: skip
FACE: Ruling[Literal["tier", "five"]] = Ruling(
    "A-5", "success_face", "AF-2", "Which face is the lowest success?",
    {"tier": "that of the tier", "five": "always 5"},
    default="tier",
)  # fmt: skip
HEAVY: Ruling[Literal["sheet", "weapon", "one"]] = Ruling(
    "A-6", "heavy_required", "AF-2", "How many successes does a heavy weapon need?",
    {"sheet": "those of the stat block, else those of the weapon class",
     "weapon": "always those of the weapon class", "one": "always one"},
    default="sheet",
)  # fmt: skip
HD_TABLE: Ruling[Literal["early", "later"]] = Ruling(
    "A-7", "hd_table", "AF-28", "How many Hit Dice does a level bring?",
    {"early": "the numbers that examples 1 and 3 fit", "later": "two or so more"},
    default="early",
)  # fmt: skip
DEFEND: Ruling[Literal["every_roll", "after_body", "once_per_attack"]] = Ruling(
    "A-8", "defend_bonus", "AF-30", "Which rolls do the dice of Defend join?",
    {"every_roll": "with the roll of every layer", "after_body": "once, after the body's roll",
     "once_per_attack": "with the first roll against an attack"},
    default="every_roll",
)  # fmt: skip
DEFEND_LASTS: Ruling[Literal["next_turn", "round"]] = Ruling(
    "A-8b", "defend_lasts", "AF-30", "How long does Defend last?",
    {"next_turn": "until the start of the combatant's next turn",
     "round": "to the end of the round"},
    default="next_turn",
)  # fmt: skip
COUNTED: Ruling[Literal["no", "yes"]] = Ruling(
    "A-9", "bonus_counts_to_capacity", "AF-23",
    "Do bonus dice raise the number that damage is compared with? (Matters under A-1 strict.)",
    {"no": "no", "yes": "yes, every die that is rolled counts"},
    default="no",
)  # fmt: skip
VULNERABILITY: Ruling[Literal["floor_zero", "floor_one"]] = Ruling(
    "A-10", "vulnerability", "AF-31", "How many dice can vulnerability leave?",
    {"floor_zero": "none; bonus dice go first, then those of the layer", "floor_one": "one"},
    default="floor_zero",
)  # fmt: skip
DEATH: Ruling[Literal["minus_five", "failed_check", "both_zero"]] = Ruling(
    "A-11", "death", "AF-50 AF-54", "When does a combatant at 0 HD die?",
    {"minus_five": "at Resolve -5", "failed_check": "by another failed check at Resolve 0",
     "both_zero": "at Resolve 0"},
    default="minus_five",
)  # fmt: skip
AT_ZERO: Ruling[Literal["unconscious", "on_scene"]] = Ruling(
    "A-11b", "at_zero", "AF-50", "Can a combatant act at 0 HD?",
    {"unconscious": "no",
     "on_scene": "yes, as long as there is Resolve (where Resolve is checked, B-8)"},
    default="unconscious",
)  # fmt: skip
TIMING: Ruling[Literal["before", "after"]] = Ruling(
    "A-12", "intervene_timing", "AF-41", "When does an ally Intervene?",
    {"before": "before the defense", "after": "after it, against what would be lost"},
    default="before",
)  # fmt: skip
EXTREME_FROM: Ruling[Literal["weapon", "band"]] = Ruling(
    "A-13b", "extreme_from", "AF-70", "Where does extreme range begin?",
    {"weapon": "where the weapon says, else beyond 100 yards",
     "band": "beyond 100 yards for every weapon"},
    default="weapon",
)  # fmt: skip
CLOSE: Ruling[Literal["weapons", "all", "free"]] = Ruling(
    "A-25", "ranged_in_melee", "AF-70", "Which ranged attacks fail within melee range?",
    {"weapons": "those of ranged weapons; spells and other abilities work",
     "all": "all of them, spells as well",
     "free": "none"},
    default="weapons",
)  # fmt: skip
UNARMED: Ruling[Literal["basic", "no"]] = Ruling(
    "A-26", "unarmed", "AF-70 AF-77", "What is an unarmed strike?",
    {"basic": "a Basic attack of 1 success and 1 HD, for whoever can use no other attack",
     "no": "an attack that a sheet must have of its own"},
    default="basic",
)  # fmt: skip
MENDING: Ruling[Literal["no", "action"]] = Ruling(
    "A-27", "mending", "AF-51 AF-80", "Can armor be repaired in a fight?",
    {"no": "no, only afterwards",
     "action": "yes, out of melee range: a Basic action of 1 success makes all that is worn whole"},
    default="no",
)  # fmt: skip
RANGES: Ruling[Literal["joined", "printed", "weapon"]] = Ruling(
    "A-13", "range_gaps", "AF-70", "How far does each band reach?",
    {"joined": "short up to 30 yards, long up to 100, no gap; the weapon's maximum holds",
     "printed": "nothing between 5 and 10 yards, and 30 is long",
     "weapon": "short and long end where the weapon says"},
    default="joined",
)  # fmt: skip
PENALTY: Ruling[Literal["proficiency", "exertion"]] = Ruling(
    "A-14", "range_penalty_dice", "AF-70", "Which dice does range take away first?",
    {"proficiency": "Proficiency dice", "exertion": "exertion dice"},
    default="proficiency",
)  # fmt: skip
PRECISE: Ruling[Literal["floor_two", "literal"]] = Ruling(
    "A-15", "precise", "AF-2", "Can a precise weapon need less than a 2?",
    {"floor_two": "no", "literal": "yes: every die of a basic attack succeeds"},
    default="floor_two",
)  # fmt: skip
RAGE: Ruling[Literal["dice", "each_die", "successes"]] = Ruling(
    "A-16", "blood_rage", "AF-73 AF-74", "What does a boost of +2 to attack rolls add?",
    {"dice": "dice", "each_die": "that much to every die; only a 6 on the die counts twice",
     "successes": "successes"},
    default="dice",
)  # fmt: skip
NPC_BURN: Ruling[Literal["none", "remainder", "reckless"]] = Ruling(
    "A-17", "npc_burn", "AF-7 AF-73 AF-74", "Do monsters with a printed pool exert?",
    {"none": "no, nothing of it burns",
     "remainder": "what goes beyond Proficiency is exertion",
     "reckless": "the same, and as many exertion dice on top as anybody may put in"},
    default="reckless",
)  # fmt: skip
BURN: Ruling[Literal["listed", "immediate"]] = Ruling(
    "A-18", "burn_timing", "AF-7", "When do Hit Dice burn?",
    {"listed": "after the damage is worked out; it is dealt whatever happens",
     "immediate": "at once; a combatant who drops does nothing more"},
    default="listed",
)  # fmt: skip
RUSH: Ruling[Literal["rolled", "fixed"]] = Ruling(
    "A-19", "rush", "AF-42 AF-44", "What does Rush restore?",
    {"rolled": "one HD for each success",
     "fixed": "as many HD as the Proficiency, without a roll, once between rests"},
    default="rolled",
)  # fmt: skip
RUSH_CAP: Ruling[Literal["hd_max", "none", "proficiency"]] = Ruling(
    "A-19b", "rush_cap", "AF-39 AF-42", "What limits the HD that Rush restores?",
    {"hd_max": "the maximum", "none": "nothing",
     "proficiency": "the Proficiency, and the maximum"},
    default="hd_max",
)  # fmt: skip
RUSH_ORDER: Ruling[Literal["restore_first", "burn_first"]] = Ruling(
    "A-19c", "rush_order", "AF-42", "Does Rush restore first or burn first?",
    {"restore_first": "it restores, then ones burn", "burn_first": "ones burn, then it restores"},
    default="restore_first",
)  # fmt: skip
RUSH_FLOOR: Ruling[Literal["none", "one"]] = Ruling(
    "A-19d", "rush_floor", "AF-42", "How much Resolve does Rush need?",
    {"none": "none above the lowest there is", "one": "at least 1"},
    default="none",
)  # fmt: skip
INITIATIVE: Ruling[Literal["sum", "proficiency", "successes"]] = Ruling(
    "A-20", "initiative", "AF-60 AF-61", "What is rolled for initiative?",
    {"sum": "three dice, summed; the higher single die breaks ties",
     "proficiency": "as many dice as the Proficiency, summed; ties roll again",
     "successes": "three dice, as successes of a basic action; the higher die breaks ties"},
    default="sum",
)  # fmt: skip
COUNTS: Ruling[Literal["after", "before"]] = Ruling(
    "A-20b", "phase_ties", "AF-60 AF-72",
    "Does a phase of a lair come before or after combatants who rolled just its count?",
    {"after": "after them", "before": "before them"},
    default="after",
)  # fmt: skip
MAGICAL: Ruling[Literal["newest", "oldest"]] = Ruling(
    "A-21", "magical_order", "AF-22", "Which of several magical layers is the outermost?",
    {"newest": "the newest, written first", "oldest": "the oldest, written last"},
    default="newest",
)  # fmt: skip
SHIELD: Ruling[Literal["own", "armor"]] = Ruling(
    "A-21b", "shield", "AF-22", "Is a shield a layer of its own?",
    {"own": "yes, the outermost of what is worn",
     "armor": "no, it goes with the armor and adds its dice and total to it"},
    default="own",
)  # fmt: skip
TEMPORARY: Ruling[Literal["outermost", "inner"]] = Ruling(
    "A-21c", "temporary_hd", "AF-22", "Where do temporary Hit Dice of abilities lie?",
    {"outermost": "with those of spells, the outermost of all",
     "inner": "between what is worn and the body"},
    default="outermost",
)  # fmt: skip
HEALING: Ruling[Literal["sum", "dice"]] = Ruling(
    "A-22", "healing", "AF-39 AF-51", "How many HD do healing dice restore?",
    {"sum": "the sum of the dice", "dice": "one for each die"},
    default="sum",
)  # fmt: skip
INTERVENERS: Ruling[Literal["all", "one"]] = Ruling(
    "A-24", "interveners", "AF-41", "How many allies may Intervene against one hit?",
    {"all": "all of them, one after another while there is damage", "one": "one"},
    default="all",
)  # fmt: skip
STACKING: Ruling[Literal["yes", "no"]] = Ruling(
    "A-24b", "stacking", "AF-30 AF-31", "Do the dice of Defend and of resistance add up?",
    {"yes": "yes", "no": "no, the greater number counts"},
    default="yes",
)  # fmt: skip
LAYERS: Ruling[Literal["layered", "single"]] = Ruling(
    "B-1", "layers", "AF-22", "Does every layer roll?",
    {"layered": "yes",
     "single": "no: one roll of body dice, then layers give way (never die by die, A-1)"},
    default="layered",
)  # fmt: skip
AFFINITY: Ruling[Literal["exertion", "safe"]] = Ruling(
    "B-2", "affinity_dice", "AF-12", "Do Affinity dice count as exertion?",
    {"exertion": "yes: within the cap, and ones burn", "safe": "no: beyond the cap, and safe"},
    default="exertion",
)  # fmt: skip
DEFEND_COST: Ruling[Literal["attack", "turn", "action"]] = Ruling(
    "B-3", "defend_cost", "AF-40", "What does Defend cost?",
    {"attack": "an action, and every attack of the turn",
     "turn": "the whole turn", "action": "one of the two actions"},
    default="attack",
)  # fmt: skip
EXPERTS: Ruling[Literal["any", "one"]] = Ruling(
    "B-4", "expert_limit", "AF-63", "How many Expert or higher actions does a turn allow?",
    {"any": "as many as there are actions", "one": "one; the other is Basic or Advanced"},
    default="any",
)  # fmt: skip
STEADYING: Ruling[Literal["no", "yes"]] = Ruling(
    "B-5", "steady", "AF-44", "Is there a Steady action?",
    {"no": "no", "yes": "yes: 3 HD for 1 Resolve, once between rests"},
    default="no",
)  # fmt: skip
STABILIZE: Ruling[Literal["two", "one"]] = Ruling(
    "B-6", "stabilize", "AF-45", "How many successes does Stabilize need?",
    {"two": "two", "one": "one"},
    default="two",
)  # fmt: skip
HELPING: Ruling[Literal["no", "yes"]] = Ruling(
    "B-7", "help", "AF-45", "Is there a Help action?",
    {"no": "no", "yes": "yes: the roll counts with an ally's next one"},
    default="no",
)  # fmt: skip
RESOLVE: Ruling[Literal["off", "core", "later"]] = Ruling(
    "B-8", "resolve", "AF-32 AF-52 AF-53 AF-54", "Is Resolve checked, and what do its stages do?",
    {"off": "no; only Rush and Steady change it",
     "core": "yes: 4 no Expert actions, 3 one success more, 2 one defense die fewer, 0 collapse; "
             "examples of the combat chapter leave out the checks of the core chapter",
     "later": "yes: 4 no Expert actions, 3 one defense die fewer, 2 one success more for "
              "Advanced and higher, 1 two dice fewer, 0 collapse"},
    default="core",
)  # fmt: skip
AREA: Ruling[Literal["damage", "spread"]] = Ruling(
    "B-9", "area_damage", "AF-6 AF-75", "What do extra successes of an area attack do?",
    {"damage": "they add damage, as with every attack",
     "spread": "they widen the area or reach more targets, and add no damage"},
    default="damage",
)  # fmt: skip

RULINGS = (
    OVERWHELM, OUTROLLED, TEMP_HD, CAPACITY, BUDGET, FACE, HEAVY, HD_TABLE, DEFEND, DEFEND_LASTS,
    COUNTED, VULNERABILITY, DEATH, AT_ZERO, TIMING, RANGES, EXTREME_FROM, CLOSE, UNARMED, PENALTY,
    PRECISE, RAGE, NPC_BURN, BURN, RUSH, RUSH_CAP, RUSH_ORDER, RUSH_FLOOR, INITIATIVE, COUNTS,
    MAGICAL, SHIELD, TEMPORARY, HEALING, INTERVENERS, STACKING, LAYERS, AFFINITY, DEFEND_COST,
    EXPERTS, STEADYING, STABILIZE, HELPING, RESOLVE, AREA, MENDING,
)  # fmt: skip
"""Every open question, in the order of the list."""

_E0 = {"layers": "single", "temp_hd": "absorb", "exertion_budget": "turn", "affinity_dice": "safe"}
_E2 = {
    "defend_cost": "action", "expert_limit": "one", "rush": "fixed", "steady": "yes",
    "npc_burn": "none", "area_damage": "spread",
}  # fmt: skip
_E3 = _E2 | {"defend_bonus": "after_body"}
_E4 = _E3 | {"overwhelm": "per_die", "capacity": "full"}
_E5 = _E4 | {
    "hd_table": "later", "resolve": "later", "death": "both_zero", "affinity_dice": "safe",
    "stabilize": "one", "help": "yes",
}  # fmt: skip

PROFILES = (
    Profile("E0", "15 February: one defense roll, a turn's budget of exertion", _E0),
    Profile("E1", "16 February: the text itself, every default", {}),
    Profile("E2", "16 February, later: two actions, Rush as a fixed trade, Steady", _E2),
    Profile("E3", "16 February, last: layers without totals, Defend after the body", _E3),
    Profile("E4", "17 February: defense die by die with full Proficiency", _E4),
    Profile("E5", "18 February and after: initiative, more Hit Dice, stages of Resolve", _E5),
)
"""The text's printings, oldest first."""


def sustain(sides: int) -> Fraction:
    """The chance that a defense die with so many sides cancels a point."""
    return Fraction(sum(face >= FACES["sustain"] for face in range(1, sides + 1)), sides)


ERRATA = (
    *(
        Erratum("AF-24", what.format(sides), Fraction(*printed), sustain(sides))
        for what, table in (
            ("chance that a d{} sustains", PRINTED),
            ("the same for a d{}, in example 3", PRINTED_IN_EXAMPLE),
        )
        for sides, printed in table.items()
        if Fraction(*printed) != sustain(sides)
    ),
    Erratum(
        "AF-28", "Hit Dice of a fragile combatant of level 1, in example 2",
        Fraction(PRINTED_HD), Fraction(HD_BY_LEVEL["early", HD_DICE["fragile"]][0]), "count",
    ),
)  # fmt: skip
"""Figures of the text that are wrong; the true ones are counted on the dice, or stand in its own
table of Hit Dice."""
