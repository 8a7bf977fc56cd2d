"""The report of `affray check`, as a view."""

from __future__ import annotations

from collections.abc import Sequence

from affray.app.views.envelope import View
from affray.core.lazy import NamedTuple, dataclass
from affray.testing.running import Report

__all__ = ["CheckView", "FaultRow", "LawRow", "check_view"]


class FaultRow(NamedTuple):
    """Something that is wrong with a system.

    Attributes:
        law: the law that it breaks: suite and name.
        where: the step, example, fighter or file.
        what: the error. remedy: a way to mend it.
    """

    law: str
    where: str
    what: str
    remedy: str


class LawRow(NamedTuple):
    """One law: what it says, how many cases were looked at of how many, and how long it took.

    `cut` says why it stopped early, or is empty; `more` counts faults that are not listed.
    """

    suite: str
    law: str
    title: str
    checked: int
    cases: int
    faults: int
    more: int
    seconds: float
    cut: str


@dataclass(frozen=True)
class CheckView(View):
    """The result of holding a system to the laws.

    `passed`: nothing is wrong. `whole`: every law was looked at in every case. `left`: laws for
    which there was no time. `proposed`: hints that the examples bear out, as lines of a room's
    `hints.py`, if they were wanted.
    """

    schema = "affray/check"

    system: str
    passed: bool
    whole: bool
    laws: tuple[LawRow, ...]
    faults: tuple[FaultRow, ...]
    left: tuple[str, ...]
    proposed: tuple[str, ...] = ()


def check_view(report: Report, proposed: Sequence[str] = ()) -> CheckView:
    """A report as a view, with hints that are proposed."""
    rows = tuple(
        LawRow(
            held.law.suite, held.law.name, held.law.title, held.checked, held.cases,
            len(held.faults), held.more, round(held.seconds, 3), held.cut,
        )
        for held in report.held
    )  # fmt: skip
    faults = tuple(FaultRow(*fault) for fault in report.faults)
    whole = not report.left and not any(row.cut for row in rows)
    return CheckView(
        report.system, not faults, whole, rows, faults, tuple(str(law) for law in report.left),
        tuple(proposed),
    )  # fmt: skip
