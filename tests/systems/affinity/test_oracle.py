"""The room against brute force: all faces in the open, setups drawn with a seed, every reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, NamedTuple, cast

import pytest
from benchmarks.peers import affinity_peers

from affray.app.inputs.fight_changes import FightChanges
from affray.app.inputs.fight_setups import load_fight
from affray.core.node import At, Choice, Facts, Option
from affray.core.ruling import Profile, Rulings
from affray.core.system import System
from affray.engine.exchange import best
from affray.engine.exchange.game import Game
from affray.engine.exchange.odds import outcomes
from affray.engine.exchange.session import Session
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import solve_exactly
from affray.systems.affinity import SYSTEM as ROOM
from affray.systems.affinity.sheet import (
    Action,
    Ally,
    Boost,
    Combatant,
    Hazard,
    Layer,
    Setup,
    Tier,
)
from affray.systems.affinity.state import Exchange
from tests.oracles import affinity as oracle

SYSTEM = cast("System[Facts]", ROOM)

# Readings of the oracle and what they are called in the room.
READINGS: dict[str, tuple[str, dict[object, str]]] = {
    "overwhelm": ("overwhelm", {}),
    "outrolled": ("outrolled", {}),
    "temp_hd": ("temp_hd", {}),
    "capacity": ("capacity", {}),
    "success_face": ("success_face", {}),
    "defend_bonus": ("defend_bonus", {}),
    "bonus_counts": ("bonus_counts_to_capacity", {True: "yes", False: "no"}),
    "vulnerability": (
        "vulnerability",
        {"floor_0": "floor_zero", "floor_1": "floor_one", "double": "floor_zero"},
    ),
    "death": ("death", {"failed_at_zero": "failed_check", "zero": "both_zero"}),
    "intervene": ("intervene_timing", {}),
    "penalty_takes": ("range_penalty_dice", {}),
    "precise": ("precise", {"floor_2": "floor_two"}),
    "rage": ("blood_rage", {"per_die": "each_die"}),
    "npc_burn": ("npc_burn", {}),
    "burn_timing": ("burn_timing", {"after_damage": "listed", "immediately": "immediate"}),
    "rush": ("rush", {}),
    "rush_cap": ("rush_cap", {}),
    "rush_order": ("rush_order", {}),
    "stacking": ("stacking", {True: "yes", False: "no"}),
    "layers": ("layers", {}),
    "affinity": ("affinity_dice", {}),
    "resolve_stages": ("resolve", {"late": "later"}),
    "temporary": ("temporary_hd", {}),
    "area": ("area_damage", {}),
}
CHOICES: dict[str, tuple[object, ...]] = {
    "overwhelm": ("roll", "strict", "absorb_one", "per_die"),
    "outrolled": ("survives", "depletes"),
    "temp_hd": ("ablate_all", "absorb"),
    "capacity": ("half", "full"),
    "success_face": ("tier", "five"),
    "defend_bonus": ("every_roll", "after_body", "once_per_attack"),
    "bonus_counts": (False, True),
    "vulnerability": ("floor_0", "floor_1", "double"),
    "death": ("minus_five", "failed_at_zero", "zero"),
    "intervene": ("before", "after"),
    "penalty_takes": ("proficiency", "exertion"),
    "precise": ("floor_2", "literal"),
    "rage": ("dice", "per_die", "successes"),
    "npc_burn": ("none", "remainder", "reckless"),
    "burn_timing": ("after_damage", "immediately"),
    "stacking": (True, False),
    "layers": ("layered", "single"),
    "affinity": ("exertion", "safe"),
    "resolve_stages": ("core", "late"),
    "temporary": ("outermost", "inner"),
    "area": ("damage", "spread"),
}
LEVEL = 2  # of the attacker; two exertion dice are the most of a round at first
RANGES = (7, 60, 120)  # yards at which the range takes 0, 1, 2 dice


class Case(NamedTuple):
    """One attack as the oracle has it."""

    attack: oracle.Attack
    target: oracle.Target
    allies: tuple[oracle.Ally, ...]
    rulings: oracle.Rulings


# ------------------------------------------------------------------ drawing


def drawn(seed: int, rulings: oracle.Rulings | None = None) -> Case:
    """A case with five attack dice or fewer and a few layers; most readings are the defaults."""
    rng = Random(seed)
    watches = rng.random() < 0.25
    own = rng.randint(1, 5) if watches else None
    tiers = [t for t in ("Basic", "Advanced", "Expert", "Legendary") if not (own and own <= 4)]
    tier = rng.choice(tiers or ["Basic", "Advanced"])
    printed = rng.random() < 0.25
    proficiency = rng.randint(1, 3)
    if oracle.MIN_EXERTION[tier] > proficiency:
        tier = "Basic"
    raging = proficiency < 3 and rng.random() < 0.3
    rulings = rulings or readings(rng)
    fewest = oracle.MIN_EXERTION[tier]
    exertion = rng.randint(fewest, max(fewest, min(proficiency, 4 - proficiency)))
    if printed and rulings.npc_burn != "reckless":
        exertion = 0
    room = proficiency - exertion if rulings.affinity == "exertion" else 1
    affinity = rng.choice((0, min(1, room))) if not printed else 0
    attack = oracle.Attack(
        proficiency, exertion, tier,
        required=rng.randint(1, 3), base=rng.randint(1, 3), precise=rng.random() < 0.3,
        bonus=rng.choice((0, 0, 1)), affinity=affinity,
        fixed=rng.randint(1, 3) if printed else None, raging=raging,
        penalty=rng.choice((0, 0, 1, 2)), hd=rng.randint(1, 3) if rng.random() < 0.5 else 9,
        resolve=own, area=rng.random() < 0.2,
    )  # fmt: skip
    if sum(oracle.pools(attack, rulings)) > 5:
        attack = replace(attack, bonus=0, affinity=0, raging=False)
    kinds = [k for k in ("magical", "shield", "armor", "temporary") if rng.random() < 0.4]
    layers = tuple(
        oracle.Layer(k, rng.choice((6, 8, 12)), rng.randint(1, 2), rng.randint(1, 5))
        for k in kinds[:3]
    )
    layers = oracle.outermost_first(layers, rulings)
    touch = rng.choice(("", "", "resists", "vulnerable", "immune"))
    least = 1 if rulings.death != "minus_five" else -4
    proficiencies = (0, 1, 2) if rulings.capacity == "full" else (0, 1, 2, 3, 4)
    target = oracle.Target(
        rng.choice(proficiencies), rng.choice((0, 1, 2, 4, 9)), rng.choice((6, 8, 10)), layers,
        defending=rng.random() < 0.4, resists=touch == "resists", vulnerable=touch == "vulnerable",
        immune=touch == "immune" and rng.random() < 0.3,
        resolve=rng.randint(least, 5) if watches else None, lost=rng.randint(0, 2),
        checked=rng.random() < 0.2,
    )  # fmt: skip
    n_allies = rng.choice((0, 0, 1, 2))
    allies = []
    for _ in range(n_allies):
        prof = rng.randint(1, 2)
        will = rng.choice((1, 2, 3, 5)) if watches else None
        allies.append(oracle.Ally(prof, rng.randint(0, 1), rng.choice((0, 0, 1)), will))
    return Case(attack, target, tuple(allies), rulings)


def readings(rng: Random) -> oracle.Rulings:
    """Three readings that may differ from the defaults, always a way to meet great damage."""
    names = {"overwhelm", *rng.sample(sorted(CHOICES), 3)}
    picked = {name: rng.choice(CHOICES[name]) for name in sorted(names)}
    if picked["overwhelm"] == "per_die":  # no layer rolls alone, and totals don't matter
        picked.pop("layers", None)
    return replace(oracle.BOOK, **cast("Any", picked))


# ------------------------------------------------------------------ the room's side


def rulings_of(case: Case, picks: Mapping[str, str] | None = None) -> Rulings:
    """The same readings under the room's names, and others that the oracle needs no word for."""
    held = dict(picks or {})
    for name, (theirs, words) in READINGS.items():
        value = getattr(case.rulings, name)
        held[theirs] = words.get(value, str(value))
    if case.attack.resolve is None:
        held["resolve"] = "off"
    return Rulings.pick(SYSTEM.rulings, held)


def setup_of(case: Case) -> Setup:
    """The same case on the room's sheets."""
    attack, target, rulings = case.attack, case.target, case.rulings
    line = Action(
        name="blow", tier=cast("Tier", attack.tier.lower()),
        weapon="precise" if attack.precise else "", required=attack.required, base=attack.base,
        type="fire", reach="ranged", extreme=True, pool=attack.fixed or 0,
        shape="area" if attack.area else "single",
    )  # fmt: skip
    striker = Combatant(
        name="A", proficiency=attack.proficiency, level=LEVEL, hd=attack.hd,
        hd_max=200 if attack.raging else attack.hd,
        resolve=5 if attack.resolve is None else attack.resolve, actions=(line,),
        skill_dice=attack.bonus, boosts=(Boost(amount=2),) if attack.raging else (),
        affinity=attack.affinity,
    )  # fmt: skip
    doubled = rulings.vulnerability == "double"
    fire: Any = ("fire",)
    struck = Combatant(
        name="B", proficiency=target.proficiency, hd=target.hd, hd_max=20,
        hd_die=cast("Any", target.body), defending=target.defending,
        resolve=5 if target.resolve is None else target.resolve,
        resist=fire if target.resists else (),
        vulnerable=fire if target.vulnerable and not doubled else (),
        doubled=fire if target.vulnerable and doubled else (),
        immune=fire if target.immune else (), lost_this_round=target.lost, checked=target.checked,
        layers=tuple(
            Layer(kind=cast("Any", x.kind), die=cast("Any", x.die), dice=x.dice, temp_hd=x.temp_hd)
            for x in target.layers
        ),
    )  # fmt: skip
    allies = tuple(
        Ally(
            combatant=Combatant(
                name=f"C{i}",
                proficiency=x.proficiency,
                skill_dice=x.bonus,
                resolve=5 if x.resolve is None else x.resolve,
            ),
            distance_yd=4,
        )
        for i, x in enumerate(case.allies)
    )
    return Setup(
        attacker=striker, defender=struck, distance_yd=RANGES[attack.penalty], allies=allies
    )


def found(case: Case) -> dict[tuple[object, ...], Fraction]:
    """The room's joint odds."""

    def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        facts = at.facts
        assert isinstance(facts, Exchange)
        if at.step.name == "ask_ally" and facts.area is not None:
            name = "no"  # another one whom the area reaches; the oracle looks at the target alone
        elif at.step.name == "ask_ally":
            exertion = case.allies[facts.asked].exertion
            name = f"intervene-{exertion}" if exertion else "intervene"
        else:
            name = {
                "choose_action": "blow",
                "choose_exertion": str(case.attack.exertion),
                "choose_affinity": str(case.attack.affinity),
            }[at.step.name]
        return next(option for option in choice.options if option.name == name)

    game = Game(SYSTEM, SYSTEM.declared(setup_of(case), rulings_of(case)))
    return outcomes(game, FIELDS, decide=decide).fractions()


FIELDS = (
    "successes", "damage", "burn", "hd_lost", "layers", "helped", "ally_burn", "resolve", "state",
    "own_resolve",
)  # fmt: skip


def wanted(case: Case) -> dict[tuple[object, ...], Fraction]:
    """The oracle's joint odds in the room's words."""
    attack, target, rulings = case.attack, case.target, case.rulings
    ends: list[tuple[tuple[object, ...], Fraction]] = []
    for end, p in oracle.resolve(attack, target, case.allies, rulings=rulings).items():
        burns = [burn for burn in end.burns if burn is not None]
        row = (
            end.successes,
            oracle.suffered(end.damage, target, rulings),
            end.burn,
            end.hd_lost,
            " ".join(_called(layer, rulings) for layer in end.layers) or "none",
            len(burns),
            sum(burns),
            5 if end.resolve is None else end.resolve,
            oracle.state(target.hd - end.hd_lost, end.resolve, rulings),
        )
        own = 5 if attack.resolve is None else attack.resolve
        hit = oracle.Hit(end.successes, end.damage, end.burn)
        strained = oracle.is_strained(attack, hit, level=LEVEL, rulings=rulings)
        after = oracle.checks(own) if strained else {own: Fraction(1)}
        ends += [((*row, left), p * q) for left, q in after.items()]
    return oracle.tally(ends)


def _called(layer: oracle.Layer, rulings: oracle.Rulings) -> str:
    if rulings.overwhelm == "per_die":
        return f"{layer.kind}:{layer.dice}"
    return f"{layer.kind}:{layer.temp_hd}" if rulings.temp_hd == "absorb" else layer.kind


# ------------------------------------------------------------------ the comparison


@pytest.mark.parametrize("seed", range(150))
def test_af9_whole_attacks_have_the_odds_of_brute_force(seed: int) -> None:
    case = drawn(seed)
    assert found(case) == wanted(case), case


@pytest.mark.parametrize("seed", range(40))
def test_af42_rushes_have_the_odds_of_brute_force(seed: int) -> None:
    rng = Random(seed)
    rulings = oracle.Rulings(
        success_face=rng.choice(("tier", "five")),
        rush=rng.choice(("rolled", "rolled", "fixed")),
        rush_cap=rng.choice(("hd_max", "none", "proficiency")),
        rush_order=rng.choice(("restore_first", "burn_first")),
        rush_floor=rng.choice(("none", "needs_one")),
    )
    actor = oracle.Rusher(
        rng.randint(1, 3), rng.randint(1, 5), rng.randint(5, 8),
        resolve=rng.randint(1 if rulings.rush_floor == "needs_one" else -4, 5),
    )  # fmt: skip
    actor = replace(actor, exertion=rng.randint(0, min(2, actor.proficiency)))
    case = Case(oracle.Attack(1, hd=9), oracle.Target(1, 1), (), rulings)
    sheet = Combatant(
        proficiency=actor.proficiency, hd=actor.hd, hd_max=actor.hd_max, resolve=actor.resolve
    )
    made = Setup(attacker=sheet, defender=Combatant(hd=3))
    settled = {"choose_action": ("rush",)}
    if rulings.rush == "rolled":
        settled["choose_exertion"] = (str(actor.exertion),)
    game = Game(SYSTEM, SYSTEM.declared(made, rulings_of(case)), settled)
    dist = oracle.rushes(actor, rulings=rulings)
    assert outcomes(game, ("own_hd", "own_resolve")).fractions() == dist


@pytest.mark.parametrize(
    ("reading", "order", "dice"),
    [("sum", "sum_then_top", 3), ("successes", "successes_then_top", 3), ("proficiency", "sum", 1)],
)
def test_af61_initiative_ties_as_often_as_by_brute_force(
    reading: str, order: oracle.Order, dice: int
) -> None:
    someone = Combatant(proficiency=1, hd=3)
    made = Setup(attacker=someone, defender=someone, act="initiative")
    held = Rulings.pick(SYSTEM.rulings, {"initiative": reading})
    game = Game(SYSTEM, SYSTEM.declared(made, held), {"exert_for_speed": ("0",)})
    tie = oracle.tie_chance(dice, order)
    first = (1 - tie) / 2
    dist = outcomes(game, ("first",)).fractions()
    assert dist == {("tie",): tie, ("attacker",): first, ("defender",): first}


@pytest.mark.parametrize("damage", range(1, 7))
@pytest.mark.parametrize("overwhelm", CHOICES["overwhelm"])
def test_af20_hazards_have_the_odds_of_brute_force(overwhelm: str, damage: int) -> None:
    rulings = replace(oracle.BOOK, overwhelm=cast("Any", overwhelm))
    layers = (oracle.Layer("magical", 12, 2, 9), oracle.Layer("armor", 8, 2, 7))
    case = Case(oracle.Attack(1, hd=9), oracle.Target(3, 4, 10, layers), (), rulings)
    made = replace(setup_of(case), hazard=Hazard(damage=damage, type="cold"))
    game = Game(SYSTEM, SYSTEM.declared(made, rulings_of(case)))
    dist = oracle.tally(
        ((min(4, end.through), " ".join(_called(x, rulings) for x in end.layers) or "none"), p)
        for end, p in oracle.defences(damage, case.target, rulings=rulings).items()
    )
    assert outcomes(game, ("hd_lost", "layers")).fractions() == dist


@pytest.mark.parametrize("merged", [False, True])
@pytest.mark.parametrize("oldest", [False, True])
def test_af22_layers_are_met_in_the_order_of_brute_force(oldest: bool, merged: bool) -> None:
    """A-21: two magical layers, a shield and armor; a merged shield adds its dice and total."""
    first, second = oracle.Layer("magical", 12, 1, 2), oracle.Layer("magical", 6, 1, 1)
    shield, armor = oracle.Layer("shield", 10, 1, 2), oracle.Layer("armor", 8, 2, 3)
    worn = (oracle.Layer("armor", 8, 3, 5),) if merged else (shield, armor)
    barriers = (second, first) if oldest else (first, second)
    picks = {
        "magical_order": "oldest" if oldest else "newest",
        "shield": "armor" if merged else "own",
    }
    for name, reading in (("overwhelm", "roll"), ("overwhelm", "per_die"), ("temp_hd", "absorb")):
        rulings = replace(oracle.BOOK, **cast("Any", {name: reading}))
        blow = oracle.Attack(2, 1, required=1, base=4, hd=9)
        written = oracle.Target(3, 9, 10, (first, second, shield, armor))
        case = Case(blow, written, (), rulings)
        theirs = case._replace(target=replace(written, layers=barriers + worn))
        game = Game(SYSTEM, SYSTEM.declared(setup_of(case), rulings_of(case, picks)), BLOW)
        assert outcomes(game, FIELDS).fractions() == wanted(theirs)


BLOW = {"choose_action": ("blow",), "choose_exertion": ("1",)}


@pytest.mark.parametrize("tier", ["Basic", "Expert", "Legendary"])
@pytest.mark.parametrize("budget", ["action", "turn"])
def test_af1_exertion_on_offer_is_what_brute_force_calls_legal(budget: str, tier: str) -> None:
    rulings = oracle.Rulings(budget=cast("Any", budget))
    held = Rulings.pick(SYSTEM.rulings, {"exertion_budget": budget})
    for level, spent in product((1, 3, 4, 5), range(6)):
        proficiency = (level + 1) // 2
        attack = oracle.Attack(proficiency, tier=tier, hd=9)
        made = setup_of(Case(attack, oracle.Target(1, 1), (), rulings))
        striker = replace(made.attacker, level=level, exerted=spent)
        start = SYSTEM.declared(replace(made, attacker=striker), held)
        legal = [
            str(n)
            for n in range(8)
            if oracle.is_legal(replace(attack, exertion=n), level=level, spent=spent,
                               rulings=rulings)
        ]  # fmt: skip
        assert offered(start) == legal


def offered(start: At[Facts]) -> list[str]:
    """Exertion dice on offer for the blow; none where the blow itself is closed."""
    session = Session(Game(SYSTEM, start))
    question = session.question
    assert question is not None
    if "blow" not in [option.name for option in question.options]:
        return []
    for entry in session.answer("blow").steps_taken:
        if entry.at.step.name == "choose_exertion" and isinstance(entry.node, Choice):
            return [option.name for option in entry.node.options]
    question = session.answer("blow").question
    assert question is not None
    return [option.name for option in question.options]


@pytest.mark.parametrize("yards", [0, 5, 6, 10, 29, 30, 31, 99, 100, 101, 150, 151])
@pytest.mark.parametrize("extreme_to", [None, 150])
@pytest.mark.parametrize("long_to", [None, 20, 60, 120])
def test_af70_range_takes_the_dice_of_brute_force(
    long_to: int | None, extreme_to: int | None, yards: int
) -> None:
    attack = oracle.Attack(2, 1, hd=9)
    made = setup_of(Case(attack, oracle.Target(1, 20), (), oracle.BOOK))
    (line,) = made.attacker.actions
    line = replace(
        line, extreme=extreme_to is not None, long_yd=long_to or 0, max_yd=extreme_to or 0
    )
    made = replace(made, attacker=replace(made.attacker, actions=(line,)), distance_yd=yards)
    start = SYSTEM.declared(made)
    lost = oracle.range_penalty(yards, extreme_to=extreme_to, long_to=long_to or 100)
    assert (offered(start) == []) == (lost is None)
    if lost is not None:
        dist = oracle.hits(replace(attack, penalty=lost))
        game = Game(SYSTEM, start, BLOW)
        assert outcomes(game, ("successes", "damage", "burn")).fractions() == dist


def test_w4_the_benchmark_is_brute_force() -> None:
    """Plain Python for this one question, which is held against all faces elsewhere."""
    layers = (oracle.Layer("magical", 12), oracle.Layer("armor", 8))
    attack = oracle.Attack(4, 3, required=2, base=2, hd=11)
    case = Case(attack, oracle.Target(4, 11, 10, layers), (), oracle.BOOK)
    game = Game(
        SYSTEM,
        SYSTEM.declared(setup_of(case), rulings_of(case)),
        {"choose_action": ("blow",), "choose_exertion": ("3",)},
    )
    dist = outcomes(game, ("burn", "magical", "armor", "hd_lost"))
    assert dist.fractions() == affinity_peers.plain()


@pytest.mark.parametrize("profile", ROOM.profiles, ids=lambda profile: profile.name)
def test_af9_printings_have_the_odds_of_brute_force(profile: Profile) -> None:
    """The readings of each printing together, on attacks drawn with a seed."""
    theirs = {named: (name, words) for name, (named, words) in READINGS.items()}
    picked: dict[str, object] = {}
    for named, reading in profile.picks.items():
        name, words = theirs.get(named, ("", {}))
        if name:
            back = {word: value for value, word in words.items()}
            picked[name] = back.get(reading, reading)
    rulings = replace(oracle.BOOK, **cast("Any", picked))
    late = rulings.resolve_stages == "late"
    for seed in range(15):
        case = drawn(seed, rulings)
        attack = replace(case.attack, resolve=5 - seed % 3 if late else None, tier="Advanced")
        target = replace(case.target, resolve=1 + seed % 5 if late else None)
        allies = tuple(ally._replace(resolve=attack.resolve) for ally in case.allies)
        case = case._replace(attack=attack, target=target, allies=allies)
        assert found(case) == wanted(case), case


# ------------------------------------------------------------------ best choices


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("wish", ["damage", "net"])
def test_af1_the_best_exertion_is_that_of_brute_force(wish: str, seed: int) -> None:
    rng = Random(seed)
    attack = oracle.Attack(
        rng.randint(1, 3), required=rng.randint(1, 4), base=rng.randint(1, 2), hd=9
    )
    layers = (oracle.Layer("armor", rng.choice((6, 8))),) if rng.random() < 0.5 else ()
    target = oracle.Target(rng.randint(1, 4), 4, 10, layers)
    case = Case(attack, target, (), oracle.BOOK)
    values = []
    for exertion in range(min(attack.proficiency, 5 - attack.proficiency) + 1):
        dist = oracle.resolve(replace(attack, exertion=exertion), target)
        burned = oracle.mean(dist, lambda end: end.burn) if wish == "net" else 0
        values.append(oracle.mean(dist, lambda end: end.hd_lost) - burned)
    made = setup_of(case)
    made = replace(made, attacker=replace(made.attacker, universal=()))
    most = tuple(str(n) for n in range(len(values)))

    def narrow(at: At[Facts], choice: Choice[Facts]) -> tuple[Option[Facts], ...]:
        if at.step.name != "choose_exertion":
            return choice.options
        return tuple(option for option in choice.options if option.name in most)

    game = Game(SYSTEM, SYSTEM.declared(made, rulings_of(case)), narrow=narrow)
    assert best.solve(game, best.objective_named(SYSTEM, wish)).value == max(values)


@pytest.mark.parametrize("timing", ["before", "after"])
@pytest.mark.parametrize("seed", range(6))
def test_af41_the_best_intervention_is_that_of_brute_force(seed: int, timing: str) -> None:
    """One ally, who sees the damage: nothing, or any number of exertion dice."""
    rng = Random(seed)
    rulings = oracle.Rulings(intervene=cast("Any", timing))
    attack = oracle.Attack(2, 1, required=1, base=rng.randint(1, 3), hd=9)
    layers = (oracle.Layer("armor", rng.choice((6, 8))),) if rng.random() < 0.6 else ()
    target = oracle.Target(rng.randint(1, 4), rng.randint(2, 6), 10, layers)
    prof = rng.randint(1, 2)

    def lost(n: int) -> Fraction:
        dist = oracle.defences(n, target)
        return oracle.mean(dist, lambda end: min(target.hd, end.through))

    def least(n: int, worth: Callable[[int], Fraction]) -> Fraction:
        options = [worth(n)]
        for exertion in range(prof + 1):
            ally = oracle.Ally(prof, exertion)
            options.append(
                sum((p * worth(end.left) for end, p in oracle.helps(n, [ally]).items()),
                    Fraction(0))
            )  # fmt: skip
        return min(options)

    value = Fraction(0)
    for hit, p in oracle.hits(attack).items():
        if timing == "before":
            value += p * least(hit.damage, lost)
        else:
            for end, q in oracle.defences(hit.damage, target).items():
                value += p * q * least(end.through, lambda n: Fraction(min(target.hd, n)))
    case = Case(attack, target, (oracle.Ally(prof),), rulings)
    game = Game(SYSTEM, SYSTEM.declared(setup_of(case), rulings_of(case)), BLOW)
    assert best.solve(game, best.objective_named(SYSTEM, "damage")).value == value


# ------------------------------------------------------------------ whole fights


class Pair(NamedTuple):
    """HD and layers of both, whose turn comes first and who is next."""

    hd: tuple[int, int]
    layers: tuple[tuple[oracle.Layer, ...], tuple[oracle.Layer, ...]]


Share = Fraction | float
Ends = tuple[Share, Share, Share]
"""Chances that the first wins, that the other does, that both are out."""


class Bout(NamedTuple):
    """What both do each time, the dice of their bodies, and of how many HD below half enrages."""

    blows: tuple[oracle.Attack, oracle.Attack]
    bodies: tuple[int, int]
    rages: tuple[int, int] = (0, 0)

    def blow(self, actor: int, hd: int) -> oracle.Attack:
        raging = self.rages[actor] > 0 and oracle.is_below_half(hd, self.rages[actor])
        return replace(self.blows[actor], hd=hd, raging=raging)


BLOWS = (
    oracle.Attack(2, fixed=3, required=2, base=1),
    oracle.Attack(1, tier="Advanced", fixed=2, base=2),
)
BOUT = Bout(BLOWS, (10, 6))


def by_hand(
    now: Pair,
    rulings: oracle.Rulings,
    memo: dict[Pair, list[Ends]],
    bout: Bout = BOUT,
    number: Callable[[Fraction], Share] = Fraction,
) -> list[Ends]:
    """A duel from each of the four actions of a round on: two by the first, two by the other.

    An action that changes nothing leads to the next one; the circle of four is solved as it lies.
    All is added up in these numbers.
    """
    if now in memo:
        return memo[now]
    changed: list[list[Share]] = []
    same: list[Share] = []
    for place in range(4):
        actor = place // 2
        target = 1 - actor
        against = oracle.Target(
            bout.blows[target].proficiency, now.hd[target], bout.bodies[target], now.layers[target]
        )
        blow = bout.blow(actor, now.hd[actor])
        total: list[Share] = [number(Fraction(0))] * 3
        stays = number(Fraction(0))
        for end, chance in oracle.resolve(blow, against, rulings=rulings).items():
            p = number(chance)
            hd, layers = list(now.hd), list(now.layers)
            hd[target] -= end.hd_lost
            hd[actor] = max(0, hd[actor] - end.burn)
            layers[target] = end.layers
            after = Pair((hd[0], hd[1]), (layers[0], layers[1]))
            if after == now:
                stays += p
            else:
                over = not all(hd)
                place_then = (place + 1) % 4
                on = [] if over else by_hand(after, rulings, memo, bout, number)
                ends = _over(after) if over else on[place_then]
                total = [x + p * y for x, y in zip(total, ends, strict=True)]
        changed.append(total)
        same.append(stays)
    memo[now] = [_around(changed, same, place) for place in range(4)]
    return memo[now]


def _over(now: Pair) -> Ends:
    one, other = now.hd
    return Fraction(other == 0 < one), Fraction(one == 0 < other), Fraction(one == other == 0)


def _around(changed: list[list[Share]], same: list[Share], place: int) -> Ends:
    total: list[Share] = [Fraction(0)] * 3
    reach: Share = Fraction(1)
    for step in range(4):
        now = (place + step) % 4
        total = [x + reach * y for x, y in zip(total, changed[now], strict=True)]
        reach *= same[now]
    one, other, both = (x / (1 - reach) for x in total)
    return one, other, both


@pytest.mark.parametrize(
    "picked",
    [
        {"overwhelm": "roll", "npc_burn": "none"},
        {"overwhelm": "strict", "npc_burn": "none"},
        {"overwhelm": "per_die", "npc_burn": "none"},
        {"overwhelm": "roll", "npc_burn": "remainder"},
        {"overwhelm": "strict", "npc_burn": "remainder"},
        {"overwhelm": "per_die", "npc_burn": "remainder"},
        {"npc_burn": "remainder", "burn_timing": "immediately"},
    ],
    ids=str,
)
def test_af62_duels_have_the_chances_of_brute_force(picked: dict[str, Any]) -> None:
    """Printed pools, so that nothing is chosen; two actions a turn."""
    rulings = oracle.Rulings(**picked)
    start = Pair((3, 4), ((oracle.Layer("armor", 8),), (oracle.Layer("magical", 12, 1),)))
    fighters = []
    for i, blow in enumerate(BLOWS):
        body = oracle.Target(blow.proficiency, start.hd[i], BOUT.bodies[i], start.layers[i])
        case = Case(replace(blow, hd=start.hd[i]), body, (), rulings)
        made = setup_of(case)
        fighters.append(replace(made.defender, actions=made.attacker.actions, universal=()))
    one, other = fighters
    sides = (
        Side("one", (one,), Setup(attacker=one, defender=other)),
        Side("other", (other,), Setup(attacker=other, defender=one)),
    )
    exact = solve_exactly(Contest(SYSTEM, sides, rulings_of(case), first="one"))
    assert (*exact.won, exact.drawn) == by_hand(start, rulings, {})[0]


def test_af73_the_raid_that_is_shipped_has_the_chances_of_brute_force() -> None:
    """Proficiency 3 and two exertion dice against the raider's printed three, or five in rage.

    The raider exerts two more, as monsters do.
    """
    blows = oracle.Attack(3, 2, required=2, base=2), oracle.Attack(2, 2, fixed=3, base=2)
    start = Pair((11, 7), ((oracle.Layer("armor", 8),), ()))
    found = by_hand(start, oracle.BOOK, {}, Bout(blows, (10, 8), (0, 7)), float)[0]
    loaded = load_fight("affinity", "raid", FightChanges(first="one"))
    solved = Duel(loaded.contest).solve()
    assert (*solved.won, solved.drawn) == pytest.approx([float(x) for x in found], abs=1e-9)
