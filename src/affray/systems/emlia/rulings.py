"""Rulings for passages where the text is silent or contradicts itself.

The numbers are those of the list of open questions; a letter marks a further part of one. The core
check is not in the text at all: `CHECK` names the ways to roll that fit what the text says of it
(their numbers stand in `roster/checks.toml`), and `PROFILES` are its names for
`--ruling profile=...`. Costs that the text leaves out (aligning,
terrain, what penetrates; B26) are no readings but numbers of a setup.
"""

from __future__ import annotations

from typing import Literal

from affray.core.ruling import Profile, Ruling

CHECK: Ruling[
    Literal[
        "d10_6_cancel", "d6_4", "d12_7", "d20_11", "d10_6_nocancel", "botch", "half", "none"
    ]
] = Ruling(
    "B1", "check", "EM-1 EM-3 EM-4",
    "The text leaves out how a check is rolled. Which way is assumed?",
    {"d10_6_cancel": "d10, base difficulty 6; each 1 cancels a success, more 1s are a fumble",
     "d6_4": "d6, base difficulty 4; each 1 cancels a success, more 1s are a fumble",
     "d12_7": "d12, base difficulty 7; each 1 cancels a success, more 1s are a fumble",
     "d20_11": "d20, base difficulty 11; each 1 cancels a success, more 1s are a fumble",
     "d10_6_nocancel": "d10, 6; 1s cancel nothing, and are a fumble where they outnumber successes",
     "botch": "d10, 6; 1s are a fumble only without any success, every one of them in excess",
     "half": "d10, 6; a fumble if more than half the dice are 1s, those above half in excess",
     "none": "d10, 6; 1s mean nothing"},
    default="d10_6_cancel",
)  # fmt: skip
CLAMP: Ruling[Literal["sides", "open"]] = Ruling(
    "B2", "clamp", "EM-3", "How far can modifiers move the difficulty?",
    {"sides": "from 2 to the sides of the die", "open": "as far as they go"},
    default="sides",
)  # fmt: skip
COMPARE: Ruling[Literal["at_least", "above"]] = Ruling(
    "B3", "compare", "EM-2 EM-4", "Which faces are successes?",
    {"at_least": "the difficulty and more", "above": "more than the difficulty"},
    default="at_least",
)  # fmt: skip
DICE: Ruling[Literal["level", "members"]] = Ruling(
    "B4", "dice_from", "EM-3", "How many dice does a unit roll?",
    {"level": "its skill level",
     "members": "one for each member in the combat; the skill level is a bonus to hit"},
    default="level",
)  # fmt: skip
DIMINISH: Ruling[Literal["value", "per_value"]] = Ruling(
    "B5", "diminish", "EM-45", "What does a diminish value mean?",
    {"value": "levels lost with each member",
     "per_value": "members that are lost with each level"},
    default="value",
)  # fmt: skip
STACK: Ruling[Literal["cumulative", "highest"]] = Ruling(
    "B6", "stack_rows", "EM-30 EM-32 EM-36",
    "Do rows that grow (outnumbered, range, small target) add up?",
    {"cumulative": "yes", "highest": "no, only the last that applies counts"},
    default="cumulative",
)  # fmt: skip
SUPPORT: Ruling[Literal["replaces", "adds"]] = Ruling(
    "B7", "support_skirmish", "EM-33",
    "Does the row for supporting fire into a skirmish replace that for supporting fire?",
    {"replaces": "yes: -4", "adds": "no, both: -6"},
    default="replaces",
)  # fmt: skip
FOCUS_SKIRMISH: Ruling[Literal["adds", "replaces"]] = Ruling(
    "B7b", "focus_skirmish", "EM-33",
    "Does the row for focusing in a skirmish come on top of that for focusing?",
    {"adds": "yes: -3", "replaces": "no: -1"},
    default="adds",
)  # fmt: skip
FOCUS: Ruling[Literal["once", "both"]] = Ruling(
    "B8", "focus_penalty", "EM-52",
    "Is the penalty of step 1.3 that of the tables, or does it come on top?",
    {"once": "it is that of the tables", "both": "it comes on top"},
    default="once",
)  # fmt: skip
RANKS: Ruling[Literal["add", "worst"]] = Ruling(
    "B9", "rank_stack", "EM-23", "Do flank or rear and several fronts add up?",
    {"add": "yes", "worst": "no, the larger one counts"},
    default="add",
)  # fmt: skip
FRONTS: Ruling[Literal["beyond_first", "all"]] = Ruling(
    "B10", "multi_front_count", "EM-23", "Which fronts are additional ones?",
    {"beyond_first": "all but the first", "all": "every one, if there are several"},
    default="beyond_first",
)  # fmt: skip
FLOOR: Ruling[Literal["one", "outright"]] = Ruling(
    "B11", "h_floor", "EM-40", "What if base damage takes all Hits away?",
    {"one": "one hit makes a point of damage",
     "outright": "every hit takes one member, whatever the limit"},
    default="one",
)  # fmt: skip
MARKERS: Ruling[Literal["persist", "resolution", "discard"]] = Ruling(
    "B12", "markers", "EM-41", "What becomes of hits that are left over?",
    {"persist": "they stay as markers and count later",
     "resolution": "they stay until the Resolution Phase",
     "discard": "they stay with mixed targets; with a single unit they are lost"},
    default="persist",
)  # fmt: skip
SIZES: Ruling[Literal["start", "live"]] = Ruling(
    "B13", "group_size", "EM-53 EM-56", "Which size of a group counts when hits are allocated?",
    {"start": "that at the start of the attack", "live": "that after every point"},
    default="start",
)  # fmt: skip
RATIO: Ruling[Literal["every", "first"]] = Ruling(
    "B14", "k_scope", "EM-53", "Which groups take several points at once, being so much larger?",
    {"every": "every one, compared with the next", "first": "only the largest"},
    default="every",
)  # fmt: skip
GROUPS: Ruling[Literal["hits", "unit"]] = Ruling(
    "B15", "group_by", "EM-53", "What are the groups of a mixed target?",
    {"hits": "all with one Hits value", "unit": "its units"},
    default="hits",
)  # fmt: skip
OWNER: Ruling[Literal["able", "largest"]] = Ruling(
    "B16", "markers_owner", "EM-54", "Where do hits lie that can hurt nobody any more?",
    {"able": "at the largest group that still could be hurt",
     "largest": "at the largest group, even if it is marked dead"},
    default="able",
)  # fmt: skip
MERGE: Ruling[Literal["yes", "no"]] = Ruling(
    "B17", "focus_merge", "EM-52",
    "Do units with the same number count as one group with the one in focus?",
    {"yes": "yes", "no": "no, it stands alone"},
    default="yes",
)  # fmt: skip
CAP: Ruling[Literal["after", "inside"]] = Ruling(
    "B18", "focus_cap", "EM-51 EM-52", "Does the penalty for focusing count towards the maximum?",
    {"after": "no, it comes after it", "inside": "yes"},
    default="after",
)  # fmt: skip
AUTO: Ruling[Literal["all", "one"]] = Ruling(
    "B19", "auto_success", "EM-6 EM-12", "What is an automatic success?",
    {"all": "every die is a success", "one": "one success"},
    default="all",
)  # fmt: skip
STRIKES: Ruling[Literal["any_move", "leaving"]] = Ruling(
    "B20", "free_strike_timing", "EM-11", "Which movement calls for Free Strikes?",
    {"any_move": "every movement action of an engaged unit, before it moves",
     "leaving": "only one that ends the engagement"},
    default="any_move",
)  # fmt: skip
LACKING: Ruling[Literal["one_die", "half", "penalty"]] = Ruling(
    "B21", "default_yes", "EM-5", "How does a unit without the skill make the check?",
    {"one_die": "with one die",
     "half": "with half its best level, rounded down, at least one die",
     "penalty": "with its best level, at least one die, at 2 more difficulty"},
    default="one_die",
)  # fmt: skip
EXPOSED: Ruling[Literal["turn", "activation"]] = Ruling(
    "B22", "fumble_bonus_duration", "EM-36", "How long does a fumbled Disengage help the enemy?",
    {"turn": "until the end of the turn", "activation": "until the unit's next activation"},
    default="turn",
)  # fmt: skip
WEAKENS: Ruling[Literal["points", "members"]] = Ruling(
    "B23", "dragon_diminish", "EM-45", "When does a unit of one member grow weaker?",
    {"points": "with every point of damage", "members": "not before it is dead"},
    default="points",
)  # fmt: skip
AREA: Ruling[Literal["unit", "all"]] = Ruling(
    "B24", "volley_area", "EM-31", "Which units does Volley Fire hit?",
    {"unit": "one unit at the point",
     "all": "all units that stand there, as a mixed unit"},
    default="unit",
)  # fmt: skip
COUNTED: Ruling[Literal["members", "units"]] = Ruling(
    "B25", "outnumber_count", "EM-30 EM-32 EM-36", "What is counted for being outnumbered?",
    {"members": "members in the combat; in ranked combat those in contact", "units": "units"},
    default="members",
)  # fmt: skip
CASUALTIES: Ruling[Literal["largest", "defender", "attacker"]] = Ruling(
    "B27", "who_takes", "EM-56",
    "Several units share one Hits value. Which takes the next point?",
    {"largest": "they take turns, the largest first",
     "defender": "the defender picks", "attacker": "the attacker picks"},
    default="largest",
)  # fmt: skip
MORALE: Ruling[Literal["off", "on"]] = Ruling(
    "B28", "morale", "EM-62", "What becomes of a unit without morale?",
    {"off": "nothing", "on": "it is broken and leaves in the Resolution Phase"},
    default="off",
)  # fmt: skip
CLOSE: Ruling[Literal["skirmish", "apart"]] = Ruling(
    "B29", "close_combat_of_close", "EM-13", "Two units in close formation meet. Is it a skirmish?",
    {"skirmish": "yes", "apart": "no, they keep their boundaries as in ranked combat"},
    default="skirmish",
)  # fmt: skip
RANKED_IN: Ruling[Literal["all", "two"]] = Ruling(
    "B30", "ranked_in_melee", "EM-15",
    "One unit of several in a close combat is in ranks. What is ranked combat then?",
    {"all": "all of it", "two": "only attacks by it or on it; the rest stays a skirmish"},
    default="all",
)  # fmt: skip
JOINS: Ruling[Literal["boundary", "enemies"]] = Ruling(
    "B31", "joins_skirmish", "EM-63",
    "A unit on a table touches only friends in a skirmish. Is it in the skirmish?",
    {"boundary": "yes, it touches the combined boundary", "enemies": "no, it must touch an enemy"},
    default="boundary",
)  # fmt: skip
SIDES: Ruling[Literal["contacts", "sides"]] = Ruling(
    "B32", "morale_sides", "EM-24",
    "Several enemies fight a unit on one flank. What is cumulative?",
    {"contacts": "each enemy costs its point of morale", "sides": "each side costs it once"},
    default="contacts",
)  # fmt: skip
RANKED_BODY: Ruling[Literal["all", "one"]] = Ruling(
    "B33", "ranked_body", "EM-53",
    "Several enemies touch a unit in ranked combat. Whom does it attack?",
    {"all": "all of them, as a single unit", "one": "the target alone"},
    default="all",
)  # fmt: skip
BREAKING: Ruling[Literal["activation", "move"]] = Ruling(
    "B34", "breaking_ranks", "EM-25", "What does breaking ranks take?",
    {"activation": "the whole activation", "move": "the move action; the unit attacks after it"},
    default="activation",
)  # fmt: skip
PINS: Ruling[Literal["enemy", "source"]] = Ruling(
    "B35", "pins_end", "EM-36",
    "Pins end before the turn does when a unit is no longer engaged. Which unit?",
    {"enemy": "the unit that is pinned", "source": "the unit that pinned it"},
    default="enemy",
)  # fmt: skip
LINING_UP: Ruling[Literal["free", "penalty"]] = Ruling(
    "B36", "skirmishers_align", "EM-20", "What do skirmishers pay who align to a ranked unit?",
    {"free": "nothing", "penalty": "-1 to hit, as ranked units do"},
    default="free",
)  # fmt: skip
ALIGNING: Ruling[Literal["unit", "joined"]] = Ruling(
    "B37", "aligning", "EM-20", "A unit has aligned. Who is worse at hitting?",
    {"unit": "its own members", "joined": "characters who joined it as well"},
    default="unit",
)  # fmt: skip
AIMED_ODDS: Ruling[Literal["support", "always"]] = Ruling(
    "B38", "aimed_odds", "EM-30 EM-33",
    "Which shots at a unit in close combat do the rows for outnumbered enemies and friends change?",
    {"support": "Supporting Fire", "always": "every shot"},
    default="support",
)  # fmt: skip
SHOTS: Ruling[Literal["target", "mixed", "support"]] = Ruling(
    "B39", "shot_at_ranked", "EM-34",
    "A unit fights friends in ranked combat. Whom does a shot without Supporting Fire hit?",
    {"target": "the target", "mixed": "all of them as a mixed unit, as in a skirmish",
     "support": "there is none: it takes Supporting Fire"},
    default="target",
)  # fmt: skip
TOTAL: Ruling[Literal["partial", "spared"]] = Ruling(
    "B40", "total_cover", "EM-30",
    "Total cover has no row for Aimed Fire. What of a troop in it, in a mixed body?",
    {"partial": "it is shot at as if in partial cover", "spared": "it is not shot at"},
    default="partial",
)  # fmt: skip
LEAVING: Ruling[Literal["included", "needed"]] = Ruling(
    "B41", "disengage_move", "EM-36", "Which movement takes a unit away that disengages?",
    {"included": "Disengage includes it", "needed": "its move action, if it has not been spent"},
    default="included",
)  # fmt: skip
MARKED: Ruling[Literal["left", "all"]] = Ruling(
    "B42", "marked_sizes", "EM-53 EM-56",
    "Do casualties that are marked count for the sizes of groups when hits are allocated?",
    {"left": "no", "all": "yes, until the Resolution Phase"},
    default="left",
)  # fmt: skip

RULINGS: tuple[Ruling[str], ...] = (
    CHECK, CLAMP, COMPARE, DICE, DIMINISH, STACK, SUPPORT, FOCUS_SKIRMISH, FOCUS, RANKS, FRONTS,
    FLOOR, MARKERS, SIZES, RATIO, GROUPS, OWNER, MERGE, CAP, AUTO, STRIKES, LACKING, EXPOSED,
    WEAKENS, AREA, COUNTED, CASUALTIES, MORALE, CLOSE, RANKED_IN, JOINS, SIDES, RANKED_BODY,
    BREAKING, PINS, LINING_UP, ALIGNING, AIMED_ODDS, SHOTS, TOTAL, LEAVING, MARKED,
)  # fmt: skip

PROFILES: tuple[Profile, ...] = tuple(
    Profile(name, words, {CHECK.name: name}) for name, words in CHECK.options.items()
)
