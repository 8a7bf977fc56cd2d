"""The setup that a page of an exchange is asked about, with its fields and changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from affray.app.inputs.intake import Raw
from affray.app.inputs.paths import with_value
from affray.core.lazy import NamedTuple
from affray.core.telling import plain_key
from affray.web.fields import AS_WRITTEN, Choice, Field, fields_in, value_typed
from affray.web.filled_setups import OPENED, filled
from affray.web.forms import Said
from affray.web.wanted import ROLES, SHEET, Wanted

__all__ = ["Change", "Setup"]


class Change(NamedTuple):
    """A value that was changed: where, from what to what, and the address without it."""

    path: str
    title: str
    group: str
    was: str
    now: str
    reset: str


class Setup:
    """The setup that is asked about, with its fields.

    Args:
        wanted: what the address asks for.
        base: the table that it begins from. title: of that.
        sheets: own sheets that changes name, by id. own: all that can be chosen.
    """

    def __init__(
        self,
        wanted: Wanted,
        base: Raw,
        title: str,
        sheets: Mapping[str, Raw],
        own: tuple[Choice, ...] = (),
    ) -> None:
        self.wanted, self.base, self.title, self.sheets = wanted, base, title, sheets
        self.own = own

    @cached_property
    def _stages(self) -> tuple[Raw, Raw, tuple[tuple[str, str], ...]]:
        """The table with other entries, the same filled, and the changes left for it."""
        table: Raw = self.base
        left: list[tuple[str, str]] = []
        fields = fields_in(self.wanted.system, filled(self.wanted.system, self.base))
        for path, text in self.wanted.changes:
            field = fields.get(path)
            if field is not None and field.kind == "entry":
                table = self._put(table, table, path, self._entry(field, text))
            else:
                left.append((path, text))
        return table, filled(self.wanted.system, table), tuple(left)

    def name_of(self, actor: str) -> str:
        """The name of the one who has a role in it; where nobody is named so, the role."""
        held = _at(self._whole, [actor])
        name = held.get("name") if isinstance(held, dict) else held
        return str(name) if name else plain_key(actor)

    @cached_property
    def _whole(self) -> Raw:
        return filled(self.wanted.system, self.table)

    def written(self, path: str) -> object:
        """What the setup says at a path without changes: of the roster, names."""
        return _at(self.base, path.split("."))

    @property
    def called(self) -> str:
        """What it is called, with what was changed."""
        told = ", ".join(f"{change.title} {change.now}" for change in self.changes)
        return f"{self.title} ({told})" if told else self.title

    def _entry(self, field: Field, text: str) -> object:
        own = self.sheets.get(text.removeprefix(SHEET)) if text.startswith(SHEET) else None
        return own if own is not None else value_typed(field, text)

    @property
    def begun(self) -> Raw:
        """The table without changes, but for other entries of the roster."""
        return self._stages[0]

    @cached_property
    def before(self) -> dict[str, Field]:
        """The fields as they are without changes, but for other entries of the roster."""
        return fields_in(self.wanted.system, self._stages[1])

    @cached_property
    def table(self) -> Raw:
        """The setup with all changes, as one would write it."""
        table, whole, left = self._stages
        for path, text in left:
            table = self._with(table, whole, path, text)
        return table

    def _with(self, table: Raw, whole: Raw, path: str, text: str) -> Raw:
        top, _, name = path.partition(".")
        if top in OPENED and name:
            held = dict(table.get(top) or {})  # type: ignore[call-overload]  # a table, checked later
            held.pop(name, None)
            return {**table, top: {**held, name: text} if text else held}
        return self._put(table, whole, path, value_typed(self.before.get(path), text))

    def _put(self, table: Raw, whole: Raw, path: str, value: object) -> Raw:
        keys = path.split(".")
        for depth in range(1, len(keys)):
            part = keys[:depth]
            if _at(table, part) is None and _at(whole, part) is not None:
                # It comes from an entry of the roster, of which one value is changed.
                table = with_value(table, ".".join(part), _at(whole, part), "the address")
        return with_value(table, path, value, "the address")

    @cached_property
    def fields(self) -> dict[str, Field]:
        """The fields as they are now; what was typed stands in their texts."""
        found = fields_in(self.wanted.system, self._whole)
        typed = dict(self.wanted.changes)
        for role in ROLES:
            if role in found:
                field = found[role]
                found[role] = field._replace(choices=(*field.choices, *self.own))
        return {
            path: field._replace(text=typed[path]) if path in typed else field
            for path, field in found.items()
        }

    @property
    def changes(self) -> list[Change]:
        """Every changed value, with the address that sets it back."""
        rows = []
        for path, text in self.wanted.changes:
            field, before = self.fields.get(path), self.before.get(path)
            title, group = (field.title, field.group) if field else _named(path)
            was = "" if before is None or before.kind == "entry" else _worded(before, before.text)
            now = _worded(field, text) if field else (text or "left open")
            rows.append(
                Change(path, title, group, was, now, self.wanted.changed(path, None).address)
            )
        return rows

    def edited(self, said: Said) -> Wanted:
        """What is asked for once a form has been sent that showed this setup."""
        wanted = self.wanted
        for path in said.below("v."):
            text = said.text(f"v.{path}")  # of a switch the last one counts
            field, before = self.fields.get(path), self.before.get(path)
            if field is not None and text == field.text:
                continue
            is_as_written = before is not None and text == before.text
            if field is not None and field.kind == "entry":
                below = [row for row in wanted.changes if not row[0].startswith(f"{path}.")]
                wanted = wanted._replace(changes=tuple(below))
                is_as_written = text == AS_WRITTEN
            if not text and field is not None and field.kind == "number" and not field.opens:
                is_as_written = True
            wanted = wanted.changed(path, None if is_as_written else text)
        return wanted


def _named(path: str) -> tuple[str, str]:
    top, _, name = path.partition(".")
    return plain_key(name or top).capitalize(), {"choose": "Decisions", "rulings": "Rulings"}.get(
        top, ""
    )


def _worded(field: Field, text: str) -> str:
    words = {choice.value: choice.words for choice in field.choices}
    return f"{words.get(text, text)} {field.unit}".strip() or "nothing"


def _at(table: object, keys: Iterable[str]) -> object:
    for key in keys:
        if isinstance(table, dict):
            table = table.get(key)
        elif isinstance(table, list) and key.isdecimal() and int(key[:10]) < len(table):
            table = table[int(key)]
        else:
            return None
    return table
