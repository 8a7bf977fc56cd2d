"""Cards beside weapons and armor: cubes, Conditions, Weapon Features and Abilities."""

from __future__ import annotations

from typing import Annotated, Literal

from affray.core.sheet import INFORMS, Ge, Le, sheet
from affray.core.step import cites

__all__ = [
    "Affliction",
    "Bonus",
    "Count",
    "Cubes",
    "Feature",
    "Part",
    "Score",
    "StageEffect",
    "Timing",
    "Unmodified",
    "serves",
]  # fmt: skip

Timing = Literal["pre_roll", "post_roll", "immediate", "on_hit", "on_damage"]
Part = Literal["attacker", "defender"]

Score = Annotated[int, Ge(0), Le(100)]
Bonus = Annotated[int, Ge(0), Le(20)]
Shift = Annotated[int, Ge(-20), Le(20)]
MOST_COUNTED = 20
Count = Annotated[int, Ge(0), Le(MOST_COUNTED)]


@sheet
class Cubes:
    """Action cubes at hand, by color.

    Attributes:
        Cubes (EE-30):
            red: red cubes, which mostly pay for Weapon Features.
            blue: blue cubes, which pay for aiming and an Armor's active effect.
            black: black cubes, which pay for a revival (EE-51).
    """

    red: Count = 0
    blue: Count = 0
    black: Count = 0

    def __sub__(self, other: Cubes) -> Cubes:
        """Spend `other` of these."""
        return Cubes(
            red=self.red - other.red, blue=self.blue - other.blue, black=self.black - other.black
        )

    def __add__(self, other: Cubes) -> Cubes:
        """Both together."""
        return Cubes(
            red=self.red + other.red, blue=self.blue + other.blue, black=self.black + other.black
        )

    @property
    def number(self) -> int:
        """Count cubes of all colors."""
        return self.red + self.blue + self.black

    def less(self, other: Cubes) -> Cubes:
        """Lose `other`, or as many as there are."""
        return Cubes(
            red=max(0, self.red - other.red),
            blue=max(0, self.blue - other.blue),
            black=max(0, self.black - other.black),
        )

    def filled(self, income: Cubes, most: Cubes) -> Cubes:
        """Add those that come in, of each color up to the most there can be.

        >>> Cubes(red=1, blue=3).filled(Cubes(red=2, blue=1), Cubes(red=2, blue=2))
        Cubes(red=2, blue=3, black=0)
        """
        return Cubes(
            red=max(self.red, min(self.red + income.red, most.red)),
            blue=max(self.blue, min(self.blue + income.blue, most.blue)),
            black=max(self.black, min(self.black + income.black, most.black)),
        )

    def covers(self, other: Cubes) -> bool:
        """Say if these are enough to spend `other`."""
        return self.red >= other.red and self.blue >= other.blue and self.black >= other.black


@sheet
@cites("EE-56")
class Affliction:
    """A Condition that a fighter suffers; the book prints no list, so each is written out.

    Attributes:
        Condition (EE-56):
            name: what it is called.
            each_die: added to each own die: attack, Dodge and Center dice.
            phys_def (Physical Defense): added to the own Physical Defense.
            ess_def (Essential Defense): added to the own Essential Defense.
            dr (Damage Resistance): added to the own Damage Resistance, which is never below 0.
            no_reactions: no Dodge and no Center.
            no_actions: no attack, Counter, revival, move, Ability or Armor effect.
            turns: how many own turns have to begin before it ends; 0: it lasts for the Stage.
            held (On an Injury card): of a fighter's own Condition: it stands on an Injury card, and
                lasts as long as the Injury is held (EE-59).
            source: where these numbers come from.
    """

    name: str
    each_die: Shift = 0
    phys_def: Shift = 0
    ess_def: Shift = 0
    dr: Shift = 0
    no_reactions: bool = False
    no_actions: bool = False
    turns: Count = 0
    held: bool = False
    source: Annotated[str, INFORMS] = ""

    def check(self) -> str | None:
        """A Condition has a name; the table may carry out the rest."""
        if not self.name:
            return "a Condition without a name; give it one"
        if self.held and self.turns:
            return f"turns {self.turns} of a card that is held; give one of them"
        return None


@sheet
@cites("EE-45", "EE-58")
class Unmodified:
    """What each die does that shows the unmodified value of an attack line.

    Attributes:
        Effect of a value (EE-58):
            damage: added to the regular damage of the attack.
            piercing: added to the piercing damage of the attack.
            shields: Shields that the attacker gains.
            condition: what the target suffers.
    """

    damage: Bonus = 0
    piercing: Bonus = 0
    shields: Bonus = 0
    condition: Affliction | None = None

    def check(self) -> str | None:
        """An effect does something."""
        if self.damage or self.piercing or self.shields or self.condition:
            return None
        return "an effect that does nothing; give damage, piercing, shields or condition"


@sheet
@cites("EE-52", "EE-59")
class StageEffect:
    """One effect of the end of a Stage on each player character.

    Attributes:
        Effect of the Stage (EE-59):
            name: what it is called.
            vitality: Vitality that is regained, up to the end of the track; the fallen stand up.
            injuries: Injuries that are discarded, with their cards if none is left.
            loses (Cubes lost): cubes that are lost; nobody loses more than there are.
            gains (Cubes gained): cubes that are gained.
            cures: whether all other Conditions end.
            condition: a Condition that is suffered.
            source: where these numbers come from.
    """

    name: str
    vitality: Score = 0
    injuries: Count = 0
    loses: Cubes = Cubes()
    gains: Cubes = Cubes()
    cures: bool = False
    condition: Affliction | None = None
    source: Annotated[str, INFORMS] = ""

    def check(self) -> str | None:
        """An effect has a name and does something."""
        cubes = self.loses.number or self.gains.number
        if not self.name:
            return "an effect without a name; give it one"
        if self.vitality or self.injuries or cubes or self.cures or self.condition:
            return None
        return "it does nothing; give vitality, injuries, loses, gains, cures or condition"


@sheet
@cites("EE-31", "EE-57")
class Feature:
    """A Weapon Feature or an Ability: what it costs, when it is bought, what it does.

    Attributes:
        Feature or Ability (EE-57):
            name: what it is called.
            cost: the cubes it takes each time; a Weapon Feature usually takes red ones (EE-30).
            timing: when it is bought: as the attack is declared (immediate), with the attacker's
                other modifiers (pre-roll), after the dice fell (post-roll), or once the own attack
                has hit or done damage; a defender uses immediate and post-roll ones (EE-31).
            role: of an Ability: whether only an attacker or only a defender uses it.
        Effect (EE-57):
            each_die: added to each own die: attack dice of an attacker, Dodge dice of a defender.
            damage: added to the regular damage of each hit.
            piercing: added to the piercing damage of each hit.
            rerolls: how often one own die may be rerolled after the roll (EE-35).
            sweeps: how often any number of own dice may be rerolled at once (EE-35).
            focus: X of each Focus [X] that may be used after the roll (EE-36).
            defence (Defense): added for a defender, for this attack only.
            dr (Damage Resistance): added for a defender, for this attack only.
            shields: Shields that are gained (EE-25).
            condition: what the target suffers if a die hits, or, bought on damage, if there is
                damage; an Ability of a defender brings it upon the attacker at once.
            source: where these numbers come from.
    """

    name: str
    cost: Cubes = Cubes()
    timing: Timing = "pre_roll"
    role: Literal["either", "attacker", "defender"] = "either"
    each_die: Bonus = 0
    damage: Bonus = 0
    piercing: Bonus = 0
    rerolls: Count = 0
    sweeps: Count = 0
    focus: tuple[Annotated[int, Ge(1), Le(20)], ...] = ()
    defence: Bonus = 0
    dr: Bonus = 0
    shields: Bonus = 0
    condition: Affliction | None = None
    source: Annotated[str, INFORMS] = ""

    def check(self) -> str | None:
        """A feature does something, and nothing that comes too late."""
        if self.condition and self.condition.held:
            return f"{self.condition.name} is held; only a fighter holds an Injury card (EE-59)"
        if not self.name or "+" in self.name or self.name in {"none", "pass"}:
            return f"{self.name!r} can't name a feature; use a word without a +"
        if not self.effects:
            return f"feature {self.name} does nothing; give it one of {', '.join(EFFECTS)}"
        late = self.timing in {"on_hit", "on_damage"}
        if late and (self.each_die or self.rerolls or self.sweeps or self.focus):
            return f"with timing {self.timing!r} the dice are done; it can't change them"
        if self.timing == "on_damage" and (self.damage or self.piercing):
            return "with timing 'on_damage' the damage is done; it can only bring a condition"
        return None

    @property
    def effects(self) -> frozenset[str]:
        """Name the keys that do something."""
        return frozenset(name for name in EFFECTS if getattr(self, name))

    @property
    def is_free(self) -> bool:
        """Say if it takes no cube."""
        return not self.cost.number


EFFECTS = (
    "each_die", "damage", "piercing", "rerolls", "sweeps", "focus", "defence", "dr", "shields",
    "condition",
)  # fmt: skip
"""Keys of a feature that do something."""
DICE = frozenset({"each_die", "rerolls", "sweeps", "focus"})
BY_PART: dict[Part, frozenset[str]] = {
    "attacker": DICE | {"damage", "piercing", "shields", "condition"},
    "defender": DICE | {"defence", "dr", "shields", "condition"},
}
"""Keys of a feature that do something for an attacker and for a defender."""
TIMINGS: dict[Part, frozenset[Timing]] = {
    "attacker": frozenset({"immediate", "pre_roll", "post_roll", "on_hit", "on_damage"}),
    "defender": frozenset({"immediate", "post_roll"}),
}
"""When each of them is asked."""


@cites("EE-29", "EE-34", "EE-57")
def serves(feature: Feature, part: Part) -> bool:
    """Say if a fighter can use this Ability in this part: the moment comes, and it does something.

    >>> ward = Feature(name="Ward", timing="immediate", dr=2)
    >>> serves(ward, "defender"), serves(ward, "attacker")
    (True, False)
    """
    return (
        feature.role in {"either", part}
        and feature.timing in TIMINGS[part]
        and not feature.effects.isdisjoint(BY_PART[part])
    )
