"""A game or a fight as a text for another program."""

from __future__ import annotations

from affray.app.views.envelope import View
from affray.core.lazy import dataclass

__all__ = ["ExportView"]


@dataclass(frozen=True)
class ExportView(View):
    """A game or a fight, or a part of it, as a text for another program.

    Attributes:
        form, part: what is written, and how much of it; see `affray.app.exports`.
        text: to be copied. messages: of Foundry VTT: the source data of its chat messages.
        entries: how many there are to be told. left_out: how many of the first are not in the text.
    """

    schema = "affray/export"
    system: str
    setup: str
    title: str
    form: str
    part: str
    text: str
    messages: tuple[dict[str, object], ...]
    entries: int
    left_out: int
