"""The command `picture`: the table as letters and as SVG, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from tests.cli.running import affray, asked

SVG = "{http://www.w3.org/2000/svg}"


def test_a_map_is_shown_as_it_stands_after_a_script() -> None:
    before, after = (
        affray("picture", "grid-battles", "ford"),
        affray("picture", "grid-battles", "ford", "--script"),
    )
    assert (before.returncode, after.returncode) == (0, 0)
    assert "LC:3" in before.stdout
    assert "LC:3" not in after.stdout  # it fell


@pytest.mark.parametrize(
    ("system", "name", "words"),
    [
        ("grid-battles", "chase", {"LC 1"}),
        ("emlia", "table", {"Reds", "Blues", "Bows"}),
        ("empty-earth", "past-the-hedge", {"orchard", "A", "D", "a1", "d1"}),
    ],
)
def test_a_drawing_is_an_svg_document(
    system: str, name: str, words: set[str], tmp_path: Path
) -> None:
    file = tmp_path / "table.svg"
    done = affray("picture", system, name, "--svg", str(file))
    assert done.returncode == 0
    root = fromstring(file.read_text(encoding="utf-8"))
    assert root.tag == f"{SVG}svg"
    assert root.find(f"{SVG}title") is not None
    assert words <= {"".join(text.itertext()).strip() for text in root.iter(f"{SVG}text")}


def test_both_are_in_the_json() -> None:
    data = asked("picture", "emlia", "table")
    assert (data["schema"], data["version"]) == ("affray/picture", 1)
    assert "Reds" in data["picture"]
    assert data["drawing"].startswith("<svg")


def test_nothing_to_look_at_is_said() -> None:
    done = affray("picture", "affinity", "dart")
    assert done.returncode == 1
    assert done.stderr == "affray: example dart: nothing to look at; affinity draws no table\n"
    done = affray("picture", "emlia", "emo-10")
    assert done.returncode == 1
    assert "nobody in it stands on a table" in done.stderr


def test_a_drawing_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    done = affray("picture", "emlia", "table", "--svg", str(tmp_path / "no" / "table.svg"))
    assert done.returncode == 3
    assert "can't be written" in done.stderr
