"""Exchanges that don't know of what they never get so far as to spend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import pytest

from affray.core.dice import Pool, d
from affray.core.fight import ATTACK, Deed, Fight, Scene
from affray.core.hints import Hidden, Hints, Reserve
from affray.core.node import At, Chance, End, Facts, Node, Option, choose
from affray.core.reading import SumOfDice
from affray.core.ruling import Rulings
from affray.core.step import step
from affray.core.system import Field, Objective, System
from affray.core.unknown import UNKNOWN
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.trees import TreeDuel
from affray.engine.fight.plans import DECIDE_ALL, Plan
from affray.testing.rows import compare_rows
from tests.core.assembling import assembled


class Sheet(NamedTuple):
    """Somebody who fights: points of damage that they take, and charges."""

    name: str
    hp: int
    charges: int


@dataclass(frozen=True)
class Setup:
    """Somebody shoots at somebody."""

    attacker: Sheet
    defender: Sheet


class Body(NamedTuple):
    """Damage so far, and charges left."""

    damage: int = 0
    charges: int = 0


class Shot(NamedTuple):
    """An attack on the way: charges left, what the charge adds, the roll."""

    charges: int
    more: int = 0
    roll: int = 0


@step("TY-1")
def aim(x: Shot) -> Node[Shot]:
    """A charge may be spent."""
    options = [Option("none", At(shoot, x), words="spend nothing")]
    if x.charges:
        spent = x._replace(charges=x.charges - 1, more=3)
        options.append(Option("charge", At(shoot, spent), 1, "a charge"))
    return choose("attacker", "a charge?", options)


@step("TY-2")
def shoot(x: Shot) -> Node[Shot]:
    """A die of damage."""
    return Chance("attacker", "damage", Pool((d(6), 1)), SumOfDice(), "roll", At(rest, x))


@step("TY-3")
def rest(x: Shot) -> Node[Shot]:
    """It is over."""
    return End(x)


DAMAGE: Objective[Any] = Objective(
    "damage", "Damage", lambda x: x.more + x.roll, "attacker", about="damage"
)


def without(sheet: Sheet, body: Body, spends_for: frozenset[str] | None) -> Body:
    if spends_for != frozenset({"damage"}):
        return body
    return body._replace(charges=min(1, body.charges))


def restored(after: Body, known: Body, whole: Body) -> Body:
    return after._replace(charges=after.charges + whole.charges - known.charges)


RESERVE: Reserve[Any, Any] = Reserve(without, restored)


def _veiled(body: Body, part: Any) -> Body:
    return body._replace(damage=UNKNOWN if part is UNKNOWN else part[0])


HIDDEN: Hidden[Any] = Hidden(lambda body: (body.damage,), lambda body: _veiled(body, (0,)), _veiled)


def _declare(scene: Scene[Any, Body]) -> At[Shot]:
    return At(aim, Shot(scene.actor.charges))


def _system(reserve: Reserve[Any, Any] | None, **changes: Any) -> System[Facts]:
    parts: dict[str, Any] = {
        "enter": lambda sheet, rulings: Body(0, sheet.charges),
        "declare": _declare,
        "effect": lambda x, role: (x.more + x.roll, None) if role == "target" else (0, x.charges),
        "apply": _applied,
        "is_out": lambda sheet, body: body.damage >= sheet.hp,
        "vitals": lambda sheet, body: max(0, sheet.hp - body.damage),
        "harm": lambda effect: effect[0],
        "resources": lambda sheet, body: {"charges": body.charges},
    }
    fight: Fight[Any, Any, Any, Any, Any] = Fight(**{**parts, **changes})
    hints: Hints[Any, Any, Any] = Hints(
        needed=frozenset({"damage", "charges"}), hidden=HIDDEN,
        spends_at={aim: ("none",)}, reserve=reserve,
    )  # fmt: skip
    return assembled(
        (aim, shoot, rest),
        fields=(
            Field("damage", "damage", lambda x: x.more + x.roll, "TY-3"),
            Field("charges", "charges", lambda x: x.charges, "TY-3"),
        ),
        objectives=(DAMAGE,),
        setup=Setup,
        declare=lambda setup, rulings: _declare(
            Scene(setup, ATTACK, Body(0, 1), Body(), None, rulings)
        ),
        fight=fight,
        hints=hints,
    )


def _applied(sheet: Sheet, body: Body, effect: tuple[int, int | None]) -> Body:
    more, left = effect
    return Body(min(sheet.hp, body.damage + more), body.charges if left is None else left)


ONE, OTHER = Sheet("Ann", 15, 4), Sheet("Bob", 17, 3)


def _contest(
    system: System[Facts], plans: Sequence[Plan] = (DECIDE_ALL, DECIDE_ALL), **changes: Any
) -> Contest:
    one, other = (
        Side(sheet.name, (sheet,), Setup(sheet, sheet), plan)
        for sheet, plan in zip((ONE, OTHER), plans, strict=True)
    )
    return Contest(system, (one, other), Rulings(), first="one", **changes)


def _answers(duel: Duel) -> list[float]:
    found = duel.solve()
    return [*found.won, found.rounds, *(side["charges"] for side in found.resources)]


def _split(effect: tuple[int, int | None]) -> tuple[tuple[int], tuple[int, int | None]]:
    return (effect[0],), (0, effect[1])


@pytest.mark.parametrize("adds", [None, _split])
def test_a_duel_comes_to_the_same_with_fewer_exchanges(adds: Any) -> None:
    quick, plain = (_system(reserve) for reserve in (RESERVE, None))
    quick, plain = (
        system.with_hints(replace(system.hints, adds=adds)) for system in (quick, plain)
    )
    duels = [Duel(_contest(system)) for system in (quick, plain)]
    assert _answers(duels[0]) == pytest.approx(_answers(duels[1]), abs=1e-14)
    exchanges = [[len(attacks) for attacks in duel.attacks] for duel in duels]
    assert exchanges == [[2, 2], [5, 4]]  # a charge or none; each number of charges
    one, other = (_bodies(duel.duelists[0].conditions) for duel in duels)
    assert one == other
    assert {body.charges for body in one if body.damage < ONE.hp} == {0, 1, 2, 3, 4}


def _bodies(conditions: Sequence[object]) -> set[Body]:
    return {body for body in conditions if isinstance(body, Body)}


def test_exchanges_know_of_one_charge_at_most() -> None:
    known = _bodies(Duel(_contest(_system(RESERVE))).duelists[0].shown)
    assert {body.charges for body in known if body.damage < ONE.hp} == {0, 1}


def test_nothing_is_left_out_where_anything_may_be_spent() -> None:
    system = _system(RESERVE)
    greedy = _contest(system)
    assert greedy.spends_for == frozenset({"damage"})
    habit = Plan("any", (("aim", ("charge",)),))
    assert _contest(system, (DECIDE_ALL, habit)).spends_for is None
    free = Plan("any", (("aim", ("none",)),))
    assert _contest(system, (DECIDE_ALL, free)).spends_for == frozenset({"damage"})
    duel = Duel(_contest(system, (habit, DECIDE_ALL)))
    assert all(
        a is b for a, b in zip(duel.duelists[0].shown, duel.duelists[0].conditions, strict=True)
    )
    unsaid = Objective("unsaid", "Unsaid", DAMAGE.utility, "attacker")
    assert _contest(system, objective=unsaid).spends_for is None


def test_best_play_of_the_whole_fight_knows_all_that_there_is() -> None:
    duel = TreeDuel(_contest(_system(RESERVE)))
    assert duel.duelists[0].shown == duel.duelists[0].conditions


def test_a_right_reserve_passes() -> None:
    assert compare_rows(_contest(_system(RESERVE))).exchanges == 12


WRONG: dict[str, tuple[Reserve[Any, Any], str]] = {
    "too much is left out": (
        Reserve(lambda sheet, body, _: body._replace(charges=0), restored),
        "is the end of",
    ),
    "it doesn't come back": (Reserve(without, lambda after, known, whole: after), "is the end of"),
}


@pytest.mark.parametrize("way", WRONG)
def test_a_wrong_reserve_is_found(way: str) -> None:
    reserve, said = WRONG[way]
    with pytest.raises(AssertionError, match=rf"attack of Body.*{said}"):
        compare_rows(_contest(_system(reserve)))


def test_other_deeds_without_the_reserve_are_found() -> None:
    def deeds(sheet: Sheet, body: Body) -> tuple[Deed, ...]:
        return (ATTACK,) * (1 + (body.charges > 2))

    with pytest.raises(AssertionError, match="has other deeds"):
        compare_rows(_contest(_system(RESERVE, deeds=deeds)))
