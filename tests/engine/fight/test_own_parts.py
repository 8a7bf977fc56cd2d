"""Exchanges followed once for all that is hidden of whoever acts, against each by itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from types import MappingProxyType
from typing import Any, cast

import pytest

from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN
from affray.app.inputs.fight_setups import load_fight
from affray.app.sources import Names
from affray.core.fight import ATTACK
from affray.core.unknown import OWN_UNKNOWN, Looked
from affray.engine.fight.blending import EffectOdds, Ends, Look, OpenEnd, Place, Share, Tail, Wholes
from affray.engine.fight.front import Several
from affray.engine.fight.matchup import Encounter, Matchup
from affray.engine.fight.own_parts import Later, OwnParts
from affray.systems.affinity.hints import HINTS

Shares = dict[Hashable, Fraction]


def told(odds: EffectOdds | None) -> Shares | None:
    """The effects of an exchange, by their probability."""
    if odds is None:
        return None
    helped = odds.helped or [()] * len(odds.effects)
    found: defaultdict[Hashable, Fraction] = defaultdict(Fraction)
    for both, mates, weight in zip(odds.effects, helped, odds.weights, strict=True):
        found[both, mates] += Fraction(weight, odds.total)
    return {**found}


# -- by hand: a coin is tossed by those who are "bold", all others are "calm" ---------------------


WAITS: list[Any] = [OpenEnd((cast("Any", OWN_UNKNOWN), name)) for name in ("here", "there")]
KNOWN: Any = OpenEnd(("known", "here"))


class Hand:
    """Wholes by name, and what was asked for."""

    def __init__(self) -> None:
        self.wholes = Wholes()
        self.asked: list[tuple[int, Hashable]] = []
        self.contents: dict[Hashable, int] = {}
        self.own_parts = OwnParts(self.wholes, self.ends_of, self.content)

    def number(self, own: Hashable, other: Hashable = None, helped: Any = ()) -> int:
        return self.wholes.number((own, other, helped))

    def ends_of(self, place: Place, part: Hashable) -> Ends:
        self.asked.append(([id(waits) for waits in WAITS].index(id(place)), part))
        if part == "bold":
            return Ends({self.number("falls"): 1, self.number("stands"): 1}, 2)
        return Ends({self.number("stands"): 1}, 1)

    def content(self, ends: Ends) -> int:
        found = ends.total, *ends.weights.items()
        return self.contents.setdefault(found, len(self.contents))

    def put_off(self, *looks: Look, ends: Ends | None = None) -> Ends:
        return self.own_parts.put_off(Tail(ends or Ends({}, 1), list(looks)))

    def shares(self, *shares: Share) -> EffectOdds:
        return EffectOdds.of_shares(shares, "content", self.wholes)


def test_only_what_is_hidden_of_whoever_acts_is_put_off() -> None:
    hand = Hand()
    ends = Ends({hand.number("stands"): 1}, 1)
    assert hand.put_off(Look(KNOWN, 1, 1), ends=ends) is ends
    assert not hand.own_parts.is_looked_at(KNOWN)
    assert hand.own_parts.is_looked_at(WAITS[0])
    half = Ends({hand.number("stands"): 1}, 2)
    found = hand.put_off(Look(WAITS[0], 1, 4), Look(WAITS[1], 1, 4), ends=half)
    effects = [(hand.wholes.wholes[number][0], way) for number, way in found.weights.items()]
    laters = [(one.place, way) for one, way in effects if isinstance(one, Later)]
    assert [place is waits for (place, _), waits in zip(laters, WAITS, strict=True)] == [True, True]
    assert [4 * way for _, way in laters] == [found.total, found.total]
    assert [2 * way for effect, way in effects if effect == "stands"] == [found.total]
    again = hand.put_off(Look(WAITS[0], 1, 1))
    assert again.weights.keys() < found.weights.keys()  # a place is put off once


def test_what_was_put_off_is_spelled_out_for_each_part() -> None:
    hand = Hand()
    later, hit = hand.put_off(Look(WAITS[0], 1, 1)), Ends({hand.number(None, "hit"): 1}, 1)
    (number,) = later.weights
    missed = Ends({hand.wholes.crossed(number, hand.number(None, "missed", ((0, "mate"),))): 1}, 1)
    odds = hand.shares(Share(hit, later, 1, 4), Share(missed, None, 3, 4))
    bold, calm = (hand.own_parts.each([odds], part)[0] for part in ("bold", "calm"))
    assert told(calm) == {
        (("stands", "hit"), ()): Fraction(1, 4),
        (("stands", "missed"), ((0, "mate"),)): Fraction(3, 4),
    }
    assert told(bold) == {
        (("stands", "hit"), ()): Fraction(1, 8),
        (("falls", "hit"), ()): Fraction(1, 8),
        (("stands", "missed"), ((0, "mate"),)): Fraction(3, 8),
        (("falls", "missed"), ((0, "mate"),)): Fraction(3, 8),
    }
    for share in odds.shares:
        alone = [hand.shares(share)]
        one, other = (hand.own_parts.each(alone, part)[0] for part in ("bold", "calm"))
        assert one.content != other.content


def test_parts_with_which_it_comes_to_the_same_share_their_odds() -> None:
    hand = Hand()
    hit, missed = (Ends({hand.number(None, effect): 1}, 1) for effect in ("hit", "missed"))
    odds = [hand.shares(Share(hit, hand.put_off(Look(WAITS[0], 1, 1)), 1, 1))]
    each = hand.own_parts.each
    assert each(odds, "calm") is each(odds, "shy") is each(odds, "calm") is not each(odds, "bold")
    assert hand.asked == [(0, "calm"), (0, "shy"), (0, "bold")]
    other = [hand.shares(Share(missed, hand.put_off(Look(WAITS[0], 1, 1)), 1, 1))]
    assert told(each(other, "calm")[0]) != told(each(odds, "calm")[0])


def test_shares_in_another_order_are_the_same() -> None:
    hand = Hand()
    later = hand.put_off(Look(WAITS[0], 1, 1))
    shares = [Share(Ends({hand.number(None, effect): 1}, 1), later, 1, 2) for effect in "ab"]
    one, other = hand.shares(*shares), hand.shares(*reversed(shares))
    found = hand.own_parts.each([one, other], "bold")
    assert found[0].content == found[1].content


def test_pairs_of_effects_are_spelled_out_too() -> None:
    hand = Hand()
    (later,) = hand.put_off(Look(WAITS[1], 1, 1)).weights
    number = hand.wholes.crossed(later, hand.number(None, "hit", ((1, "mate"),)))
    odds = EffectOdds.of_ends(Ends({number: 2, hand.number("sits", "rests"): 1}, 3), hand.wholes)
    bold = hand.own_parts.alone(odds, "bold")
    assert told(bold) == {
        (("stands", "hit"), ((1, "mate"),)): Fraction(1, 3),
        (("falls", "hit"), ((1, "mate"),)): Fraction(1, 3),
        (("sits", "rests"), ()): Fraction(1, 3),
    }
    assert hand.own_parts.alone(odds, "bold") is bold
    assert told(hand.own_parts.alone(odds, "calm")) == {
        (("stands", "hit"), ((1, "mate"),)): Fraction(2, 3),
        (("sits", "rests"), ()): Fraction(1, 3),
    }
    known = EffectOdds.of_ends(Ends({hand.number("sits", "rests"): 1}, 1), hand.wholes)
    assert hand.own_parts.alone(known, "bold") is known


# -- shipped fighters ----------------------------------------------------------------------------


def matchup(
    policy: str = "first", hints: Any = HINTS, fighter: Any = MappingProxyType({}), **rulings: str
) -> Matchup:
    """A champion's exchanges with somebody who calls storms."""
    changes = FIGHT_AS_WRITTEN._replace(policies=(policy, policy), rulings=rulings)
    contest = load_fight("affinity", Names("champion", "storm_caller"), changes).contest
    contest.system = replace(contest.system, hints=hints)
    one, other = (cast("Any", side.fighters[0]) for side in contest.sides)
    return contest.matchup(0, replace(one, **fighter), other)


def conditions(fights: Matchup, side: int, **fields: tuple[Any, ...]) -> list[Any]:
    """Conditions of a fighter that differ in these fields."""
    sheet = (fights.setup.attacker, fights.setup.defender)[side]
    whole: Any = fights.fight.enter(sheet, fights.rulings)
    return [
        whole._replace(now=whole.now._replace(**dict(zip(fields, values, strict=True))))
        for values in product(*fields.values())
    ]


def compared(fights: Matchup) -> int:
    """Compare exchanges among several targets with each by itself; how many come to the same."""
    alone = fights.fight.context(())
    part = fights.hints.hidden.part
    struck = conditions(fights, 1, hd=(1, 9), lost=(0, 3), checked=(False, True))
    several = Several(list(dict.fromkeys(map(part, struck))))
    among = {part(target): target for target in struck}
    found = set()
    for actor in conditions(
        fights, 0, hd=(1, 3), resolve=(5, 1), checked=(False, True), stabilized=(False, True)
    ):
        encounter = Encounter(ATTACK, actor, struck[0], alone)
        every, alike = fights.odds_for(encounter, several)
        assert not alike
        for hidden, odds in zip(several.parts, every, strict=True):
            by_itself = fights.odds(encounter._replace(target=among[hidden]))
            assert told(odds) == told(by_itself)
            found.add(id(odds))
    return len(found)


@pytest.mark.parametrize("policy", ["greedy", "first"])
def test_exchanges_are_the_same_as_each_by_itself(policy: str) -> None:
    fights = matchup(policy)
    assert compared(fights) > 2
    assert len(fights._apart) == 2  # one for each Resolve
    assert None not in fights._apart.values()


def test_where_something_looks_at_it_too_soon_each_is_followed_by_itself() -> None:
    fights = matchup("opening", burn_timing="immediate")
    assert compared(fights) > 2
    assert fights._apart
    assert not any(fights._apart.values())


def test_what_has_no_place_for_it_is_followed_by_itself() -> None:
    def veiled(condition: Any, part: Any) -> Any:
        if part is OWN_UNKNOWN:
            raise ValueError(part)  # never asked for
        return HINTS.hidden.veiled(condition, part)

    hidden = HINTS.hidden._replace(veiled=veiled)
    fights = matchup(hints=replace(HINTS, hidden=hidden, splits=None))
    assert compared(fights) > 2
    assert not fights._apart


def test_a_hint_that_looks_at_it_is_left_alone() -> None:
    def veiled(condition: Any, part: Any) -> Any:
        if part is OWN_UNKNOWN:
            raise Looked
        return HINTS.hidden.veiled(condition, part)

    fights = matchup(hints=replace(HINTS, hidden=HINTS.hidden._replace(veiled=veiled)))
    assert compared(fights) > 2
    assert fights._apart
    assert not any(fights._apart.values())


def test_what_does_nothing_to_others_is_the_same_whatever_is_hidden_of_them() -> None:
    fights = matchup(fighter={"actions": (), "universal": ("rush",)})
    (actor,), struck = conditions(fights, 0), conditions(fights, 1, hd=(1, 9))
    encounter = Encounter(ATTACK, actor, struck[0], fights.fight.context(()))
    every, alike = fights.odds_for(encounter, Several([*map(fights.hints.hidden.part, struck)]))
    assert alike
    assert any(fights._apart.values())
    for target, odds in zip(struck, every, strict=True):
        assert told(odds) == told(fights.odds(encounter._replace(target=target)))


def test_what_the_rules_refuse_is_refused_whatever_is_hidden() -> None:
    fights = matchup()
    (actor,), (target,) = conditions(fights, 0, actions=(0,)), conditions(fights, 1)
    encounter = Encounter(ATTACK, actor, target, fights.fight.context(()))
    assert fights.odds_for(encounter, Several((1, 2))) == ([None, None], True)
