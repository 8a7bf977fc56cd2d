"""Styles: what a sheet of one kind of view says holds there, and nowhere by accident."""

import re
from pathlib import Path

import pytest

import affray.web

SHEETS = sorted((Path(affray.web.__file__).parent / "static").glob("*.css"))
RULE = re.compile(r"([^{}]+)\{(?!\s*[^{}]*\{)[^{}]*\}")


def bare_selectors(css: str) -> list[str]:
    """Selectors that any page could match: no class, id or attribute stands in them."""
    plain = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    selectors = (one for rule in RULE.finditer(plain) for one in re.split(r",(?![^(]*\))", rule[1]))
    return [one.strip() for one in selectors if not re.search(r"[.#\[]|:root", one)]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.stem)
def test_only_the_common_sheet_styles_bare_elements(sheet: Path) -> None:
    found = bare_selectors(sheet.read_text())
    assert bool(found) == (sheet.name == "base.css"), found


def test_a_bare_element_is_found_within_a_condition_too() -> None:
    css = ".a b { c: d } @media print { main p, .e { f: g } } summary { h: i }"
    assert bare_selectors(css) == ["main p", "summary"]
