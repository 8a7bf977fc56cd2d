"""The open question for a page: whose turn it is, what is asked, options, dice to type."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from affray.app.inputs.typed import as_typed
from affray.app.registry import system_named
from affray.app.rights import may_answer
from affray.app.views.accounts import by_name
from affray.app.views.exchanges import DieRow, NextRow, QuestionRow
from affray.app.views.played_fights import FightQuestionRow, FightView
from affray.core.dice import Face
from affray.core.lazy import NamedTuple
from affray.core.telling import counted, plain_key, value_told
from affray.web.games import Look, asked_at

__all__ = ["Ask", "Choice", "Cited", "DieField", "Turn", "ask_of", "cited", "die_fields", "turn_of"]

MOST_LISTED = 12
"""Faces that are listed one by one; of more the first and the last are told."""


class Cited(NamedTuple):
    """A clause with what it is about, where it stands in the book, and its page."""

    id: str
    title: str
    source: str
    address: str


class Choice(NamedTuple):
    """An option on offer.

    Attributes:
        name: by which it is taken. title: what it is called: "none" by what it means.
        words: what else it means. cost: in points. is_usual: whether it is what one usually takes.
        chance: to hit, and to win, with it; "": not known.
    """

    name: str
    title: str
    words: str
    cost: str
    is_usual: bool
    chance: str = ""


class DieField(NamedTuple):
    """A die to be typed.

    Attributes:
        id: of its input. label: which die, and what it is for. legal: its faces, in words.
        accepts: what may be typed. value: what lies or was typed.
        symbols: what is picked from a list, with words; () for numbers.
    """

    id: str
    label: str
    legal: str
    accepts: tuple[str, ...]
    value: str
    symbols: tuple[tuple[str, str], ...]

    @property
    def lies(self) -> str:
        """The face that lies, in words; "": none yet."""
        return dict(self.symbols).get(self.value, self.value)


class Ask(NamedTuple):
    """The open question.

    Attributes:
        at: tells it from every other question; see `asked_at`.
        ask: what is asked. clauses: under which clauses.
        about: what the one who decides looks at: a label and a value each.
        choices: options on offer, the usual one first. closed: options that are not, with reasons.
        dice: to be typed; () where something is decided. pool: the same in table notation.
        button: what the button says that has the server roll. first: the first die to be typed.
        is_mine: whether the one who looks may answer.
        is_line: whether a whole turn may be said in one line. example: such a line.
        takes: what else may be typed than the options; "": nothing.
    """

    at: int
    ask: str
    clauses: tuple[Cited, ...]
    about: tuple[tuple[str, str], ...]
    choices: tuple[Choice, ...]
    closed: tuple[tuple[str, str], ...]
    dice: tuple[DieField, ...]
    pool: str
    button: str
    first: str
    is_mine: bool
    is_line: bool
    example: str
    takes: str


class Turn(NamedTuple):
    """Whose turn it is: in words, and as the title of the window."""

    words: str
    title: str
    is_mine: bool


def turn_of(look: Look) -> Turn:
    """Whose turn it is."""
    view, name = look.view, look.view.title or look.view.setup
    if view.question is None or view.next is None:
        words = view.ending if isinstance(view, FightView) else "It is over."
        return Turn(words, f"Over: {name}", is_mine=False)
    who = _who(view.next, look)
    if look.seen.computing:
        return Turn(f"The computer decides for {who}.", f"Computer: {name}", is_mine=False)
    is_for_others = look.seen.table and look.role.kind == "master" and not view.next.master
    is_mine = may_answer(look.game, look.role) and not is_for_others
    does = rolled(view.question.faces) if view.next.rolls else "decide"
    if is_mine:
        words = f"{sentence(who)} to {does}."
        return Turn(words, f"● {words[:-1]} – {name}", is_mine=True)
    instead = "; you can answer instead" if is_for_others else ""
    return Turn(
        f"Waiting for {who} to {does}{instead}.", f"{sentence(who)} – {name}", is_mine=False
    )


def _who(row: NextRow, look: Look) -> str:
    if row.master:
        return "the game master" if look.seen.table else "the table"
    if row.fighter:
        return row.fighter
    view = look.view
    if isinstance(view, FightView):
        return view.sides[0 if row.side == "one" else 1]
    return row.side


def ask_of(look: Look, typed: Sequence[str] = ()) -> Ask | None:
    """The open question; None: nothing is asked any more.

    Args:
        look: at the game.
        typed: faces that were typed and not taken; they stay in their fields.
    """
    view, question = look.view, look.view.question
    if question is None:
        return None
    at = asked_at(look.game)
    dice = tuple(die_fields(question.faces, f"die-{at}", view.lying, typed))
    choices = _choices(question)
    return Ask(
        at,
        sentence(by_name(question.ask, look.names)),
        cited(view.system, question.clauses),
        tuple((plain_key(name), value_told(value)) for name, value in question.about),
        choices,
        question.closed,
        dice,
        "" if any(die.symbols for die in dice) else question.dice,
        _button(dice, rolled(question.faces)),
        next((die.id for die in dice if not die.value), ""),
        not look.seen.computing and may_answer(look.game, look.role),
        isinstance(question, FightQuestionRow)
        and bool(question.options)
        and question.kind != "situation",
        f"such as: {as_typed(choices[0].name)}" if choices else "",
        question.takes if isinstance(question, FightQuestionRow) else "",
    )


def cited(system: str, clauses: Sequence[str]) -> tuple[Cited, ...]:
    """Clauses of a system, with their titles and places in the book."""
    known = system_named(system).clauses
    return tuple(
        Cited(one, known[one].title, known[one].source, f"/rules/{system}/{one}")
        for one in clauses
        if one in known
    )


def _choices(question: QuestionRow | FightQuestionRow) -> tuple[Choice, ...]:
    """The options, the usual one first."""
    usual = question.usual if isinstance(question, FightQuestionRow) else ""
    rows = [
        Choice(row.name, *_titled(row.name, row.words), _cost(row.spends), row.name == usual)
        for row in question.options
    ]
    return tuple(sorted(rows, key=lambda row: not row.is_usual))


def _titled(name: str, words: str) -> tuple[str, str]:
    """What an option is called, and what else it means."""
    return (words, "") if words and name in {"no", "none"} else (name, words)


def _cost(spends: int) -> str:
    return f"costs {counted(spends, 'point')}" if spends else ""


def sentence(text: str) -> str:
    """A text that begins with a capital letter."""
    return f"{text[:1].upper()}{text[1:]}"


# -- dice ----------------------------------------------------------------------------------------


def die_fields(
    rows: Sequence[DieRow], name: str, lying: Sequence[Face] = (), typed: Sequence[str] = ()
) -> Iterator[DieField]:
    """The fields in which dice are typed.

    Args:
        rows: the dice.
        name: with which the ids of the fields begin.
        lying: faces that lie already, in order.
        typed: what was typed instead, and not taken.
    """
    many, number = sum(row.many for row in rows), 0
    for row in rows:
        labels = row.labels or ("",) * row.many
        for label in labels:
            value = row.printed[row.faces.index(lying[number])] if number < len(lying) else ""
            value = typed[number] if number < len(typed) else value
            number += 1
            which = f"{number}. " if many > 1 else ""
            yield DieField(
                f"{name}-{number}",
                f"{which}{row.die}{f' {label}' if label else ''}",
                _legal(row),
                row.printed,
                value,
                () if all(one.isdecimal() for one in row.printed) else _symbols(row),
            )


def _legal(row: DieRow) -> str:
    """The faces of a die, as people read them."""
    if len(row.printed) > MOST_LISTED:
        return f"{row.printed[0]} to {row.printed[-1]}"
    told = (
        print_ if print_ == aloud else f"{print_} ({aloud})"
        for print_, aloud in zip(row.printed, row.aloud, strict=True)
    )
    return ", ".join(dict.fromkeys(told))


def _symbols(row: DieRow) -> tuple[tuple[str, str], ...]:
    """The different faces of a die without numbers, with what they mean."""
    rows = zip(row.printed, row.aloud, strict=True)
    return tuple(
        dict.fromkeys((one, one if one == aloud else f"{one}: {aloud}") for one, aloud in rows)
    )


def rolled(rows: Sequence[DieRow]) -> str:
    """What people do with such dice: roll them; toss a coin, draw a lot."""
    return {"coin": "toss the coin", "lot": "draw the lot"}.get(rows[0].die if rows else "", "roll")


def _button(dice: Sequence[DieField], does: str) -> str:
    """What is done with dice: rolled, all or the rest of them; or taken as they lie."""
    left = sum(not die.value for die in dice)
    if not dice or left == len(dice):
        return sentence(does)
    return "Roll the rest" if left else "Take these dice"
