"""Whole activations, step by step against the oracle that knows nothing of this room.

Setups are drawn with a seed. Room and oracle have to ask the same at the same time, of the same
person: the same dice, the same options, the same closed ones; both get the same random answers.
What came of it at the end is compared field by field, troop by troop.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.core.ruling import Rulings
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Session
from affray.systems.emlia.rulings import RULINGS
from affray.systems.emlia.state import Exchange
from tests.oracles.emlia_activation import Activation, RefusedError, is_gone
from tests.oracles.emlia_situation import Raw

from .factories import SYSTEM
from .lockstep import lockstep, worn
from .situations import drawn, setup_of

HITS = (1, 2, 3, 4, 5, 6, 7, 8)
KEYS = ("members", "marked", "lost", "markers", "bonus", "next_bonus", "weaker", "pinned",
        "exposed", "charged", "double_paced", "aligned", "unaware")  # fmt: skip


def _situation(rng: Random) -> Raw:
    raw = drawn(rng)
    others = raw["others"]
    units = [raw["attacker"], raw["defender"], *[other["who"] for other in others]]
    troops = [troop for unit in units for troop in (unit, *unit["joined"])]
    if len(troops) > len(HITS):
        return _situation(rng)
    for troop, hits in zip(troops, rng.sample(HITS, len(troops)), strict=True):
        worn(rng, troop)
        troop["hits"], troop["armor"] = hits, rng.choice((0, 0, 0, 8))
    names = {troop["name"]: troop for troop in troops}
    for troop in troops:
        if troop["vertical_cover"] == "total" and is_gone(names[troop["covered_by"]]):
            troop["vertical_cover"] = "partial"
    _wanted(rng, raw)
    move = rng.choice(("none", "none", "none", "forfeit", "normal", "double"))
    foes = ["B", *[other["who"]["name"] for other in others if other["side"] == "enemy"]]
    raw |= {
        "move": move, "leaves": rng.random() < 0.5, "resolution": rng.random() < 0.5,
        "may_align": rng.random() < 0.5,
        "align_cost": tuple(rng.choice((0, 3, 5, 8)) for _ in range(3)),
        "wrap": rng.choice(((), (), (2,), (1, 0, 2), (1, 2, 3))),
        "focus": rng.choice(("none", "open", "open", rng.choice(foes))),
    }  # fmt: skip
    return raw


def _wanted(rng: Random, raw: Raw) -> None:
    """An action; mostly one that can be taken."""
    own, aim = raw["attacker"], raw["defender"]
    for unit in (own, aim):
        if "ruin" in unit["came_up"] and rng.random() < 0.9:
            unit["came_up"] = []
    stunts = [act["name"] for act in own["actions"]]
    raw["action"] = rng.choice((
        "open", "open", "close_combat", "close_combat", "aimed_fire", "volley_fire", "charge",
        "supporting_fire", "charge", "charge", "move", "disengage", "distract", "break_ranks",
        rng.choice(("pass", "move", *stunts)),
    ))  # fmt: skip
    if rng.random() < 0.2:
        return
    if raw["action"] == "charge":
        raw |= {"engaged": False, "distance": rng.choice((3, 6, 8, 10, 12, 15)), "weapon": ""}
        own["speed"] = rng.choice((3, 5, 6, 7.5))
        if rng.random() < 0.7:
            aim["formation"] = "ranked"
    elif raw["action"] in ("move", "disengage", "distract", "close_combat"):
        raw |= {"engaged": rng.random() < 0.8, "distance": 0, "weapon": ""}
        known = [skill["skill"] for skill in own["skills"]]
        if "close_combat" not in known:
            own["skills"].append({"skill": "close_combat", "level": 4, "diminish": 0})
    elif raw["action"] in ("aimed_fire", "volley_fire", "supporting_fire"):
        raw |= {"blind": False, "weapon": ""}
        known = [skill["skill"] for skill in own["skills"]]
        if raw["action"] == "volley_fire":
            own["formation"] = "close"
        skill = "volley_fire" if raw["action"] == "volley_fire" else "aimed_fire"
        if skill not in known:
            own["skills"].append({"skill": skill, "level": 5, "diminish": 0})
        if aim["cover"] == "total":
            aim["cover"] = "partial"


def _picks(rng: Random) -> dict[str, Any]:
    """Readings: half of them all as they are where nobody says anything."""
    found: dict[str, Any] = {ruling.name: ruling.default for ruling in RULINGS}
    if rng.random() < 0.7:
        for ruling in RULINGS:
            found[ruling.name] = rng.choice((ruling.default, *ruling.options))
    return found | {"who_takes": "largest"}


def _compare(session: Session, oracle: Activation, seed: int) -> None:
    """Fields of the outcome, and how everybody is."""
    x: Any = session.outcome
    assert isinstance(x, Exchange)
    fields = {field.name: field.of(x) for field in SYSTEM.fields}
    wanted = oracle.told
    assert {name: fields[name] for name in wanted} == wanted, seed
    for n, (party, status) in enumerate(zip(oracle.parties, x.statuses, strict=True)):
        troop, where = party.troop, (seed, party.troop["name"])
        for key in KEYS:
            assert getattr(status, key) == troop[key], (*where, key)
        assert status.destroyed == is_gone(troop), where
        assert list(status.rolled) == sorted(troop["came_up"]), where
        assert status.morale == oracle.morale[n], where
        assert status.broken == oracle.broken[n], where
        assert (x.dealt[n] if x.dealt else 0) == oracle.dealt[n], where
        if troop["damage_limit"] is not None:
            assert status.damage == oracle.track[n] % troop["damage_limit"], where
        if troop["threshold"] is not None:
            assert status.wear == oracle.track[n] % troop["threshold"], where


@pytest.mark.parametrize("start", range(0, 1200, 60))
def test_em60_whole_activations_go_as_the_oracle_has_them(start: int) -> None:
    refused = 0
    for seed in range(start, start + 60):
        rng = Random(seed)
        raw, picks = _situation(rng), _picks(rng)
        oracle = Activation(raw, picks)
        made, rulings = setup_of(raw), Rulings.pick(RULINGS, picks)
        try:
            oracle.refuse()
        except RefusedError:
            refused += 1
            with pytest.raises(SetupError):
                SYSTEM.declared(made, rulings)
            continue
        session = Session(Game(SYSTEM, SYSTEM.declared(made, rulings)))
        _compare(lockstep(session, oracle, rng, seed), oracle, seed)
    assert 5 <= refused <= 50
