"""Odds: the toy duel against plain enumeration, joint, under conditions and policies."""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.app.inputs.setups import load
from affray.core.distribution import Distribution
from affray.core.errors import LimitError, SetupError
from affray.core.node import At, Chance, Choice, Facts, Option
from affray.engine.budget import Budget
from affray.engine.exchange import tails
from affray.engine.exchange.flow import Flow
from affray.engine.exchange.keeping import forget_kernels
from affray.engine.exchange.odds import fields_named, odds, outcomes
from tests.engine import toy, trees
from tests.engine.toy import BLOCK, FORGETTING, SYSTEM, always, duel
from tests.engine.trees import TREES, Leaf, Roll, Tree, game_of

Joint = Mapping[tuple[int, int], Fraction]
"""Chance of each (damage, hits)."""

ROLLS = {("crown", face): Fraction(1, 3 * 8) for face in range(1, 9)} | {
    ("cross", face): Fraction(2, 3 * 6) for face in range(1, 7)
}
"""Coin and attack die."""


def one_target(
    armor: int,
    *,
    reroll: Callable[[str, int, int], bool] = lambda coin, die, guard: False,
    gamble: Callable[[int, int], bool] = lambda die, guard: False,
) -> dict[int, Fraction]:
    """Damage to one target, every face in turn: written without any of the engines."""
    found: Counter[int] = Counter()

    def strike(die: int, guard: int, chance: Fraction) -> None:
        if gamble(die, guard):
            found[0] += chance / 3  # type: ignore[assignment]  # a Counter of Fractions
            found[max(0, die - armor)] += chance * 2 / 3  # type: ignore[assignment]  # the same
        else:
            found[max(0, die - armor - guard)] += chance  # type: ignore[assignment]  # the same

    for (coin, die), chance in ROLLS.items():
        for guard in range(1, 5):
            if not reroll(coin, die, guard):
                strike(die, guard, chance / 4)
                continue
            sides = 8 if coin == "crown" else 6
            for again in range(1, sides + 1):
                strike(again, guard, chance / 4 / sides)
    return {damage: Fraction(chance) for damage, chance in found.items() if chance}


def several(*targets: Mapping[int, Fraction]) -> dict[tuple[int, int], Fraction]:
    """Damage and hits over several targets that don't touch each other."""
    found: Counter[tuple[int, int]] = Counter()
    for rows in product(*(target.items() for target in targets)):
        chance = Fraction(1)
        for _, share in rows:
            chance *= share
        key = (sum(damage for damage, _ in rows), sum(damage > 0 for damage, _ in rows))
        found[key] += chance  # type: ignore[assignment]  # a Counter of Fractions
    return {key: Fraction(chance) for key, chance in found.items()}


# -- by hand ---------------------------------------------------------------------------------


def test_one_target_counted_by_hand() -> None:
    # Armor 3 and a guard of 1 to 4 leave only 5 and more to get through. Of the 4 x 8 rolls on
    # a crown 4 + 3 + 2 + 1 do (5 beats one guard, 6 two, 7 three, 8 four), of the 4 x 6 on a
    # cross 1 + 2.
    chance = odds(duel(3, settled=BLOCK), "hits").chance(1)
    assert chance == Fraction(1, 3) * Fraction(10, 32) + Fraction(2, 3) * Fraction(3, 24)


def test_gamble_counted_by_hand() -> None:
    # A crown saves all (1 in 3); otherwise the whole die counts: its mean is 4.5 or 3.5.
    game = duel(settled={"choose_reroll": ("keep",), "choose_stance": ("gamble",)})
    assert odds(game).mean() == Fraction(2, 3) * (
        Fraction(1, 3) * Fraction(9, 2) + Fraction(2, 3) * Fraction(7, 2)
    )


def test_first_field_is_the_default() -> None:
    game = duel(2, settled=BLOCK)
    assert odds(game) == odds(game, "damage") == odds(game, "harm")
    assert outcomes(game) == outcomes(game, ("damage",))


@pytest.mark.parametrize("armor", [0, 1, 4, 8])
def test_one_target_by_enumeration(armor: int) -> None:
    assert odds(duel(armor, settled=BLOCK)).fractions() == one_target(armor)


@pytest.mark.parametrize("targets", [(0, 3), (2, 2), (1, 4, 0), (6, 6, 6)])
def test_several_targets_by_enumeration(targets: tuple[int, ...]) -> None:
    joint = outcomes(duel(*targets, settled=BLOCK), ("damage", "hits"))
    assert joint.fractions() == several(*(one_target(armor) for armor in targets))


def test_many_equal_targets_are_trials() -> None:
    single = one_target(4)
    p_hit = 1 - single[0]
    game = duel(*[4] * 12, settled=BLOCK, system=FORGETTING)
    hits = odds(game, "hits")
    for number in range(13):
        assert hits.chance(number) == (
            comb(12, number) * p_hit**number * (1 - p_hit) ** (12 - number)
        )
    assert odds(game).mean() == 12 * sum(damage * share for damage, share in single.items())


def test_loot_needs_the_last_roll() -> None:
    p_hit = 1 - one_target(3)[0]
    loot = odds(duel(3, settled=BLOCK), "loot")
    assert loot.fractions() == {0: 1 - p_hit} | dict.fromkeys(range(1, 7), p_hit / 6)


def test_no_target_at_all() -> None:
    game = duel()._replace(start=At(SYSTEM.start, toy.Duel(())))
    assert outcomes(game, ("damage", "hits", "loot")).fractions() == {(0, 0, 0): 1}


# -- policies --------------------------------------------------------------------------------


def test_policy_decides_what_is_open() -> None:
    low = odds(duel(1, points=1), decide=always("reroll", "block"))
    assert low.fractions() == one_target(1, reroll=lambda coin, die, guard: True)
    bold = odds(duel(1, points=1), decide=always("gamble"))
    assert bold.fractions() == one_target(1, gamble=lambda die, guard: True)


def test_policy_sees_the_place_and_the_choice() -> None:
    def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        facts = toy.facts_of(at.facts)
        about = dict(choice.about)
        assert about["die"] == facts.die
        assert (
            choice.actor == {"choose_reroll": "attacker", "choose_stance": "defender"}[at.step.name]
        )
        wanted = {"choose_reroll": facts.die <= 3, "choose_stance": facts.die > 2 * facts.guard}
        return choice.options[wanted[at.step.name]]

    assert odds(duel(1, points=1), decide=decide).fractions() == one_target(
        1,
        reroll=lambda coin, die, guard: die <= 3,
        gamble=lambda die, guard: die > 2 * guard,
    )


def test_settled_choices_win_over_the_policy() -> None:
    game = duel(1, points=1, settled={"choose_stance": ("block",)})
    assert odds(game, decide=always("reroll", "gamble")).fractions() == one_target(
        1, reroll=lambda coin, die, guard: True
    )


def test_policy_is_not_asked_where_there_is_one_option() -> None:
    asked: list[str] = []

    def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        asked.append(at.step.name)
        return choice.options[0]

    odds(duel(1, points=0), decide=decide)
    assert set(asked) == {"choose_stance"}


def test_points_are_spent_once() -> None:
    # Two targets, one point: the reroll is gone after the first.
    joint = outcomes(duel(1, 1, points=1), ("damage", "hits"), decide=always("reroll", "block"))
    first = one_target(1, reroll=lambda coin, die, guard: True)
    assert joint.fractions() == several(first, one_target(1))


def test_open_choice_without_a_policy_is_refused() -> None:
    with pytest.raises(SetupError) as caught:
        odds(duel(1, settled={"choose_reroll": ("keep",)}))
    assert str(caught.value) == (
        "choose_stance (stance?) is open; settle it to one of block, gamble, or give a policy"
    )


# -- conditions and fields -------------------------------------------------------------------


def test_given_divides_by_the_condition() -> None:
    whole = several(one_target(2), one_target(2))
    p_two = sum(chance for (_, hits), chance in whole.items() if hits == 2)
    given_two = odds(duel(2, 2, settled=BLOCK), given={"hits": lambda hits: hits == 2})
    assert given_two.fractions() == {
        damage: chance / p_two for (damage, hits), chance in whole.items() if hits == 2
    }


def test_several_conditions_hold_together() -> None:
    game = duel(0, settled=BLOCK)
    some: Any = {"hits": lambda hits: hits, "harm": lambda damage: damage <= 2}
    base = one_target(0)
    assert odds(game, given=some).fractions() == {
        damage: base[damage] / (base[1] + base[2]) for damage in (1, 2)
    }


def test_condition_on_another_lap_than_the_field() -> None:
    # Loot is rolled after damage is settled; asking for damage given loot needs both.
    base = one_target(0)
    found = odds(duel(settled=BLOCK), given={"loot": lambda loot: loot == 6})
    assert found.fractions() == {
        damage: chance / (1 - base[0]) for damage, chance in base.items() if damage
    }


def test_condition_that_never_holds_names_the_fields() -> None:
    with pytest.raises(SetupError, match="the condition on hits never holds here"):
        odds(duel(9, settled=BLOCK), given={"hits": lambda hits: hits == 1})


def test_joint_fields_come_in_the_order_asked() -> None:
    game = duel(1, settled=BLOCK)
    there = outcomes(game, ("hits", "damage", "hits"))
    back = outcomes(game, ("damage", "hits"))
    assert there.map(lambda row: (row[1], row[0])) == back
    assert all(row[0] == row[2] for row in there)


def test_marginals_of_the_joint_are_the_odds() -> None:
    game = duel(1, 2, settled=BLOCK)
    joint = outcomes(game, ("damage", "hits", "loot"))
    for place, name in enumerate(("damage", "hits", "loot")):
        assert joint.map(lambda row, place=place: row[place]) == odds(game, name)  # type: ignore[misc]  # a default binds the place


@pytest.mark.parametrize(
    ("asked", "conditions"),
    [(("heat",), {}), (("damage", "heat"), {}), (("damage",), {"heat": bool})],
)
def test_unknown_field_lists_the_fields(asked: tuple[str, ...], conditions: Any) -> None:
    with pytest.raises(
        SetupError,
        match=r"no outcome field of toy is called 'heat'.*Known: damage, harm, hits, points, loot",
    ):
        outcomes(duel(settled=BLOCK), asked, given=conditions)


def test_fields_named() -> None:
    assert [field.name for field in fields_named(SYSTEM, ())] == ["damage"]
    assert [field.name for field in fields_named(SYSTEM, ("loot", "harm"))] == ["loot", "damage"]


# -- what may not change the answer ----------------------------------------------------------


@pytest.mark.parametrize("names", [("damage",), ("hits",), ("points",), ("damage", "loot")])
def test_forgetting_changes_no_answer(names: tuple[str, ...]) -> None:
    decide = always("reroll", "gamble")
    plain = outcomes(duel(1, 2, 1, points=2), names, decide=decide)
    dropped = outcomes(duel(1, 2, 1, points=2, system=FORGETTING), names, decide=decide)
    assert plain == dropped
    assert sum(dropped.fractions().values()) == 1


def test_forgetting_is_told_which_fields_are_asked_for() -> None:
    seen: set[frozenset[str]] = set()

    def forget(roll: Chance[Any], needed: frozenset[str]) -> Chance[Any]:
        seen.add(needed)
        return roll

    system = toy.duel_system(forget=forget)
    odds(duel(settled=BLOCK, system=system), "harm", given={"hits": bool})
    assert seen == {frozenset({"damage", "hits"})}


@given(TREES, st.integers(0, 2), st.integers(0, 2))
def test_random_trees_by_walking_every_path(tree: Tree, first: int, second: int) -> None:
    names = (trees.name_of(first), trees.name_of(second))
    found: Counter[Leaf] = Counter()

    def walk(at: Tree, chance: Fraction) -> None:
        if isinstance(at, Leaf):
            found[at] += chance  # type: ignore[assignment]  # a Counter of Fractions
        elif isinstance(at, Roll):
            for weight, branch in zip(at.weights, at.branches, strict=True):
                walk(branch, chance * Fraction(weight, sum(at.weights)))
        else:
            size = len(at.branches)
            wanted = first if first < size else second if second < size else 0
            walk(at.branches[wanted], chance)

    walk(tree, Fraction(1))
    joint = outcomes(game_of(tree), trees.ACTORS, decide=always(*names))
    assert joint.fractions() == {tuple(end): Fraction(chance) for end, chance in found.items()}


# -- limits ----------------------------------------------------------------------------------


def test_limit_is_passed_on() -> None:
    with pytest.raises(LimitError, match="over 10 places"):
        odds(duel(1, 1, settled=BLOCK), budget=Budget(places=10))
    with pytest.raises(LimitError):
        outcomes(duel(1, 1, settled=BLOCK), ("hits",), budget=Budget(places=10))


# -- ends that several exchanges share -----------------------------------------------------------


def _sweep(field: str, *, given: bool = False) -> list[Distribution[object]]:
    """An attack with a blade at several skills, one after the other; `given`: if it hits."""
    known = {"hit": bool} if given else {}
    found = []
    for melee in (40, 45, 50, 55, 45):
        raw = {
            "attacker": {"name": "A", "melee": melee},
            "defender": {"name": "B", "fray": 30, "kinetic": 6, "durability": 30},
            "weapon": {"name": "W", "form": "melee", "skill": "melee", "d10": 2},
            "choose": {
                "choose_style": "plain", "choose_called_shot": "none", "choose_defence": "fray",
            },
        }  # fmt: skip
        found.append(odds(load("eclipse-phase", raw).game, field, given=known))
    return found


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("field", ["net", "wounds", "dead", "hit"])
def test_ends_that_are_shared_by_a_sweep_change_no_number(
    field: str, given: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_kernels()
    shared = _sweep(field, given=given)
    monkeypatch.setattr(tails, "MOST_TAILS", 0)  # nothing is shared any more
    forget_kernels()
    assert shared == _sweep(field, given=given)


def test_ends_are_worked_out_once_for_a_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    followed: list[At[Facts]] = []
    plain = Flow._tail

    def note(self: Flow, at: At[Facts], known: tails.Tails) -> tails.Tail:
        followed.append(at)
        return plain(self, at, known)

    monkeypatch.setattr(Flow, "_tail", note)
    forget_kernels()
    _sweep("wounds")
    steps = {at.step.name for at in followed}
    assert steps == {"roll_defence", "compare_rolls"}, "they lead to places of the first skills"
    assert len(followed) == len(set(followed))
    _sweep("wounds")
    assert len(followed) == len(set(followed))
