"""The worked examples: which there are, and what their dice show after the modifiers."""

import pytest

from affray.app.inputs.setups import examples
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Script, drive
from tests.scenarios import example

from .factory import SYSTEM, over

WORKED = {
    "S-4", "S-5", "V1", "V2", "V4", "V5", "V7", "V8", "V10", "V11a", "V11b", "V13a", "V13b",
    "V14", "V16a", "V16c", "V17", "V19", "V20", "V31", "V32", "V34", "V35", "V37", "V38", "V40",
    "V41", "V43", "V44", "V46", "V47", "V49",
}  # fmt: skip
COUNTED = {
    "O1", "O2", "O4", "O4p", "O4d", "O4a", "O5p", "O5d", "O7", "O8s", "O8x", "O10", "O11", "O13",
    "O14", "O16", "O17", "O19", "O20",
}  # fmt: skip


def _with(vector: str) -> list[str]:
    found = examples(SYSTEM)
    return [
        name
        for name, table in found.items()
        if vector in list(table.get("vectors", []))  # type: ignore[call-overload]  # a list
    ]


@pytest.mark.parametrize("vector", sorted(WORKED | COUNTED))
def test_every_vector_is_an_example(vector: str) -> None:
    names = _with(vector)
    assert names
    tables = [examples(SYSTEM)[name] for name in names]
    wanted = "odds" if vector in COUNTED else "expect"
    assert all(wanted in table for table in tables)


@pytest.mark.parametrize(
    ("name", "dice"),
    [
        ("tie-misses", (4, 5, 6)),
        ("crowded", (4, 5)),
        ("printed-and-aim", (4, 6)),
        ("all-modifiers", (3, 5)),
        ("focus", (4, 6)),
        ("focus-and-printed", (5, 7)),
        ("dodge-pool", (5, 6)),
        ("dodge-modified", (6, 6)),
        ("everything", (6, 6, 7)),
    ],
)
def test_ee40_dice_after_the_modifiers(name: str, dice: tuple[int, ...]) -> None:
    """As listed; dice at or under the defense are gone, those nothing can stop are held."""
    loaded = example("empty-earth", name)
    session = drive(Session(loaded.game), Script(loaded.dice, loaded.options))
    terms = next(
        entry.after.facts.terms  # type: ignore[attr-defined]  # the room's facts
        for entry in session.steps_taken
        if entry.at.step.name == "apply_modifiers"
    )
    defence = terms.target.defense
    most = terms.attack.high + terms.attack.shift + defence
    assert over(session) == [min(die, most) for die in dice if die > defence]


def test_ee41_the_dodge_takes_two_points_from_two_dice() -> None:  # V20: 6,6,7 -> 5,5,7
    loaded = example("empty-earth", "everything")
    session = drive(Session(loaded.game), Script(loaded.dice, loaded.options[:-1]))
    assert session.question is not None
    assert [option.name for option in session.question.options] == ["none", "stop-1", "stop-2"]
