"""Fights of several rounds, exchange by exchange, against the oracle that keeps sheets.

Units on both sides attack in turn. Room and oracle ask for the same dice and get the same faces;
points and what is left of everybody are compared after every attack and every round.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Scene
from affray.core.ruling import Rulings
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Session
from affray.systems.emlia.fight import FIGHT
from affray.systems.emlia.hints import HINTS
from affray.systems.emlia.rulings import RULINGS
from affray.systems.emlia.sheet import Unit
from tests.oracles.emlia_activation import RefusedError
from tests.oracles.emlia_rounds import Side, attack, settle, troops_of
from tests.oracles.emlia_situation import Raw

from .factories import SYSTEM
from .lockstep import lockstep, worn
from .situations import contact, setup_of, sheet_of, unit_of

MELEE = "close_combat"


def _unit(rng: Random, name: str) -> Raw:
    made = unit_of(rng, name, [])
    for troop in troops_of(made):
        worn(rng, troop)
        troop["members"] = min(troop["members"], rng.choice((1, 3, 8)))
        troop["marked"] = min(troop["marked"], troop["members"] - 1)
        troop["pinned"] = min(troop["pinned"], troop["members"])
        troop["armor"], troop["actions"] = 0, []
        troop["weapons"] = [one for one in troop["weapons"] if one["also"] or one["skill"]]
        if troop["cover"] == "total":
            troop["cover"] = "none"
        if "ruin" in troop["came_up"]:
            troop["came_up"] = []
    if rng.random() < 0.5:
        made["joined"] = []
    return made


def _hits(rng: Random, units: list[Raw]) -> None:
    """No two troops of one body share a Hits value."""
    troops = [troop for unit in units for troop in troops_of(unit)]
    for troop, hits in zip(troops, rng.sample(range(1, len(troops) + 2), len(troops)), strict=True):
        troop["hits"] = hits


def _situation(rng: Random, own: Raw) -> Raw:
    """How a unit attacks, in every round alike."""
    shoots = rng.random() < 0.25 and any(skill["skill"] == "aimed_fire" for skill in own["skills"])
    return {
        "action": "aimed_fire" if shoots else MELEE, "weapon": "", "engaged": False,
        "combat": rng.choice(("auto", "auto", "auto", "skirmish", "ranked")),
        "contact": contact(rng), "press": 0, "distance": 5 if shoots else 0, "blind": False,
        "in_sight": False, "move": rng.choice(("none", "forfeit")), "leaves": False,
        "resolution": False, "may_align": False, "align_cost": (0, 0, 0), "wrap": (),
        "focus": "none",
    }  # fmt: skip


def _readings(rng: Random) -> dict[str, Any]:
    found: dict[str, Any] = {ruling.name: ruling.default for ruling in RULINGS}
    for ruling in RULINGS:
        if rng.random() < 0.2:
            found[ruling.name] = rng.choice(tuple(ruling.options))
    if rng.random() < 0.4:
        found["morale"] = "on"
    return found | {"who_takes": "largest"}


class Fought:
    """One fight: both sides as the room and as the oracle have them."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        rng = self.rng
        self.picks = _readings(rng)
        self.rulings = Rulings.pick(RULINGS, self.picks)
        raws = [[_unit(rng, f"{side}{n}") for n in range(rng.choice((1, 1, 2)))] for side in "AB"]
        for units in raws:
            _hits(rng, units)
        self.situations = {unit["name"]: _situation(rng, unit) for units in raws for unit in units}
        self.sheets: dict[str, Unit] = {
            unit["name"]: sheet_of(unit, Unit) for units in raws for unit in units
        }
        self.now: dict[str, Any] = {}
        for own, foes in (raws, raws[::-1]):
            theirs = [self.sheets[unit["name"]] for unit in foes]
            for unit in own:
                sheet = self.sheets[unit["name"]]
                mates = [self.sheets[mate["name"]] for mate in own if mate is not unit]
                entered = FIGHT.enter(sheet, self.rulings)
                self.now[unit["name"]] = FIGHT.beside(sheet, entered, mates, theirs)
        self.sides = [[Side(unit) for unit in units] for units in raws]
        self.dealt = 0

    def left(self, side: int) -> list[Side]:
        """Who is left of a side."""
        return [one for one in self.sides[side] if not one.is_out()]

    def strike(self, one: Side, other: Side, mates: list[Side]) -> None:
        """One attack."""
        name, aim = one.unit["name"], other.unit["name"]
        situation, aimed = self.situations[name], other.unit
        simple = not (aimed["joined"] or aimed["damage_limit"] or aimed["threshold"])
        most = aimed["members"] - aimed["marked"] if simple else 10**6
        oracle = attack(one, other, mates, situation, self.picks)
        setup = setup_of({**situation, "attacker": {}, "defender": {}, "others": []},
                         (self.sheets[name], self.sheets[aim]))  # fmt: skip
        context = FIGHT.context([(self.sheets[m.unit["name"]], self.now[m.unit["name"]])
                                 for m in mates])  # fmt: skip
        hidden = HINTS.hidden
        assert hidden is not None
        own = hidden.visible(self.now[name])
        scene = Scene(setup, ATTACK, own, self.now[aim], context, self.rulings)
        try:
            oracle.refuse()
        except RefusedError:  # who leads now can't do what the unit did
            with pytest.raises(SetupError):
                FIGHT.declare(scene)
            return
        at: Any = FIGHT.declare(scene)
        done = lockstep(Session(Game(SYSTEM, at)), oracle, self.rng, 0)
        points = settle(oracle, [other, *mates], self.picks)
        outcome: Any = done.outcome
        effect = FIGHT.effect(outcome, "target")
        # Of numbers alone those beyond the last member are told as well.
        assert min(most, FIGHT.harm(effect)) == points[0]
        self.now[aim] = FIGHT.apply(self.sheets[aim], self.now[aim], effect)
        for place, befell in FIGHT.helped(outcome):
            mate = mates[place].unit["name"]
            assert FIGHT.harm(befell) == points[1 + place]
            self.now[mate] = FIGHT.apply(self.sheets[mate], self.now[mate], befell)
        self.dealt += sum(points)
        self.agree()

    def agree(self) -> None:
        """Everybody is as hard to bring down as the oracle says."""
        for side in (*self.sides[0], *self.sides[1]):
            name = side.unit["name"]
            sheet, now = self.sheets[name], self.now[name]
            assert FIGHT.is_out(sheet, now) == side.is_out(), name
            assert FIGHT.vitals(sheet, now) == side.vitals(), name

    def round(self) -> None:
        """Everybody attacks; then casualties leave."""
        for number in (0, 1):
            for one in self.left(number):
                armed = any(t["skills"] or t["weapons"] for t in troops_of(one.unit))
                sheet = self.sheets[one.unit["name"]]
                assert bool(FIGHT.deeds(sheet, self.now[one.unit["name"]])) == armed
                foes = self.left(1 - number)
                if armed and foes:
                    aim = self.rng.choice(foes)
                    self.strike(one, aim, [foe for foe in foes if foe is not aim])
        for side in (*self.sides[0], *self.sides[1]):
            name = side.unit["name"]
            if not side.is_out():
                side.end_round(self.picks)
                self.now[name] = FIGHT.end_round(self.sheets[name], self.now[name])
        self.agree()


@pytest.mark.parametrize("start", range(0, 150, 30))
def test_em44_fights_go_round_by_round_as_the_oracle_has_them(start: int) -> None:
    dealt = 0
    for seed in range(start, start + 30):
        fought = Fought(seed)
        for _ in range(4):
            if not fought.left(0) or not fought.left(1):
                break
            fought.round()
        dealt += fought.dealt
    assert dealt > 50
