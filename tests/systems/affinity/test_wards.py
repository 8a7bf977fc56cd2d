"""Wards, bare hands, conditions, and help for friends who stand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.core.errors import AnswerError, SetupError
from affray.core.fight import ATTACK, Deed, Scene
from affray.core.node import At
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.played.play import play_battle
from affray.engine.fight.sampled.battle import Battle
from affray.systems.affinity.changes import Effect
from affray.systems.affinity.fight import FIGHT, HEAL, WARD_SELF
from affray.systems.affinity.fight import WARD as WARD_FRIEND
from affray.systems.affinity.numbers import move_of, put_on
from affray.systems.affinity.sheet import Action, Affliction, Combatant, Hazard, Layer, Setup
from affray.systems.affinity.state import Condition, Cover, Exchange
from tests.oracles import affinity as oracle
from tests.systems.walking import settled, walked

from .factory import (
    BARRIER_SPELL,
    BLADE,
    DAZED,
    MEDIUM,
    MEND,
    SLING,
    SLOWED,
    STRIKER,
    SYSTEM,
    TARGET,
    WARD,
    asked,
    attack,
    dice,
    game,
    harmed,
    held_to,
    mean,
    odds,
    offered,
    setup,
    striker,
    target,
)

F = Fraction
WARDER = replace(STRIKER, name="warder", actions=(BLADE, WARD), universal=())
FOE = replace(STRIKER, name="foe", universal=())


def stands(sheet: Combatant, **changes: Any) -> Condition:
    condition = FIGHT.enter(sheet, held_to({}))
    return condition._replace(now=condition.now._replace(**changes))


def declared(
    deed: Deed, one: Condition, other: Condition, sheets: tuple[Combatant, Combatant]
) -> At[Exchange]:
    made = Setup(attacker=sheets[0], defender=sheets[1])
    return FIGHT.declare(Scene(made, deed, one, other, (), held_to({})))


# -- wards -----------------------------------------------------------------------------------


def test_af76_a_ward_rolls_the_hit_dice_of_its_layer() -> None:
    made = setup(striker(WARD), target(MEDIUM), towards="friend")
    cast = attack(made, 0)
    rolled = oracle.warded(2, 12)
    ward = {total: F(5, 6) * p for total, p in rolled.items()}
    assert odds(cast, "granted") == {0: F(1, 6), **ward}
    assert odds(cast, "layers") == {"armor": F(1, 6), "magical armor": F(5, 6)}


@pytest.mark.parametrize(
    ("picks", "kinds", "made"),
    [
        ({}, "magical:12 magical:8 armor", (0, 0)),
        ({"magical_order": "oldest"}, "magical:8 magical:12 armor", (0, 0)),
        ({"temp_hd": "absorb"}, "magical:12 magical:8 armor", (0, 9)),
        ({"overwhelm": "per_die"}, "magical:12 magical:8 armor", (2, 0)),
    ],
)
def test_af22_a_new_barrier_lies_outermost_or_below_the_older_one(
    picks: dict[str, str], kinds: str, made: tuple[int, int]
) -> None:
    worn = (Cover("magical", 8), Cover("armor", 8))
    covers = put_on(worn, BARRIER_SPELL, 9, held_to(picks))
    told = " ".join(f"{x.kind}:{x.die}" if x.kind == "magical" else x.kind for x in covers)
    assert told == kinds
    (new,) = [cover for cover in covers if cover.die == 12]
    assert (new.dice, new.temp_hd) == made


def test_af76_temporary_hit_dice_go_where_the_ruling_puts_them() -> None:
    gift = Layer(kind="temporary", die=6)
    worn = (Cover("magical", 8), Cover("armor", 8))
    for reading, place in (("outermost", 0), ("inner", 2)):
        assert put_on(worn, gift, 1, held_to({"temporary_hd": reading}))[place].die == 6


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"kind": "ward"}, "a ward grants a layer"),
        ({"grants": BARRIER_SPELL}, "a ward grants a layer"),
        ({"kind": "ward", "grants": MEDIUM}, "allowed: magical or temporary"),
        ({"kind": "ward", "grants": replace(BARRIER_SPELL, temp_hd=4)}, "its dice are rolled"),
        ({"kind": "ward", "grants": BARRIER_SPELL, "base": 1}, "they belong to an attack"),
    ],
)
def test_af76_a_ward_that_makes_no_sense_is_refused(keys: dict[str, Any], said: str) -> None:
    with pytest.raises(SetupError, match=said):
        Action(**keys)


def test_af76_in_a_fight_a_warder_first_wards_herself() -> None:
    bare, safe = stands(WARDER), stands(WARDER, layers=(Cover("magical", 12),))
    assert [deed.name for deed in FIGHT.deeds(WARDER, bare)] == ["ward oneself", "ward", "attack"]
    assert [deed.name for deed in FIGHT.deeds(WARDER, safe)] == ["ward", "attack"]
    found = walked(FIGHT, declared(WARD_SELF, bare, bare, (WARDER, WARDER)),
                   settled(choose_exertion="0"))  # fmt: skip
    after = set()
    for mine, theirs in found.effects:
        now = FIGHT.apply(WARDER, FIGHT.apply(WARDER, bare, mine), theirs).now
        after.add((now.actions, tuple(cover.kind for cover in now.layers)))
    assert after == {(1, ()), (1, ("magical",))}
    with pytest.raises(SetupError, match="has a ward already"):
        declared(WARD_FRIEND, bare, safe, (WARDER, WARDER))


# -- friends who stand -----------------------------------------------------------------------


def test_af51_a_friend_below_half_needs_help() -> None:
    whole = replace(STRIKER, hd=10, hd_max=10)
    assert [FIGHT.needs(whole, stands(whole, hd=hd)) for hd in (10, 5, 4, 1)] == [0, 0, 6, 9]


@pytest.mark.parametrize("hurt", [3, 10])
def test_af51_in_a_fight_a_healer_heals_a_wounded_friend(hurt: int) -> None:
    """A healer whose friend has 3 of 10 Hit Dice heals; with 10 of 10 there is nothing to do."""
    healer = replace(STRIKER, name="healer", actions=(MEND,), universal=())
    friend = replace(STRIKER, name="friend", hd=hurt, hd_max=10, universal=())
    foe = replace(FOE, hd=3)
    made = Setup(attacker=healer, defender=foe)
    sides = Side("one", (healer, friend), made), Side("other", (foe,), made)
    contest = Contest(SYSTEM, sides, held_to({}), first="one")
    played = play_battle(contest, seed=1, rounds=2)
    deeds = [entry.deed for entry in played.exchanges if entry.actor == (0, 0)]
    assert (HEAL.name in deeds) == (hurt == 3)
    seeds = range(120)
    wins = sum(play_battle(contest, seed=seed).verdict == "one" for seed in seeds)
    share = float(Battle(contest).run(4000, seed=1).won[0].value)
    assert wins / len(seeds) == pytest.approx(share, abs=5 * 0.5 / len(seeds) ** 0.5)


# -- bare hands ------------------------------------------------------------------------------


def test_af77_bare_hands_are_for_those_who_can_use_nothing_else() -> None:
    assert "unarmed" in offered(asked(game(setup(striker(SLING)), {"ranged_in_melee": "weapons"})))
    assert "unarmed" not in offered(asked(game(setup(striker(BLADE)))))
    assert "unarmed" not in offered(asked(game(setup(striker(BLADE), distance_yd=6))))
    nobody = Combatant(actions=(), universal=("defend", "unarmed"))
    assert offered(asked(game(setup(nobody)))) == ["unarmed", "defend"]
    idle = game(setup(nobody), {"unarmed": "no"}, choose_action="defend")
    assert odds(idle, "damage") == {0: F(1)}


def test_af77_an_unarmed_strike_is_a_basic_attack() -> None:
    nobody = Combatant(level=1, universal=("unarmed",))
    made = setup(nobody, target(hd=9))
    strike = game(made, {}, choose_action="unarmed", choose_exertion="0")
    assert odds(strike, "damage") == {0: F(1, 6), 1: F(2, 3), 2: F(1, 6)}


# -- conditions ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "difficult", "yards"),
    [((), False, 10), (("half",), False, 5), (("half", "half"), True, 2), (("none",), False, 0)],
)
def test_af72_conditions_limit_movement(
    moves: tuple[Any, ...], difficult: bool, yards: int
) -> None:
    found = tuple(Affliction(name=str(n), move=move) for n, move in enumerate(moves))
    assert move_of(found, 10, difficult=difficult) == yards


def test_af72_conditions_take_dice() -> None:
    dazed = striker(level=5, conditions=(DAZED,))
    assert dice(asked(attack(setup(dazed, target(hd=9)), 0))) == "2d6"
    exposed = target(level=5, conditions=(DAZED,), hd=9)
    assert dice(asked(game(harmed(2, exposed)))) == "1d10"
    assert mean(game(harmed(2, exposed)), "hd_lost") == F(2) - F(3, 5)


def test_af72_a_condition_that_does_nothing_is_refused() -> None:
    with pytest.raises(SetupError, match="condition 'odd' does nothing"):
        Affliction(name="odd")
    with pytest.raises(SetupError, match="slowed, slowed; allowed: each name once"):
        Combatant(conditions=(SLOWED, SLOWED))
    with pytest.raises(SetupError, match="allowed: each name once"):
        Hazard(conditions=(SLOWED, SLOWED))


def test_af72_conditions_last_for_their_rounds() -> None:
    both = stands(TARGET, conditions=(SLOWED, replace(DAZED, rounds=2)))
    once = FIGHT.end_round(TARGET, both)
    assert [(x.name, x.rounds) for x in once.now.conditions] == [("slowed", 0), ("dazed", 1)]
    assert FIGHT.end_round(TARGET, once).now.conditions == (SLOWED,)


# -- repair ----------------------------------------------------------------------------------

SMITH = replace(STRIKER, name="smith", level=3, layers=(MEDIUM,), universal=("repair",))


def test_af80_a_repair_takes_distance_and_something_broken() -> None:
    broken = replace(SMITH, layers=(replace(MEDIUM, intact=False),))
    for sheet, yards, why in (
        (broken, 5, "it takes more than 5 yards to the next foe"),
        (SMITH, 6, "nothing that is worn is gone"),
    ):
        wanted = setup(sheet, distance_yd=yards)
        with pytest.raises(AnswerError, match=why):
            asked(game(wanted, {"mending": "action"}, choose_action="repair"))
    made = game(setup(broken, distance_yd=6), {"mending": "action"}, choose_action="repair")
    assert odds(made.settle({"choose_exertion": ("0",)}), "mended") == {
        True: F(35, 36),
        False: F(1, 36),
    }
    with pytest.raises(AnswerError, match="repair"):
        asked(game(setup(broken, distance_yd=6), choose_action="repair"))


def test_af80_in_a_fight_one_retreats_and_repairs() -> None:
    held = held_to({"mending": "action"})
    worn = FIGHT.enter(SMITH, held)
    torn = FIGHT.apply(SMITH, worn, Effect(lost=1, layers=()))
    assert (worn.now.torn, torn.now.torn) == (False, True)
    runner = replace(SMITH, universal=("repair", "disengage"))
    made = Setup(attacker=runner, defender=FOE)
    foe = FIGHT.enter(FOE, held)
    away = walked(FIGHT, FIGHT.declare(Scene(made, ATTACK, torn, foe, (), held)),
                  settled(choose_action="disengage", choose_exertion="0"))  # fmt: skip
    assert {mine.gone for mine, _ in away.effects} == {0, -10}
    back = FIGHT.apply(runner, torn, Effect(deed="disengage", gone=-10))
    found = walked(FIGHT, FIGHT.declare(Scene(
        replace(made, attacker=replace(runner, actions=())), ATTACK,
        back._replace(now=back.now._replace(walked=True)), foe, (), held,
    )), settled(close_in="repair", choose_exertion="0"))  # fmt: skip
    whole = {FIGHT.apply(runner, back, mine).now.layers for mine, _ in found.effects}
    assert whole == {(), worn.now.layers}
    assert not FIGHT.apply(runner, back, Effect(mended=True)).now.torn
