"""What both sides want in a duel that they decide optimally, and when they change their minds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from affray.engine.fight.course import VERDICT_OF

__all__ = ["CALLED_OFF", "CERTAIN", "GAIN", "MOST_TURNS", "TOGETHER", "WORTH_OF"]

GAIN = 1e-13
"""The least gain for which a pick is changed."""
CERTAIN = 1e-9
"""A probability is called one if it is no further from it."""
CALLED_OFF = (1e-2, 1e-4, 1e-6)
"""Chances that an exchange is the last, one after the other, while endless fights are improved."""
MOST_TURNS = 200
"""Rounds of improvement after which the solver gives up."""
TOGETHER = 6
"""Rounds in which both sides improve at once; after them they take turns."""
WORTH_OF: NDArray[np.float64] = np.array(
    [{"one": 0.5, "other": -0.5}.get(str(verdict), 0.0) for verdict in VERDICT_OF]
)
"""The worth of a verdict, by its number."""
