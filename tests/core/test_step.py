"""Steps and systems: what is wrong is told when a system is loaded, and names the step."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from affray.core.dice import Pool, d
from affray.core.errors import RulesError, UnknownNameError
from affray.core.modifier import Modifier, Total
from affray.core.node import At, Chance, End, Facts, Go, Node, Option, Step, choose
from affray.core.reading import SumOfDice
from affray.core.ruling import Ruling, Rulings
from affray.core.step import step
from affray.core.system import Clause, Field, Gap, Objective, System, first_fitting
from affray.core.table import Table
from tests.core.assembling import TIES, Setup, assembled


class Lamp(NamedTuple):
    """Facts of a lamp."""

    bright: int = 0


@step("TY-1")
def kindle(x: Lamp) -> Node[Lamp]:
    """The lamp is lit.

    It takes a match.
    """
    return Go(shine, x)


@step("TY-2", "TY-3")
def shine(x: Lamp) -> Node[Lamp]:
    """The lamp shines."""
    return End(x)


@step("TY-1")
def silent(x: Lamp) -> Node[Lamp]:
    return End(x)


@step()
def lawless(x: Lamp) -> Node[Lamp]:
    """It rests on no clause."""
    return End(x)


@step("TY-1")  # type: ignore[arg-type]  # what a careless system does
def greedy(x: Lamp, y: int) -> Node[Lamp]:
    """It takes more than the facts."""
    return End(x)


@step("TY-1")  # type: ignore[arg-type]  # what a careless system does
def empty() -> Node[Lamp]:
    """It takes nothing."""
    return End(Lamp())


@step("TY-4")
def lonely(x: Lamp) -> Node[Lamp]:
    """Nothing leads here."""
    return Go(lonely, x)


@step("TY-1")
def roll(x: Lamp) -> Node[Lamp]:
    """It leads on through functions of its own module."""
    return Chance("attacker", "roll", Pool((d(6), 1)), SumOfDice(), "bright", At(_next(x), x))


def _next(x: Lamp) -> "Step[Lamp]":
    return shine if x.bright else _other()


def _other() -> "Step[Lamp]":
    return kindle


@step("TY-1")
def pick(x: Lamp) -> Node[Lamp]:
    """It leads on from inside a comprehension and a function of its own."""

    def later() -> "Step[Lamp]":
        return kindle

    options = [Option(str(n), At(shine, x._replace(bright=n))) for n in range(2)]
    return choose("attacker", "?", [*options, Option("later", At(later(), x))])


BOOK = ModuleType("book")
BOOK.shine = shine  # type: ignore[attr-defined]  # as if it were imported


@step("TY-1")
def look_up(x: Lamp) -> Node[Lamp]:
    """It leads on to a step of another module."""
    return Go(BOOK.shine, x)


BRIGHT: Field[Any] = Field("bright", "How bright.", lambda x: x.bright, "TY-2", also=("light",))


def lamp(*steps: Step[Lamp], **changes: Any) -> Any:
    return assembled(steps or (kindle, shine), **{"fields": (BRIGHT,), **changes})


# -- one step --------------------------------------------------------------------------------


def test_step_knows_its_name_clauses_and_title() -> None:
    assert shine.name == "shine"
    assert shine.clauses == ("TY-2", "TY-3")
    assert kindle.title == "The lamp is lit."
    assert silent.title == ""
    assert repr(shine) == "<step shine>"


def test_calling_a_step_applies_the_rule() -> None:
    assert kindle(Lamp(3)) == Go(shine, Lamp(3)) == kindle.rule(Lamp(3))


TOTAL = Total(Modifier("x", 1, "TY-1"))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("It shone.", ("It shone.",)),
        (("It", TOTAL, "shone."), ("It", TOTAL, "shone.")),
        ([TOTAL], (TOTAL,)),
        ((), ()),
    ],
)
def test_told_is_what_says_says(said: Any, told: object) -> None:
    made: Step[Lamp] = Step(kindle.rule, ("TY-1",))
    assert made.told(Lamp(), Lamp()) == ()
    seen: list[object] = []

    @made.says
    def _(before: Lamp, after: Lamp) -> Any:
        seen.append((before, after))
        return said

    assert made.told(Lamp(1), Lamp(2)) == told
    assert seen == [(Lamp(1), Lamp(2))]


def test_a_step_says_its_part_of_a_short_account() -> None:
    made: Step[Lamp] = Step(kindle.rule, ("TY-1",))
    silent = made.opening(Lamp(), Lamp()), made.brief(Lamp(), Lamp()), made.judged(Lamp(), Lamp())
    assert silent == ("", "", "")

    @made.opens
    def _(before: Lamp, after: Lamp) -> str:
        return f"Somebody lights it: {before.bright}"

    @made.briefly
    def _(before: Lamp, after: Lamp) -> Any:
        return "It", TOTAL, f"shines: {after.bright}."

    @made.verdict
    def _(before: Lamp, after: Lamp) -> str:
        return "bright" if after.bright else "dark"

    assert made.opening(Lamp(1), Lamp(2)) == "Somebody lights it: 1"
    assert made.brief(Lamp(1), Lamp(2)) == "It shines: 2.", "without sums"
    assert made.judged(Lamp(1), Lamp(2)) == "bright"


# -- a system that is right ------------------------------------------------------------------


def test_system_knows_what_is_where() -> None:
    system = lamp()
    assert system.places == {kindle: 0, shine: 1}
    assert system.carriers == {
        "TY-1": ["test_step.kindle"],
        "TY-2": ["test_step.shine"],
        "TY-3": ["test_step.shine"],
    }
    assert system.clauses["TY-2"] == Clause("TY-2", "p. 1", "about TY-2", "carried out")
    assert system.step_named("shine") is shine
    assert system.reach == {kindle: {shine}, shine: frozenset()}


def test_a_step_reaches_itself_only_in_a_loop() -> None:
    system = lamp(roll, kindle, shine, start=roll)
    assert system.reach[roll] == {kindle, shine}
    assert lamp(lonely).reach == {lonely: {lonely}}


def test_unknown_step_name() -> None:
    with pytest.raises(RulesError, match="toy has no step 'glow'"):
        lamp().step_named("glow")


@pytest.mark.parametrize("name", ["bright", "light"])
def test_field_by_name_or_other_name(name: str) -> None:
    assert lamp().field_named(name) is BRIGHT


def test_unknown_field_is_none() -> None:
    assert lamp().field_named("heat") is None


def test_declared_takes_the_default_rulings() -> None:
    given: list[Rulings] = []

    def declare(setup: Setup, rulings: Rulings) -> At[Any]:
        given.append(rulings)
        return At(kindle, Lamp())

    system = lamp(declare=declare)
    picked = Rulings({TIES: "attacker"})
    assert system.declared(Setup(Lamp())) == At(kindle, Lamp())
    system.declared(Setup(Lamp()), picked)
    assert given == [Rulings(), picked]


@pytest.mark.parametrize("first", [roll, pick], ids=lambda s: s.name)
def test_targets_are_found_through_functions_and_nested_code(first: Step[Lamp]) -> None:
    assert lamp(first, kindle, shine).reach[first] == {kindle, shine}


def test_targets_are_found_in_other_modules() -> None:
    assert lamp(look_up, shine).reach[look_up] == {shine}


# -- modules, tables and rulings that carry clauses ------------------------------------------


STEPS = """
from affray.core.node import End
from affray.core.step import cites, step
from {package}.tables import TABLE, glow

@step("TY-1")
def shine(x):
    "It shines."
    return End(x)

class Wick:
    @cites("TY-6")
    def trim(self): ...

@cites("TY-6")
class Lantern(Wick): ...

class Lamp(Lantern): ...

ONE = Lantern()
"""
TABLES = """
from affray.core.step import cites
from affray.core.table import Table
TABLE = Table({1: "a"}, "TY-7")
AGAIN = TABLE
PLAIN = 3

@cites("TY-5")
def glow(): ...
"""


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., System[Facts]]:
    """A system in a package of its own, whose steps stand in one of its modules."""

    def make(more: str = "", **changes: Any) -> System[Facts]:
        name = f"packed_{tmp_path.name}"
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").write_text("")
        (folder / "steps.py").write_text(STEPS.format(package=name))
        (folder / "tables.py").write_text(TABLES)
        (folder / "more.py").write_text(more)
        clauses = ("TY-1", "TY-5", "TY-6", "TY-7")
        rows = (f'{number} = ["p. 1", "it", "carried out"]\n' for number in clauses)
        (folder / "clauses.toml").write_text("".join(rows))
        monkeypatch.syspath_prepend(str(tmp_path))
        shine = import_module(f"{name}.steps").shine
        return assembled((shine,), {"TY-1": "carried out"}, folder=folder, **changes)

    return make


def test_functions_classes_methods_tables_and_rulings_carry_clauses(packed: Any) -> None:
    asked: Ruling[str] = Ruling("A-2", "wind", "TY-6", "?", {"a": "", "b": ""}, default="a")
    carriers = packed(rulings=(asked,)).carriers
    assert carriers["TY-5"] == ["tables.glow"]
    assert carriers["TY-6"] == ["steps.Wick.trim", "steps.Lantern", "rulings.wind"]


def test_a_table_is_counted_where_it_is_defined_and_once(packed: Any) -> None:
    assert packed().carriers["TY-7"] == ["tables.TABLE"]


def test_a_module_that_cant_be_imported_is_named(packed: Any) -> None:
    with pytest.raises(RulesError, match=r"\.more can't be imported: .*no_such_module"):
        packed("import no_such_module")


def test_a_system_in_a_single_module_finds_what_cites_there() -> None:
    module = sys.modules[__name__]
    assert lamp().modules == (module,)


def test_table_is_a_mapping_of_its_own() -> None:
    rows = {1: "a", 2: "b"}
    table = Table(rows, "TY-7")
    rows[3] = "c"
    assert dict(table) == {1: "a", 2: "b"}
    assert len(table) == 2
    assert table[2] == "b"
    assert table.get(3) is None
    assert table.__clauses__ == ("TY-7",)
    frozen: Any = table
    with pytest.raises(TypeError):
        frozen[1] = "z"


# -- a system that is wrong ------------------------------------------------------------------


def _shine_again() -> Step[Lamp]:
    def again(x: Lamp) -> Node[Lamp]:
        """The lamp shines once more."""
        return End(x)

    again.__name__ = "shine"
    return Step(again, ("TY-1",))


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ((silent,), "toy: step silent has no docstring; say what it does"),
        ((lawless,), "toy: step lawless carries out no clause; cite one"),
        ((greedy,), "toy: step greedy must take the facts, nothing else"),
        ((empty,), "toy: step empty must take the facts, nothing else"),
        ((kindle, shine, _shine_again()), "toy: two steps are called shine"),
        ((kindle, shine, kindle), "toy: two steps are called kindle"),
        ((kindle,), "toy: step kindle leads to shine, which is not listed"),
        ((look_up,), "toy: step look_up leads to shine, which is not listed"),
        ((kindle, shine, lonely), "toy: no step leads to lonely"),
    ],
)
def test_wrong_steps_are_refused(steps: tuple[Step[Lamp], ...], message: str) -> None:
    with pytest.raises(RulesError) as caught:
        lamp(*steps)
    assert str(caught.value) == message


def test_start_must_be_listed() -> None:
    with pytest.raises(RulesError, match="toy: the start, lonely, is not a listed step"):
        lamp(start=lonely)


def _objective(name: str = "win", actor: str = "attacker") -> Objective[Any]:
    return Objective(name, "To win.", lambda facts: 0, actor)


TWIN: Field[Any] = Field("light", "The same.", lambda x: x.bright, "TY-2")
TIES_BY_NUMBER: Ruling[str] = Ruling("ties", "x", "", "?", {"a": "", "b": ""}, default="a")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"fields": ()}, "toy: no fields; there must be at least one"),
        (
            {"fields": (BRIGHT, TWIN)},
            "toy: fields ['bright', 'light', 'light']; each may be named once",
        ),
        ({"objectives": ()}, "toy: no objectives; there must be at least one"),
        ({"objectives": (_objective(), _objective())}, "toy: objectives ['win', 'win']; each"),
        ({"rulings": (TIES, TIES)}, "toy: rulings ['ties', 'ties', 'A-1', 'A-1']; each"),
        ({"rulings": (TIES, TIES_BY_NUMBER)}, "toy: rulings ['ties', 'x', 'A-1', 'ties']; each"),
        (
            {"objectives": (_objective()._replace(about="heat"),)},
            "toy: objective win is about 'heat', which is no outcome field; known: bright",
        ),
        (
            {"objectives": (_objective(actor="moth"),)},
            "toy: objective win belongs to 'moth'; actors: attacker, defender",
        ),
    ],
)
def test_wrong_names_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError) as caught:
        lamp(**changes)
    assert str(caught.value).startswith(message)


STATUS = {"TY-1": "carried out", "TY-2": "in part", "TY-3": "carried out"}


def test_clauses_in_part_and_notes_are_fine() -> None:
    clauses = {**STATUS, "TY-8": "note", "TY-9": "not yet"}
    assert set(lamp(clauses=clauses).clauses) == {"TY-1", "TY-2", "TY-3", "TY-8", "TY-9"}


@pytest.mark.parametrize(
    ("clauses", "message"),
    [
        (
            {"TY-1": "carried out", "TY-2": "carried out"},
            "toy: test_step.shine cites 'TY-3', which clauses.toml doesn't list",
        ),
        (
            {**STATUS, "TY-9": "carried out"},
            "toy: clause TY-9 is said to be 'carried out', carried by nothing",
        ),
        (
            {**STATUS, "TY-9": "in part"},
            "toy: clause TY-9 is said to be 'in part', carried by nothing",
        ),
        (
            {**STATUS, "TY-3": "not yet"},
            "toy: clause TY-3 is said to be 'not yet', carried by ['test_step.shine']",
        ),
        (
            {**STATUS, "TY-1": "note"},
            "toy: clause TY-1 is said to be 'note', carried by ['test_step.kindle']",
        ),
    ],
)
def test_clauses_and_code_must_agree(clauses: Mapping[str, str], message: str) -> None:
    with pytest.raises(RulesError) as caught:
        lamp(clauses=clauses)
    assert str(caught.value) == message


def test_a_gap_names_a_clause_and_is_told_where_it_is_met() -> None:
    def lit(setup: Any, rulings: Rulings) -> bool:
        return bool(setup == "lit")

    made = lamp(gaps=(Gap("TY-1", "The oil is assumed.", lit),))
    assert made.assumed("lit", Rulings()) == ("The oil is assumed (TY-1).",)
    assert made.assumed("out", Rulings()) == ()
    with pytest.raises(RulesError, match=r"toy: a gap names clause 'TY-7', which clauses\.toml"):
        lamp(gaps=(Gap("TY-7", "The oil is assumed.", lit),))


@pytest.mark.parametrize("number", ["TY1", "ty-1", "T-1", "TY-1ab", "TY-"])
def test_clause_ids_have_one_shape(number: str) -> None:
    @step(number)
    def odd(x: Lamp) -> Node[Lamp]:
        """Its clause has an odd number."""
        return End(x)

    with pytest.raises(RulesError, match=rf"clauses.toml lists '{number}'; clause ids are TY-"):
        lamp(odd, clauses={number: "carried out"})


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="no profile of toy is called 'dim'"):
        lamp(rulings=()).readings({"profile": "dim"})


def test_a_system_may_have_no_rulings() -> None:
    assert lamp(rulings=()).readings({}) == Rulings()


@pytest.mark.parametrize("prefix", ["XYZ", "LANTRN"])
def test_clause_ids_follow_the_prefix(prefix: str) -> None:
    @step(f"{prefix}-1")
    def alone(x: Lamp) -> Node[Lamp]:
        """It is over."""
        return End(x)

    assert list(lamp(alone, prefix=prefix).clauses) == [f"{prefix}-1"]
    with pytest.raises(RulesError, match=f"lists '{prefix}-1'; clause ids are TY- and a number"):
        lamp(alone, clauses={f"{prefix}-1": "carried out"})


@pytest.mark.parametrize("prefix", ["x", "X", "XX1", "SEVENTY", ""])
def test_a_prefix_is_two_to_six_capital_letters(prefix: str) -> None:
    with pytest.raises(RulesError, match="allowed: two to six capital letters"):
        lamp(prefix=prefix)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "can't be read: No such file or directory; every system lists its clauses there"),
        ("TY-1 = [", "clauses.toml is no TOML: "),
        ('TY-1 = ["p. 1", "it"]', "TY-1 is .*; must be three texts"),
        ('TY-1 = "p. 1"', "TY-1 is 'p. 1'; must be three texts"),
        ('TY-1 = ["p. 1", 2, "note"]', "TY-1 is .*; must be three texts"),
    ],
)
def test_a_wrong_list_of_clauses_is_told(tmp_path: Path, text: str | None, message: str) -> None:
    if text is not None:
        (tmp_path / "clauses.toml").write_text(text)
    with pytest.raises(RulesError, match=message):
        lamp(folder=tmp_path)


def test_a_list_in_the_facts_of_a_declaration_is_told() -> None:
    system = lamp(declare=lambda setup, rulings: At(kindle, Lamp([1])))  # type: ignore[arg-type]
    with pytest.raises(RulesError, match=r"declaration can't be hashed: .*'list'"):
        system.declared(Setup(Lamp()))


def test_wrong_ruling_clause_names_the_ruling() -> None:
    asked: Ruling[str] = Ruling("A-2", "wind", "TY-66", "?", {"a": "", "b": ""}, default="a")
    with pytest.raises(RulesError, match=r"toy: rulings\.wind cites 'TY-66', which clauses.toml"):
        lamp(rulings=(asked,))


def test_the_first_that_fits_is_asked_and_wanted() -> None:
    def is_bright(lamp: Lamp) -> bool:
        return lamp.bright > 5

    bright = Field("bright", "Of the bright.", lambda lamp: 1, "TY-1", fits=is_bright)
    dim = Field[Lamp]("dim", "Of all.", lambda lamp: 1, "TY-1")
    assert first_fitting((bright, dim), Lamp(3)) is dim
    assert first_fitting((bright, dim), Lamp(9)) is bright
    assert first_fitting((bright, dim)) is bright  # without a start the first
    assert first_fitting((bright,), Lamp(1)) is bright  # and if none fits
