"""Steps 4 and 5: the dice are rolled, pool points spent, the rolls compared."""

from __future__ import annotations

from affray.core.dice import D100, Pool
from affray.core.node import At, Chance, Go, Node, Option, Step, choose
from affray.core.step import cites, step
from affray.core.unknown import remembers
from affray.systems.eclipse_phase import area, harm
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.opposed import (
    attack_rolled,
    prevails,
    target_rolled,
    tie_goes_to,
)
from affray.systems.eclipse_phase.pools import after_roll, before_roll, can_help, put
from affray.systems.eclipse_phase.reading import (
    HELD,
    HELD_CRITICALLY,
    LOST,
    TIED,
    DefenseRead,
    Detail,
    Result,
    TestRead,
    WideRead,
    classify,
    strength,
)
from affray.systems.eclipse_phase.state import MISSED, Attack, Exchange, Pools, Struck, Target

__all__ = ["STEPS", "against", "rank_of", "tests_of"]

PERCENT = Pool((D100, 1))


# -- step 4: opposed test --------------------------------------------------------------------


@cites("EP-71", "EP-88")
def tests_of(x: Exchange) -> range:
    """Places of the targets that one attack roll counts against: all, in melee one at a time."""
    place = len(x.struck)
    return range(place, place + 1) if x.numbers.is_melee else range(len(x.targets))


@step("EP-18", "EP-19", "EP-24")
def spend_before_attack(x: Exchange) -> Node[Exchange]:
    """Before the roll the attacker may spend a pool point."""
    attack = x.numbers
    if attack.area is not None and not attack.area.tested:
        return Go(spend_before_defence, x)
    plain = x.targets
    for place in tests_of(x):
        target = x.targets[place]
        plain = put(plain, place, target._replace(shift=target.bare_shift))
    offers = before_roll(attack.tn, attack.plus, attack.bare, attack.pools, attack.skill)
    options = [
        Option(
            offer.name,
            At(
                spend_before_defence,
                x._replace(
                    attack=attack._replace(
                        tn=offer.tn, pools=offer.pools, helped=attack.helped or offer.spends > 0
                    ),
                    targets=plain if offer.point == "bare" else x.targets,
                    spent=x.spent + offer.spends,
                ),
            ),
            offer.spends,
            offer.words,
        )
        for offer in offers
    ]
    return choose("attacker", "spend a pool point before the attack roll?", options,
                  (("needed", attack.tn),))  # fmt: skip


@step("EP-18", "EP-19", "EP-24")
def spend_before_defence(x: Exchange) -> Node[Exchange]:
    """Before any roll each defender may spend a pool point."""
    tests = tests_of(x)
    if x.ready == len(tests):
        return Go(roll_attack, x._replace(ready=0))
    place = tests[x.ready]
    target = x.targets[place]
    if target.tn is None:
        return Go(spend_before_defence, x._replace(ready=x.ready + 1))
    offers = before_roll(target.tn, target.plus, target.bare, target.pools, target.skill)
    options = []
    for offer in offers:
        helped = target._replace(tn=offer.tn, pools=offer.pools, helped=offer.spends > 0)
        after = x._replace(targets=put(x.targets, place, helped), ready=x.ready + 1)
        options.append(Option(offer.name, At(spend_before_defence, after), offer.spends,
                              offer.words))  # fmt: skip
    about = (("needed", target.tn), ("attack needs", x.numbers.tn))
    return choose(target.actor, "spend a pool point before the defense roll?", options, about)


def _attacker_may_spend(attack: Attack) -> bool:
    return not attack.helped and can_help(attack.pools, attack.skill)


def _defender_may_spend(target: Target) -> bool:
    return not target.helped and can_help(target.pools, target.skill)


def rank_of(x: Exchange) -> TestRead:
    """The read that keeps of the attack roll what the targets' dice can tell apart."""
    return _rank(x.numbers, x.targets, x.rulings[rule.SUPERIOR_FAILURE] == "told")


@remembers(1024)
def _rank(attack: Attack, targets: tuple[Target, ...], told: bool) -> TestRead:  # noqa: FBT001
    if attack.area is not None and not attack.area.opposed:
        return TestRead(attack.tn, attack.zero, "rank", -1, failures=True)
    failures = attack.area is not None or attack.fragile or told
    beyond = min(98, max(0, *(target.tn or 0 for target in targets)))
    detail: Detail = "rank"
    if any(target.shift for target in targets):
        detail = "face"
    # A point on a defense may make another number of it: then every face can matter.
    if any(_defender_may_spend(target) for target in targets):
        beyond = 98
    return TestRead(attack.tn, attack.zero, detail, beyond, failures)


@step("EP-1", "EP-2", "EP-3", "EP-4", "EP-5", "EP-52")
def roll_attack(x: Exchange) -> Node[Exchange]:
    """The attacker rolls d100 against the target number."""
    then = At(area.judge_attack if x.numbers.area else roll_defence, x)
    if x.numbers.area and not x.numbers.area.tested:
        return Go(area.detonate, x)
    if _attacker_may_spend(x.numbers):
        read = TestRead(x.numbers.tn, x.numbers.zero)
        if x.rulings[rule.REVEAL] != "both" or x.numbers.area:
            then = At(spend_after_attack, x)
        return Chance("attacker", "attack roll", PERCENT, read, "roll", then)
    return Chance("attacker", "attack roll", PERCENT, rank_of(x), "roll", then)


def _told(result: Result) -> str:
    kind = "critical " if result.critical else ""
    times = {1: ", one superior", 2: ", two superior", -1: ", superior", -2: ", twice superior"}
    return kind + ("success" if result.success else "failure") + times.get(result.superior, "")


@roll_attack.says
def _(before: Exchange, after: Exchange) -> str:
    return f"Against {before.numbers.tn}: {_told(after.roll)}."


@remembers(1024)
def _helped(attack: Attack, pools: Pools) -> Attack:
    """The attacker's numbers once a point was spent on the roll, or kept for good."""
    return attack._replace(pools=pools, helped=True)


@roll_attack.briefly
def _(before: Exchange, after: Exchange) -> str:
    return f"against {before.numbers.tn}"


@roll_attack.verdict
def _(before: Exchange, after: Exchange) -> str:
    return "success" if after.roll.success else "failure"


@step("EP-9", "EP-20")
def spend_after_attack(x: Exchange) -> Node[Exchange]:
    """After rolling, the attacker may spend a point to flip, upgrade or tone down the roll."""
    attack, rank = x.numbers, rank_of(x)
    both = x.rulings[rule.REVEAL] == "both" and not attack.area
    after: Step[Exchange] = spend_after_defence if both else roll_defence
    if attack.area:
        after = area.judge_attack
    options = []
    for offer in after_roll(x.roll, attack.tn, attack.zero, attack.pools, attack.skill,
                            flips=attack.flips,
                            banded=x.rulings[rule.FAILURE_BANDS] == "exclusive"):  # fmt: skip
        facts = x._replace(
            roll=rank.kept(offer.result), attack=_helped(attack, offer.pools),
            spent=x.spent + offer.spends,
        )  # fmt: skip
        options.append(Option(offer.name, At(after, facts), offer.spends, offer.words))
    about: tuple[tuple[str, object], ...] = (("roll", x.roll.face), ("needed", attack.tn))
    if both:
        about += (("defense roll", x.defense.face),)
    return choose("attacker", "spend a pool point on the attack roll?", options, about)


@spend_after_attack.says
def _(before: Exchange, after: Exchange) -> str:
    if after.spent == before.spent:
        return ""
    return f"The roll counts as a {_told(after.roll)}."


@spend_after_attack.briefly
def _(before: Exchange, after: Exchange) -> str:
    if after.spent == before.spent:
        return ""
    return f"a point makes it a {'success' if after.roll.success else 'failure'}"


def against(x: Exchange, target: Target) -> Result:
    """The attack roll as it counts against one target, whose size may differ."""
    if not target.shift:
        return x.roll
    other = classify(x.roll.face, x.numbers.tn + target.shift, x.numbers.zero)
    return x.roll if other.success == x.roll.success else other


@step("EP-52", "EP-54", "EP-71")
def roll_defence(x: Exchange) -> Node[Exchange]:
    """Each defender rolls d100 in turn; a failed attack needs no defense."""
    place = len(x.struck)
    target = x.targets[place]
    roll = against(x, target)
    both = x.rulings[rule.REVEAL] == "both" and _attacker_may_spend(x.numbers)
    both = both and place == tests_of(x)[0]
    if target.tn is None or not (roll.success or both):
        nobody = LOST if target.tn is None else HELD
        after = x._replace(defense=nobody)
        return Go(spend_after_attack if both else compare_rolls, after)
    if both or _defender_may_spend(target):
        read = TestRead(target.tn, target.zero)
        then = At(spend_after_attack if both else spend_after_defence, x)
        return Chance(target.actor, "defense roll", PERCENT, read, "defense", then)
    tie = tie_goes_to(x, target, roll)
    opposed = DefenseRead(target.tn, target.zero, strength(roll), tie)
    last = place + 1 == len(x.targets)
    kept = x._replace(roll=Result(True, roll.critical, roll.superior, 0)) if last else x
    return Chance(
        target.actor, "defense roll", PERCENT, opposed, "defense", At(compare_rolls, kept)
    )


@roll_defence.says
def _(before: Exchange, after: Exchange) -> str:
    target = before.targets[len(before.struck)]
    if target.tn is None:
        return "No defense."
    if after.defense == HELD and not against(before, target).success:
        return ""  # the attack failed; nobody rolled
    if after.defense == HELD_CRITICALLY:
        return f"Against {target.tn}: a critical success, enough to stop the attack."
    if after.defense in {LOST, HELD, TIED}:
        stopped = {LOST: "not enough", HELD: "enough", TIED: "the very same number"}
        return f"Against {target.tn}: {stopped[after.defense]} to stop the attack."
    return f"Against {target.tn}: {_told(after.defense)}."


@roll_defence.briefly
def _(before: Exchange, after: Exchange) -> str:
    target = before.targets[len(before.struck)]
    nobody = target.tn is None or (after.defense == HELD and not against(before, target).success)
    return "" if nobody else f"against {target.tn}"


@roll_defence.verdict
def _(before: Exchange, after: Exchange) -> str:
    told = {LOST: "not enough", HELD: "enough", HELD_CRITICALLY: "a critical success",
            TIED: "the very same number"}  # fmt: skip
    return told.get(after.defense) or ("success" if after.defense.success else "failure")


@step("EP-20")
def spend_after_defence(x: Exchange) -> Node[Exchange]:
    """After rolling, with the attack roll known, the defender may spend a pool point."""
    place = len(x.struck)
    target = x.targets[place]
    if (
        target.tn is None
        or x.defense in {HELD, HELD_CRITICALLY, LOST}
        or not _defender_may_spend(target)
    ):
        return Go(compare_rolls, x)
    options = []
    for offer in after_roll(x.defense, target.tn, target.zero, target.pools, target.skill,
                            flips=target.flips, upgrades=False):  # fmt: skip
        paid = target._replace(pools=offer.pools)
        facts = x._replace(defense=offer.result, targets=put(x.targets, place, paid))
        if not offer.spends:
            facts = x
        options.append(Option(offer.name, At(compare_rolls, facts), offer.spends, offer.words))
    about = (("roll", x.defense.face), ("needed", target.tn), ("attack roll", x.roll.face))
    return choose(target.actor, "spend a pool point on the defense roll?", options, about)


# -- step 5: result --------------------------------------------------------------------------


@step("EP-14", "EP-15", "EP-16", "EP-17", "EP-39", "EP-53", "EP-54", "EP-55", "EP-56", "EP-59")
def compare_rolls(x: Exchange) -> Node[Exchange]:
    """The attack hits if it succeeds and the defense fails or rolls lower."""
    place = len(x.struck)
    target = x.targets[place]
    roll = against(x, target)
    automatic = target.skill == "unable" and x.rulings[rule.UNDEFENDED] == "automatic"
    winner = "attack" if automatic else prevails(x, target, roll)
    if winner == "attack":
        struck = _hit(x, roll)
    else:
        struck = MISSED._replace(deadlock=True) if winner == "nobody" else MISSED
        if roll.success and x.defense.success and x.defense.critical and x.defense != HELD:
            struck = struck._replace(defense_critical=True)
    last = place + 1 == len(x.targets)
    after = x._replace(
        defense=LOST,
        struck=(*x.struck, struck),
        roll=LOST if last else x.roll,
        attack=x.numbers,
        fumble=x.fumble or (not roll.success and roll.critical and place == tests_of(x)[0]),
        failures=_failures(x, roll),
        broken=x.broken or (x.numbers.fragile and roll.superior < 0),
    )
    if struck.hit and x.numbers.wide:
        return Go(go_wide, after)
    return _go_on(after)


def _go_on(x: Exchange) -> Go[Exchange]:
    """To the next target: the same attack roll, or in melee an attack roll of its own."""
    if len(x.struck) == len(x.targets):
        over = tuple([target_rolled(target) for target in x.targets])
        return Go(harm.next_target, x._replace(attack=attack_rolled(x.numbers), targets=over))
    if not x.numbers.is_melee:
        return Go(roll_defence, x)
    again = x.numbers._replace(tn=x.numbers.unhelped, helped=False)
    return Go(spend_before_attack, x._replace(attack=again, roll=LOST))


def _failures(x: Exchange, roll: Result) -> int:
    told = x.rulings[rule.SUPERIOR_FAILURE] == "told"
    return max(x.failures, -roll.superior) if told else 0


@cites("EP-57", "EP-71")
def _hit(x: Exchange, roll: Result) -> Struck:
    """A hit with what the attack roll adds; several targets: A-12."""
    first = x.numbers.is_melee or not any(struck.hit for struck in x.struck)
    if not first and x.rulings[rule.SHARED_SUPERIOR] == "first":
        return Struck(hit=True)
    critical, superior = roll.critical and roll.success, max(0, roll.superior)
    return Struck(True, critical, superior, extra=superior, doubled=critical)


@compare_rolls.says
def _(before: Exchange, after: Exchange) -> str:
    struck = after.struck[-1]
    if struck.deadlock:
        return "Deadlock."
    if not struck.hit:
        return "The attack misses."
    if struck.critical:
        return "A critical hit."
    if struck.superior:
        return f"A hit with {struck.superior} superior success{'es' * (struck.superior > 1)}."
    return "A hit."


@compare_rolls.briefly
def _(before: Exchange, after: Exchange) -> str:
    struck = after.struck[-1]
    if not struck.hit:
        return "deadlock" if struck.deadlock else "a miss"
    if struck.critical:
        return "a critical hit"
    return f"a hit, {'twice ' * (struck.superior > 1)}superior" if struck.superior else "a hit"


@step("EP-101")
def go_wide(x: Exchange) -> Node[Exchange]:
    """A blind shot that would hit may still go wide."""
    read = WideRead()
    return Chance("attacker", "blind shot", PERCENT, read, "wide", At(count_wide, x))


@step("EP-101")
def count_wide(x: Exchange) -> Node[Exchange]:
    """A shot that goes wide misses."""
    struck = (*x.struck[:-1], MISSED) if x.wide else x.struck
    return _go_on(x._replace(struck=struck, wide=False))


@count_wide.briefly
@count_wide.says
def _(before: Exchange, after: Exchange) -> str:
    return "The shot goes wide." if before.wide else "The shot is on target."


STEPS = (
    spend_before_attack, spend_before_defence, roll_attack, spend_after_attack, roll_defence,
    spend_after_defence, compare_rolls, go_wide, count_wide,
)  # fmt: skip
