"""The record of a battle: dice, orders of turns, deeds with their targets, and every answer.

Everything else is recomputed when a record is replayed; see `affray.engine.fight.played.play`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property
from typing import overload

from affray.core.errors import StoreError
from affray.core.lazy import NamedTuple
from affray.core.node import Facts
from affray.core.telling import shown
from affray.engine.exchange.answers import from_plain, keys_at, to_plain
from affray.engine.exchange.session import Answer, LogLine, Session
from affray.engine.fight.course import FighterId, Verdict

__all__ = [
    "SCHEMA", "VERSION", "Lines", "PlayedBattle", "PlayedExchange", "Record", "from_saved",
    "to_saved",
]  # fmt: skip

SCHEMA = "affray/saved-battle"
VERSION = 1
KEYS = frozenset({"schema", "version", "initiative", "orders", "exchanges"})
TOLD = frozenset({"fight", "seed", "verdict", "rounds", "log"})
"""Keys that a file may have besides, for people to read."""
EXCHANGE = frozenset({"round", "actor", "deed", "target", "answers"})


class Lines(Sequence[LogLine]):
    """The log of an exchange, told when somebody first reads it: most are never read.

    Args:
        begin: begins the exchange with nothing hidden, as people read it.
        answers: those that were given in it.
    """

    def __init__(self, begin: Callable[[], Session], answers: tuple[Answer, ...]) -> None:
        self._begin: Callable[[], Session] | None = begin
        self._answers = answers

    @cached_property
    def _begun(self) -> Session:
        """The exchange up to its first question."""
        assert self._begin is not None  # begun once
        begun, self._begin = self._begin(), None
        return begun

    @cached_property
    def told(self) -> tuple[LogLine, ...]:
        """All lines."""
        return self._begun.answered(self._answers).log

    def __len__(self) -> int:
        return len(self.told)

    @overload
    def __getitem__(self, place: int) -> LogLine: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[LogLine, ...]: ...
    def __getitem__(self, place: int | slice) -> LogLine | tuple[LogLine, ...]:
        return self.told[place]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Lines):
            return self.told == other
        # The same answers to the same exchange leave the same log.
        same = self._answers == other._answers and self._begun is other._begun
        return self is other or same or self.told == other.told

    def __hash__(self) -> int:
        return hash(self.told)

    def __repr__(self) -> str:
        return repr(self.told)


class PlayedExchange(NamedTuple):
    """One exchange of a battle.

    Attributes:
        round: in which round, the first is 1.
        actor, target: the fighter whose turn it was, and the one it acted upon.
        deed: what was done.
        answers: faces and options, in the order in which they were asked.
        lines: the log of the exchange.
        conditions: of everybody after it, side by side and in full; `before` it as well.
        outcome: its end. on_foe: whether it was done to a foe.
    """

    round: int
    actor: FighterId
    deed: str
    target: FighterId
    answers: tuple[Answer, ...]
    lines: Sequence[LogLine] = ()
    conditions: tuple[tuple[Hashable, ...], ...] = ()
    before: tuple[tuple[Hashable, ...], ...] = ()
    outcome: Facts | None = None
    on_foe: bool = False


class Record(NamedTuple):
    """All that needs to be kept of a battle.

    Attributes:
        initiative: the dice that were rolled once for each fighter; empty if there were none.
        orders: for each round, who acts when.
        exchanges: what was done, without lines and conditions.
    """

    initiative: tuple[Answer, ...]
    orders: tuple[tuple[FighterId, ...], ...]
    exchanges: tuple[PlayedExchange, ...]


class PlayedBattle(NamedTuple):
    """A battle from the beginning to the end.

    Attributes:
        names: the names of all fighters, side by side; no two alike.
        verdict: how it ended.
        rounds: how many rounds began.
        exchanges: every exchange.
        conditions: of everybody at the end, side by side.
        initiative, orders: as in `Record`.
        fates: of everybody at the end, side by side; empty words where a system has none.
    """

    names: tuple[tuple[str, ...], ...]
    verdict: Verdict
    rounds: int
    exchanges: tuple[PlayedExchange, ...]
    conditions: tuple[tuple[Hashable, ...], ...]
    initiative: tuple[Answer, ...]
    orders: tuple[tuple[FighterId, ...], ...]
    fates: tuple[tuple[str, ...], ...] = ()

    @property
    def record(self) -> Record:
        """All that is needed to play it again."""
        bare = tuple(
            entry._replace(lines=(), conditions=(), before=(), outcome=None, on_foe=False)
            for entry in self.exchanges
        )
        return Record(self.initiative, self.orders, bare)


# -- as plain data -----------------------------------------------------------------------------


def to_saved(played: PlayedBattle) -> dict[str, object]:
    """A battle as plain data; the caller puts the setup of the fight under "fight"."""
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "fight": {},
        "initiative": [to_plain(answer) for answer in played.initiative],
        "orders": [[list(place) for place in order] for order in played.orders],
        "exchanges": [
            {
                "round": entry.round,
                "actor": list(entry.actor),
                "deed": entry.deed,
                "target": list(entry.target),
                "answers": [to_plain(answer) for answer in entry.answers],
            }
            for entry in played.exchanges
        ],
    }


def from_saved(raw: Mapping[str, object]) -> Record:
    """Read the record of a battle, to replay it.

    Raises:
        StoreError: it is no saved battle, newer than this program, or not whole.
    """
    if raw.get("schema") != SCHEMA:
        raise StoreError(f"no saved battle: schema {shown(raw.get('schema'))}; needed: {SCHEMA!r}")
    version = raw.get("version")
    if type(version) is not int or version != VERSION:
        raise StoreError(f"saved battle of version {shown(version)}; allowed: 1 to {VERSION}")
    keys_at(raw, "saved battle", KEYS, TOLD)
    return Record(
        tuple(from_plain(row, "initiative") for row in _rows(raw, "initiative", "")),
        tuple(
            tuple(_place(place, f"order {number}") for place in _listed(order, f"order {number}"))
            for number, order in enumerate(_rows(raw, "orders", ""), start=1)
        ),
        tuple(
            _exchange(row, f"exchange {number}")
            for number, row in enumerate(_rows(raw, "exchanges", ""), start=1)
        ),
    )


def _exchange(row: object, where: str) -> PlayedExchange:
    row = keys_at(row, where, EXCHANGE)
    number, deed = row["round"], row["deed"]
    if type(number) is not int or not isinstance(deed, str):
        raise StoreError(
            f"{where}: round {shown(number)}, deed {shown(deed)}; must be a number and a name"
        )
    actor, target = (_place(row[who], f"{where}, {who}") for who in ("actor", "target"))
    answers = tuple(from_plain(answer, where) for answer in _rows(row, "answers", f"{where}, "))
    return PlayedExchange(number, actor, deed, target, answers)


def _rows(raw: Mapping[str, object], key: str, where: str) -> list[object]:
    return _listed(raw.get(key), f"{where}{key}")


def _listed(rows: object, where: str) -> list[object]:
    if not isinstance(rows, list):
        raise StoreError(f"{where}: {shown(rows)}; must be a list")
    return rows


def _place(row: object, where: str) -> FighterId:
    if not isinstance(row, list) or len(row) != 2 or any(type(n) is not int for n in row):
        raise StoreError(f"{where}: {shown(row)}; must be the number of a side and of a fighter")
    return FighterId(*row)
