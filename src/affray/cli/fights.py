"""The commands that fight to the end: duel and battle."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affray.cli.options import (
    MOST_SEED,
    Goal,
    Json,
    Places,
    RosterOption,
    RulingOption,
    Seconds,
    Settle,
    System,
    print_view,
)

if TYPE_CHECKING:
    from affray.app.battle import Sampling
    from affray.app.inputs.fight_setups import FightWanted
    from affray.app.views.exchanges import View
    from affray.engine.budget import Budget

__all__ = ["battle", "duel"]

Fight = Annotated[
    str,
    typer.Argument(
        metavar="SETUP|ONE",
        help="A TOML or JSON file, a shipped fight by name, or - for stdin; or the roster names "
        "of the first side.",
    ),
]
Foes = Annotated[str, typer.Argument(metavar="[OTHER]", help="Roster names of the other side.")]
First = Annotated[
    str,
    typer.Option(
        "--first",
        metavar="WHO",
        help="Who goes first: initiative, one, other, coin, alternate or seats.",
    ),
]
Rounds = Annotated[
    int | None,
    typer.Option("--rounds", min=1, metavar="N", help="Call the fight off after this round."),
]
Policy = Annotated[
    str,
    typer.Option(
        "--policy",
        metavar="NAME",
        help="How both sides decide: first, opening, greedy or, in duels, optimal.",
    ),
]
PolicyOne = Annotated[
    str, typer.Option("--policy-one", metavar="NAME", help="How the first side decides.")
]
PolicyOther = Annotated[
    str, typer.Option("--policy-other", metavar="NAME", help="How the other side decides.")
]
Set = Annotated[
    list[str],
    typer.Option(
        "--set", metavar="KEY=VALUE", help="The situation of both sides, as distance_m=20."
    ),
]
Threshold = Annotated[
    int | None,
    typer.Option(
        "--threshold", min=0, metavar="N", help="A point is spent only for a gain above this."
    ),
]
Csv = Annotated[
    Path | None,
    typer.Option("--csv", metavar="FILE", help="Write every number as CSV; - for stdout."),
]


Targets = Annotated[
    str,
    typer.Option(
        "--targets", metavar="RULE",
        help="Whom both sides go for: weakest, strongest, nearest_out, spread, random, in_order.",
    ),
]  # fmt: skip
TargetsOne = Annotated[
    str, typer.Option("--targets-one", metavar="RULE", help="Whom the first side goes for.")
]
TargetsOther = Annotated[
    str, typer.Option("--targets-other", metavar="RULE", help="Whom the other side goes for.")
]
Number = Annotated[
    int | None,
    typer.Option("-n", min=1, metavar="N", help="How many battles; 10000, with --all-pairs 1000."),
]
TargetError = Annotated[
    float | None,
    typer.Option(
        "--target-error", metavar="PERCENT",
        help="Fight until every chance is known to within so many percentage points.",
    ),
]  # fmt: skip
Seed = Annotated[
    int | None,
    typer.Option("--seed", min=0, max=MOST_SEED, help="Battles that come again with this seed."),
]
Workers = Annotated[
    int, typer.Option("--workers", min=0, metavar="N", help="Processes; 0: one for each core.")
]
AllPairs = Annotated[
    bool, typer.Option("--all-pairs", help="Everybody of the roster against everybody.")
]
Svg = Annotated[
    Path | None, typer.Option("--svg", metavar="FILE", help="Draw --all-pairs as an SVG.")
]
Save = Annotated[
    Path | None,
    typer.Option(
        "--save", metavar="FILE",
        help="Play --samples battles step by step and write their logs, which can be replayed.",
    ),
]  # fmt: skip
Samples = Annotated[
    int, typer.Option("--samples", min=1, max=1000, metavar="N", help="How many for --save.")
]
Versus = Annotated[
    str,
    typer.Option(
        "--versus", metavar="SETUP",
        help="Compare with another fight, both fought with the same random numbers.",
    ),
]  # fmt: skip


def duel(
    system: System,
    fight: Fight,
    foes: Foes = "",
    *,
    first: First = "",
    rounds: Rounds = None,
    policy: Policy = "",
    policy_one: PolicyOne = "",
    policy_other: PolicyOther = "",
    objective: Goal = "",
    threshold: Threshold = None,
    settle: Settle = [],
    ruling: RulingOption = [],
    roster: RosterOption = [],
    situation: Set = [],
    exact: Annotated[
        bool, typer.Option("--exact", help="Whole fractions as well; small duels only.")
    ] = False,
    seconds: Seconds = None,
    places: Places = None,
    csv: Csv = None,
    as_json: Json = False,
) -> None:
    """Fight one against one to the end: who wins, in how many rounds, with how much left.

    Every way the dice can fall is counted. The two stand in a file, a shipped fight, or are named
    as in: affray duel empty-earth bo husk.
    """
    from affray.app import duel as fights
    from affray.cli.arguments import fight_wanted, write_csv
    from affray.cli.stopping import watching

    wanted = fight_wanted(
        first=first, rounds=rounds, policies=(policy_one or policy, policy_other or policy),
        objective=objective, threshold=threshold, settle=settle, ruling=ruling, roster=roster,
        situation=situation,
    )  # fmt: skip
    with watching("working the duel out") as watch:
        view = fights.ask_duel(
            system, fight, foes, wanted=wanted, exact=exact, budget=watch.budget(seconds, places)
        )
    if not write_csv(view, csv, as_json=as_json):
        print_view(view, as_json=as_json)


def battle(
    system: System,
    fight: Annotated[
        str, typer.Argument(metavar="[SETUP|ONE]", help="As for duel, fighters with commas.")
    ] = "",
    foes: Foes = "",
    *,
    n: Number = None,
    target_error: TargetError = None,
    seed: Seed = None,
    workers: Workers = 0,
    first: First = "",
    rounds: Rounds = None,
    policy: Policy = "",
    policy_one: PolicyOne = "",
    policy_other: PolicyOther = "",
    targets: Targets = "",
    targets_one: TargetsOne = "",
    targets_other: TargetsOther = "",
    objective: Goal = "",
    threshold: Threshold = None,
    settle: Settle = [],
    ruling: RulingOption = [],
    roster: RosterOption = [],
    situation: Set = [],
    versus: Versus = "",
    all_pairs: AllPairs = False,
    svg: Svg = None,
    save: Save = None,
    samples: Samples = 1,
    seconds: Seconds = None,
    places: Places = None,
    csv: Csv = None,
    as_json: Json = False,
) -> None:
    """Fight side against side many times: who wins, how certain that is, who does what.

    The sides stand in a file, a shipped fight, or are named as in: affray battle empty-earth
    ada,bo 3xhusk,shrieker. Ctrl-C once: the result so far; twice: nothing.
    """
    from affray.app.battle import Sampling
    from affray.cli.arguments import cores, fight_wanted, write_csv, write_text
    from affray.cli.stopping import watching

    _check_battle(fight, versus, target_error, (svg, save), all_pairs=all_pairs)
    wanted = fight_wanted(
        first=first, rounds=rounds, policies=(policy_one or policy, policy_other or policy),
        targets=(targets_one or targets, targets_other or targets), objective=objective,
        threshold=threshold, settle=settle, ruling=ruling, roster=roster, situation=situation,
    )  # fmt: skip
    with watching() as watch:
        sampling = Sampling(n, target_error, seed, workers or cores())
        budget = watch.budget(seconds, places)
        view: View
        if all_pairs:
            from affray.app.matrix import all_pairs as everybody

            matrix = everybody(system, wanted=wanted, sampling=sampling, budget=budget)
            if svg is not None:
                from affray.app.views.heat_map import to_svg

                write_text(svg, to_svg(matrix))
            view = matrix
        else:
            view = _one_or_two(system, (fight, foes, versus), wanted, (sampling, budget))
    if save is not None:
        from affray.app import samples as battle_logs
        from affray.app.views.fights import BattleView

        assert isinstance(view, BattleView)  # `_check_battle` saw to it
        with watching("playing samples") as watch:
            battle_logs.save_samples(
                save, system, fight, foes, wanted=wanted, seed=view.seed, samples=samples,
                budget=watch.budget(seconds, places),
            )  # fmt: skip
    if not write_csv(view, csv, as_json=as_json):
        print_view(view, as_json=as_json)


def _one_or_two(
    system: str, given: tuple[str, str, str], wanted: FightWanted, how: tuple[Sampling, Budget]
) -> View:
    from affray.app import battle as battles

    (fight, foes, versus), (sampling, budget) = given, how
    if versus:
        return battles.compare_battles(
            system, (fight, versus), foes, wanted=wanted, sampling=sampling, budget=budget
        )
    return battles.fight_battle(
        system, fight, foes, wanted=wanted, sampling=sampling, budget=budget
    )


def _check_battle(
    fight: str,
    versus: str,
    target_error: float | None,
    files: tuple[Path | None, Path | None],
    *,
    all_pairs: bool,
) -> None:
    """Refuse options that don't go together."""
    from affray.cli.arguments import refuse

    if all_pairs and (fight or versus):
        refuse("--all-pairs", "it takes everybody of the roster; name no fight beside it")
    if not all_pairs and not fight:
        refuse("SETUP|ONE", "missing; name a fight, the fighters of both sides, or --all-pairs")
    svg, save = files
    if save is not None and (versus or all_pairs):
        refuse("--save", "it plays a single battle; leave out --versus and --all-pairs")
    if svg is not None and not all_pairs:
        refuse("--svg", "it draws the matrix of --all-pairs")
    if target_error is not None and not 0 < target_error < 50:
        refuse("--target-error", f"{target_error}; allowed: more than 0, less than 50")
    if target_error is not None and (versus or all_pairs):
        refuse("--target-error", "it holds for a single battle; give -n instead")
