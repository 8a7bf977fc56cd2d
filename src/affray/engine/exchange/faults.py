"""Faults of a rule text that show only in play, told with the step that made them."""

from __future__ import annotations

from affray.core.actor import role_of
from affray.core.errors import RulesError
from affray.core.node import Chance, Choice, Facts, Go, Node, Step, unhashable_field
from affray.core.system import System
from affray.core.telling import shown
from affray.core.unknown import Looked

__all__ = ["check_asked", "check_hashable", "unhashable_at"]


def check_asked(
    system: System[Facts], step: Step[Facts], node: Chance[Facts] | Choice[Facts]
) -> None:
    """Check who is asked, and that a roll fills a field that there is.

    Raises:
        RulesError: an actor that the system doesn't declare, or an unknown field.
    """
    asked = system.asked
    if isinstance(node, Choice):
        if node.actor not in asked:
            _check_actor(system, step, node)
        return
    kind = type(node.then.facts)
    if (node.actor, node.into, kind) not in asked:
        _check_actor(system, step, node)
        names: tuple[str, ...] = getattr(kind, "_fields", ())
        if node.into not in names:
            raise RulesError(
                f"{system.id}: step {step.name} rolls {node.ask!r} into {shown(node.into)}; "
                f"{kind.__name__} has no such field, only {', '.join(names) or 'values'}"
            )
        asked.add((node.actor, node.into, kind))


def _check_actor(
    system: System[Facts], step: Step[Facts], node: Chance[Facts] | Choice[Facts]
) -> None:
    if role_of(node.actor) not in system.actors:
        raise RulesError(
            f"{system.id}: step {step.name} asks {shown(node.actor)} ({node.ask}), no actor of "
            f"the system; actors are {', '.join(system.actors)}; the second of a role is "
            f'Actor("{system.actors[0]}", 2)'
        )
    system.asked.add(node.actor)


def check_hashable(system: System[Facts], step: Step[Facts], node: Node[Facts]) -> None:
    """Check what a step says for values that can't be hashed; slow, for when hashing failed.

    Raises:
        RulesError: there is one; names the step and the field.
    """
    where = f"{system.id}: step {step.name}"
    for facts in _facts_after(node):
        wrong = unhashable_field(facts)
        if wrong is not None:
            raise RulesError(f"{where} fills {wrong[0]} with {wrong[1]}")
    if isinstance(node, Chance):
        try:
            hash(node.read)
        except TypeError as error:
            raise RulesError(
                f"{where} reads {node.ask!r} by {type(node.read).__name__}, which can't be hashed "
                f"({error}); must be frozen records"
            ) from None
        wrong = unhashable_field((node.read(tuple(die.faces[0] for die in node.dice.dice)),))
        if wrong is not None:
            raise RulesError(f"{where} fills {node.into} with {wrong[1]}")


def unhashable_at(system: System[Facts], step: Step[Facts], facts: Facts) -> None:
    """Apply a step once more, and check what it says for values that can't be hashed.

    Raises:
        RulesError: there is one; names the step and the field.
    """
    try:
        node = step.rule(facts)
    except (Looked, Exception):
        return  # the rule itself fails; that is no matter of hashing
    check_hashable(system, step, node)


def _facts_after(node: Node[Facts]) -> tuple[Facts, ...]:
    if isinstance(node, Choice):
        return tuple(option.at.facts for option in node.options)
    if isinstance(node, Chance):
        return (node.then.facts,)
    return (node.facts if isinstance(node, Go) else node.outcome,)
