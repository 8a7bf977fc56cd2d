"""A server under load: tables full of people, and long work beside them.

    python -m benchmarks.load --tables 50 --sockets 200 --seconds 60

Everything is on this machine: the server, its workers, and who asks. Each table plays a fight whose
answers are given in turn; each socket watches one of the fights. A battle and a large question
about odds keep the workers busy meanwhile. An answer takes from the request to its response; a
change takes from the request until the last socket of its table has heard of it. A socket that
never comes to the revision of its fight has lost something. With `--page` the sockets are those of
pages: what comes are parts in HTML.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import httpx2
import psutil
from websockets.asyncio.client import ClientConnection, connect

ANSWERS_A_SECOND = 10.0
LIVE = "/api/v1/live"
LATE_S = 20.0
"""Seconds after which a change that a socket has not heard of counts as lost."""
SERVER = """
import sys
from pathlib import Path
from affray.api.serving import serve
from affray.api.settings import Limits, Settings
from affray.web.site import make_site
limits = Limits(requests=10**9, sockets=10**6)
serve(Settings(data=Path(sys.argv[1]), port=0, limits=limits), lambda at: print(at, flush=True),
      make_site)
"""
FIGHT = {"system": "empty-earth", "fight": ["ada,bo", "3xhusk"]}
BATTLE = {"fight": ["ada,bo", "3xhusk"], "n": 10**9, "seed": 1, "limits": {"seconds": 3600}}
LARGE = {"fight": ["jinx", "exhuman"], "policies": ["optimal", "optimal"],
         "limits": {"seconds": 3600}}  # fmt: skip


class Figures(NamedTuple):
    """What came of a run.

    Attributes:
        answers: how many were given; answer_ms: how long each took.
        heard_ms: how long each change took to the last socket of its table.
        lost: changes that a socket never heard of.
        memory_mb: of the server, at the start and at the end. cpu_s: its processor time.
    """

    seconds: float
    tables: int
    sockets: int
    answers: int
    answer_ms: list[float]
    heard_ms: list[float]
    lost: int
    memory_mb: tuple[float, float]
    cpu_s: float

    @property
    def lines(self) -> list[str]:
        """The figures as rows of a table."""
        rows = (
            ("tables, sockets, seconds", f"{self.tables}, {self.sockets}, {self.seconds:.0f}"),
            ("answers given", f"{self.answers:,}"),
            ("an answer: median, p95, worst", told(self.answer_ms)),
            ("change to the last socket: median, p95, worst", told(self.heard_ms)),
            ("changes lost", f"{self.lost}"),
            ("memory of the server, start and end", "{:.0f} MB, {:.0f} MB".format(*self.memory_mb)),
            ("processor of the server", f"{100 * self.cpu_s / self.seconds:.0f} % of a core"),
        )
        return ["| what | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)]


def at_share(values: list[float], share: float) -> float:
    """The value below which a share of all lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def told(ms: list[float]) -> str:
    """Median, p95 and worst of some times."""
    return ", ".join(
        f"{value:.0f} ms" for value in (at_share(ms, 0.5), at_share(ms, 0.95), max(ms))
    )


class Table:
    """A fight with its key, and the revision to which each of its sockets has come."""

    def __init__(self, game: dict[str, Any]) -> None:
        self.path, self.key, self.id = f"/fights/{game['id']}", game["key"], game["id"]
        self.revision: int = game["revision"]
        self.question = game["fight"]["question"]
        self.heard: dict[int, int] = {}
        self.changed = asyncio.Condition()

    async def watch(self, number: int, address: str) -> None:
        """Watch the fight through the socket at an address, for ever."""
        socket: ClientConnection
        async with connect(address.replace("http", "ws"), max_size=None) as socket:
            await socket.send(json.dumps({"watch": f"game:{self.id}", "key": self.key}))
            async for text in socket:
                news = json.loads(text)
                async with self.changed:
                    self.heard[number] = news["revision"]
                    self.changed.notify_all()

    async def all_at(self, revision: int, many: int) -> bool:
        """Wait until all sockets have come to a revision; False: one has not."""
        async with self.changed:

            def there() -> bool:
                return sum(one >= revision for one in self.heard.values()) == many

            try:
                await asyncio.wait_for(self.changed.wait_for(there), LATE_S)
            except TimeoutError:
                return False
        return True


async def run(
    tables: int, sockets: int, seconds: float, *, long_work: bool = True, live: str = LIVE
) -> Figures:
    """Put a server under load; `live` is the path of its sockets."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", SERVER, folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            try:
                return await _loaded(address, psutil.Process(server.pid), tables, sockets, seconds,
                                     long_work=long_work, live=live)  # fmt: skip
            finally:
                server.terminate()


async def _loaded(
    address: str,
    server: psutil.Process,
    tables: int,
    sockets: int,
    seconds: float,
    *,
    long_work: bool,
    live: str,
) -> Figures:
    async with httpx2.AsyncClient(base_url=f"{address}/api/v1", timeout=60) as client:
        begun = [await _begun(client) for _ in range(tables)]
        watching = [
            asyncio.create_task(begun[n % tables].watch(n, address + live)) for n in range(sockets)
        ]
        each = [sum(n % tables == place for n in range(sockets)) for place in range(tables)]
        for table, many in zip(begun, each, strict=True):
            assert await table.all_at(table.revision, many)
        if long_work:
            for path, body in (("empty-earth/battle", BATTLE), ("eclipse-phase/duel", LARGE)):
                (await client.post(f"/systems/{path}", json=body)).raise_for_status()
        memory, cpu, start = server.memory_info().rss, sum(server.cpu_times()[:2]), monotonic()
        answer_ms: list[float] = []
        heard: list[asyncio.Task[float | None]] = []
        turn = 0
        while monotonic() < start + seconds:
            table, many = begun[turn % tables], each[turn % tables]
            asked_at = monotonic()
            await _answered(client, table)
            answer_ms.append(1000 * (monotonic() - asked_at))
            heard.append(asyncio.create_task(_heard(table, table.revision, many, asked_at)))
            turn += 1
            await asyncio.sleep(max(0.0, start + turn / ANSWERS_A_SECOND - monotonic()))
        found = await asyncio.gather(*heard)
        took = monotonic() - start
        end = server.memory_info().rss, sum(server.cpu_times()[:2])
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
        times = [one for one in found if one is not None]
        return Figures(
            took, tables, sockets, len(answer_ms), answer_ms, times, len(found) - len(times),
            (memory / 1e6, end[0] / 1e6), end[1] - cpu,
        )  # fmt: skip


async def _begun(client: httpx2.AsyncClient) -> Table:
    return Table((await client.post("/fights", json=FIGHT)).raise_for_status().json())


async def _answered(client: httpx2.AsyncClient, table: Table) -> None:
    """Answer the open question of a fight; one that is over is taken back a while."""
    question = table.question
    if question is None:
        change: dict[str, object] = {"do": "undo", "n": 3}
    elif question["dice"]:
        change = {"do": "roll"}
    else:
        attacks = [one["name"] for one in question["options"] if one["name"].startswith("attack")]
        change = {"do": "answer", "option": (attacks or [question["options"][0]["name"]])[0]}
    headers = {"authorization": f"Bearer {table.key}"}
    body = {**change, "at": table.revision}
    answer = await client.post(f"{table.path}/changes", json=body, headers=headers)
    game = answer.raise_for_status().json()
    table.revision, table.question = game["revision"], game["fight"]["question"]


async def _heard(table: Table, revision: int, many: int, asked_at: float) -> float | None:
    """Milliseconds until all sockets of a table have heard of a revision; None: not all have."""
    if not await table.all_at(revision, many):
        return None
    return 1000 * (monotonic() - asked_at)


def main() -> None:
    """Run it, and print the figures."""
    parser = argparse.ArgumentParser(description="A server under load.")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--sockets", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--page", action="store_true", help="watch as pages do")
    parser.add_argument("--write", type=Path, help="a document in which they replace a table")
    given = parser.parse_args()
    live = "/live" if given.page else LIVE
    lines = asyncio.run(run(given.tables, given.sockets, given.seconds, live=live)).lines
    print("\n".join(lines))
    if given.write is not None:
        before, start, rest = given.write.read_text().partition("<!-- load -->\n")
        after = rest.partition("<!-- end of load -->")[2]
        text = f"{before}{start}" + "\n".join(lines) + f"\n<!-- end of load -->{after}"
        given.write.write_text(text)


if __name__ == "__main__":
    main()
