"""A fault of a rule text is told with the step that made it, however the exchange is followed."""

from collections.abc import Callable
from typing import Any, NamedTuple, cast

import pytest

from affray.core.actor import Actor
from affray.core.dice import Pool, d
from affray.core.errors import RulesError
from affray.core.node import At, Chance, Choice, End, Facts, Go, Node, Option, choose
from affray.core.reading import SumOfDice
from affray.core.step import step
from affray.core.system import Objective
from affray.engine.exchange.best import solve
from affray.engine.exchange.flow import flow
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Policy, Seeded, drive
from tests.core.assembling import assembled

POOL = Pool((d(6), 1))
TO_WIN: Objective[Any] = Objective("win", "To win.", lambda x: x.shown, "attacker")


class Cup(NamedTuple):
    """The facts: what was rolled, what a rule may put beside it, and the rule that is tried."""

    shown: int = 0
    beside: object = ()
    rule: Callable[[Any], Node[Any]] = End
    before: str = ""


class Listed(NamedTuple):
    """A reading that gives a list."""

    def __call__(self, faces: tuple[object, ...]) -> object:
        return list(faces)


class Holding(NamedTuple):
    """A reading that holds a list."""

    numbers: object

    def __call__(self, faces: tuple[object, ...]) -> object:
        return faces[0]


def play(game: Game) -> None:
    drive(Session(game), Policy(lambda at, choice: choice.options[0]), Seeded(1))


def price(game: Game) -> None:
    flow(game, lambda at, choice: choice.options[0])


def price_watched(game: Game) -> None:
    flow(game, lambda at, choice: choice.options[0], watch=lambda seen: None)


def decide(game: Game) -> None:
    assert solve(game, TO_WIN).value >= 0


followed = pytest.mark.parametrize("follow", [play, price, price_watched, decide])


@step("TY-1")
def begin(x: Cup) -> Node[Cup]:
    """Something comes first, or nothing."""
    if x.before == "roll":
        return Chance("defender", "first", POOL, SumOfDice(), "shown", At(pour, x))
    if x.before == "choice":
        other = x._replace(shown=9)
        return Choice(
            "defender", "?", (Option("left", At(pour, x)), Option("right", At(pour, other)))
        )
    return Go(pour, x)


@step("TY-2")
def pour(x: Cup) -> Node[Cup]:
    """The rule is tried."""
    return x.rule(x) if x.rule is not End else Go(keep, x)


@step("TY-3")
def keep(x: Cup) -> Node[Cup]:
    """Somebody keeps it, or not."""
    options = (Option("yes", At(stop, x)), Option("no", At(stop, x._replace(shown=0))))
    return Choice("attacker", "keep?", options)


@step("TY-4")
def stop(x: Cup) -> Node[Cup]:
    """It is over."""
    return End(x)


SYSTEM = assembled((begin, pour, keep, stop), objectives=(TO_WIN,))


def game_of(rule: Callable[[Cup], Node[Cup]], before: str = "") -> Game:
    """A game in which the step `pour` has this rule."""
    return Game(SYSTEM, cast("At[Facts]", At(begin, Cup(rule=rule, before=before))))


ways = pytest.mark.parametrize("before", ["", "roll", "choice"])


@followed
@ways
def test_a_field_that_there_is_not_is_told_with_the_step_that_rolls(
    follow: Callable[[Game], None], before: str
) -> None:
    def rule(x: Cup) -> Node[Cup]:
        return Chance("attacker", "the pour", POOL, SumOfDice(), "shwon", At(keep, x))

    with pytest.raises(RulesError, match="toy: step pour rolls 'the pour' into 'shwon'; Cup has no "
                       "such field, only shown, beside, rule, before"):  # fmt: skip
        follow(game_of(rule, before))


@followed
@ways
@pytest.mark.parametrize("actor", ["stranger", "", "attackers", "attacker 2"])
def test_an_actor_that_is_not_declared_is_told(
    follow: Callable[[Game], None], before: str, actor: str
) -> None:
    def roll(x: Cup) -> Node[Cup]:
        return Chance(actor, "the pour", POOL, SumOfDice(), "shown", At(keep, x))

    def pick(x: Cup) -> Node[Cup]:
        return Choice(
            actor,
            "the pour",
            (Option("a", At(keep, x)), Option("b", At(keep, x._replace(shown=3)))),
        )

    told = f"toy: step pour asks '{actor}' .the pour., no actor .* attacker, defender; the second"
    for rule in (roll, pick):
        with pytest.raises(RulesError, match=told):
            follow(game_of(rule, before))


@followed
def test_several_may_have_one_role(follow: Callable[[Game], None]) -> None:
    def rule(x: Cup) -> Node[Cup]:
        return Chance(Actor("defender", 12), "the pour", POOL, SumOfDice(), "shown", At(keep, x))

    follow(game_of(rule))


def _by_going_on(x: Cup) -> Node[Cup]:
    return Go(keep, x._replace(beside=[1, 2]))


def _by_rolling(x: Cup) -> Node[Cup]:
    return Chance("attacker", "?", POOL, SumOfDice(), "shown", At(keep, x._replace(beside=[1, 2])))


def _by_an_option(x: Cup) -> Node[Cup]:
    options = (Option("a", At(keep, x)), Option("b", At(keep, x._replace(beside=[1, 2]))))
    return Choice("attacker", "?", options[::-1])


def _by_a_reading(x: Cup) -> Node[Cup]:
    return Chance("attacker", "?", POOL, Listed(), "beside", At(keep, x))


@followed
@ways
@pytest.mark.parametrize("rule", [_by_going_on, _by_rolling, _by_an_option, _by_a_reading])
def test_a_list_in_facts_is_told_with_step_and_field(
    follow: Callable[[Game], None], before: str, rule: Callable[[Cup], Node[Cup]]
) -> None:
    told = (
        r"toy: step pour fills beside with \[.*\], which can't be hashed .unhashable type: 'list'"
    )
    with pytest.raises(RulesError, match=told):
        follow(game_of(rule, before))


@pytest.mark.parametrize("follow", [price, price_watched])
def test_a_list_in_the_outcome_is_told_where_outcomes_are_counted(
    follow: Callable[[Game], None],
) -> None:
    with pytest.raises(RulesError, match="toy: step pour fills beside with"):
        follow(game_of(lambda x: End(x._replace(beside=[1])), "roll"))


@pytest.mark.parametrize("follow", [price, price_watched, decide])
def test_a_list_in_a_reading_is_told(follow: Callable[[Game], None]) -> None:
    def rule(x: Cup) -> Node[Cup]:
        return Chance("attacker", "the pour", POOL, Holding([1]), "shown", At(keep, x))

    with pytest.raises(RulesError, match="toy: step pour reads 'the pour' by Holding"):
        follow(game_of(rule))


@followed
@ways
def test_choose_tells_the_option_with_a_list(follow: Callable[[Game], None], before: str) -> None:
    def rule(x: Cup) -> Node[Cup]:
        options = [Option("a", At(keep, x)), Option("b", At(keep, x._replace(beside=[2])))]
        return choose("attacker", "which one?", options)

    with pytest.raises(
        RulesError, match=r"'which one.': the option 'b', to step keep, fills beside"
    ):
        follow(game_of(rule, before))


@followed
@ways
def test_an_error_of_the_rule_itself_stays_what_it_is(
    follow: Callable[[Game], None], before: str
) -> None:
    def rule(x: Cup) -> Node[Cup]:
        return Go(keep, x._replace(shown=len(x.shown)))  # type: ignore[arg-type]  # the error

    with pytest.raises(TypeError, match="has no len"):
        follow(game_of(rule, before))


@followed
@ways
def test_a_rule_without_fault_is_followed(follow: Callable[[Game], None], before: str) -> None:
    follow(game_of(lambda x: Go(keep, x), before))
