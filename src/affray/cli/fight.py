"""The command that plays a whole fight at the table."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

import click

from affray.cli import options
from affray.cli.command import argument, command, gathered, option, refuse
from affray.cli.options import Limits

if TYPE_CHECKING:
    from affray.app.fight import Fight
    from affray.app.inputs.fight_changes import FightChanges
    from affray.app.inputs.fight_setups import FightScript
    from affray.app.sources import Answers
    from affray.cli.game_file import FightFile, NextFile
    from affray.engine.budget import Budget

__all__ = ["fight"]

_OWN = "."
"""The value of --script without a file: the fight's own."""


def _changes(
    first: str,
    rounds: int | None,
    objective: str,
    ruling: Sequence[str],
    roster: Sequence[str],
    situation: Sequence[str],
) -> FightChanges:
    from affray.app.inputs.fight_changes import FightChanges
    from affray.app.inputs.intake import value_of
    from affray.cli.arguments import pairs
    from affray.cli.sources import own_rosters
    from affray.core.telling import shown

    return FightChanges(
        first=first, rounds=rounds, objective=objective, rulings=pairs("--ruling", ruling),
        situation={
            key: value_of(text, f"--set {shown(key)}")
            for key, text in pairs("--set", situation).items()
        },
        roster=own_rosters(roster),
    )  # fmt: skip


_CHANGES = gathered(
    "changes", _changes,
    option("--first", metavar="WHO", default="",
           help="Who goes first: initiative, one, other, coin, alternate or seats."),
    option("--rounds", type=click.IntRange(1), metavar="N",
           help="Call the fight off after round N."),
    option("--objective", metavar="NAME", default="",
           help="The objective of the computer and of advice; win: the chance to win."),
    *options.settle_ruling_roster[1:],
    option("--set", "situation", metavar="KEY=VALUE", multiple=True,
           help="Change the situation of both sides, e.g. distance_m=20."),
)  # fmt: skip


@command("affray fight empty-earth bo-husk --by other=computer")
@options.system
@argument(
    "fight", "FIGHT|ONE",
    "A TOML or JSON file, a saved fight, the name of a shipped fight, or - for stdin; or the "
    "roster names of one side.",
)  # fmt: skip
@argument("foes", "[OTHER]", "The roster names of the other side.", default="")
@option(
    "--by",
    metavar="WHOM=WHO",
    multiple=True,
    help="Who answers for a side (one, other or its name) or a fighter: typed (you type the "
    "dice), rolled (the computer rolls, you decide) or computer[:POLICY]; without a policy it "
    "looks ahead for --seconds (2), or with --seed for a fixed number of looks.",
)
@options.seed("Roll with this seed; the same seed repeats the same rolls.")
@option(
    "--script",
    is_flag=False,
    flag_value=_OWN,
    metavar="[FILE]",
    help="First type these lines; without FILE those in the fight (key `play`).",
)
@options.answers()
@option("--advise", is_flag=True, help="Tell at each choice what every option is worth.")
@_CHANGES
@option("--long", is_flag=True, help="Tell each step of an exchange, with its sums and clauses.")
@option("--watch", is_flag=True, help="Replay a saved fight step by step.")
@option(
    "--from",
    "from_",
    type=click.IntRange(0),
    metavar="N",
    help="Go on in another way, from the first N moves of a saved fight on.",
)
@option(
    "--battle",
    type=click.IntRange(1),
    metavar="N",
    default=1,
    help="Which battle of a file with several (default: 1).",
)
@option("--save", type=options.OutFile("FightFile"), metavar="FILE",
        help="Save the fight after every answer.")  # fmt: skip
@option(
    "--next",
    "next_",
    type=options.OutFile("NextFile"),
    metavar="FILE",
    help="When it is over, write the next fight, with everything that lasts.",
)
@option(
    "--rest",
    metavar="[WHO=]REST",
    multiple=True,
    help="With --next: a rest before it, of everybody, a side or a fighter.",
)
@option(
    "--against",
    metavar="NAMES",
    default="",
    help="With --next: the other side there, by roster names.",
)
@options.limits
@options.as_json
def fight(
    system: str,
    fight: str,
    foes: str,
    *,
    by: Sequence[str],
    seed: int | None,
    script: str | None,
    answers: Answers,
    advise: bool,
    changes: FightChanges,
    long: bool,
    watch: bool,
    from_: int | None,
    battle: int,
    save: FightFile | None,
    next_: NextFile | None,
    rest: Sequence[str],
    against: str,
    limits: Limits,
    as_json: bool,
) -> None:
    """Play a whole fight at the table, or go on with a saved one.

    Name a file, a shipped fight, or the fighters of both sides: affray fight empty-earth ada,bo
    3xhusk. Unless --by says otherwise, you decide and the computer rolls. A turn is a line, such
    as: attack husk 2; Enter takes the usual. Type ? at any choice for what each option is worth,
    help for everything else that can be typed.
    """
    from affray.app.fight import Fight
    from affray.cli.fight_seats import seats_from
    from affray.cli.fight_settings import Settings
    from affray.cli.fighting import FightTable, fight_here
    from affray.cli.game_file import write_next_fight
    from affray.cli.paint import tell_on
    from affray.cli.person import Lines
    from affray.cli.printing import print_view
    from affray.cli.screen import open_screen
    from affray.cli.seats import ADVICE_S
    from affray.cli.show_fight import fitted_to
    from affray.cli.sources import fight_named
    from affray.cli.stopping import usual_budget
    from affray.cli.texts import silent
    from affray.engine.exchange.sources import Script

    if next_ is None and (rest or against):
        refuse("--rest" if rest else "--against", "only with --next, which writes the next fight")
    found = Fight.begin(system, fight_named(system, fight, foes), changes, battle=battle)
    typed = _script(found, script)
    found = seats_from(found, [f"{who}={seat}" for who, seat in typed.by.items()])
    found = seats_from(found, by)
    if from_ is not None:
        if from_ > len(found.moves):
            refuse("--from", f"{from_}; the fight has {len(found.moves)} moves")
        found = found if watch else found.at(from_)
    seed = typed.seed if seed is None else seed
    people = [seat for seat in found.seats.values() if not seat.startswith("computer")]
    asked = sys.stdin.isatty() or bool(people)
    settings = Settings(
        Script(answers.dice, answers.options), seed, changes.objective,
        limits.seconds or ADVICE_S, advises=advise, budget=usual_budget(*limits),
        search=_search(found, limits, seed), alone_s=_alone_s(found, limits, seed),
        quiet=as_json, long=long,
    )  # fmt: skip
    screen = open_screen()
    width, drawn = screen.width, silent if as_json else tell_on(screen)
    told = silent if as_json else fitted_to(drawn, width)
    lines = Lines(typed.lines, tell=told, draw=drawn, types=asked and not as_json)
    table = FightTable(lines, width, settings)
    table.begin(found)
    if watch:
        table.watch(found, from_ or 0)
        return
    found, limit = fight_here(found, table, save)
    if as_json:
        from affray.app.revisions import EVERYTHING

        print_view(found.view(since=EVERYTHING), as_json=True)
    else:
        table.end(found)
    if limit is not None:
        raise limit
    if next_ is not None:
        write_next_fight(found, next_, _rests(found, rest), against)


def _rests(found: Fight, texts: Sequence[str]) -> dict[str, str]:
    """Rests by side or fighter; under "" what everybody does."""
    from affray.cli.fight_seats import who_is

    here, rests = found.session.position, {}
    for text in texts:
        who, equals, rest = text.partition("=")
        rests[who_is(here, who.strip())[0] if equals else ""] = (rest if equals else who).strip()
    return rests


def _alone_s(found: Fight, limits: Limits, seed: int | None) -> float:
    """The seconds that computers take together where they play alone and nobody said."""
    from affray.app.inputs.fight_sheets import SIDES
    from affray.cli.seats import ALONE_S

    alone = all(found.seats.get(side, "").startswith("computer") for side in SIDES)
    return ALONE_S if alone and seed is None and limits == (None, None) else inf


def _search(found: Fight, limits: Limits, seed: int | None) -> Budget:
    """How much a search may take for a decision: two seconds, or what the user allows.

    With a seed looks are counted instead, so that the same seed plays the same fight.
    """
    from affray.app.fight_computers import SECONDS, counted
    from affray.engine.budget import Budget

    if seed is not None and limits.seconds is None and limits.places is None:
        return counted(found.loaded.contest)
    usual = SECONDS if limits.places is None else None
    return Budget(limits.places, seconds=limits.seconds or usual)


def _script(found: Fight, script: str | None) -> FightScript:
    """What is typed first, and who answers then: the fight's own script, a file, or nothing."""
    from affray.app.inputs.fight_setups import NO_SCRIPT, FightScript
    from affray.cli.sources import lines_from_file

    if script is None:
        return NO_SCRIPT
    if script != _OWN:
        return FightScript(lines=lines_from_file(Path(script)))
    own = found.loaded.script
    if own == NO_SCRIPT:
        refuse("--script", f"{found.loaded.origin} has none; write it under `play`, or name a file")
    return own
