"""The outcome fields that can be asked for, and the objectives of each side."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from affray.core.system import Field, Objective, a_chance, none_or_more
from affray.systems.eclipse_phase.state import Exchange, Struck
from affray.systems.eclipse_phase.tables import LASTING

__all__ = ["FIELDS", "OBJECTIVES"]


def _first(name: str) -> Callable[[Exchange], object]:
    def of(x: Exchange) -> object:
        return getattr(x.final, name)

    return of


def _bodily(name: str) -> Callable[[Exchange], object]:
    """A field that speaks of the body: nothing of it, where stress was done."""

    def of(x: Exchange) -> object:
        value = getattr(x.final, name)
        return type(value)() if x.final.stress else value

    return of


def _mental(name: str) -> Callable[[Exchange], object]:
    """A field that speaks of the mind: nothing of it, where damage was done."""

    def of(x: Exchange) -> object:
        value = getattr(x.final, name)
        return value if x.final.stress else type(value)()

    return of


def _conditions(x: Exchange) -> tuple[str, ...]:
    """Conditions in words: "stunned 3", or "grappled" where it doesn't end by itself."""
    return tuple(
        (name if turns >= LASTING else f"{name} {turns}").replace("_", " ")
        for name, turns in x.final.conditions
    )


def _nth(number: int, name: str) -> Callable[[Exchange], object]:
    def of(x: Exchange) -> object:
        return getattr(x.done[number - 1], name) if len(x.done) >= number else None

    return of


def _each(x: Exchange, name: str) -> Iterator[int]:
    """A number for every target, those included that are still to be dealt with."""
    return (getattr(struck, name) for struck in (*x.done, *x.struck))


def _out(struck: Struck) -> bool:
    gone = struck.unconscious or struck.dead or struck.incapacitated or struck.insane
    return gone or any(name in OUT for name, _ in struck.conditions)


OUT = frozenset({"incapacitated", "detached"})
"""Conditions in which nobody does anything."""


FIELDS: tuple[Field[Exchange], ...] = (
    Field("net", "damage that gets through armor", _first("net"), "EP-62", "points", ("damage",)),
    Field("hit", "whether the attack hits", _first("hit"), "EP-53"),
    Field("critical", "whether it is a critical hit", _first("critical"), "EP-58"),
    Field("superior", "superior successes of the hit", _first("superior"), "EP-57", "successes"),
    Field("dv", "damage before armor", _first("dv"), "EP-60", "points"),
    Field("wounds", "wounds from this attack", _bodily("wounds"), "EP-66", "wounds"),
    Field("prone", "whether the target falls", _first("prone"), "EP-110"),
    Field("knocked_out", "whether a check for two or more wounds was failed",
          _first("knocked_out"), "EP-111"),
    Field("incapacitated", "whether damage reaches durability", _bodily("incapacitated"), "EP-65"),
    Field("unconscious", "knocked out or incapacitated", _first("unconscious"), "EP-112"),
    Field("revivable", "whether the target could be woken", _first("revivable"), "EP-112"),
    Field("dead", "whether damage reaches the Death Rating", _first("dead"), "EP-65"),
    Field("conditions", "conditions that the attack brings, each with its turns",
          _conditions, "EP-115"),
    Field("traumas", "traumas from this attack", _mental("wounds"), "EP-122", "traumas"),
    Field("all_traumas", "traumas in all", _mental("all_wounds"), "EP-122", "traumas"),
    Field("total_stress", "total stress, earlier stress included", _mental("total"), "EP-124",
          "points"),
    Field("breakdown", "whether stress reaches lucidity", _mental("incapacitated"), "EP-125"),
    Field("insane", "whether stress reaches the insanity rating", _first("insane"), "EP-125"),
    Field("astray", "whether the attacker is too confused to attack", lambda x: x.astray,
          "EP-115"),
    Field("bleeding", "damage per turn from now on", _first("bleeding"), "EP-113", "points"),
    Field("dies_in", "turns until the target bleeds to death; 0: it doesn't", _first("dies_in"),
          "EP-113", "turns"),
    Field("total", "total damage, earlier damage included", _bodily("total"), "EP-64",
          "points"),
    Field("all_wounds", "wounds in all", _bodily("all_wounds"), "EP-67", "wounds"),
    Field("effect", "the called shot's effect", lambda x: x.final.effect.name, "EP-100"),
    Field("disarmed", "whether the weapon is lost", _first("disarmed"), "EP-100"),
    Field("redirected", "whether the target was sent elsewhere", _first("redirected"), "EP-100"),
    Field("lands_m", "how far away the lost weapon lands; 0: it doesn't", lambda x: x.lands_m,
          "EP-100", "m"),
    Field("calls", "tests that the weapon's traits call for", _first("calls"), "EP-61"),
    Field("calls_need", "target numbers of those tests", _first("needs"), "EP-61"),
    Field("defense_critical", "whether a critical success of the defense stops the attack",
          _first("defense_critical"), "EP-15"),
    Field("deadlock", "whether equal successes cancel out, where the ruling says so",
          _first("deadlock"), "EP-17"),
    Field("fumble", "whether the attack is a critical failure", lambda x: x.fumble, "EP-59"),
    Field("failures", "superior failures, where the ruling counts them",
          lambda x: x.failures, "EP-59", "failures"),
    Field("broken", "whether the weapon is broken or used up",
          lambda x: x.broken, "EP-61"),
    Field("rounds", "rounds left in the weapon", lambda x: x.rounds, "EP-79", "rounds"),
    Field("spent", "pool points that the attacker spent", lambda x: x.spent, "EP-18", "points",
          of_purse=True),
    Field("spent_on_checks", "pool points that the target spent on checks", _first("spent"),
          "EP-18", "points", of_purse=True),
    Field("attacker_pools", "pool points that the attacker has left", lambda x: x.pools, "EP-18",
          of_purse=True),
    Field("target_pools", "pool points that the target has left", _first("pools"), "EP-18",
          of_purse=True),
    Field("exposed", "whether the attacker's Fray is lower until its next action",
          lambda x: x.exposed, "EP-84"),
    Field("ambush", "whether an ambush surprised its targets or alerted them",
          lambda x: x.ambush, "EP-34"),
    Field("suppresses", "how long the fire suppresses the area",
          lambda x: x.suppresses.replace("_", " "), "EP-72"),
    Field("dodged", "whether Fray halves or avoids an attack on an area", _first("dodged"),
          "EP-103"),
    Field("scatter_m", "how far from the point aimed at an explosive goes off",
          lambda x: x.scatter_m, "EP-104", "m"),
    Field("hits", "targets hit", lambda x: sum(s.hit for s in x.done), "EP-71", "targets"),
    Field("net_all", "damage that gets through, all targets", lambda x: sum(_each(x, "net")),
          "EP-71", "points"),
    Field("hit_2", "whether the second target is hit", _nth(2, "hit"), "EP-71"),
    Field("net_2", "damage to the second target", _nth(2, "net"), "EP-71", "points"),
    Field("wounds_2", "wounds of the second target", _nth(2, "wounds"), "EP-71", "wounds"),
    Field("hit_3", "whether the third target is hit", _nth(3, "hit"), "EP-71"),
    Field("net_3", "damage to the third target", _nth(3, "net"), "EP-71", "points"),
    Field("wounds_3", "wounds of the third target", _nth(3, "wounds"), "EP-71", "wounds"),
)  # fmt: skip

OBJECTIVES: tuple[Objective[Exchange], ...] = (
    Objective("damage", "expected damage through armor, all targets",
              lambda x: sum(_each(x, "net")), "attacker", comes_to=none_or_more),
    Objective("hit", "chance to hit the first target", lambda x: int(x.final.hit), "attacker",
              "hit", comes_to=a_chance),
    Objective("wound", "chance of at least one wound or trauma on the first target",
              lambda x: int(x.final.wounds > 0), "attacker", comes_to=a_chance),
    Objective("wounds", "expected wounds, all targets", lambda x: sum(_each(x, "wounds")),
              "attacker", comes_to=none_or_more),
    Objective("disable", "chance that the first target is out of the fight",
              lambda x: int(_out(x.final)), "attacker", comes_to=a_chance),
    Objective("kill", "chance that the first target is dead or destroyed",
              lambda x: int(x.final.dead), "attacker", comes_to=a_chance),
    Objective("survive", "chance that the first target is still in the fight",
              lambda x: int(not _out(x.final)), "defender", comes_to=a_chance),
    Objective("unhurt", "chance that nothing gets through to the first target",
              lambda x: int(not x.final.net), "defender", comes_to=a_chance),
)  # fmt: skip
