"""An ambush: Infiltrate against Perceive, before the defense is declared."""

from __future__ import annotations

from functools import lru_cache

from affray.core.actor import Actor
from affray.core.dice import D100, Pool
from affray.core.errors import SetupError
from affray.core.lazy import NamedTuple
from affray.core.loop import Loop
from affray.core.modifier import Total
from affray.core.node import At, Chance, End, Go, Node, Offer, Step
from affray.core.sheet import replace
from affray.core.step import cites, step
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.numbers import (
    hiding_total,
    noticing_total,
    pools_of,
    spared,
    with_points,
)
from affray.systems.eclipse_phase.opposed import number_compared, opposed
from affray.systems.eclipse_phase.pools import after_roll, before_roll, can_help
from affray.systems.eclipse_phase.reading import LOST, Result, TestRead
from affray.systems.eclipse_phase.sheet import Combatant, Setup
from affray.systems.eclipse_phase.state import Exchange, Pools

__all__ = [
    "DEFENSE", "STEPS", "spend_after_hiding", "spend_after_noticing", "spend_before_hiding",
    "spend_before_noticing",
]  # fmt: skip

PERCENT = Pool((D100, 1))
DEFENSE: Loop[Exchange] = Loop("the defense")
"""Where an attack goes on once the ambush is sprung."""


# -- points ----------------------------------------------------------------------------------------


@cites("EP-18", "EP-24")
@lru_cache(maxsize=256)
def _paid(setup: Setup, place: int, left: Pools) -> Setup:
    """The setup with what somebody has left of the pools: the attacker (0), or a target."""
    points = dict(left)
    threat = points.get("threat", 0)
    group = (setup.attacker, *setup.targets)[place].threat_group if place else ""

    def after(number: int, one: Combatant) -> Combatant:
        if number == place:
            one = replace(
                one, vigor=points.get("vigor", 0), insight=points.get("insight", 0),
                moxie=points.get("moxie", 0), flex=points.get("flex", 0), threat=threat,
                threat_group=one.threat_group if threat else "",
            )  # fmt: skip
        elif group and one.threat_group == group:
            one = replace(one, threat=threat, threat_group=group if threat else "")
        return one

    attacker, first, *others = (
        after(number, one) for number, one in enumerate((setup.attacker, *setup.targets))
    )
    return replace(setup, attacker=attacker, defender=first, others=tuple(others))


class _Test(NamedTuple):
    """A test of an ambush: who makes it (0: the attacker), of what skill, against what."""

    place: int
    skill: str
    total: Total

    @property
    def actor(self) -> Actor:
        """The one who makes it."""
        return Actor("defender", self.place) if self.place else Actor("attacker")

    def who(self, x: Exchange) -> Combatant:
        """The sheet of the one who makes it."""
        return (x.declared.attacker, *x.declared.targets)[self.place]

    def needed(self, x: Exchange) -> int:
        """The target number, with a point that was spent before the roll."""
        if not x.point:
            return self.total.value
        plus, bare = with_points(x, self.total)
        return plus if x.point == "plus" else bare

    def may_spend(self, x: Exchange) -> bool:
        """Whether a point may still be spent on it."""
        return not x.point and can_help(pools_of(self.who(x)), self.skill)

    def before(self, x: Exchange, then: Step[Exchange]) -> Node[Exchange]:
        """A point before the roll; straight to it, if there is none for it."""
        if not self.may_spend(x):
            return Go(then, x)
        plus, bare = with_points(x, self.total)
        offer: Offer[Exchange] = Offer()
        offers = before_roll(self.total.value, plus, bare, pools_of(self.who(x)), self.skill)
        for one in offers:
            after = self._paid(x, one.pools, one.spends)._replace(point=one.point)
            offer.add(one.name, At(then, after), one.spends, one.words)
        return offer.choose(self.actor, "spend a pool point before the test?",
                            (("needed", self.total.value),))  # fmt: skip

    def after(self, x: Exchange, result: Result, then: Step[Exchange]) -> Node[Exchange]:
        """A point after the roll, to flip it."""
        flips = "bad_luck" not in self.who(x).qualities
        offer: Offer[Exchange] = Offer()
        for one in after_roll(result, self.total.value, "", pools_of(self.who(x)), self.skill,
                              flips=flips, upgrades=False):  # fmt: skip
            paid = self._paid(x, one.pools, one.spends)
            kept = one.result
            after = paid._replace(defense=kept) if self.place else paid._replace(roll=kept)
            offer.add(one.name, At(then, after), one.spends, one.words)
        about = (("roll", result.face), ("needed", self.total.value))
        return offer.choose(self.actor, "spend a pool point on the test?", about)

    def _paid(self, x: Exchange, left: Pools, spends: int) -> Exchange:
        if not spends:
            return x
        own = spends if self.place == 0 else 0  # what is counted is the attacker's
        return x._replace(setup=_paid(x.declared, self.place, left), spent=x.spent + own)


def _hiding(x: Exchange) -> _Test:
    return _Test(0, "infiltrate", hiding_total(x))


def _noticing(x: Exchange) -> _Test:
    """The test of the target who perceives best."""
    totals = [noticing_total(x, who) for who in x.declared.targets]
    place = max(range(len(totals)), key=lambda number: (totals[number].value, -number))
    return _Test(place + 1, "perceive", totals[place])


# -- the tests -------------------------------------------------------------------------------------


@step("EP-18", "EP-19", "EP-34")
def spend_before_hiding(x: Exchange) -> Node[Exchange]:
    """An attacker in ambush may spend a pool point before the test."""
    for target in x.declared.targets:
        if "surprised" in target.conditions:
            raise SetupError(f"ambush: {target.name!r} is surprised already; leave one of both out")
    return _hiding(x).before(x, hide)


@step("EP-34")
def hide(x: Exchange) -> Node[Exchange]:
    """An attacker in ambush tests Infiltrate."""
    test = _hiding(x)
    then = At(spend_after_hiding if test.may_spend(x) else spend_before_noticing, x)
    read = TestRead(test.needed(x))
    return Chance("attacker", "Infiltrate test", PERCENT, read, "roll", then)


@hide.briefly
@hide.says
def _(before: Exchange, after: Exchange) -> tuple[Total | str, ...]:
    return hiding_total(before), "Hidden." if after.roll.success else "Ill hidden."


@step("EP-20", "EP-34")
def spend_after_hiding(x: Exchange) -> Node[Exchange]:
    """The attacker may spend a point to flip the roll."""
    return _hiding(x).after(x, x.roll, spend_before_noticing)


@step("EP-18", "EP-19", "EP-34")
def spend_before_noticing(x: Exchange) -> Node[Exchange]:
    """The target who perceives best may spend a pool point before the test."""
    fresh = x._replace(point="", hides_at=_compared(x, _hiding(x)) if _is_critical(x.roll) else 0)
    return _noticing(fresh).before(fresh, notice)


@step("EP-34")
def notice(x: Exchange) -> Node[Exchange]:
    """The target who perceives best tests Perceive against the ambush."""
    test = _noticing(x)
    then = At(spend_after_noticing if test.may_spend(x) else spring_ambush, x)
    return Chance(test.actor, "Perceive test", PERCENT, TestRead(test.needed(x)), "defense", then)


@notice.briefly
@notice.says
def _(before: Exchange, after: Exchange) -> tuple[Total | str, ...]:
    return _noticing(before).total, "Attentive." if after.defense.success else "Inattentive."


@step("EP-20", "EP-34")
def spend_after_noticing(x: Exchange) -> Node[Exchange]:
    """The target may spend a point to flip the roll, and knows the attacker's."""
    return _noticing(x).after(x, x.defense, spring_ambush)


def _is_critical(result: Result) -> bool:
    return result.success and result.critical


def _compared(x: Exchange, test: _Test) -> int:
    """The number of a test that counts when two criticals are equal."""
    return number_compared(test.total, test.needed(x), x.rulings)


@step("EP-16", "EP-34", "EP-35", "EP-37")
def spring_ambush(x: Exchange) -> Node[Exchange]:
    """Targets who lose are surprised; those who win are alerted, and act later."""
    setup = x.declared
    won = opposed(x.roll, x.defense, x.hides_at - _compared(x, _noticing(x))) == "attack"
    if not (x.roll.success or x.defense.success) and x.rulings[rule.AMBUSH_FAILURES] == "higher":
        won = x.roll.face > x.defense.face
    if x.lurking and not won:
        unharmed = tuple([spared(who) for who in setup.targets])
        pools = pools_of(setup.attacker)
        return End(Exchange(x.rulings, ambush="alerted", done=unharmed, pools=pools, moved=x.moved,
                            spent=x.spent))  # fmt: skip
    rest = x._replace(
        roll=LOST, defense=LOST, point="", hides_at=0, ambush="surprised" if won else "alerted"
    )
    if won:
        rest = rest._replace(setup=_unawares(setup))
    return Go(DEFENSE.step, rest)


@lru_cache(maxsize=256)
def _unawares(setup: Setup) -> Setup:
    """The setup with all targets surprised; dice come to it in thousands of ways."""
    first, *others = (
        replace(who, conditions=(*who.conditions, "surprised")) for who in setup.targets
    )
    return replace(setup, defender=first, others=tuple(others))


@spring_ambush.briefly
@spring_ambush.says
def _(before: Exchange, after: Exchange) -> str:
    if after.ambush == "surprised":
        return "The ambush succeeds: nobody expects the attack."
    if before.lurking:
        return "The ambush is noticed, and there is no attack; -3 on their initiative."
    return "The ambush is noticed: -3 on the initiative of those who were to be surprised."


STEPS = (
    spend_before_hiding, hide, spend_after_hiding, spend_before_noticing, notice,
    spend_after_noticing, spring_ambush,
)  # fmt: skip
"""The steps of this chapter in the order of the book."""
