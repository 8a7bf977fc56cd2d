"""The decorators of rule text: `step` makes a step of a function, `cites` names clauses."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import CellType, ModuleType
from typing import TypeVar

from affray.core.loop import Loop
from affray.core.node import Facts, Node, Step

__all__ = ["cites", "fields_of", "leads_to", "step"]

F = TypeVar("F", bound=Facts)
T = TypeVar("T")


def step(*clauses: str, sealed: bool = False) -> Callable[[Callable[[F], Node[F]]], Step[F]]:
    """Make a step of a function from facts to a node.

    Args:
        clauses: ids of the clauses that it carries out.
        sealed: whether the book wants what is decided here kept from others until all such
            decisions that follow each other are made, as if they were made at the same time.
    """

    def decorate(rule: Callable[[F], Node[F]]) -> Step[F]:
        return Step(rule, clauses, sealed=sealed)

    return decorate


def cites(*clauses: str) -> Callable[[T], T]:
    """Mark a function or class that carries out clauses without being a step."""

    def decorate(thing: T) -> T:
        thing.__clauses__ = clauses  # type: ignore[attr-defined]  # read by System
        return thing

    return decorate


def fields_of(step: Step[F]) -> tuple[str, ...]:
    """The fields of the facts that a rule takes, if its annotation names their record."""
    note = next(iter(inspect.get_annotations(step.rule).values()), None)
    record = step.rule.__globals__.get(note) if isinstance(note, str) else note
    return getattr(record, "_fields", ())


def leads_to(step: Step[F]) -> set[Step[F]]:
    """Steps that a rule refers to, itself or through functions of its own module.

    By their names there, as members of a module, or from the function around it.
    """
    found: set[Step[F]] = set()
    seen: set[object] = set()
    waiting: list[object] = [step.rule]
    while waiting:
        function = waiting.pop()
        if function in seen or not inspect.isfunction(function):
            continue
        seen.add(function)
        names: set[str] = set()
        codes = [function.__code__]
        while codes:
            code = codes.pop()
            names.update(code.co_names)
            codes += [const for const in code.co_consts if inspect.iscode(const)]
        things = [function.__globals__.get(name) for name in names]
        things += [cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell)]
        for thing in things:
            if isinstance(thing, Step):
                found.add(thing)
            elif isinstance(thing, Loop):
                found.add(thing.step)
            elif inspect.isfunction(thing) and thing.__module__ == function.__module__:
                waiting.append(thing)
            elif isinstance(thing, ModuleType):
                members = (vars(thing).get(other) for other in names)
                found.update(member for member in members if isinstance(member, Step))
    return found


def _is_filled(cell: CellType) -> bool:
    """Whether a name of the function around another one has a value yet."""
    try:
        cell.cell_contents  # noqa: B018  # to see whether there is something
    except ValueError:
        return False
    return True
