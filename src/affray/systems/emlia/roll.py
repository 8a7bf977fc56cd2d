"""The check of an attack: its focus, its dice, and its count."""

from __future__ import annotations

from affray.core.modifier import Modifier, Total
from affray.core.node import At, Chance, Go, Node, Option, Pointer, choose
from affray.core.ruling import Rulings
from affray.core.step import cites, step
from affray.core.telling import counted
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.engagement import body_of
from affray.systems.emlia.harm import take_hits
from affray.systems.emlia.modifiers import Rows, focus_rows
from affray.systems.emlia.numbers import (
    checks_of,
    core_check,
    difficulty_of,
    least_face,
    numbers_of,
)
from affray.systems.emlia.reading import Outcome, counted_of, pool_of, tally_of
from affray.systems.emlia.state import Check, Decisions, Exchange
from affray.systems.emlia.strength import CheckInputs, attacking, inputs_of, is_here

__all__ = [
    "STEPS",
    "choose_focus",
    "count_check",
    "count_last_check",
    "difficulty_told",
    "roll_check",
]


@step("EM-50", "EM-51", "EM-52", "EM-55")
def choose_focus(x: Exchange) -> Node[Exchange]:
    """An attack on a mixed body may focus on one of its troops."""
    body = [place for place in body_of(x.terms, x.decided) if is_here(x.statuses[place])]
    focus = x.terms.setup.focus
    inputs = inputs_of(x.terms, x.statuses, x.decided)  # whatever the focus
    whole = At(roll_check, _readied(x, x.decided, inputs))
    if len(body) < 2 or focus == "none":
        return Go(*whole)
    plain = Option("none", whole, 0, "the whole body")
    names = {x.terms.troops[place].name: place for place in body}
    if focus in names:
        return Go(roll_check, _readied(x, x.decided._replace(focus=names[focus]), inputs))
    if focus != "open":
        why = "it is gone, or outside the body under attack (EM-52)"
        return choose("attacker", "Focus on which troop?", [plain], closed=((focus, why),))
    options = [plain]
    for name, place in names.items():
        if x.terms.troops[place].side == "enemy":
            after = _readied(x, x.decided._replace(focus=place), inputs)
            words, points = f"extra hits for {name}", Pointer(target=name)
            options.append(Option(name, At(roll_check, after), 0, words, points=points))
    return choose("attacker", "Focus on which troop?", options)


def _readied(x: Exchange, decided: Decisions, inputs: CheckInputs) -> Exchange:
    """An activation with the checks of the attack worked out."""
    checks = checks_of(x.terms, decided, inputs)
    return x._replace(decided=decided, checks=checks, turn=0)


@step("EM-2", "EM-3", "EM-4", "EM-5", "EM-6", "EM-30", "EM-31", "EM-32")
def roll_check(x: Exchange) -> Node[Exchange]:
    """The check is rolled, a die for each level; an automatic success takes none."""
    check = x.checks[x.turn]
    then = count_check if x.turn + 1 < len(x.checks) else count_last_check
    if check.automatic or not check.dice:
        return Go(then, x._replace(rolled=_automatic(check, x.rulings)))
    face = least_face(check.difficulty, x.rulings)
    pool = pool_of(check.sides, check.dice)
    name = x.terms.troops[check.by].name
    ask = f"{x.decided.action.replace('_', ' ')} of {name}"
    return Chance("attacker", ask, pool, tally_of(face, check.sides), "rolled", At(then, x))


@cites("EM-6")
def _automatic(check: Check, rulings: Rulings) -> Outcome:
    """The outcome of a check that needs no roll."""
    if rulings[rule.AUTO] == "one":
        return Outcome(min(1, check.dice))
    return Outcome(check.dice)


@roll_check.says
def _(before: Exchange, after: Exchange) -> list[str | Total]:
    check, terms = before.checks[before.turn], before.terms
    name = terms.troops[check.by].name
    if check.automatic:
        return [f"All targets are unaware: {name} succeeds with all {check.dice} dice (EM-32)."]
    if not check.dice:
        whole = before.statuses[check.by].members
        some = attacking(terms, before.statuses, before.decided, check.by)
        why = f": only {some} of its {counted(whole, 'member')} can fight (EM-22)"
        return [f"{name} has no dice{why if some < whole else ''}."]
    inputs = inputs_of(terms, before.statuses, before.decided)
    return [*difficulty_told(before, inputs, check), f"Dice: {check.dice}d{check.sides}."]


@roll_check.briefly
def _(before: Exchange, after: Exchange) -> str:
    check = before.checks[before.turn]
    return f"against difficulty {check.difficulty}" if check.dice and not check.automatic else ""


@roll_check.verdict
def _(before: Exchange, after: Exchange) -> str:
    check, rolled = before.checks[before.turn], after.rolled
    if rolled is None or isinstance(rolled, Outcome):
        return ""
    found = counted_of(core_check(before.terms).ones, rolled, check.dice)
    if found.excess:
        return "a fumble"
    return counted(found.net, "success", "successes") if found.net else "a failure"


@cites("EM-51", "EM-52")
def difficulty_told(x: Exchange, inputs: CheckInputs, check: Check) -> list[str | Total]:
    """Explain a difficulty: modifiers, and the steps for a mixed body."""
    terms, decided, by = x.terms, x.decided, check.by
    body = body_of(terms, decided)
    numbers = numbers_of(terms, decided, inputs, by)
    mixed = difficulty_of(terms, decided, inputs, by)
    told: list[str | Total] = []
    sharing: dict[Rows, list[str]] = {}
    for place, (rows, _) in zip(body, numbers, strict=True):
        sharing.setdefault(rows, []).append(terms.troops[place].name)
    for rows, names in sharing.items():
        label = "to hit" if len(body) == 1 else f"to hit {' and '.join(names)}"
        told.append(Total(Modifier(label, 0, "EM-2"), rows))
    if len(body) > 1:
        told.append(
            f"Starts from {mixed.start}, {mixed.size} strong; {mixed.higher} members have a higher "
            f"number, {mixed.steps} full groups: +{mixed.steps}, at most {mixed.cap} (EM-51)."
        )
    told += [f"{row} (of step 1.3)." for row in focus_rows(terms, decided, by)[1]]
    base = core_check(terms).base
    limit = f", held to {check.difficulty}" if check.difficulty != mixed.value else ""
    told.append(f"Difficulty {mixed.value} (base {base}){limit} (EM-3).")
    return told


@step("EM-4", "EM-50")
def count_check(x: Exchange) -> Node[Exchange]:
    """Successes are counted and ones cancel some; then the next troop rolls its own check."""
    return Go(roll_check, _counted(x, x.turn + 1))


@step("EM-4")
def count_last_check(x: Exchange) -> Node[Exchange]:
    """Successes are counted, and ones cancel some."""
    return Go(take_hits, _counted(x, 0))


def _counted(x: Exchange, turn: int) -> Exchange:
    """A check that was rolled, counted: hits, and ones in excess where they matter.

    Args:
        x: the activation.
        turn: whose turn it is after that.
    """
    check = x.checks[x.turn]
    rolled = x.rolled
    tally = (0, 0)
    if not isinstance(rolled, Outcome):
        assert rolled is not None  # the tally of the dice
        tally = rolled
        rolled = counted_of(core_check(x.terms).ones, tally, check.dice)
    elif check.automatic:
        tally = (rolled.net, 0)
    waits = (rolled.net * check.each, rolled.excess if check.friends else 0)
    return x._replace(
        rolled=None,
        turn=turn,
        successes=x.successes + tally[0],
        ones=x.ones + tally[1],
        net=x.net + rolled.net,
        excess=x.excess + rolled.excess,
        waiting=(*x.waiting, waits),
    )


def _count_told(before: Exchange, after: Exchange) -> str:
    net, excess = after.net - before.net, after.excess - before.excess
    if excess:
        return f"A fumble: {counted(excess, 'one')} in excess (EM-4)."
    return f"{net} net {'success' if net == 1 else 'successes'}." if net else "A failure."


count_check.says(_count_told)


count_last_check.says(_count_told)


STEPS = (choose_focus, roll_check, count_check, count_last_check)
"""The steps of this chapter in the order of the book."""
