"""What holds in every system: its steps, facts, rolls, choices, sessions, roster and examples."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import prod
from typing import NamedTuple, TypeVar

import pytest

from affray.app.files import saved
from affray.app.inputs.setups import InputError, load_raw, roster, schema
from affray.app.registry import system_named
from affray.core.actor import role_of
from affray.core.errors import AnswerError, MissingError, SetupError
from affray.core.node import At, Chance, Choice, End, Facts, Go, Node, fill
from affray.core.reading import enumerated, roll_of
from affray.engine.exchange.best import objective_named, solve
from affray.engine.exchange.odds import outcomes
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Script, drive
from tests.scenarios import (
    PLAYED,
    REFUSED,
    SYSTEMS,
    ended,
    example,
    random_session,
    told,
    unsettled,
)

T = TypeVar("T")

SEEDS = range(6)


def over(rows: Sequence[tuple[str, str]]) -> pytest.MarkDecorator:
    """One case for each of these examples."""
    return pytest.mark.parametrize(("system", "name"), rows, ids=[":".join(row) for row in rows])


EXPECTED = [row for row in PLAYED if told(*row, "expect")]
PRICED = [row for row in PLAYED if told(*row, "odds")]
over_systems = pytest.mark.parametrize("system", SYSTEMS)
over_played = over(PLAYED)
STEPS = {(name, step.name): step for name in SYSTEMS for step in system_named(name).steps}
ASIDE = [(name, step.name) for name in SYSTEMS for step in system_named(name).hints.aside]
FIXING = [(name, step.name) for name in SYSTEMS for step in system_named(name).hints.fixes]
COLUMNS = [(name, field) for name in SYSTEMS for field in system_named(name).hints.columns]


def _started(system: str, name: str) -> tuple[Session, Session]:
    """Playthroughs of an example as it is and with every choice open."""
    game = example(system, name).game
    return (Session(game), Session(unsettled(game)))


@cache
def _ended(system: str, name: str) -> tuple[Session, ...]:
    """Random playthroughs of an example, to their ends."""
    return tuple(ended(start.game, seed) for start in _started(system, name) for seed in SEEDS)


class Met(NamedTuple):
    """A place that was met in play: what its step said, and how it all ended."""

    at: At[Facts]
    node: Node[Facts]
    outcome: Facts | None


@cache
def _met(system: str) -> tuple[Met, ...]:
    """Every place that random playthroughs of a system's examples met, each once for each end."""
    found: dict[tuple[At[Facts], Facts | None], Met] = {}
    for one, name in PLAYED:
        for last in _ended(one, name) if one == system else ():
            places = [(entry.at, entry.node) for entry in last.entries]
            assert last.outcome is not None
            for at, node in [*places, (last.here, End(last.outcome))]:
                found.setdefault((at, last.outcome), Met(at, node, last.outcome))
    return tuple(found.values())


@cache
def _places_met(system: str) -> dict[At[Facts], Node[Facts]]:
    """The places that were met, each once, with what its step said."""
    return {met.at: met.node for met in _met(system)}


def _chances(system: str) -> list[Chance[Facts]]:
    """Rolls that were met, one for each pool and reading."""
    nodes = [node for node in _places_met(system).values() if isinstance(node, Chance)]
    return list({(node.dice, node.read): node for node in nodes}.values())


# -- the system itself -----------------------------------------------------------------------


@over_systems
def test_no_clause_of_the_text_itself_is_left_for_later(system: str) -> None:
    for clause in system_named(system).clauses.values():
        assert clause.title
        assert clause.status in {"carried out", "in part", "note", "not yet"}
        if clause.source == "seed":
            assert clause.status != "not yet", clause.id


@over_systems
def test_every_step_is_met_in_play(system: str) -> None:
    met = {at.step for at in _places_met(system)}
    missing = {step.name for step in system_named(system).steps if step not in met}
    assert not missing, "no example ever comes to these steps"


@over_systems
def test_schema_is_json_and_names_every_common_key(system: str) -> None:
    made = json.loads(json.dumps(schema(system_named(system))))
    assert {"choose", "rulings", "play", "title"} <= set(made["properties"])
    assert made["additionalProperties"] is False


@over_systems
def test_every_roster_entry_has_a_source(system: str) -> None:
    sections = roster(system_named(system))
    assert sections
    for section, entries in sections.items():
        for name, entry in entries.items():
            assert entry.get("source"), f"{section}.{name} does not say where it comes from"


@over_systems
def test_every_fighter_can_attack_every_fighter(system: str) -> None:
    found = system_named(system)
    who = found.roster_keys["attacker"]
    fighters = roster(found)[who]
    keys = {key for key, section in found.roster_keys.items() if section == who}
    assert {"attacker", "defender"} <= keys
    started = refused = 0
    for attacker in fighters:
        for defender in fighters:
            try:
                loaded = load_raw(found, {"attacker": attacker, "defender": defender}, "pair")
                ended(loaded.game, 1)
                started += 1
            except (SetupError, InputError):
                refused += 1
            except MissingError:  # these two need a value that only the situation can tell
                continue
    assert started
    assert started >= refused


# -- places ----------------------------------------------------------------------------------


@over_systems
def test_places_are_hashable_data_and_steps_are_pure(system: str) -> None:
    assert _places_met(system)
    for at, node in _places_met(system).items():
        assert hash(at) == hash(At(at.step, at.facts))
        assert at.step.rule(at.facts) == node


@over_systems
def test_every_roll_sums_to_one_and_counts_what_enumeration_counts(system: str) -> None:
    for node in _some(_chances(system), "roll"):
        roll = roll_of(node.dice, node.read)
        assert roll.total == prod(sum(die.weights) for die in node.dice.dice)
        assert roll.total == sum(weight for _, weight in roll.rows)
        if prod(len(die.faces) for die in node.dice.dice) <= 20_000:
            assert dict(roll.rows) == enumerated(node.dice, node.read)


@over_systems
def test_no_raw_dice_are_kept(system: str) -> None:
    """A reading of several dice is coarser than their faces; of one die at most as fine."""
    several = [node for node in _chances(system) if node.dice.size > 1]
    for node in _some(several, "roll of several dice"):
        faces = prod(len(die.faces) for die in node.dice.dice)
        assert len(roll_of(node.dice, node.read).rows) < faces


@over_systems
def test_options_are_unique_and_lead_to_different_places(system: str) -> None:
    choices = [node for node in _places_met(system).values() if isinstance(node, Choice)]
    for node in _some(choices, "choice"):
        options = node.options
        assert len({option.name for option in options}) == len(options)
        assert len({option.at for option in options}) == len(options)
        assert not {option.name for option in options} & set(dict(node.closed))


@over_systems
def test_whoever_rolls_or_decides_is_a_declared_actor(system: str) -> None:
    """A number may stand after the name, as in "attacker 2"."""
    actors = system_named(system).actors
    asked = [row for row in _places_met(system).items() if isinstance(row[1], (Chance, Choice))]
    for at, node in _some(asked, "roll or choice"):
        assert isinstance(node, (Chance, Choice))
        assert role_of(node.actor) in actors, at.step.name


def _some(found: list[T], what: str) -> list[T]:
    """What was found; a system without any of it has nothing to be checked."""
    if not found:
        pytest.skip(f"no {what} in any example")
    return found


# -- hints ----------------------------------------------------------------------------------


class Untouchable:
    """Stands for a field that is held aside: any use of it fails."""

    def _fail(self, *_: object) -> bool:
        raise AssertionError("a step looked at a field that it promised to leave aside")

    __bool__ = __len__ = __iter__ = __getitem__ = __contains__ = __lt__ = __gt__ = _fail
    __add__ = __radd__ = __sub__ = __rsub__ = __call__ = __le__ = __ge__ = _fail

    def __eq__(self, other: object) -> bool:
        return self is other or self._fail()

    def __hash__(self) -> int:
        return 7


@pytest.mark.parametrize(("system", "step"), ASIDE)
def test_steps_leave_aside_what_they_promise(system: str, step: str) -> None:
    promised = STEPS[system, step]
    places = {at: node for at, node in _places_met(system).items() if at.step is promised}
    assert places
    for at, plain in places.items():
        for field in system_named(system).aside[promised]:
            mark = Untouchable()
            node = promised.rule(fill(at, field, mark).facts)
            assert _besides_places(node) == _besides_places(plain)
            for place, other in zip(_places(at, node), _places(at, plain), strict=True):
                assert getattr(place.facts, field) is mark
                assert fill(place, field, getattr(at.facts, field)) == other


def _places(at: At[Facts], node: Node[Facts]) -> list[At[Facts]]:
    """Where a node leads; an end leads to itself."""
    if isinstance(node, Choice):
        return [option.at for option in node.options]
    if isinstance(node, Chance):
        return [node.then]
    return [node.at if isinstance(node, Go) else At(at.step, node.outcome)]


def _besides_places(node: Node[Facts]) -> tuple[object, ...]:
    """All that a node says besides where it leads."""
    if isinstance(node, Choice):
        offered = [(option.name, option.spends, option.words, option.also)
                   for option in node.options]  # fmt: skip
        return (Choice, node.actor, node.ask, offered, node.about, node.closed)
    return (Chance, *node[:-1]) if isinstance(node, Chance) else (type(node),)


@pytest.mark.parametrize(("system", "step"), FIXING)
def test_fixed_fields_never_change_again(system: str, step: str) -> None:
    promised = STEPS[system, step]
    fields = {field.name: field for field in system_named(system).fields}
    here = [met for met in _met(system) if met.at.step is promised]
    assert here
    for met in here:
        for fixed in system_named(system).fixes[promised]:
            assert met.outcome is not None
            early = fields[fixed].of(met.at.facts)
            assert early == fields[fixed].of(met.outcome), fixed


@pytest.mark.parametrize(("system", "field"), COLUMNS)
def test_columns_are_what_their_fields_are_one_by_one(system: str, field: str) -> None:
    rules = system_named(system)
    quick = rules.field_named(field)
    assert quick is not None
    nodes = [node for node in _places_met(system).values() if isinstance(node, Chance)]
    settling = [node for node in nodes if field in rules.fixes[node.then.step]]
    assert settling, f"no roll settles {field}, so its column is never used"
    for node in settling:
        readings = [reading for reading, _ in roll_of(node.dice, node.read).rows]
        column = rules.hints.columns[field](node.then.facts, node.into, readings)
        each = [quick.of(fill(node.then, node.into, reading).facts) for reading in readings]
        assert list(column) == each


# -- sessions --------------------------------------------------------------------------------


@over_played
def test_undo_inverts_answer_and_replay_is_identical(system: str, name: str) -> None:
    for start in _started(system, name):
        sessions = list(random_session(start.game, 1))
        for before, after in pairwise(sessions):
            undone = after.undo()
            assert (undone.here, undone.answers, undone.entries) == (
                before.here, before.answers, before.entries,
            )  # fmt: skip
        last = sessions[-1]
        again = Session.replay(start.game, last.answers)
        assert (again.here, again.entries, again.log) == (last.here, last.entries, last.log)
        assert sessions[0].undo() is sessions[0]


@over_played
def test_a_wrong_answer_changes_nothing(system: str, name: str) -> None:
    for start in _started(system, name):
        for session in random_session(start.game, 2):
            question = session.question
            if question is None:
                with pytest.raises(AnswerError, match="over"):
                    session.answer("anything")
                continue
            before = (session.here, session.entries)
            if question.dice is None:
                with pytest.raises(AnswerError, match="allowed: "):
                    session.answer("no such option")
            else:
                with pytest.raises(AnswerError, match=r"needed are|allowed: "):
                    session.answer((10_000,) * question.dice.size)
                with pytest.raises(AnswerError, match="needed are"):
                    session.answer((1,) * (question.dice.size + 1))
            assert (session.here, session.entries) == before


@over_played
def test_a_saved_game_goes_on_where_it_stood(system: str, name: str) -> None:
    loaded = example(system, name)
    for seed in range(2):
        for session in random_session(loaded.game, seed):
            raw = json.loads(json.dumps(saved.to_saved(loaded, session)))
            _, again, notes = saved.restore(system_named(system), raw, "saved")
            assert not notes
            assert (again.here, again.entries) == (session.here, session.entries)


@over_systems
def test_every_line_of_the_log_cites_known_clauses(system: str) -> None:
    known = system_named(system).clauses
    names = [name for one, name in PLAYED if one == system]
    lines = [line for name in names for last in _ended(system, name)[::5] for line in last.log]
    assert lines
    for line in lines:
        assert line.clauses
        assert set(line.clauses) <= set(known)
        assert line.title.endswith((".", "?")), f"{line.step}: a title is a sentence"


# -- examples --------------------------------------------------------------------------------


@over(REFUSED)
def test_an_example_against_the_rules_is_refused(system: str, name: str) -> None:
    expected = told(system, name, "expect")
    assert expected.keys() == {"refused"}
    with pytest.raises((SetupError, AnswerError), match=str(expected["refused"])):
        _run(system, name)


@over(EXPECTED)
def test_an_example_comes_to_what_the_book_expects(system: str, name: str) -> None:
    session, script = _run(system, name)
    assert session.outcome is not None, f"it waits for {session.question}"
    assert not script.faces
    assert not script.choices
    for field_name, value in told(system, name, "expect").items():
        field = system_named(system).field_named(field_name)
        assert field is not None, field_name
        got = field.of(session.outcome)
        assert (list(got) if isinstance(got, tuple) else got) == value, field_name


def _run(system: str, name: str) -> tuple[Session, Script]:
    loaded = example(system, name)
    script = Script(loaded.dice, loaded.options)
    return drive(Session(loaded.game), script), script


@over(PRICED)
def test_an_example_has_the_odds_that_were_counted_by_hand(system: str, name: str) -> None:
    table = dict(told(system, name, "odds"))
    game = example(system, name).game
    given = {field: _is(value) for field, value in table.pop("_given", {}).items()}
    decide = solve(game, objective_named(game.system, table.pop("_objective", ""))).decide
    means = table.pop("_mean", {})
    assert means or any(table.values()), "nothing is expected"
    for field, value in means.items():
        got = outcomes(game, (field,), given=given, decide=decide).map(lambda v: v[0])
        assert got.mean() == Fraction(value), field
    for field, expected in table.items():
        chances = outcomes(game, (field,), given=given, decide=decide).fractions()
        shown = {_text(value[0]): chance for value, chance in chances.items()}
        for value, chance in expected.items():
            assert shown.get(value, Fraction(0)) == Fraction(chance), (field, value)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is(expected: object):  # type: ignore[no-untyped-def]  # a predicate
    return lambda value: value == expected


def test_random_playthroughs_differ() -> None:
    """The suites above would prove nothing if every seed gave the same game."""
    game = example("eclipse-phase", "jinx-shoots").game
    games = {ended(game, seed).answers for seed in range(20)}
    assert len(games) > 10
