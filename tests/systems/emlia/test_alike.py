"""Checks whose hits deal the same damage by hints: followed by the rules, they do."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from affray.core.node import At, Chance, Choice, End, fill
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.unknown import UNKNOWN
from affray.systems.emlia import alike
from affray.systems.emlia.alike import alike_hits
from affray.systems.emlia.fight import FIGHT
from affray.systems.emlia.gear import Skill, Weapon
from affray.systems.emlia.hints import forget
from affray.systems.emlia.numbers import checks_of
from affray.systems.emlia.reading import Outcome
from affray.systems.emlia.roll import count_last_check
from affray.systems.emlia.rulings import RULINGS
from affray.systems.emlia.sheet import Other, Setup, Unit
from affray.systems.emlia.steps import declare
from affray.systems.emlia.strength import inputs_of
from tests.systems.emlia.test_scenes import (
    BODIES,
    BOW,
    DAMAGE,
    SHOT,
    anything,
    attack,
    foe,
    with_mate,
)


def rolled(scene: Any, *, bare: bool = True) -> Iterator[Any]:
    """The facts once the dice of an attack have been rolled: by each focus, with each count."""
    waiting: list[At[Any]] = [FIGHT.declare(scene)]
    while waiting:
        at = waiting.pop()
        node: Any = at.step.rule(at.facts)
        if isinstance(node, Choice):
            waiting += [option.at for option in node.options]
        elif isinstance(node, Chance):
            roll = forget(node, DAMAGE) if bare else node
            if node.then.step is count_last_check:
                for net in range(node.dice.size + 1):
                    yield fill(roll.then, roll.into, (net, 0)).facts
        elif not isinstance(node, End):  # who has no dice rolls nothing
            waiting.append(node.at)


def suffered(x: Any) -> list[Any]:
    """The effects of a check that was rolled, on the target and on its mates; picks among them."""
    found: list[Any] = []
    waiting: list[tuple[str, At[Any]]] = [("", At(count_last_check, x))]
    while waiting:
        name, at = waiting.pop()
        node: Any = at.step.rule(at.facts)
        if isinstance(node, Choice):
            waiting += [(f"{name} {one.name}", one.at) for one in node.options]
        elif isinstance(node, End):
            out = node.outcome
            found.append((name, FIGHT.effect(out, "target"), FIGHT.helped(out)))
        else:
            assert not isinstance(node, Chance)
            waiting.append((name, node.at))
    return found


NEVER = {"sizes change on the way", "the marked count", "two of them attack", "a wall among it"}
"""Bodies that stand for themselves."""


@pytest.mark.parametrize("kind", BODIES)
def test_em53_hits_that_come_to_the_same_are_one(kind: str) -> None:
    """By each focus, with each number of hits, whether or not the check itself is forgotten."""
    alike._firsts.cache_clear()
    rng, shared = Random(kind), 0
    for number in range(100):
        scene = attack(rng, kind)
        for x in () if scene is None else rolled(scene, bare=number % 4 > 0):
            other = alike_hits(x, DAMAGE)
            if other != x:
                shared += 1
                assert suffered(x) == suffered(other)
    assert (shared > 2) == (kind not in NEVER), shared


def test_em53_few_hits_tell_less_than_many() -> None:
    """One hit can't tell three left from four, where two or three hits can tell one from two."""
    scene = anything("by units")
    alike._firsts.cache_clear()
    bodies = [
        with_mate(scene, members=n, marked=0, markers=0, damage=0, lost=9 - n) for n in (3, 4)
    ]
    (three, *_), (four, *_) = (
        [x for x in rolled(body) if x.rolled == (1, 0) and x.decided.focus is None]
        for body in bodies
    )
    assert alike_hits(three, DAMAGE) == alike_hits(four, DAMAGE) == three != four


def test_em53_checks_stand_for_themselves_where_more_matters() -> None:
    """Other questions, damage that was dealt before, what is not known or needed no roll."""
    scene = anything("by units")
    alike._firsts.cache_clear()
    first = next(x for x in rolled(scene) if x.rolled == (1, 0))
    assert alike_hits(first, DAMAGE) is first
    place = first.terms.target + 1
    now = first.statuses[place]._replace(members=50)
    larger = first._replace(statuses=(*first.statuses[:place], now, *first.statuses[place + 1 :]))
    held = {"held": UNKNOWN}
    for changes in ({"dealt": (1,)}, {"lost": 1}, {"rolled": Outcome(1)}, {"checks": ()}, held):
        x = larger._replace(**changes)
        assert alike_hits(x, DAMAGE) is x
    assert alike_hits(larger, DAMAGE | {"hits"}) is larger
    (check,) = larger.checks
    now = now._replace(members=60)
    largest = first._replace(statuses=(*first.statuses[:place], now, *first.statuses[place + 1 :]))
    for x in (larger, largest):
        fumbles = x._replace(checks=(check._replace(friends=(0,)),))
        assert alike_hits(fumbles, DAMAGE) is fumbles


def by_others(scene: Any, **changes: Any) -> Any:
    """The same body, attacked by others."""
    who = foe(**changes)
    made = replace(scene.setup, attacker=who)
    return scene._replace(setup=made, actor=FIGHT.enter(who, scene.rulings))


def dealt(scene: Any, hits: int) -> list[Any]:
    """By each focus the facts once so many hits fall."""
    return [x for x in rolled(scene) if x.rolled[0] * x.checks[0].each == hits]


def test_em53_hits_do_not_tell_who_deals_them() -> None:
    """Nor how likely they were; with another base damage they are others."""
    alike._firsts.cache_clear()
    body = anything("of different armor")
    some, others, stronger = (
        by_others(body, **changes)
        for changes in (
            {}, {"members": 7, "skills": (Skill(skill="close_combat", level=4),)},
            {"weapons": (Weapon(damage=1),)},
        )
    )  # fmt: skip
    for hits in (0, 1, 2):
        these, those, hard = (dealt(one, hits) for one in (some, others, stronger))
        assert len(these) == len(those) == len(hard) > 1
        for x, y, z in zip(these, those, hard, strict=True):
            assert x.terms != y.terms
            first = alike_hits(x, DAMAGE)
            assert first is alike_hits(y, DAMAGE)
            assert suffered(x) == suffered(y) == suffered(first)
            assert alike_hits(z, DAMAGE) is not first


def test_em53_all_else_that_is_settled_may_matter() -> None:
    """The mates of the target, the readings in force, and which of them is the target."""
    alike._firsts.cache_clear()
    x = dealt(by_others(anything("of different armor")), 1)[0]
    first = alike_hits(x, DAMAGE)
    setup = x.terms.setup
    others = setup.others[:-1]
    for changes in (
        {"rulings": Rulings.pick(RULINGS, {"markers_owner": "largest"})},
        {"setup": replace(setup, others=others)},
        {"target": x.terms.target + 1},
    ):
        changed = x._replace(terms=replace(x.terms, **changes))
        assert alike_hits(changed, DAMAGE) is changed is not first
    (check,) = x.checks
    for changes in (
        {"decided": x.decided._replace(charged=True)},
        {"checks": (check._replace(dice=check.dice + 2),)},  # half of them may count
        {"rolled": (1, 1)},
    ):
        changed = x._replace(**changes)
        assert alike_hits(changed, DAMAGE) is changed


def test_em53_no_hits_find_no_body() -> None:
    alike._firsts.cache_clear()
    scene = by_others(anything("by units"))
    fewer, more = (dealt(with_mate(scene, members=n, lost=9 - n), 0)[0] for n in (1, 7))
    assert fewer != more
    assert alike_hits(fewer, DAMAGE) is alike_hits(more, DAMAGE)


def test_em62_where_morale_may_be_lost_it_matters_who_attacks() -> None:
    alike._firsts.cache_clear()
    body = anything("of different armor")
    body = body._replace(rulings=Rulings.pick(RULINGS, {"morale": "on"}))
    pairs = list(zip(dealt(by_others(body), 1), dealt(by_others(body, members=7), 1), strict=True))
    assert pairs
    for x, y in pairs:
        assert alike_hits(x, DAMAGE) is not alike_hits(y, DAMAGE)


def test_em34_friends_in_the_body_may_be_many_or_few() -> None:
    """A shot into a skirmish falls on friends and enemies alike: nothing is left out."""
    made = Setup(
        attacker=foe(skills=(SHOT,), weapons=(BOW,)), distance=5, action="aimed_fire",
        defender=Unit(name="B", members=50, formation="open"),
        others=(Other(who=Unit(name="F", members=60, formation="open"), side="friend"),),
    )  # fmt: skip
    at: Any = declare(made, Rulings())
    x = at.step.rule(at.facts).facts
    x = x._replace(checks=checks_of(x.terms, x.decided, inputs_of(x.terms, x.statuses, x.decided)))
    x = x._replace(rolled=(1, 0))
    assert alike_hits(x, DAMAGE) is x
    fewer = x._replace(statuses=(*x.statuses[:-1], x.statuses[-1]._replace(members=59)))
    assert alike_hits(fewer, DAMAGE) is fewer
