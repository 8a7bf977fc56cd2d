"""Hits become damage, casualties and rolls on tables (EM-40 to EM-43, EM-53 to EM-56)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from affray.core.dice import Pool, d
from affray.core.errors import UnknownNameError
from affray.core.node import Chance, Choice, Go, Option
from affray.core.reading import distribution, enumerated
from affray.core.ruling import Rulings
from affray.systems.emlia import harm, strength
from affray.systems.emlia.gear import Row
from affray.systems.emlia.sheet import Troop
from affray.systems.emlia.state import Status, status_of
from tests.systems.emlia.bodies import exchange, hurt, run, troop
from tests.systems.emlia.factories import ends, game, other, play, setup, unit

CALM = (Row(low=1),)
WALL = (
    Row(low=1, high=6, name="cracked", bonus=2),
    Row(low=7, high=9, name="breach", uncovers=True),
    Row(low=10, name="rubble", destroyed=True),
)


def wall(hits: int = 6, threshold: int = 5, **more: Any) -> Troop:
    return troop("wall", 1, hits, threshold=threshold, table=WALL, **more)


# -- one unit ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hits", "base", "needed"), [(3, 0, 3), (3, 1, 2), (3, 2, 1), (3, 3, 1), (2, 4, 1)]
)
def test_em40_base_damage_is_taken_from_hits(hits: int, base: int, needed: int) -> None:
    x = exchange([troop("A", 5, hits)], 1, base)
    assert x.pile is not None
    assert [target.needed for target in x.pile.targets] == [needed]


def test_em40_hits_are_those_of_the_unit_and_its_armor() -> None:
    guard = troop("A", 5, 2, armor=3)
    for bare, needed in ((False, 4), (True, 1)):
        pile = exchange([guard], 1, 1, bare=bare).pile
        assert pile is not None
        assert pile.targets[0].needed == needed
        assert pile.targets[0].hits == (2 if bare else 5)


def test_em41_emv31_seven_hits_at_two_each() -> None:
    came = hurt([troop("A", 10, 3)], 7, 1)
    assert (came.dealt, came.marked, came.markers, came.x.lost) == ((3,), (3,), (1,), 0)


def test_em41_emv37_a_marker_counts_later() -> None:
    first = hurt([troop("A", 10, 3)], 7, 1)
    came = hurt([troop("A", 10, 3)], 1, 1, statuses=first.statuses)
    assert (came.dealt, came.marked, came.markers) == ((1,), (4,), (0,))


def test_em40_emv32_no_less_than_one_hit_for_a_point() -> None:
    came = hurt([troop("A", 10, 2)], 5, 4)
    assert (came.dealt, came.markers) == ((5,), (0,))


def test_em43_emv34_a_wall_rolls_once_for_six_points() -> None:
    came = run(exchange([wall()], 13, 4), faces=[3])
    status = came.statuses[0]
    assert came.dealt == (6,)
    assert (status.wear, status.markers, status.bonus) == (1, 1, 2)
    assert status.rolled == ("cracked",)
    assert came.x.rolls == 1
    assert came.marked == (0,)


def test_em42_emv35_a_dragon_dies_at_its_limit_and_hits_beyond_are_lost() -> None:
    dragon = troop("dragon", 1, 5, damage_limit=8, damage=6)
    came = hurt([dragon], 12)
    assert (came.dealt, came.marked, came.markers, came.x.lost) == ((2,), (1,), (0,), 2)


@pytest.mark.parametrize(("points", "marked", "rest"), [(2, 0, 2), (3, 1, 0), (7, 2, 1)])
def test_em42_every_full_limit_marks_one_member(points: int, marked: int, rest: int) -> None:
    came = hurt([troop("A", 4, 1, damage_limit=3)], points)
    assert (came.marked, came.statuses[0].damage) == ((marked,), rest)


def test_em42_damage_from_before_counts_towards_the_limit() -> None:
    came = hurt([troop("A", 4, 1, damage_limit=3, damage=2)], 1)
    assert (came.marked, came.statuses[0].damage) == ((1,), 0)


def test_em42_comes_before_em43() -> None:
    """Limit and threshold 2: the member is marked when the table is rolled on."""
    both = troop("A", 2, 1, damage_limit=2, threshold=2, table=CALM)
    came = run(exchange([both], 2), faces=[1])
    at_the_roll = next(node for node in came.nodes if isinstance(node, Chance))
    assert at_the_roll.then.facts.statuses[1].marked == 1
    assert (came.dealt, came.marked, came.x.rolls) == ((2,), (1,), 1)


def test_em43_points_beyond_the_last_member_are_lost_but_rolls_come() -> None:
    """1 member with limit 3 takes 3 points of 6; threshold 2 makes one roll of them."""
    both = troop("A", 1, 1, damage_limit=3, threshold=2, table=CALM)
    came = run(exchange([both], 6), faces=[1])
    assert (came.dealt, came.marked, came.x.rolls, came.x.lost) == ((3,), (1,), 1, 3)


def test_em43_a_threshold_alone_marks_nobody() -> None:
    came = run(exchange([troop("tower", 1, 1, threshold=2, table=CALM)], 5), faces=[4, 9])
    assert (came.dealt, came.marked, came.statuses[0].wear) == ((5,), (0,), 1)


def test_em43_a_roll_changes_the_next_one() -> None:
    """10 points at threshold 5: 5 is cracked and brings 2; 5 + 2 is then a breach."""
    came = run(exchange([wall(hits=1)], 10), faces=[5, 5])
    assert came.statuses[0].rolled == ("breach", "cracked")
    assert came.statuses[0].bonus == 2
    assert strength.uncovers(wall(), came.statuses[0])
    assert not strength.uncovers(wall(), Status(1, rolled=("cracked",)))


def test_em43_rubble_ends_further_rolls() -> None:
    """15 points are three rolls; the second makes rubble of the wall (8 + 2)."""
    came = run(exchange([wall(hits=1)], 15), faces=[1, 8])
    assert came.statuses[0].destroyed
    assert came.x.rolls == 2
    assert came.statuses[0].rolled == ("cracked", "rubble")
    assert strength.uncovers(wall(), came.statuses[0])


def test_em43_a_row_takes_effect_at_once() -> None:
    table = (Row(low=1, high=5, name="fall", casualties=2, weaker=1), Row(low=6, high=10))
    unit = troop("A", 3, 1, damage_limit=4, threshold=2, table=table)
    came = run(exchange([unit], 2), faces=[1])
    status = came.statuses[0]
    assert (status.marked, status.weaker, status.damage) == (2, 1, 2)
    assert came.words == ("A takes 2 points for 2 hits (EM-41).",
                          "A: fall, 2 casualties (EM-43).")  # fmt: skip


def test_em43_casualties_of_a_row_stop_at_the_last_member() -> None:
    table = (Row(low=1, name="all", casualties=9),)
    unit = troop("A", 3, 1, damage_limit=9, threshold=2, table=table)
    assert run(exchange([unit], 2), faces=[10]).marked == (3,)


@pytest.mark.parametrize(("total", "name"), [(-3, "low"), (1, "low"), (4, "high"), (99, "high")])
def test_em43_beyond_the_table_its_last_or_first_row_counts(total: int, name: str) -> None:
    rows = (Row(low=3, high=10, name="high"), Row(low=1, high=2, name="low"))
    unit = troop("A", 1, 1, threshold=1, table=rows)
    assert unit.table[harm.row_of(unit, total)].name == name


@pytest.mark.parametrize("total", [0, 1, 10, 11])
def test_em43_a_table_of_one_row_says_the_same_of_every_roll(total: int) -> None:
    assert harm.row_of(troop("A", 1, 1, threshold=1, table=(Row(low=1, high=10),)), total) == 0


@pytest.mark.parametrize("bonus", [-4, 0, 2, 7])
def test_em43_counting_a_roll_is_enumerating_it(bonus: int) -> None:
    x = exchange([wall(bonus=bonus)], 30)
    node = run_to_roll(x)
    pool = Pool((d(10), 1))
    counts = distribution(pool, node.read)
    assert node.dice == pool
    assert dict(counts.items()) == enumerated(pool, node.read)
    # by hand: row 0 up to 6 - bonus, row 2 from 10 - bonus on
    assert counts.chance(2) * 10 == sum(face + bonus >= 10 for face in range(1, 11))
    assert counts.chance(0) * 10 == sum(face + bonus <= 6 for face in range(1, 11))


def run_to_roll(x: Any) -> Chance[Any]:
    node = harm.allocate_hits(x)
    while isinstance(node, Go):
        node = node.step(node.facts)
    assert isinstance(node, Chance)
    return node


# -- mixed bodies ------------------------------------------------------------------------------

A10_2, B4_3 = troop("A", 10, 2), troop("B", 4, 3)


def test_em53_emv50_the_larger_group_takes_two_points() -> None:
    came = hurt([A10_2, B4_3], 9)
    assert (came.dealt, came.markers, came.x.lost) == ((3, 1), (0, 0), 0)
    assert came.words == ("A takes 3 points for 6 hits, 3 casualties (EM-53).",
                          "B takes 1 point for 3 hits, 1 casualty (EM-53).")  # fmt: skip


def test_em53_emv52_who_cannot_be_hurt_is_passed_over() -> None:
    came = hurt([troop("A", 10, 5), troop("B", 6, 2)], 3)
    assert (came.dealt, came.markers) == ((0, 1), (1, 0))


EMV53 = [troop("A", 12, 2), troop("B", 6, 3), troop("C", 2, 4)]


def test_em53_emv53_group_by_group_and_round_again() -> None:
    came = hurt(EMV53, 10, 1)
    assert (came.dealt, came.markers) == ((4, 3, 0), (0, 0, 0))


def test_em53_emv53_only_the_first_takes_several() -> None:
    came = hurt(EMV53, 10, 1, k_scope="first")
    assert came.dealt == (5, 1, 1)


TOWER = troop("tower", 1, 6, threshold=3, table=CALM)


def test_em53_emv55_a_crowd_shields_its_tower() -> None:
    assert hurt([troop("men", 10, 2), TOWER], 9, 2).dealt == (9, 0)


def test_em54_emv56_the_tower_rolls_when_the_men_are_gone() -> None:
    came = run(exchange([troop("men", 10, 2), TOWER], 25, 2), faces=[7])
    assert (came.dealt, came.marked, came.markers, came.x.rolls) == ((10, 3), (10, 0), (0, 3), 1)


def test_em54_emv58_a_marker_saves_a_hit() -> None:
    came = hurt([troop("A", 10, 2, markers=1), B4_3], 3)
    assert (came.dealt, came.markers) == ((2, 0), (0, 0))


def test_em65_a_table_endangers_those_atop_after_the_hits_on_the_wall() -> None:
    """Five points breach the wall: two hits make a point of damage on the men atop it."""
    rows = (Row(low=1, name="breach", endangers=2),)
    wall = unit("W", 1, threshold=5, table=rows)
    atop = other(unit("G", 4, hits=2, on="W"), fights=False)
    below = other(unit("H", 4), fights=False)
    made = setup(unit("A", cc=10), replace(wall, unaware=True), atop, below)
    end = play(game(made), 3, 4)
    ends(end, damage_by="W 10, G 2", casualties_by="G 2", rolls=2, hits=10)
    gone = replace(made, others=(other(replace(atop.who, marked=4), fights=False), below))
    ends(play(game(gone), 3, 4), damage_by="W 10", lost=4)


def test_em65_who_stands_on_a_unit_names_it() -> None:
    with pytest.raises(UnknownNameError, match="unit that 'G' stands on"):
        game(setup(unit("A"), unit("B"), other(unit("G", on="Z"))))


def test_em54_emv59_what_can_hurt_nobody_is_lost() -> None:
    came = hurt([troop("A", 3, 1), troop("B", 2, 1)], 9)
    assert (came.dealt, came.marked, came.x.lost) == ((3, 2), (3, 2), 4)
    assert came.words[-1] == "4 hits hurt nobody."


EMV60 = [troop("A", 12, 2), troop("H", 1, 5, damage_limit=3)]


def test_em53_emv60_twelve_points_for_twelve_men() -> None:
    """By hand: A is twelve times as large and takes up to 12 points; 20 hits make 10."""
    assert hurt(EMV60, 20).dealt == (10, 0)


def test_em55_emv61_the_hero_in_focus_comes_first() -> None:
    came = hurt(EMV60, 20, focus="H")
    assert (came.dealt, came.markers) == ((7, 1), (1, 0))


def test_em55_focus_comes_again_after_each_cycle() -> None:
    """By hand, 7 hits: B 2, A 1 twice, B 2 as usual, then B 1 in focus: too few, so A 1."""
    came = hurt([troop("A", 4, 1), troop("B", 2, 2)], 7, focus="B")
    assert came.dealt == (3, 2)


def test_em55_focus_on_the_dead_is_nothing() -> None:
    units = [troop("A", 4, 1), troop("B", 2, 1, armor=1)]
    statuses = [status_of(units[0], Rulings()), Status(2, marked=2)]
    assert hurt(units, 3, focus="B", statuses=statuses).dealt == (3, 0)


# -- readings ------------------------------------------------------------------------------------


def test_em56_b13_live_sizes_stop_sooner() -> None:
    """4 against 2, 3 hits of one each: twice as large only until the first has fallen."""
    units = [troop("A", 4, 1), troop("B", 2, 2, armor=0)]
    assert hurt(units, 3).dealt == (3, 0)  # A 2, B needs 2, A 1
    assert hurt(units, 3, group_size="live").dealt == (1, 1)


def test_em53_b15_groups_of_one_hits_value_or_units() -> None:
    """A and C are one group of 10 with Hits 2: twice B's 4; by unit A's 6 is just larger."""
    units = [troop("A", 6, 2), troop("B", 4, 3), troop("C", 4, 2)]
    assert hurt(units, 7).dealt == (1, 1, 1)  # A 2, C 2, B 3
    assert hurt(units, 7, group_by="unit").dealt == (1, 1, 1)
    assert hurt(units, 4).dealt == (1, 0, 1)
    assert hurt(units, 5, group_by="unit").dealt == (1, 1, 0)


def test_em54_b16_markers_on_the_dead() -> None:
    units = [troop("A", 3, 1), troop("B", 1, 9)]
    assert hurt(units, 5).markers == (0, 2)
    assert hurt(units, 5, markers_owner="largest").markers == (2, 0)


def test_em40_b11_every_hit_takes_a_member() -> None:
    trolls = troop("A", 4, 2, damage_limit=3)
    assert hurt([trolls], 2, 2).marked == (0,)
    assert hurt([trolls], 2, 2, h_floor="outright").marked == (2,)
    assert hurt([trolls], 2, 1, h_floor="outright").marked == (0,)


def test_em41_b12_markers_of_a_single_unit_are_discarded() -> None:
    assert hurt([troop("A", 5, 3)], 5, markers="discard").markers == (0,)
    mixed = [troop("A", 5, 3), troop("B", 1, 4)]
    assert hurt(mixed, 5, markers="discard").markers == (2, 0)


def test_em56_b27_somebody_picks_who_takes_the_point() -> None:
    units = [troop("A", 3, 1), troop("B", 2, 1)]
    for who in ("defender", "attacker"):
        x = exchange(units, 2, who_takes=who)
        came = run(x, picks=["B", "B"])
        assert came.dealt == (0, 2)
        asked = [node for node in came.nodes if isinstance(node, Choice)]
        assert [choice.actor for choice in asked] == [who, who]
        assert [option.name for option in asked[0].options] == ["A", "B"]
        assert [option.words for option in asked[0].options] == ["1 point for 1 hit"] * 2


def test_em56_b27_who_alone_can_take_it_is_not_asked() -> None:
    came = run(exchange([troop("A", 3, 1), troop("B", 1, 1)], 3, who_takes="defender"),
               picks=["B"])  # fmt: skip
    assert came.dealt == (2, 1)


@pytest.mark.parametrize(("why", "owner"), [("strike", "attacker"), ("fumble", "attacker")])
def test_em56_b27_the_owner_of_the_body_picks(why: Any, owner: str) -> None:
    x = exchange([troop("A", 3, 1), troop("B", 2, 1)], 1, why=why, who_takes="defender")
    came = run(x, picks=["A"])
    assert {node.actor for node in came.nodes if isinstance(node, Choice)} == {owner}


def test_em53_who_is_gone_is_no_part_of_the_body() -> None:
    units = [troop("A", 4, 1), troop("B", 2, 2)]
    came = hurt(units, 4, statuses=[Status(0), Status(2)])
    assert (came.dealt, came.x.lost) == ((0, 2), 0)
    pile = exchange(units, 4, statuses=[Status(4), Status(2, destroyed=True)]).pile
    assert pile is not None
    assert len(pile.targets) == 1


def test_em41_no_hits_do_nothing() -> None:
    came = hurt([troop("A", 4, 1, markers=3), troop("B", 2, 2)], 0)
    assert (came.dealt, came.markers, came.words) == ((0, 0), (3, 0), ())


def test_em45_points_of_a_single_member_are_remembered() -> None:
    dragon = troop("dragon", 1, 5, damage_limit=8, damage=3)
    assert hurt([dragon], 10).statuses[0].fresh == 2
    assert hurt([dragon], 10, dragon_diminish="members").statuses[0].fresh == 0
    assert hurt([troop("A", 2, 5, damage_limit=8)], 10).statuses[0].fresh == 0


def test_em56_every_pick_of_a_shared_group_takes_as_many_points() -> None:
    """Who takes them differs, how many come of them does not, where all cost the same."""
    units = [troop("A", 2, 2), troop("B", 2, 2), troop("C", 1, 3)]
    ends = set()

    def follow(x: Any, taken: tuple[str, ...]) -> None:
        try:
            ends.add((taken, run(x, picks=list(taken)).dealt))
        except IndexError:
            for name in "AB":
                follow(x, (*taken, name))
        except StopIteration:
            return

    follow(exchange(units, 9, who_takes="attacker"), ())
    assert {sum(dealt) for _, dealt in ends} == {sum(hurt(units, 9).dealt)}
    assert len(ends) > 1


def test_em53_options_tell_each_other_apart() -> None:
    x = exchange([troop("A", 2, 2), troop("B", 2, 2)], 4, who_takes="attacker")
    node = next(node for node in run(x, picks=["A", "B"]).nodes if isinstance(node, Choice))
    assert all(isinstance(option, Option) for option in node.options)
    assert len({option.at for option in node.options}) == 2


def test_em12_emv20_two_units_strike_at_a_mover() -> None:
    """Y: 8 hits at two each; Z: 4 hits at one each; eight of twenty are marked."""
    mover = troop("X", 20, 3)
    first = hurt([mover], 8, 1, why="strike")
    second = hurt([mover], 4, 2, why="strike", statuses=first.statuses)
    assert (first.dealt, second.dealt) == ((4,), (4,))
    assert second.marked == (8,)


def test_em43_what_one_row_brings_is_for_the_next_roll_alone() -> None:
    """Cracked brings 2 to the next roll: 5 + 2 is a breach, the third roll is plain again."""
    table = (Row(low=1, high=6, name="cracked", next_bonus=2), Row(low=7, name="breach"))
    unit = troop("wall", 1, 1, threshold=1, table=table)
    came = run(exchange([unit], 3), faces=[5, 5, 5])
    assert came.statuses[0].rolled == ("breach", "cracked", "cracked")
    assert came.statuses[0].next_bonus == 2
    asked = [node.ask for node in came.nodes if isinstance(node, Chance)]
    assert asked == ["threshold roll of wall", "threshold roll of wall at +2",
                     "threshold roll of wall"]  # fmt: skip


def test_em54_markers_count_for_the_whole_group() -> None:
    """The marker lies on A, the larger of two with Hits 2; B in focus takes a point for one hit."""
    units = [troop("A", 3, 2, markers=1), troop("B", 2, 2)]
    assert hurt(units, 1).dealt == (1, 0)
    came = hurt(units, 1, focus="B")
    assert (came.dealt, came.markers) == ((0, 1), (0, 0))
    by_unit = hurt(units, 1, focus="B", group_by="unit")
    assert (by_unit.dealt, by_unit.markers) == ((1, 0), (0, 0))


def test_em54_markers_of_the_marked_are_lost_and_those_of_the_living_stay() -> None:
    """Two hits make nothing at Hits 3: they lie at C. The three at B, who is marked dead, go."""
    marked = unit("B", 2, hits=2, marked=2, markers=3, unaware=True)
    others = (other(unit("C", 5, hits=3, unaware=True)), other(unit("D", 1, hits=9, unaware=True)))
    made = setup(unit("X", 8, cc=2), marked, *others)
    ends(play(game(made)), damage=0, lost=3, markers=2, markers_by="C 2")


def test_em53_sizes_of_the_start_hold_after_a_roll_on_a_table() -> None:
    """Of 4 and 3 nobody takes two at once; the table marks two of the smaller group on the way.

    Six hits: B takes one, C a roll for two, and two of it fall; then the same again. By sizes of
    now, 3 to 1, B would take the last three.
    """
    rows = (Row(low=1, name="crack", casualties=2),)
    walls = unit("C", 3, hits=2, unaware=True, threshold=1, table_die=2, table=rows)
    made = setup(unit("X", 7, cc=6), unit("B", 4, hits=1, unaware=True), other(walls))
    ends(play(game(made), 1, 1), damage_by="B 2, C 2")
