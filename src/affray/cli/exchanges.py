"""The commands about one exchange: play, picture, odds, best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from affray.cli import options
from affray.cli.command import command, option, refuse
from affray.cli.options import Limits
from affray.cli.printing import print_view

if TYPE_CHECKING:
    from affray.app.sources import Answers, Changes
    from affray.app.views.exchanges import PlayView
    from affray.cli.game_file import DrawingFile, GameFile, NextFile

__all__ = ["best", "odds", "picture", "play"]

EVERYBODY = "everybody"
"""The value of `--auto` where no side is named."""
LOOKING_S = 5.0
"""Seconds of an estimate, where nobody says how long it may take."""


@command("affray play eclipse-phase jinx-shoots --dice 96,7,7,5,5,1,3,9 --choose flip")
@options.system
@options.setup
@option("--own-dice", is_flag=True, help="Type every face yourself.")
@options.answers(script=True)
@options.seed("Roll with this seed; the same seed repeats the same rolls.")
@option(
    "--auto",
    is_flag=False,
    flag_value=EVERYBODY,
    default="",
    metavar="[SIDE]",
    help="Let the computer decide as well (see --objective): for everybody, or for one side.",
)
@option(
    "--by",
    metavar="SIDE=WHO",
    multiple=True,
    help="Who answers for a side: typed (you type its dice), rolled (the computer rolls them, "
    "you decide) or computer.",
)
@option("--advise", is_flag=True, help="Tell at each choice what every option is worth.")
@options.objective
@options.changes
@option("--explain", metavar="FIELD", multiple=True, help="Explain where a result came from.")
@option("--long", is_flag=True, help="Show each step, with its sums and clauses.")
@option("--save", type=options.OutFile("GameFile"), metavar="FILE",
        help="Save the game, to go on later.")  # fmt: skip
@option("--next", "next_", type=options.OutFile("NextFile"), metavar="FILE",
        help="Write the setup after the exchange.")  # fmt: skip
@options.limits
@options.as_json
def play(
    system: str,
    setup: str,
    *,
    own_dice: bool,
    answers: Answers,
    seed: int | None,
    auto: str,
    by: Sequence[str],
    advise: bool,
    objective: str,
    changes: Changes,
    explain: Sequence[str],
    long: bool,
    save: GameFile | None,
    next_: NextFile | None,
    limits: Limits,
    as_json: bool,
) -> None:
    """Play an exchange step by step, or go on with a saved game.

    Faces come from --dice as long as they last, then from you (--own-dice) or from the
    operating system's entropy. Options come from --choose, then from you. Enter takes the usual;
    at any question type ? for what each option is worth, or help. Without a terminal the game
    stops at the first question that nobody answers. --next writes everything that lasts: play
    goes on from that file.
    """
    from affray.app.exchange_computers import check_objective
    from affray.app.play import PlayedGame, SurplusError, check_expected, play_script
    from affray.cli.arguments import names
    from affray.cli.game_file import write_next
    from affray.cli.playing import play_here, role_at
    from affray.cli.seats import ADVICE_S, Seat, Seats, seats_given
    from affray.cli.sources import setup_named
    from affray.cli.stopping import usual_budget

    try:
        game = play_script(PlayedGame.begin(system, setup_named(system, setup), changes), answers)
    except SurplusError as surplus:
        view = surplus.game.view(
            role_at(surplus.game, as_json=as_json), seed=seed, why=names(explain)
        )
        _print_play(view, long=long, as_json=as_json)
        raise
    check_objective(game, objective)
    sides = (*by, *([f"{auto}=computer"] if auto not in {"", EVERYBODY} else []))
    seats = Seats(
        seats_given(sides, game.loaded.game.system.actors),
        Seat(types=own_dice, decides=auto != EVERYBODY),
        seed=seed, objective=objective, seconds=limits.seconds or ADVICE_S,
        counts=seed is not None and limits == (None, None),
        hurries=seed is None and limits == (None, None), advises=advise,
        scripted=bool(answers.dice) or answers.own, quiet=as_json, long=long,
    )  # fmt: skip
    game, limit = play_here(game, seats, save=save, budget=usual_budget(*limits))
    why = () if limit is not None else names(explain)
    view = game.view(role_at(game, as_json=as_json), seed=seed, why=why)
    _print_play(view, long=long, as_json=as_json)
    if limit is not None:
        raise limit
    if next_ is not None:
        write_next(game, next_)
    if answers.own:
        check_expected(game)


def _print_play(view: PlayView, *, long: bool, as_json: bool) -> None:
    """Print a game, in a line or two or each step of it."""
    from affray.cli.show_exchanges import show_play
    from affray.cli.texts import plainly

    if long and not as_json:
        show_play(plainly(view), long=True)
    else:
        print_view(view, as_json=as_json)


@command("affray picture grid-battles ford --script")
@options.system
@options.setup
@option("--svg", type=options.OutFile("DrawingFile"), metavar="FILE",
        help="Write the drawing as an SVG.")  # fmt: skip
@options.answers(script=True)
@options.changes
@options.as_json
def picture(
    system: str,
    setup: str,
    *,
    svg: DrawingFile | None,
    answers: Answers,
    changes: Changes,
    as_json: bool,
) -> None:
    """Show the table: units and where they stand, or the map.

    With --dice, --choose and --script you see it as it stands after them.
    """
    from affray.app.picture import draw
    from affray.app.play import PlayedGame, play_script
    from affray.cli.sources import setup_named

    view = draw(play_script(PlayedGame.begin(system, setup_named(system, setup), changes), answers))
    if svg is not None:
        if not view.drawing:
            refuse("--svg", f"{system} makes no drawing; leave it out for the letters")
        svg.draw(view.drawing)
    print_view(view, as_json=as_json)


@command("affray odds eclipse-phase jinx-shoots --of net --given hit=true")
@options.system
@options.setup
@option("--of", metavar="FIELD", multiple=True, help="Outcome field; several give joint odds.")
@option(
    "--given",
    metavar="FIELD=VALUE",
    multiple=True,
    help="Only count outcomes where this holds; also >=, <=, !=.",
)
@options.objective
@options.changes
@options.answers()
@option("--exact/--float", help="Show fractions beside percentages.")
@options.seed("Seed of a sample.")
@options.limits
@options.as_json
def odds(
    system: str,
    setup: str,
    *,
    of: Sequence[str],
    given: Sequence[str],
    objective: str,
    changes: Changes,
    answers: Answers,
    exact: bool,
    seed: int | None,
    limits: Limits,
    as_json: bool,
) -> None:
    """Work out the exact odds of one attack.

    Each outcome has its chance: exactly, at least, at most; then mean, sd, median. With --dice
    and --choose you get the odds from there on. An exchange too large for --seconds gets bounds, or
    a sampled estimate with intervals.
    """
    from affray.app.odds_within import odds_within
    from affray.cli.arguments import names
    from affray.cli.sources import setup_named
    from affray.cli.stopping import watching

    with watching("pricing") as watch:
        view = odds_within(
            system, setup_named(system, setup), names(of), given=names(given),
            objective=objective, changes=changes, answers=answers, seed=seed or 0,
            looking_s=None if limits.seconds else LOOKING_S, budget=watch.budget(*limits),
        )  # fmt: skip
    from affray.app.views.exchanges import OddsView

    if as_json or not isinstance(view, OddsView):
        print_view(view, as_json=as_json)
    else:
        from affray.cli.show_exchanges import show_odds
        from affray.cli.texts import plainly

        show_odds(plainly(view), exact=exact)


@command("affray best eclipse-phase jinx-shoots --objective hit")
@options.system
@options.setup
@option("--objective", metavar="NAME", default="", help="What you want; win: to win a fight.")
@option(
    "--threshold",
    type=float,
    metavar="X",
    default=0.0,
    help="Spend a point only for a gain above this.",
)
@options.changes
@options.answers()
@options.seed("Seed of an estimate.")
@options.limits
@options.as_json
def best(
    system: str,
    setup: str,
    *,
    objective: str,
    threshold: float,
    changes: Changes,
    answers: Answers,
    seed: int | None,
    limits: Limits,
    as_json: bool,
) -> None:
    """Find the best option at each choice.

    You also see what every other option costs. With --dice and --choose the exchange is solved
    from there on, and the choices made are judged. An exchange too large to solve within --seconds
    gets certain bounds, and an estimate found by looking ahead. With --objective win it takes a
    fight as well: the chance to win after each option of the first decision.
    """
    from fractions import Fraction

    from affray.app.best import best_within
    from affray.cli.sources import setup_named
    from affray.cli.stopping import watching

    if not 0 <= threshold < float("inf"):
        refuse("--threshold", f"{threshold}; must be a number of at least 0")
    with watching("solving") as watch:
        view = best_within(
            system, setup_named(system, setup), objective=objective,
            threshold=Fraction(str(threshold)), changes=changes, answers=answers,
            seed=seed or 0, looking_s=None if limits.seconds else LOOKING_S,
            budget=watch.budget(*limits),
        )  # fmt: skip
    print_view(view, as_json=as_json)
