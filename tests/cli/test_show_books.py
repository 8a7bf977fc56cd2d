"""Books as text."""

from __future__ import annotations

import pytest

from affray.app.views.books import RulingsView
from affray.cli.show_books import show_rulings


def test_a_system_without_rulings_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    show_rulings(RulingsView("brawl", "", "", (), (), (), partial=False, stopped_by=""))
    assert capsys.readouterr().out == "brawl has no rulings: its rules have one reading.\n"
