"""Random attacks for promises that must hold everywhere; the same seed gives the same attack."""

from random import Random
from typing import Any

from affray.core.ruling import Rulings
from affray.engine.game import Game
from affray.engine.play import Session
from affray.systems.eclipse_phase.sheet import Ammo, Armor, Combatant, Setup, Weapon

from .factory import SYSTEM

PIECES = (
    Armor(name="vest", energy=1, kinetic=3),
    Armor(name="coat", energy=2, kinetic=2),
    Armor(name="plate", energy=1, kinetic=1, layer="bonus"),
)
AMMO = (
    Ammo(), Ammo(name="ap", d10=-1, traits=("armor_piercing",)), Ammo(name="soft", half=True),
    Ammo(name="biter", d6=1, biomorphs_only=True),
)  # fmt: skip


def some(draw: Random, *values: Any) -> Any:
    return draw.choice(values)


def fighter(draw: Random, name: str, **more: Any) -> Combatant:
    pools = {pool: some(draw, 0, 0, 1) for pool in ("vigor", "flex", "threat", "moxie")}
    return Combatant(
        name=name, som=some(draw, 10, 20), wil=some(draw, 10, 20), guns=some(draw, None, 40, 80),
        melee=some(draw, None, 40, 80), psi=50, fray=some(draw, None, 20, 60),
        perceive=some(draw, None, 40), durability=some(draw, 8, 15, 30),
        wound_threshold=some(draw, None, None, 0, 3), kinetic=some(draw, 0, 2),
        pieces=tuple(draw.sample(PIECES, some(draw, 0, 0, 1, 2))), mental=some(draw, 0, 2),
        damage=some(draw, 0, 0, 5, 7), wounds=some(draw, 0, 0, 1, 2), traumas=some(draw, 0, 0, 1),
        stress=some(draw, 0, 10), ignore_wounds=some(draw, 0, 1),
        full_defense=some(draw, False, False, True),
        qualities=tuple(
            draw.sample(("bad_luck", "low_pain_tolerance", "medichines"), some(draw, 0, 0, 1))
        ),
        **{**pools, **more},
    )  # fmt: skip


def defender(draw: Random, name: str, *, living: bool) -> Combatant:
    body = some(draw, "biomorph", "biomorph", "synthmorph", "bot", "object")
    return fighter(
        draw, name, body="pod" if living else body,
        size=some(draw, "small", "medium", "large"),
        conditions=some(draw, (), (), (), ("prone",), ("surprised",), ("stunned",)),
    )  # fmt: skip


def weapon(draw: Random) -> Weapon:
    dice: dict[str, Any] = {
        "d10": some(draw, 0, 1),
        "d6": some(draw, 0, 1),
        "flat": some(draw, 0, 2, 6),
    }
    traits: Any = tuple(draw.sample(("shock", "knockdown", "fragile", "armor_piercing", "long"), 1))
    kind = some(draw, "gun", "gun", "blade", "psi")
    if kind == "psi":
        harm = some(draw, "damage", "stress")
        return Weapon(name="stab", form="psi", skill="psi", armor="mental", harm=harm, **dice)
    if kind == "blade":
        traits = tuple(trait for trait in traits if trait != "long")
        return Weapon(name="blade", form="melee", skill="melee", traits=traits, **dice)
    return Weapon(
        name="gun", form=some(draw, "kinetic", "beam"), skill="guns", rounds=some(draw, 3, 25),
        modes=("semi", "burst", "auto"), range_m=20, traits=traits, **dice,
    )  # fmt: skip


def attack(seed: int, *, n_others: int | None = None) -> Game:
    """A random legal attack with random rulings; choices are open."""
    draw = Random(seed)
    chosen = weapon(draw)
    n = n_others if n_others is not None else some(draw, 0, 0, 0, 1, 2)
    others = 0 if chosen.form == "psi" else min(n, 1 if chosen.rounds == 3 else 2)
    attacker = fighter(draw, "a", size=some(draw, "small", "medium", "large"))
    target = defender(draw, "d", living=chosen.form == "psi")
    beside = tuple(defender(draw, f"o{number}", living=False) for number in range(others))
    rounds = some(draw, *AMMO) if chosen.form == "kinetic" else Ammo()
    if rounds.biomorphs_only and len({who.is_biological for who in (target, *beside)}) > 1:
        rounds = Ammo()
    setup = Setup(
        attacker=attacker,
        defender=target,
        others=beside,
        weapon=chosen,
        ammo=rounds,
        distance_m=some(draw, 1, 8, 15, 30),
        vision=some(draw, "clear", "clear", "minor", "blind"),
        superior=some(draw, "none", "none", "attacker", "defender"),
        treated=some(draw, False, True),
    )
    picks = {
        ruling.name: some(draw, ruling.default, ruling.default, *ruling.options)
        for ruling in SYSTEM.rulings
    }
    picks["static"] = "roll"
    return Game(SYSTEM, SYSTEM.declared(setup, Rulings.pick(SYSTEM.rulings, picks)))


def play_out(game: Game, seed: int) -> Session:
    """One attack with random dice and random options."""
    draw = Random(seed)
    session = Session(game)
    while (asked := session.question) is not None:
        if asked.dice is None:
            session = session.answer(draw.choice(asked.options).name)
        else:
            faces = [draw.choices(die.faces, die.weights)[0] for die in asked.dice.dice]
            session = session.answer(faces)
    return session
