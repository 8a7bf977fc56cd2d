"""Every step in the book's order: the turn of a game, and in it the combats.

A combat by itself begins with the roll of the attack dice and ends after its last round. In a game
it is one of the attacks of a turn.

| part | steps |
|---|---|
| the turn | `begin_turn`, `activate`, `choose_mover`, `move`, `choose_attack` |
| a round of combat | `roll_attack`, `roll_defence`, `count_hits`, `apply_hits` |
| and then | `battle_back`, `end_combat`, `end_turn`, `end_game` |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from affray.core.errors import SetupError
from affray.core.modifier import Total
from affray.core.node import At, Chance, End, Go, Node, Option, choose
from affray.core.ruling import Rulings
from affray.core.step import step
from affray.systems.grid_battles import rulings as rule
from affray.systems.grid_battles.board import (
    attacks_of,
    called,
    ended,
    engaged,
    fresh,
    hampers,
    having,
    named,
    opening,
    piece_at,
    refreshed,
    seen,
    struck,
    unit_of,
    ways_of,
    with_piece,
)
from affray.systems.grid_battles.hexes import to_label
from affray.systems.grid_battles.numbers import (
    health_of,
    hits_total,
    points_of,
    pool_total,
    reduced,
    terms_of,
    why_not,
    wrong_dice,
)
from affray.systems.grid_battles.reading import Rolled, Shields, Symbols
from affray.systems.grid_battles.sheet import Setup
from affray.systems.grid_battles.state import PLAYERS, UNSEEN, Battle, Board, Piece, War

__all__ = ["STEPS", "declare", "declared"]


# -- before the first step -------------------------------------------------------------------


def declare(setup: Setup, rulings: Rulings) -> At[Battle]:
    """The start: a combat, or the first turn of a game.

    Raises:
        SetupError: dice that a ruling refuses, a unit that is not there any more, or an attack
            that is out of range or without Line of Sight.
    """
    wrong = wrong_dice(setup.dice, rulings)
    if wrong:
        raise SetupError(wrong)
    if setup.scenario is not None:
        board = opening(War(setup.scenario, setup.dice, rulings))
        return At(begin_turn, Battle(board=board))
    for unit in (setup.attacker, *setup.followers):
        who = unit.name or "the attacker"
        if reason := why_not(replace(setup, attacker=unit, followers=()), rulings):
            raise SetupError(f"attacker: {who} can't attack from there: {reason}")
    for unit in (setup.attacker, *setup.followers, setup.defender):
        if not points_of(unit.health, rulings):
            raise SetupError(
                f"{unit.name or 'a unit'} has no health left and is no longer present (GB-16); "
                "give it some health"
            )
    points = [points_of(unit.health, rulings) for unit in (setup.attacker, setup.defender)]
    return declared(setup, points[0], points[1], rulings)


def declared(setup: Setup, attacker: int, defender: int, rulings: Rulings) -> At[Battle]:
    """The start of a combat that is allowed, between two units with these points left."""
    return At(roll_attack, Battle(terms_of(setup, rulings), attacker, defender))


# -- a turn ----------------------------------------------------------------------------------


@step("GB-40", "GB-42", "GB-43")
def begin_turn(x: Battle) -> Node[Battle]:
    """The next player with fresh units has a turn; when nobody has any, a new round begins."""
    board = x.game
    rulings = board.war.rulings
    mine, theirs = fresh(board, board.side), fresh(board, 1 - board.side)
    if mine:
        return Go(activate, x)
    if theirs and rulings[rule.NO_FRESH] == "passes":
        return Go(begin_turn, x._replace(board=board._replace(side=1 - board.side)))
    if board.round >= board.war.scenario.rounds:
        return Go(end_game, x._replace(board=board._replace(winner="draw")))
    return Go(begin_turn, x._replace(board=refreshed(board, rulings)))


@begin_turn.says
def _(before: Battle, after: Battle) -> str:
    old, new = before.game, after.game
    if new.winner:
        return f"Round {old.round} was the last one."
    if new.round != old.round:
        return f"Round {new.round} begins: all units are fresh."
    if new.side != old.side:
        return f"Player {PLAYERS[old.side]} has no fresh unit and passes."
    return f"Round {new.round}: a turn of player {PLAYERS[new.side]}."


@step("GB-43", "GB-44")
def activate(x: Battle) -> Node[Battle]:
    """Activation: the player names the units of this turn, as many as the scenario says."""
    board = x.game
    war, rulings = board.war, board.war.rulings
    left, chosen = fresh(board, board.side), having(board, board.side, "activated")
    missing = min(war.scenario.activations - len(chosen), len(left))
    enough = bool(chosen) and rulings[rule.ACTIVATIONS] == "up_to"
    done = At(choose_mover, x._replace(board=board._replace(named=0)))
    if not missing:
        return Go(*done)
    options, closed = [], []
    if enough:
        options.append(Option("enough", done))
    waiting = [place for place in left if place >= board.named]
    for number, place in enumerate(waiting):
        # Units are named in the order of the list, so that no set of them comes up twice.
        if len(waiting) - number < missing and rulings[rule.ACTIVATIONS] == "exactly":
            reason = f"{missing} units must be named, in the order of the list (GB-44)"
            closed.append((named(war, place), reason))
            continue
        piece = piece_at(board, place)._replace(status="activated")
        after = board._replace(pieces=with_piece(board, place, piece), named=place + 1)
        options.append(Option(named(war, place), At(activate, x._replace(board=after))))
    passed = [place for place in left if place < board.named]
    closed += [(named(war, place), "passed over; units are named in order") for place in passed]
    tired = having(board, board.side, "fatigued")
    closed += [(named(war, place), "fatigued until the next round (GB-41)") for place in tired]
    return choose(
        PLAYERS[board.side], "which unit is activated?", options, seen(board), tuple(closed)
    )


# -- movement --------------------------------------------------------------------------------


@step("GB-43", "GB-45", "GB-50")
def choose_mover(x: Battle) -> Node[Battle]:
    """Movement: activated units move one at a time, in an order that their player picks."""
    board = x.game
    waiting = having(board, board.side, "activated")
    if not waiting:
        return Go(choose_attack, x)
    options = [
        Option(named(board.war, place), At(move, x._replace(board=board._replace(mover=place))))
        for place in waiting
    ]
    return choose(PLAYERS[board.side], "which unit moves next?", options, seen(board))


@step("GB-45", "GB-51", "GB-52", "GB-53", "GB-54", "GB-55")
def move(x: Battle) -> Node[Battle]:
    """Movement: a unit goes as far as its points take it, or stays; then its move is final."""
    board = x.game
    place = board.mover
    piece = piece_at(board, place)._replace(status="moved")
    ways = ways_of(board, place)
    points = unit_of(board.war, place).move

    def put(piece: Piece) -> At[Battle]:
        pieces = with_piece(board, place, piece)
        return At(choose_mover, x._replace(board=board._replace(pieces=pieces, mover=-1)))

    options = [Option("stay", put(piece), 0, f"stays on {to_label(piece.hex)}")]
    for hex_, cost, way in ways.reached:
        there = piece._replace(hex=hex_, status="fought" if hampers(board, hex_) else "moved")
        steps = " ".join(map(to_label, way))
        words = f"goes {steps}, {cost} of {points} movement points"
        options.append(Option(to_label(hex_), put(there), 0, words))
    closed = tuple([(to_label(hex_), reason) for hex_, reason in ways.closed])
    ask = f"where does {called(board.war, place)} go?"
    return choose(PLAYERS[board.side], ask, options, seen(board), closed)


# -- attacks ---------------------------------------------------------------------------------


@step("GB-1", "GB-2", "GB-43", "GB-46", "GB-49", "GB-67")
def choose_attack(x: Battle) -> Node[Battle]:
    """Attack: each activated unit may attack one enemy, one combat after the other."""
    board = x.game
    war = board.war
    attacks = attacks_of(board)
    options = [Option("end", At(end_turn, x), 0, "no further attack in this turn")]
    for place, foe in attacks.open:
        piece, target = piece_at(board, place), piece_at(board, foe)
        pieces = with_piece(board, place, piece._replace(status="fought"))
        after = board._replace(pieces=pieces, pair=(place, foe))
        terms = engaged(board, place, foe)
        fight = Battle(terms, piece.points, target.points, board=after)
        words = f"{called(war, place)} attacks {called(war, foe)}"
        options.append(Option(_pair(board, place, foe), At(roll_attack, fight), 0, words))
    closed = tuple([(_pair(board, a, b), reason) for a, b, reason in attacks.closed])
    return choose(PLAYERS[board.side], "which attack comes next?", options, seen(board), closed)


def _pair(board: Board, attacker: int, target: int) -> str:
    return f"{named(board.war, attacker)}-on-{named(board.war, target)}"


# -- a round of combat -----------------------------------------------------------------------


@step("GB-3", "GB-8", "GB-10", "GB-18", "GB-20", "GB-22", "GB-24", aside=UNSEEN)
def roll_attack(x: Battle) -> Node[Battle]:
    """The Round Attacker rolls attack dice, own ones and those of terrain."""
    clash = x.clash
    ask = "Battle Back, attack dice" if x.backs else "attack dice"
    read = Symbols(clash.advantage)
    return Chance(clash.striker, ask, clash.attack, read, "rolled", At(roll_defence, x))


@roll_attack.says
def _(before: Battle, after: Battle) -> list[str | Total]:
    clash, rolled = before.clash, after.rolled
    told: list[str | Total] = []
    total = pool_total(clash, "attack")
    if total.terms:
        told.append(total)
    if not clash.advantage:
        return [*told, f"{clash.names[0]}: {rolled.damage} Damage."]
    bonus = f"{rolled.damage} Damage, {rolled.bonus} Bonus Damage"
    return [*told, f"{clash.names[0]}, with Advantage ({clash.why}): {bonus}."]


@step("GB-4", "GB-8", "GB-19", "GB-20", "GB-22", "GB-25", aside=("rolled", *UNSEEN))
def roll_defence(x: Battle) -> Node[Battle]:
    """The Round Defender rolls defence dice, own ones and those of terrain."""
    clash = x.clash
    then = At(count_hits, x)
    ask = "Battle Back, defence dice" if x.backs else "defence dice"
    return Chance(clash.target, ask, clash.defence, Shields(), "shields", then)


@roll_defence.says
def _(before: Battle, after: Battle) -> list[str | Total]:
    clash = before.clash
    total = pool_total(clash, "defence")
    shields = "1 Shield" if after.shields == 1 else f"{after.shields} Shields"
    told = f"{clash.names[1]}: {shields}."
    return [total, told] if total.terms else [told]


@step(
    "GB-5", "GB-11", "GB-12", "GB-13", "GB-14", "GB-15", "GB-23", "GB-26", "GB-27", "GB-28",
    aside=UNSEEN,
)  # fmt: skip
def count_hits(x: Battle) -> Node[Battle]:
    """Scored hits: all Damage, with Advantage all Bonus Damage, less all Shields."""
    return _scored(x, _hits(x, x.rolled))


def _hits(x: Battle, rolled: Rolled) -> int:
    clash = x.clash
    hits = rolled.damage + clash.damage - x.shields - clash.shields
    if clash.advantage:
        hits += rolled.bonus + clash.bonus
    return hits if hits >= 0 or x.fought.rulings[rule.NEGATIVE] == "heals" else 0


def _scored(x: Battle, hits: int) -> Go[Battle]:
    return Go(apply_hits, x._replace(rolled=Rolled(), shields=0, scored=hits))


@count_hits.at_once("rolled")
def _(x: Battle, values: Sequence[object]) -> tuple[list[Go[Battle]], list[int]]:
    different: dict[int, int] = {}
    which = [
        different.setdefault(_hits(x, rolled), len(different))
        for rolled in cast("Sequence[Rolled]", values)
    ]
    return [_scored(x, hits) for hits in different], which


@count_hits.says
def _(before: Battle, after: Battle) -> list[str | Total]:
    floor = before.fought.rulings[rule.NEGATIVE] == "zero"
    total = hits_total(before.clash, *before.rolled, before.shields, floor=floor)
    return [total, f"Scored hits: {after.scored}."]


@step("GB-5", "GB-9", "GB-16", "GB-47")
def apply_hits(x: Battle) -> Node[Battle]:
    """Each scored hit takes a point of health; a unit without any is removed."""
    terms, hits = x.fought, x.scored
    if x.backs:
        left = reduced(x.attacker, hits, terms.most[0])
        after = x._replace(
            attacker=left,
            scored=0,
            back_hits=x.back_hits + hits,
            taken=x.taken + max(0, x.attacker - left),
            fallen=x.fallen + (left == 0),
        )
    else:
        left = reduced(x.defender, hits, terms.most[1])
        after = x._replace(
            defender=left,
            scored=0,
            hits=x.hits + hits,
            damage=x.damage + max(0, x.defender - left),
        )
    if x.board is not None and x.board.pair is not None:
        board = struck(x.board, x.board.pair[0 if x.backs else 1], left)
        after = after._replace(board=board)
        if board.winner:
            return Go(end_game, after)
    return Go(end_combat if x.backs else battle_back, after)


@apply_hits.says
def _(before: Battle, after: Battle) -> str:
    rulings, name = before.fought.rulings, before.clash.names[1]
    left = after.attacker if before.backs else after.defender
    if left:
        return f"{name} has {health_of(left, rulings)} health."
    winner = after.board.winner if after.board else ""
    won = f" Player {winner} has won." if winner else ""
    return f"{name} is removed.{won}"


# -- Battle Back, and on ---------------------------------------------------------------------


@step("GB-6", "GB-7", "GB-8", "GB-9", "GB-29")
def battle_back(x: Battle) -> Node[Battle]:
    """Battle Back: a defender that is still present strikes once, with the roles reversed."""
    terms = x.fought
    if not x.defender:
        return Go(end_combat, x._replace(why_not="removed"))
    if terms.second is None:
        return Go(end_combat, x._replace(why_not=terms.why_not))
    strikes = At(roll_attack, x._replace(backs=True, battled_back=True))
    if not terms.asks:
        return Go(*strikes)
    options = (
        Option("strike", strikes),
        Option("hold", At(end_combat, x._replace(why_not="declined"))),
    )
    return choose(terms.second.striker, "Battle Back?", options)


@battle_back.says
def _(before: Battle, after: Battle) -> str:
    return "The roles are reversed." if after.backs else f"No Battle Back: {after.why_not}."


@step("GB-7", "GB-46")
def end_combat(x: Battle) -> Node[Battle]:
    """The combat is over; the next attack on the same defender, or of this turn, may follow."""
    if x.board is not None:
        return Go(choose_attack, Battle(board=x.board._replace(pair=None)))
    following = x.fought.following
    if following is None or not x.defender:
        return End(x)
    after = x._replace(terms=following, attacker=following.points, backs=False, why_not="")
    return Go(roll_attack, after)


@step("GB-41")
def end_turn(x: Battle) -> Node[Battle]:
    """The turn is over: its units are fatigued, the other player is next."""
    return Go(begin_turn, x._replace(board=ended(x.game)))


@step("GB-47")
def end_game(x: Battle) -> Node[Battle]:
    """The game ends the moment that it is decided, whatever was still to come."""
    return End(Battle(board=x.game._replace(pair=None)))


STEPS = (
    begin_turn, activate, choose_mover, move, choose_attack, roll_attack, roll_defence, count_hits,
    apply_hits, battle_back, end_combat, end_turn, end_game,
)  # fmt: skip
"""Every step, in the order of the book."""
