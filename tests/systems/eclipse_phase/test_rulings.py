"""Every open question with every reading: what the book's silence costs, reading by reading."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

import pytest

from affray.core.errors import AffrayError
from affray.core.fight import ATTACK, Scene
from affray.core.node import At, Facts
from affray.core.ruling import Rulings
from affray.engine.exchange import best
from affray.engine.exchange import odds as exact
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Session
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.gear import Ammo, Weapon
from affray.systems.eclipse_phase.rulings import RULINGS
from affray.systems.eclipse_phase.scenes import TREAT
from affray.systems.eclipse_phase.sheet import Combatant, Setup
from affray.systems.eclipse_phase.state import Exchange

from .area import CHARGE, CLOUD, FRAG, bomb, caught, throw
from .factory import (
    BY_ATTACKS,
    HIT,
    QUIET,
    SYSTEM,
    answered,
    attack_tn,
    blade,
    blow,
    chance,
    defence_tn,
    game,
    mean,
    objective,
    offered,
    pistol,
    play,
    question,
    ready,
    shooter,
    shot,
    struck,
    target,
    victim,
)
from .test_aid import BLEEDS, HURT, helped, helping
from .test_grapple import HOLD, subdued

F = Fraction
Held = Mapping[str, str]
FLEX = shot(attacker=shooter(flex=1))
BURST = {"choose_mode": "burst", "choose_fire": "damage"}


def lands(setup: Setup, held: Held, attack: int, defense: int, **settled: str) -> bool:
    """Whether these two rolls lead to a damage roll."""
    asked = answered(game(setup, held, **settled), attack, defense).question
    return asked is not None and asked.ask == "damage"


def rolled(setup: Setup, held: Held, *faces: int, **settled: str) -> str:
    """The damage dice after these faces."""
    return str(question(answered(game(setup, held, **settled), *faces)).dice)


def refused(call: Callable[[], object]) -> bool:
    try:
        call()
    except AffrayError:
        return True
    return False


def ties(held: Held) -> object:
    done = game(shot(), held)
    return chance(done, "hit") * 10_000, chance(done, "deadlock") * 10_000


def reveal(held: Held) -> object:
    """Points spent and hits when the attacker flips for hits (O-4, O-4c)."""
    opened = game(FLEX, held, "spend_after_attack")
    solved = best.solve(opened, objective("hit"))
    return exact.odds(opened, "spent", decide=solved.decide).mean(), solved.value


def equal_criticals(held: Held) -> object:
    """60 at -30 against half of 80, and 60 against half of 80."""
    strong = {"attacker": shooter(guns=60), "defender": target(fray=80)}
    return (
        lands(shot(attacker_modifier=-30, **strong), held, 22, 22),
        lands(shot(**strong), held, 22, 22),
    )


def specialty(held: Held) -> object:
    return [
        defence_tn(shot(defender=target(fray=fray, specialized=("fray",))), held)
        for fray in (60, 55)
    ]


def athletics(held: Held) -> object:
    guarded = shot(defender=target(athletics=75, full_defense=True))
    return defence_tn(guarded, held, choose_defence="athletics")


def pool_cap(held: Held) -> object:
    """At +60 and at -90; and a check at -80."""
    easy = shot(attacker=shooter(vigor=1), aim="complex", superior="attacker",
                attacker_modifier=20)  # fmt: skip
    hard = shot(attacker=shooter(vigor=1), cover="major", vision="major", movement="full",
                attacker_modifier=-20)  # fmt: skip
    return [
        *(attack_tn(setup, held, spend_before_attack="plus20") for setup in (easy, hard)),
        check_tn(victim(wounds=7, vigor=1, som_check=90), held, call_for_check="plus20"),
    ]


def check_tn(who: Combatant, held: Held, **settled: str) -> object:
    """What a target needs after one more wound."""
    opened = game(shot(weapon=pistol(d10=0, flat=7), defender=who), held, **settled)
    lowest = next(
        face for face in range(1, 100)
        if struck(opened, 20, 98, face).prone
    )  # fmt: skip
    return lowest - 1


def critical_doubles(held: Held) -> object:
    """2d10+2 and a d10 for a burst, doubled: dice, mean."""
    setup = shot(weapon=pistol(flat=2))
    critical = {"critical": lambda value: value is True}
    dv = exact.odds(game(setup, held, **BURST), "dv", given=critical)
    return rolled(setup, held, 44, 98, **BURST), dv.mean()


def piercing_twice(held: Held) -> object:
    spike = shot(weapon=pistol(traits=("armor_piercing",)), defender=target(kinetic=10))
    return struck(game(spike, held, choose_called_shot="bypass"), 40, 98, 8, 8).net


def default_zero(held: Held) -> object:
    """00 at 15 and at -15: whether it hits, whether critically."""
    green = shooter(guns=None, ref=15)
    seen = []
    for modifier in (0, -30):
        setup = shot(attacker=green, attacker_modifier=modifier)
        seen += [chance(game(setup, held), "hit") > 0, chance(game(setup, held), "critical") > 0]
    return seen


def minus_die(held: Held) -> object:
    setup = shot(ammo=Ammo(name="ap", d10=-1))
    return rolled(setup, held, 20, 98), rolled(setup, held, 20, 98, **BURST)


def half_ammo(held: Held) -> object:
    return struck(game(shot(ammo=Ammo(half=True)), held, **BURST), 20, 98, 4, 5, 7).dv


def shared_superior(held: Held) -> object:
    both = game(shot(others=(target(),)), held, choose_mode="burst", choose_fire="spread")
    return chance(both, "superior", 2), mean(both, "net_2") == mean(both, "net")


def aimed_burst(held: Held) -> object:
    burst = {"choose_mode": "burst", "choose_fire": "hit"}
    quick = refused(lambda: attack_tn(shot(aim="quick"), held, **burst))
    if refused(lambda: attack_tn(shot(aim="complex"), held, **burst)):
        return None, quick
    return attack_tn(shot(aim="complex"), held, **burst), quick


def steady(held: Held) -> object:
    gun = pistol(traits=("steady",))
    near = attack_tn(shot(weapon=gun, distance_m=1), held)
    far = shot(weapon=gun, distance_m=200)
    return near, attack_tn(far, held), rolled(far, held, 20, 98)


def disarm_half(held: Held) -> object:
    setup = game(shot(defender=target(kinetic=4)), held, choose_called_shot="disarm")
    return struck(setup, 40, 98, 8, 9, 0).net


def small_half(held: Held) -> object:
    setup = blow(weapon=blade(d10=3, flat=3), attacker=shooter(size="small"))
    asked = answered(game(setup, held), 20, 98)
    dice = question(asked).dice
    assert dice is not None
    ended = asked.answer((7,) * dice.size).outcome
    assert isinstance(ended, Exchange)
    return str(dice), ended.final.dv


def stopped_effects(held: Held) -> object:
    ram = pistol(d10=0, flat=3, traits=("shock", "knockdown"))
    setup = shot(weapon=ram, defender=victim(kinetic=4))
    asked = answered(game(setup, held), 20, 98).question
    calls = {row[0] for row in joint_calls(setup, held)}
    return asked is not None, calls


def joint_calls(setup: Setup, held: Held) -> set[tuple[object, ...]]:
    hit = {"hit": lambda value: value is True, "net": lambda value: value == 0}
    return set(exact.outcomes(game(setup, held), ("calls",), given=hit))


def ignore_all(held: Held) -> object:
    """An attack at +30-10, a defense at +20-10, a check at +30 for help and -10 for a wound."""
    setup = shot(attacker=shooter(vigor=1), aim="complex", cover="minor")
    other = shot(defender=target(vigor=1), superior="defender", defender_vision="minor")
    bleeder = victim(damage=28, vigor=1)
    dying = shot(weapon=pistol(d10=0, flat=7), defender=bleeder, treated=True)
    opened = game(dying, held, call_for_check="ignore")
    least = next(face for face in range(1, 100) if struck(opened, 20, 98, face).bleeding)
    return (
        attack_tn(setup, held, spend_before_attack="ignore"),
        defence_tn(other, held, spend_before_defence="ignore"),
        least - 1,
    )


def undefended(held: Held) -> object:
    asleep = game(shot(defender=target(conditions=("unconscious",))), held)
    declined = game(shot(), held, choose_defence="none")  # a failed defense all the same
    return [
        chance(asleep, "hit"), chance(asleep, "critical"), chance(asleep, "superior", 2),
        chance(declined, "hit"),
    ]  # fmt: skip


def wound_cap(held: Held) -> object:
    """-70 and two wounds on the attack; eight wounds on a check."""
    hard = shot(attacker=shooter(wounds=2), cover="major", vision="major", movement="full")
    return attack_tn(hard, held), check_tn(victim(wounds=7, som_check=99), held)


def prone_superior(held: Held) -> object:
    down = target(conditions=("prone",))
    return attack_tn(blow(defender=down, superior="attacker"), held)


def move_fray(held: Held) -> object:
    """Fray, a parry and half Fray of somebody on the run; the runner's attack."""
    runner = target(moved_full=True)
    return (
        defence_tn(blow(defender=runner), held),
        defence_tn(blow(defender=runner), held, choose_defence="melee"),
        defence_tn(shot(defender=runner), held),
        attack_tn(shot(movement="full"), held),
    )


def aggressive_charge(held: Held) -> object:
    charging = blow(movement="charge")
    return [
        option for option in ("plain", "hit", "damage")
        if not refused(lambda option=option: attack_tn(charging, held, choose_style=option))  # type: ignore[misc]  # bound now
    ]  # fmt: skip


def aggressive_parry(held: Held) -> object:
    wild = blow(defender=target(was_aggressive=True))
    return [defence_tn(wild, held, choose_defence=skill) for skill in ("fray", "melee")]


def retries(held: Held) -> object:
    return attack_tn(shot(failed_before=2), held)


def superior_failure(held: Held) -> object:
    poor = game(shot(attacker=shooter(guns=20)), held)
    return [play(poor, face).failures for face in (21, 34, 67, 88)]


def called_critical(held: Held) -> object:
    called = game(shot(defender=target(kinetic=10)), held, choose_called_shot="bypass")
    done = struck(called, 55, 98, 8, 9)
    return done.effect.name, done.dv, done.net


def called_second(held: Held) -> object:
    expert = shot(attacker=shooter(guns=90), defender=target(kinetic=10))
    return rolled(expert, held, 70, 98, choose_called_shot="bypass")


def short_rating(held: Held) -> object:
    return attack_tn(shot(weapon=pistol(range_m=5), distance_m=8), held)


def factors(held: Held) -> object:
    """A quarter of 9; half of 9 with 4 more, doubled; the same halved once more by a disarm."""
    small = blow(attacker=shooter(size="small"))
    twice = shot(ammo=Ammo(half=True))
    own = {**held, "half_ammo": "weapon"}
    return (
        struck(game(small, held, choose_called_shot="disarm"), 40, 98, 4, 5, 0).dv,
        struck(game(twice, own, **BURST), 44, 98, 4, 5, 4).dv,
        struck(game(twice, own, **BURST, choose_called_shot="disarm"), 40, 98, 4, 5, 4, 0).dv,
    )


def static(held: Held) -> object:
    """2d10+2; 3d10; a d10 and a d6; a critical 2d10; half of 2d10+1, and a d10 in full."""
    seen = [
        dv_of(shot(weapon=pistol(d10=d10, d6=d6, flat=flat)), held, 20 if flat != 1 else 44)
        for d10, d6, flat in ((2, 0, 2), (3, 0, 0), (1, 1, 0), (2, 0, 1))
    ]
    soft = shot(weapon=pistol(d10=2, flat=1), ammo=Ammo(half=True))
    seen.append(dv_of(soft, {**held, "half_ammo": "weapon"}, 20, **BURST))
    return [set(row) for row in seen]


def dv_of(setup: Setup, held: Held, face: int, **settled: str) -> list[object]:
    after = answered(game(setup, held, choose_defence="none", **settled), face)
    outcome = after.outcome
    return [outcome.final.dv] if isinstance(outcome, Exchange) else ["dice"]


def waking(held: Held) -> object:
    """One below durability, at it, one above."""
    seen = []
    for before in (28, 29, 30):
        who = victim(damage=before, wound_threshold=0)
        seen.append(struck(game(shot(weapon=pistol(d10=0, flat=6), defender=who), held), 20, 98))
    return [done.revivable for done in seen]


def bleeding(held: Held) -> object:
    """Two points from death, SOM 50: two turns to live."""
    who = victim(damage=28, death_rating=37)
    dying = game(shot(weapon=pistol(d10=0, flat=7, d6=0), defender=who), held)
    plain = {"net": lambda value: value == 7}
    joint = exact.outcomes(dying, ("dead", "bleeding", "dies_in"), given=plain)
    return joint.fractions()


def bleeds_unwounded(held: Held) -> object:
    who = victim(damage=29, wound_threshold=0)
    after = answered(game(shot(weapon=pistol(d10=0, flat=6), defender=who), held), 20, 98)
    return "nothing" if after.question is None else after.question.ask


def shell_knockdown(held: Held) -> object:
    """Two wounds on a bot, a vehicle, a synthmorph: does it fall, is it asked?"""
    seen = []
    for body in ("bot", "vehicle", "synthmorph"):
        who = victim(body=body)
        after = answered(game(shot(weapon=pistol(d10=0, flat=14), defender=who), held), 20, 98)
        seen.append(after.question is not None)
    return seen


def printed(held: Held) -> object:
    monster = victim(durability=70, wound_threshold=13, death_rating=95)
    seen = ready(shot(defender=monster), held).targets[0]
    return seen.wt, seen.dr


def short_magazine(held: Held) -> object:
    low = shot(weapon=pistol(rounds=5))
    if refused(lambda: ready(low, held, choose_mode="auto")):
        return None
    seen = ready(low, held, choose_mode="auto", choose_fire="hit")
    return seen.rounds, seen.numbers.tn


def decline(held: Held) -> object:
    return offered(Session(game(blow(), held, "choose_defence")))


def parry_exotic(held: Held) -> object:
    whip = blow(weapon=blade(skill="exotic"))
    return offered(Session(game(whip, held, "choose_defence")))


def failure_bands(held: Held) -> object:
    """What a fumble at 22, 33, 55, 66, 88 comes to, toned down."""
    poor = game(shot(attacker=shooter(guns=20, flex=1)), {**held, "superior_failure": "told"},
                spend_after_attack="downgrade")  # fmt: skip
    return [play(poor, face).failures for face in (22, 33, 55, 66, 88)]


def halved_modifiers(held: Held) -> object:
    hurt = target(wounds=1)
    return defence_tn(shot(defender=hurt), held), defence_tn(blow(defender=hurt), held)


def wound_effects(held: Held) -> object:
    """A wound, two wounds, and a knockdown without one; what a wound costs the next attack."""
    seen = []
    for flat, called, face in ((7, "none", 20), (14, "none", 20), (1, "knockdown", 40)):
        setup = shot(weapon=pistol(d10=0, flat=flat), defender=victim())
        asked = answered(game(setup, held, choose_called_shot=called), face, 98)
        if asked.question is not None:
            asked = asked.answer((99,))
        done = asked.outcome
        assert isinstance(done, Exchange)
        final = done.final
        seen.append((len(asked.answers), final.wounds, final.prone, final.knocked_out))
    return [*seen, attack_tn(shot(attacker=shooter(wounds=1)), held)]


def low_pain(held: Held) -> object:
    """SOM 60, one wound before and one now: the check to stand; and Guns 70 with one wound."""
    pained = victim(wounds=1, qualities=("low_pain_tolerance",))
    hit = game(shot(weapon=pistol(d10=0, flat=7), defender=pained), held)
    low, high = (struck(hit, 20, 98, face).prone for face in (20, 21))
    none = struck(hit, 20, 98, 0).prone
    wounded = shooter(wounds=1, qualities=("low_pain_tolerance",))
    return (none, low, high), attack_tn(shot(attacker=wounded), held)


def blinded(held: Held) -> object:
    """Guns 70, Perceive 50: the target number, who is asked to search, and the chance to hit 0."""
    unseeing = shot(attacker=shooter(conditions=("blinded",)), defender=target(fray=0))
    asked = offered(Session(game(unseeing, held, "search_target")))
    return attack_tn(unseeing, held), asked, chance(game(unseeing, held), "hit")


def initiative_ties(held: Held) -> object:
    """Two who come to 8, one of them quicker; and one who comes to 7."""
    rulings = Rulings.pick(RULINGS, held)
    whos = (victim(initiative=8), victim(initiative=8, ref=20), victim(initiative=8, wounds=1))
    quick = FIGHT.initiative
    assert quick is not None
    found = [quick(who, FIGHT.enter(who, rulings), rulings) for who in whos]
    return [max(found) == one for one in found], [found[2] < one for one in found]


PSI = Weapon(name="stab", form="psi", skill="psi", d10=2, armor="mental")


def reaches(meters: float, rulings: Any) -> bool:
    """Whether a blade reaches so far."""
    try:
        attack_tn(blow(distance_m=meters), rulings)
    except AffrayError:
        return False
    return True


def begun(rulings: Any) -> At[Exchange]:
    """The first place of a turn in a fight."""
    armed = shooter(weapons=(pistol(),))
    held = Rulings.pick(SYSTEM.rulings, rulings)
    setup = replace(shot(attacker=armed), weapon=None)
    mine, theirs = FIGHT.enter(armed, held), FIGHT.enter(target(), held)
    return FIGHT.declare(Scene(setup, ATTACK, mine, theirs, None, held))


def turn_begins(rulings: Any) -> str:
    """The first step of a turn."""
    return begun(rulings).step.name


def rounds_left(rulings: Any) -> object:
    """The rounds that a fight keeps after a burst."""
    burst = {"choose_mode": ("burst",), "choose_fire": ("hit",), "declare_attack": ("pistol",)}
    started = Game(SYSTEM, cast("At[Facts]", begun({"turns": "attacks", **rulings}))).settle(
        {**QUIET, **burst}
    )
    return FIGHT.apply(
        target(), FIGHT.enter(target(), BY_ATTACKS), FIGHT.effect(play(started, 99), "actor")
    ).rounds


def condition_turns(rulings: Any) -> list[int]:
    """Turns left of two that somebody is stunned: when the own turn begins, when the round ends."""
    held = Rulings.pick(SYSTEM.rulings, rulings)
    entered = FIGHT.enter(victim(), held)
    now = FIGHT.begin_turn(victim(), entered._replace(states=(("stunned", 2),)))
    after = FIGHT.end_round(victim(), now)
    return [dict(one.states)["stunned"] for one in (now, after)]


def callable_at(setup: Setup, rulings: Any, **settled: str) -> bool:
    """Whether an attack may be a called shot."""
    try:
        ready(setup, rulings, choose_called_shot="bypass", **settled)
    except AffrayError:
        return False
    return True


def area_fray(held: Held) -> object:
    """Whether each of these rolls halves a blast, after an attack roll of 24."""
    setup = throw(weapon=replace(FRAG, d10=0))
    return [struck(game(setup, held), 24, face).dodged for face in (25, 20, 26)]


def blast_meters(held: Held) -> object:
    setup = throw(caught(place_m=(1.5, 0)), weapon=replace(FRAG, d10=0, flat=20))
    return struck(game(setup, held), *HIT).dv


def scatter_doubled(held: Held) -> object:
    """How far one and two superior failures scatter when the die shows a three."""
    setup = throw(attacker=shooter(athletics=20), weapon=replace(FRAG, d10=0))
    return [play(game(setup, held), face, 12, 3).scatter_m for face in (63, 30)]


def blast_damage(held: Held) -> object:
    """The damage dice of two targets."""
    setup = throw(caught(), caught(place_m=(0, 0)), weapon=replace(FRAG, d10=1))
    session = answered(game(setup, held), 20, 98, 98)
    dice = []
    while (asked := session.question) is not None:
        dice.append(str(asked.dice))
        session = session.answer((5,))
    return dice


def area_edge(held: Held) -> object:
    weapon = replace(CLOUD, d10=0, flat=20)
    return struck(game(throw(caught(place_m=(4.5, 0)), weapon=weapon), held), 20, 20).dv


def scatter_bearings(held: Held) -> object:
    """The dice of a miss, and the DV at 3 m to the right when it lands 7 m off at a three."""
    setup = throw(caught(place_m=(3, 0)), weapon=replace(FRAG, d10=0, flat=20))
    asked = str(question(answered(game(setup, held), 98)).dice)
    return asked, struck(game(setup, held), 98, 3, 7, 98).dv


def airburst_cover(held: Held) -> object:
    return attack_tn(throw(weapon=bomb(trigger="airburst"), cover="moderate"), held)


def vacuum_blast(held: Held) -> object:
    weapon = replace(FRAG, d10=0, flat=20)
    return struck(game(throw(caught(place_m=(1, 0)), weapon=weapon, vacuum=True), held), *HIT).dv


def charge_test(held: Held) -> object:
    return chance(game(throw(weapon=CHARGE, distance_m=None), held), "hit")


TESTED: dict[str, tuple[Callable[[Held], object], dict[str, object]]] = {
    "ties": (ties, {"miss": (6499, 0), "deadlock": (6499, 28), "higher_skill": (6527, 0)}),
    "reveal": (
        reveal, {"own": (F(36, 100), F(8595, 10_000)), "both": (F(2096, 10_000), F(8595, 10_000))},
    ),
    "equal_criticals": (
        equal_criticals, {"final": (False, True), "base": (True, True), "raw": (False, False)},
    ),
    "specialty": (specialty, {"after": [40, 38], "before": [35, 33]}),
    "athletics": (athletics, {"halved": 68, "full": 105}),
    "pool_cap": (pool_cap, {"outside": [150, 30, 50], "inside": [130, 10, 30]}),
    "critical_doubles": (
        critical_doubles,
        {"total": ("3d10", 37), "dice": ("6d10", 35), "weapon": ("2d10+1d10", F(63, 2))},
    ),
    "piercing_twice": (piercing_twice, {"once": 11, "quarter": 13}),
    "default_zero": (
        default_zero,
        {
            "ordinary": [True, False, True, False],
            "critical": [True, True, True, True],
            "may_fail": [True, False, False, False],
        },
    ),
    "minus_die": (minus_die, {"remove": ("1d10", "2d10"), "subtract": ("2d10+1d10", "3d10+1d10")}),
    "half_ammo": (half_ammo, {"total": 8, "weapon": 12}),
    "shared_superior": (
        shared_superior, {"each": (F(388, 10_000), True), "first": (F(388, 10_000), False)},
    ),
    "suppression_ends": (
        lambda held: ready(shot(), held, choose_mode="auto", choose_fire="suppress").suppresses,
        {"next_action": "next_action", "turn": "turn"},
    ),
    "aimed_burst": (aimed_burst, {"no": (None, True), "yes": (110, True)}),
    "steady": (
        steady,
        {"penalties": (80, 70, "2d10"), "all": (70, 70, "2d10"), "to_hit": (80, 70, "1d10")},
    ),
    "disarm_half": (disarm_half, {"dv": 5, "net": 7}),
    "small_half": (small_half, {"total": ("3d10", 12), "dice": ("2d10", 16)}),
    "stopped_effects": (stopped_effects, {"hit": (True, {("shock",)}), "none": (False, {()})}),
    "ignore_all": (ignore_all, {"all": (70, 30, 60), "negative": (100, 50, 90)}),
    "undefended": (
        undefended,
        {
            "test": [F(71, 100), F(7, 100), F(4, 100), F(71, 100)],
            "automatic": [1, F(7, 100), F(4, 100), F(71, 100)],
        },
    ),
    "wound_cap": (wound_cap, {"inside": (10, 39), "outside": (-10, 19)}),
    "prone_superior": (prone_superior, {"once": 90, "stack": 110}),
    "move_fray": (move_fray, {"attack": (60, 50, 30, 50), "both": (40, 30, 10, 50)}),
    "aggressive_charge": (
        aggressive_charge, {"allowed": ["plain", "hit", "damage"], "refused": ["plain"]},
    ),
    "aggressive_parry": (aggressive_parry, {"fray": [50, 50], "all": [50, 40]}),
    "retries": (retries, {"no": 70, "yes": 50}),
    "superior_failure": (superior_failure, {"ignored": [0, 0, 0, 0], "told": [2, 1, 0, 0]}),
    "called_critical": (
        called_critical,
        {"both": ("bypass", 34, 29), "doubles": ("", 34, 24), "effect": ("bypass", 17, 12)},
    ),
    "called_second": (called_second, {"damage": "2d10+1d6", "lost": "2d10"}),
    "short_rating": (short_rating, {"close": 70, "beyond": 50}),
    "factors": (factors, {"once": (2, 17, 4), "each": (3, 18, 5)}),
    "static": (
        static, {"roll": [{"dice"}] * 5, "average": [{13}, {17}, {9}, {24}, {12}]},
    ),
    "waking": (waking, {"below": [True, False, False], "up_to": [True, True, False]}),
    "bleeding": (
        bleeding,
        {
            "once": {(False, 0, 0): F(51, 100), (False, 1, 2): F(49, 100)},
            "each": {(False, 0, 0): 1 - F(49, 100) ** 2, (True, 1, 2): F(49, 100) ** 2},
        },
    ),
    "bleeds_unwounded": (bleeds_unwounded, {"no": "nothing", "yes": "SOM check"}),
    "shell_knockdown": (
        shell_knockdown, {"same": [True, True, True], "crash": [False, False, True]},
    ),
    "printed": (printed, {"printed": (13, 95), "formula": (14, 105)}),
    "short_magazine": (short_magazine, {"refuse": None, "lower": (2, 80)}),
    "decline": (decline, {"allowed": ["fray", "melee", "none"], "forced": ["fray", "melee"]}),
    "parry_exotic": (parry_exotic, {"yes": ["fray", "melee", "none"], "no": ["fray", "none"]}),
    "failure_bands": (
        failure_bands, {"inclusive": [0, 0, 0, 0, 0], "exclusive": [2, 1, 1, 0, 0]},
    ),
    "halved_modifiers": (halved_modifiers, {"after": (20, 50), "before": (25, 50)}),
    # 60 - 40 for two wounds, and 30 more where every SOM check counts: only 00 passes.
    "low_pain": (
        low_pain, {"checks": ((False, True, True), 50), "wounds": ((False, False, True), 50)},
    ),
    # 71 and 41 of a hundred succeed; a defense of 0 stops them with 00 unless they are critical,
    # seven and four of them (00 against 00 goes to the higher number); half of the hits go wide.
    "blinded": (
        blinded,
        {
            "wide": (70, [], (F(71, 100) - F(71 - 7, 10_000)) / 2),
            "blind": (40, ["perceive", "shoot"], (F(41, 100) - F(41 - 4, 10_000)) / 2),
        },
    ),
    "wound_effects": (
        wound_effects,
        {
            "checks": [(3, 1, True, False), (3, 2, True, True), (2, 0, True, False), 60],
            "modifiers": [(2, 1, False, False), (2, 2, False, False), (2, 0, False, False), 60],
        },
    ),
    # Fray 25 against a throw that rolled 24: 25 succeeds, and is higher; 20 only succeeds.
    "area_fray": (area_fray, {"plain": [True, True, False], "opposed": [True, False, False]}),
    # 1.5 m off: one meter or two, at 2 DV each, off a DV of 20.
    "blast_meters": (blast_meters, {"down": 18, "nearest": 16}),
    # 30 is a miss with two superior failures at 20, 63 one with one: three meters, so often.
    "scatter_doubled": (scatter_doubled, {"doubled": [6, 12], "added": [6, 9]}),
    # Two dice for two targets, or one for both.
    "blast_damage": (blast_damage, {"once": ["1d10"], "each": ["1d10", "1d10"]}),
    # 4.5 m off in a radius of 5: near the edge, but damage reaches on.
    "area_edge": (area_edge, {"radius": 0, "damage": 10}),
    # Three o'clock is to the right: 4 m off. The third of eight is behind it: 5.3 m off.
    "scatter_bearings": (
        scatter_bearings, {"clock": ("1d12+1d10", 12), "compass": ("1d8+1d10", 10)},
    ),
    # Athletics 70, and 20 for moderate cover.
    "airburst_cover": (airburst_cover, {"ignored": 70, "counts": 50}),
    # DV 20 at one meter from a center: 2 lost, or 10.
    "vacuum_blast": (vacuum_blast, {"uniform": 18, "all": 10}),
    # Demolitions 70: nothing to roll, or 29 of a hundred fail.
    "charge_test": (charge_test, {"no": F(1), "yes": F(71, 100)}),
    "initiative_ties": (
        initiative_ties,
        {
            "reflexes": ([False, True, False], [True, True, False]),
            "roll_off": ([True, True, False], [True, True, False]),
        },
    ),
    "fresh_wound": (
        lambda r: play(game(shot(defender=victim(), weapon=pistol(d10=0, flat=7)), r), 20, 98, 55)
        .final.prone,
        {"counts": True, "earlier": False},  # 55 against 50 or 60
    ),
    "called_several": (
        lambda r: [
            callable_at(setup, r, **settled)
            for setup, settled in (
                (blow(others=(target(),)), {}),
                (shot(others=(target(),)), {"choose_mode": "burst", "choose_fire": "spread"}),
            )
        ],
        {"melee": [True, False], "none": [False, False], "all": [True, True]},
    ),
    "called_psi": (
        lambda r: callable_at(shot(weapon=PSI), r),
        {"refused": False, "allowed": True},
    ),
    "melee_reach": (
        lambda r: [reaches(meters, r) for meters in (1, 2, 3)],
        {"point_blank": [True, True, False], "weapon": [True, False, False]},
    ),
    "ammunition": (rounds_left, {"plenty": (), "counted": (("pistol", 27),)}),
    "turns": (turn_begins, {"attacks": "declare_attack", "actions": "choose_quick"}),
    "condition_turns": (condition_turns, {"own": [1, 1], "rounds": [2, 1]}),
    "treating": (
        lambda r: [
            helped(helping(TREAT, BLEEDS, HURT, held=r), BLEEDS, face) != BLEEDS
            for face in (20, 30)
        ],
        {"both": [True, False], "patient": [True, True]},
    ),
    "grapple_critical": (
        lambda r: chance(game(HOLD, r), "conditions", ("grappled",)),
        {"subdues": subdued(critical=True), "hurts": subdued(critical=False)},
    ),
    "ambush_failures": (
        lambda r: play(game(shot(ambush=True, defender=target(perceive=50)), r), 95, 40, 99)
        .ambush,
        {"noticed": "alerted", "higher": "surprised"},
    ),
}  # fmt: skip

READINGS = [(name, reading) for name, (_, rows) in TESTED.items() for reading in rows]


@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_reading(name: str, reading: str) -> None:
    value, expected = TESTED[name]
    assert value({name: reading}) == expected[reading]


@pytest.mark.parametrize("ruling", RULINGS, ids=lambda ruling: ruling.name)
def test_every_reading_is_tested_and_makes_a_difference(ruling: Any) -> None:
    value, expected = TESTED[ruling.name]
    assert set(expected) == set(ruling.options)
    assert len({repr(result) for result in expected.values()}) == len(expected)
    assert value({}) == expected[ruling.default]


def test_readings_go_by_number_as_well() -> None:
    assert attack_tn(shot(failed_before=2), {"A-30": "yes"}) == 50
    with pytest.raises(ValueError, match="allowed: miss, deadlock, higher_skill"):
        game(shot(), {"ties": "hit"})


def test_psi_is_not_slowed_by_running() -> None:
    stab = Weapon(name="stab", form="psi", skill="psi", d10=2, armor="mental")
    runner = target(moved_full=True)
    assert defence_tn(shot(weapon=stab, defender=runner), {"move_fray": "both"}) == 45
