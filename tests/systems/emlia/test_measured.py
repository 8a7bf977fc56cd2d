"""From places on a table to the words of a setup; all places are worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.core.ruling import Rulings
from affray.engine.exchange.session import Session
from affray.systems.emlia.gear import Row
from affray.systems.emlia.measured import grounded
from affray.systems.emlia.questions import picture
from affray.systems.emlia.rulings import RULINGS
from affray.systems.emlia.sheet import Contact, Setup
from affray.systems.emlia.table.placing import Placement, Table

from .factories import (
    SYSTEM,
    asked,
    dice,
    ends,
    friend,
    game,
    offered,
    other,
    play,
    played,
    question,
    setup,
    skill,
    unit,
)


def block(name: str, x: float, y: float, files: int, **more: Any) -> Placement:
    """A block of the attacker that looks up the table."""
    return Placement(unit=name, x=x, y=y, files=files, **more)


def foe(name: str, x: float, y: float, files: int, **more: Any) -> Placement:
    """A block of the defender that looks down the table."""
    return block(name, x, y, files, side="defender", facing=180, **more)


def read(made: Setup, **picks: str) -> Setup:
    """A setup with what its table shows."""
    return grounded(made, Rulings.pick(RULINGS, picks))


def test_em10_the_sides_of_setup_and_table_are_the_same() -> None:
    table = Table(placements=(block("A", 0, 0, 1), block("B", 0, 4, 1)))
    with pytest.raises(SetupError, match="'B' stands on the table as one of the attacker"):
        game(setup(unit("A", 1), unit("B", 1), table=table))
    table = Table(placements=(block("A", 0, 0, 1), foe("B", 0, 4, 1), foe("F", 3, 0, 1)))
    with pytest.raises(SetupError, match="'F' stands on the table as one of the defender"):
        game(setup(unit("A", 1), unit("B", 1), friend(unit("F", 1)), table=table))


def test_em10_who_stands_on_the_table_is_in_the_setup() -> None:
    table = Table(placements=(block("A", 0, 0, 1), foe("B", 0, 4, 1), foe("Z", 3, 4, 1)))
    with pytest.raises(SetupError, match="'Z' stands on the table, but is nobody of the setup"):
        game(setup(unit("A", 1), unit("B", 1), table=table))
    with pytest.raises(SetupError, match="Z"):
        game(setup(unit("A", 1), unit("B", 1), other(unit("Z", 1)),
                   table=Table(placements=table.placements[:2])))  # fmt: skip


def test_em22_the_table_has_no_members_of_its_own() -> None:
    table = Table(placements=(block("A", 0, 0, 1, members=4), foe("B", 0, 4, 1)))
    assert read(setup(unit("A", 4), unit("B", 1), table=table)).distance == 4
    with pytest.raises(SetupError, match="with 4 members, and its sheet has 5; allowed: leave it"):
        game(setup(unit("A", 5), unit("B", 1), table=table))
    left_out = Table(placements=(block("A", 0, 0, 2), foe("B", 0, 4, 1, members=2)))
    made = read(setup(unit("A", 5), unit("B", 2), table=left_out))
    assert made.table is not None
    assert [place.members for place in made.table.placements] == [5, 2]
    with pytest.raises(SetupError, match="'B' stands on the table with 2 members, and its sheet"):
        read(setup(unit("A", 5), unit("B", 3), table=left_out))


def test_em10_em22_the_contact_of_third_units() -> None:
    """A (4 files) meets B (4 files) front to front; F touches B's right flank, Z A's left one.

    B stands from (-2, 0) up to y = 2 and looks down: its right is at x = -2. F looks right with its
    front on x = -2 from y = 0 to y = 2: both its files touch B's two ranks. Z is a line of one on
    A's side at x = 2: it looks left and touches the second of A's two ranks.
    """
    table = Table(placements=(
        block("A", 0, 0, 4, members=8), foe("B", 0, 0, 4, members=8),
        block("F", -2, 1, 2, members=2, facing=90),
        Placement(unit="Z", side="defender", x=2, y=-1.5, facing=270, files=1),
        foe("Y", 20, 20, 1),
    ))  # fmt: skip
    made = read(setup(
        unit("A", 8), unit("B", 8), friend(unit("F", 2), fights=False), other(unit("Z", 1)),
        other(unit("Y", 1)), table=table,
    ))  # fmt: skip
    f, z, y = made.others
    assert (made.engaged, made.distance) == (True, 0)
    assert made.contact == Contact(
        side="front", own_side="front", members=4, theirs=4, fighting=4, theirs_fighting=4,
        fronts=2, own_fronts=2,
    )  # fmt: skip
    assert (f.fights, f.engages) == (True, False)
    assert (f.contact.side, f.contact.own_side, f.contact.members, f.contact.theirs) == (
        "flank", "front", 2, 2,
    )  # fmt: skip
    assert (z.fights, z.engages) == (True, True)
    assert (z.contact.side, z.contact.own_side, z.contact.members, z.contact.theirs) == (
        "flank", "front", 1, 1,
    )  # fmt: skip
    assert (y.fights, y.engages, y.contact) == (False, False, Contact())


def test_em22_two_alone_have_one_front_each() -> None:
    table = Table(placements=(block("A", 0, 0, 4, members=4), foe("B", 0, 0, 3, members=3)))
    made = read(setup(unit("A", 4), unit("B", 3), table=table))
    assert made.contact == Contact(
        side="front", own_side="front", members=4, theirs=3, fighting=4, theirs_fighting=3,
        fronts=1, own_fronts=1,
    )  # fmt: skip


def test_em22_a_friend_that_touches_another_enemy_has_that_contact() -> None:
    """F does not touch the target B, but two files of Z."""
    table = Table(placements=(
        block("A", 0, 0, 1), foe("B", 0, 6, 1), block("F", 10, 0, 3, members=3),
        foe("Z", 10, 0, 2, members=2),
    ))  # fmt: skip
    made = read(setup(
        unit("A", 1), unit("B", 1), friend(unit("F", 3)), other(unit("Z", 2)), table=table,
    ))  # fmt: skip
    f, z = made.others
    # Two bases on the middle of three: half of either end one lies along them, so all three touch.
    assert (f.contact.members, f.contact.theirs) == (3, 2)
    assert (f.fights, z.fights, z.engages, z.contact.theirs) == (False, False, False, 3)


def test_em22_an_enemy_that_touches_several_has_the_contact_with_the_attacker() -> None:
    """Z is 8 bases wide, from -3.5 to 4.5; F stands before it from -3 to -1, A from 1 to 4."""
    table = Table(placements=(
        block("F", -2, 0, 2, members=2), block("A", 2.5, 0, 3, members=3), foe("B", 0, 30, 1),
        foe("Z", 0.5, 0, 8, members=8),
    ))  # fmt: skip
    made = read(setup(
        unit("A", 3), unit("B", 1), friend(unit("F", 2)), other(unit("Z", 8)), table=table,
    ))  # fmt: skip
    z = made.others[1]
    assert (z.fights, z.engages, z.contact.members, z.contact.theirs) == (False, True, 4, 3)


def test_em22_a_friend_that_touches_several_has_the_contact_with_the_target() -> None:
    """F is 8 bases wide, from -3.5 to 4.5; Z stands before it from -3 to -1, B from 1 to 4."""
    table = Table(placements=(
        foe("Z", -2, 0, 2, members=2), foe("B", 2.5, 0, 3, members=3), block("A", 0, -30, 1),
        block("F", 0.5, 0, 8, members=8),
    ))  # fmt: skip
    made = read(setup(
        unit("A", 1), unit("B", 3), friend(unit("F", 8)), other(unit("Z", 2)), table=table,
    ))  # fmt: skip
    f = made.others[0]
    assert (f.fights, f.engages, f.contact.members, f.contact.theirs) == (True, False, 4, 3)


def test_em30_elevation_is_that_of_the_ground() -> None:
    """Over the target by 2: +1 to hit."""
    table = Table(placements=(block("A", 0, 0, 1, elevation=2), foe("B", 0, 5, 1)))
    made = setup(unit("A", 1, aim=1), unit("B", 1), action="aimed_fire", table=table)
    ends(play(game(made), 5), difficulty=5, hits=1)


def test_em35_a_charge_on_a_table_that_falls_short() -> None:
    """6 of speed make 12; the enemy is 13 away."""
    table = Table(placements=(block("A", 0, 0, 1), foe("B", 0, 13, 1)))
    made = setup(unit("A", 1, cc=1), unit("B", 1), action="charge", table=table)
    ends(play(game(made)), moved=12, reached=False, own_morale=-1, hits=0, dice=0, in_contact=0)


def test_em20_ranks_that_align_on_a_table_turn_to_who_charged_them() -> None:
    """Two charge the right flank of ranks, 5 away; another enemy stands before the ranks' front."""
    spears = unit("B", 12, formation="ranked", skills=(skill("cc", 12, 1),))
    ranks = Placement(unit="B", side="defender", x=0, y=0, facing=0, files=6, members=12)
    by = Placement(unit="A", x=8, y=-1, facing=270, files=2, members=2)
    before = Placement(unit="F", x=0, y=9, facing=180, files=1, members=1)
    table = Table(placements=(by, ranks, before))
    made = setup(unit("A", 2, cc=1), spears, friend(unit("F", 1)), table=table, action="charge")
    session = asked(game(made))
    assert offered(session) == ["stay", "align"]
    stays, aligned = (_of(session.answer(option), "B") for option in ("stay", "align"))
    assert (stays.x, stays.y, stays.facing) == (0, 0, 0)
    assert (aligned.x, aligned.y) == pytest.approx((3, -1))
    assert aligned.facing == 90


def _of(session: Session, name: str) -> Placement:
    """Where a unit stands now."""
    facts: Any = session.here.facts
    placement: Placement = facts.terms.setup.table.of(name)
    return placement


def test_em20_skirmishers_without_room_fight_as_they_came() -> None:
    """A ring of radius 3 touches spears of ten files in a point; a friend stands on either side.

    In a line its twelve would lie from x = -5 to x = 5 along y = 0; the friends' nearest edges are
    at x = -4 and 4. So the ring stays, and only the one at that point is in contact.
    """
    spears = unit("B", 20, formation="ranked", skills=(skill("cc", 20, 1),))
    ring = Placement(unit="A", shape="ring", x=0, y=3, radius=3, members=12)
    line = block("B", 0, 0, 10, members=20, side="defender")
    beside = (
        Placement(unit="F", x=-4.5, y=0, facing=180), Placement(unit="G", x=4.5, y=0, facing=180),
    )  # fmt: skip
    by = unit("A", 12, formation="open", skills=(skill("cc", 12, 1),))
    crowded = setup(by, spears, friend(unit("F", 1)), friend(unit("G", 1)),
                    table=Table(placements=(ring, line, *beside)))  # fmt: skip
    alone = setup(by, spears, table=Table(placements=(ring, line)))
    assert dice(asked(game(crowded))) == "1d10"
    session = asked(game(alone))
    assert offered(session) == ["align", "stay"]
    assert dice(session.answer("align")) == "10d10"
    assert dice(session.answer("stay")) == "1d10"


def test_em21_without_speed_left_nobody_wraps_round() -> None:
    """Twelve away with 12 to go: all four files of B are met by A's four, and nothing is left.

    With a speed of 7 there are 2 left: room for two bases on each flank, which are 2 long, and A
    has four members behind those in contact.
    """
    for speed, asks in ((6, False), (7, True)):
        table = Table(placements=(block("A", 0, 0, 4, members=8), foe("B", 0, 12, 4, members=8)))
        by = unit("A", 8, speed=speed, skills=(skill("cc", 8, 1),))
        made = game(setup(by, unit("B", 8, formation="ranked"), action="charge", table=table))
        session = asked(made)
        assert ("envelop" in offered(session)) is asks
        if asks:
            words = question(session).options[1].words
            assert words == "close formation, 4 more in contact, 2 more fronts"
            assert dice(session.answer("no")) == "4d10"
            wrapped = session.answer("envelop")
            facts: Any = wrapped.here.facts
            contact = facts.terms.setup.contact
            assert (contact.members, contact.fronts, facts.decided.closed) == (8, 3, True)
            assert dice(wrapped) == "8d10"
        else:
            assert dice(session) == "4d10"


@pytest.mark.parametrize("joined", [(), (unit("H", 1, speed=30),)])
def test_em21_em43_how_far_they_wrap_is_the_speed_of_who_envelops_as_it_is_now(joined: Any) -> None:
    """Twelve away: with a speed of 7 two are left, with 6 none. How fast B is says nothing."""
    table = Table(placements=(block("A", 0, 0, 4, members=8), foe("B", 0, 12, 4, members=8)))
    rows = (Row(low=1, high=5, name="lame", speed=6), Row(low=6, high=10, name="dent", speed=7))
    for came_up, asks in (("lame", False), ("dent", True)):
        by = unit("A", 8, cc=8, speed=9, threshold=3, table=rows, came_up=(came_up,), joined=joined)
        for speed in (1, 40):
            spears = unit("B", 8, formation="ranked", speed=speed)
            session = asked(game(setup(by, spears, action="charge", table=table)))
            assert ("envelop" in offered(session)) is asks, (came_up, speed)


def test_em35_the_picture_after_a_charge_has_it_where_it_got_to() -> None:
    """However fast its target is, or who joined it; falling short it is seen on the way."""

    def seen(away: float, *faces: int, lame: bool = False, **theirs: Any) -> str:
        table = Table(placements=(block("A", 0, 0, 4, members=8), foe("B", 0, away, 4, members=8)))
        by = unit("A", 8, cc=1, speed=6)
        if lame:
            rows = (Row(low=1, name="lame", speed=6),)
            by = unit("A", 8, cc=1, speed=9, threshold=3, table=rows, came_up=("lame",))
        made = setup(by, unit("B", 8, **theirs), action="charge", table=table)
        outcome: Any = played(game(made), *faces).outcome
        return picture(outcome)

    assert seen(10, 1, speed=1) == seen(10, 1, speed=40)
    assert seen(20, speed=1) == seen(20, speed=40)
    assert seen(14) == seen(14, lame=True)
    assert seen(20) != seen(10, 1)


def test_em10_a_table_is_drawn_in_letters_and_as_svg() -> None:
    table = Table(placements=(block("A", 0, 0, 4, members=4), foe("B", 0, 0, 3, members=3)))
    end = played(game(setup(unit("A", 4, cc=1), unit("B", 3), table=table)), 9).outcome
    assert end is not None
    assert SYSTEM.picture is not None
    assert SYSTEM.drawing is not None
    assert {"A", "B"} <= set(SYSTEM.picture(end))
    drawn = SYSTEM.drawing(end)
    assert "<svg" in drawn
    assert drawn.rstrip().endswith("</svg>")


def test_em10_without_a_table_there_is_nothing_to_draw() -> None:
    end = played(game(setup()), 6, 6, 6, 6).outcome
    assert end is not None
    assert SYSTEM.picture is not None
    assert SYSTEM.drawing is not None
    assert (SYSTEM.picture(end), SYSTEM.drawing(end)) == ("", "")
