"""What a fighter is worth at first sight: one attack on somebody of the roster, and one back."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import cast

from affray.app.inputs.checking import fault_alone, validated
from affray.app.inputs.described import meanings
from affray.app.inputs.fight_fighters import entries_of
from affray.app.inputs.intake import Raw
from affray.app.inputs.rosters import Filling, Roster, roster_for
from affray.app.inputs.typed import as_typed, word_among
from affray.app.odds import ask_odds, is_number
from affray.app.sheets import filled_sheet, sheet_told
from affray.app.sources import Table
from affray.app.views.sheets import AttackRow, MadeView
from affray.core.errors import AffrayError, AnswerError, RulesError, SetupError
from affray.core.names import unknown
from affray.core.node import Facts
from affray.core.system import System
from affray.engine.budget import Budget

__all__ = ["first_attacks", "foe_named", "made_view"]

SECONDS = 20.0
"""Time for the odds of one attack."""


def made_view(system: System[Facts], section: str, key: str, entry: Raw, foe: str) -> MadeView:
    """A new fighter with the sheet, and with one attack each way.

    Args:
        system: whose fighter it is.
        section: the section of the roster for fighters.
        key: the key of the entry there.
        entry: the entry itself.
        foe: roster name of the one against whom it is priced.
    """
    own = Table({section: {key: entry}})
    roster = roster_for(system, {}, "", own=[own])
    sheet = sheet_told(filled_sheet(roster, section, key), section, key)
    return MadeView(system.id, section, key, entry, sheet, foe, first_attacks(roster, key, foe))


def foe_named(system: System[Facts], name: str = "") -> str:
    """The roster name of a foe; the first fighter of the roster if none is named.

    Raises:
        UnknownNameError: the roster has nobody of this name.
    """
    known = entries_of(roster_for(system, {}, ""))
    if not name:
        return next(iter(known))
    try:
        return word_among(known, name)
    except AnswerError:
        raise unknown(f"fighter in the roster of {system.id}", name, known) from None


def first_attacks(roster: Roster, key: str, foe: str) -> tuple[AttackRow, ...]:
    """One attack of a fighter on a foe, and one of the foe: odds of the first field that fits.

    Args:
        roster: where both stand.
        key: the name of the fighter there.
        foe: the name of the foe there.
    """
    return _attack(roster, key, foe), _attack(roster, foe, key)


def _attack(roster: Roster, attacker: str, defender: str) -> AttackRow:
    system = roster.system
    filling = Filling(roster, f"{attacker} against {defender}")
    who = {"attacker": attacker, "defender": defender}
    table = {key: cast("Raw", filling.entry(key, name, (key,))) for key, name in who.items()}
    names = [str(table[key].get("name") or name) for key, name in who.items()]
    try:
        setup = validated(system.setup, cast("Raw", table), filling.origin)
        fight = system.fight
        assumed = dict(fight.assumes(setup)) if fight is not None else {}
        odds = ask_odds(
            system.id, Table({**table, **assumed}, filling.origin), budget=Budget(seconds=SECONDS)
        )
    except RulesError:
        raise
    except AffrayError as error:
        why = str(error).removeprefix(f"{filling.origin}: ")
        return AttackRow(names[0], names[1], refused=fault_alone(SetupError(why), system.setup))
    none = Fraction(0)
    some = sum((row.exactly for row in odds.rows if is_number(row.value) and row.value), none)
    return AttackRow(
        names[0], names[1], odds.fields[0], odds.meaning[0],
        odds.stats.mean if odds.stats else None, some, assumed, _situation(system, assumed),
    )  # fmt: skip


def _situation(system: System[Facts], assumed: Mapping[str, object]) -> str:
    """The assumed values of the situation, in words."""
    known = meanings(system.setup)
    return "; ".join(
        f"{known[key].title.lower()} {known[key].with_unit(value, as_typed(value))}"
        for key, value in assumed.items()
    )
