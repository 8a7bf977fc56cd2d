"""Duels whose rounds are products, against the general sweep, fractions and hand counts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from affray.core.fight import Scene
from affray.core.hints import Hidden
from affray.core.node import At, Facts
from affray.core.system import System
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import Lead
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import solve_exactly
from tests import fight_systems as toys
from tests.fight_systems import Blow, Body, Fighter, Setup, contest

MARKS_HIDDEN: Hidden[Body] = Hidden(visible=lambda body: body._replace(marked=0))


def massed(**changes: Any) -> System[Facts]:
    """Two units: each member rolls a die, hits mark members, the end of a round takes them."""

    def declare(scene: Scene[Setup, Body]) -> At[Blow]:
        sheet = scene.setup.attacker
        return At(toys.choose_blow, Blow(scene.actor.hp * sheet.dice, sheet.sides, sheet.hits))

    def apply(sheet: Fighter, body: Body, damage: int) -> Body:
        return body._replace(marked=min(body.hp, body.marked + damage))

    def end_round(sheet: Fighter, body: Body) -> Body:
        return Body(body.hp - body.marked)

    parts: dict[str, Any] = {
        "declare": declare, "apply": apply, "end_round": end_round,
        "hidden": MARKS_HIDDEN,
    }  # fmt: skip
    return toys._system(**{**parts, **changes})


@cache
def massed_once() -> System[Facts]:
    return massed()


def both(fight: Contest, monkeypatch: pytest.MonkeyPatch) -> tuple[Duel, Duel]:
    """A duel whose rounds are products, and the same by the general sweep."""
    quick = Duel(fight)
    assert quick.together is not None
    fight.worked_out.clear()
    monkeypatch.setattr(Duel, "_together", lambda self, clock: None)
    slow = Duel(fight)
    assert slow.together is None
    return quick, slow


PAIRS = [
    (Fighter("A", 1, sides=2, hits=2), Fighter("B", 1, sides=2, hits=2)),
    (Fighter("A", 3, sides=6, hits=5), Fighter("B", 4, sides=6, hits=6)),
    (Fighter("A", 4, dice=2, sides=4, hits=4), Fighter("B", 5, sides=3, hits=3)),
    (Fighter("A", 2, sides=2, hits=9), Fighter("B", 3, sides=2, hits=2)),
    (Fighter("A", 6, sides=1, hits=1), Fighter("B", 6, sides=1, hits=1)),
]


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("first", ["one", "other", "coin"])
def test_products_and_the_general_sweep_agree(
    pair: tuple[Fighter, Fighter], first: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick, slow = both(contest(massed_once, *pair, first), monkeypatch)
    mine, theirs = quick.solve(), slow.solve()
    assert mine.won == pytest.approx(theirs.won, abs=1e-12)
    assert (mine.drawn, mine.endless) == pytest.approx((theirs.drawn, theirs.endless), abs=1e-12)
    assert mine.rounds == pytest.approx(theirs.rounds, abs=1e-10)
    assert mine.left == pytest.approx(theirs.left, abs=1e-10)
    assert mine.residual < 1e-12
    assert [case.name for case, _ in mine.cases] == [case.name for case, _ in theirs.cases]


@pytest.mark.parametrize("pair", PAIRS)
def test_round_by_round_agrees(
    pair: tuple[Fighter, Fighter], monkeypatch: pytest.MonkeyPatch
) -> None:
    quick, slow = both(contest(massed_once, *pair, "one"), monkeypatch)
    mine, theirs = quick.by_round(30), slow.by_round(30)
    for one, other in zip(mine, theirs, strict=True):
        assert one.going_on == pytest.approx(other.going_on, abs=1e-12)
        assert (*one.won, one.drawn) == pytest.approx((*other.won, other.drawn), abs=1e-12)
    short, other_short = quick.solve(3), slow.solve(3)
    assert short.stalled == pytest.approx(other_short.stalled, abs=1e-12)
    assert short.rounds == pytest.approx(other_short.rounds, abs=1e-12)


@pytest.mark.parametrize("pair", PAIRS[:3])
def test_fractions_agree(pair: tuple[Fighter, Fighter]) -> None:
    fight = contest(massed_once, *pair, "one")
    exactly, found = solve_exactly(fight), Duel(fight).solve()
    assert found.won == pytest.approx(tuple(map(float, exactly.won)), abs=1e-12)
    assert found.drawn == pytest.approx(float(exactly.drawn), abs=1e-12)
    assert exactly.rounds is not None
    assert found.rounds == pytest.approx(float(exactly.rounds), abs=1e-10)


def test_two_coins_by_hand() -> None:
    """One member each, both need a 2 on a coin: both hit 1/4, one of them 1/4 each, nobody 1/4.

    So each wins 1/3, a third is drawn, and a round ends it with 3/4: 4/3 rounds.
    """
    found = Duel(contest(massed_once, *PAIRS[0], "one")).solve()
    assert found.won == pytest.approx((1 / 3, 1 / 3))
    assert found.drawn == pytest.approx(1 / 3)
    assert found.rounds == pytest.approx(4 / 3)


def test_nobody_can_hit() -> None:
    harmless = Fighter("A", 2, sides=2, hits=9)
    duel = Duel(contest(massed_once, harmless, harmless, "one"))
    found = duel.solve()
    assert duel.together is not None
    assert (found.endless, found.won, found.drawn) == (1.0, (0.0, 0.0), 0.0)
    assert found.rounds == float("inf")


def test_an_idle_side_is_cut_down() -> None:
    """One member hits with 1/2 each round; the other never strikes: 2 rounds on average."""
    one, other = PAIRS[0]
    duel = Duel(contest(massed_once, one, other, "one", idle=True))
    found = duel.solve()
    assert duel.together is not None
    assert found.won == pytest.approx((1.0, 0.0))
    assert found.rounds == pytest.approx(2.0)


def _steadier(sheet: Fighter, body: Body) -> Body:
    return body._replace(strength=1)


@pytest.mark.parametrize(
    "changes",
    [
        {"hidden": toys.NOTHING_HIDDEN},  # marks are seen by who acts next
        {"begin_turn": _steadier},
        {"effect": lambda outcome, role: 1 if role == "actor" else outcome.damage},
        {"is_out": lambda sheet, body: body.hp <= body.marked},  # out before the round is over
        {"end_round": lambda sheet, body: Body(min(sheet.hp, body.hp + 1 - body.marked))},
        {"actions": 2},
    ],
    ids=["seen", "turn", "own", "out", "circle", "twice"],
)
def test_what_shows_within_a_round_is_noticed(changes: dict[str, Any]) -> None:
    fight = contest(massed(**changes), *PAIRS[1], "one")
    assert Duel(fight).together is None


def test_large_duels_are_cut_into_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    fight = contest(massed_once, *PAIRS[2], "one")
    whole = Duel(fight)
    expected, course = whole.solve(), whole.by_round(9)
    monkeypatch.setattr("affray.engine.fight.duels.rounds.AT_ONCE", 100)
    parts = Duel(fight)
    assert parts.solve().won == pytest.approx(expected.won, abs=1e-14)
    for one, other in zip(parts.by_round(9), course, strict=True):
        assert one.going_on == pytest.approx(other.going_on, abs=1e-14)


def test_a_fight_may_go_on_from_any_round() -> None:
    one, other = Fighter("A", 3, sides=6, hits=5), Fighter("B", 4, sides=6, hits=6)
    duel = Duel(contest(massed_once, one, other, "one"))
    assert duel.together is not None
    mine, theirs = duel.at_rounds(None)
    for left, still in product((1, 2, 3), (1, 3, 4)):
        found = duel.at_round((mine[Body(left)], theirs[Body(still)]), Lead(Fraction(1), 0))
        fewer = replace(one, hp=left), replace(other, hp=still)
        exact = solve_exactly(contest(massed_once, *fewer, "one"))
        assert found == pytest.approx(tuple(map(float, exact.won)), abs=1e-12)
