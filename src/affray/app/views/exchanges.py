"""Results of use cases about an exchange: play, odds, the best options, a picture.

In all of them `remarks` say what a user should know of the game, and `assumed` what it rests on
that the book leaves out.
"""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from itertools import islice
from typing import Protocol

from affray.app.roles import MASTER, Role
from affray.app.views.accounts import Account
from affray.app.views.envelope import View, plain
from affray.core.dice import Face, Pool
from affray.core.lazy import NamedTuple, dataclass
from affray.core.node import Pointer
from affray.core.showing import html_table, percent
from affray.engine.exchange.session import LogLine, Question

__all__ = [
    "BestView", "Cost", "DecisionRow", "DieRow", "FieldStats", "NextRow", "OddsRow", "OddsView",
    "OptionRow", "PictureView", "PlayView", "QuestionRow", "SituationRow", "die_rows", "option_row",
    "question_json", "question_row",
]  # fmt: skip


class OptionRow(NamedTuple):
    """One option on offer.

    Attributes:
        name: how it is answered. words: what it means. spends: points that it uses up.
        target, unit, place, deed: what it points at, for those who pick it on a map or a list of
            fighters; "": nothing of the kind. See `affray.core.node.Pointer`.
    """

    name: str
    words: str
    spends: int
    target: str = ""
    unit: str = ""
    place: str = ""
    deed: str = ""


class Offered(Protocol):
    """An option of an exchange or a fight."""

    @property
    def name(self) -> str:
        """How it is answered."""
        ...

    @property
    def words(self) -> str:
        """What it means."""
        ...

    @property
    def spends(self) -> int:
        """Points that it uses up."""
        ...

    @property
    def points(self) -> Pointer:
        """What it points at."""
        ...


def option_row(option: Offered) -> OptionRow:
    """An option as its view."""
    return OptionRow(option.name, option.words, option.spends, *option.points)


class DieRow(NamedTuple):
    """Dice of a kind in a roll.

    Attributes:
        die: its name. many: how many of it are rolled.
        faces: the faces to answer with, in order; one that stands on several sides is listed once
            for each.
        printed: what is printed on each face. aloud: how people read it: a ten-sided die has a 0,
            which is read "ten".
        means: what each face means in words; "" where it is a number that is added or compared.
        labels: what each of the dice is for, such as "damage"; "" where nothing is said.
    """

    die: str
    many: int
    faces: tuple[Face, ...]
    printed: tuple[str, ...]
    aloud: tuple[str, ...]
    means: tuple[str, ...]
    labels: tuple[str, ...]


def die_rows(dice: Pool | None) -> tuple[DieRow, ...]:
    """The dice of a roll, in the order in which their faces are given."""
    labels = iter(() if dice is None else dice.labels)
    return tuple(
        DieRow(
            die.name, many, die.faces, die.printed, die.aloud,
            tuple(die.means.get(face, "") for face in die.faces), tuple(islice(labels, many)),
        )
        for die, many in (() if dice is None else dice.groups)
    )  # fmt: skip


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


class NextRow(NamedTuple):
    """Who answers the question or roll that a game waits for.

    Attributes:
        side: "one" or "other", in an exchange the role; "": neither.
        fighter: the one who answers, by name; "": anybody of the side.
        actor: the role that the fighter has in the exchange; "": none goes on.
        seat: "typed", "rolled" or "computer"; "": nobody has said.
        rolls: whether dice are rolled; else something is decided.
        master: whether it is for the game master to answer: how the situation is, or a coin.
    """

    side: str
    fighter: str
    actor: str
    seat: str
    rolls: bool
    master: bool


def question_row(question: Question) -> QuestionRow:
    """A question of a session as its view."""
    return QuestionRow(
        question.actor,
        question.ask,
        question.step,
        question.clauses,
        str(question.dice or ""),
        tuple(map(option_row, question.options)),
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
    map fight each of its deeds; `said` is the text of each, and `ending` tells the outcome. `names`
    are those of who takes part, by role. `picture` shows the table as lines of text, where the
    system draws one.

    Attributes:
        role: who looks. `saved` and `seed` are for a game master only.
        revision: how many changes there were.
        kept: how many of the answers stand that somebody knows who knows the revision that was
            asked for; -1: it is unknown, and all that is known is to be forgotten.
        lines_before: how many lines of the log that are known stand before those of `log`.
        answers: how many there are. undone: how many can be given again.
        next: who answers. seats: who was named to answer, by role. lying: faces of the open roll.
    """

    schema = "affray/play"
    version = 3
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
    said: tuple[str, ...] = ()
    ending: str = ""
    role: Role = MASTER
    revision: int = 0
    kept: int = -1
    lines_before: int = 0
    answers: int = 0
    undone: int = 0
    next: NextRow | None = None
    seats: dict[str, str] = field(default_factory=dict)
    lying: tuple[Face, ...] = ()

    def __repr__(self) -> str:
        state = "over" if self.question is None else f"waits for {self.question.actor}"
        return f"<play of {self.setup}: {len(self.log)} lines, {state}>"

    def _repr_html_(self) -> str:
        """The log, for notebooks."""
        rows = ((line.actor, line.done, line.meant) for line in self.log)
        waits = self.question and f"waiting for {self.question.actor}: {self.question.ask}"
        head = ("who", "dice and decisions", "meaning")
        return html_table(self.title or self.setup, head, rows, waits or self.ending)


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
    how many there are besides. `closed` are options that no situation offers, with the reasons.
    """

    step: str
    actor: str
    ask: str
    clauses: tuple[str, ...]
    words: tuple[str, ...]
    always: tuple[Cost, ...]
    situations: tuple[SituationRow, ...]
    more: int = 0
    closed: tuple[tuple[str, str], ...] = ()


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
