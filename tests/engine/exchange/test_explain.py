"""Explanations: the steps and clauses that made a number, back to the start."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from affray.core.errors import RulesError
from affray.core.node import At, End, Go, Node
from affray.core.step import step
from affray.core.system import Field, Objective, System
from affray.engine.exchange.explain import Reason, explain, fields_read, told_fields
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Script, drive
from tests.core.assembling import assembled
from tests.engine.toy import COIN, Duel, choose_reroll, duel, roll_attack, strike, toss_coin

SETTLED = {"choose_stance": ("block",)}


def played() -> Session:
    """One target, armor 1: crown, 3 rerolled to 8, guard 2: 5 gets through; loot 4."""
    script = Script(["crown", 3, 2, 8, 4], ["reroll"])
    session = drive(Session(duel(1, points=1, settled=SETTLED)), script)
    assert session.outcome is not None
    return session


def every(reason: Reason) -> list[Reason]:
    """A reason and all that it rests on."""
    return [reason, *(deeper for because in reason.because for deeper in every(because))]


def test_explanation_by_hand() -> None:
    reason = explain(played(), "damage")
    assert reason.text == "damage = 5"
    assert reason.clauses == ("TY-6",)
    (struck,) = reason.because
    assert struck.text == "What gets through is damage: A strike: 5 gets through."
    assert struck.clauses == ("TY-6",)
    assert struck.details == (
        "8 attack (TY-2)",
        "-2 guard (TY-3)",
        "-1 armor (TY-6)",
    )


def test_tree_names_the_steps_that_made_a_field() -> None:
    # The strike looks at the die, the points and the guard, each last changed by one step; the
    # reroll at the coin; the decision at the first die. Latest first, each told once.
    (struck,) = explain(played(), "damage").because
    rerolled, decided, guarded = struck.because
    assert rerolled.text == "The attacker rolls again: 1d8: 8"
    assert [each.text for each in rerolled.because] == [
        "The attacker tosses the coin: 1coin: crown"
    ]
    assert decided.text == "The attacker may spend a point to roll again: roll the 3 again"
    assert [each.text for each in decided.because] == [
        "The attacker rolls: 1d8: 3: The attack comes to 3."
    ]
    assert guarded == Reason("The defender rolls the guard: 1d4: 2", ("TY-3",), (), ())


def test_tree_names_the_clauses() -> None:
    clauses = {clause for each in every(explain(played(), "damage")) for clause in each.clauses}
    assert clauses == {"TY-1", "TY-2", "TY-3", "TY-4", "TY-6"}


def test_what_a_field_does_not_rest_on_is_left_out() -> None:
    told = " ".join(each.text for each in every(explain(played(), "damage")))
    assert "loot" not in told
    assert "stance" not in told
    assert explain(played(), "loot").because[0].text == (
        "The attacker rolls for loot, a die for each hit: 1d6: 4"
    )


def test_each_step_taken_is_told_once() -> None:
    told = [each.text for each in every(explain(played(), "loot"))]
    assert len(told) == len(set(told))


def test_field_that_never_changed_says_how_it_came_to_the_end() -> None:
    """A strike of 3 against armor 9 and guard 2 gets nothing through: no loot is rolled."""
    session = drive(Session(duel(9, settled=SETTLED)), Script(["crown", 3, 2]))
    reason = explain(session, "loot")
    assert (reason.text, reason.clauses) == (
        "loot = 0, as at the start: no step changed it", ("TY-7",),
    )  # fmt: skip
    told = [each.text for each in every(reason)][1:]
    assert told[0].startswith("What gets through is damage: A strike")
    assert "The attacker rolls: 1d8: 3: The attack comes to 3." in told
    assert "The defender rolls the guard: 1d4: 2" in told


def test_field_by_its_other_name() -> None:
    assert explain(played(), "harm") == explain(played(), "damage")


def test_unknown_field() -> None:
    with pytest.raises(RulesError, match="toy has no outcome field 'heat'"):
        explain(played(), "heat")


def test_session_that_is_far_enough_along() -> None:
    session = drive(Session(duel(1, points=1, settled=SETTLED)), Script(["crown", 8, 2], ["keep"]))
    assert session.outcome is None
    assert explain(session, "damage").text == "damage = 5"


def test_only_the_last_change_counts() -> None:
    """Two targets: each strike adds to the damage, so the later one rests on the earlier."""
    script = Script(["crown", 8, 2, "cross", 6, 1, 1, 1])
    session = drive(Session(duel(1, 1, settled=SETTLED)), script)
    reason = explain(session, "damage")
    assert reason.text == "damage = 9"
    strikes = [each.text for each in every(reason) if "strike" in each.text]
    assert strikes == [
        "What gets through is damage: A strike: 4 gets through.",
        "What gets through is damage: A strike: 5 gets through.",
    ]


def test_lines_are_indented_and_cite() -> None:
    leaf = Reason("rolled", ("TY-2",), (), ())
    tree = Reason("total = 3", ("TY-1", "TY-2"), ("3 base", "+0 luck"), (leaf,))
    assert tree.lines() == [
        "total = 3  [TY-1, TY-2]",
        "    3 base",
        "    +0 luck",
        "  rolled  [TY-2]",
    ]
    assert Reason("x", (), (), ()).lines(2) == ["    x"]


# -- which fields are read -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "read"),
    [
        (toss_coin.rule, ("armor",)),
        (roll_attack.rule, ("coin",)),
        (strike.rule, ("guard", "armor", "die", "points", "hits", "damage")),
    ],
)
def test_fields_read_by_rules(rule: Any, read: tuple[str, ...]) -> None:
    assert fields_read(Duel((1,), coin="crown", die=5, guard=1), rule) == read


def test_fields_read_depend_on_the_facts() -> None:
    assert "points" in fields_read(Duel((1,)), choose_reroll.rule)  # type: ignore[arg-type]  # facts of the toy
    assert fields_read(Duel((1,)), lambda x: 3) == ()
    assert fields_read(Duel((1,)), lambda x: x._replace(die=3)) == ()  # type: ignore[attr-defined]  # facts of the toy


def test_fields_are_named_once_in_order() -> None:
    def of(x: Any) -> object:
        return x.die + x.guard + x.die + x.coin.count("c")

    assert fields_read(Duel((1,), coin=COIN.name), of) == ("die", "guard", "coin")


def test_facts_with_methods() -> None:
    class Pair(NamedTuple):
        a: int
        b: int

        @property
        def double(self) -> int:
            return 2 * self.b

    def of(x: Any) -> object:
        return x.double

    assert fields_read(Pair(1, 2), of) == ("b",)


def test_looking_leaves_the_facts_alone() -> None:
    facts = Duel((1,), die=5)
    fields_read(facts, lambda x: x)
    assert type(facts) is Duel


# -- an end that says more -------------------------------------------------------------------


class Sum(NamedTuple):
    """Facts that are added up at the very end."""

    part: int = 0
    whole: int = 0


@step("TY-1")
def grow(x: Sum) -> Node[Sum]:
    """The part grows."""
    return Go(close, x._replace(part=x.part + 2))


@step("TY-2")
def close(x: Sum) -> Node[Sum]:
    """The whole is worked out with the last word."""
    return End(x._replace(whole=10 * x.part))


WHOLE: Field[Sum] = Field("whole", "All of it.", lambda x: x.whole, "TY-2")


def test_the_outcome_is_explained_not_the_facts_before_the_end() -> None:
    system = assembled((grow, close), fields=(WHOLE,))
    session = Session(Game(system, At(system.start, Sum(1))))
    assert session.outcome == Sum(3, 30)
    reason = explain(session, "whole")
    assert reason.text == "whole = 30"
    (last,) = reason.because
    assert (last.text, last.clauses) == ("The whole is worked out with the last word", ("TY-2",))
    assert [(each.text, each.clauses) for each in last.because] == [("The part grows", ("TY-1",))]


# -- which fields are told ---------------------------------------------------------------------


class Mind(NamedTuple):
    """Somebody who concentrates; somebody else who doesn't."""

    holds: bool = True
    other_holds: bool = False
    shaken: int = 0
    hits: int = 0
    harm: int = 0


@step("TY-1")
def shake(x: Mind) -> Node[Mind]:
    """Both are shaken, and what they hold slips."""
    return Go(calm, x._replace(shaken=2, holds=False))


@step("TY-2")
def calm(x: Mind) -> Node[Mind]:
    """It passes."""
    return Go(rest, x._replace(shaken=0))


@step("TY-3")
def rest(x: Mind) -> Node[Mind]:
    """All is said."""
    return End(x)


def mind(*fitting: str) -> System[Any]:
    def of(name: str) -> Callable[[Mind], object]:
        return lambda x: getattr(x, name)

    fits: Callable[[Mind], bool] = lambda x: "harm" in fitting  # noqa: E731  # as systems write it
    wants: Callable[[Mind], bool] = lambda x: "hits" in fitting  # noqa: E731  # as systems write it
    fields = (
        Field("harm", "What harm is.", of("harm"), "TY-1", fits=fits),
        Field(
            "slip", "Lost as well, but not in a fight.", of("holds"), "TY-1", fits=lambda x: False
        ),
        *(Field(name, "What it is.", of(name), "TY-1") for name in Mind._fields[:-1]),
    )
    hit: Objective[Mind] = Objective(
        "strike", "To hit.", lambda x: x.hits, "attacker", "hits", wants
    )
    wishes = (hit,)
    return assembled((shake, calm, rest), fields=fields, objectives=wishes)


@pytest.mark.parametrize(
    ("fitting", "told"),
    [
        ((), ("holds", "shaken")),  # lost; changed and changed back
        (("harm",), ("harm", "holds", "shaken")),  # the first that fits
        (("harm", "hits"), ("harm", "holds", "shaken", "hits")),  # somebody wants it
    ],
)
def test_what_the_exchange_was_about_is_told_though_it_is_nothing(
    fitting: tuple[str, ...], told: tuple[str, ...]
) -> None:
    system = mind(*fitting)
    session = Session(Game(system, At(system.start, Mind())))
    assert told_fields(session) == told


def test_what_is_something_is_told() -> None:
    system = mind("harm")
    session = Session(Game(system, At(system.start, Mind(other_holds=True, harm=3))))
    assert told_fields(session) == ("harm", "holds", "other_holds", "shaken")
    assert told_fields(Session(duel(1, settled=SETTLED))) == (), "it is not over"
