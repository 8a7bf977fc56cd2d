"""The map of a fight: a drawing on which hexes and units answer the open question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from affray.app.picture import draw_fight
from affray.app.rights import may_answer
from affray.app.views.exchanges import OptionRow
from affray.app.views.played_fights import FightView
from affray.core.drawing import Press, Spot, as_buttons, prefixed, spots_of
from affray.core.lazy import NamedTuple
from affray.web.games import Look

__all__ = ["MapPart", "map_of"]

PREFIX = "map-"


class MapPart(NamedTuple):
    """The map: an SVG, and whether something on it answers the open question."""

    drawing: Markup
    answers: bool


def map_of(look: Look, view: FightView, chances: Mapping[str, str]) -> MapPart | None:
    """The map of a fight; None where nothing is drawn.

    Args:
        look: at the fight.
        view: of it.
        chances: to hit, by the options of the open question.
    """
    drawing = draw_fight(look.fight, look.role).drawing
    if not drawing:
        return None
    question = view.question
    mine = question is not None and not look.seen.computing and may_answer(look.game, look.role)
    options = question.options if question is not None and mine else ()
    presses = _presses(spots_of(drawing), options, chances)
    made = as_buttons(drawing, presses)
    return MapPart(
        Markup(prefixed(made, PREFIX)),  # made by core.drawing, every text escaped
        any(press.options for press in presses.values()),
    )


def _presses(
    spots: Sequence[Spot], options: Sequence[OptionRow], chances: Mapping[str, str]
) -> dict[tuple[str, str], Press]:
    """The buttons of a map: its places, with what stands there; without places its units."""
    places = [spot for spot in spots if spot.kind == "place"]
    units = [spot for spot in spots if spot.kind == "unit"]
    found = {}
    for spot in places or units:
        here = [unit for unit in units if unit.at == spot.name] if places else [spot]
        meant = [one for one in options if spot.kind == "place" and one.place == spot.name]
        names = {unit.name for unit in here}
        meant = meant or [one for one in options if _stands_for(one) in names]
        told = [chances[one.name] for one in meant if one.name in chances]
        found[spot.kind, spot.name] = Press(
            _label(spot, here, meant, chances),
            tuple(one.name for one in meant),
            " / ".join(dict.fromkeys(told)),
        )
    return found


def _stands_for(option: OptionRow) -> str:
    """The unit that an option means on a map; "": none, or a place."""
    return "" if option.place else option.target or option.unit


def _label(
    spot: Spot, here: Sequence[Spot], meant: Sequence[OptionRow], chances: Mapping[str, str]
) -> str:
    """What stands somewhere, and what pressing it does."""
    stands = [unit.title or unit.name for unit in here if unit is not spot]
    does = [
        (one.words or one.name) + (f", {chances[one.name]} to hit" if one.name in chances else "")
        for one in meant
    ]
    what = ", ".join((spot.title or spot.name, *stands))
    return f"{what}: {' or '.join(does)}" if does else what
