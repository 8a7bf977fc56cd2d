"""What steps promise to engines: fields settled from a step on, facts that nobody will miss."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from affray.core.node import At, Choice, Facts, Option
from affray.engine.exchange import odds as exact
from affray.engine.exchange.flow import flow
from affray.engine.exchange.game import Game, settled_option
from affray.engine.exchange.session import Session
from affray.systems.eclipse_phase import aftermath, harm
from affray.systems.eclipse_phase.hints import HINTS

from .area import caught, throw
from .factory import SYSTEM, answered, game, pistol, shooter, shot, target, victim
from .generate import attack, blast, play_out, stranger, turn, waylaid


def read(name: str, facts: Facts) -> object:
    field = SYSTEM.field_named(name)
    assert field is not None
    return field.of(facts)


def broken_promises(session: Session) -> list[str]:
    outcome = session.outcome
    assert outcome is not None
    return [
        f"{name} at {entry.at.step.name}: {read(name, entry.at.facts)} before {read(name, outcome)}"
        for entry in session.steps_taken
        for name in SYSTEM.fixes[entry.at.step]
        if read(name, entry.at.facts) != read(name, outcome)
    ]


@cache
def played_at_random(seed: int) -> tuple[Session, ...]:
    """An attack, a blast, an ambush and a turn of each seed, played to their ends."""
    return tuple(play_out(made(seed), seed) for made in (attack, blast, waylaid, turn))


@pytest.mark.parametrize("block", range(6))
def test_settled_fields_never_change_again(block: int) -> None:
    for seed in range(block * 40, block * 40 + 40):
        for session in played_at_random(seed):
            assert broken_promises(session) == [], seed


def test_every_step_is_met_by_the_random_attacks() -> None:
    met = Counter(
        entry.at.step.name
        for seed in range(120)
        for session in played_at_random(seed)
        for entry in session.steps_taken
    )
    reached = SYSTEM.reach[SYSTEM.start]
    names = {step.name for step in SYSTEM.steps if step in reached}
    rare = {"choose_touch", "scatter_weapon", "compose_oneself", "act_confused", "hide", "notice",
            "spring_ambush", "roll_response", "respond", "choose_rest", "end_turn"}  # fmt: skip
    assert names - set(met) <= rare


def test_ep113_a_check_each_turn_keeps_the_promises() -> None:
    who = victim(damage=28, death_rating=38)
    dying = game(shot(weapon=pistol(d10=0, flat=7), defender=who), {"bleeding": "each"})
    for seed in range(25):
        assert broken_promises(play_out(dying, seed)) == []


def test_ep18_only_pool_options_spend_points() -> None:
    """One point each; whatever else is decided is free."""
    strangers = [(seed, game) for seed in range(60) if (game := stranger(seed)) is not None]
    for seed, played in [*((seed, attack(seed)) for seed in range(30)), *strangers]:
        for entry in play_out(played, seed).steps_taken:
            if isinstance(entry.node, Choice):
                for option in entry.node.options:
                    pool = option.name.partition("-")[0]
                    points = pool in {"plus20", "ignore", "flip", "upgrade", "downgrade"}
                    assert option.spends == int(points), (entry.at.step, option.name)


def test_ep42_what_is_closed_is_not_on_offer_and_says_why() -> None:
    closed = Counter[str]()
    strangers = [game for seed in range(60) if (game := stranger(seed)) is not None]
    for played in [*(attack(seed) for seed in range(60)), *strangers]:
        for entry in play_out(played, 1).steps_taken:
            if isinstance(entry.node, Choice):
                names = [name for name, _ in entry.node.closed]
                assert not {option.name for option in entry.node.options}.intersection(names)
                assert all(why for _, why in entry.node.closed)
                closed[entry.at.step.name] += len(names)
    assert {step for step, n in closed.items() if n} == {
        "choose_mode", "choose_called_shot", "choose_style",
    }  # fmt: skip


@pytest.mark.parametrize("called", ["bypass", "disarm", "knockdown", "redirect", "specific"])
@pytest.mark.parametrize("critical", ["both", "doubles", "effect"])
def test_ep99_a_called_shot_keeps_the_promises(called: str, critical: str) -> None:
    setup = shot(attacker=shooter(guns=98), defender=target(kinetic=5))
    called_shot = game(setup, {"called_critical": critical}, "choose_effect",
                       choose_called_shot=called)  # fmt: skip
    for seed in range(12):
        assert broken_promises(play_out(called_shot, seed)) == []


# -- what is dropped -------------------------------------------------------------------------


def last_option(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
    return choice.options[-1]


def everything(played: Game) -> dict[Facts, float]:
    """Every outcome with its probability, nothing dropped and nothing cut short."""

    def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        return settled_option(played, at, choice) or last_option(at, choice)

    whole: dict[Facts, float] = {}
    for total, finals in flow(played, decide).items():
        for facts, weight in finals.items():
            whole[facts] = whole.get(facts, 0) + weight / total
    return whole


def compare(played: Game, groups: Iterable[tuple[str, ...]]) -> None:
    """Joint distributions of these fields, with and without dropping."""
    whole = everything(played)
    columns: dict[str, list[object]] = {}
    for names in groups:
        for name in names:
            if name not in columns:
                columns[name] = [read(name, facts) for facts in whole]
        kept: dict[tuple[object, ...], float] = {}
        for key, p in zip(zip(*(columns[name] for name in names), strict=True), whole.values(),
                          strict=True):  # fmt: skip
            kept[key] = kept.get(key, 0) + p
        asked = exact.outcomes(played, names, decide=last_option).floats()
        assert asked == pytest.approx(kept, abs=1e-12), names


NAMES = [field.name for field in SYSTEM.fields]
ALONE: Mapping[str, Mapping[str, list[str]]] = tomllib.loads(
    (Path(__file__).parent / "promises.toml").read_text("utf-8")
)
"""The fields that are asked for alone, of each attack and blast."""
DROPPED = (6, 9, 10, 11, 13, 15, 19, 23, 25, 31, 39, 43, 55, 57, 59)


@pytest.mark.parametrize("seed", DROPPED)
def test_asking_for_less_changes_no_answer(seed: int) -> None:
    """Fields alone, some pairs and triples: as if all had been kept."""
    played = attack(seed, n_others=seed % 2).settle({"choose_defence": ("fray", "wil", "none")})
    draw = Random(seed)
    compare(played, [(name,) for name in ALONE["attack"].get(str(seed), ())])
    compare(played, [tuple(draw.sample(NAMES, size)) for size in (2, 2, 3, 3, 4)])


def test_every_field_is_asked_for_alone_three_times() -> None:
    asked = Counter(name for seeds in ALONE.values() for names in seeds.values() for name in names)
    assert set(asked) == set(NAMES)
    assert min(asked.values()) >= 3
    assert set(ALONE["attack"]) <= set(map(str, DROPPED))
    assert set(ALONE["blast"]) <= set(map(str, BLASTS))


BLASTS = (0, 6, 10, 12, 13, 17, 20, 23, 24)
"""One to three targets, of every kind of trigger; few outcomes each."""


@pytest.mark.parametrize("seed", BLASTS)
def test_ep102_asking_less_of_a_blast_changes_no_answer(seed: int) -> None:
    """Fields alone, and some pairs: as if all had been kept."""
    played = blast(seed).settle({"choose_defence": ("fray", "none")})
    draw = Random(seed)
    compare(played, [(name,) for name in ALONE["blast"].get(str(seed), ())])
    compare(played, [tuple(draw.sample(NAMES, 2)) for _ in range(4)])


def test_ep61_foam_still_knows_how_well_it_hit() -> None:
    """Superior successes make it harder to get out, though only the conditions are asked for."""
    traits = ("cone", "entangling")
    foam = pistol(form="spray", armor="none", d10=1, modes=("single",), traits=traits)
    setup = shot(weapon=foam, distance_m=12, defender=victim(), others=(victim(name="second"),))
    odds = exact.odds(game(setup), "conditions").fractions()
    assert any("entangled 1" in str(conditions) for conditions in odds)


def test_ep61_a_net_that_also_blinds_still_knows_how_well_it_hit() -> None:
    """As before, at a single target and beside another check."""
    net = pistol(form="spray", armor="none", d10=1, modes=("single",),
                 traits=("blinding", "entangling"))  # fmt: skip
    setup = shot(weapon=net, attacker=shooter(guns=98), defender=victim())
    odds = exact.odds(game(setup), "conditions").fractions()
    assert any("entangled 1" in str(conditions) for conditions in odds)


def test_ep60_once_a_blast_rolls_for_damage_nothing_reads_how_well_it_hit() -> None:
    session = answered(game(throw(caught(), caught("far", place_m=(0.0, 3.0)))), 20, 98, 98)
    roll: Any = session.here.step.rule(session.here.facts)
    assert roll.then.step is harm.weaken_blast
    better = roll.then.facts.struck[0]._replace(critical=True, superior=2)
    struck = (better, *roll.then.facts.struck[1:])
    other = roll._replace(then=At(harm.weaken_blast, roll.then.facts._replace(struck=struck)))
    assert HINTS.forget is not None
    for needed, same in (({"net"}, True), ({"critical"}, False), ({"superior"}, False)):
        one, two = (HINTS.forget(found, frozenset(needed)) for found in (roll, other))
        assert (one == two) == same


@pytest.mark.parametrize(("reading", "settled"), [("once", True), ("each", False)])
def test_ep113_who_is_dead_is_settled_unless_each_turn_asks_again(
    reading: str, settled: bool
) -> None:
    """When the wounds of the target are counted: the bleeding to come may kill where it may."""
    dying = shot(weapon=pistol(d10=0, flat=14), defender=victim(damage=28, death_rating=60))
    start = game(dying, {"bleeding": reading}, "call_for_check")
    place: Any = next(
        entry.at
        for entry in play_out(start, 1).steps_taken
        if entry.at.step is aftermath.call_for_check
    )
    assert HINTS.fixes_where is not None
    fixed = HINTS.fixes_where[place.step](place.facts)
    assert ("dead" in fixed) == settled
    assert {"wounds", "wounds_all", "traumas"} <= set(fixed)  # nobody else is struck


def test_ep18_points_on_checks_are_kept_beside_other_targets() -> None:
    helped = victim(name="first", vigor=1)
    setup = shot(weapon=pistol(d10=0, d6=1, flat=7), defender=helped, others=(target(),))
    both = game(setup, choose_mode="burst", choose_fire="spread", call_for_check="plus20")
    both = both._replace(settled={**both.settled, "call_for_check": ("plus20", "none")})
    compare(both, [("spent_on_checks",)])
    assert exact.odds(both, "spent_on_checks").chance(1) > 0


def test_ep99_a_blind_called_shot_still_knows_how_well_it_hit() -> None:
    """A superior success bypasses the armor, though only the damage is asked for."""
    dark = shot(vision="blind", attacker=shooter(guns=98), defender=target(kinetic=10))
    called = game(dark, choose_called_shot="bypass", search_target="shoot")
    compare(called, [("net",), ("dv",), ("hit",), ("superior",)])
