"""Schemas of views: real views of every use case, on every system, are as their schemas say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

import jsonschema
import pytest

import affray.app
from affray.app.advice import advise, advise_exchange
from affray.app.battle import Sampling, ask_battle
from affray.app.best import best_within
from affray.app.comparison import ask_comparison
from affray.app.duel_within import duel_within
from affray.app.exchange_computers import roll
from affray.app.fight import Fight
from affray.app.fight_advice import advise_fight
from affray.app.fight_chances import ask_chances
from affray.app.fight_report import ask_report
from affray.app.first_attacks import foe_named, made_view
from affray.app.imports import import_fighter
from affray.app.inputs.setups import roster
from affray.app.lookups import list_systems, show_roster, show_rules, show_schema
from affray.app.matrix import ask_matrix
from affray.app.odds_within import odds_within
from affray.app.picture import draw
from affray.app.play import PlayedGame
from affray.app.registry import system_ids, system_named
from affray.app.rulings import show_rulings
from affray.app.sheets import show_sheets
from affray.app.sources import Shipped, Table, fight_source_of
from affray.app.views.envelope import View, to_json
from affray.app.views.schemas import schema_of, schemas_of, view_classes
from affray.core.errors import AffrayError, LimitError, RulesError
from affray.core.lazy import NamedTuple, dataclass
from affray.engine.budget import Budget
from affray.engine.exchange.session import Answer
from affray.engine.exchange.sources import Seeded
from affray.testing.material import Material
from affray.testing.running import held
from affray.testing.view import check_view
from tests.systems.eclipse_phase.imports.test_foundry_ep2e import actor

FEW = Sampling(n=4, seed=3)
SHORT = Budget(seconds=2, places=1_000)


VALIDATORS: dict[str, Any] = {}


def validator(view: type[View]) -> Any:
    if view.schema not in VALIDATORS:
        schema = schema_of(view)
        jsonschema.Draft202012Validator.check_schema(schema)
        VALIDATORS[view.schema] = jsonschema.Draft202012Validator(schema)
    return VALIDATORS[view.schema]


def faults_of(view: View) -> list[str]:
    body = json.loads(json.dumps(to_json(view)))
    return [
        f"{view.schema} {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
        for error in validator(type(view)).iter_errors(body)
    ]


# -- real views ------------------------------------------------------------------------------------


def seen_of_games(system: str, name: str) -> Iterator[View]:
    """A game at each of its questions, with what is said of it there."""
    game, dice = PlayedGame.begin(system, Shipped(name)), Seeded(5)
    advised = False
    while game.question is not None:
        yield game.view(seed=5)
        if game.question.options and not advised:
            advised = True
            yield advise(game, "", SHORT, seed=1)
        options = game.question.options
        game = game.answer(options[-1].name) if options else roll(game, dice)
    yield game.view()
    if game.picture:
        yield draw(game)


def seen_of_questions(system: str, name: str) -> Iterator[View]:
    source = Shipped(name)
    yield odds_within(system, source, budget=SHORT, looking_s=0.2)
    yield best_within(system, source, budget=SHORT, looking_s=0.2)


def seen_of_fights(system: str, name: str) -> Iterator[View]:
    """A fight after each of its first moves, from both sides, and looked back at."""
    fight, seen = Fight.begin(system, name), 0
    advised: set[str] = set()
    for _ in range(60):
        yield from (fight.view(role, since=seen) for role in ("all", "one", "other"))
        seen = fight.view().moves
        question = fight.asked
        if question is None:
            break
        if question.options and question.kind not in advised:
            advised.add(question.kind)
            try:
                ask = advise_exchange if question.kind == "exchange" else advise_fight
                yield ask(fight, "", Budget(seconds=1), seed=1)
            except AffrayError:  # no advice at questions about the situation
                pass
        given: Answer | str | None = fight.unasked
        if given is None:
            rolling = fight.rolling
            dice = Seeded(seen)
            given = rolling.thrown(dice).answer if rolling else question.options[-1].name
        fight = fight.answer(given)
    yield fight.undo(2).view(since=seen)
    yield ask_report(fight, "", Budget(seconds=1))
    if fight.loaded.whole is None:
        with suppress(LimitError):  # on a busy machine no fight may end within a second
            yield ask_chances(fight, Budget(seconds=1))


def seen_of_numbers(system: str, name: str) -> Iterator[View]:
    yield ask_battle(system, name, sampling=FEW)
    source = fight_source_of(name)
    yield ask_comparison(system, (source, source), sampling=FEW)
    yield duel_within(system, name, budget=Budget(seconds=5, pairs=10))


def seen_of_books(system: str, name: str) -> Iterator[View]:
    yield list_systems(system)
    yield show_roster(system)
    yield show_rules(system)
    yield show_rulings(system)
    yield show_rulings(system, Shipped(name), budget=Budget(seconds=2))
    yield show_schema(system)
    yield show_schema(system, fight=True)
    yield show_sheets(system, foe_named(system_named(system)))
    foe = foe_named(system_named(system))
    section, entry = next(
        (section, entries[foe]) for section, entries in roster(system_named(system)).items()
        if foe in entries
    )  # fmt: skip
    yield made_view(system_named(system), section, "newcomer", entry, foe)
    yield check_view(held(Material(system_named(system)), ("documents",)))


CASES = {
    "affinity": ("raider", "raid", "raid"),
    "eclipse-phase": ("jinx-shoots", "w6", "w6"),
    "emlia": ("table-charge", "ford-meadow", "irregulars"),
    "empty-earth": ("o5p", "bo-husk", "bo-husk"),
    "grid-battles": ("light-cavalry", "ford", "light-cavalry"),
}
"""Of each system an example, a fight that is played, and one that is fought many times."""
SEEN = {
    "affray/battle", "affray/battle-comparison",
    "affray/check", "affray/fight", "affray/fight-report", "affray/new", "affray/play",
    "affray/roster", "affray/rules", "affray/rulings", "affray/schema", "affray/sheet",
    "affray/systems",
}  # fmt: skip
"""What is seen on every system; other views depend on what is quick there."""


def seen_on(system: str) -> Iterator[View]:
    example, fight, many = CASES[system]
    yield from seen_of_games(system, example)
    yield from seen_of_questions(system, example)
    yield from seen_of_fights(system, fight)
    yield from seen_of_numbers(system, many)
    yield from seen_of_books(system, example)


@pytest.mark.parametrize("system", sorted(CASES))
def test_views_of_every_use_case_fit_their_schemas(system: str) -> None:
    seen, faults = set(), set()
    for view in seen_on(system):
        seen.add(view.schema)
        faults |= set(faults_of(view))
    assert sorted(faults) == []
    assert SEEN - seen == set()
    assert system in system_ids()


@cache
def others() -> tuple[View, ...]:
    """Views that only some systems have, or only what is too large to be worked out."""
    jinx, few = ("eclipse-phase", Shipped("jinx-shoots")), Budget(places=60)
    table = PlayedGame.begin("emlia", Shipped("table"))
    return (
        draw(table),
        advise(PlayedGame.begin(*jinx).answer([96]), "hit"),
        ask_matrix("empty-earth", sampling=FEW._replace(n=1)),
        odds_within(*jinx, ["wounds"], objective="hit", budget=few, looking_s=0.3),
        odds_within(*jinx, ["wounds", "net"], budget=Budget(seconds=60)),
        best_within(*jinx, objective="hit", budget=few, looking_s=0.3),
        duel_within("eclipse-phase", "w6", budget=Budget(pairs=10), seed=4),
        duel_within("eclipse-phase", "w6", exact=True, budget=Budget(seconds=60)),
        ask_chances(Fight.begin("empty-earth", "bo-husk"), Budget(seconds=1)),
        import_fighter("foundry", Table(actor(), "tarn.json")),
    )


def test_views_of_what_only_some_systems_have_fit_their_schemas() -> None:
    assert [fault for view in others() for fault in faults_of(view)] == []
    assert {view.schema for view in others()} == {
        "affray/advice", "affray/picture", "affray/battle-matrix", "affray/odds-estimate",
        "affray/odds", "affray/best-estimate",
        "affray/duel-estimate", "affray/duel", "affray/fight-chances", "affray/import",
    }  # fmt: skip


# -- the schemas themselves ------------------------------------------------------------------------


@dataclass(frozen=True)
class Lone(View):
    """A view of a test, with a fraction.

    Attributes:
        first, last: both ends. how: in one
            word, or none.
        share: a chance.
    """

    schema = "affray/lone"
    version = 3
    first: int
    last: int | None
    share: Fraction
    how: Literal["short", "long"]
    pairs: tuple[tuple[str, bool], ...] = ()


def test_a_schema_says_everything_that_a_class_says() -> None:
    schema = schema_of(Lone)
    properties = cast("dict[str, dict[str, Any]]", schema["properties"])
    assert schema["description"] == "A view of a test, with a fraction."
    assert (properties["schema"]["const"], properties["version"]["const"]) == ("affray/lone", 3)
    assert properties["first"] == {"type": "integer", "description": "Both ends."}
    assert properties["last"] == {
        "anyOf": [{"type": "integer"}, {"type": "null"}], "description": "Both ends.",
    }  # fmt: skip
    assert properties["how"] == {"enum": ["short", "long"], "description": "In one word, or none."}
    assert properties["share"] == {"$ref": "#/$defs/Fraction", "description": "A chance."}
    assert schema["required"] == [
        "schema", "version", "affray", "notes", "first", "last", "share", "how", "pairs"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"version": 2}, "3 was expected"), ({"schema": "affray/odds"}, "was expected"),
        ({"first": 1.5}, "is not of type 'integer'"), ({"more": 1}, "Additional properties"),
        ({"share": 0.5}, "is not of type 'object'"), ({"how": "loud"}, "is not one of"),
        ({"pairs": [["a"]]}, "is too short"), ({"pairs": [["a", True, 1]]}, "is too long|at most"),
    ],
)  # fmt: skip
def test_a_schema_refuses_what_a_view_never_is(change: dict[str, object], fault: str) -> None:
    right = to_json(Lone(1, None, Fraction(1, 2), "long", (("a", True),)))
    assert list(validator(Lone).iter_errors(right)) == []
    errors = [error.message for error in validator(Lone).iter_errors({**right, **change})]
    assert [error for error in errors if not re.search(fault, error)] == []
    assert errors
    assert [error.message for error in validator(Lone).iter_errors(dict(list(right.items())[1:]))]


def test_views_share_the_schemas_of_their_rows() -> None:
    shared = schemas_of(view_classes(), at="#/components/schemas/")
    names = {view.__name__ for view in view_classes()}
    assert {"OddsView", "FightView", "ImportView"} <= names <= shared.keys()
    links = set(re.findall(r'"\$ref": "([^"]*)"', json.dumps(shared)))
    assert {link.rpartition("/")[0] for link in links} == {"#/components/schemas"}
    assert {link.rpartition("/")[2] for link in links} == shared.keys() - names


def test_a_view_inside_another_one_has_no_envelope() -> None:
    shared = cast("dict[str, Any]", schemas_of(view_classes()))
    assert "schema" in shared["BattleView"]["properties"]
    assert "schema" not in shared["Battle"]["properties"]
    battles = shared["CompareView"]["properties"]["battles"]
    assert battles["prefixItems"] == [{"$ref": "#/$defs/Battle"}] * 2


def test_every_view_of_the_use_cases_is_known_by_a_name_of_its_own() -> None:
    names = [view.schema for view in view_classes()]
    assert len(set(names)) == len(names)
    written = [
        name
        for path in Path(affray.app.__path__[0]).rglob("*.py")
        for name in re.findall(r"^class (\w+)\(\w*View\):", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert sorted(written) == sorted(view.__name__ for view in view_classes())


class Strange(NamedTuple):
    """A row of something that `plain` can only print."""

    thing: Budget | Path


@dataclass(frozen=True)
class StrangeView(View):
    """A view that nobody can describe."""

    schema = "affray/strange"
    rows: tuple[Strange, ...]


def test_a_value_without_a_schema_is_refused() -> None:
    with pytest.raises(RulesError, match="no schema for values of"):
        schema_of(StrangeView)
