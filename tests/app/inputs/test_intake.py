"""The one way in: what is taken, what is refused, with which message."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.app.inputs.intake import (
    LEAST,
    MOST,
    MOST_BYTES,
    MOST_DEPTH,
    MOST_VALUES,
    InputError,
    faces_of,
    place_told,
    table_checked,
    table_of,
    value_of,
)

RANGE = f"whole numbers lie between {LEAST} and {MOST}"


# -- bytes and texts ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "table"),
    [
        (b"", {}),
        (b"a = 1", {"a": 1}),
        (b"\xef\xbb\xbfa = 1\r\nb = 'x'\r\n", {"a": 1, "b": "x"}),
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
        ("\ufeffa = 1", {"a": 1}),
        (b' {"a": [1.5, true, null, "\\u00e9"]}', {"a": [1.5, True, None, "é"]}),
        (f"a = {MOST}\nb = {LEAST}", {"a": MOST, "b": LEAST}),
        ("a.b.c = 1", {"a": {"b": {"c": 1}}}),
        ("a = '1.2.3.4. And so on. And on.'", {"a": "1.2.3.4. And so on. And on."}),
    ],
)
def test_toml_and_json_are_read_with_or_without_bom(given: bytes | str, table: object) -> None:
    assert table_of(given, "f") == table


REFUSED: dict[str, tuple[bytes | str, str]] = {
    "no TOML": ("a = [", "neither TOML nor JSON: Invalid value (at end of document)"),
    "no JSON": (
        '{"a": 1,\n}',
        "neither TOML nor JSON: Expecting property name enclosed in double quotes "
        "(line 2, column 1)",
    ),
    "UTF-16": ("a = 1".encode("utf-16"), "it is UTF-16; save it as UTF-8"),
    "Latin-1": (b"a = 1\nb = '\xe9'", "line 2: it is not UTF-8 text; save it as UTF-8"),
    "a NUL": (b"a = 1\n\n\0", "line 3: it holds a NUL; only text is read"),
    "a NUL in a text": ('{"a": {"b": ["\\u0000"]}}',
                        "a.b.0: '\\x00' holds a NUL; only text is read"),
    "a NUL in a key": ('{"a": {"\\u0000": 1}}', "a: '\\x00' holds a NUL; only text is read"),
    "a lone surrogate": ('{"a": "\\ud800"}',
                         "a: '\\ud800' holds half of a character (a lone surrogate)"),
    "a key twice in JSON": ('{"a": {"b": 1, "b": 2}}',
                            "the key 'b' stands twice in one table; keep one of them"),
    "a key twice in TOML": ("b = 1\nb = 2",
                            "a key stands twice: Cannot overwrite a value (at end of document)"),
    "a table twice in TOML": (
        "[b]\n[b]\n",
        "a key stands twice: Cannot declare ('b',) twice (at line 2, column 3)",
    ),
    "NaN in JSON": ('{"a": NaN}', "NaN; allowed: finite numbers"),
    "Infinity in JSON": ('{"a": [-Infinity]}', "-Infinity; allowed: finite numbers"),
    "1e999 in JSON": ('{"a": [1e999]}', "a.0: inf; allowed: finite numbers"),
    "inf in TOML": ("a = -inf", "a: -inf; allowed: finite numbers"),
    "nan in TOML": ("[[a]]\nb = nan", "a.0.b: nan; allowed: finite numbers"),
    "2 ** 63": (f"a = {MOST + 1}", f"a: {MOST + 1}; {RANGE}"),
    "-2 ** 63 - 1": (f'{{"a": {LEAST - 1}}}', f"a: {LEAST - 1}; {RANGE}"),
    "5000 digits in JSON": ('{"a": ' + "9" * 5000 + "}", f"a number of 5,000 digits; {RANGE}"),
    "5000 digits in TOML": ("a = " + "9" * 5000, f"a number of too many digits; {RANGE}"),
    "5000 hex digits": ("a = 0x" + "f" * 5000, f"a: a number of about 6,021 digits; {RANGE}"),
    "a date": ("a = [1, 2020-01-31]", "a.1: 2020-01-31 is a date or time; in quotes it is a text"),
    "a time": ("a = 07:30:00", "a: 07:30:00 is a date or time; in quotes it is a text"),
    "deep lists in TOML": ("a = " + "[" * 90_000, "nested too deeply; allowed: 32 levels"),
    "deep lists in JSON": ('{"a": ' + "[" * 90_000, "nested too deeply; allowed: 32 levels"),
    "lists a bit too deep": ("a = " + "[" * 32 + "]" * 32,
                             "a.0.0: nested too deeply; allowed: 32 levels"),
    "a key of many parts": ("x = 1\n" + "a." * 600 + "b = 1",
                            "line 2: a key of too many parts; allowed: 32 levels"),
    "a quoted key of many parts": ("'a' . " * 40 + "b = 1",
                                   "line 1: a key of too many parts; allowed: 32 levels"),
    "a table's name of many parts": ("[" + "a." * 40 + "b]",
                                     "line 1: a key of too many parts; allowed: 32 levels"),
    "a long text": ("a = '" + "x" * 20_001 + "'",
                    "a: a text of 20,001 characters; allowed: 20,000"),
    "a long key": ("a." + "x" * 201 + " = 1", "a: a text of 201 characters; allowed: 200"),
    "many entries": ("a = [" + "1," * 100_000 + "]", "too many entries; allowed: 100,000 in all"),
    "a large file": ("#" * 1_000_001, "too large; allowed: 1,000,000 bytes"),
    "a list": ("[1, 2]", "neither TOML nor JSON: Expected ']' at the end of a table declaration "
                         "(at line 1, column 3)"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_gets_one_message_with_its_place(name: str) -> None:
    given, message = REFUSED[name]
    with pytest.raises(InputError) as refused:
        table_of(given, "my.toml")
    assert str(refused.value) == f"my.toml: {message}"


def test_the_limits_are_allowed() -> None:
    assert table_of("a = " + "[" * (MOST_DEPTH - 1) + "]" * (MOST_DEPTH - 1), "f")
    assert table_of("#" * MOST_BYTES, "f") == {}
    many = table_of("a = [" + "1," * (MOST_VALUES - 2) + "]", "f")["a"]
    assert isinstance(many, list)
    assert len(many) == MOST_VALUES - 2
    assert table_of("a.b." * 15 + "c = '" + "x" * 20_000 + "'", "f")


@given(st.binary(max_size=200))
def test_any_bytes_are_a_table_or_refused(data: bytes) -> None:
    try:
        table = table_of(data, "f")
    except InputError:
        return
    assert table_checked(table, "f") == table


@given(st.text(alphabet="ab01.=[]{}\",\n\\ue_ -x#'", max_size=60))
def test_any_text_is_a_table_or_refused(text: str) -> None:
    try:
        table = table_of(text, "f")
    except InputError:
        return
    assert table_checked(table, "f") == table


# -- tables from Python --------------------------------------------------------------------------


def test_a_table_is_copied_and_tuples_become_lists() -> None:
    given: dict[str, Any] = {"a": ({"b": 1},), "c": "d"}
    taken = table_checked(given, "f")
    assert taken == {"a": [{"b": 1}], "c": "d"}
    given["a"][0]["b"] = 2
    assert taken["a"] == [{"b": 1}]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([1], r"f: \[1\]; must be a table"),
        ({1: 2}, "f: the key 1; keys are texts"),
        ({"a": {"b": {3}}}, "f: a.b: set; allowed: texts, numbers, true, false, lists, tables"),
        ({"a": [b"x"]}, "f: a.0: bytes; allowed: texts"),
        ({"a": float("nan")}, "f: a: nan; allowed: finite numbers"),
        ({"a": 10**5000}, "f: a: a number of about 5,001 digits"),
    ],
)
def test_a_table_that_no_file_could_hold_is_refused(table: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        table_checked(table, "f")


def test_a_table_that_holds_itself_is_refused() -> None:
    table: dict[str, object] = {}
    table["a"] = table
    with pytest.raises(InputError, match=r"f: a.a.a: nested too deeply; allowed: 32 levels"):
        table_checked(table, "f")


def test_a_place_is_told_with_indexes_and_never_at_length() -> None:
    assert place_told(("one", "fighters", 0, "a b")) == "one.fighters.0.'a b'"
    long = place_told(("key",) * 500)
    assert len(long) <= 123
    assert long.startswith("key.key")
    assert long.endswith("key.key")


# -- words of the command line -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("20", 20), ("-1.5", -1.5), ("true", True), ('"20"', "20"), ("[1, 2]", [1, 2]),
        ("long", "long"), ("", ""), ("1e", "1e"), ("²", "²"),
    ],
)  # fmt: skip
def test_values_read_like_json_or_stay_texts(text: str, value: object) -> None:
    assert value_of(text, "--set x") == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("NaN", "--set x: NaN; allowed: finite numbers"),
        ("1e999", "--set x: inf; allowed: finite numbers"),
        ("9" * 5000, f"--set x: a number of 5,000 digits; {RANGE}"),
        ("[" * 5000, "--set x: nested too deeply; allowed: 32 levels"),
        ("a" * 30_000, "--set x: a text of 30,000 characters; allowed: 20,000"),
        ('{"a": 1, "a": 2}', "--set x: the key 'a' stands twice in one table; keep one of them"),
        ("\udcff", "--set x: '\\udcff' holds half of a character (a lone surrogate)"),
    ],
)
def test_values_beyond_the_limits_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        value_of(text, "--set x")
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("text", "face"),
    [
        ("7", 7), ("-1", -1), ("0", 0), ("00", "00"), ("07", "07"), ("--5", "--5"), ("²", "²"),
        ("٣", "٣"), ("crown", "crown"), ("9" * 5000, "9" * 5000), ("-0", "-0"),
    ],
)  # fmt: skip
def test_faces_are_numbers_in_plain_digits_alone(text: str, face: object) -> None:
    assert faces_of([text]) == (face,)
