"""A fight that people play, as rows: what everybody at the table sees of it."""

from __future__ import annotations

from dataclasses import field

from affray.app.roles import Role
from affray.app.views.accounts import Account
from affray.app.views.envelope import View
from affray.app.views.exchanges import DieRow, NextRow, OptionRow
from affray.core.dice import Face
from affray.core.lazy import NamedTuple, dataclass
from affray.engine.exchange.session import LogLine, Thrown

__all__ = [
    "ChangeRow", "EventRow", "FightQuestionRow", "FightView", "FighterRow", "GroundRow", "HabitRow",
    "StandsRow", "ThresholdRow", "ToldRow", "TurnRow",
]  # fmt: skip


class ThresholdRow(NamedTuple):
    """A number at which something happens, and what."""

    at: int
    what: str


class ToldRow(NamedTuple):
    """One line of a condition; see `affray.core.fight.Told`.

    Attributes:
        label: what it is. value: how it stands, in words. does: what that does to the numbers.
        key: the name under which a game master sets it; "": it can't be set.
        kind: "bar": a number with a limit; "count": one without; "flag": what holds; "text": words.
        now: the number, of a bar or a count. most: the limit of a bar.
        thresholds: where something happens, and what.
        unit: of the number. rises: whether it rises from 0 as things get worse, such as damage.
    """

    label: str
    value: str
    does: str
    key: str
    kind: str = "text"
    now: int | None = None
    most: int | None = None
    thresholds: tuple[ThresholdRow, ...] = ()
    unit: str = ""
    rises: bool = False


class FighterRow(NamedTuple):
    """A fighter as the table sees one.

    Attributes:
        name: no two are alike. side: "one" or "other".
        state: "standing", "out" or "gone"; or the system's own word for it.
        is_out: whether the fighter is out of the fight, or gone.
        told: the lines of the condition.
        bar: points left and the most there can be, if the system counts any; short: what else a
            table says of the fighter, in a few words.
    """

    name: str
    side: str
    state: str
    is_out: bool
    told: tuple[ToldRow, ...]
    bar: tuple[int, int] | None = None
    short: tuple[str, ...] = ()


class StandsRow(NamedTuple):
    """How a fighter stands after something happened, with the words that are new.

    See `FighterRow`.
    """

    name: str
    state: str
    is_out: bool
    bar: tuple[int, int] | None
    short: tuple[str, ...]


class TurnRow(NamedTuple):
    """A turn of this round: whose, and on which side.

    What befalls fighters between turns stands among them by its name, on no side.

    `state` is "done", "now", "waiting" (held back until called), "interrupted",
    "next" or "out".
    """

    name: str
    side: str
    state: str


class FightQuestionRow(NamedTuple):
    """A question or a roll that a fight waits for; see `FightQuestion`.

    Names stand for fighters; `side` is "one", "other" or "". `key` and `takes` are those of a
    question about the situation: what is asked, and what else may be answered than the options,
    of which the first is assumed unless somebody says otherwise. `faces` are those of the dice;
    `usual` is the option that a table takes without a word, as the fighter did last.
    """

    kind: str
    fighter: str
    side: str
    actor: str
    ask: str
    step: str
    clauses: tuple[str, ...]
    dice: str
    options: tuple[OptionRow, ...]
    about: tuple[tuple[str, object], ...]
    closed: tuple[tuple[str, str], ...]
    key: str
    takes: str
    faces: tuple[DieRow, ...]
    usual: str


class GroundRow(NamedTuple):
    """One thing of a situation: of a side, or where a fighter acts upon a target; "": anybody."""

    side: str
    fighter: str
    target: str
    key: str
    value: object


class HabitRow(NamedTuple):
    """What a fighter, or a side ("one", "other"), always takes at a step.

    Attributes:
        who, step: whose habit, and where.
        against: only against those whose name begins so; "": against anybody.
        option: what is taken.
    """

    who: str
    step: str
    against: str
    option: str


class ChangeRow(NamedTuple):
    """A line of a condition that something has changed, in words; None: it was or is not told."""

    fighter: str
    label: str
    before: str | None
    after: str | None


class EventRow(NamedTuple):
    """Something that happened in a fight.

    Attributes:
        move: after how many moves it happened.
        kind: "initiative", "round", "turn", "situation", "exchange", "pass", "wait",
            "interrupt", "close", "hand", "habit" or "over"; "back": rolls were taken back.
        round: the number of the round.
        fighter: who did it or whom it befell. deed, target: of an exchange; who interrupts the
            deed of the target.
        order: of a round that begins: everybody's turn, in order.
        faces: of initiative.
        lines: the log of an exchange.
        changes: what changed in conditions.
        why: a reason, what was said of the situation, what a game master does, or which rolls
            were taken back; at the end the verdict.
        by: who or what decided on an exchange, or to pass.
        names: of an exchange: the names of those who take part, each after the role that its log
            calls them.
        number: of an exchange: its number in the fight, or that of its first account.
        short: an exchange in a line or two; of a whole map fight each of its deeds.
        stands: everybody whom it left otherwise than before, and how, in a few words.
        kinds: of initiative: its dice by kinds.
        said: all this in sentences, as short as `short`, of which there is a text for each.
    """

    move: int
    kind: str
    round: int
    fighter: str
    deed: str
    target: str
    order: tuple[str, ...]
    faces: tuple[Face, ...]
    lines: tuple[LogLine, ...]
    changes: tuple[ChangeRow, ...]
    why: str
    by: str = ""
    names: tuple[tuple[str, str], ...] = ()
    number: int = 0
    short: tuple[Account, ...] = ()
    stands: tuple[StandsRow, ...] = ()
    said: tuple[str, ...] = ()
    kinds: tuple[Thrown, ...] = ()


@dataclass(frozen=True)
class FightView(View):
    """A fight as it stands, for one who has some role in it.

    Attributes:
        role: who looks.
        round: its number. phase: where in it, as in `affray.engine.fight.course.Phase`.
        sides: the names of both.
        turns: those of this round, in order.
        fighters: everybody, the first side first.
        situations: what holds for both sides and between fighters, apart from defaults.
        habits: what fighters and sides always take, as people said in this fight.
        picture: the table or map, where the system draws one.
        exchange: the log of the exchange that goes on. short: the same in a line or two, so far.
        names: of those who take part in it, each after the role that the log calls them.
        question: what is waited for; None: nothing any more.
        events: what happened since the revision that was asked for.
        revision: how many changes there were. kept: how many of the moves stand that somebody
            knows who knows that revision; -1: it is unknown, and all is to be forgotten.
        lines_before, short_before: how many lines of `exchange` and accounts of `short` that are
            known stand before these; above zero only where one exchange is the whole fight.
        next: who answers. lying: faces of the open roll.
        seats: who was named to answer; a computer's policy only for those who see its side.
        moves: how many moves there were. undone: how many can be done again.
        number: of the exchange that goes on, or comes next, as in `EventRow`.
        verdict: how it ended; "": it goes on. ending: the same in sentences.
    """

    schema = "affray/fight"
    version = 4
    system: str
    setup: str
    title: str
    role: Role
    round: int
    phase: str
    sides: tuple[str, str]
    turns: tuple[TurnRow, ...]
    fighters: tuple[FighterRow, ...]
    situations: tuple[GroundRow, ...]
    picture: str
    exchange: tuple[LogLine, ...]
    question: FightQuestionRow | None
    events: tuple[EventRow, ...]
    moves: int
    undone: int
    verdict: str
    remarks: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    habits: tuple[HabitRow, ...] = ()
    ending: str = ""
    number: int = 0
    short: tuple[Account, ...] = ()
    names: tuple[tuple[str, str], ...] = ()
    revision: int = 0
    kept: int = -1
    lines_before: int = 0
    short_before: int = 0
    next: NextRow | None = None
    seats: dict[str, str] = field(default_factory=dict)
    lying: tuple[Face, ...] = ()

    def __repr__(self) -> str:
        state = self.verdict or (self.question.ask if self.question else "over")
        return f"<fight of {self.system}, {self.setup}: round {self.round}, {state}>"
