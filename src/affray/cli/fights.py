"""The commands that fight to the end: duel and battle."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from affray.cli import options
from affray.cli.command import argument, command, gathered, option, refuse
from affray.cli.options import Limits
from affray.cli.printing import print_view, write_csv
from affray.core.lazy import NamedTuple

if TYPE_CHECKING:
    from affray.app.battle import Sampling
    from affray.app.inputs.fight_changes import FightChanges
    from affray.app.sources import FightSource
    from affray.app.views.envelope import View
    from affray.cli.game_file import BattlesFile, CsvFile, DrawingFile
    from affray.cli.stopping import Watch

__all__ = ["battle", "duel"]


# -- what holds instead of the fight's ---------------------------------------------------------

_FOR_BOTH = (
    option("--first", metavar="WHO", default="",
           help="Who goes first: initiative, one, other, coin, alternate or seats."),
    option("--rounds", type=click.IntRange(1), metavar="N",
           help="Call the fight off after round N."),
    option("--policy", metavar="NAME", default="",
           help="How both sides decide: first, opening, greedy or, in duels, optimal."),
    option("--policy-one", metavar="NAME", default="", help="How the first side decides."),
    option("--policy-other", metavar="NAME", default="", help="How the other side decides."),
)  # fmt: skip
_TARGETS = (
    option("--targets", metavar="RULE", default="",
           help="Whom both sides attack: weakest, strongest, nearest_out, spread, random or "
           "in_order."),
    option("--targets-one", metavar="RULE", default="", help="Whom the first side attacks."),
    option("--targets-other", metavar="RULE", default="", help="Whom the other side attacks."),
)  # fmt: skip
_THE_REST = (
    options.objective,
    option("--threshold", type=click.IntRange(0), metavar="N",
           help="Spend a point only for a gain above N."),
    *options.settle_ruling_roster,
    option("--set", "situation", metavar="KEY=VALUE", multiple=True,
           help="Change the situation of both sides, e.g. distance_m=20."),
)  # fmt: skip


def _duel_changes(
    *,
    first: str,
    rounds: int | None,
    policy: str,
    policy_one: str,
    policy_other: str,
    objective: str,
    threshold: int | None,
    settle: Sequence[str],
    ruling: Sequence[str],
    roster: Sequence[str],
    situation: Sequence[str],
) -> FightChanges:
    from affray.app.inputs.fight_changes import FightChanges
    from affray.app.inputs.intake import value_of
    from affray.cli.arguments import pairs, settled
    from affray.cli.sources import own_rosters
    from affray.core.telling import shown

    return FightChanges(
        first=first,
        rounds=rounds,
        policies=(policy_one or policy, policy_other or policy),
        settle=settled(settle),
        rulings=pairs("--ruling", ruling),
        situation={
            key: value_of(text, f"--set {shown(key)}")
            for key, text in pairs("--set", situation).items()
        },
        objective=objective,
        threshold=threshold,
        roster=own_rosters(roster),
    )


class _Targets(NamedTuple):
    targets: str
    targets_one: str
    targets_other: str


def _with_targets(changes: FightChanges, given: _Targets) -> FightChanges:
    both, one, other = given
    return changes._replace(targets=(one or both, other or both))


# -- how often, and where it goes ----------------------------------------------------------------


def _sampling(
    n: int | None, target_error: float | None, seed: int | None, workers: int
) -> Sampling:
    from affray.app.battle import Sampling
    from affray.cli.arguments import cores

    if target_error is not None and not 0 < target_error < 50:
        refuse("--target-error", f"{target_error}; allowed: more than 0, less than 50")
    return Sampling(n, target_error, seed, workers or cores())


_SAMPLING = gathered(
    "sampling", _sampling,
    option("-n", type=click.IntRange(1), metavar="N",
           help="Number of battles (default: 10000; with --all-pairs 1000)."),
    option("--target-error", type=float, metavar="PERCENT",
           help="Fight until every chance is known to within so many percentage points."),
    options.seed("Seed; the same seed repeats the same battles."),
    option("--workers", type=click.IntRange(0), metavar="N", default=0,
           help="Processes; 0: one for each core."),
)  # fmt: skip


class _Output(NamedTuple):
    """The files and forms that results go to."""

    svg: DrawingFile | None
    save: BattlesFile | None
    samples: int
    csv: CsvFile | str | None
    as_json: bool


_CSV = option("--csv", type=options.OutFile("CsvFile", takes_dash=True), metavar="FILE",
              help="Write every number as CSV; - for stdout.")  # fmt: skip
_OUTPUT = gathered(
    "output", _Output,
    option("--svg", type=options.OutFile("DrawingFile"), metavar="FILE",
           help="Draw --all-pairs as an SVG."),
    option("--save", type=options.OutFile("BattlesFile"), metavar="FILE",
           help="Play --samples battles step by step and write their logs, which can be "
           "replayed."),
    option("--samples", type=click.IntRange(1, 1000), metavar="N", default=1,
           help="Number of battles for --save."),
    _CSV,
    options.as_json,
)  # fmt: skip


# -- commands ------------------------------------------------------------------------------------


@command("affray duel eclipse-phase w6")
@options.system
@argument(
    "fight",
    "SETUP|ONE",
    "A TOML or JSON file, the name of a shipped fight, or - for stdin; or the roster name "
    "of one fighter.",
)
@argument("foes", "[OTHER]", "The roster name of the other fighter.", default="")
@gathered("changes", _duel_changes, *_FOR_BOTH, *_THE_REST)
@option("--exact", is_flag=True, help="Work out whole fractions as well; small duels only.")
@options.seed("Seed of a sample.")
@options.limits
@_CSV
@options.as_json
def duel(
    system: str,
    fight: str,
    foes: str,
    *,
    changes: FightChanges,
    exact: bool,
    seed: int | None,
    limits: Limits,
    csv: CsvFile | str | None,
    as_json: bool,
) -> None:
    """Work out a fight of one against one to the end.

    Who wins, in how many rounds, with how much left? Every way the dice can fall is counted.
    Name a file, a shipped fight, or both fighters: affray duel empty-earth bo husk. A duel too
    large for --seconds gets certain bounds, and an estimate from many battles.
    """
    from affray.app.duel_within import duel_within
    from affray.cli.sources import fight_named
    from affray.cli.stopping import watching

    with watching("working the duel out") as watch:
        source = fight_named(system, fight, foes)
        view = duel_within(
            system, source, changes=changes, exact=exact, seed=seed or 0,
            budget=watch.budget(*limits),
        )  # fmt: skip
    if not write_csv(view, csv, as_json=as_json):
        print_view(view, as_json=as_json)


@command("affray battle empty-earth brockton -n 2000 --seed 1")
@options.system
@argument("fight", "[SETUP|ONE]", "As for duel; several fighters with commas.", default="")
@argument("foes", "[OTHER]", "Roster names of the other side.", default="")
@_SAMPLING
@gathered("changes", _duel_changes, *_FOR_BOTH, *_THE_REST)
@gathered("targets", _Targets, *_TARGETS)
@option(
    "--versus",
    metavar="SETUP",
    default="",
    help="Compare with another fight, both fought with the same random numbers.",
)
@option("--all-pairs", is_flag=True, help="Fight every pair in the roster.")
@options.limits
@_OUTPUT
def battle(
    system: str,
    fight: str,
    foes: str,
    *,
    sampling: Sampling,
    changes: FightChanges,
    targets: _Targets,
    versus: str,
    all_pairs: bool,
    limits: Limits,
    output: _Output,
) -> None:
    """Fight side against side many times.

    Who wins, how certain is that, who does what? Name a file, a shipped fight, or the fighters
    of both sides: affray battle empty-earth ada,bo 3xhusk,shrieker. Press Ctrl-C once to see
    the result so far, twice to end without one.
    """
    from affray.cli.sources import fight_named
    from affray.cli.stopping import watching

    _check_battle(fight, versus, sampling.target_error, output, all_pairs=all_pairs)
    changes = _with_targets(changes, targets)
    with watching() as watch:
        if all_pairs:
            view = _all_pairs(system, changes, sampling, output, watch, limits)
        else:
            source = fight_named(system, fight, foes)
            sources = (source, fight_named(system, versus)) if versus else (source,)
            view = _one_or_two(system, sources, changes, sampling, watch, limits)
    if output.save is not None:
        _save_samples(system, source, changes, view, output, limits)
    if not write_csv(view, output.csv, as_json=output.as_json):
        print_view(view, as_json=output.as_json)


def _all_pairs(
    system: str,
    changes: FightChanges,
    sampling: Sampling,
    output: _Output,
    watch: Watch,
    limits: Limits,
) -> View:
    from affray.app.matrix import ask_matrix

    matrix = ask_matrix(system, changes=changes, sampling=sampling, budget=watch.budget(*limits))
    if output.svg is not None:
        from affray.app.views.heat_map import to_svg

        output.svg.draw(to_svg(matrix))
    return matrix


def _one_or_two(
    system: str,
    sources: Sequence[FightSource],
    changes: FightChanges,
    sampling: Sampling,
    watch: Watch,
    limits: Limits,
) -> View:
    budget = watch.budget(*limits)
    if len(sources) == 2:
        from affray.app.comparison import ask_comparison

        both = (sources[0], sources[1])
        return ask_comparison(system, both, changes=changes, sampling=sampling, budget=budget)
    from affray.app.battle import ask_battle

    return ask_battle(system, sources[0], changes=changes, sampling=sampling, budget=budget)


def _save_samples(
    system: str,
    source: FightSource,
    changes: FightChanges,
    view: View,
    output: _Output,
    limits: Limits,
) -> None:
    """Play sample battles and write them; an existing file is replaced when all is played."""
    from affray.app.samples import play_samples
    from affray.app.views.fights import BattleView
    from affray.cli.stopping import watching

    assert isinstance(view, BattleView)  # `_check_battle` saw to it
    assert output.save is not None
    with watching("playing samples") as watch:
        table = play_samples(
            system, source, changes=changes, seed=view.seed, samples=output.samples,
            budget=watch.budget(*limits),
        )  # fmt: skip
    output.save.write(json.dumps(table, indent=1, default=str) + "\n")


def _check_battle(
    fight: str, versus: str, target_error: float | None, output: _Output, *, all_pairs: bool
) -> None:
    """Refuse options that don't go together."""
    if all_pairs and (fight or versus):
        refuse("--all-pairs", "it fights every pair in the roster; name no fight beside it")
    if not all_pairs and not fight:
        refuse("SETUP|ONE", "missing; name a fight, the fighters of both sides, or --all-pairs")
    if output.save is not None and (versus or all_pairs):
        refuse("--save", "it plays a single battle; leave out --versus and --all-pairs")
    if output.svg is not None and not all_pairs:
        refuse("--svg", "it draws the matrix of --all-pairs")
    if target_error is not None and (versus or all_pairs):
        refuse("--target-error", "it is for a single battle; give -n instead")
