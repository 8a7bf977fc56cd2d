"""Looking things up in a roster: sections, entries, entries as they stand in a file."""

from __future__ import annotations

import tomllib

import pytest
from click.testing import CliRunner

from affray.app.fight import Fight
from affray.app.lookups import list_systems, show_roster
from affray.app.play import PlayedGame
from affray.app.registry import system_ids
from affray.app.sources import Shipped
from affray.app.views.toml_text import entry_text
from affray.cli.main import app
from affray.core.errors import AnswerError, SetupError, UnknownNameError


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


# -- examples and fights ---------------------------------------------------------------------------

SYSTEMS = [name for name in system_ids() if (list_systems(name).systems[0].examples)]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_few_cases_are_for_people(system: str) -> None:
    """A list of at most eight, each with a title and a sentence that nothing else has."""
    (row,) = list_systems(system).systems
    for rows in (row.examples, row.fights):
        cases = [one for one in rows if one.kind == "case"]
        assert 3 <= len(cases) <= 8
        assert all(one.title and one.purpose.endswith(".") for one in cases)
        assert len({one.title for one in cases} | {one.purpose for one in cases}) == 2 * len(cases)
        assert not [one for one in rows if one.kind != "case" and one.purpose]


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_there_to_be_refused_is_refused_and_nothing_else(system: str) -> None:
    (row,) = list_systems(system).systems
    refused = set()
    for one in row.examples:
        try:
            PlayedGame.begin(system, Shipped(one.name))
        except (AnswerError, SetupError):
            refused.add(one.name)
    assert refused == {one.name for one in row.examples if one.kind == "refused"}
    assert "refused" not in {one.kind for one in row.fights}
    for one in row.fights:
        assert Fight.begin(system, one.name).verdict == ""


def test_one_system_is_shown_with_its_cases_in_words() -> None:
    done = CliRunner().invoke(app, ["systems", "eclipse-phase"], env={"COLUMNS": "100"})
    assert "jinx-shoots" in done.stdout
    assert "Jinx fires a burst at the exhuman and flips her roll" in done.stdout
    others = done.stdout.partition("other examples:")[2].partition("fights:")[0]
    assert "exhuman-strikes-home" in others
    assert "jinx-shoots" not in others
