"""Random dice and pools, small enough to enumerate."""

from math import prod

from hypothesis import strategies as st

from affray.core.dice import Die, Face, Pool, d

MOST_COMBINATIONS = 1_500

FAIR = st.integers(1, 6).map(d)
WEIGHTS = st.integers(1, 4)


def _die(name: str, rows: list[tuple[Face, int]]) -> Die:
    return Die(name, [face for face, _ in rows], [weight for _, weight in rows])


def _dice_of(faces: st.SearchStrategy[Face], name: str) -> st.SearchStrategy[Die]:
    """Dice whose faces may repeat, each face with a weight of its own."""
    rows = st.lists(st.tuples(faces, WEIGHTS), min_size=1, max_size=4)
    return rows.map(lambda made: _die(name, made))


NUMERIC = st.one_of(FAIR, _dice_of(st.integers(-3, 9), "numbers"))
SYMBOLS = _dice_of(st.sampled_from(["", "hit", "miss", "crit"]), "symbols")
MIXED = _dice_of(st.sampled_from(["", "hit", 0, 1, 2]), "mixed")
ANY = st.one_of(NUMERIC, SYMBOLS, MIXED)


def pools(dice: st.SearchStrategy[Die], *, most_kinds: int = 3) -> st.SearchStrategy[Pool]:
    """Pools of up to `most_kinds` groups (a kind may come twice), the empty pool among them."""
    groups = st.lists(st.tuples(dice, st.integers(0, 4)), max_size=most_kinds)
    return groups.map(lambda made: Pool(*made)).filter(is_small)


def is_small(pool: Pool) -> bool:
    return prod(len(die.faces) for die in pool.dice) <= MOST_COMBINATIONS


def n_rolls(pool: Pool) -> int:
    """How often anything can come, weights counted."""
    return prod(sum(die.weights) for die in pool.dice)
