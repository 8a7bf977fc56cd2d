"""Places and faces that come to the same: all numbers are what they are without any hint."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple, cast

import pytest

from affray.core.dice import D100, Pool
from affray.core.hints import Hints
from affray.core.node import At
from affray.core.reading import enumerated
from affray.core.ruling import Rulings
from affray.core.unknown import UNKNOWN, Parts, filled
from affray.engine.exchange.best import solve
from affray.engine.exchange.game import Game
from affray.engine.exchange.odds import outcomes
from affray.systems.eclipse_phase.alike import AlikeRead, PairRead, settled
from affray.systems.eclipse_phase.blast import Area
from affray.systems.eclipse_phase.hints import HARM, HINTS
from affray.systems.eclipse_phase.opposed import tie_goes_to
from affray.systems.eclipse_phase.reading import (
    HELD,
    LOST,
    DefenseRead,
    Zero,
    face_results,
    flipped,
    strength,
)
from affray.systems.eclipse_phase.reading import TestRead as ReadOfTest
from affray.systems.eclipse_phase.sheet import Setup
from affray.systems.eclipse_phase.state import MISSED, Exchange

from .factory import (
    BLOW,
    SHOT,
    SYSTEM,
    answered,
    blade,
    game,
    objective,
    pistol,
    ready,
    shooter,
    shot,
    target,
    victim,
)

BARE = SYSTEM.with_hints(Hints())
PERCENT = Pool((D100, 1))
PLAIN = {"choose_called_shot": ("none",), "choose_style": ("plain",), "choose_defence": ("fray",)}


class Case(NamedTuple):
    """An exchange, what is wanted, and what is asked."""

    setup: Setup
    goal: str
    fields: tuple[str, ...]
    rulings: Mapping[str, str] = {}
    settled: Mapping[str, tuple[str, ...]] = {}


STRIKE = replace(BLOW, attacker=shooter(melee=34))
FIRE = replace(SHOT, attacker=shooter(guns=34))
"""Rolls that succeed plainly, critically and superiorly: the fewer they are, the fewer places."""
SEMI = pistol(modes=("semi",))
FRAIL = victim(vigor=1, kinetic=4, wound_threshold=4, durability=20)
HEAVY = blade(d10=1, flat=9)
"""One to three wounds at a blow."""
SMALL = blade(d10=0, d6=1, flat=2)
NET = frozenset({"net"})
CASES = {
    "points after both rolls": Case(
        replace(SHOT, attacker=shooter(flex=1), defender=target(threat=1), weapon=SEMI),
        "damage", ("net", "spent"),
    ),
    "more points than two rolls take": Case(
        replace(SHOT, attacker=shooter(guns=62, flex=2, insight=1), weapon=SEMI,
                defender=target(threat=3, flex=1)),
        "damage", ("net_all",),
    ),
    "numbers out of reach": Case(
        replace(SHOT, attacker=shooter(guns=99, flex=1), attacker_modifier=-5,
                defender=target(fray=20), defender_modifier=-60, weapon=pistol(d10=0, flat=9)),
        "damage", ("net",), {}, {"spend_after_attack": ("none",)},
    ),
    "more points than a blow takes, and how many are left": Case(
        replace(STRIKE, attacker=shooter(melee=34, vigor=2, flex=1), weapon=SMALL), "damage",
        ("attacker_pools", "net"), {}, {"spend_before_attack": ("none",)},
    ),
    "points, and equal rolls cancel out": Case(
        replace(BLOW, attacker=shooter(flex=1)),
        "hit", ("defense_critical", "deadlock"), {"ties": "deadlock"},
    ),
    "a fumble that is told": Case(
        replace(SHOT, attacker=shooter(flex=1), weapon=SEMI),
        "damage", ("failures", "fumble"), {"superior_failure": "told"},
    ),
    "points on checks": Case(
        replace(STRIKE, defender=FRAIL, weapon=HEAVY), "disable", ("prone", "target_pools"),
    ),
    "points on checks, fresh wounds don't count": Case(
        replace(STRIKE, defender=FRAIL, weapon=HEAVY), "wound", ("all_wounds", "unconscious"),
        {"fresh_wound": "earlier"},
    ),
    "bleeding goes on": Case(
        replace(STRIKE, defender=replace(FRAIL, damage=10), weapon=blade(d10=0, flat=14)),
        "kill", ("dead", "bleeding"), {"bleeding": "each"}, {"spend_before_defence": ("none",)},
    ),
    "a stunning blow": Case(
        replace(STRIKE, defender=FRAIL, weapon=blade(d10=1, traits=("stun", "knockdown"))),
        "survive", ("conditions",), {}, {"spend_before_defence": ("none",)},
    ),
    "disarmed": Case(
        replace(STRIKE, defender=FRAIL, weapon=blade(d10=1, flat=4)), "damage",
        ("effect", "disarmed"), {}, {"choose_called_shot": ("disarm",)},
    ),
    "disarmed in melee, one of two targets": Case(
        replace(STRIKE, others=(replace(FRAIL, vigor=0),), weapon=SMALL),
        "damage", ("effect", "net_all"), {"called_several": "melee"},
        {"choose_called_shot": ("disarm",), "spend_on_check": ("none",)},
    ),
    "two targets": Case(
        replace(FIRE, defender=target(kinetic=4, flex=1), others=(replace(FRAIL, vigor=0),),
                weapon=pistol(modes=("burst",), d10=1)),
        "wounds", ("net_all", "hit_2"),
    ),
    "two targets in melee, one of them small": Case(
        replace(BLOW, defender=target(flex=1), others=(target(size="small"),), weapon=SMALL),
        "damage", ("hits", "superior"),
    ),
    "a shared pool": Case(
        replace(
            FIRE, weapon=pistol(modes=("burst",), d10=0, flat=9),
            defender=victim(threat=1, threat_group="pack"),
            others=(victim(threat=1, threat_group="pack", wound_threshold=20, durability=60),),
        ),
        "wounds", ("net_2", "target_pools"), {},
        {"spend_after_defence": ("none",), "spend_on_check": ("none",)},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_hints_change_neither_values_nor_odds(case: Case) -> None:
    found = []
    for system in (SYSTEM, BARE):
        rulings = Rulings.pick(system.rulings, dict(case.rulings))
        game = Game(system, system.declared(case.setup, rulings), {**PLAIN, **case.settled})
        solution = solve(game, objective(case.goal))
        odds = outcomes(game, case.fields, decide=solution.decide).fractions()
        found.append((solution.value, odds))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("step", "case"),
    [
        ("spend_before_defence", "more points than two rolls take"),
        ("roll_attack", "numbers out of reach"),
        ("roll_defence", "points after both rolls"),
        ("compare_rolls", "two targets"),
        ("apply_damage", "two targets"),
        ("call_for_check", "points on checks"),
    ],
)
def test_each_place_that_is_made_plainer_leaves_fewer_places(step: str, case: str) -> None:
    setup, goal, _, rulings, settled = CASES[case]
    rarely = {place: made for place, made in SYSTEM.hints.plain.items() if place.name != step}
    assert len(rarely) == len(SYSTEM.hints.plain) - 1
    found = []
    for hints in (SYSTEM.hints, replace(SYSTEM.hints, plain=rarely)):
        system = SYSTEM.with_hints(hints)
        start = system.declared(setup, Rulings.pick(system.rulings, dict(rulings)))
        solution = solve(Game(system, start, {**PLAIN, **settled}), objective(goal))
        found.append((solution.value, len(solution._kernel)))
    assert found[0][0] == found[1][0]
    assert found[0][1] < found[1][1]


@pytest.mark.parametrize(
    ("step", "faces"), [("spend_before_attack", ()), ("spend_after_attack", (34,))]
)
def test_points_on_an_attack_are_the_same_however_tough_the_target_is(
    step: str, faces: tuple[int, ...]
) -> None:
    """Where only the damage counts that gets through; whether it kills is another question."""
    (place,) = (place for place in HINTS.plain if place.name == step)
    whole = []
    for durability in (35, 40):
        setup = shot(attacker=shooter(flex=1), defender=victim(durability=durability))
        session = answered(game(setup, {}, step), *faces)
        assert session.here.step is place
        facts = session.here.facts
        assert isinstance(facts, Exchange)
        whole.append(facts)
    plain, fate = (
        [HINTS.plain[place](x, wanted) for x in whole]
        for wanted in (frozenset({"net"}), frozenset({"dead"}))
    )
    assert plain[0] == plain[1]
    assert fate[0] != fate[1]


@pytest.mark.parametrize(
    ("step", "faces"), [("spend_before_attack", ()), ("spend_after_attack", (34,))]
)
def test_points_stay_where_they_are_asked_for_or_a_move_is_to_come(
    step: str, faces: tuple[int, ...]
) -> None:
    (place,) = (place for place in HINTS.plain if place.name == step)
    setup = shot(attacker=shooter(flex=2), defender=victim(flex=3))
    x = answered(game(setup, {}, step), *faces).here.facts
    assert isinstance(x, Exchange)
    asked = (
        (NET, x), (NET | {"attacker_pools"}, x), (NET | {"target_pools"}, x),
        (NET, x._replace(rest=(4, 0))),
    )  # fmt: skip
    left = [HINTS.plain[place](facts, needed) for needed, facts in asked]
    pools = [(dict(one.numbers.pools)["flex"], dict(one.targets[0].pools)["flex"]) for one in left]
    assert pools == [(1, 1), (2, 1), (1, 3), (2, 3)]


def test_ep18_checks_stay_where_the_points_that_they_take_count() -> None:
    """A wound calls for a check; whoever asks for the damage alone need not wait for it."""
    setup = shot(weapon=pistol(d10=0, flat=7), defender=victim(vigor=1))
    session = answered(game(setup, {}, "call_for_check"), 20, 98)
    (place,) = (place for place in HINTS.plain if place.name == "call_for_check")
    facts = session.here.facts
    assert session.here.step is place
    assert isinstance(facts, Exchange)
    left = [HINTS.plain[place](facts, frozenset(needed)) for needed in (
        {"net"}, {"net", "target_pools"},
    )]  # fmt: skip
    assert [len(x.checks) for x in left] == [0, len(facts.checks)]
    assert [bool(x.targets[0].pools) for x in left] == [False, True]


@pytest.mark.parametrize("called", ["fray", "unable"])
def test_ep39_who_is_unable_to_defend_is_told_from_others(called: str) -> None:
    """Not by the skill with which somebody defends, where no point helps; but by having none."""
    (place,) = (place for place in HINTS.plain if place.name == "spend_before_attack")
    session = answered(game(shot(attacker=shooter(flex=1)), {}, "spend_before_attack"))
    x = session.here.facts
    assert isinstance(x, Exchange)
    found = [
        HINTS.plain[place](x._replace(targets=(x.targets[0]._replace(skill=skill),)), NET)
        for skill in ("melee", called)
    ]
    assert (found[0] == found[1]) == (called == "fray")


@pytest.mark.parametrize("goal", ["hit", "unhurt", "disable", "survive"])
def test_every_open_point_is_followed_to_few_places(goal: str) -> None:
    setup = replace(
        SHOT,
        attacker=shooter(flex=1, vigor=2, insight=1),
        defender=replace(FRAIL, threat=2, vigor=0),
    )
    solution = solve(Game(SYSTEM, SYSTEM.declared(setup)), objective(goal))
    assert solution.value >= 0
    assert len(solution._kernel) < 60_000  # over three million without hints


def test_ep20_no_point_lifts_a_defense_above_its_number() -> None:
    setup = replace(SHOT, attacker=shooter(flex=1), defender=target(threat=1), weapon=SEMI)
    shown = replace(SYSTEM.hints, decides={"damage": ("net_all", "attack_roll")})
    found = []
    for hints in (SYSTEM.hints, shown, Hints()):
        system = SYSTEM.with_hints(hints)
        solution = solve(Game(system, system.declared(setup), PLAIN), objective("damage"))
        found.append((solution.value, len(solution._kernel)))
    assert len({value for value, _ in found}) == 1
    assert found[0][1] < found[1][1] < found[2][1]


REACHES = (-25, -1, 0, 40, 98, 99, 120)
"""Target numbers on the die, and beyond its ends."""


@pytest.mark.parametrize("ours", REACHES)
@pytest.mark.parametrize("zero", ["", "ordinary", "may_fail"])
def test_ep56_numbers_beyond_the_die_are_one_but_for_ties(ours: int, zero: Zero) -> None:
    """Every face comes to the same, and a tie is won by the same side."""
    x = ready(replace(SHOT, defender=target(flex=1)), {"ties": "higher_skill"})
    for theirs in REACHES:
        attack = x.numbers._replace(tn=ours, zero=zero)
        defended = x.targets[0]._replace(tn=theirs, zero=zero)
        numbers, against = settled(attack, defended)
        assert against.tn is not None
        assert face_results(numbers.tn, zero) == face_results(ours, zero)
        assert face_results(against.tn, zero) == face_results(theirs, zero)
        rolled = face_results(60)[55]
        before, after = x._replace(attack=attack), x._replace(attack=numbers)
        assert tie_goes_to(after, against, rolled) == tie_goes_to(before, defended, rolled)
        assert settled(numbers, against) == (numbers, against)
    low, lower = (settled(x.numbers._replace(tn=tn), x.targets[0]) for tn in (-25, -5))
    assert low == lower


def test_numbers_stay_where_more_than_one_roll_is_compared_with_them() -> None:
    (place,) = (place for place in HINTS.plain if place.name == "roll_attack")
    plain = HINTS.plain[place]
    one = ready(replace(SHOT, attacker=shooter(flex=1)))
    shifted = one._replace(targets=(one.targets[0]._replace(shift=10),))
    several = one._replace(targets=one.targets * 2)
    later = one._replace(struck=(MISSED,))
    spread = one._replace(attack=one.numbers._replace(area=Area("uniform")))
    assert plain(one, NET) != one
    assert plain(one, NET | {"attack_roll"}) is one
    for other in (shifted, several, later, spread):
        assert plain(other, NET) is other


@pytest.mark.parametrize("tn", [-5, 0, 30, 66, 98])
@pytest.mark.parametrize("flips", [True, False])
def test_ep20_alike_faces_compare_alike_kept_and_flipped(tn: int, flips: bool) -> None:
    for verdict in (
        ReadOfTest(tn, detail="pass"),
        ReadOfTest(tn, detail="rank", beyond=40),
        DefenseRead(tn, "", 45, "attack"),
    ):
        read = AlikeRead(ReadOfTest(tn), verdict, flips)
        assert read.counted(PERCENT) == enumerated(PERCENT, read)
        for face in range(100):
            other = read((face,)).face
            assert verdict((other,)) == verdict((face,))
            if flips:
                assert verdict((flipped(other),)) == verdict((flipped(face),))


@pytest.mark.parametrize("tn", [-5, 0, 30, 66, 98])
@pytest.mark.parametrize("against", [1, 30, 60, 256])
def test_ep20_a_pair_holds_kept_and_flipped_as_its_face_does(tn: int, against: int) -> None:
    verdict = DefenseRead(tn, "", against, "defense", False)
    read = PairRead(verdict, True)
    assert read.counted(PERCENT) == enumerated(PERCENT, read)
    for face in range(100):
        stands = read((face,))
        if flipped(face) == face:
            assert stands == verdict((face,))
            continue
        pair = [verdict((face,)), verdict((flipped(face),))]
        # 50 is the attack roll that stands for all others; no double among the four defenses
        shown = [stands.face, flipped(stands.face)]
        assert pair == [HELD if one > 50 else LOST for one in shown]
        assert strength(stands) == stands.face + 1


@pytest.mark.parametrize("case", ["more points than two rolls take", "points on checks"])
def test_decisions_about_damage_are_known_where_an_exchange_goes_on(case: str) -> None:
    """A fight follows the same exchange with more facts; it finds them among those solved."""
    setup, _, _, rulings, settled = CASES[case]
    start = SYSTEM.declared(setup, Rulings.pick(SYSTEM.rulings, dict(rulings)))
    game = Game(SYSTEM, start, {**PLAIN, **settled, "spend_after_defence": ("none",)})
    solution = solve(game, objective("damage"))
    assert solution.value
    n_known = solution.followed
    outcomes(game, ("net", "prone", "target_pools", "attacker_pools"), decide=solution.decide)
    assert solution.followed == n_known


# -- what a hit will do, which nothing looks at before it has hit ----------------------------------

HARMS: dict[str, object] = {
    "called": "disarm", "weapon_d10": 1, "weapon_d6": 1, "weapon_flat": 3, "d10": 1, "d6": 1,
    "minus": 1, "half_ammo": True, "half_small": True, "tiny": True, "no_damage": True, "times": 2,
}  # fmt: skip


BEFORE_A_HIT = {
    "roll_attack": (), "spend_after_attack": (85,), "roll_defence": (35,),
    "spend_after_defence": (35, 40),
}  # fmt: skip
"""The faces that lead there, if both keep their points till then."""


@pytest.mark.parametrize("before", BEFORE_A_HIT)
def test_what_comes_before_a_hit_is_followed_once_whatever_a_hit_does(
    before: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: Counter[str] = Counter()
    for place in HINTS.defers:
        monkeypatch.setattr(place, "rule", _counted(place, asked))
    setup = replace(SHOT, attacker=shooter(flex=1), defender=target(threat=1))
    asks = [before] if before.startswith("spend") else []
    here: At[Any] = answered(game(setup, {}, *asks), *BEFORE_A_HIT[before]).here
    assert here.step.name == before
    settled = {**PLAIN, "spend_on_check": ("none",)}
    worths = []
    for system in (SYSTEM, SYSTEM.with_hints(replace(SYSTEM.hints, defers={}))):
        asked.clear()
        solution = solve(Game(system, here, settled), objective("damage"))
        found, rolls = {"": solution.value}, [asked.total()]
        for name, changed in HARMS.items():
            attack = here.facts.numbers._replace(**{name: changed})
            assert attack != here.facts.numbers
            x = here.facts._replace(attack=attack)
            found[name] = solution.value_at(At(here.step, x))
            rolls.append(asked.total())
        worths.append(found)
        assert (len(set(rolls)) == 1) == (system is SYSTEM)
        assert rolls[0] > 0
    deferred, plain = worths
    assert deferred == plain
    assert plain["no_damage"] < plain["half_ammo"] < plain[""] < plain["d6"] < plain["d10"]


@pytest.mark.parametrize("before", [name for name in BEFORE_A_HIT if name != "spend_after_defence"])
def test_places_before_a_hit_are_made_plain_whatever_a_hit_does(before: str) -> None:
    asks = [before] if before.startswith("spend") else []
    setup = replace(SHOT, attacker=shooter(flex=1), defender=target(threat=1))
    step, x = cast("At[Exchange]", answered(game(setup, {}, *asks), *BEFORE_A_HIT[before]).here)
    parts = Parts(HARM, tuple([getattr(x.numbers, name) for name in HARM]))
    put_off: Any = dict.fromkeys(HARM, UNKNOWN)
    bare = x._replace(attack=x.numbers._replace(**put_off))
    plain = HINTS.plain[step]
    assert filled(plain(bare, NET), parts) == plain(x, NET) != x


@pytest.mark.parametrize(("face", "same"), [(20, True), (35, False), (33, False)])
def test_a_called_shot_counts_before_a_defense_if_it_takes_effect(face: int, same: bool) -> None:
    """It takes a superior or critical success; 20 is neither."""
    here = cast("At[Exchange]", answered(game(SHOT), face).here)
    assert here.step.name == "roll_defence"
    plain = HINTS.plain[here.step]
    aimed, usual = (
        plain(here.facts._replace(attack=here.facts.numbers._replace(called=called)), NET)
        for called in ("disarm", "none")
    )
    assert (aimed == usual) == same


def _counted(place: Any, asked: Counter[str]) -> Any:
    """The rule of a step, which notes that it is asked."""
    rule = place.rule

    def counted(x: Exchange) -> Any:
        asked[place.name] += 1
        return rule(x)

    return counted
