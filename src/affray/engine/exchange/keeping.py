"""What is kept of exchanges that were followed: kernels, ends, and ends of places at seams."""

from __future__ import annotations

from collections import OrderedDict
from fractions import Fraction
from threading import RLock

from affray.core.lazy import NamedTuple
from affray.core.node import Facts
from affray.engine.exchange.finals import LastRoll, Shared
from affray.engine.exchange.game import Game
from affray.engine.exchange.kernel import Kernel
from affray.engine.exchange.tails import Tails

__all__ = [
    "KeptEnds", "forget_kernels", "keep_ends", "kernel_of", "new_kernel", "recall_ends", "tails_of",
]  # fmt: skip

KEPT = 16
LARGEST_KEPT = 100_000

_KERNELS: OrderedDict[tuple[object, ...], Kernel] = OrderedDict()
_LOCK = RLock()


def kernel_of(game: Game, needed: frozenset[str] | None = None) -> Kernel:
    """The kernel for a game's system and settled choices: a kept one, if it is not too large.

    Args:
        game: system and settled choices.
        needed: outcome fields; nothing is followed from where they don't change any more, and
            what only others need is dropped. None: everything is followed to the end.
    """
    key = (game.system, frozenset(game.settled.items()), game.narrow, needed)
    with _LOCK:
        for large in [old for old, kept in _KERNELS.items() if len(kept) > LARGEST_KEPT]:
            del _KERNELS[large]
        kernel = _KERNELS.pop(key, None)
        if kernel is None:
            kernel = Kernel(game, needed, needed=needed)
        _KERNELS[key] = kernel
        if len(_KERNELS) > KEPT:
            _KERNELS.popitem(last=False)
    return kernel


def new_kernel(game: Game, needed: frozenset[str] | None = None) -> Kernel:
    """A kernel that nobody else knows; arguments as for `kernel_of`."""
    return Kernel(game, needed, needed=needed)


# -- exchanges without decisions ---------------------------------------------------------------


class KeptEnds(NamedTuple):
    """The ends of an exchange.

    Attributes:
        finals: final facts with integer weights, for each total over which the weights count.
        last_rolls: rolls after which nothing that was asked for changes.
        shared: ends that other exchanges lead to as well.
        residual: the probability that was left open in a procedure that goes on for ever.
    """

    finals: dict[int, dict[Facts, int]]
    last_rolls: tuple[LastRoll, ...] = ()
    shared: tuple[Shared, ...] = ()
    residual: Fraction = Fraction(0)


_ENDED: OrderedDict[tuple[object, ...], KeptEnds] = OrderedDict()


def recall_ends(game: Game, needed: frozenset[str]) -> KeptEnds | None:
    """The ends of an exchange in which nothing was left to decide, if they are still known."""
    with _LOCK:
        return _ENDED.get(
            (game.system, game.start, frozenset(game.settled.items()), game.narrow, needed)
        )


def keep_ends(game: Game, needed: frozenset[str], ended: KeptEnds) -> None:
    """Keep the ends of an exchange in which nothing was left to decide, unless they are many."""
    size = sum(map(len, ended.finals.values())) + sum(len(fan.rows) for fan in ended.last_rolls)
    if size > LARGEST_KEPT // KEPT:
        return
    with _LOCK:
        settled = frozenset(game.settled.items())
        _ENDED[game.system, game.start, settled, game.narrow, needed] = ended
        if len(_ENDED) > KEPT * KEPT:
            _ENDED.popitem(last=False)


_TAILS: OrderedDict[tuple[object, ...], Tails] = OrderedDict()


def tails_of(game: Game, needed: frozenset[str], minding: frozenset[str] | None) -> Tails:
    """The ends of places at seams, for exchanges of one system with the same settled choices."""
    key = (game.system, frozenset(game.settled.items()), game.narrow, needed, minding)
    with _LOCK:
        tails = _TAILS.pop(key, None)
        _TAILS[key] = tails = Tails() if tails is None else tails
        if len(_TAILS) > KEPT:
            _TAILS.popitem(last=False)
    return tails


def forget_kernels() -> None:
    """Drop every kept kernel and every kept end."""
    with _LOCK:
        _KERNELS.clear()
        _ENDED.clear()
        _TAILS.clear()
