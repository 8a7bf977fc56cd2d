"""Charts: where points, bars and the line of 50 % lie, what they say, and what they escape."""

import re
from xml.etree import ElementTree

from affray.web.charts.bars import Bar, bars
from affray.web.charts.curves import SHARES, Line, Point, curve, curve_file, number_axis
from affray.web.charts.heat_maps import HeatCell, heat
from affray.web.rendering import environment

ROUNDS = number_axis("round", 0, 4)
LINE = Line("Ada", (Point(0, 1.0, "100 %"), Point(1, 0.5, "50 %"), Point(4, 0.25, "25 %")))


def drawn(kind: str, chart: object) -> str:
    return environment().from_string(f"{{{{ charts.{kind}(it) }}}}").render(it=chart)


def test_a_line_goes_through_its_points() -> None:
    told = str(curve("c", "Still on", [LINE], across=ROUNDS).plot)
    assert 'points="0.000,0.000 25.000,50.000 100.000,75.000"' in told


def test_the_line_of_a_half_lies_in_the_middle_and_only_where_it_is_wanted() -> None:
    assert 'class="stroke-half"' not in str(curve("c", "t", [LINE], across=ROUNDS).plot)
    told = str(curve("c", "t", [LINE], across=ROUNDS, half=True).plot)
    assert re.search(r'class="stroke-half"[^>]* y1="50.00%" y2="50.00%"', told)


def test_an_interval_is_a_band() -> None:
    line = Line("Ada", (Point(0, 0.5, "", 0.4, 0.6), Point(4, 0.5, "", 0.3, 0.7)))
    told = str(curve("c", "t", [line], across=ROUNDS).plot)
    assert 'points="0.000,40.000 100.000,30.000 100.000,70.000 0.000,60.000"' in told


def test_lines_differ_without_color() -> None:
    both = [LINE, LINE._replace(name="Bo", role="other")]
    told = str(curve("c", "t", both, across=ROUNDS).plot)
    assert len(set(re.findall(r'stroke-dasharray="([^"]*)"', told))) == 2
    assert len(set(re.findall(r'<path[^>]* d="([^"]*)"', told))) == 2


def test_a_curve_has_a_twin_in_text() -> None:
    bo = Line("Bo", (Point(1, 0.1, "10 %"),), "other")
    made = curve("c", "Still on", [LINE, bo], across=ROUNDS)
    assert made.head == ("round", "Ada", "Bo")
    assert made.rows == (("0", "100 %", ""), ("1", "50 %", "10 %"), ("4", "25 %", ""))
    page = drawn("curve", made)
    assert all(cell in page for cell in ("Still on", ">10 %<", "As a table"))


def test_an_axis_has_round_labels() -> None:
    assert [told for _, told in number_axis("x", 0, 90, most=5).ticks] == [
        "0",
        "20",
        "40",
        "60",
        "80",
    ]
    assert [told for _, told in number_axis("x", 0, 1, most=5).ticks] == ["0", "1"]
    assert [told for _, told in number_axis("x", 3, 3).ticks] == ["3"]


def test_names_with_markup_are_harmless_in_a_page_and_in_a_file() -> None:
    line = LINE._replace(name="<script>\u202e")
    made = curve("c", "<b>", [line, LINE], across=ROUNDS)
    for told in (drawn("curve", made), curve_file(made)):
        assert "<script" not in told
        assert "\u202e" not in told
        assert "&lt;script&gt;" in told


def test_nothing_has_a_style_of_its_own() -> None:
    made = curve("c", "t", [LINE], across=ROUNDS, up=SHARES, half=True)
    assert "style=" not in drawn("curve", made) + curve_file(made)


def test_a_curve_as_a_file_is_whole() -> None:
    found = ElementTree.fromstring(curve_file(curve("c", "Still on", [LINE], across=ROUNDS)))
    texts = [node.text for node in found.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Still on", "round", "chance", "0 %", "50 %", "100 %"} <= set(texts)


def test_an_estimate_has_another_bar_than_an_exact_number() -> None:
    exact, sampled = Bar(("Ada", "50 %"), 0.5), Bar(("Ada", "50 %"), 0.5, 0.4, 0.6)
    assert "stroke-dasharray" not in exact.drawing
    assert "stroke-dasharray" in sampled.drawing
    assert all(
        f'{end}="{at}"' in sampled.drawing for end, at in (("x1", "40.00%"), ("x2", "60.00%"))
    )


def test_bars_may_be_scaled_to_the_longest() -> None:
    rows = [Bar(("1", "10 %"), 0.1), Bar(("2", "5 %"), 0.05)]
    assert [row.share for row in bars("b", "t", ("round", "ends"), rows, scaled=True).rows] == [
        1,
        0.5,
    ]
    page = drawn("bars", bars("b", "Rounds", ("round", "ends"), rows))
    assert all(word in page for word in ("<caption>Rounds</caption>", ">10 %<", 'width="10.00%"'))


def cells(*shares: float | None) -> list[HeatCell]:
    return [HeatCell("" if share is None else f"{share:.0%}", share, "words") for share in shares]


def test_the_line_of_a_half_runs_where_neighbors_lie_on_two_sides() -> None:
    made = heat(
        "h", "t", "row beats column", ("a", "b"), [("a", cells(0.5, 0.4)), ("b", cells(0.6, None))]
    )
    kinds = [[cell.kind for cell in row] for _, row in made.rows]
    assert kinds == [["heat-5 half-right", "heat-4"], ["heat-6", "heat-none"]]
    made = heat("h", "t", "c", ("a",), [("a", cells(0.2)), ("b", cells(1.0))])
    assert [row[0].kind for _, row in made.rows] == ["heat-2 half-below", "heat-9"]


def test_a_heat_map_names_both_axes() -> None:
    page = drawn(
        "heat", heat("h", "Who beats whom", "row beats column", ("Bo",), [("Ada", cells(0.25))])
    )
    assert all(word in page for word in ('<th scope="row">Ada</th>', "<span>Bo</span>", ">25%<"))
