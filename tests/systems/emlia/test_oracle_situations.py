"""Whole situations, drawn with a seed, against the oracle that walks over their sheets.

Everybody has something of his own: who joined it, weapons with names, actions, marks of the turn,
contacts of several units. Checks, Free Strikes and morale are compared at once.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from affray.core.ruling import Rulings
from affray.systems.emlia.disengage import disengage_check
from affray.systems.emlia.engagement import morale_of, strikers
from affray.systems.emlia.modifiers import common_rows, own_rows
from affray.systems.emlia.movement import blows_of
from affray.systems.emlia.numbers import checks_of, disengagement
from affray.systems.emlia.parties import terms_of
from affray.systems.emlia.rulings import RULINGS
from affray.systems.emlia.state import Decisions, Exchange, Terms, status_of
from affray.systems.emlia.strength import in_contact, inputs_of, press_of
from tests.oracles import emlia
from tests.oracles.emlia_situation import Raw, Roll, Situation

from .situations import drawn, few, readings, setup_of


def _planned(rng: Random, raw: Raw, picks: dict[str, Any]) -> dict[str, Any]:
    """What may have come before the attack: charging, aligning, enveloping, a focus."""
    decided: dict[str, Any] = {}
    if few(rng, 0.3):
        decided["charged"] = True
        raw |= {"engaged": True, "distance": 0}
    if few(rng, 0.2):
        decided["closed"] = True
    after = Situation(raw, picks, **decided)
    enemies = [n for n in after.body() if after.parties[n].side == "enemy"]
    if len(after.body()) > 1 and enemies and few(rng, 0.5):
        decided["focus"] = rng.choice(enemies)
    return decided


@pytest.mark.parametrize("start", range(0, 1500, 100))
def test_em50_whole_situations_have_the_numbers_of_the_oracle(start: int) -> None:
    for seed in range(start, start + 100):
        rng = Random(seed)
        raw, picks = drawn(rng), readings(rng)
        decided = _planned(rng, raw, picks)
        situation = Situation(raw, picks, **decided)
        rulings = Rulings.pick(RULINGS, picks)
        terms = terms_of(setup_of(raw), rulings)
        statuses = tuple(status_of(party.troop, rulings) for party in terms.troops)
        made = Decisions(action=raw["action"], **decided)
        inputs = inputs_of(terms, statuses, made)
        got = [
            Roll(one.by, one.dice, one.difficulty, one.automatic, one.base, one.each, one.body,
                 one.friends)
            for one in checks_of(terms, made, inputs)
        ]  # fmt: skip
        assert got == situation.rolls(), seed
        rows = [
            row for one in got
            for row in (*common_rows(terms, made, inputs, one.by),
                        *own_rows(terms, made, inputs, one.by)[0])
        ]  # fmt: skip
        assert all(row.value for row in rows), seed
        assert [morale_of(terms, made, n) for n in range(len(statuses))] == [
            situation.morale(n) for n in range(len(statuses))
        ], seed
        press = press_of(terms, statuses, made)
        assert press == situation.pressing(raw["press"]), seed
        for more in (0, press, 2):
            assert in_contact(terms, statuses, made, more) == situation.touching(more), seed
        _rest_is_the_oracles(terms, raw, picks, seed)


def _rest_is_the_oracles(terms: Terms, raw: Raw, picks: dict[str, Any], seed: int) -> None:
    """Free Strikes, and Disengage: before anything is done nobody has charged."""
    statuses = tuple(status_of(party.troop, terms.rulings) for party in terms.troops)
    before = Situation({**raw, "action": ""}, picks)
    assert list(strikers(terms)) == before.strikers(), seed
    for place in before.strikers():
        assert blows_of(terms, statuses, place) == before.blows(place), (seed, place)
    total = disengagement(terms, statuses, Decisions(action="disengage"))
    assert total.value == before.disengaging(), seed
    assert all(row.value for row in total.terms), seed
    check = disengage_check(Exchange(terms, statuses, Decisions(action="disengage")))
    there = tuple(before.strikers())
    assert check.body == there, seed
    assert check.automatic == all(before.parties[n].troop["unaware"] for n in there), seed
    assert check.dice == before.dice(0, "close_combat", 0)[0], seed
    number = emlia.difficulty(before.disengaging(), picks["check"], clamp=picks["clamp"])
    assert check.difficulty == number, seed
