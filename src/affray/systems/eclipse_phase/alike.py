"""Places and faces that come to the same, for hints.

Nothing here is a rule. What a later clause no longer looks at is taken out of the facts, and faces
of a die that lead to the same, kept or flipped, are read as one.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from affray.core.dice import Face, Pool
from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance
from affray.core.reading import Counts, Read
from affray.core.unknown import is_unknown, merges_places
from affray.systems.eclipse_phase import aftermath, roll
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.opposed import (
    attack_rolled,
    prevails,
    target_rolled,
    tie_goes_to,
)
from affray.systems.eclipse_phase.reading import (
    HELD,
    HELD_CRITICALLY,
    LOST,
    TIED,
    DefenseRead,
    Result,
    TestRead,
    Zero,
    classify,
    flipped,
    strength,
)
from affray.systems.eclipse_phase.state import Attack, Exchange, Pools, Struck, Target
from affray.systems.eclipse_phase.tables import POOLS_FOR

__all__ = [
    "ATTACK_ROLL",
    "AlikeRead",
    "at_attack_point",
    "at_check",
    "at_comparison",
    "at_damage",
    "at_defense",
    "kept",
    "merged",
    "one_of_each",
    "settled",
    "spares_points",
    "without_attack",
]

merges_places(__name__)  # no rule stands here

CHECKED: dict[str, frozenset[str]] = {
    "stand": frozenset({"prone"}),
    "stay_conscious": frozenset({"knocked_out", "unconscious"}),
    "hold_weapon": frozenset({"disarmed", "lands_m"}),
    "catch_on": frozenset({"redirected"}),
    "stop_bleeding": frozenset({"bleeding", "dies_in", "dead", "total"}),
}  # fmt: skip
"""Outcome fields on which a check bears, besides the points that are spent on it."""
BY_TRAITS = frozenset({"conditions", "prone"})
"""The same for all other checks."""
DEAD_OF_IT = frozenset({"dead", "total"})
"""What bleeding changes only where it goes on turn by turn."""
POINTS = frozenset({"spent_on_checks", "target_pools"})
ATTACK_ROLL = "attack_roll"
"""What a defender is shown: no outcome field."""


# -- faces -----------------------------------------------------------------------------------


class AlikeRead(NamedTuple):
    """A test of which faces are one that come to the same, whether they are kept or flipped.

    Attributes:
        read: the test, with its faces.
        verdict: what a result comes to.
        flips: whether the dice may be flipped afterwards.
    """

    read: TestRead
    verdict: Read[object]
    flips: bool

    def __call__(self, faces: tuple[Face, ...]) -> Result:
        """The result of the first face that comes to the same as this one."""
        return self.of(faces[0])

    def of(self, face: Face) -> Result:
        """The same for one face."""
        return self.read.of(_firsts(self)[int(face)])

    def counted(self, pool: Pool) -> Counts[Result]:  # noqa: ARG002  # always one d100
        """Face by face."""
        return dict(Counter(map(self.read.of, _firsts(self))))


@lru_cache(maxsize=4096)
def _firsts(read: AlikeRead) -> tuple[int, ...]:
    """For each face the first one that comes to the same."""
    firsts: dict[object, int] = {}
    verdicts = [read.verdict((face,)) for face in range(100)]
    rows = []
    for face in range(100):
        other = flipped(face)
        swaps = verdicts[other] if read.flips and other != face else None
        result = read.read.of(face)
        fumbled = result.critical and not result.success
        # The band of a fumble tells how a point tones it down.
        third = face // 33 if fumbled else None
        rows.append(firsts.setdefault((verdicts[face], swaps, third), face))
    return tuple(rows)


SURE = 98
"""A roll against this number fails with 99 only."""
NEVER = -1
"""A roll against this number fails, except for 00 where that always succeeds."""
SINGLE, DOUBLE = 50, 55
"""An attack roll that is no critical, and one that is."""
PAIRS = {(LOST, LOST): 12, (LOST, HELD): 16, (HELD, LOST): 61, (HELD, HELD): 67}
"""Defenses that compare so with `SINGLE`, as they are and flipped."""


class PairRead(NamedTuple):
    """A defense as it compares with an attack roll, kept and flipped: one face for each pair.

    Attributes:
        verdict: whether a face holds.
        flips: whether the dice may be flipped afterwards.
    """

    verdict: DefenseRead
    flips: bool

    def __call__(self, faces: tuple[Face, ...]) -> Result:
        """The result that stands for this face."""
        return self.of(faces[0])

    def of(self, face: Face) -> Result:
        """The same for one face."""
        return _standing_for(self)[int(face)]

    def counted(self, pool: Pool) -> Counts[Result]:  # noqa: ARG002  # always one d100
        """Face by face."""
        return dict(Counter(_standing_for(self)))


_STANDS = {both: classify(face, SURE) for both, face in PAIRS.items()}
_FLIPPED = [flipped(face) for face in range(100)]


@lru_cache(maxsize=4096)
def _standing_for(read: PairRead) -> tuple[Result, ...]:
    """For each face the result that stands for it."""
    verdicts = read.verdict.each()
    if not read.flips:
        return tuple(verdicts)
    return tuple([
        verdict if other == face else _STANDS[verdict, verdicts[other]]
        for face, (verdict, other) in enumerate(zip(verdicts, _FLIPPED, strict=True))
    ])  # fmt: skip


def merged(node: Chance[Exchange], needed: frozenset[str]) -> Chance[Exchange]:
    """A roll on which a point may be spent, with faces that come to the same read as one."""
    step, x = node.then
    if not isinstance(node.read, TestRead) or node.read.detail != "face":
        return node
    if step is roll.spend_after_attack:
        if x.rulings[rule.REVEAL] == "both" and not x.numbers.area:
            return node
        read = AlikeRead(node.read, _rank_of(x, needed), x.numbers.flips)
    elif step is roll.spend_after_defence:
        return _defended(node, node.read, "defense_critical" in needed)
    elif step is aftermath.spend_on_check:
        verdict = aftermath.read_of(x.checks[0], node.read.tn)
        read = AlikeRead(node.read, verdict, x.targets[0].flips)
    else:
        return node
    return node._replace(read=read)


def _rank_of(x: Exchange, needed: frozenset[str]) -> TestRead:
    """What dice can tell apart of an attack roll: no point makes a defense higher than its number.

    Rules keep its face for a defender who may spend a point, and so do those who tell about that.
    """
    rank = roll.rank_of(x)
    if ATTACK_ROLL in needed:
        return rank
    return rank._replace(beyond=min(rank.beyond, _highest(x.targets)))


@lru_cache(maxsize=4096)
def _highest(targets: tuple[Target, ...]) -> int:
    """The highest face with which a defense succeeds."""
    return min(98, max(0, *(target.tn or 0 for target in targets)))


def _defended(node: Chance[Exchange], read: TestRead, tells: bool) -> Chance[Exchange]:  # noqa: FBT001
    """The roll of a defense that a flip may help.

    If no other target is compared with the attack roll, two rolls that compare alike stand for
    all: what counts is whether the defense holds, and whether it does when it is flipped.
    """
    x = node.then.facts
    place = len(x.struck)
    target = x.targets[place]
    against = roll.against(x, target)
    tie = tie_goes_to(x, target, against)
    verdict = DefenseRead(read.tn, read.zero, strength(against), tie, tells)
    compared_again = place + 1 < len(x.targets) and not x.numbers.is_melee
    if tie == "nobody" or target.shift or compared_again:
        return node._replace(read=AlikeRead(read, verdict, target.flips))
    some = _with_number(target, SURE)
    then = x._replace(
        roll=x.roll._replace(face=DOUBLE if x.roll.critical else SINGLE),
        targets=(*x.targets[:place], some, *x.targets[place + 1 :]),
    )
    return node._replace(read=PairRead(verdict, target.flips), then=At(node.then.step, then))


@lru_cache(maxsize=4096)
def _with_number(target: Target, tn: int) -> Target:
    return target._replace(tn=tn, zero="")


# -- facts -----------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def settled(attack: Attack, target: Target) -> tuple[Attack, Target]:
    """Numbers against which dice are thrown, without those that a point could have made of them.

    By whom a tie is won is kept, as in `at_defense`; so a number beyond all faces is one with any
    other one.
    """
    target = _edged(attack, target)
    if target.tn is not None:
        target = target._replace(tn=_on_the_die(target.tn, target.zero))
    number = _on_the_die(attack.tn, attack.zero)
    return attack._replace(tn=number, plus=0, bare=0, unhelped=0), target


def _on_the_die(tn: int, zero: Zero) -> int:
    """The number nearest to a target number for which each face comes to the same."""
    least = NEVER if zero == "may_fail" else 0
    return max(least, min(tn, SURE))


def at_attack_point(x: Exchange, needed: frozenset[str]) -> tuple[Attack, Target] | None:
    """Numbers before a point is spent on an attack roll, with one of two to roll against.

    The roll is known: the number tells only whether it succeeds once it is flipped, and who wins a
    tie. None where the roll counts for more than that.
    """
    attack = x.numbers
    if ATTACK_ROLL in needed or x.rulings[rule.REVEAL] == "both":
        return None
    if len(x.targets) > 1 or x.struck or attack.area:
        return None
    swapped = classify(flipped(x.roll.face), attack.tn, attack.zero)
    return _awaiting(attack, x.targets[0], swapped.success)


@lru_cache(maxsize=4096)
def _awaiting(attack: Attack, target: Target, succeeds: bool) -> tuple[Attack, Target]:  # noqa: FBT001
    """Numbers once the attack is rolled, and whether it succeeds once it is flipped."""
    number = SURE if succeeds else NEVER
    return attack._replace(tn=number, plus=0, bare=0, unhelped=0), _edged(attack, target)


def at_defense(x: Exchange, needed: frozenset[str]) -> Exchange:
    """Facts before a defense without how the attack roll came about.

    By whom a tie is won is kept as the edge of the one or the other.
    """
    if x.rulings[rule.REVEAL] == "both":
        return x
    known = _defending(x.numbers, x.targets, len(x.struck), "attacker_pools" in needed)
    if known is None:
        return x
    attack, targets, is_defended = known
    result = _told(x, needed)
    if result.face and not (is_defended and result.success):
        result = result._replace(face=0)
    elif ATTACK_ROLL not in needed and result.face > (beyond := _highest(x.targets)):
        result = result._replace(face=beyond + 1)
    if (
        len(targets) == 1
        and not is_unknown(attack.called)
        and attack.called != "none"
        and not _takes_effect(x, result)
    ):
        attack = attack._replace(called="none")
    spent = x.spent if "spent" in needed else 0
    return x._replace(attack=attack, targets=targets, roll=result, spent=spent)


def without_attack(node: Chance[Exchange], needed: frozenset[str]) -> Chance[Exchange]:
    """An attack roll that leads to a defense, without the number that was rolled against.

    By whom a tie is won is kept, as in `at_defense`.
    """
    x = node.then.facts
    if x.rulings[rule.REVEAL] == "both":
        return node
    known = _defending(x.numbers, x.targets, len(x.struck), "attacker_pools" in needed)
    if known is None:
        return node
    attack, targets, _ = known
    spent = x.spent if "spent" in needed else 0
    rest = x._replace(attack=attack, targets=targets, spent=spent)
    return node._replace(then=At(node.then.step, rest))


def _takes_effect(x: Exchange, result: Result) -> bool:
    """Whether a called shot takes effect if the attack hits."""
    if not result.success:
        return False
    return result.superior > 0 or (result.critical and x.rulings[rule.CALLED_CRITICAL] != "doubles")


@lru_cache(maxsize=4096)
def _defending(
    attack: Attack,
    targets: tuple[Target, ...],
    place: int,
    keeps_pools: bool,  # noqa: FBT001
) -> tuple[Attack, tuple[Target, ...], bool] | None:
    """The numbers that count once the attack is rolled, and whether anybody defends.

    None where the attack roll counts differently against different targets.
    """
    if any(target.shift for target in targets):
        return None
    end = place + 1 if attack.is_melee else len(targets)
    edged = tuple([_edged(attack, target) for target in targets[place:end]])
    if end == len(targets):
        bare = attack_rolled(attack)._replace(helped=True)
        bare = bare if keeps_pools else bare._replace(pools=())
    else:
        bare = attack._replace(tn=0, helped=True)
    is_defended = any(target.tn is not None for target in edged)
    return bare, (*targets[:place], *edged, *targets[end:]), is_defended


def _edged(attack: Attack, target: Target) -> Target:
    """A target with the winner of a tie in place of both numbers."""
    if target.tn is None:
        return target
    edge = attack.tn - target.tn if target.edge is None else target.edge
    return target._replace(edge=1 if edge > 0 else 0, plus=0, bare=0, bare_shift=0)


def _told(x: Exchange, needed: frozenset[str]) -> Result:
    """The attack roll without what only its account needs."""
    result = x.roll
    if result.success:
        return result
    if "fumble" not in needed:
        result = result._replace(critical=False)
    if "failures" not in needed and ("broken" not in needed or not x.numbers.fragile):
        result = result._replace(superior=0)
    return result


def at_comparison(x: Exchange, needed: frozenset[str]) -> Exchange:
    """Facts with two rolls of which only the winner is kept, and what a hit adds."""
    place = len(x.struck)
    target = x.targets[place]
    if target.shift or target.skill == "unable":
        return x
    result, winner = _told(x, needed), prevails(x, target, x.roll)
    if winner == "attack":
        defense = LOST
    elif winner == "nobody":
        defense = TIED
    else:
        critical = result.success and x.defense.success and x.defense.critical
        tells = critical and x.defense != HELD and "defense_critical" in needed
        defense = HELD_CRITICALLY if tells else HELD
    attack, is_last = x.numbers, place + 1 == len(x.targets)
    if is_last or attack.is_melee:
        result = result._replace(face=0)
    if is_last:
        attack = attack_rolled(attack)
        if "attacker_pools" not in needed and attack.pools:
            attack = attack._replace(pools=())
    rests = spares_points(target, needed, x.rulings[rule.BLEEDING])
    targets = (*x.targets[:place], _compared(target, rests), *x.targets[place + 1 :])
    spent = x.spent if "spent" in needed else 0
    return x._replace(attack=attack, targets=targets, roll=result, defense=defense, spent=spent)


def spares_points(target: Target, needed: frozenset[str], bleeding: str) -> bool:
    """Whether a target's points count for nothing but its defense."""
    return not (target.mates or needed & POINTS or _may_be_checked(needed, bleeding))


def one_of_each(pools: Pools, test: str) -> Pools:
    """A point of each pool that serves a test, which takes no more than one."""
    return tuple([(name, 1) for name, _ in pools if name in POOLS_FOR.get(test, ())])


@lru_cache(maxsize=4096)
def _compared(target: Target, rests: bool) -> Target:  # noqa: FBT001
    """A target whose defense is over, without points if no check will matter."""
    over = target_rolled(target)
    return over._replace(pools=()) if rests else over


@lru_cache(maxsize=256)
def _may_be_checked(needed: frozenset[str], bleeding: str) -> bool:
    """Whether some check may bear on what is needed."""
    return any(_bears(bleeding, kind, needed) for kind in (*CHECKED, ""))


def at_damage(x: Exchange, needed: frozenset[str]) -> Exchange:
    """Facts with the damage that gets through, without the damage that was rolled."""
    if not x.struck or _asked("dv", len(x.done) + 1, needed):
        return x
    return x._replace(struck=(x.struck[0]._replace(dv=0), *x.struck[1:]))


def at_check(x: Exchange, needed: frozenset[str]) -> Exchange:
    """Facts before a check: checks that still matter, and what these look at."""
    struck, target, checks = x.struck[0], x.targets[0], x.checks
    bleeding = x.rulings[rule.BLEEDING]
    if not needed & POINTS and not (target.mates and len(x.struck) > 1):
        while checks and not _bears(bleeding, checks[-1].kind, needed):
            checks = checks[:-1]
    plain = kept(struck, len(x.done) + 1, needed)
    if "unconscious" in needed:
        plain = plain._replace(knocked_out=struck.knocked_out, incapacitated=struck.incapacitated)
    if checks:
        kinds = {check.kind for check in checks}
        plain = plain._replace(all_wounds=struck.all_wounds)
        if x.rulings[rule.FRESH_WOUND] == "earlier":
            plain = plain._replace(wounds=struck.wounds)
        if "entangling" in kinds:
            plain = plain._replace(superior=struck.superior)
        if "stop_bleeding" in kinds:
            plain = plain._replace(
                total=struck.total, dies_in=struck.dies_in, bleeding=struck.bleeding,
                dead=struck.dead,
            )  # fmt: skip
        if "break_free" in kinds or BY_TRAITS & needed:
            plain = plain._replace(conditions=struck.conditions, prone=struck.prone)
    elif not needed & POINTS and not target.mates and target.pools:
        target = target._replace(pools=())
    return x._replace(
        struck=(plain, *x.struck[1:]), targets=(target, *x.targets[1:]), checks=checks
    )


@lru_cache(maxsize=1024)
def _bears(bleeding: str, kind: str, needed: frozenset[str]) -> bool:
    """Whether a check of this kind bears on what is needed, under a reading of `bleeding`."""
    if kind == "break_free":
        return True
    asked = CHECKED.get(kind, BY_TRAITS) & needed
    if kind == "stop_bleeding" and bleeding == "once":
        asked -= DEAD_OF_IT
    return bool(asked)


# -- records ---------------------------------------------------------------------------------

_OTHER_NAMES = {
    "spent": "spent_on_checks", "needs": "calls_need", "pools": "target_pools",
    "wounds": "traumas", "all_wounds": "all_traumas", "total": "total_stress",
    "incapacitated": "breakdown",
}  # fmt: skip


def _asked(name: str, place: int, needed: frozenset[str]) -> bool:
    """Whether an outcome field that is asked for reads this field of the target at a place."""
    suffix = "" if place == 1 else f"_{place}"
    return (
        name + suffix in needed
        or f"{name}s" in needed
        or f"{name}_all" in needed
        or _OTHER_NAMES.get(name) in needed
        or name in {"stress", "bleeding"}  # effects in fights read them
    )


@lru_cache(maxsize=256)
def _asked_fields(place: int, needed: frozenset[str]) -> tuple[bool, ...]:
    return tuple([_asked(name, place, needed) for name in Struck._fields])


_NOTHING = tuple(Struck())


def kept(record: Struck, place: int, needed: frozenset[str]) -> Struck:
    """Of a target's record the fields that are asked for."""
    asked = _asked_fields(place, needed)
    return Struck._make([
        value if keeps else nothing
        for value, keeps, nothing in zip(record, asked, _NOTHING, strict=True)
    ])  # fmt: skip
