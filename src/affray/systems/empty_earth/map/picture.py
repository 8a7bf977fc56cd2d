"""The map in letters: borders and lines as they lie, aim dots, and who stands where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import floor

from affray.core.ruling import Rulings
from affray.systems.empty_earth.map.geometry import Point, pieces
from affray.systems.empty_earth.map.placed import in_words, stance_on
from affray.systems.empty_earth.map.zones import Figure, Ground, Map
from affray.systems.empty_earth.state import Exchange

__all__ = ["box", "codes", "letters", "name_of", "picture", "summary"]

WIDE, TALL = 66, 26
"""Most columns and rows of the map."""
INKS = {"other": "~", "green": "%", "black": "#"}
"""How lines are drawn, by color; the last ones go over the others."""
BORDER, DOT = ".", "*"
KEY = "# black, % green, ~ other line, . border, * aim dot; capitals: attacker and defender"


def picture(x: Exchange) -> str:
    """The map in letters; "" without one."""
    ground = x.terms.ground
    return "" if ground is None else letters(ground, x.rulings)


def letters(ground: Ground, rulings: Rulings) -> str:
    """The map, a key to it, every Zone with those who stand in it, and how the two stand."""
    sheet = _Paper(ground.chart)
    for zone in ground.chart.zones:
        sheet.draw((*zone.outline, zone.outline[0]), BORDER)
    for color, ink in INKS.items():
        for line in ground.chart.lines:
            if line.color == color:
                sheet.draw(line.points, ink)
    for zone in ground.chart.zones:
        for dot in zone.dots:
            column, row = sheet.cell(dot)
            sheet.rows[row][column] = DOT
    for zone in ground.chart.zones:
        column, row = sheet.cell(zone.dots[0])
        sheet.write(zone.name, column, row)
        here = [code for code, figure in codes(ground) if figure.zone == zone.name]
        sheet.write(" ".join(here), column, row)
    told = [line.rstrip() for line in map("".join, sheet.rows)]
    return "\n".join((*told, "", KEY, *_standing(ground), summary(ground, rulings)))


def _standing(ground: Ground) -> Iterator[str]:
    for zone in ground.chart.names:
        names = [
            f"{code} {name_of(code, figure)}"
            for code, figure in codes(ground)
            if figure.zone == zone
        ]
        yield f"{zone}: {', '.join(names) or '-'}"


def summary(ground: Ground, rulings: Rulings) -> str:
    """How the attacker stands to the defender, in one line."""
    return f"attacker to defender: {in_words(stance_on(ground, rulings))}"


def codes(ground: Ground) -> list[tuple[str, Figure]]:
    """Everybody with a code for the map: A and D, then a1, d1, d2, ..."""
    found = [("A", ground.attacker), ("D", ground.defender)]
    met = {"attacker": 0, "defender": 0}
    for figure in ground.others:
        met[figure.friend_of] += 1
        found.append((f"{figure.friend_of[0]}{met[figure.friend_of]}", figure))
    return found


def name_of(code: str, figure: Figure) -> str:
    """What a figure is called; those without a name by their part."""
    part = figure.friend_of if code in {"A", "D"} else f"{figure.friend_of}'s friend"
    return figure.name or part


def box(chart: Map) -> tuple[int, int, int, int]:
    """Left, bottom, right and top of everything that is drawn."""
    points = [point for zone in chart.zones for point in zone.outline]
    points += [point for line in chart.lines for point in line.points]
    columns, rows = zip(*points, strict=True)
    return min(columns), min(rows), max(columns), max(rows)


class _Paper:
    """Rows of letters with a map to scale; a letter is twice as tall as wide."""

    def __init__(self, chart: Map) -> None:
        self.left, bottom, right, self.top = box(chart)
        self.unit = max(
            Fraction(right - self.left, WIDE), Fraction(self.top - bottom, 2 * TALL)
        )  # fmt: skip
        columns, rows = self.cell((right, bottom))
        self.rows = [[" "] * (columns + 1) for _ in range(rows + 1)]

    def cell(self, point: Point) -> tuple[int, int]:
        """Column and row of a place."""
        half = Fraction(1, 2)
        return (
            floor((point[0] - self.left) / self.unit + half),
            floor((self.top - point[1]) / (2 * self.unit) + half),
        )

    def draw(self, points: Sequence[Point], ink: str) -> None:
        """Draw a line through these points."""
        for a, b in pieces(points):
            (ax, ay), (bx, by) = self.cell(a), self.cell(b)
            steps = max(abs(bx - ax), abs(by - ay), 1)
            for n in range(steps + 1):
                share = Fraction(n, steps)
                column = floor(ax + (bx - ax) * share + Fraction(1, 2))
                row = floor(ay + (by - ay) * share + Fraction(1, 2))
                self.rows[row][column] = ink

    def write(self, text: str, column: int, row: int) -> None:
        """Write a text near a place, where most of the paper is free."""
        middle = column - len(text) // 2
        below = [(middle + shift, row + down) for down in (1, -1, 2, -2) for shift in (0, 2, -2)]
        spots = [(column + 2, row), *below, (column - len(text) - 1, row)]
        fitting = [(x, y) for x, y in spots if self._fits(x, y, len(text))]
        if not fitting:
            return  # the list below the map has it
        x, y = min(fitting, key=lambda spot: self._used(spot[0], spot[1], len(text)))
        if not self._used(x, y, len(text)):
            self.rows[y][x : x + len(text)] = text

    def _fits(self, x: int, y: int, long: int) -> bool:
        return 0 <= y < len(self.rows) and x >= 0 and x + long <= len(self.rows[0])

    def _used(self, x: int, y: int, long: int) -> int:
        around = self.rows[y][max(0, x - 1) : x + long + 1]
        return sum(letter != " " for letter in around)
