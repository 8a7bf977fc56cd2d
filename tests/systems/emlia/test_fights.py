"""Fights of units: exactly against the oracle, rounds as Resolution Phases, bodies of several."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from affray.app.inputs.fight_setups import fight_examples, load_fight
from affray.core.fight import ATTACK, UNKNOWN, Scene
from affray.core.node import Chance, Go
from affray.core.ruling import Rulings
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import solve_exactly
from affray.engine.fight.matchup import Encounter
from affray.engine.fight.plans import Plan
from affray.engine.fight.played.play import play_battle
from affray.systems.emlia import SYSTEM
from affray.systems.emlia.fight import FIGHT, NO_EFFECT, Effect
from affray.systems.emlia.gear import Row, Skill, Weapon
from affray.systems.emlia.hints import HINTS
from affray.systems.emlia.rulings import PROFILES, RULINGS
from affray.systems.emlia.sheet import Contact, Setup, Unit
from affray.systems.emlia.standing import Condition, Force, Ranks
from affray.systems.emlia.state import Check, Status
from tests.oracles import emlia as oracle

DEFAULTS = Rulings()
FIRST = Plan("first")


def read(**readings: str) -> Rulings:
    return Rulings.pick(RULINGS, readings)


def unit(name: str, members: int, level: int, hits: int = 2, *, base: int = 0,
         diminish: int | str = 1, **more: Any) -> Unit:  # fmt: skip
    return Unit(
        name=name, members=members, hits=hits,
        skills=(Skill(skill="close_combat", level=level, diminish=diminish),),
        weapons=(Weapon(name="blade", damage=base),), **more,
    )  # fmt: skip


GAME: Any = SYSTEM
"""The system, for functions that take any."""


def contest(
    one: tuple[Unit, ...], other: tuple[Unit, ...], rulings: Rulings = DEFAULTS,
    both: dict[str, Any] | None = None, **situation: Any,
) -> Contest:  # fmt: skip
    def side(own: tuple[Unit, ...], foes: tuple[Unit, ...], **more: Any) -> Side:
        setup = Setup(attacker=own[0], defender=foes[0], **{"focus": "none", **more})
        return Side(own[0].name, own, setup, FIRST)

    shared = both or {}
    sides = side(one, other, **shared, **situation), side(other, one, **shared)
    return Contest(GAME, sides, rulings, first="one")


def scene(setup: Setup, actor: Condition, target: Condition) -> Scene[Setup, Condition]:
    struck = HINTS.hidden.veiled(HINTS.hidden.visible(target), UNKNOWN)
    return Scene(setup, ATTACK, actor, struck, None, DEFAULTS)


def check_of(declared: Scene[Setup, Condition]) -> Check:
    """The first check of the attack that a scene comes to, all decided."""
    at = FIGHT.declare(declared)
    while True:
        node = at.step(at.facts)
        if isinstance(node, Chance):
            return at.facts.checks[0]
        assert isinstance(node, Go)
        at = node.at


Ways = dict[tuple[int, tuple[int, ...]], Fraction]


def ways(fight: Contest, one: Unit, other: Unit, mates: Any = None) -> Ways:
    """How likely an attack is to do so many points to the target and to each of its mates."""
    matchup = fight.matchup(0, one, other)
    row = matchup.odds(Encounter(ATTACK, fight.enter(0, one), fight.enter(1, other), mates))
    assert row is not None
    found: Ways = {}
    helped: Any = row.helped or [()] * len(row.effects)
    effects: Any = row.effects
    for (_, suffered), befell, weight in zip(effects, helped, row.weights, strict=True):
        key = suffered.points, tuple(theirs.points for _, theirs in befell)
        found[key] = found.get(key, Fraction(0)) + Fraction(weight, row.total)
    return found


def as_fighter(one: Unit, modifier: int = 0) -> oracle.Fighter:
    own = one.skills[0]
    return {
        "members": one.members, "level": own.level, "diminish": Fraction(own.diminish),
        "hits": one.hits, "base": one.weapons[0].damage, "limit": one.damage_limit,
        "modifier": modifier,
    }  # fmt: skip


PAIRS = [
    (unit("A", 3, 3, 3, base=1), unit("B", 3, 3, 3, base=1)),
    (unit("A", 2, 4, 2), unit("B", 4, 3, 2, diminish="1/2")),
    (unit("A", 1, 4, 3, damage_limit=3), unit("B", 3, 3, 2, base=1)),
    (unit("A", 2, 3, 2, damage_limit=2, diminish="3/2"), unit("B", 1, 4, 1, damage_limit=4)),
]  # fmt: skip


def same(one: Unit, other: Unit, rulings: Rulings = DEFAULTS, **readings: Any) -> None:
    """The duel of two units is what the oracle says, to the last fraction."""
    found = solve_exactly(contest((one,), (other,), rulings))
    expected = oracle.fight(as_fighter(one), as_fighter(other), **readings)
    assert found.won == (expected.win, expected.loss)
    assert found.drawn == expected.draw
    assert found.rounds == expected.rounds


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_em44_a_small_duel_is_exactly_the_oracles(one: Unit, other: Unit) -> None:
    same(one, other)


@pytest.mark.parametrize("profile", [profile.name for profile in PROFILES])
def test_em4_duels_of_every_check(profile: Any) -> None:
    one, other = unit("A", 2, 3, 3, base=1), unit("B", 2, 2, 3, base=1)
    same(one, other, SYSTEM.readings({"profile": profile}), rule=profile)


@pytest.mark.parametrize(
    ("name", "reading", "own", "word"),
    [
        ("clamp", "open", "clamp", "open"),
        ("compare", "above", "compare", "above"),
        ("diminish", "per_value", "diminish", "per_value"),
        ("stack_rows", "highest", "stack_rows", "highest"),
        ("h_floor", "outright", "h_floor", "outright"),
        ("markers", "resolution", "markers", "resolution"),
        ("markers", "discard", "markers", "discarded"),
        ("dragon_diminish", "members", "dragon_diminish", "none"),
    ],
)
def test_em61_duels_under_other_readings(name: str, reading: str, own: str, word: str) -> None:
    one = unit("A", 1, 3, 3, damage_limit=2)
    other = unit("B", 3, 3, 2, base=1, diminish="3/2")
    same(one, other, read(**{name: reading}), **{own: word})


def test_em32_elevation_counts_in_every_round() -> None:
    one, other = unit("A", 3, 3, elevation=1), unit("B", 3, 3)
    found = solve_exactly(contest((one,), (other,)))
    expected = oracle.fight(as_fighter(one, 1), as_fighter(other, -1))
    assert (found.won, found.drawn) == ((expected.win, expected.loss), expected.draw)


def test_em44_a_duel_is_solved_as_products_of_rounds() -> None:
    for one, other in PAIRS:
        duel = Duel(contest((one,), (other,)))
        assert duel.together is not None
        exactly = solve_exactly(contest((one,), (other,)))
        assert duel.solve().won[0] == pytest.approx(float(exactly.won[0]), abs=1e-12)


def test_em44_who_goes_first_makes_no_difference() -> None:
    one, other = PAIRS[2]
    found = [solve_exactly(contest((one,), (other,)).changed(first=first)) for first in
             ("one", "other")]  # fmt: skip
    assert found[0].won == found[1].won


def test_em35_the_bonus_for_charging_is_for_the_first_round() -> None:
    """One die each, one member each: won in the first round with 6/10 or later with 5/10."""
    one, other = unit("A", 1, 1, 1, charged=True), unit("B", 1, 0, 1, diminish=0)
    fight = solve_exactly(contest((one,), (other,)))
    assert fight.won[0] == 1
    # first round 6/10, each later one 5/10: 1 + 4/10 * 2 rounds
    assert fight.rounds == Fraction(9, 5)


# -- conditions ----------------------------------------------------------------------------------


def test_em44_nothing_shows_before_the_round_is_over() -> None:
    for one in (PAIRS[0][0], PAIRS[2][0], unit("C", 3, 3, joined=(PAIRS[2][0],))):
        now = FIGHT.enter(one, DEFAULTS)
        statuses: tuple[Status, ...] = ()
        if isinstance(now, Force):
            marks: dict[str, Any] = {"marked": 1, "damage": 1, "markers": 1, "fresh": 1}
            statuses = tuple(status._replace(**marks) for status in now.statuses)
        suffered = Effect(2, 1, statuses)
        after = FIGHT.apply(one, now, suffered)
        assert after != now
        assert HINTS.hidden.visible(after) == HINTS.hidden.visible(now)
        assert not FIGHT.is_out(one, after)
        assert FIGHT.apply(one, now, NO_EFFECT) == now


def test_em44_numbers_alone_where_nothing_else_matters() -> None:
    assert isinstance(FIGHT.enter(unit("A", 3, 3), DEFAULTS), Ranks)
    proud = unit("A", 3, 3, morale=5)
    assert isinstance(FIGHT.enter(proud, DEFAULTS), Ranks)
    assert isinstance(FIGHT.enter(proud, read(morale="on")), Force)
    for other in (
        unit("A", 3, 3, damage_limit=2), unit("A", 3, 3, formation="open"),
        unit("A", 3, 3, joined=(unit("B", 1, 1),)), unit("A", 3, 3, charged=True),
    ):  # fmt: skip
        assert isinstance(FIGHT.enter(other, DEFAULTS), Force)
    charged = unit("A", 3, 3, charged=True)
    fresh = FIGHT.enter(charged, DEFAULTS)
    assert FIGHT.end_round(charged, fresh) == Ranks(3, 0, 0, DEFAULTS)


@pytest.mark.parametrize("flag", ["aligned", "unaware", "double_paced", "charged"])
def test_em20_em60_what_holds_for_a_turn_is_over_with_the_round(flag: str) -> None:
    flagged = unit("C", 3, 3, **{flag: True})
    entered = FIGHT.enter(flagged, DEFAULTS)
    assert isinstance(entered, Force)
    assert FIGHT.end_round(flagged, entered) == Ranks(3, 0, 0, DEFAULTS)


def test_em32_the_unaware_are_struck_down_in_the_first_round_alone() -> None:
    """Three dice at three who see nothing: all hits. Three more of them survive, and see it."""
    seers, blind = unit("A", 3, 3, hits=1), unit("B", 6, 0, hits=1, unaware=True)
    rounds = Duel(contest((seers,), (blind,))).by_round(2)
    assert rounds[0].going_on == 1.0
    # 3d10 at 6, nobody outnumbered: three hits less none cancelled, (1/2)^3.
    assert rounds[1].won[0] == pytest.approx(1 / 8)


def test_em42_points_beyond_the_last_member_are_lost() -> None:
    three = unit("A", 3, 3)
    after = FIGHT.apply(three, Ranks(3, 1, 1, DEFAULTS), Effect(9, 1))
    assert after == Ranks(3, 3, 0, DEFAULTS)
    gone = FIGHT.end_round(three, after)
    assert FIGHT.is_out(three, gone)
    assert FIGHT.vitals(three, gone) == 0
    assert FIGHT.vitals(three, Ranks(3, 1, 1, DEFAULTS)) == 2


def test_em44_exchanges_of_equal_numbers_have_the_same_odds() -> None:
    """12 against 6 and 12 against 5 are both two to one or more: the same exchange."""
    one, other = unit("A", 12, 12), unit("B", 12, 12)
    matchup = contest((one,), (other,)).matchup(0, one, other)

    def odds(members: int) -> Any:
        target = Ranks(members, 0, 0, DEFAULTS)
        return matchup.odds(Encounter(ATTACK, Ranks(12, 0, 0, DEFAULTS), target))

    assert odds(6) is odds(5)
    assert odds(5) is not odds(4)  # three to one


# -- bodies of several troops --------------------------------------------------------------------


def test_em50_who_joined_attacks_by_himself() -> None:
    """A unit with 1 die and a captain with 1 die: two checks, net of each its own."""
    captain = unit("captain", 1, 1, 3, diminish=0)
    one = unit("A", 1, 1, 3, joined=(captain,), diminish=0)
    other = unit("B", 9, 0, 1, diminish=0)
    chances = ways(contest((one,), (other,)), one, other)
    # nobody outnumbers the nine: D 6, each die a success in half of the cases
    assert chances == {(0, ()): Fraction(1, 4), (1, ()): Fraction(1, 2), (2, ()): Fraction(1, 4)}


def test_em53_a_captain_stands_behind_his_guards() -> None:
    """Guards 2 (Hits 1), captain 1 (Hits 2, limit 2): k = 2, so two hits take both guards."""
    captain = unit("captain", 1, 0, 2, damage_limit=2)
    other = unit("B", 2, 0, 1, joined=(captain,))
    one = unit("A", 1, 2, 1, diminish=0)
    matchup = contest((one,), (other,)).matchup(0, one, other)
    row = matchup.odds(Encounter(ATTACK, FIGHT.enter(one, DEFAULTS), FIGHT.enter(other, DEFAULTS)))
    assert row is not None
    effects: Any = row.effects
    marked = {tuple(points for points, _ in theirs.each) for _, theirs in effects}
    assert marked == {(), (1, 0), (2, 0)}


def test_em50_a_captain_fights_on_when_his_unit_is_gone() -> None:
    captain = unit("captain", 1, 3, 2, damage_limit=2)
    one = unit("A", 1, 1, 1, joined=(captain,))
    left = Force((Status(0), Status(1, lost=0)), DEFAULTS)
    assert not FIGHT.is_out(one, left)
    other = unit("B", 2, 1, 1)
    matchup = contest((one,), (other,)).matchup(0, one, other)
    assert matchup.odds(Encounter(ATTACK, left, FIGHT.enter(other, DEFAULTS))) is not None
    assert matchup.start(Encounter(ATTACK, left, FIGHT.enter(other, DEFAULTS))) is not None
    duel = Duel(contest((one,), (other,))).solve()
    assert duel.endless == 0
    assert sum(duel.won) + duel.drawn == pytest.approx(1)


def test_em34_mates_in_open_formation_are_one_body() -> None:
    one = unit("A", 2, 4, 1)
    trolls, band = (unit(name, n, 1, hits, formation="open") for name, n, hits in
                    (("trolls", 1, 2), ("band", 3, 1)))  # fmt: skip
    mates = FIGHT.context([(band, FIGHT.enter(band, DEFAULTS))])
    seen = set(ways(contest((one,), (trolls, band)), one, trolls, mates))
    # band first, three times as large; a fourth hit is too few for the troll: a marker
    assert seen == {(0, ()), (0, (1,)), (0, (2,)), (0, (3,))}
    closed = unit("close", 3, 1)
    assert FIGHT.context([(closed, FIGHT.enter(closed, DEFAULTS))]) is None


def test_em50_a_captain_fights_on_with_a_weapon_of_his_own() -> None:
    """The named weapon was that of his men; one sure hit at Hits 2 with his base damage of 1."""
    sword = Weapon(name="sword", damage=1)
    captain = Unit(name="H", members=1, weapons=(sword,),
                   skills=(Skill(skill="close_combat", level=1),))  # fmt: skip
    one = unit("A", 2, 2, joined=(captain,))
    other = Unit(name="B", members=9, hits=2, unaware=True)
    fight = contest((one,), (other,), weapon="blade")
    entered = FIGHT.enter(one, DEFAULTS)
    assert isinstance(entered, Force)
    gone = Force((Status(0), entered.statuses[1]), DEFAULTS)
    row = fight.matchup(0, one, other).odds(
        Encounter(ATTACK, gone, FIGHT.enter(other, DEFAULTS), None)
    )
    assert row is not None
    effects: Any = row.effects
    assert [suffered.points for _, suffered in effects] == [1]


@pytest.mark.parametrize(
    ("alive", "points"),
    [((0, 0, 1), 1), ((0, 1, 1), 2), ((0, 1, 0), 0)],
)
def test_em50_those_who_joined_fight_on_without_the_unit(
    alive: tuple[int, ...], points: int
) -> None:
    """A sure hit each at Hits 2: the first's lies there, the second's with base damage 1 takes
    a point, or two with it.
    """
    sword = Weapon(name="sword", damage=1)
    skills = (Skill(skill="close_combat", level=1),)
    joined = (Unit(name="G", members=1, skills=skills),
              Unit(name="H", members=1, skills=skills, weapons=(sword,)))  # fmt: skip
    one = unit("A", 2, 2, joined=joined)
    other = Unit(name="B", members=9, hits=2, unaware=True)
    row = contest((one,), (other,)).matchup(0, one, other).odds(Encounter(
        ATTACK, Force(tuple(Status(n) for n in alive), DEFAULTS), FIGHT.enter(other, DEFAULTS), None
    ))  # fmt: skip
    assert row is not None
    effects: Any = row.effects
    assert [suffered.points for _, suffered in effects] == [points]


@pytest.mark.parametrize("reading", ["turn", "activation"])
def test_em36_b22_exposure_is_over_with_the_first_round_of_a_fight(reading: str) -> None:
    """Everybody has been activated in it."""
    rulings = read(fumble_bonus_duration=reading)
    one = unit("A", 2, 2, exposed=2, marked=1)
    entered = FIGHT.enter(one, rulings)
    assert isinstance(entered, Force)
    assert (entered.statuses[0].exposed, entered.statuses[0].marked) == (2, 1)
    assert FIGHT.end_round(one, entered) == Ranks(1, 0, 0, rulings)


@pytest.mark.parametrize(
    ("formations", "points"),
    [
        (("open", "close", "open"), (1, (1, 0))),
        (("close", "close", "open"), (1, (1, 0))),
        (("open", "close", "close"), (1, (1, 0))),
        (("open", "ranked", "open"), (1, (1,))),  # ranks fight by themselves
        (("close", "close", "close"), (1, ())),  # as close units do among themselves
    ],
)
def test_em13_em64_one_open_unit_makes_one_body_of_all_mates(
    formations: tuple[Any, ...], points: Any
) -> None:
    """Two sure hits of a close unit, on B of one: M of five takes one of them, and N of one none.

    With M in ranks N takes it.
    """
    one = unit("A", 4, 2)
    target, *mates = (
        Unit(name=name, members=members, formation=formation, unaware=True)
        for name, members, formation in zip("BMN", (1, 5, 1), formations, strict=True)
    )
    fight = contest((one,), (target, *mates))
    entered: list[Any] = [fight.enter(1, mate) for mate in mates]
    context = FIGHT.context(list(zip(mates, entered, strict=True)))
    assert ways(fight, one, target, context) == {points: Fraction(1)}


@pytest.mark.parametrize("changes", [{"action": "aimed_fire", "move": "double"},
                                     {"action": "close_combat", "focus": "open"}])  # fmt: skip
def test_em60_fights_in_which_something_comes_before_the_check(changes: dict[str, Any]) -> None:
    """Four dice at 10 (double paced) make 151/500 hits, at 6 839/500 (EMO-5, EMO-4).

    All fall on B, nine to one. The first option, to focus on nobody, is taken.
    """
    one = Unit(name="A", members=2, skills=(Skill(skill="close_combat", level=4),
                                            Skill(skill="aimed_fire", level=4)))  # fmt: skip
    other = Unit(name="B", members=9, hits=1, joined=(Unit(name="H", members=1, hits=9),))
    found = ways(contest((one,), (other,), **changes), one, other)
    points = sum((n * chance for (n, _), chance in found.items()), Fraction(0))
    assert points == Fraction(151 if "move" in changes else 839, 500)


def test_em34_em44_hits_on_a_mate_come_on_top_of_those_before() -> None:
    """Two of five are marked; three sure hits on them, and one man beside them, mark the rest."""
    loose: dict[str, Any] = {"formation": "open", "unaware": True}
    target, mate = Unit(name="B", members=1, hits=2, **loose), Unit(name="M", members=5, **loose)
    before = Force((Status(5, marked=2, unaware=True),), DEFAULTS)
    row = contest((unit("A", 4, 3),), (target, mate)).matchup(0, unit("A", 4, 3), target).odds(
        Encounter(ATTACK, FIGHT.enter(unit("A", 4, 3), DEFAULTS), FIGHT.enter(target, DEFAULTS),
                  FIGHT.context([(mate, before)]))
    )  # fmt: skip
    assert row is not None
    helped: Any = row.helped
    (((_, suffered),),) = helped
    after = FIGHT.apply(mate, before, suffered)
    assert isinstance(after, Force)
    assert (suffered.points, after.statuses[0].marked) == (3, 5)


def test_em15_mates_in_open_formation_do_not_shield_each_other_from_ranks() -> None:
    one = unit("A", 2, 4, 1, formation="ranked")
    trolls, band = (unit(name, n, 1, 1, formation="open") for name, n in (("t", 2), ("b", 6)))
    mates = FIGHT.context([(band, FIGHT.enter(band, DEFAULTS))])
    assert set(ways(contest((one,), (trolls, band)), one, trolls, mates)) == {
        (0, ()), (1, ()), (2, ()),
    }  # fmt: skip


def test_em64_a_close_target_is_one_body_with_an_open_mate() -> None:
    """Three sure hits on six of one Hits value: two on the five, one on the one."""
    one = unit("A", 6, 3)
    target = Unit(name="B", members=1, formation="close", unaware=True)
    mate = Unit(name="M", members=5, formation="open", unaware=True)
    context = FIGHT.context([(mate, FIGHT.enter(mate, DEFAULTS))])
    assert context is not None
    fight = contest((one,), (target, mate))
    assert ways(fight, one, target, context) == {(1, (2,)): Fraction(1)}


# -- tables, frontage, morale --------------------------------------------------------------------


def test_em43_a_wall_stands_until_a_table_makes_rubble_of_it() -> None:
    """A hit each round for certain, a roll each two: 10 on a d10 ends it."""
    rows = (Row(low=1, high=9), Row(low=10, name="rubble", destroyed=True))
    wall = Unit(name="wall", members=1, hits=1, threshold=2, table=rows, unaware=True)
    one = unit("A", 1, 1, diminish=0)
    fight = Duel(contest((one,), (wall,))).solve()
    assert fight.won[0] == pytest.approx(1)
    assert fight.rounds == pytest.approx(20)  # ten rolls on average, two rounds each
    assert FIGHT.deeds(wall, FIGHT.enter(wall, DEFAULTS)) == ()


def test_em43_between_rounds_only_lasting_rows_of_a_table_are_kept() -> None:
    """So that a wall that nothing else happens to has one state, not one for each row."""
    rows = (Row(low=1, high=5), Row(low=6, high=8, name="lame", speed=2),
            Row(low=9, name="open", uncovers=True))  # fmt: skip
    tower = Unit(name="T", members=1, threshold=4, table=rows)
    for came, kept in (
        ((), ()),
        (("nothing",), ()),
        (("lame", "nothing", "open"), ("lame", "open")),
        (("lame", "lame"), ("lame",)),
    ):
        after = FIGHT.end_round(tower, Force((Status(1, rolled=came),), DEFAULTS))
        assert isinstance(after, Force)
        assert after.statuses[0].rolled == kept


def test_em42_points_until_nobody_is_left() -> None:
    """Three trolls of two points, one marked and a point on the way; a tower that is rubble."""
    rows = (Row(low=1, destroyed=True),)
    troll = unit("T", 3, 3, damage_limit=2, joined=(Unit(name="W", threshold=3, table=rows),))
    wall = Status(1, destroyed=True)
    for status, left in (
        (Status(3), 6),
        (Status(3, marked=1, damage=1), 3),
        (Status(3, marked=3), 1),
    ):
        assert FIGHT.vitals(troll, Force((status, wall), DEFAULTS)) == left
        assert FIGHT.vitals(troll, Force((status, Status(1)), DEFAULTS)) == max(
            1, left + (left > 1)
        )
    assert FIGHT.vitals(troll, Force((Status(0), wall), DEFAULTS)) == 0
    assert FIGHT.vitals(unit("A", 4, 2), Ranks(4, 1, 0, DEFAULTS)) == 3
    assert FIGHT.vitals(unit("A", 4, 2), Ranks(4, 4, 0, DEFAULTS)) == 1
    assert FIGHT.vitals(unit("A", 4, 2), Ranks(0, 0, 0, DEFAULTS)) == 0
    assert FIGHT.harm(Effect(3)) == 3


def test_em22_only_those_in_contact_fight() -> None:
    """EMV-26: 20 men CC 20/1, 6 in contact; with reach 12 dice."""
    for reach, dice in ((0, 6), (1, 12)):
        ranks = unit("A", 20, 20, formation="ranked", reach=reach)
        foe = unit("B", 20, 20)
        setup = Setup(attacker=ranks, defender=foe, contact=Contact(members=6, theirs=6))
        all_of_them = scene(setup, FIGHT.enter(ranks, DEFAULTS), FIGHT.enter(foe, DEFAULTS))
        assert check_of(all_of_them).dice == dice
        few = all_of_them._replace(actor=Ranks(4, 0, 0, DEFAULTS))
        assert check_of(few).dice == 4


def test_em24_b28_a_unit_in_its_flank_breaks() -> None:
    """Morale 2, flanked: after two rounds it is broken, whoever is alive."""
    morale = read(morale="on")
    ranks = unit("A", 5, 0, 9, diminish=0, formation="ranked", morale=2)
    foe = unit("B", 5, 0, 9, diminish=0)
    flanked = contest((foe,), (ranks,), morale, contact=Contact(side="flank"))
    duel = Duel(flanked).solve()
    assert duel.won[0] == pytest.approx(1)
    assert duel.rounds == pytest.approx(2)


# -- battles -------------------------------------------------------------------------------------


def test_em44_a_battle_of_two_is_the_duel() -> None:
    one, other = PAIRS[2]
    fight, n = contest((one,), (other,)), 300
    duel = Duel(fight).solve()
    won = sum(play_battle(fight, seed=seed).verdict == "one" for seed in range(n)) / n
    spread = sqrt(duel.won[0] * (1 - duel.won[0]) / n)
    assert abs(won - duel.won[0]) <= 5 * spread


@pytest.mark.parametrize("name", list(fight_examples(GAME)))
def test_em61_every_fight_of_the_file_comes_to_an_end(name: str) -> None:
    battle = play_battle(load_fight(SYSTEM.id, name).contest, seed=1)
    assert battle.verdict in {"one", "other", "drawn"}
    assert battle.rounds >= 1


def test_em44_thirty_against_thirty() -> None:
    """As three independent programs have it (benchmarks/peers)."""
    duel = Duel(load_fight(SYSTEM.id, "thirties").contest)
    assert duel.together is not None
    found = duel.solve()
    assert found.won[0] == pytest.approx(0.9706442513308552, abs=1e-12)
    assert found.drawn == pytest.approx(6.600496946367701e-05, abs=1e-12)
    assert found.rounds == pytest.approx(4.886040288326795, abs=1e-11)


def test_em53_a_log_tells_what_fell_now_and_not_what_was_marked_before() -> None:
    one = unit("A", 1, 1, diminish=0)
    trolls = unit("trolls", 3, 1, 1, formation="open", unaware=True)
    fresh = Setup(attacker=one, defender=trolls, focus="none")
    marked = Force((Status(3, marked=1, unaware=True),), DEFAULTS)
    start = Scene(fresh, ATTACK, FIGHT.enter(one, DEFAULTS), marked, None, DEFAULTS)
    at = FIGHT.declare(start)
    words: list[object] = []
    while True:
        node = at.step(at.facts)
        if not isinstance(node, Go):
            break
        words += at.step.told(at.facts, node.facts)
        at = node.at
    assert "trolls takes 1 point for 1 hit, 1 casualty (EM-41)." in words
