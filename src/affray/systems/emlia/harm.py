"""From hits to damage, casualties and rolls on threshold tables."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from affray.core.dice import Face, Pool, d
from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance, Go, Node, Option, Pointer, choose
from affray.core.reading import Counts, count_faces
from affray.core.step import cites, step
from affray.core.telling import counted
from affray.systems.emlia import aftermath
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.allocation import Spending
from affray.systems.emlia.gear import Row
from affray.systems.emlia.sheet import Troop
from affray.systems.emlia.state import (
    Check,
    Exchange,
    Held,
    Pile,
    Status,
    Target,
    Terms,
    Why,
)

__all__ = ["STEPS", "RowOf", "allocate_hits", "looked_at", "row_of", "take_hits", "targets_of"]


OWNERS: dict[Why, tuple[str, str]] = {
    "attack": ("defender", "attacker"),
    "strike": ("attacker", "defender"),
    "fumble": ("attacker", "attacker"),
    "fall": ("defender", "attacker"),
}
"""For each kind of hits: the owner of the body that is hit, and the owner of the hits."""


@cites("EM-32", "EM-40")
def targets_of(
    terms: Terms, statuses: tuple[Status, ...], places: tuple[int, ...], base: int, *,
    bare: bool = False,
) -> tuple[Target, ...]:  # fmt: skip
    """A body as the hits of one attack find it: base damage is taken from the Hits of each troop.

    Args:
        terms: the troops and the readings in force.
        statuses: of all troops.
        places: of those that are attacked as one body; those that are gone are left out.
        base: base damage.
        bare: armor is ignored.
    """
    there = [statuses[place].members > 0 and not statuses[place].destroyed for place in places]
    if not all(there):
        places = tuple([place for place, is_there in zip(places, there, strict=True) if is_there])
    return _targets(terms, places, base, bare=bare)


@lru_cache(maxsize=4096)
def _targets(terms: Terms, places: tuple[int, ...], base: int, *, bare: bool) -> tuple[Target, ...]:
    outright = terms.rulings[rule.FLOOR] == "outright"
    found = []
    for place in places:
        troop = terms.troops[place].troop
        hits = troop.hits if bare else troop.hits + troop.armor
        needed = max(0 if outright else 1, hits - base)
        found.append(Target(place, hits, needed, troop.damage_limit, troop.threshold))
    return tuple(found)


@step("EM-41", "EM-42", "EM-43", "EM-53", "EM-54", "EM-55", "EM-56")
def allocate_hits(x: Exchange) -> Node[Exchange]:
    """Hits become damage, group by group; hits that hurt nobody stay as markers."""
    pile = x.pile
    assert pile is not None  # every step that leads here fills it
    if pile.rolls:
        return Go(roll_on_table, x)
    if x.held is not None and pile.why == "attack":
        x = looked_at(x)
    spending = Spending(x, pile)
    return allocated(spending, spending.hurt())


def allocated(spending: Spending, among: tuple[int, ...]) -> Node[Exchange]:
    """What comes after hits were spent as far as nobody has to choose, here among these."""
    pile = spending.pile
    if spending.rolls:
        return Go(roll_on_table, spending.facts())
    if among:
        return _pick(spending, among)
    spending.lay_down()
    after = spending.with_pile(None)
    if after.falls:
        return Go(endanger, after._replace(pile=Pile(0, "fall", pile.then, ())))
    return Go(pile.then, after)


@step("EM-43", "EM-65")
def endanger(x: Exchange) -> Node[Exchange]:
    """A threshold table endangers those who stand on its unit: each of them takes its hits."""
    (place, hits), *falls = x.falls
    assert x.pile is not None  # it knows the step after all of them
    then = x.pile.then
    after = x._replace(falls=tuple(falls), pile=None)
    targets = targets_of(x.terms, x.statuses, (place,), 0)
    if targets:
        after = after._replace(pile=Pile(hits, "fall", then, targets))
        return Go(allocate_hits, after)
    if falls:
        return Go(endanger, after._replace(pile=Pile(0, "fall", then, ())))
    return Go(then, after)


@endanger.briefly
@endanger.says
def _(before: Exchange, after: Exchange) -> str:
    place, hits = before.falls[0]
    return f"{before.terms.troops[place].name} stands on it: {counted(hits, 'hit')} (EM-65)."


def looked_at(x: Exchange) -> Exchange:
    """The exchange with what a fight has kept back of the target filled in."""
    held, first = cast("Held", x.held), x.terms.target
    statuses = list(x.statuses)
    if isinstance(held, int):
        statuses[first] = statuses[first]._replace(markers=held)
    else:
        for place, status in enumerate(held, start=first):
            statuses[place] = status
    return x._replace(statuses=tuple(statuses), held=None)


@cites("EM-56")
def _pick(spending: Spending, among: tuple[int, ...]) -> Node[Exchange]:
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
        then = roll_on_table if tried.rolls else allocate_hits
        pointer = Pointer(target=party.name)
        options.append(Option(party.name, At(then, tried.facts()), 0, words, points=pointer))
    actor = OWNERS[pile.why][spending.modes.picks == "attacker"]
    return choose(actor, "Which troop takes the next point?", options, (("hits", spending.hits),))


@allocate_hits.briefly
@allocate_hits.says
@cites("EM-53")
def allocation_told(before: Exchange, after: Exchange) -> list[str]:
    """Report an allocation: the damage that each troop took, and hits that are left."""
    pile = before.pile
    assert pile is not None  # the steps that say this come with one
    if before.held is not None and pile.why == "attack":
        before = looked_at(before)
    words = []
    clause = "EM-41" if len(pile.targets) == 1 else "EM-53"
    for target in pile.targets:
        place, name = target.place, before.terms.troops[target.place].name
        old, new = before.statuses[place], after.statuses[place]
        points = after.dealt[place] - (before.dealt[place] if before.dealt else 0)
        fell = new.marked - old.marked
        if points:
            price = f" for {counted(points * target.needed, 'hit')}" if target.needed else ""
            marks = f", {counted(fell, 'casualty', 'casualties')}" if fell else ""
            words.append(f"{name} takes {counted(points, 'point')}{price}{marks} ({clause}).")
        if after.pile is None and new.markers and (points or new.markers != old.markers):
            words.append(f"{counted(new.markers, 'hit')} left as markers on {name} (EM-54).")
    if after.lost > before.lost:
        words.append(f"{counted(after.lost - before.lost, 'hit')} hurt nobody.")
    return words


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
    """Reads the row of a threshold table off a die with a bonus.

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


@step("EM-43")
def roll_on_table(x: Exchange) -> Node[Exchange]:
    """A full threshold of damage: a roll on the table of the troop."""
    assert x.pile is not None  # a roll is due
    assert x.pile.due is not None
    party, status = x.terms.troops[x.pile.due], x.statuses[x.pile.due]
    owner, _ = OWNERS[x.pile.why]
    plus = status.bonus + status.next_bonus
    read = _read(party.troop, plus)
    pool = Pool((d(party.troop.table_die), 1))
    bonus = f" at {plus:+d}" if plus else ""
    ask = f"threshold roll of {party.name}{bonus}"
    return Chance(owner, ask, pool, read, "row", At(apply_row, x))


@step("EM-43")
def apply_row(x: Exchange) -> Node[Exchange]:
    """The row takes effect at once, before any further rolls and hits."""
    pile, row = x.pile, x.row
    assert pile is not None  # a roll was due
    assert pile.due is not None
    assert row is not None  # just rolled
    troop, status = x.terms.troops[pile.due].troop, x.statuses[pile.due]
    after = _with_row(status, troop.table[row])
    rolls = 0 if after.destroyed else pile.rolls - 1
    statuses = (*x.statuses[: pile.due], after, *x.statuses[pile.due + 1 :])
    pile = pile._replace(rolls=rolls)
    return Go(allocate_hits, x._replace(
        statuses=statuses, row=None, pile=pile, rolls=x.rolls + 1,
        falls=x.falls + _falling(x.terms, pile.due, troop.table[row]),
    ))  # fmt: skip


@cites("EM-65")
def _falling(terms: Terms, place: int | None, row: Row) -> tuple[tuple[int, int], ...]:
    """Troops on a unit whose table has come to a row, and the hits that wait for them."""
    if place is None or not row.endangers:
        return ()
    name = terms.troops[place].name
    return tuple(
        (number, row.endangers)
        for number, party in enumerate(terms.troops)
        if party.troop.on == name
    )


def _with_row(status: Status, row: Row) -> Status:
    return status._replace(
        marked=min(status.members, status.marked + row.casualties),
        bonus=status.bonus + row.bonus,
        next_bonus=row.next_bonus,
        weaker=status.weaker + row.weaker,
        destroyed=status.destroyed or row.destroyed,
        rolled=tuple(sorted((*status.rolled, row.name))),
    )


@apply_row.briefly
@apply_row.says
def table_told(before: Exchange, after: Exchange) -> list[str]:
    """Report the row that a roll on a table brought."""
    pile = before.pile
    assert pile is not None  # the steps that say this come with one
    assert pile.due is not None  # and with a roll
    name = before.terms.troops[pile.due].name
    old, new = before.statuses[pile.due], after.statuses[pile.due]
    came = list(new.rolled)
    for row in old.rolled:
        came.remove(row)
    more = ["destroyed"] if new.destroyed else []
    if new.marked > old.marked:
        more.append(counted(new.marked - old.marked, "casualty", "casualties"))
    return [f"{name}: {', '.join([*came, *more])} (EM-43)."]


@step("EM-30", "EM-33", "EM-34", "EM-40")
def take_hits(x: Exchange) -> Node[Exchange]:
    """Each success is a hit on the target; ones in excess of Supporting Fire hit friends."""
    if x.turn >= len(x.waiting):
        return Go(aftermath.end_activation, x._replace(waiting=()))
    check, (hits, excess) = x.checks[x.turn], x.waiting[x.turn]
    why: Why = "attack" if hits else "fumble"
    if not hits and not excess:
        return Go(take_hits, x._replace(turn=x.turn + 1))
    pile = _pile(x, check, hits or excess, why)
    if hits:
        return Go(allocate_hits, x._replace(pile=pile, hits=x.hits + hits))
    return Go(allocate_hits, x._replace(pile=pile, friendly=x.friendly + excess))


def _pile(x: Exchange, check: Check, hits: int, why: Why) -> Pile:
    """Hits of an attack on their way to a body."""
    places = check.friends if why == "fumble" else check.body
    focus = None if why == "fumble" else check.focus
    bare = check.bare and why == "attack"
    targets = targets_of(x.terms, x.statuses, places, check.base, bare=bare)
    return Pile(hits, why, next_attack, targets, focus)


@take_hits.says
def _(before: Exchange, after: Exchange) -> str:
    hits, friendly = after.hits - before.hits, after.friendly - before.friendly
    if friendly:
        return f"{counted(friendly, 'hit')} on friends in the combat (EM-33)."
    return f"{counted(hits, 'hit')}." if hits else ""


@take_hits.briefly
def _(before: Exchange, after: Exchange) -> str:
    friendly = after.friendly - before.friendly
    return f"{counted(friendly, 'hit')} on friends" if friendly else ""


@step("EM-50")
def next_attack(x: Exchange) -> Node[Exchange]:
    """The hits of one troop are dealt with; those of the next come."""
    return Go(take_hits, x._replace(turn=x.turn + 1))


STEPS = (take_hits, allocate_hits, endanger, roll_on_table, apply_row, next_attack)
"""The steps of this chapter in the order of the book."""
