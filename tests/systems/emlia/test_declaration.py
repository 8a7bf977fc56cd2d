"""What may be done and what is refused, with the words of the refusal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from affray.core.errors import AnswerError, SetupError
from affray.core.ruling import Rulings
from affray.systems.emlia.declaration import declared
from affray.systems.emlia.state import Status
from affray.systems.emlia.table.placing import Placement, Table

from .factories import (
    Contact,
    Own,
    Row,
    Weapon,
    asked,
    closed,
    dice,
    ends,
    friend,
    game,
    offered,
    other,
    play,
    question,
    setup,
    skill,
    unit,
)


def refused(made: Any, words: str, **rulings: str) -> None:
    with pytest.raises(SetupError, match=words):
        game(made, rulings)


# -- what is on offer ------------------------------------------------------------------------


def test_em60_who_is_engaged_may_get_away() -> None:
    made = setup(unit("A", cc=2), unit("B"), action="open", engaged=True)
    assert offered(asked(game(made))) == ["close combat", "disengage", "distract", "move"]


def test_em25_an_enveloped_ranked_unit_may_break_ranks() -> None:
    ranks = unit("A", cc=2, formation="ranked")
    made = setup(ranks, unit("B"), action="open", contact=Contact(own_fronts=2))
    assert offered(asked(game(made))) == ["close combat", "break ranks"]
    plain = setup(ranks, unit("B"), action="open", contact=Contact(own_fronts=1))
    assert question(asked(game(plain))).ask != "Which action does the unit take?"
    close = setup(unit("A", cc=2), unit("B"), action="open", contact=Contact(own_fronts=2))
    assert question(asked(game(close))).ask != "Which action does the unit take?"


@pytest.mark.parametrize(
    ("formation", "fronts", "words"), [("close", 2, "not in ranks"), ("ranked", 1, "not enveloped")]
)
def test_em25_ranks_are_broken_where_they_are_enveloped(
    formation: str, fronts: int, words: str
) -> None:
    contact = Contact(own_fronts=fronts)
    made = setup(unit("A", formation=formation), unit("B"), action="break_ranks", contact=contact)
    refused(made, words)


def test_em33_supporting_fire_is_on_offer_where_a_friend_is_in_the_setup() -> None:
    archers = unit("A", aim=2, speed=0)
    made = setup(archers, unit("E"), friend(unit("F")), action="open", distance=5)
    assert offered(asked(game(made))) == ["aimed fire", "supporting fire"]
    enemies = setup(archers, unit("E"), other(unit("F")), action="open", distance=5)
    assert "supporting fire" not in [*closed(asked(game(enemies)))]


@pytest.mark.parametrize("friendly", [True, False])
def test_em33_supporting_fire_takes_a_friend_in_the_combat(friendly: bool) -> None:
    more = friend(unit("F"), fights=False) if friendly else other(unit("F"))
    made = setup(unit("A", aim=2), unit("E"), more, action="supporting_fire", distance=5)
    refused(made, r"no friend is in close combat with the target \(EM-33\)")


# -- what is refused -------------------------------------------------------------------------


def test_em30_nobody_shoots_with_nothing() -> None:
    refused(setup(unit("A", cc=2), action="aimed_fire", distance=5),
            r"neither skill nor weapon for it \(EM-30\)")  # fmt: skip
    rain = Own(name="rain", like="volley_fire", default=True)
    refused(setup(unit("A", actions=(rain,)), action="rain", distance=5),
            r"neither skill nor weapon for it \(EM-31\)")  # fmt: skip


def test_em31_an_own_volley_without_default_takes_the_skill() -> None:
    rain = Own(name="rain", like="volley_fire")
    refused(setup(unit("A", actions=(rain,)), action="rain"), r"no Default \(EM-31\)")
    charm = Own(name="charm", like="aimed_fire")
    refused(setup(unit("A", actions=(charm,)), action="charm"), r"no Default \(EM-1\)")


@pytest.mark.parametrize("move", ["normal", "double", "forfeit"])
def test_em35_a_charge_takes_the_move_action(move: str) -> None:
    made = setup(unit("A", cc=2), unit("B"), action="charge", distance=5, move=move)
    refused(made, r"takes the move action too \(EM-35\)")


@pytest.mark.parametrize(("changes", "words"), [({"engaged": True, "distance": 0}, "melee range"),
                                                ({"distance": 0}, "melee range")])  # fmt: skip
def test_em35_nobody_charges_whom_it_touches(changes: dict[str, Any], words: str) -> None:
    refused(setup(unit("A", cc=2), unit("B"), action="charge", **changes), words)


def test_em35_a_unit_in_the_way_of_a_charge_on_a_table() -> None:
    places = (
        Placement(unit="A", x=0, y=0, facing=0),
        Placement(unit="F", x=0, y=4, facing=0),
        Placement(unit="B", side="defender", x=0, y=8, facing=180),
    )
    made = setup(unit("A", 1, cc=2), unit("B", 1), friend(unit("F", 1)), action="charge",
                 table=Table(placements=places))  # fmt: skip
    end = play(game(made))
    ends(end, moved=3, reached=False, own_morale=-1, dice=0)
    refused(replace(made, action="close_combat", move="normal"), r"F is in the way \(EM-32\)")


def test_em44_nobody_left_is_refused() -> None:
    with pytest.raises(SetupError, match="'A' has nobody left to act"):
        declared(setup(), (Status(0), Status(10)), Rulings())


def test_em40_a_weapon_is_one_of_the_units_own() -> None:
    archers = unit("A", aim=2, weapons=(Weapon(name="bow", skill="aimed_fire", longest=9),))
    refused(setup(archers, action="move", weapon="sling"), "no weapon of 'A' is called 'sling'")
    refused(setup(archers, weapon="bow"), r"its weapon 'bow' does not serve it \(EM-40\)")
    refused(setup(4, weapon="bow"), "'A' has none with a name")


# -- focus -----------------------------------------------------------------------------------


def test_em52_friends_in_the_body_are_nobody_to_focus_on() -> None:
    made = setup(unit("A", aim=2), unit("E", formation="open"), friend(unit("F")),
                 action="aimed_fire", distance=5, focus="open")  # fmt: skip
    assert offered(asked(game(made))) == ["none", "E"]


def test_em1b_em52_an_own_action_focuses_on_somebody_who_is_attacked() -> None:
    by = unit("A", cc=2, actions=(Own(name="rush", default=True),))
    aside = other(unit("C"), fights=False)
    for joined in ((), (unit("H", 1),)):
        refused(
            setup(replace(by, joined=joined), unit("B"), aside, action="rush", focus="C"),
            r"focus 'C' is not attacked by 'rush'; allowed: open, none, B \(EM-52\)",
        )


def test_em52_focus_is_on_somebody_who_is_attacked() -> None:
    aside = other(unit("C"), fights=False)
    refused(
        setup(unit("A", cc=2), unit("B"), aside, focus="C"),
        r"focus 'C' is not attacked by 'close_combat'; allowed: open, none, B \(EM-52\)",
    )
    led = unit("B", joined=(unit("H", 1),))
    charging = game(setup(unit("A", cc=2), led, aside, action="charge", distance=5, focus="C"))
    facts: Any = asked(charging).here.facts
    assert (facts.decided.focus, facts.checks[0].difficulty) == (None, 5)
    with pytest.raises(
        AnswerError, match=r"it is gone, or outside the body under attack \(EM-52\)"
    ):
        asked(charging.settle({"choose_focus": ("C",)}))
    assert asked(game(setup(unit("A", cc=2), led, focus="H"))).question is not None


def test_em36_without_a_die_a_disengage_pins_nobody() -> None:
    by = unit("X", 5, cc=0)
    made = setup(by, unit("Y", 5, cc=5), action="distract", engaged=True)
    ends(play(game(made)), pinned=0, net=0, successes=0, ones=0, dice=0)


# -- who attacks -----------------------------------------------------------------------------


BOW = Weapon(name="bow", skill="aimed_fire", short=4, medium=8, longest=30)
LONGBOW = Weapon(name="longbow", skill="aimed_fire", short=5, medium=25, longest=30)


def test_em50_who_joined_takes_part_only_in_what_it_can_do() -> None:
    """Own actions are those of the unit; a volley takes the skill, a shot a weapon."""
    rain = Own(name="rain", like="close_combat", default=True)
    hero = unit("H", 1, cc=3)
    by = unit("A", cc=2, vol=2, aim=2, actions=(rain,), joined=(hero,))
    assert dice(asked(game(setup(by, action="rain")))) == "1d10"  # the unit by default, not H
    for action in ("volley_fire", "aimed_fire"):
        session = asked(game(setup(by, action=action, distance=2)))
        assert session.answer((2, 2)).outcome is not None  # no second check
    assert asked(game(setup(by))).answer((2, 2)).outcome is None  # H strikes with three dice
    archer = unit("H", 1, aim=3, weapons=(BOW,))
    both = unit("A", aim=2, joined=(archer,))
    made = game(setup(both, action="aimed_fire", distance=2))
    assert dice(asked(made, (2, 2))) == "3d10"


def test_em50_who_joined_and_has_no_dice_rolls_none() -> None:
    by = unit("A", cc=2, joined=(unit("H", 1, cc=0),))
    assert asked(game(setup(by))).answer((2, 2)).outcome is not None


def test_em30_em50_a_named_weapon_is_the_units_alone() -> None:
    """At 9 the unit's bow is beyond medium: two more; the longbow of who joined beyond short."""
    archer = unit("H", 1, aim=1, weapons=(LONGBOW,))
    sling = Weapon(name="sling", skill="aimed_fire", short=20, medium=20, longest=20)
    by = unit("A", aim=1, weapons=(sling, BOW), joined=(archer,))
    made = game(setup(by, action="aimed_fire", distance=9, weapon="bow"))
    facts: Any = asked(made).here.facts
    assert [check.difficulty for check in facts.checks] == [8, 7]


def test_em31_em50_a_named_weapon_of_a_volley_is_the_units_alone() -> None:
    """At 9 the bow is beyond medium: four more; the longbow within short: two more."""
    archer = unit("H", 1, vol=1, weapons=(Weapon(name="longbow", skill="volley_fire", short=20,
                                                 medium=25, longest=30),))  # fmt: skip
    bow = Weapon(name="bow", skill="volley_fire", short=4, medium=8, longest=30)
    sling = Weapon(name="sling", skill="volley_fire", short=4, medium=20, longest=30)
    by = unit("A", vol=1, weapons=(sling, bow), joined=(archer,))
    made = game(setup(by, action="volley_fire", distance=9, weapon="bow"))
    facts: Any = asked(made).here.facts
    assert [check.difficulty for check in facts.checks] == [10, 8]


def test_em31_em52_focusing_a_volley_costs_step_13() -> None:
    """B 8 and H 1 at one number; focusing on H adds 1."""
    target = unit("B", 8, joined=(unit("H", 1),))
    archers = unit("A", 9, vol=1)
    for focus, number in (("none", 6), ("H", 7)):
        made = setup(archers, target, action="volley_fire", focus=focus, distance=9)
        facts: Any = asked(game(made)).here.facts
        assert facts.checks[0].difficulty == number


def test_em36_b4_members_roll_and_the_level_is_a_bonus_to_disengage() -> None:
    """Five dice, level 3: difficulty 3; without the other reading three dice at 6."""
    made = setup(unit("X", 5, cc=3), unit("Y", 5, cc=5), action="distract", engaged=True)
    ends(play(game(made, {"dice_from": "members"}), 3, 2, 2, 2, 2), difficulty=3, dice=5, net=1)
    ends(play(game(made), 6, 2, 2), difficulty=6, dice=3, net=1)


def test_em5_b21_half_of_the_best_level_of_all() -> None:
    by = unit("A", skills=(skill("aim", 7), skill("vol", 5)))
    assert dice(asked(game(setup(by), {"default_yes": "half"}))) == "3d10"


@pytest.mark.parametrize("joined", [(), (unit("H", 1, speed=0),)])
def test_em35_em43_the_speed_of_a_charge_is_that_of_the_unit_as_it_is_now(joined: Any) -> None:
    rows = (Row(low=1, high=9, name="lame", speed=0), Row(low=10, name="dent"))
    by = unit("A", cc=2, joined=joined)
    lame = unit("B", cc=2, speed=6, threshold=3, table=rows, came_up=("lame",))
    charging: dict[str, Any] = {"action": "charge", "distance": 5}
    assert dice(asked(game(setup(by, unit("B", speed=0), **charging)))) == "2d10"
    assert dice(asked(game(setup(by, lame, **charging)))) == "2d10"
    refused(setup(unit("A", cc=2, speed=0), unit("B"), **charging), r"its speed is 0 \(EM-35\)")
    lame_one = replace(lame, name="A", joined=joined)
    refused(setup(lame_one, unit("B"), **charging), r"its speed is 0 \(EM-35\)")
