"""Steps 4 and 5 of attacks on an area: where it goes off, whom it reaches, who gets away.

Nobody opposes such an attack: its own roll decides whether it goes where it was aimed. Grenades
and missiles that miss land somewhere else. Then everybody within reach may roll Fray, to avoid
the worst of it. Damage, armor and wounds follow for each as in any attack (`harm`).
"""

from __future__ import annotations

from affray.core.dice import D100, Pool
from affray.core.errors import RulesError
from affray.core.node import At, Chance, Go, Node, Option, choose
from affray.core.step import cites, step
from affray.systems.eclipse_phase import harm
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.blast import (
    Area,
    Landing,
    Reach,
    ScatterRead,
    landing_at,
    scatter_dice,
)
from affray.systems.eclipse_phase.harm import Blow, Factors, damage_dice
from affray.systems.eclipse_phase.opposed import (
    attack_rolled,
    prevails,
    target_rolled,
    tie_goes_to,
)
from affray.systems.eclipse_phase.pools import after_roll, can_help, put
from affray.systems.eclipse_phase.reading import (
    LOST,
    DefenseRead,
    Result,
    TestRead,
    WideRead,
    strength,
)
from affray.systems.eclipse_phase.state import MISSED, Exchange, Struck, Target
from affray.systems.eclipse_phase.tables import SHAPED

__all__ = ["STEPS", "detonate", "judge_attack"]

PERCENT = Pool((D100, 1))


def _area(x: Exchange) -> Area:
    area = x.numbers.area
    if area is None:
        raise RulesError("a step of area attacks came in an attack that has no area")
    return area


# -- where it goes off -----------------------------------------------------------------------


@step("EP-39", "EP-54", "EP-59", "EP-101", "EP-102")
def judge_attack(x: Exchange) -> Node[Exchange]:
    """The attack roll alone decides whether an area attack goes where it was aimed."""
    attack, roll = x.numbers, x.roll
    told = x.rulings[rule.SUPERIOR_FAILURE] == "told"
    after = x._replace(
        fumble=not roll.success and roll.critical,
        failures=max(0, -roll.superior) if told else 0,
        broken=x.broken or (attack.fragile and roll.superior < 0),
    )
    if roll.success and attack.wide:
        return Chance("attacker", "blind shot", PERCENT, WideRead(), "wide", At(judge_blind, after))
    return Go(detonate, after)


@judge_attack.briefly
@judge_attack.says
def _(before: Exchange, after: Exchange) -> str:
    return "On target." if _on_target(before) else "Off target."


@step("EP-101")
def judge_blind(x: Exchange) -> Node[Exchange]:
    """A blind shot that goes wide misses the point aimed at."""
    return Go(detonate, x._replace(roll=LOST if x.wide else x.roll, wide=False))


@judge_blind.briefly
@judge_blind.says
def _(before: Exchange, after: Exchange) -> str:
    return "The shot goes wide." if before.wide else "The shot is on target."


@cites("EP-39")
def _on_target(x: Exchange) -> bool:
    """Whether the attack goes where it was aimed; nobody defends a spot (A-22)."""
    automatic = x.targets[0].skill == "unable" and x.rulings[rule.UNDEFENDED] == "automatic"
    return x.roll.success or automatic


@step("EP-102", "EP-104", "EP-105", "EP-108")
def detonate(x: Exchange) -> Node[Exchange]:
    """An explosive that misses, or comes to rest before it goes off, scatters."""
    area, on_target = _area(x), _on_target(x)
    if area.shape == "cone":
        reach = Reach() if on_target else None
        return Go(reach_targets, x._replace(landing=Landing(0, (reach,) * len(x.targets))))
    if area.needs_test and not on_target:
        return Go(reach_targets, x._replace(landing=Landing(0, (None,) * len(x.targets))))
    shaped = area.tested and on_target and area.arc != "none"
    if shaped:
        x = x._replace(attack=x.numbers._replace(times=SHAPED[area.arc]))
    if area.placed or (on_target and area.settles):
        landing = landing_at(area, _most(x), shaped=shaped)
        return Go(reach_targets, x._replace(landing=landing))
    times = (1, *area.growth)[max(0, -x.roll.superior)]
    read = ScatterRead(area, times, _most(x))
    dice = scatter_dice(area, [target.called for target in x.targets])
    return Chance("attacker", "scatter: direction and meters", dice, read, "landing",
                  At(reach_targets, x))  # fmt: skip


@cites("EP-102")
def _most(x: Exchange) -> int:
    """The highest DV that the attack can have."""
    attack = x.numbers
    if attack.no_damage:
        return 0
    critical, superior = _success(x)
    doubled = critical and not _area(x).on_objects
    pool, read = damage_dice(attack, Blow(superior, doubled), Factors.of(x.rulings))
    kept = pool.size - read.minus
    faces = [max(map(int, die.faces)) if place < kept else 1
             for place, die in enumerate(pool.dice)]  # fmt: skip
    return read(tuple(faces))


def _success(x: Exchange) -> tuple[bool, int]:
    """Whether the attack roll is a critical success, and its superior successes."""
    return x.roll.success and x.roll.critical, max(0, x.roll.superior)


@step("EP-46", "EP-102", "EP-104")
def reach_targets(x: Exchange) -> Node[Exchange]:
    """Whoever is within reach of where it goes off is caught in it."""
    landing, area = x.landing, _area(x)
    if landing is None:
        raise RulesError("an area attack reaches its targets before it has landed")
    critical = area.on_objects and _success(x)[0]
    targets = tuple([
        target._replace(reach=reach, av=target.av_bypassed if critical and is_object else target.av)
        for target, reach, is_object in zip(x.targets, landing.reaches, area.objects, strict=True)
    ])  # fmt: skip
    fights = any(reach is not None for reach in landing.reaches)
    # Without a roll of Fray to compare it with, the number on the die is no longer needed.
    roll = x.roll if fights and (area.opposed or x.roll.success) else LOST
    return Go(dodge, x._replace(
        targets=targets, scatter_m=landing.scatter_m, landing=None, roll=roll
    ))  # fmt: skip


def _told(reach: Reach | None) -> str:
    if reach is None:
        return "is out of reach"
    return f"is caught at -{reach.lost} DV" if reach.lost else "is caught"


@reach_targets.briefly
@reach_targets.says
def _(before: Exchange, after: Exchange) -> str:
    area = _area(before)
    if area.shape == "cone":
        return ""
    where = f"{after.scatter_m} m from the point aimed at" if after.scatter_m else "on the spot"
    parts = [f"{target.called} " + _told(target.reach) for target in after.targets]
    return f"It goes off {where}: {', '.join(parts)}."


# -- who gets away ---------------------------------------------------------------------------


def _may_spend(target: Target) -> bool:
    return not target.helped and can_help(target.pools, target.skill)


def _is_opposed(x: Exchange) -> bool:
    """Whether Fray has to beat an attack roll (A-16)."""
    return _area(x).opposed and x.roll.success


@step("EP-46", "EP-52", "EP-103")
def dodge(x: Exchange) -> Node[Exchange]:
    """Everybody within reach may roll Fray, one after the other."""
    place = len(x.struck)
    if place == len(x.targets):
        over = tuple([target_rolled(target) for target in x.targets])
        return Go(harm.next_target, x._replace(
            roll=LOST, attack=attack_rolled(x.numbers), targets=over
        ))  # fmt: skip
    target = x.targets[place]
    if target.reach is None:
        return Go(dodge, x._replace(struck=(*x.struck, MISSED)))
    if target.tn is None:
        return Go(count_dodge, x._replace(defense=LOST))
    if _may_spend(target):
        read = TestRead(target.tn, target.zero)
        return Chance(target.actor, "Fray roll", PERCENT, read, "defense", At(spend_on_dodge, x))
    then = At(count_dodge, x)
    if _is_opposed(x):
        tie = tie_goes_to(x, target, x.roll)
        against = DefenseRead(target.tn, target.zero, strength(x.roll), tie)
        return Chance(target.actor, "Fray roll", PERCENT, against, "defense", then)
    plain = TestRead(target.tn, target.zero, "pass")
    return Chance(target.actor, "Fray roll", PERCENT, plain, "defense", then)


@step("EP-20")
def spend_on_dodge(x: Exchange) -> Node[Exchange]:
    """After rolling Fray against an area attack, the target may spend a pool point."""
    place = len(x.struck)
    target = x.targets[place]
    if target.tn is None:
        raise RulesError("nobody rolled Fray here")
    options = []
    for offer in after_roll(x.defense, target.tn, target.zero, target.pools, target.skill,
                            flips=target.flips, upgrades=False):  # fmt: skip
        paid = target._replace(pools=offer.pools)
        facts = x._replace(defense=_counted(x, offer.result), targets=put(x.targets, place, paid))
        options.append(Option(offer.name, At(count_dodge, facts), offer.spends, offer.words))
    about = (("roll", x.defense.face), ("needed", target.tn))
    return choose(target.actor, "spend a pool point on the Fray roll?", options, about)


def _counted(x: Exchange, result: Result) -> Result:
    """A result without what makes no difference."""
    return result if _is_opposed(x) else TestRead(0, detail="pass").kept(result)


@step("EP-46", "EP-57", "EP-58", "EP-71", "EP-103", "EP-108")
def count_dodge(x: Exchange) -> Node[Exchange]:
    """Fray that succeeds avoids the attack near its edge or cover, and halves it elsewhere."""
    area, place = _area(x), len(x.struck)
    target = x.targets[place]
    dodged = x.defense.success
    if dodged and _is_opposed(x):
        dodged = prevails(x, target, x.roll) == "defense"
    near = target.reach is not None and target.reach.edge
    if dodged and (near or area.sheltered[place]):
        struck = MISSED._replace(dodged=True)
        x = x._replace(targets=put(x.targets, place, target._replace(reach=None)))
    else:
        struck = _caught(x, place)._replace(dodged=dodged)
    return Go(dodge, x._replace(struck=(*x.struck, struck), defense=LOST))


@cites("EP-57", "EP-58", "EP-71", "EP-108")
def _caught(x: Exchange, place: int) -> Struck:
    """What the attack roll adds for one who is caught (A-12)."""
    area = _area(x)
    critical, superior = _success(x)
    if area.on_objects:
        return Struck(True, extra=superior if area.objects[place] else 0)
    first = not any(struck.hit for struck in x.struck)
    if not first and x.rulings[rule.SHARED_SUPERIOR] == "first":
        return Struck(True)
    return Struck(True, critical, superior, extra=superior, doubled=critical)


@count_dodge.briefly
@count_dodge.says
def _(before: Exchange, after: Exchange) -> str:
    struck, target = after.struck[-1], before.targets[len(before.struck)]
    against = "No Fray" if target.tn is None else f"Fray against {target.tn}"
    if not struck.dodged:
        return f"{against}: {target.called} takes it in full."
    return f"{against}: {target.called} " + ("takes half." if struck.hit else "gets away.")


STEPS = (
    judge_attack, judge_blind, detonate, reach_targets, dodge, spend_on_dodge, count_dodge,
)  # fmt: skip
