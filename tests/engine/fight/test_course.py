"""The course of a fight: the machine itself, and the same fights followed through every engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from affray.core.fight import ATTACK, Deed
from affray.core.node import Facts
from affray.core.system import System
from affray.engine.fight import course as course_module
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import (
    AFTER,
    DECIDED,
    SAYS,
    SAYS_END,
    VERDICTS,
    Course,
    FighterId,
    First,
    Lead,
    Moment,
    Phase,
    Report,
    Standing,
    first_deed,
    next_standing,
    orders,
)
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import solve_exactly
from affray.engine.fight.duels.states import States
from affray.engine.fight.duels.sweep import Sweep
from affray.engine.fight.played.play import play_battle
from affray.engine.fight.sampled.battle import Battle
from affray.engine.fight.sampled.by_fighter import FighterLanes
from affray.engine.fight.sampled.by_side import SideLanes, Unsuited
from affray.engine.fight.sampled.chunk import _fight
from affray.engine.fight.sampled.draws import Stream
from affray.engine.fight.sampled.lanes import Lanes
from affray.engine.fight.sampled.sums import Sums
from affray.engine.fight.sampled.turns import Turn
from tests import fight_systems as games
from tests.engine.fight.duels.test_rounds import massed_once
from tests.fight_systems import Body, Fighter

ROOT = Path(__file__).parents[3]
TWO = Course("one", (1, 1), (1, 1))
TEAMS = Course("one", (2, 2), (2, 2))


def who(name: str) -> FighterId:
    """A fighter as sides and places are written here: "1.2" is the second of side one."""
    side, place = name.split(".")
    return FighterId(int(side) - 1, int(place) - 1)


def named(fighter: FighterId) -> str:
    return f"{fighter.side + 1}.{fighter.place + 1}"


def standing(course: Course, out: str = "", ended: str = "") -> Standing:
    """Everybody stands but those who are named; who is named as well says that it is over."""
    outs = [[named(FighterId(side, place)) in out.split() for place in range(size)]
            for side, size in enumerate(course.sizes)]  # fmt: skip
    says = [[True if named(FighterId(side, place)) in ended.split() else None
             for place in range(size)] for side, size in enumerate(course.sizes)]  # fmt: skip
    return Standing((outs[0], outs[1]), (says[0], says[1]))


def told(moments: Sequence[Moment]) -> str:
    """Moments in a line: "round turn 1.1 action 1.1 close over one"."""
    words: list[str] = []
    for moment in moments:
        actor = moment.actor if moment.phase in {Phase.TURN, Phase.ACTION} else None
        words += [moment.phase.value, *([named(actor)] if actor else [])]
        words += [moment.verdict] if moment.verdict else []
    return " ".join(words)


def followed(course: Course, reports: Callable[[Moment], Report | None]) -> str:
    """A fight moment by moment, until nothing more is reported."""
    moments = [course.begin()]
    while moments[-1].phase is not Phase.OVER:
        report = reports(moments[-1])
        if report is None:
            break
        moments.append(course.following(moments[-1], report))
    return told(moments)


# -- the tables ----------------------------------------------------------------------------------


def test_the_page_draws_the_table() -> None:
    """The arrows in the module's docstring are those of `AFTER`."""
    drawn = {}
    for line in (course_module.__doc__ or "").splitlines():
        phase, arrow, after = line.strip().partition(" -> ")
        if arrow and phase.strip() in Phase.__members__:
            drawn[Phase[phase.strip()]] = tuple(Phase[name] for name in after.split(", "))
    assert drawn == dict(AFTER)


def test_the_guide_to_fights_draws_the_table_twice() -> None:
    """The arrows of the diagram in docs/fights.md are those of `AFTER`, and so are the rows."""
    guide = (ROOT / "docs" / "fights.md").read_text(encoding="utf-8")
    arrows = re.findall(r"^    (\w+) --> (\w+)$", guide, re.MULTILINE)
    assert arrows == [(phase.value, after.value) for phase in AFTER for after in AFTER[phase]]
    rows = re.findall(r"^\| `(\w+)` \|[^|]*\| ((?:`\w+`(?:, )?)+) \|$", guide, re.MULTILINE)
    assert {phase: tuple(re.findall(r"\w+", after)) for phase, after in rows} == {
        phase.value: tuple(after.value for after in row) for phase, row in AFTER.items()
    }


def test_every_phase_but_the_last_is_followed_by_one() -> None:
    assert set(AFTER) | {Phase.OVER} == set(Phase)
    assert {after for row in AFTER.values() for after in row} | {Phase.START} == set(Phase)


def test_only_the_fallen_lose_and_a_rule_ends_what_nobody_has_lost() -> None:
    assert set(VERDICTS) == set(product((False, True), repeat=3))
    for (one, other, ends), verdict in VERDICTS.items():
        assert (verdict == "drawn") == (one and other)
        assert (verdict == "one") == (other and not one)
        assert (verdict == "other") == (one and not other)
        assert (verdict == "ended") == (ends and not one and not other)


@pytest.mark.parametrize(
    ("says", "ends"),
    [((None, None), False), ((True, None), True), ((True, False), False), ((False,), False)],
)
def test_a_side_ends_a_fight_if_somebody_says_so_and_nobody_denies_it(
    says: tuple[bool | None, ...], ends: bool
) -> None:
    bits = 0
    for said in says:
        bits |= SAYS[said]
    assert SAYS_END[bits] is ends
    course = TWO._replace(sizes=(len(says), 1))
    out = [False] * len(says), [False]
    found = course.verdict(Standing((out[0], out[1]), (says, (None,))))
    assert found == ("ended" if ends else None)


def test_a_side_has_lost_when_as_many_are_out_as_it_gives() -> None:
    course = TEAMS._replace(lost_at=(1, 2))
    assert course.verdict(standing(course, "2.1")) is None
    assert course.verdict(standing(course, "1.2")) == "other"
    assert course.verdict(standing(course, "1.2 2.1 2.2")) == "drawn"


# -- the machine ---------------------------------------------------------------------------------


def test_a_round_in_which_nothing_happens() -> None:
    order = TEAMS.order()
    assert told(TEAMS.round_of(order)) == (
        "turn 1.1 action 1.1 turn 1.2 action 1.2 turn 2.1 action 2.1 turn 2.2 action 2.2 close"
    )
    twice = TWO._replace(actions=2)
    assert told(twice.turn()) == "turn 1.1 action 1.1 action 1.1"


def test_nothing_follows_the_end() -> None:
    over = TWO.following(TWO.begin(), Report(standing(TWO, "2.1")))
    assert (over.phase, over.verdict, over.round) == (Phase.OVER, "one", 0)
    with pytest.raises(ValueError, match="nothing follows 'over'"):
        TWO.following(over, Report(standing(TWO)))


def test_a_fight_stalls_after_its_last_round_and_not_before() -> None:
    course = TWO._replace(rounds=2)
    report = Report(standing(course), course.order())
    one_round = "round turn 1.1 action 1.1 turn 2.1 action 2.1 close"
    assert followed(course, lambda _: report) == f"start {one_round} {one_round} over stalled"
    assert followed(course._replace(rounds=0), lambda _: report) == "start over stalled"


def test_who_falls_at_the_start_of_the_own_turn_does_nothing_in_it() -> None:
    moment = TEAMS.following(Moment(Phase.ROUND, 1), Report(standing(TEAMS), TEAMS.order()))
    assert told([moment]) == "turn 1.1"
    moment = TEAMS.following(moment, Report(standing(TEAMS, "1.1")))
    assert told([moment]) == "turn 1.2"


def test_a_turn_in_which_nothing_can_be_done_is_over() -> None:
    course = TWO._replace(actions=3)
    moment = Moment(Phase.ACTION, 1, who("1.1"), 0, (who("2.1"),))
    report = Report(standing(course), allowed=3)
    assert told([course.following(moment, report)]) == "action 1.1"
    assert told([course.following(moment, report._replace(acted=False))]) == "turn 2.1"


def test_fighters_may_have_different_numbers_of_exchanges_in_a_turn() -> None:
    """The report says how many whoever acts has: two for 1.1, none for 1.2, one for 2.1."""
    course = Course("one", (2, 1), (2, 1))
    allowed = {who("1.1"): 2, who("1.2"): 0, who("2.1"): 1}

    def report(moment: Moment) -> Report | None:
        if moment.phase is Phase.CLOSE:
            return None
        actor = moment.actor
        return Report(standing(course), course.order(), allowed[actor] if actor else 1)

    assert followed(course, report) == (
        "start round turn 1.1 action 1.1 action 1.1 turn 1.2 turn 2.1 action 2.1 close"
    )


def test_a_coin_is_tossed_once() -> None:
    course = TWO._replace(first="coin")
    moment = course.following(course.begin(), Report(standing(course)))
    assert course.ties(moment) == (((who("1.1"),), (who("2.1"),)),)
    report = Report(standing(course), (who("2.1"), who("1.1")))
    while moment.round < 2:
        moment = course.following(moment, report)
    assert course.ties(moment) == (((who("2.1"),),), ((who("1.1"),),))


def test_initiative_ties_are_left_to_chance() -> None:
    course = Course("initiative", (2, 1), (2, 1))
    quickness = {who("1.1"): (3, 0), who("1.2"): (5, 1), who("2.1"): (3, 0)}
    ties = course.ties(Moment(Phase.ROUND, 1), quickness)
    assert ties == (((who("1.2"),),), ((who("1.1"),), (who("2.1"),)))
    assert [" ".join(map(named, order)) for order in orders(ties)] == ["1.2 1.1 2.1", "1.2 2.1 1.1"]


@pytest.mark.parametrize("ahead", [-1, 0, 1])
@pytest.mark.parametrize("ties", [0, 1])
def test_the_quicker_one_goes_first_and_of_equals_always_the_same(ahead: int, ties: int) -> None:
    lead = Lead(Fraction(1), None, ahead, ties=ties)
    for mine, theirs in product(product(range(4), range(3)), repeat=2):
        one, other = (mine[0] + ahead, mine[1]), theirs
        expected = ties if one == other else 0 if one > other else 1
        assert lead.first(mine, theirs) == expected


def test_a_fight_of_two_begins_with_a_tie_settled_for_either_side() -> None:
    """Two rolls of 1 or 2: ahead by 1 a quarter, by -1 a quarter, by 0 one half."""
    course = Course("initiative", (1, 1), (1, 1))
    rolls = {1: 1, 2: 1}
    found = {(lead.ahead, lead.ties): lead.chance for lead in course.leads((rolls, rolls))}
    eighth = Fraction(1, 8)
    assert found == {(1, 0): eighth, (1, 1): eighth, (-1, 0): eighth, (-1, 1): eighth,
                     (0, 0): 2 * eighth, (0, 1): 2 * eighth}  # fmt: skip


@pytest.mark.parametrize(
    ("first", "at_a_time", "expected"),
    [
        ("one", 1, "1.1 1.2 1.3 2.1"),
        ("other", 1, "2.1 1.1 1.2 1.3"),
        ("alternate", 1, "1.1 2.1 1.2 1.3"),
        ("alternate", 2, "1.1 1.2 2.1 1.3"),
        ("alternate_other", 2, "2.1 1.1 1.2 1.3"),
        ("seats", 2, "1.1 2.1 1.2 1.3"),
    ],
)
def test_orders_of_turns(first: First, at_a_time: int, expected: str) -> None:
    found = Course(first, (3, 1), (3, 1), at_a_time).order()
    assert " ".join(map(named, found)) == expected


@pytest.mark.parametrize(
    ("first", "at_a_time", "expected"),
    [
        ("seats", 1, "2.1 1.2 2.2 1.3"),
        ("alternate", 1, "1.2 2.1 1.3 2.2"),
        ("alternate", 2, "1.2 1.3 2.1 2.2"),
        ("alternate_other", 1, "2.1 1.2 2.2 1.3"),
    ],
)
def test_who_is_out_leaves_a_gap_only_where_seats_order_the_turns(
    first: First, at_a_time: int, expected: str
) -> None:
    """The first of side one is out; where sides alternate, its next has the turn instead."""
    course = Course(first, (3, 2), (3, 2), at_a_time)
    report = Report(standing(course, "1.1"), course.order())
    moments = [course.following(Moment(Phase.ROUND, 1), report)]
    while moments[-1].phase is not Phase.CLOSE:
        moments.append(course.following(moments[-1], report))
    turns = [named(m.actor) for m in moments if m.phase is Phase.TURN and m.actor]
    assert " ".join(turns) == expected


def test_the_next_of_a_side_who_stands() -> None:
    out = (True, False, True, False)
    assert [next_standing(out, start) for start in range(5)] == [1, 1, 3, 3, 4]


# -- who is called -------------------------------------------------------------------------------


def after(course: Course, moment: Moment, report: Report) -> tuple[Moment, str]:
    """The moment that follows, and everybody who may act next."""
    moment_after = course.following(moment, report)
    among = course.callable(moment, report, moment_after)
    return moment_after, " ".join(map(named, among))


def test_where_sides_alternate_anybody_of_the_side_may_be_called_who_had_no_turn() -> None:
    course = Course("alternate", (3, 2), (3, 2))
    report = Report(standing(course, "1.2"), course.order())
    moment, among = after(course, Moment(Phase.ROUND, 1), report)
    assert (told([moment]), among) == ("turn 1.1", "1.1 1.3")
    chosen = course.following(Moment(Phase.ROUND, 1), report._replace(called=who("1.3")))
    assert (told([chosen]), chosen.had, chosen.reached) == ("turn 1.3", (who("1.3"),), (0, 0))
    report = report._replace(acted=False)
    moment, among = after(course, chosen, report)
    assert (told([moment]), among) == ("turn 2.1", "2.1 2.2")
    moment = course.following(chosen, report._replace(called=who("2.2")))
    moment, among = after(course, moment, report)
    # 1.3 had a turn, 1.2 is out
    assert (told([moment]), among) == ("turn 1.1", "1.1")
    moment, among = after(course, moment, report)
    assert (told([moment]), among) == ("turn 2.1", "2.1")
    assert told([course.following(moment, report)]) == "close"


def test_somebody_revived_may_be_called_though_the_turn_was_passed_over() -> None:
    course = Course("alternate", (3, 1), (3, 1))
    report = Report(standing(course, "1.1"), course.order(), acted=False)
    moment = course.following(Moment(Phase.ROUND, 1), report)
    moment = course.following(moment, report)
    assert told([moment]) == "turn 2.1"
    report = report._replace(standing=standing(course))
    moment, among = after(course, moment, report)
    assert (told([moment]), among) == ("turn 1.3", "1.3 1.1")


def test_nobody_is_called_while_a_turn_goes_on_or_when_the_fight_is_over() -> None:
    course = TEAMS._replace(first="alternate", actions=2)
    moment = Moment(Phase.ACTION, 1, who("1.1"), 0, (who("2.1"),))
    assert after(course, moment, Report(standing(course), allowed=2))[1] == ""
    assert after(course, moment, Report(standing(course, "2.1 2.2")))[1] == ""


def test_a_turn_that_is_held_back_goes_on_when_it_is_called() -> None:
    course = Course("one", (2, 1), (2, 1))
    report = Report(standing(course), course.order())
    moment = Moment(Phase.ACTION, 1, who("1.1"), 0, (who("1.2"), who("2.1")))
    moment = course.following(moment, report._replace(acted=False, holds=True))
    assert (told([moment]), moment.held) == ("turn 1.2", (who("1.1"),))
    moment = course.following(moment, report)
    assert told([moment]) == "action 1.2"
    later, among = after(course, moment, report._replace(acted=False))
    assert (told([later]), among) == ("turn 2.1", "2.1 1.1")
    acting = course.following(moment, report._replace(acted=False, called=who("1.1")))
    # it is no new turn, and nobody's is lost
    assert (told([acting]), acting.held, acting.done) == ("action 1.1", (), 0)
    assert told([course.following(acting, report._replace(acted=False))]) == "turn 2.1"


def test_who_falls_cannot_be_called_and_the_last_call_comes_before_the_round_ends() -> None:
    course = Course("one", (2, 1), (2, 1))
    moment = Moment(Phase.ACTION, 1, who("2.1"), 0, (), held=(who("1.1"), who("1.2")))
    report = Report(standing(course, "1.2"), course.order(), acted=False)
    moment, among = after(course, moment, report)
    assert (told([moment]), among) == ("close", "1.1")
    assert course.following(moment, report).held == ()


# -- deeds ---------------------------------------------------------------------------------------

REST, REVIVE = Deed("rest", "self"), Deed("revive", "fallen friend")


def test_deeds_are_tried_where_there_is_somebody_for_them() -> None:
    course = Course("one", (3, 2), (3, 2))
    out = standing(course, "1.2 1.3 2.1").out
    found = course.attempts(who("1.1"), (REVIVE, ATTACK, REST), out)
    assert [(deed.name, " ".join(map(named, targets))) for deed, targets in found] == [
        ("revive", "1.2"), ("attack", "2.2"), ("rest", "1.1"),
    ]  # fmt: skip
    nobody = course.attempts(who("1.1"), (REVIVE,), standing(course).out)
    assert list(nobody) == []
    alone = course.attempts(who("1.1"), (ATTACK, REST), standing(course, "2.1 2.2").out)
    assert [deed.name for deed, _ in alone] == ["rest"]


def test_a_friend_is_the_first_who_fell_or_the_one_most_in_need() -> None:
    course = Course("one", (4, 1), (4, 1))
    mend = Deed("mend", "friend")
    for fallen, needs, friend in (
        ("1.3", (9, 9, 9, 9), "1.3"),
        ("", (9, 1, 3, 3), "1.3"),
        ("", (9, 0, 0, 2), "1.4"),
        ("", (9, 0, 0, 0), None),
        ("", (), None),
    ):
        out = standing(course, fallen).out
        found = [named(to) for _, (to,) in course.attempts(who("1.1"), (mend,), out, needs)]
        assert found == ([friend] if friend else []), needs
    standing_still = standing(course, "").out
    assert not list(course.attempts(who("1.1"), (REVIVE,), standing_still, (0, 5, 5, 5)))


def test_the_first_deed_is_the_first_that_the_rules_allow() -> None:
    tried = []

    def attempt(deed: Deed, targets: tuple[FighterId, ...]) -> str | None:
        tried.append(deed.name)
        return None if deed == REVIVE else f"{deed.name} {named(targets[0])}"

    attempts = [(REVIVE, (who("1.2"),)), (ATTACK, (who("2.1"),)), (REST, (who("1.1"),))]
    assert first_deed(attempts, attempt) == "attack 2.1"
    assert tried == ["revive", "attack"]
    assert first_deed(attempts[:1], attempt) is None


# -- one course, every engine --------------------------------------------------------------------


@dataclass(frozen=True)
class Bout:
    """A fight without chance, and its course written by hand."""

    name: str
    game: Callable[[], System[Facts]]
    one: tuple[Fighter, ...]
    other: tuple[Fighter, ...]
    course: str
    first: First = "one"
    more: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        return self.name

    @property
    def contest(self) -> Contest:
        return games.contest(self.game, self.one, self.other, self.first, **dict(self.more))


def hits(hp: int, **more: int) -> Fighter:
    """One whose blows always do one point of damage."""
    return Fighter("X", hp, sides=1, **more)


def fading() -> System[Facts]:
    """Whoever begins a turn loses a point, and may fall by that."""
    return games._system(begin_turn=lambda sheet, body: Body(max(0, body.hp - 1)))


DUELS = [
    Bout("blow by blow", games.slugging, (hits(2),), (hits(2),),
         "start round turn 1.1 action 1.1 turn 2.1 action 2.1 close "
         "round turn 1.1 action 1.1 over one"),
    Bout("the other side first", games.slugging, (hits(1),), (hits(1),),
         "start round turn 2.1 action 2.1 over other", "other"),
    Bout("over before it begins", games.slugging, (hits(0),), (hits(1),), "start over other"),
    Bout("two exchanges in a turn", games.twice, (hits(3),), (hits(3),),
         "start round turn 1.1 action 1.1 action 1.1 turn 2.1 action 2.1 action 2.1 close "
         "round turn 1.1 action 1.1 over one"),
    Bout("as many exchanges as the condition allows", games.pacing,
         (hits(3, quickness=1),), (hits(4),),
         "start round turn 1.1 action 1.1 action 1.1 turn 2.1 close "
         "round turn 1.1 action 1.1 action 1.1 over one"),
    Bout("both act before anything shows", games.simultaneous, (hits(1),), (hits(1),),
         "start round turn 1.1 action 1.1 turn 2.1 action 2.1 close over drawn"),
    Bout("nothing shows before the end of a round", massed_once,
         (hits(4, hits=1, dice=0),), (hits(2, hits=1),),
         "start round turn 1.1 action 1.1 turn 2.1 action 2.1 close "
         "round turn 1.1 action 1.1 turn 2.1 action 2.1 close over other"),
    Bout("both fall at the end of a round", massed_once, (hits(1, hits=1),), (hits(1, hits=1),),
         "start round turn 1.1 action 1.1 turn 2.1 action 2.1 close over drawn"),
    Bout("a rule ends it", games.yielding, (hits(9),), (hits(2, yields=1),),
         "start round turn 1.1 action 1.1 over ended"),
    Bout("the end of a round takes the last point", games.bleeding,
         (hits(9),), (hits(2, bleeds=1),),
         "start round turn 1.1 action 1.1 turn 2.1 action 2.1 close over one"),
    Bout("the start of a turn takes the last point", fading, (hits(3),), (hits(2),),
         "start round turn 1.1 action 1.1 turn 2.1 over one"),
    Bout("a deed to oneself", games.resting, (hits(2),), (hits(2),),
         "start " + 3 * "round turn 1.1 action 1.1 turn 2.1 action 2.1 close "
         + "round turn 1.1 action 1.1 over one"),
    Bout("the quicker goes first", games.steady_order, (hits(1, speed=1),), (hits(1, speed=2),),
         "start round turn 2.1 action 2.1 over other", "initiative"),
]  # fmt: skip

TEAM_FIGHTS = [
    Bout("who falls leaves a gap", games.slugging, (hits(9), hits(9)), (hits(1), hits(2)),
         "start round turn 1.1 action 1.1 turn 1.2 action 1.2 turn 2.2 action 2.2 close "
         "round turn 1.1 action 1.1 over one",
         "seats"),
    Bout("the next takes the turn of who falls", games.slugging,
         (hits(9), hits(9)), (hits(1), hits(9), hits(1)),
         "start round turn 1.1 action 1.1 turn 2.2 action 2.2 turn 1.2 action 1.2 over one",
         "alternate", (("yields_at", 2),)),
]  # fmt: skip


def spied(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, run: Callable[[], object]) -> str:
    """What an engine that runs the course meets, moment by moment.

    `owner.name` takes a moment, and whatever else it needs to know the next one.
    """
    met: list[Moment] = []
    following = getattr(owner, name)

    def spying(self: object, moment: Moment, *args: object, **more: object) -> Moment:
        after: Moment = following(self, moment, *args, **more)
        met.extend([moment, after] if not met else [after])
        return after

    monkeypatch.setattr(owner, name, spying)
    run()
    return told(met)


@pytest.mark.parametrize("bout", [*DUELS, *TEAM_FIGHTS], ids=str)
def test_a_played_battle_runs_the_course(bout: Bout, monkeypatch: pytest.MonkeyPatch) -> None:
    found = spied(monkeypatch, Course, "following", lambda: play_battle(bout.contest, seed=1))
    assert found == bout.course


@pytest.mark.parametrize("bout", DUELS, ids=str)
def test_an_exact_duel_runs_the_course(bout: Bout, monkeypatch: pytest.MonkeyPatch) -> None:
    found = spied(monkeypatch, States, "_following", lambda: solve_exactly(bout.contest))
    assert found == bout.course


def by_sweep(contest: Contest) -> str:
    """The only way that the arrays of a sweep lead from the start to the end."""
    duel = Duel(contest)
    assert duel.together is None
    ((sweep, _),) = duel._sweeps
    pair = duel._start
    words = ["start"]
    number = 0

    def next_pair(*, closes: bool) -> tuple[int, int]:
        slot = sweep.slots[number]
        sweep.slots[number] = slot._replace(ends_round=closes)
        first, second, chance = sweep._next(np.array([pair[0]]), np.array([pair[1]]), number)
        sweep.slots[number] = slot
        ways = {way for *way_, p in zip(first[0], second[0], chance[0], strict=True)
                if p > 0 for way in [tuple(map(int, way_))]}  # fmt: skip
        ((one, other),) = ways
        return one, other

    while True:
        if over := verdict(duel, sweep, pair):
            return " ".join([*words, "over", over])
        slot = sweep.slots[number]
        actor = named(slot.actor)
        if slot.begins:
            words += ["round"] * (number == 0) + ["turn", actor]
            begun = list(pair)
            begun[slot.actor.side] = int(sweep.begun[slot.actor.side][pair[slot.actor.side]])
            if over := verdict(duel, sweep, (begun[0], begun[1])):
                return " ".join([*words, "over", over])
        acts = slot.actor.side
        both = np.array(pair[acts]), np.array(pair[1 - acts])
        attack = int(sweep.arrays[number].rows.between(*both))
        words += ["action", actor] if attack != duel.attacks[acts].passed else []
        acted = next_pair(closes=False)
        if slot.ends_round and not verdict(duel, sweep, acted):
            words.append("close")
        pair, number = next_pair(closes=slot.ends_round), sweep.then[number] - sweep.offset


def verdict(duel: Duel, sweep: Sweep | None, pair: tuple[int, int]) -> str:
    """What a pair of conditions is worth to a duel, as a word; "" if it goes on."""
    names = [name for name, worth in zip(DECIDED, duel.questions[pair], strict=False) if worth == 1]
    if sweep is not None:
        assert bool(names) != bool(sweep.going_on()[pair])
    return names[0] if names else ""


@pytest.mark.parametrize("bout", DUELS, ids=str)
def test_a_sweep_is_compiled_from_the_course(bout: Bout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Duel, "_together", lambda self, clock: None)
    assert by_sweep(bout.contest) == bout.course


@pytest.mark.parametrize("bout", [bout for bout in DUELS if bout.game is massed_once], ids=str)
def test_products_of_rounds_are_compiled_from_the_course(bout: Bout) -> None:
    duel = Duel(bout.contest)
    rounds = duel.together
    assert rounds is not None
    words = ["start"]
    for on, over in rounds.rounds(duel._start):
        words.append("round")
        for slot in rounds.slots:
            words += ["turn", named(slot.actor), "action", named(slot.actor)]
            assert (slot.begins, slot.ends_round) == (True, slot is rounds.slots[-1])
        words.append("close")
        if not on.any():
            ((one, other),) = zip(*np.unravel_index(np.flatnonzero(over), rounds.n), strict=True)
            words += ["over", verdict(duel, None, (int(one), int(other)))]
            break
    assert " ".join(words) == bout.course


@pytest.mark.parametrize("kind", [FighterLanes, SideLanes])
@pytest.mark.parametrize("bout", [*DUELS, *TEAM_FIGHTS], ids=str)
def test_lanes_are_compiled_from_the_course(
    bout: Bout, kind: type[Lanes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever they go through for a battle that is over, or for who is out, changes nothing."""
    if bout.game is games.resting and kind is SideLanes:
        with pytest.raises(Unsuited):
            by_lanes(kind, bout.contest, monkeypatch)
        return
    assert by_lanes(kind, bout.contest, monkeypatch) == bout.course


def by_lanes(kind: type[Lanes], contest: Contest, monkeypatch: pytest.MonkeyPatch) -> str:
    words = ["start"]
    do, close, play = Lanes._do, Lanes._close, Lanes._round

    def doing(lanes: Lanes, moment: Moment, turn: Turn) -> None:
        fighter = int(np.asarray(turn.actor).ravel()[0])
        before = lanes._words(lanes.rows[: lanes.h]).copy()
        idle = bool(lanes._over()[0]) or before[fighter, 0] >= lanes.layout.out
        if moment.phase is Phase.ACTION:
            idle |= not lanes._actor_views(turn, moment.done).any()
        do(lanes, moment, turn)
        if idle:
            assert (lanes._words(lanes.rows[: lanes.h]) == before).all()
        else:
            words.extend([moment.phase.value, named(everybody[fighter])])

    def closing(lanes: Lanes) -> None:
        words.append("close")
        close(lanes)

    def playing(lanes: Lanes) -> None:
        words.append("round")
        play(lanes)

    monkeypatch.setattr(Lanes, "_do", doing)
    monkeypatch.setattr(Lanes, "_close", closing)
    monkeypatch.setattr(kind, "_round", playing)
    everybody = contest.course.everybody
    exchanges = Battle(contest).tables
    sums = Sums.of(exchanges, _fight(kind, exchanges, (1, 9, Stream(1, 0))))
    counts = (*sums.won, sums.drawn, sums.ended)
    found = [name for name, count in zip(DECIDED, counts, strict=True) if count]
    return " ".join([*words, "over", *found])
