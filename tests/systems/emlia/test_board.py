"""Fights on a table: activations where units stand, what befalls bystanders, rounds, a hand."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from affray.app.battle import ask_battle
from affray.app.duel import ask_duel
from affray.app.fight import Fight
from affray.app.inputs.fight_changes import FightChanges
from affray.app.inputs.fight_setups import load_raw_fight
from affray.app.registry import system_named
from affray.app.sources import Table as Given
from affray.core.board import Figure
from affray.core.errors import SetupError
from affray.engine.budget import Budget
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import FighterId
from affray.engine.fight.played.computers import Computer
from affray.engine.fight.played.hands import Enter, Leave, SetCondition
from affray.engine.fight.played.play import play_battle
from affray.engine.fight.played.position import Exchange
from affray.engine.fight.played.session import FightSession
from affray.systems.emlia.board import standing_of
from affray.systems.emlia.sequel import after
from affray.systems.emlia.standing import stands
from affray.systems.emlia.state import Status
from affray.systems.emlia.table.placing import Table

WE = {"name": "A", "members": 6, "skills": [{"skill": "close_combat", "level": 6}], "speed": 6}
THEY = {**WE, "name": "B"}
FIRST = FightChanges(policies=("first", "first"))


def raw(*placements: dict[str, Any], one: Any = None, other: Any = None, **more: Any) -> Any:
    """A against B, A first; whoever else is named."""
    return {
        "first": "one", "one": {"fighters": one or [WE]}, "other": {"fighters": other or [THEY]},
        "table": {"placements": list(placements)}, **more,
    }  # fmt: skip


def at(unit: str, y: float, **more: Any) -> dict[str, Any]:
    return {"unit": unit, "y": y, "files": 6, **more}


def down(unit: str, y: float, **more: Any) -> dict[str, Any]:
    return at(unit, y, facing=180, **more)


def contest(fight: Any) -> Contest:
    return load_raw_fight(system_named("emlia"), fight, "a fight", FIRST).contest


def begun(fight: Any) -> FightSession:
    return FightSession(contest(fight).undecided())


def table(session: FightSession) -> Table:
    found = session.position.board
    assert isinstance(found, Table)
    return found


def statuses(session: FightSession) -> list[Status]:
    """How everybody stands."""
    here: Any = session.position
    return [stands(*here.both(who))[0] for who in session.position.course.everybody]


def members(session: FightSession) -> list[tuple[int, int]]:
    """Members and casualties of everybody."""
    return [(status.members, status.marked) for status in statuses(session)]


def answered(session: FightSession, *given: Any) -> FightSession:
    for answer in given:
        session = session.answer(answer)
    return session


# -- activations ----------------------------------------------------------------------------------


def test_em35_em61_a_charge_moves_the_unit_and_casualties_leave_at_the_end_of_the_round() -> None:
    """Twelve away, at double its speed of 6. Six hits take six of B, who still strikes back."""
    session = answered(begun(raw(at("A", 0), down("B", 12))), "attack: B", "charge", [9] * 6)
    assert table(session).of("A").y == pytest.approx(12)
    assert members(session) == [(6, 0), (6, 6)]
    session = answered(session, "attack: A", "close combat", [9, 9, 9, 1, 2, 2])
    assert session.verdict == "one"
    assert members(session)[0] == (4, 0)


def test_em11_em12_strikes_befall_the_unit_that_moves() -> None:
    """B's six dice are six hits: of ten of A four go on, and four are left after the round."""
    ten = {**WE, "members": 10}
    session = begun(raw(at("A", 0, files=10), down("B", 0), one=[ten]))
    session = answered(session, "move", "away")
    assert members(session) == [(10, 6), (6, 0)]
    assert table(session).of("A").y == pytest.approx(-7)  # its front where its rear has come to
    session = session.answer("pass")
    assert members(session)[0] == (4, 0)


def test_em36_a_unit_that_disengages_pins_those_who_would_strike() -> None:
    """A success pins as many of B as A has members."""
    session = answered(begun(raw(at("A", 0), down("B", 0))), "disengage", [9, 2, 2, 2, 2, 2])
    session = answered(session, "leave", "away")
    assert members(session) == [(6, 0), (6, 0)]
    assert table(session).of("A").y == pytest.approx(-7)


def test_em36_pins_last_for_the_next_unit_of_the_round() -> None:
    """A distracts B for C, who leaves untouched; in the next round B may strike again."""
    other = {**WE, "name": "C"}
    fight = raw(at("A", 0), at("C", 2, facing=180), down("B", 0), one=[WE, other])
    session = answered(begun(fight), "disengage", [9, 2, 2, 2, 2, 2], "stay")
    session = answered(session, "move")
    assert session.question is not None
    words = {option.name: option.words for option in session.question.options}
    assert words["away"] == "6 inch"
    session = answered(session, "away", "pass")
    assert statuses(session)[2].pinned == 0


def test_em33_em34_a_shot_at_a_skirmish_befalls_a_friend_in_it() -> None:
    """A and B are one skirmish: C's six hits go to the larger, and to either as they come."""
    loose = {**WE, "formation": "open"}
    sling = {"skill": "aimed_fire", "short": 20, "medium": 20, "longest": 20}
    skills = [{"skill": "aimed_fire", "level": 6}]
    bow = {**WE, "name": "C", "skills": skills, "weapons": [sling]}
    fight = raw(at("A", 0, shape="ring", radius=3), down("B", 3), at("C", -12),
                one=[loose, bow], other=[THEY])  # fmt: skip
    session = answered(
        begun(fight), "attack: B", "pass", "attack: B", "aimed fire", "none", [9] * 6
    )
    assert [marked for _, marked in members(session)] == [3, 0, 3]


def test_em64_close_mates_whom_an_open_unit_engages_are_one_body() -> None:
    """Of six hits B and C, both close and of six, take three each, as they are in one skirmish."""
    loose = {**WE, "formation": "open"}
    other = {**THEY, "name": "C"}
    fight = raw(at("A", 0, shape="ring", radius=3), down("B", 3), at("C", -3),
                one=[loose], other=[THEY, other])  # fmt: skip
    session = answered(begun(fight), "attack: B", "close combat", "none", [9] * 6)
    assert [marked for _, marked in members(session)] == [0, 3, 3]


def test_em10_who_is_left_to_choose_goes_for_those_in_contact() -> None:
    """C is weaker, but B touches A."""
    weak = {**WE, "name": "C", "members": 1}
    fight = raw(at("A", 0), down("B", 0), down("C", 9), other=[THEY, weak])
    battle = play_battle(contest(fight), seed=1, rounds=1)
    assert battle.exchanges[0].target == (1, 0)


def test_em24_a_round_costs_morale_by_where_ranks_are_fought() -> None:
    """B's twelve, in ranks of two, are touched on their right flank: -1; without casualties."""
    ranks = {**THEY, "members": 12, "formation": "ranked", "morale": 5}
    fight = raw({"unit": "A", "x": 1, "y": 2, "facing": 270, "files": 6},
                {"unit": "B", "facing": 0, "files": 2, "y": 5}, other=[ranks])  # fmt: skip
    session = answered(begun(fight), "pass", "pass")
    assert statuses(session)[1].morale == -1


def test_em25_a_unit_that_breaks_ranks_stays_in_close_formation() -> None:
    """Fought on two sides, A takes close formation; its next activation begins in it."""
    ranks = {**WE, "members": 12, "formation": "ranked"}
    third = {**THEY, "name": "C"}
    fight = raw({"unit": "A", "files": 6}, down("B", 0),
                {"unit": "C", "x": 3, "y": -1, "facing": 270, "files": 2},
                one=[ranks], other=[THEY, third])  # fmt: skip
    session = answered(begun(fight), "attack: B", "break ranks")
    own: Any = session.conditions[0][0]
    assert own.formation == "close"


def test_em66_ground_slows_a_move_in_a_fight() -> None:
    bog = {"corners": [[-9, 2], [9, 2], [9, 9], [-9, 9]], "slows": 3}
    fight = raw(at("A", 0), down("B", 30))
    fight["table"]["terrain"] = [bog]
    session = answered(begun(fight), "move", "north")
    assert table(session).of("A").y == pytest.approx(2 + 4 / 3)


# -- the same as activation after activation ------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_em60_a_fight_goes_on_as_setups_of_one_activation_after_another(seed: int) -> None:
    """Sheets and table after each activation are those of the setup that `--next` writes."""
    fight = Fight.begin("emlia", "ford-meadow")
    rng, session, compared = Random(seed), fight.session, 0
    while (question := session.question) is not None and session.moment.round < 5:
        before = session.position
        if question.dice is not None:
            session = session.answer([rng.choice(die.faces) for die in question.dice.dice])
        else:
            names = [option.name for option in question.options]
            session = session.answer(rng.choice([n for n in names if n != "pass"] or names))
        for event in session.events:
            if event.kind == "exchange" and event.session is not None:
                compared += _compared(event.session, before, session)
    assert compared >= 12


def _compared(exchange: Any, before: Any, session: FightSession) -> int:
    """Whether the fight holds the sheets and places of the setup after an exchange."""
    if not isinstance(before.need, Exchange) or any(e.kind == "close" for e in session.events):
        return 0
    end, given = exchange.outcome, exchange.game.start.facts.terms.given
    try:
        setup = after(given, [end], end.rulings)
    except SetupError:
        return 0
    here: Any = session.position
    sheets = {unit.name: unit for unit in
              (setup.attacker, setup.defender, *[other.who for other in setup.others])}  # fmt: skip
    for side, names in enumerate(here.names):
        for place, name in enumerate(names):
            if name in sheets:
                figure: Any = _figure(here, side, place)
                standing = standing_of(figure)
                assert standing is not None
                # A sheet says neither where its skills came from nor what is only for people.
                assert replace(standing.unit, source="") == replace(sheets[name], source=""), name
                assert setup.table is not None
                now, wanted = here.board.of(name), setup.table.of(name)
                assert (now.x, now.y, now.facing) == (wanted.x, wanted.y, wanted.facing)
                assert (now.shape, now.around) == (wanted.shape, wanted.around)
    return 1


def _figure(here: Any, side: Any, place: int) -> Any:
    return Figure(
        here.names[side][place],
        side,
        here.contest.sides[side].fighters[place],
        here.conditions[side][place],
    )


# -- what does not fit ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fight", "wrong"),
    [
        (raw(at("A", 0)), "'B' has no place on the table"),
        (raw(at("A", 0), down("B", 9), at("C", 20)), "'C' stands on the table, but does not fight"),
        (raw(at("A", 0), down("B", -0.5)), "'A' and 'B' overlap"),
        (raw(at("A", 0, members=4), down("B", 9)), "with 4 members, and its sheet has 6"),
        (raw(at("A", 0), down("B", 9), one=[WE]) | {"one": {"fighters": [WE], "situation":
             {"distance": 3}}}, "distance in the situation"),
        (raw(at("A", 0), down("B", 9)) | {"other": {"fighters": [THEY], "situation":
             {"move": "forfeit"}}}, "move in the situation"),
    ],
)  # fmt: skip
def test_em10_what_contradicts_the_table_is_refused(fight: Any, wrong: str) -> None:
    with pytest.raises(SetupError, match=wrong):
        contest(fight)


def test_em10_a_path_belongs_to_one_charge() -> None:
    fight = raw(at("A", 0), down("B", 9))
    fight["table"]["path"] = [[0, 0], [0, 9]]
    with pytest.raises(SetupError, match="a table of a fight with a path"):
        contest(fight)


@pytest.mark.parametrize("engine", ["duel", "battle"])
def test_duels_and_battles_say_that_they_know_no_table(engine: str) -> None:
    ask: Any = ask_duel if engine == "duel" else ask_battle
    with pytest.raises(SetupError, match=f"a {engine} knows no table"):
        ask("emlia", Given(raw(at("A", 0), down("B", 9)), "a fight"))


# -- a game master's hand --------------------------------------------------------------------------


def by_hand(session: FightSession, value: object) -> FightSession:
    return session.hand(SetCondition(FighterId(0, 0), "at", value))


@pytest.mark.parametrize("value", ["3, -2, 90", "(3, -2), facing 90", [3, -2, 90]])
def test_em10_a_game_master_puts_a_unit_elsewhere(value: object) -> None:
    session = by_hand(begun(raw(at("A", 0), down("B", 9))), value)
    place = table(session).of("A")
    assert (place.x, place.y, place.facing) == (3, -2, 90)
    assert table(session.undo()).of("A").y == 0


@pytest.mark.parametrize("value", ["", "3", "north", "1, 2, 3, 4", 7, "0, 9.5"])
def test_em10_a_game_master_puts_a_unit_where_there_is_room(value: object) -> None:
    with pytest.raises(SetupError, match="allowed"):
        by_hand(begun(raw(at("A", 0), down("B", 9))), value)


def test_em10_who_comes_in_gets_a_place_by_hand() -> None:
    """Until then there is nothing that it can do."""
    session = begun(raw(at("A", 0), down("B", 9)))
    sheet = replace(session.position.contest.sides[0].fighters[0], name="C")  # type: ignore[type-var]
    session = session.hand(Enter(0, sheet)).answer("pass").answer("pass")
    assert session.position.name(FighterId(0, 1)) == "C"
    session = session.answer("pass")
    assert session.moment.actor == (1, 0)  # C's turn has passed
    session = session.hand(SetCondition(FighterId(0, 1), "at", "20, 0")).answer("pass")
    assert table(session).of("C").x == 20
    session = session.answer("pass")
    assert session.question is not None
    assert session.question.fighter == (0, 1)


@pytest.mark.parametrize(("members", "files"), [(1, 1), (7, 7), (10, 10), (24, 10)])
def test_em10_who_gets_a_place_by_hand_stands_at_most_ten_abreast(members: int, files: int) -> None:
    session = begun(raw(at("A", 0), down("B", 9)))
    first: Any = session.position.contest.sides[0].fighters[0]
    session = session.hand(Enter(0, replace(first, name="C", members=members)))
    session = session.hand(SetCondition(FighterId(0, 1), "at", "20, 0"))
    assert table(session).of("C").files == files


def test_em10_who_is_taken_out_stands_in_nobodys_way() -> None:
    other = {**THEY, "name": "C"}
    session = begun(raw(at("A", 0), down("C", 4), down("B", 9), other=[THEY, other]))
    session = session.hand(Leave(FighterId(1, 1)))
    session = answered(session, "attack: B", "charge", [9] * 6)
    assert table(session).of("A").y == pytest.approx(9)


# -- computers -----------------------------------------------------------------------------------


def test_a_computer_goes_for_a_near_enemy_rather_than_a_weak_one_far_away() -> None:
    """B of six stands 6 away, W of one 30: the weakest is W, and A goes for B."""
    weak = {**WE, "name": "W", "members": 1}
    there = (at("A", 0), down("B", 6), down("W", 30, x=0, files=1))
    session = begun(raw(*there, other=[weak, THEY]))
    answer = Computer(contest(raw(*there, other=[weak, THEY])))(session)
    assert answer is not None
    assert answer.option == "attack: B"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_search_never_leaves_an_engaged_enemy_for_one_far_away(seed: int) -> None:
    """A touches B, and W of one stands 30 away: to go for W would cost the turn or Free Strikes."""
    weak = {**WE, "name": "W", "members": 1}
    there = (at("A", 0), down("B", 0.001), down("W", 30, files=1))
    fight = Fight.begin("emlia", Given(raw(*there, other=[weak, THEY]), "engaged"))
    assert fight.asked is not None
    assert "attack: W" in [option.name for option in fight.asked.options]
    assert fight.decides("", Budget(places=100, battles=8), seed=seed).option != "attack: W"
