"""Every vector is an example; `tests/conformance` plays examples and counts their odds."""

import pytest

from affray.app.inputs.setups import examples

from .factory import SYSTEM

WORKED = {
    "AFS-1", "AFS-2", "AFS-3", "AFS-4", "AFS-5", "AFS-1s", "AFS-2s", "AFV-1", "AFV-2", "AFV-4",
    "AFV-5", "AFV-7", "AFV-8", "AFV-10", "AFV-11", "AFV-13", "AFV-14", "AFV-16", "AFV-17",
    "AFV-19", "AFV-20", "AFV-22", "AFV-23", "AFV-25", "AFV-26", "AFV-28", "AFV-31", "AFV-32",
}  # fmt: skip
COUNTED = {
    "AFO-1", "AFO-2", "AFO-4", "AFO-5", "AFO-7", "AFO-7e", "AFO-8", "AFO-8e", "AFO-10",
    "AFO-10p", "AFO-10v", "AFO-11", "AFO-11b", "AFO-12", "AFO-13", "AFO-13r", "AFO-13v", "AFO-14",
}  # fmt: skip


@pytest.mark.parametrize("vector", sorted(WORKED | COUNTED))
def test_every_vector_is_an_example(vector: str) -> None:
    tables = [
        table
        for table in examples(SYSTEM).values()
        if vector in list(table.get("vectors", []))  # type: ignore[call-overload]  # a list
    ]
    assert tables
    assert all(("odds" if vector in COUNTED else "expect") in table for table in tables)
