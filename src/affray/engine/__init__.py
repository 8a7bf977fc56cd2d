"""Engines for any rules: play them, price them, solve them, explain a result."""

from affray.core.unknown import merges_places

merges_places(f"{__name__}.")
