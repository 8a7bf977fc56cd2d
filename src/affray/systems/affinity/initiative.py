"""Initiative: both sides roll for it."""

from __future__ import annotations

from typing import Literal

from affray.core.dice import Pool
from affray.core.node import At, Chance, End, Go, Node, Option, choose
from affray.core.ruling import Rulings
from affray.core.step import cites, step
from affray.systems.affinity import rulings as rule
from affray.systems.affinity.attempts import cap_of
from affray.systems.affinity.numbers import resolve_bonus
from affray.systems.affinity.reading import Speed, least_rank
from affray.systems.affinity.sheet import Combatant, Hazard
from affray.systems.affinity.state import Actor, CombatantState, Exchange
from affray.systems.affinity.tables import DIE, INITIATIVE, RESOLVE, TIERS

__all__ = ["STEPS", "exert_for_speed", "initiative_pool", "order_of", "phases_of"]


def _whose(x: Exchange) -> tuple[Actor, Combatant, CombatantState]:
    """The attacker rolls first, then the defender."""
    setup, terms = x.terms.setup, x.terms
    if not x.speed:
        return "attacker", setup.attacker, terms.striker
    return "defender", setup.defender, terms.struck


def initiative_dice(sheet: Combatant, rulings: Rulings) -> int:
    """A combatant rolls this many dice for initiative, exertion apart."""
    if sheet.surprised:
        return sheet.surprised
    return sheet.prof if rulings[rule.INITIATIVE] == "proficiency" else INITIATIVE["dice"].size


def initiative_pool(sheet: Combatant, exertion: int, rulings: Rulings) -> tuple[Pool, Speed]:
    """Dice for initiative and how they are read."""
    reading = rulings[rule.INITIATIVE]
    safe = initiative_dice(sheet, rulings)
    threshold = TIERS["basic"].threshold if reading == "successes" else 0
    pool = Pool((DIE, safe), (DIE, exertion), labels=(("initiative", safe), ("exertion", exertion)))
    return pool, Speed(safe, threshold, ties=reading != "proficiency")


@step("AF-61")
def exert_for_speed(x: Exchange) -> Node[Exchange]:
    """A combatant who is not surprised may add exertion dice, up to Proficiency."""
    actor, sheet, now = _whose(x)
    if sheet.surprised:
        return Go(roll_speed, x._replace(done=x.done._replace(exerted=0)))
    cap = cap_of(sheet, now, x.rulings)
    options = [
        Option(str(n), At(roll_speed, x._replace(done=x.done._replace(exerted=n))), 0,
               f"{n} more dice")
        for n in range(cap + 1)
    ]  # fmt: skip
    return choose(actor, "exertion dice for initiative?", options)


@step("AF-60", "AF-61")
def roll_speed(x: Exchange) -> Node[Exchange]:
    """Initiative is rolled."""
    actor, sheet, _ = _whose(x)
    pool, read = initiative_pool(sheet, x.done.exerted, x.rulings)
    then = At(note_speed, x._replace(done=x.done._replace(exerted=0)))
    return Chance(actor, "initiative", pool, read, "swift", then)


@step("AF-7", "AF-55", "AF-61")
def note_speed(x: Exchange) -> Node[Exchange]:
    """Ones on exertion dice burn; a combatant who was not surprised gains Resolve."""
    _, sheet, now = _whose(x)
    swift = x.swift or (0, 0, 0)
    gain = 0
    if not sheet.surprised:
        gain = resolve_bonus(now.resolve, sheet.resolve_max, RESOLVE["unsurprised"])
    after = x._replace(swift=None, speed=(*x.speed, swift))
    if not x.speed:
        return Go(exert_for_speed, after._replace(own_resolve=gain, burn=swift[2]))
    return Go(compare_speed, after._replace(resolve=gain, lost=swift[2]))


@note_speed.says
def _(before: Exchange, after: Exchange) -> str:
    value, top, _ = after.speed[-1]
    return f"Initiative {value}, highest die {top}." if top else f"Initiative {value}."


@step("AF-60", "AF-61")
def compare_speed(x: Exchange) -> Node[Exchange]:
    """The higher value acts first, then the higher single die; else it is a tie."""
    one, other = x.speed[0][:2], x.speed[1][:2]
    first: Literal["attacker", "defender", "tie"]
    first = "attacker" if one > other else "defender" if other > one else "tie"
    return End(x._replace(plan=None, first=first))


@compare_speed.briefly
@compare_speed.says
def _(before: Exchange, after: Exchange) -> str:
    setup = after.terms.setup
    phases = f" In order: {order_of(after)}." if setup.attacker.lair or setup.defender.lair else ""
    if after.first == "tie":
        return f"A tie: roll again, or let the game master decide.{phases}"
    return f"The {after.first} acts first.{phases}"


@cites("AF-60", "AF-72")
def phases_of(sheet: Combatant, rulings: Rulings) -> tuple[tuple[int, Hazard], ...]:
    """The phases of a combatant's home ground.

    Each comes before those of a lower rank than the number beside it (see `reading.Rank`).
    """
    higher = rulings[rule.COUNTS] == "before"
    return tuple((least_rank(hazard.count + higher), hazard) for hazard in sheet.lair)


@cites("AF-60", "AF-61")
def order_of(x: Exchange) -> str:
    """The order of a round that begins: both combatants, and the phases of their home ground."""
    if not x.first:
        return ""
    setup = x.terms.setup
    one, other = (least_rank(value) + top for value, top, _ in x.speed)
    turns = [("attacker", one), ("defender", other)]
    if x.first == "tie":
        turns = [("attacker or defender", one)]
    phases = [phase for sheet in (setup.attacker, setup.defender)
              for phase in phases_of(sheet, x.rulings)]  # fmt: skip
    # A phase that comes before a rank stands above it; combatants go first at equal numbers.
    entries = [(-rank, 0, name) for name, rank in turns]
    entries += [(-at, 1, hazard.name or "the lair") for at, hazard in phases]
    return ", ".join(name for _, _, name in sorted(entries, key=lambda entry: entry[:2]))


STEPS = (exert_for_speed, roll_speed, note_speed, compare_speed)
"""The steps of this chapter in the order of the book."""
