"""Close combats on a table: one boundary for a skirmish, nobody elsewhere, every side's morale."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Scene
from affray.core.ruling import Rulings
from affray.engine.exchange.game import Game
from affray.systems.emlia.fight import FIGHT
from affray.systems.emlia.gear import Weapon
from affray.systems.emlia.questions import drawing, picture
from affray.systems.emlia.sheet import Setup
from affray.systems.emlia.table.placing import Placement, Table

from .factories import (
    SYSTEM,
    asked,
    at,
    ends,
    friend,
    game,
    offered,
    other,
    play,
    played,
    question,
    setup,
    skill,
    unit,
)

BOW = Weapon(name="bow", skill="aimed_fire", short=7, medium=8, longest=12)


def ring(name: str, x: float, y: float, side: Any = "attacker") -> Placement:
    """Skirmishers within three inches of a point."""
    return Placement(unit=name, side=side, x=x, y=y, shape="ring", radius=3)


def loose(name: str, members: int = 6, **changes: Any) -> Any:
    return unit(name, members, formation="open", **changes)


def near_friend(**changes: Any) -> Setup:
    """Blue stands ten below F, whose skirmish with D goes on behind him: 7 to its boundary."""
    table = Table(placements=(
        Placement(unit="A", x=0, y=-10, files=3), ring("F", 0, 0), ring("D", 0, 6, "defender"),
    ))  # fmt: skip
    by = unit("A", 6, cc=4, aim=1, speed=6, morale=5, weapons=(BOW,))
    return setup(by, loose("D"), friend(loose("F")), **{"table": table, **changes})


def test_em63_a_charge_at_a_skirmish_ends_at_its_nearest_side() -> None:
    end = play(game(near_friend(action="charge")), 9, 9, 2, 2)
    ends(end, reached=True, moved=7, damage_by="D 2")


def test_em63_b31_or_the_friend_is_in_the_way() -> None:
    apart = {"joins_skirmish": "enemies"}
    end = play(game(near_friend(action="charge"), apart))
    ends(end, reached=False, moved=7, own_morale=-1, damage=0)


def test_em63_range_is_counted_to_the_nearest_side() -> None:
    """Seven is short range; under the other check nothing is held: 11 + 4."""
    made = near_friend(action="supporting_fire")
    assert at(made, {"check": "d20_11"}) == 15


def test_em63_who_touches_a_friend_in_a_skirmish_fights_its_enemies() -> None:
    table = Table(placements=(
        Placement(unit="A", x=0, y=-3, files=3), ring("F", 0, 0), ring("D", 0, 6, "defender"),
    ))  # fmt: skip
    ends(play(game(near_friend(table=table)), 9, 9, 2, 2), damage_by="D 2")
    with pytest.raises(SetupError, match=r"the target is 6 away, out of melee range \(EM-32\)"):
        game(near_friend(table=table), {"joins_skirmish": "enemies"})


def test_em13_em63_units_elsewhere_on_the_table_are_in_no_skirmish_here() -> None:
    """D fights nobody, E and F fight two hundred inches off: one body of D alone."""
    table = Table(placements=(
        Placement(unit="S", x=0, y=-20, files=6), ring("D", 0, 0, "defender"),
        ring("E", 206, 0, "defender"), ring("F", 200, 0),
    ))  # fmt: skip
    made = setup(unit("S", 6, aim=2), loose("D", 4), other(loose("E", 8)), friend(loose("F", 8)),
                 action="aimed_fire", table=table)  # fmt: skip
    ends(play(game(made), 9, 9), damage_by="D 2", friend_casualties=0)


@pytest.mark.parametrize("laid", [True, False])
def test_em12_em63_all_enemies_in_a_skirmish_strike_at_a_unit_that_leaves_it(laid: bool) -> None:
    """Y touches X, Z touches only F: three dice and five."""
    table = Table(placements=(
        ring("X", 0, 0), ring("Y", 6, 0, "defender"), ring("F", 12, 0),
        ring("Z", 18, 0, "defender"),
    ))  # fmt: skip
    told: dict[str, Any] = {"table": table} if laid else {"engaged": True}
    made = setup(loose("X", 10), loose("Y", 4, cc=3), other(loose("Z", 4, cc=5)),
                 friend(loose("F", 4)), action="move", **told)  # fmt: skip
    ends(play(game(made), options=("go",)), own_casualties=8)


def test_em12_em52_free_strikes_may_focus_on_a_character() -> None:
    """Four hits on ten men and a hero of three points: one extra for him each time round."""
    hero = unit("H", 1, damage_limit=3)
    made = setup(unit("X", 10, joined=(hero,)), unit("Y", 4, cc=4), action="move", engaged=True)
    session = asked(game(made)).answer("go")
    assert (question(session).actor, offered(session)) == ("defender", ["none", "X", "H"])
    # One group of eleven: its troops take turns, X first; in focus the hero starts, and takes one
    # more each time round.
    plain = play(game(made), options=("go", "none"))
    focused = play(game(made), options=("go", "H"))
    assert (plain["next_sheets"], focused["next_sheets"]) == (
        "X: marked = 2; H: damage = 2, unfelt = 2", "X: marked = 1; H: marked = 1, unfelt = 3",
    )  # fmt: skip


def test_em24_every_enemy_on_every_side_costs_morale() -> None:
    """Front, flank and rear: -1 -2, and two extra sides."""
    table = Table(placements=(
        Placement(unit="A", x=0, y=0, facing=180, files=5),
        Placement(unit="D", side="defender", x=0, y=0, files=5),
        Placement(unit="F", x=0, y=-2, files=5),
        Placement(unit="G", x=2.5, y=-1, facing=270, files=2),
    ))  # fmt: skip
    ranks = unit("D", 10, formation="ranked", morale=9)
    made = setup(unit("A", 10, cc=1), ranks, friend(unit("F", 10)), friend(unit("G", 10)),
                 table=table, resolution=True)  # fmt: skip
    ends(play(game(made), 2), morale=-5)


def test_em21_em24_surrounded_ranks_lose_seven_points_a_round() -> None:
    """Two flanks at -1, the rear at -2, three extra sides."""
    table = Table(placements=(
        Placement(unit="K", x=0, y=6, facing=180, files=4),
        Placement(unit="S", side="defender", x=0, y=0, files=5),
    ))  # fmt: skip
    by = unit("K", 12, speed=8, skills=(skill("cc", 12, 1),))
    made = setup(by, unit("S", 10, formation="ranked", morale=9), action="charge", table=table,
                 resolution=True)  # fmt: skip
    end = play(game(made), *[2] * 11, 1, options=("envelop",))
    ends(end, morale=-7, in_contact=12)


def test_em63_the_picture_shows_the_combined_boundary() -> None:
    outcome: Any = played(game(near_friend(action="charge")), 2, 2, 2, 2).outcome
    assert "One boundary: a skirmish of A, F, D" in picture(outcome)
    assert 'class="skirmish"' in drawing(outcome)
    apart: Any = asked(game(near_friend(action="aimed_fire"))).here.facts
    assert "One boundary: a skirmish of F, D" in picture(apart)


def test_em64_close_units_that_an_open_one_engages_are_one_body_in_play() -> None:
    made = setup(loose("A", 8, cc=4), unit("C", 6), other(unit("D", 6)))
    ends(play(game(made), 9, 9, 9, 9), damage_by="C 2, D 2")


@pytest.mark.parametrize(
    ("own", "theirs", "bodies"),
    [("open", "open", 2), ("open", "close", 2), ("close", "open", 2), ("close", "close", 1),
     ("ranked", "open", 1), ("open", "ranked", 1)],
)  # fmt: skip
def test_em64_in_fights_mates_are_one_body_where_an_open_unit_engages_them(
    own: Any, theirs: Any, bodies: int
) -> None:
    """Two dice against C, whose mate D stands beside it in the same formation."""
    by, foe, mate = loose("A", 8, cc=2), unit("C", 6), unit("D", 6)
    by, foe, mate = (
        replace(one, formation=formation)
        for one, formation in ((by, own), (foe, theirs), (mate, theirs))
    )
    rulings = Rulings()
    entered = [
        FIGHT.beside(one, FIGHT.enter(one, rulings), mates, foes)
        for one, mates, foes in ((by, [], [foe, mate]), (foe, [mate], [by]), (mate, [foe], [by]))
    ]
    context = FIGHT.context([(mate, entered[2])])
    scene = Scene(setup(by, foe), ATTACK, entered[0], entered[1], context, rulings)
    at_start: Any = FIGHT.declare(scene)
    session = asked(Game(SYSTEM, at_start))
    facts: Any = session.here.facts
    assert len(facts.checks[0].body) == bodies
