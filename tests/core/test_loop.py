"""A procedure that goes round: the loop is declared by one chapter and closed by another."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from affray.core.errors import RulesError
from affray.core.loop import Loop
from affray.core.node import End, Go, Node
from affray.core.step import leads_to as targets
from affray.core.step import step


class Count(NamedTuple):
    """How often it went round."""

    rounds: int = 0


AGAIN: Loop[Count] = Loop("the next round")


@step("TT-1")
def begin(x: Count) -> Node[Count]:
    """The round begins."""
    return Go(finish, x._replace(rounds=x.rounds + 1))


@step("TT-2")
def finish(x: Count) -> Node[Count]:
    """Two rounds are enough."""
    return End(x) if x.rounds == 2 else Go(AGAIN.step, x)


AGAIN.leads_to(begin)


def test_a_step_leads_back_through_a_loop() -> None:
    assert finish(Count(1)) == Go(begin, Count(1))
    assert finish(Count(2)) == End(Count(2))


def test_the_successors_of_a_step_include_where_its_loop_leads() -> None:
    assert targets(finish) == {begin}
    assert targets(begin) == {finish}


def test_an_open_loop_is_refused() -> None:
    with pytest.raises(RulesError, match="the loop to the next card is open"):
        _ = Loop("the next card").step


def test_a_loop_is_closed_once() -> None:
    loop: Loop[Count] = Loop("the next round")
    loop.leads_to(begin)
    loop.leads_to(begin)
    assert loop.step is begin
    with pytest.raises(RulesError, match="leads to <step begin> already"):
        loop.leads_to(finish)
