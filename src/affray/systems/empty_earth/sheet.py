"""Sheets for an attack: fighters and the situation; what they carry is in `gear` and `cards`."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

from affray.core.sheet import INFORMS, Ge, Le, replace, sheet
from affray.core.step import cites
from affray.systems.empty_earth.cards import (
    BY_PART,
    Affliction,
    Count,
    Cubes,
    Feature,
    Part,
    Score,
    StageEffect,
    Timing,
    serves,
)
from affray.systems.empty_earth.gear import Armor, Points, Weapon, twice, wrong_dice
from affray.systems.empty_earth.map.geometry import Lie
from affray.systems.empty_earth.map.zones import Figure, Map
from affray.systems.empty_earth.tables import REACTIONS

__all__ = ["Affliction", "Cubes", "Feature", "Fighter", "Injured", "Setup", "Timing"]

Side = Literal["pc", "ally", "enemy"]
Injured = Literal["none", "carried", "taken"]
Track = Annotated[int, Ge(1), Le(1_000)]


@sheet
@cites("EE-2", "EE-3", "EE-8", "EE-61")
class Fighter:
    """A player character, Ally or Enemy, as attacker or defender.

    Attributes:
        Who (EE-2):
            name: what the fighter is called.
            side: player character, Ally or Enemy; only a player character draws Injuries.
            tactics: attribute, where an Armor or a ruling asks for it.
            intuition: attribute, where an Armor or a ruling asks for it.
        Attacks (EE-5):
            attacks: attack lines, by roster name or written out; the equipped weapon first.
            abilities: what cubes buy as an attacker or as a defender, as their timing says (EE-57).
            retaliation: damage that each hit on this fighter does to the attacker (EE-55).
            rerolls: how often one own die may be rerolled after a roll (EE-35).
            sweeps: how often any number of own dice may be rerolled at once (EE-35).
            focus: X of each Focus [X] that may be used after a roll (EE-36).
        Defenses (EE-3):
            armor: the equipped Armor; without one the defenses of the stat block hold.
            phys_def (Physical Defense): Physical Defense of a stat block, which attack dice must
                beat (EE-6).
            ess_def (Essential Defense): Essential Defense of a stat block, which attack dice must
                beat (EE-6).
            dr (Damage Resistance): Damage Resistance of a stat block, taken off the total (EE-27).
            reduction (Damage Reduction): a Damage Reduction printed beside Damage Resistance
                (ruling A-13; EE-18).
            dodge: Dodge dice of a stat block, such as "1D6" (EE-33).
            center: Center dice of a stat block, such as "1D6" (EE-33).
        Vitality and cubes:
            vitality: what is left; left out: all of the track (EE-46).
            left (Vitality) for vitality: what is left (EE-46).
            vitality_max (Vitality track): the length of the track, or the number printed on the
                card (EE-49).
            cubes: action cubes that are left (EE-30).
            cubes_max (Cubes at most): the most cubes there can be; left out: those that are left
                (EE-71).
            income: cubes that come in as the own turn begins, up to the most there can be (EE-71).
        State now:
            shields: Shield tokens (EE-25).
            injuries: Injury cards held (EE-47).
            injured_this_stage: whether an Injury was taken in this Stage (EE-52).
            reactions (Reactions left): Dodges or Centers left until the next turn (EE-61).
            armor_active: the Armor's active effect was bought and still lasts (EE-60).
            conditions: Conditions that the fighter suffers from now on (EE-56).
            zone: the Zone of the map in which the fighter stands (EE-10).
        Origin:
            source: where these numbers come from.
    """

    name: str = ""
    side: Side = "enemy"
    attacks: tuple[Weapon, ...] = ()
    armor: Armor | None = None
    phys_def: Score = 0
    ess_def: Score = 0
    dr: Score = 0
    reduction: Score = 0
    dodge: str = ""
    center: str = ""
    vitality: Points | None = None
    vitality_max: Track = 10
    shields: Points = 0
    injuries: Count = 0
    injured_this_stage: bool = False
    reactions: Count = REACTIONS["between turns"]
    armor_active: bool = False
    tactics: Count = 0
    intuition: Count = 0
    cubes: Cubes = Cubes()
    cubes_max: Cubes | None = None
    income: Cubes = Cubes()
    abilities: tuple[Feature, ...] = ()
    conditions: tuple[Affliction, ...] = ()
    rerolls: Count = 0
    sweeps: Count = 0
    focus: tuple[Annotated[int, Ge(1), Le(20)], ...] = ()
    retaliation: Score = 0
    zone: str = ""
    source: Annotated[str, INFORMS] = ""

    @property
    def worn(self) -> Armor:
        """Take the defensive statistics from the Armor card, or else from the stat block."""
        return self.armor or _stat_block(self)

    @property
    def left(self) -> int:
        """The Vitality that is left."""
        return self.vitality_max if self.vitality is None else self.vitality

    @property
    def most_cubes(self) -> Cubes:
        """The most cubes of each color there can be."""
        return self.cubes if self.cubes_max is None else self.cubes_max

    @property
    def is_down(self) -> bool:
        """Say if this is a player character out of Vitality, who waits to be revived."""
        return self.side == "pc" and self.left == 0

    def check(self) -> str | None:
        """One place for the defenses; Vitality within its track; Injuries only of a PC."""
        own = (self.phys_def, self.ess_def, self.dr, self.dodge, self.center)
        if self.armor is not None and any(own):
            return "an Armor and defenses of its own; allowed: one of them; leave the other out"
        if wrong := wrong_dice(self.dodge) or wrong_dice(self.center):
            return wrong
        if self.left > self.vitality_max:
            return (
                f"vitality {self.left}; allowed: at most vitality_max {self.vitality_max}; for a "
                f"longer track give vitality_max = {self.left}"
            )
        if wrong := self._wrong_cubes():
            return wrong
        if self.side != "pc" and (self.injuries or not self.left):
            return (
                f"{self.injuries} injuries, vitality {self.left}; an {self.side} draws no "
                "Injury and is gone at 0: give vitality 1 or more and no injuries"
            )
        if self.side == "pc" and not self.injuries and not self.left:
            return "vitality 0 without an Injury; a PC draws one at 0: give injuries = 1"
        if self.injured_this_stage and not self.injuries:
            return "injured_this_stage without an Injury; give injuries = 1"
        if self.armor_active and (self.armor is None or self.armor.active is None):
            return "armor_active without an Armor that has an active effect"
        if any(one.held for one in self.conditions) and not self.injuries:
            return "a Condition of an Injury card that is held, without an Injury (EE-59)"
        for ability in self.abilities:
            if wrong := _wrong_ability(ability):
                return f"ability {ability.name}: {wrong}"
        lines = [weapon.name for weapon in self.attacks if weapon.name]
        if len(set(lines)) != len(lines):
            return f"attacks {', '.join(lines)}; allowed: each named once, or without a name"
        for weapon in self.attacks:
            both = {f.name for f in weapon.features} & {a.name for a in self.abilities}
            if both:
                return (
                    f"{', '.join(sorted(both))} names a Weapon Feature and an Ability; rename one"
                )
        return twice("conditions", [one.name for one in self.conditions]) or twice(
            "abilities", [ability.name for ability in self.abilities]
        )

    def _wrong_cubes(self) -> str | None:
        """Cubes within their bounds; what comes in needs room."""
        most = self.most_cubes
        if not most.covers(self.cubes):
            return f"cubes {self.cubes}; allowed: at most cubes_max {most}"
        for color in ("red", "blue", "black"):
            if getattr(self.income, color) and not getattr(most, color):
                return f"income of {color} cubes, of which there are 0 at most; give cubes_max"
        return None


@cites("EE-29", "EE-57")
def _wrong_ability(ability: Feature) -> str | None:
    """Refuse an Ability that could never be used, or a part of it that would do nothing."""
    parts: list[Part] = [part for part in BY_PART if serves(ability, part)]
    acts = frozenset[str]().union(*(BY_PART[part] for part in parts))
    if idle := sorted(ability.effects - acts):
        return (
            f"{', '.join(idle)} would do nothing with timing {ability.timing!r} and role "
            f"{ability.role!r} (EE-57); a defender is asked 'immediate' and 'post_roll' and gains "
            "no damage; an attacker is asked at every timing and gains no defence or dr"
        )
    if ability.role != "either" and serves(replace(ability, role="either"), _other(ability.role)):
        return None
    if ability.role != "either":
        return f"role {ability.role!r} changes nothing here; leave it out"
    return None


def _other(part: Part) -> Part:
    return "defender" if part == "attacker" else "attacker"


@sheet
@cites("EE-1", "EE-2")
class Setup:
    """Everything before the first step: who attacks whom with what, and how they stand.

    Attributes:
        Who:
            attacker: the fighter who attacks, revives or moves (EE-2).
            defender: the target (EE-2).
            other_pcs (Other player characters): every other player character in the Stage: without
                an Injury ("none"), with one from before this Stage ("carried"), with one from this
                Stage ("taken") (EE-52).
        Action:
            act: "attack"; or "revive": the attacker spends black cubes on the fallen defender; or
                "move": the attacker walks to another Zone of the map (EE-51).
            attacks: how many attacks follow each other on the same defender (EE-1).
            new_turn: whose turn begins just before (EE-26).
            turn_between: whether the defender's turn begins between two attacks (EE-26).
        Place:
            map: the map on which everybody stands; it says the five things that follow, which are
                left out then (EE-13).
            figures (Other figures): everybody else who stands on the map (EE-14).
            distance_zones: how far apart the two are, 0 in the same Zone; counted over every border
                (EE-11).
            distance_through_openings: Zones between them along openings (ruling A-10); left out:
                equal (EE-11).
            line_of_sight: how the straight line between two aim dots lies to black and green walls;
                left out: clear (EE-13).
            hostile_in_own_zone: figures hostile to the attacker in the attacker's Zone, the
                defender too if in it (EE-14).
            hostile_near_defender: figures hostile to the defender in the defender's Zone; matters
                for a Counter (EE-14).
        Stage:
            injury_deck: Injury cards that can be drawn, each as likely; none: a card does nothing
                more. A card acts as a Condition (EE-59).
            stage_end: effects of the end of the Stage, in order (EE-59).
    """

    attacker: Fighter
    defender: Fighter
    act: Literal["attack", "revive", "move"] = "attack"
    attacks: Annotated[int, Ge(1), Le(20)] = 1
    map: Map | None = None
    figures: tuple[Figure, ...] = ()
    distance_zones: Count | None = None
    distance_through_openings: Count | None = None
    line_of_sight: Lie | None = None
    hostile_in_own_zone: Count | None = None
    hostile_near_defender: Count | None = None
    new_turn: Literal["none", "attacker", "defender"] = "none"
    turn_between: bool = False
    other_pcs: tuple[Injured, ...] = ()
    injury_deck: tuple[Affliction, ...] = ()
    stage_end: tuple[StageEffect, ...] = ()

    def check(self) -> str | None:
        """A revival is one deed; turns come between attacks where there are several."""
        if self.act != "attack" and self.attacks > 1:
            return f"attacks {self.attacks} with act {self.act!r}; allowed: 1"
        if self.turn_between and self.attacks == 1:
            return "turn_between with one attack; allowed: with attacks = 2 or more"
        if self.other_pcs and "pc" not in {self.attacker.side, self.defender.side}:
            return "other_pcs, but neither attacker nor defender is a player character (EE-52)"
        if wrong := self._wrong_stage():
            return wrong
        return self._misplaced()

    def _wrong_stage(self) -> str | None:
        """Injury cards and Stage-end effects concern player characters."""
        pcs = "pc" in {self.attacker.side, self.defender.side}
        for key in ("injury_deck", "stage_end"):
            if getattr(self, key) and not pcs:
                return f"{key}, but neither attacker nor defender is a player character (EE-59)"
        held = [card.name for card in self.injury_deck if card.held]
        if held:
            return f"injury_deck: {held[0]} is held already; leave out `held` (EE-59)"
        if len(self.injury_deck) > MOST_CARDS:
            return f"injury_deck of {len(self.injury_deck)} cards; allowed: at most {MOST_CARDS}"
        return None

    def _misplaced(self) -> str | None:
        """Why somebody's place fits no map, or something is said that the map says."""
        standing = [("attacker", self.attacker.zone), ("defender", self.defender.zone)]
        standing += [(f"figure {n}", one.zone) for n, one in enumerate(self.figures, start=1)]
        if self.map is None:
            if self.act == "move":
                return "act 'move' without a map; give the map and the zones (EE-70)"
            for who, zone in standing:
                if zone:
                    return f"{who}: zone {zone!r} without a map; give the map, or leave it out"
            return None
        if said := [key for key in BY_HAND if getattr(self, key) is not None]:
            return f"{said[0]} with a map, which says it already; leave it out (EE-13)"
        names = self.map.names
        for who, zone in standing:
            if zone not in names:
                given = f"zone {zone!r}" if zone else "no zone"
                return f"{who}: {given}; Zones of the map: {', '.join(names)}"
        if len(self.figures) > MOST_FIGURES:
            return f"{len(self.figures)} figures; allowed: at most {MOST_FIGURES}"
        return None


BY_HAND = (
    "distance_zones", "distance_through_openings", "line_of_sight", "hostile_in_own_zone",
    "hostile_near_defender",
)  # fmt: skip
"""What somebody says of the places of both, where there is no map."""
MOST_FIGURES = 100
MOST_CARDS = 100


@lru_cache(maxsize=1024)
def _stat_block(fighter: Fighter) -> Armor:
    """The defenses of a stat block, in the form of an Armor card."""
    return Armor(
        phys_def=fighter.phys_def,
        ess_def=fighter.ess_def,
        dr=fighter.dr,
        dodge=fighter.dodge,
        center=fighter.center,
    )
