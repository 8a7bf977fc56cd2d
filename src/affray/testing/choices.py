"""Choices that fights ask for: an option that changes nothing is no option."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.core.node import At, Choice, Facts, Option
from affray.core.ruling import Rulings
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Session, StepTaken
from affray.engine.fight.contest import Contest
from affray.testing.cases import Case
from affray.testing.fights import battles_for, fights_and_duels
from affray.testing.law import Law, law
from affray.testing.material import Material, ended
from affray.testing.prices import priced

__all__ = ["LAWS"]

TRIALS = 40
"""Times that each option of a choice is played on at random."""


class _Chosen(NamedTuple):
    """A choice of a battle that was played: the game that it came up in, and its options."""

    game: Game
    options: tuple[Option[Facts], ...]


def _chosen(material: Material) -> Iterator[Case]:
    """Choices that were made in battles, by step and readings."""
    found: dict[tuple[str, Rulings], dict[At[Facts], _Chosen]] = {}
    for _, contest in fights_and_duels(material):
        if contest.board is not None:
            continue  # its exchanges go on from each other
        for game, taken in _taken(material, contest):
            if isinstance(taken.node, Choice) and len(taken.node.options) > 1:
                chosen = found.setdefault((taken.at.step.name, contest.rulings), {})
                chosen[taken.at] = _Chosen(game, taken.node.options)
    yield from (Case(f"step {name}", list(chosen.values())) for (name, _), chosen in found.items())


def _taken(material: Material, contest: Contest) -> Iterator[tuple[Game, StepTaken]]:
    """The steps of every exchange in some battles of a fight."""
    try:
        for battle in battles_for(material, contest):
            for one in priced(contest, battle):
                game = Game(contest.system, one.at, {}, one.matchup.plans)
                played = Session.replay(game, one.entry.answers)
                yield from ((game._replace(narrow=None), taken) for taken in played.steps_taken)
    except LimitError:
        raise
    except Exception:  # somebody else's code; laws of `fights` tell what is wrong with it
        return


@law("places", "Carry out what the options say, or let the step go on without a question.",
     over=_chosen)  # fmt: skip
def choices_change_a_fight(material: Material, choices: Sequence[_Chosen]) -> Iterator[str]:
    """A choice that fights ask for has options after which they go on differently."""
    if not any(_parts_ways(*chosen) for chosen in choices):
        names = ", ".join(option.name for option in choices[0].options)
        yield f"it offers {names}, and a fight goes on the same way after each of them"


def _parts_ways(game: Game, options: Sequence[Option[Facts]]) -> bool:
    """Whether options, played on with the same seed, have different effects on those who fight."""
    fight = game.system.fight
    assert fight is not None
    for seed in range(TRIALS):
        effects = set()
        for option in options:
            end = ended(game._replace(start=option.at), seed).outcome
            assert end is not None
            roles = fight.effect(end, "actor"), fight.effect(end, "target")
            effects.add((roles, fight.helped(end)))
        if len(effects) > 1:
            return True
    return False


LAWS: tuple[Law, ...] = (choices_change_a_fight,)
