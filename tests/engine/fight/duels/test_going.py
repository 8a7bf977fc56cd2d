"""Rounds that carry only what fights on, against whole rounds with all that is over."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array

from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN
from affray.app.inputs.fight_setups import load_fight
from affray.app.sources import Names
from affray.engine.fight.course import DECIDED
from affray.engine.fight.duels import following, going, sending, whole_step
from affray.engine.fight.duels.acting import Actors, Weigh, apart, in_order
from affray.engine.fight.duels.answers import ROUNDS
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.following import OFTEN, Followed, followed
from affray.engine.fight.duels.going import Going
from affray.engine.fight.duels.sending import Decides, _of_a_kind, columns_of
from affray.engine.fight.duels.strands import Strands, as_one, strands_of
from affray.engine.fight.duels.whole_round import WholeRound
from affray.engine.fight.duels.whole_step import _Alike, _ranks
from tests.engine.fight.duels.shipped import shipped_duel
from tests.engine.fight.duels.test_whole_round import ROUNDS as SMALL
from tests.engine.fight.duels.test_whole_round import by_pairs, small_duel

DUELS = [
    ("eclipse-phase", "w6"),
    ("eclipse-phase", "grenades-against-a-torch"),  # ways to begin side by side
    ("affinity", "raid"),  # two exchanges in a turn
    ("empty-earth", "bo-haunt"),
]


def beginning(system_name: str, fight: str) -> tuple[WholeRound, NDArray[np.float64]]:
    """The whole rounds of a duel that has one course, and what begins the first."""
    duel = shipped_duel(system_name, fight)
    ((sweep, starts),) = duel._sweeps
    whole = WholeRound(sweep, [start.leads for start in starts])
    on = whole.begun(duel.start_pair)
    assert on is not None
    return whole, on


def begun_by(rounds: Going) -> NDArray[np.float64]:
    """How often each pair has begun a round, by way to begin."""
    return np.stack([rounds.begun_in(way) for way in range(rounds.n_ways)], -1)


@pytest.mark.parametrize(("system_name", "fight"), DUELS)
def test_what_goes_on_and_what_is_decided_is_that_of_whole_rounds(
    system_name: str, fight: str
) -> None:
    duel = shipped_duel(system_name, fight)
    verdicts = duel.questions.reshape(-1, duel.questions.shape[-1])[:, :ROUNDS]
    for sweep, starts in duel._sweeps:
        leads = [start.leads for start in starts]
        whole = WholeRound(sweep, leads)
        on = whole.begun(duel.start_pair)
        assert on is not None
        rounds = Going(whole, on)
        here = rounds.start()
        begun = np.zeros_like(on)
        for goes_on, last in itertools.islice(followed(sweep, duel.start_pair, leads), 6):
            begun += on
            on, over = whole.after(on)
            np.testing.assert_array_equal(goes_on, whole.on_by_number(on))
            np.testing.assert_array_equal(last, whole.over_by_number(over))
            here, decided = rounds.after(here)
            np.testing.assert_allclose(rounds.pairs(here), on, rtol=0, atol=1e-15)
            np.testing.assert_allclose(decided, last @ verdicts, rtol=0, atol=1e-15)
        np.testing.assert_allclose(begun_by(rounds), begun, rtol=0, atol=1e-14)


@pytest.mark.parametrize("sparse", [0, 10**9])
@pytest.mark.parametrize("name", SMALL)
def test_what_goes_on_and_what_is_decided_is_that_of_pairs(
    name: str, sparse: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether or not zeros are left out."""
    monkeypatch.setattr(sending, "MOSTLY_EMPTY", sparse)
    duel, sweep, leads = small_duel(name)
    verdicts = duel.questions.reshape(-1, duel.questions.shape[-1])[:, :ROUNDS]
    whole = WholeRound(sweep, leads)
    on = whole.begun(duel.start_pair)
    assert on is not None
    rounds = Going(whole, on)
    here = rounds.start()
    for now, ended in itertools.islice(by_pairs(duel, sweep, leads), 4):
        here, decided = rounds.after(here)
        found = whole.on_by_number(rounds.pairs(here))
        np.testing.assert_allclose(found, np.stack(now), rtol=0, atol=1e-15)
        np.testing.assert_allclose(decided, np.stack(ended) @ verdicts, rtol=0, atol=1e-15)


@pytest.mark.parametrize(("system_name", "fight"), DUELS[1:3])
def test_a_last_round_mixes_ways_to_begin(system_name: str, fight: str) -> None:
    duel = shipped_duel(system_name, fight)
    for sweep, starts in duel._sweeps:
        whole = WholeRound(sweep, [start.leads for start in starts])
        begun = whole.begun(duel.start_pair)
        assert begun is not None
        begun, _ = whole.after(begun)
        on, over = whole.after(begun)
        for shares in (np.eye(whole.n_ways), np.linspace(0, 1, 2 * whole.n_ways).reshape(2, -1)):
            less, ends = whole.ends(iter(np.moveaxis(begun, 2, 0)), shares)
            np.testing.assert_allclose(less, (on - begun) @ shares.T, rtol=0, atol=1e-15)
            told, among = whole.last(ends)
            expected, where = whole.last(over)
            assert [ids.tolist() for ids in among] == [ids.tolist() for ids in where]
            np.testing.assert_allclose(told, shares @ expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize("short", [0, 1000])
def test_how_a_fight_ends_is_told_of_mixtures(monkeypatch: pytest.MonkeyPatch, short: int) -> None:
    monkeypatch.setattr(following, "SHORT", short)
    duel = shipped_duel("eclipse-phase", "grenades-against-a-torch")
    ((sweep, starts),) = duel._sweeps
    leads = [start.leads for start in starts]
    shares = np.linspace(0, 1, 3 * len(leads)).reshape(3, -1)
    found = []
    for mixes in (None, shares):
        course = Followed(sweep, duel.start_pair, leads)
        assert course.to_the_end()
        found.append(course.over(mixes))
    (each, missed, among), (mixed, missed_too, where) = found
    assert max(missed, missed_too) < 1e-14
    assert [ids.tolist() for ids in among] == [ids.tolist() for ids in where]
    np.testing.assert_allclose(mixed, shares @ each, rtol=0, atol=1e-14)


def test_ways_to_begin_share_what_nothing_tells_apart_but_for_pairs_that_never_end() -> None:
    whole, on = beginning("eclipse-phase", "grenades-against-a-torch")
    assert whole.n_ways > 2
    counts = []
    for without in (None, on > 1):
        rounds = Going(whole, on, without)
        first = whole.first[rounds.rows]
        counts.append(rounds.strands.count(first) / len(first))
    assert counts[0] < whole.n_ways - 1
    assert counts[1] == whole.n_ways


def test_pairs_are_left_on_the_way_as_if_they_had_never_been_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(going, "HARDLY", 0.0)
    monkeypatch.setattr(going, "FEWER", 2.0)  # whatever is gone is left out at once
    whole, on = beginning("eclipse-phase", "grenades-against-a-torch")
    rounds = Going(whole, on)
    here = rounds.start()
    for _ in range(2):
        here, _ = rounds.after(here)
    one, other = np.indices(on.shape[:2])
    without = np.repeat(((one + other) % 3 == 0)[:, :, None], whole.n_ways, axis=2)
    rest = np.where(without, 0, rounds.pairs(here))
    assert 0 < rest.sum() < rounds.pairs(here).sum()
    late = Going(whole, rest, without)
    left = rounds.leave(here, without)
    assert left is not None
    found = []
    for how, begin in ((rounds, left), (late, late.start())):
        now = begin
        for _ in range(3):
            on_after, decided = how.after(now)
            now = how.likely(on_after)
        found.append((how.pairs(now), how.on(now), decided))
    assert found[0][1].min() > 0
    for mine, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-15)


def test_pairs_are_not_left_on_the_way_in_some_ways_of_a_strand_alone() -> None:
    whole, on = beginning("eclipse-phase", "grenades-against-a-torch")
    rounds, plain = Going(whole, on), Going(whole, on)
    without = np.zeros(on.shape, np.bool_)
    ways = rounds.strands.ways(rounds.parts[0][rounds.rows])
    (first, shared, *_) = np.flatnonzero(ways[ways.sum(1) > 1][0])
    without[:, :, [first, shared]] = [False, True]
    assert rounds.leave(rounds.start(), without) is None
    here, decided = rounds.after(rounds.start())
    there, told = plain.after(plain.start())
    np.testing.assert_array_equal(rounds.pairs(here), plain.pairs(there))
    np.testing.assert_array_equal(decided, told)


def test_a_fight_that_looks_short_is_followed_to_the_same_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    duel = shipped_duel("affinity", "raid")
    for sweep, starts in duel._sweeps:
        found = []
        for short, many in ((1, following.MANY), (1000, following.MANY), (1000, 0)):
            monkeypatch.setattr(following, "SHORT", short)
            monkeypatch.setattr(following, "MANY", many)
            course = Followed(sweep, duel.start_pair, [start.leads for start in starts])
            assert course.to_the_end()
            assert (course._short is None) == (short == 1 or not many)
            over, missed, (one, other) = course.over()
            assert missed < 1e-14
            whole = np.zeros((len(over), *sweep.n))
            whole[:, one[:, None], other] = over.reshape(len(over), len(one), len(other))
            found.append((course.ended[-1], course.on[-2], whole))
        for long, few, at_once in zip(*found, strict=True):
            np.testing.assert_allclose(long, few, rtol=0, atol=1e-13)
            np.testing.assert_allclose(at_once, few, rtol=0, atol=1e-13)


@pytest.mark.parametrize(("system_name", "fight"), [DUELS[1], DUELS[3]])
def test_rounds_that_die_away_are_counted_at_once(
    system_name: str, fight: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    duel = shipped_duel(system_name, fight)
    for sweep, starts in duel._sweeps:
        found = []
        for little in (1e-9, 0.0):
            monkeypatch.setattr(following, "LITTLE", little)
            course = Followed(sweep, duel.start_pair, [start.leads for start in starts])
            assert course.to_the_end()
            assert (course._fading is None) == (little == 0)
            n = len(course.on)
            assert course.to_the_end()  # there is nothing more to follow
            assert len(course.on) == n
            over, missed, _ = course.over()
            assert missed < 1e-15
            rounds = course.rounds
            for _ in range(3):
                course.go_on()
            assert len(course.on) == len(course.may_end) == len(course.ended) == n + 3
            np.testing.assert_allclose(course.rounds, rounds, rtol=1e-15)
            found.append((course, n, rounds, over))
        (soon, few, *mine), (late, many, *theirs) = found
        assert few < many
        for one, other in zip(mine, theirs, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-14, atol=2e-16)
        for place in range(few, min(len(soon.on), many)):
            np.testing.assert_allclose(soon.on[place], late.on[place], rtol=0, atol=1e-15)
            np.testing.assert_allclose(soon.ended[place], late.ended[place], rtol=0, atol=2e-15)
        assert min(len(soon.on), many) > few


def test_fewer_rounds_than_would_tell_are_followed_to_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(following, "SHORT", 0)
    monkeypatch.setattr(following, "LITTLE", 1.0)
    monkeypatch.setattr(going, "MISSED", 1.0)  # whatever follows roughly is counted at once
    duel = shipped_duel("affinity", "marsh")
    for sweep, starts in duel._sweeps:
        course = Followed(sweep, duel.start_pair, [start.leads for start in starts])
        assert course.to_the_end()
        assert course._fading is None or course._fading[0] >= going.KEPT
        n = len(course.on)
        course.go_on()
        assert len(course.on) == n + 1


@pytest.mark.parametrize(("root", "is_counted"), [(0.9, True), (1.0, False), (1.5, False)])
def test_rounds_whose_shares_would_grow_are_not_counted_at_once(
    root: float, *, is_counted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, begin = beginning("eclipse-phase", "w6")
    rounds = Going(whole, begin)
    here = rounds.start()
    for _ in range(2):
        here, _ = rounds.after(here)
    # Of two rounds before it: x^2 = (0.2 - root) x + 0.2 root, with the roots 0.2 and -root.
    shares = np.array([0.2 - root, 0.2 * root])
    monkeypatch.setattr(going, "MISSED", 1e6)
    monkeypatch.setattr(np.linalg, "lstsq", lambda before, few, rcond: (shares * sizes(before),))

    def sizes(before: np.ndarray) -> np.ndarray:
        step = max(1, sum(part.size for part in here) // going.SOME)
        past = [np.concatenate([part.ravel()[::step] for part in parts]) for parts in
                rounds._past[::-1]]  # fmt: skip
        assert before.shape[1] == 2
        return np.array([one.sum() for one in past if one.sum()])

    assert (rounds.fading(here) is not None) is is_counted


@pytest.mark.parametrize("refused", ["MISSED", "LEAST_ENDS"])
def test_rounds_are_not_counted_at_once_where_they_differ_too_much(
    refused: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, begin = beginning("eclipse-phase", "w6")
    rounds = Going(whole, begin)
    here = rounds.start()
    begun = np.zeros_like(begin)
    for _ in range(3):
        begun += rounds.pairs(here)
        here, _ = rounds.after(here)
    assert rounds.fading(here) is None
    np.testing.assert_allclose(begun_by(rounds), begun, rtol=0, atol=1e-15)
    monkeypatch.setattr(going, "MISSED", 1.0)
    monkeypatch.setattr(going, refused, {"MISSED": 0.0, "LEAST_ENDS": 1.0}[refused])
    assert rounds.fading(here) is None
    monkeypatch.setattr(going, "MISSED", 1.0)
    monkeypatch.setattr(going, "LEAST_ENDS", 0.05)
    fading = rounds.fading(here)
    assert fading is not None  # roughly
    assert fading.later == pytest.approx(rounds.on(here), rel=3)
    assert (begun_by(rounds) >= begun).all()


def test_pairs_left_out_too_early_are_followed_after_all(monkeypatch: pytest.MonkeyPatch) -> None:
    duel = shipped_duel("eclipse-phase", "w6")
    missed = []
    for hardly in (1e-21, 1e-6):
        monkeypatch.setattr(going, "HARDLY", hardly)
        ((sweep, starts),) = duel._sweeps
        course = Followed(sweep, duel.start_pair, [start.leads for start in starts])
        assert course.to_the_end()
        missed.append(course.over()[1])
    assert max(missed) < 1e-14


@pytest.mark.parametrize(
    ("pair", "asks"), [(Names("novice", "novice"), True), (Names("healer", "healer"), False)]
)
def test_nobody_asks_what_is_likely_where_a_fight_is_soon_over(
    pair: Names, asks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = FIGHT_AS_WRITTEN._replace(policies=("first", "first"))
    duel = Duel(load_fight("affinity", pair, changes).contest)
    asked: list[int] = []
    likely = Going.likely

    def noted(self: Going, here: list[np.ndarray]) -> list[np.ndarray]:
        asked.append(len(here))
        return likely(self, here)

    monkeypatch.setattr(Going, "likely", noted)
    sweep, starts = duel._sweeps[0]
    course = Followed(sweep, duel.start_pair, [start.leads for start in starts])
    assert course.to_the_end()
    assert len(course.on) > OFTEN
    assert bool(asked) is asks


def test_numbers_are_sorted_into_groups_in_which_none_comes_twice() -> None:
    groups = [group.tolist() for group in apart(np.array([5, 3, 5, 5, 3]))]
    assert groups == [[0, 1], [2, 4], [3]]


def test_attackers_who_go_first_more_or_less_often_are_kept_apart() -> None:
    which, kinds = np.array([0, 0, 0, 1, 1, 2]), np.array([4, 7, 4, 7, 7, 7])
    groups = [group.tolist() for group in _of_a_kind(which, kinds)]
    assert groups == [[0, 2, 3, 4, 5], [1]]
    assert [group.tolist() for group in _of_a_kind(which, None)] == [[0, 1, 2, 3, 4, 5]]


def test_how_likely_attackers_go_first_is_told_once_where_it_is_the_same() -> None:
    chances = np.array([[0.0, 0.5, 1.0], [0.25, 0.0, 0.0]])  # by kind of who acts, of the target
    weigh = Weigh(chances, np.array([1, 0, 0]), np.array([2, 0, 1, 1]))
    targets = np.array([3, 0])
    assert weigh.of(np.array([1, 2]), targets).tolist() == [[0.5, 1]]
    assert weigh.of(np.array([1, 0]), targets).tolist() == [[0.5, 1], [0, 0]]


def test_nobody_acts_first_against_those_whom_it_never_precedes() -> None:
    chances = np.array([[0.0, 0.5], [1.0, 0.0], [0.0, 0.0]])
    weigh = Weigh(chances, np.array([2, 0, 1]), np.array([0, 1]))
    two = Actors(
        np.array([0, 1, 2]), np.array([0, 1, 1]), np.array([7, 8]),
        np.array([0, 1, 1]), np.array([5, 5, 6]), np.array([1, 0.5, 0.5]),
    )  # fmt: skip
    few = two._replace(who=np.array([0, 1]), which=np.array([0, 1]))
    assert weigh.among([few], np.array([0])) == []  # they act only before target 1
    both, one = weigh.among([two, few], np.array([0, 1]))
    for found, who in ((both, [1, 2]), (one, [1])):
        assert found.who.tolist() == who
        assert found.which.tolist() == [0] * len(who)
        assert found.then.tolist() == [8]
    assert (both.targets.tolist(), both.struck.tolist()) == ([0, 1, 1], [5, 5, 6])
    assert (one.targets.tolist(), one.chance.tolist()) == ([1, 1], [0.5, 0.5])


@pytest.mark.parametrize("by_row", [True, False])
def test_verdicts_count_for_the_ways_to_begin_of_a_strand(by_row: bool) -> None:
    """Two attackers, of whom both may win, and the second one may lose."""
    went = np.array([[0.0, 0.5, 0.25], [0.0, 0.0, 0.125]])
    verdicts = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0]])
    if by_row:  # the first attacker stands for the first way alone
        some = Decides(slice(0, 2), slice(1, 3), np.array([[1.0, 0], [0, 1]]), verdicts)
        assert some.told(went, by_row=True).tolist() == [[0.5, 0.25, 0, 0], [0, 0.125, 0, 0]]
    else:  # the second verdict is one in the second way alone
        some = Decides(slice(0, 2), slice(1, 3), np.array([[1.0, 0], [1, 1]]), verdicts)
        told = some.told(went.T.copy(), by_row=False)
        assert told.tolist() == [[0.5, 0, 0, 0], [0.5, 0.375, 0, 0]]


@pytest.mark.parametrize(("system_name", "fight"), [DUELS[1], DUELS[2]])
@pytest.mark.parametrize("rows", [0, 1])
def test_either_side_may_be_the_one_with_strands(
    system_name: str, fight: str, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    duel = shipped_duel(system_name, fight)
    made = going._strands

    def of_rows(whole: WholeRound, *, apart: bool) -> Strands:
        first, n = whole.first[rows], whole.sweep.n[rows]
        if apart:
            return Strands(rows, np.arange(whole.n_ways)[None, :], np.zeros(n, np.int64))
        if whole.turns[0][2] is None:
            return as_one(rows, n, whole.n_ways)
        return strands_of(rows, whole.turns[0][2], first, n, going._become(whole, rows))

    for sweep, starts in duel._sweeps:
        whole = WholeRound(sweep, [start.leads for start in starts])
        on = whole.begun(duel.start_pair)
        assert on is not None
        found = []
        for how, without in ((made, None), (of_rows, None), (of_rows, on > 1)):
            monkeypatch.setattr(going, "_strands", how)
            rounds = Going(whole, on, without)
            here = rounds.start()
            for _ in range(4):
                here, decided = rounds.after(here)
            found.append((rounds.pairs(here), rounds.on(here), decided))
        for other in found[1:]:
            for mine, theirs in zip(found[0], other, strict=True):
                np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-15)


def test_conditions_come_in_the_order_of_sequences() -> None:
    some = in_order(np.array([1, 2, 5, 8]), [np.array([8, 3]), np.array([5, 8])])
    assert some.tolist() == [8, 5, 1, 2]


def test_targets_of_a_part_are_a_slice_if_they_follow_one_another() -> None:
    parts = [np.array([9, 4]), np.array([4, 6]), np.array([9, 6])]
    columns = columns_of(parts, np.array([9, 4, 6]), 10)
    assert columns.n == 3
    assert columns.of[:2] == [slice(0, 2), slice(1, 3)]
    assert isinstance(columns.of[2], np.ndarray)
    assert columns.of[2].tolist() == [0, 2]


@pytest.mark.parametrize(("system_name", "fight"), [DUELS[1], DUELS[2]])
def test_attackers_may_be_followed_few_at_once(
    system_name: str, fight: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    duel = shipped_duel(system_name, fight)
    for sweep, starts in duel._sweeps:
        leads, found = [start.leads for start in starts], []
        for at_once in (whole_step.AT_ONCE, 1):
            monkeypatch.setattr(whole_step, "AT_ONCE", at_once)
            whole = WholeRound(sweep, leads)
            on = whole.begun(duel.start_pair)
            assert on is not None
            for _ in range(3):
                on, over = whole.after(on)
            found.append((on, whole.over_by_number(over)))
        for many, few in zip(*found, strict=True):
            assert many.any()
            np.testing.assert_allclose(many, few, rtol=0, atol=1e-16)


@pytest.mark.parametrize("is_short", [True, False])
def test_once_it_is_told_how_a_fight_ends_its_rounds_are_dropped(
    monkeypatch: pytest.MonkeyPatch, *, is_short: bool
) -> None:
    monkeypatch.setattr(following, "SHORT", 1000 if is_short else 0)
    duel = shipped_duel("affinity", "marsh")
    sweep, starts = duel._sweeps[0]
    course = Followed(sweep, duel.start_pair, [start.leads for start in starts])
    assert course.to_the_end()
    assert course._whole.turns
    on, ended = course.on[-1], course.ended[-1]
    over, _, _ = course.over()
    assert not course._whole.turns
    np.testing.assert_allclose(over.sum(1), ended.sum(1), rtol=1e-12)
    assert course.on[-1].tolist() == on.tolist()


@pytest.mark.parametrize("side", [0, 1])
def test_a_fight_may_be_over_before_it_begins(side: int) -> None:
    duel = shipped_duel("affinity", "marsh")
    sweep, starts = duel._sweeps[0]
    here = [duelist.start for duelist in duel.duelists]
    here[side] = list(duel.duelists[side].is_out).index(True)
    leads, pair = [start.leads for start in starts], here[0] * sweep.n[1] + here[1]
    course = Followed(sweep, pair, leads)
    assert not course.begins
    assert course.to_the_end()
    course.go_on()
    for on, may_end, ended in zip(course.on, course.may_end, course.ended, strict=True):
        assert on.tolist() == [0] * len(leads)
        assert may_end == 0
        won = [float(verdict == ("other", "one")[side]) for verdict in DECIDED]
        assert ended.tolist() == [won] * len(leads)
    over, missed, among = course.over()
    assert [ids.tolist() for ids in among] == [[here[0]], [here[1]]]
    assert over.tolist() == [[1.0]] * len(leads)
    assert missed == 0
    assert course.rounds.tolist() == [0] * len(leads)
    ((on, last),) = followed(sweep, pair, leads)
    assert not on.any()
    assert last[:, pair].tolist() == last.sum(1).tolist() == [1] * len(leads)


def test_attackers_who_become_the_same_are_added_up() -> None:
    two, three = np.array([[0, 0, 1], [2, 0, 0]]), np.array([[0, 1, 0], [0, 0, 1]])
    ways = csr_array(np.array([[0.5, 0.0], [0.5, 0.25], [0.0, 0.0], [0.0, 0.75]]))
    values = np.arange(1.0, 7.0).reshape(2, 1, 3)  # by target, way to begin and attacker
    everybody = _Alike(np.arange(3), two, three, ways)
    for there in ([True, True, True], [False, True, True], [False, False, True]):
        some = everybody.among(np.array(there))
        found = np.zeros((3, 1, 2))
        some.send(values, found)
        expected = np.zeros_like(found)
        for effect, attacker in itertools.product(range(2), np.flatnonzero(there)):
            part = ways.toarray()[2 * effect : 2 * effect + 2]
            expected[two[effect, attacker], 0] += part @ values[:, 0, attacker]
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-15)
    assert [_ranks(row).tolist() for row in two] == three.tolist()
    assert everybody.among(np.ones(3, np.bool_)) is everybody
