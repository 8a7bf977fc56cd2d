"""Engines may know this of the rules to be quick; see `affray.core.hints`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from affray.core.hints import Hidden, Hints, Reserve
from affray.core.node import At, Chance
from affray.core.ruling import Rulings
from affray.core.unknown import UNKNOWN, merges_places
from affray.systems.eclipse_phase import (
    aftermath,
    ambush,
    area,
    declaration,
    economy,
    harm,
    roll,
)
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.alike import (
    ATTACK_ROLL,
    at_attack_point,
    at_check,
    at_comparison,
    at_damage,
    at_defense,
    kept,
    merged,
    one_of_each,
    settled,
    spares_points,
    without_attack,
)
from affray.systems.eclipse_phase.at_once import at_once
from affray.systems.eclipse_phase.condition import Condition, Effect
from affray.systems.eclipse_phase.reading import DefenseRead
from affray.systems.eclipse_phase.scenes import MOST_CAUGHT
from affray.systems.eclipse_phase.sheet import Combatant
from affray.systems.eclipse_phase.state import Attack, CalledEffect, Exchange, Struck, Target
from affray.systems.eclipse_phase.tables import LASTING

__all__ = ["HINTS"]

merges_places(__name__)  # no rule stands here

HIT = (
    "hit",
    "critical",
    "superior",
    "deadlock",
    "defense_critical",
    "fumble",
    "failures",
    "broken",
    "rounds",
)
HURT = (*HIT, "dv", "net")
OVER = (*HURT, "incapacitated", "revivable", "breakdown", "insane")
ROLL_DEFENCE, COMPARE_ROLLS = roll.roll_defence, roll.compare_rolls
JUDGE_ATTACK = area.judge_attack
"""Outcome fields that don't change once an attack has hit, done damage, been resisted."""
OF_FIRST = frozenset({
    *OVER, "unconscious", "knocked_out", "dead", "prone", "conditions", "wounds", "traumas",
})  # fmt: skip
"""Outcome fields of the first target, which nothing that befalls others changes."""
OF_ALL = frozenset({"net_all"})
ENDLESS = 1_000_000
THROUGH = frozenset({"net", "net_all"})
"""The damage that gets through armor."""
OUT = frozenset({
    "unconscious", "dead", "incapacitated", "breakdown", "insane", "conditions",
})  # fmt: skip
OF_EARLIER_HARM = frozenset({
    "incapacitated", "unconscious", "revivable", "dead", "bleeding", "dies_in", "total",
    "all_wounds", "calls_need", "spent_on_checks", "all_traumas", "total_stress",
    "breakdown", "insane",
})  # fmt: skip
"""Outcome fields on which harm from before the attack bears."""
OF_OTHERS = frozenset({
    f"{name}_{place}" for name in ("net", "wounds", "prone", "knocked_out", "conditions")
    for place in range(2, MOST_CAUGHT + 2)
})  # fmt: skip
"""The same of those whom a blast catches besides its target."""
NEEDED = OF_OTHERS | {
    "net", "wounds", "prone", "knocked_out", "target_pools", "attacker_pools", "exposed",
    "conditions", "stress", "ambush", "broken",
}  # fmt: skip
"""What the effects of a fight are made of."""


def forget(roll: Chance[Exchange], needed: frozenset[str]) -> Chance[Exchange]:
    """Facts after a roll without what only other outcome fields need.

    From the damage roll on no clause reads how well the attack hit; and of a target that is
    done nothing is read at all.
    """
    at = roll.then
    if at.step is COMPARE_ROLLS and "defense_critical" not in needed:
        read = roll.read
        if isinstance(read, DefenseRead) and read.tells:
            return roll._replace(read=DefenseRead(*read[:4], tells=False))
        return roll
    roll = merged(roll, needed)
    at = roll.then
    x = at.facts
    if at.step in {ROLL_DEFENCE, JUDGE_ATTACK}:
        if not needed & OF_EARLIER_HARM:
            roll = _without_earlier_harm(roll)
        if at.step is JUDGE_ATTACK:
            return roll
        if needed <= THROUGH:
            return at_once(without_attack(_for_armor(roll), needed))
        return without_attack(roll, needed)
    done, struck = x.done, x.struck
    if at.step is harm.apply_armor and needed <= THROUGH and len(x.targets) == 1 and not done:
        return roll._replace(then=At(at.step, _armored(x.rulings, struck[0].effect, x.targets[0])))
    if at.step is harm.apply_armor and struck:
        now = struck[0]
        if "critical" not in needed:
            now = now._replace(critical=False)
        entangles = any(test.kind == "entangling" for test in x.targets[0].tests)
        if not entangles and "superior" not in needed:
            now = now._replace(superior=0)
        struck = (now, *struck[1:])
    elif at.step is harm.weaken_blast:
        entangles = any(test.kind == "entangling" for one in x.targets for test in one.tests)
        keeps = needed | {"superior"} if entangles else needed
        struck = tuple([_spread(record, keeps) for record in struck])
    if done:
        done = tuple(kept(record, place, needed) for place, record in enumerate(done, start=1))
    lands_m = x.lands_m if "lands_m" in needed else 0
    scatter_m = x.scatter_m if "scatter_m" in needed else 0
    if (done, struck, lands_m, scatter_m) == (x.done, x.struck, x.lands_m, x.scatter_m):
        return roll
    rest = x._replace(done=done, struck=struck, lands_m=lands_m, scatter_m=scatter_m)
    return roll._replace(then=At(at.step, rest))


_BARE = Target(
    tn=None, skill="", shift=0, av=0, av_bypassed=0, wt=0, dur=ENDLESS, dr=ENDLESS, damage=0,
    wounds=0, ignored=0, step=0, others=0, som=0, ref=0, wil=0, pain=0, tests=(), tolerance=0,
    falls=False, bleeds=False, treated=False, stress=False, pools=(), flips=False, bare_shift=0,
    number=1, mates=(),
)  # fmt: skip
"""A target to which nothing happens, whatever gets through."""


def _for_armor(roll: Chance[Exchange]) -> Chance[Exchange]:
    """An attack roll on a single target, with no more than what leads to the damage."""
    step, x = roll.then
    if len(x.targets) > 1 or x.struck or x.done or x.numbers.area or x.rest[0]:
        return roll
    target = _shielded(x.targets[0])
    rest = Exchange(x.rulings, attack=x.attack, targets=(target,), ready=x.ready, spent=x.spent)
    return roll._replace(then=At(step, rest))


@lru_cache(maxsize=4096)
def _shielded(target: Target) -> Target:
    """A target with no more than defense, points and armor.

    Points help with some skills only, and who is unable to defend is hit without a comparison.
    """
    named = target.skill == "unable" or target.pools
    return _BARE._replace(
        tn=target.tn, plus=target.plus, bare=target.bare, zero=target.zero, edge=target.edge,
        skill=target.skill if named else "", shift=target.shift, bare_shift=target.bare_shift,
        av=target.av, av_bypassed=target.av_bypassed, pools=target.pools, flips=target.flips,
        number=target.number, mates=target.mates, helped=target.helped,
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _armored(rulings: Rulings, effect: CalledEffect, target: Target) -> Exchange:
    """The only target of an attack, with no more of it than armor: others share what gets through.

    Half the damage takes its effect along.
    """
    av = target.av_bypassed if effect.bypasses_armor else target.av
    kept = CalledEffect("disarm") if effect.halves_damage else CalledEffect()
    bare = _BARE._replace(av=av, av_bypassed=av)
    return Exchange(rulings, targets=(bare,), struck=(Struck(hit=True, effect=kept),))


def at_points(x: Exchange, needed: frozenset[str]) -> Exchange:
    """Facts before a point is spent on either roll, with no more points than such a roll takes."""
    if ATTACK_ROLL in needed or len(x.targets) > 1 or x.struck or x.done or x.rest[0]:
        return x
    return x if x.numbers.area else _with_points(x, x.numbers, x.targets[0], needed)


def at_attack_roll(x: Exchange, needed: frozenset[str]) -> Exchange:
    """Facts before a point is spent on an attack roll, as `at_points` and the roll make them."""
    known = at_attack_point(x, needed)
    if known is None:
        return x
    if x.done or x.rest[0]:
        spent = x.spent if "spent" in needed else 0
        return x._replace(attack=known[0], targets=(known[1],), spent=spent)
    return _with_points(x, *known, needed)


def _with_points(
    x: Exchange, attack: Attack, target: Target, needed: frozenset[str]
) -> Exchange:  # fmt: skip
    """Facts with these numbers, and no more points than a roll takes."""
    attack, target = _pointed(attack, target, needed, x.rulings[rule.BLEEDING])
    if needed <= THROUGH:
        return Exchange(
            x.rulings, attack=attack, targets=(target,), ready=x.ready, roll=x.roll,
            defense=x.defense,
        )  # fmt: skip
    spent = x.spent if "spent" in needed else 0
    return x._replace(attack=attack, targets=(target,), spent=spent)


@lru_cache(maxsize=4096)
def _pointed(
    attack: Attack, target: Target, needed: frozenset[str], bleeding: str
) -> tuple[Attack, Target]:
    """Numbers with no more points than the rolls take, as far as these outcome fields go."""
    if "attacker_pools" not in needed:
        attack = _attacking(attack)
    if spares_points(target, needed, bleeding):
        target = _defending(target)
    return attack, _shielded(target) if needed <= THROUGH else target


def at_roll(x: Exchange, needed: frozenset[str]) -> Exchange:
    """Facts before an attack roll, when no point is spent on a number any more."""
    if ATTACK_ROLL in needed or len(x.targets) > 1 or x.struck or x.numbers.area:
        return x
    if x.targets[0].shift:
        return x
    attack, target = settled(x.numbers, x.targets[0])
    return x._replace(attack=attack, targets=(target,))


def _attacking(attack: Attack) -> Attack:
    if attack.helped:
        return attack._replace(pools=(), plus=0, bare=0, unhelped=0)
    return attack._replace(pools=one_of_each(attack.pools, attack.skill), unhelped=0)


def _defending(target: Target) -> Target:
    if target.helped or target.tn is None:
        return target._replace(pools=(), plus=0, bare=0)
    return target._replace(pools=one_of_each(target.pools, target.skill))


def _without_earlier_harm(roll: Chance[Exchange]) -> Chance[Exchange]:
    """Facts without wounds and traumas of targets that make no check on which these count."""
    x = roll.then.facts
    if x.numbers.called != "none":
        return roll
    targets = tuple([
        target if target.falls or target.tests or target.pools or target.stress
        else target._replace(damage=0, wounds=0, others=0)
        for target in x.targets
    ])  # fmt: skip
    if targets == x.targets:
        return roll
    return roll._replace(then=At(roll.then.step, x._replace(targets=targets)))


def _spread(record: Struck, needed: frozenset[str]) -> Struck:
    """Of a target in an area: how well the attack hit has done its part once damage is rolled."""
    if "critical" not in needed:
        record = record._replace(critical=False)
    return record if "superior" in needed else record._replace(superior=0)


def _over(x: Exchange) -> frozenset[str]:
    """What no target to come changes any more: all of the first one, once that is done."""
    fixed = OF_FIRST if x.done else frozenset()
    if any(struck.hit for struck in x.struck[1:]):
        return fixed
    return fixed | OF_ALL


def _checked(x: Exchange) -> frozenset[str]:
    """The same once wounds are counted, with what no check that is still to come changes."""
    fixed = _over(x)
    if not x.done:
        fixed |= {"wounds", "traumas"}
        kills = x.rulings[rule.BLEEDING] != "once"
        if not (kills and any(check.kind == "stop_bleeding" for check in x.checks)):
            fixed |= {"dead"}
    return fixed | {"wounds_all"} if fixed >= OF_ALL else fixed


def _first_done(x: Exchange) -> frozenset[str]:
    return OF_FIRST if x.done else frozenset()


def visible(condition: Condition) -> Condition:
    """A condition as attacks see it: wounds and traumas matter, damage doesn't."""
    return condition._replace(damage=0, stress=0)


def part(condition: Condition) -> tuple[int, int]:
    """Damage and stress so far."""
    return condition.damage, condition.stress


def veiled(condition: Condition, part: Any) -> Condition:
    """A condition with this in place of damage and stress."""
    damage, stress = (UNKNOWN, UNKNOWN) if part is UNKNOWN else part
    return condition._replace(damage=damage, stress=stress)


def adds(effect: Effect) -> tuple[tuple[int, int], Effect] | None:
    """Damage, or stress, is added to what there was; those who bleed to death are another matter.

    Damage and stress are capped after they are added up.
    """
    if not effect.net or effect.besides.bled:
        return None
    return (0, effect.net) if effect.stress else (effect.net, 0), effect._replace(net=0)


def acting(sheet: Combatant, condition: Condition) -> Condition:
    """A combatant who attacks: wounds and traumas that are ignored make no difference.

    With whole turns points may buy off others.
    """
    if condition.rare.economy:
        return condition
    wounds, traumas = condition.wounds, condition.traumas
    wounds = wounds if wounds > sheet.ignored_wounds else 0
    traumas = traumas if traumas > sheet.ignored_traumas else 0
    if (wounds, traumas) == (condition.wounds, condition.traumas):
        return condition
    return condition._replace(wounds=wounds, traumas=traumas)


def struck(sheet: Combatant, condition: Condition) -> Condition:
    """A combatant who is attacked: for how long a condition goes on makes no difference yet.

    Nor does it whether they flee, since they defend all the same; what entangles counts. Nobody
    defends with rounds.
    """
    if condition.rounds:
        condition = condition._replace(rounds=())
    if not condition.states:
        return condition
    states = tuple([
        (name, turns if name == "entangled" or turns >= LASTING else 1)
        for name, turns in condition.states if name != "fleeing"
    ])  # fmt: skip
    return condition._replace(states=states)


def frugal(sheet: Combatant, condition: Condition) -> Condition:
    """A combatant whose pool points nobody will spend."""
    return condition._replace(pools=(0, 0, 0, 0, 0))


def purse(x: Exchange) -> Exchange:
    """An exchange whose pool points are gone, and nobody counts those that were spent."""
    return x._replace(
        pools=(), spent=0, targets=tuple([one._replace(pools=()) for one in x.targets]),
        struck=tuple([one._replace(pools=(), spent=0) for one in x.struck]),
        done=tuple([one._replace(pools=(), spent=0) for one in x.done]),
    )  # fmt: skip


ROLLED_FOR = frozenset({"net", "net_all", "wounds", "wounds_all", "traumas"})
"""Outcome fields that attack and defense decide, and no check."""


def without_spare(
    sheet: Combatant, condition: Condition, spends_for: frozenset[str] | None
) -> Condition:
    """A combatant with no more than a point in each pool, where only attack and defense are helped.

    Either roll takes one point at most. In ambush, and with whole turns, more is spent.
    """
    pools, rare = condition.pools, condition.rare
    if spends_for is None or not spends_for <= ROLLED_FOR or rare.economy or rare.ambush:
        return condition
    if max(pools) <= 1:
        return condition
    vigor, insight, moxie, threat, flex = (min(1, points) for points in pools)
    return condition._replace(pools=(vigor, insight, moxie, threat, flex))


def with_spare(after: Condition, known: Condition, whole: Condition) -> Condition:
    """A combatant with the points that were not at stake."""
    vigor, insight, moxie, threat, flex = (
        left + had - staked
        for left, had, staked in zip(after.pools, whole.pools, known.pools, strict=True)
    )
    return after._replace(pools=(vigor, insight, moxie, threat, flex))


HARM = (
    "called", "weapon_d10", "weapon_d6", "weapon_flat", "d10", "d6", "minus", "half_ammo",
    "half_small", "tiny", "no_damage", "times",
)  # fmt: skip
"""Fields of an attack at which nothing looks before it has hit."""


HINTS: Hints[Exchange, Combatant, Condition] = Hints(
    needed=NEEDED,
    fixes={
        harm.next_target: HIT,
        harm.choose_effect: HIT,
        harm.roll_damage: HIT,
        harm.weaken_blast: HIT,
        harm.apply_armor: HIT,
        harm.apply_damage: HURT,
        aftermath.count_wounds: OVER,
        aftermath.call_for_check: OVER,
        aftermath.roll_check: OVER,
        aftermath.spend_on_check: OVER,
        aftermath.apply_check: OVER,
        aftermath.scatter_weapon: OVER,
    },
    fixes_where={
        harm.next_target: _first_done,
        harm.apply_damage: _over,
        aftermath.count_wounds: _over,
        aftermath.call_for_check: _checked,
        aftermath.roll_check: _over,
        aftermath.spend_on_check: _over,
        aftermath.apply_check: _over,
    },
    decides={
        "damage": ("net_all",),
        "wound": ("wounds", "traumas"),
        "wounds": ("wounds_all",),
        "disable": OUT,
        "survive": OUT,
        "kill": ("dead",),
        "unhurt": ("net",),
    },
    outdone={
        "damage": {
            declaration.choose_called_shot: dict.fromkeys(
                ("disarm", "knockdown", "redirect", "specific"), "none"
            ),
        },
    },
    plain={
        roll.spend_before_attack: at_points,
        roll.spend_before_defence: at_points,
        roll.roll_attack: at_roll,
        roll.spend_after_attack: at_attack_roll,
        roll.roll_defence: at_defense,
        roll.compare_rolls: at_comparison,
        harm.apply_damage: at_damage,
        aftermath.call_for_check: at_check,
    },
    forget=forget,
    shown=frozenset({ATTACK_ROLL}),
    seams=frozenset({harm.next_target}),
    rejoins=frozenset({ROLL_DEFENCE, COMPARE_ROLLS}),
    defers=dict.fromkeys(
        (roll.roll_attack, roll.spend_after_attack, roll.roll_defence, roll.spend_after_defence),
        ("attack", HARM),
    ),
    hidden=Hidden(part, visible, veiled),
    acting=acting,
    struck=struck,
    adds=adds,
    frugal=frugal,
    spends_at={
        ambush.spend_before_hiding: ("none",),
        ambush.spend_after_hiding: ("none",),
        ambush.spend_before_noticing: ("none",),
        ambush.spend_after_noticing: ("none",),
        roll.spend_before_attack: ("none",),
        roll.spend_before_defence: ("none",),
        roll.spend_after_attack: ("none",),
        roll.spend_after_defence: ("none",),
        aftermath.call_for_check: ("none",),
        aftermath.spend_on_check: ("none",),
        economy.choose_extra: ("none",),
    },
    purse=purse,
    reserve=Reserve(without_spare, with_spare),
)
