"""Whole situations, drawn with a seed, against the oracle that walks over their sheets.

Everybody has something of his own: who joined it, weapons with names, actions, marks of the turn,
contacts of several units. Checks, Free Strikes and morale are compared at once.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from affray.core.ruling import Rulings
from affray.systems.emlia.declaration import terms_of
from affray.systems.emlia.disengage import trial_of
from affray.systems.emlia.engagement import morale_of
from affray.systems.emlia.modifiers import common_rows, own_rows
from affray.systems.emlia.movement import blows_of
from affray.systems.emlia.numbers import attempts_of, disengagement
from affray.systems.emlia.rulings import RULINGS
from affray.systems.emlia.sheet import Contact
from affray.systems.emlia.state import Exchange, Plan, Terms, stand_of
from affray.systems.emlia.strength import in_contact, press_of, seen_of
from tests.oracles import emlia
from tests.oracles.emlia_situation import Raw, Roll, Situation

from .situations import contact, drawn, few, readings, setup_of


def _planned(rng: Random, raw: Raw, situation: Situation) -> dict[str, Any]:
    """What may have come before the attack: charging, aligning, enveloping, a focus."""
    plan: dict[str, Any] = {}
    if few(rng, 0.3):
        plan["charged"] = True
        if few(rng, 0.5):
            plan["contact"] = contact(rng)
    if few(rng, 0.2):
        plan["aligned"] = True
    elif few(rng, 0.2):
        plan |= {"wraps": rng.randint(1, 3), "wrapped": rng.randint(1, 4)}
    after = Situation(raw, situation.picks, **plan)
    enemies = [n for n in after.body() if after.parties[n].side == "enemy"]
    if len(after.body()) > 1 and enemies and few(rng, 0.5):
        plan["focus"] = rng.choice(enemies)
    return plan


@pytest.mark.parametrize("start", range(0, 1500, 100))
def test_em50_whole_situations_have_the_numbers_of_the_oracle(start: int) -> None:
    for seed in range(start, start + 100):
        rng = Random(seed)
        raw, picks = drawn(rng), readings(rng)
        plan = _planned(rng, raw, Situation(raw, picks))
        situation = Situation(raw, picks, **plan)
        rulings = Rulings.pick(RULINGS, picks)
        terms = terms_of(setup_of(raw), rulings)
        stands = tuple(stand_of(party.troop, rulings) for party in terms.troops)
        if plan.get("contact"):
            plan["contact"] = Contact(**plan["contact"])
        made = Plan(action=raw["action"], **plan)
        seen = seen_of(terms, stands, made)
        got = [
            Roll(one.by, one.dice, one.difficulty, one.automatic, one.base, one.each, one.body,
                 one.friends)
            for one in attempts_of(terms, made, seen)
        ]  # fmt: skip
        assert got == situation.rolls(), seed
        rows = [
            row for one in got
            for row in (*common_rows(terms, made, seen, one.by),
                        *own_rows(terms, made, seen, one.by, 0))
        ]  # fmt: skip
        assert all(row.value for row in rows), seed
        assert [morale_of(terms, made, n) for n in range(len(stands))] == [
            situation.morale(n) for n in range(len(stands))
        ], seed
        press = press_of(terms, stands, made)
        assert press == situation.pressing(raw["press"]), seed
        for more in (0, press, 2):
            assert in_contact(terms, stands, made, more) == situation.touching(more), seed
        _rest_is_the_oracles(terms, raw, picks, seed)


def _rest_is_the_oracles(terms: Terms, raw: Raw, picks: dict[str, Any], seed: int) -> None:
    """Free Strikes, and Disengage: before anything is done nobody has charged."""
    stands = tuple(stand_of(party.troop, terms.rulings) for party in terms.troops)
    before = Situation({**raw, "action": ""}, picks)
    for place, party in enumerate(before.parties):
        if party.engages:
            assert blows_of(terms, stands, place) == before.blows(place), (seed, place)
    total = disengagement(terms, stands, Plan(action="disengage"))
    assert total.value == before.disengaging(), seed
    assert all(row.value for row in total.terms), seed
    trial = trial_of(Exchange(terms, stands, Plan(action="disengage")))
    there = tuple(n for n, party in enumerate(before.parties) if party.engages)
    assert trial.body == there, seed
    assert trial.automatic == all(before.parties[n].troop["unaware"] for n in there), seed
    assert trial.dice == before.dice(0, "close_combat", 0)[0], seed
    number = emlia.difficulty(before.disengaging(), picks["check"], clamp=picks["clamp"])
    assert trial.difficulty == number, seed
