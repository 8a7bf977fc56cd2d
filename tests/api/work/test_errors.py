"""Errors that come from a worker: they arrive as what they were, with all of their faults."""

from __future__ import annotations

import pytest

from affray.api.work.errors import again, as_data
from affray.app.inputs.intake import InputError
from affray.app.inputs.setups import load


def test_faults_arrive_as_they_were() -> None:
    with pytest.raises(InputError) as refused:
        load("affinity", {"attacker": "figther", "nonsense": [1]})
    arrived = again(as_data(refused.value))
    assert type(arrived) is InputError
    assert (str(arrived), arrived.code) == (str(refused.value), "input")
    assert {fault.where for fault in arrived.faults} == {"/attacker", "/nonsense", "/defender"}
    assert arrived.faults == refused.value.faults
