"""The facts on the table during an attack.

What is settled before the dice fall lies in `Terms`, which keeps its hash; what the dice show
lies beside it in `Exchange`. So the many states of a roll are small and quick to compare.
"""

from __future__ import annotations

from typing import Literal

from affray.core.errors import RulesError
from affray.core.lazy import NamedTuple
from affray.core.ruling import Rulings
from affray.core.sheet import sheet
from affray.systems.empty_earth.cards import Affliction, StageEffect, Unmodified
from affray.systems.empty_earth.conditions import Suffered
from affray.systems.empty_earth.map.zones import Ground
from affray.systems.empty_earth.reading import Shown
from affray.systems.empty_earth.sheet import Cubes, Feature, Setup

__all__ = [
    "NO_PLAN",
    "Actor",
    "AttackDice",
    "Condition",
    "DodgeDice",
    "Exchange",
    "FighterState",
    "Hit",
    "Landed",
    "Past",
    "Plan",
    "PostRoll",
    "Target",
    "Terms",
]  # fmt: skip

Actor = Literal["attacker", "defender"]


class FighterState(NamedTuple):
    """A fighter between attacks.

    Attributes:
        vitality, shields, injuries: as on the sheet.
        taken: whether an Injury was taken in this Stage.
        fallen: "", "incapacitated" (a PC) or "defeated" (anybody else).
        reactions: Dodges and Centers left until the next turn.
        active: whether the Armor's active effect lasts.
        cubes: action cubes left.
        conditions: Conditions that are suffered.
    """

    vitality: int = 0
    shields: int = 0
    injuries: int = 0
    taken: bool = False
    fallen: Literal["", "incapacitated", "defeated"] = ""
    reactions: int = 0
    active: bool = False
    cubes: Cubes = Cubes()
    conditions: tuple[Suffered, ...] = ()

    @property
    def named(self) -> tuple[str, ...]:
        """Name the Conditions."""
        return tuple(one.card.name for one in self.conditions)


class Plan(NamedTuple):
    """The decisions before the roll; dropped when the numbers stand.

    Attributes:
        line: which attack line, by its place on the sheet.
        reaction: "none", "dodge" or "center".
        abilities: names of the defender's Abilities that were used.
        bought: names of the features bought so far.
        aims: how often Aim was bought.
    """

    line: int = 0
    reaction: Literal["none", "dodge", "center"] = "none"
    abilities: tuple[str, ...] = ()
    bought: tuple[str, ...] = ()
    aims: int = 0


NO_PLAN = Plan()


class PostRoll(NamedTuple):
    """Post-roll effects that one side still has.

    Attributes:
        actor: whose they are.
        on_attack: whether they go on the attack dice; else on Dodge or Center dice.
        rerolls: single-die Rerolls; sweeps: Rerolls of any number of dice at once.
        focus: X of each Focus that is left, ascending; uses: how many of them may be used.
        buys: whether features or Abilities can still be bought.
        passed: under the alternating ruling, whether this side passed just before.
    """

    actor: Actor
    on_attack: bool
    rerolls: int = 0
    sweeps: int = 0
    focus: tuple[int, ...] = ()
    uses: int = 0
    passed: bool = False
    buys: bool = False

    @property
    def is_empty(self) -> bool:
        """Say if nothing is left to be applied."""
        return not (self.rerolls or self.sweeps or (self.focus and self.uses) or self.buys)


class Past(NamedTuple):
    """Earlier attacks of the same row, added up."""

    hits: int = 0
    regular: int = 0
    piercing: int = 0
    damage: int = 0
    unmodified: int = 0
    on_hit: bool = False
    on_damage: bool = False
    counter: bool = False
    strikes_back: bool = False


class Landed(NamedTuple):
    """Dice that land after the dodge: ordinary ones, and those with an unmodified effect."""

    plain: int
    special: int = 0

    @property
    def number(self) -> int:
        """All of them."""
        return self.plain + self.special


class AttackDice(NamedTuple):
    """The attack dice, and what is added to each of them.

    Attributes:
        n, sides: how many dice of how many sides.
        printed, aim, extra, suffered, crowd: what step 5 adds to each; shift: their sum less the
            defense.
        picks_crowded: the -1 goes to one die only.
        low, high: values up to `low` miss whatever happens, from `high` on nothing stops them.
        keeps_misses: a negative Dodge might still raise a die that misses.
        unmodified, unmodified_to: least and greatest unmodified value with an effect; must_hit:
            only on dice that hit.
    """

    n: int = 0
    sides: int = 0
    printed: int = 0
    aim: int = 0
    extra: int = 0
    suffered: int = 0
    crowd: int = 0
    shift: int = 0
    picks_crowded: bool = False
    low: int = 0
    high: int = 0
    keeps_misses: bool = False
    unmodified: int = 0
    unmodified_to: int = 0
    must_hit: bool = False


class DodgeDice(NamedTuple):
    """The dice of the reaction.

    Attributes:
        n, sides, each: how many dice of how many sides, and what is added to each.
        cap: values beyond it stop no more.
        spread: the ruling on sharing them out.
        name: "Dodge" or "Center".
    """

    n: int = 0
    sides: int = 0
    each: int = 0
    cap: int = 0
    spread: Literal["pool", "per_die", "all"] = "pool"
    name: str = "Dodge"


class Hit(NamedTuple):
    """The harm of one hit.

    Attributes:
        damage, piercing: regular and piercing damage.
        crowded: whether the -1 for a crowd comes off the regular damage of all hits.
        conditions: what the target suffers if a die hits.
        special: what each die does that shows the unmodified value with an effect.
    """

    damage: int = 0
    piercing: int = 0
    crowded: bool = False
    conditions: tuple[Affliction, ...] = ()
    special: Unmodified | None = None


class Target(NamedTuple):
    """Numbers of the one who is attacked.

    Attributes:
        defense: what each attack die has to exceed.
        dr, reduction: what comes off the damage.
        retaliation: damage that each hit does to the attacker.
        most: the most Vitality. is_pc: whether Injuries are drawn.
        last: whether the Stage ends when an Injury is taken. deck: Injury cards to draw from.
    """

    defense: int = 0
    dr: int = 0
    reduction: int = 0
    retaliation: int = 0
    most: int = 0
    is_pc: bool = False
    last: bool = False
    deck: tuple[Affliction, ...] = ()


@sheet
class Terms:
    """Numbers and sheets that are settled before the dice fall and stay until they are counted.

    Attributes:
        rulings: the readings in force.
        setup: the sheets, while a declaration, a further attack or a Counter needs them.
        left: attacks still to come after this one.
        striker: the condition of the one who attacks now; struck: of the one who is attacked,
            when the dice fell.
        answered: while a Counter or retaliation runs, the facts of the attack that it answers.
        retaliates: whether it is retaliation that runs.
        attack, dodge: the dice of both sides. hit: what each hit does.
        target: numbers of the one who is attacked.
        post_roll: both sides' effects after the roll, in the order in which they come.
        later: features that the attacker can still buy; ready: Abilities that the defender can.
        ground: the map with everybody on it, where somebody may look at it.
    """

    rulings: Rulings
    setup: Setup | None = None
    left: int = 0
    striker: FighterState = FighterState()
    struck: FighterState = FighterState()
    answered: Exchange | None = None
    retaliates: bool = False
    attack: AttackDice = AttackDice()
    dodge: DodgeDice = DodgeDice()
    hit: Hit = Hit()
    target: Target = Target()
    post_roll: tuple[PostRoll, ...] = ()
    later: tuple[Feature, ...] = ()
    ready: tuple[Feature, ...] = ()
    ground: Ground | None = None

    @property
    def declared(self) -> Setup:
        """The sheets, while an attack is being declared.

        Raises:
            RulesError: they are gone already.
        """
        if self.setup is None:
            raise RulesError("a step of the declaration came after the sheets were put away")
        return self.setup


class Exchange(NamedTuple):
    """One attack, or several in a row, from the declaration to what came of it.

    Attributes:
        terms: what is settled before the dice fall.
        struck: the condition of the one who is attacked; None while it is that of the terms.
        dice: attack dice on the table, ascending; lifted: those in the hand for a reroll.
        post_roll: whose post-roll effects are still to come, the next one first.
        over: how far ordinary attack dice exceed the defense; special: the same for dice whose
            unmodified value has an effect that needs a hit.
        parry: Dodge or Center dice that can still be changed; dodge: what they are worth.
        reach: which dice can still land, by what the Dodge could stop.
        hits, regular, piercing: dice over the defense and what they deal before reduction.
        final: Final Damage. on_damage: whether effects on damage take place.
        unmodified: effects on unmodified values that fired.
        counter: whether the attack may be countered. strikes_back: whether it is.
        downed: whether Vitality reached 0. stage_ended: whether that ended the Stage; enacted:
            the effects that this had. drawn: the Injury card, by its place in the deck.
        countered: damage that Counters did. regained: Vitality that came back, by an Injury or
            a revival.
        retaliated: damage that retaliation did to the one who attacks; returned: to the
            defender who countered.
        past: what earlier attacks of the row did.
        plan: decisions before the roll; None from the roll on.
    """

    terms: Terms
    struck: FighterState | None = None
    dice: tuple[Shown, ...] = ()
    lifted: tuple[Shown, ...] = ()
    post_roll: tuple[PostRoll, ...] = ()
    over: tuple[int, ...] = ()
    special: tuple[int, ...] = ()
    parry: tuple[Shown, ...] = ()
    dodge: tuple[int, ...] = ()
    unmodified: int = 0
    reach: tuple[Landed, ...] = ()
    hits: int = 0
    regular: int = 0
    piercing: int = 0
    final: int = 0
    on_damage: bool = False
    counter: bool = False
    strikes_back: bool = False
    downed: bool = False
    stage_ended: bool = False
    enacted: tuple[str, ...] = ()
    drawn: int = 0
    countered: int = 0
    regained: int = 0
    retaliated: int = 0
    returned: int = 0
    past: Past | None = None
    plan: Plan | None = None

    @property
    def rulings(self) -> Rulings:
        """The readings in force."""
        return self.terms.rulings

    @property
    def defending(self) -> FighterState:
        """The condition of the one who is attacked."""
        return self.terms.struck if self.struck is None else self.struck

    @property
    def planned(self) -> Plan:
        """Give the decisions so far, before the roll."""
        return NO_PLAN if self.plan is None else self.plan

    @property
    def striker(self) -> Actor:
        """Name the one who attacks now: the defender, while a Counter runs."""
        answered = self.terms.answered
        return "attacker" if answered is None else answered.target

    @property
    def target(self) -> Actor:
        """Name the one who is attacked now."""
        answered = self.terms.answered
        return "defender" if answered is None else answered.striker


class Condition(NamedTuple):
    """A fighter between two exchanges: the condition, and the little that outlasts an exchange.

    Attributes:
        now: the condition.
        ended: whether the Stage has ended. enacted: the effects of that which came upon them.
        exposed: whether a foe retaliates, so that an own attack can do harm to oneself.
        zone: the Zone of the map in which they stand; "" without a map.
        rulings: the readings in force, for what happens between exchanges.
    """

    now: FighterState
    ended: bool = False
    enacted: tuple[StageEffect, ...] = ()
    exposed: bool = False
    zone: str = ""
    rulings: Rulings = Rulings()
