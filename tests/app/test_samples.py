"""Whatever `battle --save` writes opens as a fight: random fights of every system."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any

import pytest

from affray.app.fight import Fight
from affray.app.fight_report import ask_report
from affray.app.inputs.fight_fighters import fighters_of
from affray.app.inputs.fight_sheets import FIRST
from affray.app.registry import system_named
from affray.app.samples import play_samples, replay_samples
from affray.app.sources import Table
from affray.core.errors import SetupError
from affray.core.node import Facts
from affray.core.system import System
from affray.engine.budget import Budget
from affray.engine.fight.played.position import Conditions

SYSTEMS = ("affinity", "eclipse-phase", "emlia", "empty-earth", "grid-battles")
GALE = {"name": "gale", "count": 12, "moves_yd": 15}
LAIR: Mapping[str, Any] = {
    "first": "other",
    "one": {"fighters": ["squire"]},
    "other": {"fighters": [{"like": "orc_raider", "lair": [GALE]}]},
    "rounds": 2,
}
"""Something is over before anybody is asked anything: a lair phase without a roll comes first."""


def a_fight(system: System[Facts], seed: int) -> dict[str, Any]:
    """A fight by chance: one or two entries on a side, with lairs where there are any."""
    chance = random.Random(f"{system.id} {seed}")
    able, idle = fighters_of(system)

    def fighter() -> dict[str, Any]:
        found: dict[str, Any] = {"like": chance.choice((*able, *idle))}
        if chance.random() < 0.3:
            found["number"] = 2
        if system.id == "affinity" and chance.random() < 0.5:
            found["lair"] = [phase(number) for number in range(chance.randint(1, 2))]
        return found

    def phase(number: int) -> dict[str, Any]:
        more = {"moves_yd": 15, "damage": chance.randint(1, 4), "strikes": "everybody"}
        kept = {key: value for key, value in more.items() if chance.random() < 0.5}
        return {"name": f"gale {number}", "count": chance.choice([1, 9, 12, 18]), **kept}

    def side() -> dict[str, Any]:
        policy = chance.choice(["first", "first", "greedy"])
        return {"fighters": [fighter() for _ in range(chance.randint(1, 2))], "policy": policy}

    raw: dict[str, Any] = {"one": side(), "other": side(), "rounds": chance.choice([1, 2, 4])}
    if chance.random() < 0.7:
        raw["first"] = chance.choice(list(FIRST))
    if chance.random() < 0.2:
        raw["other"]["yields_at"] = 1
    if chance.random() < 0.2:
        raw["other"]["idle"] = True
    rulings = chance.sample(list(system.rulings), min(2, len(system.rulings)))
    if chance.random() < 0.3:
        raw["rulings"] = {one.name: chance.choice(list(one.options)) for one in rulings}
    return raw


def saved(raw: Mapping[str, Any], system: str, seed: int = 1) -> dict[str, Any]:
    """What `battle --save` writes of one battle, read from the file."""
    budget = Budget(seconds=20)
    found = play_samples(system, Table(raw, "x"), seed=seed, samples=1, budget=budget)
    read: dict[str, Any] = json.loads(json.dumps(found))
    return read


@pytest.mark.filterwarnings("ignore::affray.core.telling.AffrayWarning")
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", SYSTEMS)
def test_a_random_battle_opens_as_the_fight_it_was(name: str, seed: int) -> None:
    system = system_named(name)
    try:
        raw = saved(a_fight(system, seed), name)
    except SetupError:  # such ones can't meet, or not in this order
        pytest.skip("the rules refuse this fight")
    battle, fight = replay_samples(raw, "x")[0], Fight.begin(name, Table(raw, "x"))
    assert fight.verdict == battle.verdict
    events = [event for event in fight.session.log if event.kind == "exchange"]
    assert [(event.round, event.fighter, event.deed, event.target) for event in events] == [
        (entry.round, entry.actor, entry.deed, entry.target) for entry in battle.exchanges
    ]
    rules = fight.session.contest

    def vitals(rows: Conditions) -> list[list[int]]:
        pairs = zip(rules.sides, rows, strict=True)
        return [[rules.fight.vitals(*one) for one in zip(side.fighters, row, strict=True)]
                for side, row in pairs]  # fmt: skip

    assert [vitals(event.after) for event in events] == [
        vitals(entry.conditions) for entry in battle.exchanges
    ]
    fighters, ending = fight.view().fighters, fight.view().ending
    assert ("nobody is left standing" in ending) is all(row.is_out for row in fighters)
    assert ("Nobody has won." in ending) is (battle.verdict in {"ended", "stalled"})
    report = ask_report(fight, budget=Budget(seconds=0.1))
    assert len(report.exchanges) == len(events)
    again = Fight.restored(json.loads(json.dumps(fight.saved)))
    assert not again.remarks
    assert again.verdict == fight.verdict


def test_what_is_over_before_the_first_question_is_in_the_fight() -> None:
    fight = Fight.begin("affinity", Table(saved(LAIR, "affinity"), "x"))
    first = fight.session.line[0].events
    assert [event.deed for event in first if event.kind == "exchange"] == ["suffer gale"]
    (row, *_) = ask_report(fight, budget=Budget(seconds=0.1)).exchanges
    assert (row.round, row.deed) == (1, "suffer gale")
