"""Fights on a map: Zones of everybody, moves, and sides that contradict each other."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.app.inputs.fight_setups import load_fight
from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Scene
from affray.core.ruling import Rulings
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.duels.exact import solve_exactly
from affray.engine.fight.plans import Plan
from affray.engine.fight.sampled.battle import Battle
from affray.systems.empty_earth.fight import FIGHT, MOVE, REVIVE, Around
from affray.systems.empty_earth.map.placed import stance_of
from affray.systems.empty_earth.map.zones import Line, Map
from affray.systems.empty_earth.sheet import Fighter, Setup
from affray.systems.empty_earth.standing import swapped
from affray.systems.empty_earth.state import Condition
from tests.oracles.empty_earth_map import Duelist, actor_wins, random_duel, strider_wins
from tests.systems.empty_earth.factory import ADA, BO, SYSTEM, bow, weapon
from tests.systems.empty_earth.map.charts import black, chart

SURE = weapon("1D6", 1)
"""Hits for certain where the defense is 0, and does 1 damage."""
ARCHER = Fighter(name="archer", attacks=(bow("1D6", 1),), vitality=1, zone="a")
HOUND = Fighter(name="hound", attacks=(SURE,), vitality=3, zone="c")


def contest(
    one: Sequence[Fighter], other: Sequence[Fighter], drawn: Map, **changes: Any
) -> Contest:
    """A fight; the first side begins, nobody counters, everybody takes the first option."""
    readings = SYSTEM.readings({"counter": "off", **changes.pop("readings", {})})
    plan = Plan("first", ())
    sides = tuple(
        Side(name, tuple(own), Setup(attacker=own[0], defender=foes[0], map=drawn), plan)
        for name, own, foes in (("one", one, other), ("other", other, one))
    )
    return Contest(SYSTEM, (sides[0], sides[1]), readings, first="one", **changes)


def won(*fighters: Fighter, drawn: Map, readings: dict[str, str] | None = None) -> Fraction:
    one, other = fighters
    return solve_exactly(contest([one], [other], drawn, readings=readings or {})).won[0]


# -- moves -------------------------------------------------------------------------------------


def test_ee70_who_cannot_attack_walks_towards_the_foe() -> None:
    """Hits in rounds 1 and 2 while the hound walks; the third shot, at -1, misses on a 1."""
    assert won(ARCHER, HOUND, drawn=chart(["abc"])) == Fraction(5, 6)


@pytest.mark.parametrize(
    ("vitality", "chance"),
    [(2, Fraction(1)), (3, Fraction(5, 6)), (4, Fraction(0)), (10, Fraction(0))],
)
def test_ee70_each_move_is_one_zone(vitality: int, chance: Fraction) -> None:
    assert won(ARCHER, replace(HOUND, vitality=vitality), drawn=chart(["abc"])) == chance


@pytest.mark.parametrize(
    ("wall", "rounds"),
    [
        ((), 3),  # c, b, a, and a blow
        ((black((8, 4), (8, 8)),), 5),  # c, f, e, b, a
        ((black((8, 4), (8, 7)),), 3),  # with a door
        ((black((4, 4), (12, 4)), black((8, 4), (8, 8))), None),  # no way at all
    ],
)
def test_ee70_walls_are_walked_round(wall: tuple[Line, ...], rounds: int | None) -> None:
    prey = replace(ARCHER, attacks=())
    found = solve_exactly(contest([HOUND], [prey], chart(["abc", "def"], *wall)))
    assert found.won[0] == (rounds is not None)
    if rounds is not None:
        assert found.rounds == rounds


def test_ee70_nobody_moves_under_the_other_reading() -> None:
    assert (
        won(
            ARCHER,
            replace(HOUND, vitality_max=50),
            drawn=chart(["abc"]),
            readings={"moves": "none"},
        )
        == 1
    )


def test_ee70_who_finds_no_way_stays() -> None:
    closed = chart(["abc"], black((8, 0), (8, 4)))
    # The archer sees nothing, the hound walks nowhere: nobody wins.
    found = solve_exactly(contest([ARCHER], [HOUND], closed))
    assert found.won == (Fraction(0), Fraction(0))


def test_ee70_an_archer_walks_until_the_target_is_in_range_and_sight() -> None:
    """Four Zones away: two moves, then one sure shot against a foe that has no attack."""
    far = replace(HOUND, attacks=(), vitality=1, zone="e")
    found = solve_exactly(contest([ARCHER], [far], chart(["abcde"])))
    assert found.won == (Fraction(1), Fraction(0))
    assert found.rounds == 3


def fighter(one: Duelist, zone: str) -> Fighter:
    attack = weapon(f"1D{one.sides}", one.damage)
    if one.reach:
        attack = replace(attack, reach="ranged", range_zones=one.reach)
    return Fighter(
        name=zone, attacks=(attack,), phys_def=one.defense, vitality=one.vitality, zone=zone
    )  # fmt: skip


@pytest.mark.parametrize("batch", range(4))
def test_ee70_random_duels_on_a_row_of_zones_agree_with_the_oracle(batch: int) -> None:
    for seed in range(50 * batch, 50 * batch + 50):
        one, other, zones = random_duel(seed)
        row = chart(["abcdefg"])
        found = won(fighter(one, "a"), fighter(other, "abcdefg"[zones]), drawn=row)
        assert found == actor_wins(one, other, zones), (one, other, zones)


@pytest.mark.parametrize("batch", range(2))
def test_a10d_steps_before_attacks_agree_with_the_oracle(batch: int) -> None:
    for seed in range(1000 + 50 * batch, 1050 + 50 * batch):
        one, other, zones = random_duel(seed)
        row = chart(["abcdefg"])
        both = fighter(one, "a"), fighter(other, "abcdefg"[zones])
        found = won(*both, drawn=row, readings={"moves": "and_attack"})
        assert found == strider_wins(one, other, zones), (one, other, zones)


def test_a10d_a_step_and_an_attack_are_one_turn() -> None:
    """Two Zones away: the hound walks once, then walks up and bites."""
    prey = replace(ARCHER, attacks=())
    for readings, rounds in (({}, 3), ({"moves": "and_attack"}, 2)):
        found = solve_exactly(contest([HOUND], [prey], chart(["abc"]), readings=readings))
        assert (found.won[0], found.rounds) == (Fraction(1), Fraction(rounds))


def scene(
    one: Fighter, two: Fighter, drawn: Map, *, around: Around | None = None, **readings: str
) -> Scene[Setup, Condition]:
    rulings = SYSTEM.readings(readings)
    setup = Setup(attacker=one, defender=two, map=drawn)
    mine, theirs = FIGHT.enter(one, rulings), FIGHT.enter(two, rulings)
    return Scene(setup, MOVE, mine, theirs, around or Around(), rulings)


def test_ee70_deeds_are_an_attack_or_else_a_move() -> None:
    def names(sheet: Fighter, **readings: str) -> list[str]:
        return [
            deed.name for deed in FIGHT.deeds(sheet, FIGHT.enter(sheet, SYSTEM.readings(readings)))
        ]

    assert names(ARCHER) == ["attack", "move"]
    assert names(replace(ARCHER, zone="")) == ["attack"]
    assert names(ARCHER, moves="none") == ["attack"]
    assert names(replace(ARCHER, attacks=())) == []
    assert REVIVE.name == "revive"


def test_ee50_who_is_down_does_not_move() -> None:
    down = replace(ADA, vitality=0, injuries=1, attacks=(SURE,), zone="a")
    assert FIGHT.deeds(down, FIGHT.enter(down, Rulings())) == ()


def test_ee70_a_move_needs_a_way_to_an_attack() -> None:
    drawn = chart(["ab c"])
    with pytest.raises(SetupError, match="hound finds no way to an attack"):
        FIGHT.declare(scene(replace(HOUND, zone="a"), replace(ARCHER, zone="c"), drawn))


# -- figures nearby ----------------------------------------------------------------------------


def test_ee14_standing_foes_in_the_zone_count_and_fallen_ones_do_not() -> None:
    near, far = replace(HOUND, zone="a"), replace(HOUND, zone="b")
    rulings = SYSTEM.readings({})
    stands, there = FIGHT.enter(near, rulings), FIGHT.enter(far, rulings)
    fallen = stands._replace(now=stands.now._replace(fallen="defeated"))

    def hostiles(*mates: Condition) -> int:
        around = FIGHT.context([(near, one) for one in mates])
        assert isinstance(around, Around)
        made = scene(ARCHER, far, chart(["ab"]), around=around)
        start = FIGHT.declare(made._replace(deed=made.deed._replace(name="attack")))
        return stance_of(start.facts.terms.declared, rulings).hostiles

    assert [
        hostiles(),
        hostiles(stands),
        hostiles(stands, stands),
        hostiles(fallen),
        hostiles(there),
    ] == [0, 1, 1, 0, 0]


@pytest.mark.parametrize(("zone", "rounds"), [("a", Fraction(6, 5)), ("b", Fraction(1))])
def test_ee14_a_target_in_the_own_zone_makes_shots_harder(zone: str, rounds: Fraction) -> None:
    """Against a defense of 0 a D6 at -1 misses on a 1."""
    prey = replace(HOUND, attacks=(), vitality=1, zone=zone)
    assert solve_exactly(contest([ARCHER], [prey], chart(["ab"]))).rounds == rounds


@pytest.mark.parametrize(("reading", "zones"), [("counts", ("a",)), ("ignored", ())])
def test_ee14_who_lies_there_may_count_or_not(
    reading: str, zones: tuple[str, ...]
) -> None:  # A-17b
    rulings = SYSTEM.readings({"lying": reading})
    down = replace(ADA, vitality=0, injuries=1, zone="a")
    around = FIGHT.context([(down, FIGHT.enter(down, rulings))])
    assert around == Around(("carried",), zones)


@pytest.mark.parametrize(("reading", "hostiles"), [("counts", 1), ("ignored", 0)])
def test_ee14_a_target_that_lies_there_may_count_or_not(
    reading: str, hostiles: int
) -> None:  # A-17b
    rulings = SYSTEM.readings({"lying": reading})
    down = replace(ADA, vitality=0, injuries=1)
    assert stance_of(Setup(attacker=BO, defender=down), rulings).hostiles == hostiles
    placed = Setup(
        attacker=replace(BO, zone="a"), defender=replace(down, zone="a"), map=chart(["a"])
    )
    assert stance_of(placed, rulings).hostiles == hostiles


# -- sides that contradict each other ----------------------------------------------------------


def by_hand(mine: dict[str, Any], theirs: dict[str, Any]) -> Contest:
    one, other = replace(ARCHER, zone=""), replace(HOUND, zone="")
    return Contest(
        SYSTEM,
        (
            Side("Ada's", (one,), Setup(attacker=one, defender=other, **mine)),
            Side("hounds", (other,), Setup(attacker=other, defender=one, **theirs)),
        ),
        SYSTEM.readings({}),
        first="one",
    )


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ({}, {}),
        ({"distance_zones": 0}, {}),
        ({"distance_zones": 1}, {"distance_zones": 1}),
        ({"line_of_sight": "clear"}, {}),
        ({"hostile_in_own_zone": 1}, {"hostile_near_defender": 1}),
        ({"hostile_near_defender": 2}, {"hostile_in_own_zone": 2}),
        ({"hostile_near_defender": 0}, {}),
    ],
)
def test_ee11_sides_that_say_the_same_may_fight(
    mine: dict[str, Any], theirs: dict[str, Any]
) -> None:
    assert by_hand(mine, theirs).names == (("archer",), ("hound",))


@pytest.mark.parametrize(
    ("mine", "theirs", "message"),
    [
        (
            {"distance_zones": 1},
            {},
            "and 'hounds': distance_zones is 1 for one and left out",
        ),
        ({}, {"distance_zones": 2}, "distance_zones is left out for one and 2 for the other"),
        ({"distance_zones": 1}, {"distance_zones": 2}, "is 1 for one and 2 for the other"),
        ({"distance_through_openings": 0}, {}, "distance_through_openings is 0"),
        ({"line_of_sight": "touches"}, {}, "line_of_sight is 'touches' for one"),
        ({"hostile_in_own_zone": 1}, {}, "hostile_in_own_zone is 1 where they attack, and"),
        ({}, {"hostile_near_defender": 1}, "hostile_near_defender 1 where they are attacked"),
        ({"hostile_near_defender": 1}, {"hostile_in_own_zone": 2}, "is 2 where they attack"),
    ],
)
def test_ee11_ee14_sides_that_contradict_each_other_are_refused(
    mine: dict[str, Any], theirs: dict[str, Any], message: str
) -> None:  # D33
    with pytest.raises(SetupError, match=message):
        by_hand(mine, theirs)


def test_ee10_everybody_of_a_fight_stands_on_the_one_map() -> None:
    drawn = chart(["ab"])
    lost, nowhere = replace(ARCHER, zone="x"), replace(ARCHER, zone="")
    foe = replace(HOUND, zone="b")
    for stray, told in ((lost, "zone 'x'"), (nowhere, "no zone")):
        with pytest.raises(SetupError, match=f"archer: {told}; Zones of the map: a, b"):
            contest([ARCHER, stray], [foe], drawn)
    one, other = nowhere, replace(HOUND, zone="")
    sides = (
        Side("one", (one, ARCHER), Setup(attacker=one, defender=other)),
        Side("other", (other,), Setup(attacker=other, defender=one)),
    )
    with pytest.raises(SetupError, match="archer: zone 'a' without a map"):
        Contest(SYSTEM, sides, SYSTEM.readings({}), first="one")


def test_ee10_there_is_one_map() -> None:
    here, there = chart(["ab"]), chart(["abc"])
    one, other = ARCHER, replace(HOUND, zone="b")
    sides = (
        Side("one", (one,), Setup(attacker=one, defender=other, map=here)),
        Side("other", (other,), Setup(attacker=other, defender=one, map=there)),
    )
    with pytest.raises(SetupError, match="they fight on different maps"):
        Contest(SYSTEM, sides, SYSTEM.readings({}), first="one")


# -- Counters among friends of the attacker ----------------------------------------------------


SNIPER = Fighter(name="sniper", attacks=(bow("1D6", 1),), vitality=1, phys_def=4, zone="a")
FRIEND = Fighter(name="friend", vitality_max=50, zone="b")
GUARD = Fighter(name="guard", attacks=(bow("1D6", 1),), vitality_max=50, phys_def=6, zone="b")
"""Nobody hits it; it answers every shot with one that hits on 5 and 6, at -1 on a 6 only."""


def answered(*friends: Fighter) -> Contest:
    """The sniper shoots and never hits; the guard only answers. It ends when the sniper falls."""
    readings = SYSTEM.readings({"counter": "attack", "moves": "none"})
    plan, drawn = Plan("first", (("offer_counter", ("counter",)),)), chart(["ab"])
    one = Side(
        "one",
        (SNIPER, *friends),
        Setup(attacker=SNIPER, defender=GUARD, map=drawn),
        plan,
        yields_at=1,
    )
    other = Side(
        "other", (GUARD,), Setup(attacker=GUARD, defender=SNIPER, map=drawn), plan, idle=True
    )
    return Contest(SYSTEM, (one, other), readings, first="one")


def test_ee14_ee44_a_counter_from_afar_is_free_with_nobody_near() -> None:
    assert solve_exactly(answered()).rounds == 3  # 2 of 6 a round


@pytest.mark.parametrize(
    ("friends", "rounds"),
    [((), 3), ((FRIEND,), 6), ((replace(FRIEND, zone="a"),), 3), ((FRIEND, FRIEND), 6)],
)
def test_ee14_ee44_friends_of_the_attacker_near_the_target_hamper_its_counter(
    friends: tuple[Fighter, ...], rounds: int
) -> None:
    found = Battle(answered(*friends)).run(4_000, seed=5, workers=1).rounds
    deviation = (rounds * (rounds - 1)) ** 0.5  # of a geometric number with this mean
    assert abs(float(found.value) - rounds) < 5 * deviation / 4_000**0.5


def test_ee14_ee44_played_fights_know_them_too() -> None:
    rulings = SYSTEM.readings({"counter": "attack"})
    mine, theirs = FIGHT.enter(SNIPER, rulings), FIGHT.enter(GUARD, rulings)
    assert FIGHT.minds_mates(SNIPER, mine)
    assert not FIGHT.minds_mates(SNIPER, FIGHT.enter(SNIPER, SYSTEM.readings({"counter": "off"})))
    assert not FIGHT.minds_mates(SNIPER, mine._replace(zone=""))
    near = FIGHT.context([(FRIEND, FIGHT.enter(FRIEND, rulings))])
    setup = Setup(attacker=SNIPER, defender=GUARD, map=chart(["ab"]))
    for company, hostiles in ((None, 0), (near, 1)):
        start = FIGHT.declare(Scene(setup, ATTACK, mine, theirs, Around(), rulings, company))
        declared = start.facts.terms.declared
        assert stance_of(declared, rulings).hostiles == 0
        assert stance_of(swapped(declared), rulings).hostiles == hostiles


def test_ee11_the_map_of_a_fight_is_written_once() -> None:
    """A situation beside the sides holds for both, unless a side says something else."""
    fighters = {"one": {"fighters": [{"like": "ada", "zone": "gate"}]},
                "other": {"fighters": [{"like": "husk", "zone": "yard"}]}}  # fmt: skip
    once = load_fight("empty-earth", {**fighters, "situation": {"map": "farm"}})
    each = {"situation": {"map": "farm"}}
    twice = load_fight("empty-earth", {key: {**side, **each} for key, side in fighters.items()})
    assert once.contest.sides == twice.contest.sides
