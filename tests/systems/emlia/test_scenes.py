"""Attacks on bodies that are said to be alike: followed by the rules, they come to the same."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from affray.core.fight import ATTACK, Scene
from affray.core.node import At, Chance, Choice, End, fill
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.engine.fight.plans import DECIDE_ALL, Plan
from affray.systems.emlia.fight import FIGHT
from affray.systems.emlia.gear import Own, Row, Skill, Weapon
from affray.systems.emlia.rulings import RULINGS
from affray.systems.emlia.scenes import same_scene
from affray.systems.emlia.sheet import Setup, Troop, Unit
from affray.systems.emlia.standing import Force, Ranks
from affray.systems.emlia.state import Status

DAMAGE = frozenset({"damage"})
MELEE = Skill(skill="close_combat", level=2, diminish="1/2")
SHOT = Skill(skill="aimed_fire", level=2, diminish="1/2")
BOW = Weapon(skill="aimed_fire", short=50, medium=90, longest=99)
BREACH = Row(low=1, high=None, name="breach", casualties=1)
CAPTAIN = Troop(name="captain", hits=2, skills=(MELEE,), weapons=(Weapon(),))


def foe(**more: Any) -> Unit:
    """Who attacks, with two dice."""
    sheet = {"name": "A", "members": 3, "skills": (MELEE,), "weapons": (Weapon(),)}
    return Unit(**{**sheet, "formation": "open", **more})


BOTH = foe(skills=(MELEE, SHOT), weapons=(Weapon(), BOW))


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
    "some are in cover": (foe(), body({}, {"cover": "partial"}, {"hits": 2}), {}),
    "some are harder to hit": (foe(), body({}, {"to_hit": -1}, {"hits": 2}), {}),
    "some are much harder to hit": (foe(), body({}, {"to_hit": -4}), {}),
    "two of them attack": (foe(joined=(CAPTAIN,)), body({}, {"hits": 2}), {}),
    "a wall among it": (foe(), body({"threshold": 2, "table_die": 2, "table": (BREACH,)}, {}), {}),
    "all of it in armor": (foe(skills=(Skill(skill="close_combat", level=5),)),
                           body({"hits": 2}, {"hits": 3}, {"hits": 2}), {}),
    "blows of three hits": (foe(actions=(Own(name="sweep", skill="close_combat", hits=3),)),
                            body({}, {"hits": 2}), {}),
    "shots": (foe(skills=(SHOT,), weapons=(BOW,)), body({"joined": (CAPTAIN,)}), {}),
    "blows or shots": (BOTH, body({}, {"hits": 2}), {}),
    "shots by habit": (BOTH, body({}, {}, {}), {}),
    "shots at who outnumbers": (foe(members=9, skills=(SHOT,), weapons=(BOW,)), body({}, {}),
                                {"aimed_odds": "always"}),
    "hidden behind another": (foe(), body({}, {"cover": "partial", "covered_by": "B"}), {}),
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
    """An attack on a body as it may come up in a fight; None: nobody is there."""
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
    if kind in {"blows or shots", "shots by habit", "shots at who outnumbers"}:
        action = "open"
    made = Setup(attacker=by, defender=units[0], action=action,
                 distance=60 if kind == "shots" else 0)  # fmt: skip
    context = FIGHT.context(list(zip(units[1:], now[1:], strict=True)))
    own: Any = FIGHT.enter(by, rulings)
    if isinstance(own, Force):
        status = own.statuses[0]
        less = status.members - rng.randrange(status.members)
        status = status._replace(members=less, lost=by.members - less)
        own = own._replace(statuses=(status, *own.statuses[1:]))
    return Scene(made, ATTACK, own, now[0], context, rulings)


def suffered(scene: Any, takes: Any) -> list[Any]:
    """The dice for each attack and focus, and what each result of them comes to."""
    found: list[Any] = []
    waiting: list[tuple[str, At[Any]]] = [("", FIGHT.declare(scene))]
    while waiting:
        name, at = waiting.pop()
        node: Any = at.step.rule(at.facts)
        if isinstance(node, Choice):
            taken = takes(at.step.name, [one.name for one in node.options])
            waiting += [
                (f"{name} {one.name}", one.at) for one in node.options
                if taken in {None, one.name}
            ]  # fmt: skip
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


def decisions(kind: str) -> Any:
    """What the attacker takes beforehand."""
    plan = Plan("free", (("choose_action", ("aimed fire",)),))
    return (plan if kind == "shots by habit" else DECIDE_ALL).takes


@pytest.mark.parametrize("kind", BODIES)
def test_em53_bodies_that_are_alike_suffer_the_same(kind: str) -> None:
    """By each focus and with each number of hits, by the rules alone."""
    rng, shared, takes = Random(kind), 0, decisions(kind)
    known: dict[object, Any] = {}
    for _ in range(150):
        scene = attack(rng, kind)
        key = None if scene is None else same_scene(scene, DAMAGE, takes)
        if key is None:
            continue
        other = known.setdefault(key, scene)
        if other != scene:
            shared += 1
            assert suffered(scene, takes) == suffered(other, takes)
    never = {"sizes change on the way", "the marked count", "two of them attack",
             "a wall among it", "hidden behind another"}  # fmt: skip
    assert (shared > 2) == (kind not in never), shared


def anything(kind: str) -> Any:
    """An attack on a body of one kind that is not like others at first sight."""
    rng = Random(1)
    return next(found for found in iter(lambda: attack(rng, kind), 0) if found is not None)


def with_mate(scene: Any, **changes: Any) -> Any:
    """The same with the first mate of the target in another condition."""
    (unit, now), *rest = scene.context
    now = now._replace(statuses=(now.statuses[0]._replace(**changes), *now.statuses[1:]))
    return scene._replace(context=((unit, now), *rest))


def open_key(scene: Any) -> Any:
    """The key of an attack for damage, nothing being decided."""
    return same_scene(scene, DAMAGE, DECIDE_ALL.takes)


def test_em42_damage_is_felt_where_hits_may_take_the_last_member() -> None:
    """Of a tough troop counts what it can still take, if hits can go so far."""
    scene = anything("some of it tough")

    def key(members: int, damage: int) -> Any:
        lost = 9 - members
        rest = {"marked": 0, "markers": 0, "lost": lost}
        return open_key(with_mate(scene, members=members, damage=damage, **rest))

    assert key(9, 0) == key(9, 1)
    assert key(1, 0) != key(1, 1)


def test_em53_nobody_sees_how_many_more_than_hits_can_reach() -> None:
    scene = anything("by units")
    many, more, few = (
        with_mate(scene, members=n, marked=0, markers=0, lost=0) for n in (50, 60, 1)
    )
    assert open_key(many) == open_key(more) != open_key(few)
    hurt = with_mate(many, members=50, marked=49, markers=0, lost=0)
    assert open_key(hurt) != open_key(many)


def test_em53_members_count_where_more_than_damage_is_asked_for() -> None:
    scene = anything("as it comes")
    assert same_scene(scene, DAMAGE, DECIDE_ALL.takes) is not None
    assert same_scene(scene, DAMAGE | {"hits"}, DECIDE_ALL.takes) is None


def among(scene: Any, members: int, mate: int) -> Any:
    """The same with so many of the target, and of its first mate."""
    (struck,) = scene.target.statuses
    struck = struck._replace(members=members, marked=0, markers=0, lost=9 - members)
    scene = scene._replace(target=scene.target._replace(statuses=(struck,)))
    return with_mate(scene, members=mate, marked=0, markers=0, lost=0)


def test_em32_it_counts_how_badly_the_target_is_outnumbered() -> None:
    """Nine are three to one against three, two to one against four, and more than five to eight."""
    scene = anything("as it comes")
    nine = foe(members=9)
    scene = scene._replace(
        setup=replace(scene.setup, attacker=nine), actor=Ranks(9, 0, 0, scene.rulings)
    )
    keys = {members: open_key(among(scene, members, 50)) for members in (3, 4, 5, 8, 9)}
    assert keys[5] == keys[8]
    assert len(set(keys.values())) == 4


def test_em30_a_habit_leaves_other_attacks_out() -> None:
    """Whether a target is small matters to shots at it alone: a third of all, or a ninth."""
    scene = anything("blows or shots")
    third, ninth = among(scene, 6, 12), among(scene, 6, 48)
    blows = Plan("free", (("choose_action", ("close combat",)),)).takes
    shots = Plan("free", (("choose_action", ("aimed fire",)),)).takes
    assert same_scene(third, DAMAGE, blows) == same_scene(ninth, DAMAGE, blows)
    assert same_scene(third, DAMAGE, shots) != same_scene(ninth, DAMAGE, shots)
    assert open_key(third) != open_key(ninth)
    assert open_key(third) != same_scene(third, DAMAGE, blows)


def test_em51_sizes_count_where_some_are_harder_to_hit() -> None:
    """Those who are harder to hit add 1 for as many of them as there are others."""
    scene = anything("some are much harder to hit")
    some, one_more, many = (open_key(among(scene, 20, mate)) for mate in (60, 61, 100))
    assert None not in {some, one_more, many}
    assert some == one_more != many


def test_em30_shots_may_go_by_another_name() -> None:
    """They look at how small their target is, whatever its own shots are called."""
    scene = anything("blows or shots")
    snipe = Own(name="snipe", skill="aimed_fire", like="aimed_fire")
    by = foe(actions=(snipe,), skills=(SHOT,), weapons=(BOW,))
    scene = scene._replace(setup=replace(scene.setup, attacker=by, action="snipe"))
    keys = [open_key(among(scene, 6, mate)) for mate in (12, 18, 48)]
    assert None not in keys
    assert keys[0] == keys[1] != keys[2]


@pytest.mark.parametrize("state", ["charged", "aligned", "double_paced", "unaware"])
def test_em35_it_counts_what_lasts_for_a_round(state: str) -> None:
    """Whether the attacker has charged, and the like; whether the target has noticed it."""
    scene = anything("as it comes")
    own = Force((Status(3),), scene.rulings)
    if state == "unaware":
        (struck,) = scene.target.statuses
        changed = {"target": scene.target._replace(statuses=(struck._replace(unaware=True),))}
    else:
        lasting: Any = {state: True}
        status = Status(3)._replace(**lasting)
        changed = {"actor": Force((status,), scene.rulings)}
    before = scene._replace(actor=own)
    assert open_key(before) != open_key(before._replace(**changed))


@pytest.mark.parametrize(
    "why",
    ["it may charge", "it moves", "it can't", "nobody is left", "one who joined leads", "no body"],
)
def test_em60_nothing_is_said_of_whatever_else_may_happen(why: str) -> None:
    scene = anything("as it comes")
    assert open_key(scene) is not None
    setup, own = scene.setup, Force((Status(0, lost=3), Status(1)), scene.rulings)
    joined = foe(joined=(CAPTAIN,))
    changed = {
        "it may charge": {"setup": replace(setup, action="charge", distance=2)},
        "it moves": {"setup": replace(setup, move="normal")},
        "it can't": {"setup": replace(setup, action="volley_fire")},
        "nobody is left": {"actor": Force((Status(0, lost=3),), scene.rulings)},
        "one who joined leads": {"setup": replace(setup, attacker=joined), "actor": own},
        "no body": {"context": None},
    }[why]
    assert open_key(scene._replace(**changed)) is None
