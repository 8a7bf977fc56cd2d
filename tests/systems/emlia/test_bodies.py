"""Bodies of units in fights without a table: the same as in play, whatever engines leave out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from affray.core.fight import ATTACK
from affray.core.ruling import Rulings
from affray.engine.exchange.game import Game
from affray.engine.exchange.odds import outcomes
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.matchup import Encounter
from affray.engine.fight.plans import Plan
from affray.engine.fight.played.hands import Enter
from affray.engine.fight.played.session import FightSession
from affray.systems.emlia import SYSTEM
from affray.systems.emlia.fight import FIGHT
from affray.systems.emlia.gear import Skill, Weapon
from affray.systems.emlia.hints import HINTS
from affray.systems.emlia.rulings import RULINGS
from affray.systems.emlia.sheet import Formation, Other, Setup, Troop, Unit
from affray.systems.emlia.standing import Force, stands
from affray.systems.emlia.steps import declare

GAME: Any = SYSTEM
Hurt = dict[tuple[int, ...], Fraction]


def attacker(formation: Formation, level: int) -> Unit:
    skills = (Skill(skill="close_combat", level=level),)
    return Unit(name="A", members=4, formation=formation, skills=skills, weapons=(Weapon(),))


def worn(rng: Random, name: str, formation: Formation) -> Unit:
    """A unit in the middle of a round: some are marked, hits and points lie on it."""
    members, limit = rng.choice((1, 2, 4, 6)), rng.choice((None, None, 2, 3))
    captain = Troop(name=f"{name}'s captain", hits=3, damage_limit=2, damage=rng.choice((0, 1)))
    return Unit(
        name=name, members=members, hits=rng.choice((1, 2, 2, 3)), formation=formation,
        marked=rng.randrange(members), markers=rng.choice((0, 0, 1)), damage_limit=limit,
        damage=0 if limit is None else rng.randrange(limit),
        to_hit=rng.choice((0, 0, 0, -1)), joined=(captain,) if rng.random() < 0.3 else (),
    )  # fmt: skip


def contest(by: Unit, body: list[Unit], rulings: Rulings) -> Contest:
    """One unit against several."""
    setups = [Setup(attacker=one, defender=other, focus="none")
              for one, other in ((by, body[0]), (body[0], by))]  # fmt: skip
    plan = Plan("first")
    sides = Side("one", (by,), setups[0], plan), Side("other", tuple(body), setups[1], plan)
    return Contest(GAME, sides, rulings, first="one")


def in_fight(by: Unit, body: list[Unit], rulings: Rulings) -> Hurt:
    """How likely an attack in a fight is to do so many points to each unit."""
    fight = contest(by, body, rulings)
    now: list[Any] = [fight.enter(1, unit) for unit in body]
    context = FIGHT.context(list(zip(body[1:], now[1:], strict=True)))
    row = fight.matchup(0, by, body[0]).odds(Encounter(ATTACK, fight.enter(0, by), now[0], context))
    assert row is not None
    found: Hurt = {}
    for (_, theirs), helped, weight in zip(
        row.effects, row.helped or ((),) * len(row.effects), row.weights, strict=True
    ):
        befell = dict(helped)
        effects: list[Any] = [theirs, *[befell.get(n) for n in range(len(body) - 1)]]
        key = tuple([0 if effect is None else effect.points for effect in effects])
        found[key] = found.get(key, Fraction(0)) + Fraction(weight, row.total)
    return found


def in_play(by: Unit, body: list[Unit], rulings: Rulings) -> Hurt:
    """The same as one activation, in which the mates who are not in ranks are one body."""
    others = tuple(
        Other(who=mate, side="enemy", body=mate.formation != "ranked", fights=False)
        for mate in body[1:]
    )
    made = Setup(attacker=by, defender=body[0], others=others, focus="none",
                 action="close_combat", combat="skirmish")  # fmt: skip
    troops = [len(unit.joined) + 1 for unit in body]
    names = tuple(f"damage_{number}" for number in range(1, sum(troops) + 1))
    found: Hurt = {}
    game: Any = Game(GAME, declare(made, rulings))  # type: ignore[arg-type]
    for points, chance in outcomes(game, names).fractions().items():
        rest: list[Any] = list(points)
        key: list[int] = []
        for number in troops:
            key.append(sum(rest[:number]))
            rest = rest[number:]
        found[tuple(key)] = found.get(tuple(key), Fraction(0)) + chance
    return found


def test_em64_in_fights_close_mates_take_hits_as_in_play() -> None:
    """An open unit attacks, or one of the body is open; what is worn differs each time."""
    several = 0
    for seed in range(12):
        rng = Random(seed)
        formations: list[Formation] = ["close", "close", rng.choice(("close", "open", "ranked"))]
        if formations[2] == "open":
            rng.shuffle(formations)
        by = attacker("close" if "open" in formations and seed % 2 else "open", 3)
        body = [worn(rng, name, one) for name, one in zip("BCD", formations, strict=True)]
        rulings = Rulings.pick(RULINGS, {"marked_sizes": rng.choice(("left", "all"))})
        play = in_play(by, body, rulings)
        assert in_fight(by, body, rulings) == play, seed
        several += any(sum(map(bool, points)) > 1 for points in play)
    assert several > 6  # hits fall on more than one of the body


def context(mate: Unit, *mates: Unit) -> Any:
    """What engines make of what is said of one close mate, among others, against an open foe."""
    entered = FIGHT.enter(mate, Rulings())
    now = FIGHT.beside(mate, entered, mates, (attacker("open", 3),))
    return HINTS.around(FIGHT.context([(mate, now)]))


def test_em44_em64_a_body_is_alike_whoever_of_it_is_marked() -> None:
    """Six of whom two are marked take hits as four do, if nobody is harder to hit than others."""
    six, four = Unit(name="B", members=6, marked=2), Unit(name="B", members=4, lost=2)
    statuses = [context(one, Unit(name="C"))[0][1].statuses for one in (six, four)]
    assert statuses[0] == statuses[1]
    hard = Unit(name="C", to_hit=-1)
    statuses = [context(one, hard)[0][1].statuses for one in (six, four)]
    assert statuses[0] != statuses[1]


def test_em31_em64_a_body_of_which_one_stands_behind_a_wall_is_not_alike() -> None:
    """Without the wall C is easier to hit than B."""
    six, four = Unit(name="B", members=6, marked=2), Unit(name="B", members=4, lost=2)
    behind = Unit(name="C", cover="partial", covered_by="W")
    beside = [replace(one, cover="partial") for one in (six, four)]
    statuses = [context(one, behind)[0][1].statuses for one in beside]
    assert statuses[0] != statuses[1]
    statuses = [context(one, replace(behind, covered_by=""))[0][1].statuses for one in beside]
    assert statuses[0] == statuses[1]


def test_em64_who_stands_alone_or_in_ranks_or_against_ranks_is_no_part_of_a_body() -> None:
    alone, ranks = Unit(name="B"), Unit(name="C", formation="ranked")
    assert context(alone) is None
    assert context(alone, ranks) is None
    assert context(ranks, alone) is None
    now = FIGHT.beside(alone, FIGHT.enter(alone, Rulings()), (attacker("open", 3),), (ranks,))
    assert FIGHT.context([(alone, now)]) is None


def test_em64_close_mates_share_hits_once_an_open_foe_has_come_in() -> None:
    """A game master brings in an open unit: mates who were each by themselves mingle."""
    body = [Unit(name=name, members=6, marked=1) for name in "BC"]
    session = FightSession(contest(attacker("close", 3), body, Rulings()).undecided())
    assert [now.mingles for now in conditions(session)] == ["", ""]
    session = session.hand(Enter(0, attacker("open", 3)))
    assert [now.mingles for now in conditions(session)] == ["alike", "alike"]
    assert [now.statuses[0].marked for now in conditions(session)] == [1, 1]


def conditions(session: FightSession) -> list[Force]:
    """Those of the other side, plain numbers as what they stand for."""
    fighters = session.position.contest.sides[1].fighters
    return [
        now if isinstance(now, Force) else Force(stands(sheet, now), Rulings())
        for sheet, now in zip(fighters, session.conditions[1], strict=True)
    ]
