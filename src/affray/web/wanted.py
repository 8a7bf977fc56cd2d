"""What a page of an exchange is asked: all of it stands in its address.

An address names where the setup comes from, then only what was changed. A form sends all its fields
and, as `was`, the address that it showed; what differs from that has been edited.
"""

from __future__ import annotations

from urllib.parse import urlencode

from affray.app.inputs.intake import InputError
from affray.core.lazy import NamedTuple
from affray.web.forms import Said, fields_of

__all__ = ["ROLES", "SHEET", "SHOWS", "Wanted", "showed", "wanted_in"]

MOST_PINS = 3
SHEET = "sheet:"
"""Before the id of an own sheet, where the name of an entry of the roster can stand."""
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


def showed(said: Said, system: str) -> Wanted:
    """What the address asked for that a form showed."""
    return wanted_in(system, fields_of(said.text("was")))
