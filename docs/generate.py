"""Write the generated documents anew: `make docs`. A test keeps them true.

| document | made from |
|---|---|
| `docs/played/<id>.md` | a fight of each system, played from its script |
| `docs/cli.md` | the help of every command |
| `docs/views.md` | the views, and what their docstrings say |
| `docs/systems/<id>.md` | a system's clauses, rulings, fields, objectives and examples |
| `docs/images/affray.svg` | four commands, run and drawn |
| `docs/images/house.svg` | the imports of the source |
| console blocks of `README.md` and `docs/*.md` | the commands in them, run |
| terminal blocks there | the sessions in them, typed again |
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import click
from click.testing import CliRunner
from docs.house import house
from docs.picture import picture
from docs.sessions import with_sessions

import affray.systems
from affray.app.files.proofs import proofs_by_clause
from affray.app.inputs.setups import examples
from affray.app.inputs.tables import fight_examples
from affray.app.registry import system_ids, system_named
from affray.app.views.envelope import View
from affray.app.views.schemas import schema_of, view_classes
from affray.cli.command import Commands
from affray.cli.main import app
from affray.engine.fight.matchup import fight_of
from affray.testing.view import CheckView

ROOT = Path(__file__).resolve().parent.parent
MADE = "<!-- Made by `make docs`; edit what it is made from. -->\n\n"

WITH_CONSOLE = (ROOT / "README.md", ROOT / "docs" / "tutorial.md")
"""Documents that show commands and what they print."""
_BLOCK = re.compile(r"(?<=```console\n)(.*?)(?=```)", re.DOTALL)


def _row(*cells: object) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |\n"


def system_page(name: str) -> str:
    """The page of one system."""
    system = system_named(name)
    tests = proofs_by_clause(system, ROOT / "tests")
    edition = system.edition[:1].upper() + system.edition[1:]
    text = f"# {system.title}\n\n{MADE}{edition}. {system.credit}\n"
    covered = ", ".join(f"`{step.name}`" for step in system.steps if step.sealed)
    text += f"\nId: `{system.id}`. Steps: {len(system.steps)}. "
    text += f"Decided under cover: {covered or 'nothing; the book decides in the open'}.\n"
    text += "\n## Outcome fields\n\n" + _row("field", "meaning", "unit", "clause")
    text += _row("---", "---", "---", "---")
    for field in system.fields:
        names = ", ".join(f"`{n}`" for n in (field.name, *field.also))
        text += _row(names, field.title, field.unit, field.clause)
    text += "\n## Objectives\n\n" + _row("objective", "meaning", "whose") + _row(*["---"] * 3)
    for wish in system.objectives:
        text += _row(f"`{wish.name}`", wish.title, wish.actor)
    text += "\n## Steps, in the book's order\n\n" + _row("step", "what it does", "clauses")
    text += _row("---", "---", "---")
    for step in system.steps:
        text += _row(f"`{step.name}`", step.title, ", ".join(step.clauses))
    text += "\n## Rulings\n\n" + _row("ruling", "question", "readings (default first)", "clauses")
    text += _row("---", "---", "---", "---")
    for ruling in system.rulings:
        order = sorted(ruling.options, key=lambda option: option != ruling.default)
        readings = "; ".join(f"`{option}`: {ruling.options[option]}" for option in order)
        text += _row(f"{ruling.id} `{ruling.name}`", ruling.question, readings,
                     ", ".join(ruling.clauses))  # fmt: skip
    text += "\n## Examples\n\n" + _row("example", "what it shows", "vectors") + _row(*["---"] * 3)
    for title, table in examples(system).items():
        vectors = table.get("vectors", [])
        shown = ", ".join(map(str, vectors)) if isinstance(vectors, list) else str(vectors)
        text += _row(f"`{title}`", table.get("title", ""), shown)
    if fight_examples(system):
        text += "\n## Fights\n\n" + _row("fight", "what it is") + _row(*["---"] * 2)
        for title, table in fight_examples(system).items():
            text += _row(f"`{title}`", table.get("title", ""))
    text += "\n## Clauses\n\n" + _row("clause", "source", "what it is about", "status", "code",
                                      "tests")  # fmt: skip
    text += _row(*["---"] * 6)
    for clause in system.clauses.values():
        code = ", ".join(f"`{spot}`" for spot in system.carriers.get(clause.id, ()))
        status = f"{clause.status}: {clause.reason}" if clause.reason else clause.status
        n_tests = len(tests.get(clause.id, ()))
        text += _row(clause.id, clause.source, clause.title, status, code, n_tests)
    return text


def played_pages() -> Iterator[tuple[Path, Callable[[], str]]]:
    """A page for each system: the first of its fights that has a script, played from it.

    A fight on a board comes before those without one.
    """
    for name in system_ids():
        if Path(affray.systems.__path__[0]) not in system_named(name).folder.parents:
            continue
        known = fight_examples(system_named(name))
        with_script = [fight for fight, raw in known.items() if "play" in raw]
        board = fight_of(system_named(name)).board if with_script else None
        on_board = [fight for fight in with_script if board and board.key in known[fight]]
        fight = next(iter((*on_board, *with_script)), None)
        if fight is not None:
            yield ROOT / "docs" / "played" / f"{name}.md", partial(played_page, name, fight)


def shown_fight(*words: str) -> str:
    """What a terminal of the usual width shows of a fight."""
    env = {**PLAIN, "COLUMNS": "80"}
    return CliRunner().invoke(app, words, prog_name="affray", env=env).output


def played_page(name: str, fight: str) -> str:
    """A whole fight as a terminal shows it, typed from its script."""
    words = ["fight", name, fight, "--script"]
    lines = "\n".join(line.rstrip() for line in shown_fight(*words).splitlines()).strip("\n")
    title = fight_examples(system_named(name))[fight].get("title", fight)
    text = f"# {system_named(name).title}: a fight, played\n\n{MADE}{title}.\n\nWhat is typed "
    text += f"stands behind the prompts, and in the fight itself (key `play` of `{fight}`).\n\n"
    return f"{text}```text\n$ affray {' '.join(words)}\n{lines}\n```\n"


def cli_page() -> str:
    """The page of the command line."""
    runner = CliRunner()
    text = f"# The command line\n\n{MADE}"
    text += "Exit status: 0 fine; 1 a rule refused it; 2 usage: an unknown command, system, "
    text += (
        "clause or name; 3 input or output: a file that can't be read or doesn't fit; 4 a limit "
    )
    text += "was reached; 130 interrupted.\n"
    for words in ([], *command_words(app)):
        shown = runner.invoke(app, [*words, "--help"], prog_name="affray", env=PLAIN).output
        lines = "\n".join(line.rstrip() for line in shown.splitlines()).strip("\n")
        text += f"\n## {' '.join(['affray', *words])}\n\n```text\n{lines}\n```\n"
    return text


def views_page() -> str:
    """The page of the views: what `--json` prints, by the names of the envelopes."""
    text = f"# Views: what `--json` prints\n\n{MADE}"
    text += "Every result is a view. As JSON it is an object with `schema`, the name of the view;\n"
    text += "`version`, that of its shape; `affray`, that of the program; and its values.\n"
    text += "`affray schema --views` prints the JSON Schema of all of them.\n\n"
    text += _row("schema", "version", "class", "what it is") + _row(*["---"] * 4)
    views: list[type[View]] = [*view_classes(), CheckView]
    for view in sorted(views, key=lambda view: view.schema):
        words = str(schema_of(view)["description"]).partition("\n\n")[0]
        text += _row(f"`{view.schema}`", view.version, f"`{view.__name__}`", words)
    return text


def command_words(group: Commands, *before: str) -> Iterator[list[str]]:
    """What stands behind `affray` for each command of a group, those of groups in it included."""
    for name in group.where:
        words = [*before, name]
        yield words
        found = group.get_command(click.Context(group), name)
        if isinstance(found, Commands):
            yield from command_words(found, *words)


PLAIN = {"COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1"}


def _run(command: str) -> str:
    words = shlex.split(command)
    if words[0] == "affray":
        words = [sys.executable, "-m", "affray", *words[1:]]
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, cwd=ROOT,
        env={**os.environ, **PLAIN, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    return done.stdout + done.stderr


def with_output(text: str, run: Callable[[str], str] = _run) -> str:
    """The text with every command of its console blocks run and its real output beneath."""

    def output_of(command: str) -> str:
        return "".join(f"{line.rstrip()}\n" for line in run(command).splitlines())

    def renewed(block: re.Match[str]) -> str:
        commands = [line for line in block[1].splitlines() if line.startswith("$ ")]
        return "\n".join(f"{line}\n{output_of(line[2:])}".rstrip("\n") + "\n" for line in commands)

    return _BLOCK.sub(renewed, text)


def documents() -> Iterator[tuple[Path, Callable[[], str]]]:
    """Every generated document: where it lies and what makes its text."""
    for name in system_ids():
        if Path(affray.systems.__path__[0]) in system_named(name).folder.parents:
            yield ROOT / "docs" / "systems" / f"{name}.md", partial(system_page, name)
    yield from played_pages()
    yield ROOT / "docs" / "cli.md", cli_page
    yield ROOT / "docs" / "views.md", views_page
    yield ROOT / "docs" / "images" / "affray.svg", picture
    yield ROOT / "docs" / "images" / "house.svg", house
    for path in WITH_CONSOLE:
        yield path, partial(_renewed, path)


def _renewed(path: Path) -> str:
    return with_sessions(with_output(path.read_text(encoding="utf-8")))


def main() -> None:
    """Write what has changed."""
    for path, make in documents():
        text = make()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
