"""What holds for all tests."""

from __future__ import annotations

import os

# Exchanges are worked out anew: no test depends on what an earlier run left on disk.
os.environ["AFFRAY_CACHE"] = "off"
