"""Vectors that no shipped example carries hold as examples do."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.app.registry import system_named
from affray.testing import Law, Material, hold, laws
from tests import vectors

SYSTEMS = sorted(path.stem for path in Path(vectors.__file__).parent.glob("*.toml"))


@pytest.mark.parametrize("law", laws(("examples",)), ids=lambda law: law.name)
@pytest.mark.parametrize("system", SYSTEMS)
def test_law(system: str, law: Law) -> None:
    material = Material(system_named(system))
    vars(material)["examples"] = vectors.unshipped(system)
    held = hold(law, material)
    assert not held.faults, "\n".join(map(str, held.faults))


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_vector_states_something(system: str) -> None:
    for name, table in vectors.unshipped(system).items():
        assert table["vectors"], name
        assert table.keys() & {"expect", "odds"}, name
