"""Close combats on a table: the units that contact connects, and the boundary of a skirmish."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from affray.core.lazy import NamedTuple
from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.sheet import Formation
from affray.systems.emlia.table.contact import contacts
from affray.systems.emlia.table.placing import Table

__all__ = ["Melees", "is_skirmish", "melees_of"]


class Melees(NamedTuple):
    """The close combats on a table.

    Attributes:
        combats: names of the units of each, connected by contacts of enemies.
        skirmishes: names of the units inside each combined boundary.
    """

    combats: tuple[frozenset[str], ...]
    skirmishes: tuple[frozenset[str], ...]

    def combat(self, unit: str) -> frozenset[str]:
        """The close combat that a unit is in; nobody where it is in none."""
        return next((names for names in self.combats if unit in names), frozenset())

    def boundary(self, unit: str) -> frozenset[str]:
        """The units whose boundary is the unit's own: all of its skirmish, else it alone."""
        return next((names for names in self.skirmishes if unit in names), frozenset({unit}))


@cites("EM-13", "EM-15")
def is_skirmish(formations: Iterable[str], rulings: Rulings) -> bool:
    """Units that fight make a skirmish if nobody is in ranks and somebody is in open formation.

    Two close units do so under a reading of B29.
    """
    found = set(formations)
    if "ranked" in found:
        return False
    return "open" in found or rulings[rule.CLOSE] == "skirmish"


@lru_cache(maxsize=512)
@cites("EM-10", "EM-13", "EM-15", "EM-63")
def melees_of(
    table: Table, formations: tuple[tuple[str, Formation], ...], rulings: Rulings
) -> Melees:
    """The close combats on a table, and those of them that are skirmishes.

    Contacts of enemies connect. Units that only touch friends in a skirmish touch its combined
    boundary and are in it too, unless they are in ranks (B31).
    """
    known: Mapping[str, Formation] = dict(formations)
    hostile = [(c.one, c.other) for c in contacts(table) if c.hostile]
    friendly = [(c.one, c.other) for c in contacts(table) if not c.hostile]
    apart = rulings[rule.RANKED_IN] == "two"
    links = list(hostile)
    while True:
        combats = _connected(links)
        loose = [pair for pair in hostile if "ranked" not in {known[name] for name in pair}]
        inside = [pair for pair in links if "ranked" not in {known[name] for name in pair}]
        groups = _connected(inside if apart else links)
        fighting = {name for pair in loose for name in pair}
        skirmishes = [
            names for names in groups
            if fighting & names and is_skirmish((known[name] for name in names), rulings)
        ]  # fmt: skip
        if rulings[rule.JOINS] == "enemies":
            break
        new = [
            pair for pair in friendly
            if pair not in links
            and "ranked" not in {known[name] for name in pair}
            and any(set(pair) & names for names in skirmishes)
        ]  # fmt: skip
        if not new:
            break
        links += new
    return Melees(combats, tuple(skirmishes))


def _connected(links: list[tuple[str, str]]) -> tuple[frozenset[str], ...]:
    """Names in groups: two that are linked are in the same."""
    groups: list[frozenset[str]] = []
    for pair in links:
        joined = frozenset(pair).union(*[names for names in groups if names & set(pair)])
        groups = [names for names in groups if not names & joined] + [joined]
    return tuple(groups)
