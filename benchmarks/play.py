"""How well the default computer plays: against somebody who advances and hits what is nearest.

Both sides of every fight are played in turn, ten games each, all with fixed seeds. The opponent is
written here and shares nothing with the rooms' rules of thumb: it goes towards the nearest enemy,
attacks it, and takes the first option wherever else it is asked.

    python -m benchmarks.play                      all of it, written to benchmarks/play.md
    python -m benchmarks.play --only ford -n 2     a quick look, nothing is written
"""

from __future__ import annotations

import argparse
import gc
from collections import Counter
from collections.abc import Mapping
from math import dist
from pathlib import Path
from time import process_time
from typing import Any

import affray.engine.budget
from affray.app.fight import Fight
from affray.app.rolling import Roll
from affray.app.sources import EasyFight, Table
from affray.core.lazy import NamedTuple
from affray.engine.budget import Budget
from affray.engine.exchange.session import Answer
from affray.engine.exchange.sources import Seeded
from affray.engine.fight.played.position import Exchange
from benchmarks import machine

SECONDS = 0.2
"""Seconds of the processor for a decision."""
GAMES = 10
"""Games from each side."""
RESULTS = Path(__file__).with_name("play.md")

UNITS = ("knight", "pikeman", "archer", "swordman", "axeman", "light_cav")
SIX = {
    "scenario": {
        "name": "Six", "columns": 8, "rows": 7, "activations": 2, "starts": "one", "destroy": 4,
        "rounds": 14,
        "hexes": [
            {"hex": "0303", "terrain": "woods"}, {"hex": "0403", "terrain": "hill"},
            {"hex": "0401", "terrain": "woods"}, {"hex": "0305", "terrain": "hill"},
        ],
        "one": [{"unit": unit, "hex": f"0{row % 2}0{row + 1}"} for row, unit in enumerate(UNITS)],
        "other": [
            {"unit": unit, "hex": f"0{7 - row % 2}0{row + 1}"} for row, unit in enumerate(UNITS)
        ],
    },
}  # fmt: skip
"""Six units against six of the same kinds."""


class Pairing(NamedTuple):
    """A fight of the benchmark.

    Attributes:
        name: what it is called here. system: whose rules. source: the fight.
        goal: the least share of decided games that the computer should win, from both sides.
    """

    name: str
    system: str
    source: EasyFight
    goal: float = 0.6


PAIRINGS = (
    Pairing("ford", "grid-battles", "ford", 0.8),
    Pairing("six against six", "grid-battles", Table(SIX, "six against six"), 0.8),
    Pairing("meadow (a table)", "emlia", "ford-meadow"),
    Pairing("brockton", "empty-earth", "brockton"),
    Pairing("squads", "eclipse-phase", ("jinx,ripper", "2xcorp_guard,guard_dog")),
    Pairing(
        "a party", "affinity",
        ("fighter,healer,warder,mage", "2xorc_raider,hedge_raider,shield_sergeant"),
    ),
)  # fmt: skip


# -- the opponent ---------------------------------------------------------------------------------


def simple(fight: Fight) -> str:
    """The option of somebody who advances and hits what is nearest."""
    question = fight.asked
    assert question is not None  # it is somebody's turn
    names = [option.name for option in question.options]
    here = fight.session.position
    if here.whole is not None and isinstance(here.need, Exchange):
        return _on_hexes(fight, here.need, names)
    if question.kind == "actor":
        return "act" if "act" in names else names[0]
    attacks = [name for name in names if name.startswith("attack")]
    if question.kind == "deed" and attacks:
        return min(attacks, key=lambda name: _away(fight, name))
    return next((name for name in names if name not in {"wait", "pass"}), names[0])


def _away(fight: Fight, attack: str) -> float:
    """How far the target of an attack stands from the one who acts; 0 where nobody knows."""
    question, board = fight.asked, fight.session.position.board
    if board is None or question is None or question.fighter is None:
        return 0.0
    places = {place.unit: (place.x, place.y) for place in board.placements}  # type: ignore[attr-defined]
    own = fight.session.position.name(question.fighter)
    return dist(places[own], places[attack.partition(": ")[2]])


def _on_hexes(fight: Fight, exchange: Exchange, names: list[str]) -> str:
    """On a map of hexes: by the hexes that labels name, row by row."""
    session = exchange.session
    choice: Any = session.here.step.rule(session.here.facts)
    board: Any = session.here.facts.board  # type: ignore[attr-defined]
    step, half = session.here.step.name, len(board.war.scenario.one)
    foes = board.pieces[half:] if board.side == 0 else board.pieces[:half]

    def away(facts: Any, place: int) -> int:
        piece = facts.board.pieces[place]
        if piece is None:
            return -1  # it leaves the map
        found = [(foe.hex.q - piece.hex.q, foe.hex.r - piece.hex.r) for foe in foes if foe]
        return min(max(abs(q), abs(r), abs(q + r)) for q, r in found)

    if step == "move":
        options = {option.name: away(option.at.facts, board.mover) for option in choice.options}
        return min(names, key=lambda name: options[name])
    if step == "choose_attack":
        return names[min(1, len(names) - 1)]
    return names[0]


# -- games ----------------------------------------------------------------------------------------


class Played(NamedTuple):
    """One game: how it ended, and what decisions of the computer took, in seconds."""

    verdict: str
    rounds: int
    took: tuple[float, ...]
    by: Mapping[str, int]


def play(pairing: Pairing, side: int, seed: int, seconds: float) -> Played:
    """Play one game; the computer has a side."""
    gc.collect()
    gc.freeze()  # what earlier games left is not looked through during a decision
    fight, dice = Fight.begin(pairing.system, pairing.source), Seeded(seed)
    took, by = [], Counter[str]()
    while (question := fight.asked) is not None:
        if question.dice is not None:
            fight = fight.answer(Roll(question.dice).thrown(dice).answer)
        elif question.side == side:
            began = process_time()
            answer = fight.decides("", Budget(seconds=seconds), seed=seed)
            took.append(process_time() - began)
            by[answer.by[0]] += 1
            fight = fight.answer(answer)
        else:
            fight = fight.answer(Answer(option=simple(fight), by=("script",)))
    return Played(fight.verdict, fight.session.moment.round, tuple(took), by)


def measured(pairing: Pairing, games: int, seconds: float) -> list[str]:
    """The cells of a row of the table."""
    won, decided, cells, took, by = 0, 0, [], [], Counter[str]()
    for side, key in enumerate(("one", "other")):
        found = [play(pairing, side, seed, seconds) for seed in range(1, games + 1)]
        ours = sum(game.verdict == key for game in found)
        theirs = sum(game.verdict in {"one", "other"} for game in found) - ours
        won, decided = won + ours, decided + ours + theirs
        cells.append(f"{ours} : {theirs}")
        for game in found:
            took += game.took
            by.update(game.by)
    took.sort()
    share = won / decided if decided else 0.0
    grounds = ", ".join(f"{ground} {n / len(took):.0%}" for ground, n in by.most_common())
    return [
        pairing.name, *cells, f"{share:.0%}", f"{pairing.goal:.0%}",
        f"{took[len(took) // 2]:.2f}", f"{took[int(len(took) * 0.99)]:.2f}", f"{took[-1]:.2f}",
        grounds,
    ]  # fmt: skip


HEAD = (
    "fight", "as one", "as the other", "of decided games", "goal", "median s", "99 in 100 s",
    "longest s", "decided by",
)  # fmt: skip


def document(rows: list[list[str]], seconds: float, games: int) -> str:
    """The results as a document."""
    lines = [f"| {' | '.join(cells)} |" for cells in (HEAD, ["---"] * len(HEAD), *rows)]
    return "\n".join((
        "# How the default computer plays",
        "",
        f"`make bench-play`: {games} games from each side, {seconds:g} CPU seconds a decision,",
        "against an opponent who advances and hits what is nearest. Wins : losses, from each side.",
        "Seeds are fixed; the clock is the processor's, so results vary a little from run to run.",
        f"Measured on {machine.described()}",
        "",
        *lines,
        "",
    ))  # fmt: skip


def main() -> None:
    """Play all games, or those that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="fights whose name begins so")
    parser.add_argument("-n", type=int, default=GAMES, help="games from each side")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for a decision")
    asked = parser.parse_args()
    affray.engine.budget.monotonic = process_time  # type: ignore[attr-defined]
    rows = []
    for pairing in PAIRINGS:
        if pairing.name.startswith(asked.only):
            began = process_time()
            rows.append(measured(pairing, asked.n, asked.seconds))
            print(" | ".join(rows[-1]), f"({process_time() - began:.0f} s)", flush=True)
    if not asked.only:
        RESULTS.write_text(document(rows, asked.seconds, asked.n), encoding="utf-8")


if __name__ == "__main__":
    main()
