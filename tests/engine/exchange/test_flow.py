"""Flow: probability is neither lost nor doubled, and equal places are expanded once."""

from fractions import Fraction
from typing import Any, NamedTuple, cast

import pytest
from hypothesis import given

from affray.core.dice import Pool
from affray.core.errors import LimitError, RulesError
from affray.core.node import At, Chance, Choice, End, Facts, Go, Node, Option, Step, fill
from affray.core.reading import enumerated
from affray.core.step import step
from affray.engine.budget import Budget, spending
from affray.engine.exchange.flow import Decided, Flow, flow
from affray.engine.exchange.game import Game, settled_option
from tests.core.assembling import assembled
from tests.engine import toy
from tests.engine.toy import BLOCK, FORGETTING, SYSTEM, always, duel, facts_of, fewest_states
from tests.engine.trees import TREES, Fork, Leaf, Roll, Tree, Walk, game_of

FIRST = always()
ALL = frozenset({"damage", "hits", "points", "loot"})


def chances(ended: dict[int, dict[Facts, int]]) -> dict[Facts, Fraction]:
    """Final facts with their probability."""
    found: dict[Facts, Fraction] = {}
    for total, finals in ended.items():
        for facts, weight in finals.items():
            found[facts] = found.get(facts, Fraction(0)) + Fraction(weight, total)
    return found


def places_met(game: Game) -> set[At[Facts]]:
    """Every place that can be met when the first option is always taken, by plain search."""
    met: set[At[Facts]] = set()
    waiting = [game.start]
    while waiting:
        at = waiting.pop()
        if at in met:
            continue
        met.add(at)
        node = at.step.rule(at.facts)
        if isinstance(node, Chance):
            readings = enumerated(node.dice, cast("Any", node.read))
            waiting.extend(fill(node.then, node.into, reading) for reading in readings)
        elif isinstance(node, Go):
            waiting.append(node.at)
        elif isinstance(node, Choice):
            waiting.append((settled_option(game, at, node) or node.options[0]).at)
    return met


# -- nothing is lost -------------------------------------------------------------------------


@pytest.mark.parametrize("needed", [None, ALL, {"damage"}, {"loot"}, {"hits", "points"}])
@pytest.mark.parametrize("system", [SYSTEM, FORGETTING], ids=["plain", "dropping"])
def test_all_probability_arrives(needed: set[str] | None, system: Any) -> None:
    game = duel(1, 3, points=1, system=system)
    asked = None if needed is None else frozenset(needed)
    ended = flow(game, always("reroll", "gamble"), needed=asked)
    assert sum(chances(ended).values()) == 1
    assert all(type(weight) is int for finals in ended.values() for weight in finals.values())


@given(TREES)
def test_all_probability_of_random_trees_arrives(tree: Tree) -> None:
    assert sum(chances(flow(game_of(tree), FIRST)).values()) == 1


A, B, C = (Leaf(Fraction(n), Fraction(0)) for n in range(3))


def test_branches_of_unequal_denominators_by_hand() -> None:
    # Half go over thirds, half over fifths, and meet in A and B.
    tree = Roll((1, 1), (Roll((1, 2), (A, B)), Roll((2, 3), (A, C))))
    assert chances(flow(game_of(tree), FIRST)) == {
        Walk(A): Fraction(1, 6) + Fraction(1, 5),
        Walk(B): Fraction(1, 3),
        Walk(C): Fraction(3, 10),
    }


def test_branches_of_unequal_depth_by_hand() -> None:
    # A is met at once, after a fork, and after two more rolls; the middle die has three faces.
    tree = Roll((3, 2, 2), (A, Fork("attacker", (A, B), (0, 0)), Roll((1, 5), (A, C))))
    assert chances(flow(game_of(tree), FIRST)) == {
        Walk(A): Fraction(3, 7) + Fraction(2, 7) + Fraction(2, 7) * Fraction(1, 6),
        Walk(C): Fraction(2, 7) * Fraction(5, 6),
    }


def test_places_that_meet_before_another_roll() -> None:
    # Both branches come, over thirds and over fifths, to the same coin.
    coin = Roll((1, 1), (A, B))
    tree = Roll((1, 1), (Roll((1, 2), (coin, C)), Roll((3, 2), (coin, C))))
    share = Fraction(1, 2) * (Fraction(1, 3) + Fraction(3, 5))
    assert chances(flow(game_of(tree), FIRST)) == {
        Walk(A): share / 2,
        Walk(B): share / 2,
        Walk(C): 1 - share,
    }


def test_start_in_the_middle_of_the_book() -> None:
    game = duel()._replace(start=At(SYSTEM.step_named("roll_gamble"), toy.Duel((2,), die=5)))
    found = chances(flow(game, FIRST, needed=frozenset({"damage"})))
    assert found == {toy.Duel(()): Fraction(1, 3), toy.Duel((), hits=1, damage=3): Fraction(2, 3)}


# -- equal places are expanded once ----------------------------------------------------------


@pytest.mark.parametrize("targets", [(0,), (1, 2), (2, 2, 2)])
def test_each_place_is_expanded_once(targets: tuple[int, ...]) -> None:
    game = duel(*targets, settled=BLOCK)
    assert fewest_states(lambda most: flow(game, FIRST)) == len(places_met(game))


def test_forgetting_makes_places_meet() -> None:
    def states(system: Any) -> int:
        game = duel(1, 1, 1, settled=BLOCK, system=system)
        asked = frozenset({"hits"})
        return fewest_states(lambda most: flow(game, FIRST, needed=asked))

    assert states(FORGETTING) * 3 < states(SYSTEM)


def test_nothing_is_dropped_when_everything_is_needed() -> None:
    plain = chances(flow(duel(1, 1, settled=BLOCK), FIRST))
    assert chances(flow(duel(1, 1, settled=BLOCK, system=FORGETTING), FIRST)) == plain
    assert any(facts_of(facts).damage > 2 for facts in plain)


def test_flow_stops_where_all_that_is_asked_is_settled() -> None:
    game = duel(0, settled=BLOCK)
    stopped = chances(flow(game, FIRST, needed=frozenset({"damage", "hits"})))
    assert {facts_of(facts).loot for facts in stopped} == {0}
    assert {facts_of(facts).hits for facts in stopped} == {0, 1}
    whole = chances(flow(game, FIRST, needed=frozenset({"damage", "loot"})))
    assert {facts_of(facts).loot for facts in whole} == set(range(7))


def test_asking_for_no_field_stops_at_the_start() -> None:
    game = duel()
    assert flow(game, FIRST, needed=frozenset()) == {1: {game.start.facts: 1}}


# -- decisions are watched -------------------------------------------------------------------


def test_every_decision_is_told_with_its_weight() -> None:
    seen: list[Decided] = []
    flow(duel(1, 1, points=2), always("reroll", "gamble"), watch=seen.append)
    for name, times in (("choose_reroll", 2), ("choose_stance", 2)):
        own = [each for each in seen if each.at.step.name == name]
        assert sum(Fraction(each.weight, each.total) for each in own) == times
        assert {each.taken.name for each in own} == {
            "reroll" if name == "choose_reroll" else "gamble"
        }
        assert all(each.taken in each.choice.options for each in own)
        assert len({(each.at) for each in own}) == len(own)


def test_weight_of_a_decision_by_hand() -> None:
    fork = Fork("attacker", (A, B), (0, 0))
    tree = Roll((1, 2), (fork, Roll((3, 1), (fork, C))))
    seen: list[Decided] = []
    flow(game_of(tree), FIRST, watch=seen.append)
    assert sum(Fraction(each.weight, each.total) for each in seen) == (
        Fraction(1, 3) + Fraction(2, 3) * Fraction(3, 4)
    )


# -- limits ----------------------------------------------------------------------------------


def test_limit_carries_what_was_settled() -> None:
    # A quarter ends after one roll: the root, two faces, two places; then two faces are too many.
    tree = Roll((1, 3), (A, Roll((1, 1), (B, C))))
    with pytest.raises(LimitError) as caught, spending(Budget(places=5)):
        flow(game_of(tree), FIRST)
    assert caught.value.states == 7
    assert caught.value.p_ended == 0.25
    assert (
        "toy: over 5 places at 'Take the branch that the die showed.'; 25.00 % of the probability"
        in str(caught.value)
    )


def test_limit_before_anything_is_settled() -> None:
    with pytest.raises(LimitError) as caught, spending(Budget(places=0)):
        flow(duel(settled=BLOCK), FIRST)
    assert (caught.value.states, caught.value.p_ended) == (1, 0)


def test_too_many_places_are_foreseen_before_they_are_expanded() -> None:
    game = game_of(Roll((1, 1, 1, 1), (A, A, B, C)))
    for most, states in ((0, 1), (1, 1), (3, 1), (4, 1)):
        with pytest.raises(LimitError, match=f"over {most} places") as caught:
            Flow(game, FIRST, most=most).run()
        assert caught.value.states == states
    ended = Flow(game, FIRST, most=20).run().all_finals()
    assert sum(chances(ended).values()) == 1


def test_every_limit_raises_or_loses_nothing() -> None:
    tree = Roll((1, 3), (A, Roll((1, 1), (B, Roll((2, 1), (A, Fork("attacker", (C,), (0,))))))))
    settled = []
    for limit in range(20):
        try:
            with spending(Budget(places=limit)):
                ended = flow(game_of(tree), FIRST)
        except LimitError as error:
            settled.append(error.p_ended)
        else:
            assert sum(chances(ended).values()) == 1
    assert settled == sorted(settled)
    assert settled[0] == 0
    assert 0.5 < settled[-1] < 1
    assert len(settled) < 20


# -- loops and steps that nobody lists -------------------------------------------------------


class Count(NamedTuple):
    """Rounds to go, and where to go."""

    rounds: int
    heads: int = 0
    coin: str = ""
    step: Any = None


@step("TY-1")
def last(x: Count) -> Node[Count]:
    """Listed first, met last."""
    return End(x)


@step("TY-2")
def tally(x: Count) -> Node[Count]:
    """Count what the coin showed; then another round, or the end."""
    after = Count(x.rounds - 1, x.heads + (x.coin == "crown"))
    return Go(toss, after) if after.rounds else Go(last, after)


@step("TY-3")
def toss(x: Count) -> Node[Count]:
    """Toss a coin: on a cross one round fewer is left."""
    pool = Pool((toy.COIN, 1))
    return Chance("attacker", "coin", pool, toy.TheFace(), "coin", At(skip, x))


@step("TY-4")
def skip(x: Count) -> Node[Count]:
    """A cross costs a round, if there are two."""
    less = x.coin == "cross" and x.rounds > 1
    return Go(tally, x._replace(rounds=x.rounds - less))


@step("TY-5")
def lost(x: Count) -> Node[Count]:
    """Goes wherever the facts say."""
    return Go(x.step, x)


@step("TY-1")
def enter(x: Count) -> Node[Count]:
    """A round: the coin says which of two ways it goes."""
    if not x.rounds:
        return Go(close, x)
    then = At(part, x)
    return Chance("attacker", "coin", Pool((toy.COIN, 1)), toy.TheFace(), "coin", then)


@step("TY-2")
def part(x: Count) -> Node[Count]:
    """Two ways part."""
    return Go(short if x.coin == "crown" else long, x._replace(coin=""))


@step("TY-3")
def short(x: Count) -> Node[Count]:
    """The short way back."""
    return Go(enter, x._replace(rounds=x.rounds - 1))


@step("TY-4")
def long(x: Count) -> Node[Count]:
    """The long way back."""
    return Go(enter, x._replace(rounds=x.rounds - 1))


@step("TY-5")
def close(x: Count) -> Node[Count]:
    """It is over."""
    return End(x)


@step("TY-1")
def stay(x: Count) -> Node[Count]:
    """A coin; on a crown the next round begins here, on a cross after a way round."""
    if not x.rounds:
        return Go(close, x)
    if x.coin == "crown":
        return Go(stay, Count(x.rounds - 1))
    if x.coin == "cross":
        return Go(long_stay, x)
    then = At(stay, x)
    return Chance("attacker", "coin", Pool((toy.COIN, 1)), toy.TheFace(), "coin", then)


@step("TY-2")
def long_stay(x: Count) -> Node[Count]:
    """The way round."""
    return Go(stay, Count(x.rounds - 1))


@pytest.mark.parametrize(
    "steps",
    [(enter, part, short, long, close), (stay, long_stay, close)],
    ids=["two ways back", "a step to itself"],
)
def test_ways_back_meet_before_the_next_round(steps: tuple[Step[Count], ...]) -> None:
    system = assembled(steps)
    game = Game(system, At(system.start, Count(6)))
    ended = flow(game, FIRST)
    assert chances(ended) == {Count(0): 1}
    assert fewest_states(lambda most: flow(game, FIRST)) == len(places_met(game))


@pytest.mark.parametrize("rounds", range(1, 9))
def test_backward_steps_and_laps_of_unequal_length(rounds: int) -> None:
    system = assembled((last, tally, toss, skip), start=toss)
    game = Game(system, cast("At[Facts]", At(toss, Count(rounds))))

    def walked(left: int, heads: int, chance: Fraction) -> dict[int, Fraction]:
        if left <= 0:
            return {heads: chance}
        found = walked(left - 1, heads + 1, chance / 3)
        for number, more in walked(max(left - 2, 0), heads, chance * 2 / 3).items():
            found[number] = found.get(number, Fraction(0)) + more
        return found

    ended = chances(flow(game, FIRST))
    assert {facts[1]: chance for facts, chance in ended.items()} == walked(rounds, 0, Fraction(1))


def test_step_that_is_not_listed_is_a_bug_of_the_system() -> None:
    system = assembled((lost,))
    unlisted: Step[Count] = last
    game = Game(system, cast("At[Facts]", At(lost, Count(1, step=unlisted))))
    with pytest.raises(RulesError, match="leads to last, which the system doesn't list"):
        flow(game, FIRST)


def test_options_of_a_policy_are_followed() -> None:
    tree = Fork("attacker", (A, B, C), (0, 0, 0))

    def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        return choice.options[-1]

    assert chances(flow(game_of(tree), decide)) == {Walk(C): 1}
