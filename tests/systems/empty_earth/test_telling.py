"""A fighter's condition as it is told, and what a game master sets."""

import pytest

from affray.app.fight import Fight
from affray.core.errors import SetupError, UnknownNameError
from affray.core.ruling import Rulings
from affray.systems.empty_earth.cards import Affliction
from affray.systems.empty_earth.fight import FIGHT
from affray.systems.empty_earth.sheet import Cubes, Fighter
from affray.systems.empty_earth.state import Condition
from affray.systems.empty_earth.telling import mended, told

SLOW = Affliction(name="Slow", each_die=-1, no_reactions=True, turns=2)
ADA = Fighter(
    name="Ada", side="pc", vitality=7, vitality_max=10, shields=2, dodge="1d6", reactions=1,
    cubes=Cubes(red=1, black=3), conditions=(SLOW,),
)  # fmt: skip
HUSK = Fighter(name="Husk", vitality_max=4)


def entered(fighter: Fighter) -> Condition:
    return FIGHT.enter(fighter, Rulings())


def lines(fighter: Fighter, condition: Condition) -> list[tuple[str, object, str]]:
    return [(line.label, line.value, line.does) for line in told(fighter, condition)]


def test_ee46_ee56_everything_on_the_sheet_is_told() -> None:
    assert lines(ADA, entered(ADA)) == [
        ("Vitality", "7 of 10", ""),
        ("Shields", 2, "each takes a point of damage (EE-25)"),
        ("red cubes", 1, ""),
        ("black cubes", 3, ""),
        ("reactions", 1, "a Dodge or Center until the next own turn (EE-61)"),
        ("Slow", "for 2 own turns", "-1 to each die, no Dodge or Center (EE-56)"),
    ]


def test_ee53_nothing_but_vitality_is_told_of_an_enemy_without_anything_else() -> None:
    assert lines(HUSK, entered(HUSK)) == [("Vitality", "4 of 4", "")]


def test_ee50_ee53_at_no_vitality_one_is_fallen_and_up_again_with_some() -> None:
    lies = mended(ADA, entered(ADA), "vitality", "0")
    gone = mended(HUSK, entered(HUSK), "vitality", 0)
    assert lines(ADA, lies)[0][2] == "neither moves nor acts until revived (EE-50)"
    assert lines(HUSK, gone)[0][2] == "defeated, and gone (EE-53)"
    assert FIGHT.is_out(ADA, lies)
    assert FIGHT.is_out(HUSK, gone)
    assert not FIGHT.is_out(ADA, mended(ADA, lies, "vitality", 1))


def test_ee47_an_injury_that_is_handed_out_was_taken_in_this_stage() -> None:
    hurt = mended(ADA, entered(ADA), "injuries", 1)
    assert (hurt.now.injuries, hurt.now.taken) == (1, True)


@pytest.mark.parametrize(
    ("fighter", "key", "value", "allowed"),
    [
        (ADA, "vitality", 11, "0 to 10"),
        (HUSK, "injuries", 1, "nothing now"),
        (ADA, "reactions", 9, "0 or 1"),
        (ADA, "armor", "yes", "nothing now"),
    ],
)
def test_ee46_what_the_sheet_has_no_room_for_is_refused(
    fighter: Fighter, key: str, value: object, allowed: str
) -> None:
    with pytest.raises(SetupError, match=f"{key}: .*; allowed: {allowed}"):
        mended(fighter, entered(fighter), key, value)


def test_ee11_a_game_master_puts_somebody_into_another_zone() -> None:
    fight = Fight.begin("empty-earth", "on-the-farm")
    question = fight.view().question
    assert question is not None
    assert "attack: Husk 1" in dict(question.closed)
    fight = fight.hand("set", fighter="Ada", key="at", value="barn")
    rows = {row.name: row.told for row in fight.view().fighters}
    assert [line.value for line in rows["Ada"] if line.key == "at"] == ["barn"]
    question = fight.view().question
    assert question is not None
    names = [option.name for option in question.options]
    assert "attack: Husk 1" in names, "it stands in the same Zone now"
    assert fight.undo().view().fighters == Fight.begin("empty-earth", "on-the-farm").view().fighters
    again = Fight.restored(fight.saved)
    assert again.view().fighters == fight.view().fighters
    with pytest.raises(UnknownNameError, match=r"'moon'.*gate, yard, barn"):
        fight.hand("set", fighter="Ada", key="at", value="moon")
    with pytest.raises(SetupError, match="no Zones without a map"):
        Fight.begin("empty-earth", "brockton").hand("set", fighter="Ada", key="at", value="barn")


def test_ee70_a_move_says_how_far_it_is_from_the_zone_to_an_attack() -> None:
    """Foe by foe, where that differs among them."""
    fight = Fight.begin("empty-earth", "on-the-farm")
    assert fight.question is not None
    words = {option.name: option.words for option in fight.question.options}
    assert words["move: yard"] == (
        "Bulwark: an attack is possible from there; "
        "Husk 1, Husk 2, Shrieker: 1 more move to an attack"
    )
    assert not [name for name in words if name.startswith("move: Husk")]
