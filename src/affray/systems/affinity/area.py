"""Step 8 for an area: each of those whom it reaches defends alone, the one aimed at last.

The text gives no size to areas and no order to targets. So a sheet says how far around its target
an area reaches (`area_yd`), it reaches foes only, and further chosen targets are the nearest.
"""

from __future__ import annotations

from affray.core.node import Go, Node
from affray.core.sheet import replace
from affray.core.step import cites, step
from affray.core.unknown import remembers
from affray.systems.affinity import aftermath, harm
from affray.systems.affinity.attempts import why_out_of_range
from affray.systems.affinity.numbers import called
from affray.systems.affinity.positions import at_distance
from affray.systems.affinity.sheet import Action
from affray.systems.affinity.state import Aimed, Area, Exchange, Guard, Other, Struck, Terms

__all__ = ["STEPS", "next_target", "reaching", "unaccompanied"]


@cites("AF-75")
def reaching(x: Exchange, action: Action, damage: int) -> Exchange:
    """The facts once damage is dealt, with those besides the target whom it reaches."""
    terms = x.terms
    if not terms.others:
        return x
    found = _reached(terms, action, x.spread, x.targets) if damage else ()
    if not found:
        return x._replace(terms=unaccompanied(terms))
    places = tuple(terms.others[number].place for number in found)
    area = Area(damage, action.type, action.daunts, found)
    return x._replace(area=area, caught=places)


@remembers(8192)
def _reached(terms: Terms, action: Action, spread: int, more: int) -> tuple[int, ...]:
    """Those of the others whom an area reaches, or so many more who are chosen; by number."""
    others = list(enumerate(terms.others))
    if action.shape == "select":
        near = [
            (other.yards, number)
            for number, other in others
            if why_out_of_range(at_distance(terms.setup, other.away), action, terms.rulings) is None
        ]
        return tuple(number for _, number in sorted(near)[:more])
    return tuple(n for n, other in others if other.yards <= action.area_yd + spread)


@remembers(8192)
def unaccompanied(terms: Terms) -> Terms:
    """The terms with nobody besides the target."""
    return replace(terms, others=())


@remembers(8192)
def _with_target(terms: Terms, other: Other, guards: tuple[Guard, ...]) -> Terms:
    """The terms with another target."""
    setup = replace(terms.setup, defender=other.sheet)
    return replace(terms, setup=setup, struck=other.now, guards=guards)


def _free(x: Exchange, guards: tuple[Guard, ...]) -> tuple[Guard, ...]:
    """Those who may still Intervene; nobody does twice against one attack."""
    paid = {one.place for struck in x.beside for one in struck.helped}
    return tuple(guard for guard in guards if guard.place not in paid)


@step("AF-41", "AF-75")
def next_target(x: Exchange) -> Node[Exchange]:
    """Those whom an area reaches defend one by one, each alone."""
    area = x.area
    assert area is not None  # only then does anybody come here
    aimed, left = area.aimed, area.left
    if aimed is None:
        aimed = Aimed(x.terms, x.damage, x.type, x.daunts)
    else:
        x, left = x._replace(beside=(*x.beside, _struck(x))), left[1:]
    x = x._replace(lost=0, layers=None, resolve=0, checked=False, helped=(), asked=0)
    if not left:
        terms = unaccompanied(replace(aimed.terms, guards=_free(x, aimed.terms.guards)))
        return Go(harm.meet_damage, x._replace(
            terms=terms, damage=aimed.damage, type=aimed.type, daunts=aimed.daunts, area=None,
        ))  # fmt: skip
    other = aimed.terms.others[left[0]]
    after = x._replace(terms=_with_target(aimed.terms, other, _free(x, other.guards)))
    return Go(harm.meet_damage, after._replace(
        damage=harm.suffered(other.sheet, area.type, area.damage),
        type=harm.type_kept(other.sheet, area.type),
        daunts=area.daunts and aftermath.may_check(after),
        area=area._replace(aimed=aimed, left=left),
    ))  # fmt: skip


@next_target.briefly
@next_target.says
def _(before: Exchange, after: Exchange) -> str:
    told = []
    if before.defender != "defender":
        told += aftermath.fall_of(before, before.terms.setup.defender.name or before.defender)
    name = called(after.terms.setup.defender, after.defender)
    told.append(f"{name[:1].upper()}{name[1:]}: {after.damage} damage.")
    return " ".join(told)


@cites("AF-75")
def _struck(x: Exchange) -> Struck:
    """What an area did to one whom it reached."""
    (number, *_) = x.area.left if x.area is not None else (0,)
    lost = min(x.lost, x.terms.struck.hd)
    place = x.terms.others[number].place
    return Struck(place, lost, x.layers, x.resolve, x.checked, x.helped)


STEPS = (next_target,)
"""The step of this chapter."""
