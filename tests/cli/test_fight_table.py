"""The table of a fight: drawn when it has changed, by turns, in bars, what is new marked."""

from __future__ import annotations

import pytest

from affray.app.roles import MASTER
from affray.app.views.played_fights import FighterRow, FightView, TurnRow
from affray.cli.fight_table import ShortTable, level

SIDES = ("Travellers", "Marsh band")


def row(name: str, side: str, left: int, most: int, *short: str, state: str = "standing",
        ) -> FighterRow:  # fmt: skip
    return FighterRow(name, side, state, state in {"out", "dead"}, (), (left, most), short)


def seen(*rows: FighterRow, now: str = "", turns: tuple[str, ...] = ()) -> FightView:
    states = {name: "now" if name == now else "next" for name in turns}
    return FightView(
        system="toy", setup="", title="", role=MASTER, round=2, phase="turn", sides=SIDES,
        turns=tuple(TurnRow(name, "", state) for name, state in states.items()),
        fighters=rows, situations=(), picture="", exchange=(), question=None, events=(), moves=0,
        undone=0, verdict="",
    )  # fmt: skip


def drawn(*views: FightView, width: int = 80) -> list[str]:
    """The table of the last view, after the others were drawn."""
    table = ShortTable(width)
    return [list(table.lines(view)) for view in views][-1]


ADA, BO = row("Ada", "one", 7, 10, "1 wound"), row("Bo", "one", 12, 12)
HUSKS = tuple(row(f"Husk {number}", "other", 3, 3) for number in (1, 2, 4))


def test_fighters_stand_in_the_order_of_their_turns() -> None:
    assert drawn(seen(ADA, BO, HUSKS[0], now="Bo", turns=("Husk 1", "Bo", "Ada"))) == [
        "Round 2: + Travellers, - Marsh band",
        "  - Husk 1 ██████████   3/3",
        "> + Bo     ██████████ 12/12",
        "  + Ada    ███████░░░  7/10, 1 wound",
    ]


def test_who_stands_alike_shares_a_line() -> None:
    """Not those who are hurt, nor those whose turn it is."""
    hurt = row("Husk 3", "other", 1, 3)
    assert drawn(seen(BO, *HUSKS, hurt))[1:] == [
        "  + Bo           ██████████ 12/12", "  - Husk 1, 2, 4 unhurt",
        "  - Husk 3       ███░░░░░░░   1/3",
    ]  # fmt: skip
    assert drawn(seen(*HUSKS, now="Husk 2", turns=("Husk 2",)))[1:] == [
        "> - Husk 2    ██████████   3/3", "  - Husk 1, 4 unhurt"
    ]  # fmt: skip


def test_the_fallen_stand_apart() -> None:
    out, dead = row("Cy", "one", 0, 5, state="out"), row("Di", "other", 0, 5, state="dead")
    assert drawn(seen(out, BO, dead))[1:] == [
        "  + Bo ██████████ 12/12", "  Out: Cy, Di (dead)"
    ]  # fmt: skip


def test_what_has_changed_is_marked_and_nothing_else_is_drawn_again() -> None:
    hurt, fell = row("Bo", "one", 9, 12), row("Husk 1", "other", 0, 3, state="out")
    assert drawn(seen(ADA, BO, HUSKS[0]), seen(ADA, hurt, fell))[1:] == [
        "  + Ada ███████░░░  7/10, 1 wound", " *+ Bo  ████████░░  9/12", "  Out: Husk 1*"
    ]  # fmt: skip
    assert drawn(seen(ADA), seen(ADA, now="Ada", turns=("Ada",))) == [], (
        "turns alone change nothing"
    )


@pytest.mark.parametrize("width", [40, 30])
def test_a_narrow_terminal_has_one_line_each(width: int) -> None:
    rows = (row("Corporate guard", "other", 11, 30, "2 wounds", "prone, stunned 3"), ADA, *HUSKS)
    lines = drawn(seen(*rows), width=width)
    assert max(map(len, lines)) <= width
    assert len([line for line in lines if line.startswith("  ")]) >= 3
    assert any(line.endswith("…") for line in lines)


@pytest.mark.parametrize(
    ("left", "blocks"), [(0, 0), (1, 1), (12, 3), (29, 7), (39, 9), (40, 10)]
)  # fmt: skip
def test_a_bar_is_empty_only_at_none_and_full_only_at_all(left: int, blocks: int) -> None:
    assert level(left, 40) == "█" * blocks + "░" * (10 - blocks)


def test_a_bar_makes_room_for_words() -> None:
    unit = row("Ghurn Irregulars", "other", 11, 12, "1 casualty")
    assert drawn(seen(BO, unit), width=40)[1:] == [
        "  + Bo               █████ 12/12",
        "  - Ghurn Irregulars 11/12, 1 casualty",
    ]
