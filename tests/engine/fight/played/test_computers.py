"""A computer at the decisions of a fight, and battles told again with its plans."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from affray.core.errors import AnswerError, UnknownNameError
from affray.core.node import Facts
from affray.core.system import System
from affray.engine.exchange.session import Answer
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import First
from affray.engine.fight.plans import DECIDE_ALL, Plan
from affray.engine.fight.played.computers import Computer
from affray.engine.fight.played.play import play_battle
from affray.engine.fight.played.retold import retold
from affray.engine.fight.played.session import FightSession
from tests import fight_systems as games
from tests.fight_systems import Fighter

STRONG, WEAK = Fighter("S", 8), Fighter("W", 3)


def contest(
    game: Callable[[], System[Facts]] = games.slugging,
    first: First = "one",
    plan: Plan = DECIDE_ALL,
) -> Contest:
    return games.contest(game, (Fighter("A", 9), Fighter("B", 2)), (STRONG, WEAK), first, plan)


def decided(made: Contest, computer: Computer, *given: str | list[int]) -> str:
    """What a computer decides after these answers."""
    session = FightSession(made.undecided())
    for one in given:
        session = session.answer(one)
    answer = computer(session)
    assert answer is not None
    assert answer.by == ("policy",)
    return answer.option


def test_a_computer_does_the_first_deed_to_the_one_that_its_targeting_names() -> None:
    assert decided(contest(), Computer(contest())) == "attack: W"
    strongest = Computer(contest(), ("strongest", "weakest"))
    assert decided(contest(), strongest) == "attack: S"
    assert decided(contest(), strongest, "pass", "pass") == "attack: B"
    with pytest.raises(UnknownNameError, match="luckiest"):
        Computer(contest(), ("luckiest", "weakest"))


def test_chance_chooses_the_same_targets_with_the_same_seed() -> None:
    def picks(seed: int) -> list[str]:
        computer = Computer(contest(), ("random", "random"), seed)
        return [decided(contest(), computer) for _ in range(12)]

    assert picks(1) == picks(1)
    assert set(picks(1)) == {"attack: S", "attack: W"}
    assert picks(1) != picks(2)


def test_a_computer_takes_what_its_plan_leaves_or_what_is_best() -> None:
    """Against nine points all or nothing is best; a plan may leave the first option only."""
    one, other = Fighter("A", 2, sides=3), Fighter("B", 9, sides=3)
    made = games.contest(games.choosing, one, other, "one")
    assert decided(made, Computer(made), "attack: B") == "wild"
    turned = made.changed(first="other")
    assert decided(turned, Computer(turned), "attack: A") == "steady"
    planned = games.contest(games.choosing, one, other, "one", Plan("first"))
    assert decided(planned, Computer(planned), "attack: B") == "steady"


def test_a_computer_leaves_dice_to_others_and_calls_the_first() -> None:
    made = contest(first="alternate")
    assert decided(made, Computer(made)) == "A"
    rolling = FightSession(made).answer("A").answer("attack: S")
    assert Computer(made)(rolling) is None


def test_a_computer_passes_where_every_deed_is_refused_but_waiting() -> None:
    system = games._system(waits=True, deeds=lambda sheet, body: (games.SECOND_WIND,))
    made = games.contest(system, (STRONG, WEAK), (STRONG,), "one")
    session = FightSession(made)
    # nobody has fallen: there is nothing to do but wait
    assert session.question is not None
    assert [option.name for option in session.question.options] == ["wait", "pass"]
    assert Computer(made)(session) == Answer(option="pass", by=("policy",))


# -- battles told again --------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["one", "coin", "alternate", "seats"])
@pytest.mark.parametrize("game", [games.choosing, games.hurrying, games.reviving, games.twice])
def test_a_battle_is_told_again_as_a_fight(game: Callable[[], System[Facts]], first: First) -> None:
    made = contest(game, first)
    for seed in range(4):
        battle = play_battle(made, seed=seed, rounds=20)
        session = retold(FightSession(made.undecided(), 20), made, battle.record)
        assert (session.verdict, session.moment.round) == (battle.verdict, battle.rounds)
        assert session.conditions == battle.conditions
        exchanges = [event for event in session.log if event.kind == "exchange"]
        assert [event.after for event in exchanges] == [one.conditions for one in battle.exchanges]


def test_what_plans_decided_in_a_battle_is_told_as_an_answer() -> None:
    made = contest(games.choosing, plan=Plan("first"))
    battle = play_battle(made, seed=1, rounds=1)
    assert [len(entry.answers) for entry in battle.exchanges] == [1] * len(battle.exchanges)
    session = retold(FightSession(made.undecided(), 1), made, battle.record)
    assert session.moves[:3] == (
        Answer(option="attack: W", by=("policy",)),
        Answer(option="steady", by=("policy",)),
        battle.exchanges[0].answers[0],
    )


def test_a_record_that_is_not_whole_is_refused() -> None:
    made = contest(games.hurrying, "initiative")
    record = play_battle(made, seed=1, rounds=20).record
    begun = FightSession(made.undecided(), 20)
    with pytest.raises(AnswerError, match="no dice of initiative"):
        retold(begun, made, record._replace(initiative=record.initiative[:-1]))
    cut = record.exchanges[0]._replace(answers=())
    with pytest.raises(AnswerError, match="round 1: the record lacks an answer"):
        retold(begun, made, record._replace(exchanges=(cut, *record.exchanges[1:])))
    more = (*record.exchanges, record.exchanges[-1])
    with pytest.raises(AnswerError, match="attack is kept, but the fight is over then"):
        retold(begun, made, record._replace(exchanges=more))
    renamed = record.exchanges[0]._replace(deed="dance")
    with pytest.raises(AnswerError, match="'dance' is not on offer"):
        retold(begun, made, record._replace(exchanges=(renamed, *record.exchanges[1:])))
