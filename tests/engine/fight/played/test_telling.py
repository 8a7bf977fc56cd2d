"""Which changes of a condition logs tell."""

from __future__ import annotations

from affray.core.fight import Told
from affray.engine.fight.course import FighterId
from affray.engine.fight.played.telling import Change, _apart

WHO = FighterId(0, 0)


def lines(**values: object) -> tuple[Told, ...]:
    """A wound, dazed for some turns, and actions that every turn gives back."""
    kinds = {
        "wounds": Told("wounds", 0), "dazed": Told("dazed", 0, news="ends"),
        "actions": Told("actions", 0, news="none"),
    }  # fmt: skip
    return tuple(kinds[key]._replace(value=value) for key, value in values.items())


def told(before: tuple[Told, ...], after: tuple[Told, ...]) -> list[Change]:
    return list(_apart(WHO, before, after))


def test_every_change_is_told_of_what_matters() -> None:
    assert told(lines(wounds=1), lines(wounds=2)) == [Change(WHO, "wounds", 1, 2)]
    assert told(lines(wounds=1), lines(wounds=1)) == []


def test_what_is_counted_down_is_told_as_it_begins_and_ends() -> None:
    assert told((), lines(dazed=3)) == [Change(WHO, "dazed", None, 3)]
    assert told(lines(dazed=3), lines(dazed=2)) == []
    assert told(lines(dazed=1), ()) == [Change(WHO, "dazed", 1, None)]


def test_what_every_turn_gives_back_is_never_told() -> None:
    assert told((), lines(actions=1)) == told(lines(actions=1), lines(actions=0)) == []
    assert told(lines(actions=0, wounds=0), lines(wounds=1)) == [Change(WHO, "wounds", 0, 1)]
