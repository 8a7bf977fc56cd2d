"""Questions of fights: whatever they print can be typed, in every system."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import product

import pytest

from affray.app.exchange_computers import computer_rolls
from affray.app.fight import Fight
from affray.app.inputs.fight_fighters import fighters_of
from affray.app.registry import system_named
from affray.app.sources import Table
from affray.app.turns import turn_of
from affray.cli.fight_commands import COMMANDS
from affray.cli.fighting import typed_for
from affray.cli.person import Command, Lines, Person
from affray.core.errors import AffrayError
from affray.core.fight import Fight as Fighting
from affray.engine.fight.played.matters import NO_MORE

SYSTEMS = ("affinity", "eclipse-phase", "emlia", "empty-earth", "grid-battles")


def keys_of(system: str) -> list[tuple[str, str]]:
    fight = system_named(system).fight
    assert isinstance(fight, Fighting)
    return [(system, matter.key) for matter in fight.matters]


def at_question(system: str, key: str) -> Fight:
    """A fight at the question about a key: of the first two in the roster who are asked it."""
    able, idle = fighters_of(system_named(system))
    for one, other in product(able, (*able, *idle)):
        raw = {"one": {"fighters": [one]}, "other": {"fighters": [other]}, "first": "one"}
        with suppress(AffrayError):  # these two can't meet
            fight = Fight.begin(system, Table(raw, "test"))
            waiting = [fight]
            while waiting:
                fight = waiting.pop(0)
                question = fight.asked
                if question is None or question.kind not in {"deed", "situation"}:
                    continue
                if question.key == key:
                    return fight
                if len(fight.moves) < 5:
                    names = [option.name for option in question.options]
                    if len(fight.moves) > 1:
                        names = names[:1]
                    waiting += [fight.answer(name) for name in names if name != NO_MORE]
    raise AssertionError(f"nobody is asked about {key}")


class Terminal(Lines):
    """Somebody who types one line, and what they are shown."""

    def __init__(self, text: str = "") -> None:
        self.text, self.shown = text, list[str]()
        super().__init__(tell=self.show)

    def show(self, text: str, *, end: str = "\n") -> None:
        self.shown.append(text)

    def read(self, prompt: str, *, unseen: bool = False) -> str:
        return self.text


def typed(fight: Fight, text: str) -> str | Command:
    """What is made of a line at the open question."""
    question = fight.asked
    assert question is not None
    return Person(computer_rolls(1), Terminal(text), COMMANDS).situation(question, "it")


def printed(fight: Fight) -> dict[str, str]:
    """What stands at the beginning of every line of options, and the option of that line."""
    question, terminal = fight.asked, Terminal()
    assert question is not None
    Person(computer_rolls(1), terminal, COMMANDS).tell_choice("", question)
    found: dict[str, str] = {}
    for line, option in zip(terminal.shown[1:], question.options, strict=False):  # then closed ones
        match = re.fullmatch(rf"  (?:(\d+) )?({re.escape(option.name)})(?:  .*)?", line)
        assert match is not None, line
        found |= {label: option.name for label in match.groups() if label}
    return found


@pytest.mark.filterwarnings("ignore::affray.core.telling.AffrayWarning")
@pytest.mark.parametrize(("system", "key"), [row for name in SYSTEMS for row in keys_of(name)])
def test_everything_printed_can_be_typed(system: str, key: str) -> None:
    fight = at_question(system, key)
    question = fight.asked
    assert question is not None
    assert question.key == key
    for label, name in printed(fight).items():
        for text in (label, f"{label} all", f"{label},all"):
            if text != label and "all" not in question.takes:
                continue
            reply = typed(fight, text)
            assert isinstance(reply, str), f"{text} is taken for a command"
            assert reply == (name if text == label or name == NO_MORE else f"{name} all")
            why = fight.answer(reply).view().events[0].why
            assert name in why or name == NO_MORE
            assert "_" not in why.replace(name, ""), "what people read has no names of fields"
    assert typed(fight, "") == question.options[0].name
    assert typed(fight, "stop") == "stop"
    assert fight.answer("stop").moves, "short for stop asking"
    again = fight.hand("ask", key="all").asked
    assert again is not None
    assert (again.kind, again.about) == ("situation", question.about), "the deed stays chosen"
    assert typed(fight, "ask") == Command("ask")


def test_the_prompt_names_what_is_typed() -> None:
    for system, key, prompt in (
        ("eclipse-phase", "distance_m", "meters"), ("eclipse-phase", "cover", "cover"),
        ("empty-earth", "line_of_sight", "line of sight"), ("emlia", "distance", "units of length"),
    ):  # fmt: skip
        question = at_question(system, key).asked
        assert question is not None
        assert typed_for(question) == prompt


# -- every other kind of question ------------------------------------------------------------------

WALKED = (
    ("affinity", "raid"), ("affinity", "lair"), ("eclipse-phase", "warehouse"),
    ("eclipse-phase", "shot-on-the-run"), ("emlia", "skirmish"), ("emlia", "ford-meadow"),
    ("empty-earth", "brockton"), ("empty-earth", "on-the-farm"), ("grid-battles", "siege"),
    ("grid-battles", "ford"),
)  # fmt: skip
QUESTIONS = 60
"""Questions of a fight whose printed options are typed, each kind and step once."""


def kinds_met(system: str, name: str) -> Iterator[Fight]:
    """A fight at each question of another kind or step, with first or last options in turn."""
    fight, met = Fight.begin(system, name), set[tuple[str, str, str]]()
    dice = computer_rolls(1)
    for number in range(QUESTIONS):
        question = fight.asked
        if question is None:
            return
        if question.dice is not None:
            roll = fight.rolling
            assert roll is not None
            fight = fight.answer(roll.thrown(dice).answer)
            continue
        kind = question.kind, question.step, question.key
        if kind not in met:
            met.add(kind)
            yield fight
        names = [option.name for option in question.options]
        order = names if number % 3 else names[::-1]
        for option in order:
            with suppress(AffrayError):  # what the rules refuse later on
                fight = fight.answer(option)
                break


@pytest.mark.filterwarnings("ignore::affray.core.telling.AffrayWarning")
@pytest.mark.parametrize(("system", "name"), WALKED)
def test_every_printed_option_of_every_kind_of_question_can_be_typed(
    system: str, name: str
) -> None:
    """Numbers and names, in capitals and with hyphens too, at a decision and in a turn's line."""
    kinds = set()
    for fight in kinds_met(system, name):
        question = fight.asked
        assert question is not None
        kinds.add(question.kind)
        if question.kind == "situation":
            continue  # see above
        for label, option in printed(fight).items():
            for text in (label, label.upper(), label.replace(" ", "-"), f"{label} "):
                turn = turn_of(fight, text, fills=False)
                assert turn.decided[0].option == option, f"{question.ask}: {text}"
    assert kinds & {"deed", "exchange"}
