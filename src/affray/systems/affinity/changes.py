"""How conditions of combatants change in a fight: by actions, as turns begin, as rounds end."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.fight import Role
from affray.core.lazy import NamedTuple
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.affinity import rulings as rule
from affray.systems.affinity import state
from affray.systems.affinity.aftermath import restored
from affray.systems.affinity.attempts import strikes_several
from affray.systems.affinity.numbers import (
    condition_of,
    hd_max_of,
    is_hurt,
    is_torn,
    rages,
    repaired,
    state_of,
)
from affray.systems.affinity.positions import gained
from affray.systems.affinity.sheet import Affliction, Combatant
from affray.systems.affinity.state import CombatantState, Condition, Cover, Exchange
from affray.systems.affinity.tables import ECONOMY, RESOLVE

__all__ = ["Effect", "apply", "begin_turn", "effect", "end_round", "enter", "helped", "is_out",
           "meets"]  # fmt: skip


class Effect(NamedTuple):
    """An exchange does this to one combatant who takes part in it.

    Attributes:
        deed: what was done, if it was this one's action; "intervene" of an ally.
        lost: Hit Dice lost to damage. burned: burned or given up. back: restored.
        layers: those that are left; None: as before.
        resolve: how it changes. checked: whether it was checked.
        affinity, exerted: dice that were put in. expert: whether it was Expert or higher.
        stabilized: the next check holds.
        gone: yards towards the foes. walked: the free move was used.
        conditions: those that are imposed.
        mended: whatever is worn is whole again.
    """

    deed: state.Deed = ""
    lost: int = 0
    burned: int = 0
    back: int = 0
    layers: tuple[Cover, ...] | None = None
    resolve: int = 0
    checked: bool = False
    affinity: int = 0
    exerted: int = 0
    expert: bool = False
    stabilized: bool = False
    gone: int = 0
    walked: bool = False
    conditions: tuple[Affliction, ...] = ()
    mended: bool = False


def enter(sheet: Combatant, rulings: Rulings) -> Condition:
    """A combatant as the sheet has them."""
    return Condition(condition_of(sheet, rulings), rulings)


@cites("AF-75")
def meets(sheet: Combatant, condition: Condition, foes: Sequence[Combatant]) -> Condition:
    """Whether a foe has an attack that reaches several."""
    return condition._replace(exposed=any(strikes_several(foe) for foe in foes))


def effect(outcome: Exchange, role: Role) -> Effect:
    """An outcome changes the one who acted, or the target, by this much."""
    done = outcome.done
    if role == "actor":
        return Effect(
            deed=done.deed,
            burned=outcome.burn + outcome.lasting,
            back=outcome.healed if done.deed == "rush" else 0,
            resolve=outcome.own_resolve,
            checked=outcome.own_checked,
            affinity=done.affinity,
            exerted=done.exerted,
            expert=done.expert,
            gone=gained(outcome),
            walked=outcome.stepped > 0,
            mended=outcome.mended,
        )
    return Effect(
        lost=outcome.lost,
        back=outcome.healed if done.deed == "heal" else 0,
        layers=outcome.layers,
        resolve=outcome.resolve,
        checked=outcome.checked,
        stabilized=outcome.stabilized,
        conditions=outcome.conditions,
        gone=-outcome.moved if outcome.terms.setup.hazard else 0,
    )


@cites("AF-41", "AF-75")
def helped(outcome: Exchange) -> tuple[tuple[int, Effect], ...]:
    """Allies of the target: those whom an area reached, and those who Intervened pay for it."""
    found = {
        one.place: Effect(
            lost=one.lost, layers=one.layers, resolve=one.resolve, checked=one.checked
        )
        for one in outcome.beside
    }
    for one in outcome.interveners:
        found[one.place] = found.get(one.place, Effect())._replace(
            deed="intervene", burned=one.burned, exerted=one.exerted
        )
    return tuple(found.items())


@cites("AF-7", "AF-28", "AF-30", "AF-39", "AF-41", "AF-42", "AF-54")
def apply(sheet: Combatant, condition: Condition, effect: Effect) -> Condition:
    """Hit Dice go and come back; what was done and spent stands."""
    now, rulings = condition.now, condition.rulings
    hd = max(0, now.hd - effect.lost)
    if effect.back or effect.burned:
        if effect.deed in {"rush", "intervene"} or effect.burned:
            hd = restored(sheet, hd, (effect.back, effect.burned), rulings)
        else:
            hd = min(max(hd, hd_max_of(sheet, rulings)), hd + effect.back)
    resolve, checked = now.resolve + effect.resolve, now.checked or effect.checked
    layers = now.layers if effect.layers is None else effect.layers
    if state_of(hd, resolve, rulings) != "up":
        # A combatant who is out of action needs few details, so such conditions merge.
        out = CombatantState(
            hd=hd, down=hd == 0, layers=layers, resolve=resolve, affinity=now.affinity,
            actions=ECONOMY["actions"], acted=now.acted, rushed=now.rushed,
            steadied=now.steadied, checked=checked,
            stabilized=effect.stabilized, gone=now.gone + effect.gone,
            conditions=now.conditions,
        )  # fmt: skip
        return condition._replace(now=out)
    torn, lost = now.torn, now.lost
    if effect.mended:
        layers = repaired(sheet, layers, rulings)
    if effect.mended or effect.layers is not None:
        torn = is_torn(sheet, layers, rulings)
    if rulings[rule.RESOLVE] != "off":
        # Once checked, or beyond what calls for a check, more makes no difference in this round.
        most = sheet.prof + RESOLVE["over"]
        lost = 0 if checked else min(lost + max(0, now.hd - hd), most)
    after = now._replace(
        hd=hd,
        down=hd == 0,
        layers=layers,
        resolve=resolve,
        checked=checked,
        stabilized=(now.stabilized and not effect.checked) or effect.stabilized,
        lost=lost,
        raging=bool(sheet.boosts) and rages(sheet, hd, rulings),
        conditions=_imposed(now.conditions, effect.conditions),
        gone=now.gone + effect.gone,
        walked=now.walked or effect.walked,
        hurt=bool(sheet.boosts) and is_hurt(sheet, hd, rulings),
        torn=torn,
    )
    return condition._replace(now=_acted(after, effect, rulings) if effect.deed else after)


def _imposed(before: tuple[Affliction, ...], new: tuple[Affliction, ...]) -> tuple[Affliction, ...]:
    """Conditions with new ones; one that comes again takes the place of the old one."""
    if not new:
        return before
    return tuple({condition.name: condition for condition in (*before, *new)}.values())


def _tracks_actions(sheet: Combatant) -> bool:
    """The actions left between turns matter for those who may Intervene."""
    return "intervene" in sheet.universal


@cites("AF-12", "AF-40", "AF-62", "AF-63")
def _acted(now: CombatantState, effect: Effect, rulings: Rulings) -> CombatantState:
    """A condition after an own action."""
    deed, actions = effect.deed, now.actions - ECONOMY["each"]
    if deed == "defend" and rulings[rule.DEFEND_COST] == "turn":
        actions = 0
    # With no action left, nothing more of this turn draws on exertion, on the free move, or on
    # whether an action was Expert.
    goes_on = actions > 0
    return now._replace(
        actions=actions,
        affinity=now.affinity - effect.affinity,
        exerted=now.exerted + effect.exerted if actions else 0,
        expert=(now.expert or effect.expert) and goes_on,
        walked=now.walked and goes_on,
        attacked=(now.attacked or deed == "attack") and goes_on,
        defending=now.defending or deed == "defend",
        rushed=now.rushed or (deed == "rush" and rulings[rule.RUSH] == "fixed"),
        steadied=now.steadied or deed == "steady",
    )


@cites("AF-50")
def is_out(sheet: Combatant, condition: Condition) -> bool:
    """Down, collapsed or dead."""
    now = condition.now
    return state_of(now.hd, now.resolve, condition.rulings) != "up"


@cites("AF-30", "AF-62", "AF-63")
def begin_turn(sheet: Combatant, condition: Condition) -> Condition:
    """Defend ends; a new turn has its actions and its exertion, less what reactions took."""
    now = condition.now
    fresh = now._replace(
        defending=False,
        attacked=False,
        expert=False,
        walked=False,
        acted=_tracks_actions(sheet),
        actions=now.actions if _tracks_actions(sheet) else ECONOMY["actions"],
    )
    return condition if fresh == now else condition._replace(now=fresh)


@cites("AF-30", "AF-52", "AF-62")
def end_round(sheet: Combatant, condition: Condition) -> Condition:
    """Everybody may act, exert and check Resolve again."""
    now = condition.now
    lasts = condition.rulings[rule.DEFEND_LASTS] == "next_turn"
    fresh = now._replace(
        acted=False,
        actions=ECONOMY["actions"],
        exerted=0,
        defending=now.defending and lasts,
        checked=False,
        lost=0,
        conditions=_lasting(now.conditions),
    )
    return condition if fresh == now else condition._replace(now=fresh)


@cites("AF-72")
def _lasting(conditions: tuple[Affliction, ...]) -> tuple[Affliction, ...]:
    """Conditions after the end of a round; those whose time is up are gone."""
    return tuple(
        replace(condition, rounds=condition.rounds - 1) if condition.rounds else condition
        for condition in conditions
        if condition.rounds != 1
    )
