"""The command that starts the service."""

from __future__ import annotations

import os
import signal
import sys
import webbrowser
from pathlib import Path
from threading import Thread

import click

from affray.cli.command import command, option
from affray.core.errors import StoreError

__all__ = ["serve"]

MISSING = """affray serve needs more packages; install them with

    pip install 'affray[serve]'"""
PUBLIC = """Everybody who reaches this machine on port {port} can open affray. Games and tables
are made with this key; keep it to yourself, and put a proxy with TLS in front:

    {key}
"""


@command("affray serve --port 8080")
@option("--port", type=click.IntRange(0, 65_535), default=8080, show_default=True, metavar="N",
        help="Listen on this port; 0: a free one.")  # fmt: skip
@option("--data", type=click.Path(path_type=Path), metavar="FOLDER",
        help="Keep games and tables here (default: your data folder).")  # fmt: skip
@option("--workers", type=click.IntRange(2, 256), metavar="N",
        help="Processes for odds, duels and battles (default: one for each core).")  # fmt: skip
@option("--public", is_flag=True, help="Let other machines in; games then need a key.")
@option("--open", "opens", is_flag=True, help="Open the page in your browser.")
@option("--once", is_flag=True, help="See whether the page answers, then end.")
@option("--host", "hosts", multiple=True, metavar="NAME",
        help="With --public: only answer to this name.")  # fmt: skip
def serve(
    *,
    port: int,
    data: Path | None,
    workers: int | None,
    public: bool,
    hosts: tuple[str, ...],
    opens: bool,
    once: bool,
) -> None:
    """Serve the page and the HTTP API until you press Ctrl-C.

    Games, setups and tables are kept in a folder of yours, or in PostgreSQL if AFFRAY_DATABASE_URL
    names a database. Nothing leaves this machine.
    """
    from affray.cli.printing import print_text

    try:
        from affray.api.serving import serve as served
        from affray.api.serving import with_key
        from affray.api.settings import Settings
        from affray.web.site import make_site
    except ImportError as error:
        raise StoreError(f"{MISSING}\n\n({error})") from None
    if hosts and not public:
        raise click.BadParameter("it goes with --public", param_hint="--host")
    made = Settings(
        data=data, database_url=os.environ.get("AFFRAY_DATABASE_URL", ""), port=port,
        host="0.0.0.0" if public else "127.0.0.1",  # that is what --public means
        public=public, hosts=hosts, workers=workers,
    )  # fmt: skip
    if public:
        made = with_key(made)
        print_text(PUBLIC.format(port=port, key=made.key))
    tried = Trial()

    def ready(address: str) -> None:
        print_text(f"affray: {address}" if once else f"affray: {address} (Ctrl-C ends it)")
        if opens and _has_screen():
            Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        if once:
            Thread(target=tried.run, args=(address,), daemon=True).start()

    served(made, ready, make_site)
    if once:
        print_text(tried.told)


def _has_screen() -> bool:
    """Whether a browser with windows can open; one in the terminal would only be in the way."""
    displays = {"DISPLAY", "WAYLAND_DISPLAY"}
    return sys.platform in {"darwin", "win32"} or not displays.isdisjoint(os.environ)


class Trial:
    """Asks the server for its first page, then ends it."""

    def __init__(self) -> None:
        self._told = ""
        self._fault = "nobody asked for the page"

    def run(self, address: str) -> None:
        """Ask, and end the server whatever comes of it."""
        from urllib.request import urlopen

        try:
            with urlopen(f"{address}/", timeout=10) as answer:
                self._told, self._fault = f"The page answers ({answer.status}).", ""
        except OSError as error:
            self._fault = str(error)
        os.kill(os.getpid(), signal.SIGINT)

    @property
    def told(self) -> str:
        """What came of it.

        Raises:
            StoreError: the page doesn't answer.
        """
        if self._fault:
            raise StoreError(f"the page doesn't answer: {self._fault}")
        return self._told
