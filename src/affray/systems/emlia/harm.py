"""From hits to damage, casualties and rolls on threshold tables.

Nothing here is a step: the steps of an activation call these functions and hand in the steps that
come next.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

from affray.core.dice import Face, Pool, d
from affray.core.node import At, Chance, Go, Node, Option, choose
from affray.core.reading import Counts, count_faces
from affray.core.step import cites
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.body import Held, Stand, Target, Why
from affray.systems.emlia.sheet import Row, Troop
from affray.systems.emlia.spending import Spending

if TYPE_CHECKING:
    from affray.core.step import Step
    from affray.systems.emlia.state import Exchange, Terms

__all__ = [
    "RowOf", "after_table", "allocation", "row_of", "table_roll", "table_told",
    "targets_of", "told", "uncovers",
]  # fmt: skip

OWNERS: dict[Why, tuple[str, str]] = {
    "attack": ("defender", "attacker"),
    "strike": ("attacker", "defender"),
    "fumble": ("attacker", "attacker"),
}
"""Who owns the body that is hit, and whose hits they are."""


# -- targets -------------------------------------------------------------------------------------


@cites("EM-32", "EM-40")
def targets_of(
    terms: Terms, stands: tuple[Stand, ...], places: tuple[int, ...], base: int, *,
    bare: bool = False,
) -> tuple[Target, ...]:  # fmt: skip
    """A body as the hits of one attack find it: base damage is taken from the Hits of each troop.

    Args:
        terms: the troops and the readings in force.
        stands: of all troops.
        places: of those that are attacked as one body; those that are gone are left out.
        base: base damage.
        bare: armour is ignored.
    """
    there = [stands[place].members > 0 and not stands[place].destroyed for place in places]
    if not all(there):
        places = tuple([place for place, is_there in zip(places, there, strict=True) if is_there])
    return _targets(terms, places, base, bare=bare)


@lru_cache(maxsize=4096)
def _targets(terms: Terms, places: tuple[int, ...], base: int, *, bare: bool) -> tuple[Target, ...]:
    outright = terms.rulings[rule.FLOOR] == "outright"
    found = []
    for place in places:
        troop = terms.troops[place].troop
        hits = troop.hits if bare else troop.hits + troop.armour
        needed = max(0 if outright else 1, hits - base)
        found.append(Target(place, hits, needed, troop.damage_limit, troop.threshold))
    return tuple(found)


# -- allocation ----------------------------------------------------------------------------------


@cites("EM-41", "EM-53", "EM-54")
def allocation(
    x: Exchange, *, again: Step[Exchange], table: Step[Exchange], done: Step[Exchange]
) -> Node[Exchange]:
    """Hits of a pile become damage, as far as nothing is rolled and nobody chooses.

    Args:
        x: with a pile.
        again: the step that calls this.
        table: it rolls on the table of the troop at `pile.due`.
        done: comes after all hits; the pile is gone then.
    """
    pile = x.pile
    assert pile is not None  # whoever calls this has put hits there
    if pile.rolls:
        return Go(table, x)
    if x.held is not None and pile.why == "attack":
        x = _looked_at(x)
    spending = Spending(x, pile)
    among: tuple[int, ...] = ()
    if pile.hits or pile.sizes:
        if len(pile.targets) == 1:
            spending.hurt_one()
        else:
            among = spending.hurt_body()
        if spending.rolls:
            return Go(table, spending.facts())
    if among:
        return _pick(spending, among, again, table)
    spending.lay_down()
    return Go(done, spending.facts()._replace(pile=None))


def _looked_at(x: Exchange) -> Exchange:
    """The exchange with what a fight has kept back of the target filled in."""
    held, first = cast("Held", x.held), x.terms.target
    stands = list(x.stands)
    if isinstance(held, int):
        stands[first] = stands[first]._replace(markers=held)
    else:
        for place, stand in enumerate(held, start=first):
            stands[place] = stand
    return x._replace(stands=tuple(stands), held=None)


@cites("EM-56")
def _pick(
    spending: Spending, among: tuple[int, ...], again: Step[Exchange], table: Step[Exchange]
) -> Node[Exchange]:
    """Somebody picks who of a group takes the next portion."""
    x, pile = spending.x, spending.pile
    start = spending.facts()
    options = []
    for number in among:
        assert start.pile is not None  # facts keep it
        tried = Spending(start, start.pile)
        tried.serve(number)
        party = x.terms.troops[tried.targets[number].place]
        points, price = spending.portion(number)
        words = f"{counted(points, 'point')} for {counted(price, 'hit')}"
        then = table if tried.rolls else again
        options.append(Option(party.name, At(then, tried.facts()), 0, words))
    actor = OWNERS[pile.why][spending.modes.picks == "attacker"]
    return choose(actor, "who takes it?", options, (("hits", spending.hits),))


def counted(number: int, what: str) -> str:
    """A number of things, in words."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


@cites("EM-53")
def told(before: Exchange, after: Exchange) -> list[str]:
    """What an allocation came to, in words: who took how much, where hits are left."""
    pile = before.pile
    assert pile is not None  # the steps that say this come with one
    if before.held is not None and pile.why == "attack":
        before = _looked_at(before)
    words = []
    clause = "EM-41" if len(pile.targets) == 1 else "EM-53"
    for target in pile.targets:
        place, name = target.place, before.terms.troops[target.place].name
        old, new = before.stands[place], after.stands[place]
        points = after.dealt[place] - (before.dealt[place] if before.dealt else 0)
        fell = new.marked - old.marked
        if points:
            price = f" for {counted(points * target.needed, 'hit')}" if target.needed else ""
            marks = f", {counted(fell, 'casualty').replace('ys', 'ies')}" if fell else ""
            words.append(f"{name} takes {counted(points, 'point')}{price}{marks} ({clause}).")
        if after.pile is None and new.markers and (points or new.markers != old.markers):
            words.append(f"{counted(new.markers, 'hit')} left as markers on {name} (EM-54).")
    if after.lost > before.lost:
        words.append(f"{counted(after.lost - before.lost, 'hit')} can hurt nobody.")
    return words


# -- tables --------------------------------------------------------------------------------------


def row_of(troop: Troop, total: int) -> int:
    """The number of the row for a roll with its bonus; beyond the table the last or first row."""
    last = 0
    for number, row in enumerate(troop.table):
        if row.low <= total and (row.high is None or total <= row.high):
            return number
        if row.low > troop.table[last].low:
            last = number
    low = min(range(len(troop.table)), key=lambda number: troop.table[number].low)
    return low if total < troop.table[low].low else last


class RowOf(NamedTuple):
    """Which row of a table a die with a bonus means.

    Attributes:
        rows: for each face of the die, from 1 on, the number of the row.
    """

    rows: tuple[int, ...]

    def __call__(self, faces: tuple[Face, ...]) -> int:
        """The row of this face."""
        return self._of(faces[0])

    def _of(self, face: Face) -> int:
        return self.rows[int(face) - 1]

    def counted(self, pool: Pool) -> Counts[int]:
        """Face by face."""
        return count_faces(pool, self._of)


@lru_cache(maxsize=4096)
def _read(troop: Troop, bonus: int) -> RowOf:
    return RowOf(tuple(row_of(troop, face + bonus) for face in range(1, troop.table_die + 1)))


@cites("EM-43")
def table_roll(x: Exchange, into: str, then: Step[Exchange]) -> Node[Exchange]:
    """The roll on the table of the troop at `pile.due`; the reading is the number of a row."""
    assert x.pile is not None  # a roll is due
    assert x.pile.due is not None
    party, stand = x.terms.troops[x.pile.due], x.stands[x.pile.due]
    owner, _ = OWNERS[x.pile.why]
    plus = stand.bonus + stand.next_bonus
    read = _read(party.troop, plus)
    pool = Pool((d(party.troop.table_die), 1))
    bonus = f" at {plus:+d}" if plus else ""
    return Chance(owner, f"threshold roll of {party.name}{bonus}", pool, read, into, At(then, x))


@cites("EM-43")
def after_table(x: Exchange, row: int, again: Step[Exchange]) -> Node[Exchange]:
    """A row of the table takes effect at once; further rolls and hits come after it."""
    pile = x.pile
    assert pile is not None  # a roll was due
    assert pile.due is not None
    troop, stand = x.terms.troops[pile.due].troop, x.stands[pile.due]
    after = _with_row(stand, troop.table[row])
    rolls = 0 if after.destroyed else pile.rolls - 1
    stands = (*x.stands[: pile.due], after, *x.stands[pile.due + 1 :])
    pile = pile._replace(rolls=rolls, due=pile.due if rolls else None)
    return Go(again, x._replace(stands=stands, pile=pile, rolls=x.rolls + 1))


def _with_row(stand: Stand, row: Row) -> Stand:
    return stand._replace(
        marked=min(stand.members, stand.marked + row.casualties),
        bonus=stand.bonus + row.bonus,
        next_bonus=row.next_bonus,
        weaker=stand.weaker + row.weaker,
        destroyed=stand.destroyed or row.destroyed,
        rolled=tuple(sorted((*stand.rolled, row.name))),
    )


def table_told(before: Exchange, after: Exchange) -> list[str]:
    """What a roll on a table brought, in words."""
    pile = before.pile
    assert pile is not None  # the steps that say this come with one
    assert pile.due is not None  # and with a roll
    name = before.terms.troops[pile.due].name
    old, new = before.stands[pile.due], after.stands[pile.due]
    came = list(new.rolled)
    for row in old.rolled:
        came.remove(row)
    more = ["destroyed"] if new.destroyed else []
    if new.marked > old.marked:
        more.append(counted(new.marked - old.marked, "casualty").replace("ys", "ies"))
    return [f"{name}: {', '.join([*came, *more])} (EM-43)."]


def rows_of(troop: Troop, stand: Stand) -> tuple[Row, ...]:
    """Rows of a troop's table that have come up, each once."""
    return tuple(row for row in troop.table if row.name in stand.rolled)


def uncovers(troop: Troop, stand: Stand) -> bool:
    """Whether its table has taken the cover that a troop gives to those on it or behind it."""
    return stand.destroyed or any(row.uncovers for row in rows_of(troop, stand))
