"""What a page of an exchange is asked: all of it stands in its address.

An address names where the setup comes from, then only what was changed. A form sends all its fields
and, as `was`, the address that it showed; what differs from that has been edited.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from json import dumps, loads
from urllib.parse import urlencode

from fastapi import Request

from affray.api.access import check_owner
from affray.api.state import service_of
from affray.app import lookups
from affray.app.inputs.checking import validated
from affray.app.inputs.fight_fighters import entries_of
from affray.app.inputs.intake import InputError, Raw
from affray.app.inputs.paths import with_value
from affray.app.inputs.rosters import Filling, roster_for
from affray.app.inputs.setups import load_raw
from affray.app.registry import system_named
from affray.core.errors import AffrayError, UnknownNameError
from affray.core.lazy import NamedTuple
from affray.core.telling import plain_key
from affray.web.fields import AS_WRITTEN, Choice, Field, fields_in, value_typed
from affray.web.forms import Said, fields_of
from affray.web.packing import unpacked

__all__ = ["Change", "Setup", "Wanted", "document_here", "setup_of", "two_fighters", "wanted_in"]

MOST_PINS = 3
SHEET = "sheet:"
"""Before the id of an own sheet, where the name of an entry of the roster can stand."""
OPENED = ("choose", "rulings")
"""Keys of a setup that hold decisions and readings, by name."""
ORIGIN = ("case", "setup", "packed", "attacker", "defender")
ROLES = ("attacker", "defender")
SHOWS = ("exactly", "at_least", "at_most")


class Wanted(NamedTuple):
    """What an address asks for.

    Attributes:
        case, setup, packed: where the setup comes from; else the roster's `attacker`, `defender`.
        changes: path and text of each changed value.
        of: outcome fields. given: conditions. objective: what open choices are decided for.
        show: which chances the bars show. turned: whether values stand side by side.
        find: words that a field is searched by. pins: addresses of other results.
        table: id of the table of people at which it will be rolled; "": at none.
    """

    system: str
    case: str = ""
    setup: str = ""
    packed: str = ""
    attacker: str = ""
    defender: str = ""
    changes: tuple[tuple[str, str], ...] = ()
    of: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    objective: str = ""
    show: str = "exactly"
    turned: bool = False
    find: str = ""
    pins: tuple[str, ...] = ()
    table: str = ""

    @property
    def origin(self) -> tuple[str, ...]:
        """Where the setup comes from, whatever was changed since."""
        return (self.system, *(str(getattr(self, name)) for name in ORIGIN))

    @property
    def asks(self) -> list[tuple[str, str]]:
        """The setup and what is asked of it, without how it is shown."""
        pairs = [(name, str(getattr(self, name))) for name in ORIGIN]
        pairs += [("set", f"{path}={text}") for path, text in self.changes]
        pairs += [("of", name) for name in self.of] + [("given", text) for text in self.given]
        pairs.append(("objective", self.objective))
        return [(name, value) for name, value in pairs if value]

    @property
    def query(self) -> str:
        """All of it, for an address."""
        shows = [("show", self.show)] if self.show != "exactly" else []
        shows += [("turned", "yes")] if self.turned else []
        shows += [("find", self.find)] if self.find else []
        shows += [("table", self.table)] if self.table else []
        return urlencode([*self.asks, *shows, *(("pin", pin) for pin in self.pins)], safe="=:,/")

    @property
    def address(self) -> str:
        """The address of the page."""
        return self.at("")

    def at(self, export: str) -> str:
        """The address of the page, or of an export of it."""
        path = f"/price/{self.system}" + (f"/{export}" if export else "")
        return f"{path}?{self.query}" if self.query else path

    @property
    def what_if(self) -> str:
        """The address of the form that varies a number of it."""
        return f"/study/{self.system}?of=sweep&{self.alone}"

    @property
    def readings(self) -> str:
        """The address that tells what other readings of the book change in it."""
        return f"/rules/{self.system}?of=rulings&{self.alone}"

    @property
    def alone(self) -> str:
        """The query of the setup alone: for a pin."""
        kept = [pair for pair in self.asks if pair[0] not in {"of", "given"}]
        return urlencode(kept, safe="=:,/")

    @property
    def pinned(self) -> Wanted | None:
        """The same with its result pinned; None: as many as there can be are."""
        if len(self.pins) >= MOST_PINS or self.alone in self.pins:
            return None
        return self._replace(pins=(*self.pins, self.alone))

    @property
    def patient(self) -> str:
        """The address at which more time is taken for an answer."""
        return self.address + ("&" if "?" in self.address else "?") + "patience=yes"

    def without_pin(self, pin: str) -> Wanted:
        """The same without a pinned result."""
        return self._replace(pins=tuple(one for one in self.pins if one != pin))

    def without_given(self, text: str) -> Wanted:
        """The same without a condition."""
        return self._replace(given=tuple(one for one in self.given if one != text))

    def with_objective(self, name: str) -> Wanted:
        """The same for another objective."""
        return self._replace(objective=name)

    def changed(self, path: str, text: str | None) -> Wanted:
        """The same with another value; None: as the setup has it."""
        left = [row for row in self.changes if row[0] != path]
        return self._replace(changes=(*left, (path, text)) if text is not None else tuple(left))


def wanted_in(system: str, said: Said) -> Wanted:
    """What the fields of an address ask for."""
    changes: dict[str, str] = {}
    for text in said.texts("set"):
        path, equal, value = text.partition("=")
        if not equal:
            raise InputError(f"set={text}: write it like set=attacker.armor=2")
        changes[path.strip().strip("/").replace("/", ".")] = value
    show = said.text("show", "exactly")
    return Wanted(
        system, said.text("case"), said.text("setup"), said.text("packed"), said.text("attacker"),
        said.text("defender"), tuple(changes.items()), tuple(dict.fromkeys(said.texts("of"))),
        tuple(dict.fromkeys(said.texts("given"))), said.text("objective"),
        show if show in SHOWS else "exactly", said.text("turned") == "yes", said.text("find"),
        tuple(dict.fromkeys(said.texts("pin")))[:MOST_PINS], said.text("table"),
    )  # fmt: skip


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


def filled(system: str, table: Raw) -> Raw:
    """A setup with the entries of the roster in place of their names, as far as it has them."""
    return loads(_filled(system, dumps(table)))  # type: ignore[no-any-return]  # a table


@lru_cache(maxsize=512)
def _filled(system: str, written: str) -> str:
    table = loads(written)
    try:
        found = load_raw(system_named(system), table, "setup").raw
    except AffrayError:
        found = _names_filled(system, table)
    return dumps({**table, **{key: found[key] for key in found if key not in {*OPENED}}})


def _names_filled(system: str, table: Raw) -> Raw:
    """The same where something else of it is wrong: each name that the roster knows."""
    named = system_named(system)
    found = dict(table)
    for key, value in table.items():
        if key in named.roster_keys and isinstance(value, (str, dict)):
            try:
                found[key] = Filling(roster_for(named, {}, ""), "setup").entry(key, value, (key,))
            except AffrayError:
                continue
    return found


def setup_of(request: Request, wanted: Wanted) -> Setup:
    """The setup that an address asks about.

    Raises:
        UnknownNameError: a case, a fighter or a document that nobody knows.
    """
    sheets = {
        text.removeprefix(SHEET): document_here(request, wanted.system, text.removeprefix(SHEET))[1]
        for _path, text in wanted.changes
        if text.startswith(SHEET)
    }
    own = _own_sheets(request, wanted.system)
    if wanted.case:
        shown = lookups.show_example(wanted.system, wanted.case)
        return Setup(wanted, shown.table, shown.example.title or wanted.case, sheets, own)
    if wanted.setup:
        name, table = document_here(request, wanted.system, wanted.setup)
        return Setup(wanted, table, name, sheets, own)
    if wanted.packed:
        table = unpacked(wanted.packed, wanted.system)
        return Setup(wanted, table, str(table.get("title") or "A setup that was sent"), sheets, own)
    return Setup(wanted, *two_fighters(wanted), sheets, own)


def two_fighters(wanted: Wanted, own: Raw | None = None) -> tuple[Raw, str]:
    """Two fighters of the roster, or own ones, with what a fight assumes of the situation."""
    system = system_named(wanted.system)
    roster = roster_for(system, {}, "")
    known = entries_of(roster)
    names = list(known)
    attacker = wanted.attacker or names[0]
    others = [name for name in names if name != attacker] or names
    table: Raw = {"attacker": attacker, "defender": wanted.defender or others[0], **(own or {})}
    called = [str(known.get(str(table[role]), {}).get("name") or table[role]) for role in ROLES]
    try:
        setup = validated(system.setup, Filling(roster, "setup").table(table), "setup")
        assumed = dict(system.fight.assumes(setup)) if system.fight is not None else {}
    except AffrayError:
        assumed = {}  # what is wrong is told beside the fields
    return {**table, **assumed}, " attacks ".join(called)


def _own_sheets(request: Request, system: str) -> tuple[Choice, ...]:
    """The fighters that are saved here, for those who may see them."""
    try:
        check_owner(request)
    except AffrayError:
        return ()
    kept = service_of(request).store.documents.listed("sheet", system=system)
    return tuple(Choice(f"{SHEET}{row.id}", f"{row.name} (own)") for row in kept)


def document_here(request: Request, system: str, document: str) -> tuple[str, Raw]:
    """A document that is saved here: its name, and what it holds.

    Raises:
        UnknownNameError: it is for another system.
        NotKeptError: there is none.
    """
    found = service_of(request).store.documents.document(document)
    if found.row.system != system:
        raise UnknownNameError(f"this document is for {found.row.system}")
    return found.row.name, found.content


def showed(said: Said, system: str) -> Wanted:
    """What the address asked for that a form showed."""
    return wanted_in(system, fields_of(said.text("was")))
