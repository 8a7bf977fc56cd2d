"""Changes of a game as data: what a person, a page or a program does to a fight or an exchange.

A change is a table with a key `do`:

| `do` | keys | what it does |
|---|---|---|
| `answer` | `option`, or `faces` | answers the open question |
| `lay` | `faces` | lays faces of the open roll on the table: the first ones, or none |
| `line` | `text`, `fills` | says a turn in one line; `fills`: the rest is taken as usual |
| `line` | `picks` | says a turn by the options of its decisions; the rest is taken as usual |
| `roll` | | has the computer roll what doesn't lie yet |
| `decide` | `seconds`, `seed`, and `policy` or `objective` | has the computer decide |
| `correct` | `die`, `face` | puts another face on a die of the last roll |
| `undo`, `redo` | `n` | takes answers of people back, or gives them again |
| `seats` | `seats` | names who answers |
| `hand` | `what`, ... | a game master's hand; see `affray.app.inputs.fight_hands` |
| `habit` | `who`, `step`, `option`, `against` | has an option always taken; "": no more |

The last two are for fights. Any of them may say for which revision it is meant (`at`): if the game
has moved on, nothing is done. What is done comes back as *settled* changes, without chance and
without anything that has to be worked out. From these a game is replayed.

>>> game = begin_game("exchange", "eclipse-phase", "jinx-shoots")
>>> after = changed(game, {"do": "answer", "faces": [96], "at": 0})
>>> after.settled
({'do': 'answer', 'faces': [96], 'by': ['hand']},)
>>> replayed(game, after.settled) == after.game
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from affray.app import ahead as ahead_data
from affray.app.ahead import NOTHING_AHEAD
from affray.app.exchange_computers import DECIDING_S, computer_decides
from affray.app.fight import Fight
from affray.app.files.saved import check_lying
from affray.app.given import Given
from affray.app.goes_on import Due, Game, due, redone, undone
from affray.app.inputs import fight_hands
from affray.app.inputs.fight_changes import FightChanges
from affray.app.inputs.fight_hands import HandMove
from affray.app.inputs.intake import InputError, Raw, table_checked
from affray.app.lines import said
from affray.app.play import PlayedGame
from affray.app.rights import Back, may
from affray.app.roles import MASTER, Role
from affray.app.sources import Changes, EasyFight, Table, source_of
from affray.app.turns import Turn
from affray.app.wording import option_meant
from affray.core.errors import AnswerError, MovedOnError, StoreError
from affray.core.lazy import NamedTuple
from affray.core.names import unknown
from affray.core.telling import shown
from affray.engine.budget import Budget
from affray.engine.exchange.answers import from_plain, to_plain
from affray.engine.exchange.session import Answer
from affray.engine.exchange.sources import Entropy

__all__ = ["Changed", "Means", "begin_game", "changed", "gone_on", "replayed", "taken"]


class Means(NamedTuple):
    """What a change may need besides itself.

    Attributes:
        dice: the computer rolls with them; None: with the operating system's entropy.
        budget: how much a decision of a computer may take.
        unsaid: the seat of everybody whose seat nobody has named.
        role: of the one who makes the change. back: who may take answers back at this table.
    """

    dice: Entropy | None = None
    budget: Budget | None = None
    unsaid: str = "typed"
    role: Role = MASTER
    back: Back = "own"


class Changed(NamedTuple):
    """A game after a change.

    Attributes:
        game: where it stands.
        settled: what was done, to be replayed.
        turn: of a line: all that it decides, and what it says for later.
        told: what the one who said it should know.
    """

    game: Game
    settled: tuple[Raw, ...]
    turn: Turn | None = None
    told: tuple[str, ...] = ()


def changed(game: Game, change: Mapping[str, object], means: Means = Means()) -> Changed:  # noqa: B008  # a record
    """A game after one change.

    Args:
        game: a fight or an exchange.
        change: as above.
        means: what it may need.

    Raises:
        InputError: it is not whole, or has a key that nobody knows.
        UnknownNameError: no such change, or it names nobody or nothing.
        ForbiddenError: it is not for the role of the one who makes it.
        MovedOnError: it was meant for another revision; says what is asked now.
        AnswerError: it can't be done now, or an answer doesn't fit. Nothing has changed.
    """
    given = Given(table_checked(change, "change"), "change")
    what = given.text("do")
    kinds = _IN_FIGHT if isinstance(game, Fight) else _IN_BOTH
    if what not in kinds:
        raise unknown("change", what, kinds)
    given = given.called(what)
    may(game, means.role, change, back=means.back, unsaid=means.unsaid)
    at = given.number("at", game.revision)
    if at != game.revision:
        raise MovedOnError(
            f"change: it is for revision {at}, and the game has come to {game.revision}",
            revision=game.revision, question=game.question_for(means.role),
        )  # fmt: skip
    found = kinds[what](game, given, means)
    given.check_all_read()
    return _whole(game, found)


def replayed(begun: Game, settled: Iterable[Mapping[str, object]]) -> Game:
    """A game after settled changes.

    Raises:
        InputError: a change that is not whole. AnswerError: one that doesn't fit. Both say which.
    """
    game = begun
    for number, change in enumerate(settled, start=1):
        where = f"change {number}"
        try:
            game = _again(game, Given(table_checked(change, where), where))
        except AnswerError as error:
            raise AnswerError(f"{where}: {error}", faults=error.faults) from None
        except StoreError as error:
            raise error if isinstance(error, InputError) else InputError(str(error)) from None
    return game


# -- what a game does by itself ------------------------------------------------------------------


def taken(game: Game, step: Due, means: Means = Means()) -> Changed:  # noqa: B008  # a record
    """The game after a step that is due; what has to be worked out is worked out.

    Raises:
        LimitError: the budget is spent.
    """
    if isinstance(game, Fight):
        game = game.expecting(step.ahead)
    if step.kind == "drop":
        return Changed(game, (), told=(step.told,) if step.told else ())
    if step.kind == "answer":
        return _answered(game, [step.answer])
    if step.kind == "roll":
        return _answered(game, [_rolled(game, means)])
    return _answered(game, [_decision(game, means.budget, policy=step.policy)])


def gone_on(game: Game, means: Means = Means()) -> Changed:  # noqa: B008  # a record
    """The game when it has gone on by itself to where somebody is asked.

    It stops before a step that may take long: `due` tells it then, and `taken` takes it.
    """
    here, settled, told = game, list[Raw](), list[str]()
    while (step := due(here, means.unsaid)) is not None and not step.is_slow:
        after = taken(here, step, means)
        here = after.game
        settled += after.settled
        told += after.told
    return _whole(game, Changed(here, tuple(settled), told=tuple(told)))


def _whole(before: Game, after: Changed) -> Changed:
    """A change with what it leaves for later as the last of what was done."""
    game = after.game
    if not isinstance(game, Fight) or not isinstance(before, Fight):
        return after
    is_back = any(one["do"] in {"undo", "redo", "correct"} for one in after.settled)
    if game.ahead == (NOTHING_AHEAD if is_back else before.ahead):
        return after
    kept: Raw = {"do": "ahead", **ahead_data.to_plain(game.ahead)}
    return after._replace(game=game.promised(game.ahead), settled=(*after.settled, kept))


# -- kinds of changes ----------------------------------------------------------------------------


def _answered(game: Game, answers: Sequence[Answer]) -> Changed:
    """The game after answers; settled with the faces and options that they came to."""
    settled: list[Raw] = []
    for answer in answers:
        game = game.answer(answer)
        last = game.moves[-1]
        assert isinstance(last, Answer)  # it was answered just now
        settled.append({"do": "answer", **to_plain(last)})
    return Changed(game, tuple(settled))


def _answer(game: Game, given: Given, means: Means) -> Changed:  # as all kinds
    return _answered(game, [_answer_in(given)._replace(by=("hand",))])


def _answer_in(given: Given) -> Answer:
    """The option or the faces of a change; exactly one of them."""
    if given.has("option") == given.has("faces"):
        given.refuse("", "needs one of option and faces")
    if given.has("option"):
        return Answer(option=given.text("option"))
    return Answer(faces=given.faces("faces"))


def _lay(game: Game, given: Given, means: Means) -> Changed:  # as all kinds
    roll, faces = game.rolling, given.faces("faces")
    if roll is None:
        raise AnswerError("no dice are asked for; there is nothing to lay")
    meant = (die.meant(face) for die, face in zip(roll.pool.dice, faces, strict=False))
    faces = (*(face if one is None else one for one, face in zip(meant, faces, strict=False)),
             *faces[roll.pool.size :])  # fmt: skip
    return _laid(game, Answer(faces=faces, by=("hand",) * len(faces)))


def _laid(game: Game, lying: Answer) -> Changed:
    check_lying(game.session.question, lying)
    settled: Raw = {"do": "lay", "faces": list(lying.faces), "by": list(lying.by)}
    return Changed(game.laid(lying), (settled,))


def _line(game: Game, given: Given, means: Means) -> Changed:  # as all kinds
    has_picks = given.has("picks") and isinstance(game, Fight)
    text, fills = given.text("text", "" if has_picks else None), given.truth("fills", usual=True)
    picks = given.texts("picks") if has_picks else None
    question = game.session.question
    if not isinstance(game, Fight):
        if question is None or not question.options:
            raise AnswerError("a line is for a decision, and none is open")
        option = option_meant(question.options, text)
        return _answered(game, [Answer(option=option, by=("hand",))])
    found = said(game, text, fills=fills, picks=picks)
    told = (found.told,) if found.told else ()
    if found.habit is not None:
        return _handed(game, found.habit)
    after = _answered(game.expecting(found.ahead), found.answers)
    return after._replace(turn=found.turn, told=told)


def _roll(game: Game, given: Given, means: Means) -> Changed:  # as all kinds
    return _answered(game, [_rolled(game, means)])


def _rolled(game: Game, means: Means) -> Answer:
    """The open roll with all dice that don't lie yet rolled by the computer."""
    roll, dice = game.rolling, means.dice or Entropy()
    if roll is None:
        raise AnswerError("no dice are asked for")
    dice.went_on((*(one for one in game.moves if isinstance(one, Answer)), game.lying))
    return roll.thrown(dice).answer


def _decide(game: Game, given: Given, means: Means) -> Changed:
    seconds, budget = given.amount("seconds"), means.budget
    if seconds is not None:
        budget = budget or Budget()
        budget = budget._replace(seconds=min(seconds, budget.seconds or seconds))
    wish = {"policy" if isinstance(game, Fight) else "objective": ""}
    wish = {key: given.text(key, usual) for key, usual in wish.items()}
    return _answered(game, [_decision(game, budget, seed=given.number("seed", 0), **wish)])


def _decision(
    game: Game, budget: Budget | None, *, policy: str = "", objective: str = "", seed: int = 0
) -> Answer:
    """The computer's answer to the open decision."""
    if isinstance(game, Fight):
        return game.decides(policy, budget, seed=seed)
    looking_s = DECIDING_S if budget is None else budget.seconds
    decides = computer_decides(game, objective, budget, looking_s=looking_s, seed=seed)
    question = game.session.question
    answer = question and decides(game.session, question)
    if answer is None:
        raise AnswerError("nothing is to be decided; computers roll in another way")
    return answer


def _correct(game: Game, given: Given, means: Means) -> Changed:  # as all kinds
    die, face = given.number("die"), given.face("face")
    settled: Raw = {"do": "correct", "die": die, "face": face}
    return Changed(game.corrected(die, str(face)), (settled,))


def _undo(game: Game, given: Given, means: Means) -> Changed:
    back = undone(game, given.number("n", 1, least=1), _asks(means))
    n = len(game.moves) - len(back.moves)
    return Changed(game.undo(n), ({"do": "undo", "n": n},))


def _redo(game: Game, given: Given, means: Means) -> Changed:
    again = redone(game, given.number("n", 1, least=1), _asks(means))
    n = len(again.moves) - len(game.moves)
    return Changed(game.redo(n), ({"do": "redo", "n": n},))


def _asks(means: Means) -> Callable[[Game], bool]:
    return lambda game: due(game, means.unsaid) is None


def _seats(game: Game, given: Given, means: Means) -> Changed:  # as all kinds
    seats = given.texts("seats")
    return Changed(game.seated(seats), ({"do": "seats", "seats": dict(seats)},))


def _hand(game: Game, given: Given, means: Means) -> Changed:  # as all kinds
    return _handed(game, HandMove(given.text("what"), given.others()))


def _habit(game: Game, given: Given, means: Means) -> Changed:  # as all kinds
    values = {key: given.text(key) for key in ("who", "step", "option")}
    against = given.text("against", "")
    return _handed(game, HandMove("habit", {**values, **({"against": against} if against else {})}))


def _handed(game: Game, move: HandMove) -> Changed:
    assert isinstance(game, Fight)  # an exchange has no hands
    plain = fight_hands.to_plain(move)
    settled: Raw = {"do": "hand", "what": plain.pop("hand"), **plain}
    return Changed(game.hand(move.what, **move.values), (settled,))


Kind = Callable[[Game, Given, Means], Changed]
_IN_BOTH: Mapping[str, Kind] = {
    "answer": _answer, "lay": _lay, "line": _line, "roll": _roll, "decide": _decide,
    "correct": _correct, "undo": _undo, "redo": _redo, "seats": _seats,
}  # fmt: skip
_IN_FIGHT: Mapping[str, Kind] = {**_IN_BOTH, "hand": _hand, "habit": _habit}


# -- settled changes -----------------------------------------------------------------------------


def _again(game: Game, given: Given) -> Game:
    """A game after a settled change."""
    what = given.text("do")
    if what == "answer":
        return game.answer(from_plain(given.others(), given.where))
    if what == "undo":
        after: Game = game.undo(given.number("n", least=1, most=len(game.moves)))
    elif what == "redo":
        after = game.redo(given.number("n", least=1, most=len(game.undone)))
    elif what == "lay":
        row = given.others()
        lying = Answer() if row == {"faces": [], "by": []} else from_plain(row, given.where)
        after = _laid(game, lying).game
    elif what == "ahead" and isinstance(game, Fight):
        return game.promised(ahead_data.from_plain(given.others(), given.where))
    elif what in {"correct", "seats", "hand"} and what in _IN_FIGHT:
        after = _IN_FIGHT[what](game, given, Means()).game
    else:
        raise InputError(f"{given.where}: do: {shown(what)}; no change is settled so")
    given.check_all_read()
    return after


# -- beginning -----------------------------------------------------------------------------------


def begin_game(
    kind: str, system: str, source: EasyFight, changes: Changes | FightChanges | None = None
) -> Game:
    """A new game: a fight, or a single exchange; a saved one where it stood.

    Args:
        kind: "fight" or "exchange".
        system: id of a system.
        source: a shipped name, a table, or of a fight the roster names of both sides.
        changes: what holds instead of what it says.

    Raises:
        UnknownNameError, InputError, SetupError, AnswerError: as for `Fight.begin` and
            `PlayedGame.begin`.
    """
    if kind == "fight":
        if changes is None or isinstance(changes, FightChanges):
            return Fight.begin(system, source, changes or FightChanges())
    elif kind == "exchange":
        if isinstance(source, (str, Table, Mapping)) and not isinstance(changes, FightChanges):
            return PlayedGame.begin(system, source_of(source), changes or Changes())
    else:
        raise unknown("kind of game", kind, ("exchange", "fight"))
    raise InputError(f"{kind}: begun with what is for another kind of game")
