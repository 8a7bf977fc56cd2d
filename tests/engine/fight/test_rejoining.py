"""First rolls after which exchanges are alike again, against exchanges followed one by one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count, product
from typing import Any, NamedTuple

import pytest

from affray.core.dice import Face, Pool, d
from affray.core.errors import LimitError, RulesError
from affray.core.fight import Fight
from affray.core.hints import Hints
from affray.core.meter import Meter, metered
from affray.core.node import At, Chance, Choice, End, Facts, Go, Node, Option, choose
from affray.core.step import step
from affray.core.system import Field, System
from affray.core.unknown import UNKNOWN
from affray.engine.exchange.game import Game
from affray.engine.fight import rejoining
from affray.engine.fight.blending import Ends, Tail
from affray.engine.fight.front import Open, closed
from affray.engine.fight.fronts import Fronts
from affray.engine.fight.matchup import EffectOdds
from affray.engine.fight.rejoining import Rejoins, Tails
from tests.core.assembling import assembled
from tests.engine.fight.duels.shipped import note_rolls, odds_of_exchanges

# -- a shipped room ------------------------------------------------------------------------------


def _odds(fight: str) -> list[EffectOdds]:
    """All exchanges of a duel of Eclipse Phase."""
    return odds_of_exchanges("eclipse-phase", fight)


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each roll that was asked for whether it rejoined."""
    return note_rolls(monkeypatch, Rejoins)


@pytest.mark.parametrize("fight", ["turrets", "ball-and-wire"])
def test_a_roll_comes_to_the_same_in_the_same_order(
    fight: str, taken: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = _odds(fight)
    assert any(taken)
    monkeypatch.setattr(Rejoins, "rolled", lambda self, opening: None)
    assert found == _odds(fight)


# -- a small one: a strike of a skill, a parry, and harm -----------------------------------------


class Strike(NamedTuple):
    """The facts; how a strike that hits goes on is `way`, what the target has `left` is hidden."""

    skill: int
    way: str
    left: int = 5
    first: int = 0
    second: int = 0
    note: int = 0
    further: int = 0
    harm: int = 0


class Past(NamedTuple):
    """By how much a die exceeds the skill: 0, 1 or 2."""

    skill: int

    def __call__(self, faces: tuple[Face, ...]) -> int:
        return min(2, max(0, int(faces[0]) - self.skill))


class Shown(NamedTuple):
    """What the only die shows."""

    def __call__(self, faces: tuple[Face, ...]) -> int:
        return int(faces[0])


@step("TY-1")
def strike(x: Strike) -> Node[Strike]:
    """The attacker rolls."""
    roll = Past(x.skill)
    return Chance("attacker", "strike", Pool((d(4), 1)), roll, "first", At(meet, _any_skill(x)))


def _any_skill(x: Strike) -> Strike:
    return x._replace(skill=0)


def _to_all(x: Strike) -> Node[Strike]:
    """Another roll, which misses as well."""
    return _parry(x)


def _parry(x: Strike, actor: str = "defender", into: str = "second") -> Chance[Strike]:
    dice = Pool((d(4 if x.first == 1 else 6), 1))
    return Chance(actor, "parry", dice, Shown(), into, At(compare, _past_first(x)))


def _past_first(x: Strike) -> Strike:
    return x._replace(first=0, note=x.first)


def _asked(x: Strike, actor: str = "defender") -> Node[Strike]:
    stand, dodge = x._replace(harm=x.harm + 1), x._replace(harm=0)
    return choose(
        actor, "stand?", [Option("stand", At(settle, stand)), Option("dodge", At(settle, dodge))]
    )


def _broken(x: Strike) -> Node[Strike]:
    raise ZeroDivisionError("a slip in the rules")


@step("TY-2")
def meet(x: Strike) -> Node[Strike]:
    """A miss is over; a hit goes its way, which is a parry where nothing else is said."""
    if not x.first:
        return Go(settle, x)
    return MEET.get(x.way, _to_all)(x)


@step("TY-3")
def compare(x: Strike) -> Node[Strike]:
    """The parry helps on two or less."""
    hit = x._replace(second=0, harm=int(x.second > 2))
    if x.way == "parry rolls again" and x.second == 2:
        again = At(settle, hit._replace(harm=1))
        return Chance("defender", "again", Pool((d(2), 1)), Shown(), "note", again)
    if x.way == "parry is told":
        return Go(tell, hit)
    if x.way == "parry pauses":
        return Go(pause, hit)
    if x.way == "parry looks":
        hit = hit._replace(harm=hit.harm and int(x.left > 2))
    if x.way == "parry asks":
        return _asked(hit)
    return Go(settle, hit._replace(further=int(x.way == "far") and 20))


@step("TY-3")
def settle(x: Strike) -> Node[Strike]:
    """It may take a while until the harm is known."""
    if x.further:
        return Go(settle, x._replace(further=x.further - 1))
    return Go(hurt, Strike(0, "", x.left, note=x.note, harm=x.harm))


@step("TY-4")
def hurt(x: Strike) -> Node[Strike]:
    """A hit does harm."""
    if not x.harm:
        return Go(tell, x)
    return Chance("attacker", "harm", Pool((d(3), 1)), Shown(), "harm", At(tell, x))


@step("TY-4")
def pause(x: Strike) -> Node[Strike]:
    """Nothing happens for a while, or harm doesn't change any more."""
    if x.way == "paused for a while":
        return Go(hurt, Strike(0, "", x.left, harm=x.harm))
    told.append(x)
    return Go(tell, x)


@step("TY-5")
def tell(x: Strike) -> Node[Strike]:
    """It is over."""
    told.append(x)
    return End(x)


MEET: dict[str, Callable[[Strike], Node[Strike]]] = {
    "straight": lambda x: Go(settle, x._replace(harm=1)),
    "at once": lambda x: Go(hurt, Strike(0, "", x.left, harm=1)),
    "asks": _asked,
    "asks nobody": lambda x: _asked(x, "nobody"),
    "nobody rolls": lambda x: _parry(x, "nobody"),
    "rolls into nothing": lambda x: _parry(x, into="nothing"),
    "ends": lambda x: End(x._replace(harm=1)),
    "breaks": _broken,
    "looks": lambda x: Go(settle, x._replace(harm=int(x.left > 2))),
    "over": lambda x: Go(tell, x._replace(harm=1)),
    "paused": lambda x: Go(pause, x._replace(harm=1)),
    "paused for a while": lambda x: Go(pause, x._replace(harm=1)),
    "roll is over": lambda x: _parry(x)._replace(then=At(tell, x._replace(harm=1))),
    "roll hurts": lambda x: _parry(x)._replace(then=At(hurt, Strike(0, "", x.left)), into="harm"),
}
"""How a hit goes on."""

told: list[Strike] = []
"""What was followed to where hints say that nothing changes any more."""
HARM = frozenset({"harm"})
FIELDS: tuple[Field[Strike], ...] = (
    Field("harm", "Harm.", lambda x: x.harm, "TY-4"),
    Field("note", "A note.", lambda x: x.note, "TY-4"),
)


def _forget(roll: Chance[Strike], needed: frozenset[str]) -> Chance[Strike]:
    at = roll.then
    return roll if "note" in needed else roll._replace(then=At(at.step, at.facts._replace(note=0)))


def _system(**hints: Any) -> System[Facts]:
    """The system; hints take the place of those that it has."""
    own = {
        "seams": frozenset({hurt}),
        "rejoins": frozenset({meet}),
        "fixes": {tell: ("harm", "note")},
        "fixes_where": {pause: lambda x: () if x.way == "paused for a while" else ("harm", "note")},
    }
    fight: Fight[Any, Any, Any, Any, Any] = Fight(
        enter=lambda sheet, rulings: 5,
        declare=lambda scene: At(strike, scene.setup),
        effect=lambda facts, role: facts.harm if role == "target" else 0,
        apply=lambda sheet, condition, effect: condition - effect,
        is_out=lambda sheet, condition: condition <= 0,
        vitals=lambda sheet, condition: condition,
        harm=lambda effect: effect,
    )
    return assembled(
        (strike, meet, compare, settle, hurt, pause, tell),
        fields=FIELDS,
        fight=fight,
        hints=Hints(**{**own, **hints}),
    )


def _first(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
    return choice.options[0]


@pytest.fixture
def nobody_goes_on() -> Iterator[None]:
    """Where hints say that nothing changes any more, nothing is asked."""
    told.clear()
    yield
    assert not told


def _start(skill: int, way: str, left: Any = 5) -> At[Any]:
    return At(strike, Strike(skill, way, left))


def _shares(odds: EffectOdds) -> dict[object, Fraction]:
    shares: defaultdict[object, Fraction] = defaultdict(Fraction)
    for (_, target), weight in zip(odds.effects, odds.weights, strict=True):
        shares[target] += Fraction(weight, odds.total)
    return {**shares}


def _followed(
    system: System[Facts],
    way: str,
    *,
    needed: frozenset[str] | None = HARM,
    minding: frozenset[str] | None = frozenset(),
) -> list[list[dict[object, Fraction]]]:
    """For each skill the shares of harm, for targets that have 1 and 5 left."""
    game = Game(system, _start(0, way))
    fronts = Fronts(game, _first, needed=needed, minding=minding)
    starts = [_start(skill, way, UNKNOWN) for skill in range(5)]
    return [[_shares(odds) for odds in fronts.each_odds_at(at, (1, 5))] for at in starts]


ALONG = {"", "straight", "at once", "asks", "roll hurts", "parry asks"}
"""The ways that lead to a seam with a second roll at most."""
ASIDE = {
    "ends", "looks", "over", "paused", "paused for a while", "roll is over",
    "parry rolls again", "parry is told", "parry pauses", "parry looks", "far",
}  # fmt: skip
"""The ways that a flow has to follow."""


@pytest.mark.usefixtures("nobody_goes_on")
@pytest.mark.parametrize("way", sorted(ALONG | ASIDE))
def test_every_way_comes_to_what_a_flow_makes_of_it(way: str, taken: list[bool]) -> None:
    found = _followed(_system(), way)
    assert taken == [way in ALONG] * 5  # no try where one failed, though the last only misses
    assert found == _followed(_system(rejoins=frozenset()), way)


def test_the_shares_are_those_of_plain_counting(taken: list[bool]) -> None:
    expected = []
    for skill in range(5):
        shares: defaultdict[object, Fraction] = defaultdict(Fraction)
        for die, parry, harm in product(range(1, 5), range(1, 13), range(1, 4)):
            first = min(2, max(0, die - skill))
            faces = 4 if first == 1 else 6
            hit = first and (parry - 1) % faces + 1 > 2  # twelve are four thrice, and six twice
            shares[harm if hit else 0] += Fraction(1, 4 * 12 * 3)
        expected.append([{**shares}] * 2)
    assert _followed(_system(), "") == expected
    assert all(taken)
    assert _followed(_system(forget=_forget), "") == expected
    assert all(taken)


def test_where_nobody_says_what_is_needed_nothing_is_over(taken: list[bool]) -> None:
    for way in ("", "paused for a while", "roll is over"):
        found = _followed(_system(), way, needed=None)
        assert taken == [way != "roll is over"] * 5
        taken.clear()
        assert found == _followed(_system(rejoins=frozenset()), way, needed=None)
        taken.clear()


@pytest.mark.usefixtures("nobody_goes_on")
def test_nobody_asks_a_place_that_is_over(taken: list[bool]) -> None:
    rejoins = frozenset({meet})
    for ends in ({"fixes": {meet: ("harm",)}}, {"fixes_where": {meet: lambda x: ("harm",)}}):
        system = _system(rejoins=rejoins, **ends)
        for way in ("straight", "breaks"):
            assert _followed(system, way) == [[{0: 1}] * 2] * 5
    assert taken == [False] * 20
    over = {"fixes": {hurt: ("harm",), tell: ("harm",)}}
    assert _followed(_system(**over), "straight")[0] == [{1: 1}] * 2
    assert taken[20:] == [False] * 5


def test_a_step_that_is_not_named_is_left_to_a_flow(taken: list[bool]) -> None:
    assert _followed(_system(rejoins=frozenset({compare})), "") == _followed(_system(), "")
    assert taken == [False] * 5 + [True] * 5


FAULTS = {
    "asks nobody": (RulesError, "step meet asks 'nobody'"),
    "nobody rolls": (RulesError, "step meet asks 'nobody'"),
    "rolls into nothing": (RulesError, "no such field"),
    "breaks": (ZeroDivisionError, "a slip"),
}


@pytest.mark.parametrize("way", FAULTS)
def test_a_fault_of_the_rules_is_told(way: str) -> None:
    kind, words = FAULTS[way]
    with pytest.raises(kind, match=words):
        _followed(_system(), way)


def test_a_choice_that_is_open_stays_open() -> None:
    game = Game(_system(), _start(0, "asks"))
    with pytest.raises(Open):
        Fronts(game, closed(game), needed=HARM).front(game.start)


# -- each place once -----------------------------------------------------------------------------


class Noted:
    """Rejoining of one way; the choices that are made and the seams that are reached are noted."""

    def __init__(self, way: str, kept: frozenset[str] | None = HARM, forget: Any = _forget) -> None:
        system = _system(forget=forget)
        self.way, self.decided, self.seams = way, list[At[Facts]](), list[Strike]()
        game, self._number = Game(system, _start(0, way)), count()
        self.rejoins = Rejoins(game, self._decide, HARM, kept, self._tail)

    def _decide(self, at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        self.decided.append(at)
        return choice.options[0]

    def _tail(self, at: At[Facts]) -> Tail:
        assert isinstance(at.facts, Strike)
        self.seams.append(at.facts)
        return Tail(Ends({next(self._number): 1}, 1), [])

    def rolled(self, skill: int) -> Tails:
        """What the roll of somebody with this skill comes to."""
        start = _start(skill, self.way)
        node = start.step.rule(start.facts)
        assert isinstance(node, Chance)
        found = self.rejoins.rolled(node)
        assert found is not None
        return found


def test_each_place_is_asked_once_for_all_skills() -> None:
    noted = Noted("asks")
    found = {id(tail) for tail, _, _ in noted.rolled(1)}
    assert len(noted.decided) == 2  # after one, and after two
    assert len(noted.seams) == 3  # and after a miss
    for skill in (2, 1):
        assert {id(tail) for tail, _, _ in noted.rolled(skill)} == found
        assert len(noted.decided) == 2
        assert len(noted.seams) == 3


def test_each_reading_of_a_second_roll_is_asked_once() -> None:
    noted = Noted("parry asks")
    noted.rolled(0)
    assert len(noted.decided) == 6  # the note of the first roll is forgotten
    noted.rolled(1)
    assert len(noted.decided) == 6
    for kept, forget in ((None, _forget), (HARM, None), (HARM | {"note"}, _forget)):
        noted = Noted("parry asks", kept, forget)
        noted.rolled(0)
        assert len(noted.decided) == 10
        assert {facts.note for facts in noted.seams} == {1, 2}  # no skill, no miss


def test_tails_come_once_for_each_total() -> None:
    """A die of four sides and one of six; harm comes on three or more."""
    noted = Noted("")
    found = noted.rolled(1)
    assert len({(id(tail), total) for tail, _, total in found}) == len(found)
    shares: dict[tuple[int, int], Fraction] = {}
    for tail, weight, total in found:
        facts = noted.seams[next(iter(tail.ends.weights))]
        key = facts.note, facts.harm
        shares[key] = shares.get(key, Fraction()) + Fraction(weight, total)
    assert sum(shares.values()) == 1
    assert shares[0, 1] == Fraction(1, 4) * Fraction(2, 4) + Fraction(2, 4) * Fraction(4, 6)


def test_where_the_way_to_a_seam_is_long_a_flow_takes_it(
    taken: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = _followed(_system(), "")
    for most in (2, 3):  # compare, settle, hurt
        taken.clear()
        monkeypatch.setattr(rejoining, "MOST_STRAIGHT", most)
        assert _followed(_system(), "") == found
        assert taken == [most == 3] * 5


def test_what_is_known_takes_time_too() -> None:
    class Spent(Meter):
        def tick(self, work: int = 1) -> None:
            raise LimitError(f"no time for {work}", limit="seconds")

    noted = Noted("")
    noted.rolled(0)
    with metered(Spent()), pytest.raises(LimitError, match="no time for 3"):
        noted.rolled(1)
