"""Exchanges of one fighter with another: refusals, what is hidden, open choices, what is noted."""

from __future__ import annotations

import weakref
from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, cast

import pytest

from affray.core.dice import Pool, d
from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Fight, Scene
from affray.core.hints import Hints
from affray.core.node import At, Chance, End, Facts, Go, Node, Option, choose
from affray.core.step import step
from affray.core.system import Field, Objective, System
from affray.core.unknown import Looked
from affray.engine.fight import matchup as matchups
from affray.engine.fight.contest import Contest
from affray.engine.fight.front import EffectOdds, Several
from affray.engine.fight.matchup import Encounter, Matchup, fight_of
from affray.engine.fight.plans import DECIDE_ALL, Plan
from tests import fight_systems as games
from tests.core.assembling import assembled
from tests.fight_systems import Blow, Body, Fighter, Setup

F = Fraction
ONE, OTHER = Fighter("One", 7, sides=4), Fighter("Other", 6, sides=3)
FIRST = Plan("first")


def between(game: Any, plan: Plan = DECIDE_ALL) -> Matchup:
    contest: Contest = games.contest(game, ONE, OTHER, "one", plan)
    return contest.matchup(0, ONE, OTHER)


def meeting(hp: int, **more: Any) -> Encounter:
    return Encounter(ATTACK, Body(7, **more), Body(hp))


def told(odds: EffectOdds | None) -> dict[Any, Fraction]:
    """How likely each effect on the target is."""
    assert odds is not None
    found: dict[Any, Fraction] = defaultdict(F)
    for (_, effect), weight in zip(odds.effects, odds.weights, strict=True):
        found[effect] += F(weight, odds.total)
    return found


def hinting(game: System[Facts], **hints: Any) -> System[Facts]:
    return replace(game, hints=replace(game.hints, **hints))


# -- refusals --------------------------------------------------------------------------------------


def test_two_who_can_not_meet_have_no_exchange() -> None:
    fights = between(games.slugging)
    apart = Matchup(fights.system, None, fights.rulings, fights.plans, fights.objective, 0)
    encounter = meeting(6)
    assert apart.visible(encounter) is encounter
    assert apart.start(encounter) is None
    assert apart.plain_start(encounter, ("One", "Other")) is None
    assert apart.shared_odds(encounter) == (None, True)
    assert not apart.takes_for_others
    assert apart.refusal(encounter) == "they can't meet"
    apart.apart = "One does not dare"
    assert apart.refusal(encounter) == "One does not dare"


def far_or_near(*, looks: bool) -> System[Facts]:
    """Who has three points left or fewer is out of reach."""

    def declare(scene: Scene[Setup, Body]) -> At[Blow]:
        if (scene.target.hp if looks else scene.target.marked) <= 3:
            raise SetupError("it is out of reach")
        return At(games.choose_blow, Blow(1, 4))

    return games._system(declare=declare)


@pytest.mark.parametrize("looks", [False, True])
def test_a_declaration_that_is_refused_comes_to_nothing(looks: bool) -> None:
    """Whether it is known before it is declared, or only by what is hidden."""
    fights = between(far_or_near(looks=looks))
    near, far = (Encounter(ATTACK, Body(7), Body(left, left)) for left in (4, 3))
    for _ in range(2):  # asked again, it says the same
        assert fights.refusal(near) == ""
        assert fights.refusal(far) == "it is out of reach"
        assert fights.start(far) is None
        assert fights.start(near) == fights.plain_start(near, ("One", "Other"))
        assert fights.plain_start(far, ("One", "Other")) is None
        assert told(fights.odds(near)) == {damage: F(1, 4) for damage in (1, 2, 3, 4)}
        assert fights.shared_odds(near)[1] is not looks
        assert fights.odds(far) is None


def test_a_declaration_that_looks_at_what_is_hidden_says_so_each_time() -> None:
    fights = between(far_or_near(looks=True))
    visible = fights.visible(meeting(6))
    for _ in range(2):
        with pytest.raises(Looked):
            fights.veiled_start(visible)
    assert fights.veiled_start(visible, 6) == fights.start(meeting(6)) is not None
    # Those in reach share their odds, but only as each of them is looked at.
    odds, is_shared = fights.odds_for(meeting(6), Several([6, 3]))
    assert (told(odds[0]), odds[1]) == ({damage: F(1, 4) for damage in (1, 2, 3, 4)}, None)
    assert not is_shared


def test_people_read_the_names_that_they_gave() -> None:
    game = games.slugging()
    fight: Any = game.fight
    named: list[tuple[str, str]] = []

    def naming(setup: Setup, one: str, other: str) -> Setup:
        named.append((one, other))
        return Setup(replace(setup.attacker, name=one), replace(setup.defender, name=other))

    def declare(scene: Scene[Setup, Body]) -> At[Blow]:
        return At(games.choose_blow, Blow(len(scene.setup.attacker.name), 4))

    fights = between(replace(game, fight=replace(fight, named=naming, declare=declare)))
    for names in (("Ann", "Bob"), ("Ann", "Bob"), ("Rita", "Bob")):
        at: Any = fights.plain_start(meeting(6), names)
        assert at.facts.dice == len(names[0])
    assert named == [("Ann", "Bob"), ("Rita", "Bob")]


def test_a_fault_in_a_declaration_is_no_look() -> None:
    def declare(scene: Scene[Setup, Body]) -> At[Blow]:
        raise ZeroDivisionError

    fights = between(games._system(declare=declare))
    with pytest.raises(ZeroDivisionError):
        fights.odds(meeting(6))
    with pytest.raises(ZeroDivisionError):
        fights.start(meeting(6))


def test_a_declaration_that_python_refuses_for_what_is_unknown_has_looked() -> None:
    """`pow` takes nothing unknown in the place of a number."""
    game = games._system(
        declare=lambda scene: At(games.choose_blow, Blow(1, pow(2, scene.target.hp, 5)))
    )
    fights = between(game)
    for left, sides in ((5, 2), (6, 4), (7, 3)):
        assert told(fights.odds(meeting(left))) == {
            face: F(1, sides) for face in range(1, sides + 1)
        }
    assert not fights.shared_odds(meeting(6))[1]


def test_a_system_that_says_nothing_about_fights_has_none() -> None:
    with pytest.raises(SetupError, match="says nothing about fights"):
        fight_of(replace(games.slugging(), fight=None))


# -- what exchanges see ----------------------------------------------------------------------------


def test_a_condition_is_seen_otherwise_in_who_acts_than_in_who_is_struck() -> None:
    game = hinting(
        games.slugging(),
        acting=lambda sheet, body: body._replace(strength=10),
        struck=lambda sheet, body: body._replace(marked=20),
        against=lambda setup, mine, theirs: theirs._replace(strength=mine.strength + 1),
        around=lambda said: (said, "as seen"),
    )
    fights, body = between(game), Body(5, 1, 2)
    shown = fights.visible(Encounter(ATTACK, body, body))
    assert (shown.actor, shown.target) == (Body(0, 1, 10), Body(0, 20, 11))
    assert fights.takes_for_others
    assert fights.each_met(body, [Body(0, 20, 7)]) == [Body(0, 20, 11)]
    # Where something is said of mates, the target is as it is.
    with_mates = fights.visible(Encounter(ATTACK, body, body, context="guarded"))
    assert with_mates.target == Body(0, 20, 2)
    assert with_mates.context == ("guarded", "as seen")
    with_company = fights.visible(Encounter(ATTACK, body, body, company="friends"))
    assert (with_company.target, with_company.company) == (Body(0, 20, 2), "friends")


def test_exchanges_that_look_alike_have_the_same_odds_object() -> None:
    fights = between(games.slugging)
    first = fights.odds(meeting(6))
    assert fights.odds(meeting(2)) is first
    many, is_shared = fights.odds_for(meeting(4), Several([3, 5]))
    assert many[0] is many[1] is first
    assert is_shared
    assert len(fights.table) == 1


def test_odds_of_several_hidden_parts_are_those_of_each() -> None:
    """A blow that gets through finishes off those with three points left."""
    together, alone = between(games.finishing), between(games.finishing)
    parts = [5, 2, 3]
    several = Several(parts)
    for _ in range(2):
        found, is_shared = together.odds_for(meeting(5), several)
        assert not is_shared
        for part, odds in zip(parts, found, strict=True):
            assert told(odds) == told(alone.odds(meeting(part)))
    finished = {2: {2: F(1)}, 3: {3: F(1)}, 5: {damage: F(1, 4) for damage in (1, 2, 3, 4)}}
    assert {part: told(alone.odds(meeting(part))) for part in parts} == finished


# -- choices that plans leave open -----------------------------------------------------------------


def best_of(left: int) -> dict[int, Fraction]:
    """A d4 on average does 2.5; a wild blow all that is left, every other time."""
    if F(left, 2) > F(5, 2):
        return {0: F(1, 2), left: F(1, 2)}
    return {damage: F(1, 4) for damage in (1, 2, 3, 4)}


@pytest.mark.parametrize("needed", [None, frozenset({"damage"})])
def test_an_open_choice_is_made_for_the_most_harm(
    needed: frozenset[str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many exchanges leave it open, and however small solutions are kept."""
    game = hinting(games.choosing(), needed=needed)
    for enough, most in ((2, 50_000), (1_000, 50_000), (2, 0)):
        monkeypatch.setattr(matchups, "ENOUGH_OPEN", enough)
        monkeypatch.setattr(matchups, "MOST_SOLVED", most)
        fights = between(game)
        for strength in range(5):
            for left in (2, 5, 6, 9):
                odds = fights.odds(meeting(left, strength=strength))
                assert told(odds) == best_of(left)
            several = Several([4, 7])
            found, _ = fights.odds_for(meeting(4, strength=strength), several)
            assert [told(odds) for odds in found] == [best_of(4), best_of(7)]


def test_a_solution_is_kept_until_it_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    fights = between(games.choosing)
    first = fights.solution
    fights.odds(meeting(6))
    assert fights.solution is first
    monkeypatch.setattr(matchups, "MOST_SOLVED", first.followed)
    assert fights.solution is first
    monkeypatch.setattr(matchups, "MOST_SOLVED", first.followed - 1)
    assert fights.solution is not first


@pytest.mark.parametrize("splits", [False, True])
def test_a_solution_that_is_too_large_is_gone(
    splits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the exchanges that were followed with it; what they come to is found out again."""
    hints: dict[str, Any] = {"needed": None, "splits": (lambda *_: None) if splits else None}
    fights = between(hinting(games.choosing(), **hints))
    lefts = [2, 4, 7]
    several = Several(lefts)
    for strength in range(3):
        fights.odds_for(meeting(4, strength=strength), several)
    gone = weakref.ref(fights.solution)
    followed = fights.solution.followed
    monkeypatch.setattr(matchups, "MOST_SOLVED", followed - 1)
    assert fights.solution is not None
    monkeypatch.setattr(matchups, "MOST_SOLVED", 50_000)
    assert gone() is None
    for strength in range(3):
        found, _ = fights.odds_for(meeting(4, strength=strength), several)
        assert [told(odds) for odds in found] == [best_of(left) for left in lefts]


def test_the_rest_of_an_exchange_is_solved_as_well() -> None:
    fights = between(games.choosing)
    begun: At[Any] = At(games.choose_blow, Blow(1, 4, left=8, choice=True))
    odds = fights.odds_from(begun)
    assert told(odds) == best_of(8)
    assert fights.odds_from(begun) is odds
    chosen: At[Any] = At(games.roll_blow, Blow(1, 2))
    assert told(fights.odds_from(chosen)) == {1: F(1, 2), 2: F(1, 2)}


def test_options_are_noted_at_steps_for_which_somebody_has_a_habit() -> None:
    habit = Plan("any", (("choose_blow", ("wild",)),))
    fights = between(games.choosing, habit)
    assert told(fights.odds(meeting(2))) == {0: F(1, 2), 2: F(1, 2)}
    ((who, step),) = fights.offered
    assert (who, step) == ("attacker", "choose_blow")
    assert set(fights.offered[who, step]) == {"steady", "wild"}
    plain = between(games.choosing, FIRST)
    plain.odds(meeting(2))
    assert not plain.offered


@pytest.mark.parametrize("needed", [None, frozenset({"damage"})])
@pytest.mark.parametrize("enough", [0, 8])
def test_options_are_noted_where_a_habit_finds_none_of_its_own(
    enough: int, needed: frozenset[str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where no plan is tried any more since too many exchanges have left a choice open."""
    monkeypatch.setattr(matchups, "ENOUGH_OPEN", enough)
    fights = between(
        hinting(games.choosing(), needed=needed), Plan("any", (("choose_blow", ("bold",)),))
    )
    assert told(fights.odds(meeting(8))) == best_of(8)
    assert set(fights.offered["attacker", "choose_blow"]) == {"steady", "wild"}


def test_a_system_that_promises_nothing_comes_to_the_same() -> None:
    """All that an engine may know beforehand is left out."""
    bare = replace(games.choosing(), hints=Hints())
    for left in (2, 5, 6, 9):
        assert told(between(bare).odds(meeting(left))) == best_of(left)


# -- choices that make no difference to whoever decides --------------------------------------------


class Fall(NamedTuple):
    """A blow of a d12 against 3 of armor; whoever is struck then stands or falls."""

    rolled: int = 0
    harm: Any = 0
    falls: bool = False


met: Counter[str] = Counter()
"""How often rules were asked, by step."""


@step("TY-1")
def throw(x: Fall) -> Node[Fall]:
    """The attacker rolls."""
    return Chance("attacker", "blow", Pool((d(12), 1)), games.Count(0), "rolled", At(land, x))


@step("TY-2")
def land(x: Fall) -> Node[Fall]:
    """Armor takes 3 off."""
    met["land"] += 1
    return Go(brace, Fall(harm=x.rolled - 3 if x.rolled > 3 else 0))


@step("TY-3")
def brace(x: Fall) -> Node[Fall]:
    """The defender stands or falls, hurt as they are."""
    met["brace"] += 1
    stand, fall = At(lie, x), At(lie, x._replace(falls=True))
    return choose("defender", "which?", [Option("stand", stand), Option("fall", fall)])


@step("TY-3")
def begin(x: Fall) -> Node[Fall]:
    """The attacker strikes, or asks for peace."""
    return choose("attacker", "war?", [Option("strike", At(throw, x)), Option("ask", At(ask, x))])


@step("TY-3")
def ask(x: Fall) -> Node[Fall]:
    """The attacker kneels or bows, which does no harm either way."""
    kneel, bow = At(lie, x), At(lie, x._replace(falls=True))
    return choose("attacker", "how?", [Option("kneel", kneel), Option("bow", bow)])


@step("TY-4")
def lie(x: Fall) -> Node[Fall]:
    """It is over."""
    return End(x)


def falling(start: Any = throw, plan: Plan = DECIDE_ALL, **hints: Any) -> Matchup:
    """Exchanges in which the one who is struck may fall, with plans that settle nothing."""
    harm = Field[Any]("harm", "Harm.", lambda x: x.harm, "TY-2")
    falls = Field[Any]("falls", "Whether they fall.", lambda x: x.falls, "TY-3")
    fight: Fight[Any, Any, Any, Any, Any] = replace(
        cast("Any", games.slugging().fight),
        declare=lambda scene: At(start, Fall()),
        effect=lambda x, role: (x.harm, x.falls) if role == "target" else (0, False),
    )
    system = assembled(
        (begin, throw, land, brace, ask, lie), fields=(harm, falls), fight=fight,
        objectives=(Objective[Any]("harm", "Harm.", lambda x: x.harm, "attacker", "harm"),),
        hints=Hints[Any, Any, Any](needed=frozenset({"harm", "falls"}), **hints),
    )  # fmt: skip
    return between(system, plan)


@pytest.mark.parametrize(
    ("hints", "asked"),
    [
        # Up to the armor and beyond it, each with the number unknown and by itself.
        ({"fixes": {brace: ("harm",)}}, {"land": 2 * 2, "brace": 2 * 2}),
        ({}, None),
    ],
)
def test_what_makes_no_difference_is_decided_for_many_numbers_at_once(
    hints: dict[str, Any], asked: dict[str, int] | None
) -> None:
    fights, shares = falling(**hints), {harm: F(1, 12) for harm in range(1, 10)}
    expected = {(harm, False): share for harm, share in {0: F(3, 12), **shares}.items()}
    assert told(fights.odds(meeting(6))) == expected
    opened, at = falling(**hints)._opened, fights.start(meeting(6))
    assert opened is not None
    assert at is not None
    met.clear()
    assert told(opened.front(at).odds) == expected
    if asked is None:
        assert met["land"] >= 12
    else:
        assert met == asked


def test_options_are_noted_of_ways_that_nobody_takes() -> None:
    """They were on offer, though to strike does more."""
    fights = falling(begin, Plan("any", (("ask", ("beg",)),)))
    assert max(harm for harm, _ in told(fights.odds(meeting(6)))) == 9
    assert fights._opened is not None
    assert set(fights.offered["attacker", "ask"]) == {"kneel", "bow"}
