"""What is said beside the options of a turn: the chance to hit, and to win the fight."""

from __future__ import annotations

from fractions import Fraction

from affray.app.views.envelope import View
from affray.app.views.fight_reports import ChanceRow
from affray.core.lazy import NamedTuple, dataclass

__all__ = ["HitChancesView", "HitDecision", "HitRow"]


class HitRow(NamedTuple):
    """An option, everything else in the turn as it stands.

    Attributes:
        name: of the option.
        hits: the exact chance that the attack hits; None: it is no attack, or not known in time.
        wins: the chance of the side that decides to win the fight; None: not asked, or not known.
    """

    name: str
    hits: Fraction | None
    wins: ChanceRow | None = None


class HitDecision(NamedTuple):
    """A decision of the turn: the key by which it is picked, what is asked, and its options."""

    key: str
    ask: str
    options: tuple[HitRow, ...]


@dataclass(frozen=True)
class HitChancesView(View):
    """The chance to hit, and to win, with each option of the turn that a fight waits for.

    Attributes:
        moves: after how many moves.
        side: "one" or "other": whose chances to win they are.
        is_struck: whether the one who decides is attacked; then it is the chance to be hit.
        hits: the exact chance that the attack hits with the turn as it stands; None as in a row.
        decisions: those of the turn; the first is the open question.
        policy: how decisions are taken that are left open.
        stopped_by: what ended the work before everything was known; "": nothing.
    """

    schema = "affray/hit-chances"
    system: str
    setup: str
    title: str
    moves: int
    side: str
    is_struck: bool
    hits: Fraction | None
    decisions: tuple[HitDecision, ...]
    policy: str
    stopped_by: str = ""
