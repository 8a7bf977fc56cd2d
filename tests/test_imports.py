"""The files of the package import each other in one direction, those for types alone included."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src" / "affray"


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports() -> dict[str, set[str]]:
    """For each file the files that it names at its top level, in `if TYPE_CHECKING` too."""
    paths = {module_of(path): path for path in PACKAGE.rglob("*.py")}
    found: dict[str, set[str]] = {}
    for name, path in paths.items():
        tops = ast.parse(path.read_text(encoding="utf-8")).body
        inner = [one for top in tops if isinstance(top, ast.If) for one in top.body]
        named = set()
        for node in (*tops, *inner):
            if isinstance(node, ast.ImportFrom) and node.module in paths:
                for alias in node.names:
                    below = f"{node.module}.{alias.name}"
                    named.add(below if below in paths else node.module)
        found[name] = named - {name}
    return found


def test_no_files_import_each_other_in_a_circle() -> None:
    graph = imports()
    assert sum(map(len, graph.values())) > 1_000
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None
