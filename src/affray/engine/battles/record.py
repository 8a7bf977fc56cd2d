"""What is kept of a battle: dice, orders, who did what to whom, and every answer.

Everything else is recomputed when a record is replayed; see `affray.engine.battles.played`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Literal, NamedTuple, TypeAlias

from affray.core.errors import StoreError
from affray.engine.play import Answer, LogLine

__all__ = [
    "SCHEMA", "VERSION", "Place", "PlayedBattle", "PlayedExchange", "Record", "Verdict",
    "from_saved", "to_saved",
]  # fmt: skip

SCHEMA = "affray/saved-battle"
VERSION = 1

Verdict: TypeAlias = Literal["one", "other", "drawn", "ended", "stalled"]
"""Which side has won, that both are out, that a rule ended it, or that it took too long."""


class Place(NamedTuple):
    """A fighter of a battle: the number of the side, and the place in it."""

    side: int
    place: int


class PlayedExchange(NamedTuple):
    """One exchange of a battle.

    Attributes:
        round: in which round, the first is 1.
        actor, target: whose turn it was, and to whom it was done.
        deed: what was done.
        answers: faces and options, in the order in which they were asked.
        lines: the log of the exchange.
        conditions: of everybody after it, side by side.
    """

    round: int
    actor: Place
    deed: str
    target: Place
    answers: tuple[Answer, ...]
    lines: tuple[LogLine, ...] = ()
    conditions: tuple[tuple[Hashable, ...], ...] = ()


class Record(NamedTuple):
    """All that needs to be kept of a battle.

    Attributes:
        initiative: the dice that were rolled once for each fighter; empty if there were none.
        orders: for each round, who acts when.
        exchanges: what was done, without lines and conditions.
    """

    initiative: tuple[Answer, ...]
    orders: tuple[tuple[Place, ...], ...]
    exchanges: tuple[PlayedExchange, ...]


class PlayedBattle(NamedTuple):
    """A battle from the beginning to the end.

    Attributes:
        names: what each fighter is called, side by side; no two alike.
        verdict: how it ended.
        rounds: how many rounds began.
        entries: every exchange.
        conditions: of everybody at the end, side by side.
        initiative, orders: as in `Record`.
    """

    names: tuple[tuple[str, ...], ...]
    verdict: Verdict
    rounds: int
    entries: tuple[PlayedExchange, ...]
    conditions: tuple[tuple[Hashable, ...], ...]
    initiative: tuple[Answer, ...]
    orders: tuple[tuple[Place, ...], ...]

    @property
    def record(self) -> Record:
        """What needs to be kept of it."""
        bare = tuple(entry._replace(lines=(), conditions=()) for entry in self.entries)
        return Record(self.initiative, self.orders, bare)


# -- as plain data -----------------------------------------------------------------------------


def to_saved(played: PlayedBattle) -> dict[str, object]:
    """A battle as plain data; whoever saves it puts the setup of the fight under "fight"."""
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "fight": {},
        "initiative": [_plain(answer) for answer in played.initiative],
        "orders": [[list(place) for place in order] for order in played.orders],
        "exchanges": [
            {
                "round": entry.round,
                "actor": list(entry.actor),
                "deed": entry.deed,
                "target": list(entry.target),
                "answers": [_plain(answer) for answer in entry.answers],
            }
            for entry in played.entries
        ],
    }


def _plain(answer: Answer) -> dict[str, object]:
    if answer.option:
        return {"option": answer.option, "by": list(answer.by)}
    return {"faces": list(answer.faces), "by": list(answer.by)}


def from_saved(raw: Mapping[str, object]) -> Record:
    """What was kept of a battle, to be replayed.

    Raises:
        StoreError: it is no saved battle, newer than this program, or not whole.
    """
    if raw.get("schema") != SCHEMA:
        raise StoreError(f"no saved battle: schema {raw.get('schema')!r}; needed: {SCHEMA!r}")
    version = raw.get("version")
    if version != VERSION:
        raise StoreError(f"saved battle of version {version!r}; allowed: 1 to {VERSION}")
    return Record(
        tuple(_answer(row, "initiative") for row in _rows(raw, "initiative", "")),
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
    if not isinstance(row, dict):
        raise StoreError(f"{where}: {row!r}; needed is a table")
    number, deed = row.get("round"), row.get("deed")
    if type(number) is not int or not isinstance(deed, str):
        raise StoreError(f"{where}: round {number!r}, deed {deed!r}; needed: a number, a name")
    actor, target = (_place(row.get(who), f"{where}, {who}") for who in ("actor", "target"))
    answers = tuple(_answer(answer, where) for answer in _rows(row, "answers", f"{where}, "))
    return PlayedExchange(number, actor, deed, target, answers)


def _rows(raw: Mapping[str, object], key: str, where: str) -> list[object]:
    return _listed(raw.get(key), f"{where}{key}")


def _listed(rows: object, where: str) -> list[object]:
    if not isinstance(rows, list):
        raise StoreError(f"{where}: {rows!r}; needed is a list")
    return rows


def _place(row: object, where: str) -> Place:
    if not isinstance(row, list) or len(row) != 2 or any(type(n) is not int for n in row):
        raise StoreError(f"{where}: {row!r}; needed are the number of a side and of a fighter")
    return Place(*row)


def _answer(row: object, where: str) -> Answer:
    if not isinstance(row, dict) or not ("option" in row or "faces" in row):
        raise StoreError(f"{where}: {row!r}; needed is 'option' or 'faces'")
    faces, by = row.get("faces", []), row.get("by", [])
    if not isinstance(faces, list) or not isinstance(by, list):
        raise StoreError(f"{where}: 'faces' and 'by' are lists")
    return Answer(tuple(faces), str(row.get("option", "")), tuple(map(str, by)))
