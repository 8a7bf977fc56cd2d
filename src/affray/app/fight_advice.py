"""Advice at a decision of a whole fight: what each option does to the chance to win it.

Inside an exchange that stands beside what the option is worth to the exchange's own objective.
"""

from __future__ import annotations

from dataclasses import replace

from affray.app.advice import advise_exchange, alike_told
from affray.app.fight import Fight
from affray.app.fight_chances import SECONDS, check_many
from affray.app.inputs.fight_changes import FightChanges
from affray.app.notes import with_notes
from affray.app.sources import AS_WRITTEN, NO_ANSWERS, Answers, Changes, Source
from affray.app.views.advice import AdviceView, AdvisedRow, Known
from affray.core.errors import AnswerError, LimitError
from affray.core.fight import WIN
from affray.engine.advice.records import are_most
from affray.engine.budget import Budget, spending
from affray.engine.fight.played.searching import options_of
from affray.engine.fight.played.weighing import weigh

__all__ = ["advise_deeds", "advise_fight", "best_in_fight"]

ON_EXCHANGE = 0.4
"""The share of the seconds for the exchange; the rest is for the chance to win the fight."""


def advise_fight(
    fight: Fight, objective: str = "", budget: Budget | None = None, *, seed: int = 1
) -> AdviceView:
    """What each option of the decision that a fight waits for is worth.

    At the fight's own choices that is the chance to win. Inside an exchange it is what the
    exchange's objective says, with the chance to win beside it (`AdviceView.in_fight`).

    Args:
        fight: a fight that waits for a decision.
        objective: what is wanted of an exchange, or `win`: of the fight; the fight's by default.
        budget: how much it may take, all together; two seconds by default.
        seed: of everything that is drawn.

    Raises:
        AnswerError: nothing is to be decided.
        UnknownNameError: an unknown objective.
        LimitError: the budget was spent before anything was known.
    """
    limits = budget or Budget()
    if limits.seconds is None:
        limits = limits._replace(seconds=SECONDS)
    wanted = objective or fight.loaded.wanted
    if fight.loaded.whole is None and (fight.session.exchange is None or wanted == WIN):
        return advise_deeds(fight, limits, seed=seed)
    with spending(limits) as clock:
        if wanted == WIN:
            return advise_exchange(fight, WIN, clock.part(1))
        found = advise_exchange(fight, wanted, clock.part(ON_EXCHANGE))
        try:
            if fight.loaded.whole is None:
                return replace(found, in_fight=advise_deeds(fight, clock.part(1), seed=seed))
            return replace(found, in_fight=advise_exchange(fight, WIN, clock.part(1)))
        except LimitError as limit:
            if limit.limit == "interrupted":
                raise
            return replace(found, how=f"{found.how}; the chance to win is not known in time")


@with_notes
def best_in_fight(
    system_name: str,
    source: Source,
    changes: Changes = AS_WRITTEN,
    answers: Answers = NO_ANSWERS,
    *,
    budget: Budget | None = None,
    seed: int = 1,
) -> AdviceView:
    """The chance to win a fight after each option of its first decision.

    Of the situation that holds what is usual where `answers` don't say.

    Args:
        system_name: id of a system.
        source: a fight.
        changes: what holds instead of what the fight says.
        answers: given first.
        budget: as for `advise_fight`.
        seed: as for `advise_fight`.

    Raises:
        AnswerError: dice are rolled before anybody decides; answers that don't fit.
        UnknownNameError, InputError, SetupError, LimitError: as for `Fight.begin`, `advise_fight`.
    """
    settle, rulings, roster = changes
    asked = FightChanges(settle=settle, rulings=rulings, roster=roster)
    fight = Fight.begin(system_name, source, asked)
    faces, options = list(answers.dice), list(answers.options)
    while (question := fight.asked) is not None:
        if question.dice is not None:
            size = question.dice.size
            if len(faces) < size:
                raise AnswerError(
                    f"{question.ask}: dice fall before anybody decides; give their faces first"
                )
            fight, faces = fight.answer(faces[:size]), faces[size:]
            continue
        usual = question.options[0].name if question.kind == "situation" else ""
        offered = [option.name for option in question.options]
        if options and (options[0] in offered or not usual):
            fight = fight.answer(options.pop(0))
        elif usual:
            fight = fight.answer(usual)
        else:
            break
    if faces or options:
        left = ", ".join(map(str, (*faces, *options)))
        raise AnswerError(f"more answers than the fight asks for before this decision: {left}")
    return advise_fight(fight, WIN, budget, seed=seed)


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
    side = question.side
    check_many(fight)
    limits = budget or Budget()
    if limits.seconds is None:
        limits = limits._replace(seconds=SECONDS)
    with spending(limits):
        outlook = fight.computers.outlook_within(limits.seconds)
        options = options_of(fight.session, outlook.ready)
        weighed = weigh(options, side, outlook.players, seed=seed)
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
        objective=WIN, meaning=f"chance of {contest.sides[side].name} to win the fight",
        actor=fight.session.position.name(question.fighter) if question.fighter else "",
        wants="more", ask=question.ask, step=question.step, clauses=question.clauses, known=known,
        best=best, value=won[best].value, low=won[best].low, high=won[best].high, fraction=None,
        options=tuple(rows), looks=looks, seed=seed,
        stopped_by="" if len(found) == len(question.options) else "seconds",
        how="exact" if is_exact else f"estimate: {looks:,} fights played out by the computer with "
        f"seed {seed}; intervals hold 95 times in 100{alike_told(alike, rows, best, by)}",
        remarks=fight.remarks, assumed=fight.loaded.gaps, by=by, alike=alike,
    )  # fmt: skip
