"""The assumed core check is named in whatever rests on it."""

from __future__ import annotations

from typing import Any

import pytest

from affray.core.ruling import Rulings
from affray.systems.emlia.gear import CoreCheck
from affray.systems.emlia.rulings import CHECK

from .factories import SYSTEM, setup


@pytest.mark.parametrize("reading", CHECK.options)
def test_em3_one_sentence_names_the_check_that_is_assumed(reading: Any) -> None:
    (told,) = SYSTEM.assumed(setup(), Rulings.pick(SYSTEM.rulings, {"check": reading}))
    assert f"assumes: {CHECK.options[reading]}" in told
    assert told.endswith("(EM-3).")


def test_em3_a_check_of_ones_own_is_not_assumed() -> None:
    own = setup(core_check=CoreCheck(name="d8", sides=8, base=5))
    assert SYSTEM.assumed(own, Rulings()) == ()
