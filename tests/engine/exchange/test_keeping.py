"""What is kept of exchanges: for whom, how much of it, and what is dropped first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.core.node import Facts
from affray.engine.exchange import keeping
from affray.engine.exchange.finals import LastRoll
from affray.engine.exchange.game import Game, first_option, free_options
from affray.engine.exchange.keeping import (
    KEPT,
    KeptEnds,
    forget_kernels,
    keep_ends,
    kernel_of,
    new_kernel,
    recall_ends,
    tails_of,
)
from tests.engine.toy import duel, duel_system

NEEDED = frozenset({"damage"})
NOTHING: frozenset[str] = frozenset()
ENDED = KeptEnds({})


def kernel(game: Game, needed: frozenset[str]) -> object:
    return kernel_of(game, needed)


def tails(game: Game, needed: frozenset[str]) -> object:
    return tails_of(game, needed, None)


def ends(game: Game, needed: frozenset[str]) -> object:
    """What is recalled; kept now, if nothing is."""
    known = recall_ends(game, needed)
    if known is None:
        keep_ends(game, needed, ENDED._replace(shared=()))
        known = recall_ends(game, needed)
    return known


KINDS = pytest.mark.parametrize("kept", [kernel, tails, ends])
Kept = Callable[[Game, frozenset[str]], object]


@KINDS
def test_each_question_about_each_game_has_its_own(kept: Kept) -> None:
    game = duel(1)
    others: list[tuple[Game, frozenset[str]]] = [
        (game, NOTHING),
        (game.settle({"choose_reroll": ("keep",)}), NEEDED),
        (game._replace(narrow=first_option), NEEDED),
        (game._replace(narrow=free_options), NEEDED),
        (game._replace(system=duel_system()), NEEDED),
    ]
    first = kept(game, NEEDED)
    found = [kept(*other) for other in others]
    assert [one is first for one in found] == [False] * len(others)
    assert kept(game, NEEDED) is first
    assert kept(game._replace(settled={}), NEEDED) is first
    assert [kept(*other) for other in others] == found
    forget_kernels()
    assert kept(game, NEEDED) is not first


def test_other_starts_share_a_kernel_and_tails_but_not_their_ends() -> None:
    one, other = duel(1), duel(2)
    assert kernel(one, NEEDED) is kernel(other, NEEDED)
    assert tails(one, NEEDED) is tails(other, NEEDED)
    assert ends(one, NEEDED) is not ends(other, NEEDED)


def test_tails_differ_by_what_decisions_mind_and_a_new_kernel_is_nobody_elses() -> None:
    game = duel(1)
    assert tails_of(game, NEEDED, None) is not tails_of(game, NEEDED, NEEDED)
    assert new_kernel(game, NEEDED) is not kernel_of(game, NEEDED)
    assert kernel_of(game) is not kernel_of(game, NOTHING)


def several(number: int) -> list[frozenset[str]]:
    return [frozenset({str(n)}) for n in range(number)]


@pytest.mark.parametrize("kept", [kernel, tails])
def test_those_that_were_asked_for_longest_ago_are_dropped(kept: Kept) -> None:
    game, asked = duel(1), several(KEPT + 1)
    found = [kept(game, needed) for needed in asked[:KEPT]]
    assert kept(game, asked[0]) is found[0], "all of them are kept; this one is asked for again"
    kept(game, asked[KEPT])
    for number in (0, 2, KEPT - 1):
        assert kept(game, asked[number]) is found[number], number
    assert kept(game, asked[1]) is not found[1], "it had to make room"


def test_of_ends_the_first_ones_are_dropped() -> None:
    game, asked = duel(1), several(KEPT * KEPT + 1)
    for needed in asked[:-1]:
        keep_ends(game, needed, ENDED)
    assert all(recall_ends(game, needed) is ENDED for needed in asked[:-1])
    keep_ends(game, asked[-1], ENDED)
    assert [recall_ends(game, asked[n]) for n in (0, 1, -1)] == [None, ENDED, ENDED]


def test_a_kernel_that_grew_too_large_is_dropped_when_another_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = duel(1)
    grown = kernel_of(game, NEEDED)
    grown.number(game.start)
    assert len(grown) > 1
    monkeypatch.setattr(keeping, "LARGEST_KEPT", len(grown))
    assert kernel_of(game, NEEDED) is grown
    monkeypatch.setattr(keeping, "LARGEST_KEPT", len(grown) - 1)
    kernel_of(game, NOTHING)
    monkeypatch.setattr(keeping, "LARGEST_KEPT", len(grown))
    assert kernel_of(game, NEEDED) is not grown


@pytest.mark.parametrize(
    ("totals", "rows", "is_kept"),
    [((5,), 0, True), ((6,), 0, False), ((2, 2), 1, True), ((2, 2), 2, False), ((), 6, False)],
)
def test_only_few_ends_are_kept(
    monkeypatch: pytest.MonkeyPatch, totals: tuple[int, ...], rows: int, is_kept: bool
) -> None:
    """Five of them, where sixteen times that, and a bit more, is large."""
    monkeypatch.setattr(keeping, "LARGEST_KEPT", 6 * KEPT - 1)
    game = duel(1)

    def facts(number: int) -> dict[Facts, int]:
        return {(n,): 1 for n in range(number)}

    readings: dict[Any, int] = dict.fromkeys(range(rows), 1)
    many = KeptEnds(
        {n: facts(number) for n, number in enumerate(totals)},
        (LastRoll(game.start, "die", 1, readings),) if rows else (),
    )
    keep_ends(game, NEEDED, many)
    assert recall_ends(game, NEEDED) is (many if is_kept else None)
