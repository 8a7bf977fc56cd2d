"""How many prompts a person at a terminal answers in whole fights, besides dice.

Both sides are typed, with own dice: every face, every decision. One person presses Enter wherever
that will do; another one says in a line what is to be otherwise, a third of the time.

    make bench-prompts                                  the table, written to benchmarks/prompts.md
    python -m benchmarks.prompts --only affinity        the fights of one system
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from affray.app.fight import Fight
from affray.app.turns import turn_of
from affray.cli.fight_settings import Settings
from affray.cli.fighting import FightTable
from affray.cli.person import Lines
from affray.core.errors import AnswerError
from affray.engine.exchange.sources import Script

RESULTS = Path(__file__).with_name("prompts.md")
CHANGES = 1 / 3
"""How often the second person says something."""
MOST_PROMPTS = 2_000


class Case(NamedTuple):
    """A fight of the benchmark.

    Attributes:
        system: whose rules. source: the fight.
        rounds: when it is called off.
        goal: prompts an exchange, besides dice.
        before: prompts an exchange, besides dice, when the review typed the fight.
    """

    system: str
    source: tuple[str, str]
    rounds: int
    goal: float
    before: float | None = None


CASES = (
    Case("eclipse-phase", ("jinx", "corp_guard"), 10, 3, 8.3),
    Case("eclipse-phase", ("jinx,ripper", "2xexhuman"), 6, 3),
    Case("empty-earth", ("ada,bo", "bulwark,shrieker"), 9, 3),
    Case("affinity", ("champion", "brass_sentry"), 6, 2),
    Case("affinity", ("fighter,healer", "2xorc_raider"), 6, 2),
)


class Typist(Lines):
    """A person who types; every line is counted by what it answers.

    Attributes:
        fight: the fight, as far as it has come.
    """

    def __init__(self, share: float, seed: int) -> None:
        super().__init__(tell=_silent)
        self.counted = Counter[str]()
        self.fight: Fight | None = None
        self._share = share
        self._chance = random.Random(seed)

    @property
    def looks(self) -> bool:
        """There is somebody, always."""
        return True

    def read(self, prompt: str, *, unseen: bool = False) -> str:  # noqa: ARG002
        """The next line: faces, Enter, or words for something else."""
        fight = self.fight
        assert fight is not None  # somebody is asked
        question = fight.asked
        assert question is not None  # the same
        if question.dice is not None:
            self.counted["dice"] += 1
            faces = (self._chance.choices(die.faces, die.weights)[0] for die in question.dice.dice)
            return " ".join(map(str, faces))
        self.counted["scene" if question.kind == "situation" else "decisions"] += 1
        if question.kind == "situation" or self._chance.random() >= self._share:
            return ""
        return self._something(fight)

    def _something(self, fight: Fight) -> str:
        """Words for one of the decisions of the turn, taken another way."""
        decided = self._chance.choice(turn_of(fight).decided)
        option = self._chance.choice(decided.names)
        try:
            turn_of(fight, option)
        except AnswerError:
            return ""
        return option


def _silent(text: str, *, end: str = "\n") -> None:
    """Nobody reads it."""


def counted(case: Case, share: float, seed: int) -> tuple[Counter[str], int]:
    """The prompts of a fight by kind, and how many exchanges it had."""
    seats = {"one": "typed", "other": "typed"}
    fight = Fight.begin(case.system, case.source).seated(seats)
    person = Typist(share, seed)
    table = FightTable(person, 80, Settings(Script(), seed))
    while fight.asked is not None and fight.session.moment.round <= case.rounds:
        person.fight = fight
        fight = table.answered(fight) or fight
        assert person.counted.total() < MOST_PROMPTS  # else it goes round in circles
    exchanges = sum(event.kind == "exchange" for event in fight.session.log)
    return person.counted, exchanges


def main() -> None:
    """Count, print and keep."""
    said = argparse.ArgumentParser(prog="python -m benchmarks.prompts", description=__doc__)
    said.add_argument("--seeds", type=int, default=3, help="fights of each kind")
    said.add_argument("--only", default="", help="the fights of one system; nothing is written")
    given = said.parse_args()
    rows = []
    for case in CASES:
        if given.only not in case.system:
            continue
        cells = []
        for share in (0.0, CHANGES):
            prompts, exchanges = Counter[str](), 0
            for seed in range(given.seeds):
                more, number = counted(case, share, seed)
                prompts, exchanges = prompts + more, exchanges + number
            cells.append(prompts["decisions"] / exchanges)
        scene = prompts["scene"] / given.seeds
        one, other = case.source
        before = f"{case.before:.1f}" if case.before else ""
        rows.append(
            f"| {case.system}: {one} against {other} | {exchanges / given.seeds:.0f} "
            f"| {cells[0]:.1f} | {cells[1]:.1f} | {case.goal:g} | {before} | {scene:.0f} "
            f"| {prompts['dice'] / exchanges:.1f} |"
        )  # fmt: skip
        print(rows[-1], flush=True)
    if not given.only:
        RESULTS.write_text(f"{TITLE}{HEAD}" + "\n".join(rows) + "\n")


TITLE = """\
# Prompts an exchange

`make bench-prompts`: whole fights typed at a terminal with own dice, both sides by people. Prompts
an exchange besides dice, for somebody who presses Enter wherever that will do, and for somebody who
says something else a third of the time; "before" is the same fight typed question by question. The
scene is asked once, before round 1. Means of a few fights: one that is over after two exchanges may
have all the questions.

"""
HEAD = """\
| fight | exchanges | Enter | a third changed | goal | before | of the scene | dice an exchange |
|---|---|---|---|---|---|---|---|
"""

if __name__ == "__main__":
    main()
