"""The book is silent or contradicts itself in these places; each reading is a switch.

The numbers are those of the list of open questions. Question A-5 has four parts.
"""

from __future__ import annotations

from typing import Literal

from affray.core.ruling import Ruling

DODGE: Ruling[Literal["pool", "per_die", "all"]] = Ruling(
    "A-1", "dodge", "EE-41", "How do Dodge and Center values come off the attack dice?",
    {"pool": "their sum is shared out freely, point by point",
     "per_die": "each of them goes whole to one attack die",
     "all": "their sum comes off every attack die"},
    default="pool",
)  # fmt: skip
DODGE_DICE: Ruling[Literal["printed", "attribute", "cube"]] = Ruling(
    "A-2", "dodge_dice", "EE-29 EE-33", "How many Dodge or Center dice, and what do they cost?",
    {"printed": "those of the stat block or Armor, free",
     "attribute": "as many as Tactics (Dodge) or Intuition (Center), of the printed size",
     "cube": "those printed, for one blue cube"},
    default="printed",
)  # fmt: skip
REACTION: Ruling[Literal["first", "last"]] = Ruling(
    "A-3", "reaction", "EE-29 EE-30", "Is the reaction chosen before the attacker's cubes?",
    {"first": "yes, in the order of the numbered steps",
     "last": "no, the defender may wait until just before the roll"},
    default="first",
)  # fmt: skip
POST_ROLL: Ruling[Literal["attacker", "defender", "alternate"]] = Ruling(
    "A-4", "post_roll", "EE-34", "Who applies effects after the roll first?",
    {"attacker": "the attacker everything, then the defender",
     "defender": "the defender everything, then the attacker",
     "alternate": "one effect in turn, the attacker first, until both pass in a row"},
    default="attacker",
)  # fmt: skip
FOCUS: Ruling[Literal["one", "split"]] = Ruling(
    "A-5", "focus", "EE-36", "May the points of a Focus be split over dice?",
    {"one": "no, they go to one die", "split": "yes"},
    default="one",
)  # fmt: skip
FOCUS_AMOUNT: Ruling[Literal["exact", "up_to"]] = Ruling(
    "A-5b", "focus_amount", "EE-36", "Does Focus [X] give exactly X or up to X?",
    {"exact": "exactly X", "up_to": "any number up to X"},
    default="exact",
)  # fmt: skip
FOCUS_LIMIT: Ruling[Literal["none", "die"]] = Ruling(
    "A-5c", "focus_limit", "EE-36", "May Focus raise a die above its highest face?",
    {"none": "yes", "die": "no, what is above is lost"},
    default="none",
)  # fmt: skip
FOCUS_COST: Ruling[Literal["free", "blue"]] = Ruling(
    "A-5d", "focus_cost", "EE-36", "What does a use of Focus cost?",
    {"free": "nothing beyond the effect that grants it", "blue": "a blue cube each"},
    default="free",
)  # fmt: skip
CROWD: Ruling[Literal["each_die", "one_die", "damage"]] = Ruling(
    "A-6", "crowd", "EE-14", "What takes the -1 for hostile figures in the attacker's Zone?",
    {"each_die": "every attack die", "one_die": "one attack die, which the attacker picks",
     "damage": "the total of regular damage"},
    default="each_die",
)  # fmt: skip
AIM: Ruling[Literal["once", "each_cube"]] = Ruling(
    "A-7", "aim", "EE-38", "How often can Aim be bought for one attack?",
    {"once": "once, for one blue cube", "each_cube": "as often as there are blue cubes"},
    default="once",
)  # fmt: skip
REFOCUS: Ruling[Literal["lost", "kept", "forbidden"]] = Ruling(
    "A-8", "refocus", "EE-35 EE-36", "What happens to the Focus on a die that is rerolled?",
    {"lost": "it is lost, the die is picked up afresh", "kept": "it stays with the die",
     "forbidden": "a die with Focus can't be rerolled"},
    default="lost",
)  # fmt: skip
SIGHT: Ruling[Literal["crossing", "strict", "lenient"]] = Ruling(
    "A-9", "sight", "EE-13", "Does a line that only touches a wall, or runs along it, cross it?",
    {"crossing": "touching an end does not, running along does", "strict": "both do",
     "lenient": "neither does"},
    default="crossing",
)  # fmt: skip
JOINTS: Ruling[Literal["joined", "apart"]] = Ruling(
    "A-9b", "joints", "EE-13", "Does a line cross walls that meet in a point of it, one from "
    "either side?",
    {"joined": "yes, walls that meet leave no gap", "apart": "no, each line of the map by itself"},
    default="joined",
)  # fmt: skip
DOTS: Ruling[Literal["any", "all"]] = Ruling(
    "A-9c", "dots", "EE-13", "Which lines count where a Zone has several aim dots?",
    {"any": "one line that crosses nothing is enough", "all": "no line may cross anything"},
    default="any",
)  # fmt: skip
ZONES: Ruling[Literal["borders", "openings"]] = Ruling(
    "A-10", "zones", "EE-11", "Which way are Zones counted?",
    {"borders": "over every shared border", "openings": "only where one could walk"},
    default="borders",
)  # fmt: skip
CORNERS: Ruling[Literal["apart", "border"]] = Ruling(
    "A-10b", "corners", "EE-11", "Do Zones border on each other that meet in a corner only?",
    {"apart": "no, it takes a stretch of line", "border": "yes, for counting Zones"},
    default="apart",
)  # fmt: skip
WALLS: Ruling[Literal["black", "both"]] = Ruling(
    "A-10c", "walls", "EE-11", "Which lines stop those who walk?",
    {"black": "black ones", "both": "black and green ones, like sight"},
    default="black",
)  # fmt: skip
MOVES: Ruling[Literal["one_zone", "and_attack", "none"]] = Ruling(
    "A-10d", "moves", "EE-70",
    "How do figures move in a fight on a map? (The text does not say; 'one_zone' and 'and_attack' "
    "are assumptions.)",
    {"one_zone": "by one Zone in a turn, instead of an attack",
     "and_attack": "by one Zone in a turn, before an attack or instead of one",
     "none": "not at all"},
    default="one_zone",
)  # fmt: skip
SHIELDS: Ruling[Literal["spent", "stay"]] = Ruling(
    "A-11", "shields", "EE-25", "Are Shields used up by the damage they take?",
    {"spent": "yes", "stay": "no, they last until the start of the turn"},
    default="spent",
)  # fmt: skip
RESET: Ruling[Literal["activation", "never"]] = Ruling(
    "A-12", "reset", "EE-26", "When do Shields of Enemies and Allies go?",
    {"activation": "at the start of their own activation", "never": "not by themselves"},
    default="activation",
)  # fmt: skip
REDUCTION: Ruling[Literal["same", "apart"]] = Ruling(
    "A-13", "reduction", "EE-43", "Is Damage Reduction another number than Damage Resistance?",
    {"same": "no, two words for one number",
     "apart": "yes, it comes off after Damage Resistance"},
    default="same",
)  # fmt: skip
STAGE: Ruling[Literal["hold", "taken"]] = Ruling(
    "A-14", "stage", "EE-52", "When have all player characters taken an Injury?",
    {"hold": "when each of them holds one, old or new",
     "taken": "when each of them took one during this Stage"},
    default="hold",
)  # fmt: skip
LAST_REGAIN: Ruling[Literal["yes", "no"]] = Ruling(
    "A-15", "last_regain", "EE-47 EE-52", "Does the last PC regain Vitality before the Stage ends?",
    {"yes": "yes, first the Injury is finished", "no": "no, the Stage ends with the card"},
    default="yes",
)  # fmt: skip
REVIVAL: Ruling[Literal["unchanged", "add", "remove"]] = Ruling(
    "A-16", "revival", "EE-51", "What does being revived do to Injuries?",
    {"unchanged": "nothing", "add": "one more is drawn", "remove": "one is discarded"},
    default="unchanged",
)  # fmt: skip
FALLEN: Ruling[Literal["yes", "no"]] = Ruling(
    "A-17", "fallen", "EE-54", "May a player character who is down be attacked?",
    {"yes": "yes, and nothing further happens to them", "no": "no"},
    default="yes",
)  # fmt: skip
LYING: Ruling[Literal["counts", "ignored"]] = Ruling(
    "A-17b", "lying", "EE-14", "Is a player character who is down a hostile figure in a Zone?",
    {"counts": "yes, the figure stays on the map", "ignored": "no"},
    default="counts",
)  # fmt: skip
COUNTER: Ruling[Literal["off", "attack", "paid", "fixed"]] = Ruling(
    "A-18", "counter", "EE-44",
    "What is a Counter? (The text does not say; 'attack', 'paid' and 'fixed' are assumptions.)",
    {"off": "the outcome says that one is possible; the table carries it out",
     "attack": "one attack with the equipped weapon if in range; it can't be countered",
     "paid": "the same for one red cube",
     "fixed": "one hit of the equipped weapon, without a roll"},
    default="off",
)  # fmt: skip
COUNTER_ABLE: Ruling[Literal["yes", "no"]] = Ruling(
    "A-19", "counter_able", "EE-44 EE-50", "Must a fighter be able to act in order to Counter?",
    {"yes": "yes", "no": "no"},
    default="yes",
)  # fmt: skip
BOTH: Ruling[Literal["yes", "no"]] = Ruling(
    "A-20", "both", "EE-29", "May a reaction and immediate Abilities answer one attack?",
    {"yes": "yes", "no": "no, one or the other"},
    default="yes",
)  # fmt: skip
ON_DAMAGE: Ruling[Literal["counts", "regular"]] = Ruling(
    "A-21", "on_damage", "EE-24", "Does piercing damage alone trigger effects on damage?",
    {"counts": "yes", "regular": "no, regular damage must get through"},
    default="counts",
)  # fmt: skip
FINAL: Ruling[Literal["raw", "capped"]] = Ruling(
    "A-22", "final", "EE-43 EE-46", "Is Final Damage held to the Vitality that is left?",
    {"raw": "no, only the loss of Vitality is", "capped": "yes, for every purpose"},
    default="raw",
)  # fmt: skip
DODGE_FOCUS: Ruling[Literal["allowed", "attack_only"]] = Ruling(
    "A-23", "dodge_focus", "EE-34", "May Focus raise Dodge and Center dice?",
    {"allowed": "yes", "attack_only": "no, attack dice only"},
    default="allowed",
)  # fmt: skip
ICONS: Ruling[Literal["four", "two"]] = Ruling(
    "A-24", "icons", "EE-5", "Are there two range indicators or four?",
    {"four": "melee and ranged for physical and for essential attacks",
     "two": "only those of the glossary: essential attacks are not bound by range or sight"},
    default="four",
)  # fmt: skip
NEGATIVE: Ruling[Literal["zero", "adds"]] = Ruling(
    "A-25", "negative", "EE-39", "What is a Dodge die worth that is modified below zero?",
    {"zero": "nothing", "adds": "it raises what it is applied to"},
    default="zero",
)  # fmt: skip
HARMLESS: Ruling[Literal["counter", "none"]] = Ruling(
    "A-26", "harmless", "EE-44", "May an attack that can do no damage at all be countered?",
    {"counter": "yes, always", "none": "no"},
    default="counter",
)  # fmt: skip
REROLL: Ruling[Literal["one", "all", "better"]] = Ruling(
    "A-27", "reroll", "EE-35", "What does one Reroll pick up, and which value stands?",
    {"one": "one die, the new value stands", "all": "all own dice, the new values stand",
     "better": "one die, the better value stands"},
    default="one",
)  # fmt: skip
RETALIATION: Ruling[Literal["reduced", "direct"]] = Ruling(
    "A-28", "retaliation", "EE-55", "Do Shields and Damage Resistance reduce retaliatory damage?",
    {"reduced": "yes, those of the attacker, off the total of one attack",
     "direct": "no, it comes straight off Vitality"},
    default="reduced",
)  # fmt: skip
LAST_BLOW: Ruling[Literal["yes", "no"]] = Ruling(
    "A-29", "last_blow", "EE-55", "Does a fighter whom the attack brings down still retaliate?",
    {"yes": "yes, the dice were hits", "no": "no"},
    default="yes",
)  # fmt: skip
REACTIONS: Ruling[Literal["between_turns", "every_attack"]] = Ruling(
    "A-30", "reactions", "EE-61", "How often may a fighter Dodge or Center?",
    {"between_turns": "once between two own turns, unless an Armor allows more",
     "every_attack": "against every attack; the page on combat sets no limit"},
    default="between_turns",
)  # fmt: skip

RULINGS = (
    DODGE, DODGE_DICE, REACTION, POST_ROLL, FOCUS, FOCUS_AMOUNT, FOCUS_LIMIT, FOCUS_COST, CROWD,
    AIM, REFOCUS, SIGHT, JOINTS, DOTS, ZONES, CORNERS, WALLS, MOVES, SHIELDS, RESET, REDUCTION,
    STAGE, LAST_REGAIN, REVIVAL, FALLEN, LYING,
    COUNTER, COUNTER_ABLE, BOTH, ON_DAMAGE, FINAL, DODGE_FOCUS, ICONS, NEGATIVE, HARMLESS, REROLL,
    RETALIATION, LAST_BLOW, REACTIONS,
)  # fmt: skip
"""Every open question, in the order of the list."""
