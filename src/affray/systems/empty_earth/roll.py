"""Steps 3 to 5: the dice are rolled, changed after the roll, and modified.

The attack dice fall first, then those of the Dodge. What the attacker does with the attack dice
neither reads nor changes the Dodge, so those steps hold it aside.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from affray.core.dice import Face, Pool, d
from affray.core.modifier import Total
from affray.core.node import At, Chance, Go, Node, Option, Step, choose
from affray.core.reading import Read
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import step
from affray.core.telling import counted
from affray.core.unknown import remembers
from affray.systems.empty_earth import harm
from affray.systems.empty_earth import rulings as rule
from affray.systems.empty_earth.cubes import bundles, costs, name_of, too_dear
from affray.systems.empty_earth.numbers import (
    band_of,
    cursed,
    die_total,
    parry_band,
    settle,
    uses_of,
)
from affray.systems.empty_earth.post_roll import ways
from affray.systems.empty_earth.reading import (
    Again,
    Dice,
    DodgeSum,
    DodgeValues,
    Shown,
    face_name,
    value_name,
)
from affray.systems.empty_earth.sheet import Cubes, Feature
from affray.systems.empty_earth.state import (
    AttackDice,
    DodgeDice,
    Exchange,
    Landed,
    PostRoll,
    Terms,
)
from affray.systems.empty_earth.tables import COST, CROWDED

__all__ = ["STEPS", "roll_attack"]

# -- step 3: the roll ------------------------------------------------------------------------


@step("EE-4", "EE-32")
def roll_attack(x: Exchange) -> Node[Exchange]:
    """Step 3: the attacker rolls the attack dice."""
    terms = settle(x.terms, x.defending, x.planned)
    after = x._replace(terms=terms, struck=None, post_roll=terms.post_roll, plan=None)
    then = roll_dodge if terms.dodge.n else _after_roll(after)
    attack = terms.attack
    pool, read = Pool((d(attack.sides), attack.n)), Dice(band_of(attack))
    return Chance(x.striker, "attack roll", pool, read, "dice", At(then, after))


@roll_attack.reads
def _(after: Exchange, faces: tuple[Face, ...]) -> str:
    return _each_die(after, faces)


def _each_die(x: Exchange, faces: tuple[Face, ...]) -> str:
    """Tell of each face whether it misses, hits, or depends on what is still to come."""
    band = band_of(x.terms.attack)
    words = {band.low: "miss", band.high: "hit"} if band.low < band.high else {}
    shown = [(face, band.of(face)) for face in faces]
    dice = [
        f"{face} {words.get(die.value, 'open')}{'!' if die.special else ''}" for face, die in shown
    ]
    open_ones = band.high - band.low > 1
    needed = (
        f"{band.low} or less misses, {band.high} or more hits"
        if open_ones
        else (f"{band.high} or more hits")
    )
    return f"{', '.join(dice)} ({needed})."


@roll_attack.briefly
def _(before: Exchange, after: Exchange) -> str:
    return f"against {_needed(after)}"


@roll_attack.verdict
def _(before: Exchange, after: Exchange) -> str:
    return _hits_told(after)


def _needed(x: Exchange) -> str:
    """The least face that may hit."""
    return f"{band_of(x.terms.attack).low + 1}+"


def _hits_told(x: Exchange) -> str:
    """How many dice hit whatever comes, how many may still, and how many have an effect."""
    band = band_of(x.terms.attack)
    if band.low >= band.high:
        return ""
    effects = sum(die.special for die in x.dice)
    sure = sum(die.value >= band.high for die in x.dice)
    may = sum(band.low < die.value < band.high for die in x.dice)
    hits = [counted(sure, "hit")] if sure or not may else []
    hits += [f"{may} may hit"] if may else []
    told = " and ".join(hits) if sure or may else "no hit"
    return f"{told} with {counted(effects, 'effect')}" if effects else told


@step("EE-33")
def roll_dodge(x: Exchange) -> Node[Exchange]:
    """Step 3: at the same moment the defender rolls Dodge or Center dice."""
    terms = x.terms
    changes = any(not side.on_attack for side in x.post_roll)
    dodge, adds = terms.dodge, terms.rulings[rule.NEGATIVE] == "adds"
    pool, read = _dodge_dice(dodge, changes=changes, adds=adds)
    then = At(_after_roll(x), x)
    return Chance(
        x.target, "Dodge or Center roll", pool, read, "parry" if changes else "dodge", then
    )


@remembers(1024)
def _dodge_dice(dodge: DodgeDice, *, changes: bool, adds: bool) -> tuple[Pool, Read[object]]:
    """The dice of the reaction and how they are read.

    Args:
        dodge: how many dice, and what is added to each.
        changes: whether they can still be changed.
        adds: whether a die below zero raises what it is applied to.
    """
    pool = Pool((d(dodge.sides), dodge.n))
    if changes:
        return pool, Dice(parry_band(dodge), dodge.each)
    kind = DodgeValues if dodge.spread == "per_die" else DodgeSum
    return pool, kind(dodge.each, dodge.cap, None if adds else 0)


def _after_roll(x: Exchange) -> Step[Exchange]:
    """Find the step of the side that comes next while the attack dice can still change."""
    queue = x.post_roll
    if queue and queue[0].buys:
        if queue[0].on_attack:
            return buy_after_roll
        if any(side.on_attack for side in queue):
            return use_after_roll
    return _next(queue)


def _next(queue: tuple[PostRoll, ...]) -> Step[Exchange]:
    if not queue:
        return apply_modifiers
    if queue[0].on_attack:
        return adjust_attack
    return adjust_dodge if any(side.on_attack for side in queue) else apply_modifiers


@roll_dodge.briefly
def _(before: Exchange, after: Exchange) -> str:
    return f"for the {before.terms.dodge.name}"


# -- step 4: effects after the roll ----------------------------------------------------------


@step("EE-31", "EE-34", "EE-57")
def buy_after_roll(x: Exchange) -> Node[Exchange]:
    """Step 4: the attacker may buy features after the roll, and again after a Reroll."""
    terms = x.terms
    features = [f for f in terms.later if f.timing == "post_roll"]
    options = []
    for bundle in bundles(features, terms.striker.cubes):
        queue = _with_bought(x, bundle)
        left = tuple(f for f in terms.later if f not in bundle)
        after = x._replace(terms=_equipped(terms, bundle, left), post_roll=queue)
        options.append(Option(name_of(bundle), At(_next(queue), after), costs(bundle).number))
    closed = too_dear(features, terms.striker.cubes)
    return choose(x.striker, "cubes for features after the roll?", options, closed=closed)


@remembers(1024)
def _equipped(terms: Terms, bundle: tuple[Feature, ...], rest: tuple[Feature, ...]) -> Terms:
    striker, attack, hit = terms.striker, terms.attack, terms.hit
    each = sum(f.each_die for f in bundle)
    return replace(
        terms,
        attack=attack._replace(extra=attack.extra + each, shift=attack.shift + each),
        hit=hit._replace(
            damage=hit.damage + sum(f.damage for f in bundle),
            piercing=hit.piercing + sum(f.piercing for f in bundle),
            conditions=(*hit.conditions, *[f.condition for f in bundle if f.condition]),
        ),
        later=rest,
        striker=striker._replace(
            cubes=striker.cubes - costs(bundle),
            shields=striker.shields + sum(f.shields for f in bundle),
        ),
    )


def _with_bought(x: Exchange, bundle: tuple[Feature, ...]) -> tuple[PostRoll, ...]:
    own, *others = x.post_roll
    left = [f for f in x.terms.later if f.timing == "post_roll" and f not in bundle]
    grown = _richer(own, bundle, left, x.terms.striker.cubes, x.rulings)
    return tuple(side for side in (grown, *others) if not side.is_empty)


def _richer(
    own: PostRoll,
    bundle: Sequence[Feature],
    left: Sequence[Feature],
    purse: Cubes,
    rulings: Rulings,
) -> PostRoll:
    """The effects of a side with those it bought.

    More can be bought later only if dice fall again or the other side acts in between.
    """
    cubes = purse - costs(bundle)
    focus = tuple(sorted(own.focus + sum((f.focus for f in bundle), ())))
    if not own.on_attack and rulings[rule.DODGE_FOCUS] == "attack_only":
        focus = ()
    rerolls = own.rerolls + sum(f.rerolls for f in bundle)
    sweeps = own.sweeps + sum(f.sweeps for f in bundle)
    again = bool(rerolls or sweeps) or rulings[rule.POST_ROLL] == "alternate"
    return own._replace(
        rerolls=rerolls,
        sweeps=sweeps,
        focus=focus,
        uses=uses_of(focus, cubes, rulings),
        buys=again and any(cubes.covers(f.cost) for f in left),
    )


@remembers(65536)
def _on_the_table(attack: AttackDice, dice: tuple[Shown, ...]) -> tuple[tuple[str, object], ...]:
    band = band_of(attack)
    return (("attack dice", " ".join([face_name(die, band) for die in dice])),)


@step("EE-34", "EE-35", "EE-36")
def adjust_attack(x: Exchange) -> Node[Exchange]:
    """Step 4: the attacker may use Reroll and Focus on the attack dice."""
    terms = x.terms
    options = []
    for move, queue in ways(terms, x.post_roll, x.dice, on_attack=True):
        after = x._replace(dice=move.dice, lifted=move.lifted, post_roll=queue)
        then = _next(queue) if queue and queue[0].on_attack else _after_roll(after)
        then = roll_again if move.lifted else then
        if move.pays:
            after = after._replace(terms=_paid(terms))
        options.append(Option(move.name, At(then, after), move.pays, move.words, move.also))
    return choose(
        x.striker, "an effect on the attack dice?", options, _on_the_table(terms.attack, x.dice)
    )


@remembers(1024)
def _paid(terms: Terms) -> Terms:
    striker = terms.striker
    cubes = striker.cubes - Cubes(blue=COST["focus"])
    return replace(terms, striker=striker._replace(cubes=cubes))


@step("EE-35")
def roll_again(x: Exchange) -> Node[Exchange]:
    """Step 4: the attacker's Reroll; the new face is the unmodified value."""
    pool, read = _hand(x.terms, x.dice, x.lifted)
    then = At(_after_roll(x), x._replace(dice=(), lifted=()))
    return Chance(x.striker, "Reroll", pool, read, "dice", then)


@remembers(65536)
def _hand(terms: Terms, kept: tuple[Shown, ...], lifted: tuple[Shown, ...]) -> tuple[Pool, Again]:
    """The dice in the hand, and how they come to lie beside those kept."""
    better = terms.rulings[rule.REROLL] == "better"
    pool = Pool((d(terms.attack.sides), len(lifted)))
    return pool, Again(kept, lifted, band_of(terms.attack), 0, better)


@roll_again.reads
def _(after: Exchange, faces: tuple[Face, ...]) -> str:
    return _each_die(after, faces)


@roll_again.briefly
def _(before: Exchange, after: Exchange) -> str:
    return f"in the Reroll against {_needed(after)}"


@roll_again.verdict
def _(before: Exchange, after: Exchange) -> str:
    return _hits_told(after)


# -- step 5: modifiers -----------------------------------------------------------------------


@lru_cache(maxsize=65536)
def exceeding(
    dice: tuple[Shown, ...], shift: int, *, must_hit: bool, keeps_misses: bool
) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """By how much dice exceed the defense; those that don't are left out.

    Args:
        dice: attack dice.
        shift: what is added to each, less the defense.
        must_hit: effects on unmodified values need a hit, so those dice are kept apart.
        keeps_misses: whether dice that miss might still be raised.

    Returns:
        Ordinary dice, dice with an effect kept apart, and how many effects fired already.
    """
    over: list[int] = []
    special: list[int] = []
    fired = 0
    for die in dice:
        fired += die.special and not must_hit
        surplus = die.value + shift
        if surplus > 0 or keeps_misses:
            (special if die.special and must_hit else over).append(surplus)
    return tuple(sorted(over)), tuple(sorted(special)), fired


@step("EE-14", "EE-37", "EE-38", "EE-40")
def apply_modifiers(x: Exchange) -> Node[Exchange]:
    """Step 5: the printed bonus, Aim and penalties are added to every attack die."""
    attack = x.terms.attack
    over, special, fired = exceeding(
        x.dice, attack.shift, must_hit=attack.must_hit, keeps_misses=attack.keeps_misses
    )
    unmodified = x.unmodified + fired
    terms = x.terms
    if any(f.timing == "post_roll" for f in terms.later):
        terms = _equipped(terms, (), tuple(f for f in terms.later if f.timing != "post_roll"))
    after = x._replace(
        terms=terms, dice=(), lifted=(), over=over, special=special, unmodified=unmodified
    )
    return _to_dodge(after)


@apply_modifiers.says
def _(before: Exchange, after: Exchange) -> list[str | Total]:
    attack, defense = before.terms.attack, before.terms.target.defense
    most = attack.high + attack.shift + defense
    values = sorted(over + defense for over in after.over + after.special if over > 0)
    known = [str(value) for value in values if value < most]
    beat = {0: "No die beats", 1: "1 die beats"}.get(len(values), f"{len(values)} dice beat")
    with_ = f" ({', '.join(known)})" if known and len(known) == len(values) else ""
    told: list[str | Total] = [f"{beat} Defense {defense}{with_}."]
    total = die_total(attack)
    return [total, *told] if total.terms or total.value else told


def _to_dodge(x: Exchange) -> Go[Exchange]:
    """The way on: the defender's effects, a penalty that has to be placed, or the Dodge."""
    if x.post_roll:
        return Go(use_after_roll if x.post_roll[0].buys else adjust_dodge, x)
    if x.terms.attack.picks_crowded:
        return Go(place_penalty, x)
    return _modified(x)


def _modified(x: Exchange) -> Go[Exchange]:
    """The way on once the attack dice stand: the Dodge, or the hits."""
    if x.terms.dodge.n:
        return Go(harm.weigh_dodge, x)
    reach = (Landed(len(x.over), len(x.special)),)  # without a Dodge no miss is kept
    return Go(harm.count_hits, x._replace(reach=reach))


@step("EE-14")
def place_penalty(x: Exchange) -> Node[Exchange]:
    """Step 5: if only one die takes the penalty, the attacker picks it, after all effects."""
    attack, defense = x.terms.attack, x.terms.target.defense
    penalty = CROWDED["ranged"]
    options = []
    if len(x.over) + len(x.special) < attack.n:
        options.append(Option("miss", _modified(x).at, 0, "on a die that misses anyway"))
    for group, mark in ((x.over, ""), (x.special, "!")):
        for surplus in dict.fromkeys(group):
            rest = list(group)
            rest.remove(surplus)
            if surplus + penalty > 0 or attack.keeps_misses:
                rest.append(surplus + penalty)
            lying = tuple(sorted(rest))
            after = x._replace(special=lying) if mark else x._replace(over=lying)
            name = f"{surplus + defense}{mark}"
            options.append(Option(name, _modified(after).at, 0, f"on the {name}"))
    return choose(x.striker, "which die takes the penalty?", options)


# -- step 4 again: the defender --------------------------------------------------------------


@step("EE-34", "EE-57")
def use_after_roll(x: Exchange) -> Node[Exchange]:
    """Step 4: the defender may use Abilities after the roll, and again after a Reroll."""
    terms, struck = x.terms, x.defending
    options = []
    for bundle in bundles(terms.ready, struck.cubes):
        left = tuple(a for a in terms.ready if a not in bundle)
        own, *others = x.post_roll
        grown = _richer(own, bundle, left, struck.cubes, x.rulings)
        queue = tuple(side for side in (grown, *others) if not side.is_empty)
        after = _helped(x, bundle) if bundle else x
        after = after._replace(terms=_steadied(terms, bundle, left if grown.buys else ()))
        at = _after_dodge_dice(after, after.parry, queue, asks=False)
        options.append(Option(name_of(bundle), at, costs(bundle).number))
    closed = too_dear(terms.ready, struck.cubes)
    return choose(x.target, "Abilities after the roll?", options, _facing(x), closed)


@remembers(1024)
def _steadied(terms: Terms, bundle: tuple[Feature, ...], rest: tuple[Feature, ...]) -> Terms:
    """Terms with what Abilities of the defender change in them."""
    target, attack, dodge = terms.target, terms.attack, terms.dodge
    raised = sum(a.defence for a in bundle)
    changed = replace(
        terms,
        target=target._replace(
            defense=target.defense + raised, dr=target.dr + sum(a.dr for a in bundle)
        ),
        attack=attack._replace(shift=attack.shift - raised),
        dodge=dodge._replace(each=dodge.each + sum(a.each_die for a in bundle)),
        ready=rest,
    )
    return cursed(changed, [a.condition for a in bundle if a.condition])


def _helped(x: Exchange, bundle: tuple[Feature, ...]) -> Exchange:
    """Dice and defender with what Abilities of the defender change in them."""
    struck, raised = x.defending, sum(a.defence for a in bundle)
    each, cap = sum(a.each_die for a in bundle), parry_band(x.terms.dodge).high
    paid = struck._replace(
        cubes=struck.cubes - costs(bundle),
        shields=struck.shields + sum(a.shields for a in bundle),
    )
    parry = tuple(sorted([die._replace(value=min(cap, die.value + each)) for die in x.parry]))
    keeps = x.terms.attack.keeps_misses
    over, special = (
        tuple([surplus - raised for surplus in dice if surplus > raised or keeps])
        for dice in (x.over, x.special)
    )
    return x._replace(struck=paid, parry=parry, over=over, special=special)


@step("EE-34", "EE-35", "EE-36")
def adjust_dodge(x: Exchange) -> Node[Exchange]:
    """Step 4: the defender may use Reroll and Focus on Dodge or Center dice."""
    terms = x.terms
    options = []
    for move, queue in ways(terms, x.post_roll, x.parry, on_attack=False):
        if move.lifted:
            lying = x._replace(parry=move.dice, lifted=move.lifted, post_roll=queue)
            at = At(reroll_dodge, lying)
        else:
            payer = x
            if move.pays:
                cubes = x.defending.cubes - Cubes(blue=move.pays)
                payer = x._replace(struck=x.defending._replace(cubes=cubes))
            at = _after_dodge_dice(payer, move.dice, queue, asks=False)
        options.append(Option(move.name, at, move.pays, move.words, move.also))
    return choose(x.target, f"an effect on the {terms.dodge.name} dice?", options, _facing(x))


def _facing(x: Exchange) -> tuple[tuple[str, object], ...]:
    """What the defender looks at: by how much dice exceed the defense, and the own dice."""
    return (
        ("attack dice over the defense by", " ".join(map(str, x.over + x.special)) or "none"),
        (f"{x.terms.dodge.name} dice", " ".join(map(value_name, x.parry)) or "none"),
    )


def _after_dodge_dice(
    x: Exchange, parry: tuple[Shown, ...], queue: tuple[PostRoll, ...], *, asks: bool = True
) -> At[Exchange]:
    """Find the place after an effect of the defender, or after they pass.

    Args:
        x: the facts.
        parry: the defender's dice.
        queue: the effects that are left.
        asks: whether the defender may use Abilities again, where that comes next.
    """
    after = x._replace(parry=parry, lifted=(), post_roll=queue)
    if queue and not queue[0].on_attack and not asks:
        return At(adjust_dodge, after)
    if x.dice:
        return At(_after_roll(after), after)
    return _to_dodge(after).at


@step("EE-35")
def reroll_dodge(x: Exchange) -> Node[Exchange]:
    """Step 4: the defender's Reroll."""
    dodge = x.terms.dodge
    pool = Pool((d(dodge.sides), len(x.lifted)))
    better = x.rulings[rule.REROLL] == "better"
    read = Again(x.parry, x.lifted, parry_band(dodge), dodge.each, better)
    return Chance(x.target, "Dodge or Center Reroll", pool, read, "parry",
                  _after_dodge_dice(x, (), x.post_roll))  # fmt: skip


STEPS = (
    roll_attack, roll_dodge, buy_after_roll, adjust_attack, roll_again, apply_modifiers,
    place_penalty, use_after_roll, adjust_dodge, reroll_dodge,
)  # fmt: skip
"""The steps of this chapter; the defender's effects come where nothing else waits for them."""
