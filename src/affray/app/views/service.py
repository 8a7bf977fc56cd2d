"""Results of the service itself: tables of people, links, documents, jobs, its state."""

from __future__ import annotations

from affray.app.views.envelope import View
from affray.core.lazy import NamedTuple, dataclass

__all__ = [
    "AskRow", "DocumentRow", "DocumentView", "DocumentsView", "GameRow", "GamesView",
    "HealthView", "JobRow", "JobView", "JobsView", "LinkRow", "LinkView", "MemberRow",
    "MetricsView", "ProgressRow", "RoleRow", "TableSettingsRow", "TableView",
]  # fmt: skip


class RoleRow(NamedTuple):
    """A role: "master", "player" or "spectator", and what a player plays.

    Attributes:
        kind: which one. sides: "one", "other" or both. fighters: by their names.
    """

    kind: str
    sides: tuple[str, ...]
    fighters: tuple[str, ...]


class LinkRow(NamedTuple):
    """A link by which people join; its key is shown once, when it is made.

    Attributes:
        id: to revoke it. role: what it gives. name: what the master calls it.
        key: the secret part; empty ever after.
        expires: when it ends; empty: never. revoked: whether it was taken back.
        joined: of somebody who joined, the id of the link that was used.
    """

    id: str
    role: RoleRow
    name: str
    key: str
    expires: str
    revoked: bool
    joined: str


@dataclass(frozen=True)
class LinkView(View):
    """A link that was just made."""

    schema = "affray/link"
    link: LinkRow


class MemberRow(NamedTuple):
    """Somebody at a table: the name that was typed, the role, and whether a page is open."""

    name: str
    role: RoleRow
    there: bool


class AskRow(NamedTuple):
    """A player asks the game master to "undo", "redo" or "correct" something."""

    name: str
    what: str


class TableSettingsRow(NamedTuple):
    """What the master has decided for a table.

    Attributes:
        rolls: who rolls: "players" (by hand or the server for them), or "server".
        undo: who takes back: "own" (the own last answer), "ask" (the master is asked), "anybody".
    """

    rolls: str
    undo: str


class GameRow(NamedTuple):
    """A game that is kept: "fight" or "exchange", its system, title, revision, and when it began.

    Attributes:
        changed: when it was changed last. over: whether it has ended.
    """

    id: str
    kind: str
    system: str
    title: str
    revision: int
    begun: str
    changed: str
    over: bool


@dataclass(frozen=True)
class GamesView(View):
    """Games that are kept, the one changed last first; `next` is the cursor of the next page."""

    schema = "affray/games"
    games: tuple[GameRow, ...]
    next: str


@dataclass(frozen=True)
class TableView(View):
    """A table with people around it: its game, its settings, who is there.

    Attributes:
        game: the game on it; None: none yet.
        role: the role of the one who looks. name: and the name.
        key: of the one who has just made it or joined; empty ever after.
        links, asks: for the master; empty for others.
    """

    schema = "affray/table"
    id: str
    title: str
    settings: TableSettingsRow
    game: GameRow | None
    role: RoleRow
    name: str
    key: str
    members: tuple[MemberRow, ...]
    links: tuple[LinkRow, ...]
    asks: tuple[AskRow, ...]


class DocumentRow(NamedTuple):
    """Something of one's own that is kept: a setup, a sheet or a roster, under a name."""

    id: str
    kind: str
    system: str
    name: str
    kept: str


@dataclass(frozen=True)
class DocumentsView(View):
    """Documents that are kept; `next` is the cursor of the next page, empty at the end."""

    schema = "affray/documents"
    documents: tuple[DocumentRow, ...]
    next: str


@dataclass(frozen=True)
class DocumentView(View):
    """A document with its table."""

    schema = "affray/document"
    id: str
    kind: str
    system: str
    name: str
    kept: str
    table: dict[str, object]


class ProgressRow(NamedTuple):
    """The progress of a job.

    Attributes:
        work: what is counted. done: how many are done. of: how many there will be, if known.
        seconds_left: at most.
        interval: half its width so far in percentage points, if the job samples.
        note: what comes next.
    """

    work: str
    done: int
    of: int | None
    seconds_left: float
    interval: float | None
    note: str


class JobRow(NamedTuple):
    """A job: long work that a worker does.

    Attributes:
        id: its id. kind: its question: "duel", "battle", "matrix", ...
        system: id of the system.
        state: "queued", "running", "done", "failed", "cancelled" or "interrupted" (by the end of
            the server; it can be started again).
        made, begun, ended: when; empty: not yet.
        progress: None before there is any.
    """

    id: str
    kind: str
    system: str
    state: str
    made: str
    begun: str
    ended: str
    progress: ProgressRow | None


@dataclass(frozen=True)
class JobView(View):
    """A job with its question and what came of it.

    Attributes:
        job: how it stands. asked: its question.
        result: the answer, a view in its envelope. problem: what went wrong.
        so_far: of one without an answer the part that was found, a view as well; None: nothing yet.
    """

    schema = "affray/job"
    job: JobRow
    asked: dict[str, object]
    result: dict[str, object] | None
    problem: dict[str, object] | None
    so_far: dict[str, object] | None = None


@dataclass(frozen=True)
class JobsView(View):
    """Jobs, the one that changed last first; `next` is the next page's cursor, empty at the end."""

    schema = "affray/jobs"
    jobs: tuple[JobRow, ...]
    next: str


@dataclass(frozen=True)
class HealthView(View):
    """Whether the server lives (`/health`) and can work (`/ready`): store and workers by name."""

    schema = "affray/health"
    state: str
    store: str
    workers: str


@dataclass(frozen=True)
class MetricsView(View):
    """The server in numbers.

    Attributes:
        seconds: since it started.
        requests: how many were answered, by status.
        p95_ms: the milliseconds within which 95 of 100 were answered, by route.
        games: loaded now. watching: open sockets and event streams.
        workers: their slots, what waits, and how long questions took.
    """

    schema = "affray/metrics"
    seconds: float
    requests: dict[str, int]
    p95_ms: dict[str, float]
    games: int
    watching: int
    workers: dict[str, object]
