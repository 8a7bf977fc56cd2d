"""The released schemas of the store, and the way from each to the next.

To change the schema: change `tables.py`, add `versions/schema_N.py` and its number to `RELEASES`,
and rows for it to `tests/store/released.py`.
"""

RELEASES = ("1",)
"""The released schemas, the oldest first."""
