"""Advice at a decision of a whole fight: what each option does to the chance to win it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.app.advice import alike_told
from affray.app.fight_chances import SECONDS, check_many
from affray.app.views.advice import AdviceView, AdvisedRow, Known
from affray.core.errors import AnswerError
from affray.engine.advice.records import are_most
from affray.engine.budget import Budget
from affray.engine.fight.played.searching import options_of
from affray.engine.fight.played.weighing import weigh

if TYPE_CHECKING:
    from affray.app.fight import Fight

__all__ = ["advise_deeds"]


def advise_deeds(fight: Fight, budget: Budget | None = None, *, seed: int = 1) -> AdviceView:
    """The chance of the side that decides to win the fight, after each of the options.

    Exact in a fight of two where that is quick; else from fights that are played out, all options
    with the same seed and most of them from what promises most, with intervals that hold the truth
    95 times in 100.

    Args:
        fight: a fight that waits for a decision.
        budget: how much it may take, all options together; two seconds by default.
        seed: of what is drawn.

    Raises:
        AnswerError: nothing is to be decided.
        SetupError: the fight is one exchange, such as a game on a map.
        LimitError: not even a few fights could be played out.
    """
    question = fight.asked
    if question is not None and question.dice is not None:
        raise AnswerError("this is a roll, nothing to choose: type the faces, or r to roll")
    if question is None or not question.options or question.side is None:
        raise AnswerError("nothing is to be decided; advice is for choices")
    if question.kind == "situation":
        raise AnswerError("your table decides this; Enter takes the usual")
    side, outlook = question.side, fight.computers.outlook
    check_many(fight)
    limits = budget or Budget()
    if limits.seconds is None:
        limits = limits._replace(seconds=SECONDS)
    options = options_of(fight.session, outlook.ready)
    weighed = weigh(options, side, outlook.players, seed=seed, budget=limits)
    found = {one.name: one.chances for one in weighed if one.chances is not None}
    won = {name: chances.won[side] for name, chances in found.items()}
    best = max(won, key=lambda name: won[name].value)
    is_exact = len(found) == len(question.options) and all(c.is_exact for c in found.values())
    known: Known = "exact" if is_exact else "estimate"
    rows = []
    for option in question.options:
        row = AdvisedRow(
            option.name, option.words, option.spends, "", None, None, None, None, None, 0
        )
        chances = found.get(option.name)
        if chances is not None:
            value, low, high = chances.won[side]
            row = row._replace(
                known="exact" if chances.is_exact else "estimate", value=value, low=low,
                high=high, cost=won[best].value - value, visits=chances.n,
            )  # fmt: skip
        rows.append(row)
    alike = tuple(
        row.name for row in rows
        if row.name != best and (row.high is None or row.high >= won[best].low)
    )  # fmt: skip
    ground = "toss-up" if are_most(alike, rows) else "look-ahead"
    by = "solved" if is_exact else ground
    looks = sum(chances.n for chances in found.values())
    contest = fight.session.contest
    return AdviceView(
        system=fight.system, setup=fight.loaded.origin, title=fight.loaded.title,
        objective="win", meaning=f"chance of {contest.sides[side].name} to win the fight",
        actor=fight.session.position.name(question.fighter) if question.fighter else "",
        wants="more", ask=question.ask, step=question.step, clauses=question.clauses, known=known,
        best=best, value=won[best].value, low=won[best].low, high=won[best].high, fraction=None,
        options=tuple(rows), looks=looks, seed=seed,
        stopped_by="" if len(found) == len(question.options) else "seconds",
        how="exact" if is_exact else f"estimate: {looks:,} fights played out by the computer with "
        f"seed {seed}; intervals hold 95 times in 100{alike_told(alike, rows, best, by)}",
        remarks=fight.remarks, assumed=fight.loaded.gaps, by=by, alike=alike,
    )  # fmt: skip
