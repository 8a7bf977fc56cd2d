"""The game of `tests/engine/skirmish.py` in plain arithmetic, and three ways to solve such games.

A game is a function from a state to a node: an end with its worth, a roll, or a choice of one of
the sides. Nothing of affray is used. Worth is the probability that side 0 wins, a draw, an end by
rule and play without end counting one half.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.sparse import csc_array, eye_array
from scipy.sparse.linalg import spsolve

State = Hashable
HALF = Fraction(1, 2)


class Ended(NamedTuple):
    worth: Fraction


class Rolled(NamedTuple):
    branches: tuple[tuple[Fraction, State], ...]


class Chosen(NamedTuple):
    side: int
    options: tuple[tuple[str, State], ...]


Node = Ended | Rolled | Chosen
Rules = Callable[[State], Node]


# -- solving -----------------------------------------------------------------------------------


def reached(rules: Rules, root: State) -> dict[State, Node]:
    """Every state that may come up, what is nearer to the end rather earlier."""
    nodes: dict[State, Node] = {}
    done: dict[State, Node] = {}
    waiting = [root]
    while waiting:
        state = waiting[-1]
        if state in nodes:
            waiting.pop()
            done.setdefault(state, nodes[state])
            continue
        node = nodes[state] = rules(state)
        waiting += [to for to in _after(node) if to not in nodes]
    return done


def _after(node: Node) -> list[State]:
    if isinstance(node, Rolled):
        return [to for _, to in node.branches]
    return [to for _, to in node.options] if isinstance(node, Chosen) else []


def _settled(nodes: Mapping[State, Node], state: State) -> State:
    """The first state from here on in which something is decided by a side, by chance or at all."""
    while isinstance(node := nodes[state], Rolled) and len(node.branches) == 1:
        state = node.branches[0][1]
    return state


def _shares(nodes: Mapping[State, Node], node: Rolled) -> dict[State, Fraction]:
    """The chances of what a roll comes to, each once."""
    shares: dict[State, Fraction] = {}
    for chance, to in node.branches:
        state = _settled(nodes, to)
        shares[state] = shares.get(state, Fraction(0)) + chance
    return shares


def by_value_iteration(rules: Rules, root: State, close: float = 1e-14) -> dict[State, float]:
    """The worth of every state: looked ahead further and further, one half beyond.

    Only for games that end whatever is done: who can put off the end for ever would wait for the
    horizon, to do then what is bad in the long run. `close` is by how much the last round of
    looking ahead still changes something.
    """
    nodes = reached(rules, root)
    settled = {state: _settled(nodes, state) for state in nodes}
    places = [state for state in nodes if settled[state] == state]
    number = {state: place for place, state in enumerate(places)}
    found = [nodes[state] for state in places]
    worth = [float(node.worth) if isinstance(node, Ended) else 0.5 for node in found]
    rolls = {
        here: [(float(p), number[to]) for to, p in _shares(nodes, node).items()]
        for here, node in enumerate(found) if isinstance(node, Rolled)
    }  # fmt: skip
    choices = {
        here: ((max, min)[node.side], [number[settled[to]] for _, to in node.options])
        for here, node in enumerate(found) if isinstance(node, Chosen)
    }  # fmt: skip
    order = [place for place, node in enumerate(found) if not isinstance(node, Ended)]
    change = 1.0
    while change > close:
        change = 0.0
        for place in order:
            if place in rolls:
                new = sum(p * worth[to] for p, to in rolls[place])
            else:
                best, options = choices[place]
                new = best(worth[to] for to in options)
            change = max(change, abs(new - worth[place]))
            worth[place] = new
    return {state: worth[number[settled[state]]] for state in nodes}


def by_discount(rules: Rules, root: State, off: float = 1e-8) -> float:
    """What the root is worth if a game ends in a draw, with a small chance at each state.

    Also for games that may go on for ever; off by some dozen times `off`. Each side in turn takes
    what is best against the other one, all states in one linear system.
    """
    nodes = list(reached(rules, root).items())
    number = {state: place for place, (state, _) in enumerate(nodes)}
    ends = np.zeros(len(nodes))
    after: list[list[tuple[int, float]]] = [[] for _ in nodes]
    options: tuple[dict[int, list[int]], dict[int, list[int]]] = {}, {}
    for here, (_, node) in enumerate(nodes):
        if isinstance(node, Ended):
            ends[here] = float(node.worth - HALF)
        elif isinstance(node, Chosen):
            ways = options[node.side][here] = [number[to] for _, to in node.options]
            after[here] = [(ways[0], 1.0)]
        else:
            after[here] = [(number[to], float(chance)) for chance, to in node.branches]

    def improves(side: int) -> bool:
        better = False
        for here, ways in options[side].items():
            best = (max, min)[side](ways, key=lambda to: worth[to])
            if abs(worth[best] - worth[after[here][0][0]]) > off * 1e-4:
                after[here] = [(best, 1.0)]
                better = True
        return better

    while True:
        rows = [here for here, ways in enumerate(after) for _ in ways]
        columns = [to for ways in after for to, _ in ways]
        chances = np.array([chance for ways in after for _, chance in ways]) * (1 - off)
        matrix = csc_array((chances, (rows, columns)), shape=(len(nodes), len(nodes)))
        worth = spsolve(eye_array(len(nodes), format="csc") - matrix, ends)
        if not improves(1) and not improves(0):
            return 0.5 + float(worth[number[root]])


def by_enumeration(rules: Rules, root: State) -> tuple[Fraction, Fraction]:
    """What each side can be sure of, whatever the other one does: every plan against every plan.

    Both are the same if plans that look at nothing but the state are enough.
    """
    nodes = reached(rules, root)
    ways = {
        state: [_until_chosen(nodes, to) for _, to in node.options]
        for state, node in nodes.items() if isinstance(node, Chosen)
    }  # fmt: skip
    begin = _until_chosen(nodes, root)
    plans = []
    for side in (0, 1):
        mine = [s for s in ways if isinstance(node := nodes[s], Chosen) and node.side == side]
        picks = product(*(ways[state] for state in mine))
        plans.append([dict(zip(mine, pick, strict=True)) for pick in picks])
    table = [[_worth(begin, {**mine, **theirs}) for theirs in plans[1]] for mine in plans[0]]
    return max(map(min, table)), min(map(max, zip(*table, strict=True)))


class _Way(NamedTuple):
    """What comes before the next choice: worth of ends from one half, and chances of choices."""

    worth: Fraction
    chances: dict[State, Fraction]


def _until_chosen(nodes: Mapping[State, Node], state: State) -> _Way:
    """What comes of a state before the next choice; every way back leads over a choice."""
    node = nodes[state]
    if isinstance(node, Ended):
        return _Way(node.worth - HALF, {})
    if isinstance(node, Chosen):
        return _Way(Fraction(0), {state: Fraction(1)})
    worth, chances = Fraction(0), dict[State, Fraction]()
    for chance, to in node.branches:
        after = _until_chosen(nodes, to)
        worth += chance * after.worth
        for choice, more in after.chances.items():
            chances[choice] = chances.get(choice, Fraction(0)) + chance * more
    return _Way(worth, chances)


def _worth(begin: _Way, plan: Mapping[State, _Way]) -> Fraction:
    """What the beginning is worth if both keep to their plans: by elimination."""
    left = dict(plan)
    while left:
        state, way = left.popitem()
        stays = way.chances.get(state, Fraction(0))
        scale = 1 / (1 - stays) if stays != 1 else Fraction(0)  # never left: one half
        begin = _without(begin, state, way, scale)
        left = {other: _without(row, state, way, scale) for other, row in left.items()}
    return HALF + begin.worth


def _without(row: _Way, state: State, way: _Way, scale: Fraction) -> _Way:
    """A row with a choice replaced by what comes of it in the end."""
    if state not in row.chances:
        return row
    chance = row.chances[state] * scale
    chances = {to: p for to, p in row.chances.items() if to != state}
    for to, p in way.chances.items():
        if to != state:
            chances[to] = chances.get(to, Fraction(0)) + chance * p
    return _Way(row.worth + chance * way.worth, chances)


# -- the game ------------------------------------------------------------------------------------


class Skirmisher(NamedTuple):
    """A fencer; see `tests.engine.skirmish.Fencer`."""

    hp: int
    luck: int = 0
    moves: tuple[str, ...] = ("light", "hard")
    pierces: bool = False
    finishes: int = 0
    executes: int = 0
    heals: int = 0
    bleeds: int = 0
    yields: int = 0
    speed: int = 0


class Stand(NamedTuple):
    """How one fencer stands."""

    hp: int
    luck: int
    guarded: bool = False


Both = tuple[Stand, Stand]


class Moment(NamedTuple):
    """A state.

    Attributes:
        stage: what is about to happen.
        both: how both stand.
        lead: by how much the dice put side 0 ahead in initiative; a half more or less, by a coin
            for the whole fight, so that nobody is ever equal.
        turns: who has the turns that are left in this round, and whether a turn begins.
        move: what is being done.
        number: what the stage needs: the bonus, what the roll came to, or the harm.
    """

    stage: str
    both: Both
    lead: float
    turns: tuple[tuple[int, bool], ...] = ()
    move: str = ""
    number: int = 0


class Skirmish:
    """The rules for two fencers; `first` is None where it is a matter of initiative."""

    def __init__(
        self, one: Skirmisher, other: Skirmisher, first: int | None = 0, actions: int = 1
    ) -> None:
        self.sheets = one, other
        self.first, self.actions = first, actions

    def begin(self, lead: float = 0) -> Moment:
        one, other = (Stand(sheet.hp, sheet.luck) for sheet in self.sheets)
        return Moment("round", (one, other), lead)

    def __call__(self, state: State) -> Node:
        assert isinstance(state, Moment)
        stages = {
            "round": self._round, "turn": self._turn, "aim": self._aim, "roll": self._roll,
            "rolled": self._rolled, "hit": self._hit, "struck": self._struck,
        }  # fmt: skip
        node = stages[state.stage](state)
        return Rolled(((Fraction(1), node),)) if isinstance(node, Moment) else node

    def _round(self, m: Moment) -> Node:
        chances = {self.first or 0: Fraction(1)}
        if self.first is None:
            one, other = (
                sheet.speed - (sheet.hp - stand.hp)
                for sheet, stand in zip(self.sheets, m.both, strict=True)
            )
            chances = {int(one - other + m.lead < 0): Fraction(1)}
        branches = []
        for first, chance in chances.items():
            acts = [(side, n == 0) for side in (first, 1 - first) for n in range(self.actions)]
            branches.append((chance, m._replace(stage="turn", turns=tuple(acts))))
        return Rolled(tuple(branches))

    def _over(self, both: Both) -> Ended | None:
        out = [stand.hp <= 0 for stand in both]
        if any(out):
            return Ended(HALF if all(out) else Fraction(int(out[1])))
        yields = any(s.hp <= sheet.yields for s, sheet in zip(both, self.sheets, strict=True))
        return Ended(HALF) if yields else None

    def _turn(self, m: Moment) -> Node | Moment:
        over = self._over(m.both)
        if over:
            return over
        if not m.turns:
            one, other = (
                s._replace(hp=max(0, s.hp - (sheet.bleeds if s.hp < sheet.hp else 0)))
                for s, sheet in zip(m.both, self.sheets, strict=True)
            )
            return self._over((one, other)) or Moment("round", (one, other), m.lead)
        side, begins = m.turns[0]
        sheet, mine = self.sheets[side], m.both[side]
        if begins:
            mine = mine._replace(hp=min(sheet.hp, mine.hp + sheet.heals), guarded=False)
        m = m._replace(both=_with(m.both, side, mine))
        moves = sheet.moves
        if m.both[1 - side].hp <= sheet.executes:
            moves = (*moves, "execute")
        return Chosen(side, tuple((move, self._moved(m, move)) for move in moves))

    def _moved(self, m: Moment, move: str) -> Moment:
        side = m.turns[0][0]
        mine = m.both[side]
        if move == "rest":
            mine = mine._replace(hp=min(self.sheets[side].hp, mine.hp + 1))
        elif move == "guard":
            mine = mine._replace(guarded=True)
        elif move != "wait":
            return m._replace(stage="aim", move=move)
        return _next(m, _with(m.both, side, mine))

    def _aim(self, m: Moment) -> Node | Moment:
        side = m.turns[0][0]
        plain = m._replace(stage="roll")
        if not m.both[side].luck:
            return plain
        aimed = plain._replace(both=_paid(m.both, side), number=1)
        return Chosen(side, (("none", plain), ("aim", aimed)))

    def _roll(self, m: Moment) -> Node:
        faces = (m._replace(stage="rolled", number=face + m.number) for face in range(1, 7))
        return Rolled(tuple((Fraction(1, 6), after) for after in faces))

    def _rolled(self, m: Moment) -> Node | Moment:
        side = m.turns[0][0]
        missed = _next(m, m.both)
        guarded = m.both[1 - side].guarded
        if guarded and not self.sheets[side].pierces:
            return missed
        needs = 6 if guarded else {"light": 3, "hard": 5, "execute": 4}[m.move]
        hit = m._replace(stage="hit", number={"light": 1, "hard": 2, "execute": 99}[m.move])
        if m.number >= needs:
            return hit
        if m.number == needs - 1 and m.both[side].luck:
            pushed = hit._replace(both=_paid(m.both, side))
            return Chosen(side, (("none", missed), ("push", pushed)))
        return missed

    def _hit(self, m: Moment) -> Node | Moment:
        side = m.turns[0][0]
        plain = m._replace(stage="struck")
        if not m.both[side].luck or m.both[1 - side].hp > self.sheets[side].finishes:
            return plain
        finished = plain._replace(both=_paid(m.both, side), number=99)
        return Chosen(side, (("none", plain), ("finish", finished)))

    def _struck(self, m: Moment) -> Node | Moment:
        foe = 1 - m.turns[0][0]
        plain = _next(m, _hurt(m.both, foe, m.number))
        if not m.both[foe].luck:
            return plain
        dodged = _next(m, _hurt(_paid(m.both, foe), foe, m.number - 1))
        return Chosen(foe, (("none", plain), ("dodge", dodged)))


def _next(m: Moment, both: Both) -> Moment:
    return Moment("turn", both, m.lead, m.turns[1:])


def _with(both: Both, side: int, stand: Stand) -> Both:
    return (stand, both[1]) if side == 0 else (both[0], stand)


def _paid(both: Both, side: int) -> Both:
    return _with(both, side, both[side]._replace(luck=both[side].luck - 1))


def _hurt(both: Both, side: int, harm: int) -> Both:
    return _with(both, side, both[side]._replace(hp=max(0, both[side].hp - harm)))
