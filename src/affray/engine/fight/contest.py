"""A fight in front of an engine: two sides, who goes first, how each of them decides."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import Any

from affray.core.errors import SetupError
from affray.core.fight import Deed, nothing_settled
from affray.core.lazy import NamedTuple
from affray.core.node import Facts
from affray.core.reading import roll_of
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.system import Objective, System
from affray.core.telling import shown
from affray.engine.exchange.best import objective_named, solve
from affray.engine.exchange.game import Game
from affray.engine.fight.course import EXTRA, ORDINARY, Befalling, Course, FighterId, First
from affray.engine.fight.matchup import AnyFight, Encounter, Matchup, fight_of
from affray.engine.fight.plans import DECIDE_ALL, Both, Plan, habits

__all__ = ["Contest", "Side", "opening_plans"]


class Side(NamedTuple):
    """One side of a fight.

    Attributes:
        name: its name.
        fighters: their sheets, in order.
        situation: a setup of the system that holds whenever this side acts; its attacker and
            defender are replaced.
        plan: the options it considers, when it acts and when it is acted upon.
        plans: other plans for some of its fighters, by sheet.
        idle: it takes no turns of its own, and only answers what is done to it.
        yields_at: how many of its fighters are out when it has lost; 0: all of them.
    """

    name: str
    fighters: tuple[Hashable, ...]
    situation: Any
    plan: Plan = DECIDE_ALL
    plans: Mapping[Hashable, Plan] = {}
    idle: bool = False
    yields_at: int = 0

    def plan_of(self, sheet: Hashable) -> Plan:
        """The plan of one of its fighters."""
        return self.plans.get(sheet, self.plan)

    @property
    def lost_at(self) -> int:
        """The number of fighters who are out when the side has lost."""
        return self.yields_at or len(self.fighters)


class Contest:
    """Two sides about to fight.

    Args:
        system: whose rules hold.
        sides: the two sides.
        rulings: the readings in force.
        first: who goes first; by default initiative, where the rules know it, else a coin.
        objective: what open choices are decided for, exchange by exchange.
        threshold: a point is spent only for a gain above this.
        at_a_time: how many of a side act before the other side does, where sides alternate.
        board: what all fighters stand on, as it is written; None: nothing.

    Attributes:
        worked_out: results that engines keep with this fight, by name; `forget` drops them.

    Raises:
        SetupError: the system knows no fights, a side is empty, there is no initiative, a
            number is out of range, or the situations of the sides contradict each other.
    """

    def __init__(
        self,
        system: System[Facts],
        sides: tuple[Side, Side],
        rulings: Rulings,
        *,
        first: First | None = None,
        objective: Objective[Facts] | None = None,
        threshold: int = 0,
        at_a_time: int = 1,
        board: Hashable = None,
    ) -> None:
        self.system = system
        self.fight: AnyFight = fight_of(system)
        one, other = self.sides = sides
        self.rulings = rulings
        knows = self.fight.initiative is not None
        self.first: First = first or ("initiative" if knows else "coin")
        self.objective = objective or objective_named(system)
        self.threshold = threshold
        if self.first == "initiative" and not knows:
            raise SetupError(f"{system.id} knows no initiative; who goes first: one, other or coin")
        self.at_a_time = at_a_time
        self.board = board
        if at_a_time < 1:
            raise SetupError(f"{at_a_time} fighters at a time; must be at least 1")
        for side in sides:
            if not side.fighters:
                raise SetupError(
                    f"side {shown(side.name)} has no fighters; at least one must fight"
                )
            if not 0 <= side.yields_at <= len(side.fighters):
                raise SetupError(
                    f"side {shown(side.name)} yields at {side.yields_at} fighters out; "
                    f"allowed: 1 to {len(side.fighters)}, or 0 for all of them"
                )
        clash = self.fight.clash((one.situation, other.situation), (one.fighters, other.fighters))
        if clash:
            raise SetupError(f"sides {shown(one.name)} and {shown(other.name)}: {clash}")
        self.worked_out: dict[str, object] = {}
        self._setups: dict[Hashable, Hashable] = {}
        self._matchups: dict[tuple[int, Hashable, Hashable, bool, Hashable], Matchup] = {}
        self._alike: dict[tuple[int, Both, bool], Matchup] = {}

    @cached_property
    def course(self) -> Course:
        """The course of this fight, the same for every engine."""
        one, other = self.sides
        return Course(
            self.first,
            sizes=(len(one.fighters), len(other.fighters)),
            lost_at=(one.lost_at, other.lost_at),
            at_a_time=self.at_a_time,
            actions=self.fight.actions,
            extras=self._extras(),
            interludes=tuple(one for one, _ in self.interludes),
        )

    @cached_property
    def sheets(self) -> tuple[tuple[int, Hashable], ...]:
        """Every fighter: the number of the side and the sheet, the first side first."""
        return tuple((n, sheet) for n, side in enumerate(self.sides) for sheet in side.fighters)

    @cached_property
    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names of all fighters, side by side; equal names get numbers."""
        called = [
            [str(getattr(sheet, "name", "")) or side.name for sheet in side.fighters]
            for side in self.sides
        ]
        every = [name for names in called for name in names]
        met: dict[str, int] = {}
        found: list[list[str]] = [[], []]
        for row, names in zip(found, called, strict=True):
            for name in names:
                met[name] = met.get(name, 0) + 1
                row.append(f"{name} {met[name]}" if every.count(name) > 1 else name)
        return tuple(found[0]), tuple(found[1])

    def deeds(
        self, side: int, sheet: Hashable, condition: Hashable, *, kind: int = ORDINARY
    ) -> tuple[Deed, ...]:
        """The deeds of a fighter in a turn of some kind, the most urgent first.

        Args:
            side: the number of the side.
            sheet: of the fighter.
            condition: of the fighter.
            kind: of the turn, as in `Moment.kind`; in an interlude its deed befalls the fighter.
        """
        if kind > EXTRA:
            one, deed = self.interludes[kind - EXTRA - 1]
            return (deed,) if one.befalls(side) else ()
        if self.sides[side].idle or (kind == EXTRA and not self.course.extras):
            return ()
        known = self.fight.extra_deeds if kind == EXTRA else self.fight.deeds
        if self.board is not None and self.fight.board is not None and kind != EXTRA:
            known = self.fight.board.deeds
        return known(sheet, condition)

    @cached_property
    def interludes(self) -> tuple[tuple[Befalling, Deed], ...]:
        """What befalls fighters between turns, the highest number first; each with its deed."""
        brought = [
            (FighterId(number, place), one)
            for number, side in enumerate(self.sides)
            for place, sheet in enumerate(side.fighters)
            for one in self.fight.interludes(sheet, self.rulings)
        ]
        brought.sort(key=lambda both: -both[1].at)
        return tuple(
            (Befalling(number, one.at, by, on_all=one.on == "everybody"), one.deed)
            for number, (by, one) in enumerate(brought)
        )

    def allowed(self, sheet: Hashable, condition: Hashable) -> int:
        """The number of exchanges that a fighter in this condition has in a turn."""
        own = self.fight.actions_of
        most = self.course.actions
        return most if own is None else min(most, own(sheet, condition))

    def _extras(self) -> int:
        """How often somebody may act once more at the end of a round, at most."""
        extras = self.fight.extras
        return max(
            0 if self.sides[side].idle else extras(sheet, self.enter(side, sheet), self.rulings)
            for side, sheet in dict.fromkeys(self.sheets)
        )

    @cached_property
    def tends(self) -> bool:
        """Whether something may be urgent for somebody, and somebody may help them."""
        return self.fight.urgent is not nothing_settled and any(
            not self.sides[side].idle and self.fight.tends(sheet, self.rulings)
            for side, sheet in dict.fromkeys(self.sheets)
        )

    @cached_property
    def shares(self) -> bool:
        """Whether somebody has something in common with mates."""
        return any(
            self.fight.common(sheet, self.enter(side, sheet)) is not None
            for side, sheet in dict.fromkeys(self.sheets)
        )

    @cached_property
    def is_mirrored(self) -> bool:
        """Whether both sides are the same but for their names."""
        one, other = (side._replace(name="") for side in self.sides)
        return one == other

    def rolled(self, sheet: Hashable) -> Mapping[int, int]:
        """A fighter's one roll for initiative: numbers with weights; 0 without dice."""
        roll = self.fight.initiative_roll
        if roll is None or self.first != "initiative":
            return {0: 1}
        return dict(roll_of(*roll(sheet, self.rulings)).rows)

    def changed(self, **changes: Any) -> Contest:
        """The same fight with other sides, another way to begin, another objective, ..."""
        kept: dict[str, Any] = {
            "sides": self.sides, "rulings": self.rulings, "first": self.first,
            "objective": self.objective, "threshold": self.threshold, "at_a_time": self.at_a_time,
            "board": self.board,
        }  # fmt: skip
        return Contest(self.system, **{**kept, **changes})

    def check_no_board(self, what: str) -> None:
        """Check that nobody shares a board.

        Args:
            what: what knows no board, for the message: "a duel".

        Raises:
            SetupError: they do.
        """
        if self.board is not None and self.fight.board is not None:
            raise SetupError(
                f"{what} knows no {self.fight.board.key}, and this fight has one; "
                "it can be played, and priced by fights played out",
                advice="fight",
            )

    def undecided(self) -> Contest:
        """The same fight with nothing decided beforehand, so that people are asked everything."""
        one, other = (side._replace(plan=DECIDE_ALL, plans={}) for side in self.sides)
        return self.changed(sides=(one, other))

    def enter(self, side: int, sheet: Hashable) -> Hashable:
        """The condition with which a fighter of a side comes into the fight."""
        foes = self.sides[1 - side].fighters
        met = self.fight.meets(sheet, self.fight.enter(sheet, self.rulings), foes)
        return self.lean(side, sheet, self.beside(side, sheet, met))

    def beside(self, side: int, sheet: Hashable, condition: Hashable) -> Hashable:
        """The condition of a fighter of a side, once all of both sides are known."""
        mates = list(self.sides[side].fighters)
        mates.remove(sheet)
        return self.fight.beside(sheet, condition, mates, self.sides[1 - side].fighters)

    def lean(self, side: int, sheet: Hashable, condition: Hashable) -> Hashable:
        """A condition without what its fighter's plan never spends."""
        plan, hints = self.sides[side].plan_of(sheet), self.system.hints
        return hints.frugal(sheet, condition) if plan.is_sparing(hints.spends_at) else condition

    @cached_property
    def spends_for(self) -> frozenset[str] | None:
        """The outcome fields for which open decisions spend; None: for whatever there is."""
        steps = self.system.hints.spends_at
        if any(self.sides[side].plan_of(sheet).strains(steps) for side, sheet in self.sheets):
            return None
        return self.system.decided_by(self.objective)

    def matchup(
        self,
        side: int,
        actor: Hashable,
        target: Hashable,
        *,
        friend: bool = False,
        situation: Any = None,
    ) -> Matchup:
        """Exchanges of one fighter of a side with another: a foe, or a friend.

        Args:
            side: the number of the actor's side.
            actor: the sheet of the fighter who acts.
            target: the sheet of the fighter who is acted upon.
            friend: whether the target is of the same side.
            situation: the one between these two; None: that of the side.
        """
        key = (side, actor, target, friend, situation)
        known = self._matchups.get(key)
        if known is None:
            own = self.sides[side]
            other = own if friend else self.sides[1 - side]
            setup: Hashable | None = None
            apart = ""
            try:
                given = replace(situation or own.situation, attacker=actor, defender=target)
                setup = self._setups.setdefault(given, given)  # the same on both sides
            except SetupError as error:  # such two can't meet: there is nothing they could do
                apart = str(error)
            plans = Both(own.plan_of(actor), other.plan_of(target), self.system.actors[0])
            same = id(setup), plans, friend  # two who are alike may face each other
            known = self._alike.get(same)
            if known is None:
                known = Matchup(
                    self.system, setup, self.rulings, plans, self.objective, self.threshold
                )
                known.apart = apart
                if setup is not None:
                    self._alike[same] = known
            self._matchups[key] = known
        return known

    def offered(self, side: int) -> dict[str, dict[str, bool]]:
        """Options that came up where a side has a habit, by step: on offer, or closed only.

        As far as exchanges were worked out.
        """
        found: dict[str, dict[str, bool]] = {}
        acting = self.system.actors[0]
        for (own, _, _, friend, _), matchup in self._matchups.items():
            for (actor, step), names in matchup.offered.items():
                if side == (own if friend or actor == acting else 1 - own):
                    met = found.setdefault(step, {})
                    for name, is_open in names.items():
                        met[name] = is_open or met.get(name, False)
        return found

    def forget(self) -> None:
        """Drop everything that was worked out."""
        self._matchups.clear()
        self._alike.clear()
        self._setups.clear()
        self.worked_out.clear()


Habits = tuple[tuple[str, tuple[str, ...]], ...]


def opening_plans(contest: Contest) -> tuple[Side, Side]:
    """Both sides with plans that keep up what is best in an opening exchange, spending nothing.

    Everybody, as they come into the fight, attacks the first of the foes once and is attacked by
    it; whatever they then decide without looking at dice becomes a habit of theirs.
    """
    if contest.board is not None:  # an opening depends on where everybody stands
        return contest.sides
    free = [side._replace(plan=Plan("free", side.plan.habits), plans={}) for side in contest.sides]
    frugal = contest.changed(sides=(free[0], free[1]), threshold=0)
    actor, target = contest.system.actors[:2]
    found: list[dict[Hashable, Plan]] = [{}, {}]
    known: dict[tuple[int, Hashable, Hashable], dict[str, Habits]] = {}

    def opening(number: int, one: Hashable, other: Hashable) -> dict[str, Habits]:
        key = 0 if frugal.is_mirrored else number, one, other
        if key not in known:
            known[key] = _opening(frugal, *key)
        return known[key]

    for number, side in enumerate(free):
        foe = free[1 - number].fighters[0]
        for sheet in dict.fromkeys(side.fighters):
            attacks = opening(number, sheet, foe).get(actor, ())
            defends = opening(1 - number, foe, sheet).get(target, ())
            found[number][sheet] = Plan("free", (*side.plan.habits, *attacks, *defends))
    one, other = (side._replace(plans=plans) for side, plans in zip(free, found, strict=True))
    return one, other


def _opening(contest: Contest, number: int, actor: Hashable, target: Hashable) -> dict[str, Habits]:
    """The habits that an opening attack of one fighter on another leaves, by actor."""
    one, two = contest.enter(number, actor), contest.enter(1 - number, target)
    matchup = contest.matchup(number, actor, target)
    if matchup.setup is not None:
        one = contest.fight.engaged(matchup.setup, one, contest.rulings)
    deeds = [deed for deed in contest.deeds(number, actor, one) if deed.on == "foe"]
    at = deeds and matchup.start(Encounter(deeds[0], one, two, contest.fight.context(())))
    if not at:
        return {}
    try:
        return habits(solve(Game(contest.system, at, {}, matchup.plans), contest.objective))
    except SetupError:
        return {}
