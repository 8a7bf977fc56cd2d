"""A system that breaks one law is refused, with the place and what to do.

Each of these is the brawl of `tests/outside` with one fault.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copytree
from typing import Annotated, Any, NamedTuple

import pytest
from annotated_types import Ge, Le

from affray.core.dice import Pool, d
from affray.core.errors import RulesError, SetupError
from affray.core.fight import Fight
from affray.core.hints import Alike, Hints
from affray.core.node import At, Chance, Choice, End, Go, Node, Option, Step, choose
from affray.core.reading import SumOfDice
from affray.core.ruling import Ruling, Rulings
from affray.core.sheet import sheet
from affray.core.step import step
from affray.core.system import Field, Objective, System
from affray.testing import Fault, check
from tests.outside import brawl, feint
from tests.outside.brawl import FIGHT, Blow, Body, Setup

DIE, SUM = Pool((d(6), 1)), SumOfDice()


class Struck(NamedTuple):
    """The facts of a brawl, with room for what is wrong with them."""

    strength: int
    armor: int
    again: bool = True
    rolled: Any = 0
    damage: int = 0
    noted: Any = ()
    rulings: Any = None


def rules(
    roll: Callable[[Struck], Node[Struck]] | None = None,
    hit: Callable[[Struck], Node[Struck]] | None = None,
    read: Any = SUM,
) -> tuple[Step[Struck], ...]:
    """The steps of a brawl; one of them may be another."""

    @step("BR-1")
    def roll_blow(x: Struck) -> Node[Struck]:
        """The attacker rolls a die."""
        plain = Chance("attacker", "blow", DIE, read, "rolled", At(roll_again, x))
        return plain if roll is None else roll(x)

    @step("BR-2")
    def roll_again(x: Struck) -> Node[Struck]:
        """The attacker may roll once more; the new face stands."""
        keep = Option("keep", At(strike, x._replace(again=False)))
        again = Option("again", At(roll_blow, x._replace(again=False, rolled=0)))
        return choose("attacker", "again?", [keep, again] if x.again else [keep])

    @step("BR-3")
    def strike(x: Struck) -> Node[Struck]:
        """What exceeds the armor is damage."""
        if hit is not None:
            return hit(x)
        damage = max(0, x.rolled + x.strength - x.armor)
        return Go(stop, x._replace(strength=0, armor=0, rolled=0, damage=damage))

    @step("BR-3")
    def stop(x: Struck) -> Node[Struck]:
        """The blow is over."""
        return End(x)

    return roll_blow, roll_again, strike, stop


def system(steps: Sequence[Step[Any]] = (), **changes: Any) -> System[Any]:
    """The brawl with other steps, or with other parts."""
    steps = tuple(steps) or rules()

    def declare(setup: Setup, rulings: Rulings) -> At[Any]:
        return At(steps[0], Struck(setup.attacker.strength, setup.defender.armor, rulings=rulings))

    parts: dict[str, Any] = {
        "id": "brawl", "title": "Brawl", "edition": "first", "credit": "Invented.", "prefix": "BR",
        "actors": ("attacker", "defender"), "steps": steps, "start": steps[0], "setup": Setup,
        "declare": declare, "fields": brawl.SYSTEM.fields, "objectives": brawl.SYSTEM.objectives,
        "rulings": (), "folder": brawl.SYSTEM.folder,
        "roster_keys": brawl.SYSTEM.roster_keys,
    }  # fmt: skip
    return System(**{**parts, **changes})


def fighting(hints: Hints[Any, Any, Any] | None = None, **changes: Any) -> System[Any]:
    """The brawl as it is, with another function of its fight; without hints unless given."""
    fight: Fight[Any, Any, Any, Any, Any] = replace(FIGHT, **changes)
    return replace(brawl.SYSTEM, fight=fight, hints=hints or Hints())


def faults(found: System[Any], *suites: str, **more: Any) -> Mapping[str, Fault]:
    """The first fault of each law."""
    broken: dict[str, Fault] = {}
    for fault in check(found, suites, **more):
        broken.setdefault(fault.law, fault)
    return broken


def test_the_brawl_itself_keeps_every_law() -> None:
    assert check(brawl.SYSTEM) == ()
    assert check(system(), ["documents", "places", "hints", "sessions", "examples"]) == ()


# -- places --------------------------------------------------------------------------------------


def test_a_step_with_a_memory_is_impure() -> None:
    count = itertools.count()

    def hit(x: Struck) -> Node[Struck]:
        return Go(steps[3], x._replace(strength=0, armor=0, rolled=0, damage=next(count)))

    steps = rules(hit=hit)
    fault = faults(system(steps), "places")["places/steps-are-pure"]
    assert fault.where == "step strike (example plain)"
    assert "the same facts give" in fault.what
    assert "nothing but its facts" in fault.remedy


def test_a_step_with_dice_of_its_own_is_impure() -> None:
    dice = random.Random(1)

    def hit(x: Struck) -> Node[Struck]:
        return Go(steps[3], x._replace(strength=0, armor=0, rolled=0, damage=dice.randrange(99)))

    steps = rules(hit=hit)
    assert "places/steps-are-pure" in faults(system(steps), "places")


@dataclass
class Notes:
    """Something that can be hashed and changed."""

    many: int = 0

    def __hash__(self) -> int:
        return 1


def test_a_step_that_changes_its_facts_is_impure() -> None:
    def hit(x: Struck) -> Node[Struck]:
        x.noted.many += 1
        return Go(steps[3], x._replace(strength=0, armor=0, rolled=0, damage=x.rolled))

    steps = rules(hit=hit)
    made = system(steps, declare=lambda setup, rulings: At(steps[0], Struck(0, 0, noted=Notes())))
    fault = faults(made, "places")["places/steps-are-pure"]
    assert fault.where.startswith("step strike")
    assert "changes something inside its facts" in fault.what


def test_a_list_in_the_facts_can_not_be_hashed() -> None:
    def hit(x: Struck) -> Node[Struck]:
        return Go(steps[3], x._replace(noted=[1, 2]))

    steps = rules(hit=hit)
    fault = faults(system(steps), "sessions")["sessions/examples-can-be-played"]
    assert fault.where == "example plain"
    assert "step strike fills noted with [1, 2], which can't be hashed" in fault.what
    assert "must be tuples and frozen records" in fault.what


def test_a_rule_that_fails_is_told_with_its_line() -> None:
    def hit(x: Struck) -> Node[Struck]:
        return Go(steps[3], x._replace(damage=1 // x.armor * 0))

    steps = rules(hit=hit)
    made = system(steps, declare=lambda setup, rulings: At(steps[0], Struck(0, 0)))
    fault = faults(made, "sessions")["sessions/examples-can-be-played"]
    assert "ZeroDivisionError" in fault.what
    assert "(test_broken.py, line" in fault.what
    assert "in hit)" in fault.what


class Double(NamedTuple):
    """A read that counts wrong."""

    def __call__(self, faces: Sequence[Any]) -> int:
        return int(faces[0])

    def counted(self, pool: Pool) -> dict[int, int]:
        return {face: 2 if face == 6 else 1 for face in range(2, 7)}


def test_a_read_that_counts_wrong_is_told_with_the_reading() -> None:
    fault = faults(system(rules(read=Double())), "places")[
        "places/reads-count-what-enumeration-counts"
    ]
    assert fault.where.startswith("step roll_blow")
    assert fault.what == "1d6 read by Double: 6 is counted 2 times, and 1 times face by face"
    assert "`counted`" in fault.remedy


class Faces(NamedTuple):
    """A read that keeps every face where it lay."""

    def __call__(self, faces: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(faces)


def test_raw_dice_are_not_kept() -> None:
    two = Pool((d(6), 2))

    def roll(x: Struck) -> Node[Struck]:
        return Chance("attacker", "blow", two, Faces(), "rolled", At(steps[2], x))

    def hit(x: Struck) -> Node[Struck]:
        return Go(steps[3], x._replace(rolled=0, damage=sum(x.rolled)))

    steps = rules(roll=roll, hit=hit)
    fault = faults(system(steps), "places")["places/no-raw-dice-are-kept"]
    assert fault.what == "2d6 has 36 ways to fall, and the reading keeps 36 of them apart"


def test_options_with_one_name_or_one_place_are_told() -> None:
    def hit(x: Struck) -> Node[Struck]:
        end = At(steps[3], x._replace(strength=0, armor=0, rolled=0, damage=1))
        return Choice("attacker", "where?", (Option("head", end), Option("head", end)))

    steps = rules(hit=hit)
    fault = faults(system(steps), "places")["places/options-differ"]
    assert fault.where.startswith("step strike")
    assert fault.what == "'where?' offers 'head' 2 times"


def test_a_choice_that_changes_nothing_in_a_fight_is_told() -> None:
    """A taunt is noted, and nothing that a fight keeps depends on it."""

    def hit(x: Struck) -> Node[Struck]:
        struck = x._replace(strength=0, armor=0, rolled=0, damage=max(0, x.rolled - x.armor))
        silent, taunts = At(steps[3], struck), At(steps[3], struck._replace(noted="taunt"))
        return choose("defender", "taunt?", [Option("no", silent), Option("taunt", taunts)])

    steps = rules(hit=hit)
    made = system(steps)
    fight: Fight[Any, Any, Any, Any, Any] = replace(
        FIGHT, declare=lambda scene: made.declare(scene.setup, scene.rulings)
    )
    fault = faults(replace(made, fight=fight), "places")["places/choices-change-a-fight"]
    assert fault.where == "step strike"
    assert fault.what.startswith("it offers no, taunt, and a fight goes on the same way")


def test_an_unknown_actor_is_told() -> None:
    def roll(x: Struck) -> Node[Struck]:
        return Chance("somebody", "blow", DIE, SumOfDice(), "rolled", At(steps[1], x))

    steps = rules(roll=roll)
    fault = faults(system(steps), "sessions")["sessions/examples-can-be-played"]
    assert "asks 'somebody'" in fault.what
    assert "actors are attacker, defender" in fault.what


def test_an_exchange_without_end_is_told() -> None:
    def hit(x: Struck) -> Node[Struck]:
        return Go(steps[0], x._replace(rolled=0)) if x.armor >= 0 else Go(steps[3], x)

    steps = rules(hit=hit)
    fault = faults(system(steps), "sessions")["sessions/examples-can-be-played"]
    assert "random answers (seed 0) it still goes on, at step roll_blow" in fault.what


# -- hints ---------------------------------------------------------------------------------------


def hinted(**hints: Any) -> System[Any]:
    steps = rules()
    by_name = {one.name: one for one in steps}
    for kind in ("aside", "fixes", "alike", "plain", "fixes_where"):
        if kind in hints:
            hints[kind] = {by_name[name]: value for name, value in hints[kind].items()}
    return system(steps, hints=Hints(**hints))


def test_an_objective_that_its_field_does_not_decide_is_told() -> None:
    luck = Objective[Any]("luck", "luck", lambda x: x.damage, "attacker", about="always")
    always = Field[Any]("always", "the same", lambda x: 1, "BR-3")
    changes: dict[str, Any] = {"fields": (*brawl.SYSTEM.fields, always), "objectives": (luck,)}
    fault = faults(system(**changes), "hints")["hints/an-objective-is-about-its-field"]
    assert fault.where == "objective luck, about always"
    assert "with always = 1 it is worth " in fault.what


def test_an_objective_that_other_fields_decide_is_told() -> None:
    luck = Objective[Any]("luck", "luck", lambda x: x.damage, "attacker")
    always = Field[Any]("always", "the same", lambda x: 1, "BR-3")
    fields = (*brawl.SYSTEM.fields, always)
    wrong = system(fields=fields, objectives=(luck,), hints=Hints(decides={"luck": ("always",)}))
    fault = faults(wrong, "hints")["hints/an-objective-is-about-its-field"]
    assert fault.where == "objective luck, decides"
    assert "with always = 1 it is worth " in fault.what


def test_an_objective_that_comes_to_more_than_it_says() -> None:
    """A blow of a d6 does up to six points of damage."""
    luck = Objective[Any]("luck", "luck", lambda x: x.damage, "attacker", comes_to=lambda _: (0, 0))
    fault = faults(system(objectives=(luck,)), "hints")["hints/an-objective-comes-to-what-it-says"]
    assert fault.where == "objective luck, comes_to"
    assert " it says 0 to 0, and comes to " in fault.what


def test_an_option_that_spends_and_is_called_free_is_told() -> None:
    def hit(x: Struck) -> Node[Struck]:
        plain = Option("plain", At(steps[3], x))
        hard = Option("hard", At(steps[3], x._replace(damage=2)), spends=1)
        return choose("attacker", "how?", [plain, hard])

    steps = rules(hit=hit)
    wrong = Hints[Any, Any, Any](spends_at={steps[2]: ("plain", "hard")})
    fault = faults(system(steps, hints=wrong), "hints")["hints/free-options-spend-nothing"]
    assert fault.where == "step strike, spends_at hard"
    assert fault.what == "the option hard spends 1, and is called free"


def test_a_rule_for_several_places_that_says_something_else_is_told() -> None:
    steps = rules()

    def lazy() -> Callable[[Struck], Node[Struck]]:
        """A rule that gives every place what the first came to."""
        said: list[Node[Struck]] = []

        def strike(x: Struck) -> Node[Struck]:
            said.append(steps[3].rule(x))
            return said[0]

        return strike

    wrong = Hints[Any, Any, Any](several={steps[3]: lazy})
    fault = faults(system(steps, hints=wrong), "hints")[
        "hints/a-rule-for-several-places-says-what-the-step-says"
    ]
    assert fault.where == f"step {steps[3].name}, several"


@pytest.mark.parametrize(
    ("pairs", "what"),
    [
        ({"soft": "hard"}, "soft is not listed after hard, and is called outdone by it"),
        ({"hard": "soft"}, "hard comes to 2, and soft only to 1, for the objective damage"),
    ],
)
def test_an_option_that_is_called_outdone_and_is_not_is_told(
    pairs: dict[str, str], what: str
) -> None:
    def hit(x: Struck) -> Node[Struck]:
        soft = Option("soft", At(steps[3], x._replace(damage=1)))
        hard = Option("hard", At(steps[3], x._replace(damage=2)))
        return choose("attacker", "how?", [soft, hard])

    steps = rules(hit=hit)
    wrong = Hints[Any, Any, Any](outdone={"damage": {steps[2]: pairs}})
    fault = faults(system(steps, hints=wrong), "hints")[
        "hints/options-that-are-outdone-are-worth-no-more"
    ]
    assert fault.where.startswith("step strike, outdone ")
    assert fault.what == what


@pytest.mark.parametrize(
    ("hints", "law", "where", "what"),
    [
        ({"aside": {"strike": ("armor",)}}, "steps-leave-aside-what-they-promise",
         "step strike, aside armor", "it reads armor"),
        ({"aside": {"roll_again": ("again",)}}, "steps-leave-aside-what-they-promise",
         "step roll_again, aside again", "it reads again"),
        ({"aside": {"stop": ("damage",)}, "fixes": {"roll_again": ("damage",)}},
         "fixed-fields-never-change-again", "step roll_again, fixes damage",
         "damage is 0 there and "),
        ({"fixes": {"stop": ("damage",)},
          "columns": {"damage": lambda x, into, values: [0 for _ in values]}},
         "columns-are-used", "column damage", "no roll of any example leads to"),
        ({"fixes": {"roll_again": ("damage",)},
          "columns": {"damage": lambda x, into, values: [5 for _ in values]}},
         "columns-are-what-their-fields-are", "column damage", "it gives 5; the field is 0"),
        ({"alike": {"strike": Alike("rolled", lambda x, values: [v // 2 for v in values])}},
         "a-step-says-the-same-for-values-that-are-alike", "step strike, alike rolled",
         "have one key, and lead to different places"),
        ({"forget": lambda roll, needed: roll._replace(
            then=At(roll.then.step, roll.then.facts._replace(armor=9)))},
         "what-is-forgotten-was-not-needed", "forget, step roll_blow",
         "asked for damage, it comes to "),
        ({"plain": {"strike": lambda x, needed: x._replace(rolled=x.rolled + 1)}},
         "plainer-facts-come-to-the-same", "plain, step strike",
         "asked for damage, objective damage comes to "),
        ({"plain": {"roll_again": lambda x, needed: x._replace(again=True)}},
         "plainer-facts-come-to-the-same", "plain, step roll_again",
         "asked for damage: "),
        ({"fixes_where": {"roll_again": lambda x: ("damage",)}},
         "fields-fixed-by-the-facts-never-change-again", "step roll_again, fixes_where",
         "damage is 0 there and "),
    ],
)  # fmt: skip
def test_a_hint_that_lies_is_told(hints: dict[str, Any], law: str, where: str, what: str) -> None:
    fault = faults(hinted(**hints), "hints")[f"hints/{law}"]
    assert fault.where == where
    assert what in fault.what
    assert fault.remedy


# -- rulings, examples ---------------------------------------------------------------------------

TIES = Ruling("A-1", "ties", "BR-3", "Who wins a tie?", {"armor": "it does", "blow": "it does"},
              default="armor")  # fmt: skip


def test_a_ruling_without_effect_is_told() -> None:
    def hit(x: Struck) -> Node[Struck]:
        told = {"blow": 0, "armor": 0}[x.rulings[TIES]]
        damage = max(0, x.rolled + told + x.strength - x.armor)
        return Go(steps[3], x._replace(strength=0, armor=0, rolled=0, damage=damage))

    steps = rules(hit=hit)
    fault = faults(system(steps, rulings=(TIES,)), "rulings")["rulings/every-reading-matters"]
    assert fault.where == "ruling ties = blow"
    assert fault.what == "steps ask for it, but in every example and fight all is as by the default"
    unasked = faults(system(rulings=(TIES,)), "rulings")["rulings/every-reading-matters"]
    assert "asks for the ruling" in unasked.what
    assert "Let a step ask for the ruling" in unasked.remedy


def shipping(tmp_path: Path, **files: str) -> Path:
    """A folder like that of the brawl, with other files."""
    folder = tmp_path / "brawl"
    copytree(brawl.SYSTEM.folder, folder)
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.toml"
        path.write_text(text, encoding="utf-8")
    return folder


def test_an_example_that_comes_to_something_else_is_told(tmp_path: Path) -> None:
    folder = shipping(tmp_path, examples='''
[wrong]
attacker = "thug"
defender = "guard"
play = { dice = [1, 5], choose = ["again"] }
expect = { damage = 3 }
odds = { damage = { 0 = "1/6" }, _objective = "hit" }
[forbidden]
expect = { refused = "too weak" }
''')  # fmt: skip
    found = faults(replace(brawl.SYSTEM, folder=folder), "examples")
    expected = found["examples/examples-come-to-what-they-expect"]
    assert (expected.where, expected.what) == (
        "example wrong", "damage comes to 4, and is expected to be 3",
    )  # fmt: skip
    odds = found["examples/examples-have-the-odds-that-were-counted"]
    assert odds.what == "damage is 0 with chance 1/36, and is said to be with 1/6"
    refused = found["examples/what-is-against-the-rules-is-refused"]
    assert (refused.where, refused.what) == ("example forbidden", "it is accepted")


# -- decisions under cover -----------------------------------------------------------------------


WAYS = ("high", "low")


class Pass(NamedTuple):
    """The facts of a pass with two decisions of the attacker under cover around one of the other.

    Attributes:
        shows: what the later questions tell.
    """

    shows: str = ""
    blow: str = ""
    guard: str = ""
    effort: str = ""
    hit: bool = False


@step("FE-1", sealed=True)
def choose_blow(x: Pass) -> Node[Pass]:
    """The attacker strikes high or low, under cover."""
    return choose("attacker", "where?", [
        Option(way, At(choose_guard, x._replace(blow=way))) for way in WAYS
    ])  # fmt: skip


@step("FE-2", sealed=True)
def choose_guard(x: Pass) -> Node[Pass]:
    """The defender guards high or low, under cover."""
    blow = x.blow
    ways = [*WAYS, "parry"] if x.shows == "options" and blow == "low" else WAYS
    return Choice(
        "defender",
        f"guard against {blow}?" if x.shows == "ask" else "where?",
        tuple(Option(way, At(choose_effort, x._replace(guard=way)),
                     words=f"against {blow}" if x.shows == "words" else "") for way in ways),
        (("blow", blow),) if x.shows == "about" else (("distance", 3),),
        (("duck", "too low"),) if x.shows == "closed" and blow == "low" else (),
    )  # fmt: skip


@step("FE-1", sealed=True)
def choose_effort(x: Pass) -> Node[Pass]:
    """The attacker strikes harder or not, under cover."""
    about = {"own": x.blow, "guard": x.guard, "both": x.blow + x.guard}.get(x.shows, "")
    return choose("attacker", "harder?", [
        Option(way, At(compare, x._replace(effort=way))) for way in ("yes", "no")
    ], (("about", about),))  # fmt: skip


@step("FE-3")
def compare(x: Pass) -> Node[Pass]:
    """Both are uncovered: a blow hits where nobody guards."""
    return End(x._replace(hit=x.blow != x.guard or x.effort == "yes"))


def covered(shows: str) -> System[Pass]:
    """The pass whose later questions tell something."""
    return System(
        id="feint", title="Feint", edition="first", credit="Invented.", prefix="FE",
        actors=("attacker", "defender"), start=choose_blow, setup=feint.Setup,
        steps=(choose_blow, choose_guard, choose_effort, compare),
        declare=lambda setup, rulings: At(choose_blow, Pass(shows)),
        fields=(Field("hit", "whether it hits", lambda x: x.hit, "FE-3"),),
        objectives=(Objective("hit", "chance to hit", lambda x: int(x.hit), "attacker", "hit"),),
        folder=feint.SYSTEM.folder,
        roster_keys={"attacker": "fighters", "defender": "fighters"},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("shows", "where", "what"),
    [
        ("about", "choose_blow", "defender is asked about blow high, after low about blow low"),
        ("ask", "choose_blow", "asked 'guard against high?', after low 'guard against low?'"),
        ("words", "choose_blow", "from high against high, low against high, after low to choose"),
        ("options", "choose_blow", "from high, low, after low to choose from high, low, parry"),
        ("closed", "choose_blow", "closed nothing, after low with closed duck (too low)"),
        (
            "guard",
            "choose_blow",
            "after high, high attacker is asked about about high, after high,",
        ),
        ("both", "choose_blow", "after high, high attacker is asked about about highhigh, after"),
    ],
)
def test_a_question_that_tells_what_was_decided_under_cover_is_told(
    shows: str, where: str, what: str
) -> None:
    law = "places/sealed-decisions-are-not-shown"
    fault = faults(covered(shows), law)[law]
    assert fault.where.startswith(f"step {where} (")
    assert what in fault.what


@pytest.mark.parametrize("shows", ["", "own"])
def test_whoever_decides_under_cover_sees_their_own_decisions(shows: str) -> None:
    assert not check(covered(shows), ["places/sealed-decisions-are-not-shown"])


# -- documents, keys -----------------------------------------------------------------------------


def test_an_undocumented_step_is_refused_when_the_system_is_made() -> None:
    @step("BR-1")
    def bare(x: Struck) -> Node[Struck]:
        return End(x)

    with pytest.raises(RulesError, match="step bare has no docstring"):
        system((bare,))


def test_what_documents_lack_is_told(tmp_path: Path) -> None:
    folder = shipping(
        tmp_path,
        clauses='BR-1 = ["", "Dice", "carried out"]\nBR-2 = ["p. 2", "", "carried out"]\n'
        'BR-3 = ["p. 3", "Armor", "carried out"]\nBR-4 = ["p. 4", "More", "someday"]\n',
        roster__fighters="[thug]\nhp = 3\n",
    )
    found = faults(replace(brawl.SYSTEM, folder=folder), "documents")
    clauses = [f for f in check(replace(brawl.SYSTEM, folder=folder), ["documents"])
               if f.law == "documents/clauses-say-what-they-are-about"]  # fmt: skip
    assert [fault.where for fault in clauses] == ["clause BR-1", "clause BR-2", "clause BR-4"]
    assert "allowed: carried out, in part, not yet, unknown in the source" in clauses[2].what
    source = found["documents/roster-entries-have-a-source"]
    assert source.where == "roster/fighters.toml: thug"


def test_a_clause_that_leaves_something_out_says_so_and_why(tmp_path: Path) -> None:
    folder = shipping(
        tmp_path,
        clauses='BR-1 = ["p. 1", "Dice", "in part"]\n'
        'BR-2 = ["p. 2", "Again", "carried out", "but not always"]\n'
        'BR-3 = ["p. 3", "Armor", "in part", "shields are not armor"]\n'
        'BR-4 = ["p. 4", "More", "not yet"]\n',
    )
    told = [f for f in check(replace(brawl.SYSTEM, folder=folder), ["documents"])
            if f.law == "documents/clauses-say-what-is-left-out"]  # fmt: skip
    assert [fault.where for fault in told] == ["clause BR-1", "clause BR-2", "clause BR-4"]
    assert "without a reason" in told[0].what
    assert "but not always" in told[1].what


def test_a_step_that_no_example_meets_is_told(tmp_path: Path) -> None:
    folder = shipping(tmp_path, examples='[plain]\nchoose = { roll_again = "keep" }\n')
    steps = rules()

    @step("BR-2")
    def rest(x: Struck) -> Node[Struck]:
        """Nobody ever comes here."""
        return Go(steps[3], x)

    def hit(x: Struck) -> Node[Struck]:
        return Go(rest if x.armor > 90 else steps[3], x)

    steps = rules(hit=hit)
    made = system((*steps, rest), folder=folder)
    fault = faults(made, "documents")["documents/every-step-is-met"]
    assert fault.where == "step rest"
    assert "Add an example" in fault.remedy


@sheet
class Bare:
    """A brawler who says nothing about where the numbers come from."""

    hp: Annotated[int, Ge(1), Le(20)] = 4
    strength: Annotated[int, Ge(0), Le(3)] = 0
    armor: Annotated[int, Ge(0), Le(3)] = 0


@sheet
class Needy:
    """A blow for which both must be told."""

    attacker: Bare
    defender: Bare


def without_examples(tmp_path: Path) -> Path:
    folder = shipping(tmp_path, roster__fighters="[thug]\nstrength = 1\n")
    for name in ("examples.toml", "fights.toml"):
        (folder / name).unlink()
    return folder


@pytest.mark.parametrize("fight", [None, FIGHT])
def test_a_package_without_examples_is_told_that_they_are_missing(
    tmp_path: Path, fight: Any
) -> None:
    folder = without_examples(tmp_path)
    told = check(replace(brawl.SYSTEM, setup=Needy, folder=folder, fight=fight, hints=Hints()))
    assert [fault.law for fault in told] == ["documents/there-is-something-to-play"]
    assert told[0].what == (
        "it ships no example, and a setup without keys is refused: attacker: missing; it is "
        "required; defender: missing; it is required"
    )
    assert "examples.toml" in told[0].remedy


def test_a_package_without_examples_is_checked_by_its_usual_values(tmp_path: Path) -> None:
    made = system(setup=Setup, folder=without_examples(tmp_path))
    told = {fault.law for fault in check(made, ["places", "sessions", "agreement", "rulings"])}
    assert not told
    assert {fault.where for fault in check(made, ["keys/every-key-of-a-setup-matters"])} == {
        "key Brawler.hp"
    }


def test_a_roster_needs_no_source_where_its_sheet_has_none(tmp_path: Path) -> None:
    law, folder = "documents/roster-entries-have-a-source", without_examples(tmp_path)
    assert law not in faults(system(setup=Needy, folder=folder), law)
    assert law in faults(system(folder=folder), law)


def test_fights_need_an_attacker_and_a_defender() -> None:
    @sheet
    class Coin:
        """A setup without anybody."""

        again: bool = True

    with pytest.raises(RulesError, match=r"needs the keys attacker and defender.*Coin has again"):
        system(setup=Coin, fight=FIGHT)


def test_a_key_that_changes_nothing_is_told() -> None:
    def hit(x: Struck) -> Node[Struck]:
        return Go(steps[3], x._replace(strength=0, armor=0, rolled=0, damage=x.rolled + x.strength))

    steps = rules(hit=hit)
    told = check(system(steps), ["keys/every-key-of-a-setup-matters"])
    # without a fight, hp changes nothing; and with armor left out, no defender does
    assert [fault.where for fault in told] == [
        "key Setup.defender", "key Brawler.hp", "key Brawler.armor",
    ]  # fmt: skip
    assert told[0].what == "it is accepted, and no value of it changes anything"
    idle = {fault.where.removeprefix("key "): "for the sake of the test" for fault in told}
    assert check(system(steps), ["keys"], idle=idle) == ()


def test_an_idle_key_that_matters_is_told() -> None:
    found = faults(brawl.SYSTEM, "keys", idle={"Brawler.armor": "?", "Brawler.wings": "?"})
    fault = found["keys/idle-keys-are-idle"]
    assert fault.where == "idle_keys.toml: Brawler.armor"
    assert "it matters: outcome" in fault.what


# -- fights --------------------------------------------------------------------------------------


class Mutable:
    """A condition that can be changed, and is."""

    def __init__(self, hp: int) -> None:
        self.hp = hp

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mutable) and self.hp == other.hp

    def __hash__(self) -> int:
        return 1

    def __repr__(self) -> str:
        return f"Mutable({self.hp})"


def hurt(sheet: Any, body: Mutable, damage: int) -> Mutable:
    body.hp = max(0, body.hp - damage)
    return body


def test_a_fight_that_changes_conditions_is_told() -> None:
    made = fighting(enter=lambda sheet, rulings: Mutable(sheet.hp), apply=hurt)
    fault = faults(made, "fights/functions-of-fights-are-pure")[
        "fights/functions-of-fights-are-pure"
    ]
    assert fault.where.startswith("fight alley")
    assert "`apply` changes what it is given" in fault.what
    assert "return a new condition" in fault.remedy


def test_a_fight_with_a_memory_is_told() -> None:
    dice = random.Random(1)
    made = fighting(apply=lambda sheet, body, damage: Body(max(0, body.hp - dice.randint(1, 3))))
    found = faults(made, "fights/functions-of-fights-are-pure")
    assert "`apply` answers the same question with" in found[
        "fights/functions-of-fights-are-pure"
    ].what  # fmt: skip


@pytest.mark.parametrize(
    ("law", "told"),
    [
        ("undo-inverts-a-move-of-a-fight", "done again, leads elsewhere"),
        ("the-same-moves-replay-identically", "goes another way after move"),
        ("conditions-are-what-apply-says", "exchange: conditions are not what the rules say"),
        ("people-and-battles-fight-the-same-fight", "battle"),
    ],
)
def test_a_fight_with_a_memory_is_told_where_people_play_it(law: str, told: str) -> None:
    dice = random.Random(1)
    made = fighting(apply=lambda sheet, body, damage: Body(max(0, body.hp - dice.randint(1, 3))))
    assert told in faults(made, f"played/{law}")[f"played/{law}"].what


def test_a_fight_that_fails_before_it_begins_is_told() -> None:
    def enter(sheet: Any, rulings: Rulings) -> Body:
        raise ZeroDivisionError("no condition")

    found = faults(fighting(enter=enter), "fights")
    fault = found["fights/duels-are-won-as-often-as-played"]
    assert fault.where == "brawl"
    assert fault.what.startswith("ZeroDivisionError: no condition (test_broken.py, line ")


def test_vitals_that_differ_from_being_out_are_told() -> None:
    made = fighting(vitals=lambda sheet, body: body.hp + 1)
    fault = faults(made, "fights/who-is-out-has-no-vitals-left")[
        "fights/who-is-out-has-no-vitals-left"
    ]
    assert "has 1 vitals and is out" in fault.what


def test_what_exchanges_read_although_it_is_hidden_is_told() -> None:
    def declare(scene: Any) -> At[Blow]:
        at = brawl.declare(scene.setup, scene.rulings)
        return At(at.step, at.facts._replace(armor=at.facts.armor + (scene.actor.hp > 2)))

    made = fighting(brawl.SYSTEM.hints, declare=declare)
    law = "fights/rows-are-what-comes-of-known-conditions"
    assert "with everything known" in faults(made, law)[law].what


# -- checking itself -----------------------------------------------------------------------------


def test_time_is_shared_and_what_is_cut_short_is_told() -> None:
    from affray.engine.budget import Budget
    from affray.testing import Material, held

    report = held(Material(brawl.SYSTEM), (), Budget(seconds=0.2))
    cut = [held for held in report.held if held.cut]
    assert cut or report.left
    assert report.faults == ()


def test_an_unknown_suite_is_refused() -> None:
    from affray.core.errors import UnknownNameError

    with pytest.raises(UnknownNameError, match=r"'placs'\. Did you mean 'places'"):
        check(brawl.SYSTEM, ["placs"])


def test_neither_pytest_nor_hypothesis_is_needed() -> None:
    import subprocess
    import sys

    code = (
        "import sys; sys.modules.update(pytest=None, hypothesis=None)\n"
        "from affray.testing import check\nfrom tests.outside.brawl import SYSTEM\n"
        "assert check(SYSTEM, ['places', 'keys']) == ()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# -- the next setup ------------------------------------------------------------------------------


def left(setup: Setup, trail: Sequence[Blow], rulings: Rulings) -> Setup:
    """The defender with the points that are left."""
    damage = trail[-1].damage
    if damage >= setup.defender.hp:
        raise SetupError("the defender lies down")
    return replace(setup, defender=replace(setup.defender, hp=setup.defender.hp - damage))


def lasting(**changes: Any) -> System[Any]:
    """The brawl, which says what lasts."""
    return replace(brawl.SYSTEM, **{"after": left, **changes})


def test_a_next_setup_with_everything_that_lasts_keeps_the_laws() -> None:
    def lost(before: Setup, after: Setup) -> int:
        return before.defender.hp - after.defender.hp

    assert check(lasting(lasts={"damage": lost}), ["next"]) == ()


def test_a_next_setup_without_a_wound_is_told() -> None:
    made = lasting(after=lambda setup, trail, rulings: setup)
    fault = faults(made, "next")["next/the-next-setup-knows-what-a-fight-knows"]
    assert fault.where.startswith("example ")
    told = "the defender has hp = \\d+ after this exchange in a fight, and \\d+"
    assert re.search(f"{told}|the defender is out in a fight, and goes on", fault.what)
    assert "System.resets" in fault.remedy
    heals = lasting(after=lambda setup, trail, rulings: (setup, left(setup, trail, rulings))[0])
    assert check(heals, ["next"])
    assert not check(replace(heals, resets={"hp": "wounds heal at once"}), ["next"])


def test_a_next_setup_with_other_changes_is_told() -> None:
    def after(setup: Setup, trail: Sequence[Blow], rulings: Rulings) -> Setup:
        made = left(setup, trail, rulings)
        return replace(made, attacker=replace(made.attacker, strength=3 - made.attacker.strength))

    fault = faults(lasting(after=after), "next")["next/what-changes-nothing-leaves-the-setup"]
    assert "nothing happened to the attacker, and it changes: strength = " in fault.what


def test_a_field_that_stands_elsewhere_in_the_next_setup_is_told() -> None:
    fault = faults(lasting(lasts={"damage": "defender.hp"}), "next")[
        "next/what-lasts-stands-in-the-next-setup"
    ]
    assert re.search(r"damage is \d+, and the next setup says \d+", fault.what)
    with pytest.raises(RulesError, match="brawl: lasts names 'blood', which is no outcome field"):
        lasting(lasts={"blood": "defender.hp"})


def test_a_next_setup_that_no_table_makes_again_is_told() -> None:
    def after(setup: Setup, trail: Sequence[Blow], rulings: Rulings) -> Setup:
        raise ZeroDivisionError("no sheet")

    fault = faults(lasting(after=after), "next")["next/the-next-setup-can-be-read"]
    assert "ZeroDivisionError" in fault.what
