"""The setup after an activation: marks, pins, formations, units where they stand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.core.ruling import Rulings
from affray.systems.emlia.sequel import after
from affray.systems.emlia.sheet import Contact, Setup, Troop, Unit
from affray.systems.emlia.table.placing import Placement, Table

from .factories import SYSTEM, asked, friend, game, other, setup, skill, unit


def follows(made: Setup, *faces: int, options: tuple[str, ...] = ()) -> Setup:
    """The setup after a played activation."""
    session = asked(game(made))
    answers, left = list(options), list(faces)
    while session.question is not None:
        if session.question.dice is not None:
            size = session.question.dice.size
            session, left = session.answer(tuple(left[:size])), left[size:]
        else:
            session = session.answer(answers.pop(0))
    assert not answers
    assert not left
    outcome: Any = session.outcome
    return after(made, [outcome], Rulings())


def test_em44_marked_casualties_stay_until_the_resolution_phase() -> None:
    """Two of ten are marked; ten dice still roll, and eight after the Resolution Phase."""
    foe = unit("B", 10, skills=(skill("cc", 10, 1),))
    made = follows(setup(unit("A", 10, cc=2), foe), 6, 6)
    assert (made.defender.members, made.defender.marked, made.defender.lost) == (10, 2, 0)
    done = follows(setup(unit("A", 10, cc=2), foe, resolution=True), 6, 6)
    assert (done.defender.members, done.defender.marked, done.defender.lost) == (8, 0, 2)


def test_em35_em10_a_charge_ends_in_contact_or_nearer() -> None:
    there = follows(setup(unit("A", cc=1), unit("B"), action="charge", distance=9), 2)
    assert (there.engaged, there.distance, there.action, there.attacker.charged) == (
        True, 0, "open", True,
    )  # fmt: skip
    short = follows(setup(unit("A", cc=1, morale=5), unit("B"), action="charge", distance=15))
    assert (short.engaged, short.distance, short.attacker.morale) == (False, 3, 4)


def test_em36_who_was_distracted_is_still_pinned_for_the_next_unit() -> None:
    foe = unit("Y", 5, cc=5)
    made = setup(unit("X", 3, cc=1), foe, friend(unit("F", 2)), action="distract", engaged=True)
    later = follows(made, 9)
    assert (later.defender.pinned, later.engaged) == (3, True)


def test_em36_who_has_left_is_as_far_away_as_it_moved() -> None:
    made = setup(unit("X", 20, hits=3), unit("Y", 2, cc=2), action="move", engaged=True,
                 leaves=True)  # fmt: skip
    later = follows(made, options=("go",))
    assert (later.engaged, later.distance, later.leaves) == (False, 6, False)


def test_em21_who_envelops_without_a_table_goes_on_enveloping() -> None:
    ranks = unit("B", 10, formation="ranked")
    touch = Contact(members=3)
    made = setup(unit("A", 10, cc=1), ranks, action="charge", distance=6, wrap=(2, 1),
                 contact=touch)  # fmt: skip
    later = follows(made, 2, options=("stay", "envelop"))
    assert later.contact == Contact(members=6, fronts=3, further=("flank", "flank"))


def test_em21_em22_units_stay_where_they_have_come_to_on_the_table() -> None:
    """Four in front, four in the flanks and rear of two files; then three of them fall."""
    table = Table(placements=(
        Placement(unit="A", x=0, y=6, facing=180, files=4),
        Placement(unit="B", side="defender", x=0, y=0, files=4),
    ))  # fmt: skip
    by, foe = unit("A", 8, cc=1, speed=8), unit("B", 8, formation="ranked")
    made = setup(by, foe, action="charge", table=table)
    later = follows(made, 2, options=("envelop",))
    assert later.table is not None
    stands = later.table.of("A")
    assert (stands.x, stands.y, stands.members, len(stands.around)) == (0, 0, 1, 4)
    assert sorted(stands.around) == [
        (-2, -1.5, 90), (-2, -0.5, 90), (2, -1.5, 270), (2, -0.5, 270),
    ]  # fmt: skip
    here: Any = SYSTEM.declared(later, Rulings()).facts
    contact = here.terms.setup.contact
    # Of B the front rank, and the two at the ends of the rear rank.
    assert (contact.members, contact.fronts, contact.theirs) == (8, 3, 6)
    assert contact.further == ("flank", "flank")


def test_em43_em44_who_is_gone_leaves_the_setup() -> None:
    captain = unit("H", 1, hits=9)
    foe = unit("B", 2, joined=(captain,), unaware=True)
    led = follows(setup(unit("A", 10, cc=2), foe, resolution=True), 6, 6)
    assert (led.defender.name, led.defender.joined) == ("H", ())
    beside = setup(unit("A", 10, cc=2), unit("B", 2, formation="ranked"),
                   other(unit("C", 5, hits=9)), resolution=True)  # fmt: skip
    with pytest.raises(SetupError, match=r"nobody of 'B' is left; nothing follows"):
        follows(setup(unit("A", 10, cc=2), unit("B", 2), resolution=True), 6, 6)
    assert len(follows(beside, 2, 2).others) == 1


def test_em50_who_leads_a_unit_whose_first_have_fallen_has_its_place_on_the_table() -> None:
    """The Guard's one member falls; the Captain stands where it stood."""
    captain = Troop(name="Captain", hits=60)
    guard = Unit(name="Guard", members=1, joined=(captain,), unaware=True)
    places = (
        Placement(unit="A", files=2),
        Placement(unit="Guard", side="defender", facing=180),
    )
    made = replace(
        setup(unit("A", 2, cc=1), guard, resolution=True), focus="Guard",
        table=Table(placements=places),
    )  # fmt: skip
    following = follows(made, 10)
    assert following.defender.name == "Captain"
    assert following.table is not None
    assert following.table.units == ("A", "Captain")
    SYSTEM.declared(following)
