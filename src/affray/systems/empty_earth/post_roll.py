"""Step 4 in detail: what Reroll and Focus can do with dice on the table."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from affray.core.lazy import NamedTuple
from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.core.unknown import remembers
from affray.systems.empty_earth import rulings as rule
from affray.systems.empty_earth.numbers import band_of, parry_band
from affray.systems.empty_earth.reading import Band, Shown, face_name, picks, value_name
from affray.systems.empty_earth.state import PostRoll, Terms
from affray.systems.empty_earth.tables import COST

__all__ = ["Move", "moves", "ways"]


class Move(NamedTuple):
    """One post-roll effect used: what lies then, what is picked up, what is left of effects.

    `also` names it by the value of a die that is told as "miss" or "sure".
    """

    name: str
    words: str
    dice: tuple[Shown, ...]
    lifted: tuple[Shown, ...]
    effects: PostRoll
    pays: int = 0
    also: tuple[str, ...] = ()


@cites("EE-35", "EE-36")
@lru_cache(maxsize=65536)
def moves(
    dice: tuple[Shown, ...], effects: PostRoll, band: Band, sides: int, rulings: Rulings
) -> tuple[Move, ...]:
    """Everything that can be done with these dice and effects, but to pass.

    Focus comes first, then single dice, then handfuls; no two moves lead to the same.

    Args:
        dice: own dice, ascending.
        effects: the effects that are left.
        band: what of a die can matter.
        sides: the highest number a die can show, with what was added to it at once.
        rulings: the readings in force.
    """
    found = [*_focus_moves(dice, effects, band, sides, rulings)]
    names = [face_name(die, band) if effects.on_attack else value_name(die) for die in dice]
    called = dict(zip(dice, names, strict=True))
    bound = rulings[rule.REFOCUS] == "forbidden"
    loose = tuple(die for die in dice if not (bound and die.focus))
    stuck = tuple(die for die in dice if bound and die.focus)
    sizes = range(1, 2) if rulings[rule.REROLL] != "all" else range(len(loose), len(loose) + 1)
    for spent, sorts in (
        (effects._replace(rerolls=effects.rerolls - 1), sizes if effects.rerolls else range(0)),
        (effects._replace(sweeps=effects.sweeps - 1),
         range(1, len(loose) + 1) if effects.sweeps else range(0)),
    ):  # fmt: skip
        verb = "reroll" if spent.rerolls != effects.rerolls else "sweep"
        for picked, kept in picks(loose, sorts):
            name = "-".join([verb, *(called[die] for die in picked)])
            lifted = tuple(sorted(_in_hand(die, rulings) for die in picked))
            lying = tuple(sorted(kept + stuck)) if stuck else kept
            words = f"roll {', '.join(called[die] for die in picked)} again"
            also: tuple[str, ...] = ()
            if len(picked) == 1 and effects.on_attack:
                also = tuple(f"{verb}-{value}" for value in _values(picked[0], band, sides))
            found.append(Move(name, words, lying, lifted, spent, also=also))
    return tuple(found)


def _values(die: Shown, band: Band, sides: int) -> tuple[str, ...]:
    """List the values that a die may show where its name is a word for several."""
    if face_name(die, band) == value_name(die):
        return ()
    values = range(1, band.low + 1) if die.value == band.low else range(band.high, sides + 1)
    return tuple(value_name(die._replace(value=value)) for value in values)


def _in_hand(die: Shown, rulings: Rulings) -> Shown:
    if rulings[rule.REROLL] == "better":
        return die if rulings[rule.REFOCUS] == "kept" else die._replace(focus=0)
    return Shown(0, focus=die.focus if rulings[rule.REFOCUS] == "kept" else 0)


def _focus_moves(
    dice: tuple[Shown, ...], effects: PostRoll, band: Band, sides: int, rulings: Rulings
) -> list[Move]:
    found: dict[tuple[tuple[Shown, ...], tuple[int, ...]], Move] = {}
    if not effects.uses:
        return []
    top = sides if rulings[rule.FOCUS_LIMIT] == "die" else None
    rerolls = effects.rerolls or effects.sweeps or effects.buys
    marks = rulings[rule.REFOCUS] != "lost" and rerolls
    pays = COST["focus"] if rulings[rule.FOCUS_COST] == "blue" else 0
    for points in dict.fromkeys(effects.focus):
        left = list(effects.focus)
        left.remove(points)
        uses = effects.uses - 1
        after = effects._replace(focus=tuple(left) if uses else (), uses=uses)
        for shares in _shares(len(dice), points, rulings):
            raised = []
            for die, share in zip(dice, shares, strict=True):
                value = die.value + share
                if top is not None and share:
                    value = max(die.value, min(value, top))
                focus = die.focus + (share if marks else 0)
                raised.append(Shown(band.clamped(value), die.special, focus))
            lying = tuple(sorted(raised))
            if lying == dice or (lying, after.focus) in found:
                continue
            name, words = _focus_words(dice, shares, points, band, on_attack=effects.on_attack)
            also: tuple[str, ...] = ()
            laid_on = [die for die, share in zip(dice, shares, strict=True) if share]
            if len(laid_on) == 1 and effects.on_attack:
                start = name.removesuffix(face_name(laid_on[0], band))
                also = tuple(f"{start}{value}" for value in _values(laid_on[0], band, sides))
            found[lying, after.focus] = Move(name, words, lying, (), after, pays, also)
    return list(found.values())


def _shares(n_dice: int, points: int, rulings: Rulings) -> list[tuple[int, ...]]:
    """Every way to lay the points of one Focus on dice."""
    least = points if rulings[rule.FOCUS_AMOUNT] == "exact" else 1
    if rulings[rule.FOCUS] == "one":
        return [
            tuple(amount if place == number else 0 for number in range(n_dice))
            for amount in range(points, least - 1, -1)
            for place in range(n_dice)
        ]
    ways = product(range(points + 1), repeat=n_dice)
    return [shares for shares in ways if least <= sum(shares) <= points]


def _focus_words(
    dice: tuple[Shown, ...], shares: tuple[int, ...], points: int, band: Band, *, on_attack: bool
) -> tuple[str, str]:
    names = [face_name(die, band) if on_attack else value_name(die) for die in dice]
    laid_on = [(share, name) for share, name in zip(shares, names, strict=True) if share]
    if len(laid_on) == 1:
        share, name = laid_on[0]
        some = "" if share == points else f"-only-{share}"
        return f"focus-{points}{some}-on-{name}", f"raise {name} by {share}"
    words = ", ".join(f"{name} by {share}" for share, name in laid_on)
    return f"focus-{points}-as-{'-'.join(map(str, shares))}", f"raise {words}"


def _queue(
    queue: tuple[PostRoll, ...], spent: PostRoll | None, rulings: Rulings
) -> tuple[PostRoll, ...]:
    """The queue of effects after the first side used one (`spent`) or passed (None)."""
    first, *others = queue
    if rulings[rule.POST_ROLL] != "alternate":
        return queue[1:] if spent is None or spent.is_empty else (spent, *others)
    if spent is None:
        if not others or others[0].passed:
            return ()
        return (*others, first._replace(passed=True))
    turned = tuple(other._replace(passed=False) for other in others)
    return turned if spent.is_empty else (*turned, spent)


@remembers(65536)
def ways(
    terms: Terms, queue: tuple[PostRoll, ...], dice: tuple[Shown, ...], *, on_attack: bool
) -> tuple[tuple[Move, tuple[PostRoll, ...]], ...]:
    """List the moves of the side whose turn it is, to pass first, each with the queue after it."""
    attack, dodge = terms.attack, terms.dodge
    band = band_of(attack) if on_attack else parry_band(dodge)
    top = attack.sides if on_attack else dodge.sides + dodge.each
    leave = Move("pass", "leave them", dice, (), queue[0])
    return (
        (leave, _queue(queue, None, terms.rulings)),
        *(
            (move, _queue(queue, move.effects, terms.rulings))
            for move in moves(dice, queue[0], band, top, terms.rulings)
        ),
    )
