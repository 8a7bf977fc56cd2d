"""A person at the terminal makes a fighter: what is asked, and the lines that are typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as changed
from textwrap import wrap

from affray.app.first_attacks import foe_named, made_view
from affray.app.making import Making, Step, begin_making
from affray.app.registry import system_named
from affray.app.views.sheets import MadeView
from affray.app.views.toml_text import entry_text
from affray.cli.new_file import NewFile
from affray.cli.person import Lines, StopError
from affray.cli.screen import open_screen
from affray.cli.show import show
from affray.cli.texts import say, tell
from affray.core.errors import AnswerError

__all__ = ["make_fighter"]

HELP = (
    "Enter takes what stands in brackets. `undo` goes one question back, `done` leaves all the "
    "rest as usual, `q` stops and writes nothing."
)
QUITS, UNDOES, EXPLAINS = ("q", "quit"), ("u", "undo"), ("?", "h", "help")


def make_fighter(
    system_name: str, file: NewFile, script: Sequence[str], *, against: str, as_json: bool
) -> MadeView | None:
    """Make a fighter and write it; None: the person stopped, and nothing is written.

    Args:
        system_name: id of a system.
        file: where to.
        script: lines that are typed first.
        against: roster name of the foe; "": the first of the roster.
        as_json: whether what is told goes to standard error, since JSON follows.

    Raises:
        UnknownNameError: an unknown system or foe.
        StoreError: it can't be written.
    """
    lines = Lines(script, tell=say if as_json else tell)
    system = system_named(system_name)
    foe = foe_named(system, against)
    making = begin_making(system_name, file.own)
    _tell(lines, f"{system.title}: a new fighter; ? explains, q stops", 0)
    try:
        while True:
            making = _made(making, lines)
            view = made_view(system, making.section, making.key, making.table, foe)
            if not as_json:
                lines.tell("")
                show(view)
            again = None
            if not (making.is_as_usual or file.is_stdout):
                again = _confirmed(making, str(file.path_for(making.key)), lines)
            if again is None:
                break
            making = again
    except StopError:
        lines.tell("\nnothing is written")
        return None
    entry = entry_text(making.section, making.key, making.table)
    return changed(view, file=file.finished(making.key, entry, foe, lines.tell))


def _made(making: Making, lines: Lines) -> Making:
    """Ask until everything is said.

    Raises:
        StopError: the person stops.
    """
    told: tuple[str, ...] = ()
    while (step := making.step) is not None:
        if step.lines != told:
            for line in step.lines:
                _tell(lines, line, 2 if step.wrong and line == step.lines[0] else 0)
        told = step.lines
        making = _answered(making, step, lines.read(_prompt(step)), lines)
    return making


def _confirmed(making: Making, file: str, lines: Lines) -> Making | None:
    """None: what was made shall be written; else the fighter as it was one question before.

    Raises:
        StopError: the person stops.
    """
    while True:
        text = lines.read(f"write it to {file}? [yes]> ").casefold()
        if text in {"", "y", "yes"}:
            return None
        if text in UNDOES:
            return making.undone()
        if text in {*QUITS, "n", "no"}:
            raise StopError
        lines.tell("  allowed: yes, undo, q")


def _tell(lines: Lines, text: str, indent: int) -> None:
    """Tell a text in lines that fit on the screen."""
    blanks = " " * indent
    width = max(20, open_screen().width)
    for line in wrap(text, width, initial_indent=blanks, subsequent_indent=f"{blanks}  "):
        lines.tell(line)


def _prompt(step: Step) -> str:
    return f"{step.ask}{'' if step.usual is None else f' [{step.usual}]'}> "


def _answered(making: Making, step: Step, text: str, lines: Lines) -> Making:
    """The fighter after a line: an answer, or a command."""
    if text in QUITS:
        raise StopError
    if text in EXPLAINS:
        for line in (step.meaning or "nothing more is known of it").split("\n"):
            _tell(lines, line, 2)
        _tell(lines, HELP, 2)
        return making
    if text in UNDOES:
        if not making.answers:
            lines.tell("  nothing to undo")
        return making.undone()
    try:
        if text == "done":
            if step.usual is None:
                raise AnswerError(f"{step.ask} has to be said first")
            return making.as_usual()
        return making.answered(text)
    except AnswerError as error:
        lines.tell(f"  {error}")
        return making
