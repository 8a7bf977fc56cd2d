"""Disengage and Distract."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from affray.core.node import Choice
from affray.engine.exchange.best import solve

from .factories import (
    Row,
    Weapon,
    asked,
    dice,
    ends,
    friend,
    game,
    joint,
    objective,
    odds,
    offered,
    other,
    play,
    question,
    setup,
    skill,
    unit,
)

F = Fraction


def escape(own: int = 5, theirs: int = 5, *others: Any, **changes: Any) -> Any:
    by = changes.pop("by", unit("X", own, cc=3, hits=2))
    foe = changes.pop("foe", unit("Y", theirs, skills=(skill("cc", theirs, 1),),
                                  weapons=(Weapon(damage=1),)))  # fmt: skip
    return setup(by, foe, *others,
                 **{"action": "disengage", "engaged": True, "leaves": True, **changes})  # fmt: skip


def test_em36_emv11_charged_outnumbered_and_covered() -> None:
    by = unit("X", 5, cc=1, charged=True, cover="total")
    ends(play(game(escape(by=by, theirs=15, action="distract")), 2), difficulty=10)


def test_em36_emv22_a_fumble_exposes() -> None:
    end = play(game(escape(action="distract")), 1, 1, 5)
    ends(end, fumble=2, exposed=2, pinned=0)
    assert play(game(setup(4, unit("X", 10, exposed=2))), 4, 2, 2, 2)["hits"] == 1  # D4


def test_em36_how_often_a_fumble_exposes() -> None:
    """Three d10: a success at 6 or more cancels a one, and each one that is left exposes by one."""
    made = escape(action="distract")
    ends(play(game(made), 2, 2, 2), difficulty=6)
    one = 3 * F(1, 10) * F(4, 10) ** 2 + 3 * F(1, 10) ** 2 * F(5, 10)
    two, three = 3 * F(1, 10) ** 2 * F(4, 10), F(1, 10) ** 3
    found = odds(game(made), "exposed")
    assert found == {0: 1 - one - two - three, 1: one, 2: two, 3: three}


def test_em36_exposure_ends_with_the_turn_or_stays_for_another() -> None:
    made = escape(action="distract", resolution=True)
    ends(play(game(made), 1, 1, 5), exposed=0)
    ends(play(game(made, {"fumble_bonus_duration": "activation"}), 1, 1, 5), exposed=2)


@pytest.mark.parametrize(("faces", "pinned"), [((6, 2, 2), 2), ((6, 7, 2), 4), ((6, 7, 8), 5)])
def test_em36_a_success_pins_as_many_as_the_source_has(faces: Any, pinned: int) -> None:
    # two against five: outnumbered, and by two to one: +2 to the difficulty
    by = unit("X", 2, cc=3, hits=2, cover="partial")
    end = play(game(escape(by=by, action="distract")), *faces)
    ends(end, difficulty=6, pinned=pinned, left=False)


def test_em36_who_leaves_takes_strikes_of_those_who_are_not_pinned() -> None:
    made = escape(3, 5)
    ends(play(game(made), 7, 2, 2, options=("leave",)), own_casualties=2, left=True)
    ends(play(game(made), 7, 2, 2, options=("stay",)), own_casualties=0, left=False)


def test_em36_the_source_chooses_whom_each_success_pins() -> None:
    made = escape(5, 5, other(unit("Z", 5, cc=2), engages=True))
    session = asked(game(made), (8, 2, 2))  # five against ten: two to one, difficulty 8
    assert offered(session) == ["Y", "Z"]
    assert question(session).about == (("left", 1),)
    assert [option.words for option in question(session).options] == ["5 more pinned"] * 2
    assert offered(session.answer("Z")) == ["leave", "stay"]
    end = play(game(made), 8, 9, 2, options=("Y", "leave"))
    ends(end, own_casualties=0)
    stay = play(game(made), 8, 9, 2, options=("Y", "stay"))
    ends(stay, pinned=10, pinned_by="Y 5, Z 5")


def test_em36_no_more_are_pinned_than_there_are() -> None:
    """Three of five are pinned by the first success, so the second one pins the other two."""
    made = escape(3, 5, other(unit("Z", 5, cc=2), engages=True))
    session = asked(game(made), (10, 10, 2)).answer("Y")
    words = {option.name: option.words for option in question(session).options}
    assert words == {"Y": "2 more pinned", "Z": "3 more pinned"}


def test_em36_enemies_who_are_unaware_need_no_roll() -> None:
    foe = unit("Y", 5, cc=5, unaware=True)
    ends(play(game(escape(foe=foe)), options=("leave",)), net=3, pinned=0, own_casualties=0)


def test_em36_b35_pins_end_with_the_engagement() -> None:
    """Y fights F too: it stays pinned, unless pins end where the unit that pinned it leaves."""
    alone, two = escape(3, 5), escape(3, 5, friend(unit("F", 2)))
    ends(play(game(alone), 7, 2, 2, options=("leave",)), pinned=0, pinned_by="none")
    ends(play(game(two), 7, 2, 2, options=("leave",)), pinned=3, pinned_by="Y 3")
    source = {"pins_end": "source"}
    ends(play(game(two, source), 7, 2, 2, options=("leave",)), pinned=0)
    ends(play(game(two, source), 7, 2, 2, options=("stay",)), pinned=3)


def test_em36_a_failure_pins_nobody() -> None:
    ends(play(game(escape()), 2, 3, 4, options=("stay",)), pinned=0, exposed=0)


def test_em36_characters_who_joined_count_as_members_of_the_source() -> None:
    by = unit("X", 2, cc=3, joined=(unit("H", 1),))
    ends(play(game(escape(by=by, theirs=3, action="distract")), 6, 2, 2), pinned=3)


def test_em36_the_best_policy_pins_who_strikes_hardest() -> None:
    strong = unit("Z", 5, cc=9, weapons=(Weapon(damage=1),))
    by = unit("X", 12, cc=3, hits=3)
    made = game(escape(5, 5, other(strong, engages=True), by=by))
    decide = solve(made, objective("escape")).decide
    here = asked(made, (8, 2, 2)).here
    node = here.step.rule(here.facts)
    assert isinstance(node, Choice)
    assert decide(here, node).name == "Z"


def test_em36_odds_of_pinning_are_those_of_the_check() -> None:
    found = odds(game(escape(action="distract")), "net", wish="pin")
    # three dice at 6: net 1, 2, 3 by hand: 3 (.5)(.4)^2 + 3 (.5)^2 (.1), 3 (.5)^2 (.4), (.5)^3
    assert found[1] == 3 * F(1, 2) * F(4, 25) + 3 * F(1, 4) * F(1, 10)
    assert found[2] == 3 * F(1, 4) * F(2, 5)
    assert found[3] == F(1, 8)
    assert joint(game(escape(action="distract")), "pinned", wish="pin")[(5,)] == 1 - found[0]


def test_em3_dice_are_those_of_the_unit() -> None:
    assert dice(asked(game(escape()))) == "3d10"


def test_em36_who_was_destroyed_need_not_be_unaware() -> None:
    """The only enemy who is left sees nothing: both dice succeed, and pin all of it."""
    ruin = unit("C", 5, cc=3, threshold=2, table=(Row(low=1, name="rubble", destroyed=True),),
                came_up=("rubble",))  # fmt: skip
    made = setup(unit("A", cc=2), unit("B", unaware=True), other(ruin, engages=True),
                 action="distract", engaged=True)  # fmt: skip
    assert play(game(made))["net"] == 2


def test_em60_who_has_spent_the_move_and_has_no_table_stays() -> None:
    assert joint(game(escape(move="spent", leaves=False)), "left", "moved") == {(False, 0): F(1)}
