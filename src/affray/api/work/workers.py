"""The workers of a server: questions asked of processes beside it, in a fair order.

>>> async def example() -> object:
...     async with Workers(2) as workers:
...         asked = {"system": "eclipse-phase", "setup": "jinx-shoots", "of": ["hit"]}
...         view = await workers.ask("odds", asked, client="somebody")
...         return view["schema"]
>>> asyncio.run(example())
'affray/odds'

One worker is kept free for short questions, so that nothing long delays them; the others take any.
Whoever waits for an answer may be cancelled: the work is then stopped. A newer question of the same
page outdates the older one.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Hashable, Mapping
from math import ceil
from time import monotonic
from types import TracebackType

from affray.api.work.cache import Cache, key_of
from affray.api.work.errors import OutdatedError, WorkerLostError
from affray.api.work.frames import Message, packed
from affray.api.work.questions import Question, questions_in, read_question
from affray.api.work.queue import FairQueue
from affray.api.work.slots import Reply, Setting, Slot, Task
from affray.app.inputs.intake import InputError
from affray.core.errors import AffrayError
from affray.core.lazy import NamedTuple
from affray.core.names import unknown
from affray.engine.budget import Budget

__all__ = ["LIGHT_S", "Size", "Workers", "usual_number"]

LIGHT_S = 5.0
"""Questions are short if they may not take longer than this."""
USUAL = Budget()
OWN = "affray.api.work.questions:QUESTIONS"
BACK_OFF_S, LONGEST_S = 0.5, 30.0
"""Seconds before a worker that could not be started is tried again; twice as long each time."""
TRIES = 3
"""So often, and questions that only such workers could answer are refused."""
FIRST_GUESS_S = 1.0
"""The seconds that a question takes, before any was answered."""


class Size(NamedTuple):
    """The limits of what workers take.

    Attributes:
        memory: bytes that a worker may take.
        waiting, waiting_of_client: the most questions that wait, in all and of one client.
        cache: bytes of views that are kept.
    """

    memory: int = 400_000_000
    waiting: int = 200
    waiting_of_client: int = 20
    cache: int = 32_000_000


USUAL_SIZE = Size()


def usual_number() -> int:
    """The number of workers where nobody says: one for each core, at least two."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(2, cores or 2)


class _Ticket:
    """A question that waits or is under way."""

    def __init__(
        self, task: Task, client: Hashable, *, is_light: bool, future: asyncio.Future[Reply]
    ) -> None:
        self.task, self.client, self.is_light, self.future = task, client, is_light, future
        self.slot: Slot | None = None
        self.begun: Callable[[], None] | None = None

    def fail(self, error: AffrayError) -> None:
        """Nobody gets an answer; whoever waits is told why."""
        if not self.future.done():
            self.future.set_exception(error)


class _Figures:
    """How long questions of a kind took."""

    def __init__(self) -> None:
        self.answered = self.refused = 0
        self.seconds = self.longest = 0.0

    def count(self, seconds: float, *, is_answer: bool) -> None:
        """One more took so long."""
        self.answered += is_answer
        self.refused += not is_answer
        self.seconds += seconds
        self.longest = max(self.longest, seconds)


class Workers:
    """Worker processes and the questions that wait for them.

    Args:
        number: how many, at least two; None: one for each core.
        size: how much they may take.
        questions: where the questions stand that they know, as `module:NAME`.
    """

    def __init__(
        self,
        number: int | None = None,
        size: Size = USUAL_SIZE,
        *,
        questions: str = OWN,
    ) -> None:
        number = usual_number() if number is None else number
        if number < 2:
            raise InputError(f"{number} workers; at least 2: one is kept free for short questions")
        self._known: Mapping[str, type[Question]] = questions_in(questions)
        setting = Setting(questions, size.memory)
        self._wakes = [asyncio.Event() for _ in range(number)]
        self.slots = tuple(
            Slot(n, setting, wake.set, light=n == 0) for n, wake in enumerate(self._wakes)
        )
        self._queue: FairQueue[_Ticket] = FairQueue(size.waiting, size.waiting_of_client)
        self._cache = Cache(size.cache)
        self._under_way: set[_Ticket] = set()
        self._pages: dict[tuple[Hashable, str], _Ticket] = {}
        self._figures: dict[str, _Figures] = {}
        self._keepers: list[asyncio.Task[None]] = []
        self._is_closed = False
        self._ready, self._light_tried = asyncio.Event(), asyncio.Event()

    async def __aenter__(self) -> Workers:
        self._keepers = [
            asyncio.create_task(self._keep(slot, wake))
            for slot, wake in zip(self.slots, self._wakes, strict=True)
        ]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._is_closed = True
        over = WorkerLostError("the server ends; ask again when it is back")
        for ticket in [*self._queue, *self._under_way]:
            ticket.fail(over)
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        await asyncio.gather(*(slot.end() for slot in self.slots))

    async def ready(self) -> None:
        """Wait until the first worker is ready."""
        await self._ready.wait()

    # -- asking --------------------------------------------------------------------------------

    async def ask(
        self,
        question: str,
        arguments: Mapping[str, object],
        *,
        client: Hashable,
        page: str = "",
        budget: Budget = USUAL,
        begun: Callable[[], None] | None = None,
        progress: Callable[[Message], None] | None = None,
    ) -> Message:
        """The answer to a question: a view as JSON. Cancel whoever awaits it to stop the work.

        Args:
            question: a name in `questions.QUESTIONS`.
            arguments: a table, as JSON.
            client: for whom; clients take turns.
            page: a newer question of the same page of a client outdates this one; "": none does.
            budget: how much it may take; its seconds are as usual for the question by default.
            begun: called when a worker begins with it.
            progress: told now and then how far the work is: `engine.budget.Progress` as JSON.

        Raises:
            UnknownNameError: no such question.
            InputError: the arguments don't fit.
            OutdatedError: the page asked something newer.
            QueueFullError: too many questions wait.
            WorkerLostError: the worker ended; or the server does.
            LimitError: as the question came to; or it was stopped from outside.
            AffrayError: what else the question came to.
        """
        if question not in self._known:
            raise unknown("question", question, self._known)
        if self._is_closed:
            raise WorkerLostError("the server ends; ask again when it is back")
        kind, arguments = self._known[question], dict(arguments)
        _check_json(question, arguments)
        self._outdate(client, page)
        key = key_of(question, arguments) if kind.pure else ""
        kept = self._cache.get(key) if key else None
        if kept is not None:
            return kept
        reply = await self._waited(
            _task(question, arguments, kind, budget.checked(), progress), client, page, begun
        )
        if key and reply.repeats and _is_pure(kind, reply.view):
            self._cache.keep(key, reply.view)
        return reply.view

    def check(self, question: str, arguments: Mapping[str, object]) -> None:
        """Check a question and its arguments without asking it.

        Raises:
            UnknownNameError: no such question.
            InputError: the arguments don't fit.
        """
        read_question(question, arguments, self._known)

    def seconds_for(self, question: str, asked: float | None) -> float:
        """The seconds that a question may take, if so many are asked for, or none."""
        return self._known[question].usual_s if asked is None else asked

    async def _waited(
        self, task: Task, client: Hashable, page: str, begun: Callable[[], None] | None
    ) -> Reply:
        is_light = self._known[task.question].is_light and task.seconds <= LIGHT_S
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        ticket = _Ticket(task, client, is_light=is_light, future=future)
        ticket.begun = begun
        self._queue.put(ticket, self._retry_after())
        if page:
            self._pages[client, page] = ticket
        for wake in self._wakes:
            wake.set()
        try:
            return await future
        finally:
            if self._pages.get((client, page)) is ticket:
                del self._pages[client, page]
            self._stop(ticket)

    def _outdate(self, client: Hashable, page: str) -> None:
        """Nobody waits any more for what a page asked before."""
        older = self._pages.pop((client, page), None)
        if older is not None:
            older.fail(OutdatedError("the same page asked something newer, so this was stopped"))
            self._stop(older)

    def _stop(self, ticket: _Ticket) -> None:
        """Give a question up, wherever it is; nothing if it is answered."""
        if not self._queue.drop(ticket) and ticket.slot is not None:
            ticket.slot.stop()

    def _retry_after(self) -> int:
        """Seconds after which those that wait now may be answered."""
        answered = sum(one.answered + one.refused for one in self._figures.values())
        seconds = sum(one.seconds for one in self._figures.values())
        each = seconds / answered if answered else FIRST_GUESS_S
        return min(60, max(1, ceil(each * len(self._queue) / len(self.slots))))

    # -- answering -----------------------------------------------------------------------------

    async def _keep(self, slot: Slot, wake: asyncio.Event) -> None:
        """Keep a worker in a slot, and give it what waits."""
        tries = 0
        if not slot.light:
            await self._light_tried.wait()  # what is asked first is short, and waits for it
        while True:
            try:
                await slot.start()
            except WorkerLostError as error:
                tries += 1
                self._light_tried.set()
                if tries >= TRIES:
                    self._refuse_hopeless(error)
                await asyncio.sleep(min(LONGEST_S, BACK_OFF_S * 2**tries))
                continue
            tries = 0
            self._light_tried.set()
            self._ready.set()
            while slot.is_alive and not slot.is_swollen:
                wake.clear()
                ticket = self._queue.take(only_light=slot.light)
                if ticket is None:
                    await wake.wait()
                else:
                    await self._work(slot, ticket)
            slot.replaced += 1
            await slot.end()

    async def _work(self, slot: Slot, ticket: _Ticket) -> None:
        """Have a question answered."""
        began, is_answer = monotonic(), False
        ticket.slot = slot
        self._under_way.add(ticket)
        if ticket.begun is not None:
            ticket.begun()
        try:
            reply = await slot.work(ticket.task)
            is_answer = True
            if not ticket.future.done():
                ticket.future.set_result(reply)
        except AffrayError as error:
            ticket.fail(error)
        finally:
            ticket.slot = None
            self._under_way.discard(ticket)
            self._queue.done(ticket)
            figures = self._figures.setdefault(ticket.task.question, _Figures())
            figures.count(monotonic() - began, is_answer=is_answer)

    def _refuse_hopeless(self, error: AffrayError) -> None:
        """Refuse what only workers could answer that can't be started."""
        alive = [slot for slot in self.slots if slot.is_alive]
        for ticket in list(self._queue):
            if not any(ticket.is_light or not slot.light for slot in alive):
                self._queue.drop(ticket)
                ticket.fail(error)

    # -- looking -------------------------------------------------------------------------------

    def metrics(self) -> dict[str, object]:
        """Figures about workers, waiting questions, and how long questions took."""
        return {
            "slots": [slot.seen for slot in self.slots],
            "waiting": len(self._queue),
            "waiting_light": sum(ticket.is_light for ticket in self._queue),
            "clients_waiting": len({ticket.client for ticket in self._queue}),
            "questions": {
                name: {
                    "answered": one.answered, "refused": one.refused,
                    "seconds": round(one.seconds, 3), "longest": round(one.longest, 3),
                }
                for name, one in self._figures.items()
            },
            "cache": {
                "views": len(self._cache), "bytes": self._cache.n_bytes,
                "found": self._cache.found, "missed": self._cache.missed,
            },
        }  # fmt: skip


def _task(
    question: str,
    arguments: Message,
    kind: type[Question],
    budget: Budget,
    progress: Callable[[Message], None] | None,
) -> Task:
    seconds = kind.usual_s if budget.seconds is None else budget.seconds
    limits = {
        name: getattr(budget, name) for name in ("places", "pairs", "battles", "bytes")
        if getattr(budget, name) is not None
    }  # fmt: skip
    return Task(question, arguments, limits, seconds, progress or _untold)


def _untold(_: Message) -> None:
    """Nobody wants to know."""


def _check_json(question: str, arguments: Message) -> None:
    """Refuse what can't be sent."""
    try:
        packed(arguments)
    except (ValueError, TypeError, RecursionError) as error:
        raise InputError(f"{question}: {error}; allowed: what JSON can say") from None


def _is_pure(kind: type[Question], view: Message) -> bool:
    """Whether a view is all that can be said, however long one looks."""
    whole = not view.get("partial") and not view.get("stopped_by")
    return whole and view.get("schema") in kind.pure
