"""What a game master may set, and what is said about everything else."""

from typing import NamedTuple

import pytest

from affray.core.errors import SetupError, UnknownNameError
from affray.core.mending import Mend, mending


class Now(NamedTuple):
    damage: int = 0
    prone: bool = False
    stance: str = "open"


def _damage(sheet: int, now: Now, value: int | str) -> Now:
    return now._replace(damage=int(value))


def _prone(sheet: int, now: Now, value: int | str) -> Now:
    return now._replace(prone=bool(value))


def _stance(sheet: int, now: Now, value: int | str) -> Now:
    return now._replace(stance=str(value))


MENDED = mending(
    Mend[int, Now]("damage", lambda sheet, now: range(-2, sheet + 1), _damage),
    Mend[int, Now]("prone", lambda sheet, now: range(2), _prone),
    Mend[int, Now]("stance", lambda sheet, now: ("open", "guarded"), _stance),
)


@pytest.mark.parametrize(
    ("key", "value", "after"),
    [
        ("damage", 30, Now(damage=30)),
        ("damage", " -2 ", Now(damage=-2)),
        ("prone", "yes", Now(prone=True)),
        ("prone", True, Now(prone=True)),
        ("prone", "0", Now()),
        ("stance", "guarded", Now(stance="guarded")),
    ],
)
def test_what_was_typed_is_set(key: str, value: object, after: Now) -> None:
    assert MENDED(30, Now(), key, value) == after


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("damage", 31, "damage: 31; allowed: -2 to 30"),
        ("damage", -3, "damage: -3; allowed: -2 to 30"),
        ("damage", True, "damage: True; allowed: -2 to 30"),
        ("damage", "٣", "damage: '٣'; allowed: -2 to 30"),
        ("damage", "9" * 30, "allowed: -2 to 30"),
        ("damage", 1.5, "damage: 1.5; allowed: -2 to 30"),
        ("damage", "yes", "damage: 'yes'; allowed: -2 to 30"),
        ("prone", 2, "prone: 2; allowed: 0 or 1 (no or yes)"),
        ("stance", 1, "stance: 1; allowed: open, guarded"),
        ("stance", "shut", "stance: 'shut'; allowed: open, guarded"),
    ],
)
def test_anything_else_is_refused_with_what_is_allowed(key: str, value: object, told: str) -> None:
    with pytest.raises(SetupError) as raised:
        MENDED(30, Now(), key, value)
    assert str(raised.value).endswith(told)


def test_an_unknown_thing_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(UnknownNameError, match=r"damag.*damage"):
        MENDED(30, Now(), "damag", 1)


def test_one_value_or_none_may_be_all_that_is_allowed() -> None:
    mended = mending(
        Mend[int, Now]("damage", lambda sheet, now: range(sheet), _damage),
        Mend[int, Now]("stance", lambda sheet, now: (), _stance),
    )
    with pytest.raises(SetupError, match=r"allowed: 0$"):
        mended(1, Now(), "damage", 1)
    with pytest.raises(SetupError, match="damage: 1; allowed: nothing now"):
        mended(0, Now(), "damage", 1)
    with pytest.raises(SetupError, match="stance: 'open'; allowed: nothing now"):
        mended(0, Now(), "stance", "open")
