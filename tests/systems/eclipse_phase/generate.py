"""Random attacks for promises that must hold everywhere; the same seed gives the same attack."""

from dataclasses import replace
from random import Random
from typing import Any

from affray.core.errors import SetupError
from affray.core.node import At, Step
from affray.core.ruling import Rulings
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Session
from affray.systems.eclipse_phase.blast import Blast
from affray.systems.eclipse_phase.bleeding import break_free, check_bleeding
from affray.systems.eclipse_phase.gear import Ammo, Armor, Weapon
from affray.systems.eclipse_phase.sheet import Combatant, Quality, Setup
from affray.systems.eclipse_phase.state import Exchange
from affray.systems.eclipse_phase.turns import choose_move, reload

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
        distance_m=min(some(draw, 1, 8, 15, 30), 1 if chosen.is_melee else 30),
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


def blast(seed: int) -> Game:
    """A random attack with something that explodes, by hand or placed; choices are open."""
    draw, begun = Random(seed + 10_000), attack(seed, n_others=seed % 3).start.facts
    assert isinstance(begun, Exchange)
    setup = begun.declared
    form, skill = some(draw, ("thrown", "athletics"), ("thrown", "guns"), ("charge", "demolitions"))
    placed = form == "charge"
    spread: dict[str, Any] = some(
        draw, {"shape": "centered", "falloff": some(draw, 2, 4)},
        {"shape": "uniform", "radius_m": some(draw, 2, 4)},
        {"shape": "centered", "effects_m": 2},
    )  # fmt: skip
    if placed and spread["shape"] == "centered":
        spread["shaped"] = some(draw, "none", "half", "quarter")
    elif not placed:
        spread["trigger"] = some(draw, "impact", "impact", "airburst", "timer")
    held = Weapon(
        name="bomb", form=form, skill=skill, d10=some(draw, 0, 1), d6=1, flat=some(draw, 0, 6),
        traits=some(draw, (), ("knockdown",), ("shock", "stun"), ("fragile", "blinding")),
        blast=Blast(**spread),
    )  # fmt: skip

    def placed_by(who: Combatant) -> Combatant:
        at: dict[str, Any] = some(
            draw, {"place_m": (some(draw, -3, 0, 2), some(draw, -4, 1))}, {"off_center_m": 2}
        )
        return replace(who, sheltered=some(draw, False, False, True), **at)

    first, *others = setup.targets
    setup = replace(
        setup, weapon=held, ammo=Ammo(), defender=some(draw, first, placed_by(first)),
        others=tuple(placed_by(who) for who in others), vacuum=some(draw, False, False, True),
        cover=some(draw, "none", "none", "minor"),
    )  # fmt: skip
    return Game(SYSTEM, SYSTEM.declared(setup, begun.rulings))


def waylaid(seed: int) -> Game:
    """A random attack from an ambush, or by somebody confused, or both; choices are open."""
    draw, begun = Random(seed + 20_000), attack(seed).start.facts
    assert isinstance(begun, Exchange)
    setup = begun.declared
    ambush, confused = some(draw, (True, False), (False, True), (True, True))
    first, *others = (
        replace(who, conditions=some(draw, (), ("prone",), ("stunned",))) for who in setup.targets
    )
    own: Any = ("confused",) if confused else ()
    attacker = replace(
        setup.attacker, conditions=own, cog=some(draw, 5, 15, 25), infiltrate=some(draw, None, 70)
    )
    whole = replace(
        setup, attacker=attacker, defender=first, others=tuple(others), ambush=ambush,
        alert=ambush and some(draw, False, True),
    )  # fmt: skip
    return Game(SYSTEM, SYSTEM.declared(whole, begun.rulings))


def begins(first: Step[Any], facts: Exchange) -> Game:
    """A game from this step on; choices are open."""
    return Game(SYSTEM, At(first, facts))


def turn(seed: int) -> Game:
    """What random fighters do in a turn, or for themselves, besides an attack at once."""
    draw, begun = Random(seed + 30_000), attack(seed, n_others=0).start.facts
    assert isinstance(begun, Exchange)
    setup, kind = begun.declared, some(draw, "move", "move", "move", "reload", "free", "bleed")
    held = setup.weapon
    assert held is not None
    if kind == "move":
        actions = "attacks" if held.is_melee and draw.random() < 0.3 else "actions"
        picks = {ruling.name: begun.rulings[ruling] for ruling in SYSTEM.rulings}
        rulings = Rulings.pick(SYSTEM.rulings, {**picks, "turns": actions})
        attacker = replace(setup.attacker, athletics=some(draw, None, 60))
        meters = some(draw, 5, 15, 30, 50)
        here = replace(setup, attacker=attacker, distance_m=meters)
        return begins(choose_move, Exchange(rulings, here))
    living = replace(setup.attacker, body="biomorph", qualities=())
    hurt = replace(living, damage=living.durability, wounds=some(draw, 1, 2))
    who = hurt if kind == "bleed" else living
    alone = begun._replace(setup=replace(setup, attacker=who, defender=who))
    if kind == "bleed":
        return begins(check_bleeding, alone)
    if kind == "free":
        return begins(break_free, alone._replace(snare=some(draw, 0, 1, 2)))
    return begins(reload, alone._replace(empty=(held.name,)))


SIZES = ("very_small", "small", "medium", "medium", "large", "very_large")
CALLING = ("blinding", "entangling", "pain", "shock", "stun", "knockdown", "armor_piercing")


def changed(draw: Random, who: Combatant, *, living: bool) -> Combatant:
    """The same combatant, less ordinary: any size, printed values, ware, points of every kind."""
    bodies = ("biomorph", "pod", "vehicle", "infomorph", "synthmorph", "bot", "object")
    return replace(
        who, body="uplift" if living else some(draw, who.body, who.body, *bodies),
        size=some(draw, *SIZES), som_check=some(draw, None, None, 20, 70),
        ref_check=some(draw, None, 40), death_rating=some(draw, None, None, 20, 40),
        lucidity=some(draw, None, None, 0, 11, 30), traumas=some(draw, 0, 0, 1, 3),
        wounds=some(draw, 0, 0, 1, 4), damage=some(draw, 0, 0, 0, 5, 7, 14, 29),
        ignore_traumas=some(draw, 0, 0, 1), energy=some(draw, 0, 3), vigor=some(draw, 0, 0, 1, 2),
        melee_d10=some(draw, 0, 0, 1), melee_d6=some(draw, 0, 0, 1), flex=some(draw, 0, 0, 2),
        unarmed_d10=some(draw, 0, 1), unarmed_flat=some(draw, 0, -3, 4),
        qualities=tuple(draw.sample(QUALITIES, some(draw, 0, 0, 1, 2))),
    )  # fmt: skip


RARE = (
    Ammo(name="weak", d10=-2), Ammo(name="odd", d10=1, half=True), Ammo(name="dye", no_damage=True),
)  # fmt: skip
QUALITIES: tuple[Quality, ...] = ("bad_luck", "low_pain_tolerance", "medichines")


def stranger(seed: int) -> Game | None:
    """A random attack with more of what is rare; None where it is refused."""
    draw, begun = Random(-seed - 1), attack(seed).start.facts
    assert isinstance(begun, Exchange)
    setup, held = begun.declared, begun.weapon or begun.declared.weapon
    assert held is not None
    melee, psi = held.form == "melee", held.form == "psi"
    traits: Any = tuple(draw.sample(CALLING, some(draw, 0, 1, 2, 3)))
    more = ("touch_only",) if melee else () if psi else ("steady", "cone", "fragile")
    traits += tuple(draw.sample(more, min(len(more), some(draw, 0, 0, 1, 2))))
    if melee and draw.random() < 0.3:
        held = replace(held, unarmed=True, d10=0, d6=0)
    armors = ("kinetic", "energy", "none") if not psi else ("mental",)
    held = replace(held, traits=traits, armor=some(draw, *armors))
    rounds = setup.ammo
    if held.form == "kinetic":
        rounds = some(draw, rounds, rounds, *RARE)
    picks = {ruling.name: begun.rulings[ruling] for ruling in SYSTEM.rulings}
    picks["static"] = some(draw, "roll", "roll", "roll", "average")
    try:
        whole = replace(
            setup, weapon=held, ammo=rounds,
            distance_m=min(some(draw, 1, 2, 9, 10, 11, 20, 21, 30), 1 if held.is_melee else 30),
            attacker=replace(changed(draw, setup.attacker, living=True), damage=0, stress=0),
            defender=changed(draw, setup.defender, living=psi),
            others=tuple(changed(draw, who, living=False) for who in setup.others),
            movement=some(draw, "none", "none", "full", "charge"),
            extra_weapons=some(draw, 0, 0, 2, 5) if melee else 0, vacuum=some(draw, False, True),
        )  # fmt: skip
        game = Game(SYSTEM, SYSTEM.declared(whole, Rulings.pick(SYSTEM.rulings, picks)))
        return game if Session(game).question else None
    except SetupError:
        return None


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
