"""Hints that a system could give, as played exchanges show them.

What no playthrough contradicts is proposed; that is no proof. Whoever takes a proposal over lets
the laws of hints check it (`affray.testing`), and keeps it only if it saves time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance, Choice, End, Facts, Go, Node, Step, fill
from affray.core.system import Field, System
from affray.core.unknown import UNKNOWN, Looked
from affray.engine.exchange.explain import seen_of
from affray.engine.exchange.session import Session

__all__ = ["Proposal", "propose"]


class Proposal(NamedTuple):
    """Hints that nothing contradicted, for the steps that were met, in the book's order.

    Attributes:
        aside: fields of the facts that a step neither read nor changed, of those that differed
            there between playthroughs of one exchange.
        fixes: outcome fields that were at the end what they were at a step, but not earlier.
    """

    aside: Mapping[Step[Facts], tuple[str, ...]]
    fixes: Mapping[Step[Facts], tuple[str, ...]]

    def lines(self) -> list[str]:
        """The lines to write into the `hints.py` of a room."""
        lines = ["HINTS = Hints("]
        for kind, steps in (("aside", self.aside), ("fixes", self.fixes)):
            if steps:
                lines.append(f"    {kind}={{")
                for step, names in steps.items():
                    told = "".join(f'"{name}", ' for name in names).rstrip()
                    module = step.rule.__module__.rpartition(".")[2]
                    told = told if len(names) == 1 else told.rstrip(",")
                    lines.append(f"        {module}.{step.name}: ({told}),")
                lines.append("    },")
        return [*lines, ")"]


def propose(system: System[Facts], sessions: Iterable[Session]) -> Proposal:
    """The hints that these exchanges bear out; the more of them, the better.

    Args:
        system: whose hints they would be.
        sessions: exchanges that are over, at best of every kind and with every option taken.
    """
    played = [session for session in sessions if session.outcome is not None]
    return Proposal(_aside(system, played), _fixes(system, played))


# -- aside ---------------------------------------------------------------------------------------


def _aside(system: System[Facts], played: Sequence[Session]) -> dict[Step[Facts], tuple[str, ...]]:
    kept: dict[Step[Facts], dict[str, None]] = {}
    varied: dict[Step[Facts], set[str]] = {}
    met: dict[tuple[At[Facts], Step[Facts], str], object] = {}
    for session in played:
        for at, node in _places(session):
            names: tuple[str, ...] = getattr(type(at.facts), "_fields", ())
            mine = kept.setdefault(at.step, dict.fromkeys(names))
            for name in names:
                value = getattr(at.facts, name)
                if met.setdefault((session.game.start, at.step, name), value) != value:
                    varied.setdefault(at.step, set()).add(name)
            for name in [name for name in mine if not _is_left_aside(at, node, name)]:
                del mine[name]
    found = {}
    for step in system.steps:
        names = tuple(name for name in kept.get(step, ()) if name in varied.get(step, ()))
        if names:
            found[step] = names
    return found


def _places(session: Session) -> Iterable[tuple[At[Facts], Node[Facts]]]:
    """The places of an exchange that is over, with what was said there, down to its end."""
    yield from ((entry.at, entry.node) for entry in session.steps_taken)
    assert session.outcome is not None  # only those are looked at
    yield session.here, End(session.outcome)


def _is_left_aside(at: At[Facts], node: Node[Facts], name: str) -> bool:
    """Whether a step says the same with a field unknown, and passes the field on."""
    try:
        veiled = at.step.rule(fill(at, name, UNKNOWN).facts)
    except (Looked, Exception):
        return False  # it looks, in one way or another
    if _besides(veiled) != _besides(node):
        return False
    before = getattr(at.facts, name)
    return all(
        getattr(other.facts, name, None) is UNKNOWN
        and other.step is one.step
        and fill(other, name, before).facts == one.facts
        for one, other in zip(_leads(at, node), _leads(at, veiled), strict=True)
    )


def _leads(at: At[Facts], node: Node[Facts]) -> list[At[Facts]]:
    """The places that a node leads to; an end leads to itself."""
    if isinstance(node, Choice):
        return [option.at for option in node.options]
    if isinstance(node, Chance):
        return [node.then]
    return [node.at if isinstance(node, Go) else At(at.step, node.outcome)]


def _besides(node: Node[Facts]) -> tuple[object, ...]:
    """Everything that a node says, but for the places it leads to."""
    if isinstance(node, Choice):
        offered = [option._replace(at=_NOWHERE) for option in node.options]
        return (node.actor, node.ask, offered, node.about, node.closed)
    return node[:-1] if isinstance(node, Chance) else ()


_NOWHERE: At[Facts] = At(Step(End, ()), ())


# -- fixes ---------------------------------------------------------------------------------------


def _fixes(system: System[Facts], played: Sequence[Session]) -> dict[Step[Facts], tuple[str, ...]]:
    loose: dict[Step[Facts], set[str]] = {}
    changing: set[str] = set()
    for session in played:
        assert session.outcome is not None  # only those are looked at
        ends = {field.name: field.of(session.outcome) for field in system.fields}
        for at, _ in _places(session):
            mine = loose.setdefault(at.step, set())
            for field in system.fields:
                if not _is(field, at.facts, ends[field.name]):
                    mine.add(field.name)
                    changing.add(field.name)
    found = {}
    for step in system.steps:
        if step in loose:
            names = [
                field.name
                for field in system.fields
                if field.name in changing and field.name not in loose[step]
            ]
            if names:
                found[step] = tuple(names)
    return found


def _is(field: Field[Facts], facts: Facts, value: object) -> bool:
    """Whether a field can be told here already, and has this value."""
    seen = seen_of(field, facts)
    return type(seen) is type(value) and seen == value
