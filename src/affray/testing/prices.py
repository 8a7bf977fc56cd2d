"""Exchanges of fights against their odds: what was played has a price, and it is the same one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from affray.core.fight import Deed
from affray.core.node import At, Facts
from affray.core.telling import shown
from affray.engine.exchange.best import solve
from affray.engine.exchange.flow import Decide, flow
from affray.engine.exchange.game import Game
from affray.engine.exchange.odds import outcomes
from affray.engine.exchange.session import Session
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import FighterId
from affray.engine.fight.matchup import Encounter, Matchup
from affray.engine.fight.played.play import PlayedBattle, PlayedExchange

__all__ = ["Priced", "first_row_apart", "odds_apart", "priced"]


@dataclass(frozen=True)
class Priced:
    """An exchange of a battle with the place where it began."""

    entry: PlayedExchange
    matchup: Matchup
    at: At[Facts]
    before: Encounter


def priced(contest: Contest, battle: PlayedBattle) -> Iterator[Priced]:
    """Every exchange, declared from conditions that are followed on the way."""
    fight = contest.fight
    sheets = [side.fighters for side in contest.sides]
    now = [[contest.enter(n, sheet) for sheet in row] for n, row in enumerate(sheets)]
    number = 1
    acting: set[tuple[int, object]] = set()

    def begin(until: FighterId | None) -> None:
        """Begin the turns of those who come before somebody, and did nothing in them."""
        if contest.course.alternates:
            return
        for who in battle.orders[number - 1]:
            if who == until:
                return
            if (number, who) in acting:
                continue
            acting.add((number, who))
            sheet, here = sheets[who.side][who.place], now[who.side][who.place]
            if not fight.is_out(sheet, here):
                now[who.side][who.place] = fight.begin_turn(sheet, here)

    def close() -> None:
        """End the round."""
        nonlocal now, number
        begin(None)
        now = [
            [fight.end_round(*one) for one in zip(row, conditions, strict=True)]
            for row, conditions in zip(sheets, now, strict=True)
        ]
        number += 1

    befalling = {deed.name: deed for _, deed in contest.interludes}
    for entry in battle.exchanges:
        while number < entry.round:
            close()
        (side, place), (foes, foe) = entry.actor, entry.target
        sheet = sheets[side][place]
        befalls = befalling.get(entry.deed)
        if befalls is None and not _is_urgent(contest, sheet, now[side][place], entry.deed):
            if _is_urgent(contest, sheet, fight.end_round(sheet, now[side][place]), entry.deed):
                close()
            else:
                again = fight.extra_deeds(sheet, now[side][place])
                begin(None if entry.deed in {deed.name for deed in again} else entry.actor)
                if (entry.round, entry.actor) not in acting:
                    now[side][place] = fight.begin_turn(sheet, now[side][place])
                    acting.add((entry.round, entry.actor))
        actor, target = now[side][place], now[foes][foe]
        mates = [one for n, one in enumerate(zip(sheets[foes], now[foes], strict=True)) if n != foe]
        matchup = contest.matchup(side, sheets[side][place], sheets[foes][foe], friend=side == foes)
        context = fight.context(mates)
        deed = befalls or _deed_named(contest, sheets[side][place], actor, entry.deed)
        company = None
        if deed.on == "foe" and fight.minds_mates(sheets[side][place], actor):
            own = enumerate(zip(sheets[side], now[side], strict=True))
            company = fight.context([one for n, one in own if n != place])
        encounter = Encounter(deed, actor, target, context, company)
        at = matchup.start(encounter)
        if at is None:
            raise AssertionError(f"{entry.deed} was done, but can't be declared")
        yield Priced(entry, matchup, at, encounter)
        now = _settled(contest, entry)


def _settled(contest: Contest, entry: PlayedExchange) -> list[list[Any]]:
    """Conditions after an exchange as engines know them, without what only people keep."""
    kept = contest.fight.kept
    if kept is None:
        return [list(conditions) for conditions in entry.conditions]
    return [
        [kept.settled(*one) for one in zip(side.fighters, conditions, strict=True)]
        for side, conditions in zip(contest.sides, entry.conditions, strict=True)
    ]


def _is_urgent(contest: Contest, sheet: Any, condition: Any, name: str) -> bool:
    """Whether a deed is settled at once in this condition."""
    deed = contest.fight.urgent(sheet, condition)
    return deed is not None and deed.name == name


def _deed_named(contest: Contest, sheet: Any, condition: Any, name: str) -> Deed:
    """A deed of a turn, or one that is settled at once or when the fight is over."""
    fight = contest.fight
    settled = fight.urgent(sheet, condition), fight.afterwards(sheet, condition)
    every = *fight.deeds(sheet, condition), *fight.extra_deeds(sheet, condition)
    return next(known for known in (*filter(None, settled), *every) if known.name == name)


def odds_apart(contest: Contest, battles: Sequence[PlayedBattle]) -> Iterator[str]:
    """Exchanges of battles that came to what the engine gives no chance."""
    for battle in battles:
        for one in priced(contest, battle):
            for what in _priced_apart(contest, one):
                yield f"round {one.entry.round}, {one.entry.deed}: {what}"
                return


def _priced_apart(contest: Contest, one: Priced) -> Iterator[str]:
    fight, matchup, entry = contest.fight, one.matchup, one.entry
    actor, target = one.before.actor, one.before.target
    game = Game(contest.system, one.at, {}, matchup.plans)
    outcome = Session.replay(game, entry.answers).outcome
    if outcome is None:
        yield "its answers don't lead to the end of the exchange"
        return
    sheet = contest.sides[entry.actor.side].fighters[entry.actor.place]
    row = matchup.odds(one.before)
    if row is None or sum(row.weights) != row.total or not all(w > 0 for w in row.weights):
        yield "the engine has no row of it whose weights sum to the whole"
        return
    foe = contest.sides[entry.target.side].fighters[entry.target.place]
    leads_to = {
        (fight.apply(sheet, actor, mine), fight.apply(foe, target, theirs))
        for mine, theirs in row.effects
    }
    after = _settled(contest, entry)
    came = tuple(after[who.side][who.place] for who in (entry.actor, entry.target))
    if entry.actor != entry.target and came not in leads_to:
        yield f"it came to {shown(came)}, which has no chance in the fight"
    if entry.round == 1:
        names = [field.name for field in contest.system.fields[:3]]
        odds = outcomes(game, names, decide=_best(contest, game)).fractions()
        seen = tuple(field.of(outcome) for field in map(contest.system.field_named, names) if field)
        if not odds.get(seen, Fraction(0)) > 0:
            yield f"it came to {shown(seen)}, which has no chance in the odds"


def first_row_apart(contest: Contest, harm_is: str = "") -> Iterator[str]:
    """Opening exchanges of a duel with other chances in the fight than in their odds.

    Args:
        contest: the duel.
        harm_is: the outcome field that tells what `Fight.harm` counts; "": it isn't compared,
            since fights may count points beyond what a target has left.
    """
    fight, sheets = contest.fight, [side.fighters[0] for side in contest.sides]
    for side in (0, 1):
        actor, target = (contest.enter(n, sheets[n]) for n in (side, 1 - side))
        actor = fight.begin_turn(sheets[side], actor)
        deed = next((one for one in fight.deeds(sheets[side], actor) if one.on == "foe"), None)
        if deed is None:
            continue
        encounter = Encounter(deed, actor, target, fight.context(()))
        matchup = contest.matchup(side, sheets[side], sheets[1 - side])
        row, at = matchup.odds(encounter), matchup.start(encounter)
        if row is None or at is None:
            if (row is None) != (at is None):
                yield f"{deed.name}: it can be declared, but has no chances, or the reverse"
            continue
        game = Game(contest.system, at, {}, matchup.plans)
        decide = _best(contest, game)
        rows = [(effects[1], Fraction(weight, row.total))
                for effects, weight in zip(row.effects, row.weights, strict=True)]  # fmt: skip
        flowed = [
            (fight.effect(outcome, "target"), Fraction(weight, total))
            for total, finals in flow(game, decide).items()
            for outcome, weight in finals.items()
        ]
        after = partial(fight.apply, sheets[1 - side], target)
        yield from _apart(deed.name, _counted(rows, after), _counted(flowed, after))
        if harm_is:
            odds = outcomes(game, (harm_is,), decide=decide).fractions()
            harm = {value[0]: chance for value, chance in odds.items()}
            yield from _apart(deed.name, _counted(rows, fight.harm), harm)
            yield from _apart(deed.name, _counted(flowed, fight.harm), harm)


def _counted(
    effects: Sequence[tuple[Any, Fraction]], key: Callable[[Any], object]
) -> dict[object, Fraction]:
    """The chances of what effects come to."""
    found: dict[object, Fraction] = {}
    for effect, chance in effects:
        found[key(effect)] = found.get(key(effect), Fraction(0)) + chance
    return found


def _apart(
    deed: str, one: Mapping[object, Fraction], other: Mapping[object, Fraction]
) -> Iterator[str]:
    """The first thing that has other chances in a fight than in the odds."""
    for what in {**one, **other}:
        here, there = one.get(what, Fraction(0)), other.get(what, Fraction(0))
        if here != there:
            yield f"{deed}: {shown(what)} has chance {here} in the fight, {there} in the odds"
            return


def _best(contest: Contest, game: Game) -> Decide:
    """The policy of a fight: what plans leave open is decided for the objective."""
    return solve(game, contest.objective, threshold=contest.threshold).decide
