"""Laws of hints: what is true passes, whatever it promises, and each kind of lie is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any, NamedTuple

import pytest

from affray.core.dice import Face, Pool, d
from affray.core.hints import Alike, Hints
from affray.core.node import At, Chance, End, Go, Node, Option, choose
from affray.core.reading import SumOfDice
from affray.core.step import step
from affray.core.system import Field, Objective, System
from affray.testing import Fault, check, promised_choices
from tests.outside import brawl
from tests.outside.brawl import FIGHT

SIX, FOUR = Pool((d(6), 1)), Pool((d(4), 1))


class Match(NamedTuple):
    """The facts of a match: a die that counts by halves, and others that hardly do.

    Attributes:
        is_quick: whether nothing is asked but what counts; so no match begins.
    """

    strength: int
    armor: int
    first: int = 0
    idle: int = 0
    more: int = 0
    damage: int = 0
    noted: bool = False
    is_quick: bool = False


class Even(NamedTuple):
    """The first die, an odd face as the even one below it."""

    def __call__(self, faces: tuple[Face, ...]) -> int:
        return int(faces[0]) // 2 * 2


@step("BR-1")
def roll_first(x: Match) -> Node[Match]:
    """The first die."""
    return Chance("attacker", "first", SIX, SumOfDice(), "first", At(pass_on, x))


@step("BR-1")
def pass_on(x: Match) -> Node[Match]:
    """Nothing happens."""
    return Go(roll_more if x.is_quick else roll_idle, x)


def rolled(x: Match, pool: Pool) -> Chance[Match]:
    return Chance("defender", "idle", pool, SumOfDice(), "idle", At(roll_more, x))


@step("BR-1")
def roll_idle(x: Match) -> Node[Match]:
    """A die of no matter for the damage."""
    return rolled(x, FOUR)


@step("BR-1")
def roll_more(x: Match) -> Node[Match]:
    """A die that looks the same, of which a 4 counts."""
    return Chance("defender", "idle", FOUR, SumOfDice(), "more", At(ask, x))


@step("BR-2")
def ask(x: Match) -> Node[Match]:
    """The attacker may have it noted, unless there is too much armor."""
    if x.is_quick:
        return Go(strike, x)
    options = [Option("keep", At(strike, x))]
    if x.armor < 9:
        options.append(Option("note", At(strike, x._replace(noted=True)), spends=1))
    closed = () if x.armor < 9 else (("note", "too much armor"),)
    return choose("attacker", "note it?", options, (("armor", x.armor),), closed)


@step("BR-3")
def strike(x: Match) -> Node[Match]:
    """Half of the first die is damage, and a point more where the last one shows a 4."""
    damage = max(0, x.first // 2 + (x.more == 4) + x.strength - x.armor)
    return Go(linger if x.idle == 1 else stop, x._replace(first=0, more=0, armor=0, damage=damage))


@step("BR-3")
def linger(x: Match) -> Node[Match]:
    """Nothing happens either."""
    return Go(stop, x)


@step("BR-3")
def stop(x: Match) -> Node[Match]:
    """It is over."""
    return End(x)


STEPS = (roll_first, pass_on, roll_idle, roll_more, ask, strike, linger, stop)
FIELDS = tuple(
    Field[Match](name, name, attrgetter(name), "BR-3") for name in ("damage", "idle", "noted")
)
DAMAGE = Objective[Match]("damage", "damage", lambda x: x.damage, "attacker", "damage")
HIT = Objective[Match]("hit", "a hit", lambda x: int(x.damage > 0), "attacker")


def match(objectives: tuple[Objective[Match], ...] = (DAMAGE, HIT), **hints: Any) -> System[Any]:
    """Matches with these hints."""

    def declare(setup: Any, rulings: Any) -> At[Any]:
        return At(roll_first, Match(setup.attacker.strength, setup.defender.armor))

    return System(
        id="brawl", title="Match", edition="first", credit="Invented.", prefix="BR",
        actors=("attacker", "defender"), steps=STEPS, start=roll_first, setup=brawl.Setup,
        declare=declare, fields=FIELDS, objectives=objectives, rulings=(),
        folder=brawl.SYSTEM.folder, roster_keys=brawl.SYSTEM.roster_keys,
        fight=replace(FIGHT, declare=lambda scene: declare(scene.setup, scene.rulings)),
        hints=Hints(**hints),
    )  # fmt: skip


def told(found: System[Any]) -> Mapping[str, Fault]:
    """The first fault of each law of hints."""
    broken: dict[str, Fault] = {}
    for fault in check(found, ["hints"]):
        broken.setdefault(fault.law.removeprefix("hints/"), fault)
    return broken


def halved(roll: Chance[Match], needed: frozenset[str]) -> Chance[Match]:
    """Halves of the first die, unless it is to be told; an idle one not needed is thrown along."""
    if roll.into != "first" or "told" in needed:
        return roll
    if "idle" in needed:
        return roll._replace(read=Even())
    return roll._replace(
        dice=Pool((d(6), 1), (d(4), 1)), read=Even(), then=At(roll_more, roll.then.facts)
    )


def quick(x: Match, needed: frozenset[str]) -> Match:
    """Nothing more is asked, if only the damage is wanted."""
    return x if needed & {"idle", "noted"} else x._replace(is_quick=True)


def with_idle(idle: int) -> Callable[[Match, frozenset[str]], Match]:
    return lambda x, needed: x if "idle" in needed else x._replace(idle=idle)


def plain_to_decide(x: Match, needed: frozenset[str]) -> Match:
    """All armor that stops the blow is as good as so much that it can't get through."""
    if needed == {"damage"} and x.first // 2 + (x.more == 4) + x.strength <= x.armor:
        return x._replace(armor=8)
    return with_idle(0)(x, needed)


TRUE: dict[str, Any] = {
    "aside": {
        pass_on: ("first", "strength", "armor", "idle"),
        roll_more: ("first", "strength", "armor", "idle"),
        ask: ("first", "strength", "idle", "more"),
        strike: ("noted",),
        stop: ("damage",),
    },
    "fixes": {roll_more: ("idle",), linger: ("damage", "noted"), stop: ("damage", "noted", "idle")},
    "fixes_where": {
        strike: lambda x: ("noted",) if x.noted else (),
        ask: lambda x: ("damage",) if x.armor == 8 else (),
        linger: lambda x: (),  # more than it fixes anyway
    },
    "decides": {"hit": ("damage",)},
    "columns": {"idle": lambda x, into, values: list(values)},
    "alike": {strike: Alike("first", lambda x, values: [value // 2 for value in values])},
    "several": {strike: lambda: strike.rule},
    "outdone": {"damage": {ask: {"note": "keep"}}},
    "plain": {pass_on: quick, ask: plain_to_decide, strike: with_idle(1)},
    "forget": halved,
    "shown": frozenset({"told"}),
    "needed": frozenset({"damage"}),
    "spends_at": {ask: ("keep", "hold")},
}


@pytest.mark.parametrize("needed", [frozenset({"damage"}), None])
def test_promises_that_are_kept_are_no_faults(needed: frozenset[str] | None) -> None:
    assert check(match(**{**TRUE, "needed": needed}), ["hints"]) == ()


def test_a_choice_that_tells_of_plainer_facts_is_told() -> None:
    lie = told(match(**{**TRUE, "shown": frozenset()}))["decisions-are-told-the-same"]
    assert lie.where == "example plain, objective damage"
    assert lie.what == "attacker at step ask is told something else if something is forgotten"


@pytest.mark.parametrize("left_out", [{"plain": {}, "forget": None}, {}])
def test_large_exchanges_are_not_compared(
    monkeypatch: pytest.MonkeyPatch, left_out: dict[str, Any]
) -> None:
    monkeypatch.setattr(promised_choices, "MOST_PLACES", 0)
    assert not told(match(**{**TRUE, "shown": frozenset(), **left_out}))


def on_effects(lie: Callable[[Match], Match]) -> dict[str, Any]:
    """Something else for those who ask what an exchange does in a fight, for nobody else."""
    return {
        "needed": frozenset({"effects"}),
        "plain": {strike: lambda x, needed: lie(x) if needed == {"effects"} else x},
    }


def forgetting(lie: Callable[[Match], Match], only: str = "") -> Any:
    def forget(roll: Chance[Match], needed: frozenset[str]) -> Chance[Match]:
        if only and needed != {only}:
            return roll
        return roll._replace(then=At(roll.then.step, lie(roll.then.facts)))

    return forget


ARMED: Callable[[Match], Match] = lambda x: x._replace(armor=9)  # noqa: E731
STRONG: Callable[[Match], Match] = lambda x: x._replace(strength=9)  # noqa: E731


@pytest.mark.parametrize(
    ("hints", "law", "what"),
    [
        ({"aside": {ask: ("armor",)}}, "steps-leave-aside-what-they-promise", "it reads armor"),
        ({"aside": {strike: ("idle",)}}, "steps-leave-aside-what-they-promise", "it reads idle"),
        ({"aside": {linger: ("idle",), strike: ("damage",)}},
         "steps-leave-aside-what-they-promise", "it changes damage"),
        ({"alike": {strike: Alike("first", lambda x, values: [1])}},
         "a-step-says-the-same-for-values-that-are-alike", "there are 1 keys for "),
        ({"fixes": {roll_more: ("idle",)}, "columns": {"idle": lambda x, into, values: [1]}},
         "columns-are-what-their-fields-are", "it gives 1 values for 4 readings of 1d4"),
        ({"several": {pass_on: lambda: lambda x: Go(roll_more, x)}},
         "a-rule-for-several-places-says-what-the-step-says", "it leads elsewhere"),
        ({"several": {pass_on: lambda: End}},
         "a-rule-for-several-places-says-what-the-step-says", "it says something else"),
        ({"several": {roll_idle: lambda: lambda x: rolled(x, SIX)}},
         "a-rule-for-several-places-says-what-the-step-says", "it says something else"),
        ({"fixes_where": {ask: lambda x: ("damage",)}},
         "fields-fixed-by-the-facts-never-change-again", "damage is 0 there and "),
        ({"forget": forgetting(ARMED)}, "what-is-forgotten-was-not-needed",
         ": step ask offers other options"),
        ({"forget": lambda roll, needed: forgetting(STRONG)(roll, needed)
          if roll.into == "idle" else roll},  # not where the same dice are rolled for more
         "what-is-forgotten-was-not-needed", "asked for damage, it comes to "),
        ({"forget": forgetting(ARMED, "effects"), "needed": frozenset({"effects"})},
         "what-is-forgotten-was-not-needed", "in a fight: step ask offers other options"),
        ({"forget": forgetting(STRONG, "effects"), "needed": frozenset({"effects"})},
         "what-is-forgotten-was-not-needed", "the effects in a fight differ"),
        ({"plain": {pass_on: lambda x, needed: x._replace(is_quick=True)}},
         "plainer-facts-come-to-the-same", "asked for "),
        (on_effects(STRONG), "plainer-facts-come-to-the-same", "the effects in a fight differ"),
    ],
)  # fmt: skip
def test_a_promise_that_is_broken_is_told(hints: dict[str, Any], law: str, what: str) -> None:
    found = told(match(**hints))
    assert set(found) == {law}
    assert what in found[law].what


def noting(outcome: Match, role: str) -> int:
    """Effects of a match in which a note counts too."""
    return outcome.damage + outcome.noted if role == "target" else 0


@pytest.mark.parametrize(
    ("needed", "hints", "what"),
    [
        ({"damage", "noted"}, {}, ""),
        ({"damage", "noted"}, {"fixes": TRUE["fixes"]}, ""),
        ({"damage", "noted"}, {"forget": lambda roll, needed: roll}, ""),
        ({"damage"}, {}, "with damage the same, effects are 0 and "),
        ({"noted"}, {}, "with noted the same, effects are 0 and "),
        ({"damage", "noise"}, {}, "it names damage, noise; outcome fields are damage, idle, noted"),
        # other names, which `forget` knows: only where engines stop sooner
        ({"effects"}, {"forget": lambda roll, needed: roll}, ""),
        ({"idle"}, {"fixes": {ask: ("idle",)}, "forget": lambda roll, needed: roll},
         "idle can't change after step ask, and effects do: 0 and 0 there, 0 and "),
    ],
)  # fmt: skip
def test_what_effects_need_is_all_that_they_read(
    needed: set[str], hints: dict[str, Any], what: str
) -> None:
    found = match(needed=frozenset(needed), **hints)
    assert found.fight is not None
    broken = told(replace(found, fight=replace(found.fight, effect=noting)))
    assert set(broken) == ({"effects-read-what-is-needed"} if what else set())
    assert what in "".join(fault.what for fault in broken.values())


# -- objectives and choices ----------------------------------------------------------------------


def wishes(
    comes_to: tuple[int | None, int | None] | None = None, *, fits: bool = True, about: str = ""
) -> tuple[Objective[Match], ...]:
    return (
        Objective[Match](
            "luck", "luck", lambda x: x.damage, "attacker", about,
            comes_to=None if comes_to is None else lambda x: comes_to, fits=lambda x: fits,
        ),
    )  # fmt: skip


REACH, ABOUT = "an-objective-comes-to-what-it-says", "an-objective-is-about-its-field"


@pytest.mark.parametrize(
    ("wish", "law"),
    [
        (wishes((0, 6)), ""),
        (wishes((0, None)), ""),
        (wishes((None, 6)), ""),
        (wishes((None, None)), ""),
        (wishes((1, None)), REACH),
        (wishes((None, 0)), REACH),
        (wishes((7, 9), fits=False), ""),
        (wishes(about="damage"), ""),
        (wishes(about="idle"), ABOUT),
        (wishes(about="idle", fits=False), ""),
    ],
)
def test_what_an_objective_says_of_itself_is_true_of_those_whom_it_fits(
    wish: tuple[Objective[Match], ...], law: str
) -> None:
    assert set(told(match((DAMAGE, *wish)))) == ({law} if law else set())


@pytest.mark.parametrize(
    ("pairs", "most", "what"),
    [
        ({"keep": "note"}, 1_000, "keep is not listed after note, and is called outdone by it"),
        ({"keep": "keep"}, 1_000, "keep is not listed after keep, and is called outdone by it"),
        ({"note": "hold"}, 1_000, ""),
        ({"hold": "keep"}, 1_000, ""),
        ({"note": "keep"}, 1_000, ""),
        ({"note": "keep"}, 0, ""),
    ],
)
def test_only_options_that_stand_after_a_better_one_are_outdone(
    monkeypatch: pytest.MonkeyPatch, pairs: dict[str, str], most: int, what: str
) -> None:
    monkeypatch.setattr(promised_choices, "MOST_PLACES", most)
    found = told(match(outdone={"damage": {ask: pairs}}))
    assert [fault.what for fault in found.values()] == ([what] if what else [])
