"""The fights of the benchmark, answered by affray from its rule texts."""

from __future__ import annotations

from affray.app.fight_setups import load_fight
from affray.engine.battles.battle import Battle, BattleResult
from affray.engine.contest import Contest
from affray.engine.duels.duel import Duel
from benchmarks import ours

_KNOWN: dict[str, Contest] = {}


def contest(name: str) -> Contest:
    """A shipped fight; what its exchanges come to is known once they have come up."""
    if name not in _KNOWN:
        _KNOWN[name] = load_fight("eclipse-phase", name).contest
    return _KNOWN[name]


_BATTLES: dict[str, Battle] = {}


def clear() -> None:
    """Forget every exchange, distribution and table; the sheets stay read."""
    ours.clear()
    _BATTLES.clear()
    for known in _KNOWN.values():
        known.forget()


def w6() -> tuple[float, float]:
    """P(A wins) and the mean number of rounds."""
    result = Duel(contest("w6")).solve()
    return result.won[0], result.rounds


def w8(n: int = 100_000, seed: int = 1, workers: int = 1) -> BattleResult:
    """Three against three, so many times."""
    if "w8" not in _BATTLES:
        _BATTLES["w8"] = Battle(contest("w8"))
    return _BATTLES["w8"].run(n, seed=seed, workers=workers)
