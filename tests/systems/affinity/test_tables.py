"""The numbers of the book, written down a second time; and what is true before anything is."""

from affray.core.dice import Pool, d
from affray.core.ruling import Rulings
from affray.systems.affinity import tables
from affray.systems.affinity.changes import Effect
from affray.systems.affinity.reading import Rolled, Speed, Successes
from affray.systems.affinity.sheet import Action, Ally, Boost, Combatant, Hazard, Layer, Setup
from affray.systems.affinity.state import (
    CombatantState,
    Condition,
    Cover,
    Done,
    Exchange,
    Guard,
    Helped,
    Plan,
    Terms,
)
from affray.systems.affinity.tables import Grade, Weight


def test_af2_af10_tiers_have_the_numbers_of_the_book() -> None:
    """Threshold, fewest exertion dice, successes, damage, rank."""
    rows = {name: tuple(tables.TIERS[name]) for name in tables.TIERS}
    assert rows == {
        "basic": (2, 0, 1, 1, 0),
        "advanced": (3, 0, 2, 2, 1),
        "expert": (4, 1, 3, 3, 2),
        "legendary": (5, 2, 3, 4, 3),
        "ultimate": (6, 3, 4, 5, 4),
        "mythical": (6, 3, 4, 5, 5),
    }
    assert Grade(2, 0, 1, 1, 0).threshold == 2


def test_af2_weapon_classes_have_the_numbers_of_the_book() -> None:
    """Damage, successes that are needed, what comes off the threshold."""
    rows = {name: tuple(tables.CLASSES[name]) for name in tables.CLASSES}
    assert rows == {
        "light": (1, 1, 0),
        "heavy": (2, 2, 0),
        "precise": (1, 1, 1),
        "ranged_light": (1, 1, 0),
        "ranged_heavy": (2, 2, 0),
    }
    assert Weight(1, 1).easier == 0


def test_af4_faces_have_the_numbers_of_the_book() -> None:
    assert dict(tables.FACES) == {
        "double": 6, "burn": 1, "sustain": 5, "any": 5, "floor": 2, "held": 5, "rally": 6,
    }  # fmt: skip
    assert dict(tables.LEAST) == {"capacity": 1, "share": 2, "extra": 1}
    assert dict(tables.BONUS) == {"defend": 2, "resist": 2, "vulnerable": 2, "double": 2}


def test_af22_layers_and_bodies_have_the_numbers_of_the_book() -> None:
    assert sorted(tables.RANKS, key=lambda kind: tables.RANKS[kind]) == [
        "magical", "shield", "armor", "temporary",
    ]  # fmt: skip
    assert dict(tables.HD_DICE) == {"tough": 10, "balanced": 8, "fragile": 6}
    assert dict(tables.HD_BY_LEVEL) == {
        ("early", 10): (3, 5, 7, 9, 11, 13, 15, 17, 19, 21),
        ("early", 8): (3, 5, 6, 8, 10, 11, 13, 15, 16, 18),
        ("early", 6): (3, 4, 5, 7, 8, 10, 11, 13, 14, 16),
        ("later", 10): (5, 7, 9, 11, 13, 15, 17, 19, 21, 23),
        ("later", 8): (5, 7, 8, 10, 12, 13, 15, 17, 18, 20),
        ("later", 6): (4, 5, 6, 8, 9, 11, 12, 14, 15, 17),
    }


def test_af70_distances_have_the_numbers_of_the_book() -> None:
    assert dict(tables.REACH) == {"melee": 5, "intervene": 5, "gift": 30}
    assert dict(tables.BANDS) == {"near": 10, "short": 30, "long": 100}
    assert dict(tables.EXTREME) == {"short": 0, "long": 1, "extreme": 2}
    assert dict(tables.MOVES) == {
        "free": 10, "dash": 10, "march": 20, "disengage": 10, "slow": 2,
    }  # fmt: skip
    assert dict(tables.SPREAD) == {"every": 2, "yards": 5, "most": 5, "stronger": 1}


def test_af45_universal_actions_have_the_numbers_of_the_book() -> None:
    assert dict(tables.NEEDS) == {
        "intervene": 1, "rush": 0, "dash": 1, "march": 2, "disengage": 2, "help": 0, "repair": 1,
    }  # fmt: skip
    assert dict(tables.STABILIZED) == {"two": 2, "one": 1}
    advanced = {name for name, tier in tables.KINDS.items() if tier != "basic"}
    assert advanced == {"march", "disengage"}
    assert set(tables.KINDS) == {
        "dash", "march", "disengage", "stabilize", "rush", "help", "intervene",
        "repair",
    }  # fmt: skip
    assert dict(tables.ECONOMY) == {"actions": 2, "each": 1}
    assert dict(tables.RUSH) == {"resolve": 1, "least": 1}
    assert dict(tables.STEADY) == {"hd": 3, "resolve": 1}


def test_af50_af53_resolve_has_the_numbers_of_the_book() -> None:
    assert dict(tables.RESOLVE) == {
        "most": 5, "least": -5, "check": 1, "unsurprised": 1, "over": 1,
    }  # fmt: skip
    assert dict(tables.STAGES) == {
        ("core", "no expert"): 4, ("core", "harder"): 3, ("core", "dice"): (2,),
        ("later", "no expert"): 4, ("later", "harder"): 2, ("later", "dice"): (3, 1),
    }  # fmt: skip
    assert dict(tables.COLLAPSE) == {"resolve": 0}
    assert dict(tables.DEATH) == {"minus_five": -5, "failed_check": -1, "both_zero": 0}
    assert tables.INITIATIVE["dice"] == Pool((d(6), 3))
    assert d(6) == tables.DIE


def test_af24_the_printed_chances_are_those_that_the_text_prints() -> None:
    assert dict(tables.PRINTED) == {6: (1, 3), 8: (3, 8), 10: (2, 5), 12: (1, 2)}
    assert dict(tables.PRINTED_IN_EXAMPLE) == {8: (5, 8)}


def test_af51_a_repair_mends_what_is_worn_and_a_rest_everything() -> None:
    assert dict(tables.MENDED) == {
        "repair": {"armor", "shield"},
        "recover": {"armor", "shield", "magical", "temporary"},
    }


# -- what nobody wrote down ------------------------------------------------------------------


def test_af1_what_a_sheet_leaves_out_is_nothing() -> None:
    assert Layer() == Layer(
        name="", kind="armor", die=8, dice=2, temp_hd=0, intact=True, source="",
    )  # fmt: skip
    assert Action() == Action(
        name="", kind="attack", tier="basic", weapon="", required=0, base=0, type="slashing",
        reach="melee", reach_yd=5, short_yd=0, max_yd=0, extreme=False, pool=0, shape="single",
        heal=0, grants=None, long_yd=0, source="",
    )  # fmt: skip
    assert Boost() == Boost(when="below_half", amount=2)
    assert Combatant() == Combatant(
        name="", level=1, body="balanced", hd_die=None, hd=None, hd_max=None, proficiency=None,
        resolve=5, resolve_max=5, layers=(), resist=(), vulnerable=(), immune=(), doubled=(),
        actions=(),
        universal=("defend", "intervene", "rush", "steady", "dash", "march", "disengage",
                   "stabilize", "help", "unarmed", "repair"),
        boosts=(), skill_dice=0, affinity=0, acted=False, actions_left=2, attacked=False,
        expert_used=False, exerted=0, defending=False, braced_earlier=False, rushed=False,
        steadied=False, checked=False, lost_this_round=0, stabilized=False, surprised=0,
        exertion=None, conditions=(), source="",
    )  # fmt: skip
    someone = Combatant()
    assert Ally(combatant=someone).distance_yd == 0
    assert Hazard() == Hazard(
        damage=0, type="bludgeoning", name="", count=0, moves_yd=0, conditions=(),
    )  # fmt: skip
    assert Setup(attacker=someone, defender=someone) == Setup(
        attacker=someone, defender=someone, act="turn", towards="foe", distance_yd=5, allies=(),
        ally_near=False, hazard=None, held="no", given=0, moves=True, difficult=False,
        home_dice=0, rest_hd=0,
    )  # fmt: skip


def test_af1_before_anything_is_done_nothing_has_happened() -> None:
    terms = Terms(
        rulings=Rulings(), setup=Setup(attacker=Combatant(), defender=Combatant()),
        striker=CombatantState(), struck=CombatantState(),
    )  # fmt: skip
    assert terms.guards == ()
    fresh = Exchange(terms)._asdict()
    nothing = {
        name for name, kept in fresh.items() if kept == 0 and not isinstance(kept, tuple | str)
    }
    assert {name: kept for name, kept in fresh.items() if name not in nothing} == {
        "terms": terms, "plan": None, "rolled": None, "done": ("", False, False, 0, 0),
        "type": "", "layers": None, "helped": (), "conditions": (), "speed": (), "swift": None,
        "first": "", "area": None, "caught": (), "beside": (),
    }  # fmt: skip
    assert nothing == {
        "successes", "burn", "dealt", "damage", "asked", "cancels", "defends", "left", "bonus",
        "bare", "lost", "healed", "lasting", "own_resolve", "resolve", "own_checked", "checked",
        "stabilized", "moved", "daunts", "granted", "stepped", "way", "mended", "given", "spread",
        "targets",
    }  # fmt: skip
    assert Done() == ("", False, False, 0, 0)
    assert Plan() == ("", "", 0, 0, False)
    assert CombatantState() == (
        0, False, (), 0, 0, 0, False, False, 0, False, False, False, False, False, False, 0,
        False, 0, (), 0, False, False, False,
    )  # fmt: skip
    assert Cover("armor", 8) == ("armor", 8, 0, 0)
    assert Guard(0, "mate", 1, 1) == (
        0,
        "mate",
        1,
        1,
        1,
        "",
        0,
        5,
    )  # an Intervene needs one success
    assert Helped(0) == (0, 0, 0)
    assert Effect() == ("", 0, 0, 0, None, 0, False, 0, 0, False, False, 0, False, (), False)
    assert Condition(CombatantState()) == (CombatantState(), Rulings(), False)
    assert Rolled() == (0, 0)
    assert Successes(2, 1) == (2, 1, 0, None)
    assert Speed(3) == (3, 0, True)
