"""Steps 6 to 9: damage, armor, wounds, and the checks that wounds call for."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from affray.core.dice import D100, Die, Pool, d
from affray.core.node import At, Chance, End, Go, Node, Option, choose
from affray.core.reading import SumOfDice
from affray.core.step import cites, step
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.pools import after_roll, before_roll, can_help, put, with_threat
from affray.systems.eclipse_phase.reading import LOST, DamageRead, TestRead
from affray.systems.eclipse_phase.state import Attack, Check, Exchange, Struck, Target
from affray.systems.eclipse_phase.tables import (
    BLEEDING_TREATED,
    CALLED_CHECK,
    ENTANGLED,
    MODIFIER_LIMIT,
    MOST_DV_VERY_SMALL,
    POOL_BONUS,
    SCATTER,
    round_half_up,
)

__all__ = ["STEPS", "added_up", "damage_dice", "is_full"]

PERCENT = Pool((D100, 1))
HIT = ("hit", "critical", "superior", "deadlock", "fumble", "failures", "broken", "rounds")
HURT = (*HIT, "dv", "net")
OVER = (*HURT, "incapacitated", "revivable")


def _hurt(x: Exchange, struck: Struck) -> tuple[Struck, ...]:
    return (struck, *x.struck[1:])


class Track(NamedTuple):
    """Damage in all, and what it means: out of it, dead."""

    total: int
    is_full: bool
    is_dead: bool


@cites("EP-65", "EP-124")
def is_full(total: int, most: int) -> bool:
    """Whether damage reaches durability, or stress lucidity."""
    return total >= most


@cites("EP-64", "EP-65", "EP-124")
def added_up(before: int, net: int, dur: int, dr: int) -> Track:
    """What was there before and what gets through, against durability and Death Rating.

    Without durability (no mind, nothing that stress could fill) neither is ever reached.
    """
    total = before + net
    return Track(total, dur > 0 and is_full(total, dur), dr > 0 and total >= dr)


def _untouched(target: Target, struck: Struck) -> Struck:
    kept = struck._replace(
        all_wounds=target.wounds, stress=target.stress, pools=target.pools
    )  # fmt: skip
    if target.damage is None:
        return kept
    total, over, dead = added_up(target.damage, 0, target.dur, target.dr)
    return kept._replace(
        total=total, incapacitated=over, unconscious=over, dead=dead, revivable=not over
    )


@step("EP-71", settled=HIT)
def next_target(x: Exchange) -> Node[Exchange]:
    """Damage is worked out for each target that was hit, one after the other."""
    done, struck, targets = x.done, x.struck, x.targets
    while struck and not struck[0].hit:
        done = (*done, _untouched(targets[0], struck[0]))
        struck, targets = struck[1:], targets[1:]
    if struck:
        after = x._replace(done=done, struck=struck, targets=targets)
        return Go(choose_effect if x.numbers.called != "none" else roll_damage, after)
    left = x.pools if x.attack is None else x.attack.pools
    return End(_bare(x)._replace(done=done, pools=left))


def _bare(x: Exchange) -> Exchange:
    """What outlives the dice."""
    return Exchange(
        x.rulings, rounds=x.rounds, spent=x.spent, fumble=x.fumble, failures=x.failures,
        broken=x.broken, suppresses=x.suppresses, pools=x.pools, exposed=x.exposed,
        lands_m=x.lands_m,
    )  # fmt: skip


# -- step 6: damage --------------------------------------------------------------------------


@step("EP-99", "EP-100", settled=HIT)
def choose_effect(x: Exchange) -> Node[Exchange]:
    """A called shot takes effect with a superior success; a second one may add to it."""
    struck, attack = x.struck[0], x.numbers
    critical = struck.critical and x.rulings[rule.CALLED_CRITICAL] != "doubles"
    if not (struck.superior or critical):
        return Go(roll_damage, x._replace(attack=attack._replace(called="none")))
    doubles = struck.critical and x.rulings[rule.CALLED_CRITICAL] != "effect"
    second = struck.superior == 2
    struck = struck._replace(doubled=doubles)
    names = {
        "bypass": ("damage",),
        "specific": ("damage",),
        "disarm": ("harder", "damage", "keep"),
        "knockdown": ("none", "damage"),
        "redirect": ("harder", "damage"),
    }[attack.called]
    if not second or (len(names) == 1 and x.rulings[rule.CALLED_SECOND] == "lost"):
        names = ("none",)
    words = {
        "none": "nothing more",
        "harder": "the check is at -60",
        "damage": "damage as well",
        "keep": "you hold the weapon",
    }
    options = []
    for name in names:
        extra = name == "damage" and attack.called in {"bypass", "specific"}
        effect = f"{attack.called}+{name}" if second else attack.called
        marked = struck._replace(effect=effect, extra=int(extra))
        after = x._replace(struck=_hurt(x, marked))
        options.append(Option(name, At(roll_damage, after), 0, words[name]))
    return choose("attacker", "what does the second superior success add?", options)


@lru_cache(maxsize=4096)
@cites("EP-57", "EP-58", "EP-60", "EP-94", "EP-153")
def damage_dice(
    attack: Attack,
    superior: int,
    critical: bool,  # noqa: FBT001  # kept positional: the cache keys on it
    half: bool,  # noqa: FBT001
    doubling: str,
) -> tuple[Pool, DamageRead]:
    """The dice of a hit and how they are read.

    Args:
        attack: the attacker's numbers.
        superior: superior successes that add dice.
        critical: whether the hit doubles.
        half: whether a disarm halves the DV.
        doubling: readings of A-7, A-11, A-18 and A-35, joined by spaces.
    """
    doubles, ammo, small, rounding = doubling.split()
    w10, w6, flat = attack.weapon_d10, attack.weapon_d6, attack.weapon_flat
    x10, x6, minus = attack.d10, attack.d6 + superior, attack.minus
    factors: list[tuple[int, int]] = []
    own = (1, 1)
    if critical:
        if doubles == "dice":
            w10, w6, x10, x6, minus = w10 * 2, w6 * 2, x10 * 2, x6 * 2, minus * 2
        elif doubles == "weapon":
            own = (2, 1)
        else:
            factors.append((2, 1))
    if attack.half_small:
        if small == "dice":
            w10, w6 = round_half_up(w10, 2), round_half_up(w6, 2)
            flat = round_half_up(flat, 2)
        else:
            factors.append((1, 2))
    if attack.half_ammo:
        if ammo == "weapon":
            own = (1, 1) if own == (2, 1) else (1, 2)
        else:
            factors.append((1, 2))
    if half:
        factors.append((1, 2))
    top = bottom = 1
    for up, down in factors:
        top, bottom = top * up, bottom * down
    at_once = rounding == "once" or len(factors) + (own != (1, 1)) < 2
    split = own != (1, 1)
    apart = ((d(10), w10), (d(6), w6), (d(10), x10), (d(6), x6))
    groups: tuple[tuple[Die, int], ...] = apart
    if not split:
        groups = ((d(10), w10 + x10), (d(6), w6 + x6))
    read = DamageRead(
        flat=flat,
        minus=minus,
        factor=(top, bottom) if at_once else (1, 1),
        weapon=w10 + w6 if split else 0,
        weapon_flat=flat if split else 0,
        weapon_factor=own,
        steps=() if at_once else tuple(factors),
        most=MOST_DV_VERY_SMALL if attack.tiny else None,
    )
    return Pool(*groups, (d(10), minus)), read


@step("EP-57", "EP-58", "EP-60", "EP-61", "EP-99", settled=HIT)
def roll_damage(x: Exchange) -> Node[Exchange]:
    """The damage dice are rolled; superior successes add dice, a critical doubles."""
    struck, attack = x.struck[0], x.numbers
    harmless = struck.effect in {"knockdown", "knockdown+none", "redirect", "redirect+harder"}
    if attack.no_damage or harmless:
        return Go(apply_armor, _rolled(x)._replace(dv=0))
    half = struck.effect.startswith("disarm") and struck.effect != "disarm+damage"
    half = half and x.rulings[rule.DISARM_HALF] == "dv"
    rulings = x.rulings
    doubling = " ".join(
        (rulings[rule.CRITICAL_DOUBLES], rulings[rule.HALF_AMMO], rulings[rule.SMALL_HALF],
         rulings[rule.FACTORS])
    )  # fmt: skip
    pool, read = damage_dice(attack, struck.extra, struck.doubled, half, doubling)
    if rulings[rule.STATIC] == "average":
        return Go(apply_armor, _rolled(x)._replace(dv=_average(pool, read)))
    return Chance("attacker", "damage", pool, read, "dv", At(apply_armor, _rolled(x)))


@cites("EP-60")
def _average(pool: Pool, read: DamageRead) -> int:
    """The DV of average dice: the mean of their sum, halves up; split parts each by themselves."""
    doubled = [len(die.faces) + 1 for die in pool.dice]  # twice the mean of each die
    kept = len(doubled) - read.minus
    extra = sum(doubled[read.weapon : kept]) - sum(doubled[kept:])
    if read.weapon_factor == (1, 1):
        return read.of(round_half_up(extra, 2))
    own = round_half_up(sum(doubled[: read.weapon]), 2)
    return read.split(own, round_half_up(extra, 2))


def _rolled(x: Exchange) -> Exchange:
    """Facts without the attacker's numbers, when no other target needs them."""
    struck = x.struck[0]._replace(knocks=x.numbers.knocks, extra=0, doubled=False)
    last = len(x.struck) == 1
    if not last:
        return x._replace(struck=_hurt(x, struck))
    return x._replace(struck=_hurt(x, struck), attack=None, pools=x.numbers.pools)


@roll_damage.says
def _(before: Exchange, after: Exchange) -> str:
    struck = before.struck[0]
    parts = []
    if struck.extra:
        parts.append(f"+{struck.extra}d6 for superior success")
    if struck.doubled:
        parts.append("doubled by the critical")
    return f"DV {after.dv}{' (' + ', '.join(parts) + ')' if parts else ''}."


# -- step 7: armor ---------------------------------------------------------------------------


@step("EP-62", "EP-63", "EP-116", settled=HIT)
def apply_armor(x: Exchange) -> Node[Exchange]:
    """Armor takes its part of the DV; nothing left, no injury."""
    struck, target = x.struck[0], x.targets[0]
    av = target.av_bypassed if struck.effect.startswith("bypass") else target.av
    net = x.dv - av if x.dv > av else 0
    halves = struck.effect in {"disarm", "disarm+harder", "disarm+keep"}
    if halves and x.rulings[rule.DISARM_HALF] == "net":
        net = round_half_up(net, 2)
    hurt = struck._replace(dv=x.dv, net=net)
    return Go(apply_damage, x._replace(struck=_hurt(x, hurt), dv=0))


@apply_armor.says
def _(before: Exchange, after: Exchange) -> str:
    struck, target = after.struck[0], before.targets[0]
    av = target.av_bypassed if struck.effect.startswith("bypass") else target.av
    return f"DV {struck.dv} against armor {av}: {struck.net} gets through."


# -- step 8: damage --------------------------------------------------------------------------


@step("EP-64", "EP-65", "EP-112", "EP-124", settled=HURT)
def apply_damage(x: Exchange) -> Node[Exchange]:
    """What gets through is added up; durability reached, the target is out; death rating, dead."""
    struck, target = x.struck[0], x.targets[0]
    if target.damage is None:
        return Go(count_wounds, x)
    total, over, dead = added_up(target.damage, struck.net, target.dur, target.dr)
    wakes = not over or (x.rulings[rule.WAKING] == "up_to" and total == target.dur)
    hurt = struck._replace(
        total=total, incapacitated=over, dead=dead, revivable=wakes and not dead
    )  # fmt: skip
    return Go(count_wounds, x._replace(struck=_hurt(x, hurt)))


@apply_damage.says
def _(before: Exchange, after: Exchange) -> str:
    struck, target = after.struck[0], before.targets[0]
    kind, limit = ("stress", "lucidity") if target.stress else ("damage", "durability")
    if target.damage is None:
        return f"{kind.capitalize()} +{struck.net}."
    end = f"{limit} {target.dur}"
    if struck.dead:
        end = f"death rating {target.dr} reached: dead or destroyed"
    elif struck.incapacitated:
        end = f"{limit} {target.dur} reached: incapacitated"
    return f"{kind.capitalize()} {target.damage} + {struck.net} = {struck.total}; {end}."


# -- step 9: wounds --------------------------------------------------------------------------


@step("EP-61", "EP-66", "EP-67", "EP-109", "EP-110", "EP-111", "EP-112", "EP-113", settled=OVER)
def count_wounds(x: Exchange) -> Node[Exchange]:
    """Each full Wound Threshold is a wound; wounds call for checks."""
    struck, target = x.struck[0], x.targets[0]
    wounds = struck.net // target.wt if target.wt else 0
    traits = struck.net > 0 or x.rulings[rule.STOPPED_EFFECTS] == "hit"
    down = struck.effect.startswith("knockdown")
    collapses = struck.incapacitated and target.falls
    hurt = struck._replace(
        wounds=wounds,
        all_wounds=target.wounds + wounds,
        prone=target.falls and (wounds >= 2 or down or collapses),
        knocks=False,
        disarmed=struck.effect == "disarm+keep",
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
def _needed(x: Exchange, hurt: Struck, test: Check) -> int:
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
    return f"{told} To be tested: {'; '.join(calls)}." if calls else told


def _checks(x: Exchange, struck: Struck, *, knocks: bool) -> tuple[Check, ...]:
    """The checks that a hit calls for, in the order in which they are made."""
    target = x.targets[0]
    checks = []
    if target.falls:
        if struck.wounds >= 2:
            checks.append(Check("stay_conscious", "som"))
        elif (struck.wounds == 1 or knocks) and not struck.prone:
            checks.append(Check("stand", "som"))
    if struck.effect in {"disarm", "disarm+damage"}:
        checks.append(Check("hold_weapon", "som", CALLED_CHECK["first"]))
    elif struck.effect == "disarm+harder":
        checks.append(Check("hold_weapon", "som", CALLED_CHECK["second"]))
    elif struck.effect in {"redirect", "redirect+damage"}:
        checks.append(Check("catch_on", "ref", CALLED_CHECK["first"]))
    elif struck.effect == "redirect+harder":
        checks.append(Check("catch_on", "ref", CALLED_CHECK["second"]))
    wounded = struck.all_wounds > 0 or x.rulings[rule.BLEEDS_UNWOUNDED] == "yes"
    if target.bleeds and struck.incapacitated and wounded and not target.staunched:
        checks.append(Check("stop_bleeding", "som", BLEEDING_TREATED if target.treated else 0))
    return tuple(checks)


@cites("EP-8", "EP-19", "EP-50", "EP-109", "EP-110", "EP-113")
def check_numbers(x: Exchange, check: Check) -> tuple[int, int, int]:
    """Target number of a check with all wounds so far; with a point; without modifiers."""
    target, rulings = x.targets[0], x.rulings
    value = {"som": target.som, "ref": target.ref, "wil": target.wil}[check.aptitude]
    modifier = check.modifier + (target.pain if check.aptitude == "som" else 0)
    harm = target.step * max(0, x.struck[0].all_wounds - target.ignored) + target.others
    above = harm if rulings[rule.WOUND_CAP] == "outside" else 0
    inside = modifier + harm - above
    tn = value + _held(inside) + above
    plus = tn + POOL_BONUS
    if rulings[rule.POOL_CAP] == "inside":
        plus = value + _held(inside + POOL_BONUS) + above
    helps = check.modifier if rulings[rule.IGNORE_ALL] == "negative" else 0
    return tn, plus, value + max(0, helps)


def _held(modifiers: int) -> int:
    return max(-MODIFIER_LIMIT, min(MODIFIER_LIMIT, modifiers))


@step("EP-18", "EP-19", "EP-110", "EP-111", "EP-113", settled=OVER)
def call_for_check(x: Exchange) -> Node[Exchange]:
    """A check is due; before the roll a pool point may help."""
    if not x.checks:
        done = (*x.done, _after(x.struck[0], x.targets[0]))
        after = x._replace(done=done, struck=x.struck[1:], targets=x.targets[1:])
        if after.struck:
            return Go(next_target, after)
        return End(_bare(after)._replace(done=done))
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


@step("EP-1", "EP-110", "EP-111", "EP-113", settled=OVER)
def roll_check(x: Exchange) -> Node[Exchange]:
    """The target rolls d100 against the checked aptitude."""
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


@step("EP-20", settled=OVER)
def spend_on_check(x: Exchange) -> Node[Exchange]:
    """After the roll of a check a pool point may flip it."""
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


@step("EP-100", "EP-110", "EP-111", "EP-113", settled=OVER)
def apply_check(x: Exchange) -> Node[Exchange]:
    """What a check decides: standing, consciousness, the weapon, the bleeding."""
    target, struck, check = x.targets[0], x.struck[0], x.checks[0]
    passed = x.check.success
    rest = x.checks[1:]
    if check.kind == "stand":
        struck = struck._replace(prone=not passed)
    elif check.kind == "stay_conscious":
        struck = struck._replace(knocked_out=not passed)
    elif check.kind == "hold_weapon":
        struck = struck._replace(disarmed=not passed)
        if not passed:
            after = x._replace(struck=_hurt(x, struck), check=LOST)
            return Go(scatter_weapon, after)
    elif check.kind == "catch_on":
        struck = struck._replace(redirected=not passed)
    elif passed:
        struck = struck._replace(bleeding=0, dies_in=0)
    else:
        struck, rest = _bleed(x, struck, target)
    done = target._replace(helped=False, tn=None)
    after = x._replace(
        struck=_hurt(x, struck), checks=rest, check=LOST, targets=(done, *x.targets[1:])
    )
    return Go(call_for_check, after)


@step("EP-100", settled=OVER)
def scatter_weapon(x: Exchange) -> Node[Exchange]:
    """A weapon knocked out of a hand lands 1d10 metres away."""
    target = x.targets[0]._replace(helped=False, tn=None)
    after = x._replace(checks=x.checks[1:], targets=(target, *x.targets[1:]))
    return Chance("attacker", "metres", SCATTER, SumOfDice(), "lands_m", At(call_for_check, after))


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
    told = {
        "stand": "Knocked down." if struck.prone else "Still standing.",
        "stay_conscious": "Unconscious." if struck.knocked_out else "Conscious.",
        "hold_weapon": "The weapon is lost." if struck.disarmed else "The weapon is kept.",
        "catch_on": "Cast out." if struck.redirected else "Caught on.",
        "stop_bleeding": f"Bleeding: {struck.bleeding} each turn."
        if struck.bleeding
        else "No bleeding.",
    }
    return told[check.kind]


STEPS = (
    next_target, choose_effect, roll_damage, apply_armor, apply_damage, count_wounds,
    call_for_check, roll_check, spend_on_check, apply_check, scatter_weapon,
)  # fmt: skip
