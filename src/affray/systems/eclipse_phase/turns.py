"""A turn in a fight: who moves, attacks, takes cover behind full defense, aims, or reloads."""

from __future__ import annotations

from affray.core.dice import D100, Pool
from affray.core.errors import SetupError
from affray.core.node import At, Chance, End, Go, Node, Offer
from affray.core.step import cites, step
from affray.systems.eclipse_phase import declaration
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.legality import overloaded, reach_m
from affray.systems.eclipse_phase.numbers import base_skill, pools_of, rush_total
from affray.systems.eclipse_phase.reading import LOST, TestRead
from affray.systems.eclipse_phase.sheet import Combatant, Weapon
from affray.systems.eclipse_phase.state import Action, Exchange

__all__ = ["STEPS", "choose_move", "must_close", "needs_turn", "reload"]

PERCENT = Pool((D100, 1))


@cites("EP-32", "EP-85")
def needs_turn(x: Exchange) -> bool:
    """More is to be chosen than an attack: as ruled, or because a melee weapon is out of reach."""
    setup = x.declared
    if x.rulings[rule.TURNS] == "actions":
        return True
    if setup.distance_m is None or setup.movement != "none":
        return False
    return any(_is_far(x, weapon) for weapon in _weapons(x))


@cites("EP-32")
def must_close(x: Exchange) -> bool:
    """Nothing that somebody has reaches the target."""
    return all(_is_far(x, weapon) for weapon in _weapons(x))


def _weapons(x: Exchange) -> tuple[Weapon, ...]:
    setup = x.declared
    return (setup.weapon,) if setup.weapon else setup.attacker.weapons


def _is_far(x: Exchange, weapon: Weapon) -> bool:
    distance = x.declared.distance_m
    return weapon.is_melee and distance is not None and distance > reach_m(x, weapon)


def _gap(x: Exchange) -> int:
    """Whole meters to the nearest place from which every melee weapon reaches."""
    distance = x.declared.distance_m
    reaches = [reach_m(x, weapon) for weapon in _weapons(x) if weapon.is_melee]
    if distance is None or not reaches:
        return 0 if distance is None else int(distance)
    return max(0, -int(-distance // 1) - min(reaches))


@step("EP-32", "EP-85", "EP-86")
def choose_move(x: Exchange) -> Node[Exchange]:
    """At the start of a turn a fighter chooses how to move."""
    setup = x.declared
    who, gap = setup.attacker, _gap(x)
    far = any(_is_far(x, weapon) for weapon in _weapons(x))
    near = not all(_is_far(x, weapon) for weapon in _weapons(x))
    every = x.rulings[rule.TURNS] == "actions"
    offer: Offer[Exchange] = Offer()
    if near or every:
        offer.add("stay", At(choose_action, x), 0, "stay")
    why = overloaded(who)
    for name, meters, words in _moves(who, gap, far=far, every=every):
        if why:
            offer.close(name, why)
        else:
            after = _moved(x, name, meters)
            offer.add(name, after, 0, words)
    if not offer.options:
        raise SetupError(f"{who.name!r} is out of reach and can't move")
    return offer.choose("attacker", "how to move?")


@cites("EP-32", "EP-85")
def _moves(who: Combatant, gap: int, *, far: bool, every: bool) -> list[tuple[str, int, str]]:
    """Moves that there are: their names, meters toward the target, and what they are."""
    base, full = who.move_base, who.move_full
    found: list[tuple[str, int, str]] = []
    if far and gap <= base:
        found.append(("step", gap, f"{gap} m closer, a base move"))
    if far and gap <= full and (every or gap > base):
        found.append(("charge", gap, f"{gap} m closer and attack, -10, +1d6 DV"))
    if gap > 0 and (gap > full or every):
        found.append(("run", min(gap, full), f"{min(gap, full)} m closer, a full move"))
    if every:
        if not far and gap > 0:
            found.append(("step", min(gap, base), f"{min(gap, base)} m closer, a base move"))
        found.append(("back", -base, f"{base} m away, a base move"))
        found.append(("withdraw", -full, f"{full} m away, a full move"))
    return found


def _moved(x: Exchange, name: str, meters: int) -> At[Exchange]:
    """The place after a move of so many meters."""
    setup = x.declared
    distance = max(0.0, (setup.distance_m or 0) - meters)
    kind = {"step": "base", "back": "base", "charge": "charge"}.get(name, "full")
    after = x._replace(setup=setup.moved(kind, distance), moved=x.moved + meters)
    if name == "charge":
        return At(declaration.declare_attack, after)
    return At(choose_action, after)


@choose_move.says
def _(before: Exchange, after: Exchange) -> str:
    meters = after.moved - before.moved
    name = before.declared.attacker.name
    if not meters:
        return ""
    toward = "closer" if meters > 0 else "away"
    distance = after.declared.distance_m
    return f"{name} moves {abs(meters)} m {toward}; {distance:g} m are left between them."


def _can_be_aimed(weapon: Weapon) -> bool:
    return weapon.form == "thrown" or bool({"single", "semi"}.intersection(weapon.modes))


ACTIONS: dict[Action, str] = {
    "full_defense": "full defense: +30 until the next own turn",
    "aim": "aim: +30 on the next attack",
}


@step("EP-20", "EP-27", "EP-28", "EP-32", "EP-48", "EP-73", "EP-79")
def choose_action(x: Exchange) -> Node[Exchange]:
    """The complex action of a turn: an attack, full defense, aiming, or a rush."""
    setup = x.declared
    offer: Offer[Exchange] = Offer()
    if not all(_is_far(x, weapon) for weapon in _weapons(x)):
        offer.add("attack", At(declaration.declare_attack, x), 0, "attack")
    else:
        offer.close("attack", "out of reach")
    ran = setup.movement == "full" and x.moved > 0
    if ran and _gap(x) > 0:
        offer.add("rush", At(rush, x), 0, "rush: Athletics to get farther")
    if x.rulings[rule.TURNS] == "actions":
        offer.add("full_defense", At(do_action, x._replace(action="full_defense")), 0,
                  ACTIONS["full_defense"])  # fmt: skip
        if any(map(_can_be_aimed, _weapons(x))) and setup.aim == "none":
            offer.add("aim", At(do_action, x._replace(action="aim")), 0, ACTIONS["aim"])
    if ran or not offer.options:
        offer.add("nothing", At(do_action, x._replace(action="none")), 0, "no more than the move")
    return offer.choose("attacker", "which action?")


@step("EP-27", "EP-32", "EP-48", "EP-73")
def do_action(x: Exchange) -> Node[Exchange]:
    """An action that isn't an attack takes effect at once."""
    setup = x.declared
    spared = tuple([declaration.spared(who) for who in setup.targets])
    return End(
        Exchange(x.rulings, done=spared, pools=pools_of(setup.attacker), moved=x.moved,
                 action=x.action, reloaded=x.reloaded)
    )  # fmt: skip


@do_action.says
def _(before: Exchange, after: Exchange) -> str:
    name = before.declared.attacker.name
    return {
        "full_defense": f"{name} goes on full defense.",
        "aim": f"{name} aims.",
        "reload": f"{name} reloads.",
    }.get(before.action, "")


@step("EP-32")
def rush(x: Exchange) -> Node[Exchange]:
    """A rush takes a complex action and an Athletics test."""
    total = rush_total(x)
    _, defaulted = base_skill(x.declared.attacker, "athletics")
    zero = x.rulings[rule.DEFAULT_ZERO] if defaulted else ""
    read = TestRead(total.value, zero, "rank", beyond=-1)
    return Chance("attacker", "Athletics test", PERCENT, read, "check", At(finish_rush, x))


@step("EP-32")
def finish_rush(x: Exchange) -> Node[Exchange]:
    """A success carries the runner a base move farther, and so does each superior one."""
    more = x.declared.attacker.move_base * (1 + max(0, x.check.superior)) * x.check.success
    meters = min(_gap(x), more)
    return Go(do_action, x._replace(moved=x.moved + meters, action="none", check=LOST))


@finish_rush.says
def _(before: Exchange, after: Exchange) -> str:
    meters = after.moved - before.moved
    return f"The rush brings {meters} m more." if meters else "The rush brings nothing more."


@step("EP-28", "EP-79")
def reload(x: Exchange) -> Node[Exchange]:
    """Reloading takes a complex action."""
    offer: Offer[Exchange] = Offer()
    for name in x.empty:
        offer.add(name, At(do_action, x._replace(action="reload", reloaded=name)), 0,
                  f"reload the {name}")  # fmt: skip
    return offer.choose("attacker", "reload which weapon?")


STEPS = (choose_move, choose_action, do_action, rush, finish_rush, reload)
"""The steps of this chapter in the order of the book."""
