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
    dv_told,
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
        turns: action turns left; 1000: it does not end by itself. Of somebody entangled: how
            tightly.
    """

    condition: Condition | Literal["entangled"]
    turns: Annotated[int, Ge(1), Le(1000)]


@sheet
@cites("EP-6", "EP-7", "EP-114")
class Combatant:
    """One combatant. A skill left out is not trained: tests default to its aptitude (EP-6).

    Attributes:
        Who:
            name: what the combatant is called.
            body (Morph type): what kind of morph it is; decides the death rating and what a wound
                can do (EP-114).
            size: how large it is, which counts in attacks on it and in melee (EP-141).
        Aptitudes (EP-6):
            cog (COG): aptitude behind Demolitions, Interface and Medicine, where those are not
                trained.
            intuition (INT): aptitude behind Perceive, where it is not trained.
            ref (REF): aptitude behind Fray, Guns and Infiltrate, where those are not trained.
            som (SOM): aptitude behind Melee, Athletics and Exotic skills, where those are not
                trained; meters that a thrown weapon reaches (EP-83).
            wil (WIL): aptitude behind Psi; twice that is the lucidity (EP-122).
            som_check (SOM check): printed check against falling and fainting; left out: SOM x 3
                (EP-110).
            ref_check (REF check): printed check, such as against a grapple; left out: REF x 3
                (EP-93).
            wil_check (WIL check): printed check against psi and traumas; left out: WIL x 3 (EP-47).
        Skills (EP-6):
            fray: skill to get out of the way; half of it against ranged attacks; left out: not
                trained (EP-46).
            melee: skill of attacks hand to hand, and of parrying them; left out: not trained
                (EP-45).
            guns: skill of fired weapons; left out: not trained (EP-43).
            athletics: skill of thrown weapons, and of full defense; left out: not trained (EP-48).
            demolitions: skill of placed charges; left out: not trained (EP-108).
            interface: skill of weapons that are steered by mesh; left out: not trained (EP-43).
            psi: skill of attacks on the mind; left out: not trained (EP-137).
            perceive: skill against an ambush; left out: not trained (EP-34).
            infiltrate: skill to lay an ambush; left out: not trained (EP-34).
            medicine: skill Medicine: Paramedic, to stop the bleeding of friends in a fight; left
                out: not trained (EP-113).
            exotic (Exotic skill): the one Exotic skill, for the weapons of one field; left out: not
                trained (EP-43).
            exotics (Exotic skills): several Exotic skills, each with its field (EP-43).
            specialized (Specializations): skills whose specialization applies now: +10 (EP-13).
        Pools (EP-18):
            insight: points of Insight that are left.
            moxie: points of Moxie that are left.
            vigor: points of Vigor that are left.
            flex: points of Flex that are left.
            threat: points in the Threat pool of somebody run by the GM, which stands for all pools
                (EP-24).
            threat_group (Threat group): those with the same word here draw on one Threat pool; each
                says as `threat` what is in it, and in a fight all are on one side (EP-24).
            insight_max, moxie_max, vigor_max, flex_max, threat_max (Insight at most, Moxie at most,
                Vigor at most, Flex at most, Threat at most): points of somebody rested, which a
                recharge between fights brings back; left out: those of now (EP-23).
        Health:
            durability: damage at which the body gives out (EP-112).
            wound_threshold: damage for each wound; left out: durability / 5; 0: takes no wounds
                (EP-66).
            threshold (Wound threshold) for wound_threshold: damage for each wound (EP-66).
            death_rating: damage at which it dies; left out: 1.5 times durability of the living, 2
                times of machines (EP-114).
            death (Death rating) for death_rating: damage at which it dies (EP-114).
            lucidity: stress at which the mind gives out; left out: WIL x 2 (EP-122).
            lucid (Lucidity) for lucidity: stress at which the mind gives out (EP-122).
            ignore_wounds (Wounds ignored): wounds whose modifiers are ignored; more than three do
                no good (EP-109).
            ignore_traumas (Traumas ignored): traumas whose modifiers are ignored; more than three
                do no good (EP-122).
            qualities (Traits and ware): traits and ware that change how it takes harm, notices or
                fails.
        Movement and initiative:
            initiative: added to the d10 of initiative (EP-25).
            move_base (Base movement): base Movement Rate, meters a turn (EP-32).
            move_full (Full movement): full Movement Rate, meters a turn (EP-32).
            limbs: arms, legs and tentacles; they count in grapples (EP-92).
        Armor (EP-117):
            pieces (Armor worn): pieces of armor, by roster name or written out.
            energy: inherent energy armor, beside what is worn (EP-116).
            kinetic: inherent kinetic armor, beside what is worn (EP-116).
            mental: armor against attacks on the mind (EP-124).
            layers (Layers worn): layers of armor, a synthmorph's own frame among them (EP-117).
            worn (Energy and kinetic in all): inherent and worn together (EP-117).
        Weapons:
            weapons: weapons carried, by roster name or written out; the attacker chooses among them
                (EP-42).
            unarmed_d10, unarmed_d6 (Unarmed d10s, Unarmed d6s): dice of damage without a weapon
                (EP-95).
            unarmed_flat (Unarmed bonus): added to the damage without a weapon (EP-95).
            unarmed_dv (Unarmed damage) for unarmed_d10, unarmed_d6, unarmed_flat: damage without a
                weapon (EP-95).
            melee_d10, melee_d6 (Melee d10s, Melee d6s): dice that ware and traits add to melee
                damage (EP-153).
            extra_weapons: further melee weapons in hand, which help to parry (EP-89).
        Harm so far:
            damage: damage taken before this attack (EP-64).
            wounds: wounds taken before this attack (EP-109).
            stress: stress taken before this attack (EP-124).
            traumas: traumas taken before this attack (EP-122).
            conditions: conditions that it suffers now (EP-115).
            lasting: of the conditions, those that a fight ends after some turns (EP-115).
            stabilized: lies there with damage at durability or beyond, and doesn't bleed any more
                (EP-113).
        In a fight:
            full_defense: takes a full defense: +30 to defend, no attack (EP-48).
            was_aggressive (Was aggressive): attacked aggressively on its last turn (EP-84).
            moved_full (Moved fully): made a full move on its last turn (EP-98).
            alerted: noticed an ambush just in time: -3 on initiative in the fight that follows
                (EP-37).
            lurks: lies in ambush: strikes from it, and in a fight has the first round for that
                (EP-34).
            takes_lead (Takes the lead): pays a point of Vigor, or of Threat, to go first in the
                first turn of a fight (EP-29).
            cover_near (Cover near): in a fight with whole turns (H-4): cover that a quick action
                takes, where it stands; it lasts until it moves or comes out (EP-77).
            aids (Help for the fallen): help that comes before an attack, in a fight; with whole
                turns (H-4) anybody may help (EP-154).
            stands_m (Place in the fight): where it stands among its mates as the fight begins:
                meters to the right of any point and beyond it, such as [3, -1.5] (EP-102).
            place_m (Place in a blast): where a target of a blast stands, from the point aimed at,
                as the attacker sees it: meters to the right and beyond (EP-102).
            off_center_m (Off center): how far from the point aimed at it stands, if nobody knows in
                which direction (EP-102).
            sheltered: within a meter of cover, or of the edge of a cone (EP-103).
        Origin:
            source: where these numbers come from.
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
    def unarmed_dv(self) -> str:
        """The damage value without a weapon, in table notation."""
        return dv_told(self.unarmed_d10, self.unarmed_d6, self.unarmed_flat)

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
        Who:
            attacker: the combatant who attacks (EP-42).
            defender: the target (EP-42).
            others (Other targets): further targets: each within a meter of another, for burst and
                automatic fire, a cone, or a melee attack on several; or wherever they stand, for a
                blast (EP-71).
        Attack (EP-42):
            weapon: the weapon in use; left out: a choice among the attacker's weapons.
            ammo (Ammunition): what the weapon is loaded with (EP-83).
            extra_weapons: further melee weapons used on the same target (EP-89).
            earlier_attacks: attacks with other weapons before this one in the same action (EP-90).
            failed_before: attacks on this target that failed just before (ruling A-30; EP-11).
            aim: actions that were spent on aiming (EP-73).
            homing: fired after an aim, or at the same target again, with a homing load (EP-83).
            smartlink: a smartlink or laser sight guides the shot (EP-77).
            one_handed: a two-handed weapon is used in one hand (EP-96).
            carried: a fixed weapon is carried instead of mounted (EP-96).
            wrong_size: the gear is made for another size (EP-142).
            grapple: an attack hand to hand that takes hold of the defender: "hold" does no damage
                at all, "hurt" does with a critical (EP-91).
            movement: how the attacker moved this turn; "charge" is a full move into melee (EP-85).
        Place:
            distance_m: how far away the defender is before the attacker moves, or the point at
                which a blast is aimed; needed for everything but melee and placed charges (EP-74).
            in_melee: the attacker shoots while engaged (EP-77).
            cover: the defender's cover (EP-77).
            attacker_cover: the attacker fires from behind or out of cover (EP-77).
            hidden: the defender hides behind the cover, out of sight (EP-77).
            superior (Superior position): who has the superior position, if the GM grants one
                (EP-98).
            gravity: gravity in g; 0 is microgravity (EP-76).
            vacuum: there is no air, which changes ranges (EP-76).
        Sight:
            vision: how well the attacker sees (EP-98).
            defender_vision: how well the defender sees (EP-98).
            indirect: fired without sight of the target (EP-78).
            painted: a spotter holds a designator on the target (EP-78).
            ambush: the attacker strikes from an ambush: Infiltrate against Perceive decides whether
                the targets are surprised (EP-34).
            alert: the targets expect an ambush, and are not distracted (EP-34).
        Afterwards (EP-113):
            treated: healing spray or meds are at hand when the target bleeds out.
            bleeding: when a target in danger of bleeding to death checks against it; "later": when
                the fight is over.
        GM (EP-8):
            attacker_modifier: the GM's own net modifier on the attack.
            defender_modifier: the GM's own net modifier on the defense.
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
