"""Things on the table: dice, pools, the faces they refuse, table notation."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.core.dice import D100, Die, Face, Lot, Pool, d, parse_dice, spoken
from affray.core.errors import SetupError
from affray.core.telling import shown
from tests.core.strategies import ANY, pools

COIN = Die("coin", ("crown", "cross"))


# -- one die ---------------------------------------------------------------------------------


def test_fair_die_has_each_face_once() -> None:
    die = d(4)
    assert die.name == "d4"
    assert die.faces == (1, 2, 3, 4)
    assert die.weighted == ((1, 1), (2, 1), (3, 1), (4, 1))


def test_percentile_die_reads_00_as_zero() -> None:
    assert D100.faces[0] == 0
    assert D100.faces[-1] == 99
    assert len(D100.faces) == 100
    assert d(100).faces[0] == 1


def test_faces_keep_their_order_and_weights() -> None:
    die = Die("fate", ("-", "", "+"), (1, 2, 3))
    assert die.weighted == (("-", 1), ("", 2), ("+", 3))


@pytest.mark.parametrize(("faces", "numeric"), [((1, 2), True), (("a",), False), ((1, "a"), False)])
def test_numeric_only_when_every_face_is_a_number(faces: tuple[Face, ...], numeric: bool) -> None:
    assert Die("x", faces).is_numeric is numeric


def test_equal_dice_are_equal_and_hash_alike() -> None:
    made = Die("d6", range(1, 7))
    assert made == d(6)
    assert hash(made) == hash(d(6))
    assert len({made, d(6)}) == 1


@pytest.mark.parametrize(
    "other",
    [
        Die("w6", range(1, 7)),
        Die("d6", range(6)),
        Die("d6", range(1, 7), (1, 1, 1, 1, 1, 2)),
        "d6",
    ],
)
def test_name_faces_and_weights_all_count_for_equality(other: object) -> None:
    assert d(6) != other


@pytest.mark.parametrize(
    ("faces", "weights", "message"),
    [
        ((), None, r"die 'x' has no face"),
        ((1, 2), (1,), r"die 'x': 2 faces with weights \(1,\); allowed: one whole weight"),
        ((1, 2), (1, 0), r"weights \(1, 0\); allowed: one whole weight of at least 1"),
        ((1, 2), (1, -1), r"at least 1 for each face"),
        ((1, 2), (1, 1.5), r"one whole weight"),
        ((1,), (), r"one whole weight"),
    ],
)
def test_wrong_die_is_refused(faces: tuple[Face, ...], weights: Any, message: str) -> None:
    with pytest.raises(SetupError, match=message):
        Die("x", faces, weights)


@pytest.mark.parametrize("sides", [0, -1, 1001])
def test_number_of_sides_has_limits(sides: int) -> None:
    with pytest.raises(SetupError, match=rf"{sides} sides; allowed: 1 to 1000"):
        d(sides)


def test_limits_of_sides_are_allowed() -> None:
    assert d(1).faces == (1,)
    assert len(d(1000).faces) == 1000


# -- pools -----------------------------------------------------------------------------------


def test_pool_lists_dice_in_order() -> None:
    pool = Pool((d(10), 2), (COIN, 1))
    assert pool.dice == (d(10), d(10), COIN)
    assert pool.size == 3
    assert str(pool) == "2d10+1coin"
    assert repr(pool) == "Pool(2d10+1coin)"


def test_groups_without_dice_vanish() -> None:
    assert Pool((d(6), 0), (d(4), 1)) == Pool((d(4), 1))
    assert hash(Pool((d(6), 0), (d(4), 1))) == hash(Pool((d(4), 1)))


def test_empty_pool_says_so() -> None:
    assert str(Pool()) == "no dice"
    assert Pool().size == 0
    assert Pool().refuse(()) is None


def test_order_of_groups_counts() -> None:
    assert Pool((d(6), 1), (d(4), 1)) != Pool((d(4), 1), (d(6), 1))
    assert Pool((d(6), 1)) != "1d6"


def test_negative_number_of_dice_is_refused() -> None:
    with pytest.raises(SetupError, match="negative number of dice"):
        Pool((d(6), 2), (d(4), -1))


def test_too_many_dice_are_refused() -> None:
    assert Pool((d(6), 10_000)).size == 10_000
    with pytest.raises(SetupError, match="a pool of 10001 dice; allowed: at most 10000"):
        Pool((d(6), 10_000), (d(4), 1))


@given(pools(ANY), st.data())
def test_faces_of_the_dice_are_accepted(pool: Pool, data: st.DataObject) -> None:
    faces = [data.draw(st.sampled_from(die.faces)) for die in pool.dice]
    assert pool.refuse(faces) is None


@given(pools(ANY), st.data())
def test_a_foreign_face_is_refused_by_place(pool: Pool, data: st.DataObject) -> None:
    if not pool.size:
        return
    faces: list[Face] = [data.draw(st.sampled_from(die.faces)) for die in pool.dice]
    place = data.draw(st.integers(0, pool.size - 1))
    faces[place] = 77
    wrong = pool.refuse(faces)
    assert wrong is not None
    assert wrong.startswith(f"77 is no face of die {place + 1} ({pool.dice[place].name}); allowed")


@given(pools(ANY), st.integers(0, 14))
def test_another_number_of_faces_is_refused(pool: Pool, number: int) -> None:
    wrong = pool.refuse((1,) * (number if number != pool.size else number + 1))
    assert wrong is not None
    assert wrong.endswith(f"faces given for {pool}; needed: {pool.size}")


@pytest.mark.parametrize(
    ("die", "face", "allowed"),
    [
        (d(6), 0, "1 to 6"),
        (d(6), 7, "1 to 6"),
        (d(6), "3", "1 to 6"),
        (d(6), True, "1 to 6"),
        (d(6), 3.0, "1 to 6"),
        (d(6), None, "1 to 6"),
        (d(6), [3], "1 to 6"),
        (D100, 100, "0 to 99, where 00 is 0"),
        (d(6), "x" * 5000, "1 to 6"),
        (COIN, "edge", "crown, cross"),
        (Die("fate", ("", "", "+")), "-", r"blank, \+"),
        (Die("odd", (1, 3, 5)), 2, "1, 3, 5"),
    ],
)
def test_refusal_names_the_face_and_what_is_allowed(die: Die, face: object, allowed: str) -> None:
    wrong = Pool((die, 1)).refuse((face,))
    assert wrong == (
        f"{shown(face)} is no face of die 1 ({die.name}); allowed: {allowed.replace(chr(92), '')}"
    )


# -- table notation --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "pool", "flat"),
    [
        ("d6", Pool((d(6), 1)), 0),
        ("1d6", Pool((d(6), 1)), 0),
        ("3d6+2", Pool((d(6), 3)), 2),
        ("2d10+1d6-1", Pool((d(10), 2), (d(6), 1)), -1),
        (" 2 D 10 + d6 - 1 ", Pool((d(10), 2), (d(6), 1)), -1),
        ("d100", Pool((d(100), 1)), 0),
        ("2d%", Pool((d(100), 2)), 0),
        ("d%+d100", Pool((d(100), 2)), 0),
        ("5", Pool(), 5),
        ("-5", Pool(), -5),
        ("2+3-1+d4", Pool((d(4), 1)), 4),
        ("+d4", Pool((d(4), 1)), 0),
        ("0d6", Pool(), 0),
        ("d6+d4+2d6", Pool((d(6), 3), (d(4), 1)), 0),
    ],
)
def test_notation(text: str, pool: Pool, flat: int) -> None:
    assert parse_dice(text) == (pool, flat)


@pytest.mark.parametrize(
    "text",
    [
        "", "   ", "d", "3d", "3d6+", "3d6 2", "d6d6", "-d6", "3d6-1d4", "3x6", "three", "3d6++2",
        "3d6*2", "d-6", "1.5d6", "d6 + + d4", "(d6)", "d6+2,", "%", "d6!", "d²", "٣d6", "d6+²",
        "d1000000000", "1000000000d6", "1000000000", "d6+1000000000",
    ],
)  # fmt: skip
def test_other_notation_is_refused_and_quoted(text: str) -> None:
    with pytest.raises(SetupError) as caught:
        parse_dice(text)
    assert str(caught.value) == (
        f"{text!r} is not dice; write them like 3d6+2, 2d10+1d6, d100 or d%"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("d0", "a die with 0 sides"),
        ("d1001", "1001 sides"),
        ("10001d6", "pool of 10001 dice"),
        ("d999999999", "999999999 sides"),
    ],
)
def test_notation_keeps_to_the_limits(text: str, message: str) -> None:
    with pytest.raises(SetupError, match=message):
        parse_dice(text)


@pytest.mark.parametrize("text", ["d" + "9" * 5000, "9" * 5000, "d6+" * 5000 + "d6", "x" * 5000])
def test_notation_of_any_length_gets_one_short_message(text: str) -> None:
    with pytest.raises(SetupError, match=r"characters\) is not dice; write them like") as caught:
        parse_dice(text)
    assert len(str(caught.value)) < 200


def test_a_d100_of_table_notation_shows_1_to_100() -> None:
    pool, _ = parse_dice("d100")
    assert pool.dice[0].faces == tuple(range(1, 101))


# -- faces as people type them ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("die", "typed", "face"),
    [
        (d(10), 0, 10), (d(10), "0", 10), (d(10), "00", 10), (d(10), "10", 10), (d(10), 10, 10),
        (d(10), "7", 7), (d(10), "07", 7), (d(10), 11, None), (d(10), "", None),
        (d(10), True, None), (d(10), 3.0, None), (d(10), None, None), (d(10), [1], None),
        (d(10), "²", None), (d(10), "٣", None), (d(10), "--5", None), (d(10), "9" * 5000, None),
        (Die("d10", range(10)), 0, 0), (Die("d10", range(10)), 10, None),
        (D100, "00", 0), (D100, 0, 0), (D100, "07", 7), (D100, 100, None), (D100, "100", None),
        (d(100), "00", 100), (d(100), 0, 100), (d(100), 100, 100), (d(100), "07", 7),
        (d(6), 0, None), (d(6), "6", 6), (d(20), 0, None), (COIN, "crown", "crown"),
        (COIN, 0, None), (Die("fate", ("", "+")), "blank", ""), (Die("odd", ("1", 1)), "1", "1"),
    ],
)  # fmt: skip
def test_a_face_is_meant_as_the_die_shows_it(die: Die, typed: object, face: object) -> None:
    assert die.meant(typed) == face
    assert type(die.meant(typed)) is type(face)


def test_a_pool_reads_what_each_die_means_and_leaves_the_rest() -> None:
    pool = Pool((d(10), 2), (d(6), 1))
    assert pool.meant((0, "7", 0)) == (10, 7, 0)
    assert pool.meant((0, 0)) == (0, 0)


@given(st.text(alphabet="d0123456789%+- Dx", max_size=12))
def test_any_text_is_dice_or_refused(text: str) -> None:
    try:
        pool, flat = parse_dice(text)
    except SetupError:
        return
    assert parse_dice(f"{pool}{flat:+d}" if pool.size else str(flat)) == (pool, flat)


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 20)), max_size=4), st.integers(-30, 30))
def test_what_is_written_is_read(groups: list[tuple[int, int]], flat: int) -> None:
    text = "+".join(f"{number}d{sides}" for number, sides in groups)
    pool, number = parse_dice(f"{text}{flat:+d}")
    assert number == flat
    assert sorted(die.name for die in pool.dice) == sorted(
        f"d{sides}" for number, sides in groups for _ in range(number)
    )


# -- what dice are for -------------------------------------------------------------------------


def test_labels_cover_the_dice_in_their_order_and_the_rest_has_none() -> None:
    pool = Pool((d(10), 2), (d(6), 2), labels=(("damage", 2), ("superior", 1)))
    assert pool.labels == ("damage", "damage", "superior", "")
    assert Pool((d(6), 2)).labels == ("", "")
    assert Pool((d(6), 1), labels=(("x", 0), ("y", 9))).labels == ("y",)


def test_labels_change_nothing_about_a_pool() -> None:
    bare, named = Pool((d(6), 2)), Pool((d(6), 2), labels=(("damage", 2),))
    assert (bare, hash(bare), str(bare)) == (named, hash(named), str(named))


SAID: list[tuple[tuple[str, ...], dict[str, str | None]]] = [
    (
        ("Bo", "Husk"),
        {"Bo": "Bo", "husk": "Husk", "h": "Husk", "1": "Bo", "2": "Husk", "heads": "Bo",
         "tails": "Husk", "one": "Bo", "two": "Husk", "other": "Husk", "3": None, "0": None,
         "": None, "x": None, "-1": None},
    ),
    (
        ("Ada, Bo", "Bulwark, Shrieker"),
        {"ada": "Ada, Bo", "Bo": "Ada, Bo", "shrieker": "Bulwark, Shrieker", "b": None,
         "Ada, Bo": "Ada, Bo", "2": "Bulwark, Shrieker"},
    ),
    (("2 x Husk", "Bo"), {"2": "Bo", "1": "2 x Husk", "husk": "2 x Husk", "2 x": "2 x Husk"}),
    (("Husk 1", "Husk 2"), {"husk": None, "husk 2": "Husk 2", "2": "Husk 2"}),
    (("Ada", "Bo", "Cy"), {"heads": None, "3": "Cy", "one": None, "c": "Cy"}),
    (("one", "Tails"), {"one": "one", "tails": "Tails", "heads": "one"}),
]  # fmt: skip
"""What people may type for a lot with these names, and who is meant."""


@pytest.mark.parametrize(("names", "said"), SAID)
def test_a_lot_takes_names_as_people_say_them(
    names: tuple[str, ...], said: dict[str, str | None]
) -> None:
    lot = Lot("coin", names)
    assert {text: lot.meant(text) for text in said} == said
    assert (lot.meant(1), lot.meant(True), lot.meant(2.0)) == (names[0], None, None)
    assert lot == Die("coin", names), "it rolls like any die"


def test_names_with_commas_are_told_apart() -> None:
    assert spoken(Lot("coin", ("Ada, Bo", "Bulwark, Shrieker"))) == "Ada, Bo or Bulwark, Shrieker"
    assert spoken(Lot("coin", ("Bo", "Husk"))) == "Bo, Husk"


@pytest.mark.parametrize("die", [
    d(2), d(6), d(10), d(12), d(100), D100, Die("low", range(10)), Die("sign", ("", "x", "x")),
    Lot("coin", ("Ada", "Bo")),
])  # fmt: skip
def test_whoever_types_what_is_printed_means_that_face(die: Die) -> None:
    assert len(die.printed) == len(die.faces)
    assert tuple(die.meant(text) for text in die.printed) == die.faces


def test_what_stands_on_dice_that_have_a_zero() -> None:
    assert d(10).printed == ("1", "2", "3", "4", "5", "6", "7", "8", "9", "0")
    assert (D100.printed[0], D100.printed[7], D100.printed[99]) == ("00", "07", "99")
    assert (d(100).printed[0], d(100).printed[99]) == ("01", "00")
