"""The readings that hold where nobody picks one, and the clauses that they carry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest

from affray.core.ruling import Rulings
from affray.engine.exchange.game import Game
from affray.systems.affinity.aftermath import own_hd
from affray.systems.affinity.numbers import condition_of
from affray.systems.affinity.sheet import Action, Layer, Setup
from affray.systems.affinity.state import Exchange

from .factory import (
    MAUL,
    ORC,
    SLING,
    SYSTEM,
    ally,
    asked,
    attack,
    chance,
    dice,
    harmed,
    mean,
    odds,
    offered,
    played,
    question,
    setup,
    striker,
    target,
)

F = Fraction


def plain(made: Setup, rulings: Mapping[str, str] | None = None, **settled: str) -> Game:
    """A game under the defaults, but for these readings."""
    start = SYSTEM.declared(made, Rulings.pick(SYSTEM.rulings, rulings or {}))
    return Game(SYSTEM, start).settle({name: (option,) for name, option in settled.items()})


def log(game: Game, *faces: int) -> list[str]:
    """The sentences of a play with these dice."""
    return [line.says for line in played(game, *faces).log]


def test_af52_resolve_is_checked_without_any_ruling() -> None:
    """The last Hit Die goes: 1 to 4 lose a point, 6 can't raise five."""
    felled = plain(harmed(5, target(hd=1)))
    assert odds(felled, "resolve") == {4: F(2, 3), 5: F(1, 3)}


def test_af50_a_hit_at_no_hit_dice_can_kill() -> None:
    dying = plain(harmed(5, target(hd=0, resolve=-4)))
    assert chance(dying, "dead", True) == F(2, 3)


def test_af73_the_raider_exerts_and_may_go_beyond_the_cap() -> None:
    blow = plain(setup(ORC, target(hd=9)), choose_action="axe")
    assert offered(asked(blow)) == ["0", "1", "2"]
    three = blow.settle({"choose_exertion": ("0",)})
    assert odds(three, "burn") == {0: F(5, 6), 1: F(1, 6)}  # three printed, two of Proficiency
    wild = replace(ORC, exertion=3)
    five = plain(setup(wild, target(hd=9)), choose_action="axe", choose_exertion="3")
    assert mean(five, "burn") == F(4, 6)


@pytest.mark.parametrize(("yards", "open_"), [(0, False), (5, False), (6, True)])
def test_af70_a_ranged_weapon_needs_more_than_melee_range(yards: int, open_: bool) -> None:
    made = setup(striker(SLING), distance_yd=yards)
    assert ("sling" in offered(asked(plain(made)))) == open_
    assert "sling" in offered(asked(plain(made, {"ranged_in_melee": "free"})))


def test_af70_a_spell_or_a_thrown_weapon_works_within_melee_range() -> None:
    spell = Action(name="bolt", reach="ranged")
    knife = Action(name="knife", weapon="light", reach="thrown")
    for reading, names in (("weapons", ["bolt", "knife"]), ("all", ["knife"])):
        found = offered(asked(plain(setup(striker(spell, knife)), {"ranged_in_melee": reading})))
        assert found[: len(names)] == names
        assert ("bolt" in found) == (reading == "weapons")


@pytest.mark.parametrize(
    ("yards", "reading", "rolls"),
    [
        (20, "weapon", "5d6"),
        (21, "weapon", "3d6"),
        (40, "weapon", "3d6"),
        (21, "band", "5d6"),
        (31, "band", "4d6"),
    ],
)
def test_af70_extreme_range_begins_where_the_weapon_says(
    yards: int, reading: str, rolls: str
) -> None:
    knife = Action(
        name="knife", weapon="ranged_light", reach="ranged", long_yd=20, max_yd=40, extreme=True
    )
    made = setup(striker(knife, level=9), target(hd=9), distance_yd=yards)
    game = plain(made, {"extreme_from": reading}, choose_action="knife", choose_exertion="0")
    assert dice(asked(game)) == rolls


def test_af70_extreme_range_may_be_impossible() -> None:
    knife = Action(name="knife", weapon="ranged_light", reach="ranged", long_yd=20, max_yd=40)
    session = asked(plain(setup(striker(knife), distance_yd=21)))
    assert "extreme range" in dict(question(session).closed)["knife"]


def test_af22_temporary_hit_dice_of_abilities_lie_with_the_magical_ones() -> None:
    worn = target(Layer(), Layer(kind="temporary"), Layer(kind="shield"), Layer(kind="magical"))
    for reading, kinds in (
        ("outermost", ["temporary", "magical", "shield", "armor"]),
        ("inner", ["magical", "shield", "armor", "temporary"]),
    ):
        held = Rulings.pick(SYSTEM.rulings, {"temporary_hd": reading})
        assert [cover.kind for cover in condition_of(worn, held).layers] == kinds


@pytest.mark.parametrize("shape", ["area", "zone", "select"])
def test_af6_extra_successes_of_an_area_add_damage(shape: str) -> None:
    """Two dice, one success needed: 0 to 4 successes in 1, 8, 18, 8 and 1 of 36 ways."""
    blast = Action(name="blast", base=1, required=1, shape=shape)  # type: ignore[arg-type]
    made = setup(striker(blast, level=3), target(hd=9))
    game = plain(made, choose_action="blast", choose_exertion="0")
    assert odds(game, "damage") == {0: F(1, 36), 1: F(8, 36), 2: F(18, 36), 3: F(9, 36)}
    assert chance(game, "spread", 0) == 1


def test_af40_defend_excludes_attacks_alone() -> None:
    braced = striker(defending=True, actions_left=1, level=3, hd=2)
    session = asked(plain(setup(braced)))
    assert offered(session) == ["rush", "dash", "march", "disengage"]
    closed = dict(question(session).closed)
    assert closed["blade"] == "Defend was taken instead of attacking (AF-40)"


@pytest.mark.parametrize("family", ["physical", "elemental", "mystical"])
def test_af71_a_family_stands_for_its_types(family: str) -> None:
    one = {"physical": "piercing", "elemental": "acid", "mystical": "force"}[family]
    immune = target(immune=(family,))
    assert chance(plain(harmed(2, immune, kind=one)), "damage", 0) == 1
    doubled = target(doubled=(family,), hd=9)
    assert chance(plain(harmed(2, doubled, kind=one)), "damage", 4) == 1
    resists, weak = target(resist=(family,)), target(vulnerable=(family,))
    assert dice(asked(plain(harmed(2, resists, kind=one)))) == "1d10+2d6"
    assert chance(plain(harmed(2, weak, kind=one)), "hd_lost", 2) == 1


def test_af41_exertion_of_an_intervene_counts_with_the_turn() -> None:
    guard = ally(level=3, exerted=2)
    made = harmed(3, target(hd=9), allies=(guard,))
    session = asked(plain(made, {"exertion_budget": "turn"}))
    assert offered(session) == ["no", "intervene", "intervene-1"]


def test_af2_a_heavy_weapon_has_its_numbers_under_the_defaults() -> None:
    game = attack(setup(MAUL, target(hd=9)), 1)
    assert odds(game, "damage") == {0: F(1, 4), 2: F(1, 2), 3: F(1, 4)}


def test_a1_a_roll_beyond_the_capacity_says_so() -> None:
    """3 damage against one die, then 2 damage: the same again."""
    made = harmed(3, target(Layer(), hd=9))
    beyond = [says for says in log(plain(made), 5, 5) if "rolled anyway" in says]
    assert beyond == [
        "3 damage exceeds capacity 1; rolled anyway (reading A-1).",
        "2 damage exceeds capacity 1; rolled anyway (reading A-1).",
    ]
    assert not any("rolled anyway" in says for says in log(plain(harmed(1, target())), 1))


def test_af28_the_text_writes_current_hit_dice() -> None:
    """Level 3 has six d8; three successes and a burn leave five of them."""
    hero = striker(level=3, body="balanced", hd=3)
    rush = plain(setup(hero), choose_action="rush", choose_exertion="1")
    end = played(rush, 6, 3, 1).outcome
    assert isinstance(end, Exchange)
    assert own_hd(end) == 5
