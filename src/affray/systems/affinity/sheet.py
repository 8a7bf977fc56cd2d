"""Players write this down before an action: combatants, layers, actions, the situation."""

from __future__ import annotations

from typing import Annotated, Literal

from affray.core.sheet import INFORMS, Ge, Le, sheet
from affray.core.step import cites
from affray.systems.affinity.tables import ECONOMY, MENDED, REACH, RUSH, TYPES, Family, Tier

__all__ = [
    "NOBODY",
    "Action",
    "Affliction",
    "Ally",
    "Boost",
    "Combatant",
    "DamageType",
    "Hazard",
    "Layer",
    "LayerKind",
    "Setup",
    "Tier",
    "Universal",
    "Variant",
]  # fmt: skip

DamageType = Literal[
    "slashing", "piercing", "bludgeoning", "fire", "cold", "lightning", "thunder", "acid",
    "radiant", "necrotic", "force", "psychic",
]  # fmt: skip
LayerKind = Literal["magical", "shield", "armor", "temporary"]
Universal = Literal[
    "defend", "intervene", "rush", "steady", "dash", "march", "disengage", "stabilize", "help",
    "unarmed", "repair",
]  # fmt: skip
Sides = Literal[6, 8, 10, 12, 20]

Few = Annotated[int, Ge(0), Le(20)]
Dice = Annotated[int, Ge(0), Le(30)]
Count = Annotated[int, Ge(0), Le(200)]
MOST_YARDS = 1_000
Yards = Annotated[int, Ge(0), Le(MOST_YARDS)]


@sheet
@cites("AF-22", "AF-27")
class Layer:
    """Protection that lies around the body.

    Attributes:
        Layer (AF-22):
            name: what the layer is called.
            kind: a spell's barrier (magical), a shield, worn armor, or any other temporary Hit
                Dice.
            die (Sides of its die): sides of the die that is rolled when this layer is attacked
                (AF-24).
            dice: how many of these dice it was made of.
            temp_hd (Temporary Hit Dice): what they came to when it was put on; only some readings
                of A-2 want to know.
            intact: whether it still is there (AF-27).
            source: where these numbers come from.
    """

    name: Annotated[str, INFORMS] = ""
    kind: LayerKind = "armor"
    die: Sides = 8
    dice: Annotated[int, Ge(1), Le(10)] = 2
    temp_hd: Count = 0
    intact: bool = True
    source: Annotated[str, INFORMS] = ""


@sheet
@cites("AF-2", "AF-70", "AF-71", "AF-74", "AF-75")
class Action:
    """An attack, or healing: a weapon, a spell, a line of a stat block.

    Attributes:
        Action:
            name: what the action is called.
            kind: whether it harms, heals, or puts a layer on somebody (AF-76).
            tier: how hard it is; gives the threshold and the least exertion (AF-2).
            weapon (Weapon class): its weapon class, if it has one (AF-2).
            required (Successes needed): successes needed; 0: as the weapon class says, else the
                tier (AF-2).
            pool (Printed pool): dice of a stat block, rolled as printed; 0: Proficiency and
                exertion are rolled (AF-74).
        Effect:
            base (Base damage): damage of a success; 0: as the weapon class says, else the tier
                (AF-6).
            type (Damage type): the one type of its damage (AF-71).
            heal (Healing dice): dice that healing rolls (AF-39).
            grants (Granted layer): the layer that a ward puts on its target; its dice are rolled
                for its temporary Hit Dice (AF-76).
            daunts: whether the target of an attack that succeeds checks Resolve, harmed or not
                (AF-52).
        Reach (AF-70):
            reach: melee, ranged, or thrown, which is either.
            reach_yd (Melee reach): how far a blow reaches.
            short_yd (Short range): where short range ends, as printed on the weapon; 0: the general
                bands hold.
            long_yd (Long range): where long range ends, as printed on the weapon; 0: the general
                bands hold.
            max_yd (Longest range): how far it reaches at all, as printed on the weapon; 0: the
                general bands hold.
            extreme (Extreme range): whether it can be used at extreme range at all.
            shape: one target; an area; chosen targets (select); an area that stays (zone) (AF-75).
            area_yd (Area): how far around its target an area reaches, before extra successes widen
                it (AF-75).
        Origin:
            source: where these numbers come from.
    """

    name: str = ""
    kind: Literal["attack", "heal", "ward"] = "attack"
    tier: Tier = "basic"
    weapon: Literal["", "light", "heavy", "precise", "ranged_light", "ranged_heavy"] = ""
    required: Few = 0
    base: Few = 0
    type: DamageType = "slashing"
    reach: Literal["melee", "ranged", "thrown"] = "melee"
    reach_yd: Yards = REACH["melee"]
    short_yd: Yards = 0
    long_yd: Yards = 0
    max_yd: Yards = 0
    extreme: bool = False
    pool: Dice = 0
    shape: Literal["single", "area", "select", "zone"] = "single"
    area_yd: Yards = REACH["melee"]
    heal: Few = 0
    grants: Layer | None = None
    daunts: bool = False
    source: Annotated[str, INFORMS] = ""

    def check(self) -> str | None:
        """Healing has dice, attacks none; ranges belong to a reach; printed ones grow."""
        if (self.kind == "heal") != (self.heal > 0):
            return f"kind {self.kind!r} with heal {self.heal}; dice to heal with belong to heal"
        if (self.kind == "ward") != (self.grants is not None):
            return f"kind {self.kind!r} and grants; allowed: a ward grants a layer (AF-76)"
        if self.grants is not None and self.grants.kind not in {"magical", "temporary"}:
            return f"grants {self.grants.kind}; allowed: magical or temporary (AF-76)"
        if self.grants is not None and (self.grants.temp_hd or not self.grants.intact):
            return "grants with temp_hd or intact; allowed: neither, its dice are rolled (AF-76)"
        if self.daunts and self.kind != "attack":
            return f"daunts with kind {self.kind!r}; allowed: an attack (AF-52)"
        if self.kind != "attack" and (self.base or self.shape != "single"):
            return f"base or shape with kind {self.kind!r}; they belong to an attack (AF-6, AF-75)"
        if self.area_yd != REACH["melee"] and self.shape not in {"area", "zone"}:
            return f"area_yd with shape {self.shape!r}; allowed: 'area' or 'zone' (AF-75)"
        ranges = (self.short_yd, self.long_yd, self.max_yd)
        if self.reach == "melee" and (any(ranges) or self.extreme):
            return (
                "short_yd, long_yd, max_yd or extreme with reach 'melee'; allowed: reach_yd (AF-70)"
            )
        printed = [yards for yards in ranges if yards]
        if printed != sorted(printed):
            return (
                f"short_yd, long_yd, max_yd {self.short_yd}, {self.long_yd}, {self.max_yd}; "
                "allowed: none smaller than the one before"
            )
        if self.reach == "ranged" and self.reach_yd != REACH["melee"]:
            return f"reach_yd {self.reach_yd} with reach 'ranged'; allowed: max_yd (AF-70)"
        return None


@sheet
@cites("AF-72")
class Affliction:
    """A condition that something imposes: it takes dice, or limits movement.

    Attributes:
        Condition (AF-72):
            name: what it is called; a combatant has one of each name.
            move (Movement): how far the combatant still moves.
            dice (Dice lost): dice fewer in rolls of actions.
            defense (Defense dice lost): dice fewer in each roll of a defense.
            rounds: ends of rounds until it is over; 0: it stays.
            source: where these numbers come from.
    """

    name: str
    move: Literal["whole", "half", "none"] = "whole"
    dice: Few = 0
    defense: Few = 0
    rounds: Few = 0
    source: Annotated[str, INFORMS] = ""

    def check(self) -> str | None:
        """A condition does something."""
        if self.move == "whole" and not self.dice and not self.defense:
            return (
                f"condition {self.name!r} does nothing; allowed: move 'half' or 'none', dice or "
                "defense (AF-72)"
            )
        return None


@sheet
@cites("AF-73", "AF-74")
class Boost:
    """A special ability makes attacks better for a while.

    Attributes:
        Boost (AF-74):
            when: below half of the Hit Dice; with any of them lost, or none; with an ally close to
                the target; against a target that no layer protects any more; or always.
            amount: how much it adds.
            adds: what it adds: dice, base damage or successes; dice below half are subject to
                ruling A-16.
    """

    when: Literal["below_half", "hurt", "unhurt", "ally_near", "bare_target", "always"] = (
        "below_half"
    )
    amount: Annotated[int, Ge(1), Le(10)] = 2
    adds: Literal["dice", "damage", "successes"] = "dice"


@sheet
@cites("AF-43", "AF-79")
class Variant:
    """A class's own form of a universal action.

    Attributes:
        Own form of a universal action (AF-79):
            of (Action): the universal action that it changes.
            dice: dice more in its roll, which don't burn; of Defend, more d6 in the defense.
            resolve: Resolve that a Rush costs (AF-42).
            reach_yd: over how far an Intervene helps (AF-41).
    """

    of: Literal["rush", "defend", "intervene"]
    dice: Few = 0
    resolve: Annotated[int, Ge(0), Le(5)] = RUSH["resolve"]
    reach_yd: Yards = REACH["intervene"]

    def check(self) -> str | None:
        """A variant changes something, and only what belongs to its action."""
        cost, reach = self.resolve != RUSH["resolve"], self.reach_yd != REACH["intervene"]
        if not (self.dice or cost or reach):
            return f"variant of {self.of} changes nothing; allowed: dice, resolve or reach_yd"
        if cost and self.of != "rush":
            return f"resolve {self.resolve} with {self.of}; allowed: with rush (AF-79)"
        if reach and self.of != "intervene":
            return f"reach_yd {self.reach_yd} with {self.of}; allowed: with intervene (AF-79)"
        return None


@sheet
@cites("AF-20", "AF-72")
class Hazard:
    """Something harmful that is no attack: a trap, a lair, a phase of the environment.

    Attributes:
        Hazard (AF-72):
            name: what it is called.
            damage: points of damage that it does to the defender (AF-20).
            type (Damage type): the one type of its damage (AF-71).
            count: the count in the order of initiative at which it comes; 0: after all turns
                (AF-60).
            strikes: whom a lair harms with it: foes only, or everybody, like a phase of the
                environment.
            moves_yd (Forced movement): how far it forces the defender to move.
            conditions: what else the defender suffers, such as "slowed".
            daunts: whether the defender checks Resolve, harmed or not (AF-52).
    """

    damage: Annotated[int, Ge(0), Le(100)] = 0
    type: DamageType = "bludgeoning"
    name: str = ""
    count: Count = 0
    strikes: Literal["foes", "everybody"] = "foes"
    moves_yd: Yards = 0
    conditions: tuple[Affliction, ...] = ()
    daunts: bool = False

    def check(self) -> str | None:
        """Conditions have different names."""
        return _twice(self.conditions)


@sheet
@cites("AF-11", "AF-12", "AF-43", "AF-73")
class Combatant:
    """A player character or a monster.

    Attributes:
        Who:
            name: what the combatant is called.
            level: the level; 1 to 10 for player characters (AF-11).
            proficiency: dice rolled for every action; left out: half the level, rounded up (AF-3).
            prof (Proficiency) for proficiency: dice rolled for every action (AF-3).
            exertion (Printed exertion): the most exertion dice that a stat block puts into an
                action; left out: Proficiency, as for everybody (AF-73).
            skill_dice: dice that skills and abilities add to every roll (AF-11).
        Body:
            body: tough, balanced or fragile; gives the die of the body where no die is given
                (AF-28).
            hd_die (Body die): sides of the body die; left out: as the body says (AF-24).
            hd (Hit Dice): Hit Dice now; left out: all of them (AF-28).
            hd_max (Hit Dice at most): the most Hit Dice there can be; left out: as the level says,
                or as there are now (AF-39).
        Resolve and Affinity:
            resolve: will to go on, now (AF-53).
            resolve_max (Resolve at most): the most Resolve there can be (AF-55).
            affinity (Affinity dice): Affinity dice in store, up to the level (AF-12).
        Protection (AF-22):
            layers: layers around the body, each kind with the newest first.
            resist (Resistances): types of damage, or families of them, against which it defends
                with more dice (AF-31).
            vulnerable (Vulnerabilities): types of damage, or families of them, against which it
                defends with fewer dice (AF-31).
            immune (Immunities): types of damage, or families of them, that do nothing (AF-31).
            doubled (Double damage): types of damage, or families of them, of which all counts twice
                (AF-31).
        Actions:
            actions: attacks, healing and wards, by roster name or written out (AF-1).
            universal (Universal actions): actions that every combatant has; leave out those that
                this one can't take (AF-43).
            variants (Own forms): the class's own forms of universal actions, one of each at most
                (AF-79).
            boosts: what makes attacks better for a while (AF-74).
            lair: harm that this one's home ground does once a round, at its counts, in fights
                (AF-72).
        State now:
            acted: whether it has acted this round (AF-41).
            actions_left: actions left this turn (AF-62).
            attacked: whether it made an attack this turn (AF-40).
            expert_used: whether it did anything Expert or higher this turn (AF-63).
            exerted: exertion dice so far, this turn and in an Intervene before it (AF-1).
            defending: Defend was taken, and no own turn has come since (AF-30).
            braced_earlier: Defend was taken in an earlier round (AF-30).
            rushed: Rush was used since the last rest (AF-44).
            steadied: Steady was used since the last rest (AF-44).
            checked (Resolve checked): whether it checked Resolve this round (AF-52).
            lost_this_round (Hit Dice lost this round): Hit Dice lost this round (AF-52).
            stabilized: the next Resolve check holds by itself (AF-45).
            surprised: initiative dice of a surprised combatant; 0: not surprised (AF-61).
            conditions: what hampers this one, each of its own name (AF-72).
        Origin:
            source: where these numbers come from.
    """

    name: str = ""
    level: Annotated[int, Ge(1), Le(20)] = 1
    body: Literal["tough", "balanced", "fragile"] = "balanced"
    hd_die: Sides | None = None
    hd: Count | None = None
    hd_max: Annotated[int, Ge(1), Le(200)] | None = None
    proficiency: Annotated[int, Ge(0), Le(10)] | None = None
    resolve: Annotated[int, Ge(-5), Le(20)] = 5
    resolve_max: Few = 5
    layers: tuple[Layer, ...] = ()
    resist: tuple[DamageType | Family, ...] = ()
    vulnerable: tuple[DamageType | Family, ...] = ()
    immune: tuple[DamageType | Family, ...] = ()
    doubled: tuple[DamageType | Family, ...] = ()
    actions: tuple[Action, ...] = ()
    universal: tuple[Universal, ...] = (
        "defend", "intervene", "rush", "steady", "dash", "march", "disengage", "stabilize", "help",
        "unarmed", "repair",
    )  # fmt: skip
    boosts: tuple[Boost, ...] = ()
    variants: tuple[Variant, ...] = ()
    lair: tuple[Hazard, ...] = ()
    skill_dice: Few = 0
    affinity: Few = 0
    acted: bool = False
    actions_left: Annotated[int, Ge(0), Le(2)] = ECONOMY["actions"]
    attacked: bool = False
    expert_used: bool = False
    exerted: Few = 0
    exertion: Few | None = None
    defending: bool = False
    braced_earlier: bool = False
    rushed: bool = False
    steadied: bool = False
    checked: bool = False
    lost_this_round: Count = 0
    stabilized: bool = False
    surprised: Annotated[int, Ge(0), Le(2)] = 0
    conditions: tuple[Affliction, ...] = ()
    source: Annotated[str, INFORMS] = ""

    @property
    def prof(self) -> int:
        """Proficiency: as written, else half the level, rounded up."""
        return (self.level + 1) // 2 if self.proficiency is None else self.proficiency

    @property
    def is_monster(self) -> bool:
        """This is a stat block with printed pools."""
        return any(action.pool for action in self.actions)

    def variant(self, of: Literal["rush", "defend", "intervene"]) -> Variant | None:
        """The class's own form of a universal action."""
        return next((variant for variant in self.variants if variant.of == of), None)

    def check(self) -> str | None:
        """Hit Dice within their bounds; a type in one list; actions each named once."""
        if self.hd is not None and self.hd_max is not None and self.hd > self.hd_max:
            return f"hd {self.hd}; allowed: at most hd_max {self.hd_max}"
        if self.resolve > self.resolve_max:
            return f"resolve {self.resolve}; allowed: at most resolve_max {self.resolve_max}"
        if self.braced_earlier and not self.defending:
            return "braced_earlier without defending; give both, or neither (AF-30)"
        if self.affinity > self.level:
            return f"affinity {self.affinity}; allowed: at most the level, {self.level} (AF-12)"
        lists = {"resist": self.resist, "vulnerable": self.vulnerable, "immune": self.immune}
        seen: dict[str, str] = {}
        for name, types in lists.items():
            for kind in types:
                for each in members(kind):
                    if each in seen:
                        return f"{each} under {seen[each]} and {name}; allowed: one of them (AF-31)"
                for each in members(kind):
                    seen[each] = name
        if self.exertion is not None and not self.is_monster:
            return (
                f"exertion {self.exertion} without a printed pool; allowed: for stat blocks whose "
                "actions have a pool (AF-73)"
            )
        if twice := _twice(self.conditions):
            return twice
        forms = [variant.of for variant in self.variants]
        if len(set(forms)) != len(forms):
            return f"variants of {', '.join(forms)}; allowed: one of each action (AF-79)"
        names = [action.name for action in self.actions]
        if len(set(names)) != len(names) or set(names) & set(NAMES):
            return (
                f"actions {', '.join(names)}; allowed: each named once, and not like a universal "
                "action"
            )
        return None


def _twice(conditions: tuple[Affliction, ...]) -> str | None:
    names = [condition.name for condition in conditions]
    if len(set(names)) != len(names):
        return f"conditions {', '.join(names)}; allowed: each name once"
    return None


def members(kind: str) -> tuple[str, ...]:
    """The types of a family; a type by itself."""
    return tuple(name for name, family in TYPES.items() if family == kind) or (kind,)


NAMES = (
    "pass", "defend", "rush", "steady", "dash", "march", "disengage", "stabilize", "help",
    "unarmed", "repair",
)  # fmt: skip
"""Names that universal actions have as options."""


NOBODY = Combatant(name="nobody")
"""Stands where somebody would act, if nobody does."""


@sheet
@cites("AF-41")
class Ally:
    """Somebody on the defender's side, close enough to help or not.

    Attributes:
        Ally (AF-41):
            combatant: who it is.
            distance_yd: how far from the defender it stands.
    """

    combatant: Combatant
    distance_yd: Yards = 0


@sheet
@cites("AF-39", "AF-51", "AF-62", "AF-72")
class Setup:
    """Everything before the first step: who acts, towards whom, and how they stand.

    Attributes:
        Who:
            attacker: the combatant who acts; needed unless a hazard comes, or somebody repairs or
                recovers (AF-1).
            defender: the target of the action (AF-1).
            towards: whether the defender is a foe or a friend of the attacker (AF-39).
            allies: of the defender: they may Intervene, and an area may reach them (AF-41).
        Action:
            act: "turn": the attacker acts; "close": the attacker, who reaches nobody, goes towards
                the defender; "initiative": both roll for it; "repair", "recover": what the defender
                wears is mended, or the defender rests in safety (AF-62).
            held: the action was held back: until its trigger, or to count zero (AF-63).
            given (Successes given): successes that a helper gave to this roll (AF-45).
            hazard: harms the defender instead of an action of the attacker (AF-72).
            rest_hd (Hit Dice of a rest): Hit Dice that come back with a rest; the table says how
                many (AF-51).
        Place:
            distance_yd: distance between the two (AF-78).
            ally_near: whether an ally of the attacker stands close to the defender (AF-74).
            moves: whether moving is offered; a fight keeps no positions (AF-62).
            difficult (Difficult ground): whether the ground slows (AF-62).
            home_dice: dice that home ground adds to the attacker's rolls (AF-72).
    """

    attacker: Combatant = NOBODY
    defender: Combatant
    act: Literal["turn", "close", "initiative", "repair", "recover"] = "turn"
    towards: Literal["foe", "friend"] = "foe"
    distance_yd: Yards = REACH["melee"]
    allies: tuple[Ally, ...] = ()
    ally_near: bool = False
    hazard: Hazard | None = None
    held: Literal["no", "trigger", "zero"] = "no"
    given: Few = 0
    moves: bool = True
    difficult: bool = False
    home_dice: Few = 0
    rest_hd: Few = 0

    @property
    def somebody_acts(self) -> bool:
        """The attacker does something, or rolls initiative."""
        return self.hazard is None and self.act not in MENDED

    def check(self) -> str | None:
        """Refuse keys that belong to another kind of act, and an act of nobody."""
        if self.somebody_acts and self.attacker == NOBODY:
            return "attacker is missing; only a hazard, 'repair' and 'recover' do without (AF-1)"
        if self.rest_hd and self.act != "recover":
            return f"rest_hd {self.rest_hd} with act {self.act!r}; allowed: with 'recover' (AF-51)"
        if self.hazard is not None and self.hazard.strikes != "foes":
            return (
                f"hazard that strikes {self.hazard.strikes}; allowed: in a lair, for fights; here "
                "it harms the defender (AF-72)"
            )
        if self.act == "close" and (self.towards != "foe" or self.distance_yd <= REACH["melee"]):
            return (
                f"act 'close' towards a {self.towards} at {self.distance_yd} yards; allowed: "
                f"towards a foe beyond {REACH['melee']} yards (AF-78)"
            )
        if self.hazard is not None and self.act != "turn":
            return f"hazard with act {self.act!r}; allowed: with 'turn' (AF-72)"
        if self.allies and self.hazard is None and (self.act, self.towards) != ("turn", "foe"):
            return (
                f"allies with act {self.act!r} towards a {self.towards}; allowed: where the "
                "defender may be harmed (AF-41)"
            )
        return None
