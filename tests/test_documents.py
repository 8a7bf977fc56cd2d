"""What hand-written documents promise: their length, their lines, the files and names in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def test_readme_is_short_and_starts_with_what_it_is() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 290
    first_screen = "\n".join(lines[:24])
    for wanted in ("affray resolves combat", "make run", "make test", "docs/images/affray.svg"):
        assert wanted in first_screen


DOCUMENTS = sorted(
    path
    for pattern in ("*.md", "docs/*.md", "docs/adr/*.md")
    for path in ROOT.glob(pattern)
    if path.name != "cli.md"
)
"""What people write; the pages of systems and the command line are generated."""
NAMED = re.compile(r"(?<![\w./-])((?:src|tests|docs|benchmarks|app|cli|core|engine)/[\w./-]*\w/?)")
"""A file or folder that a document names; the packages also without `src/affray` before them."""


def prose(path: Path) -> Iterator[str]:
    """The lines of a document outside blocks of code and tables."""
    fenced = False
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith(("|", "    ")):
            yield line


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_lines_of_documents_are_not_long(path: Path) -> None:
    assert [line for line in prose(path) if len(line) > 100] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_file_that_a_document_names_exists(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    roots = (ROOT, ROOT / "src" / "affray", path.parent)
    wanted = [name for name in NAMED.findall(text) if not name.startswith("src/my_game")]
    assert [name for name in wanted if not any((root / name).exists() for root in roots)] == []


def test_the_architecture_names_many_files() -> None:
    assert len(NAMED.findall((ROOT / "docs" / "architecture.md").read_text("utf-8"))) > 30


def test_chapters_of_a_room_are_those_that_are_described() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    chapters = text.partition("## A room")[2].partition("##")[0]
    files = [name for name in re.findall(r"`([\w.]+)`", chapters) if "." in name]
    assert len(files) > 12
    rooms = [
        path for path in (ROOT / "src/affray/systems").iterdir() if (path / "sheet.py").exists()
    ]
    assert len(rooms) == 5
    missing = [
        f"{room.name}/{name}" for room in rooms for name in files if not (room / name).exists()
    ]
    assert missing == []


def folders_of_the_map() -> dict[str, list[str]]:
    """For each folder on the map of the engine the modules that it names there."""
    text = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    found = {}
    for part in text.split("\n## ")[1:]:
        folder, *lines = part.splitlines()
        cells = [line.split("|")[1] for line in lines if line.startswith("|")]
        found[folder] = re.findall(r"`(\w+)`", " ".join(cells))
    return found


def test_the_map_of_the_engine_names_each_module_once() -> None:
    engine = ROOT / "src/affray/engine"
    modules: dict[str, list[str]] = {}
    for path in sorted(engine.rglob("*.py")):
        if path.stem != "__init__":
            folder = path.parent.relative_to(engine.parent).as_posix()
            modules.setdefault(folder, []).append(path.stem)
    assert {folder: sorted(named) for folder, named in folders_of_the_map().items()} == modules


def test_every_name_in_the_glossary_is_there() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    names = re.findall(r"`((?:core|engine|app)\.[\w.]+)`", text)
    assert len(names) > 40
    for name in names:
        *modules, thing = name.split(".")
        owner: object
        if modules[-1][0].isupper():  # a field or method of a class
            owner = getattr(import_module(".".join(("affray", *modules[:-1]))), modules[-1])
        else:
            owner = import_module(".".join(("affray", *modules)))
        assert hasattr(owner, thing) or thing in getattr(owner, "__annotations__", {}), name


def test_every_word_is_explained_once() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    words = [word for row in re.findall(r"(?m)^\| ([a-z, ]+) \|", text) for word in row.split(", ")]
    words = [word for word in words if word != "word"]
    assert len(words) > 50
    assert sorted(words) == sorted(set(words))
