"""The facts on the table during an attack."""

from __future__ import annotations

from typing import Literal

from affray.core.actor import Actor
from affray.core.errors import RulesError
from affray.core.lazy import NamedTuple
from affray.core.node import keeps_hash
from affray.core.ruling import Rulings
from affray.systems.eclipse_phase.blast import Area, Landing, Reach
from affray.systems.eclipse_phase.gear import Mode, Weapon
from affray.systems.eclipse_phase.reading import LOST, Result, Zero
from affray.systems.eclipse_phase.sheet import Combatant, Setup

__all__ = [
    "MISSED", "NOT_TURNED", "Action", "Aided", "Aptitude", "Attack", "Bleeding", "Bought", "Called",
    "CalledEffect", "Check", "CheckKind", "Defense", "Exchange", "Fire", "Grapple", "Grip",
    "Hold", "Pools",
    "Second", "States", "Struck", "Style", "Target", "Tested", "TraitTest", "Turned", "outcome",
]  # fmt: skip

Pools = tuple[tuple[str, int], ...]
"""Pool points that are left and may help: (pool, points), the most special pool first."""

Fire = Literal["", "hit", "damage", "spread", "suppress"]
"""A burst or automatic fire serves one of these; empty for a single shot."""
Style = Literal["", "plain", "hit", "damage"]
"""A melee attack is aggressive for one of these; empty for any other attack."""
Called = Literal["none", "bypass", "disarm", "knockdown", "redirect", "specific"]
"""The called shot that was announced."""
Second = Literal["none", "harder", "damage", "keep"]
"""A second superior success adds one of these to a called shot."""
Defense = Literal["fray", "melee", "athletics", "wil", "none", "unable"]
"""The skill of a defense; "none" declines one, "unable" can't defend at all."""
Aptitude = Literal["som", "ref", "wil"]
"""The aptitudes that are checked."""
Action = Literal["", "none", "full_defense", "aim", "reload"]
"""What a fighter does with the complex action of a turn instead of an attack."""
Grapple = Literal["", "hold", "hurt"]
"""An attack takes hold of its target, or hurts it as well with a critical."""
Point = Literal["", "plus", "bare"]
"""What a pool point has done before a test of an ambush: a bonus, or modifiers ignored."""
Grip = Literal["melee", "som"]
"""The tests of strength between two in a grapple."""
Hold = Literal["", "seized", "freed", "reversed", "released"]
"""What an exchange changes in who holds whom: the actor takes hold of the target, breaks free,
breaks free and takes hold, or lets go."""
Aided = Literal["", "treated", "woken"]
"""What a friend has done for somebody who is down."""
Bought = Literal["", "physical", "mental", "any"]
"""The kind of extra action that a pool point buys: by Vigor, by Insight, by Threat."""
Bleeding = Literal["", "falls", "ends"]
"""A check against bleeding is made when somebody falls, and care may come; or when a fight ends,
and none comes."""
Tested = Literal["blinding", "entangling", "pain", "shock", "stun"]
"""Traits of an attack that call for a further test."""
CheckKind = Literal[
    "stand", "stay_conscious", "hold_weapon", "catch_on", "stop_bleeding", "break_free",
    "keep_wits", "withstand_stress", "blinding", "entangling", "pain", "shock", "stun",
]  # fmt: skip
"""A check of the target decides one of these."""
States = tuple[tuple[str, int], ...]
"""Conditions that last for a while: (condition, turns), by name; `LASTING` turns don't end by
themselves."""


@keeps_hash
class Attack(NamedTuple):
    """The attacker's numbers, once the modifiers are settled.

    Attributes:
        tn: target number; plus: the same with a pool point's bonus; bare: the same when a pool
            point ignores all modifiers; unhelped: what it was before a point was spent.
        zero: empty, or how 00 counts in a defaulting test.
        pools: pool points that may help this test.
        flips: whether dice may be flipped at all.
        weapon_d10, weapon_d6, weapon_flat: the weapon's own DV.
        d10, d6: extra dice; minus: d10 rolled and subtracted.
        half_weapon, half_small, tiny: what halves or holds down the DV.
        no_damage: it does no damage (touch, special rounds).
        called: the called shot that was announced, or "none".
        is_melee: each target gets an attack roll of its own.
        wide: whether the shot may go wide on its own (blind).
        knocks: a hit calls for a check to stand, even without a wound.
        fragile: it breaks on a superior failure.
        area: how an attack on an area spreads; None for any other.
        times: what a shaped charge multiplies its DV by.
        grapple: it takes hold of the target instead of doing damage: none of it, or none but with
            a critical; empty for any other attack.
    """

    tn: int
    plus: int
    bare: int
    zero: Zero
    skill: str
    pools: Pools
    flips: bool
    weapon_d10: int
    weapon_d6: int
    weapon_flat: int
    d10: int
    d6: int
    minus: int
    half_ammo: bool
    half_small: bool
    tiny: bool
    no_damage: bool
    called: Called
    is_melee: bool
    wide: bool
    knocks: bool
    fragile: bool
    unhelped: int
    helped: bool = False
    area: Area | None = None
    times: int = 1
    grapple: Grapple = ""


class Check(NamedTuple):
    """A check that a target has to make: what for, on which aptitude, how modified."""

    kind: CheckKind
    aptitude: Aptitude
    modifier: int = 0


class TraitTest(NamedTuple):
    """A test that a trait of the attack calls for: on which aptitude, how modified."""

    kind: Tested
    aptitude: Aptitude
    modifier: int = 0


@keeps_hash
class Target(NamedTuple):
    """One target's numbers.

    Attributes:
        tn: defense; None without a defense. plus, bare: as for the attacker.
        edge: by how much the attacker's skill is higher, where that is not a matter of the
            target numbers at the time.
        shift: what the attacker's target number differs by against this target; bare_shift:
            the same when a pool point ignores all modifiers.
        av, av_bypassed: armor that counts; and when a called shot bypasses it.
        wt, dur, dr: thresholds; a wt of 0 takes no wounds.
        damage, wounds: what was there before. ignored: wounds that don't modify.
        step: modifier for each wound. others: modifiers for traumas.
        som, ref, wil: the values of checks; WIL only where a trait asks for it.
        pain: modifier on SOM checks, by low pain tolerance.
        tests: what traits of the attack call for, where the target is one to be tested.
        tolerance: level of pain tolerance.
        falls: whether wounds can knock it down. bleeds: whether it can bleed out; stabilized:
            only of a fresh wound.
        pools, flips, zero: as for the attacker.
        mates: numbers of the targets that share its Threat pool.
        reach: what of an area attack gets to the target; None: nothing.
        name: what logs call the target of an area attack. crashes: a machine, which logs say goes
            offline.
    """

    tn: int | None
    skill: str
    shift: int
    av: int
    av_bypassed: int
    wt: int
    dur: int
    dr: int
    damage: int
    wounds: int
    ignored: int
    step: int
    others: int
    som: int
    ref: int
    wil: int
    pain: int
    tests: tuple[TraitTest, ...]
    tolerance: int
    falls: bool
    bleeds: bool
    treated: bool
    stress: bool
    pools: Pools
    flips: bool
    bare_shift: int
    number: int
    mates: tuple[int, ...]
    plus: int = 0
    bare: int = 0
    zero: Zero = ""
    edge: int | None = None
    helped: bool = False
    reach: Reach | None = None
    stabilized: bool = False
    name: str = ""
    crashes: bool = False

    @property
    def called(self) -> str:
        """What logs call the target of an area attack."""
        return self.name or "the target"

    @property
    def actor(self) -> Actor:
        """The actor who defends."""
        return Actor("defender", self.number)


class Turned(NamedTuple):
    """What a turn leaves behind besides its attack, where turns are whole (H-4).

    Attributes:
        stood: stood up. fell: dropped prone. ducked: is behind cover now, or came out of it.
        ran: moved farther than a base move. single: a weapon that was fired in single mode.
        rested: wants no extra action any more.
        first: has bought the first place in the coming turn. ignores: wounds and traumas whose
            modifiers a point has bought off.
    """

    stood: bool = False
    fell: bool = False
    ran: bool = False
    single: str = ""
    first: bool = False
    ignores: tuple[int, int] = (0, 0)
    ducked: Literal["", "behind", "out"] = ""
    rested: bool = False


NOT_TURNED = Turned()


class CalledEffect(NamedTuple):
    """A called shot does this to a target once a superior success brings it about.

    Attributes:
        called: the called shot; "none" without a superior success.
        second: what a second superior success adds; None without one.
    """

    called: Called = "none"
    second: Second | None = None

    @property
    def name(self) -> str:
        """The effect in a word, for files and logs: "disarm+harder"; empty for none."""
        if self.called == "none":
            return ""
        return self.called if self.second is None else f"{self.called}+{self.second}"

    @property
    def bypasses_armor(self) -> bool:
        """Armor counts half."""
        return self.called == "bypass"

    @property
    def knocks_down(self) -> bool:
        """The target falls."""
        return self.called == "knockdown"

    @property
    def is_harmless(self) -> bool:
        """The effect takes the place of all damage."""
        return self.called in {"knockdown", "redirect"} and self.second != "damage"

    @property
    def halves_damage(self) -> bool:
        """The effect takes the place of half the damage."""
        return self.called == "disarm" and self.second != "damage"

    @property
    def takes_weapon(self) -> bool:
        """The weapon changes hands without a check."""
        return self.called == "disarm" and self.second == "keep"


class Struck(NamedTuple):
    """The attack did this to one target: the outcome.

    `extra` and `doubled` say what the hit adds to the damage; they are used up by the roll, and
    `knocks` by the count of wounds.
    `stress` tells that the damage is to the mind, `pools` the points that the target has left;
    `calls` names the tests that traits call for, `needs` their target numbers, `conditions` what
    came of them, and of checks against stress. `dodged` tells that Fray halved or avoided an area
    attack.
    """

    hit: bool = False
    critical: bool = False
    superior: int = 0
    extra: int = 0
    doubled: bool = False
    deadlock: bool = False
    defense_critical: bool = False
    dv: int = 0
    net: int = 0
    total: int = 0
    wounds: int = 0
    all_wounds: int = 0
    effect: CalledEffect = CalledEffect()
    disarmed: bool = False
    redirected: bool = False
    prone: bool = False
    knocked_out: bool = False
    unconscious: bool = False
    incapacitated: bool = False
    revivable: bool = True
    dead: bool = False
    bleeding: int = 0
    dies_in: int = 0
    insane: bool = False
    conditions: States = ()
    knocks: bool = False
    calls: tuple[str, ...] = ()
    needs: tuple[int, ...] = ()
    spent: int = 0
    stress: bool = False
    pools: Pools = ()
    dodged: bool = False


MISSED = Struck()


class Exchange(NamedTuple):
    """One attack, from its declaration to what it did.

    `setup` and the choices of the declaration are dropped when the numbers stand; `targets`
    holds who is still to be dealt with, the first one now; `done` what became of the others.
    `pools` are the points that the attacker has left, and `exposed` tells whether the attack was
    aggressive, both at the end.
    `composed` says that a confused attacker acts all the same, `astray` that they don't;
    `moved` counts meters toward the target, `action` and `reloaded` say what was done instead of an
    attack, `empty` which weapons may be reloaded, `fired` which weapon was, `breaks` which weapon
    this attack uses up or may break, and `aimed` that an
    earlier aim is used up. `snare` is how tightly somebody is entangled who breaks free, `freed`
    that they do; `response` is the die for an acute stress response. `ambush` tells whether an
    ambush surprised its targets or alerted them; `lurking` that it is the free action of those who
    begin a fight from one.
    `point` says what a pool point does for the next test of an ambush, `hides_at` the number that
    counts as the attacker's skill where the two tests are equal criticals.
    `lands_m` tells how far away a weapon lands that was knocked out of a hand.
    `turned` is what the turn leaves behind, `rest` how many meters of the move are left for after
    the action, and how many are to go until everything is within reach; `bought` says that it is
    an extra action, and of which kind. `aided` tells what came of help for the fallen, `bleeding`
    when a check against it is made in a fight. `hold` says who holds whom from now on, `grip` and
    `resists` how either tries for it.
    `covered` tells that whoever acts has ducked before this turn, or would fire from cover anyway.
    `crowd` are mates of the target in a fight whom a blast may catch as well, each with the place
    among all of them; `caught` the places of those who are targets.
    `landing` is where an explosive lands and whom it reaches, `scatter_m` how far from the point
    aimed at that is.
    """

    rulings: Rulings
    setup: Setup | None = None
    weapon: Weapon | None = None
    mode: Literal[Mode, ""] = ""
    option: Fire = ""
    style: Style = ""
    touch: bool = False
    called: Called = "none"
    defenses: tuple[Defense, ...] = ()
    attack: Attack | None = None
    targets: tuple[Target, ...] = ()
    ready: int = 0
    roll: Result = LOST
    defense: Result = LOST
    dv: int = 0
    lands_m: int = 0
    ambush: Literal["", "surprised", "alerted"] = ""
    lurking: bool = False
    point: Point = ""
    hides_at: int = 0
    composed: bool = False
    astray: bool = False
    response: int = 0
    moved: int = 0
    action: Action = ""
    reloaded: str = ""
    empty: tuple[str, ...] = ()
    fired: str = ""
    breaks: str = ""
    aimed: bool = False
    turned: Turned = NOT_TURNED
    rest: tuple[int, int] = (0, 0)
    bought: Bought = ""
    aided: Aided = ""
    bleeding: Bleeding = ""
    hold: Hold = ""
    grip: Grip | Literal[""] = ""
    resists: Grip | Literal[""] = ""
    snare: int = 0
    freed: bool = False
    wide: bool = False
    struck: tuple[Struck, ...] = ()
    checks: tuple[Check, ...] = ()
    check: Result = LOST
    done: tuple[Struck, ...] = ()
    rounds: int = 0
    spent: int = 0
    fumble: bool = False
    failures: int = 0
    broken: bool = False
    suppresses: Literal["", "next_action", "turn"] = ""
    pools: Pools = ()
    exposed: bool = False
    landing: Landing | None = None
    scatter_m: int = 0
    covered: Literal["", "ducked", "anyway"] = ""
    crowd: tuple[tuple[int, Combatant], ...] = ()
    caught: tuple[int, ...] = ()

    @property
    def final(self) -> Struck:
        """The first target's record, once it is settled."""
        return self.done[0] if self.done else self.struck[0]

    @property
    def declared(self) -> Setup:
        """The setup, while the attack is being declared.

        Raises:
            RulesError: the numbers stand already and the setup is gone.
        """
        if self.setup is None:
            raise RulesError("a step of the declaration came after the numbers were settled")
        return self.setup

    @property
    def weapon_used(self) -> Weapon:
        """The weapon, once chosen and while the attack is being declared."""
        if self.weapon is None:
            raise RulesError("a step looks at the weapon before it is chosen")
        return self.weapon

    @property
    def numbers(self) -> Attack:
        """The attacker's numbers, once they stand."""
        if self.attack is None:
            raise RulesError("a step looks at target numbers before they are settled")
        return self.attack


def outcome(x: Exchange) -> Exchange:
    """The facts that outlive the dice."""
    return Exchange(
        x.rulings, rounds=x.rounds, spent=x.spent, fumble=x.fumble, failures=x.failures,
        broken=x.broken, suppresses=x.suppresses, pools=x.pools, exposed=x.exposed,
        lands_m=x.lands_m, caught=x.caught, ambush=x.ambush, astray=x.astray,
        freed=x.freed, moved=x.moved, fired=x.fired, breaks=x.breaks, aimed=x.aimed,
        scatter_m=x.scatter_m,
        turned=x.turned, rest=x.rest, bleeding=x.bleeding, hold=x.hold,
    )  # fmt: skip
