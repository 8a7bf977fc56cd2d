"""The duel W6 of `plain_fights` as a Markov chain for the model checker Storm (stormpy 2).

Storm knows no dice: the chances of one attack come from `numpy_fights`. The chain is handed over
entry by entry, one state for each place with A to attack and one with B, and Storm answers both
questions. Its topological solver is exact to rounding; the others that are, are slower.
"""

from importlib import import_module

import numpy as np

from benchmarks.peers.numpy_fights import A, B, Fighter, Floats, Places, kernels

Entries = tuple[list[int], list[int], list[float]]
"""Rows, columns and values of a matrix."""


def clear() -> None:
    """Nothing to drop: every call starts from nothing."""


def _moves(fighter: Fighter, by_other: Floats) -> tuple[Places, Places, Floats]:
    """What a hit makes of every condition of a fighter who is not out.

    Returns the wounds of the conditions; for each of them and net damage, the condition after it;
    for each wound level of the other, these, and in the last column out, the chances.
    """
    levels, size = fighter.levels, fighter.durability
    nets = np.arange(size)
    wounds, damage = np.nonzero(nets >= fighter.wound_threshold * np.arange(levels)[:, None])
    place = np.zeros((levels, size), dtype=int)
    place[wounds, damage] = np.arange(len(wounds))
    stands = damage[:, None] + nets < size
    more = np.where(stands, nets, 0)
    after = place[wounds[:, None] + more // fighter.wound_threshold, damage[:, None] + more]
    net = np.zeros((len(by_other), levels, max(size + 1, by_other.shape[2])))
    net[:, :, : by_other.shape[2]] = by_other
    at_least = net[:, :, ::-1].cumsum(axis=2)[:, :, ::-1]
    out = at_least[:, wounds, size - damage, None]
    return wounds, after, np.concatenate([net[:, wounds, :size] * stands, out], axis=2)


def _entries(first: int, after: Places, out: int, chances: Floats) -> tuple[Places, Places, Floats]:
    """Rows, columns and values of the matrix, in its order, without those that have no chance."""
    columns = np.full(chances.shape, out)
    columns[:, :, :-1] = after
    possible = chances > 0
    counts = np.count_nonzero(possible, axis=2).ravel()
    rows = np.repeat(np.arange(first, first + len(counts)), counts)
    return rows, columns[possible], chances[possible]


def _chain(a: Fighter, b: Fighter) -> tuple[int, Entries]:
    """The number of places n and the matrix.

    A attacks in the first n states, B in the next n; then A has won, B has won.
    """
    wounds_a, after_a, by_b = _moves(a, kernels(b, a))
    wounds_b, after_b, by_a = _moves(b, kernels(a, b))
    n_a, n_b = len(wounds_a), len(wounds_b)
    n = n_a * n_b
    won, lost = 2 * n, 2 * n + 1
    of_a, of_b = np.arange(n_a)[:, None, None], np.arange(n_b)[:, None]
    attacks = _entries(0, n + n_b * of_a + after_b, won, by_a[wounds_a])
    answers = _entries(n, n_b * after_a[:, None] + of_b, lost, by_b[wounds_b].swapaxes(0, 1))
    rows, columns = (
        np.concatenate([mine, theirs, [won, lost]]).tolist()
        for mine, theirs in zip(attacks[:2], answers[:2], strict=True)
    )
    return n, (rows, columns, np.concatenate([attacks[2], answers[2], [1, 1]]).tolist())


def w6(a: Fighter = A, b: Fighter = B) -> tuple[float, float]:
    """Build the chain and let Storm find P(A wins) and the mean of rounds."""
    stormpy = import_module("stormpy")
    models = import_module("stormpy.models")
    n, (rows, columns, values) = _chain(a, b)
    size = 2 * n + 2
    builder = stormpy.datastructures.SparseMatrixBuilder[float](size, size, len(rows))
    builder.add_next_values(rows, columns, values, [])
    labels = models.StateLabeling(size)
    for label, states in {"init": [0], "won": [2 * n], "over": [2 * n, 2 * n + 1]}.items():
        labels.add_label(label)
        for state in states:
            labels.add_label_to_state(label, state)
    rounds = models.SparseRewardModel[float]([1.0] * n + [0.0] * (n + 2))
    chain = models.SparseDtmc[float](
        models.SparseModelComponents[float](builder.build(), labels, {"rounds": rounds})
    )
    environment = stormpy.environments.Environment()
    environment.solver().set_linear_equation_solver_type(
        stormpy.environments.EquationSolverType.TOPOLOGICAL
    )
    p_win, mean = (
        stormpy.model_checking(
            chain, question, only_initial_states=True, environment=environment
        ).get_value(0)
        for text in ('P=? [F "won"]', 'R{"rounds"}=? [F "over"]')
        for question in stormpy.parse_properties(text)
    )
    return p_win, mean
