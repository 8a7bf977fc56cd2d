"""A server with some tables and sockets for some seconds: nothing is lost, nothing waits."""

import asyncio

from benchmarks.load import at_share, run


def test_nothing_is_lost_under_load() -> None:
    found = asyncio.run(run(tables=4, sockets=12, seconds=4, long_work=False))
    assert found.answers > 10
    assert found.lost == 0
    assert at_share(found.heard_ms, 0.5) < 1500  # much more only if something hangs
