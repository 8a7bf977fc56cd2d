"""The oracle of Affinity: against the worked examples and exact odds, and by hand.

Every expected number was counted outside of this program; names carry clause, vector or question.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from tests.vectors import Vector, roster_of, vectors_of, written_out

from . import affinity as af
from .affinity import BOOK, Ally, Attack, Dist, Hit, Layer, Rulings, T, Target, shown

F = Fraction

LIGHT = Attack(1)
HEAVY = Attack(1, 1, required=2, base=2)
ORC = Attack(2, fixed=3, base=2)
STRICT = Rulings(overwhelm="strict")
PER_DIE = Rulings(overwhelm="per_die")


def odds(text: str) -> dict[int, Fraction]:
    """'0:1/6 1:2/3' as a distribution."""
    return {int(n): F(p) for n, p in (word.split(":") for word in text.split())}


def damage(hit: Hit) -> int:
    return hit.damage


def burn(hit: Hit) -> int:
    return hit.burn


def damages(attack: Attack, rulings: Rulings = BOOK) -> Mapping[Any, Fraction]:
    return af.marginal(af.hits(attack, rulings=rulings), damage)


def lost(n: int, target: Target, rulings: Rulings = BOOK) -> dict[int, Fraction]:
    """HD lost to an attack of so much damage."""
    dist = af.defences(af.suffered(n, target, rulings), target, rulings=rulings)
    return af.tally((min(target.hd, end.through), p) for end, p in dist.items())


def only(dist: Dist[T]) -> T:
    """The single outcome of a scripted roll."""
    ((end, p),) = dist.items()
    assert p == 1
    return end


def hit(attack: Attack, faces: tuple[int, ...], rulings: Rulings = BOOK) -> Hit:
    return only(af.hits(attack, shown(faces), rulings))


MEDIUM = Layer("armor", 8, 2, 12)
S1 = Target(3, 11, 10, (MEDIUM,))


# ------------------------------------------------------------------ vectors as the oracle has them

VECTORS = vectors_of("affinity")
KNOWN = {
    "setup": {"act", "attacker", "defender", "hazard", "allies", "distance_yd", "home_dice"},
    "attacker": {"name", "level", "body", "hd_die", "hd", "hd_max", "proficiency", "resolve",
                 "actions", "boosts", "universal", "source"},
    "defender": {"name", "level", "body", "hd_die", "hd", "hd_max", "proficiency", "resolve",
                 "layers", "resist", "vulnerable", "immune", "defending", "source"},
    "action": {"name", "tier", "weapon", "required", "base", "type", "reach", "max_yd", "extreme",
               "pool", "source"},
    "layer": {"name", "kind", "die", "dice", "temp_hd", "intact", "source"},
    "hazard": {"damage", "type", "name"},
    "ally": {"combatant", "distance_yd"},
    "helper": {"name", "level", "proficiency", "resolve", "source"},
    "choices": {"choose_action", "choose_exertion", "exert_for_speed", "ask_ally"},
    "options": {"intervene", "intervene-1", "intervene-2"},
    "fields": {"successes", "damage", "burn", "hd_lost", "hd", "layers", "armor", "magical",
               "state", "down", "own_hd", "own_state", "own_resolve", "helped", "ally_burn", "tie"},
}  # fmt: skip
"""What the oracle tells: an action against one target, a hazard, a Rush, a tie of initiative."""
READINGS: dict[str, set[str]] = {
    "overwhelm": {"roll", "strict", "per_die"}, "capacity": {"half", "full"},
    "defend_bonus": {"every_roll", "after_body", "once_per_attack"}, "resolve": {"core", "off"},
    "rush_order": {"restore_first", "burn_first"}, "initiative": {"proficiency"},
}  # fmt: skip
TOLD_IDS = {
    "AFS-1", "AFS-2", "AFS-3", "AFS-4", "AFS-5", "AFS-5b", "AFS-5c", "AFS-1s", "AFS-2s", "AFV-1",
    "AFV-2", "AFV-4", "AFV-5", "AFV-7", "AFV-8", "AFV-10", "AFV-11", "AFV-13", "AFV-14", "AFV-16",
    "AFV-17", "AFV-19", "AFV-20", "AFV-22", "AFV-22b", "AFV-23", "AFV-25", "AFV-26", "AFV-28",
    "AFV-31", "AFV-31r", "AFV-32", "AFO-1", "AFO-2", "AFO-4", "AFO-5", "AFO-7", "AFO-7e", "AFO-8",
    "AFO-8e", "AFO-10", "AFO-10p", "AFO-10v", "AFO-11", "AFO-11b", "AFO-12", "AFO-13", "AFO-13r",
    "AFO-13v", "AFO-14", "A8", "A9", "A12", "A20",
}  # fmt: skip
"""Vectors that the oracle has to tell."""
BODIES = {"tough": 10, "balanced": 8, "fragile": 6}
HIT_DICE = {
    10: (3, 5, 7, 9, 11, 13, 15, 17, 19, 21),
    8: (3, 5, 6, 8, 10, 11, 13, 15, 16, 18),
    6: (3, 4, 5, 7, 8, 10, 11, 13, 14, 16),
}
WEAPONS = {
    "light": (1, 1), "heavy": (2, 2), "precise": (1, 1), "ranged_light": (1, 1),
    "ranged_heavy": (2, 2),
}  # fmt: skip
"""Successes needed and damage, by class of weapon."""
ACTIONS = {
    "basic": (1, 1), "advanced": (2, 2), "expert": (3, 3), "legendary": (3, 4), "ultimate": (4, 5),
    "mythical": (4, 5),
}  # fmt: skip
"""The same for what is done without a weapon, by tier."""


def sheets(given: Iterable[Any], file: str) -> list[dict[str, Any]]:
    return [written_out(one, roster_of("affinity", file)) for one in given]


def sheet_of(vector: Vector, side: str) -> dict[str, Any]:
    """The sheet of a side, with Hit Dice, Proficiency and the die of its body written out."""
    return whole_sheet(vector.setup.get(side, {}))


def whole_sheet(given: Any) -> dict[str, Any]:
    (sheet,) = sheets([given], "fighters")
    level = sheet.setdefault("level", 1)
    die = sheet.setdefault("hd_die", BODIES[sheet.get("body", "balanced")])
    most = sheet.setdefault("hd_max", HIT_DICE[die][level - 1])
    return {"proficiency": (level + 1) // 2, "hd": most, "resolve": 5, **sheet}


def is_told(vector: Vector) -> bool:
    """Whether the oracle knows every word of a vector."""
    setup = vector.setup
    by, against = (
        sheets([setup.get(side, {})], "fighters")[0] for side in ("attacker", "defender")
    )
    unknown = setup.keys() - KNOWN["setup"] | by.keys() - KNOWN["attacker"]
    unknown |= against.keys() - {"actions", "universal", "boosts"} - KNOWN["defender"]
    unknown |= setup.get("hazard", {}).keys() - KNOWN["hazard"]
    for key, found in (
        ("action", sheets(by.get("actions", ()), "actions")),
        ("layer", sheets(against.get("layers", ()), "layers")),
        ("ally", setup.get("allies", ())),
        ("helper", [one["combatant"] for one in setup.get("allies", ())]),
    ):
        unknown |= {word for one in found for word in set(one) - KNOWN[key]}
    unknown |= vector.choose.keys() - KNOWN["choices"] | set(vector.options) - KNOWN["options"]
    unknown |= {name for name, one in vector.rulings.items() if one not in READINGS.get(name, ())}
    if setup.get("act", "turn") == "initiative":
        return not unknown
    return (
        not unknown
        and "act" not in setup
        and ("hazard" in setup or "choose_action" in vector.choose)
    )


def rulings_of(vector: Vector) -> Rulings:
    named = {k: v for k, v in vector.rulings.items() if k not in {"resolve", "initiative"}}
    return Rulings(**named)  # type: ignore[arg-type]  # as the room calls them


def resolve_of(vector: Vector, sheet: Mapping[str, Any]) -> int | None:
    return None if vector.rulings.get("resolve") == "off" else sheet["resolve"]


def attack_of(vector: Vector) -> Attack:
    """The attack; a hazard is one that surely does its damage, and rolls nothing."""
    if "hazard" in vector.setup:
        return Attack(0, required=0, base=vector.setup["hazard"]["damage"])
    sheet = sheet_of(vector, "attacker")
    chosen = vector.choose["choose_action"]
    (action,) = (one for one in sheets(sheet["actions"], "actions") if one["name"] == chosen)
    tier, weapon = action.get("tier", "basic"), action.get("weapon", "")
    required, base = WEAPONS[weapon] if weapon else ACTIONS[tier]
    boosts = sheet.get("boosts", ())
    assert all(one == {"when": "below_half", "amount": 2} for one in boosts)
    far = 10_000 if action.get("extreme") else None
    shoots = action.get("reach", "melee") == "ranged"
    penalty = af.range_penalty(vector.setup.get("distance_yd", 5), extreme_to=far) if shoots else 0
    assert penalty is not None
    return Attack(
        sheet["proficiency"], int(vector.choose.get("choose_exertion", 0)), tier.capitalize(),
        action.get("required", required), action.get("base", base), weapon == "precise",
        vector.setup.get("home_dice", 0), fixed=action.get("pool"),
        raging=bool(boosts) and af.is_below_half(sheet["hd"], sheet["hd_max"]), penalty=penalty,
        hd=sheet["hd"], resolve=resolve_of(vector, sheet),
    )  # fmt: skip


def type_of(vector: Vector) -> str:
    """The type of the damage."""
    if "hazard" in vector.setup:
        return str(vector.setup["hazard"].get("type", "bludgeoning"))
    chosen = vector.choose["choose_action"]
    actions = sheets(sheet_of(vector, "attacker")["actions"], "actions")
    return next(str(one.get("type", "slashing")) for one in actions if one["name"] == chosen)


def target_of(vector: Vector) -> Target:
    sheet, kind = sheet_of(vector, "defender"), type_of(vector)
    layers = [
        Layer(
            one.get("kind", "armor"), one.get("die", 8), one.get("dice", 2), one.get("temp_hd", 0)
        )
        for one in sheets(sheet.get("layers", ()), "layers")
        if one.get("intact", True)
    ]
    return Target(
        sheet["proficiency"], sheet["hd"], sheet["hd_die"], af.outermost_first(layers),
        defending=sheet.get("defending", False), resists=kind in sheet.get("resist", ()),
        vulnerable=kind in sheet.get("vulnerable", ()), immune=kind in sheet.get("immune", ()),
        resolve=resolve_of(vector, sheet),
    )  # fmt: skip


def allies_of(vector: Vector) -> list[Ally]:
    """Those who step in, with the exertion dice that they put in."""
    found = []
    options = vector.options or (vector.choose.get("ask_ally", ""),) * 9
    for one, option in zip(vector.setup.get("allies", ()), options, strict=False):
        assert af.may_intervene(acted=False, distance=one.get("distance_yd", 0))
        sheet = whole_sheet(one["combatant"])
        exertion = int(option.partition("-")[2] or 0)
        found.append(Ally(sheet["proficiency"], exertion, resolve=resolve_of(vector, sheet)))
    return found


def rusher_of(vector: Vector) -> af.Rusher:
    sheet = sheet_of(vector, "attacker")
    return af.Rusher(
        sheet["proficiency"], sheet["hd"], sheet["hd_max"], sheet["resolve"],
        int(vector.choose["choose_exertion"]),
    )  # fmt: skip


def facts_of(vector: Vector, roll: af.Roll = af.every) -> Dist[tuple[tuple[str, object], ...]]:
    """All that comes of a vector, by the names that the room has for it."""
    rulings, own = rulings_of(vector), sheet_of(vector, "attacker")
    if vector.choose.get("choose_action") == "rush":
        rushed = af.rushes(rusher_of(vector), roll, rulings)
        return af.tally(
            ((("own_hd", end.hd), ("own_resolve", end.resolve),
              ("own_state", af.state(end.hd, end.resolve, rulings))), p)
            for end, p in rushed.items()
        )  # fmt: skip
    attack, target = attack_of(vector), target_of(vector)
    ends: list[tuple[tuple[tuple[str, object], ...], Fraction]] = []
    for end, p in af.resolve(attack, target, allies_of(vector), roll, rulings).items():
        shaken: Dist[int | None] = {attack.resolve: F(1)}
        made = Hit(end.successes, end.damage, end.burn)
        if af.is_strained(attack, made, level=own["level"], rulings=rulings):
            assert attack.resolve is not None
            shaken = af.tally(af.checks(attack.resolve, roll).items())
        ends += [(facts(vector, target, end, left), p * q) for left, q in shaken.items()]
    return af.tally(ends)


def facts(
    vector: Vector, target: Target, end: af.Outcome, own_resolve: int | None
) -> tuple[tuple[str, object], ...]:
    rulings, own = rulings_of(vector), sheet_of(vector, "attacker")
    by_die = rulings.overwhelm == "per_die"
    layers = [f"{one.kind}:{one.dice}" if by_die else one.kind for one in end.layers]
    kinds = [one.kind for one in end.layers]
    hd, own_hd = target.hd - end.hd_lost, max(0, own["hd"] - end.burn)
    state = af.state(hd, end.resolve, rulings)
    burns = [burn for burn in end.burns if burn is not None]
    return tuple(
        {
            "successes": end.successes, "damage": end.damage, "burn": end.burn,
            "hd_lost": end.hd_lost, "hd": hd, "layers": " ".join(layers) or "none",
            "armor": kinds.count("armor"), "magical": kinds.count("magical"), "state": state,
            "down": state == "down", "own_hd": own_hd,
            "own_state": af.state(own_hd, own_resolve, rulings), "own_resolve": own_resolve,
            "helped": len(burns), "ally_burn": sum(burns),
        }.items()
    )  # fmt: skip


def odds_of(vector: Vector, name: str) -> Mapping[Any, Fraction]:
    """The chances of a field."""
    if name == "tie":
        sheet = sheet_of(vector, "attacker")
        one_each = vector.rulings.get("initiative") == "proficiency"
        p = af.tie_chance(sheet["proficiency"] if one_each else 3, "sum_then_top")
        return {True: p, False: 1 - p}
    return af.marginal(facts_of(vector), lambda told: dict(told)[name])


def script_of(vector: Vector) -> tuple[list[int], af.Roll]:
    """The faces of a vector, and a roll that takes from them."""
    faces = list(vector.dice)

    def roll(dice: Sequence[int]) -> list[tuple[tuple[int, ...], Fraction]]:
        got = tuple(faces.pop(0) for _ in dice)
        assert all(1 <= face <= sides for face, sides in zip(got, dice, strict=True))
        return [(got, F(1))]

    return faces, roll


# ------------------------------------------------------------------ vectors

TOLD = [name for name, vector in VECTORS.items() if is_told(vector)]


def test_all_that_can_be_told_is_told() -> None:
    assert {id_ for name in TOLD for id_ in VECTORS[name].ids} >= TOLD_IDS


@pytest.mark.parametrize(
    "name", [name for name in TOLD if VECTORS[name].expect.keys() - {"refused"}]
)
def test_worked_examples(name: str) -> None:
    vector = VECTORS[name]
    faces, roll = script_of(vector)
    told = dict(only(facts_of(vector, roll)))
    assert not faces
    expected = {key: vector.expect[key] for key in vector.expect.keys() & told.keys()}
    assert expected
    assert {key: told[key] for key in expected} == expected


@pytest.mark.parametrize("name", [name for name in TOLD if "refused" in VECTORS[name].expect])
def test_refused_examples(name: str) -> None:
    """With no number of exertion dice can it be done."""
    attack, level = attack_of(VECTORS[name]), sheet_of(VECTORS[name], "attacker")["level"]
    ways = [replace(attack, exertion=n) for n in range(20)]
    assert not any(af.is_legal(way, level=level) for way in ways)


@pytest.mark.parametrize("name", [name for name in TOLD if VECTORS[name].odds])
def test_exact_odds(name: str) -> None:
    odds = dict(VECTORS[name].odds)
    means = odds.pop("_mean", {})
    known = odds.keys() & KNOWN["fields"] - ({"own_resolve"} if "tie" in odds else set())
    assert known or means
    for field, mean in means.items():
        assert af.mean(odds_of(VECTORS[name], field), int) == F(mean)
    for field in known:
        found = {str(n).lower(): p for n, p in odds_of(VECTORS[name], field).items()}
        assert {value: found.get(value, F(0)) for value in odds[field]} == {
            value: F(p) for value, p in odds[field].items()
        }


def test_af10_v8_legendary_is_above_the_cap() -> None:
    assert not af.is_legal(Attack(1, 1, "Legendary"), level=1)
    assert not af.is_legal(Attack(3, 0, "Expert"), level=5)
    assert af.is_legal(Attack(3, 1, "Expert"), level=5)
    assert not af.is_legal(Attack(3, 4), level=5)


def test_af70_v10_range_takes_a_proficiency_die() -> None:
    far = Attack(2, 1, penalty=1)
    assert af.pools(far) == (1, 1)
    assert af.pools(far, Rulings(penalty_takes="exertion")) == (2, 0)
    assert [af.range_penalty(yards) for yards in (4, 7, 30, 31, 60, 100, 101)] == [
        0, 0, 0, 1, 1, 1, None,
    ]  # fmt: skip
    assert af.range_penalty(120, extreme_to=150) == 2
    assert af.range_penalty(160, extreme_to=150) is None


def test_af41_who_may_step_in() -> None:
    assert af.may_intervene(acted=False, distance=4)
    assert not af.may_intervene(acted=True, distance=4)
    assert not af.may_intervene(acted=False, distance=6)
    assert not af.may_intervene(acted=False, distance=4, actions_left=0)


def test_af42_a_rush_without_resolve() -> None:
    with pytest.raises(ValueError, match="Resolve"):
        af.rushes(af.Rusher(1, 1, 3, 0, 1), rulings=Rulings(rush_floor="needs_one"))


# ------------------------------------------------------------------ exact odds: attacks


def test_o2_joint_with_burn() -> None:
    dist = af.marginal(af.hits(HEAVY), lambda h: (h.damage, h.burn))
    assert dist == {
        (0, 0): F(1, 9), (0, 1): F(5, 36), (2, 0): F(17, 36), (2, 1): F(1, 36), (3, 0): F(1, 4),
    }  # fmt: skip


# ------------------------------------------------------------------ exact odds: defence


def dice_left(n: int, target: Target, rulings: Rulings) -> Mapping[Any, Fraction]:
    """Dice of each layer, outermost first, then the body's."""
    kinds = [layer.kind for layer in target.layers]

    def left(end: af.Defended) -> tuple[int, ...]:
        dice = {layer.kind: layer.dice for layer in end.layers}
        return (*(dice.get(kind, 0) for kind in kinds), target.hd - end.through)

    return af.marginal(af.defences(n, target, rulings=rulings), left)


def test_af31_the_immune_lose_nothing() -> None:
    assert lost(3, Target(3, 11, immune=True)) == {0: F(1)}


def test_o7_die_by_die() -> None:
    assert dice_left(3, S1, PER_DIE) == {(0, 11): F(1, 2), (0, 10): F(1, 4), (1, 11): F(1, 4)}
    assert dice_left(3, S1, replace(PER_DIE, capacity="full")) == {
        (0, 10): F(1, 10), (0, 11): F(2, 5), (1, 11): F(3, 8), (2, 11): F(1, 8),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("die", "p"), [(4, "0"), (6, "1/3"), (8, "1/2"), (10, "3/5"), (12, "2/3"), (20, "4/5")]
)
def test_af24_chance_of_a_die_to_sustain(die: int, p: str) -> None:
    assert lost(1, Target(1, 5, die)).get(0, 0) == F(p)


@pytest.mark.parametrize(("level", "dice"), [(1, 1), (3, 1), (5, 2), (7, 2), (9, 3)])
def test_af21_capacity_by_level(level: int, dice: int) -> None:
    assert af.capacity((level + 1) // 2) == dice
    assert af.capacity((level + 1) // 2, Rulings(capacity="full")) == (level + 1) // 2


# ------------------------------------------------------------------ exact odds: the rest


def net(rusher: af.Rusher, rulings: Rulings) -> dict[int, Fraction]:
    dist = af.rushes(rusher, rulings=rulings)
    return af.tally((end.hd - rusher.hd, p) for end, p in dist.items())


def test_o14_initiative_ties() -> None:
    assert af.tie_chance(3) == F(361, 3888)
    assert af.tie_chance(3, "sum_then_top") == F(79, 1944)
    assert af.tie_chance(1) == F(1, 6)


def test_o16_dying_by_resolve_checks() -> None:
    assert af.dead_by(10) == F(1024, 59049)
    assert af.dead_by(12) == F(52480, 531441)
    zero = Rulings(death="zero")
    assert af.dead_by(5, rulings=zero) == F(32, 243)
    assert af.dead_by(10, rulings=zero) == F(13900, 19683)


def test_a7_an_orc_drops_a_fresh_fighter_of_three() -> None:
    """Without armor: 4 damage (152/216) always, 3 damage (51/216) where the body's d10 fails."""

    def dropped(hd: int, *layers: Layer) -> Fraction:
        dist = af.resolve(ORC, Target(1, hd, 10, layers))
        return af.chance(dist, lambda end: end.hd_lost == hd)

    assert dropped(3, MEDIUM) == F(583, 1080)
    assert dropped(3) == F(152, 216) + F(51, 216) * F(2, 5) == F(431, 540)
    assert dropped(5) == dropped(5, MEDIUM) == 0


# ------------------------------------------------------------------ readings


def test_a1_absorb_one_lets_one_success_hold_everything() -> None:
    """Armor is lost in any case; one of two d8 is enough, else two d10 against all three."""
    one = Rulings(overwhelm="absorb_one")
    assert lost(3, S1, one) == odds("0:3/4 1:9/100 2:3/25 3:1/25")
    assert all(end.layers == () for end in af.defences(3, S1, rulings=one))


def test_a1_more_cancelled_than_capacity() -> None:
    """Resistant, capacity 1, 2 damage: 1/2 * (1 - 4/9) + 1/2 * 1/9 to cancel both at the armor."""
    target = Target(1, 9, 10, (MEDIUM,), resists=True)
    kept = af.chance(af.defences(2, target), lambda end: bool(end.layers))
    assert kept == F(1, 3)
    goes = Rulings(outrolled="depletes")
    assert all(end.layers == () for end in af.defences(2, target, rulings=goes))
    assert lost(2, target, goes) == lost(2, target)


def test_a2_totals_that_absorb() -> None:
    absorb = Rulings(temp_hd="absorb")
    end = only(af.defences(3, S1, shown((7, 4)), absorb))
    assert (end.through, end.layers[0].temp_hd) == (0, 10)
    assert lost(3, S1, absorb) == {0: F(1)}
    assert 1 - lost(3, S1)[0] == F(61, 100)


def test_a3_full_capacity() -> None:
    target = Target(4, 9, 8)
    assert lost(2, target)[0] == F(1, 4)
    assert lost(2, target, Rulings(capacity="full"))[0] == F(11, 16)


def test_a4_two_actions_at_level_five() -> None:
    turn = Rulings(budget="turn")
    for rulings, most, burned in ((BOOK, 6, "1"), (turn, 5, "5/6")):
        spent, mean_burn = 0, F(0)
        for _ in range(2):
            dice = af.most_exertion(3, level=5, spent=spent, rulings=rulings)
            mean_burn += af.mean(af.hits(Attack(3, dice)), burn)
            spent += dice
        assert (spent, mean_burn) == (most, F(burned))


def test_a5_always_five() -> None:
    five = Rulings(success_face="five")
    assert 1 - damages(ORC)[0] == F(215, 216)
    assert 1 - damages(ORC, five)[0] == F(19, 27)


def test_a6_heavy_weapons_that_need_one_success() -> None:
    """Required 1 instead of 2: only two ones miss."""
    easy = replace(HEAVY, required=1)
    assert (damages(HEAVY)[0], damages(easy)[0]) == (F(1, 4), F(1, 36))
    assert af.mean(af.hits(easy), damage) == F(97, 36)


def test_a8_when_the_defend_dice_are_rolled() -> None:
    target = Target(1, 9, 8, (Layer("armor", 8),), defending=True)
    means, kept = [], []
    for when in ("every_roll", "after_body", "once_per_attack"):
        rulings = Rulings(defend_bonus=when)
        dist = af.defences(2, target, rulings=rulings)
        means.append(af.mean(dist, lambda end: end.through))
        kept.append(af.chance(dist, lambda end: bool(end.layers)))
        if when != "every_roll":
            assert lost(2, target, rulings) == odds("0:5/9 1:1/3 2:1/9")
    assert means == [F(8, 27), F(5, 9), F(5, 9)]
    assert kept == [F(1, 3), F(0), F(1, 3)]
    assert af.mean(lost(2, replace(target, defending=False)), int) == 1


def test_a9_bonus_dice_that_raise_the_number_compared() -> None:
    target = Target(3, 11, resists=True)
    assert lost(3, target, STRICT) == {3: F(1)}
    assert af.mean(lost(3, target, replace(STRICT, bonus_counts=True)), int) == F(88, 75)


def test_a10_least_dice_of_the_vulnerable() -> None:
    target = Target(1, 9, 8, vulnerable=True)
    assert lost(2, target) == {2: F(1)}
    assert af.mean(lost(2, target, Rulings(vulnerability="floor_1")), int) == F(3, 2)
    assert lost(2, target, Rulings(vulnerability="double")) == odds("3:1/2 4:1/2")
    assert af.suffered(2, replace(target, immune=True)) == 0


def test_a12_intervening_before_or_after_the_defence() -> None:
    """One sure HD of damage on armor d6: the ally's die fails 1/6, the armor's 2/3."""
    blow = Attack(0, bonus=1, penalty=0)
    target = Target(1, 9, 10, (Layer("armor", 6),))
    for rulings, p in ((BOOK, "1/9"), (Rulings(intervene="after"), "2/3")):
        dist = af.resolve(blow, target, [Ally(1)], rulings=rulings)
        struck = af.chance(dist, lambda end: end.damage == 1)
        gone = af.chance(dist, lambda end: end.damage == 1 and not end.layers)
        assert gone / struck == F(p)


def test_a24_several_allies_one_after_another() -> None:
    dist = af.helps(2, [Ally(1), Ally(1)])
    by_hand: dict[tuple[int, tuple[int | None, ...]], Fraction] = {}
    for a, b in product(range(1, 7), repeat=2):
        worth = {1: 0, 6: 2}
        left = 2 - worth.get(a, 1)
        burns: tuple[int | None, ...] = (0, None) if left == 0 else (0, 0)
        left = max(0, left - worth.get(b, 1)) if left else 0
        key = (left, burns)
        by_hand[key] = by_hand.get(key, F(0)) + F(1, 36)
    assert {tuple(end): p for end, p in dist.items()} == by_hand
    assert lost(1, Target(1, 9, 8, defending=True, resists=True))[1] == F(1, 2) * F(2, 3) ** 4


def test_a24_greater_of_defend_and_resistance() -> None:
    both = Target(1, 9, 8, defending=True, resists=True)
    assert lost(1, both, Rulings(stacking=False))[1] == F(1, 2) * F(2, 3) ** 2


def test_e0_one_roll_of_the_body_and_layers_give_way() -> None:
    """Capacity 2 on d10: 4/25, 12/25, 9/25 for 0, 1, 2; totals of 2 and 1 take what is left."""
    single = Rulings(layers="single", temp_hd="absorb")
    target = Target(3, 9, 10, (Layer("magical", 12, 2, 2), Layer("armor", 8, 2, 1)))
    dist = af.marginal(
        af.defences(4, target, rulings=single),
        lambda end: (end.through, tuple(layer.temp_hd for layer in end.layers)),
    )
    assert dist == {(1, ()): F(4, 25), (0, ()): F(12, 25), (0, (1,)): F(9, 25)}
    whole = af.defences(4, target, rulings=Rulings(layers="single"))
    assert {end.through: p for end, p in whole.items()} == odds("4:4/25 3:12/25 2:9/25")


def test_a14_which_dice_the_range_takes() -> None:
    far = Attack(2, 2, penalty=1)
    other = Rulings(penalty_takes="exertion")
    assert af.mean(af.hits(far), burn) == F(1, 3)
    assert af.mean(af.hits(far, rulings=other), burn) == F(1, 6)
    assert damages(far) == damages(far, other)


def test_a15_precise_weapons() -> None:
    spear = Attack(1, 1, required=2, precise=True)
    assert 1 - damages(spear)[0] == F(3, 4)
    assert damages(spear, Rulings(precise="literal")).get(0, 0) == 0
    assert af.threshold("Advanced", precise=True) == 2


def test_a16_rage() -> None:
    rage = replace(ORC, raging=True)
    for rulings, average in (
        (BOOK, "30895/7776"),
        (Rulings(rage="per_die"), "4"),
        (Rulings(rage="successes"), "863/216"),
    ):
        assert af.mean(af.hits(rage, rulings=rulings), damage) == F(average)


def test_af73_v26_rage_below_half() -> None:
    assert [af.is_below_half(hd, 7) for hd in (4, 3)] == [False, True]
    assert af.pools(ORC) == (2, 1)
    assert af.pools(replace(ORC, raging=True)) == (4, 1)


def test_a17_printed_pools_that_burn() -> None:
    safe = Rulings(npc_burn="none")
    assert af.chance(af.hits(ORC, rulings=safe), lambda h: h.burn > 0) == 0
    burning = Rulings(npc_burn="remainder")
    assert af.chance(af.hits(ORC, rulings=burning), lambda h: h.burn > 0) == F(1, 6)
    assert damages(ORC) == damages(ORC, burning)


def test_a17_the_reckless_exert_beyond_what_is_printed() -> None:
    reckless = Rulings(npc_burn="reckless")
    assert af.pools(replace(ORC, exertion=2), reckless) == (2, 3)
    assert af.pools(replace(ORC, exertion=2), Rulings(npc_burn="none")) == (3, 0)


def test_a21_temporary_hit_dice_lie_outermost_or_innermost() -> None:
    worn = [af.Layer(kind, 8) for kind in ("armor", "temporary", "shield", "magical")]
    kinds = [layer.kind for layer in af.outermost_first(worn)]
    assert kinds == ["temporary", "magical", "shield", "armor"]
    inner = af.outermost_first(worn, Rulings(temporary="inner"))
    assert [layer.kind for layer in inner] == ["magical", "shield", "armor", "temporary"]


def test_af6_af75_an_area_adds_damage_or_spreads() -> None:
    blast = Attack(2, base=4, area=True)
    assert hit(blast, (6, 6)).damage == 6
    assert hit(blast, (6, 6), Rulings(area="spread")).damage == 4


def test_af70_extreme_range_begins_beyond_the_weapons_long_range() -> None:
    found = [af.range_penalty(yards, extreme_to=60, long_to=40) for yards in (30, 40, 41, 61)]
    assert found == [0, 1, 2, None]


def test_af12_affinity_dice_burn_or_not() -> None:
    lent = replace(LIGHT, affinity=1)
    assert af.pools(lent) == (1, 1)
    assert af.pools(lent, Rulings(affinity="safe")) == (2, 0)


def test_a18_burn_at_once_stops_the_blow() -> None:
    now = Rulings(burn_timing="immediately")
    last = replace(LIGHT, exertion=1, hd=1)
    assert hit(last, (5, 1), now) == (1, 0, 1)
    assert hit(replace(last, hd=2), (5, 1), now) == (1, 1, 1)


def test_a19_rush_readings() -> None:
    big = af.Rusher(3, 5, 6, exertion=3)
    faces = (6, 6, 1, 1, 2, 3)
    for rulings, hd in (
        (Rulings(), 6 - 1),
        (Rulings(rush_cap="none"), 5 + 6 - 1),
        (Rulings(rush_cap="proficiency"), 6 - 1),
        (Rulings(rush_order="burn_first"), 6),
        (Rulings(rush_order="burn_first", rush_cap="none"), 5 - 1 + 6),
    ):
        assert only(af.rushes(big, shown(faces), rulings)) == (hd, 4)
    roomy = replace(big, hd_max=99)
    assert only(af.rushes(roomy, shown(faces), Rulings(rush_cap="proficiency"))) == (7, 4)
    assert net(roomy, Rulings(rush="fixed")) == {3: F(1)}


def test_a22_healing_dice() -> None:
    assert af.mean(af.healed(2), int) == 7
    assert af.healed(2, by_sum=False) == {2: F(1)}


# ------------------------------------------------------------------ Resolve


@pytest.mark.parametrize(
    ("proficiency", "resolve", "core", "late"),
    [(5, 3, 3, 2), (5, 2, 2, 2), (5, 1, 2, 1), (3, 2, 1, 1), (1, 0, 1, 1), (3, 4, 2, 2)],
)
def test_af32_low_resolve_costs_dice(proficiency: int, resolve: int, core: int, late: int) -> None:
    target = Target(proficiency, 9, resolve=resolve)
    assert af.layer_capacity(target) == core
    assert af.layer_capacity(target, Rulings(resolve_stages="late")) == late


@pytest.mark.parametrize(
    ("tier", "resolve", "core", "late"),
    [
        ("Basic", 4, 0, 0), ("Basic", 3, 1, 0), ("Basic", 1, 1, 0), ("Advanced", 3, 1, 0),
        ("Advanced", 2, 1, 1),
    ],
)  # fmt: skip
def test_af53_low_resolve_asks_for_more(tier: str, resolve: int, core: int, late: int) -> None:
    attack = Attack(2, tier=tier, resolve=resolve)
    assert af.is_harder(attack) == core
    assert af.is_harder(attack, Rulings(resolve_stages="late")) == late
    assert not af.is_harder(Attack(2, tier=tier))


def test_af52_what_strains_the_attacker() -> None:
    def strained(hit: Hit, attack: Attack, rulings: Rulings = BOOK) -> bool:
        return af.is_strained(attack, hit, level=5, rulings=rulings)

    plain = Attack(3, 1, hd=9, resolve=5)
    assert not strained(Hit(3, 3, 0), plain)
    assert not strained(Hit(0, 0, 1), plain)
    assert strained(Hit(0, 0, 1), replace(plain, tier="Expert", required=3))
    assert strained(Hit(3, 3, 1), replace(plain, hd=1))
    assert not strained(Hit(3, 3, 0), replace(plain, exertion=3))
    assert strained(Hit(3, 3, 0), replace(plain, exertion=3), Rulings(resolve_stages="late"))
    assert not strained(Hit(0, 0, 1), replace(plain, hd=1, resolve=None))


def test_af54_hits_at_no_hd_shake() -> None:
    """Nothing is left to roll with; a check instead of a loss, and death at -5."""
    dying = Target(2, 0, 10, resolve=-4)
    dist = af.resolve(Attack(1, bonus=2, required=1), dying)
    struck = af.chance(dist, lambda end: end.damage > 0)
    assert struck == 1 - F(1, 6) ** 3
    assert {end.hd_lost for end in dist} == {0}
    died = af.chance(dist, lambda end: af.state(0, end.resolve) == "dead")
    assert died == struck * F(2, 3)
    safe = af.resolve(Attack(1, bonus=2), replace(dying, checked=True))
    assert {end.resolve for end in safe} == {-4}


def test_af52_when_resolve_is_checked() -> None:
    target = Target(2, 4)
    assert [af.needs_check(target, n) for n in (0, 2, 3, 4)] == [False, False, True, True]
    assert af.needs_check(Target(2, 2), 2)
    assert af.needs_check(Target(2, 9, lost=2), 1)
    assert not af.needs_check(Target(2, 9, lost=2, checked=True), 5)
    assert af.checks(5) == odds("4:2/3 5:1/3")
    assert af.checks(-1) == odds("-2:2/3 -1:1/6 0:1/6")


# ------------------------------------------------------------------ whole attacks


def test_af9_whole_attack_adds_up_by_hand() -> None:
    """A sure heavy blow against one layer: what the attack deals is what the layers meet."""
    attack = Attack(2, 1, required=1, base=1)
    target = Target(1, 2, 10, (Layer("magical", 12), Layer("armor", 8)))
    by_hand: dict[tuple[int, int, int], Fraction] = {}
    for p1, p2, x, barrier, armor, body in product(
        range(1, 7), range(1, 7), range(1, 7), range(1, 13), range(1, 9), range(1, 11)
    ):
        n = sum((face > 1) + (face == 6) for face in (p1, p2, x))
        left = 1 + min(n - 1, 2) if n else 0
        kept, lost_hd = 2, 0
        for face in (barrier, armor):
            if left:
                left = max(0, left - (face > 4))
                kept -= left > 0
        if left:
            lost_hd = min(2, max(0, left - (body > 4)))
        key = (lost_hd, int(x == 1), kept)
        by_hand[key] = by_hand.get(key, F(0)) + F(1, 216 * 960)
    dist = af.resolve(attack, target)
    assert af.marginal(dist, lambda end: (end.hd_lost, end.burn, len(end.layers))) == by_hand
