"""Every test starts without kernels from another one."""

import pytest

from affray.engine.exchange.keeping import forget_kernels


@pytest.fixture(autouse=True)
def _no_kernels() -> None:
    forget_kernels()
