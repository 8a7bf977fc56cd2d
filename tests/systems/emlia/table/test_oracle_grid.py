"""Tables of blocks along a grid, drawn with a seed, against rectangles and counting members."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.core.ruling import Rulings
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Session
from affray.systems.emlia.engagement import morale_of
from affray.systems.emlia.gear import Skill
from affray.systems.emlia.measured import grounded
from affray.systems.emlia.parties import terms_of
from affray.systems.emlia.sheet import Contact, Other, Setup, Unit
from affray.systems.emlia.state import Decisions
from affray.systems.emlia.table import contact
from affray.systems.emlia.table.manoeuvres import march
from affray.systems.emlia.table.placing import Area, Placement, Table
from tests.oracles import emlia_grid as grid
from tests.systems.emlia.factories import SYSTEM

HALF = Fraction(1, 2)
Block = grid.Block


def _block(rng: Random, name: str, side: str) -> Block:
    files = rng.randint(1, 4)
    return {
        "unit": name, "side": side, "files": files, "members": rng.randint(1, 3 * files),
        "base": rng.choice((1, 1, 2, HALF)), "depth": rng.choice((1, 1, 2, HALF)),
        "facing": rng.choice((0, 90, 180, 270)), "x": Fraction(0), "y": Fraction(0),
    }  # fmt: skip


def _beside(rng: Random, aim: Block, name: str, side: str, gap: Fraction) -> Block:
    """A block some way off one of the edges of another, its corner perhaps past that edge's."""
    made = _block(rng, name, side)
    there, own = grid.rect_of(aim), grid.rect_of(made)
    wide, high = own.right - own.left, own.high - own.low
    dx = rng.choice((-wide, there.right - there.left, None))
    dy = rng.choice((-high, there.high - there.low, None)) if dx is None else None
    if dx is None and dy is None:
        dx = -wide
    steps = 2 * int(there.right - there.left + there.high - there.low + wide + high)
    free = Fraction(rng.randint(0, steps), 2)
    if dx is not None:
        x = there.left + dx + (gap if dx >= 0 else -gap)
        y = there.low - high + min(free, there.high - there.low + high)
    else:
        assert dy is not None
        y = there.low + dy + (gap if dy >= 0 else -gap)
        x = there.left - wide + min(free, there.right - there.left + wide)
    return {**made, "x": made["x"] + x - own.left, "y": made["y"] + y - own.low}


def _scene(rng: Random, gap: Fraction = Fraction(0)) -> list[Block]:
    """A of the attacker, B of the defender, and up to three more beside either."""
    aim = _block(rng, "B", "defender")
    blocks = [_beside(rng, aim, "A", "attacker", gap), aim]
    for name in "CDE"[: rng.randint(0, 3)]:
        near = rng.choice(blocks)
        side = rng.choice(("attacker", "defender"))
        away = rng.choice((Fraction(0), Fraction(0), HALF, Fraction(3)))
        blocks.append(_beside(rng, near, name, side, away))
    return blocks


def _clear(blocks: list[Block]) -> bool:
    return not any(grid.overlap(one, other) for n, one in enumerate(blocks) for other in blocks[:n])


def _table(blocks: list[Block], **more: Any) -> Table:
    placements = []
    for block in blocks:
        told = {**block, **{key: float(block[key]) for key in ("x", "y", "base", "depth")}}
        placements.append(Placement(**told))
    return Table(placements=tuple(placements), **more)


def _unit(block: Block, reach: int = 0, **more: Any) -> Unit:
    return Unit(name=block["unit"], members=block["members"], reach=reach, **more)


def _ground(rng: Random, blocks: list[Block]) -> grid.Ground:
    """A rectangle somewhere among the blocks, which slows to a half or a quarter."""
    near = grid.rect_of(rng.choice(blocks))
    left, low = near.left - rng.randint(0, 6), near.low - rng.randint(0, 6)
    wide, high = rng.randint(1, 8), rng.randint(1, 8)
    return grid.Ground(grid.Rect(left, left + wide, low, low + high), Fraction(rng.choice((2, 4))))


def _area(ground: grid.Ground) -> Area:
    left, right, low, high = map(float, ground.rect)
    corners = ((left, low), (right, low), (right, high), (left, high))
    return Area(corners=corners, slows=float(ground.slows))


MELEES = ("close_combat_of_close", "ranked_in_melee", "joins_skirmish", "morale_sides")
APART = {"close_combat_of_close": "apart"}


def _picks(rng: Random) -> dict[str, str]:
    return {
        ruling.name: rng.choice((ruling.default, *ruling.options))
        for ruling in SYSTEM.rulings
        if ruling.name in MELEES
    }


def _wanted(blocks: list[Block], reach: dict[str, int], one: Block, other: Block) -> Contact:
    """A contact as a setup has it: `side` is that of the other."""
    seen = grid.meeting(one, other)
    assert seen is not None
    side: Any = grid.SIDE
    return Contact(
        side=side[seen.edge_of_other], own_side=side[seen.edge], members=seen.members,
        theirs=seen.theirs, fighting=grid.fighting(one, other, reach[one["unit"]]),
        theirs_fighting=grid.fighting(other, one, reach[other["unit"]]),
        fronts=max(1, grid.fronts(blocks, other)), own_fronts=max(1, grid.fronts(blocks, one)),
    )  # fmt: skip


@pytest.mark.parametrize("start", range(0, 240, 60))
def test_em10_em22_tables_say_what_rectangles_say(start: int) -> None:
    """Touching, sides, members, fronts and distances of every pair; or by how much they overlap."""
    apart = 0
    for seed in range(start, start + 60):
        rng = Random(seed)
        blocks = _scene(rng, rng.choice((Fraction(0), Fraction(0), HALF)))
        made = _table(blocks)
        if not _clear(blocks):
            with pytest.raises(SetupError, match=r"overlap by .* inch"):
                contact.checked(made)
            continue
        apart += 1
        for n, one in enumerate(blocks):
            near = [other["unit"] for other in grid.engaged(blocks, one)]
            assert list(contact.engaged(made, one["unit"])) == near, seed
            assert len(contact.fronts(made, one["unit"])) == grid.fronts(blocks, one), seed
            for other in blocks[:n]:
                away = contact.distance(made, one["unit"], other["unit"])
                assert away == pytest.approx(grid.distance(one, other), abs=1e-9), seed
        pairs = [(one, other) for n, one in enumerate(blocks) for other in blocks[n + 1 :]]
        found = [(one, other, seen) for one, other in pairs if (seen := grid.meeting(one, other))]
        assert [tuple(got[:6]) for got in contact.contacts(made)] == [
            (one["unit"], other["unit"], *seen) for one, other, seen in found
        ], seed
        for (one, other, _), got in zip(found, contact.contacts(made), strict=True):
            assert got.hostile == (one["side"] != other["side"]), seed
        for one in blocks:
            foes = grid.engaged(blocks, one)
            enemies = [made.of(foe["unit"]) for foe in foes]
            for reach in (0, 1, 2):
                each = set().union(*[grid.fighters(one, foe, reach) for foe in foes])
                assert contact.fighting(made.of(one["unit"]), enemies, reach) == len(each), seed
    assert apart >= 20


@pytest.mark.parametrize("start", range(0, 180, 60))
def test_em10_em22_setups_on_tables_have_what_the_table_shows(start: int) -> None:
    """Distance, contacts and fronts of attacker and target; whom the others touch."""
    for seed in range(start, start + 60):
        rng = Random(seed)
        blocks = _scene(rng, rng.choice((Fraction(0), Fraction(0), HALF, Fraction(4))))
        if not _clear(blocks):
            continue
        for block in blocks:
            block["elevation"] = rng.choice((0.0, 0.0, 1.4, -2.0))
        reach = {block["unit"]: rng.choice((0, 0, 1, 2)) for block in blocks}
        picks = _picks(rng)
        kinds = ("close", "close", "open", "ranked")
        formation = {block["unit"]: rng.choice(kinds) for block in blocks}
        units = [
            _unit(block, reach[block["unit"]], formation=formation[block["unit"]])
            for block in blocks
        ]
        a, b, *more = blocks
        others = tuple(
            Other(who=unit, side="friend" if block["side"] == "attacker" else "enemy")
            for unit, block in zip(units[2:], more, strict=True)
        )
        shuffled = rng.sample(blocks, len(blocks))
        given = Setup(attacker=units[0], defender=units[1], others=others, table=_table(shuffled))
        rulings = Rulings.pick(SYSTEM.rulings, picks)
        made = grounded(given, rulings)
        whole, bounds = grid.combats(blocks, formation, picks)
        near = grid.engaged(blocks, a)
        engaged = b in near or "B" in bounds["A"]
        assert made.engaged == engaged, seed
        gaps = [
            (grid.distance(one, other), other["side"])
            for one in blocks if one["unit"] in bounds["A"]
            for other in blocks if other["unit"] in bounds["B"]
        ]  # fmt: skip
        foes = [gap for gap, side in gaps if side == "defender"]
        away = min(gaps)[0] or min(foes)  # a friend in a skirmish may be touched alone
        assert made.distance == pytest.approx(0 if engaged else away, abs=1e-9), seed
        assert made.contact == (_wanted(blocks, reach, a, b) if b in near else Contact()), seed
        for unit, block in ((made.attacker, a), (made.defender, b)):
            assert unit.elevation == round(block["elevation"]), seed
        for other, block in zip(made.others, more, strict=True):
            touched = grid.engaged(shuffled, block)
            assert other.fights == (block["unit"] in whole["B"]), seed
            inside = block["unit"] in bounds["A"] and block["side"] == "defender"
            assert other.engages == (a in touched or inside), seed
            assert other.who.elevation == round(block["elevation"]), seed
            whom = b if block["side"] == "attacker" else a
            if touched and whom not in touched:
                whom = touched[0]
            assert other.contact == (
                _wanted(blocks, reach, block, whom) if touched else Contact()
            ), seed
        terms = terms_of(given, rulings)
        for place, block in enumerate(blocks):
            ranked = formation[block["unit"]] == "ranked"
            cost = grid.morale(blocks, block, picks) if ranked else 0
            assert morale_of(terms, Decisions(), place) == cost, seed


@pytest.mark.parametrize("start", range(0, 150, 50))
def test_em35_charges_straight_ahead_go_as_far_as_rectangles_let_them(start: int) -> None:
    """A looks at B; whoever is between stops it."""
    ran = 0
    for seed in range(start, start + 50):
        rng = Random(seed)
        blocks = _scene(rng, Fraction(rng.randint(2, 24), 2))
        a, b, *more = blocks
        facing = [turn for turn in grid.AHEAD if grid.ahead_of({**a, "facing": turn}, b)]
        a["facing"] = facing[0] if facing else a["facing"]
        if not _clear(blocks) or not grid.ahead_of(a, b):
            continue
        if any(grid.stretch(a, other) for other in more):
            continue
        ran += 1
        speed = rng.choice((2, 4, 6))
        reach = {block["unit"]: 0 for block in blocks}
        others = tuple(
            Other(who=_unit(block), side="friend" if block["side"] == "attacker" else "enemy")
            for block in more
        )
        own = _unit(a, speed=speed, skills=(Skill(skill="close_combat", level=3),))
        drawn = rng.choice(((), ((0.0, 0.0), tuple(map(float, grid.AHEAD[a["facing"]])))))
        ground = [_ground(rng, blocks) for _ in range(rng.choice((0, 0, 1, 2)))]
        made = Setup(attacker=own, defender=_unit(b), others=others, action="charge", focus="none",
                     table=_table(blocks, path=drawn, terrain=tuple(map(_area, ground)))
                     )  # fmt: skip
        went = grid.run(blocks, a, b, Fraction(2 * speed), ground)
        apart = Rulings.pick(SYSTEM.rulings, APART)
        here: Any = Session(Game(SYSTEM, SYSTEM.declared(made, apart))).here.facts
        assert here.moved == pytest.approx(float(went.moved), abs=2e-3), seed
        assert here.reached == went.arrives, seed
        if went.arrives:
            now = [went.end, *blocks[1:]]
            assert here.terms.setup.contact == _wanted(now, reach, went.end, b), seed
        else:
            stands = here.terms.setup.table.of("A")
            end = (float(went.end["x"]), float(went.end["y"]))
            assert (stands.x, stands.y) == pytest.approx(end, abs=2e-3), seed
            assert here.statuses[0].morale == -1, seed
    assert ran >= 10


@pytest.mark.parametrize("start", [0, 120])  # those between reach nothing more
def test_em60_em66_units_go_as_far_as_rectangles_let_them(start: int) -> None:
    """A goes up, down and across the table, whichever way it faces."""
    stopped = slowed = 0
    for seed in range(start, start + 40):
        rng = Random(seed)
        blocks = _scene(rng, Fraction(rng.randint(0, 8), 2))
        if not _clear(blocks):
            continue
        ground = [_ground(rng, blocks) for _ in range(rng.choice((0, 1, 2)))]
        table = _table(blocks, terrain=tuple(map(_area, ground)))
        movement = rng.choice((2, 4, 8))
        for heading in grid.AHEAD.values():
            far, met = grid.marched(blocks, blocks[0], heading, Fraction(movement), ground)
            found = march(table, "A", (float(heading[0]), float(heading[1])), movement)
            assert found.moved == pytest.approx(float(far), abs=2e-3), (seed, heading)
            if not met:
                slowed += far < movement
            elif far < movement:
                stopped += 1
                assert found.met in met, (seed, heading)
    assert stopped >= 10
    assert slowed >= 5
