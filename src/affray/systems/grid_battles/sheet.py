"""The sheets of a combat or a game: dice, units, terrain, the situation, the map."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from affray.core.dice import Die
from affray.core.sheet import INFORMS, Ge, Le, sheet
from affray.core.step import cites
from affray.systems.grid_battles.map.hexes import Layout
from affray.systems.grid_battles.tables import BONUSES, COLOURS, SIDES, SYMBOLS, Part

__all__ = [
    "ASSUMED", "NOBODY", "PLAIN", "Bonus", "BonusKind", "DiceSet", "Goal", "Ground", "Placed",
    "Scenario", "Setup", "Terrain", "Unit", "die_of",
]  # fmt: skip

AttackColour = Literal["yellow", "blue", "red"]
DefenceColour = Literal["brown", "grey", "black"]
Say = Literal["rules", "granted", "denied"]
Status = Literal["fresh", "activated", "fatigued"]

Faces = tuple[str, ...]
Health = Annotated[int, Ge(0), Le(100)]
MOST_HEXES = 50
Distance = Annotated[int, Ge(1), Le(MOST_HEXES)]
Points = Annotated[int, Ge(0), Le(50)]
Size = Annotated[int, Ge(1), Le(100)]
ForPeople = Annotated[str, INFORMS]

BLANK = "-"
WORDS = {"d": "Damage", "b": "Bonus Damage", "s": "Shield"}
"""The symbols of a face, by the letter that stands for each."""
MOST = {"dice": 20, "symbols": 10, "names": 20, "bonuses": 5, "followers": 20, "units": 50}
"""More than this of anything is no setup, but a slip of the pen."""


# -- dice ------------------------------------------------------------------------------------


@sheet
@cites("GB-10", "GB-11", "GB-12", "GB-13", "GB-17", "GB-17a")
class DiceSet:
    """The faces of all six dice; `assumed` in the roster is taken unless another is given.

    A face is written with a letter for each symbol: d Damage, b Bonus Damage, s Shield; "-" is a
    blank side. Attack dice carry Damage and Bonus Damage, defense dice Shields.

    Attributes:
        Attack dice (GB-17):
            yellow: the six faces of the yellow die: d Damage, b Bonus Damage, "-" blank.
            blue: the six faces of the blue die: d Damage, b Bonus Damage, "-" blank.
            red: the six faces of the red die: d Damage, b Bonus Damage, "-" blank.
        Defense dice (GB-17):
            brown: the six faces of the brown die: s Shield, "-" blank.
            grey: the six faces of the grey die: s Shield, "-" blank.
            black: the six faces of the black die: s Shield, "-" blank.
        Origin:
            source: where these faces come from.
    """

    yellow: Faces
    blue: Faces
    red: Faces
    brown: Faces
    grey: Faces
    black: Faces
    source: ForPeople = ""

    def check(self) -> str | None:
        """Six faces each, and no symbol on the wrong kind of die."""
        for part, colours in COLOURS.items():
            letters = SYMBOLS[part]
            for colour in colours:
                faces: Faces = getattr(self, colour)
                if len(faces) != SIDES["die"]:
                    return (
                        f"the {colour} die has {len(faces)} faces; "
                        f"every die has {SIDES['die']} (GB-10)"
                    )
                for face in faces:
                    if len(face) > MOST["symbols"]:
                        return (
                            f"the {colour} die has a face with {len(face)} symbols; allowed: at "
                            f"most {MOST['symbols']}"
                        )
                    if face != BLANK and (not face or set(face) - set(letters)):
                        return (
                            f"the {colour} die has the face {face!r}; on {part} dice is allowed: "
                            f"{' and '.join(letters)} as often as they stand there, or {BLANK!r}"
                        )
        return None


@lru_cache(maxsize=1024)
def die_of(dice: DiceSet, colour: str) -> Die:
    """The die of a colour; its faces say which symbols they carry."""
    faces: Faces = getattr(dice, colour)
    return Die(colour, faces, means={face: _symbols(face) for face in faces})


def _symbols(face: str) -> str:
    """The symbols of a face in words.

    >>> _symbols("ddb"), _symbols("ss"), _symbols("-")
    ('2 Damage, 1 Bonus Damage', '2 Shields', 'blank')
    """
    told = []
    for letter, name in WORDS.items():
        many = face.count(letter)
        plural = "s" if many > 1 and letter == "s" else ""
        told += [f"{many} {name}{plural}"] if many else []
    return ", ".join(told) or "blank"


def _assumed() -> DiceSet:
    with (Path(__file__).parent / "roster" / "dice.toml").open("rb") as file:
        entry = tomllib.load(file)["assumed"]
    return DiceSet(
        source=entry["source"],
        **{colour: tuple(entry[colour]) for colours in COLOURS.values() for colour in colours},
    )


ASSUMED = _assumed()
"""The dice that are taken unless others are given. The book's own faces are pictures, unknown."""


# -- units and terrain -----------------------------------------------------------------------


def _stray(colours: Iterable[str], part: Part) -> str | None:
    for colour in colours:
        if colour not in COLOURS[part]:
            return f"{colour!r} is no {part} die; allowed: {', '.join(COLOURS[part])}"
    return None


@sheet
@cites("GB-18", "GB-19", "GB-53", "GB-60")
class Unit:
    """A unit, as its counter shows it.

    Attributes:
        Unit:
            name: its type.
            kinds: classes it belongs to, such as "cavalry" (GB-20).
            attack (Attack dice): colors of its attack dice, at the top right of the counter; at
                least one (GB-18).
            defence (Defense dice): colors of its defense dice, at the bottom left of the counter
                (GB-19).
            health: points left (GB-16).
            health_max (Health at most): points of a fresh one; 0: those that are left (GB-16).
            most (Health at most) for health_max: points of a fresh one (GB-16).
            move (Movement points): movement points of a turn (GB-53).
            range_hexes: how far it reaches; 1 for melee, more for a unit that shoots (GB-60).
        Special:
            advantage_over: types and classes over which it has Advantage (ruling A-3; GB-12).
            abilities: abilities that a ruling may ask for (GB-6).
        Origin:
            source: where these numbers come from.
    """

    name: str = ""
    kinds: tuple[str, ...] = ()
    attack: tuple[AttackColour, ...]
    defence: tuple[DefenceColour, ...] = ()
    health: Health
    health_max: Health = 0
    move: Points = 0
    range_hexes: Distance = 1
    advantage_over: tuple[str, ...] = ()
    abilities: tuple[Literal["battle_back"], ...] = ()
    source: ForPeople = ""

    @property
    def most(self) -> int:
        """The most health there can be."""
        return self.health_max or self.health

    @property
    def shoots(self) -> bool:
        """True if it reaches farther than an adjacent hex."""
        return self.range_hexes > 1

    def check(self) -> str | None:
        """Dice of the right kind, some for the attack; health within its track."""
        if not self.attack:
            return "no attack dice; give at least one (GB-18)"
        if max(len(self.attack), len(self.defence)) > MOST["dice"]:
            return f"more than {MOST['dice']} dice of a kind; allowed: at most {MOST['dice']}"
        if self.health > self.most:
            return f"health {self.health}; allowed: at most health_max {self.health_max}"
        for key in ("kinds", "advantage_over"):
            names = getattr(self, key)
            if len(names) > MOST["names"]:
                return f"{len(names)} names in {key}; allowed: at most {MOST['names']}"
        return _stray(self.attack, "attack") or _stray(self.defence, "defense")


BonusKind = Literal["attack_die", "defence_die", "damage", "bonus_damage", "shield"]


@sheet
@cites("GB-21")
class Bonus:
    """Something that terrain gives in a combat.

    Attributes:
        Bonus (GB-21):
            kind: a die before the roll, or a symbol after it: attack dice, Damage and Bonus Damage
                go to the Round Attacker, the others to the Round Defender (GB-29).
            count: how many.
            colour (Color): the color of a die; a symbol has none (GB-22).
            whose_hex: whether it counts from the hex of the unit that gets it, or from the enemy's.
    """

    kind: BonusKind
    count: Annotated[int, Ge(1), Le(10)] = 1
    colour: Literal["", "yellow", "blue", "red", "brown", "grey", "black"] = ""
    whose_hex: Literal["own", "enemy"] = "own"

    def check(self) -> str | None:
        """Dice have a colour of their kind, symbols none."""
        if not BONUSES[self.kind].before:
            return f"{self.kind} with a colour; only dice have one" if self.colour else None
        wrong = _stray((self.colour,), BONUSES[self.kind].to)
        return f"{self.kind}: {wrong}" if wrong else None


@sheet
@cites("GB-21", "GB-55", "GB-63", "GB-65")
class Terrain:
    """The one feature that fills a hex.

    Attributes:
        Terrain:
            name: what the terrain is called.
            blocks (Blocks sight): whether it blocks Line of Sight (GB-63).
            move_cost: movement points for a step onto it (ruling A-19; GB-55).
            hampers: whether a unit that came onto it this turn is held up (ruling A-19c; GB-55).
            bonuses: what it gives in combat (GB-21).
            advantage: "grants": a unit there has Advantage as Round Attacker; "denies": nobody has
                it over a unit there (GB-12).
            source: where these numbers come from.
    """

    name: str = "plain"
    blocks: bool = False
    move_cost: Annotated[int, Ge(1), Le(50)] = 1
    hampers: bool = False
    bonuses: tuple[Bonus, ...] = ()
    advantage: Literal["none", "grants", "denies"] = "none"
    source: ForPeople = ""

    def check(self) -> str | None:
        """Not too many bonuses."""
        if len(self.bonuses) > MOST["bonuses"]:
            return f"{len(self.bonuses)} bonuses; allowed: at most {MOST['bonuses']}"
        return None


PLAIN = Terrain()
NOBODY = Unit(name="nobody", attack=("yellow",), health=0)
"""Stands for both units of a setup while a scenario is played instead."""


# -- the map ---------------------------------------------------------------------------------


@sheet
class Ground:
    """A hex with terrain on it; every hex that is not listed is plain.

    Attributes:
        Ground (GB-65):
            hex: the hex: four digits, two of the column and two of the row, from 0.
            terrain: what fills it.
    """

    hex: str
    terrain: Terrain


@sheet
class Placed:
    """A unit and the hex on which it starts.

    Attributes:
        Placed unit (GB-51):
            unit: the unit.
            hex: the hex on which it starts: four digits, two of the column and two of the row, from
                0.
    """

    unit: Unit
    hex: str


@sheet
@cites("GB-47a", "GB-47b", "GB-47c")
class Goal:
    """The victory conditions of one player; a ruling says whether one of them is enough (A-22).

    Attributes:
        Victory:
            destroy: enemy units to be destroyed; 0: that is no condition (GB-47).
            hold: hexes on which own units must stand, all of them; a ruling says when (A-23;
                GB-47b).
            escape: own units that must leave the map; 0: that is no condition (GB-47c).
            exits: hexes from which they leave (GB-47c).
    """

    destroy: Annotated[int, Ge(0), Le(100)] = 0
    hold: tuple[str, ...] = ()
    escape: Annotated[int, Ge(0), Le(100)] = 0
    exits: tuple[str, ...] = ()

    def check(self) -> str | None:
        """At least one condition; units leave by exits."""
        if not (self.destroy or self.hold or self.escape):
            return "no condition; give destroy, hold or escape"
        if self.escape and not self.exits:
            return f"escape {self.escape} without exits; name the hexes from which units leave"
        if self.exits and not self.escape:
            return "exits without escape; say how many units must leave"
        return None


@sheet
@cites("GB-44", "GB-47", "GB-47a", "GB-48", "GB-51", "GB-65")
class Scenario:
    """A whole game: the map, both armies, how it goes and how it is won.

    Hexes are named by four digits, two of the column and two of the row, counted from 0.

    Attributes:
        Scenario (GB-48):
            name: what the scenario is called.
        Map:
            columns: how many columns of hexes the map has.
            rows: how many rows of hexes the map has.
            missing (Missing hexes): hexes of the map that are not there.
            layout: how the hexes lie: odd rows half a hex to the right or left, or odd columns half
                a hex down or up.
            hexes: those that are not plain (GB-65).
        Armies:
            one: units of the first player and where they start, in the order in which they are
                offered.
            other: units of the other player and where they start, in the order in which they are
                offered.
        Course:
            starts: which player has the first turn (GB-40).
            activations: how many units a player must activate each turn (GB-44).
            other_activations: how many units the other player must activate each turn; 0: as many
                (GB-44).
            rounds: after how many rounds the game is over.
        Victory (GB-47a):
            destroy: how many enemy units must be destroyed, for a player without a goal; 0: one
                (GB-47).
            one_wins: the victory conditions of the first player.
            other_wins: the victory conditions of the other player.
            at_the_end: the winner if the rounds run out.
        Origin:
            source: where it comes from.
    """

    name: ForPeople = ""
    columns: Size
    rows: Size
    missing: tuple[str, ...] = ()
    layout: Layout = "rows-right"
    hexes: tuple[Ground, ...] = ()
    one: tuple[Placed, ...]
    other: tuple[Placed, ...]
    activations: Annotated[int, Ge(1), Le(100)] = 1
    other_activations: Annotated[int, Ge(0), Le(100)] = 0
    starts: Literal["one", "other"] = "one"
    destroy: Annotated[int, Ge(0), Le(100)] = 0
    one_wins: Goal | None = None
    other_wins: Goal | None = None
    rounds: Annotated[int, Ge(1), Le(1000)] = 100
    at_the_end: Literal["draw", "one", "other"] = "draw"
    source: ForPeople = ""

    @property
    def goals(self) -> tuple[Goal, Goal]:
        """The victory conditions of both players."""
        usual = Goal(destroy=self.destroy or 1)
        return self.one_wins or usual, self.other_wins or usual

    def check(self) -> str | None:
        """Every label on the map, one terrain and one unit in a hex, goals within reach."""
        for label in self.missing:
            if wrong := self._off(label, there=False):
                return f"missing hex {label!r}: {wrong}"
        for what, labels in (
            ("terrain", [ground.hex for ground in self.hexes]),
            ("units", [placed.hex for placed in self.one + self.other]),
        ):
            for label in labels:
                if wrong := self._off(label):
                    return f"{what} on hex {label!r}: {wrong}"
            twice = sorted({label for label in labels if labels.count(label) > 1})
            if twice:
                clause = "GB-65" if what == "terrain" else "GB-51"
                return f"two {what} on hex {twice[0]}; allowed: one ({clause})"
        for side in ("one", "other"):
            n_units = len(getattr(self, side))
            if n_units > MOST["units"]:
                return f"side {side} has {n_units} units; allowed: at most {MOST['units']}"
        if self.destroy and self.one_wins and self.other_wins:
            return "destroy beside one_wins and other_wins; it counts for players without a goal"
        return self._out_of_reach()

    def _out_of_reach(self) -> str | None:
        armies = (self.one, self.other)
        for number, (side, goal) in enumerate(zip(("one", "other"), self.goals, strict=True)):
            n_own, n_foes = len(armies[number]), len(armies[1 - number])
            foes = ("other", "one")[number]
            if n_foes < goal.destroy:
                return (
                    f"destroy {goal.destroy}, and side {foes} has {n_foes} units; allowed: at "
                    "most as many as there are"
                )
            for what, wanted, number_of in (
                ("escape", goal.escape, "units"), ("hold", len(goal.hold), "hexes"),
            ):  # fmt: skip
                if n_own < wanted:
                    return (
                        f"{side}_wins: {what} {wanted} {number_of}, and side {side} has {n_own} "
                        "units; allowed: at most as many as there are"
                    )
            for label in (*goal.hold, *goal.exits):
                if wrong := self._off(label):
                    return f"{side}_wins: hex {label!r}: {wrong}"
            if len(set(goal.hold)) < len(goal.hold):
                return f"{side}_wins: a hex stands twice in hold; allowed: once"
        return None

    def _off(self, label: str, *, there: bool = True) -> str | None:
        if there and label in self.missing:
            return "it is missing from the map"
        if len(label) != 4 or not (label.isascii() and label.isdigit()):
            return "allowed: four digits, two of the column and two of the row"
        if int(label[:2]) >= self.columns or int(label[2:]) >= self.rows:
            return f"off the map; it ends at {self.columns - 1:02}{self.rows - 1:02}"
        return None


# -- the setup -------------------------------------------------------------------------------


@sheet
@cites("GB-1", "GB-2")
class Setup:
    """Everything before the first step: a combat between two units, or a scenario to be played.

    Attributes:
        Who:
            attacker: the attacking unit (GB-2).
            defender: the unit attacked (GB-2).
            followers: units that attack the same defender afterwards, from where the attacker
                stands, as long as it is there (GB-46).
            defender_status: fresh, activated or fatigued; matters for a ruling on Battle Back
                (A-13; GB-41).
        Place:
            attacker_terrain: what the attacker stands on (GB-21).
            defender_terrain: what the defender stands on (GB-21).
            distance_hexes: how far apart they are; 1 is adjacent (GB-60).
            line_of_sight: the Line of Sight between their hexes (GB-61).
            return_sight: the Line of Sight of a shot back, where a ruling lets it differ (GB-61).
        Advantage (GB-12):
            attacker_advantage: whether the attacker has Advantage over the defender: as the rules
                have it, or granted or denied by something else.
            defender_advantage: whether the defender has Advantage over the attacker: as the rules
                have it, or granted or denied by something else.
            attacker_supported: whether another unit of the attacker's side stands next to the
                defender (ruling A-3).
            defender_supported: whether another unit of the defender's side stands next to the
                attacker (ruling A-3).
        Game:
            dice: the faces of the dice (GB-10).
            scenario: a whole game instead of a single combat (GB-48).
    """

    attacker: Unit = NOBODY
    defender: Unit = NOBODY
    followers: tuple[Unit, ...] = ()
    attacker_terrain: Terrain = PLAIN
    defender_terrain: Terrain = PLAIN
    distance_hexes: Distance = 1
    line_of_sight: Literal["clear", "blocked"] = "clear"
    return_sight: Literal["same", "clear", "blocked"] = "same"
    attacker_advantage: Say = "rules"
    defender_advantage: Say = "rules"
    attacker_supported: bool = False
    defender_supported: bool = False
    defender_status: Status = "fresh"
    dice: DiceSet = ASSUMED
    scenario: Scenario | None = None

    def check(self) -> str | None:
        """Either two units or a scenario."""
        there = [unit != NOBODY for unit in (self.attacker, self.defender)]
        if self.scenario is not None and (any(there) or self.followers):
            return "units of a combat and a scenario; allowed: one of them"
        if self.scenario is None and not all(there):
            missing = "defender" if there[0] else "attacker" if there[1] else "attacker, defender"
            return f"{missing} missing; needed: an attacker and a defender, or a scenario"
        if len(self.followers) > MOST["followers"]:
            return f"{len(self.followers)} followers; allowed: at most {MOST['followers']}"
        return None
