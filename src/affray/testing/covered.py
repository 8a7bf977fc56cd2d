"""Sealed decisions: no question tells what others have decided under cover."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import islice

from affray.core.actor import role_of
from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance, Choice, Facts, Go, fill
from affray.core.reading import roll_of
from affray.testing.cases import Case
from affray.testing.law import Law, law
from affray.testing.material import Material, Met

__all__ = ["LAWS"]

MOST_WAYS = 200
"""Ways through a row of sealed decisions that are compared at once."""
MOST_ANSWERS = 6
"""Answers to each of its questions that are tried."""


class _Way(NamedTuple):
    """A way through a row of sealed decisions: what was decided by whom, and where it stands."""

    decided: tuple[tuple[str, object], ...]
    at: At[Facts]

    def own(self, role: str) -> tuple[object, ...]:
        """What somebody has decided in it."""
        return tuple(what for who, what in self.decided if who == role)

    def __str__(self) -> str:
        return ", ".join(str(what) for _, what in self.decided)


def _sealed(material: Material) -> Iterator[Case]:
    yield from (case for case in material.questions() if case.thing.at.step.sealed)


@law("places", "Ask the same whatever was decided under cover: in the words, `about`, `closed` and "
     "the options; or don't seal the step.", over=_sealed)  # fmt: skip
def sealed_decisions_are_not_shown(material: Material, met: Met) -> Iterator[str]:
    """Whoever is asked under cover is asked the same, whatever others have just decided so."""
    ways = [_Way((), met.at)]
    while ways:
        known: dict[Hashable, tuple[_Way, Choice[Facts] | Chance[Facts]]] = {}
        onward: list[_Way] = []
        for way in ways:
            node = _asked(way.at)
            if node is None:
                continue
            role = role_of(node.actor)
            before, other = known.setdefault((node.actor, way.own(role)), (way, node))
            told = _apart(other, node)
            if told:
                yield f"after {before} {node.actor} is asked {told[0]}, after {way} {told[1]}"
                return
            onward += [_Way((*way.decided, (role, name)), to) for name, to in _answers(node)]
        ways = onward[:MOST_WAYS]


def _asked(at: At[Facts]) -> Choice[Facts] | Chance[Facts] | None:
    """The next question, if it is a sealed one."""
    node = at.step.rule(at.facts)
    while isinstance(node, Go):
        at = node.at
        node = at.step.rule(at.facts)
    return node if at.step.sealed and isinstance(node, Choice | Chance) else None


def _answers(node: Choice[Facts] | Chance[Facts]) -> Iterator[tuple[object, At[Facts]]]:
    """Some answers to a question, and where they lead."""
    if isinstance(node, Choice):
        yield from ((option.name, option.at) for option in node.options[:MOST_ANSWERS])
    else:
        for reading, _ in islice(roll_of(node.dice, node.read).rows, MOST_ANSWERS):
            yield reading, fill(node.then, node.into, reading)


def _apart(
    one: Choice[Facts] | Chance[Facts], other: Choice[Facts] | Chance[Facts]
) -> tuple[str, str] | None:
    """The first thing in which two questions differ for whoever is asked; None: they don't."""
    for here, there in zip(_told(one), _told(other), strict=True):
        if here != there:
            return here, there
    return None


def _told(node: Choice[Facts] | Chance[Facts]) -> tuple[str, ...]:
    """All that a question tells, part by part."""
    if isinstance(node, Chance):
        return repr(node.ask), f"for {node.dice}", "", ""
    about = [f"{label} {value}" for label, value in node.about]
    options = [" ".join(filter(None, (one.name, one.words))) for one in node.options]
    closed = [f"{name} ({why})" for name, why in node.closed]
    return (
        repr(node.ask),
        f"about {', '.join(about) or 'nothing'}",
        f"to choose from {', '.join(options)}",
        f"with closed {', '.join(closed) or 'nothing'}",
    )


LAWS: tuple[Law, ...] = (sealed_decisions_are_not_shown,)
