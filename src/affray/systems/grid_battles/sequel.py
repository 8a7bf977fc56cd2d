"""The next setup: units with the health that they have left, the board as it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from affray.core.errors import SetupError
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.grid_battles.map.board import label_of, of_side, refreshed, unit_of
from affray.systems.grid_battles.numbers import health_of
from affray.systems.grid_battles.sheet import Goal, Placed, Scenario, Setup, Unit
from affray.systems.grid_battles.state import PLAYERS, Board, Exchange, Terms

__all__ = ["LASTS", "RESETS", "after"]

RESETS = {"tired": "it had its turn in this round; `defender_status` says so of a defender"}
"""Fields of a fight's condition that the next setup does not carry, each with the reason."""


@cites("GB-9", "GB-16")
def after(setup: Setup, trail: Sequence[Exchange], rulings: Rulings) -> Setup:
    """The setup after a combat, or after a game whose rounds are over.

    Units that were removed are left out as long as others attack; the last attacker and the
    defender stay with no health, and can't be played with until others take their places.

    Raises:
        SetupError: a game that somebody has won, or that a player can't win any more.
    """
    outcome = trail[-1]
    if outcome.board is not None and setup.scenario is not None:
        return replace(setup, scenario=_after_game(setup.scenario, outcome.board, rulings))
    left: dict[Terms, int] = {}
    for facts in trail:
        if facts.terms is not None:
            left[facts.terms] = facts.attacker
    attackers = [setup.attacker, *setup.followers]
    points = [*left.values(), *[-1] * (len(attackers) - len(left))]
    standing = [
        unit if many < 0 else _with(unit, many, rulings)
        for unit, many in zip(attackers, points, strict=True)
        if many
    ]
    first, *others = standing or [_with(attackers[-1], 0, rulings)]
    return replace(
        setup,
        attacker=first,
        followers=tuple(others),
        defender=_with(setup.defender, outcome.defender, rulings),
    )


def _there(setup: Setup) -> int:
    """The attackers of a setup that are there."""
    return sum(unit.health > 0 for unit in (setup.attacker, *setup.followers))


def _army(side: str) -> Callable[[Setup, Setup], object]:
    return lambda _, after: len(getattr(after.scenario, side))


LASTS: Mapping[str, str | Callable[[Setup, Setup], object]] = {
    "health": "defender.health",
    "attackers_removed": lambda before, after: _there(before) - _there(after),
    "units_one": _army("one"),
    "units_other": _army("other"),
}
"""Outcome fields whose value stands in the next setup."""


def _with(unit: Unit, points: int, rulings: Rulings) -> Unit:
    """The unit with these points left; its track stays as long as it was."""
    health = health_of(points, rulings)
    if health == unit.health:
        return unit
    return replace(unit, health=health, health_max=unit.most)


@cites("GB-42", "GB-47", "GB-48")
def _after_game(scenario: Scenario, board: Board, rulings: Rulings) -> Scenario:
    if board.winner in PLAYERS:
        raise SetupError(f"player {board.winner} has won; nothing follows this game (GB-47)")
    war = board.war
    armies = [
        tuple(
            Placed(unit=_with(unit_of(war, place), piece.points, rulings),
                   hex=label_of(war, piece.hex))
            for place in of_side(board, side)
            if (piece := board.pieces[place]) is not None
        )
        for side in (0, 1)
    ]  # fmt: skip
    goals = [_goal(board, side, scenario.goals[side]) for side in (0, 1)]
    usual = goals == list(scenario.goals)
    return replace(
        scenario,
        one=armies[0],
        other=armies[1],
        starts="other" if refreshed(board, rulings).side else "one",
        destroy=scenario.destroy if usual else 0,
        one_wins=scenario.one_wins if usual else goals[0],
        other_wins=scenario.other_wins if usual else goals[1],
    )


def _goal(board: Board, side: int, goal: Goal) -> Goal:
    """The conditions that are left once losses and escapes so far are counted off."""
    foes = 1 - side
    lost = sum(board.pieces[place] is None for place in of_side(board, foes))
    destroy = max(0, goal.destroy - (lost - board.escaped[foes]))
    there = len(of_side(board, foes)) - lost
    if destroy > there:
        raise SetupError(
            f"player {PLAYERS[side]} can't destroy {destroy} units; {there} "
            f"{'is' if there == 1 else 'are'} left, so nothing follows this game (GB-47a)"
        )
    escape = max(0, goal.escape - board.escaped[side])
    return replace(goal, destroy=destroy, escape=escape, exits=goal.exits if escape else ())
