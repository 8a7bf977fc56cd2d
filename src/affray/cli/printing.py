"""Print views: to the terminal as text, JSON or CSV, or into a file."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from affray.cli.command import refuse

if TYPE_CHECKING:
    from affray.app.views.envelope import View
    from affray.cli.game_file import CsvFile

__all__ = ["print_text", "print_view", "write_csv"]


def print_text(text: str) -> None:
    """Write a text and a line end on standard output."""
    sys.stdout.write(f"{text}\n")


def print_view(view: View, *, as_json: bool) -> None:
    """Print a view, as text or as JSON."""
    if as_json:
        from affray.app.views.envelope import to_json

        print_text(json.dumps(to_json(view), indent=1))
    else:
        from affray.cli.show import show

        show(view)


def write_csv(view: View, file: CsvFile | str | None, *, as_json: bool) -> bool:
    """Write a view as CSV where one is wanted; whether it went to standard output.

    Raises:
        StoreError: the file can't be written.
    """
    if file is None:
        return False
    from affray.app.views.csv_tables import to_csv

    to_stdout = isinstance(file, str)
    if to_stdout and as_json:
        refuse("--csv", "- and --json both print on stdout; give --csv a file")
    text = to_csv(view)
    if isinstance(file, str):
        sys.stdout.write(text)
    else:
        file.write(text)
    return to_stdout
