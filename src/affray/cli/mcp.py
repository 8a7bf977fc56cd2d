"""The command that offers the use cases as tools to programs that are game masters."""

from __future__ import annotations

from affray.cli.command import command
from affray.core.errors import StoreError

__all__ = ["mcp"]


@command("affray mcp")
def mcp() -> None:
    """Offer affray as tools to AI game masters.

    It speaks the Model Context Protocol on standard input and output, until its input ends; a
    client starts it, as docs/mcp.md shows. Games are kept in memory; nothing is read from files.
    """
    try:
        from affray.mcp.server import serve
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package == "affray":
            raise
        raise StoreError(
            f"this needs a package that isn't installed, {package}; "
            "install it: pip install 'affray[mcp]'"
        ) from None
    serve()
