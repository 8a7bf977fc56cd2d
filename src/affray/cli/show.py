"""Views as text: who shows which.

Color never carries meaning alone; without a terminal, or with NO_COLOR, the text is the same.
"""

from __future__ import annotations

from importlib import import_module

from affray.app.views.envelope import View
from affray.cli.texts import plainly

__all__ = ["show"]


def show(view: View) -> None:
    """Show any view.

    Raises:
        TypeError: a view that has no text form.
    """
    if type(view).schema not in _SHOWN:
        raise TypeError(f"{type(view).__name__} has no text form")
    module, name = _SHOWN[type(view).schema]
    getattr(import_module(f"affray.cli.{module}"), name)(plainly(view))


_SHOWN = {
    "affray/systems": ("show_books", "show_systems"),
    "affray/roster": ("show_books", "show_roster"),
    "affray/rules": ("show_books", "show_rules"),
    "affray/rulings": ("show_books", "show_rulings"),
    "affray/import": ("show_sheets", "show_import"),
    "affray/new": ("show_sheets", "show_made"),
    "affray/sheet": ("show_sheets", "show_sheets"),
    "affray/play": ("show_exchanges", "show_play"),
    "affray/picture": ("show_exchanges", "show_picture"),
    "affray/odds": ("show_exchanges", "show_odds"),
    "affray/advice": ("show_advice", "show_advice"),
    "affray/best": ("show_exchanges", "show_best"),
    "affray/best-estimate": ("show_estimates", "show_best_estimate"),
    "affray/fight-chances": ("show_report", "show_chances"),
    "affray/fight-report": ("show_report", "show_report"),
    "affray/duel-estimate": ("show_estimates", "show_duel_estimate"),
    "affray/odds-estimate": ("show_estimates", "show_odds_estimate"),
    "affray/duel": ("show_fights", "show_duel"),
    "affray/battle": ("show_battles", "show_battle"),
    "affray/battle-comparison": ("show_battles", "show_comparison"),
    "affray/battle-matrix": ("show_battles", "show_matrix"),
}
"""For each view by its schema who shows it: the module and the function in it."""
