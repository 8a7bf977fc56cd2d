"""The open questions, where the book is silent or contradicts itself: each a switch.

The numbers are those of the list of open questions. Two of its questions need no switch: A-20
(another way to count distance) has no second reading for hexes; A-21 (which die is stronger) is a
matter of the dice alone, given as data.
"""

from __future__ import annotations

from typing import Literal

from affray.core.ruling import Ruling

BONUS_DICE: Ruling[Literal["defence", "attack"]] = Ruling(
    "A-1", "bonus_dice", "GB-25", "Which pool does a bonus defense die join?",
    {"defence": "the defense dice; the table is a slip",
     "attack": "the attack dice, as printed, where its Shields count for nothing"},
    default="defence",
)  # fmt: skip
BATTLE_BACK: Ruling[Literal["adjacent", "able", "ability"]] = Ruling(
    "A-2", "battle_back", "GB-6", "When is Battle Back possible?",
    {"adjacent": "whenever the two stand next to each other",
     "able": "whenever the defender could attack the attacker from where it stands",
     "ability": "whenever the defender has that ability"},
    default="adjacent",
)  # fmt: skip
ADVANTAGE: Ruling[Literal["units", "terrain", "support"]] = Ruling(
    "A-3", "advantage", "GB-12", "What gives Advantage, besides what terrain grants or denies?",
    {"units": "the unit's type against the enemy's", "terrain": "nothing else",
     "support": "another friendly unit next to the enemy"},
    default="units",
)  # fmt: skip
NEGATIVE: Ruling[Literal["zero", "heals"]] = Ruling(
    "A-4", "negative", "GB-15", "What are Shields worth beyond the number of hits?",
    {"zero": "nothing", "heals": "health comes back, up to that of a fresh unit"},
    default="zero",
)  # fmt: skip
REMOVAL: Ruling[Literal["zero", "below"]] = Ruling(
    "A-5", "removal", "GB-16", "When is a unit removed?",
    {"zero": "when its last point of health is gone",
     "below": "when it loses a point that it does not have"},
    default="zero",
)  # fmt: skip
EDGES: Ruling[Literal["line", "place"]] = Ruling(
    "A-6", "edges", "GB-66", "Where a line runs along edges, what must be free?",
    {"line": "one side of the whole line, as if it were shifted",
     "place": "one side at each place"},
    default="line",
)  # fmt: skip
IN_THE_WAY: Ruling[Literal["all", "enemies", "crossed"]] = Ruling(
    "A-7", "in_the_way", "GB-62", "Which units block Line of Sight?",
    {"all": "all of them, as terrain does", "enemies": "only those of the enemy",
     "crossed": "all of them, but only where the line runs through their hex"},
    default="all",
)  # fmt: skip
MIXED: Ruling[Literal["allowed", "never"]] = Ruling(
    "A-8", "mixed", "GB-17", "May one attack face carry Damage and Bonus Damage?",
    {"allowed": "yes", "never": "no; dice that do are refused"},
    default="allowed",
)  # fmt: skip
BLANK_ATTACK: Ruling[Literal["allowed", "never"]] = Ruling(
    "A-9", "blank_attack", "GB-17", "May an attack face be blank?",
    {"allowed": "yes", "never": "no; dice with one are refused"},
    default="allowed",
)  # fmt: skip
STRIKES_BACK: Ruling[Literal["always", "chosen"]] = Ruling(
    "A-10", "strikes_back", "GB-6", "May the defender decline Battle Back?",
    {"always": "no, it always follows", "chosen": "yes"},
    default="always",
)  # fmt: skip
WHOSE_HEX: Ruling[Literal["declared", "own", "enemy", "both"]] = Ruling(
    "A-11", "whose_hex", "GB-29", "Which hex gives the bonuses of terrain?",
    {"declared": "the one that each bonus names", "own": "the hex of the unit that gets them",
     "enemy": "the enemy's hex", "both": "either hex"},
    default="declared",
)  # fmt: skip
STACKING: Ruling[Literal["add", "best"]] = Ruling(
    "A-12", "stacking", "GB-21", "Do bonuses of one kind add up?",
    {"add": "yes", "best": "no, the best of each kind counts"},
    default="add",
)  # fmt: skip
FATIGUE: Ruling[Literal["may", "fresh"]] = Ruling(
    "A-13", "fatigue", "GB-6 GB-41", "May a unit that has had its turn Battle Back?",
    {"may": "yes", "fresh": "no, only a fresh one"},
    default="may",
)  # fmt: skip
NO_FRESH: Ruling[Literal["passes", "ends"]] = Ruling(
    "A-14", "no_fresh", "GB-42 GB-44", "What happens when only one player has fresh units left?",
    {"passes": "that player passes", "ends": "the round ends"},
    default="passes",
)  # fmt: skip
NEXT_ROUND: Ruling[Literal["continues", "alternates", "same"]] = Ruling(
    "A-15", "next_round", "GB-42", "Who starts the next round?",
    {"continues": "the player whose turn it would be anyway",
     "alternates": "the players in turn, round by round", "same": "always the same player"},
    default="continues",
)  # fmt: skip
ACTIVATIONS: Ruling[Literal["exactly", "up_to"]] = Ruling(
    "A-16", "activations", "GB-44", "Must a player activate as many units as the scenario says?",
    {"exactly": "yes", "up_to": "no, at least one will do"},
    default="exactly",
)  # fmt: skip
CLOSE_SHOTS: Ruling[Literal["fights", "shoots", "never"]] = Ruling(
    "A-17", "close_shots", "GB-46", "What may a unit that shoots do to an adjacent enemy?",
    {"fights": "attack it with the same dice, in close combat",
     "shoots": "shoot at it, so that there is no Battle Back", "never": "nothing"},
    default="fights",
)  # fmt: skip
BOTH_WIN: Ruling[Literal["draw", "starts"]] = Ruling(
    "A-18", "both_win", "GB-47", "Who wins if a round ends and both players have what they need?",
    {"draw": "nobody; the game is a draw", "starts": "the player who had the first turn"},
    default="draw",
)  # fmt: skip
MOVE_COST: Ruling[Literal["one", "terrain"]] = Ruling(
    "A-19", "move_cost", "GB-55", "What does a step cost?",
    {"one": "one movement point everywhere", "terrain": "what the terrain entered says"},
    default="terrain",
)  # fmt: skip
CONTROL: Ruling[Literal["none", "stops"]] = Ruling(
    "A-19b", "control", "GB-52", "Do enemies control the hexes around them?",
    {"none": "no", "stops": "a step next to an enemy ends the move"},
    default="none",
)  # fmt: skip
HAMPERED: Ruling[Literal["attacks", "waits"]] = Ruling(
    "A-19c", "hampered", "GB-55",
    "May a unit attack in the turn in which it enters woods and the like?",
    {"attacks": "yes", "waits": "no"},
    default="attacks",
)  # fmt: skip
CONDITIONS: Ruling[Literal["any", "all"]] = Ruling(
    "A-22", "conditions", "GB-47a", "A player has several victory conditions. How many are needed?",
    {"any": "one of them is enough", "all": "all of them, at the same time"},
    default="any",
)  # fmt: skip
HOLDING: Ruling[Literal["round", "turn", "at_once"]] = Ruling(
    "A-23", "holding", "GB-47b", "When is a hex held?",
    {"round": "when a round ends with an own unit on it",
     "turn": "when the player's own turn ends with an own unit on it",
     "at_once": "as soon as an own unit comes onto it"},
    default="round",
)  # fmt: skip
LEAVING: Ruling[Literal["step", "reach"]] = Ruling(
    "A-24", "leaving", "GB-47c", "What does it take to leave the map from an exit?",
    {"step": "one movement point more, as for a step", "reach": "to come as far as the exit"},
    default="step",
)  # fmt: skip

RULINGS = (
    BONUS_DICE, BATTLE_BACK, ADVANTAGE, NEGATIVE, REMOVAL, EDGES, IN_THE_WAY, MIXED, BLANK_ATTACK,
    STRIKES_BACK, WHOSE_HEX, STACKING, FATIGUE, NO_FRESH, NEXT_ROUND, ACTIVATIONS, CLOSE_SHOTS,
    BOTH_WIN, MOVE_COST, CONTROL, HAMPERED, CONDITIONS, HOLDING, LEAVING,
)  # fmt: skip
"""Every open question, in the order of the list."""
