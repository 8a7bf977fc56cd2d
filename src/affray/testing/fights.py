"""Fights: pure functions, battles that replay, and one answer from all who work fights out."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from math import sqrt
from typing import Any

from affray.app.inputs.fight_changes import FightChanges, in_duels
from affray.app.inputs.fight_fighters import fighters_of
from affray.app.inputs.fight_setups import load_raw_fight
from affray.app.inputs.intake import InputError
from affray.core.errors import LimitError, MissingError, SetupError
from affray.core.fight import Fight
from affray.core.telling import shown
from affray.engine.budget import Budget, spending
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.played.play import PlayedBattle, play_battle, replay
from affray.testing.cases import Case
from affray.testing.law import Law, Skip, law
from affray.testing.material import Material
from affray.testing.prices import first_row_apart, odds_apart
from affray.testing.rows import compare_rows

__all__ = [
    "GAMES", "LAWS", "battles_for", "battles_of", "fights_and_duels",
    "pure_fight", "replays_apart", "rows_apart", "verdicts_apart",
]  # fmt: skip

GAMES = 128
"""Battles of a duel that are compared with its exact solution."""
ERRORS = 4
"""Standard errors by which they may be apart: a difference of 18 % is found at the latest."""
FEW = 5
MANY = 100
"""Once the battles of a fight have so many exchanges, no more of them are played."""
_HASHED = frozenset(
    {"enter", "declare", "effect", "apply", "begin_turn", "end_round", "context"}
)  # fmt: skip
"""Functions of `Fight` whose answers are compared and kept."""
ROUNDS = 60
PAIRS = 6
"""Duels of fighters that are picked from the roster."""
MOST_PAIRS = 4_000
"""Pairs of conditions of a duel that is solved; larger ones are left out."""
_PURE = (
    "Functions of `Fight` may use nothing but their arguments and must leave them as they are: "
    "return a new condition (`condition._replace(...)`)."
)
_AGREE = (
    "Ways to work a fight out differ where a function of `Fight` is not pure, or what hints "
    "say is hidden is looked at all the same; run the laws of `fights` on purity first."
)


# -- which fights --------------------------------------------------------------------------------


def _duels(material: Material) -> Iterator[Case]:
    """Duels of fighters of the roster, picked by chance."""
    system = material.system
    if system.fight is None or "attacker" not in system.roster_keys:
        return
    able, idle = fighters_of(system)
    chooser = random.Random(system.id)
    wanted = in_duels(system, FightChanges(policies=("first", "first")))
    for _ in range(4 * PAIRS):
        if not able:
            return
        one, other = chooser.choice(able), chooser.choice((*able, *idle))
        raw = {"one": {"fighters": [one]}, "other": {"fighters": [other]}}
        try:
            contest = load_raw_fight(system, raw, f"{one} against {other}", wanted).contest
        except (InputError, MissingError, SetupError):
            continue  # such two can't meet, or not without a situation
        yield Case(f"{one} against {other}", contest)


def _some_duels(material: Material) -> Iterator[Case]:
    """The first of these duels, each once; every law looks at the same ones."""
    if "duels" not in material.kept:
        seen = {case.where: case for case in _duels(material)}
        material.kept["duels"] = list(seen.values())[:PAIRS]
    yield from material.kept["duels"]


def fights_and_duels(material: Material) -> Iterator[Case]:
    """The shipped fights, and duels of the roster."""
    if "fights" not in material.kept:
        material.kept["fights"] = [
            Case(where, material.fight(name).contest) for where, name in material.fights()
        ]
    yield from material.kept["fights"]
    yield from _some_duels(material)


def battles_for(material: Material, contest: Contest) -> Sequence[PlayedBattle]:
    """A few battles of a fight, the same for every law."""
    key = ("battles", contest)
    if key not in material.kept:
        material.kept[key] = _played(contest)
    found: Sequence[PlayedBattle] = material.kept[key]
    return found


def _played(contest: Contest) -> Sequence[PlayedBattle]:
    """A few battles of a fight; of a long one fewer."""
    battles: list[PlayedBattle] = []
    while len(battles) < FEW and sum(len(one.exchanges) for one in battles) < MANY:
        battles.append(play_battle(contest, seed=len(battles), rounds=ROUNDS))
    return battles


# -- purity --------------------------------------------------------------------------------------


@law("fights", _PURE, over=fights_and_duels)
def functions_of_fights_are_pure(material: Material, contest: Contest) -> Iterator[str]:
    """Functions of a fight answer the same each time, and leave conditions as they are."""
    faults: dict[str, str] = {}
    system = replace(material.system, fight=pure_fight(contest.fight, faults))
    watched = Contest(
        system, contest.sides, contest.rulings, first=contest.first, objective=contest.objective,
        threshold=contest.threshold, at_a_time=contest.at_a_time, board=contest.board,
    )  # fmt: skip
    battles = _played(watched)
    if not faults:  # watched or not, they are the same
        material.kept.setdefault(("battles", contest), battles)
    yield from faults.values()


def pure_fight(fight: Fight[Any, Any, Any, Any, Any], faults: dict[str, str]) -> Any:
    """The same fight, whose functions note in `faults` what they do besides answering."""
    changes: dict[str, Any] = {
        field.name: _watched(field.name, value, faults)
        for field in fields(fight)
        if callable(value := getattr(fight, field.name))
    }
    if fight.board is not None:
        watched: dict[str, Any] = {
            name: _watched(f"board.{name}", value, faults)
            for name, value in fight.board._asdict().items()
            if callable(value) and not isinstance(value, type)
        }
        changes["board"] = fight.board._replace(**watched)
    return replace(fight, **changes)


_NEW = object()


def _watched(name: str, function: Callable[..., Any], faults: dict[str, str]) -> Callable[..., Any]:
    answers: dict[tuple[Any, ...], Any] = {}

    def called(*given: Any) -> Any:
        try:
            first = answers.get(given, _NEW)
        except TypeError:  # it can't be hashed
            first = _NEW
        if first is not _NEW:
            answer = function(*given)
            compare(first, answer)
            return answer
        before = repr(given)
        answer = function(*given)
        if repr(given) != before:
            faults.setdefault(name, f"`{name}` changes what it is given, {_changed(before, given)}")
        compare(answer, function(*given))
        try:
            hash(answer if name in _HASHED else None)
        except TypeError as error:
            what = f"{shown(answer)}, which can't be hashed ({error})"
            faults.setdefault(name, f"`{name}` gives {what}")
        with suppress(TypeError):
            answers[given] = answer
        return answer

    def compare(once: Any, later: Any) -> None:
        if later != once:
            told = f"{shown(once)} once and {shown(later)} later"
            faults.setdefault(name, f"`{name}` answers the same question with {told}")

    return called


def _changed(before: str, given: tuple[Any, ...]) -> str:
    after = repr(given)
    place = next(
        (n for n, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), 0
    )
    start = max(0, place - 20)
    return f"...{before[start : place + 20]}... to ...{after[start : place + 20]}..."


@law("fights", "`vitals` is how many points are left until `is_out`: 0 when out, more before.",
     over=fights_and_duels)  # fmt: skip
def who_is_out_has_no_vitals_left(material: Material, contest: Contest) -> Iterator[str]:
    """A fighter has no vitals left exactly when out of the fight."""
    fight = contest.fight
    sheets = [side.fighters for side in contest.sides]
    for battle in battles_for(material, contest):
        for entry in battle.exchanges:
            for row, conditions in zip(sheets, entry.conditions, strict=True):
                for sheet, condition in zip(row, conditions, strict=True):
                    vitals, out = fight.vitals(sheet, condition), fight.is_out(sheet, condition)
                    if vitals < 0 or out != (vitals == 0):
                        state = "out" if out else "not out"
                        yield f"{shown(condition)} has {vitals} vitals and is {state}"
                        return


# -- one answer ----------------------------------------------------------------------------------


def battles_of(contest: Contest, number: int) -> tuple[PlayedBattle, ...]:
    """Battles of a fight, each with a seed of its own."""
    return tuple(play_battle(contest, seed=seed) for seed in range(number))


@law("fights", _AGREE, over=fights_and_duels)
def battles_replay_identically(material: Material, contest: Contest) -> Iterator[str]:
    """A battle that is played again from what was kept of it is the same battle."""
    yield from replays_apart(contest, battles_for(material, contest))


def replays_apart(contest: Contest, battles: Iterable[PlayedBattle]) -> Iterator[str]:
    """The faults in the replays of some battles."""
    for seed, battle in enumerate(battles):
        again = replay(contest, battle.record)
        if again != battle:
            yield (
                f"with seed {seed} it ends {battle.verdict} after {battle.rounds} rounds, and "
                f"{again.verdict} after {again.rounds} when replayed"
            )


@law("fights", _AGREE, over=_some_duels)
def duels_are_won_as_often_as_played(material: Material, contest: Contest) -> Iterator[str]:
    """The exact chances of a duel are near the shares of battles that are played."""
    try:
        with spending(Budget(pairs=MOST_PAIRS)):
            duel = Duel(contest).solve()
    except LimitError as error:
        if error.limit not in {"pairs", "places"}:
            raise
        raise Skip from None
    if duel.endless > 0:
        raise Skip
    yield from verdicts_apart(duel, battles_of(contest, GAMES))


def verdicts_apart(duel: Any, battles: Sequence[PlayedBattle]) -> Iterator[str]:
    """Shares of battles that are too many standard errors from the exact ones."""
    exactly = {"one": duel.won[0], "other": duel.won[1], "drawn": duel.drawn, "ended": duel.ended}
    n = len(battles)
    for verdict, chance in exactly.items():
        share = sum(battle.verdict == verdict for battle in battles) / n
        spread = sqrt(max(0.0, chance * (1 - chance)) / n)
        if abs(share - chance) > ERRORS * spread + 1e-9:
            yield f"{share:.1%} of {n} battles end {verdict!r}; exactly it is {float(chance):.1%}"
    rounds = [battle.rounds for battle in battles]
    mean = sum(rounds) / n
    spread = sqrt(sum((number - mean) ** 2 for number in rounds) / n / n)
    apart = abs(mean - float(duel.rounds))
    if not spread:  # all took as long: what is rare was not met
        spread = sqrt(apart / n)
    if apart > ERRORS * spread + 1e-9:
        yield f"{n} battles take {mean:g} rounds on average; exactly it is {float(duel.rounds):g}"


def _fights_by_readings(material: Material) -> Iterator[Case]:
    """The shipped fights by the rulings that they have and by others, and duels of the roster."""
    yield from fights_and_duels(material)
    for where, name in material.fights():
        chooser = random.Random(name)
        picks = {
            ruling.name: chooser.choice(list(ruling.options)) for ruling in material.system.rulings
        }
        with suppress(SetupError):  # these readings don't allow it
            if picks:
                yield Case(f"{where} by other readings", material.fight(name, picks).contest)


@law("fights", _AGREE, over=_fights_by_readings)
def rows_are_what_comes_of_known_conditions(material: Material, contest: Contest) -> Iterator[str]:
    """Exchanges come to the same, whether all of a condition is known or only what is shown."""
    yield from rows_apart(contest)


def rows_apart(contest: Contest, *, seed: int = 1, exchanges: int = 8) -> Iterator[str]:
    """Exchanges of a fight that come to something else when everything is known."""
    try:
        compare_rows(contest, seed=seed, exchanges=exchanges)
    except AssertionError as error:
        yield str(error)


@law("fights", _AGREE, over=fights_and_duels)
def what_was_played_has_a_price(material: Material, contest: Contest) -> Iterator[str]:
    """Every result of an exchange in a battle has a chance, in the fight and in the odds."""
    if contest.board is not None:
        raise Skip  # nobody prices a fight on a board
    yield from odds_apart(contest, battles_for(material, contest))


@law("fights", _AGREE, over=_some_duels)
def the_first_row_is_the_odds(material: Material, contest: Contest) -> Iterator[str]:
    """After an opening exchange, the target is as often in each condition as its odds say."""
    yield from first_row_apart(contest)


LAWS: tuple[Law, ...] = (
    functions_of_fights_are_pure,
    who_is_out_has_no_vitals_left,
    battles_replay_identically,
    duels_are_won_as_often_as_played,
    rows_are_what_comes_of_known_conditions,
    what_was_played_has_a_price,
    the_first_row_is_the_odds,
)
