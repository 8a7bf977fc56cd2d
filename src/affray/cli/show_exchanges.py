"""Play, pictures, odds and the best options as text."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from affray.app.views.exchanges import (
    BestView,
    Cost,
    DecisionRow,
    OddsRow,
    OddsView,
    PictureView,
    PlayView,
    QuestionRow,
)
from affray.app.views.policy_words import MOST_LINES
from affray.app.views.rounding import at_most
from affray.app.views.said import ground_told
from affray.cli.fight_log import account_lines
from affray.cli.paint import tell_on
from affray.cli.screen import Screen
from affray.cli.terminal import (
    bar,
    exactly,
    new_table,
    number,
    open_screen,
    percent,
    print_table,
)
from affray.core.showing import one_in
from affray.core.telling import plain_key, value_told
from affray.engine.exchange.session import LogLine

if TYPE_CHECKING:
    from affray.app.views.advice import EstimatedBestView

__all__ = ["show_best", "show_odds", "show_picture", "show_play", "show_wish"]

MOST_ROWS = 60


# -- play ------------------------------------------------------------------------------------


def show_picture(view: PictureView) -> None:
    """Show the table."""
    screen = open_screen()
    if view.title:
        screen.print(f"{view.title}\n", style="bold")
    _remark(screen, view)
    _drawn(screen, view.picture)


def _remark(screen: Screen, view: PlayView | PictureView | OddsView | BestView) -> None:
    for remark in (*view.remarks, *view.assumed):
        screen.print(f"{remark}\n")


def _drawn(screen: Screen, picture: str) -> None:
    screen.print(picture, soft_wrap=True)


def show_play(view: PlayView, *, long: bool = False) -> None:
    """Show a game: what happened in a line or two, then the question or the outcome.

    Args:
        view: the game.
        long: whether every line of its log is shown, with clauses.
    """
    screen = open_screen()
    if view.title:
        screen.print(f"{view.title}\n", style="bold")
    _remark(screen, view)
    if long:
        _log(screen, view)
    else:
        tell = tell_on(screen)
        for number, account in enumerate(view.short, start=1):
            for line in account_lines(number if view.short[1:] else 0, account.text, screen.width):
                tell(line)
    if view.seed is not None:
        screen.print(f"\nseed {view.seed}")
    if view.picture:
        screen.print()
        _drawn(screen, view.picture)
    if view.question is not None:
        _question(screen, view.question, dict(view.names))
    elif view.outcome:
        screen.print("\nOutcome", style="bold")
        told = ", ".join(
            f"{plain_key(name)} {value_told(view.outcome[name])}" for name in view.told
        )
        screen.print(f"  {told}")
    if view.explanation:
        screen.print()
        for line_ in view.explanation:
            screen.print(line_, soft_wrap=True)


def _log(screen: Screen, view: PlayView) -> None:
    """Every line of the log, with the clauses."""
    names = dict(view.names)
    table = new_table("who", "~dice and decisions", "~what it means", "?clauses")
    for line in view.log:
        table.add_row(
            names.get(line.actor, line.actor), _done(line), _meant(line), _few(line.clauses)
        )
    print_table(screen, table)


def _done(line: LogLine) -> str:
    parts = []
    if line.faces:
        thrown = {"hand": "by hand", "script": "", "seed": "", "entropy": ""}
        by = sorted({thrown.get(source, source) for source in line.by} - {""})
        note = f" ({', '.join(by)})" if by else ""
        parts.append(f"{line.dice}: {', '.join(map(str, line.faces))}{note}")
    if line.option:
        ground = "settled" if line.by == ("setup",) else ground_told(line.by)
        parts.append(f"{line.option} ({ground})" if ground else line.option)
    return " ".join(parts)


def _meant(line: LogLine) -> str:
    parts = [str(total) for total in line.totals]
    decided = line.words if line.by != ("setup",) or not line.says else ""
    if decided:
        parts.append(decided if not line.says else f"{decided}.")
    if line.says:
        parts.append(line.says)
    return "\n".join(parts)


def _few(clauses: tuple[str, ...]) -> str:
    more = f" +{len(clauses) - 3}" if len(clauses) > 3 else ""
    return ", ".join(clauses[:3]) + more


def _question(screen: Screen, question: QuestionRow, names: Mapping[str, str]) -> None:
    about = ", ".join(f"{label} {value_told(value)}" for label, value in question.about)
    who = names.get(question.actor, question.actor)
    screen.print(
        f"\nWaiting for {who}: {question.ask}{f' ({about})' if about else ''} "
        f"[{', '.join(question.clauses[:3])}]",
        style="bold",
    )
    if question.dice:
        screen.print(f"  roll {question.dice}")
    for option in question.options:
        screen.print(f"  {option.name}: {option.words}")
    for name, why in question.closed:
        screen.print(f"  {name} is closed: {why}")


# -- odds ------------------------------------------------------------------------------------


def show_odds(view: OddsView, *, exact: bool = False) -> None:
    """Show a distribution as a table with bars, and its statistics."""
    screen = open_screen()
    _head(screen, view)
    numeric = view.rows[0].at_least is not None
    head = ", ".join(map(plain_key, view.fields))
    columns = [f">{head}" if numeric else head, ">exactly", ""]
    columns += [">at least", ">at most"] if numeric else []
    columns += ["?>1 in N"]
    columns += [">fraction"] if exact else []
    table = new_table(*columns)
    most = max(row.exactly for row in view.rows)
    for row in view.rows[:MOST_ROWS]:
        table.add_row(*_odds_cells(row, most, exact=exact))
    print_table(screen, table)
    if len(view.rows) > MOST_ROWS:
        screen.print(f"... and {len(view.rows) - MOST_ROWS} more rows; --json lists all")
    if view.stats is not None:
        stats = view.stats
        unit = f" {view.unit}" if view.unit else ""
        mean = f"mean {number(stats.mean)}{unit}"
        mean += f" ({exactly(stats.mean)})" if exact else ""
        low, high = stats.quartiles
        screen.print(
            f"\n{mean}, sd {number(stats.sd)}, median {stats.median}, middle half {low} to {high}"
        )
    screen.print(f"{view.how}; {view.policy}")


def _head(screen: Screen, view: OddsView) -> None:
    if view.title:
        screen.print(view.title, style="bold")
    for name, meaning in zip(view.fields, view.meaning, strict=True):
        screen.print(f"{plain_key(name)}: {meaning}")
    if view.given:
        screen.print(f"given {' and '.join(view.given)}")
    screen.print()
    _remark(screen, view)


def _odds_cells(row: OddsRow, most: Fraction, *, exact: bool) -> list[str]:
    cells = [value_told(row.value), percent(row.exactly), bar(row.exactly, most)]
    if row.at_least is not None and row.at_most is not None:
        cells += [percent(row.at_least), percent(row.at_most)]
    cells.append(one_in(row.exactly))
    if exact:
        cells.append(exactly(row.exactly))
    return cells


# -- best ------------------------------------------------------------------------------------


def show_wish(screen: Screen, view: BestView | EstimatedBestView) -> None:
    """Show what is wanted, and when a point may be spent for it."""
    if view.title:
        screen.print(view.title, style="bold")
    screen.print(f"{view.objective}: {view.meaning}")
    if view.threshold:
        screen.print(f"a point is spent only for a gain above {number(view.threshold)}")


def show_best(view: BestView) -> None:
    """Show what is best at each choice."""
    screen = open_screen()
    show_wish(screen, view)
    screen.print(f"with the best decisions: {number(view.value)}\n")
    if view.residual:
        screen.print(
            f"exact but for a residual of at most {at_most(view.residual)}: this can go on for "
            "ever, and what is so unlikely is left out\n"
        )
    _remark(screen, view)
    for name, cost in view.regrets:
        judged = "as good as any" if not cost.cost else f"cost {number(cost.cost)}"
        screen.print(f"{plain_key(name)}: you took {cost.name}, {judged}")
    if not view.decisions:
        screen.print("nothing is left to decide")
    for decision in view.decisions:
        _decision(screen, decision)


def _decision(screen: Screen, decision: DecisionRow) -> None:
    screen.print(
        f"{decision.actor}: {decision.ask}  [{', '.join(decision.clauses[:3])}]  "
        f"(--settle {decision.step})",
        style="bold",
    )
    single = len(decision.situations) == 1
    rows = decision.situations[0].options if single else decision.always
    best = decision.situations[0].best if single else ""
    table = new_table("  option" if single else "  every time", ">value", ">costs", "")
    for row in rows:
        mark = "best" if row.name == best else ""
        table.add_row(f"  {row.name}", number(row.value), _cost(row), mark or row.words)
    print_table(screen, table)
    if not single:
        listed, more = len(decision.situations), decision.more
        few = f", in the {listed:,} most likely of {listed + more:,}" if more else ""
        screen.print(f"  best, by situation{few}:")
        for line in decision.words:
            screen.print(f"    {line}")
        if len(decision.words) > MOST_LINES:
            screen.print(f"    (--json lists {'these' if more else 'all'} situations)")
    screen.print()


def _cost(row: Cost) -> str:
    return number(row.cost) if row.cost else "0"
