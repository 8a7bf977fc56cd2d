"""Bodies under attack, without the rest of an activation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from affray.core.node import At, Chance, Choice, End, Go, Node
from affray.core.ruling import Rulings
from affray.core.step import step
from affray.systems.emlia import harm
from affray.systems.emlia.rulings import RULINGS
from affray.systems.emlia.sheet import Setup, Troop, Unit
from affray.systems.emlia.state import Exchange, Party, Pile, Status, Terms, Why, status_of


@step("EM-53")
def finish(x: Exchange) -> Node[Exchange]:
    """All hits are allocated."""
    return End(x)


def troop(name: str, members: int, hits: int, **more: Any) -> Troop:
    return Troop(name=name, members=members, hits=hits, **more)


def exchange(
    troops: Sequence[Troop], hits: int, base: int = 0, *,
    focus: str | None = None, statuses: Sequence[Status] | None = None, bare: bool = False,
    why: Why = "attack", **readings: str,
) -> Exchange:  # fmt: skip
    """Hits that lie before a body of troops; the first of the stands is an attacker's."""
    rulings = Rulings.pick(RULINGS, readings)
    side: Literal["enemy"] = "enemy"
    parties = tuple(Party(one, one.name, side, 1) for one in troops)
    attacker = Unit(name="attacker")
    made = Setup(attacker=attacker, defender=Unit())
    terms = Terms(
        rulings=rulings, setup=made, given=made,
        troops=(Party(attacker, "attacker", "friend", 0), *parties), target=1,
    )  # fmt: skip
    own = statuses or [status_of(one, rulings) for one in troops]
    everybody = (Status(1), *own)
    places = tuple(range(1, len(everybody)))
    targets = harm.targets_of(terms, everybody, places, base, bare=bare)
    names = [one.name for one in troops]
    at = None if focus is None else 1 + names.index(focus)
    return Exchange(terms, everybody, pile=Pile(hits, why, finish, targets, at))


class Came(NamedTuple):
    """How an allocation ended: the exchange, and what was said on the way."""

    x: Exchange
    words: tuple[str, ...]
    nodes: tuple[Node[Exchange], ...]

    @property
    def statuses(self) -> tuple[Status, ...]:
        return self.x.statuses[1:]

    @property
    def dealt(self) -> tuple[int, ...]:
        return self.x.dealt[1:] or (0,) * len(self.statuses)

    @property
    def marked(self) -> tuple[int, ...]:
        return tuple(status.marked for status in self.statuses)

    @property
    def markers(self) -> tuple[int, ...]:
        return tuple(status.markers for status in self.statuses)


def run(x: Exchange, faces: Sequence[int] = (), picks: Sequence[str] = ()) -> Came:
    """An allocation to its end, with these rolls and picks; all of them have to be used."""
    rolls, names = list(faces), list(picks)
    words: list[str] = []
    nodes: list[Node[Exchange]] = []
    at = At(harm.allocate_hits, x)
    while True:
        node = at.step(at.facts)
        nodes.append(node)
        if isinstance(node, End):
            assert not rolls
            assert not names
            return Came(node.outcome, tuple(words), tuple(nodes))
        if isinstance(node, Chance):
            row = node.read((rolls.pop(0),))
            at = At(node.then.step, node.then.facts._replace(row=row))
        elif isinstance(node, Choice):
            name = names.pop(0)
            at = next(option.at for option in node.options if option.name == name)
        elif isinstance(node, Go):
            words += map(str, at.step.told(at.facts, node.facts))
            at = node.at


def hurt(troops: Sequence[Troop], hits: int, base: int = 0, **more: Any) -> Came:
    """What so many hits do, with nothing to roll and nothing to pick."""
    return run(exchange(troops, hits, base, **more))
