"""Playthroughs as text that a person can read.

Every example of `examples.toml` is played: by its own script, or with dice and choices of a seed
where it has none. One file holds one family of examples: a section of `examples.toml`, under the
same heading. At its head stand the steps that its examples come to, with clauses and titles.
Then, at the margin:

    ## jinx-shoots (script): Jinx fires ...    an example, how it is played, its title
    declare_attack, settle_numbers             steps that ask nothing and tell nothing
    choose_fire attacker: what is it for?      a step, the actor who is asked, the question
    roll_damage attacker: damage; 2d10: 3 9    the same for dice, with the faces that came
    apply_damage: over                         the last step
    waits defender: damage; 2d10               a script ends too early here
    refused: ...                               the rules refuse the example, with this message

and indented below a step:

    about weapon laser; needed 70              what the actor looks at
    1 hit: +10 to hit                          an option on offer: its number, name and words;
    2 damage* $1 =most: +1d10 DV               `*`: taken, `$1`: it spends a point, `=`: another
                                               name of it
    settled hit, of hit "+10 to hit" | ...     a choice made beforehand, and all that was on offer;
                                               `only hit` if nothing else was
    closed aim, brace: it has no sight         options that the book knows, and why not here
    > Damage 3 + 8 = 11.                       what the log tells: sentences and itemised totals

An example ends with its picture, if the system draws one, and its outcome: first the fields that
are told to players, then the others by their value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from affray.app.inputs.setups import Loaded, examples
from affray.app.registry import system_named
from affray.core.errors import AnswerError, SetupError
from affray.core.modifier import Total
from affray.core.node import Chance, Choice, Facts, Option
from affray.engine.exchange.explain import told_fields
from affray.engine.exchange.session import Session, StepTaken
from affray.engine.exchange.sources import Script, drive
from tests.scenarios import EXAMPLES, SHIPPED, ended, example

__all__ = ["FAMILIES", "families", "file_of", "playthrough", "written"]

SEED = 0
_HEADING = re.compile(r"# -- (?P<family>.+?) -+|\[(?P<example>[^.\]]+)\]")


# -- families ------------------------------------------------------------------------------------


@cache
def families(system: str) -> dict[str, tuple[str, ...]]:
    """The sections of a system's examples, each with the names of its examples."""
    found: dict[str, list[str]] = {}
    family = "examples"
    text = (system_named(system).folder / "examples.toml").read_text(encoding="utf-8")
    for line in text.splitlines():
        match = _HEADING.fullmatch(line)
        if match is None:
            continue
        if match["family"]:
            family = match["family"]
        else:
            found.setdefault(family, []).append(match["example"].strip('"'))
    held = [name for names in found.values() for name in names]
    assert sorted(held) == sorted(name for one, name in EXAMPLES if one == system)
    return {family: tuple(names) for family, names in found.items()}


FAMILIES = [(system, family) for system in SHIPPED for family in families(system)]


def file_of(system: str, family: str) -> str:
    """The file of a family, from the folder of all."""
    return f"{system}/{re.sub('[^a-z0-9]+', '-', family.lower()).strip('-')}.txt"


@cache
def written(system: str, family: str) -> str:
    """The whole file of a family."""
    parts = {name: playthrough(system, name) for name in families(system)[family]}
    met = {name for part in parts.values() for name in part.steps}
    steps = [step for step in system_named(system).steps if step.name in met]
    head = [f"# {family[0].upper()}{family[1:]} ({system})", "#"]
    head += [f"# {step.name} ({', '.join(step.clauses)}): {step.title}" for step in steps]
    return "\n".join(head) + "\n" + "".join(f"\n{part.text}" for part in parts.values())


# -- one example ---------------------------------------------------------------------------------


class Played(NamedTuple):
    """A played example: its text, and the steps that it came to."""

    text: str
    steps: frozenset[str]


@cache
def playthrough(system: str, name: str) -> Played:
    """One played example as text."""
    how, session = "", None
    try:
        loaded = example(system, name)
        scripted = bool(loaded.dice or loaded.options)
        how = " (script)" if scripted else f" (seed {SEED})"
        session = _scripted(loaded) if scripted else ended(loaded.game, SEED)
        lines = list(_lines(session))
    except (AnswerError, SetupError) as refused:
        lines = [f"refused: {refused}"]
    head = f"## {name}{how}: {examples(system_named(system))[name].get('title', '')}"
    text = "".join(f"{line.rstrip()}\n" for line in (head, *lines))
    return Played(text, frozenset(_steps(session)) if session else frozenset())


def _scripted(loaded: Loaded) -> Session:
    script = Script(loaded.dice, loaded.options)
    session = drive(Session(loaded.game), script)
    assert not script.faces, f"faces left over: {script.faces}"
    assert not script.choices, f"choices left over: {script.choices}"
    return session


def _steps(session: Session) -> Iterator[str]:
    yield from (entry.at.step.name for entry in session.steps_taken)
    yield session.here.step.name


def _lines(session: Session) -> Iterator[str]:
    silent: list[str] = []
    for entry in session.steps_taken:
        below = list(_below(session, entry))
        asked = _asked(entry)
        if not (below or asked):
            silent.append(entry.at.step.name)
            continue
        if silent:
            yield ", ".join(silent)
            silent = []
        yield entry.at.step.name + asked
        yield from (f"    {line}" for line in below)
    here = ", ".join([*silent, session.here.step.name])
    question = session.question
    if question is not None:
        wanted = question.dice or " | ".join(option.name for option in question.options)
        yield here
        yield f"waits {question.actor}: {question.ask}; {wanted}"
        return
    yield f"{here}: over"
    yield from (f"    | {line}" for line in session.picture.splitlines())
    yield from _outcome(session)


def _asked(entry: StepTaken) -> str:
    """Who is asked what; the dice and the faces that came."""
    node, answer = entry.node, entry.answer
    if isinstance(node, Chance) and answer is not None:
        faces = " ".join(map(str, answer.faces))
        return f" {node.actor}: {node.ask}; {node.dice}: {faces}"
    return f" {node.actor}: {node.ask}" if isinstance(node, Choice) else ""


def _below(session: Session, entry: StepTaken) -> Iterator[str]:
    """What stands below a step: options, and what is told."""
    if isinstance(entry.node, Choice):
        yield from _options(session, entry, entry.node)
    faces = entry.answer.faces if entry.answer else ()
    for part in entry.at.step.told(entry.at.facts, entry.after.facts, faces):
        text = _total(part) if isinstance(part, Total) else part
        yield from (f"> {line}" for line in text.splitlines())


def _options(session: Session, entry: StepTaken, node: Choice[Facts]) -> Iterator[str]:
    taken = entry.answer.option if entry.answer else ""
    if node.about:
        yield f"about {'; '.join(f'{label} {value}' for label, value in node.about)}"
    if entry.asked:
        for number, option in enumerate(node.options, start=1):
            words = f": {option.words}" if option.words else ""
            yield f"{number} {_option(option, '*' if option.name == taken else '')}{words}"
    else:
        offered = [_option(option) + (f' "{option.words}"' if option.words else "")
                   for option in node.options]  # fmt: skip
        settled = entry.at.step.name in session.game.settled
        yield (f"settled {taken}, of " if settled else "only ") + " | ".join(offered)
    closed: dict[str, list[str]] = {}
    for name, reason in node.closed:
        closed.setdefault(reason, []).append(name)
    yield from (f"closed {', '.join(names)}: {reason}" for reason, names in closed.items())


def _option(option: Option[Facts], mark: str = "") -> str:
    spends = f" ${option.spends}" if option.spends else ""
    return f"{option.name}{mark}{spends}" + "".join(f" ={name}" for name in option.also)


def _total(total: Total) -> str:
    limit = f", limit {total.cap}" if total.cap and total.terms else ""
    return f"{'; '.join(total.lines())} = {total.value}{limit}"


def _outcome(session: Session) -> Iterator[str]:
    final = session.outcome
    assert final is not None
    values = {field.name: _value(field.of(final)) for field in session.game.system.fields}
    yield f"outcome {'; '.join(f'{name} {values.pop(name)}' for name in told_fields(session))}"
    others: dict[str, list[str]] = {}
    for name, value in values.items():
        others.setdefault(value, []).append(name)
    parts = [f"{value}: {', '.join(names)}" for value, names in others.items()]
    yield f"    and {'; '.join(parts)}"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if value or value == 0 else repr(value)
