"""Questions that misbehave, for workers in tests."""

from __future__ import annotations

import ctypes
import os
import time
from pathlib import Path
from typing import ClassVar

from affray.api.work.questions import QUESTIONS as REAL
from affray.app.views.envelope import View
from affray.core.errors import LimitError
from affray.core.lazy import dataclass
from affray.core.sheet import sheet
from affray.engine.budget import Budget, spending


@dataclass(frozen=True)
class WordView(View):
    schema = "tests/word"

    word: str
    pid: int


class _Odd:
    usual_s: ClassVar[float] = 60.0
    is_light: ClassVar[bool] = False
    pure: ClassVar[frozenset[str]] = frozenset()
    repeats: ClassVar[bool] = True


@sheet
class Echo(_Odd):
    """Says a word."""

    is_light: ClassVar[bool] = True
    usual_s: ClassVar[float] = 1.0
    word: str = ""

    def view(self, budget: Budget) -> View:
        return WordView(self.word, os.getpid())


@sheet
class Hold(_Odd):
    """Works until a file is there or somebody stops it, and says in another that it began."""

    began: str
    until: str = ""
    word: str = ""

    def view(self, budget: Budget) -> View:
        Path(self.began).write_text(str(os.getpid()))
        with spending(budget) as clock:
            clock.tell("looks", 1, 2)
            while not (self.until and Path(self.until).exists()):
                clock.poll()
                time.sleep(0.005)
        return WordView(self.word, os.getpid())


@sheet
class Deaf(_Odd):
    """Works on, whatever anybody wishes."""

    began: str

    def view(self, budget: Budget) -> View:
        Path(self.began).write_text(str(os.getpid()))
        while True:
            time.sleep(0.05)


@sheet
class Crash(_Odd):
    """Reads where there is nothing."""

    is_light: ClassVar[bool] = True
    usual_s: ClassVar[float] = 1.0

    def view(self, budget: Budget) -> View:
        ctypes.string_at(0)
        raise AssertionError


@sheet
class Hog(_Odd):
    """Takes memory, little by little or all at once."""

    most: int
    each: int

    def view(self, budget: Budget) -> View:
        taken = []
        for _ in range(self.most // self.each):
            taken.append(b"x" * self.each)
            time.sleep(0.005)
        return WordView(str(sum(map(len, taken))), os.getpid())


@sheet
class Keep(_Odd):
    """Takes memory and never gives it back."""

    most: int

    def view(self, budget: Budget) -> View:
        KEPT.append(b"x" * self.most)
        return WordView("kept", os.getpid())


KEPT: list[bytes] = []


@sheet
class Fail(_Odd):
    """Raises what nobody expects."""

    is_light: ClassVar[bool] = True
    usual_s: ClassVar[float] = 1.0

    def view(self, budget: Budget) -> View:
        print("to standard output, where nothing of ours is")
        raise KeyError("nobody expects this")


@sheet
class Settled(_Odd):
    """Reaches a limit, and says how far it came."""

    is_light: ClassVar[bool] = True
    usual_s: ClassVar[float] = 1.0

    def view(self, budget: Budget) -> View:
        raise LimitError("enough", limit="places", states=7, p_ended=0.25, done={"places": 7})


QUESTIONS = {
    **REAL, "echo": Echo, "hold": Hold, "deaf": Deaf, "crash": Crash, "hog": Hog, "keep": Keep,
    "fail": Fail, "settled": Settled,
}  # fmt: skip
