"""Symbols: what stands on the dice, how it is read, and what is assumed of it."""

import tomllib
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import pytest

from affray.core.dice import Die, Pool
from affray.core.errors import SetupError
from affray.core.reading import Read, distribution, enumerated
from affray.systems.grid_battles import SYSTEM
from affray.systems.grid_battles.reading import Rolled, Shields, Symbols
from affray.systems.grid_battles.sheet import ASSUMED, DiceSet, die_of

from .factory import WORKED

ATTACK = ("yellow", "blue", "red")
DEFENCE = ("brown", "grey", "black")
MEANS = (
    ("1/2", "1"), ("1", "4/3"), ("3/2", "11/6"), ("1/3", "1/3"), ("1/2", "1/2"), ("5/6", "5/6"),
)  # fmt: skip


def faces(**changes: tuple[str, ...]) -> DiceSet:
    kept = {colour: getattr(ASSUMED, colour) for colour in ATTACK + DEFENCE}
    return DiceSet(**{**kept, **changes})


# -- the sheet -------------------------------------------------------------------------------


@pytest.mark.parametrize("n_faces", [0, 5, 7])
def test_gb10_every_die_has_six_faces(n_faces: int) -> None:
    with pytest.raises(SetupError, match=f"blue die has {n_faces} faces; every die has 6"):
        faces(blue=("d",) * n_faces)


@pytest.mark.parametrize(
    ("colour", "face"),
    [("yellow", "s"), ("red", "ds"), ("brown", "d"), ("black", "sb"), ("blue", "x"), ("grey", "")],
)
def test_gb17_no_symbol_on_the_wrong_kind_of_die(colour: str, face: str) -> None:
    with pytest.raises(SetupError, match=f"{colour} die has the face {face!r}.*allowed"):
        faces(**{colour: ("-", "-", "-", "-", "-", face)})


def test_gb17_faces_hold_any_number_of_symbols() -> None:
    made = faces(red=("-", "ddd", "bb", "db", "ddbb", "d"), black=("-", "s", "ss", "sss", "-", "s"))
    assert die_of(made, "red").faces == ("-", "ddd", "bb", "db", "ddbb", "d")


def test_gb10_the_set_names_six_dice_and_no_others() -> None:
    with pytest.raises(TypeError, match="green"):
        faces(green=("d",) * 6)


# -- readings --------------------------------------------------------------------------------


def pools() -> Iterator[tuple[Pool, Read[object]]]:
    for dice in (ASSUMED, WORKED):
        attack = [die_of(dice, colour) for colour in ATTACK]
        defence = [die_of(dice, colour) for colour in DEFENCE]
        for advantage in (False, True):
            yield Pool((attack[0], 1)), Symbols(advantage)
            yield Pool((attack[0], 2), (attack[2], 1)), Symbols(advantage)
            yield Pool((attack[1], 1), (defence[1], 1)), Symbols(advantage)
        yield Pool((defence[0], 2), (defence[2], 2)), Shields()
    yield Pool(), Symbols(advantage=True)
    yield Pool(), Shields()


@pytest.mark.parametrize(("pool", "read"), list(pools()), ids=str)
def test_gb14_counted_is_enumerated(pool: Pool, read: Read[object]) -> None:
    assert read.counted(pool) == enumerated(pool, read)  # type: ignore[attr-defined]  # all do


def test_gb11_damage_is_summed_over_all_dice() -> None:
    assert Symbols(advantage=False)(("d", "dd", "-")) == Rolled(3, 0)


def test_gb12_bonus_damage_is_kept_only_where_it_counts() -> None:
    assert Symbols(advantage=False)(("db", "bb")) == Rolled(1, 0)
    assert Symbols(advantage=True)(("db", "bb")) == Rolled(1, 3)


def test_gb13_shields_are_summed_over_all_dice() -> None:
    assert Shields()(("s", "-", "ss")) == 3


# -- what is assumed -------------------------------------------------------------------------


def symbols(colour: str, *, advantage: bool = False) -> dict[int, Fraction]:
    """How many symbols of a die count, with their chances, face by face."""
    counting = "ds" + ("b" if advantage else "")
    shown = [sum(map(face.count, counting)) for face in getattr(ASSUMED, colour)]
    return {number: Fraction(shown.count(number), 6) for number in sorted(set(shown))}


@pytest.mark.parametrize(
    ("colour", "advantage", "odds"),
    [
        ("yellow", False, "1/2 1/2"), ("yellow", True, "0 1"),
        ("blue", False, "1/6 2/3 1/6"), ("blue", True, "0 2/3 1/3"),
        ("red", False, "1/6 1/3 1/3 1/6"), ("red", True, "0 1/3 1/2 1/6"),
        ("brown", False, "2/3 1/3"), ("grey", False, "1/2 1/2"), ("black", False, "1/3 1/2 1/6"),
    ],
)  # fmt: skip
def test_gb10_single_dice_of_the_assumed_set(colour: str, advantage: bool, odds: str) -> None:
    wanted = {n: Fraction(chance) for n, chance in enumerate(odds.split()) if Fraction(chance)}
    assert symbols(colour, advantage=advantage) == wanted
    pool = Pool((die_of(ASSUMED, colour), 1))
    if colour in DEFENCE:
        assert distribution(pool, Shields()).fractions() == wanted
    else:
        counted = distribution(pool, Symbols(advantage)).map(sum)
        assert counted.fractions() == wanted


@pytest.mark.parametrize(
    ("colours", "advantage"), [(ATTACK, False), (ATTACK, True), (DEFENCE, False)]
)
def test_a21_each_die_beats_the_one_listed_before_it(
    colours: tuple[str, ...], advantage: bool
) -> None:
    """First-order dominance: at least n symbols are never less likely, and once more likely."""
    for weak, strong in pairwise(colours):
        low, high = symbols(weak, advantage=advantage), symbols(strong, advantage=advantage)
        gains = [
            sum(p for k, p in high.items() if k >= n) - sum(p for k, p in low.items() if k >= n)
            for n in range(1, 4)
        ]
        assert min(gains) >= 0, (weak, strong)
        assert max(gains) > 0, (weak, strong)


@pytest.mark.parametrize("colour", ATTACK)
def test_gb12_advantage_matters_for_every_assumed_attack_die(colour: str) -> None:
    assert any("b" in face for face in getattr(ASSUMED, colour))


@pytest.mark.parametrize("colour", ATTACK)
def test_gb17_assumed_attack_faces_carry_damage_or_bonus_damage(colour: str) -> None:
    """The text gives blank sides to defense dice alone, and no side two kinds of symbols."""
    assert all(face != "-" and len(set(face)) == 1 for face in getattr(ASSUMED, colour))


@pytest.mark.parametrize(("of", "mean"), list(zip(ATTACK + DEFENCE, MEANS, strict=True)))
def test_gb17_mixed_dice_are_as_strong_on_average(of: str, mean: tuple[str, str]) -> None:
    """By hand: symbols on six faces, without and with Advantage."""
    with (SYSTEM.folder / "roster" / "dice.toml").open("rb") as file:
        sets = tomllib.load(file)
    for name in ("assumed", "mixed"):
        faces = "".join(sets[name][of])
        plain = faces.count("d") + faces.count("s")
        assert (Fraction(plain, 6), Fraction(plain + faces.count("b"), 6)) == tuple(
            map(Fraction, mean)
        )


def test_the_assumed_faces_stand_in_the_roster_and_say_so() -> None:
    with (SYSTEM.folder / "roster" / "dice.toml").open("rb") as file:
        entry = tomllib.load(file)["assumed"]
    assert "assumption" in entry["source"]
    for colour in ATTACK + DEFENCE:
        assert getattr(ASSUMED, colour) == tuple(entry[colour])


def test_a_die_is_made_of_its_faces() -> None:
    assert die_of(ASSUMED, "brown") == Die("brown", ASSUMED.brown)
