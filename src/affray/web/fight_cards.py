"""Conditions of fighters as cards, and the order of turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from affray.app.inputs.fight_sheets import SIDES
from affray.app.views.accounts import uncited
from affray.app.views.played_fights import ChangeRow, FighterRow, FightView, ToldRow
from affray.core.lazy import NamedTuple
from affray.core.telling import counted
from affray.web.games import Look

__all__ = ["Card", "CardSide", "Gauge", "Line", "TurnsPart", "cards_of", "turns_of"]

MOST_CARDS = 60
"""Cards of a side; of more fighters those who act, have changed or are hurt come first."""
MOST_LARGE = 6
"""Fighters of a side with a large card each; in larger groups cards are small."""
SAYS_NOTHING = frozenset({"0", "none", "no"})
RECENT = 40
"""So many changes back something that happened can still be marked as the last change."""
STATES: Mapping[str, str] = {
    "done": "had their turn", "now": "acts now", "waiting": "waits, comes when called",
    "interrupted": "was interrupted", "next": "", "out": "out",
}  # fmt: skip


class Gauge(NamedTuple):
    """A line of a condition as a bar.

    Attributes:
        label, told: what it is, and how it stands. share: the part that is filled, of 100.
        marks: where something happens, of 100. happens: what, in words.
        rises: whether it rises as things get worse. was: how it stood before; "": it is as it was.
    """

    label: str
    told: str
    share: int
    marks: tuple[int, ...]
    happens: str
    rises: bool
    was: str


class Line(NamedTuple):
    """Another line of a condition; see `Gauge`."""

    label: str
    told: str
    does: str
    was: str


class Card(NamedTuple):
    """A fighter.

    Attributes:
        id: for this page. name: of the fighter. state: in a word; "": standing.
        is_out, acts: whether out of the fight, or at turn.
        gauges: bars on which something happens. short: what else a table says in a few words.
        lines: all else that can be told, those first that say something.
        changed: what changed last, in words.
    """

    id: str
    name: str
    state: str
    is_out: bool
    acts: bool
    gauges: tuple[Gauge, ...]
    short: tuple[str, ...]
    lines: tuple[Line, ...]
    changed: tuple[str, ...]


class CardSide(NamedTuple):
    """A side: its name, how many stand, its cards, whether they are small, and who is left out."""

    key: str
    name: str
    standing: str
    cards: tuple[Card, ...]
    is_small: bool
    left_out: str = ""


class TurnsPart(NamedTuple):
    """The order of turns: the round, and everybody with a state in words."""

    title: str
    rows: tuple[tuple[str, str, str, str], ...]


def turns_of(view: FightView) -> TurnsPart:
    """The order of turns of this round: name, side, state, and the state in words."""
    rows = tuple((row.name, row.side, row.state, STATES[row.state]) for row in view.turns)
    return TurnsPart(f"Round {view.round}" if view.round else "Before round 1", rows)


def cards_of(look: Look, view: FightView) -> tuple[CardSide, ...]:
    """Everybody's condition, by sides, with what changed last marked."""
    changes = _last_changes(look)
    now = {row.name for row in view.turns if row.state == "now"}
    made = []
    for key, name in zip(SIDES, view.sides, strict=True):
        mine = [row for row in view.fighters if row.side == key]
        standing = sum(not row.is_out for row in mine)
        cards = tuple(
            _card(f"{key}-{n}", row, row.name in now, changes.get(row.name, ()))
            for n, row in enumerate(mine)
        )
        left_out = len(cards) - MOST_CARDS
        if left_out > 0:
            cards = tuple(sorted(cards, key=_urgency)[:MOST_CARDS])
        told = f"{standing} of {counted(len(mine), 'fighter')} standing"
        made.append(CardSide(key, name[:1].upper() + name[1:], told, cards, len(mine) > MOST_LARGE,
                             f"And {left_out} more." if left_out > 0 else ""))  # fmt: skip
    return tuple(made)


def _urgency(card: Card) -> tuple[bool, bool, bool, bool]:
    is_hurt = any(gauge.share != (0 if gauge.rises else 100) for gauge in card.gauges)
    return not card.acts, not card.changed, card.is_out, not is_hurt


def _last_changes(look: Look) -> dict[str, tuple[ChangeRow, ...]]:
    """What the last event changed that changed anything, by fighter."""
    fight = look.fight
    events = fight.view(look.role, since=max(0, fight.revision - RECENT)).events
    last = next((event for event in reversed(events) if event.changes), None)
    found: dict[str, tuple[ChangeRow, ...]] = {}
    for row in last.changes if last else ():
        found[row.fighter] = (*found.get(row.fighter, ()), row)
    return found


def _card(name: str, row: FighterRow, acts: bool, changes: Sequence[ChangeRow]) -> Card:  # noqa: FBT001  # of a row
    was = {one.label: one.before or "not there" for one in changes}
    gauges = tuple(_gauge(line, was.get(line.label, "")) for line in row.told if _is_gauge(line))
    rest = [line for line in row.told if not _is_gauge(line)]
    rest.sort(key=lambda line: line.value in SAYS_NOTHING)
    lines = tuple(
        Line(line.label, _with_unit(line), uncited(line.does), was.get(line.label, ""))
        for line in rest
    )
    state = "" if row.state == "standing" else row.state
    changed = tuple(
        f"{one.label}: {one.before or 'not there'} → {one.after or 'gone'}" for one in changes
    )
    return Card(name, row.name, state, row.is_out, acts, gauges, row.short, lines, changed)


def _is_gauge(line: ToldRow) -> bool:
    return line.kind == "bar" and bool(line.thresholds) and bool(line.most)


def _gauge(line: ToldRow, was: str) -> Gauge:
    assert line.now is not None  # of a bar
    most = line.most or 1
    marks = tuple(_share(one.at, most) for one in line.thresholds if 0 < one.at < most)
    share, happens = _share(line.now, most), uncited(line.does)
    return Gauge(line.label, _with_unit(line), share, marks, happens, line.rises, was)


def _with_unit(line: ToldRow) -> str:
    return f"{line.value} {line.unit}" if line.unit and line.unit not in line.value else line.value


def _share(part: int, most: int) -> int:
    return max(0, min(100, round(100 * part / most)))
