"""What holds in every system: its steps, facts, rolls, choices, sessions, roster and examples."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from math import prod

import pytest

from affray.app import saved
from affray.app.registry import system_named
from affray.app.setups import InputError, examples, load_raw, roster, schema
from affray.core.errors import AnswerError, SetupError
from affray.core.node import At, Chance, Choice, Facts, fill
from affray.core.reading import enumerated, roll_of
from affray.core.step import Step
from affray.engine.best import objective_named, solve
from affray.engine.odds import outcomes
from affray.engine.play import Script, Session, drive
from tests.scenarios import EXAMPLES, IDS, SYSTEMS, ended, example, random_session, unsettled

SEEDS = range(6)
over_examples = pytest.mark.parametrize(("system", "name"), EXAMPLES, ids=IDS)
over_systems = pytest.mark.parametrize("system", SYSTEMS)


def _started(system: str, name: str) -> tuple[Session, ...]:
    """Playthroughs of an example as it is and with every choice open; () if it is refused."""
    try:
        game = example(system, name).game
        return (Session(game), Session(unsettled(game)))
    except (AnswerError, SetupError):
        expect = examples(system_named(system))[name].get("expect", {})
        assert isinstance(expect, dict)
        assert "refused" in expect
        return ()


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
    met: set[Step[Facts]] = set()
    for name in examples(system_named(system)):
        for start in _started(system, name):
            for seed in SEEDS:
                *_, last = random_session(start.game, seed)
                met.update(entry.at.step for entry in last.entries)
                met.add(last.here.step)
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
    started = 0
    for attacker in fighters:
        for defender in fighters:
            try:
                loaded = load_raw(found, {"attacker": attacker, "defender": defender}, "pair")
                ended(loaded.game, 1)
                started += 1
            except (SetupError, InputError):
                continue
    assert started >= len(fighters) * len(fighters) // 2


# -- places ----------------------------------------------------------------------------------


@over_examples
def test_places_are_hashable_data_and_steps_are_pure(system: str, name: str) -> None:
    for start in _started(system, name):
        for seed in SEEDS:
            *_, last = random_session(start.game, seed)
            for entry in last.entries:
                step, facts = entry.at
                assert hash(entry.at) == hash(At(step, facts))
                assert step.rule(facts) == step.rule(facts)


@over_examples
def test_every_roll_sums_to_one_and_counts_what_enumeration_counts(system: str, name: str) -> None:
    seen: set[object] = set()
    for start in _started(system, name):
        for seed in SEEDS:
            *_, last = random_session(start.game, seed)
            for entry in last.entries:
                node = entry.node
                if not isinstance(node, Chance) or (node.dice, node.read) in seen:
                    continue
                seen.add((node.dice, node.read))
                roll = roll_of(node.dice, node.read)
                assert roll.total == prod(sum(die.weights) for die in node.dice.dice)
                assert roll.total == sum(weight for _, weight in roll.rows)
                if prod(len(die.faces) for die in node.dice.dice) <= 20_000:
                    assert dict(roll.rows) == enumerated(node.dice, node.read)


@over_examples
def test_no_raw_dice_are_kept(system: str, name: str) -> None:
    """A reading of several dice is coarser than their faces; of one die at most as fine."""
    for start in _started(system, name):
        *_, last = random_session(start.game, 3)
        for entry in last.entries:
            if isinstance(entry.node, Chance) and entry.node.dice.size > 1:
                faces = prod(len(die.faces) for die in entry.node.dice.dice)
                assert len(roll_of(entry.node.dice, entry.node.read).rows) < faces


@over_examples
def test_options_are_unique_and_lead_to_different_places(system: str, name: str) -> None:
    for start in _started(system, name):
        for seed in SEEDS:
            *_, last = random_session(start.game, seed)
            for entry in last.entries:
                if isinstance(entry.node, Choice):
                    options = entry.node.options
                    assert len({option.name for option in options}) == len(options)
                    assert len({option.at for option in options}) == len(options)
                    assert not {option.name for option in options} & set(dict(entry.node.closed))


@over_examples
def test_whoever_rolls_or_decides_is_a_declared_actor(system: str, name: str) -> None:
    """A number may stand after the name, as in "attacker 2"."""
    actors = system_named(system).actors
    for start in _started(system, name):
        for entry in ended(start.game, 5).entries:
            if isinstance(entry.node, (Chance, Choice)):
                assert entry.node.actor.partition(" ")[0] in actors, entry.at.step.name


# -- promises of steps -----------------------------------------------------------------------


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


@over_examples
def test_steps_leave_aside_what_they_promise(system: str, name: str) -> None:
    for start in _started(system, name):
        for seed in SEEDS:
            *_, last = random_session(start.game, seed)
            for entry in last.entries:
                step, facts = entry.at
                for field in step.aside:
                    mark = Untouchable()
                    node = step.rule(fill(entry.at, field, mark).facts)
                    plain = step.rule(facts)
                    assert type(node) is type(plain)
                    for place, other in zip(_places(node), _places(plain), strict=True):
                        assert getattr(place.facts, field) is mark
                        restored = fill(place, field, getattr(other.facts, field))
                        assert restored == other


def _places(node: object) -> list[At[Facts]]:
    if isinstance(node, Choice):
        return [option.at for option in node.options]
    if isinstance(node, Chance):
        return [node.then]
    return [node.at] if hasattr(node, "at") else []


@over_examples
def test_settled_fields_never_change_again(system: str, name: str) -> None:
    fields = {field.name: field for field in system_named(system).fields}
    for start in _started(system, name):
        for seed in SEEDS:
            *_, last = random_session(start.game, seed)
            assert last.outcome is not None
            for entry in last.entries:
                for settled in entry.at.step.settled:
                    early = fields[settled].of(entry.at.facts)
                    assert early == fields[settled].of(last.outcome), (entry.at.step, settled)


@over_examples
def test_fields_at_once_are_what_they_are_one_by_one(system: str, name: str) -> None:
    quick = [field for field in system_named(system).fields if field.at_once]
    for start in _started(system, name):
        *_, last = random_session(start.game, 3)
        for entry in last.entries:
            node = entry.node
            if not isinstance(node, Chance):
                continue
            readings = [reading for reading, _ in roll_of(node.dice, node.read).rows]
            for field in quick:
                if field.at_once and field.name in node.then.step.settled:
                    column = field.at_once(node.then.facts, node.into, readings)
                    each = [field.of(fill(node.then, node.into, r).facts) for r in readings]
                    assert list(column) == each


# -- sessions --------------------------------------------------------------------------------


@over_examples
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


@over_examples
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


@over_examples
def test_a_saved_game_goes_on_where_it_stood(system: str, name: str) -> None:
    if not _started(system, name):
        return
    loaded = example(system, name)
    for seed in range(2):
        for session in random_session(loaded.game, seed):
            raw = json.loads(json.dumps(saved.to_saved(loaded, session)))
            _, again, notes = saved.restore(system_named(system), raw, "saved")
            assert not notes
            assert (again.here, again.entries) == (session.here, session.entries)


@over_examples
def test_every_line_of_the_log_cites_known_clauses(system: str, name: str) -> None:
    known = system_named(system).clauses
    for start in _started(system, name):
        for line in ended(start.game, 4).log:
            assert line.clauses
            assert set(line.clauses) <= set(known)
            assert line.title.endswith((".", "?")), f"{line.step}: a title is a sentence"


# -- examples --------------------------------------------------------------------------------


@over_examples
def test_an_example_comes_to_what_the_book_expects(system: str, name: str) -> None:
    table = examples(system_named(system))[name]
    expect = table.get("expect")
    if not isinstance(expect, dict):
        return
    if "refused" in expect:
        with pytest.raises((SetupError, AnswerError), match=str(expect["refused"])):
            _played(system, name)
        return
    session, script = _played(system, name)
    assert session.outcome is not None, f"it waits for {session.question}"
    assert not script.faces
    assert not script.choices
    for field_name, value in expect.items():
        field = system_named(system).field_named(field_name)
        assert field is not None, field_name
        got = field.of(session.outcome)
        assert (list(got) if isinstance(got, tuple) else got) == value, field_name


def _played(system: str, name: str) -> tuple[Session, Script]:
    loaded = example(system, name)
    script = Script(loaded.dice, loaded.options)
    return drive(Session(loaded.game), script), script


@over_examples
def test_an_example_has_the_odds_that_were_counted_by_hand(system: str, name: str) -> None:
    table = examples(system_named(system))[name].get("odds")
    if not isinstance(table, dict):
        return
    game = example(system, name).game
    given = {field: _is(value) for field, value in table.get("_given", {}).items()}
    goal = objective_named(game.system, table.get("_objective", ""))
    decide = solve(game, goal).decide
    for field, expected in table.items():
        if field == "_mean":
            for mean_of, value in expected.items():
                got = outcomes(game, (mean_of,), given=given, decide=decide).map(lambda v: v[0])
                assert got.mean() == Fraction(value), mean_of
        elif not field.startswith("_"):
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
