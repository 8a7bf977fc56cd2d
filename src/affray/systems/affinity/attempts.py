"""An action takes shape: a combatant may declare it, and rolls certain dice."""

from __future__ import annotations

from typing import Literal

from affray.core.lazy import NamedTuple
from affray.core.modifier import Modifier, Total
from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.core.unknown import remembers
from affray.systems.affinity import rulings as rule
from affray.systems.affinity.numbers import called, condition_of, harder, spoken, stage, state_of
from affray.systems.affinity.sheet import Action, Ally, Boost, Combatant, Setup
from affray.systems.affinity.state import CombatantState, Guard, Plan, Terms
from affray.systems.affinity.tables import (
    BANDS,
    CLASSES,
    EXTREME,
    FACES,
    KINDS,
    NEEDS,
    REACH,
    RUSH,
    STABILIZED,
    TIERS,
    Tier,
)

__all__ = [
    "UNARMED", "Attempt", "action_named", "affinity_limit", "attempt_of", "cap_of", "dice_lost",
    "guard_of", "is_big",
    "pool_total", "rush_cost", "strikes_several", "threshold_of", "tracks_exertion",
    "why_no_exertion", "why_not", "why_out_of_range",
]  # fmt: skip


# -- what may be declared --------------------------------------------------------------------


UNARMED = Action(name="unarmed", type="bludgeoning")
"""A strike with bare hands: a Basic attack with the numbers of its tier (A-26)."""


@cites("AF-77")
def action_named(sheet: Combatant, name: str) -> Action | None:
    """The action with this name, or None where it is a universal one without an attack."""
    if name == UNARMED.name:
        return UNARMED
    for place, action in enumerate(sheet.actions, start=1):
        if (action.name or f"action-{place}") == name:
            return action
    return None


@cites("AF-75")
def strikes_several(sheet: Combatant) -> bool:
    """Some attack of the combatant may reach more than one."""
    return any(action.shape != "single" for action in sheet.actions)


def is_big(tier: Tier) -> bool:
    """The tier is Expert or higher."""
    return TIERS[tier].rank >= TIERS["expert"].rank


@cites("AF-1", "AF-12", "AF-74")
def cap_of(sheet: Combatant, condition: CombatantState, rulings: Rulings, pool: int = 0) -> int:
    """An action may have this many exertion dice at most.

    Args:
        sheet: whose action.
        condition: what was exerted so far in this turn.
        rulings: those on the budget (A-4) and on monsters (A-17).
        pool: the printed pool of the action, if any.
    """
    if (pool or sheet.is_monster) and rulings[rule.NPC_BURN] != "reckless":
        return 0
    most = sheet.prof if sheet.exertion is None else sheet.exertion
    if rulings[rule.BUDGET] == "turn":
        return max(0, min(most, sheet.level - condition.exerted))
    return most


def tracks_exertion(rulings: Rulings) -> bool:
    """A later action of the round depends on the dice that were exerted."""
    return rulings[rule.BUDGET] == "turn" or rulings[rule.RESOLVE] != "off"


def affinity_limit(
    sheet: Combatant, condition: CombatantState, exertion: int, rulings: Rulings
) -> int:
    """The action may have this many Affinity dice at most."""
    if rulings[rule.AFFINITY] == "safe":
        return min(condition.affinity, sheet.prof)
    return max(0, min(condition.affinity, cap_of(sheet, condition, rulings) - exertion))


@cites("AF-70")
def dice_lost(setup: Setup, action: Action, rulings: Rulings) -> int | str:
    """Dice that range takes, or why the target can't be reached."""
    yards, reading = setup.distance_yd, rulings[rule.RANGES]
    close = max(action.reach_yd, REACH["melee"]) if action.reach != "ranged" else REACH["melee"]
    if yards <= close:
        return _why_not_close(action, rulings) or 0
    if action.reach == "melee":
        return f"it reaches {action.reach_yd} yards; the target is {yards} away (AF-70)"
    if action.max_yd and yards > action.max_yd:
        return f"its range is {action.max_yd} yards; the target is {yards} away (AF-70)"
    if reading == "printed" and yards < BANDS["near"]:
        return f"no band has {yards} yards; ranges begin at {BANDS['near']} (A-13)"
    band = _band(action, yards, rulings)
    if band == "extreme" and not action.extreme:
        return f"{yards} yards is extreme range, which this weapon can't reach (AF-70)"
    return EXTREME[band]


@cites("AF-70")
def _band(action: Action, yards: int, rulings: Rulings) -> Literal["short", "long", "extreme"]:
    """The band of range at which a target stands."""
    reading = rulings[rule.RANGES]
    weapon = reading == "weapon" and action.short_yd
    printed = action.long_yd if rulings[rule.EXTREME_FROM] == "weapon" else 0
    short, long = BANDS["short"], printed or BANDS["long"]
    if weapon:
        short, long = action.short_yd, printed or action.max_yd or yards
    if yards > long:
        return "extreme"
    if yards < short or (yards == short and (weapon or reading != "printed")):
        return "short"
    return "long"


@cites("AF-70")
def _why_not_close(action: Action, rulings: Rulings) -> str | None:
    """Give the reason against a ranged attack within melee range, or None if there is none."""
    reading = rulings[rule.CLOSE]
    if action.reach != "ranged" or reading == "free":
        return None
    if action.weapon:
        return f"a ranged weapon can't be used within {REACH['melee']} yards (AF-70, A-25)"
    if reading == "all":
        return f"no ranged attack works within {REACH['melee']} yards (AF-70, A-25)"
    return None


@cites("AF-10", "AF-53", "AF-63", "AF-70")
def why_not(terms: Terms, action: Action) -> str | None:
    """Give the reason against an action now, or None if it can be taken."""
    setup, now, rulings = terms.setup, terms.striker, terms.rulings
    grade, sheet = TIERS[action.tier], setup.attacker
    cost = rulings[rule.DEFEND_COST]
    if now.defending and (cost == "turn" or (cost == "attack" and action.kind == "attack")):
        return "Defend was taken instead of attacking (AF-40)"
    if setup.held == "zero" and grade.rank:
        return f"held to count zero, only basic actions are left; this is {action.tier} (AF-63)"
    if is_big(action.tier):
        if rulings[rule.EXPERTS] == "one" and now.expert:
            return (
                f"one Expert or higher action in a turn; this {action.tier} one is second (AF-63)"
            )
        checks = rulings[rule.RESOLVE] != "off"
        if checks and now.resolve <= stage(rulings, "no expert"):
            return f"Resolve {now.resolve} is too low for {action.tier} actions (AF-53)"
    cap = cap_of(sheet, now, rulings, action.pool)
    if not action.pool and grade.minimum > cap:
        return (
            f"{action.tier} actions take at least "
            f"{spoken(grade.minimum, 'exertion')}; the cap is {cap} "
            "(AF-10)"
        )
    return why_out_of_range(setup, action, rulings)


@cites("AF-70")
def why_out_of_range(setup: Setup, action: Action, rulings: Rulings) -> str | None:
    """Give the reason why an action can't reach its target, or None if it can."""
    lost = dice_lost(setup, action, rulings)
    return lost if isinstance(lost, str) else None


def why_no_exertion(terms: Terms, plan: Plan, number: int) -> str:
    """Give the reason against so many exertion dice."""
    action = action_named(terms.setup.attacker, plan.name)
    tier = action.tier if action else KINDS[plan.deed]
    cap = cap_of(terms.setup.attacker, terms.striker, terms.rulings, action.pool if action else 0)
    if number > cap:
        return f"the cap is {cap} (AF-1)"
    return f"{tier} actions take at least {spoken(TIERS[tier].minimum, 'exertion')} (AF-10)"


# -- the roll of an action -------------------------------------------------------------------


class Attempt(NamedTuple):
    """The numbers of an action, once it is decided.

    Attributes:
        threshold: the least face that is a success. each: added to faces before.
        safe, burning: dice, those that can't burn and those that can.
        required: successes that are needed. more: successes that come besides.
        base, cap: damage, and how much extra successes can add.
        tier: of the action.
    """

    threshold: int
    each: int
    safe: int
    burning: int
    required: int
    more: int
    base: int
    cap: int
    tier: Tier


@cites("AF-2")
def threshold_of(action: Action | None, tier: Tier, rulings: Rulings) -> int:
    """The least face that is a success."""
    if rulings[rule.FACE] == "five":
        return FACES["any"]
    threshold = TIERS[tier].threshold
    if action is None or not action.weapon:
        return threshold
    floor = FACES["floor"] if rulings[rule.PRECISE] == "floor_two" else 1
    return max(min(floor, threshold), threshold - CLASSES[action.weapon].easier)


@cites("AF-2")
def _required(action: Action, rulings: Rulings) -> int:
    """Successes that an attack or healing needs."""
    printed = action.required or TIERS[action.tier].required
    if action.weapon:
        row, reading = CLASSES[action.weapon], rulings[rule.HEAVY]
        if action.weapon == "heavy" and reading == "one":
            return 1
        printed = action.required or row.required
        if reading == "weapon":
            printed = row.required
    return printed


def _base(action: Action) -> int:
    row = CLASSES[action.weapon] if action.weapon else TIERS[action.tier]
    return action.base or row.base


class _Boosted(NamedTuple):
    """The sum of all boosts: dice, so much to each face, successes, base damage."""

    dice: int = 0
    each: int = 0
    successes: int = 0
    damage: int = 0


@cites("AF-73")
def _holds(boost: Boost, terms: Terms) -> bool:
    """The trigger of a special ability is met."""
    now = terms.striker
    match boost.when:
        case "below_half":
            return now.raging
        case "hurt":
            return now.hurt
        case "unhurt":
            return not now.hurt
        case "ally_near":
            return terms.setup.ally_near
        case "bare_target":
            return not terms.struck.layers
        case "always":
            return True


def _boosts(terms: Terms) -> _Boosted:
    """Add up the boosts that hold."""
    total = _Boosted()
    for boost in terms.setup.attacker.boosts:
        if not _holds(boost, terms):
            continue
        adds: str = boost.adds
        if boost.when == "below_half" and adds == "dice":
            adds = terms.rulings[rule.RAGE]
        name = {"each_die": "each"}.get(adds, adds)
        total = total._replace(**{name: getattr(total, name) + boost.amount})
    return total


class _Dice(NamedTuple):
    base: Modifier
    rows: tuple[Modifier, ...]
    lost: int
    burning: int


def _dice(terms: Terms, plan: Plan, action: Action | None) -> _Dice:
    """The dice of an action: what they come from, what range takes, how many burn."""
    sheet, rulings = terms.setup.attacker, terms.rulings
    burning = plan.exertion
    if action is not None and action.pool:
        base = Modifier("printed pool", action.pool, "AF-74")
        if rulings[rule.NPC_BURN] != "none":
            burning += max(0, action.pool - sheet.prof)
    else:
        base = Modifier("Proficiency", sheet.prof, "AF-3")
    boost = _boosts(terms).dice if plan.deed == "attack" else 0
    variant = sheet.variant("rush") if plan.deed == "rush" else None
    lost = dice_lost(terms.setup, action, rulings) if plan.deed == "attack" and action else 0
    assert isinstance(lost, int)  # what can't be reached was never offered
    rows = (
        Modifier("exertion", plan.exertion, "AF-1"),
        Modifier("Affinity", plan.affinity, "AF-12"),
        Modifier("skill", sheet.skill_dice, "AF-11"),
        Modifier("home ground", terms.setup.home_dice, "AF-72"),
        Modifier("boost", boost, "AF-74"),
        Modifier("variant", variant.dice if variant else 0, "AF-79"),
        Modifier("range", -lost, "AF-70"),
        *(Modifier(found.name, -found.dice, "AF-72") for found in terms.striker.conditions),
    )
    if rulings[rule.AFFINITY] == "exertion":
        burning += plan.affinity
    return _Dice(base, tuple(row for row in rows if row.value), lost, burning)


def pool_total(terms: Terms, plan: Plan) -> Total:
    """The dice of an action, itemised; never fewer than none."""
    action = action_named(terms.setup.attacker, plan.name)
    dice = _dice(terms, plan, action)
    return Total(dice.base, dice.rows, low=-dice.base.value, cap="AF-70")


@cites("AF-3", "AF-11", "AF-70", "AF-72", "AF-74")
@remembers(8192)
def attempt_of(terms: Terms, plan: Plan) -> Attempt:
    """The numbers of an action, once it is decided."""
    sheet, rulings = terms.setup.attacker, terms.rulings
    action = action_named(sheet, plan.name)
    tier = action.tier if action else KINDS[plan.deed]
    dice = _dice(terms, plan, action)
    whole = pool_total(terms, plan).value
    burning = dice.burning
    if rulings[rule.PENALTY] == "exertion":
        burning = max(0, burning - dice.lost)
    burning = min(burning, whole)
    boosted = _boosts(terms) if plan.deed == "attack" else _Boosted()
    if action:
        required = _required(action, rulings)
    elif plan.deed == "stabilize":
        required = STABILIZED[rulings[rule.STABILIZE]]
    else:
        required = NEEDS[plan.deed]
    if required:
        required += harder(terms.striker.resolve, TIERS[tier].rank, rulings)
    return Attempt(
        threshold=threshold_of(action, tier, rulings),
        each=boosted.each,
        safe=whole - burning,
        burning=burning,
        required=required,
        more=boosted.successes + terms.setup.given if whole else 0,
        base=_base(action) + boosted.damage if action else 0,
        cap=sheet.prof,
        tier=tier,
    )


@cites("AF-42", "AF-79")
def rush_cost(sheet: Combatant) -> int:
    """The Resolve that a Rush costs."""
    variant = sheet.variant("rush")
    return variant.resolve if variant else RUSH["resolve"]


@cites("AF-41", "AF-79")
def guard_of(place: int, ally: Ally, rulings: Rulings, now: CombatantState | None = None) -> Guard:
    """Describe one of the defender's allies as an Intervener, or the reason against it.

    Args:
        place: which of them it is.
        ally: the sheet, and how far away they stand.
        rulings: the readings in force.
        now: their condition; left out: as on the sheet.
    """
    sheet = ally.combatant
    now = condition_of(sheet, rulings) if now is None else now
    variant = sheet.variant("intervene")
    reach = variant.reach_yd if variant else REACH["intervene"]
    why = ""
    if "intervene" not in sheet.universal:
        why = "Intervene is not one of their actions (AF-43)"
    elif state_of(now.hd, now.resolve, rulings) != "up":
        why = "they are out of action themselves (AF-50)"
    elif now.acted:
        why = "they have acted in this round already (AF-41)"
    elif not now.actions:
        why = "they have no action left (AF-41)"
    elif ally.distance_yd > reach:
        why = f"they are {ally.distance_yd} yards away; it reaches {reach} (AF-41)"
    needs = NEEDS["intervene"] + harder(now.resolve, 0, rulings)
    hampered = sum(found.dice for found in now.conditions)
    more = variant.dice if variant else 0
    safe = max(0, sheet.prof + sheet.skill_dice + more - hampered)
    name = called(sheet, f"ally {place + 1}")
    return Guard(place, name, safe, cap_of(sheet, now, rulings), needs, why, now.gone, reach)
