"""Every field of every sheet says what it means, where it is declared, and in the schema."""

import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, cast

import pytest

from affray.app.inputs.described import CLAUSE, Meaning, meanings, sheets_within
from affray.app.inputs.fight_sheets import fight_schema, sheet_of
from affray.app.inputs.setups import schema
from affray.app.registry import system_named
from tests.scenarios import SHIPPED


def sheets_of(system: str) -> list[type]:
    """Every sheet that a setup or a fight of a system can hold."""
    rules = system_named(system)
    return [*{**sheets_within(rules.setup), **sheets_within(sheet_of(rules))}.values()]


def every_meaning(system: str) -> Iterator[tuple[str, Meaning]]:
    for kind in sheets_of(system):
        for one in meanings(kind).values():
            yield f"{kind.__name__}.{one.name}", one


def every_key(system: str) -> Iterator[tuple[str, dict[str, Any]]]:
    rules = system_named(system)
    made: Any
    for made in (schema(rules), fight_schema(rules)):
        parts: list[dict[str, Any]] = [made, *made["$defs"].values()]
        for part in parts:
            for name, value in part["properties"].items():
                yield f"{part['title']}.{name}", value


def keys_of(system: str) -> dict[str, Any]:
    """The parts of the schema of a system's setup, by name."""
    return cast("dict[str, Any]", schema(system_named(system))["$defs"])


@pytest.mark.parametrize("system", SHIPPED)
def test_every_field_has_a_title_words_and_a_group(system: str) -> None:
    assert not [where for where, one in every_meaning(system) if not one.words]
    assert not [where for where, one in every_meaning(system) if not (one.title and one.group)]


@pytest.mark.parametrize("system", SHIPPED)
def test_titles_and_groups_are_words(system: str) -> None:
    for where, one in every_meaning(system):
        for words in (one.title, one.group):
            assert "_" not in words, where
            assert words[:1].isupper() or words[:1].isdigit(), where


@pytest.mark.parametrize("system", SHIPPED)
def test_every_clause_that_a_field_names_is_a_clause_of_the_book(system: str) -> None:
    known = system_named(system).clauses
    for where, one in every_meaning(system):
        stray = {*CLAUSE.findall(one.told), *one.clauses} - known.keys()
        assert not stray, (where, stray)


@pytest.mark.parametrize("system", SHIPPED)
def test_titles_within_a_sheet_differ(system: str) -> None:
    for kind in sheets_of(system):
        titles = [one.title for one in meanings(kind).values()]
        assert len(set(titles)) == len(titles), kind


@pytest.mark.parametrize("system", SHIPPED)
def test_a_group_stands_in_one_piece(system: str) -> None:
    for kind in sheets_of(system):
        groups = [one.group for one in meanings(kind).values()]
        changes = [b for a, b in zip(["", *groups], groups, strict=False) if a != b]
        assert len(set(changes)) == len(changes), (kind, changes)


@pytest.mark.parametrize("system", SHIPPED)
def test_no_docstring_explains_a_field_that_there_is_not(system: str) -> None:
    for kind in sheets_of(system):
        body = "".join((base.__doc__ or "") for base in kind.__mro__).partition("Attributes:")[2]
        entry = r"^ {8,12}((?:\w+, )*\w+)(?: \([^)]*\))?(?: for ((?:\w+, )*\w+))?: "
        known = {field.name for field in fields(cast("Any", kind))}
        for names, instead in re.findall(entry, body, re.MULTILINE):
            for name in names.split(", "):
                found = name in known or isinstance(getattr(kind, name, None), property)
                assert found or kind.__name__ in {"Situation", "Fight"}, (kind, name)
            assert not instead or set(instead.split(", ")) <= known, (kind, instead)


@pytest.mark.parametrize("system", SHIPPED)
def test_every_key_of_a_schema_has_a_title_one_line_and_a_group(system: str) -> None:
    for where, key in every_key(system):
        assert {"title", "description", "group"} <= key.keys(), where
        assert "_" not in key["title"], where
        assert "\n" not in key["description"], where


@pytest.mark.parametrize("system", SHIPPED)
def test_no_key_stays_in_a_docstring(system: str) -> None:
    made: Any
    for made in (schema(system_named(system)), fight_schema(system_named(system))):
        every = [made, *made["$defs"].values()]
        assert not [one["title"] for one in every if "Attributes:" in one.get("description", "")]


def test_ranges_and_units_come_from_the_declaration() -> None:
    found = keys_of("eclipse-phase")
    weapon, who = (found[name]["properties"] for name in ("Weapon", "Combatant"))
    assert weapon["range_m"]["title"] == "Range"
    assert "; 0 to 10,000 meters (EP-74)" in weapon["range_m"]["description"]
    assert who["fray"]["group"] == "Skills"
    assert "; 0 to 200" in who["fray"]["description"]
    assert who["cog"]["title"] == "COG"
    assert who["cog"]["description"].endswith("0 to 40 (EP-6)")


def test_what_is_for_people_says_so() -> None:
    found = keys_of("empty-earth")
    assert "for people" in found["Fighter"]["properties"]["source"]["description"]
    assert "for people" not in found["Fighter"]["properties"]["side"]["description"]


def test_fields_come_in_the_order_of_the_games_sheet() -> None:
    keys = list(keys_of("eclipse-phase")["Combatant"]["properties"])
    assert keys[:4] == ["name", "body", "size", "cog"]
    assert keys.index("fray") < keys.index("insight") < keys.index("durability")
