"""Meters: what asks them, what they refuse by themselves."""

import threading

import pytest

from affray.core.errors import LimitError
from affray.core.meter import MOST_BYTES, Meter, in_portions, meter_in_force, metered


class Counting(Meter):
    """Lets a number of questions pass."""

    def __init__(self, most: int) -> None:
        self.asked, self.most = 0, most

    def poll(self) -> None:
        self.asked += 1
        if self.asked > self.most:
            raise LimitError("enough", limit="questions")


def test_without_a_budget_everything_goes_on_that_fits_into_memory() -> None:
    meter = meter_in_force()
    meter.tick(10**9)
    meter.poll()
    meter.foresee(10**9, "waiting")
    meter.claim(MOST_BYTES, "a table")
    with pytest.raises(LimitError, match=r"a table would take 3.0 GB of memory; allowed"):
        meter.claim(3_000_000_000, "a table")


def test_a_meter_is_in_force_inside_only_and_in_its_thread() -> None:
    before, mine, theirs = meter_in_force(), Counting(0), list[Meter]()
    with metered(mine):
        assert meter_in_force() is mine
        thread = threading.Thread(target=lambda: theirs.append(meter_in_force()))
        thread.start()
        thread.join()
    assert meter_in_force() is before
    assert theirs == [before]


def test_things_come_in_portions_with_a_question_before_each() -> None:
    things = list(range(5_000))
    with metered(Counting(3)):
        assert [thing for part in in_portions(things) for thing in part] == things
    with metered(Counting(2)), pytest.raises(LimitError, match="enough"):
        list(in_portions(things))
