"""How the cost of a duel grows with its transitions, and that of a battle with its attacks.

`python -m benchmarks.scaling` measures both over three decades, prints a table with the cost of
one, and draws both curves as SVG (`--write FILE`). Straight lines of slope one are linear cost.
Nobody else is measured here, so the seconds of the processor, the memory and the load are told.
`--quick` measures small ones only, to see that it runs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from math import log10
from typing import NamedTuple

from affray.app.inputs.fight_setups import load_raw_fight
from affray.app.registry import system_named
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.sweep import Sweep
from affray.engine.fight.sampled.battle import Battle
from benchmarks.machine import Spent, described, loads, spent

WIDTH, HEIGHT, MARGIN = 640, 420, 60
DURABILITIES = (4, 8, 16, 32, 60, 110, 180)
BATTLES = (300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000)
QUICK_DURABILITIES, QUICK_BATTLES = (4, 8, 12), (30, 100, 300)
HABITS = {"choose_style": "plain", "choose_called_shot": "none", "choose_defence": "fray"}


class Point(NamedTuple):
    """So much work took so long."""

    size: int
    seconds: float


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


def duels(durabilities: Sequence[int] = DURABILITIES) -> list[Point]:
    """Seconds by transitions: pairs of conditions times the effects of their exchanges."""
    Duel(_fight(durabilities[0], 1)).solve()
    points = []
    for durability in durabilities:
        contest = _fight(durability, 1)
        start = time.perf_counter()
        duel = Duel(contest)
        duel.solve()
        seconds = time.perf_counter() - start
        sweep = Sweep(duel.duelists, duel.attacks, 1.0)
        on = sweep.going_on()
        edges = 0
        for way, here in zip(sweep.arrays, (on, on.T), strict=True):
            lengths = (way.chance > 0).sum(1)
            edges += int(lengths[way.rows[here]].sum())
        points.append(Point(edges, seconds))
        print(f"duel of {edges} transitions: {seconds:.3f} s", file=sys.stderr)
    return points


def battles(numbers: Sequence[int] = BATTLES) -> list[Point]:
    """Seconds by attacks, three against three, tables known."""
    contest = _fight(35, 3)
    battle = Battle(contest)
    battle.run(min(1_000, numbers[-1]), seed=0)
    points = []
    for n in numbers:
        start = time.perf_counter()
        result = battle.run(n, seed=1)
        seconds = time.perf_counter() - start
        # Six stand at first, one or more at the end: about four attacks a round.
        attacks = round(result.rounds.value * n * 4)
        points.append(Point(attacks, seconds))
        print(f"{n} battles: {seconds:.3f} s", file=sys.stderr)
    return points


def as_table(title: str, unit: str, points: list[Point]) -> str:
    """A table with the cost of one."""
    rows = "".join(
        f"| {p.size:,} | {p.seconds * 1000:,.1f} | {p.seconds / p.size * 1e9:,.0f} |\n"
        for p in points
    )
    return f"\n### {title}\n\n| {unit} | ms | ns each |\n|---:|---:|---:|\n{rows}"


def as_svg(curves: dict[str, list[Point]]) -> str:
    """Both curves, on logarithmic axes."""
    every = [point for points in curves.values() for point in points]
    low_x, high_x = (f(log10(p.size) for p in every) for f in (min, max))
    low_y, high_y = (f(log10(p.seconds) for p in every) for f in (min, max))

    def spot(point: Point) -> str:
        x = MARGIN + (log10(point.size) - low_x) / (high_x - low_x) * (WIDTH - 2 * MARGIN)
        y = (
            HEIGHT
            - MARGIN
            - (log10(point.seconds) - low_y) / (high_y - low_y) * (HEIGHT - 2 * MARGIN)
        )
        return f"{x:.1f},{y:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
        "<title>Seconds by transitions of a duel and by attacks of battles</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    styles = (("#0072B2", ""), ("#D55E00", "6 4"))
    for place, ((name, points), (colour, dash)) in enumerate(
        zip(curves.items(), styles, strict=True)
    ):
        line = " ".join(map(spot, points))
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2" '
            f'stroke-dasharray="{dash}"/>'
        )
        y = MARGIN / 2 + 18 * place
        parts.append(
            f'<line x1="{MARGIN}" y1="{y}" x2="{MARGIN + 40}" y2="{y}" stroke="{colour}" '
            f'stroke-width="2" stroke-dasharray="{dash}"/>'
            f'<text x="{MARGIN + 50}" y="{y + 4}">{name}</text>'
        )
    for exponent in range(int(low_x) + 1, int(high_x) + 1):
        x = spot(Point(10**exponent, 10**low_y)).partition(",")[0]
        parts.append(
            f'<text x="{x}" y="{HEIGHT - MARGIN + 20}" text-anchor="middle">10^{exponent}</text>'
        )
    for exponent in range(round(low_y), round(high_y) + 1):
        height = spot(Point(round(10**low_x), 10.0**exponent)).partition(",")[2]
        parts.append(
            f'<text x="{MARGIN - 8}" y="{height}" text-anchor="end">{10.0**exponent:g} s</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def told(before: Spent) -> str:
    """What this was measured on, and what it took."""
    took = spent().since(before)
    return f"{described()}\n{took}.\nLoad {loads()}.\n"


def main(words: Sequence[str] | None = None) -> None:
    """Measure, print, and draw if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", metavar="FILE", help="draw both curves as SVG")
    parser.add_argument("--quick", action="store_true", help="small ones only; no figures to cite")
    given = parser.parse_args(words)
    before = spent()
    of_duels = duels(QUICK_DURABILITIES if given.quick else DURABILITIES)
    of_battles = battles(QUICK_BATTLES if given.quick else BATTLES)
    print(as_table("Duels", "transitions", of_duels))
    print(as_table("Battles, three against three", "attacks, about", of_battles))
    print(told(before))
    if given.write:
        curves = {"a duel, by transitions": of_duels, "battles, by attacks": of_battles}
        with open(given.write, "w", encoding="utf-8") as file:
            file.write(as_svg(curves))


if __name__ == "__main__":
    main()
