"""What combatants carry: weapons, ammunition, armor, and the skills for exotic ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from affray.core.sheet import INFORMS, Ge, Le, replace, sheet
from affray.core.step import cites
from affray.systems.eclipse_phase.blast import Blast

__all__ = [
    "Ammo", "Aptitude", "Armor", "Count", "Exotic", "Form", "Mode", "Points", "Score", "Skill",
    "Trait", "Weapon", "dv_told", "named_twice",
]  # fmt: skip

Mode = Literal["single", "semi", "burst", "auto"]
Form = Literal[
    "melee", "improvised", "kinetic", "railgun", "beam", "spray", "seeker", "thrown", "charge",
    "psi",
]  # fmt: skip
Skill = Literal["melee", "guns", "athletics", "demolitions", "interface", "exotic", "psi"]
Trait = Literal[
    "armor_piercing", "blinding", "concealable", "cone", "entangling", "fixed", "fragile",
    "knockdown", "lacks_smartlink", "long", "no_close", "no_point_blank", "pain", "shock",
    "single_use", "steady", "stun", "touch_only", "two_handed",
]  # fmt: skip
Score = Annotated[int, Ge(0), Le(200)]
Aptitude = Annotated[int, Ge(0), Le(40)]
Count = Annotated[int, Ge(0), Le(100)]
Points = Annotated[int, Ge(0), Le(10_000)]


RANGED_TRAITS = frozenset({
    "cone", "lacks_smartlink", "long", "no_close", "no_point_blank", "steady",
})  # fmt: skip


BREAKABLE: frozenset[Trait] = frozenset({"fragile", "single_use"})
"""Traits of a weapon that one attack may break, or uses up."""
LAUNCHER_TRAITS = (RANGED_TRAITS - {"cone"}) | {"fixed", "fragile", "single_use", "two_handed"}
"""Traits of a seeker itself; all others are those of its missiles."""


def dv_told(d10: int, d6: int, flat: int) -> str:
    """A damage value in table notation; nothing if there is none.

    >>> dv_told(2, 1, 6), dv_told(0, 1, -1), dv_told(0, 0, 0)
    ('2d10 + 1d6 + 6', '1d6 - 1', '')
    """
    dice = " + ".join(f"{n}d{sides}" for n, sides in ((d10, 10), (d6, 6)) if n)
    if not flat:
        return dice
    return f"{dice} {'+' if flat > 0 else '-'} {abs(flat)}" if dice else str(flat)


def named_twice(key: str, names: Sequence[str]) -> str | None:
    """The fault of a list in which a name comes twice; it would count once or twice."""
    again = next((name for name in names if names.count(name) > 1), None)
    return None if again is None else f"{key} names {again!r} twice"


@sheet
class Armor:
    """One piece of armor (EP-116, EP-117): energy and kinetic rating, and how it is worn.

    `full` is a layer, `bonus` ("+" items) is none, `frame` is a synthmorph's own shell and
    counts as the first layer.

    Attributes:
        name: what the piece is called.
        energy: rating against energy attacks (EP-116).
        kinetic: rating against kinetic attacks (EP-116).
        layer: how it is worn: "full" is a layer, "bonus" ("+" items) is none, "frame" is a
            synthmorph's own shell and counts as the first layer (EP-117).
        source: where these numbers come from.
    """

    name: Annotated[str, INFORMS] = ""
    energy: Count = 0
    kinetic: Count = 0
    layer: Literal["full", "bonus", "frame"] = "full"
    source: Annotated[str, INFORMS] = ""


@sheet
class Ammo:
    """Ammunition changes the dice and adds traits (EP-83).

    Attributes:
        Ammunition (EP-83):
            name: what it is called.
            d10, d6 (Extra d10s, Extra d6s): dice that it adds to the damage of the weapon; below 0:
                takes away.
            half (Half damage): it does half damage.
            no_damage: it does no damage at all.
            traits: traits that it adds to those of the weapon.
            biomorphs_only: its dice and traits count against biomorphs only.
            homing: it finds its target after an aim, or at the same target again.
            payload: a seeker missile's load; its dice, armor, traits and blast are those of the
                attack (EP-105).
            source: where these numbers come from.
    """

    name: Annotated[str, INFORMS] = "standard"
    d10: Annotated[int, Ge(-3), Le(5)] = 0
    d6: Annotated[int, Ge(0), Le(5)] = 0
    half: bool = False
    no_damage: bool = False
    traits: tuple[Trait, ...] = ()
    biomorphs_only: bool = False
    homing: bool = False
    payload: Weapon | None = None
    source: Annotated[str, INFORMS] = ""

    def check(self) -> str | None:
        """No trait stands twice."""
        return named_twice("traits", self.traits)


@sheet
@cites("EP-43")
class Exotic:
    """One Exotic skill (EP-43): its field, such as "whips", and its value.

    Without the skill for a field, tests fall back to SOM.

    Attributes:
        Exotic skill (EP-43):
            field: what it is for, such as "whips".
            value: the skill.
            specialized: its specialization applies now: +10 (EP-13).
    """

    field: str
    value: Score
    specialized: bool = False


@sheet
class Weapon:
    """A weapon: its dice, what armor stops it, and how it can be used.

    Attributes:
        Weapon:
            name: what the weapon is called.
            form: what kind of weapon it is; decides which tables apply (EP-43).
            skill: the skill it is used with (EP-43).
            field (Field of the skill): of an Exotic skill, which one (EP-43).
        Damage (EP-60):
            d10, d6 (Damage d10s, Damage d6s): dice of its damage value.
            flat (Damage bonus): added to the dice.
            dv (Damage) for d10, d6, flat: its damage value (EP-60).
            unarmed (Unarmed damage): takes the wielder's own unarmed damage instead of dice, and
                the bonus on top (EP-95).
            armor (Stopped by): which armor stops it (EP-62).
            harm: damage to the body, or stress to the mind (EP-61).
            blast: how it explodes, if it does (EP-102).
            traits: special traits, such as armor-piercing (EP-61).
        Range:
            range_m: range rating of a fired weapon; thrown ones take the thrower's SOM (EP-74).
            reach: reach bonus in melee (EP-86).
        Magazine (EP-68):
            modes (Firing modes): firing modes; ranged weapons only.
            rounds (Rounds loaded): what is loaded now, the chambered round included (EP-79).
            rounds_max (Magazine): a full magazine, to which a fight that counts rounds reloads;
                left out: what is loaded now (EP-79).
            magazine for rounds_max: rounds of a full magazine (EP-79).
        Origin:
            concealable: easily hidden (+30 to hide it); older files say so among the traits.
            source: where these numbers come from.
    """

    name: str
    form: Form
    skill: Skill
    d10: Annotated[int, Ge(0), Le(20)] = 0
    d6: Annotated[int, Ge(0), Le(20)] = 0
    flat: Annotated[int, Ge(-10), Le(100)] = 0
    unarmed: bool = False
    armor: Literal["kinetic", "energy", "mental", "none"] = "kinetic"
    modes: tuple[Mode, ...] = ()
    rounds: Points = 0
    rounds_max: Points | None = None
    range_m: Points = 0
    reach: Literal[0, 10, 20] = 0
    traits: tuple[Trait, ...] = ()
    concealable: Annotated[bool, INFORMS] = False
    harm: Literal["damage", "stress"] = "damage"
    blast: Blast | None = None
    field: str = ""
    source: Annotated[str, INFORMS] = ""

    @property
    def is_melee(self) -> bool:
        """It is used hand to hand."""
        return self.form in {"melee", "improvised"}

    @property
    def is_fired(self) -> bool:
        """Firing modes and ammunition matter."""
        return self.form in {"kinetic", "railgun", "beam", "spray", "seeker"}

    @property
    def dv(self) -> str:
        """The damage value in table notation."""
        told = dv_told(self.d10, self.d6, self.flat)
        return f"unarmed + {self.flat}" if self.unarmed and self.flat else told

    @property
    @cites("EP-79")
    def magazine(self) -> int:
        """The rounds of a full magazine."""
        return self.rounds if self.rounds_max is None else self.rounds_max

    @cites("EP-83", "EP-105")
    def carrying(self, ammo: Ammo) -> Weapon:
        """The weapon as it is with this ammunition: a seeker does what its missiles do."""
        load = ammo.payload
        if load is None or self.form != "seeker":
            return self
        own = [trait for trait in self.traits if trait in LAUNCHER_TRAITS]
        traits = (*own, *[trait for trait in load.traits if trait not in LAUNCHER_TRAITS])
        return replace(
            self, d10=load.d10, d6=load.d6, flat=load.flat, armor=load.armor, traits=traits,
            blast=load.blast,
        )  # fmt: skip

    def check(self) -> str | None:
        """A fired weapon has modes and a range; others have neither, and no magazine."""
        return (
            self._misfit() or named_twice("traits", self.traits) or named_twice("modes", self.modes)
        )

    def _misfit(self) -> str | None:
        kind = f"a {self.form} weapon"
        if self.is_fired and not self.modes:
            return f"{kind} needs at least one firing mode in 'modes'"
        if self.is_fired and not self.range_m:
            return f"{kind} needs a range rating in 'range_m'"
        if not self.is_fired and self.modes:
            return f"{kind} has no firing modes; leave 'modes' out"
        if not self.is_fired and self.rounds:
            return f"{kind} has no magazine; leave 'rounds' out"
        if not self.is_fired and self.rounds_max is not None:
            return f"{kind} has no magazine; leave 'rounds_max' out"
        if self.magazine < self.rounds:
            return f"'rounds' is {self.rounds}, but a full magazine has {self.magazine}"
        if not self.is_fired and self.range_m:
            return f"{kind} has no range rating; leave 'range_m' out"
        if not self.is_melee and self.reach:
            return f"{kind} has no reach; leave 'reach' out"
        if self.unarmed and (self.d10 or self.d6):
            return "'unarmed' takes the wielder's own dice; leave 'd10' and 'd6' out"
        if "single_use" in self.traits and self.rounds > 1:
            return f"'single_use' is used up by one round, but 'rounds' is {self.rounds}"
        if not self.is_melee and "touch_only" in self.traits:
            return f"{kind} can't be 'touch_only'; only melee can"
        odd = sorted(RANGED_TRAITS.intersection(self.traits)) if self.is_melee else []
        if odd:
            return f"{kind} can't be {odd[0]!r}; leave it out of 'traits'"
        if self.field and self.skill != "exotic":
            return f"'field' names an Exotic skill, but the skill is {self.skill!r}; leave it out"
        return self._odd_blast()

    @cites("EP-102", "EP-105", "EP-108")
    def _odd_blast(self) -> str | None:
        """What is wrong with the way it explodes; grenades scatter, charges are shaped."""
        blast, kind = self.blast, f"a {self.form} weapon"
        if blast is None:
            return None
        if self.is_melee or self.form == "psi":
            return f"{kind} can't explode; leave 'blast' out"
        if "cone" in self.traits:
            return "a cone is no explosion; leave 'blast' or the trait 'cone' out"
        if self.form != "charge" and blast.shaped != "none":
            return f"{kind} can't be shaped, only a charge; leave 'shaped' out of 'blast'"
        if self.form == "charge" and blast.trigger != "impact":
            return "a charge lies where it was put; leave 'trigger' out of 'blast'"
        return None
