"""Exchanges and fights that people play in a browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from fastapi import APIRouter, Request, Response

from affray.api.access import Access, check_owner
from affray.api.changing import change_game, open_game
from affray.api.problems import Problem, status_of
from affray.api.state import service_of
from affray.app.goes_on import Game
from affray.app.inputs.intake import Raw
from affray.app.kept_games import Kept
from affray.core.errors import AffrayError, AnswerError, MovedOnError
from affray.core.telling import escaped
from affray.web.begun import gone_to
from affray.web.fight_hand import fight_change
from affray.web.forms import Form, Said
from affray.web.games import asked_at
from affray.web.live_games import context_of, looked_at
from affray.web.logs import log_of
from affray.web.over import follows
from affray.web.people import people_in
from affray.web.rendering import shown, wanted_parts, went_to
from affray.web.turn_panel import PICK

__all__ = ["game_page", "router"]

router = APIRouter()

NOTHING = Said(())
NO_MORE: Mapping[str, object] = {}


@router.post("/play")
def play(request: Request, said: Form) -> Response:
    """Begin an exchange or a fight that ships, and go to its page."""
    kind = "fight" if "fight" in said else "exchange"
    check_owner(request)
    source = said.text("fight") or said.text("setup")
    return _gone_to(request, service_of(request).games.begin(kind, said.text("system"), source))


def _gone_to(request: Request, made: Kept, option: str = "") -> Response:
    """The way to a game that has just been made; its first answer may be an option."""
    if option:
        service_of(request).games.change(made.id, {"do": "answer", "option": option})
    return gone_to(request, made)


def _check_master(access: Access) -> None:
    if access.role.kind != "master":
        raise Problem("forbidden", "only the game master may do this")


def _routes(kind: str) -> None:
    """Make the routes that both kinds of games have."""
    one = f"/{kind}s/{{game}}"

    @router.get(one)
    def show(request: Request, game: str, said: Form) -> Response:
        """The page of a game; in the panel of a turn something may be chosen already."""
        kept, access = open_game(request, kind, game)
        return game_page(request, kept, access, said=said)

    @router.post(f"{one}/fork")
    def fork(request: Request, game: str, said: Form) -> Response:
        """Begin a new one with the first moves of this one, and choose otherwise."""
        kept, access = open_game(request, kind, game)
        _check_master(access)
        made = service_of(request).games.fork(game, said.number("moves", len(kept.game.moves)))
        return _gone_to(request, made, said.text("option"))

    @router.post(f"{one}/next")
    def go_on(request: Request, game: str) -> Response:
        """Begin the one that follows this one, which is over."""
        kept, access = open_game(request, kind, game)
        _check_master(access)
        look = looked_at(request, kept, access.role)
        means = service_of(request).tables.settings(kept.table).means
        made = service_of(request).games.begin(
            kind, look.view.system, follows(look), table=kept.table, means=means
        )
        return _gone_to(request, made)

    @router.post(f"{one}/changes")
    def change(request: Request, game: str, said: Form) -> Response:
        """Answer, lay dice, roll, say a turn, take back: what the API's changes do."""
        kept, access = open_game(request, kind, game)
        try:
            told = _change(request, kept, access, said)
        except MovedOnError:
            if said.text("do") == "lay" and wanted_parts(request):
                return game_page(request, kept, access)  # the roll was given while they were laid
            return game_page(request, kept, access, 409, refused=_moved_on(request, kept, said))
        except AffrayError as error:
            status = status_of(error)
            if status >= 500:
                raise
            return game_page(request, kept, access, status, refused=str(error), said=said)
        if wanted_parts(request) or told:
            return game_page(request, kept, access, told=told)
        return went_to(request, f"/{kind}s/{game}")


_routes("exchange")
_routes("fight")


def game_page(
    request: Request,
    kept: Kept,
    access: Access,
    status: int = 200,
    *,
    refused: str = "",
    told: Sequence[str] = (),
    said: Said = NOTHING,
    more: Mapping[str, object] = NO_MORE,
) -> Response:
    """The page of a game; what a form said that was refused is still there.

    `more` is what other parts name.
    """
    look = looked_at(request, kept, access.role)
    picks = said.below(PICK) if said.text("asked") == str(asked_at(look.game)) else {}
    context = context_of(look, _typed(said), picks)
    context |= {"refused": refused, "told": told, "log": log_of(look), **more}
    people = people_in(request, kept.table)
    watch = f"game:{kept.id}" + ("" if people is None else f" table:{people.id}")
    return shown(
        request, f"{kept.kind}.html", status, people=people, watch=watch,
        revision=look.seen.revision, origin=str(request.base_url).rstrip("/"), **context,
    )  # fmt: skip


def _change(request: Request, kept: Kept, access: Access, said: Said) -> tuple[str, ...]:
    """Do what a form says; what the one who sent it should know."""
    told: tuple[str, ...] = ()
    for one in _changes(said, kept.game):
        after = change_game(request, kept, access, one, check=partial(_check_asked, said))
        if after is None:
            return ("The game master has been asked.",)
        told += after.told
    return told


def _check_asked(said: Said, game: Game) -> None:
    """Check that a form is for the question that is open now.

    Raises:
        MovedOnError: it is for an earlier one.
    """
    if "asked" in said and said.text("asked") != str(asked_at(game)):
        raise MovedOnError("the game has moved on", revision=game.revision, question=None)


def _changes(said: Said, game: Game) -> list[Raw]:
    """The changes that a form stands for.

    Raises:
        AnswerError: a die is left out before one that was typed.
    """
    panel = fight_change(said, game.system)
    if panel is not None:
        return [panel]
    do, faces = said.text("do"), _faces(said)
    at: Raw = {"at": said.number("at")} if said.text("at") else {}
    if do == "answer" and "option" in said:
        return [{"do": do, "option": _option(game, said.text("option")), **at}]
    if do in {"answer", "roll"} and faces:
        if game.rolling is not None and len(faces) == game.rolling.pool.size:
            return [{"do": "answer", "faces": faces, **at}]
        return [{"do": "lay", "faces": faces, **at}, {"do": "roll"}]
    if do == "lay":
        return [{"do": do, "faces": faces, **at}]
    if do == "line":
        picks = said.below(PICK)
        what: Raw = {"picks": dict(picks)} if picks else {"text": said.text("text")}
        return [{"do": do, **what, **at}]
    if do in {"undo", "redo"}:
        return [{"do": do, "n": said.number("n", 1), **at}]
    if do == "correct":
        return [{"do": do, "die": said.number("die", 1), "face": said.text("face"), **at}]
    return [{"do": do, **at}]


def _option(game: Game, text: str) -> str:
    """The option that a button stands for; on the page its name has no marks that turn text."""
    question = game.session.question
    options = () if question is None else question.options
    return next((row.name for row in options if escaped(row.name) == text), text)


def _faces(said: Said) -> list[str]:
    """The faces that were typed, in order, without those at the end that were left empty."""
    faces = _typed(said)
    while faces and not faces[-1]:
        faces.pop()
    if "" in faces:
        empty = faces.index("") + 1
        raise AnswerError(f"die {empty} is empty, and one after it is not; type dice in order")
    return faces


def _typed(said: Said) -> list[str]:
    return [value.strip() for name, value in said.pairs if name == "face"]


def _moved_on(request: Request, kept: Kept, said: Said) -> str:
    """That somebody else was first, and what was not used."""
    entries = service_of(request).store.games.entries(kept.id, after=max(0, kept.stored - 10))
    by_hand = [entry for entry in entries if entry.by.get("kind") != "itself"]
    who = by_hand[-1].who if by_hand else ""
    unused = " ".join(filter(None, (*_typed(said), said.text("option"), said.text("text"))))
    kept_words = f" Not used: {unused}." if unused else ""
    return f"The game has moved on: {who or 'another window'} was first.{kept_words}"
