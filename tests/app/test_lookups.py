"""Looking things up in a roster: sections, entries, entries as they stand in a file."""

from __future__ import annotations

import tomllib

import pytest
from click.testing import CliRunner

from affray.app.lookups import show_roster
from affray.app.registry import system_ids
from affray.app.views.toml_text import entry_text
from affray.cli.main import app
from affray.core.errors import UnknownNameError


def shown(*words: str) -> str:
    done = CliRunner().invoke(app, ["roster", *words], env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    return done.stdout


def test_an_entry_is_found_by_its_name() -> None:
    (row,) = show_roster("eclipse-phase", "medium-pistol").entries
    assert (row.section, row.name) == ("weapons", "medium_pistol")


def test_a_section_is_found_by_its_name() -> None:
    rows = show_roster("eclipse-phase", "weapons").entries
    assert len(rows) > 1
    assert {row.section for row in rows} == {"weapons"}


def test_neither_section_nor_entry_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"roster section or entry.*mean 'medium_pistol'"):
        show_roster("eclipse-phase", "medium_pistl")


@pytest.mark.parametrize("system", system_ids())
def test_entries_shown_whole_read_back_as_they_are(system: str) -> None:
    for row in show_roster(system).entries:
        read = tomllib.loads(entry_text(row.section, row.name, row.values))
        assert read == {row.section: {row.name: row.values}}


def test_a_single_entry_is_shown_whole() -> None:
    text = shown("empty-earth", "ada")
    (row,) = show_roster("empty-earth", "ada").entries
    assert tomllib.loads(text)["fighters"]["ada"] == row.values


def test_the_list_says_where_the_rest_is() -> None:
    assert "cubes ..." in shown("empty-earth", "fighters")
    assert "`affray roster empty-earth NAME` shows one whole" in shown("empty-earth", "fighters")
    assert "..." not in shown("empty-earth", "fighters", "--whole")
