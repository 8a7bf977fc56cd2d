"""Fights: from a table, a shipped one or roster names to two sides that face each other.

What may stand in the file is told in `affray.app.inputs.fight_sheets`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from typing import cast

from affray.app.inputs.checking import Gathered, fault_at, other_kind, placed, validated
from affray.app.inputs.fight_changes import (
    FIGHT_AS_WRITTEN,
    FightChanges,
    changed,
    check_changes,
    in_battles,
    written_elsewhere,
)
from affray.app.inputs.fight_fighters import entries_of, filled, side_names, sides_of_names
from affray.app.inputs.fight_scene import (
    assumptions,
    keys_asked,
    keys_known,
    situation_of,
    unsaid_of,
)
from affray.app.inputs.fight_sheets import (
    POLICIES,
    SIDES,
    FightSheet,
    sheet_of,
)
from affray.app.inputs.intake import InputError, Raw, Written, pointer, table_checked
from affray.app.inputs.rosters import Filling, Roster, roster_for
from affray.app.inputs.setups import load_raw
from affray.app.inputs.tables import check_system, examples, fight_examples
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
from affray.core.errors import (
    AffrayError,
    AnswerError,
    LimitError,
    SetupError,
    UnknownNameError,
)
from affray.core.fight import WIN
from affray.core.lazy import NamedTuple
from affray.core.names import unknown
from affray.core.node import Facts
from affray.core.system import Objective, System
from affray.core.telling import heard, note, shown
from affray.engine.budget import spending
from affray.engine.exchange.best import objective_named
from affray.engine.exchange.game import Game, check_settled
from affray.engine.fight.contest import Contest, Side, opening_plans
from affray.engine.fight.course import First
from affray.engine.fight.matchup import fight_of
from affray.engine.fight.plans import Plan
from affray.engine.fight.played.supply import begin

__all__ = [
    "NO_SCRIPT", "FightScript", "LoadedFight", "check_policies", "fight_behind", "fight_examples",
    "load_fight", "load_raw_fight", "opened", "read_fight", "read_raw_fight", "with_policies",
]  # fmt: skip


SOLVED = ("greedy", "optimal")
"""Policies that take any option into consideration."""
BY_EXCHANGE = ("opening", "greedy")
"""Policies that decide for an objective of an exchange."""


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
        notes: what is assumed, and roster entries that nothing names, in sentences.
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
    notes: tuple[str, ...] = ()
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


# -- from a table to a contest -----------------------------------------------------------------


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
    table = fight_behind(system, source, changes)
    return read_raw_fight(
        system, table.raw, table.origin, changes, beside=table.beside, played=played
    )


def fight_behind(system: System[Facts], given: EasyFight, changes: FightChanges) -> Table:
    """The table behind a fight.

    Args:
        system: whose fight it is.
        given: the name of a shipped fight, a table, or the roster names of both sides.
        changes: may have roster entries of one's own.

    Raises:
        UnknownNameError: an unknown fight or roster name.
        UnknownNameError, InputError: it is one exchange.
        SetupError: it is a name of the roster.
    """
    source = fight_source_of(given)
    if isinstance(source, Names):
        entries = roster_for(system, {}, "", own=changes.roster)
        return Table(sides_of_names(entries, source), f"{source.one} against {source.other}")
    known = fight_examples(system)
    if isinstance(source, Shipped):
        name = source.name
        if name not in known and name.partition(",")[0] in entries_of(Roster(system)):
            raise SetupError(
                f"{shown(name)} is in the roster of {system.id}, with nobody to fight; name the "
                "other side as well"
            )
    _refuse_exchange(system, source, known)
    return table_behind(system, source, known, "fight")


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
        what = "this is a whole game for people or computers to play"
        raise other_kind(kind, told, what, advice="a-game")
    raise other_kind(kind, told, "this is one exchange, not a fight", advice="an-exchange")


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
    wrong, at = Gathered(), Written(origin)
    elsewhere = dict(written_elsewhere(raw, changes, origin))
    with wrong.kept():
        check_changes(system, raw, changes, at)
    raw = table_checked(changed(system, raw, changes), origin)
    with wrong.kept():
        entries = roster_for(system, raw, origin, beside=beside, own=changes.roster)
        filling = Filling(entries, origin, refused=[], elsewhere=elsewhere)
        table, numbers = filled(filling, _to_win(raw))
        kind = sheet_of(system)
        sheet = cast(
            "FightSheet", validated(kind, table, origin, filling=filling, advice="list-fight-keys")
        )
    _check_names(system, raw, lambda *place: elsewhere.get(place, at.below(*place)), wrong)
    wrong.tell()
    with heard() as notes:
        filling.tell_unused()
    tables = (sheet.one, sheet.other)
    names = side_names(tables, numbers)
    sides = tuple(
        Side(
            name,
            tuple(f for f, n in zip(side.fighters, many, strict=True) for _ in range(n)),
            None,
            Plan("any" if side.policy in SOLVED else "first", tuple(side.choose.items())),
            idle=side.idle,
            yields_at=side.yields_at,
        )
        for name, side, many in zip(names, tables, numbers, strict=True)
    )
    for key, side in zip(SIDES, sides, strict=True):
        with wrong.kept():
            if not side.fighters:
                what = "nobody; at least one must fight"
                raise fault_at(at.below(key, "fighters"), [], what=what, code="missing")
    wrong.tell()
    assumed: dict[str, object] = {}
    placed_sides = []
    for n, (key, side) in enumerate(zip(SIDES, sides, strict=True)):
        with wrong.kept(pointer((key,)), origin):
            made, more = situation_of(system, tables[n], sides[1 - n], f"{origin}: {key}")
            placed_sides.append(side._replace(situation=made))
            assumed |= more
    wrong.tell()
    asks = keys_known(system) if played and "asks" not in raw else sheet.asks or ()
    unsaid = unsaid_of(system, raw, asks)
    assumed = {key: value for key, value in assumed.items() if not unsaid & {(0, key), (1, key)}}
    if assumed:
        told = assumptions(assumed)
        with heard() as more_notes:
            note(f"{origin}: {told} is assumed; the situation of neither side says otherwise")
        notes += more_notes
    with placed("", origin):
        contest = Contest(
            system,
            (placed_sides[0], placed_sides[1]),
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
        notes=tuple(notes),
        assumed=assumed,
        gaps=_gaps(contest),
        unsaid=unsaid,
        scene=scene,
        script=FightScript(sheet.play.by, sheet.play.seed, sheet.play.lines),
        wins=sheet.objective == WIN,
    )


def _gaps(contest: Contest) -> tuple[str, ...]:
    """What a fight rests on that the book leaves out, each once."""
    told = (contest.system.assumed(side.situation, contest.rulings) for side in contest.sides)
    return tuple(dict.fromkeys(one for some in told for one in some))


def _check_names(
    system: System[Facts], raw: Raw, where: Callable[..., Written], wrong: Gathered
) -> None:
    """Check names that no sheet knows: of steps, readings, objectives, keys that are asked.

    Args:
        system: whose fight it is.
        raw: the table; what is of a wrong kind in it is told elsewhere.
        where: says where a value was written.
        wrong: keeps what nobody knows.
    """
    for key in SIDES:
        side = raw.get(key)
        for name, options in _table(_table(side).get("choose")).items():
            at = where(key, "choose", name)
            with wrong.kept(pointer(at.place), at.origin):
                if options == []:
                    raise fault_at(at, [], what="no option; name at least one", code="missing")
                try:
                    check_settled(system, name, ["any"])
                except AnswerError as error:
                    above = Written(at.origin, at.place[:-1])
                    raise SetupError(f"{above}: {error}", faults=error.faults) from None
    for name, reading in _table(raw.get("rulings")).items():
        at = where("rulings", name)
        with wrong.kept(pointer(at.place), at.origin):
            if isinstance(reading, str):
                system.readings({name: reading})
    objective, asks = raw.get("objective", ""), raw.get("asks")
    at = where("objective")
    with wrong.kept(pointer(at.place), at.origin):
        if isinstance(objective, str):
            _objective(system, objective)
    with wrong.kept():
        if isinstance(asks, list):
            keys_asked(system, [key for key in asks if isinstance(key, str)], where("asks"))


def _table(value: object) -> Raw:
    """A table as it is; anything else as an empty one."""
    return value if isinstance(value, dict) else {}


def _objective(system: System[Facts], name: str) -> Objective[Facts]:
    """What decides exchange by exchange; in a fight that is to be won what usually does."""
    known = [WIN, *(wish.name for wish in system.objectives if wish.name != WIN)]
    if name and name not in known:
        raise unknown(f"objective of {system.id} fights", name, known)
    return objective_named(system, "" if name == WIN else name)


def _to_win(raw: Raw) -> Raw:
    """The table where both sides play optimally, unless it says else, if the fight is to be won."""
    if raw.get("objective") != WIN:
        return raw
    sides = {key: side for key in SIDES if isinstance(side := raw.get(key), dict)}
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
