"""Advice at a choice as a few lines, for whoever is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.cli.terminal import number

if TYPE_CHECKING:
    from affray.app.advice import Advice

__all__ = ["advice_told"]


def advice_told(advice: Advice) -> str:
    """Each option with its value, which is best, and what the others cost."""
    head = f"  {advice.meaning} ({advice.objective}); {advice.wants} is better; {advice.how}"
    names = [f"{place} {row.name}" for place, row in enumerate(advice.options, start=1)]
    wide = max(map(len, names))
    lines = [head]
    for name, row in zip(names, advice.options, strict=True):
        costs = f"costs {number(row.cost)}" if row.cost else "as good"
        judged = "best" if row.name == advice.best else costs
        lines.append(f"  {name:{wide}}  {number(row.value):>7}  {judged}")
    return "\n".join(lines)
