"""The outcome fields that can be asked for, and the objectives of each side.

Two attacks of one printed die against a layer of d8, a body of d6, two Hit Dice and one die of
capacity. The raider's Proficiency is 0, so extra successes add nothing. By hand:

- the jab needs one success for 1: it hits with 5/6; the layer stands with 1/2, the body with
  1/3. So a layer goes with 5/12, and a Hit Die with 5/12 * 2/3 = 5/18.
- the blow needs two successes for 6: only a 6 hits. Each roll cancels at most one point, so the
  layer and both Hit Dice go: 1/6.

So each wish has its own better attack, and whoever played to lose would take the other one.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.engine.exchange import best
from affray.engine.exchange import odds as exact
from affray.engine.exchange.decisions import decisions
from affray.engine.exchange.explain import told_fields
from affray.engine.exchange.game import Game
from affray.systems.affinity import changes
from affray.systems.affinity.numbers import condition_of
from affray.systems.affinity.questions import FIELDS, OBJECTIVES
from affray.systems.affinity.sheet import Action, Combatant, Hazard, Layer, Setup
from affray.systems.affinity.state import Condition, Exchange

from .factory import BLADE, game, harmed, objective, play, played, setup, striker, target

F = Fraction

JAB = Action(name="jab", pool=1, required=1, base=1)
BLOW = Action(name="blow", pool=1, required=2, base=6)
RAIDER = Combatant(name="raider", proficiency=0, hd=5, actions=(JAB, BLOW), universal=())
FOE = Combatant(name="foe", body="fragile", hd=2, layers=(Layer(die=8),))
BARE = Combatant(name="bare", hd=9, vulnerable=("slashing",))
"""Nothing that is done to them is canceled: no die is left to roll."""


def solved(made: Game, wish: str) -> tuple[str, Fraction]:
    """What is chosen first, and what the game is then worth."""
    found = best.solve(made, objective(wish))
    return decisions(found)[0].situations[0].best, found.value


@pytest.mark.parametrize(
    ("wish", "action", "worth"),
    [
        ("damage", "blow", F(1, 6) * 2),  # jab 5/18
        ("net", "blow", F(1, 6) * 2),  # printed dice don't burn
        ("down", "blow", F(1, 6)),  # jab 0: it never takes two
        ("strip", "jab", F(5, 12) + F(5, 18)),  # blow 3/6
        ("survive", "blow", F(5, 6)),  # the attacker leaves as little hope as there is
    ],
)
def test_af1_every_wish_has_its_own_better_attack(wish: str, action: str, worth: Fraction) -> None:
    assert solved(game(Setup(attacker=RAIDER, defender=FOE)), wish) == (action, worth)


def test_af1_every_wish_is_asked_here() -> None:
    asked = {"damage", "net", "down", "strip", "regain", "survive", "first"}
    assert {wish.name for wish in OBJECTIVES} == asked


def test_af7_a_die_that_burns_is_worth_it_or_not() -> None:
    """One Hit Die is left: with an exertion die it goes with 35/36 instead of 5/6.

    But the die burns with 1/6. Of nine Hit Dice two dice take 1 with 8/36 and 2 with 27/36,
    the extra success capped, so 31/18, less 1/6; one die takes 1 on average.
    """
    last = game(setup(striker(universal=()), Combatant(hd=1, vulnerable=("slashing",))))
    choice = last.settle({"choose_action": ("blade",)})
    assert solved(choice, "damage") == ("1", F(35, 36))
    assert solved(choice, "net") == ("0", F(5, 6))
    many = game(setup(striker(universal=()), BARE)).settle({"choose_action": ("blade",)})
    assert solved(many, "damage") == ("1", F(31, 18))
    assert solved(many, "net") == ("1", F(31, 18) - F(1, 6))


def test_af42_whoever_wants_hit_dice_back_rushes() -> None:  # AFO-11
    """To Defend brings none. One die restores 1 on average, two restore 2 and burn 1/6."""
    weary = striker(hd=1, hd_max=9, universal=("defend", "rush"))
    made = game(setup(weary, BARE))
    assert solved(made, "regain") == ("rush", F(11, 6))
    assert best.solve(made.settle({"choose_action": ("defend",)}), objective("regain")).value == 0
    sparing = made.settle({"choose_action": ("rush",), "choose_exertion": ("0",)})
    assert best.solve(sparing, objective("regain")).value == 1


def test_af51_who_heals_wants_the_friend_to_regain_them() -> None:
    """2d6 with a success of two dice, 35/36; 3 at most come back, and 2 only by two ones."""
    mend = Action(name="mend", kind="heal", required=1, heal=2)
    healer = striker(mend, universal=())
    hurt = target(hd=1, hd_max=4)
    made = game(setup(healer, hurt, towards="friend")).settle({"choose_action": ("mend",)})
    assert solved(made, "regain") == ("1", F(35, 36) * (3 - F(1, 36)))


@pytest.mark.parametrize(("slow", "worth"), [("defender", F(181, 216)), ("attacker", F(20, 216))])
def test_af61_both_want_to_act_first(slow: str, worth: Fraction) -> None:
    """One d6 against one or two: two are higher in 181 of 216 cases and lower in 20.

    One against one is higher in 15 of 36, so both sides put in the exertion die they may.
    """
    one, other = (Combatant(surprised=int(slow == part)) for part in ("attacker", "defender"))
    start = Setup(attacker=one, defender=other, act="initiative")
    made = game(start, {"initiative": "proficiency"})
    assert best.solve(made, objective("first")).value == worth
    kept = made.settle({"exert_for_speed": ("0",)})
    assert best.solve(kept, objective("first")).value == F(15, 36)


def test_af28_every_field_can_be_asked_alone_and_by_its_other_names() -> None:
    made = game(Setup(attacker=RAIDER, defender=FOE)).settle({"choose_action": ("jab",)})
    for field in FIELDS:
        for name in (field.name, *field.also):
            assert sum(exact.odds(made, name).fractions().values()) == 1
    assert exact.odds(made, "lost") == exact.odds(made, "hd_lost")


def test_af28_fields_of_one_outcome() -> None:
    """4, then a 1 on the exertion die; the barrier holds nothing, the armor cancels a point."""
    barrier, armor = Layer(kind="magical", die=12), Layer(die=8)
    who = target(barrier, armor, Layer(kind="shield", die=12))
    seen = play(
        game(setup(striker(), who)).settle({"choose_action": ("blade",)}), 4, 1, 1, 5,
        options=("1",),
    )  # fmt: skip
    assert seen == {
        "hd_lost": 0, "damage": 1, "successes": 1, "burn": 1, "hd": 3, "own_hd": 2,
        "layers": "shield armor", "magical": 0, "shield": 1, "armor": 1, "temporary": 0,
        "state": "up", "own_state": "up", "down": False, "dead": False, "resolve": 5,
        "own_resolve": 5, "helped": 0, "ally_burn": 0, "healed": 0, "defending": False,
        "stabilized": False, "distance": 5, "mended": False, "granted": 0,
        "moved": 0, "conditions": "",
        "given": 0, "spread": 0,
        "targets": 0, "others": 0, "others_lost": 0, "first": "", "order": "",
        "tie": False, "checked": False, "lost_this_round": 0,
        "own_checked": False, "own_lost_this_round": 0, "own_actions_left": 1,
        "own_attacked": True, "own_exerted": 0, "own_expert_used": False, "own_affinity": 0,
        "own_defending": False, "own_rushed": False, "own_steadied": False,
    }  # fmt: skip


def test_af50_fields_of_somebody_who_falls() -> None:
    seen = play(game(harmed(9, target(Layer(die=8), resolve=-5))), 1, 1)
    assert [seen[name] for name in ("hd_lost", "hd", "state", "down", "dead", "layers")] == [
        3, 0, "dead", True, True, "none",
    ]  # fmt: skip


CARRIED = {
    "hd": "own_hd", "resolve": "own_resolve", "affinity": "own_affinity",
    "actions_left": "own_actions_left", "attacked": "own_attacked",
    "expert_used": "own_expert_used", "exerted": "own_exerted", "defending": "own_defending",
    "rushed": "own_rushed", "steadied": "own_steadied", "checked": "own_checked",
    "lost_this_round": "own_lost_this_round",
}  # fmt: skip
"""Keys of a sheet, and the fields that say what to write there for the next action."""


@pytest.mark.parametrize(
    ("rulings", "what", "faces", "options", "says"),
    [
        # Proficiency 2 and an exertion die, which burns: 9 HD to 8, one die of the turn's budget.
        ({"exertion_budget": "turn"}, "blade", (4, 4, 1), ("1", "0"), {"hd": 8, "exerted": 2}),
        # One Affinity die of two.
        ({}, "blade", (4, 4, 4), ("0", "1"), {"affinity": 1, "attacked": True, "actions_left": 1}),
        ({}, "defend", (), (), {"defending": True, "actions_left": 1, "attacked": False}),
        ({"rush": "fixed"}, "rush", (), (), {"rushed": True, "resolve": 3, "hd": 11}),
        ({"steady": "yes"}, "steady", (), (), {"steadied": True, "resolve": 5, "hd": 6}),
        ({"expert_limit": "one"}, "feat", (4, 4, 6), ("1", "0"), {"expert_used": True}),
        # All of three that level 3 allows is exerted, so Resolve is checked, and falls by a 1.
        ({"resolve": "core"}, "blade", (4, 4, 1, 1, 1), ("2",),
         {"checked": True, "resolve": 3, "hd": 7, "exerted": 3, "lost_this_round": 0}),
        # One die less: no check, but the Hit Die that burned is remembered towards one.
        ({"resolve": "core"}, "blade", (4, 4, 1), ("1", "0"),
         {"checked": False, "hd": 8, "lost_this_round": 1, "exerted": 2}),
    ],
)  # fmt: skip
def test_af62_an_outcome_can_be_entered_as_the_next_setup(
    rulings: dict[str, str],
    what: str,
    faces: tuple[int, ...],
    options: tuple[str, ...],
    says: dict[str, object],
) -> None:
    """One die was exerted before; the target is immune, so that only the attacker rolls."""
    feat = Action(name="feat", tier="expert", required=1)
    hero = striker(BLADE, feat, level=3, hd=9, hd_max=20, resolve=4, affinity=2, exerted=1)
    made = game(setup(hero, target(immune=("slashing",))), rulings)
    end = played(made.settle({"choose_action": (what,)}), *faces, options=options).outcome
    assert isinstance(end, Exchange)
    seen = {field.name: field.of(end) for field in FIELDS}
    follows: Any = {key: seen[name] for key, name in CARRIED.items()}
    assert {key: follows[key] for key in says} == says
    before = Condition(end.terms.striker, end.rulings)
    after = changes.apply(hero, before, changes.effect(end, "actor"))
    entered = condition_of(replace(hero, **follows), end.rulings)
    assert entered._replace(plenty=after.now.plenty) == after.now  # a bound, by the sheet


@pytest.mark.parametrize(
    ("given", "faces"),
    [({"hazard": Hazard(damage=1)}, (1,)), ({"act": "repair"}, ()), ({"act": "recover"}, ())],
)
def test_af72_where_nobody_acts_nobody_is_needed_or_told(
    given: dict[str, Any], faces: tuple[int, ...]
) -> None:
    end = played(game(Setup(defender=target(), **given)), *faces)
    told = told_fields(end)
    assert "hd" in told
    assert not [name for name in told if name.startswith("own_")]
    with pytest.raises(SetupError, match="attacker is missing"):
        Setup(defender=target())
