"""The view of a computer's decision."""

from __future__ import annotations

from affray.app.views.envelope import View
from affray.core.lazy import dataclass

__all__ = ["DecisionView"]


@dataclass(frozen=True)
class DecisionView(View):
    """The option that a computer takes at the open question of a game; nobody has taken it yet.

    Attributes:
        ask: the question. option: the name of the option.
        by: on what ground, as answers are noted: "solved", "look-ahead", "policy", ...
        policy: the policy that was asked for; "": the best there is.
        seed: of looks ahead.
        moves: how many moves the game had.
    """

    schema = "affray/decision"

    system: str
    setup: str
    ask: str
    option: str
    by: tuple[str, ...]
    policy: str
    seed: int
    moves: int
