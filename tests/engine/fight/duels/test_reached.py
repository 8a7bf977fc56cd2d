"""Where duels can come to, against conditions that are followed one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from affray.core.errors import LimitError
from affray.core.meter import Meter, metered
from affray.engine.fight.duels import reached as module
from affray.engine.fight.duels.beginning import starts_of
from affray.engine.fight.duels.optimal import BestDuel
from affray.engine.fight.duels.reached import Ways, _settled, reached
from affray.engine.fight.duels.sweep import Sweep
from tests.engine import skirmish as game
from tests.engine.skirmish import Body, Fencer, skirmish, skirmish_of

HEALS = Fencer("A", 4, 1, ("light", "guard"), heals=1, bleeds=1)
BLEEDS = Fencer("B", 3, 0, ("light", "rest"), bleeds=1, yields=1)
GUARDS = Fencer("C", 3, 0, ("light", "guard"), speed=1)
KINDS: dict[str, Any] = {
    "in turns": (HEALS, BLEEDS, "one", {}),
    "two strikes": (BLEEDS, HEALS, "other", {"actions": 2}),
    "initiative": (GUARDS, BLEEDS, None, {"die": 2}),
    "unchanged": (GUARDS, GUARDS, "one", {}),
}


class Made:
    """A duel, and its conditions; a pair is numbered by these."""

    def __init__(self, kind: str) -> None:
        one, other, first, changes = KINDS[kind]
        duel = BestDuel(skirmish_of(one, other, first, system=skirmish(**changes)))
        starts = starts_of(duel.contest, duel.duelists)
        self.leads = np.stack([duel._by_pair(start).ravel() for start in starts], -1)
        self.start = duel.start_pair
        self.sheets = one, other
        places = duel.closure.places
        lead = self.leads[:, 0].reshape(tuple(len(own.conditions) for own in duel.duelists))
        first_lead: Any = lead if first is None else float(lead.flat[0])
        self.sweep = Sweep(duel.duelists, duel.attacks, first_lead, places=places)
        self.ways = Ways(self.sweep, duel.trees)
        self.conditions: list[list[Body]] = [list(own.conditions) for own in duel.duelists]  # type: ignore[arg-type]  # the skirmish's

    def bodies(self, pair: int) -> tuple[Body, Body]:
        """The conditions of a pair."""
        one, other = divmod(pair, self.sweep.n[1])
        return self.conditions[0][one], self.conditions[1][other]

    def pair(self, bodies: tuple[Body, Body]) -> int:
        """The number of a pair."""
        one, other = (own.index(body) for own, body in zip(self.conditions, bodies, strict=True))
        return one * self.sweep.n[1] + other

    def goes_on(self, bodies: tuple[Body, Body]) -> bool:
        """Whether nobody is out, and nobody gives up."""
        return all(
            body.hp > max(0, who.yields) for body, who in zip(bodies, self.sheets, strict=True)
        )

    def led(self, number: int, pair: int) -> list[int]:
        """The pairs to which the ends of the exchange of a pair lead in a slot, end by end."""
        slot = self.sweep.slots[number]
        side = slot.actor.side
        sheets, bodies = self.sheets, self.bodies(pair)
        actor, target = bodies[side], bodies[1 - side]
        if slot.begins:
            actor = game._begin_turn(sheets[side], actor)
        found = []
        attack = int(self.ways.attack(number, np.array([pair]))[0])
        for own, foe in self.ways.attacks[slot.attacks].trees[attack].pairs:
            ends: Any = own, foe
            acted = game._apply(sheets[side], actor, ends[0])
            struck = game._apply(sheets[1 - side], target, ends[1])
            after = (acted, struck) if side == 0 else (struck, acted)
            if slot.ends_round and self.goes_on(after):
                one, other = map(game._end_round, sheets, after)
                after = one, other
            found.append(self.pair(after))
        return found

    def walked(self, leads: NDArray[np.float64]) -> list[set[int]]:
        """The pairs that come up in each slot, one after the other."""
        sweep, n = self.sweep, len(self.sweep.slots)
        seen: list[set[int]] = [set() for _ in range(n)]
        waiting = [(0, self.start)]
        while waiting:
            place, pair = waiting.pop()
            if place < sweep.offset:
                if (leads[pair] > 0).any():
                    waiting.append((sweep.offset, pair))
                if (leads[pair] < 1).any():
                    waiting.append((sweep.offset + n // 2, pair))
                continue
            number = place - sweep.offset
            if pair not in seen[number] and self.goes_on(self.bodies(pair)):
                seen[number].add(pair)
                waiting += [(sweep.then[number], there) for there in self.led(number, pair)]
        return seen


@pytest.fixture(scope="module", params=KINDS)
def made(request: pytest.FixtureRequest) -> Made:
    return Made(request.param)


def test_pairs_lead_where_their_conditions_lead(made: Made) -> None:
    ways = made.ways
    for number, some in enumerate(made.walked(made.leads)):
        slot = made.sweep.slots[number]
        effects = [own.effects for own in made.sweep.duelists]
        for pair in some:
            here, expected = np.array([pair]), made.led(number, pair)
            attack = int(ways.attack(number, here)[0])
            assert ways.there(number, attack, here)[:, 0].tolist() == expected
            ends = ways.attacks[slot.attacks].trees[attack].pairs
            own = np.array([effects[slot.actor.side][one] for one, _ in ends])
            foe = np.array([effects[1 - slot.actor.side][other] for _, other in ends])
            assert ways.led(number, own, foe, here.repeat(len(ends))).tolist() == expected


def test_pairs_share_the_exchanges_of_turns_that_have_begun(made: Made) -> None:
    """Where a turn may begin twice without a difference, which it may not for those who heal."""
    for number, slot in enumerate(made.sweep.slots):
        side = slot.actor.side
        twice = not made.sheets[side].heals
        for pair in range(made.sweep.n_pairs):
            bodies = [*made.bodies(pair)]
            if slot.begins and twice:
                bodies[side] = game._begin_turn(made.sheets[side], bodies[side])
            shared = made.ways.alike(number, np.array([pair])).tolist()
            assert shared == [made.pair((bodies[0], bodies[1]))]


@pytest.mark.parametrize("leading", ["as it is", "always", "never"])
def test_all_that_comes_up_is_reached_and_nothing_else(
    leading: str, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    leads = {"as it is": made.leads, "always": made.leads * 0 + 1, "never": made.leads * 0}[leading]
    walked = made.walked(leads)
    for at_once in (1, 250_000):
        monkeypatch.setattr(module, "AT_ONCE", at_once)
        seen = reached(made.ways, np.array([made.start]), leads)
        for number, (found, some) in enumerate(zip(seen, walked, strict=True)):
            stand = made.ways.alike(number, np.array(sorted(some), np.int64)).tolist()
            assert set(np.flatnonzero(found).tolist()) == some | set(stand)
    assert any(walked)


def test_too_many_pairs_are_told_beforehand(made: Made) -> None:
    class Full(Meter):
        def claim(self, n_bytes: int, what: str) -> None:
            raise LimitError(f"no room for {what}", limit="bytes")

    with metered(Full()), pytest.raises(LimitError, match=r"no room for .* pairs of conditions"):
        reached(made.ways, np.array([made.start]), made.leads)


def test_nothing_is_reached_from_a_fight_that_is_over(made: Made) -> None:
    over = np.flatnonzero(~made.ways.on)
    assert len(over)
    assert not np.any(reached(made.ways, over, made.leads))


def test_whoever_stands_for_somebody_has_somebody_too() -> None:
    assert _settled(np.array([1, 2, 2, 3])).tolist() == [2, 2, 2, 3]
    assert _settled(np.array([1, 2, 0, 3])).tolist() == [0, 1, 2, 3], "nobody in a circle"
