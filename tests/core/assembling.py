"""Systems put together in a line, for tests of what systems and engines do."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, cast

from affray.core.node import At, Facts, Step
from affray.core.ruling import Ruling
from affray.core.system import Field, Objective, System

TIES: Ruling[str] = Ruling(
    "A-1", "ties", "", "Who wins a tie?", {"attacker": "A does", "nobody": "none"}, default="nobody"
)
EVERYTHING: Field[Any] = Field("all", "Everything.", lambda facts: facts, "TY-1")
NOTHING: Objective[Any] = Objective("win", "To win.", lambda facts: 0, "attacker")


class Setup(NamedTuple):
    """A sheet: the facts that the first step sees."""

    facts: Facts


def assembled(
    steps: tuple[Step[Any], ...],
    clauses: Mapping[str, str] | None = None,
    **changes: Any,
) -> System[Facts]:
    """A system of these steps; every clause they cite is carried out, if nothing else is said.

    Args:
        steps: in the book's order; the first is the start.
        clauses: the status of each clause that clauses.toml lists.
        changes: anything else that a system has.
    """
    if clauses is None:
        clauses = {clause: "carried out" for step in steps for clause in step.clauses}
    with TemporaryDirectory() as folder:
        rows = (f'{name} = ["p. 1", "about {name}", "{clauses[name]}"]\n' for name in clauses)
        Path(folder, "clauses.toml").write_text("".join(rows), encoding="utf-8")
        parts: dict[str, Any] = {
            "id": "toy",
            "title": "Toy",
            "edition": "first",
            "credit": "Nobody's.",
            "prefix": "TY",
            "actors": ("attacker", "defender"),
            "steps": steps,
            "start": steps[0],
            "setup": Setup,
            "declare": lambda setup, rulings: At(steps[0], setup.facts),
            "fields": (EVERYTHING,),
            "objectives": (NOTHING,),
            "rulings": (TIES,),
            "folder": Path(folder),
        }
        made = cast("System[Facts]", System(**{**parts, **changes}))
        made.clauses  # noqa: B018  # read while the folder is there
        return made
