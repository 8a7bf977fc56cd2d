"""Where a unit goes on a table: ways, what they lead to, and the action that may follow."""

from __future__ import annotations

from typing import Any

import pytest

from affray.core.errors import AnswerError, SetupError
from affray.core.ruling import Rulings
from affray.engine.exchange.session import Session
from affray.systems.emlia.gear import Row, Weapon
from affray.systems.emlia.sequel import after
from affray.systems.emlia.table.placing import Area, Placement, Table
from tests.systems.emlia.factories import at, ends, friend, game, other, setup, skill, unit

SLING = Weapon(skill="aimed_fire", short=4, medium=8, longest=12)
BOG = Area(name="bog", corners=((-9, 2), (9, 2), (9, 4), (-9, 4)), slows=2)


def block(name: str, y: float, facing: float = 0, **more: Any) -> Placement:
    """The attacker's look up the table, the defender's down."""
    told: dict[str, Any] = {"y": y, "facing": facing, "files": 4, **more}
    return Placement(unit=name, side="attacker" if facing == 0 else "defender", **told)


def field(gap: float, *more: Placement, terrain: tuple[Area, ...] = ()) -> Table:
    """A at the origin looks up the table at B, so far off; 4 members each, side by side."""
    places = (block("A", 0), block("B", gap, 180), *more)
    return Table(placements=places, terrain=terrain)


def free(gap: float, *others: Any, action: str = "open", **more: Any) -> Session:
    """A moves 6 and fights or slings; B fights."""
    own = unit("A", 4, speed=6, morale=5, skills=(skill("close_combat", 4), skill("aimed_fire", 4)),
               weapons=(SLING,))  # fmt: skip
    table = more.pop("table", None) or field(gap, **more)
    made = setup(own, unit("B", 4, cc=4), *others, action=action, move="open", table=table)
    return Session(game(made))


def names(session: Session) -> list[str]:
    assert session.question is not None
    return [option.name for option in session.question.options]


# -- which action, and where to ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("gap", "first"),
    [
        (0, "close combat"),  # in contact
        (12, "aimed fire"),  # in range
        (12.5, "move"),  # a charge would go 12
    ],
)
def test_em60_what_can_be_done_from_here_comes_first(gap: float, first: str) -> None:
    assert names(free(gap))[0] == first


def test_em35_em60_a_charge_that_arrives_comes_before_a_move_and_one_in_vain_last() -> None:
    made = setup(unit("A", 4, cc=4, speed=6), unit("B", 4, cc=4), action="open", move="open",
                 table=field(12))  # fmt: skip
    assert names(Session(game(made))) == ["charge", "move", "pass"]
    far = setup(unit("A", 4, cc=4, speed=6), unit("B", 4, cc=4), action="open", move="open",
                table=field(12.5))  # fmt: skip
    session = Session(game(far))
    assert names(session) == ["move", "pass", "charge"]
    ends(outcome(session.answer("charge")), moved=12, reached=False, own_morale=-1)


def outcome(session: Session) -> dict[str, Any]:
    assert session.outcome is not None
    return {field.name: field.of(session.outcome) for field in session.game.system.fields}


def test_em60_a_unit_that_cannot_reach_the_target_yet_may_go_there_first() -> None:
    """Close combat is what it means to do: not from where it stands, 5 away, but after a move."""
    session = free(5, action="close_combat")
    assert names(session) == ["move", "pass"]
    end = session.answer("move").answer("towards B").answer([9, 9, 9, 9])
    ends(outcome(end), reached=True, moved=5, hits=4)
    short = free(13, action="close_combat").answer("move").answer("towards B")
    ends(outcome(short), reached=False, moved=6, hits=0)


def test_em60_a_unit_goes_straight_and_turns_its_front() -> None:
    """Its front edge, 4 wide, is where its eastern edge came to: 2 + 6 east, at half its depth."""
    session = free(12).answer("move").answer("east").answer("pass")
    assert session.outcome is not None
    table = session.outcome.terms.setup.table  # type: ignore[attr-defined]
    own = table.of("A")
    assert (own.x, own.y, own.facing) == (pytest.approx(8), pytest.approx(0), pytest.approx(90))
    ends(outcome(session), moved=6, left=False)


def test_em60_a_move_into_contact_is_followed_by_an_attack() -> None:
    session = free(5).answer("move")
    assert next(o.words for o in session.question.options) == "5 inch, into B"  # type: ignore[union-attr]
    session = session.answer("towards B")
    assert names(session)[0] == "close combat"
    end = session.answer("close combat").answer([9, 9, 9, 9])
    ends(outcome(end), reached=True, moved=5, hits=4)


def test_em30_shooting_without_a_move_forfeits_it_and_after_one_does_not() -> None:
    """In short range: +2 for the forfeited move; after six away, in medium range, -1."""
    still = free(3).answer("aimed fire")
    assert still.question is not None
    ends(outcome(still.answer([9, 9, 9, 9])), difficulty=4)
    moved = free(2).answer("move").answer("away").answer("aimed fire")
    ends(outcome(moved.answer([9, 9, 9, 9])), difficulty=7, moved=6)


def test_em30_running_costs_four() -> None:
    moved = free(12).answer("move").answer("run towards B").answer("close combat")
    ends(outcome(moved.answer([9, 9, 9, 9])), difficulty=8, moved=12)  # -2 for double pace
    shoots = free(16).answer("move").answer("run towards B").answer("aimed fire")
    ends(outcome(shoots.answer([9, 9, 9, 9])), difficulty=10)  # -4


def test_em60_who_stays_forfeits_the_move() -> None:
    session = free(12).answer("move").answer("stay")
    assert session.question is not None
    assert session.question.dice is not None  # neither a move nor a charge is left
    ends(outcome(session.answer([9, 9, 9, 9])), difficulty=6, moved=0)


def test_em60_who_has_moved_neither_charges_nor_moves_again() -> None:
    session = free(14).answer("move").answer("towards B")
    assert names(session) == ["aimed fire", "pass"]
    with pytest.raises(AnswerError, match="not on offer"):
        session.answer("charge")
    spent = setup(unit("A", 4, cc=4, speed=6), unit("B", 4), action="charge", move="spent",
                  distance=5)  # fmt: skip
    with pytest.raises(SetupError, match="takes the move action"):
        at(spent)


def test_em66_ground_slows_a_move() -> None:
    """2 free, then the bog counts double: 2 more of 6 until the front is out, its rear still in."""
    words = [o.words for o in free(20, terrain=(BOG,)).answer("move").question.options]  # type: ignore[union-attr]
    assert words[0] == "4 inch"


def test_em60_a_friend_in_the_way_stops_a_move() -> None:
    mate = friend(unit("C", 4))
    table = field(20, block("C", 5))
    session = free(20, mate, table=table).answer("move")
    options = {o.name: o.words for o in session.question.options}  # type: ignore[union-attr]
    assert options["towards B"] == "4 inch, into C"
    assert options["north"] == "4 inch, into C"


# -- leaving -----------------------------------------------------------------------------------


def test_em11_em12_enemies_that_are_left_strike_first() -> None:
    """B's 4 dice are 4 hits, each a casualty: of six members two go on."""
    own = unit("A", 6, speed=6, skills=(skill("close_combat", 4),))
    table = Table(placements=(block("A", 0, files=6), block("B", 0, 180)))
    session = Session(game(setup(own, unit("B", 4, cc=4), action="open", move="open", table=table)))
    session = session.answer("move")
    words = {o.name: o.words for o in session.question.options}  # type: ignore[union-attr]
    assert words["away"] == "6 inch; 4 hits first"
    session = session.answer("away")
    ends(outcome(session), own_left=2, left=True, moved=6)


def test_em11_b20_an_enemy_that_is_left_strikes_though_the_move_has_another_aim() -> None:
    """A touches C, and B, its target, is far away. C's 4 dice are 4 hits: two of six go on."""
    own = unit("A", 6, speed=2, skills=(skill("close_combat", 4),))
    table = Table(placements=(block("A", 0, files=6), block("B", 30, 180), block("C", 0, 180)))
    made = setup(own, unit("B", 4, cc=4), other(unit("C", 4, cc=4)), action="open", move="open",
                 table=table)  # fmt: skip
    session = Session(game(made, {"free_strike_timing": "leaving"})).answer("move")
    words = {o.name: o.words for o in session.question.options}  # type: ignore[union-attr]
    assert words["south"] == "2 inch; 4 hits first"
    ends(outcome(session.answer("south")), own_left=2, moved=2)


def test_em11_em43_nobody_strikes_at_a_unit_that_was_destroyed_a_moment_ago() -> None:
    """B's four hits are a roll on A's table, and any roll destroys A: C has nobody to strike."""
    dead = Row(low=1, high=10, name="wreck", destroyed=True)
    own = unit("A", 1, speed=6, threshold=4, table=(dead,))
    foe = Placement(unit="C", side="defender", y=-1, files=4)
    table = Table(placements=(block("A", 0, files=1), block("B", 0, 180), foe))
    made = setup(own, unit("B", 4, cc=4), other(unit("C", 4, cc=4)), action="open", move="open",
                 table=table)  # fmt: skip
    end = Session(game(made)).answer("move").answer("east").answer([10])
    ends(outcome(end), own_left=0, moved=0)
    assert [line.says for line in end.log if "strikes" in line.says] == [
        "B strikes: 4 hits (EM-12)."
    ]


def test_em11_a_unit_of_which_nobody_is_left_stays() -> None:
    end = free(0).answer("move").answer("away")
    ends(outcome(end), own_left=0, left=False, moved=0)


def test_em36_after_a_disengage_its_owner_says_where_the_unit_goes() -> None:
    """Four successes pin all four: no strikes."""
    session = free(0, action="disengage").answer([9, 9, 9, 9])
    session = session.answer("leave")
    assert names(session)[0] == "away"
    end = session.answer("away")
    ends(outcome(end), own_left=4, left=True, moved=6)


def test_em60_b41_a_unit_that_has_moved_may_disengage_and_leave() -> None:
    own = unit("A", 4, speed=6, skills=(skill("close_combat", 4),))
    made = setup(own, unit("B", 4, cc=4), action="disengage", move="spent", table=field(0))
    session = Session(game(made)).answer([9, 9, 9, 9]).answer("leave").answer("away")
    ends(outcome(session), left=True, moved=6)
    kept = Session(game(made, {"disengage_move": "needed"})).answer([9, 9, 9, 9])
    ends(outcome(kept), left=False, moved=0)


def test_em60_the_next_activation_chooses_again() -> None:
    session = free(20)
    start: Any = session.here.facts
    end: Any = session.answer("move").answer("towards B").outcome
    following = after(start.terms.given, [end], Rulings())
    assert following.move == "open"
    assert following.table is not None
    assert following.table.of("A").y == pytest.approx(6)


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [({"move": "open"}, "open without a table"), ({"move": "spent", "leaves": True}, "leaves")],
)
def test_em60_what_a_chosen_move_needs(changes: dict[str, Any], wrong: str) -> None:
    with pytest.raises(SetupError, match=wrong):
        setup(unit("A", 4), unit("B", 4), **changes)
