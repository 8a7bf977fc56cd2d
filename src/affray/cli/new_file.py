"""Where new roster entries go: a file, one called like the first of them, standard output."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

from affray.app.inputs.intake import table_of
from affray.app.sources import Table
from affray.cli.game_file import RosterFile
from affray.cli.person import Tell
from affray.cli.writing import write_beside

__all__ = ["NewFile"]


class NewFile:
    """Where new entries go: a file that somebody named, or one called like the first entry.

    Args:
        name: of the file; "": as the entry is called; "-": to standard output.
        system: id of the system.
        replace: whether a named file is replaced, whoever wrote it.

    Raises:
        StoreError: nothing can be written there, or something else is there.
    """

    def __init__(self, name: str, system: str, *, replace: bool = False) -> None:
        self.system = system
        self.is_stdout = name == "-"
        named = name and not self.is_stdout
        self._file = RosterFile(Path(name), system, replace=replace) if named else None

    @property
    def own(self) -> tuple[Table, ...]:
        """The entries that stand there already."""
        if self._file is None or not self._file.before:
            return ()
        return (Table(table_of(self._file.before, str(self._file.path)), str(self._file.path)),)

    def path_for(self, key: str) -> Path:
        """Where the entry of this key goes, unless something else turns out to be there."""
        return self._file.path if self._file else Path(f"{key}.toml")

    def add(self, key: str, entry: str) -> Path:
        """Write one more entry: where it went to.

        Raises:
            StoreError: it can't be written.
        """
        path = self.path_for(key)
        if self._file is None and path.exists():
            head = RosterFile.head_for(self.system)
            return path.with_name(write_beside(path, f"{head}\n{entry}\n").name)
        (self._file or RosterFile(path, self.system)).add(entry)
        return path

    def finished(self, key: str, entry: str, foe: str, tell: Tell) -> str:
        """Write an entry and tell where it is: the file, or "" for standard output.

        Args:
            key: of the fighter in it.
            entry: the text, of one entry or more.
            foe: roster name of somebody to fight.
            tell: shows a text.

        Raises:
            StoreError: it can't be written.
        """
        if self.is_stdout:
            tell(f"\n{entry}")
            return ""
        path = self.add(key, entry)
        tell(
            f"written to {path}; to fight: affray fight {self.system} {key} {foe} "
            f"--roster {quote(str(path))}"
        )
        return str(path)
