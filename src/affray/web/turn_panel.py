"""A turn as one panel: the deed and all that belongs to it, as lists with the usual chosen."""

from __future__ import annotations

from collections.abc import Mapping

from affray.app.fight import Fight
from affray.app.turns import turn_of
from affray.core.lazy import NamedTuple
from affray.web.games import Look, asked_at
from affray.web.questions import sentence

__all__ = ["PICK", "Panel", "Pick", "panel_of"]

PICK = "pick:"
"""Fields of a form whose names begin so are decisions of a turn; then comes the decision's key."""


class Pick(NamedTuple):
    """A decision of a turn.

    Attributes:
        id: of its list. key: of the decision. label: what is decided.
        options: name, words, and whether it is chosen.
    """

    id: str
    key: str
    label: str
    options: tuple[tuple[str, str, bool], ...]

    @property
    def name(self) -> str:
        """The name of its field."""
        return f"{PICK}{self.key}"


class Panel(NamedTuple):
    """A turn to be decided.

    Attributes:
        picks: its decisions. told: the whole of it in one line.
    """

    picks: tuple[Pick, ...]
    told: str

    @property
    def chosen(self) -> Mapping[str, str]:
        """The option that stands in each list, by the keys of decisions."""
        return {
            pick.key: name
            for pick in self.picks
            for name, _, is_chosen in pick.options
            if is_chosen
        }


def _told(name: str, words: str) -> str:
    """An option in a list: its words alone where its name says nothing more."""
    if not words or words == name:
        return name
    return words if name in {"no", "none"} else f"{name}: {words}"


def panel_of(look: Look, picks: Mapping[str, str]) -> Panel | None:
    """The panel of the open turn; None: no turn is to be decided.

    Args:
        look: at the game.
        picks: what was chosen in it so far, by the keys of decisions.
    """
    if not isinstance(look.game, Fight) or look.fight.loaded.whole is not None:
        return None
    question = look.game.asked
    if question is None or question.kind != "deed" or look.view.question is None:
        return None
    turn = turn_of(look.game, picks=picks)
    at = asked_at(look.game)
    return Panel(
        tuple(
            Pick(
                f"pick-{at}-{number}",
                one.key,
                sentence(f"{one.who}: {one.label}" if one.who else one.label)
                if one.step
                else "What to do",
                tuple(
                    (name, _told(name, words), name == one.option)
                    for name, words in zip(one.names, one.words, strict=True)
                ),
            )
            for number, one in enumerate(turn.decided)
            if len(one.names) > 1
        ),
        turn.told,
    )  # fmt: skip
