"""Special abilities, and classes' forms of universal actions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.core.errors import AnswerError, SetupError
from affray.systems.affinity.changes import Effect
from affray.systems.affinity.fight import FIGHT
from affray.systems.affinity.sheet import (
    Affliction,
    Boost,
    Combatant,
    Hazard,
    Variant,
)
from affray.systems.affinity.state import Condition
from tests.oracles import affinity as oracle

from .factory import (
    MEDIUM,
    STRIKER,
    ally,
    asked,
    attack,
    dice,
    game,
    harmed,
    held_to,
    odds,
    question,
    setup,
    striker,
    target,
)

F = Fraction
STONES = Hazard(name="falling stones", count=12, damage=1)
GALE = Hazard(
    name="a gale", count=20, moves_yd=10, conditions=(Affliction(name="slow", move="half"),)
)


def stands(sheet: Combatant, **changes: Any) -> Condition:
    condition = FIGHT.enter(sheet, held_to({}))
    return condition._replace(now=condition.now._replace(**changes))


# -- special abilities -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("when", "hd", "layers", "holds"),
    [
        ("always", 9, (), True),
        ("unhurt", 9, (), True),
        ("unhurt", 8, (), False),
        ("hurt", 9, (), False),
        ("hurt", 8, (), True),
        ("below_half", 5, (), False),
        ("below_half", 4, (), True),
        ("bare_target", 9, (), True),
        ("bare_target", 9, (MEDIUM,), False),
    ],
)
@pytest.mark.parametrize("adds", ["dice", "damage", "successes"])
def test_af73_a_special_ability_holds_when_its_trigger_does(
    when: Any, adds: Any, hd: int, layers: Any, *, holds: bool
) -> None:
    """Against brute force, which has the dice and the base damage by themselves."""
    by = striker(level=3, hd=hd, hd_max=9, boosts=(Boost(when=when, amount=1, adds=adds),))
    found = odds(attack(setup(by, target(*layers, hd=20)), 0), "damage")
    more = int(holds)
    blow = oracle.Attack(2, bonus=more * (adds == "dice"), base=1 + more * (adds == "damage"))
    dist = oracle.marginal(oracle.hits(blow), lambda hit: hit.damage)
    if adds == "successes" and holds:  # 0 to 4 successes, one more, two extra count at most
        ways = oracle.marginal(oracle.hits(blow), lambda hit: hit.successes)
        dist = oracle.tally((1 + min(2, int(str(n))), p) for n, p in ways.items())
    assert found == dist


def test_af73_being_hurt_is_known_between_exchanges() -> None:
    wild = replace(STRIKER, hd=3, hd_max=3, boosts=(Boost(when="unhurt"),))
    assert not stands(wild).now.hurt
    assert FIGHT.apply(wild, stands(wild), Effect(lost=1)).now.hurt
    plain = replace(wild, boosts=())
    assert not FIGHT.apply(plain, stands(plain), Effect(lost=1)).now.hurt


# -- classes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"of": "rush"}, "variant of rush changes nothing"),
        ({"of": "defend", "resolve": 0}, "allowed: with rush"),
        ({"of": "rush", "reach_yd": 9}, "allowed: with intervene"),
    ],
)
def test_af79_a_variant_changes_its_own_action(keys: dict[str, Any], said: str) -> None:
    with pytest.raises(SetupError, match=said):
        Variant(**keys)
    twice = (Variant(of="rush", dice=1), Variant(of="rush", dice=2))
    with pytest.raises(SetupError, match="rush, rush; allowed: one of each action"):
        Combatant(variants=twice)


@pytest.mark.parametrize(("dice_", "cost"), [(0, 0), (1, 1), (2, 3)])
def test_af79_a_class_rushes_in_its_own_way(dice_: int, cost: int) -> None:
    own = (Variant(of="rush", dice=dice_, resolve=cost),) if (dice_, cost) != (0, 1) else ()
    by = Combatant(level=1, hd=1, hd_max=30, resolve=4, variants=own)
    rush = game(setup(by), {}, choose_action="rush", choose_exertion="0")
    actor = oracle.Rusher(1 + dice_, 1, 30)
    wanted = oracle.marginal(oracle.rushes(actor), lambda end: end.hd)
    assert odds(rush, "own_hd") == wanted
    assert odds(rush, "own_resolve") == {4 - cost: F(1)}
    poor = replace(by, resolve=-5 + cost - 1) if cost else by
    closed = dict(question(asked(game(setup(poor)))).closed)
    assert ("rush" in closed) == (cost > 0)


def test_af79_a_class_defends_with_more_dice() -> None:
    own = target(defending=True, variants=(Variant(of="defend", dice=1),))
    assert dice(asked(game(harmed(2, own)))) == "1d10+3d6"
    late = game(harmed(9, own), {"defend_bonus": "after_body"})
    assert dice(asked(late)) == "1d10"


def test_af79_a_class_intervenes_from_further_away() -> None:
    guard = ally(12, level=1, variants=(Variant(of="intervene", dice=1, reach_yd=12),))
    found = game(harmed(5, target(hd=9), allies=(guard,)), {}, ask_ally="intervene")
    assert dice(asked(found)) == "2d6"
    far = replace(guard, distance_yd=13)
    away = game(harmed(5, target(hd=9), allies=(far,)), {}, ask_ally="intervene")
    with pytest.raises(AnswerError, match="they are 13 yards away; it reaches 12"):
        asked(away)


@pytest.mark.parametrize("yards", [5, 15])
def test_af78_closing_in_takes_somebody_out_of_reach(yards: int) -> None:
    with pytest.raises(SetupError, match="allowed: "):
        game(setup(STRIKER, act="close", distance_yd=yards))
