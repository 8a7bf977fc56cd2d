"""Fights: from a table, a shipped one or roster names to two sides that face each other.

What may stand in the file is told in `affray.app.inputs.fight_sheets`.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Hashable, Mapping
from typing import cast

from affray.app.inputs.fight_fighters import entries_of, filled, side_names, sides_of_names
from affray.app.inputs.fight_scene import (
    assumptions,
    keys_asked,
    situation_of,
    turned_for_both,
    unsaid_of,
)
from affray.app.inputs.fight_sheets import (
    FIRST,
    POLICIES,
    SIDES,
    FightSheet,
    SideSheet,
    sheet_of,
    situation_keys,
)
from affray.app.inputs.intake import InputError, Raw, table_checked
from affray.app.inputs.rosters import Filling, Roster, roster_for
from affray.app.inputs.setups import load_raw
from affray.app.inputs.tables import (
    check_system,
    examples,
    fight_examples,
    table_at,
    validated,
)
from affray.app.registry import system_named
from affray.app.sources import (
    Beside,
    EasyFight,
    Names,
    Shipped,
    Table,
    fight_source_of,
    table_behind,
)
from affray.core.errors import AffrayError, LimitError, SetupError, UnknownNameError
from affray.core.fight import WIN
from affray.core.lazy import NamedTuple
from affray.core.names import unknown
from affray.core.node import Facts
from affray.core.system import Objective, System
from affray.core.telling import AffrayWarning, fitted, shown
from affray.engine.budget import spending
from affray.engine.exchange.best import objective_named
from affray.engine.exchange.game import Game
from affray.engine.fight.contest import Contest, Side, opening_plans
from affray.engine.fight.course import First
from affray.engine.fight.matchup import fight_of
from affray.engine.fight.plans import Plan
from affray.engine.fight.played.supply import begin
from affray.engine.fight.targeting import TARGETINGS

__all__ = [
    "FIGHT_AS_WRITTEN", "NO_SCRIPT", "FightChanges", "FightScript", "LoadedFight",
    "check_policies", "fight_examples", "in_battles", "in_duels", "load_fight", "load_raw_fight",
    "opened", "read_fight", "read_raw_fight", "with_policies",
]  # fmt: skip


SOLVED = ("greedy", "optimal")
"""Policies that take any option into consideration."""
BY_EXCHANGE = ("opening", "greedy")
"""Policies that decide for an objective of an exchange."""


class FightChanges(NamedTuple):
    """Changes that take the place of what a fight says; empty: as it is written.

    Attributes:
        first, rounds, objective, threshold: instead of the fight's.
        policies, targets: of the first side and of the other one.
        settle: more habits, of both sides. rulings: more readings; unsaid: those that hold where
            nobody names one.
        situation: more keys of the situation, of both sides.
        roster: own roster entries, instead of those that the fight names.
    """

    first: str = ""
    rounds: int | None = None
    policies: tuple[str, str] = ("", "")
    targets: tuple[str, str] = ("", "")
    settle: Mapping[str, tuple[str, ...]] = {}
    rulings: Mapping[str, str] = {}
    unsaid: Mapping[str, str] = {}
    situation: Mapping[str, object] = {}
    objective: str = ""
    threshold: int | None = None
    roster: tuple[Table, ...] = ()


FIGHT_AS_WRITTEN = FightChanges()


class FightScript(NamedTuple):
    """A fight played beforehand: what those at the table do.

    Attributes:
        by: who answers, by side or fighter: "typed", "rolled", "computer", "computer:POLICY".
        seed: the computer rolls with it; None: with the system's entropy.
        lines: what is typed, line by line.
    """

    by: Mapping[str, str] = {}
    seed: int | None = None
    lines: tuple[str, ...] = ()


NO_SCRIPT = FightScript()


class LoadedFight(NamedTuple):
    """A fight, ready to be fought.

    Attributes:
        contest: the two sides, with the plans that their policies come to.
        policies: by which policy each side decides; names in `POLICIES`.
        targets: whom each side goes for; names in `engine.battles.targeting.TARGETINGS`.
        rounds: after how many rounds it is called off; None: never.
        title: what the file calls it. origin: where it came from, for messages.
        raw: the whole table; enough to load it again.
        assumed: values of the situation that the system assumes, since nobody gave them.
        gaps: what the fight rests on that the book leaves out, in sentences.
        whole: the exchange that is the whole fight, where there is one (see `whole_games`).
        unsaid: what is asked of the situation when people play it: number of the side and key.
        scene: whether that is asked before round 1.
        script: how it is played by those at the table, as far as its file says.
        wins: whether all decide for the chance to win the fight, instead of exchange by exchange
            for the contest's objective.
    """

    contest: Contest
    policies: tuple[str, str]
    targets: tuple[str, str]
    rounds: int | None
    title: str
    origin: str
    raw: Raw
    assumed: Mapping[str, object] = {}
    gaps: tuple[str, ...] = ()
    whole: Game | None = None
    unsaid: frozenset[tuple[int, str]] = frozenset()
    scene: bool = False
    script: FightScript = NO_SCRIPT
    wins: bool = False

    @property
    def wanted(self) -> str:
        """The name of what all decide for: of an objective, or to win the fight."""
        return WIN if self.wins else self.contest.objective.name


# -- from changes to a table ---------------------------------------------------------------------


def _changed(system: System[Facts], raw: Raw, changes: FightChanges, origin: str) -> Raw:
    """The table with what holds instead put in."""
    if changes.first and changes.first not in FIRST:
        raise unknown("way to go first", changes.first, FIRST)
    for key in changes.situation:
        if key not in situation_keys(system):
            raise unknown(f"key in the situation of {system.id}", key, situation_keys(system))
    whole = {key: value for key, value in raw.items() if key != "situation"}
    common = table_at(raw, "situation", origin)
    for number, key in enumerate(SIDES):
        if not isinstance(raw.get(key), dict):
            continue
        side = dict(table_at(raw, key, origin))
        policy, targets = changes.policies[number], changes.targets[number]
        if policy and policy not in POLICIES:
            raise unknown("policy", policy, POLICIES)
        if targets and targets not in TARGETINGS:
            raise unknown("targeting", targets, TARGETINGS)
        side |= {"policy": policy} if policy else {}
        side |= {"targets": targets} if targets else {}
        where = f"{origin}: {key}"
        for name, less, more in (
            ("choose", {}, changes.settle), ("situation", common, changes.situation),
        ):  # fmt: skip
            if less or more:
                side[name] = {**less, **table_at(side, name, where), **more}
        whole[key] = side
    if changes.rulings or changes.unsaid:
        said = {**table_at(raw, "rulings", origin), **changes.rulings}
        whole["rulings"] = {**system.unnamed(changes.unsaid, said), **said}
    single = {
        "first": changes.first or None, "rounds": changes.rounds, "threshold": changes.threshold,
        "objective": changes.objective or None,
    }  # fmt: skip
    more = {key: value for key, value in single.items() if value is not None}
    return turned_for_both(system, {**whole, **more})


# -- from a table to a contest -----------------------------------------------------------------


def in_duels(system: System[Facts], changes: FightChanges) -> FightChanges:
    """The same changes, with the readings that duels take where nobody names one."""
    return changes if system.fight is None else changes._replace(unsaid=dict(system.fight.in_duels))


def in_battles(system: System[Facts], changes: FightChanges) -> FightChanges:
    """The same changes, with the readings that battles take where nobody names one."""
    if system.fight is None:
        return changes
    return changes._replace(unsaid=dict(system.fight.in_battles))


def load_fight(
    system_name: str,
    source: EasyFight,
    changes: FightChanges = FIGHT_AS_WRITTEN,
    *,
    within: float | None = None,
) -> LoadedFight:
    """A fight, ready to be fought: as `read_fight`, with opening moves worked out.

    Args:
        system_name: id of a system.
        source: as for `read_fight`.
        changes: as for `read_fight`.
        within: the share of the seconds left that opening moves may take; where it isn't enough,
            those sides take first options instead. None: they may take everything.
    """
    read = read_fight(system_name, source, changes)
    if within is None:
        return opened(read)
    with spending() as clock:
        try:
            with spending(clock.part(within)):
                return opened(read)
        except LimitError as error:
            if error.limit == "interrupted":
                raise
    one, other = ("first" if name == "opening" else name for name in read.policies)
    first = with_policies(read, (one, other))
    return first._replace(
        gaps=(*first.gaps, "opening moves take too long to work out: first options")
    )


def opened(loaded: LoadedFight) -> LoadedFight:
    """The same fight with opening moves worked out, for those sides that keep them up."""
    return loaded._replace(contest=_opened(loaded.contest, loaded.policies))


def with_policies(loaded: LoadedFight, policies: tuple[str, str]) -> LoadedFight:
    """The same fight decided by other policies, with opening moves worked out.

    Raises:
        UnknownNameError: there is no such policy.
    """
    sides = []
    for side, policy in zip(loaded.contest.sides, policies, strict=True):
        if policy not in POLICIES:
            raise unknown("policy", policy, POLICIES)
        plan = Plan("any" if policy in SOLVED else "first", side.plan.habits)
        sides.append(side._replace(plan=plan, plans={}))
    contest = loaded.contest.changed(sides=(sides[0], sides[1]))
    changed = loaded._replace(contest=contest, policies=policies)
    return changed if loaded.whole else opened(changed)


def read_fight(
    system_name: str,
    source: EasyFight,
    changes: FightChanges = FIGHT_AS_WRITTEN,
    *,
    played: bool = False,
) -> LoadedFight:
    """A fight as it is written: checked, with nothing worked out.

    Args:
        system_name: id of a system.
        source: the name of a shipped fight, a table, or the roster names of both sides.
        changes: what holds instead of what it says.
        played: whether people will play it: then what it leaves open of the situation is asked;
            else the readings of battles hold, unless `changes.unsaid` has others.

    Raises:
        UnknownNameError: an unknown system, fight, roster name, policy, ruling, ...
        InputError: a table that doesn't fit.
        SetupError: what the rules refuse.
    """
    system = system_named(system_name)
    fight_of(system)
    if not (played or changes.unsaid):
        changes = in_battles(system, changes)
    source = fight_source_of(source)
    if isinstance(source, Names):
        entries = roster_for(system, {}, "", own=changes.roster)
        raw = sides_of_names(entries, source)
        origin = f"{source.one} against {source.other}"
        return read_raw_fight(system, raw, origin, changes, played=played)
    known = fight_examples(system)
    if isinstance(source, Shipped):
        name = source.name
        if name not in known and name.partition(",")[0] in entries_of(Roster(system)):
            raise SetupError(
                f"{shown(name)} is in the roster of {system.id}, with nobody to fight; name the "
                "other side as well"
            )
    _refuse_exchange(system, source, known)
    table = table_behind(system, source, known, "fight")
    return read_raw_fight(
        system, table.raw, table.origin, changes, beside=table.beside, played=played
    )


def _refuse_exchange(
    system: System[Facts], source: Shipped | Table, fights: Mapping[str, Raw]
) -> None:
    """Refuse a setup of one exchange, and say which command takes it."""
    if isinstance(source, Shipped):
        if source.name in fights or source.name not in examples(system):
            return
        raw: Mapping[str, object] = examples(system)[source.name]
        told, kind = shown(source.name), cast("type[AffrayError]", UnknownNameError)
    else:
        raw, told, kind = source.raw, source.origin, InputError
    if any(side in raw for side in SIDES) or {"attacker", "defender", "scenario"}.isdisjoint(raw):
        return
    whole = system.fight is not None and system.fight.whole
    if whole and whole.fits(load_raw(system, raw, told).game.start.facts):
        raise kind(f"{told}: this is a whole game for people or computers to play", advice="a-game")
    raise kind(f"{told}: this is one exchange, not a fight", advice="an-exchange")


def load_raw_fight(
    system: System[Facts],
    raw: Mapping[str, object],
    origin: str,
    changes: FightChanges = FIGHT_AS_WRITTEN,
    *,
    beside: Beside | None = None,
) -> LoadedFight:
    """A fight from a table, ready to be fought; see `read_raw_fight`."""
    return opened(read_raw_fight(system, raw, origin, changes, beside=beside))


def read_raw_fight(
    system: System[Facts],
    raw: Mapping[str, object],
    origin: str,
    changes: FightChanges = FIGHT_AS_WRITTEN,
    *,
    beside: Beside | None = None,
    played: bool = False,
) -> LoadedFight:
    """A fight from a table, with nothing worked out; errors as for `read_fight`.

    Args:
        system: whose fight it is.
        raw: the table.
        origin: where it came from, for messages.
        changes: what holds instead of the table's.
        beside: reads the roster files that it names; None: it may name none.
        played: as for `read_fight`; the table that comes back says what is asked.
    """
    raw = table_checked(raw, origin)
    check_system(system, raw, origin)
    raw = table_checked(_changed(system, raw, changes, origin), origin)
    entries = roster_for(system, raw, origin, beside=beside, own=changes.roster)
    filling = Filling(entries, origin)
    table, numbers = filled(filling, _to_win(raw, origin))
    sheet = cast(
        "FightSheet",
        validated(sheet_of(system), table, origin, where=filling.where, advice="list-fight-keys"),
    )
    filling.tell_unused()
    tables = (sheet.one, sheet.other)
    names = side_names(tables, numbers)
    sides = tuple(
        Side(
            name,
            tuple(f for f, n in zip(side.fighters, many, strict=True) for _ in range(n)),
            None,
            Plan("any" if side.policy in SOLVED else "first", _habits(system, side, origin, key)),
            idle=side.idle,
            yields_at=side.yields_at,
        )
        for key, name, side, many in zip(SIDES, names, tables, numbers, strict=True)
    )
    for key, side in zip(SIDES, sides, strict=True):
        if not side.fighters:
            raise InputError(f"{origin}: {key}.fighters: nobody; at least one must fight")
    assumed: dict[str, object] = {}
    placed = []
    for n, (key, side) in enumerate(zip(SIDES, sides, strict=True)):
        made, more = situation_of(system, tables[n], sides[1 - n], f"{origin}: {key}")
        placed.append(side._replace(situation=made))
        assumed |= more
    asks = keys_asked(system, sheet, origin, played=played and "asks" not in raw)
    unsaid = unsaid_of(system, raw, asks)
    assumed = {key: value for key, value in assumed.items() if not unsaid & {(0, key), (1, key)}}
    if assumed:
        told = assumptions(assumed)
        note = f"{origin}: {told} is assumed; the situation of neither side says otherwise"
        warnings.warn(fitted(note), AffrayWarning, stacklevel=2)
    contest = Contest(
        system,
        (placed[0], placed[1]),
        system.readings(sheet.rulings),
        first=cast("First | None", sheet.first),
        objective=_objective(system, sheet.objective),
        threshold=sheet.threshold,
        at_a_time=sheet.at_a_time,
        board=_board(system, sheet),
    )
    if contest.board is not None:
        begin(contest)  # what contradicts the board is told now
    policies = tables[0].policy, tables[1].policy
    scene = "asks" not in raw if sheet.scene is None else sheet.scene
    raw = {**raw, "asks": list(asks), "scene": scene} if played and asks else raw
    return LoadedFight(
        contest=contest,
        policies=policies,
        targets=(tables[0].targets, tables[1].targets),
        rounds=sheet.rounds,
        title=sheet.title,
        origin=origin,
        raw={**raw, "roster": entries.own} if entries.own else raw,
        assumed=assumed,
        gaps=tuple(
            dict.fromkeys(
                told for side in placed for told in system.assumed(side.situation, contest.rulings)
            )
        ),
        unsaid=unsaid,
        scene=scene,
        script=FightScript(sheet.play.by, sheet.play.seed, sheet.play.lines),
        wins=sheet.objective == WIN,
    )


def _objective(system: System[Facts], name: str) -> Objective[Facts]:
    """What decides exchange by exchange; in a fight that is to be won what usually does."""
    known = [WIN, *(wish.name for wish in system.objectives if wish.name != WIN)]
    if name and name not in known:
        raise unknown(f"objective of {system.id} fights", name, known)
    return objective_named(system, "" if name == WIN else name)


def _to_win(raw: Raw, origin: str) -> Raw:
    """The table where both sides play optimally, unless it says else, if the fight is to be won."""
    if raw.get("objective") != WIN:
        return raw
    sides = {key: table_at(raw, key, origin) for key in SIDES if isinstance(raw.get(key), dict)}
    return {**raw, **{key: {"policy": "optimal", **side} for key, side in sides.items()}}


def check_policies(loaded: LoadedFight, policies: Collection[str]) -> None:
    """Check that policies can decide for what is wanted.

    Raises:
        SetupError: the fight is to be won, and one of them decides exchange by exchange.
    """
    found = [name for name in BY_EXCHANGE if name in policies]
    if loaded.wins and found:
        wishes = ", ".join(wish.name for wish in loaded.contest.system.objectives)
        raise SetupError(
            f"{loaded.origin}: policy {found[0]} decides exchange by exchange, for one of "
            f"{wishes}; optimal decides to win the fight"
        )


def _board(system: System[Facts], sheet: FightSheet) -> Hashable:
    """What all fighters stand on, as the file has it; None: nothing."""
    board = fight_of(system).board
    return None if board is None else cast("Hashable", getattr(sheet, board.key))


def _opened(contest: Contest, policies: tuple[str, str]) -> Contest:
    """The contest, with plans from opening exchanges for those sides that want them."""
    if "opening" not in policies:
        return contest
    opened = opening_plans(contest)
    one, other = (
        new if policy == "opening" else side
        for side, new, policy in zip(contest.sides, opened, policies, strict=True)
    )
    return contest.changed(sides=(one, other))


def _habits(
    system: System[Facts],
    side: SideSheet,
    origin: str,
    key: str,
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    steps = [step.name for step in system.steps]
    for name, options in side.choose.items():
        if name not in steps:
            raise SetupError(
                f"{origin}: {key}.choose: {system.id} has no step {shown(name)} to settle; "
                f"steps: {', '.join(steps)}"
            )
        if not options:
            raise InputError(f"{origin}: {key}.choose.{name}: no option; name at least one")
    return tuple((name, tuple(options)) for name, options in side.choose.items())
