"""The server: tools over standard input and output, each call in a thread of its own.

So the server answers whatever comes meanwhile, and a call can be cancelled: its budget then says
stop. Standard output belongs to the protocol; whatever else is printed goes to standard error.
"""

from __future__ import annotations

import sys
import traceback
from functools import cache
from threading import Event
from time import monotonic

import anyio
import anyio.from_thread
import anyio.to_thread
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from affray import _version
from affray.app.registry import blame
from affray.app.views.envelope import plain, to_json
from affray.core.errors import AffrayError, LimitError, MovedOnError, StoreError
from affray.engine.budget import Budget, Progress
from affray.engine.watchdog import unwatched
from affray.mcp.calls import Work
from affray.mcp.games import Games
from affray.mcp.texts import refusal_told, told
from affray.mcp.tools import (
    TOOLS,
    changes_games,
    input_schema,
    is_long,
    output_schema,
    read_call,
    seconds_of,
    words_of,
)

__all__ = ["INSTRUCTIONS", "serve", "tool_list"]

INSTRUCTIONS = (
    "affray resolves combat of tabletop games by the rules of the book: it plays, prices and "
    "decides. Begin with list_systems. To play, begin_game gives the id of a game and its first "
    "question; change_game answers it, and the game goes on to the next. Numbers in "
    "`structuredContent` are exact where they are fractions."
)
GRACE_S = 10.0
"""Seconds beyond twice its budget after which nobody waits for a call any more: a battle that is
the first may take as long again."""
N_SHORT, N_LONG = 4, 2
"""Calls that are worked on at the same time; further ones wait."""
BETWEEN_REPORTS_S = 0.25

Context = ServerRequestContext[dict[str, object], object]


class LateError(AffrayError):
    """A call took much longer than it may."""

    code = "late"


class FaultError(AffrayError):
    """A fault in the program or in a system."""

    code = "internal"


class _Server:
    """The tools, and the games that they hold."""

    def __init__(self) -> None:
        self.games = Games()
        self._short, self._long = anyio.CapacityLimiter(N_SHORT), anyio.CapacityLimiter(N_LONG)

    async def list_tools(self, _: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        """All tools."""
        return ListToolsResult(tools=await anyio.to_thread.run_sync(tool_list))

    async def call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        """The result of a call, or what is wrong with it; nothing is raised."""
        stop = Event()
        try:
            call = await anyio.to_thread.run_sync(read_call, params.name, params.arguments or {})
            seconds = seconds_of(call)
            budget = Budget(
                seconds=seconds, stop=stop.is_set, progress=_Reports(context, stop, seconds)
            )

            def done() -> CallToolResult:
                view = call.view(Work(self.games, budget))
                return CallToolResult(
                    content=[TextContent(type="text", text=told(view))],
                    structured_content=to_json(view),
                )

            limiter = self._long if is_long(type(call)) else self._short
            most_s = 2 * seconds + GRACE_S
            with anyio.move_on_after(most_s):
                return await anyio.to_thread.run_sync(done, abandon_on_cancel=True, limiter=limiter)
            raise LateError(
                f"{params.name}: no result after {most_s:.0f} seconds; other calls "
                "may be in front of it, or a rule does not come back"
            )
        except AffrayError as error:
            return _refused(error)
        except Exception as error:  # rules of other packages may raise anything
            traceback.print_exc(file=sys.stderr)
            what = blame(error) or f"{type(error).__name__}: {error}"
            return _refused(FaultError(f"this failed, which is a fault of the program: {what}"))
        finally:
            stop.set()


class _Reports:
    """Tells the client how far a call is: seconds, of those that it may take."""

    def __init__(self, context: Context, stop: Event, seconds: float) -> None:
        self._context, self._stop, self._seconds = context, stop, seconds
        self._began = self._last = monotonic()

    def __call__(self, progress: Progress) -> None:
        now = monotonic()
        if self._stop.is_set() or now - self._last < BETWEEN_REPORTS_S:
            return
        self._last = now
        wanted = "" if progress.wanted is None else f" of {progress.wanted:,}"
        anyio.from_thread.run(
            self._context.session.report_progress, now - self._began, self._seconds,
            f"{progress.done:,}{wanted} {progress.work}",
        )  # fmt: skip


@cache
def tool_list() -> list[Tool]:
    """All tools as the protocol lists them."""
    return [
        Tool(
            name=name,
            description=words_of(kind),
            input_schema=input_schema(kind),
            output_schema=output_schema(kind),
            annotations=ToolAnnotations(
                read_only_hint=not changes_games(kind),
                destructive_hint=False,
                open_world_hint=False,
            ),
        )
        for name, kind in TOOLS.items()
    ]


def _refused(error: AffrayError) -> CallToolResult:
    """An error as the result of a call: its code, its message, and all faults."""
    data = {"code": error.code, "message": str(error), "faults": plain(error.faults)}
    if isinstance(error, MovedOnError):
        data |= {"revision": error.revision, "question": plain(error.question)}
    if isinstance(error, LimitError):
        data["settled"] = error.settled
    return CallToolResult(
        content=[TextContent(type="text", text=refusal_told(error))], structured_content=data,
        is_error=True,
    )  # fmt: skip


def serve() -> None:
    """Serve until standard input ends.

    Raises:
        StoreError: standard input or output is closed.
    """
    if sys.__stdin__ is None or sys.__stdout__ is None:
        raise StoreError("the protocol needs standard input and output, and one of them is closed")
    guarded = sys.stdin, sys.stdout
    sys.stdin, sys.stdout = sys.__stdin__, sys.__stdout__  # the transport takes their descriptors
    try:
        with unwatched():
            anyio.run(_served)
    finally:
        sys.stdin, sys.stdout = guarded


async def _served() -> None:
    tools = _Server()
    server = Server(
        "affray", version=_version.VERSION, title="affray", instructions=INSTRUCTIONS,
        on_list_tools=tools.list_tools, on_call_tool=tools.call_tool,
    )  # fmt: skip
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
