"""Sheets written before an attack: combatants and the situation."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal, cast

from affray.core.errors import MissingError
from affray.core.sheet import INFORMS, Ge, Le, replace, sheet
from affray.core.step import cites
from affray.systems.eclipse_phase.blast import Spot
from affray.systems.eclipse_phase.gear import (
    Ammo,
    Aptitude,
    Armor,
    Count,
    Exotic,
    Points,
    Score,
    Weapon,
    named_twice,
)
from affray.systems.eclipse_phase.tables import (
    DEATH_RATING,
    IGNORED_AT_MOST,
    round_half_up,
)

__all__ = ["Combatant", "Condition", "Lasting", "Setup", "Size"]

Size = Literal["very_small", "small", "medium", "large", "very_large"]
Body = Literal["biomorph", "pod", "uplift", "synthmorph", "bot", "vehicle", "infomorph", "object"]
Special = Literal[
    "melee", "guns", "athletics", "demolitions", "interface", "exotic", "psi", "fray", "perceive",
    "infiltrate", "medicine",
]  # fmt: skip
Condition = Literal[
    "prone", "surprised", "incapacitated", "unconscious", "immobilized", "detached", "grappled",
    "blinded", "stunned", "dazed", "disoriented", "fleeing", "deafened", "confused", "enraged",
    "impaired_10", "impaired_20", "impaired_30",
]  # fmt: skip
Quality = Literal[
    "bad_luck",
    "cyberbrain",
    "danger_sense",
    "low_pain_tolerance",
    "medichines",
    "pain_tolerance",
    "immune_to_pain",
]

Cover = Literal["none", "minor", "moderate", "major"]
Movement = Literal["none", "base", "full", "rush", "charge"]


@sheet
@cites("EP-107", "EP-115")
class Lasting:
    """A condition that lasts for a while, and the turns that are left.

    Attributes:
        condition: one of the combatant's conditions; or "entangled", for somebody grappled.
        turns: turns left; 1000: it does not end by itself. Of somebody entangled: how tightly.
    """

    condition: Condition | Literal["entangled"]
    turns: Annotated[int, Ge(1), Le(1000)]


@sheet
@cites("EP-6", "EP-7", "EP-114")
class Combatant:
    """One combatant. A skill left out is not trained: tests default to its aptitude (EP-6).

    Attributes:
        som_check, ref_check, wil_check: printed check values; left out: aptitude x 3.
        durability: damage at which the body gives out; 0 for the infomorph-like.
        wound_threshold: damage for each wound; left out: durability / 5; 0: immune to wounds.
        death_rating: left out: 1.5 or 2 times durability, by body.
        lucidity: stress at which the mind gives out; left out: WIL x 2.
        pieces: armor worn; `energy`, `kinetic`, `mental` are further inherent ratings.
        unarmed_d10, unarmed_d6, unarmed_flat: DV without a weapon.
        melee_d10, melee_d6: dice that ware and traits add to melee damage.
        exotic: the one Exotic skill, for the weapons of one field. exotics: several, each with its
            field.
        move_base, move_full: Movement Rate, in meters a turn.
        medicine: Medicine: Paramedic, to stop the bleeding of friends in a fight.
        cover_near: in a fight with whole turns (H-4): cover that a quick action takes, where it
            stands; it lasts until it moves or comes out.
        limbs: arms, legs and tentacles; they count in grapples.
        takes_lead: pays a point of Vigor, or of Threat, to go first in the first turn of a fight.
        aids: help for the fallen that comes before an attack, in a fight; with whole turns (H-4)
            anybody may help.
        specialized: skills whose specialization applies now (+10).
        threat_group: combatants with the same word here draw on one Threat pool; each of them
            has what is in it as `threat`. In a fight all of them are on one side.
        was_aggressive, moved_full: what it did on its last turn that still counts.
        alerted: noticed an ambush just in time: -3 on initiative in the fight that follows.
        lurks: lies in ambush: strikes from it, and in a fight has the first round for that.
        lasting: of the conditions, those that a fight ends after some turns.
        damage, wounds, stress, traumas: what was taken before this attack.
        stabilized: lies there with damage at durability or beyond, and doesn't bleed any more.
        insight_max, moxie_max, vigor_max, flex_max, threat_max: the points of somebody rested,
            which a recharge between fights brings back; left out: those of now.
        place_m: where a target of a blast stands, from the point aimed at, as the attacker sees
            it: meters to the right and meters beyond, such as [3, -1.5].
        off_center_m: how far from that point it stands, if nobody knows in which direction.
        stands_m: in a fight: where it stands among its mates, in meters to the right of any point
            and beyond it, such as [3, -1.5], when the fight begins; moves change it. A blast upon
            one of them catches others.
        sheltered: within a meter of cover, or of the edge of a cone (EP-103).
    """

    name: str
    body: Body = "biomorph"
    size: Size = "medium"
    som: Aptitude = 15
    ref: Aptitude = 15
    wil: Aptitude = 15
    intuition: Aptitude = 15
    cog: Aptitude = 15
    som_check: Score | None = None
    ref_check: Score | None = None
    wil_check: Score | None = None
    fray: Score | None = None
    melee: Score | None = None
    guns: Score | None = None
    athletics: Score | None = None
    demolitions: Score | None = None
    interface: Score | None = None
    exotic: Score | None = None
    exotics: tuple[Exotic, ...] = ()
    psi: Score | None = None
    perceive: Score | None = None
    infiltrate: Score | None = None
    medicine: Score | None = None
    specialized: tuple[Special, ...] = ()
    durability: Annotated[int, Ge(1), Le(10_000)] = 30
    wound_threshold: Count | None = None
    death_rating: Points | None = None
    lucidity: Points | None = None
    pieces: tuple[Armor, ...] = ()
    energy: Count = 0
    kinetic: Count = 0
    mental: Count = 0
    insight: Count = 0
    moxie: Count = 0
    vigor: Count = 0
    flex: Count = 0
    threat: Count = 0
    threat_group: str = ""
    ignore_wounds: Count = 0
    ignore_traumas: Count = 0
    unarmed_d10: Annotated[int, Ge(0), Le(20)] = 0
    unarmed_d6: Annotated[int, Ge(0), Le(20)] = 1
    unarmed_flat: Annotated[int, Ge(-10), Le(100)] = 0
    melee_d10: Annotated[int, Ge(0), Le(20)] = 0
    melee_d6: Annotated[int, Ge(0), Le(20)] = 0
    extra_weapons: Annotated[int, Ge(0), Le(10)] = 0
    move_base: Annotated[int, Ge(0), Le(100)] = 4
    move_full: Annotated[int, Ge(0), Le(400)] = 20
    weapons: tuple[Weapon, ...] = ()
    qualities: tuple[Quality, ...] = ()
    conditions: tuple[Condition, ...] = ()
    lasting: tuple[Lasting, ...] = ()
    full_defense: bool = False
    was_aggressive: bool = False
    moved_full: bool = False
    alerted: bool = False
    lurks: bool = False
    takes_lead: bool = False
    cover_near: Cover = "none"
    limbs: Annotated[int, Ge(0), Le(20)] = 4
    aids: tuple[Literal["treat", "wake"], ...] = ()
    damage: Points = 0
    wounds: Count = 0
    stress: Points = 0
    traumas: Count = 0
    stabilized: bool = False
    insight_max: Annotated[Count | None, INFORMS] = None
    moxie_max: Annotated[Count | None, INFORMS] = None
    vigor_max: Annotated[Count | None, INFORMS] = None
    flex_max: Annotated[Count | None, INFORMS] = None
    threat_max: Annotated[Count | None, INFORMS] = None
    initiative: Annotated[int, Ge(-50), Le(100)] = 0
    off_center_m: Annotated[float, Ge(0), Le(1_000)] = 0
    place_m: tuple[float, ...] = ()
    stands_m: tuple[float, ...] = ()
    sheltered: bool = False
    source: Annotated[str, INFORMS] = ""

    def check(self) -> str | None:
        """Nothing stands twice, and a specialization belongs to a skill that there is."""
        twice = (
            named_twice("conditions", self.conditions)
            or named_twice("qualities", self.qualities)
            or named_twice("specialized", self.specialized)
            or named_twice("aids", self.aids)
        )
        if twice:
            return twice
        for one in self.lasting:
            named = "grappled" if one.condition == "entangled" else one.condition
            if named not in self.conditions:
                return f"lasting names {one.condition}, but conditions don't name {named}: add it"
        for skill in self.specialized:
            if getattr(self, skill) is None:
                return f"specialized in {skill}, but {skill!r} is missing: give the skill"
        names = [weapon.name for weapon in self.weapons]
        if len(set(names)) < len(set(self.weapons)):
            return f"two different weapons are called {Counter(names).most_common(1)[0][0]!r}"
        if wrong := self._odd_exotics():
            return wrong
        if len(self.place_m) not in {0, 2}:
            return f"place_m has {len(self.place_m)} numbers; allowed: 2, to the right and beyond"
        if len(self.stands_m) not in {0, 2}:
            return f"stands_m has {len(self.stands_m)} numbers; allowed: 2, to the right and beyond"
        if self.place_m and self.off_center_m:
            return "place_m says how far off center it is; leave 'off_center_m' out"
        if self.threat_group and not self.rested("threat"):
            return f"threat_group is {self.threat_group!r}, but 'threat' is 0"
        if self.stabilized and self.damage < self.durability:
            return (
                f"stabilized is for those at durability; damage is {self.damage} of "
                f"{self.durability}"
            )
        for pool in ("insight", "moxie", "vigor", "flex", "threat"):
            if self.rested(pool) < getattr(self, pool):
                return f"{pool}_max is {self.rested(pool)}, but {pool!r} is {getattr(self, pool)}"
        return None

    @cites("EP-23")
    def rested(self, pool: str) -> int:
        """The points of a pool after a long recharge."""
        most: int | None = getattr(self, f"{pool}_max")
        points: int = getattr(self, pool)
        return points if most is None else most

    @property
    def is_biological(self) -> bool:
        """The body lives: pods and uplifts count as biomorphs."""
        return self.body in {"biomorph", "pod", "uplift"}

    @property
    @cites("EP-111", "EP-112")
    def crashes(self) -> bool:
        """A machine, or a mind in one: it goes offline or crashes where a body faints."""
        return not self.is_biological or "cyberbrain" in self.qualities

    @property
    def threshold(self) -> int:
        """Wound Threshold; 0 for a body that takes no wounds."""
        if self.wound_threshold is not None:
            return self.wound_threshold
        return round_half_up(self.durability, 5)

    @property
    def death(self) -> int:
        """Death Rating (EP-114)."""
        if self.death_rating is not None:
            return self.death_rating
        if self.body == "object":
            return self.durability
        kind = "biological" if self.is_biological else "synthetic"
        return round_half_up(self.durability * DEATH_RATING[kind], 2)

    def _odd_exotics(self) -> str | None:
        """What is wrong with the Exotic skills: one number, or several with their fields."""
        if self.exotics and self.exotic is not None:
            return "'exotic' is a single skill; beside 'exotics' leave it out"
        return named_twice("exotics", [skill.field.casefold() for skill in self.exotics])

    @property
    def spot(self) -> Spot | None:
        """Where it stands in a blast (EP-102); None if nothing says so."""
        if self.place_m:
            right, beyond = self.place_m
            return right, beyond
        return self.off_center_m or None

    @property
    def worn(self) -> tuple[int, int]:
        """Energy and kinetic rating in all: what is inherent and every piece."""
        energy = self.energy + sum(piece.energy for piece in self.pieces)
        return energy, self.kinetic + sum(piece.kinetic for piece in self.pieces)

    @property
    def layers(self) -> int:
        """Layers of armor, a synthmorph's own frame among them (EP-117)."""
        return sum(piece.layer != "bonus" for piece in self.pieces)

    @property
    def lucid(self) -> int:
        """Lucidity: stress at which the mind gives out."""
        return self.wil * 2 if self.lucidity is None else self.lucidity

    @property
    def ignored_wounds(self) -> int:
        """Wounds whose modifiers are ignored, three at most (EP-109)."""
        return min(self.ignore_wounds, IGNORED_AT_MOST)

    @property
    def ignored_traumas(self) -> int:
        """Traumas whose modifiers are ignored, three at most (EP-122)."""
        return min(self.ignore_traumas, IGNORED_AT_MOST)


@sheet
class Setup:
    """One attack, before its first step: who, on whom, with what, and how things stand.

    Attributes:
        weapon: what is used; left out: a choice among the attacker's weapons.
        others: further targets: each within a meter of another, for burst and automatic fire, a
            cone, or a melee attack on several; or wherever they stand, for a blast.
        distance_m: how far away the defender is, before the attacker moves, or the point at which
            a blast is aimed; needed for everything but melee and placed charges.
        gravity: in g; 0 is microgravity.
        vision: what the attacker sees; defender_vision what the defender sees.
        cover: the defender's cover. attacker_cover: fired from behind or out of cover.
        superior: who has the superior position, if the GM grants one.
        movement: how the attacker moved this turn; `charge` is a full move into melee.
        aim: what was spent on aiming. homing: fired after an aim or at the same target again.
        in_melee: shooting while engaged. smartlink: a smartlink or laser sight guides the shot.
        indirect: fired without sight of the target; `painted`: a spotter holds a designator.
        one_handed: a two-handed weapon in one hand. carried: a fixed weapon carried.
        wrong_size: gear made for another size.
        extra_weapons: further melee weapons used on the same target.
        earlier_attacks: attacks with other weapons before this one in the same action.
        failed_before: attacks on this target that failed just before (ruling A-30).
        grapple: an attack hand to hand that takes hold of the defender (EP-91): `hold` does no
            damage at all, `hurt` does with a critical.
        ambush: the attacker strikes from an ambush: Infiltrate against Perceive decides whether
            the targets are surprised. alert: they expect one, and are not distracted.
        treated: whether healing spray or meds are at hand when the target bleeds out.
        bleeding: when a target that is in danger of bleeding to death checks against it; later:
            when the fight is over.
        attacker_modifier, defender_modifier: the GM's own net modifiers.
    """

    attacker: Combatant
    defender: Combatant
    others: tuple[Combatant, ...] = ()
    weapon: Weapon | None = None
    ammo: Ammo = Ammo()
    distance_m: Annotated[float, Ge(0), Le(1_000_000)] | None = None
    gravity: Annotated[float, Ge(0), Le(10)] = 1
    vacuum: bool = False
    vision: Literal["clear", "minor", "major", "blind"] = "clear"
    defender_vision: Literal["clear", "minor", "major"] = "clear"
    cover: Cover = "none"
    attacker_cover: bool = False
    hidden: bool = False
    superior: Literal["none", "attacker", "defender", "both"] = "none"
    movement: Movement = "none"
    aim: Literal["none", "quick", "complex"] = "none"
    homing: bool = False
    in_melee: bool = False
    smartlink: bool = True
    indirect: bool = False
    painted: bool = False
    one_handed: bool = False
    carried: bool = False
    wrong_size: bool = False
    extra_weapons: Annotated[int, Ge(0), Le(10)] = 0
    earlier_attacks: Annotated[int, Ge(0), Le(5)] = 0
    failed_before: Annotated[int, Ge(0), Le(20)] = 0
    grapple: Literal["none", "hold", "hurt"] = "none"
    ambush: bool = False
    alert: bool = False
    treated: bool = False
    bleeding: Literal["now", "later"] = "now"
    attacker_modifier: Annotated[int, Ge(-60), Le(60)] = 0
    defender_modifier: Annotated[int, Ge(-60), Le(60)] = 0

    def check(self) -> str | None:
        """There is a weapon to attack with, and not too many targets."""
        if self.unarmed and self.attacker is not self.defender:
            return self.unarmed
        if self.alert and not self.springs:
            return "'alert' is for targets of an ambush; add 'ambush' or leave it out"
        if self.grapple != "none" and self.others:
            return "a grapple is an attack on one target; leave 'others' or 'grapple' out"
        if len(self.others) > 9:
            return f"{len(self.others)} other targets; allowed: at most 9"
        return self._idle_places() or self._unclear_exotics() or self._pools_that_clash()

    @cites("EP-43")
    def _unclear_exotics(self) -> str | None:
        """Each exotic weapon has its own skill."""
        who = self.attacker
        if who.exotic is None and not who.exotics:
            return None
        weapons = who.weapons if self.weapon is None else (self.weapon,)
        exotic = [weapon for weapon in weapons if weapon.skill == "exotic"]
        fields = sorted({weapon.field.casefold() for weapon in exotic})
        if who.exotic is not None and len(fields) > 1:
            return (
                f"{who.name!r}: exotic is {who.exotic}, but that is one skill, and the weapons "
                f"take {' and '.join(map(repr, fields))}; give each in 'exotics'"
            )
        if who.exotics and "" in fields:
            unnamed = next(weapon.name for weapon in exotic if not weapon.field)
            return (
                f"{who.name!r} has several Exotic skills in 'exotics', and {unnamed!r} doesn't "
                "say which one it takes; give the weapon a 'field'"
            )
        return None

    @cites("EP-102", "EP-103")
    def _idle_places(self) -> str | None:
        """Who stands where matters to blasts only, and shelter to attacks on an area."""
        who_all = (self.attacker, *self.targets)
        if not any(who.place_m or who.off_center_m or who.sheltered for who in who_all):
            return None
        weapons = self.attacker.weapons if self.weapon is None else (self.weapon,)
        loads = [one for one in (*weapons, self.ammo.payload) if one is not None]
        spreads = any(load.blast for load in loads)
        cones = any("cone" in load.traits for load in loads)
        if self.attacker.spot is not None or self.attacker.sheltered:
            return (
                "attacker: 'place_m', 'off_center_m' and 'sheltered' are said of targets; put "
                "an attacker who may be caught among 'others'"
            )
        for who in self.targets:
            if who.spot is not None and not spreads:
                return f"{who.name!r} stands off center, but no weapon here has a blast"
            if who.sheltered and not (spreads or cones):
                return f"{who.name!r} is sheltered, but no weapon here attacks an area"
        return None

    def _pools_that_clash(self) -> str | None:
        """Targets that share a Threat pool say the same of it."""
        threats: dict[str, int] = {}
        for who in self.targets:
            if who.threat_group and threats.setdefault(who.threat_group, who.threat) != who.threat:
                return (
                    f"{who.name!r} shares the Threat pool {who.threat_group!r} and has "
                    f"{who.threat} points in it, another {threats[who.threat_group]}"
                )
        return None

    def moved(self, movement: str, distance_m: float) -> Setup:
        """The same after a move of the attacker."""
        return replace(self, movement=cast("Movement", movement), distance_m=distance_m)

    @property
    @cites("EP-34")
    def springs(self) -> bool:
        """Whether the attacker strikes from an ambush."""
        return self.ambush or self.attacker.lurks

    @property
    def unarmed(self) -> str:
        """The complaint about an attacker without any weapon; empty if there is one."""
        if self.weapon is not None or self.attacker.weapons:
            return ""
        return f"no weapon is given and {self.attacker.name!r} has none; add 'weapon'"

    @property
    def meters(self) -> float:
        """The distance, where one is needed.

        Raises:
            MissingError: it was left out.
        """
        if self.distance_m is None:
            raise MissingError(
                f"distance_m: missing; how far is {self.attacker.name!r} from "
                f"{self.defender.name!r}, in meters? Only melee needs no distance"
            )
        return self.distance_m

    @property
    def targets(self) -> tuple[Combatant, ...]:
        """All targets, the defender first."""
        return (self.defender, *self.others)
