"""What a server has acknowledged stays when it is killed."""

from __future__ import annotations

import signal
import subprocess
import sys

from affray.store.checking import check
from affray.store.games import NewEntry
from affray.store.opening import open_store

WRITES = """
import sys
from affray.store.games import NewEntry
from affray.store.opening import open_store

store = open_store(sys.argv[1])
at = 0
while True:
    at = store.games.append(sys.argv[2], at, [NewEntry({"n": at}), NewEntry({})], rules="1")
    print(at, flush=True)
"""


def test_what_was_acknowledged_before_a_kill_is_there(place: str) -> None:
    with open_store(place) as store:
        game = store.games.begin("fight", "emlia", "1", {}).id
    with subprocess.Popen(
        [sys.executable, "-c", WRITES, place, game], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        heard = [server.stdout.readline() for _ in range(20)]
        server.send_signal(signal.SIGKILL)
        rest = server.stdout.read()  # not by `communicate`, which misses what is read ahead
    acknowledged = int([*heard, *rest.split("\n")[:-1]][-1])
    assert acknowledged >= 40
    with open_store(place) as store:
        kept = store.games.row(game).revision
        assert acknowledged <= kept <= acknowledged + 2
        assert kept % 2 == 0
        assert check(store.database).faults == ()
        assert store.games.append(game, kept, [NewEntry({})], rules="1") == kept + 1
