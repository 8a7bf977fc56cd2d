"""What stands before the dice fall, and what of a fight stands after them: added up by hand."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from affray.core.errors import AnswerError
from affray.core.fight import ATTACK
from affray.core.modifier import Modifier
from affray.core.node import Choice
from affray.core.ruling import Rulings
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Script, drive
from affray.systems.affinity.aftermath import restored
from affray.systems.affinity.attempts import (
    affinity_limit,
    attempt_of,
    cap_of,
    guard_of,
    is_big,
    pool_total,
    tracks_exertion,
)
from affray.systems.affinity.changes import Effect
from affray.systems.affinity.fight import FIGHT, HEAL, STABILIZE
from affray.systems.affinity.numbers import (
    braced,
    capacity_of,
    condition_of,
    harder,
    hd_max_of,
    rages,
    resolve_bonus,
    state_of,
)
from affray.systems.affinity.reading import Speed, Successes
from affray.systems.affinity.sheet import Action, Ally, Boost, Combatant, Layer, Setup
from affray.systems.affinity.state import CombatantState, Condition, Cover, Deed, Guard, Plan, Terms
from tests.systems.playing import closed

from .factory import (
    BLADE,
    MAUL,
    MEND,
    ORC,
    SLING,
    ally,
    asked,
    attack,
    game,
    harmed,
    held_to,
    offered,
    play,
    question,
    setup,
    striker,
    target,
)


def picked(**picks: str) -> Rulings:
    return held_to(picks)


# -- conditions ------------------------------------------------------------------------------

FULL = Combatant(
    name="Full", level=5, hd_die=10, hd=4, hd_max=9, proficiency=3, resolve=2, resolve_max=6,
    layers=(Layer(die=8, dice=2), Layer(kind="shield", die=12, dice=1, intact=False)),
    boosts=(Boost(amount=2),), affinity=4, acted=True, actions_left=1, attacked=True,
    expert_used=True, exerted=2, defending=True, rushed=True, steadied=True, checked=True,
    lost_this_round=3, stabilized=True, actions=(Action(name="claw", pool=5),),
)  # fmt: skip


def test_af1_a_sheet_comes_to_the_condition_that_it_tells() -> None:
    assert condition_of(FULL, held_to({})) == CombatantState(
        hd=4, down=False, layers=(Cover("armor", 8),), resolve=2, affinity=4, actions=1,
        attacked=True, expert=True, exerted=2, defending=True, acted=True, rushed=True,
        steadied=True, checked=True, stabilized=True, lost=3, raging=True,
        plenty=3 + 4 + 5 + 1,
    )  # fmt: skip
    plain = Combatant(level=1, body="fragile")
    assert condition_of(plain, held_to({})) == CombatantState(
        hd=3, resolve=5, actions=2, plenty=3,
    )  # a Steady costs 3, two dice at most burn  # fmt: skip
    assert condition_of(replace(plain, hd=0), held_to({})).down
    assert not condition_of(replace(plain, hd=1), held_to({})).down


@pytest.mark.parametrize(
    ("lasts", "earlier", "still"),
    [("next_turn", False, True), ("next_turn", True, True), ("round", False, True),
     ("round", True, False)],
)  # fmt: skip
def test_af30_defend_of_an_earlier_round_lasts_as_the_reading_says(
    lasts: str, earlier: bool, still: bool
) -> None:
    one = Combatant(defending=True, braced_earlier=earlier)
    assert condition_of(one, picked(defend_lasts=lasts)).defending is still
    assert not condition_of(Combatant(), picked(defend_lasts=lasts)).defending


def test_af73_rage_begins_below_half() -> None:
    wild = Combatant(hd_max=7, boosts=(Boost(),))
    assert [rages(wild, hd, held_to({})) for hd in (3, 4)] == [True, False]
    even = replace(wild, hd_max=6)
    assert [rages(even, hd, held_to({})) for hd in (2, 3)] == [True, False]
    near = replace(wild, boosts=(Boost(when="ally_near"),))
    assert not rages(near, 1, held_to({}))
    assert not rages(replace(wild, boosts=()), 1, held_to({}))


def test_af28_the_last_row_of_the_table_is_that_of_level_ten() -> None:
    assert hd_max_of(Combatant(level=10, body="tough"), held_to({})) == 21
    assert hd_max_of(Combatant(level=11, body="tough", hd=2), held_to({})) == 2
    assert hd_max_of(Combatant(level=10, body="fragile"), picked(hd_table="later")) == 17


@pytest.mark.parametrize(
    ("picks", "rows"),
    [
        ({}, {(1, -9): "up", (1, 0): "up", (0, 5): "down", (0, -4): "down", (0, -5): "dead"}),
        ({"resolve": "core"}, {(1, 1): "up", (1, 0): "collapsed", (1, -5): "collapsed",
                               (0, 1): "down", (0, 0): "down", (0, -4): "down", (0, -5): "dead"}),
        ({"resolve": "core", "at_zero": "on_scene"},
         {(0, 1): "up", (0, 0): "down", (0, -5): "dead", (1, 0): "collapsed"}),
        ({"at_zero": "on_scene"}, {(0, 1): "down"}),
        ({"resolve": "core", "death": "failed_check"}, {(0, 0): "down", (0, -1): "dead"}),
        ({"resolve": "core", "death": "both_zero"}, {(0, 1): "down", (0, 0): "dead"}),
    ],
)  # fmt: skip
def test_af50_how_somebody_is(picks: dict[str, str], rows: dict[tuple[int, int], str]) -> None:
    rulings = picked(**picks)
    assert {key: state_of(*key, rulings) for key in rows} == rows


def test_af53_low_resolve_asks_for_one_success_more() -> None:
    def asks(reading: str, rank: int) -> list[int]:
        return [harder(resolve, rank, picked(resolve=reading)) for resolve in (4, 3, 2, 1)]

    assert asks("off", 0) == asks("off", 1) == [0, 0, 0, 0]
    assert asks("core", 0) == asks("core", 1) == [0, 1, 1, 1]
    assert asks("later", 0) == [0, 0, 0, 0]
    assert asks("later", 1) == [0, 0, 1, 1]


def test_af52_resolve_stays_within_its_bounds() -> None:
    assert [resolve_bonus(r, 5, 1) for r in (3, 4, 5)] == [1, 1, 0]
    assert [resolve_bonus(r, 5, -1) for r in (-3, -4, -5)] == [-1, -1, 0]
    assert resolve_bonus(5, 6, 1) == 1


# -- defense ---------------------------------------------------------------------------------


def terms_of(defender: Combatant, **picks: str) -> Terms:
    rulings = picked(**picks)
    made = setup(striker(), defender)
    return Terms(
        rulings=rulings, setup=made, striker=condition_of(made.attacker, rulings),
        struck=condition_of(defender, rulings),
    )  # fmt: skip


def test_af21_capacity_is_half_of_proficiency_rounded_up() -> None:
    found = [capacity_of(terms_of(target(proficiency=n))) for n in range(6)]
    assert found == [1, 1, 1, 2, 2, 3]
    whole = [capacity_of(terms_of(target(proficiency=n), capacity="full")) for n in range(4)]
    assert whole == [1, 1, 2, 3]


def test_af32_low_resolve_takes_defence_dice() -> None:
    def left(reading: str, proficiency: int = 5) -> list[int]:
        return [
            capacity_of(terms_of(
                target(proficiency=proficiency, resolve=resolve), resolve=reading, capacity="full",
            ))
            for resolve in (4, 3, 2, 1)
        ]  # fmt: skip

    assert left("off") == [5, 5, 5, 5]
    assert left("core") == [5, 5, 4, 4]
    assert left("later") == [5, 4, 4, 3]
    assert left("later", 1) == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("changes", "picks", "wanted"),
    [
        ({}, {}, (2, 0, 2)),
        ({"defending": True}, {}, (2, 2, 2)),
        ({"resist": ("fire",)}, {}, (2, 2, 2)),
        ({"resist": ("cold",)}, {}, (2, 0, 2)),
        ({"resist": ("fire",), "defending": True}, {}, (2, 4, 2)),
        ({"resist": ("fire",), "defending": True}, {"stacking": "no"}, (2, 2, 2)),
        ({"resist": ("fire",)}, {"stacking": "no"}, (2, 2, 2)),
        ({"vulnerable": ("fire",)}, {}, (0, 0, 2)),
        ({"vulnerable": ("fire",)}, {"vulnerability": "floor_one"}, (1, 0, 2)),
        ({"vulnerable": ("fire",), "defending": True}, {}, (2, 0, 2)),
        ({"vulnerable": ("fire",), "proficiency": 5}, {}, (1, 0, 3)),
        ({"defending": True}, {"bonus_counts_to_capacity": "yes"}, (2, 2, 4)),
        ({"vulnerable": ("fire",)}, {"bonus_counts_to_capacity": "yes"}, (0, 0, 2)),
    ],
)
def test_af30_af31_dice_of_a_defence(
    changes: dict[str, Any], picks: dict[str, str], wanted: tuple[int, int, int]
) -> None:
    """Proficiency 3: two dice of the layer; Defend and resistance bring two d6 each."""
    terms = terms_of(target(**{"proficiency": 3, **changes}), **picks)
    found = braced(terms, "fire", defends=True)
    assert (found.capacity, found.bonus, found.limit) == wanted
    quiet = braced(terms, "fire", defends=False)
    if "defending" not in changes:
        assert quiet == found


def test_af31_a_defence_is_itemised() -> None:
    tired = target(proficiency=5, resolve=2, resist=("fire",), defending=True)
    total = braced(terms_of(tired, resolve="core"), "fire", defends=True).total
    assert total.base == Modifier("capacity", 3, "AF-21")
    assert [(row.label, row.value) for row in total.terms] == [
        ("Resolve", -1), ("Defend", 2), ("resistance", 2),
    ]  # fmt: skip
    weak = braced(terms_of(target(vulnerable=("fire",))), "fire", defends=True).total
    assert [(row.label, row.value) for row in weak.terms] == [("vulnerability", -2)]


# -- an action -------------------------------------------------------------------------------


def tried(action: Action, plan: Plan, sheet: Combatant | None = None, **changes: Any) -> Any:
    picks = changes.pop("picks", {})
    by = replace(sheet or striker(level=5), actions=(action,))
    made = setup(by, target(), **changes)
    rulings = picked(**picks)
    terms = Terms(
        rulings=rulings, setup=made, striker=condition_of(by, rulings),
        struck=condition_of(made.defender, rulings),
    )  # fmt: skip
    return attempt_of(terms, plan), pool_total(terms, plan)


BLOW = Plan("blow", "attack", exertion=2, affinity=1)


def test_af3_the_dice_of_an_action_are_added_up() -> None:
    """Proficiency 3, exertion 2, Affinity 1, skill 2, home ground 1, a boost of 3, range -1."""
    bow = Action(name="blow", tier="expert", weapon="ranged_heavy", reach="ranged", required=0)
    by = striker(level=5, skill_dice=2, affinity=1, boosts=(Boost(when="ally_near", amount=3),))
    around: dict[str, Any] = {"distance_yd": 60, "home_dice": 1, "ally_near": True, "given": 2}
    found, total = tried(bow, BLOW, by, **around)
    assert found == (4, 0, 8, 3, 2, 2, 2, 3, "expert")
    assert total.base == Modifier("Proficiency", 3, "AF-3")
    assert [(row.label, row.value) for row in total.terms] == [
        ("exertion", 2), ("Affinity", 1), ("skill", 2), ("home ground", 1), ("boost", 3),
        ("range", -1),
    ]  # fmt: skip
    safe, _ = tried(bow, BLOW, by, **around, picks={"affinity_dice": "safe"})
    assert (safe.safe, safe.burning) == (9, 2)
    first, _ = tried(bow, BLOW, by, **around, picks={"range_penalty_dice": "exertion"})
    assert (first.safe, first.burning) == (9, 2)
    alone, _ = tried(bow, BLOW, by, **{**around, "ally_near": False})
    assert (alone.safe, alone.burning) == (5, 3)


@pytest.mark.parametrize(
    ("reading", "wanted"), [("dice", (2, 0, 0)), ("each_die", (0, 2, 0)), ("successes", (0, 0, 2))]
)
def test_af73_a_boost_of_two_is_what_the_reading_says(
    reading: str, wanted: tuple[int, int, int]
) -> None:
    raging = Combatant(level=1, hd=1, hd_max=9, boosts=(Boost(amount=2),))
    found, _ = tried(Action(name="blow"), Plan("blow", "attack"), raging,
                     picks={"blood_rage": reading})  # fmt: skip
    assert (found.safe - 1, found.each, found.more) == wanted
    calm, _ = tried(Action(name="blow"), Plan("blow", "attack"), replace(raging, hd=5),
                    picks={"blood_rage": reading})  # fmt: skip
    assert (calm.safe - 1, calm.each, calm.more) == (0, 0, 0)


@pytest.mark.parametrize(
    ("reading", "safe", "burning"), [("none", 5, 0), ("remainder", 2, 3), ("reckless", 2, 3)]
)
def test_af74_a_printed_pool_burns_as_the_reading_says(
    reading: str, safe: int, burning: int
) -> None:
    claw = Action(name="blow", pool=5)
    found, total = tried(claw, Plan("blow", "attack"), Combatant(proficiency=2, hd=5),
                         picks={"npc_burn": reading})  # fmt: skip
    assert (found.safe, found.burning) == (safe, burning)
    assert total.base == Modifier("printed pool", 5, "AF-74")
    small, _ = tried(replace(claw, pool=2), Plan("blow", "attack"),
                     Combatant(proficiency=2, hd=5), picks={"npc_burn": reading})  # fmt: skip
    assert (small.safe, small.burning) == (2, 0)


def test_af70_no_more_dice_are_lost_than_there_are() -> None:
    sling = replace(SLING, name="blow")
    found, total = tried(sling, Plan("blow", "attack"), striker(), distance_yd=120, given=3)
    assert (found.safe, found.burning, found.more) == (0, 0, 0)  # nothing is added to no dice
    assert total.value == 0
    one, _ = tried(sling, Plan("blow", "attack", exertion=1), striker(), distance_yd=60)
    assert (one.safe, one.burning) == (0, 1)
    other, _ = tried(sling, Plan("blow", "attack", exertion=1), striker(), distance_yd=60,
                     picks={"range_penalty_dice": "exertion"})  # fmt: skip
    assert (other.safe, other.burning) == (1, 0)


@pytest.mark.parametrize(
    ("given", "picks", "required", "base"),
    [
        ({}, {}, 1, 1),
        ({"tier": "expert"}, {}, 3, 3),
        ({"tier": "expert", "required": 1, "base": 7}, {}, 1, 7),
        ({"weapon": "heavy"}, {}, 2, 2),
        ({"weapon": "heavy", "tier": "expert"}, {}, 2, 2),
        ({"weapon": "heavy", "required": 4, "base": 5}, {}, 4, 5),
        ({"weapon": "heavy", "required": 4}, {"heavy_required": "weapon"}, 2, 2),
        ({"weapon": "heavy", "required": 4}, {"heavy_required": "one"}, 1, 2),
        ({"weapon": "light", "required": 4}, {"heavy_required": "one"}, 4, 1),
        ({"weapon": "light", "required": 4}, {"heavy_required": "weapon"}, 1, 1),
        ({"required": 4}, {"heavy_required": "weapon"}, 4, 1),
    ],
)
def test_af2_successes_needed_and_damage(
    given: dict[str, Any], picks: dict[str, str], required: int, base: int
) -> None:
    found, _ = tried(Action(name="blow", **given), Plan("blow", "attack"), picks=picks)
    assert (found.required, found.base) == (required, base)
    low, _ = tried(Action(name="blow", **given), Plan("blow", "attack"),
                   striker(level=5, resolve=2), picks={**picks, "resolve": "core"})  # fmt: skip
    assert low.required == required + 1


@pytest.mark.parametrize(
    ("tier", "weapon", "picks", "threshold"),
    [
        ("basic", "", {}, 2),
        ("expert", "light", {}, 4),
        ("expert", "precise", {}, 3),
        ("basic", "precise", {}, 2),
        ("basic", "precise", {"precise": "literal"}, 1),
        ("advanced", "precise", {}, 2),
        ("expert", "precise", {"success_face": "five"}, 5),
        ("basic", "", {"success_face": "five"}, 5),
    ],
)
def test_af2_thresholds(tier: Any, weapon: Any, picks: dict[str, str], threshold: int) -> None:
    blow = Action(name="blow", tier=tier, weapon=weapon)
    assert tried(blow, Plan("blow", "attack"), picks=picks)[0].threshold == threshold


def test_af45_universal_actions_have_no_damage_and_no_boost() -> None:
    wild = striker(level=5, hd=1, boosts=(Boost(amount=2), Boost(when="ally_near", amount=2)))
    needs: tuple[tuple[Deed, str, int], ...] = (
        ("dash", "basic", 1), ("march", "advanced", 2), ("rush", "basic", 0),
        ("help", "basic", 0), ("stabilize", "basic", 2),
    )  # fmt: skip
    for name, tier, required in needs:
        found, _ = tried(BLADE, Plan(name, name, 1), wild, ally_near=True)
        assert (found.tier, found.required, found.base) == (tier, required, 0)
        assert (found.safe, found.burning, found.each, found.more) == (3, 1, 0, 0)
    one, _ = tried(BLADE, Plan("stabilize", "stabilize"), wild, picks={"stabilize": "one"})
    assert one.required == 1
    low, _ = tried(BLADE, Plan("rush", "rush"), replace(wild, resolve=1), picks={"resolve": "core"})
    assert low.required == 0  # what needs none needs no more


def test_af10_big_actions_begin_with_expert() -> None:
    assert [is_big(tier) for tier in ("basic", "advanced", "expert", "legendary", "mythical")] == [
        False, False, True, True, True,
    ]  # fmt: skip


def test_af1_the_cap_of_exertion() -> None:
    one = striker(level=5)
    spent = [condition_of(replace(one, exerted=n), held_to({})) for n in range(7)]
    assert [cap_of(one, now, held_to({})) for now in spent] == [3] * 7
    turn = picked(exertion_budget="turn")
    assert [cap_of(one, now, turn) for now in spent] == [3, 3, 3, 2, 1, 0, 0]
    fresh = condition_of(ORC, held_to({}))
    for reading, cap in (("none", 0), ("remainder", 0), ("reckless", 2)):
        assert cap_of(ORC, fresh, picked(npc_burn=reading)) == cap
        assert cap_of(replace(ORC, actions=()), fresh, picked(npc_burn=reading), 3) == cap
        assert cap_of(replace(ORC, actions=()), fresh, picked(npc_burn=reading)) == 2


def test_af12_the_cap_of_affinity_dice() -> None:
    one = striker(level=5, affinity=5)
    now = condition_of(one, held_to({}))
    assert [affinity_limit(one, now, n, held_to({})) for n in range(4)] == [3, 2, 1, 0]
    assert [affinity_limit(one, now, n, picked(affinity_dice="safe")) for n in (0, 3)] == [3, 3]
    few = now._replace(affinity=1)
    assert [affinity_limit(one, few, n, held_to({})) for n in range(4)] == [1, 1, 1, 0]
    assert affinity_limit(one, few, 0, picked(affinity_dice="safe")) == 1


def test_af1_exertion_is_remembered_where_it_matters() -> None:
    assert not tracks_exertion(held_to({}))
    assert tracks_exertion(picked(exertion_budget="turn"))
    assert tracks_exertion(picked(resolve="core"))


@pytest.mark.parametrize(
    ("changes", "yards", "why"),
    [
        ({}, 5, ""),
        ({}, 6, "they are 6 yards away; it reaches 5"),
        ({"universal": ("defend",)}, 0, "Intervene is not one of their actions"),
        ({"hd": 0, "hd_max": 3}, 0, "they are out of action"),
        ({"acted": True}, 0, "they have acted in this round already"),
        ({"actions_left": 0}, 0, "they have no action left"),
        ({"actions_left": 1}, 0, ""),
    ],
)
def test_af41_who_may_intervene(changes: dict[str, Any], yards: int, why: str) -> None:
    mate = ally(yards, level=3, skill_dice=1, **changes)
    found = guard_of(2, mate, held_to({}))
    assert found.why.startswith(why)
    assert bool(found.why) is bool(why)
    assert found[:5] == (2, "ally", 3, 2, 1)
    nameless = guard_of(2, Ally(combatant=Combatant()), held_to({}))
    assert nameless.name == "the ally 3"
    tired = guard_of(0, ally(resolve=3), picked(resolve="core"))
    assert tired.needs == 2
    assert guard_of(0, ally(resolve=3), picked(resolve="later")).needs == 1  # a basic action


@pytest.mark.parametrize(
    ("reading", "rows"),
    [
        ("joined", {5: 0, 6: 0, 9: 0, 10: 0, 29: 0, 30: 0, 31: 1, 40: 1, 100: 1, 101: 2}),
        ("printed", {5: 0, 9: None, 10: 0, 29: 0, 30: 1, 31: 1, 100: 1, 101: 2}),
        ("weapon", {5: 0, 6: 0, 40: 0, 41: 1, 100: 1, 120: 1, 121: None}),
    ],
)
def test_af70_dice_that_a_distance_takes(reading: str, rows: dict[int, int | None]) -> None:
    bow = replace(SLING, name="blow", short_yd=40, max_yd=120)
    for yards, lost in rows.items():
        made = game(setup(striker(bow, BLADE, level=9), distance_yd=yards), {"range_gaps": reading})
        if lost is None:
            assert "blow" in closed(asked(made)), yards
        else:
            session = asked(made, "blow", "0")
            assert str(question(session).dice) == f"{5 - lost}d6", yards


# -- what comes back and burns ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("picks", "hd", "change", "after"),
    [
        ({}, 5, (3, 0), 7),
        ({}, 5, (3, 2), 5),
        ({}, 5, (1, 2), 4),
        ({}, 1, (0, 2), 0),
        ({}, 8, (1, 0), 8),
        ({"rush_order": "burn_first"}, 5, (3, 2), 6),
        ({"rush_order": "burn_first"}, 1, (3, 2), 3),
        ({"rush_order": "burn_first"}, 7, (3, 2), 7),
        ({"rush_cap": "none"}, 5, (3, 0), 8),
        ({"rush_cap": "none"}, 5, (3, 2), 6),
        ({"rush_cap": "proficiency"}, 5, (3, 0), 7),
    ],
)
def test_af42_af39_hit_dice_that_come_back_and_burn(
    picks: dict[str, str], hd: int, change: tuple[int, int], after: int
) -> None:
    assert restored(Combatant(hd=5, hd_max=7), hd, change, picked(**picks)) == after


# -- Resolve checks --------------------------------------------------------------------------

CORE = {"resolve": "core"}


@pytest.mark.parametrize(
    ("hd", "damage", "changes", "checks"),
    [
        (9, 2, {}, False),
        (9, 3, {}, False),
        (9, 4, {}, True),
        (9, 3, {"lost_this_round": 1}, True),
        (9, 2, {"lost_this_round": 1}, False),
        (2, 2, {}, True),
        (2, 9, {}, True),
        (3, 2, {}, False),
        (9, 4, {"checked": True}, False),
        (0, 1, {}, True),
        (0, 1, {"checked": True}, False),
    ],
)
def test_af52_who_loses_much_or_all_checks(
    hd: int, damage: int, changes: dict[str, Any], checks: bool
) -> None:
    """Proficiency 3: four Hit Dice in a round, or all of them."""
    sheet = target(hd=hd, hd_max=9, proficiency=3, **changes)
    rolls = () if hd == 0 else (1,) * 2
    end = play(game(harmed(damage, sheet), CORE), *rolls, *((3,) if checks else ()))
    assert end["resolve"] == (4 if checks else 5)
    off = play(game(harmed(damage, sheet)), *rolls)
    assert off["resolve"] == 5


@pytest.mark.parametrize(
    ("reading", "changes", "exertion", "faces", "checks"),
    [
        ("core", {}, 0, (4,), False),
        ("core", {"level": 3}, 1, (4, 4, 4), False),
        ("core", {"level": 3}, 2, (4, 4, 4, 4), False),
        ("later", {"level": 3}, 2, (4, 4, 4, 4), True),
        ("later", {"level": 3}, 1, (4, 4, 4), False),
        ("later", {"level": 3, "exerted": 1}, 1, (4, 4, 4), True),
        ("later", {"level": 3, "exerted": 2}, 0, (4, 4), False),
        ("core", {"level": 1}, 1, (4, 4), True),
        ("core", {"level": 3, "hd": 1, "hd_max": 5}, 1, (4, 4, 1), True),
        ("core", {"level": 3, "hd": 2, "hd_max": 5}, 1, (4, 4, 1), False),
        ("core", {"level": 3, "lost_this_round": 2}, 1, (4, 4, 1), True),
        ("core", {"level": 3, "lost_this_round": 1}, 1, (4, 4, 1), False),
        ("core", {"level": 3, "lost_this_round": 3}, 1, (4, 4, 4), False),
        ("core", {"level": 1, "checked": True}, 1, (4, 4), False),
    ],
)
def test_af52_an_attack_may_strain_the_attacker(
    reading: str, changes: dict[str, Any], exertion: int, faces: tuple[int, ...], checks: bool
) -> None:
    made = setup(striker(BLADE, **changes), target(immune=("slashing",)))
    start = attack(made, exertion, {"resolve": reading})
    end = play(start, *faces, *((2,) if checks else ()))
    assert end["own_resolve"] == (4 if checks else 5)
    assert end["own_checked"] is (checks or bool(changes.get("checked")))
    if checks:
        assert play(start, *faces, 6)["own_resolve"] == 5  # there can't be more
        assert play(start, *faces, 5)["own_resolve"] == 5


@pytest.mark.parametrize(
    ("tier", "faces", "checks"),
    [("expert", (4, 4, 4, 4, 4, 4), False), ("expert", (4, 4, 1, 1, 1, 2), True),
     ("advanced", (1, 1, 1, 1, 1), False)],
)  # fmt: skip
def test_af52_failing_at_something_big_strains(
    tier: Any, faces: tuple[int, ...], checks: bool
) -> None:
    feat = Action(name="feat", tier=tier)
    made = setup(striker(feat, level=9, hd=9, hd_max=19), target(immune=("slashing",)))
    end = play(attack(made, len(faces) - 5, CORE), *faces, *((2,) if checks else ()))
    assert end["own_checked"] is checks


# -- fights ----------------------------------------------------------------------------------


def condition(sheet: Combatant, picks: Mapping[str, str], **changes: Any) -> Condition:
    found = FIGHT.enter(sheet, held_to(picks))
    return found._replace(now=found.now._replace(**changes))


WHOLE = replace(
    FULL, actions=(BLADE,), layers=(Layer(die=8),), boosts=(), hd=6, stabilized=False,
    checked=False, lost_this_round=0, attacked=False, expert_used=False, defending=False,
    rushed=False, steadied=False, actions_left=2,
)  # fmt: skip


def test_af7_af28_every_part_of_what_was_suffered_stands() -> None:
    before = condition(WHOLE, CORE)
    after = FIGHT.apply(WHOLE, before, Effect(
        deed="attack", lost=1, burned=1, layers=(), resolve=-1, affinity=2, exerted=1, expert=True,
        stabilized=True,
    )).now  # fmt: skip
    assert after == before.now._replace(
        hd=4, layers=(), resolve=1, affinity=2, exerted=3, expert=True, stabilized=True,
        lost=2, actions=1, attacked=True,
    )  # fmt: skip
    same = FIGHT.apply(WHOLE, before, Effect()).now
    assert same == before.now


def test_af52_losses_count_up_to_what_calls_for_a_check() -> None:
    before = condition(WHOLE, CORE, lost=1)
    losses = [FIGHT.apply(WHOLE, before, Effect(lost=n)).now.lost for n in (0, 1, 2, 3, 4)]
    assert losses == [1, 2, 3, 4, 4]
    assert FIGHT.apply(WHOLE, before, Effect(lost=1, checked=True)).now.lost == 0
    assert FIGHT.apply(WHOLE, condition(WHOLE, CORE, checked=True), Effect(lost=1)).now.lost == 0
    assert FIGHT.apply(WHOLE, condition(WHOLE, {}, lost=1), Effect(lost=1)).now.lost == 1
    healed = FIGHT.apply(WHOLE, before, Effect(back=2)).now
    assert (healed.lost, healed.hd) == (1, 8)


def test_af39_healing_goes_up_to_the_most_and_a_rush_burns_as_well() -> None:
    for back, hd in ((2, 8), (3, 9), (4, 9)):
        assert FIGHT.apply(WHOLE, condition(WHOLE, {}), Effect(back=back)).now.hd == hd
    over = FIGHT.apply(WHOLE, condition(WHOLE, {}, hd=12), Effect(back=4)).now
    assert over.hd == 12
    rush = FIGHT.apply(WHOLE, condition(WHOLE, {}), Effect(deed="rush", back=5, burned=1)).now
    assert rush.hd == 8
    free = condition(WHOLE, {"rush_cap": "none"})
    assert FIGHT.apply(WHOLE, free, Effect(deed="rush", back=5)).now.hd == 11
    assert FIGHT.apply(WHOLE, free, Effect(back=5)).now.hd == 9  # healing stops all the same


def test_af45_a_check_uses_up_that_one_was_stabilized() -> None:
    safe = condition(WHOLE, CORE, stabilized=True)
    assert FIGHT.apply(WHOLE, safe, Effect()).now.stabilized
    used = FIGHT.apply(WHOLE, safe, Effect(checked=True)).now
    assert (used.stabilized, used.checked) == (False, True)
    assert FIGHT.apply(WHOLE, safe, Effect(checked=True, stabilized=True)).now.stabilized


@pytest.mark.parametrize(
    ("deed", "picks", "changes"),
    [
        ("", {}, {}),
        ("attack", {}, {"actions": 1, "attacked": True}),
        ("heal", {}, {"actions": 1}),
        ("intervene", {}, {"actions": 1}),
        ("pass", {}, {"actions": 1}),
        ("defend", {"defend_cost": "turn"}, {"actions": 0, "defending": True, "exerted": 0}),
        ("defend", {}, {"actions": 1, "defending": True}),
        ("defend", {"defend_cost": "action"}, {"actions": 1, "defending": True}),
        ("rush", {}, {"actions": 1}),
        ("rush", {"rush": "fixed"}, {"actions": 1, "rushed": True}),
        ("steady", {}, {"actions": 1, "steadied": True}),
    ],
)
def test_af62_an_action_is_taken_off_the_turn(
    deed: Deed, picks: dict[str, str], changes: dict[str, Any]
) -> None:
    before = condition(WHOLE, picks)
    assert FIGHT.apply(WHOLE, before, Effect(deed=deed)).now == before.now._replace(**changes)
    last = condition(WHOLE, picks, actions=1)
    assert FIGHT.apply(WHOLE, last, Effect(deed=deed)).now.attacked is False


def test_af62_a_turn_and_a_round_begin_anew() -> None:
    tired = condition(
        WHOLE, {}, actions=1, attacked=True, expert=True, exerted=2, defending=True, acted=False,
        checked=True, lost=2, rushed=True, steadied=True, stabilized=True,
    )  # fmt: skip
    fresh = tired.now._replace(attacked=False, expert=False, defending=False)
    assert FIGHT.begin_turn(WHOLE, tired).now == fresh._replace(acted=True)  # may Intervene
    alone = replace(WHOLE, universal=("defend",))
    assert FIGHT.begin_turn(alone, tired).now == fresh._replace(actions=2)
    rested = tired.now._replace(acted=False, actions=2, exerted=0, checked=False, lost=0)
    assert FIGHT.end_round(WHOLE, tired).now == rested
    ends = condition(WHOLE, {"defend_lasts": "round"}, **tired.now._asdict())
    assert FIGHT.end_round(WHOLE, ends).now == rested._replace(defending=False)
    assert FIGHT.end_round(WHOLE, condition(WHOLE, {}, acted=True)).now.acted is False
    calm = condition(WHOLE, {"defend_lasts": "next_turn"}, acted=False)
    assert FIGHT.end_round(WHOLE, calm).now.defending is False


def test_af50_who_is_out_is_told_by_hit_dice_and_resolve() -> None:
    for picks, changes, out in (
        ({}, {"hd": 1, "resolve": -5}, False),
        ({}, {"hd": 0}, True),
        (CORE, {"hd": 1, "resolve": 0}, True),
        (CORE, {"hd": 1, "resolve": 1}, False),
    ):
        one = condition(WHOLE, picks, **changes)
        assert FIGHT.is_out(WHOLE, one) is out
        assert FIGHT.vitals(WHOLE, one) == (0 if out else 1)
    assert FIGHT.vitals(WHOLE, condition(WHOLE, {})) == 6


def test_af40_af51_what_one_can_do_in_a_turn() -> None:
    healer = replace(WHOLE, actions=(MEND,), universal=("defend",))
    fighter, puncher = replace(WHOLE, universal=("defend",)), replace(WHOLE, actions=())
    carer = replace(WHOLE, universal=("stabilize",), actions=())
    both = replace(WHOLE, actions=(BLADE, MEND))
    for sheet, picks, deeds in (
        (healer, {}, (HEAL,)),
        (healer, CORE, (HEAL,)),
        (both, CORE, (HEAL, ATTACK)),
        (fighter, CORE, (ATTACK,)),
        (puncher, {}, (ATTACK,)),
        (puncher, {"unarmed": "no"}, ()),
        (carer, {}, ()),
        (carer, CORE, (STABILIZE,)),
        (WHOLE, {}, (ATTACK,)),
        (WHOLE, CORE, (STABILIZE, ATTACK)),
    ):
        assert FIGHT.deeds(sheet, condition(sheet, picks)) == deeds
        assert FIGHT.deeds(sheet, condition(sheet, picks, actions=0)) == ()
        assert FIGHT.deeds(sheet, condition(sheet, picks, actions=1)) == deeds
        assert FIGHT.deeds(sheet, condition(sheet, picks, hd=0, down=True)) == ()


def test_af41_mates_keep_their_places_and_only_those_who_may_are_known() -> None:
    mate = Combatant(name="mate", level=3)
    no = replace(mate, universal=("defend",))
    rows = [(no, condition(no, {})), (mate, condition(mate, {}, acted=True)),
            (mate, condition(mate, {}, hd=1)), (mate, condition(mate, {}, actions=1))]  # fmt: skip
    assert FIGHT.context(rows) == ((Guard(2, "mate", 2, 2), Guard(3, "mate", 2, 2)), ())
    assert FIGHT.context([]) == ((), ())


# -- what everything costs -------------------------------------------------------------------


def spent(session: Session) -> dict[str, dict[str, int]]:
    """Of every choice of a session: what each option costs, by step."""
    found = {}
    for entry in session.steps_taken:
        node = entry.at.step.rule(entry.at.facts)
        if isinstance(node, Choice):
            found[entry.at.step.name] = {option.name: option.spends for option in node.options}
    return found


def test_af1_every_option_tells_what_it_costs() -> None:
    by = striker(Action(), MAUL, level=5, affinity=2)
    made = setup(by, target(hd=3), allies=(ally(level=3), ally(level=1, name="other")))
    answers = ("action-1", "1", "1", "no", "intervene-1")
    session = drive(Session(game(made)), Script((2, 2, 2, 2, 2, 5, 6, 1), answers))
    assert spent(session) == {
        "choose_action": dict.fromkeys(
            ("action-1", "maul", "defend", "rush", "dash", "march", "disengage"), 0
        ),
        "choose_exertion": dict.fromkeys("0123", 0),
        "choose_affinity": {"0": 0, "1": 1, "2": 2},
        "ask_ally": {"no": 0, "intervene": 1, "intervene-1": 1},
    }
    select = Action(name="spark", shape="select")
    chosen = drive(Session(attack(setup(select, target(hd=3)), 1)), Script((6, 6), ()))
    assert question(chosen).step == "choose_targets"
    assert [(o.name, o.spends, o.words) for o in question(chosen).options] == [
        ("more", 0, "1 more targets"), ("stronger", 0, "1 HD more here, 1 more targets"),
    ]  # fmt: skip
    fast = asked(game(setup(act="initiative")))
    assert [(o.name, o.spends) for o in question(fast).options] == [("0", 0), ("1", 0)]
    idle = asked(game(setup(Combatant(universal=(), hd=3))))
    assert idle.outcome is not None or [o.spends for o in question(idle).options] == [0]


def test_af10_exertion_that_is_not_allowed_says_why() -> None:
    feat = Action(name="feat", tier="legendary")
    session = asked(game(setup(striker(feat, level=5))), "feat")
    assert closed(session) == {
        "0": "legendary actions take at least 2 exertion dice (AF-10)",
        "1": "legendary actions take at least 2 exertion dice (AF-10)",
        "4": "the cap is 3 (AF-1)",
    }
    mates = setup(striker(), target(), allies=(ally(6), ally(5)))
    away = asked(attack(mates), (4,))
    assert offered(away) == ["no", "intervene", "intervene-1"]
    assert closed(away) == {"intervene-2": "the cap is 1 (AF-1)"}
    with pytest.raises(AnswerError, match="they are 6 yards away"):
        asked(attack(mates, ask_ally="intervene"), (4,))


def test_af4_af61_faces_at_their_bounds() -> None:
    read = Successes(3, 1, 1, 4)
    assert read((1, 2)) == (1, 0)  # 2 + 1 reaches 3
    assert read((2, 1)) == (1, 1)
    assert read((6, 6, 6)) == (4, 0)  # held
    assert Speed(1, 2)((1, 2, 1)) == (1, 2, 1)
    assert Speed(1, 2)((6, 5)) == (3, 6, 0)
    assert Speed(0)((1, 1)) == (2, 1, 2)
    assert Speed(0)(()) == (0, 0, 0)
    assert Speed(0, 0, ties=False)((3, 4)) == (7, 0, 0)
    assert Setup(attacker=ORC, defender=ORC).moves
