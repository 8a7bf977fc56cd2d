"""Games that are kept: begun, changed, looked at, forked, with a store behind them.

The store keeps how a game began and every settled change; a game is replayed when it is needed and
stays loaded for a while. A change is written down before anybody hears of it. Of two changes that
were made to the same revision, by whatever server, one wins; the other one is told what is asked
now.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock, RLock
from typing import TYPE_CHECKING

from affray.app.changes import Changed, Means, begin_game, changed, gone_on, replayed, taken
from affray.app.fight import Fight
from affray.app.files.rules_digest import rules_digest
from affray.app.files.saved_fights import digest_of
from affray.app.goes_on import Due, Game, due
from affray.app.inputs.fight_changes import FightChanges
from affray.app.inputs.fight_sheets import SIDES
from affray.app.inputs.intake import Raw
from affray.app.registry import system_named
from affray.app.sources import Changes, EasyFight, Table
from affray.core.errors import AffrayError, AnswerError, MovedOnError
from affray.engine.exchange.session import Answer
from affray.store.errors import RevisionError

if TYPE_CHECKING:
    from affray.store.games import GameRow, NewEntry
    from affray.store.opening import Store

__all__ = ["Kept", "KeptGames", "due_at", "sides_of"]

MOST_LOADED = 200
"""Games that stay loaded; a fight of 120 moves takes about a megabyte."""
BY_ITSELF: Raw = {"kind": "itself"}
"""What a game did by itself: an answer that makes no difference, a habit, a computer's roll."""
LOG = "log"
"""A key that the store keeps beside a settled change: a digest of what the game told then."""
AS_USUAL = Means()


@dataclass
class Kept:
    """A game that is kept, as it stands.

    Attributes:
        id: its id.
        kind: "fight" or "exchange".
        game: where it stands.
        stored: the number of its changes in the store.
        table: id of the table of people at which it is played; None: none.
        stuck: why it can only be read; empty: it can go on.
        apart: from which change on it goes another way by the rules of today; 0: it doesn't.
    """

    id: str
    kind: str
    game: Game
    stored: int
    table: str | None = None
    stuck: str = ""
    apart: int = 0
    lock: RLock = field(default_factory=RLock, repr=False)


class KeptGames:
    """The games of a store. Any thread may use them; each game is changed by one at a time.

    Args:
        store: where they are kept.
        rung: is called with the id of a game that has changed.
        loaded: is called with a game that was loaded from the store.
        most: games that stay loaded.
    """

    def __init__(
        self,
        store: Store,
        rung: Callable[[str], None] = lambda _: None,
        loaded: Callable[[Kept], None] = lambda _: None,
        *,
        most: int = MOST_LOADED,
    ) -> None:
        self._store, self._rung, self._told_loaded = store, rung, loaded
        self._most = most
        self._loaded: OrderedDict[str, Kept] = OrderedDict()
        self._lock = Lock()

    @property
    def n_loaded(self) -> int:
        """Games that are loaded now."""
        return len(self._loaded)

    # -- beginning and looking -----------------------------------------------------------------

    def begin(
        self,
        kind: str,
        system: str,
        source: EasyFight,
        changes: Changes | FightChanges | None = None,
        *,
        seats: Mapping[str, str] | None = None,
        table: str | None = None,
        means: Means = AS_USUAL,
    ) -> Kept:
        """Begin a game, and let it go on to where somebody is asked.

        Args:
            kind: "fight" or "exchange".
            system: id of a system.
            source: a shipped name, a table, a saved game, or the roster names of both sides.
            changes: what holds instead of what it says.
            seats: who answers; see `Fight.seated`.
            table: id of the table of people at which it is played.
            means: what it may need to go on.

        Raises:
            UnknownNameError, InputError, SetupError, AnswerError: as for `begin_game`.
            StoreError: it can't be kept.
        """
        begun = begin_game(kind, system, source, changes)
        found, title = system_named(system), _title(begun)
        row = self._store.games.begin(
            kind, found.id, rules_digest(found), begun.saved, title=title, tabletop=table
        )
        begun = begin_game(kind, system, Table(begun.saved, title))  # as it will be restored
        kept = Kept(row.id, kind, begun, 0, table)
        first = changed(begun, {"do": "seats", "seats": dict(seats)}) if seats else None
        self._write(kept, first or Changed(begun, ()), "", BY_ITSELF, means)
        self._keep(kept)
        return kept

    def fork(self, game_id: str, moves: int, *, means: Means = AS_USUAL) -> Kept:
        """Begin a game anew from an earlier moment of this one, to go another way.

        Args:
            game_id: the game.
            moves: how many of its moves the new one has.
            means: what it may need to go on.

        Raises:
            NotKeptError: there is no such game.
            AnswerError: it has not as many moves.
        """
        kept = self.kept(game_id)
        if not 0 <= moves <= len(kept.game.moves):
            raise AnswerError(f"fork after {moves} moves; allowed: 0 to {len(kept.game.moves)}")
        early = kept.game.at(moves)
        return self.begin(kept.kind, early.system, early.saved, means=means)

    def kept(self, game_id: str) -> Kept:
        """A game as it stands now, whoever changed it.

        Raises:
            NotKeptError: there is no such game.
            StoreError: it can't be read.
        """
        row = self._store.games.row(game_id)
        with self._lock:
            found = self._loaded.get(game_id)
            if found is not None:
                self._loaded.move_to_end(game_id)
        if found is None:
            found = self._keep(self._restored(game_id))
            self._told_loaded(found)
        with found.lock:
            if found.stored != row.revision:
                self._catch_up(found)
            found.table = row.tabletop
        return found

    # -- changing ------------------------------------------------------------------------------

    def change(
        self,
        game_id: str,
        change: Mapping[str, object],
        *,
        who: str = "",
        means: Means = AS_USUAL,
        check: Callable[[Game], None] | None = None,
    ) -> tuple[Kept, Changed]:
        """Change a game, and let it go on to where somebody is asked.

        Args:
            game_id: the game.
            change: as data; see `affray.app.changes`.
            who: the name of the one who changes it.
            means: what it may need.
            check: raises an error if the change is not allowed in this game.

        Raises:
            NotKeptError: there is no such game.
            ForbiddenError: `check` refuses it.
            UnknownNameError, InputError, AnswerError, MovedOnError: as for `changed`; nothing has
                changed.
            StoreError: it can't be kept; nothing has changed.
        """
        with self._changing(game_id) as kept:
            while True:
                if check is not None:
                    check(kept.game)
                after = changed(kept.game, change, means)
                try:
                    return kept, self._write(kept, after, who, _by(change), means)
                except RevisionError:
                    self._catch_up(kept)

    def decided(self, game_id: str, at: int, decision: Mapping[str, object]) -> Kept:
        """Give the answer of a computer that was worked out elsewhere.

        Args:
            game_id: the game.
            at: the revision for which it was worked out.
            decision: the JSON of a `DecisionView`.

        Raises:
            MovedOnError: the game has moved on meanwhile.
            StoreError: it can't be kept; nothing has changed.
        """
        option, by = str(decision["option"]), decision["by"]
        assert isinstance(by, list)  # of a view
        note: Raw = {"kind": "computer", "policy": decision["policy"], "seed": decision["seed"]}
        with self._changing(game_id) as kept:
            if kept.game.revision != at:
                raise _moved_on(kept.game)
            step = due_at(kept)
            if step is None:
                raise _moved_on(kept.game)
            given = Answer(option=option, by=tuple(map(str, by)))
            after = taken(kept.game, step._replace(kind="answer", answer=given))
            try:
                self._write(kept, after, "", note, AS_USUAL)
            except RevisionError:
                self._catch_up(kept)
                raise _moved_on(kept.game) from None
            return kept

    @contextmanager
    def _changing(self, game_id: str) -> Iterator[Kept]:
        kept = self.kept(game_id)
        with kept.lock:
            if kept.stuck:
                raise AnswerError(kept.stuck)
            yield kept

    def _write(self, kept: Kept, after: Changed, who: str, by: Raw, means: Means) -> Changed:
        """Keep a change and what follows from it; all of it or nothing."""
        from affray.store.games import NewEntry

        on = gone_on(after.game, means)
        entries = [NewEntry(dict(one), who, by) for one in after.settled]
        entries += [NewEntry(dict(one), "", BY_ITSELF) for one in on.settled]
        if entries:
            last = entries[-1]
            entries[-1] = last._replace(what={**last.what, LOG: _log_digest(on.game)})
            self._append(kept, entries, on.game)
        return after._replace(
            game=on.game, settled=(*after.settled, *on.settled), told=(*after.told, *on.told)
        )

    def _append(self, kept: Kept, entries: list[NewEntry], game: Game) -> None:
        rules = rules_digest(system_named(game.system))
        state = "open" if game.question is not None else "over"
        kept.stored = self._store.games.append(
            kept.id, kept.stored, entries, rules=rules, state=state
        )
        kept.game = game
        self._rung(kept.id)

    # -- loading -------------------------------------------------------------------------------

    def _keep(self, kept: Kept) -> Kept:
        """Keep a game loaded; the one that is longest unused is forgotten."""
        with self._lock:
            kept = self._loaded.setdefault(kept.id, kept)
            self._loaded.move_to_end(kept.id)
            while len(self._loaded) > self._most:
                self._loaded.popitem(last=False)
        return kept

    def _restored(self, game_id: str) -> Kept:
        """A game from the store."""
        found = self._store.games.game(game_id)
        row = found.row
        begun = begin_game(row.kind, row.system, Table(found.setup, row.title))
        kept = Kept(game_id, row.kind, begun, 0, row.tabletop)
        for entry in found.entries:
            if not self._again(kept, entry.what, row):
                break
        return kept

    def _again(self, kept: Kept, settled: Raw, row: GameRow) -> bool:
        """Replay one change; a game that rules of today refuse is stuck where it was."""
        change = {key: value for key, value in settled.items() if key != LOG}
        try:
            kept.game = replayed(kept.game, (change,))
        except AffrayError as error:
            kept.stuck = (
                f"change {kept.stored + 1} of this game can't be replayed by the rules of today: "
                f"{error} It can be read up to there, and forked"
            )
            kept.stored = row.revision
            return False
        kept.stored += 1
        if not kept.apart and settled.get(LOG, "") not in {"", _log_digest(kept.game)}:
            kept.apart = kept.stored
        return True

    def _catch_up(self, kept: Kept) -> None:
        """Follow what another server has written."""
        row = self._store.games.row(kept.id)
        for entry in self._store.games.entries(kept.id, after=kept.stored):
            if kept.stuck or not self._again(kept, entry.what, row):
                break


def due_at(kept: Kept, means: Means = AS_USUAL) -> Due | None:
    """The slow step that a game waits for, such as a computer's decision; None: there is none."""
    step = due(kept.game, means.unsaid)
    return step if step is not None and step.is_slow else None


def _by(change: Mapping[str, object]) -> Raw:
    """By what a change was decided."""
    what = change.get("do")
    if what == "roll":
        return {"kind": "dice"}
    if what == "decide":
        return {"kind": "computer", **{key: change[key] for key in _WISHES if key in change}}
    return {"kind": "hand"}


_WISHES = ("policy", "objective", "seed")


def _log_digest(game: Game) -> str:
    """A digest of what a game told last."""
    if isinstance(game, Fight):
        return digest_of(game.session)
    log = game.saved["log"]
    assert isinstance(log, list)  # as saved games have it
    return str(log[-1])


def _title(game: Game) -> str:
    loaded = game.loaded
    return loaded.title or loaded.origin


def _moved_on(game: Game) -> MovedOnError:
    return MovedOnError(
        f"the game has come to revision {game.revision}", revision=game.revision,
        question=game.question,
    )  # fmt: skip


def sides_of(game: Game) -> tuple[str, ...]:
    """The sides of a game, as roles call them."""
    return SIDES if isinstance(game, Fight) else tuple(game.loaded.game.system.actors)
