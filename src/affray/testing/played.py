"""Fights that people play: undo, replay, conditions as `apply` says, the battle all the same."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import fields
from itertools import pairwise
from typing import Any

from affray.core.dice import Face
from affray.core.errors import AnswerError, SetupError
from affray.core.fight import Fight, Kept
from affray.engine.exchange.session import Answer
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import FighterId
from affray.engine.fight.played.boards import after_exchange, after_round
from affray.engine.fight.played.computers import Computer
from affray.engine.fight.played.hands import (
    AskAgain,
    Enter,
    Hand,
    Leave,
    SetBetween,
    SetCondition,
    SetFirst,
    SetOrder,
)
from affray.engine.fight.played.play import PlayedBattle, play_battle
from affray.engine.fight.played.position import Conditions, Event, Exchange, Ground, Position
from affray.engine.fight.played.session import FightSession
from affray.testing.cases import Case
from affray.testing.fights import fights_and_duels
from affray.testing.law import Law, law
from affray.testing.material import Material

__all__ = ["LAWS", "conditions_apart", "random_fight", "same_battle_apart", "state_of"]

MOVES = 60
"""Moves of a random fight, at most."""
ROUNDS = 8
FEW = 2
MANY = 30
"""After a battle of more exchanges than this, no other one of its fight is compared."""
HANDS = 0.06
"""The chance that a game master has a hand in a move of a random fight."""
_PURE = (
    "Functions of `Fight` may use nothing but their arguments and must leave them as they are; "
    "run the laws of `fights` on purity first."
)


def _fights(material: Material) -> Iterator[Case]:
    """The shipped fights and some duels of the roster, with nothing decided beforehand."""
    if "undecided fights" not in material.kept:
        material.kept["undecided fights"] = [
            Case(case.where, case.thing.undecided()) for case in fights_and_duels(material)
        ]
    yield from material.kept["undecided fights"]


def _planned(material: Material) -> Iterator[Case]:
    yield from fights_and_duels(material)


# -- random fights -------------------------------------------------------------------------------


def random_fight(
    contest: Contest,
    seed: int,
    *,
    hands: bool = False,
    unsaid: frozenset[tuple[int, str]] | None = None,
    scene: bool = False,
) -> Iterator[FightSession]:
    """Every session of a fight in which everything is rolled and chosen by chance.

    Args:
        contest: the fight.
        seed: for all of that.
        hands: whether a game master has a hand in it now and then.
        unsaid: what of the situation is asked (see `Position.unsaid`); None: everything.
        scene: whether that is asked before the first round.
    """
    chance = random.Random(f"fight {seed}")
    session = FightSession(
        contest, ROUNDS, everything_unsaid(contest) if unsaid is None else unsaid, scene=scene
    )
    yield session
    for _ in range(MOVES):
        question = session.question
        if question is None:
            return
        moved = _by_hand(session, chance) if hands and chance.random() < HANDS else None
        if moved is None and question.dice is not None:
            moved = session.answer([chance.choice(die.faces) for die in question.dice.dice])
        elif moved is None:
            moved = _chosen(session, chance)
        session = moved
        yield session


def _random_fight(material: Material, contest: Contest, seed: int) -> Sequence[FightSession]:
    """A random fight in which a game master has a hand, the same for every law."""
    key = ("random fight", contest, seed)
    if key not in material.kept:
        material.kept[key] = list(random_fight(contest, seed, hands=True))
    found: Sequence[FightSession] = material.kept[key]
    return found


def everything_unsaid(contest: Contest) -> frozenset[tuple[int, str]]:
    """Everything that the system asks of the situation, whoever acts."""
    return frozenset((side, matter.key) for side in (0, 1) for matter in contest.fight.matters)


def _chosen(session: FightSession, chance: random.Random) -> FightSession:
    """The session after some option; one that the rules refuse at a later step is left out."""
    question = session.question
    assert question is not None
    names = [option.name for option in question.options]
    chance.shuffle(names)
    refused = None
    for name in names:
        try:
            return session.answer(name)
        except AnswerError as error:
            refused = error
    raise AssertionError(f"{question.ask}: no option can be taken") from refused


def _by_hand(session: FightSession, chance: random.Random) -> FightSession | None:
    """The session after some game master's hand; None: none can be played now."""
    here = session.position
    everybody = here.course.everybody
    who = chance.choice(everybody)
    hand: Hand = chance.choice(
        (
            Leave(who),
            Enter(who.side, here.sheet(who)),
            _setting(here, who, chance),
            _between(here, who, chance),
            AskAgain(),
            SetFirst(chance.choice(("one", "other", "coin", "alternate", "seats"))),
            SetOrder(tuple(chance.sample(everybody, chance.randint(0, len(everybody))))),
        )
    )
    with suppress(AnswerError, SetupError):
        return session.hand(hand)
    return None


def _setting(here: Position, who: FighterId, chance: random.Random) -> Hand:
    """One thing of a condition set to a small number, which it may not allow."""
    keys = [line.key for line in here.contest.fight.told(*here.both(who)) if line.key]
    return SetCondition(who, chance.choice(keys or [""]), chance.randint(0, 3))


def _between(here: Position, who: FighterId, chance: random.Random) -> Hand:
    """One thing of the other side's situation that holds for one fighter as well."""
    situation: Any = here.contest.sides[1 - who.side].situation
    fighters = {"attacker", "defender"}
    keys = sorted({field.name for field in fields(situation)} - fighters) or ["attacker"]
    key = chance.choice(keys)
    return SetBetween(Ground(who, None, key, getattr(situation, key)), key)


def state_of(session: FightSession) -> tuple[object, ...]:
    """Everything that a fight has come to, to be compared."""
    here = session.position
    return (
        here.moment, here.conditions, here.names, sorted(here.gone), dict(here.rolls), here.order,
        dict(here.attacked), here.grounds, here.unsaid, here.board, here.course,
        session.question,
        session.verdict, None if session.exchange is None else session.exchange.log,
    )  # fmt: skip


def _told(event: Event) -> tuple[object, ...]:
    log = None if event.session is None else event.session.log
    return (*event._replace(session=None), log)


# -- the laws ------------------------------------------------------------------------------------


@law("played", _PURE, over=_fights)
def undo_inverts_a_move_of_a_fight(material: Material, contest: Contest) -> Iterator[str]:
    """Undo leads back to where the move was made, and the same move leads on again."""
    for before, after in pairwise(_random_fight(material, contest, 1)):
        if state_of(after.undo()) != state_of(before):
            yield f"undoing move {len(after.moves)} leads elsewhere"
            return
        move = after.move
        assert move is not None
        if state_of(after.undo().replay([move])) != state_of(after):
            yield f"move {len(after.moves)}, done again, leads elsewhere"
            return


@law("played", _PURE, over=_fights)
def the_same_moves_replay_identically(material: Material, contest: Contest) -> Iterator[str]:
    """The same moves lead to the same place by the same way, byte for byte."""
    for seed in range(FEW):
        last = _random_fight(material, contest, seed)[-1]
        unsaid = everything_unsaid(contest)
        again = FightSession(contest, ROUNDS, unsaid).replay(last.moves)
        for number, (one, other) in enumerate(zip(again.line, last.line, strict=True)):
            told = [repr([_told(event) for event in each.events]).encode() for each in (one, other)]
            if state_of(one) != state_of(other) or told[0] != told[1]:
                yield f"it goes another way after move {number}"
                return


@law("played", _PURE, over=_fights)
def conditions_are_what_apply_says(material: Material, contest: Contest) -> Iterator[str]:
    """Conditions change by exchanges as `apply` says, by turns and rounds, and by a hand only."""
    for seed in range(FEW):
        last = _random_fight(material, contest, seed)[-1]
        yield from conditions_apart(last)


def conditions_apart(session: FightSession) -> Iterator[str]:
    """The events of a fight after which conditions are not what the rules say."""
    begun = session.line[0]
    now = begun.position.in_full if not begun.events else None
    for one in session.line:
        for event in one.events:
            if not event.after:
                continue
            if now is not None and event.before != now:
                yield f"round {event.round}: conditions change between two events"
                return
            now = event.after
            if one.position.board is None:
                expected = _expected(one.position, event)
            else:
                expected = _expected_on_board(one.position, event)
            if expected is not None and event.after != expected:
                yield f"round {event.round}, {event.kind}: conditions are not what the rules say"
                return
        if now is not None and one.position.in_full != now:
            yield f"round {one.moment.round}: conditions change without an event"
            return


def _expected_on_board(here: Position, event: Event) -> Conditions | None:
    """As `_expected`, where all share a board, which has to be the expected one as well."""
    if event.kind in {"hand", "turn"} or not event.boards:
        return _expected(here, event)
    there = here._replace(conditions=event.before, board=event.boards[0])
    if event.kind == "close":
        found = after_round(there)
    else:
        session, actor, target = event.session, event.fighter, event.target
        assert session is not None
        assert session.outcome is not None
        assert actor is not None
        assert target is not None
        deeds = here.contest.deeds(actor.side, *there.both(actor))
        deed = next(deed for deed in deeds if deed.name == event.deed)
        found = after_exchange(there, Exchange(actor, deed, target, session), session.outcome)
    return found.conditions if found.board == event.boards[1] else ((), ())


def _expected(here: Position, event: Event) -> Conditions | None:
    """The conditions after an event, worked out once more; None: somebody set them by hand."""
    fight = here.contest.fight
    rules: Fight[Any, Any, Any, Any, Any] | Kept[Any, Any, Any] = fight.kept or fight
    found = {
        FighterId(side, place): condition
        for side, conditions in enumerate(event.before)
        for place, condition in enumerate(conditions)
    }
    if event.kind == "hand":
        return None
    if event.kind == "turn" and event.fighter is not None:
        found[event.fighter] = fight.begin_turn(here.sheet(event.fighter), found[event.fighter])
    if event.kind == "close":
        found = {who: rules.end_round(here.sheet(who), now) for who, now in found.items()}
    if event.kind == "exchange" and event.session is not None:
        outcome, actor, target = event.session.outcome, event.fighter, event.target
        assert outcome is not None
        assert actor is not None
        assert target is not None
        mates = [who for who in found
                 if who.side == target.side and who != target and who not in here.gone]  # fmt: skip
        rows: list[tuple[FighterId, Any]] = [
            (actor, fight.effect(outcome, "actor")),
            (target, fight.effect(outcome, "target")),
            *((mates[place], effect) for place, effect in fight.helped(outcome)),
        ]
        for who, effect in rows:
            sheet, old = here.sheet(who), found[who]
            found[who] = rules.apply(sheet, old, effect)
            common = fight.common(sheet, found[who])
            if common is not None and common != fight.common(sheet, old):
                for mate in found:
                    if mate.side == who.side and mate != who and mate not in here.gone:
                        found[mate] = fight.with_common(here.sheet(mate), found[mate], common)
    one, other = (
        tuple(now for who, now in sorted(found.items()) if who.side == side) for side in (0, 1)
    )
    return one, other


@law("played", "Options must mean the same whoever takes them, and their order must be fixed.",
     over=_planned)  # fmt: skip
def people_and_battles_fight_the_same_fight(material: Material, contest: Contest) -> Iterator[str]:
    """Played with the first option on both sides, a fight is the battle with the same faces."""
    for seed in range(FEW):
        battle = play_battle(contest, seed=seed, rounds=ROUNDS)
        yield from same_battle_apart(contest, battle)
        if len(battle.exchanges) > MANY:  # one that is long will do
            break


def same_battle_apart(contest: Contest, battle: PlayedBattle) -> Iterator[str]:
    """The differences of a battle to the fight of people who decide alike and roll its faces.

    Args:
        contest: the fight, with the plans by which the battle was fought.
        battle: the battle; each side went for the weakest.
    """
    computer = Computer(contest)
    session = FightSession(contest.undecided(), ROUNDS)
    faces = _faces(battle)
    while (question := session.question) is not None:
        if question.kind == "order" and question.dice is not None:
            session = session.answer(_named(session, question.dice.dice[0].faces, battle))
        elif question.dice is not None:
            given = [next(faces, None) for _ in range(question.dice.size)]
            if None in given:
                yield f"round {session.moment.round}: {question.ask} needs more faces"
                return
            session = session.answer([face for face in given if face is not None])
        else:
            answer = computer(session)
            assert answer is not None
            session = session.answer(answer)
    fought = [(event.round, event.fighter, event.deed, event.target, event.after)
              for event in session.log if event.kind == "exchange"]  # fmt: skip
    expected = [(entry.round, entry.actor, entry.deed, entry.target) for entry in battle.exchanges]
    if [row[:4] for row in fought] != expected:
        yield f"the battle has {len(expected)} exchanges, the fight {len(fought)} or other ones"
        return
    vitals = [_vitals(contest, after) for *_, after in fought]
    if vitals != [_vitals(contest, entry.conditions) for entry in battle.exchanges]:
        yield "an exchange leaves other points than in the battle"
    elif session.verdict != battle.verdict:
        yield f"it ends {session.verdict!r}, the battle {battle.verdict!r}"


def _faces(battle: PlayedBattle) -> Iterator[Face]:
    for answer in (*battle.initiative, *(a for entry in battle.exchanges for a in entry.answers)):
        yield from answer.faces


def _named(session: FightSession, faces: tuple[Face, ...], battle: PlayedBattle) -> Answer:
    """The face of those that are equal which comes first in the battle's order of the round."""
    order = battle.orders[session.moment.round - 1]
    here = session.position
    names = [name for who in order
             for name in (here.name(who), here.contest.sides[who.side].name)]  # fmt: skip
    first = next(name for name in names if name in faces)
    return Answer(faces=(first,), by=("other",))


def _vitals(contest: Contest, conditions: Conditions) -> list[list[int]]:
    return [
        [contest.fight.vitals(*one) for one in zip(side.fighters, row, strict=True)]
        for side, row in zip(contest.sides, conditions, strict=True)
    ]


LAWS: tuple[Law, ...] = (
    undo_inverts_a_move_of_a_fight,
    the_same_moves_replay_identically,
    conditions_are_what_apply_says,
    people_and_battles_fight_the_same_fight,
)
