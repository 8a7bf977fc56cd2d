"""The facts on the table during one action.

`Terms` holds everything that is settled before the dice fall, and keeps its hash; `Exchange` holds
what the dice show. So the many states of a roll are small and quick to compare.
"""

from __future__ import annotations

from typing import Literal

from affray.core.actor import Actor as Numbered
from affray.core.lazy import NamedTuple
from affray.core.ruling import Rulings
from affray.core.sheet import sheet
from affray.systems.affinity.reading import Rolled
from affray.systems.affinity.sheet import Affliction, Combatant, DamageType, LayerKind, Setup
from affray.systems.affinity.tables import REACH

__all__ = [
    "Actor", "Aimed", "Area", "CombatantState", "Condition", "Cover", "Deed", "Done", "Exchange",
    "Guard", "Helped", "Other", "Plan", "Struck", "Terms",
]  # fmt: skip

Actor = Literal["attacker", "defender", "ally"]
Deed = Literal[
    "", "pass", "attack", "heal", "ward", "defend", "intervene", "rush", "steady", "dash", "march",
    "disengage", "stabilize", "help", "unarmed",
    "repair",
]  # fmt: skip
"""A deed: an action of the sheet, by its kind, or a universal one; empty for nothing."""


class Cover(NamedTuple):
    """A layer that is there.

    Attributes:
        kind: magical, shield, armor or temporary.
        die: sides of its die. dice: how many are left, where a ruling counts them.
        temp_hd: what is left of its total, where a ruling asks for it.
    """

    kind: LayerKind
    die: int
    dice: int = 0
    temp_hd: int = 0


class CombatantState(NamedTuple):
    """A combatant stands like this between actions.

    Attributes:
        hd: permanent Hit Dice. down: there are none left.
        layers: those that are there, the outermost first.
        resolve, affinity, actions, attacked, expert, exerted, defending, acted, rushed,
            steadied, checked, stabilized: as on the sheet.
        lost: Hit Dice lost in this round.
        raging: below half of the Hit Dice, with a boost for it.
        plenty: more Hit Dice than this make no difference to the actor.
        conditions: what hampers this one.
        gone: yards towards the foes from where their side began; less than 0 away from them.
        walked: the free move of this turn is used.
        hurt: Hit Dice are lost, and a boost depends on it.
        torn: something that is worn is gone, and could be repaired.
    """

    hd: int = 0
    down: bool = False
    layers: tuple[Cover, ...] = ()
    resolve: int = 0
    affinity: int = 0
    actions: int = 0
    attacked: bool = False
    expert: bool = False
    exerted: int = 0
    defending: bool = False
    acted: bool = False
    rushed: bool = False
    steadied: bool = False
    checked: bool = False
    stabilized: bool = False
    lost: int = 0
    raging: bool = False
    plenty: int = 0
    conditions: tuple[Affliction, ...] = ()
    gone: int = 0
    walked: bool = False
    hurt: bool = False
    torn: bool = False


class Guard(NamedTuple):
    """One who may Intervene.

    Attributes:
        place: which of the defender's allies it is.
        name: what they are called.
        safe: dice that can't burn. cap: exertion dice that may be added.
        needs: successes that are needed.
        why: why they can't; empty: they can.
        gone: where they stand, in a fight. reach: yards over which they help.
    """

    place: int
    name: str
    safe: int
    cap: int
    needs: int = 1
    why: str = ""
    gone: int = 0
    reach: int = REACH["intervene"]


class Helped(NamedTuple):
    """An ally who Intervened paid this for it."""

    place: int
    burned: int = 0
    exerted: int = 0


class Other(NamedTuple):
    """One of the target's side, whom an area may reach as well.

    Attributes:
        place: which of the defender's allies it is.
        sheet, now: the combatant, and how they stand.
        yards: from the one aimed at. away: from the attacker.
        guards: who may Intervene for this one.
    """

    place: int
    sheet: Combatant
    now: CombatantState
    yards: int = 0
    away: int = 0
    guards: tuple[Guard, ...] = ()


class Struck(NamedTuple):
    """An area did this to somebody besides the one aimed at.

    Attributes:
        place: which of the defender's allies it is.
        lost, layers, resolve, checked, helped: as of an exchange.
    """

    place: int
    lost: int
    layers: tuple[Cover, ...] | None
    resolve: int
    checked: bool
    helped: tuple[Helped, ...]


@sheet
class Terms:
    """These things are settled before an action is chosen.

    Attributes:
        rulings: the readings in force.
        setup: the sheets and the situation.
        striker, struck: the conditions of the attacker and the defender.
        guards: who may Intervene, in order.
        others: of the target's side who stand, where the attacker has an attack for several.
    """

    rulings: Rulings
    setup: Setup
    striker: CombatantState
    struck: CombatantState
    guards: tuple[Guard, ...] = ()
    others: tuple[Other, ...] = ()


class Aimed(NamedTuple):
    """The one at whom an area attack is aimed waits while others defend; as of an exchange."""

    terms: Terms
    damage: int
    type: DamageType | Literal[""]
    daunts: bool


class Area(NamedTuple):
    """An attack reaches others than its target.

    Attributes:
        damage, type, daunts: what it does to each of them, before any defense.
        left: who has yet to defend, as numbers of the terms' others; the first of them does now.
        aimed: the one at whom it is aimed; None: nobody defends yet.
    """

    damage: int
    type: DamageType
    daunts: bool
    left: tuple[int, ...]
    aimed: Aimed | None = None


class Plan(NamedTuple):
    """The attacker decides this before the roll; dropped once its dice have been read.

    Attributes:
        name: the name of the action. deed: what it does.
        exertion, affinity: dice that are put in.
        stronger: whether an extra success went into a stronger effect on this target.
    """

    name: str = ""
    deed: Deed = ""
    exertion: int = 0
    affinity: int = 0
    stronger: bool = False


class Done(NamedTuple):
    """An action leaves this behind when its dice have been read.

    Attributes:
        deed: what was done.
        expert: whether it was Expert or higher, where a ruling needs that. failed: and whether it
            failed.
        exerted: exertion dice, where a ruling needs them.
        affinity: Affinity dice that were spent.
    """

    deed: Deed = ""
    expert: bool = False
    failed: bool = False
    exerted: int = 0
    affinity: int = 0


class Exchange(NamedTuple):
    """One action, from its choice to what came of it.

    Attributes:
        terms: what is settled before.
        plan: decisions before the roll; None once they don't matter.
        rolled: the roll of an action or an ally that has not been counted yet.
        done: what was done.
        successes, burn: of the attacker's roll.
        dealt: damage before the defense; damage: what of it has not been canceled.
        type: of the damage, where the defender's dice depend on it.
        layers: what the defender still has; None: all that the terms say.
        asked: how many of the allies were asked. helped: what it cost those who did.
        cancels: points that the roll of a layer cancels, until it is settled.
        defends: whether the dice of Defend are still to come, where they come once.
        left, bonus: dice of the layer and bonus dice that are left, where each point takes one.
        bare: no further roll comes; layers just give way.
        lost: Hit Dice that the defender loses, beyond those there are included.
        healed: Hit Dice that come back by healing. lasting: Hit Dice that Steady cost.
        own_resolve, resolve: how Resolve of the attacker and of the defender changes.
        own_checked, checked: whether they made a Resolve check.
        stabilized: the defender's next Resolve check holds.
        moved: yards; of the defender, where the environment forces it. conditions: what else it
            brings upon the defender.
        daunts: the defender has yet to check Resolve, whatever the defense comes to.
        granted: temporary Hit Dice of a layer that was put on.
        stepped: yards of the free move before the action. way: 1 towards where the foes began, -1
            back; 0 where nobody keeps positions.
        mended: whatever the attacker wears is whole again.
        given: successes handed to a friend. spread, targets: what extra successes did for an
            area or for more targets.
        speed: initiative of those who rolled: the sum, the highest die, ones on exertion dice.
        swift: the same of a roll that has not been noted yet. first: who acts first.
        area: an attack on several, until the one aimed at defends. caught: the places of the
            others whom it reaches. beside: what it did to those of them who have defended.
    """

    terms: Terms
    plan: Plan | None = None
    rolled: Rolled | None = None
    done: Done = Done()
    successes: int = 0
    burn: int = 0
    dealt: int = 0
    damage: int = 0
    type: DamageType | Literal[""] = ""
    layers: tuple[Cover, ...] | None = None
    asked: int = 0
    helped: tuple[Helped, ...] = ()
    cancels: int = 0
    defends: bool = False
    left: int = 0
    bonus: int = 0
    bare: bool = False
    lost: int = 0
    healed: int = 0
    lasting: int = 0
    own_resolve: int = 0
    resolve: int = 0
    own_checked: bool = False
    checked: bool = False
    stabilized: bool = False
    moved: int = 0
    conditions: tuple[Affliction, ...] = ()
    daunts: bool = False
    granted: int = 0
    stepped: int = 0
    way: Literal[-1, 0, 1] = 0
    mended: bool = False
    given: int = 0
    spread: int = 0
    targets: int = 0
    speed: tuple[tuple[int, int, int], ...] = ()
    swift: tuple[int, int, int] | None = None
    first: Literal["", "attacker", "defender", "tie"] = ""
    area: Area | None = None
    caught: tuple[int, ...] = ()
    beside: tuple[Struck, ...] = ()

    @property
    def interveners(self) -> tuple[Helped, ...]:
        """All allies who Intervened, for whomever."""
        return (*(one for struck in self.beside for one in struck.helped), *self.helped)

    @property
    def defender(self) -> str:
        """The one who defends now, among those who do."""
        if self.area is None or self.area.aimed is None:
            return "defender"
        return Numbered("defender", 2 + len(self.caught) - len(self.area.left))

    @property
    def rulings(self) -> Rulings:
        """The readings in force."""
        return self.terms.rulings

    @property
    def planned(self) -> Plan:
        """The decisions so far, before the roll."""
        return Plan() if self.plan is None else self.plan

    @property
    def covers(self) -> tuple[Cover, ...]:
        """The defender's layers as they are now."""
        return self.terms.struck.layers if self.layers is None else self.layers


class Condition(NamedTuple):
    """A combatant in a fight stands like this, and these readings are in force.

    Attributes:
        exposed: a foe has an attack that reaches several.
    """

    now: CombatantState
    rulings: Rulings = Rulings()
    exposed: bool = False
