"""Situations and fights made from examples: several keys changed, other readings."""

from __future__ import annotations

import random
import typing
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from typing import Any

from affray.app.inputs.fight_sheets import situation_keys
from affray.core.errors import SetupError
from affray.core.node import Facts
from affray.core.sheet import replace
from affray.core.system import System
from affray.testing.keys.sheets import (
    Key,
    changed,
    hints_of,
    keys_of,
    parts_of,
    sheets_in,
    words_of,
)
from affray.testing.keys.trials import FightTrial, Sides, Trial, trials_of
from affray.testing.keys.values import Values

__all__ = ["made_fights", "made_trials"]

MADE = 420
"""The number of situations that are made, about."""
MADE_FIGHTS = 60


def other_readings(system: System[Facts]) -> list[tuple[str, str]]:
    """Readings of open questions that aren't the default: question and reading."""
    return [
        (ruling.name, option)
        for ruling in system.rulings
        for option in ruling.options
        if option != ruling.default
    ]


def made_trials(system: System[Facts], cases: Sequence[Trial], values: Values) -> Iterator[Trial]:
    """Situations made from the examples: several keys changed at once, other readings."""
    readings = other_readings(system)
    words = [(key, key.word) for key in keys_of(system.setup) if key.word != ""]
    shared = [w for w in dict.fromkeys(word for _, word in words)
              if [word for _, word in words].count(w) > 1]  # fmt: skip
    plain = [case for case in cases if not isinstance(case, FightTrial)]
    each = MADE // max(1, len(plain)) + 1
    for case in plain:
        # Each by itself: another example more doesn't change what is made of these.
        chooser = random.Random(case.name)
        for number in range(each):
            tree = case.tree
            for _ in range(number and chooser.randint(1, 6)):
                tree = _changed_somewhere(tree, chooser, values)
            picks = dict(
                chooser.sample(
                    readings, min(len(readings), chooser.choice((0, 1, 2)) if number else 1)
                )
            )
            yield replace(
                case, name=f"{case.name}, changed ({number})", tree=tree,
                rulings=system.readings({**case.rulings.named(), **picks}), dice=(), options=(),
            )  # fmt: skip
        if shared:
            word = chooser.choice(shared)
            tree = _everywhere(case.tree, word, chooser)
            yield replace(case, name=f"{case.name}, all {word}", tree=tree, dice=(), options=())


def _everywhere(tree: Any, word: object, chooser: random.Random) -> Any:
    """A word wherever it may stand; among fields that list words only in one."""
    lists = [
        name
        for _, sheet in sheets_in(tree)
        for name, hint in hints_of(type(sheet)).items()
        if word in words_of(hint) and isinstance(getattr(sheet, name), tuple)
    ]
    listed = chooser.choice(lists) if lists else ""
    for path, sheet in list(sheets_in(tree)):
        for name, hint in hints_of(type(sheet)).items():
            now = getattr(sheet, name)
            if word in words_of(hint) and (name == listed or not isinstance(now, tuple)):
                with suppress(SetupError):
                    tree = changed(tree, (*path, name), (word,) if name == listed else word)
    return tree


def _changed_somewhere(
    tree: Any, chooser: random.Random, values: Values, fixed: Collection[str] = ()
) -> Any:
    """One value changed; keys of a situation that a fight fills in by itself stay."""
    path, sheet = chooser.choice(list(sheets_in(tree)))
    one = chooser.choice(fields(sheet))
    if one.name in fixed and len(path) == 1:
        return tree
    words = words_of(hints_of(type(sheet))[one.name])
    key = Key(type(sheet), one.name, chooser.choice(words) if words else "")
    found = list(values.others(sheet, key))
    if not found:
        return tree
    try:
        return changed(tree, (*path, one.name), chooser.choice(found))
    except (SetupError, TypeError, ValueError):
        return tree


def made_fights(
    system: System[Facts], fights: Sequence[FightTrial], values: Values
) -> Iterator[FightTrial]:
    """Fights made from the examples, and from shipped fights: others of the roster, other keys."""
    readings = other_readings(system)
    fighter = hints_of(system.setup)["attacker"]
    known = list(values.sheets[fighter]) if isinstance(fighter, type) else []
    from_examples = list(_as_fights(system, fights[0]))
    yield from from_examples
    # On a board everybody has a place: others have none there.
    plain = [case for case in fights if case.contest.board is None]
    shipped = [case for case in plain for _ in range(MADE_FIGHTS // len(plain))]
    for number, case in enumerate(shipped):
        chooser = random.Random(f"{case.name} {number}")
        tree = case.tree
        for side in ("one", "other"):
            with suppress(SetupError):
                if chooser.random() < 0.7:
                    tree = replace(tree, **{side: (chooser.choice(known),)})
        fixed = system.fight.sets if system.fight else frozenset[str]()
        for _ in range(chooser.randint(1, 6)):
            tree = _changed_somewhere(tree, chooser, values, fixed)
        picks = dict(chooser.sample(readings, min(len(readings), chooser.choice((0, 1, 2)))))
        rulings = system.readings({**case.rulings.named(), **picks})
        yield replace(
            case, name=f"{case.name}, changed ({number})", tree=tree, rulings=rulings,
            contest=case.contest.changed(rulings=rulings),
        )  # fmt: skip


def _as_fights(system: System[Facts], fight: FightTrial) -> Iterator[FightTrial]:
    """A fight out of each example: its two fighters, with what holds there."""
    for case in trials_of(system):
        keys = {key: getattr(case.tree, key) for key in situation_keys(system)}
        attacker, defender = case.tree.attacker, case.tree.defender
        if attacker is None or defender is None:
            continue
        try:
            pair = _equipped(case.tree, attacker), defender
            first, second = (
                system.setup(attacker=one, defender=other, **keys)
                for one, other in (pair, pair[::-1])
            )
        except SetupError:
            continue
        tree = Sides(pair[:1], pair[1:], first, second)
        yield replace(
            fight, name=f"fight of {case.name}", tree=tree, rulings=case.rulings,
            contest=fight.contest.changed(rulings=case.rulings),
        )  # fmt: skip


def _equipped(setup: Any, fighter: Any) -> Any:
    """A fighter who owns what only the setup has otherwise, such as a weapon."""
    for one in fields(setup):
        thing = getattr(setup, one.name)
        for name, hint in hints_of(type(fighter)).items():
            lists = typing.get_origin(hint) is tuple and type(thing) in parts_of(hint)
            if lists and is_dataclass(thing) and not getattr(fighter, name):
                fighter = replace(fighter, **{name: (thing,)})
    return fighter
