"""A client that starts `affray mcp` and calls its tools."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult, TextContent, Tool

__all__ = ["Connection", "connected", "text_of"]


class Connection:
    """A client with its server, for tests that don't wait by themselves."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self.portal, self.client = portal, client
        self.progress: list[tuple[float, float | None, str | None]] = []

    def list_tools(self) -> list[Tool]:
        """The tools that the server has."""
        return self.portal.call(self.client.list_tools).tools

    def ask(self, tool: str, /, **arguments: object) -> CallToolResult:
        """The result of a call; the client holds it against the schema of the tool."""
        found: CallToolResult = self.portal.call(self.client.call_tool, tool, arguments)
        return found

    def done(self, tool: str, /, **arguments: object) -> dict[str, Any]:
        """The data of a call that succeeds."""
        result = self.ask(tool, **arguments)
        assert not result.is_error, text_of(result)
        found: dict[str, Any] = result.structured_content
        return found

    def refused(self, tool: str, /, **arguments: object) -> dict[str, Any]:
        """The data of a call that is refused; its text says the same."""
        result = self.ask(tool, **arguments)
        assert result.is_error, text_of(result)
        found: dict[str, Any] = result.structured_content
        assert text_of(result) == f"{found['code']}: {found['message']}"
        assert found["faults"]
        return found

    def cancelled(self, tool: str, /, *, after_reports: int = 1, **arguments: object) -> None:
        """Call a tool, and cancel that when it has told its progress."""

        async def call() -> None:
            reports = 0

            async def report(progress: float, total: float | None, message: str | None) -> None:
                nonlocal reports
                self.progress.append((progress, total, message))
                reports += 1
                if reports >= after_reports:
                    scope.cancel()

            with anyio.CancelScope() as scope:
                await self.client.call_tool(tool, arguments, progress_callback=report)
            assert scope.cancelled_caught

        self.portal.call(call)


def text_of(result: CallToolResult) -> str:
    """The text of a result."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


@contextmanager
def connected() -> Iterator[Connection]:
    """A client, and a server that it has started."""
    server = StdioServerParameters(command=sys.executable, args=["-m", "affray", "mcp"])
    with start_blocking_portal() as portal:
        client = Client(stdio_client(server))
        with portal.wrap_async_context_manager(client) as opened:
            yield Connection(portal, opened)
