"""Free Strikes at a unit that moves while it is engaged."""

from __future__ import annotations

from affray.core.node import At, Go, Node, Option, choose
from affray.core.step import cites, step
from affray.systems.emlia import harm, moving
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.body import Pile, Stand
from affray.systems.emlia.crews import base_of, dice_of, weapon_for
from affray.systems.emlia.engagement import attack_of, fighting, is_here, strikers
from affray.systems.emlia.state import Exchange, Plan, Terms

__all__ = ["STEPS", "face_strikes", "strike_freely"]


@cites("EM-6", "EM-12", "EM-36")
def blows_of(terms: Terms, stands: tuple[Stand, ...], place: int) -> tuple[int, int]:
    """Hits and base damage of one troop's Free Strikes: its dice, all successes.

    Members who are pinned, or out of contact in ranked combat, don't count; the skill is that of
    a unit without them.
    """
    troop, stand = terms.troops[place].troop, stands[place]
    attack = attack_of(troop, "close_combat")
    assert attack is not None  # everybody has this one
    members = fighting(terms, stands, Plan(), place)
    out = stand.members - max(0, min(members, stand.members - stand.pinned))
    dice = dice_of(troop, stand, attack.skill, terms.rulings, out).dice
    hits = min(1, dice) if terms.rulings[rule.AUTO] == "one" else dice
    return hits, base_of(weapon_for(troop, attack), attack, 0, charged=False)


def _calls_for_strikes(x: Exchange) -> bool:
    """Whether the movement draws Free Strikes at all (B20)."""
    if not any(is_here(x.stands[place]) for place in strikers(x.terms)):
        return False
    if x.rulings[rule.STRIKES] == "any_move":
        return True
    return x.terms.setup.leaves or x.plan.action in {"charge", "disengage"}


@step("EM-11")
def face_strikes(x: Exchange) -> Node[Exchange]:
    """A unit that would move while engaged may stay rather than face Free Strikes."""
    if not _calls_for_strikes(x):
        return Go(moving.go_on, x)
    blows = sum(blows_of(x.terms, x.stands, place)[0] for place in strikers(x.terms))
    stays = x._replace(plan=x.plan._replace(stays=True))
    attacks = attack_of(x.terms.troops[0].troop, x.plan.action) is not None
    then = moving.go_on if attacks and x.plan.action != "charge" else moving.stand_fast
    return choose("attacker", "move through Free Strikes?", [
        Option("go", At(strike_freely, x), 0, f"{harm.counted(blows, 'hit')} first"),
        Option("stay", At(then, stays), 0, "no movement"),
    ])  # fmt: skip


@step("EM-6", "EM-11", "EM-12")
def strike_freely(x: Exchange) -> Node[Exchange]:
    """Every unit that engages the mover strikes, all dice successful."""
    among = strikers(x.terms)
    for turn in range(x.turn, len(among)):
        hits, base = blows_of(x.terms, x.stands, among[turn])
        body = tuple(place for place, party in enumerate(x.terms.troops) if party.unit == 0)
        targets = harm.targets_of(x.terms, x.stands, body, base)
        if hits and targets:
            pile = Pile(hits, "strike", targets)
            return Go(suffer_strikes, x._replace(turn=turn + 1, pile=pile))
    after = x._replace(turn=0)
    return Go(moving.go_on if _stands(x) else moving.stand_fast, after)


def _stands(x: Exchange) -> bool:
    """Whether anybody of the unit that moves is left."""
    own = x.stands[0]
    return is_here(own) and own.members > own.marked


@strike_freely.says
def _(before: Exchange, after: Exchange) -> str:
    if after.pile is None:
        return ""
    name = before.terms.troops[strikers(before.terms)[after.turn - 1]].name
    return f"{name} strikes: {harm.counted(after.pile.hits, 'hit')} (EM-12)."


@step("EM-41", "EM-42", "EM-43", "EM-53", "EM-54")
def suffer_strikes(x: Exchange) -> Node[Exchange]:
    """The hits of a Free Strike become damage on the mover's body."""
    return harm.allocation(x, again=suffer_strikes, table=roll_own_table, done=strike_freely)


suffer_strikes.says(harm.told)


@step("EM-43")
def roll_own_table(x: Exchange) -> Node[Exchange]:
    """A full threshold of damage on the mover: a roll on its table."""
    return harm.table_roll(x, into="row", then=apply_own_row)


@step("EM-43")
def apply_own_row(x: Exchange) -> Node[Exchange]:
    """What the table says takes effect before the next strike."""
    assert x.row is not None  # just rolled
    return harm.after_table(x._replace(row=None), x.row, again=suffer_strikes)


apply_own_row.says(harm.table_told)

STEPS = (face_strikes, strike_freely, suffer_strikes, roll_own_table, apply_own_row)
"""The steps of this chapter in the order of the book."""
