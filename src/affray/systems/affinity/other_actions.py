"""Every action but the attack: Defend, Rush, Steady, move, heal, stabilize, help."""

from __future__ import annotations

from affray.core.dice import Pool, d
from affray.core.node import At, Chance, Go, Node
from affray.core.step import step
from affray.systems.affinity import aftermath
from affray.systems.affinity import rulings as rule
from affray.systems.affinity.attempts import action_named, attempt_of, rush_cost
from affray.systems.affinity.numbers import mended, move_of, put_on, resolve_bonus
from affray.systems.affinity.reading import Healed
from affray.systems.affinity.state import Done, Exchange
from affray.systems.affinity.tables import DIE, MENDED, MOVES, STEADY

__all__ = [
    "STEPS", "defend", "do_nothing", "heal", "help_friend", "mend", "move", "regain_hd", "repair",
    "stabilize", "steady", "ward",
]  # fmt: skip


def _succeeds(x: Exchange) -> bool:
    return x.successes >= attempt_of(x.terms, x.planned).required


@step("AF-62")
def do_nothing(x: Exchange) -> Node[Exchange]:
    """The attacker does nothing with this action."""
    return Go(aftermath.look_at_attacker, x._replace(plan=None, done=Done("pass")))


@step("AF-30", "AF-40")
def defend(x: Exchange) -> Node[Exchange]:
    """The attacker takes the Defend action and will have 2d6 more in defense."""
    return Go(aftermath.look_at_attacker, x._replace(plan=None, done=Done("defend")))


@defend.briefly
@defend.says
def _(before: Exchange, after: Exchange) -> str:
    return "Two more dice in every defense until the next turn."


@step("AF-39", "AF-42", "AF-44", "AF-51", "AF-79")
def regain_hd(x: Exchange) -> Node[Exchange]:
    """Rush restores Hit Dice and costs Resolve, whatever was rolled."""
    rulings, prof = x.rulings, x.terms.setup.attacker.prof
    healed = x.successes
    if rulings[rule.RUSH] == "fixed":
        healed = prof
    elif rulings[rule.RUSH_CAP] == "proficiency":
        healed = min(healed, prof)
    now = x.terms.striker.resolve
    change = resolve_bonus(now, now, -rush_cost(x.terms.setup.attacker))
    done = x.done._replace(deed="rush")
    return Go(aftermath.finish,
              x._replace(plan=None, done=done, healed=healed, own_resolve=change))  # fmt: skip


@regain_hd.briefly
@regain_hd.says
def _(before: Exchange, after: Exchange) -> str:
    return f"{after.healed} HD come back, {after.burn} burn, Resolve {after.own_resolve:+d}."


@step("AF-44")
def steady(x: Exchange) -> Node[Exchange]:
    """Steady trades Hit Dice for Resolve."""
    sheet, now = x.terms.setup.attacker, x.terms.striker
    change = resolve_bonus(now.resolve, sheet.resolve_max, STEADY["resolve"])
    return Go(aftermath.finish, x._replace(
        plan=None, done=Done("steady"), lasting=STEADY["hd"], own_resolve=change,
    ))  # fmt: skip


@steady.briefly
@steady.says
def _(before: Exchange, after: Exchange) -> str:
    return f"{after.lasting} HD are given up, Resolve {after.own_resolve:+d}."


@step("AF-45", "AF-62", "AF-72")
def move(x: Exchange) -> Node[Exchange]:
    """Dash, forced march and Disengage move the attacker, less far over difficult ground."""
    yards = MOVES[x.planned.deed] if _succeeds(x) else 0
    slow = x.terms.striker.conditions
    yards = move_of(slow, yards, difficult=x.terms.setup.difficult)
    return Go(aftermath.look_at_attacker, x._replace(plan=None, moved=yards))


@move.briefly
@move.says
def _(before: Exchange, after: Exchange) -> str:
    return f"{after.moved} yards."


@step("AF-39", "AF-50", "AF-51")
def heal(x: Exchange) -> Node[Exchange]:
    """Healing restores a friend's permanent Hit Dice, but no layer."""
    action = action_named(x.terms.setup.attacker, x.planned.name)
    dice = action.heal if action and _succeeds(x) else 0
    after = x._replace(plan=None)
    if x.rulings[rule.HEALING] == "dice" or not dice:
        return Go(aftermath.look_at_attacker, after._replace(healed=dice))
    return Chance("attacker", "healing", Pool((DIE, dice)), Healed(), "healed",
                  At(aftermath.look_at_attacker, after))  # fmt: skip


@heal.says
def _(before: Exchange, after: Exchange) -> str:
    return f"{after.healed} HD come back."


@heal.briefly
def _(before: Exchange, after: Exchange) -> str:
    return f"for {after.healed} HD back"


@step("AF-76")
def ward(x: Exchange) -> Node[Exchange]:
    """A ward that succeeds puts a layer on its target; dice are rolled for its Hit Dice."""
    action = action_named(x.terms.setup.attacker, x.planned.name)
    if action is None or action.grants is None or not _succeeds(x):
        return Go(aftermath.look_at_attacker, x._replace(plan=None))
    pool = Pool((d(action.grants.die), action.grants.dice))
    return Chance("attacker", "temporary Hit Dice", pool, Healed(), "granted",
                  At(grant_layer, x))  # fmt: skip


@step("AF-22", "AF-76")
def grant_layer(x: Exchange) -> Node[Exchange]:
    """The new layer lies around the target, outside those that were there."""
    action = action_named(x.terms.setup.attacker, x.planned.name)
    assert action is not None and action.grants is not None  # noqa: PT018  # only wards come here
    layers = put_on(x.covers, action.grants, x.granted, x.rulings)
    return Go(aftermath.look_at_attacker, x._replace(plan=None, layers=layers))


@grant_layer.briefly
@grant_layer.says
def _(before: Exchange, after: Exchange) -> str:
    return f"A layer of {after.granted} temporary HD is put on."


@step("AF-51", "AF-80")
def repair(x: Exchange) -> Node[Exchange]:
    """Out of reach, the attacker repairs armor and shield."""
    return Go(aftermath.look_at_attacker, x._replace(plan=None, mended=_succeeds(x)))


@step("AF-45", "AF-50")
def stabilize(x: Exchange) -> Node[Exchange]:
    """A dying friend is stabilized: the next Resolve check holds by itself."""
    return Go(aftermath.look_at_attacker, x._replace(plan=None, stabilized=_succeeds(x)))


@step("AF-45")
def help_friend(x: Exchange) -> Node[Exchange]:
    """The roll is given to a friend and counts with their next one."""
    return Go(aftermath.look_at_attacker, x._replace(plan=None, given=x.successes))


@step("AF-39", "AF-51")
def mend(x: Exchange) -> Node[Exchange]:
    """Armor is repaired; or a safe rest makes every layer whole and brings Hit Dice back."""
    setup = x.terms.setup
    covers = mended(setup.defender, MENDED[setup.act], x.rulings)
    rests = setup.act == "recover"
    after = x._replace(
        plan=None,
        layers=covers if covers != x.covers else None,
        done=Done("heal" if rests else ""),
        healed=setup.rest_hd if rests else 0,
    )
    return Go(aftermath.finish, after)


@mend.briefly
@mend.says
def _(before: Exchange, after: Exchange) -> str:
    back = f"; {after.healed} HD come back" if after.healed else ""
    return f"{len(after.covers) - len(before.covers)} layers are whole again{back}."


STEPS = (
    do_nothing, defend, regain_hd, steady, move, heal, ward, grant_layer, repair, stabilize,
    help_friend, mend,
)  # fmt: skip
"""The steps of this chapter in the order of the book."""
