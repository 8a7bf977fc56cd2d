"""What is asked of the situation: once, for those for whom it holds, kept until it changes."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest

from affray.app.fight import Fight
from affray.app.fight_chances import ask_chances
from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN, FightChanges
from affray.app.inputs.intake import InputError
from affray.app.revisions import EVERYTHING
from affray.app.sources import EasyFight, Table
from affray.core.errors import AnswerError, SetupError, UnknownNameError
from affray.engine.budget import Budget
from affray.engine.exchange.session import Answer

RAW: dict[str, Any] = {
    "one": {"fighters": ["jinx", "corp_guard"]},
    "other": {"fighters": ["ripper", "sentry_bot"]},
    "first": "one",
    "rulings": {"turns": "attacks"},
}
TWO_ON_TWO = Table(RAW, "two on two")
KNOWN = {"distance_m": 5, "cover": "none", "vision": "clear", "superior": "none"}
"""All of the situation that a fight of Eclipse Phase asks."""


def at_the_deed(system: str, source: EasyFight, changes: FightChanges = FIGHT_AS_WRITTEN) -> Fight:
    """A fight in which things are asked when they first matter, and not before round 1."""
    fight = Fight.begin(system, source, changes)
    return Fight.begin(system, Table({**fight.loaded.raw, "scene": False}, fight.loaded.origin))


def begun() -> Fight:
    return at_the_deed("eclipse-phase", TWO_ON_TWO)


def asked(fight: Fight) -> tuple[str, str]:
    question = fight.question
    assert question is not None
    return question.kind, question.key


def to_the_end(fight: Fight) -> Fight:
    """The fight after the exchange that goes on, by first options and lowest faces."""
    while fight.session.exchange is not None or asked(fight)[0] == "situation":
        question = fight.asked
        assert question is not None
        faces = None if question.dice is None else [die.faces[0] for die in question.dice.dice]
        fight = fight.answer(faces or question.options[0].name)
    return fight


def test_the_scene_is_asked_before_the_first_shot_and_then_no_more() -> None:
    fight = begun().answer("attack: Ripper")
    met = []
    while asked(fight)[0] == "situation":
        met.append(asked(fight)[1])
        fight = fight.answer(fight.question.options[0].name if fight.question else "")
    assert met == ["distance_m", "cover", "vision", "superior"]
    fight = to_the_end(fight)
    while fight.question and fight.question.fighter != "Jinx":
        fight = fight.answer("pass")
    fight = fight.answer("attack: Ripper")
    assert asked(fight)[0] == "exchange", "all is known between these two"


def test_another_target_is_asked_for_its_distance_and_its_cover_but_not_for_the_light() -> None:
    fight = to_the_end(begun().answer("attack: Ripper").answer("30").answer("minor"))
    fight = fight.answer("attack: Sentry bot")
    assert asked(fight) == ("situation", "distance_m")
    fight = fight.answer("10")
    assert asked(fight) == ("situation", "cover")
    assert asked(fight.answer("none"))[0] == "exchange"


def test_cover_holds_whoever_shoots_and_distance_only_between_the_two() -> None:
    fight = to_the_end(begun().answer("attack: Ripper").answer("30").answer("minor"))
    fight = fight.answer("attack: Ripper")
    assert asked(fight) == ("situation", "distance_m"), "the guard stands elsewhere"
    assert asked(fight.answer("10"))[0] == "exchange"


def test_the_distance_is_the_same_from_the_other_end() -> None:
    fight = begun().answer("attack: Sentry bot").answer("7.5").answer("none").answer("clear")
    here = fight.session.position
    jinx, bot = here.course.everybody[0], here.course.everybody[3]
    assert here.situation(jinx, bot).distance_m == here.situation(bot, jinx).distance_m == 7.5


def test_the_answers_make_the_modifiers_that_were_shown() -> None:
    fight = begun().answer("attack: Sentry bot").answer("8")
    assert fight.question is not None
    words = {option.name: option.words for option in fight.question.options}
    assert "-20 moderate cover (EP-77)" in words["moderate"]
    fight = to_the_end(fight.answer("moderate"))
    totals = [str(total) for event in fight.session.log if event.session is not None
              for line in event.session.log for total in line.totals]  # fmt: skip
    assert any("-20 moderate cover" in total for total in totals)


def test_said_for_all_it_is_asked_of_nobody_again() -> None:
    fight = begun().answer("attack: Ripper").answer("20 all").answer("none all").answer("clear")
    fight = to_the_end(fight).answer("attack: Sentry bot")
    assert asked(fight)[0] == "exchange"


def test_ask_no_more_leaves_everything_as_assumed() -> None:
    fight = begun().answer("attack: Ripper").answer("ask no more")
    assert asked(fight)[0] == "exchange"
    assert fight.session.position.grounds == ()
    assert asked(to_the_end(fight).answer("attack: Sentry bot"))[0] == "exchange"


@pytest.mark.parametrize("given", ["far", "-1", "2000000", ""])
def test_what_is_no_distance_is_refused_and_asked_again(given: str) -> None:
    fight = begun().answer("attack: Ripper")
    with pytest.raises(AnswerError, match="How many meters"):
        fight.answer(given)
    assert asked(fight) == ("situation", "distance_m")


def test_what_is_no_cover_is_refused_with_what_is_allowed() -> None:
    fight = begun().answer("attack: Ripper").answer("10")
    with pytest.raises(AnswerError, match=r"heavy.*none, minor, moderate, major"):
        fight.answer("heavy")


def test_what_the_file_or_set_says_is_not_asked() -> None:
    raw = {**RAW, "one": {**RAW["one"], "situation": {"distance_m": 5}}}
    fight = at_the_deed("eclipse-phase", Table(raw, "a file")).answer("attack: Ripper")
    assert asked(fight) == ("situation", "cover"), "one side says how far they are apart"
    changes = FightChanges(situation=KNOWN)
    fight = at_the_deed("eclipse-phase", TWO_ON_TWO, changes).answer("attack: Ripper")
    assert asked(fight)[0] == "exchange"


@pytest.mark.parametrize(
    ("said", "ours", "theirs"),
    [
        ("Jinx", "attacker", "defender"), ("Ripper", "defender", "attacker"),
        ("both", "both", "both"), ("none", "none", "none"),
    ],
)  # fmt: skip
def test_ep98_the_better_position_is_that_of_a_side_whoever_acts(
    said: str, ours: str, theirs: str
) -> None:
    known = {key: value for key, value in KNOWN.items() if key != "superior"}
    fight = at_the_deed("eclipse-phase", TWO_ON_TWO, FightChanges(situation=known))
    fight = fight.answer("attack: Ripper")
    assert asked(fight) == ("situation", "superior")
    here = fight.answer(said).session.position
    jinx, guard, ripper, bot = here.course.everybody
    for one, other in ((jinx, ripper), (guard, bot)):
        assert here.situation(one, other).superior == ours
        assert here.situation(other, one).superior == theirs


def test_a_file_may_say_what_is_asked() -> None:
    for asks, first in ((["vision"], ("situation", "vision")), ([], ("exchange", ""))):
        fight = at_the_deed("eclipse-phase", Table({**RAW, "asks": asks}, "a file"))
        assert asked(fight.answer("attack: Ripper")) == first
    with pytest.raises(
        InputError, match=r"a file: asks\.0: 'mood'; allowed: distance_m, cover, vision"
    ):
        Fight.begin("eclipse-phase", Table({**RAW, "asks": ["mood"]}, "a file"))


def test_an_answer_is_undone_and_done_again_like_any_other() -> None:
    fight = begun().answer("attack: Ripper")
    after = fight.answer("30")
    assert asked(after.undo()) == ("situation", "distance_m")
    assert after.undo().session.position.grounds == ()
    assert asked(after.undo().redo()) == ("situation", "cover")
    assert asked(after.undo(2)) == ("deed", "")
    assert asked(after.at(1).answer("2")) == ("situation", "cover"), "a fork"


def test_answers_are_saved_and_replayed() -> None:
    fight = to_the_end(begun().answer("attack: Ripper").answer("30").answer("minor all"))
    again = Fight.restored(json.loads(json.dumps(fight.saved)))
    assert again.remarks == ()
    assert again.view(since=EVERYTHING).situations == fight.view(since=EVERYTHING).situations
    assert again.session.position.grounds == fight.session.position.grounds
    assert asked(again.answer("attack: Sentry bot")) == ("situation", "distance_m")


def test_a_fight_saved_before_anything_was_asked_goes_on_without() -> None:
    """Version 1 says nothing of what is asked; its moves mean what they meant."""
    raw: dict[str, Any] = dict(
        Fight.begin("eclipse-phase", Table({**RAW, "asks": []}, "old")).saved
    )
    raw["version"] = 1
    raw["fight"] = {key: value for key, value in raw["fight"].items() if key != "asks"}
    assert asked(Fight.restored(raw).answer("attack: Ripper"))[0] == "exchange"


def test_the_view_tells_what_is_asked_and_what_was_said() -> None:
    fight = begun().answer("attack: Ripper")
    row = fight.view().question
    assert row is not None
    assert (row.kind, row.key, row.takes) == (
        "situation", "distance_m", "meters; 'all' after it: for everybody",
    )  # fmt: skip
    assert row.ask == "How many meters are there between Jinx and Ripper?"
    assert [option.name for option in row.options][:2] == ["10", "2"], "what is assumed comes first"
    fight = fight.answer("30")
    (event,) = fight.view().events
    assert (event.kind, event.fighter, event.target) == ("situation", "Jinx", "Ripper")
    assert event.why.startswith("Distance Jinx to Ripper: 30 m (")
    said = [tuple(row) for row in fight.view().situations]
    assert ("", "Jinx", "Ripper", "distance_m", 30.0) in said
    assert ("", "Ripper", "Jinx", "distance_m", 30.0) in said


def test_a_game_master_sets_it_over_what_was_said_and_has_it_asked_again() -> None:
    fight = to_the_end(begun().answer("attack: Ripper").answer("30").answer("minor"))
    here = fight.session.position
    jinx, ripper = here.course.everybody[0], here.course.everybody[2]
    changed = fight.hand("situation", side="both", key="distance_m", value=4)
    found = changed.session.position.situation(jinx, ripper)
    assert (found.distance_m, found.cover) == (4, "minor")
    one = fight.hand("situation", side="other", key="cover", value="major")
    assert one.session.position.situation(jinx, ripper).cover == "minor", "of the other side only"
    again = fight.hand("ask", key="distance_m").answer("attack: Ripper")
    assert asked(again) == ("situation", "distance_m")
    assert asked(again.undo(2).answer("attack: Ripper")) == ("situation", "distance_m"), "the guard"
    whole = fight.hand("ask", key="all")
    assert whole.session.position.grounds == ()
    with pytest.raises(UnknownNameError, match="mood"):
        fight.hand("ask", key="mood")


def test_what_was_said_for_all_is_set_for_one_side_alone() -> None:
    fight = to_the_end(begun().answer("attack: Ripper").answer("30").answer("minor"))
    fight = fight.hand("situation", side="one", key="vision", value="major")
    here = fight.session.position
    jinx, guard, ripper, _ = here.course.everybody
    assert here.situation(jinx, ripper).vision == here.situation(guard, ripper).vision == "major"
    assert here.situation(ripper, jinx).vision == "clear"


def test_what_the_file_says_is_asked_once_a_game_master_wants_it() -> None:
    changes = FightChanges(situation=KNOWN)
    fight = at_the_deed("eclipse-phase", TWO_ON_TWO, changes)
    assert asked(fight.answer("attack: Ripper"))[0] == "exchange"
    fight = fight.hand("ask", key="cover")
    assert asked(fight.answer("attack: Ripper")) == ("situation", "cover")
    while fight.question and fight.question.fighter != "Sentry bot":
        fight = fight.answer("pass")
    assert asked(fight.answer("attack: Jinx")) == ("situation", "cover")


def test_ee11_both_sides_are_set_apart_at_once() -> None:
    """The distance is the same from both ends, so neither could be set alone."""
    fight = at_the_deed("empty-earth", "brockton")
    fight = fight.hand("situation", side="both", key="distance_zones", value=1)
    found: Any = [side.situation for side in fight.session.contest.sides]
    assert [situation.distance_zones for situation in found] == [1, 1]
    with pytest.raises(SetupError, match="the same from both ends"):
        fight.hand("situation", side="one", key="distance_zones", value=2)


def test_a_hand_while_it_is_asked_goes_back_to_the_deed() -> None:
    fight = begun().answer("attack: Ripper")
    fight = fight.hand("situation", side="both", key="distance_m", value=50)
    assert asked(fight) == ("deed", "")
    assert asked(fight.answer("attack: Ripper")) == ("situation", "cover")


def test_ep32_the_cover_of_one_who_moves_is_asked_again() -> None:
    fight = begun().answer("attack: Ripper").answer("30").answer("major").answer("clear")
    fight = to_the_end(fight).answer("pass")
    assert fight.question is not None
    assert fight.question.fighter == "Ripper"
    fight = to_the_end(fight.answer("attack: Jinx"))
    moved: Any = fight.session.position.condition(fight.session.position.course.everybody[2])
    assert moved.advance > 0, "the blade ran toward her"
    fight = fight.answer("pass")
    fight = fight.answer("attack: Ripper")
    assert asked(fight) == ("situation", "cover")


def test_computers_take_what_is_assumed_and_people_say_it_for_their_own() -> None:
    raw = {**RAW, "first": "other"}
    fight = at_the_deed("eclipse-phase", Table(raw, "a file"))
    fight = fight.seated({"one": "rolled", "other": "computer:first"})
    fight = fight.answer("pass").answer("attack: Jinx")
    assert asked(fight) == ("situation", "distance_m")
    assert fight.seat == "rolled", "the bot is the computer's, but Jinx is not"
    both = fight.seated({"one": "computer:first", "other": "computer:first"})
    assert (both.seat, both.decides("first").option) == ("computer:first", "10")
    assert both.decides("search").option == "10"


def test_what_is_said_to_be_as_assumed_leaves_the_chances_exact() -> None:
    fight = at_the_deed("grid-battles", ("light_cav", "light_cav"), FightChanges(first="one"))
    before = ask_chances(fight, Budget(seconds=30))
    asked_for = ask_chances(fight.answer("attack: Light Cav 2"), Budget(seconds=30))
    assert (before.known, before.one) == ("exact", asked_for.one)
    plain, hill = (
        ask_chances(fight.answer("attack: Light Cav 2").answer(terrain), Budget(seconds=30))
        for terrain in ("plain", "hill")
    )
    assert (plain.known, plain.one) == ("exact", before.one)
    assert (hill.known, hill.one.value < plain.one.value) == ("exact", True)


# -- the systems ---------------------------------------------------------------------------------


def first_asked(system: str, one: str, other: str, *, first: str = "one") -> list[tuple[str, str]]:
    """What is asked before the first attack: the key, and what is assumed."""
    fight = at_the_deed(system, (one, other), FightChanges(first=first))
    while asked(fight)[0] != "deed":
        question = fight.asked
        assert question is not None
        assert question.dice is not None
        fight = fight.answer([die.faces[0] for die in question.dice.dice])
    assert fight.question is not None
    fight = fight.answer(fight.question.options[0].name)
    found = []
    while asked(fight)[0] == "situation":
        assert fight.question is not None
        found.append((asked(fight)[1], fight.question.options[0].name))
        fight = fight.answer(fight.question.options[0].name)
    return found


@pytest.mark.parametrize(
    ("system", "one", "other", "expected"),
    [
        ("affinity", "squire", "novice", [("distance_yd", "5")]),
        ("eclipse-phase", "ripper", "ripper", [("vision", "clear"), ("superior", "none")]),
        ("empty-earth", "bo", "husk", []),
        ("empty-earth", "ada", "husk", [("distance_zones", "0")]),
        ("emlia", "house_guard", "trolls", []),
        ("emlia", "longbows", "trolls", [("distance", "0")]),
        ("grid-battles", "axeman", "maceman", [("defender_terrain", "plain")]),
        ("grid-battles", "axeman", "archer",
         [("distance_hexes", "1"), ("defender_terrain", "plain")]),
    ],
)  # fmt: skip
def test_each_game_asks_what_matters_for_the_deed(
    system: str, one: str, other: str, expected: list[tuple[str, str]]
) -> None:
    assert first_asked(system, one, other) == expected


def test_af78_somebody_far_away_closes_in_over_the_ground_that_was_said() -> None:
    fight = at_the_deed("affinity", ("squire", "novice"), FightChanges(first="one"))
    fight = fight.answer("attack: Novice").answer("40")
    assert asked(fight) == ("situation", "difficult")
    assert fight.question is not None
    words = [option.words for option in fight.question.options[:2]]
    assert words == ["a free move of 10 yards", "a free move of 5 yards"]
    fight = fight.answer("yes")
    squire: Any = fight.session.position.conditions[0][0]
    assert squire.now.gone == 5, "half of the free move"


def test_ee13_the_line_matters_once_somebody_is_in_another_zone() -> None:
    fight = at_the_deed("empty-earth", ("ada", "husk"), FightChanges(first="one"))
    fight = fight.answer("attack: Husk").answer("1")
    assert asked(fight) == ("situation", "line_of_sight")
    fight = fight.answer("blocked")
    assert asked(fight) == ("deed", ""), "there is no attack to make"
    assert fight.question is not None
    assert fight.question.closed[0][0] == "attack: Husk"
    assert "no Line of Sight" in fight.question.closed[0][1]
    fight = fight.answer("pass")
    assert (fight.verdict, asked(fight)) == ("", ("deed", "")), "nobody reaches anybody"
    fight = fight.hand("between", fighter="all", target="all", key="distance_zones", value=0)
    assert fight.question is not None
    assert "attack: Husk" in [option.name for option in fight.question.options]


def test_gb2_a_units_terrain_is_the_same_when_it_strikes() -> None:
    fight = at_the_deed("grid-battles", ("axeman", "maceman"), FightChanges(first="one"))
    fight = fight.answer("attack: Maceman").answer("hill")
    here = fight.session.position
    axeman, maceman = here.course.everybody
    assert here.situation(axeman, maceman).defender_terrain.name == "hill"
    assert here.situation(maceman, axeman).attacker_terrain.name == "hill"


def test_a_wrong_key_under_asks_is_told_with_its_place() -> None:
    with pytest.raises((InputError, UnknownNameError)):
        Fight.begin("empty-earth", Table({**RAW, "asks": "distance"}, "a file"))


@pytest.mark.parametrize(
    ("said", "of_the_other"),
    [("attacker", "defender"), ("defender", "attacker"), ("both", "both"), ("none", "none")],
)
@pytest.mark.parametrize(("mine", "theirs"), [("one", "other"), ("other", "one")])
def test_a_position_said_of_one_side_holds_whoever_acts(
    mine: str, theirs: str, said: str, of_the_other: str
) -> None:
    raw = {**RAW, mine: {**RAW[mine], "situation": {"superior": said}}}
    fight = at_the_deed("eclipse-phase", Table(raw, "a ledge"))
    sides: Any = dict(zip(("one", "other"), fight.session.contest.sides, strict=True))
    assert sides[mine].situation.superior == said
    assert sides[theirs].situation.superior == of_the_other
    changed = fight.hand("situation", side=theirs, key="superior", value="none")
    assert {one.situation.superior for one in changed.session.contest.sides} == {"none"}


def test_a_position_said_of_both_sides_or_in_common_stays_as_it_is() -> None:
    both = {**RAW, "situation": {"superior": "attacker"}}
    found: Any = at_the_deed("eclipse-phase", Table(both, "a stair")).session.contest.sides
    assert [side.situation.superior for side in found] == ["attacker", "attacker"]


# -- the scene, before round 1 --------------------------------------------------------------------


def scene(system: str, one: str, other: str) -> list[tuple[str, str]]:
    """What is asked before the first round, and the question; everything is as assumed."""
    fight, found = Fight.begin(system, (one, other)), []
    while fight.question is not None and fight.question.kind == "situation":
        found.append((fight.question.key, fight.question.ask))
        fight = fight.answer(fight.question.options[0].name)
    assert fight.session.moment.round <= 1
    return found


def test_the_scene_is_asked_once_for_both_sides() -> None:
    """Everybody of a side is meant; a side that nobody shoots at is asked for no cover."""
    assert scene("eclipse-phase", "jinx,corp_guard", "2xexhuman") == [
        ("distance_m", "How many meters are there between Jinx, Corporate guard and 2 x Exhuman?"),
        ("cover", "What cover has 2 x Exhuman?"),
        ("vision", "How hard is it to see?"),
        ("superior", "Who is in a superior position, Jinx, Corporate guard or 2 x Exhuman?"),
    ]
    assert [key for key, _ in scene("eclipse-phase", "jinx", "corp_guard")].count("cover") == 2
    assert scene("empty-earth", "bo", "husk") == []


def test_nothing_is_asked_again_unless_it_has_changed() -> None:
    """A whole round in which everybody shoots, and nobody moves."""
    fight = Fight.begin("eclipse-phase", Table(RAW, "two on two"))
    while asked(fight)[0] == "situation":
        fight = fight.answer(fight.question.options[0].name if fight.question else "")
    later = []
    while fight.question is not None and fight.session.moment.round == 1:
        later += [fight.question.key] if fight.question.kind == "situation" else []
        fight = fight.answer(_first(fight))
    assert later == []


def _first(fight: Fight) -> Any:
    question = fight.asked
    assert question is not None
    if question.dice is not None:
        return [die.faces[0] for die in question.dice.dice]
    return question.options[0].name


def covered(fight: Fight) -> set[str]:
    """The fighters whose cover somebody has said."""
    here = fight.session.position
    found = (one.target for one in here.grounds if one.key == "cover")
    return {here.name(who) for who in found if who is not None}


def test_ep32_the_cover_of_who_moves_is_open_again_and_nobody_elses() -> None:
    """What the scene says of a side's cover holds for each of its fighters apart."""
    raw = {**RAW, "rulings": {"turns": "actions"}, "one": {"fighters": ["jinx", "jinx"]}}
    fight = Fight.begin("eclipse-phase", Table(raw, "two on two"))
    while asked(fight)[0] == "situation":
        fight = fight.answer(_first(fight))
    everybody = covered(fight)
    assert {"Jinx 1", "Jinx 2"} < everybody
    fight = fight.answer("attack: Ripper")
    while fight.session.exchange is not None:
        question = fight.asked
        names = [option.name for option in question.options] if question else []
        fight = fight.answer("run" if "run" in names else _first(fight))
    assert covered(fight) == everybody - {"Jinx 1"}


def test_a_game_masters_hand_while_the_scene_is_set_leaves_the_rest_to_be_asked() -> None:
    fight = Fight.begin("eclipse-phase", Table(RAW, "two on two"))
    assert asked(fight) == ("situation", "distance_m")
    fight = fight.hand("situation", side="both", key="distance_m", value=7)
    assert asked(fight) == ("situation", "cover")


def test_a_saved_fight_from_before_the_scene_was_set_goes_on_as_it_was() -> None:
    old = begun().answer("attack: Ripper").saved
    fight = cast("dict[str, Any]", old["fight"])
    del fight["scene"]  # nobody knew of it
    again = Fight.restored({key: old[key] for key in old if key not in {"seal", "log"}})
    assert asked(again) == ("situation", "distance_m")
    assert [move.option for move in again.moves if isinstance(move, Answer)] == ["attack: Ripper"]
