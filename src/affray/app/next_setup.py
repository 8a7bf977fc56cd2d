"""The setup after an exchange: everything that lasts, as a table to go on from."""

from __future__ import annotations

from collections.abc import Mapping

from affray.app.inputs.intake import Raw
from affray.app.inputs.setups import Loaded, load_raw
from affray.core.errors import SetupError
from affray.core.lazy import NamedTuple
from affray.core.sheet import as_table
from affray.engine.exchange.session import Session

__all__ = ["Next", "next_setup", "next_sheet"]

KEPT = ("title", "notes")


class Next(NamedTuple):
    """The setup after an exchange.

    Attributes:
        table: a setup of the same system, with its rulings; choices are made anew.
        reopened: the choices that were settled before it and are open again: what is on offer next
            time may be something else.
        refused: why it can't be played as it stands: somebody is out, most often; "" if it can.
    """

    table: Raw
    reopened: Mapping[str, tuple[str, ...]]
    refused: str


def next_sheet(loaded: Loaded, session: Session) -> object:
    """The sheet of the setup after an exchange.

    Args:
        loaded: the setup that the exchange began from.
        session: the exchange, at its end.

    Raises:
        SetupError: it is not over; nothing can follow it; the system does not say what lasts.
    """
    system, outcome = session.game.system, session.outcome
    if outcome is None:
        raise SetupError(f"{loaded.origin}: the exchange is not over; play it to the end")
    if system.after is None:
        raise SetupError(f"{system.id} does not say what lasts after an exchange")
    trail = [*(entry.at.facts for entry in session.steps_taken), outcome]
    return system.after(loaded.setup, trail, loaded.readings)


def next_setup(loaded: Loaded, session: Session) -> Next:
    """The setup after an exchange, ready to be played, priced or kept; errors as `next_sheet`.

    >>> from affray.app.inputs.setups import load
    >>> loaded = load("grid-battles", "light-cavalry")
    >>> session = Session(loaded.game)
    >>> for face in ("d", "-", "dd", "s"):
    ...     session = session.answer((face,))
    >>> found = next_setup(loaded, session).table
    >>> found["attacker"]["health"], found["defender"]["health"]
    (2, 2)
    """
    system = session.game.system
    kept = {key: loaded.raw[key] for key in KEPT if loaded.raw.get(key)}
    made: Raw = {
        "system": system.id, **kept, **as_table(next_sheet(loaded, session)),
        **({"rulings": dict(picks)} if (picks := _picks(loaded)) else {}),
    }  # fmt: skip
    reopened = loaded.game.settled
    try:
        load_raw(system, made, "the next setup")
    except SetupError as error:
        return Next(made, reopened, str(error))
    return Next(made, reopened, "")


def _picks(loaded: Loaded) -> Raw:
    picks = loaded.raw.get("rulings")
    return dict(picks) if isinstance(picks, dict) else {}
