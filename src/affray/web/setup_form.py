"""The form of a setup: who, with what, how far, the situation, what was changed or looked for."""

from __future__ import annotations

from collections.abc import Container, Iterable

from affray.app.inputs.typed import as_typed
from affray.core.errors import AffrayError, Fault
from affray.core.lazy import NamedTuple
from affray.core.telling import plain_key
from affray.web.fields import AS_WRITTEN, NO, SIMPLE, YES, Field, matching
from affray.web.setups import Change, Setup
from affray.web.situation import Modifiers

__all__ = ["FieldShown", "FormShown", "Group", "faults_told", "form_shown"]

FIRST = "Who and what"
CHANGED = "Also changed"


class FieldShown(NamedTuple):
    """A field with what is wrong with it.

    Attributes:
        reset: the address that sets it back; "": it is not changed.
        makes: of a switch, the modifier that it makes.
    """

    field: Field
    faults: tuple[str, ...]
    reset: str
    was: str
    makes: str = ""


class Group(NamedTuple):
    """Fields that stand together; `open`: at once, else behind a switch."""

    id: str
    title: str
    fields: tuple[FieldShown, ...]
    open: bool
    changed: int


class FormShown(NamedTuple):
    """The form.

    Attributes:
        first: who and what. groups: the situation. more: what was changed or is wrong elsewhere.
        found: fields that a search found by their names, by groups. mentioning: those that have
            its words elsewhere. standing: found fields that the form has anyway.
        changes: every changed value. hidden: changes that no field of the form has.
        faults: what is wrong with no field, or with all of it.
        settled: decisions that are taken beforehand: title, option, the address without it.
        wrong: everything that is: title and id of the field, "" of none, and what.
    """

    first: Group
    groups: tuple[Group, ...]
    more: tuple[Group, ...]
    found: tuple[Group, ...]
    mentioning: tuple[Group, ...]
    standing: tuple[Field, ...]
    n_found: int
    changes: tuple[Change, ...]
    faults: tuple[str, ...]
    settled: tuple[tuple[str, str, str], ...]
    wrong: tuple[tuple[str, str, str], ...]


def form_shown(setup: Setup, error: AffrayError | None, modifiers: Modifiers) -> FormShown:
    """The form of a setup.

    Args:
        setup: the setup.
        error: why it can't be priced.
        modifiers: what values of the situation make, in words.
    """
    fields, wanted = setup.fields, setup.wanted
    faults, others = faults_told(setup, error)
    changes = {change.path: change for change in setup.changes}

    def shown(field: Field) -> FieldShown:
        change = changes.get(field.path)
        return FieldShown(
            _with_modifiers(_titled(setup, field), modifiers),
            tuple(faults.get(field.path, ())), change.reset if change else "",
            change.was if change else "", _makes(field, modifiers),
        )  # fmt: skip

    top = [field for field in fields.values() if not field.depth]
    first = [field for field in top if field.kind == "entry" or field.path.startswith("distance")]
    taken = {field.path for field in first}
    situation = [field for field in top if field.path not in taken and field.kind in SIMPLE]
    taken |= {field.path for field in situation}
    more = [
        field for path, field in fields.items()
        if path not in taken and (path in changes or path in faults)
    ]  # fmt: skip
    taken |= {field.path for field in more}
    named, mentioning = matching(fields, wanted.find)
    found = (*named, *mentioning)
    return FormShown(
        _group("who", FIRST, map(shown, first)),
        tuple(_groups("situation", map(shown, situation))),
        tuple(_groups("changed", map(shown, more), is_open=True)),
        tuple(_groups("found", map(shown, _not_in(taken, named)), is_open=True)),
        tuple(_groups("also-found", map(shown, _not_in(taken, mentioning)))),
        tuple(field for field in found if field.path in taken), len(found),
        tuple(changes.values()), tuple(others), _settled(setup),
        (
            *(
                (" ".join((fields[path].group, fields[path].title.lower())), f"f-{path}", told)
                for path, texts in faults.items()
                for told in texts
            ),
            *(("", "", told) for told in others),
        ),
    )  # fmt: skip


def _not_in(taken: Container[str], fields: Iterable[Field]) -> list[Field]:
    return [field for field in fields if field.path not in taken]


def _titled(setup: Setup, field: Field) -> Field:
    """A field whose first choice says what the setup has, and which offers own sheets."""
    if field.kind != "entry":
        return field
    held = setup.written(field.path)
    known = {choice.value: choice.words for choice in field.choices}
    before = setup.before.get(field.path)
    if isinstance(held, str):
        first = known.get(held, as_typed(held))
    elif held is None and before is not None and before.value is None:
        first = "not given"
    else:
        value = held if before is None else before.value
        name = value.get("name") if isinstance(value, dict) else None
        first = as_typed(name or "as in the setup")
        if held is not None:
            first = f"{first} (as here)"
    return field._replace(
        choices=tuple(
            choice._replace(words=first) if choice.value == AS_WRITTEN else choice
            for choice in field.choices
        )
    )


def _with_modifiers(field: Field, modifiers: Modifiers) -> Field:
    """A field whose choices say what they make."""
    if field.kind != "choice" or field.depth:
        return field
    return field._replace(
        choices=tuple(
            choice._replace(words=f"{choice.words} ({made})") if made else choice
            for choice in field.choices
            for made in [modifiers.get((field.path, choice.value), "")]
        )
    )


def _makes(field: Field, modifiers: Modifiers) -> str:
    """What a switch makes that is on, or what is lost without it."""
    if field.kind != "switch":
        return ""
    on, off = (modifiers.get((field.path, text), "") for text in (YES, NO))
    return on or (f"without it {off}" if off else "")


def _group(name: str, title: str, rows: Iterable[FieldShown], *, is_open: bool = True) -> Group:
    found = tuple(rows)
    changed = sum(bool(row.reset) for row in found)
    wrong = any(row.faults for row in found)
    return Group(f"g-{name}", title, found, is_open or wrong or bool(changed), changed)


def _groups(name: str, rows: Iterable[FieldShown], *, is_open: bool = False) -> list[Group]:
    """Fields by their groups, in the order of the sheets."""
    found: dict[str, list[FieldShown]] = {}
    for row in rows:
        found.setdefault(row.field.group, []).append(row)
    return [
        _group(
            f"{name}-{plain_key(title).replace(' ', '-')}".lower(), title, group, is_open=is_open
        )
        for title, group in found.items()
    ]


def faults_told(setup: Setup, error: AffrayError | None) -> tuple[dict[str, list[str]], list[str]]:
    """What is wrong beside its field, by path, and what is wrong with no single field."""
    if error is None:
        return {}, []
    beside: dict[str, list[str]] = {}
    others: list[str] = []
    for fault in error.faults:
        path = _field_at(setup, fault)
        if path:
            beside.setdefault(path, []).append(_fault_told(fault))
        else:
            others.append(_fault_told(fault))
    return beside, others


def _field_at(setup: Setup, fault: Fault) -> str:
    """The path of the field that a fault points at, or of the nearest one around it."""
    keys = [key.replace("~1", "/").replace("~0", "~") for key in fault.where.split("/")[1:]]
    for depth in range(len(keys), 0, -1):
        path = ".".join(keys[:depth])
        if path in setup.fields:
            return path
    return ""


def _fault_told(fault: Fault) -> str:
    allowed = (
        f"; allowed: {fault.allowed}" if fault.allowed and fault.allowed not in fault.what else ""
    )
    near = (
        f" Did you mean {fault.nearest}?"
        if fault.nearest and fault.nearest not in fault.what
        else ""
    )
    return f"{fault.what}{allowed}.{near}".replace("..", ".")


def _settled(setup: Setup) -> tuple[tuple[str, str, str], ...]:
    """The decisions that are taken beforehand."""
    held = setup.table.get("choose")
    if not isinstance(held, dict):
        return ()
    return tuple(
        (
            step_told(step), as_typed(options),
            setup.wanted.changed(f"choose.{step}", "").address,
        )
        for step, options in held.items()
    )  # fmt: skip


def step_told(step: str) -> str:
    """A step that decides something, in words.

    >>> step_told("choose_called_shot")
    'Called shot'
    """
    return plain_key(step.removeprefix("choose_")).capitalize()
