"""A turn in a fight: who moves, attacks, takes cover behind full defense, aims, or reloads."""

from __future__ import annotations

from affray.core.dice import D100, Pool
from affray.core.errors import SetupError
from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance, Go, Node, Offer
from affray.core.step import cites, step
from affray.systems.eclipse_phase import declaration
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.aftermath import over
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.legality import movable, reach_m, weapon_closed
from affray.systems.eclipse_phase.numbers import base_skill, pools_of, rush_total, spared
from affray.systems.eclipse_phase.reading import LOST, TestRead
from affray.systems.eclipse_phase.sheet import Combatant
from affray.systems.eclipse_phase.state import Action, Exchange
from affray.systems.eclipse_phase.tables import STANDING_UP, round_half_up

__all__ = [
    "STEPS", "choose_action", "choose_move", "do_action", "gap_m", "must_close", "needs_turn",
    "reload", "weapons_of",
]  # fmt: skip

PERCENT = Pool((D100, 1))


@cites("EP-32", "EP-85")
def needs_turn(x: Exchange) -> bool:
    """More is to be chosen than an attack: as ruled, or because a melee weapon is out of reach."""
    setup = x.declared
    if x.rulings[rule.TURNS] == "actions":
        return True
    if setup.distance_m is None or setup.movement != "none":
        return False
    return any(_is_far(x, weapon) for weapon in weapons_of(x))


@cites("EP-32")
def must_close(x: Exchange) -> bool:
    """Nothing that somebody has reaches the target."""
    return all(_is_far(x, weapon) for weapon in weapons_of(x))


def weapons_of(x: Exchange) -> tuple[Weapon, ...]:
    """The weapons that may be used: the one of the situation, or all of the sheet."""
    setup = x.declared
    return (setup.weapon,) if setup.weapon else setup.attacker.weapons


def _is_far(x: Exchange, weapon: Weapon) -> bool:
    distance = x.declared.distance_m
    return weapon.is_melee and distance is not None and distance > reach_m(x, weapon)


def gap_m(x: Exchange) -> int:
    """Whole meters to the nearest place from which every melee weapon reaches."""
    distance = x.declared.distance_m
    reaches = [reach_m(x, weapon) for weapon in weapons_of(x) if weapon.is_melee]
    if distance is None or not reaches:
        return 0 if distance is None else int(distance)
    return max(0, -int(-distance // 1) - min(reaches))


@step("EP-32", "EP-85", "EP-86")
def choose_move(x: Exchange) -> Node[Exchange]:
    """At the start of a turn a fighter chooses how to move."""
    setup = x.declared
    who, gap = setup.attacker, gap_m(x)
    far = any(_is_far(x, weapon) for weapon in weapons_of(x))
    near = not all(_is_far(x, weapon) for weapon in weapons_of(x))
    every = x.rulings[rule.TURNS] == "actions"
    offer: Offer[Exchange] = Offer()
    stay = At(choose_action, x)
    if near:
        offer.add("stay", stay, 0, "stay")
    why = movable(who)
    for move in _moves(x, gap, far=far, every=every):
        if move.meters <= 0 and not near and "stay" not in {one.name for one in offer.options}:
            offer.add("stay", stay, 0, "stay")  # whoever reaches nothing first thinks of closing in
        if why or (why_not := _flinches(who, move)):
            offer.close(move.name, why or why_not)
        else:
            offer.add(move.name, _moved(x, move), 0, move.words)
    if not offer.options:
        raise SetupError(f"{who.name!r} is out of reach and can't move")
    return offer.choose("attacker", "how to move?")


class _Move(NamedTuple):
    """A move: its name, its kind, meters toward the target, those left for later, and words."""

    name: str
    kind: str
    meters: int
    left: int
    words: str


@cites("EP-32", "EP-33", "EP-85")
def _moves(x: Exchange, gap: int, *, far: bool, every: bool) -> list[_Move]:
    """Moves that there are; whole turns know what is left of them after the action."""
    who = x.declared.attacker
    base, full = who.move_base, who.move_full
    if x.turned.stood:
        base, full = (round_half_up(move, STANDING_UP["halves"]) for move in (base, full))
    found: list[_Move] = []

    def add(name: str, kind: str, meters: int, words: str) -> None:
        rate = base if kind == "base" else full
        left = max(0, rate - abs(meters)) if every else 0
        found.append(_Move(name, kind, meters, left, words))

    if far and gap <= base:
        add("step", "base", gap, f"{gap} m closer, a base move")
    if far and gap <= full and (every or gap > base):
        add("charge", "charge", gap, f"{gap} m closer and attack, -10, +1d6 DV")
    if gap > 0 and (gap > full or every):
        add("run", "full", min(gap, full), f"{min(gap, full)} m closer, a full move")
    if every:
        if not far and gap > 0:
            add("step", "base", min(gap, base), f"{min(gap, base)} m closer, a base move")
        add("back", "base", -base, f"{base} m away, a base move")
        add("withdraw", "full", -full, f"{full} m away, a full move")
        add("later", "base", 0, f"a base move of {base} m, after the action")
        add("run later", "full", 0, f"a full move of {full} m, after the action")
        found.append(_Move("drop", "none", 0, 0, "drop prone, and stay there"))
    return found


@cites("EP-123")
def _flinches(who: Combatant, move: _Move) -> str:
    """Why the enraged don't move like this: they fight whatever it costs."""
    flees = move.meters < 0 or move.name in {"later", "run later"}
    return "is enraged, and attacks (EP-123)" if flees and "enraged" in who.conditions else ""


def _moved(x: Exchange, move: _Move) -> At[Exchange]:
    """The place after a move."""
    setup = x.declared
    distance = max(0.0, (setup.distance_m or 0) - move.meters)
    moved = setup.moved(move.kind, distance)
    after = x._replace(setup=moved, moved=x.moved + move.meters)
    if x.rulings[rule.TURNS] == "actions":
        turned = x.turned._replace(ran=move.kind in {"full", "charge"}, fell=move.name == "drop")
        after = after._replace(turned=turned, rest=(move.left, gap_m(after)))
    if move.name == "charge":
        return At(declaration.declare_attack, after)
    return At(choose_action, after)


@choose_move.briefly
@choose_move.says
def _(before: Exchange, after: Exchange) -> str:
    meters = after.moved - before.moved
    name = before.declared.attacker.name
    if after.turned.fell:
        return f"{name} drops prone."
    if not meters:
        return f"{name} keeps a move for after the action." if after.rest[0] else ""
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
    """The complex action of a turn: an attack, full defense, aiming, reloading, or a rush."""
    setup = x.declared
    offer: Offer[Exchange] = Offer()
    if why := _idle(x):
        offer.close("attack", why)
    else:
        offer.add("attack", At(declaration.declare_attack, x), 0, "attack")
    ran = setup.movement == "full" and x.moved > 0 and not x.bought
    if ran and gap_m(x) > 0:
        offer.add("rush", At(rush, x), 0, "rush: Athletics to get farther")
    if x.rulings[rule.TURNS] == "actions" and x.bought != "mental":
        _offer_others(x, offer)
    if ran or not offer.options:
        offer.add("nothing", At(do_action, x._replace(action="none")), 0, "no more than the move")
    return offer.choose("attacker", "which action?")


def _idle(x: Exchange) -> str:
    """Why no attack is possible from here; empty if one is."""
    weapons = weapons_of(x)
    if all(_is_far(x, weapon) for weapon in weapons):
        return "out of reach"
    if x.rulings[rule.TURNS] != "actions":
        return ""
    closed = [weapon_closed(x, weapon.carrying(x.declared.ammo)) for weapon in weapons]
    return f"{weapons[0].name} {closed[0]}" if all(closed) else ""


@cites("EP-48", "EP-73", "EP-79", "EP-123")
def _offer_others(x: Exchange, offer: Offer[Exchange]) -> None:
    """Complex actions that are no attack; the enraged have no eye for them."""
    duck = At(do_action, x._replace(action="full_defense"))
    aim = At(do_action, x._replace(action="aim"))
    found = [("reload", At(reload, x), "reload a weapon")] if x.empty else []
    found.append(("full defense", duck, ACTIONS["full_defense"]))
    if any(map(_can_be_aimed, weapons_of(x))) and x.declared.aim == "none":
        found.append(("aim", aim, ACTIONS["aim"]))
    for name, at, words in found:
        if "enraged" in x.declared.attacker.conditions and name != "reload":
            offer.close(name, "is enraged, and attacks (EP-123)")
        else:
            offer.add(name, at, 0, words)


@step("EP-27", "EP-32", "EP-48", "EP-73")
def do_action(x: Exchange) -> Node[Exchange]:
    """An action that isn't an attack takes effect at once."""
    setup = x.declared
    unharmed = tuple([spared(who) for who in setup.targets])
    return over(
        Exchange(x.rulings, done=unharmed, pools=pools_of(setup.attacker), moved=x.moved,
                 action=x.action, reloaded=x.reloaded, turned=x.turned,
                 rest=(0, 0) if x.action == "none" else x.rest)
    )  # fmt: skip


@do_action.briefly
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
    meters = min(gap_m(x), more)
    return Go(do_action, x._replace(moved=x.moved + meters, action="none", check=LOST))


@finish_rush.briefly
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
