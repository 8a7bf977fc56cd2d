"""Fights small enough to be worked out by hand, each with something that an engine must bear.

All of them are told in the same few steps: the attacker rolls dice, some of which hit, and what
hits goes through. They differ in what a `Fight` makes of it. `tests/oracles/fights.py` tells the
same games again, in plain arithmetic and without any engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple, cast

from affray.core.board import Board
from affray.core.dice import Face, Pool, d
from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Deed, Fight, Interlude, Role, Scene, Told
from affray.core.hints import Hidden, Hints, hides
from affray.core.names import unknown
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
class Fighter:
    """A sheet: points, the dice of an attack and what they show, and what else a game asks for.

    Attributes:
        hp: points, or members of a unit.
        dice, sides, hits: an attack rolls so many of these dice; a die that shows at least
            `hits` does one point. `hits` 0: the faces are added up instead.
        armor: what is taken off a sum.
        heals: points that come back at the start of an own turn.
        bleeds: points lost at the end of a round, if any were lost before.
        yields: points at which a fighter gives up.
        speed, quickness: initiative and what breaks ties.
    """

    name: str
    hp: int
    dice: int = 1
    sides: int = 4
    hits: int = 0
    armor: int = 0
    heals: int = 0
    bleeds: int = 0
    yields: int = 0
    speed: int = 0
    quickness: int = 0


@dataclass(frozen=True)
class Setup:
    """An attack between two."""

    attacker: Fighter
    defender: Fighter


class Body(NamedTuple):
    """A condition: points left, damage that is marked but not yet taken, strength for a blow."""

    hp: int
    marked: int = 0
    strength: int = 0


class Blow(NamedTuple):
    """The facts of an attack.

    Attributes:
        left: what the target has left, which may be unknown.
        finishes: how much that may be for a blow that gets through to take all of it.
        choice: whether the attacker may strike wildly.
        helps: whether it does good instead of harm.
        guard: the mate of the target who steps in, by place among the mates; -1: nobody.
    """

    dice: int
    sides: int
    hits: int = 0
    armor: int = 0
    left: int = 0
    finishes: int = 0
    choice: bool = False
    helps: bool = False
    guard: int = -1
    rolled: int = 0
    damage: int = 0


class Count(NamedTuple):
    """How many dice show at least so much; 0: their sum."""

    hits: int

    def __call__(self, faces: tuple[Face, ...]) -> int:
        shown = [int(face) for face in faces]
        return sum(face >= self.hits for face in shown) if self.hits else sum(shown)


class Highest(NamedTuple):
    """The highest face."""

    def __call__(self, faces: tuple[Face, ...]) -> int:
        return max(int(face) for face in faces)


@step("TY-1")
def choose_blow(x: Blow) -> Node[Blow]:
    """The attacker strikes as usual, or wildly: all or nothing."""
    if not x.choice:
        return Go(roll_blow, x)
    wild = x._replace(dice=1, sides=2, hits=2, armor=0, finishes=999)
    options = (Option("steady", At(roll_blow, x)), Option("wild", At(roll_blow, wild)))
    return choose("attacker", "how?", options)


@step("TY-2")
def roll_blow(x: Blow) -> Node[Blow]:
    """The attacker rolls."""
    pool = Pool((d(x.sides), x.dice))
    return Chance("attacker", "blow", pool, Count(x.hits), "rolled", At(strike, x))


@step("TY-3")
def strike(x: Blow) -> Node[Blow]:
    """What exceeds the armor is damage; who finishes off a weak target takes all of it."""
    damage = max(0, x.rolled - x.armor)
    if x.finishes and damage and x.left <= x.finishes:
        damage = x.left
    return Go(stop, x._replace(damage=damage, rolled=0, left=0))


@strike.says
def _(before: Blow, after: Blow) -> str:
    return f"A blow for {after.damage}."


@step("TY-4")
def stop(x: Blow) -> Node[Blow]:
    """It is over."""
    return End(x)


FIELDS: tuple[Field[Blow], ...] = (Field("damage", "Harm.", lambda x: x.damage, "TY-3"),)
DAMAGE: Objective[Blow] = Objective("damage", "Harm.", lambda x: x.damage, "attacker", "damage")


# -- what all of these games share ---------------------------------------------------------------


def _enter(sheet: Fighter, rulings: Rulings) -> Body:
    return Body(sheet.hp)


def _declare(scene: Scene[Setup, Body]) -> At[Blow]:
    sheet = scene.setup.attacker
    return At(
        choose_blow,
        Blow(sheet.dice, sheet.sides, sheet.hits, scene.setup.defender.armor),
    )


def _effect(outcome: Blow, role: Role) -> int:
    return outcome.damage if role == "target" else 0


def _apply(sheet: Fighter, body: Body, damage: int) -> Body:
    return body._replace(hp=max(0, body.hp - damage))


def _is_out(sheet: Fighter, body: Body) -> bool:
    return body.hp <= 0


def _vitals(sheet: Fighter, body: Body) -> int:
    return body.hp


HIDDEN: Hidden[Body] = hides("hp")
NOTHING_HIDDEN: Hidden[Body] = Hidden()


def _system(*, hidden: Hidden[Body] = HIDDEN, **changes: Any) -> System[Facts]:
    parts: dict[str, Any] = {
        "enter": _enter,
        "declare": _declare,
        "effect": _effect,
        "apply": _apply,
        "is_out": _is_out,
        "vitals": _vitals,
        "harm": lambda damage: damage,
    }
    fight: Fight[Any, Any, Any, Any, Any] = Fight(**{**parts, **changes})
    return assembled(
        (choose_blow, roll_blow, strike, stop),
        fields=FIELDS,
        objectives=(cast("Objective[Facts]", DAMAGE),),
        setup=Setup,
        declare=lambda setup, rulings: _declare(
            Scene(setup, ATTACK, Body(1), Body(1), None, rulings)
        ),
        fight=fight,
        hints=Hints(fixes={stop: ("damage",)}, needed=frozenset({"damage"}), hidden=hidden),
    )


# -- the games -------------------------------------------------------------------------------------


@cache
def slugging() -> System[Facts]:
    """Blow after blow; what exceeds the armor comes off."""
    return _system()


@cache
def mendable() -> System[Facts]:
    """Slugging, and a game master may set points."""

    def mended(sheet: Fighter, body: Body, key: str, value: object) -> Body:
        if key != "hp":
            raise unknown("key", key, ("hp",))
        if not isinstance(value, int) or not 0 <= value <= sheet.hp:
            raise SetupError(f"hp: {value!r}; allowed: 0 to {sheet.hp}")
        return body._replace(hp=value)

    return _system(told=lambda sheet, body: (Told("points", body.hp, key="hp"),), mended=mended)


def on_board(board: Board[Any, Any, Any, Any, Any]) -> System[Facts]:
    """All fighters share a board."""
    return _system(board=board)


@cache
def simultaneous() -> System[Facts]:
    """A blow only marks damage; at the end of the round both take it."""

    def apply(sheet: Fighter, body: Body, damage: int) -> Body:
        return body._replace(marked=min(body.hp, body.marked + damage))

    def end_round(sheet: Fighter, body: Body) -> Body:
        return Body(body.hp - body.marked)

    return _system(apply=apply, end_round=end_round)


@cache
def units() -> System[Facts]:
    """Two units; each member rolls a die, and every hit takes out a member of the other."""

    def declare(scene: Scene[Setup, Body]) -> At[Blow]:
        sheet = scene.setup.attacker
        return At(choose_blow, Blow(scene.actor.hp, sheet.sides, sheet.hits))

    return _system(declare=declare, hidden=NOTHING_HIDDEN)


def _heal(sheet: Fighter, body: Body) -> Body:
    return body._replace(hp=min(sheet.hp, body.hp + sheet.heals))


@cache
def healing() -> System[Facts]:
    """Points come back at the start of an own turn."""
    return _system(begin_turn=_heal)


def _yields(sheet: Fighter, body: Body) -> bool | None:
    return True if body.hp <= sheet.yields else None


@cache
def yielding() -> System[Facts]:
    """Who has few points left gives up: the fight ends by rule."""
    return _system(ends=_yields)


@cache
def healing_and_yielding() -> System[Facts]:
    """Points come back, but a fight that somebody has given up is over."""
    return _system(begin_turn=_heal, ends=_yields)


@cache
def twice() -> System[Facts]:
    """Two blows in a turn."""
    return _system(actions=2)


@cache
def healing_twice() -> System[Facts]:
    """Two blows in a turn, at the start of which points come back: once, not before each blow."""
    return _system(actions=2, begin_turn=_heal)


@cache
def winding_up() -> System[Facts]:
    """Two blows in a turn; strength comes back by one as a turn begins, a blow uses it up.

    A blow without strength does nothing.
    """

    def declare(scene: Scene[Setup, Body]) -> At[Blow]:
        sheet = scene.setup.attacker
        armor = scene.setup.defender.armor if scene.actor.strength else 99
        return At(choose_blow, Blow(sheet.dice, sheet.sides, sheet.hits, armor))

    def effect(outcome: Blow, role: Role) -> int:
        return outcome.damage if role == "target" else -1

    def apply(sheet: Fighter, body: Body, damage: int) -> Body:
        if damage < 0:
            return body._replace(strength=0)
        return body._replace(hp=max(0, body.hp - damage))

    def begin_turn(sheet: Fighter, body: Body) -> Body:
        return body._replace(strength=1)

    return _system(declare=declare, effect=effect, apply=apply, begin_turn=begin_turn, actions=2)


def _allowed(sheet: Fighter, body: Body) -> int:
    return sheet.quickness + (2 * body.hp > sheet.hp)


@cache
def pacing() -> System[Facts]:
    """As many blows in a turn as the quickness says, and one more with over half of the points."""
    return _system(actions=2, actions_of=_allowed)


@cache
def hurrying() -> System[Facts]:
    """Initiative is speed less what was lost, and a d2 that is rolled once."""

    def initiative(sheet: Fighter, body: Body, rulings: Rulings) -> tuple[int, int]:
        return sheet.speed - (sheet.hp - body.hp), sheet.quickness

    return _system(
        initiative=initiative,
        initiative_roll=lambda sheet, rulings: (Pool((d(2), 1)), SumOfDice()),
    )


@cache
def eager() -> System[Facts]:
    """Initiative is rolled with as many d3 as the quickness says; the highest die counts."""
    return _system(
        initiative=lambda sheet, body, rulings: (0, 0),
        initiative_roll=lambda sheet, rulings: (Pool((d(3), sheet.quickness)), Highest()),
    )


@cache
def steady_order() -> System[Facts]:
    """Initiative is speed, without dice; ties are rolled off once."""

    def initiative(sheet: Fighter, body: Body, rulings: Rulings) -> tuple[int, int]:
        return sheet.speed, sheet.quickness

    return _system(initiative=initiative)


@cache
def finishing() -> System[Facts]:
    """A blow that gets through finishes off whoever has three points or fewer left.

    The step that tells looks at what is hidden.
    """

    def declare(scene: Scene[Setup, Body]) -> At[Blow]:
        sheet, held = scene.setup.attacker, scene.target.hp
        armor = scene.setup.defender.armor
        blow = Blow(sheet.dice, sheet.sides, sheet.hits, armor, left=held, finishes=3)
        return At(choose_blow, blow)

    return _system(declare=declare)


@cache
def choosing() -> System[Facts]:
    """Before each blow its attacker decides how: as usual, or wildly.

    What is better depends on what is hidden.
    """

    def declare(scene: Scene[Setup, Body]) -> At[Blow]:
        sheet, held = scene.setup.attacker, scene.target.hp
        armor = scene.setup.defender.armor
        blow = Blow(sheet.dice, sheet.sides, sheet.hits, armor, left=held, choice=True)
        return At(choose_blow, blow)

    return _system(declare=declare)


@cache
def bleeding() -> System[Facts]:
    """Whoever has lost points loses more at the end of each round."""

    def end_round(sheet: Fighter, body: Body) -> Body:
        lost = sheet.bleeds if 0 < body.hp < sheet.hp else 0
        return body._replace(hp=max(0, body.hp - lost))

    return _system(end_round=end_round)


@cache
def hiding() -> System[Facts]:
    """Whoever has one point left hides: strikes nobody any more, and can't be struck.

    All others get points back at the end of a round. Initiative is speed less what was lost, and a
    d2 that is rolled once.
    """

    def apply(sheet: Fighter, body: Body, damage: int) -> Body:
        return body if body.hp == 1 else _apply(sheet, body, damage)

    def end_round(sheet: Fighter, body: Body) -> Body:
        return body if body.hp == 1 else _heal(sheet, body)

    def initiative(sheet: Fighter, body: Body, rulings: Rulings) -> tuple[int, int]:
        return sheet.speed - (sheet.hp - body.hp), sheet.quickness

    return _system(
        apply=apply, end_round=end_round, deeds=lambda sheet, body: (ATTACK,) * (body.hp > 1),
        initiative=initiative,
        initiative_roll=lambda sheet, rulings: (Pool((d(2), 1)), SumOfDice()),
    )  # fmt: skip


SECOND_WIND = Deed("second wind", "fallen friend")


@cache
def reviving() -> System[Facts]:
    """Who has a fallen friend gets them back on their feet, by as much as they would strike."""

    def effect(outcome: Blow, role: Role) -> tuple[str, int]:
        return ("heal" if outcome.helps else "hurt", outcome.damage if role == "target" else 0)

    def apply(sheet: Fighter, body: Body, done: tuple[str, int]) -> Body:
        sign = 1 if done[0] == "heal" else -1
        return body._replace(hp=min(sheet.hp, max(0, body.hp + sign * done[1])))

    def declare(scene: Scene[Setup, Body]) -> At[Blow]:
        sheet = scene.setup.attacker
        helps = scene.deed == SECOND_WIND
        armor = 0 if helps else scene.setup.defender.armor
        blow = Blow(sheet.dice, sheet.sides, sheet.hits, armor, helps=helps)
        return At(choose_blow, blow)

    def deeds(sheet: Fighter, body: Body) -> tuple[Deed, ...]:
        return (SECOND_WIND, ATTACK)

    return _system(declare=declare, effect=effect, apply=apply, deeds=deeds)


REST = Deed("rest", "self")


@cache
def resting() -> System[Facts]:
    """Who has one point left rests once in a fight: a point comes back, or as many as rolled."""

    def effect(outcome: Blow, role: Role) -> tuple[str, int]:
        if role == "actor":
            return ("tire" if outcome.helps else "none", 0)
        return ("heal" if outcome.helps else "hurt", outcome.damage)

    def apply(sheet: Fighter, body: Body, done: tuple[str, int]) -> Body:
        kind, points = done
        if kind == "tire":
            return body._replace(strength=0)
        sign = 1 if kind == "heal" else -1
        return body._replace(hp=min(sheet.hp, max(0, body.hp + sign * points)))

    def declare(scene: Scene[Setup, Body]) -> At[Blow]:
        sheet = scene.setup.attacker
        helps = scene.deed == REST
        return At(choose_blow, Blow(sheet.dice, sheet.sides, sheet.hits, helps=helps))

    def deeds(sheet: Fighter, body: Body) -> tuple[Deed, ...]:
        return (REST, ATTACK) if body.hp == 1 and body.strength else (ATTACK,)

    return _system(
        hidden=NOTHING_HIDDEN, enter=lambda sheet, rulings: Body(sheet.hp, strength=1),
        declare=declare, effect=effect, apply=apply, deeds=deeds,
        harm=lambda done: done[1] if done[0] == "hurt" else 0,
    )  # fmt: skip


@cache
def guarding() -> System[Facts]:
    """The first mate with strength takes half of a blow, and is tired until the round is over."""

    def declare(scene: Scene[Setup, Body]) -> At[Blow]:
        sheet = scene.setup.attacker
        armor = scene.setup.defender.armor
        guard = cast("int", scene.context)
        return At(choose_blow, Blow(sheet.dice, sheet.sides, sheet.hits, armor, guard=guard))

    def context(others: Sequence[tuple[Fighter, Body]]) -> int:
        able = [place for place, (_, body) in enumerate(others) if body.hp > 1 and not body.marked]
        return able[0] if able else -1

    def shared(outcome: Blow) -> int:
        return outcome.damage // 2 if outcome.guard >= 0 else 0

    def effect(outcome: Blow, role: Role) -> tuple[int, int]:
        return (outcome.damage - shared(outcome), 0) if role == "target" else (0, 0)

    def helped(outcome: Blow) -> tuple[tuple[int, tuple[int, int]], ...]:
        return ((outcome.guard, (shared(outcome), 1)),) if shared(outcome) else ()

    def apply(sheet: Fighter, body: Body, done: tuple[int, int]) -> Body:
        return body._replace(hp=max(0, body.hp - done[0]), marked=body.marked + done[1])

    return _system(
        declare=declare, context=context, effect=effect, helped=helped, apply=apply,
        harm=lambda done: done[0], end_round=lambda sheet, body: body._replace(marked=0),
    )  # fmt: skip


@cache
def stormy() -> System[Facts]:
    """Initiative as for the eager; who bleeds brings a storm that rolls a die of so many sides.

    It comes at the speed as its count, upon the foes; upon everybody where the bringer yields.
    """

    def interludes(sheet: Fighter, rulings: Rulings) -> tuple[Interlude, ...]:
        storm = Deed("storm", "self", forced=True, of=sheet.bleeds)
        on: Literal["foes", "everybody"] = "everybody" if sheet.yields else "foes"
        return (Interlude(sheet.speed, storm, on),) if sheet.bleeds else ()

    def declare(scene: Scene[Setup, Body]) -> At[Blow]:
        if scene.deed.of is not None:
            return At(choose_blow, Blow(1, cast("int", scene.deed.of)))
        return _declare(scene)

    return _system(
        declare=declare, interludes=interludes,
        initiative=lambda sheet, body, rulings: (0, 0),
        initiative_roll=lambda sheet, rulings: (Pool((d(3), sheet.quickness)), Highest()),
        begin_turn=_heal,
    )  # fmt: skip


SPURT = Deed("spurt")


@cache
def spurting() -> System[Facts]:
    """At the end of a round everybody strikes again, twice at most, while strength lasts.

    A fighter has as much of it as the quickness says.
    """

    def declare(scene: Scene[Setup, Body]) -> At[Blow]:
        sheet = scene.setup.attacker
        armor = scene.setup.defender.armor
        spurts = scene.deed == SPURT
        return At(choose_blow, Blow(sheet.dice, sheet.sides, sheet.hits, armor, helps=spurts))

    def effect(outcome: Blow, role: Role) -> tuple[int, int]:
        return (outcome.damage, 0) if role == "target" else (0, int(outcome.helps))

    def apply(sheet: Fighter, body: Body, done: tuple[int, int]) -> Body:
        lost, tired = done
        return body._replace(hp=max(0, body.hp - lost), strength=body.strength - tired)

    return _system(
        enter=lambda sheet, rulings: Body(sheet.hp, strength=sheet.quickness),
        declare=declare, effect=effect, apply=apply, harm=lambda done: done[0],
        begin_turn=_heal, extras=lambda sheet, body, rulings: min(2, body.strength),
        extra_deeds=lambda sheet, body: (SPURT,) if body.strength else (),
    )  # fmt: skip


GATHER = Deed("gather", "self")


@cache
def gathering() -> System[Facts]:
    """Who is down to one point pulls together at once: a point or two come back, a single time."""

    def effect(outcome: Blow, role: Role) -> tuple[int, int]:
        if outcome.helps:
            return (-outcome.damage, 0) if role == "target" else (0, 1)
        return (outcome.damage if role == "target" else 0, 0)

    def apply(sheet: Fighter, body: Body, done: tuple[int, int]) -> Body:
        lost, used = done
        return body._replace(hp=max(0, body.hp - lost), strength=body.strength - used)

    def declare(scene: Scene[Setup, Body]) -> At[Blow]:
        if scene.deed == GATHER:
            return At(choose_blow, Blow(1, 2, helps=True))
        return At(choose_blow, Blow(1, scene.setup.attacker.sides))

    return _system(
        enter=lambda sheet, rulings: Body(sheet.hp, strength=1), declare=declare, effect=effect,
        apply=apply, harm=lambda done: max(0, done[0]),
        urgent=lambda sheet, body: GATHER if body.hp == 1 and body.strength else None,
    )  # fmt: skip


# -- putting them in front of an engine ------------------------------------------------------------


def contest(
    game: Callable[[], System[Facts]] | System[Facts],
    one: Fighter | tuple[Fighter, ...],
    other: Fighter | tuple[Fighter, ...],
    first: First | None = None,
    plan: Plan = DECIDE_ALL,
    *,
    idle: bool = False,
    yields_at: int = 0,
    at_a_time: int = 1,
) -> Contest:
    """Two sides about to fight in one of these games; the second one may be idle, or yield."""
    system = game if isinstance(game, System) else game()
    sides = []
    for name, fighters in (("One", one), ("Other", other)):
        each = fighters if isinstance(fighters, tuple) else (fighters,)
        sides.append(Side(name, each, Setup(each[0], each[0]), plan))
    sides[1] = sides[1]._replace(idle=idle, yields_at=yields_at)
    return Contest(system, (sides[0], sides[1]), Rulings(), first=first, at_a_time=at_a_time)
