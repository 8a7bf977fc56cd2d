"""Battles played exchange by exchange, kept, and replayed."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from math import sqrt
from typing import Any, cast

import pytest

from affray.core.errors import AnswerError, SetupError, StoreError
from affray.core.fight import Deed
from affray.core.node import Facts
from affray.core.system import System
from affray.engine.exchange.session import Answer, Question, Session
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import FighterId, First
from affray.engine.fight.plans import Plan
from affray.engine.fight.played.deeds import begun_exchange, game_of
from affray.engine.fight.played.play import (
    PlayedBattle,
    Record,
    from_saved,
    play_battle,
    replay,
    to_saved,
)
from affray.engine.fight.played.position import Act, Order, Position
from affray.engine.fight.played.record import Lines
from affray.engine.fight.played.supply import begin, ordered
from affray.engine.fight.targeting import TARGETINGS, Foe, Targeting, View
from tests import fight_systems as games
from tests.engine.fight.sampled.counted_battles import counted
from tests.fight_systems import Body, Fighter

ADA, BO = Fighter("Ada", 5, sides=4), Fighter("Bo", 4, sides=6, armor=1)
HUSK, OX = Fighter("Husk", 4, sides=4), Fighter("Ox", 7, sides=3)
ONE, OTHER = (ADA, BO), (HUSK, HUSK, OX)

EVERY = [
    games.slugging, games.simultaneous, games.units, games.healing, games.yielding,
    games.healing_and_yielding, games.twice, games.winding_up, games.hurrying,
    games.steady_order, games.finishing, games.choosing, games.bleeding, games.reviving,
]  # fmt: skip


def battle(
    game: Callable[[], System[Facts]] = games.slugging,
    one: Fighter | tuple[Fighter, ...] = ONE,
    other: Fighter | tuple[Fighter, ...] = OTHER,
    first: First | None = None,
    **more: Any,
) -> tuple[Contest, PlayedBattle]:
    contest = games.contest(game, one, other, first)
    return contest, play_battle(contest, **{"seed": 1, "rounds": 60, **more})


def acting(played: PlayedBattle, number: int = 1) -> list[str]:
    """Who acts when in a round, as far as they did."""
    return [
        f"{entry.actor.side + 1}.{entry.actor.place + 1}"
        for entry in played.exchanges
        if entry.round == number
    ]


# -- what is in a battle -----------------------------------------------------------------------


def test_names_of_which_there_are_several_are_numbered() -> None:
    assert battle()[1].names == (("Ada", "Bo"), ("Husk 1", "Husk 2", "Ox"))
    nameless = Fighter("", 3)
    assert battle(one=nameless, other=nameless)[1].names == (("One",), ("Other",))


def test_an_exchange_is_told_with_everything_that_belongs_to_it() -> None:
    always = Fighter("Ada", 2, sides=1)
    _, played = battle(one=always, other=always, first="other")
    first, second, third = played.exchanges
    assert (first.round, first.actor, first.deed, first.target) == (1, (1, 0), "attack", (0, 0))
    assert first.answers == (Answer((1,), by=("seed",)),)
    assert [line.says for line in first.lines if line.says] == ["A blow for 1."]
    assert first.conditions == ((Body(1),), (Body(2),))
    assert second.actor == (0, 0)
    assert third.round == 2
    assert third.conditions == played.conditions == ((Body(0),), (Body(1),))
    assert (played.verdict, played.rounds) == ("other", 2)


def opening(contest: Contest) -> tuple[Position, FighterId, Deed, FighterId]:
    """The position of the first turn, who acts, what can be done, and to whom."""
    here = begin(contest)
    while isinstance(here.need, Order):
        here = ordered(here, tuple(who for tie in here.need.ties for block in tie for who in block))
    assert isinstance(here.need, Act)
    actor = here.need.actor
    return here, actor, here.need.deeds[0], FighterId(1 - actor.side, 0)


def test_the_log_of_an_exchange_is_told_when_somebody_reads_it() -> None:
    made = []

    def begin() -> Session:
        made.append(1)
        return Session(game)

    game = game_of(*opening(games.contest(games.slugging, HUSK, HUSK)))
    lines = Lines(begin, (Answer((3,), by=("hand",)),))
    assert not made
    told = Session.replay(game, (Answer((3,), by=("hand",)),)).log
    assert (len(lines), lines[0], lines[:1], list(lines)) == (len(told), told[0], told[:1], [*told])
    assert lines == told == lines
    assert lines != told[:-1]
    assert lines != Lines(begin, (Answer((4,), by=("hand",)),))
    assert (hash(lines), repr(lines)) == (hash(told), repr(told))
    assert len(made) == 2, "each is told once"


def test_logs_of_one_exchange_with_the_same_answers_are_equal_untold() -> None:
    contest = games.contest(games.slugging, HUSK, HUSK)
    game = game_of(*opening(contest))
    one, other, another = (
        Lines(partial(begun_exchange, contest, game), (Answer((face,), by=("hand",)),))
        for face in (3, 3, 4)
    )
    assert one == other
    assert "told" not in vars(one)
    assert one != another
    assert one == other, "told or not"
    assert list(one) == list(other)


def test_exchanges_that_begin_alike_are_begun_once_for_the_same_plans() -> None:
    contest = games.contest(games.choosing, HUSK, HUSK)
    game, again = (game_of(*opening(contest)) for _ in range(2))
    assert begun_exchange(contest, game) is begun_exchange(contest, again)
    asked = begun_exchange(contest, game).question
    rolled = begun_exchange(contest, game._replace(narrow=Plan("first"))).question
    assert asked is not None
    assert rolled is not None
    assert (asked.dice is None, rolled.dice is None) == (True, False)


def test_the_same_seed_plays_the_same_battle() -> None:
    assert battle(seed=3)[1] == battle(seed=3)[1]
    assert len({battle(seed=seed)[1] for seed in range(8)}) == 8
    _, played = battle(seed=None)
    assert {by for entry in played.exchanges for a in entry.answers for by in a.by} == {"entropy"}


def test_initiative_and_exchanges_roll_different_dice() -> None:
    """With one row of dice, a good initiative would come with a good first blow."""
    same = 0
    for seed in range(60):
        fighter = Fighter("Ada", 9, sides=2)
        _, played = battle(games.hurrying, fighter, fighter, seed=seed, rounds=1)
        same += played.initiative[0].faces == played.exchanges[0].answers[0].faces
    assert 15 < same < 45


# -- verdicts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "one", "other", "verdict", "rounds"),
    [
        (games.slugging, Fighter("A", 5, sides=1), Fighter("B", 1), "one", 1),
        (games.slugging, Fighter("A", 1, armor=9), Fighter("B", 1, armor=9), "stalled", 60),
        (games.slugging, Fighter("A", 0), Fighter("B", 1), "other", 0),
        (games.slugging, Fighter("A", 0), Fighter("B", 0), "drawn", 0),
        (games.simultaneous, Fighter("A", 1, sides=1), Fighter("B", 1, sides=1), "drawn", 1),
        (games.yielding, Fighter("A", 9, sides=1), Fighter("B", 2, yields=1), "ended", 1),
        (games.bleeding, Fighter("A", 2, sides=1, bleeds=1), Fighter("B", 2, sides=1, bleeds=1),
         "drawn", 1),
    ],
)  # fmt: skip
def test_how_it_ends(
    game: Callable[[], System[Facts]], one: Fighter, other: Fighter, verdict: str, rounds: int
) -> None:
    _, played = battle(game, one, other, "one")
    assert (played.verdict, played.rounds) == (verdict, rounds)


def test_a_side_yields_when_one_says_so_and_nobody_denies_it() -> None:
    def ends(sheet: Fighter, body: Body) -> bool | None:
        return {1: True, 2: None, 3: False}.get(body.hp)

    system = games._system(ends=ends)
    says, silent, denies = (Fighter("A", hp, armor=9) for hp in (1, 2, 3))
    for one, verdict in (
        ((says,), "ended"), ((says, silent), "ended"), ((says, denies), "stalled"),
        ((silent,), "stalled"),
    ):  # fmt: skip
        contest = games.contest(system, one, (silent, silent), "one")
        assert play_battle(contest, seed=1, rounds=2).verdict == verdict


# -- who acts when -------------------------------------------------------------------------------

TOUGH = (
    tuple(Fighter(name, 9, armor=9) for name in "ab"),
    tuple(Fighter(name, 9, armor=9) for name in "xyz"),
)


@pytest.mark.parametrize(
    ("first", "order"),
    [
        ("one", "1.1 1.2 2.1 2.2 2.3"),
        ("other", "2.1 2.2 2.3 1.1 1.2"),
        ("alternate", "1.1 2.1 1.2 2.2 2.3"),
        ("alternate_other", "2.1 1.1 2.2 1.2 2.3"),
        ("seats", "1.1 2.1 1.2 2.2 2.3"),
    ],
)
def test_sides_take_turns(first: First, order: str) -> None:
    _, played = battle(games.slugging, *TOUGH, first, rounds=2)
    assert acting(played, 1) == acting(played, 2) == order.split()


def test_a_coin_is_tossed_once() -> None:
    seen = set()
    for seed in range(12):
        _, played = battle(games.slugging, *TOUGH, "coin", seed=seed, rounds=3)
        assert len(set(played.orders)) == 1
        seen.add(" ".join(acting(played)))
    assert seen == {"1.1 1.2 2.1 2.2 2.3", "2.1 2.2 2.3 1.1 1.2"}


def test_initiative_is_value_and_dice_then_tie_breaker_then_rolled_off() -> None:
    slow, quick, sly = (
        Fighter(name, 9, armor=9, speed=speed, quickness=quickness)
        for name, speed, quickness in (("slow", 1, 0), ("quick", 9, 0), ("sly", 9, 1))
    )
    seen = set()
    for seed in range(12):
        _, played = battle(games.steady_order, (slow, slow), (quick, sly), seed=seed, rounds=3)
        assert len({tuple(acting(played, number)) for number in (1, 2, 3)}) == 1
        seen.add(" ".join(acting(played)))
    assert seen == {"2.2 2.1 1.1 1.2", "2.2 2.1 1.2 1.1"}


def test_dice_of_initiative_are_rolled_once_and_wounds_slow_down() -> None:
    one, other = Fighter("A", 9, sides=1, speed=4), Fighter("B", 9, sides=1, speed=4)
    for seed in range(6):
        _, played = battle(games.hurrying, one, other, seed=seed)
        assert len(played.initiative) == 2
        mine, theirs = (answer.faces[0] for answer in played.initiative)
        if mine != theirs:
            first = {order[0].side for order in played.orders}
            assert first == {0 if cast("int", mine) > cast("int", theirs) else 1}


def test_two_exchanges_a_turn_and_one_beginning() -> None:
    _, played = battle(games.winding_up, Fighter("A", 6, sides=1), Fighter("B", 6, sides=1), "one")
    assert acting(played) == ["1.1", "1.1", "2.1", "2.1"]
    hp = [entry.conditions[1][0] for entry in played.exchanges[:2]]
    assert hp == [Body(5), Body(5)]


# -- who is attacked -----------------------------------------------------------------------------

STRONG, WEAK, MIDDLE = (Fighter(name, hp, armor=9) for name, hp in (("S", 8), ("W", 3), ("M", 6)))


def struck(targeting: Targeting, seed: int = 1, turns: int = 3) -> list[int]:
    """Who is attacked by one fighter: those of 8, 3 or 6 points."""
    actor = Fighter("A", 5, armor=9)
    contest = games.contest(games.slugging, actor, (STRONG, WEAK, MIDDLE), "one")
    played = play_battle(contest, seed=seed, rounds=turns, targeting=(targeting, "weakest"))
    return [entry.target.place for entry in played.exchanges if entry.actor.side == 0]


def test_targets_by_name() -> None:
    assert struck("weakest") == [1, 1, 1]
    assert struck("strongest") == [0, 0, 0]
    assert struck("in_order") == [0, 0, 0]
    assert set(struck("random", turns=40)) == {0, 1, 2}
    assert struck("random", 1, turns=9) != struck("random", 2, turns=9)
    assert struck("nearest_out") == [0, 0, 0]


def test_attacks_are_spread_within_a_round() -> None:
    """The weakest first among those attacked as often; a new round counts afresh."""
    actors = (Fighter("A", 5, armor=9),) * 4
    contest = games.contest(games.slugging, actors, (STRONG, WEAK, MIDDLE), "one")
    played = play_battle(contest, seed=1, rounds=2, targeting=("spread", "weakest"))
    by_one = [entry.target.place for entry in played.exchanges if entry.actor.side == 0]
    assert by_one == [1, 2, 0, 1] * 2


def test_nearest_out_looks_at_the_share_that_is_left() -> None:
    """One of two points is nearer to the end than one of one."""
    blow = Fighter("A", 9, sides=1)
    contest = games.contest(games.slugging, (blow, blow), (Fighter("S", 2), Fighter("W", 1)), "one")
    played = play_battle(contest, seed=1, targeting=("nearest_out", "weakest"))
    assert [entry.target.place for entry in played.exchanges[:2]] == [0, 0]


def test_nobody_who_is_out_is_attacked_nor_acts() -> None:
    for seed in range(20):
        _, played = battle(seed=seed, first="coin")
        before = ((Body(5), Body(4)), (Body(4), Body(4), Body(7)))
        for entry in played.exchanges:
            for who in (entry.actor, entry.target):
                assert before[who.side][who.place].hp > 0
            before = cast("Any", entry.conditions)


def test_a_rule_may_say_whom() -> None:
    seen: list[View] = []

    def last(view: View) -> int:
        seen.append(view)
        return view.foes[-1].place

    assert struck(last) == [2, 2, 2]
    assert seen[0].actor == 0
    assert seen[0].foes[1] == Foe(1, "W", WEAK, Body(3), 3)
    with pytest.raises(AnswerError, match="names place 7 for fighter 0"):
        struck(lambda view: 7)


def test_an_unknown_targeting_is_refused() -> None:
    with pytest.raises(SetupError, match="targeting"):
        struck("weekest")
    for name in TARGETINGS:
        assert struck(name)


def test_a_fallen_friend_comes_first() -> None:
    """Ada strikes Husk 1 down; Husk 2 gets them up again before anything else."""
    ada, husk = Fighter("Ada", 9, sides=1, dice=4, armor=9), Fighter("Husk", 4, sides=1, dice=2)
    contest = games.contest(games.reviving, ada, (husk, husk), "one")
    played = play_battle(contest, seed=1, rounds=1)
    deeds = [(entry.deed, entry.actor, entry.target) for entry in played.exchanges]
    assert deeds == [
        ("attack", (0, 0), (1, 0)),
        ("second wind", (1, 1), (1, 0)),
    ]
    assert played.exchanges[-1].conditions[1][0] == Body(2)


# -- who decides ---------------------------------------------------------------------------------


def test_open_choices_are_decided_for_the_best() -> None:
    """Against nine points all or nothing is best, against two a blow."""
    one, other = Fighter("A", 2, sides=3), Fighter("B", 9, sides=3)
    _, played = battle(games.choosing, one, other, "one")
    assert played.exchanges[0].answers[0] == Answer(option="wild", by=("policy",))
    assert played.exchanges[1].answers[0] == Answer(option="steady", by=("policy",))


def test_plans_decide_before() -> None:
    contest = games.contest(games.choosing, ADA, HUSK, "one", Plan("first"))
    played = play_battle(contest, seed=1)
    assert all(len(entry.answers) == 1 for entry in played.exchanges)
    assert played.exchanges[0].lines[0].option == "steady"
    assert replay(contest, played) == played


def test_a_source_is_asked_first() -> None:
    def person(session: Session, question: Question) -> Answer | None:
        if question.dice is None:
            return Answer(option="steady", by=("hand",))
        return Answer((1,), by=("hand",)) if question.actor == "attacker" else None

    contest, played = battle(games.choosing, ADA, OX, "one", source=person)
    answers = {answer for entry in played.exchanges for answer in entry.answers}
    assert answers == {Answer(option="steady", by=("hand",)), Answer((1,), by=("hand",))}
    assert replay(contest, played) == played


def test_a_deed_that_the_rules_refuse_gives_way_to_the_next() -> None:
    """Who can't be revived isn't; the turn is spent on an attack."""
    plain = games.reviving().fight
    assert plain is not None

    def declare(scene: Any) -> Any:
        if scene.deed == games.SECOND_WIND:
            raise SetupError("not today")
        return plain.declare(scene)

    system = games._system(
        declare=declare, effect=plain.effect, apply=plain.apply, deeds=plain.deeds
    )
    ada, husk = Fighter("Ada", 9, sides=1, dice=4, armor=1), Fighter("Husk", 4, sides=1, dice=2)
    contest = games.contest(system, ada, (husk, husk), "one")
    played = play_battle(contest, seed=1, rounds=1)
    assert [entry.deed for entry in played.exchanges] == ["attack", "attack"]
    assert replay(contest, played) == played


# -- replay --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", EVERY)
@pytest.mark.parametrize("targeting", ["random", "weakest"])
def test_a_battle_replays_identically(game: Callable[[], System[Facts]], targeting: str) -> None:
    one = tuple(
        Fighter(name, 4, sides=4, hits=3, heals=1, yields=1, speed=2) for name in ("Ada", "Bo")
    )
    for seed in range(6):
        contest, played = battle(game, one, one[:1], seed=seed, targeting=(targeting, targeting))
        assert replay(contest, played) == played
        saved = json.loads(json.dumps(to_saved(played)))
        assert from_saved(saved) == played.record
        assert replay(games.contest(game, one, one[:1]), from_saved(saved)) == played


def kept(first: First = "one") -> tuple[Contest, Record]:
    contest, played = battle(first=first, targeting=("random", "random"))
    assert replay(contest, played.record) == played
    return contest, played.record


def test_wrong_faces_are_refused_with_where_they_stand() -> None:
    contest, record = kept()
    first, *rest = record.exchanges
    wrong = first._replace(answers=(Answer((9,)),))
    with pytest.raises(AnswerError, match=r"round 1, attack of 1\.1: answer 1: roll_blow .* 9 is"):
        replay(contest, record._replace(exchanges=(wrong, *rest)))


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ((), "0 answers are kept; then roll_blow"),
        ((Answer((1,)), Answer((1,))), "answer 2: the exchange is over"),
        ((Answer(option="wild"),), "answer 1"),
    ],
)
def test_answers_missing_or_left_over(answers: tuple[Answer, ...], message: str) -> None:
    contest, record = kept()
    first, *rest = record.exchanges
    with pytest.raises(AnswerError, match=message):
        replay(contest, record._replace(exchanges=(first._replace(answers=answers), *rest)))


def test_an_exchange_missing_or_left_over() -> None:
    contest, record = kept()
    with pytest.raises(AnswerError, match=r"round 1: Ada \(1\.1\) can attack, but the record"):
        replay(contest, record._replace(exchanges=record.exchanges[1:]))
    more = (*record.exchanges, record.exchanges[-1])
    with pytest.raises(AnswerError, match="is kept, but it is not their turn"):
        replay(contest, record._replace(exchanges=more))


def test_a_wrong_target() -> None:
    contest, record = kept()
    first, *rest = record.exchanges
    wrong = first._replace(target=FighterId(0, 1))
    with pytest.raises(AnswerError, match=r"attack of 1\.1 on 1\.2; allowed: 2\.1 2\.2 2\.3"):
        replay(contest, record._replace(exchanges=(wrong, *rest)))


def test_a_wrong_order() -> None:
    contest, record = kept("coin")
    first, *rest = record.orders
    with pytest.raises(AnswerError, match=r"round [12]: turn order .* is not allowed"):
        replay(contest, record._replace(orders=(first[::-1], *rest)))
    with pytest.raises(AnswerError, match="once too often"):
        replay(contest, record._replace(orders=((*first, first[0]), *rest)))
    with pytest.raises(AnswerError, match="orders"):
        replay(contest, record._replace(orders=(*record.orders, first)))
    # the coin is tossed once: the other side can't begin in a later round
    turned = (*first[2:], *first[:2]) if first[0].side == 0 else (*first[3:], *first[:3])
    with pytest.raises(AnswerError, match=r"round [12]: turn order .* is not allowed"):
        replay(contest, record._replace(orders=(first, turned, *rest[1:])))


def test_wrong_dice_of_initiative() -> None:
    contest, played = battle(games.hurrying)
    record = played.record
    for rolls, message in (
        (record.initiative[:-1], "the record has no dice for a fighter"),
        ((*record.initiative, record.initiative[0]), "rolls of initiative are kept"),
        ((Answer((7,)), *record.initiative[1:]), "initiative: 7 is no face"),
    ):
        with pytest.raises(AnswerError, match=message):
            replay(contest, record._replace(initiative=rolls))


# -- saved ---------------------------------------------------------------------------------------


def test_a_saved_battle_has_a_schema_and_a_place_for_the_fight() -> None:
    saved = to_saved(battle()[1])
    assert (saved["schema"], saved["version"]) == ("affray/saved-battle", 1)
    assert saved["fight"] == {}


EXCHANGE = {"round": 1, "deed": "a", "actor": [0, 0], "target": [1, 0], "answers": []}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "affray/saved-game"}, "no saved battle"),
        ({"version": 2}, "version 2; allowed: 1 to 1"),
        ({"version": None}, "version None"),
        ({"orders": None}, "orders: None; must be a list"),
        ({"orders": [[[0]]]}, "order 1: \\[0\\]; must be the number of a side"),
        ({"orders": [3]}, "order 1: 3; must be a list"),
        ({"initiative": [3]}, "initiative: 3; must be a table"),
        ({"version": True}, "version True; allowed: 1 to 1"),
        ({"winner": "me"}, "saved battle: unknown key 'winner'"),
        ({"exchanges": [3]}, "exchange 1: 3; must be a table"),
        ({"exchanges": [{"round": 1, "deed": "attack"}]}, "exchange 1: 'actor' is missing"),
        ({"exchanges": [{**EXCHANGE, "seen": 1}]}, "exchange 1: unknown key 'seen'"),
        ({"exchanges": [{**EXCHANGE, "round": "1"}]}, "exchange 1: round '1'"),
        ({"exchanges": [{**EXCHANGE, "actor": [0, "0"]}]}, "exchange 1, actor"),
        ({"exchanges": [{**EXCHANGE, "answers": None}]}, "exchange 1, answers: None"),
        (
            {"exchanges": [{**EXCHANGE, "answers": [{"faces": 3, "by": ["hand"]}]}]},
            "exchange 1: faces: 3; must be a list",
        ),
        (
            {"exchanges": [{**EXCHANGE, "answers": [{"faces": [3], "by": ["god"]}]}]},
            "exchange 1: by: 'god'; allowed",
        ),
    ],
)  # fmt: skip
def test_what_is_not_whole_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(StoreError, match=message):
        from_saved({**to_saved(battle()[1]), **change})


@pytest.mark.parametrize(
    ("game", "first", "more"),
    [
        (games.guarding, "one", {}),
        (games.guarding, "alternate", {"at_a_time": 2}),
        (games.slugging, "alternate_other", {"yields_at": 1}),
        (games.slugging, "coin", {"idle": True}),
    ],
)
def test_played_battles_agree_with_all_branches(
    game: Callable[[], System[Facts]], first: First, more: dict[str, Any]
) -> None:
    """Mates who step in, turns of several fighters, sides that yield or only answer."""
    one, other = Fighter("Ann", 3, sides=3), Fighter("Ben", 2, sides=2)
    contest = games.contest(game, (one, other, other), (other, one), first, **more)
    exact = counted(contest)
    n = 400
    played = [play_battle(contest, seed=seed) for seed in range(n)]
    won = sum(battle.verdict == "one" for battle in played) / n
    p = exact.won[0]
    assert abs(won - p) <= 5 * sqrt(p * (1 - p) / n) + 1e-12
    assert replay(contest, played[7]) == played[7]
