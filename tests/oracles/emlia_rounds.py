"""Emlia: rounds of a fight, from the sheets of all who stand in it.

Everybody attacks once with the strength of the start of the round; marks and markers wait for its
end. An attack is an `Activation` of its own; between them lies what troops remember. Mates of the
target who are not in ranks are one body with it where any of them, the target or the attacker is
in open formation (EM-13, EM-34, EM-64).
"""

from typing import Any

from tests.oracles.emlia_activation import Activation, is_gone
from tests.oracles.emlia_situation import Raw, lost_morale, points_of

MARKS = ("marked", "markers", "bonus", "next_bonus", "weaker", "came_up")


def troops_of(unit: Raw) -> list[Raw]:
    """A unit and those who joined it."""
    return [unit, *unit["joined"]]


class Side:
    """A unit in a fight: how it is, and what this round has done to it."""

    def __init__(self, unit: Raw) -> None:
        self.unit, self.broken = unit, False
        self.sides: list[str] = []
        self.fronts = 1
        for troop in troops_of(unit):
            troop["felt"] = points_of(troop)
            troop["fresh"] = troop["change"] = 0
            troop["track"] = troop["damage"] if troop["threshold"] is None else troop["wear"]

    def here(self) -> list[Raw]:
        """Troops that are left."""
        return [one for one in troops_of(self.unit) if one["members"] and not is_gone(one)]

    def is_out(self) -> bool:
        """Whether the unit has left the fight (EM-44, EM-62)."""
        return self.broken or not self.here()

    def vitals(self) -> int:
        """Points until nobody is left; of who has a table alone its members."""
        if self.is_out():
            return 0
        total = 0
        for troop in self.here():
            limit = troop["damage_limit"]
            total += (troop["members"] - troop["marked"]) * (limit or 1)
            total -= troop["track"] % limit if limit else 0
        return max(1, total)

    def leads(self) -> Raw:
        """The unit as it attacks: when itself is gone the first of those who joined leads."""
        if self.unit in self.here():
            return self.unit
        first = next(n for n, one in enumerate(self.unit["joined"]) if one in self.here())
        return {**self.unit["joined"][first], "joined": self.unit["joined"][first + 1 :]}

    def end_round(self, picks: dict[str, Any]) -> None:
        """The Resolution Phase, and what nobody remembers after a round."""
        for n, troop in enumerate(troops_of(self.unit)):
            stood = troop["members"] and not is_gone(troop)
            left = 0 if is_gone(troop) else troop["members"] - troop["marked"]
            troop["lost"] += troop["members"] - left
            troop["members"], troop["marked"] = left, 0
            troop["felt"] += troop["fresh"]
            if not left or picks["markers"] == "resolution":
                troop["markers"] = 0
            troop |= {"fresh": 0, "exposed": 0, "pinned": 0, "charged": False, "aligned": False,
                      "double_paced": False}  # fmt: skip
            troop["unaware"] = troop["unaware"] and not troop["skills"]
            if n == 0 and self.sides and stood:
                troop["change"] += lost_morale(self.sides, self.fronts, picks)
            steady = picks["morale"] == "off" or troop["morale"] is None
            if not steady and troop["morale"] + troop["change"] <= 0:
                self.broken = self.broken or n == 0
                troop["members"] = 0
        self.sides, self.fronts = [], 1


def attack(
    one: Side, other: Side, mates: list[Side], situation: Raw, picks: dict[str, Any]
) -> Activation:
    """The attack of one unit on another."""
    own = one.leads()
    raw = {**situation, "attacker": own, "defender": other.unit, "others": [], "goes_on": True}
    if own is not one.unit:
        raw["weapon"] = ""
    formations = (one.unit["formation"], other.unit["formation"])
    skirmish = raw["combat"] in ("auto", "skirmish") and raw["distance"] == 0
    loose = [mate for mate in mates if mate.unit["formation"] != "ranked"]
    anybody = {*formations, *(mate.unit["formation"] for mate in loose)}
    if skirmish and loose and "ranked" not in formations and "open" in anybody:
        raw["combat"] = "skirmish"
        raw["others"] = [
            {"who": mate.unit, "side": "enemy", "body": True, "fights": False, "engages": False,
             "contact": raw["contact"]}
            for mate in loose
        ]  # fmt: skip
    return Activation(raw, picks)


def settle(done: Activation, struck: list[Side], picks: dict[str, Any]) -> list[int]:
    """Write down what an attack did to target and mates; points of each."""
    places = {party.troop["name"]: n for n, party in enumerate(done.parties)}
    found = []
    for side in struck:
        total = 0
        for troop in troops_of(side.unit):
            place = places.get(troop["name"])
            if place is None:
                continue
            now = done.parties[place].troop
            troop |= {key: now[key] for key in MARKS}
            troop["track"], points = done.track[place], done.dealt[place]
            troop["fresh"] += points
            total += points
        found.append(total)
    fought, aim = done.situation(done.action), done.target
    ranked = fought.combat() == "ranked" and fought.formation(aim) == "ranked"
    if picks["morale"] == "on" and ranked and fought.is_in(aim):
        struck[0].sides += fought.sides(aim)
        struck[0].fronts = max(struck[0].fronts, fought.parties[aim].contact["own_fronts"])
    return found
