"""The troops that take part in an activation, in a fixed order."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from affray.core.errors import SetupError
from affray.core.names import unknown
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.emlia.engagement import turned
from affray.systems.emlia.measured import grounded
from affray.systems.emlia.sheet import Contact, Other, Setup, Troop, Unit
from affray.systems.emlia.state import Party, Terms
from affray.systems.emlia.table.placing import Table

__all__ = ["in_contact_by", "on_table", "terms_of"]


def _named(troop: Troop, part: str, taken: set[str]) -> str:
    """A troop's name, told apart from those taken."""
    name, number = troop.name or part, 2
    while name in taken:
        name, number = f"{troop.name or part} {number}", number + 1
    taken.add(name)
    return name


@lru_cache(maxsize=512)
@cites("EM-50")
def terms_of(setup: Setup, rulings: Rulings) -> Terms:
    """List everybody in a fixed order: attacker, target, others, each followed by those who joined.

    Raises:
        SetupError: a unit that nobody knows, units that overlap on the table; says what is allowed.
    """
    given, setup = setup, grounded(setup, rulings)
    troops: list[Party] = []
    taken: set[str] = set()

    def enlist(unit: Unit, part: str, side: Literal["friend", "enemy"], like: Other | None) -> None:
        first = len(troops)
        contact = setup.contact if first == 0 else turned(setup.contact)
        engages = side == "enemy" and setup.engaged
        if like is not None:
            contact, engages = like.contact, side == "enemy" and like.engages
        for number, troop in enumerate((unit, *unit.joined)):
            name = _named(troop, part if not number else f"{part}-{number}", taken)
            troops.append(Party(
                troop=_plain(troop), name=name, side=side, unit=first,
                fights=True if like is None else like.fights,
                body=False if like is None else like.body,
                engages=engages, contact=contact,
            ))  # fmt: skip

    enlist(setup.attacker, "attacker", "friend", None)
    target = len(troops)
    enlist(setup.defender, "defender", "enemy", None)
    for place, other in enumerate(setup.others, start=1):
        enlist(other.who, f"other-{place}", other.side, other)
    terms = Terms(rulings=rulings, setup=setup, given=given, troops=tuple(troops), target=target)
    _check_names(terms)
    return terms


def _plain(troop: Troop) -> Troop:
    """A unit without those who joined it, who are troops of their own here."""
    return replace(troop, joined=()) if isinstance(troop, Unit) and troop.joined else troop


def _check_names(terms: Terms) -> None:
    names = [party.name for party in terms.troops]
    focus = terms.setup.focus
    foes = [party.name for party in terms.troops if party.side == "enemy"]
    if focus not in {"open", "none", *foes}:
        raise unknown("enemy to focus on", focus, ["open", "none", *foes])
    weapons = [weapon.name for weapon in terms.troops[0].troop.weapons if weapon.name]
    if terms.setup.weapon and not weapons:
        raise SetupError(
            f"weapon {terms.setup.weapon!r}: {names[0]!r} has none with a name; allowed: leave it "
            "out (EM-40)"
        )
    if terms.setup.weapon and terms.setup.weapon not in weapons:
        raise unknown(f"weapon of {names[0]!r}", terms.setup.weapon, weapons)
    for party in terms.troops:
        on = party.troop.on
        if on and (on not in names or on == party.name):
            raise unknown(f"unit that {party.name!r} stands on", on,
                          [name for name in names if name != party.name])  # fmt: skip
        covered = party.troop.covered_by
        if covered and (covered not in names or covered == party.name):
            raise unknown(f"unit that covers {party.name!r}", covered,
                          [name for name in names if name != party.name])  # fmt: skip
        if party.troop.vertical_cover == "total" and not covered:
            raise SetupError(
                f"{party.name!r} has total vertical cover from nothing; name the unit that covers "
                "it in covered_by (EM-31)"
            )


@cites("EM-10", "EM-35")
def on_table(terms: Terms, table: Table) -> Terms:
    """Everybody after units have moved on the table: distances, contacts, close combats anew."""
    return terms_of(replace(terms.given, table=table, path=()), terms.rulings)


@cites("EM-10", "EM-20", "EM-21")
def in_contact_by(terms: Terms, contact: Contact) -> Terms:
    """Everybody after attacker and target have come to touch so, without a table."""
    setup = replace(terms.setup, distance=0, engaged=True, contact=contact)
    return terms_of(setup, terms.rulings)
