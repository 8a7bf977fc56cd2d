"""Attacks on bodies that come to the same, known before they are declared; for hints.

Three things make an attack what it is: who attacks, the body that is met, and how badly either is
outnumbered by the other. Each is worked out once; a pair of them only puts numbers together.
Nothing here is a rule.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

from affray.core.errors import SetupError
from affray.core.hints import Takes
from affray.core.lazy import NamedTuple
from affray.core.scene import Scene
from affray.systems.emlia.actions import attack_of
from affray.systems.emlia.alike import DAMAGE, Taking, even_places, kind_of
from affray.systems.emlia.attacking import only_attacks
from affray.systems.emlia.declaration import called, choose_action, why_not
from affray.systems.emlia.engagement import body_of
from affray.systems.emlia.fight import met, seen
from affray.systems.emlia.modifiers import smallness
from affray.systems.emlia.numbers import checks_of, numbers_of
from affray.systems.emlia.parties import terms_of
from affray.systems.emlia.sheet import Setup
from affray.systems.emlia.standing import Condition
from affray.systems.emlia.state import Check, Decisions, Status, Terms
from affray.systems.emlia.strength import (
    CheckInputs,
    crews_of,
    is_here,
    members_of,
    outnumbered,
)

__all__ = ["same_scene"]

_NOBODY = Status(0)
"""Stands for troops of the other side."""


def same_scene(
    scene: Scene[Setup, Condition], needed: frozenset[str], takes: Takes
) -> Hashable | None:
    """A key of an attack on a body: with equal keys attacks deal the same damage.

    None for whatever else may happen, and for bodies with tables.
    """
    if not needed <= DAMAGE:
        return None
    body = _body(scene.setup, scene.target, scene.context)
    if body is None:
        return None
    offer = _offer(body.terms, scene.actor)
    if offer is None:
        return None
    attacks = offer.attacks
    if len(attacks) > 1:
        name = takes(choose_action.name, offer.names)
        if name is not None:
            attacks = (attacks[offer.names.index(name)],)
    return (body.terms, *[body.key(attackers) for attackers in attacks])


# -- who attacks ---------------------------------------------------------------------------------


class Crews:
    """What a unit brings to an attack; equal ones are one.

    Attributes:
        terms, decided: the attack. inputs: crews, and who has aligned, charged and paced.
        is_strict: as `outnumbered` takes it.
    """

    def __init__(self, terms: Terms, decided: Decisions, inputs: CheckInputs) -> None:
        self.terms, self.decided, self.inputs = terms, decided, inputs
        attack = attack_of(terms.troops[0].troop, decided.action)
        self.is_strict = attack is not None and attack.like == "aimed_fire"
        self._even: dict[Looks, bool] = {}
        self._rolls: dict[Hashable, Rolls] = {}

    def rolls(self, struck: Struck, out: tuple[int, int]) -> Rolls:
        """The checks of the attack, one for each focus.

        Args:
            struck: the body.
            out: how badly enemies and friends are outnumbered.
        """
        looks = struck.looks
        even = self._even.get(looks)
        if even is None:
            even = self._even[looks] = self._is_even(looks)
        # Where all are as hard to hit, nothing but shots at one of them looks at sizes.
        sizes: Hashable = struck.sizes if not even else struck.small if self.is_strict else ()
        key = looks, out, sizes
        found = self._rolls.get(key)
        if found is None:
            found = self._rolls[key] = self._worked_out(struck, out)
        return found

    def _with(self, looks: Looks, out: tuple[int, int], sizes: tuple[int, ...]) -> CheckInputs:
        enemy_out, friend_out = out
        return self.inputs._replace(
            enemy_out=enemy_out, friend_out=friend_out, sizes=sizes, exposed=looks.exposed,
            bared=(False,) * len(looks.here), unaware=looks.unaware,
        )  # fmt: skip

    def _is_even(self, looks: Looks) -> bool:
        """Whether all who are there are as hard to hit."""
        there = self._with(looks, (0, 0), (1,) * len(looks.here))
        numbers = numbers_of(self.terms, self.decided, there, 0)
        rows = zip(looks.here, numbers, strict=True)
        return len({number for here, (_, number) in rows if here}) <= 1

    def _worked_out(self, struck: Struck, out: tuple[int, int]) -> Rolls:
        terms, decided = self.terms, self.decided
        inputs = self._with(struck.looks, out, struck.sizes)
        checks = list(checks_of(terms, decided, inputs))
        for place, here in zip(struck.places, struck.looks.here, strict=True):
            if here:
                checks += checks_of(terms, decided._replace(focus=place), inputs)
        return _rolls(tuple(checks))


class Rolls(NamedTuple):
    """The checks of an attack: what stands for them, and what hits look at.

    Attributes:
        kind: stands for all of them. base, bare: as of a `Check`. most: hits of one of them.
    """

    kind: object
    base: int
    bare: bool
    most: int


@lru_cache(maxsize=16384)
def _rolls(checks: tuple[Check, ...]) -> Rolls:
    first = checks[0]  # the others have other difficulties
    return Rolls(kind_of(checks), first.base, first.bare, first.dice * first.each)


class Attackers(NamedTuple):
    """A unit that makes an attack: what it brings, and how many it is."""

    crews: Crews
    members: int


class Offer(NamedTuple):
    """The attacks that a unit can make: the names of those that are open, and who makes each."""

    names: tuple[str, ...]
    attacks: tuple[Attackers, ...]


@lru_cache(maxsize=4096)
def _offer(terms: Terms, own: Condition) -> Offer | None:
    """The attacks of a unit as exchanges see it; None: it does other things, or not by itself."""
    statuses = seen(terms.setup.attacker, own)
    if not is_here(statuses[0]):
        return None  # somebody who joined it acts in its place
    found: dict[str, Attackers] = {}
    for decided in only_attacks(terms):
        if why_not(terms, statuses, decided.action):
            continue  # whatever closes it is no matter of its condition
        crews = crews_of(terms, statuses, decided)
        if len(crews) > 1:
            return None
        places = [place for place, _ in crews]
        inputs = CheckInputs(
            crews=crews, enemy_out=0, friend_out=0, sizes=(), exposed=(), bared=(), unaware=(),
            aligned=tuple([place for place in places if statuses[place].aligned]),
            charged=tuple([place for place in places if statuses[place].charged]),
            paced=tuple([place for place in places if statuses[place].double_paced]),
        )  # fmt: skip
        everybody = statuses + (_NOBODY,) * len(terms.troops)  # as many and more
        members = members_of(terms, everybody, decided, "friend")
        found[called(decided.action)] = Attackers(_crews(terms, decided, inputs), members)
    return Offer(tuple(found), tuple(found.values())) if found else None


@lru_cache(maxsize=4096)
def _crews(terms: Terms, decided: Decisions, inputs: CheckInputs) -> Crews:
    """The one that stands for all that are equal."""
    return Crews(terms, decided, inputs)


# -- the body ------------------------------------------------------------------------------------


class Looks:
    """What a check sees of a body besides sizes; equal ones are one.

    Attributes:
        here, exposed, unaware: of each troop, as `CheckInputs` has them.
    """

    def __init__(
        self, here: tuple[bool, ...], exposed: tuple[int, ...], unaware: tuple[bool, ...]
    ) -> None:
        self.here, self.exposed, self.unaware = here, exposed, unaware


_looks = lru_cache(maxsize=4096)(Looks)


class Body:
    """A body, as attacks meet it.

    Args:
        terms: the troops.
        whole: the statuses of everybody, as they are seen. found: as hits find them.
    """

    def __init__(self, terms: Terms, whole: tuple[Status, ...], found: tuple[Status, ...]) -> None:
        self.terms, self._whole, self._found = terms, whole, found
        self._struck: dict[Decisions, Struck] = {}

    def key(self, attackers: Attackers) -> Hashable:
        """A key of an attack on it."""
        decided = attackers.crews.decided
        struck = self._struck.get(decided)
        if struck is None:
            struck = self._struck[decided] = Struck(self.terms, decided, self._whole, self._found)
        return struck.key(attackers)


@lru_cache(maxsize=65536)
def _body(given: Setup, target: Condition, context: Hashable) -> Body | None:
    """The body that is attacked; None where hits have to be followed from one to the next."""
    try:
        setup, statuses, held = met(given, target, context)
        terms = terms_of(setup, target.rulings)
    except SetupError:  # the declaration will say so
        return None
    attacks = only_attacks(terms)
    if not attacks or not all(even_places(terms, decided) for decided in attacks):
        return None
    if any(party.troop.covered_by for party in terms.troops):
        return None  # hits on one may bare another
    first = terms.target
    whole = (_NOBODY,) * first + statuses
    assert isinstance(held, tuple)  # a unit by itself is no body
    return Body(terms, whole, (*whole[:first], *held, *whole[first + len(held) :]))


class Struck:
    """A body, as an attack meets it.

    Args:
        terms, decided: the attack.
        whole: the statuses of everybody, as they are seen. found: as hits find them.

    Attributes:
        places: of its troops. sizes: members of each. small: as `smallness` of each.
        looks: what a check sees besides. members: that the attacker has to do with.
    """

    def __init__(
        self, terms: Terms, decided: Decisions, whole: tuple[Status, ...],
        found: tuple[Status, ...],
    ) -> None:  # fmt: skip
        self._terms, self._found = terms, found
        self.places = body_of(terms, decided)
        body = [whole[place] for place in self.places]
        here = tuple(map(is_here, body))
        self.sizes = tuple([status.members * is_here(status) for status in body])
        self.small = tuple([smallness(size, sum(self.sizes)) for size in self.sizes])
        self.looks = _looks(
            here,
            tuple([status.exposed for status in body]),
            tuple([status.unaware or not is_here(status) for status in body]),
        )
        self.members = members_of(terms, whole, decided, "enemy")
        self._takings: dict[tuple[int, bool], Taking] = {}

    def key(self, attackers: Attackers) -> Hashable:
        """A key of an attack on it."""
        (crews, own), foes = attackers, self.members
        rolls = crews.rolls(self, outnumbered(own, foes, strict=crews.is_strict))
        ways = rolls.base, rolls.bare
        taking = self._takings.get(ways)
        if taking is None:
            taking = self._takings[ways] = self._taking(*ways)
        return rolls.kind, self.looks, taking.felt(rolls.most)

    def _taking(self, base: int, bare: bool) -> Taking:  # noqa: FBT001  # as in a check
        return Taking(self._terms, self._found, self.places, base, bare=bare)
