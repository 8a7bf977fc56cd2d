"""Affinity by brute force: all faces of all dice, layer by layer.

A die shows 1..sides. Dice are rolled through a `Roll`, which gives faces and how likely they are:
`every` for all faces there are, `shown` for the faces of a worked example. Where the rules can be
read in several ways `Rulings` names the readings; its defaults are the project's. Clause ids stand
in docstrings.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Literal, NamedTuple, TypeVar

T = TypeVar("T", bound=Hashable)
Dist = dict[T, Fraction]
Faces = tuple[int, ...]
Roll = Callable[[Sequence[int]], Iterable[tuple[Faces, Fraction]]]

TIERS = {"Basic": 2, "Advanced": 3, "Expert": 4, "Legendary": 5, "Ultimate": 6, "Mythical": 6}
MIN_EXERTION = {
    "Basic": 0, "Advanced": 0, "Expert": 1, "Legendary": 2, "Ultimate": 3, "Mythical": 3,
}  # fmt: skip
SUSTAINS = 5


# ------------------------------------------------------------------ readings


@dataclass(frozen=True)
class Rulings:
    """One field per ambiguity; the comment gives its number, the first reading is the default."""

    overwhelm: Literal["roll", "strict", "absorb_one", "per_die"] = "roll"  # A1
    outrolled: Literal["survives", "depletes"] = "survives"  # A1: more cancelled than capacity
    temp_hd: Literal["ablate_all", "absorb"] = "ablate_all"  # A2
    capacity: Literal["half", "full"] = "half"  # A3
    budget: Literal["action", "turn"] = "action"  # A4
    success_face: Literal["tier", "five"] = "tier"  # A5
    defend_bonus: Literal["every_roll", "after_body", "once_per_attack"] = "every_roll"  # A8
    bonus_counts: bool = False  # A9: to the number that damage is compared with if strict
    vulnerability: Literal["floor_0", "floor_1", "double"] = "floor_0"  # A10
    death: Literal["minus_five", "failed_at_zero", "zero"] = "minus_five"  # A11
    intervene: Literal["before", "after"] = "before"  # A12
    penalty_takes: Literal["proficiency", "exertion"] = "proficiency"  # A14
    precise: Literal["floor_2", "literal"] = "floor_2"  # A15
    rage: Literal["dice", "per_die", "successes"] = "dice"  # A16
    npc_burn: Literal["none", "remainder", "reckless"] = "reckless"  # A17
    burn_timing: Literal["after_damage", "immediately"] = "after_damage"  # A18
    rush: Literal["rolled", "fixed"] = "rolled"  # A19
    rush_cap: Literal["hd_max", "none", "proficiency"] = "hd_max"  # A19
    rush_order: Literal["restore_first", "burn_first"] = "restore_first"  # A19
    rush_floor: Literal["none", "needs_one"] = "none"  # A19
    stacking: bool = True  # A24: Defend and resistance
    layers: Literal["layered", "single"] = "layered"  # first edition: one roll, of body dice
    affinity: Literal["exertion", "safe"] = "exertion"  # AF-12
    resolve_stages: Literal["core", "late"] = "core"  # AF-32, AF-53: as first and as last printed
    temporary: Literal["outermost", "inner"] = "outermost"  # A21: of abilities
    area: Literal["damage", "spread"] = "damage"  # AF-6, AF-75: what extra successes do


BOOK = Rulings()


# ------------------------------------------------------------------ distributions and dice


def tally(pairs: Iterable[tuple[T, Fraction]]) -> Dist[T]:
    """Add up the probabilities of equal outcomes."""
    dist: Dist[T] = {}
    for x, p in pairs:
        dist[x] = dist.get(x, Fraction(0)) + p
    return dist


def marginal(dist: Mapping[T, Fraction], of: Callable[[T], Hashable]) -> Dist[Hashable]:
    """Distribution of one fact of the outcome."""
    return tally((of(x), p) for x, p in dist.items())


def chance(dist: Mapping[T, Fraction], event: Callable[[T], bool]) -> Fraction:
    """Probability of an event."""
    return sum((p for x, p in dist.items() if event(x)), Fraction(0))


def mean(dist: Mapping[T, Fraction], of: Callable[[T], int]) -> Fraction:
    """Average of one number of the outcome."""
    return sum((of(x) * p for x, p in dist.items()), Fraction(0))


def every(dice: Sequence[int]) -> Iterator[tuple[Faces, Fraction]]:
    """Every way the dice can fall, all equally likely."""
    p = Fraction(1)
    for sides in dice:
        p /= sides
    for faces in product(*(range(1, sides + 1) for sides in dice)):
        yield faces, p


def shown(*rolls: Sequence[int]) -> Roll:
    """The faces of a worked example, roll after roll; refused where the dice do not fit."""
    script = iter(rolls)

    def roll(dice: Sequence[int]) -> list[tuple[Faces, Fraction]]:
        faces = tuple(next(script)) if dice else ()
        assert len(faces) == len(dice), (faces, dice)
        assert all(1 <= face <= sides for face, sides in zip(faces, dice, strict=True))
        return [(faces, Fraction(1))]

    return roll


# ------------------------------------------------------------------ the attack


@dataclass(frozen=True)
class Attack:
    """One attack line with all that was chosen before the roll.

    `bonus` are dice from abilities, which never burn (AF-11); `affinity` are Affinity dice (AF-12);
    `fixed` is the pool of a printed stat block (A17), to which only the reckless add exertion;
    `raging` is the boost of +2 to attack rolls (A16); `penalty` counts the dice that the range
    takes (AF-70). `hd` is what the attacker has to burn, `resolve` None where Resolve plays no
    part.
    """

    proficiency: int
    exertion: int = 0
    tier: str = "Basic"
    required: int = 1
    base: int = 1
    precise: bool = False
    bonus: int = 0
    affinity: int = 0
    fixed: int | None = None
    raging: bool = False
    penalty: int = 0
    hd: int = 1_000
    resolve: int | None = None
    area: bool = False


class Hit(NamedTuple):
    """What an attack roll comes to: successes, HD of damage, ones that burn."""

    successes: int
    damage: int
    burn: int


def capacity(proficiency: int, rulings: Rulings = BOOK) -> int:
    """Dice for one layer (AF-21, A3)."""
    return max(1, proficiency if rulings.capacity == "full" else (proficiency + 1) // 2)


def threshold(tier: str, *, precise: bool = False, rulings: Rulings = BOOK) -> int:
    """Face needed for a success (AF-2, A5, A15)."""
    if rulings.success_face == "five":
        return 5
    face = TIERS[tier] - precise
    return max(2, face) if rulings.precise == "floor_2" else face


def most_exertion(proficiency: int, *, level: int, spent: int = 0, rulings: Rulings = BOOK) -> int:
    """Greatest number of exertion dice on the next action of a turn (AF-1, A4)."""
    if rulings.budget == "action":
        return proficiency
    return max(0, min(proficiency, level - spent))


def is_legal(attack: Attack, *, level: int, spent: int = 0, rulings: Rulings = BOOK) -> bool:
    """Is the number of exertion dice allowed, by tier and by cap (AF-1, AF-10)?"""
    most = most_exertion(attack.proficiency, level=level, spent=spent, rulings=rulings)
    return MIN_EXERTION[attack.tier] <= attack.exertion <= most


def pools(attack: Attack, rulings: Rulings = BOOK) -> tuple[int, int]:
    """Dice that are safe and dice that burn, after the penalty (AF-3, AF-11, AF-70, A14, A17)."""
    safe, burning = attack.proficiency + attack.bonus, attack.exertion
    if attack.fixed is not None:
        safe, burning = attack.fixed + attack.bonus, 0
        if rulings.npc_burn != "none":
            burning = max(0, attack.fixed - attack.proficiency)
            safe -= burning
        if rulings.npc_burn == "reckless":
            burning += attack.exertion
    if rulings.affinity == "safe":
        safe += attack.affinity
    else:
        burning += attack.affinity
    if attack.raging and rulings.rage == "dice":
        safe += 2
    for _ in range(attack.penalty):
        first_safe = rulings.penalty_takes == "proficiency"
        if safe and (first_safe or not burning):
            safe -= 1
        elif burning:
            burning -= 1
    return safe, burning


def is_below_half(hd: int, hd_max: int) -> bool:
    """Has the creature of the text flown into its rage (AF-73)?"""
    return 2 * hd < hd_max


def n_successes(faces: Faces, needed: int) -> int:
    """One for each die that reaches the face, two for a 6 (AF-4)."""
    return sum(2 if face == 6 else face >= needed for face in faces)


def is_harder(attack: Attack, rulings: Rulings = BOOK) -> bool:
    """Does low Resolve ask for one success more (AF-53)?"""
    if attack.resolve is None:
        return False
    if rulings.resolve_stages == "core":
        return attack.resolve <= 3
    return attack.resolve <= 2 and attack.tier != "Basic"


def read_hit(safe: Faces, burning: Faces, attack: Attack, rulings: Rulings = BOOK) -> Hit:
    """Successes, damage and burn of an attack roll (AF-4 to AF-7, AF-53, A16, A18)."""
    needed = needed_by(attack, rulings)
    told = n_successes(safe, needed) + n_successes(burning, needed), burning.count(1)
    return hit_of(*told, attack, rulings, rolled=bool(safe + burning))


def needed_by(attack: Attack, rulings: Rulings = BOOK) -> int:
    """Face needed for a success of this attack (AF-2, A16)."""
    needed = threshold(attack.tier, precise=attack.precise, rulings=rulings)
    return needed - 2 if attack.raging and rulings.rage == "per_die" else needed


def hit_of(successes: int, burn: int, attack: Attack, rulings: Rulings, *, rolled: bool) -> Hit:
    """What successes and ones come to; `rolled` says that there were any dice."""
    if attack.raging and rulings.rage == "successes" and rolled:
        successes += 2
    required = attack.required + is_harder(attack, rulings)
    damage = 0
    dropped = rulings.burn_timing == "immediately" and burn >= attack.hd
    if successes >= required and not dropped:
        spreads = attack.area and rulings.area == "spread"
        damage = attack.base + (0 if spreads else min(successes - required, attack.proficiency))
    return Hit(successes, damage, burn)


def hits(attack: Attack, roll: Roll = every, rulings: Rulings = BOOK) -> Dist[Hit]:
    """The attack roll, proficiency dice first in a script (AF-3)."""
    if roll is every:
        return _every_hit(attack, rulings)
    safe, burning = pools(attack, rulings)
    return tally(
        (read_hit(faces[:safe], faces[safe:], attack, rulings), p)
        for faces, p in roll([6] * (safe + burning))
    )


@cache
def _every_hit(attack: Attack, rulings: Rulings) -> Dist[Hit]:
    """The same over all faces, those of the dice that are safe apart from those that burn."""
    safe, burning = pools(attack, rulings)
    needed = needed_by(attack, rulings)
    rows = product(_told(safe, needed).items(), _told(burning, needed).items())
    return tally(
        (
            hit_of(n + more, ones, attack, rulings, rolled=safe + burning > 0),
            Fraction(ways * times, 6 ** (safe + burning)),
        )
        for ((n, _), ways), ((more, ones), times) in rows
    )


@cache
def _told(n_dice: int, needed: int) -> Counter[tuple[int, int]]:
    """Successes and ones of so many dice, and of how many rolls."""
    return Counter((n_successes(faces, needed), faces.count(1)) for faces, _ in every([6] * n_dice))


# ------------------------------------------------------------------ the defence


class Layer(NamedTuple):
    """Protection that lies over the body: its die, how many were rolled for it, their total."""

    kind: str
    die: int
    dice: int = 2
    temp_hd: int = 0


@dataclass(frozen=True)
class Target:
    """Whoever is attacked; `layers` outermost first.

    `lost` HD were lost in this round before; `checked` says that Resolve was checked in it.
    """

    proficiency: int
    hd: int
    body: int = 10
    layers: tuple[Layer, ...] = ()
    defending: bool = False
    resists: bool = False
    vulnerable: bool = False
    immune: bool = False
    resolve: int | None = None
    lost: int = 0
    checked: bool = False


class Defended(NamedTuple):
    """What got through to the body (not yet cut off at its HD), and the layers left."""

    through: int
    layers: tuple[Layer, ...]


def outermost_first(layers: Iterable[Layer], rulings: Rulings = BOOK) -> tuple[Layer, ...]:
    """Layers in the order in which they are attacked (AF-22, A21); equals stay as they are."""
    outside = ["magical", "shield", "armor", "temporary"]
    if rulings.temporary == "outermost":
        return tuple(sorted(layers, key=lambda x: outside.index(x.kind) % 3))
    return tuple(sorted(layers, key=lambda x: outside.index(x.kind)))


def suffered(damage: int, target: Target, rulings: Rulings = BOOK) -> int:
    """Damage of an attack before any defence: none to the immune, doubled by a ruling (AF-31)."""
    if target.immune:
        return 0
    doubled = target.vulnerable and rulings.vulnerability == "double"
    return 2 * damage if doubled else damage


def layer_capacity(target: Target, rulings: Rulings = BOOK) -> int:
    """Capacity after the penalty for low Resolve, never below 1 (AF-21, AF-32)."""
    dice = capacity(target.proficiency, rulings)
    if target.resolve is None:
        return dice
    if rulings.resolve_stages == "core":
        lost = int(target.resolve <= 2)
    else:
        lost = 2 if target.resolve <= 1 else int(target.resolve <= 3)
    return max(1, dice - lost)


def pool_at(die: int, target: Target, *, defending: bool, rulings: Rulings = BOOK) -> list[int]:
    """Dice rolled at a layer: its own, then bonus d6s (AF-24, AF-30, AF-31, A10, A24)."""
    own = layer_capacity(target, rulings)
    bonus = 2 * defending + 2 * target.resists
    if not rulings.stacking:
        bonus = min(2, bonus)
    if target.vulnerable and rulings.vulnerability != "double":
        for _ in range(2):
            if bonus:
                bonus -= 1
            elif own > (1 if rulings.vulnerability == "floor_1" else 0):
                own -= 1
    return [die] * own + [6] * bonus


def n_cancelled(dice: Sequence[int], roll: Roll) -> Dist[int]:
    """Damage that a defence roll cancels: one for each die of 5 or more (AF-24, AF-25)."""
    if roll is every:
        return _every_cancelled(tuple(dice))
    return tally((sum(face >= SUSTAINS for face in faces), p) for faces, p in roll(dice))


@cache
def _every_cancelled(dice: Faces) -> Dist[int]:
    """The same over all faces; kept, as the same dice are met again and again."""
    found = Counter(sum(face >= SUSTAINS for face in faces) for faces, _ in every(dice))
    return {n: Fraction(ways, found.total()) for n, ways in found.items()}


def worn_down(layer: Layer, damage: int, rulings: Rulings = BOOK) -> tuple[tuple[Layer, ...], int]:
    """What is left of a layer that did not hold, and what passes inward (AF-27, A2)."""
    if rulings.temp_hd == "ablate_all":
        return (), damage
    over = layer.temp_hd - damage
    return ((layer._replace(temp_hd=over),) if over > 0 else ()), max(0, -over)


@dataclass(frozen=True)
class Defence:
    """One attack passing inward. `roll` gives faces; the same steps serve every reading."""

    target: Target
    roll: Roll
    rulings: Rulings

    def against(self, damage: int) -> Dist[Defended]:
        """Take damage, from the outermost layer to the body (AF-20, AF-22)."""
        if damage == 0:
            return {Defended(0, self.target.layers): Fraction(1)}
        if self.rulings.layers == "single":
            return self._one_roll(damage)
        if self.rulings.overwhelm == "per_die":
            return self._die_by_die(damage)
        return self._layer(0, damage, self.target.defending)

    def _rolled(self, die: int, damage: int, unused: bool) -> tuple[Dist[int], bool, bool]:
        """What a roll cancels, whether damage was too much, whether Defend dice are still there.

        AF-23, A1, A8, A9.
        """
        target, rulings = self.target, self.rulings
        defending = unused and rulings.defend_bonus != "after_body"
        dice = pool_at(die, target, defending=defending, rulings=rulings)
        compared = layer_capacity(target, rulings)
        if rulings.bonus_counts and rulings.overwhelm == "strict":
            compared = max(compared, len(dice))
        too_much = damage > compared
        if too_much and rulings.overwhelm == "strict":
            return {0: Fraction(1)}, True, unused
        spent = rulings.defend_bonus == "once_per_attack"
        return n_cancelled(dice, self.roll), too_much, unused and not spent

    def _layer(self, i: int, damage: int, unused: bool) -> Dist[Defended]:
        """The layer at place i; `unused` says whether Defend dice may still be rolled."""
        target, rulings = self.target, self.rulings
        if damage == 0:
            return {Defended(0, target.layers[i:]): Fraction(1)}
        if i == len(target.layers):
            return tally((Defended(n, ()), p) for n, p in self._body(damage, unused).items())
        cancelled, too_much, unused = self._rolled(target.layers[i].die, damage, unused)
        ends = []
        for n, p in cancelled.items():
            left = max(0, damage - n)
            saved = too_much and n and rulings.overwhelm == "absorb_one"
            if left == 0 or saved:
                goes = left > 0 or (too_much and rulings.outrolled == "depletes")
                ends.append((Defended(0, target.layers[i + goes :]), p))
                continue
            kept, left = worn_down(target.layers[i], left, rulings)
            ends += [
                (Defended(end.through, kept + end.layers), p * q)
                for end, q in self._layer(i + 1, left, unused).items()
            ]
        return tally(ends)

    def _body(self, damage: int, unused: bool) -> Dist[int]:
        """What gets through the body's roll (AF-28); there is none at 0 HD (AF-29, AF-54)."""
        cancelled: Dist[int] = {0: Fraction(1)}
        if self.target.hd:
            cancelled, _, unused = self._rolled(self.target.body, damage, unused)
        lefts = tally((max(0, damage - n), p) for n, p in cancelled.items())
        if unused and self.rulings.defend_bonus == "after_body":
            lefts = tally(
                (max(0, left - n), p * q)
                for left, p in lefts.items()
                for n, q in (n_cancelled([6, 6], self.roll) if left else {0: Fraction(1)}).items()
            )
        return lefts

    def _one_roll(self, damage: int) -> Dist[Defended]:
        """One roll of body dice; what is left wears layers down and gets through."""
        ends = []
        for rest, p in self._body(damage, self.target.defending).items():
            layers: tuple[Layer, ...] = ()
            left = rest
            for layer in self.target.layers:
                kept, left = worn_down(layer, left, self.rulings) if left else ((layer,), 0)
                layers += kept
            ends.append((Defended(left, layers), p))
        return tally(ends)

    def _die_by_die(self, damage: int) -> Dist[Defended]:
        """Each HD of damage meets one die of the outermost layer while rolls last (A1, per die).

        A die that fails is gone; past the rolls every HD of damage takes a die. Bonus d6s are
        rolled once the capacity is used up.
        """
        target = self.target
        pool = pool_at(0, target, defending=target.defending, rulings=self.rulings)

        def next_die(layers: tuple[Layer, ...], left: int, used: int) -> Dist[Defended]:
            if left == 0:
                return {Defended(0, layers): Fraction(1)}
            saved: Dist[int] = {0: Fraction(1)}
            if used < len(pool) and (layers or target.hd):
                own = layers[0].die if layers else target.body
                saved = n_cancelled([pool[used] or own], self.roll)
            ends = []
            for n, p in saved.items():
                after, lost = layers, 0
                if not n and not layers:
                    lost = 1
                elif not n:
                    outer = layers[0]._replace(dice=layers[0].dice - 1)
                    after = ((outer,) if outer.dice else ()) + layers[1:]
                ends += [
                    (end._replace(through=end.through + lost), p * q)
                    for end, q in next_die(after, left - 1, used + 1).items()
                ]
            return tally(ends)

        return next_die(target.layers, damage, 0)


def defences(
    damage: int, target: Target, roll: Roll = every, rulings: Rulings = BOOK
) -> Dist[Defended]:
    """The target defends against this much damage (AF-20 to AF-32)."""
    return Defence(target, roll, rulings).against(damage)


# ------------------------------------------------------------------ Intervene


class Ally(NamedTuple):
    """Somebody who steps in (AF-41)."""

    proficiency: int
    exertion: int = 0
    bonus: int = 0
    resolve: int | None = None


class Help(NamedTuple):
    """Damage left, and what each ally burned; None for one who was not needed."""

    left: int
    burns: tuple[int | None, ...]


def may_intervene(*, acted: bool, distance: int, actions_left: int = 1) -> bool:
    """Only before acting, within 5 yards, with an action to spend (AF-41)."""
    return not acted and distance <= 5 and actions_left > 0


def helps(
    damage: int, allies: Sequence[Ally], roll: Roll = every, rulings: Rulings = BOOK
) -> Dist[Help]:
    """Allies step in one after another until no damage is left (AF-41, A24)."""
    if not allies:
        return {Help(damage, ()): Fraction(1)}
    if damage == 0:
        return {Help(0, (None,) * len(allies)): Fraction(1)}
    first, *rest = allies
    action = Attack(first.proficiency, first.exertion, bonus=first.bonus, resolve=first.resolve)
    required = 1 + is_harder(action, rulings)
    ends = []
    for hit, p in hits(action, roll, rulings).items():
        left = max(0, damage - hit.successes) if hit.successes >= required else damage
        for end, q in helps(left, rest, roll, rulings).items():
            ends.append((Help(end.left, (hit.burn, *end.burns)), p * q))
    return tally(ends)


# ------------------------------------------------------------------ a whole attack


class Outcome(NamedTuple):
    """One attack resolved. `damage` is before defence and Intervene; `layers` are those left.

    `resolve` is the target's afterwards, None where Resolve plays no part.
    """

    successes: int
    damage: int
    burn: int
    hd_lost: int
    layers: tuple[Layer, ...]
    burns: tuple[int | None, ...] = ()
    resolve: int | None = None


def resolve(
    attack: Attack,
    target: Target,
    allies: Sequence[Ally] = (),
    roll: Roll = every,
    rulings: Rulings = BOOK,
) -> Dist[Outcome]:
    """Attack, Intervene, defence, HD lost, Resolve check (AF-1 to AF-9, AF-52, A12)."""
    ends = []
    for hit, p in hits(attack, roll, rulings).items():
        faced = suffered(hit.damage, target, rulings)
        for (through, layers, burns), q in _met(faced, target, allies, roll, rulings).items():
            lost = min(target.hd, through)
            shaken = target.resolve is not None and needs_check(target, through)
            after: Dist[int | None] = {target.resolve: Fraction(1)}
            if shaken and target.resolve is not None:
                after = tally(checks(target.resolve, roll).items())
            ends += [
                (Outcome(*hit, lost, layers, burns, left), p * q * r) for left, r in after.items()
            ]
    return tally(ends)


Met = tuple[int, tuple[Layer, ...], tuple[int | None, ...]]


def _met(
    damage: int, target: Target, allies: Sequence[Ally], roll: Roll, rulings: Rulings
) -> Dist[Met]:
    """What gets through allies and defence, layers left, what allies burned (A12)."""
    ends: list[tuple[Met, Fraction]] = []
    if rulings.intervene == "before":
        for help_, p in helps(damage, allies, roll, rulings).items():
            for end, q in defences(help_.left, target, roll, rulings).items():
                ends.append(((end.through, end.layers, help_.burns), p * q))
    else:
        for end, p in defences(damage, target, roll, rulings).items():
            for help_, q in helps(end.through, allies, roll, rulings).items():
                ends.append(((help_.left, end.layers, help_.burns), p * q))
    return tally(ends)


# ------------------------------------------------------------------ Rush


class Rushed(NamedTuple):
    """Permanent HD and Resolve after a Rush."""

    hd: int
    resolve: int


@dataclass(frozen=True)
class Rusher:
    """Whoever draws on the last reserves."""

    proficiency: int
    hd: int
    hd_max: int
    resolve: int = 5
    exertion: int = 0


def read_rush(safe: Faces, burning: Faces, actor: Rusher, rulings: Rulings = BOOK) -> Rushed:
    """HD restored by successes and burned by ones; Resolve falls by 1 (AF-39, AF-42, A19)."""
    gained = n_successes(safe + burning, threshold("Basic", rulings=rulings))
    burned = burning.count(1)
    if rulings.rush_cap == "proficiency":
        gained = min(gained, actor.proficiency)
    if rulings.rush == "fixed":
        gained, burned = actor.proficiency, 0
    hd = actor.hd
    if rulings.rush_order == "burn_first":
        hd = max(0, hd - burned)
    hd += gained
    if rulings.rush_cap != "none":
        hd = min(hd, actor.hd_max)
    if rulings.rush_order == "restore_first":
        hd = max(0, hd - burned)
    return Rushed(hd, actor.resolve - 1)


def rushes(actor: Rusher, roll: Roll = every, rulings: Rulings = BOOK) -> Dist[Rushed]:
    """A Rush (AF-42), or the fixed trade of later editions (AF-44)."""
    if rulings.rush_floor == "needs_one" and actor.resolve < 1:
        raise ValueError("a Rush needs a point of Resolve")
    if rulings.rush == "fixed":
        return {read_rush((), (), actor, rulings): Fraction(1)}
    return tally(
        (read_rush(faces[: actor.proficiency], faces[actor.proficiency :], actor, rulings), p)
        for faces, p in roll([6] * (actor.proficiency + actor.exertion))
    )


# ------------------------------------------------------------------ Resolve and initiative


def checks(resolve_: int, roll: Roll = every, *, most: int = 5) -> Dist[int]:
    """A Resolve check: 1-4 lose one, 5 hold, 6 gain one up to the most (AF-52)."""
    return tally(
        (resolve_ - 1 if face <= 4 else min(most, resolve_ + (face == 6)), p)
        for (face,), p in roll([6])
    )


def is_dead(resolve_: int, rulings: Rulings = BOOK) -> bool:
    """Is somebody with 0 HD dead (AF-50, A11)? A failed check at 0 is Resolve -1."""
    return resolve_ <= {"minus_five": -5, "failed_at_zero": -1, "zero": 0}[rulings.death]


def state(hd: int, resolve_: int | None, rulings: Rulings = BOOK) -> str:
    """Up, down, collapsed at no Resolve, or dead (AF-50, AF-53)."""
    if hd:
        return "up" if resolve_ is None or resolve_ > 0 else "collapsed"
    return "dead" if resolve_ is not None and is_dead(resolve_, rulings) else "down"


def dead_by(n_rounds: int, *, resolve_: int = 5, rulings: Rulings = BOOK) -> Fraction:
    """Chance that 0 HD and one check a round have killed by then (AF-52, AF-54, A11)."""
    now: Dist[int] = {resolve_: Fraction(1)}
    for _ in range(n_rounds):
        now = tally(
            (after, p * q)
            for r, p in now.items()
            for after, q in ({r: Fraction(1)} if is_dead(r, rulings) else checks(r)).items()
        )
    return chance(now, lambda r: is_dead(r, rulings))


def needs_check(target: Target, through: int) -> bool:
    """Does the target lose so much, or all, or is hit at 0 HD, that it checks Resolve (AF-52)?

    Once in a round at most.
    """
    if through == 0 or target.checked:
        return False
    return through >= target.hd or target.lost + through > target.proficiency


def is_strained(attack: Attack, hit: Hit, *, level: int, rulings: Rulings = BOOK) -> bool:
    """Does the attack itself make the attacker check Resolve (AF-52)?

    It failed at Expert or above, took the most exertion dice of a round (by level, later by
    Proficiency), or burned all HD or more than the Proficiency.
    """
    if attack.resolve is None:
        return False
    most = level if rulings.resolve_stages == "core" else attack.proficiency
    failed = hit.successes < attack.required + is_harder(attack, rulings)
    big = MIN_EXERTION[attack.tier] > 0
    return (
        (failed and big)
        or (attack.exertion > 0 and attack.exertion >= most)
        or hit.burn >= attack.hd
        or hit.burn > attack.proficiency
    )


Order = Literal["sum", "sum_then_top", "successes", "successes_then_top"]


def tie_chance(n_dice: int, order: Order = "sum") -> Fraction:
    """Chance that two sides roll the same initiative with so many d6 (AF-61, A20)."""
    worth: dict[str, Callable[[Faces], Hashable]] = {
        "sum": sum,
        "sum_then_top": lambda faces: (sum(faces), max(faces)),
        "successes": lambda faces: n_successes(faces, 2),
        "successes_then_top": lambda faces: (n_successes(faces, 2), max(faces)),
    }
    of = worth[order]
    dist = tally((of(faces), p) for faces, p in every([6] * n_dice))
    return sum((p * p for p in dist.values()), Fraction(0))


def healed(n_dice: int, roll: Roll = every, *, by_sum: bool = True) -> Dist[int]:
    """HD that healing dice give back: their sum, or one for each die (A22)."""
    return tally((sum(faces) if by_sum else n_dice, p) for faces, p in roll([6] * n_dice))


def range_penalty(yards: int, *, extreme_to: int | None = None, long_to: int = 100) -> int | None:
    """Dice that the distance takes from a ranged attack; None where it is out of range (A13).

    Extreme range begins beyond `long_to`, which is the weapon's own where it has one.
    """
    if yards <= min(30, long_to):
        return 0
    if yards <= long_to:
        return 1
    return 2 if extreme_to is not None and yards <= extreme_to else None


def turns_to_reach(yards: int, *, most: int = 4) -> Dist[int]:
    """The own turn in which somebody of Proficiency 1 first strikes a foe who stands still.

    A turn has 10 yards free, used first and only if that is needed, and two actions: a dash of 10
    yards succeeds from 2 on; a blow reaches 5 yards (AF-45, AF-62, AF-70).
    """
    ends: Dist[int] = {}
    places: Dist[int] = {yards: Fraction(1)}
    for turn in range(1, most + 1):
        now = {(left, True): p for left, p in places.items()}
        for _ in range(2):
            after: Dist[tuple[int, bool]] = {}
            for (away, unused), p in now.items():
                left, free = away, unused
                if free and left > 5:
                    left, free = max(0, left - 10), False
                if left <= 5:
                    ends[turn] = ends.get(turn, Fraction(0)) + p
                    continue
                for (face,), q in every([6]):
                    gone = max(0, left - 10) if face >= 2 else left
                    after[gone, free] = after.get((gone, free), Fraction(0)) + p * q
            now = after
        places = tally((left, p) for (left, _), p in now.items())
    return ends


def warded(n_dice: int, sides: int, roll: Roll = every) -> Dist[int]:
    """Temporary Hit Dice of a ward: the sum of its dice (AF-76)."""
    return tally((sum(faces), p) for faces, p in roll([sides] * n_dice))
