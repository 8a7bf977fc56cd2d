"""What is told of a fight: conditions in the game's own terms, and what changed in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from affray.core.fight import Told
from affray.core.lazy import NamedTuple
from affray.core.telling import value_told
from affray.engine.fight.course import FighterId
from affray.engine.fight.played.boards import told_on
from affray.engine.fight.played.position import Event, Position

__all__ = ["Change", "Standing", "changes", "standing", "told_of", "touched"]


class Change(NamedTuple):
    """A line of a condition that something has changed, and logs tell; None: it was or is none."""

    fighter: FighterId
    label: str
    before: object
    after: object


class Standing(NamedTuple):
    """How a fighter stands, in short: points left and the most of them, and a few words."""

    bar: tuple[int, int] | None
    words: tuple[str, ...]


def standing(told: Iterable[Told]) -> Standing:
    """How a fighter stands, from the lines of the condition; all that counts if none is short."""
    lines = [line for line in told if not line.is_place]
    bar = next((line.bar for line in lines if line.bar is not None), None)
    words = tuple(line.short for line in lines if line.short)
    if bar is None and not words:
        words = tuple(f"{line.label} {value_told(line.value)}" for line in lines if line.value)
    return Standing(bar, words)


def touched(here: Position, event: Event) -> Iterator[tuple[FighterId, Standing]]:
    """Everybody whom an event left with other points, new words, out or back, and how they stand.

    The words are those that did not hold before.
    """
    for side, (before, after) in enumerate(zip(event.before, event.after, strict=True)):
        for place, (then, now) in enumerate(zip(before, after, strict=False)):
            if then == now:
                continue
            who = FighterId(side, place)
            was, stands = (standing(_told(here, who, condition)) for condition in (then, now))
            words = tuple(word for word in stands.words if word not in was.words)
            sheet, is_out = here.sheet(who), here.contest.fight.is_out
            if stands.bar != was.bar or words or is_out(sheet, then) != is_out(sheet, now):
                yield who, Standing(stands.bar, words)


def told_of(here: Position, who: FighterId) -> tuple[Told, ...]:
    """The lines of a fighter's condition; points left, where the system tells nothing."""
    return _told(here, who, here.in_full[who.side][who.place]) + told_on(here, who)


def _told(here: Position, who: FighterId, condition: object) -> tuple[Told, ...]:
    fight, sheet = here.contest.fight, here.sheet(who)
    told = fight.told(sheet, condition)
    if told:
        return told
    left = fight.vitals(sheet, condition)
    return (Told("left", left, short=f"{left} left"),)


def changes(here: Position, event: Event) -> Iterator[Change]:
    """Every line that an event has changed.

    Args:
        here: a position after it, which knows the sheets of all who were there.
        event: what happened.
    """
    for side, (before, after) in enumerate(zip(event.before, event.after, strict=True)):
        for place, (then, now) in enumerate(zip(before, after, strict=False)):
            if then != now:
                who = FighterId(side, place)
                yield from _apart(who, _told(here, who, then), _told(here, who, now))
    if event.boards and event.boards[0] != event.boards[1]:
        yield from _moved(here, event)


def _moved(here: Position, event: Event) -> Iterator[Change]:
    """Every line about where somebody stands that an event has changed."""
    then, now = (
        here._replace(board=board, conditions=conditions)
        for board, conditions in zip(event.boards, (event.before, event.after), strict=True)
    )
    for who in then.course.everybody:
        yield from _apart(who, told_on(then, who), told_on(now, who))


def _apart(who: FighterId, before: tuple[Told, ...], after: tuple[Told, ...]) -> Iterator[Change]:
    then = {told.label: told.value for told in before}
    now = {told.label: told.value for told in after}
    news = {told.label: told.news for told in (*before, *after)}
    for label in dict.fromkeys((*now, *then)):
        counted = news[label] == "ends" and label in then and label in now
        if then.get(label) != now.get(label) and news[label] != "none" and not counted:
            yield Change(who, label, then.get(label), now.get(label))
