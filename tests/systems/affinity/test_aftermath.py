"""Down, dying, dead; Resolve and its stages."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.core.ruling import Rulings
from affray.engine.exchange.session import Session
from affray.systems.affinity.numbers import state_of
from affray.systems.affinity.sheet import Action, Combatant

from .factory import (
    BLADE,
    MAUL,
    asked,
    attack,
    chance,
    dice,
    game,
    harmed,
    held_to,
    odds,
    offered,
    play,
    question,
    setup,
    striker,
    target,
)

F = Fraction
CORE = {"resolve": "core"}
LATER = {"resolve": "later"}


def held(picks: Mapping[str, str]) -> Rulings:
    return held_to(picks)


# -- who is out ------------------------------------------------------------------------------


def test_af50_without_hit_dice_one_is_down_not_dead() -> None:
    end = play(game(harmed(9)), 1)
    assert end["state"] == "down"
    assert end["down"]
    assert not end["dead"]


@pytest.mark.parametrize(
    ("resolve", "state"), [(5, "down"), (0, "down"), (-4, "down"), (-5, "dead")]
)
def test_af50_death_comes_at_five_below_nothing(resolve: int, state: str) -> None:
    assert state_of(0, resolve, held({})) == state
    assert state_of(1, resolve, held({})) == "up"


def test_af50_the_dead_are_beyond_attack() -> None:
    with pytest.raises(SetupError, match="target is dead"):
        game(setup(striker(), target(hd=0, hd_max=3, resolve=-5)))


def test_af50_burning_the_last_hit_die_puts_one_down() -> None:
    made = attack(setup(striker(hd=1, hd_max=3)), 1)
    assert play(made, 1, 1)["own_state"] == "down"


# -- checks ----------------------------------------------------------------------------------


def test_af52_no_checks_where_resolve_is_off() -> None:
    assert play(game(harmed(9)), 1)["resolve"] == 5


@pytest.mark.parametrize(("face", "resolve"), [(1, 3), (4, 3), (5, 4), (6, 5)])
def test_af52_a_check_when_reduced_to_nothing(face: int, resolve: int) -> None:
    made = game(harmed(9, target(resolve=4)), CORE)
    assert play(made, 1, face)["resolve"] == resolve


def test_af52_resolve_never_rises_above_five() -> None:
    assert play(game(harmed(9), CORE), 1, 6)["resolve"] == 5


@pytest.mark.parametrize(
    ("damage", "before", "checks"), [(1, 0, False), (2, 0, True), (1, 1, True)]
)
def test_af52_a_check_for_more_hit_dice_than_proficiency_in_a_round(
    damage: int, before: int, checks: bool
) -> None:
    hurt = target(hd=9, hd_max=9, lost_this_round=before)
    session = asked(game(harmed(damage, hurt), CORE), 1)
    assert (session.question is not None) == checks
    if checks:
        assert question(session).ask == "Resolve check"


def test_af52_at_most_one_check_in_a_round() -> None:
    assert play(game(harmed(9, target(checked=True)), CORE), 1)["resolve"] == 5


def test_af52_all_possible_exertion_shakes() -> None:
    made = attack(setup(striker(level=5, exerted=2), target(immune=("slashing",))), 3, CORE)
    assert play(made, 1, 1, 1, 2, 2, 2, 1)["own_resolve"] == 4
    less = attack(setup(striker(level=5, exerted=1), target(immune=("slashing",))), 3, CORE)
    assert play(less, 1, 1, 1, 2, 2, 2)["own_resolve"] == 5
    later = attack(setup(striker(level=5), target(immune=("slashing",))), 3, LATER)
    assert play(later, 1, 1, 1, 2, 2, 2, 1)["own_resolve"] == 4


def test_af52_whoever_exerts_nothing_is_not_shaken_by_it() -> None:
    """Neither after all possible exertion earlier in the turn, nor where none is possible."""
    spent = striker(level=1, exerted=1)
    assert play(attack(setup(spent, target(immune=("slashing",))), 0, CORE), 2)["own_resolve"] == 5
    weak = striker(proficiency=0, skill_dice=1)
    made = attack(setup(weak, target(immune=("slashing",))), None, LATER)
    assert play(made, 2)["own_resolve"] == 5


def test_af52_whoever_has_nothing_left_to_burn_is_not_shaken_by_burning() -> None:
    """At no Hit Dice on the scene: they were all lost before, not by this attack."""
    held_on = setup(striker(hd=0, hd_max=3), target(immune=("slashing",)))
    end = play(attack(held_on, 0, CORE | {"at_zero": "on_scene"}), 2)
    assert (end["own_resolve"], end["own_checked"]) == (5, False)


def test_af52_a_stabilized_attacker_holds_without_a_die() -> None:
    """The same exertion as above, which makes anybody else check; the help is used up by it."""
    steady = striker(level=5, exerted=2, stabilized=True)
    end = play(attack(setup(steady, target(immune=("slashing",))), 3, CORE), 1, 1, 1, 2, 2, 2)
    assert (end["own_resolve"], end["own_checked"]) == (5, True)


def test_af52_failing_something_big_shakes() -> None:
    feat = striker(Action(name="feat", tier="expert"), level=9)
    made = attack(setup(feat, target(immune=("slashing",))), 1, CORE)
    assert play(made, 1, 1, 1, 1, 1, 2, 1)["own_resolve"] == 4
    assert play(made, 6, 6, 1, 1, 1, 2)["own_resolve"] == 5


def test_af52_burning_more_than_proficiency_shakes() -> None:
    reckless = striker(level=2, hd=9, hd_max=9, lost_this_round=1)
    made = attack(setup(reckless, target(immune=("slashing",))), 1, CORE)
    assert play(made, 2, 1, 1)["own_resolve"] == 4


def test_af52_rush_and_steady_call_for_no_check() -> None:
    made = game(setup(striker(hd=1, hd_max=9)), CORE, choose_action="rush", choose_exertion="1")
    assert play(made, 1, 1)["own_resolve"] == 4  # only what it costs


def test_af45_who_is_stabilized_holds_without_a_roll() -> None:
    made = game(harmed(2, target(hd=0, hd_max=3, stabilized=True)), CORE)
    assert play(made)["resolve"] == 5


def test_af54_hits_at_nothing_cost_resolve_and_no_hit_dice() -> None:
    end = play(game(harmed(2, target(hd=0, hd_max=3)), CORE), 1)
    assert (end["hd"], end["hd_lost"], end["resolve"]) == (0, 0, 4)


# -- stages ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("resolve", "offers"), [(5, True), (4, False), (1, False)])
def test_af53_at_four_big_actions_close(resolve: int, offers: bool) -> None:
    feat = striker(Action(name="feat", tier="expert"), BLADE, level=5, resolve=resolve)
    for reading in (CORE, LATER):
        session = asked(game(setup(feat), reading))
        assert ("feat" in offered(session)) == offers
    assert "feat" in offered(asked(game(setup(feat))))


@pytest.mark.parametrize(
    ("reading", "tier", "resolve", "more"),
    [
        (CORE, "basic", 4, 0),
        (CORE, "basic", 3, 1),
        (LATER, "basic", 1, 0),
        (LATER, "advanced", 3, 0),
        (LATER, "advanced", 2, 1),
    ],
)
def test_af53_low_resolve_needs_a_success_more(
    reading: dict[str, str], tier: Any, resolve: int, more: int
) -> None:
    feat = Action(name="feat", tier=tier, required=1, base=1)
    made = attack(setup(striker(feat, level=3, resolve=resolve)), 0, reading)
    end = play(made, 5, 1) if more else play(made, 5, 1, 1)
    assert end["damage"] == (0 if more else 1)


@pytest.mark.parametrize(
    ("reading", "resolve", "n"),
    [
        (CORE, 3, 3),
        (CORE, 2, 2),
        (CORE, 1, 2),
        (LATER, 4, 3),
        (LATER, 3, 2),
        (LATER, 2, 2),
        (LATER, 1, 1),
    ],
)
def test_af32_low_resolve_costs_defence_dice(reading: dict[str, str], resolve: int, n: int) -> None:
    session = asked(game(harmed(1, target(level=9, resolve=resolve)), reading))
    assert dice(session) == f"{n}d10"


def test_af32_one_die_is_always_left() -> None:
    assert dice(asked(game(harmed(1, target(resolve=1)), LATER))) == "1d10"


def test_af53_at_nothing_one_collapses() -> None:
    assert state_of(4, 0, held(CORE)) == "collapsed"
    assert state_of(4, 0, held({})) == "up"
    with pytest.raises(SetupError, match="out of action"):
        game(setup(striker(resolve=0)), CORE)


# -- dying, round by round -------------------------------------------------------------------


def dying(rounds: int, rulings: Mapping[str, str]) -> Fraction:
    """The chance that somebody at 0 HD with Resolve 5, hit once a round, is dead by then."""
    still: dict[int, Fraction] = {5: F(1)}
    dead = F(0)
    for _ in range(rounds):
        after: dict[int, Fraction] = {}
        for resolve, share in still.items():
            made = game(harmed(1, target(hd=0, hd_max=3, resolve=resolve)), rulings)
            for now, p in odds(made, "resolve").items():
                assert isinstance(now, int)
                if state_of(0, now, held(rulings)) == "dead":
                    dead += share * p
                else:
                    after[now] = after.get(now, F(0)) + share * p
        still = after
    return dead


def test_af54_dying_with_death_at_minus_five() -> None:  # AFO-16
    assert dying(9, CORE) == 0
    assert dying(10, CORE) == F(1024, 59049)
    assert dying(12, CORE) == F(52480, 531441)


def test_af54_dying_with_death_at_nothing() -> None:  # AFO-16
    rulings = CORE | {"death": "both_zero"}
    assert dying(5, rulings) == F(32, 243)
    assert dying(10, rulings) == F(13900, 19683)


def test_af50_dying_by_a_failed_check_at_nothing() -> None:
    assert dying(5, CORE | {"death": "failed_check"}) == 0
    assert dying(6, CORE | {"death": "failed_check"}) == F(2, 3) ** 6


def test_af52_the_check_may_end_a_stand_on_the_scene() -> None:
    rulings = CORE | {"at_zero": "on_scene"}
    made = game(harmed(9, target(resolve=1)), rulings)
    assert chance(made, "state", "down") == F(2, 3)
    assert chance(made, "state", "up") == F(1, 3)
    acting = striker(hd=0, hd_max=3)
    assert "blade" in offered(asked(game(setup(acting), rulings)))
    with pytest.raises(SetupError, match="out of action"):
        Session(game(setup(acting), CORE))


def test_af50_who_can_act_at_nothing_can_be_hit_at_nothing() -> None:
    made = attack(setup(MAUL, target(hd=0, hd_max=3)), 1, CORE | {"at_zero": "on_scene"})
    end = play(made, 6, 2, 4, 3)  # the die at the end is the Resolve check
    assert end["hd_lost"] == 0
    assert Combatant().resolve == 5
