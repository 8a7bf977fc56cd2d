"""From one exchange to a fight: what a system says beyond its steps, so that it can go on.

A fight is a row of exchanges. Between them every fighter has a condition: a small frozen record.
An exchange is declared from two conditions, follows the steps like any other, and its outcome is
applied to the conditions of those who took part:

    declare (scene)                      -> the first place of the exchange
    effect  (outcome, role)              -> what it did to one who took part
    apply   (sheet, condition, effect)   -> their new condition

Engines work out an exchange once for all conditions that declare the same facts. So that there are
few of them, a room may hide what only the end of an exchange looks at (how much damage there was
before; `Hints.hidden`). Engines declare with an `Unknown` in its place; the first step that looks
at it is followed for each value, nothing before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from affray.core.board import Board
from affray.core.deed import ATTACK, Deed, Gauge, Threshold, Told, gauged
from affray.core.dice import Pool
from affray.core.lazy import NamedTuple, dataclass
from affray.core.matter import Matter
from affray.core.node import At, Choice, Facts, Step
from affray.core.reading import Read
from affray.core.ruling import Rulings
from affray.core.scene import Scene
from affray.core.unknown import UNKNOWN, Looked, Unknown

__all__ = [
    "ATTACK", "UNKNOWN", "WIN", "Deed", "Fight", "Gauge", "Interlude", "Kept", "Looked", "Rest",
    "Role", "Scene", "Threshold", "Told", "Unknown", "Whole", "as_they_are", "called", "gauged",
    "nothing_apart", "nothing_settled", "renamed", "same",
]  # fmt: skip

F = TypeVar("F", bound=Facts)
C = TypeVar("C", bound=Hashable)
S = TypeVar("S", bound=Hashable)
P = TypeVar("P", bound=Hashable)
E = TypeVar("E", bound=Hashable)

WIN = "win"
"""What is wanted of a whole fight, instead of exchange by exchange: the chance to win it."""

Role: TypeAlias = Literal["actor", "target"]


class Interlude(NamedTuple):
    """Something that befalls fighters between turns, once a round, at a count of initiative.

    Attributes:
        at: a number of initiative: a fighter who rolled at least as much acts before it, the
            others act after it. Without rolls it comes before all turns.
        deed: what befalls each of them, as a deed on oneself that is forced.
        on: whom it befalls: foes of the fighter whose sheet brings it, or everybody.
    """

    at: int
    deed: Deed
    on: Literal["foes", "everybody"] = "foes"


class Rest(NamedTuple):
    """Something that may be done between two fights: its name, and what it brings, in words."""

    name: str
    words: str


class Kept(NamedTuple, Generic[S, C, E]):
    """How a condition goes on with everything that people keep of it, down to the last point.

    `Fight.apply` and `Fight.end_round` may cut what no rule of this fight looks at any more, such
    as how far somebody who lies on the ground is beyond the point where they fell: engines have
    fewer conditions then. Played fights keep this beside it, to be told and for the next fight.
    Cut by `settled`, one is the other at any time.

    Attributes:
        apply: like `Fight.apply`, with nothing cut.
        end_round: like `Fight.end_round`, with nothing cut.
        settled: such a condition as `Fight.apply` and `Fight.end_round` leave it.
    """

    apply: Callable[[S, C, E], C]
    end_round: Callable[[S, C], C]
    settled: Callable[[S, C], C]


def _not_told(at: At[F]) -> bool | None:
    return None


class Whole(NamedTuple, Generic[F, S, C]):
    """How an exchange that is a whole fight by itself, such as a game on a map, is seen as one.

    Nothing is declared from conditions and nothing is applied to them: they are read off the facts.

    Attributes:
        fits: whether an exchange that begins with these facts is such a fight.
        roles: those of `System.actors` that stand for the two sides.
        fighters: the sheets of both sides, in order. names: their names, as logs have them.
        conditions: everybody's, in the same order; for those who are out as well.
        round: the number of the round.
        verdict: "one", "other", "drawn" or "ended", once it is over.
        hits: of a place where an attack is settled, whether it hits; None: of any other place.
    """

    fits: Callable[[F], bool]
    roles: tuple[str, str]
    fighters: Callable[[F], tuple[tuple[S, ...], tuple[S, ...]]]
    names: Callable[[F], tuple[tuple[str, ...], tuple[str, ...]]]
    conditions: Callable[[F], tuple[tuple[C, ...], tuple[C, ...]]]
    round: Callable[[F], int]
    verdict: Callable[[F], Literal["one", "other", "drawn", "ended"]]
    hits: Callable[[At[F]], bool | None] = _not_told


def _alone(sheet: S, condition: C) -> bool:
    return False


def _no_clash(situations: tuple[P, P], sheets: tuple[Sequence[S], Sequence[S]]) -> str | None:
    return None


def _unmoved(sheet: S, condition: C, foes: Sequence[S]) -> C:
    return condition


def _beside_anybody(sheet: S, condition: C, mates: Sequence[S], foes: Sequence[S]) -> C:
    return condition


def _no_context(others: Sequence[tuple[S, C]]) -> Hashable:
    return None


def _any_mate(sheet: S) -> bool:
    return True


def _nobody(outcome: F) -> tuple[tuple[int, E], ...]:
    return ()


def _no_mates(facts: F) -> tuple[int, ...]:
    return ()


def renamed(setup: P, actor: str, target: str) -> P:
    """The setup, with other names for `attacker` and `defender`: `Fight.named` of most rooms.

    Args:
        setup: a dataclass with both sheets, dataclasses with a `name`.
        actor: the attacker's name.
        target: the defender's name.
    """
    given: Any = setup
    one = replace(given.attacker, name=actor)
    other = one if given.attacker is given.defender else replace(given.defender, name=target)
    named: P = replace(given, attacker=one, defender=other)
    return named


@lru_cache(maxsize=4096)
def called(sheet: S, name: str) -> S:
    """A sheet with another name, if it has one."""
    given: Any = sheet
    if getattr(given, "name", name) == name:
        return sheet
    other: S = replace(given, name=name)
    return other


def same(sheet: S, condition: C) -> C:
    """The condition unchanged: nothing happens at the start of a turn or the end of a round."""
    return condition


def _always_attacks(sheet: S, condition: C) -> tuple[Deed, ...]:
    return (ATTACK,)


def _nothing_extra(sheet: S, condition: C) -> tuple[Deed, ...]:
    return ()


def _no_extras(sheet: S, condition: C, rulings: Rulings) -> int:
    return 0


def _no_say(sheet: S, condition: C) -> bool | None:
    return None


def _no_interludes(sheet: S, rulings: Rulings) -> tuple[Interlude, ...]:
    return ()


def _no_needs(sheet: S, condition: C) -> int:
    return 0


def _no_fate(sheet: S, condition: C) -> str:
    return ""


def nothing_settled(sheet: S, condition: C) -> Deed | None:
    """No deed: nothing is left, or urgent, to settle."""
    return None


def _own_alone(sheet: S, condition: C) -> Hashable:
    return None


def _not_common(sheet: S, condition: C, common: Hashable) -> C:
    return condition


def _anybody(sheet: S, rulings: Rulings) -> bool:
    return True


def _nothing_left(sheet: S, condition: C) -> Mapping[str, int]:
    return {}


def _nothing_to_tell(sheet: S, condition: C) -> tuple[Told, ...]:
    return ()


def as_they_are(setup: P, actor: str, target: str) -> P:
    """The setup with the names it has, where options are called by them: see `Fight.named`."""
    return setup


def _where_it_stands(setup: P, condition: C, rulings: Rulings) -> C:
    return condition


def _nothing_assumed(setup: P) -> Mapping[str, object]:
    return {}


def nothing_apart(step: str, option: str) -> str | None:
    """All options belong to the exchange: see `Fight.apart`."""
    return None


def _nothing_to_say(at: At[F], choice: Choice[F]) -> Sequence[float]:
    return ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Fight(Generic[F, P, S, C, E]):
    """The way a system's exchanges make a fight; the contents of a room's `fight.py`.

    All functions are pure. The types are those of the facts, the setup, a sheet (what stands in
    the setup as attacker and defender), a condition, and an effect.

    Attributes:
        enter: the condition with which a fighter comes into a fight.
        meets: that condition once the sheets of all foes are known.
        beside: that condition once those of all own mates are known as well; asked of everybody
            anew when somebody comes in.
        clash: why the situations of the two sides and the sheets of all fighters don't fit
            together; None: they do.
        declare: the first place of an exchange.
        effect: what the outcome of an exchange did to one who took part, as a small record.
        apply: a condition after an effect.
        is_out: whether a fighter is out of the fight.
        vitals: points left until a fighter is out; 0 when out.
        harm: points of damage in an effect.
        hits: the outcome field that is true, or above 0, where an attack on a foe hits; "": the
            rules know no hits.
        deeds: what a fighter can do in a turn, the most urgent first.
        needs: how much a fighter needs a friend's help; 0: not at all. Those who are out come
            before those who stand, and need it whatever this says.
        begin_turn: a condition at the start of the fighter's own turn.
        end_round: a condition when everybody has had a turn.
        initiative: a number and one that breaks ties, the highest acts first; who is equal in
            both rolls off once for a fight. None: the rules know no order, sides take turns.
        initiative_roll: what each fighter rolls once for a fight: dice, and a read that makes one
            number of them. It is kept and added.
        context: what a declaration needs to know about the target's other side mates, given as
            pairs of sheet and condition; few different values, or engines get slow.
        in_context: whether `context` may tell of a mate with this sheet at all; where it tells of
            nobody, battles needn't ask.
        minds_mates: whether what a fighter in this condition does to a foe depends on the own
            mates too, as `context` tells of them.
        helped: what the outcome did to the target's mates who took part, as pairs of their place
            among those that `context` was given and an effect.
        caught: the places among them of those who share the target's role in an exchange: first
            that of its second actor, then that of its third.
        ends: whether this fighter has had what ends a fight by rule; None: has no say. It is
            over when somebody of a side says so and nobody of it denies it.
        resources: what can be spent, by name, as it is left.
        actions: exchanges in one turn, at most.
        interludes: what a fighter brings to the field that befalls others between turns, such as
            a lair; only where the order of turns is that of the rolls.
        actions_of: how many of them a fighter in this condition has; asked before each: another
            one follows while fewer are done. None: all of them.
        extras: how often a fighter who comes into a fight in this condition may act once more at
            the end of a round, at most, when everybody has had a turn.
        extra_deeds: what a fighter can do in such an extra turn, the most urgent first; it has
            one exchange, and neither `begin_turn` nor `actions_of` know of it.
        sets: keys of the setup that a fight fills in by itself.
        turned: keys of the setup that name a role, each with its values and what they are once
            the two have each other's roles: what is said of one side holds for both.
        matters: what is asked of the situation at the table when it first matters, in this order;
            what the file of a fight says is not asked.
        assumes: from the setup of a fighter to keys of the situation that he needs and nobody
            gave, with what a fight takes for them; it is told.
        over: what `ends` means, in a few words.
        engaged: from the setup of a fighter to the condition in which it can attack, if it has to
            come nearer first; what is best then is kept up by those who keep up an opening.
        starts: steps at which only exchanges of fights begin.
        fates: the words for how a fight leaves a fighter, the best first, such as "standing",
            "out" and "dead"; () where being out is all there is to tell.
        fate: which of them a condition is.
        afterwards: the deed on oneself that is still to be settled for a fighter in this
            condition when the fight is over, such as a check against bleeding; None: nothing.
        named: the setup of an exchange with the names that actor and target have in the fight,
            where several of a kind are told apart. Only people read it; engines follow one
            exchange for all of a kind, so options must be called the same: a system that names
            options after fighters leaves it out.
        apart: of the first choices of an exchange, by the names of the step and an option:
            what people find that option called among the deeds of the turn, apart from the rest;
            "": not at all, it is as good as passing; None: it belongs to the exchange. Computers,
            duels and battles decide in the exchange, where it is an option like any other.
        urgent: the deed on oneself that is settled at once, by those who are out as well, where
            a fight begins with a fighter in this condition, or an exchange or the end of a round
            leaves one in it; None: nothing.
            As long as nobody tends anybody, a fight must come to the same if `afterwards` settles
            it when the fight is over.
        tends: whether a fighter may ever help somebody for whom something was urgent, or it
            matters to others for another reason when that is settled. Battles in which nobody
            does put off what is urgent until they are over. Exact duels always do; they refuse
            a fighter for whom something is urgent and who fights on, unless nobody `tends`.
        common: what a fighter has in common with some of the own side, and how it stands; None:
            nothing. Exchanges change it, nothing else does.
        with_common: a condition once a mate's exchange has left this in common; the same
            condition where it is something else that they have.
        told: the lines of a condition that people at the table look at, the most important
            first; what never changes in a fight is left out. (): engines tell `vitals`.
        mended: a condition with one thing set by a game master: the key of one of its `told`
            lines and the new value, as it was typed (a number or a text). `SetupError` says what
            is allowed. None: nothing can be set.
        kept: how conditions go on with everything that `told`, `mended` and `leaves` look at;
            None: `apply` and `end_round` cut nothing of it.
        placed: the condition of a fighter whom a game master puts somewhere, from the situation of
            the side, the sheet, the condition, and the place as it was typed, under the key "at";
            `SetupError` says what is allowed. None: conditions know no places.
        rests: what may be done between two fights.
        leaves: the sheet with which a fighter comes into the next fight, from the situation of
            the side, the sheet, the condition at the end, and a rest by its name ("": none).
            `SetupError` says why nobody does. None: the rules don't say what lasts.
        in_battles: names of rulings, each with the reading that battles take where nobody names
            one: a simpler one than that of fights which people play. A gap tells of it.
        in_duels: the same of duels worked out to the end, which it keeps small.
        waits: whether the rules let a fighter wait, so that the turn comes later in the round,
            when it is called. recounts: whether that moves the fighter in the order of turns for
            good, where initiative makes it: to the one whose turn was before. interrupts: whether
            whoever waits may act when somebody has said what they do, before it is done; if it
            can be done then, it is.
        whole: how an exchange that is a whole fight by itself is seen as one; None: there is none.
        board: how fights go on a board that all fighters share; None: there is none.
        rule_of_thumb: how sensible each option of a choice in an exchange looks, the greater the
            better; (): nothing to say. It is quick and promises nothing: computers try first what
            it likes, play on by it, and fall back on it where they can't tell options apart. It
            changes no odds.
    """

    enter: Callable[[S, Rulings], C]
    declare: Callable[[Scene[P, C]], At[F]]
    effect: Callable[[F, Role], E]
    apply: Callable[[S, C, E], C]
    is_out: Callable[[S, C], bool]
    vitals: Callable[[S, C], int]
    harm: Callable[[E], int]
    hits: str = ""
    meets: Callable[[S, C, Sequence[S]], C] = _unmoved
    beside: Callable[[S, C, Sequence[S], Sequence[S]], C] = _beside_anybody
    clash: Callable[[tuple[P, P], tuple[Sequence[S], Sequence[S]]], str | None] = _no_clash
    deeds: Callable[[S, C], tuple[Deed, ...]] = _always_attacks
    needs: Callable[[S, C], int] = _no_needs
    begin_turn: Callable[[S, C], C] = same
    end_round: Callable[[S, C], C] = same
    initiative: Callable[[S, C, Rulings], tuple[int, int]] | None = None
    initiative_roll: Callable[[S, Rulings], tuple[Pool, Read[int]]] | None = None
    context: Callable[[Sequence[tuple[S, C]]], Hashable] = _no_context
    in_context: Callable[[S], bool] = _any_mate
    minds_mates: Callable[[S, C], bool] = _alone
    helped: Callable[[F], tuple[tuple[int, E], ...]] = _nobody
    caught: Callable[[F], tuple[int, ...]] = _no_mates
    ends: Callable[[S, C], bool | None] = _no_say
    resources: Callable[[S, C], Mapping[str, int]] = _nothing_left
    actions: int = 1
    interludes: Callable[[S, Rulings], tuple[Interlude, ...]] = _no_interludes
    actions_of: Callable[[S, C], int] | None = None
    extras: Callable[[S, C, Rulings], int] = _no_extras
    extra_deeds: Callable[[S, C], tuple[Deed, ...]] = _nothing_extra
    sets: frozenset[str] = frozenset()
    turned: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    matters: tuple[Matter[F], ...] = ()
    assumes: Callable[[P], Mapping[str, object]] = _nothing_assumed
    over: str = ""
    engaged: Callable[[P, C, Rulings], C] = _where_it_stands
    starts: tuple[Step[F], ...] = ()
    fates: tuple[str, ...] = ()
    fate: Callable[[S, C], str] = _no_fate
    afterwards: Callable[[S, C], Deed | None] = nothing_settled
    named: Callable[[P, str, str], P] = as_they_are
    apart: Callable[[str, str], str | None] = nothing_apart
    urgent: Callable[[S, C], Deed | None] = nothing_settled
    tends: Callable[[S, Rulings], bool] = _anybody
    common: Callable[[S, C], Hashable] = _own_alone
    with_common: Callable[[S, C, Hashable], C] = _not_common
    told: Callable[[S, C], tuple[Told, ...]] = _nothing_to_tell
    mended: Callable[[S, C, str, object], C] | None = None
    kept: Kept[S, C, E] | None = None
    placed: Callable[[P, S, C, Any], C] | None = None
    rests: tuple[Rest, ...] = ()
    leaves: Callable[[P, S, C, str], S] | None = None
    in_battles: tuple[tuple[str, str], ...] = ()
    in_duels: tuple[tuple[str, str], ...] = ()
    waits: bool = False
    recounts: bool = False
    interrupts: bool = False
    whole: Whole[F, S, C] | None = None
    board: Board[F, P, S, C, Any] | None = None
    rule_of_thumb: Callable[[At[F], Choice[F]], Sequence[float]] = _nothing_to_say
