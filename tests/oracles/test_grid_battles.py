"""The oracle of Grid Battles: against the worked examples and exact odds, and by hand."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, Literal

import pytest

from tests.vectors import Vector, roster_of, vectors_of, written_out

from .grid_battles import (
    BOOK,
    DICE,
    Bonus,
    Combat,
    Die,
    Dist,
    Ground,
    Outcome,
    Part,
    Round,
    Row,
    Rulings,
    Unit,
    battles_back,
    combat_odds,
    elimination,
    faced,
    hit_odds,
    hits,
    is_gone,
    lose,
    marginal,
    may_attack,
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


# ------------------------------------------------------------------ vectors as the oracle has them

VECTORS = vectors_of("grid-battles")
KNOWN = {
    "setup": {"attacker", "defender", "followers", "attacker_terrain", "defender_terrain",
              "distance_hexes", "line_of_sight", "return_sight", "attacker_advantage",
              "defender_advantage", "attacker_supported", "defender_supported", "defender_status",
              "dice"},
    "unit": {"name", "kinds", "attack", "defence", "health", "health_max", "move", "range_hexes",
             "advantage_over", "abilities", "source"},
    "terrain": {"name", "blocks", "move_cost", "hampers", "bonuses", "advantage", "source"},
    "bonus": {"kind", "count", "colour", "whose_hex"},
    "options": {"hold", "strike"},
    "fields": {"hits", "damage", "health", "removed", "battle_back", "back_hits", "taken",
               "attacker_health", "attackers_removed"},
}  # fmt: skip
"""What the oracle tells: combats and rows of them; games on a map have an oracle of their own."""
READINGS = {field.name for field in fields(Rulings)}
TOLD_IDS = {
    "S-1", "S-2", "S-3", "S-4", "V1", "V2", "V4", "V4-without", "V5", "V7", "V8", "V10", "V11",
    "V13", "V14", "V16", "V17", "V20", "V22", "V23", "V25", "V26", "V28", "GB-6", "GB-9", "GB-12",
    "GB-46", "GB-60", "GB-67", "T1", "T2", "G1", "G2", "G4", "G5", "G7", "G8", "G10", "G11", "G13",
    "G14", "G17", "G17-shots",
}  # fmt: skip
"""Vectors that the oracle has to tell."""
SAID = {"rules": None, "granted": True, "denied": False}
GIVEN_TO: dict[str, Part] = {"shield": "round_defender", "defence_die": "round_defender"}


def unit_sheets(setup: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The sheets of the defender, the attacker and its followers."""
    given = [setup["defender"], setup["attacker"], *setup.get("followers", ())]
    return [written_out(one, roster_of("grid-battles", "units")) for one in given]


def terrain_sheet(setup: Mapping[str, Any], side: str) -> dict[str, Any]:
    return written_out(setup.get(f"{side}_terrain", {}), roster_of("grid-battles", "terrain"))


def is_told(vector: Vector) -> bool:
    """Whether the oracle knows every word of a vector."""
    setup = vector.setup
    if setup.keys() - KNOWN["setup"] or vector.choose or vector.rulings.keys() - READINGS:
        return False
    lands = [terrain_sheet(setup, side) for side in ("attacker", "defender")]
    unknown = {key for sheet in unit_sheets(setup) for key in sheet.keys() - KNOWN["unit"]}
    unknown |= {key for land in lands for key in land.keys() - KNOWN["terrain"]}
    unknown |= {
        key
        for land in lands
        for one in land.get("bonuses", ())
        for key in one.keys() - KNOWN["bonus"]
    }
    return not unknown | set(vector.options) - KNOWN["options"]


def dice_of(setup: Mapping[str, Any], colours: Iterable[str]) -> tuple[Die, ...]:
    """Dice by their colours, from the set that the setup names."""
    dice = written_out(setup.get("dice", "assumed"), roster_of("grid-battles", "dice"))
    return tuple(tuple(dice[colour]) for colour in colours)


def unit_of(setup: Mapping[str, Any], sheet: Mapping[str, Any], *, tired: bool = False) -> Unit:
    return Unit(
        sheet["health"], dice_of(setup, sheet["attack"]), dice_of(setup, sheet.get("defence", ())),
        sheet.get("name", ""), tuple(sheet.get("kinds", ())),
        frozenset(sheet.get("advantage_over", ())), sheet.get("range_hexes", 1),
        sheet.get("health_max", 0), "battle_back" in sheet.get("abilities", ()), tired,
    )  # fmt: skip


def ground_of(setup: Mapping[str, Any], side: str) -> Ground:
    land = terrain_sheet(setup, side)
    bonuses = tuple(
        Bonus(
            one["kind"], GIVEN_TO.get(one["kind"], "round_attacker"), one.get("whose_hex", "own"),
            one.get("count", 1), dice_of(setup, [one["colour"]])[0] if "colour" in one else (),
        )
        for one in land.get("bonuses", ())
    )  # fmt: skip
    return Ground(bonuses, land.get("advantage", "none"))


def combats_of(vector: Vector) -> list[Combat]:
    """The combats of a vector: the attacker's, then those of its followers."""
    setup = vector.setup
    defender, *attackers = unit_sheets(setup)
    plain = Combat(
        LIGHT, unit_of(setup, defender, tired=setup.get("defender_status", "fresh") != "fresh"),
        ground_of(setup, "attacker"), ground_of(setup, "defender"),
        distance=setup.get("distance_hexes", 1),
        sees="blocked" not in {setup.get("line_of_sight"), setup.get("return_sight")},
        declines="hold" in vector.options,
        said=(SAID[setup.get("attacker_advantage", "rules")],
              SAID[setup.get("defender_advantage", "rules")]),
        supported=(setup.get("attacker_supported", False), setup.get("defender_supported", False)),
    )  # fmt: skip
    return [replace(plain, attacker=unit_of(setup, sheet)) for sheet in attackers]


def rulings_of(vector: Vector) -> Rulings:
    return Rulings(**vector.rulings)  # type: ignore[arg-type]  # as the room calls them


def played(vector: Vector) -> list[tuple[Combat, Outcome]]:
    """The combats with their outcomes, by the faces of the vector."""
    faces, rulings = list(vector.dice), rulings_of(vector)
    done: list[tuple[Combat, Outcome]] = []

    def rolled(stands: Round) -> tuple[tuple[str, ...], tuple[str, ...]]:
        shown = [tuple(faces.pop(0) for _ in dice) for dice in (stands.attack, stands.defence)]
        dice = stands.attack + stands.defence
        assert all(face in die for face, die in zip(shown[0] + shown[1], dice, strict=True))
        return shown[0], shown[1]

    for combat in combats_of(vector):
        health = done[-1][1].defender if done else combat.defender.health
        now = replace(combat, defender=combat.defender._replace(health=health))
        first = rolled(faced(now, rulings=rulings))
        left = lose(now.defender, hits(*first, faced(now, rulings=rulings), rulings=rulings))
        answers = left > 0 and battles_back(now, rulings=rulings)
        back = rolled(faced(now, back=True, rulings=rulings)) if answers else None
        done.append((now, resolve(now, first, back, rulings=rulings)))
        if is_gone(done[-1][1].defender, rulings=rulings):
            break
    assert not faces
    return done


def field_of(name: str, done: Sequence[tuple[Combat, Outcome]], rulings: Rulings) -> object:
    """A field of the outcome, as the room calls it."""
    ends = [end for _, end in done]
    last = ends[-1]
    told: dict[str, object] = {
        "hits": sum(end.hits for end in ends),
        "back_hits": sum(end.hits_back or 0 for end in ends),
        "battle_back": last.hits_back is not None,
        "damage": sum(combat.defender.health - end.defender for combat, end in done),
        "taken": sum(combat.attacker.health - end.attacker for combat, end in done),
        "health": last.defender,
        "attacker_health": last.attacker,
        "removed": is_gone(last.defender, rulings=rulings),
        "attackers_removed": sum(is_gone(end.attacker, rulings=rulings) for end in ends),
    }
    return told[name]


def odds_of(vector: Vector, name: str) -> Dist[Hashable]:
    """The chances of a field."""
    rulings, combats = rulings_of(vector), combats_of(vector)
    if len(combats) == 1:
        ends = combat_odds(combats[0], rulings=rulings)
        return marginal(ends, lambda end: field_of(name, [(combats[0], end)], rulings))
    assert name == "health"
    return marginal(row_odds(combats, rulings=rulings), lambda row: row.target)


# ------------------------------------------------------------------ vectors

TOLD = [name for name, vector in VECTORS.items() if is_told(vector)]


def test_all_that_can_be_told_is_told() -> None:
    assert {id_ for name in TOLD for id_ in VECTORS[name].ids} >= TOLD_IDS


@pytest.mark.parametrize("name", [name for name in TOLD if VECTORS[name].expect])
def test_worked_examples(name: str) -> None:
    vector = VECTORS[name]
    refused = not may_attack(combats_of(vector)[0], rulings=rulings_of(vector))
    assert refused == ("refused" in vector.expect)
    if not refused:
        done, expected = played(vector), vector.expect.keys() & KNOWN["fields"]
        assert expected
        assert {key: field_of(key, done, rulings_of(vector)) for key in expected} == {
            key: vector.expect[key] for key in expected
        }


@pytest.mark.parametrize("name", [name for name in TOLD if VECTORS[name].odds])
def test_exact_odds(name: str) -> None:
    odds = dict(VECTORS[name].odds)
    for field, mean in odds.pop("_mean", {}).items():
        assert sum(n * p for n, p in odds_of(VECTORS[name], field).items()) == F(mean)  # type: ignore[operator]  # numbers
    for field, chances in odds.items():
        found = {str(n).lower(): p for n, p in odds_of(VECTORS[name], field).items()}
        assert {value: found.get(value, F(0)) for value in chances} == {
            value: F(p) for value, p in chances.items()
        }


# ------------------------------------------------------------------ faces given


def one(face: str, shield: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (face,), (shield,)


def test_gb_v25_terrain_is_worked_out_again_for_battle_back() -> None:
    combat = Combat(LIGHT, LIGHT, defender_hex=WOODS)
    assert faced(combat) == Round((YELLOW,), (BROWN, BROWN))
    assert faced(combat, back=True) == Round((YELLOW,), (BROWN,))


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
    end = to_the_death(Combat(Unit(1), Unit(1)), order="turns", rulings=Rulings(fatigue="fresh"))
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
    literal = Rulings(bonus_dice="attack")
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
    assert not back(Combat(LIGHT, LIGHT, declines=True), Rulings(strikes_back="chosen"))
    assert back(Combat(LIGHT, LIGHT, declines=True))
    assert back(Combat(LIGHT, LIGHT._replace(tired=True)))
    assert not back(Combat(LIGHT, LIGHT._replace(tired=True)), Rulings(fatigue="fresh"))


def test_gb_a4_hits_below_zero_give_health_back() -> None:
    heals = Rulings(negative="heals")
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
    assert faced(combat, rulings=Rulings(stacking="best")) == best


@pytest.mark.parametrize("advantage", [True, False])
def test_gb_a12_bonus_damage_counts_for_the_best_only_with_advantage(advantage: bool) -> None:
    many: Die = ("bb",) * 6
    dice = [Bonus("attack_die", "round_attacker", die=die) for die in (RED, many)]
    combat = Combat(LIGHT, LIGHT, Ground(tuple(dice)), said=(advantage, None))
    stands = faced(combat, rulings=Rulings(stacking="best"))
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
    below = Rulings(removal="below")
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
