"""Hints of Affinity: conditions that exchanges can't tell apart, and what an attack forgets."""

from dataclasses import replace
from typing import Any

import pytest

from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN
from affray.app.inputs.fight_setups import load_fight
from affray.app.inputs.setups import load
from affray.app.sources import Names
from affray.core.hints import Hints
from affray.core.node import At, Chance, Go, fill
from affray.core.reading import enumerated, roll_of
from affray.core.ruling import Rulings
from affray.core.unknown import UNKNOWN, Parts, filled
from affray.engine.exchange.odds import outcomes
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.duel import Duel
from affray.systems.affinity import rulings as rule
from affray.systems.affinity.attempts import attempt_of
from affray.systems.affinity.declaration import declare, take_turn
from affray.systems.affinity.fight import FIGHT
from affray.systems.affinity.harm import lose_hd, meet_damage
from affray.systems.affinity.hints import EFFECTS, FELT, HINTS, HIT, NOBODY, OWN
from affray.systems.affinity.other_actions import ward
from affray.systems.affinity.roll import roll_action
from affray.systems.affinity.sheet import Combatant, Setup
from affray.systems.affinity.state import CombatantState, Done, Exchange, Plan
from affray.testing.rows import compare_rows

from .factory import BLADE, MAUL, ORC, STRIKER, TARGET, WARD

PLAIN: Hints[Any, Any, Any] = Hints(hidden=HINTS.hidden)


def contest(one: str, other: str, policy: str, **rulings: str) -> Contest:
    changes = FIGHT_AS_WRITTEN._replace(policies=(policy, policy), rulings=rulings)
    return load_fight("affinity", Names(one, other), changes).contest


def seen(sheet: Combatant, *, rulings: Rulings | None = None, **now: Any) -> CombatantState:
    """A combatant as exchanges see whoever acts."""
    condition = FIGHT.enter(sheet, rulings or Rulings())
    condition = condition._replace(now=condition.now._replace(**now))
    return HINTS.acting(sheet, HINTS.hidden.visible(condition)).now


def test_whoever_was_checked_is_not_checked_again() -> None:
    """Then it matters only whether there is a Hit Die to burn."""
    checked = seen(ORC, checked=True)
    assert checked == seen(ORC, checked=True, hd=1, stabilized=True) != seen(ORC)
    assert seen(ORC, checked=True, hd=0) != checked


@pytest.mark.parametrize("affinity", [0, 3])
def test_hit_dice_count_as_far_as_one_action_can_burn_them(affinity: int) -> None:
    """One die of the printed pool; Affinity dice that burn are within the cap, which is nothing."""
    careful = replace(ORC, exertion=0, affinity=affinity)
    one, two, more = (seen(careful, hd=hd) for hd in (1, 2, 7))
    assert one != two == more


@pytest.mark.parametrize("reading", ["none", "remainder", "reckless"])
def test_whoever_has_no_printed_pool_exerts_whatever_monsters_do(reading: Any) -> None:
    rulings = Rulings({rule.NPC_BURN: reading})
    runner = replace(STRIKER, actions=(), universal=("rush",))
    one, two = (seen(runner, rulings=rulings, hd=hd) for hd in (1, 2))
    assert one != two


@pytest.mark.parametrize(("reading", "looked_at"), [("yes", True), ("no", False)])
def test_af44_steady_looks_at_the_hit_dice_that_it_costs(reading: Any, looked_at: bool) -> None:
    """Nothing else does where Resolve is left out: it takes three of them."""
    rulings = Rulings({rule.RESOLVE: "off", rule.STEADYING: reading})
    monk = replace(STRIKER, hd=9, hd_max=9, universal=("steady",))
    two, three = (seen(monk, rulings=rulings, hd=hd) for hd in (2, 3))
    assert (two != three) == looked_at


def opening(sheet: Combatant, exertion: int, **now: Any) -> Chance[Exchange]:
    """The roll of an attack, without what its effects don't need."""
    at = declare(Setup(attacker=sheet, defender=TARGET), Rulings())
    terms = at.facts.terms
    terms = replace(terms, striker=terms.striker._replace(**now))
    plan = Plan(sheet.actions[0].name, "attack", exertion)
    node = roll_action.rule(Exchange(terms, plan=plan))
    assert isinstance(node, Chance)
    assert HINTS.forget is not None
    assert HINTS.needed is not None
    return HINTS.forget(node, HINTS.needed)


@pytest.mark.parametrize(("exertion", "same"), [(0, True), (1, False)])
def test_an_attack_without_exertion_forgets_what_only_strain_looks_at(
    exertion: int,
    same: bool,
) -> None:
    maul = replace(STRIKER, level=5, actions=(MAUL,))
    assert (opening(maul, exertion) == opening(maul, exertion, hd=1, lost=2)) is same


def test_hit_dice_lost_before_count_as_fewer_that_are_left() -> None:
    maul = replace(STRIKER, level=5, proficiency=3, actions=(MAUL,))
    assert opening(maul, 3, hd=9, lost=2) == opening(maul, 3, hd=2)
    assert opening(maul, 3, hd=9, lost=2) != opening(maul, 3, hd=3)
    assert opening(maul, 2, hd=9) == opening(maul, 2, hd=3) != opening(maul, 2, hd=2)


def test_whoever_has_exerted_all_is_strained_by_any_roll() -> None:
    maul = replace(STRIKER, level=5, actions=(MAUL,))
    assert opening(maul, 2, exerted=3) == opening(maul, 2, exerted=4, hd=1)
    assert opening(maul, 2, exerted=3) != opening(maul, 2, exerted=2)


def test_only_rolls_that_may_be_asked_about_keep_what_strain_looks_at() -> None:
    maul = replace(STRIKER, level=5, actions=(MAUL,))
    assert HINTS.forget is not None
    rolls = []
    for hd in (1, 9):
        at = declare(Setup(attacker=maul, defender=TARGET), Rulings())
        terms = replace(at.facts.terms, striker=at.facts.terms.striker._replace(hd=hd))
        node = roll_action.rule(Exchange(terms, plan=Plan(MAUL.name, "attack", 2)))
        assert isinstance(node, Chance)
        rolls.append(node)
    one, other = rolls
    lost = frozenset({"hd_lost"})
    assert HINTS.forget(one, lost) == HINTS.forget(other, lost)
    asked = lost | {"own_resolve"}
    assert HINTS.forget(one, asked) != HINTS.forget(other, asked)


def test_a_deed_that_does_nothing_to_others_forgets_them() -> None:
    rolls = []
    for hurt in (0, 1):
        at = declare(Setup(attacker=STRIKER, defender=TARGET), Rulings())
        terms = replace(at.facts.terms, struck=at.facts.terms.struck._replace(lost=hurt))
        node = roll_action.rule(Exchange(terms, plan=Plan("rush", "rush")))
        assert isinstance(node, Chance)
        rolls.append(node)
    assert HINTS.forget is not None
    assert HINTS.needed is not None
    for needed in (HINTS.needed, OWN):
        one, other = (HINTS.forget(roll, needed) for roll in rolls)
        assert one == other
    assert HINTS.forget(rolls[0], frozenset({"resolve"})) == rolls[0]


@pytest.mark.parametrize(
    ("done", "same"),
    [({"actions": 1}, True), ({"expert": True}, True), ({"attacked": True}, False)],
)
def test_whoever_acts_is_seen_with_what_closes_an_action(done: dict[str, Any], same: bool) -> None:
    assert (seen(STRIKER, **done) == seen(STRIKER)) is same


def test_an_encounter_is_declared_once_for_all_that_look_alike() -> None:
    duel = Duel(contest("fighter", "healer", "opening"))
    for attacks in duel.attacks:
        assert 100 * len(attacks.matchup.table) < duel.n_pairs
        assert len(attacks) < 400


@pytest.mark.parametrize(
    ("one", "other", "rulings"),
    [("novice", "squire", {}), ("squire", "novice", {"burn_timing": "immediate"})],
)
def test_duels_without_these_hints_come_to_the_same(
    one: str, other: str, rulings: dict[str, str]
) -> None:
    quick = contest(one, other, "first", **rulings)
    plain = Contest(
        quick.system.with_hints(PLAIN), quick.sides, quick.rulings, first=quick.first
    )  # fmt: skip
    mine, theirs = Duel(quick).solve(3), Duel(plain).solve(3)
    assert mine.won == pytest.approx(theirs.won, abs=1e-12)
    assert mine.stalled == pytest.approx(theirs.stalled, abs=1e-12)


@pytest.mark.parametrize("names", [("fighter", "orc_raider"), ("champion", "brass_sentry")])
def test_rows_are_those_of_exchanges_in_which_everything_is_known(names: tuple[str, str]) -> None:
    compared = compare_rows(contest(*names, "first"), seed=3, exchanges=12)
    assert compared.exchanges > compared.skipped


def defense(burn: int, needed: frozenset[str], **now: Any) -> CombatantState:
    """The attacker of a place before the defense, as far as anything still looks at them."""
    at = declare(Setup(attacker=ORC, defender=TARGET), Rulings())
    terms = replace(at.facts.terms, striker=at.facts.terms.striker._replace(**now))
    x = Exchange(terms, done=Done("attack"), damage=2, burn=burn)
    assert HINTS.pares is not None
    return HINTS.pares(At(meet_damage, x), needed).facts.terms.striker


def test_once_the_dice_are_read_only_strain_is_kept() -> None:
    assert HINTS.needed is not None
    calm = defense(0, HINTS.needed)
    assert defense(1, HINTS.needed, hd=5) == calm == defense(0, HINTS.needed, hd=1, resolve=3)
    strained = defense(1, HINTS.needed, hd=1)
    assert strained != calm
    assert defense(1, HINTS.needed, hd=4, lost=ORC.prof + 1) == strained
    assert defense(1, HINTS.needed, hd=1, resolve=3) != strained
    assert defense(0, frozenset({"own_resolve"}), resolve=3).resolve == 3
    assert defense(0, frozenset({"own_hd"}), hd=4).hd == 4


@pytest.mark.parametrize(
    ("resolve", "alike"), [(5, 5), (4, 4), (3, 4), (2, 2), (1, 2), (-4, 2), (-5, -5)]
)
def test_effects_hold_of_resolve_only_how_it_changes(resolve: int, alike: int) -> None:
    """At its most it can't rise, at its least it can't fall; at 2 a defense has a die fewer."""
    assert HINTS.pares is not None
    terms = declare(Setup(attacker=STRIKER, defender=BRAVE), Rulings()).facts.terms
    assert terms.setup.defender.resolve_max == 5
    terms = replace(terms, struck=terms.struck._replace(resolve=resolve))
    place = At(meet_damage, Exchange(terms, done=Done("attack"), damage=2))
    assert HINTS.pares(place, EFFECTS).facts.terms.struck.resolve == alike
    assert HINTS.pares(place, EFFECTS | {"resolve"}).facts.terms.struck.resolve == resolve


def test_the_fields_closest_to_effects_are_told_as_they_are() -> None:
    """Resolve afterwards is a field; effects need less than that."""
    game = load("affinity", "one-big-action").game
    fields = ("hd_lost", "resolve", "own_resolve")
    joint, apart = outcomes(game, fields), outcomes(game, ("own_resolve",))
    for resolve in range(6):
        chance = sum(joint.chance((hd, other, resolve)) for hd in range(9) for other in range(6))
        assert chance == apart.chance((resolve,)), resolve


def test_exchanges_with_the_same_odds_are_one() -> None:
    for attacks in Duel(contest("fighter", "novice", "opening")).attacks:
        content = [
            frozenset(zip(odds.effects, (w / odds.total for w in odds.weights), strict=True))
            for odds in attacks.odds
        ]
        assert len(set(content)) == len(content) > 2


BRAVE = replace(TARGET, level=7)


def loss(damage: int, hd: Any, **now: Any) -> CombatantState:
    """The defender of a place where Hit Dice are about to be lost, as effects look at them."""
    at = declare(Setup(attacker=ORC, defender=BRAVE), Rulings())
    terms = replace(at.facts.terms, struck=at.facts.terms.struck._replace(hd=hd, **now))
    assert HINTS.pares is not None
    assert HINTS.needed is not None
    x = Exchange(terms, done=Done("attack"), damage=damage)
    return HINTS.pares(At(lose_hd, x), HINTS.needed).facts.terms.struck


def test_hit_dice_beyond_what_is_lost_make_no_difference() -> None:
    assert loss(2, 9) == loss(2, 3) == loss(2, 4, lost=1)
    assert loss(2, 9) != loss(2, 2)
    shaken = loss(1, 9, lost=BRAVE.prof)
    assert shaken == loss(1, 2, lost=BRAVE.prof) != loss(1, 9)
    assert shaken != loss(1, 9, lost=BRAVE.prof, checked=True)


def test_what_was_lost_before_counts_only_if_it_calls_for_a_check() -> None:
    assert loss(1, UNKNOWN) == loss(1, UNKNOWN, layers=(), defending=True, lost=1)
    assert loss(1, UNKNOWN) != loss(1, UNKNOWN, lost=BRAVE.prof)
    assert loss(3, UNKNOWN, lost=2) == loss(3, UNKNOWN, lost=BRAVE.prof)


@pytest.mark.parametrize(("lost", "checks"), [(BRAVE.prof, False), (BRAVE.prof + 1, True)])
def test_af52_who_loses_one_more_than_proficiency_checks_resolve(lost: int, checks: bool) -> None:
    """In one attack, with more Hit Dice than that; how many is known only when they are lost."""
    at = declare(Setup(attacker=ORC, defender=BRAVE), Rulings())
    hidden: dict[str, Any] = {"hd": UNKNOWN}
    terms = replace(at.facts.terms, struck=at.facts.terms.struck._replace(**hidden))
    assert HINTS.pares is not None
    place = At(lose_hd, Exchange(terms, done=Done("attack"), damage=lost))
    for needed in (EFFECTS, HIT):
        pared = HINTS.pares(place, needed)
        node: Any = Go(pared.step, filled(pared.facts, 9))
        while isinstance(node, Go):
            node = node.step.rule(node.facts)
        assert isinstance(node, Chance) == (checks and needed == EFFECTS), "hits need none"


@pytest.mark.parametrize("names", [("novice", "champion"), ("mage", "storm_caller")])
def test_rows_with_options_before_the_dice_are_those_that_are_best(names: tuple[str, str]) -> None:
    compared = compare_rows(contest(*names, "opening"), seed=5, exchanges=8)
    assert compared.exchanges > compared.skipped


def struck_at(damage: int, burn: int, **now: Any) -> At[Exchange]:
    """A place at which an attack of the orc with some damage is about to be defended against."""
    at = declare(Setup(attacker=ORC, defender=BRAVE), Rulings())
    terms = replace(at.facts.terms, struck=at.facts.terms.struck._replace(**now))
    return At(meet_damage, Exchange(terms, done=Done("attack"), damage=damage, burn=burn))


def test_a_defense_is_the_same_whatever_the_attack_cost() -> None:
    assert HINTS.splits is not None
    effects = frozenset({"hd_lost"})
    calm, costly = (HINTS.splits(struck_at(2, burn), effects) for burn in (0, 3))
    assert calm is not None
    assert costly is not None
    assert calm[1] == costly[1]
    assert calm[0] != costly[0]
    other = HINTS.splits(struck_at(1, 3, lost=2), effects)
    assert other is not None
    assert other[0] == costly[0]
    assert other[1] != costly[1]
    assert HINTS.splits(costly[1], effects) is None
    assert HINTS.splits(struck_at(2, 0), frozenset({"own_hd"})) is None


@pytest.mark.parametrize(("reading", "n_rows"), [("ablate_all", 1), ("absorb", 23)])
def test_a_ward_reads_its_dice_only_where_their_total_counts(reading: str, n_rows: int) -> None:
    assert HINTS.forget is not None
    rulings = Rulings({rule.TEMP_HD: reading})
    caster = replace(ORC, actions=(WARD,))
    terms = declare(Setup(attacker=caster, defender=BRAVE, towards="friend"), rulings).facts.terms
    x = Exchange(terms, plan=Plan("ward", "ward"), successes=2, done=Done("ward"))
    roll = ward.rule(x)
    assert isinstance(roll, Chance)
    forgot = HINTS.forget(roll, EFFECTS)
    assert len(roll_of(forgot.dice, forgot.read).rows) == n_rows
    read: Any = forgot.read
    assert read.counted(forgot.dice) == enumerated(forgot.dice, read)
    assert forgot.then.facts.successes == 0
    assert HINTS.forget(roll, OWN | {"resolve", "own_resolve"}).read == forgot.read
    assert HINTS.forget(roll, frozenset({"granted"})) is roll


def test_successes_that_add_no_damage_are_not_told_apart() -> None:
    assert HINTS.forget is not None
    terms = declare(Setup(attacker=STRIKER, defender=BRAVE), Rulings()).facts.terms
    roll = roll_action.rule(Exchange(terms, plan=Plan(BLADE.name, "attack", exertion=3)))
    assert isinstance(roll, Chance)
    forgot = HINTS.forget(roll, EFFECTS)
    attempt = attempt_of(terms, Plan(BLADE.name, "attack", exertion=3))
    read = {reading.successes for reading, _ in roll_of(forgot.dice, forgot.read).rows}
    assert max(read) <= attempt.required + attempt.cap + 1
    assert max(read) < max(of.successes for of, _ in roll_of(roll.dice, roll.read).rows)
    counted = HINTS.forget(roll, frozenset({"successes", "hd"}))
    assert counted.read == roll.read


def rolled_for(needed: frozenset[str], dice: tuple[int, int], reading: str = "listed") -> Any:
    """The roll of an attack with so many dice of exertion and of Affinity, without the rest."""
    assert HINTS.forget is not None
    rulings = Rulings({rule.BURN: reading})
    striker = replace(STRIKER, level=3, affinity=3)
    terms = declare(Setup(attacker=striker, defender=BRAVE), rulings).facts.terms
    plan = Plan(BLADE.name, "attack", exertion=dice[0], affinity=dice[1])
    roll = roll_action.rule(Exchange(terms, plan=plan))
    assert isinstance(roll, Chance)
    return HINTS.forget(roll, needed)


def test_whoever_asks_for_hits_alone_tells_no_dice_apart_that_burn() -> None:
    one, other = rolled_for(HIT, (1, 2)), rolled_for(HIT, (3, 0))
    assert one == other
    assert {reading.ones for reading, _ in roll_of(one.dice, one.read).rows} == {0}
    assert one != rolled_for(HIT, (2, 0))
    assert rolled_for(EFFECTS, (1, 2)) != rolled_for(EFFECTS, (3, 0))
    # Where Hit Dice burn at once, the attack may end before it hits.
    now = rolled_for(HIT, (3, 0), "immediate")
    assert {reading.ones for reading, _ in roll_of(now.dice, now.read).rows} == {0, 1, 2, 3}
    assert now != rolled_for(HIT, (1, 2), "immediate")


@pytest.mark.parametrize(
    ("needed", "is_read"), [({"hd_lost"}, False), (HIT, True), (EFFECTS, True)]
)
def test_the_dice_of_a_deed_that_hurts_nobody_are_read_by_whoever_asks_for_more(
    needed: frozenset[str], is_read: bool
) -> None:
    assert HINTS.forget is not None
    terms = declare(Setup(attacker=STRIKER, defender=BRAVE), Rulings()).facts.terms
    roll = roll_action.rule(Exchange(terms, plan=Plan("rush", "rush")))
    assert isinstance(roll, Chance)
    forgot = HINTS.forget(roll, frozenset(needed))
    rows = roll_of(forgot.dice, forgot.read).rows
    assert (len(rows) > 1) == is_read
    node: Any = Go(*fill(forgot.then, "rolled", rows[0][0]))
    while isinstance(node, Go):
        node = node.step.rule(node.facts)
    assert node.outcome.lost == 0


@pytest.mark.parametrize(("resolve", "alike"), [(5, 5), (3, 5), (2, 2), (1, 2)])
def test_hits_look_at_resolve_only_for_the_dice_that_it_takes(resolve: int, alike: int) -> None:
    assert HINTS.pares is not None
    struck = replace(BRAVE, resolve_max=5, resolve=resolve)
    terms = declare(Setup(attacker=STRIKER, defender=struck), Rulings()).facts.terms
    x = Exchange(terms, done=Done("attack"), dealt=3, damage=3)
    assert HINTS.pares(At(meet_damage, x), HIT).facts.terms.struck.resolve == alike


def test_resolve_is_forgotten_at_a_roll_as_far_as_nothing_more_is_needed_for_it() -> None:
    assert HINTS.forget is not None
    forgot = set()
    for resolve in (5, 4, 1):
        striker = replace(STRIKER, resolve_max=5, resolve=resolve)
        terms = declare(Setup(attacker=striker, defender=BRAVE), Rulings()).facts.terms
        terms = replace(terms, setup=Setup(attacker=STRIKER, defender=BRAVE))
        roll = roll_action.rule(Exchange(terms, plan=Plan(BLADE.name, "attack")))
        assert isinstance(roll, Chance)
        forgot.add(HINTS.forget(roll, frozenset({"hd_lost"})))
    assert len(forgot) == 2  # at 1 Resolve another success is needed


@pytest.mark.parametrize(
    ("needed", "alike"),
    [(EFFECTS, {5: 5, 4: 4, 3: 3, 2: 3, 1: 3}), (EFFECTS | {"state"}, {3: 3, 1: 1})],
)
def test_whoever_rolls_keeps_of_resolve_how_it_changes(
    needed: frozenset[str], alike: dict[int, int]
) -> None:
    """From 3 on an action takes one success more."""
    assert HINTS.forget is not None
    for resolve, kept in alike.items():
        striker = replace(STRIKER, resolve_max=5, resolve=resolve)
        terms = declare(Setup(attacker=striker, defender=BRAVE), Rulings()).facts.terms
        plan = Plan(BLADE.name, "attack", exertion=1)
        terms = replace(terms, striker=terms.striker._replace(exerted=striker.level))
        roll = roll_action.rule(Exchange(terms, plan=plan))
        assert isinstance(roll, Chance)
        assert HINTS.forget(roll, needed).then.facts.terms.striker.resolve == kept


@pytest.mark.parametrize("resolve", [4, 3, 2, 1])
def test_resolve_after_an_attack_that_calls_for_no_check_is_what_it_was(resolve: int) -> None:
    game = load("affinity", "weary").game
    at: At[Any] = game.start
    striker = at.facts.terms.striker._replace(resolve=resolve)
    terms = replace(at.facts.terms, striker=striker)
    begun = game._replace(start=At(at.step, at.facts._replace(terms=terms)))
    assert outcomes(begun, ("own_resolve",)).chance((resolve,)) == 1


def test_an_attack_that_calls_for_no_check_is_split_too() -> None:
    assert HINTS.splits is not None
    at = struck_at(2, 3)
    terms = replace(at.facts.terms, striker=NOBODY)
    both = HINTS.splits(At(at.step, at.facts._replace(terms=terms)), frozenset({"hd_lost"}))
    plain = HINTS.splits(at, frozenset({"hd_lost"}))
    assert both is not None
    assert plain is not None
    assert both[1] == plain[1]
    assert both[0].facts.burn == 3


def test_a_cloaked_place_is_the_same_for_all_targets_and_can_be_filled() -> None:
    assert HINTS.cloaks is not None
    starts = [
        declare(Setup(attacker=ORC, defender=BRAVE), Rulings()).facts.terms,
        declare(Setup(attacker=ORC, defender=replace(BRAVE, resolve=2)), Rulings()).facts.terms,
    ]
    one, other = (
        At(take_turn, Exchange(replace(terms, setup=starts[0].setup))) for terms in starts
    )
    first, second = HINTS.cloaks(one), HINTS.cloaks(other)
    assert first is not None
    assert second is not None
    assert first[0] == second[0]
    assert (filled(*_facts(first)), filled(*_facts(second))) == (one.facts, other.facts)


def _facts(cloaked: tuple[At[Exchange], Any]) -> tuple[Exchange, Any]:
    return cloaked[0].facts, cloaked[1]


def _careless(at: At[Exchange], minding: frozenset[str]) -> Any:
    """Leaves out what the attack burned."""
    assert HINTS.splits is not None
    both = HINTS.splits(at, minding)
    return both and (At(both[0].step, both[0].facts._replace(burn=0)), both[1])


def _lost(at: At[Exchange], minding: frozenset[str]) -> Any:
    """Leaves out a point of damage."""
    assert HINTS.splits is not None
    both = HINTS.splits(at, minding)
    if both is None:
        return None
    own, (step, x) = both
    return own, At(step, x._replace(damage=max(1, x.damage - 1)))


def _disguised(at: At[Exchange]) -> Any:
    """Takes every target for one without layers."""
    assert HINTS.cloaks is not None
    cloaked: Any = HINTS.cloaks(at)
    return cloaked and (cloaked[0], cloaked[1]._replace(layers=()))


@pytest.mark.parametrize(
    "wrong", [{"splits": _careless}, {"splits": _lost}, {"cloaks": _disguised}]
)
def test_wrong_hints_about_the_parts_of_an_exchange_are_found(wrong: dict[str, Any]) -> None:
    quick = contest("champion", "brass_sentry", "opening")
    hints: Any = replace(HINTS, **wrong)
    system = quick.system.with_hints(hints)
    with pytest.raises(AssertionError, match="with everything known"):
        compare_rows(Contest(system, quick.sides, quick.rulings, first=quick.first), exchanges=8)


PARTS = [
    (hd, lost, checked, stabilized)
    for hd in range(1, 8)
    for lost in range(4)
    for checked in (False, True)
    for stabilized in (False, True)
]


@pytest.mark.parametrize("needed", [EFFECTS, HIT, FELT], ids=["effects", "hit", "felt"])
@pytest.mark.parametrize("damage", [1, 3])
@pytest.mark.parametrize("daunts", [False, True])
def test_parts_with_one_key_leave_the_same_when_hit_dice_are_lost(
    needed: frozenset[str], damage: int, daunts: bool
) -> None:
    """Nothing else of the one who is struck is looked at from there on."""
    assert HINTS.parted is not None
    at = declare(Setup(attacker=STRIKER, defender=TARGET), Rulings())
    hidden: dict[str, Any] = dict.fromkeys(("hd", "lost", "checked", "stabilized"), UNKNOWN)
    terms = replace(at.facts.terms, struck=at.facts.terms.struck._replace(**hidden))
    place = At(lose_hd, Exchange(terms, done=Done("attack"), damage=damage, daunts=daunts))
    assert HINTS.pares is not None
    place = HINTS.pares(place, needed)
    left: dict[object, At[Exchange]] = {}
    for values in PARTS:
        part = Parts(("hd", "lost", "checked", "stabilized"), values)
        after = HINTS.pares(At(lose_hd, filled(place.facts, part)), needed)
        assert left.setdefault(HINTS.parted(place, part, needed), after) == after
    assert 1 < len(left) < len(PARTS)
    if needed != HIT:  # no fight asks for that alone
        assert len(left) == len(set(left.values())), "nothing is told apart that leaves the same"


def test_hidden_parts_are_told_apart_where_more_is_asked_for() -> None:
    at = declare(Setup(attacker=STRIKER, defender=TARGET), Rulings())
    part = Parts(("hd", "lost", "checked", "stabilized"), (3, 0, False, False))
    place = At(lose_hd, Exchange(at.facts.terms, done=Done("attack"), damage=1))
    assert HINTS.parted is not None
    assert HINTS.parted(place, part, frozenset({"hd"})) == part
    assert HINTS.parted(At(meet_damage, place.facts), part, EFFECTS) == part
