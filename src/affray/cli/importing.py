"""A fighter from a file of another program, shown and written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace as changed
from pathlib import Path
from typing import cast

from affray.app.imports import import_fighter
from affray.app.inputs.rosters import roster_for
from affray.app.registry import system_named
from affray.app.views.sheets import ImportView
from affray.app.views.toml_text import entry_text
from affray.cli.new_file import NewFile
from affray.cli.show import show
from affray.cli.sources import table_from_file, table_from_stdin
from affray.cli.texts import say, tell
from affray.core.errors import SetupError

__all__ = ["bring_in"]


def bring_in(
    program: str, file: str, to: str, against: str, *, replace: bool, as_json: bool
) -> ImportView:
    """Bring in a fighter, and write it.

    Args:
        program: whose file it is.
        file: the file, or - for standard input.
        to: where to; "": a file called like the fighter; "-": standard output.
        against: roster name of the one against whom it is priced.
        replace: whether `to` is replaced, whoever wrote it.
        as_json: whether what is told goes to standard error, since JSON follows.

    Raises:
        UnknownNameError, InputError: as for `import_fighter`.
        SetupError: an entry of this name stands in the file already.
        StoreError: it can't be written.
    """
    table = table_from_stdin() if file == "-" else table_from_file(Path(file))
    view = import_fighter(program, table, against)
    if not as_json:
        show(view)
    out = NewFile(to, view.system, replace=replace)
    there = roster_for(system_named(view.system), {}, "", own=out.own).own
    entries = []
    for section, some in view.entries.items():
        for key, entry in cast("Mapping[str, Mapping[str, object]]", some).items():
            taken = there.get(section, {}).get(key)
            if taken is None:
                entries.append(entry_text(section, key, entry))
            elif section == view.section or taken != entry:
                raise SetupError(f"{to}: {section}.{key} stands there already; name another file")
    written = out.finished(view.key, "\n\n".join(entries), view.foe, say if as_json else tell)
    return changed(view, file=written)
