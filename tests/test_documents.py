"""What hand-written documents promise: their length, their lines, the files and names in them."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_readme_is_short_and_starts_with_what_it_is() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 250
    first_screen = "\n".join(lines[:24])
    for wanted in ("affray resolves combat", "make run", "make test", "docs/images/affray.svg"):
        assert wanted in first_screen
