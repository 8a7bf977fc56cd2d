"""What people have said for questions of a fight that are still to come.

One line may decide a whole turn, or the turns of a group. What it says for later is kept with the
fight and given when the time comes; whatever takes an answer back forgets it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from affray.core.errors import StoreError
from affray.core.lazy import NamedTuple
from affray.core.telling import shown
from affray.engine.exchange.answers import from_plain as answer_from
from affray.engine.exchange.answers import keys_at
from affray.engine.exchange.answers import to_plain as answer_to_plain
from affray.engine.exchange.session import Answer

__all__ = ["NOTHING_AHEAD", "Ahead", "Later", "Order", "from_plain", "to_plain"]


class Later(NamedTuple):
    """An option for a fighter's question that comes up once somebody else has decided something.

    It counts only if the same options are on offer as when it was said.
    """

    who: str
    step: str
    option: str
    names: tuple[str, ...]


class Order(NamedTuple):
    """What a fighter does in a round, since its group was told to: a line as somebody types it."""

    who: str
    round: int
    line: str


class Ahead(NamedTuple):
    """Everything that was said for later.

    Attributes:
        answers: to the next questions, one after the other.
        later: for what follows the decision of somebody else in the same exchange.
        words: for the decision that follows a question of the situation.
        orders: of groups.
    """

    answers: tuple[Answer, ...] = ()
    later: tuple[Later, ...] = ()
    words: str = ""
    orders: tuple[Order, ...] = ()

    def option_for(self, who: str, step: str, names: Iterable[str]) -> str:
        """The option that was said for a question; "": none was, or others were on offer."""
        offered = tuple(names)
        found = (
            one.option for one in self.later if one[:2] == (who, step) and one.names == offered
        )
        return next(found, "")

    def without(self, who: str, step: str) -> Ahead:
        """The rest, when a fighter has been asked at a step."""
        return self._replace(later=tuple(one for one in self.later if one[:2] != (who, step)))

    def ordered_for(self, who: str, round_: int) -> str:
        """What a fighter was told to do in a round; "": nothing."""
        found = (one.line for one in self.orders if (one.who, one.round) == (who, round_))
        return next(found, "")

    def without_order(self, who: str) -> Ahead:
        """The rest, when a fighter has had the turn."""
        return self._replace(orders=tuple(one for one in self.orders if one.who != who))


NOTHING_AHEAD = Ahead()


def to_plain(ahead: Ahead) -> dict[str, object]:
    """What was said for later as plain data, without what is empty."""
    return {
        **({"answers": list(map(answer_to_plain, ahead.answers))} if ahead.answers else {}),
        **({"later": [{**one._asdict(), "names": list(one.names)} for one in ahead.later]}
           if ahead.later else {}),
        **({"words": ahead.words} if ahead.words else {}),
        **({"orders": [one._asdict() for one in ahead.orders]} if ahead.orders else {}),
    }  # fmt: skip


def from_plain(raw: Mapping[str, object], where: str) -> Ahead:
    """What was said for later from plain data.

    Raises:
        StoreError: it is not whole.
    """
    table = keys_at(raw, where, frozenset(), frozenset(Ahead._fields))
    words = table.get("words", "")
    if not isinstance(words, str):
        raise StoreError(f"{where}: words: {shown(words)}; must be a text")
    return Ahead(
        tuple(answer_from(row, f"{where}: {n}") for n, row in _rows(table, "answers", where)),
        tuple(_later(row, f"{where}: {n}") for n, row in _rows(table, "later", where)),
        words,
        tuple(_order(row, f"{where}: {n}") for n, row in _rows(table, "orders", where)),
    )


def _rows(table: Mapping[str, object], key: str, where: str) -> Iterable[tuple[str, object]]:
    rows = table.get(key, [])
    if not isinstance(rows, list):
        raise StoreError(f"{where}: {key}: {shown(rows)}; must be a list")
    return [(f"{key} {number}", row) for number, row in enumerate(rows, start=1)]


def _later(raw: object, where: str) -> Later:
    row = keys_at(raw, where, frozenset(Later._fields))
    who, step, option, names = (row[key] for key in Later._fields)
    if not isinstance(names, list):
        raise StoreError(f"{where}: names: {shown(names)}; must be a list")
    texts = [who, step, option, *names]
    if not all(isinstance(text, str) for text in texts):
        raise StoreError(f"{where}: {shown(raw)}; must be texts")
    return Later(str(who), str(step), str(option), tuple(map(str, names)))


def _order(raw: object, where: str) -> Order:
    row = keys_at(raw, where, frozenset(Order._fields))
    who, number, line = (row[key] for key in Order._fields)
    if type(number) is not int or not isinstance(who, str) or not isinstance(line, str):
        raise StoreError(f"{where}: {shown(raw)}; must be a name, a round and a line")
    return Order(who, number, line)
