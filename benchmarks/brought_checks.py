"""Whether what people bring is answered rightly: each answer by another method, untimed.

What follows the rules forward is compared with what solves them backward, duels with battles in
which dice are rolled, battles with battles that are played step by step, and exchanges with
programs that know no rule text.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

from affray.app.battle import Sampling, ask_battle
from affray.app.duel import ask_duel
from affray.app.inputs.fight_changes import FightChanges
from affray.app.inputs.fight_setups import load_fight
from affray.app.inputs.setups import load
from affray.core.errors import LimitError
from affray.engine.budget import Budget
from affray.engine.exchange.best import objective_named, solve
from affray.engine.exchange.odds import outcomes
from affray.engine.fight.played.play import play_battle
from benchmarks.peers import plain

N_BATTLES, N_PLAYED = 4_000, 60
STANDARD_ERRORS = 5
PATIENCE = Budget(seconds=120)


class NotChecked(Exception):  # noqa: N818  # no error: there is an answer all the same
    """The other method takes too long."""


class Asked(NamedTuple):
    """The words of a command, with the paths of files, and the JSON that it printed."""

    words: tuple[str, ...]
    answer: Mapping[str, Any]


def told(asked: Asked) -> str:
    """A call has compared for itself; it tells with what."""
    checked = asked.answer["answer"]
    assert isinstance(checked, str), checked
    return checked


def _fraction(raw: Mapping[str, Any]) -> Fraction:
    return Fraction(int(raw["numerator"]), int(raw["denominator"]))


def _likely(p: float, n: int, q: float, m: int | None = None) -> bool:
    """Whether a share of n is a chance, or a share of m, within five standard errors."""
    common = (p * n + q * m) / (n + m) if m else q
    spread = common * (1 - common) * (1 / n + (1 / m if m else 0))
    # A share of nothing is as good as a chance of 25 in n.
    return abs(p - q) <= STANDARD_ERRORS * sqrt(spread) + STANDARD_ERRORS**2 / n


# -- exchanges -----------------------------------------------------------------------------------


def table_in(path: str) -> dict[str, Any]:
    """The setup in a file."""
    return tomllib.loads(Path(path).read_text(encoding="utf-8"))


def _damage(path: str, *, forward: bool) -> Fraction:
    """Expected damage of a setup of Eclipse Phase: solved, or followed under the best options."""
    table = table_in(path)
    game = load("eclipse-phase", table).game
    solution = solve(game, objective_named(game.system, "damage"))
    if not forward:
        return solution.value
    targets = range(2, len(table.get("others", ())) + 2)
    names = ("net", *(f"net_{number}" for number in targets))
    found = outcomes(game, names, decide=solution.decide)
    whole = sum(sum(map(int, map(str, values))) * weight for values, weight in found.items())
    return Fraction(whole, found.total)


def flows_forward(asked: Asked) -> str:
    """The value of the best options is what following them comes to."""
    value = _fraction(asked.answer["value"])
    forward = _damage(asked.words[2], forward=True)
    assert forward == value, (forward, value)
    return "following the options forward"


def solves_back(asked: Asked) -> str:
    """The mean of the odds is the value of the best options."""
    rows = asked.answer["rows"]
    mean = sum((Fraction(row["value"]) * _fraction(row["exactly"]) for row in rows), Fraction(0))
    value = _damage(asked.words[2], forward=False)
    assert mean == value, (mean, value)
    return "solving backward"


def plain_w2l(asked: Asked) -> str:
    """Expected hits are what plain Python says."""
    value = _fraction(asked.answer["value"])
    assert value == plain.w2l(), value
    return "plain Python"


# -- fights ------------------------------------------------------------------------------------


def against_battles(asked: Asked) -> str:
    """The chances of a duel are the shares of battles."""
    if asked.words:
        _, system, *source = asked.words
        won, policies = asked.answer["won"], None
    else:
        answer = asked.answer["answer"]
        system, source, won = answer["system"], answer["pair"], answer["won"]
        policies = (answer["policy"], answer["policy"])
    if won is None:
        raise NotChecked("no duel was worked out")
    changes = FightChanges(policies=policies) if policies else FightChanges()
    sampling = Sampling(n=N_BATTLES, seed=1)
    from_where = source[0] if len(source) == 1 else (source[0], source[1])
    try:
        found = ask_battle(system, from_where, changes=changes, sampling=sampling, budget=PATIENCE)
    except LimitError as error:
        raise NotChecked(f"battles take too long ({error.limit})") from None
    for chance, share in zip(won, found.won, strict=True):
        assert _likely(share.value, found.n, chance), (source, chance, share)
    return f"{found.n:,} battles" + ("" if asked.words else f" of {' '.join(source)}")


def bracketed(asked: Asked) -> str:
    """Who plays for the best does no worse than by first options, against the same opponent."""
    _, system, one, other, *_ = asked.words
    won = asked.answer["won"]
    for place in (0, 1):
        policies = ("first", "optimal") if place == 0 else ("optimal", "first")
        try:
            found = ask_duel(
                system, (one, other), changes=FightChanges(policies=policies), budget=PATIENCE
            )
        except LimitError as error:
            raise NotChecked(f"duels against first options take too long ({error.limit})") from None
        assert won[place] >= found.won[place] - 1e-9, (place, won, found.won)
    return "first options of either side, which do no better"


def a_pair_exactly(asked: Asked) -> str:
    """One pair of the matrix is what its duel says."""
    n = asked.answer["n"]
    names = {"duellist_a", "duellist_b"}
    cell = next(c for c in asked.answer["cells"] if {c["row"], c["column"]} == names)
    found = ask_duel("eclipse-phase", (cell["row"], cell["column"]), budget=PATIENCE)
    assert _likely(cell["wins"]["value"], n, found.won[0]), (cell, found.won)
    return f"the duel of {cell['row']} and {cell['column']}"


def played_battles(asked: Asked) -> str:
    """The share of battles that are won, against battles played step by step."""
    _, system, one, other, *_ = asked.words
    contest = load_fight(system, (one, other)).contest
    played = [play_battle(contest, seed=seed) for seed in range(N_PLAYED)]
    n = asked.answer["n"]
    for name, share in zip(("one", "other"), asked.answer["won"], strict=True):
        count = sum(battle.verdict == name for battle in played)
        assert _likely(count / N_PLAYED, N_PLAYED, share["value"], n), (name, count, share)
    return f"{N_PLAYED} battles played step by step"
