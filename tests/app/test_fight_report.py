"""A fight looked back at: harm, luck, decisions, the chances along it; and its short forms."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache

import pytest

from affray.app.fight import Fight
from affray.app.fight_chances import ask_chances
from affray.app.fight_report import ask_report
from affray.app.rolling import Roll
from affray.app.views.envelope import to_json
from affray.app.views.fight_curve import to_svg
from affray.app.views.fight_report_text import SHORT, side_luck_told, to_markdown, to_short
from affray.app.views.fight_reports import ChanceRow, FightReportView, SideLuckRow
from affray.core.errors import SetupError, UnknownNameError
from affray.engine.budget import Budget
from affray.engine.exchange.sources import Seeded

HUSK = {"name": "Husk", "vitality_max": 3, "phys_def": 3,
        "attacks": [{"name": "claws", "dice": "2D6", "damage": 1}]}  # fmt: skip
BO = {"name": "Bo", "side": "pc", "vitality": 4, "phys_def": 4,
      "attacks": [{"name": "spear", "dice": "2D6", "damage": 2}]}  # fmt: skip
DUEL = {"one": {"name": "Bo", "fighters": [BO]}, "other": {"name": "Husk", "fighters": [HUSK]},
        "first": "one", "rulings": {"counter": "off"}}  # fmt: skip


@cache
def fought() -> Fight:
    """Bo hits once of two dice (2), the husk misses, Bo hits again and fells it."""
    fight = Fight.begin("empty-earth", DUEL)
    for faces in ([6, 1], [1, 2], [1, 6]):
        fight = fight.answer(f"attack: {'Husk' if faces != [1, 2] else 'Bo'}")
        while fight.asked is not None and fight.asked.kind == "exchange":
            question = fight.asked
            fight = fight.answer(faces if question.dice else question.options[0].name)
    return fight


@cache
def report() -> FightReportView:
    return ask_report(fought())


def test_each_exchange_is_told_in_two_lines() -> None:
    rows = [
        (row.number, row.round, row.fighter, row.deed, row.target) for row in report().exchanges
    ]
    assert rows == [
        (1, 1, "Bo", "attack", "Husk"), (2, 1, "Husk", "attack", "Bo"),
        (3, 2, "Bo", "attack", "Husk"),
    ]  # fmt: skip
    assert report().exchanges[0].rolled == "2d6: 6, 1"
    assert report().exchanges[0].came == "Husk: Vitality 3 of 3 → 1 of 3"
    assert report().verdict == "one"


def test_who_did_and_took_how_much_harm() -> None:
    rows = [(row.name, row.harm, row.suffered, row.felled) for row in report().carried]
    assert rows == [("Bo", 4, 0, 1), ("Husk", 0, 4, 0)]


def test_luck_is_told_by_what_a_roll_was_worth() -> None:
    """Two dice, each over 3 half of the time, 2 damage a hit: 0, 2, 4 with 1/4, 1/2, 1/4; mean 2.

    One hit is the middle: a quarter is worse, half the same. The husk misses with both dice,
    each over 4 one time in three: 4/9 of all rolls, and 2/3 of a point is what it lost.
    """
    found = [(row.name, round(row.percentile, 4), round(row.gain, 4)) for row in report().luck]
    assert found == [("Bo", 0.5, 0.0), ("Husk", 0.2222, -0.6667), ("Bo", 0.5, 0.0)]
    one, other = report().of_sides
    assert (one.rolls, one.gain, other.rolls) == (2, 0.0, 1)
    assert other.gain == pytest.approx(-2 / 3)


@pytest.mark.parametrize(
    ("percentile", "gain", "rolls", "told"),
    [
        (0.56, 2.98, 21, "slightly good (56 of 100, 21 rolls); the dice gave 3.0 damage more"),
        (0.5, 0.004, 3, "average (50 of 100, 3 rolls); the dice gave as much damage as on"),
        (0.2222, -0.6667, 1, "bad (22 of 100, 1 roll); the dice gave 0.67 damage less than"),
        (0.9999, 12.34, 2, "very good (99 of 100, 2 rolls); the dice gave 12.3 damage more"),
        (0.0, -1, 2, "very bad (1 of 100, 2 rolls); the dice gave 1.0 damage less"),
    ],
)
def test_the_luck_of_a_side_is_told_in_words(
    percentile: float, gain: float, rolls: int, told: str
) -> None:
    row = SideLuckRow("one", "Bo", rolls, percentile, gain)
    assert side_luck_told(row, "damage").startswith(f"Bo: luck {told}")
    assert side_luck_told(row, "damage").endswith("average")


def test_luck_is_told_alike_wherever_a_fight_is_told() -> None:
    told = [side_luck_told(row, report().objective) for row in report().of_sides]
    for text in (to_markdown(report()), to_short(report())):
        assert all(line in text for line in told)


def test_the_costliest_decision_comes_first() -> None:
    """Ada buys nothing for her attack; her barbs were worth it."""
    fight = Fight.begin("empty-earth", "brockton")
    costs = [row.cost for row in ask_report(_played(fight), budget=Budget(seconds=3.0)).decisions]
    assert costs == sorted(costs, reverse=True)
    assert costs[0] > 0


def _played(fight: Fight) -> Fight:
    """Two exchanges, in which everybody takes what comes first."""
    exchanges = 0
    while fight.asked is not None and exchanges < 2:
        question = fight.asked
        if question.dice is not None:
            fight = fight.answer([die.faces[0] for die in question.dice.dice])
        else:
            fight = fight.answer(question.options[0].name)
        exchanges = sum(event.kind == "exchange" for event in fight.session.log)
    return fight


def test_the_curve_ends_where_the_fight_did() -> None:
    points = report().curve
    assert [point.exchange for point in points] == [0, 1, 2, 3]
    assert {point.known for point in points} == {"exact"}
    assert points[-1].one.value == 1
    assert points[0].one.value < points[1].one.value
    assert all(
        point.one.value + point.other.value + point.neither.value == pytest.approx(1)
        for point in points
    )


def test_what_there_is_no_time_for_is_said() -> None:
    view = ask_report(fought(), budget=Budget(seconds=0.0))
    assert (view.unjudged, view.luck) == ((1, 2, 3), ())
    (end,) = view.curve  # that it is over takes no time
    assert (end.exchange, end.one.value, end.known) == (3, 1, "exact")
    assert len(view.exchanges) == 3
    assert "not judged" in to_markdown(view)


# -- to win ----------------------------------------------------------------------------------------


def by_first(system: str, name: str) -> Fight:
    """A fight in which computers take first options, played to its end."""
    dice, fight = Seeded(3), Fight.begin(system, name)
    while (question := fight.asked) is not None:
        if question.dice is not None:
            fight = fight.answer(Roll(question.dice).thrown(dice).answer)
        else:
            fight = fight.answer(fight.decides("first", Budget(seconds=60), seed=1))
    return fight


@pytest.mark.parametrize(
    ("system", "name"),
    [
        ("eclipse-phase", "w6"), ("empty-earth", "ada-bulwark"), ("affinity", "novices"),
        ("emlia", "irregulars"), ("grid-battles", "light-cavalry"),
    ],
)  # fmt: skip
def test_luck_is_told_in_the_chance_to_win(system: str, name: str) -> None:
    view = ask_report(by_first(system, name), "win", Budget(seconds=60))
    assert (view.objective, view.meaning) == ("win", "chance to win the fight")
    assert len(view.unjudged) < len(view.exchanges)
    assert all(-1 <= row.gain <= 1 for row in view.luck)
    assert "of the chance to win" in to_markdown(view)


def test_the_luck_of_both_makes_a_fight_that_nobody_decides() -> None:
    """From 18.341 % (several programs of others) to nothing: what one gains the other loses."""
    view = ask_report(by_first("eclipse-phase", "w6"), "win", Budget(seconds=60))
    assert view.verdict == "other"
    one, other = view.of_sides
    assert not view.unjudged
    assert one.gain - other.gain == pytest.approx(-0.183410623124140, abs=1e-9)


def test_of_many_the_chance_to_win_is_not_judged_and_that_is_said() -> None:
    fight = by_first("empty-earth", "brockton")
    view = ask_report(fight, "win", Budget(seconds=2))
    assert len(view.unjudged) == len(view.exchanges)
    assert view.of_sides == ()
    assert "not judged, as what they did to the chance to win is not known" in to_markdown(view)


def test_an_unknown_objective_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="glory"):
        ask_report(fought(), "glory")


def test_of_a_game_on_a_map_advice_says_what_it_is_worth() -> None:
    fight = Fight.begin("grid-battles", "ford")
    with pytest.raises(SetupError, match="one exchange"):
        ask_chances(fight)


def test_the_chances_are_exact_for_two_and_estimates_for_more() -> None:
    two = ask_chances(Fight.begin("empty-earth", DUEL))
    assert (two.known, two.played) == ("exact", 0)
    assert two.one.value == report().curve[0].one.value
    more = ask_chances(Fight.begin("empty-earth", "brockton"), Budget(battles=40))
    assert (more.known, more.played) == ("estimate", 40)
    assert more.one.low < more.one.value < more.one.high


# -- forms -----------------------------------------------------------------------------------------


def test_json_has_a_schema() -> None:
    made = to_json(report())
    assert (made["schema"], made["version"]) == ("affray/fight-report", 1)


def test_a_short_form_fits_a_chat_message_however_long_the_fight_was() -> None:
    view = report()
    assert to_short(view).splitlines()[0] == (
        "Bo against Husk: Bo has won, in round 2 after 3 exchanges."
    )
    long_name = "x" * 900
    many = tuple(replace_name(row, f"{long_name}{n}") for n, row in enumerate(view.carried * 50))
    assert len(to_short(replace(view, carried=many, sides=(long_name, long_name)))) <= SHORT


def replace_name(row: tuple[object, ...], name: str):  # type: ignore[no-untyped-def]  # a row
    return row._replace(name=name)  # type: ignore[attr-defined]


def test_nothing_in_a_name_is_markup() -> None:
    fighter = report().carried[0]._replace(name="[Bo](x) | *b* <i>")
    text = to_markdown(replace(report(), carried=(fighter,)))
    assert r"| \[Bo\](x) \| \*b\* \<i\> | 4 |" in text


def test_the_curve_is_a_picture_that_says_what_it_shows() -> None:
    drawn = ET.fromstring(to_svg(report()))
    space = {"s": "http://www.w3.org/2000/svg"}
    described = drawn.findtext("s:desc", namespaces=space)
    assert described is not None
    assert described.startswith("after 0 exchanges Bo ")
    assert len(drawn.findall("s:polyline", space)) == 2
    assert len(drawn.findall("s:circle", space)) == len(report().curve)
    (start, *_), never = report().curve, ChanceRow(0.0, 0.0, 0.05)  # told as "<5 %"
    seldom = start._replace(one=never, known="estimate")
    assert ET.fromstring(to_svg(replace(report(), curve=(seldom,)))).findtext(
        ".//s:circle/s:title", namespaces=space
    ) == "Bo: <5 %"  # fmt: skip
    nothing = ET.fromstring(to_svg(replace(report(), curve=())))
    assert nothing.findtext("s:desc", namespaces=space) == "no chances are known"
