"""Ways to follow a fight of Eclipse Phase, exchange by exchange.

The numbers are those of the factory: 70 against Fray 60, half of it for a shot; the victim has
durability 35, wound threshold 7, death rating 53 and SOM checks at 60. Weapons without dice do
the same damage every time, so that a turn is told by the faces of its d100s.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

from affray.core.dice import Face
from affray.core.fight import ATTACK, Scene
from affray.core.node import At, Choice, Facts, Option
from affray.core.ruling import Rulings
from affray.engine.exchange.flow import flow
from affray.engine.exchange.game import Game, settled_option
from affray.engine.exchange.odds import open_choice
from affray.engine.exchange.session import Session
from affray.systems.eclipse_phase.condition import Condition, Effect
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.hints import HINTS
from affray.systems.eclipse_phase.sheet import Combatant, Setup
from affray.systems.eclipse_phase.state import Exchange

from .factory import (
    BY_ATTACKS,
    QUIET,
    SYSTEM,
    blade,
    blow,
    facts_of,
    pistol,
    play,
    shooter,
    shot,
    victim,
)

F = Fraction
Held = Mapping[str, str]
Now = tuple[Combatant, Condition]
Settled = dict[str, Any]
"""Choices by step: an option, or several as `these/in/order`."""
STAB = Weapon(name="stab", form="psi", skill="psi", armor="mental", harm="stress", flat=6)
MIND = blow(weapon=STAB, distance_m=1)
SHOOTER, VICTIM = shooter(), victim()
HOUSE_RULE = {"wound_effects": "modifiers"}
HIT, MISS = (20, 98), (99,)
"""Faces of a plain hit (a success, a failed defense), and of a miss, for which nobody defends."""


# -- following a fight -----------------------------------------------------------------------


def held_to(rulings: Held | None) -> Rulings:
    """These readings; and nobody counts rounds, so that a miss leaves nothing behind."""
    return Rulings.pick(
        SYSTEM.rulings, {"ammunition": "plenty", "turns": "attacks", **(rulings or {})}
    )


def condition(**changes: Any) -> Condition:
    """The condition of a victim: with a Death Rating of 53, and blood to lose."""
    return Condition(dies_at=53, bleeds="wounded")._replace(**changes)


def enter(sheet: Combatant, **changes: Any) -> Condition:
    """A combatant as they enter, but for these changes of the condition."""
    return FIGHT.enter(sheet, BY_ATTACKS)._replace(**changes)


def fresh(sheet: Combatant, **changes: Any) -> Now:
    return sheet, enter(sheet, **changes)


def declared(
    one: Now, other: Now, setup: Setup, rulings: Held | None = None, *, held: object = None
) -> At[Exchange]:
    """An attack as engines declare it."""
    whole = replace(setup, attacker=one[0], defender=other[0])
    hidden = HINTS.hidden
    struck = other[1] if held is None else hidden.veiled(other[1], held)
    scene = Scene(whole, ATTACK, hidden.visible(one[1]), struck, None, held_to(rulings))
    return FIGHT.declare(scene)


def opened(at: At[Exchange], /, **settled: str) -> Game:
    """An attack with every choice settled; some of them to one of `options/like/these`."""
    chosen = {**QUIET, **{step: tuple(names.split("/")) for step, names in settled.items()}}
    return Game(SYSTEM, cast("At[Facts]", at)).settle(chosen)


def numbers(
    one: Now, other: Now, setup: Setup, rulings: Held | None = None, /, **settled: str
) -> tuple[int, int | None]:
    """The target numbers that are settled, of the attacker and of the target."""
    at = declared(one, other, setup, rulings)
    x = facts_of(Session(opened(at, **settled)))
    return x.numbers.tn, x.targets[0].tn


def turn(
    one: Now, other: Now, setup: Setup, *faces: Face, rulings: Held | None = None, **settled: str
) -> tuple[Now, Now]:
    """Both after a turn of the first one, in which these faces fall."""
    begun = FIGHT.begin_turn(*one)
    at = declared((one[0], begun), other, setup, rulings)
    outcome = play(opened(at, **settled), *faces)
    mine = FIGHT.apply(one[0], begun, FIGHT.effect(outcome, "actor"))
    theirs = FIGHT.apply(*other, FIGHT.effect(outcome, "target"))
    return (one[0], mine), (other[0], theirs)


def struck(damage: int, other: Now, *faces: Face, **changes: Any) -> Condition:
    """The condition after a sure hit for this damage; the faces are those of the checks."""
    one, face = fresh(SHOOTER), changes.pop("face", 20)
    setup = shot(weapon=pistol(d10=0, flat=damage))
    return turn(one, other, setup, face, 98, *faces, **changes)[1][1]


def effects(
    at: At[Exchange], /, *, needed: frozenset[str] | None = None, **settled: str
) -> dict[tuple[Effect, Effect], Fraction]:
    """What an attack does to both, and how likely that is."""
    found: dict[tuple[Effect, Effect], Fraction] = {}
    for outcome, chance in outcomes(opened(at, **settled), needed).items():
        pair = FIGHT.effect(outcome, "actor"), FIGHT.effect(outcome, "target")
        found[pair] = found.get(pair, F(0)) + chance
    assert sum(found.values()) == 1
    return found


def refuse_open(whole: Game) -> Callable[[At[Facts], Choice[Facts]], Option[Facts]]:
    def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        return settled_option(whole, at, choice) or open_choice(at, choice)

    return decide


def summed(ended: Mapping[int, Mapping[Facts, int]]) -> dict[Exchange, Fraction]:
    found: dict[Exchange, Fraction] = {}
    for total, finals in ended.items():
        for facts, weight in finals.items():
            assert isinstance(facts, Exchange)
            found[facts] = found.get(facts, F(0)) + F(weight, total)
    return found


def outcomes(whole: Game, needed: frozenset[str] | None = None) -> dict[Exchange, Fraction]:
    return summed(flow(whole, refuse_open(whole), needed=needed))


def quickness(now: Now, rulings: Held | None = None) -> tuple[int, int]:
    assert FIGHT.initiative is not None
    return FIGHT.initiative(*now, held_to(rulings))


HACK, SIDEARM = blade(d10=1, flat=6), pistol(d10=1, flat=2)
RIFLE = pistol(name="rifle", d10=1, flat=6, traits=("armor_piercing",))
ATTACKED: dict[str, tuple[Setup, Settled]] = {
    "melee": (blow(weapon=HACK), {}),
    "aggressive": (blow(weapon=HACK), {"choose_style": "damage", "choose_defence": "melee"}),
    "burst": (shot(weapon=SIDEARM), {"choose_mode": "burst", "choose_fire": "damage"}),
    "piercing": (shot(weapon=RIFLE), {}),
    "psi-damage": (replace(MIND, weapon=replace(STAB, harm="damage", d10=1)), {}),
    "psi-stress": (replace(MIND, weapon=replace(STAB, d10=1)), {}),
    "knockdown": (
        shot(weapon=SIDEARM), {"choose_called_shot": "knockdown", "choose_effect": "damage/none"},
    ),
    "disarm": (
        blow(weapon=HACK), {"choose_called_shot": "disarm", "choose_effect": "harder/none"},
    ),
    "traits": (shot(weapon=replace(SIDEARM, traits=("knockdown", "shock"))), {}),
}  # fmt: skip
SPENDING: dict[str, Settled] = {
    "nothing": {},
    "before": {
        "spend_before_attack": "plus20/none", "spend_before_defence": "ignore/plus20/none",
        "call_for_check": "plus20/none",
    },
    "after": {
        "spend_after_attack": "upgrade/flip/none", "spend_after_defence": "flip/none",
        "spend_on_check": "flip/none",
    },
}  # fmt: skip
