"""Workers with real processes: asked, stopped, killed, replaced."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from affray.api.work.errors import (
    OutdatedError,
    QueueFullError,
    WorkerLostError,
    WorkFailedError,
)
from affray.api.work.frames import Message
from affray.api.work.workers import Size
from affray.app.inputs.intake import InputError
from affray.core.errors import LimitError, UnknownNameError
from affray.engine.budget import Budget
from tests.api.work.bench import MEMORY, PATIENCE_S, Bench, begun, bench, idle, until

JINX = {"system": "eclipse-phase", "setup": "jinx-shoots", "of": ["hit"]}


@pytest.fixture(scope="module")
def shared() -> Iterator[Bench]:
    with bench() as made:
        made.run(idle(*made.workers.slots))
        yield made


def test_a_question_is_answered(shared: Bench) -> None:
    view = shared.run(shared.workers.ask("odds", JINX, client="ada"))
    assert (view["schema"], view["fields"]) == ("affray/odds", ["hit"])


# -- errors ------------------------------------------------------------------------------------


def test_an_unknown_question_is_refused(shared: Bench) -> None:
    with pytest.raises(UnknownNameError, match="'adds'"):
        shared.run(shared.workers.ask("adds", {}, client="ada"))


def test_an_unknown_argument_is_refused(shared: Bench) -> None:
    with pytest.raises(InputError, match="colour: unknown key"):
        shared.run(shared.workers.ask("odds", {**JINX, "colour": 1}, client="ada"))


def test_an_argument_that_json_cannot_say_is_refused(shared: Bench) -> None:
    with pytest.raises(InputError, match="JSON"):
        shared.run(shared.workers.ask("echo", {"word": float("nan")}, client="ada"))


def test_an_unknown_name_arrives_as_it_was_raised(shared: Bench) -> None:
    with pytest.raises(UnknownNameError, match="'jonx'"):
        shared.run(shared.workers.ask("odds", {**JINX, "setup": "jonx"}, client="ada"))


def test_a_limit_carries_what_was_settled(shared: Bench) -> None:
    with pytest.raises(LimitError, match="enough") as caught:
        shared.run(shared.workers.ask("settled", {}, client="ada"))
    limit = caught.value
    assert (limit.limit, limit.states, limit.p_ended) == ("places", 7, 0.25)
    assert limit.done == {"places": 7}


def test_a_fault_is_told_without_its_trace_and_the_worker_stays(shared: Bench) -> None:
    async def work() -> None:
        before = await shared.workers.ask("echo", {}, client="ada")
        with pytest.raises(WorkFailedError, match="nobody expects this") as caught:
            await shared.workers.ask("fail", {}, client="ada")
        assert "line" not in str(caught.value)
        after = await shared.workers.ask("echo", {}, client="ada")
        assert before["pid"] == after["pid"]

    shared.run(work())


# -- stopping ----------------------------------------------------------------------------------


def test_whoever_waits_no_longer_stops_the_work(shared: Bench, tmp_path: Path) -> None:
    long = shared.workers.slots[1]

    async def work() -> float:
        began = tmp_path / "began"
        asked = asyncio.create_task(shared.workers.ask("hold", {"began": str(began)}, client="ada"))
        await begun(began)
        killed, at = long.killed, monotonic()
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        await idle(long)
        assert long.killed == killed
        return monotonic() - at

    assert shared.run(work()) < 2.0  # 0.01 s where nothing else runs; after two it is killed


def test_a_worker_that_does_not_listen_is_killed_after_two_seconds(
    shared: Bench, tmp_path: Path
) -> None:
    long = shared.workers.slots[1]

    async def work() -> None:
        began = tmp_path / "began"
        asked = asyncio.create_task(shared.workers.ask("deaf", {"began": str(began)}, client="ada"))
        pid = await begun(began)
        killed, at = long.killed, monotonic()
        asked.cancel()
        await until(lambda: long.killed > killed)
        assert monotonic() - at >= 2.0
        await until(lambda: not _lives(pid))
        await idle(long)
        assert long.pid != pid

    shared.run(work())


def test_work_that_goes_on_beyond_its_seconds_is_ended_from_outside(
    shared: Bench, tmp_path: Path
) -> None:
    async def work() -> None:
        asked, budget = {"began": str(tmp_path / "began")}, Budget(seconds=0.1)
        with pytest.raises(LimitError, match=r"it may take 0\.1 seconds") as caught:
            await shared.workers.ask("deaf", asked, client="ada", budget=budget)
        assert caught.value.limit == "seconds"

    shared.run(work())


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# -- crashes -----------------------------------------------------------------------------------


def test_a_killed_worker_fails_its_task_only_and_is_replaced(shared: Bench, tmp_path: Path) -> None:
    long = shared.workers.slots[1]

    async def work() -> None:
        began, other, free = (tmp_path / name for name in ("began", "other", "free"))
        free.touch()
        lost = asyncio.create_task(shared.workers.ask("hold", {"began": str(began)}, client="ada"))
        pid = await begun(began)
        waits = asyncio.create_task(
            shared.workers.ask("hold", {"began": str(other), "until": str(free)}, client="bo")
        )
        replaced = long.replaced
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(WorkerLostError, match="another one takes its place"):
            await lost
        assert (await waits)["pid"] != pid
        assert long.replaced == replaced + 1

    shared.run(work())


def test_a_crash_fails_its_task_only(shared: Bench) -> None:
    async def work() -> None:
        with pytest.raises(WorkerLostError):
            await shared.workers.ask("crash", {}, client="ada")
        assert (await shared.workers.ask("echo", {"word": "a"}, client="ada"))["word"] == "a"

    shared.run(work())


def test_a_worker_that_dies_while_idle_is_replaced(shared: Bench) -> None:
    light = shared.workers.slots[0]

    async def work() -> None:
        await idle(light)
        pid, replaced = light.pid, light.replaced
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        await until(lambda: light.replaced > replaced)
        await idle(light)
        assert light.pid != pid

    shared.run(work())


# -- memory ------------------------------------------------------------------------------------


def test_a_worker_that_takes_too_much_memory_is_killed(shared: Bench) -> None:
    async def work() -> None:
        asked = {"most": 20 * MEMORY, "each": 1_000_000}
        with pytest.raises((LimitError, WorkerLostError)) as caught:
            await shared.workers.ask("hog", asked, client="ada")
        assert "memory" in str(caught.value)

    shared.run(work())


def test_memory_taken_all_at_once_is_refused(shared: Bench) -> None:
    async def work() -> None:
        asked = {"most": 20 * MEMORY, "each": 20 * MEMORY}
        with pytest.raises(WorkerLostError, match="no memory left"):
            await shared.workers.ask("hog", asked, client="ada")

    shared.run(work())


def test_a_worker_that_keeps_too_much_is_replaced_after_its_task(shared: Bench) -> None:
    long = shared.workers.slots[1]

    async def work() -> None:
        await idle(long)
        before, replaced, killed = long.pid, long.replaced, long.killed
        free = MEMORY - long.memory
        view = await shared.workers.ask("keep", {"most": int(free * 1.1)}, client="ada")
        assert (view["word"], view["pid"]) == ("kept", before)
        await until(lambda: long.replaced > replaced)
        assert long.killed == killed

    shared.run(work())


# -- waiting -----------------------------------------------------------------------------------


def test_nothing_long_delays_what_is_short(shared: Bench, tmp_path: Path) -> None:
    async def work() -> None:
        began, free = tmp_path / "began", tmp_path / "free"
        told: list[Message] = []
        asked = {"began": str(began), "until": str(free), "word": "long"}
        long = asyncio.create_task(
            shared.workers.ask("hold", asked, client="ada", progress=told.append)
        )
        await begun(began)
        short = await shared.workers.ask("odds", JINX, client="ada")
        assert (short["schema"], long.done()) == ("affray/odds", False)
        await until(lambda: bool(told))
        free.touch()
        assert (await long)["word"] == "long"
        assert (told[0]["work"], told[0]["done"], told[0]["wanted"]) == ("looks", 1, 2)

    shared.run(work())


def test_a_short_question_that_may_take_long_is_a_long_one(shared: Bench, tmp_path: Path) -> None:
    async def work() -> None:
        began, free = tmp_path / "began", tmp_path / "free"
        asked = {"began": str(began), "until": str(free)}
        long = asyncio.create_task(shared.workers.ask("hold", asked, client="ada"))
        pid = await begun(began)
        waits = asyncio.create_task(
            shared.workers.ask("echo", {}, client="ada", budget=Budget(seconds=60))
        )
        quick = await shared.workers.ask("echo", {}, client="ada")
        assert (quick["pid"] == pid, waits.done()) == (False, False)
        free.touch()
        await long
        assert (await waits)["pid"] in {pid, quick["pid"]}

    shared.run(work())


def test_a_newer_question_of_a_page_outdates_the_older_one(shared: Bench, tmp_path: Path) -> None:
    ask = shared.workers.ask

    async def work() -> None:
        files = [tmp_path / str(n) for n in range(3)]
        running = asyncio.create_task(
            ask("hold", {"began": str(files[0])}, client="ada", page="one")
        )
        await begun(files[0])
        waiting = asyncio.create_task(
            ask("hold", {"began": str(files[1])}, client="ada", page="two")
        )
        await until(lambda: shared.workers.metrics()["waiting"] == 1)
        newest = asyncio.create_task(ask("echo", {"word": "new"}, client="ada", page="two"))
        with pytest.raises(OutdatedError):
            await waiting
        assert not running.done()
        again = asyncio.create_task(ask("echo", {"word": "newer"}, client="ada", page="one"))
        with pytest.raises(OutdatedError):
            await running
        assert [(await newest)["word"], (await again)["word"]] == ["new", "newer"]
        assert not files[1].exists()
        same_name = await ask("echo", {"word": "bo"}, client="bo", page="one")
        assert same_name["word"] == "bo"

    shared.run(work())


# -- what is known already -----------------------------------------------------------------------


def test_a_pure_answer_is_worked_out_once(shared: Bench) -> None:
    slots = shared.workers.slots

    async def work() -> None:
        asked = {**JINX, "of": ["net"], "given": ["hit=true"]}
        first = await shared.workers.ask("odds", asked, client="ada")
        done = [slot.done for slot in slots]
        assert await shared.workers.ask("odds", asked, client="bo") == first
        assert [slot.done for slot in slots] == done
        other = await shared.workers.ask("odds", {**asked, "of": ["hit"]}, client="bo")
        assert other != first

    shared.run(work())


def test_metrics_tell_of_slots_and_questions(shared: Bench) -> None:
    async def work() -> None:
        await idle(*shared.workers.slots)
        await shared.workers.ask("echo", {}, client="ada")
        with pytest.raises(WorkFailedError):
            await shared.workers.ask("fail", {}, client="ada")

    before = shared.workers.metrics()["questions"]
    shared.run(work())
    seen = shared.workers.metrics()
    assert isinstance(before, dict)
    assert isinstance(seen["questions"], dict)
    for name, key in (("echo", "answered"), ("fail", "refused")):
        assert seen["questions"][name][key] == before.get(name, {key: 0})[key] + 1
    assert isinstance(seen["slots"], list)
    assert [(row["slot"], row["light"], row["state"]) for row in seen["slots"]] == [
        (0, True, "idle"), (1, False, "idle")
    ]  # fmt: skip
    assert all(row["pid"] and row["memory"] > 10_000_000 for row in seen["slots"])


# -- the end -------------------------------------------------------------------------------------


def test_the_end_comes_quickly_also_while_a_worker_is_busy(tmp_path: Path) -> None:
    began, other = tmp_path / "began", tmp_path / "other"
    with bench(size=Size(waiting=1, waiting_of_client=1)) as made:
        workers = made.workers

        async def work() -> tuple[asyncio.Task[Message], asyncio.Task[Message]]:
            busy = asyncio.create_task(workers.ask("deaf", {"began": str(began)}, client="ada"))
            await begun(began)
            waits = asyncio.create_task(workers.ask("hold", {"began": str(other)}, client="ada"))
            await until(lambda: workers.metrics()["waiting"] == 1)
            with pytest.raises(QueueFullError) as caught:
                await workers.ask("echo", {}, client="ada")
            assert caught.value.retry_after >= 1
            return busy, waits

        busy, waits = made.run(work())
        pids = [slot.pid for slot in workers.slots]
        at = monotonic()

        async def end() -> None:
            await workers.__aexit__(None, None, None)
            for asked in (busy, waits):
                with pytest.raises(WorkerLostError, match="the server ends"):
                    await asked
            with pytest.raises(WorkerLostError, match="the server ends"):
                await workers.ask("echo", {}, client="ada")

        made.run(end())
        assert monotonic() - at < 3.0
        assert not any(_lives(pid) for pid in pids if pid)
        assert not other.exists()


SERVER = """
import asyncio, sys
from affray.api.work.workers import Workers
from tests.api.work.bench import ODD, idle

async def serve():
    async with Workers(2, questions=ODD) as workers:
        await asyncio.wait_for(idle(*workers.slots), 60)
        asyncio.ensure_future(workers.ask("deaf", {"began": sys.argv[1]}, client="ada"))
        print(*[slot.pid for slot in workers.slots], flush=True)
        await asyncio.sleep(600)

asyncio.run(serve())
"""


def test_no_worker_outlives_a_server_that_is_killed(tmp_path: Path) -> None:
    began = tmp_path / "began"
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(began)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        pids = [int(word) for word in server.stdout.readline().split()]
        assert len(pids) == 2
        asyncio.run(asyncio.wait_for(begun(began), PATIENCE_S))
    finally:
        server.kill()
        server.wait()
    asyncio.run(asyncio.wait_for(until(lambda: not any(map(_lives, pids))), PATIENCE_S))
