"""Steps 6 to 8: the Dodge is applied, hits are counted, damage is reduced and dealt."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate

from affray.core.modifier import Modifier, Total
from affray.core.node import At, Go, Node, Option, Step, choose
from affray.core.sheet import replace
from affray.core.step import cites, step
from affray.core.telling import counted
from affray.core.unknown import remembers
from affray.systems.empty_earth import aftermath
from affray.systems.empty_earth import rulings as rule
from affray.systems.empty_earth.cards import Affliction
from affray.systems.empty_earth.conditions import grown
from affray.systems.empty_earth.cubes import bundles, costs, name_of, too_dear
from affray.systems.empty_earth.reading import Shown, stops
from affray.systems.empty_earth.sheet import Feature, Timing
from affray.systems.empty_earth.state import Exchange, FighterState, Landed, Terms
from affray.systems.empty_earth.tables import CROWDED, NEEDED

__all__ = ["STEPS", "count_hits", "reach_of", "weigh_dodge"]


# -- step 6: the Dodge -----------------------------------------------------------------------


@cites("EE-41")
@lru_cache(maxsize=262144)
def reach_of(
    over: tuple[int, ...], special: tuple[int, ...], values: tuple[int, ...], spread: str
) -> tuple[Landed, ...]:
    """List the dice that can land once the Dodge is shared out, nothing stopped first.

    Args:
        over: by how much ordinary attack dice exceed the defense, ascending.
        special: the same for dice kept apart for their effect.
        values: what the Dodge is worth: one sum, or die by die under `per_die`.
        spread: the ruling in force.

    >>> reach_of((1, 2), (), (2,), "pool")
    (Landed(plain=2, special=0), Landed(plain=1, special=0))
    >>> reach_of((1, 2), (), (2,), "all")
    (Landed(plain=0, special=0),)
    """
    if spread == "all" or (spread == "pool" and values[0] < 0):
        return _all_alike(over, special, values[0], to_one=spread == "pool")
    plain = tuple([surplus for surplus in over if surplus > 0])
    marked = tuple([surplus for surplus in special if surplus > 0])
    if spread == "pool":
        sums, marked_sums = (0, *accumulate(plain)), (0, *accumulate(marked))
        return tuple(
            Landed(len(plain) - i, len(marked) - j)
            for i, cost in enumerate(sums)
            for j, more in enumerate(marked_sums)
            if cost + more <= values[0]
        )
    useful = tuple([value for value in values if value > 0])
    found = []
    for i in range(len(plain) + 1):
        for j in range(len(marked) + 1):
            if not stops(plain[:i] + marked[:j], useful):
                break  # nor more of them
            found.append(Landed(len(plain) - i, len(marked) - j))
    return tuple(found)


def _all_alike(
    over: tuple[int, ...], special: tuple[int, ...], value: int, *, to_one: bool
) -> tuple[Landed, ...]:
    """Outcomes where one value comes off all dice, or a negative one raises some die."""
    if not to_one:
        return (Landed(sum(s > value for s in over), sum(s > value for s in special)),)
    before = Landed(sum(s > 0 for s in over), sum(s > 0 for s in special))
    ways: dict[Landed, None] = {}
    for group, raised in ((over, Landed(1, 0)), (special, Landed(0, 1))):
        for surplus in group:
            lands = surplus <= 0 < surplus - value
            after = (before.plain + raised.plain, before.special + raised.special)
            ways[Landed(*after) if lands else before] = None
    return tuple(sorted(ways, key=lambda way: way.number))


@step("EE-39", "EE-41")
def weigh_dodge(x: Exchange) -> Node[Exchange]:
    """Step 6: the modified Dodge or Center dice decide what can be stopped."""
    values = worth(x.parry, x.terms) if x.parry else x.dodge
    reach = reach_of(x.over, x.special, values, x.terms.dodge.spread)
    return Go(spread_dodge, x._replace(over=(), special=(), parry=(), dodge=(), reach=reach))


@cites("EE-39")
def worth(parry: tuple[Shown, ...], terms: Terms) -> tuple[int, ...]:
    """Value Dodge dice that could be changed after the roll (their +X included)."""
    adds = terms.rulings[rule.NEGATIVE] == "adds"
    values = tuple([die.value if adds else max(0, die.value) for die in parry])
    dodge = terms.dodge
    return values if dodge.spread == "per_die" else (min(dodge.cap, sum(values)),)


@weigh_dodge.says
def _(before: Exchange, after: Exchange) -> str:
    values = worth(before.parry, before.terms) if before.parry else before.dodge
    most = max(after.reach[0].number - way.number for way in after.reach)
    shown = " and ".join(map(str, values))
    dice = "1 die" if after.reach[0].number == 1 else f"{after.reach[0].number} dice"
    return f"The {before.terms.dodge.name} is worth {shown}: it can stop {most} of {dice}."


@lru_cache(maxsize=4096)
def _applied(reach: tuple[Landed, ...]) -> tuple[tuple[Landed, str, str], ...]:
    """Each way to apply the Dodge: what lands then, and how it is called."""
    most, least = (Landed(pick(way.plain for way in reach), pick(way.special for way in reach))
                   for pick in (max, min))  # fmt: skip
    raises = reach[0] != most  # a Dodge below zero; else the first way stops nothing
    ways = []
    for way in reach:
        plain, special = most.plain - way.plain, most.special - way.special
        name = "none"
        if raises and way != least:
            name = "raise-special" if way.special > least.special else "raise"
        elif not raises and (plain or special):
            name = f"stop-{plain}" + (f"-and-{special}-special" if special else "")
        ways.append((way, name, f"{way.number} of the dice hit"))
    return tuple(ways)


@step("EE-41")
def spread_dodge(x: Exchange) -> Node[Exchange]:
    """Step 6: the defender applies Dodge or Center values to attack dice."""
    before = x.reach[0]
    options = [
        Option(name, At(count_hits, x._replace(reach=(way,))), 0, words)
        for way, name, words in _applied(x.reach)
    ]
    left = " or ".join(sorted({str(way.number) for way in x.reach}))
    about = (("dice over the defense", before.number), ("dice that can be left", left))
    return choose(x.target, f"how is the {x.terms.dodge.name} applied?", options, about)


# -- step 7: hits ----------------------------------------------------------------------------


@step("EE-7", "EE-17", "EE-21", "EE-23", "EE-42", "EE-45", "EE-58")
def count_hits(x: Exchange) -> Node[Exchange]:
    """Step 7: each attack die above the defense is a hit and adds its damage."""
    hit, landed = x.terms.hit, x.reach[0]
    hits, fired = landed.number, x.unmodified + landed.special
    regular, piercing = hits * hit.damage, hits * hit.piercing
    cards, terms = hit.conditions if hits else (), x.terms
    if hit.special is not None and fired:
        special = hit.special
        regular += fired * special.damage
        piercing += fired * special.piercing
        cards = (*cards, special.condition) if special.condition else cards
        terms = _shielded(terms, fired * special.shields) if special.shields else terms
    if hit.crowded:
        regular = max(0, regular + CROWDED["ranged"])
    after = x._replace(
        terms=terms,
        struck=afflicted(x.defending, cards) if cards else x.struck,
        over=(),
        special=(),
        reach=(),
        dodge=(),
        parry=(),
        hits=hits,
        regular=regular,
        piercing=piercing,
        unmodified=fired,
    )
    return Go(_if_any(after, "on_hit", buy_on_hit, reduce_damage), after)


@count_hits.says
def _(before: Exchange, after: Exchange) -> str:
    extra = f" and {after.piercing} piercing" if after.piercing else ""
    hits = "1 hit" if after.hits == 1 else f"{after.hits} hits"
    told = f"{hits}: {after.regular} regular{extra} damage."
    return told + suffering(before, after)


@count_hits.briefly
def _(before: Exchange, after: Exchange) -> str:
    many = counted(after.hits, "hit") if after.hits else "no hit"
    hits = many if before.terms.dodge.n else ""
    return f"{hits}{suffering(before, after)}".strip()


@remembers(1024)
def _shielded(terms: Terms, shields: int) -> Terms:
    """Terms with Shields that the attacker gains."""
    striker = terms.striker
    return replace(terms, striker=striker._replace(shields=striker.shields + shields))


@cites("EE-23", "EE-56")
def afflicted(struck: FighterState, cards: Iterable[Affliction]) -> FighterState:
    """Bring Conditions upon the one who was hit."""
    return struck._replace(conditions=grown(struck.conditions, cards))


def suffering(before: Exchange, after: Exchange) -> str:
    """Tell which Conditions the one who is attacked suffers anew."""
    held = before.defending.named
    new = [name for name in after.defending.named if name not in held]
    return f" The {before.target} suffers {', '.join(new)}." if new else ""


def _if_any(
    x: Exchange, timing: Timing, offer: Step[Exchange], then: Step[Exchange]
) -> Step[Exchange]:
    """The step that offers features of a timing, where there are any and it has come to that."""
    reached = x.hits >= NEEDED["on hit"] if timing == "on_hit" else x.on_damage
    return offer if reached and any(f.timing == timing for f in x.terms.later) else then


def _buy_late(x: Exchange, timing: Timing, then: Step[Exchange]) -> Node[Exchange]:
    terms = x.terms
    features = [f for f in terms.later if f.timing == timing]
    options = []
    for bundle in bundles(features, terms.striker.cubes):
        after = x
        if bundle:
            more = [f.condition for f in bundle if f.condition]
            after = x._replace(
                terms=_spent(terms, bundle),
                struck=afflicted(x.defending, more) if more else x.struck,
                regular=x.regular + x.hits * sum(f.damage for f in bundle),
                piercing=x.piercing + x.hits * sum(f.piercing for f in bundle),
            )
        name = name_of(bundle)
        options.append(Option(name, At(then, after), costs(bundle).number))
    closed = too_dear(features, terms.striker.cubes)
    return choose(x.striker, "cubes for effects of the attack?", options, closed=closed)


@remembers(1024)
def _spent(terms: Terms, bundle: tuple[Feature, ...]) -> Terms:
    striker = terms.striker
    paid = striker._replace(
        cubes=striker.cubes - costs(bundle),
        shields=striker.shields + sum(f.shields for f in bundle),
    )
    return replace(terms, striker=paid)


@step("EE-23", "EE-57")
def buy_on_hit(x: Exchange) -> Node[Exchange]:
    """Once a die has hit, the attacker may buy effects on hit."""
    return _buy_late(x, "on_hit", reduce_damage)


@buy_on_hit.briefly
@buy_on_hit.says
def _(before: Exchange, after: Exchange) -> str:
    return suffering(before, after).lstrip()


# -- step 8: damage --------------------------------------------------------------------------


@step("EE-18", "EE-19", "EE-20", "EE-22", "EE-24", "EE-25", "EE-27", "EE-43")
def reduce_damage(x: Exchange) -> Node[Exchange]:
    """Step 8: Shields and Damage Resistance reduce the total; piercing damage passes both."""
    target, struck, rulings = x.terms.target, x.defending, x.rulings
    absorbed = min(struck.shields, x.regular)
    through = max(0, x.regular - absorbed - max(0, target.dr) - target.reduction)
    final = through + x.piercing
    if final and rulings[rule.FINAL] == "capped":
        final = min(final, struck.vitality)
    counts = through if rulings[rule.ON_DAMAGE] == "regular" else final
    if absorbed and rulings[rule.SHIELDS] == "spent":
        struck = struck._replace(shields=struck.shields - absorbed)
    after = x._replace(struck=struck, final=final, on_damage=counts >= NEEDED["on damage"])
    return Go(_if_any(after, "on_damage", buy_on_damage, aftermath.lose_vitality), after)


@reduce_damage.says
def _(before: Exchange, after: Exchange) -> list[str | Total]:
    target, regular = before.terms.target, before.regular
    rows = [
        Modifier("Shields", -min(before.defending.shields, regular), "EE-19"),
        Modifier("Damage Resistance", -max(0, target.dr), "EE-19"),
        Modifier("Damage Reduction", -target.reduction, "EE-43"),
    ]
    piercing = Modifier("piercing", before.piercing, "EE-20")
    total = Total(
        Modifier("regular damage", regular, "EE-17"),
        tuple(row for row in rows if row.value),
        low=-regular,
        beyond=(piercing,) if before.piercing else (),
        cap="EE-22",
    )
    return [total, f"Final Damage {after.final}."]


@reduce_damage.briefly
def _(before: Exchange, after: Exchange) -> str:
    if not before.regular + before.piercing:
        return ""
    target, regular = before.terms.target, before.regular
    less = [(min(before.defending.shields, regular), "Shields"), (max(0, target.dr), "DR"),
            (target.reduction, "Damage Reduction")]  # fmt: skip
    parts = [str(regular), *[f"- {number} {name}" for number, name in less if number]]
    parts += [f"+ {before.piercing} piercing"] if before.piercing else []
    summed = "" if len(parts) == 1 and after.final == regular else f"{' '.join(parts)} = "
    return f"{summed}{after.final} damage"


@step("EE-24", "EE-57")
def buy_on_damage(x: Exchange) -> Node[Exchange]:
    """Once damage was dealt, the attacker may buy effects on damage."""
    return _buy_late(x, "on_damage", aftermath.lose_vitality)


@buy_on_damage.briefly
@buy_on_damage.says
def _(before: Exchange, after: Exchange) -> str:
    return suffering(before, after).lstrip()


STEPS = (
    weigh_dodge, spread_dodge, count_hits, buy_on_hit, reduce_damage, buy_on_damage,
)  # fmt: skip
"""The steps of this chapter in the order of the book."""
