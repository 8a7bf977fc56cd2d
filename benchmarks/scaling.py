"""How cost grows, over three decades where there are as many: tables, and curves as SVG.

`python -m benchmarks.scaling` measures how the processor's time grows with the edges of a duel, the
attacks of battles, the points of a sweep, the points of a pool and the dice of a roll, prints a
table with the cost of one, and draws the curves (`--write FILE`). Straight lines of slope one are
linear cost. Nobody else is measured here, so the seconds of the processor, the memory and the load
are told. `--quick` measures small ones only, to see that it runs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from math import log10
from typing import NamedTuple

from affray.app.inputs.fight_setups import load_raw_fight
from affray.app.registry import system_named
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.sweep import Sweep
from affray.engine.fight.sampled.battle import Battle
from benchmarks import ours, ours_emlia
from benchmarks.forgetting import forget
from benchmarks.machine import Spent, described, loads, spent
from benchmarks.peers.numbers import W1, W3

WIDTH, HEIGHT, MARGIN = 720, 480, 60
LEGEND = 250
DURABILITIES = (4, 8, 16, 32, 60, 110, 180)
BATTLES = (300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000)
QUESTIONS = (1, 3, 10, 30, 100, 300, 1_000)
CUBES = (1, 2, 4, 8, 14, 20)
DICE = (1, 3, 10, 30, 100, 300, 1_000)
QUICK = {"durabilities": (4, 8, 12), "battles": (30, 100, 300), "questions": (1, 3, 10),
         "cubes": (1, 2), "dice": (1, 3, 10)}  # fmt: skip
HABITS = {"choose_style": "plain", "choose_called_shot": "none", "choose_defence": "fray"}


class Point(NamedTuple):
    """So much work took so long."""

    size: int
    seconds: float


class Curve(NamedTuple):
    """How the cost of something grows.

    Attributes:
        name: in the legend. title, unit: of the table.
        measure: from sizes to points. sizes, quick: what is measured.
    """

    name: str
    title: str
    unit: str
    measure: Callable[[Sequence[int]], list[Point]]
    sizes: Sequence[int]
    quick: Sequence[int]


def _fight(durability: int, number: int) -> Contest:
    sides = {
        side: {
            "fighters": [{
                "like": name, "number": number, "durability": durability,
                "wound_threshold": max(2, durability // 6),
            }],
            "policy": "first",
            "choose": HABITS,
        }
        for side, name in (("one", "duellist_a"), ("other", "duellist_b"))
    }  # fmt: skip
    raw = {**sides, "first": "one", "rulings": {"wound_effects": "modifiers"}}
    return load_raw_fight(system_named("eclipse-phase"), raw, "scaling").contest


def _told(what: str, size: int, seconds: float) -> Point:
    print(f"{what}: {size:,} in {seconds:.3f} s", file=sys.stderr)
    return Point(size, seconds)


def duels(durabilities: Sequence[int] = DURABILITIES) -> list[Point]:
    """Seconds by transitions: pairs of conditions times the effects of their exchanges."""
    Duel(_fight(durabilities[0], 1)).solve()
    points = []
    for durability in durabilities:
        contest = _fight(durability, 1)
        start = time.process_time()
        duel = Duel(contest)
        duel.solve()
        seconds = time.process_time() - start
        sweep = Sweep(duel.duelists, duel.attacks, 1.0)
        on = sweep.going_on()
        edges = 0
        for way, here in zip(sweep.arrays, (on, on.T), strict=True):
            lengths = (way.chance > 0).sum(1)
            edges += int(lengths[way.rows.between(*here.nonzero())].sum())
        points.append(_told("transitions of a duel", edges, seconds))
    return points


def battles(numbers: Sequence[int] = BATTLES) -> list[Point]:
    """Seconds by attacks, three against three, tables known."""
    contest = _fight(35, 3)
    battle = Battle(contest)
    battle.run(min(1_000, numbers[-1]), seed=0)
    points = []
    for n in numbers:
        start = time.process_time()
        result = battle.run(n, seed=1)
        seconds = time.process_time() - start
        # Six stand at first, one or more at the end: about four attacks a round.
        points.append(_told("attacks", round(result.rounds.value * n * 4), seconds))
    return points


def sweeps(numbers: Sequence[int] = QUESTIONS) -> list[Point]:
    """Seconds by points of a sweep over both skills of W1, nothing known before."""
    points = []
    for n in numbers:
        asked = [
            ours.w1(W1._replace(attack=1 + at % 100, defence=20 + at // 100)) for at in range(n)
        ]
        forget()
        start = time.process_time()
        for ask in asked:
            ask()
        points.append(_told("points of a sweep", n, time.process_time() - start))
    return points


def pools(numbers: Sequence[int] = CUBES) -> list[Point]:
    """Seconds by points of a pool that a fighter of Empty Earth may spend in a whole duel."""
    points = []
    for n in numbers:
        cubes = {"red": n, "blue": 0, "black": 0}
        raw = {
            "one": {"fighters": [{"like": "ada", "cubes": cubes}], "policy": "greedy"},
            "other": {"fighters": ["husk"], "policy": "first"}, "rounds": 50,
        }  # fmt: skip
        contest = load_raw_fight(system_named("empty-earth"), raw, "scaling").contest
        forget()
        start = time.process_time()
        Duel(contest).solve()
        points.append(_told("points of a pool", n, time.process_time() - start))
    return points


def dice(numbers: Sequence[int] = DICE) -> list[Point]:
    """Seconds by dice of a check of Emlia: successes and ones, jointly."""
    points = []
    for n in numbers:
        ask = ours_emlia.w3(W3._replace(dice=n))
        forget()
        start = time.process_time()
        ask()
        points.append(_told("dice", n, time.process_time() - start))
    return points


CURVES = (
    Curve("a duel, by transitions", "Duels", "transitions", duels, DURABILITIES,
          QUICK["durabilities"]),
    Curve("battles, by attacks", "Battles, three against three, tables known", "attacks, about",
          battles, BATTLES, QUICK["battles"]),
    Curve("a sweep, by points", "Sweeps over both skills of W1", "points", sweeps, QUESTIONS,
          QUICK["questions"]),
    Curve("a duel, by points of a pool", "Duels of Empty Earth, spending; a sheet has up to 20",
          "points of a pool", pools, CUBES, QUICK["cubes"]),
    Curve("a check, by dice", "Checks of Emlia: successes and ones, jointly", "dice", dice, DICE,
          QUICK["dice"]),
)  # fmt: skip


def measured(*, quick: bool = False) -> dict[Curve, list[Point]]:
    """All curves."""
    return {curve: curve.measure(curve.quick if quick else curve.sizes) for curve in CURVES}


def as_table(title: str, unit: str, points: list[Point]) -> str:
    """A table with the cost of one."""
    rows = "".join(
        f"| {p.size:,} | {p.seconds * 1000:,.1f} | {p.seconds / p.size * 1e9:,.0f} |\n"
        for p in points
    )
    return f"\n### {title}\n\n| {unit} | CPU ms | ns each |\n|---:|---:|---:|\n{rows}"


def as_tables(found: dict[Curve, list[Point]]) -> str:
    """All tables."""
    return "".join(as_table(curve.title, curve.unit, points) for curve, points in found.items())


STYLES = (("#0072B2", ""), ("#D55E00", "6 4"), ("#009E73", "2 3"), ("#CC79A7", "10 4"),
          ("#000000", "10 3 2 3"))  # fmt: skip


def as_svg(curves: dict[str, list[Point]]) -> str:
    """Every curve, on logarithmic axes."""
    every = [point for points in curves.values() for point in points]
    low_x, high_x = (f(log10(p.size) for p in every) for f in (min, max))
    low_y, high_y = (f(log10(max(p.seconds, 1e-6)) for p in every) for f in (min, max))

    def spot(point: Point) -> str:
        x = MARGIN + (log10(point.size) - low_x) / (high_x - low_x) * (WIDTH - 2 * MARGIN)
        up = (log10(max(point.seconds, 1e-6)) - low_y) / (high_y - low_y)
        return f"{x:.1f},{HEIGHT - MARGIN - up * (HEIGHT - 3 * MARGIN):.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
        f"<title>Seconds of the processor: {', '.join(curves)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for place, ((name, points), (color, dash)) in enumerate(
        zip(curves.items(), STYLES, strict=False)
    ):
        line = " ".join(map(spot, points))
        stroke = f'stroke="{color}" stroke-width="2" stroke-dasharray="{dash}"'
        parts.append(f'<polyline points="{line}" fill="none" {stroke}/>')
        x, y = 20 + LEGEND * (place % 2), 20 + 22 * (place // 2)
        parts.append(
            f'<line x1="{x}" y1="{y}" x2="{x + 40}" y2="{y}" {stroke}/>'
            f'<text x="{x + 48}" y="{y + 4}">{name}</text>'
        )
    for exponent in range(round(low_x), int(high_x) + 1):
        x_at = spot(Point(10**exponent, 10**low_y)).partition(",")[0]
        parts.append(
            f'<text x="{x_at}" y="{HEIGHT - MARGIN + 20}" text-anchor="middle">10^{exponent}</text>'
        )
    for exponent in range(round(low_y), round(high_y) + 1):
        height = spot(Point(round(10**low_x), 10.0**exponent)).partition(",")[2]
        parts.append(
            f'<text x="{MARGIN - 8}" y="{height}" text-anchor="end">{10.0**exponent:g} s</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def picture(found: dict[Curve, list[Point]]) -> str:
    """All curves as SVG."""
    return as_svg({curve.name: points for curve, points in found.items()})


def told(before: Spent) -> str:
    """What this was measured on, and what it took."""
    took = spent().since(before)
    return f"{described()}\n{took}.\nLoad {loads()}.\n"


def main(words: Sequence[str] | None = None) -> None:
    """Measure, print, and draw if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", metavar="FILE", help="draw the curves as SVG")
    parser.add_argument("--quick", action="store_true", help="small ones only; no figures to cite")
    given = parser.parse_args(words)
    before = spent()
    found = measured(quick=given.quick)
    print(as_tables(found))
    print(told(before))
    if given.write:
        with open(given.write, "w", encoding="utf-8") as file:
            file.write(picture(found))


if __name__ == "__main__":
    main()
