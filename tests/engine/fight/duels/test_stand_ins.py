"""Conditions that stand for others: what they come to is the same, whoever is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from affray.core.dice import Pool, d
from affray.core.reading import SumOfDice
from affray.core.ruling import Rulings
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.ahead import AnyLeads
from affray.engine.fight.duels.answers import ended_sums
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.duelists import Duelist
from affray.engine.fight.duels.following import Followed, followed
from affray.engine.fight.duels.stand_ins import Both, _nearest, stand_ins
from affray.engine.fight.duels.sweep import Sweep
from tests import fight_systems as games
from tests.engine.fight.duels.shipped import among_all, shipped_duel
from tests.fight_systems import Body, Fighter

SLOW = ("emlia", "manned-tower")
"""A duel that isn't followed to its end."""
DUELS = [
    ("eclipse-phase", "grenades-against-a-torch"),  # rounds in either order
    ("eclipse-phase", "ripper-dog"),
    ("affinity", "lair"),  # interludes, two exchanges in a turn
    SLOW,
    ("empty-earth", "bo-haunt"),
]


def lingering() -> Contest:
    """A heavy blow takes all at once, a light one only with the end of the round.

    Whoever was struck is slower until their own turn. So of two who will have as much left after
    the round one may have more while it lasts, one who is slower is like others but for that, and
    who falls now isn't who falls with the end of the round.
    """

    def apply(sheet: Fighter, body: Body, damage: int) -> Body:
        if damage == sheet.armor + 4:
            return Body(0)
        return body._replace(marked=min(body.hp, body.marked + damage), strength=-(damage % 2))

    def begin_turn(sheet: Fighter, body: Body) -> Body:
        return body._replace(strength=0)

    def end_round(sheet: Fighter, body: Body) -> Body:
        return body._replace(hp=body.hp - body.marked, marked=0)

    def initiative(sheet: Fighter, body: Body, rulings: Rulings) -> tuple[int, int]:
        return sheet.speed + body.strength, sheet.quickness

    system = games.slugging()
    assert system.fight is not None
    fight = replace(
        system.fight, apply=apply, begin_turn=begin_turn, end_round=end_round,
        initiative=initiative,
        initiative_roll=lambda sheet, rulings: (Pool((d(2), 1)), SumOfDice()),
    )  # fmt: skip
    one, other = Fighter("One", 7), Fighter("Other", 6, speed=1)
    return games.contest(replace(system, fight=fight), one, other)


def standing_in(duel: Duel) -> Iterator[tuple[Sweep, list[AnyLeads], list[Both]]]:
    for sweep, starts in duel._sweeps:
        leads: list[AnyLeads] = [start.leads for start in starts]
        yield sweep, leads, stand_ins(sweep, leads)


def fates(duel: Duel, over: np.ndarray) -> list[dict[str, float]]:
    """How likely each fate of either side is, from the pairs that are the last."""
    found: list[dict[str, float]] = []
    for side, duelist in enumerate(duel.duelists):
        told: dict[str, float] = {}
        chances = over.reshape(duel.closure.n_pairs // len(duel.duelists[1].conditions), -1)
        for chance, condition in zip(chances.sum(1 - side), duelist.conditions, strict=True):
            fate = duelist.fight.fate(duelist.sheet, condition) if duelist.fight.fates else ""
            told[fate] = told.get(fate, 0.0) + chance
        found.append(told)
    return found


def merged(onto: Both, side: int, duelist: Duelist) -> Iterator[tuple[object, object]]:
    """Conditions for which others stand, with these."""
    for here, other in enumerate(onto[side].tolist()):
        if here != other:
            yield duelist.conditions[here], duelist.conditions[other]


@pytest.mark.parametrize(("system_name", "fight"), [pair for pair in DUELS if pair != SLOW])
def test_a_duel_of_stand_ins_comes_to_the_same(system_name: str, fight: str) -> None:
    check_same(shipped_duel(system_name, fight))


def test_what_shows_in_one_way_only_is_told_apart() -> None:
    duel = Duel(lingering())
    assert any((own != np.arange(len(own))).any() for _, _, onto in standing_in(duel)
               for both in onto for own in both)  # fmt: skip
    check_same(duel)


def check_same(duel: Duel) -> None:
    """A duel is followed with stand-ins and without."""
    for sweep, leads, onto in standing_in(duel):
        every = Followed(sweep, duel.start_pair, leads)
        few = Followed(sweep, duel.start_pair, leads, onto)
        assert every.to_the_end()
        assert few.to_the_end()
        for course in (few, every):
            while len(course.on) < max(len(few.on), len(every.on)):
                course.go_on()
        np.testing.assert_allclose(few.on, every.on, rtol=0, atol=1e-15)
        np.testing.assert_allclose(few.ended, every.ended, rtol=0, atol=1e-14)
        few_over, missed, some = few.over()
        over = among_all(few_over, some, sweep.n)
        whole_over, _, most = every.over()
        whole = among_all(whole_over, most, sweep.n)
        assert missed < 1e-14
        np.testing.assert_allclose(
            ended_sums(few_over, duel.duelists, some), ended_sums(over, duel.duelists), rtol=1e-12
        )
        found, want = (ended_sums(values, duel.duelists) for values in (over, whole))
        np.testing.assert_allclose(found, want, rtol=1e-12, atol=1e-14)
        for way in range(len(leads)):
            for one, other in zip(fates(duel, over[way]), fates(duel, whole[way]), strict=True):
                assert one == pytest.approx(other, abs=1e-13)


@pytest.mark.parametrize(("system_name", "fight"), DUELS)
def test_rounds_of_stand_ins_go_on_and_end_alike(system_name: str, fight: str) -> None:
    """In both forms of a round, after each of the first ones."""
    duel = shipped_duel(system_name, fight)
    columns = duel.questions.reshape(-1, duel.questions.shape[-1])
    for sweep, leads, onto in standing_in(duel):
        both = [followed(sweep, duel.start_pair, leads, some) for some in (None, onto)]
        for _, (on, over), (few, few_over) in zip(range(5), *both, strict=False):
            np.testing.assert_allclose(few.sum(1), on.sum(1), rtol=0, atol=1e-15)
            np.testing.assert_allclose(few_over @ columns, over @ columns, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("system_name", "fight"), DUELS)
def test_nobody_stands_for_a_condition_that_a_fight_leaves_otherwise(
    system_name: str, fight: str
) -> None:
    duel = shipped_duel(system_name, fight)
    for _, _, onto in standing_in(duel):
        for side, duelist in enumerate(duel.duelists):
            game, sheet = duelist.fight, duelist.sheet
            over = np.array(duelist.is_out) | np.array(duelist.is_over)
            for both in onto:
                assert (both[side][over] == np.flatnonzero(over)).all()
                for pair in merged(both, side, duelist):
                    left = {
                        (
                            game.vitals(sheet, one),
                            tuple(game.resources(sheet, one).items()),
                            game.fate(sheet, one) if game.fates else "",
                        )
                        for one in pair
                    }
                    assert len(left) == 1


def test_who_lies_down_is_told_apart_until_the_own_turn() -> None:
    """EP-33: whoever is prone stands up when their turn begins; attacks before that see them."""
    duel = shipped_duel("eclipse-phase", "grenades-against-a-torch")
    (_, _, onto), *_ = standing_in(duel)
    _, other = duel.duelists
    met = 0
    for condition, here in other.number.items():
        prone = other.number.get(condition._replace(prone=True))  # type: ignore[attr-defined]
        if prone in (None, here) or other.is_out[here]:
            continue
        met += onto[1][1][here] == onto[1][1][prone]
        assert onto[0][1][here] != onto[0][1][prone]
    assert met


def test_who_goes_first_more_often_is_nobodys_stand_in() -> None:
    duel = shipped_duel("eclipse-phase", "grenades-against-a-torch")
    for sweep, leads, onto in standing_in(duel):
        whole = np.stack([np.broadcast_to(lead, sweep.n) for lead in leads], -1)
        for side, ids in enumerate(sweep.standing[0]):
            theirs = np.moveaxis(whole, side, 0)[:, sweep.standing[0][1 - side]]
            assert (theirs[ids] == theirs[onto[0][side][ids]]).all()


def test_those_stand_in_who_are_settled_no_later() -> None:
    onto, component, depth = np.zeros(4, np.int64), np.array([5, 3, 3, 4]), np.array([2, 1, 1, 1])
    assert _nearest(onto, component, depth).tolist() == [1, 1, 1, 3]
    onto = np.array([0, 0, 2, 0])
    assert _nearest(onto, component, depth).tolist() == [1, 1, 2, 3]
    assert _nearest(np.arange(4), component, depth).tolist() == [0, 1, 2, 3]
