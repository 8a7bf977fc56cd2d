"""Step 9: wounds, the checks that they call for, and the next target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from affray.core.dice import D100, Pool, d
from affray.core.loop import Loop
from affray.core.node import At, Chance, End, Go, Node, Option, choose
from affray.core.reading import SumOfDice
from affray.core.step import cites, step
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.pools import after_roll, before_roll, can_help, put, with_threat
from affray.systems.eclipse_phase.reading import LOST, Result, TestRead
from affray.systems.eclipse_phase.state import (
    Check,
    CheckKind,
    Exchange,
    Struck,
    Target,
    Tested,
    TraitTest,
    outcome,
)
from affray.systems.eclipse_phase.tables import (
    BLEEDING_TREATED,
    BLIND_TURNS,
    CALLED_CHECK,
    ENTANGLED,
    LASTING,
    MODIFIER_LIMIT,
    PAIN,
    POOL_BONUS,
    SCATTER,
    SHOCKED,
    STRESS_RESPONSE,
    STUN_TURNS,
)

__all__ = ["NEXT_TARGET", "REST_OF_MOVE", "STEPS", "over", "read_of"]

PERCENT = Pool((D100, 1))
RESPONSE = Pool((d(6), 1))

NEXT_TARGET: Loop[Exchange] = Loop("the next target")
"""Where damage to the next target that was hit begins."""


REST_OF_MOVE: Loop[Exchange] = Loop("the rest of the move")
"""Where somebody who has kept a part of a move goes on after the attack."""


@cites("EP-32")
def over(x: Exchange) -> Node[Exchange]:
    """The end of an attack; or what is left of a move."""
    return Go(REST_OF_MOVE.step, x) if x.rest[0] else End(x)


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
    gone = hurt.dead or hurt.insane
    checks = () if gone else _checks(x, hurt, knocks=traits and struck.knocks)
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


@count_wounds.briefly
def _(before: Exchange, after: Exchange) -> str:
    struck, target = after.struck[0], before.targets[0]
    number = {1: "one"}.get(struck.wounds, str(struck.wounds))
    kind = "trauma" if target.stress else "wound"
    told = [f"{number} {kind}{'s' * (struck.wounds != 1)}"] if struck.wounds else []
    return ", ".join([*told, *["knocked down"] * struck.prone])


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
    if struck.stress:
        checks += _of_stress(x, struck)
    for kind, _ in zip(struck.calls, struck.needs, strict=True):
        checks += [_of_trait(struck, test) for test in target.tests if test.kind == kind]
    wounds = struck.wounds if target.stabilized else struck.all_wounds
    wounded = wounds > 0 or x.rulings[rule.BLEEDS_UNWOUNDED] == "yes"
    if target.bleeds and struck.incapacitated and wounded:
        checks.append(Check("stop_bleeding", "som", BLEEDING_TREATED if target.treated else 0))
    return tuple(checks)


@cites("EP-123")
def _of_stress(x: Exchange, struck: Struck) -> list[Check]:
    """One trauma may disorient; several at once may bring about an acute stress response."""
    if not struck.wounds or struck.incapacitated:
        return []
    if x.rulings[rule.WOUND_EFFECTS] == "modifiers":
        return []
    return [Check("keep_wits" if struck.wounds == 1 else "withstand_stress", "wil")]


@cites("EP-61", "EP-107")
def _of_trait(struck: Struck, test: TraitTest) -> Check:
    """The check that a trait of the attack calls for."""
    entangled = ENTANGLED * struck.superior if test.kind == "entangling" else 0
    return Check(test.kind, test.aptitude, test.modifier + entangled)


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
        return over(outcome(after)._replace(done=done))
    target, struck, check = x.targets[0], x.struck[0], x.checks[0]
    tn, plus, bare = check_numbers(x, check)
    offers = before_roll(tn, plus, bare, target.pools, check.aptitude)
    options = []
    for offer in offers:
        helped = target._replace(tn=offer.tn, pools=offer.pools, helped=offer.spends > 0)
        counted = struck._replace(spent=struck.spent + offer.spends)
        facts = _paid(x, helped)._replace(struck=_hurt(x, counted))
        options.append(Option(offer.name, At(roll_check, facts), offer.spends, offer.words))
    about = (_about(target, check), ("needed", tn))
    return choose(target.actor, "spend a pool point before the check?", options, about)


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
    out = (struck.knocked_out or struck.incapacitated) and not struck.stress
    return struck._replace(unconscious=out, pools=target.pools)


def read_of(check: Check, tn: int) -> TestRead:
    """A check against a trait lasts longer the worse it fails; of others only success matters."""
    if check.kind in GRADED:
        return TestRead(tn, detail="rank", beyond=-1, failures=True)
    return TestRead(tn, detail="pass")


TRAITS: frozenset[CheckKind] = frozenset({"blinding", "entangling", "pain", "shock", "stun"})
GRADED: frozenset[CheckKind] = frozenset({"blinding", "shock", "stun"})


@step("EP-1", "EP-107", "EP-110", "EP-111", "EP-113", "EP-123")
def roll_check(x: Exchange) -> Node[Exchange]:
    """The target rolls d100 for the check."""
    target, check = x.targets[0], x.checks[0]
    ask = f"{check.aptitude.upper()} check"
    tn = target.tn or 0
    if not target.helped and can_help(target.pools, check.aptitude):
        return Chance(target.actor, ask, PERCENT, TestRead(tn), "check", At(spend_on_check, x))
    read = read_of(check, tn)
    return Chance(target.actor, ask, PERCENT, read, "check", At(apply_check, x))


def _about(target: Target, check: Check) -> tuple[str, str]:
    """Which check it is, and what for."""
    return f"{check.aptitude.upper()} check", _purpose(target, check.kind)


def _purpose(target: Target, kind: CheckKind) -> str:
    """What a check is for."""
    if kind == "stay_conscious" and target.crashes:
        return "to stay online"
    return f"against {kind}" if kind in TRAITS else f"to {kind.replace('_', ' ')}"


@roll_check.says
def _(before: Exchange, after: Exchange) -> str:
    passed = "passed" if after.check.success else "failed"
    kind = before.checks[0].kind
    purpose = _purpose(before.targets[0], kind)
    needed = (
        f"needs {before.targets[0].tn}" if kind in TRAITS else f"against {before.targets[0].tn}"
    )
    return f"Check {purpose} {needed}: {passed}."


@roll_check.briefly
def _(before: Exchange, after: Exchange) -> str:
    target = before.targets[0]
    return f"against {target.tn} {_purpose(target, before.checks[0].kind)}"


@roll_check.verdict
def _(before: Exchange, after: Exchange) -> str:
    return "passed" if after.check.success else "failed"


@step("EP-20")
def spend_on_check(x: Exchange) -> Node[Exchange]:
    """After a check the target may spend a pool point to flip the roll."""
    target, check, struck = x.targets[0], x.checks[0], x.struck[0]
    read = read_of(check, target.tn or 0)
    options = []
    for offer in after_roll(x.check, target.tn or 0, "", target.pools, check.aptitude,
                            flips=target.flips, upgrades=False):  # fmt: skip
        paid = target._replace(pools=offer.pools)
        counted = struck._replace(spent=struck.spent + offer.spends)
        facts = _paid(x, paid)._replace(check=read.kept(offer.result), struck=_hurt(x, counted))
        options.append(Option(offer.name, At(apply_check, facts), offer.spends, offer.words))
    about = (_about(target, check), ("roll", x.check.face), ("needed", target.tn))
    return choose(target.actor, "spend a pool point on the check?", options, about)


@step("EP-61", "EP-100", "EP-107", "EP-110", "EP-111", "EP-113", "EP-115", "EP-123")
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
        case "break_free":
            struck = struck._replace(conditions=() if passed else struck.conditions)
            x = x._replace(freed=passed)
        case "withstand_stress" if not passed:
            return Go(roll_response, x._replace(check=LOST))
        case "keep_wits" if passed:
            pass
        case "keep_wits" | "withstand_stress":
            struck = _with(struck, {"disoriented": 1})
        case "blinding" | "entangling" | "pain" | "shock" | "stun":
            falls = check.kind == "shock" and not passed
            brought = _brought(check.kind, x.check, (struck.superior, target.tolerance))
            struck = _with(struck, brought)._replace(prone=struck.prone or falls)
        case _:
            assert_never(check.kind)
    done = target._replace(helped=False, tn=None)
    after = x._replace(
        struck=_hurt(x, struck), checks=rest, check=LOST, targets=(done, *x.targets[1:])
    )
    return Go(call_for_check, after)


def _with(struck: Struck, brought: Mapping[str, int]) -> Struck:
    """The record with further conditions; of the same one the longer lasts."""
    known = dict(struck.conditions)
    for name, turns in brought.items():
        known[name] = max(turns, known.get(name, 0))
    return struck._replace(conditions=tuple(sorted(known.items())))


@cites("EP-61", "EP-107", "EP-115")
def _brought(kind: Tested, check: Result, about: tuple[int, int]) -> Mapping[str, int]:
    """The conditions that a trait brings, with their turns.

    Args:
        kind: the trait.
        check: the target's check against it.
        about: superior successes of the attack; the target's pain tolerance.
    """
    superior, tolerance = about
    worse, critical = max(0, -check.superior), check.critical and not check.success
    match kind:
        case "shock" if check.success:
            return {"stunned": SHOCKED["resisted"]}
        case "shock":
            out = SHOCKED["out"] + SHOCKED["superior"] * worse
            return {"incapacitated": out, "stunned": out + SHOCKED["stunned"]}
        case "pain":
            name = "impaired_10" if tolerance else "impaired_20"
            fled = {} if check.success else {"fleeing": PAIN["turns"]}
            return {name: PAIN["turns"], **fled}
        case _ if check.success:
            return {}
        case "stun" if critical:
            return {"incapacitated": STUN_TURNS["critical_out"], "stunned": STUN_TURNS["critical"]}
        case "stun":
            return {"stunned": STUN_TURNS["failed"] + STUN_TURNS["superior"] * worse}
        case "blinding":
            turns = BLIND_TURNS["failed"] + BLIND_TURNS["superior"] * worse
            return {"blinded": LASTING if critical else turns}
        case "entangling":
            return {"grappled": LASTING, **({"entangled": superior} if superior else {})}


@step("EP-123")
def roll_response(x: Exchange) -> Node[Exchange]:
    """A d6 says how somebody responds to acute stress."""
    at = At(respond, x)
    return Chance(x.targets[0].actor, "acute stress", RESPONSE, SumOfDice(), "response", at)


@step("EP-123")
def respond(x: Exchange) -> Node[Exchange]:
    """They fight on in spite of everything, flee, or give in."""
    name = STRESS_RESPONSE[max(least for least in STRESS_RESPONSE if least <= x.response)]
    struck = _with(x.struck[0], {name: LASTING})
    target = x.targets[0]._replace(helped=False, tn=None)
    after = x._replace(
        struck=_hurt(x, struck), checks=x.checks[1:], targets=(target, *x.targets[1:]), response=0
    )
    return Go(call_for_check, after)


@respond.briefly
@respond.says
def _(before: Exchange, after: Exchange) -> str:
    response = {"enraged": "fight", "fleeing": "flight", "detached": "detachment"}
    names = dict(after.struck[0].conditions)
    return f"Acute stress: {next(response[name] for name in names if name in response)}."


@step("EP-100")
def scatter_weapon(x: Exchange) -> Node[Exchange]:
    """A weapon knocked out of the hand lands 1d10 meters away."""
    target = x.targets[0]._replace(helped=False, tn=None)
    after = x._replace(checks=x.checks[1:], targets=(target, *x.targets[1:]))
    return Chance("attacker", "meters", SCATTER, SumOfDice(), "lands_m", At(call_for_check, after))


@scatter_weapon.briefly
@scatter_weapon.says
def _(before: Exchange, after: Exchange) -> str:
    return f"The weapon lands {after.lands_m} m away."


@cites("EP-113")
def _bleed(x: Exchange, struck: Struck, target: Target) -> tuple[Struck, tuple[Check, ...]]:
    """A failed check: damage goes on each turn, one for each wound (A-38)."""
    loss = max(1, struck.all_wounds)
    turns = -(-(target.dr - struck.total) // loss)
    if x.rulings[rule.BLEEDING] == "once" or x.bleeding == "falls":
        return struck._replace(bleeding=loss, dies_in=turns), ()
    bled = struck._replace(total=struck.total + loss, bleeding=loss, dies_in=struck.dies_in + 1)
    if bled.total >= target.dr:
        return bled._replace(dead=True), ()
    return bled, (x.checks[0],)


def _told_of_check(before: Exchange, after: Exchange) -> str:
    """What came of a check."""
    struck, check = after.struck[0], before.checks[0]
    match check.kind:
        case "stand":
            return "Knocked down." if struck.prone else "Still standing."
        case "stay_conscious":
            if before.targets[0].crashes:
                return "Offline." if struck.knocked_out else "Still online."
            return "Unconscious." if struck.knocked_out else "Conscious."
        case "hold_weapon":
            return "The weapon is lost." if struck.disarmed else "The weapon is kept."
        case "catch_on":
            return "Cast out." if struck.redirected else "Caught on."
        case "stop_bleeding":
            return f"Bleeding: {struck.bleeding} each turn." if struck.bleeding else "No bleeding."
        case "break_free":
            return "Still held." if struck.conditions else "Free."
        case _:
            if check.kind == "withstand_stress" and not before.check.success:
                return ""
            news = [one for one in struck.conditions if one not in before.struck[0].conditions]
            return (
                f"{', '.join(map(_named, news)).capitalize()}." if news else "Nothing comes of it."
            )


apply_check.says(_told_of_check)


@apply_check.briefly
def _(before: Exchange, after: Exchange) -> str:
    struck, check = after.struck[0], before.checks[0]
    if check.kind in {"stand", "stay_conscious"}:
        return ""  # how they are then is told anyway
    if check.kind == "stop_bleeding" and struck.dead:
        return "bled to death"
    return _told_of_check(before, after)


def _named(state: tuple[str, int]) -> str:
    """A condition with its turns, in words."""
    name, turns = state
    if name == "entangled":
        return f"entangled: {ENTANGLED * turns} to break free"
    told = name.replace("_", " ")
    return told if turns >= LASTING else f"{told} for {turns} turn{'s' * (turns != 1)}"


STEPS = (
    count_wounds, call_for_check, roll_check, spend_on_check, apply_check, scatter_weapon,
    roll_response, respond,
)  # fmt: skip
"""The steps of this chapter in the order of the book."""
