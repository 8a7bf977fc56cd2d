"""Small makers: a shot and a blow that nothing modifies, and ways to run them.

The shooter has 70 in everything, the target 60; at 10 meters a shot has no range modifier, so
the target numbers are 70 against 30 (half of 60) for a shot and 70 against 60 for a blow. The
target takes no wounds and never dies, so that a hit ends with its damage; the victim has wound
threshold 7, durability 35, death rating 53 and SOM checks at 60.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

from affray.core.dice import Face
from affray.core.node import Facts
from affray.core.ruling import Rulings
from affray.core.system import Objective, System
from affray.engine.exchange import best
from affray.engine.exchange import odds as exact
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Answer, Question, Session
from affray.engine.exchange.sources import Script, drive
from affray.systems.eclipse_phase import SYSTEM as ROOM
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.sheet import Combatant, Setup
from affray.systems.eclipse_phase.state import Exchange, Struck

SYSTEM = cast("System[Facts]", ROOM)
BY_ATTACKS = Rulings.pick(ROOM.rulings, {"turns": "attacks"})
"""A turn is an attack (H-4)."""

SHOOTER = Combatant(
    name="shooter", guns=70, melee=70, athletics=70, exotic=70, psi=70, fray=70, perceive=50
)
TARGET = Combatant(
    name="target", fray=60, melee=50, athletics=60, som=20, durability=1000, wound_threshold=0
)
VICTIM = Combatant(name="victim", fray=60, melee=50, som=20, ref=15, durability=35)
PISTOL = Weapon(
    name="pistol", form="kinetic", skill="guns", d10=2, modes=("single", "semi", "burst", "auto"),
    rounds=30, range_m=50,
)  # fmt: skip
BLADE = Weapon(name="blade", form="melee", skill="melee", d10=2)
SHOT = Setup(attacker=SHOOTER, defender=TARGET, weapon=PISTOL, distance_m=10)
BLOW = Setup(attacker=SHOOTER, defender=TARGET, weapon=BLADE)

QUIET: Mapping[str, tuple[str, ...]] = {
    "choose_mode": ("semi", "single", "burst", "auto"),
    "choose_fire": ("hit", "spread", "suppress"),
    "choose_style": ("plain",),
    "choose_touch": ("strike",),
    "choose_called_shot": ("none",),
    "search_target": ("shoot",),
    "choose_defence": ("fray", "wil"),
    "spend_before_attack": ("none",),
    "spend_before_defence": ("none",),
    "spend_after_attack": ("none",),
    "spend_after_defence": ("none",),
    "choose_effect": ("damage", "none"),
    "call_for_check": ("none",),
    "spend_on_check": ("none",),
    "choose_quick": ("stand", "none"),
    "choose_rest": ("stay",),
    "choose_extra": ("none",),
}
"""Every choice decided in the plainest way."""


def shooter(**changes: Any) -> Combatant:
    return replace(SHOOTER, **changes)


def target(**changes: Any) -> Combatant:
    return replace(TARGET, **changes)


def victim(**changes: Any) -> Combatant:
    return replace(VICTIM, **changes)


def pistol(**changes: Any) -> Weapon:
    return replace(PISTOL, **changes)


def blade(**changes: Any) -> Weapon:
    return replace(BLADE, **changes)


def shot(**changes: Any) -> Setup:
    return replace(SHOT, **changes)


def blow(**changes: Any) -> Setup:
    return replace(BLOW, **changes)


def game(
    setup: Setup, rulings: Mapping[str, str] | None = None, /, *ask: str, **settled: str
) -> Game:
    """A game with every choice settled, except those named in `ask`; `settled` changes some."""
    chosen = {name: options for name, options in QUIET.items() if name not in ask}
    chosen.update({name: (option,) for name, option in settled.items()})
    held = Rulings.pick(SYSTEM.rulings, rulings or {})
    return Game(SYSTEM, SYSTEM.declared(setup, held)).settle(chosen)


def facts_of(session: Session) -> Exchange:
    facts = session.here.facts
    assert isinstance(facts, Exchange)
    return facts


def ready(setup: Setup, rulings: Mapping[str, str] | None = None, /, **settled: str) -> Exchange:
    """The facts when the first die is to be rolled."""
    return facts_of(Session(game(setup, rulings, **settled)))


def attack_tn(setup: Setup, rulings: Mapping[str, str] | None = None, /, **settled: str) -> int:
    return ready(setup, rulings, **settled).numbers.tn


def defence_tn(
    setup: Setup, rulings: Mapping[str, str] | None = None, /, **settled: str
) -> int | None:
    return ready(setup, rulings, **settled).targets[0].tn


def question(session: Session) -> Question:
    asked = session.question
    assert asked is not None
    return asked


def offered(session: Session) -> list[str]:
    """Names of the options on offer."""
    return [option.name for option in question(session).options]


def answered(played: Game, *answers: str | int | tuple[Face, ...]) -> Session:
    """The session after these answers: names of options, single faces, rows of faces."""
    session = Session(played)
    for given in answers:
        session = session.answer((given,) if isinstance(given, int) else given)
    return session


TRAITS = frozenset({
    "blinding", "entangling", "pain", "shock", "stun", "keep_wits", "withstand_stress",
})  # fmt: skip
"""Checks against traits of an attack, and against stress."""


def _resists(session: Session, question: Question) -> Answer | None:
    """00 for checks against traits and stress for which no face is left."""
    if question.step == "roll_check" and facts_of(session).checks[0].kind in TRAITS:
        return Answer(faces=(0,), by=("test",))
    return None


def play(played: Game, *faces: Face, options: tuple[str, ...] = ()) -> Exchange:
    """The end of a game with these faces (all used up) and, for open choices, these options.

    Checks against traits of an attack and against stress pass if no face is left for them.
    """
    script = Script(faces, options)
    session = drive(Session(played), script, _resists)
    assert isinstance(session.outcome, Exchange), session.question
    assert not script.faces
    assert not script.choices
    return session.outcome


def struck(played: Game, *faces: Face, options: tuple[str, ...] = ()) -> Struck:
    """What became of the first target."""
    return play(played, *faces, options=options).final


def joint(played: Game, *names: str) -> dict[tuple[object, ...], Fraction]:
    """Exact joint distribution of outcome fields."""
    return exact.outcomes(played, names).fractions()


def chance(played: Game, name: str, value: object = True) -> Fraction:
    return exact.odds(played, name).chance(value)


def mean(played: Game, name: str = "net") -> Fraction:
    return exact.odds(played, name).mean()


def objective(name: str) -> Objective[Facts]:
    return best.objective_named(SYSTEM, name)


HIT = (20, 98)


def fixed(dv: int, **changes: Any) -> Weapon:
    """A gun without dice: every plain hit does the same damage."""
    return pistol(d10=0, flat=dv, **changes)


def hurt(net: int, *faces: int, who: Combatant | None = None, **changes: Any) -> Struck:
    """What a plain hit does that gets `net` points through."""
    who = who or victim()
    rolled = HIT[:1] if who.damage >= who.durability else HIT  # who is out rolls no defense
    setup = shot(weapon=fixed(net), defender=who, **changes)
    return struck(game(setup), *rolled, *faces)


def hurt_mind(mind: Combatant, weapon: Weapon, stress: int) -> Struck:
    setup = Setup(
        attacker=shooter(), defender=replace(mind, stress=stress), weapon=weapon, distance_m=5
    )
    out = stress >= mind.lucid  # who is out rolls no WIL check
    return struck(game(setup), *HIT[: 1 if out else 2])
