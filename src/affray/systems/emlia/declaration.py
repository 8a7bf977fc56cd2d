"""A unit is activated: it declares an action, as far as the rules allow it."""

from __future__ import annotations

from functools import lru_cache

from affray.core.errors import SetupError
from affray.core.names import unknown
from affray.core.node import At, Go, Node, Option, Step, choose
from affray.core.ruling import Rulings
from affray.core.step import cites, step
from affray.systems.emlia import disengage, movement, roll
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.actions import attack_of, edges_before, own_fire, skill_of, weapon_for
from affray.systems.emlia.engagement import body_of, combat_of, strikers, touched
from affray.systems.emlia.measured import course_of
from affray.systems.emlia.movement import moves
from affray.systems.emlia.parties import terms_of
from affray.systems.emlia.sheet import Action, BookAction, OwnAction, Setup
from affray.systems.emlia.state import Decisions, Exchange, Status, Terms, status_of
from affray.systems.emlia.strength import is_here, speed_of
from affray.systems.emlia.tables import MOVES

__all__ = [
    "BASIC",
    "OTHERS",
    "STEPS",
    "WORDS",
    "action_named",
    "called",
    "choose_action",
    "declare",
    "declared",
    "offered",
    "why_not",
]


BASIC: tuple[BookAction, ...] = (
    "close_combat",
    "aimed_fire",
    "supporting_fire",
    "volley_fire",
    "charge",
)
"""Attacks that everybody knows, in the order in which they are offered."""


FREE = ("none", "open")
"""Words for a move action that is still there."""
CHOSEN = ("open", "spent")
"""Words for a move that leads where the unit's owner chooses."""


OTHERS: tuple[BookAction, ...] = ("disengage", "distract", "break_ranks", "move")


WORDS: dict[Action, str] = {
    "pass": "do nothing",
    "close_combat": "attack in close combat",
    "aimed_fire": "shoot at it",
    "supporting_fire": "shoot into the close combat, aiming only at enemies",
    "volley_fire": "shoot indirectly",
    "charge": "charge and attack",
    "disengage": "pin enemies so they cannot strike, then leave or stay",
    "distract": "pin enemies so they cannot strike, and stay",
    "move": "move",
    "break_ranks": "take close formation",
}


def called(action: Action) -> str:
    """What people call an action: "aimed fire"."""
    return action.replace("_", " ")


@cites("EM-1", "EM-5", "EM-25", "EM-30", "EM-31", "EM-32", "EM-33", "EM-35", "EM-36")
def why_not(terms: Terms, statuses: tuple[Status, ...], name: Action) -> str | None:
    """Say why the acting unit can't do this now; None if it can."""
    return _why_not(terms, speed_of(terms.troops[0].troop, statuses[0]), name)


@lru_cache(maxsize=4096)
def _why_not(terms: Terms, speed: float, name: Action) -> str | None:
    """As `why_not`, for a unit that moves so fast now."""
    setup, troop = terms.setup, terms.troops[0].troop
    if name in {"disengage", "distract"}:
        if not strikers(terms):
            return "no enemy engages it (EM-36)"
        if skill_of(troop, "close_combat") is None:
            return "it lacks the skill close_combat, and has no Default (EM-36)"
        return None
    if name == "break_ranks":
        if troop.formation != "ranked":
            return f"it is in {troop.formation} formation, not in ranks (EM-25)"
        if setup.move not in FREE and terms.rulings[rule.BREAKING] == "move":
            return "breaking ranks is its move action (EM-25)"
        return None if touched(terms, 0).own_fronts > 1 else "it is not enveloped (EM-25)"
    if name == "move":
        if setup.move == "forfeit":
            return "it forfeits its move action (EM-60)"
        if setup.move == "spent":
            return "its move action is spent (EM-60)"
        return None if speed else "its speed is 0"
    if name == "pass":
        return None
    found = attack_of(troop, name)
    assert found is not None  # `known` has seen to it
    if not found.default and skill_of(troop, found.skill) is None:
        clause = "EM-31" if found.like == "volley_fire" else "EM-1"
        return f"it lacks the skill {found.skill}, and has no Default ({clause})"
    if setup.weapon and weapon_for(troop, found, setup.weapon) is None:
        return f"its weapon {setup.weapon!r} does not serve it (EM-40)"
    if found.like == "close_combat":
        return _why_no_melee(terms, speed, name)
    return _why_no_shot(terms, name)


def _why_no_melee(terms: Terms, speed: float, name: Action) -> str | None:
    setup = terms.setup
    near = setup.engaged or not setup.distance
    if name == "charge":
        if near:
            return "it is in melee range already (EM-35)"
        if not speed:
            return "its speed is 0 (EM-35)"
        return None if setup.move in FREE else "a charge takes the move action too (EM-35)"
    if near:
        return None
    course = course_of(terms, MOVES[setup.move] * speed)
    if course.reaches:
        return None
    if course.met:
        return f"{course.met} is in the way (EM-32)"
    return f"the target is {setup.distance:g} away, out of melee range (EM-32)"


def _why_no_shot(terms: Terms, name: Action) -> str | None:
    setup, troop = terms.setup, terms.troops[0].troop
    found = attack_of(troop, name)
    assert found is not None
    weapon = weapon_for(troop, found, setup.weapon)
    clause = "EM-31" if found.like == "volley_fire" else "EM-30"
    if weapon is None and skill_of(troop, found.skill) is None:
        return f"it has neither skill nor weapon for it ({clause})"
    if weapon is not None and edges_before(weapon, setup.distance) > 2:
        return (f"the target is {setup.distance:g} away, out of range: "
                f"{weapon.longest:g} ({clause})")  # fmt: skip
    if found.like == "volley_fire":
        if troop.formation != "close":
            return f"it is in {troop.formation} formation; it takes close formation (EM-31)"
        if setup.move in {"normal", "double", "spent"}:
            return "it has moved; the move has to be forfeited (EM-31)"
        return None
    if setup.blind:
        return "nobody sees the target (EM-30)"
    if found.support and not any(
        party.side == "friend" and party.unit and party.fights for party in terms.troops
    ):
        return "no friend is in close combat with the target (EM-33)"
    decided = Decisions(action=name)
    friends = any(p.side == "friend" and p.unit and p.fights for p in terms.troops)
    ranked = friends and combat_of(terms, decided) == "ranked"
    if ranked and not found.support and terms.rulings[rule.SHOTS] == "support":
        return "friends fight it in ranked combat; it takes Supporting Fire (EM-34)"
    body = body_of(terms, decided)
    if all(terms.troops[place].troop.cover == "total" for place in body):
        return "the target is in total cover (EM-30)"
    return None


@lru_cache(maxsize=512)
def _known(terms: Terms) -> tuple[Action, ...]:
    own = [OwnAction(own.name) for own in terms.troops[0].troop.actions]
    return (*BASIC, *own, *OTHERS, "pass")


@lru_cache(maxsize=4096)
def action_named(terms: Terms) -> Action | None:
    """The action that the setup names; None: it leaves it open."""
    return next((name for name in _known(terms) if name == terms.setup.action), None)


@lru_cache(maxsize=4096)
def offered(terms: Terms) -> tuple[Action, ...]:
    """Actions that may be on offer where none is named: none that only makes sense elsewhere."""
    setup, troop = terms.setup, terms.troops[0].troop
    own = [OwnAction(own.name) for own in troop.actions]
    shoots: list[Action] = ["aimed_fire", "volley_fire"]
    names: list[Action] = ["close_combat"]
    if own_fire(troop, "aimed_fire"):
        names += shoots[:1]
    if own_fire(troop, "aimed_fire") and any(o.side == "friend" for o in setup.others):
        names.append("supporting_fire")
    if own_fire(troop, "volley_fire"):
        names += shoots[1:]
    if setup.move in {"open", "spent"}:
        return (*names, *own, *_around_a_move(terms))
    if setup.distance and not setup.engaged:
        names.append("charge")
    names += own
    if strikers(terms):
        names += ["disengage", "distract", "move"]
    if troop.formation == "ranked" and touched(terms, 0).own_fronts > 1:
        names.append("break_ranks")
    return tuple(names)


@cites("EM-35", "EM-60")
def _around_a_move(terms: Terms) -> tuple[Action, ...]:
    """Actions of a unit whose owner chooses where it goes; a charge in vain comes last."""
    setup, names, charges = terms.setup, list[Action](), list[Action]()
    if setup.move == "open":
        if setup.distance and not setup.engaged:
            charges.append("charge")
        names.append("move")
        speed = speed_of(terms.troops[0].troop, status_of(terms.troops[0].troop, terms.rulings))
        if charges and speed and course_of(terms, MOVES["charge"] * speed).reaches:
            names, charges = [*charges, *names], []
    around: list[Action] = ["disengage", "distract"] if strikers(terms) else []
    if terms.troops[0].troop.formation == "ranked" and touched(terms, 0).own_fronts > 1:
        around.append("break_ranks")
    if setup.move == "spent":  # who has just come here rather stays than leaves again
        return ("pass", *around)
    return (*names, *around, "pass", *charges)


def declare(setup: Setup, rulings: Rulings) -> At[Exchange]:
    """The start, as the sheets have it.

    Raises:
        SetupError: an action that the rules refuse, a unit that nobody knows; says what is
            allowed.
    """
    terms = terms_of(setup, rulings)
    statuses = tuple([status_of(party.troop, rulings) for party in terms.troops])
    if not is_here(statuses[terms.target]):
        raise SetupError(f"{terms.troops[terms.target].name!r} is gone: its table destroyed it")
    return declared(setup, statuses, rulings)


def declared(
    setup: Setup, statuses: tuple[Status, ...], rulings: Rulings, *,
    held: object = None,
) -> At[Exchange]:  # fmt: skip
    """The start, with all troops as they are now.

    Args:
        setup: the sheets and the situation.
        statuses: how the troops are, in the order of `terms_of`; numbers are worked out from them.
        rulings: the readings in force.
        held: what a fight keeps back (see `Exchange`).

    Raises:
        SetupError: as for `declare`.
    """
    terms = terms_of(setup, rulings)
    if not is_here(statuses[0]):
        raise SetupError(f"{terms.troops[0].name!r} has nobody left to act")
    _check_action(terms, statuses)
    return At(choose_action, Exchange(terms, statuses, held=held))


def _check_action(terms: Terms, statuses: tuple[Status, ...]) -> None:
    """Raise a SetupError where the setup names an action that can't be taken."""
    named = action_named(terms)
    if named is None:
        wanted, known = terms.setup.action, _known(terms)
        if wanted != "open":
            raise unknown(f"action of {terms.troops[0].name!r}", wanted, ["open", *known])
        return
    waits = terms.setup.move == "open" and attack_of(terms.troops[0].troop, named) is not None
    why = "" if waits else why_not(terms, statuses, named)
    if why:
        raise SetupError(f"action {named!r} of {terms.troops[0].name!r}: {why}")
    _check_focus(terms, named)


@cites("EM-52")
def _check_focus(terms: Terms, action: Action) -> None:
    """Raise a SetupError if an attack focuses on a troop outside the body that it attacks.

    The body that a charge attacks is known on arrival; `roll.choose_focus` checks it then.
    """
    focus = terms.setup.focus
    attacks = attack_of(terms.troops[0].troop, action) is not None and action != "charge"
    if focus in {"open", "none"} or not attacks:
        return
    body = [terms.troops[place].name for place in body_of(terms, Decisions(action=action))]
    if focus not in body:
        raise SetupError(
            f"focus {focus!r} is not attacked by {action!r}; allowed: open, none, "
            f"{', '.join(body)} (EM-52)"
        )


@step("EM-1", "EM-1b", "EM-5", "EM-30", "EM-31", "EM-32", "EM-33", "EM-35", "EM-36", "EM-60")
def choose_action(x: Exchange) -> Node[Exchange]:
    """The unit declares an action."""
    terms = x.terms
    named, names = action_named(terms), offered(terms)
    if named is not None:
        if terms.setup.move not in CHOSEN or why_not(terms, x.statuses, named) is None:
            return Go(_first(terms, named), _planned(x, named))
        if named == "move":  # it has moved, or stays
            return Go(movement.stand_fast, _planned(x, "pass"))
        names = (named, *[name for name in ("move", "pass") if name in names])
    options: list[Option[Exchange]] = []
    closed: list[tuple[str, str]] = []
    for name in names:
        why = why_not(terms, x.statuses, name)
        if why:
            closed.append((called(name), why))
        else:
            at = At(_first(terms, name), _planned(x, name))
            options.append(Option(called(name), at, 0, WORDS.get(name, "")))
    if not options:
        at = At(_first(terms, "pass"), _planned(x, "pass"))
        options.append(Option("pass", at, 0, WORDS["pass"]))
    return choose("attacker", "Which action does the unit take?", options, closed=tuple(closed))


def _planned(x: Exchange, name: Action) -> Exchange:
    """The exchange with its action; a unit that could move and shoots forfeits the move."""
    if x.terms.setup.move == "open":
        attack = attack_of(x.terms.troops[0].troop, name)
        if attack is not None and attack.like != "close_combat":
            x = movement.forfeited(x)
    return x._replace(decided=Decisions(action=name))


def _first(terms: Terms, name: Action) -> Step[Exchange]:
    """The step with which an action begins."""
    if name in {"disengage", "distract"}:
        return disengage.roll_disengage
    if name == "pass":
        return movement.stand_fast
    if name == "break_ranks":
        return movement.break_ranks
    if name == "move" and terms.setup.move == "open":
        return movement.choose_way
    if name in {"move", "charge"} or moves(terms, name):
        return movement.face_strikes
    attack = attack_of(terms.troops[0].troop, name)
    if terms.setup.table is not None and attack is not None and attack.like == "close_combat":
        return movement.align_skirmishers
    return roll.choose_focus


@choose_action.says
def _(before: Exchange, after: Exchange) -> str:
    return f"{before.terms.troops[0].name}: {called(after.decided.action)}."


@choose_action.opens
def _(before: Exchange, after: Exchange) -> str:
    terms, action = before.terms, after.decided.action
    attacks = attack_of(terms.troops[0].troop, action) is not None or action == "charge"
    whom = f" against {terms.troops[terms.target].name}" if attacks else ""
    return f"{terms.troops[0].name}, {called(action)}{whom}"


STEPS = (choose_action,)
"""The steps of this chapter in the order of the book."""
