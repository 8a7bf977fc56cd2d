"""Modifiers, difficulties and checks against the oracle, in situations drawn with a seed."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from affray.core.reading import distribution
from affray.core.ruling import Rulings
from affray.systems.emlia.gear import CHECKS as CHECKS_OF
from affray.systems.emlia.gear import Skill, Weapon
from affray.systems.emlia.hints import Canceled
from affray.systems.emlia.numbers import checks_of, disengagement
from affray.systems.emlia.parties import terms_of
from affray.systems.emlia.reading import counted_of, pool_of, tally_of
from affray.systems.emlia.rulings import RULINGS
from affray.systems.emlia.sheet import Contact, Other, OwnAction, Setup, Unit
from affray.systems.emlia.state import Decisions, status_of
from affray.systems.emlia.strength import inputs_of
from tests.oracles import emlia as oracle

CHECKS = (
    "d10_6_cancel", "d6_4", "d12_7", "d20_11", "d10_6_nocancel", "botch", "half", "none",
)  # fmt: skip
BOW = Weapon(name="bow", skill="aimed_fire", short=10, medium=20, longest=40)
BANDS = {"short": 10, "medium": 11, "long": 21}
COVERS = ("none", "partial", "total")


def _unit(name: str, members: int, **changes: Any) -> Unit:
    skills = (Skill(skill="close_combat", level=4), Skill(skill="aimed_fire", level=4))
    return Unit(name=name, members=members, skills=skills, **changes)


def _number(setup: Setup, picks: dict[str, str], focus: int | None = None) -> int:
    """The difficulty that the room comes to."""
    rulings = Rulings.pick(RULINGS, picks)
    terms = terms_of(setup, rulings)
    statuses = tuple(status_of(party.troop, rulings) for party in terms.troops)
    decided = Decisions(action=OwnAction(setup.action), focus=focus)
    return checks_of(terms, decided, inputs_of(terms, statuses, decided))[0].difficulty


def _readings(rng: Random) -> dict[str, Any]:
    return {
        "check": rng.choice(CHECKS),
        "clamp": rng.choice(("sides", "open")),
        "stack_rows": rng.choice(("cumulative", "highest")),
        "support_skirmish": rng.choice(("replaces", "adds")),
        "focus_skirmish": rng.choice(("adds", "replaces")),
        "focus_penalty": rng.choice(("once", "both")),
        "rank_stack": rng.choice(("add", "worst")),
        "multi_front_count": rng.choice(("beyond_first", "all")),
        "focus_merge": rng.choice(("yes", "no")),
        "focus_cap": rng.choice(("after", "inside")),
    }


def _mixed(groups: list[tuple[int, int]], picks: dict[str, Any], **more: Any) -> int:
    return oracle.mixed_difficulty(
        groups, more.pop("focus", None), rule=picks["check"], clamp=picks["clamp"],
        focus_merge=picks["focus_merge"], focus_cap=picks["focus_cap"],
        focus_penalty=picks["focus_penalty"], **more,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(150))
def test_em32_close_combat_has_the_modifiers_of_brute_force(seed: int) -> None:
    rng = Random(seed)
    picks = _readings(rng)
    n_own = rng.choice((1, 5, 10, 20, 21, 30, 31))
    own_high, charged, double = rng.choice((0, 1)), rng.random() < 0.4, rng.random() < 0.3
    rough = rng.random() < 0.3
    drawn = [
        (rng.choice((1, 3, 6, 8, 10)), rng.choice(COVERS), rng.choice(COVERS), rng.choice((0, 1)),
         rng.choice((-2, 0, 0, 1)))
        for _ in range(rng.choice((1, 1, 2, 3)))
    ]  # fmt: skip
    whole = sum(row[0] for row in drawn)
    focus = rng.randrange(len(drawn)) if len(drawn) > 1 and rng.random() < 0.6 else None
    groups = []
    for members, hidden, cover, high, shift in drawn:
        rows = oracle.rows_cc(
            attackers=n_own, subject=whole, concealment=hidden, cover=cover, rough=rough,  # type: ignore[arg-type]
            charged=charged, double_pace=double, target_elev=high > own_high,
            elev_over=own_high > high, stack_rows=picks["stack_rows"],
        )  # fmt: skip
        groups.append((members, sum(rows.values()) + shift))
    units = [
        _unit(f"U{n}", members, concealment=hidden, cover=cover, elevation=high, to_hit=shift)
        for n, (members, hidden, cover, high, shift) in enumerate(drawn)
    ]
    made = Setup(
        attacker=_unit("A", n_own, elevation=own_high, charged=charged, rough=rough,
                       double_paced=double),
        defender=units[0],
        others=tuple(Other(who=unit) for unit in units[1:]),
        action="close_combat",
    )  # fmt: skip
    want = _mixed(groups, picks, focus=focus, table=1)
    assert _number(made, picks, None if focus is None else focus + 1) == want


@pytest.mark.parametrize("seed", range(150))
def test_em30_aimed_fire_has_the_modifiers_of_brute_force(seed: int) -> None:
    """With Supporting Fire or without; into a skirmish, ranked combat, or at a free unit."""
    rng = Random(seed)
    picks = _readings(rng)
    support = rng.random() < 0.6
    skirmish = support and rng.random() < 0.5
    band = rng.choice(("short", "medium", "long"))
    pace = rng.choice(("none", "forfeit", "double"))
    high = rng.choice((0, 1))
    drawn = [
        (rng.choice((1, 2, 9, 18, 20)), rng.choice(COVERS), rng.choice(("none", "partial")),
         rng.random() < 0.2)
        for _ in range(rng.choice((1, 2, 3)))
    ]  # fmt: skip
    whole = sum(row[0] for row in drawn)
    friends = rng.choice((1, 10, 20, 21, 40, 100))
    focus = rng.randrange(len(drawn)) if len(drawn) > 1 and rng.random() < 0.6 else None
    groups, table = [], 0
    for members, hidden, cover, unaware in drawn:
        rows = oracle.rows_aim(
            band=band, concealment=hidden, cover=cover, forfeit_move=pace == "forfeit",  # type: ignore[arg-type]
            elev_over=bool(high), unaware=unaware, double_pace=pace == "double", support=support,
            in_skirmish=skirmish, friends=friends if support else 0, enemies=whole,
            focus=focus is not None, target=drawn[focus][0] if focus is not None else 0,
            stack_rows=picks["stack_rows"], support_skirmish=picks["support_skirmish"],
            focus_skirmish=picks["focus_skirmish"],
        )  # fmt: skip
        table = -sum(n for name, n in rows.items() if name in {"focus", "focus_skirmish"})
        groups.append((members, sum(rows.values()) + table))
    units = [
        _unit(f"U{n}", members, concealment=hidden, cover=cover, unaware=unaware)
        for n, (members, hidden, cover, unaware) in enumerate(drawn)
    ]
    others = [Other(who=unit, body=True) for unit in units[1:]]
    if support:
        others.append(Other(who=_unit("F", friends), side="friend"))
    made = Setup(
        attacker=_unit("A", 7, weapons=(BOW,), elevation=high),
        defender=units[0], others=tuple(others), distance=BANDS[band], move=pace,  # type: ignore[arg-type]
        combat="skirmish" if skirmish else "ranked" if support else "none",
        action="supporting_fire" if support else "aimed_fire",
    )  # fmt: skip
    want = _mixed(groups, picks, focus=focus, table=table)
    assert _number(made, picks, None if focus is None else focus + 1) == want


@pytest.mark.parametrize("seed", range(60))
def test_em23_ranked_combat_has_the_modifiers_of_brute_force(seed: int) -> None:
    rng = Random(seed)
    picks = _readings(rng)
    side, own_side = rng.choice(("front", "flank", "rear")), rng.choice(("front", "flank", "rear"))
    fronts, own_fronts = rng.randint(1, 4), rng.randint(1, 4)
    aligned = rng.random() < 0.4
    mine, theirs = rng.choice(("ranked", "close")), rng.choice(("ranked", "close"))
    shift = 0
    if mine == "ranked":
        shift += sum(oracle.rows_rank(side=own_side, fronts=own_fronts,  # type: ignore[arg-type]
                                      rank_stack=picks["rank_stack"]).values())  # fmt: skip
    if theirs == "ranked":
        count = "all" if picks["multi_front_count"] == "all" else "additional"
        shift += sum(oracle.rows_rank_enemy(
            side=side, fronts=fronts, rank_stack=picks["rank_stack"], multi_front_count=count,  # type: ignore[arg-type]
        ).values())  # fmt: skip
    shift -= aligned
    made = Setup(
        attacker=_unit("A", 10, formation=mine, aligned=aligned),
        defender=_unit("B", 10, formation=theirs),
        contact=Contact(side=side, own_side=own_side, fronts=fronts, own_fronts=own_fronts),  # type: ignore[arg-type]
        combat="ranked", engaged=True, action="close_combat",
    )  # fmt: skip
    assert _number(made, picks) == _mixed([(10, shift)], picks)


@pytest.mark.parametrize("seed", range(80))
def test_em36_disengage_has_the_modifiers_of_brute_force(seed: int) -> None:
    rng = Random(seed)
    picks = {"stack_rows": rng.choice(("cumulative", "highest"))}
    own, theirs = rng.choice((1, 5, 10, 20, 30)), rng.choice((1, 5, 10, 20, 30))
    hidden, cover = rng.choice(COVERS), rng.choice(COVERS)
    rough, charged = rng.random() < 0.5, rng.random() < 0.5
    rows = oracle.rows_dis(
        source=own, subject=theirs, concealment=hidden, cover=cover, rough=rough,  # type: ignore[arg-type]
        charged=charged, stack_rows=picks["stack_rows"],  # type: ignore[arg-type]
    )  # fmt: skip
    source = _unit("A", own, concealment=hidden, cover=cover, rough=rough, charged=charged)
    made = Setup(attacker=source, defender=_unit("B", theirs), engaged=True, action="disengage")
    rulings = Rulings.pick(RULINGS, picks)
    terms = terms_of(made, rulings)
    statuses = tuple(status_of(party.troop, rulings) for party in terms.troops)
    assert disengagement(terms, statuses, Decisions(action="disengage")).value == sum(rows.values())


@pytest.mark.parametrize("compare", ["at_least", "above"])
@pytest.mark.parametrize("clamp", ["sides", "open"])
@pytest.mark.parametrize("check", CHECKS)
def test_em4_checks_have_the_odds_of_brute_force(check: Any, clamp: Any, compare: Any) -> None:
    """Read as successes and ones, and at once as what they come to; up to four dice and 30."""
    die = oracle.SIDES[check]
    for shift in (-12, -3, 0, 2, 12):
        number = oracle.difficulty(shift, check, clamp=clamp)
        face = number + (compare == "above")
        for n_dice in (1, 2, 4, 30):
            want: dict[tuple[int, int], Fraction] = {}
            found = oracle.check_counted(n_dice, number, check, clamp=clamp, compare=compare)
            for result, p in found.items():
                key = (result.net, result.excess)
                want[key] = want.get(key, Fraction(0)) + p
            pool = pool_of(die, n_dice)
            ones = CHECKS_OF[check].ones
            fewest = distribution(pool, Canceled(ones, face, die, fumbles=True)).fractions()
            assert {tuple(counted_of(ones, key, n_dice)): p for key, p in fewest.items()} == want
            blind = distribution(pool, Canceled(ones, face, die)).fractions()
            successes = {n: sum(p for key, p in want.items() if key[0] == n) for n, _ in want}
            assert blind == {(n, 0): p for n, p in successes.items()}
            tallies = distribution(pool, tally_of(face, die)).fractions()
            got: dict[tuple[int, int], Fraction] = {}
            for tally, p in tallies.items():
                came = counted_of(CHECKS_OF[check].ones, (tally[0], tally[1]), n_dice)
                key = (came.net, came.excess)
                got[key] = got.get(key, Fraction(0)) + p
            assert got == want
