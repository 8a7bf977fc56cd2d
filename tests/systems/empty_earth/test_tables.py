"""The numbers of the book, written down a second time; and what is true before anything is."""

from affray.core.dice import Pool, d
from affray.core.ruling import Rulings
from affray.systems.empty_earth import tables
from affray.systems.empty_earth.fight import Effect
from affray.systems.empty_earth.gear import DiceLine
from affray.systems.empty_earth.post_roll import Move
from affray.systems.empty_earth.reading import Again, Band, Dice, DodgeSum, DodgeValues, Shown
from affray.systems.empty_earth.sheet import Cubes
from affray.systems.empty_earth.state import (
    AttackDice,
    Condition,
    DodgeDice,
    Exchange,
    FighterState,
    Hit,
    Landed,
    Past,
    Plan,
    PostRoll,
    Target,
    Terms,
)


def test_ee6_ee33_each_kind_has_its_defence_and_its_reaction() -> None:
    assert dict(tables.DEFENSE_FOR) == {"physical": "phys_def", "essential": "ess_def"}
    assert dict(tables.REACTION_FOR) == {"physical": "dodge", "essential": "center"}


def test_ee9_to_ee61_small_numbers_are_those_of_the_book() -> None:
    assert dict(tables.MELEE_ZONES) == {"adjacent": 0}
    assert dict(tables.CROWDED) == {"melee": 0, "ranged": -1}
    assert dict(tables.NEEDED) == {"on hit": 1, "on damage": 1}
    assert dict(tables.COST) == {
        "aim": 1, "armor": 1, "revive": 3, "reaction": 1, "focus": 1, "counter": 1,
    }  # fmt: skip
    assert dict(tables.REACTIONS) == {"between turns": 1}
    assert dict(tables.REGAIN) == {"injury": Pool((d(6), 1)), "revival": Pool((d(6), 1))}


def test_ee12_ee13_a_line_is_seen_along_as_the_reading_says() -> None:
    seen = {key for key, sees in tables.SEEN.items() if sees}
    assert seen == {
        ("crossing", "clear"), ("crossing", "touches"),
        ("strict", "clear"),
        ("lenient", "clear"), ("lenient", "touches"), ("lenient", "runs_along"),
    }  # fmt: skip
    assert len(tables.SEEN) == 3 * 4


def test_ee1_before_anything_is_done_nothing_has_happened() -> None:
    none = Cubes(red=0, blue=0, black=0)
    assert Cubes() == none
    assert DiceLine() == (0, 0, 0)
    assert FighterState() == (0, 0, 0, False, "", 0, False, none, ())
    assert Plan() == (0, "none", (), (), 0)
    assert PostRoll("attacker", on_attack=True) == ("attacker", True, 0, 0, (), 0, False, False)
    assert Past() == (0, 0, 0, 0, 0, False, False, False, False)
    assert Landed(1) == (1, 0)
    assert Effect() == (0, None, None, False, False, (), 0, "", 0, False, none, (), "")
    assert Condition(FighterState()) == (FighterState(), False, (), False, "", Rulings())
    assert Shown(1) == (1, False, 0)
    assert Band(0, 4) == (0, 4, 0, 1_000)
    assert Dice(Band(0, 4)) == (Band(0, 4), 0)
    assert Again((), (), Band(0, 4)) == ((), (), Band(0, 4), 0, False)
    assert DodgeSum(0, 4) == (0, 4, 0)
    assert DodgeValues(0, 4) == (0, 4, 0)
    post_roll = PostRoll("attacker", on_attack=True)
    assert Move("pass", "leave them", (), (), post_roll)[5:] == (0, ())


def test_ee1_an_attack_begins_with_nothing_settled() -> None:
    terms = Terms(rulings=Rulings())
    assert terms == Terms(
        rulings=Rulings(), setup=None, left=0, striker=FighterState(), struck=FighterState(),
        answered=None, retaliates=False, attack=AttackDice(),
        dodge=DodgeDice(), hit=Hit(), target=Target(),
        post_roll=(), later=(), ready=(),
    )  # fmt: skip
    assert AttackDice() == (0, 0, 0, 0, 0, 0, 0, 0, False, 0, 0, False, 0, 0, False)
    assert DodgeDice() == (0, 0, 0, 0, "pool", "Dodge")
    assert Hit() == (0, 0, False, (), None)
    assert Target() == (0, 0, 0, 0, 0, False, False, ())
    fresh = Exchange(terms)._asdict()
    assert {name: kept for name, kept in fresh.items() if kept != 0} == {
        "terms": terms, "struck": None, "dice": (), "lifted": (), "post_roll": (), "over": (),
        "special": (), "parry": (), "dodge": (), "reach": (), "enacted": (),
        "past": None, "plan": None,
    }  # fmt: skip
    assert fresh.keys() - {name for name, kept in fresh.items() if kept != 0} == {
        "unmodified", "hits", "regular", "piercing", "final", "on_damage", "counter", "downed",
        "stage_ended", "countered", "regained", "retaliated", "returned", "strikes_back", "drawn",
    }  # fmt: skip
