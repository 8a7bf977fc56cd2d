"""A fight of people as a record of data: begun, answered, undone, looked at, saved and opened."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import pytest

import affray
from affray.app.battle import Sampling
from affray.app.exchange_computers import computer_rolls
from affray.app.fight import Fight
from affray.app.files.seal import sealed
from affray.app.inputs.fight_changes import FightChanges
from affray.app.inputs.intake import InputError
from affray.app.inputs.setups import load
from affray.app.revisions import EVERYTHING
from affray.app.rolling import Roll
from affray.app.samples import play_samples, replay_samples
from affray.app.sources import Names, Shipped, Table
from affray.app.views.envelope import to_json
from affray.core.dice import Pool, d
from affray.core.errors import AffrayError, AnswerError, SetupError, UnknownNameError
from affray.core.fight import ATTACK
from affray.engine.exchange.session import Answer
from affray.engine.exchange.sources import Entropy
from affray.engine.fight.course import FighterId
from affray.engine.fight.played.deeds import encounter

EE = "empty-earth"
SHIPPED = (
    ("affinity", "marsh"), ("eclipse-phase", "warehouse"), ("emlia", "field"),
    ("empty-earth", "brockton"), ("grid-battles", "support"),
)  # fmt: skip


def begun() -> Fight:
    return Fight.begin(EE, ("bo", "2xhusk")).answer(["Bo"])


def played(fight: Fight, seed: int, most: int = 60) -> Fight:
    """A fight with so many more moves, all of them by chance."""
    chance = random.Random(seed)
    for _ in range(most):
        question = fight.asked
        if question is None:
            break
        if question.dice is not None:
            fight = fight.answer([chance.choice(die.faces) for die in question.dice.dice])
        else:
            fight = fight.answer(chance.choice(question.options).name)
    return fight


def stored(fight: Fight) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(fight.saved))
    return found


# -- beginning -----------------------------------------------------------------------------------


def test_a_fight_begins_from_names_a_shipped_one_or_a_table() -> None:
    assert affray.Fight is Fight
    table = {"one": {"fighters": ["bo"]}, "other": {"fighters": [{"like": "husk", "number": 4}]}}
    for source in (("bo", "4xhusk"), Names("bo", "4xhusk"), table, Table(table)):
        names = [row.name for row in Fight.begin(EE, source).view().fighters]
        assert names == ["Bo", "Husk 1", "Husk 2", "Husk 3", "Husk 4"]
    assert Fight.begin(EE, "brockton") == Fight.begin(EE, Shipped("brockton"))


def test_sheets_of_ones_own_fight_as_well() -> None:
    mine = {"like": "bo", "name": "Cy"}
    table = {"one": {"fighters": [mine, "bo"]}, "other": {"fighters": ["husk"]}}
    assert [row.name for row in Fight.begin(EE, table).view().fighters] == ["Cy", "Bo", "Husk"]


def test_nothing_is_decided_beforehand_whatever_the_policies_of_the_file() -> None:
    """Somebody who plays is asked everything; the plans in a file are those of computers."""
    changes = FightChanges(policies=("first", "first"))
    fight = Fight.begin(EE, ("bo", "husk"), changes).answer(["Bo"]).answer("attack: Husk")
    assert fight.question is not None
    assert (fight.question.kind, bool(fight.question.options)) == ("exchange", True)


def test_what_is_wrong_with_a_fight_is_said_at_once() -> None:
    with pytest.raises(UnknownNameError, match="brocton"):
        Fight.begin(EE, "brocton")
    with pytest.raises(InputError, match="nobody"):
        Fight.begin(EE, {"one": {"fighters": []}, "other": {"fighters": ["husk"]}})


# -- moving --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("system", "name"), SHIPPED)
def test_undo_redo_and_forks_lead_to_the_same_place(system: str, name: str) -> None:
    fight = played(Fight.begin(system, name), 1)
    n = len(fight.moves) - 7
    assert n > 10
    assert fight.undo(0) == fight
    back = fight.undo(7)
    assert (back.moves, back.undone) == (fight.moves[:n], fight.moves[n:])
    assert back.redo(7) == fight
    assert back.redo(3).redo(9) == fight
    view = back.redo(7).view(since=EVERYTHING)
    assert view == replace(fight.view(since=EVERYTHING), revision=view.revision)
    assert fight.undo(99).moves == ()
    fork = fight.at(n)
    assert (fork.moves, fork.undone) == (back.moves, ())
    again = Fight.begin(system, name)
    for move in fight.moves:
        assert isinstance(move, Answer)
        again = again.answer(move)
    assert again == fight
    assert again.session.conditions == fight.session.conditions


def test_a_wrong_answer_leaves_everything_as_it_is() -> None:
    fight = begun().undo()
    assert fight.undone
    with pytest.raises(AnswerError, match="'Cy' is no face"):
        fight.answer(["Cy"])
    assert fight.redo() == begun()
    assert fight.answer(["2 x Husk"]).undone == ()


def test_faces_that_lie_are_kept_until_the_roll_is_taken() -> None:
    fight = played(begun().answer("attack: Husk 1"), 1, 0)
    while fight.rolling is None:
        assert fight.question is not None
        fight = fight.answer(fight.question.options[0].name)
    roll = fight.rolling.typed(str(fight.rolling.pool.dice[0].faces[0]))
    lain = fight.laid(roll.answer)
    assert lain.rolling == roll
    assert Fight.restored(stored(lain)).rolling == roll
    assert lain.undo().lying == Answer()
    wrong = {**stored(lain), "lying": {"faces": [77], "by": ["hand"]}}
    with pytest.raises(AnswerError, match="lying: 77 is no face of die 1"):
        Fight.restored(wrong)


# -- a game master's hand ------------------------------------------------------------------------


def test_hands_are_moves_by_name_undone_like_answers_and_stored() -> None:
    fight = begun()
    hands: list[tuple[str, dict[str, object]]] = [
        ("enter", {"side": "other", "fighter": "haunt"}),
        ("enter", {"side": "one", "fighter": {"like": "ada", "name": "Cy"}}),
        ("order", {"order": ["Haunt", "Husk 2"]}),
        ("first", {"first": "other"}),
        ("leave", {"fighter": "Husk 1"}),
        ("end", {"verdict": "drawn"}),
    ]
    for what, values in hands:
        after = fight.hand(what, **values)
        assert after.undo().redo() == after
        assert after.undo().view().fighters == fight.view().fighters
        assert after.view().events[0].kind == "hand"
        fight = after
    assert [row.name for row in fight.view().fighters] == [
        "Bo", "Cy", "Husk 1", "Husk 2", "Haunt",
    ]  # fmt: skip
    assert fight.verdict == "drawn"
    again = Fight.restored(stored(fight))
    assert (again.moves, again.verdict, again.remarks) == (fight.moves, "drawn", ())


def test_a_condition_is_set_by_the_key_of_its_line() -> None:
    fight = begun()
    key = next(line.key for row in fight.view().fighters for line in row.told if line.key)
    who = next(row for row in fight.view().fighters if any(one.key == key for one in row.told))
    set_ = fight.hand("set", fighter=who.name, key=key, value=1)
    after = next(row for row in set_.view().fighters if row.name == who.name)
    line = next(line for line in after.told if line.key == key)
    changed = set_.view().events[0].changes
    assert [(one.fighter, one.label) for one in changed] == [(who.name, line.label)]
    assert Fight.restored(stored(set_)).view().fighters == set_.view().fighters


def test_a_situation_changes_key_by_key() -> None:
    fight = Fight.begin("eclipse-phase", "warehouse")
    fight = played(fight, 1, 40)
    while fight.session.exchange is not None:
        fight = fight.undo()
    nearer = fight.hand("situation", side="one", key="distance_m", value=3)
    darker = nearer.hand("situation", side="one", key="vision", value="minor")
    one, other = darker.session.contest.sides
    assert (one.situation.distance_m, one.situation.vision) == (3, "minor")
    assert other.situation.vision == "clear"
    assert darker.view().events[0].why == "sets vision to minor for Jinx's crew"
    with pytest.raises(UnknownNameError, match="distance"):
        fight.hand("situation", side="one", key="distanz", value=3)
    with pytest.raises(InputError, match="vision"):
        fight.hand("situation", side="one", key="vision", value="foggy")


def test_the_situation_between_two_is_theirs_alone() -> None:
    fight = Fight.begin("eclipse-phase", "warehouse")
    fight = fight.answer("stop asking")
    for place in range(5):
        fight = fight.answer([6 - place])  # Jinx acts first, on the side of the ripper
    far = fight.hand("between", fighter="Jinx", target="Guard dog", key="distance_m", value=45)
    assert far.view().events[0].why == ("sets distance m to 45 where Jinx acts upon Guard dog")
    jinx, ripper, dog = FighterId(0, 0), FighterId(0, 1), FighterId(1, 2)
    here = far.session.position
    assert here.situation(jinx, dog).distance_m == 45
    assert here.situation(jinx, FighterId(1, 0)) is None
    assert here.situation(dog, jinx) is None
    met = encounter(here, jinx, ATTACK, dog)[0].setup
    assert (cast("Any", met).distance_m, cast("Any", met).defender.name) == (45, "Guard dog")
    dim = far.hand("between", fighter="all", target="Guard dog", key="vision", value="minor")
    rows = [tuple(row) for row in dim.view().situations]
    assert ("", "Jinx", "Guard dog", "distance_m", 45) in rows
    assert rows[-1] == ("", "", "Guard dog", "vision", "minor")
    assert {row[0] for row in rows if not row[2]} == {"one", "other"}
    here = dim.session.position
    both = here.situation(jinx, dog)
    assert (both.distance_m, both.vision) == (45, "minor")
    assert here.situation(ripper, dog).vision == "minor"
    assert here.situation(ripper, dog).distance_m != 45
    again = Fight.restored(stored(dim))
    assert again.session.position.grounds == here.grounds
    assert dim.undo(2).session.position.grounds == ()
    with pytest.raises(InputError, match="vision"):
        far.hand("between", fighter="all", target="Jinx", key="vision", value="foggy")
    with pytest.raises(UnknownNameError, match="Rex"):
        far.hand("between", fighter="Rex", target="all", key="vision", value="minor")


@pytest.mark.parametrize(
    ("what", "values", "message"),
    [
        ("smite", {}, "smite"),
        ("leave", {}, "fighter is missing"),
        ("leave", {"fighter": "Husk 9"}, "Husk 9"),
        ("leave", {"fighter": "Husk 1", "why": "x"}, "why"),
        ("order", {"order": "Husk 1"}, "must be a list"),
        ("first", {"first": "me"}, "me"),
        ("enter", {"side": "third", "fighter": "husk"}, "third"),
        ("enter", {"side": "one", "fighter": "husky"}, "husky"),
        ("end", {"verdict": "stalled"}, "stalled"),
    ],
)
def test_a_hand_that_cannot_be_is_refused(
    what: str, values: Mapping[str, object], message: str
) -> None:
    with pytest.raises(AffrayError, match=message):
        begun().hand(what, **values)


# -- looking -------------------------------------------------------------------------------------


def test_a_view_tells_the_round_the_turns_and_everybody() -> None:
    fight = begun().answer("pass")
    view = fight.view()
    assert (view.round, view.sides, view.verdict) == (1, ("Bo", "2 x Husk"), "")
    assert [(row.name, row.state) for row in view.turns] == [
        ("Bo", "done"), ("Husk 1", "now"), ("Husk 2", "next"),
    ]  # fmt: skip
    assert [(row.name, row.side, row.is_out) for row in view.fighters] == [
        ("Bo", "one", False), ("Husk 1", "other", False), ("Husk 2", "other", False),
    ]  # fmt: skip
    assert all(row.told for row in view.fighters)
    assert [event.kind for event in view.events] == ["pass", "turn"]
    assert [event.kind for event in fight.view(since=EVERYTHING).events][:2] == ["round", "turn"]
    with pytest.raises(UnknownNameError, match="nobody"):
        fight.view("nobody")


def test_an_exchange_tells_what_it_changed() -> None:
    fight = begun().answer("attack: Husk 1")
    events: tuple[Any, ...] = ()
    while not any(event.kind == "exchange" for event in events):
        question = fight.asked
        assert question is not None
        if question.dice is not None:
            fight = fight.answer([die.faces[-1] for die in question.dice.dice])
        else:
            fight = fight.answer(question.options[0].name)
        events = fight.view().events
    (event,) = (one for one in events if one.kind == "exchange")
    assert (event.fighter, event.deed, event.target) == ("Bo", "attack", "Husk 1")
    assert event.lines
    assert {change.fighter for change in event.changes} <= {"Bo", "Husk 1"}


@pytest.mark.parametrize(
    ("system", "foe", "told"),
    [
        ("affinity", "orc_raider", "Orc Raider"), ("eclipse-phase", "guard_dog", "Guard dog"),
        ("grid-battles", "light_cav", "Light Cav"),
    ],
)  # fmt: skip
def test_two_of_a_kind_have_their_own_names_in_what_steps_say(
    system: str, foe: str, told: str
) -> None:
    fight = played(Fight.begin(system, (foe, f"2x{foe}")), 1, 90)
    said = [line.says for event in fight.view(since=EVERYTHING).events for line in event.lines]
    named = [text for text in said if told in text]
    assert named, said
    for text in named:
        assert text.count(told) == sum(text.count(f"{told} {n}") for n in (1, 2, 3)), text


@pytest.mark.parametrize(
    ("system", "sides"),
    [
        ("affinity", ("fighter", "2xorc_raider,shield_sergeant")),
        ("eclipse-phase", ("jinx", "2xguard_dog")),
        ("emlia", ("house_guard,knights,ghurn_irregulars", "trolls,2xghurn_irregulars")),
        ("empty-earth", ("ada,bo", "2xhusk,shrieker")),
        ("grid-battles", ("knight,2xarcher", "2xlight_cav")),
    ],
)
@pytest.mark.parametrize("policy", ["first", "opening"])
def test_computers_and_people_have_options_of_the_same_names(
    system: str, sides: tuple[str, str], policy: str
) -> None:
    """A computer decides about fighters of a kind, a person about each by name."""
    chance, fight, decided = random.Random(4), Fight.begin(system, sides), 0
    for _ in range(60):
        question = fight.asked
        if question is None:
            break
        if question.dice is not None:
            fight = fight.answer([chance.choice(die.faces) for die in question.dice.dice])
        else:
            fight = fight.answer(fight.decides(policy))
            decided += 1
    assert decided > 4


@pytest.mark.parametrize(("system", "name"), SHIPPED)
def test_a_view_is_plain_data_with_a_schema(system: str, name: str) -> None:
    for moves in (0, 9, 40):
        told = to_json(played(Fight.begin(system, name), 2, moves).view(since=EVERYTHING))
        assert (told["schema"], told["version"]) == ("affray/fight", 4)
        assert json.loads(json.dumps(told)) == told


# -- a game on a map -----------------------------------------------------------------------------


def test_gb43_a_game_on_the_map_is_begun_and_answered_as_a_fight() -> None:
    fight = Fight.begin("grid-battles", "ford")
    question = fight.question
    assert question is not None
    assert (question.kind, question.side, question.actor) == ("exchange", "one", "one")
    view = fight.view(since=EVERYTHING)
    assert (view.sides, view.round, [event.kind for event in view.events]) == (
        ("one", "other"), 1, ["round"],
    )  # fmt: skip
    assert view.picture.startswith("    00 ")
    assert [row.name for row in view.fighters] == [
        "Light Cav", "Pikeman", "Archer (one)", "Axeman",
        "Knight", "Swordman", "Archer (other)", "Maceman",
    ]  # fmt: skip
    assert view.fighters[0].told[0][:2] == ("health", "3 of 3")
    for answer in ("pikeman", "light-cav", "pikeman", "stay"):
        fight = fight.answer(answer)
    # two a turn: now it is the other side's
    assert fight.question is not None
    assert (fight.question.side, fight.question.ask) == ("other", "which unit is activated?")


@pytest.mark.parametrize(
    ("name", "verdict", "rounds", "out"),
    [("ford", "other", 2, (3, 0)), ("chase", "one", 1, (0, 1)), ("breakout", "other", 2, None)],
)
def test_gb47_a_game_on_the_map_ends_with_its_own_verdict(
    name: str, verdict: str, rounds: int, out: tuple[int, int] | None
) -> None:
    """The shipped scripts of these games: those who have fallen are out."""
    loaded = load("grid-battles", name)
    dice, options = list(loaded.dice), list(loaded.options)
    fight = Fight.begin("grid-battles", name)
    while (question := fight.asked) is not None:
        size = 0 if question.dice is None else question.dice.size
        given, dice = dice[:size], dice[size:]
        fight = fight.answer(given) if size else fight.answer(options.pop(0))
    assert (fight.verdict, fight.session.moment.round) == (verdict, rounds)
    if out is not None:
        rows = fight.view().fighters
        assert out == tuple(
            sum(row.is_out for row in rows if row.side == side) for side in ("one", "other")
        )
    assert [event.kind for event in fight.session.log][-2:] == ["exchange", "over"]
    again = Fight.restored(stored(fight))
    assert (again.verdict, again.remarks) == (fight.verdict, ())
    assert again.session.conditions == fight.session.conditions


def test_a_hand_can_only_end_a_game_on_the_map_and_a_computer_plays_it() -> None:
    fight = Fight.begin("grid-battles", "ford").seated(
        {"one": "computer:first", "Maceman": "typed"}
    )
    assert fight.decides("first").option == "light-cav"
    assert fight.hand("end", verdict="drawn").verdict == "drawn"
    with pytest.raises(AnswerError, match="a hand can only end it"):
        fight.hand("leave", fighter="Maceman")
    with pytest.raises(SetupError, match="it is one exchange"):
        Fight.begin("grid-battles", "ford", FightChanges(first="other"))


def test_a_setup_that_is_a_single_exchange_is_no_fight() -> None:
    with pytest.raises(UnknownNameError, match="one-damage"):
        Fight.begin("grid-battles", "one-damage")


# -- computers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["first", "greedy", ""])
def test_a_computer_decides_what_somebody_may_take(policy: str) -> None:
    fight = begun()
    for _ in range(30):
        if fight.asked is None:
            break
        if fight.asked.dice is not None:
            fight = fight.answer([die.faces[0] for die in fight.asked.dice.dice])
            continue
        answer = fight.decides(policy)
        looks = {"solved", "look-ahead", "rule of thumb"}
        assert set(answer.by) <= ({"policy"} if policy else looks)
        fight = fight.answer(answer)
    assert len(fight.moves) > 20 or fight.verdict


def test_a_computer_does_not_roll_and_knows_its_policies() -> None:
    with pytest.raises(AnswerError, match="nothing is to be decided"):
        Fight.begin(EE, ("bo", "husk")).decides()
    with pytest.raises(UnknownNameError, match="lucky"):
        begun().decides("lucky")


def test_seats_say_who_answers_and_change_nothing_else() -> None:
    fight = begun().seated({"one": "typed", "other": "computer:first", "Husk 2": "rolled"})
    assert fight.seat == "typed"
    assert fight.answer("pass").seat == "computer:first"
    assert fight.answer("pass").answer("pass").seat == "rolled"
    assert Fight.restored(stored(fight)).seats == fight.seats
    assert fight.moves == begun().moves
    for seats in ({"third": "typed"}, {"one": "asleep"}):
        with pytest.raises(UnknownNameError):
            fight.seated(seats)


# -- saved ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("system", "name"), SHIPPED)
def test_a_saved_fight_goes_on_where_it_stood(system: str, name: str) -> None:
    fight = played(Fight.begin(system, name), 3).undo(2)
    raw = stored(fight)
    assert (raw["schema"], raw["version"], raw["system"]) == ("affray/saved-fight", 4, system)
    again = Fight.begin(system, Table(raw, "x.json"))
    assert (again.moves, again.undone, again.remarks) == (fight.moves, fight.undone, ())
    assert again.session.conditions == fight.session.conditions
    assert again.redo(2).view() == replace(fight.redo(2).view(), setup="x.json")
    assert stored(again) == raw


def test_a_saved_fight_keeps_what_it_was_begun_with() -> None:
    changes = FightChanges(first="other", policies=("greedy", "first"))
    fight = Fight.begin(EE, ("bo", "husk"), changes)
    again = Fight.restored(stored(fight))
    assert again.loaded.policies == ("greedy", "first")
    assert again.question == fight.question
    with pytest.raises(SetupError, match="begin a new fight"):
        Fight.begin(EE, Table(stored(fight)), FightChanges(first="one"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 5}, "version 5; allowed: 1 to 4"),
        ({"revision": 1}, "revision: 1; must be a number from 2 up"),
        ({"system": "emlia"}, "it is for 'emlia'"),
        ({"winner": "me"}, "unknown key 'winner'"),
        ({"moves": 3}, "moves: 3; must be a list"),
        ({"moves": [3]}, "move 1: 3; must be a table"),
        ({"moves": [{"hand": "smite"}]}, "move 1: hand: 'smite'; allowed: set"),
        ({"moves": [{"hand": "leave"}]}, "move 1: 'fighter' is missing"),
        ({"fight": 3}, "fight: 3; must be a table"),
        ({"seats": {"one": 3}}, "seats: must be"),
        ({"verdict": 3}, "verdict: 3"),
        ({"log": ["x"]}, "log: 1 entries for 2 moves; needed: 3"),
    ],
)
def test_what_is_not_whole_is_refused(change: dict[str, object], message: str) -> None:
    raw = {**stored(begun().answer("pass")), **change}
    with pytest.raises(InputError, match=message):
        Fight.begin(EE, Table(raw, "x.json"))


def test_a_move_that_the_rules_refuse_today_is_told_with_its_number() -> None:
    raw = stored(begun().answer("pass"))
    raw["moves"][1]["option"] = "attack: Haunt"
    with pytest.raises(AnswerError, match=r"x\.json: move 2: Bo: what now\? 'attack: Haunt' is no"):
        Fight.begin(EE, Table(raw, "x.json"))


def remarks(raw: dict[str, Any]) -> tuple[str, ...]:
    return Fight.begin(EE, Table(raw)).remarks


def test_a_fight_that_goes_another_way_today_says_so() -> None:
    raw = stored(begun().answer("pass"))
    raw["log"][2] = "00000000"
    way = "replayed today it goes another way from move 2 on"
    assert remarks(raw) == (f"It was changed after it was saved; {way}.",)
    assert remarks(sealed(raw)) == (f"The rules are the same, but {way}.",)
    (note,) = remarks(sealed({**raw, "rules": "other"}))
    assert "under other rules of empty-earth than today's; replayed today it goes" in note
    assert remarks({**raw, "rules": "other"}) == ("It was changed after it was saved.", note)
    (note,) = remarks(sealed({**stored(begun()), "rules": "other"}))
    assert note.endswith("replayed today it goes the same way.")
    (note,) = remarks({**stored(begun()), "verdict": "one"})
    assert note.endswith("it ended 'one' then and goes on now.")


@pytest.mark.parametrize(("system", "name"), SHIPPED)
def test_a_face_forged_in_a_saved_fight_is_noticed(system: str, name: str) -> None:
    """Each face that another one could stand for, whatever the log says of it."""
    raw = stored(played(Fight.begin(system, name), 3, 12))
    tried = 0
    for row in raw["moves"]:
        for other in ("hand", "seed"):
            forged = json.loads(json.dumps(raw))
            if "faces" not in row or other in row["by"]:
                continue
            forged["moves"][raw["moves"].index(row)]["by"] = [other] * len(row["faces"])
            (note,) = Fight.begin(system, Table(forged)).remarks
            assert note.startswith("It was changed after it was saved; ")
            tried += 1
    assert tried > 1


def test_a_fight_of_version_2_opens_and_says_that_it_has_no_seal() -> None:
    raw = {**stored(begun().answer("pass")), "version": 2}
    del raw["seal"]
    unsealed = "It has no seal, like all older files: a change by hand would not be noticed."
    assert remarks(raw) == (unsealed,)
    raw["log"][2] = "00000000"
    (note,) = remarks(raw)
    assert note.startswith("It was changed after it was saved: the rules are the same; replayed")


def test_sample_battles_that_somebody_changed_say_so() -> None:
    changes = FightChanges(rounds=2, policies=("first", "first"))
    raw = play_samples(EE, Shipped("brockton"), changes=changes, seed=5, samples=1)
    raw = json.loads(json.dumps(raw))
    assert remarks(raw) == ()
    exchange = next(row for row in raw["battles"][0]["exchanges"] if row["answers"])
    exchange["answers"][0]["by"] = ["hand" for _ in exchange["answers"][0]["by"]]
    assert remarks(raw)[0].startswith("It was changed after it was saved")


# -- taken back ----------------------------------------------------------------------------------


def rolled(fight: Fight, dice: Entropy) -> Fight:
    """The fight with every roll that is asked for, up to a choice."""
    while (question := fight.asked) is not None and question.dice is not None:
        dice.went_on([move for move in fight.moves if isinstance(move, Answer)])
        fight = fight.answer(Roll(question.dice).thrown(dice).answer)
    return fight


@pytest.mark.parametrize(("system", "name"), SHIPPED)
def test_the_same_answers_get_the_same_faces_again(system: str, name: str) -> None:
    dice, fight = computer_rolls(5), Fight.begin(system, name)
    at = [fight := rolled(fight, dice)]
    while fight.asked is not None and len(at) < 12:
        fight = rolled(fight.answer(fight.asked.options[0].name), dice)
        at.append(fight)
    again = fight.at(0)
    for place, then in enumerate(at):
        fresh = computer_rolls(5) if place % 2 else dice  # nor does it matter who rolls on
        again = rolled(again, fresh)
        assert again.moves == then.moves
        if place + 1 < len(at):
            assert again.asked is not None
            again = again.answer(again.asked.options[0].name)
    faces = [face for one in fight.moves if isinstance(one, Answer) for face in one.faces]
    assert len(faces) > 3
    assert Roll(Pool((d(100), 4))).thrown(computer_rolls(5)).faces != tuple(faces[:4])


def test_what_was_taken_back_after_a_roll_is_told_and_kept() -> None:
    fight = begun().answer("attack: Husk 1")
    while fight.asked is not None and fight.asked.dice is None:
        fight = fight.answer(fight.asked.options[0].name)
    assert fight.asked is not None
    size = fight.asked.dice.size if fight.asked.dice else 0
    seen = fight.answer([1] * size)
    other = seen.undo().answer([2] * size)
    assert not seen.undo().redo().answer(other.asked.options[0].name).taken_back  # type: ignore[union-attr]
    (row,) = other.taken_back
    assert (row.after, row.rolls) == (len(fight.moves), ((1,) * size,))
    told = [event.why for event in other.view().events if event.kind == "back"]
    assert told == [f"Taken back after the roll was seen: {', '.join('1' * size)}"]
    again = Fight.restored(stored(other))
    assert (again.taken_back, again.remarks) == (other.taken_back, ())
    assert [event.kind for event in again.view(since=EVERYTHING).events].count("back") == 1
    assert other.undo(2).taken_back == (row._replace(after=len(fight.moves) - 1),)
    assert other.at(len(fight.moves)).taken_back == ()
    assert seen.undo().hand("end", verdict="one").taken_back
    assert not begun().answer("pass").undo().answer("attack: Husk 1").taken_back


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (3, "taken_back: 3; must be a list"),
        ([{"after": 9, "rolls": [[1]]}], "taken_back 1: after 9; allowed: 0 to 2"),
        ([{"after": True, "rolls": [[1]]}], "after True"),
        ([{"after": 1, "rolls": []}], "rolls: "),
        ([{"after": 1, "rolls": [3]}], "3; must be a table"),
        ([{"after": 1, "rolls": [[2.5]]}], "a face is a number or a name"),
        ([{"after": 1}], "'rolls' is missing"),
    ],
)
def test_what_was_taken_back_is_whole(rows: object, message: str) -> None:
    raw = {**stored(begun().answer("pass")), "taken_back": rows}
    with pytest.raises(InputError, match=message):
        Fight.begin(EE, Table(raw, "x.json"))


# -- sample battles ------------------------------------------------------------------------------


@pytest.mark.parametrize(("system", "name"), SHIPPED)
def test_sample_battles_open_as_fights(system: str, name: str) -> None:
    changes = FightChanges(rounds=8, policies=("first", "first"))
    raw = play_samples(system, Shipped(name), changes=changes, seed=5, samples=2)
    raw = json.loads(json.dumps(raw))
    battle = replay_samples(raw, "x")[1]
    fight = Fight.begin(system, Table(raw, "x"), battle=2)
    assert fight.verdict == battle.verdict
    exchanges = [event for event in fight.session.log if event.kind == "exchange"]
    assert [event.after for event in exchanges] == [entry.conditions for entry in battle.exchanges]
    assert [
        [face for answer in event.session.answers for face in answer.faces]
        for event in exchanges
        if event.session is not None
    ] == [[face for answer in entry.answers for face in answer.faces] for entry in battle.exchanges]
    assert played(fight.at(4), 1, 10).moves[:4] == fight.moves[:4]
    with pytest.raises(InputError, match="battle 3; allowed: 1 to 2"):
        Fight.begin(system, Table(raw, "x"), battle=3)


def test_the_sampling_record_is_public() -> None:
    assert affray.Sampling is Sampling
