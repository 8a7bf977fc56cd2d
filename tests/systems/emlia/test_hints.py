"""Attacks on bodies that are said to be alike: followed by the rules, they come to the same."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from affray.core.fight import ATTACK, Scene
from affray.core.node import At, Chance, Choice, End, Go, fill
from affray.core.ruling import Rulings
from affray.systems.emlia import hints
from affray.systems.emlia.fight import FIGHT
from affray.systems.emlia.gear import Own, Row, Skill, Weapon
from affray.systems.emlia.harm import allocate_hits, apply_row
from affray.systems.emlia.roll import choose_focus
from affray.systems.emlia.rulings import RULINGS
from affray.systems.emlia.sheet import Other, Setup, Troop, Unit
from affray.systems.emlia.standing import Force
from affray.systems.emlia.state import Status
from affray.systems.emlia.steps import declare
from tests.systems.emlia.bodies import exchange

DAMAGE = frozenset({"damage"})
MELEE = Skill(skill="close_combat", level=2)
SHOT = Skill(skill="aimed_fire", level=2)
BOW = Weapon(skill="aimed_fire", short=50, medium=90, longest=99)
BREACH = Row(low=1, high=None, name="breach", casualties=1)
CAPTAIN = Troop(name="captain", hits=2, skills=(MELEE,), weapons=(Weapon(),))


def foe(**more: Any) -> Unit:
    """Who attacks, with two dice."""
    sheet = {"name": "A", "members": 3, "skills": (MELEE,), "weapons": (Weapon(),)}
    return Unit(**{**sheet, "formation": "open", **more})


def body(*more: dict[str, Any]) -> tuple[Unit, ...]:
    """Units of one hit, but for what is said of each."""
    return tuple([
        Unit(name=name, members=9, formation="open", **one)
        for name, one in zip("BCD", more, strict=False)
    ])  # fmt: skip


BODIES: dict[str, tuple[Unit, tuple[Unit, ...], dict[str, str]]] = {
    "as it comes": (foe(), body({}, {}, {}), {}),
    "of different armor": (foe(), body({"hits": 2}, {"hits": 1}, {"hits": 3}), {}),
    "some of it tough": (foe(), body({"damage_limit": 3}, {"damage_limit": 2, "hits": 2}), {}),
    "no armor left": (foe(weapons=(Weapon(damage=1),)), body({}, {"hits": 2}, {"damage_limit": 2}),
                      {"h_floor": "outright"}),
    "two hits for a success": (foe(skills=(Skill(skill="close_combat", level=4),)),
                               body({}, {"hits": 2}), {}),
    "by units": (foe(), body({}, {}, {"hits": 2}), {"group_by": "unit"}),
    "the largest owns markers": (foe(), body({}, {"hits": 4}), {"markers_owner": "largest"}),
    "only the first ratio": (foe(), body({}, {"hits": 2}, {"hits": 3}), {"k_scope": "first"}),
    "somebody picks": (foe(), body({}, {}, {"hits": 2}), {"who_takes": "defender"}),
    "sizes change on the way": (foe(), body({}, {"hits": 2}, {}), {"group_size": "live"}),
    "the marked count": (foe(), body({}, {"hits": 2}, {}), {"marked_sizes": "all"}),
    "some are harder to hit": (foe(), body({}, {"to_hit": -1}, {"hits": 2}), {}),
    "two of them attack": (foe(joined=(CAPTAIN,)), body({}, {"hits": 2}), {}),
    "a wall among it": (foe(), body({"threshold": 2, "table_die": 2, "table": (BREACH,)}, {}), {}),
    "all of it in armor": (foe(skills=(Skill(skill="close_combat", level=5),)),
                           body({"hits": 2}, {"hits": 3}, {"hits": 2}), {}),
    "blows of three hits": (foe(actions=(Own(name="sweep", skill="close_combat", hits=3),)),
                            body({}, {"hits": 2}), {}),
    "shots": (foe(skills=(SHOT,), weapons=(BOW,)), body({"joined": (CAPTAIN,)}), {}),
}  # fmt: skip


def worn(rng: Random, unit: Unit, condition: Force) -> Force:
    """The same in the middle of a round."""
    found = []
    for troop, status in zip((unit, *unit.joined), condition.statuses, strict=True):
        members = rng.choice((0, 1, 2, 3, 4, 6, 8, 9)) if troop is unit else status.members
        found.append(status._replace(
            members=members, lost=troop.members - members,
            marked=rng.choice((0, 0, min(1, members), members // 2)),
            markers=rng.choice((0, 0, 0, 0, 1, 2)), damage=rng.randrange(troop.damage_limit or 1),
            wear=rng.randrange(troop.threshold or 1),
        ))  # fmt: skip
    return condition._replace(statuses=tuple(found))


def attack(rng: Random, kind: str) -> Any | None:
    """The facts of an attack on a body as it may be in a fight; None: nobody is there."""
    by, units, readings = BODIES[kind]
    rulings = Rulings.pick(RULINGS, readings)
    now: list[Any] = []
    for unit in units:
        mates = [mate for mate in units if mate is not unit]
        condition = FIGHT.beside(unit, FIGHT.enter(unit, rulings), mates, (by,))
        assert isinstance(condition, Force)
        now.append(worn(rng, unit, condition))
    if FIGHT.is_out(units[0], now[0]):
        return None
    action = {"shots": "aimed_fire", "blows of three hits": "sweep"}.get(kind, "close_combat")
    made = Setup(attacker=by, defender=units[0], action=action,
                 distance=60 if kind == "shots" else 0)  # fmt: skip
    context = FIGHT.context(list(zip(units[1:], now[1:], strict=True)))
    at: Any = FIGHT.declare(Scene(made, ATTACK, FIGHT.enter(by, rulings), now[0], context, rulings))
    node = at.step.rule(at.facts)
    assert node.step is choose_focus
    return node.facts


def suffered(x: Any) -> list[Any]:
    """The dice for each focus, and what each result of them comes to."""
    found: list[Any] = []
    waiting: list[tuple[str, At[Any]]] = [("", At(choose_focus, x))]
    while waiting:
        name, at = waiting.pop()
        node: Any = at.step.rule(at.facts)
        if isinstance(node, Choice):
            waiting += [(f"{name} {one.name}", one.at) for one in node.options]
        elif isinstance(node, Chance):
            found.append((name, node.dice, node.ask, node.read))
            n_dice = node.dice.size
            several = [(n, 0) for n in range(n_dice + 1)] if node.into == "rolled" else [0]
            waiting += [
                (f"{name} {one}", At(node.then.step, fill(node.then, node.into, one).facts))
                for one in several
            ]
        elif isinstance(node, End):
            out = node.outcome
            found.append((name, FIGHT.effect(out, "target"), FIGHT.helped(out)))
        else:
            waiting.append((name, node.at))
    return found


@pytest.mark.parametrize("kind", BODIES)
def test_em53_bodies_that_are_alike_suffer_the_same(kind: str) -> None:
    """By each focus and with each number of hits, by the rules alone."""
    hints._first.cache_clear()
    rng, shared = Random(kind), 0
    for _ in range(200):
        x = attack(rng, kind)
        if x is None:
            continue
        other = hints.alike_bodies(x, DAMAGE)
        if other != x:
            shared += 1
            assert suffered(x) == suffered(other)
    never = {"sizes change on the way", "the marked count", "two of them attack", "a wall among it"}
    assert (shared > 2) == (kind not in never)


def test_em53_a_body_is_told_from_others_by_what_was_dealt_before() -> None:
    """Free Strikes before the attack are part of the damage; members are, of other questions."""
    rng = Random(3)
    first = attack(rng, "as it comes")
    assert first is not None
    assert hints.alike_bodies(first, DAMAGE) == first
    statuses, place = list(first.statuses), first.terms.target + 1
    statuses[place] = statuses[place]._replace(members=50)
    larger = first._replace(statuses=tuple(statuses))
    statuses[place] = statuses[place]._replace(members=60)
    largest = first._replace(statuses=tuple(statuses))
    assert hints.alike_bodies(larger, DAMAGE) == hints.alike_bodies(largest, DAMAGE) != largest
    hurt = largest._replace(dealt=(1,) * len(statuses))
    assert hints.alike_bodies(hurt, DAMAGE) == hurt
    assert hints.alike_bodies(largest, DAMAGE | {"hits"}) == largest


def test_em42_damage_is_felt_where_hits_may_take_the_last_member() -> None:
    """Of a tough troop counts what it can still take, if hits can go so far."""
    rng, kind = Random(1), "some of it tough"
    x = next(found for found in iter(lambda: attack(rng, kind), 0) if found is not None)
    place = x.terms.target + 1

    def alike(members: int, damage: int) -> Any:
        now = x.statuses[place]._replace(
            members=members, marked=0, damage=damage, markers=0, lost=9 - members
        )
        statuses = (*x.statuses[:place], now, *x.statuses[place + 1 :])
        return hints.alike_bodies(x._replace(statuses=statuses), DAMAGE)

    hints._first.cache_clear()
    assert alike(9, 0) == alike(9, 1)
    assert alike(1, 0) != alike(1, 1)


def test_em43_a_row_takes_the_same_effect_whatever_came_before_it() -> None:
    """Where nobody asks how many hits made the roll due, nor how they were thrown."""
    wall = Troop(name="A", members=3, hits=1, damage_limit=9, threshold=2, table=(BREACH,))
    node: Any = Go(allocate_hits, exchange([wall], 2))
    while isinstance(node, Go):
        node = node.step.rule(node.facts)
    assert node.then.step is apply_row
    x = node.then.facts._replace(successes=3, ones=1, net=2, hits=2)
    other = node._replace(then=At(apply_row, x))
    assert hints.HINTS.forget is not None
    for needed, same in ((DAMAGE, True), (DAMAGE | {"net"}, False)):
        one, two = (hints.HINTS.forget(roll, needed) for roll in (node, other))
        assert (one == two) == same


def test_em53_mates_are_as_many_as_are_left_and_who_is_gone_stays_gone() -> None:
    unit = Unit(name="B", members=9, formation="open", joined=(CAPTAIN,))
    some = Status(6, marked=2, lost=3), Status(1)
    gone, all_marked = (Status(0, lost=9), Status(1)), (Status(4, marked=4, lost=5), Status(1))
    around: Any = hints.HINTS.around
    found = [
        around(((unit, Force(statuses, Rulings(), mingles="alike")),))[0][1].statuses[0]
        for statuses in (some, gone, all_marked)
    ]
    assert [(status.members, status.marked) for status in found] == [(4, 0), (0, 0), (1, 1)]


def test_em33_fumbles_look_at_friends_in_the_combat() -> None:
    """Supporting Fire at a body with friends close by strikes these; they may be many or few."""
    made = Setup(
        attacker=foe(skills=(SHOT,), weapons=(BOW,)), distance=60, action="supporting_fire",
        defender=Unit(name="B", members=50, joined=(CAPTAIN,)),
        others=(Other(who=Unit(name="F", members=2), side="friend"),),
    )  # fmt: skip
    at: Any = declare(made, Rulings())
    x = at.step.rule(at.facts).facts
    assert hints.alike_bodies(x, DAMAGE) == x
    fewer = x._replace(statuses=(*x.statuses[:-1], x.statuses[-1]._replace(members=1)))
    assert hints.alike_bodies(fewer, DAMAGE) == fewer


def test_em34_friends_in_the_body_may_be_many_or_few() -> None:
    """A shot into a skirmish falls on friends and enemies alike: nothing is left out."""
    made = Setup(
        attacker=foe(skills=(SHOT,), weapons=(BOW,)), distance=5, action="aimed_fire",
        defender=Unit(name="B", members=50, formation="open"),
        others=(Other(who=Unit(name="F", members=60, formation="open"), side="friend"),),
    )  # fmt: skip
    at: Any = declare(made, Rulings())
    x = at.step.rule(at.facts).facts
    assert hints.alike_bodies(x, DAMAGE) == x
    fewer = x._replace(statuses=(*x.statuses[:-1], x.statuses[-1]._replace(members=59)))
    assert hints.alike_bodies(fewer, DAMAGE) == fewer
