"""Habits that nothing offered: refused where the choice comes up, told where they may exist."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from affray.app.duel import ask_duel
from affray.app.inputs import habits
from affray.app.inputs.fight_changes import FightChanges
from affray.app.inputs.fight_setups import LoadedFight
from affray.app.inputs.habits import check_habits
from affray.app.sources import Shipped
from affray.core.errors import SetupError
from affray.core.telling import AffrayWarning
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.optimal import BestDuel
from affray.engine.fight.plans import Plan, Rest
from tests import fight_systems as games
from tests.fight_systems import Fighter

ONE, OTHER = Fighter("One", 4, sides=4), Fighter("Other", 4, sides=3)


@pytest.fixture
def _of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package of these games is that of all tests; words of other tests are none of them."""
    own = {name: module for name, module in sys.modules.items()
           if not name.startswith("tests.") or name == games.__name__}  # fmt: skip
    monkeypatch.setattr(habits, "sys", SimpleNamespace(modules=own))


def loaded(*names: str, step: str = "choose_blow", rest: Rest = "first") -> LoadedFight:
    """A duel in which the first side has a habit."""
    both = games.contest(games.choosing, ONE, OTHER, "one", Plan("first"))
    one = both.sides[0]._replace(plan=Plan(rest, ((step, names),)))
    contest = both.changed(sides=(one, both.sides[1]))
    return LoadedFight(contest, ("first", "first"), ("weakest", "weakest"), None, "", "toy", {})


def sampled(contest: Contest) -> None:
    from affray.engine.fight.sampled.battle import Battle

    Battle(contest, targeting=("weakest", "weakest"), rounds=9).run(50, seed=1)


WORK: dict[str, Callable[[Contest], object]] = {
    "duel": Duel, "optimal": BestDuel, "battle": sampled,
}  # fmt: skip
over_work = pytest.mark.parametrize("work", WORK)
over_rest = pytest.mark.parametrize("rest", ["first", "any"])


@over_work
@over_rest
def test_an_option_on_offer_is_no_matter(work: str, rest: Rest) -> None:
    fight = loaded("wild", rest=rest)
    WORK[work](fight.contest)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_habits(fight)


@pytest.mark.usefixtures("_of_its_own")
@over_work
@over_rest
def test_an_option_that_nobody_offers_is_refused(work: str, rest: Rest) -> None:
    fight = loaded("steady", "wildd", rest=rest)
    WORK[work](fight.contest)
    message = (
        "toy: one.choose: choose_blow: no option is called 'wildd'. Did you mean 'wild'? On "
        "offer in this fight: steady, wild"
    )
    with pytest.raises(SetupError) as caught:
        check_habits(fight)
    assert " ".join(str(caught.value).split()) == message


@pytest.mark.usefixtures("_of_its_own")
@over_work
def test_an_option_that_the_rules_know_is_told(work: str) -> None:
    """The deed of another game of the same module; the words stand in its code."""
    fight = loaded("second wind")
    WORK[work](fight.contest)
    with pytest.warns(AffrayWarning, match="'second wind' was never on offer"):
        check_habits(fight)


@over_work
def test_a_choice_that_never_came_up_is_told(work: str) -> None:
    fight = loaded("wild", step="roll_blow")
    WORK[work](fight.contest)
    with pytest.warns(AffrayWarning, match="roll_blow: this choice never came up"):
        check_habits(fight)


def test_one_side_is_enough() -> None:
    """The other side never acts; what it would do is nobody's fault."""
    fight = loaded("wild")
    one, other = fight.contest.sides
    both = (one, other._replace(plan=one.plan, idle=True))
    fight = fight._replace(contest=fight.contest.changed(sides=both))
    Duel(fight.contest)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_habits(fight)


def test_af_a_typo_is_refused_before_anything_is_solved() -> None:
    changes = FightChanges(settle={"choose_exertion": ("typo",)})
    with pytest.raises(SetupError, match="choose_exertion: no option is called 'typo'"):
        ask_duel("affinity", Shipped("novices"), changes=changes)


def test_ep_an_option_of_other_fights_is_told() -> None:
    changes = FightChanges(settle={"choose_defence": ("full",)})
    with pytest.warns(AffrayWarning, match="choose_defence: 'full' was never on offer"):
        ask_duel("eclipse-phase", Shipped("w6"), changes=changes)
