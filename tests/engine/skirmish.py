"""A fight in which both sides have much to decide, for tests of duels decided optimally.

Each turn a fencer strikes light or hard, or does something else that the sheet allows. A point of
luck helps before the roll, after it, or against a hit. `tests/oracles/skirmish.py` tells the same
game again in plain arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, cast

from affray.core.dice import Face, Pool, d
from affray.core.fight import ATTACK, Fight, Role, Scene
from affray.core.hints import Hints, hides
from affray.core.node import At, Chance, End, Facts, Go, Node, Option, choose
from affray.core.reading import SumOfDice
from affray.core.ruling import Rulings
from affray.core.step import step
from affray.core.system import Field, Objective, System
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.course import First
from affray.engine.fight.plans import DECIDE_ALL, Plan
from tests.core.assembling import assembled


@dataclass(frozen=True)
class Fencer:
    """A sheet.

    Attributes:
        hp, luck: points of either kind.
        moves: what can be done in a turn, in the order of the options: "light" and "hard" are
            strikes; "rest" gives back a point; "guard" keeps all strikes off until the next own
            turn; "wait" does nothing.
        pierces: whether a guard does not help against a strike that comes to six.
        finishes: who has at most so many points left may be finished off by a hit, for a point
            of luck.
        executes: who has at most so many points left may be executed: all or nothing, on 4+.
        heals: points that come back at the start of an own turn.
        bleeds: points lost at the end of a round, if any were lost before.
        yields: points at which a fencer gives up.
        speed: initiative; points lost count against it.
    """

    name: str
    hp: int
    luck: int = 0
    moves: tuple[str, ...] = ("light", "hard")
    pierces: bool = False
    finishes: int = 0
    executes: int = 0
    heals: int = 0
    bleeds: int = 0
    yields: int = 0
    speed: int = 0


@dataclass(frozen=True)
class Setup:
    """A turn: who acts, and against whom."""

    attacker: Fencer
    defender: Fencer


class Body(NamedTuple):
    """A condition."""

    hp: int
    luck: int = 0
    guarded: bool = False


class Turn(NamedTuple):
    """The facts of a turn; `mine` and `theirs` is luck, `left` may be unknown."""

    sheet: Fencer
    mine: int
    theirs: int
    guarded: bool
    left: int
    move: str = ""
    bonus: int = 0
    rolled: int = 0
    damage: int = 0
    paid: int = 0
    dodged: int = 0


class Face1(NamedTuple):
    """What the only die shows."""

    def __call__(self, faces: tuple[Face, ...]) -> int:
        return int(faces[0])


NEEDS = {"light": 3, "hard": 5, "execute": 4}


@step("TY-1")
def choose_move(x: Turn) -> Node[Turn]:
    """The fencer chooses what to do."""
    moves = x.sheet.moves
    if x.sheet.executes and x.left <= x.sheet.executes:
        moves = (*moves, "execute")
    return choose(
        "attacker",
        "what?",
        [Option(move, At(aim if move in NEEDS else stop, x._replace(move=move))) for move in moves],
    )


@step("TY-2")
def aim(x: Turn) -> Node[Turn]:
    """A point of luck before the roll adds one."""
    if not x.mine:
        return Go(roll_strike, x)
    aimed = x._replace(mine=x.mine - 1, bonus=1, paid=x.paid + 1)
    options = (Option("none", At(roll_strike, x)), Option("aim", At(roll_strike, aimed), 1))
    return choose("attacker", "aim?", options)


@step("TY-3")
def roll_strike(x: Turn) -> Node[Turn]:
    """A die is rolled."""
    return Chance("attacker", "strike", Pool((d(6), 1)), Face1(), "rolled", At(push, x))


@step("TY-4")
def push(x: Turn) -> Node[Turn]:
    """A point of luck after the roll makes good for one."""
    needs = 6 if x.guarded else NEEDS[x.move]
    short = needs - x.rolled - x.bonus
    blocked = x.guarded and not x.sheet.pierces
    damage = {"light": 1, "hard": 2, "execute": 99}[x.move]
    x = x._replace(rolled=0, bonus=0)
    hit = x._replace(damage=damage)
    if short <= 0 and not blocked:
        return Go(finish, hit)
    if short == 1 and x.mine and not blocked:
        pushed = hit._replace(mine=x.mine - 1, paid=x.paid + 1)
        return choose(
            "attacker", "push?",
            (Option("none", At(stop, x)), Option("push", At(finish, pushed), 1)),
        )  # fmt: skip
    return Go(stop, x)


@step("TY-5")
def finish(x: Turn) -> Node[Turn]:
    """For a point of luck a hit takes all of whoever has few points left."""
    if not (x.sheet.finishes and x.mine) or x.left > x.sheet.finishes:
        return Go(dodge, x)
    all_of_it = x._replace(mine=x.mine - 1, paid=x.paid + 1, damage=99)
    return choose(
        "attacker", "finish?",
        (Option("none", At(dodge, x)), Option("finish", At(dodge, all_of_it), 1)),
    )  # fmt: skip


@step("TY-6")
def dodge(x: Turn) -> Node[Turn]:
    """A point of luck against a hit takes off one."""
    if not x.theirs:
        return Go(stop, x)
    dodged = x._replace(damage=x.damage - 1, dodged=1)
    return choose(
        "defender", "dodge?", (Option("none", At(stop, x)), Option("dodge", At(stop, dodged), 1))
    )


@step("TY-7")
def stop(x: Turn) -> Node[Turn]:
    """It is over."""
    return End(x._replace(left=0))


class Change(NamedTuple):
    """What a turn did to one who took part."""

    damage: int = 0
    luck: int = 0
    guarded: bool = False


def _declare(scene: Scene[Setup, Body]) -> At[Turn]:
    actor, target = scene.actor, scene.target
    left = target.hp
    return At(
        choose_move,
        Turn(scene.setup.attacker, actor.luck, target.luck, target.guarded, left),
    )


def _effect(outcome: Turn, role: Role) -> Change:
    if role == "target":
        return Change(outcome.damage, outcome.dodged)
    return Change(-(outcome.move == "rest"), outcome.paid, outcome.move == "guard")


def _apply(sheet: Fencer, body: Body, change: Change) -> Body:
    hp = min(sheet.hp, max(0, body.hp - change.damage))
    return Body(hp, body.luck - change.luck, body.guarded or change.guarded)


def _begin_turn(sheet: Fencer, body: Body) -> Body:
    return body._replace(hp=min(sheet.hp, body.hp + sheet.heals), guarded=False)


def _end_round(sheet: Fencer, body: Body) -> Body:
    lost = sheet.bleeds if body.hp < sheet.hp else 0
    return body._replace(hp=max(0, body.hp - lost))


def _initiative(sheet: Fencer, body: Body, rulings: Rulings) -> tuple[int, int]:
    return sheet.speed - (sheet.hp - body.hp), 0


FIELDS: tuple[Field[Turn], ...] = (Field("damage", "Harm.", lambda x: x.damage, "TY-4"),)
DAMAGE: Objective[Turn] = Objective("damage", "Harm.", lambda x: x.damage, "attacker")


@cache
def skirmish(*, actions: int = 1, die: int = 0) -> System[Facts]:
    """The game.

    Args:
        actions: strikes in a turn.
        die: sides of the die for initiative, rolled once; 0: there is no initiative.
    """
    fight: Fight[Any, Any, Any, Any, Any] = Fight(
        enter=lambda sheet, rulings: Body(sheet.hp, sheet.luck),
        declare=_declare,
        effect=_effect,
        apply=_apply,
        is_out=lambda sheet, body: body.hp <= 0,
        vitals=lambda sheet, body: body.hp,
        harm=lambda change: change.damage,
        begin_turn=_begin_turn,
        end_round=_end_round,
        ends=lambda sheet, body: True if body.hp <= sheet.yields else None,
        resources=lambda sheet, body: {"luck": body.luck},
        initiative=_initiative if die else None,
        initiative_roll=(lambda sheet, rulings: (Pool((d(die), 1)), SumOfDice())) if die else None,
        actions=actions,
    )
    return assembled(
        (choose_move, aim, roll_strike, push, finish, dodge, stop),
        fields=FIELDS,
        objectives=(cast("Objective[Facts]", DAMAGE),),
        setup=Setup,
        declare=lambda setup, rulings: _declare(
            Scene(setup, ATTACK, Body(1), Body(1), None, rulings)
        ),
        fight=fight,
        hints=Hints(hidden=hides("hp")),
    )


def skirmish_of(
    one: Fencer,
    other: Fencer,
    first: First | None = "one",
    plans: tuple[Plan, Plan] = (DECIDE_ALL, DECIDE_ALL),
    system: System[Facts] | None = None,
) -> Contest:
    """Two fencers about to fight."""
    sides = [
        Side(fencer.name, (fencer,), Setup(fencer, fencer), plan)
        for fencer, plan in zip((one, other), plans, strict=True)
    ]
    return Contest(system or skirmish(), (sides[0], sides[1]), Rulings(), first=first)
