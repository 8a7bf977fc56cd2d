"""A round of combat: hits are counted and take health."""

from __future__ import annotations

from affray.core.modifier import Total
from affray.core.node import Go, Node
from affray.core.step import step
from affray.systems.grid_battles import aftermath
from affray.systems.grid_battles import rulings as rule
from affray.systems.grid_battles.map.board import struck
from affray.systems.grid_battles.numbers import (
    health_of,
    hits_of,
    hits_total,
    reduced,
)
from affray.systems.grid_battles.reading import Rolled
from affray.systems.grid_battles.state import Exchange

__all__ = ["STEPS", "apply_hits", "count_hits"]


@step(
    "GB-5", "GB-11", "GB-12", "GB-13", "GB-14", "GB-15", "GB-23", "GB-26", "GB-27", "GB-28",
)  # fmt: skip
def count_hits(x: Exchange) -> Node[Exchange]:
    """Hits are scored: Damage, plus Bonus Damage with Advantage, less Shields."""
    hits = _hits(x, x.rolled)
    return Go(apply_hits, x._replace(rolled=Rolled(), shields=0, scored=hits))


def _hits(x: Exchange, rolled: Rolled) -> int:
    hits = hits_of(x.clash, rolled, x.shields)
    return hits if hits >= 0 or x.fought.rulings[rule.NEGATIVE] == "heals" else 0


@count_hits.says
def _(before: Exchange, after: Exchange) -> list[str | Total]:
    floor = before.fought.rulings[rule.NEGATIVE] == "zero"
    total = hits_total(before.clash, *before.rolled, before.shields, floor=floor)
    return [total, f"Scored hits: {after.scored}."]


@count_hits.briefly
def _(before: Exchange, after: Exchange) -> str:
    if after.scored > 0:
        return f"{after.scored} hit{'s' * (after.scored != 1)}"
    return f"{-after.scored} healed" if after.scored else "no hit"


@step("GB-5", "GB-9", "GB-16", "GB-47")
def apply_hits(x: Exchange) -> Node[Exchange]:
    """Each scored hit takes a point of health; a unit without any is removed."""
    terms, hits = x.fought, x.scored
    if x.backs:
        left = reduced(x.attacker, hits, terms.most[0])
        after = x._replace(
            attacker=left,
            scored=0,
            back_hits=x.back_hits + hits,
            taken=x.taken + max(0, x.attacker - left),
            fallen=x.fallen + (left == 0),
        )
    else:
        left = reduced(x.defender, hits, terms.most[1])
        after = x._replace(
            defender=left,
            scored=0,
            hits=x.hits + hits,
            damage=x.damage + max(0, x.defender - left),
        )
    if x.board is not None and x.board.pair is not None:
        board = struck(x.board, x.board.pair[0 if x.backs else 1], left)
        after = after._replace(board=board)
        if board.winner:
            return Go(aftermath.end_game, after)
    return Go(aftermath.end_combat if x.backs else aftermath.battle_back, after)


@apply_hits.says
def _(before: Exchange, after: Exchange) -> str:
    rulings, name = before.fought.rulings, before.clash.names[1]
    left = after.attacker if before.backs else after.defender
    if left:
        return f"{name} has {health_of(left, rulings)} health."
    winner = after.board.winner if after.board else ""
    won = f" Player {winner} has won." if winner else ""
    return f"{name} is removed.{won}"


@apply_hits.briefly
def _(before: Exchange, after: Exchange) -> str:
    if before.board is None or not before.scored:
        return ""  # the fight tells how everybody stands
    name = before.clash.names[1]
    left = after.attacker if before.backs else after.defender
    most = before.fought.most[0 if before.backs else 1]
    return f"{name} {left}/{most}" if left else f"{name} is removed"


STEPS = (count_hits, apply_hits)
"""The steps of this chapter in the order of the book."""
