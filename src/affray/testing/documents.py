"""A system's account of itself: clauses, titles, schema, roster."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import is_dataclass

from affray.app.inputs.intake import InputError
from affray.app.inputs.setups import load_raw, roster, schema
from affray.core.errors import MissingError, SetupError
from affray.testing.cases import Case
from affray.testing.keys.sheets import hints_of, parts_of, sheets_of
from affray.testing.law import Law, law
from affray.testing.material import Material, ended

__all__ = ["LAWS"]

LEFT_OUT = ("in part", "not yet", "unknown in the source")
STATUSES = ("carried out", *LEFT_OUT, "note")
SENTENCE_ENDS = (".", "?")


def _the_system(material: Material) -> Iterator[Case]:
    yield Case("the system", material.system)


def _clauses(material: Material) -> Iterator[Case]:
    yield from (Case(f"clause {one.id}", one) for one in material.system.clauses.values())


@law("documents", "Write it in clauses.toml: where it stands, what it is about, its status.",
     over=_clauses)  # fmt: skip
def clauses_say_what_they_are_about(material: Material, clause: object) -> Iterator[str]:
    """Every clause says what it is about, and what became of it."""
    source, title, status = (getattr(clause, name) for name in ("source", "title", "status"))
    if not (source.strip() and title.strip()):
        yield "it doesn't say where it stands, or what it is about"
    if status not in STATUSES:
        yield f"its status is {status!r}; allowed: {', '.join(STATUSES)}"


@law("documents", "Say as the fourth text of its row in clauses.toml what is left out, and why.",
     over=_clauses)  # fmt: skip
def clauses_say_what_is_left_out(material: Material, clause: object) -> Iterator[str]:
    """A clause that is not carried out in full says what is left out, and no other does."""
    status, reason = (getattr(clause, name) for name in ("status", "reason"))
    if status in LEFT_OUT and not reason.strip():
        yield f"it is {status!r}, without a reason"
    if status not in LEFT_OUT and reason:
        yield f"it is {status!r}, yet it says that something is left out: {reason}"


def _steps(material: Material) -> Iterator[Case]:
    yield from (Case(f"step {step.name}", step) for step in material.system.steps)


@law("documents", "Make the first line of the step's docstring a sentence.", over=_steps)
def titles_of_steps_are_sentences(material: Material, step: object) -> Iterator[str]:
    """The title of a step is a sentence: players read it in the log."""
    title = getattr(step, "title", "")
    if not title.endswith(SENTENCE_ENDS):
        yield f"its title is {title!r}, which is no sentence"


def _answers_to(material: Material) -> Iterator[Case]:
    system = material.system
    yield from (Case(f"field {one.name}", one) for one in system.fields)
    yield from (Case(f"objective {one.name}", one) for one in system.objectives)


@law("documents", "Say in its title what it is; players choose by it.", over=_answers_to)
def fields_and_objectives_have_titles(material: Material, one: object) -> Iterator[str]:
    """Every outcome field and every objective says what it is."""
    if not str(getattr(one, "title", "")).strip():
        yield "it has no title"


@law("documents", "Write a setup with a name of its own into examples.toml: most laws look at "
     "examples.", over=_the_system)  # fmt: skip
def there_is_something_to_play(material: Material, _: object) -> Iterator[str]:
    """There is an example, or the setup has a usual value for every key."""
    if not material.examples:
        yield f"it ships no example, and a setup without keys is refused: {material.why_not_bare}"


@law("documents", "Add an example that comes to it, or take the step out.", over=_steps)
def every_step_is_met(material: Material, step: object) -> Iterator[str]:
    """Some example comes to each step; those of fights alone are met there."""
    system = material.system
    if step is not system.start and step not in system.reach[system.start]:
        return
    if system.fight is not None and step in system.fight.starts:
        return
    if material.by_step and step not in material.by_step:
        yield "no random play of any example comes to it"


@law("documents", "Types of a sheet must be such that JSON can write them.", over=_the_system)
def the_schema_is_json(material: Material, _: object) -> Iterator[str]:
    """The schema of a setup is JSON, names the common keys and allows no others."""
    made = json.loads(json.dumps(schema(material.system)))
    missing = {"choose", "rulings", "play", "title"} - set(made["properties"])
    if missing:
        yield f"the schema lacks {', '.join(sorted(missing))}"
    if made.get("additionalProperties") is not False:
        yield "the schema allows any key; a setup must be made by `sheet`, which refuses others"


# -- roster --------------------------------------------------------------------------------------


def _entries(material: Material) -> Iterator[Case]:
    for section, entries in roster(material.system).items():
        if not _takes_source(material, section):
            continue
        for name, entry in entries.items():
            yield Case(f"roster/{section}.toml: {name}", entry)


def _takes_source(material: Material, section: str) -> bool:
    """Whether entries of a section may say where they come from: a sheet can refuse the key."""
    keys = {key for key, named in material.system.roster_keys.items() if named == section}
    sheets = [
        part
        for sheet in sheets_of(material.system.setup)
        for name, hint in hints_of(sheet).items() if name in keys
        for part in parts_of(hint) if isinstance(part, type) and is_dataclass(part)
    ]  # fmt: skip
    return not sheets or any("source" in hints_of(sheet) for sheet in sheets)


@law("documents", "Say where its numbers come from: source = \"p. 12\", or \"invented\".",
     over=_entries)  # fmt: skip
def roster_entries_have_a_source(material: Material, entry: object) -> Iterator[str]:
    """Every roster entry says where it comes from, if its sheet has the key."""
    if not (isinstance(entry, dict) and entry.get("source")):
        yield "it has no source"


def _fighters(material: Material) -> Iterator[Case]:
    system = material.system
    section = system.roster_keys.get("attacker")
    if section is not None and section == system.roster_keys.get("defender"):
        names = list(roster(system).get(section, {}))
        yield from (Case(f"roster/{section}.toml: {name}", (name, names)) for name in names)


@law("documents", "Let the entry fit the sheet; what it can't do is refused by a SetupError.",
     over=_fighters)  # fmt: skip
def fighters_can_meet_every_fighter(
    material: Material, pairs: tuple[str, list[str]]
) -> Iterator[str]:
    """Every fighter of the roster can attack or be attacked; the rules say whom they refuse."""
    one, names = pairs
    met, why = 0, ""
    for other in names:
        for attacker, defender in ((one, other), (other, one)):
            raw = {"attacker": attacker, "defender": defender}
            try:
                ended(load_raw(material.system, raw, f"{attacker} against {defender}").game, 1)
                met += 1
            except (SetupError, InputError) as error:
                why = str(error)
            except MissingError:  # these two need a value that only the situation can tell
                met += 1
    if not met:
        yield f"nobody can attack it, nor it anybody: {why}"


LAWS: tuple[Law, ...] = (
    clauses_say_what_they_are_about,
    clauses_say_what_is_left_out,
    titles_of_steps_are_sentences,
    fields_and_objectives_have_titles,
    there_is_something_to_play,
    every_step_is_met,
    the_schema_is_json,
    roster_entries_have_a_source,
    fighters_can_meet_every_fighter,
)
