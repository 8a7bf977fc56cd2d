"""An outcome is the next setup: what is marked, left over and came up lies on the sheets."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

import pytest

from affray.app.inputs.setups import examples
from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Scene
from affray.core.ruling import Rulings
from affray.engine.exchange.game import Game
from affray.systems.emlia.aftermath import sheet_keys
from affray.systems.emlia.fight import FIGHT
from affray.systems.emlia.sheet import Troop
from affray.systems.emlia.standing import Ranks
from affray.systems.emlia.state import Exchange, status_of
from tests.scenarios import ended, example, unsettled

from .factories import (
    SYSTEM,
    Contact,
    Row,
    asked,
    at,
    body,
    dice,
    ends,
    friend,
    game,
    hits,
    odds,
    other,
    play,
    setup,
    skill,
    unit,
)

F = Fraction
GUARD = unit("B", 10, skills=(skill("cc", 10, 1),))


# -- marked ----------------------------------------------------------------------------------


def test_em44_eight_of_ten_are_marked_and_five_more_hits_come() -> None:
    """Two are left to be marked; three hits hurt nobody."""
    end = play(game(hits(5, replace(GUARD, marked=8))))
    ends(end, damage=2, casualties=2, marked=10, members_left=0, dead=True, lost=3,
         next_sheets="B: marked = 10")  # fmt: skip


@pytest.mark.parametrize(("marked", "number"), [(0, 4), (4, 4), (10, 4)])
def test_em44_who_is_marked_counts_for_the_odds(marked: int, number: int) -> None:
    """Twenty against ten, two to one, whoever of the ten is marked; against six it would be 2."""
    assert at(setup(unit("A", 20, cc=1), replace(GUARD, marked=marked))) == number
    assert at(setup(unit("A", 20, cc=1), replace(GUARD, members=6, lost=4))) == 2


def test_em44_who_is_marked_attacks_at_full_level() -> None:
    weak = replace(GUARD, name="A", marked=4)
    assert dice(asked(game(setup(weak)))) == "10d10"
    end = play(game(setup(weak, resolution=True)), *(2,) * 10)
    ends(end, own_casualties=0, own_left=6, next_sheets="A: members = 6, lost = 4, marked = 0")


def test_em51_who_is_marked_counts_in_the_groups() -> None:
    """EMV-40 with 16 of the twenty marked: still five full groups, at most 8."""
    assert at(body(unit("P", 4), unit("Q", 20, to_hit=-2, marked=16))) == 8


def test_em53_hits_go_by_those_who_are_not_marked() -> None:
    """A has 5 of 10 left, no longer twice as many as B: A takes one point (2), B one (3)."""
    end = play(game(hits(5, unit("A", 10, hits=2, marked=5), unit("B", 4, hits=3))))
    ends(end, damage_by="A 1, B 1", next_sheets="A: marked = 6; B: marked = 1")
    fresh = play(game(hits(5, unit("A", 10, hits=2), unit("B", 4, hits=3))))
    ends(fresh, damage_by="A 2", markers_by="A 1")


def test_em43_a_table_destroys_those_who_were_marked_but_they_fell_before() -> None:
    ruin = (Row(low=1, name="ruin", destroyed=True),)
    end = play(game(hits(1, unit("B", 8, threshold=1, table=ruin, marked=3))), 5)
    ends(end, casualties=5, members_left=0, next_sheets="B: gone")


def test_em44_the_second_attack_of_a_round_is_that_of_a_fight() -> None:
    """Three dice on two of ten who are not marked: what is marked then, exchange by exchange."""
    foe = unit("B", 10, marked=8, markers=1, hits=2)
    one = setup(unit("A", 10, cc=3), replace(foe, markers=1))
    by_odds = odds(game(one), "marked")
    sides = FIGHT.enter(one.attacker, Rulings()), FIGHT.enter(foe, Rulings())
    scene = Scene(one, ATTACK, *sides, None, Rulings())
    assert FIGHT.enter(foe, Rulings()) == Ranks(10, 8, 1, Rulings())
    start: Any = FIGHT.declare(scene)
    found: dict[object, F] = {}
    for damage, chance in odds(Game(SYSTEM, start), "damage").items():
        after = FIGHT.apply(foe, Ranks(10, 8, 1, Rulings()), FIGHT.effect(_dealt(damage), "target"))
        assert isinstance(after, Ranks)
        found[after.marked] = found.get(after.marked, F(0)) + chance
    assert found == by_odds


def _dealt(points: object) -> Exchange:
    """An outcome in which the target took so many points."""
    start: Any = game(setup(unit("A", 10, cc=3), unit("B", 10, hits=2))).start.facts
    done: Exchange = start._replace(dealt=(0, points))
    return done


# -- damage, markers, points -----------------------------------------------------------------


def test_em41_emv31_emv37_the_next_attack_finds_the_marker() -> None:
    """7 hits at two Hits are 3 points and a marker; one hit more is the fourth point."""
    foe = unit("B", 10, hits=3)
    first = play(game(hits(7, foe, base=1)))
    assert first["next_sheets"] == "B: marked = 3, markers = 1"
    second = play(game(hits(1, replace(foe, marked=3, markers=1), base=1)))
    ends(second, damage=1, markers=0, next_sheets="B: marked = 4, markers = 0")


@pytest.mark.parametrize(("unfelt", "level"), [(0, 6), (2, 8), (4, 10)])
def test_em45_points_of_this_turn_do_not_weaken_a_dragon_yet(unfelt: int, level: int) -> None:
    dragon = unit("D", 1, damage_limit=8, damage=4, unfelt=unfelt, skills=(skill("cc", 10, 1),))
    assert dice(asked(game(setup(dragon, unit("B", 1))))) == f"{level}d10"
    end = play(game(setup(dragon, unit("B", 1), resolution=True)), *(2,) * level)
    assert end["next_sheets"] == ("D: unfelt = 0" if unfelt else "none")


def test_em45_no_more_points_are_unfelt_than_there_are() -> None:
    assert unit("D", 1, damage_limit=8, damage=4, unfelt=4).unfelt == 4
    with pytest.raises(SetupError, match="unfelt 5; allowed: at most its points, 4"):
        unit("D", 1, damage_limit=8, damage=4, unfelt=5)


def test_em44_a_dragon_marked_in_this_turn_fights_as_it_was() -> None:
    """Limit 8: six points felt, then two more took it; it keeps level 4 until it leaves."""
    dragon = unit("D", 1, damage_limit=8, damage=6, skills=(skill("cc", 10, 1),))
    end = play(game(hits(2, dragon)))
    ends(end, casualties=1, next_sheets="D: marked = 1, damage = 0, unfelt = 2")
    marked = replace(dragon, marked=1, damage=0, unfelt=2)
    assert dice(asked(game(setup(marked, unit("B", 1))))) == "4d10"


def test_em45_a_tower_remembers_all_that_it_suffered() -> None:
    """Threshold 5 and 12 points so far: 2 towards the next roll, and all 12 weaken it."""
    rows = (Row(low=1, name="crack"),)
    tower = unit("T", 1, threshold=5, table=rows, skills=(skill("cc", 20, 1),))
    assert dice(asked(game(setup(replace(tower, wear=2), unit("B", 1))))) == "18d10"
    old = replace(tower, wear=2, suffered=12)
    assert dice(asked(game(setup(old, unit("B", 1))))) == "8d10"
    end = play(game(hits(4, old)), 7)
    ends(end, rolls=1, table="crack",
         next_sheets='T: wear = 1, came_up = ["crack"], unfelt = 4, suffered = 16')  # fmt: skip
    assert play(game(hits(1, replace(tower, wear=2))))["next_sheets"] == "T: wear = 3, unfelt = 1"


# -- tables ----------------------------------------------------------------------------------


BREACHED = unit("W", 1, threshold=5, table=(
    Row(low=1, high=4, name="nothing"), Row(low=5, high=7, name="breach", uncovers=True),
    Row(low=8, high=9, name="stuck", speed=0), Row(low=10, name="rubble", destroyed=True),
))  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "number"), [((), 8), (("nothing",), 8), (("breach",), 6), (("rubble",), 6)]
)
def test_em31_em43_a_breached_wall_covers_nobody(rows: tuple[str, ...], number: int) -> None:
    """Partial cover costs 2, as long as what gives it stands; the roof of a volley likewise."""
    wall = other(replace(BREACHED, came_up=rows), fights=False)
    for key, action in (("cover", "aimed_fire"), ("cover", "close_combat"),
                        ("vertical_cover", "volley_fire")):  # fmt: skip
        covered: Any = {key: "partial", "covered_by": "W"}
        by, away = unit("A", cc=1, aim=1, vol=1), 0 if action == "close_combat" else 5
        got = at(setup(by, unit("B", **covered), wall, action=action, distance=away))
        assert got == number
    behind = unit("X", 5, cc=1, cover="partial", covered_by="W")
    end = play(game(setup(behind, unit("Y", 5), wall, action="distract", engaged=True)), 2)
    assert end["difficulty"] == {8: 4, 6: 6}[number]


def test_em43_rows_that_came_up_before_are_not_told_again() -> None:
    stuck = replace(BREACHED, wear=4, came_up=("stuck", "nothing"), unaware=True)
    end = play(game(hits(1, stuck)), 6)
    ends(end, table="breach", rolls=1,
         next_sheets='W: wear = 0, came_up = ["breach", "nothing", "stuck"], unfelt = 1, '
                     'suffered = 5')  # fmt: skip
    with pytest.raises(SetupError, match="its speed is 0"):
        game(setup(replace(BREACHED, came_up=("stuck",)), unit("B"), action="move"))


def test_em43_who_is_destroyed_neither_acts_nor_is_attacked() -> None:
    ruin = replace(BREACHED, came_up=("rubble",))
    with pytest.raises(SetupError, match="'W' has nobody left to act"):
        game(setup(ruin, unit("B")))
    with pytest.raises(SetupError, match="'W' is gone"):
        game(setup(unit("A", cc=1), ruin))


# -- marks of the turn -----------------------------------------------------------------------


def test_em60_moving_at_double_pace_is_kept_until_the_turn_is_over() -> None:
    by = unit("A", 10, cc=1, joined=(unit("H", 1, cc=1),))
    made = setup(by, unit("B"), action="move", move="double")
    ends(play(game(made)), moved=12, left=True,
         next_sheets="A: double_paced = true; H: double_paced = true")  # fmt: skip
    ends(play(game(replace(made, resolution=True))), moved=12, next_sheets="none")
    ends(play(game(replace(made, move="normal"))), moved=6, next_sheets="none")
    ends(play(game(replace(made, move="none"))), moved=6, left=True)
    with pytest.raises(SetupError, match=r"it forfeits its move action \(EM-60\)"):
        game(replace(made, move="forfeit"))


def test_em36_who_disengages_leaves_with_its_move_action() -> None:
    made = setup(unit("X", 5, cc=1), unit("Y", 5, cc=5), action="disengage", engaged=True)
    ends(play(game(made), 6, options=("leave",)), left=True, moved=6, next_sheets="none")
    double = replace(made, move="double")
    ends(play(game(double), 6, options=("leave",)), left=True, moved=12,
         next_sheets="X: double_paced = true")  # fmt: skip
    ends(play(game(replace(made, move="forfeit")), 6), left=False, moved=0)


def test_em36_b22_exposure_ends_with_the_next_activation() -> None:
    by = unit("X", 5, cc=1, exposed=2)
    made = setup(by, unit("Y", 5, cc=5))
    lasting = {"fumble_bonus_duration": "activation"}
    ends(play(game(made), 2), exposed=2, next_sheets="none")
    ends(play(game(made, lasting), 2), exposed=0, next_sheets="X: exposed = 0")
    again = replace(made, action="distract", engaged=True)
    ends(play(game(again, lasting), 1), exposed=1, next_sheets="X: exposed = 1")
    ends(play(game(again), 1), exposed=3, next_sheets="X: exposed = 3")


def test_em25_em35_formation_morale_and_a_charge_are_kept() -> None:
    ranks = unit("A", 10, cc=1, formation="ranked", morale=7, speed=3)
    short = setup(ranks, unit("B"), action="charge", distance=9)
    assert play(game(short))["next_sheets"] == "A: morale = 6"
    there = setup(replace(ranks, speed=6), unit("B"), action="charge", distance=9)
    assert play(game(there), 2)["next_sheets"] == "A: charged = true"
    led = setup(unit("A", 9, cc=1, joined=(unit("H", 1, cc=1),)), unit("B"), action="charge",
                distance=9)  # fmt: skip
    assert play(game(led), 5, 5)["next_sheets"] == (
        "A: charged = true; H: charged = true; B: marked = 2"
    )
    broken = setup(ranks, unit("B"), action="break_ranks", contact=Contact(own_fronts=2))
    assert play(game(broken))["next_sheets"] == 'A: formation = "close"'


def test_em33_friends_who_are_hit_are_on_their_sheets() -> None:
    made = setup(unit("A", aim=2), unit("E", formation="ranked"), friend(unit("F", hits=2)),
                 action="supporting_fire", distance=5)  # fmt: skip
    assert play(game(made), 1, 1)["next_sheets"] == "F: marked = 1"
    assert play(game(made), 1, 2)["next_sheets"] == "F: markers = 1"


# -- every outcome is a setup ----------------------------------------------------------------


PLAYED = [
    name
    for name, table in examples(SYSTEM).items()
    if "refused" not in cast("dict[str, object]", table.get("expect", {}))
]


@pytest.mark.parametrize("name", PLAYED)
def test_em44_a_sheet_with_these_keys_is_the_troop_as_it_is(name: str) -> None:
    """Whatever happened, the sheets that come of it stand as the outcome does."""
    start = example(SYSTEM.id, name).game
    for seed in range(4):
        x: object = ended(unsettled(start), seed).outcome
        assert isinstance(x, Exchange)
        for place, (party, status) in enumerate(zip(x.terms.troops, x.statuses, strict=True)):
            if not status.members or status.destroyed or status.broken:
                continue
            changed: dict[str, Any] = sheet_keys(x, place)
            sheet: Troop = replace(party.troop, **changed)
            assert status_of(sheet, x.rulings) == status._replace(morale=0)
            if party.troop.morale is not None:
                assert sheet.morale == party.troop.morale + status.morale


def test_em45_only_a_single_character_remembers_what_it_suffered() -> None:
    rows = (Row(low=1, name="crack"),)
    crew = unit("T", 2, threshold=5, table=rows)
    assert play(game(hits(1, crew)))["next_sheets"] == "T: wear = 1"
    alone = game(hits(1, replace(crew, members=1)), {"dragon_diminish": "members"})
    assert play(alone)["next_sheets"] == "T: wear = 1"
    assert play(game(hits(1, replace(crew, members=1))))["next_sheets"] == "T: wear = 1, unfelt = 1"


def test_em60_what_is_so_or_not_is_written_as_a_setup_file_has_it() -> None:
    made = setup(unit("A", cc=1, charged=True, aligned=True), unit("B", 10), resolution=True)
    assert play(game(made), 1)["next_sheets"] == "A: charged = false, aligned = false"
    paced = setup(unit("A", cc=1), unit("B", 10), move="double")
    assert play(game(paced), 1)["next_sheets"] == "A: double_paced = true"
