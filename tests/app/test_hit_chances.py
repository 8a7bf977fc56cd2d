"""The chance to hit beside the options of a turn, against what is worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from affray.app.fight import Fight
from affray.app.hit_chances import hit_chances
from affray.app.rolling import Roll
from affray.app.turns import turn_of
from affray.app.views.hit_chances import HitChancesView
from affray.core.errors import AnswerError
from affray.engine.budget import Budget
from affray.engine.exchange.sources import Seeded

LONG = Budget(seconds=60)


def to_a_deed(fight: Fight) -> Fight:
    """The fight where somebody decides what to do; until then all is as usual."""
    dice = Seeded(1)
    while (question := fight.asked) is not None and question.kind != "deed":
        if question.dice is not None:
            fight = fight.answer(Roll(question.dice).thrown(dice).answer)
        else:
            fight = fight.answer(question.options[0].name)
    return fight


def hits(view: HitChancesView, key: str) -> dict[str, Fraction | None]:
    """The chance to hit with each option of a decision."""
    found = next(one for one in view.decisions if one.key == key)
    return {row.name: row.hits for row in found.options}


def test_a_percentile_target_that_nobody_defends_against() -> None:
    """Interface 50, less 10 at 20 m: 41 of the faces 00 to 99 are no higher than 40."""
    fight = to_a_deed(Fight.begin("eclipse-phase", "turrets"))
    for answer in turn_of(fight, picks={"choose_quick": "none"}).answers:
        fight = fight.answer(answer)
    view = hit_chances(fight, budget=LONG)
    found = hits(view, "choose_defence")
    assert found["none"] == Fraction(41, 100)
    assert found["fray"] is not None
    assert found["fray"] < Fraction(41, 100)
    assert view.is_struck, "the one who is asked is shot at"
    assert view.side == "other"


def test_two_dice_each_of_which_hits_with_half_of_its_faces() -> None:
    fight = Fight.begin("empty-earth", ("bo", "husk")).answer(["Bo"])
    view = hit_chances(fight, budget=LONG)
    assert hits(view, "") == {"attack: Husk": 1 - Fraction(1, 2) ** 2, "pass": None}
    assert view.hits == Fraction(3, 4)
    assert not view.is_struck
    assert view.stopped_by == ""


def test_on_the_map_each_attack_has_the_chance_of_its_own_dice() -> None:
    """The archer's yellow die has Damage on 3 of 6 faces, the grey one 3 without a Shield."""
    fight = Fight.begin("grid-battles", "ford")
    while "comes next" not in (fight.question.ask if fight.question else "comes next"):
        view = hit_chances(fight, budget=LONG)
        assert set(hits(view, view.decisions[0].key).values()) == {None}, "no attack yet"
        assert fight.asked is not None
        fight = fight.answer(fight.asked.options[0].name)
    view = hit_chances(fight, budget=LONG)
    found = hits(view, view.decisions[0].key)
    assert found["archer-on-swordman"] == Fraction(3, 6) * Fraction(3, 6)
    assert found["end"] is None


def test_what_is_picked_in_a_turn_changes_the_rest_of_it() -> None:
    fight = to_a_deed(Fight.begin("eclipse-phase", "w6"))
    plain = hit_chances(fight, budget=LONG)
    aimed = hit_chances(fight, {"choose_called_shot": "disarm"}, LONG)
    attack = "attack: Duellist B"
    lower, higher = hits(aimed, "")[attack], hits(plain, "")[attack]
    assert lower is not None
    assert higher is not None
    assert lower < higher
    assert hits(plain, "choose_called_shot")["disarm"] == lower == aimed.hits
    assert hits(aimed, "choose_called_shot")["none"] == higher == plain.hits


@pytest.mark.parametrize(
    ("system", "name"), [("affinity", "novices"), ("emlia", "irregulars")]
)  # fmt: skip
def test_every_system_that_knows_hits_tells_of_attacks_only(system: str, name: str) -> None:
    view = hit_chances(to_a_deed(Fight.begin(system, name)), budget=LONG)
    found = hits(view, "")
    assert found.pop("pass") is None
    known = [chance for option, chance in found.items() if option.startswith("attack")]
    assert known
    assert all(chance is not None and 0 < chance < 1 for chance in known)


def test_the_chance_to_win_stands_beside_it_if_it_is_asked_for() -> None:
    fight = Fight.begin("empty-earth", ("bo", "husk")).answer(["Bo"])
    assert all(row.wins is None for row in hit_chances(fight, budget=LONG).decisions[0].options)
    attack, _ = hit_chances(fight, budget=LONG, wins=True).decisions[0].options
    assert attack.wins is not None
    assert attack.wins == (1, 1, 1), "it is known exactly: a single Husk can't win"


def test_without_time_it_is_left_open() -> None:
    fight = to_a_deed(Fight.begin("eclipse-phase", "warehouse"))
    view = hit_chances(fight, budget=Budget(seconds=60, places=1))
    assert view.stopped_by == "places"
    assert all(row.hits is None for one in view.decisions for row in one.options)


def test_rolls_and_situations_have_none() -> None:
    with pytest.raises(AnswerError, match="nothing is to be decided"):
        hit_chances(Fight.begin("empty-earth", ("bo", "husk")))
    with pytest.raises(AnswerError, match="your table decides this"):
        hit_chances(Fight.begin("grid-battles", "against-cavalry"))
