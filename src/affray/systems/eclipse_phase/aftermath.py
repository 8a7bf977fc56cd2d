"""Step 9: wounds, the checks that they call for, and the next target."""

from __future__ import annotations

from typing import assert_never

from affray.core.dice import D100, Pool
from affray.core.loop import Loop
from affray.core.node import At, Chance, End, Go, Node, Option, choose
from affray.core.reading import SumOfDice
from affray.core.step import cites, step
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.pools import after_roll, before_roll, can_help, put, with_threat
from affray.systems.eclipse_phase.reading import LOST, TestRead
from affray.systems.eclipse_phase.state import (
    Check,
    Exchange,
    Struck,
    Target,
    TraitTest,
    outcome,
)
from affray.systems.eclipse_phase.tables import (
    BLEEDING_TREATED,
    CALLED_CHECK,
    ENTANGLED,
    MODIFIER_LIMIT,
    POOL_BONUS,
    SCATTER,
)

__all__ = ["NEXT_TARGET", "STEPS"]

PERCENT = Pool((D100, 1))

NEXT_TARGET: Loop[Exchange] = Loop("the next target")
"""Where damage to the next target that was hit begins."""


def _hurt(x: Exchange, struck: Struck) -> tuple[Struck, ...]:
    return (struck, *x.struck[1:])


# -- step 9: wounds --------------------------------------------------------------------------


@step("EP-61", "EP-66", "EP-67", "EP-109", "EP-110", "EP-111", "EP-112", "EP-113")
def count_wounds(x: Exchange) -> Node[Exchange]:
    """Each full Wound Threshold is a wound; wounds call for checks."""
    struck, target = x.struck[0], x.targets[0]
    wounds = struck.net // target.wt if target.wt else 0
    traits = struck.net > 0 or x.rulings[rule.STOPPED_EFFECTS] == "hit"
    collapses = struck.incapacitated and target.falls
    hurt = struck._replace(
        wounds=wounds,
        all_wounds=target.wounds + wounds,
        prone=target.falls and (wounds >= 2 or struck.effect.knocks_down or collapses),
        knocks=False,
        disarmed=struck.effect.takes_weapon,
        stress=target.stress,
    )
    if traits and target.tests:
        hurt = hurt._replace(
            calls=tuple([test.kind for test in target.tests]),
            needs=tuple([_needed(x, hurt, test) for test in target.tests]),
        )
    checks = () if hurt.dead else _checks(x, hurt, knocks=traits and struck.knocks)
    return Go(call_for_check, x._replace(struck=_hurt(x, hurt), checks=checks))


@cites("EP-61", "EP-107")
def _needed(x: Exchange, hurt: Struck, test: TraitTest) -> int:
    """The target number of a test that a trait calls for; the new wounds count."""
    if test.kind == "entangling":
        test = test._replace(modifier=ENTANGLED * hurt.superior)
    return check_numbers(x._replace(struck=_hurt(x, hurt)), test)[0]


@count_wounds.says
def _(before: Exchange, after: Exchange) -> str:
    struck, target = after.struck[0], before.targets[0]
    kind = "trauma" if target.stress else "wound"
    number = {0: "no", 1: "one"}.get(struck.wounds, str(struck.wounds))
    count = f"{struck.net} against a threshold of {target.wt}: {number} {kind}"
    tests = zip(target.tests, struck.needs, strict=False)
    calls = [f"{test.kind}: {test.aptitude.upper()} check against {tn}" for test, tn in tests]
    told = f"{count}{'s' * (struck.wounds != 1)}{', knocked down' * struck.prone}."
    return f"{told} Further tests: {'; '.join(calls)}." if calls else told


def _checks(x: Exchange, struck: Struck, *, knocks: bool) -> tuple[Check, ...]:
    """The checks that a hit calls for, in the order in which they are made."""
    target = x.targets[0]
    checks = []
    if target.falls:
        if struck.wounds >= 2:
            checks.append(Check("stay_conscious", "som"))
        elif (struck.wounds == 1 or knocks) and not struck.prone:
            checks.append(Check("stand", "som"))
    harder = CALLED_CHECK["second" if struck.effect.second == "harder" else "first"]
    if struck.effect.called == "disarm" and not struck.effect.takes_weapon:
        checks.append(Check("hold_weapon", "som", harder))
    elif struck.effect.called == "redirect":
        checks.append(Check("catch_on", "ref", harder))
    wounded = struck.all_wounds > 0 or x.rulings[rule.BLEEDS_UNWOUNDED] == "yes"
    if target.bleeds and struck.incapacitated and wounded:
        checks.append(Check("stop_bleeding", "som", BLEEDING_TREATED if target.treated else 0))
    return tuple(checks)


@cites("EP-8", "EP-19", "EP-50", "EP-109", "EP-110", "EP-113")
def check_numbers(x: Exchange, check: Check | TraitTest) -> tuple[int, int, int]:
    """Target number of a check with all wounds so far; with a point; without modifiers."""
    target, rulings = x.targets[0], x.rulings
    value = {"som": target.som, "ref": target.ref, "wil": target.wil}[check.aptitude]
    modifier = check.modifier + (target.pain if check.aptitude == "som" else 0)
    wounds = x.struck[0].all_wounds
    if check.kind in {"stand", "stay_conscious"} and rulings[rule.FRESH_WOUND] == "earlier":
        wounds -= x.struck[0].wounds
    harm = target.step * max(0, wounds - target.ignored) + target.others
    above = harm if rulings[rule.WOUND_CAP] == "outside" else 0
    inside = modifier + harm - above
    tn = value + _clamped(inside) + above
    plus = tn + POOL_BONUS
    if rulings[rule.POOL_CAP] == "inside":
        plus = value + _clamped(inside + POOL_BONUS) + above
    helps = check.modifier if rulings[rule.IGNORE_ALL] == "negative" else 0
    return tn, plus, value + max(0, helps)


def _clamped(modifiers: int) -> int:
    return max(-MODIFIER_LIMIT, min(MODIFIER_LIMIT, modifiers))


@step("EP-18", "EP-19", "EP-110", "EP-111", "EP-113")
def call_for_check(x: Exchange) -> Node[Exchange]:
    """Before each check the target may spend a pool point."""
    if not x.checks:
        done = (*x.done, _after(x.struck[0], x.targets[0]))
        after = x._replace(done=done, struck=x.struck[1:], targets=x.targets[1:])
        if after.struck:
            return Go(NEXT_TARGET.step, after)
        return End(outcome(after)._replace(done=done))
    target, struck, check = x.targets[0], x.struck[0], x.checks[0]
    tn, plus, bare = check_numbers(x, check)
    offers = before_roll(tn, plus, bare, target.pools, check.aptitude)
    options = []
    for offer in offers:
        helped = target._replace(tn=offer.tn, pools=offer.pools, helped=offer.spends > 0)
        counted = struck._replace(spent=struck.spent + offer.spends)
        facts = _paid(x, helped)._replace(struck=_hurt(x, counted))
        options.append(Option(offer.name, At(roll_check, facts), offer.spends, offer.words))
    about = (("check", check.kind), ("needed", tn))
    return choose(target.actor, "a pool point before the check?", options, about)


@cites("EP-24")
def _paid(x: Exchange, target: Target) -> Exchange:
    """The facts with the first target changed, also for those who share its Threat pool."""
    done = x.done
    if target.mates:
        left = dict(target.pools).get("threat", 0)
        done = tuple([
            struck._replace(pools=with_threat(struck.pools, left))
            if number in target.mates else struck
            for number, struck in enumerate(done, start=1)
        ])  # fmt: skip
    return x._replace(targets=put(x.targets, 0, target), done=done)


def _after(struck: Struck, target: Target) -> Struck:
    """The outcome for one target, with what its state implies."""
    out = struck.knocked_out or struck.incapacitated
    return struck._replace(unconscious=out, pools=target.pools)


@step("EP-1", "EP-110", "EP-111", "EP-113")
def roll_check(x: Exchange) -> Node[Exchange]:
    """The target rolls d100 for the check."""
    target, check = x.targets[0], x.checks[0]
    ask = f"{check.aptitude.upper()} check"
    tn = target.tn or 0
    if not target.helped and can_help(target.pools, check.aptitude):
        return Chance(target.actor, ask, PERCENT, TestRead(tn), "check", At(spend_on_check, x))
    read = TestRead(tn, detail="pass")
    return Chance(target.actor, ask, PERCENT, read, "check", At(apply_check, x))


@roll_check.says
def _(before: Exchange, after: Exchange) -> str:
    passed = "passed" if after.check.success else "failed"
    purpose = before.checks[0].kind.replace("_", " ")
    return f"Check to {purpose} against {before.targets[0].tn}: {passed}."


@step("EP-20")
def spend_on_check(x: Exchange) -> Node[Exchange]:
    """After a check the target may spend a pool point to flip the roll."""
    target, check, struck = x.targets[0], x.checks[0], x.struck[0]
    read = TestRead(target.tn or 0, detail="pass")
    options = []
    for offer in after_roll(x.check, target.tn or 0, "", target.pools, check.aptitude,
                            flips=target.flips, upgrades=False):  # fmt: skip
        paid = target._replace(pools=offer.pools)
        counted = struck._replace(spent=struck.spent + offer.spends)
        facts = _paid(x, paid)._replace(check=read.kept(offer.result), struck=_hurt(x, counted))
        options.append(Option(offer.name, At(apply_check, facts), offer.spends, offer.words))
    about = (("check", check.kind), ("roll", x.check.face), ("needed", target.tn))
    return choose(target.actor, "a pool point on the check?", options, about)


@step("EP-100", "EP-110", "EP-111", "EP-113")
def apply_check(x: Exchange) -> Node[Exchange]:
    """The check decides: on one's feet, awake, armed, or bleeding."""
    target, struck, check = x.targets[0], x.struck[0], x.checks[0]
    passed = x.check.success
    rest = x.checks[1:]
    match check.kind:
        case "stand":
            struck = struck._replace(prone=not passed)
        case "stay_conscious":
            struck = struck._replace(knocked_out=not passed)
        case "hold_weapon":
            struck = struck._replace(disarmed=not passed)
            if not passed:
                return Go(scatter_weapon, x._replace(struck=_hurt(x, struck), check=LOST))
        case "catch_on":
            struck = struck._replace(redirected=not passed)
        case "stop_bleeding" if passed:
            struck = struck._replace(bleeding=0, dies_in=0)
        case "stop_bleeding":
            struck, rest = _bleed(x, struck, target)
        case _:
            assert_never(check.kind)
    done = target._replace(helped=False, tn=None)
    after = x._replace(
        struck=_hurt(x, struck), checks=rest, check=LOST, targets=(done, *x.targets[1:])
    )
    return Go(call_for_check, after)


@step("EP-100")
def scatter_weapon(x: Exchange) -> Node[Exchange]:
    """A weapon knocked out of the hand lands 1d10 meters away."""
    target = x.targets[0]._replace(helped=False, tn=None)
    after = x._replace(checks=x.checks[1:], targets=(target, *x.targets[1:]))
    return Chance("attacker", "meters", SCATTER, SumOfDice(), "lands_m", At(call_for_check, after))


@scatter_weapon.says
def _(before: Exchange, after: Exchange) -> str:
    return f"The weapon lands {after.lands_m} m away."


@cites("EP-113")
def _bleed(x: Exchange, struck: Struck, target: Target) -> tuple[Struck, tuple[Check, ...]]:
    """A failed check: damage goes on each turn, one for each wound (A-38)."""
    loss = max(1, struck.all_wounds)
    turns = -(-(target.dr - struck.total) // loss)
    if x.rulings[rule.BLEEDING] == "once":
        return struck._replace(bleeding=loss, dies_in=turns), ()
    bled = struck._replace(total=struck.total + loss, bleeding=loss, dies_in=struck.dies_in + 1)
    if bled.total >= target.dr:
        return bled._replace(dead=True), ()
    return bled, (x.checks[0],)


@apply_check.says
def _(before: Exchange, after: Exchange) -> str:
    struck, check = after.struck[0], before.checks[0]
    match check.kind:
        case "stand":
            return "Knocked down." if struck.prone else "Still standing."
        case "stay_conscious":
            return "Unconscious." if struck.knocked_out else "Conscious."
        case "hold_weapon":
            return "The weapon is lost." if struck.disarmed else "The weapon is kept."
        case "catch_on":
            return "Cast out." if struck.redirected else "Caught on."
        case "stop_bleeding":
            return f"Bleeding: {struck.bleeding} each turn." if struck.bleeding else "No bleeding."
        case _:
            assert_never(check.kind)


STEPS = (
    count_wounds, call_for_check, roll_check, spend_on_check, apply_check, scatter_weapon,
)  # fmt: skip
"""The steps of this chapter in the order of the book."""
