"""The seal of a saved file: a digest of all that stands in it.

It tells that somebody changed a file by hand, were it one face that leaves everything else alike.
It is no lock: whoever wants to can work it out anew.

>>> kept = sealed({"answers": [{"faces": [2]}]})
>>> is_broken(kept), is_broken({**kept, "answers": [{"faces": [3]}]}), is_broken({"answers": []})
(False, True, False)
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from affray.app.inputs.intake import Raw

__all__ = ["SEAL", "is_broken", "notes_of", "sealed"]

SEAL = "seal"
"""The key under which it stands."""
UNSEALED = "It has no seal, like all older files: a change by hand would not be noticed."
CHANGED = "It was changed after it was saved"
LENGTH = 16


def sealed(raw: Raw) -> Raw:
    """A table with its seal."""
    return {**raw, SEAL: _digest(raw)}


def is_broken(raw: Mapping[str, object]) -> bool:
    """Whether a table with a seal was changed since; False where it has none."""
    return SEAL in raw and raw[SEAL] != _digest(raw)


def _digest(raw: Mapping[str, object]) -> str:
    """The digest of a table without its seal; the order of keys and blanks make no difference."""
    import hashlib  # slow to load; only where files are kept

    told = json.dumps({key: raw[key] for key in raw if key != SEAL}, sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:LENGTH]


def notes_of(
    other: str, apart: Sequence[str], *, has_log: bool, has_seal: bool, is_changed: bool
) -> tuple[str, ...]:
    """What is to be said of a saved file that was replayed, in sentences.

    Args:
        other: that it was played by other rules than today's; "": it wasn't.
        apart: how the replay differs from what was told when it was saved.
        has_log: whether the file says what was told.
        has_seal: whether it has a seal.
        is_changed: whether that is broken.
    """
    notes = []
    differs = "; ".join(apart)
    if other:
        same = "replayed today it goes the same way" if has_log else "it was replayed by today's"
        notes = [f"{CHANGED}."] if is_changed else []
        notes.append(f"{other}; {differs or same}.")
    elif is_changed:
        notes = [f"{CHANGED}; {differs or 'replayed today it is told the same way'}."]
    elif differs and has_seal:
        notes = [f"The rules are the same, but {differs}."]
    elif differs:
        return (f"{CHANGED}: the rules are the same; {differs}.",)
    return tuple(notes if has_seal else [*notes, UNSEALED])
