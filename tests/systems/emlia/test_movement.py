"""Engagement: Free Strikes, movement, charges, ranked combat."""

from __future__ import annotations

from dataclasses import replace
from math import cos, radians, sin
from typing import Any

import pytest

from affray.core.errors import AnswerError
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Seeded, drive
from affray.systems.emlia.state import Exchange
from affray.systems.emlia.table.placing import Placement, Table

from .factories import (
    Contact,
    Own,
    Row,
    Weapon,
    asked,
    at,
    dice,
    ends,
    friend,
    game,
    joint,
    offered,
    other,
    play,
    question,
    setup,
    skill,
    unit,
)

SWORD, AXE = Weapon(damage=1), Weapon(damage=2)


def spears(name: str = "R", members: int = 20, **changes: Any) -> Any:
    skills = (skill("cc", members, 1),)
    return unit(name, members, formation="ranked", skills=skills, **changes)


# -- kinds of combat -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other_", "kind"),
    [
        ("open", "open", "skirmish"),
        ("open", "close", "skirmish"),
        ("close", "close", "skirmish"),
        ("open", "ranked", "ranked"),
        ("ranked", "open", "ranked"),
        ("ranked", "ranked", "ranked"),
    ],
)
def test_em15_one_ranked_unit_makes_it_ranked(one: Any, other_: Any, kind: str) -> None:
    """Only in ranked combat those out of contact don't roll."""
    skills = (skill("cc", 10, 1),)
    made = setup(unit("A", 10, skills=skills, formation=one), unit("B", 4, formation=other_),
                 engaged=True, contact=Contact(members=4))  # fmt: skip
    assert dice(asked(game(made))) == ("4d10" if kind == "ranked" else "10d10")


def test_em13_all_enemies_in_a_skirmish_are_one_body() -> None:
    made = setup(unit("A", cc=4), unit("B", 6, formation="open"), other(unit("C", 4)))
    ends(play(game(made), 6, 7, 8, 2), damage_by="B 2, C 1")


def test_em53_b33_all_enemies_that_touch_a_unit_in_ranked_combat_are_one_body() -> None:
    ranked = setup(unit("A", cc=4), unit("B", 6, formation="ranked"), other(unit("C", 4)))
    ends(play(game(ranked), 6, 7, 8, 2), damage_by="B 2, C 1")
    ends(play(game(ranked, {"ranked_body": "one"}), 6, 7, 8, 2), damage_by="B 3")


# -- Free Strikes ----------------------------------------------------------------------------


def walker(*others: Any, **changes: Any) -> Any:
    foe = unit("Y", 8, cc=8, weapons=(SWORD,))
    by = changes.pop("by", unit("X", 20, hits=3))
    return setup(by, changes.pop("foe", foe), *others,
                 **{"action": "move", "engaged": True, "leaves": True, **changes})  # fmt: skip


def test_em12_emv20_every_unit_that_engages_strikes_with_all_dice() -> None:
    made = walker(other(unit("Z", 4, cc=4, weapons=(AXE,)), engages=True))
    end = play(game(made), options=("go",))
    ends(end, own_casualties=8, own_left=12, left=True, moved=6)
    one = play(game(made, {"auto_success": "one"}), options=("go",))
    ends(one, own_casualties=2)  # one hit each; that of Y lies there when Z needs one for a point


def test_em11_staying_is_free() -> None:
    ends(play(game(walker()), options=("stay",)), own_casualties=0, left=False, moved=0)


def test_em11_who_is_not_engaged_just_moves() -> None:
    ends(play(game(walker(engaged=False))), own_casualties=0, left=True)


def test_em12_units_that_do_not_engage_do_not_strike() -> None:
    z = other(unit("Z", 4, cc=4, weapons=(AXE,)), fights=False)
    made = walker(z, friend(unit("F", 4, cc=4)))
    ends(play(game(made), options=("go",)), own_casualties=4)


@pytest.mark.parametrize("end", ["broke", "dent"])
def test_em43_whom_the_table_destroyed_does_not_strike(end: str) -> None:
    """Z would strike with four dice for 8 casualties in all (see above); destroyed, with none."""
    table = (Row(low=1, high=5, name="broke", destroyed=True), Row(low=6, high=10, name="dent"))
    z = unit("Z", 4, cc=4, weapons=(AXE,), threshold=9, table=table, came_up=(end,))
    made = walker(other(z, engages=True))
    ends(play(game(made), options=("go",)), own_casualties=4 if end == "broke" else 8)


@pytest.mark.parametrize(("pinned", "lost"), [(0, 4), (2, 3), (8, 0)])
def test_em36_pinned_members_do_not_strike(pinned: int, lost: int) -> None:
    foe = unit("Y", 8, skills=(skill("cc", 8, 1),), weapons=(SWORD,), pinned=pinned)
    ends(play(game(walker(foe=foe)), options=("go",)), own_casualties=lost)


def test_em11_moving_before_an_attack_draws_strikes_unless_only_leaving_does() -> None:
    made = setup(unit("A", cc=4), unit("B", cc=3), engaged=True, move="normal")
    ends(play(game(made), 6, 6, 6, 6, options=("go",)), own_casualties=3, damage=4, moved=6)
    ends(play(game(made), 6, 6, 6, 6, options=("stay",)), own_casualties=0, damage=4, moved=0)
    leaving = game(made, {"free_strike_timing": "leaving"})
    ends(play(leaving, 6, 6, 6, 6), own_casualties=0, damage=4)


def test_em11_an_attack_of_ones_own_may_follow_a_move_as_well() -> None:
    made = setup(unit("A", skills=(skill("sweep", 4),), actions=(Own(name="sweep"),)),
                 unit("B", cc=3), action="sweep", engaged=True, move="normal")  # fmt: skip
    ends(play(game(made), 6, 6, 6, 6, options=("go",)), own_casualties=3, damage=4, moved=6)
    ends(play(game(made), 6, 6, 6, 6, options=("stay",)), own_casualties=0, damage=4, moved=0)


@pytest.mark.parametrize(("reading", "stays"), [("any_move", 4), ("leaving", 0)])
def test_em11_b20_who_ends_the_engagement_draws_strikes_in_any_case(
    reading: str, stays: int
) -> None:
    rulings = {"free_strike_timing": reading}
    ends(play(game(walker(), rulings), options=("go",)), own_casualties=4, left=True)
    options = ("go",) if stays else ()
    ends(play(game(walker(leaves=False), rulings), options=options), own_casualties=stays)


def test_em11_who_stays_is_not_double_paced() -> None:
    made = setup(unit("A", cc=4), unit("B", cc=3), engaged=True, move="double")
    ends(play(game(made), 6, 6, 6, 6, options=("stay",)), difficulty=6)
    ends(play(game(made), 6, 6, 6, 6, options=("go",)), difficulty=8)


def test_em12_nobody_left_means_no_movement() -> None:
    made = walker(by=unit("X", 2))
    ends(play(game(made), options=("go",)), own_left=0, left=False)


# -- charge ----------------------------------------------------------------------------------


def test_em35_emv25_a_charge_that_falls_short() -> None:
    made = setup(unit("A", cc=4), unit("B"), action="charge", distance=13)
    ends(play(game(made)), moved=12, reached=False, own_morale=-1, damage=0, dice=0)


@pytest.mark.parametrize(("distance", "reached"), [(11.5, True), (12, True), (12.1, False)])
def test_em35_twice_the_speed_is_enough(distance: float, reached: bool) -> None:
    made = setup(unit("A", cc=1), unit("B"), action="charge", distance=distance)
    end = play(game(made), *((6,) if reached else ()))
    ends(end, reached=reached, difficulty=5 if reached else 0)


@pytest.mark.parametrize(("rows", "moved"), [((), 10), (("lame",), 4)])
def test_em35_em43_a_charge_goes_as_fast_as_its_unit_is_now(
    rows: tuple[str, ...], moved: int
) -> None:
    """Twice its own speed, 5, or 2 once its table has lamed it; the target's makes no odds."""
    lame = (Row(low=1, high=9), Row(low=10, name="lame", speed=2))
    by = unit("A", cc=4, speed=5, threshold=9, table=lame, came_up=rows)
    made = setup(by, unit("B", speed=30), action="charge", distance=20)
    ends(play(game(made)), moved=moved, reached=False)
    near = setup(by, unit("B", speed=30), action="charge", distance=moved)
    ends(play(game(near), 2, 2, 2, 2), moved=moved, reached=True)
    ends(play(game(setup(by, unit("B", speed=30), action="move"))), moved=moved / 2)


def test_em35_charging_out_of_contact_draws_free_strikes() -> None:
    made = setup(unit("A", cc=1), unit("B"), other(unit("Z", 3, cc=3), engages=True, fights=False),
                 action="charge", distance=5)  # fmt: skip
    ends(play(game(made), 6, options=("go",)), own_casualties=3, reached=True, hits=1)
    ends(play(game(made), options=("stay",)), own_casualties=0, reached=False, own_morale=0)


# -- aligning, enveloping --------------------------------------------------------------------


def charged(**changes: Any) -> Any:
    by = unit("A", skills=(skill("cc", 10, 1),), speed=10)
    return setup(by, spears("B"), **{
        "action": "charge", "distance": 10, "may_align": True, "align_cost": (0, 2, 4),
        "contact": Contact(side="rear", members=4, theirs=6), "wrap": (3, 2), **changes,
    })  # fmt: skip


def test_em20_who_aligns_turns_its_front() -> None:
    made = game(charged())
    assert offered(asked(made)) == ["stay", "align"]
    ends(play(made, 5, 5, 5, 5, options=("align",)), difficulty=5, dice=4)  # charged +1


def test_em20_em21_aligning_spends_and_enveloping_does_not() -> None:
    """Of equally good options the one that spends less is taken."""
    spends: dict[str, int] = {}
    session = asked(game(charged()))
    for answer in ("stay", "no"):
        spends |= {option.name: option.spends for option in question(session).options}
        session = session.answer(answer)
    assert spends == {"stay": 0, "align": 1, "no": 0, "envelop": 0}


def test_em20_only_the_target_aligns() -> None:
    """Who joined it and units beside it are as they were, all of them still there."""
    made = replace(charged(), defender=spears("B", joined=(unit("H", 1),)),
                   others=(other(unit("Z", 3)), friend(unit("F", 3))))  # fmt: skip
    facts: Any = asked(game(made), "align").here.facts
    assert [status.aligned for status in facts.statuses] == [False, True, False, False, False]
    assert [status.members for status in facts.statuses] == [10, 20, 1, 3, 3]


def test_em20_a_cost_beyond_the_speed_closes_it() -> None:
    made = game(charged(align_cost=(0, 0, 7)))
    with pytest.raises(AnswerError, match="costs 7 of its movement"):
        Session(made.settle({"align": ("align",)}))
    ends(play(made, *(5,) * 9, options=("envelop",)), formation="close", dice=9)


def test_em21_enveloping_brings_members_and_fronts() -> None:
    made = game(charged())
    plain = play(made, 5, 5, 5, 5, options=("stay", "no"))
    ends(plain, dice=4, difficulty=3, formation="close")  # charged +1, rear +2
    wrapped = play(made, *(5,) * 9, options=("stay", "envelop"))
    ends(wrapped, dice=9, difficulty=2)  # two fronts more: +4; 9 against 6: +1; held to 2


@pytest.mark.parametrize(("wrap", "fronts"), [((2,), 1), ((0, 2), 1), ((1, 1), 2)])
def test_em21_only_sides_with_room_are_further_fronts(wrap: tuple[int, ...], fronts: int) -> None:
    """Two members more either way; each further front adds two."""
    met = Contact(side="front", members=4, theirs=6)
    made = charged(may_align=False, wrap=wrap, contact=met)
    made = replace(made, defender=replace(made.defender, to_hit=-4))
    plain = play(game(made), 5, 5, 5, 5, options=("no",))["difficulty"]
    ends(play(game(made), *(5,) * 6, options=("envelop",)), difficulty=plain - 2 * fronts)


@pytest.mark.parametrize(("fighting", "dice"), [(None, (4, 6)), (3, (3, 5))])
def test_em21_those_who_envelop_fight_as_well(fighting: int | None, dice: tuple[int, int]) -> None:
    """Two members more; of the four in contact one may be out of reach."""
    met = Contact(side="front", members=4, theirs=6, fighting=fighting)
    made = charged(may_align=False, wrap=(2,), contact=met)
    for option, number in zip(("no", "envelop"), dice, strict=True):
        ends(play(game(made), *(5,) * number, options=(option,)), dice=number)


def test_em21_without_room_or_ranks_nobody_asks() -> None:
    ends(play(game(charged(may_align=False, wrap=())), 5, 5, 5, 5), dice=4)
    loose = replace(charged(), defender=unit("B", 20))
    ends(play(game(loose), *(5,) * 10), dice=10)


def _meeting(y: float, ranked: str, **changes: Any) -> Any:
    """A ring of 12 above ten files of spears whose front lies at 0; a ring of 12 has two layers."""
    ring, line_ = ("A", "B") if ranked == "defender" else ("B", "A")
    sides: dict[str, Any] = {"A": "attacker", "B": "defender"}
    places = (
        Placement(unit=ring, side=sides[ring], shape="ring", x=0, y=y, radius=3, members=12),
        Placement(unit=line_, side=sides[line_], x=0, y=0, files=10, members=20),
    )
    skirmishers = unit(ring, 12, formation="open", cc=12)
    both = {ring: skirmishers, line_: spears(line_)}
    return setup(both["A"], both["B"], table=Table(placements=places), **changes)


@pytest.mark.parametrize("ranked", ["defender", "attacker"])
def test_em20_em22_skirmishers_align_to_the_ranks_they_touch(ranked: str) -> None:
    """Ten bases fit along the front of ten files: ten of either are in contact."""
    made = _meeting(3.0, ranked)
    session = asked(game(made))
    owner = "attacker" if ranked == "defender" else "defender"
    assert (question(session).actor, offered(session)) == (owner, ["align", "stay"])
    aligned = session.answer("align")
    facts: Any = aligned.here.facts
    assert facts.terms.setup.contact.members == 10
    assert dice(aligned) == ("12d10" if ranked == "defender" else "10d10")
    # A ring touches ranks in one point: here where two files meet.
    stays: Any = session.answer("stay").here.facts
    contact = stays.terms.setup.contact
    found = (contact.members, contact.theirs)
    assert found == ((1, 2) if ranked == "defender" else (2, 1))


def test_em20_em35_skirmishers_who_charge_ranks_align_to_them() -> None:
    made = _meeting(9.0, "defender", action="charge")
    options = ("align", "no")  # it aligns and doesn't envelop them
    end = play(game(made), *[5] * 12, options=options)
    ends(end, in_contact=10, reached=True, moved=6.0)


def test_em22_emv26_reach_is_counted_on_the_table() -> None:
    """Eight spears in six files: six in the front rank, of whom three touch, two behind two files.

    Of the three files that touch from the left, two have somebody in the second rank: 3 + 2.
    """
    places = (
        Placement(unit="A", x=0, y=0, facing=0, files=6, members=8),
        Placement(unit="B", side="defender", x=-1.5, y=0, facing=180, files=3, members=3),
    )
    made = setup(spears("A", 8, reach=1), unit("B", 3), table=Table(placements=places))
    assert dice(asked(game(made))) == "5d10"


@pytest.mark.parametrize(("facing", "x", "y"), [(0, 0, 8.1), (37, 4.87470, 6.46887)])
def test_em30_the_edge_of_a_band_is_inside_it_on_the_table(
    facing: float, x: float, y: float
) -> None:
    """Front to front 8.1 apart, short range 8.1: rounding of the place doesn't move it out."""
    bow = Weapon(name="bow", skill="aimed_fire", short=8.1, medium=16, longest=30)
    turn = radians(facing)
    place = (8.1 * sin(turn), 8.1 * cos(turn))
    assert place == pytest.approx((x, y), abs=1e-4)
    places = (
        Placement(unit="A", x=0, y=0, facing=facing, files=2, members=10),
        Placement(unit="B", side="defender", x=place[0], y=place[1], facing=facing + 180, files=2,
                  members=10),
    )  # fmt: skip
    archers = unit("A", aim=4, weapons=(bow,))
    made = setup(archers, unit("B"), action="aimed_fire", table=Table(placements=places))
    assert at(made) == 6


@pytest.mark.parametrize(("charged", "points"), [(True, 4), (False, 2)])
def test_em35_em40_who_charged_this_turn_strikes_as_in_a_charge(charged: bool, points: int) -> None:
    """Four sure hits at Hits 3, base damage 2 of a lance that charges, else 1."""
    lance = Weapon(name="lance", damage=1, damage_charging=2)
    riders = unit("A", cc=4, charged=charged, weapons=(lance,))
    made = setup(riders, unit("B", hits=3, unaware=True))
    assert joint(game(made), "damage") == {(points,): 1}


def test_em20_the_penalty_ends_with_the_next_activation_of_who_aligned() -> None:
    one, other_ = unit("A", cc=4, aligned=True), unit("B", aligned=True)
    outcome = drive(Session(game(setup(one, other_))), Seeded(1)).outcome
    assert isinstance(outcome, Exchange)
    assert [status.aligned for status in outcome.statuses] == [False, True]


def test_em20_just_aligned_costs_a_die_face_on_every_attack() -> None:
    assert at(setup(unit("A", cc=4, aligned=True), unit("B"))) == 7


@pytest.mark.parametrize(
    ("unit_", "hero", "numbers"),
    [(False, False, [6, 6]), (True, False, [7, 6]), (False, True, [6, 7])],
)
def test_em20_em50_who_joined_has_aligned_or_not_by_itself(
    unit_: bool, hero: bool, numbers: list[int]
) -> None:
    """And for both it ends with this activation."""
    by = unit("A", 9, cc=1, aligned=unit_, joined=(unit("H", 1, cc=1, aligned=hero),))
    made = game(setup(by, unit("B")))
    facts: Any = asked(made).here.facts
    assert [check.difficulty for check in facts.checks] == numbers
    outcome: Any = drive(Session(made), Seeded(1)).outcome
    assert [status.aligned for status in outcome.statuses] == [False] * 3


# -- ranks -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("reach", "n"), [(0, 6), (1, 12), (2, 18), (3, 20)])
def test_em22_emv26_those_in_contact_and_in_reach_fight(reach: int, n: int) -> None:
    made = setup(spears(reach=reach), unit("B", 6), contact=Contact(members=6))
    assert dice(asked(game(made))) == f"{n}d10"


def test_em22_skirmishers_in_contact_with_ranks_count_alike() -> None:
    by = unit("A", 20, formation="open", skills=(skill("cc", 10, "1/2"),))
    made = setup(by, spears("B"), engaged=True, contact=Contact(members=8, theirs=6))
    assert dice(asked(game(made))) == "4d10"
    assert at(made) == 5  # 8 against 6


@pytest.mark.parametrize(
    ("touched", "number"),
    [
        (10, 5),  # 12 against 2 + 10: 6 less 1 for the flank
        (None, 5),  # all of them touch somebody: 12 against 20
        (2, 2),  # 12 against 4, three to one: 4 less, held to 2
    ],
)
def test_em22_b25_whoever_touches_any_enemy_is_in_the_combat(
    touched: int | None, number: int
) -> None:
    """Two of A touch two of the spears' flank, ten friends their front."""
    contact = Contact(side="flank", members=2, theirs=2)
    front = friend(unit("F"), contact=Contact(members=10, theirs=touched))
    made = setup(unit("A", 6), spears("R"), front, engaged=True, contact=contact)
    assert at(made) == number


@pytest.mark.parametrize(
    ("press", "contact", "resolution", "after"),
    [
        (2, Contact(members=6), True, 8),
        (2, Contact(members=6), False, 6),  # only in the Resolution Phase
        (0, Contact(members=6), True, 6),
        (30, Contact(members=6), True, 20),  # nobody else is left
        (2, Contact(members=6, side="flank"), True, 6),  # not head to head
        (2, Contact(members=6, own_side="rear"), True, 6),
        (2, Contact(), True, 20),  # all of them touch the enemy already
    ],
)
def test_em26_ranks_press_forward_head_to_head(
    press: int, contact: Contact, resolution: bool, after: int
) -> None:
    made = setup(
        spears(), unit("B"), engaged=True, contact=contact, press=press, resolution=resolution
    )
    assert joint(game(made), "in_contact") == {(after,): 1}


def test_em26_skirmishers_press_nobody() -> None:
    made = setup(
        unit("A", 20), unit("B"), engaged=True, contact=Contact(members=6), press=2, resolution=True
    )
    assert joint(game(made), "in_contact") == {(6,): 1}


@pytest.mark.parametrize(
    ("own_side", "own_fronts", "number"),
    [("front", 1, 6), ("flank", 1, 7), ("rear", 1, 8), ("front", 2, 8), ("rear", 2, 10)],
)
def test_em23_ranks_strike_worse_at_flank_and_rear(
    own_side: Any, own_fronts: int, number: int
) -> None:
    contact = Contact(own_side=own_side, own_fronts=own_fronts)
    made = setup(spears(members=10), unit("B"), engaged=True, contact=contact)
    assert at(made) == number  # EMV-15 is the last
    if own_side == "rear" and own_fronts == 2:
        assert at(made, {"rank_stack": "worst"}) == 8


@pytest.mark.parametrize(
    ("side", "fronts", "number"),
    [("front", 1, 6), ("flank", 1, 5), ("rear", 1, 4), ("rear", 2, 2), ("front", 3, 2)],
)
def test_em23_ranks_are_easier_to_hit_there(side: Any, fronts: int, number: int) -> None:
    contact = Contact(side=side, fronts=fronts)
    assert at(setup(4, spears("B", 10), engaged=True, contact=contact)) == number  # EMV-16


def test_em23_units_that_are_not_in_ranks_have_no_flank() -> None:
    contact = Contact(own_side="rear", own_fronts=3, side="rear", fronts=3)
    assert at(setup(4, unit("B"), engaged=True, contact=contact, combat="ranked")) == 6


def test_em25_breaking_ranks_takes_close_formation() -> None:
    contact = Contact(own_side="flank", own_fronts=2)
    made = setup(spears(), unit("B"), action="break_ranks", engaged=True, contact=contact)
    ends(play(game(made)), formation="close")


@pytest.mark.parametrize(
    ("side", "fronts", "loss"),
    [("front", 1, 0), ("flank", 1, -1), ("rear", 1, -2), ("flank", 2, -2), ("rear", 4, -5)],
)
def test_em24_emv28_morale_of_a_round(side: Any, fronts: int, loss: int) -> None:
    """Two rounds of front and flank cost twice -2."""
    contact = Contact(own_side=side, own_fronts=fronts)
    made = setup(spears(members=10, morale=9), unit("B"), engaged=True, contact=contact,
                 resolution=True)  # fmt: skip
    ends(play(game(made), *(2,) * 10), own_morale=loss, morale=0)


def test_em24_only_ranks_in_the_ranked_combat_lose_morale() -> None:
    """In a skirmish nobody has a flank; a ranked unit beside the combat is not in it."""
    contact = Contact(own_side="flank", own_fronts=3)
    made = setup(spears(members=10, morale=9), unit("B"), engaged=True, contact=contact,
                 resolution=True, combat="skirmish")  # fmt: skip
    ends(play(game(made), *(2,) * 10), own_morale=0, morale=0)
    for fights, loss in ((True, -2), (False, 0)):
        beside = friend(spears("F", morale=9), fights=fights,
                        contact=Contact(own_side="rear"))  # fmt: skip
        fought = setup(spears(members=10), spears("B", 10), beside, engaged=True, resolution=True)
        outcome = drive(Session(game(fought)), Seeded(1)).outcome
        assert isinstance(outcome, Exchange)
        assert [status.morale for status in outcome.statuses] == [0, 0, loss]


def test_em24_characters_who_joined_have_no_flank() -> None:
    contact = Contact(own_side="flank")
    led = spears(members=10, morale=9, joined=(unit("H", 1, morale=9),))
    made = setup(led, unit("B"), engaged=True, contact=contact, resolution=True)
    outcome = drive(Session(game(made)), Seeded(1)).outcome
    assert isinstance(outcome, Exchange)
    assert [status.morale for status in outcome.statuses] == [-1, 0, 0]


@pytest.mark.parametrize("contact", [Contact(members=2, theirs=2), Contact(fighting=2)])
def test_em22_em50_who_joined_is_always_in_contact(contact: Contact) -> None:
    """Two of the spears fight; all five of those who joined them do."""
    guards = unit("G", 5, skills=(skill("cc", 5, 1),))
    made = setup(spears(members=10, joined=(guards,)), unit("B"), engaged=True, contact=contact)
    facts: Any = asked(game(made)).here.facts
    assert [check.dice for check in facts.checks] == [2, 5]


def test_em32_nobody_is_outnumbered_where_nobody_of_the_enemy_is_in_contact() -> None:
    """Ten spears touch a ranked unit none of whose members reach them."""
    made = setup(spears(members=10), spears("B", 10), engaged=True, contact=Contact(theirs=0))
    assert at(made) == 6
    assert at(replace(made, contact=Contact(theirs=9))) == 5


def test_em33_no_friends_are_outnumbered_where_none_is_in_contact() -> None:
    """Supporting Fire at ranks that the friends do not reach: 2 for it, and nothing else."""
    away = friend(unit("F", 2), contact=Contact(members=0))
    near = friend(unit("F", 2), contact=Contact(members=2))
    for beside, number in ((away, 8), (near, 4)):  # ten against two: 1 + 1 + 2 easier
        made = setup(unit("A", aim=1), spears("B", 10), beside, action="supporting_fire",
                     distance=5)  # fmt: skip
        assert at(made) == number


def test_em22_b25_third_units_count_those_who_touch_the_two_alone() -> None:
    """Friends: six of A, who touch R and Z, and two of F's ten; enemies: four of R and four Z."""
    front = friend(unit("F"), contact=Contact(members=2, theirs=2))
    behind = other(unit("Z", 4), contact=Contact(theirs=5))
    made = setup(unit("A", 6), spears("R", 10), front, behind, engaged=True,
                 contact=Contact(members=2, theirs=2))  # fmt: skip
    assert at(made) == 6
    fewer = replace(made, others=(front, replace(behind, who=unit("Z", 3))))
    assert at(fewer) == 5  # eight against seven


def test_em1b_em13_an_own_shot_is_no_close_combat() -> None:
    """At no distance, but not engaged: the shot falls on B alone; a blow on both of a skirmish."""
    rows: tuple[tuple[Any, int], ...] = (("aimed_fire", 1), ("close_combat", 2))
    for like, number in rows:
        own = Own(name="spit", like=like, default=True)
        made = setup(unit("A", 6, actions=(own,), weapons=(Weapon(skill="spit"),)), unit("B", 3),
                     other(unit("C", 3)), action="spit")  # fmt: skip
        facts: Any = asked(game(made)).here.facts
        assert len(facts.checks[0].body) == number


def test_em15_em50_the_formation_is_that_of_the_unit() -> None:
    """A spearman who joined makes no ranked combat of it: all ten roll, not the four in contact."""
    by = unit("A", skills=(skill("cc", 10, 1),), joined=(unit("H", 1, formation="ranked"),))
    made = setup(by, unit("B"), engaged=True, contact=Contact(members=4))
    assert dice(asked(game(made))) == "10d10"
