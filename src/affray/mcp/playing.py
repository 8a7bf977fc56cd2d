"""Tools for games: begun, looked at, changed, advised, priced, written out and saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import ClassVar, Literal

from affray.app.changes import begin_game, changed
from affray.app.fight import Fight
from affray.app.goes_on import Game
from affray.app.revisions import EVERYTHING
from affray.app.sources import Changes
from affray.app.views.advice import AdviceView
from affray.app.views.envelope import View
from affray.app.views.exports import ExportView
from affray.app.views.fight_reports import ChancesView
from affray.core.errors import SetupError
from affray.core.sheet import sheet
from affray.engine.budget import spending
from affray.mcp.calls import Fought, Seconds, Work, unfit
from affray.mcp.going_on import go_on
from affray.mcp.views import HeldGameView, SavedGameView

__all__ = [
    "AdviseGame", "AskChances", "BeginGame", "ChangeGame", "ExportGame", "LookAtGame", "SaveGame",
]  # fmt: skip


def _view(name: str, game: Game, since: int | None, told: Sequence[str] = ()) -> HeldGameView:
    """A game as its master sees it, and what happened after a revision."""
    if isinstance(game, Fight):
        fight, exchange = game.view(since=since), None
    else:
        fight, exchange = None, game.view(since=since)
    return HeldGameView(name, game.revision, tuple(told), fight, exchange)


@sheet
class BeginGame:
    """Begin a fight or a single exchange that is played step by step; gives the id of the game.

    The server plays by the rules and stops at each question: a roll, a decision, or how the
    situation is. Answer with change_game.

    Attributes:
        kind: "exchange": one attack with all that follows; "fight": a whole fight.
        system: id of a system.
        setup: the name of a shipped example or fight, a table, a table that save_game gave, or of
            a fight the roster names of both sides, such as ["ada,bo", "3xhusk"].
        seats: who answers. In a fight by "one" and "other" or by names of fighters, in an exchange
            by its roles. "typed": you say all faces and decisions; "rolled": the server rolls, you
            decide; "computer": the server does both. Typed if it is left out.
        settle: choices decided beforehand, by step: options, most wanted first.
        rulings: readings of what the book leaves open, by name.
        seconds: how long computers at seats may take before you are asked.
    """

    views: ClassVar[tuple[type[View], ...]] = (HeldGameView,)
    changes_games: ClassVar[bool] = True

    kind: Literal["exchange", "fight"]
    system: str
    setup: Fought
    seats: dict[str, str] = field(default_factory=dict)
    settle: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rulings: dict[str, str] = field(default_factory=dict)
    seconds: Seconds = 10.0

    def view(self, work: Work, /) -> View:
        """Begin it, and let it go on to the first question."""
        from affray.app.inputs.fight_changes import FightChanges

        changes = (
            FightChanges(settle=self.settle, rulings=self.rulings)
            if self.kind == "fight"
            else Changes(self.settle, self.rulings)
        )
        game = begin_game(self.kind, self.system, self.setup, changes)
        if self.seats:
            game = game.seated(self.seats)
        name, gone = work.games.hold(game)
        with work.games.at_work(name) as held, spending(work.budget):
            told = go_on(held)
            game = held.game
        if gone:
            told = (*told, f"{gone} was forgotten: only {work.games.most} games are held.")
        return _view(name, game, EVERYTHING, told)


@sheet
class LookAtGame:
    """Look at a game: what happened, how everybody stands, and what is asked of whom.

    Attributes:
        game: the id that begin_game gave.
        since: a revision that you know: only what happened after it is told; all if it is left out.
    """

    views: ClassVar[tuple[type[View], ...]] = (HeldGameView,)

    game: str
    since: int | None = None

    def view(self, work: Work, /) -> View:
        """As it stands."""
        since = EVERYTHING if self.since is None else self.since
        return _view(self.game, work.games.look(self.game), since)


@sheet
class ChangeGame:
    """Change a game: answer its question, say a turn, roll, take back. It then goes on by itself.

    A change is a table with a key "do":
    {"do": "answer", "option": "pass"} or {"do": "answer", "faces": [96]}: answers the question;
    {"do": "line", "text": "attack husk 2 burst"}: a turn in one line, the rest as usual;
    {"do": "roll"}: the server rolls the dice that are asked for;
    {"do": "decide"}: the server decides; keys policy (of a fight), objective (of an exchange);
    {"do": "lay", "faces": [7]}: lays the first dice of a roll;
    {"do": "correct", "die": 1, "face": 40}: another face for a die of the last roll;
    {"do": "undo", "n": 1}, {"do": "redo", "n": 1}: takes answers back, or gives them again;
    {"do": "seats", "seats": {"one": "rolled", "other": "computer"}}: who answers;
    {"do": "habit", "who": "Bo", "step": ..., "option": ...}: an option always taken (fights);
    {"do": "hand", "what": "leave", "fighter": "Bo"}: a game master's hand (fights).
    Any change may say "at": the revision that it is meant for; if the game has moved on, it is
    refused. Of a change that is refused nothing happens.

    Attributes:
        game: the id that begin_game gave.
        change: the change, as above; left out, the game only goes on, if time was over before.
        seconds: how long the server may take until somebody is asked again.
    """

    views: ClassVar[tuple[type[View], ...]] = (HeldGameView,)
    changes_games: ClassVar[bool] = True

    game: str
    change: dict[str, object] | None = None
    seconds: Seconds = 10.0

    def view(self, work: Work, /) -> View:
        """Change it, and let it go on to the next question."""
        with work.games.at_work(self.game) as held, spending(work.budget):
            before, told = held.game.revision, tuple[str, ...]()
            if self.change is not None:
                after = changed(held.game, self.change)
                held.game, told = after.game, after.told
            more = go_on(held)
            return _view(self.game, held.game, before, (*told, *more))


@sheet
class AdviseGame:
    """Say what each option of the decision that a game waits for is worth.

    Attributes:
        game: the id that begin_game gave.
        objective: what is wanted; win: to win the fight. Usually the exchange's or the fight's own.
        seconds: how long it may take.
    """

    views: ClassVar[tuple[type[View], ...]] = (AdviceView,)

    game: str
    objective: str = ""
    seconds: Seconds = 3.0

    def view(self, work: Work, /) -> View:
        """As `?` at a decision."""
        from affray.app.advice import advise
        from affray.app.fight_advice import advise_fight

        with work.games.at_work(self.game) as held:
            if isinstance(held.game, Fight):
                return advise_fight(held.game, self.objective, work.budget)
            return advise(held.game, self.objective, work.budget)


@sheet
class AskChances:
    """Say how likely each side is to win a fight from where it stands.

    Attributes:
        game: the id that begin_game gave, of a fight.
        seconds: how long it may take.
    """

    views: ClassVar[tuple[type[View], ...]] = (ChancesView,)

    game: str
    seconds: Seconds = 3.0

    def view(self, work: Work, /) -> View:
        """As `chances` at the table of a fight."""
        from affray.app.fight_chances import ask_chances

        with work.games.at_work(self.game) as held:
            if not isinstance(held.game, Fight):
                raise SetupError(
                    f"{self.game}: an exchange; chances are of fights, ask_odds prices exchanges"
                )
            return ask_chances(held.game, work.budget)


@sheet
class ExportGame:
    """Write out a game, or a part of it, for people: as text, Markdown, or for a virtual tabletop.

    Attributes:
        game: the id that begin_game gave.
        form: "text", "markdown" (2,000 characters at most), "roll20" or "foundry".
        part: "log": all of it; "exchange": one exchange; "roll": the last roll.
        number: of the exchange; the last one if it is left out.
    """

    views: ClassVar[tuple[type[View], ...]] = (ExportView,)

    game: str
    form: Literal["text", "markdown", "roll20", "foundry"] = "text"
    part: Literal["log", "exchange", "roll"] = "log"
    number: int | None = None

    def view(self, work: Work, /) -> View:
        """As `affray export`."""
        from affray.app.exports import export

        if self.number is not None and self.part != "exchange":
            raise unfit("export_game", "number", self.number, "it is for part exchange")
        view = work.games.look(self.game).view(since=EVERYTHING)
        return export(view, self.form, self.part, self.number)


@sheet
class SaveGame:
    """Give a game as a table to be kept; begin_game goes on with it, also after a restart.

    Attributes:
        game: the id that begin_game gave.
    """

    views: ClassVar[tuple[type[View], ...]] = (SavedGameView,)

    game: str

    def view(self, work: Work, /) -> View:
        """As `save` at the table of a fight."""
        game = work.games.look(self.game)
        kind = "fight" if isinstance(game, Fight) else "exchange"
        return SavedGameView(self.game, kind, game.system, game.saved)
