"""The seats at a table: who types dice, who decides, for each side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from affray.cli.arguments import pairs
from affray.core.lazy import NamedTuple
from affray.core.names import unknown

__all__ = [
    "ADVICE_S",
    "ALONE_S",
    "COMPUTER",
    "HASTE",
    "KINDS",
    "ROLLED",
    "TYPED",
    "Seat",
    "Seats",
    "seats_given",
]


ADVICE_S = 1.6
"""Seconds that advice takes, unless somebody allows more; with what can't be stopped in the middle
it is there within two."""


ALONE_S = 40.0
"""Seconds that all decisions of a game take where the computer plays alone and nobody said."""
HASTE = 12
"""A decision takes at most this part of what is left of them."""


class Seat(NamedTuple):
    """The one who answers for a side.

    Attributes:
        types: the person at the terminal types the faces; else the computer rolls.
        decides: the person decides; else the computer does.
        policy: how the computer decides in a fight; "": as the fight says.
    """

    types: bool = False
    decides: bool = True
    policy: str = ""

    @property
    def told(self) -> str:
        """As `--by` has it."""
        if self.decides:
            return "typed" if self.types else "rolled"
        return f"computer:{self.policy}" if self.policy else "computer"


TYPED, ROLLED, COMPUTER = Seat(types=True), Seat(), Seat(decides=False)
KINDS: Mapping[str, Seat] = {"typed": TYPED, "rolled": ROLLED, "computer": COMPUTER}
"""The seats by the names that `--by` gives them."""


class Seats(NamedTuple):
    """Everybody at a table.

    Attributes:
        by_role: the seats that were named.
        usual: the seat of everybody else.
        seed: the computer rolls with this seed; None: with the operating system's entropy.
        objective: what the computer decides for, and advice is given for; "": the first.
        seconds: how long advice may take.
        counts: whether the computer counts its looks instead, so that it decides the same again.
        hurries: whether a game that the computer plays alone is over within a minute.
        advises: whether advice is given at every choice, asked or not.
        scripted: dice were given, so the computer rolls no others for the usual seat.
        quiet: nobody is asked.
        long: whether every step is told, with its clauses.
    """

    by_role: Mapping[str, Seat] = {}
    usual: Seat = ROLLED
    seed: int | None = None
    objective: str = ""
    seconds: float = ADVICE_S
    counts: bool = False
    hurries: bool = False
    advises: bool = False
    scripted: bool = False
    quiet: bool = False
    long: bool = False

    def of(self, role: str) -> Seat:
        """The seat of somebody who has this role."""
        return self.by_role.get(role, self.usual)

    @property
    def everybody(self) -> tuple[Seat, ...]:
        """All different seats."""
        return (*self.by_role.values(), self.usual)


def seats_given(texts: Sequence[str], roles: Sequence[str]) -> dict[str, Seat]:
    """Seats from `--by attacker=typed`, by role.

    Args:
        texts: as they were given.
        roles: the roles that there are.

    Raises:
        UnknownNameError: another role, or another way to answer.
    """
    found = {}
    for role, kind in pairs("--by", texts).items():
        if role not in roles:
            raise unknown("side", role, roles)
        if kind not in KINDS:
            raise unknown("way to answer", kind, KINDS)
        found[role] = KINDS[kind]
    return found
