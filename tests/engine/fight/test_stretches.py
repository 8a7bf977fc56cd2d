"""Rolls of a number, followed once for each stretch, against exchanges followed one by one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import product
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
from affray.engine.fight import stretches
from affray.engine.fight.blending import Ends, Found, Whole
from affray.engine.fight.front import Open, closed
from affray.engine.fight.fronts import Fronts
from affray.engine.fight.matchup import EffectOdds
from affray.engine.fight.stretches import Stretches
from tests.core.assembling import assembled
from tests.engine.fight.duels.shipped import note_rolls, odds_of_exchanges

Rolled = tuple[Ends, Found, Found]


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each roll that was asked for whether it was followed stretch by stretch."""
    return note_rolls(monkeypatch, Stretches)


def _without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stretches, "rolled", lambda self, opening: None)


def _odds(fight: str) -> list[EffectOdds]:
    """All exchanges of a duel of Eclipse Phase."""
    return odds_of_exchanges("eclipse-phase", fight)


@pytest.mark.parametrize("fight", ["turrets", "ball-and-wire"])
def test_a_roll_comes_to_the_same_in_the_same_order(
    fight: str, taken: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = _odds(fight)
    assert any(taken)
    _without(monkeypatch)
    assert found == _odds(fight)


# -- a small system: a blow of a number, armor, checks -------------------------------------------


class Blow(NamedTuple):
    """The facts; how a blow goes on is `way`, what the target has `left` is hidden."""

    way: str
    left: Any = 5
    number: int = 0
    checks: int = 0
    passed: int = 0
    harm: Any = 0


class Shown(NamedTuple):
    """What the only die shows."""

    less: int = 0

    def __call__(self, faces: tuple[Face, ...]) -> int:
        return int(faces[0]) - self.less


class Named(NamedTuple):
    """The same as a word."""

    def __call__(self, faces: tuple[Face, ...]) -> str:
        return str(faces[0])


ARMOR, THRESHOLD = 3, 4
met: Counter[str] = Counter()
"""How often rules were asked, by step."""


@step("TY-1")
def strike(x: Blow) -> Node[Blow]:
    """The attacker rolls."""
    met["strike"] += 1
    dice = Pool((d(3 if x.way == "few" else 12), 1))
    if x.way == "words":
        return Chance("attacker", "blow", dice, Named(), "harm", At(settle, x))
    step = {"at a seam": again, "over at once": tell}.get(x.way, meet)
    return Chance("attacker", "blow", dice, Shown(), "number", At(step, x))


def _through(x: Blow) -> Blow:
    left = x.number - ARMOR if x.number > ARMOR else 0
    return x._replace(number=0, harm=left)


def _plain(x: Blow) -> Node[Blow]:
    return Go(settle, _through(x))


def _checked(x: Blow) -> Node[Blow]:
    after = _through(x)
    return Go(check, after._replace(checks=after.harm // THRESHOLD))


def _fewer_checks(x: Blow) -> Node[Blow]:
    after = _through(x)
    return Go(check, after._replace(checks=2 - min(2, after.harm // THRESHOLD)))


def _asked(x: Blow, actor: str = "defender") -> Node[Blow]:
    after = _through(x)
    stand, dodge = after._replace(harm=after.harm + 1), after._replace(harm=after.harm - 1)
    return choose(
        actor, "stand?",
        [Option("stand", At(settle, stand)), Option("dodge", At(settle, dodge))],
    )  # fmt: skip


def _broken(x: Blow) -> Node[Blow]:
    if x.number > 10:
        raise ZeroDivisionError("a slip in the rules")
    return _plain(x)


def _typed(x: Blow) -> Node[Blow]:
    return Go(settle, x._replace(harm=1 if type(x.number) is int else 2))


def _looks(x: Blow) -> Node[Blow]:
    after = _through(x)
    if after.harm > 5:
        after = after._replace(harm=after.harm if x.left > 2 else 1)
    return Go(settle, after)


def _ways() -> dict[str, Callable[[Blow], Node[Blow]]]:
    """How a blow goes on; where nothing is said, only its effect is special."""
    return {
        "plain": _plain,
        "checked": _checked,
        "asked": _asked,
        "broken": _broken,
        "typed": _typed,
        "looks late": _looks,
        "looks at once": lambda x: Go(settle, x._replace(harm=int(x.left > 2))),
        "odd": lambda x: Go(settle, x._replace(harm=x.number % 2)),
        "a bit odd": lambda x: Go(settle, x._replace(harm=x.number % 2 if x.number > 10 else 0)),
        "by name": lambda x: Go(settle, x._replace(harm=len("x" * x.number))),
        "ends": lambda x: End(x._replace(harm=x.number)),
        "to a seam": lambda x: Go(again, _through(x)),
        "to a seam, sometimes": lambda x: Go(again if x.number > 11 else settle, _through(x)),
        "to no step": lambda x: Go(NOWHERE[0], x),
        "nothing": lambda x: None,  # type: ignore[dict-item,return-value]  # what a slip may say
        "nobody": lambda x: _asked(x, "nobody"),
        "over": lambda x: Go(tell, x._replace(harm=x.number + 1)),
        "paused": lambda x: Go(pause, x._replace(harm=x.number)),
        "paused, unseen": lambda x: Go(pause, x._replace(harm=x.number)),
        "paused, odd": lambda x: Go(pause, x._replace(harm=x.number)),
        "fewer checks": _fewer_checks,
        "checks in place": _fewer_checks,
        "paused, unseen, sometimes": lambda x: Go(
            pause if x.number > 10 else settle, x._replace(harm=x.number)
        ),
        "ends in a pause": lambda x: Go(pause, _through(x)),
        "rolls to the end, sometimes": lambda x: (
            _ways()["rolls to the end"](x) if x.number < 6 else _plain(x)
        ),
        "over, sometimes": lambda x: Go(tell if x.number > 9 else settle, _through(x)),
        "two looks": lambda x: (
            _looks(x) if x.number > 11 else Go(again if x.number > 10 else settle, _through(x))
        ),
        "nobody rolls": lambda x: Chance(
            "nobody", "more", Pool((d(2), 1)), Shown(), "passed", At(settle, x)
        ),
        "rolls to the end": lambda x: Chance(
            "defender", "more", Pool((d(2), 1)), Shown(), "harm", At(tell, x)
        ),
        "one more roll": lambda x: Chance(
            "defender", "more", Pool((d(2), 1)), Shown(), "passed", At(settle, _through(x))
        ),
        "far": lambda x: Go(walk, x._replace(checks=30)),
        "far or near": lambda x: Go(walk, x._replace(checks=2 if x.number > 6 else 4)),
        "too far": lambda x: Go(walk, x._replace(checks=200)),
    }


@step("TY-2")
def meet(x: Blow) -> Node[Blow]:
    """A blow goes its way."""
    met["meet"] += 1
    return _ways().get(x.way, _plain)(x)


@step("TY-2")
def check(x: Blow) -> Node[Blow]:
    """Some checks are made."""
    if not x.checks:
        return Go(settle, x)
    if x.way == "checks in place":
        again = At(check, x._replace(checks=x.checks - 1, harm=x.harm + 20))
        return Chance("defender", "check", Pool((d(2), 1)), Shown(), "passed", again)
    return Chance("defender", "check", Pool((d(3), 1)), Shown(2), "passed", At(count, x))


@step("TY-2")
def count(x: Blow) -> Node[Blow]:
    """A check that is passed takes a point off; the next one follows, or is rolled from here."""
    if x.way == "fewer checks" and x.checks > 1:
        back = At(check, x._replace(checks=x.checks - 1, harm=x.harm + 20))
        return Chance("defender", "check", Pool((d(2), 1)), Shown(), "passed", back)
    return Go(check, x._replace(checks=x.checks - 1, harm=x.harm - int(x.passed > 0), passed=0))


@step("TY-3")
def walk(x: Blow) -> Node[Blow]:
    """It takes a while."""
    return Go(walk, x._replace(checks=x.checks - 1)) if x.checks else Go(settle, _through(x))


@step("TY-3")
def pause(x: Blow) -> Node[Blow]:
    """Nothing happens for a while, or harm doesn't change any more."""
    if x.way == "ends in a pause":
        return End(x)
    return Go(settle, x._replace(harm=x.harm + 10))


@step("TY-3")
def again(x: Blow) -> Node[Blow]:
    """Where exchanges are alike again."""
    return Go(settle, x._replace(harm=x.harm + (x.left > 3)))


@step("TY-4")
def settle(x: Blow) -> Node[Blow]:
    """It is over, and some are told."""
    return End(x._replace(passed=0))


@step("TY-5")
def tell(x: Blow) -> Node[Blow]:
    """What is over changes no more."""
    raise AssertionError(x)


@step("TY-5")
def unlisted(x: Blow) -> Node[Blow]:
    """A step that the system doesn't know."""
    return End(x)


NOWHERE = [unlisted]


def _fixed(x: Blow) -> tuple[str, ...]:
    if x.way.startswith("paused, unseen"):
        return ("harm",) if x.left > 2 else ()
    if x.way == "paused, odd":
        return ("harm",) if x.harm > 4 and x.harm % 2 else ()
    return ("harm",) if x.harm > 6 else ()


def _effect(x: Blow, role: str) -> Any:
    if role != "target":
        return 0
    if x.way == "a look in the end":
        return x.harm if x.harm < 6 or x.left > 2 else 1
    if x.way == "a late look in the end":
        return x.harm if x.harm < 9 or x.left > 2 else 1
    if x.way == "a look carried on":
        return x.harm, x.left if x.harm > 8 else 0
    if x.way == "odd in the end":
        return x.harm % 2
    if x.way == "in a row":
        return (x.harm + 2, ("harm", x.harm), 0)
    return x.harm


HARM = frozenset({"harm"})
FIELDS: tuple[Field[Blow], ...] = (Field("harm", "Harm.", lambda x: x.harm, "TY-4"),)


def _system(**hints: Any) -> System[Facts]:
    """The system; hints take the place of those that it has."""
    own = {
        "seams": frozenset({again}),
        "fixes": {tell: ("harm",)},
        "fixes_where": {pause: _fixed},
    }
    fight: Fight[Any, Any, Any, Any, Any] = Fight(
        enter=lambda sheet, rulings: 5,
        declare=lambda scene: At(strike, scene.setup),
        effect=_effect,
        apply=lambda sheet, condition, effect: condition - effect,
        is_out=lambda sheet, condition: condition <= 0,
        vitals=lambda sheet, condition: condition,
        harm=lambda effect: effect,
    )
    return assembled(
        (strike, meet, tell, check, count, walk, pause, again, settle),
        fields=FIELDS,
        fight=fight,
        hints=Hints(**{**own, **hints}),
    )


def _start(way: str) -> At[Any]:
    return At(strike, Blow(way))


def _first(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
    return choice.options[0]


PARTS = (1, 5)


def _followed(way: str, *, needed: frozenset[str] | None = HARM, **hints: Any) -> list[EffectOdds]:
    """The odds of a blow, for targets that have 1 and 5 left."""
    met.clear()
    start: At[Any] = At(strike, Blow(way, UNKNOWN))
    fronts = Fronts(Game(_system(**hints), start), _first, needed=needed)
    return fronts.each_odds_at(start, PARTS)


TAKEN = {
    # How often the step after the roll is asked: twice for each stretch, which is followed with
    # the number unknown and by itself. Up to the armor there is one stretch, the next one begins
    # beyond it. A number at which a rule looks more closely has one for itself, asked thrice.
    "plain": 4, "in a row": 4, "ends": 2, "checked": 8, "one more roll": 4, "far": 4,
    "far or near": 6, "over": 2, "over at once": 0, "rolls to the end": 2, "paused": 4,
    "over, sometimes": 6, "two looks": 12, "fewer checks": 8, "checks in place": 8,
    "paused, unseen, sometimes": 3 * 2, "ends in a pause": 6,
    "rolls to the end, sometimes": 4,
    "a bit odd": 2 + 2 * 3, "a look carried on": 6, "a late look in the end": 6,
    "to a seam, sometimes": 4 + 2,
}  # fmt: skip
LEFT = {
    "words", "few", "typed", "looks at once", "looks late", "odd", "odd in the end", "by name",
    "to a seam", "paused, unseen", "paused, odd", "too far", "asked", "a look in the end",
}  # fmt: skip
"""A flow follows these: no numbers, too few, or nearly every one of them for itself."""


@pytest.mark.parametrize("way", [*TAKEN, *sorted(LEFT)])
def test_every_way_comes_to_what_a_flow_makes_of_it(
    way: str, taken: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = _followed(way)
    assert taken == [way in TAKEN]
    if way in TAKEN:
        assert met["meet"] == TAKEN[way]
    _without(monkeypatch)
    flown = _followed(way)
    assert flown == found
    assert [odds.effects for odds in flown] == [odds.effects for odds in found]


@pytest.mark.parametrize("way", ["plain", "checked", "over", "paused", "to a seam, sometimes"])
def test_where_nobody_says_what_is_needed_nothing_is_over(
    way: str, taken: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    if way == "over":
        with pytest.raises(AssertionError):
            _followed(way, needed=None)
        return
    found = _followed(way, needed=None)
    assert taken == [True]
    _without(monkeypatch)
    assert _followed(way, needed=None) == found


def test_the_shares_are_those_of_plain_counting(taken: list[bool]) -> None:
    shares: defaultdict[object, Fraction] = defaultdict(Fraction)
    for number, one, other in product(range(1, 13), range(1, 4), range(1, 4)):
        harm = max(0, number - ARMOR)
        passed = [die - 2 > 0 for die in (one, other)][: harm // THRESHOLD]
        shares[harm - sum(passed)] += Fraction(1, 12 * 3 * 3)
    for odds in _followed("checked"):
        found: defaultdict[object, Fraction] = defaultdict(Fraction)
        for (_, befell), weight in zip(odds.effects, odds.weights, strict=True):
            found[befell] += Fraction(weight, odds.total)
        assert found == shares
    assert taken == [True]


FAULTS = {
    "broken": (ZeroDivisionError, "a slip"),
    "to no step": (RulesError, "which the system doesn't list"),
    "nothing": (AttributeError, "outcome"),
    "nobody": (RulesError, "step meet asks 'nobody'"),
    "nobody rolls": (RulesError, "step meet asks 'nobody'"),
}


@pytest.mark.parametrize("way", FAULTS)
def test_a_fault_of_the_rules_is_told(way: str) -> None:
    kind, words = FAULTS[way]
    with pytest.raises(kind, match=words):
        _followed(way)


# -- readings, one by one ------------------------------------------------------------------------


class Noted:
    """Rolls of one system; the choices that are made are noted."""

    def __init__(self, decide: Any = _first, kept: frozenset[str] | None = HARM, **hints: Any):
        self.decided: list[At[Any]] = []
        self.system = _system(**hints)
        game = Game(self.system, _start("plain"))
        fronts = Fronts(game, decide, needed=HARM)

        def deciding(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
            self.decided.append(at)
            option: Option[Facts] = decide(at, choice)
            return option

        self.wholes = fronts.wholes
        self.stretches = Stretches(
            game, deciding, HARM, kept, self.wholes, fronts._effect, fronts._put_off
        )

    def rolled(self, way: str, *, sides: int = 12, less: int = 0) -> Rolled | None:
        """What a roll of one die comes to."""
        at = At(meet, Blow(way, UNKNOWN))
        roll: Chance[Any] = Chance(
            "attacker", "blow", Pool((d(sides), 1)), Shown(less), "number", at
        )
        return self.stretches.rolled(roll)

    def shares(self, found: Rolled | None) -> dict[Any, Fraction]:
        """The shares of what befalls the target."""
        assert found is not None
        weights, total = found[0]
        wholes = self.wholes.wholes
        return {wholes[number][1]: Fraction(ways, total) for number, ways in weights.items()}


def test_what_is_known_of_a_stretch_holds_for_other_dice() -> None:
    noted = Noted()
    met.clear()
    assert noted.shares(noted.rolled("plain", sides=6)) == {
        0: Fraction(1, 2), 1: Fraction(1, 6), 2: Fraction(1, 6), 3: Fraction(1, 6),
    }  # fmt: skip
    assert met["meet"] == 4
    shares = noted.shares(noted.rolled("plain", sides=20, less=6))
    assert met["meet"] == 4, "armor held before, and did not"
    assert shares == {0: Fraction(9, 20), **{harm: Fraction(1, 20) for harm in range(1, 12)}}
    assert noted.shares(noted.rolled("plain", sides=4)) == {0: Fraction(3, 4), 1: Fraction(1, 4)}
    assert met["meet"] == 4
    assert noted.rolled("plain", sides=3) is None, "so few are left to a flow"


def test_a_choice_that_plans_settle_is_made_for_all() -> None:
    noted = Noted()
    game = Game(noted.system, _start("asked"), {"meet": ("dodge",)})
    noted.stretches = Stretches(
        game, closed(game), HARM, HARM, noted.wholes, _befalls, _never
    )  # fmt: skip
    met.clear()
    shares = noted.shares(noted.rolled("asked", sides=6))
    assert shares == {-1: Fraction(1, 2), **{harm: Fraction(1, 6) for harm in range(3)}}
    assert met["meet"] == 4


def _befalls(x: Any) -> Whole:
    return 0, _effect(x, "target"), ()


def _never(facts: Any, error: BaseException) -> Any:
    raise error


def test_another_choice_is_made_with_the_number_known() -> None:
    noted = Noted()
    assert noted.rolled("asked") is None
    numbers = [at.facts.number for at in noted.decided]
    assert {type(number) for number in numbers} == {int}
    assert numbers == [1, 1, 2, 2, 3, 3, 4, 4]


@pytest.mark.parametrize(("says", "asked"), [(0, 4), (1, None), (None, None)])
def test_a_choice_that_makes_no_difference_is_made_for_all(says: int | None, asked: int) -> None:
    """What is said must be what is decided with the number known; else it holds for one number."""

    def foregone(at: At[Facts], choice: Choice[Facts]) -> Option[Facts] | None:
        return None if says is None else choice.options[says]

    noted = Noted()
    noted.stretches = Stretches(
        Game(noted.system, _start("asked")), _first, HARM, HARM, noted.wholes, _befalls, _never,
        foregone,
    )  # fmt: skip
    met.clear()
    found = noted.rolled("asked", sides=6)
    if asked is None:
        assert found is None
    else:
        shares = {1: Fraction(1, 2), **{harm + 1: Fraction(1, 6) for harm in range(1, 4)}}
        assert (noted.shares(found), met["meet"]) == (shares, asked)


def test_a_choice_that_is_open_stays_open() -> None:
    game = Game(_system(), _start("asked"))
    with pytest.raises(Open):
        Fronts(game, closed(game), needed=HARM).front(game.start)


def test_steps_with_rules_for_several_and_seams_are_left_alone() -> None:
    noted = Noted(several={meet: lambda: meet.rule})
    assert noted.rolled("plain") is None
    noted = Noted(seams=frozenset({meet, again}))
    assert noted.rolled("plain") is None


def test_after_some_numbers_in_a_row_a_step_is_left_alone() -> None:
    noted = Noted()
    assert noted.rolled("odd") is None
    met.clear()
    assert noted.rolled("odd") is None
    assert noted.rolled("plain") is None
    assert not met


def test_a_few_numbers_by_themselves_don_t_matter() -> None:
    noted = Noted()
    for _ in range(3):
        assert noted.rolled("a bit odd", sides=12) is not None
    assert noted.rolled("a bit odd", sides=13) is not None
    assert noted.rolled("a bit odd", sides=14) is None


def test_what_waits_for_the_hidden_part_has_its_number() -> None:
    noted = Noted()
    found = noted.rolled("to a seam, sometimes")
    assert found is not None
    ends, places, outcomes = found
    assert ends.total == 12
    assert sum(ends.weights.values()) == 11
    assert places == [(At(again, Blow("to a seam, sometimes", UNKNOWN, harm=9)), 1, 12)]
    assert outcomes == []
    found = noted.rolled("two looks")
    assert found is not None
    assert [place.step for place, _, _ in found[1] if isinstance(place, At)] == [meet, again]
    found = noted.rolled("a look carried on")
    assert found is not None
    assert found[1] == []
    ((place, weight, total),) = found[2]
    assert isinstance(place.facts, Blow)
    assert (place.facts.harm, weight, total) == (9, 1, 12)


def test_what_nobody_needs_is_forgotten_of_further_rolls() -> None:
    def forget(roll: Chance[Facts], needed: frozenset[str]) -> Chance[Facts]:
        asked.append(needed)
        return roll

    asked: list[frozenset[str]] = []
    for kept, times in ((HARM, 4), (None, 0)):
        asked.clear()
        assert Noted(kept=kept, forget=forget).rolled("one more roll") is not None
        assert asked == [HARM] * times


def test_a_way_that_is_long_is_left_to_a_flow(monkeypatch: pytest.MonkeyPatch) -> None:
    for most in (32, 33):  # meet, walk 31 times, settle
        monkeypatch.setattr(stretches, "MOST_PLACES", most)
        assert (Noted().rolled("far") is None) == (most == 32)


def test_it_takes_time() -> None:
    class Spent(Meter):
        left = 12

        def tick(self, work: int = 1) -> None:
            self.left -= work
            if self.left < 0:
                raise LimitError(f"no time for {work}", limit="seconds")

    noted = Noted()
    with metered(Spent()), pytest.raises(LimitError, match="no time for 2"):
        noted.rolled("plain")
    noted.rolled("plain")
    with metered(Spent()), pytest.raises(LimitError, match="no time for 13"):
        noted.rolled("plain", sides=13)
