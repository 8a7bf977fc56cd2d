"""The facts on the table: a combat that is fought, and the board of a whole game.

What stays the same while dice fall lies in `Terms` and `War`, which keep their hash; what changes
lies beside them, small and quick to compare. Health is kept as points left until a unit is
removed, so that 0 is gone under every reading.
"""

from __future__ import annotations

from typing import Literal

from affray.core.dice import Pool
from affray.core.errors import RulesError
from affray.core.lazy import NamedTuple
from affray.core.node import keeps_hash
from affray.core.ruling import Rulings
from affray.systems.grid_battles.map.hexes import Hex
from affray.systems.grid_battles.reading import Rolled
from affray.systems.grid_battles.sheet import BonusKind, DiceSet, Scenario
from affray.systems.grid_battles.tables import Part

__all__ = [
    "PLAYERS",
    "Added",
    "Board",
    "Clash",
    "Condition",
    "Exchange",
    "Piece",
    "Player",
    "Status",
    "Terms",
    "War",
]  # fmt: skip

Player = Literal["attacker", "defender", "one", "other"]
"""The one who rolls and decides: a side of a single combat, or a player of a game."""
PLAYERS: tuple[Player, Player] = ("one", "other")
Status = Literal["fresh", "activated", "moved", "fought", "fatigued"]


# -- a combat --------------------------------------------------------------------------------


class Added(NamedTuple):
    """A bonus that counts in a round: what, how many, of which color, from where, for whom."""

    kind: BonusKind
    number: int
    colour: str
    source: str
    into: Part


@keeps_hash
class Clash(NamedTuple):
    """One round of a combat: who rolls what, and what comes on top.

    Attributes:
        striker, target: the players, as Round Attacker and Round Defender.
        names: the units of both. own: how many of their dice are their own.
        attack, defense: the pools, bonus dice included.
        advantage: whether the Round Attacker has Advantage. why: what gives or denies it.
        damage, bonus, shields: symbols that terrain adds after the roll.
        added: every bonus that counts, for people.
    """

    striker: Player
    target: Player
    names: tuple[str, str]
    own: tuple[int, int]
    attack: Pool
    defense: Pool
    advantage: bool
    why: str
    damage: int
    bonus: int
    shields: int
    added: tuple[Added, ...]


@keeps_hash
class Terms(NamedTuple):
    """The terms of a combat, settled as the attack is declared.

    Attributes:
        first: the attack. second: Battle Back; None where it is not possible.
        why_not: why it is not.
        asks: whether the defender may leave it.
        most: the points that attacker and defender have when fresh.
        points: the attacker's points, where several attack one after the other.
        following: the next attack on the same defender.
        rulings: the readings in force.
    """

    first: Clash
    second: Clash | None
    why_not: str
    asks: bool
    most: tuple[int, int]
    points: int
    following: Terms | None
    rulings: Rulings


# -- a game ----------------------------------------------------------------------------------


@keeps_hash
class War(NamedTuple):
    """The frame of a whole game, which no turn changes: scenario, dice, readings in force."""

    scenario: Scenario
    dice: DiceSet
    rulings: Rulings


class Piece(NamedTuple):
    """A unit on the board: where, with how many points, and how far it is in its turn."""

    hex: Hex
    points: int
    status: Status = "fresh"


class Board(NamedTuple):
    """A game as it stands.

    Attributes:
        war: what stays the same.
        pieces: units in the order of the scenario, side one first; None: removed.
        side: whose turn it is: 0 or 1.
        round: which round it is, from 1.
        escaped: how many units of each side have left the map.
        mover: who is on the move; -1: nobody.
        pair: attacker and target of the combat that is fought.
        winner: "one", "other" or "draw" once it is over.
    """

    war: War
    pieces: tuple[Piece | None, ...]
    side: int
    round: int = 1
    escaped: tuple[int, int] = (0, 0)
    mover: int = -1
    pair: tuple[int, int] | None = None
    winner: Literal["", "one", "other", "draw"] = ""


class Exchange(NamedTuple):
    """A combat from the declaration to what came of it, or a game with its combats.

    Attributes:
        terms: the combat that is fought; None between those of a game.
        attacker, defender: points that the two have left.
        backs: whether the Battle Back is fought now.
        rolled, shields: what the dice show; scored: hits, until they are applied.
        hits, back_hits: hits scored by attackers and in Battle Back.
        damage, taken: health lost to them, excess left out.
        battled_back: whether there was a Battle Back. why_not: why the last attack had none.
        fallen: attackers removed.
        board: the game, where there is one.
    """

    terms: Terms | None = None
    attacker: int = 0
    defender: int = 0
    backs: bool = False
    rolled: Rolled = Rolled()
    shields: int = 0
    scored: int = 0
    hits: int = 0
    back_hits: int = 0
    damage: int = 0
    taken: int = 0
    battled_back: bool = False
    why_not: str = ""
    fallen: int = 0
    board: Board | None = None

    @property
    def fought(self) -> Terms:
        """The combat that is fought.

        Raises:
            RulesError: there is none.
        """
        if self.terms is None:
            raise RulesError("a step of a combat came while none was fought")
        return self.terms

    @property
    def clash(self) -> Clash:
        """The round of dice that is fought.

        Raises:
            RulesError: there is none.
        """
        terms = self.fought
        if not self.backs:
            return terms.first
        if terms.second is None:
            raise RulesError("a Battle Back is fought that is not possible")
        return terms.second

    @property
    def game(self) -> Board:
        """The board.

        Raises:
            RulesError: a combat by itself has none.
        """
        if self.board is None:
            raise RulesError("a step of a game came in a combat by itself")
        return self.board


class Condition(NamedTuple):
    """The condition of a unit in a fight.

    Attributes:
        points: those left until it is removed.
        most: those of a fresh unit.
        tired: whether it had its turn in this round, where a ruling asks for it (A-13).
        status: in a game on the map: fresh, activated with what is left of its turn, or fatigued.
        hex: in a game on the map: where it stands.
    """

    points: int
    most: int = 0
    tired: bool = False
    status: str = ""
    hex: str = ""
