"""A turn in one line: everything that is decided already, typed or sent at once.

At "what now?" somebody says `attack ripper 2 burst bypass`, or just `burst`. Each decision of the
same fighter takes the words that mean one of its options, wherever they stand in the line; what is
not said is taken as usual: as the fighter decided there last, else by the room's rule of thumb, and
nothing is spent. The line goes as far as the next roll, or as somebody else's decision.

>>> from affray.app.fight import Fight
>>> fight = Fight.begin("empty-earth", ("bo", "2xhusk")).answer(["Bo"])
>>> turn_of(fight, "husk 2 act").told
"attack: Husk 2; blue cube for the Armor's active effect: activate"
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from affray.app.asked import mate_named
from affray.app.fight import Fight
from affray.app.usual import usual
from affray.app.wording import meant, not_meant, numbered_as
from affray.core.errors import AnswerError
from affray.core.lazy import NamedTuple
from affray.engine.exchange.sealed import waits_sealed
from affray.engine.exchange.session import Answer
from affray.engine.fight.played.deeds import attempts
from affray.engine.fight.played.position import Act
from affray.engine.fight.played.questions import FightQuestion, deed_named

__all__ = ["Decided", "Turn", "named_in", "turn_of"]

NEAREST = "nearest"
"""Said for the nearest target."""


class Decided(NamedTuple):
    """A decision of a turn.

    Attributes:
        ask: what was asked. step: the step of the exchange that asked; "": the fight itself.
        option: what is taken. names: everything that was on offer.
        is_said: whether somebody said so; else it is as usual.
        who: the one who decides, where several of a side may; "": it is clear.
        key: by which it is picked: its step, and a number from the second decision there on.
        words: what each of the names means.
    """

    ask: str
    step: str
    option: str
    names: tuple[str, ...]
    is_said: bool
    who: str = ""
    key: str = ""
    words: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The subject of the question: "firing mode" for "which firing mode?"."""
        return _VERB.sub("", _ARTICLE.sub("", self.ask.rstrip("?")))

    @property
    def told(self) -> str:
        """The decision in words: "firing mode: burst"; a deed stands for itself."""
        return f"{self.label}: {self.option}" if self.step else self.option


_ARTICLE = re.compile(
    r"^(which|what is the|what|an?|how many|does an?|spend an?|does the unit|does) ", re.IGNORECASE
)
_VERB = re.compile(r" (does the unit (take|go)|which troop)$")


class Turn(NamedTuple):
    """A turn as far as it is decided.

    Attributes:
        answers: what to answer now, one question after the other.
        decided: all decisions, in order; without those that nobody is asked.
        later: those of them that come up once somebody else has decided something.
        left: words that are for what comes after a question of the situation.
        unmet: options that were picked and are not on offer, or not asked for.
    """

    answers: tuple[Answer, ...]
    decided: tuple[Decided, ...]
    later: tuple[Decided, ...] = ()
    left: str = ""
    unmet: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """The whole turn in one line, without decisions that leave no choice."""
        alike: dict[str, list[str]] = {}
        for one in self.decided:
            if len(one.names) == 1 and one.step:
                continue
            alike.setdefault(one.told, []).append(one.who)
        return "; ".join(
            f"{', '.join(who)}: {told}" if all(who) else told for told, who in alike.items()
        )

    def goes_as(self, shown: Turn) -> bool:
        """Whether all that nobody said is as in another turn."""
        usual = {(one.step, one.option) for one in shown.decided}
        return all(one.is_said or (one.step, one.option) in usual for one in self.decided)


def turn_of(
    fight: Fight, *said: str, fills: bool = True, picks: Mapping[str, str] | None = None
) -> Turn:
    """The turn that somebody means.

    Args:
        fight: it waits for a decision of somebody.
        said: lines with words for it; what a later one says counts.
        fills: whether what is not said is taken as usual; else the turn ends there.
        picks: options by the keys of their decisions (`Decided.key`), as a form has them; where
            one is not on offer, it is as usual.

    Raises:
        AnswerError: words that mean nothing on offer, or several things.
    """
    left_picks = dict(picks or {})
    lines = [_Line(text) for text in said]
    first = fight.asked
    if first is None or not first.options:
        raise AnswerError("nothing is to be decided")
    is_blank = not any(line.left for line in lines)
    here, question, goes_on = fight, first, True
    answers, decided, later = list[Answer](), list[Decided](), list[Decided]()
    theirs = False
    while goes_on:
        is_own = (question.fighter, question.side) == (first.fighter, first.side)
        theirs = theirs or not is_own
        key = _key_of(question, decided)
        option = _picked(question, left_picks, key) if is_own else None
        if option is None and is_own:
            option = _said(here, question, lines, is_first=not decided)
        is_said = option is not None
        given = None if is_said or not decided else _given(here, fills=fills)
        if option is None and given is None and not (fills or (is_blank and not decided)):
            break
        if option is None and given is None and decided and not _is_filled(here, question):
            break  # another deed is another turn
        by = "line" if decided else "hand"
        answer = given or Answer(option=option or usual(here.session, question), by=(by,))
        option = answer.option
        if is_own:
            names = tuple(one.name for one in question.options)
            who = named_in(here, question)
            words = tuple(one.words for one in question.options)
            decided.append(
                Decided(question.ask, question.step, option, names, is_said, who, key, words)
            )
            later += decided[-1:] if theirs else []
        answers += [] if theirs else [answer]
        here = here.answer(answer)
        question = here.session.question or first
        goes_on = here.session.question is not None and _goes_on(here, question, first, fills=fills)
    left = " ".join(filter(None, (line.left for line in lines)))
    waits = question.kind == "situation"
    if left and not (waits and any(one.is_said for one in decided)):
        raise AnswerError(_unmeant(left, first, decided))
    unmet = tuple(left_picks.values())
    return Turn(tuple(answers), tuple(decided), tuple(later), left, unmet)


def _key_of(question: FightQuestion, decided: Sequence[Decided]) -> str:
    """The key by which a decision is picked that comes after others of the same turn."""
    before = sum(one.step == question.step for one in decided)
    return f"{question.step} {before + 1}" if before else question.step


def _picked(question: FightQuestion, picks: dict[str, str], key: str) -> str | None:
    """The option that was picked, which is taken from the picks; None: none on offer was."""
    offered = picks.get(key) in {one.name for one in question.options}
    return picks.pop(key) if offered else None


def _given(fight: Fight, *, fills: bool) -> Answer | None:
    """What is answered without asking: by habit; where nothing is filled in, also what is alike."""
    question = fight.asked
    if fills and question is not None and len(question.options) == 1:
        return None  # it goes with the line
    return fight.habitual or (None if fills else fight.unasked)


def named_in(fight: Fight, question: FightQuestion) -> str:
    """The one who is asked in a role that several mates may have, as the question names them.

    "" where it is clear who is asked.
    """
    return mate_named(fight.session.position, question)


def _goes_on(fight: Fight, question: FightQuestion, first: FightQuestion, *, fills: bool) -> bool:
    """Whether a later question belongs to the turn that began with the first one.

    One whose answer nobody else may see yet begins a turn of its own. Decisions of others in the
    same exchange are passed over to see what comes after them.
    """
    exchange = fight.session.exchange
    is_sealed = exchange is not None and waits_sealed(exchange)
    if not question.options or question.kind == "situation" or is_sealed:
        return False
    if (question.fighter, question.side) == (first.fighter, first.side):
        return True
    return fills and exchange is not None and fight.session.position.whole is None


def _is_filled(fight: Fight, question: FightQuestion) -> bool:
    """Whether a later question of a turn is answered as usual: what belongs to the deed is.

    Another deed is another turn, and on a map every decision is one of its own.
    """
    return question.kind == "exchange" and fight.session.position.whole is None


# -- what is said --------------------------------------------------------------------------------


class _Line:
    """A line whose words are taken by one question after the other."""

    def __init__(self, text: str) -> None:
        self._words: list[str | None] = [*text.replace(",", " ").split()]

    @property
    def left(self) -> str:
        """The words that nobody has taken."""
        return " ".join(word for word in self._words if word)

    def taken(self, names: Sequence[str], also: Mapping[str, str], *, is_first: bool) -> list[str]:
        """The options that some of the words may mean, which are taken; none if they mean none."""
        for start, end, text in self._runs():
            found = numbered_as(text, names) if is_first and not start else []
            found = found or meant(text, names, also)
            if found:
                self._words[start:end] = [None] * (end - start)
                return self._narrowed(found)
        return []

    def takes(self, word: str) -> bool:
        """Whether this word is left; then it is taken."""
        found = [place for place, one in enumerate(self._words) if one and one.casefold() == word]
        for place in found:
            self._words[place] = None
        return bool(found)

    def check_closed(self, closed: Mapping[str, str]) -> None:
        """Refuse words that mean an option that is not on offer now.

        Args:
            closed: such options, each with the reason.

        Raises:
            AnswerError: some do; says why it is closed.
        """
        for _, _, text in self._runs():
            found = meant(text, list(closed))
            if len(found) == 1:
                raise AnswerError(f"{found[0]}: {closed[found[0]]}")

    def _runs(self) -> Iterator[tuple[int, int, str]]:
        """Words that stand together and are left, long runs first: from, to, and the text."""
        count = len(self._words)
        for length in range(count, 0, -1):
            for start in range(count - length + 1):
                part = self._words[start : start + length]
                if None not in part:
                    yield start, start + length, " ".join(map(str, part))

    def _narrowed(self, found: Sequence[str]) -> list[str]:
        """Narrow several options down by later words, which are taken, too."""
        left = list(found)
        for place, word in enumerate(self._words):
            fewer = meant(word, left) if word and len(left) > 1 else []
            if 0 < len(fewer) < len(left):
                left, self._words[place] = fewer, None
        return left


def _said(
    fight: Fight, question: FightQuestion, lines: Sequence[_Line], *, is_first: bool
) -> str | None:
    """The option that the words mean here; they are taken. None: they say nothing of it."""
    names = [option.name for option in question.options]
    also = {other: one.name for one in question.options for other in one.also}
    option = None
    for line in reversed(lines):  # those before are overruled, but their words are for this, too
        found = line.taken(names, also, is_first=is_first)
        if found and line.takes(NEAREST):
            found = [_nearest(fight, found)]
        if option is None and found:
            likely = usual(fight.session, question) if len(found) > 1 else ""
            option = found[0] if len(found) == 1 else _likely(likely, found)
    if option is None:
        for line in lines:
            line.check_closed(dict(question.closed))
    return option


def _nearest(fight: Fight, names: Sequence[str]) -> str:
    """The option for the nearest of several targets; the first one if distances are unknown."""
    here, need = fight.session.position, fight.session.position.need
    if isinstance(need, Act):
        for deed, targets in attempts(here, need):
            for target in targets:
                if deed_named(here, deed, target) in names:
                    return deed_named(here, deed, target)
    return names[0]


def _likely(option: str, found: Sequence[str]) -> str:
    """The usual option, if it is one of several that may be meant.

    Raises:
        AnswerError: it is none of them.
    """
    if option in found:
        return option
    raise AnswerError(f"that may mean {', '.join(found[:-1])} or {found[-1]}; say which")


def _unmeant(left: str, first: FightQuestion, decided: Sequence[Decided]) -> str:
    """That words mean nothing that is on offer in a turn."""
    asked = [one.names for one in decided] or [tuple(one.name for one in first.options)]
    return not_meant(left, list(dict.fromkeys(name for names in asked for name in names)))
