"""Results of use cases about an exchange: play, odds, the best options, a picture.

In all of them `remarks` say what a user should know of the game, and `assumed` what it rests on
that the book leaves out.
"""

from __future__ import annotations

from fractions import Fraction

from affray.app.views.accounts import Account
from affray.app.views.envelope import View, plain
from affray.core.dice import Face, Pool
from affray.core.lazy import NamedTuple, dataclass
from affray.core.showing import html_table, percent
from affray.engine.exchange.session import LogLine, Question

__all__ = [
    "BestView", "Cost", "DecisionRow", "DieRow", "FieldStats", "OddsRow", "OddsView", "OptionRow",
    "PictureView", "PlayView", "QuestionRow", "SituationRow", "die_rows", "question_json",
    "question_row",
]  # fmt: skip


class OptionRow(NamedTuple):
    """One option on offer."""

    name: str
    words: str
    spends: int


class DieRow(NamedTuple):
    """Dice of a kind in a roll: how many, the faces to answer with, and what is printed there.

    A face that stands on several sides is listed once for each.
    """

    die: str
    many: int
    faces: tuple[Face, ...]
    printed: tuple[str, ...]


def die_rows(dice: Pool | None) -> tuple[DieRow, ...]:
    """The dice of a roll, in the order in which their faces are given."""
    return tuple(DieRow(die.name, many, die.faces, die.printed)
                 for die, many in (() if dice is None else dice.groups))  # fmt: skip


class QuestionRow(NamedTuple):
    """A question or a roll that a game waits for; `faces` are those of the dice that are rolled."""

    actor: str
    ask: str
    step: str
    clauses: tuple[str, ...]
    dice: str
    options: tuple[OptionRow, ...]
    about: tuple[tuple[str, object], ...]
    closed: tuple[tuple[str, str], ...]
    faces: tuple[DieRow, ...]


def question_row(question: Question) -> QuestionRow:
    """A question of a session as its view."""
    return QuestionRow(
        question.actor,
        question.ask,
        question.step,
        question.clauses,
        str(question.dice or ""),
        tuple(OptionRow(o.name, o.words, o.spends) for o in question.options),
        question.about,
        question.closed,
        die_rows(question.dice),
    )


def question_json(question: Question | NamedTuple) -> object:
    """A question as JSON data: of a `Session`, or of a `Fight`, which is a view already.

    Each die has the `faces` to answer with and what is `printed` on them.
    """
    return plain(question_row(question) if isinstance(question, Question) else question)


@dataclass(frozen=True)
class PlayView(View):
    """A game as far as it was played: the log, then a question or the outcome.

    `told` names the outcome fields that are worth telling: those that are not false, zero or
    empty, and those that the exchange was about. `short` tells the exchange in a line or two, of a
    map fight each of its deeds; `names` are those of who takes part, by role. `picture` shows the
    table as lines of text, where the system draws one.
    """

    schema = "affray/play"
    version = 2
    system: str
    setup: str
    title: str
    seed: int | None
    log: tuple[LogLine, ...]
    question: QuestionRow | None
    outcome: dict[str, object]
    told: tuple[str, ...]
    picture: str
    explanation: tuple[str, ...]
    saved: dict[str, object]
    remarks: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    names: tuple[tuple[str, str], ...] = ()
    short: tuple[Account, ...] = ()

    def __repr__(self) -> str:
        state = "over" if self.question is None else f"waits for {self.question.actor}"
        return f"<play of {self.setup}: {len(self.log)} lines, {state}>"

    def _repr_html_(self) -> str:
        """The log, for notebooks."""
        rows = ((line.actor, line.done, line.meant) for line in self.log)
        waits = self.question and f"waiting for {self.question.actor}: {self.question.ask}"
        told = ", ".join(f"{name} {self.outcome[name]}" for name in self.told)
        head = ("who", "dice and decisions", "meaning")
        return html_table(self.title or self.setup, head, rows, waits or told)


@dataclass(frozen=True)
class PictureView(View):
    """A picture of the table: lines of text, and an SVG document where there is one."""

    schema = "affray/picture"
    system: str
    setup: str
    title: str
    picture: str
    drawing: str
    remarks: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()


class OddsRow(NamedTuple):
    """One outcome: its probability, and those of at least and at most as much."""

    value: object
    exactly: Fraction
    at_least: Fraction | None
    at_most: Fraction | None


class FieldStats(NamedTuple):
    """Statistics of a numeric field."""

    mean: Fraction
    variance: Fraction
    sd: float
    median: object
    quartiles: tuple[object, object]


@dataclass(frozen=True)
class OddsView(View):
    """The exact distribution of one field, or the joint one of several.

    `how` says how it was got, `policy` who decided what was open. Where a procedure may go on for
    ever, `residual` is the probability left open, less than a millionth: each chance may be larger
    by so much, and `stats` are those of what has ended.
    """

    schema = "affray/odds"
    system: str
    setup: str
    title: str
    fields: tuple[str, ...]
    meaning: tuple[str, ...]
    unit: str
    given: tuple[str, ...]
    policy: str
    how: str
    rows: tuple[OddsRow, ...]
    stats: FieldStats | None
    residual: Fraction = Fraction(0)
    remarks: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        mean = "" if self.stats is None else f", mean {float(self.stats.mean):.4g}"
        return f"<odds of {', '.join(self.fields)} in {self.setup}: {len(self.rows)} values{mean}>"

    def _repr_html_(self) -> str:
        """Each value with its chance, for notebooks."""
        rows = ((row.value, percent(row.exactly), row.exactly) for row in self.rows)
        head = (", ".join(self.fields), "chance", "exactly")
        return html_table(self.title or self.setup, head, rows, f"{self.how}; {self.policy}")


class Cost(NamedTuple):
    """An option with its value and what it costs to take it."""

    name: str
    words: str
    value: Fraction
    cost: Fraction


class SituationRow(NamedTuple):
    """One situation of a decision: what is seen, what is best, how likely it is met."""

    about: tuple[tuple[str, object], ...]
    best: str
    chance: Fraction
    options: tuple[Cost, ...]


class DecisionRow(NamedTuple):
    """A decision: its policy in words, each option as a habit, every situation.

    Of many situations the most likely ones are listed, and the words speak of these; `more` says
    how many there are besides.
    """

    step: str
    actor: str
    ask: str
    clauses: tuple[str, ...]
    words: tuple[str, ...]
    always: tuple[Cost, ...]
    situations: tuple[SituationRow, ...]
    more: int = 0


@dataclass(frozen=True)
class BestView(View):
    """The best option at every choice that is met, and what the exchange is then worth.

    `regrets` are the choices made so far, each with what it cost. Where the exchange may go on for
    ever, `residual` is the greatest chance of what was left out; values are those of all else.
    """

    schema = "affray/best"
    system: str
    setup: str
    title: str
    objective: str
    meaning: str
    threshold: Fraction
    value: Fraction
    decisions: tuple[DecisionRow, ...]
    regrets: tuple[tuple[str, Cost], ...]
    residual: Fraction = Fraction(0)
    remarks: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return (
            f"<best {self.objective} in {self.setup}: {float(self.value):.4g}, "
            f"{len(self.decisions)} decisions>"
        )

    def _repr_html_(self) -> str:
        """When to take which option, for notebooks."""
        rows = ((row.step, row.actor, "; ".join(row.words)) for row in self.decisions)
        note = f"with the best decisions: {float(self.value):.4g}"
        title = f"{self.title or self.setup}: {self.meaning}"
        return html_table(title, ("decision", "who", "best"), rows, note)
