"""What is measured: questions, with their numbers, and who answers them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from importlib.util import find_spec
from math import sqrt
from types import ModuleType
from typing import Any, NamedTuple

from benchmarks.forgetting import forget
from benchmarks.peers.numbers import (
    W1,
    W2,
    W2L,
    W3,
    W4,
    W5,
    W6,
    W7,
    W9,
    Attack,
    Blow,
    Check,
    Combat,
    Fighters,
    Lines,
    Mixed,
    Numbers,
    Pools,
    Sheet,
)  # fmt: skip

FROM_RULES = "from the rule text"
AGAIN, TABLES = "asked again", "tables known"
MANY, FEW = 100_000, 5_000
QUICK_MANY, QUICK_FEW = 2_000, 500

Answer = Callable[[], Any]


def _nothing() -> None:
    """There is nothing to forget."""


class Runner(NamedTuple):
    """One way to answer a workload.

    Attributes:
        ready: prepares the question for some numbers, and gives back what answers it.
        read: brings the answer to the form in which all are compared.
        clear: forgets everything that is kept. note: how it is done.
        times: so many times as much work is what counts. slow: takes part in one round only.
    """

    name: str
    ready: Callable[[Any], Answer]
    read: Callable[[Any], object]
    clear: Callable[[], None] = _nothing
    note: str = ""
    times: int = 1
    slow: bool = False


class Workload(NamedTuple):
    """A question, who answers it, and how often that is measured.

    Attributes:
        numbers: of the question. others: new ones, on both sides of them.
        goal: by how much affray shall be faster than somebody. rounds: how often all take turns.
        same: whether two answers are the same, as far as can be asked.
        again: what the second call with the same numbers is: a stored exchange is asked again, or
            the fight is worked out anew from tables of its exchanges.
    """

    id: str
    title: str
    ours: Runner
    peers: tuple[Runner, ...]
    numbers: Numbers
    others: tuple[Numbers, ...]
    goal: str
    rounds: int
    same: Callable[[Any, Any], bool]
    again: str = AGAIN


def workloads(*, quick: bool = False) -> list[Workload]:
    """Everything that is measured; quick: fewer battles."""
    many, few = (QUICK_MANY, QUICK_FEW) if quick else (MANY, FEW)
    return [*_exchanges(), *_rooms(), _duel(), _battles(many, few), *_units()]


# -- how answers are compared ----------------------------------------------------------------


def _exactly(one: object, other: object) -> bool:
    return one == other


def _closely(digits: float) -> Callable[[Any, Any], bool]:
    def same(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
        return all(abs(x - y) < digits for x, y in zip(one, other, strict=True))

    return same


def _likely(one: tuple[float, int], other: tuple[float, int]) -> bool:
    """Shares of battles that are won, and how many were fought: within five standard errors."""
    (p, n), (q, m) = one, other
    return abs(p - q) < 5 * sqrt(p * (1 - p) * (1 / n + 1 / m))


def _possible(chances: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
    """Without what can't happen, which some list."""
    return {value: chance for value, chance in chances.items() if chance}


def _ours_joint(answer: Any) -> object:
    return _possible(answer.fractions())


def _ours_single(answer: Any) -> object:
    return _possible({values[0]: chance for values, chance in answer.fractions().items()})


def _as_it_is(answer: object) -> object:
    return answer


def _mean(die: Any) -> Fraction:
    """Of dice of either library."""
    rows = [(Fraction(value), Fraction(weight)) for value, weight in die.items()]
    return sum((v * w for v, w in rows), Fraction(0)) / sum((w for _, w in rows), Fraction(0))


def _of_plain(raw: Any) -> object:
    weights, denominator = raw
    return _possible({key: Fraction(ways, denominator) for key, ways in weights.items()})


def _of_icepool(raw: Any) -> object:
    denominator = raw.denominator()
    return _possible({tuple(end): Fraction(ways, denominator) for end, ways in raw.items()})


def _of_dyce(raw: Any) -> object:
    return _possible(dict(raw.probability_items()))


# -- exchanges -------------------------------------------------------------------------------


def _ours(answer: Callable[[Any], Answer], read: Callable[[Any], object]) -> Runner:
    return Runner("affray", answer, read, forget, FROM_RULES)


def _peer(function: Callable[..., Any]) -> Callable[[Any], Answer]:
    """A peer needs no preparation: it is called with the numbers."""
    return lambda numbers: partial(function, numbers)


def _exchanges() -> list[Workload]:
    """Eclipse Phase, Empty Earth, checks of Emlia."""
    from benchmarks import ours, ours_emlia
    from benchmarks.peers import dyce_tuned, icepool_naive, icepool_tuned, lea_tuned, plain

    modules = {
        "plain Python": (plain, "written by hand for this question alone"),
        "icepool": (icepool_tuned, "order classes by hand"),
        "dyce": (dyce_tuned, "order classes by hand"),
        "lea": (lea_tuned, "order classes by hand"),
        "icepool, naive": (icepool_naive, "as its manual would have it"),
    }
    solver = "lists rolls; a hand-written solver does the choices"
    inside = "every roll and choice inside the library"

    def raw(module: ModuleType, answer: Any) -> object:
        found: dict[Any, Fraction] = module.normalise(answer)
        return _possible({
            tuple(value) if hasattr(value, "__len__") else value: p for value, p in found.items()
        })  # fmt: skip

    def peers(function: str) -> tuple[Runner, ...]:
        choices = not function.endswith("_raw")
        return tuple(
            Runner(
                name, _peer(getattr(module, function)),
                _as_it_is if choices else partial(raw, module),
                getattr(module, "clear", _nothing),
                solver if choices and name not in {"plain Python", "icepool, naive"} else note,
                slow=name.endswith("naive"),
            )
            for name, (module, note) in modules.items()
        )  # fmt: skip

    def alone(function: str) -> tuple[Runner, ...]:
        return tuple(
            Runner(f"{name}, alone", _peer(getattr(module, function)), _mean, module.clear, inside)
            for name, module in (("icepool", icepool_tuned), ("dyce", dyce_tuned))
        )

    return [
        Workload(
            "W1", "Eclipse Phase attack 70 against 30, 3d10, armor 10: exact damage",
            _ours(ours.w1, _ours_single), peers("w1_raw"), W1,
            (Attack(65, 35, 10), Attack(75, 25, 9), Attack(60, 40, 8), Attack(80, 20, 12),
             Attack(72, 33, 11)),
            "15x", 40, _exactly,
        ),
        Workload(
            "W2", "Empty Earth 3d8 against 2d6, one reroll, both optimal",
            _ours(ours.w2, _as_it_is), (*alone("w2_as_dice"), *peers("w2")), W2,
            (Pools(8, (2, 6), 4), Pools(8, (2, 6), 6), Pools(8, (2, 8), 5), Pools(8, (2, 4), 5)),
            "20x", 25, _exactly,
        ),
        Workload(
            "W2L", "Empty Earth 3d12 against 3d10, any subset rerolled, both optimal",
            _ours(ours.w2l, _as_it_is), (*alone("w2l_as_dice"), *peers("w2l")), W2L,
            (Pools(12, (3, 10), 4), Pools(12, (3, 10), 6), Pools(12, (3, 8), 5),
             Pools(12, (3, 12), 5)),
            "50x", 3, _exactly,
        ),
        Workload(
            "W3-30", "Emlia check of 30 d10: joint tally of 7 or more and of ones",
            _ours(ours_emlia.w3, _ours_joint), peers("w3_raw"), W3,
            (Check(29, 6), Check(31, 8), Check(32, 6), Check(28, 8)), "20x", 25, _exactly,
        ),
        Workload(
            "W3-100", "the same with 100 d10",
            _ours(ours_emlia.w3, _ours_joint), peers("w3_raw"), Check(100),
            (Check(99, 6), Check(101, 8), Check(102, 6)), "75x", 4, _exactly,
        ),
    ]  # fmt: skip


def _rooms() -> list[Workload]:
    """Exchanges of Affinity and Grid Battles."""
    from benchmarks import ours
    from benchmarks.peers import affinity_peers, grid_peers

    def peers(module: ModuleType) -> tuple[Runner, ...]:
        """Plain Python, and both libraries as experts tune them."""
        clear = module.clear_icepool
        facts = "facts as one number"
        return (
            Runner("plain Python", _peer(module.plain_raw), _of_plain,
                   note="convolutions by hand"),
            Runner("icepool", _peer(module.icepool_raw), _of_icepool, clear, facts),
            Runner("dyce", _peer(module.dyce_raw), _of_dyce, note=facts),
        )  # fmt: skip

    return [
        Workload(
            "W4", "Affinity 4+3 d6 with burn through three layers: joint",
            _ours(ours.w4, _ours_joint), peers(affinity_peers), W4,
            (Blow(3, 3, 3, 12), Blow(1, 2, 2, 10), Blow(3, 2, 4, 9), Blow(2, 1, 3, 8)),
            "10x", 40, _exactly,
        ),
        Workload(
            "W5", "Grid Battles combat with Battle Back: both healths, joint",
            _ours(ours.w5, _ours_joint), peers(grid_peers), W5,
            (Combat(("red", "blue"), "yellow", 5, 4), Combat(("yellow", "blue"), "red", 4, 3),
             Combat(("red", "red"), "blue", 3, 5), Combat(("yellow", "yellow"), "blue", 5, 5)),
            "12x", 40, _exactly,
        ),
    ]  # fmt: skip


# -- fights ----------------------------------------------------------------------------------

_FIGHTERS = (
    Fighters(Sheet(65, 35, 2, 5, 7, 35), Sheet(50, 35, 3, 7, 8, 40)),
    Fighters(Sheet(55, 45, 2, 6, 7, 36), Sheet(55, 25, 3, 9, 8, 39)),
    Fighters(Sheet(60, 30, 2, 4, 7, 34), Sheet(45, 30, 3, 8, 8, 41)),
)


def _sheets(module: ModuleType, given: Fighters) -> tuple[Any, Any]:
    """The same numbers on the sheets of a peer."""
    return module.Fighter(*given.a), module.Fighter(*given.b)


def _duel() -> Workload:
    from benchmarks import ours_fights
    from benchmarks.peers import numpy_fights, plain_fights, storm_fights

    def by(module: ModuleType, function: Callable[..., Any]) -> Callable[[Any], Answer]:
        return lambda given: partial(function, *_sheets(module, given))

    by_state = "state by state, nearest to the end first"
    peers = [
        Runner("plain Python", by(plain_fights, plain_fights.w6_by_state), _as_it_is,
               note=by_state),
        Runner("plain Python, tuned", by(plain_fights, plain_fights.w6), _as_it_is,
               note="expected visits, block by block"),
        Runner("numpy", by(numpy_fights, numpy_fights.w6), _as_it_is,
               note="linear algebra for this duel alone"),
    ]  # fmt: skip
    if find_spec("stormpy"):
        peers.append(Runner("Storm", by(numpy_fights, storm_fights.w6), _as_it_is,
                            note="model checker, building included"))  # fmt: skip
    return Workload(
        "W6", "Eclipse Phase duel to the end: P(win), mean rounds",
        _ours(ours_fights.w6, lambda result: (result.won[0], result.rounds)), tuple(peers), W6,
        _FIGHTERS, "2.5x", 10, _closely(1e-12), TABLES,
    )  # fmt: skip


def _battles(many: int, few: int) -> Workload:
    from benchmarks import ours_fights
    from benchmarks.peers import numpy_fights, plain_fights

    def by(module: ModuleType, function: Callable[..., Any], n: int) -> Callable[[Any], Answer]:
        return lambda given: partial(function, n, 2, *_sheets(module, given))

    def of(n: int) -> Callable[[Any], object]:
        return lambda result: (result[0] / n, n)

    peers = (
        Runner("plain Python", by(plain_fights, plain_fights.w8_dice, few), of(few),
               note=f"every die rolled; {few} battles, times {many // few}", times=many // few),
        Runner("plain Python, tables", by(plain_fights, plain_fights.w8, many), of(many),
               note="one random number an attack; knows whom it hits"),
        Runner("numpy", by(numpy_fights, numpy_fights.w8, many), of(many),
               note="dice as arrays; knows whom it hits"),
    )  # fmt: skip
    ours = Runner(
        "affray", lambda given: ours_fights.w8(given, many),
        lambda result: (result.won[0].value, many), forget, FROM_RULES + ", one thread",
    )  # fmt: skip
    return Workload(
        "W8", f"{many:,} battles, 3 against 3, Eclipse Phase", ours, peers, W6, _FIGHTERS, "40x",
        3, _likely, TABLES,
    )  # fmt: skip


def _units() -> list[Workload]:
    """Emlia: two units to the end, and an attack on a mixed body."""
    from benchmarks import ours_emlia
    from benchmarks.peers import emlia_peers as peers

    def lines(function: Callable[..., Any]) -> Callable[[Any], Answer]:
        return lambda given: partial(function, *given)

    w7 = (
        Runner("plain Python", lines(peers.w7_plain), tuple,
               note="written by hand, state by state"),
        Runner("plain Python, tuned", lines(peers.w7_tuned), tuple,
               note="on flat lists, dice by dice"),
        Runner("numpy", lines(peers.w7_numpy), tuple, note="linear algebra for this fight alone"),
    )  # fmt: skip
    allocation = "allocation by hand, as map"
    w9 = (
        Runner("plain Python", _peer(peers.w9_plain_raw), _of_plain,
               note="multinomials and a loop by hand"),
        Runner("icepool", _peer(peers.w9_icepool_raw), _of_icepool, peers.clear_icepool,
               allocation),
        Runner("dyce", _peer(peers.w9_dyce_raw), _of_dyce, note=allocation),
    )  # fmt: skip
    ours_w7 = _ours(ours_emlia.w7, lambda end: (*end.won, end.drawn, end.rounds, *end.left))
    return [
        Workload(
            "W7", "Emlia 30 against 30 to the end", ours_w7, w7, W7,
            (Lines(29, 0, -1), Lines(31, 1, -2), Lines(30, 0, 0)), "25x", 5, _closely(1e-11),
            TABLES,
        ),
        Workload(
            "W9", "Emlia 60 d10 at a mixed body of six groups: damage of each, joint",
            _ours(ours_emlia.w9, _ours_joint), w9, W9,
            (Mixed(58, 7), Mixed(62, 5),
             Mixed(60, 6, ((38, 2), (32, 3), (18, 4), (11, 5), (7, 6), (3, 8)))),
            "1x", 10, _exactly,
        ),
    ]  # fmt: skip
