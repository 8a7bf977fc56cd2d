"""Eclipse Phase 2e attacks by brute force: all hundred faces of each d100, every damage die.

Conventions: a d100 shows 0..99, a damage d10 shows 1..10, probabilities are `Fraction`s, a
distribution is a dict from outcome to probability. Where the book can be read in several ways
`Rulings` names the readings; its defaults are the project's. Clause ids stand in docstrings.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import ceil, floor, prod
from typing import Literal, NamedTuple, TypedDict, TypeVar

T = TypeVar("T", bound=Hashable)
Dist = dict[T, Fraction]

ROLLS = range(100)
PERCENT = Fraction(1, 100)
HALF = Fraction(1, 2)


# ------------------------------------------------------------------ readings and small sums


@dataclass(frozen=True)
class Rulings:
    """One field per ambiguity, as the room calls them, with its number."""

    ties: Literal["miss", "deadlock", "higher_skill", "hit"] = "miss"  # A-1; "hit" is no reading
    equal_criticals: Literal["base", "final", "raw"] = "final"
    specialty: Literal["after", "before"] = "after"  # A-4 (halving of Fray)
    athletics: Literal["halved", "full"] = "halved"
    pool_cap: Literal["outside", "inside"] = "outside"
    critical_doubles: Literal["total", "dice", "weapon"] = "total"
    piercing_twice: Literal["once", "quarter"] = "once"
    default_zero: Literal["ordinary", "critical", "may_fail"] = "ordinary"
    minus_die: Literal["remove", "subtract"] = "remove"
    half_ammo: Literal["total", "weapon"] = "total"
    aimed_burst: Literal["no", "yes"] = "no"
    steady: Literal["all", "penalties", "to_hit"] = "penalties"
    small_half: Literal["total", "dice"] = "total"
    coup_armor: Literal["counts", "none"] = "counts"
    ignore_all: Literal["all", "negative"] = "all"
    undefended: Literal["test", "automatic"] = "test"
    wound_cap: Literal["inside", "outside"] = "inside"
    prone_superior: Literal["once", "stack"] = "once"
    move_fray: Literal["attack", "both"] = "attack"
    aggressive_parry: Literal["fray", "all"] = "fray"
    called_critical: Literal["both", "doubles", "effect"] = "both"
    called_second: Literal["damage", "lost"] = "damage"
    short_rating: Literal["close", "beyond"] = "close"
    factors: Literal["once", "each"] = "once"
    blast_meters: Literal["down", "nearest"] = "down"
    failure_bands: Literal["inclusive", "exclusive"] = "inclusive"
    downgraded: Literal["plain", "banded"] = "plain"
    low_pain: Literal["checks", "wounds"] = "checks"


BOOK = Rulings()


def round_half_up(x: Fraction | int) -> int:
    """The nearest whole number, halves upwards (EP-7)."""
    return floor(Fraction(x) + HALF)


def clamp(x: int, low: int, high: int) -> int:
    """The number nearest to x within low..high."""
    return max(low, min(high, x))


def mean(dist: Mapping[int, Fraction]) -> Fraction:
    """Expected value."""
    return sum((Fraction(x) * p for x, p in dist.items()), Fraction(0))


def chance(dist: Mapping[T, Fraction], event: Callable[[T], bool]) -> Fraction:
    """Probability of an event."""
    return sum((p for x, p in dist.items() if event(x)), Fraction(0))


def tally(pairs: Iterable[tuple[T, Fraction]]) -> Dist[T]:
    """Add up the probabilities of equal outcomes; outcomes of probability 0 are left out."""
    dist: Dist[T] = {}
    for x, p in pairs:
        if p:
            dist[x] = dist.get(x, Fraction(0)) + p
    return dist


def shares(found: Iterable[T], n: int) -> Dist[T]:
    """Count outcomes of n equally likely ways."""
    return {x: Fraction(ways, n) for x, ways in Counter(found).items()}


# ------------------------------------------------------------------ one roll


class Result(NamedTuple):
    """A d100 read against a target number. `critical` holds for successes and for failures."""

    roll: int
    tn: int
    success: bool
    critical: bool
    superior: int
    superior_failures: int
    defaulting: bool = False


def _failure_band(roll: int, rulings: Rulings) -> int:
    if rulings.failure_bands == "inclusive":
        return 2 if roll <= 33 else 1 if roll <= 66 else 0
    return 2 if roll < 33 else 1 if roll < 66 else 0


@cache
def classify(roll: int, tn: int, *, defaulting: bool = False, rulings: Rulings = BOOK) -> Result:
    """Read one roll (EP-1 to EP-6)."""
    if roll not in ROLLS:
        raise ValueError(f"a d100 shows 0..99, not {roll}")
    success = roll <= tn
    critical = roll in (0, 11, 22, 33, 44, 55, 66, 77, 88, 99)
    if roll == 0 and not (defaulting and rulings.default_zero == "may_fail"):
        success = True
    if roll == 99:
        success = False
    if success and defaulting and not (roll == 0 and rulings.default_zero == "critical"):
        critical = False
    superior = 0
    superior_failures = 0
    if success and not critical:
        superior = 2 if roll >= 66 else 1 if roll >= 33 else 0
    if not success and not critical:
        superior_failures = _failure_band(roll, rulings)
    return Result(roll, tn, success, critical, superior, superior_failures, defaulting)


@cache
def p_success(tn: int) -> Fraction:
    """Chance to succeed at a plain test, counted over all faces."""
    return Fraction(sum(classify(roll, tn).success for roll in ROLLS), len(ROLLS))


def split_of_test(tn: int, *, defaulting: bool = False, rulings: Rulings = BOOK) -> Dist[str]:
    """Chance of each class of one test: crit, sup0..2, critfail, fail0..2."""

    def name(result: Result) -> str:
        if result.critical:
            return "crit" if result.success else "critfail"
        return f"sup{result.superior}" if result.success else f"fail{result.superior_failures}"

    results = (classify(roll, tn, defaulting=defaulting, rulings=rulings) for roll in ROLLS)
    return tally((name(result), PERCENT) for result in results)


# ------------------------------------------------------------------ two rolls


class Skills(NamedTuple):
    """Numbers that an equal pair may be decided by: after halving (base), before it (raw)."""

    base_a: int
    base_d: int
    raw_a: int
    raw_d: int


class Strike(NamedTuple):
    """How an attack lands. A miss carries neither critical nor superior."""

    hit: bool
    critical: bool
    superior: int


MISS = Strike(hit=False, critical=False, superior=0)


def opposed(
    a: Result, d: Result | None, *, skills: Skills | None = None, rulings: Rulings = BOOK
) -> Literal["hit", "miss", "deadlock"]:
    """Compare attacker and defender (EP-14 to EP-16, EP-39, EP-53 to EP-56); None = undefended."""
    if d is None and rulings.undefended == "automatic":
        return "hit"
    if not a.success:
        return "miss"
    if d is None or not d.success:
        return "hit"
    if a.critical != d.critical:
        return "hit" if a.critical else "miss"
    if a.roll != d.roll:
        return "hit" if a.roll > d.roll else "miss"
    better = _better_skill(a, d, skills, rulings)
    if a.critical:
        return "hit" if better else "miss"
    if rulings.ties == "hit":
        return "hit"
    if rulings.ties == "deadlock":
        return "deadlock"
    if rulings.ties == "higher_skill":
        return "hit" if better else "miss"
    return "miss"


def _better_skill(a: Result, d: Result, skills: Skills | None, rulings: Rulings) -> bool:
    if rulings.equal_criticals == "final":
        return a.tn > d.tn
    if skills is None:
        raise ValueError(f"equal rolls decided by {rulings.equal_criticals} skill: give skills")
    if rulings.equal_criticals == "base":
        return skills.base_a > skills.base_d
    return skills.raw_a > skills.raw_d


def hit(
    roll_a: int,
    tn_a: int,
    roll_d: int | None = None,
    tn_d: int | None = None,
    *,
    skills: Skills | None = None,
    rulings: Rulings = BOOK,
) -> bool:
    """Does the attack connect? Without roll and target number the defender doesn't defend."""
    d = None
    if roll_d is not None and tn_d is not None:
        d = classify(roll_d, tn_d, rulings=rulings)
    a = classify(roll_a, tn_a, rulings=rulings)
    return opposed(a, d, skills=skills, rulings=rulings) == "hit"


def defences(tn_d: int | None, rulings: Rulings = BOOK) -> list[Result | None]:
    """The defender's hundred rolls, equally likely; one None when nobody defends."""
    if tn_d is None:
        return [None]
    return [classify(roll, tn_d, rulings=rulings) for roll in ROLLS]


def strike(
    a: Result, d: Result | None, *, skills: Skills | None = None, rulings: Rulings = BOOK
) -> Strike:
    """How this pair of rolls lands."""
    if opposed(a, d, skills=skills, rulings=rulings) != "hit":
        return MISS
    return Strike(True, a.critical and a.success, a.superior)


def strikes(
    tn_a: int, tn_d: int | None, *, skills: Skills | None = None, rulings: Rulings = BOOK
) -> Dist[Strike]:
    """Chance of each way to land, over all pairs of rolls."""
    all_d = defences(tn_d, rulings)
    all_a = [classify(roll, tn_a, rulings=rulings) for roll in ROLLS]
    landed = (strike(a, d, skills=skills, rulings=rulings) for a in all_a for d in all_d)
    return shares(landed, len(ROLLS) * len(all_d))


def p_hit(
    tn_a: int, tn_d: int | None, *, skills: Skills | None = None, rulings: Rulings = BOOK
) -> Fraction:
    """Chance that the attack connects."""
    landed = strikes(tn_a, tn_d, skills=skills, rulings=rulings)
    return chance(landed, lambda s: s.hit)


def p_equal_successes(tn_a: int, tn_d: int) -> Fraction:
    """Chance that both succeed with the same number."""
    same = [r for r in ROLLS if classify(r, tn_a).success and classify(r, tn_d).success]
    return Fraction(len(same), 10_000)


def joint_hits(
    tn_a: int, tns_d: Sequence[int | None], *, rulings: Rulings = BOOK
) -> Dist[tuple[bool, ...]]:
    """Several targets share one attack roll, each defends with a roll of its own (EP-71)."""
    pairs: list[tuple[tuple[bool, ...], Fraction]] = []
    for roll in ROLLS:
        a = classify(roll, tn_a, rulings=rulings)
        rows: list[tuple[tuple[bool, ...], Fraction]] = [((), PERCENT)]
        for tn_d in tns_d:
            all_d = defences(tn_d, rulings)
            n_hit = sum(opposed(a, d, rulings=rulings) == "hit" for d in all_d)
            p = Fraction(n_hit, len(all_d))
            rows = [((*hits, True), q * p) for hits, q in rows] + [
                ((*hits, False), q * (1 - p)) for hits, q in rows
            ]
        pairs += rows
    return tally(pairs)


# ------------------------------------------------------------------ pools


def flip(roll: int) -> int:
    """The two digits exchanged (EP-20)."""
    return roll % 10 * 10 + roll // 10


def upgrade(result: Result) -> Result:
    """One superior success more (EP-20); refused for criticals, failures and two superior."""
    if not result.success or result.critical or result.superior == 2:
        raise ValueError(f"no success to upgrade: {result}")
    return result._replace(superior=result.superior + 1)


def downgrade(result: Result, *, rulings: Rulings = BOOK) -> Result:
    """A critical failure becomes a plain one (EP-20)."""
    if result.success or not result.critical:
        raise ValueError(f"no critical failure to downgrade: {result}")
    band = _failure_band(result.roll, rulings) if rulings.downgraded == "banded" else 0
    return result._replace(critical=False, superior_failures=band)


PoolUse = Literal["keep", "flip", "upgrade", "downgrade"]
ALL_USES: tuple[PoolUse, ...] = ("keep", "flip", "upgrade", "downgrade")


def pool_uses(
    result: Result, allowed: Sequence[PoolUse] = ALL_USES, *, rulings: Rulings = BOOK
) -> list[tuple[PoolUse, Result]]:
    """What one point may make of a roll, keeping it first. Leave out flip for Bad Luck."""
    uses: list[tuple[PoolUse, Result]] = [("keep", result)]
    if "flip" in allowed and flip(result.roll) != result.roll:
        flipped = classify(
            flip(result.roll), result.tn, defaulting=result.defaulting, rulings=rulings
        )
        uses.append(("flip", flipped))
    if "upgrade" in allowed and result.success and not result.critical and result.superior < 2:
        uses.append(("upgrade", upgrade(result)))
    if "downgrade" in allowed and result.critical and not result.success:
        uses.append(("downgrade", downgrade(result, rulings=rulings)))
    return uses


def landed(s: Strike) -> Fraction | int:
    """Utility of the attacker who only wants to hit."""
    return int(s.hit)


class PoolPlay(NamedTuple):
    """Optimal play: utility, points spent on average, and how attacks land under that play."""

    value: Fraction
    spent_a: Fraction
    spent_d: Fraction
    strikes: Dist[Strike]


def pool_play(
    tn_a: int,
    tn_d: int | None,
    *,
    attacker: Sequence[PoolUse] = (),
    defender: Sequence[PoolUse] = (),
    reveal: Literal["own", "both"] = "own",
    utility: Callable[[Strike], Fraction | int] = landed,
    skills: Skills | None = None,
    rulings: Rulings = BOOK,
) -> PoolPlay:
    """Each side may spend one point after its roll: attacker for, defender against `utility`.

    A-2: with reveal "own" the attacker decides before the defender rolls, with "both" after
    seeing both rolls. The defender always decides last, seeing everything. A side spends only
    when that is strictly better than keeping the roll; among equal uses the first of `ALL_USES`.
    """
    ends: list[tuple[Strike, bool, bool]] = []
    all_d = defences(tn_d, rulings)
    worth = cache(utility)

    def answer(a: Result, d: Result | None) -> tuple[Strike, bool]:
        """The defender's best reply, and whether it costs a point."""
        if d is None:
            return strike(a, None, skills=skills, rulings=rulings), False
        replies = pool_uses(d, defender, rulings=rulings)
        options = [
            (strike(a, r, skills=skills, rulings=rulings), use != "keep") for use, r in replies
        ]
        return min(options, key=lambda option: worth(option[0]))

    for roll in ROLLS:
        uses = pool_uses(classify(roll, tn_a, rulings=rulings), attacker, rulings=rulings)
        table = [(use != "keep", [answer(a, d) for d in all_d]) for use, a in uses]
        if reveal == "own":
            best = max(table, key=lambda row: sum(worth(s) for s, _ in row[1]))
            chosen = [(best[0], reply) for reply in best[1]]
        else:
            chosen = [
                max(
                    ((spent, replies[i]) for spent, replies in table),
                    key=lambda option: worth(option[1][0]),
                )
                for i in range(len(all_d))
            ]
        ends += [(s, spent_a, spent_d) for spent_a, (s, spent_d) in chosen]

    played = shares(ends, len(ends))
    return PoolPlay(
        value=sum((utility(s) * q for (s, _, _), q in played.items()), Fraction(0)),
        spent_a=chance(played, lambda x: x[1]),
        spent_d=chance(played, lambda x: x[2]),
        strikes=tally((s, q) for (s, _, _), q in played.items()),
    )


def p_success_with_flip(tn: int) -> Fraction:
    """Chance to succeed unopposed when a failure may be flipped."""
    n = sum(classify(r, tn).success or classify(flip(r), tn).success for r in ROLLS)
    return Fraction(n, 100)


# ------------------------------------------------------------------ damage


class DV(NamedTuple):
    """A damage expression: d10s, d6s and a flat number."""

    d10: int = 0
    d6: int = 0
    flat: int = 0

    def plus(self, other: "DV") -> "DV":
        """Both together."""
        return DV(self.d10 + other.d10, self.d6 + other.d6, self.flat + other.flat)


NOTHING = DV()


def _one_more_die(dist: Dist[int], sides: int, sign: int) -> Dist[int]:
    faces = range(1, sides + 1)
    p = Fraction(1, sides)
    return tally((x + sign * face, q * p) for x, q in dist.items() for face in faces)


@cache
def _dice_total(d10: int, d6: int, flat: int, minus_d10: int) -> tuple[tuple[int, Fraction], ...]:
    dist: Dist[int] = {flat: Fraction(1)}
    for _ in range(d10):
        dist = _one_more_die(dist, 10, +1)
    for _ in range(d6):
        dist = _one_more_die(dist, 6, +1)
    for _ in range(minus_d10):
        dist = _one_more_die(dist, 10, -1)
    return tuple(sorted(dist.items()))


def dice_total(dv: DV, *, minus_d10: int = 0) -> Dist[int]:
    """Every face of every die, one die after the other; no floor. Minus dice are subtracted."""
    return dict(_dice_total(dv.d10, dv.d6, dv.flat, minus_d10))


def printed_average(dv: DV) -> int:
    """The static number printed beside the dice (EP-60)."""
    return round_half_up(mean(dice_total(dv)))


def maximum(dv: DV) -> int:
    """Every die on its highest face."""
    return 10 * dv.d10 + 6 * dv.d6 + dv.flat


def take_d10(dv: DV, n: int) -> tuple[DV, int]:
    """Take n d10s out of the pool; also how many could not be taken."""
    taken = min(n, dv.d10)
    return dv._replace(d10=dv.d10 - taken), n - taken


@dataclass(frozen=True)
class Hurt:
    """What bears on the size of a wound besides the weapon's own dice."""

    extra: DV = NOTHING  # firing mode, ammunition, charge, size, ware ...
    minus_d10: int = 0
    critical: bool = False
    small: bool = False
    very_small: bool = False
    half_ammo: bool = False
    disarm: bool = False


NO_HURT = Hurt()


@cache
def _damage(weapon: DV, hurt: Hurt, rulings: Rulings) -> tuple[tuple[int, Fraction], ...]:
    base, extra, lost = weapon, hurt.extra, hurt.minus_d10
    if rulings.minus_die == "remove":
        base, lost = take_d10(base, lost)
        extra, lost = take_d10(extra, lost)
    if hurt.small and rulings.small_half == "dice":
        base = DV(*(round_half_up(Fraction(n, 2)) for n in base))
    if hurt.critical and rulings.critical_doubles == "dice":
        base = base._replace(d10=2 * base.d10, d6=2 * base.d6)
        extra = extra._replace(d10=2 * extra.d10, d6=2 * extra.d6)

    on_base: list[Fraction] = []
    on_total: list[Fraction] = []
    if hurt.critical and rulings.critical_doubles != "dice":
        (on_total if rulings.critical_doubles == "total" else on_base).append(Fraction(2))
    if hurt.small and rulings.small_half == "total":
        on_total.append(HALF)
    if hurt.half_ammo:
        (on_total if rulings.half_ammo == "total" else on_base).append(HALF)
    if hurt.disarm:
        on_total.append(HALF)

    def scaled(b: int, e: int) -> int:
        if rulings.factors == "once":
            total = max(Fraction(0), b * prod(on_base, start=Fraction(1)) + e)
            return round_half_up(total * prod(on_total, start=Fraction(1)))
        rounded = b
        for factor in on_base:
            rounded = round_half_up(rounded * factor)
        dv = max(0, rounded + e)
        for factor in on_total:
            dv = round_half_up(dv * factor)
        return dv

    dist = tally(
        (min(scaled(b, e), 1) if hurt.very_small else scaled(b, e), p * q)
        for b, p in dice_total(base, minus_d10=lost).items()
        for e, q in dice_total(extra).items()
    )
    return tuple(sorted(dist.items()))


def damage(weapon: DV, hurt: Hurt = NO_HURT, *, rulings: Rulings = BOOK) -> Dist[int]:
    """Distribution of the DV before armor (EP-57, EP-58, EP-60, EP-94, EP-153)."""
    return dict(_damage(weapon, hurt, rulings))


def armor(av: int, *, piercing: bool = False, bypass: bool = False, rulings: Rulings = BOOK) -> int:
    """Armour that counts: halved by piercing or bypass, half up, once unless ruled (EP-63)."""
    if piercing and bypass and rulings.piercing_twice == "quarter":
        return round_half_up(Fraction(av, 4))
    return round_half_up(Fraction(av, 2)) if piercing or bypass else av


def net_damage(dv: int, av: int, *, cap: int | None = None) -> int:
    """What gets through (EP-62), at most `cap` (EP-150)."""
    net = max(0, dv - av)
    return net if cap is None else min(net, cap)


def minimum_damage_cap(weapon: DV, extra: DV = NOTHING, *, minus_d10: int = 0) -> int:
    """Every die counted as 1, plus the flat number (EP-150); factors are not applied."""
    return max(0, sum(weapon) + sum(extra) - minus_d10)


def wounds(net: int, wt: int | None) -> int:
    """Wounds from one hit (EP-66); None: immune."""
    return 0 if wt is None else net // wt


def blast(
    dv: DV,
    *,
    distance: Fraction | int,
    av: int,
    defence: Literal["full", "half", "none"] = "full",
    per_metre: int = 2,
    rulings: Rulings = BOOK,
) -> Dist[int]:
    """Net damage of a centred blast (EP-102, EP-103): falloff, then half, then armor."""
    metres = floor(distance) if rulings.blast_meters == "down" else round_half_up(distance)
    factor = {"full": Fraction(1), "half": HALF, "none": Fraction(0)}[defence]

    def through(x: int) -> int:
        return net_damage(round_half_up(max(0, x - per_metre * metres) * factor), av)

    return tally((through(x), p) for x, p in dice_total(dv).items())


def blast_against_fray(
    dv: DV, fray_tn: int, *, distance: int, av: int, near_edge: bool = False
) -> Dist[int]:
    """The same with a plain Fray test (A-16 a): half damage, or none near edge or cover."""
    p = p_success(fray_tn)
    dodged = blast(dv, distance=distance, av=av, defence="none" if near_edge else "half")
    caught = blast(dv, distance=distance, av=av)
    pairs = [(x, p * q) for x, q in dodged.items()]
    return tally(pairs + [(x, (1 - p) * q) for x, q in caught.items()])


def helpless(roll: int, tn: int, weapon: DV, av: int, *, rulings: Rulings = BOOK) -> int | None:
    """Net damage to a helpless target out of combat; None: killed outright (EP-106)."""
    if classify(roll, tn, rulings=rulings).success:
        return None
    return net_damage(maximum(weapon), av if rulings.coup_armor == "counts" else 0)


# ------------------------------------------------------------------ what a hit does


@dataclass(frozen=True)
class Target:
    """The one who is hit. `armor` is the rating that counts against this attack."""

    armor: int
    wt: int | None
    dur: int
    dr: int
    som_check: int
    damage: int = 0
    wounds: int = 0
    ignore_wounds: int = 0
    wound_step: int = 10
    som_modifier: int = 0
    low_pain: bool = False
    minimum_damage: bool = False


class Outcome(NamedTuple):
    """One attack on one target. `wounds` are the new ones, `superior` is as rolled.

    At or past Durability the target is unconscious without any knockdown check, and `prone`
    stays False; past Death Rating it is dead as well.
    """

    hit: bool
    critical: bool
    superior: int
    dv: int
    net: int
    wounds: int
    prone: bool
    unconscious: bool
    dead: bool


NO_EFFECT = Outcome(False, False, 0, 0, 0, 0, False, False, False)


def wound_modifier(n_wounds: int, ignored: int = 0, step: int = 10) -> int:
    """-10 for each wound that is not ignored; at most three can be ignored (EP-50, EP-109)."""
    return -step * max(0, n_wounds - min(3, ignored))


def som_tn(target: Target, new_wounds: int, *, rulings: Rulings = BOOK) -> int:
    """Target number of the check after a hit: the new wounds count (EP-110)."""
    penalty = wound_modifier(
        target.wounds + new_wounds, target.ignore_wounds, step=target.wound_step
    )
    if target.low_pain and rulings.low_pain == "checks":
        penalty -= 30
    return target.som_check + clamp(penalty + target.som_modifier, -60, 60)


def bleeding_tn(target: Target, n_wounds: int, *, meds: bool = False) -> int:
    """Target number to stop one's own bleeding (EP-113); `n_wounds` are all wounds."""
    penalty = wound_modifier(n_wounds, target.ignore_wounds, step=target.wound_step)
    return target.som_check + clamp(penalty + (30 if meds else 0), -60, 60)


def turns_to_bleed_out(damage_now: int, n_wounds: int, dr: int) -> int:
    """Action turns until a bleeding biomorph is dead: one point a wound and turn (EP-113)."""
    turns = 0
    while damage_now < dr:
        damage_now += n_wounds
        turns += 1
    return turns


def falls(
    target: Target, net: int, *, wounds_only: bool = False, rulings: Rulings = BOOK
) -> Dist[tuple[bool, bool, bool]]:
    """Chance of (prone, unconscious, dead) after `net` damage (EP-64, EP-65, EP-110 to EP-112).

    With `wounds_only` the damage track is left out: just the checks that wounds ask for.
    """
    total = target.damage + net
    new = wounds(net, target.wt)
    if not wounds_only and total >= target.dur:
        return {(False, True, total >= target.dr): Fraction(1)}
    if new == 0:
        return {(False, False, False): Fraction(1)}
    passed = p_success(som_tn(target, new, rulings=rulings))
    if new == 1:
        return tally([((False, False, False), passed), ((True, False, False), 1 - passed)])
    return tally([((True, False, False), passed), ((True, True, False), 1 - passed)])


@dataclass(frozen=True)
class Attack:
    """What an attack does when it lands; `hurt.critical` is set by the roll."""

    weapon: DV
    hurt: Hurt = NO_HURT
    piercing: bool = False
    called: Literal["none", "bypass"] = "none"
    miss_chance: Fraction = Fraction(0)
    wounds_only: bool = False


class Blow(NamedTuple):
    """What a hit makes of its damage: doubled, through half the armor, d6s for superior success."""

    doubled: bool
    bypass: bool
    d6: int


def blow(s: Strike, called: Literal["none", "bypass"] = "none", rulings: Rulings = BOOK) -> Blow:
    """How a hit does its damage, called shots included (EP-58, EP-99, A-32, A-33)."""
    if called == "none":
        return Blow(s.critical, False, s.superior)
    return Blow(
        s.critical and rulings.called_critical != "effect",
        s.superior > 0 or (s.critical and rulings.called_critical != "doubles"),
        max(0, s.superior - 1) if rulings.called_second == "damage" else 0,
    )


@cache
def _struck(
    s: Strike, attack: Attack, target: Target, rulings: Rulings
) -> tuple[tuple[Outcome, Fraction], ...]:
    if not s.hit:
        return ((NO_EFFECT, Fraction(1)),)
    doubled, bypass, dice = blow(s, attack.called, rulings)
    extra = attack.hurt.extra.plus(DV(d6=dice))
    hurt = replace(attack.hurt, extra=extra, critical=doubled)
    av = armor(target.armor, piercing=attack.piercing, bypass=bypass, rulings=rulings)
    cap = None
    if target.minimum_damage:
        cap = minimum_damage_cap(attack.weapon, extra, minus_d10=hurt.minus_d10)
    pairs: list[tuple[Outcome, Fraction]] = []
    for dv, p in damage(attack.weapon, hurt, rulings=rulings).items():
        net = net_damage(dv, av, cap=cap)
        new = wounds(net, target.wt)
        fates = falls(target, net, wounds_only=attack.wounds_only, rulings=rulings)
        for fate, q in fates.items():
            pairs.append((Outcome(True, s.critical, s.superior, dv, net, new, *fate), p * q))
    return tuple(tally(pairs).items())


def struck(s: Strike, attack: Attack, target: Target, *, rulings: Rulings = BOOK) -> Dist[Outcome]:
    """Everything that can follow once it is known how the attack lands."""
    return dict(_struck(s, attack, target, rulings))


def resolve_roll(
    roll_a: int,
    tn_a: int,
    tn_d: int | None,
    attack: Attack,
    target: Target,
    *,
    skills: Skills | None = None,
    rulings: Rulings = BOOK,
) -> Dist[Outcome]:
    """One attack roll against one target: all defence rolls, all damage dice, all checks."""
    a = classify(roll_a, tn_a, rulings=rulings)
    all_d = defences(tn_d, rulings)
    landed = (strike(a, d, skills=skills, rulings=rulings) for d in all_d)
    return _followed(shares(landed, len(all_d)), attack, target, rulings)


def _followed(
    landed: Dist[Strike], attack: Attack, target: Target, rulings: Rulings
) -> Dist[Outcome]:
    """Everything that can follow these ways to land."""
    stays = 1 - attack.miss_chance
    pairs: list[tuple[Outcome, Fraction]] = []
    for s, p in landed.items():
        pairs.append((NO_EFFECT, p * attack.miss_chance))
        effects = struck(s, attack, target, rulings=rulings)
        pairs += [(outcome, p * stays * q) for outcome, q in effects.items()]
    return tally(pairs)


def resolve(
    tn_a: int,
    tn_d: int | None,
    attack: Attack,
    target: Target,
    *,
    skills: Skills | None = None,
    rulings: Rulings = BOOK,
) -> Dist[Outcome]:
    """The joint distribution of everything one attack on one target does."""
    landed = strikes(tn_a, tn_d, skills=skills, rulings=rulings)
    return _followed(landed, attack, target, rulings)


def resolve_several(
    tn_a: int,
    targets: Sequence[tuple[int | None, Attack, Target]],
    of: Callable[[Outcome], T],
    *,
    rulings: Rulings = BOOK,
) -> Dist[tuple[T, ...]]:
    """Several targets under one attack roll: joint distribution of `of(outcome)` of each."""
    pairs: list[tuple[tuple[T, ...], Fraction]] = []
    for roll in ROLLS:
        rows: Dist[tuple[T, ...]] = {(): PERCENT}
        for tn_d, attack, target in targets:
            single = resolve_roll(roll, tn_a, tn_d, attack, target, rulings=rulings)
            seen = tally((of(outcome), q) for outcome, q in single.items())
            rows = tally(((*row, x), p * q) for row, p in rows.items() for x, q in seen.items())
        pairs += rows.items()
    return tally(pairs)


def marginal(dist: Mapping[Outcome, Fraction], of: Callable[[Outcome], T]) -> Dist[T]:
    """Distribution of one fact of the outcome."""
    return tally((of(outcome), p) for outcome, p in dist.items())


def p_called_effect(tn_a: int, tn_d: int | None, *, criticals_count: bool = True) -> Fraction:
    """Chance that a called shot (its -10 already in `tn_a`) has its effect (EP-99, A-32)."""
    return chance(
        strikes(tn_a, tn_d),
        lambda s: s.superior > 0 or (s.critical and criticals_count),
    )


def blind_miss_chance(perceived: bool) -> Fraction:
    """Extra chance to miss a target that can't be seen (EP-101)."""
    return Fraction(0) if perceived else HALF


def p_hit_blind(tn_a: int, tn_d: int | None, *, perceive: bool | int | None) -> Fraction:
    """Hit chance of a blind attack (EP-101), its -30 already in `tn_a`.

    `perceive`: True or False for a test already made, None for no test, else its target number.
    """
    if isinstance(perceive, bool):
        found = Fraction(int(perceive))
    else:
        found = Fraction(0) if perceive is None else p_success(perceive)
    stands = found * (1 - blind_miss_chance(True)) + (1 - found) * (1 - blind_miss_chance(False))
    return stands * p_hit(tn_a, tn_d)


STUN_SIZE = {"very_small": -30, "small": -30, "medium": 0, "large": 30, "very_large": 30}


def stun_tn(som_check: int, kinetic_av: int, size: str = "medium", *, wounds: int = 0) -> int:
    """Target number of the check against being stunned (T-TRAIT)."""
    return som_check + clamp(kinetic_av + STUN_SIZE[size] + wound_modifier(wounds), -60, 60)


SHOCK_SIZE = {"very_small": -30, "small": -10, "medium": 0, "large": 10, "very_large": 30}


def shock_tn(
    som_check: int, energy_av: int, size: str = "medium", *, shock_proof: bool = False
) -> int:
    """Target number of the check against shock (EP-107)."""
    modifiers = energy_av + SHOCK_SIZE[size] + (20 if shock_proof else 0)
    return som_check + clamp(modifiers, -60, 60)


def shock_turns(roll: int, tn: int) -> int:
    """Action turns of incapacity; 0 on a success, which only stuns (EP-107)."""
    result = classify(roll, tn)
    return 0 if result.success else 1 + 2 * result.superior_failures


def shock_distribution(tn: int) -> Dist[int]:
    """Chance of each number of incapacitated turns."""
    return tally((shock_turns(roll, tn), PERCENT) for roll in ROLLS)


def grappled(roll_a: int, tn_a: int, roll_d: int, tn_d: int) -> bool:
    """A grapple holds on a hit with a superior (or critical) success (EP-91)."""
    a = classify(roll_a, tn_a)
    return hit(roll_a, tn_a, roll_d, tn_d) and (a.superior > 0 or a.critical)


def initiative(
    die: int, base: int, *, n_wounds: int = 0, ignored: int = 0, ambushed: bool = False
) -> int:
    """Place in the order: 1d6 plus Initiative, less wounds and surprise (EP-25, EP-26)."""
    return die + base + wound_modifier(n_wounds, ignored, step=1) - (3 if ambushed else 0)


def initiative_order(init_a: int, init_b: int) -> tuple[Fraction, Fraction, Fraction]:
    """Chance that A is first, level, second: 1d6 + Initiative each (EP-25)."""
    faces = range(1, 7)
    gaps = [init_a + a - init_b - b for a in faces for b in faces]
    return (
        Fraction(sum(gap > 0 for gap in gaps), 36),
        Fraction(sum(gap == 0 for gap in gaps), 36),
        Fraction(sum(gap < 0 for gap in gaps), 36),
    )


# ------------------------------------------------------------------ derived numbers


def derived_initiative(ref: int, intuition: int) -> int:
    """Initiative from aptitudes."""
    return round_half_up(Fraction(ref + intuition, 5))


def derived_wt(dur: int) -> int:
    """Wound Threshold from Durability."""
    return round_half_up(Fraction(dur, 5))


def derived_dr(dur: int, *, synth: bool = False) -> int:
    """Death Rating from Durability (EP-114)."""
    return 2 * dur if synth else round_half_up(Fraction(3 * dur, 2))


class Layers(NamedTuple):
    """Worn armor: totals, the modifier to physical actions, and what it does to movement."""

    energy: int
    kinetic: int
    modifier: int
    half_movement: bool
    can_move: bool


def layers(pieces: Sequence[tuple[int, int, bool]], *, som: int, dur: int) -> Layers:
    """Add up pieces (energy, kinetic, counts as a layer) (EP-117)."""
    energy = sum(e for e, _, _ in pieces)
    kinetic = sum(k for _, k, _ in pieces)
    n_layers = sum(is_layer for _, _, is_layer in pieces)
    overburdened = n_layers > 1 and max(energy, kinetic) > som
    modifier = -20 * max(0, n_layers - 1) - (20 if overburdened else 0)
    return Layers(energy, kinetic, modifier, overburdened, max(energy, kinetic) <= dur)


# ------------------------------------------------------------------ the situation


Size = Literal["very_small", "small", "medium", "large", "very_large"]
Sight = Literal["clear", "minor", "major", "blind"]
WeaponClass = Literal["kinetic", "railgun", "beam", "spray", "seeker", "thrown"]
Modifiers = list[tuple[str, int]]

SIZE_STEP: dict[Size, int] = {
    "very_small": 1,
    "small": 2,
    "medium": 3,
    "large": 4,
    "very_large": 5,
}
TARGET_SIZE: dict[Size, int] = {
    "very_small": -30,
    "small": -10,
    "medium": 0,
    "large": 10,
    "very_large": 30,
}
SIGHT: dict[Sight, int] = {"clear": 0, "minor": -10, "major": -20, "blind": -30}
COVER = {"none": 0, "minor": -10, "moderate": -20, "major": -30}


class Situation(TypedDict, total=False):
    """The facts that modify an attack; what is left out is normal. Distances in metres."""

    kind: Literal["melee", "ranged", "psi"]
    # either side
    size_a: Size
    size_d: Size
    wounds_a: int
    wounds_d: int
    traumas_a: int
    traumas_d: int
    ignore_wounds_a: int
    ignore_wounds_d: int
    ignore_traumas_a: int
    ignore_traumas_d: int
    superior_position: Literal["none", "attacker", "defender", "both"]
    sight_a: Sight
    sight_d: Sight
    impaired_a: int
    impaired_d: int
    stunned_a: bool
    stunned_d: bool
    layers_a: int
    layers_d: int
    gm_a: int
    gm_d: int
    # attacker, any attack
    move: Literal["none", "base", "full", "rush"]
    called_shot: bool
    two_handed_in_one: bool
    mounted: bool
    wrong_size_gear: bool
    fixed_carried: bool
    # attacker, ranged
    distance: Fraction | int
    rating: int
    weapon_class: WeaponClass
    cone: bool
    long: bool
    steady: bool
    gravity: Fraction | int
    vacuum: bool
    mode: Literal["SS", "SA", "BF", "FA"]
    option: Literal["single", "to_hit", "damage", "multi_target", "suppressive"]
    aim: Literal["none", "quick", "complex"]
    gyromount: bool
    attacker_cover: bool
    cover: Literal["none", "minor", "moderate", "major"]
    hidden: bool
    prone_d: bool
    prone_a: bool
    in_melee: bool
    no_smartlink: bool
    nth_weapon: int
    indirect: bool
    painted_seeker: bool
    homing: bool
    throw_back: bool
    # melee
    aggressive: Literal["none", "hit", "damage"]
    charge: bool
    grapple: bool
    limbs_a: int
    limbs_d: int
    extra_targets: int
    reach_a: int
    reach_d: int
    touch_only: bool
    # psi
    touching: bool
    gifted_target: bool
    cyberbrain_d: bool
    # defender
    defence: Literal["melee", "fray", "athletics", "wil"]
    full_defence: bool
    was_aggressive: bool
    moved_full_d: bool
    extra_weapons_d: int
    grappling_d: bool
    lotus_vs_liquid: bool


class Band(NamedTuple):
    """A range band: its modifier to hit and the d10s it adds to (or takes from) the DV."""

    name: Literal["point_blank", "close", "range", "beyond"]
    modifier: int
    d10: int


def effective_rating(situation: Situation) -> Fraction | None:
    """Range rating under this gravity and atmosphere; None: as far as one can see (EP-76)."""
    rating = Fraction(situation.get("rating", 0))
    if situation.get("weapon_class", "kinetic") == "beam":
        return None if situation.get("vacuum", False) else rating
    gravity = Fraction(situation.get("gravity", 1))
    return rating / gravity if gravity else None


def range_band(situation: Situation, *, rulings: Rulings = BOOK) -> Band:
    """Range band of a shot (EP-74 to EP-76, EP-102)."""
    distance = Fraction(situation.get("distance", 0))
    rating = effective_rating(situation)
    cone = situation.get("cone", False)
    steady = situation.get("steady", False)
    near = distance <= 10
    if rulings.short_rating == "beyond" and rating is not None and distance > rating:
        near = False

    if near and distance <= 2:
        band = Band("point_blank", 0 if situation.get("long", False) else 10, int(cone))
    elif near:
        band = Band("close", 0, int(cone))
    elif rating is None or distance <= rating:
        band = Band("range", -10, 0)
    else:
        ballistic = cone or situation.get("weapon_class", "kinetic") in ("kinetic", "railgun")
        weaker = ballistic and not situation.get("vacuum", False)
        band = Band("beyond", -10 * ceil(distance / rating), -1 if weaker else 0)

    if steady and rulings.steady == "all":
        return band._replace(modifier=0, d10=max(0, band.d10))
    if steady and rulings.steady == "penalties":
        return band._replace(modifier=max(0, band.modifier), d10=max(0, band.d10))
    if steady:
        return band._replace(modifier=max(0, band.modifier))
    return band


def psi_range(situation: Situation) -> int:
    """Distance modifier of a psi attack (EP-137)."""
    if situation.get("touching", False):
        return 20
    distance = Fraction(situation.get("distance", 0))
    if situation.get("gifted_target", False):
        distance /= 2
    if distance <= 2:
        return 10
    return 0 if distance <= 10 else -10 * ceil((distance - 10) / 2)


def reach(situation: Situation, side: Literal["attacker", "defender"]) -> int:
    """Reach of one side over the other (EP-86, T-SIZE), at most +30.

    A weapon's whole bonus counts when it outreaches the other weapon; larger size adds to it.
    """
    size_a = SIZE_STEP[situation.get("size_a", "medium")]
    size_d = SIZE_STEP[situation.get("size_d", "medium")]
    reach_a, reach_d = situation.get("reach_a", 0), situation.get("reach_d", 0)
    if side == "defender":
        size_a, size_d, reach_a, reach_d = size_d, size_a, reach_d, reach_a
    return min(30, 10 * max(0, size_a - size_d) + (reach_a if reach_a > reach_d else 0))


def _present(modifiers: Modifiers) -> Modifiers:
    return [(name, mod) for name, mod in modifiers if mod]


def _wounded(n: int, ignored: int) -> int:
    return wound_modifier(n, ignored)


def _stun(stunned: bool, *, mental: bool) -> int:
    """T-COND: all physical actions, or mental ones."""
    return 0 if not stunned else -10 if mental else -30


def _general(s: Situation, rulings: Rulings) -> Modifiers:
    """T-GEN, attacker's side."""
    charging = s.get("charge", False)
    moving = s.get("move", "none") in ("full", "rush") and not charging
    position = s.get("superior_position", "none") in ("attacker", "both")
    over_prone = (
        s.get("kind", "ranged") == "melee"
        and s.get("prone_d", False)
        and not s.get("prone_a", False)
    )
    if over_prone and position and rulings.prone_superior == "once":
        over_prone = False
    one_hand = (
        s.get("two_handed_in_one", False)
        and not s.get("mounted", False)
        and SIZE_STEP[s.get("size_a", "medium")] < SIZE_STEP["large"]
    )
    return [
        ("full_move", -20 if moving and not s.get("gyromount", False) else 0),
        ("superior_position", 20 if position else 0),
        ("vs_prone", 20 if over_prone else 0),
        ("wounds", _wounded(s.get("wounds_a", 0), s.get("ignore_wounds_a", 0))),
        ("traumas", _wounded(s.get("traumas_a", 0), s.get("ignore_traumas_a", 0))),
        ("called_shot", -10 if s.get("called_shot", False) else 0),
        ("two_handed_in_one", -20 if one_hand else 0),
        ("target_size", TARGET_SIZE[s.get("size_d", "medium")]),
        ("visibility", SIGHT[s.get("sight_a", "clear")]),
        ("wrong_size_gear", -20 if s.get("wrong_size_gear", False) else 0),
        ("fixed_carried", -20 if s.get("fixed_carried", False) else 0),
        ("impaired", -s.get("impaired_a", 0)),
        ("stunned", _stun(s.get("stunned_a", False), mental=s.get("kind", "ranged") == "psi")),
        ("layers", s.get("layers_a", 0)),
        ("gm", s.get("gm_a", 0)),
    ]


def _ranged(s: Situation, rulings: Rulings) -> Modifiers:
    """T-RANGED."""
    burst = s.get("mode", "SA") in ("BF", "FA")
    aim = s.get("aim", "none")
    if aim == "quick" and burst:
        raise ValueError("no quick aim with bursts (EP-73)")
    if aim == "complex" and burst and rulings.aimed_burst == "no":
        raise ValueError("no aim with bursts (A-14)")
    concentrated = s.get("option", "single") == "to_hit"
    far_prone = s.get("prone_d", False) and s.get("distance", 0) >= 10
    unseen = s.get("indirect", False) and not s.get("painted_seeker", False)
    return [
        ("aim", {"none": 0, "quick": 10, "complex": 30}[aim]),
        ("attacker_cover", -10 if s.get("attacker_cover", False) else 0),
        ("multi_weapon", -20 * s.get("nth_weapon", 0)),
        ("in_melee", (-30 if s.get("long", False) else -10) if s.get("in_melee", False) else 0),
        ("no_smartlink", -10 if s.get("no_smartlink", False) else 0),
        ("cover", COVER[s.get("cover", "none")]),
        ("hidden", -30 if s.get("hidden", False) else 0),
        ("prone_at_range", -10 if far_prone else 0),
        ("mode", {"BF": 10, "FA": 30}.get(s.get("mode", "SA"), 0) if concentrated else 0),
        ("indirect", -20 if unseen else 0),
        ("range", range_band(s, rulings=rulings).modifier),
        ("homing", 10 if s.get("homing", False) else 0),
        ("throw_back", -20 if s.get("throw_back", False) else 0),
    ]


def _melee(s: Situation) -> Modifiers:
    """T-MELEE, attacker's side."""
    grapple = s.get("grapple", False)
    steps = SIZE_STEP[s.get("size_a", "medium")] - SIZE_STEP[s.get("size_d", "medium")]
    limbs = s.get("limbs_a", 4) - s.get("limbs_d", 4)
    if grapple and steps <= -2:
        raise ValueError("nobody grapples a foe two sizes larger (EP-91)")
    return [
        ("aggressive", 10 if s.get("aggressive", "none") == "hit" else 0),
        ("charge", -10 if s.get("charge", False) else 0),
        ("grapple_size", 20 * steps if grapple else 0),
        ("grapple_limbs", 20 * ((limbs >= 2) - (limbs <= -2)) if grapple else 0),
        ("multi_target", -20 * s.get("extra_targets", 0)),
        ("reach", 0 if grapple else reach(s, "attacker")),
        ("touch_only", 20 if s.get("touch_only", False) else 0),
    ]


def attacker_modifiers(situation: Situation, *, rulings: Rulings = BOOK) -> Modifiers:
    """The attacker's modifiers by name, zeros left out (T-GEN, T-RANGED, T-MELEE, T-SIZE)."""
    kind = situation.get("kind", "ranged")
    if situation.get("option", "single") == "suppressive":
        few = [m for m in _general(situation, rulings) if m[0] == "wounds"]
        return _present([*few, ("range", range_band(situation, rulings=rulings).modifier)])
    general = _general(situation, rulings)
    if kind == "ranged":
        return _present(general + _ranged(situation, rulings))
    if kind == "melee":
        return _present(general + _melee(situation))
    return _present(
        [
            *general,
            ("range", psi_range(situation)),
            ("cyberbrain", -30 if situation.get("cyberbrain_d", False) else 0),
            ("cover", COVER[situation.get("cover", "none")]),
            ("hidden", -30 if situation.get("hidden", False) else 0),
        ]
    )


def defender_modifiers(situation: Situation, *, rulings: Rulings = BOOK) -> Modifiers:
    """The defender's modifiers by name, zeros left out (T-GEN, T-MELEE, T-DEF)."""
    s = situation
    melee = s.get("kind", "ranged") == "melee"
    defence = s.get("defence", "fray")
    aggressive = s.get("was_aggressive", False) and (
        defence == "fray" or rulings.aggressive_parry == "all"
    )
    moved = s.get("moved_full_d", False) and rulings.move_fray == "both" and defence != "wil"
    return _present(
        [
            ("full_defence", 30 if s.get("full_defence", False) else 0),
            (
                "superior_position",
                20 if s.get("superior_position", "none") in ("defender", "both") else 0,
            ),
            ("wounds", _wounded(s.get("wounds_d", 0), s.get("ignore_wounds_d", 0))),
            ("traumas", _wounded(s.get("traumas_d", 0), s.get("ignore_traumas_d", 0))),
            ("visibility", 0 if defence == "wil" else SIGHT[s.get("sight_d", "clear")]),
            ("aggressive", -10 if aggressive else 0),
            ("full_move", -20 if moved else 0),
            ("reach", reach(s, "defender") if melee and not s.get("grapple", False) else 0),
            ("extra_weapons", min(30, 10 * s.get("extra_weapons_d", 0)) if melee else 0),
            ("grappling", -30 if s.get("grappling_d", False) else 0),
            ("lotus", 30 if s.get("lotus_vs_liquid", False) else 0),
            ("impaired", -s.get("impaired_d", 0)),
            ("stunned", _stun(s.get("stunned_d", False), mental=defence == "wil")),
            ("layers", 0 if defence == "wil" else s.get("layers_d", 0)),
            ("gm", s.get("gm_d", 0)),
        ]
    )


def ranged_fray(fray: int, specialization: int = 0, *, rulings: Rulings = BOOK) -> int:
    """Fray against shots and blasts: half (EP-46), the specialization as ruled (A-4)."""
    if rulings.specialty == "before":
        return round_half_up(Fraction(fray + specialization, 2))
    return round_half_up(Fraction(fray, 2)) + specialization


def ranged_athletics(athletics: int, *, rulings: Rulings = BOOK) -> int:
    """Athletics in place of Fray on full defence against shots (EP-48, A-5)."""
    if rulings.athletics == "full":
        return athletics
    return round_half_up(Fraction(athletics, 2))


def target_number(
    base: int,
    modifiers: Modifiers,
    *,
    pool: Literal["none", "plus20", "ignore"] = "none",
    rulings: Rulings = BOOK,
) -> int:
    """Base plus modifiers within -60..+60 (EP-8, EP-52) and a point spent before the roll."""
    counted = modifiers
    if pool == "ignore":
        keep_positive = rulings.ignore_all == "negative"
        counted = [m for m in modifiers if keep_positive and m[1] > 0]
    outside = 0
    if rulings.wound_cap == "outside":
        outside = sum(mod for name, mod in counted if name in ("wounds", "traumas"))
    inside = sum(mod for _, mod in counted) - outside
    if pool == "plus20" and rulings.pool_cap == "inside":
        inside += 20
    tn = base + clamp(inside, -60, 60) + outside
    return tn + 20 if pool == "plus20" and rulings.pool_cap == "outside" else tn


ROUNDS = {"SS": 1, "SA": 1, "BF": 3, "FA": 10, "suppressive": 20}


def melee_dice(situation: Situation, *, extra_weapons: int = 0, ware: DV = NOTHING) -> DV:
    """Dice that melee adds to the DV (EP-84, EP-85, EP-89, EP-94)."""
    size = {"large": 1, "very_large": 2}.get(situation.get("size_a", "medium"), 0)
    aggressive = int(situation.get("aggressive", "none") == "damage")
    charge = int(situation.get("charge", False))
    return ware.plus(DV(d10=size + aggressive, d6=charge + min(3, extra_weapons)))


def ranged_dice(situation: Situation, *, rulings: Rulings = BOOK) -> tuple[DV, int]:
    """Dice that firing mode and range add to the DV, and d10s lost to range (EP-69 to EP-75)."""
    mode = situation.get("mode", "SA")
    concentrated = situation.get("option", "single") == "damage"
    burst = {"BF": 1, "FA": 2}.get(mode, 0) if concentrated else 0
    band = range_band(situation, rulings=rulings).d10
    return DV(d10=burst + max(0, band)), max(0, -band)
