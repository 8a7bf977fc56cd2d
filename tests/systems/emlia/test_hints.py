"""Attacks on bodies that are said to be alike: followed by the rules, they come to the same."""

from __future__ import annotations

from typing import Any

from affray.core.node import At, Go
from affray.core.ruling import Rulings
from affray.systems.emlia import hints
from affray.systems.emlia.gear import Row, Skill, Weapon
from affray.systems.emlia.harm import allocate_hits, apply_row
from affray.systems.emlia.sheet import Troop, Unit
from affray.systems.emlia.standing import Force
from affray.systems.emlia.state import Status
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
