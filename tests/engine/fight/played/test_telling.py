"""Which changes of a condition logs tell."""

from __future__ import annotations

from affray.core.fight import Told
from affray.engine.fight.course import FighterId
from affray.engine.fight.played.position import Event
from affray.engine.fight.played.session import FightSession
from affray.engine.fight.played.telling import Change, Standing, _apart, standing, touched
from tests import fight_systems as games
from tests.fight_systems import Body, Fighter

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


# -- how somebody stands, in short ---------------------------------------------------------------


def test_how_somebody_stands_is_points_and_a_few_words() -> None:
    """What has no short words, and where somebody is, is left to those who ask."""
    told_ = (
        Told("damage", "11 of 40", bar=(29, 40)), Told("wounds", 1, short="1 wound"),
        Told("rounds", "9 of 10"), Told("Zone", "yard", short="in yard", is_place=True),
    )  # fmt: skip
    assert standing(told_) == Standing((29, 40), ("1 wound",))


def test_where_nothing_is_short_everything_that_counts_is_told() -> None:
    assert standing((Told("luck", 2), Told("fear", 0))) == Standing(None, ("luck 2",))


def test_who_lost_points_stands_otherwise_and_nobody_else_does() -> None:
    made = games.contest(
        games.slugging, (Fighter("Ada", 5), Fighter("Bo", 4)), (Fighter("Husk", 4),), "one"
    )
    here = FightSession(made, rounds=9).position
    (ada, bo), other = here.in_full
    event = Event("exchange", 1, before=((ada, bo), other), after=((ada, Body(1)), other))
    assert list(touched(here, event)) == [(FighterId(0, 1), Standing(None, ("1 left",)))]
