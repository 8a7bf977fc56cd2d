"""Once all rolls are compared their numbers are forgotten, and nothing that is still needed."""

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from affray.core.errors import LimitError
from affray.core.node import At, Choice, Facts, Option
from affray.core.ruling import Ruling, Rulings
from affray.engine.budget import Budget, spending
from affray.engine.exchange import best
from affray.engine.exchange.flow import Flow, flow
from affray.engine.exchange.keeping import forget_kernels
from affray.systems.eclipse_phase import harm, roll
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.sheet import Setup
from affray.systems.eclipse_phase.state import Exchange

from .factory import (
    SYSTEM,
    blade,
    blow,
    game,
    objective,
    pistol,
    shooter,
    shot,
    victim,
)
from .fighting import MIND, SPENDING, STAB, F, Held, Settled, outcomes, refuse_open, summed
from .generate import attack as random_attack

CALLED = ("bypass", "disarm", "knockdown", "redirect", "specific")
RICH = shooter(vigor=1, moxie=1, flex=1, ref=10)
POOR = victim(kinetic=5, damage=26, wounds=1, death_rating=40)
SPENDER = replace(POOR, vigor=2, moxie=1)
FLAT = pistol(d10=1, flat=4)
FORGETTING: dict[str, tuple[Setup, Settled]] = {
    "shot": (shot(defender=POOR), {}),
    "blow": (blow(defender=POOR, attacker=replace(RICH, melee=None)), {"choose_defence": "melee"}),
    "defaulted": (shot(attacker=shooter(guns=None), defender=victim(fray=None)), {}),
    "spent before": (
        shot(weapon=FLAT, attacker=RICH, defender=SPENDER, treated=True), SPENDING["before"],
    ),
    "flipped attack": (shot(weapon=FLAT, attacker=RICH, defender=POOR), SPENDING["after"]),
    "flipped defense": (
        blow(weapon=blade(d10=0, flat=12), attacker=shooter(melee=15),
             defender=replace(POOR, vigor=1, fray=70)),
        SPENDING["after"],
    ),
    "unlucky": (
        blow(weapon=blade(d10=0, flat=12), attacker=shooter(melee=15),
             defender=replace(POOR, threat=1, qualities=("bad_luck",))),
        SPENDING["after"],
    ),
    "blind": (shot(defender=POOR, vision="blind"), {}),
    "fragile": (
        blow(weapon=blade(traits=("fragile", "knockdown", "shock"), d10=1), defender=POOR), {},
    ),
    "touch": (blow(weapon=blade(traits=("touch_only", "stun"))), {"choose_touch": "touch"}),
    "undefended": (shot(defender=victim(conditions=("unconscious",), wounds=2)), {}),
    "stress": (
        replace(MIND, weapon=replace(STAB, d10=1), attacker=RICH, defender=SPENDER),
        SPENDING["before"],
    ),
    "small": (
        blow(attacker=shooter(size="small"), defender=POOR, weapon=blade(d10=1, d6=1, flat=2)), {},
    ),
    "two": (
        shot(weapon=pistol(d10=0, flat=9), defender=POOR,
             others=(victim(size="large", fray=20, wounds=1),)),
        {"choose_mode": "burst", "choose_fire": "spread"},
    ),
    "two in melee": (
        blow(weapon=blade(d10=0, flat=12), attacker=shooter(melee=40, vigor=2),
             defender=replace(POOR, vigor=1), others=(victim(size="small", wounds=1),)),
        SPENDING["before"],
    ),
    **{
        called: (
            shot(weapon=FLAT, attacker=shooter(guns=85), defender=POOR),
            {"choose_called_shot": called, "choose_effect": "harder/damage/none"},
        )
        for called in CALLED
    },
}  # fmt: skip


def remember_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """No number is dropped when the rolls are compared."""
    for forgets in ("attack_rolled", "target_rolled"):
        monkeypatch.setattr(roll, forgets, lambda numbers: numbers)


def asked(found: Mapping[Exchange, Fraction]) -> dict[object, Fraction]:
    """Everything that can be asked of the outcomes, and all effects on both."""
    by: dict[object, Fraction] = {}
    for facts, chance in found.items():
        fields = tuple(field.of(facts) for field in SYSTEM.fields)
        effects = FIGHT.effect(facts, "actor"), FIGHT.effect(facts, "target")
        pools = tuple(one.pools for one in facts.done)
        key = fields, effects, pools
        by[key] = by.get(key, F(0)) + chance
    return by


READINGS: Mapping[str, Mapping[str, list[str]]] = tomllib.loads(
    (Path(__file__).parent / "forgetting.toml").read_text("utf-8")
)
"""The readings by which an attack is followed, one at a time, besides the defaults."""


def asked_for(setup: Setup, settled: Settled, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The questions that somebody asks on the way when all readings are the defaults."""
    asked: set[str] = set()
    look_up = Rulings.__getitem__

    def noticed(self: Rulings, ruling: Ruling[Any]) -> object:
        asked.add(ruling.name)
        return look_up(self, ruling)

    with monkeypatch.context() as patch:
        patch.setattr(Rulings, "__getitem__", noticed)
        followed(setup, {}, settled)
    return asked


def test_every_reading_that_attacks_ask_for_is_followed_in_some(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In three of them, if three ask for it.

    A question that nobody asks when all readings are the defaults is asked by nobody when its
    own reading alone is another.
    """
    asked: Counter[str] = Counter()
    for setup, settled in FORGETTING.values():
        asked.update(asked_for(setup, settled, monkeypatch))
    assert len(asked) > 20
    kept: Counter[tuple[str, str]] = Counter(
        (ruling, option)
        for readings in READINGS.values()
        for ruling, options in readings.items()
        for option in options
    )
    for ruling in SYSTEM.rulings:
        for option in ruling.options:
            if option != ruling.default:
                assert kept[ruling.name, option] >= min(3, asked[ruling.name]), ruling.name


@pytest.mark.parametrize("name", FORGETTING)
def test_ep53_nothing_is_forgotten_that_a_later_step_reads(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup, settled = FORGETTING[name]
    readings: list[Held] = [{}] + [
        {ruling: option}
        for ruling, options in READINGS.get(name, {}).items() for option in options
    ]  # fmt: skip
    found = {}
    for remembers in (False, True):
        with monkeypatch.context() as patch:
            if remembers:
                remember_all(patch)
            found[remembers] = [followed(setup, rulings, settled) for rulings in readings]
    for rulings, short, whole in zip(readings, found[False], found[True], strict=True):
        assert short == whole, rulings


def followed(setup: Setup, rulings: Held, settled: Settled) -> tuple[object, set[object]]:
    """What can be asked of the outcomes, and who decided where."""
    chosen = {step: tuple(names.split("/")) for step, names in settled.items()}
    whole = game(setup, rulings).settle(chosen)
    decided: set[object] = set()
    ended = flow(
        whole, refuse_open(whole),
        watch=lambda seen: decided.add((seen.at.step.name, seen.choice.actor)),
    )  # fmt: skip
    return asked(summed(ended)), decided


@pytest.mark.parametrize("block", range(4))
def test_ep53_nothing_is_forgotten_in_attacks_at_random(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    n_followed = 0
    for seed in range(block * 25, (block + 1) * 25):
        short = followed_at_random(seed)
        with monkeypatch.context() as patch:
            remember_all(patch)
            assert short is None or followed_at_random(seed) == short
        n_followed += short is not None
    assert n_followed > 12


def followed_at_random(seed: int) -> dict[object, Fraction] | None:
    """A random attack in which everybody decides by a whim; None if that takes too long."""

    def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        return max(
            choice.options, key=lambda one: crc32(f"{seed}{at.step.name}{one.name}".encode())
        )

    try:
        with spending(Budget(places=2000)):
            ended = flow(random_attack(seed), decide)
    except LimitError:
        return None
    return asked(summed(ended))


@pytest.mark.parametrize("wish", ["damage", "disable", "kill", "survive"])
@pytest.mark.parametrize("name", ["blow", "spent before", "flipped defense", "disarm"])
def test_ep53_what_is_forgotten_costs_nothing_even_for_the_best(
    name: str, wish: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup, _ = FORGETTING[name]
    spends = ("spend_before_attack", "spend_after_defence", "choose_effect", "call_for_check",
              "spend_on_check")  # fmt: skip
    called = {"choose_called_shot": "disarm"} if name == "disarm" else {}
    values = []
    for remembers in (False, True):
        with monkeypatch.context() as patch:
            if remembers:
                remember_all(patch)
            values.append(best.solve(game(setup, {}, *spends, **called), objective(wish)).value)
    assert values[0] == values[1]


def test_ep53_what_is_forgotten_lets_attacks_meet() -> None:
    """Different skills, one number to roll: after the rolls the same dice are left."""
    seen = set()
    for guns, fray in ((70, 60), (85, 20), (90, 80)):
        setup = shot(attacker=shooter(guns=guns), defender=victim(fray=fray))
        whole = game(setup)
        flown = Flow(whole, refuse_open(whole), seams=SYSTEM.hints.seams).run()
        places = [at for at, _, _ in flown.hidden]
        assert {at.step for at in places} == {harm.next_target}
        seen.add(frozenset(places))
    assert len(seen) == 1


def test_ep62_of_damage_alone_a_target_is_nothing_but_armor() -> None:
    """What gets through the same armor is worked out once for targets who differ otherwise."""
    sturdy = victim(damage=12, wounds=1, kinetic=6)
    frail = replace(sturdy, durability=20, death_rating=30, damage=3)
    places = []
    for first in (sturdy, frail):
        forget_kernels()
        solved = best.solve(game(shot(defender=first)), objective("damage"))
        value, alone = solved.value, solved.followed
        again = best.solve(game(shot(defender=frail)), objective("damage"))
        assert again.value == value
        places.append((alone, again.followed - alone))
    (_, more), (alone, none) = places
    assert none == 0
    assert more < alone / 2


def test_ep62_of_damage_alone_attack_rolls_on_the_same_armor_are_one() -> None:
    """From the roll on, neither the rest of the target matters nor what the attacker has left."""
    sturdy = victim(kinetic=6)
    frail = replace(sturdy, durability=20, death_rating=30, damage=3)
    armored = replace(sturdy, kinetic=7)
    setups = [
        shot(defender=sturdy), shot(defender=frail), shot(defender=armored),
        shot(defender=replace(sturdy, fray=10)), shot(weapon=pistol(d10=3), defender=sturdy),
        shot(weapon=pistol(rounds=12), defender=frail),
    ]  # fmt: skip
    rolls = []
    for setup in setups:
        whole = game(setup)
        flown = Flow(whole, refuse_open(whole), needed=frozenset({"net_all"}))
        rolls.append(flown.opening())
    first, other, thicker, quicker, stronger, emptier = rolls
    assert first == other == emptier
    assert len({first, thicker, quicker, stronger}) == 4


@pytest.mark.parametrize("name", FORGETTING)
def test_ep62_damage_alone_comes_to_the_same_however_little_is_kept(name: str) -> None:
    setup, settled = FORGETTING[name]
    chosen = {step: tuple(names.split("/")) for step, names in settled.items()}
    readings = READINGS.get(name, {})
    for held in ({}, *({ruling: one} for ruling, some in readings.items() for one in some)):
        whole = game(setup, held).settle(chosen)
        short, full = (
            through(outcomes(whole, needed)) for needed in (frozenset({"net", "net_all"}), None)
        )
        assert short == full, held


def through(found: Mapping[Exchange, Fraction]) -> dict[object, Fraction]:
    """The damage that gets through, to the first target and to all."""
    by: dict[object, Fraction] = {}
    for facts, chance in found.items():
        key = tuple(field.of(facts) for field in SYSTEM.fields if field.name in {"net", "net_all"})
        by[key] = by.get(key, F(0)) + chance
    return by
