"""The outcome fields that can be asked for, and the objectives of each side."""

from __future__ import annotations

from collections.abc import Callable

from affray.core.fight import Role
from affray.core.system import Field, Objective, Reach, a_chance
from affray.systems.affinity import changes
from affray.systems.affinity.aftermath import own_hd, struck_hd
from affray.systems.affinity.initiative import order_of
from affray.systems.affinity.numbers import state_of
from affray.systems.affinity.positions import distance_after
from affray.systems.affinity.sheet import LayerKind
from affray.systems.affinity.state import Condition, Exchange

__all__ = ["FIELDS", "OBJECTIVES", "hd_lost"]


def hd_lost(x: Exchange) -> int:
    """Permanent Hit Dice that the defender lost, as many as there were at most."""
    return min(x.lost, x.terms.struck.hd)


def _layers(kind: LayerKind) -> Callable[[Exchange], int]:
    def of(x: Exchange) -> int:
        return [cover.kind for cover in x.covers].count(kind)

    return of


def _left(x: Exchange) -> str:
    """Layers that are left, from the outside in, with their dice or totals where those count."""
    parts = []
    for cover in x.covers:
        count = cover.dice or cover.temp_hd
        parts.append(f"{cover.kind}:{count}" if count else cover.kind)
    return " ".join(parts) or "none"


def _resolve(x: Exchange) -> int:
    return x.terms.struck.resolve + x.resolve


def _own_resolve(x: Exchange) -> int:
    return x.terms.striker.resolve + x.own_resolve


def _state(x: Exchange) -> str:
    return state_of(struck_hd(x), _resolve(x), x.rulings)


def _own_state(x: Exchange) -> str:
    return state_of(own_hd(x), _own_resolve(x), x.rulings)


def _afterwards(role: Role, name: str) -> Callable[[Exchange], object]:
    """A part of the condition in which the attacker or the defender goes on."""

    def of(x: Exchange) -> object:
        setup, terms = x.terms.setup, x.terms
        sheet, before = setup.defender, terms.struck
        if role == "actor":
            sheet, before = setup.attacker, terms.striker
        after = changes.apply(sheet, Condition(before, x.rulings), changes.effect(x, role))
        return getattr(after.now, name)

    return of


def _is_down(x: Exchange) -> bool:
    return _state(x) != "up"


def _helped(x: Exchange) -> int:
    return sum(one.burned for one in x.interveners)


def _others_lost(x: Exchange) -> int:
    return sum(one.lost for one in x.beside)


_FIELDS: tuple[Field[Exchange], ...] = (
    Field("hd_lost", "permanent Hit Dice that the defender loses", hd_lost, "AF-28", "HD",
          ("lost",)),
    Field("damage", "damage before the defense", lambda x: x.dealt, "AF-6", "HD"),
    Field("successes", "successes of the attacker's roll", lambda x: x.successes, "AF-4",
          "successes"),
    Field("burn", "ones on the attacker's exertion dice", lambda x: x.burn, "AF-7", "HD"),
    Field("hd", "the defender's permanent Hit Dice afterwards", struck_hd, "AF-28", "HD"),
    Field("own_hd", "the attacker's permanent Hit Dice afterwards", own_hd, "AF-7", "HD"),
    Field("layers", "layers that the defender has left, the outermost first", _left, "AF-27"),
    Field("magical", "magical layers left", _layers("magical"), "AF-27", "layers"),
    Field("shield", "shields left", _layers("shield"), "AF-27", "layers"),
    Field("armor", "layers of armor left", _layers("armor"), "AF-27", "layers"),
    Field("temporary", "other temporary layers left", _layers("temporary"), "AF-27", "layers"),
    Field("state", "how the defender is: up, down, collapsed or dead", _state, "AF-50"),
    Field("own_state", "how the attacker is", _own_state, "AF-50"),
    Field("down", "whether the defender is out of action", _is_down, "AF-50"),
    Field("dead", "whether the defender is dead", lambda x: _state(x) == "dead", "AF-50"),
    Field("resolve", "the defender's Resolve afterwards", _resolve, "AF-52", "points"),
    Field("own_resolve", "the attacker's Resolve afterwards", _own_resolve, "AF-52", "points"),
    Field("helped", "allies who Intervened", lambda x: len(x.interveners), "AF-41", "allies"),
    Field("ally_burn", "Hit Dice that those allies burned", _helped, "AF-41", "HD"),
    Field("healed", "Hit Dice that came back, before any limit", lambda x: x.healed, "AF-42",
          "HD"),
    Field("defending", "whether the attacker took the Defend action",
          lambda x: x.done.deed == "defend", "AF-40"),
    Field("stabilized", "whether the next Resolve check holds", lambda x: x.stabilized, "AF-45"),
    Field("checked", "whether the defender checked Resolve in this round",
          _afterwards("target", "checked"), "AF-52"),
    Field("lost_this_round", "Hit Dice that count towards the defender's next Resolve check",
          _afterwards("target", "lost"), "AF-52", "HD"),
    Field("own_checked", "whether the attacker checked Resolve in this round",
          _afterwards("actor", "checked"), "AF-52"),
    Field("own_lost_this_round", "Hit Dice that count towards the attacker's next Resolve check",
          _afterwards("actor", "lost"), "AF-52", "HD"),
    Field("own_actions_left", "actions that the attacker has left",
          _afterwards("actor", "actions"), "AF-62", "actions"),
    Field("own_attacked", "whether the attacker has done anything in a turn that goes on",
          _afterwards("actor", "attacked"), "AF-40"),
    Field("own_exerted", "exertion dice of the attacker's turn, where they are limited",
          _afterwards("actor", "exerted"), "AF-1", "dice"),
    Field("own_expert_used", "whether the one big action of a turn that goes on is used",
          _afterwards("actor", "expert"), "AF-63"),
    Field("own_affinity", "Affinity dice that the attacker has left",
          _afterwards("actor", "affinity"), "AF-12", "dice", of_purse=True),
    Field("own_defending", "whether the attacker's Defend lasts",
          _afterwards("actor", "defending"), "AF-30"),
    Field("own_rushed", "whether the attacker's Rush is used up until a rest",
          _afterwards("actor", "rushed"), "AF-44"),
    Field("own_steadied", "whether the attacker's Steady is used up until a rest",
          _afterwards("actor", "steadied"), "AF-44"),
    Field("granted", "temporary Hit Dice of a layer that was put on", lambda x: x.granted, "AF-76",
          "HD"),
    Field("moved", "yards moved", lambda x: x.moved, "AF-45", "yards"),
    Field("mended", "whether whatever the attacker wears is whole again", lambda x: x.mended,
          "AF-80"),
    Field("distance", "yards between both afterwards", distance_after, "AF-78", "yards"),
    Field("conditions", "conditions that the hazard imposes on the defender",
          lambda x: ", ".join(one.name for one in x.conditions), "AF-72"),
    Field("given", "successes given to a friend", lambda x: x.given, "AF-45", "successes"),
    Field("spread", "yards by which an area grew", lambda x: x.spread, "AF-75", "yards"),
    Field("targets", "more targets that a spell reaches", lambda x: x.targets, "AF-75",
          "targets"),
    Field("others", "others whom an area reaches", lambda x: len(x.caught), "AF-75",
          "combatants"),
    Field("others_lost", "permanent Hit Dice that those lose", _others_lost, "AF-75", "HD"),
    Field("first", "who acts first", lambda x: x.first, "AF-60"),
    Field("order", "who acts when, with the phases of lairs", order_of, "AF-60"),
    Field("tie", "whether initiative is a tie", lambda x: x.first == "tie", "AF-61"),
)  # fmt: skip


def _somebody_acts(x: Exchange) -> bool:
    return x.terms.setup.somebody_acts


def _of_actor(field: Field[Exchange]) -> Field[Exchange]:
    """A field of whoever acts: nothing where nobody does."""
    of = field.of
    return field._replace(
        of=lambda x: of(x) if _somebody_acts(x) else None, fits=_somebody_acts
    )  # fmt: skip


FIELDS = tuple(_of_actor(field) if field.name.startswith("own_") else field for field in _FIELDS)


def _all_lost(x: Exchange) -> int:
    return hd_lost(x) + _others_lost(x)


def _net(x: Exchange) -> int:
    return _all_lost(x) - x.burn


def _regained(x: Exchange) -> int:
    if x.done.deed == "heal":
        return struck_hd(x) - x.terms.struck.hd
    return own_hd(x) - x.terms.striker.hd


def _dice_at_stake(x: Exchange) -> Reach:
    aimed = x.terms if x.area is None or x.area.aimed is None else x.area.aimed.terms
    return 0, aimed.struck.hd + sum(other.now.hd for other in aimed.others) + _others_lost(x)


OBJECTIVES: tuple[Objective[Exchange], ...] = (
    Objective("damage", "expected Hit Dice that the target and others in the area lose", _all_lost,
              "attacker", comes_to=_dice_at_stake),
    Objective("net", "Hit Dice taken less Hit Dice burned", _net, "attacker"),
    Objective("down", "chance to put the defender out of action", lambda x: int(_is_down(x)),
              "attacker", "down", comes_to=a_chance),
    Objective("strip", "expected layers and Hit Dice that the defender loses",
              lambda x: hd_lost(x) + len(x.terms.struck.layers) - len(x.covers), "attacker"),
    Objective("regain", "expected gain of Hit Dice", _regained, "attacker"),
    Objective("survive", "chance that the defender stays in action", lambda x: int(not _is_down(x)),
              "defender", "down", comes_to=a_chance),
    Objective("first", "chance to act first", lambda x: int(x.first == "attacker"), "attacker",
              "first", comes_to=a_chance),
)  # fmt: skip
