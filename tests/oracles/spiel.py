"""Games of `tests/oracles/skirmish.py` for OpenSpiel, which must be installed."""

from __future__ import annotations

from typing import Any

from tests.oracles.skirmish import Chosen, Ended, Rolled, Rules, State


def spiel_game(rules: Rules, root: State) -> Any:
    """The game as OpenSpiel knows games: worth from -1 to 1, only choices and ends to look at."""
    import pyspiel  # no dependency of ours; only where it is installed

    kind = pyspiel.GameType
    game_type = kind(
        short_name="skirmish", long_name="Skirmish",
        dynamics=kind.Dynamics.SEQUENTIAL, chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.PERFECT_INFORMATION, utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL, max_num_players=2, min_num_players=2,
        provides_information_state_string=False, provides_information_state_tensor=False,
        provides_observation_string=False, provides_observation_tensor=False,
        parameter_specification={},
    )  # fmt: skip
    info = pyspiel.GameInfo(
        num_distinct_actions=8, max_chance_outcomes=8, num_players=2, min_utility=-1.0,
        max_utility=1.0, utility_sum=0.0, max_game_length=10_000,
    )  # fmt: skip

    class Position(pyspiel.State):  # type: ignore[misc, unused-ignore]  # no types there
        def __init__(self, game: Any) -> None:
            super().__init__(game)
            self.now = root

        def current_player(self) -> int:
            node = rules(self.now)
            if isinstance(node, Ended):
                return int(pyspiel.PlayerId.TERMINAL)
            return node.side if isinstance(node, Chosen) else int(pyspiel.PlayerId.CHANCE)

        def _legal_actions(self, player: int) -> list[int]:
            node = rules(self.now)
            assert isinstance(node, Chosen)
            return list(range(len(node.options)))

        def chance_outcomes(self) -> list[tuple[int, float]]:
            node = rules(self.now)
            assert isinstance(node, Rolled)
            return [(number, float(p)) for number, (p, _) in enumerate(node.branches)]

        def _apply_action(self, action: int) -> None:
            node = rules(self.now)
            assert not isinstance(node, Ended)
            ways = node.options if isinstance(node, Chosen) else node.branches
            self.now = ways[action][1]

        def is_terminal(self) -> bool:
            return isinstance(rules(self.now), Ended)

        def returns(self) -> list[float]:
            node = rules(self.now)
            worth = float(2 * node.worth - 1) if isinstance(node, Ended) else 0.0
            return [worth, -worth]

        def __str__(self) -> str:
            return str(self.now)

    class Game(pyspiel.Game):  # type: ignore[misc]  # no types there
        def __init__(self, params: Any = None) -> None:
            super().__init__(game_type, info, params or {})

        def new_initial_state(self) -> Position:
            return Position(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> None:
            return None

    return Game()
