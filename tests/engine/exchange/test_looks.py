"""What a fight holds back is looked at in every way there is; each time the number is right.

One game, told in many ways: a blow that gets through finishes off whoever has three points or
fewer left. `tests/oracles/fights.py` knows how such a duel ends.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, cast

import pytest

from affray.core.dice import Face, Pool, d
from affray.core.errors import RulesError, SetupError
from affray.core.fight import ATTACK, Role, Scene
from affray.core.hints import Hidden, Hints
from affray.core.node import At, Chance, End, Facts, Go, KeepsHash, Node, Option, choose, facts
from affray.core.sheet import sheet
from affray.core.step import step
from affray.core.system import System
from affray.core.table import Table
from affray.core.unknown import remembers
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import solve_exactly
from affray.engine.fight.duels.optimal import BestDuel
from affray.engine.fight.matchup import Encounter
from affray.engine.fight.plans import Plan
from tests import fight_systems as games
from tests.core.assembling import assembled
from tests.fight_systems import Body, Count, Fighter, Setup
from tests.oracles import fights as by_hand

ONE, OTHER = Fighter("One", 7, sides=4, armor=1), Fighter("Other", 6, sides=3, armor=1)
TRUE = by_hand.struck(
    by_hand.Slugger(7, sides=4, armor=1), by_hand.Slugger(6, sides=3, armor=1), "one",
    by_hand.finishing_off,
)  # fmt: skip


class _Record(NamedTuple):
    left: int


class Record(KeepsHash, _Record):
    """A record that keeps its hash."""


@sheet
class Sheet:
    """A sheet, which keeps its hash."""

    left: object


@dataclass(frozen=True)
class Slate:
    """A dataclass that refuses numbers below nothing."""

    left: int

    def __post_init__(self) -> None:
        if self.left < 0:
            raise SetupError(f"{self.left} points")


@facts
class Stroke(NamedTuple):
    """The facts: who strikes, what the target has left, written down in several ways."""

    sides: int
    armor: int
    left: int
    weak: Callable[[Stroke], bool]
    pair: tuple[int, int] = (0, 0)
    record: Record = Record(0)
    sheet: Sheet = Sheet(left=0)
    rolled: int = 0
    damage: int = 0


@step("TY-1")
def roll_stroke(x: Stroke) -> Node[Stroke]:
    """The attacker rolls."""
    pool = Pool((d(x.sides), 1))
    return Chance("attacker", "blow", pool, Count(0), "rolled", At(strike, x))


@step("TY-2")
def strike(x: Stroke) -> Node[Stroke]:
    """What exceeds the armor is damage; a weak target is finished off."""
    damage = max(0, x.rolled - x.armor)
    if damage and x.weak(x):
        damage = x.left
    return Go(stop, x._replace(damage=damage))


@step("TY-3")
def stop(x: Stroke) -> Node[Stroke]:
    """It is over."""
    return End(x)


def declare(scene: Scene[Setup, Body], weak: Callable[[Stroke], bool]) -> At[Stroke]:
    mine, theirs, left = scene.setup.attacker, scene.setup.defender, scene.target.hp
    stroke = Stroke(mine.sides, theirs.armor, left, weak)
    return At(
        roll_stroke,
        stroke._replace(pair=(left, 0), record=Record(left), sheet=Sheet(left=left)),
    )


STEPS = (roll_stroke, strike, stop)


def system(steps: tuple[Any, ...] = STEPS, **changes: Any) -> System[Facts]:
    made = games._system(**changes)
    return assembled(
        steps, fields=(games.FIELDS[0],), objectives=(cast("Any", games.DAMAGE),), setup=Setup,
        declare=lambda setup, rulings: None, fight=made.fight,
        hints=Hints(fixes={stop: ("damage",)}, hidden=made.hints.hidden),
    )  # fmt: skip


def asking(weak: Callable[[Stroke], bool]) -> System[Facts]:
    """The game, with a step that asks in this way whether somebody is weak."""
    return system(declare=lambda scene: declare(scene, weak))


# -- ways to look --------------------------------------------------------------------------------

WEAK = {n: n <= 3 for n in range(8)}
KNOWN: dict[object, bool] = {}


class Point(NamedTuple):
    left: int


@lru_cache
def cached(left: int) -> bool:
    return left <= 3


@lru_cache
def cached_for(x: Stroke) -> bool:
    return x.left in {1, 2, 3}


@remembers(64)
def remembered(x: Stroke) -> bool:
    return x.left <= 3


@remembers(64)
def remembered_unasked(x: Stroke) -> bool:
    return x.left in {1, 2, 3}


def kept(x: Stroke) -> bool:
    if x.left not in KNOWN:
        KNOWN[x.left] = x.left <= 3
    return KNOWN[x.left]


def matched_class(x: Stroke) -> bool:
    match x.left:
        case int():
            return x.left <= 3
        case _:
            return False


def matched_value(x: Stroke) -> bool:
    match x.left:
        case 1 | 2 | 3:
            return True
        case _:
            return False


def matched_sequence(x: Stroke) -> bool:
    match x.left:
        case (_, *_):
            return True
        case int(n):
            return n <= 3
        case _:
            return False


def matched_record(x: Stroke) -> bool:
    match x.record:
        case Record(left=1 | 2 | 3):
            return True
        case _:
            return False


def swallowed(x: Stroke) -> bool:
    try:
        return int(x.left) <= 3
    except Exception:  # rule text that hides what it doesn't expect
        return False


def added_in_place(x: Stroke) -> bool:
    n = x.left
    n += 1
    return n <= 4


def multiplied_in_place(x: Stroke) -> bool:
    n = x.left
    n *= 2
    n -= 1
    return n <= 5


def counted(x: Stroke) -> bool:
    n = 0
    for _ in range(x.left):
        n += 1
    return n <= 3


LOOKS: dict[str, Callable[[Any], bool]] = {
    "<=": lambda x: x.left <= 3,
    "reflected <": lambda x: 4 > x.left,  # noqa: SIM300  # that is the point
    "==": lambda x: any(x.left == n for n in (1, 2, 3)),
    "reflected ==": lambda x: any(n == x.left for n in (1, 2, 3)),
    "!=": lambda x: all(x.left != n for n in (4, 5, 6, 7)),
    "== none": lambda x: x.left != None and x.left <= 3,  # noqa: E711  # that is the point
    "== a record": lambda x: x.record in [Record(1), Record(2), Record(3)],
    "in a set": lambda x: x.left in {1, 2, 3},
    "in a frozenset": lambda x: x.left in frozenset((1, 2, 3)),
    "in a dict": lambda x: x.left in {1: 0, 2: 0, 3: 0},
    "in keys": lambda x: x.left in {1: 0, 2: 0, 3: 0}.keys(),  # noqa: SIM118  # that is the point
    "in values": lambda x: x.left in {0: 1, 1: 2, 2: 3}.values(),
    "in a tuple": lambda x: x.left in (1, 2, 3),
    "in a list": lambda x: x.left in [1, 2, 3],  # that is the point
    "in a range": lambda x: x.left in range(4),
    "in a string": lambda x: str(x.left) in "123",
    "a set made of it": lambda x: bool({x.left} & {1, 2, 3}),
    "a dict's item": lambda x: WEAK[x.left],
    "a dict's get": lambda x: {1: True, 2: True, 3: True}.get(x.left, False),
    "a dict's setdefault": lambda x: dict(WEAK).setdefault(x.left, False),
    "a table's item": lambda x: Table(WEAK, "TY-1")[x.left],
    "a table's get": lambda x: Table({1: 1, 2: 1, 3: 1}, "TY-1").get(x.left, 0) == 1,
    "a tuple of it in a set": lambda x: x.pair in {(1, 0), (2, 0), (3, 0)},
    "a tuple made of it": lambda x: (1, x.left) in {(1, 1), (1, 2), (1, 3)},
    "a record in a set": lambda x: Point(x.left) in {Point(1), Point(2), Point(3)},
    "a record that keeps its hash": lambda x: x.record in {Record(1), Record(2), Record(3)},
    "a sheet that keeps its hash": lambda x: x.sheet in {Sheet(left=n) for n in (1, 2, 3)},
    "hash": lambda x: hash(x.left) <= 3,
    "lru_cache": lambda x: cached(x.left),
    "lru_cache with facts": cached_for,
    "remembers": remembered,
    "remembers, and a set": remembered_unasked,
    "a dictionary of one's own": kept,
    "isinstance": lambda x: isinstance(x.left, int) and x.left <= 3,
    "isinstance of several": lambda x: isinstance(x.left, (float, int)) and x.left <= 3,
    "not isinstance": lambda x: not isinstance(x.left, str) and x.left <= 3,
    "match of a class": matched_class,
    "match of a value": matched_value,
    "match of a sequence": matched_sequence,
    "match of a record": matched_record,
    "+": lambda x: x.left + 1 <= 4,
    "reflected -": lambda x: 3 - x.left >= 0,
    "*": lambda x: 2 * x.left <= 6,
    "/": lambda x: x.left / 3 <= 1,
    "reflected /": lambda x: 4 / x.left > 1,
    "//": lambda x: x.left // 4 == 0,
    "reflected //": lambda x: 7 // x.left >= 2,
    "%": lambda x: x.left % 100 <= 3,
    "reflected %": lambda x: 103 % (x.left + 100) == 103 - x.left - 100,
    "divmod": lambda x: divmod(x.left, 4)[0] == 0,
    "reflected divmod": lambda x: divmod(7, x.left)[0] >= 2,
    "**": lambda x: x.left**2 < 10,
    "reflected **": lambda x: 2**x.left < 10,
    "pow of three": lambda x: pow(2, x.left, 100) < 10,
    "<<": lambda x: x.left << 1 <= 6,
    "reflected <<": lambda x: 1 << x.left < 10,
    ">>": lambda x: x.left >> 2 == 0,
    "reflected >>": lambda x: 12 >> x.left > 0,
    "&": lambda x: x.left & 4 == 0,
    "reflected |": lambda x: 3 | x.left == 3,
    "^": lambda x: x.left ^ 4 > 3,
    "~": lambda x: ~x.left >= -4,
    "unary -": lambda x: -x.left >= -3,
    "unary +": lambda x: +x.left <= 3,
    "in place": added_in_place,
    "in place, times": multiplied_in_place,
    "abs": lambda x: abs(x.left) <= 3,
    "round": lambda x: round(x.left) <= 3,
    "floor": lambda x: math.floor(x.left) <= 3,
    "ceil": lambda x: math.ceil(x.left) <= 3,
    "trunc": lambda x: math.trunc(x.left) <= 3,
    "sqrt": lambda x: math.sqrt(x.left) < 1.9,
    "int": lambda x: int(x.left) <= 3,
    "float": lambda x: float(x.left) <= 3,
    "complex": lambda x: complex(x.left).real <= 3,
    "Fraction": lambda x: Fraction(x.left, 3) <= 1,
    "Decimal": lambda x: Decimal(x.left) <= 3,
    "index": lambda x: operator.index(x.left) <= 3,
    "an index": lambda x: (0, 1, 1, 1, 0, 0, 0, 0)[x.left] == 1,
    "a slice": lambda x: len((0, 0, 0, 0, 0, 0, 0)[: x.left]) <= 3,
    "a range": counted,
    "so many": lambda x: len([0] * x.left) <= 3,
    "bytes": lambda x: len(bytes(x.left)) <= 3,
    "chr": lambda x: chr(x.left) <= "\3",
    "bool": lambda x: bool(x.left) and x.left <= 3,
    "not": lambda x: not x.left or x.left <= 3,
    "max": lambda x: max(3, x.left) == 3,
    "sorted": lambda x: sorted((3.5, x.left))[1] == 3.5,
    "sum": lambda x: sum((x.left, 1)) <= 4,
    "str": lambda x: str(x.left) in {"1", "2", "3"},
    "repr": lambda x: repr(x.left) in {"1", "2", "3"},
    "repr of a record": lambda x: repr(x.pair) in {"(1, 0)", "(2, 0)", "(3, 0)"},
    "an f-string": lambda x: f"{x.left}" in {"1", "2", "3"},
    "an f-string of a repr": lambda x: f"{x.left!r}" in {"1", "2", "3"},
    "format": lambda x: "{:03d}".format(x.left) <= "003",  # noqa: UP032  # that is the point
    "percent d": lambda x: "%d" % x.left <= "3",  # noqa: UP031  # that is the point
    "an attribute": lambda x: x.left.real <= 3,
    "a method": lambda x: x.left.bit_length() <= 2,
    "getattr": lambda x: int(getattr(x.left, "real", 9)) <= 3,
    "hasattr": lambda x: hasattr(x.left, "real") and x.left <= 3,
    "hasattr of a special one": lambda x: not hasattr(x.left, "__len__") and x.left <= 3,
    "class": lambda x: x.left.__class__ is int and x.left <= 3,
    "a hidden exception": swallowed,
}


def chances(answer: by_hand.Answer) -> tuple[float, float]:
    return float(answer.won[0]), float(answer.won[1])


@pytest.mark.parametrize("way", LOOKS)
def test_every_look_is_noticed(way: str) -> None:
    contest = games.contest(asking(LOOKS[way]), ONE, OTHER, "one")
    exact = solve_exactly(contest)
    assert (exact.won, exact.endless, exact.rounds) == (TRUE.won, TRUE.endless, TRUE.rounds)
    assert Duel(contest).solve().won == pytest.approx(chances(TRUE), abs=1e-12)


@pytest.mark.parametrize("way", ["<=", "in a set", "isinstance", "pow of three", "remembers"])
def test_every_look_is_noticed_with_the_whole_fight_in_view(way: str) -> None:
    contest = games.contest(asking(LOOKS[way]), ONE, OTHER, "one")
    assert BestDuel(contest).solve().won == pytest.approx(chances(TRUE), abs=1e-9)


def test_what_is_not_looked_at_is_worked_out_once() -> None:
    """A function that remembers is no look: all that the target may have left shares a row."""

    @remembers(64)
    def doubled(x: Stroke) -> int:
        return x.armor * 2

    contest = games.contest(asking(lambda x: doubled(x) < 0), ONE, OTHER, "one")
    matchup = contest.matchup(0, ONE, OTHER)
    rows = {id(matchup.odds(Encounter(ATTACK, Body(7), Body(left)))) for left in range(1, 7)}
    assert len(rows) == 1


# -- where a look may stand ----------------------------------------------------------------------


def weak(x: Stroke) -> bool:
    return x.left <= 3


def with_look_in(**changes: Any) -> System[Facts]:
    """The game, with a `strike` that looks at nothing; something else does."""
    return system(**{"declare": lambda scene: declare(scene, lambda x: False), **changes})


def declared_weak(scene: Scene[Setup, Body]) -> At[Stroke]:
    """The declaration itself compares."""
    left = scene.target.hp
    return declare(scene, (lambda x: True) if left <= 3 else (lambda x: False))


def declared_in_a_set(scene: Scene[Setup, Body]) -> At[Stroke]:
    """The declaration looks it up."""
    found = scene.target.hp in {1, 2, 3}
    return declare(scene, (lambda x: True) if found else (lambda x: False))


def declared_on_a_sheet(scene: Scene[Setup, Body]) -> At[Stroke]:
    """The declaration writes it into a sheet that checks what is written."""
    slate = replace(Slate(1), left=scene.target.hp)
    return declare(scene, (lambda x: True) if slate.left <= 3 else (lambda x: False))


def through(x: Stroke) -> int:
    """What gets through armor, or all that is left of a weak target."""
    return x.left if x.damage and x.left <= 3 else x.damage


def effect_that_looks(x: Stroke, role: Role) -> int:
    return through(x) if role == "target" else 0


class Hit(NamedTuple):
    """An effect that leaves it to `apply` to look."""

    damage: int
    left: int


def effect_that_passes_on(x: Stroke, role: Role) -> Hit:
    return Hit(x.damage, x.left) if role == "target" else Hit(0, 0)


def apply_hit(mine: Fighter, body: Body, hit: Hit) -> Body:
    damage = hit.left if hit.damage and hit.left <= 3 else hit.damage
    return body._replace(hp=max(0, body.hp - damage))


class Through(NamedTuple):
    """A reading that looks: what gets through, or all that is left of a weak target."""

    armor: int
    left: int

    def __call__(self, faces: tuple[Face, ...]) -> int:
        damage = max(0, int(faces[0]) - self.armor)
        return self.left if damage and self.left <= 3 else damage


@step("TY-1")
def roll_through(x: Stroke) -> Node[Stroke]:
    """The attacker rolls; the reading looks."""
    read = Through(x.armor, x.left)
    return Chance("attacker", "blow", Pool((d(x.sides), 1)), read, "damage", At(stop, x))


class Paired(NamedTuple):
    """A reading that carries on what is held back."""

    left: int

    def __call__(self, faces: tuple[Face, ...]) -> tuple[int, int]:
        return int(faces[0]), self.left


@step("TY-1")
def roll_paired(x: Stroke) -> Node[Stroke]:
    """The attacker rolls."""
    pool = Pool((d(x.sides), 1))
    return Chance("attacker", "blow", pool, Paired(x.left), "pair", At(strike_paired, x))


@step("TY-2")
def strike_paired(x: Stroke) -> Node[Stroke]:
    """What exceeds the armor is damage; a weak target is finished off."""
    damage = max(0, x.pair[0] - x.armor)
    return Go(stop, x._replace(damage=x.pair[1] if damage and x.pair[1] <= 3 else damage))


@step("TY-2")
def choose_end(x: Stroke) -> Node[Stroke]:
    """What exceeds the armor is damage; of a weak target all options are the same."""
    damage = max(0, x.rolled - x.armor)
    rest = x._replace(rolled=0, pair=(0, 0))
    if not damage:
        return Go(stop, rest)
    usual = Option("usual", At(finish, rest._replace(damage=damage)))
    exact = Option("exact", At(finish, rest._replace(damage=damage, pair=(x.left, x.left))))
    return choose("attacker", "how?", (usual, exact))


@step("TY-2")
def finish(x: Stroke) -> Node[Stroke]:
    """A weak target is finished off."""
    return Go(stop, x._replace(damage=x.left if x.left <= 3 else x.damage, pair=(0, 0)))


@step("TY-1")
def roll_for_end(x: Stroke) -> Node[Stroke]:
    """The attacker rolls."""
    pool = Pool((d(x.sides), 1))
    return Chance("attacker", "blow", pool, Count(0), "rolled", At(choose_end, x))


@step("TY-1")
def roll_for_shape(x: Stroke) -> Node[Stroke]:
    """The attacker rolls."""
    pool = Pool((d(x.sides), 1))
    return Chance("attacker", "blow", pool, Count(0), "rolled", At(strike_by_shape, x))


@step("TY-2")
def strike_by_shape(x: Stroke) -> Node[Stroke]:
    """What is held back is a tuple, told by its shape; a weak target is finished off."""
    damage = max(0, x.rolled - x.armor)
    match cast("object", x.left):
        case (int(left),):
            return Go(stop, x._replace(damage=left if damage and left <= 3 else damage))
    return Go(stop, x._replace(damage=0))


def starting(first: Any) -> Callable[[Scene[Setup, Body]], At[Stroke]]:
    return lambda scene: At(first, declare(scene, weak).facts)


PLACES: dict[str, Callable[[], System[Facts]]] = {
    "a declaration compares": lambda: system(declare=declared_weak),
    "a declaration looks it up": lambda: system(declare=declared_in_a_set),
    "a declaration checks": lambda: system(declare=declared_on_a_sheet),
    "an effect looks": lambda: with_look_in(effect=effect_that_looks),
    "an effect passes it on": lambda: with_look_in(
        effect=effect_that_passes_on, apply=apply_hit, harm=lambda hit: hit.damage
    ),
    "a reading looks": lambda: system((roll_through, stop), declare=starting(roll_through)),
    "a reading carries it on": lambda: system(
        (roll_paired, strike_paired, stop), declare=starting(roll_paired)
    ),
    "a tuple is told by its shape": lambda: system(
        (roll_for_shape, strike_by_shape, stop),
        declare=starting(roll_for_shape),
        hidden=Hidden(
            lambda body: (body.hp,),
            lambda body: body._replace(hp=0),
            lambda body, part: body._replace(hp=part),
        ),
    ),
    "after options that carry it": lambda: system(
        (roll_for_end, choose_end, finish, stop), declare=starting(roll_for_end)
    ),
}


@pytest.mark.parametrize("where", PLACES)
def test_a_look_is_noticed_wherever_it_stands(where: str) -> None:
    contest = games.contest(PLACES[where](), ONE, OTHER, "one", Plan("first"))
    exact = solve_exactly(contest)
    assert (exact.won, exact.endless, exact.rounds) == (TRUE.won, TRUE.endless, TRUE.rounds)
    assert Duel(contest).solve().won == pytest.approx(chances(TRUE), abs=1e-12)
    best = BestDuel(games.contest(PLACES[where](), ONE, OTHER, "one", Plan("first")))
    assert best.solve().won == pytest.approx(chances(TRUE), abs=1e-9)


# -- what a look says ----------------------------------------------------------------------------


class Box:
    """Something that engines can't look into."""

    def __init__(self, left: int) -> None:
        self.left = left


def test_what_cannot_be_filled_in_is_refused() -> None:
    def boxed(scene: Scene[Setup, Body]) -> At[Stroke]:
        box = Box(scene.target.hp)
        facts = declare(scene, lambda x: x.pair[0].left <= 3).facts  # type: ignore[attr-defined]
        return At(roll_stroke, facts._replace(
            pair=(cast("int", box), 0), left=1, record=Record(0), sheet=Sheet(left=0)
        ))  # fmt: skip

    contest = games.contest(system(declare=boxed), ONE, OTHER, "one")
    with pytest.raises(RulesError, match="strike looks at what a fight holds back, in a place"):
        Duel(contest)
    with pytest.raises(RulesError, match="strike looks at what a fight holds back, in a place"):
        BestDuel(contest)


def test_an_error_that_is_no_look_is_raised() -> None:
    contest = games.contest(asking(lambda x: bool(x.armor["points"])), ONE, OTHER, "one")  # type: ignore[index]
    with pytest.raises(TypeError, match="not subscriptable"):
        Duel(contest)
    with pytest.raises(TypeError, match="not subscriptable"):
        BestDuel(contest)
    with pytest.raises(TypeError, match="not subscriptable"):
        solve_exactly(contest)


def test_a_refusal_of_what_is_left_is_a_refusal() -> None:
    """Nobody may strike who has two points or fewer left: then a duel stalls, and is no error."""

    def spares(x: Stroke) -> bool:
        if x.left <= 2:
            raise SetupError("nobody strikes at the weak")
        return False

    contest = games.contest(asking(spares), ONE, OTHER, "one")
    matchup = contest.matchup(0, ONE, OTHER)
    assert matchup.odds(Encounter(ATTACK, Body(7), Body(2))) is None
    assert matchup.odds(Encounter(ATTACK, Body(7), Body(3))) is not None
    assert Duel(contest).solve().endless == pytest.approx(BestDuel(contest).solve().endless)
