"""A member on a corner counts once, however many enemies touch it (EM-22).

The wanted numbers come from squares: members stand one by one on a grid, one base to a square, and
a member is in contact with an enemy if one of its four neighbors belongs to that enemy.
"""

from __future__ import annotations

from itertools import product

import pytest

from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.systems.emlia.gear import Skill
from affray.systems.emlia.parties import terms_of
from affray.systems.emlia.sheet import Contact, Face, Other, Setup, Unit
from affray.systems.emlia.state import Decisions, Status
from affray.systems.emlia.strength import crews_of, members_of
from affray.systems.emlia.table.placing import Placement, Table
from tests.systems.emlia.factories import SYSTEM, game, played

Square = tuple[int, int]
SIDES = ("front", "right", "rear", "left")
FACE: dict[str, Face] = {"front": "front", "right": "flank", "rear": "rear", "left": "flank"}
ATTACK = Decisions(action="close_combat")


def _around(files: int, ranks: int, side: str) -> tuple[set[Square], Placement]:
    """An enemy along one whole side of a block whose front rank is row 0: squares and placement."""
    wide = files if side in {"front", "rear"} else ranks
    x, y, facing = {
        "front": (files / 2, 0, 180), "rear": (files / 2, -ranks, 0),
        "right": (files, -ranks / 2, 270), "left": (0, -ranks / 2, 90),
    }[side]  # fmt: skip
    squares = {
        "front": {(n, 1) for n in range(files)}, "rear": {(n, -ranks) for n in range(files)},
        "right": {(files, -n) for n in range(ranks)}, "left": {(-1, -n) for n in range(ranks)},
    }[side]  # fmt: skip
    place = Placement(unit=side, x=x, y=y, facing=facing, files=wide, side="defender")
    return squares, place


def _touching(own: set[Square], enemy: set[Square]) -> set[Square]:
    steps = ((0, 1), (0, -1), (1, 0), (-1, 0))
    return {(x, y) for x, y in own if any((x + dx, y + dy) in enemy for dx, dy in steps)}


def _skills(level: int) -> tuple[Skill, ...]:
    """A die for each member who fights."""
    return (Skill(skill="close_combat", level=level, diminish=1),)


def _units(files: int, ranks: int, sides: list[str]) -> Setup:
    """One ranked unit, and an enemy of one rank along each of some of its sides."""
    enemies = [
        Unit(name=side, formation="ranked", skills=_skills(1),
             members=files if side in {"front", "rear"} else ranks)
        for side in sides
    ]  # fmt: skip
    own = Unit(name="own", members=files * ranks, formation="ranked", skills=_skills(files * ranks))
    return Setup(attacker=own, defender=enemies[0], action="close_combat",
                 others=tuple([Other(who=unit, side="enemy") for unit in enemies[1:]]))  # fmt: skip


def _counted(setup: Setup) -> tuple[int, int]:
    """Dice of the attack, and members of the unit for the odds."""
    terms = terms_of(setup, Rulings.pick(SYSTEM.rulings, {}))
    statuses = tuple([Status(party.troop.members) for party in terms.troops])
    ((_, crew),) = crews_of(terms, statuses[:1], ATTACK)
    return crew.dice, members_of(terms, statuses, ATTACK, "friend")


@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("files", [1, 2, 3, 5])
def test_em22_a_member_counts_once_whoever_touches_it(files: int, ranks: int) -> None:
    """All 15 sets of sides, measured on a table and declared in numbers."""
    own = {(x, -y) for x, y in product(range(files), range(ranks))}
    for picked in product((False, True), repeat=len(SIDES)):
        sides = [side for side, there in zip(SIDES, picked, strict=True) if there]
        if not sides:
            continue
        setup = _units(files, ranks, sides)
        around = [_around(files, ranks, side) for side in sides]
        touched = [_touching(own, squares) for squares, _ in around]
        every = set().union(*touched)
        block = Placement(unit="own", x=files / 2, y=0, facing=0, files=files, side="attacker")
        table = Table(placements=(block, *[place for _, place in around]))
        measured = _counted(replace(setup, table=table, resolution=True))
        assert measured == (len(every),) * 2, sides
        fresh = [
            len(mine - set().union(*touched[:place])) for place, mine in enumerate(touched)
        ]  # fmt: skip
        contacts = [
            Contact(side="front", own_side=FACE[side], members=unit.members, theirs=new)
            for side, unit, new in zip(sides, _enemies(setup), fresh, strict=True)
        ]
        first = replace(contacts[0], members=fresh[0], theirs=_enemies(setup)[0].members)
        others = tuple([
            replace(other, fights=True, engages=True,
                    contact=replace(seen, side=seen.own_side, own_side="front"))
            for other, seen in zip(setup.others, contacts[1:], strict=True)
        ])  # fmt: skip
        declared = _counted(replace(setup, engaged=True, contact=first, others=others))
        assert declared == (len(every),) * 2, sides


def _enemies(setup: Setup) -> list[Unit]:
    return [setup.defender, *[other.who for other in setup.others]]


@pytest.mark.parametrize(("reach", "wanted"), [(0, 6), (1, 10)])
def test_em22_reach_counts_each_member_once(reach: int, wanted: int) -> None:
    """Five files in two ranks, touched at the front and on the right flank: 5 + 1, then all 10."""
    setup = _units(5, 2, ["front", "right"])
    block = Placement(unit="own", x=2.5, y=0, facing=0, files=5, side="attacker")
    table = Table(placements=(block, *[_around(5, 2, side)[1] for side in ("front", "right")]))
    attacker = replace(setup.attacker, reach=reach)
    found = _counted(replace(setup, attacker=attacker, table=table))
    assert found == (wanted, wanted)


def test_em22_without_dice_it_is_told_how_many_are_in_contact() -> None:
    """Ten members touched at one corner: nine are left out, and 5 - 9 leaves no die."""
    setup = _units(5, 2, ["front"])
    own = Placement(unit="own", x=2.5, y=0, facing=0, files=5, side="attacker")
    aim = Placement(unit="front", x=7.5, y=0, facing=180, files=5, side="defender")
    made = replace(setup, attacker=replace(setup.attacker, skills=_skills(5)),
                   table=Table(placements=(own, aim)))  # fmt: skip
    told = [line.says for line in played(game(made)).log]
    assert "own has no dice: only 1 of its 10 members can fight (EM-22)." in told
