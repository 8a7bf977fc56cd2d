"""Grid Battles' oracle against the vectors (v...) and exact odds (g..., t...) of the rules."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Literal

import pytest

from .grid_battles import (
    BOOK,
    DICE,
    Bonus,
    Combat,
    Die,
    Dist,
    Ground,
    Outcome,
    Round,
    Row,
    Rulings,
    Unit,
    combat_odds,
    elimination,
    faced,
    hit_odds,
    hits,
    lose,
    marginal,
    mean,
    resolve,
    row_odds,
    swapped,
    to_the_death,
)

F = Fraction
YELLOW, BLUE, RED = DICE["yellow"], DICE["blue"], DICE["red"]
BROWN, GREY, BLACK = DICE["brown"], DICE["grey"], DICE["black"]
T: Die = ("d", "d", "d", "-", "-", "b")
U: Die = ("s", "s", "-", "-", "-", "-")

LIGHT = Unit(3)
WOODS = Ground((Bonus("defence_die", "round_defender", die=BROWN),))
HILL = Ground((Bonus("shield", "round_defender"),))
RIDGE = Ground((Bonus("damage", "round_attacker"),))
CAMP = Ground((Bonus("bonus_damage", "round_attacker"),))
RAMPART = Ground((Bonus("attack_die", "round_attacker", die=BLUE),))


def odds(text: str) -> Dist[int]:
    """'2/3 1/3' as the chances of 0, 1, ... hits."""
    return {n: F(word) for n, word in enumerate(text.split())}


# ------------------------------------------------------------------ faces given


@pytest.mark.parametrize(
    ("faces", "symbols", "advantage", "shields", "more", "health", "scored", "after"),
    [
        pytest.param("d", "", False, "-", "", 3, 1, 2, id="v1"),
        pytest.param("d", "", False, "s", "", 3, 0, 3, id="v2"),
        pytest.param("b", "", False, "-", "", 3, 0, 3, id="v4-without"),
        pytest.param("b", "", True, "-", "", 3, 1, 2, id="v4"),
        pytest.param("db", "", True, "s", "", 3, 1, 2, id="v5"),
        pytest.param("dd", "", False, "s ss", "", 3, 0, 3, id="v7"),
        pytest.param("-", "d", False, "-", "", 3, 1, 2, id="v8"),
        pytest.param("d", "b", False, "-", "", 3, 1, 2, id="v10"),
        pytest.param("d", "b", True, "-", "", 3, 2, 1, id="v11"),
        pytest.param("d dd", "", False, "s", "", 4, 2, 2, id="v13"),
        pytest.param("dd", "", False, "s s", "", 4, 0, 4, id="v14"),
        pytest.param("ddd", "", False, "-", "", 1, 3, 0, id="v16"),
        pytest.param("bb", "", False, "s", "s", 3, 0, 3, id="v17"),
    ],
)
def test_gb_hits(
    faces: str,
    symbols: str,
    advantage: bool,
    shields: str,
    more: str,
    health: int,
    scored: int,
    after: int,
) -> None:
    stands = Round((), (), advantage, symbols, more)
    assert hits(tuple(faces.split()), tuple(shields.split()), stands) == scored
    assert lose(Unit(health), scored) == after


def one(face: str, shield: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (face,), (shield,)


@pytest.mark.parametrize(
    ("by", "against", "first", "back", "wanted"),
    [
        pytest.param(3, 3, one("d", "-"), one("dd", "s"), Outcome(1, 1, 2, 2), id="v20"),
        pytest.param(1, 3, one("d", "s"), one("d", "-"), Outcome(0, 1, 0, 3), id="v22"),
        pytest.param(3, 1, one("d", "-"), None, Outcome(1, None, 3, 0), id="no one is left"),
    ],
)
def test_gb_combats(
    by: int,
    against: int,
    first: tuple[tuple[str, ...], tuple[str, ...]],
    back: tuple[tuple[str, ...], tuple[str, ...]] | None,
    wanted: Outcome,
) -> None:
    assert resolve(Combat(Unit(by), Unit(against)), first, back) == wanted


def test_gb_v23_advantage_belongs_to_the_round_attacker() -> None:
    strong = Unit(3, type="Pikeman", advantage_over=frozenset({"Light Cav"}))
    end = resolve(Combat(LIGHT, strong), one("b", "-"), one("b", "-"))
    assert end == Outcome(0, 1, 2, 3)


def test_gb_v25_terrain_is_worked_out_again_for_battle_back() -> None:
    combat = Combat(LIGHT, LIGHT, defender_hex=WOODS)
    assert faced(combat) == Round((YELLOW,), (BROWN, BROWN))
    assert faced(combat, back=True) == Round((YELLOW,), (BROWN,))


def test_gb_v26_nobody_battles_back_at_a_distance() -> None:
    combat = Combat(LIGHT._replace(reach=4), LIGHT, distance=3)
    assert resolve(combat, one("d", "-")) == Outcome(1, None, 3, 2)


def test_gb_v28_there_are_exactly_two_rounds() -> None:
    with pytest.raises(ValueError, match="faces are needed"):
        resolve(Combat(LIGHT, LIGHT), one("d", "-"))
    ends = combat_odds(Combat(Unit(1), Unit(1)))
    assert ends[Outcome(0, 0, 1, 1)] == F(4, 9)


def test_gb_v29_the_game_ends_with_the_unit_that_falls_in_battle_back() -> None:
    sure: Die = ("d",) * 6
    nothing: Die = ("-",) * 6
    weak, foe = Unit(1, attack=(nothing,), defence=()), Unit(3, attack=(sure,))
    both = [Combat(weak, foe), Combat(LIGHT, foe)]
    assert row_odds(both, destroy=1) == {Row((0, 3), 3, made=1, hits_back=1): F(1)}
    assert all(row.made == 2 for row in row_odds(both))


# ------------------------------------------------------------------ exact odds


@pytest.mark.parametrize(
    ("stands", "wanted", "expected"),
    [
        pytest.param(Round((T,), (U,)), "2/3 1/3", None, id="t1"),
        pytest.param(Round((T,), (U,), True), "5/9 4/9", None, id="t2"),
        pytest.param(Round((YELLOW,), (BROWN,)), "2/3 1/3", None, id="g1"),
        pytest.param(Round((YELLOW,), (BROWN,), True), "1/3 2/3", "2/3", id="g2"),
        pytest.param(Round((BLUE,), (GREY,), True), "1/3 1/2 1/6", "5/6", id="g4"),
        pytest.param(Round((RED,), (BLACK,)), "4/9 11/36 7/36 1/18", "31/36", id="g5"),
        pytest.param(
            Round((YELLOW, BLUE), (BROWN,), False, "", "s"), "23/36 11/36 1/18", "5/12", id="g7"
        ),
        pytest.param(
            Round((YELLOW, BLUE), (BROWN,), True, "", "s"),
            "2/9 5/9 2/9",
            "1",
            id="g8",
        ),
        pytest.param(Round((YELLOW,), (GREY,), False, "d"), "1/4 1/2 1/4", "1", id="g10"),
        pytest.param(
            Round((RED, RED), (BLACK, BLACK), True),
            "59/432 2/9 61/216 2/9 137/1296 1/36 1/324",
            "659/324",
            id="g11",
        ),
    ],
)
def test_gb_odds_of_a_round(stands: Round, wanted: str, expected: str | None) -> None:
    assert hit_odds(stands) == odds(wanted)
    assert expected is None or mean(hit_odds(stands)) == F(expected)


@pytest.mark.parametrize(
    ("advantage", "wanted"),
    [(False, "23/36 11/36 1/18"), (True, "2/9 5/9 2/9")],
    ids=["g7", "g8"],
)
def test_gb_odds_of_a_round_with_its_hexes(advantage: bool, wanted: str) -> None:
    over = frozenset({"Light Cav"} if advantage else ())
    combat = Combat(
        LIGHT._replace(advantage_over=over, reach=4), Unit(9),
        attacker_hex=RAMPART, defender_hex=HILL, distance=2,
    )  # fmt: skip
    assert marginal(combat_odds(combat), lambda end: end.hits) == odds(wanted)


def healths(combat: Combat) -> Dist[tuple[int, int]]:
    found: Dist[tuple[int, int]] = {}
    for end, p in combat_odds(combat).items():
        key = end.attacker, end.defender
        found[key] = found.get(key, F(0)) + p
    return found


def test_gb_g13_a_whole_combat() -> None:
    assert healths(Combat(LIGHT, LIGHT)) == {
        (3, 3): F(4, 9), (3, 2): F(2, 9), (2, 3): F(2, 9), (2, 2): F(1, 9),
    }  # fmt: skip


def test_gb_g14_a_whole_combat_against_the_weak() -> None:
    assert healths(Combat(LIGHT, Unit(1))) == {(3, 0): F(1, 3), (3, 1): F(4, 9), (2, 1): F(2, 9)}


@pytest.mark.parametrize(
    ("health", "won", "combats"),
    [(1, "3/5", "9/5"), (2, "69/125", "522/125"), (3, "1683/3125", "")],
)
def test_gb_g16_to_the_death(health: int, won: str, combats: str) -> None:
    end = to_the_death(Combat(Unit(health), Unit(health)))
    assert end.won == F(won)
    assert end.won + end.lost == 1
    assert not combats or end.combats == F(combats)


@pytest.mark.parametrize("distance", [1, 2])
def test_gb_g17_three_attacks(distance: int) -> None:
    """With Battle Back too: an attacker loses one point at most, so all three attack."""
    bows = [Combat(LIGHT._replace(reach=4), LIGHT, distance=distance)] * 3
    assert marginal(row_odds(bows), lambda row: row.target) == odds("1/27 2/9 4/9 8/27")


# ------------------------------------------------------------------ counts by hand


@pytest.mark.parametrize("health", [1, 2])
@pytest.mark.parametrize("advantage", [True, False])
def test_gb_rounds_apart_come_to_the_same_as_all_faces_at_once(
    health: int, advantage: bool
) -> None:
    combat = Combat(
        Unit(2, (BLUE,), (GREY,)), Unit(health), RIDGE, CAMP, said=(advantage, not advantage)
    )
    there, again = faced(combat), faced(combat, back=True)
    found: Dist[Outcome] = {}
    for faces in product(*there.attack, *there.defence, *again.attack, *again.defence):
        end = resolve(combat, one(*faces[:2]), one(*faces[2:]))
        found[end] = found.get(end, F(0)) + F(1, 6**4)
    assert found == combat_odds(combat)


def test_gb_taking_turns_by_hand() -> None:
    """Both hit with 1/3: w = 1/3 + 4/9 (1 - w), so w = 7/13; as many combats as in G16."""
    end = to_the_death(Combat(Unit(1), Unit(1)), order="turns")
    assert (end.won, end.lost, end.combats) == (F(7, 13), F(6, 13), F(9, 5))


def test_gb_taking_turns_without_battle_back_by_hand() -> None:
    """w = 1/3 + 2/3 (1 - w), so w = 3/5; a combat ends it with 1/3."""
    bow = Unit(1, reach=4)
    end = to_the_death(Combat(bow, bow, distance=2), order="turns")
    assert (end.won, end.lost, end.combats) == (F(3, 5), F(2, 5), F(3))
    # The first attacks once more with 4/9: 1 / (1 - 4/9).
    assert end.rounds == F(9, 5)


def test_gb_a13_whoever_attacks_second_attacks_a_tired_unit() -> None:
    """w = 1/3 + 4/9 (2/3 w), so w = 9/19; the answer to the first attack is 2/9."""
    end = to_the_death(Combat(Unit(1), Unit(1)), order="turns", rulings=Rulings(tired_may=False))
    assert (end.won, end.lost) == (F(9, 19), F(10, 19))


def test_gb_who_always_attacks_from_afar_wins() -> None:
    bow = Unit(2, reach=4)
    end = to_the_death(Combat(bow, bow, distance=2))
    assert (end.won, end.lost, end.combats) == (F(1), F(0), F(6))


def test_gb_nobody_can_be_hurt() -> None:
    blank: Die = ("-",) * 6
    end = to_the_death(Combat(Unit(1, (blank,)), Unit(1, (blank,))))
    assert end == (F(0), F(0), F(1), None, None)


@pytest.mark.parametrize("order", ["same", "turns"])
def test_gb_equations_agree_with_many_combats_one_by_one(order: Literal["same", "turns"]) -> None:
    """After 150 combats hardly anything is left open: the equations lie within that rest."""
    combat = Combat(Unit(2, (RED,), (GREY,)), Unit(3), attacker_hex=CAMP, defender_hex=HILL)

    @cache
    def healths_after(one: int, other: int, turned: bool) -> dict[tuple[int, int], float]:
        weak, strong = combat.attacker._replace(health=one), combat.defender._replace(health=other)
        now = replace(combat, attacker=weak, defender=strong)
        found = healths(swapped(now) if turned else now).items()
        return {(y, x) if turned else (x, y): float(p) for (x, y), p in found}

    open_: dict[tuple[int, int, bool], float] = {(2, 3, False): 1.0}
    won = 0.0
    for _ in range(150):
        then: dict[tuple[int, int, bool], float] = {}
        for state, p in open_.items():
            for (one, other), q in healths_after(*state).items():
                if other == 0:
                    won += p * q
                elif one > 0:
                    key = one, other, order == "turns" and not state[2]
                    then[key] = then.get(key, 0.0) + p * q
        open_ = then
    assert sum(open_.values()) < 1e-9
    assert float(to_the_death(combat, order=order).won) == pytest.approx(won, abs=1e-9)


def test_gb_the_other_attacks_from_its_own_hex() -> None:
    combat = Combat(LIGHT, Unit(2), attacker_hex=RIDGE, defender_hex=HILL)
    assert swapped(combat) == Combat(Unit(2), LIGHT, attacker_hex=HILL, defender_hex=RIDGE)
    assert faced(swapped(combat)) == faced(combat, back=True)


def test_gb_elimination_by_hand() -> None:
    """x + 2y = 5, 3x + 4y = 11; and one that needs its rows exchanged."""
    assert elimination([[F(1), F(2), F(5)], [F(3), F(4), F(11)]]) == [1, 2]
    assert elimination([[F(0), F(2), F(4)], [F(5), F(0), F(15)]]) == [3, 2]


# ------------------------------------------------------------------ hexes and readings


@pytest.mark.parametrize(
    ("hexes", "first", "back"),
    [
        (WOODS, Round((YELLOW,), (BROWN, BROWN)), Round((YELLOW,), (BROWN,))),
        (HILL, Round((YELLOW,), (BROWN,), False, "", "s"), Round((YELLOW,), (BROWN,))),
        (RIDGE, Round((YELLOW,), (BROWN,)), Round((YELLOW,), (BROWN,), False, "d")),
        (CAMP, Round((YELLOW,), (BROWN,)), Round((YELLOW,), (BROWN,), False, "b")),
        (RAMPART, Round((YELLOW,), (BROWN,)), Round((YELLOW, BLUE), (BROWN,))),
    ],
)
def test_gb_what_the_defenders_hex_gives(hexes: Ground, first: Round, back: Round) -> None:
    combat = Combat(LIGHT, LIGHT, defender_hex=hexes)
    assert (faced(combat), faced(combat, back=True)) == (first, back)


def whose(of: str) -> Callable[[Rulings], Round]:
    """The first round of an attacker whose own hex or whose target's hex gives one Damage."""
    gift = Ground((Bonus("damage", "round_attacker", "own" if of == "own" else "enemy"),))

    def stands(rulings: Rulings) -> Round:
        both = Combat(LIGHT, LIGHT, attacker_hex=gift, defender_hex=gift)
        return faced(both, rulings=rulings)

    return stands


@pytest.mark.parametrize("of", ["own", "enemy"])
def test_gb_a11_which_hex_counts(of: str) -> None:
    stands = whose(of)
    assert stands(BOOK).attack_symbols == "d"
    assert stands(Rulings(whose_hex="own")).attack_symbols == "d"
    assert stands(Rulings(whose_hex="enemy")).attack_symbols == "d"
    assert stands(Rulings(whose_hex="both")).attack_symbols == "dd"


def test_gb_a1_a_defence_die_among_attack_dice_does_nothing() -> None:
    combat = Combat(LIGHT, LIGHT, defender_hex=WOODS)
    literal = Rulings(defence_die_into="attack")
    assert faced(combat, rulings=literal) == Round((YELLOW, BROWN), (BROWN,))
    assert hit_odds(faced(combat, rulings=literal)) == odds("2/3 1/3")
    assert hit_odds(faced(combat)) == odds("7/9 2/9")


def test_gb_a2_a10_a13_when_battle_back_is_possible() -> None:
    def back(combat: Combat, rulings: Rulings = BOOK) -> bool:
        return any(end.hits_back is not None for end in combat_odds(combat, rulings=rulings))

    bow, able = LIGHT._replace(reach=4), LIGHT._replace(can_battle_back=True)
    reach, ability = Rulings(battle_back="able"), Rulings(battle_back="ability")
    assert back(Combat(LIGHT, LIGHT))
    assert not back(Combat(bow, bow, distance=3))
    assert back(Combat(bow, bow, distance=3), reach)
    assert not back(Combat(bow, bow, distance=3, sees=False), reach)
    assert not back(Combat(bow, LIGHT, distance=3), reach)
    assert not back(Combat(LIGHT, LIGHT), ability)
    assert back(Combat(LIGHT, able), ability)
    assert not back(Combat(LIGHT, LIGHT, declines=True), Rulings(optional=True))
    assert back(Combat(LIGHT, LIGHT, declines=True))
    assert back(Combat(LIGHT, LIGHT._replace(tired=True)))
    assert not back(Combat(LIGHT, LIGHT._replace(tired=True)), Rulings(tired_may=False))


def test_gb_a4_hits_below_zero_give_health_back() -> None:
    heals = Rulings(below_zero="heals")
    assert hits(("-",), ("ss",), Round((), ()), rulings=heals) == -2
    assert lose(Unit(3, most=9), -2) == 5
    assert lose(Unit(3, most=4), -2) == 4
    assert lose(Unit(3), -2) == 3


def test_gb_a12_of_several_sources_all_count_or_the_best() -> None:
    two, black = (
        Bonus("shield", "round_defender", times=2),
        Bonus("defence_die", "round_defender", die=BLACK),
    )
    ground = Ground((*WOODS.bonuses, *HILL.bonuses, two, black))
    combat = Combat(LIGHT, LIGHT, defender_hex=ground)
    assert faced(combat) == Round((YELLOW,), (BROWN, BROWN, BLACK), False, "", "sss")
    best = Round((YELLOW,), (BROWN, BLACK), False, "", "ss")
    assert faced(combat, rulings=Rulings(several="best")) == best


@pytest.mark.parametrize("advantage", [True, False])
def test_gb_a12_bonus_damage_counts_for_the_best_only_with_advantage(advantage: bool) -> None:
    many: Die = ("bb",) * 6
    dice = [Bonus("attack_die", "round_attacker", die=die) for die in (RED, many)]
    combat = Combat(LIGHT, LIGHT, Ground(tuple(dice)), said=(advantage, None))
    stands = faced(combat, rulings=Rulings(several="best"))
    assert stands.attack == (YELLOW, many if advantage else RED)


def test_gb_a3_what_gives_advantage() -> None:
    strong = LIGHT._replace(advantage_over=frozenset({"Light Cav"}))
    high, low = Ground(advantage="grants"), Ground(advantage="denies")
    terrain, support = Rulings(advantage="terrain"), Rulings(advantage="support")
    assert faced(Combat(strong, LIGHT)).advantage
    assert not faced(Combat(strong, LIGHT), back=True).advantage
    assert faced(Combat(LIGHT, strong), back=True).advantage
    assert not faced(Combat(strong, LIGHT), rulings=terrain).advantage
    assert not faced(Combat(strong, LIGHT, defender_hex=low)).advantage
    assert faced(Combat(LIGHT, LIGHT, high), rulings=terrain).advantage
    assert not faced(Combat(LIGHT, LIGHT, high), back=True, rulings=terrain).advantage
    assert not faced(Combat(LIGHT, LIGHT, high, low)).advantage
    beside = Combat(strong, LIGHT, supported=(False, True))
    assert not faced(beside, rulings=support).advantage
    assert faced(beside, back=True, rulings=support).advantage
    assert not faced(Combat(strong, LIGHT, said=(False, None))).advantage
    assert faced(Combat(LIGHT, LIGHT, defender_hex=low, said=(True, None))).advantage


def test_gb_a5_removed_once_below_zero() -> None:
    below = Rulings(removed_at=-1)
    sure: Die = ("d",) * 6
    combat = Combat(Unit(1, (sure,), ()), Unit(1, (sure,), ()))
    assert combat_odds(combat) == {Outcome(1, None, 1, 0): F(1)}
    assert combat_odds(combat, rulings=below) == {Outcome(1, 1, 0, 0): F(1)}
    weak = replace(combat, defender=Unit(0, (sure,), ()))
    assert combat_odds(weak, rulings=below) == {Outcome(1, None, 1, -1): F(1)}
    assert to_the_death(combat, rulings=below) == (F(1), F(0), F(0), F(2), F(2))


def test_gb_a17_shots_at_an_adjacent_enemy() -> None:
    def back(combat: Combat, rulings: Rulings) -> bool:
        return any(end.hits_back is not None for end in combat_odds(combat, rulings=rulings))

    bow = LIGHT._replace(reach=4)
    assert back(Combat(bow, LIGHT), BOOK)
    assert not back(Combat(bow, LIGHT), Rulings(close_shots="shoots"))
    assert back(Combat(LIGHT, bow), Rulings(close_shots="shoots"))
    assert not back(Combat(LIGHT, bow), Rulings(close_shots="never", battle_back="able"))
    assert back(Combat(LIGHT, bow), Rulings(battle_back="able"))
    assert back(Combat(LIGHT, bow), Rulings(close_shots="never"))


# ------------------------------------------------------------------ the assumed dice


def test_gb_assumed_dice_grow_stronger_in_the_order_of_the_list() -> None:
    def at_least(die: Die, n: int, symbols: str) -> int:
        return sum(sum(face.count(s) for s in symbols) >= n for face in die)

    for weak, strong in [(YELLOW, BLUE), (BLUE, RED), (BROWN, GREY), (GREY, BLACK)]:
        for n, symbols in product(range(4), ["d", "db", "s"]):
            assert at_least(weak, n, symbols) <= at_least(strong, n, symbols)
    for name, die in DICE.items():
        wrong = "s" if name in {"yellow", "blue", "red"} else "db"
        assert len(die) == 6
        assert not any(symbol in face for face in die for symbol in wrong)
