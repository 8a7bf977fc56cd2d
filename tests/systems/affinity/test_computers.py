"""What computers do by default: the text says that monsters exert, and so does everybody."""

from __future__ import annotations

from itertools import product

import pytest

from affray.app.inputs.fight_setups import load_fight
from affray.app.sources import Names
from affray.engine.fight.duels.duel import Duel


@pytest.mark.parametrize(
    ("names", "most"), [(("squire", "novice"), "1"), (("fighter", "orc_raider"), "3")]
)
def test_af73_an_opening_exerts_all_that_is_allowed(names: tuple[str, str], most: str) -> None:
    contest = load_fight("affinity", Names(*names)).contest
    (plan,) = contest.sides[0].plans.values()
    assert dict(plan.habits)["choose_exertion"] == (most,)


def test_af6_the_squire_hits_twice_as_hard_with_a_die_of_exertion() -> None:
    """By hand: 2+ is a success, a 6 two; base 1, one point more for a success beyond it."""

    def harm(dice: int) -> float:
        found = 0.0
        for faces in product(range(1, 7), repeat=dice):
            successes = sum(2 if face == 6 else face > 1 for face in faces)
            found += 1 + min(successes - 1, 1) if successes else 0
        return found / float(6**dice)

    assert harm(2) > 1.6 * harm(1)
    exerts, spares = (
        Duel(load_fight("affinity", {
            "first": "coin",
            "one": {"fighters": ["squire"], "choose": {"choose_exertion": n}},
            "other": {"fighters": ["squire"], "choose": {"choose_exertion": "0"}},
        }).contest).solve().won[0]
        for n in "10"
    )  # fmt: skip
    assert exerts > spares + 0.15
