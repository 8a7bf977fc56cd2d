"""Views as text: tables and bars on the terminal, by rich.

Colour never carries meaning alone; without a terminal, or with NO_COLOR, the text is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from rich.console import Console
from rich.text import Text

from affray.app.views.books import ReadingRow, RosterView, RulesView, RulingsView, SystemsView
from affray.app.views.envelope import View
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
from affray.app.views.fights import BattleView, CompareView, DuelView, MatrixView
from affray.app.views.toml_text import entry_text
from affray.cli.show_battles import show_battle, show_comparison, show_matrix
from affray.cli.show_fights import show_duel
from affray.cli.terminal import (
    bar,
    exactly,
    new_table,
    number,
    open_console,
    percent,
    print_table,
    stopped,
)
from affray.cli.texts import plainly
from affray.engine.exchange.session import LogLine

__all__ = ["percent", "show", "show_odds", "show_roster"]

MOST_ROWS = 60


def show(view: View) -> None:
    """Show any view.

    Raises:
        TypeError: a view that has no text form.
    """
    shown: dict[type[View], Callable[..., None]] = {
        SystemsView: _systems,
        RosterView: show_roster,
        RulesView: _rules,
        RulingsView: _rulings,
        PlayView: _play,
        PictureView: _picture,
        OddsView: show_odds,
        BestView: _best,
        DuelView: show_duel,
        BattleView: show_battle,
        CompareView: show_comparison,
        MatrixView: show_matrix,
    }
    if type(view) not in shown:
        raise TypeError(f"{type(view).__name__} has no text form")
    shown[type(view)](plainly(view))


# -- numbers ---------------------------------------------------------------------------------


def _one_in(chance: Fraction) -> str:
    if not chance:
        return ""
    times = 1 / chance
    return f"1 in {float(times):.0f}" if times >= 10 else f"1 in {float(times):.2g}"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(_value(part) for part in value) or "none"
    return "none" if value in {"", None} else str(value)


# -- tables ----------------------------------------------------------------------------------


def _systems(view: SystemsView) -> None:
    table = new_table("system", "title", ">steps", ">clauses", ">carried out", ">rulings")
    for row in view.systems:
        table.add_row(row.id, row.title, str(row.steps), str(row.clauses), str(row.carried_out),
                      str(row.rulings))  # fmt: skip
    console = open_console()
    print_table(console, table)
    for row in view.systems:
        console.print(f"\n{row.title} ({row.edition}). {row.credit}")
        console.print(f"  fields: {', '.join(row.fields)}")
        console.print(f"  objectives: {', '.join(row.objectives)}")
        console.print(f"  examples: {', '.join(row.examples)}")
        if row.fights:
            console.print(f"  fights: {', '.join(row.fights)}")
    for broken in view.broken:
        console.print(f"\n{broken.name} can't be used: {broken.why}", markup=False)
        if broken.package:
            console.print(f"  brought by {broken.package}", markup=False)


def show_roster(view: RosterView, *, whole: bool = False) -> None:
    """Show a roster: a line for each entry, or all of every one, as in a file."""
    if whole:
        texts = (entry_text(row.section, row.name, row.values) for row in view.entries)
        open_console().print("\n\n".join(texts), markup=False, soft_wrap=True)
        return
    table = new_table("section", "name", "source", "~what it is")
    for row in view.entries:
        values = {k: v for k, v in row.values.items() if k not in {"name", "source"}}
        brief = ", ".join(f"{key} {_brief(value)}" for key, value in values.items())
        table.add_row(row.section, row.name, row.source, brief)
    console = open_console()
    print_table(console, table)
    console.print(f"\n`affray roster {view.system} NAME` shows one whole, --whole all of them")


def _brief(value: object) -> str:
    if isinstance(value, list):
        return "/".join(_brief(item) for item in value)
    if isinstance(value, dict):
        return str(value.get("name", "..."))
    return _value(value)


def _rules(view: RulesView) -> None:
    console = open_console()
    code = "code" if len(view.clauses) == 1 else "?code"
    table = new_table("clause", "source", "~what it is about", "~status", code, ">tests")
    for row in view.clauses:
        code = "\n".join(row.code) if len(view.clauses) == 1 else ", ".join(row.code[:2])
        if len(view.clauses) > 1 and len(row.code) > 2:
            code += f" +{len(row.code) - 2}"
        table.add_row(row.id, row.source, row.title, row.status, code, str(len(row.tests)))
    print_table(console, table)
    if len(view.clauses) == 1:
        for test in view.clauses[0].tests:
            console.print(f"  {test}", soft_wrap=True)


def _rulings(view: RulingsView) -> None:
    console = open_console()
    if view.setup:
        console.print(f"{view.setup}: {view.field} under every reading\n")
    if view.partial:
        console.print(f"{stopped(view.stopped_by)}; some rulings are not priced\n", style="bold")
    for row in view.rulings:
        console.print(f"{row.id} {row.name}  [{', '.join(row.clauses)}]", style="bold",
                      markup=False)  # fmt: skip
        shown = f"  (example {row.setup})" if row.setup and not view.setup else ""
        console.print(f"  {row.question}{shown}", markup=False)
        for reading in row.readings:
            mark = "*" if reading.in_force else " "
            line = f"  {mark} {reading.name}: {reading.meaning}"
            if row.field:
                line += f"  ({_apart(reading, row.field)})"
            console.print(line, markup=False)
    _profiles(view)
    if view.errata:
        console.print("\nFigures of the text that are wrong", style="bold")
        table = new_table("clause", "figure of", ">the text says", ">it comes to")
        for erratum in view.errata:
            table.add_row(erratum.clause, erratum.what, *map(_share, erratum[2:]))
        print_table(console, table)


def _apart(reading: ReadingRow, field: str) -> str:
    """What a field comes to under a reading, and how far that is from the one in force."""
    if reading.distance is None:
        return "the rules then refuse this setup"
    apart = f"{percent(reading.distance)} apart" if reading.distance else "no effect"
    if reading.in_force:
        apart = "in force"
    return apart if reading.mean is None else f"{field} {number(reading.mean)}, {apart}"


def _share(share: Fraction) -> str:
    return f"{share} = {percent(share)}"


def _profiles(view: RulingsView) -> None:
    if not view.profiles:
        return
    console = open_console()
    console.print("\nProfiles (--ruling profile=NAME)", style="bold", markup=False)
    for profile in view.profiles:
        mark = "*" if profile.in_force else " "
        picks = ", ".join(f"{name} {reading}" for name, reading in profile.picks.items())
        console.print(f"{mark} {profile.name}: {profile.title}  ({picks or 'all defaults'})",
                      markup=False)  # fmt: skip


# -- play ------------------------------------------------------------------------------------


def _picture(view: PictureView) -> None:
    console = open_console()
    if view.title:
        console.print(f"{view.title}\n", style="bold", markup=False)
    _remark(console, view.remarks)
    _drawn(console, view.picture)


def _remark(console: Console, remarks: tuple[str, ...]) -> None:
    for remark in remarks:
        console.print(f"{remark}\n", markup=False)


def _drawn(console: Console, picture: str) -> None:
    console.print(picture, markup=False, highlight=False, soft_wrap=True)


def _play(view: PlayView) -> None:
    console = open_console()
    if view.title:
        console.print(f"{view.title}\n", style="bold", markup=False)
    _remark(console, view.remarks)
    table = new_table("who", "~dice and decisions", "~what it means", "?clauses")
    for line in view.log:
        table.add_row(line.actor, _done(line), _meant(line), _few(line.clauses))
    print_table(console, table)
    if view.seed is not None:
        console.print(f"\nseed {view.seed}")
    if view.picture:
        console.print()
        _drawn(console, view.picture)
    if view.question is not None:
        _question(console, view.question)
    elif view.outcome:
        console.print("\nOutcome", style="bold")
        told = ", ".join(f"{name} {_value(view.outcome[name])}" for name in view.told)
        console.print(f"  {told}", markup=False)
    if view.explanation:
        console.print()
        for line_ in view.explanation:
            console.print(line_, markup=False, soft_wrap=True)


def _done(line: LogLine) -> Text:
    parts = []
    if line.faces:
        thrown = {"hand": "by hand", "script": "", "seed": "", "entropy": ""}
        by = sorted({thrown.get(source, source) for source in line.by} - {""})
        note = f" ({', '.join(by)})" if by else ""
        parts.append(f"{line.dice}: {', '.join(map(str, line.faces))}{note}")
    if line.option:
        setup = " (settled)" if line.by == ("setup",) else ""
        parts.append(f"{line.option}{setup}")
    return Text(" ".join(parts))


def _meant(line: LogLine) -> Text:
    parts = [str(total) for total in line.totals]
    decided = line.words if line.by != ("setup",) or not line.says else ""
    if decided:
        parts.append(decided if not line.says else f"{decided}.")
    if line.says:
        parts.append(line.says)
    return Text("\n".join(parts))


def _few(clauses: tuple[str, ...]) -> str:
    more = f" +{len(clauses) - 3}" if len(clauses) > 3 else ""
    return ", ".join(clauses[:3]) + more


def _question(console: Console, question: QuestionRow) -> None:
    about = ", ".join(f"{label} {_value(value)}" for label, value in question.about)
    console.print(
        f"\nWaiting for {question.actor}: {question.ask}{f' ({about})' if about else ''} "
        f"[{', '.join(question.clauses[:3])}]",
        style="bold",
        markup=False,
    )
    if question.dice:
        console.print(f"  roll {question.dice}")
    for option in question.options:
        console.print(f"  {option.name}: {option.words}", markup=False)
    for name, why in question.closed:
        console.print(f"  {name} is closed: {why}", markup=False)


# -- odds ------------------------------------------------------------------------------------


def show_odds(view: OddsView, *, exact: bool = False) -> None:
    """Show a distribution as a table with bars, and its statistics."""
    console, view = open_console(), plainly(view)
    _head(console, view)
    numeric = view.rows[0].at_least is not None
    columns = [">" + ", ".join(view.fields) if numeric else ", ".join(view.fields), ">exactly", ""]
    columns += [">at least", ">at most"] if numeric else []
    columns += ["?>1 in N"]
    columns += [">fraction"] if exact else []
    table = new_table(*columns)
    most = max(row.exactly for row in view.rows)
    for row in view.rows[:MOST_ROWS]:
        table.add_row(*_odds_cells(row, most, exact=exact))
    print_table(console, table)
    if len(view.rows) > MOST_ROWS:
        console.print(f"... and {len(view.rows) - MOST_ROWS} more rows; --json lists all")
    if view.stats is not None:
        stats = view.stats
        unit = f" {view.unit}" if view.unit else ""
        mean = f"mean {number(stats.mean)}{unit}"
        mean += f" ({exactly(stats.mean)})" if exact else ""
        low, high = stats.quartiles
        console.print(
            f"\n{mean}, sd {number(stats.sd)}, median {stats.median}, middle half {low} to {high}"
        )
    console.print(f"{view.how}; {view.policy}", markup=False)


def _head(console: Console, view: OddsView) -> None:
    if view.title:
        console.print(view.title, style="bold", markup=False)
    for name, meaning in zip(view.fields, view.meaning, strict=True):
        console.print(f"{name}: {meaning}", markup=False)
    if view.given:
        console.print(f"given {' and '.join(view.given)}", markup=False)
    console.print()
    _remark(console, view.remarks)


def _odds_cells(row: OddsRow, most: Fraction, *, exact: bool) -> list[str]:
    cells = [_value(row.value), percent(row.exactly), bar(row.exactly, most)]
    if row.at_least is not None and row.at_most is not None:
        cells += [percent(row.at_least), percent(row.at_most)]
    cells.append(_one_in(row.exactly))
    if exact:
        cells.append(exactly(row.exactly))
    return cells


# -- best ------------------------------------------------------------------------------------


def _best(view: BestView) -> None:
    console = open_console()
    if view.title:
        console.print(view.title, style="bold", markup=False)
    console.print(f"{view.objective}: {view.meaning}", markup=False)
    if view.threshold:
        console.print(f"a point is spent only for a gain above {number(view.threshold)}")
    console.print(f"with the best decisions: {number(view.value)}\n")
    _remark(console, view.remarks)
    for name, cost in view.regrets:
        judged = "as good as any" if not cost.cost else f"cost {number(cost.cost)}"
        console.print(f"{name}: you took {cost.name}, {judged}", markup=False)
    if not view.decisions:
        console.print("nothing is left to decide")
    for decision in view.decisions:
        _decision(console, decision)


def _decision(console: Console, decision: DecisionRow) -> None:
    console.print(
        f"{decision.step}: {decision.actor}, {decision.ask}  [{', '.join(decision.clauses[:3])}]",
        style="bold",
        markup=False,
    )
    single = len(decision.situations) == 1
    rows = decision.situations[0].options if single else decision.always
    best = decision.situations[0].best if single else ""
    table = new_table("  option" if single else "  every time", ">value", ">costs", "")
    for row in rows:
        mark = "best" if row.name == best else ""
        table.add_row(f"  {row.name}", number(row.value), _cost(row), mark or row.words)
    print_table(console, table)
    if not single:
        console.print("  best, by situation:")
        for line in decision.words:
            console.print(f"    {line}", markup=False)
    console.print()


def _cost(row: Cost) -> str:
    return number(row.cost) if row.cost else "0"
