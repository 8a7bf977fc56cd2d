"""Lairs and phases of the environment: harm at counts of initiative, amid the turns of a fight."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from affray.core.errors import SetupError
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.course import Befallen, FighterId
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import solve_exactly
from affray.engine.fight.plans import Plan
from affray.engine.fight.played.play import play_battle
from affray.engine.fight.played.session import FightSession
from affray.engine.fight.sampled.battle import Battle
from affray.systems.affinity.sheet import Affliction, Combatant, Hazard, Setup

from .factory import STRIKER, SYSTEM, held_to

F = Fraction
STONES = Hazard(name="falling stones", count=12, damage=1)
GALE = Hazard(
    name="a gale", count=20, moves_yd=10, conditions=(Affliction(name="slow", move="half"),)
)
HUNTER = replace(STRIKER, name="hunter", hd=1, hd_max=1, universal=())
BEAST = replace(HUNTER, name="beast", hd_die=8, lair=(STONES,))
TAME = Combatant(name="beast", hd=1, hd_max=1, universal=(), lair=(STONES,))
SAFE = Plan("free", (("choose_exertion", ("0",)),))
HUNTERS, BEASTS = FighterId(0, 0), FighterId(1, 0)


def lair(*beasts: Combatant, first: str | None = None, **rulings: str) -> Contest:
    sides = (
        Side("hunters", (HUNTER,), Setup(attacker=HUNTER, defender=beasts[0]), plan=SAFE),
        Side("beasts", beasts, Setup(attacker=beasts[0], defender=HUNTER), plan=SAFE),
    )
    return Contest(SYSTEM, sides, held_to(rulings), first=first)  # type: ignore[arg-type]


def hunted(phase_ties: str) -> Fraction:
    """The chance of the hunter, by plain arithmetic.

    A blow does one point with 2/3 and two with 1/6; the beast's d8 cancels one with 1/2, so that
    two blows kill it with 3/4; the hunter's d10 with 3/5, so that one kills her with 13/30. Stones
    kill her with 2/5. Initiative is 3d6, then the highest die, then a coin.
    """
    speeds = Counter((sum(faces), max(faces)) for faces in product(range(1, 7), repeat=3))
    late = phase_ties == "after"
    total = F(0)
    for (mine, m), (theirs, n) in product(speeds.items(), repeat=2):
        values = {"hunter": mine[0], "beast": theirs[0]}
        orders = [["hunter", "beast"], ["beast", "hunter"]]
        if mine != theirs:
            orders = [orders[mine < theirs]]
        won = on = F(0)
        for order in orders:
            early = [who for who in order if values[who] >= 12 + (not late)]
            one, other = one_round([*early, "stones", *order[len(early) :]])
            won, on = won + one / len(orders), on + other / len(orders)
        total += m * n * won / (1 - on)
    return total / 216**2


def one_round(order: list[str]) -> tuple[Fraction, Fraction]:
    """The chances that the hunter wins in a round of this order, and that both stand after it."""
    on, won = F(1), F(0)
    for what in order:
        if what == "hunter":
            won, on = won + on * F(3, 4), on * F(1, 4)
        else:
            on *= F(17, 30) ** 2 if what == "beast" else F(3, 5)
    return won, on


@pytest.mark.parametrize("phase_ties", ["after", "before"])
def test_af60_a_phase_comes_at_its_count_amid_the_turns(phase_ties: str) -> None:
    contest = lair(BEAST, phase_ties=phase_ties)
    expected = hunted(phase_ties)
    assert solve_exactly(contest).won[0] == expected
    assert Duel(contest).solve().won[0] == pytest.approx(float(expected), abs=1e-12)
    share = Battle(contest).run(20_000, seed=3).won[0].value
    assert share == pytest.approx(float(expected), abs=5 * 0.5 / 20_000**0.5)


def test_a20b_phase_ties_make_a_difference() -> None:
    assert hunted("after") > hunted("before")


def test_af72_a_lair_strikes_its_foes_once_a_round() -> None:
    """Stones come first where nobody rolls: a round is won with 3/5 * 3/4, and 3/20 are left."""
    contest = lair(TAME, first="one")
    assert solve_exactly(contest).won == (F(9, 17), F(8, 17))
    assert Duel(contest).solve().won == pytest.approx((9 / 17, 8 / 17))
    share = Battle(contest).run(4000, seed=2).won[0].value
    assert share == pytest.approx(9 / 17, abs=5 * 0.5 / 4000**0.5)


def test_af60_phases_come_in_the_order_of_their_counts() -> None:
    contest = lair(replace(BEAST, lair=(STONES, GALE)))
    deeds = [deed.name for _, deed in contest.interludes]
    assert deeds == ["suffer a gale", "suffer falling stones"]
    played = play_battle(contest, seed=5, rounds=1)
    done = [entry.deed for entry in played.exchanges if entry.deed.startswith("suffer")]
    assert done[:1] == ["suffer a gale"]


@pytest.mark.parametrize(
    ("hunter", "beast", "order"),
    [
        ("6 5 4", "1 1 1", "hunter stones beast"),
        ("1 1 1", "6 5 1", "beast stones hunter"),
        ("1 1 1", "6 5 4", "beast stones hunter"),
        ("5 3 4", "5 4 4", "beast hunter stones"),
        ("5 3 3", "1 1 1", "stones hunter beast"),
    ],
)
def test_af60_people_meet_it_between_their_turns(hunter: str, beast: str, order: str) -> None:
    """At count 12 those who rolled 12 or more have acted."""
    session = FightSession(lair(BEAST))
    session = session.answer(hunter.split()).answer(beast.split())
    actor = session.moment.actor
    assert actor is not None
    now = "stones" if session.moment.interlude >= 0 else ("hunter", "beast")[actor.side]
    names = ["stones" if isinstance(one, Befallen) else ("hunter", "beast")[one.side]
             for one in session.moment.waiting]  # fmt: skip
    assert [now, *names] == order.split()


def test_af60_a_phase_of_the_environment_strikes_everybody() -> None:
    """Stones kill the hunter with 2/5 and the beast with 1/2, both at once; then the two blows."""
    wild = replace(TAME, lair=(replace(STONES, strikes="everybody"),))
    exact = solve_exactly(lair(wild, first="one"))
    goes_on = F(3, 5) * F(1, 2) * F(1, 4)
    won = F(3, 5) * (F(1, 2) + F(1, 2) * F(3, 4)), F(2, 5) * F(1, 2), F(2, 5) * F(1, 2)
    assert (*exact.won, exact.drawn) == tuple(chance / (1 - goes_on) for chance in won)


@pytest.mark.parametrize("damage", [1, 2, 9])
def test_af72_what_strikes_everybody_is_fair_to_equals(damage: int) -> None:
    """Of equals nobody has a better chance; a blow of 9 leaves nobody of one Hit Die."""
    wild = replace(HUNTER, lair=(replace(STONES, damage=damage, strikes="everybody", count=30),))
    setup = Setup(attacker=wild, defender=wild)
    sides = Side("one", (wild,), setup, plan=SAFE), Side("other", (wild,), setup, plan=SAFE)
    contest = Contest(SYSTEM, sides, held_to({}), first="coin")
    exact, solved = solve_exactly(contest), Duel(contest).solve()
    assert exact.won[0] == exact.won[1]
    assert exact.drawn > 0
    assert (*solved.won, solved.drawn) == pytest.approx((*exact.won, exact.drawn), abs=1e-12)
    battles = Battle(contest).run(4000, seed=2)
    assert abs(battles.drawn.value - float(exact.drawn)) < 5 * 0.5 / 4000**0.5
    if damage == 9:
        assert exact.drawn == battles.drawn.value == 1
        assert play_battle(contest, seed=1).verdict == "drawn"


def test_af72_nobody_is_struck_where_there_is_no_lair() -> None:
    assert lair(replace(BEAST, lair=())).interludes == ()


def test_af72_a_single_hazard_strikes_the_defender_only() -> None:
    with pytest.raises(SetupError, match="hazard that strikes everybody; allowed: in a lair"):
        Setup(attacker=HUNTER, defender=BEAST, hazard=replace(STONES, strikes="everybody"))
