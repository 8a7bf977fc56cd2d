"""Views that depend on nothing but the question and the rules, kept by what was asked."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping
from typing import cast

from affray import _version
from affray.api.work.frames import Message
from affray.app.files.rules_digest import rules_digest
from affray.app.registry import system_named
from affray.core.errors import AffrayError

__all__ = ["Cache", "key_of"]


def key_of(question: str, arguments: Mapping[str, object]) -> str:
    """A digest of a question, the rules that it is answered by, and the program's version.

    Returns:
        "": the question names no system that can be used.
    """
    system = arguments.get("system")
    if not isinstance(system, str):
        return ""
    try:
        rules = rules_digest(system_named(system))
    except AffrayError:
        return ""
    asked = [question, arguments, rules, _version.VERSION]
    text = json.dumps(asked, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class Cache:
    """Views by key; those that were asked for longest ago are given up first.

    Args:
        most_bytes: of all views as JSON.
    """

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.n_bytes = self.found = self.missed = 0
        self._views: OrderedDict[str, bytes] = OrderedDict()

    def __len__(self) -> int:
        return len(self._views)

    def get(self, key: str) -> Message | None:
        """A view; None: it is not there."""
        text = self._views.get(key)
        if text is None:
            self.missed += 1
            return None
        self.found += 1
        self._views.move_to_end(key)
        return cast("Message", json.loads(text))

    def keep(self, key: str, view: Message) -> None:
        """Keep a view, unless it is larger than a tenth of all that is kept."""
        text = json.dumps(view, separators=(",", ":")).encode()
        if len(text) > self.most_bytes / 10:
            return
        self.n_bytes += len(text) - len(self._views.pop(key, b""))
        self._views[key] = text
        while self.n_bytes > self.most_bytes:
            _, oldest = self._views.popitem(last=False)
            self.n_bytes -= len(oldest)
